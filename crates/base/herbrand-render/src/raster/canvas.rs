//! Draws the elements of a scene with `tiny-skia`.

use tiny_skia::{FillRule, Paint, Path, Pixmap, PixmapPaint, Stroke as Pen, StrokeDash, Transform};

use super::glyphs::outline;
use super::shapes::{box_of, figure, oval, polygon, polyline};
use super::{Image, ImageError, check, paper};
use crate::colour::{Colour, Rgb, Theme, Tone, heat};
use crate::scene::{Anchor, Fill, Frame, Point, Presence, Scene, SceneElement, Stroke};
use crate::sprite::{Paint as SpritePaint, Sprite};
use crate::svg::arrowhead;
use crate::text::text_width;

/// The opacity of a figure that the goal requires.
const PALE: f32 = 0.35;

/// A pixel buffer to draw on.
pub(super) struct Canvas {
    pixmap: Pixmap,
    theme: Theme,
}

/// A colour with its opacity, from 0 to 255.
type OpaqueColour = (Rgb, u8);

impl Canvas {
    /// Creates an empty canvas.
    ///
    /// # Errors
    /// Fails if it would have no pixels or too many.
    pub(super) fn new(width: u32, height: u32, theme: Theme) -> Result<Self, ImageError> {
        let (wide, high) = (u64::from(width), u64::from(height));
        check(wide, high)?;
        let mut pixmap = Pixmap::new(width, height).ok_or(ImageError::Size {
            width: wide,
            height: high,
        })?;
        let [red, green, blue] = paper(theme);
        pixmap.fill(tiny_skia::Color::from_rgba8(red, green, blue, 255));
        Ok(Self { pixmap, theme })
    }

    /// Draws a scene at a scale, with its upper left corner at a point.
    pub(super) fn draw(&mut self, scene: &Scene, scale: f64, (left, top): Point) {
        let size = scale as f32;
        let placed = Transform::from_row(size, 0.0, 0.0, size, left as f32, top as f32);
        for element in &scene.elements {
            self.element(element, placed);
        }
    }

    /// Returns the pixels. The paper is opaque, so the result has no alpha channel.
    pub(super) fn finish(self) -> Image {
        let (width, height) = (self.pixmap.width(), self.pixmap.height());
        let colours = self.pixmap.pixels().iter();
        let pixels = colours.flat_map(|colour| [colour.red(), colour.green(), colour.blue()]);
        Image {
            width,
            height,
            pixels: pixels.collect(),
        }
    }

    fn element(&mut self, element: &SceneElement, placed: Transform) {
        match element {
            SceneElement::Box {
                frame,
                radius,
                fill,
                border,
            } => self.painted(box_of(*frame, *radius), *fill, *border, placed),
            SceneElement::Disc { frame, fill, border } => self.painted(oval(*frame), *fill, *border, placed),
            SceneElement::Area { points, fill } => self.painted(polygon(points), *fill, None, placed),
            SceneElement::Line {
                points,
                colour,
                stroke,
                arrow,
            } => {
                let ink = (self.colour(*colour, Tone::Strong), 255);
                self.trace(polyline(points), ink, *stroke, placed);
                if let (true, [.., from, to]) = (*arrow, points.as_slice()) {
                    self.fill(polygon(&arrowhead(*from, *to)), ink, placed);
                }
            }
            SceneElement::Sprite {
                sprite,
                frame,
                colour,
                presence,
                turn,
            } => {
                let own = placed.pre_concat(within(*frame, *turn));
                match presence {
                    Presence::Real => self.sprite(*sprite, *colour, own),
                    Presence::Wanted => self.pale(*sprite, *colour, own),
                }
            }
            SceneElement::Label {
                text,
                at: (x, y),
                anchor,
                size,
                colour,
            } => {
                let width = text_width(text, *size);
                let left = match anchor {
                    Anchor::Start => *x,
                    Anchor::Middle => x - width / 2.0,
                    Anchor::End => x - width,
                };
                let ink = (self.colour(*colour, Tone::Strong), 255);
                self.fill(outline(text, (left, y + 0.36 * size), *size), ink, placed);
            }
        }
    }

    /// Fills and outlines a shape.
    fn painted(
        &mut self,
        path: Option<Path>,
        fill: Fill,
        border: Option<(Colour, Stroke)>,
        placed: Transform,
    ) {
        let ink = match fill {
            Fill::Plain(colour, tone) => Some((self.colour(colour, tone), 255)),
            Fill::Heat(level) => Some((heat(level, self.theme), 255)),
            Fill::None => None,
        };
        if let Some(ink) = ink {
            self.fill(path.clone(), ink, placed);
        }
        if let Some((colour, stroke)) = border {
            self.trace(path, (self.colour(colour, Tone::Strong), 255), stroke, placed);
        }
    }

    fn sprite(&mut self, sprite: Sprite, colour: Colour, placed: Transform) {
        for (part, path) in figure(sprite) {
            let ink = match part {
                SpritePaint::Main => (self.colour(colour, Tone::Strong), 255),
                SpritePaint::Shade => ([17, 24, 39], 140),
                SpritePaint::White => ([255, 255, 255], 217),
            };
            self.fill(Some(path), ink, placed);
        }
    }

    /// Draws a translucent figure. It is first drawn opaque to a separate buffer, so that its parts do not shine through
    /// each other.
    fn pale(&mut self, sprite: Sprite, colour: Colour, placed: Transform) {
        let Some((left, top, width, height)) = self.around(placed) else {
            return;
        };
        let Some(pixmap) = Pixmap::new(width, height) else {
            return;
        };
        let mut layer = Self {
            pixmap,
            theme: self.theme,
        };
        layer.sprite(
            sprite,
            colour,
            placed.post_translate(-(left as f32), -(top as f32)),
        );
        let how = PixmapPaint {
            opacity: PALE,
            ..PixmapPaint::default()
        };
        let image = layer.pixmap.as_ref();
        self.pixmap
            .draw_pixmap(left, top, image, &how, Transform::identity(), None);
    }

    /// Returns the pixel rectangle around a figure: left, top, width and height; `None` if it is outside of the canvas.
    fn around(&self, placed: Transform) -> Option<(i32, i32, u32, u32)> {
        let mut corners = [(0.0, 0.0), (24.0, 0.0), (0.0, 24.0), (24.0, 24.0)].map(tiny_skia::Point::from);
        placed.map_points(&mut corners);
        let range = |pick: fn(&tiny_skia::Point) -> f32, end: u32| {
            let least = corners.iter().map(pick).fold(f32::INFINITY, f32::min);
            let most = corners.iter().map(pick).fold(f32::NEG_INFINITY, f32::max);
            let first = (least.floor() as i32 - 1).max(0);
            let last = (most.ceil() as i32 + 1).min(i32::try_from(end).unwrap_or(i32::MAX));
            let count = u32::try_from(last.saturating_sub(first)).ok()?;
            (count > 0).then_some((first, count))
        };
        let (left, width) = range(|point| point.x, self.pixmap.width())?;
        let (top, height) = range(|point| point.y, self.pixmap.height())?;
        Some((left, top, width, height))
    }

    fn fill(&mut self, path: Option<Path>, ink: OpaqueColour, placed: Transform) {
        if let Some(path) = path {
            self.pixmap
                .fill_path(&path, &paint(ink), FillRule::EvenOdd, placed, None);
        }
    }

    fn trace(&mut self, path: Option<Path>, ink: OpaqueColour, stroke: Stroke, placed: Transform) {
        let Some(path) = path else { return };
        let pen = Pen {
            width: stroke.width() as f32,
            dash: stroke
                .dashes()
                .and_then(|[on, off]| StrokeDash::new(vec![on as f32, off as f32], 0.0)),
            ..Pen::default()
        };
        self.pixmap.stroke_path(&path, &paint(ink), &pen, placed, None);
    }

    const fn colour(&self, colour: Colour, tone: Tone) -> Rgb {
        match self.theme {
            Theme::Dark => colour.dark(tone),
            Theme::Light | Theme::Auto => colour.light(tone),
        }
    }
}

fn paint((colour, opacity): OpaqueColour) -> Paint<'static> {
    let mut paint = Paint::default();
    let [red, green, blue] = colour;
    paint.set_color_rgba8(red, green, blue, opacity);
    paint
}

/// Maps the field of a figure to the largest square within a frame, rotated clockwise about its centre.
fn within(frame: Frame, turn: f64) -> Transform {
    let side = frame.width.min(frame.height);
    let (x, y) = frame.centre();
    let scale = side / 24.0;
    // `libm` gives equal results on all machines, unlike the standard library's sine.
    let (sine, cosine) = (libm::sin(turn), libm::cos(turn));
    let row = [cosine * scale, sine * scale, -sine * scale, cosine * scale];
    let left = x - 12.0 * (row[0] + row[2]);
    let top = y - 12.0 * (row[1] + row[3]);
    let [a, b, c, d] = row.map(|number| number as f32);
    Transform::from_row(a, b, c, d, left as f32, top as f32)
}
