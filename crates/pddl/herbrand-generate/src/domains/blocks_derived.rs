//! Blocks with axioms: the goal states which blocks are above others in an arrangement without heavy blocks above glass.

use crate::vocabulary::{Dice, Draft, Towers};

/// Draws a problem with `size` blocks. `None` if the initial state is a goal state.
pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let kinds: Vec<usize> = (0..size).map(|_| dice.weighted(&[6, 3, 2])).collect();
    let (heavy, glass) = (|block: usize| kinds[block] == 1, |block: usize| kinds[block] == 2);
    let sound = |tower: &[usize], block| !(heavy(block) && tower.iter().any(|&lower| glass(lower)));
    let (from, to) = (
        Towers::random(size, dice, sound),
        Towers::random(size, dice, sound),
    );
    let names = Towers::names(size);
    let wanted = dice.sample(&relations(&to), size.div_ceil(2) + 1);
    if wanted
        .iter()
        .all(|&(upper, lower, holds)| is_above(&from, upper, lower) == holds)
    {
        return None;
    }
    let mut draft = Draft::default();
    let count = |kind| kinds.iter().filter(|&&k| k == kind).count();
    draft.note(format!(
        "{size} blocks, {} heavy and {} of glass.",
        count(1),
        count(2)
    ));
    draft.objects("block", &names);
    draft.facts(
        (0..size)
            .filter(|&b| heavy(b))
            .map(|b| format!("heavy {}", names[b])),
    );
    draft.facts(
        (0..size)
            .filter(|&b| glass(b))
            .map(|b| format!("glass {}", names[b])),
    );
    draft.rows(from.facts(&names, false));
    for (upper, lower, holds) in wanted {
        let above = format!("above {} {}", names[upper], names[lower]);
        draft.goal(if holds { above } else { format!("not ({above})") });
    }
    for by in from.rebuild(&to) {
        draft.step(by.operator(&names));
    }
    Some(draft)
}

fn is_above(towers: &Towers, upper: usize, lower: usize) -> bool {
    let place = |tower: &Vec<usize>, block| tower.iter().position(|&other| other == block);
    let both = |tower| Some((place(tower, upper)?, place(tower, lower)?));
    towers.0.iter().filter_map(both).any(|(high, low)| high > low)
}

/// Returns pairs of blocks with whether the first is above the second: all pairs for which it is, and for each block at most
/// one pair for which it is not.
fn relations(towers: &Towers) -> Vec<(usize, usize, bool)> {
    let mut relations = Vec::new();
    for tower in &towers.0 {
        for (height, &upper) in tower.iter().enumerate() {
            relations.extend(tower[..height].iter().map(|&lower| (upper, lower, true)));
            relations.extend(tower[height + 1..].first().map(|&higher| (upper, higher, false)));
        }
    }
    relations
}
