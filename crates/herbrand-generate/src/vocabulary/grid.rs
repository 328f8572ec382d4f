//! Grids of cells with walls.

use super::{Dice, Graph, explore};

/// Where a neighbour lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    Up,
    Down,
    Left,
    Right,
}

impl Direction {
    /// All of them, in the order in which they are written.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// The word on a screen.
    pub fn word(self) -> &'static str {
        ["up", "down", "left", "right"][self as usize]
    }

    /// The word on a map.
    pub fn compass(self) -> &'static str {
        ["north", "south", "west", "east"][self as usize]
    }

    /// The way back.
    pub fn opposite(self) -> Self {
        Self::ALL[self as usize ^ 1]
    }
}

/// A rectangle of cells, numbered row by row, some of which may be walls.
#[derive(Clone, Debug)]
pub struct Grid {
    /// How many rows.
    pub rows: usize,
    /// How many columns.
    pub columns: usize,
    wall: Vec<bool>,
}

impl Grid {
    /// A grid without walls.
    pub fn new(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            wall: vec![false; rows * columns],
        }
    }

    /// A grid in which a cell is a wall `part` times in `whole`; cells that are then cut off from the largest area
    /// are walls too.
    pub fn with_walls(rows: usize, columns: usize, (part, whole): (usize, usize), dice: &mut Dice) -> Self {
        let mut grid = Self::new(rows, columns);
        grid.wall
            .iter_mut()
            .for_each(|wall| *wall = dice.chance(part, whole));
        let mut largest = Vec::new();
        let mut seen = grid.wall.clone();
        for cell in 0..seen.len() {
            if !seen[cell] {
                let area = grid.area(cell);
                area.iter().for_each(|&cell| seen[cell] = true);
                if area.len() > largest.len() {
                    largest = area;
                }
            }
        }
        grid.wall = vec![true; rows * columns];
        largest.into_iter().for_each(|cell| grid.wall[cell] = false);
        grid
    }

    /// The cells that are no walls.
    pub fn cells(&self) -> Vec<usize> {
        (0..self.wall.len()).filter(|&cell| !self.wall[cell]).collect()
    }

    /// The name of a cell: `r2c1`.
    pub fn name(&self, cell: usize) -> String {
        format!("r{}c{}", cell / self.columns + 1, cell % self.columns + 1)
    }

    /// The names of all cells, walls included, by their numbers.
    pub fn names(&self) -> Vec<String> {
        (0..self.wall.len()).map(|cell| self.name(cell)).collect()
    }

    /// The names of the cells that are no walls.
    pub fn cell_names(&self) -> Vec<String> {
        self.cells().into_iter().map(|cell| self.name(cell)).collect()
    }

    /// The cell next to `cell`, unless that is a wall or outside.
    pub fn next(&self, cell: usize, direction: Direction) -> Option<usize> {
        let (row, column) = (cell / self.columns, cell % self.columns);
        let next = match direction {
            Direction::Up => row.checked_sub(1).map(|row| row * self.columns + column),
            Direction::Down => (row + 1 < self.rows).then_some(cell + self.columns),
            Direction::Left => column.checked_sub(1).map(|_| cell - 1),
            Direction::Right => (column + 1 < self.columns).then_some(cell + 1),
        };
        next.filter(|&next| !self.wall[next])
    }

    /// The neighbours of a cell, with their directions.
    pub fn around(&self, cell: usize) -> Vec<(Direction, usize)> {
        let towards = |direction| self.next(cell, direction).map(|next| (direction, next));
        Direction::ALL.into_iter().filter_map(towards).collect()
    }

    /// The graph of neighbours; walls are nodes without edges.
    pub fn graph(&self) -> Graph {
        let mut graph = Graph::new(self.wall.len());
        for cell in self.cells() {
            for (_, next) in self.around(cell) {
                graph.join(cell, next);
            }
        }
        graph
    }

    /// For each cell that is no wall the atoms `predicate cell neighbour`, with the direction's word if there are any.
    pub fn facts(&self, predicate: &str, word: Option<fn(Direction) -> &'static str>) -> Vec<Vec<String>> {
        let atom = |cell, (direction, next)| {
            let pair = format!("{predicate} {} {}", self.name(cell), self.name(next));
            match word {
                Some(word) => format!("{pair} {}", word(direction)),
                None => pair,
            }
        };
        let row = |cell| {
            self.around(cell)
                .into_iter()
                .map(|side| atom(cell, side))
                .collect()
        };
        self.cells().into_iter().map(row).collect()
    }

    /// A drawing, a line for each row; walls are `#`.
    pub fn drawing(&self, sign: impl Fn(usize) -> char) -> Vec<String> {
        let draw = |cell| if self.wall[cell] { '#' } else { sign(cell) };
        let line = |row| {
            (0..self.columns)
                .map(|column| draw(row * self.columns + column))
                .collect()
        };
        (0..self.rows).map(line).collect()
    }

    fn area(&self, cell: usize) -> Vec<usize> {
        let moves = |&cell: &usize| self.around(cell);
        explore(cell, usize::MAX, |_| false, moves).0.states
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_lead_there_and_back() {
        let grid = Grid::new(3, 4);
        for cell in grid.cells() {
            for (direction, next) in grid.around(cell) {
                assert_eq!(grid.next(next, direction.opposite()), Some(cell));
            }
        }
        assert_eq!(
            (grid.name(4), grid.next(4, Direction::Left)),
            ("r2c1".to_owned(), None)
        );
    }

    #[test]
    fn what_walls_leave_is_one_area() {
        let mut dice = Dice::new(1, 0, 0, 0);
        for _ in 0..50 {
            let grid = Grid::with_walls(6, 7, (2, 5), &mut dice);
            let cells = grid.cells();
            if let Some(&cell) = cells.first() {
                assert_eq!(grid.area(cell).len(), cells.len());
            }
        }
    }
}
