//! Hanoi: move discs from a random position to another one.

use crate::vocabulary::{Dice, Draft};

/// Draws a problem with `size` discs. `None` if the initial position is the goal.
pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let count = if dice.chance(1, 4) { 4 } else { 3 };
    let position = |dice: &mut Dice| (0..size).map(|_| dice.below(count)).collect::<Vec<_>>();
    let (start, goal) = (position(dice), position(dice));
    if start == goal {
        return None;
    }
    let mut pegs = Pegs { of: start, count };
    let mut draft = Draft::default();
    draft.note(format!("{size} discs, {count} pegs. Disc 1 is the smallest."));
    draft.objects("disc", (1..=size).map(|disc| format!("disc-{disc}")));
    draft.objects("peg", (1..=count).map(|peg| format!("peg-{peg}")));
    for disc in 1..=size {
        let onto_pegs = (1..=count).map(|peg| format!("fits disc-{disc} peg-{peg}"));
        let onto_discs = (disc + 1..=size).map(|larger| format!("fits disc-{disc} disc-{larger}"));
        draft.facts(onto_pegs.chain(onto_discs));
    }
    for disc in 0..size {
        draft.fact(format!(
            "on disc-{} {}",
            disc + 1,
            pegs.under(disc, pegs.of[disc])
        ));
    }
    for peg in 0..count {
        draft.fact(format!("clear {}", pegs.top(peg)));
    }
    let target = Pegs { of: goal, count };
    for disc in 0..size {
        draft.goal(format!(
            "on disc-{} {}",
            disc + 1,
            target.under(disc, target.of[disc])
        ));
    }
    for disc in (0..size).rev() {
        pegs.bring(disc, target.of[disc], &mut draft);
    }
    Some(draft)
}

/// The peg of each disc, smallest disc first.
struct Pegs {
    of: Vec<usize>,
    count: usize,
}

impl Pegs {
    /// Returns the support of a disc on a peg: the next larger disc there, or the peg.
    fn under(&self, disc: usize, peg: usize) -> String {
        match (disc + 1..self.of.len()).find(|&larger| self.of[larger] == peg) {
            Some(larger) => format!("disc-{}", larger + 1),
            None => format!("peg-{}", peg + 1),
        }
    }

    fn top(&self, peg: usize) -> String {
        match (0..self.of.len()).find(|&disc| self.of[disc] == peg) {
            Some(disc) => format!("disc-{}", disc + 1),
            None => format!("peg-{}", peg + 1),
        }
    }

    /// Moves a disc to a peg, after moving all smaller discs to a third one.
    fn bring(&mut self, disc: usize, to: usize, draft: &mut Draft) {
        let from = self.of[disc];
        if from == to {
            return;
        }
        let spare = (0..self.count)
            .find(|&peg| peg != from && peg != to)
            .unwrap_or(from);
        (0..disc)
            .rev()
            .for_each(|smaller| self.bring(smaller, spare, draft));
        draft.step(format!(
            "move disc-{} {} {}",
            disc + 1,
            self.under(disc, from),
            self.under(disc, to)
        ));
        self.of[disc] = to;
    }
}
