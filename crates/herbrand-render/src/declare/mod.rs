//! The table `[render]` of `env.toml`: how the states of a domain are drawn.

mod check;
mod code;
mod infer;

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

pub(crate) use check::EVERYWHERE;
pub use code::RenderCode;

use crate::colour::Colour;
use crate::sprite::Sprite;

/// A name of the domain, with its place in the file.
pub type Named = Spanned<String>;

/// How the states of a domain are drawn.
///
/// ```toml
/// [render]
/// grid = { cells = "r{row}c{column}" }
///
/// [[render.layer]]
/// fact = "goal-cell"
/// shape = "target"
///
/// [[render.layer]]
/// fact = "stone-at"
/// shape = "crate"
/// colour = "brown"
/// ```
///
/// At most one of `grid`, `graph` and `boxes` says where the *places* are; a [`Layer`] draws the facts about them. Facts
/// that may change and that nothing draws are written beside the picture, so that nothing is invisible.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Declaration {
    /// Places in rows and columns.
    pub grid: Option<Grid>,
    /// Places as nodes of a graph.
    pub graph: Option<Graph>,
    /// Places as boxes in a row or a column.
    pub boxes: Option<Boxes>,
    /// What is drawn in and at places, the lowest first.
    #[serde(default)]
    pub layer: Vec<Layer>,
    /// What connects places.
    #[serde(default)]
    pub edge: Vec<Edge>,
    /// Towers of things that are on each other.
    pub stacks: Option<Stacks>,
    /// How things look, wherever they are drawn.
    #[serde(default)]
    pub badge: Vec<Badge>,
    /// A field with coordinates.
    pub plane: Option<Plane>,
    /// What is drawn on the field.
    #[serde(default)]
    pub marker: Vec<Marker>,
    /// Tables of objects and what is known of them.
    #[serde(default)]
    pub table: Vec<Table>,
    /// Things that are somewhere else, such as in a hand.
    #[serde(default)]
    pub list: Vec<List>,
    /// Single numbers on a scale.
    #[serde(default)]
    pub gauge: Vec<Gauge>,
    /// Facts that need not be drawn, because others say the same.
    #[serde(default)]
    pub hide: Vec<Named>,
    /// How the goal is shown.
    #[serde(default)]
    pub goal: GoalStyle,
    /// What is around the agent, for pictures that show no more than that.
    pub eye: Option<Eye>,
    /// What an agent that does not see the state is told of it.
    #[serde(default)]
    pub seen: Vec<Report>,
}

/// The one table of an `env.toml` that is about pictures.
#[derive(Deserialize)]
struct Settings {
    render: Option<Declaration>,
}

impl Declaration {
    /// Reads the table `[render]` from the text of an `env.toml`; `None` if there is none. Other keys are ignored.
    ///
    /// The settings of each language call this function instead of deriving it: the code that reads a declaration is
    /// large, and is compiled once, in this crate.
    ///
    /// # Errors
    /// If the text is not TOML, or the table has an unknown key or a value of the wrong kind. The error has the place.
    pub fn from_settings(text: &str) -> Result<Option<Self>, toml::de::Error> {
        toml::from_str(text).map(|settings: Settings| settings.render)
    }

    /// Skips the value of the key `render`, for a structure whose declaration is read by
    /// [`from_settings`](Self::from_settings).
    ///
    /// # Errors
    /// If the value is malformed.
    pub fn skip<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Self>, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| None)
    }
}

/// What an agent is told of a fact: where agents see observed fluents alone, their picture draws the report in place of the fact.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The fact of the state.
    pub fact: Named,
    /// The observed fluent, of the same objects, that tells of it.
    pub by: Named,
}

/// What is around the agent in a grid.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Eye {
    /// The fact that says at which cell the agent is.
    pub fact: Named,
    /// How many cells are seen on each side of that cell.
    #[serde(default = "near")]
    pub radius: usize,
}

/// How many cells are seen on each side where nothing is said.
const fn near() -> usize {
    2
}

/// Places in rows and columns. One of the keys says which they are.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// How cells are called by their places, such as `r{row}c{column}`. Rows grow downwards.
    pub cells: Option<String>,
    /// The type of the cells, where they are numbered row by row. The width is read off `beside`.
    pub numbered: Option<Named>,
    /// A fact of two numbered cells that are neighbours.
    pub beside: Option<Named>,
    /// The type of columns, where a cell is a column and a row together.
    pub columns: Option<Named>,
    /// The type of rows, the lowest first.
    pub rows: Option<Named>,
    /// A fact of a cell and the row that it is in, where cells are not called by their places.
    pub row_of: Option<Named>,
    /// The length of a cell's side in pixels; a fitting one where it is left out.
    pub size: Option<f64>,
    /// How places without an object are filled.
    pub outside: Option<Outside>,
}

/// How a grid is filled where it has no cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outside {
    /// As a wall.
    #[default]
    Wall,
    /// Not at all.
    Nothing,
}

/// Places as nodes of a graph.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Graph {
    /// The types of the nodes.
    pub nodes: Vec<Named>,
    /// Where the nodes are.
    #[serde(default)]
    pub layout: Layout,
    /// The size of a node in pixels; a fitting one where it is left out.
    pub size: Option<f64>,
    /// How nodes look before layers are drawn.
    #[serde(default)]
    pub node: NodeShape,
}

/// Where the nodes of a graph are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// Connected nodes are near each other, others far.
    #[default]
    Force,
    /// On a circle, in the order of declaration.
    Circle,
    /// In layers along the edges, from the top down.
    Layers,
    /// In a row along the edges.
    Line,
}

/// How a node looks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NodeShape {
    /// A box with round corners.
    #[default]
    Box,
    /// A circle.
    Disc,
}

/// Places as boxes in a row or a column.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Boxes {
    /// The types of the places.
    pub of: Vec<Named>,
    /// In which direction they follow each other.
    #[serde(default)]
    pub flow: Flow,
    /// A fact of two places, of which the first comes later.
    pub after: Option<Named>,
    /// A fact of a place and the group that it is in. Groups are drawn as frames.
    pub group: Option<Named>,
    /// The width of a box in pixels; a fitting one where it is left out.
    pub width: Option<f64>,
    /// The height of a box in pixels; a fitting one where it is left out.
    pub height: Option<f64>,
}

/// In which direction boxes follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flow {
    /// To the right, in several rows if there are many.
    #[default]
    Right,
    /// Upwards.
    Up,
    /// Downwards.
    Down,
}

/// What is drawn for the facts of one predicate.
///
/// A fact with a place among its arguments is drawn there; the first of its other arguments is the *thing*. A fact of two
/// places is drawn between them. Without a place the thing is drawn at what it is `with`, or else in the last argument,
/// wherever that is drawn.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// The predicate or fluent; `true` for something at every place.
    pub fact: Named,
    /// Draw the places of which the fact does not hold.
    #[serde(default)]
    pub absent: bool,
    /// Facts of the thing, of the place or of nothing that must hold too.
    #[serde(default)]
    pub when: Vec<Named>,
    /// Facts of the thing, of the place or of nothing that must not hold.
    #[serde(default)]
    pub unless: Vec<Named>,
    /// The type of things that are drawn; all where it is left out.
    pub of: Option<Named>,
    /// The fact of the layer whose figure carries the thing.
    pub with: Option<Named>,
    /// The figure; none for facts that only fill their place or write on it.
    pub shape: Option<Sprite>,
    /// The colour of the figure.
    pub colour: Option<Colour>,
    /// By the names of other arguments: the colour.
    #[serde(default)]
    pub colours: BTreeMap<String, Colour>,
    /// The colour that the place is filled with; `heat` fills it by the fact's number, between 0 and `most`.
    pub fill: Option<PlaceFill>,
    /// The number of the warmest colour.
    pub most: Option<f64>,
    /// What is written at the figure.
    #[serde(default)]
    pub label: LabelStyle,
    /// How large the figure is.
    #[serde(default)]
    pub size: Size,
    /// Whether the goal is marked in the picture, where it asks for such facts.
    pub goal: Option<bool>,
    /// What it means, for the legend; nothing keeps it out of the legend.
    pub means: Option<String>,
}

/// What a place is filled with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlaceFill {
    /// A tint of the colour, or blue.
    Tint,
    /// The colour itself.
    Strong,
    /// By the number of the fact.
    Heat,
}

/// How large a figure is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Size {
    /// It shares the place with the others.
    #[default]
    Shared,
    /// It is as large as the place, beneath the others.
    Full,
    /// It is small, in a corner of the place.
    Corner,
}

/// What is written at a figure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LabelStyle {
    /// Nothing.
    #[default]
    None,
    /// The name of the thing, shortened where it does not fit.
    Name,
    /// Initials and number.
    Short,
    /// The number at the end of the name.
    Number,
    /// The value of the fact.
    Value,
    /// The name of the fact's last argument.
    Last,
}

/// What connects places.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edge {
    /// A predicate with two places or more among its arguments.
    pub fact: Named,
    /// Facts of another argument or of nothing that must hold too.
    #[serde(default)]
    pub when: Vec<Named>,
    /// Facts of another argument or of nothing that must not hold.
    #[serde(default)]
    pub unless: Vec<Named>,
    /// The colour.
    pub colour: Option<Colour>,
    /// How it is drawn.
    #[serde(default)]
    pub line: LineStyle,
    /// Whether it has a direction.
    #[serde(default)]
    pub arrow: bool,
    /// Whether it has a say in where nodes are.
    pub pull: Option<bool>,
    /// What it means, for the legend.
    pub means: Option<String>,
}

/// How an edge is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineStyle {
    /// Solid and thin.
    #[default]
    Thin,
    /// Solid and bold.
    Bold,
    /// Dashed.
    Dashed,
}

/// Towers of things that are on each other.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stacks {
    /// The predicate of a thing and what it is on.
    pub on: Named,
    /// What towers begin with: a predicate of things on the ground, or the type of what things are put on.
    pub base: Named,
    /// Whether things are bars, as wide as the numbers at the ends of their names say.
    #[serde(default)]
    pub bars: bool,
    /// A fact of a base and the place that it is at. Places are drawn as frames.
    pub group: Option<Named>,
}

/// How things look of which a fact holds.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Badge {
    /// A predicate whose first argument is the thing.
    pub fact: Named,
    /// Things of which the fact does not hold.
    #[serde(default)]
    pub absent: bool,
    /// The type of things that are marked; all where it is left out.
    pub of: Option<Named>,
    /// The colour of the thing.
    pub fill: Option<Colour>,
    /// A small figure at the thing's corner.
    pub shape: Option<Sprite>,
    /// The colour of the small figure.
    pub colour: Option<Colour>,
    /// What it means, for the legend.
    pub means: Option<String>,
}

/// A field with coordinates.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plane {
    /// The least and the largest coordinate to the right; as the markers need where it is left out.
    pub x: Option<[f64; 2]>,
    /// The least and the largest coordinate upwards; as the markers need where it is left out.
    pub y: Option<[f64; 2]>,
    /// The type of objects of which each has a field of its own.
    pub each: Option<Named>,
    /// The width in pixels.
    pub width: Option<f64>,
    /// The height in pixels; the scale of both axes is the same where it is left out.
    pub height: Option<f64>,
    /// How high the ground is: the sine of so many times the coordinate.
    pub wave: Option<f64>,
    /// How high the ground is: a straight line at this coordinate.
    pub ground: Option<f64>,
}

/// What is drawn on a field: at one point for each object of a type, or once.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Marker {
    /// The type of the objects; a single marker where it is left out.
    pub of: Option<Named>,
    /// Facts of the object that must hold.
    #[serde(default)]
    pub when: Vec<Named>,
    /// Facts of the object that must not hold.
    #[serde(default)]
    pub unless: Vec<Named>,
    /// The coordinate to the right.
    pub x: Coordinate,
    /// The coordinate upwards; on the ground where it is left out.
    pub y: Option<Coordinate>,
    /// The figure.
    pub shape: Option<Sprite>,
    /// The colour.
    pub colour: Option<Colour>,
    /// The width and height of the figure in pixels.
    pub size: Option<f64>,
    /// By how much the figure is turned to the right from where it points up, in radians.
    pub turn: Option<Coordinate>,
    /// By how much the figure is turned to the left from where it points right, in radians.
    pub heading: Option<Coordinate>,
    /// The radius of a circle, in units of the field.
    pub radius: Option<Coordinate>,
    /// An arrow: its length to the right and upwards, and how many pixels one unit is.
    pub arrow: Option<Arrow>,
    /// What is written below it.
    #[serde(default)]
    pub label: LabelStyle,
    /// What it means, for the legend.
    pub means: Option<String>,
}

/// An arrow at a marker.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrow {
    /// Its length to the right.
    pub x: Coordinate,
    /// Its length upwards.
    pub y: Option<Coordinate>,
    /// How many pixels one unit is.
    pub scale: f64,
}

/// A number, or the fluent that has it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(untagged)]
pub enum Coordinate {
    /// A number.
    Number(f64),
    /// A fluent of the marker's object, or of nothing; of an object that a fluent of nothing names, if it is written
    /// `fluent(other)`.
    Fact(String),
}

/// A table: a row for each object of a type, a column for each thing that is known of them.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The type of the rows; a single row where it is left out.
    pub rows: Option<Named>,
    /// What is above the table.
    pub title: Option<String>,
    /// A fact of two rows, of which the first comes above.
    pub above: Option<Named>,
    /// A fact of a row and the object that it belongs to, by which rows are gathered.
    pub group: Option<Named>,
    /// What is known of the rows.
    pub column: Vec<Column>,
}

/// A column of a table.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// The fact.
    pub fact: Named,
    /// What is above the column; the fact's name where it is left out.
    pub title: Option<String>,
    /// How it is drawn; as the values need where it is left out.
    pub draw: Option<Draw>,
    /// The least number.
    pub least: Option<f64>,
    /// The largest number, or the constant that has it.
    pub most: Option<Coordinate>,
    /// The figure of what is true.
    pub shape: Option<Sprite>,
    /// The colour.
    pub colour: Option<Colour>,
    /// The figure of what is false.
    pub otherwise: Option<Sprite>,
    /// By value: the colour.
    #[serde(default)]
    pub colours: BTreeMap<String, Colour>,
    /// One column for each object of the fact's other argument.
    #[serde(default)]
    pub across: bool,
}

/// How a column is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Draw {
    /// A figure where the fact is true.
    Lamp,
    /// Text.
    Text,
    /// A bar.
    Bar,
    /// A figure for each: three people for 3.
    Count,
    /// A colour.
    Heat,
}

/// Things that are not at a place.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    /// What is above the list.
    pub title: String,
    /// The facts.
    pub facts: Vec<Named>,
    /// Facts of the first argument that must hold too.
    #[serde(default)]
    pub when: Vec<Named>,
    /// Facts of the first argument that must not hold.
    #[serde(default)]
    pub unless: Vec<Named>,
    /// The figure.
    pub shape: Option<Sprite>,
    /// The colour.
    pub colour: Option<Colour>,
}

/// A number on a scale.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gauge {
    /// The fluent, of nothing.
    pub fact: Named,
    /// What it is called; the fluent's name where it is left out.
    pub title: Option<String>,
    /// The number at the left end.
    #[serde(default)]
    pub least: f64,
    /// The number at the right end, or the constant that has it.
    pub most: Coordinate,
    /// The colour.
    pub colour: Option<Colour>,
}

/// How the goal is shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GoalStyle {
    /// As a list of what it asks for, besides the marks in the picture.
    #[default]
    List,
    /// By the marks in the picture alone.
    Marks,
}

impl Declaration {
    /// Whether it says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
