//! The ground actions of random tasks agree with a brute-force enumeration of all bindings under delete relaxation.

use std::collections::BTreeSet;
use std::fmt;

use herbrand_ground::{GroundOptions, ground, unreachable};
use herbrand_limits::Budget;
use herbrand_pddl::strategies::{Shape, tasks};
use herbrand_pddl::{
    ActionSchema, Atom, Code, Domain, Effect, Formula, ObjectId, PredicateId, PredicateKind, Problem,
    Requirement, SchemaId, Term, Variable, VariableId,
};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

/// An atom without variables.
type GroundAtom = (PredicateId, Vec<ObjectId>);
/// A schema with the values of its parameters.
type GroundAction = (SchemaId, Vec<ObjectId>);

/// A domain and a problem, formatted as PDDL in failure messages.
struct Printed(Domain, Problem);

impl fmt::Debug for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}\n{}", self.0.to_pddl(), self.1.to_pddl(&self.0))
    }
}

/// A naive implementation of delete relaxation.
struct Relaxation<'a> {
    domain: &'a Domain,
    problem: &'a Problem,
    /// The atoms that are reachable when deletes and negative conditions are ignored.
    reached: BTreeSet<GroundAtom>,
}

impl<'a> Relaxation<'a> {
    fn of(domain: &'a Domain, problem: &'a Problem) -> Self {
        let initial = problem.init.iter();
        let mut this = Self {
            domain,
            problem,
            reached: initial
                .map(|fact| (fact.predicate, fact.arguments.to_vec()))
                .collect(),
        };
        loop {
            let before = this.reached.len();
            for (schema, binding) in this.applicable() {
                let schema = domain.schema(schema);
                this.apply(&schema.effect, schema, &mut padded(schema, &binding));
            }
            if this.reached.len() == before {
                return this;
            }
        }
    }

    /// Returns all bindings of the variables to objects of their types.
    fn bindings(&self, variables: &[Variable]) -> Vec<Vec<ObjectId>> {
        let mut bindings = vec![Vec::new()];
        for variable in variables {
            let objects = (0..self.problem.objects.len()).map(ObjectId::from_index);
            let fits = |&object: &ObjectId| {
                self.domain
                    .is_assignable(&self.problem.object(object).types, &variable.types)
            };
            let objects: Vec<_> = objects.filter(fits).collect();
            let with = |binding: &Vec<ObjectId>| {
                let binding = binding.clone();
                objects
                    .iter()
                    .map(move |&object| [&binding[..], &[object]].concat())
                    .collect::<Vec<_>>()
            };
            bindings = bindings.iter().flat_map(with).collect();
        }
        bindings
    }

    /// Returns the actions whose precondition may hold if each atom is considered separately.
    fn applicable(&self) -> BTreeSet<GroundAction> {
        let schemas = self.domain.schemas.iter().enumerate();
        let all = schemas.flat_map(|(index, schema)| {
            let bindings = self.bindings(schema.parameters()).into_iter();
            bindings.map(move |binding| (SchemaId::from_index(index), binding))
        });
        let may = |(schema, binding): &GroundAction| {
            let schema = self.domain.schema(*schema);
            self.may(&schema.precondition, true, &padded(schema, binding))
        };
        all.filter(may).collect()
    }

    /// Returns whether a formula may have this truth value if each atom is considered separately.
    fn may(&self, formula: &Formula, wanted: bool, binding: &[ObjectId]) -> bool {
        match formula {
            Formula::Atom(atom) => {
                let reached = self.reached.contains(&instance(atom, binding));
                let changes = self.domain.predicate(atom.predicate).kind != PredicateKind::Static;
                if wanted { reached } else { changes || !reached }
            }
            Formula::Equal(left, right) => (object(*left, binding) == object(*right, binding)) == wanted,
            Formula::Not(inner) => self.may(inner, !wanted, binding),
            Formula::And(parts) if wanted => parts.iter().all(|part| self.may(part, true, binding)),
            Formula::And(parts) => parts.iter().any(|part| self.may(part, false, binding)),
            Formula::Or(parts) if wanted => parts.iter().any(|part| self.may(part, true, binding)),
            Formula::Or(parts) => parts.iter().all(|part| self.may(part, false, binding)),
            Formula::Imply(left, right) if wanted => {
                self.may(left, false, binding) || self.may(right, true, binding)
            }
            Formula::Imply(left, right) => self.may(left, true, binding) && self.may(right, false, binding),
            Formula::Compare(..) | Formula::Forall(..) | Formula::Exists(..) => {
                unreachable!("not in these tasks")
            }
        }
    }

    /// Adds the atoms that an effect may add.
    fn apply(&mut self, effect: &Effect, schema: &ActionSchema, binding: &mut Vec<ObjectId>) {
        match effect {
            Effect::And(parts) => parts.iter().for_each(|part| self.apply(part, schema, binding)),
            Effect::Add(atom) => {
                self.reached.insert(instance(atom, binding));
            }
            Effect::When(condition, inner) => {
                if self.may(condition, true, binding) {
                    self.apply(inner, schema, binding);
                }
            }
            Effect::Forall(variables, inner) => {
                let declared: Vec<_> = variables
                    .iter()
                    .map(|v| schema.variables[v.index()].clone())
                    .collect();
                for values in self.bindings(&declared) {
                    set(binding, variables, &values);
                    self.apply(inner, schema, binding);
                }
            }
            Effect::Delete(_) => {}
            Effect::Assign(_) | Effect::Probabilistic(_) => unreachable!("not in these tasks"),
        }
    }

    /// Returns whether some assignment of truth values to the reached fluents satisfies the precondition of an action;
    /// `None` if there are too many assignments.
    fn is_satisfiable(&self, (schema, binding): &GroundAction) -> Option<bool> {
        let schema = self.domain.schema(*schema);
        let binding = padded(schema, binding);
        let mut atoms = BTreeSet::new();
        collect(&schema.precondition, &binding, &mut atoms);
        let open = |atom: &GroundAtom| {
            self.domain.predicate(atom.0).kind == PredicateKind::Fluent && self.reached.contains(atom)
        };
        let open: Vec<_> = atoms.into_iter().filter(open).collect();
        let statics = self
            .reached
            .iter()
            .filter(|atom| self.domain.predicate(atom.0).kind == PredicateKind::Static);
        let statics: BTreeSet<_> = statics.cloned().collect();
        let holds = |choice: u32| {
            let chosen = open
                .iter()
                .enumerate()
                .filter(|(index, _)| choice >> index & 1 == 1);
            let state = statics
                .iter()
                .cloned()
                .chain(chosen.map(|(_, atom)| atom.clone()))
                .collect();
            holds(&schema.precondition, &binding, &state)
        };
        (open.len() <= 10).then(|| (0..1 << open.len()).any(holds))
    }
}

/// Extends a binding of the parameters by placeholders for the quantified variables.
fn padded(schema: &ActionSchema, parameters: &[ObjectId]) -> Vec<ObjectId> {
    let mut binding = parameters.to_vec();
    binding.resize(schema.variables.len(), ObjectId::new(0));
    binding
}

fn set(binding: &mut [ObjectId], variables: &[VariableId], values: &[ObjectId]) {
    variables
        .iter()
        .zip(values)
        .for_each(|(variable, &value)| binding[variable.index()] = value);
}

fn object(term: Term, binding: &[ObjectId]) -> ObjectId {
    match term {
        Term::Object(object) => object,
        Term::Variable(variable) => binding[variable.index()],
    }
}

fn instance(atom: &Atom, binding: &[ObjectId]) -> GroundAtom {
    let arguments = atom.arguments.iter().map(|&term| object(term, binding));
    (atom.predicate, arguments.collect())
}

/// Collects the atoms of a formula.
fn collect(formula: &Formula, binding: &[ObjectId], atoms: &mut BTreeSet<GroundAtom>) {
    match formula {
        Formula::Atom(atom) => {
            atoms.insert(instance(atom, binding));
        }
        Formula::Equal(..) => {}
        Formula::Not(inner) => collect(inner, binding, atoms),
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().for_each(|part| collect(part, binding, atoms));
        }
        Formula::Imply(left, right) => {
            collect(left, binding, atoms);
            collect(right, binding, atoms);
        }
        Formula::Compare(..) | Formula::Forall(..) | Formula::Exists(..) => {
            unreachable!("not in these tasks")
        }
    }
}

/// Returns whether a formula holds in a state.
fn holds(formula: &Formula, binding: &[ObjectId], state: &BTreeSet<GroundAtom>) -> bool {
    match formula {
        Formula::Atom(atom) => state.contains(&instance(atom, binding)),
        Formula::Equal(left, right) => object(*left, binding) == object(*right, binding),
        Formula::Not(inner) => !holds(inner, binding, state),
        Formula::And(parts) => parts.iter().all(|part| holds(part, binding, state)),
        Formula::Or(parts) => parts.iter().any(|part| holds(part, binding, state)),
        Formula::Imply(left, right) => !holds(left, binding, state) || holds(right, binding, state),
        Formula::Compare(..) | Formula::Forall(..) | Formula::Exists(..) => {
            unreachable!("not in these tasks")
        }
    }
}

/// Returns the ground actions of the engine, in its order.
fn by_engine(domain: &Domain, problem: &Problem) -> Vec<GroundAction> {
    let task = ground(domain, problem, &GroundOptions::default()).unwrap();
    let action = |id| {
        let action = task.actions.get(id);
        (action.schema, action.arguments.to_vec())
    };
    task.actions.ids().map(action).collect()
}

/// Asserts that the engine's actions are a subset of the relaxed actions and include all satisfiable ones. If preconditions
/// are conjunctions, all unsatisfiable ones must be missing.
fn check(Printed(domain, problem): &Printed, conjunctive: bool) -> Result<(), TestCaseError> {
    let actions = by_engine(domain, problem);
    prop_assert!(actions.is_sorted_by(|a, b| a < b), "declaration order, each once");
    let relaxation = Relaxation::of(domain, problem);
    let may = relaxation.applicable();
    for action in &actions {
        prop_assert!(may.contains(action), "{action:?} is beyond the relaxation");
    }
    for action in &may {
        let found = actions.binary_search(action).is_ok();
        match relaxation.is_satisfiable(action) {
            Some(true) => prop_assert!(found, "{action:?} is missing"),
            Some(false) if conjunctive => prop_assert!(!found, "{action:?} contradicts itself"),
            Some(false) | None => {}
        }
    }
    Ok(())
}

/// Asserts that exactly the actions, predicates and goals that the relaxation does not reach are said to be unreachable.
fn check_unreachable(Printed(domain, problem): &Printed) -> Result<(), TestCaseError> {
    // Goals are reported at their places, so the models need texts.
    let domain = Domain::from_text(&domain.to_pddl()).unwrap();
    let problem = Problem::from_text(&problem.to_pddl(&domain), &domain).unwrap();
    let found = unreachable(&domain, &problem, false, &Budget::unlimited()).unwrap();
    let of = |code: Code| -> Vec<String> {
        let own = found.iter().filter(|one| one.code() == code);
        let mut messages: Vec<_> = own.map(|one| one.message().to_owned()).collect();
        messages.sort();
        messages
    };
    let relaxation = Relaxation::of(&domain, &problem);
    let applicable = relaxation.applicable();
    let never = |id: &SchemaId| applicable.iter().all(|(schema, _)| schema != id);
    let schemas = (0..domain.schemas.len()).map(SchemaId::from_index);
    let mut expected: Vec<_> = schemas
        .filter(never)
        .map(|id| {
            format!(
                "`{}` can never be applied in `{}`",
                domain.schema(id).name,
                problem.name
            )
        })
        .collect();
    expected.sort();
    prop_assert_eq!(of(Code::NeverApplicable), expected);
    let predicates = domain.predicates.iter().enumerate();
    let mut expected: Vec<_> = predicates
        .filter(|(index, _)| relaxation.reached.iter().all(|(id, _)| id.index() != *index))
        .map(|(_, one)| format!("no atom of `{}` can ever be true in `{}`", one.name, problem.name))
        .collect();
    expected.sort();
    prop_assert_eq!(of(Code::NeverHolds), expected);
    if let Formula::And(parts) = &problem.goal {
        let is_missing = |part: &&Formula| matches!(part, Formula::Atom(atom) if !relaxation.reached.contains(&instance(atom, &[])));
        let goal = |part: &Formula| format!("the goal `{}` can never hold", problem.goal_text(&domain, part));
        let mut expected: Vec<_> = parts.iter().filter(is_missing).map(goal).collect();
        expected.sort();
        if parts.iter().all(|part| matches!(part, Formula::Atom(_))) {
            prop_assert_eq!(of(Code::NeverTrue), expected);
        }
    }
    Ok(())
}

fn printed(flags: &[Requirement]) -> impl Strategy<Value = Printed> {
    let shape = Shape {
        objects: 1..=4,
        ..Shape::using(flags)
    };
    tasks(&shape).prop_map(|(domain, problem)| Printed(domain, problem))
}

const CONJUNCTIVE: [Requirement; 3] = [
    Requirement::Typing,
    Requirement::Equality,
    Requirement::NegativePreconditions,
];

const GENERAL: [Requirement; 5] = [
    Requirement::Typing,
    Requirement::Equality,
    Requirement::NegativePreconditions,
    Requirement::DisjunctivePreconditions,
    Requirement::ConditionalEffects,
];

/// Tasks with many derived predicates.
fn derived() -> impl Strategy<Value = Printed> {
    let shape = Shape {
        predicates: 4..=8,
        axioms: 8,
        ..Shape::using(&[
            Requirement::NegativePreconditions,
            Requirement::DisjunctivePreconditions,
            Requirement::ExistentialPreconditions,
            Requirement::DerivedPredicates,
        ])
    };
    tasks(&shape).prop_map(|(domain, problem)| Printed(domain, problem))
}

proptest! {
    #![proptest_config(ProptestConfig { ..ProptestConfig::default() })]

    /// Among other things: an axiom negates atoms of lower strata alone.
    #[test]
    fn random_axioms_make_sound_tasks(task in derived()) {
        let Printed(domain, problem) = &task;
        let task = ground(domain, problem, &GroundOptions::default()).expect("a small task");
        prop_assert_eq!(task.check(), Ok(()));
    }

    #[test]
    fn what_the_relaxation_does_not_reach_is_reported(task in prop_oneof![printed(&[]), printed(&CONJUNCTIVE)]) {
        check_unreachable(&task)?;
    }

    #[test]
    fn strips_actions_are_those_of_brute_force(task in printed(&[])) {
        check(&task, true)?;
    }

    #[test]
    fn conjunctive_actions_are_those_of_brute_force(task in printed(&CONJUNCTIVE)) {
        check(&task, true)?;
    }

    #[test]
    fn actions_with_disjunctions_and_conditions_are_those_of_brute_force(task in printed(&GENERAL)) {
        check(&task, false)?;
    }
}
