//! Snake: the apples appear where the snake gets to as it grows.

use crate::vocabulary::{Dice, Direction, Draft, Grid, shortest};

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let grid = Grid::with_walls(size, size, (1, 16), dice);
    let head = *dice.pick(&grid.cells());
    let tail = dice.sample(&grid.around(head), 1).first()?.1;
    let mut snake = Snake {
        grid: &grid,
        body: vec![head, tail],
    };
    let mut apples = Vec::new();
    let mut ways = Vec::new();
    for cell in dice.sample(&grid.cells(), 3 * size) {
        let way = if snake.body.contains(&cell) || apples.len() == size {
            None
        } else {
            snake.way(cell)
        };
        if let Some(way) = way {
            snake.go(&way);
            ways.push(way);
            apples.push(cell);
        }
    }
    let first = *apples.first()?;
    let sign = |cell: usize| match cell {
        _ if cell == head => 'O',
        _ if cell == tail => 'o',
        _ if cell == first => 'a',
        _ => '.',
    };
    let name = |cell: usize| grid.name(cell);
    let mut draft = Draft::default();
    draft.note(format!(
        "Apples: {}. (O head, o tail, a first apple, # stone)",
        apples.len()
    ));
    grid.drawing(sign)
        .iter()
        .for_each(|line| draft.note(format!("  {line}")));
    draft.objects("cell", grid.cell_names());
    draft.facts([
        format!("head-at {}", name(head)),
        format!("tail-at {}", name(tail)),
        format!("ahead {} {}", name(head), name(tail)),
        format!("apple-at {}", name(first)),
    ]);
    draft.facts(
        apples
            .windows(2)
            .map(|pair| format!("next-apple {} {}", name(pair[0]), name(pair[1]))),
    );
    draft.facts(apples.last().map(|&cell| format!("last-apple {}", name(cell))));
    let clear = grid
        .cells()
        .into_iter()
        .filter(|cell| ![head, tail].contains(cell));
    draft.facts(clear.map(|cell| format!("clear {}", name(cell))));
    grid.facts("neighbor", Some(Direction::word))
        .into_iter()
        .for_each(|row| draft.facts(row));
    draft.goal("all-eaten");
    let mut snake = Snake {
        grid: &grid,
        body: vec![head, tail],
    };
    for (index, way) in ways.iter().enumerate() {
        snake.write(way, apples.get(index + 1).copied(), &mut draft);
    }
    Some(draft)
}

/// A way of the head: each step's direction and cell.
type Way = Vec<(Direction, usize)>;

struct Snake<'g> {
    grid: &'g Grid,
    /// From the head to the tail.
    body: Vec<usize>,
}

impl Snake<'_> {
    /// A way for the head that nowhere needs the tail to move on.
    fn way(&self, to: usize) -> Option<Way> {
        let moves = |&cell: &usize| {
            let sides = self.grid.around(cell).into_iter();
            let clear = sides.filter(|(_, next)| !self.body.contains(next));
            clear.map(|side| (side, side.1)).collect::<Vec<_>>()
        };
        shortest(self.body[0], usize::MAX, |&cell| cell == to, moves).map(|(way, _)| way)
    }

    /// Crawls the way and grows by its last step.
    fn go(&mut self, way: &Way) {
        for (index, &(_, cell)) in way.iter().enumerate() {
            self.body.insert(0, cell);
            if index + 1 < way.len() {
                self.body.pop();
            }
        }
    }

    /// Crawls the way, step by step into the plan, and eats the apple at its end.
    fn write(&mut self, way: &Way, next: Option<usize>, draft: &mut Draft) {
        let name = |cell: usize| self.grid.name(cell);
        for (index, &(side, cell)) in way.iter().enumerate() {
            let (head, side) = (name(self.body[0]), side.word());
            if index + 1 < way.len() {
                let [.., new_tail, tail] = self.body[..] else {
                    return;
                };
                draft.step(format!(
                    "crawl {head} {} {} {} {side}",
                    name(cell),
                    name(tail),
                    name(new_tail)
                ));
                self.body.pop();
            } else if let Some(next) = next {
                draft.step(format!("eat {head} {} {} {side}", name(cell), name(next)));
            } else {
                draft.step(format!("eat-last {head} {} {side}", name(cell)));
            }
            self.body.insert(0, cell);
        }
    }
}
