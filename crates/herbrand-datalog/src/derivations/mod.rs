//! Models that are kept with every firing found, while their input changes.

mod graph;

use crate::eval::saturation::Saturation;
use crate::{
    EvaluationError, FactId, Facts, FiringId, InvalidProgram, Limits, Model, Program, RelationId, RuleId,
    Symbol,
};

use graph::Graph;
pub use graph::Shift;

/// A model with every firing that was ever found, and which of them hold for the input as it is now.
///
/// Facts and firings stay when they hold no more. So taking a fact away, and giving back one that was there before, needs no join:
/// it goes along the firings, each of which knows how many of its premises are missing. Of each derived fact one firing is noted as
/// its *reason*, which was found before the fact held, so that reasons never run in a circle. When a fact goes, those whose reasons
/// depend on it go, and come back if another firing says them (Doyle: A truth maintenance system, 1979; the facts that go and come
/// back are fewer than in delete-and-rederive, where all that any firing says go). A fact that was never there is joined with all
/// others, as in the evaluation of the first input.
///
/// Which facts may ever be given is said at the start, as a `room`: what can occur in a column is known before the first join, and
/// makes keys small. Negation must be of static relations, whose facts never change.
///
/// ```
/// use herbrand_datalog::{Derivations, Facts, Limits, Program, RelationId, Symbol};
///
/// let (program, facts) = Program::parse("
///     #fluent edge/2. edge(a, b). edge(b, c).
///     path(X, Y) :- edge(X, Y).
///     path(X, Z) :- path(X, Y), edge(Y, Z).
/// ")?;
/// let (edge, path) = (RelationId::new(0), RelationId::new(1));
/// let [a, b, c] = [0, 1, 2].map(Symbol::new);
/// // Any symbol may come to be in any column of `edge`.
/// let mut room = Facts::new();
/// [a, b, c].iter().for_each(|symbol| room.add(edge, &[*symbol, *symbol]));
///
/// let mut kept = Derivations::new(&program, &facts, &room, Limits::default())?;
/// assert!(kept.holds(path, &[a, c]));
/// kept.take(edge, &[b, c]);
/// kept.give(edge, &[c, a]);
/// let shift = kept.settle(Limits::default())?;
/// assert_eq!((shift.began.len(), shift.ended.len()), (3, 3));
/// assert!(!kept.holds(path, &[a, c]) && kept.holds(path, &[c, b]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Derivations {
    saturation: Saturation,
    graph: Graph,
    /// What is to be given and taken.
    pending: Vec<(FactId, bool)>,
    shift: Shift,
}

/// Why derivations cannot be kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DerivationsError {
    /// A rule is faulty.
    #[error(transparent)]
    Program(#[from] InvalidProgram),
    /// A rule negates a relation whose facts may change.
    #[error("rule `{name}` negates a relation that is not static")]
    Negation {
        /// The rule.
        rule: RuleId,
        /// Its name.
        name: String,
    },
    /// A fact does not fit, or a limit is reached.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

impl Derivations {
    /// What follows from an input. Of the symbols of `room` it is assumed that they may occur in their columns later; facts of
    /// static relations stay for good.
    ///
    /// # Errors
    /// When a rule is unsafe or negates a relation that is not static, when a fact does not fit, or when a limit is reached.
    pub fn new(
        program: &Program,
        facts: &Facts,
        room: &Facts,
        limits: Limits,
    ) -> Result<Self, DerivationsError> {
        program.check().map_err(InvalidProgram::Rules)?;
        for (rule, id) in program.rules().iter().zip(program.rule_ids()) {
            if rule.negative().any(|atom| !program.is_static(atom.relation)) {
                let name = rule.name.clone();
                return Err(DerivationsError::Negation { rule: id, name });
            }
        }
        let mut saturation = Saturation::new(program, facts, room).map_err(EvaluationError::from)?;
        let mut graph = Graph::default();
        for (relation, tuple) in facts.iter() {
            let fact = saturation.model().id(relation, tuple);
            fact.into_iter().for_each(|fact| graph.give_first(fact));
        }
        saturation.saturate(limits, &mut graph)?;
        graph.make_room(saturation.model().len());
        Ok(Self {
            saturation,
            graph,
            pending: Vec::new(),
            shift: Shift::default(),
        })
    }

    /// All facts that ever held, by id; those of static relations among them.
    pub fn model(&self) -> &Model {
        self.saturation.model()
    }

    /// Whether a fact holds now, of any relation.
    pub fn holds(&self, relation: RelationId, tuple: &[Symbol]) -> bool {
        match self.model().id(relation, tuple) {
            Some(fact) => self.graph.holds(fact),
            None => self.model().contains(relation, tuple),
        }
    }

    /// Whether a fact holds now.
    #[inline]
    pub fn is_held(&self, fact: FactId) -> bool {
        self.graph.holds(fact)
    }

    /// How many times a fact is given.
    #[inline]
    pub fn given(&self, fact: FactId) -> u32 {
        self.graph.given(fact)
    }

    /// The number of firings that were ever found.
    pub fn firings(&self) -> usize {
        self.graph.len()
    }

    /// Whether a firing's premises all hold now.
    #[inline]
    pub fn fires(&self, firing: FiringId) -> bool {
        self.graph.fires(firing)
    }

    /// The rule of a firing.
    #[inline]
    pub fn rule(&self, firing: FiringId) -> RuleId {
        self.graph.rule(firing)
    }

    /// One symbol for each variable of a firing's rule.
    #[inline]
    pub fn binding(&self, firing: FiringId) -> &[Symbol] {
        self.graph.binding(firing)
    }

    /// The facts of the positive literals over relations that are not static, in the order of the body.
    #[inline]
    pub fn premises(&self, firing: FiringId) -> impl ExactSizeIterator<Item = FactId> {
        self.graph.premises(firing)
    }

    /// The facts of the heads, in order.
    #[inline]
    pub fn conclusions(&self, firing: FiringId) -> impl ExactSizeIterator<Item = FactId> {
        self.graph.conclusions(firing)
    }

    /// Whether a fact may be given: its relation is not static, there were facts of it in the input or in the room, and each symbol can
    /// occur in its column.
    pub fn has_room(&self, relation: RelationId, tuple: &[Symbol]) -> bool {
        self.saturation.has_room(relation, tuple)
    }

    /// Gives a fact when the derivations are settled. A fact may be given several times, and must be taken as often. False, and
    /// nothing is done, if there is no [room](Self::has_room) for it.
    pub fn give(&mut self, relation: RelationId, tuple: &[Symbol]) -> bool {
        let has_room = self.has_room(relation, tuple);
        if has_room {
            let fact = self.saturation.add(relation, tuple);
            self.graph.make_room(self.model().len());
            self.pending.push((fact, true));
        }
        has_room
    }

    /// Takes a fact away when the derivations are settled: once, of the times that it was given. False, and nothing is done, if it
    /// was never there.
    pub fn take(&mut self, relation: RelationId, tuple: &[Symbol]) -> bool {
        let fact = self.model().id(relation, tuple);
        self.pending.extend(fact.map(|fact| (fact, false)));
        fact.is_some()
    }

    /// Whether a fact was added that never held before, so that it has to be joined with the others.
    pub fn needs_joins(&self) -> bool {
        !self.saturation.is_saturated()
    }

    /// Follows what was given and taken. What began and ended is known until the next time.
    ///
    /// Nothing changes but the facts that depend on what was given and taken; their firings are gone through at most twice.
    ///
    /// # Errors
    /// When a limit is reached: then what holds is what held before, and nothing should be given or taken any more, for some
    /// firings were not found.
    pub fn settle(&mut self, limits: Limits) -> Result<&Shift, EvaluationError> {
        let pending = std::mem::take(&mut self.pending);
        let done = self.saturation.saturate(limits, &mut self.graph);
        self.graph.make_room(self.saturation.model().len());
        done?;
        self.graph.settle(&pending, &mut self.shift);
        Ok(&self.shift)
    }

    /// What the last [`settle`](Self::settle) changed.
    pub fn shift(&self) -> &Shift {
        &self.shift
    }

    /// How many firings hold now.
    pub fn live(&self) -> usize {
        self.graph.live()
    }

    /// The bytes that facts, firings and the indexes of joins take.
    pub fn bytes(&self) -> u64 {
        use crate::Sink;
        self.saturation.bytes() + self.graph.bytes()
    }
}
