//! Draws a figure with its label, its badges and the items that it carries.

use crate::colour::{Colour, Tone};
use crate::declare::{LabelStyle, Size};
use crate::problem::{DrawnValue, NamedFact};
use crate::scene::{Anchor, Fill, Frame, Presence, Scene, SceneElement, Stroke};
use crate::sprite::Sprite;
use crate::text::{SMALLEST, initials, tail, text_width};

/// An item at a place.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// The object that it shows.
    pub(crate) thing: Option<String>,
    pub(crate) sprite: Option<Sprite>,
    pub(crate) colour: Colour,
    /// The candidate labels; the first that fits is drawn.
    pub(crate) labels: Vec<String>,
    pub(crate) presence: Presence,
    pub(crate) size: Size,
    /// Small figures at its corners.
    pub(crate) badges: Vec<(Sprite, Colour)>,
    pub(crate) carried: Vec<Self>,
    /// The layer that drew it.
    pub(crate) layer: usize,
}

/// Returns the candidate labels of a fact, longest first.
pub(crate) fn labels(style: LabelStyle, thing: Option<&str>, atom: Option<&NamedFact>) -> Vec<String> {
    let named = |name: &str| vec![name.to_owned(), initials(name), tail(name).to_owned()];
    match style {
        LabelStyle::None => Vec::new(),
        LabelStyle::Name => thing.map(named).unwrap_or_default(),
        LabelStyle::Short => thing.map(|name| named(name).split_off(1)).unwrap_or_default(),
        LabelStyle::Number => thing.map(|name| named(name).split_off(2)).unwrap_or_default(),
        LabelStyle::Value => atom.map(|atom| vec![value(&atom.value)]).unwrap_or_default(),
        LabelStyle::Last => {
            let last = atom.and_then(|atom| atom.names().last());
            last.map(named).unwrap_or_default()
        }
    }
}

/// Formats a value as short text.
pub(crate) fn value(value: &DrawnValue) -> String {
    match value {
        DrawnValue::True => "true".to_owned(),
        DrawnValue::Number(value) => number(*value),
        DrawnValue::Symbol(name) => name.clone(),
    }
}

/// Formats a number with about three significant digits, at most two of them decimals.
pub(crate) fn number(value: f64) -> String {
    let digits = match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        _ => 2,
    };
    let text = format!("{value:.digits$}");
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    };
    match text.as_str() {
        "-0" => "0".to_owned(),
        _ => text,
    }
}

impl Item {
    /// Draws the item into a rectangle.
    pub(crate) fn draw(&self, room: Frame, scene: &mut Scene) {
        if let (Some(thing), Presence::Real) = (&self.thing, self.presence) {
            scene.shows(thing, room);
        }
        let mut room = room;
        if self.presence == Presence::Wanted {
            scene.elements.push(SceneElement::Box {
                frame: room.inset(0.6),
                radius: 4.0,
                fill: Fill::None,
                border: Some((self.colour, Stroke::Dashed)),
            });
            // A label does not touch the frame.
            if !self.labels.is_empty() {
                room = Frame::new(room.x + 2.0, room.y, room.width - 4.0, room.height - 3.0);
            }
        }
        if self.carried.is_empty() {
            self.figure(room, scene);
            return;
        }
        let split = room.height * 0.45;
        let top = Frame::new(room.x, room.y, room.width, split);
        scene.elements.push(SceneElement::Box {
            frame: top.inset(0.5),
            radius: 3.0,
            fill: Fill::Plain(self.colour, Tone::Tint),
            border: Some((self.colour, Stroke::Thin)),
        });
        arrange(&self.carried, top.inset(1.5), scene);
        let below = Frame::new(room.x, room.y + split, room.width, room.height - split);
        self.figure(below, scene);
    }

    /// Draws the figure with its label, without carried items.
    fn figure(&self, room: Frame, scene: &mut Scene) {
        let size = match self.sprite {
            Some(_) => (room.height * 0.26).clamp(SMALLEST, 11.0),
            None => (room.height * 0.5)
                .clamp(SMALLEST, 22.0)
                .min((room.width * 0.3).max(SMALLEST)),
        };
        let fits = |text: &&String| !text.is_empty() && text_width(text, size) <= room.width;
        let label = self.labels.iter().find(fits).cloned();
        let label = label.or_else(|| {
            self.labels
                .first()
                .and_then(|text| crate::text::shorten(text, size, room.width))
        });
        let Some(sprite) = self.sprite else {
            if let Some(label) = label {
                scene.write(
                    &label,
                    room.centre(),
                    Anchor::Middle,
                    size,
                    room.width,
                    Colour::Ink,
                );
            }
            return;
        };
        let label = label.filter(|_| room.height >= 2.2 * size);
        let below = label.as_ref().map_or(0.0, |_| size + 1.0);
        let field = Frame::new(room.x, room.y, room.width, room.height - below);
        let side = field.width.min(field.height);
        let field = Frame::about(field.centre(), side);
        scene.elements.push(SceneElement::Sprite {
            sprite,
            frame: field,
            colour: self.colour,
            presence: self.presence,
            turn: 0.0,
        });
        self.corners(field, scene);
        if let Some(label) = label {
            let at = (room.centre().0, room.bottom() - size / 2.0);
            scene.write(&label, at, Anchor::Middle, size, room.width, Colour::Ink);
        }
    }

    /// Draws the badges in the corners, starting at the upper right one.
    fn corners(&self, field: Frame, scene: &mut Scene) {
        let side = (field.width * 0.42).max(6.0).min(field.width);
        let (left, right) = (field.x, field.right() - side);
        let (top, bottom) = (field.y, field.bottom() - side);
        let corners = [(right, top), (right, bottom), (left, bottom), (left, top)];
        for (&(sprite, colour), (x, y)) in self.badges.iter().zip(corners) {
            let frame = Frame::new(x, y, side, side);
            scene.elements.push(SceneElement::Disc {
                frame,
                fill: Fill::Plain(Colour::Paper, Tone::Strong),
                border: Some((colour, Stroke::Thin)),
            });
            scene.elements.push(SceneElement::Sprite {
                sprite,
                frame: frame.inset(side * 0.15),
                colour,
                presence: self.presence,
                turn: 0.0,
            });
        }
    }
}

/// Draws items side by side into a rectangle, each as large as possible.
pub(crate) fn arrange(items: &[Item], room: Frame, scene: &mut Scene) {
    const WIDEST: f64 = 60.0;
    let full = items.iter().filter(|item| item.size == Size::Full);
    full.for_each(|item| item.draw(room, scene));
    let shared: Vec<_> = items.iter().filter(|item| item.size == Size::Shared).collect();
    let count = shared.len();
    if count > 0 {
        let side = |columns: usize| {
            let rows = count.div_ceil(columns);
            (room.width / columns as f64).min(room.height / rows as f64)
        };
        let columns = (1..=count).fold(1, |best, columns| {
            if side(columns) > side(best) + 1e-9 {
                columns
            } else {
                best
            }
        });
        let rows = count.div_ceil(columns);
        let (width, height) = (
            (room.width / columns as f64).min(WIDEST * 1.4),
            (room.height / rows as f64).min(WIDEST),
        );
        let left = room.centre().0 - width * columns as f64 / 2.0;
        let top = room.centre().1 - height * rows as f64 / 2.0;
        for (at, item) in shared.into_iter().enumerate() {
            let (row, column) = (at / columns, at % columns);
            let cell = Frame::new(
                left + width * column as f64,
                top + height * row as f64,
                width,
                height,
            );
            item.draw(cell.inset((width.min(height) * 0.04).min(2.0)), scene);
        }
    }
    let side = room.width.min(room.height) * 0.36;
    let corners = items.iter().filter(|item| item.size == Size::Corner);
    for (at, item) in corners.enumerate() {
        let x = room.right() - side * (at + 1) as f64;
        if x >= room.x - 0.01 {
            item.draw(Frame::new(x, room.y, side, side), scene);
        }
    }
}
