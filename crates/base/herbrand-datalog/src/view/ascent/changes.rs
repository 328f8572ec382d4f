//! The storage of the relation `changed`.

use ascent::internal::RelIndexMerge;

use super::Update;
use crate::eval::ascent::queue::Store;

/// A changed fact as an ascent column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Change {
    /// A fact of the current phase, by its number, with the number of the list of the plans that it begins.
    Numbered(u32, u32),
    /// The instance of this head, by number, of the current plan under the current binding.
    Said(u32),
    /// No fact. It makes ascent run another round.
    Next,
}

/// The number of rows for which there is room at first.
const FEW: usize = 32;

/// One version of the relation `changed`. The delta has the facts of the current phase. A head goes to the facts that the
/// update collects, and merging begins the next phase.
#[derive(Default)]
pub(crate) struct Changes<'a> {
    update: Option<&'a Update<'a>>,
    rows: Vec<(Change,)>,
}

impl<'a> Changes<'a> {
    /// Creates the relation with the facts of the first phase.
    pub(super) fn new(update: &'a Update<'a>) -> Self {
        let mut rows = std::mem::take(&mut update.state.borrow_mut().work.spare);
        rows.reserve(FEW);
        update.start(&mut rows);
        Self {
            update: Some(update),
            rows,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl Store for Changes<'_> {
    type Row = Change;

    #[inline]
    fn rows(&self) -> &[(Change,)] {
        &self.rows
    }

    #[inline]
    fn admit(&mut self, row: &Change) -> bool {
        match (row, self.update) {
            (Change::Said(head), Some(update)) => update.admit(*head),
            _ => true,
        }
    }
}

impl RelIndexMerge for Changes<'_> {
    fn move_index_contents(from: &mut Self, _: &mut Self) {
        from.rows.clear();
    }

    fn merge_delta_to_total_new_to_delta(new: &mut Self, delta: &mut Self, _: &mut Self) {
        delta.rows.clear();
        if let Some(update) = new.update {
            update.advance(&mut delta.rows);
        }
    }

    fn init(new: &mut Self, delta: &mut Self, _: &mut Self) {
        new.update = delta.update;
    }
}

macro_rules! rel_ind_common {
    ($($any:tt)*) => {
        $crate::view::ascent::changes::Changes<'a>
    };
}
pub(crate) use crate::eval::ascent::queue::{rel, rel_codegen, rel_full_ind, rel_ind};
pub(crate) use rel_ind_common;
