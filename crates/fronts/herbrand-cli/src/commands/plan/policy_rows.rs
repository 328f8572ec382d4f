//! Policies for several problems, in a table.

use std::time::Instant;

use herbrand::env::Suite;
use herbrand::plan::PolicyKind;
use serde::Serialize;

use super::policy::{Data, Setting};
use super::report::Unplanned;
use super::{Plan, rest, worse};
use crate::failure::Failure;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};

/// The result for one of several problems.
#[derive(Serialize)]
struct PolicyRow {
    domain: String,
    #[serde(flatten)]
    solved: Solved,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Solved {
    Policy {
        problem: String,
        #[serde(flatten)]
        data: Box<Data>,
    },
    Failed {
        #[serde(flatten)]
        unplanned: Unplanned,
        outcome: &'static str,
    },
}

impl PolicyRow {
    fn cells(&self) -> Vec<String> {
        match &self.solved {
            Solved::Policy { problem, data } => {
                let problem = [problem.clone()].into_iter();
                problem.chain(data.cells()).collect()
            }
            Solved::Failed { unplanned, outcome } => {
                let mut row = vec!["–".to_owned(); 6];
                row[0].clone_from(&unplanned.problem);
                row[1] = (*outcome).to_owned();
                row
            }
        }
    }
}

impl Plan {
    /// The policy to compute for a problem whose reading began at `began`.
    pub(super) fn policy_setting(&self, kind: PolicyKind, began: Instant) -> Setting {
        let compiled = began.elapsed();
        Setting {
            kind,
            seed: self.seed,
            determinization: self.determinize.into(),
            limits: rest(self.problem.limits(), compiled),
            compiled,
        }
    }

    /// Computes policies for several problems, one after the other, and reports them in a table.
    pub(super) fn policies(
        &self,
        suites: &[Suite],
        kind: PolicyKind,
        format: Format,
    ) -> Result<CommandOutcome, Failure> {
        let (mut rows, mut answer) = (Vec::new(), CommandOutcome::Yes);
        'all: for suite in suites {
            for index in 0..suite.len() {
                let began = Instant::now();
                let problem = suite.full_problem_name(index).unwrap_or_default();
                let solved = suite.only(index).map_err(Failure::from).and_then(|suite| {
                    suite.instance(0)?;
                    self.policy.solve(&suite, &self.policy_setting(kind, began))
                });
                let (solved, own) = match solved {
                    Ok((data, own)) => (
                        Solved::Policy {
                            problem,
                            data: Box::new(data),
                        },
                        own,
                    ),
                    Err(failure) => {
                        anstream::eprintln!("{problem} was not planned for:");
                        failure.print();
                        let unplanned = Unplanned {
                            problem,
                            error: failure.to_string(),
                        };
                        let outcome = "failed";
                        (Solved::Failed { unplanned, outcome }, CommandOutcome::Faulty)
                    }
                };
                answer = worse(answer, own);
                rows.push(PolicyRow {
                    domain: suite.name().to_owned(),
                    solved,
                });
                if answer == CommandOutcome::Interrupted {
                    break 'all;
                }
            }
        }
        match format {
            Format::Json => output::json(&rows)?,
            Format::Text => output::table(
                &[
                    ("problem", false),
                    ("outcome", false),
                    ("P(goal)", true),
                    ("cost", true),
                    ("states", true),
                    ("seconds", true),
                ],
                rows.iter().map(PolicyRow::cells),
            )?,
        }
        Ok(answer)
    }
}
