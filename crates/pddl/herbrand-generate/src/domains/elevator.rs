//! Elevator: take passengers from random floors to other floors.

use crate::vocabulary::{Dice, Draft};

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let floors = 2 + size / 2;
    let trips: Vec<(usize, usize)> = (0..size)
        .map(|_| {
            let origin = dice.below(floors);
            (origin, dice.other(floors, origin))
        })
        .collect();
    let start = dice.below(floors);
    let mut draft = Draft::default();
    draft.note(format!("Floors: {floors}; passengers: {size}."));
    building(&mut draft, floors, start);
    draft.objects("passenger", (1..=size).map(|p| format!("p{p}")));
    for (passenger, (origin, destination)) in (1..).zip(&trips) {
        draft.facts([
            format!("waiting p{passenger}"),
            format!("origin p{passenger} floor-{origin}"),
            format!("destination p{passenger} floor-{destination}"),
        ]);
        draft.goal(format!("served p{passenger}"));
    }
    let mut at = start;
    for passenger in dice.permutation(size) {
        let (origin, destination) = trips[passenger];
        go(&mut draft, &mut at, origin);
        draft.step(format!("board p{} floor-{at}", passenger + 1));
        go(&mut draft, &mut at, destination);
        draft.step(format!("depart p{} floor-{at}", passenger + 1));
    }
    Some(draft)
}

/// Writes the floors and the initial position of the lift.
pub(super) fn building(draft: &mut Draft, floors: usize, start: usize) {
    draft.objects("floor", (0..floors).map(|floor| format!("floor-{floor}")));
    draft.fact(format!("lift-at floor-{start}"));
    for higher in 1..floors {
        draft.facts((0..higher).map(|lower| format!("above floor-{higher} floor-{lower}")));
    }
}

/// Moves the lift to a floor, unless it is already there.
pub(super) fn go(draft: &mut Draft, at: &mut usize, to: usize) {
    match to.cmp(at) {
        std::cmp::Ordering::Greater => draft.step(format!("up floor-{at} floor-{to}")),
        std::cmp::Ordering::Less => draft.step(format!("down floor-{at} floor-{to}")),
        std::cmp::Ordering::Equal => {}
    }
    *at = to;
}
