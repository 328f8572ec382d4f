//! Options, commands and planner names of other tools and of earlier versions, and their equivalents here.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::problems::is_domain;

/// Options of other planners, validators and simulators, and of earlier versions, each with the equivalent here.
const OPTIONS: [(&[&str], &str); 11] = [
    (
        &["--search", "--alias", "--heuristic", "--evaluator", "--driver"],
        "`herbrand plan --planner NAME` names the search and its heuristic: `--planner astar-lmcut` is `astar(lmcut())`, `--planner landmarks` is `lama-first`; `herbrand plan --help` lists all",
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
        &["--plan"],
        "`herbrand rollout DOMAIN PROBLEM --plan FILE --record TRACE` follows a plan and records it; `render` and `validate` take --plan or a plan file",
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
    (
        &["--peer", "--figures", "--report", "--corpus", "--markdown"],
        "`python3 benches/peers/bundled.py` in Herbrand's repository compares the bundled domains with other packages",
    ),
];

/// Commands of other tools and of earlier versions, and words for them, each with the equivalent here.
const COMMANDS: [(&[&str], &str); 8] = [
    (
        &["translate", "preprocess", "instantiate"],
        "`herbrand ground DOMAIN PROBLEM` grounds a problem; with `--out FILE.json` it writes the ground task (there is no SAS+ output)",
    ),
    (
        &["solve", "search", "planner", "optimize", "optimise"],
        "`herbrand plan DOMAIN PROBLEM` searches for a plan, with `--optimal` for one of least cost",
    ),
    (
        &["val", "verify"],
        "`herbrand validate DOMAIN PROBLEM PLAN` checks a plan",
    ),
    (
        &["simulate", "run", "step", "walk", "sample"],
        "`herbrand rollout DOMAIN PROBLEM` runs a policy; `herbrand show DOMAIN PROBLEM --actions ACTIONS` takes actions",
    ),
    (
        &["parse", "lint", "parser"],
        "`herbrand check FILES` parses files and reports all errors",
    ),
    (
        &["draw", "plot", "visualize", "visualise", "view"],
        "`herbrand render DOMAIN PROBLEM --out FILE.svg` draws a state",
    ),
    (
        &["study"],
        "`python3 benches/study.py` in Herbrand's repository measures how hard the bundled domains are",
    ),
    (&["train", "rl"], "`herbrand learn DOMAIN` learns a policy"),
];

/// Replaces clap's guess for an option or a command that another tool has, and for a domain in place of a command.
#[must_use]
pub fn answered(mut error: clap::Error) -> clap::Error {
    let (word, ours, guess) = match error.kind() {
        ErrorKind::UnknownArgument => (ContextKind::InvalidArg, &OPTIONS[..], ContextKind::SuggestedArg),
        ErrorKind::InvalidSubcommand => (
            ContextKind::InvalidSubcommand,
            &COMMANDS[..],
            ContextKind::SuggestedSubcommand,
        ),
        _ => return error,
    };
    let Some(ContextValue::String(word)) = error.get(word) else {
        return error;
    };
    let name = word.split('=').next().unwrap_or_default();
    let ours = ours.iter().find(|(theirs, _)| theirs.contains(&name));
    let tip = match ours {
        Some((_, tip)) => (*tip).to_owned(),
        None if error.kind() == ErrorKind::InvalidSubcommand && is_domain(word) => {
            format!("a command comes first, such as `herbrand plan {word}` or `herbrand show {word}`")
        }
        None => return error,
    };
    let tips = vec![StyledStr::from(tip)];
    error.remove(guess);
    error.remove(ContextKind::Usage);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
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
        &[
            "lmcut",
            "optimal",
            "astar",
            "astar(lmcut())",
            "astar(lmcut)",
            "seq-opt-lmcut",
        ],
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
    fn no_command_of_another_tool_is_one_of_ours() {
        let ours = <crate::cli::Cli as clap::CommandFactory>::command();
        for name in COMMANDS.iter().flat_map(|(theirs, _)| *theirs) {
            assert!(ours.find_subcommand(name).is_none(), "{name}");
        }
    }

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
