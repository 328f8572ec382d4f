//! Actions in every form, faults of actions, goals and changes.

use herbrand_core::{Streams, System};
use herbrand_env::{ActionMode, ProblemFile, Registry, Source, Suite, SuiteFiles};
use herbrand_rddl_sim::suite::RddlSuite;
use herbrand_verbalize::{AnswerFault, TextTable, Wording};

fn blocks() -> Wording {
    let suite = Registry::get("blocks")
        .and_then(|suite| suite.problem("train/01"))
        .expect("it is bundled");
    // Without the sentences of the bundled table.
    let table = TextTable::parse(&Source::new("domain.text.toml", "")).expect("an empty table is sound");
    Wording::of_planning(&suite, 0, Some(&table)).expect("the problem is sound")
}

fn gripper() -> Wording {
    let domain = "(define (domain gripper-typed) (:requirements :typing :fluents) (:types room ball gripper)
        (:predicates (at-robby ?r - room) (at ?b - ball ?r - room) (free ?g - gripper) (carry ?o - ball ?g - gripper))
        (:functions (fuel ?r - room))
        (:action move :parameters (?from ?to - room) :precondition (at-robby ?from)
           :effect (and (at-robby ?to) (not (at-robby ?from)) (decrease (fuel ?from) 1)))
        (:action pick-up :parameters (?obj - ball ?room - room ?gripper - gripper)
           :precondition (and (at ?obj ?room) (at-robby ?room) (free ?gripper))
           :effect (and (carry ?obj ?gripper) (not (at ?obj ?room)) (not (free ?gripper)))))";
    let problem = "(define (problem p) (:domain gripper-typed)
        (:objects rooma roomb - room ball1 ball2 - ball left right - gripper)
        (:init (at-robby rooma) (at ball1 rooma) (at ball2 roomb) (free left) (free right)
           (= (fuel rooma) 3) (= (fuel roomb) 1))
        (:goal (and (at ball1 roomb) (forall (?g - gripper) (free ?g)) (not (at-robby rooma)) (>= (fuel rooma) 1))))";
    let files = SuiteFiles {
        name: "gripper-typed".to_owned(),
        domain: Source::new("domain", domain),
        config: None,
        problems: vec![ProblemFile {
            split: None,
            name: "p".to_owned(),
            source: Source::new("problem", problem),
        }],
    };
    let suite = Suite::new(files, ActionMode::Declared).expect("the domain is sound");
    Wording::of_planning(&suite, 0, None).expect("the problem is sound")
}

#[test]
fn an_action_is_read_in_every_form() {
    let wording = blocks();
    let listed = ["(pick-up a)".to_owned(), "(stack a b)".to_owned()];
    for text in [
        "(stack a b)",
        "( STACK  A B )",
        "stack a b",
        "stack(a, b)",
        "Stack block a on block b.",
        "stack a on b",
        "stack the block a on the block b",
        "stack block-a on block-b",
        "2",
        "#2",
        "2.",
        "\"stack a on b\"",
    ] {
        assert_eq!(
            wording.read(text, &listed).as_deref(),
            Ok("(stack a b)"),
            "{text}"
        );
    }
    assert_eq!(
        wording.read("Pick up the block a!", &[]).as_deref(),
        Ok("(pick-up a)")
    );
    assert_eq!(wording.read("pick up a", &[]).as_deref(), Ok("(pick-up a)"));
}

#[test]
fn a_fault_of_an_action_is_named() {
    let wording = gripper();
    let rows = [
        ("", AnswerFault::Empty, "the action is empty"),
        (
            "7",
            AnswerFault::NoSuchNumber,
            "the listed actions have the numbers 1 to 1",
        ),
        (
            "(mvoe rooma roomb)",
            AnswerFault::UnknownAction,
            "there is no action `mvoe`; did you mean `move`?",
        ),
        (
            "mvoe from rooma to roomb",
            AnswerFault::UnknownAction,
            "no action is written `mvoe from rooma to roomb`; did you mean `move`?",
        ),
        (
            "mvoe(rooma, roomb)",
            AnswerFault::UnknownAction,
            "no action is written `mvoe(rooma, roomb)`; did you mean `move`?",
        ),
        (
            "(move rooma roomx)",
            AnswerFault::UnknownObject,
            "there is no object `roomx` here; did you mean `rooma`?",
        ),
        (
            "move from rooma to romob",
            AnswerFault::UnknownObject,
            "there is no object `romob` here; did you mean `roomb`?",
        ),
        (
            "(move rooma)",
            AnswerFault::WrongArity,
            "`move` takes 2 arguments (from, to), not 1",
        ),
        (
            "(move rooma ball1)",
            AnswerFault::WrongType,
            "`to` of `move` is a room, but `ball1` is a ball",
        ),
        (
            "move from rooma to ball1",
            AnswerFault::WrongType,
            "`to` of `move` is a room, but `ball1` is a ball",
        ),
    ];
    for (text, fault, message) in rows {
        let found = wording
            .read(text, &["(move rooma roomb)".to_owned()])
            .unwrap_err();
        assert_eq!(
            (found.fault, found.to_string().as_str()),
            (fault, message),
            "{text}"
        );
    }
    let long = "move ".repeat(2000);
    assert_eq!(wording.read(&long, &[]).unwrap_err().fault, AnswerFault::TooLong);
}

#[test]
fn goals_and_explanations_are_put_into_words() {
    let wording = gripper();
    let rows = [
        ("(at ball1 roomb)", "ball1 is at roomb"),
        (
            "(and (at ball1 roomb) (not (at-robby rooma)))",
            "ball1 is at roomb and the robby is not at rooma",
        ),
        (
            "(forall (?g - gripper) (free ?g))",
            "for every gripper g, g is free",
        ),
        ("(>= (fuel rooma) 1)", "the fuel of rooma is at least 1"),
        (
            "(or (free left) (not (free right)))",
            "either gripper left is free or gripper right is not free",
        ),
        ("(unknown thing)", "(unknown thing)"),
        ("not PDDL", "not PDDL"),
    ];
    for (condition, expected) in rows {
        assert_eq!(wording.goal(condition), expected);
    }
    assert_eq!(
        wording.explanation("(move roomb rooma) is not valid: (at-robby roomb) does not hold"),
        "“move from roomb to rooma” is not valid: “the robby is at roomb” does not hold"
    );
    let changes = wording.changes(
        &["(at-robby roomb)".to_owned(), "(fuel rooma) = 2".to_owned()],
        &["(at-robby rooma)".to_owned(), "(fuel rooma) = 3".to_owned()],
    );
    assert_eq!(
        changes,
        "Now the robby is at roomb.\nNow the fuel of rooma is 2.\nThe robby is not at rooma."
    );
}

#[test]
fn rddl_actions_have_values_and_go_together() {
    let suite = RddlSuite::bundled("rddl/supply-chain").expect("it is bundled");
    let table = TextTable::parse(&Source::new("domain.text.toml", "")).expect("an empty table is sound");
    let wording = Wording::of_rddl(&suite, 0, Some(&table)).expect("the instance is sound");
    let mut system = suite.simulator(0).expect("the instance compiles");
    system
        .reset(&mut Streams::new(0).outcomes)
        .expect("the instance starts");
    let names: Vec<_> = system
        .actions()
        .fields()
        .iter()
        .map(|field| field.name.clone())
        .collect();
    let joint: Vec<_> = names.iter().take(2).map(|name| format!("{name}=3")).collect();
    let text = wording.joint(&joint);
    assert!(text.starts_with("set ") && text.contains(" to 3; set "), "{text}");
    assert_eq!(wording.read_joint(&text, &[]), Ok(joint.clone()));
    let call = format!("{}): 3", names[0].replacen("___", "(", 1).replace("__", ", "));
    assert_eq!(
        wording.read_joint(&call, &[]).as_deref(),
        Ok(&joint[..1]),
        "{call}"
    );
    for none in ["Do nothing.", "()", "noop"] {
        assert_eq!(wording.read_joint(none, &[]), Ok(Vec::new()), "{none}");
    }
    assert_eq!(wording.joint(&[]), "do nothing");
}
