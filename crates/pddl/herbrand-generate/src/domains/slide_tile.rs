//! Slide tile: a random solvable order of the tiles.

use crate::vocabulary::{Dice, Direction, Draft, Grid, shortest};

/// If there are at most this many open cells above a row, its last two tiles are placed by a search on the whole board.
const SMALL: usize = 24;

/// Draws a board of `size` × `size` cells. `None` if the tiles are already in order, or the solver finds no moves.
pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let mut board = Board::draw(size, dice);
    if board.tiles.iter().enumerate().all(|(cell, &tile)| cell == tile) {
        return None;
    }
    let grid = board.grid.clone();
    let mut draft = Draft::default();
    draft.note(format!(
        "A board of {size} by {size}; the gap (.) belongs in the upper left corner."
    ));
    for row in board.tiles.chunks(size) {
        let sign = |&tile: &usize| {
            if tile == 0 {
                "  .".to_owned()
            } else {
                format!("{tile:3}")
            }
        };
        draft.note(format!(" {}", row.iter().map(sign).collect::<String>()));
    }
    draft.objects("cell", grid.cell_names());
    draft.objects("tile", (1..size * size).map(|tile| format!("t{tile}")));
    for (row, tiles) in board.tiles.chunks(size).enumerate() {
        draft.facts(tiles.iter().enumerate().map(|(column, &tile)| {
            let cell = grid.name(row * size + column);
            if tile == 0 {
                format!("gap-at {cell}")
            } else {
                format!("tile-at t{tile} {cell}")
            }
        }));
    }
    draft.rows(grid.facts("neighbor", Some(Direction::word)));
    (1..size * size).for_each(|tile| draft.goal(format!("tile-at t{tile} {}", grid.name(tile))));
    board.solve(&mut draft)?;
    Some(draft)
}

/// The tile on each cell; 0 is the gap. In the goal, each tile is on the cell of its number.
struct Board {
    grid: Grid,
    tiles: Vec<usize>,
    /// Whether each cell has its tile and is finished.
    done: Vec<bool>,
}

/// The positions of the gap and of some tiles.
type Places = Vec<usize>;

impl Board {
    fn draw(size: usize, dice: &mut Dice) -> Self {
        let mut tiles = dice.permutation(size * size);
        let gap = tiles.iter().position(|&tile| tile == 0).unwrap_or(0);
        // A slide changes the parity of the permutation and of the gap's distance from its corner, so their sum is
        // invariant.
        if is_odd(&tiles) != ((gap / size + gap % size) % 2 == 1) {
            let last = tiles.len() - 1;
            let other = if gap == last { last - 2 } else { last };
            let one = if gap == other - 1 { other - 2 } else { other - 1 };
            tiles.swap(one, other);
        }
        Self {
            grid: Grid::new(size, size),
            done: vec![false; tiles.len()],
            tiles,
        }
    }

    /// Solves row by row from the bottom, then column by column from the right, until four cells are left.
    fn solve(&mut self, draft: &mut Draft) -> Option<()> {
        let size = self.grid.columns;
        for row in (2..size).rev() {
            self.row(row, draft)?;
        }
        for column in (2..size).rev() {
            self.place(&[size + column, column], draft)?;
        }
        self.place(&[1, size, size + 1], draft)
    }

    /// Solves a row with at least two rows above it: tile by tile from the right, the last two together.
    fn row(&mut self, row: usize, draft: &mut Draft) -> Option<()> {
        let left = row * self.grid.columns;
        for cell in (left + 2..left + self.grid.columns).rev() {
            self.approach(cell, cell, 2, draft)?;
            self.place(&[cell], draft)?;
        }
        if left > SMALL {
            // If there is too little room, the search in `place` moves both tiles.
            let _ = self.gather([left + 1, left], draft);
        }
        self.place(&[left + 1, left], draft)
    }

    /// Brings the tiles of the two cells at the left end of a row into the corner's two columns and three rows.
    fn gather(&mut self, [first, second]: [usize; 2], draft: &mut Draft) -> Option<()> {
        let (size, row) = (self.grid.columns, first / self.grid.columns);
        let near = |cell: usize| cell % size < 2 && (row - 2..=row).contains(&(cell / size));
        self.approach(second, second, 4, draft)?;
        self.approach(first, first, 1, draft)?;
        self.slide(&[first], |places| near(places[1]), |_| true, draft)?;
        let held = self.tiles.iter().position(|&tile| tile == first)?;
        self.slide(
            &[second],
            |places| near(places[1]) && near(places[0]),
            |cell| cell != held,
            draft,
        )?;
        self.slide(
            &[first, second],
            |places| places[1..] == [first, second],
            near,
            draft,
        )
    }

    /// Brings a tile within a given number of steps of a cell. Every move of the tile brings it one step nearer.
    fn approach(&mut self, tile: usize, cell: usize, within: usize, draft: &mut Draft) -> Option<()> {
        let size = self.grid.columns;
        let distance =
            |from: usize| (from / size).abs_diff(cell / size) + (from % size).abs_diff(cell % size);
        loop {
            let far = distance(self.tiles.iter().position(|&other| other == tile)?);
            if far <= within {
                return Some(());
            }
            self.slide(&[tile], |places| distance(places[1]) < far, |_| true, draft)?;
        }
    }

    /// Brings the tiles of these cells home together.
    fn place(&mut self, cells: &[usize], draft: &mut Draft) -> Option<()> {
        self.slide(cells, |places| places[1..] == *cells, |_| true, draft)?;
        cells.iter().for_each(|&cell| self.done[cell] = true);
        Some(())
    }

    /// Slides tiles along a shortest path until the gap and the given tiles satisfy the goal. Only allowed cells change.
    fn slide(
        &mut self,
        tiles: &[usize],
        goal: impl Fn(&Places) -> bool,
        allowed: impl Fn(usize) -> bool,
        draft: &mut Draft,
    ) -> Option<()> {
        let find = |tile: usize| self.tiles.iter().position(|&other| other == tile);
        let start: Places = [0]
            .iter()
            .chain(tiles)
            .map(|&tile| find(tile))
            .collect::<Option<_>>()?;
        let moves = |places: &Places| {
            let gap = places[0];
            let open = |&(_, from): &(Direction, usize)| !self.done[from] && allowed(from);
            let slide = |(side, from): (Direction, usize)| {
                let swap = |&place: &usize| if place == from { gap } else { place };
                let next = [from].into_iter().chain(places[1..].iter().map(swap)).collect();
                ((side, from), next)
            };
            self.grid
                .around(gap)
                .into_iter()
                .filter(open)
                .map(slide)
                .collect::<Vec<_>>()
        };
        let (way, _) = shortest(start.clone(), usize::MAX, goal, moves)?;
        let mut gap = start[0];
        for (side, from) in way {
            let (tile, a, b) = (self.tiles[from], self.grid.name(from), self.grid.name(gap));
            draft.step(format!("slide t{tile} {a} {b} {}", side.opposite().word()));
            self.tiles.swap(from, gap);
            gap = from;
        }
        Some(())
    }
}

fn is_odd(permutation: &[usize]) -> bool {
    let mut seen = vec![false; permutation.len()];
    let mut odd = false;
    for start in 0..permutation.len() {
        let mut at = start;
        while !std::mem::replace(&mut seen[at], true) {
            at = permutation[at];
            odd ^= at != start;
        }
    }
    odd
}
