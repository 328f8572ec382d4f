//! Schedule: each piece has requirements, which are met in an order in which no step undoes another.

use crate::vocabulary::{Dice, Draft, numbered};

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let mut draft = Draft::default();
    draft.objects("piece", numbered("piece", size));
    draft.objects("shape", ["cube", "wedge"]);
    draft.objects("width", ["narrow", "wide"]);
    draft.objects("color", ["red", "blue", "black"]);
    let mut count = 0;
    for piece in 1..=size {
        let rough = dice.chance(1, 2);
        let shape = *dice.pick(&["cube", "wedge"]);
        let surface = if rough { "rough" } else { "smooth" };
        draft.facts([
            format!("shaped piece-{piece} {shape}"),
            format!("finished piece-{piece} {surface}"),
        ]);
        let wishes = Wishes::draw(dice);
        count += wishes.goals(piece).len();
        wishes.goals(piece).into_iter().for_each(|goal| draft.goal(goal));
        wishes.grant(piece, rough, &mut draft);
    }
    draft.note(format!("Pieces: {size}; wishes: {count}."));
    Some(draft)
}

/// The requirements of a piece, at least one.
struct Wishes {
    shape: Option<&'static str>,
    width: Option<&'static str>,
    surface: Option<&'static str>,
    color: Option<&'static str>,
}

impl Wishes {
    fn draw(dice: &mut Dice) -> Self {
        let wish = |words: &[&'static str], dice: &mut Dice| dice.chance(2, 3).then(|| *dice.pick(words));
        let shape = wish(&["cylinder", "plate"], dice);
        let width = wish(&["narrow", "wide"], dice);
        let surface = wish(&["smooth", "polished"], dice);
        let color = wish(&["red", "blue", "black"], dice);
        let nothing = shape.is_none() && width.is_none();
        let color = color.or(nothing.then_some("black"));
        Self {
            shape,
            width,
            surface,
            color,
        }
    }

    fn goals(&self, piece: usize) -> Vec<String> {
        let goal = |word: &str, wish: Option<&str>| wish.map(|wish| format!("{word} piece-{piece} {wish}"));
        let goals = [
            goal("shaped", self.shape),
            goal("finished", self.surface),
            goal("hole", self.width),
            goal("painted", self.color),
        ];
        goals.into_iter().flatten().collect()
    }

    /// Writes the plan for shape, hole, surface and colour, with a shift for each. Hot metal needs another shift to cool.
    fn grant(&self, piece: usize, rough: bool, draft: &mut Draft) {
        let mut work = |action: String, shifts: usize| {
            draft.step(action);
            (0..shifts).for_each(|_| draft.step("next-shift"));
        };
        match self.shape {
            Some("plate") => work(format!("hammer piece-{piece}"), 2),
            Some(_) => work(format!("turn piece-{piece}"), 1),
            None => {}
        }
        if let Some(width) = self.width {
            work(format!("drill piece-{piece} {width}"), 1);
        }
        let rough = rough || self.shape.is_some();
        if rough && (self.surface.is_some() || self.color.is_some()) {
            work(format!("grind piece-{piece}"), 1);
        }
        if self.surface == Some("polished") {
            work(format!("polish piece-{piece}"), 1);
        }
        if let Some(color) = self.color {
            work(format!("paint piece-{piece} {color}"), 1);
        }
    }
}
