//! Plans: searched, evaluated, rolled out and drawn.

use crate::run::Scratch;
use serde_json::Value;

use super::{DOMAIN, FULL, TANK, growth, lights, shop, tank};
use crate::run::herbrand;

#[test]
fn a_plan_is_found_by_roll_outs() {
    let scratch = lights("rddl-plan");
    let plan = |more: &[&str]| {
        let arguments = [
            "plan",
            "--domain",
            "domain.txt",
            "--problem",
            "evening.txt",
            "--lookahead",
            "3",
        ];
        scratch.run(&[&arguments, more].concat())
    };
    let run = plan(&["--out", "lights.plan"]);
    assert_eq!(
        (run.status, run.stderr.as_str()),
        (0, "wrote lights.plan, 3 steps\n")
    );
    assert!(run.stdout.starts_with("1: "), "{}", run.stdout);
    // The hall is lit, and the attic from the second step on: pressing it first is all that there is to do.
    assert!(
        run.stdout.contains("press___attic") && run.stdout.contains("mean return 5.0000"),
        "{}",
        run.stdout
    );
    assert!(scratch.read("lights.plan").starts_with("1: "));
    let found = plan(&["--planner", "random-shooting", "--format", "json"]).json();
    assert_eq!(found["mean_discounted_return"], 5.0);
    assert_eq!(found["plan"].as_array().map(Vec::len), Some(3));
}

#[test]
fn plans_are_found_by_gradient() {
    let run = herbrand(&[
        "plan",
        "rddl/mountain-car",
        "--problem",
        "1",
        "--planner",
        "gradient",
        "--lookahead",
        "5",
        "--rounds",
        "5",
        "--format",
        "json",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(run.json()["plan"].as_array().map(Vec::len), Some(5));
}

#[test]
fn a_plan_is_rolled_out_drawn_and_evaluated() {
    let scratch = shop("rddl-replan");
    let run = scratch.run(&[
        "plan",
        "shop.rddl",
        "--lookahead",
        "3",
        "--format",
        "json",
        "--out",
        "plan.txt",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let planned = run.json()["mean_discounted_return"].as_f64().unwrap_or(f64::NAN);
    let run = scratch.run(&[
        "validate",
        "shop.rddl",
        "plan.txt",
        "--episodes",
        "4000",
        "--seed",
        "4000",
        "--format",
        "json",
    ]);
    // The planner takes the risk that little is left in the third step.
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    let paid = run.json();
    let violated = &paid["violated"];
    assert_eq!(
        (&paid["steps"], &violated["precondition"]),
        (&3.into(), &2.into())
    );
    assert!(
        violated["episodes"]
            .as_u64()
            .is_some_and(|count| (1..2000).contains(&count)),
        "{paid}"
    );
    let found = paid["mean_discounted_return"].as_f64().unwrap_or(f64::NAN);
    // Their standard errors are about 0.1 and 0.05.
    assert!((found - planned).abs() < 0.6, "{found}, planned {planned}");
    let rollout = |more: &[&str]| {
        let run = scratch.run(
            &[
                &["rollout", "shop.rddl", "--plan", "plan.txt", "--format", "json"],
                more,
            ]
            .concat(),
        );
        assert_eq!(run.status, 0, "{}", run.stderr);
        run.json()["rows"][0].clone()
    };
    let row = rollout(&[]);
    assert_eq!(
        (&row["episodes"], &row["steps"]),
        (&100.into(), &300.into()),
        "{row}"
    );
    let row = rollout(&["--episodes", "4000"]);
    let mean = row["mean_return"].as_f64().unwrap_or(f64::NAN);
    assert!((found - mean).abs() < 0.4, "{found}, rolled out {mean} in {row}");
    let run = scratch.run(&["render", "shop.rddl", "--plan", "plan.txt", "--out", "walk.html"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(scratch.read("walk.html").contains("step 3, return"));
    // A plan by hand, with a comment, without numbers.
    scratch.write("hand.txt", "; twice\n(order apple 2), open\n\n() ; nothing\n");
    let run = scratch.run(&["validate", "shop.rddl", "hand.txt"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(
        run.stdout
            .contains(", over 1,000 episodes\nsteps: 2 of 4, the horizon\n"),
        "{}",
        run.stdout
    );
    scratch.write("bad.txt", "1: order___apple=11\n");
    let run = scratch.run(&["validate", "shop.rddl", "bad.txt"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(
        run.stdout.starts_with(
            "an action precondition is violated in 1,000 steps of 1,000 episodes: first at step 1, precondition 1: forall_"
        ),
        "{}",
        run.stdout
    );
    for (text, message) in [
        (
            "1: open\n3: ()\n",
            "bad.txt: line 2: step 2 is missing: this is step 3",
        ),
        (
            "1: opn\n",
            "bad.txt: line 1: `opn` is not an action of this problem; did you mean `open`?",
        ),
        ("open, open\n", "bad.txt: line 1: `open` is set twice"),
    ] {
        scratch.write("bad.txt", text);
        for command in [
            &["validate", "shop.rddl", "bad.txt"][..],
            &["rollout", "shop.rddl", "--plan", "bad.txt"],
        ] {
            let run = scratch.run(command);
            assert_eq!(run.status, 2, "{command:?}");
            assert!(run.stderr.contains(message), "{}", run.stderr);
        }
    }
}

#[test]
fn a_hint_is_the_best_next_step() {
    let scratch = lights("rddl-hint");
    let files = ["play", "--domain", "domain.txt", "--problem", "evening.txt"];
    let run = scratch.feed(
        &files,
        &[&b"hint\npress___attic\n"[..], &b"nothing\n".repeat(8), b"hint\n"].concat(),
    );
    assert_eq!(run.status, 0, "{}", run.stderr);
    // The attic is dark in the first of nine steps only.
    let said = run
        .stdout
        .split("> hint\n")
        .nth(1)
        .and_then(|rest| rest.lines().next());
    let said = said.unwrap_or_default();
    assert!(
        said.starts_with("looking 9 steps ahead, press___attic"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("> hint\nthe episode is over\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn plans_end_with_what_nothing_and_random_actions_return() {
    let scratch = lights("rddl-compared");
    let words = ["plan", "--domain", "domain.txt", "--problem", "evening.txt"];
    let words = [&words[..], &["--lookahead", "3"]].concat();
    let run = scratch.run(&[&words[..], &["--out", "lights.plan"]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    // The hall is lit: one per step. The attic is lit after the first step.
    for line in [
        "; mean return 5.0000, standard error 0.0000: 256 episodes of 3 steps, horizon 9\n",
        "; doing nothing: mean return 3.0000, standard error 0.0000: 2.0000 less, standard error of the difference 0.0000\n",
        "; random actions: mean return ",
    ] {
        assert!(run.stdout.contains(line), "{}", run.stdout);
    }
    assert_eq!(scratch.read("lights.plan"), run.stdout);
    let found = scratch.run(&[&words[..], &["--format", "json"]].concat()).json();
    assert_eq!(
        (
            &found["steps"],
            &found["horizon"],
            &found["episodes"],
            &found["discount"]
        ),
        (&3.into(), &9.into(), &256.into(), &1.0.into())
    );
    assert_eq!(
        (&found["mean_discounted_return"], &found["non_finite"]),
        (&5.0.into(), &Value::Null)
    );
    assert_eq!(
        (
            &found["nothing"]["mean_discounted_return"],
            &found["nothing"]["gain"]
        ),
        (&3.0.into(), &2.0.into())
    );
    let random = &found["random"];
    let (mean, gain) = (
        random["mean_discounted_return"].as_f64().unwrap(),
        random["gain"].as_f64().unwrap(),
    );
    assert!(
        (3.5..4.9).contains(&mean) && (mean + gain - 5.0).abs() < 1e-9,
        "{found}"
    );
    assert!(random["gain_error"].as_f64() > Some(0.0), "{found}");
    // The same of a planner that decides in every step.
    let acted = ["--planner", "uct", "--runs", "4", "--iterations", "64"];
    let run = scratch.run(&[&words[..], &acted].concat());
    assert!(
        run.stdout.contains("; the first of 4 runs; ")
            && run.stdout.contains("; doing nothing: mean return "),
        "{}{}",
        run.stdout,
        run.stderr
    );
    // A return that is not finite is reported, and not as null in JSON.
    let scratch = growth("rddl-compared-nan", "s + 1.0");
    let text = scratch.read("growth.rddl");
    scratch.write(
        "growth.rddl",
        &text.replace("if (go) then s + 1.0 else s", "sqrt[-1.0]"),
    );
    let words = ["plan", "growth.rddl", "--candidates", "4", "--rounds", "1"];
    let run = scratch.run(&words);
    assert!(
        run.stdout.contains("; mean return NaN, "),
        "{}{}",
        run.stdout,
        run.stderr
    );
    let line = "; the return of 256 of 256 episodes is infinite or NaN: step 1 of episode 0 makes `s` NaN (problem g)\n";
    assert!(run.stdout.contains(line), "{}", run.stdout);
    let warning = line.replacen(';', "warning:", 1);
    assert!(run.stderr.contains(&warning), "{}", run.stderr);
    assert_eq!(run.status, 1, "no number is no good return");
    let found = scratch.run(&[&words[..], &["--format", "json"]].concat()).json();
    assert_eq!(
        (&found["mean_discounted_return"], &found["non_finite"]["step"]),
        (&"nan".into(), &1.into())
    );
}

#[test]
fn several_instances_are_planned_for_in_a_table() {
    let scratch = lights("rddl-plan-all");
    let words = [
        "plan",
        "domain.txt",
        "evening.txt",
        "--all",
        "--candidates",
        "16",
        "--rounds",
        "2",
    ];
    let run = scratch.run(&words);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let lines: Vec<_> = run.stdout.lines().collect();
    assert!(
        lines[0].contains("mean return") && lines[0].contains("random actions"),
        "{}",
        run.stdout
    );
    let data = scratch.run(&[&words[..], &["--format", "json"]].concat()).json();
    let data = data.as_array().expect("a list");
    assert_eq!(data.len(), lines.len() - 1, "{}", run.stdout);
    for (one, line) in data.iter().zip(&lines[1..]) {
        assert!(
            line.starts_with(one["problem"].as_str().expect("a name")),
            "{line}"
        );
    }
    let uct = ["--planner", "uct", "--iterations", "5", "--runs", "2"];
    let acting = scratch.run(&[&words[..4], &uct].concat());
    assert_eq!(acting.status, 0, "{}", acting.stderr);
    assert_eq!(acting.stdout.lines().count(), lines.len(), "{}", acting.stdout);
}

#[test]
fn plans_keep_preconditions_and_report_what_they_break() {
    let scratch = tank("rddl-broken-plan");
    for (planner, episodes) in [("cross-entropy", 256), ("random-shooting", 256), ("uct", 4)] {
        let runs = if planner == "uct" {
            &["--runs", "4"][..]
        } else {
            &[]
        };
        let run = scratch.run(&[&["plan", ".", "full", "--planner", planner], runs].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        let broken = format!(
            "a state invariant is broken in {episodes} episodes: first after step 5, invariant 1: fuel >= -1"
        );
        assert_eq!(run.stderr, format!("warning: {broken}\n"), "{planner}");
        for part in [
            "1: burn\n2: burn\n3: ()\n",
            "; mean discounted return 0.1900,",
            &format!("; {broken}\n"),
        ] {
            assert!(run.stdout.contains(part), "{planner}: {part} in {}", run.stdout);
        }
        assert!(!run.stdout.contains("action precondition"), "{}", run.stdout);
    }
    let found = scratch
        .run(&["plan", ".", "--out", "tank.plan", "--format", "json"])
        .json();
    assert_eq!(
        (
            &found["violated"],
            &found["broken"]["episodes"],
            &found["broken"]["invariant"]
        ),
        (&Value::Null, &256.into(), &1.into()),
        "{found}"
    );
    let run = scratch.run(&["validate", ".", "full", "tank.plan", "--episodes", "10"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    let head = "a state invariant is broken in 10 episodes: first after step 5, invariant 1: fuel >= -1\n\
                mean discounted return 0.1900, standard error 0.0000, over 10 episodes\n";
    assert!(run.stdout.starts_with(head), "{}", run.stdout);
    scratch.write("long.txt", &"burn\n".repeat(7));
    let run = scratch.run(&[
        "validate",
        ".",
        "full",
        "long.txt",
        "--episodes",
        "10",
        "--format",
        "json",
    ]);
    assert_eq!(run.status, 1);
    assert!(
        run.stderr
            .contains("the plan has 7 steps, but an episode ends at the horizon of 6 steps"),
        "{}",
        run.stderr
    );
    let violated = &run.json()["violated"];
    assert_eq!(
        (
            &violated["episodes"],
            &violated["steps"],
            &violated["step"],
            &violated["precondition"]
        ),
        (&10.into(), &30.into(), &3.into(), &1.into())
    );
    // A precondition that no joint action keeps.
    scratch.write("domain.rddl", &TANK.replace("burn => (fuel >= 2)", "fuel >= 2"));
    let run = scratch.run(&["plan", ".", "--lookahead", "4"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(
        run.stderr,
        "warning: an action precondition is violated in 512 steps of 256 episodes: first at step 3, precondition 1: fuel >= 2\n"
    );
    // Of the plans that violate it equally late, the best one is found.
    assert!(run.stdout.starts_with("1: burn\n2: burn\n"), "{}", run.stdout);
}

#[test]
fn options_of_plans_without_an_effect_are_refused() {
    let scratch = tank("rddl-refused");
    for (arguments, message) in [
        (
            ["--horizon", "3"],
            "--horizon needs a planner that acts in every state: replan, uct",
        ),
        (["--iterations", "3"], "--iterations needs --planner uct"),
        (["--hidden", "8"], "--hidden needs --planner reactive"),
        (
            ["--lookahead", "7"],
            "--lookahead 7 goes beyond the horizon: use at most 6",
        ),
    ] {
        let run = scratch.run(&[&["plan", "."][..], &arguments].concat());
        assert_eq!(run.status, 2, "{}", run.stdout);
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
    let run = scratch.run(&["replay", "domain.rddl"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(
        run.stderr.contains("domain.rddl is not a trace"),
        "{}",
        run.stderr
    );
    scratch.write("alone/first.rddl", FULL);
    let run = scratch.run(&["show", "alone/first.rddl"]);
    assert!(
        run.status == 0 || run.stderr.contains("its folder has no domain.rddl"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_plan_that_gains_nothing_is_warned_about() {
    let scratch = lights("rddl-idle");
    scratch.write(
        "domain.txt",
        &DOMAIN.replace(
            "reward = sum_{?l : lamp} on(?l)",
            "reward = -(sum_{?l : lamp} press(?l))",
        ),
    );
    let words = ["plan", "domain.txt", "evening.txt", "--rounds", "2"];
    let run = scratch.run(&words);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let warning = "warning: the plan is no better than doing nothing: try --planner uct";
    assert!(run.stderr.contains(warning), "{}", run.stderr);
    scratch.write("domain.txt", DOMAIN);
    let run = scratch.run(&words);
    assert!(!run.stderr.contains("no better"), "{}", run.stderr);
}

#[test]
fn what_has_no_gradient_is_named_with_its_place() {
    let scratch = lights("rddl-no-gradient");
    let text = DOMAIN
        .replace("on(lamp) : {", "light(lamp) : { interm-fluent, real }; ONE(lamp) : { non-fluent, real, default = 1.0 };\n    on(lamp) : {")
        .replace("cpfs {", "cpfs {\n    light(?l) = Dirichlet[?l](ONE(_));")
        .replace("on(?l) | press(?l);", "on(?l) ^ light(?l) > 0.5;");
    scratch.write("domain.txt", &text);
    let run = scratch.run(&["plan", "domain.txt", "evening.txt", "--planner", "gradient"]);
    assert_eq!(run.status, 2);
    let part = "light___hall (domain.txt:10): a vector has no gradient";
    assert!(run.stderr.contains(part), "{}", run.stderr);
}

#[test]
fn gradients_have_their_options() {
    let scratch = tank("rddl-gradient-options");
    let planned = |more: &[&str]| {
        let words = ["plan", ".", "full", "--rounds", "20", "--format", "json"];
        let run = scratch.run(&[&words[..], more].concat());
        assert_eq!(run.status, 0, "{more:?}: {}", run.stderr);
        run.json()
    };
    for norm in ["product", "godel", "lukasiewicz"] {
        let options = [
            "--planner",
            "gradient",
            "--t-norm",
            norm,
            "--scenarios",
            "8",
            "--risk",
            "cvar:0.5",
        ];
        assert!(
            planned(&options)["mean_discounted_return"].as_f64().unwrap() > 0.0,
            "{norm}"
        );
    }
    for (options, name) in [
        (
            &["--planner", "gradient", "--replan", "--lookahead", "3"][..],
            "gradient --replan",
        ),
        (
            &[
                "--planner",
                "auto",
                "--replan",
                "--rate",
                "0.2",
                "--sharpness",
                "5",
            ],
            "auto --replan",
        ),
        (&["--planner", "reactive", "--hidden", "8"], "reactive"),
        (&["--planner", "replan"], "replan"),
    ] {
        let report = planned(&[options, &["--runs", "2"]].concat());
        assert_eq!(report["planner"], name);
        assert!(
            report["mean_discounted_return"].as_f64().unwrap() >= 0.0,
            "{name}: {report}"
        );
    }
    for (options, message) in [
        (
            &["--risk", "median"][..],
            "`median` is not an objective: write mean, entropic:B",
        ),
        (
            &["--t-norm", "nilpotent"],
            "choose one of product, godel, lukasiewicz",
        ),
        (&["--rate", "0"], "expected a number greater than 0"),
        (
            &["--planner", "uct", "--replan"],
            "--replan needs another planner: cross-entropy, random-shooting, gradient, auto",
        ),
        (
            &["--planner", "uct", "--out", "p"],
            "--out needs a planner that finds plans, or reactive or exact: uct computes each action when it is due",
        ),
    ] {
        let run = scratch.run(&[&["plan", ".", "full"], options].concat());
        assert_eq!(run.status, 2, "{options:?}");
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
    let run = scratch.run(&["plan", "blocks", "--replan"]);
    assert!(
        run.status == 2 && run.stderr.contains("--replan supports only RDDL"),
        "{}",
        run.stderr
    );
}

/// A division by zero after three burns: a plan that reaches it has the worst return, and is refused.
const BURNING: &str = "domain err {
  pvariables {
    n : { state-fluent, int, default = 3 };
    a : { action-fluent, bool, default = false };
  };
  cpfs { n' = if (a) then n - 1 else n; };
  reward = div[12, n] - 20;
}
instance i { domain = err; horizon = 6; discount = 1.0; }
";

#[test]
fn a_step_that_cannot_be_computed_is_no_cheap_end() {
    let scratch = Scratch::new("rddl-failing");
    scratch.write("err.rddl", BURNING);
    scratch.write("burn.txt", "a\na\na\na\na\n");
    let run = scratch.run(&["validate", "err.rddl", "burn.txt"]);
    let head = "1,000 episodes end at a step that cannot be computed, and so the mean is -∞: first at step 4: reward (";
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(run.stdout.starts_with(head), "{}", run.stdout);
    assert!(
        run.stdout
            .contains("an int is divided by 0\nmean return -∞, standard error 0.0000"),
        "{}",
        run.stdout
    );
    // The reward is -16, -14 and -8 at 3, 2 and 1, so two burns at once are best.
    for planner in [&["--planner", "uct", "--runs", "4"][..], &[]] {
        let run = scratch.run(&[&["plan", "err.rddl"], planner].concat());
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        assert!(
            run.stdout.starts_with("1: a\n2: a\n3: ()\n4: ()\n5: ()\n6: ()\n"),
            "{}",
            run.stdout
        );
        assert!(run.stdout.contains("; mean return -62.0000,"), "{}", run.stdout);
        assert!(
            run.stdout.contains("; random actions: mean return -∞\n"),
            "{}",
            run.stdout
        );
    }
}

/// Every step costs something. Two pushes in a row break the invariant, which ends the episode and its costs.
const LEVER: &str = "
domain lever {
  pvariables {
    up : { state-fluent, int, default = 0 };
    push : { action-fluent, bool, default = false };
    pull : { action-fluent, bool, default = false };
  };
  cpfs { up' = if (push) then up + 1 else 0; };
  reward = if (pull) then -0.5 else -1.0;
  action-preconditions { pull => up == 1; ~(push ^ pull); };
  state-invariants { up <= 1; };
}
instance long { domain = lever; horizon = 8; discount = 1.0; }
";

#[test]
fn no_planner_breaks_an_invariant_to_end_early() {
    let scratch = Scratch::new("rddl-lever");
    scratch.write("lever.rddl", LEVER);
    for planner in [
        "cross-entropy",
        "random-shooting",
        "gradient",
        "auto",
        "reactive",
        "exact",
    ] {
        let words = ["plan", "lever.rddl", "--planner", planner, "--format", "json"];
        let run = scratch.run(&words);
        let report = run.json();
        assert_eq!(run.status, 0, "{planner}: {}", run.stderr);
        assert!(
            report["broken"].is_null() && report["violated"].is_null(),
            "{planner}: {report}"
        );
        // Random actions break the invariant, so their greater return says nothing.
        assert!(
            !run.stderr.contains("no better than random"),
            "{planner}: {}",
            run.stderr
        );
        assert!(report["random"]["broken_episodes"].as_u64() > Some(0), "{report}");
        let least = if planner == "exact" { -6.0 } else { -8.0 };
        assert!(
            report["mean_discounted_return"].as_f64() >= Some(least),
            "{planner}: {report}"
        );
    }
    // Nothing but breaking the invariant is possible: the plan says so.
    let text = LEVER.replace("if (push) then up + 1 else 0", "up + 1");
    scratch.write("lever.rddl", &text);
    let run = scratch.run(&["plan", "lever.rddl"]);
    let part = "a state invariant is broken in 256 episodes: first after step 2, invariant 1: up <= 1";
    assert!(run.stderr.contains(part), "{}", run.stderr);
    let run = scratch.run(&["plan", "lever.rddl", "--planner", "exact"]);
    let part = "; no policy breaks state invariants with a probability below 1.000000\n";
    assert!(run.stdout.contains(part), "{}", run.stdout);
}

#[test]
fn a_short_plan_says_how_much_of_the_horizon_it_fills() {
    let scratch = lights("rddl-short");
    scratch.write("short.plan", "()\n(press attic)\n");
    let words = [
        "validate",
        "--domain",
        "domain.txt",
        "--problem",
        "evening.txt",
        "short.plan",
    ];
    let run = scratch.run(&words);
    assert!(
        run.stdout.ends_with("steps: 2 of 9, the horizon\n"),
        "{}{}",
        run.stdout,
        run.stderr
    );
    let data = scratch.run(&[&words[..], &["--format", "json"]].concat()).json();
    assert_eq!(
        (&data["steps"], &data["horizon"]),
        (&2.into(), &9.into()),
        "{data}"
    );
    scratch.write("short.plan", &"()\n".repeat(9));
    assert!(scratch.run(&words).stdout.ends_with("steps: 9\n"));
}

#[test]
fn rare_faults_ask_for_more_scenarios() {
    let scratch = Scratch::new("rddl-scenarios");
    scratch.write(
        "rare.rddl",
        "domain rare {
           pvariables {
             worn : { state-fluent, bool, default = false };
             run : { action-fluent, bool, default = false };
           };
           cpfs { worn' = worn | Bernoulli(0.01); };
           reward = run;
           action-preconditions { run => ~worn; };
         }
         instance i { domain = rare; horizon = 5; discount = 1.0; }",
    );
    let run = scratch.run(&["plan", "rare.rddl"]);
    let part = "help: the plan was chosen by 4 scenarios: with more --scenarios, such outcomes count\n";
    assert!(run.stderr.contains(part), "{}", run.stderr);
}

#[test]
fn a_small_negative_number_is_0() {
    let scratch = growth("rddl-minus", "s");
    let text = scratch
        .read("growth.rddl")
        .replace("reward = s;", "reward = -0.000000001 * s;");
    scratch.write("growth.rddl", &text);
    let run = scratch.run(&["plan", "growth.rddl", "--rounds", "1"]);
    assert!(
        run.stdout.contains("mean return 0.0000,") && !run.stdout.contains("-0.0000"),
        "{}",
        run.stdout
    );
}
