//! Places and their contents: grids, graphs and boxes.

use std::collections::BTreeSet;

use super::lines::{border, entry, midpoint, paper};
use super::place::{DrawnPlace, Spots, connected};
use super::{SMALL, TEXT};
use crate::colour::{Colour, HEATS, Tone};
use crate::declare::{Declaration, EVERYWHERE, Edge, Layer, LineStyle, NodeShape, Outside, PlaceFill};
use crate::facts::Facts;
use crate::item::{Item, arrange};
use crate::look::Looks;
use crate::problem::{DrawnProblem, DrawnValue, GoalFact, NamedFact};
use crate::scene::{Anchor, Fill, Frame, Presence, Scene, SceneElement, Stroke, Zone};

/// The places of a problem, with methods to draw their contents.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    spots: Spots,
}

/// The contents of the places in a state.
pub(crate) struct Content {
    /// For each place, its filling and the layer that filled it.
    pub(crate) fills: Vec<Option<(usize, Fill)>>,
    /// For each place, whether the goal requires something there that has no figure.
    pub(crate) wanted: Vec<bool>,
    pub(crate) items: Vec<Vec<Item>>,
    /// The items between two places.
    pub(crate) between: Vec<((usize, usize), Item)>,
}

/// The places of a fact.
#[derive(Default)]
pub(crate) struct Located<'a> {
    pub(crate) spots: Vec<usize>,
    /// The arguments that are not places.
    pub(crate) others: Vec<&'a str>,
    /// Whether the places form a whole row or column; the fact is drawn in each of them.
    pub(crate) strip: bool,
}

impl Board {
    pub(crate) fn new(declaration: &Declaration, world: &DrawnProblem, facts: &Facts<'_>) -> Option<Self> {
        let mut things = std::collections::BTreeSet::new();
        for layer in declaration.layer.iter().filter(|layer| layer.shape.is_some()) {
            for atom in facts.of(layer.fact.get_ref()) {
                things.extend(&atom.arguments);
            }
        }
        let spots = Spots::new(declaration, world, facts, things.len())?;
        Some(Self { spots })
    }

    /// Returns the places.
    pub(crate) const fn spots(&self) -> &Spots {
        &self.spots
    }

    /// Returns the contents of all places in a state.
    pub(crate) fn content(
        &self,
        declaration: &Declaration,
        facts: &Facts<'_>,
        goal: &[GoalFact],
        looks: &Looks<'_>,
    ) -> Content {
        let mut content = Content {
            fills: vec![None; self.spots.spots.len()],
            wanted: vec![false; self.spots.spots.len()],
            items: vec![Vec::new(); self.spots.spots.len()],
            between: Vec::new(),
        };
        // Items at places come first, so that carried items can be attached to them whatever the order of the layers.
        for (number, layer) in declaration.layer.iter().enumerate() {
            self.fill_layer(number, layer, facts, looks, &mut content);
        }
        for (number, layer) in declaration.layer.iter().enumerate() {
            self.carry_layer(number, layer, declaration, facts, looks, &mut content);
        }
        let goals = goal.iter().filter(|wanted| !wanted.satisfied && !wanted.negative);
        for wanted in goals {
            self.want(wanted, declaration, looks, &mut content);
        }
        content
    }

    pub(crate) fn draw(
        &self,
        declaration: &Declaration,
        facts: &Facts<'_>,
        goal: &[GoalFact],
        looks: &Looks<'_>,
    ) -> Scene {
        let content = self.content(declaration, facts, goal, looks);
        let mut scene = Scene {
            width: self.spots.width,
            height: self.spots.height,
            ..Scene::default()
        };
        self.ground(&mut scene);
        for edge in &declaration.edge {
            self.edges(declaration, edge, facts, &mut scene);
        }
        self.places(declaration, &content, &mut scene);
        for ((one, other), item) in &content.between {
            let (one, other) = (self.spots.spots[*one].frame, self.spots.spots[*other].frame);
            let middle = midpoint(one.centre(), other.centre());
            let size = one.width.min(one.height) * 0.5;
            item.draw(Frame::about(middle, size), &mut scene);
        }
        scene
    }

    /// Combines the surroundings of a grid place, `radius` places on each side, from the separate pictures of the places.
    pub(crate) fn around(
        &self,
        middle: usize,
        radius: usize,
        outside: Outside,
        cells: Vec<Scene>,
    ) -> Option<Scene> {
        let places = &self.spots.grid.as_ref()?.spots;
        let (column, row) = *places.get(middle)?;
        let side = self.spots.spots.get(middle)?.frame.width;
        let length = side * (2 * radius + 1) as f64;
        let mut scene = Scene {
            width: length,
            height: length,
            ..Scene::default()
        };
        if outside == Outside::Wall {
            scene.elements.push(SceneElement::Box {
                frame: scene.frame(),
                radius: 0.0,
                fill: Fill::Plain(Colour::Grey, Tone::Strong),
                border: None,
            });
        }
        for (cell, &(across, down)) in cells.into_iter().zip(places) {
            let within =
                |at: usize, middle: usize| (at + radius).checked_sub(middle).filter(|&at| at <= 2 * radius);
            if let (Some(across), Some(down)) = (within(across, column), within(down, row)) {
                scene.paste(cell, (side * across as f64, side * down as f64));
            }
        }
        Some(scene)
    }

    /// Draws each place with its contents as a separate picture.
    pub(crate) fn cells(
        &self,
        declaration: &Declaration,
        facts: &Facts<'_>,
        goal: &[GoalFact],
        looks: &Looks<'_>,
    ) -> Vec<Scene> {
        let content = self.content(declaration, facts, goal, looks);
        let spots = self.spots.spots.iter().enumerate();
        let cell = |(at, spot): (usize, &DrawnPlace)| {
            let frame = Frame::new(0.0, 0.0, spot.frame.width, spot.frame.height);
            let mut scene = Scene {
                width: frame.width,
                height: frame.height,
                ..Scene::default()
            };
            empty(declaration, &content, at, frame, &mut scene);
            fill(declaration, &content, at, frame, &mut scene);
            scene
        };
        spots.map(cell).collect()
    }

    /// Returns the places of a fact and its other names.
    pub(crate) fn locate<'a>(&self, atom: &'a NamedFact) -> Located<'a> {
        let names: Vec<&str> = atom.names().collect();
        self.locate_names(&names)
    }

    pub(crate) fn locate_names<'a>(&self, names: &[&'a str]) -> Located<'a> {
        let pairs = self.spots.spots.first().is_some_and(|spot| spot.names.len() == 2);
        if pairs {
            return self.locate_pair(names);
        }
        let mut located = Located::default();
        for &name in names {
            match self.spots.find(&[name]) {
                Some(spot) => located.spots.push(spot),
                None => located.others.push(name),
            }
        }
        located
    }

    /// Finds a cell by adjacent column and row arguments, or all cells of a column or row.
    fn locate_pair<'a>(&self, names: &[&'a str]) -> Located<'a> {
        for (at, pair) in names.windows(2).enumerate() {
            if let Some(spot) = self.spots.find(pair) {
                let others = names
                    .iter()
                    .enumerate()
                    .filter(|&(place, _)| place != at && place != at + 1);
                return Located {
                    spots: vec![spot],
                    others: others.map(|(_, &name)| name).collect(),
                    strip: false,
                };
            }
        }
        let spots = self.spots.spots.iter().enumerate();
        let within = spots.filter(|(_, spot)| spot.names.iter().any(|name| names.contains(&name.as_str())));
        let spots: Vec<usize> = within.map(|(at, _)| at).collect();
        let is_strip = |name: &str| {
            self.spots
                .spots
                .iter()
                .any(|spot| spot.names.iter().any(|own| own == name))
        };
        Located {
            spots,
            others: names.iter().copied().filter(|name| !is_strip(name)).collect(),
            strip: true,
        }
    }

    /// Draws those facts of a layer that have places.
    fn fill_layer(
        &self,
        number: usize,
        layer: &Layer,
        facts: &Facts<'_>,
        looks: &Looks<'_>,
        content: &mut Content,
    ) {
        let name = layer.fact.get_ref().as_str();
        if layer.absent || name == EVERYWHERE {
            let holding: Vec<usize> = facts
                .of(name)
                .iter()
                .flat_map(|atom| self.locate(atom).spots)
                .collect();
            for spot in (0..self.spots.spots.len()).filter(|spot| !holding.contains(spot)) {
                let own = self.spots.spots[spot].names.first().map(String::as_str);
                let names: Vec<&str> = own.into_iter().collect();
                if facts.allow(&layer.when, &layer.unless, &names) && looks.is_of(own, layer) {
                    self.put(number, layer, spot, None, own, looks, content);
                }
            }
            return;
        }
        for atom in facts.of(name) {
            let located = self.locate(atom);
            let thing = located.others.first().copied();
            let subjects: Vec<&str> = atom.names().collect();
            if !facts.allow(&layer.when, &layer.unless, &subjects)
                || !looks.is_of(thing.or_else(|| subjects.first().copied()), layer)
            {
                continue;
            }
            match *located.spots {
                _ if located.strip => {
                    for &spot in &located.spots {
                        self.put(number, layer, spot, Some(atom), thing, looks, content);
                    }
                }
                [spot] => self.put(number, layer, spot, Some(atom), thing, looks, content),
                [one, other] => {
                    let item = looks.item(number, layer, thing, Some(atom), Presence::Real);
                    let is_new = |(ends, known): &((usize, usize), Item)| {
                        *ends != (other, one) || known.thing != item.thing
                    };
                    if content.between.iter().all(is_new) {
                        content.between.push(((one, other), item));
                    }
                }
                _ => {}
            }
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one fact at one place, with what it is drawn by"
    )]
    fn put(
        &self,
        number: usize,
        layer: &Layer,
        spot: usize,
        atom: Option<&NamedFact>,
        thing: Option<&str>,
        looks: &Looks<'_>,
        content: &mut Content,
    ) {
        if let Some(fill) = layer.fill {
            content.fills[spot] = Some((number, fill_of(fill, layer, atom, looks)));
        }
        if layer.shape.is_some() || layer.label != crate::declare::LabelStyle::None {
            let item = looks.item(number, layer, thing, atom, Presence::Real);
            content.items[spot].push(item);
        }
    }

    /// Draws those facts of a layer that have no place, with the carriers of their things.
    fn carry_layer(
        &self,
        number: usize,
        layer: &Layer,
        declaration: &Declaration,
        facts: &Facts<'_>,
        looks: &Looks<'_>,
        content: &mut Content,
    ) {
        for atom in facts.of(layer.fact.get_ref()) {
            let located = self.locate(atom);
            let subjects = located.others.clone();
            let allowed = facts.allow(&layer.when, &layer.unless, &subjects);
            if layer.absent
                || !located.spots.is_empty()
                || !allowed
                || !looks.is_of(subjects.first().copied(), layer)
            {
                continue;
            }
            let item = looks.item(
                number,
                layer,
                subjects.first().copied(),
                Some(atom),
                Presence::Real,
            );
            if let Some(carrier) = carrier(layer, declaration, &subjects, &mut content.items) {
                carrier.carried.push(item);
            }
        }
    }

    /// Marks a goal fact.
    fn want(&self, wanted: &GoalFact, declaration: &Declaration, looks: &Looks<'_>, content: &mut Content) {
        let mut layers = declaration.layer.iter().enumerate();
        let drawn = |(_, layer): &(usize, &Layer)| {
            *layer.fact.get_ref() == wanted.name && !layer.absent && layer.goal != Some(false)
        };
        let names: Vec<&str> = wanted.arguments.iter().map(String::as_str).collect();
        let located = self.locate_names(&names);
        let thing = located.others.first().copied();
        let subject = thing.or_else(|| wanted.arguments.first().map(String::as_str));
        let atom = NamedFact {
            name: wanted.name.clone(),
            arguments: wanted.arguments.clone(),
            value: DrawnValue::True,
        };
        let item = |number, layer: &Layer| {
            let item = looks.item(number, layer, thing, None, Presence::Wanted);
            Item {
                colour: looks.declared(layer, &atom).unwrap_or(item.colour),
                ..item
            }
        };
        let mut fitting = layers
            .by_ref()
            .filter(drawn)
            .filter(|(_, layer)| looks.is_of(subject, layer));
        match *located.spots {
            [spot] => match fitting.next() {
                Some((number, layer)) if layer.shape.is_some() => {
                    content.items[spot].push(item(number, layer));
                }
                Some(_) => content.wanted[spot] = true,
                None => {}
            },
            [] => {
                let Some((number, layer)) = fitting.next() else {
                    return;
                };
                let item = item(number, layer);
                if let Some(carrier) = carrier(layer, declaration, &located.others, &mut content.items) {
                    carrier.carried.push(item);
                }
            }
            _ => {}
        }
    }

    /// Draws walls and the frames of groups.
    fn ground(&self, scene: &mut Scene) {
        for &frame in &self.spots.walls {
            scene.elements.push(SceneElement::Box {
                frame,
                radius: 2.0,
                fill: Fill::Plain(Colour::Grey, Tone::Strong),
                border: None,
            });
        }
        for (name, frame) in &self.spots.groups {
            let of_boxes = self.spots.spots.iter().any(|spot| frame.contains(&spot.frame));
            if of_boxes {
                scene.elements.push(SceneElement::Box {
                    frame: *frame,
                    radius: 8.0,
                    fill: Fill::Plain(Colour::Grey, Tone::Tint),
                    border: Some((Colour::Grey, Stroke::Thin)),
                });
                let at = (frame.x + 8.0, frame.y + 11.0);
                scene.write(name, at, Anchor::Start, TEXT, frame.width - 16.0, Colour::Ink);
            } else {
                let at = (frame.x, frame.centre().1);
                scene.write(name, at, Anchor::Start, SMALL, frame.width, Colour::Ink);
            }
        }
    }

    fn edges(&self, declaration: &Declaration, edge: &Edge, facts: &Facts<'_>, scene: &mut Scene) {
        let mut pairs = Vec::new();
        for atom in facts.of(edge.fact.get_ref()) {
            let located = self.locate(atom);
            let subjects: Vec<&str> = if located.others.is_empty() {
                atom.arguments.first().map(String::as_str).into_iter().collect()
            } else {
                located.others.clone()
            };
            if !facts.allow(&edge.when, &edge.unless, &subjects) {
                continue;
            }
            pairs.extend(
                connected(&located.spots)
                    .into_iter()
                    .filter(|(one, other)| one != other),
            );
        }
        let all: BTreeSet<_> = pairs.iter().copied().collect();
        let mut drawn = BTreeSet::new();
        for (one, other) in pairs {
            let arrow = edge.arrow || (edge.one_way && !all.contains(&(other, one)));
            if drawn.contains(&(one, other)) || (!arrow && drawn.contains(&(other, one))) {
                continue;
            }
            drawn.insert((one, other));
            let (one, other) = (&self.spots.spots[one], &self.spots.spots[other]);
            let from = border(one.frame, other.frame.centre());
            let mut to = border(other.frame, one.frame.centre());
            // The head of an arrow is drawn before the name of its place, which would cover it.
            if let Some(caption) = other.caption.filter(|_| arrow && declaration.boxes.is_none()) {
                to = entry(paper(&other.names[0], caption), from, to).unwrap_or(to);
            }
            scene.elements.push(SceneElement::Line {
                points: vec![from, to],
                colour: edge.colour.unwrap_or(Colour::Grey),
                stroke: match edge.line {
                    LineStyle::Thin => Stroke::Thin,
                    LineStyle::Bold => Stroke::Bold,
                    LineStyle::Dashed => Stroke::Dashed,
                },
                arrow,
            });
        }
    }

    fn places(&self, declaration: &Declaration, content: &Content, scene: &mut Scene) {
        for (at, spot) in self.spots.spots.iter().enumerate() {
            empty(declaration, content, at, spot.frame, scene);
            scene.zones.push(Zone {
                frame: spot.frame,
                names: spot.names.clone(),
            });
            if let Some(caption) = spot.caption {
                self.caption(declaration, &spot.names[0], caption, scene);
            }
            fill(declaration, content, at, spot.frame, scene);
        }
    }

    /// Draws the name of a place.
    fn caption(&self, declaration: &Declaration, name: &str, room: Frame, scene: &mut Scene) {
        if declaration.boxes.is_some() {
            let at = (room.x + 2.0, room.centre().1);
            scene.write(name, at, Anchor::Start, SMALL, room.width - 2.0, Colour::Ink);
            return;
        }
        // Lines may run below the name, so it gets a background.
        scene.elements.push(SceneElement::Box {
            frame: paper(name, room),
            radius: 2.0,
            fill: Fill::Plain(Colour::Paper, Tone::Strong),
            border: None,
        });
        scene.write(
            name,
            room.centre(),
            Anchor::Middle,
            SMALL,
            room.width - 2.0,
            Colour::Ink,
        );
    }
}

/// Draws an empty place in its frame.
fn empty(declaration: &Declaration, content: &Content, at: usize, frame: Frame, scene: &mut Scene) {
    let fill = content.fills[at].map_or(Fill::Plain(Colour::Paper, Tone::Strong), |(_, fill)| fill);
    let border = Some(if content.wanted[at] {
        (Colour::Green, Stroke::Dashed)
    } else {
        (Colour::Grey, Stroke::Thin)
    });
    scene.elements.push(if has_discs(declaration) {
        SceneElement::Disc { frame, fill, border }
    } else {
        SceneElement::Box {
            frame,
            radius: if declaration.grid.is_some() { 2.0 } else { 7.0 },
            fill,
            border,
        }
    });
}

/// Draws the contents of a place.
fn fill(declaration: &Declaration, content: &Content, at: usize, frame: Frame, scene: &mut Scene) {
    let margin = if has_discs(declaration) {
        frame.width * 0.14
    } else {
        2.5
    };
    arrange(&content.items[at], frame.inset(margin), scene);
}

/// Returns whether places are circles.
fn has_discs(declaration: &Declaration) -> bool {
    let graph = declaration.graph.as_ref();
    graph.is_some_and(|graph| graph.node == NodeShape::Disc)
}

/// Finds the carrier of a layer's thing: the item of the declared layer, or the item of the last subject wherever it is.
fn carrier<'i>(
    layer: &Layer,
    declaration: &Declaration,
    subjects: &[&str],
    items: &'i mut [Vec<Item>],
) -> Option<&'i mut Item> {
    let mut all = items.iter_mut().flatten();
    match &layer.with {
        Some(with) => {
            let carries = |item: &&mut Item| {
                item.presence == Presence::Real
                    && declaration.layer[item.layer].fact.get_ref() == with.get_ref()
            };
            all.find(carries)
        }
        None => {
            let container = *subjects.last()?;
            let is_thing = |item: &&mut Item| {
                item.presence == Presence::Real && item.thing.as_deref() == Some(container)
            };
            (subjects.len() > 1).then(|| all.find(is_thing)).flatten()
        }
    }
}

fn fill_of(fill: PlaceFill, layer: &Layer, atom: Option<&NamedFact>, looks: &Looks<'_>) -> Fill {
    let colour = atom
        .and_then(|atom| looks.declared(layer, atom))
        .or(layer.colour)
        .unwrap_or(Colour::Blue);
    match fill {
        PlaceFill::Tint => Fill::Plain(colour, Tone::Tint),
        PlaceFill::Strong => Fill::Plain(colour, Tone::Strong),
        PlaceFill::Heat => {
            let value = atom
                .map(|atom| &atom.value)
                .and_then(DrawnValue::number)
                .unwrap_or(0.0);
            Fill::Heat(heat_level(value, 0.0, layer.most.unwrap_or(1.0)))
        }
    }
}

/// Returns the level of the heat scale for a value between two others.
pub(crate) fn heat_level(value: f64, least: f64, most: f64) -> u8 {
    let share = (value - least) / (most - least).max(1e-9);
    (share.clamp(0.0, 1.0) * f64::from(HEATS - 1)).round() as u8
}
