//! The numbers of every step of a rollout, as a table or as curves.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use herbrand_core::{
    Choice, Described, FactValue, Fingerprinted, Group, Problems, Rollout, RolloutOptions, RolloutPolicy,
    watch_roll_out,
};

use crate::chart::{Chart, ChartLine, ChartPanel, ChartPoint};
use crate::failure::TaskFailure;
use crate::problems::AnyProblems;
use crate::rollout::RolloutQuery;
use crate::run::Run;

/// The greatest number of charts.
const DRAWN: usize = 24;

/// The name of the rewards among the numbers.
const REWARD: &str = "reward";

/// The header of the table.
const HEADER: &str = "episode,step,name,value\n";

/// The form in which the numbers are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CurvesForm {
    /// A row of CSV per episode, step and number.
    Table,
    /// An SVG chart per number, with its mean and its standard deviation over the episodes.
    Charts,
}

/// Rolls out the only problem, and returns the numbers of all steps as text; `None` for charts without a number. The last number is
/// how many numbers the charts leave out.
///
/// ```
/// use herbrand_rddl_sim::suite::RddlSuite;
/// use herbrand_tasks::{AnyProblems, Run};
/// use herbrand_tasks::curves::{CurvesForm, curves};
/// use herbrand_tasks::rollout::RolloutQuery;
///
/// let problems = AnyProblems::Rddl(RddlSuite::bundled("mountain-car")?).only(0)?;
/// let query = RolloutQuery { episodes: Some(1), steps: Some(5), ..RolloutQuery::default() };
/// let (_, text, _) = curves(&problems, &query, CurvesForm::Table, &Run::default())?;
/// assert!(text.ok_or("no number")?.starts_with("episode,step,name,value\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the problem is faulty or too large, or a step cannot be computed.
pub fn curves(
    problems: &AnyProblems,
    query: &RolloutQuery,
    form: CurvesForm,
    run: &Run<'_>,
) -> Result<(Rollout, Option<String>, usize), TaskFailure> {
    let mut curves = Curves::new(form);
    let (policy, options) = (&query.policy, query.options(problems, run.seed));
    let never = AtomicBool::new(false);
    let stop = run.stop.unwrap_or(&never);
    let rollout = match problems {
        AnyProblems::Pddl(suite) => curves.watch(suite, policy, &options, stop)?,
        AnyProblems::Rddl(suite) => curves.watch(suite, policy, &options, stop)?,
        AnyProblems::World(worlds) => curves.watch(worlds, policy, &options, stop)?,
    };
    let left_out = curves.moments.len().saturating_sub(DRAWN);
    let title = format!("{} {}", problems.name(), problems.problem_name(0));
    Ok((rollout, curves.text(title), left_out))
}

/// A running mean and the sum of the squared distances from it (Welford 1962).
#[derive(Clone, Copy, Default)]
struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        let before = value - self.mean;
        self.mean += before / self.count;
        self.squares += before * (value - self.mean);
    }

    fn deviation(self) -> f64 {
        (self.squares / (self.count - 1.0).max(1.0)).sqrt()
    }
}

/// The numbers of the steps so far.
struct Curves {
    form: CurvesForm,
    table: String,
    /// By name, in the order in which names occur, and by step.
    moments: Vec<(String, Vec<Moments>)>,
    numbers: BTreeMap<String, usize>,
    /// The episode, and its next step.
    episode: u64,
    step: usize,
}

impl Curves {
    fn new(form: CurvesForm) -> Self {
        Self {
            form,
            table: HEADER.to_owned(),
            moments: Vec::new(),
            numbers: BTreeMap::new(),
            episode: 0,
            step: 0,
        }
    }

    /// Rolls out a policy and adds the numbers of all states.
    fn watch<P: Problems<System: Described + Fingerprinted>>(
        &mut self,
        problems: &P,
        policy: &RolloutPolicy,
        options: &RolloutOptions,
        stop: &AtomicBool,
    ) -> Result<Rollout, P::Error> {
        let watch = |episode, system: &P::System, reward: Option<f64>, _: Option<&[Choice]>| {
            self.visit(episode, system, reward);
        };
        watch_roll_out(problems, policy, options, stop, watch)
    }

    /// Adds the numbers of a state, and the reward of the step that led there.
    fn visit(&mut self, episode: u64, system: &impl Described, reward: Option<f64>) {
        if episode != self.episode {
            (self.episode, self.step) = (episode, 0);
        }
        if let Some(reward) = reward {
            self.add(REWARD, self.step, reward);
            self.step += 1;
        }
        let mut found = Vec::new();
        system.facts(&mut |fact| {
            let value = match fact.value {
                FactValue::Int(value) => value as f64,
                FactValue::Real(value) => value,
                _ => return,
            };
            if fact.group != Group::Static {
                let name = match fact.arguments {
                    [] => fact.name.to_owned(),
                    arguments => format!("{}({})", fact.name, arguments.join(", ")),
                };
                found.push((name, value));
            }
        });
        for (name, value) in found {
            self.add(&name, self.step, value);
        }
    }

    fn add(&mut self, name: &str, step: usize, value: f64) {
        if self.form == CurvesForm::Table {
            // Writing to a string does not fail.
            let quote = if name.contains(',') { "\"" } else { "" };
            let _ = writeln!(
                self.table,
                "{},{step},{quote}{name}{quote},{value}",
                self.episode + 1
            );
            return;
        }
        let number = match self.numbers.get(name) {
            Some(&number) => number,
            None => {
                self.moments.push((name.to_owned(), Vec::new()));
                self.numbers.insert(name.to_owned(), self.moments.len() - 1);
                self.moments.len() - 1
            }
        };
        let steps = &mut self.moments[number].1;
        if steps.len() <= step {
            steps.resize(step + 1, Moments::default());
        }
        if value.is_finite() {
            steps[step].add(value);
        }
    }

    /// Returns the table or the charts; `None` without a number to draw.
    fn text(self, title: String) -> Option<String> {
        if self.form == CurvesForm::Table {
            return Some(self.table);
        }
        let panel = |(name, steps): (String, Vec<Moments>)| {
            let points = steps
                .iter()
                .enumerate()
                .filter(|(_, moments)| moments.count > 0.0);
            let points = points.map(|(step, moments)| ChartPoint {
                x: step as f64,
                y: moments.mean,
                deviation: moments.deviation(),
                is_missing: false,
            });
            ChartPanel {
                title: name.clone(),
                lines: vec![ChartLine {
                    name,
                    points: points.collect(),
                    is_joined: true,
                }],
            }
        };
        let chart = Chart {
            title,
            axis: "step",
            is_logarithmic: false,
            are_shares: false,
            panels: self.moments.into_iter().take(DRAWN).map(panel).collect(),
        };
        chart.svg()
    }
}
