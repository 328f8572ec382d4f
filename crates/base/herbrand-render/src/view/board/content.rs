//! The contents of places: which facts fill a place, and which things are there.

use super::Board;
use crate::colour::{Colour, HEATS, Tone};
use crate::declare::{Declaration, EVERYWHERE, LabelStyle, Layer, PlaceFill};
use crate::facts::Facts;
use crate::item::Item;
use crate::look::Looks;
use crate::problem::{DrawnValue, GoalFact, NamedFact};
use crate::scene::{Fill, Presence};

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

impl Board {
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
        if layer.shape.is_some() || layer.label != LabelStyle::None {
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
