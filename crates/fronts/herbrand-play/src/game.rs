//! A problem that is played, in any language.

use herbrand_limits::Budget;

use crate::catalogue::RDDL;
use crate::planning::PlanningGame;
use crate::process::ProcessGame;
use crate::refusal::Refusal;
use crate::reply::{PositionView, Reply};
use crate::request::{JointTexts, ProblemName, WalkPosition};
use crate::{Language, RequestLimits};

pub(crate) enum Game {
    Planning(Box<PlanningGame>),
    Process(Box<ProcessGame>),
}

/// Returns the language of a problem.
pub(crate) fn language(name: &ProblemName) -> Language {
    match name {
        ProblemName::Bundled { domain, .. } if domain.starts_with(RDDL) => Language::Rddl,
        ProblemName::Bundled { .. } => Language::Pddl,
        ProblemName::Texts { texts } => Language::of(&texts.domain),
    }
}

impl Game {
    pub(crate) fn open(name: &ProblemName, allowance: &RequestLimits) -> Result<Self, Refusal> {
        Ok(match language(name) {
            Language::Pddl => Self::Planning(Box::new(PlanningGame::open(name, allowance)?)),
            Language::Rddl => Self::Process(Box::new(ProcessGame::open(name, allowance)?)),
        })
    }

    /// Moves the walk to a position of this problem.
    pub(crate) fn go(&mut self, position: &WalkPosition, allowance: &RequestLimits) -> Result<(), Refusal> {
        let (seed, walk) = (position.seed, &position.walk);
        if walk.len() > allowance.steps {
            let most = allowance.steps;
            return Err(Refusal::limit(format!(
                "a walk can have at most {most} steps here"
            )));
        }
        let budget = Budget::new(allowance.limits);
        match self {
            Self::Planning(game) => game.walk.go(seed, walk, &budget),
            Self::Process(game) => game.walk.go(seed, walk, &budget),
        }
    }

    /// Returns the approximate size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Planning(game) => game.bytes(),
            Self::Process(game) => game.bytes(),
        }
    }

    pub(crate) fn view(&self, allowance: &RequestLimits) -> PositionView {
        match self {
            Self::Planning(game) => game.view(allowance),
            Self::Process(game) => game.view(allowance),
        }
    }

    pub(crate) fn why_not(&self, joint: &JointTexts) -> Option<String> {
        match self {
            Self::Planning(game) => game.why_not(joint),
            Self::Process(game) => game.walk.why_not(joint),
        }
    }

    pub(crate) fn plan(&self, seed: u64, allowance: &RequestLimits) -> Result<Reply, Refusal> {
        match self {
            Self::Planning(game) => game.plan(allowance),
            Self::Process(game) => game.plan(seed, allowance),
        }
    }
}
