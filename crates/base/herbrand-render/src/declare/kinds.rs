//! Figures and colours that tell the types of objects apart in inferred pictures.

use std::collections::{BTreeMap, BTreeSet};

use toml::Spanned;

use super::check::EVERYWHERE;
use super::{LabelStyle, Layer, Named, Size};
use crate::colour::Colour;
use crate::problem::{DrawnPredicate, DrawnProblem, PictureVocabulary};
use crate::sprite::Sprite;

/// The most specific types of the objects of a problem. Each has a figure and a colour of its own.
pub(super) struct Kinds<'a> {
    world: &'a DrawnProblem,
    /// The types, each with whether its objects are places.
    types: Vec<(&'a str, bool)>,
    /// The types that some layer draws.
    drawn: BTreeSet<usize>,
}

impl<'a> Kinds<'a> {
    pub(super) fn of(
        vocabulary: &'a PictureVocabulary,
        world: &'a DrawnProblem,
        is_place: impl Fn(&Vec<String>) -> bool,
    ) -> Self {
        let is_used = |name: &&String| {
            world
                .objects
                .iter()
                .any(|object| object.types.first() == Some(name))
        };
        let types = vocabulary.types.iter().filter(is_used);
        Self {
            world,
            types: types
                .map(|name| (name.as_str(), is_place(&vec![name.clone()])))
                .collect(),
            drawn: BTreeSet::new(),
        }
    }

    /// Returns the number of types.
    pub(super) const fn len(&self) -> usize {
        self.types.len()
    }

    /// Returns whether there are several types of things that are not places.
    pub(super) fn tell_things_apart(&self) -> bool {
        self.types.iter().filter(|(_, is_place)| !is_place).count() > 1
    }

    /// Returns the layers that draw a figure in each place, if places have several types.
    pub(super) fn places(&self) -> Vec<Layer> {
        let places: Vec<_> = (0..self.len()).filter(|&kind| self.types[kind].1).collect();
        let draw = |&kind: &usize| {
            let (shape, colour) = look(kind);
            Layer {
                label: LabelStyle::None,
                ..self.layer(kind, EVERYWHERE, shape, colour)
            }
        };
        if places.len() > 1 {
            places.iter().map(draw).collect()
        } else {
            Vec::new()
        }
    }

    fn layer(&self, kind: usize, fact: &str, shape: Sprite, colour: Colour) -> Layer {
        let name = self.types[kind].0;
        Layer {
            of: Some(named(name)),
            means: Some(name.to_owned()),
            ..layer(fact, shape, colour)
        }
    }

    /// Returns the layers that draw the facts of a predicate about things of the types `things` at places, one for each
    /// type. If another predicate places the same type, the figures have the colour `other` in place of their type's.
    pub(super) fn things(
        &mut self,
        predicate: &DrawnPredicate,
        things: &[String],
        other: Colour,
    ) -> Vec<Layer> {
        let is_meant = |&kind: &usize| {
            let (name, is_place) = self.types[kind];
            let mut objects = self.world.objects.iter();
            !is_place
                && objects.any(|object| {
                    object.types.first().is_some_and(|first| first == name)
                        && things.iter().any(|own| object.is(own))
                })
        };
        let kinds: Vec<_> = (0..self.len()).filter(is_meant).collect();
        let draw = |kind: usize| {
            let (shape, colour) = look(kind);
            if self.drawn.insert(kind) {
                return self.layer(kind, &predicate.name, shape, colour);
            }
            Layer {
                means: Some(format!("{}: {}", self.types[kind].0, predicate.name)),
                ..self.layer(kind, &predicate.name, shape, other)
            }
        };
        kinds.into_iter().map(draw).collect()
    }
}

fn look(kind: usize) -> (Sprite, Colour) {
    let (shapes, colours) = (Sprite::SERIES, Colour::SERIES);
    (shapes[kind % shapes.len()], colours[kind % colours.len()])
}

/// Makes a name without a position in a file.
pub(super) fn named(name: &str) -> Named {
    Spanned::new(0..0, name.to_owned())
}

pub(super) fn layer(fact: &str, shape: Sprite, colour: Colour) -> Layer {
    Layer {
        fact: named(fact),
        absent: false,
        when: Vec::new(),
        unless: Vec::new(),
        of: None,
        with: None,
        shape: Some(shape),
        colour: Some(colour),
        colours: BTreeMap::new(),
        fill: None,
        most: None,
        label: LabelStyle::Name,
        size: Size::Shared,
        goal: None,
        means: Some(fact.to_owned()),
    }
}
