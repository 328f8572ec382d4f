//! Gripper: take every ball to another room.

use crate::vocabulary::{Dice, Draft, Graph, Traveller, named, numbered};

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let count = 2 + size / 6;
    let rooms = named(
        &["hall", "kitchen", "parlour", "cellar", "attic", "study"],
        "room",
        count,
    );
    let doors = Graph::connected(count, count / 3, dice);
    let mut grippers = vec!["left".to_owned(), "right".to_owned()];
    if dice.chance(1, 4) {
        grippers.push("third".to_owned());
    }
    let start = dice.below(count);
    let mut draft = Draft::default();
    draft.note(format!(
        "Balls: {size}; rooms: {count}; grippers: {}.",
        grippers.len()
    ));
    draft.objects("room", &rooms);
    draft.objects("ball", numbered("ball", size));
    draft.objects("gripper", &grippers);
    draft.rows(doors.facts("door", &rooms));
    draft.fact(format!("robot-in {}", rooms[start]));
    draft.facts(grippers.iter().map(|gripper| format!("free {gripper}")));
    let mut robot = Traveller::new("move", &doors, &rooms, start);
    for ball in 1..=size {
        let from = dice.below(count);
        let to = dice.other(count, from);
        draft.fact(format!("in ball-{ball} {}", rooms[from]));
        draft.goal(format!("in ball-{ball} {}", rooms[to]));
        robot.go(from, &mut draft);
        draft.step(format!("pick ball-{ball} {} left", rooms[from]));
        robot.go(to, &mut draft);
        draft.step(format!("drop ball-{ball} {} left", rooms[to]));
    }
    Some(draft)
}
