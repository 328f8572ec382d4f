//! Spanner: a lane with at least as many spanners as there are nuts.

use crate::vocabulary::{Dice, Draft, numbered};

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let spots = dice.between(size.div_ceil(2), size + 1);
    let spanners = size + dice.between(0, size / 2);
    let mut places = vec!["shed".to_owned()];
    places.extend(numbered("spot", spots));
    places.push("gate".to_owned());
    let lies: Vec<usize> = (0..spanners).map(|_| dice.between(1, spots)).collect();
    let mut draft = Draft::default();
    draft.note(format!(
        "Spots on the lane: {spots}; spanners: {spanners}; nuts: {size}."
    ));
    draft.objects("place", &places);
    draft.objects("spanner", numbered("spanner", spanners));
    draft.objects("nut", numbered("nut", size));
    draft.fact("mechanic-at shed");
    places
        .windows(2)
        .for_each(|pair| draft.fact(format!("lane {} {}", pair[0], pair[1])));
    for (spanner, &spot) in (1..).zip(&lies) {
        draft.facts([
            format!("spanner-at spanner-{spanner} {}", places[spot]),
            format!("usable spanner-{spanner}"),
        ]);
    }
    for nut in 1..=size {
        draft.facts([format!("nut-at nut-{nut} gate"), format!("loose nut-{nut}")]);
        draft.goal(format!("tight nut-{nut}"));
    }
    for (place, pair) in (1..).zip(places.windows(2)) {
        draft.step(format!("walk {} {}", pair[0], pair[1]));
        for spanner in (1..=spanners).filter(|spanner| lies[spanner - 1] == place) {
            draft.step(format!("pick-up spanner-{spanner} {}", places[place]));
        }
    }
    (1..=size).for_each(|nut| draft.step(format!("tighten nut-{nut} spanner-{nut} gate")));
    Some(draft)
}
