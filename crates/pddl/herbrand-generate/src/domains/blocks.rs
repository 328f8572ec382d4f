//! Blocks: rebuild random towers into other random towers.

use crate::vocabulary::{Dice, Draft, Towers};

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let (from, to) = (
        Towers::random(size, dice, |_, _| true),
        Towers::random(size, dice, |_, _| true),
    );
    let names = Towers::names(size);
    let mut draft = start(&from, &to, &names);
    to.facts(&names, false)
        .concat()
        .into_iter()
        .for_each(|atom| draft.goal(atom));
    let moves = from.rebuild(&to);
    moves.iter().for_each(|by| draft.step(by.operator(&names)));
    (!moves.is_empty()).then_some(draft)
}

/// Returns a draft with the initial state, in which the hand is empty.
pub(super) fn start(from: &Towers, to: &Towers, names: &[String]) -> Draft {
    let mut draft = Draft::default();
    let (size, before, after) = (names.len(), from.0.len(), to.0.len());
    draft.note(format!("{size} blocks: {before} towers become {after}."));
    draft.objects("block", names);
    draft.fact("hand-empty");
    draft.rows(from.facts(names, true));
    draft
}
