//! Grids of text.

use std::collections::{BTreeMap, BTreeSet};

use herbrand_render::CellNames;

use super::Direction;
use super::scene::{Atom, Scene};
use crate::config::{Config, GridSymbol};

/// How the states of one problem are drawn: on the cells that its objects name, by the symbols of `env.toml`.
///
/// A cell is an object called `r<row>c<column>`, or as the settings say instead. Where they name a static predicate of
/// cells and rows, each row is drawn as a line that begins with its name, of the cells that it has by that predicate.
///
/// A cell shows the first symbol whose predicates all hold of it, and whose goal predicates are all missing at it. A
/// predicate holds of a cell if an atom of it has that cell, and no other, among its arguments, or no cell but that cell's
/// row, or no arguments at all. In a symbol, `?` is replaced by the numbers at the ends of the names of such atoms' other
/// arguments, `&` by the names' first letters, `=` by the number at the end of the cell's own name. What is no cell is
/// drawn as `#` or as the settings say, a cell without a symbol as `.`.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    rows: Vec<Row>,
    symbols: Vec<GridSymbol>,
    outside: String,
    /// The predicate that holds of the agent's cell.
    agent: Option<String>,
}

#[derive(Clone, Debug)]
struct Row {
    /// What the row is called, if it is an object.
    name: Option<String>,
    cells: Vec<Option<String>>,
}

/// What holds of a cell or row: predicates, each with the other objects of its atoms.
type Marks<'s> = BTreeMap<&'s str, Vec<&'s str>>;

/// What holds of all cells and rows, of the whole grid, and what the goal lacks of them.
struct Board<'s> {
    holds: BTreeMap<&'s str, Marks<'s>>,
    everywhere: BTreeSet<&'s str>,
    missing: BTreeMap<&'s str, Marks<'s>>,
}

impl Grid {
    /// The grid that the settings declare; `None` when they declare none, or the problem has no cells.
    pub(super) fn new(config: &Config, scene: &Scene) -> Option<Self> {
        let rows = match &config.grid_rows {
            Some(predicate) => rows(scene, predicate),
            None => places(
                &scene.objects,
                config.grid_cells.as_ref().unwrap_or(&CellNames::default()),
            ),
        };
        (!rows.is_empty() && !config.grid.is_empty()).then(|| Self {
            rows,
            symbols: config.grid.clone(),
            outside: config.grid_outside.clone().unwrap_or_else(|| "#".to_owned()),
            agent: config.grid_agent.clone(),
        })
    }

    /// One line per row.
    pub(super) fn draw(&self, scene: &Scene) -> Vec<String> {
        let board = self.board(scene);
        let rows = self.rows.iter().map(|row| {
            let cells = row.cells.iter().map(|cell| match cell {
                Some(cell) => self.symbol(cell, row.name.as_deref(), &board),
                None => self.outside.clone(),
            });
            (row.name.as_deref(), cells.collect::<Vec<_>>())
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
            let line = name + &cells.collect::<Vec<_>>().join(" ");
            line.trim_end().to_owned()
        };
        rows.iter().map(line).collect()
    }

    /// Whether a goal's atoms are drawn, and no symbol marks them in the state.
    pub(super) fn shows_goal(&self, goal: &Scene) -> bool {
        let drawn = |atom: &Atom| {
            let mut symbols = self.symbols.iter();
            !atom.fixed && symbols.any(|symbol| symbol.atoms.contains(&atom.predicate))
        };
        self.symbols.iter().all(|symbol| symbol.goal.is_empty()) && goal.atoms.iter().any(drawn)
    }

    /// The symbols with their meanings, and the one of what is no cell if there is such a place.
    pub(super) fn legend(&self) -> impl Iterator<Item = (&str, String)> {
        let declared = self
            .symbols
            .iter()
            .map(|symbol| (symbol.symbol.as_str(), symbol.meaning()));
        let mut cells = self.rows.iter().flat_map(|row| &row.cells);
        let outside = cells.any(Option::is_none) && !self.outside.trim().is_empty();
        declared.chain(outside.then(|| (self.outside.as_str(), "wall".to_owned())))
    }

    /// The cell beside the agent's.
    pub(super) fn beside(&self, scene: &Scene, direction: Direction) -> Option<String> {
        let agent = self.agent.as_deref()?;
        let board = self.board(scene);
        let is_there = |cell: &Option<String>| {
            let marks = cell.as_ref().and_then(|cell| board.holds.get(cell.as_str()));
            marks.is_some_and(|marks| marks.contains_key(agent))
        };
        let mut rows = self.rows.iter().enumerate();
        let (row, column) =
            rows.find_map(|(row, cells)| Some((row, cells.cells.iter().position(is_there)?)))?;
        let (row, column) = match direction {
            Direction::Up => (row.checked_sub(1)?, column),
            Direction::Down => (row + 1, column),
            Direction::Left => (row, column.checked_sub(1)?),
            Direction::Right => (row, column + 1),
        };
        self.rows.get(row)?.cells.get(column)?.clone()
    }

    fn board<'s>(&self, scene: &'s Scene) -> Board<'s> {
        let nullary = scene.atoms.iter().filter(|atom| atom.arguments.is_empty());
        Board {
            holds: self.marks(&scene.atoms),
            everywhere: nullary.map(|atom| atom.predicate.as_str()).collect(),
            missing: self.marks(&scene.missing),
        }
    }

    /// What atoms say of each cell and of each row.
    fn marks<'s>(&self, atoms: &'s [Atom]) -> BTreeMap<&'s str, Marks<'s>> {
        let cells = self.rows.iter().flat_map(|row| row.cells.iter().flatten());
        let cells = cells.map(String::as_str).collect::<BTreeSet<_>>();
        let rows = self.rows.iter().filter_map(|row| row.name.as_deref());
        let rows = rows.collect::<BTreeSet<_>>();
        let mut marks = BTreeMap::<_, Marks<'s>>::new();
        for atom in atoms {
            let arguments = || atom.arguments.iter().map(String::as_str);
            let within = |set: &BTreeSet<&str>| -> (Vec<&'s str>, Vec<&'s str>) {
                arguments().partition(|name| set.contains(name))
            };
            let (mut subject, mut others) = within(&cells);
            if subject.is_empty() {
                (subject, others) = within(&rows);
            }
            if let [subject] = *subject {
                let marks = marks.entry(subject).or_default();
                marks.entry(&atom.predicate).or_default().extend(others.first());
            }
        }
        marks
    }

    fn symbol(&self, cell: &str, row: Option<&str>, board: &Board<'_>) -> String {
        let find = |marks: &BTreeMap<&str, Marks<'_>>, predicate: &str| -> Option<Vec<String>> {
            let of = [Some(cell), row]
                .into_iter()
                .flatten()
                .filter_map(|name| marks.get(name));
            let others = of.filter_map(|marks| marks.get(predicate)).next()?;
            Some(others.iter().map(|&name| name.to_owned()).collect())
        };
        let held = |predicate: &String| {
            let everywhere = board.everywhere.contains(predicate.as_str()).then(Vec::new);
            find(&board.holds, predicate).or(everywhere)
        };
        let missing = |predicate: &String| find(&board.missing, predicate);
        let others = |symbol: &GridSymbol| -> Option<Vec<Vec<String>>> {
            let atoms = symbol.atoms.iter().map(held);
            atoms.chain(symbol.goal.iter().map(missing)).collect()
        };
        let fitting = self
            .symbols
            .iter()
            .find_map(|symbol| Some((symbol, others(symbol)?)));
        let Some((symbol, others)) = fitting else {
            return ".".to_owned();
        };
        let others = others
            .into_iter()
            .find(|others| !others.is_empty())
            .unwrap_or_default();
        let numbers = others
            .iter()
            .map(|name| number(name))
            .collect::<Vec<_>>()
            .join(",");
        let initials = others
            .iter()
            .filter_map(|name| name.chars().next())
            .collect::<String>();
        let symbol = symbol.symbol.replace('=', number(cell));
        symbol.replace('?', &numbers).replace('&', &initials)
    }
}

/// The digits at the end of a name.
pub(super) fn number(name: &str) -> &str {
    &name[name.trim_end_matches(|c: char| c.is_ascii_digit()).len()..]
}

/// The cells that are called by their places.
fn places(objects: &[String], pattern: &CellNames) -> Vec<Row> {
    let placed = objects
        .iter()
        .filter_map(|name| Some((pattern.place(name)?, name)));
    let placed = placed.collect::<Vec<_>>();
    let (rows, columns): (Vec<_>, Vec<_>) = placed.iter().map(|&(place, _)| place).unzip();
    let first = |numbers: &[usize]| usize::from(!numbers.contains(&0));
    let (top, left) = (first(&rows), first(&columns));
    let size = |numbers: &[usize], first: usize| numbers.iter().max().map_or(0, |last| last + 1 - first);
    let row = Row {
        name: None,
        cells: vec![None; size(&columns, left)],
    };
    let mut grid = vec![row; size(&rows, top)];
    for ((row, column), name) in placed {
        grid[row - top].cells[column - left] = Some(name.clone());
    }
    grid
}

/// The rows that a static predicate of cells and rows says, all in the order in which objects are declared.
fn rows(scene: &Scene, predicate: &str) -> Vec<Row> {
    let order = |name: &String| {
        scene
            .objects
            .iter()
            .position(|object| object == name)
            .unwrap_or(usize::MAX)
    };
    let mut rows = BTreeMap::<usize, BTreeSet<usize>>::new();
    for atom in scene
        .atoms
        .iter()
        .filter(|atom| atom.fixed && atom.predicate == predicate)
    {
        if let [cell, row] = atom.arguments.as_slice() {
            rows.entry(order(row)).or_default().insert(order(cell));
        }
    }
    let name = |index: usize| scene.objects.get(index).cloned();
    let row = |(row, cells): (usize, BTreeSet<usize>)| Row {
        name: name(row),
        cells: cells.into_iter().map(name).collect(),
    };
    rows.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_as_a_pattern_says() {
        let place =
            |pattern: &str, name: &str| CellNames::parse(pattern).and_then(|pattern| pattern.place(name));
        assert_eq!(place("l-{row}-{column}", "l-0-12"), Some((0, 12)));
        assert_eq!(place("x{column}y{row}!", "x3y4!"), Some((4, 3)));
        assert_eq!(place("x{column}y{row}!", "x3y4"), None);
        for wrong in ["", "{row}", "{row}{column}", "{column}-"] {
            assert_eq!(CellNames::parse(wrong), None, "{wrong}");
        }
        let objects = ["l-0-1", "l-2-0", "car"].map(str::to_owned);
        let rows = CellNames::parse("l-{row}-{column}").map(|pattern| places(&objects, &pattern));
        let rows = rows.expect("a pattern").into_iter().map(|row| row.cells);
        let cell = |name: &str| Some(name.to_owned());
        let expected = [
            vec![None, cell("l-0-1")],
            vec![None, None],
            vec![cell("l-2-0"), None],
        ];
        assert_eq!(rows.collect::<Vec<_>>(), expected);
    }
}
