//! The storage of the relation `partial`.

use ascent::internal::RelIndexMerge;
use std::rc::Rc;

use super::queue::Store;
use super::shared::Shared;
use crate::program::ids::FactId;

/// A binding of the first atoms of a body, as an ascent column.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::eval) struct Partial {
    pub plan: usize,
    /// The number of joined atoms.
    pub joined: usize,
    /// The fact that triggered the plan; `None` for a plan without a trigger.
    pub trigger: Option<FactId>,
    /// The binding, then the premises; `None` for a plan that has not begun.
    pub cells: Option<Rc<[u32]>>,
}

/// The plan number of the row that represents all bindings left for later rounds.
const OTHERS: usize = usize::MAX;

impl Partial {
    /// Creates the row of a plan that has not begun.
    pub(super) fn of_plan(plan: usize, trigger: Option<FactId>) -> Self {
        Self {
            plan,
            joined: 0,
            trigger,
            cells: None,
        }
    }

    /// Creates the row that represents all bindings left for later rounds. It is not stored; adding it makes ascent run
    /// another round.
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

/// One version of the relation `partial`: a stack. Each round takes a few rows from its top. As a result, the join is almost
/// depth first, and few bindings are stored at a time.
#[derive(Default)]
pub(in crate::eval) struct Stack {
    shared: Option<Rc<Shared>>,
    rows: Vec<(Partial,)>,
}

/// The number of rows that one round takes.
const FEW: usize = 64;

impl Stack {
    /// Creates the relation with these plans as initial rows.
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
