//! The store of the relation of partial bindings.

use ascent::internal::RelIndexMerge;
use std::rc::Rc;

use super::queue::Store;
use super::shared::Shared;
use crate::FactId;

/// A binding of the first atoms of a body, as a column.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::eval) struct Partial {
    pub plan: usize,
    /// How many atoms are joined so far.
    pub joined: usize,
    /// The fact that begins the plan, if one does.
    pub trigger: Option<FactId>,
    /// The binding and then the premises; none for a plan that is yet to begin.
    pub cells: Option<Rc<[u32]>>,
}

/// The plan of the row that stands for those that wait.
const OTHERS: usize = usize::MAX;

impl Partial {
    /// A plan that is yet to begin.
    pub(super) fn of_plan(plan: usize, trigger: Option<FactId>) -> Self {
        Self {
            plan,
            joined: 0,
            trigger,
            cells: None,
        }
    }

    /// The row that stands for those that wait. It is not stored: adding it is what keeps ascent from stopping.
    pub(super) fn others() -> Self {
        Self::of_plan(OTHERS, None)
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + self
                .cells
                .as_ref()
                .map_or(0, |cells| 4 * cells.len() + 2 * size_of::<usize>())
    }
}

/// One version of the relation of partial bindings: a stack, of which each round takes a few. So long bodies are joined
/// almost depth first, and their bindings take up little memory.
#[derive(Default)]
pub(in crate::eval) struct Stack {
    shared: Option<Rc<Shared>>,
    rows: Vec<(Partial,)>,
}

/// The number of bindings that one round takes up.
const FEW: usize = 64;

impl Stack {
    /// The relation that begins with these plans.
    pub(super) fn new(shared: &Rc<Shared>, plans: impl Iterator<Item = usize>) -> Self {
        Self {
            shared: Some(shared.clone()),
            rows: plans.map(|plan| (Partial::of_plan(plan, None),)).collect(),
        }
    }
}

impl Store for Stack {
    type Row = Partial;

    #[inline]
    fn rows(&self) -> &[(Partial,)] {
        &self.rows
    }

    fn admit(&mut self, row: &Partial) -> bool {
        if row.plan != OTHERS {
            let waiting = self.shared.iter().map(|shared| &shared.waiting);
            waiting.for_each(|waiting| waiting.set(waiting.get() + row.bytes()));
            self.rows.push((row.clone(),));
        }
        true
    }
}

impl RelIndexMerge for Stack {
    fn move_index_contents(from: &mut Self, _: &mut Self) {
        from.rows.clear();
    }

    fn merge_delta_to_total_new_to_delta(new: &mut Self, delta: &mut Self, _: &mut Self) {
        delta.rows.clear();
        let rest = new.rows.len().saturating_sub(FEW);
        delta.rows.extend(new.rows.drain(rest..));
        let taken: usize = delta.rows.iter().map(|(row,)| row.bytes()).sum();
        let waiting = new.shared.iter().map(|shared| &shared.waiting);
        waiting.for_each(|waiting| waiting.set(waiting.get().saturating_sub(taken)));
    }

    fn init(new: &mut Self, delta: &mut Self, _: &mut Self) {
        new.shared = delta.shared.clone();
    }
}

macro_rules! rel_ind_common {
    ($($any:tt)*) => {
        $crate::eval::ascent::partial::Stack
    };
}
pub(in crate::eval) use crate::eval::ascent::queue::{rel, rel_codegen, rel_full_ind, rel_ind};
pub(in crate::eval) use rel_ind_common;
