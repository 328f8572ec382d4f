//! How the commands that walk choose their actions: `--policy` and `--plan`.

use std::path::PathBuf;

use clap::Args;
use herbrand::core::RolloutPolicy;
use herbrand::env::{ActionMode, EngineKind};
use herbrand::limits::Limits;
use herbrand::tasks::AnyProblems;
use herbrand::tasks::rollout::follow_plans;
use serde::Serialize;

use crate::failure::{Failure, refuse};
use crate::input;

/// The options that choose a policy.
#[derive(Args, Clone, Debug)]
pub struct PolicyArgs {
    /// The policy [default: random, or plan with --plan]
    #[arg(long, value_name = "POLICY", value_enum)]
    policy: Option<PolicyName>,

    /// A plan file to follow: one operator or agent action per line; in RDDL a file that `herbrand plan --out` wrote; `-` is
    /// standard input
    ///
    /// In PDDL, the plan ends at a step that is not valid. In RDDL, steps that violate an action precondition are taken and
    /// counted.
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
}

/// A way to choose actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum, Serialize)]
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
}

impl PolicyArgs {
    /// Returns the policy that the options choose, by name.
    pub fn name(&self) -> PolicyName {
        match self.plan {
            Some(_) => PolicyName::Plan,
            None => self.policy.unwrap_or(PolicyName::Random),
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
        if self.plan.is_some() && self.policy.is_some_and(|policy| policy != PolicyName::Plan) {
            return refuse("--plan needs --policy plan: write `--policy plan`, or leave --policy out");
        }
        match self.name() {
            PolicyName::Random => Ok((RolloutPolicy::Random, None)),
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
    pub fn has_file(&self) -> bool {
        self.plan.is_some()
    }
}

/// Returns the failure of an option that applies to a single problem, when several are given.
pub fn one_problem(option: &str) -> Failure {
    Failure::OneProblem(option.to_owned())
}
