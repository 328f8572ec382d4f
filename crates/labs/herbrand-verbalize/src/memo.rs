//! Sentences that were made before.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use crate::index::Meaning;

/// The number of sentences that are kept.
const MOST: usize = 1 << 14;
/// The maximum length of the value in a sentence that is kept, in bytes.
const LONGEST: usize = 64;

/// A fact or an action: the index of its symbol, and its arguments and value.
type Place = (usize, Meaning);

/// The sentences of facts or actions, each made once: the check that a sentence has no other meaning compares it with all
/// patterns. `None` is the answer that there is no such sentence. A clone is empty.
#[derive(Debug, Default)]
pub(crate) struct Memo(RwLock<HashMap<Place, Option<String>>>);

impl Memo {
    /// Returns the sentence, which `make` makes if it is not known. If many are kept, further ones are made in each call, and
    /// so are those with long values, which only hostile texts have.
    pub(crate) fn get_or_make(
        &self,
        place: Place,
        make: impl FnOnce(&Meaning) -> Option<String>,
    ) -> Option<String> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(&place) {
            return known.clone();
        }
        drop(known);
        let made = make(&place.1);
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let is_short = place.1.value.as_ref().is_none_or(|value| value.len() <= LONGEST);
        if is_short && known.len() < MOST {
            known.insert(place, made.clone());
        }
        made
    }
}

impl Clone for Memo {
    fn clone(&self) -> Self {
        Self::default()
    }
}
