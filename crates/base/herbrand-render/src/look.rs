//! The appearance of things.

use crate::colour::Colour;
use crate::declare::{Badge, Declaration, Layer};
use crate::facts::Facts;
use crate::item::{Item, labels};
use crate::problem::{DrawnObject, DrawnProblem, NamedFact};
use crate::scene::Presence;
use crate::sprite::Sprite;
use crate::symbols::Symbols;

/// The appearance of things in a state, by their types and badges.
pub(crate) struct Looks<'a> {
    badges: &'a [Badge],
    facts: &'a Facts<'a>,
    world: &'a DrawnProblem,
}

impl<'a> Looks<'a> {
    pub(crate) const fn new(
        declaration: &'a Declaration,
        facts: &'a Facts<'a>,
        world: &'a DrawnProblem,
    ) -> Self {
        Self {
            badges: declaration.badge.as_slice(),
            facts,
            world,
        }
    }

    fn object(&self, name: &str) -> Option<&'a DrawnObject> {
        self.world.objects.iter().find(|object| object.name == name)
    }

    /// Returns whether a layer applies to a thing of this type.
    pub(crate) fn is_of(&self, thing: Option<&str>, layer: &Layer) -> bool {
        self.is(thing, layer.of.as_ref().map(|of| of.get_ref().as_str()))
    }

    fn is(&self, thing: Option<&str>, of: Option<&str>) -> bool {
        let Some(of) = of else { return true };
        thing
            .and_then(|thing| self.object(thing))
            .is_some_and(|object| object.is(of))
    }

    /// Returns the colour that a layer declares for one of a fact's arguments or its value.
    pub(crate) fn declared(&self, layer: &Layer, atom: &NamedFact) -> Option<Colour> {
        let names: Vec<&str> = atom.names().collect();
        names
            .iter()
            .rev()
            .find_map(|&name| layer.colours.get(name))
            .copied()
    }

    /// Returns whether a badge applies to a thing in this state.
    fn marks(&self, badge: &Badge, thing: &str) -> bool {
        self.holds(badge.fact.get_ref(), thing) != badge.absent
            && self.is(Some(thing), badge.of.as_ref().map(|of| of.get_ref().as_str()))
    }

    fn holds(&self, fact: &str, thing: &str) -> bool {
        let mut facts = self.facts.of(fact).iter();
        facts.any(|atom| atom.arguments.first().is_some_and(|first| first == thing))
    }

    /// Returns the colour of a thing by its badges; the last badge takes precedence.
    pub(crate) fn fill(&self, thing: &str) -> Option<Colour> {
        let mut colours = self.badges.iter().filter(|badge| badge.fill.is_some());
        colours
            .rfind(|badge| self.marks(badge, thing))
            .and_then(|badge| badge.fill)
    }

    /// Returns the small figures of a thing's badges.
    pub(crate) fn corners(&self, thing: &str) -> Vec<(Sprite, Colour)> {
        let badges = self.badges.iter().filter(|badge| self.marks(badge, thing));
        let figure = |badge: &Badge| Some((badge.shape?, badge.colour.unwrap_or(Colour::Ink)));
        badges.filter_map(figure).collect()
    }

    /// Returns a character for each badge of a thing: that of its figure, or the first letter of its fact.
    pub(crate) fn marks_of(&self, thing: &str, symbols: &Symbols) -> impl Iterator<Item = char> {
        let badges = self.badges.iter().filter(|badge| self.marks(badge, thing));
        badges.filter_map(|badge| match badge.shape {
            Some(sprite) => symbols.figure(sprite, Some(badge.colour.unwrap_or(Colour::Ink))),
            None => badge.fact.get_ref().chars().next(),
        })
    }

    /// Returns the item that a layer draws for a fact about a thing.
    pub(crate) fn item(
        &self,
        number: usize,
        layer: &Layer,
        thing: Option<&str>,
        atom: Option<&NamedFact>,
        presence: Presence,
    ) -> Item {
        let declared = atom.and_then(|atom| self.declared(layer, atom));
        let declared = declared.or_else(|| thing.and_then(|thing| self.fill(thing)));
        Item {
            thing: thing.map(str::to_owned),
            sprite: layer.shape,
            colour: declared.or(layer.colour).unwrap_or(Colour::Blue),
            labels: labels(layer.label, thing, atom),
            presence,
            size: layer.size,
            badges: thing.map(|thing| self.corners(thing)).unwrap_or_default(),
            carried: Vec::new(),
            layer: number,
        }
    }
}
