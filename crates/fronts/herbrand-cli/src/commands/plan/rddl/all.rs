//! Plans for several problems in RDDL, in a table.

use herbrand::rddl::planners::RddlPlannerKind;

use super::super::{AnyPlanner, Plan, worse};
use super::report::{Report, answer};
use crate::failure::Failure;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};
use crate::policy::one_problem;
use herbrand::tasks::AnyProblems;

impl Plan {
    /// Plans for the problems of several sets in turn, and reports their returns in a table.
    pub(in super::super) fn rddl_table(
        &self,
        sets: Vec<AnyProblems>,
        format: Format,
    ) -> Result<CommandOutcome, Failure> {
        self.refuse_for_rddl()?;
        let kind = match self.planner {
            None => RddlPlannerKind::default(),
            Some(AnyPlanner::Rddl(kind)) if kind.finds_plans() && !self.rddl.replan => kind,
            Some(_) => {
                return Err(one_problem(
                    "a planner that acts in every state, or one for PDDL,",
                ));
            }
        };
        let (mut reports, mut outcome) = (Vec::new(), CommandOutcome::Yes);
        for set in sets {
            for index in 0..set.len() {
                let AnyProblems::Rddl(suite) = self.preconditions.apply(set.only(index)?)? else {
                    return Err(set.unsupported("a table of problems in RDDL", "RDDL").into());
                };
                let report = self.straight(&suite, kind, self.problem.limits())?;
                if let Some(paid) = &report.paid {
                    paid.warn();
                    outcome = worse(outcome, answer(paid));
                }
                reports.push(report);
            }
        }
        match format {
            Format::Json => output::json(&reports)?,
            Format::Text => output::table(
                &[
                    ("problem", false),
                    ("steps", true),
                    ("mean return", true),
                    ("±", true),
                    ("doing nothing", true),
                    ("random actions", true),
                    ("seconds", true),
                ],
                reports.iter().map(Report::row),
            )?,
        }
        Ok(outcome)
    }
}
