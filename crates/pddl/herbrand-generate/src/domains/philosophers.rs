//! Philosophers: feed everyone, or reach a deadlock of some philosophers after the others have eaten.

use crate::vocabulary::{Dice, Draft, numbered};

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let table = table(size, dice);
    let hungry: Vec<bool> = (0..size).map(|_| dice.chance(1, 4)).collect();
    let mut draft = Draft::default();
    draft.note(format!("Philosophers: {size}; forks: {size}."));
    draft.objects("philosopher", (1..=size).map(|p| format!("p{p}")));
    draft.objects("fork", numbered("fork", size));
    for (p, (first, second)) in (1..).zip(&table.forks) {
        draft.facts([
            format!("first p{p} fork-{}", first + 1),
            format!("second p{p} fork-{}", second + 1),
            format!("{} p{p}", if hungry[p - 1] { "hungry" } else { "thinking" }),
        ]);
    }
    draft.facts(numbered("free fork", size));
    let mut thinking: Vec<bool> = hungry.iter().map(|hungry| !hungry).collect();
    let fed = if table.circle.is_empty() {
        draft.goal("forall (?philosopher - philosopher)\n      (fed ?philosopher)");
        dice.permutation(size)
    } else {
        let mut guests = dice.permutation(size);
        guests.truncate(size / 3);
        draft.goal("deadlock");
        guests.iter().for_each(|p| draft.goal(format!("fed p{}", p + 1)));
        guests
    };
    for p in fed {
        take(
            &mut draft,
            p,
            &mut thinking,
            &[table.forks[p].0, table.forks[p].1],
        );
        let (one, other) = (table.forks[p].0 + 1, table.forks[p].1 + 1);
        draft.step(format!("eat p{} fork-{one} fork-{other}", p + 1));
        thinking[p] = true;
    }
    for &p in &table.circle {
        take(&mut draft, p, &mut thinking, &[table.forks[p].0]);
    }
    Some(draft)
}

/// Lets a philosopher get hungry, if necessary, and take forks.
fn take(draft: &mut Draft, p: usize, thinking: &mut [bool], forks: &[usize]) {
    if thinking[p] {
        draft.step(format!("get-hungry p{}", p + 1));
        thinking[p] = false;
    }
    forks
        .iter()
        .for_each(|fork| draft.step(format!("take p{} fork-{}", p + 1, fork + 1)));
}

struct Table {
    /// The first and the second fork of each philosopher.
    forks: Vec<(usize, usize)>,
    /// Philosophers who can block each other: the second fork of each one is the first fork of the next.
    circle: Vec<usize>,
}

/// Draws a round table or one with random forks. If the goal is a deadlock, the table has a circle.
fn table(size: usize, dice: &mut Dice) -> Table {
    let around = |p: usize| (p, (p + 1) % size);
    let anyhow = |dice: &mut Dice| {
        let first = dice.below(size);
        (first, dice.other(size, first))
    };
    let is_round = dice.chance(1, 2);
    let mut forks: Vec<_> = (0..size)
        .map(|p| if is_round { around(p) } else { anyhow(dice) })
        .collect();
    if dice.chance(1, 2) {
        return Table {
            forks,
            circle: Vec::new(),
        };
    }
    let mut circle: Vec<usize> = (0..size).collect();
    if !is_round {
        let shared = dice.permutation(size);
        circle = dice.permutation(size);
        circle.truncate(dice.between(2, size));
        for (index, &p) in circle.iter().enumerate() {
            forks[p] = (shared[index], shared[(index + 1) % circle.len()]);
        }
    }
    Table { forks, circle }
}
