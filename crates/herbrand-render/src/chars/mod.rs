//! States as lines of characters, by the declaration that pictures are drawn by.
//!
//! Grids and towers are drawn; what else a picture has (tables, lists, graphs, fields) reads better as facts, and
//! [`Picture::draws_as_text`] says of which predicates they need not be listed.

mod cells;
mod symbols;
mod towers;

use std::fmt;

use crate::colour::Colour;
use crate::declare::{Declaration, Named};
use crate::facts::Facts;
use crate::look::Looks;
use crate::picture::Picture;
use crate::world::{Moment, Wanted};

use cells::{Grid, shown_apart};
pub(crate) use symbols::Symbols;

/// Characters of one colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The characters.
    pub text: String,
    /// Their colour; `None` for that of ordinary text.
    pub colour: Option<Colour>,
}

impl Run {
    fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            colour: None,
        }
    }
}

/// A line of characters. Its [`Display`](fmt::Display) is without colours, and without spaces at the end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// Its parts, from the left.
    pub runs: Vec<Run>,
}

impl Line {
    /// How many characters it has.
    #[must_use]
    pub fn width(&self) -> usize {
        self.runs.iter().map(|run| run.text.chars().count()).sum()
    }

    fn plain(text: impl Into<String>) -> Self {
        Self {
            runs: vec![Run::plain(text)],
        }
    }

    /// Adds spaces up to a width.
    fn pad(&mut self, width: usize) {
        let missing = width.saturating_sub(self.width());
        if missing > 0 {
            self.runs.push(Run::plain(" ".repeat(missing)));
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole: String = self.runs.iter().map(|run| run.text.as_str()).collect();
        formatter.write_str(whole.trim_end())
    }
}

/// What a symbol of a drawing means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meaning {
    /// The symbol, or a word for all numbers and letters.
    pub symbol: String,
    /// Its colour.
    pub colour: Option<Colour>,
    /// What it means.
    pub means: String,
}

/// A direction on a grid: rows go down, columns to the right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// To the row above.
    Up,
    /// To the row below.
    Down,
    /// To the column before.
    Left,
    /// To the column after.
    Right,
}

impl Picture {
    /// The state as lines of characters, the goal beside it where the declaration does not mark it in the picture. `None` where
    /// the declaration has neither a grid nor towers, or the problem has nothing to draw there.
    ///
    /// A cell of a grid shows the figures that are in it by their symbols, and what is written on them; `*` before a symbol
    /// says that the goal wants it there. An empty cell is `.`, or its number where cells are not called by their places.
    #[must_use]
    pub fn text(&self, moment: &Moment) -> Option<Vec<Line>> {
        let (_, world) = self.about();
        let facts = Facts::new(world.constants.iter().chain(&moment.facts));
        let (state, goal) = if let Some(grid) = self.text_grid() {
            let goal = shown_apart(self.declaration(), &moment.goal);
            (
                grid.draw(&facts, &moment.goal),
                goal.then(|| grid.of_goal(&moment.goal)),
            )
        } else {
            let stacks = self.declaration().stacks.as_ref()?;
            let looks = Looks::new(self.declaration(), &facts, world);
            (
                towers::draw(stacks, world, &facts, &looks, self.symbols()),
                towers::of_goal(stacks, world, &moment.goal, &looks, self.symbols()),
            )
        };
        Some(match goal {
            Some(goal) => beside(state, goal),
            None => state,
        })
    }

    /// What the symbols of [`text`](Self::text) mean; `moment` is any state of the problem.
    #[must_use]
    pub fn text_key(&self, moment: &Moment) -> Vec<Meaning> {
        self.text_grid()
            .map(|grid| grid.key(&moment.goal))
            .unwrap_or_default()
    }

    /// Whether [`text`](Self::text) draws a grid, in which there are directions.
    #[must_use]
    pub fn has_text_grid(&self) -> bool {
        self.text_grid().is_some()
    }

    /// The objects that are the cell beside the agent's, if `eye` in the declaration says where the agent is and there is one.
    #[must_use]
    pub fn beside(&self, moment: &Moment, direction: Direction) -> Option<&[String]> {
        let eye = self.declaration().eye.as_ref()?;
        let (_, world) = self.about();
        let facts = Facts::new(world.constants.iter().chain(&moment.facts));
        let board = self.board()?;
        let cells = board.spots().grid.as_ref()?;
        let mut places = facts
            .of(eye.fact.get_ref())
            .iter()
            .flat_map(|atom| board.locate(atom).spots);
        let (column, row) = *cells.spots.get(places.next()?)?;
        let next = match direction {
            Direction::Up => (column, row.checked_sub(1)?),
            Direction::Down => (column, row + 1),
            Direction::Left => (column.checked_sub(1)?, row),
            Direction::Right => (column + 1, row),
        };
        let spot = cells.spots.iter().position(|&place| place == next)?;
        Some(&board.spots().spots.get(spot)?.names)
    }

    /// Whether facts of a predicate are seen in [`text`](Self::text), or need not be because others say the same. Facts of other
    /// predicates are to be listed.
    #[must_use]
    pub fn draws_as_text(&self, predicate: &str) -> bool {
        let declaration = self.declaration();
        let is = |name: &Named| name.get_ref() == predicate;
        let has_grid = self.has_text_grid();
        let stacks = declaration.stacks.as_ref().filter(|_| !has_grid);
        if !has_grid && stacks.is_none() {
            return false;
        }
        let in_layer =
            |layer: &crate::declare::Layer| is(&layer.fact) || layer.when.iter().chain(&layer.unless).any(is);
        (has_grid && declaration.layer.iter().any(in_layer))
            || stacks.is_some_and(|stacks| is(&stacks.on) || is(&stacks.base))
            || declaration.badge.iter().any(|badge| is(&badge.fact))
            || declaration.hide.iter().any(is)
    }

    fn text_grid(&self) -> Option<Grid<'_>> {
        self.declaration().grid.as_ref()?;
        let board = self.board()?;
        let (_, world) = self.about();
        Some(Grid {
            board,
            cells: board.spots().grid.as_ref()?,
            declaration: self.declaration(),
            world,
            symbols: self.symbols(),
        })
    }
}

/// Two drawings side by side, on the same ground so that short towers are not in the air.
fn beside(state: Vec<Line>, goal: Vec<Line>) -> Vec<Line> {
    const GAP: usize = 5;
    let width = state.iter().map(Line::width).max().unwrap_or(0);
    let height = state.len().max(goal.len());
    let on_ground = |lines: Vec<Line>| {
        let above = vec![Line::default(); height - lines.len()];
        above.into_iter().chain(lines)
    };
    let mut heading = Line::default();
    heading.pad(width + GAP);
    heading.runs.push(Run::plain("goal"));
    let rows = on_ground(state).zip(on_ground(goal)).map(|(mut line, goal)| {
        line.pad(width + GAP);
        line.runs.extend(goal.runs);
        line
    });
    std::iter::once(heading).chain(rows).collect()
}

/// Whether the goal asks for a fact that the state lacks or has, as opposed to the absence of one.
fn positive(wanted: &&Wanted) -> bool {
    !wanted.negative
}

impl Declaration {
    /// The symbols of its figures.
    pub(crate) fn symbols(&self) -> Symbols {
        Symbols::new(self)
    }
}
