//! Towers of stacked blocks.

use std::collections::{BTreeMap, BTreeSet};

use super::{SMALL, TEXT};
use crate::colour::{Colour, Tone};
use crate::declare::{Declaration, Layer, Stacks};
use crate::facts::Facts;
use crate::item::{Item, arrange};
use crate::look::Looks;
use crate::problem::{DrawnProblem, DrawnValue, GoalFact, NamedFact};
use crate::scene::{Anchor, Fill, Frame, Presence, Scene, SceneElement, Stroke};
use crate::text::{tail, text_width};

/// A tower of blocks from bottom to top.
pub(crate) struct Tower<'a> {
    /// The object that supports the tower, if there is one.
    pub(crate) base: Option<&'a str>,
    pub(crate) items: Vec<&'a str>,
}

/// The dimensions of a picture of towers, equal in all states of a problem.
struct Sizes {
    width: f64,
    height: f64,
    /// The maximum number of blocks in a tower.
    most: usize,
    /// The number of the largest bar, if blocks are bars.
    largest: Option<usize>,
}

const GAP: f64 = 10.0;

/// Draws the towers of a state.
pub(crate) fn stacks(
    stacks: &Stacks,
    declaration: &Declaration,
    world: &DrawnProblem,
    facts: &Facts<'_>,
    looks: &Looks<'_>,
) -> Scene {
    let sizes = sizes(stacks, world);
    let towers = towers(stacks, world, facts);
    match &stacks.group {
        None => row(&towers, stacks, world, &sizes, looks),
        Some(group) => grouped(&towers, group.get_ref(), declaration, world, facts, looks, &sizes),
    }
}

/// Draws the towers of the goal; `None` if the goal has none.
pub(crate) fn towers_of_goal(
    stacks: &Stacks,
    world: &DrawnProblem,
    goal: &[GoalFact],
    looks: &Looks<'_>,
) -> Option<Scene> {
    let wanted = goal.iter().filter(|wanted| !wanted.negative);
    let atom = |wanted: &GoalFact| NamedFact {
        name: wanted.name.clone(),
        arguments: wanted.arguments.clone(),
        value: DrawnValue::True,
    };
    let on = stacks.on.get_ref();
    let atoms: Vec<NamedFact> = wanted
        .filter(|wanted| wanted.name == *on || wanted.name == *stacks.base.get_ref())
        .map(atom)
        .collect();
    let some = atoms.iter().any(|atom| atom.name == *on);
    if !some {
        return None;
    }
    let facts = Facts::new(&atoms);
    let mut towers = towers(stacks, world, &facts);
    if sizes(stacks, world).largest.is_none() {
        towers.retain(|tower| !tower.items.is_empty());
    }
    let mut sizes = sizes(stacks, world);
    sizes.most = towers.iter().map(|tower| tower.items.len()).max().unwrap_or(1);
    let mut scene = Scene::default();
    scene.paste(row(&towers, stacks, world, &sizes, looks), (0.0, 20.0));
    // Blocks of the goal are not real, so clicks must not find them.
    scene.zones.clear();
    scene.write("goal", (0.0, 8.0), Anchor::Start, TEXT, scene.width, Colour::Ink);
    Some(scene)
}

/// Returns the objects that support towers; empty if `base` is not a type.
fn bases<'w>(stacks: &Stacks, world: &'w DrawnProblem) -> Vec<&'w str> {
    let objects = world
        .objects
        .iter()
        .filter(|object| object.is(stacks.base.get_ref()));
    objects.map(|object| object.name.as_str()).collect()
}

/// Returns whether towers have supporting objects.
pub(crate) fn has_bases(stacks: &Stacks, world: &DrawnProblem) -> bool {
    !bases(stacks, world).is_empty()
}

/// Iterates over the names of the objects that can be blocks.
fn things<'w>(stacks: &Stacks, world: &'w DrawnProblem) -> impl Iterator<Item = &'w str> {
    let bases = bases(stacks, world);
    let names = world.objects.iter().map(|object| object.name.as_str());
    names.filter(move |name| !bases.contains(name))
}

/// Returns the number of the largest bar; `None` if blocks are not bars.
pub(crate) fn largest_bar(stacks: &Stacks, world: &DrawnProblem) -> Option<usize> {
    let numbers = || things(stacks, world).filter_map(|name| tail(name).parse().ok());
    stacks.bars.then(|| numbers().max()).flatten()
}

fn sizes(stacks: &Stacks, world: &DrawnProblem) -> Sizes {
    let items = || things(stacks, world);
    let widest = items().map(|name| text_width(name, TEXT)).fold(30.0, f64::max);
    let count = items().count().max(1);
    let largest = largest_bar(stacks, world);
    Sizes {
        width: match largest {
            Some(_) => 150.0,
            None => (widest + 12.0).min(96.0),
        },
        height: match largest {
            Some(_) => (150.0 / count as f64).clamp(8.0, 20.0),
            None => 24.0,
        },
        most: match largest {
            Some(_) => count,
            None => count.min(10),
        },
        largest,
    }
}

/// Arranges towers side by side on a common ground, in several rows if there are many.
fn row(
    towers: &[Tower<'_>],
    stacks: &Stacks,
    world: &DrawnProblem,
    sizes: &Sizes,
    looks: &Looks<'_>,
) -> Scene {
    let tallest = towers.iter().map(|tower| tower.items.len()).max().unwrap_or(0);
    let most = sizes.most.max(tallest);
    let with_names = has_bases(stacks, world);
    let below = if with_names { 16.0 } else { 6.0 };
    let columns = ((640.0 / (sizes.width + GAP)) as usize).max(1);
    let columns = match sizes.largest {
        // The ground has room for every block, so that its width does not change between states.
        None if !with_names => columns.min(world.objects.len().max(1)),
        _ => columns.min(towers.len().max(1)),
    };
    let rows = towers.len().div_ceil(columns).max(1);
    let level = most as f64 * (sizes.height + 1.0) + 6.0;
    let mut scene = Scene {
        width: columns as f64 * (sizes.width + GAP),
        height: rows as f64 * (level + below + 8.0),
        ..Scene::default()
    };
    for row in 0..rows {
        let ground = row as f64 * (level + below + 8.0) + level;
        scene.elements.push(SceneElement::Box {
            frame: Frame::new(0.0, ground, scene.width, 4.0),
            radius: 2.0,
            fill: Fill::Plain(Colour::Brown, Tone::Strong),
            border: None,
        });
    }
    for (at, tower) in towers.iter().enumerate() {
        let left = (at % columns) as f64 * (sizes.width + GAP) + GAP / 2.0;
        let ground = (at / columns) as f64 * (level + below + 8.0) + level;
        if sizes.largest.is_some() {
            scene.elements.push(SceneElement::Box {
                frame: Frame::new(left + sizes.width / 2.0 - 2.5, ground - level, 5.0, level),
                radius: 2.0,
                fill: Fill::Plain(Colour::Brown, Tone::Strong),
                border: None,
            });
        }
        draw_tower(tower, (left, ground), sizes, looks, &mut scene);
        if let Some(base) = tower.base {
            scene.shows(base, Frame::new(left, ground, sizes.width, below + 4.0));
            let at = (left + sizes.width / 2.0, ground + 11.0);
            scene.write(base, at, Anchor::Middle, SMALL, sizes.width, Colour::Ink);
        }
    }
    scene
}

/// Draws a tower upwards from a point on the ground.
fn draw_tower(
    tower: &Tower<'_>,
    (left, ground): (f64, f64),
    sizes: &Sizes,
    looks: &Looks<'_>,
    scene: &mut Scene,
) {
    for (level, name) in tower.items.iter().enumerate() {
        let top = ground - (level + 1) as f64 * (sizes.height + 1.0);
        let number: Option<usize> = tail(name).parse().ok();
        let width = match (sizes.largest, number) {
            (Some(largest), Some(number)) => sizes.width * (number as f64 + 0.6) / (largest as f64 + 0.8),
            _ => sizes.width,
        };
        let frame = Frame::new(left + (sizes.width - width) / 2.0, top, width, sizes.height);
        scene.shows(name, frame);
        let colour = looks.fill(name).unwrap_or(match sizes.largest {
            Some(_) => Colour::SERIES[number.unwrap_or(0) % Colour::SERIES.len()],
            None => Colour::Sky,
        });
        scene.elements.push(SceneElement::Box {
            frame,
            radius: 3.0,
            fill: Fill::Plain(colour, Tone::Tint),
            border: Some((colour, Stroke::Thin)),
        });
        let corners = looks.corners(name);
        let mut room = frame.inset(2.0);
        for &(sprite, colour) in &corners {
            let side = (frame.height - 6.0).max(6.0);
            room.width -= side + 2.0;
            scene.elements.push(SceneElement::Sprite {
                sprite,
                frame: Frame::new(room.right(), frame.y + 3.0, side, side),
                colour,
                presence: Presence::Real,
                turn: 0.0,
            });
        }
        let size = TEXT.min(frame.height - 2.0);
        if size >= 6.0 {
            let text = match sizes.largest {
                Some(_) => tail(name),
                None => name,
            };
            scene.write(text, room.centre(), Anchor::Middle, size, room.width, Colour::Ink);
        }
    }
}

/// Draws towers by the place of their bases. Each place is a frame with other items of the place below the towers.
fn grouped(
    towers: &[Tower<'_>],
    group: &str,
    declaration: &Declaration,
    world: &DrawnProblem,
    facts: &Facts<'_>,
    looks: &Looks<'_>,
    sizes: &Sizes,
) -> Scene {
    const HEAD: f64 = 18.0;
    const SHELF: f64 = 58.0;
    const WIDEST: f64 = 640.0;
    let place_of = |name: &str| {
        let mut facts = facts.of(group).iter();
        facts.find_map(|atom| match atom.arguments.as_slice() {
            [thing, place] if thing == name => Some(place.as_str()),
            _ => None,
        })
    };
    let mut groups: Vec<(&str, Vec<&Tower<'_>>)> = Vec::new();
    for tower in towers {
        let Some(place) = tower.base.and_then(place_of) else {
            continue;
        };
        match groups.iter_mut().find(|(known, _)| *known == place) {
            Some((_, members)) => members.push(tower),
            None => groups.push((place, vec![tower])),
        }
    }
    let order = |name: &str| world.objects.iter().position(|object| object.name == name);
    groups.sort_by_key(|(place, _)| order(place));
    let most = sizes
        .most
        .min(6)
        .max(towers.iter().map(|tower| tower.items.len()).max().unwrap_or(0));
    let level = most as f64 * (sizes.height + 1.0) + 6.0;
    let height = HEAD + SHELF + level + 22.0;
    let mut scene = Scene::default();
    let (mut x, mut y) = (0.0, 0.0);
    for (place, members) in groups {
        let width = (members.len() as f64 * (sizes.width + GAP) + GAP).max(150.0);
        if x > 0.0 && x + width > WIDEST {
            (x, y) = (0.0, y + height + GAP);
        }
        let frame = Frame::new(x, y, width, height);
        scene.elements.push(SceneElement::Box {
            frame,
            radius: 8.0,
            fill: Fill::Plain(Colour::Paper, Tone::Strong),
            border: Some((Colour::Grey, Stroke::Thin)),
        });
        scene.shows(place, frame);
        scene.write(
            place,
            (x + 8.0, y + 11.0),
            Anchor::Start,
            TEXT,
            width - 16.0,
            Colour::Ink,
        );
        let shelf = Frame::new(x + 6.0, y + HEAD, width - 12.0, SHELF);
        arrange(
            &others(place, group, declaration, facts, looks),
            shelf,
            &mut scene,
        );
        let ground = y + HEAD + SHELF + level;
        for (at, tower) in members.iter().enumerate() {
            let left = x + GAP + at as f64 * (sizes.width + GAP);
            scene.elements.push(SceneElement::Box {
                frame: Frame::new(left, ground, sizes.width, 5.0),
                radius: 2.0,
                fill: Fill::Plain(Colour::Brown, Tone::Strong),
                border: None,
            });
            if let Some(base) = tower.base {
                scene.shows(base, Frame::new(left, ground, sizes.width, 19.0));
            }
            draw_tower(tower, (left, ground), sizes, looks, &mut scene);
            let at = (left + sizes.width / 2.0, ground + 13.0);
            scene.write(
                tower.base.unwrap_or_default(),
                at,
                Anchor::Middle,
                SMALL,
                sizes.width,
                Colour::Ink,
            );
        }
        scene.width = scene.width.max(frame.right());
        scene.height = scene.height.max(frame.bottom());
        x += width + GAP;
    }
    scene
}

/// Returns the items at a place that are not in towers, by the layers, with the items that they carry.
fn others(
    place: &str,
    group: &str,
    declaration: &Declaration,
    facts: &Facts<'_>,
    looks: &Looks<'_>,
) -> Vec<Item> {
    let layers = || declaration.layer.iter().enumerate();
    let mut items = Vec::new();
    for (number, layer) in layers().filter(|(_, layer)| layer.fact.get_ref() == group) {
        for atom in facts.of(group) {
            if let [thing, at] = atom.arguments.as_slice()
                && at == place
                && looks.is_of(Some(thing), layer)
            {
                items.push(looks.item(number, layer, Some(thing), Some(atom), Presence::Real));
            }
        }
    }
    for (number, layer) in layers().filter(|(_, layer)| layer.fact.get_ref() != group) {
        carry(number, layer, facts, looks, &mut items);
    }
    items
}

/// Attaches the things of a layer to those items that are arguments of its facts.
fn carry(number: usize, layer: &Layer, facts: &Facts<'_>, looks: &Looks<'_>, items: &mut [Item]) {
    for atom in facts.of(layer.fact.get_ref()) {
        let holder =
            |name: &String, items: &[Item]| items.iter().position(|item| item.thing.as_ref() == Some(name));
        let found = atom
            .arguments
            .iter()
            .find_map(|name| Some((holder(name, items)?, name)));
        let Some((carrier, name)) = found else { continue };
        let carried = atom.arguments.iter().find(|other| *other != name);
        if let Some(thing) = carried
            && looks.is_of(Some(thing), layer)
        {
            let item = looks.item(number, layer, Some(thing), Some(atom), Presence::Real);
            items[carrier].carried.push(item);
        }
    }
}

/// Returns the towers of a state, in the order of declaration of their bases.
pub(crate) fn towers<'a>(stacks: &Stacks, world: &'a DrawnProblem, facts: &Facts<'a>) -> Vec<Tower<'a>> {
    let pairs = facts.of(stacks.on.get_ref()).iter();
    let pairs = pairs.filter_map(|atom| match atom.arguments.as_slice() {
        [upper, lower] => Some((upper.as_str(), lower.as_str())),
        _ => None,
    });
    let on: BTreeMap<&str, &str> = pairs.map(|(upper, lower)| (lower, upper)).collect();
    let uppers: BTreeSet<&str> = on.values().copied().collect();
    let above = |bottom: &'a str| {
        let mut items = Vec::new();
        let mut top = bottom;
        // A state set by hand may have cycles.
        while let Some(&upper) = on.get(top)
            && items.len() <= on.len()
        {
            items.push(upper);
            top = upper;
        }
        items
    };
    let bases = bases(stacks, world);
    if !bases.is_empty() {
        return bases
            .into_iter()
            .map(|base| Tower {
                base: Some(base),
                items: above(base),
            })
            .collect();
    }
    let grounded = facts.of(stacks.base.get_ref()).iter();
    let grounded = grounded.filter_map(|atom| atom.arguments.first().map(String::as_str));
    let roots: BTreeSet<&str> = grounded
        .chain(on.keys().copied())
        .filter(|name| !uppers.contains(name))
        .collect();
    let objects = world.objects.iter().map(|object| object.name.as_str());
    objects
        .filter(|name| roots.contains(name))
        .map(|root| Tower {
            base: None,
            items: [vec![root], above(root)].concat(),
        })
        .collect()
}
