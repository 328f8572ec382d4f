//! The storage that the relations of the ascent program share.

use std::cell::{Cell, RefCell, RefMut};
use std::rc::Rc;

use super::entries::Entry;
use crate::eval::model::Model;
use crate::eval::rule::{Frame, RuleCode};
use crate::plan::body::Body;
use crate::program::Program;
use crate::program::ids::{FactId, Symbol};
use crate::store::growing::GrowingIndexes;

/// The contents of the relations, and the current binding of the join.
///
/// Facts are added while entries are iterated, and entries are added while facts are read. So each has its own cell, and
/// each borrow is short. Only the iteration over entries borrows for longer; no rule both reads and adds entries.
pub(super) struct Shared {
    pub state: RefCell<State>,
    pub entries: RefCell<GrowingIndexes<(Entry,)>>,
    /// The bytes of the bindings that are left for later rounds.
    pub waiting: Cell<usize>,
}

/// The facts, and the current binding of the join.
pub(super) struct State {
    pub model: Model,
    pub codes: Vec<RuleCode>,
    pub frame: Frame<()>,
    /// The current rule.
    pub rule: usize,
    /// The fact that triggered the current plan.
    pub trigger: FactId,
    /// The number of entries that may be tried before the next check of the limits.
    pub fuel: u64,
}

impl Shared {
    pub(super) fn new(program: &Program, bodies: &[Body], input: Model, fuel: u64) -> Self {
        let codes = RuleCode::of_program(program, bodies, &input);
        let state = State {
            frame: Frame::new(program, &codes),
            codes,
            model: input,
            rule: 0,
            trigger: FactId::new(0),
            fuel,
        };
        Self {
            state: RefCell::new(state),
            entries: RefCell::new(GrowingIndexes::new()),
            waiting: Cell::new(0),
        }
    }

    /// Borrows the facts found so far.
    pub(super) fn model(&self) -> RefMut<'_, Model> {
        RefMut::map(self.state.borrow_mut(), |state| &mut state.model)
    }

    /// Takes the facts out, leaving an empty model.
    pub(super) fn take_model(&self) -> Model {
        std::mem::replace(&mut self.state.borrow_mut().model, Model::none())
    }

    /// Adds the indexes that plans have requested.
    pub(super) fn add_wanted_indexes(&self) {
        let tables = &self.state.borrow().model.tables;
        self.entries.borrow_mut().add_wanted(tables);
    }

    /// Returns the bytes of the facts, the entries and the bindings left for later rounds.
    pub(super) fn bytes(&self, model: &Model) -> u64 {
        model.bytes() + self.entries.borrow().bytes() + self.waiting.get() as u64
    }
}

impl State {
    /// Adds the instance of a head of the current rule under the current binding, and records it as a conclusion. Returns
    /// its id if it is new.
    #[inline]
    pub(super) fn insert(&mut self, head: u32) -> Option<FactId> {
        let known = self.model.len();
        let code = &self.codes[self.rule];
        let fact = self
            .model
            .store()
            .insert(&code.heads[head as usize], &self.frame.binding);
        self.frame.conclusions[head as usize] = fact;
        (fact.index() == known).then_some(fact)
    }

    /// Returns the current binding followed by its premises.
    pub(super) fn save(&self) -> Rc<[u32]> {
        let (code, frame) = (&self.codes[self.rule], &self.frame);
        let binding = frame.binding[..code.variables]
            .iter()
            .map(|symbol| symbol.number());
        let premises = frame.premises[..code.premises].iter().map(|fact| fact.number());
        binding.chain(premises).collect()
    }

    /// Restores a saved binding.
    pub(super) fn load(&mut self, cells: &[u32]) {
        let (code, frame) = (&self.codes[self.rule], &mut self.frame);
        let (binding, premises) = cells.split_at(code.variables);
        for (to, from) in frame.binding.iter_mut().zip(binding) {
            *to = Symbol::new(*from);
        }
        for (to, from) in frame.premises.iter_mut().zip(premises) {
            *to = FactId::new(*from);
        }
    }
}
