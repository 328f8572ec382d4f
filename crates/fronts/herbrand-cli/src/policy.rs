//! How the commands that walk choose their actions: `--policy` and `--plan`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use herbrand::core::RolloutPolicy;
use herbrand::env::{ActionMode, EngineKind};
use herbrand::limits::Limits;
use herbrand::tasks::AnyProblems;
use herbrand::tasks::rollout::{follow_plans, follow_policy};
use serde::Serialize;

use crate::failure::{Failure, refuse};
use crate::input;

/// The options that choose a policy.
#[derive(Args, Clone, Debug)]
pub struct PolicyArgs {
    /// The policy [default: random, or plan with --plan]: random, first, nothing, plan, or a file
    ///
    /// `random` is a uniformly random valid action; in RDDL, a uniformly random valid joint action. `first` is the first valid
    /// action, in order of declaration, then of objects. `nothing` takes no action in RDDL: every action fluent keeps its default;
    /// also `noop`. `plan` is the plan of --plan, or else the plan stored with each problem. Any other word is a policy file for a
    /// single problem that `herbrand plan --out` wrote: an episode ends in a state for which it has no valid action.
    #[arg(long, value_name = "POLICY|FILE")]
    policy: Option<PolicyWord>,

    /// A plan file to follow: one operator or agent action per line; in RDDL a file that `herbrand plan --out` wrote; `-` is
    /// standard input
    ///
    /// In PDDL, the plan ends at a step that is not valid. In RDDL, steps that violate an action precondition are taken and
    /// counted.
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
}

/// The value of `--policy`.
#[derive(Clone, PartialEq, Eq, Debug)]
enum PolicyWord {
    Name(PolicyName),
    File(PathBuf),
}

impl From<&str> for PolicyWord {
    fn from(word: &str) -> Self {
        let name = PolicyName::from_str(word, false);
        name.map_or_else(|_| Self::File(word.into()), Self::Name)
    }
}

/// A way to choose actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PolicyName {
    /// A uniformly random valid action; in RDDL a uniformly random valid joint action
    Random,
    /// The first valid action, in order of declaration, then of objects
    First,
    /// In RDDL, no action: every action fluent keeps its default; also `noop`
    #[value(alias = "noop")]
    Nothing,
    /// The plan of --plan, or else the plan stored with each problem
    Plan,
    /// The policy of a file
    #[value(skip)]
    File,
}

impl PolicyArgs {
    /// Returns the policy that the options choose, by name.
    pub fn name(&self) -> PolicyName {
        match (&self.plan, &self.policy) {
            (Some(_), _) => PolicyName::Plan,
            (None, None) => PolicyName::Random,
            (None, Some(PolicyWord::Name(name))) => *name,
            (None, Some(PolicyWord::File(_))) => PolicyName::File,
        }
    }

    /// Creates the policy for a set of problems; `domain` is the word on the command line that names the set.
    ///
    /// # Errors
    /// Fails if a plan is missing, faulty, or for one problem while there are several.
    pub fn policy(
        &self,
        domain: &str,
        problems: &AnyProblems,
        engine: EngineKind,
    ) -> Result<RolloutPolicy, Failure> {
        match self.known_part(domain, problems, engine)? {
            (policy, None) => Ok(policy),
            (_, Some(unknown)) => Err(unknown),
        }
    }

    /// Like [`policy`](Self::policy), but follows a plan with an unknown step up to that step. Returns the failure that
    /// names the step, if there is one.
    ///
    /// # Errors
    /// Fails like [`policy`](Self::policy), except at an unknown step.
    pub fn known_part(
        &self,
        domain: &str,
        problems: &AnyProblems,
        engine: EngineKind,
    ) -> Result<(RolloutPolicy, Option<Failure>), Failure> {
        let is_plan = |policy: &PolicyWord| *policy == PolicyWord::Name(PolicyName::Plan);
        if self.plan.is_some() && !self.policy.as_ref().is_none_or(is_plan) {
            return refuse("--plan needs --policy plan: write `--policy plan`, or leave --policy out");
        }
        if let Some(PolicyWord::File(path)) = &self.policy {
            if !path.exists() {
                let word = path.display();
                return refuse(format!(
                    "--policy takes random, first, nothing, plan or a file: there is no file {word}"
                ));
            }
            return Ok((follow_policy(problems, &input::read(path)?, engine)?, None));
        }
        match self.name() {
            PolicyName::Random | PolicyName::File => Ok((RolloutPolicy::Random, None)),
            PolicyName::First => Ok((RolloutPolicy::First, None)),
            PolicyName::Nothing => Ok((RolloutPolicy::Nothing, None)),
            PolicyName::Plan => self.plans(domain, problems, engine),
        }
    }

    /// The policy that follows plans up to the first unknown step, and the failure that names it.
    fn plans(
        &self,
        domain: &str,
        problems: &AnyProblems,
        engine: EngineKind,
    ) -> Result<(RolloutPolicy, Option<Failure>), Failure> {
        let opener = input::opener(ActionMode::Declared, Limits::default());
        let plans = match &self.plan {
            Some(path) if problems.len() == 1 => vec![input::read(path)?],
            Some(_) => return Err(one_problem("--plan")),
            None => (0..problems.len())
                .map(|index| opener.stored_plan(domain, problems, index, " with --plan FILE"))
                .collect::<Result<_, _>>()?,
        };
        let (policy, unknown) = follow_plans(problems, &plans, engine)?;
        Ok((policy, unknown.map(Failure::from)))
    }

    /// Returns whether the options name a plan file, which is for one problem only.
    pub fn has_plan(&self) -> bool {
        self.plan.is_some()
    }
}

/// Returns the failure of an option that applies to a single problem, when several are given.
pub fn one_problem(option: &str) -> Failure {
    Failure::OneProblem(option.to_owned())
}
