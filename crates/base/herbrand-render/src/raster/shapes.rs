//! Shapes as paths.

use svgtypes::{SimplePathSegment, SimplifyingPathParser};
use tiny_skia::{Path, PathBuilder, Rect};

use crate::scene::{Frame, Point};
use crate::sprite::{Paint, Sprite};

/// The distance of the control points of a quarter circle from its ends, in radii.
const QUARTER: f32 = 0.552_284_8;

/// Returns a rectangle with round corners.
pub(super) fn box_of(frame: Frame, radius: f64) -> Option<Path> {
    let radius = radius.min(frame.width / 2.0).min(frame.height / 2.0);
    let rect = rect(frame)?;
    if radius <= 0.0 {
        return Some(PathBuilder::from_rect(rect));
    }
    let (round, away) = (radius as f32, (1.0 - QUARTER) * radius as f32);
    let (left, top, right, bottom) = (rect.left(), rect.top(), rect.right(), rect.bottom());
    let mut path = PathBuilder::new();
    path.move_to(left + round, top);
    path.line_to(right - round, top);
    path.cubic_to(right - away, top, right, top + away, right, top + round);
    path.line_to(right, bottom - round);
    path.cubic_to(right, bottom - away, right - away, bottom, right - round, bottom);
    path.line_to(left + round, bottom);
    path.cubic_to(left + away, bottom, left, bottom - away, left, bottom - round);
    path.line_to(left, top + round);
    path.cubic_to(left, top + away, left + away, top, left + round, top);
    path.close();
    path.finish()
}

/// Returns an ellipse that touches the sides of a frame.
pub(super) fn oval(frame: Frame) -> Option<Path> {
    PathBuilder::from_oval(rect(frame)?)
}

fn rect(frame: Frame) -> Option<Rect> {
    Rect::from_xywh(
        frame.x as f32,
        frame.y as f32,
        frame.width as f32,
        frame.height as f32,
    )
}

/// Returns connected straight lines.
pub(super) fn polyline(points: &[Point]) -> Option<Path> {
    through(points)?.finish()
}

/// Returns a closed polygon.
pub(super) fn polygon(points: &[Point]) -> Option<Path> {
    let mut path = through(points)?;
    path.close();
    path.finish()
}

fn through(points: &[Point]) -> Option<PathBuilder> {
    let (&(x, y), rest) = points.split_first()?;
    let mut path = PathBuilder::new();
    path.move_to(x as f32, y as f32);
    for &(x, y) in rest {
        path.line_to(x as f32, y as f32);
    }
    Some(path)
}

/// Iterates over the parts of a figure on its field of 24 by 24 units, from bottom to top.
pub(super) fn figure(sprite: Sprite) -> impl Iterator<Item = (Paint, Path)> {
    let parts = sprite.parts().iter();
    parts.filter_map(|&(paint, text)| Some((paint, path(text)?)))
}

/// Parses an SVG path; `None` if it is malformed.
fn path(text: &str) -> Option<Path> {
    let mut path = PathBuilder::new();
    for segment in SimplifyingPathParser::from(text) {
        match segment.ok()? {
            SimplePathSegment::MoveTo { x, y } => path.move_to(x as f32, y as f32),
            SimplePathSegment::LineTo { x, y } => path.line_to(x as f32, y as f32),
            SimplePathSegment::Quadratic { x1, y1, x, y } => {
                path.quad_to(x1 as f32, y1 as f32, x as f32, y as f32);
            }
            SimplePathSegment::CurveTo { x1, y1, x2, y2, x, y } => {
                path.cubic_to(x1 as f32, y1 as f32, x2 as f32, y2 as f32, x as f32, y as f32)
            }
            SimplePathSegment::ClosePath => path.close(),
        }
    }
    path.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_every_figure_is_a_path_on_its_field() {
        for sprite in Sprite::ALL {
            assert_eq!(figure(*sprite).count(), sprite.parts().len(), "{}", sprite.name());
            for (_, path) in figure(*sprite) {
                let bounds = path.bounds();
                let (least, most) = (
                    bounds.left().min(bounds.top()),
                    bounds.right().max(bounds.bottom()),
                );
                assert!(least >= -0.5 && most <= 24.5, "{}: {bounds:?}", sprite.name());
            }
        }
    }
}
