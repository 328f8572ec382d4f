//! States drawn as grids of text.

use std::collections::{BTreeMap, BTreeSet};

use herbrand_ground::GroundTask;
use herbrand_pddl::{ObjectId, PredicateId};
use herbrand_step::Walker;

use super::{AtomSpace, Part};
use crate::Suite;
use crate::config::GridSymbol;

/// How the states of one problem are drawn: on the cells that its objects name, by the symbols of `env.toml`.
///
/// An object called `r<row>c<column>`, both from 1, is a cell. Where the settings name a static predicate of cells and
/// rows instead, each row is drawn as a line that begins with its name, of the cells that it has by that predicate.
///
/// A cell shows the first symbol whose predicates all hold of it; a predicate holds of a cell if an atom of it has that
/// cell, and no other, among its arguments, or no cell but that cell's row. In a symbol, `?` stands for the numbers at the
/// ends of the names of such atoms' other arguments, `&` for the names' first letters, `=` for the number at the end of the
/// cell's own name. What is no cell is drawn as `#`, a cell without a symbol as `.`.
#[derive(Clone, Debug)]
pub struct Grid {
    rows: Vec<Row>,
    /// The symbols, each with the predicates that ask for it.
    symbols: Vec<(String, Vec<PredicateId>)>,
}

#[derive(Clone, Debug)]
struct Row {
    /// What the row is, if it is an object.
    object: Option<ObjectId>,
    cells: Vec<Option<ObjectId>>,
}

/// What holds of a cell or row: predicates, each with the other objects of its atoms.
type Marks = BTreeMap<PredicateId, Vec<ObjectId>>;

impl Grid {
    /// How the problem at `index` is drawn; `None` when the settings of the suite declare no grid, the problem has no
    /// cells, or it cannot be compiled.
    #[must_use]
    pub fn of(suite: &Suite, index: usize) -> Option<Self> {
        let task = suite.instance(index).ok()?.simulator().task();
        let config = suite.config();
        let symbols = config.grid.iter();
        let symbols = symbols
            .filter_map(|symbol| known(task, symbol))
            .collect::<Vec<_>>();
        let rows = match &config.grid_rows {
            Some(predicate) => rows(task, predicate),
            None => places(task),
        };
        (!rows.is_empty() && !symbols.is_empty()).then_some(Self { rows, symbols })
    }

    /// The state where `walker` stands, one line a row.
    #[must_use]
    pub fn draw(&self, atoms: &AtomSpace, walker: &Walker) -> Vec<String> {
        let (task, marks) = (atoms.task(), self.marks(atoms, walker));
        let rows = self.rows.iter().map(|row| {
            let cells = row.cells.iter().map(|cell| match cell {
                Some(cell) => self.symbol(task, *cell, row.object, &marks),
                None => "#".to_owned(),
            });
            (row.object.map(|row| name(task, row)), cells.collect::<Vec<_>>())
        });
        let rows = rows.collect::<Vec<_>>();
        let length = |text: &str| text.chars().count();
        let width = rows.iter().flat_map(|(_, cells)| cells).map(|cell| length(cell));
        let width = width.max().unwrap_or(1);
        let names = rows.iter().filter_map(|&(name, _)| name);
        let names = names.map(length).max().unwrap_or(0);
        let line = |(name, cells): &(Option<&str>, Vec<String>)| {
            let name = name.map(|name| format!("{name:<names$}  ")).unwrap_or_default();
            let cells = cells.iter().map(|cell| format!("{cell:>width$}"));
            name + &cells.collect::<Vec<_>>().join(" ")
        };
        rows.iter().map(line).collect()
    }

    /// What holds of each cell and of each row.
    fn marks(&self, atoms: &AtomSpace, walker: &Walker) -> BTreeMap<ObjectId, Marks> {
        let cells = self.rows.iter().flat_map(|row| row.cells.iter().flatten());
        let cells = cells.collect::<BTreeSet<_>>();
        let rows = self.rows.iter().filter_map(|row| row.object.as_ref());
        let rows = rows.collect::<BTreeSet<_>>();
        let mut marks = BTreeMap::<_, Marks>::new();
        for fact in atoms.observe(walker, Part::All).filter_map(|id| atoms.get(id)) {
            let arguments = || fact.arguments.iter().copied();
            let within = |set: &BTreeSet<&ObjectId>| -> (Vec<ObjectId>, Vec<ObjectId>) {
                arguments().partition(|object| set.contains(object))
            };
            let (mut subject, mut others) = within(&cells);
            if subject.is_empty() {
                (subject, others) = within(&rows);
            }
            if let [subject] = *subject {
                let marks = marks.entry(subject).or_default();
                marks.entry(fact.predicate).or_default().extend(others.first());
            }
        }
        marks
    }

    fn symbol(
        &self,
        task: &GroundTask,
        cell: ObjectId,
        row: Option<ObjectId>,
        marks: &BTreeMap<ObjectId, Marks>,
    ) -> String {
        let of = [Some(cell), row].map(|object| marks.get(&object?));
        let others = |predicate: &PredicateId| of.iter().flatten().find_map(|marks| marks.get(predicate));
        let fits =
            |predicates: &[PredicateId]| predicates.iter().all(|predicate| others(predicate).is_some());
        let Some((symbol, predicates)) = self.symbols.iter().find(|(_, predicates)| fits(predicates)) else {
            return ".".to_owned();
        };
        let other = predicates
            .iter()
            .filter_map(others)
            .find(|others| !others.is_empty());
        let names = || other.into_iter().flatten().map(|&other| name(task, other));
        let numbers = names().map(number).collect::<Vec<_>>().join(",");
        let initials = names().filter_map(|name| name.chars().next()).collect::<String>();
        let symbol = symbol.replace('=', number(name(task, cell)));
        symbol.replace('?', &numbers).replace('&', &initials)
    }
}

fn name(task: &GroundTask, object: ObjectId) -> &str {
    task.vocabulary.objects[object.index()].name.as_str()
}

/// The digits at the end of a name.
fn number(name: &str) -> &str {
    &name[name.trim_end_matches(|c: char| c.is_ascii_digit()).len()..]
}

/// The symbol with its predicates by number; `None` when the problem knows one of them not.
fn known(task: &GroundTask, symbol: &GridSymbol) -> Option<(String, Vec<PredicateId>)> {
    let predicates = symbol.atoms.iter();
    let predicates = predicates.map(|name| task.vocabulary.find_predicate(name));
    Some((symbol.symbol.clone(), predicates.collect::<Option<_>>()?))
}

/// The largest grid that is drawn, in rows and columns.
const LARGEST: usize = 1000;

/// The cells that are called by their places.
fn places(task: &GroundTask) -> Vec<Row> {
    let objects = task.vocabulary.objects.iter().enumerate();
    let placed = objects.filter_map(|(index, object)| {
        let (row, column) = place(object.name.as_str())?;
        Some((row, column, ObjectId::from_index(index)))
    });
    let placed = placed.collect::<Vec<_>>();
    let height = placed.iter().map(|&(row, _, _)| row).max().unwrap_or(0);
    let width = placed.iter().map(|&(_, column, _)| column).max().unwrap_or(0);
    let row = Row {
        object: None,
        cells: vec![None; width],
    };
    let mut rows = vec![row; height];
    for (row, column, object) in placed {
        rows[row - 1].cells[column - 1] = Some(object);
    }
    rows
}

/// The rows that a static predicate of cells and rows says, all in the order in which objects are declared.
fn rows(task: &GroundTask, predicate: &str) -> Vec<Row> {
    let predicate = task.vocabulary.find_predicate(predicate);
    let mut rows = BTreeMap::<ObjectId, BTreeSet<ObjectId>>::new();
    for fact in task
        .statics
        .iter()
        .filter(|fact| Some(fact.predicate) == predicate)
    {
        if let &[cell, row] = fact.arguments {
            rows.entry(row).or_default().insert(cell);
        }
    }
    let row = |(row, cells): (ObjectId, BTreeSet<ObjectId>)| Row {
        object: Some(row),
        cells: cells.into_iter().map(Some).collect(),
    };
    rows.into_iter().map(row).collect()
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
