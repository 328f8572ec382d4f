//! Lists of landmarks.

use herbrand_ground::ActionId;

/// Disjunctive action landmarks with their prices: every plan has an action of each, and an action costs at least the sum of
/// the prices of the landmarks that contain it.
///
/// ```text
///   words   price │ number of actions │ action, … ║ price │ …
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Landmarks {
    words: Vec<u32>,
}

impl Landmarks {
    pub(crate) fn clear(&mut self) {
        self.words.clear();
    }

    pub(crate) fn push(&mut self, price: u32, actions: &[u32]) {
        self.words.extend([price, actions.len() as u32]);
        self.words.extend_from_slice(actions);
    }

    /// Adds all landmarks in `words`.
    pub(crate) fn extend(&mut self, words: &[u32]) {
        self.words.extend_from_slice(words);
    }

    /// Adds the landmarks in `words` that do not contain an action.
    pub(crate) fn extend_without(&mut self, words: &[u32], action: ActionId) {
        for (price, actions) in each(words) {
            if !actions.contains(&action.number()) {
                self.push(price, actions);
            }
        }
    }

    /// Returns the price and the actions of each landmark.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &[u32])> {
        each(&self.words)
    }

    /// Returns the words, from which the landmarks can be restored.
    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }
}

/// Returns the price and the actions of each landmark in `words`.
fn each(mut words: &[u32]) -> impl Iterator<Item = (u32, &[u32])> {
    std::iter::from_fn(move || {
        let [price, count, rest @ ..] = words else {
            return None;
        };
        let (actions, rest) = rest.split_at_checked(*count as usize)?;
        words = rest;
        Some((*price, actions))
    })
}
