//! The table `[render]` of `env.toml`, which declares how the states of a domain are drawn. Each type is a table of the
//! file, and each field is a key.

mod check;
mod code;
mod infer;
mod kinds;
mod read;

use std::collections::BTreeMap;

use herbrand_text::{Diagnostics, Faults, Source};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Deserializer};
use toml::Spanned;
use toml::de::DeTable;

pub(crate) use check::EVERYWHERE;
pub use code::RenderCode;
use read::{parse, read};

use crate::colour::Colour;
use crate::sprite::Sprite;

/// A name of the domain with its position in the file. The span is in bytes; it is `0..0` in an inferred declaration.
pub type Named = Spanned<String>;

/// The declaration of how the states of a domain are drawn: the table `[render]` of `env.toml`.
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
/// At most one of `grid`, `graph` and `boxes` defines the *places*. Each [`Layer`] draws facts about them. Facts that
/// may change and are drawn by no part are written next to the picture, so that nothing is invisible.
///
/// [`with_settings`](Self::with_settings) reads one from a file and [`infer`](Self::infer) makes one. Then
/// [`check`](Self::check) it, and pass it to [`Picture::new`](crate::Picture::new).
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Declaration {
    /// The places of a grid, in rows and columns.
    pub grid: Option<Grid>,
    /// The places of a graph, as its nodes.
    pub graph: Option<PlaceGraph>,
    /// The places of a row or column of boxes.
    pub boxes: Option<Boxes>,
    /// The layers of items in and at places, from bottom to top.
    #[serde(default)]
    pub layer: Vec<Layer>,
    /// The connections between places.
    #[serde(default)]
    pub edge: Vec<Edge>,
    /// Towers of stacked blocks, which need no places.
    pub stacks: Option<Stacks>,
    /// Changes of the appearance of things, wherever they are drawn.
    #[serde(default)]
    pub badge: Vec<Badge>,
    /// A field with coordinates.
    pub plane: Option<Plane>,
    /// The markers on the field, which show objects with coordinates.
    #[serde(default)]
    pub marker: Vec<Marker>,
    /// Tables of objects and facts about them, next to the picture.
    #[serde(default)]
    pub table: Vec<FactTable>,
    /// Lists of things that have no place, such as things in a hand, next to the picture.
    #[serde(default)]
    pub list: Vec<List>,
    /// Single numbers on a scale, next to the picture.
    #[serde(default)]
    pub gauge: Vec<Gauge>,
    /// Facts that are not drawn because other facts imply them.
    #[serde(default)]
    pub hide: Vec<Named>,
    /// How the goal is shown.
    #[serde(default)]
    pub goal: GoalStyle,
    /// The surroundings of the agent, for egocentric pictures.
    pub eye: Option<EgocentricView>,
    /// The observations of an agent that does not see the state itself.
    #[serde(default)]
    pub seen: Vec<ObservedFact>,
}

/// The one table of an `env.toml` that is about pictures.
#[derive(Deserialize)]
struct Settings {
    render: Option<Declaration>,
}

/// Reads the table `[render]`, and reports its faults. Not generic, so that this code, which is large, is compiled
/// only here.
#[inline(never)]
fn read_declaration(
    source: &Source,
    table: Spanned<DeTable<'_>>,
    found: &mut Diagnostics<RenderCode>,
) -> Option<Settings> {
    read(source, table, found)
}

impl Declaration {
    /// Reads the settings `T` and the table `[render]` from the text of an `env.toml`. `T` must skip the key `render`,
    /// as with [`skip`](Self::skip). Returns `None` as declaration if the text has no such table.
    ///
    /// The settings of each language call this function instead of deriving the declaration. Names of the domain are
    /// not checked yet: [`check`](Self::check) does that.
    ///
    /// # Errors
    /// If the text is not TOML, or has unknown keys, missing keys or values of the wrong kind. Contains all such
    /// faults.
    pub fn with_settings<T: DeserializeOwned>(
        source: &Source,
    ) -> Result<(T, Option<Self>), Faults<RenderCode>> {
        Self::recover_settings(source).map_err(|(faults, _)| faults)
    }

    /// Like [`with_settings`](Self::with_settings), but an error also contains the settings that the text has without its
    /// faulty keys, so that these can be checked further. They are `None` if the text is not TOML or lacks a required
    /// key.
    ///
    /// # Errors
    /// As [`with_settings`](Self::with_settings).
    #[expect(clippy::type_complexity, reason = "one use")]
    pub fn recover_settings<T: DeserializeOwned>(
        source: &Source,
    ) -> Result<(T, Option<Self>), (Faults<RenderCode>, Option<T>)> {
        let mut found = Diagnostics::new(source.clone(), false);
        let mut settings = None;
        if let Some(table) = parse(source, &mut found) {
            settings = read::<T>(source, table.clone(), &mut found);
            let render = read_declaration(source, table, &mut found);
            if found.errors() == 0
                && let (Some(settings), Some(Settings { render })) = (settings.take(), render)
            {
                return Ok((settings, render));
            }
        }
        Err((Faults::new(found.into_list()), settings))
    }

    /// Skips the value of the key `render`, for a structure that [`with_settings`](Self::with_settings) reads. Always
    /// returns `None`. It is the function of an attribute `#[serde(deserialize_with)]`.
    ///
    /// # Errors
    /// If the value is malformed.
    pub fn skip<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Self>, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| None)
    }
}

/// An observation of a fact by the agent. In pictures for agents that only see observed fluents, the observed fluent
/// replaces the fact. It is an entry of [`Declaration::seen`].
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObservedFact {
    /// The fact of the state, which the picture draws.
    pub fact: Named,
    /// The observed fluent with the same parameters, which replaces it.
    pub by: Named,
}

/// The surroundings of the agent in a grid, for [`Picture::egocentric`](crate::Picture::egocentric). It is a square
/// of `2 * radius + 1` cells on each side. It is the key `eye` of a [`Declaration`].
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EgocentricView {
    /// The fact whose argument is the cell of the agent. It is one of the arguments; of several cells, the first
    /// counts.
    pub fact: Named,
    /// The number of visible cells on each side of the agent's cell. 2 if omitted.
    #[serde(default = "near")]
    pub radius: usize,
}

/// The default number of visible cells on each side.
const fn near() -> usize {
    2
}

/// A declaration of places in rows and columns. The cells are given by `cells`, by `numbered`, by `columns` with
/// `rows`, or by `row_of`. If several are given, the first in this order is used; if none is, [`Declaration::check`]
/// reports it.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// The pattern of cell names, such as `r{row}c{column}` ([`CellNames`](crate::CellNames)). Row numbers increase
    /// downwards. A grid of more than 10,000 positions has no places unless a sixteenth of them are cells.
    pub cells: Option<String>,
    /// The type of cells that are numbered row by row. The width of the grid is derived from `beside`.
    pub numbered: Option<Named>,
    /// A fact about two adjacent numbered cells. The width is the smallest difference above 1 between the first cell
    /// and a cell that it is beside. Without such a fact, the grid is about as wide as high.
    pub beside: Option<Named>,
    /// The type of columns, if a cell is a pair of a column and a row.
    pub columns: Option<Named>,
    /// The type of rows. The first object is the bottom row.
    pub rows: Option<Named>,
    /// A fact of a cell and its row, if the names of cells do not contain it. Its arguments are the cell and the row.
    /// Rows and cells are in order of declaration, and the rows have their names as headings.
    pub row_of: Option<Named>,
    /// The side length of a cell in pixels; chosen automatically if omitted. Then it is from 24 to 56 pixels.
    pub size: Option<f64>,
    /// The filling of positions without a cell; a wall if omitted.
    pub outside: Option<Outside>,
}

/// The filling of grid positions without a cell. It is [`Grid::outside`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outside {
    /// Drawn as a wall. The default.
    #[default]
    Wall,
    /// Not drawn.
    Nothing,
}

/// A declaration of places as the nodes of a graph, whose edges are facts. It is the key `graph` of a
/// [`Declaration`].
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceGraph {
    /// The types of the nodes. Each object of one of them is a node.
    pub nodes: Vec<Named>,
    /// The layout of the nodes.
    #[serde(default)]
    pub layout: GraphLayout,
    /// The size of a node in pixels; chosen automatically if omitted.
    pub size: Option<f64>,
    /// The shape of a node beneath the layers.
    #[serde(default)]
    pub node: NodeShape,
}

/// How the nodes of a graph are arranged. The edges are those that [pull](Edge::pull). It is [`PlaceGraph::layout`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GraphLayout {
    /// The default, force-directed: connected nodes are close to each other, others far apart. More than 400 nodes are
    /// put in rows.
    #[default]
    Force,
    /// On a circle along the edges, clockwise from the top.
    Circle,
    /// In layers along the edges, from top to bottom. Edges that close a cycle are ignored.
    Layers,
    /// In a row along the edges, which wraps after 9 nodes.
    Line,
}

/// The shape in which a [`PlaceGraph`] draws its nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NodeShape {
    /// A box with round corners. The default.
    #[default]
    Box,
    /// A circle.
    Disc,
}

/// A declaration of places as boxes in a row or a column. It is the key `boxes` of a [`Declaration`].
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Boxes {
    /// The types of the places.
    pub of: Vec<Named>,
    /// The direction of the row.
    #[serde(default)]
    pub flow: Flow,
    /// A fact about two places, which orders the boxes: the first argument comes after the second.
    pub after: Option<Named>,
    /// A fact about a place and its group. Groups are drawn as frames around their places; only with [`Flow::Right`].
    pub group: Option<Named>,
    /// The width of a box in pixels; chosen automatically if omitted.
    pub width: Option<f64>,
    /// The height of a box in pixels; chosen automatically if omitted.
    pub height: Option<f64>,
}

/// The direction in which boxes follow each other. It is [`Boxes::flow`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flow {
    /// The default: to the right, wrapping to several rows if there are many.
    #[default]
    Right,
    /// Upwards.
    Up,
    /// Downwards.
    Down,
}

/// A layer of a picture: how the facts of one predicate are drawn.
///
/// A fact with a place among its arguments is drawn there; the first of its other arguments is the *thing*. A fact of
/// two places is drawn between them. Without a place, the thing is drawn with its carrier (`with`), or else at the
/// last argument, wherever that is drawn. A fact of more than two places, or without a drawn carrier, is not drawn.
///
/// It is an entry of [`Declaration::layer`]. The colour is that of `colours`, or else of the thing's [`Badge`], or else
/// `colour`, or else blue.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// The predicate or fluent, or `true` to draw at every place.
    pub fact: Named,
    /// Whether to draw at the places where the fact does not hold instead. `false` if omitted.
    #[serde(default)]
    pub absent: bool,
    /// Further facts that must hold, about the thing, the place, or without arguments. A fact is about its first
    /// argument.
    #[serde(default)]
    pub when: Vec<Named>,
    /// Facts that must not hold, about the thing, the place, or without arguments.
    #[serde(default)]
    pub unless: Vec<Named>,
    /// The type of the things to draw; all types if omitted. Of a fact without a thing, its first argument must have
    /// the type.
    pub of: Option<Named>,
    /// The fact of the layer whose item carries the thing. Of several such items, the first carries it.
    pub with: Option<Named>,
    /// The figure; none for layers that only fill or label places.
    pub shape: Option<Sprite>,
    /// The colour of the figure. If it is omitted, see [`Layer`] for the colour that counts.
    pub colour: Option<Colour>,
    /// The colour of the figure by the name of an argument of the fact, or of its value if that is an object. Of
    /// several names with a colour, the last counts.
    #[serde(default)]
    pub colours: BTreeMap<String, Colour>,
    /// The filling of the place; `heat` derives it from the fact's number, between 0 and `most`. Later layers replace
    /// it.
    pub fill: Option<PlaceFill>,
    /// The value of the fact that has the warmest heat colour. 1 if omitted.
    pub most: Option<f64>,
    /// The label of the figure: a name, a number or a value; none if omitted. The default is [`LabelStyle::None`].
    #[serde(default)]
    pub label: LabelStyle,
    /// The size of the figure.
    #[serde(default)]
    pub size: Size,
    /// Whether the picture marks facts of this predicate that the goal requires. `true` if omitted. Of several
    /// layers, the first that draws the fact marks it.
    pub goal: Option<bool>,
    /// The meaning in the legend. The legend of a picture omits layers whose meaning is missing or empty; that of a
    /// text drawing names the fact if the meaning is missing.
    pub means: Option<String>,
}

/// The filling of a place. It is [`Layer::fill`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlaceFill {
    /// A tint of the colour, blue by default.
    Tint,
    /// The colour itself, blue by default.
    Strong,
    /// A heat colour by the number of the fact: 1 for a predicate, 0 without a number.
    Heat,
}

/// The size of a figure. It is [`Layer::size`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Size {
    /// The figures share the place. The default.
    #[default]
    Shared,
    /// The figure covers the place, beneath the others.
    Full,
    /// The figure is small, in a corner of the place.
    Corner,
}

/// The label of a figure. [`Layer::label`] and [`Marker::label`] hold one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LabelStyle {
    /// No label. The default.
    #[default]
    None,
    /// The name of the thing; if it does not fit, its initials, its number, or a part of it.
    Name,
    /// The initials and the number of the thing's name: `fe12` for `fire-engine-12`.
    Short,
    /// The number at the end of the thing's name.
    Number,
    /// The value of the fact, or the vertical coordinate of a marker.
    Value,
    /// The name of the fact's last argument, or of its value if that is an object. None for markers.
    Last,
}

/// A layer of connections between places: how the facts of one predicate are drawn as edges. It is an entry of
/// [`Declaration::edge`]. A fact with fewer than two places is not drawn; that is no fault. A declaration without a layer
/// of places is one.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edge {
    /// A predicate with at least two places among its arguments. The first is connected with each of the others.
    pub fact: Named,
    /// Further facts that must hold, about an argument that is not a place, or without arguments. If all arguments are
    /// places, they are about the first.
    #[serde(default)]
    pub when: Vec<Named>,
    /// Facts that must not hold, about the same arguments.
    #[serde(default)]
    pub unless: Vec<Named>,
    /// The colour of the edges; grey if omitted.
    pub colour: Option<Colour>,
    /// The line style.
    #[serde(default)]
    pub line: LineStyle,
    /// Whether edges have arrowheads at their ends. `false` if omitted.
    #[serde(default)]
    pub arrow: bool,
    /// Whether an edge also has an arrowhead if no fact leads back. Pictures that are not declared have such edges.
    #[serde(skip)]
    pub one_way: bool,
    /// Whether the edges pull their nodes together in the layout. `true` if omitted. Only graphs use it.
    pub pull: Option<bool>,
    /// The meaning of the edges in the legend; no entry if omitted.
    pub means: Option<String>,
}

/// The style of the lines that draw edges: `"thin"`, `"bold"` or `"dashed"` in TOML. It is [`Edge::line`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineStyle {
    /// Solid and thin. The default.
    #[default]
    Thin,
    /// Solid and bold.
    Bold,
    /// Dashed.
    Dashed,
}

/// A declaration of towers of stacked blocks, by the predicates that stack them. It is the key `stacks` of a
/// [`Declaration`].
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stacks {
    /// The predicate with two arguments: a block and its support.
    pub on: Named,
    /// The base of towers: a predicate of blocks on the ground, or the type of the objects that support the lowest
    /// blocks.
    pub base: Named,
    /// Whether blocks are drawn as bars, each as wide as the number at the end of its name.
    #[serde(default)]
    pub bars: bool,
    /// A fact about a base and its place, if `base` is a type. Places are drawn as frames around their towers.
    pub group: Option<Named>,
}

/// A mark on the things for which a fact holds, wherever they are drawn: another colour or a small figure. It is an
/// entry of [`Declaration::badge`]. A thing shows at most four small figures.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Badge {
    /// A predicate whose first argument is the thing.
    pub fact: Named,
    /// Whether to mark the things for which the fact does not hold instead.
    #[serde(default)]
    pub absent: bool,
    /// The type of the marked things; all types if omitted.
    pub of: Option<Named>,
    /// The colour of the thing. Of several badges that apply, the last one counts.
    pub fill: Option<Colour>,
    /// A small figure at the corner of the thing.
    pub shape: Option<Sprite>,
    /// The colour of the small figure; ink if omitted.
    pub colour: Option<Colour>,
    /// The meaning of the mark in the legend; no entry if omitted.
    pub means: Option<String>,
}

/// A field with coordinates, for domains in which objects move continuously. It is the key `plane` of a
/// [`Declaration`]. Markers outside of the limits are drawn at the border.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plane {
    /// The smallest and the largest horizontal coordinate; derived from the markers in each state if omitted.
    pub x: Option<[f64; 2]>,
    /// The smallest and the largest vertical coordinate; derived from the markers in each state if omitted.
    pub y: Option<[f64; 2]>,
    /// The type of the objects that each have a field of their own; a single field if omitted. On the field of an
    /// object, each marker is drawn once, for that object.
    pub each: Option<Named>,
    /// The width of the field in pixels; 460 if omitted.
    pub width: Option<f64>,
    /// The height of the field in pixels; if omitted, both axes have the same scale, within 120 to 460 pixels.
    pub height: Option<f64>,
    /// A wavy ground, such as hills: its height is the sine of this multiple of the horizontal coordinate.
    pub wave: Option<f64>,
    /// The vertical coordinate of flat ground; `wave` takes precedence.
    pub ground: Option<f64>,
}

/// A marker on a field: one for each object of a type, or a single one. It is an entry of [`Declaration::marker`],
/// and needs a [`Plane`].
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Marker {
    /// The type of the objects; a single marker if omitted.
    pub of: Option<Named>,
    /// Facts of the object that must hold.
    #[serde(default)]
    pub when: Vec<Named>,
    /// Facts of the object that must not hold.
    #[serde(default)]
    pub unless: Vec<Named>,
    /// The horizontal coordinate. Without a value, the marker is not drawn.
    pub x: Coordinate,
    /// The vertical coordinate; on the ground if it is omitted or has no value. Without ground, the marker is not
    /// drawn.
    pub y: Option<Coordinate>,
    /// The figure of the marker; none if omitted.
    pub shape: Option<Sprite>,
    /// The colour of the marker; blue if omitted. A badge of the object takes precedence.
    pub colour: Option<Colour>,
    /// The width and height of the figure in pixels; 26 if omitted.
    pub size: Option<f64>,
    /// The clockwise rotation of the figure from pointing up, in radians.
    pub turn: Option<Coordinate>,
    /// The anticlockwise rotation of the figure from pointing right, in radians. `turn` takes precedence.
    pub heading: Option<Coordinate>,
    /// The radius of a circle around the marker, in units of the field; no circle if omitted.
    pub radius: Option<Coordinate>,
    /// An arrow at the marker.
    pub arrow: Option<Arrow>,
    /// The label below the marker, or at another free position around it; omitted if none is free.
    #[serde(default)]
    pub label: LabelStyle,
    /// The meaning of the marker in the legend; no entry if omitted.
    pub means: Option<String>,
}

/// An arrow at a marker, such as a velocity. It is [`Marker::arrow`]. An arrow of at most 1 pixel is not drawn. A length
/// whose fluent has no value counts as 0.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrow {
    /// The horizontal length, in units of its value.
    pub x: Coordinate,
    /// The vertical length upwards, in units of its value; 0 if omitted.
    pub y: Option<Coordinate>,
    /// The number of pixels per unit of the lengths.
    pub scale: f64,
}

/// A number in a declaration: a constant, or the fluent whose current value it is. [`Marker`]s, [`Arrow`]s,
/// [`Column`]s and [`Gauge`]s hold one.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(untagged)]
pub enum Coordinate {
    /// A number.
    Number(f64),
    /// A fluent of the object of the marker or table row, or else without arguments. `fluent(other)` is the value of
    /// `fluent` for the object that the fluent `other` names, which is of the object or without arguments too.
    Fact(String),
}

/// A table with a row per object of a type and a column per fact. It is an entry of [`Declaration::table`].
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FactTable {
    /// The type of the rows; a single row if omitted.
    pub rows: Option<Named>,
    /// The title above the table.
    pub title: Option<String>,
    /// A fact about two rows, which orders the rows: the first argument is above the second.
    pub above: Option<Named>,
    /// A fact about a row and its group, or a fluent of a row whose value is its group. Rows of a group are together.
    pub group: Option<Named>,
    /// The columns, from left to right.
    pub column: Vec<Column>,
}

/// A column of a table: the values of one fact for the object of each row. It is an entry of [`FactTable::column`].
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// The fact whose values the column shows.
    pub fact: Named,
    /// The title of the column; the fact's name if omitted.
    pub title: Option<String>,
    /// The drawing of the values. If omitted, numbers are bars (heat colours if `across`). Objects, and predicates of
    /// two objects without `across`, are text; other predicates are lamps.
    pub draw: Option<ColumnStyle>,
    /// The number at the empty end of bars and at the cold end of heat colours; 0 if omitted.
    pub least: Option<f64>,
    /// The number at the full end of bars and at the warm end of heat colours, or the constant that defines it; 1 if
    /// omitted. Then, if a value lies outside the scale, the numbers are written without bars, and the largest value
    /// is the warmest.
    pub most: Option<Coordinate>,
    /// The figure for true (a tick if omitted), or of a count (a person if omitted).
    pub shape: Option<Sprite>,
    /// The colour of figures and bars; blue if omitted.
    pub colour: Option<Colour>,
    /// The figure for false; a small grey dot if omitted.
    pub otherwise: Option<Sprite>,
    /// The colour of [`ColumnStyle::Text`] by the text of the value.
    #[serde(default)]
    pub colours: BTreeMap<String, Colour>,
    /// Whether the fact has a column for each object of its other argument.
    #[serde(default)]
    pub across: bool,
}

/// How a column's values are drawn. It is [`Column::draw`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColumnStyle {
    /// A figure if the fact is true, a grey one otherwise.
    Lamp,
    /// Text: the value, or the other arguments of the true facts, separated by commas; `–` if there are none.
    Text,
    /// A bar.
    Bar,
    /// As many figures as the number, such as three people for 3, but at most 12.
    Count,
    /// A heat colour.
    Heat,
}

/// A list of things that have no place, such as things in a hand: one item for each fact that holds. Its label consists
/// of the arguments, and of the value unless that is true; a predicate without arguments shows its name. It is an entry of
/// [`Declaration::list`].
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    /// The title above the list.
    pub title: String,
    /// The predicates and fluents whose facts are listed. The first argument of a fact is the thing.
    pub facts: Vec<Named>,
    /// Further facts of an argument, or without arguments, that must hold.
    #[serde(default)]
    pub when: Vec<Named>,
    /// Facts of an argument, or without arguments, that must not hold.
    #[serde(default)]
    pub unless: Vec<Named>,
    /// The figure of each thing; only its label if omitted.
    pub shape: Option<Sprite>,
    /// The colour of the figures; blue if omitted. A badge of the thing takes precedence.
    pub colour: Option<Colour>,
}

/// A number on a scale, drawn as a bar next to the picture. It is an entry of [`Declaration::gauge`]. Without a
/// value, the scale is empty.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gauge {
    /// The fluent whose value is shown, without arguments.
    pub fact: Named,
    /// The title; the fluent's name if omitted.
    pub title: Option<String>,
    /// The number at the left end; 0 if omitted.
    #[serde(default)]
    pub least: f64,
    /// The number at the right end, or the constant that defines it; 1 if omitted. Then a value outside the scale is
    /// written without a bar.
    pub most: Option<Coordinate>,
    /// The colour of the bar; blue if omitted.
    pub colour: Option<Colour>,
}

/// How the goal is shown. It is [`Declaration::goal`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GoalStyle {
    /// The default: a list of the goal facts, in addition to marks in the picture.
    #[default]
    List,
    /// Marks in the picture only.
    Marks,
}

impl Declaration {
    /// Returns whether the declaration has no parts, as if the domain had none. Then a [`Picture`](crate::Picture)
    /// infers one, as if no declaration was given.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
