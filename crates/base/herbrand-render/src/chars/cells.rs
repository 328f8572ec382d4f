//! Draws grids with characters.

use super::{LegendEntry, TextLine, TextRun, positive};
use crate::colour::Colour;
use crate::declare::{Declaration, LabelStyle, Layer, Outside, PlaceFill, Size};
use crate::facts::Facts;
use crate::item::Item;
use crate::look::Looks;
use crate::problem::{DrawnProblem, DrawnValue, GoalFact, NamedFact};
use crate::scene::{Fill, Presence};
use crate::symbols::{Symbols, only_fills};
use crate::text::tail;
use crate::view::{Board, Cells, Content};

/// A grid with everything needed to draw it with characters.
pub(super) struct Grid<'p> {
    pub(super) board: &'p Board,
    pub(super) cells: &'p Cells,
    pub(super) declaration: &'p Declaration,
    pub(super) world: &'p DrawnProblem,
    pub(super) symbols: &'p Symbols,
}

/// The content of a cell.
type Cell = Vec<TextRun>;

/// Returns whether the goal needs a drawing of its own: it requires a fact that is drawn but that no layer marks in the
/// picture.
pub(super) fn shown_apart(declaration: &Declaration, goal: &[GoalFact]) -> bool {
    let apart = |wanted: &GoalFact| {
        let mut layers = declaration
            .layer
            .iter()
            .filter(|layer| *layer.fact.get_ref() == wanted.name)
            .peekable();
        layers.peek().is_some() && layers.all(|layer| layer.goal == Some(false))
    };
    goal.iter().filter(positive).any(apart)
}

impl Grid<'_> {
    /// Draws one line per row, followed by a line per item between cells.
    pub(super) fn draw(&self, facts: &Facts<'_>, goal: &[GoalFact]) -> Vec<TextLine> {
        let looks = Looks::new(self.declaration, facts, self.world);
        let content = self.board.content(self.declaration, facts, goal, &looks);
        let mut lines = self.rows(&content);
        for ((one, other), item) in &content.between {
            let name = |spot: usize| self.board.spots().spots[spot].names.join(" ");
            let mut runs = self.item(item);
            runs.push(TextRun::plain(format!("  {} – {}", name(*one), name(*other))));
            lines.push(TextLine { runs });
        }
        lines
    }

    /// Draws the positive goal facts as if they were a state.
    pub(super) fn of_goal(&self, goal: &[GoalFact]) -> Vec<TextLine> {
        let wanted = goal.iter().filter(positive).map(|wanted| NamedFact {
            name: wanted.name.clone(),
            arguments: wanted.arguments.clone(),
            value: DrawnValue::True,
        });
        let wanted: Vec<NamedFact> = wanted.collect();
        let facts = Facts::new(self.world.constants.iter().chain(&wanted));
        self.draw(&facts, &[])
    }

    fn rows(&self, content: &Content) -> Vec<TextLine> {
        let outside = match self.declaration.grid.as_ref().and_then(|grid| grid.outside) {
            Some(Outside::Nothing) => " ",
            Some(Outside::Wall) | None => "#",
        };
        let wall = vec![TextRun {
            text: outside.to_owned(),
            colour: Some(Colour::Grey),
        }];
        let mut rows = vec![vec![wall; self.cells.columns]; self.cells.rows];
        for (spot, &(column, row)) in self.cells.spots.iter().enumerate() {
            rows[row][column] = self.cell(content, spot);
        }
        let length = |cell: &Cell| cell.iter().map(|run| run.text.chars().count()).sum::<usize>();
        let width = rows.iter().flatten().map(length).max().unwrap_or(1);
        let headings = self
            .cells
            .headings
            .iter()
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(0);
        let line = |(row, cells): (usize, Vec<Cell>)| {
            let mut line = TextLine::default();
            if headings > 0 {
                let name = self.cells.headings.get(row).map_or("", String::as_str);
                line.runs.push(TextRun::plain(format!("{name:headings$}  ")));
            }
            for (at, cell) in cells.into_iter().enumerate() {
                let gap = usize::from(at > 0) + width - length(&cell);
                line.runs.push(TextRun::plain(" ".repeat(gap)));
                line.runs.extend(cell);
            }
            line
        };
        rows.into_iter().enumerate().map(line).collect()
    }

    /// Draws a cell: items that share it, then items beneath, then items in its corners, then goal items that are absent.
    fn cell(&self, content: &Content, spot: usize) -> Cell {
        let items = &content.items[spot];
        let mut cell = Cell::new();
        let of = |size: Size, presence: Presence| {
            let items = items.iter();
            items.filter(move |item| item.size == size && item.presence == presence)
        };
        for item in of(Size::Shared, Presence::Real) {
            append(&mut cell, self.item(item));
        }
        let alone = cell.is_empty();
        for item in of(Size::Full, Presence::Real).chain(of(Size::Corner, Presence::Real)) {
            append(&mut cell, self.item(item));
        }
        if cell.is_empty() {
            cell.extend(self.filled(content, spot));
        }
        if alone && !self.has_places() {
            let number = tail(&self.board.spots().spots[spot].names[0]);
            cell.insert(0, TextRun::plain(number));
        }
        for item in items.iter().filter(|item| item.presence == Presence::Wanted) {
            let mut wanted = self.item(item);
            wanted.insert(
                0,
                TextRun {
                    text: "*".to_owned(),
                    colour: Some(item.colour),
                },
            );
            cell.extend(wanted);
        }
        if content.wanted[spot] {
            cell.push(TextRun {
                text: "*".to_owned(),
                colour: Some(Colour::Green),
            });
        }
        cell.retain(|run| !run.text.is_empty());
        if cell.is_empty() {
            cell.push(TextRun::plain("."));
        }
        cell
    }

    /// Returns whether the names of cells follow from their row and column, so that the drawing can omit them.
    fn has_places(&self) -> bool {
        let grid = self.declaration.grid.as_ref();
        grid.is_some_and(|grid| grid.cells.is_some() || grid.columns.is_some())
    }

    /// Returns the filling of an otherwise empty place.
    fn filled(&self, content: &Content, spot: usize) -> Option<TextRun> {
        let (number, fill) = content.fills[spot]?;
        let (text, colour) = match fill {
            Fill::Heat(level) => (level.to_string(), Some(Colour::Red)),
            Fill::Plain(colour, _) => {
                let layer = self.declaration.layer.get(number)?;
                (self.symbols.layer(number, layer)?.to_string(), Some(colour))
            }
            Fill::None => return None,
        };
        Some(TextRun { text, colour })
    }

    /// Draws an item: its symbol, its label, its badges, and the items that it carries in parentheses.
    fn item(&self, item: &Item) -> Cell {
        let layer = &self.declaration.layer[item.layer];
        let symbol = match layer.shape {
            Some(sprite) => self.symbols.figure(sprite, layer.colour),
            None => None,
        };
        let symbol: String = symbol.into_iter().collect();
        let label = item.labels.iter().rfind(|label| !label.is_empty());
        let mut text = match label {
            Some(label) if label.starts_with(&symbol) => label.clone(),
            Some(label) => symbol + label,
            None => symbol,
        };
        for &(sprite, colour) in &item.badges {
            text.extend(self.symbols.figure(sprite, Some(colour)));
        }
        let colour = Some(item.colour);
        let mut cell = vec![TextRun { text, colour }];
        if !item.carried.is_empty() {
            cell.push(TextRun::plain("("));
            let mut inside = Cell::new();
            for carried in &item.carried {
                let mut runs = self.item(carried);
                if carried.presence == Presence::Wanted {
                    runs.insert(0, TextRun::plain("*"));
                }
                append(&mut inside, runs);
            }
            cell.extend(inside);
            cell.push(TextRun::plain(")"));
        }
        cell
    }

    /// Returns the legend of the symbols.
    pub(super) fn key(&self, goal: &[GoalFact]) -> Vec<LegendEntry> {
        let mut key: Vec<LegendEntry> = Vec::new();
        let layers = || self.declaration.layer.iter().enumerate();
        let told = layers().filter_map(|(number, layer)| Some((number, layer, layer.means.clone()?)));
        let untold = layers().map(|(number, layer)| (number, layer, layer.fact.get_ref().clone()));
        let is_told = |layer: &Layer| {
            let mut others = self.declaration.layer.iter();
            others.any(|other| other.means.is_some() && other.fact.get_ref() == layer.fact.get_ref())
        };
        let untold = untold.filter(|(_, layer, _)| !is_told(layer));
        for (number, layer, means) in told.chain(untold) {
            let told = layer.means.is_some();
            let Some(symbol) = self.symbol_in_key(number, layer, told) else {
                continue;
            };
            if key.iter().all(|known| known.symbol != symbol) {
                key.push(LegendEntry {
                    symbol,
                    colour: layer.colour,
                    means,
                });
            }
        }
        let has_walls = !self.board.spots().walls.is_empty();
        if has_walls && key.iter().all(|known| known.symbol != "#") {
            key.push(LegendEntry {
                symbol: "#".to_owned(),
                colour: Some(Colour::Grey),
                means: "wall".to_owned(),
            });
        }
        if self.marks(goal) {
            key.push(LegendEntry {
                symbol: "*".to_owned(),
                colour: None,
                means: "wanted by the goal".to_owned(),
            });
        }
        key
    }

    fn symbol_in_key(&self, number: usize, layer: &Layer, told: bool) -> Option<String> {
        if let Some(symbol) = self.symbols.layer(number, layer) {
            return Some(symbol.to_string());
        }
        let heat = only_fills(layer) && layer.fill == Some(PlaceFill::Heat);
        let word = match layer.label {
            _ if heat => "0 to 9",
            LabelStyle::Value | LabelStyle::Number => "number",
            LabelStyle::Name | LabelStyle::Short | LabelStyle::Last => "letters",
            LabelStyle::None => return None,
        };
        (heat || told).then(|| word.to_owned())
    }

    /// Returns whether the grid would mark any unsatisfied part of the goal.
    fn marks(&self, goal: &[GoalFact]) -> bool {
        let facts = Facts::new(&self.world.constants);
        let looks = Looks::new(self.declaration, &facts, self.world);
        let unsatisfied: Vec<GoalFact> = goal
            .iter()
            .map(|wanted| GoalFact {
                satisfied: false,
                ..wanted.clone()
            })
            .collect();
        let content = self.board.content(self.declaration, &facts, &unsatisfied, &looks);
        let mut items = content.items.iter().flatten();
        content.wanted.contains(&true) || items.any(|item| item.presence == Presence::Wanted)
    }
}

/// Appends an item to a cell, after a comma if letters or digits would join.
fn append(cell: &mut Cell, figure: Cell) {
    let last = cell.iter().rev().find_map(|run| run.text.chars().last());
    let first = figure.iter().find_map(|run| run.text.chars().next());
    let joins = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    if joins(last) && joins(first) {
        cell.push(TextRun::plain(","));
    }
    cell.extend(figure);
}
