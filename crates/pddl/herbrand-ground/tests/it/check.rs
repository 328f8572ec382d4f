//! The consistency check rejects tasks with any inconsistent part.

use herbrand_ground::{
    ExpressionId, GroundComparison, GroundExpression, GroundOptions, GroundTask, NormalDomain, NumericId,
    ground,
};
use herbrand_limits::Budget;
use herbrand_pddl::{ArithmeticOperator, Comparison, Domain, Problem};
use serde_json::{Value, json};

/// A small task with at least one of every element.
fn task() -> GroundTask {
    let domain = Domain::from_text(
        "(define (domain d) (:requirements :adl :derived-predicates :probabilistic-effects :numeric-fluents :rewards)
         (:types kind) (:constants c - kind)
         (:predicates (p ?x) (q ?x) (done) (odd) (even)) (:functions (n) (cost))
         (:derived (odd) (p c)) (:derived (even) (not (odd)))
         (:action a :parameters (?x - kind)
            :precondition (and (even) (not (q ?x)) (< (+ (n) 1) 5))
            :effect (and (p ?x) (q ?x) (increase (cost) 2) (assign (n) (+ (n) 1))
               (when (odd) (not (p ?x)))
               (probabilistic 1/2 (done) 1/4 (probabilistic 1/2 (not (q ?x))))))
         (:action b :parameters (?x - kind) :effect (and (when (p ?x) (decrease (reward) 1)) (not (p ?x)))))",
    );
    let domain = domain.unwrap_or_else(|faults| panic!("{faults}"));
    let problem = Problem::from_text(
        "(define (problem x) (:domain d) (:objects e - kind) (:init (q e) (= (n) 0) (= (cost) 0)) (:goal (done))
         (:metric minimize (cost)))",
        &domain,
    );
    let problem = problem.unwrap_or_else(|faults| panic!("{faults}"));
    ground(&domain, &problem, &GroundOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn encoded() -> Value {
    serde_json::to_value(task()).expect("a task can be written")
}

#[test]
fn a_task_that_was_ground_fits() {
    assert_eq!(task().check(), Ok(()));
    let again: GroundTask = serde_json::from_value(encoded()).expect("a task can be read");
    assert_eq!(again, task());
}

#[test]
fn what_does_not_fit_is_named() {
    let rows = [
        (
            "/form",
            json!("herbrand-task-0"),
            "a task of the form `herbrand-task-0`, where `herbrand-task-2` is read",
        ),
        // Names.
        (
            "/task/vocabulary/types/1/parents",
            json!([2]),
            "type 2 is named, but there are 2",
        ),
        (
            "/task/vocabulary/types/0/parents",
            json!([1]),
            "a type is above itself",
        ),
        ("/task/vocabulary/objects/0/types", json!([7]), "type 7"),
        ("/task/vocabulary/schemas/0/parameters/0/1", json!([7]), "type 7"),
        (
            "/task/vocabulary/schemas/0/parameters",
            json!([]),
            "`a` takes 0 arguments, not 1",
        ),
        (
            "/task/atoms/0/0",
            json!(9),
            "predicate 9 is named, but there are 5",
        ),
        (
            "/task/atoms/0/1",
            json!([2]),
            "object 2 is named, but there are 2",
        ),
        ("/task/atoms/0/1", json!([]), "`p` takes 1 arguments, not 0"),
        ("/task/atoms/0/1", json!([1]), "atoms out of order"),
        ("/task/fluents", json!(8), "8 fluents among 7 atoms"),
        ("/task/numerics/0/function", json!(5), "function 5"),
        (
            "/task/numerics/0/arguments",
            json!([0]),
            "takes 0 arguments, not 1",
        ),
        // Actions.
        (
            "/task/actions/0/schema",
            json!(2),
            "schema 2 is named, but there are 2",
        ),
        (
            "/task/actions/0/arguments",
            json!([]),
            "`a` takes 1 arguments, not 0",
        ),
        ("/task/actions/0/arguments", json!([1]), "actions out of order"),
        ("/task/actions/0/precondition", json!(99), "condition 99"),
        ("/task/actions/0/effect", json!(99), "block 99"),
        // Numbers.
        ("/task/state_numerics", json!(4), "4 of 3 numbers in a state"),
        ("/task/state_numerics", json!(0), "reads an accumulator"),
        ("/task/reward", json!(3), "number 3"),
        ("/task/metric/1", json!(99), "expression 99"),
        (
            "/task/expressions/0",
            json!({"apply": ["add", 0, 1]}),
            "expression 0 has operands that are none",
        ),
        (
            "/task/expressions/2",
            json!({"apply": ["negate", 0, 1]}),
            "expression 2 has operands that are none",
        ),
        (
            "/task/expressions/0",
            json!({"fluent": 3}),
            "number 3 is named, but there are 3",
        ),
        // Logic.
        ("/task/goal", json!(99), "condition 99"),
        ("/task/initial", json!([4, 1]), "initial atoms out of order"),
        ("/task/initial", json!([5]), "fluent 5 is named, but there are 5"),
        (
            "/task/conditions/0/0/0",
            json!([14]),
            "atom 7 is named, but there are 7",
        ),
        (
            "/task/conditions/0/0/0",
            json!([0, 2, 1]),
            "conjunction 0 names `(p c)` twice",
        ),
        (
            "/task/axioms/0/head",
            json!(0),
            "an axiom derives the fluent `(p c)`",
        ),
        ("/task/axioms/0/head", json!(7), "atom 7"),
        ("/task/axioms/0/body", json!(99), "conjunction 99"),
        (
            "/task/strata",
            json!([1]),
            "strata that are no parts of the axioms",
        ),
        (
            "/task/strata",
            json!([2, 1, 2]),
            "strata that are no parts of the axioms",
        ),
        (
            "/task/strata",
            json!([2]),
            "an axiom of stratum 0 reads what comes later",
        ),
        // Effects.
        ("/task/initial_chance", json!(99), "block 99"),
        (
            "/task/effects/blocks/0/adds",
            json!([5]),
            "fluent 5 is named, but there are 5",
        ),
        (
            "/task/effects/blocks/0/deletes",
            json!([1, 0]),
            "block 0 sets atoms out of order",
        ),
        (
            "/task/effects/blocks/0/whens",
            json!([[0, 0]]),
            "block 0 stands in the earlier block 0",
        ),
        ("/task/effects/blocks/1/whens", json!([[99, 0]]), "condition 99"),
        ("/task/effects/blocks/0/draws", json!([99]), "draw 99"),
        (
            "/task/effects/distributions/1",
            json!([[3, 4], [1, 2]]),
            "draw 1 has probabilities of sum 1.25",
        ),
        (
            "/task/effects/distributions/0",
            json!([[3, 2]]),
            "3/2 is no probability",
        ),
        (
            "/task/effects/distributions/0",
            json!([[0, 0]]),
            "0/0 is no probability",
        ),
        (
            "/task/effects/draws/0",
            json!([2, [0]]),
            "distribution 2 is named, but there are 2",
        ),
        (
            "/task/effects/draws/0",
            json!([1, [0]]),
            "draw 0 has 1 blocks for 2 probabilities",
        ),
        (
            "/task/effects/draws/1",
            json!([1, [0, 0]]),
            "block 0 stands in several others",
        ),
    ];
    for (place, value, message) in rows {
        let mut encoded = encoded();
        *encoded
            .pointer_mut(place)
            .unwrap_or_else(|| panic!("{place} is there")) = value;
        let refused = serde_json::from_value::<GroundTask>(encoded).expect_err(place);
        assert!(refused.to_string().contains(message), "{place}: {refused}");
    }
}

#[test]
fn a_form_that_is_not_known_is_refused_before_anything_else() {
    let mut bytes = postcard::to_stdvec(&task()).expect("a task can be written");
    bytes.truncate(16);
    assert_eq!(&bytes[1..], b"herbrand-task-2");
    let ended = postcard::from_bytes::<GroundTask>(&bytes);
    assert_eq!(ended, Err(postcard::Error::DeserializeUnexpectedEnd));
    bytes[15] = b'3';
    let refused = postcard::from_bytes::<GroundTask>(&bytes);
    assert_eq!(refused, Err(postcard::Error::SerdeDeCustom));
    let unknown = json!({ "form": "herbrand-task-2", "task": encoded()["task"], "more": 1 });
    assert!(serde_json::from_value::<GroundTask>(unknown).is_err());
}

/// Collects the JSON pointers of all numbers in a value.
fn numbers(value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::Number(_) => found.push(place.to_owned()),
        Value::Array(items) => {
            (0..)
                .zip(items)
                .for_each(|(index, item): (u32, _)| numbers(item, &format!("{place}/{index}"), found));
        }
        Value::Object(fields) => {
            fields
                .iter()
                .for_each(|(name, field)| numbers(field, &format!("{place}/{name}"), found));
        }
        _ => {}
    }
}

#[test]
fn whatever_number_is_changed_the_task_is_refused_or_written_the_same_again() {
    let mut places = Vec::new();
    numbers(&encoded(), "", &mut places);
    let mut refused = 0;
    for place in &places {
        for value in [
            json!(0),
            json!(1),
            json!(6),
            json!(u32::MAX),
            json!(-1),
            json!(1e300),
        ] {
            let mut changed = encoded();
            *changed.pointer_mut(place).expect("a place") = value;
            match serde_json::from_value::<GroundTask>(changed) {
                Ok(task) => {
                    assert_eq!(task.check(), Ok(()));
                    let text = serde_json::to_string(&task).expect("a task can be written");
                    assert_eq!(serde_json::from_str::<GroundTask>(&text).expect("a task"), task);
                    assert!(!task.to_string().is_empty());
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(
        places.len() > 100 && refused > 3 * places.len(),
        "{refused} of {}",
        places.len()
    );
}

#[test]
fn expressions_may_be_deep_but_not_explode() {
    let mut task = task();
    let compared = |task: &mut GroundTask, left: usize| {
        let left = ExpressionId::from_index(left);
        let (comparison, right, negated) = (Comparison::Less, left, false);
        let comparison = GroundComparison {
            negated,
            comparison,
            left,
            right,
        };
        task.conditions.conjunction([], [comparison]);
        task.goal = task.conditions.finish();
    };
    let zero = task.expressions.len();
    task.expressions.push(GroundExpression::Fluent(NumericId::new(0)));
    let add = |left: usize, right: usize| {
        let [left, right] = [left, right].map(ExpressionId::from_index);
        GroundExpression::Apply(ArithmeticOperator::Add, left, right)
    };
    let mut sum = task.clone();
    for last in zero..zero + 100_000 {
        sum.expressions.push(add(last, zero));
    }
    compared(&mut sum, zero + 100_000);
    assert_eq!(sum.check(), Ok(()));
    assert!(sum.to_string().ends_with("(n)))\n"));
    for last in zero..zero + 50 {
        task.expressions.push(add(last, last));
    }
    compared(&mut task, zero + 50);
    let refused = task.check().expect_err("2^50 nodes").to_string();
    assert_eq!(
        refused,
        "not a ground task: expressions that are too long when written out"
    );
}

#[test]
fn blocks_nest_so_deep_and_no_deeper() {
    let deep = |levels: u32| {
        let mut encoded = encoded();
        let blocks = encoded
            .pointer_mut("/task/effects/blocks")
            .and_then(Value::as_array_mut);
        let blocks = blocks.expect("a list");
        let first = blocks.len();
        for (inner, _) in (first..).zip(0..levels) {
            let empty = json!([]);
            let whens = if inner == first {
                empty.clone()
            } else {
                json!([[0, inner - 1]])
            };
            blocks.push(json!({ "adds": empty, "deletes": empty, "assignments": empty, "whens": whens, "draws": empty }));
        }
        serde_json::from_value::<GroundTask>(encoded)
    };
    assert!(deep(501).is_ok());
    let refused = deep(502).expect_err("too deep").to_string();
    assert!(refused.contains("blocks nested more than 500 deep"), "{refused}");
}

/// Budgets that enclose the call do not stop the normal form without limits.
#[test]
fn a_normal_form_without_limits_is_not_stopped() {
    let domain = Domain::from_text("(define (domain d) (:predicates (p)) (:action a :effect (p)))");
    let domain = domain.expect("a domain");
    let cancelled = Budget::unlimited();
    cancelled.cancel();
    cancelled.enclose(|| {
        assert!(NormalDomain::within(&domain, &Budget::unlimited()).is_err());
        let _ = NormalDomain::of(&domain);
    });
}
