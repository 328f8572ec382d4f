//! The storage of the relation `fact`.

use ascent::internal::RelIndexMerge;
use std::rc::Rc;

use super::queue::{Store, turn};
use super::shared::Shared;
use crate::program::ids::FactId;

/// A fact as an ascent column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::eval) enum Fact {
    /// A stored fact.
    Numbered(FactId),
    /// A fact that may be new: the instance of this head, by number, of the current rule under the current binding.
    Said(u32),
}

/// One version of the relation `fact`. All versions share one store of facts; the delta and the new version list the ids of
/// their facts.
#[derive(Default)]
pub(in crate::eval) struct Facts {
    shared: Option<Rc<Shared>>,
    rows: Vec<(Fact,)>,
}

impl Facts {
    /// Creates the relation with all facts of the model as initial rows.
    pub(super) fn new(shared: &Rc<Shared>) -> Self {
        let known = shared.model().ids();
        Self {
            shared: Some(shared.clone()),
            rows: known.map(|fact| (Fact::Numbered(fact),)).collect(),
        }
    }
}

impl Store for Facts {
    type Row = Fact;

    #[inline]
    fn rows(&self) -> &[(Fact,)] {
        &self.rows
    }

    /// Looks up a tuple, and assigns it an id if it is new.
    #[inline]
    fn admit(&mut self, row: &Fact) -> bool {
        let (Fact::Said(head), Some(shared)) = (row, &self.shared) else {
            return false;
        };
        let new = shared.state.borrow_mut().insert(*head);
        self.rows.extend(new.map(|fact| (Fact::Numbered(fact),)));
        new.is_some()
    }
}

impl RelIndexMerge for Facts {
    fn move_index_contents(from: &mut Self, _: &mut Self) {
        from.rows.clear();
    }

    fn merge_delta_to_total_new_to_delta(new: &mut Self, delta: &mut Self, _: &mut Self) {
        turn(&mut new.rows, &mut delta.rows);
    }

    fn init(new: &mut Self, delta: &mut Self, _: &mut Self) {
        new.shared = delta.shared.clone();
    }
}

macro_rules! rel_ind_common {
    ($($any:tt)*) => {
        $crate::eval::ascent::facts::Facts
    };
}
pub(in crate::eval) use crate::eval::ascent::queue::{rel, rel_codegen, rel_full_ind, rel_ind};
pub(in crate::eval) use rel_ind_common;
