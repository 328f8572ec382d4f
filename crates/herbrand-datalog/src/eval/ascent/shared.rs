//! The storage that the relations of the ascent program share.

use std::cell::{Cell, RefCell, RefMut};
use std::rc::Rc;

use super::entries::Entry;
use crate::eval::rule::{Frame, RuleCode};
use crate::plan::body::Body;
use crate::store::growing::GrowingIndexes;
use crate::store::model::Model;
use crate::{FactId, Program, Symbol};

/// What relations hold, and what rules bind while they are joined.
///
/// Facts are added while entries are walked along, and entries while facts are read: so each has a cell of its
/// own. Nothing is borrowed longer than one of them is looked at, but for entries that are walked along, which no
/// rule adds to while it reads them.
pub(super) struct Shared {
    pub state: RefCell<State>,
    pub entries: RefCell<GrowingIndexes<(Entry,)>>,
    /// How many bytes are held by bindings that wait for a later round.
    pub waiting: Cell<usize>,
}

/// The facts, and the binding that is extended.
pub(super) struct State {
    pub model: Model,
    pub codes: Vec<RuleCode>,
    pub frame: Frame<()>,
    /// The rule that is joined.
    pub rule: usize,
    /// The fact that began to join it.
    pub trigger: FactId,
    /// How many more entries may be tried before budgets are looked at.
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

    /// The facts found so far.
    pub(super) fn model(&self) -> RefMut<'_, Model> {
        RefMut::map(self.state.borrow_mut(), |state| &mut state.model)
    }

    /// Ends with the facts found.
    pub(super) fn take_model(&self) -> Model {
        std::mem::replace(&mut self.state.borrow_mut().model, Model::none())
    }

    /// Makes the indexes that plans have asked for.
    pub(super) fn add_wanted_indexes(&self) {
        let tables = &self.state.borrow().model.tables;
        self.entries.borrow_mut().add_wanted(tables);
    }

    /// Bytes held by the facts, the entries and the bindings that wait.
    pub(super) fn bytes(&self, model: &Model) -> u64 {
        model.bytes() + self.entries.borrow().bytes() + self.waiting.get() as u64
    }
}

impl State {
    /// Adds the fact that a head of the rule says under the binding at hand, and notes it as a conclusion; its number
    /// if it is new.
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

    /// The binding at hand, and then its premises.
    pub(super) fn save(&self) -> Rc<[u32]> {
        let (code, frame) = (&self.codes[self.rule], &self.frame);
        let binding = frame.binding[..code.variables]
            .iter()
            .map(|symbol| symbol.number());
        let premises = frame.premises[..code.premises].iter().map(|fact| fact.number());
        binding.chain(premises).collect()
    }

    /// Takes up a binding that was saved.
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
