//! Sokoban, generated backwards: the stones start on the goal cells and are pulled away at random. The reversed pulls are
//! the pushes of the plan.

use crate::vocabulary::{Dice, Direction, Draft, Grid, shortest};

/// Draws a room of `size` × `size` cells. `None` if the walls leave too few cells, or too few stones were moved.
pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let grid = Grid::with_walls(size, size, (1, 8), dice);
    let count = size.div_ceil(4);
    let drawn = dice.sample(&grid.cells(), count + 1);
    if drawn.len() <= count || grid.cells().len() * 2 < size * size {
        return None;
    }
    let goals = drawn[..count].to_vec();
    let mut room = Room {
        grid,
        stones: goals.clone(),
        player: drawn[count],
    };
    let mut pulls = Vec::new();
    for _ in 0..8 * count {
        let (stone, side) = (dice.below(count), *dice.pick(&Direction::ALL));
        for _ in 0..dice.between(1, size / 2) {
            pulls.extend(room.pull(stone, side));
        }
    }
    let moved = room.stones.iter().filter(|stone| !goals.contains(stone)).count();
    if 2 * moved < count || pulls.len() < count * size / 2 {
        return None;
    }
    let mut draft = room.describe(&goals);
    for &(stone, side) in pulls.iter().rev() {
        room.push(stone, side.opposite(), &goals, &mut draft)?;
    }
    Some(draft)
}

struct Room {
    grid: Grid,
    stones: Vec<usize>,
    player: usize,
}

impl Room {
    fn is_clear(&self, cell: usize) -> bool {
        !self.stones.contains(&cell)
    }

    /// Returns the player's steps to a cell.
    fn walk(&self, to: usize) -> Option<Vec<(Direction, usize)>> {
        let moves = |&cell: &usize| {
            let sides = self.grid.around(cell).into_iter();
            let clear = sides.filter(|&(_, next)| self.is_clear(next));
            clear.map(|side| (side, side.1)).collect::<Vec<_>>()
        };
        shortest(self.player, usize::MAX, |&cell| cell == to, moves).map(|(way, _)| way)
    }

    /// Pulls a stone to one side, if the player can get there and has room to step back.
    fn pull(&mut self, stone: usize, side: Direction) -> Option<(usize, Direction)> {
        let to = self
            .grid
            .next(self.stones[stone], side)
            .filter(|&cell| self.is_clear(cell))?;
        let back = self.grid.next(to, side).filter(|&cell| self.is_clear(cell))?;
        self.walk(to)?;
        self.stones[stone] = to;
        self.player = back;
        Some((stone, side))
    }

    /// Walks behind a stone and pushes it.
    fn push(&mut self, stone: usize, side: Direction, goals: &[usize], draft: &mut Draft) -> Option<()> {
        let from = self.stones[stone];
        let behind = self.grid.next(from, side.opposite())?;
        let to = self.grid.next(from, side)?;
        let name = |cell: usize| self.grid.name(cell);
        let mut at = self.player;
        for (step, cell) in self.walk(behind)? {
            draft.step(format!("walk {} {} {}", name(at), name(cell), step.word()));
            at = cell;
        }
        let kind = if goals.contains(&to) { "goal" } else { "plain" };
        let cells = [behind, from, to].map(name).join(" ");
        draft.step(format!(
            "push-to-{kind} stone-{} {cells} {}",
            stone + 1,
            side.word()
        ));
        self.stones[stone] = to;
        self.player = from;
        Some(())
    }

    fn describe(&self, goals: &[usize]) -> Draft {
        let name = |cell: usize| self.grid.name(cell);
        let is_goal = |cell: &usize| goals.contains(cell);
        let sign = |cell: usize| match (self.is_clear(cell), is_goal(&cell)) {
            _ if cell == self.player => '@',
            (false, true) => '*',
            (false, false) => '$',
            (true, true) => '.',
            (true, false) => ' ',
        };
        let mut draft = Draft::default();
        draft.note(format!(
            "Stones: {}. (@ player, $ stone, . goal, * stone on a goal, # wall)",
            self.stones.len()
        ));
        let edge = "#".repeat(self.grid.columns + 2);
        draft.note(format!("  {edge}"));
        for line in self.grid.drawing(sign) {
            draft.note(format!("  #{line}#"));
        }
        draft.note(format!("  {edge}"));
        draft.objects("cell", self.grid.cell_names());
        draft.objects(
            "stone",
            (1..=self.stones.len()).map(|stone| format!("stone-{stone}")),
        );
        draft.fact(format!("player-at {}", name(self.player)));
        for (number, cell) in (1..).zip(&self.stones) {
            let stored = is_goal(cell).then(|| format!("stored stone-{number}"));
            let place = format!("stone-at stone-{number} {}", name(*cell));
            draft.facts([place].into_iter().chain(stored));
            draft.goal(format!("stored stone-{number}"));
        }
        let cells = self.grid.cells().into_iter();
        let clear = cells
            .clone()
            .filter(|&cell| self.is_clear(cell) && cell != self.player);
        draft.facts(clear.map(|cell| format!("clear {}", name(cell))));
        let (goal, plain): (Vec<usize>, Vec<usize>) = cells.partition(is_goal);
        draft.facts(goal.into_iter().map(|cell| format!("goal-cell {}", name(cell))));
        draft.facts(plain.into_iter().map(|cell| format!("plain-cell {}", name(cell))));
        draft.rows(self.grid.facts("neighbor", Some(Direction::word)));
        draft
    }
}
