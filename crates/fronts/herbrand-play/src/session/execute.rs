//! Plans that somebody wrote, executed.

use herbrand_verbalize::WrittenStep;

use super::{Session, unreadable};
use crate::opened::within;
use crate::refusal::{Reason, Refusal};
use crate::session_reply::PlanCheck;
use herbrand_tasks::walk::EpisodeStatus;

/// The maximum length of a plan to validate, in bytes.
const LONGEST_PLAN: usize = 1 << 20;

impl Session {
    /// Executes a plan from the initial state. [`ReplyReader::plan`](herbrand_verbalize::ReplyReader::plan) says how it may be
    /// written. The session does not change.
    ///
    /// # Errors
    /// Fails if the plan is too long, or a limit is reached.
    pub fn validate(&self, plan: &str) -> Result<PlanCheck, Refusal> {
        within(&self.allowance, || self.executed(plan).map(|(_, check)| check))
    }

    /// Executes a plan like [`validate`](Self::validate), and also returns a session after the steps that can be taken.
    ///
    /// # Errors
    /// Fails if the plan is too long, or a limit is reached.
    pub fn execute(&self, plan: &str) -> Result<(Self, PlanCheck), Refusal> {
        within(&self.allowance, || {
            let (mut trial, check) = self.executed(plan)?;
            trial.game.walk.describe_last()?;
            Ok((trial, check))
        })
    }

    /// Executes a plan. The facts that its last step changed are not known.
    fn executed(&self, plan: &str) -> Result<(Self, PlanCheck), Refusal> {
        if plan.len() > LONGEST_PLAN {
            return Err(Refusal::limit(format!("a plan has at most {LONGEST_PLAN} bytes")));
        }
        let mut trial = self.fork(self.position.seed)?;
        let reads = |text: &str| self.read_action(text).is_ok() || self.wording().is_meant(text);
        let steps = self.replies(&reads).plan(plan);
        let (mut fault, mut readable) = (None, 0);
        for WrittenStep { line, text } in &steps {
            let read = trial.read_action(text).map_err(unreadable);
            readable += usize::from(read.is_ok());
            if fault.is_some() {
                continue;
            }
            match read.and_then(|joint| trial.advance(joint, false)) {
                Ok(()) => {}
                Err(refusal) if refusal.kind == Reason::Limit => return Err(refusal),
                Err(refusal) => fault = Some(format!("line {line}: {}", refusal.message)),
            }
        }
        let walk = &trial.game.walk;
        if fault.is_none() && walk.status() != EpisodeStatus::Goal {
            let goal = trial.game.goal_parts().into_iter();
            let missing = goal.filter(|part| !part.satisfied).take(self.allowance.listed);
            let missing: Vec<_> = missing.map(|part| self.wording().goal(&part.text)).collect();
            if !missing.is_empty() {
                fault = Some(format!("the goal does not hold: {}", missing.join("; ")));
            }
        }
        let check = PlanCheck {
            valid: fault.is_none(),
            steps: walk.len(),
            lines: steps.len(),
            readable,
            cost: walk
                .cost()
                .or(Some(walk.len() as f64))
                .filter(|_| fault.is_none()),
            reward: walk.reward(),
            fault,
        };
        Ok((trial, check))
    }
}
