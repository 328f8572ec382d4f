//! Draws towers with characters.
//!
//! ```text
//!                              b                      |     ===
//!   (on b a) (on-table a)      a  c                 =====  =====
//!                             ------               -------------
//!                                                   peg-1  peg-2
//! ```

use super::{TextLine, TextRun, positive};
use crate::colour::Colour;
use crate::declare::Stacks;
use crate::facts::Facts;
use crate::look::Looks;
use crate::problem::{DrawnProblem, DrawnValue, GoalFact, NamedFact};
use crate::symbols::Symbols;
use crate::text::tail;
use crate::view::{Tower, has_bases, largest_bar, towers};

/// The maximum number of a block that is drawn as a bar.
const WIDEST: usize = 20;

/// Draws the towers of a state from the top.
pub(super) fn draw(
    stacks: &Stacks,
    world: &DrawnProblem,
    facts: &Facts<'_>,
    looks: &Looks<'_>,
    symbols: &Symbols,
) -> Vec<TextLine> {
    let towers = towers(stacks, world, facts);
    let largest = largest_bar(stacks, world).filter(|&largest| largest <= WIDEST);
    let heights = towers.iter().map(|tower| tower.items.len());
    let height = match largest {
        // Pegs are as high as all discs together.
        Some(_) => heights.sum(),
        None => heights.max().unwrap_or(0),
    };
    let thing = |name: &str| match (largest, tail(name).parse::<usize>()) {
        (Some(_), Ok(size)) => TextRun {
            text: "=".repeat(2 * size + 1),
            colour: Some(Colour::SERIES[size % Colour::SERIES.len()]),
        },
        _ => named(name, looks, symbols),
    };
    let names = towers.iter().filter_map(|tower| tower.base).map(str::len);
    let things = towers.iter().flat_map(|tower| &tower.items);
    let width = things.map(|name| thing(name).text.chars().count());
    let width = width
        .chain(names)
        .chain(largest.map(|largest| 2 * largest + 1))
        .max()
        .unwrap_or(1);
    let line = |runs: Vec<TextRun>| centred(runs, width, largest.is_some());
    let empty = if largest.is_some() { "|" } else { "" };
    let level = |level: usize| {
        let runs = towers.iter().map(|tower| match tower.items.get(level) {
            Some(name) => thing(name),
            None => TextRun::plain(empty),
        });
        line(runs.collect())
    };
    let mut lines: Vec<_> = (0..height.max(1)).rev().map(level).collect();
    let ground = (width + 2) * towers.len();
    lines.push(TextLine::plain("-".repeat(ground.saturating_sub(2).max(1))));
    if has_bases(stacks, world) {
        let name = |tower: &Tower<'_>| TextRun::plain(tower.base.unwrap_or_default());
        lines.push(line(towers.iter().map(name).collect()));
    }
    lines
}

/// Draws the towers of the goal; `None` if the goal puts nothing on anything.
pub(super) fn of_goal(
    stacks: &Stacks,
    world: &DrawnProblem,
    goal: &[GoalFact],
    looks: &Looks<'_>,
    symbols: &Symbols,
) -> Option<Vec<TextLine>> {
    let wanted = goal.iter().filter(positive).map(|wanted| NamedFact {
        name: wanted.name.clone(),
        arguments: wanted.arguments.clone(),
        value: DrawnValue::True,
    });
    let atoms: Vec<NamedFact> = wanted.collect();
    let some = atoms.iter().any(|atom| atom.name == *stacks.on.get_ref());
    some.then(|| draw(stacks, world, &Facts::new(&atoms), looks, symbols))
}

/// Returns the name of a block with the marks of its badges.
fn named(name: &str, looks: &Looks<'_>, symbols: &Symbols) -> TextRun {
    let mut text = name.to_owned();
    let marks: String = looks.marks_of(name, symbols).collect();
    if !marks.is_empty() {
        text += ":";
        text += &marks;
    }
    TextRun {
        text,
        colour: looks.fill(name),
    }
}

/// Arranges runs in columns of equal width, two spaces apart.
fn centred(runs: Vec<TextRun>, width: usize, centred: bool) -> TextLine {
    let mut line = TextLine::default();
    for (at, run) in runs.into_iter().enumerate() {
        let missing = width.saturating_sub(run.text.chars().count());
        let before = if centred { missing / 2 } else { 0 };
        let gap = if at > 0 { 2 } else { 0 };
        line.runs.push(TextRun::plain(" ".repeat(gap + before)));
        line.runs.push(run);
        line.runs.push(TextRun::plain(" ".repeat(missing - before)));
    }
    line
}
