//! Plans and policies: properties of planners. The page `rddl-plan.md` has the rest.

use serde_json::Value;

use super::{DOMAIN, lights, shop, tank};
use crate::run::{Scratch, herbrand};

/// A plan has the return and the violations that its planner reported.
#[test]
fn a_plan_is_rolled_out_drawn_and_evaluated() {
    let scratch = shop("rddl-replan");
    let json = |line: &str, status: i32| {
        let run = scratch.shell(&format!("herbrand {line} --format json"));
        assert_eq!(run.status, status, "{}", run.stderr);
        run.json()
    };
    let planned = json("plan shop.rddl --lookahead 3 --out plan.txt", 0)["mean_discounted_return"].as_f64();
    let planned = planned.expect("a number");
    // The planner takes the risk that little is left in the third step.
    let paid = json("validate shop.rddl plan.txt --episodes 4000 --seed 4000", 1);
    let violated = &paid["violated"];
    assert_eq!(
        (&paid["steps"], &violated["precondition"]),
        (&3.into(), &2.into())
    );
    let episodes = violated["episodes"].as_u64();
    assert!(episodes.is_some_and(|count| (1..2000).contains(&count)), "{paid}");
    let found = paid["mean_discounted_return"].as_f64().expect("a number");
    // Their standard errors are about 0.1 and 0.05.
    assert!((found - planned).abs() < 0.6, "{found}, planned {planned}");
    let row = json("rollout shop.rddl --plan plan.txt --episodes 4000", 0)["rows"][0].clone();
    assert_eq!(row["steps"], 12_000, "{row}");
    let mean = row["mean_return"].as_f64().expect("a number");
    assert!((found - mean).abs() < 0.4, "{found}, rolled out {mean} in {row}");
    let run = scratch.shell("herbrand render shop.rddl --plan plan.txt --out walk.html");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(scratch.read("walk.html").contains("step 3, return"));
}

/// The gain over random actions is the difference of the means.
#[test]
fn random_actions_have_a_gain() {
    let scratch = lights("rddl-compared");
    scratch.write(
        "evening.txt",
        super::EVENING
            .lines()
            .take(2)
            .collect::<Vec<_>>()
            .join("\n")
            .as_str(),
    );
    let found = scratch
        .shell("herbrand plan domain.txt evening.txt --lookahead 3 --format json")
        .json();
    let random = &found["random"];
    let number = |value: &Value| value.as_f64().expect("a number");
    let (mean, gain) = (number(&random["mean_discounted_return"]), number(&random["gain"]));
    assert!(
        (3.5..4.9).contains(&mean) && (mean + gain - 5.0).abs() < 1e-9,
        "{found}"
    );
    assert!(random["gain_error"].as_f64() > Some(0.0), "{found}");
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
    for row in [
        "gradient --t-norm product --scenarios 8 --risk cvar:0.5 => gradient",
        "gradient --t-norm godel --scenarios 8 --risk cvar:0.5 => gradient",
        "gradient --t-norm lukasiewicz --scenarios 8 --risk cvar:0.5 => gradient",
        "gradient --replan --lookahead 3 --runs 2 => gradient --replan",
        "auto --replan --rate 0.2 --sharpness 5 --runs 2 => auto --replan",
        "reactive --hidden 8 --runs 2 => reactive",
        "replan --runs 2 => replan",
    ] {
        let (planner, name) = row.split_once(" => ").expect("an arrow");
        let run = scratch.shell(&format!(
            "herbrand plan . full --rounds 20 --format json --planner {planner}"
        ));
        assert_eq!(run.status, 0, "{planner}: {}", run.stderr);
        let report = run.json();
        assert_eq!(report["planner"].as_str().unwrap_or_default(), name);
        let mean = report["mean_discounted_return"].as_f64();
        assert!(
            mean > Some(0.0) || (mean == Some(0.0) && row.contains("--runs")),
            "{planner}: {report}"
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

/// The mean return of an optimal policy is the optimum, up to the standard error.
#[test]
fn an_optimal_policy_pays_the_optimum() {
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
    let number = |value: &Value| value.as_f64().expect("a number");
    let gap =
        number(&report["optimum"]["mean_discounted_return"]) - number(&report["mean_discounted_return"]);
    assert!(gap.abs() < 5.0 * number(&report["standard_error"]), "{report}");
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
    let help = herbrand(&["plan", "--help"]).stdout;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        help.contains("1000; for RDDL with --time, as many as fit into it"),
        "{help}"
    );
    // A tenth of a second for each of three decisions is enough for more walks than the default.
    let run =
        scratch.shell("herbrand plan domain.txt evening.txt --planner uct --horizon 3 --runs 1 --time 2");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("; mean return 5.0000,"), "{}", run.stdout);
}
