//! States drawn as grids of text.

use std::collections::BTreeMap;

use herbrand_ground::GroundTask;
use herbrand_pddl::{ObjectId, PredicateId};
use herbrand_step::Walker;

use super::{AtomSpace, Part};
use crate::Suite;
use crate::config::GridSymbol;

/// How the states of one problem are drawn: on the cells that its objects name, by the symbols of `env.toml`.
///
/// An object called `r<row>c<column>`, both from 1, is a cell. A cell shows the first symbol whose predicates all hold of
/// it; a predicate holds of a cell if an atom of it has that cell, and no other, among its arguments. In a symbol, `?`
/// stands for the number at the end of the name of such an atom's other argument, and `&` for the name's first letter.
/// What is no cell is drawn as `#`, a cell without a symbol as `.`.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Row by row.
    cells: Vec<Vec<Option<ObjectId>>>,
    /// The symbols, each with the predicates that ask for it.
    symbols: Vec<(String, Vec<PredicateId>)>,
}

/// What holds of a cell: predicates, each with the other object of an atom.
type Marks = BTreeMap<PredicateId, Option<ObjectId>>;

impl Grid {
    /// How the problem at `index` is drawn; `None` when the settings of the suite declare no grid, the problem has no
    /// cells, or it cannot be compiled.
    #[must_use]
    pub fn of(suite: &Suite, index: usize) -> Option<Self> {
        let task = suite.instance(index).ok()?.simulator().task();
        let symbols = suite.config().grid.iter();
        let symbols = symbols
            .filter_map(|symbol| known(task, symbol))
            .collect::<Vec<_>>();
        let cells = cells(task);
        (!cells.is_empty() && !symbols.is_empty()).then_some(Self { cells, symbols })
    }

    /// The state where `walker` stands, one line a row.
    #[must_use]
    pub fn draw(&self, atoms: &AtomSpace, walker: &Walker) -> Vec<String> {
        let marks = self.marks(atoms, walker);
        let nothing = Marks::new();
        let rows = self.cells.iter().map(|row| {
            let cells = row.iter().map(|cell| match cell {
                Some(cell) => self.symbol(atoms.task(), marks.get(cell).unwrap_or(&nothing)),
                None => "#".to_owned(),
            });
            cells.collect::<Vec<_>>()
        });
        let rows = rows.collect::<Vec<_>>();
        let width = rows.iter().flatten().map(|cell| cell.chars().count()).max();
        let width = width.unwrap_or(1);
        let line = |row: &Vec<String>| {
            let cells = row.iter().map(|cell| format!("{cell:>width$}"));
            cells.collect::<Vec<_>>().join(" ")
        };
        rows.iter().map(line).collect()
    }

    fn marks(&self, atoms: &AtomSpace, walker: &Walker) -> BTreeMap<ObjectId, Marks> {
        let is_cell = |object: &ObjectId| self.cells.iter().flatten().any(|&cell| cell == Some(*object));
        let mut marks = BTreeMap::<_, Marks>::new();
        for fact in atoms.observe(walker, Part::All).filter_map(|id| atoms.get(id)) {
            let arguments = fact.arguments.iter().copied();
            let (cells, others): (Vec<ObjectId>, Vec<_>) = arguments.partition(is_cell);
            if let [cell] = *cells {
                let marks = marks.entry(cell).or_default();
                marks.insert(fact.predicate, others.first().copied());
            }
        }
        marks
    }

    fn symbol(&self, task: &GroundTask, marks: &Marks) -> String {
        let fits =
            |predicates: &[PredicateId]| predicates.iter().all(|predicate| marks.contains_key(predicate));
        let Some((symbol, predicates)) = self.symbols.iter().find(|(_, predicates)| fits(predicates)) else {
            return ".".to_owned();
        };
        let other = predicates.iter().find_map(|predicate| *marks.get(predicate)?);
        let name = other.map_or("", |other| task.vocabulary.objects[other.index()].name.as_str());
        let number = &name[name.trim_end_matches(|c: char| c.is_ascii_digit()).len()..];
        let initial = name.chars().next().map(String::from).unwrap_or_default();
        symbol.replace('?', number).replace('&', &initial)
    }
}

/// The symbol with its predicates by number; `None` when the problem knows one of them not.
fn known(task: &GroundTask, symbol: &GridSymbol) -> Option<(String, Vec<PredicateId>)> {
    let predicates = symbol.atoms.iter();
    let predicates = predicates.map(|name| task.vocabulary.find_predicate(name));
    Some((symbol.symbol.clone(), predicates.collect::<Option<_>>()?))
}

/// The largest grid that is drawn, in rows and columns.
const LARGEST: usize = 1000;

fn cells(task: &GroundTask) -> Vec<Vec<Option<ObjectId>>> {
    let objects = task.vocabulary.objects.iter().enumerate();
    let placed = objects.filter_map(|(index, object)| {
        let (row, column) = place(object.name.as_str())?;
        Some((row, column, ObjectId::from_index(index)))
    });
    let placed = placed.collect::<Vec<_>>();
    let rows = placed.iter().map(|&(row, _, _)| row).max().unwrap_or(0);
    let columns = placed.iter().map(|&(_, column, _)| column).max().unwrap_or(0);
    let mut cells = vec![vec![None; columns]; rows];
    for (row, column, object) in placed {
        cells[row - 1][column - 1] = Some(object);
    }
    cells
}

/// The row and column that a cell's name says, from 1.
fn place(name: &str) -> Option<(usize, usize)> {
    let (row, column) = name.strip_prefix('r')?.split_once('c')?;
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|_| digits);
        number.filter(|number| (1..=LARGEST).contains(number))
    };
    Some((number(row)?, number(column)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_by_row_and_column() {
        for (name, expected) in [
            ("r1c1", Some((1, 1))),
            ("r12c3", Some((12, 3))),
            ("r0c1", None),
            ("r1c1001", None),
            ("rc", None),
            ("r1c+1", None),
            ("rock", None),
            ("r1", None),
        ] {
            assert_eq!(place(name), expected, "{name}");
        }
    }
}
