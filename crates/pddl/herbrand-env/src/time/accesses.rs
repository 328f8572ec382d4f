//! The atoms and numbers that snap actions use, over their parameters.

use std::collections::BTreeSet;

use fxhash::FxHashMap;
use herbrand_ground::Vocabulary;
use herbrand_pddl::{
    AssignOperator, Domain, Effect, Expression, Formula, FunctionId, ObjectId, PredicateId, Problem,
    SchemaId, SnapRole, SteppedDomain, Term, TimedLiterals, Variable, VariableId,
};
use herbrand_step::EffectRecord;

/// An argument of a used atom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Slot {
    /// The parameter with this index.
    Parameter(u32),
    Object(ObjectId),
    /// Any object.
    Any,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Symbol {
    Predicate(PredicateId),
    Function(FunctionId),
}

/// The way in which a snap action uses an atom or a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Mode {
    /// It needs the atom to be true.
    NeedsTrue,
    /// It needs the atom to be false.
    NeedsFalse,
    Reads,
    Adds,
    Deletes,
    Sets,
    /// It increases or decreases the number.
    Counts,
}

impl Mode {
    const fn is_read(self) -> bool {
        matches!(self, Self::NeedsTrue | Self::NeedsFalse | Self::Reads)
    }

    const fn negated(self) -> Self {
        match self {
            Self::NeedsTrue => Self::NeedsFalse,
            Self::NeedsFalse => Self::NeedsTrue,
            other => other,
        }
    }

    /// Returns whether two snap actions of one instant must not use one atom or number in these ways.
    fn interferes(self, other: Self) -> bool {
        match (self.is_read(), other.is_read()) {
            (true, true) => false,
            (false, false) => !matches!(
                (self, other),
                (Self::Adds, Self::Adds) | (Self::Deletes, Self::Deletes) | (Self::Counts, Self::Counts)
            ),
            _ => true,
        }
    }

    /// Returns whether a change may make false what is needed.
    const fn breaks(self, needed: Self) -> bool {
        match needed {
            Self::NeedsTrue => matches!(self, Self::Deletes),
            Self::NeedsFalse => matches!(self, Self::Adds),
            Self::Reads => !self.is_read(),
            _ => false,
        }
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Access {
    symbol: Symbol,
    slots: Vec<Slot>,
    mode: Mode,
    /// Whether the change is made in any state.
    is_certain: bool,
}

/// The accesses of one schema, or of timed literals.
#[derive(Clone, Default, Debug)]
pub(super) struct Accesses(BTreeSet<Access>);

/// Pairs of argument lists that must not be equal.
type Pairs = Vec<(Vec<Slot>, Vec<Slot>)>;

/// Which snap actions interfere, and which starts may break which invariants.
#[derive(Debug)]
pub(super) struct Clashes {
    interfering: FxHashMap<(SchemaId, SchemaId), Pairs>,
    breaking: FxHashMap<(SchemaId, SchemaId), Pairs>,
    /// The pairs of the start and the end of a brief action.
    brief: FxHashMap<SchemaId, Pairs>,
    accesses: Vec<Accesses>,
}

impl Clashes {
    /// `timed` is the domain before its actions were split.
    pub(super) fn new(stepped: &SteppedDomain, timed: &Domain, problem: &Problem) -> Self {
        let schemas = &stepped.domain.schemas;
        let accesses: Vec<_> = schemas
            .iter()
            .map(|schema| {
                let mut all = Accesses::default();
                let scope = Scope::new(timed, problem, schema.arity, &schema.variables);
                all.read(&stepped.domain, &schema.precondition, &scope, Mode::NeedsTrue);
                all.effect(&stepped.domain, &schema.effect, &scope, true);
                // The clock keeps these.
                all.0.retain(|access| match access.symbol {
                    Symbol::Predicate(id) => id.index() < timed.predicates.len(),
                    Symbol::Function(id) => id.index() < timed.functions.len(),
                });
                all
            })
            .collect();
        let mut this = Self {
            interfering: FxHashMap::default(),
            breaking: FxHashMap::default(),
            brief: FxHashMap::default(),
            accesses: Vec::new(),
        };
        let ids = || (0..schemas.len()).map(SchemaId::from_index);
        for (one, other) in ids().flat_map(|one| ids().map(move |other| (one, other))) {
            let (left, right) = (&accesses[one.index()], &accesses[other.index()]);
            let is_snap =
                |id: SchemaId| !matches!(stepped.roles[id.index()], SnapRole::During(_) | SnapRole::Wait);
            if is_snap(one) && is_snap(other) {
                let pairs = left.pairs(right, Mode::interferes);
                if !pairs.is_empty() {
                    this.interfering.insert((one, other), pairs);
                }
            }
            if is_snap(one) && matches!(stepped.roles[other.index()], SnapRole::During(_)) {
                let pairs = left.pairs(right, Mode::breaks);
                if !pairs.is_empty() {
                    this.breaking.insert((one, other), pairs);
                }
            }
        }
        for (id, role) in ids().zip(&stepped.roles) {
            if let SnapRole::Brief(source) = *role {
                let action = &timed.durative_actions[source];
                let parts = [
                    (&action.start_condition, &action.start_effect),
                    (&action.end_condition, &action.end_effect),
                ];
                let [start, end] = parts.map(|(condition, effect)| {
                    let mut all = Accesses::default();
                    let scope = Scope::new(timed, problem, action.arity, &action.variables);
                    all.read(timed, condition, &scope, Mode::NeedsTrue);
                    all.effect(timed, effect, &scope, true);
                    all
                });
                let pairs = start.pairs(&end, Mode::interferes);
                if !pairs.is_empty() {
                    this.brief.insert(id, pairs);
                }
            }
        }
        this.accesses = accesses;
        this
    }

    /// Returns whether two ground snap actions interfere.
    pub(super) fn interfere(&self, one: (SchemaId, &[ObjectId]), other: (SchemaId, &[ObjectId])) -> bool {
        meet(self.interfering.get(&(one.0, other.0)), one.1, other.1)
    }

    /// Returns whether a ground snap action may break an invariant, given by the schema of the invariant.
    pub(super) fn may_break(&self, one: (SchemaId, &[ObjectId]), invariant: (SchemaId, &[ObjectId])) -> bool {
        meet(self.breaking.get(&(one.0, invariant.0)), one.1, invariant.1)
    }

    /// Returns whether some ground snap action of a schema may break some invariant.
    pub(super) fn may_break_any(&self, schema: SchemaId) -> bool {
        self.breaking.keys().any(|(one, _)| *one == schema)
    }

    /// Returns whether the start and the end of a brief action interfere.
    pub(super) fn is_torn(&self, schema: SchemaId, arguments: &[ObjectId]) -> bool {
        meet(self.brief.get(&schema), arguments, arguments)
    }

    /// Returns whether the schema has brief actions whose start and end interfere.
    pub(super) fn may_be_torn(&self, schema: SchemaId) -> bool {
        self.brief.contains_key(&schema)
    }

    /// Returns all that a ground snap action may use.
    pub(super) fn all_of(&self, (schema, arguments): (SchemaId, &[ObjectId])) -> Accesses {
        let all = self.accesses[schema.index()].0.iter().map(|access| Access {
            slots: access.slots.iter().map(|slot| slot.bound(arguments)).collect(),
            ..access.clone()
        });
        let mut all = Accesses(all.collect());
        all.keep_net();
        all
    }

    /// Returns what a ground snap action reads, together with the changes that it makes in some state.
    pub(super) fn used(
        &self,
        (schema, arguments): (SchemaId, &[ObjectId]),
        effects: &[EffectRecord],
        words: &Vocabulary,
    ) -> Accesses {
        let reads = self.accesses[schema.index()].0.iter();
        // The grounded engine leaves deletes of atoms out that are never true.
        let is_kept =
            |access: &&Access| access.mode.is_read() || access.mode == Mode::Deletes && access.is_certain;
        let reads = reads.filter(is_kept).map(|access| Access {
            slots: access.slots.iter().map(|slot| slot.bound(arguments)).collect(),
            ..access.clone()
        });
        let mut all = Accesses(reads.collect());
        all.made(effects, words);
        all.keep_net();
        all
    }
}

impl Slot {
    fn bound(self, arguments: &[ObjectId]) -> Self {
        match self {
            Self::Parameter(index) => arguments
                .get(index as usize)
                .map_or(Self::Any, |&object| Self::Object(object)),
            other => other,
        }
    }
}

/// Returns whether the arguments of some pair are equal.
fn meet(pairs: Option<&Pairs>, one: &[ObjectId], other: &[ObjectId]) -> bool {
    let object = |slot: Slot, arguments: &[ObjectId]| match slot {
        Slot::Parameter(index) => arguments.get(index as usize).copied(),
        Slot::Object(object) => Some(object),
        Slot::Any => None,
    };
    pairs.is_some_and(|pairs| {
        pairs.iter().any(|(left, right)| {
            left.iter().zip(right).all(
                |(&left, &right)| match (object(left, one), object(right, other)) {
                    (Some(left), Some(right)) => left == right,
                    _ => true,
                },
            )
        })
    })
}

impl Accesses {
    /// The accesses of timed literals.
    pub(super) fn of(literals: &TimedLiterals) -> Self {
        let mut all = Self::default();
        let objects = |arguments: &[ObjectId]| arguments.iter().copied().map(Slot::Object).collect();
        for (atoms, mode) in [(&literals.adds, Mode::Adds), (&literals.deletes, Mode::Deletes)] {
            for atom in atoms.iter() {
                let symbol = Symbol::Predicate(atom.predicate);
                all.add(symbol, objects(atom.arguments), mode);
            }
        }
        for value in &literals.values {
            all.add(
                Symbol::Function(value.function),
                objects(&value.arguments),
                Mode::Sets,
            );
        }
        all
    }

    /// Leaves out what has no effect: an atom that one snap action deletes and adds is true afterwards.
    fn keep_net(&mut self) {
        let all = self.0.clone();
        self.0.retain(|access| {
            let is_added = |other: &Access| {
                other.mode == Mode::Adds && (other.symbol, &other.slots) == (access.symbol, &access.slots)
            };
            access.mode != Mode::Deletes || !all.iter().any(is_added)
        });
    }

    /// Adds changes that were made.
    fn made(&mut self, effects: &[EffectRecord], words: &Vocabulary) {
        for effect in effects {
            let (text, mode) = match effect {
                EffectRecord::Add(atom) => (atom.as_str(), Mode::Adds),
                EffectRecord::Delete(atom) => (atom.as_str(), Mode::Deletes),
                EffectRecord::Assign(text) => {
                    let (operator, rest) = text.trim_start_matches('(').split_once(' ').unwrap_or_default();
                    let target = rest.rsplit_once(' ').map_or(rest, |(target, _)| target);
                    let mode = match operator {
                        "increase" | "decrease" => Mode::Counts,
                        _ => Mode::Sets,
                    };
                    (target, mode)
                }
                EffectRecord::When { effects, .. } | EffectRecord::Draw { effects, .. } => {
                    self.made(effects, words);
                    continue;
                }
            };
            let Some((name, objects)) = words.parse_term(text) else {
                continue;
            };
            let function = words.functions.iter().position(|function| function.name == name);
            let symbol = match (mode, words.find_predicate(name.as_str()), function) {
                (Mode::Adds | Mode::Deletes, Some(predicate), _) => Symbol::Predicate(predicate),
                (Mode::Sets | Mode::Counts, _, Some(function)) => {
                    Symbol::Function(FunctionId::from_index(function))
                }
                _ => continue,
            };
            self.add(symbol, objects.into_iter().map(Slot::Object).collect(), mode);
        }
    }

    /// Returns whether two snap actions with these accesses interfere.
    pub(super) fn interfere(&self, other: &Self) -> bool {
        let adds = |all: &Self, slots: &[Slot], symbol| {
            let mut own = all.0.iter();
            own.any(|access| access.mode == Mode::Adds && access.symbol == symbol && access.slots == slots)
        };
        // Who deletes all atoms of a kind and adds one does not delete that one.
        let spares =
            |one: &Access, all: &Self, slots| one.mode == Mode::Deletes && adds(all, slots, one.symbol);
        self.0.iter().any(|one| {
            other.0.iter().any(|two| {
                one.symbol == two.symbol
                    && one.mode.interferes(two.mode)
                    && could_meet(&one.slots, &two.slots)
                    && !spares(one, self, &two.slots)
                    && !spares(two, other, &one.slots)
            })
        })
    }

    fn add(&mut self, symbol: Symbol, slots: Vec<Slot>, mode: Mode) {
        self.0.insert(Access {
            symbol,
            slots,
            mode,
            is_certain: false,
        });
    }

    /// Adds what `other` uses.
    pub(super) fn join(&mut self, other: &Self) {
        self.0.extend(other.0.iter().cloned());
    }

    /// Returns whether the predicate is changed.
    pub(super) fn changes(&self, predicate: PredicateId) -> bool {
        self.0
            .iter()
            .any(|access| access.symbol == Symbol::Predicate(predicate))
    }

    fn pairs(&self, other: &Self, clash: impl Fn(Mode, Mode) -> bool) -> Pairs {
        let mut pairs = Vec::new();
        for one in &self.0 {
            for two in other.0.iter().filter(|two| two.symbol == one.symbol) {
                if clash(one.mode, two.mode) && could_meet(&one.slots, &two.slots) {
                    pairs.push((one.slots.clone(), two.slots.clone()));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    fn read(&mut self, domain: &Domain, formula: &Formula, scope: &Scope, needed: Mode) {
        match formula {
            Formula::Atom(atom) => {
                if domain.axioms.iter().any(|rule| rule.predicate == atom.predicate) {
                    self.read_derived(domain, atom.predicate);
                } else {
                    self.add(
                        Symbol::Predicate(atom.predicate),
                        scope.slots(&atom.arguments),
                        needed,
                    );
                }
            }
            Formula::Equal(..) => {}
            Formula::Compare(_, left, right) => {
                for side in [left, right] {
                    self.read_numbers(side, scope);
                }
            }
            Formula::Not(inner) => self.read(domain, inner, scope, needed.negated()),
            Formula::And(parts) | Formula::Or(parts) => {
                parts
                    .iter()
                    .for_each(|part| self.read(domain, part, scope, needed));
            }
            Formula::Imply(premise, conclusion) => {
                self.read(domain, premise, scope, needed.negated());
                self.read(domain, conclusion, scope, needed);
            }
            Formula::Forall(variables, inner) | Formula::Exists(variables, inner) => {
                if scope.is_inhabited(variables) {
                    self.read(domain, inner, scope, needed);
                }
            }
        }
    }

    /// Adds all atoms on which a derived predicate depends.
    fn read_derived(&mut self, domain: &Domain, predicate: PredicateId) {
        let (mut open, mut seen) = (vec![predicate], BTreeSet::from([predicate]));
        while let Some(predicate) = open.pop() {
            let rules = domain.axioms.iter().filter(|rule| rule.predicate == predicate);
            for rule in rules {
                rule.body.walk(&mut |part, _| match part {
                    Formula::Atom(atom) if seen.insert(atom.predicate) => {
                        open.push(atom.predicate);
                        let any = vec![Slot::Any; atom.arguments.len()];
                        self.add(Symbol::Predicate(atom.predicate), any, Mode::Reads);
                    }
                    Formula::Compare(_, left, right) => {
                        for side in [left, right] {
                            self.read_numbers(side, &Scope::default());
                        }
                    }
                    _ => {}
                });
            }
        }
    }

    fn read_numbers(&mut self, expression: &Expression, scope: &Scope) {
        expression.walk(&mut |part| {
            if let Expression::Fluent(term) = part {
                let slots = scope.slots(&term.arguments);
                self.add(Symbol::Function(term.function), slots, Mode::Reads);
            }
        });
    }

    fn effect(&mut self, domain: &Domain, effect: &Effect, scope: &Scope, is_certain: bool) {
        match effect {
            Effect::Add(atom) => {
                self.add(
                    Symbol::Predicate(atom.predicate),
                    scope.slots(&atom.arguments),
                    Mode::Adds,
                );
            }
            Effect::Delete(atom) => {
                _ = self.0.insert(Access {
                    symbol: Symbol::Predicate(atom.predicate),
                    slots: scope.slots(&atom.arguments),
                    mode: Mode::Deletes,
                    is_certain,
                })
            }
            Effect::Assign(assignment) => {
                let mode = match assignment.operator {
                    AssignOperator::Increase | AssignOperator::Decrease => Mode::Counts,
                    _ => Mode::Sets,
                };
                let slots = scope.slots(&assignment.target.arguments);
                self.add(Symbol::Function(assignment.target.function), slots, mode);
                self.read_numbers(&assignment.value, scope);
            }
            Effect::And(parts) => parts
                .iter()
                .for_each(|part| self.effect(domain, part, scope, is_certain)),
            Effect::Forall(variables, inner) => {
                if scope.is_inhabited(variables) {
                    self.effect(domain, inner, scope, is_certain);
                }
            }
            Effect::When(condition, inner) => {
                self.read(domain, condition, scope, Mode::NeedsTrue);
                self.effect(domain, inner, scope, false);
            }
            Effect::Probabilistic(alternatives) => alternatives
                .iter()
                .for_each(|(_, inner)| self.effect(domain, inner, scope, false)),
        }
    }
}

/// The variables of a schema.
#[derive(Default)]
struct Scope {
    /// The number of parameters.
    arity: u32,
    /// For each variable, whether some object has its type.
    inhabited: Vec<bool>,
}

impl Scope {
    fn new(domain: &Domain, problem: &Problem, arity: u32, variables: &[Variable]) -> Self {
        let is_inhabited = |variable: &Variable| {
            let mut objects = problem.objects.iter();
            objects.any(|object| domain.is_assignable(&object.types, &variable.types))
        };
        Self {
            arity,
            inhabited: variables.iter().map(is_inhabited).collect(),
        }
    }

    fn is_inhabited(&self, variables: &[VariableId]) -> bool {
        let known = |variable: &VariableId| self.inhabited.get(variable.index()) != Some(&false);
        variables.iter().all(known)
    }

    fn slots(&self, terms: &[Term]) -> Vec<Slot> {
        let slot = |term: &Term| match *term {
            Term::Variable(variable) if variable.number() < self.arity => Slot::Parameter(variable.number()),
            Term::Variable(_) => Slot::Any,
            Term::Object(object) => Slot::Object(object),
        };
        terms.iter().map(slot).collect()
    }
}

/// Returns whether some objects make two argument lists equal.
fn could_meet(one: &[Slot], other: &[Slot]) -> bool {
    one.iter().zip(other).all(|pair| match pair {
        (Slot::Object(left), Slot::Object(right)) => left == right,
        _ => true,
    })
}
