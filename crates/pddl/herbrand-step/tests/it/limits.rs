//! Tests of resource limits: short inputs with huge expansions are compiled in linear space, or fail within their budget.

use std::fmt::Write as _;
use std::time::Duration;

use herbrand_ground::GroundOptions;
use herbrand_limits::{Budget, BudgetExhausted, Limits};
use herbrand_pddl::{Domain, Problem};
use herbrand_step::{
    CompileError, LiftedSimulator, LiftedWalker, Options, Random, Simulator, StateStore, StepError,
    all_outcomes, compile_with,
};

fn models(domain: &str, problem: &str) -> (Domain, Problem) {
    let domain = Domain::from_text(domain).unwrap_or_else(|faults| panic!("{faults}"));
    let problem = Problem::from_text(problem, &domain).unwrap_or_else(|faults| panic!("{faults}"));
    (domain, problem)
}

/// Compiles within a budget of `bytes` bytes. Returns the result and the maximum number of bytes held.
fn compiled((domain, problem): &(Domain, Problem), bytes: u64) -> (Result<Simulator, CompileError>, u64) {
    let options = GroundOptions {
        limits: Limits {
            bytes: Some(bytes),
            time: None,
        },
        ..GroundOptions::default()
    };
    let mut result = None;
    let info = allocation_counter::measure(|| result = Some(compile_with(domain, problem, &options)));
    (result.unwrap(), info.bytes_max)
}

/// Asserts that compiling fails and holds at most one and a half times the budget.
fn fails_within_its_budget(name: &str, models: &(Domain, Problem), bytes: u64) {
    let (result, held) = compiled(models, bytes);
    assert!(result.is_err(), "{name}: {bytes} bytes are enough");
    assert!(held <= bytes + bytes / 2, "{name}: {held} bytes of {bytes}");
}

const MEBI: u64 = 1 << 20;

/// Nested conditional effects with disjunctive conditions, each inside a draw of the previous one.
fn nested_draws(levels: usize) -> (Domain, Problem) {
    let (mut predicates, mut effect) = (String::new(), "(goal)".to_owned());
    for level in 0..levels {
        write!(predicates, "(a{level}) (b{level}) ").unwrap();
        effect = format!("(when (or (a{level}) (b{level})) (probabilistic 0.5 (and (b{level}) {effect})))");
    }
    models(
        &format!(
            "(define (domain d) (:requirements :adl :probabilistic-effects) (:predicates (goal) {predicates})
               (:action act :effect (and (a0) {effect})))"
        ),
        "(define (problem p) (:domain d) (:init) (:goal (goal)))",
    )
}

/// Derived predicates that depend on each other in a cycle.
fn cycle(length: usize) -> (Domain, Problem) {
    let (mut predicates, mut rules) = (String::new(), String::new());
    for index in 0..length {
        write!(predicates, "(p{index}) ").unwrap();
        write!(
            rules,
            "(:derived (p{index}) (or (on) (p{}))) ",
            (index + 1) % length
        )
        .unwrap();
    }
    models(
        &format!(
            "(define (domain d) (:requirements :adl :derived-predicates) (:predicates (on) {predicates}) {rules}
               (:action act :effect (on)))"
        ),
        "(define (problem p) (:domain d) (:init) (:goal (p0)))",
    )
}

/// Nested equivalences. The length of the formula doubles with each level.
fn equivalences(levels: usize) -> (Domain, Problem) {
    let (mut predicates, mut formula) = ("(p) ".to_owned(), "(p)".to_owned());
    for level in 0..levels {
        write!(predicates, "(q{level}) ").unwrap();
        formula = format!("(and (imply (q{level}) {formula}) (imply {formula} (q{level})))");
    }
    models(
        &format!(
            "(define (domain d) (:requirements :adl) (:predicates {predicates})
               (:action act :precondition {formula} :effect (p)))"
        ),
        "(define (problem p) (:domain d) (:init) (:goal (p)))",
    )
}

/// An effect that quantifies over seven variables with thirty objects.
fn quantified(effect: &str) -> (Domain, Problem) {
    let objects: String = (0..30).map(|index| format!("o{index} ")).collect();
    models(
        &format!(
            "(define (domain d) (:requirements :adl :numeric-fluents) (:predicates (h ?x)) (:functions (x))
               (:action act :effect (forall (?a ?b ?c ?d ?e ?f ?g) {effect})))"
        ),
        &format!("(define (problem p) (:domain d) (:objects {objects}) (:init (= (x) 0)) (:goal (h o0)))"),
    )
}

/// Asserts that doubling the size of the input at most about doubles the memory.
fn grows_linearly(name: &str, of: impl Fn(usize) -> (Domain, Problem), size: usize) {
    let held = |size| {
        let (result, held) = compiled(&of(size), 1 << 30);
        assert!(result.is_ok(), "{name} of {size}: {}", result.unwrap_err());
        held
    };
    let (one, two) = (held(size), held(2 * size));
    assert!(two < 3 * one, "{name}: {one} bytes, then {two}");
}

#[test]
fn normal_forms_are_linear_in_the_text() {
    grows_linearly("nested draws", nested_draws, 12);
    grows_linearly("nested draws", nested_draws, 24);
    grows_linearly("a cycle of derived predicates", cycle, 500);
    grows_linearly("a cycle of derived predicates", cycle, 4000);
}

#[test]
fn what_is_too_large_is_refused_within_the_budget() {
    for levels in [9, 11, 13] {
        fails_within_its_budget("equivalences", &equivalences(levels), MEBI << (levels - 9));
    }
    for bytes in [MEBI, 4 * MEBI, 16 * MEBI, 64 * MEBI] {
        fails_within_its_budget("an increase", &quantified("(increase (x) 1)"), bytes);
    }
    for bytes in [MEBI, 4 * MEBI] {
        fails_within_its_budget("a cycle", &cycle(4000), bytes);
    }
}

/// Effects whose common condition expands to thirty literals in each of them.
fn written_out(effects: usize) -> (Domain, Problem) {
    let objects: String = (0..30).map(|index| format!("o{index} ")).collect();
    let (mut predicates, mut whens) = (String::new(), String::new());
    for index in 0..effects {
        write!(predicates, "(p{index}) ").unwrap();
        write!(whens, "(when (forall (?x) (h ?x)) (p{index})) ").unwrap();
    }
    models(
        &format!(
            "(define (domain d) (:requirements :adl) (:predicates (h ?x) {predicates})
               (:action put :parameters (?x) :effect (h ?x)) (:action act :effect (and {whens})))"
        ),
        &format!("(define (problem p) (:domain d) (:objects {objects}) (:init) (:goal (p0)))"),
    )
}

/// Under every budget, from too small to sufficient, at most one and a half times the budget is held.
#[test]
fn compiling_holds_no_more_than_one_and_a_half_times_its_budget() {
    for (name, models) in [
        ("nested draws", nested_draws(60)),
        ("a cycle", cycle(3000)),
        ("equivalences", equivalences(9)),
        ("collapsed quantifiers", quantified("(h ?a)")),
        ("written out", written_out(3000)),
    ] {
        let mut refused = 0;
        for bytes in (0..12).map(|power| MEBI << power) {
            let (result, held) = compiled(&models, bytes);
            assert!(held <= bytes + bytes / 2, "{name}: {held} bytes of {bytes}");
            match result {
                Ok(_) => break,
                Err(_) => refused += 1,
            }
        }
        assert!(refused < 12, "{name}");
    }
}

/// The thirty to the seventh bindings need no memory, but time.
#[test]
fn what_takes_too_long_is_refused() {
    let all = "(and (h ?b) (h ?c) (h ?d) (h ?e) (h ?f) (h ?g))";
    let (domain, problem) = quantified(&format!("(when {all} (not (h ?a)))"));
    let options = GroundOptions {
        limits: Limits {
            bytes: None,
            time: Some(Duration::from_millis(200)),
        },
        ..GroundOptions::default()
    };
    let error = compile_with(&domain, &problem, &options).unwrap_err();
    assert!(error.to_string().contains("time limit"), "{error}");
}

#[test]
fn variables_that_an_effect_does_not_use_cost_nothing() {
    let models = quantified("(h ?a)");
    let (result, held) = compiled(&models, 4 * MEBI);
    let simulator = result.unwrap_or_else(|error| panic!("{error}"));
    assert!(held < 4 * MEBI, "{held}");
    let mut walker = simulator.walker();
    let act = walker.valid().iter().next().unwrap();
    walker.apply(act, &mut Random::new(0)).unwrap();
    assert_eq!(walker.atoms().count(), 30);

    let lifted = LiftedSimulator::compile(&models.0, &models.1).unwrap();
    let mut walker = lifted.walker().unwrap();
    let schema = walker.valid().nth(0).unwrap().schema;
    walker.apply(schema, &[], &mut Random::new(0)).unwrap();
    assert_eq!(walker.state().atoms().count(), 30);
}

#[test]
fn an_effect_over_a_type_without_objects_does_nothing() {
    let (domain, problem) = models(
        "(define (domain d) (:requirements :adl :typing) (:types none some) (:predicates (h) (k))
           (:action act :effect (and (forall (?x - none) (h)) (forall (?x - some) (k)))))",
        "(define (problem p) (:domain d) (:objects o - some) (:init) (:goal (k)))",
    );
    let simulator = herbrand_step::compile(&domain, &problem).unwrap();
    let mut walker = simulator.walker();
    let act = walker.valid().iter().next().unwrap();
    walker.apply(act, &mut Random::new(0)).unwrap();
    let atoms = walker
        .atoms()
        .map(|atom| simulator.task().display_atom(atom).to_string());
    assert_eq!(atoms.collect::<Vec<_>>(), ["(k)"]);
}

/// Explaining that no binding of seven variables satisfies the precondition takes thirty to the seventh tests.
#[test]
fn an_explanation_ends_within_its_time() {
    let all = "(h ?a) (h ?b) (h ?c) (h ?d) (h ?e) (h ?f) (h ?g)";
    let objects: String = (0..30).map(|index| format!("o{index} ")).collect();
    let facts: String = (0..30).map(|index| format!("(h o{index}) ")).collect();
    let (domain, problem) = models(
        &format!(
            "(define (domain d) (:requirements :adl) (:predicates (h ?x) (never) (done))
               (:action act :precondition (exists (?a ?b ?c ?d ?e ?f ?g) (and {all} (never))) :effect (done))
               (:action none :effect (never)))"
        ),
        &format!("(define (problem p) (:domain d) (:objects {objects}) (:init {facts}) (:goal (done)))"),
    );
    let task = herbrand_ground::LiftedTask::of(&domain, &problem).unwrap();
    let step = Limits {
        bytes: None,
        time: Some(Duration::from_millis(50)),
    };
    let options = Options {
        step,
        ..Options::default()
    };
    let simulator = LiftedSimulator::with_options(task, options).unwrap();
    let mut walker = simulator.walker().unwrap();
    let (act, arguments) = simulator.parse_action("(act)").unwrap();
    let told = walker.explain(act, &arguments).unwrap_err();
    let refused = walker.apply(act, &arguments, &mut Random::new(0)).unwrap_err();
    for error in [told, refused] {
        assert!(matches!(error, StepError::Limit { .. }), "{error}");
        assert!(error.to_string().contains("explaining an action"), "{error}");
    }
}

#[test]
fn a_lifted_step_ends_within_its_limits() {
    let (domain, problem) = quantified("(increase (x) 1)");
    for bytes in [MEBI, 16 * MEBI] {
        let task = herbrand_ground::LiftedTask::of(&domain, &problem).unwrap();
        let step = Limits {
            bytes: Some(bytes),
            time: None,
        };
        let options = Options {
            step,
            ..Options::default()
        };
        let simulator = LiftedSimulator::with_options(task, options).unwrap();
        let mut walker = simulator.walker().unwrap();
        let schema = walker.valid().nth(0).unwrap().schema;
        let before = walker.state().clone();
        let mut result = None;
        let info = allocation_counter::measure(|| {
            result = Some(walker.apply(schema, &[], &mut Random::new(0)));
        });
        let error = result.unwrap().unwrap_err();
        assert!(matches!(error, StepError::Limit { .. }), "{error}");
        assert!(
            info.bytes_max <= bytes + bytes / 2,
            "{} of {bytes}",
            info.bytes_max
        );
        assert_eq!(walker.state(), &before);
    }
}

/// A task in which `(on)` enables `objects` to the fifth power facts, declared in `what`.
fn powers(objects: usize, init: &str, what: &str) -> (Domain, Problem) {
    let names: String = (0..objects).map(|index| format!("o{index} ")).collect();
    let facts: String = (0..objects).map(|index| format!("(h o{index}) ")).collect();
    let pairs: String = (0..objects)
        .flat_map(|one| (one + 1..objects).map(move |other| format!("(r o{one} o{other}) ")))
        .collect();
    models(
        &format!(
            "(define (domain d) (:requirements :adl :derived-predicates)
               (:predicates (h ?x) (r ?x ?y) (on) (off) (goal) (big ?a ?b ?c ?d ?e) (circle)) {what}
               (:action touch :parameters (?x) :precondition (h ?x) :effect (not (h ?x)))
               (:action act :effect (and (on) (not (off)))))"
        ),
        &format!(
            "(define (problem p) (:domain d) (:objects {names}) (:init {init} {facts} {pairs}) (:goal (goal)))"
        ),
    )
}

const ALL: &str = "(on) (h ?a) (h ?b) (h ?c) (h ?d) (h ?e)";

/// Declarations of facts that are enabled by `(on)`: derived atoms, valid actions, bindings of a precondition.
fn powerful() -> [(&'static str, String); 4] {
    [
        (
            "derived atoms",
            format!("(:derived (big ?a ?b ?c ?d ?e) (and {ALL}))"),
        ),
        (
            "valid actions",
            format!("(:action many :parameters (?a ?b ?c ?d ?e) :precondition (and {ALL}) :effect (goal))"),
        ),
        (
            "recursive atoms",
            format!(
                "(:derived (big ?a ?b ?c ?d ?e) (and {ALL}))
                 (:derived (big ?a ?b ?c ?d ?e) (and (on) (big ?b ?c ?d ?e ?a)))"
            ),
        ),
        (
            "conditions of numbers of bindings",
            format!(
                "(:action one :precondition (forall (?a ?b ?c ?d ?e) (not (and {ALL}))) :effect (goal))
               (:derived (big ?a ?b ?c ?d ?e) (and {ALL}))"
            ),
        ),
    ]
}

fn within(limits: Limits, (domain, problem): &(Domain, Problem)) -> LiftedSimulator {
    let task = herbrand_ground::LiftedTask::of(domain, problem).unwrap();
    let options = Options {
        step: limits,
        ..Options::default()
    };
    LiftedSimulator::with_options(task, options).unwrap()
}

const fn megabytes(count: u64) -> Limits {
    Limits {
        bytes: Some(count * MEBI),
        time: None,
    }
}

/// Returns the observable contents of a walker.
fn seen(walker: &LiftedWalker) -> (herbrand_step::LiftedState, Vec<String>, Vec<String>, bool) {
    let simulator = walker.simulator();
    let valid = walker.valid().iter();
    let valid = valid.map(|action| action.display(simulator.vocabulary()).to_string());
    let mut derived: Vec<_> = walker.derived().map(|fact| format!("{fact:?}")).collect();
    derived.sort();
    (walker.state().clone(), valid.collect(), derived, walker.is_goal())
}

#[test]
fn what_follows_from_a_lifted_state_stays_within_its_limits() {
    for (name, what) in powerful() {
        for bytes in [2, 16] {
            let simulator = within(megabytes(bytes), &powers(30, "(off)", &what));
            let mut walker = simulator.walker().unwrap();
            let (before, schema) = (
                seen(&walker),
                walker.simulator().vocabulary().schemas.len() as u32 - 1,
            );
            let act = herbrand_pddl::SchemaId::new(schema);
            for _ in 0..2 {
                let mut result = None;
                let info = allocation_counter::measure(|| {
                    result = Some(walker.apply(act, &[], &mut Random::new(0)));
                });
                let error = result.unwrap().unwrap_err();
                let exhausted = matches!(
                    error,
                    StepError::Limit {
                        exhausted: BudgetExhausted::Memory { .. },
                        ..
                    }
                );
                assert!(exhausted, "{name}: {error}");
                let most = bytes * MEBI + bytes * MEBI / 2;
                assert!(info.bytes_max <= most, "{name}: {} of {most}", info.bytes_max);
                assert_eq!(seen(&walker), before, "{name}: nothing happened");
            }
            // The walker still works like a fresh one.
            let touch = walker.valid().nth(0).unwrap();
            let (schema, arguments) = (touch.schema, touch.arguments.to_vec());
            let mut other = simulator.walker().unwrap();
            walker.apply(schema, &arguments, &mut Random::new(0)).unwrap();
            other.apply(schema, &arguments, &mut Random::new(0)).unwrap();
            assert_eq!(seen(&walker), seen(&other), "{name}");
            assert!(walker.undo() && seen(&walker) == before, "{name}");
        }
    }
}

#[test]
fn a_step_that_an_enclosing_budget_ends_is_taken_back() {
    let [(name, what), ..] = powerful();
    let simulator = within(Limits::default(), &powers(30, "(off)", &what));
    let mut walker = simulator.walker().unwrap();
    let (before, schema) = (seen(&walker), simulator.vocabulary().schemas.len() as u32 - 1);
    let act = herbrand_pddl::SchemaId::new(schema);
    let budget = Budget::new(Limits {
        bytes: None,
        time: Some(Duration::from_millis(20)),
    });
    // Derives 30^5 atoms, which takes seconds.
    let error = budget.enclose(|| walker.apply(act, &[], &mut Random::new(0)));
    assert!(matches!(error, Err(StepError::Limit { .. })), "{name}: {error:?}");
    assert_eq!(seen(&walker), before, "{name}: nothing happened");
}

#[test]
fn wide_states_are_not_given_room_for_many() {
    const WIDTH: usize = 40_000;
    let info = allocation_counter::measure(|| {
        let mut store = StateStore::new(WIDTH);
        for number in 0..20 {
            let state = vec![number as u64; WIDTH];
            assert_eq!(store.find_or_insert(&state), (number, true));
            assert_eq!(store.find_or_insert(&state), (number, false));
        }
        assert!((0..20).all(|number| store.get(number).iter().all(|&word| word == number as u64)));
    });
    // A batch of 64 states, and the 20.
    assert!(info.bytes_max < 40 * MEBI, "{}", info.bytes_max);
}

#[test]
fn a_state_of_which_too_much_follows_is_refused() {
    for (name, what) in powerful() {
        let simulator = within(megabytes(4), &powers(30, "(on)", &what));
        let mut result = None;
        let info = allocation_counter::measure(|| result = Some(simulator.walker().map(drop)));
        assert!(matches!(result.unwrap(), Err(StepError::Limit { .. })), "{name}");
        assert!(info.bytes_max <= 6 * MEBI, "{name}: {}", info.bytes_max);

        // Moving there from another state fails too, and leaves the walker unchanged.
        let simulator = within(megabytes(4), &powers(30, "(off)", &what));
        let mut walker = simulator.walker().unwrap();
        let before = seen(&walker);
        let state = within(megabytes(4), &powers(30, "(on)", &what))
            .initial_state()
            .clone();
        assert!(
            matches!(walker.set_state(&state), Err(StepError::Limit { .. })),
            "{name}"
        );
        assert_eq!(seen(&walker), before, "{name}");
        let small = within(megabytes(4), &powers(4, "(on)", &what));
        assert!(small.walker().is_ok(), "{name}");
    }
}

/// Searching for cycles in a total order takes long and finds none.
#[test]
fn a_lifted_state_takes_no_more_than_its_time() {
    let circle = "(:derived (circle) (exists (?a ?b ?c ?d ?e ?f) (and (on)
        (r ?a ?b) (r ?b ?c) (r ?c ?d) (r ?d ?e) (r ?e ?f) (r ?f ?a))))";
    let limits = Limits {
        bytes: None,
        time: Some(Duration::from_millis(300)),
    };
    let simulator = within(limits, &powers(120, "(off)", circle));
    let mut walker = simulator.walker().unwrap();
    let before = seen(&walker);
    let act = herbrand_pddl::SchemaId::new(1);
    let error = walker.apply(act, &[], &mut Random::new(0)).unwrap_err();
    assert!(error.to_string().contains("time limit"), "{error}");
    assert_eq!(seen(&walker), before);
}

/// Memory of retracted facts is released, so a long walk needs no more than a short one.
#[test]
fn a_walk_to_and_fro_stays_within_its_limits() {
    for (name, what) in powerful() {
        let what = format!("{what} (:action leave :effect (and (off) (not (on))))");
        let simulator = within(megabytes(16), &powers(6, "(off)", &what));
        let schemas = simulator.vocabulary().schemas.len() as u32;
        let (leave, act) = (schemas - 3, schemas - 1);
        let mut walker = simulator.walker().unwrap();
        let mut seen_on = None;
        for _ in 0..20 {
            walker
                .apply(herbrand_pddl::SchemaId::new(act), &[], &mut Random::new(0))
                .unwrap();
            let on = seen(&walker);
            assert_eq!(seen_on.get_or_insert_with(|| on.clone()), &on, "{name}");
            walker
                .apply(herbrand_pddl::SchemaId::new(leave), &[], &mut Random::new(0))
                .unwrap();
        }
    }
}

/// Eight actions with 2^12 outcomes each are determinized within the budget, or not at all.
#[test]
fn actions_are_split_by_their_outcomes_within_a_budget() {
    let (mut predicates, mut tosses) = (String::new(), String::new());
    for coin in 0..12 {
        write!(predicates, "(c{coin} ?x) ").unwrap();
        write!(tosses, "(probabilistic 1/2 (c{coin} ?x)) ").unwrap();
    }
    let domain = format!(
        "(define (domain coins) (:requirements :probabilistic-effects) (:predicates {predicates})
           (:action toss :parameters (?x) :effect (and {tosses})))"
    );
    let problem = "(define (problem p) (:domain coins) (:objects a b c d e f g h) (:init) (:goal (c0 a)))";
    let (domain, problem) = models(&domain, problem);
    let simulator = herbrand_step::compile(&domain, &problem).unwrap();
    let split = |limits: Limits| {
        let mut result = None;
        let budget = Budget::new(limits);
        let info = allocation_counter::measure(|| result = Some(all_outcomes(&simulator, &budget)));
        (result.unwrap(), info.bytes_max)
    };
    let (whole, held) = split(Limits::default());
    assert_eq!(whole.unwrap().actions.len(), 8 << 12);
    assert!(held > 4 * MEBI, "{held}");
    for bytes in [MEBI / 4, MEBI, 2 * MEBI] {
        let (result, held) = split(Limits {
            bytes: Some(bytes),
            time: None,
        });
        let exhausted = |error: &StepError| {
            matches!(
                error,
                StepError::Limit {
                    exhausted: BudgetExhausted::Memory { .. },
                    ..
                }
            )
        };
        assert!(result.as_ref().is_err_and(exhausted), "{bytes} bytes are enough");
        assert!(held <= bytes + bytes / 2, "{held} bytes of {bytes}");
    }
    let (result, _) = split(Limits {
        bytes: None,
        time: Some(Duration::ZERO),
    });
    assert!(matches!(
        result,
        Err(StepError::Limit {
            exhausted: BudgetExhausted::Time { .. },
            ..
        })
    ));
}
