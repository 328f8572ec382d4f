//! Roll-outs, traces, states and games.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{DOMAIN, counted, lights, shop};
use crate::run::herbrand;

#[test]
fn rollouts_report_returns_and_have_the_same_keys() {
    let scratch = lights("rddl-rollout");
    let files = ["--domain", "domain.txt", "--problem", "evening.txt"];
    let run = |more: &[&str]| {
        let run = scratch.run(&[&["rollout"][..], &files, more].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        run
    };
    let report = run(&["--format", "json", "--seed", "3"]).json();
    let row = &report["rows"][0];
    let pddl = herbrand(&["rollout", "blocks", "--problem", "01", "--format", "json"]).json();
    let keys = |row: &Value| row.as_object().map(|row| row.keys().cloned().collect::<Vec<_>>());
    assert_eq!(keys(row), keys(&pddl["rows"][0]));
    assert_eq!((&row["domain"], &row["problems"]), (&"lights".into(), &2.into()));
    // The two instances in turn, each until its own horizon.
    assert_eq!(
        (&row["episodes"], &row["steps"]),
        (&100.into(), &(50 * 9 + 50 * 5).into())
    );
    assert_eq!(row["goals"], Value::Null);
    // One lamp is on from the start in one instance, so 50 episodes return 9 at least.
    assert!(row["mean_return"].as_f64() >= Some(4.5), "{row}");
    assert!(row["return_deviation"].as_f64() > Some(0.0), "{row}");
    assert_eq!(
        row["mean_return"], row["mean_discounted_return"],
        "the discount is 1"
    );
    let again = run(&["--format", "json", "--seed", "3", "--threads", "2"]).json();
    assert_eq!(row["digest"], again["rows"][0]["digest"]);
    let other = run(&["--format", "json", "--seed", "4"]).json();
    assert_ne!(row["digest"], other["rows"][0]["digest"]);
    let text = run(&["--seconds", "0.05"]).stdout;
    for part in [
        "lights",
        "return",
        "discounted",
        "±: standard deviation of the returns",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(!text.contains("goals"), "{text}");
    let observed = run(&["--observe", "fluents", "--format", "json"]).json();
    assert_eq!(observed["rows"][0]["observed"]["elements"], 2);
}

#[test]
fn walks_are_recorded_and_replayed_from_any_folder() {
    let scratch = lights("rddl-traces");
    let files = ["--domain", "domain.txt", "--problem", "evening.txt"];
    let record = |command: &[&str]| {
        let run = scratch.run(command);
        assert_eq!(run.status, 0, "{}", run.stderr);
    };
    fs::create_dir_all(scratch.path().join("traces")).expect("a folder");
    record(&[&["record"][..], &files, &["-o", "traces/a.trace.jsonl"]].concat());
    record(&[
        "record",
        "rddl/sysadmin-pomdp",
        "--problem",
        "2",
        "-o",
        "traces/b.trace.jsonl",
    ]);
    record(&[
        "rollout",
        "rddl/elevators",
        "--problem",
        "1",
        "--episodes",
        "2",
        "--record",
        "traces/c.trace.jsonl",
    ]);
    record(&["record", "blocks", "-o", "traces/pddl.jsonl"]);
    let run = scratch.run(&["replay", "traces", "--format", "json"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let report = run.json();
    assert_eq!((&report["traces"], &report["mismatches"]), (&4.into(), &0.into()));
    assert!(report["states"].as_u64() > Some(100), "{report}");
    // A reward that is not so is found, and shown with its place.
    let text = scratch.read("traces/a.trace.jsonl");
    let line = text.lines().nth(2).expect("a step");
    let step: Value = serde_json::from_str(line).expect("JSON");
    let mut wrong = step.clone();
    wrong["reward"] = (step["reward"].as_f64().expect("a number") + 1.0).into();
    scratch.write("traces/a.trace.jsonl", &text.replace(line, &wrong.to_string()));
    let run = scratch.run(&["replay", "traces/a.trace.jsonl"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(
        run.stdout.contains("1 mismatch") && run.stdout.contains(":3 (walk 0, step 1): reward"),
        "{}",
        run.stdout
    );
    // The files can be named too.
    let run = scratch.run(&[
        "replay",
        "traces/b.trace.jsonl",
        "--domain",
        "domain.txt",
        "--problem",
        "evening.txt",
    ]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("has a ground fluent"), "{}", run.stderr);
}

#[test]
fn traces_of_the_reference_corpus_replay() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/corpus/rddl");
    if !corpus.is_dir() {
        return eprintln!("skipped: the corpus is not at ../shared/corpus");
    }
    for name in ["SysAdmin_POMDP_ippc2011", "UAV_Mixed", "Own_Objects"] {
        let files = fs::read_dir(corpus.join(name)).expect("a folder").flatten();
        let paths = files.map(|file| file.path().to_string_lossy().into_owned());
        let traces: Vec<_> = paths.filter(|path| path.ends_with(".trace.jsonl")).collect();
        let traces: Vec<&str> = traces.iter().map(String::as_str).collect();
        let run = herbrand(&[&["replay", "--format", "json"][..], &traces].concat());
        assert_eq!(run.status, 0, "{name}: {}", run.stderr);
        let report = run.json();
        assert_eq!(report["traces"], traces.len(), "{name}");
        assert_eq!(report["mismatches"], 0, "{name}: {report}");
    }
}

#[test]
fn a_state_is_shown_after_joint_actions() {
    let scratch = lights("rddl-show");
    let files = ["--domain", "domain.txt", "--problem", "evening.txt"];
    let show = |more: &[&str]| scratch.run(&[&["show"][..], &files, more].concat());
    let run = show(&["--actions", "(press___attic) ()", "--format", "json"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let report = run.json();
    // The words are RDDL's.
    let on = |lamp: &str| serde_json::json!({ "fluent": format!("on({lamp})"), "value": true });
    assert_eq!(
        report["state_fluents"],
        serde_json::json!([on("hall"), on("attic")])
    );
    assert_eq!(report["reward"], 3.0);
    for absent in ["goal", "goal_parts", "fluents", "numbers", "non_fluents"] {
        assert!(report.get(absent).is_none(), "{absent}: {report}");
    }
    let with_static = show(&["--static", "--format", "json"]).json();
    assert!(with_static["non_fluents"].is_array(), "{with_static}");
    assert_eq!(
        report["actions"],
        serde_json::json!(["press___hall", "press___attic"])
    );
    let text = show(&[]).stdout;
    assert!(
        text.contains("evening (lights)") && text.contains("state-fluents\n  on(hall)\n"),
        "{text}"
    );
    assert!(!text.contains("goal"), "{text}");
    let run = show(&["--actions", "(press___atic)"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr
            .contains("`press___atic` is not an action of this problem"),
        "{}",
        run.stderr
    );
    // Observations are shown after a step.
    let observed = herbrand(&[
        "show",
        "rddl/sysadmin-pomdp",
        "--actions",
        "()",
        "--format",
        "json",
    ])
    .json();
    assert!(observed["observ_fluents"].is_array(), "{observed}");
}

/// Two pairs of parentheses are two steps, and one pair is one joint action, in every command.
#[test]
fn a_pair_of_parentheses_is_a_step() {
    let scratch = lights("rddl-pairs");
    let files = ["domain.txt", "evening.txt"];
    let reward = |actions: &str| {
        let words = [&["show"], &files[..], &["--actions", actions, "--format", "json"]].concat();
        scratch.run(&words).json()["reward"].clone()
    };
    assert_eq!(
        (
            reward("(press___attic) (press___hall)"),
            reward("(press___attic press___hall)")
        ),
        (3.0.into(), 1.0.into())
    );
    let message =
        "each pair of parentheses is a step: write the actions of one step in one pair, as in `(a b)`";
    let play = [&["play"], &files[..]].concat();
    let run = scratch.feed(
        &play,
        b"(press___attic) (press___hall)\n(press___attic press___hall)\nquit\n",
    );
    assert!(
        run.stdout.contains(message) && run.stdout.contains("press___hall press___attic: reward 1"),
        "{}",
        run.stdout
    );
    scratch.write("two.plan", "1: (press___attic) (press___hall)\n");
    let run = scratch.run(&[&["validate"], &files[..], &["two.plan"]].concat());
    assert!(run.status == 2 && run.stderr.contains(message), "{}", run.stderr);
}

#[test]
fn problems_are_played_by_joint_actions() {
    let scratch = lights("rddl-play");
    let lines = b"?\npress___attic, press___hall\nfly\nundo\nundo\nnothing\nsample\nstate\nreset\nquit\n";
    let arguments = ["play", "--domain", "domain.txt", "--problem", "evening.txt"];
    let run = scratch.feed(&arguments, lines);
    assert_eq!(run.status, 0, "{}", run.stderr);
    for part in [
        "Type `?` for help.\n\nlights evening, step 0 of 9, return 0\n  on  hall\nvalid actions (4): any of these, or none\n    1 press___hall\n    2 press___attic\n",
        "  undo          undo the last step\n",
        "> press___attic, press___hall\npress___hall press___attic: reward 1\n\nlights evening, step 1 of 9, return 1\n  on  hall, attic\n",
        "> fly\n`fly` is not an action of this problem\n",
        "> undo\nnothing to undo\n",
        "> nothing\nnothing: reward 1\n",
    ] {
        assert!(run.stdout.contains(part), "{part} in\n{}", run.stdout);
    }
    // Preconditions are enforced, and episodes end.
    let over = scratch.feed(&arguments, &b"nothing\n".repeat(10));
    assert!(
        over.stdout
            .contains("the horizon is reached after 9 steps, return 9\n"),
        "{}",
        over.stdout
    );
    assert!(
        over.stdout
            .ends_with("the episode is over: undo, reset or quit\n"),
        "{}",
        over.stdout
    );
    let output = scratch.feed(&["play", "rddl/elevators"], b"actions\nsample\nsample\n");
    assert_eq!(output.status, 0, "{}", output.stderr);
}

#[test]
fn actions_with_numbers_are_written_in_several_ways() {
    let scratch = shop("rddl-orders");
    let numbers = |actions: &str| {
        let run = scratch.run(&["show", "shop.rddl", "--actions", actions, "--format", "json"]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{actions}");
        let report = run.json();
        let stock = |at: usize| report["state_fluents"][at]["value"].clone();
        (stock(0), stock(1))
    };
    for actions in [
        "order___apple=3, order___pear=4",
        "(order___apple=3 order___pear=4)",
        "(order___apple 3, order___pear 4)",
        "(order___apple=3) (order___pear=4)",
        "(order apple 3) (order pear 4)",
        "(order apple)=3 (order pear) = 4",
        "((order apple)=3, (order pear 4))",
        "order(apple)=3 order(pear) = 4",
        "ORDER(Apple) = 3, order pear 4",
    ] {
        assert_eq!(numbers(actions), (8.into(), 9.into()), "{actions}");
    }
    for (actions, message) in [
        (
            "(order apple)",
            "`order___apple` takes an int: write `order___apple=VALUE`",
        ),
        ("(order apple much)", "`order___apple` takes an int, not `much`"),
        ("order(apple, pear)=3", "`order` takes 1 object, not 2"),
        (
            "order___aple=3",
            "`order___aple` is not an action of this problem; did you mean `order___apple`?",
        ),
        ("(order aple 3)", "did you mean `order___apple`?"),
        ("(order apple 3", "a `)` is missing"),
        ("(open order apple 3)=4", "`= 4` does not follow one action"),
        ("order___apple=", "a value is missing after `=`"),
        ("order___apple=3)", "`)` is not expected here"),
        ("open=maybe", "`open` takes true or false, not `maybe`"),
    ] {
        let run = scratch.run(&["show", "shop.rddl", "--actions", actions]);
        assert_eq!(run.status, 2, "{actions}");
        assert!(run.stderr.contains(message), "{actions}: {}", run.stderr);
    }
    let lines = b"order apple 3, (order pear)=4\norder___apple=99\nquit\n";
    let run = scratch.feed(&["play", "shop.rddl"], lines);
    for part in [
        "order___apple=3 order___pear=4: reward -7\n",
        "action precondition 1 does not hold for ?p = apple: forall_{?p : product} [order(?p) >= 0",
    ] {
        assert!(run.stdout.contains(part), "{part} in\n{}", run.stdout);
    }
}

#[test]
fn valid_actions_are_joint_actions_everywhere() {
    let scratch = counted("rddl-counted", "max-nondef-actions = 1;");
    let run = scratch.run(&["rollout", "press.rddl", "--episodes", "3", "--format", "json"]);
    assert_eq!(run.json()["rows"][0]["mean_valid_actions"], 5.0, "{}", run.stderr);
    let run = scratch.run(&["rollout", "press.rddl", "--episodes", "3"]);
    let row = run.stdout.lines().nth(1).unwrap();
    assert!(
        row.split_whitespace().any(|cell| cell == "5.00"),
        "{}",
        run.stdout
    );
    let run = scratch.run(&["show", "press.rddl"]);
    let list =
        "valid actions (5): one of these, or none\n  press___a\n  press___b\n  press___c\n  press___e\n";
    assert!(run.stdout.contains(list), "{}", run.stdout);
    let run = scratch.feed(&["play", "press.rddl"], b"quit\n");
    let list = "valid actions (5): one of these, or none\n    1 press___a\n    2 press___b\n    3 press___c\n    4 press___e\n";
    assert!(run.stdout.contains(list), "{}", run.stdout);
    // A lamp that is lit cannot be pressed again.
    let run = scratch.run(&["show", "press.rddl", "--actions", "(press___b)"]);
    let list = "valid actions (4): one of these, or none\n  press___a\n  press___c\n  press___e\n";
    assert!(run.stdout.contains(list), "{}", run.stdout);
    let report = scratch.run(&["show", "press.rddl", "--format", "json"]).json();
    assert_eq!(
        (
            &report["valid_actions"],
            report["actions"].as_array().map(Vec::len)
        ),
        (&5.0.into(), Some(4))
    );
    for (limit, summary) in [
        ("max-nondef-actions = 2;", "(11): up to 2 of these, or none"),
        ("", "(16): any of these, or none"),
    ] {
        let run = counted("rddl-counted-more", limit).run(&["show", "press.rddl"]);
        assert!(
            run.stdout.contains(&format!("valid actions {summary}\n")),
            "{}",
            run.stdout
        );
    }
}

#[test]
fn numbers_are_listed_with_their_bounds_and_counted_if_possible() {
    let scratch = counted("rddl-ranges", "");
    // Bounds that follow from the state.
    let run = scratch.run(&["show", "linked.rddl"]);
    let list = "valid actions (9): any of these, or none\n  order___apple=0…2\n  order___pear=0…2\n";
    assert!(run.stdout.contains(list), "{}", run.stdout);
    for (file, mean, count, json, bounds, meaning) in [
        (
            "order.rddl",
            "121.00",
            "121",
            Value::from(121.0),
            "0…10",
            "valid actions: ",
        ),
        (
            "free.rddl",
            "∞",
            "∞",
            Value::Null,
            "0 or more",
            "∞: infinitely many",
        ),
    ] {
        let list = format!(
            "valid actions ({count}): any of these, or none\n  order___apple={bounds}\n  order___pear={bounds}\n"
        );
        let run = scratch.run(&["show", file]);
        assert!(run.stdout.contains(&list), "{}", run.stdout);
        assert_eq!(
            scratch.run(&["show", file, "--format", "json"]).json()["valid_actions"],
            json
        );
        let run = scratch.feed(&["play", file], b"quit\n");
        let list = list
            .replace("  order___apple", "    1 order___apple")
            .replace("  order___pear", "    2 order___pear");
        assert!(run.stdout.contains(&list), "{}", run.stdout);
        let run = scratch.run(&["rollout", file, "--episodes", "2"]);
        let row = run.stdout.lines().nth(1).unwrap();
        assert!(row.split_whitespace().nth(6) == Some(mean), "{}", run.stdout);
        assert!(run.stdout.contains(meaning), "{}", run.stdout);
        let run = scratch.run(&["rollout", file, "--episodes", "2", "--format", "json"]);
        assert_eq!(run.json()["rows"][0]["mean_valid_actions"], json);
        let run = scratch.run(&["render", file, "--steps", "2", "--out", "walk.html", "--force"]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let page = scratch.read("walk.html");
        assert!(
            page.contains(&format!("\"summary\":\"({count}): any of these, or none\"")),
            "{file}"
        );
    }
}

#[test]
fn ranges_of_numbers_follow_from_the_state() {
    let scratch = counted("rddl-state-ranges", "");
    let text = scratch.read("order.rddl");
    let bounds = "order(?f) >= 0 ^ order(?f) <= 10";
    scratch.write(
        "room.rddl",
        &text.replace(bounds, &format!("{bounds} ^ order(?f) <= 5 - stock(?f)")),
    );
    let run = scratch.run(&[
        "show",
        "room.rddl",
        "--actions",
        "(order apple 2) (order apple 1)",
    ]);
    let list = "valid actions (4): any of these, or none\n  order___pear=0…3\n";
    assert!(run.stdout.contains(list), "{}", run.stdout);
    let run = scratch.run(&["show", "room.rddl", "--preconditions", "ignored"]);
    let list = "valid actions (121): any of these, or none\n  order___apple=0…10\n  order___pear=0…10\n";
    assert!(run.stdout.contains(list), "{}", run.stdout);
}

#[test]
fn a_player_names_actions_by_number_and_by_words() {
    let scratch = lights("rddl-words");
    let lines = b"1 2\nundo\nattic\nundo\npress\n3\ngoal\neffects\nquit\n";
    let run = scratch.feed(&["play", "domain.txt", "evening.txt"], lines);
    assert_eq!(run.status, 0, "{}", run.stderr);
    for part in [
        "    1 press___hall\n    2 press___attic\n",
        "> 1 2\npress___hall press___attic: reward 1\n",
        "> attic\npress___attic: reward 1\n",
        "> press\n    1 press___hall\n    2 press___attic\n",
        "> 3\nthere is no action 3: the valid actions have numbers up to 2\n",
        "> goal\n`goal` is for PDDL;",
        "> effects\n`effects` is for PDDL;",
    ] {
        assert!(run.stdout.contains(part), "{part} in\n{}", run.stdout);
    }
    let scratch = shop("rddl-words-of-numbers");
    let run = scratch.feed(&["play", "shop.rddl"], b"pear\nquit\n");
    assert!(
        run.stdout.contains("> pear\nwrite a value: order___pear=0…10\n"),
        "{}",
        run.stdout
    );
    let lines = b"2=7 1\n1\n1=3\n2=4 3=5\n9=1\n2=x\nq\n";
    let run = scratch.feed(&["play", "shop.rddl"], lines);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    for part in [
        "    1 open\n    2 order___apple=0…10\n    3 order___pear=0…10\n",
        "> 2=7 1\norder___apple=7 open: reward ",
        "> 1=3\nopen takes no value: write `1`\n",
        "> 2=4 3=5\norder___apple=4 order___pear=5: reward -9\n",
        "> 9=1\nthere is no action 9: the valid actions have numbers up to 3\n",
        "> 2=x\n",
    ] {
        assert!(run.stdout.contains(part), "{part} in\n{}", run.stdout);
    }
    let run = scratch.feed(&["play", "shop.rddl"], b"2\nq\n");
    let part = "> 2\nwrite a value, as in `2=1`: order___apple=0…10\n";
    assert!(run.stdout.contains(part), "{}", run.stdout);
}

#[test]
fn a_state_is_shown_in_words_of_the_language() {
    let scratch = shop("rddl-shown");
    let run = scratch.run(&["show", "shop.rddl", "--actions", "(order(apple)=5)"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    for part in [
        "\nstate-fluents\n  stock(apple) = 10\n  stock(pear) = 5\n",
        "\ninterm-fluents of the last step\n  sold(apple) = 0\n",
    ] {
        assert!(run.stdout.contains(part), "{part} in\n{}", run.stdout);
    }
    let run = scratch.run(&[
        "show",
        "shop.rddl",
        "--actions",
        "(open) (order(pear)=-3, order(apple)=77)",
    ]);
    let part = "  step 2: action precondition 1 does not hold for ?p = apple; ?p = pear: forall_";
    assert!(run.stdout.contains(part), "{}", run.stdout);
}

#[test]
fn doing_nothing_is_a_policy() {
    let scratch = lights("rddl-nothing");
    for name in ["nothing", "noop"] {
        let words = [
            "rollout",
            "domain.txt",
            "evening.txt",
            "--policy",
            name,
            "--format",
            "json",
        ];
        let report = scratch.run(&words).json();
        assert_eq!(report["rows"][0]["mean_return"], 4.5, "{report}");
        assert_eq!(report["policy"], "nothing");
    }
    let run = scratch.run(&["rollout", "blocks", "--policy", "noop"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("supports only RDDL"), "{}", run.stderr);
}

#[test]
fn actions_that_are_valid_only_with_others_are_listed() {
    let scratch = lights("rddl-together");
    let text = DOMAIN
        .replace(
            "press(lamp) :",
            "dim : { action-fluent, bool, default = false };\n    press(lamp) :",
        )
        .replace(
            "on(?l);\n}",
            "on(?l);\n  action-preconditions { dim => (exists_{?l : lamp} press(?l)); };\n}",
        );
    scratch.write("domain.txt", &text);
    let run = scratch.run(&["show", "domain.txt", "evening.txt"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let line = |name: &str| run.stdout.lines().any(|line| line.trim() == name);
    assert!(line("dim") && line("press___hall"), "{}", run.stdout);
    let run = scratch.feed(&["play", "domain.txt", "evening.txt"], b"1 dim\nquit\n");
    assert!(run.stdout.contains(" dim\n"), "{}", run.stdout);
}

#[test]
fn a_player_learns_what_was_assumed() {
    let scratch = shop("rddl-assumed");
    let run = scratch.feed(&["play", "shop.rddl"], b"ope\n2 = 3\norder___apple = 4\n3 =1\n");
    for part in [
        "> ope\n`ope` is taken as open, the only valid action that contains it\nopen: reward ",
        "> 2 = 3\norder___apple=3: reward ",
        "> order___apple = 4\norder___apple=4: reward ",
        "> 3 =1\norder___pear=1: reward ",
    ] {
        assert!(run.stdout.contains(part), "{part} in\n{}", run.stdout);
    }
    let run = scratch.feed(&["play", "shop.rddl"], b"open\n");
    assert!(!run.stdout.contains("is taken as"), "{}", run.stdout);
}
