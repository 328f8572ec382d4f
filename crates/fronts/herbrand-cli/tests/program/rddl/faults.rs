//! Violated preconditions, broken invariants, values that cannot be computed, and returns that are not finite.

use serde_json::Value;

use super::{DOMAIN, TANK, growth, lights, shop, tank};
use crate::run::Scratch;

/// The probability is 1.1 from the sixth step on. Only episodes that turn the tap on get there.
#[test]
fn a_rollout_names_the_step_that_cannot_be_computed() {
    let scratch = Scratch::new("rddl-fault");
    scratch.write(
        "p.rddl",
        "domain taps {
  pvariables {
    level : { state-fluent, real, default = 0.0 };
    wet : { state-fluent, bool, default = false };
    tap : { action-fluent, bool, default = false };
  };
  cpfs {
    level' = if (tap) then level + 0.6 else level;
    wet' = Bernoulli(level);
  };
  reward = wet;
  action-preconditions { tap => level < 1.0; };
}
instance one { domain = taps; max-nondef-actions = 1; horizon = 3; discount = 1.0; }
",
    );
    let run = |more: &[&str]| scratch.run(&[&["rollout", "p.rddl", "--format", "json"], more].concat());
    let failed = run(&["--threads", "2"]);
    assert_eq!(failed.status, 2, "{}", failed.stdout);
    let place = "fails at step 3, joint action (): wet (p.rddl:9): probability of Bernoulli must be between 0 and 1, not 1.2";
    assert!(failed.stderr.contains(place), "{}", failed.stderr);
    let row = &failed.json()["rows"][0];
    let finished = row["episodes"].as_u64().expect("a number");
    assert!(finished > 0);
    let named = format!("episode {} (problem one)", finished + 1);
    assert!(failed.stderr.contains(&named), "{named}: {}", failed.stderr);
    assert_eq!(run(&["--seconds", "0.2"]).stderr, failed.stderr);
    let before = run(&["--episodes", &finished.to_string()]);
    assert_eq!(before.status, 0, "{}", before.stderr);
    assert_eq!(before.json()["rows"][0]["digest"], row["digest"]);
}

#[test]
fn violated_preconditions_are_shown() {
    let scratch = shop("rddl-violated");
    let run = scratch.run(&["show", "shop.rddl", "--actions", "() (order apple 99)"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(
        run.stdout
            .contains("violated preconditions\n  step 2: action precondition 1 does not hold for ?p = apple: forall_{?p : product} "),
        "{}",
        run.stdout
    );
    let run = scratch.run(&["show", "shop.rddl", "--actions", "(order apple 9)"]);
    assert!(!run.stdout.contains("violated"), "{}", run.stdout);
    let report = scratch.run(&[
        "show",
        "shop.rddl",
        "--actions",
        "(order apple -1)",
        "--format",
        "json",
    ]);
    let violated = &report.json()["violated"][0];
    assert_eq!(
        (&violated["step"], &violated["precondition"]),
        (&1.into(), &1.into())
    );
}

#[test]
fn a_violated_precondition_has_one_of_four_effects() {
    let scratch = tank("rddl-effects");
    scratch.write("burn.plan", &"burn\n".repeat(3));
    let rolled = |effect: &str| {
        let words = ["rollout", ".", "full", "--plan", "burn.plan", "--episodes", "2"];
        let words = [&words[..], &["--preconditions", effect, "--format", "json"]].concat();
        scratch.run(&words)
    };
    let row = |effect| rolled(effect).json()["rows"][0].clone();
    // The third step burns without enough fuel.
    for (effect, violating, total) in [("reported", 2, 0.3), ("replaced", 2, 0.2), ("ignored", 0, 0.3)] {
        let row = row(effect);
        assert_eq!(row["violating_steps"], violating, "{effect}: {row}");
        let mean = row["mean_return"].as_f64().unwrap();
        assert!((mean - total).abs() < 1e-9, "{effect}: {row}");
    }
    let refused = rolled("refused");
    let row = &refused.json()["rows"][0];
    assert_eq!((&row["steps"], &row["ends"]["stopped"]), (&4.into(), &2.into()));
    let stop = "a step that violates an action precondition ends an episode: 4 of 6 steps were taken";
    assert_eq!(row["plan_stops"], stop);
    let shown = |effect: &str| {
        let words = [
            "show",
            ".",
            "full",
            "--actions",
            "(burn) (burn) (burn)",
            "--preconditions",
            effect,
        ];
        scratch.run(&words)
    };
    for (effect, status, is_told) in [
        ("reported", 0, true),
        ("replaced", 0, true),
        ("ignored", 0, false),
        ("refused", 1, true),
    ] {
        let run = shown(effect);
        assert_eq!(run.status, status, "{effect}: {}{}", run.stdout, run.stderr);
        let told = format!("{}{}", run.stdout, run.stderr);
        assert_eq!(
            told.contains("action precondition 1 does not hold"),
            is_told,
            "{effect}: {told}"
        );
    }
    let played = |effect: &str| {
        let words = ["play", ".", "full", "--preconditions", effect];
        scratch.feed(&words, b"burn\nburn\nburn\nquit\n").stdout
    };
    let validated = |effect: &str| {
        let words = ["validate", ".", "full", "burn.plan", "--episodes", "2"];
        scratch.run(&[&words[..], &["--preconditions", effect, "--format", "json"]].concat())
    };
    for (effect, status, steps, total) in [
        ("reported", 1, 2, 0.271),
        ("replaced", 1, 2, 0.19),
        ("ignored", 0, 0, 0.271),
        ("refused", 1, 2, 0.19),
    ] {
        let run = validated(effect);
        let report = run.json();
        assert_eq!(run.status, status, "{effect}: {report}");
        assert_eq!(
            report["violated"]["steps"].as_u64().unwrap_or(0),
            steps,
            "{effect}: {report}"
        );
        let mean = report["mean_discounted_return"].as_f64().unwrap();
        assert!((mean - total).abs() < 1e-9, "{effect}: {report}");
    }
    assert!(played("reported").contains("step 3 of"));
    assert!(played("replaced").contains("step 3 of"));
    assert!(!played("refused").contains("step 3 of"));
    let run = scratch.run(&[
        "plan",
        ".",
        "full",
        "--preconditions",
        "ignored",
        "--rounds",
        "2",
        "--format",
        "json",
    ]);
    assert!(run.json()["violated"].is_null(), "{}", run.stdout);
    let run = scratch.run(&[
        "record",
        ".",
        "full",
        "--preconditions",
        "ignored",
        "--out",
        "t.jsonl",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let run = scratch.run(&["replay", "t.jsonl"]);
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    let run = scratch.run(&["rollout", "blocks", "--preconditions", "reported"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("--preconditions supports only RDDL"),
        "{}",
        run.stderr
    );
}

#[test]
fn returns_that_are_not_finite_are_told_with_their_origin() {
    for (name, formula, text, json) in [
        ("nan", "sqrt[-1.0]", "NaN", "nan"),
        ("inf", "s / 0.0", "∞", "inf"),
        ("exp", "exp[exp[s + 9.0]]", "∞", "inf"),
    ] {
        let scratch = growth(&format!("not-finite-{name}"), formula);
        let words = ["rollout", "growth.rddl", "--episodes", "50"];
        let run = scratch.run(&words);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        let row = run.stdout.lines().nth(1).unwrap();
        assert!(
            row.ends_with(&format!("  {text}  NaN  {text:>10}")),
            "{}",
            run.stdout
        );
        let report = scratch.run(&[&words[..], &["--format", "json"]].concat()).json();
        let row = &report["rows"][0];
        assert_eq!(
            (
                &row["mean_return"],
                &row["return_deviation"],
                &row["mean_discounted_return"]
            ),
            (&json.into(), &"nan".into(), &json.into())
        );
        let told = &row["non_finite"];
        let (episodes, first, step) = (&told["episodes"], &told["first_episode"], &told["step"]);
        assert!((20..50).contains(&episodes.as_u64().unwrap()), "{report}");
        assert_eq!(
            (&told["problem"], &told["fluent"], &told["value"]),
            (&"g".into(), &"s".into(), &json.into())
        );
        let origin = format!("step {step} of episode {first} makes `s` {text}");
        let line = format!(
            "growth: the return of {episodes} of 50 episodes is infinite or NaN: {origin} (problem g)"
        );
        assert_eq!(run.stdout.lines().last(), Some(line.as_str()));
        for threads in ["1", "2"] {
            let run = scratch.run(&[&words[..], &["--finite", "--threads", threads]].concat());
            assert_eq!(run.status, 2);
            assert!(run.stderr.contains(&origin), "{}", run.stderr);
        }
    }
    let scratch = growth("finite", "s + 1.0");
    let report = scratch
        .run(&["rollout", "growth.rddl", "--finite", "--format", "json"])
        .json();
    assert_eq!(report["rows"][0]["non_finite"], Value::Null);
    assert!(report["rows"][0]["mean_return"].is_f64());
}

#[test]
fn replaced_steps_are_counted_in_the_summary() {
    let scratch = tank("rddl-replaced");
    scratch.write("burn.plan", &"burn\n".repeat(3));
    let words = ["rollout", ".", "full", "--plan", "burn.plan", "--episodes", "2"];
    for (effect, more) in [("replaced", " and take no action instead"), ("reported", "")] {
        let words = [&words[..], &["--preconditions", effect]].concat();
        let run = scratch.run(&words);
        let line = format!(": 2 of 6 steps violate an action precondition{more}\n");
        assert!(run.stdout.contains(&line), "{}", run.stdout);
        let row = scratch.run(&[&words[..], &["--format", "json"]].concat()).json()["rows"][0].clone();
        let replaced = if more.is_empty() { Value::Null } else { 2.into() };
        assert_eq!(row["replaced_steps"], replaced, "{row}");
    }
    let words = ["validate", ".", "full", "burn.plan", "--episodes", "2"];
    let run = scratch.run(&[&words[..], &["--preconditions", "replaced"]].concat());
    let part = "is violated in 2 steps of 2 episodes, which take no action instead: first at step 3, ";
    assert!(run.stdout.contains(part), "{}", run.stdout);
    let words = ["render", ".", "full", "--plan", "burn.plan", "--out", "walk.html"];
    let run = scratch.run(&[&words[..], &["--preconditions", "replaced"]].concat());
    let part = "warning: 1 of 3 steps violates an action precondition and takes no action instead\n";
    assert!(run.stderr.contains(part), "{}", run.stderr);
}

#[test]
fn walks_count_violated_preconditions_and_broken_invariants() {
    let scratch = tank("rddl-broken-walks");
    let run = scratch.run(&["rollout", ".", "full"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let part = ": a broken state invariant ends 100 of 100 episodes, which the means leave out\n";
    assert!(run.stdout.contains(part), "{}", run.stdout);
    let row = scratch.run(&["rollout", ".", "--format", "json"]).json()["rows"][0].clone();
    assert_eq!(
        (&row["ends"]["invariant"], &row["counted"]),
        (&100.into(), &0.into())
    );
    let counting = ["rollout", ".", "--count-broken", "--format", "json"];
    let row = scratch.run(&counting).json()["rows"][0].clone();
    assert_eq!(row["counted"], 100);
    assert!(row["mean_return"].as_f64() > Some(0.0), "{row}");
    // Random actions are valid.
    assert_eq!(row["violating_steps"], 0, "{row}");
    scratch.write("burn.plan", &"burn\n".repeat(4));
    let plan = [
        "rollout",
        ".",
        "full",
        "--plan",
        "burn.plan",
        "--episodes",
        "10",
        "--format",
        "json",
    ];
    let row = scratch.run(&plan).json()["rows"][0].clone();
    assert_eq!(
        (&row["violating_steps"], &row["ends"]["invariant"]),
        (&20.into(), &0.into())
    );
    let run = scratch.run(&["record", ".", "full", "--out", "tank.trace.jsonl"]);
    assert!(
        run.stderr.contains("a broken state invariant ends 2 of 2 walks"),
        "{}",
        run.stderr
    );
    let run = scratch.run(&["render", ".", "full", "--plan", "burn.plan", "--out", "walk.html"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stderr
            .contains("warning: 2 of 4 steps violate an action precondition\n"),
        "{}",
        run.stderr
    );
    // Four times 0.1, without the rounding error of the sum.
    assert!(scratch.read("walk.html").contains("step 3, return 0.3"));
}

#[test]
fn broken_invariants_are_named_where_an_episode_ends() {
    let scratch = tank("rddl-broken-state");
    let run = scratch.feed(&["play", ".", "full"], b"burn\nburn\nnothing\nnothing\nnothing\n");
    for part in [
        "burn: reward 0.1\n",
        "state invariant 1 is broken: fuel >= -1\n",
        "a broken state invariant ends the episode after 5 steps, return 0.2\n",
    ] {
        assert!(run.stdout.contains(part), "{}", run.stdout);
    }
    let run = scratch.run(&["show", ".", "full", "--actions", "(burn) () () () ()"]);
    for part in [
        "\nreward of the last step 0, return 0.1\n",
        "\nstate invariant 1 is broken: fuel >= -1\n",
    ] {
        assert!(run.stdout.contains(part), "{}", run.stdout);
    }
    let data = scratch
        .run(&["show", ".", "--actions", "()", "--format", "json"])
        .json();
    assert_eq!(
        (&data["broken"], &data["last_reward"]),
        (&Value::Null, &0.0.into())
    );
    scratch.write("domain.rddl", &TANK.replace("burn => (fuel >= 2)", "fuel >= 9"));
    let run = scratch.run(&["show", "."]);
    assert!(
        run.stdout
            .contains("valid actions (0): no joint action is valid\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_value_that_cannot_be_computed_is_an_error_with_its_step_and_place() {
    let scratch = lights("rddl-no-value");
    let divided = DOMAIN.replace(
        "reward = sum",
        "reward = div[6, 1 - (sum_{?l : lamp} on(?l))] + sum",
    );
    scratch.write("domain.txt", &divided);
    let run = scratch.run(&[
        "show",
        "domain.txt",
        "evening.txt",
        "--actions",
        "(press attic) ()",
    ]);
    assert_eq!(run.status, 2, "{}", run.stdout);
    let part = "error: step 1: reward (domain.txt:9): an int is divided by 0";
    assert!(run.stderr.contains(part), "{}", run.stderr);
}

#[test]
fn a_replaced_step_says_that_it_takes_no_action() {
    let scratch = tank("rddl-replaced");
    let words = ["show", ".", "full", "--actions", "(burn) (burn) (burn)"];
    let words = [&words[..], &["--preconditions", "replaced"]].concat();
    let shown = scratch.run(&words);
    let line = "step 3: action precondition 1 does not hold, so no action is taken: burn => fuel >= 2\n";
    assert!(shown.stdout.contains(line), "{}", shown.stdout);
    let data = scratch.run(&[&words[..], &["--format", "json"]].concat()).json();
    assert_eq!(data["violated"][0]["replaced"], true, "{data}");
    let lines = b"burn\nburn\nburn\n";
    let played = scratch.feed(&["play", ".", "full", "--preconditions", "replaced"], lines);
    for part in [
        "> burn\naction precondition 1 does not hold, so no action is taken: burn => fuel >= 2\n",
        "\nnothing, in place of burn: reward 0\n",
    ] {
        assert!(played.stdout.contains(part), "{part} in\n{}", played.stdout);
    }
    // By default, the step takes the action.
    let played = scratch.feed(&["play", ".", "full"], lines);
    assert!(
        !played.stdout.contains("no action is taken") && played.stdout.contains("\nburn: reward 0.1\n"),
        "{}",
        played.stdout
    );
}

#[test]
fn no_action_is_valid_after_the_end() {
    let scratch = tank("rddl-after-the-end");
    let over = "\nvalid actions (0): the episode is over\n";
    let shown = |actions: &str| scratch.run(&["show", ".", "full", "--actions", actions]);
    for (actions, is_over) in [("() () () ()", false), ("() () () () ()", true)] {
        let shown = shown(actions);
        assert_eq!(shown.stdout.contains(over), is_over, "{}", shown.stdout);
        assert!(!shown.stdout.contains("\n  burn\n"), "{}", shown.stdout);
    }
    let played = scratch.feed(&["play", ".", "full"], &b"nothing\n".repeat(5));
    assert_eq!(played.stdout.matches(over).count(), 1, "{}", played.stdout);
    // A termination condition.
    let text = TANK.replace("state-invariants { fuel >= -1; }", "termination { fuel <= 1; }");
    scratch.write("domain.rddl", &text);
    assert!(shown("() ()").stdout.contains(over) && !shown("()").stdout.contains(over));
    // The horizon.
    let played = scratch.feed(&["play", ".", "full"], &b"nothing\n".repeat(6));
    assert_eq!(played.stdout.matches(over).count(), 1, "{}", played.stdout);
}

#[test]
fn an_invariant_that_the_initial_state_breaks_is_named_as_such() {
    let scratch = tank("rddl-broken-initially");
    scratch.write("domain.rddl", &TANK.replace("fuel >= -1", "fuel >= 4"));
    let sentence = "state invariant 1 is broken: fuel >= 4";
    let played = scratch.feed(&["play", ".", "full"], b"nothing\n");
    let part = format!("\nin the initial state, {sentence}\nvalid actions (0): the episode is over\n");
    assert!(played.stdout.contains(&part), "{}", played.stdout);
    scratch.write("idle.plan", "()\n");
    let run = scratch.run(&["validate", ".", "full", "idle.plan"]);
    let part = "a state invariant is broken in 1,000 episodes: already in the initial state, invariant 1: fuel >= 4\n";
    assert!(run.stdout.contains(part), "{}", run.stdout);
    let run = scratch.run(&["plan", ".", "full", "--rounds", "1"]);
    assert!(
        run.stderr
            .contains("already in the initial state, invariant 1: fuel >= 4"),
        "{}",
        run.stderr
    );
    // The episode has ended before its first step.
    let shown = scratch.run(&["show", ".", "full"]);
    assert!(
        shown
            .stdout
            .contains("\nvalid actions (0): the episode is over\n")
            && shown.stdout.contains(sentence),
        "{}",
        shown.stdout
    );
}

#[test]
fn check_takes_a_step() {
    let scratch = Scratch::new("rddl-check-step");
    let lamp = |value: &str, formula: &str, reward: &str| {
        scratch.write(
            "lamp.rddl",
            &format!(
                "domain lamp {{
                   types {{ bulb : object; }};
                   pvariables {{
                     P(bulb) : {{ non-fluent, real, default = 0.5 }};
                     on(bulb) : {{ state-fluent, bool, default = false }};
                     press : {{ action-fluent, bool, default = false }};
                   }};
                   cpfs {{ on'(?b) = press | {formula}; }};
                   reward = {reward};
                 }}
                 instance i {{ domain = lamp; objects {{ bulb : {{ b1, b2 }}; }}; non-fluents {{ P(b2) = {value}; }};
                   horizon = 3; discount = 1.0; }}"
            ),
        );
        scratch.run(&["check", "lamp.rddl"])
    };
    let checked = lamp("0.25", "Bernoulli(P(?b))", "0");
    assert!(
        checked.stderr.is_empty() && checked.stdout.ends_with("0 warnings\n"),
        "{}",
        checked.stderr
    );
    for (value, formula, reward, part) in [
        (
            "1.5",
            "Bernoulli(P(?b))",
            "0",
            "probability of Bernoulli must be between 0 and 1, not 1.5",
        ),
        (
            "-1.0",
            "Normal(0.0, P(?b)) > 1.0",
            "0",
            "variance of Normal must be at least 0, not -1.0",
        ),
        ("0.0", "div[3, round[P(?b)]] > 1", "0", "an int is divided by 0"),
        (
            "0.0",
            "Bernoulli(P(?b))",
            "sum_{?b : bulb} [1.0 / P(?b)]",
            "the reward of a step without actions is ∞",
        ),
    ] {
        let checked = lamp(value, formula, reward);
        assert!(
            checked.stderr.contains("in the initial state of `i`, ") && checked.stderr.contains(part),
            "{part} in\n{}",
            checked.stderr
        );
        assert_eq!(checked.status, 0);
    }
}
