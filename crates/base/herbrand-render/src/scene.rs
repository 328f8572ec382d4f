//! The contents of a picture: elements with positions, independent of the file format.

use std::ops::Range;

use crate::colour::{Colour, Tone};
use crate::sprite::Sprite;

/// A rectangle in pixels. The origin is the upper left corner of the picture, `x` grows to the right and `y` downwards.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Frame {
    /// The `x` coordinate of the left side.
    pub x: f64,
    /// The `y` coordinate of the top.
    pub y: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

impl Frame {
    /// Creates a rectangle with its upper left corner at (`x`, `y`).
    #[must_use]
    pub const fn new(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self { x, y, width, height }
    }

    /// Creates a square with side `size` around a centre.
    #[must_use]
    pub fn about((x, y): Point, size: f64) -> Self {
        Self::new(x - size / 2.0, y - size / 2.0, size, size)
    }

    /// Returns the smallest rectangle that contains this one and another.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let (right, bottom) = (self.right().max(other.right()), self.bottom().max(other.bottom()));
        Self::new(x, y, right - x, bottom - y)
    }

    /// Returns the `x` coordinate of the right side.
    #[must_use]
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    /// Returns the `y` coordinate of the bottom.
    #[must_use]
    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    /// Returns the centre of the rectangle, as `x` and `y`.
    #[must_use]
    pub fn centre(&self) -> Point {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// Returns the rectangle reduced by a margin in pixels on all sides, at most to a point or line. A negative margin
    /// enlarges it.
    #[must_use]
    pub fn inset(&self, margin: f64) -> Self {
        let (across, down) = (margin.min(self.width / 2.0), margin.min(self.height / 2.0));
        Self::new(
            self.x + across,
            self.y + down,
            self.width - 2.0 * across,
            self.height - 2.0 * down,
        )
    }

    /// Returns the rectangle translated by a vector in pixels.
    #[must_use]
    pub fn moved(&self, (x, y): Point) -> Self {
        Self::new(self.x + x, self.y + y, self.width, self.height)
    }

    /// Returns whether two rectangles share more than a border. An overlap of less than 0.05 pixels does not count.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        const TOUCH: f64 = 0.05;
        self.x + TOUCH < other.right()
            && other.x + TOUCH < self.right()
            && self.y + TOUCH < other.bottom()
            && other.y + TOUCH < self.bottom()
    }

    /// Returns whether the other rectangle lies within this one, with a tolerance of 0.05 pixels.
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        const TOUCH: f64 = 0.05;
        self.x <= other.x + TOUCH
            && self.y <= other.y + TOUCH
            && other.right() <= self.right() + TOUCH
            && other.bottom() <= self.bottom() + TOUCH
    }
}

/// A point as `x` and `y`, in pixels.
pub type Point = (f64, f64);

/// The filling of a shape. It is a field of [`SceneElement`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fill {
    /// A colour at a strength.
    Plain(Colour, Tone),
    /// A level of the heat scale, below [`HEATS`](crate::colour::HEATS); larger levels look like the highest.
    Heat(u8),
    /// No filling.
    None,
}

/// The style of a line or border in a scene. [`SceneElement`]s hold one. The default is [`Thin`](Self::Thin).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Stroke {
    /// Solid and thin.
    #[default]
    Thin,
    /// Solid and bold.
    Bold,
    /// Dashed.
    Dashed,
}

impl Stroke {
    /// Returns the width of the line in pixels.
    #[must_use]
    pub const fn width(self) -> f64 {
        match self {
            Self::Thin => 1.2,
            Self::Bold => 3.0,
            Self::Dashed => 1.6,
        }
    }

    /// Returns the lengths of dashes and gaps in pixels; `None` if the line is not dashed. The first number is the
    /// length of a dash, the second that of a gap.
    #[must_use]
    pub const fn dashes(self) -> Option<[f64; 2]> {
        match self {
            Self::Dashed => Some([4.0, 3.0]),
            Self::Thin | Self::Bold => None,
        }
    }
}

/// Whether a figure shows a fact of the state or an unmet fact of the goal. It is a field of
/// [`SceneElement::Sprite`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Presence {
    /// The fact holds in the state.
    #[default]
    Real,
    /// The goal requires the fact, which does not hold in the state. The figure is drawn faintly.
    Wanted,
}

/// The horizontal position of text relative to its anchor point. [`Scene::write`] takes one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Anchor {
    /// The text starts at the point.
    Start,
    /// The text is centred on the point.
    Middle,
    /// The text ends at the point.
    End,
}

/// An element of a picture, in [`Scene::elements`]. Elements are drawn in order, each above the previous ones. All
/// lengths are in pixels.
#[derive(Clone, PartialEq, Debug)]
pub enum SceneElement {
    /// A rectangle with round corners.
    Box {
        /// The position and size.
        frame: Frame,
        /// The radius of the corners.
        radius: f64,
        /// The filling.
        fill: Fill,
        /// The colour and style of the border; `None` for no border.
        border: Option<(Colour, Stroke)>,
    },
    /// An ellipse that touches the sides of its frame.
    Disc {
        /// The position and size.
        frame: Frame,
        /// The filling.
        fill: Fill,
        /// The colour and style of the border; `None` for no border.
        border: Option<(Colour, Stroke)>,
    },
    /// Connected straight lines.
    Line {
        /// The vertices.
        points: Vec<Point>,
        /// The colour.
        colour: Colour,
        /// The line style.
        stroke: Stroke,
        /// Whether an arrowhead is at the last vertex; none with fewer than two vertices.
        arrow: bool,
    },
    /// A filled polygon.
    Area {
        /// The vertices.
        points: Vec<Point>,
        /// The filling.
        fill: Fill,
    },
    /// A figure.
    Sprite {
        /// The figure.
        sprite: Sprite,
        /// The frame; the figure fills the largest square in it.
        frame: Frame,
        /// The colour.
        colour: Colour,
        /// Whether the figure shows a fact of the state or of the goal.
        presence: Presence,
        /// The clockwise rotation in radians.
        turn: f64,
    },
    /// A line of text.
    Label {
        /// The text, never empty.
        text: String,
        /// The anchor point, at half the height of the text.
        at: Point,
        /// The position of the text relative to the point.
        anchor: Anchor,
        /// The font size in pixels.
        size: f64,
        /// The colour.
        colour: Colour,
    },
}

impl SceneElement {
    /// Returns the smallest rectangle that contains the element, without the width of its lines, its arrowhead, and the
    /// rotation of a figure. For a line or an area without points, the corner is at `+∞` and the size is `-∞`.
    #[must_use]
    pub fn frame(&self) -> Frame {
        match self {
            Self::Box { frame, .. } | Self::Disc { frame, .. } | Self::Sprite { frame, .. } => *frame,
            Self::Line { points, .. } | Self::Area { points, .. } => around(points),
            Self::Label {
                text,
                at: (x, y),
                anchor,
                size,
                ..
            } => {
                let width = crate::text::text_width(text, *size);
                let left = match anchor {
                    Anchor::Start => *x,
                    Anchor::Middle => x - width / 2.0,
                    Anchor::End => x - width,
                };
                Frame::new(left, y - size / 2.0, width, *size)
            }
        }
    }

    /// Returns the element translated by a vector in pixels.
    #[must_use]
    pub fn moved(mut self, by: Point) -> Self {
        let shift = |point: &mut Point| *point = (point.0 + by.0, point.1 + by.1);
        match &mut self {
            Self::Box { frame, .. } | Self::Disc { frame, .. } | Self::Sprite { frame, .. } => {
                *frame = frame.moved(by);
            }
            Self::Line { points, .. } | Self::Area { points, .. } => points.iter_mut().for_each(shift),
            Self::Label { at, .. } => shift(at),
        }
        self
    }
}

fn around(points: &[Point]) -> Frame {
    let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::NEG_INFINITY, f64::max);
    let (left, right) = (
        least(&mut points.iter().map(|point| point.0)),
        most(&mut points.iter().map(|point| point.0)),
    );
    let (top, bottom) = (
        least(&mut points.iter().map(|point| point.1)),
        most(&mut points.iter().map(|point| point.1)),
    );
    Frame::new(left, top, right - left, bottom - top)
}

/// The position of an object in a picture, by which clicks are mapped to objects. [`Scene::at`] finds the zones at a
/// point. [`Scene::zones`] lists them.
#[derive(Clone, PartialEq, Debug)]
pub struct Zone {
    /// The position and size.
    pub frame: Frame,
    /// The names of the objects: a single one, or the column and the row of a cell.
    pub names: Vec<String>,
}

/// A picture of a state: elements within a rectangle whose upper left corner is the origin.
/// [`Picture::scene`](crate::Picture::scene) and [`sheet()`](crate::sheet()) return one. [`to_svg`](Self::to_svg) writes
/// it; with the feature `png`, `to_image` draws it as pixels.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scene {
    /// The width in pixels.
    pub width: f64,
    /// The height in pixels.
    pub height: f64,
    /// The title of the picture, which describes it in an SVG file. It is not drawn.
    pub title: String,
    /// The elements from bottom to top.
    pub elements: Vec<SceneElement>,
    /// The positions of objects in drawing order. Of several zones at a point, the last one is on top.
    pub zones: Vec<Zone>,
    /// The column beside the picture, which pages move below it if they are narrow.
    pub side: Option<SideColumn>,
}

/// The column beside a picture, with the goal and the legend. [`Scene::side`] has it.
#[derive(Clone, PartialEq, Debug)]
pub struct SideColumn {
    /// Its elements, by their positions in [`Scene::elements`].
    pub elements: Range<usize>,
    /// The vector in pixels by which it moves to be below the picture.
    pub below: Point,
    /// The width and the height of the picture with the column below it.
    pub size: Point,
}

impl Scene {
    /// Returns the rectangle of the whole picture.
    #[must_use]
    pub fn frame(&self) -> Frame {
        Frame::new(0.0, 0.0, self.width, self.height)
    }

    /// Iterates over the lines of text in the picture, each with its bounding rectangle. Shortened text is returned as
    /// it is drawn.
    pub fn labels(&self) -> impl Iterator<Item = (&str, Frame)> {
        self.elements.iter().filter_map(|element| match element {
            SceneElement::Label { text, .. } => Some((text.as_str(), element.frame())),
            _ => None,
        })
    }

    /// Adds a zone for an object.
    pub(crate) fn shows(&mut self, name: &str, frame: Frame) {
        let names = vec![name.to_owned()];
        self.zones.push(Zone { frame, names });
    }

    /// Iterates over the objects at a point: the names of each zone there, topmost first. Empty if no object is there.
    /// Zones extend by 0.05 pixels.
    /// The point is in pixels of the scene, so divide pixels of an image by its scale.
    ///
    /// ```
    /// use herbrand_render::Scene;
    /// use herbrand_render::scene::{Frame, Zone};
    ///
    /// let zone = |name: &str, frame| Zone { frame, names: vec![name.to_owned()] };
    /// let cell = zone("cell", Frame::new(0.0, 0.0, 40.0, 40.0));
    /// let robot = zone("robot", Frame::new(10.0, 10.0, 20.0, 20.0));
    /// let scene = Scene { zones: vec![cell, robot], ..Scene::default() };
    /// assert_eq!(scene.at((15.0, 15.0)).collect::<Vec<_>>(), [["robot"], ["cell"]]);
    /// assert_eq!(scene.at((5.0, 5.0)).collect::<Vec<_>>(), [["cell"]]);
    /// ```
    pub fn at(&self, (x, y): Point) -> impl Iterator<Item = &[String]> {
        let point = Frame::new(x, y, 0.0, 0.0);
        let there = self.zones.iter().rev();
        there
            .filter(move |zone| zone.frame.contains(&point))
            .map(|zone| zone.names.as_slice())
    }

    /// Returns descriptions of geometric faults, for tests of declarations: elements that are out of bounds (also lines
    /// and areas without points), and labels that overlap. One description per fault, such as `` `a` overlaps `b` ``;
    /// empty if there are no faults. Labels that only touch do not overlap.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        let bounds = self.frame();
        let mut faults = Vec::new();
        for element in &self.elements {
            if !bounds.contains(&element.frame()) {
                faults.push(format!("out of bounds: {element:?}"));
            }
        }
        let mut labels: Vec<_> = self.labels().collect();
        labels.sort_by(|(_, one), (_, other)| one.y.total_cmp(&other.y));
        for (at, (text, frame)) in labels.iter().enumerate() {
            let near = labels[at + 1..]
                .iter()
                .take_while(|(_, other)| other.y < frame.bottom());
            for (other, _) in near.filter(|(_, other)| other.overlaps(frame)) {
                faults.push(format!("`{text}` overlaps `{other}`"));
            }
        }
        faults
    }

    /// Pastes the elements and zones of another picture onto this one, with its upper left corner at `at`, and enlarges
    /// this one to the right and downwards if necessary. The title of the other picture is dropped, and so is its side column.
    pub fn paste(&mut self, other: Self, at: Point) {
        let moved = other.elements.into_iter().map(|element| element.moved(at));
        self.elements.extend(moved);
        let zones = other.zones.into_iter();
        self.zones.extend(zones.map(|zone| Zone {
            frame: zone.frame.moved(at),
            ..zone
        }));
        self.width = self.width.max(at.0 + other.width);
        self.height = self.height.max(at.1 + other.height);
    }

    /// Adds a line of text of font size `size` in pixels at a point, which is at half the height of the text. Text
    /// wider than `room` pixels is shortened with `…`. Adds nothing if the text is empty or no character fits. The
    /// picture is not enlarged.
    pub fn write(&mut self, text: &str, at: Point, anchor: Anchor, size: f64, room: f64, colour: Colour) {
        let text = crate::text::shorten(text, size, room).filter(|text| !text.is_empty());
        if let Some(text) = text {
            self.elements.push(SceneElement::Label {
                text,
                at,
                anchor,
                size,
                colour,
            });
        }
    }
}
