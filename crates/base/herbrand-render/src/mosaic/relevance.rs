//! Computes the facts that a cell's picture depends on.

use std::collections::BTreeMap;

use crate::declare::{Declaration, EVERYWHERE, Layer, Named};
use crate::picture::Picture;
use crate::problem::{GoalFact, NamedFact};
use crate::view::Board;

/// For each fact, the cells that it affects, and the facts that also affect these cells while it is true.
///
/// A fact affects a cell if a layer draws it there, if the goal requires it there, or if it determines the appearance of
/// something constant. While a drawn fact is true, further facts affect its cell: the conditions of its layer, the badges of
/// its thing, and the facts about things that its thing may carry. The true ones of all these facts, in the order in which
/// they are found, form the *signature* of a cell. Cells with equal signatures look the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Relevance {
    /// For each fact, the start of its cells and tests; followed by the end.
    starts: Vec<(u32, u32)>,
    cells: Vec<u32>,
    tests: Vec<Test>,
    /// Lists of facts that tests refer to.
    more: Vec<Vec<u32>>,
}

/// A fact that affects a cell while another one is true.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Test {
    fact: u32,
    /// The list of further facts that affect the cell if this one is true.
    more: Option<u32>,
}

/// The maximum number of tests; more are not worth their memory.
const MOST: usize = 4_000_000;

impl Relevance {
    /// Returns the relevance for a single cell, which all facts affect.
    pub(super) fn of_one_cell(facts: usize) -> Self {
        let end = facts as u32;
        Self {
            starts: (0..=end).map(|fact| (fact, 0)).collect(),
            cells: vec![0; facts],
            ..Self::default()
        }
    }

    /// Computes the relevance for the cells of a grid. `atoms` are the facts that may change, by id. `None` if a cell
    /// depends on too many facts.
    pub(super) fn of_grid(picture: &Picture, atoms: &[Option<NamedFact>], goal: &[GoalFact]) -> Option<Self> {
        let (board, _) = picture.grid()?;
        let mut finder = Finder {
            declaration: picture.declaration(),
            atoms,
            board,
            by_name: by_name(atoms),
            cells: vec![Vec::new(); atoms.len()],
            tests: vec![Vec::new(); atoms.len()],
        };
        finder.places();
        let (_, world) = picture.about();
        let mut carriers = Vec::new();
        for atom in &world.constants {
            finder.constant(atom);
        }
        for (number, atom) in (0u32..).zip(atoms) {
            if let Some(atom) = atom {
                finder.drawn(number, atom, &mut carriers);
            }
        }
        finder.goal(goal)?;
        let more = finder.carried(&world.constants, &carriers)?;
        Some(finder.finish(more))
    }

    /// Returns the facts that affect any cell, directly or as a test, in ascending order.
    pub(super) fn concerns(&self) -> Vec<u32> {
        let facts = self.starts.len().saturating_sub(1);
        let mut concerned = vec![false; facts];
        for (fact, pair) in self.starts.windows(2).enumerate() {
            concerned[fact] |= pair[0].0 < pair[1].0;
        }
        let tested = self.tests.iter().map(|test| test.fact);
        for fact in tested.chain(self.more.iter().flatten().copied()) {
            concerned[fact as usize] = true;
        }
        let concerned = (0..).zip(concerned).filter(|&(_, concerned)| concerned);
        concerned.map(|(fact, _)| fact).collect()
    }

    /// Enumerates the signatures of all cells in a state, as pairs of a cell and the next fact of its signature.
    #[inline]
    pub(super) fn signatures(
        &self,
        held: impl Iterator<Item = u32>,
        holds: impl Fn(u32) -> bool,
        mut show: impl FnMut(u32, u32),
    ) {
        for fact in held {
            let at = fact as usize;
            let (Some(&(first, test)), Some(&(last, end))) = (self.starts.get(at), self.starts.get(at + 1))
            else {
                continue;
            };
            if first == last {
                continue;
            }
            let cells = &self.cells[first as usize..last as usize];
            cells.iter().for_each(|&cell| show(cell, fact));
            for test in &self.tests[test as usize..end as usize] {
                if !holds(test.fact) {
                    continue;
                }
                cells.iter().for_each(|&cell| show(cell, test.fact));
                let Some(list) = test.more else { continue };
                for &other in self.more[list as usize].iter().filter(|&&other| holds(other)) {
                    cells.iter().for_each(|&cell| show(cell, other));
                }
            }
        }
    }
}

/// Facts by name, with their first arguments.
type ByName<'a> = BTreeMap<&'a str, Vec<(u32, Option<&'a str>)>>;

fn by_name(atoms: &[Option<NamedFact>]) -> ByName<'_> {
    let mut by_name = ByName::new();
    for (number, atom) in (0..).zip(atoms) {
        if let Some(atom) = atom {
            let first = atom.arguments.first().map(String::as_str);
            by_name
                .entry(atom.name.as_str())
                .or_default()
                .push((number, first));
        }
    }
    by_name
}

/// A fact that is drawn in cells, with the thing that it draws.
struct Figure<'a> {
    /// The fact; `None` if it never changes.
    fact: Option<u32>,
    name: &'a str,
    thing: Option<&'a str>,
    cells: Vec<u32>,
}

struct Finder<'a> {
    declaration: &'a Declaration,
    atoms: &'a [Option<NamedFact>],
    board: &'a Board,
    by_name: ByName<'a>,
    /// For each fact, its cells.
    cells: Vec<Vec<u32>>,
    /// For each fact, its tests.
    tests: Vec<Vec<Test>>,
}

impl<'a> Finder<'a> {
    /// Adds the facts of layers that draw at every place, or where a fact does not hold.
    fn places(&mut self) {
        let everywhere = |layer: &&Layer| layer.absent || layer.fact.get_ref() == EVERYWHERE;
        let layers: Vec<&Layer> = self.declaration.layer.iter().filter(everywhere).collect();
        if layers.is_empty() {
            return;
        }
        for (cell, spot) in (0u32..).zip(&self.board.spots().spots) {
            let own = spot.names.first().map(String::as_str);
            let subjects: Vec<&str> = own.into_iter().collect();
            for layer in &layers {
                for fact in self.deciding(layer, &subjects, own) {
                    self.cells[fact as usize].push(cell);
                }
            }
        }
    }

    /// Returns the facts that determine whether and how a layer draws a thing: conditions and badges.
    fn deciding(&self, layer: &Layer, subjects: &[&str], thing: Option<&str>) -> Vec<u32> {
        let mut deciding = Vec::new();
        let conditions = layer.when.iter().chain(&layer.unless);
        for name in conditions.map(Named::get_ref) {
            let facts = self.by_name.get(name.as_str()).into_iter().flatten();
            let fits =
                |&&(_, first): &&(u32, Option<&str>)| first.is_none_or(|first| subjects.contains(&first));
            deciding.extend(facts.filter(fits).map(|&(fact, _)| fact));
        }
        for badge in &self.declaration.badge {
            let facts = self
                .by_name
                .get(badge.fact.get_ref().as_str())
                .into_iter()
                .flatten();
            let fits = |&&(_, first): &&(u32, Option<&str>)| first.is_some() && first == thing;
            deciding.extend(facts.filter(fits).map(|&(fact, _)| fact));
        }
        deciding
    }

    /// Returns the layers that draw a fact.
    fn layers(&self, atom: &NamedFact) -> Vec<&'a Layer> {
        let layers = self.declaration.layer.iter();
        layers
            .filter(|layer| *layer.fact.get_ref() == atom.name)
            .collect()
    }

    /// Handles a constant fact: the facts that determine its appearance affect its cells.
    fn constant(&mut self, atom: &NamedFact) {
        let located = self.board.locate(atom);
        let thing = located.others.first().copied();
        let subjects: Vec<&str> = atom.names().collect();
        for layer in self.layers(atom) {
            for fact in self.deciding(layer, &subjects, thing) {
                let cells = located.spots.iter().map(|&spot| spot as u32);
                self.cells[fact as usize].extend(cells);
            }
        }
    }

    /// Handles a fact that may change.
    fn drawn(&mut self, number: u32, atom: &'a NamedFact, carried: &mut Vec<u32>) {
        let layers = self.layers(atom);
        if layers.is_empty() {
            return;
        }
        let located = self.board.locate(atom);
        if located.spots.is_empty() {
            carried.push(number);
            return;
        }
        let cells = located.spots.iter().map(|&spot| spot as u32);
        self.cells[number as usize].extend(cells);
        let thing = located.others.first().copied();
        let subjects: Vec<&str> = atom.names().collect();
        for layer in layers {
            let deciding = self.deciding(layer, &subjects, thing);
            let tests = deciding.into_iter().map(|fact| Test { fact, more: None });
            self.tests[number as usize].extend(tests);
        }
    }

    /// Adds the effects of goal facts at their cells; `None` if a goal fact would be drawn with a carrier.
    fn goal(&mut self, goal: &[GoalFact]) -> Option<()> {
        for wanted in goal.iter().filter(|wanted| !wanted.negative) {
            let names: Vec<&str> = wanted.arguments.iter().map(String::as_str).collect();
            let layers = self.declaration.layer.iter().filter(|layer| {
                *layer.fact.get_ref() == wanted.name && !layer.absent && layer.goal != Some(false)
            });
            let layers: Vec<&Layer> = layers.collect();
            let located = self.board.locate_names(&names);
            if layers.is_empty() {
                continue;
            }
            if located.spots.is_empty() {
                return None;
            }
            // A goal fact has the appearance of its thing.
            let thing = located.others.first().copied();
            let looks = layers.iter().flat_map(|layer| self.deciding(layer, &[], thing));
            let facts: Vec<u32> = looks.chain(self.find(wanted)).collect();
            for fact in facts {
                let cells = located.spots.iter().map(|&spot| spot as u32);
                self.cells[fact as usize].extend(cells);
            }
        }
        Some(())
    }

    /// Returns the fact that the goal requires, if it may change.
    fn find(&self, wanted: &GoalFact) -> Option<u32> {
        let facts = self.by_name.get(wanted.name.as_str())?.iter();
        let mut facts = facts.map(|&(fact, _)| fact);
        facts.find(|&fact| {
            let atom = self.atoms[fact as usize].as_ref();
            atom.is_some_and(|atom| atom.arguments == wanted.arguments)
        })
    }

    /// Handles the facts whose things are drawn with carriers: returns the lists that tests refer to. `None` if there are
    /// too many dependencies on carriers.
    fn carried(&mut self, constants: &'a [NamedFact], carried: &[u32]) -> Option<Vec<Vec<u32>>> {
        let figures = self.figures(constants);
        let mut lists = Vec::new();
        let mut total = 0;
        for &fact in carried {
            let atom = self.atoms[fact as usize].as_ref()?;
            let subjects: Vec<&str> = atom.names().collect();
            for layer in self.layers(atom).into_iter().filter(|layer| !layer.absent) {
                let carriers = figures.iter().filter(|figure| match &layer.with {
                    Some(with) => figure.name == with.get_ref().as_str(),
                    None => subjects.len() > 1 && figure.thing == subjects.last().copied(),
                });
                let carriers: Vec<&Figure<'_>> = carriers.collect();
                let deciding = self.deciding(layer, &subjects, subjects.first().copied());
                let fixed = carriers.iter().filter(|figure| figure.fact.is_none()).count();
                match carriers.as_slice() {
                    _ if self.is_everywhere(layer.with.as_ref()) => return None,
                    [
                        Figure {
                            fact: None, cells, ..
                        },
                    ] => {
                        for &other in deciding.iter().chain([&fact]) {
                            self.cells[other as usize].extend(cells);
                        }
                        continue;
                    }
                    _ if fixed > 0 => return None,
                    _ => {}
                }
                // If there are several carriers, all of them determine where the thing is drawn.
                let mut list = deciding;
                for carrier in carriers.iter().filter_map(|figure| figure.fact) {
                    list.push(carrier);
                    list.extend(self.tests[carrier as usize].iter().map(|test| test.fact));
                }
                list.sort_unstable();
                list.dedup();
                total += list.len() + carriers.len();
                let more = Some(lists.len() as u32);
                lists.push(list);
                let carriers = carriers.iter().filter_map(|figure| figure.fact);
                let carriers: Vec<u32> = carriers.collect();
                for carrier in carriers {
                    self.tests[carrier as usize].push(Test { fact, more });
                }
                if total > MOST {
                    return None;
                }
            }
        }
        Some(lists)
    }

    /// Returns whether a layer draws where its fact does not hold.
    fn is_everywhere(&self, with: Option<&Named>) -> bool {
        let mut layers = self.declaration.layer.iter();
        with.is_some_and(|with| layers.any(|layer| layer.absent && layer.fact.get_ref() == with.get_ref()))
    }

    /// Returns all facts that are drawn in cells.
    fn figures(&self, constants: &'a [NamedFact]) -> Vec<Figure<'a>> {
        let numbered = (0u32..).zip(self.atoms);
        let numbered = numbered.filter_map(|(fact, atom)| Some((Some(fact), atom.as_ref()?)));
        let all = constants.iter().map(|atom| (None, atom)).chain(numbered);
        let figures = all.filter_map(|(fact, atom)| {
            let located = self.board.locate(atom);
            let is_drawn = !located.spots.is_empty() && !self.layers(atom).is_empty();
            is_drawn.then(|| Figure {
                fact,
                name: &atom.name,
                thing: located.others.first().copied(),
                cells: located.spots.iter().map(|&spot| spot as u32).collect(),
            })
        });
        figures.collect()
    }

    fn finish(self, more: Vec<Vec<u32>>) -> Relevance {
        let mut relevance = Relevance {
            more,
            ..Relevance::default()
        };
        for (mut cells, mut tests) in self.cells.into_iter().zip(self.tests) {
            relevance
                .starts
                .push((relevance.cells.len() as u32, relevance.tests.len() as u32));
            cells.sort_unstable();
            cells.dedup();
            tests.sort_unstable();
            tests.dedup();
            relevance.cells.extend(cells);
            relevance.tests.extend(tests);
        }
        relevance
            .starts
            .push((relevance.cells.len() as u32, relevance.tests.len() as u32));
        relevance
    }
}
