//! Blocks: random towers become other random towers.

use crate::vocabulary::{Dice, Draft, Towers};

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let (from, to) = (
        Towers::random(size, dice, |_, _| true),
        Towers::random(size, dice, |_, _| true),
    );
    let names = Towers::names(size);
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
    to.facts(&names, false)
        .concat()
        .into_iter()
        .for_each(|atom| draft.goal(atom));
    let moves = from.rebuild(&to);
    moves.iter().for_each(|by| draft.step(by.operator(&names)));
    (!moves.is_empty()).then_some(draft)
}
