//! What a problem's predicates are to Datalog: which change, which relation holds them, which types they vouch for.

use fxhash::FxHashMap;
use herbrand_datalog::{Program, RelationId};
use herbrand_limits::{Budget, Meter};
use herbrand_pddl::{
    Atom, Domain, Hierarchy, InitialChance, InitialOutcome, ObjectId, PredicateId, PredicateKind, Problem,
    Term, TypeId, TypeUnion,
};

use crate::normal::{NormalAxiom, NormalDomain, NormalGoal, NormalItem, NormalLeaf, Scope, u32_len};

/// How a predicate's atoms come and go in one problem.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Change {
    /// True or false for good: facts of the problem.
    Static,
    /// Part of the state.
    Fluent,
    /// Follows by rules from what is static alone.
    StaticDerived,
    /// Follows by rules from the state.
    Derived,
}

/// The predicates of a problem, the domain's and the auxiliary ones, with their relations.
#[derive(Debug)]
pub(crate) struct Signature<'a> {
    pub(crate) domain: &'a Domain,
    pub(crate) problem: &'a Problem,
    /// How each predicate changes.
    pub(crate) changes: Vec<Change>,
    /// The relation of each predicate's atoms.
    pub(crate) relations: Vec<RelationId>,
    /// For each predicate and argument, the types that every atom's argument is known to have.
    vouched: Vec<Vec<Option<TypeUnion>>>,
    /// The unary relations of types.
    types: FxHashMap<TypeUnion, RelationId>,
    /// The type unions in the order in which their relations were made.
    type_order: Vec<(TypeUnion, RelationId)>,
    hierarchy: Hierarchy<'a>,
    /// What is written over this signature is charged here.
    pub(crate) meter: Meter,
}

/// The bytes that a relation is reckoned to take, with what is known of its predicate.
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
        let changes = changes(domain, problem, normal, goal);
        let auxiliaries = normal.auxiliaries.iter().chain(&goal.auxiliaries);
        let names = domain
            .predicates
            .iter()
            .map(|p| (p.name.as_str(), u32_len(p.parameters.len())));
        let names = names.chain(auxiliaries.map(|a| (a.name.as_str(), u32_len(a.parameters.len()))));
        let relations = names
            .zip(&changes)
            .map(|((name, arity), change)| match change {
                Change::Fluent => program.fluent(name, arity),
                _ => program.relation(name, arity),
            })
            .collect();
        meter.charge((domain.types.len() * Hierarchy::TYPE_BYTES) as u64);
        let hierarchy = Hierarchy::new(domain);
        let mut signature = Self {
            domain,
            problem,
            changes,
            relations,
            vouched: Vec::new(),
            types: FxHashMap::default(),
            type_order: Vec::new(),
            hierarchy,
            meter,
        };
        let mut meter = signature.meter.clone();
        signature.vouched = signature.vouch(normal, goal, &mut meter);
        signature.meter = meter;
        signature
    }

    /// How a predicate changes.
    pub(crate) fn change(&self, predicate: PredicateId) -> Change {
        self.changes[predicate.index()]
    }

    /// Whether every object of `inner` is one of `outer`.
    pub(crate) fn includes(&self, outer: &TypeUnion, inner: &TypeUnion) -> bool {
        inner
            .types()
            .iter()
            .all(|&t| outer.types().iter().any(|&o| self.hierarchy.is_subtype(t, o)))
    }

    /// Whether every atom of the predicate is known to have an object of `types` at this argument.
    pub(crate) fn vouches(&self, predicate: PredicateId, argument: usize, types: &TypeUnion) -> bool {
        self.vouched[predicate.index()][argument]
            .as_ref()
            .is_some_and(|known| self.includes(types, known))
    }

    /// The unary relation of the objects of `types`.
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

    /// The type relations made so far.
    pub(crate) fn type_relations(&self) -> &[(TypeUnion, RelationId)] {
        &self.type_order
    }

    /// The objects of `types`, in declaration order.
    pub(crate) fn objects_of<'t>(&'t self, types: &'t TypeUnion) -> impl Iterator<Item = ObjectId> + 't {
        // What several types include is found out once for each type, not for each object.
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

    /// Every tuple of objects of the variables' types; the last one moves fastest.
    /// None once the budget is spent.
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

    /// The declared types of each predicate's arguments, where every atom that a state can hold has them: those of the
    /// initial state by inspection, those that effects add and axioms derive by the types of their variables.
    ///
    /// Nobody looks at the answer once the budget is spent.
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
        let mut see_facts = |facts: &herbrand_pddl::Facts| {
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

/// How each predicate changes: a static one that chance may add to the initial state is a fluent of this problem, and
/// a derived one is static when nothing that it depends on changes.
fn changes(domain: &Domain, problem: &Problem, normal: &NormalDomain, goal: &NormalGoal) -> Vec<Change> {
    let auxiliaries = normal.auxiliaries.len() + goal.auxiliaries.len();
    let of_kind = |kind| match kind {
        PredicateKind::Static | PredicateKind::Action => Change::Static,
        PredicateKind::Fluent => Change::Fluent,
        PredicateKind::Derived => Change::StaticDerived,
    };
    let declared = domain.predicates.iter().map(|predicate| of_kind(predicate.kind));
    let mut changes: Vec<_> = declared
        .chain(std::iter::repeat_n(Change::StaticDerived, auxiliaries))
        .collect();
    for_each_outcome(&problem.chances, &mut |outcome| {
        outcome
            .facts
            .iter()
            .for_each(|fact| changes[fact.predicate.index()] = Change::Fluent);
    });
    let axioms: Vec<&NormalAxiom> = normal.axioms.iter().chain(&goal.axioms).collect();
    let mut readers = vec![Vec::new(); changes.len()];
    let mut moving: Vec<usize> = Vec::new();
    for axiom in &axioms {
        let head = axiom.predicate.index();
        for atom in axiom.body.atoms() {
            match changes[atom.predicate.index()] {
                Change::Fluent | Change::Derived => moving.push(head),
                Change::Static | Change::StaticDerived => readers[atom.predicate.index()].push(head),
            }
        }
        if !axiom.body.comparisons.is_empty() {
            moving.push(head);
        }
    }
    while let Some(index) = moving.pop() {
        if changes[index] == Change::StaticDerived {
            changes[index] = Change::Derived;
            moving.append(&mut readers[index]);
        }
    }
    changes
}

/// Calls `see` with everything that chance may add to an initial state.
pub(crate) fn for_each_outcome(chances: &[InitialChance], see: &mut dyn FnMut(&InitialOutcome)) {
    for (_, outcome) in chances.iter().flat_map(|chance| &chance.alternatives) {
        see(outcome);
        for_each_outcome(&outcome.chances, see);
    }
}

/// Calls `see` with every atom that a block of effects may add.
pub(crate) fn for_each_add(block: &[NormalItem], see: &mut dyn FnMut(&Atom)) {
    for leaf in block.iter().flat_map(|item| &item.leaves) {
        match leaf {
            NormalLeaf::Add(atom) => see(atom),
            NormalLeaf::Draw { alternatives, .. } => {
                alternatives.iter().for_each(|block| for_each_add(block, see));
            }
            NormalLeaf::Delete(_) | NormalLeaf::Assign(_) => {}
        }
    }
}

/// How many pairs of types are compared at most to find out whether one union includes another.
fn comparisons(outer: &TypeUnion, inner: &TypeUnion) -> u64 {
    outer.types().len() as u64 * inner.types().len() as u64
}
