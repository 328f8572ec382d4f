//! Ferry: take every car to another harbour.

use crate::vocabulary::{Dice, Draft, Graph, Traveller, numbered};

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let count = 2 + size / 2;
    let harbours = numbered("harbour", count);
    let (routes, which) = if dice.chance(1, 2) {
        (Graph::complete(count), "every route is direct")
    } else {
        (
            Graph::connected(count, count / 3, dice),
            "not every route is direct",
        )
    };
    let start = dice.below(count);
    let mut draft = Draft::default();
    draft.note(format!("Harbours: {count}; cars: {size}; {which}."));
    draft.objects("harbour", &harbours);
    draft.objects("car", numbered("car", size));
    draft.fact(format!("ferry-at {}", harbours[start]));
    draft.fact("empty");
    draft.rows(routes.facts("route", &harbours));
    let mut boat = Traveller::new("sail", &routes, &harbours, start);
    for car in 1..=size {
        let from = dice.below(count);
        let to = dice.other(count, from);
        draft.fact(format!("at car-{car} {}", harbours[from]));
        draft.goal(format!("at car-{car} {}", harbours[to]));
        boat.go(from, &mut draft);
        draft.step(format!("board car-{car} {}", harbours[from]));
        boat.go(to, &mut draft);
        draft.step(format!("debark car-{car} {}", harbours[to]));
    }
    Some(draft)
}
