//! Towers of text.

use std::collections::BTreeSet;

use herbrand_pddl::{Domain, TypeId, TypeUnion};

use super::grid::number;
use super::scene::{Atom, Scene};
use crate::config::{Config, TowerConfig};
use crate::{Grounded, Planning};

/// How the states of one problem are drawn: as towers of the items that a predicate puts on each other.
///
/// ```text
///     item                       on a predicate      on a type, as bars
///                                  b                      |     ===
///   (on b a) (on-table a)          a  c                 =====  =====
///                                 ------               -------------
///                                                       peg-1  peg-2
/// ```
#[derive(Clone, Debug)]
pub(super) struct Towers {
    config: TowerConfig,
    /// What towers are built on, if that is objects: pegs, places.
    bases: Option<Vec<String>>,
    /// The number of the largest item, if items are bars.
    largest: Option<usize>,
}

impl Towers {
    /// The towers that the settings declare; `None` when they declare none.
    pub(super) fn new(domain: &Domain, config: &Config, planning: &Planning<Grounded>) -> Option<Self> {
        let config = config.towers.clone()?;
        let vocabulary = &planning.walker().simulator().task().vocabulary;
        let mut types = domain.types.iter();
        let base = types.position(|declared| declared.name.as_str() == config.base);
        let bases = base.map(|base| {
            let base = TypeUnion::single(TypeId::from_index(base));
            let objects = vocabulary.objects.iter();
            let fitting = objects.filter(|object| domain.is_assignable(&object.types, &base));
            fitting.map(|object| object.name.to_string()).collect::<Vec<_>>()
        });
        let is_base = |name: &str| bases.iter().flatten().any(|base| base == name);
        let items = vocabulary.objects.iter().map(|object| object.name.as_str());
        let sizes = items
            .filter(|name| !is_base(name))
            .map(|name| number(name).parse().ok());
        let sizes: Option<Vec<usize>> = sizes.collect();
        let largest = sizes.unwrap_or_default().into_iter().max();
        Some(Self {
            largest: largest.filter(|&largest| config.bars && largest <= WIDEST),
            config,
            bases,
        })
    }

    /// Whether any of these atoms puts an item on another.
    pub(super) fn shows(&self, scene: &Scene) -> bool {
        self.pairs(scene).next().is_some()
    }

    /// The towers, from the top, and what is said beside them.
    pub(super) fn draw(&self, scene: &Scene) -> Vec<String> {
        let towers = self.towers(scene);
        let heights = towers.iter().map(|tower| tower.items.len());
        let height = match self.largest {
            // Pegs are as high as all discs together.
            Some(_) => heights.sum(),
            None => heights.max().unwrap_or(0),
        };
        let base_names = towers.iter().filter_map(|tower| tower.base);
        let items = towers.iter().flat_map(|tower| &tower.items);
        let width = items.map(|item| self.item(item).chars().count());
        let width = width.chain(base_names.map(str::len)).chain(self.bar_width());
        let width = width.max().unwrap_or(1);
        let line = |cells: Vec<String>| {
            let cells = cells.iter().map(|cell| match self.largest {
                Some(_) => format!("{cell:^width$}"),
                None => format!("{cell:<width$}"),
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        let empty = if self.largest.is_some() { "|" } else { "" };
        let level = |level: usize| {
            let cells = towers.iter().map(|tower| match tower.items.get(level) {
                Some(item) => self.item(item),
                None => empty.to_owned(),
            });
            line(cells.collect())
        };
        let mut lines: Vec<_> = (0..height.max(1)).rev().map(level).collect();
        let ground = (width + 2) * towers.len();
        lines.push("-".repeat(ground.saturating_sub(2).max(1)));
        if self.bases.is_some() {
            let names = towers
                .iter()
                .map(|tower| tower.base.unwrap_or_default().to_owned());
            lines.push(line(names.collect()));
        }
        lines.extend(self.beside(scene));
        lines
    }

    fn bar_width(&self) -> Option<usize> {
        self.largest.map(|largest| 2 * largest + 1)
    }

    fn item(&self, name: &str) -> String {
        match (self.largest, number(name).parse::<usize>()) {
            (Some(_), Ok(size)) => "=".repeat(2 * size + 1),
            _ => name.to_owned(),
        }
    }

    /// What is on what: upper and lower item.
    fn pairs<'s>(&self, scene: &'s Scene) -> impl Iterator<Item = (&'s str, &'s str)> {
        let atoms = scene.atoms.iter().filter(|atom| atom.predicate == self.config.on);
        atoms.filter_map(|atom| match atom.arguments.as_slice() {
            [upper, lower] => Some((upper.as_str(), lower.as_str())),
            _ => None,
        })
    }

    fn towers<'s>(&'s self, scene: &'s Scene) -> Vec<Tower<'s>> {
        let pairs: Vec<_> = self.pairs(scene).collect();
        let uppers: BTreeSet<_> = pairs.iter().map(|&(upper, _)| upper).collect();
        let above = |bottom: &'s str| {
            let mut items = Vec::new();
            let mut top = bottom;
            // A state that somebody has set by hand may have circles.
            while let Some(&(upper, _)) = pairs.iter().find(|(_, lower)| *lower == top)
                && items.len() < pairs.len()
            {
                items.push(upper);
                top = upper;
            }
            items
        };
        match &self.bases {
            Some(bases) => bases
                .iter()
                .map(|base| Tower {
                    base: Some(base),
                    items: above(base),
                })
                .collect(),
            None => {
                let grounded = |atom: &&Atom| atom.predicate == self.config.base && atom.arguments.len() == 1;
                let grounded = scene
                    .atoms
                    .iter()
                    .filter(grounded)
                    .map(|atom| atom.arguments[0].as_str());
                let lowers = pairs.iter().map(|&(_, lower)| lower);
                let roots: BTreeSet<_> = grounded
                    .chain(lowers)
                    .filter(|name| !uppers.contains(name))
                    .collect();
                let declared = scene.objects.iter().map(String::as_str);
                let roots = declared.filter(|name| roots.contains(name));
                roots
                    .map(|root| Tower {
                        base: None,
                        items: [vec![root], above(root)].concat(),
                    })
                    .collect()
            }
        }
    }

    /// The atoms that are written below the towers, such as what a hand holds: one line per predicate.
    fn beside(&self, scene: &Scene) -> impl Iterator<Item = String> {
        self.config.beside.iter().filter_map(|predicate| {
            let atoms = scene.atoms.iter().filter(|atom| atom.predicate == *predicate);
            let atoms: Vec<_> = atoms.map(|atom| atom.arguments.join(" ")).collect();
            let line = format!("{predicate}  {}", atoms.join(", "));
            (!atoms.is_empty()).then(|| line.trim_end().to_owned())
        })
    }
}

/// The largest number of an item that is drawn as a bar.
const WIDEST: usize = 20;

/// Items on each other, the lowest first.
struct Tower<'s> {
    /// The object that the tower is built on.
    base: Option<&'s str>,
    items: Vec<&'s str>,
}
