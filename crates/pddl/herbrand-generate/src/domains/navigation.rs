//! Navigation: cross a grid in which the risk grows from west to east, except in two safe rows.

use crate::vocabulary::{Dice, Direction, Draft, Grid};

const HAZARDS: [&str; 5] = ["slight", "low", "medium", "high", "extreme"];

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let rows = dice.between(3.max(size / 2), size + 1);
    let grid = Grid::new(rows, size);
    let hazard = |cell: usize, dice: &mut Dice| {
        let (row, column) = (cell / size, cell % size);
        if row == 0 || row + 1 == rows {
            return "none";
        }
        let level = column * HAZARDS.len() / size + dice.below(3);
        HAZARDS[level.saturating_sub(1).min(HAZARDS.len() - 1)]
    };
    let hazards: Vec<_> = grid.cells().into_iter().map(|cell| hazard(cell, dice)).collect();
    let start = rows * size - 1 - dice.below(size.div_ceil(2));
    let goal = size - 1 - dice.below(size.div_ceil(2));
    let mut draft = Draft::default();
    draft.note(format!(
        "{rows} rows, {size} columns; the bottom and top rows are free of risk."
    ));
    draft.objects("cell", grid.cell_names());
    draft.fact(format!("robot-at {}", grid.name(start)));
    for row in 0..rows {
        let cells = row * size..(row + 1) * size;
        draft.facts(cells.map(|cell| format!("risk {} {}", grid.name(cell), hazards[cell])));
    }
    draft.rows(grid.facts("neighbor", Some(Direction::compass)));
    draft.goal(format!("robot-at {}", grid.name(goal)));

    let mut at = start;
    let mut walk = |direction: Direction, steps: usize| {
        for _ in 0..steps {
            if let Some(next) = grid.next(at, direction) {
                draft.step(format!(
                    "move {} {} {}",
                    grid.name(at),
                    grid.name(next),
                    direction.compass()
                ));
                at = next;
            }
        }
    };
    walk(Direction::Left, start % size);
    walk(Direction::Up, rows - 1);
    walk(Direction::Right, goal);
    Some(draft)
}
