//! Pictures in replies.

use herbrand_render::{Scene, Theme};

use crate::reply::{Drawn, Zone};

/// The maximum number of elements of a picture; larger pictures take browsers too long.
const MOST: usize = 20_000;

/// Converts a scene for a reply; `None` if it has too many elements.
pub(crate) fn drawn(scene: &Scene) -> Option<Drawn> {
    let zones = scene.zones.iter().map(|zone| Zone {
        frame: [zone.frame.x, zone.frame.y, zone.frame.width, zone.frame.height].map(tenths),
        names: zone.names.clone(),
    });
    (scene.elements.len() <= MOST).then(|| Drawn {
        svg: scene.to_svg(Theme::Auto),
        width: scene.width,
        height: scene.height,
        zones: zones.collect(),
    })
}

/// Rounds a number to one decimal, for reproducible text.
fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
