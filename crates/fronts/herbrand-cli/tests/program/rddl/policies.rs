//! Planners that select an action in every state, and policies that are kept.

use serde_json::Value;

use super::{FULL, TANK, lights, shop};
use crate::run::herbrand;

#[test]
fn uct_tells_what_acting_pays() {
    let scratch = lights("rddl-uct");
    let plan = |more: &[&str]| {
        let arguments = [
            "plan",
            "--domain",
            "domain.txt",
            "--problem",
            "evening.txt",
            "--planner",
            "uct",
            "--horizon",
            "3",
            "--lookahead",
            "3",
            "--iterations",
            "300",
            "--runs",
            "4",
        ];
        scratch.run(&[&arguments, more].concat())
    };
    let run = plan(&[]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(
        run.stdout.starts_with("1: press___attic\n")
            && run.stdout.contains(
                "\n; mean return 5.0000, standard error 0.0000: 4 episodes of 3 steps, horizon 9\n"
            ),
        "{}",
        run.stdout
    );
    let data = plan(&["--format", "json"]).json();
    assert_eq!(
        (data["mean_discounted_return"].as_f64(), data["runs"].as_u64()),
        (Some(5.0), Some(4))
    );
    assert_eq!(data["first"].as_array().map(Vec::len), Some(3));
    let run = plan(&["--out", "plan.txt"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("--out needs a planner that finds plans"),
        "{}",
        run.stderr
    );
    for (arguments, message) in [
        (
            &["plan", "rddl/elevators", "--planner", "lao"][..],
            "--planner lao supports only PDDL: for RDDL, use cross-entropy",
        ),
        (
            &["plan", "blocks", "--planner", "gradient"],
            "--planner gradient supports only RDDL",
        ),
        (
            &["plan", "rddl/cartpole-continuous", "--planner", "uct"],
            "takes infinitely many values, so joint actions cannot be numbered; use --planner cross-entropy",
        ),
    ] {
        let run = herbrand(arguments);
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

#[test]
fn a_new_plan_in_every_state_sees_what_a_fixed_one_cannot() {
    let scratch = lights("rddl-anew");
    let run = scratch.run(&[
        "plan",
        "--domain",
        "domain.txt",
        "--problem",
        "evening.txt",
        "--planner",
        "replan",
        "--horizon",
        "3",
        "--runs",
        "4",
    ]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let part = "\n; mean return 5.0000, standard error 0.0000: 4 episodes of 3 steps, horizon 9\n";
    assert!(run.stdout.contains(part), "{}", run.stdout);
}

#[test]
fn an_optimal_policy_is_found_for_a_small_problem() {
    let run = herbrand(&["plan", "rddl/sysadmin-mdp", "1", "--planner", "exact"]);
    let text = &run.stdout;
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{text}");
    let part = "; optimal: no policy has a greater mean than 177.3047, computed exactly over 32 states\n";
    assert!(text.contains(part), "{text}");
    let report = herbrand(&[
        "plan",
        "rddl/sysadmin-mdp",
        "1",
        "--planner",
        "exact",
        "--format",
        "json",
    ])
    .json();
    let number = |value: &Value| value.as_f64().unwrap();
    let gap =
        number(&report["optimum"]["mean_discounted_return"]) - number(&report["mean_discounted_return"]);
    assert!(gap.abs() < 5.0 * number(&report["standard_error"]), "{report}");
    for (words, message) in [
        (
            &["rddl/mountain-car", "--planner", "exact"][..],
            "joint actions cannot be numbered: use --planner replan",
        ),
        (
            &["rddl/sysadmin-mdp", "--optimal"],
            "--planner exact finds an optimal policy of a small problem",
        ),
        (
            &["blocks", "--planner", "exact"],
            "--planner exact supports only RDDL",
        ),
    ] {
        let run = herbrand(&[&["plan"], words].concat());
        assert_eq!(run.status, 2, "{words:?}");
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

#[test]
fn a_policy_is_kept_and_evaluated() {
    let scratch = shop("rddl-policy");
    let words = [
        "plan",
        "shop.rddl",
        "--planner",
        "reactive",
        "--rounds",
        "20",
        "--out",
        "net.policy",
    ];
    let run = scratch.run(&[&words[..], &["--format", "json", "--runs", "50"]].concat());
    assert_eq!(
        (run.status, run.stderr.as_str()),
        (0, "wrote net.policy, a policy\n")
    );
    let planned = run.json();
    assert!(planned["violated"].is_null(), "{planned}");
    let words = [
        "validate",
        "shop.rddl",
        "net.policy",
        "--episodes",
        "50",
        "--format",
        "json",
    ];
    let run = scratch.run(&words);
    let found = run.json();
    assert_eq!((run.status, &found["steps"]), (0, &4.into()), "{found}");
    // The same episodes: the policy acts as when it was trained.
    for key in ["mean_discounted_return", "standard_error"] {
        assert_eq!(found[key], planned[key], "{key}");
    }
    let run = scratch.run(&["rollout", "shop.rddl", "--plan", "net.policy"]);
    assert_eq!(run.status, 2);
    let part = "net.policy is a policy, not a plan: `herbrand validate` evaluates it";
    assert!(run.stderr.contains(part), "{}", run.stderr);
    scratch.write("tank.rddl", &format!("{TANK}{FULL}"));
    let run = scratch.run(&["validate", "tank.rddl", "net.policy"]);
    assert_eq!(run.status, 2);
    let part = "net.policy: the policy is for corner of shop, which has other fluents";
    assert!(run.stderr.contains(part), "{}", run.stderr);
    let text = scratch
        .read("net.policy")
        .replace("\"sizes\":[2,", "\"sizes\":[3,");
    scratch.write("net.policy", &text);
    assert_eq!(scratch.run(&["validate", "shop.rddl", "net.policy"]).status, 2);
}

#[test]
fn an_exact_policy_is_kept_and_evaluated() {
    let scratch = shop("rddl-exact-policy");
    scratch.write(
        "lever.rddl",
        "domain lever {
           types { side : object; };
           pvariables {
             up(side) : { state-fluent, bool, default = false };
             pull(side) : { action-fluent, bool, default = false };
           };
           cpfs { up'(?s) = if (pull(?s)) then Bernoulli(0.75) else up(?s) ^ Bernoulli(0.5); };
           reward = (sum_{?s : side} up(?s)) - 0.25 * (sum_{?s : side} pull(?s));
         }
         instance two { domain = lever; objects { side : { left, right }; }; max-nondef-actions = 1; horizon = 6; discount = 0.9; }",
    );
    let words = [
        "plan",
        "lever.rddl",
        "--planner",
        "exact",
        "--runs",
        "50",
        "--format",
        "json",
    ];
    let run = scratch.run(&[&words[..], &["--out", "best.policy"]].concat());
    assert_eq!(
        (run.status, run.stderr.as_str()),
        (0, "wrote best.policy, a policy\n")
    );
    let planned = run.json();
    let words = [
        "validate",
        "lever.rddl",
        "best.policy",
        "--episodes",
        "50",
        "--format",
        "json",
    ];
    let run = scratch.run(&words);
    let found = run.json();
    assert_eq!(
        (run.status, &found["steps"], &found["horizon"]),
        (0, &6.into(), &6.into()),
        "{found}"
    );
    for key in ["mean_discounted_return", "standard_error"] {
        assert_eq!(found[key], planned[key], "{key}");
    }
    // For another problem it is refused.
    let run = scratch.run(&["validate", "shop.rddl", "best.policy"]);
    let part = "best.policy: the policy is for two of lever, which has other fluents";
    assert!(run.status == 2 && run.stderr.contains(part), "{}", run.stderr);
    scratch.write("empty.policy", "{\"domain\":\"lever\",\"problem\":\"two\"}\n");
    let run = scratch.run(&["validate", "lever.rddl", "empty.policy"]);
    assert!(
        run.stderr.contains("the policy has no network and no table"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_step_without_a_result_has_no_optimal_policy() {
    let scratch = shop("rddl-exact-zero");
    scratch.write(
        "zero.rddl",
        "domain zero {
           pvariables {
             n : { state-fluent, int, default = 2 };
             go : { action-fluent, bool, default = false };
           };
           cpfs { n' = if (go) then div[4, n - 1] else n - 1; };
           reward = n;
         }
         instance i { domain = zero; horizon = 4; discount = 1.0; }",
    );
    let run = scratch.run(&["plan", "zero.rddl", "--planner", "exact"]);
    assert!(
        run.status == 2
            && run
                .stderr
                .contains("an int is divided by 0\nhelp: exact takes all steps from all states")
            && !run.stderr.contains("--planner uct"),
        "{}",
        run.stderr
    );
}

#[test]
fn uct_takes_the_time_that_it_is_given() {
    let scratch = lights("rddl-uct-time");
    let words = [
        "plan",
        "--domain",
        "domain.txt",
        "--problem",
        "evening.txt",
        "--planner",
        "uct",
    ];
    let help = herbrand(&["plan", "--help"]).stdout;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        help.contains("1000; for RDDL with --time, as many as fit into it"),
        "{help}"
    );
    // A tenth of a second for each of three decisions is enough for more walks than the default.
    let run = scratch.run(&[&words[..], &["--horizon", "3", "--runs", "1", "--time", "2"]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("; mean return 5.0000,"), "{}", run.stdout);
}

#[test]
fn a_policy_that_gains_nothing_is_warned_about() {
    let scratch = shop("rddl-idle-policy");
    let text = scratch.read("shop.rddl");
    let (from, to) = ("PRICE(?p) * sold(?p)", "0 * sold(?p)");
    assert!(text.contains(from));
    scratch.write(
        "shop.rddl",
        &text
            .replace(from, to)
            .replace("order(?p) <= 10", "order(?p) <= 2"),
    );
    for (planner, option, cure) in [
        (
            "reactive",
            ["--rounds", "1"],
            "try --planner uct, which selects an action in every state",
        ),
        (
            "uct",
            ["--iterations", "50"],
            "raise --iterations, or --time without it",
        ),
    ] {
        let run = scratch.run(&[
            "plan",
            "shop.rddl",
            "--planner",
            planner,
            "--runs",
            "3",
            option[0],
            option[1],
        ]);
        let warning = "warning: the policy is no better than doing nothing";
        assert!(
            run.stderr.starts_with(warning) && run.stderr.ends_with(&format!(": {cure}\n")),
            "{planner}: {}",
            run.stderr
        );
    }
}
