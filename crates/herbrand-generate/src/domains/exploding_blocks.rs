//! Exploding blocks: as in blocks, but the goal says only what stands on what, and the plan needs luck.

use crate::vocabulary::{Dice, Draft, Towers};

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let (from, to) = (
        Towers::random(size, dice, |_, _| true),
        Towers::random(size, dice, |_, _| true),
    );
    let names = Towers::names(size);
    let wanted = to.pairs();
    let mut draft = Draft::default();
    draft.note(format!(
        "{size} blocks: {} towers become {}.",
        from.0.len(),
        to.0.len()
    ));
    draft.objects("block", &names);
    draft.fact("hand-empty");
    from.facts(&names, true)
        .into_iter()
        .for_each(|tower| draft.facts(tower));
    draft.facts(names.iter().map(|name| format!("charged {name}")));
    for &(upper, lower) in &wanted {
        draft.goal(format!("on {} {}", names[upper], names[lower]));
    }
    for by in from.rebuild(&to) {
        draft.step(by.operator(&names));
    }
    let now = from.pairs();
    wanted.iter().any(|pair| !now.contains(pair)).then_some(draft)
}
