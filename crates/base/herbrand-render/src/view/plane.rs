//! Fields with coordinates, for objects that move continuously.

use super::{SMALL, TEXT};
use crate::colour::{Colour, Tone};
use crate::declare::{Coordinate, Marker, Plane};
use crate::facts::Facts;
use crate::item::{self, labels};
use crate::look::Looks;
use crate::problem::{DrawnProblem, DrawnValue};
use crate::scene::{Anchor, Fill, Frame, Point, Presence, Scene, SceneElement, Stroke};
use crate::text::text_width;

/// The mapping from coordinates to pixels.
struct Scale {
    x: [f64; 2],
    y: [f64; 2],
    width: f64,
    height: f64,
}

impl Scale {
    fn point(&self, (x, y): Point) -> Point {
        let across = (x - self.x[0]) / (self.x[1] - self.x[0]).max(1e-9);
        let up = (y - self.y[0]) / (self.y[1] - self.y[0]).max(1e-9);
        // Positions outside of the field are drawn at its border.
        (
            self.width * across.clamp(0.0, 1.0),
            self.height * (1.0 - up.clamp(0.0, 1.0)),
        )
    }
}

/// Returns the value of a coordinate for an object.
fn number(coordinate: &Coordinate, subject: Option<&str>, facts: &Facts<'_>) -> Option<f64> {
    let text = match coordinate {
        Coordinate::Number(number) => return Some(*number),
        Coordinate::Fact(text) => text,
    };
    match text.split_once('(') {
        Some((outer, inner)) => {
            let inner = inner.trim_end_matches(')').trim();
            let own = subject.and_then(|subject| facts.value(inner, &[subject]));
            match own.or_else(|| facts.value(inner, &[]))? {
                DrawnValue::Symbol(name) => facts.number(outer.trim(), Some(name)),
                _ => None,
            }
        }
        None => facts.number(text, subject),
    }
}

/// Draws the fields of a state: a single one, or one per object of a type.
pub(crate) fn plane(
    plane: &Plane,
    markers: &[Marker],
    world: &DrawnProblem,
    facts: &Facts<'_>,
    looks: &Looks<'_>,
) -> Scene {
    let scale = scale(plane, markers, world, facts);
    let Some(each) = &plane.each else {
        return field(plane, markers, None, &scale, world, facts, looks);
    };
    let mut scene = Scene::default();
    for object in world.objects.iter().filter(|object| object.is(each.get_ref())) {
        let top = scene.height;
        scene.height += 18.0;
        scene.width = scene.width.max(text_width(&object.name, TEXT));
        scene.write(
            &object.name,
            (0.0, top + 8.0),
            Anchor::Start,
            TEXT,
            scale.width,
            Colour::Ink,
        );
        let field = field(plane, markers, Some(&object.name), &scale, world, facts, looks);
        scene.paste(field, (0.0, top + 18.0));
        scene.height += 8.0;
    }
    scene
}

/// Returns the objects that a marker is drawn for.
fn subjects<'w>(marker: &Marker, only: Option<&'w str>, world: &'w DrawnProblem) -> Vec<Option<&'w str>> {
    match (only, &marker.of) {
        (Some(only), _) => vec![Some(only)],
        (None, Some(of)) => {
            let objects = world.objects.iter().filter(|object| object.is(of.get_ref()));
            objects.map(|object| Some(object.name.as_str())).collect()
        }
        (None, None) => vec![None],
    }
}

/// Returns the scale with the declared limits, or else limits that include all markers.
fn scale(plane: &Plane, markers: &[Marker], world: &DrawnProblem, facts: &Facts<'_>) -> Scale {
    let values = |pick: &dyn Fn(&Marker) -> Option<Coordinate>| {
        let mut values = Vec::new();
        for marker in markers {
            let Some(coordinate) = pick(marker) else { continue };
            for subject in subjects(marker, None, world) {
                let radius = marker
                    .radius
                    .as_ref()
                    .and_then(|radius| number(radius, subject, facts));
                let radius = radius.unwrap_or(0.0);
                if let Some(value) = number(&coordinate, subject, facts) {
                    values.extend([value - radius, value + radius]);
                }
            }
        }
        rounded(&values)
    };
    let x = plane
        .x
        .unwrap_or_else(|| values(&|marker| Some(marker.x.clone())));
    let y = plane.y.unwrap_or_else(|| values(&|marker| marker.y.clone()));
    let width = plane.width.unwrap_or(460.0);
    let height = plane.height.unwrap_or_else(|| {
        let ratio = (y[1] - y[0]) / (x[1] - x[0]).max(1e-9);
        (width * ratio).clamp(120.0, 460.0)
    });
    Scale { x, y, width, height }
}

/// Returns a range that includes the values with some margin, rounded outwards to a tenth of its size.
fn rounded(values: &[f64]) -> [f64; 2] {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least > most {
        return [-1.0, 1.0];
    }
    let size = (most - least).max(1.0);
    let step = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0];
    let step = step
        .into_iter()
        .find(|step| size / step <= 12.0)
        .unwrap_or(1000.0);
    [
        ((least - size * 0.08) / step).floor() * step,
        ((most + size * 0.08) / step).ceil() * step,
    ]
}

fn field(
    plane: &Plane,
    markers: &[Marker],
    only: Option<&str>,
    scale: &Scale,
    world: &DrawnProblem,
    facts: &Facts<'_>,
    looks: &Looks<'_>,
) -> Scene {
    const MARGIN: f64 = 26.0;
    let mut inner = Scene {
        width: scale.width,
        height: scale.height,
        ..Scene::default()
    };
    ground(plane, scale, &mut inner);
    let mut texts: Vec<Frame> = Vec::new();
    for marker in markers {
        for subject in subjects(marker, only, world) {
            let names: Vec<&str> = subject.into_iter().collect();
            if facts.allow(&marker.when, &marker.unless, &names) {
                mark(
                    plane, marker, subject, scale, facts, looks, &mut inner, &mut texts,
                );
            }
        }
    }
    let mut scene = Scene {
        width: scale.width + 2.0 * MARGIN,
        height: scale.height + 2.0 * MARGIN,
        ..Scene::default()
    };
    scene.elements.push(SceneElement::Box {
        frame: scene.frame(),
        radius: 6.0,
        fill: Fill::Plain(Colour::Grey, Tone::Tint),
        border: None,
    });
    scene.paste(inner, (MARGIN, MARGIN));
    scene
}

fn height_of_ground(plane: &Plane, x: f64) -> Option<f64> {
    plane.wave.map(|wave| libm::sin(wave * x)).or(plane.ground)
}

fn ground(plane: &Plane, scale: &Scale, scene: &mut Scene) {
    const STEPS: u32 = 60;
    let point = |step: u32| {
        let x = scale.x[0] + (scale.x[1] - scale.x[0]) * f64::from(step) / f64::from(STEPS);
        Some(scale.point((x, height_of_ground(plane, x)?)))
    };
    let points: Vec<Point> = (0..=STEPS).filter_map(point).collect();
    if !points.is_empty() {
        scene.elements.push(SceneElement::Line {
            points,
            colour: Colour::Brown,
            stroke: Stroke::Bold,
            arrow: false,
        });
    }
}

#[expect(
    clippy::too_many_arguments,
    reason = "one marker of one object, with all that it is drawn by"
)]
fn mark(
    plane: &Plane,
    marker: &Marker,
    subject: Option<&str>,
    scale: &Scale,
    facts: &Facts<'_>,
    looks: &Looks<'_>,
    scene: &mut Scene,
    texts: &mut Vec<Frame>,
) {
    let value =
        |coordinate: &Option<Coordinate>| coordinate.as_ref().and_then(|one| number(one, subject, facts));
    let Some(x) = number(&marker.x, subject, facts) else {
        return;
    };
    let Some(y) = value(&marker.y).or_else(|| height_of_ground(plane, x)) else {
        return;
    };
    let at = scale.point((x, y));
    let colour = subject
        .and_then(|subject| looks.fill(subject))
        .or(marker.colour)
        .unwrap_or(Colour::Blue);
    let unit = scale.width / (scale.x[1] - scale.x[0]).max(1e-9);
    if let Some(radius) = value(&marker.radius) {
        let size = (2.0 * radius * unit).min(2.0 * at.0.min(scale.width - at.0) + 50.0);
        scene.elements.push(SceneElement::Disc {
            frame: within(Frame::about(at, size), scale),
            fill: Fill::Plain(colour, Tone::Tint),
            border: Some((colour, Stroke::Thin)),
        });
    }
    let size = marker.size.unwrap_or(26.0);
    // A marker on the ground is drawn above it.
    let on_ground = marker.y.is_none();
    let centre = if on_ground { (at.0, at.1 - size / 2.0) } else { at };
    if let Some(arrow) = &marker.arrow {
        let across = number(&arrow.x, subject, facts).unwrap_or(0.0) * arrow.scale;
        let up = arrow
            .y
            .as_ref()
            .and_then(|y| number(y, subject, facts))
            .unwrap_or(0.0)
            * arrow.scale;
        if libm::hypot(across, up) > 1.0 {
            let tip = (
                (centre.0 + across).clamp(-20.0, scale.width + 20.0),
                (centre.1 - up).clamp(-20.0, scale.height + 20.0),
            );
            scene.elements.push(SceneElement::Line {
                points: vec![centre, tip],
                colour: Colour::Ink,
                stroke: Stroke::Thin,
                arrow: true,
            });
        }
    }
    if let Some(subject) = subject {
        scene.shows(subject, within(Frame::about(centre, size), scale));
    }
    if let Some(sprite) = marker.shape {
        let heading = value(&marker.heading).map(|angle| std::f64::consts::FRAC_PI_2 - angle);
        scene.elements.push(SceneElement::Sprite {
            sprite,
            frame: within(Frame::about(centre, size), scale),
            colour,
            presence: Presence::Real,
            turn: value(&marker.turn).or(heading).unwrap_or(0.0),
        });
    }
    let texts_of = labels(marker.label, subject, None);
    let text = match (marker.label, value(&marker.y)) {
        (crate::declare::LabelStyle::Value, Some(y)) => Some(item::number(y)),
        _ => texts_of.into_iter().next(),
    };
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        write_near(&text, centre, size, scale, scene, texts);
    }
}

/// Moves a figure into the field and its margin.
fn within(frame: Frame, scale: &Scale) -> Frame {
    const MARGIN: f64 = 25.0;
    let width = frame.width.min(scale.width + 2.0 * MARGIN);
    let height = frame.height.min(scale.height + 2.0 * MARGIN);
    let x = frame.x.clamp(-MARGIN, scale.width + MARGIN - width);
    let y = frame.y.clamp(-MARGIN, scale.height + MARGIN - height);
    Frame::new(x, y, width, height)
}

/// Writes a name below a marker, or at another free position around it.
fn write_near(
    text: &str,
    (x, y): Point,
    size: f64,
    scale: &Scale,
    scene: &mut Scene,
    texts: &mut Vec<Frame>,
) {
    const MARGIN: f64 = 24.0;
    let width = text_width(text, SMALL);
    let half = size / 2.0 + SMALL * 0.7;
    let spots = [
        (x, y + half),
        (x, y - half),
        (x + size / 2.0 + width / 2.0 + 3.0, y),
        (x - size / 2.0 - width / 2.0 - 3.0, y),
        (x, y + half + SMALL + 1.0),
        (x, y - half - SMALL - 1.0),
    ];
    let bounds = Frame::new(
        -MARGIN,
        -MARGIN,
        scale.width + 2.0 * MARGIN,
        scale.height + 2.0 * MARGIN,
    );
    let frame = |&(x, y): &Point| Frame::new(x - width / 2.0, y - SMALL / 2.0, width, SMALL);
    let is_free = |spot: &&Point| {
        let frame = frame(spot);
        bounds.contains(&frame) && !texts.iter().any(|other| other.overlaps(&frame))
    };
    let free = spots.iter().find(is_free).copied();
    if let Some(spot) = free {
        texts.push(frame(&spot));
        scene.write(text, spot, Anchor::Middle, SMALL, width + 1.0, Colour::Ink);
    }
}
