//! Answers tests by prepared Datalog queries on a database that is updated from state to state.
//!
//! Tests that differ only in the variables and constants that they read share one query. The query takes the objects of an
//! example as given symbols:
//!
//! ```text
//!   test      on(?x, fresh), clear(fresh)        shape    on(given 0, fresh 0), clear(fresh 0)
//!   query     :- on(G0, F0), clear(F0).          given    the object of ?x in the example
//! ```
//!
//! The number of queries thus depends on the domain and not on the tree. They are prepared once per problem.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use herbrand_datalog::{
    Atom, Database, Facts, Literal, Program, Queries, Query, RelationId, Symbol, Term, Variable,
};
use herbrand_ground::AtomId;
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_pddl::{AtomRef, ObjectId, PredicateId, PredicateKind, TypeId, TypeUnion};

use super::{Answers, check_room};
use crate::experience::{Experience, ObservedProblem, SceneId, StateId};
use crate::query::{Count, Sample, Test};

/// An argument of an atom in a query.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Slot {
    /// The given symbol with this number.
    Given(u32),
    /// The test's fresh variable with this number.
    Fresh(u32),
}

/// A test without the terms that it reads: atoms over slots. `kinds` holds, for each fresh variable, a type to check beyond
/// the types that the predicates declare.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Shape {
    given: u32,
    atoms: Vec<(PredicateId, Vec<Slot>)>,
    kinds: Vec<Option<TypeId>>,
}

/// Answers tests through [`Queries`].
pub(crate) struct DatalogAnswers<'e> {
    experience: &'e Experience,
    budget: &'e Budget,
    /// The numbers of the shapes.
    shapes: BTreeMap<Shape, usize>,
    /// The queries of each scene, one per shape. A new shape clears them; they are prepared again on the next use.
    prepared: Vec<Option<Prepared>>,
    /// The first observed state of each scene.
    first: Vec<Option<StateId>>,
}

/// The prepared queries of one problem.
struct Prepared {
    queries: Queries,
    by_shape: Vec<Query>,
}

/// A test with the number of its shape.
struct ShapedTest<'t> {
    shape: usize,
    /// The terms whose objects are passed as given symbols.
    terms: Vec<herbrand_pddl::Term>,
    test: &'t Test,
}

impl<'e> DatalogAnswers<'e> {
    pub fn new(experience: &'e Experience, budget: &'e Budget) -> Self {
        let mut first = vec![None; experience.scenes.len()];
        for (number, state) in experience.states.iter().enumerate() {
            first[state.scene.index()].get_or_insert(StateId::from_index(number));
        }
        Self {
            experience,
            budget,
            shapes: BTreeMap::new(),
            prepared: experience.scenes.iter().map(|_| None).collect(),
            first,
        }
    }

    /// Returns the shape of a test and the terms that it reads, or `None` for an equality. Adds the shape if it is new.
    fn ask<'t>(&mut self, test: &'t Test, variables: usize) -> Option<ShapedTest<'t>> {
        let Test::Exists { fresh, atoms } = test else {
            return None;
        };
        let language = &self.experience.language;
        let mut terms = Vec::new();
        let mut kinds: Vec<Option<TypeId>> = fresh.iter().map(|_| None).collect();
        let mut slots = Vec::new();
        for atom in atoms {
            let mut row = Vec::new();
            for (place, &argument) in atom.arguments.iter().enumerate() {
                row.push(match argument {
                    herbrand_pddl::Term::Variable(variable) if variable.index() >= variables => {
                        let own = variable.index() - variables;
                        if language.expected(atom.predicate, place) != &fresh[own] {
                            kinds[own] = single(&fresh[own]);
                        }
                        Slot::Fresh(own as u32)
                    }
                    given => {
                        terms.push(given);
                        Slot::Given(terms.len() as u32 - 1)
                    }
                });
            }
            slots.push((atom.predicate, row));
        }
        let shape = Shape {
            given: terms.len() as u32,
            atoms: slots,
            kinds,
        };
        let next = self.shapes.len();
        let shape = *self.shapes.entry(shape).or_insert(next);
        if shape == next {
            self.prepared.fill_with(|| None);
        }
        Some(ShapedTest { shape, terms, test })
    }

    /// Returns the queries of a problem. Prepares them if necessary.
    fn prepare(&mut self, scene: SceneId) -> &Prepared {
        let slot = &mut self.prepared[scene.index()];
        slot.get_or_insert_with(|| {
            prepare(
                self.experience,
                &self.experience.scenes[scene.index()],
                self.first[scene.index()],
                &self.shapes,
            )
        })
    }

    /// Runs the queries and calls `each` with the number of the example, the number of the test and the binding, for at most
    /// two bindings per example and test.
    fn run(
        &mut self,
        samples: &[Sample],
        asked: &[(usize, ShapedTest<'_>)],
        mut each: impl FnMut(usize, usize, &[Symbol]),
    ) -> Result<(), BudgetExhausted> {
        let mut order: Vec<usize> = (0..samples.len()).collect();
        let experience = self.experience;
        order.sort_by_key(|&number| {
            (
                experience.state(samples[number].state).scene,
                samples[number].state,
            )
        });
        let budget = self.budget;
        let mut given = Vec::new();
        for scene in
            order.chunk_by(|&a, &b| scene_of(experience, &samples[a]) == scene_of(experience, &samples[b]))
        {
            let id = scene_of(experience, &samples[scene[0]]);
            let prepared = self.prepare(id);
            let mut follower = Follower::new(experience, id, prepared.queries.database());
            for &number in scene {
                let sample = &samples[number];
                budget.check("answering queries", 0)?;
                follower.go_to(sample.state);
                for (test, asked) in asked {
                    given.clear();
                    given.extend(
                        asked
                            .terms
                            .iter()
                            .map(|&term| symbol(value(term, &sample.values))),
                    );
                    let first = given.len();
                    let mut found = 0;
                    let query = prepared.by_shape[asked.shape];
                    let _ = query.for_each(&follower.database, &given, |binding| {
                        found += 1;
                        each(number, *test, &binding[first..first + asked.test.fresh().len()]);
                        if found == 2 {
                            ControlFlow::Break(())
                        } else {
                            ControlFlow::Continue(())
                        }
                    });
                }
            }
        }
        Ok(())
    }

    /// Returns the tests that are queries, with their numbers.
    fn asked<'t>(&mut self, samples: &[Sample], tests: &'t [Test]) -> Vec<(usize, ShapedTest<'t>)> {
        let Some(first) = samples.first() else {
            return Vec::new();
        };
        let variables = first.values.len();
        let all = tests.iter().enumerate();
        all.filter_map(|(number, test)| Some((number, self.ask(test, variables)?)))
            .collect()
    }
}

impl Answers for DatalogAnswers<'_> {
    fn counts(&mut self, samples: &[Sample], tests: &[Test]) -> Result<Vec<Vec<Count>>, BudgetExhausted> {
        check_room(self.budget, samples, tests)?;
        let mut counts: Vec<Vec<Count>> = tests
            .iter()
            .map(|test| samples.iter().map(|sample| equality(test, sample)).collect())
            .collect();
        let asked = self.asked(samples, tests);
        self.run(samples, &asked, |sample, test, _| {
            let count = &mut counts[test][sample];
            *count = match count {
                Count::None => Count::One,
                Count::One | Count::Many => Count::Many,
            };
        })?;
        Ok(counts)
    }

    fn values(
        &mut self,
        samples: &[Sample],
        test: &Test,
    ) -> Result<Vec<Option<Vec<ObjectId>>>, BudgetExhausted> {
        let mut found: Vec<Vec<Vec<ObjectId>>> = samples
            .iter()
            .map(|sample| match equality(test, sample) {
                Count::None => Vec::new(),
                Count::One | Count::Many => vec![Vec::new()],
            })
            .collect();
        let asked = self.asked(samples, std::slice::from_ref(test));
        self.run(samples, &asked, |sample, _, binding| {
            found[sample].push(
                binding
                    .iter()
                    .map(|symbol| ObjectId::new(symbol.number()))
                    .collect(),
            );
        })?;
        let only = |mut bindings: Vec<Vec<ObjectId>>| match bindings.len() {
            1 => bindings.pop(),
            _ => None,
        };
        Ok(found.into_iter().map(only).collect())
    }
}

/// Returns [`Count::One`] if the test is an equality that holds, and [`Count::None`] otherwise. Bindings of queries are
/// counted later.
fn equality(test: &Test, sample: &Sample) -> Count {
    match *test {
        Test::Equal(one, other) if value(one, &sample.values) == value(other, &sample.values) => Count::One,
        Test::Equal(..) | Test::Exists { .. } => Count::None,
    }
}

fn value(term: herbrand_pddl::Term, values: &[ObjectId]) -> ObjectId {
    match term {
        herbrand_pddl::Term::Variable(variable) => values[variable.index()],
        herbrand_pddl::Term::Object(constant) => constant,
    }
}

fn scene_of(experience: &Experience, sample: &Sample) -> SceneId {
    experience.state(sample.state).scene
}

/// Returns the symbol of an object. Their numbers are equal.
fn symbol(object: ObjectId) -> Symbol {
    Symbol::new(object.number())
}

/// Returns the type of a union of exactly one type.
fn single(types: &TypeUnion) -> Option<TypeId> {
    match types.types() {
        [only] => Some(*only),
        _ => None,
    }
}

/// Returns the relation of a predicate. Their numbers are equal; the relations of the types have higher numbers.
fn relation(predicate: PredicateId) -> RelationId {
    RelationId::new(predicate.number())
}

/// Builds the program of a problem (relations of predicates and types, and a headless rule per shape) and prepares its
/// queries. Joins are planned for the first observed state.
fn prepare(
    experience: &Experience,
    scene: &ObservedProblem,
    first: Option<StateId>,
    shapes: &BTreeMap<Shape, usize>,
) -> Prepared {
    let domain = experience.language.domain();
    let vocabulary = &scene.vocabulary;
    let mut program = Program::new();
    for predicate in &domain.predicates {
        let arity = predicate.parameters.len() as u32;
        match predicate.kind {
            PredicateKind::Static | PredicateKind::Action => program.relation(predicate.name.as_str(), arity),
            PredicateKind::Fluent | PredicateKind::Derived => program.fluent(predicate.name.as_str(), arity),
        };
    }
    let types = domain
        .types
        .iter()
        .map(|kind| program.relation(kind.name.as_str(), 1));
    let types: Vec<RelationId> = types.collect();
    program.reserve_symbols(vocabulary.objects.len() as u32);

    let mut facts = Facts::new();
    for (id, &kind) in types.iter().enumerate() {
        let union = TypeUnion::single(TypeId::from_index(id));
        let objects = (0..vocabulary.objects.len()).map(ObjectId::from_index);
        for object in objects.filter(|&object| vocabulary.fits(object, &union)) {
            facts.add(kind, &[symbol(object)]);
        }
    }
    let first = first.into_iter().flat_map(|id| &experience.state(id).atoms);
    let first = first.map(|&id| scene.atom(id));
    for fact in scene.statics().chain(first) {
        facts.add(
            relation(fact.predicate),
            &fact.arguments.iter().copied().map(symbol).collect::<Vec<_>>(),
        );
    }

    let mut ordered: Vec<(&Shape, usize)> = shapes.iter().map(|(shape, &number)| (shape, number)).collect();
    ordered.sort_by_key(|&(_, number)| number);
    for (shape, _) in &ordered {
        add_rule(&mut program, shape, &types);
    }
    let mut queries = Queries::new(&program, &facts).expect("the rules are safe and the facts fit");
    let by_shape = program.rule_ids().zip(&ordered).map(|(rule, (shape, _))| {
        let given: Vec<Variable> = (0..shape.given).map(Variable::new).collect();
        queries
            .prepare(rule, &given)
            .expect("the rule has these variables")
    });
    let by_shape = by_shape.collect();
    Prepared { queries, by_shape }
}

fn add_rule(program: &mut Program, shape: &Shape, types: &[RelationId]) {
    let term = |slot: &Slot| match *slot {
        Slot::Given(number) => Term::from(Variable::new(number)),
        Slot::Fresh(number) => Term::from(Variable::new(shape.given + number)),
    };
    let mut rule = program.rule("test");
    for (predicate, slots) in &shape.atoms {
        rule = rule.literal(Literal::Positive(Atom::new(
            relation(*predicate),
            slots.iter().map(term),
        )));
    }
    for (number, kind) in (0..).zip(&shape.kinds) {
        if let Some(kind) = kind {
            rule = rule.when(types[kind.index()], [Variable::new(shape.given + number)]);
        }
    }
    rule.add();
}

/// A database that moves from state to state of one problem.
struct Follower<'e> {
    experience: &'e Experience,
    scene: SceneId,
    database: Database,
    atoms: &'e [AtomId],
}

impl<'e> Follower<'e> {
    fn new(experience: &'e Experience, scene: SceneId, mut database: Database) -> Self {
        for fact in experience.scenes[scene.index()].statics() {
            insert(&mut database, fact);
        }
        Self {
            experience,
            scene,
            database,
            atoms: &[],
        }
    }

    /// Moves the database to a state by removing and inserting the atoms that differ. Both lists of atoms are sorted.
    fn go_to(&mut self, state: StateId) {
        let scene = &self.experience.scenes[self.scene.index()];
        let next = self.experience.state(state).atoms.as_slice();
        for &atom in self.atoms.iter().filter(|atom| next.binary_search(atom).is_err()) {
            let fact = scene.atom(atom);
            let tuple: Vec<Symbol> = fact.arguments.iter().copied().map(symbol).collect();
            self.database.remove(relation(fact.predicate), &tuple);
        }
        for &atom in next.iter().filter(|atom| self.atoms.binary_search(atom).is_err()) {
            insert(&mut self.database, scene.atom(atom));
        }
        self.atoms = next;
    }
}

fn insert(database: &mut Database, fact: AtomRef<'_>) {
    let tuple: Vec<Symbol> = fact.arguments.iter().copied().map(symbol).collect();
    database.insert(relation(fact.predicate), &tuple);
}
