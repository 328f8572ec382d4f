//! The mapping of a problem's predicates to relations: which predicates change, and which types their arguments have.

use fxhash::{FxHashMap, FxHashSet};
use herbrand_datalog::{Program, RelationId, Symbol};
use herbrand_limits::{Budget, Meter};
use herbrand_pddl::{
    AssignOperator, Atom, Domain, FunctionId, FunctionTerm, Hierarchy, InitialChance, InitialOutcome,
    ObjectId, PredicateId, PredicateKind, Problem, Term, TypeId, TypeUnion, Variable,
};

use super::rule::symbol;
use crate::normal::{
    NormalAxiom, NormalComparison, NormalConjunction, NormalDomain, NormalGoal, NormalItem, NormalLeaf,
    Scope, starts_at_zero, u32_len,
};

/// How the atoms of a predicate get their truth values in one problem.
/// [`LiftedTask::truth_sources`](crate::LiftedTask::truth_sources) has one per predicate, and
/// [`LiftedTask::truth_source`](crate::LiftedTask::truth_source) returns it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TruthSource {
    /// They never change: they are facts of the problem, listed in [`LiftedTask::statics`](crate::LiftedTask::statics).
    Static,
    /// Effects of actions or draws of the initial state change them: they are part of the state.
    Fluent,
    /// They never change: axioms derive them from static atoms.
    StaticDerived,
    /// Axioms derive them from the state.
    Derived,
}

/// The function values that are defined in the states of one problem. A defined value never becomes undefined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Values {
    /// All values are defined in every state.
    Total,
    /// The same values are defined in every state: those in the initial state.
    Settled,
    /// An effect, or initial chance, may define further values.
    Varying,
}

/// The relations of a problem's predicates, both the domain's and the auxiliary ones.
#[derive(Debug)]
pub(crate) struct Signature<'a> {
    pub(crate) domain: &'a Domain,
    pub(crate) problem: &'a Problem,
    /// For each predicate, where its atoms get their truth values from.
    pub(crate) truth_sources: Vec<TruthSource>,
    /// The relation of each predicate's atoms.
    pub(crate) relations: Vec<RelationId>,
    /// For each predicate and argument, the types that the argument has in every atom; `None` if they are unknown.
    vouched: Vec<Vec<Option<TypeUnion>>>,
    /// The unary relations of types.
    types: FxHashMap<TypeUnion, RelationId>,
    /// The type unions and their relations, in the order of creation.
    type_order: Vec<(TypeUnion, RelationId)>,
    hierarchy: Hierarchy<'a>,
    /// The defined values of each function.
    values: Vec<Values>,
    /// For each function, the relation of the arguments for which it has a value; `None` if no rule uses it.
    value_relations: Vec<Option<RelationId>>,
    /// The meter for everything that is written with this signature.
    pub(crate) meter: Meter,
}

/// The estimated bytes per relation and its predicate.
const RELATION: usize = 384;

impl<'a> Signature<'a> {
    /// Declares a relation of `program` for each predicate.
    pub(crate) fn declare(
        domain: &'a Domain,
        problem: &'a Problem,
        normal: &NormalDomain,
        goal: &NormalGoal,
        program: &mut Program,
        budget: &Budget,
    ) -> Self {
        let mut meter = budget.meter("writing the Datalog program");
        let predicates = domain.predicates.len() + normal.auxiliaries.len() + goal.auxiliaries.len();
        meter.charge((predicates * RELATION) as u64);
        meter.charge((domain.types.len() * Hierarchy::TYPE_BYTES) as u64);
        let hierarchy = Hierarchy::new(domain);
        let values = values(domain, problem, normal, &hierarchy);
        let truth_sources = truth_sources(domain, problem, normal, goal, &values);
        let auxiliaries = normal.auxiliaries.iter().chain(&goal.auxiliaries);
        let names = domain
            .predicates
            .iter()
            .map(|p| (p.name.as_str(), u32_len(p.parameters.len())));
        let names = names.chain(auxiliaries.map(|a| (a.name.as_str(), u32_len(a.parameters.len()))));
        let relations = names
            .zip(&truth_sources)
            .map(|((name, arity), change)| match change {
                TruthSource::Fluent => program.fluent(name, arity),
                _ => program.relation(name, arity),
            })
            .collect();
        let mut signature = Self {
            domain,
            problem,
            truth_sources,
            relations,
            vouched: Vec::new(),
            types: FxHashMap::default(),
            type_order: Vec::new(),
            hierarchy,
            value_relations: vec![None; values.len()],
            values,
            meter,
        };
        let mut meter = signature.meter.clone();
        signature.vouched = signature.vouch(normal, goal, &mut meter);
        signature.meter = meter;
        signature
    }

    /// Returns where the atoms of a predicate get their truth values from.
    pub(crate) fn truth_source(&self, predicate: PredicateId) -> TruthSource {
        self.truth_sources[predicate.index()]
    }

    /// Returns whether every object of the types `inner` has a type in `outer`.
    pub(crate) fn includes(&self, outer: &TypeUnion, inner: &TypeUnion) -> bool {
        includes(&self.hierarchy, outer, inner)
    }

    /// Returns which values of a function are defined.
    pub(crate) fn values_of(&self, function: FunctionId) -> Values {
        self.values[function.index()]
    }

    /// Returns the function term if a comparison tests whether it has a value, and if the result is the same in every state.
    pub(crate) fn settled_term<'c>(&self, comparison: &'c NormalComparison) -> Option<&'c FunctionTerm> {
        settled_term(&self.values, comparison)
    }

    /// Returns the comparisons of a conjunction that rules do not decide.
    pub(crate) fn unsettled(&self, conjunction: &NormalConjunction) -> Vec<NormalComparison> {
        let all = conjunction.comparisons.iter();
        all.filter(|one| self.settled_term(one).is_none())
            .cloned()
            .collect()
    }

    /// Returns the relation of the arguments for which a function has a value, after creating it if necessary.
    pub(crate) fn value_relation(&mut self, function: FunctionId, program: &mut Program) -> RelationId {
        *self.value_relations[function.index()].get_or_insert_with(|| {
            let function = self.domain.function(function);
            program.relation(
                format!("value:{}", function.name),
                u32_len(function.parameters.len()),
            )
        })
    }

    /// Iterates over the functions and relations created by [`value_relation`](Self::value_relation).
    pub(crate) fn value_relations(&self) -> impl Iterator<Item = (FunctionId, RelationId)> {
        let relations = self.value_relations.iter().enumerate();
        relations.filter_map(|(index, relation)| Some((FunctionId::from_index(index), (*relation)?)))
    }

    /// Calls `see` with each fact of the relations created by [`value_relation`](Self::value_relation).
    pub(crate) fn for_each_value(&self, see: &mut dyn FnMut(RelationId, &[Symbol])) {
        let mut tuple = Vec::new();
        for value in &self.problem.values {
            if let Some(relation) = self.value_relations[value.function.index()] {
                tuple.clear();
                tuple.extend(value.arguments.iter().copied().map(symbol));
                see(relation, &tuple);
            }
        }
        for (function, relation) in self.value_relations() {
            if starts_at_zero(self.domain.function(function)) {
                see(relation, &[]);
            }
        }
    }

    /// Returns whether this argument is an object of `types` in every atom of the predicate.
    pub(crate) fn vouches(&self, predicate: PredicateId, argument: usize, types: &TypeUnion) -> bool {
        self.vouched[predicate.index()][argument]
            .as_ref()
            .is_some_and(|known| self.includes(types, known))
    }

    /// Returns the unary relation of the objects of `types`, after creating it if necessary.
    pub(crate) fn type_relation(&mut self, types: &TypeUnion, program: &mut Program) -> RelationId {
        if let Some(&relation) = self.types.get(types) {
            return relation;
        }
        let names: Vec<_> = types
            .types()
            .iter()
            .map(|&t| self.domain.type_of(t).name.as_str())
            .collect();
        let relation = program.relation(format!("type:{}", names.join("|")), 1);
        self.types.insert(types.clone(), relation);
        self.type_order.push((types.clone(), relation));
        relation
    }

    /// Returns the type relations created so far.
    pub(crate) fn type_relations(&self) -> &[(TypeUnion, RelationId)] {
        &self.type_order
    }

    /// Iterates over the objects of `types`, in order of declaration.
    pub(crate) fn objects_of<'t>(&'t self, types: &'t TypeUnion) -> impl Iterator<Item = ObjectId> + 't {
        // For a union of several types, the subtypes are computed once per type, not per object.
        let several = types.types().len() > 1;
        let ids = (0..self.domain.types.len()).map(TypeId::from_index);
        let is_below = |id: TypeId| types.types().iter().any(|&o| self.hierarchy.is_subtype(id, o));
        let below: Vec<bool> = ids.filter(|_| several).map(is_below).collect();
        let of = move |(_, object): &(usize, &herbrand_pddl::Object)| match types.types() {
            [one] => object
                .types
                .types()
                .iter()
                .all(|&t| self.hierarchy.is_subtype(t, *one)),
            _ => object.types.types().iter().all(|t| below[t.index()]),
        };
        self.problem
            .objects
            .iter()
            .enumerate()
            .filter(of)
            .map(|(index, _)| ObjectId::from_index(index))
    }

    /// Returns all tuples of objects of these types, the last object varying fastest; an empty list once the budget is
    /// exhausted.
    pub(crate) fn tuples<'t>(&mut self, types: impl Iterator<Item = &'t TypeUnion>) -> Vec<Vec<ObjectId>> {
        types.fold(vec![Vec::new()], |tuples, types| {
            let objects: Vec<_> = self.objects_of(types).collect();
            let longest = tuples.first().map_or(0, Vec::len) + 1;
            let cells = (tuples.len() as u64).saturating_mul(objects.len() as u64);
            let bytes = (longest * size_of::<ObjectId>() + size_of::<Vec<ObjectId>>()) as u64;
            if !self.meter.charge(cells.saturating_mul(bytes)) {
                return Vec::new();
            }
            let longer = |tuple: &Vec<_>| {
                let with = |&object| [&tuple[..], &[object]].concat();
                objects.iter().map(with).collect::<Vec<_>>()
            };
            tuples.iter().flat_map(longer).collect()
        })
    }

    /// Computes the types that each predicate's arguments have in every atom of every state: either the declared types, or
    /// `None`. The atoms of the initial state are inspected. For the atoms that effects add and axioms derive, the types of
    /// the variables count.
    ///
    /// The result is meaningless once the budget is exhausted.
    fn vouch(
        &self,
        normal: &NormalDomain,
        goal: &NormalGoal,
        meter: &mut Meter,
    ) -> Vec<Vec<Option<TypeUnion>>> {
        let declared = self
            .domain
            .predicates
            .iter()
            .map(|p| p.parameters.iter().map(|v| v.types.clone()).collect());
        let auxiliaries = normal.auxiliaries.iter().chain(&goal.auxiliaries);
        let auxiliaries = auxiliaries.map(|a| {
            a.parameters
                .iter()
                .map(|(_, types)| types.clone())
                .collect::<Vec<_>>()
        });
        let declared: Vec<Vec<TypeUnion>> = declared.chain(auxiliaries).collect();
        let mut vouched: Vec<Vec<_>> = declared.iter().map(|types| vec![true; types.len()]).collect();
        let mut see = |predicate: PredicateId, argument: usize, types: &TypeUnion| {
            let index = predicate.index();
            let expected = &declared[index][argument];
            vouched[index][argument] = vouched[index][argument]
                && meter.work(comparisons(expected, types))
                && self.includes(expected, types);
        };
        let mut see_facts = |facts: &herbrand_pddl::AtomList| {
            for fact in facts.iter() {
                for (argument, object) in fact.arguments.iter().enumerate() {
                    see(fact.predicate, argument, &self.problem.object(*object).types);
                }
            }
        };
        see_facts(&self.problem.init);
        for_each_outcome(&self.problem.chances, &mut |outcome| see_facts(&outcome.facts));
        let mut see_terms = |predicate: PredicateId, terms: &[Term], scope: &Scope| {
            for (argument, term) in terms.iter().enumerate() {
                match *term {
                    Term::Variable(variable) => see(predicate, argument, &scope[variable.index()].types),
                    Term::Object(object) => see(predicate, argument, &self.problem.object(object).types),
                }
            }
        };
        for schema in &normal.schemas {
            for_each_add(&schema.effect, &mut |atom| {
                see_terms(atom.predicate, &atom.arguments, &schema.scope)
            });
        }
        for axiom in normal.axioms.iter().chain(&goal.axioms) {
            let head: Vec<_> = axiom
                .head
                .iter()
                .map(|&variable| Term::Variable(variable))
                .collect();
            see_terms(axiom.predicate, &head, &axiom.scope);
        }
        let known = |(types, vouched): (Vec<TypeUnion>, Vec<bool>)| {
            types
                .into_iter()
                .zip(vouched)
                .map(|(types, vouched)| vouched.then_some(types))
                .collect()
        };
        declared.into_iter().zip(vouched).map(known).collect()
    }
}

/// Returns whether every object of the types `inner` has a type in `outer`.
fn includes(hierarchy: &Hierarchy<'_>, outer: &TypeUnion, inner: &TypeUnion) -> bool {
    let mut inner = inner.types().iter();
    inner.all(|&t| outer.types().iter().any(|&o| hierarchy.is_subtype(t, o)))
}

fn settled_term<'c>(values: &[Values], comparison: &'c NormalComparison) -> Option<&'c FunctionTerm> {
    let term = comparison.defined_term()?;
    (values[term.function.index()] != Values::Varying).then_some(term)
}

/// Computes which values of each function are defined.
///
/// This is sound, because only an assignment can define a value, and no effect removes one.
fn values(
    domain: &Domain,
    problem: &Problem,
    normal: &NormalDomain,
    hierarchy: &Hierarchy<'_>,
) -> Vec<Values> {
    let mut values = vec![Values::Settled; domain.functions.len()];
    let mut assigned = |function: FunctionId| values[function.index()] = Values::Varying;
    for schema in &normal.schemas {
        for_each_leaf(&schema.effect, &mut |leaf| {
            if let NormalLeaf::Assign(assignment) = leaf
                && assignment.operator == AssignOperator::Assign
            {
                assigned(assignment.target.function);
            }
        });
    }
    for_each_outcome(&problem.chances, &mut |outcome| {
        outcome.values.iter().for_each(|value| assigned(value.function));
    });
    let mut counts = vec![0_usize; domain.functions.len()];
    problem
        .values
        .iter()
        .for_each(|value| counts[value.function.index()] += 1);
    let objects = || (0..problem.objects.len()).map(ObjectId::from_index);
    let fits = |object: ObjectId, parameter: &Variable| {
        includes(hierarchy, &parameter.types, &problem.object(object).types)
    };
    for (index, function) in domain.functions.iter().enumerate() {
        let of_type = |parameter: &Variable| objects().filter(|&object| fits(object, parameter)).count();
        let possible = function.parameters.iter().map(of_type);
        let possible = possible.fold(1, usize::saturating_mul);
        let is_total = || {
            let stated = problem
                .values
                .iter()
                .filter(|value| value.function.index() == index);
            let typed = |arguments: &&[ObjectId]| {
                let mut pairs = arguments.iter().zip(&function.parameters);
                pairs.all(|(&object, parameter)| fits(object, parameter))
            };
            let stated = stated.map(|value| &*value.arguments).filter(typed);
            stated.collect::<FxHashSet<_>>().len() == possible
        };
        if starts_at_zero(function) || counts[index] >= possible && is_total() {
            values[index] = Values::Total;
        }
    }
    values
}

/// Computes where the atoms of each predicate get their truth values from. A static predicate that initial chance may add
/// is a fluent of this problem. A derived predicate is static if it does not depend on changing predicates.
fn truth_sources(
    domain: &Domain,
    problem: &Problem,
    normal: &NormalDomain,
    goal: &NormalGoal,
    values: &[Values],
) -> Vec<TruthSource> {
    let auxiliaries = normal.auxiliaries.len() + goal.auxiliaries.len();
    let of_kind = |kind| match kind {
        PredicateKind::Static | PredicateKind::Action => TruthSource::Static,
        PredicateKind::Fluent => TruthSource::Fluent,
        PredicateKind::Derived => TruthSource::StaticDerived,
    };
    let declared = domain.predicates.iter().map(|predicate| of_kind(predicate.kind));
    let mut truth_sources: Vec<_> = declared
        .chain(std::iter::repeat_n(TruthSource::StaticDerived, auxiliaries))
        .collect();
    for_each_outcome(&problem.chances, &mut |outcome| {
        outcome
            .facts
            .iter()
            .for_each(|fact| truth_sources[fact.predicate.index()] = TruthSource::Fluent);
    });
    let axioms: Vec<&NormalAxiom> = normal.axioms.iter().chain(&goal.axioms).collect();
    let mut readers = vec![Vec::new(); truth_sources.len()];
    let mut moving: Vec<usize> = Vec::new();
    for axiom in &axioms {
        let head = axiom.predicate.index();
        for atom in axiom.body.atoms() {
            match truth_sources[atom.predicate.index()] {
                TruthSource::Fluent | TruthSource::Derived => moving.push(head),
                TruthSource::Static | TruthSource::StaticDerived => {
                    readers[atom.predicate.index()].push(head)
                }
            }
        }
        let mut comparisons = axiom.body.comparisons.iter();
        if comparisons.any(|one| settled_term(values, one).is_none()) {
            moving.push(head);
        }
    }
    while let Some(index) = moving.pop() {
        if truth_sources[index] == TruthSource::StaticDerived {
            truth_sources[index] = TruthSource::Derived;
            moving.append(&mut readers[index]);
        }
    }
    truth_sources
}

/// Calls `see` with every outcome of initial chance, including nested ones.
pub(crate) fn for_each_outcome(chances: &[InitialChance], see: &mut dyn FnMut(&InitialOutcome)) {
    for (_, outcome) in chances.iter().flat_map(|chance| &chance.alternatives) {
        see(outcome);
        for_each_outcome(&outcome.chances, see);
    }
}

/// Calls `see` with every atom that a block of effects may add.
pub(crate) fn for_each_add(block: &[NormalItem], see: &mut dyn FnMut(&Atom)) {
    for_each_leaf(block, &mut |leaf| {
        if let NormalLeaf::Add(atom) = leaf {
            see(atom);
        }
    });
}

/// Calls `see` with every leaf of a block, including all alternatives of draws.
fn for_each_leaf(block: &[NormalItem], see: &mut dyn FnMut(&NormalLeaf)) {
    for leaf in block.iter().flat_map(|item| &item.leaves) {
        see(leaf);
        leaf.alternatives()
            .iter()
            .for_each(|block| for_each_leaf(block, see));
    }
}

/// Returns the largest number of type pairs that are compared to decide whether one union includes another.
fn comparisons(outer: &TypeUnion, inner: &TypeUnion) -> u64 {
    outer.types().len() as u64 * inner.types().len() as u64
}
