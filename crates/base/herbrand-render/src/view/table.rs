//! Tables with a row per object and a column per fact.

use std::collections::BTreeMap;

use super::{SMALL, TEXT, heat_level, sort};
use crate::colour::{Colour, Tone};
use crate::declare::{Column, ColumnStyle, Coordinate, FactTable};
use crate::facts::Facts;
use crate::item::{number, value};
use crate::problem::{DrawnObject, DrawnProblem, DrawnRange, DrawnValue, NamedFact, PictureVocabulary};
use crate::scene::{Anchor, Fill, Frame, Presence, Scene, SceneElement, Stroke};
use crate::sprite::Sprite;
use crate::text::text_width;

const ROW: f64 = 24.0;

/// A column as drawn: of a fact, or of a fact for one object of its other argument.
struct Drawn<'t> {
    column: &'t Column,
    title: String,
    other: Option<&'t str>,
    /// The position of the row's object in the fact's arguments.
    own: usize,
    width: f64,
    draw: ColumnStyle,
    range: DrawnRange,
}

impl Drawn<'_> {
    /// Returns whether the title is the name of an object, without the fact.
    const fn is_unnamed(&self) -> bool {
        self.other.is_some() && self.column.title.is_none()
    }

    /// Returns the number that a cell shows: 0 for a false fact, `None` for an undefined number.
    fn number(&self, value: Option<&DrawnValue>) -> Option<f64> {
        match value {
            Some(value) => Some(value.number().unwrap_or(0.0)),
            None => (self.range == DrawnRange::Bool).then_some(0.0),
        }
    }
}

/// Draws a table of a state.
pub(crate) fn table(
    table: &FactTable,
    vocabulary: &PictureVocabulary,
    world: &DrawnProblem,
    facts: &Facts<'_>,
) -> Scene {
    let mut rows: Vec<&DrawnObject> = match &table.rows {
        Some(of) => world
            .objects
            .iter()
            .filter(|object| object.is(of.get_ref()))
            .collect(),
        None => Vec::new(),
    };
    if let Some(above) = &table.above {
        sort(&mut rows, facts, above.get_ref());
        rows.reverse();
    }
    let groups = gather(table, &mut rows, facts);
    let columns = columns(table, vocabulary, world);
    let names = rows.iter().map(|row| text_width(&row.name, TEXT) + 10.0);
    let heading = names.fold(0.0, f64::max).min(130.0);
    let mut scene = Scene::default();
    let mut y = 0.0;
    if let Some(title) = &table.title {
        scene.write(title, (0.0, 8.0), Anchor::Start, TEXT, 400.0, Colour::Ink);
        scene.width = text_width(title, TEXT);
        y += 20.0;
    }
    let mut x = heading;
    if table.column.len() > 1 && columns.iter().any(Drawn::is_unnamed) {
        // The columns of one fact have the names of objects, and the fact's name above them.
        for columns in columns.chunk_by(|one, other| std::ptr::eq(one.column, other.column)) {
            let width: f64 = columns.iter().map(|column| column.width).sum();
            if columns[0].is_unnamed() {
                let at = (x + width / 2.0, y + 7.0);
                let name = columns[0].column.fact.get_ref();
                scene.write(name, at, Anchor::Middle, SMALL, width - 4.0, Colour::Grey);
            }
            x += width;
        }
        x = heading;
        y += 16.0;
    }
    for column in &columns {
        let at = (x + column.width / 2.0, y + 7.0);
        scene.write(
            &column.title,
            at,
            Anchor::Middle,
            SMALL,
            column.width - 4.0,
            Colour::Ink,
        );
        x += column.width;
    }
    scene.width = scene.width.max(x);
    y += 16.0;
    let mut group = None;
    let subjects: Vec<Option<&str>> = if table.rows.is_some() {
        rows.iter().map(|row| Some(row.name.as_str())).collect()
    } else {
        vec![None]
    };
    for subject in subjects {
        let own = subject.and_then(|name| groups.get(name).copied());
        if own.is_some() && own != group {
            group = own;
            scene.write(
                own.unwrap_or_default(),
                (0.0, y + 9.0),
                Anchor::Start,
                SMALL,
                scene.width,
                Colour::Grey,
            );
            y += 18.0;
        }
        if let Some(name) = subject {
            scene.shows(name, Frame::new(0.0, y, scene.width, ROW));
            let at = (0.0, y + ROW / 2.0);
            scene.write(name, at, Anchor::Start, TEXT, heading - 6.0, Colour::Ink);
        }
        let mut x = heading;
        for column in &columns {
            let frame = Frame::new(x, y, column.width, ROW).inset(1.5);
            cell(column, subject, frame, facts, &mut scene);
            x += column.width;
        }
        y += ROW;
    }
    scene.height = y;
    scene
}

/// Sorts rows by group and returns the group of each row.
fn gather<'a>(
    table: &FactTable,
    rows: &mut [&'a DrawnObject],
    facts: &Facts<'a>,
) -> BTreeMap<&'a str, &'a str> {
    let Some(group) = &table.group else {
        return BTreeMap::new();
    };
    let pairs = facts.of(group.get_ref()).iter();
    let pairs = pairs.filter_map(|atom| match (atom.arguments.as_slice(), &atom.value) {
        ([row, group], DrawnValue::True) => Some((row.as_str(), group.as_str())),
        ([row], DrawnValue::Symbol(group)) => Some((row.as_str(), group.as_str())),
        _ => None,
    });
    let groups: BTreeMap<&str, &str> = pairs.collect();
    let mut order: Vec<Option<&&str>> = Vec::new();
    for row in rows.iter() {
        let group = groups.get(row.name.as_str());
        if !order.contains(&group) {
            order.push(group);
        }
    }
    rows.sort_by_key(|row| {
        order
            .iter()
            .position(|group| *group == groups.get(row.name.as_str()))
    });
    groups
}

fn columns<'t>(
    table: &'t FactTable,
    vocabulary: &PictureVocabulary,
    world: &'t DrawnProblem,
) -> Vec<Drawn<'t>> {
    let mut drawn = Vec::new();
    for column in &table.column {
        let predicate = vocabulary.find(column.fact.get_ref());
        let parameters = predicate.map_or(&[][..], |predicate| predicate.parameters.as_slice());
        let range = predicate.map_or(DrawnRange::Bool, |predicate| predicate.range);
        let fits = |types: &Vec<String>| {
            let of = table.rows.as_ref().map(|of| of.get_ref());
            of.is_some_and(|of| {
                types.contains(of)
                    || world
                        .objects
                        .iter()
                        .any(|object| object.is(of) && types.iter().any(|name| object.is(name)))
            })
        };
        let own = parameters.iter().position(fits).unwrap_or(0);
        let draw = column.draw.unwrap_or(match (range, parameters.len()) {
            (DrawnRange::Symbol, _) => ColumnStyle::Text,
            (DrawnRange::Bool, 2) if !column.across => ColumnStyle::Text,
            (DrawnRange::Bool, _) => ColumnStyle::Lamp,
            (DrawnRange::Number, _) if column.across => ColumnStyle::Heat,
            (DrawnRange::Number, _) => ColumnStyle::Bar,
        });
        let title = column
            .title
            .clone()
            .unwrap_or_else(|| column.fact.get_ref().clone());
        let others = if column.across {
            let types = parameters.iter().enumerate().find(|&(at, _)| at != own);
            let types = types.map_or(&[][..], |(_, types)| types.as_slice());
            let of = world
                .objects
                .iter()
                .filter(|object| types.iter().any(|name| object.is(name)));
            of.map(|object| Some(object.name.as_str())).collect()
        } else {
            vec![None]
        };
        for other in others {
            let title = match other {
                Some(other) if column.title.is_none() => other.to_owned(),
                Some(other) => format!("{title} {other}"),
                None => title.clone(),
            };
            let least = match draw {
                ColumnStyle::Lamp | ColumnStyle::Heat => 34.0,
                ColumnStyle::Text => 64.0,
                ColumnStyle::Bar | ColumnStyle::Count => 110.0,
            };
            drawn.push(Drawn {
                column,
                width: (text_width(&title, SMALL) + 8.0).clamp(least, 130.0),
                title,
                other,
                own,
                draw,
                range,
            });
        }
    }
    drawn
}

/// Returns the facts of a cell.
fn cell_facts<'f>(column: &Drawn<'_>, subject: Option<&str>, facts: &Facts<'f>) -> Vec<&'f NamedFact> {
    let about = |atom: &&&NamedFact| {
        let own = subject.is_none() || atom.arguments.get(column.own).map(String::as_str) == subject;
        let other = column.other.is_none_or(|other| {
            let mut arguments = atom.arguments.iter().enumerate();
            arguments.any(|(at, name)| at != column.own && name == other)
        });
        own && other
    };
    facts
        .of(column.column.fact.get_ref())
        .iter()
        .filter(about)
        .copied()
        .collect()
}

fn cell(drawn: &Drawn<'_>, subject: Option<&str>, frame: Frame, facts: &Facts<'_>, scene: &mut Scene) {
    let found = cell_facts(drawn, subject, facts);
    let column = drawn.column;
    let colour = column.colour.unwrap_or(Colour::Blue);
    let first = found.first().map(|atom| &atom.value);
    match drawn.draw {
        ColumnStyle::Lamp => {
            let (sprite, colour) = if found.is_empty() {
                (column.otherwise.unwrap_or(Sprite::Dot), Colour::Grey)
            } else {
                (column.shape.unwrap_or(Sprite::Check), colour)
            };
            let is_plain = found.is_empty() && column.otherwise.is_none();
            let size = if is_plain { 8.0 } else { 17.0 };
            scene.elements.push(SceneElement::Sprite {
                sprite,
                frame: Frame::about(frame.centre(), size),
                colour,
                presence: if found.is_empty() {
                    Presence::Wanted
                } else {
                    Presence::Real
                },
                turn: 0.0,
            });
        }
        ColumnStyle::Text => {
            let other = |atom: &&NamedFact| {
                let mut others = atom
                    .arguments
                    .iter()
                    .enumerate()
                    .filter(|&(at, _)| at != drawn.own || subject.is_none());
                others.next().map(|(_, name)| name.clone())
            };
            let texts: Vec<String> = match first {
                Some(DrawnValue::True) => found.iter().filter_map(other).collect(),
                Some(known) => vec![value(known)],
                None => Vec::new(),
            };
            let text = texts.join(", ");
            let colour = texts.iter().find_map(|text| column.colours.get(text)).copied();
            if let Some(colour) = colour.or(column.colour).filter(|_| !text.is_empty()) {
                scene.elements.push(SceneElement::Box {
                    frame,
                    radius: 4.0,
                    fill: Fill::Plain(colour, Tone::Tint),
                    border: Some((colour, Stroke::Thin)),
                });
            }
            let text = if text.is_empty() { "–" } else { &text };
            scene.write(
                text,
                frame.centre(),
                Anchor::Middle,
                SMALL + 1.0,
                frame.width - 4.0,
                Colour::Ink,
            );
        }
        ColumnStyle::Bar => {
            let value = drawn.number(first);
            let least = column.least.unwrap_or(0.0);
            let most = scale(column.most.as_ref(), least, column.fact.get_ref(), subject, facts);
            if most.is_some() {
                bar(value, least, most, frame, colour, scene);
            } else {
                let text = value.map(number).unwrap_or_default();
                let at = frame.centre();
                scene.write(&text, at, Anchor::Middle, SMALL, frame.width, Colour::Ink);
            }
        }
        ColumnStyle::Count => {
            let count = first.and_then(DrawnValue::number).unwrap_or(0.0).max(0.0) as usize;
            let shown = count.min(12);
            let size = (frame.width / shown.max(1) as f64).min(frame.height - 2.0);
            for at in 0..shown {
                scene.elements.push(SceneElement::Sprite {
                    sprite: column.shape.unwrap_or(Sprite::Person),
                    frame: Frame::new(
                        frame.x + size * at as f64,
                        frame.centre().1 - size / 2.0,
                        size,
                        size,
                    )
                    .inset(0.5),
                    colour,
                    presence: Presence::Real,
                    turn: 0.0,
                });
            }
        }
        ColumnStyle::Heat => {
            let Some(value) = drawn.number(first) else {
                return;
            };
            let (least, name) = (column.least.unwrap_or(0.0), column.fact.get_ref());
            let most = scale(column.most.as_ref(), least, name, subject, facts)
                .unwrap_or_else(|| numbers(name, facts).fold(1.0, f64::max));
            scene.elements.push(SceneElement::Box {
                frame,
                radius: 3.0,
                fill: Fill::Heat(heat_level(value, least, most)),
                border: None,
            });
            scene.write(
                &number(value),
                frame.centre(),
                Anchor::Middle,
                SMALL,
                frame.width - 2.0,
                Colour::Ink,
            );
        }
    }
}

/// Returns the upper limit of the scale of the fact `name`. Without a declared limit it is 1, or `None` if a value lies
/// outside the scale.
pub(crate) fn scale(
    most: Option<&Coordinate>,
    least: f64,
    name: &str,
    subject: Option<&str>,
    facts: &Facts<'_>,
) -> Option<f64> {
    match most {
        Some(Coordinate::Number(number)) => Some(*number),
        Some(Coordinate::Fact(name)) => Some(facts.number(name, subject).unwrap_or(1.0)),
        None => numbers(name, facts)
            .all(|value| (least..=1.0).contains(&value))
            .then_some(1.0),
    }
}

/// Iterates over the numbers of a fact.
fn numbers(name: &str, facts: &Facts<'_>) -> impl Iterator<Item = f64> {
    facts.of(name).iter().filter_map(|atom| atom.value.number())
}

/// Draws a bar on a scale with its number, or an empty scale if the number is undefined. Without an upper limit, writes
/// only the number.
pub(crate) fn bar(
    value: Option<f64>,
    least: f64,
    most: Option<f64>,
    frame: Frame,
    colour: Colour,
    scene: &mut Scene,
) {
    let room = text_width("-888.8", SMALL) + 4.0;
    let at = (frame.right(), frame.centre().1);
    let Some(most) = most else {
        let text = value.map(number).unwrap_or_default();
        scene.write(&text, at, Anchor::End, SMALL, room, Colour::Ink);
        return;
    };
    let scale = Frame::new(frame.x, frame.y + 3.0, frame.width - room, frame.height - 6.0);
    scene.elements.push(SceneElement::Box {
        frame: scale,
        radius: 3.0,
        fill: Fill::Plain(Colour::Grey, Tone::Tint),
        border: None,
    });
    let Some(value) = value else {
        return;
    };
    let text = number(value);
    let span = (most - least).max(1e-9);
    let share = |value: f64| ((value - least) / span).clamp(0.0, 1.0);
    let (from, to) = (share(0.0f64.max(least).min(most)), share(value));
    let (left, right) = (from.min(to), from.max(to));
    if right - left > 1e-6 {
        scene.elements.push(SceneElement::Box {
            frame: Frame::new(
                scale.x + scale.width * left,
                scale.y,
                scale.width * (right - left),
                scale.height,
            ),
            radius: 3.0,
            fill: Fill::Plain(colour, Tone::Strong),
            border: None,
        });
    }
    scene.write(&text, at, Anchor::End, SMALL, room, Colour::Ink);
}
