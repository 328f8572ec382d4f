//! Fridge: replace the worn compressor of each fridge. There may be more new compressors than fridges.

use crate::vocabulary::{Dice, Draft, numbered};

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let screws = dice.between(1, 4);
    let spare = dice.between(0, 1 + size / 4);
    let running: Vec<bool> = (0..size).map(|_| dice.chance(3, 4)).collect();
    let any_new = dice.chance(1, 2);
    // The screws of a compressor. Worn compressors have the lowest indices.
    let screws_of = |index: usize| index * screws + 1..=(index + 1) * screws;
    let mut draft = Draft::default();
    draft.note(format!(
        "Fridges: {size}; screws on each compressor: {screws}; spare compressors: {spare}."
    ));
    draft.objects("fridge", numbered("fridge", size));
    draft.objects(
        "compressor",
        [numbered("worn", size), numbered("new", size + spare)].concat(),
    );
    draft.objects("screw", numbered("screw", (2 * size + spare) * screws));
    draft.facts(numbered("new new", size + spare));
    for fridge in 1..=size {
        let mut facts = vec![format!("attached worn-{fridge} fridge-{fridge}")];
        facts.extend(screws_of(fridge - 1).map(|screw| format!("tight screw-{screw}")));
        facts.extend(running[fridge - 1].then(|| format!("running fridge-{fridge}")));
        draft.facts(facts);
    }
    for compressor in 0..2 * size + spare {
        let name = match compressor.checked_sub(size) {
            None => format!("worn-{}", compressor + 1),
            Some(new) => format!("new-{}", new + 1),
        };
        draft.facts(screws_of(compressor).map(|screw| format!("fits screw-{screw} {name}")));
    }
    if any_new {
        draft.goal(ANY_NEW);
    }
    for fridge in 1..=size {
        if !any_new {
            draft.goal(format!("attached new-{fridge} fridge-{fridge}"));
            draft.goal(format!("running fridge-{fridge}"));
        }
        if running[fridge - 1] {
            draft.step(format!("switch-off fridge-{fridge}"));
        }
        screws_of(fridge - 1).for_each(|screw| draft.step(format!("loosen screw-{screw}")));
        draft.step(format!("detach worn-{fridge} fridge-{fridge}"));
        draft.step(format!("attach new-{fridge} fridge-{fridge}"));
        screws_of(size + fridge - 1).for_each(|screw| draft.step(format!("tighten screw-{screw}")));
        draft.step(format!("switch-on fridge-{fridge}"));
    }
    Some(draft)
}

const ANY_NEW: &str = "forall (?fridge - fridge)\n      (and\n        (running ?fridge)\n        \
                       (exists (?compressor - compressor)\n          (and\n            \
                       (attached ?compressor ?fridge)\n            (new ?compressor))))";
