//! Models that store every firing, and are maintained while their input changes.

mod graph;

use crate::eval::saturation::Saturation;
use crate::{
    EvaluationError, FactId, Facts, FiringId, InvalidProgram, Limits, Model, Program, RelationId, RuleId,
    Symbol,
};

use graph::Graph;
pub use graph::Shift;

/// A model with every firing that was ever found, maintained while its input changes.
///
/// Facts and firings stay stored when they cease to hold. So no join is needed to remove a fact, or to add a known fact
/// again: the update follows the stored firings, and each firing counts its missing premises. Each derived fact has one
/// firing as its *reason*. The reason was found before the fact held, so reasons are never circular. If a fact is deleted,
/// all facts whose reasons depend on it are deleted, and then inserted again if another firing concludes them (Doyle: A
/// truth maintenance system, 1979). This deletes fewer facts than delete-and-rederive, which deletes the conclusions of all
/// affected firings. A fact that was never there before is joined with all others, as in the first evaluation.
///
/// The `room` declares at the start which facts may ever be given. The possible symbols of each column must be known before
/// the first join, because they make keys small. Only static relations, whose facts never change, may be negated.
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
/// // Any symbol may occur in any column of `edge`.
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
    /// The facts to be given (`true`) and taken (`false`) by the next update.
    pending: Vec<(FactId, bool)>,
    shift: Shift,
}

/// The reason why derivations cannot be created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DerivationsError {
    /// A rule is faulty or unsafe.
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
    /// A fact does not fit the program, or a limit is reached.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

impl Derivations {
    /// Evaluates an input. The symbols of the facts in `room` may occur in their columns later. Facts of static relations
    /// are fixed.
    ///
    /// # Errors
    /// If a rule is unsafe or negates a relation that is not static, if a fact does not fit the program, or if a limit is
    /// reached.
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

    /// Returns all facts that ever held, by id, and the facts of static relations. Use [`is_held`](Self::is_held) to ask
    /// whether one holds now.
    pub fn model(&self) -> &Model {
        self.saturation.model()
    }

    /// Returns whether a fact holds now. Its relation may be static.
    pub fn holds(&self, relation: RelationId, tuple: &[Symbol]) -> bool {
        match self.model().id(relation, tuple) {
            Some(fact) => self.graph.holds(fact),
            None => self.model().contains(relation, tuple),
        }
    }

    /// Returns whether a fact holds now.
    #[inline]
    pub fn is_held(&self, fact: FactId) -> bool {
        self.graph.holds(fact)
    }

    /// Returns how many times a fact is given; 0 if it is not an input fact now.
    #[inline]
    pub fn given(&self, fact: FactId) -> u32 {
        self.graph.given(fact)
    }

    /// Returns the number of firings that were ever found.
    pub fn firings(&self) -> usize {
        self.graph.len()
    }

    /// Returns whether a firing's premises all hold now.
    #[inline]
    pub fn fires(&self, firing: FiringId) -> bool {
        self.graph.fires(firing)
    }

    /// Returns the rule of a firing.
    #[inline]
    pub fn rule(&self, firing: FiringId) -> RuleId {
        self.graph.rule(firing)
    }

    /// Returns the binding of a firing: one symbol per variable of its rule.
    #[inline]
    pub fn binding(&self, firing: FiringId) -> &[Symbol] {
        self.graph.binding(firing)
    }

    /// Iterates over the facts of the positive literals over non-static relations, in the order of the body.
    #[inline]
    pub fn premises(&self, firing: FiringId) -> impl ExactSizeIterator<Item = FactId> {
        self.graph.premises(firing)
    }

    /// Iterates over the facts of the heads, in order.
    #[inline]
    pub fn conclusions(&self, firing: FiringId) -> impl ExactSizeIterator<Item = FactId> {
        self.graph.conclusions(firing)
    }

    /// Returns whether a fact may be given: its relation is not static, the input or the room has facts of that relation,
    /// and each symbol can occur in its column.
    pub fn has_room(&self, relation: RelationId, tuple: &[Symbol]) -> bool {
        self.saturation.has_room(relation, tuple)
    }

    /// Gives a fact at the next [`settle`](Self::settle). A fact that is given several times must be taken as often. Returns
    /// `false` and does nothing if there is no [room](Self::has_room) for the fact.
    pub fn give(&mut self, relation: RelationId, tuple: &[Symbol]) -> bool {
        let has_room = self.has_room(relation, tuple);
        if has_room {
            let fact = self.saturation.add(relation, tuple);
            self.graph.make_room(self.model().len());
            self.pending.push((fact, true));
        }
        has_room
    }

    /// Takes a fact away once at the next [`settle`](Self::settle). Returns `false` and does nothing if the fact was never
    /// there.
    pub fn take(&mut self, relation: RelationId, tuple: &[Symbol]) -> bool {
        let fact = self.model().id(relation, tuple);
        self.pending.extend(fact.map(|fact| (fact, false)));
        fact.is_some()
    }

    /// Returns whether a given fact is new, so that the next [`settle`](Self::settle) must join it with the others.
    pub fn needs_joins(&self) -> bool {
        !self.saturation.is_saturated()
    }

    /// Applies the given and taken facts, and returns the changes, which [`shift`](Self::shift) returns until the next call.
    ///
    /// Without new facts, the time depends only on the facts that depend on the changes; each of their firings is visited at
    /// most twice.
    ///
    /// # Errors
    /// If a limit is reached. The same facts hold as before, but some firings are missing: do not give or take facts any
    /// more.
    pub fn settle(&mut self, limits: Limits) -> Result<&Shift, EvaluationError> {
        let pending = std::mem::take(&mut self.pending);
        let done = self.saturation.saturate(limits, &mut self.graph);
        self.graph.make_room(self.saturation.model().len());
        done?;
        self.graph.settle(&pending, &mut self.shift);
        Ok(&self.shift)
    }

    /// Returns the changes of the last [`settle`](Self::settle).
    pub fn shift(&self) -> &Shift {
        &self.shift
    }

    /// Returns the number of firings that hold now.
    pub fn live(&self) -> usize {
        self.graph.live()
    }

    /// Returns the bytes of the facts, the firings and the join indexes.
    pub fn bytes(&self) -> u64 {
        use crate::Sink;
        self.saturation.bytes() + self.graph.bytes()
    }
}
