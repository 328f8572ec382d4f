//! The options of `plan`, each declared once for all fronts.

use herbrand_plan::PolicyKind;
use herbrand_rddl_plan::gradient::TNorm;
use herbrand_rddl_plan::plan::Risk;
use herbrand_rddl_plan::planners::RddlPlannerKind;

use crate::failure::TaskFailure;
use crate::options::OptionValues::{Count, Counts, Flag, Positive, Text, Words};
use crate::options::{OptionError, OptionSpec, OptionValues, any_text, at_least};
use crate::planners::AnyPlanner;

const N: OptionValues = at_least("N", 0);
const ONE: OptionValues = at_least("N", 1);
const POLICIES: &str = "Policies";
const RDDL: &str = "Options for RDDL";

/// The options of [`PlanQuery`](super::PlanQuery), one for each field.
pub(super) const PLAN_OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "planner",
        values: Text("PLANNER", any_text),
        heading: "",
        help: "The planner [default: landmarks, or cross-entropy for RDDL]",
        fits: |planner| planner != AnyPlanner::External,
    },
    OptionSpec {
        name: "external",
        values: Text("COMMAND", external),
        heading: "",
        help: "The command of an external planner, with {domain} and {problem} for its input files and {plan} for its output \
               file; without {plan}, the plan is read from its output",
        fits: |planner| planner == AnyPlanner::External,
    },
    OptionSpec {
        name: "optimal",
        values: Flag,
        heading: "",
        help: "Find a plan of least cost by astar-lmcut; unlike --planner astar-lmcut, refuse a metric by which no optimum can be \
               proven",
        fits: is_search,
    },
    OptionSpec {
        name: "h2",
        values: Flag,
        heading: "",
        help: "Search without the operators that pairs of facts which exclude each other (h²) show to be in no plan: slower to \
               prepare, and faster to search where there are many",
        fits: is_search,
    },
    OptionSpec {
        name: "determinize",
        values: Words(
            "HOW",
            &[
                ("all-outcomes", "the agent chooses among all outcomes"),
                ("most-likely", "every action has its most likely outcome"),
            ],
        ),
        heading: "",
        help: "How plans treat random outcomes [default: all-outcomes]",
        fits: is_pddl,
    },
    OptionSpec {
        name: "runs",
        values: ONE,
        heading: POLICIES,
        help: "The number of runs of the policy [default: 30]",
        fits: is_acting,
    },
    OptionSpec {
        name: "horizon",
        values: N,
        heading: POLICIES,
        help: "Maximum number of steps per run [default: 1000]",
        fits: is_acting,
    },
    OptionSpec {
        name: "iterations",
        values: ONE,
        heading: POLICIES,
        help: "The number of walks that UCT samples before each action [default: 1000; for RDDL with --time, as many as fit into \
               it]",
        fits: is_uct,
    },
    OptionSpec {
        name: "rollouts",
        values: ONE,
        heading: POLICIES,
        help: "For uct, evaluate each new state by N random roll-outs up to the goal; from 64 on, they are made together \
               [default: by the length of a relaxed plan]",
        fits: |planner| planner == AnyPlanner::Policy(PolicyKind::Uct),
    },
    OptionSpec {
        name: "exact",
        values: Flag,
        heading: POLICIES,
        help: "Compute the exact value of the policy of uct or replan, over all states that it reaches",
        fits: is_policy,
    },
    OptionSpec {
        name: "table",
        values: Count {
            word: "N",
            least: 1,
            missing: Some("100"),
        },
        heading: POLICIES,
        help: "Print a table of the first N states [default: 100] with the policy's action, the probability of reaching the goal \
               and the expected cost, instead of the steps of a run. The states are all that can be reached (value-iteration, the \
               default planner with --table, and policy-iteration), or those that the policy reaches",
        fits: is_policy,
    },
    OptionSpec {
        name: "values",
        values: Flag,
        heading: POLICIES,
        help: "With --table, a row for each valid action of a state: the values if it is taken first and the policy followed then",
        fits: is_policy,
    },
    OptionSpec {
        name: "lookahead",
        values: at_least("STEPS", 0),
        heading: RDDL,
        help: "The number of steps of a plan, or of uct's lookahead [default: the horizon, or 100 if that is infinite; 10 with \
               --replan]",
        fits: |planner| is_rddl(planner) && planner != AnyPlanner::Acting(RddlPlannerKind::Exact),
    },
    OptionSpec {
        name: "candidates",
        values: N,
        heading: RDDL,
        help: "The number of plans that are drawn or improved together; not for auto [default: 256, or 8 for gradient]",
        fits: |planner| {
            is_any_of(
                planner,
                &[
                    RddlPlannerKind::CrossEntropy,
                    RddlPlannerKind::RandomShooting,
                    RddlPlannerKind::Gradient,
                ],
            )
        },
    },
    OptionSpec {
        name: "rounds",
        values: N,
        heading: RDDL,
        help: "The number of rounds: draws, gradient steps, or turns of auto [default: 10, 200 for gradient, 8 for auto; with \
               --time, as many draws or gradient steps as fit into it]",
        fits: |planner| is_line(planner) || is_reactive(planner),
    },
    OptionSpec {
        name: "scenarios",
        values: ONE,
        heading: RDDL,
        help: "The number of random scenarios on which each plan is tried, or of roll-outs per gradient of reactive [default: 4, \
               16 for reactive]",
        fits: |planner| is_line(planner) || is_reactive(planner),
    },
    OptionSpec {
        name: "risk",
        values: Text("OBJECTIVE", check::<Risk>),
        heading: RDDL,
        help: "The objective over the returns of the scenarios: mean; entropic:B or mean-variance:B with an aversion B; cvar:F, \
               the mean of the worst fraction F [default: mean]",
        fits: |planner| is_line(planner) || is_reactive(planner),
    },
    OptionSpec {
        name: "replan",
        values: Flag,
        heading: RDDL,
        help: "Plan again in every state, as long as the plans have steps (a rolling horizon)",
        fits: is_line,
    },
    OptionSpec {
        name: "t-norm",
        values: Text("NORM", check::<TNorm>),
        heading: RDDL,
        help: "For gradients, the conjunction of truth degrees: product, godel or lukasiewicz [default: product]",
        fits: has_gradients,
    },
    OptionSpec {
        name: "rate",
        values: Positive,
        heading: RDDL,
        help: "For gradients, the learning rate [default: 0.1, 0.01 for reactive]",
        fits: has_gradients,
    },
    OptionSpec {
        name: "sharpness",
        values: Positive,
        heading: RDDL,
        help: "For gradients, the sharpness of the smooth functions: the greater, the closer to the real steps, and the steeper \
               [default: 10, after a rise from 1 for gradient]",
        fits: has_gradients,
    },
    OptionSpec {
        name: "hidden",
        values: Counts("UNITS"),
        heading: RDDL,
        help: "The units in each hidden layer of reactive's network [default: 32,32]",
        fits: is_reactive,
    },
];

#[cfg(feature = "external")]
fn external(text: &str) -> Result<(), OptionError> {
    check::<herbrand_plan::ExternalCommand>(text)
}

#[cfg(not(feature = "external"))]
fn external(_: &str) -> Result<(), OptionError> {
    Err(OptionError::of("other programs are not available here"))
}

fn check<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> Result<(), OptionError> {
    text.parse::<T>().map(drop).map_err(OptionError::of)
}

fn is_search(planner: AnyPlanner) -> bool {
    matches!(planner, AnyPlanner::Search(_))
}

fn is_policy(planner: AnyPlanner) -> bool {
    matches!(planner, AnyPlanner::Policy(_))
}

fn is_pddl(planner: AnyPlanner) -> bool {
    is_search(planner) || is_policy(planner)
}

fn is_rddl(planner: AnyPlanner) -> bool {
    matches!(planner, AnyPlanner::Line(_) | AnyPlanner::Acting(_))
}

fn is_acting(planner: AnyPlanner) -> bool {
    is_policy(planner) || matches!(planner, AnyPlanner::Acting(_))
}

fn is_uct(planner: AnyPlanner) -> bool {
    use AnyPlanner::{Acting, Policy};
    matches!(planner, Policy(PolicyKind::Uct) | Acting(RddlPlannerKind::Uct))
}

fn is_any_of(planner: AnyPlanner, kinds: &[RddlPlannerKind]) -> bool {
    match planner {
        AnyPlanner::Line(kind) | AnyPlanner::Acting(kind) => kinds.contains(&kind),
        _ => false,
    }
}

fn is_line(planner: AnyPlanner) -> bool {
    use RddlPlannerKind::{Auto, CrossEntropy, Gradient, RandomShooting};
    is_any_of(planner, &[CrossEntropy, RandomShooting, Gradient, Auto])
}

fn is_reactive(planner: AnyPlanner) -> bool {
    planner == AnyPlanner::Acting(RddlPlannerKind::Reactive)
}

fn has_gradients(planner: AnyPlanner) -> bool {
    is_any_of(planner, &[RddlPlannerKind::Gradient, RddlPlannerKind::Auto]) || is_reactive(planner)
}

/// Returns the failure of an option that does not go with a planner: the language or the planners that it needs.
pub(super) fn misfit(spec: &OptionSpec, planner: AnyPlanner) -> TaskFailure {
    let fit = |planners: Vec<AnyPlanner>| planners.into_iter().filter(|&one| (spec.fits)(one));
    let (here, there) = if is_rddl(planner) {
        (AnyPlanner::of_rddl().collect(), "PDDL")
    } else {
        (AnyPlanner::of_pddl().collect(), "RDDL")
    };
    let here: Vec<_> = fit(here).collect();
    let names: Vec<_> = here.iter().map(|one| one.name()).collect();
    TaskFailure::Option {
        option: spec.name,
        advice: match names.as_slice() {
            _ if planner == AnyPlanner::External => "does not go with --external".to_owned(),
            [] if spec.name == "optimal" => {
                "supports only PDDL: in RDDL, --planner exact finds an optimal policy of a small problem"
                    .to_owned()
            }
            [] => format!("supports only {there}"),
            [name] => format!("needs --planner {name}"),
            _ if here.iter().all(|&one| is_search(one)) => "needs a planner that finds plans".to_owned(),
            names if here.iter().all(|&one| is_policy(one)) => {
                format!("needs a planner that finds policies: {}", names.join(", "))
            }
            names if here.iter().all(|&one| is_acting(one)) => {
                format!("needs a planner that acts in every state: {}", names.join(", "))
            }
            names => format!("needs another planner: {}", names.join(", ")),
        },
    }
}
