//! `ground`, `datalog` and `show`.

use herbrand::{ActionId, GroundTask};

use crate::run::{LAMPS, Scratch, herbrand, lamps};

const PAIR: [&str; 4] = ["--domain", "domain.pddl", "--problem", "p.pddl"];

#[test]
fn a_problem_is_ground() {
    let scratch = lamps("ground");
    let run = scratch.run(&[&["ground", "--format", "json", "--list"][..], &PAIR].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let report = run.json();
    for (key, count) in [
        ("atoms", 2),
        ("actions", 4),
        ("axioms", 0),
        ("strata", 0),
        ("statics", 2),
        ("effects", 4),
    ] {
        assert_eq!(report[key], count, "{key}");
    }
    assert!(report["seconds"].as_f64() > Some(0.0));
    assert!(cfg!(not(target_os = "linux")) || report["peak_bytes"].as_u64() > Some(100_000));
    assert_eq!(report["list"]["atoms"], serde_json::json!(["(on a)", "(on b)"]));
    let text = scratch.run(&[&["ground", "--list"][..], &PAIR].concat());
    assert!(
        text.stdout.contains("atoms                   2"),
        "{}",
        text.stdout
    );
    let action = "\n  (turn-off b)\n    when (on b)\n    delete (on b)\n";
    assert!(text.stdout.contains(action), "{}", text.stdout);
    assert_eq!(
        report["list"]["definitions"][3],
        "  when (on b)\n  delete (on b)\n"
    );
}

#[test]
fn atoms_that_nothing_reads_are_left_out_on_request() {
    let scratch = lamps("relevant");
    // An atom that is set, and no more than seen.
    let domain = LAMPS.replacen(":effect (on ?l)", ":effect (and (warm) (on ?l))", 1);
    scratch.write(
        "domain.pddl",
        &domain.replacen("(:predicates", "(:predicates (warm)", 1),
    );
    let run = |more: &[&str]| scratch.run(&[&["ground"][..], more, &PAIR].concat());
    let all = run(&["--format", "json"]).json();
    assert_eq!((&all["atoms"], all.get("left_out")), (&3.into(), None));
    let relevant = run(&["--format", "json", "--atoms", "relevant", "--list"]).json();
    assert_eq!(
        (&relevant["atoms"], &relevant["left_out"]),
        (&2.into(), &1.into())
    );
    assert_eq!(relevant["actions"], all["actions"]);
    assert_eq!(relevant["list"]["atoms"], serde_json::json!(["(on a)", "(on b)"]));
    let text = run(&["--atoms", "relevant"]).stdout;
    assert!(text.contains("left out                1"), "{text}");
}

#[test]
fn a_ground_task_is_written_into_a_file() {
    let scratch = lamps("written");
    let run = |file| scratch.run(&[&["ground", "--format", "json", "--out", file][..], &PAIR].concat());
    for file in ["lamps.json", "lamps.task"] {
        let report = run(file).json();
        let bytes = std::fs::read(scratch.path().join(file)).expect("a file");
        assert_eq!(report["file_bytes"], bytes.len(), "{file}");
        let task: GroundTask = if file == "lamps.json" {
            serde_json::from_slice(&bytes).expect("a task")
        } else {
            postcard::from_bytes(&bytes).expect("a task")
        };
        assert_eq!(task.display_action(ActionId::new(3)).to_string(), "(turn-off b)");
    }
    let nowhere = run("nowhere/lamps.task");
    assert_eq!(nowhere.status, 2);
    assert!(
        nowhere
            .stderr
            .contains("nowhere/lamps.task: the folder nowhere does not exist"),
        "{}",
        nowhere.stderr
    );
}

#[test]
fn derived_predicates_have_axioms_in_strata() {
    let report = herbrand(&["ground", "blocks-derived", "--format", "json", "--list"]).json();
    assert!(report["axioms"].as_u64() > Some(0) && report["strata"].as_u64() > Some(0));
    assert!(
        report["list"]["axioms"][0]
            .as_str()
            .is_some_and(|axiom| axiom.contains(" <- "))
    );
}

#[test]
fn the_rust_module_of_a_domain_is_printed() {
    let text = herbrand(&["datalog", "blocks-derived", "--rust"]).stdout;
    assert!(
        text.starts_with("//! The planning domain `blocks-derived`"),
        "{text}"
    );
    assert!(text.contains("        relation on(Object, Object);\n"), "{text}");
    let json = herbrand(&["datalog", "blocks-derived", "--rust", "--format", "json"]).json();
    assert_eq!(json["domain"], "blocks-derived");
    assert_eq!(json["rust"], text);

    let scratch = Scratch::new("wide");
    let parameters: String = (0..13).map(|number| format!(" ?x{number}")).collect();
    scratch.write(
        "wide.pddl",
        &format!("(define (domain wide) (:predicates (p{parameters})))"),
    );
    let fault = scratch.run(&["datalog", "--domain", "wide.pddl", "--rust"]);
    assert_eq!(fault.status, 2);
    assert!(fault.stderr.contains("`p` (13)"), "{}", fault.stderr);
    let both = herbrand(&["datalog", "blocks", "--problem", "train/01", "--rust"]);
    assert_eq!(both.status, 2);
}

#[test]
fn the_datalog_program_is_printed() {
    let scratch = lamps("datalog");
    let with_problem = scratch.run(&[&["datalog"][..], &PAIR].concat());
    let without = scratch.run(&["datalog", "--domain", "domain.pddl"]);
    for run in [with_problem, without] {
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(
            run.stdout.contains("lamp(") && run.stdout.contains("not on("),
            "{}",
            run.stdout
        );
    }
    let json = herbrand(&["datalog", "blocks-derived", "--format", "json"]).json();
    assert!(json["rules"].as_array().is_some_and(|rules| !rules.is_empty()));
    assert_eq!(json["problem"], serde_json::Value::Null);
}

#[test]
fn a_state_is_shown() {
    let scratch = lamps("show");
    let run = scratch.run(&[&["show", "--format", "json"][..], &PAIR].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let state = run.json();
    assert_eq!(state["fluents"], serde_json::json!(["(on b)"]));
    assert_eq!(
        state["actions"],
        serde_json::json!(["(turn-on a)", "(turn-off b)"])
    );
    assert_eq!(state["goal"], false);
    assert_eq!(
        state["goal_parts"],
        serde_json::json!([{"formula": "(on a)", "holds": false}, {"formula": "(on b)", "holds": true}])
    );

    let after = [
        "show",
        "--actions",
        "(turn-off b) (TURN-ON a) (turn-on b)",
        "--static",
    ];
    let run = scratch.run(&[&after[..], &PAIR].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    // Both are called as their files are; a file `domain.pddl` as its folder.
    let folder = scratch.path().file_name().expect("a name").to_string_lossy();
    let expected = "

static
  (lamp a)
  (lamp b)

state
  (on a)
  (on b)

valid actions (2)
  (turn-off a)
  (turn-off b)

goal (holds: 2 of 2)
  holds    (on a)
  holds    (on b)
";
    assert_eq!(run.stdout, format!("p ({folder}){expected}"));
    let ground = scratch
        .run(&[&["ground", "--format", "json"][..], &PAIR].concat())
        .json();
    assert_eq!(
        (&ground["problem"], &ground["domain"]),
        (&"p".into(), &folder.into())
    );
}

const ENGINES: [&str; 3] = ["automatic", "grounded", "lifted"];

#[test]
fn all_engines_show_the_same() {
    let walks = [
        ("exploding-blocks", "(pick-up a) (put-down a)"),
        ("blocks-derived", ""),
        ("sokoban", "(move right) (move left)"),
        ("elevator-adl", ""),
        ("tireworld", ""),
    ];
    for (domain, actions) in walks {
        let show = |engine: &str, format: &str| {
            let mut arguments = vec!["show", domain, "--engine", engine, "--format", format, "--static"];
            if !actions.is_empty() {
                arguments.extend(["--actions", actions]);
            }
            let run = herbrand(&arguments);
            assert_eq!(run.status, 0, "{domain}: {}", run.stderr);
            run.stdout
        };
        for engine in ENGINES {
            assert_eq!(
                show(engine, "text"),
                show("grounded", "text"),
                "{domain}, {engine}"
            );
            assert_eq!(
                show(engine, "json"),
                show("grounded", "json"),
                "{domain}, {engine}"
            );
        }
    }
}

#[test]
fn what_an_action_did_is_told() {
    let show = |engine: &str| {
        let actions = [
            "--actions",
            "(pick-up a) (put-down a)",
            "--seed",
            "1",
            "--explain",
        ];
        let run = herbrand(&[&["show", "exploding-blocks", "--engine", engine][..], &actions].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        run.stdout
    };
    let expected = "(pick-up a)
  add (holding a)
  delete (clear a)
  delete (hand-empty)
  delete (on-table a)
changed: +(holding a) -(clear a) -(hand-empty) -(on-table a)

(put-down a)
  add (clear a)
  add (hand-empty)
  add (on-table a)
  delete (holding a)
  when (charged a), which held
    with probability 0.6, no change
changed: +(clear a) +(hand-empty) +(on-table a) -(holding a)

train/01 (exploding-blocks)
";
    for engine in ENGINES {
        let found = show(engine);
        assert!(found.starts_with(expected), "{engine}: {found}");
    }
    let run = herbrand(&["show", "exploding-blocks", "--explain"]);
    assert_eq!(run.status, 2, "there are no actions to explain");
}

#[test]
fn grids_and_towers_are_drawn_before_the_atoms() {
    for engine in ENGINES {
        let run = herbrand(&["show", "sokoban", "test/10", "--engine", engine]);
        let (head, state) = run.stdout.split_once("\nstate\n").expect("a state");
        let shown = herbrand(&["play", "sokoban", "test/10"]).stdout;
        let drawing: Vec<_> = head.lines().filter(|line| line.starts_with("  ")).collect();
        assert!(drawing.len() > 8, "{head}");
        for line in drawing {
            assert!(
                shown.contains(line),
                "{line:?} is not in what play shows:\n{shown}"
            );
        }
        // Few atoms are listed, many are counted.
        assert!(state.contains("  (player-at "), "{state}");
        assert!(!state.contains("  (clear r"), "{state}");
        let all = herbrand(&["show", "sokoban", "test/10", "--engine", engine, "--all"]).stdout;
        let (same, all) = all.split_once("\nstate\n").expect("a state");
        assert_eq!(same, head);
        let clear = all.lines().filter(|line| line.starts_with("  (clear r")).count();
        let folded = format!("  (clear …): {clear} atoms, in the drawing; --all lists them\n");
        assert!(clear > 8 && state.contains(&folded), "{clear}: {state}");
    }
    // Facts that the drawing does not show are listed, however many they are.
    let snake = herbrand(&["show", "snake", "test/10", "--static"]).stdout;
    assert!(snake.matches("\n  (neighbor ").count() > 8, "{snake}");
    for words in [["blocks", "test/10"], ["rddl/navigation-mdp", "1"]] {
        let text = herbrand(&[&["show"][..], &words].concat()).stdout;
        let drawing = text.split("\n\n").nth(1).unwrap_or_default();
        let shown = herbrand(&[&["play"][..], &words].concat()).stdout;
        assert!(drawing.lines().count() > 3, "{text}");
        for line in drawing.lines() {
            assert!(
                shown.contains(line),
                "{line:?} is not in what play shows:\n{shown}"
            );
        }
    }
    // Data has no drawing.
    let data = herbrand(&["show", "sokoban", "test/10", "--format", "json"]).json();
    let keys: Vec<_> = data.as_object().expect("an object").keys().cloned().collect();
    for key in ["board", "drawing"] {
        assert!(!keys.iter().any(|one| one == key), "{keys:?}");
    }
    assert!(data["fluents"].as_array().expect("a list").len() > 8);
}

#[test]
fn an_action_that_is_not_valid_says_why() {
    let scratch = lamps("invalid");
    let run = scratch.run(&[&["show", "--actions", "(turn-on b)"][..], &PAIR].concat());
    assert_eq!(run.status, 1);
    assert!(
        run.stderr.contains("turn-on b") && run.stderr.contains("(on b)"),
        "{}",
        run.stderr
    );
    for engine in ENGINES {
        let show = ["show", "--actions", "(turn-on b)", "--engine", engine];
        let again = scratch.run(&[&show[..], &PAIR].concat());
        assert_eq!((again.status, &again.stderr), (1, &run.stderr), "{engine}");
    }
}

#[test]
fn an_unknown_action_says_what_is_unknown() {
    let scratch = lamps("unknown");
    for engine in ENGINES {
        let run = |actions: &str| {
            let show = ["show", "--actions", actions, "--engine", engine];
            let run = scratch.run(&[&show[..], &PAIR].concat());
            assert_eq!(run.status, 2, "{actions}: {}", run.stdout);
            run.stderr
        };
        for (action, message) in [
            (
                "(turn-of a)",
                "there is no action `turn-of`; did you mean `turn-o",
            ),
            ("(turn-on)", "`turn-on` takes 1 argument, not 0"),
            ("(turn-on c)", "(turn-on c): there is no object `c`"),
        ] {
            assert!(run(action).contains(message), "{engine}: {}", run(action));
        }
        let both = run("(turn-on c) (fly)");
        assert!(
            both.contains("`c`") && both.contains("`fly`"),
            "all at once: {both}"
        );
    }
    let lines = "(turn-on a)\n(turn-off a)\r\n\t(turn-on a),(turn-off b)";
    let run = scratch.run(&[&["show", "--actions", lines][..], &PAIR].concat());
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let run = scratch.run(&["show", "sokoban", "--actions", "(move right) (jump up)"]);
    assert!(run.stderr.contains("there is no action `jump`"), "{}", run.stderr);
    let nowhere = [
        "show",
        "tireworld",
        "--operators",
        "--actions",
        "(move-car l-0-0 l-0-0)",
    ];
    let run = scratch.run(&nowhere);
    let reason =
        "(move-car l-0-0 l-0-0) is never valid: (road l-0-0 l-0-0) does not hold, and no action changes it";
    assert!(run.stderr.contains(reason), "{}", run.stderr);
}

/// The admissible heuristics are at most the cost of an optimal plan, and LM-cut is at least h^max.
#[test]
fn the_heuristics_of_the_initial_state_are_shown() {
    for problem in ["train/01", "test/01"] {
        let run = herbrand(&["show", "blocks", problem, "--estimates", "--format", "json"]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let estimates = run.json()["estimates"].clone();
        let rows = estimates["heuristics"].as_array().expect("a list").iter();
        let values: Vec<_> = rows
            .map(|row| {
                (
                    row["name"].as_str().expect("a name").to_owned(),
                    row["value"].as_f64(),
                )
            })
            .collect();
        let value = |name: &str| {
            let found = values.iter().find(|(own, _)| own == name);
            found.and_then(|(_, value)| *value).expect(name)
        };
        let plan = herbrand(&[
            "plan",
            "blocks",
            problem,
            "--planner",
            "astar-blind",
            "--format",
            "json",
        ]);
        let cost = plan.json()["cost"].as_f64().expect("a cost");
        assert!(
            value("blind") <= value("max") && value("max") <= value("lmcut"),
            "{values:?}"
        );
        assert!(
            value("lmcut") <= cost && value("ff") <= value("additive"),
            "{values:?} {cost}"
        );
        assert!(estimates["landmarks"].as_u64() > Some(1), "{estimates}");
    }
    let run = herbrand(&["show", "blocks", "--estimates"]);
    assert!(
        run.stdout.contains("estimates of the cost to the goal"),
        "{}",
        run.stdout
    );
    let run = herbrand(&["show", "rddl/sysadmin-mdp", "--estimates"]);
    assert_eq!(run.status, 2, "{}", run.stdout);
    assert!(run.stderr.contains("PDDL"), "{}", run.stderr);
}

#[test]
fn the_goal_is_shown_with_what_holds_of_it() {
    let scratch = Scratch::new("goal");
    scratch.write(
        "domain.pddl",
        "(define (domain lamps) (:requirements :adl :numeric-fluents) (:predicates (lamp ?l) (on ?l)) (:functions (uses))
           (:action turn-on :parameters (?l) :precondition (lamp ?l) :effect (and (on ?l) (increase (uses) 1))))",
    );
    scratch.write(
        "p.pddl",
        "(define (problem p) (:domain lamps) (:objects a b) (:init (lamp a) (lamp b) (on b) (= (uses) 0))
           (:goal (and (on a) (not (on b)) (exists (?l) (and (lamp ?l) (on ?l))) (forall (?l) (imply (lamp ?l) (on ?l)))
             (or (on b) (on a)) (< (uses) 3) (lamp a))))",
    );
    for engine in ENGINES {
        let run = scratch.run(&[&["show", "--engine", engine][..], &PAIR].concat());
        let (_, goal) = run.stdout.split_once("\ngoal ").expect("a goal");
        let expected = "(does not hold: 3 of 7)
  missing  (on a)
  missing  (not (on b))
  holds    (exists (?l) (and (lamp ?l) (on ?l)))
  missing  (forall (?l) (imply (lamp ?l) (on ?l)))
  holds    (or (on b) (on a))
  numbers  (< (uses) 3)
  holds    (lamp a)
";
        assert_eq!(goal, expected, "{engine}");
    }
}

#[test]
fn a_task_takes_no_more_memory_than_the_program() {
    let report = herbrand(&["ground", "blocks", "--format", "json"]).json();
    if let Some(peak) = report["peak_bytes"].as_u64() {
        assert!(report["bytes"].as_u64() < Some(peak), "{report}");
    }
}

#[test]
fn declared_actions_are_shown_unless_operators_are_asked_for() {
    let actions = |more: &[&str]| {
        let run = herbrand(&[&["show", "sokoban", "--format", "json"][..], more].concat());
        run.json()["actions"][0]
            .as_str()
            .map(|action| action.split(' ').count())
    };
    assert_eq!(actions(&[]), Some(2));
    assert!(actions(&["--operators"]) > Some(2));
}

/// A domain whose one action puts ten things into as many places at once, each on its own.
const EXPLOSION: &str = "(define (domain explosion)
  (:requirements :strips)
  (:predicates (used ?thing) (done))
  (:action arrange
    :parameters (?a ?b ?c ?d ?e ?f ?g ?h ?i ?j)
    :precondition (and (used ?a) (used ?b))
    :effect (done)))
";

#[test]
fn a_problem_that_explodes_ends_in_an_error_that_names_the_schema() {
    let scratch = lamps("explosion");
    scratch.write("explosion.pddl", EXPLOSION);
    scratch.write(
        "many.pddl",
        "(define (problem many) (:domain explosion) (:objects a b c d e f g h) (:init (used a) (used b)) (:goal (done)))",
    );
    for limit in [["--memory", "20MB"], ["--time", "1s"]] {
        let pair = ["ground", "--domain", "explosion.pddl", "--problem", "many.pddl"];
        let run = scratch.run(&[&pair[..], &limit].concat());
        assert_eq!(run.status, 2, "{limit:?}: {}", run.stderr);
        for word in [
            "limit",
            "`arrange`",
            "`herbrand ground DOMAIN PROBLEM --explain`",
            "`herbrand show`",
            "`--engine lifted`",
        ] {
            assert!(run.stderr.contains(word), "{limit:?}: {}", run.stderr);
        }
    }
    let run = scratch.run(&[&["ground", "--memory", "much"][..], &PAIR].concat());
    assert_eq!(run.status, 2);
}

#[test]
fn schemas_are_explained() {
    let scratch = lamps("explained");
    let run = scratch.run(&[&["ground", "--explain", "--format", "json"][..], &PAIR].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let schemas = run.json()["schemas"].clone();
    for (index, name) in ["turn-on", "turn-off"].into_iter().enumerate() {
        let schema = &schemas[index];
        assert_eq!((&schema["schema"], &schema["actions"]), (&name.into(), &2.into()));
        assert_eq!(
            (&schema["bindings"], &schema["combinations"]),
            (&2.into(), &2.0.into())
        );
        assert_eq!(schema["parameters"][0]["predicates"][0], ["lamp", "lamp"][index]);
        assert_eq!(schema["plans"].as_array().map(Vec::len), Some(1));
    }
    let text = scratch.run(&[&["ground", "--explain"][..], &PAIR].concat());
    assert!(
        text.stdout
            .contains("?l               2 of 2 objects, bounded by lamp\n"),
        "{}",
        text.stdout
    );
}

/// Where a task is too large, `--explain` says what bounds the parameters.
#[test]
fn a_task_that_is_too_large_is_explained() {
    let scratch = Scratch::new("too-large");
    scratch.write(
        "domain.pddl",
        "(define (domain wide) (:requirements :typing) (:predicates (p ?x ?y ?z) (q ?x))
           (:action join :parameters (?a ?b ?c) :precondition (q ?a) :effect (p ?a ?b ?c)))",
    );
    let objects: String = (0..300).map(|index| format!("o{index} ")).collect();
    let facts: String = (0..300).map(|index| format!("(q o{index}) ")).collect();
    scratch.write(
        "p.pddl",
        &format!(
            "(define (problem p) (:domain wide) (:objects {objects}) (:init {facts}) (:goal (p o1 o2 o3)))"
        ),
    );
    let command = [&["ground", "--explain", "--memory", "8MB"][..], &PAIR].concat();
    let run = scratch.run(&command);
    assert_eq!(run.status, 2, "{}", run.stdout);
    for part in [
        "27,000,000",
        "?a               300 objects, bounded by q\n",
        "?b               300 objects, bounded by its type only\n",
    ] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
    assert!(run.stderr.contains("memory limit"), "{}", run.stderr);
    let data = scratch
        .run(&[&command[..], &["--format", "json"]].concat())
        .json();
    assert_eq!(data["schemas"][0]["parameters"][0]["predicates"][0], "q");
}

/// A folder of the user comes before a bundled domain of its name.
#[test]
fn a_folder_with_the_name_of_a_bundled_domain_is_read() {
    let scratch = Scratch::new("own-blocks");
    scratch.write("blocks/domain.pddl", LAMPS);
    scratch.write("blocks/p01.pddl", crate::run::TWO_LAMPS);
    let run = scratch.run(&["ground", "blocks", "p01", "--format", "json"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(run.json()["actions"], 4);
    let run = scratch.run(&["check", "ferry"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("`ferry` is a bundled domain"),
        "{}",
        run.stderr
    );
}
