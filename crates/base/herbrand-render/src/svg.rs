//! Converts scenes to SVG.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::colour::{Colour, HEATS, Rgb, Theme, Tone, heat};
use crate::scene::{Anchor, Fill, Frame, Point, Presence, Scene, SceneElement, Stroke};
use crate::sprite::{Paint, Sprite};
use crate::text::{FAMILY, text_width};

impl Scene {
    /// Returns the picture as the text of a self-contained SVG file, with the same bytes on every machine. Write it to
    /// a file that ends in `.svg`, or insert it into a page.
    ///
    /// Text elements specify their width, so that a browser without the font keeps the layout. Colours are classes of an
    /// embedded style sheet; with [`Theme::Auto`] it contains both the light and the dark colours.
    #[must_use]
    pub fn to_svg(&self, theme: Theme) -> String {
        let mut svg = Svg(String::with_capacity(4096 + 120 * self.elements.len()));
        svg.head(self);
        svg.style(self, theme);
        svg.symbols(self);
        svg.push(format_args!(
            "<rect class=\"s-paper\" width=\"{}\" height=\"{}\" rx=\"6\"/>\n",
            Number(self.width),
            Number(self.height)
        ));
        for (at, element) in self.elements.iter().enumerate() {
            let side = self.side.as_ref();
            if let Some(side) = side.filter(|side| side.elements.start == at) {
                svg.push(format_args!(
                    "<g class=\"hb-side\" data-below=\"{} {}\" data-size=\"{} {}\">\n",
                    Number(side.below.0),
                    Number(side.below.1),
                    Number(side.size.0),
                    Number(side.size.1)
                ));
            }
            svg.element(element);
            if side.is_some_and(|side| side.elements.end == at + 1) {
                svg.0.push_str("</g>\n");
            }
        }
        svg.0.push_str("</svg>\n");
        svg.0
    }
}

struct Svg(String);

impl Svg {
    fn push(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a `String` cannot fail.
        let _ = self.0.write_fmt(text);
    }

    fn head(&mut self, scene: &Scene) {
        let (width, height) = (Number(scene.width), Number(scene.height));
        self.push(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"hb\" role=\"img\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n<title>{}</title>\n",
            Escaped(&scene.title)
        ));
    }

    /// Writes the style sheet with the classes that the scene uses, in alphabetical order.
    fn style(&mut self, scene: &Scene, theme: Theme) {
        let mut used = BTreeSet::from([Class::Paint(Colour::Paper, Tone::Strong)]);
        for element in &scene.elements {
            used.extend(classes(element));
        }
        self.push(format_args!(
            "<style>.hb text{{font-family:\"{FAMILY}\",Verdana,sans-serif}}"
        ));
        let base = match theme {
            Theme::Dark => Theme::Dark,
            Theme::Light | Theme::Auto => Theme::Light,
        };
        self.classes(&used, base);
        if theme == Theme::Auto {
            self.0.push_str("@media(prefers-color-scheme:dark){");
            self.classes(&used, Theme::Dark);
            self.0.push('}');
        }
        self.0.push_str("</style>\n");
    }

    fn classes(&mut self, used: &BTreeSet<Class>, theme: Theme) {
        for class in used {
            let colour = Hex(class.colour(theme));
            match class {
                Class::Line(_) => self.push(format_args!(".hb .{class}{{stroke:{colour};fill:none}}")),
                Class::Border(_) => self.push(format_args!(".hb .{class}{{stroke:{colour}}}")),
                Class::Paint(..) | Class::Heat(_) => {
                    self.push(format_args!(".hb .{class}{{fill:{colour}}}"));
                }
            }
        }
    }

    /// Writes each figure that the scene uses once. Their parts have colour attributes instead of classes, because selectors
    /// do not apply across a `use` element.
    fn symbols(&mut self, scene: &Scene) {
        let used: BTreeSet<Sprite> = scene.elements.iter().filter_map(sprite).collect();
        if used.is_empty() {
            return;
        }
        self.0.push_str("<defs>");
        for sprite in used {
            self.push(format_args!(
                "<symbol id=\"hb-{}\" viewBox=\"0 0 24 24\">",
                sprite.name()
            ));
            for (paint, path) in sprite.parts() {
                let colour = match paint {
                    Paint::Main => "",
                    Paint::Shade => " fill=\"#111827\" fill-opacity=\".55\"",
                    Paint::White => " fill=\"#fff\" fill-opacity=\".85\"",
                };
                self.push(format_args!("<path{colour} fill-rule=\"evenodd\" d=\"{path}\"/>"));
            }
            self.0.push_str("</symbol>");
        }
        self.0.push_str("</defs>\n");
    }

    fn element(&mut self, element: &SceneElement) {
        match element {
            SceneElement::Box {
                frame,
                radius,
                fill,
                border,
            } => {
                self.push(format_args!(
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"",
                    Number(frame.x),
                    Number(frame.y),
                    Number(frame.width),
                    Number(frame.height),
                    Number(*radius)
                ));
                self.painted(*fill, *border);
            }
            SceneElement::Disc { frame, fill, border } => {
                let (x, y) = frame.centre();
                self.push(format_args!(
                    "<ellipse cx=\"{}\" cy=\"{}\" rx=\"{}\" ry=\"{}\"",
                    Number(x),
                    Number(y),
                    Number(frame.width / 2.0),
                    Number(frame.height / 2.0)
                ));
                self.painted(*fill, *border);
            }
            SceneElement::Line {
                points,
                colour,
                stroke,
                arrow,
            } => self.line(points, *colour, *stroke, *arrow),
            SceneElement::Area { points, fill } => {
                self.0.push_str("<polygon points=\"");
                self.points(points);
                self.0.push('"');
                self.painted(*fill, None);
            }
            SceneElement::Sprite {
                sprite,
                frame,
                colour,
                presence,
                turn,
            } => self.sprite(*sprite, *frame, *colour, *presence, *turn),
            SceneElement::Label {
                text,
                at,
                anchor,
                size,
                colour,
            } => self.label(text, *at, *anchor, *size, *colour),
        }
    }

    /// Finishes an element with a filling and an optional border.
    fn painted(&mut self, fill: Fill, border: Option<(Colour, Stroke)>) {
        match fill_class(fill) {
            Some(class) => self.push(format_args!(" class=\"{class}")),
            None => self.0.push_str(" fill=\"none\" class=\""),
        }
        match border {
            Some((colour, stroke)) => {
                self.push(format_args!(" {}\"", Class::Border(colour)));
                self.stroke(stroke);
            }
            None => self.0.push('"'),
        }
        self.0.push_str("/>\n");
    }

    fn stroke(&mut self, stroke: Stroke) {
        self.push(format_args!(" stroke-width=\"{}\"", Number(stroke.width())));
        if let Some([on, off]) = stroke.dashes() {
            self.push(format_args!(
                " stroke-dasharray=\"{} {}\"",
                Number(on),
                Number(off)
            ));
        }
    }

    fn points(&mut self, points: &[Point]) {
        for (at, (x, y)) in points.iter().enumerate() {
            let space = if at == 0 { "" } else { " " };
            self.push(format_args!("{space}{},{}", Number(*x), Number(*y)));
        }
    }

    fn line(&mut self, points: &[Point], colour: Colour, stroke: Stroke, arrow: bool) {
        self.0.push_str("<polyline points=\"");
        self.points(points);
        self.push(format_args!("\" class=\"{}\"", Class::Line(colour)));
        self.stroke(stroke);
        self.0.push_str("/>\n");
        if let (true, [.., from, to]) = (arrow, points) {
            self.0.push_str("<polygon points=\"");
            self.points(&arrowhead(*from, *to));
            self.0.push('"');
            self.painted(Fill::Plain(colour, Tone::Strong), None);
        }
    }

    fn sprite(&mut self, sprite: Sprite, frame: Frame, colour: Colour, presence: Presence, turn: f64) {
        let size = frame.width.min(frame.height);
        let (x, y) = frame.centre();
        self.push(format_args!(
            "<use href=\"#hb-{}\" x=\"{}\" y=\"{}\" width=\"{size}\" height=\"{size}\" class=\"{}\"",
            sprite.name(),
            Number(x - size / 2.0),
            Number(y - size / 2.0),
            Class::Paint(colour, Tone::Strong),
            size = Number(size),
        ));
        if presence == Presence::Wanted {
            self.0.push_str(" opacity=\".35\"");
        }
        if turn != 0.0 {
            let degrees = turn.to_degrees();
            self.push(format_args!(
                " transform=\"rotate({} {} {})\"",
                Number(degrees),
                Number(x),
                Number(y)
            ));
        }
        self.0.push_str("/>\n");
    }

    fn label(&mut self, text: &str, (x, y): Point, anchor: Anchor, size: f64, colour: Colour) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        self.push(format_args!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\"{anchor} textLength=\"{}\" class=\"{}\">{}</text>\n",
            Number(x),
            Number(y + 0.36 * size),
            Number(size),
            Number(text_width(text, size)),
            Class::Paint(colour, Tone::Strong),
            Escaped(text)
        ));
    }
}

/// Returns the corners of the head of an arrow from `from` to `to`.
pub(crate) fn arrowhead(from: Point, to: Point) -> [Point; 3] {
    const LENGTH: f64 = 8.0;
    const HALF: f64 = 3.4;
    let (across, down) = (to.0 - from.0, to.1 - from.1);
    let length = libm::hypot(across, down).max(f64::EPSILON);
    let (across, down) = (across / length, down / length);
    let foot = (to.0 - LENGTH * across, to.1 - LENGTH * down);
    [
        to,
        (foot.0 - HALF * down, foot.1 + HALF * across),
        (foot.0 + HALF * down, foot.1 - HALF * across),
    ]
}

const fn sprite(element: &SceneElement) -> Option<Sprite> {
    match element {
        SceneElement::Sprite { sprite, .. } => Some(*sprite),
        _ => None,
    }
}

/// A class of the style sheet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Paint(Colour, Tone),
    Border(Colour),
    Line(Colour),
    Heat(u8),
}

impl Class {
    const fn colour(self, theme: Theme) -> Rgb {
        let (colour, tone) = match self {
            Self::Paint(colour, tone) => (colour, tone),
            Self::Border(colour) | Self::Line(colour) => (colour, Tone::Strong),
            Self::Heat(level) => return heat(level, theme),
        };
        match theme {
            Theme::Dark => colour.dark(tone),
            Theme::Light | Theme::Auto => colour.light(tone),
        }
    }
}

impl std::fmt::Display for Class {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Paint(colour, Tone::Strong) => write!(f, "s-{}", colour.name()),
            Self::Paint(colour, Tone::Tint) => write!(f, "t-{}", colour.name()),
            Self::Border(colour) => write!(f, "b-{}", colour.name()),
            Self::Line(colour) => write!(f, "l-{}", colour.name()),
            Self::Heat(level) => write!(f, "h-{}", level.min(&(HEATS - 1))),
        }
    }
}

const fn fill_class(fill: Fill) -> Option<Class> {
    match fill {
        Fill::Plain(colour, tone) => Some(Class::Paint(colour, tone)),
        Fill::Heat(level) => Some(Class::Heat(level)),
        Fill::None => None,
    }
}

fn classes(element: &SceneElement) -> Vec<Class> {
    match element {
        SceneElement::Box { fill, border, .. } | SceneElement::Disc { fill, border, .. } => {
            let border = border.map(|(colour, _)| Class::Border(colour));
            fill_class(*fill).into_iter().chain(border).collect()
        }
        SceneElement::Area { fill, .. } => fill_class(*fill).into_iter().collect(),
        SceneElement::Line { colour, .. } => vec![Class::Line(*colour), Class::Paint(*colour, Tone::Strong)],
        SceneElement::Sprite { colour, .. } | SceneElement::Label { colour, .. } => {
            vec![Class::Paint(*colour, Tone::Strong)]
        }
    }
}

/// Formats a colour for CSS.
struct Hex(Rgb);

impl std::fmt::Display for Hex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// Formats a number with at most two decimals, independent of the machine.
struct Number(f64);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let hundredths = (self.0 * 100.0).round() as i64;
        let (whole, rest) = (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
        if hundredths < 0 {
            f.write_str("-")?;
        }
        match (rest, rest % 10) {
            (0, _) => write!(f, "{whole}"),
            (_, 0) => write!(f, "{whole}.{}", rest / 10),
            _ => write!(f, "{whole}.{rest:02}"),
        }
    }
}

/// Escapes text for XML.
pub(crate) struct Escaped<'t>(pub(crate) &'t str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                other if other.is_control() => f.write_str(" ")?,
                other => f.write_char(other)?,
            }
        }
        Ok(())
    }
}
