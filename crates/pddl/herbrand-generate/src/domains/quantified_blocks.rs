//! Quantified blocks: satisfy a rule about all blocks of a colour.

use crate::vocabulary::{Dice, Draft, Towers};

const COLORS: [&str; 3] = ["red", "green", "blue"];

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let colors = dice.between(2, if size < 4 { 2 } else { 3 });
    let color: Vec<usize> = (0..size).map(|_| dice.below(colors)).collect();
    let from = Towers::random(size, dice, |_, _| true);
    let (one, other) = (dice.below(colors), dice.below(colors));
    let (to, rules) = match dice.below(3) {
        0 => one_tower(&from, &color, dice)?,
        1 => each_on(&from, &color, one, other)?,
        _ => only_under(&from, &color, one, other, dice)?,
    };
    let names = Towers::names(size);
    let mut draft = Draft::default();
    draft.note(format!("{size} blocks in {colors} colours."));
    draft.objects("block", &names);
    for (index, name) in COLORS.iter().enumerate() {
        let blocks = (0..size).filter(|&block| color[block] == index);
        draft.facts(blocks.map(|block| format!("{name} {}", names[block])));
    }
    draft.rows(from.facts(&names, false));
    rules.into_iter().for_each(|rule| draft.goal(rule));
    draft.goal("not (exists (?block - block) (holding ?block))");
    for by in from.rebuild(&to) {
        draft.step(by.operator(&names));
    }
    Some(draft)
}

type Arrangement = Option<(Towers, Vec<String>)>;

const SINGLE: &str = "forall (?one ?other - block)\n        (imply\n          (and\n            (on-table ?one)\n            \
                      (on-table ?other))\n          (= ?one ?other))";

/// Draws a single tower that contains a given sequence of colours.
fn one_tower(from: &Towers, color: &[usize], dice: &mut Dice) -> Arrangement {
    let tower = dice.permutation(color.len());
    let mut rules = vec![SINGLE.to_owned()];
    if tower.len() > 3 {
        let low = dice.below(tower.len() - 2);
        let word = |height: usize| COLORS[color[tower[height]]];
        rules.push(format!(
            "exists (?top ?middle ?bottom - block)\n        (and\n          ({} ?top)\n          ({} ?middle)\n          \
             ({} ?bottom)\n          (on ?top ?middle)\n          (on ?middle ?bottom))",
            word(low + 2),
            word(low + 1),
            word(low)
        ));
    }
    (from.0.len() > 1).then_some((Towers(vec![tower]), rules))
}

/// Arranges the blocks so that every block of a colour is on a block of another colour.
fn each_on(from: &Towers, color: &[usize], upper: usize, lower: usize) -> Arrangement {
    let of = |wanted| (0..color.len()).filter(move |&block| color[block] == wanted);
    let supports = from.supports();
    let fits = |block: usize| supports[block].is_some_and(|below| color[below] == lower);
    if upper == lower || of(upper).count() > of(lower).count() || of(upper).all(fits) {
        return None;
    }
    let mut bases = of(upper);
    let pairs = of(lower).map(|base| [base].into_iter().chain(bases.next()).collect());
    let mut towers: Vec<Vec<usize>> = pairs.collect();
    let rest = (0..color.len()).filter(|&block| color[block] != lower && color[block] != upper);
    towers.extend(rest.map(|block| vec![block]));
    let rule = format!(
        "forall (?upper - block)\n        (imply\n          ({} ?upper)\n          (exists (?lower - block)\n            \
         (and\n              ({} ?lower)\n              (on ?upper ?lower))))",
        COLORS[upper], COLORS[lower]
    );
    Some((Towers(towers), vec![rule]))
}

/// Arranges the blocks in one tower in which only blocks of one colour are on blocks of another.
fn only_under(from: &Towers, color: &[usize], lower: usize, upper: usize, dice: &mut Dice) -> Arrangement {
    let order = dice.permutation(color.len());
    let of = |wanted| order.iter().copied().filter(move |&block| color[block] == wanted);
    let free = of(upper).count();
    if upper == lower || of(lower).count() > free + 1 || from.0.len() == 1 {
        return None;
    }
    let mut over = of(upper);
    let mut groups: Vec<Vec<usize>> = of(lower)
        .map(|block| [block].into_iter().chain(over.next()).collect())
        .collect();
    let (pairs, alone): (Vec<_>, Vec<_>) = groups.drain(..).partition(|group| group.len() == 2);
    let rest = order
        .iter()
        .filter(|&&block| color[block] != lower && color[block] != upper);
    let mut parts: Vec<Vec<usize>> = pairs;
    parts.extend(over.chain(rest.copied()).map(|block| vec![block]));
    dice.shuffle(&mut parts);
    parts.extend(alone);
    let rule = format!(
        "forall (?upper ?lower - block)\n        (imply\n          (and\n            ({} ?lower)\n            \
         (on ?upper ?lower))\n          ({} ?upper))",
        COLORS[lower], COLORS[upper]
    );
    Some((Towers(vec![parts.concat()]), vec![rule, SINGLE.to_owned()]))
}
