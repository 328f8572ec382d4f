//! Exploding blocks: like blocks, but the goal states only which block is on which, and the plan succeeds with some
//! probability.

use super::blocks::start;
use crate::vocabulary::{Dice, Draft, Towers};

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let (from, to) = (
        Towers::random(size, dice, |_, _| true),
        Towers::random(size, dice, |_, _| true),
    );
    let names = Towers::names(size);
    let wanted = to.pairs();
    let mut draft = start(&from, &to, &names);
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
