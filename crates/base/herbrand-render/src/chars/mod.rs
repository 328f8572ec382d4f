//! Draws states as lines of characters for terminals, from the same declaration as pictures.
//!
//! Only grids and towers are drawn. Tables, lists, graphs and fields are easier to read as facts;
//! [`Picture::draws_as_text`] returns whether the facts of a predicate need not be listed.

mod cells;
mod towers;

use std::fmt;

use crate::colour::Colour;
use crate::declare::Named;
use crate::facts::Facts;
use crate::look::Looks;
use crate::picture::Picture;
use crate::problem::{GoalFact, Moment};

use cells::{Grid, shown_apart};

/// A run of characters of one colour within a [`TextLine`]. The characters of a line are those of its runs in order.
/// [`TextLine::runs`] lists them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextRun {
    /// The characters.
    pub text: String,
    /// The colour; `None` for the default text colour.
    pub colour: Option<Colour>,
}

impl TextRun {
    fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            colour: None,
        }
    }
}

/// A line of characters of a text drawing. Its [`Display`](fmt::Display) omits colours and trailing spaces.
/// [`Picture::text`] returns one per row of characters, from the top.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TextLine {
    /// The runs from left to right.
    pub runs: Vec<TextRun>,
}

impl TextLine {
    /// Returns the number of characters in the line. Trailing spaces count. It is 0 for an empty line.
    #[must_use]
    pub fn width(&self) -> usize {
        self.runs.iter().map(|run| run.text.chars().count()).sum()
    }

    fn plain(text: impl Into<String>) -> Self {
        Self {
            runs: vec![TextRun::plain(text)],
        }
    }

    /// Pads the line with spaces to a width.
    fn pad(&mut self, width: usize) {
        let missing = width.saturating_sub(self.width());
        if missing > 0 {
            self.runs.push(TextRun::plain(" ".repeat(missing)));
        }
    }
}

impl fmt::Display for TextLine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole: String = self.runs.iter().map(|run| run.text.as_str()).collect();
        formatter.write_str(whole.trim_end())
    }
}

/// An entry of the legend of a text drawing: a symbol with its meaning ([`Picture::text_key`]). A symbol means its
/// layer's `means`, or else its fact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LegendEntry {
    /// The symbol, or a word for several symbols, such as `number` or `letters`.
    pub symbol: String,
    /// The colour of the symbol; `None` for the default text colour.
    pub colour: Option<Colour>,
    /// The meaning of the symbol, in words.
    pub means: String,
}

/// A direction on a grid, as seen in the picture. Row indexes grow downwards, column indexes to the right.
/// [`Picture::beside`] finds the neighbouring cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// To the row above.
    Up,
    /// To the row below.
    Down,
    /// To the column on the left.
    Left,
    /// To the column on the right.
    Right,
}

impl Picture {
    /// Draws the state in `moment` as lines of characters, from the top: the grid if there is one, or else the towers.
    /// `None` if the declaration has no towers, and no grid or a grid without cells in this problem. The goal is drawn
    /// on the right if it stacks blocks, or requires facts that the layers of a grid do not mark (`goal = false`).
    ///
    /// A cell of a grid shows the symbols of its items with their labels. `*` before a symbol marks an item that the
    /// goal requires there. An empty cell is `.`, or the number at the end of its name if the names of cells do not
    /// follow from row and column. A position without a cell is `#`, or a space with
    /// [`Outside::Nothing`](crate::declare::Outside). After the rows of a grid, each item between two cells has a line
    /// of its own.
    #[must_use]
    pub fn text(&self, moment: &Moment) -> Option<Vec<TextLine>> {
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

    /// Returns the legend of [`text`](Self::text); empty if it does not draw a grid. `moment` may be any state of the
    /// problem. Only its goal matters: `*` is explained if the goal can be marked.
    #[must_use]
    pub fn text_key(&self, moment: &Moment) -> Vec<LegendEntry> {
        self.text_grid()
            .map(|grid| grid.key(&moment.goal))
            .unwrap_or_default()
    }

    /// Returns whether [`text`](Self::text) draws a grid, in which [`Direction`]s have a meaning. If it does not,
    /// [`text`](Self::text) draws towers or returns `None`.
    #[must_use]
    pub fn has_text_grid(&self) -> bool {
        self.text_grid().is_some()
    }

    /// Returns the names of the objects of the cell next to the agent's cell in a direction: one name, or two (the
    /// column and the row) if a cell is a pair of objects. `None` if the declaration has no `eye`, if the agent is not
    /// in the grid in this state, or if there is no such cell. Of several places of the agent, the first counts.
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

    /// Returns whether [`text`](Self::text) shows the facts of a predicate, or the declaration hides them as redundant.
    /// Callers should list the facts of all other predicates next to the drawing. Without a text drawing, because the
    /// declaration has neither a grid nor towers, the answer is `false` for every predicate, also for hidden ones. It
    /// is `false` for unknown predicates too.
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

/// Puts two drawings side by side, aligned at the bottom so that short towers do not float.
fn beside(state: Vec<TextLine>, goal: Vec<TextLine>) -> Vec<TextLine> {
    const GAP: usize = 5;
    let width = state.iter().map(TextLine::width).max().unwrap_or(0);
    let height = state.len().max(goal.len());
    let on_ground = |lines: Vec<TextLine>| {
        let above = vec![TextLine::default(); height - lines.len()];
        above.into_iter().chain(lines)
    };
    let mut heading = TextLine::default();
    heading.pad(width + GAP);
    heading.runs.push(TextRun::plain("goal"));
    let rows = on_ground(state).zip(on_ground(goal)).map(|(mut line, goal)| {
        line.pad(width + GAP);
        line.runs.extend(goal.runs);
        line
    });
    std::iter::once(heading).chain(rows).collect()
}

/// Returns whether the goal requires the fact to be true.
fn positive(wanted: &&GoalFact) -> bool {
    !wanted.negative
}
