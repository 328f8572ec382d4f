//! Grids of cells with walls.

use super::{Dice, Graph, explore};

/// The direction from a cell of a grid to a neighbour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    Up,
    Down,
    Left,
    Right,
}

impl Direction {
    /// All directions, for iteration.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// Returns the name of the direction on a screen: up, down, left or right.
    pub fn word(self) -> &'static str {
        ["up", "down", "left", "right"][self as usize]
    }

    /// Returns the name of the direction on a map: north, south, west or east.
    pub fn compass(self) -> &'static str {
        ["north", "south", "west", "east"][self as usize]
    }

    /// Returns the opposite direction.
    pub fn opposite(self) -> Self {
        Self::ALL[self as usize ^ 1]
    }
}

/// A rectangle of cells, numbered row by row. Some cells may be walls.
#[derive(Clone, Debug)]
pub struct Grid {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    wall: Vec<bool>,
}

impl Grid {
    /// Creates a grid without walls.
    pub fn new(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            wall: vec![false; rows * columns],
        }
    }

    /// Draws a grid in which each cell is a wall with probability `part / whole`. Then all cells outside the largest
    /// connected area become walls too, so every remaining cell can be reached from every other.
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

    /// Returns the numbers of the cells that are not walls, in ascending order.
    pub fn cells(&self) -> Vec<usize> {
        (0..self.wall.len()).filter(|&cell| !self.wall[cell]).collect()
    }

    /// Returns the name of a cell, such as `r2c1` for the first cell of the second row.
    pub fn name(&self, cell: usize) -> String {
        format!("r{}c{}", cell / self.columns + 1, cell % self.columns + 1)
    }

    /// Returns the names of all cells by number, including walls.
    pub fn names(&self) -> Vec<String> {
        (0..self.wall.len()).map(|cell| self.name(cell)).collect()
    }

    /// Returns the names of the cells that are not walls.
    pub fn cell_names(&self) -> Vec<String> {
        self.cells().into_iter().map(|cell| self.name(cell)).collect()
    }

    /// Returns the neighbour of a cell in a direction; `None` if it is a wall or outside the grid.
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

    /// Returns the neighbours of a cell that are not walls, with their directions.
    pub fn around(&self, cell: usize) -> Vec<(Direction, usize)> {
        let towards = |direction| self.next(cell, direction).map(|next| (direction, next));
        Direction::ALL.into_iter().filter_map(towards).collect()
    }

    /// Returns the graph with an edge between any two neighbouring cells. Walls are nodes without edges.
    pub fn graph(&self) -> Graph {
        let mut graph = Graph::new(self.wall.len());
        for cell in self.cells() {
            for (_, next) in self.around(cell) {
                graph.join(cell, next);
            }
        }
        graph
    }

    /// Returns, for each cell that is not a wall, the atoms `predicate cell neighbour` of its neighbours. With `word`, the
    /// direction is appended.
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

    /// Returns a drawing of the grid with a line per row. Walls are `#`; `sign` returns the character of any other cell.
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
