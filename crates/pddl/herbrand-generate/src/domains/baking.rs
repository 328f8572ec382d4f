//! Baking: bake dishes of two kinds, with fewer pans than dishes and just enough soap.

use crate::vocabulary::{Dice, Draft, numbered};

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let cakes = dice.between(0, size);
    let souffles = size - cakes;
    let pans = dice.between(1, size.div_ceil(2));
    let ovens = dice.between(1, pans);
    let spare = dice.between(0, 1 + size / 4);
    let soap = size - pans + dice.between(0, 1);
    let mut draft = Draft::default();
    draft.note(format!(
        "Cakes: {cakes}; soufflés: {souffles}; pans: {pans}; ovens: {ovens}; bars of soap: {soap}."
    ));
    draft.objects("egg", numbered("egg", size + spare));
    for (kind, count) in [
        ("flour", cakes),
        ("butter", souffles),
        ("pan", pans),
        ("oven", ovens),
        ("soap", soap),
        ("cake", cakes),
        ("souffle", souffles),
    ] {
        draft.objects(kind, numbered(kind, count));
    }
    draft.facts(numbered("on-counter pan", pans));
    (1..=cakes).for_each(|cake| draft.goal(format!("baked cake-{cake}")));
    (1..=souffles).for_each(|souffle| draft.goal(format!("baked souffle-{souffle}")));
    for (turn, dish) in dice.permutation(size).into_iter().enumerate() {
        let (pan, oven) = (turn % pans + 1, turn % ovens + 1);
        if turn >= pans {
            draft.step(format!("wash pan-{pan} soap-{}", turn - pans + 1));
        }
        bake(&mut draft, turn + 1, dish, cakes, (pan, oven));
    }
    Some(draft)
}

/// Bakes a dish. Dishes with numbers below `cakes` are cakes, the others are soufflés.
fn bake(draft: &mut Draft, egg: usize, dish: usize, cakes: usize, (pan, oven): (usize, usize)) {
    let (base, mixture, kind, number) = if dish < cakes {
        ("flour", "batter", "cake", dish + 1)
    } else {
        ("butter", "custard", "souffle", dish - cakes + 1)
    };
    draft.step(format!("add-egg egg-{egg} pan-{pan}"));
    draft.step(format!("add-{base} {base}-{number} pan-{pan}"));
    draft.step(format!("mix-{mixture} egg-{egg} {base}-{number} pan-{pan}"));
    draft.step(format!("put-in-oven pan-{pan} oven-{oven}"));
    draft.step(format!("bake-{kind} {kind}-{number} pan-{pan} oven-{oven}"));
    draft.step(format!("take-out pan-{pan} oven-{oven}"));
}
