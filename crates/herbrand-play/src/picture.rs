//! Pictures in answers.

use herbrand_render::{Scene, Theme};

use crate::reply::{Drawn, Zone};

/// A picture with more parts than this takes a browser too long.
const MOST: usize = 20_000;

/// A scene as answers have it; `None` if it has too many parts.
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

/// A number with one digit after the point: the same text everywhere.
fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
