//! Meet-pass: trains make random journeys on a line with sidings; the goal is their final position.

use crate::vocabulary::{Dice, Draft, Graph, numbered};

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let main = 2 * size + 3;
    let sidings = 1 + size / 2;
    let mut names = numbered("main", main);
    let mut track = Graph::new(main + sidings);
    (1..main).for_each(|segment| track.join(segment - 1, segment));
    for siding in 0..sidings {
        let west = dice.below(main - 2);
        track.join(west, main + siding);
        track.join(main + siding, west + 2);
        names.push(format!("siding-{}", siding + 1));
    }
    let start = dice.sample(&(0..main + sidings).collect::<Vec<_>>(), size);
    let mut trains = start.clone();
    let mut draft = Draft::default();
    draft.note(format!(
        "Trains: {size}; segments of the main line: {main}; sidings: {sidings}."
    ));
    for _ in 0..4 * size {
        let train = dice.below(size);
        let free = |segment: usize| !trains.contains(&segment);
        let (from, to) = (
            trains[train],
            *dice.pick(&track.area_through(trains[train], free)),
        );
        for (a, b) in track.route_through(from, to, free).unwrap_or_default() {
            draft.step(format!("move train-{} {} {}", train + 1, names[a], names[b]));
        }
        trains[train] = to;
    }
    draft.objects("train", numbered("train", size));
    draft.objects("segment", &names);
    draft.facts(
        start
            .iter()
            .zip(1..)
            .map(|(&segment, train)| format!("at train-{train} {}", names[segment])),
    );
    let clear = (0..names.len()).filter(|segment| !start.contains(segment));
    draft.facts(clear.map(|segment| format!("clear {}", names[segment])));
    draft.rows(track.facts("connected", &names));
    for (train, &segment) in (1..).zip(&trains) {
        draft.goal(format!("at train-{train} {}", names[segment]));
    }
    (start != trains).then_some(draft)
}
