//! Assigns characters to figures.

use std::collections::BTreeMap;

use crate::colour::Colour;
use crate::declare::{Declaration, LabelStyle, Layer, PlaceFill};
use crate::sprite::Sprite;

/// The characters of a declaration's figures. Different looking figures have different characters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbols {
    figures: BTreeMap<(Sprite, Option<Colour>), char>,
    /// For each layer, the character of the places that it only fills.
    fills: Vec<Option<char>>,
}

/// Characters with a fixed meaning: goal marks, empty cells, carried items.
const RESERVED: [char; 5] = ['*', '.', '(', ')', ','];

impl Symbols {
    pub(crate) fn new(declaration: &Declaration) -> Self {
        let mut taken = RESERVED.to_vec();
        let mut figures = BTreeMap::new();
        for layer in &declaration.layer {
            if let Some(sprite) = layer.shape {
                let key = (sprite, layer.colour);
                figures
                    .entry(key)
                    .or_insert_with(|| choose(&mut taken, usual(sprite), &words_of(layer)));
            }
        }
        for badge in &declaration.badge {
            if let Some(sprite) = badge.shape {
                let words = badge.means.clone().unwrap_or_default() + badge.fact.get_ref();
                figures
                    .entry((sprite, Some(badge.colour.unwrap_or(Colour::Ink))))
                    .or_insert_with(|| choose(&mut taken, usual(sprite), &words));
            }
        }
        let fills = declaration.layer.iter().map(|layer| {
            let first = match layer.fill? {
                PlaceFill::Heat => return None,
                PlaceFill::Strong => '#',
                PlaceFill::Tint => '~',
            };
            only_fills(layer).then(|| choose(&mut taken, first, &words_of(layer)))
        });
        Self {
            fills: fills.collect(),
            figures,
        }
    }

    /// Returns the character of a layer's figure, or of the places that the layer only fills.
    pub(crate) fn layer(&self, number: usize, layer: &Layer) -> Option<char> {
        match layer.shape {
            Some(sprite) => self.figure(sprite, layer.colour),
            None => self.fills.get(number).copied().flatten(),
        }
    }

    /// Returns the character of a figure.
    pub(crate) fn figure(&self, sprite: Sprite, colour: Option<Colour>) -> Option<char> {
        self.figures.get(&(sprite, colour)).copied()
    }
}

impl Declaration {
    /// Returns the symbols of the declaration's figures.
    pub(crate) fn symbols(&self) -> Symbols {
        Symbols::new(self)
    }
}

/// Returns whether a layer only fills places, without a figure or a label.
pub(crate) fn only_fills(layer: &Layer) -> bool {
    layer.fill.is_some() && layer.shape.is_none() && layer.label == LabelStyle::None
}

fn words_of(layer: &Layer) -> String {
    layer.means.clone().unwrap_or_default() + layer.fact.get_ref()
}

/// Returns the usual character of a figure: that of classic text games, or the first letter of its name.
fn usual(sprite: Sprite) -> char {
    match sprite {
        Sprite::Person => '@',
        Sprite::Robot => 'R',
        Sprite::Crate => '$',
        Sprite::Target => 'x',
        Sprite::Wall => '#',
        Sprite::Water => '~',
        Sprite::Hill => '^',
        Sprite::Rubble => '%',
        Sprite::Dot => 'o',
        Sprite::Head => 'O',
        Sprite::Check => '+',
        Sprite::Fire => 'f',
        other => other.name().chars().next().unwrap_or('?'),
    }
}

/// Chooses the first free character among the usual one, letters of the words, and all others.
fn choose(taken: &mut Vec<char>, usual: char, words: &str) -> char {
    let letters = words.chars().filter(char::is_ascii_alphabetic);
    let cased = letters.flat_map(|letter| [letter.to_ascii_lowercase(), letter.to_ascii_uppercase()]);
    let rest = ('a'..='z').chain('A'..='Z').chain('!'..='~');
    let mut candidates = [usual, usual.to_ascii_uppercase()]
        .into_iter()
        .chain(cased)
        .chain(rest);
    let found = candidates.find(|candidate| !taken.contains(candidate));
    let symbol = found.unwrap_or('?');
    taken.push(symbol);
    symbol
}
