//! Arranges several pictures on one sheet.

use crate::colour::Colour;
use crate::scene::{Fill, Scene, SceneElement, Stroke};

/// Returns a picture of several pictures in rows, each in a frame. The sheet is at most `width` pixels wide unless a
/// single picture is wider. `title` becomes [`Scene::title`] and is not drawn. Without pictures, the sheet is an empty
/// square of 10 pixels.
///
/// ```
/// use herbrand_render::{Scene, sheet};
/// let picture = || Scene { width: 100.0, height: 50.0, ..Scene::default() };
/// let sheet = sheet("all", vec![picture(), picture(), picture()], 250.0);
/// assert!(sheet.width <= 250.0 && sheet.height > 100.0);
/// ```
#[must_use]
pub fn sheet(title: &str, pictures: Vec<Scene>, width: f64) -> Scene {
    const GAP: f64 = 10.0;
    let mut whole = Scene {
        title: title.to_owned(),
        ..Scene::default()
    };
    let (mut x, mut y, mut lowest) = (GAP, GAP, GAP);
    for picture in pictures {
        if x > GAP && x + picture.width + GAP > width {
            (x, y) = (GAP, lowest + GAP);
        }
        let frame = picture.frame().moved((x, y));
        lowest = lowest.max(frame.bottom());
        whole.elements.push(SceneElement::Box {
            frame,
            radius: 6.0,
            fill: Fill::None,
            border: Some((Colour::Grey, Stroke::Thin)),
        });
        whole.paste(picture, (x, y));
        x = frame.right() + GAP;
    }
    whole.width += GAP;
    whole.height += GAP;
    whole
}
