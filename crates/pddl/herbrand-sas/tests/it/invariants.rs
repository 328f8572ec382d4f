//! Mutex groups from invariants are mutex groups of the reachable states.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use herbrand_core::{Random, uniform_below};
use herbrand_ground::{AtomId, GroundOptions, GroundTask, NormalDomain, ground};
use herbrand_limits::{Budget, Limits};
use herbrand_pddl::strategies::{Shape, tasks};
use herbrand_pddl::{Domain, Problem, Requirement};
use herbrand_sas::{InvariantLimits, MutexGroups, TranslateOptions, Translation, lifted_groups, translate};
use proptest::prelude::*;

use crate::explore;

pub(crate) fn groups(domain: &Domain, task: &GroundTask) -> MutexGroups {
    let budget = Budget::unlimited();
    let normal = NormalDomain::within(domain, &budget).expect("no limit");
    lifted_groups(&normal, task, &InvariantLimits::default(), &budget).expect("no limit")
}

/// Checks each group in each reachable state, and returns their number. Tasks with too many states are skipped.
pub(crate) fn check(domain: &Domain, problem: &Problem) -> usize {
    let limits = Limits {
        bytes: Some(1 << 26),
        ..Limits::default()
    };
    let Ok(task) = ground(
        domain,
        problem,
        &GroundOptions {
            limits,
            ..GroundOptions::default()
        },
    ) else {
        return 0;
    };
    let found = groups(domain, &task);
    let Some(explored) = explore::ground(&task, &vec![1; task.actions.len()], 300) else {
        return 0;
    };
    for group in found.groups() {
        for state in &explored.states {
            let held: Vec<_> = group.iter().filter(|atom| state.contains(atom)).collect();
            assert!(
                held.len() <= 1,
                "{held:?} of {group:?}\n{}\n{}",
                domain.to_pddl(),
                problem.to_pddl(domain)
            );
        }
    }
    found.groups().len()
}

fn cases(count: u32) -> ProptestConfig {
    let given = std::env::var("PROPTEST_CASES").is_ok();
    ProptestConfig::with_cases(if given {
        ProptestConfig::default().cases
    } else {
        count
    })
}

fn shape() -> Shape {
    use Requirement as R;
    Shape {
        schemas: 1..=2,
        ..Shape::using(&[
            R::Typing,
            R::NegativePreconditions,
            R::Equality,
            R::ConditionalEffects,
            R::DisjunctivePreconditions,
            R::ExistentialPreconditions,
            R::DerivedPredicates,
            R::ProbabilisticEffects,
        ])
    }
}

/// Writes a domain whose schemas mostly move things: they delete what they require and add something else.
struct Mover(Random);

impl Mover {
    fn below(&mut self, bound: usize) -> usize {
        uniform_below(&mut self.0, bound as u32) as usize
    }

    /// Writes an atom over these terms.
    fn atom(&mut self, terms: &[&str]) -> String {
        let predicates = [("p", 1), ("p", 1), ("q", 1), ("r", 2), ("s", 0)];
        let (name, arity) = predicates[self.below(predicates.len())];
        let mut text = format!("({name}");
        for _ in 0..arity {
            let _ = write!(text, " {}", terms[self.below(terms.len())]);
        }
        text + ")"
    }

    fn schema(&mut self, index: usize) -> String {
        let parameters = ["?x", "?y", "?z"];
        let types = ["thing", "small", "object"];
        let count = self.below(4);
        let mut terms = parameters[..count].to_vec();
        if terms.is_empty() || self.below(4) == 0 {
            terms.push("c");
        }
        let (mut precondition, mut effect) = (String::new(), String::new());
        if count > 1 && self.below(3) == 0 {
            precondition += "(not (= ?x ?y))";
        }
        for _ in 0..1 + self.below(2) {
            let atom = self.atom(&terms);
            match self.below(18) {
                0 => precondition += &atom,
                1 => precondition += &format!("(not {atom})"),
                2 => {
                    let other = self.atom(&terms);
                    effect += &format!("(when {atom} (and (not {atom}) {other}))");
                }
                3 => {
                    let inner = [&terms[..], &["?w"]].concat();
                    let (one, other) = (self.atom(&inner), self.atom(&inner));
                    let kind = types[self.below(3)];
                    effect += &format!("(forall (?w - {kind}) (when {one} (and (not {one}) {other})))");
                }
                4 => {
                    let inner = [&terms[..], &["?w"]].concat();
                    let one = self.atom(&inner);
                    let kind = types[self.below(3)];
                    effect += &format!("(forall (?w - {kind}) (not {one})) ");
                }
                5 => {
                    // A deletion that depends on which objects the terms are.
                    let terms = [&terms[..], &["c", "?w"]].concat();
                    let (one, other) = (self.below(terms.len()), self.below(terms.len()));
                    let (equal, deleted) =
                        (format!("(= {} {})", terms[one], terms[other]), self.atom(&terms));
                    let condition = [equal.clone(), format!("(not {equal})")][self.below(2)].clone();
                    let other = self.atom(&terms[..terms.len() - 1]);
                    let kind = types[self.below(3)];
                    precondition += &atom;
                    effect += &format!("(forall (?w - {kind}) (when {condition} (not {deleted}))){other}");
                }
                6 => {
                    let (one, other) = (self.atom(&terms), self.atom(&terms));
                    precondition += &atom;
                    effect += &format!("(not {atom}) (probabilistic 1/2 {one} 1/4 {other})");
                }
                7 => {
                    let inner = [&terms[..], &["?w"]].concat();
                    let (one, other) = (self.atom(&inner), self.atom(&inner));
                    let kind = types[self.below(3)];
                    precondition += &atom;
                    effect +=
                        &format!("(not {atom}) (forall (?w - {kind}) (probabilistic 1/2 {one} 1/4 {other}))");
                }
                8 => {
                    let inner = [&terms[..], &["?w"]].concat();
                    let (one, other) = (self.atom(&inner), self.atom(&terms));
                    let kind = types[self.below(3)];
                    precondition += &format!("(or {atom} (exists (?w - {kind}) {one}))");
                    effect += &format!("(not {atom}) {other}");
                }
                9 => {
                    // Two additions to one predicate.
                    let other = self.atom(&terms);
                    precondition += &format!("{atom} {other}");
                    effect += &format!(
                        "(not {atom}) (not {other}) {} {}",
                        self.atom(&terms),
                        self.atom(&terms)
                    );
                }
                10 => {
                    let (one, other) = (self.atom(&terms), self.atom(&terms));
                    precondition += &atom;
                    effect += &format!(
                        "(when {other} (probabilistic 1/2 (and (not {atom}) {one}) 1/4 {}))",
                        self.atom(&terms)
                    );
                }
                _ => {
                    precondition += &atom;
                    effect += &format!("(not {atom})");
                    if self.below(6) > 0 {
                        effect += &self.atom(&terms);
                    }
                }
            }
        }
        let mut list = String::new();
        for &name in &parameters[..count] {
            let _ = write!(list, " {name} - {}", types[self.below(3)]);
        }
        format!(
            "(:action a{index} :parameters ({list}) :precondition (and {precondition}) :effect (and {effect}))"
        )
    }

    fn texts(mut self) -> [String; 2] {
        let schemas: String = (0..1 + self.below(3)).map(|index| self.schema(index)).collect();
        let domain = format!(
            "(define (domain movers) (:requirements :adl) (:types thing - object small - thing) (:constants c - small)
             (:predicates (p ?x) (q ?x) (r ?x ?y) (s)) {schemas})"
        );
        let objects = ["c", "d", "e", "f"];
        let mut init = BTreeSet::new();
        for _ in 0..1 + self.below(3) {
            init.insert(self.atom(&objects));
        }
        let init: String = init.into_iter().collect();
        let problem = format!(
            "(define (problem p) (:domain movers) (:objects d - small e - thing f) (:init {init}) (:goal (s)))"
        );
        [domain, problem]
    }
}

proptest! {
    #![proptest_config(cases(1_000))]

    #[test]
    fn groups_of_movers_are_mutex_groups(seed in any::<u64>()) {
        let [domain, problem] = Mover(Random::new(seed)).texts();
        let domain = Domain::from_text(&domain).expect("a domain");
        check(&domain, &Problem::from_text(&problem, &domain).expect("a problem"));
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn groups_of_random_domains_are_mutex_groups((domain, problem) in tasks(&shape())) {
        check(&domain, &problem);
    }
}

#[test]
fn movers_have_groups() {
    let found = (0..300).filter(|&seed| {
        let [domain, problem] = Mover(Random::new(seed)).texts();
        let domain = Domain::from_text(&domain).expect("a domain");
        let problem = Problem::from_text(&problem, &domain).expect("a problem");
        let task = ground(&domain, &problem, &GroundOptions::default()).expect("a task");
        !groups(&domain, &task).groups().is_empty()
    });
    let found = found.count();
    assert!(found > 20, "{found}");
}

/// The number of groups in a domain with an action that replaces `(p ?x)` by `(q ?x)`, and one that requires `(p ?x)` and
/// has this effect. Initially, `p` is true of two objects.
fn groups_with(effect: &str) -> usize {
    groups_from("(p a) (p b)", effect)
}

fn groups_from(initial: &str, effect: &str) -> usize {
    let domain = format!(
        "(define (domain types) (:requirements :adl :probabilistic-effects :numeric-fluents) (:types small - object)
         (:constants a - small) (:predicates (p ?x) (q ?x)) (:functions (n))
         (:action move :parameters (?x) :precondition (p ?x) :effect (and (not (p ?x)) (q ?x)))
         (:action a :parameters (?x - object ?s - small) :precondition (and (p ?x) (not (q ?x)))
          :effect (and {effect})))"
    );
    let domain = Domain::from_text(&domain).expect("a domain");
    let text = format!(
        "(define (problem p) (:domain types) (:objects b) (:init (= (n) 1) {initial}) (:goal (q a)))"
    );
    let problem = Problem::from_text(&text, &domain).expect("a problem");
    let task = ground(&domain, &problem, &GroundOptions::default()).expect("a task");
    check(&domain, &problem);
    groups(&domain, &task).groups().len()
}

#[test]
fn a_deletion_balances_only_what_it_always_deletes() {
    assert_eq!(groups_with("(not (p ?x)) (q ?x)"), 2);
    assert_eq!(groups_with("(forall (?w) (when (p ?w) (not (p ?w)))) (q ?x)"), 2);
    assert_eq!(
        groups_with("(forall (?w) (when (= ?w ?x) (not (p ?w)))) (q ?x)"),
        2
    );
    let none = [
        // The deletion is only for objects of a smaller type.
        "(forall (?w - small) (when (p ?w) (not (p ?w)))) (q ?x)",
        "(forall (?w - small) (not (p ?w))) (q ?x)",
        "(not (p ?s)) (q ?x)",
        "(not (p a)) (q ?x)",
        "(forall (?w ?v - small) (when (and (p ?w) (p ?v)) (not (p ?w)))) (q ?x)",
        // Or only for certain objects.
        "(when (= ?x ?s) (not (p ?x))) (q ?x)",
        "(when (= ?x a) (not (p ?x))) (q ?x)",
        "(when (= a ?x) (not (p ?x))) (q ?x)",
        "(forall (?w) (when (= ?w ?s) (not (p ?w)))) (q ?x)",
        // Or never.
        "(when (not (= a a)) (not (p ?x))) (q ?x)",
        // The atom is added for all objects.
        "(not (p ?x)) (forall (?w) (q ?w))",
        // It has a condition that may be false.
        "(when (q ?s) (not (p ?x))) (q ?x)",
        "(forall (?w) (when (not (= ?w ?s)) (not (p ?w)))) (q ?x)",
        "(when (> (n) 0) (not (p ?x))) (q ?x) (decrease (n) 1)",
        // It happens by chance.
        "(probabilistic 1/2 (not (p ?x))) (q ?x)",
        // The action adds the atom again.
        "(not (p ?x)) (p ?x) (q ?x)",
    ];
    for deletion in none {
        assert_eq!(groups_with(deletion), 0, "{deletion}");
    }
    assert_eq!(groups_with("(probabilistic 1/2 (and (not (p ?x)) (q ?x)))"), 2);
}

#[test]
fn an_effect_for_all_objects_adds_several_atoms() {
    assert_eq!(groups_from("(p a)", "(not (p ?x)) (q ?x)"), 1);
    assert_eq!(groups_from("(p a)", "(not (p ?x)) (forall (?w) (q ?w))"), 0);
}

/// Atoms that are initially true by chance count: both may be true at once.
#[test]
fn a_random_initial_state_counts() {
    let domain = Domain::from_text(
        "(define (domain chance) (:requirements :probabilistic-effects) (:predicates (p ?x))
         (:action move :parameters (?x ?y) :precondition (p ?x) :effect (and (not (p ?x)) (p ?y))))",
    );
    let domain = domain.expect("a domain");
    for (initial, expected) in [("(p b)", 1), ("(p b) (probabilistic 1/2 (p a))", 0)] {
        let text =
            format!("(define (problem p) (:domain chance) (:objects a b) (:init {initial}) (:goal (p a)))");
        let problem = Problem::from_text(&text, &domain).expect("a problem");
        let task = ground(&domain, &problem, &GroundOptions::default()).expect("a task");
        assert_eq!(groups(&domain, &task).groups().len(), expected, "{initial}");
        let limits = herbrand_sas::AlternatingLimits::default();
        let found =
            herbrand_sas::alternating_groups(&task, MutexGroups::default(), &limits, &Budget::unlimited());
        assert_eq!(found.expect("no limit").groups().len(), expected, "{initial}");
    }
}

/// Two additions to one set would need an object of both types.
#[test]
fn objects_of_disjoint_types_are_different() {
    let domain = Domain::from_text(
        "(define (domain types) (:requirements :adl) (:types small big - object) (:predicates (f ?x) (q ?x ?y))
         (:action b :parameters (?x - small ?s - big) :precondition (f ?x)
          :effect (and (not (f ?x)) (q ?x ?s) (forall (?w - big) (when (f ?w) (and (not (f ?w)) (q ?w ?x)))))))",
    );
    let domain = domain.expect("a domain");
    let problem = Problem::from_text(
        "(define (problem p) (:domain types) (:objects a - small c - big) (:init (f a) (f c)) (:goal (q a c)))",
        &domain,
    );
    assert_eq!(check(&domain, &problem.expect("a problem")), 2);
}

fn bundled(name: &str, problem: &str) -> Translation {
    let read = |path: &str| herbrand_domains::file(&format!("{name}/{path}")).expect("a bundled file");
    let domain = Domain::from_text(read("domain.pddl")).expect("a domain");
    let problem = Problem::from_text(read(problem), &domain).expect("a problem");
    let task = ground(&domain, &problem, &GroundOptions::default())
        .expect("a task")
        .only_relevant();
    let found = groups(&domain, &task);
    translate(
        &task,
        &vec![1; task.actions.len()],
        found,
        &TranslateOptions::default(),
        &Budget::unlimited(),
    )
    .expect("a translation")
}

#[test]
fn blocks_have_a_variable_for_each_block() {
    let blocks = bundled("blocks", "train/01.pddl");
    let values: Vec<_> = blocks
        .task
        .variables
        .iter()
        .map(|variable| variable.values.join(" | "))
        .collect();
    let expected = [
        "Atom on(b, a) | Atom on-table(b) | Atom holding(b)",
        "Atom clear(b) | NegatedAtom clear(b)",
        "Atom clear(a) | NegatedAtom clear(a)",
        "Atom hand-empty() | NegatedAtom hand-empty()",
        "Atom on(a, b) | Atom on-table(a) | Atom holding(a)",
    ];
    assert_eq!(values, expected);
    // The groups that are variables are not listed again.
    let mutexes = &blocks.task.mutexes;
    assert!(!mutexes.is_empty());
    for facts in mutexes {
        assert!(
            facts.windows(2).any(|pair| pair[0].variable != pair[1].variable),
            "{facts:?}"
        );
    }
}

/// A condition that the other conditions imply by a mutex group is no condition of an operator.
#[test]
fn implied_conditions_are_left_out() {
    let domain = Domain::from_text(
        "(define (domain ring) (:requirements :adl) (:predicates (a) (b) (c) (d) (g))
         (:action to-b :precondition (a) :effect (and (not (a)) (b)))
         (:action to-c :precondition (b) :effect (and (not (b)) (c)))
         (:action to-d :precondition (c) :effect (and (not (c)) (d)))
         (:action end :precondition (and (c) (not (d))) :effect (g)))",
    );
    let domain = domain.expect("a domain");
    let problem = Problem::from_text(
        "(define (problem p) (:domain ring) (:init (a)) (:goal (g)))",
        &domain,
    );
    let task = ground(&domain, &problem.expect("a problem"), &GroundOptions::default()).expect("a task");
    let atoms = |names: &str| -> Vec<AtomId> {
        let ids = (0..task.atom_count()).map(AtomId::from_index);
        ids.filter(|&id| names.contains(task.display_atom(id).to_string().trim_matches(['(', ')'])))
            .collect()
    };
    // The second group leaves `d` a variable of its own.
    let groups = MutexGroups::new([atoms("abc"), atoms("cd")]);
    let (costs, options) = (vec![1; task.actions.len()], TranslateOptions::default());
    let found = translate(&task, &costs, groups, &options, &Budget::unlimited()).expect("a translation");
    let end = found
        .task
        .operators
        .iter()
        .find(|operator| operator.name == "end");
    let c = found.fact(atoms("c")[0]).expect("a fact");
    assert_eq!(end.expect("an operator").prevail, [c]);
}

#[test]
fn determinized_tasks_have_the_groups_of_their_domain() {
    let read = |path: &str| herbrand_domains::file(path).expect("a bundled file");
    let domain = Domain::from_text(read("river/domain.pddl")).expect("a domain");
    let problem = Problem::from_text(read("river/train/01.pddl"), &domain).expect("a problem");
    let task = ground(&domain, &problem, &GroundOptions::default()).expect("a task");
    let simulator = herbrand_step::Simulator::new(std::sync::Arc::new(task));
    let all = herbrand_step::AllOutcomes::of(&simulator, &Budget::unlimited()).expect("all outcomes");
    let groups = groups(&domain, &all.task);
    assert!(!groups.groups().is_empty());
    let costs = vec![1; all.task.actions.len()];
    let options = TranslateOptions::default();
    let translation = translate(&all.task, &costs, groups, &options, &Budget::unlimited());
    assert_eq!(
        translation.map(|one| one.task.operators.len()),
        Ok(all.task.actions.len())
    );
}
