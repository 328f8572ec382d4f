//! Maps, and reading them.

use std::fmt;

/// A map: a rectangle of places, with the start cell of the robot and the goal. [`GridMap::parse_all`] reads maps;
/// pass one to [`Robot::new`](crate::Robot::new). A place beyond the map counts as a wall.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GridMap {
    /// The name of the map. It is the first line of its text, and the problem name in
    /// [`GridWorlds`](crate::GridWorlds).
    pub name: String,
    /// The cells row by row, all rows equally long.
    pub(crate) rows: Vec<Vec<Cell>>,
    /// Row and column of the robot's start cell.
    pub(crate) start: (usize, usize),
    /// Row and column of the goal.
    pub(crate) goal: (usize, usize),
}

/// The kind of a cell of a map. The start and the goal are floor cells. It describes the characters of a drawing; no
/// public function takes or returns it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Cell {
    /// Drawn as `#`: the robot cannot enter.
    Wall,
    /// Drawn as `.`, `@` or `G`: the robot stays where it steps.
    Floor,
    /// Drawn as `~`: a robot that steps here slides one cell further with probability 1/2. If a wall is there, it
    /// stays on the ice.
    Ice,
}

/// A fault of a text of maps. [`MapFaults`] lists them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapFault {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1 in characters.
    pub column: usize,
    /// The fault as a sentence.
    pub message: String,
}

/// All faults of a text of maps, in the order of the text. Never empty. [`GridMap::parse_all`] and
/// [`GridWorlds::parse`](crate::GridWorlds::parse) return them. A missing robot or goal is listed after the faults of
/// the rows of its map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapFaults(pub Vec<MapFault>);

impl fmt::Display for MapFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (
            number,
            MapFault {
                line,
                column,
                message,
            },
        ) in self.0.iter().enumerate()
        {
            let separator = if number > 0 { "\n" } else { "" };
            write!(f, "{separator}line {line}, column {column}: {message}")?;
        }
        Ok(())
    }
}

impl std::error::Error for MapFaults {}

impl GridMap {
    /// Reads the maps of a text. Each is a line with its name and the lines of its drawing; one or more empty lines
    /// end it. The lines of a drawing consist of `#` (wall), `.` (floor), `~` (ice), one `@` (the robot) and one `G`
    /// (the goal). Spaces at the end of a line are ignored. The maps are in the order of the text.
    ///
    /// # Errors
    /// Fails with all faults: an unknown character, lines of different lengths, a missing or second robot or goal, or
    /// no map. A text without maps is a fault at line 1, column 1.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, MapFaults> {
        let mut faults = Vec::new();
        let mut maps = Vec::new();
        let lines: Vec<(usize, &str)> = (1..).zip(text.lines().map(str::trim_end)).collect();
        for block in lines.split(|(_, line)| line.is_empty()) {
            if let Some((&(number, name), rows)) = block.split_first() {
                maps.extend(parse(number, name.trim(), rows, &mut faults));
            }
        }
        if maps.is_empty() && faults.is_empty() {
            faults.push(MapFault {
                line: 1,
                column: 1,
                message: "expected a map: a line with its name, then its drawing".to_owned(),
            });
        }
        if faults.is_empty() {
            Ok(maps)
        } else {
            Err(MapFaults(faults))
        }
    }

    /// Returns the cell at a row and column; a wall beyond the map.
    pub(crate) fn cell(&self, (row, column): (usize, usize)) -> Cell {
        let cell = self.rows.get(row).and_then(|row| row.get(column));
        cell.copied().unwrap_or(Cell::Wall)
    }

    /// Returns the places that are no walls, row by row.
    pub(crate) fn places(&self) -> impl Iterator<Item = (usize, usize)> {
        let rows = self.rows.iter().enumerate();
        let all = rows.flat_map(|(row, cells)| (0..cells.len()).map(move |column| (row, column)));
        all.filter(|&place| self.cell(place) != Cell::Wall)
    }
}

/// Reads one map; `None` if it has faults, which are added to `faults`.
fn parse(line: usize, name: &str, drawn: &[(usize, &str)], faults: &mut Vec<MapFault>) -> Option<GridMap> {
    let before = faults.len();
    let mut fault = |line, column, message: String| {
        faults.push(MapFault {
            line,
            column,
            message,
        });
    };
    let width = drawn.first().map_or(0, |(_, row)| row.chars().count());
    let (mut rows, mut start, mut goal) = (Vec::new(), None, None);
    for (row, &(line, text)) in drawn.iter().enumerate() {
        let mut cells = Vec::new();
        for (column, character) in text.chars().enumerate() {
            let place = (row, column);
            let (marker, what) = match character {
                '@' => (&mut start, "robot"),
                'G' => (&mut goal, "goal"),
                '#' | '.' | '~' => (&mut None, ""),
                _ => {
                    let expected = "expected `#`, `.`, `~`, `@` or `G`";
                    fault(line, column + 1, format!("`{character}` is no cell: {expected}"));
                    continue;
                }
            };
            if marker.replace(place).is_some() && !what.is_empty() {
                fault(line, column + 1, format!("`{name}` has a second {what}"));
            }
            cells.push(match character {
                '#' => Cell::Wall,
                '~' => Cell::Ice,
                _ => Cell::Floor,
            });
        }
        let found = text.chars().count();
        if found != width {
            fault(
                line,
                found.min(width) + 1,
                format!("the row has {found} cells, and the first has {width}"),
            );
        }
        rows.push(cells);
    }
    for (place, what) in [(start, "robot, `@`"), (goal, "goal, `G`")] {
        if place.is_none() {
            fault(line, 1, format!("`{name}` has no {what}"));
        }
    }
    let (start, goal) = (start?, goal?);
    (faults.len() == before).then(|| GridMap {
        name: name.to_owned(),
        rows,
        start,
        goal,
    })
}
