//! Rearrangement: move every toy to another cell. On some cells, any bear is accepted.

use crate::vocabulary::{Dice, Draft, Grid, Traveller};

const KINDS: [&str; 3] = ["pawn", "bear", "monkey"];

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let mut rows = 1;
    while rows * (rows + 1) < 2 * size + 1 {
        rows += 1;
    }
    let grid = Grid::new(rows, rows + 1);
    let floor = grid.graph();
    let names = grid.names();
    let name = |cell: usize| &names[cell];
    let any_bear = dice.chance(1, 2);
    let cells = dice.sample(&grid.cells(), 2 * size + 1);
    let (from, rest) = cells.split_at(size);
    let (to, start) = (&rest[..size], rest[size]);
    let toys: Vec<String> = (0..size)
        .map(|toy| format!("{}-{}", KINDS[toy % 3], toy / 3 + 1))
        .collect();
    let mut draft = Draft::default();
    draft.note(format!(
        "A nursery of {rows} by {} cells; toys: {size}.",
        rows + 1
    ));
    draft.objects("cell", &names);
    for (kind, word) in KINDS.into_iter().enumerate() {
        draft.objects(word, toys.iter().skip(kind).step_by(3));
    }
    draft.fact(format!("robot-at {}", name(start)));
    draft.fact("hand-free");
    draft.facts(
        toys.iter()
            .zip(from)
            .map(|(toy, &cell)| format!("at {toy} {}", name(cell))),
    );
    draft.rows(grid.facts("adjacent", None));
    let mut robot = Traveller::new("move-free", &floor, &names, start);
    for (toy, (&from, &to)) in toys.iter().zip(from.iter().zip(to)) {
        if any_bear && toy.starts_with("bear") {
            draft.goal(format!("exists (?bear - bear)\n        (at ?bear {})", name(to)));
        } else {
            draft.goal(format!("at {toy} {}", name(to)));
        }
        robot.go(from, &mut draft);
        draft.step(format!("pick {toy} {}", name(from)));
        let holding = format!("move-holding {toy}");
        Traveller::new(&holding, &floor, &names, from).go(to, &mut draft);
        draft.step(format!("place {toy}"));
        robot.appear(to);
    }
    draft.goal("hand-free");
    Some(draft)
}
