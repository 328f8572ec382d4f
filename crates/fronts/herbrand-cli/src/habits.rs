//! Options and planner names of other tools, and their equivalents here.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Options of other planners, validators and simulators, each with the equivalent here.
const OPTIONS: [(&[&str], &str); 9] = [
    (
        &["--search", "--alias", "--heuristic", "--evaluator", "--driver"],
        "`--planner NAME` names the search and its heuristic: `--planner astar-lmcut` is `astar(lmcut())`, `--planner landmarks` is `lama-first`; `herbrand plan --help` lists all",
    ),
    (
        &["--plan-file", "--sas-plan", "--output-file"],
        "`--out FILE` writes the plan",
    ),
    (
        &[
            "--overall-time-limit",
            "--search-time-limit",
            "--max-search-time",
            "--time-limit",
            "--timeout",
        ],
        "`--time SECONDS` limits the time",
    ),
    (
        &[
            "--overall-memory-limit",
            "--search-memory-limit",
            "--memory-limit",
        ],
        "`--memory SIZE` limits the memory, such as 2GiB",
    ),
    (
        &["--sas-file", "--sas", "--translate"],
        "`herbrand ground --out FILE.json` writes the ground task; there is no SAS+ output",
    ),
    (
        &["--validate"],
        "`herbrand validate DOMAIN PROBLEM PLAN` checks a plan; `herbrand plan` checks its own",
    ),
    (
        &["--num-episodes", "--n-episodes", "--n_episodes"],
        "`--episodes N` sets the number of episodes",
    ),
    (
        &["--max-steps", "--max-episode-steps", "--horizon"],
        "`--steps N` limits the length of an episode",
    ),
    (
        &["--num-envs", "--n-envs", "--num_envs"],
        "`--envs N` sets the number of environments",
    ),
];

/// Returns the error for an unknown option, with advice instead of clap's guess if another tool has the option.
#[must_use]
pub fn answered(mut error: clap::Error) -> clap::Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let option = option.split('=').next().unwrap_or_default();
    let ours = OPTIONS.iter().find(|(theirs, _)| theirs.contains(&option));
    if let Some((_, tip)) = ours {
        let tips = vec![StyledStr::from(*tip)];
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Usage);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
    error
}

/// Herbrand's names of searches, each with the names that other planners use.
pub const PLANNERS: [(&str, &[&str]); 7] = [
    ("landmarks", &["lama-first"]),
    ("anytime", &["lama"]),
    ("hill-climbing", &["ff", "ehc"]),
    ("eager", &["gbfs", "eager-greedy", "eager_greedy"]),
    ("lazy", &["lazy-greedy", "lazy_greedy"]),
    ("width", &["bfws"]),
    (
        "astar-lmcut",
        &["lmcut", "astar(lmcut())", "astar(lmcut)", "seq-opt-lmcut"],
    ),
];

/// Returns the names that other planners have for Herbrand's search `name`; empty if there are none.
#[must_use]
pub fn other_names(name: &str) -> &'static [&'static str] {
    let ours = PLANNERS.iter().find(|(ours, _)| *ours == name);
    ours.map_or(&[], |(_, theirs)| theirs)
}

/// Returns Herbrand's name of a search that other planners may name differently.
#[must_use]
pub fn our_name(name: &str) -> &str {
    let ours = PLANNERS.iter().find(|(_, theirs)| theirs.contains(&name));
    ours.map_or(name, |(ours, _)| ours)
}

#[cfg(test)]
mod tests {
    use std::str::FromStr as _;

    use herbrand::plan::PlannerKind;

    use super::*;

    #[test]
    fn names_of_other_planners_mean_a_search_of_ours() {
        for (ours, theirs) in PLANNERS {
            assert!(PlannerKind::from_str(ours).is_ok(), "{ours}");
            for name in theirs {
                assert_eq!(our_name(name), ours);
            }
        }
    }
}
