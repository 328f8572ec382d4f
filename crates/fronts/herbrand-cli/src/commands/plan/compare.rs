//! `herbrand plan --planner all`: every planner that finds plans, on one problem.

use std::time::Instant;

use cpu_time::ProcessTime;
use herbrand::env::Suite;
use herbrand::limits::Limits;
use herbrand::plan::PlannerKind;

use super::report::{PlanResult, Unplanned};
use super::{Plan, rest};
use crate::failure::Failure;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};

impl Plan {
    /// Lets every planner search for a plan, and reports them in a table. Each has an equal share of the time that is left.
    pub(super) fn compare(
        &self,
        suite: &Suite,
        began: Instant,
        cpu: ProcessTime,
        format: Format,
    ) -> Result<CommandOutcome, Failure> {
        let simulator = suite.instance(0)?.simulator();
        let searched = self.searched(suite, simulator)?;
        let compiled = (began.elapsed(), cpu.elapsed());
        let problem = suite.full_problem_name(0).unwrap_or_default();
        let (mut results, mut answer) = (Vec::new(), CommandOutcome::No);
        for (kind, planners_left) in PlannerKind::ALL
            .into_iter()
            .zip((1..=PlannerKind::ALL.len() as u32).rev())
        {
            let left = rest(self.problem.limits(), began.elapsed());
            let share = Limits {
                time: left.time.map(|time| time / planners_left),
                ..left
            };
            let solved = self.report(&kind, &searched, simulator, share, compiled);
            let solved = match solved {
                Ok(mut report) => {
                    report.problem.clone_from(&problem);
                    Ok(report)
                }
                Err(failure) => {
                    let error = failure.to_string();
                    anstream::eprintln!("{kind}: {error}");
                    let problem = problem.clone();
                    Err(Unplanned { problem, error })
                }
            };
            match solved.as_ref().map(super::Report::answer) {
                Ok(CommandOutcome::Yes) => answer = CommandOutcome::Yes,
                Ok(CommandOutcome::Interrupted) => answer = CommandOutcome::Interrupted,
                _ => {}
            }
            let domain = suite.name().to_owned();
            results.push((kind, PlanResult { domain, solved }));
            if answer == CommandOutcome::Interrupted {
                break;
            }
        }
        match format {
            Format::Json => output::json(
                &results
                    .iter()
                    .map(|(_, result)| result.data())
                    .collect::<Vec<_>>(),
            )?,
            Format::Text => output::table(
                &[
                    ("planner", false),
                    ("outcome", false),
                    ("cost", true),
                    ("steps", true),
                    ("expanded", true),
                    ("seconds", true),
                ],
                results.iter().map(|(kind, result)| {
                    let mut row = result.row();
                    row[0] = kind.to_string();
                    row
                }),
            )?,
        }
        Ok(answer)
    }
}
