//! Snake: apples appear on cells that the growing snake can reach.

use crate::vocabulary::{Dice, Direction, Draft, Grid, shortest};

/// The path of the head: the direction and cell of each step.
type Way = Vec<(Direction, usize)>;

struct Field {
    grid: Grid,
    head: usize,
    tail: usize,
    apples: Vec<usize>,
    /// The path to each apple.
    ways: Vec<Way>,
}

/// Draws a field of `size` × `size` cells. `None` if the snake can reach too few apples.
pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let field = Field::draw(size, dice)?;
    let mut draft = Draft::default();
    field.describe(&mut draft);
    let mut snake = Snake::new(&field.grid, field.head, field.tail);
    for (index, way) in field.ways.iter().enumerate() {
        snake.write(way, field.apples.get(index + 1).copied(), &mut draft);
    }
    Some(draft)
}

impl Field {
    /// Draws a snake of two cells and up to `size` apples that it can reach in sequence. Returns `None` if it reaches fewer
    /// than half of that number.
    fn draw(size: usize, dice: &mut Dice) -> Option<Self> {
        let grid = Grid::with_walls(size, size, (1, 16), dice);
        let head = *dice.pick(&grid.cells());
        let tail = dice.sample(&grid.around(head), 1).first()?.1;
        let mut snake = Snake::new(&grid, head, tail);
        let (mut apples, mut ways) = (Vec::new(), Vec::new());
        for cell in dice.sample(&grid.cells(), 3 * size) {
            let may_grow = apples.len() < size && !snake.body.contains(&cell);
            if let Some(way) = may_grow.then(|| snake.way(cell)).flatten() {
                snake.go(&way);
                ways.push(way);
                apples.push(cell);
            }
        }
        (2 * apples.len() >= size).then_some(Self {
            grid,
            head,
            tail,
            apples,
            ways,
        })
    }

    fn sign(&self, cell: usize) -> char {
        match cell {
            _ if cell == self.head => 'O',
            _ if cell == self.tail => 'o',
            _ if cell == self.apples[0] => 'a',
            _ => '.',
        }
    }

    fn describe(&self, draft: &mut Draft) {
        let name = |cell: usize| self.grid.name(cell);
        draft.note(format!(
            "Apples: {}. (O head, o tail, a first apple, # stone)",
            self.apples.len()
        ));
        self.grid
            .drawing(|cell| self.sign(cell))
            .iter()
            .for_each(|line| draft.note(format!("  {line}")));
        draft.objects("cell", self.grid.cell_names());
        let (head, tail) = (name(self.head), name(self.tail));
        draft.facts([
            format!("head-at {head}"),
            format!("tail-at {tail}"),
            format!("ahead {head} {tail}"),
        ]);
        draft.fact(format!("apple-at {}", name(self.apples[0])));
        let next = |pair: &[usize]| format!("next-apple {} {}", name(pair[0]), name(pair[1]));
        draft.facts(self.apples.windows(2).map(next));
        draft.facts(
            self.apples
                .last()
                .map(|&cell| format!("last-apple {}", name(cell))),
        );
        let clear = self
            .grid
            .cells()
            .into_iter()
            .filter(|cell| ![self.head, self.tail].contains(cell));
        draft.facts(clear.map(|cell| format!("clear {}", name(cell))));
        draft.rows(self.grid.facts("neighbor", Some(Direction::word)));
        draft.goal("all-eaten");
    }
}

struct Snake<'g> {
    grid: &'g Grid,
    /// The cells of the snake from head to tail.
    body: Vec<usize>,
}

impl<'g> Snake<'g> {
    fn new(grid: &'g Grid, head: usize, tail: usize) -> Self {
        Self {
            grid,
            body: vec![head, tail],
        }
    }

    /// Returns a path of the head that does not use any cell of the current body.
    fn way(&self, to: usize) -> Option<Way> {
        let moves = |&cell: &usize| {
            let sides = self.grid.around(cell).into_iter();
            let clear = sides.filter(|(_, next)| !self.body.contains(next));
            clear.map(|side| (side, side.1)).collect::<Vec<_>>()
        };
        shortest(self.body[0], usize::MAX, |&cell| cell == to, moves).map(|(way, _)| way)
    }

    /// Moves along the path and grows at the last step.
    fn go(&mut self, way: &Way) {
        for (index, &(_, cell)) in way.iter().enumerate() {
            self.body.insert(0, cell);
            if index + 1 < way.len() {
                self.body.pop();
            }
        }
    }

    /// Writes the steps of the path to the plan, and eats the apple at its end.
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
