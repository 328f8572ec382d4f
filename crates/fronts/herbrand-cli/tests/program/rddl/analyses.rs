//! Analyses of a problem: bounds, dependencies and decision diagrams.

use super::{EVENING, SHOP, lights, shop};
use crate::run::{Scratch, herbrand};

#[test]
fn compiled_problems_and_their_guards_are_shown() {
    let run = herbrand(&[
        "ground",
        "rddl/elevators",
        "--problem",
        "2",
        "--first-step",
        "--format",
        "json",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let report = run.json();
    for key in ["state_fluents", "action_fluents", "instructions", "preconditions"] {
        assert!(report[key].as_u64() > Some(0), "{key}");
    }
    assert!(report["first_step_seconds"].as_f64() >= report["seconds"].as_f64());
    let run = herbrand(&["datalog", "rddl/sysadmin-mdp", "--problem", "3"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains(":-"), "{}{}", run.stdout, run.stderr);
    let scratch = lights("rddl-datalog");
    let run = scratch.run(&["datalog", "--domain", "domain.txt"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("domain.txt defines no instance"),
        "{}",
        run.stderr
    );
    let files = ["--domain", "domain.txt", "--problem", "evening.txt"];
    let run = scratch.run(&[&["datalog"][..], &files].concat());
    assert_eq!((run.status, run.stdout.as_str()), (0, ""));
    assert!(
        run.stderr.contains("has a guard of non-fluents"),
        "{}",
        run.stderr
    );
}

#[test]
fn bounds_are_told_for_all_values() {
    let scratch = lights("rddl-bounds");
    let files = ["--domain", "domain.txt", "--problem", "evening.txt"];
    let one = EVENING.replace(
        "instance night { domain = lights; non-fluents = flat; horizon = 5; discount = 1.0; }",
        "",
    );
    scratch.write("evening.txt", &one);
    let run = scratch.run(&[&["rddl", "bounds"][..], &files, &["--steps", "3"]].concat());
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    for row in ["press___attic", "on___hall'", "return over 3 steps"] {
        assert!(run.stdout.contains(row), "{row} in\n{}", run.stdout);
    }
    let run = scratch.run(
        &[
            &["rddl", "bounds"][..],
            &files,
            &["--steps", "3", "--format", "json"],
        ]
        .concat(),
    );
    let data = run.json();
    // The hall is lit; the attic may be, after the first step.
    assert_eq!(data["total"], serde_json::json!([3.0, 5.0]));
    assert_eq!(
        data["steps"][2]["state"][0],
        serde_json::json!(["on___hall", [1.0, 1.0]])
    );
    assert_eq!(
        data["steps"][2]["state"][1],
        serde_json::json!(["on___attic", [0.0, 1.0]])
    );
    let run = scratch.run(&[&["rddl", "bounds"][..], &files, &["--between", "0.9", "0.1"]].concat());
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("LOW at most HIGH, not 0.9 and 0.1"),
        "{}",
        run.stderr
    );
}

#[test]
fn dependencies_are_listed_and_drawn() {
    let run = herbrand(&["rddl", "graph", "rddl/elevators", "--format", "json"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.json()["nodes"]
            .as_array()
            .is_some_and(|nodes| nodes.len() > 5)
    );
    let scratch = lights("rddl-graph");
    let files = ["rddl", "graph", "rddl/elevators"];
    let run = scratch.run(&[&files[..], &["--out", "net.svg"]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(scratch.read("net.svg").starts_with("<svg"));
    let run = scratch.run(&[&files[..], &["--out", "net.png"]].concat());
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("needs the ending .svg"), "{}", run.stderr);
    let run = scratch.run(&[&files[..], &["--of", "nowhere"]].concat());
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("no node of the network is named `nowhere`"),
        "{}",
        run.stderr
    );
    let run = herbrand(&["rddl", "graph", "blocks"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("supports only RDDL"), "{}", run.stderr);
}

#[test]
fn diagrams_are_listed_printed_and_drawn() {
    let one = ["rddl", "diagram", "rddl/mountain-car", "--problem", "1"];
    let run = herbrand(&one);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("velocity___c1'     15"), "{}", run.stdout);
    let run = herbrand(&[&one[..], &["--of", "precondition 1"]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout.starts_with("precondition 1 =\n  if "),
        "{}",
        run.stdout
    );
    // The slope is a cosine, which stays a whole.
    let run = herbrand(&[&one[..], &["--of", "velocity___c1'"]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("cos[3 position___c1]"), "{}", run.stdout);
    let run = herbrand(&[&one[..], &["--of", "reword"]].concat());
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("did you mean `reward`?"), "{}", run.stderr);
    let run = herbrand(&[
        "rddl",
        "diagram",
        "rddl/elevators",
        "--problem",
        "1",
        "--of",
        "reward",
        "--limit",
        "5",
    ]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("more than 5 nodes"), "{}", run.stderr);
}

#[test]
fn bounds_say_what_may_be_nan_and_whether_returns_are_discounted() {
    let scratch = Scratch::new("rddl-nan");
    scratch.write(
        "root.rddl",
        "domain root {
  pvariables {
    x : { state-fluent, real, default = 0.0 };
    act : { action-fluent, bool, default = false };
  };
  cpfs { x' = sqrt[x - 1.0]; };
  reward = x;
}
instance r { domain = root; horizon = 4; discount = 0.5; }
",
    );
    let run = scratch.run(&["rddl", "bounds", "root.rddl", "--steps", "2"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    for part in [
        "0 or NaN",
        "x' may be NaN from step 1 on: a square root of what may be negative",
        "reward may be NaN from step 2 on: x",
        "discounted return over 2 steps",
    ] {
        assert!(run.stdout.contains(part), "{part} in\n{}", run.stdout);
    }
    let found = scratch
        .run(&["rddl", "bounds", "root.rddl", "--steps", "2", "--format", "json"])
        .json();
    let by = "a square root of what may be negative";
    assert_eq!(
        found["nan"][0],
        serde_json::json!({"of": "x'", "step": 1, "by": by})
    );
}

#[test]
fn the_ending_of_a_file_tells_its_language() {
    let scratch = shop("rddl-ending");
    scratch.write("hash.rddl", &format!("# a shop\n{SHOP}"));
    for command in [&["check"][..], &["rollout"]] {
        let run = scratch.run(&[command, &["hash.rddl"]].concat());
        assert!(
            run.status > 0 && !run.stderr.contains("PDDL"),
            "{}{}",
            run.stdout,
            run.stderr
        );
    }
    scratch.write("empty.rddl", "");
    let run = scratch.run(&["rollout", "empty.rddl"]);
    assert_eq!(run.status, 2);
    assert!(!run.stderr.contains("defines a problem"), "{}", run.stderr);
}

#[test]
fn bounds_are_in_one_style_and_fluents_in_several_spellings() {
    let scratch = shop("rddl-spelling");
    let run = scratch.run(&["rddl", "bounds", "shop.rddl", "--steps", "4"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    for part in ["order___apple", "-21           45"] {
        assert!(run.stdout.contains(part), "{part} in\n{}", run.stdout);
    }
    let without = SHOP.replace(
        "  state-invariants { forall_{?p : product} [stock(?p) >= 0]; };\n",
        "",
    );
    let without = without.replace("min[stock(?p), Poisson(1.5)]", "floor[Exponential(1.5)]");
    scratch.write("free.rddl", &without);
    let run = scratch.run(&["rddl", "bounds", "free.rddl", "--steps", "4"]);
    assert!(run.stdout.contains("no bound"), "{}", run.stdout);
    assert!(
        run.stdout
            .contains("has no bound from step 1 on: a draw from Exponential"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("9223372"), "{}", run.stdout);
    let diagram = |words: &[&str]| {
        let run = scratch.run(&[&["rddl", "diagram", "shop.rddl"], words].concat());
        assert_eq!(run.status, 0, "{words:?}: {}", run.stderr);
        run.stdout
    };
    let expected = diagram(&["--of", "stock___apple'"]);
    assert!(expected.starts_with("stock___apple' ="), "{expected}");
    for words in [
        &["--of", "stock'(apple)"][..],
        &["--of", "stock(apple)'"],
        &["stock'(apple)"],
        &["corner", "stock'(apple)"],
        &["--problem", "corner", "stock'(apple)"],
    ] {
        assert_eq!(diagram(words), expected, "{words:?}");
    }
    let run = scratch.run(&["rddl", "diagram", "shop.rddl", "stock'(aple)"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("did you mean `stock___apple"),
        "{}",
        run.stderr
    );
}

#[test]
fn diagrams_and_graphs_take_the_same_names_of_fluents() {
    let scratch = shop("rddl-names");
    for name in ["reward", "stock'(apple)", "stock___apple'", "stock___apple"] {
        for (command, out) in [("diagram", "diagram.svg"), ("graph", "graph.svg")] {
            for of in [&[name][..], &["--of", name]] {
                let run = scratch.run(
                    &[
                        &["rddl", command, "shop.rddl"][..],
                        of,
                        &["--out", out, "--force"],
                    ]
                    .concat(),
                );
                let is_drawn = run.status == 0 || run.stderr.contains("there is no diagram");
                assert!(is_drawn, "{command} {of:?}: {}", run.stderr);
            }
        }
    }
    for command in ["diagram", "graph"] {
        let [word, option] = [&["open"][..], &["--of", "open"]]
            .map(|of| scratch.run(&[&["rddl", command, "shop.rddl"][..], of].concat()));
        assert_eq!((word.status, word.stdout), (option.status, option.stdout));
        assert_eq!(word.stderr, option.stderr);
        let run = scratch.run(&["rddl", command, "shop.rddl", "--of", "stock(aple)"]);
        assert_eq!(run.status, 2);
        assert!(
            run.stderr.contains("did you mean `stock___apple"),
            "{}",
            run.stderr
        );
        let run = scratch.run(&["rddl", command, "shop.rddl", "rewrd"]);
        assert_eq!(run.status, 2);
        assert!(
            run.stderr.contains("to name a fluent, use --of"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn dependencies_are_written_for_graphviz() {
    let scratch = lights("rddl-dot");
    let words = [
        "rddl",
        "graph",
        "domain.txt",
        "evening.txt",
        "--out",
        "lights.dot",
    ];
    let run = scratch.run(&words);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let text = scratch.read("lights.dot");
    assert!(text.starts_with("digraph \"lights\" {\n"), "{text}");
    assert!(text.contains("\"press\" -> \"on'\";\n"), "{text}");
}
