//! Text as outlines of the embedded font.

use std::sync::OnceLock;

use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face, OutlineBuilder};

use crate::scene::Point;
use crate::text::{FONT, text_width};

/// Returns the embedded font, parsed once.
fn face() -> Option<&'static Face<'static>> {
    static FACE: OnceLock<Option<Face<'static>>> = OnceLock::new();
    FACE.get_or_init(|| Face::parse(FONT, 0).ok()).as_ref()
}

/// Returns the outline of a line of text whose base line starts at a point. A character that the font lacks leaves a gap of
/// the width given by `text_width`.
pub(super) fn outline(text: &str, (left, base): Point, size: f64) -> Option<Path> {
    let face = face()?;
    let mut pen = Pen {
        path: PathBuilder::new(),
        scale: size / f64::from(face.units_per_em()),
        x: left,
        y: base,
    };
    let mut letter = [0; 4];
    for character in text.chars() {
        if let Some(glyph) = face.glyph_index(character) {
            face.outline_glyph(glyph, &mut pen);
        }
        pen.x += text_width(character.encode_utf8(&mut letter), size);
    }
    pen.path.finish()
}

/// Draws a glyph with its origin at a point. Fonts have upward coordinates, pictures downward ones.
struct Pen {
    path: PathBuilder,
    scale: f64,
    x: f64,
    y: f64,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        let across = self.x + f64::from(x) * self.scale;
        let down = self.y - f64::from(y) * self.scale;
        (across as f32, down as f32)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
