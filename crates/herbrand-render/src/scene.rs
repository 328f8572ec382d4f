//! What a picture consists of.

use crate::colour::{Colour, Tone};
use crate::sprite::Sprite;

/// A rectangle: left, top, width and height, in pixels. The top is 0, and `y` grows downwards.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Frame {
    /// The left side.
    pub x: f64,
    /// The top.
    pub y: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

impl Frame {
    /// A rectangle.
    #[must_use]
    pub const fn new(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self { x, y, width, height }
    }

    /// A square about a point.
    #[must_use]
    pub fn about((x, y): Point, size: f64) -> Self {
        Self::new(x - size / 2.0, y - size / 2.0, size, size)
    }

    /// The right side.
    #[must_use]
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    /// The bottom.
    #[must_use]
    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    /// The middle.
    #[must_use]
    pub fn centre(&self) -> Point {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// The rectangle without a margin on all sides.
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

    /// The rectangle elsewhere.
    #[must_use]
    pub fn moved(&self, (x, y): Point) -> Self {
        Self::new(self.x + x, self.y + y, self.width, self.height)
    }

    /// Whether two rectangles share more than a border.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        const TOUCH: f64 = 0.05;
        self.x + TOUCH < other.right()
            && other.x + TOUCH < self.right()
            && self.y + TOUCH < other.bottom()
            && other.y + TOUCH < self.bottom()
    }

    /// Whether the other rectangle is within this one.
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        const TOUCH: f64 = 0.05;
        self.x <= other.x + TOUCH
            && self.y <= other.y + TOUCH
            && other.right() <= self.right() + TOUCH
            && other.bottom() <= self.bottom() + TOUCH
    }
}

/// Across and down, in pixels.
pub type Point = (f64, f64);

/// What something is filled with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fill {
    /// A colour.
    Plain(Colour, Tone),
    /// A step of the heat scale, below [`HEATS`](crate::colour::HEATS).
    Heat(u8),
    /// Nothing.
    None,
}

/// How a line is drawn.
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
    /// The width of the line.
    #[must_use]
    pub const fn width(self) -> f64 {
        match self {
            Self::Thin => 1.2,
            Self::Bold => 3.0,
            Self::Dashed => 1.6,
        }
    }

    /// The lengths of dashes and of the gaps between them, if it is dashed.
    #[must_use]
    pub const fn dashes(self) -> Option<[f64; 2]> {
        match self {
            Self::Dashed => Some([4.0, 3.0]),
            Self::Thin | Self::Bold => None,
        }
    }
}

/// Whether something is there or asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Presence {
    /// It is there.
    #[default]
    Real,
    /// The goal asks for it, and it is not there.
    Wanted,
}

/// Which side of a point text is on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// It is centred there.
    Middle,
    /// It ends there.
    End,
}

/// One part of a picture. Parts are drawn in their order, each above those before it.
#[derive(Clone, PartialEq, Debug)]
pub enum Element {
    /// A rectangle with round corners.
    Box {
        /// Where it is.
        frame: Frame,
        /// How round the corners are.
        radius: f64,
        /// What it is filled with.
        fill: Fill,
        /// The colour of its border.
        border: Option<(Colour, Stroke)>,
    },
    /// An ellipse that touches the sides of its frame.
    Disc {
        /// Where it is.
        frame: Frame,
        /// What it is filled with.
        fill: Fill,
        /// The colour of its border.
        border: Option<(Colour, Stroke)>,
    },
    /// Connected straight lines.
    Line {
        /// The corners.
        points: Vec<Point>,
        /// The colour.
        colour: Colour,
        /// How it is drawn.
        stroke: Stroke,
        /// Whether an arrowhead is at the end.
        arrow: bool,
    },
    /// A filled polygon.
    Area {
        /// The corners.
        points: Vec<Point>,
        /// What it is filled with.
        fill: Fill,
    },
    /// A figure.
    Sprite {
        /// Which one.
        sprite: Sprite,
        /// Where it is: the largest square in it.
        frame: Frame,
        /// The colour.
        colour: Colour,
        /// Whether it is there.
        presence: Presence,
        /// By how much it is turned to the right, in radians.
        turn: f64,
    },
    /// A line of text.
    Label {
        /// The text, not empty.
        text: String,
        /// Where it is anchored, and the middle of its height.
        at: Point,
        /// Which part of it is there.
        anchor: Anchor,
        /// The font size.
        size: f64,
        /// The colour.
        colour: Colour,
    },
}

impl Element {
    /// The rectangle around it.
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
                let width = crate::text_width(text, *size);
                let left = match anchor {
                    Anchor::Start => *x,
                    Anchor::Middle => x - width / 2.0,
                    Anchor::End => x - width,
                };
                Frame::new(left, y - size / 2.0, width, *size)
            }
        }
    }

    /// The same part elsewhere.
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

/// Where an object is shown: what a click there is about.
#[derive(Clone, PartialEq, Debug)]
pub struct Zone {
    /// Where it is.
    pub frame: Frame,
    /// The names of the objects: one, or the column and the row of a cell.
    pub names: Vec<String>,
}

/// A picture: parts within a rectangle whose left upper corner is the origin.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scene {
    /// The width in pixels.
    pub width: f64,
    /// The height in pixels.
    pub height: f64,
    /// What it is a picture of.
    pub title: String,
    /// The parts, the lowest first.
    pub elements: Vec<Element>,
    /// Where objects are shown, in the order in which they are drawn: of several at one point, the last one is on top.
    pub zones: Vec<Zone>,
}

impl Scene {
    /// The rectangle of the whole picture.
    #[must_use]
    pub fn frame(&self) -> Frame {
        Frame::new(0.0, 0.0, self.width, self.height)
    }

    /// The lines of text with the rectangles around them.
    pub fn labels(&self) -> impl Iterator<Item = (&str, Frame)> {
        self.elements.iter().filter_map(|element| match element {
            Element::Label { text, .. } => Some((text.as_str(), element.frame())),
            _ => None,
        })
    }

    /// Says that an object is shown in a rectangle.
    pub(crate) fn shows(&mut self, name: &str, frame: Frame) {
        let names = vec![name.to_owned()];
        self.zones.push(Zone { frame, names });
    }

    /// The objects that are shown at a point: the names of each zone there, the one on top first.
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

    /// What is wrong with the geometry: parts that are out of bounds, and labels that overlap. Empty if all is well.
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

    /// Puts another picture onto this one, with its corner at `at`.
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

    /// Adds a line of text, cut to `room`; nothing if it is empty or nothing of it fits.
    pub fn write(&mut self, text: &str, at: Point, anchor: Anchor, size: f64, room: f64, colour: Colour) {
        let text = crate::text::shorten(text, size, room).filter(|text| !text.is_empty());
        if let Some(text) = text {
            self.elements.push(Element::Label {
                text,
                at,
                anchor,
                size,
                colour,
            });
        }
    }
}
