//! `herbrand plan --planner all`: every planner on one problem.

use std::time::Instant;

use cpu_time::ProcessTime;
use herbrand::env::Suite;
use herbrand::limits::Limits;
use herbrand::pddl::Effect;
use herbrand::plan::{PlannerKind, PolicyKind};
use serde::Serialize;

use super::policy::{Data, Setting};
use super::report::{PlanResult, ResultData, Unplanned};
use super::search::Target;
use super::{Plan, rest};
use crate::failure::Failure;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};

/// The result of one planner.
enum Compared {
    Plan(PlannerKind, Box<PlanResult>),
    Policy(PolicyKind, Box<Data>),
}

#[derive(Serialize)]
#[serde(untagged)]
enum ComparedData<'a> {
    Plan(ResultData<'a>),
    Policy {
        domain: &'a str,
        problem: &'a str,
        #[serde(flatten)]
        data: &'a Data,
    },
}

impl Compared {
    /// Returns the row of the table: the planner, the outcome, the probability of reaching the goal, the cost, the number of
    /// steps, the states expanded, and the seconds.
    fn row(&self) -> Vec<String> {
        match self {
            Self::Plan(kind, result) => {
                let mut row = result.row();
                row[0] = kind.to_string();
                let reached = result
                    .solved
                    .as_ref()
                    .ok()
                    .and_then(|report| report.validation.as_ref());
                let share = reached.map_or_else(|| "–".to_owned(), |found| format!("{:.4}", found.goal));
                row.insert(2, share);
                row
            }
            Self::Policy(kind, data) => {
                let [outcome, share, cost, states, seconds] = data.cells();
                vec![
                    kind.to_string(),
                    outcome,
                    share,
                    cost,
                    "–".to_owned(),
                    states,
                    seconds,
                ]
            }
        }
    }
}

impl Plan {
    /// Lets every planner search for a plan, and in domains with chance for a policy, and reports them in a table. Each has an
    /// equal share of the time that is left.
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
        let policies = if has_chance(suite) {
            &PolicyKind::ALL[..]
        } else {
            &[]
        };
        let count = (PlannerKind::ALL.len() + policies.len()) as u32;
        let mut planners_left = (1..=count).rev();
        let mut limits = || {
            let left = rest(self.problem.limits(), began.elapsed());
            Limits {
                time: left.time.map(|time| time / planners_left.next().unwrap_or(1)),
                ..left
            }
        };
        let target = Target {
            searched: &searched,
            simulator,
            names: None,
        };
        let (mut results, mut answer) = (Vec::new(), CommandOutcome::No);
        for kind in PlannerKind::ALL {
            let solved = self.report(&kind, target, limits(), compiled);
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
            answer = better(
                answer,
                solved.as_ref().map_or(CommandOutcome::No, super::Report::answer),
            );
            let domain = suite.name().to_owned();
            results.push(Compared::Plan(kind, Box::new(PlanResult { domain, solved })));
            if answer == CommandOutcome::Interrupted {
                break;
            }
        }
        for &kind in policies {
            if answer == CommandOutcome::Interrupted {
                break;
            }
            let setting = Setting {
                limits: limits(),
                compiled: compiled.0,
                ..self.policy_setting(kind, began)
            };
            let (data, own) = self.policy.solve(suite, &setting)?;
            answer = better(answer, own);
            results.push(Compared::Policy(kind, Box::new(data)));
        }
        match format {
            Format::Json => {
                let data = results.iter().map(|result| match result {
                    Compared::Plan(_, result) => ComparedData::Plan(result.data()),
                    Compared::Policy(_, data) => ComparedData::Policy {
                        domain: suite.name(),
                        problem: &problem,
                        data,
                    },
                });
                output::json(&data.collect::<Vec<_>>())?;
            }
            Format::Text => {
                let mut titles = vec![
                    ("planner", false),
                    ("outcome", false),
                    ("P(goal)", true),
                    ("cost", true),
                    ("steps", true),
                    ("expanded", true),
                    ("seconds", true),
                ];
                let mut rows: Vec<_> = results.iter().map(Compared::row).collect();
                if policies.is_empty() {
                    // Without chance, every plan reaches the goal.
                    titles.remove(2);
                    for row in &mut rows {
                        row.remove(2);
                    }
                }
                output::table(&titles, rows)?;
            }
        }
        Ok(answer)
    }
}

/// Returns the answer after another planner: yes if any has found something.
const fn better(one: CommandOutcome, other: CommandOutcome) -> CommandOutcome {
    match (one, other) {
        (_, CommandOutcome::Interrupted) => CommandOutcome::Interrupted,
        (_, CommandOutcome::Yes) => CommandOutcome::Yes,
        (one, _) => one,
    }
}

/// Returns whether an action of the domain has random effects.
fn has_chance(suite: &Suite) -> bool {
    let mut found = false;
    for schema in &suite.domain().schemas {
        schema
            .effect
            .walk(&mut |part| found |= matches!(part, Effect::Probabilistic(_)));
    }
    found
}
