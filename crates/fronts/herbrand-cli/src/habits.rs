//! Options, commands and planner names of other tools, and their equivalents here.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use herbrand::text::nearest;

use herbrand::tasks::open::is_domain;

/// Options of other planners, validators and simulators, each with the equivalent here.
const OPTIONS: [(&[&str], &str); 16] = [
    (
        &["--search", "--alias", "--heuristic", "--evaluator", "--driver"],
        "`herbrand plan --planner NAME` names the search and its heuristic: `--planner astar-lmcut` is `astar(lmcut())`, `--planner landmarks` is `lama-first`; `herbrand plan --help` lists all",
    ),
    (
        &["--plan-file", "--sas-plan", "--output-file", "--output"],
        "`--out FILE` writes the plan, or another result",
    ),
    (
        &[
            "--overall-time-limit",
            "--search-time-limit",
            "--max-search-time",
            "--time-limit",
            "--timeout",
            "--max-time",
            "--max_time",
        ],
        "`--time SECONDS` limits the time",
    ),
    (
        &["-t"],
        "`--time SECONDS` limits the time; there is no tolerance of VAL: numbers are compared exactly",
    ),
    (
        &["--random-seed", "--random_seed", "--rng-seed"],
        "`--seed N` sets the random seed",
    ),
    (
        &["--cost-type", "--cost_type"],
        "there is no such option: plans are judged by the metric of the problem, or by their length if it has none",
    ),
    (
        &["--num-plans", "--num_plans", "--number-of-plans"],
        "there is no such option: one plan is found; `--planner anytime` looks for cheaper ones until --time is over",
    ),
    (
        &["-v", "--verbose", "--verbosity"],
        "there is no such option: reports are always complete, and `--format json` has all figures",
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
        "`herbrand rollout DOMAIN PROBLEM --plan FILE --record TRACE` follows a plan and records it; `render` takes --plan, and `validate` takes the plan file after the problem",
    ),
    (
        &["--actions"],
        "`herbrand show DOMAIN PROBLEM --actions ACTIONS` takes actions; `render` draws the steps of a plan file with --plan FILE",
    ),
    (
        &["--sas-file", "--sas", "--translate"],
        "`herbrand translate DOMAIN PROBLEM --out FILE.sas` writes a finite-domain task (SAS+)",
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

/// Commands of other tools, and words for them, each with the equivalent here.
const COMMANDS: [(&[&str], &str); 7] = [
    (
        &["preprocess", "instantiate", "sas"],
        "`herbrand translate DOMAIN PROBLEM --out FILE.sas` writes a finite-domain task (SAS+)",
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
        &["train", "rl"],
        "no command trains policies: `herbrand.make` and `make_vec` in Python are environments for any trainer, and `herbrand learn DOMAIN` learns action models",
    ),
];

/// Words in the names of heuristics of other planners that have no counterpart here.
const MISSING_HEURISTICS: [&str; 8] = [
    "pdb",
    "pattern",
    "merge",
    "cegar",
    "cartesian",
    "cpdbs",
    "operatorcounting",
    "seq-opt",
];

/// Replaces clap's guess for an option, a command or a planner that another tool has, and for a domain in place of a command.
#[must_use]
pub fn answered(mut error: clap::Error) -> clap::Error {
    let (word, ours, guess) = match error.kind() {
        ErrorKind::UnknownArgument => (ContextKind::InvalidArg, &OPTIONS[..], ContextKind::SuggestedArg),
        ErrorKind::InvalidSubcommand => (
            ContextKind::InvalidSubcommand,
            &COMMANDS[..],
            ContextKind::SuggestedSubcommand,
        ),
        ErrorKind::InvalidValue => (ContextKind::InvalidValue, &[][..], ContextKind::SuggestedValue),
        _ => return error,
    };
    let Some(ContextValue::String(word)) = error.get(word) else {
        return error;
    };
    if let Some(ContextValue::Strings(similar)) = error.get(guess)
        && let Some(meant) = nearest(word, similar.iter().map(String::as_str))
    {
        let meant = vec![meant.to_owned()];
        error.insert(guess, ContextValue::Strings(meant));
        return error;
    }
    let name = word.split('=').next().unwrap_or_default();
    let ours = ours.iter().find(|(theirs, _)| theirs.contains(&name));
    let tip = match (ours, error.kind()) {
        (Some((_, tip)), _) => (*tip).to_owned(),
        (None, ErrorKind::InvalidSubcommand) if is_domain(word) => {
            format!("a command comes first, such as `herbrand plan {word}` or `herbrand show {word}`")
        }
        (None, ErrorKind::InvalidValue) if is_missing_planner(&error, word) => {
            "there are no pattern databases, abstractions or linear programs here; astar-lmcut is the strongest optimal planner"
                .to_owned()
        }
        (None, ErrorKind::InvalidValue) if is_planner(&error) && word.to_lowercase().starts_with("astar(") => {
            "A* takes heuristics that prove the optimum: astar-lmcut, astar-max or astar-blind; eager and lazy search by h^FF, and \
             additive by h^add"
                .to_owned()
        }
        _ => return error,
    };
    let tips = vec![StyledStr::from(tip)];
    error.remove(guess);
    error.remove(ContextKind::Usage);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    error
}

/// Returns whether a word for `--planner` names an optimal search of another planner that has no counterpart here.
fn is_missing_planner(error: &clap::Error, word: &str) -> bool {
    let word = word.to_lowercase();
    is_planner(error)
        && MISSING_HEURISTICS
            .iter()
            .any(|heuristic| word.contains(heuristic))
}

/// Returns whether an error is about the value of `--planner`.
fn is_planner(error: &clap::Error) -> bool {
    let option = error.get(ContextKind::InvalidArg);
    matches!(option, Some(ContextValue::String(option)) if option.starts_with("--planner "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_command_of_another_tool_is_one_of_ours() {
        let ours = <crate::cli::Cli as clap::CommandFactory>::command();
        for name in COMMANDS.iter().flat_map(|(theirs, _)| *theirs) {
            assert!(ours.find_subcommand(name).is_none(), "{name}");
        }
    }
}
