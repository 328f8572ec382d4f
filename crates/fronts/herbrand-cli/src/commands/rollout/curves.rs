//! The numbers of every step of a rollout, as a table or as curves.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use herbrand::core::{Described, FactValue, Group};

use crate::chart::{Chart, ChartLine, ChartPoint, Panel};
use crate::failure::{Failure, refuse};
use crate::files;

/// The greatest number of charts.
const DRAWN: usize = 24;

/// The name of the rewards among the numbers.
const REWARD: &str = "reward";

/// The header of the table.
const HEADER: &str = "episode,step,name,value\n";

/// The form in which the numbers are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A row per episode, step and number.
    Table,
    /// A chart per number, with its mean and its standard deviation over the episodes.
    Charts,
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
pub(super) struct Curves {
    form: Form,
    table: String,
    /// By name, in the order in which names occur, and by step.
    moments: Vec<(String, Vec<Moments>)>,
    numbers: BTreeMap<String, usize>,
    /// The episode, and its next step.
    episode: u64,
    step: usize,
}

impl Curves {
    /// Prepares a file.
    ///
    /// # Errors
    /// Fails if its name does not end in .csv or .svg, or if it must not be replaced.
    pub(super) fn begin(path: &Path) -> Result<Self, Failure> {
        let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
        let form = match ending.to_str() {
            Some("csv") => Form::Table,
            Some("svg") => Form::Charts,
            _ => {
                return refuse(format!("{}: write a .csv or a .svg file", path.display()));
            }
        };
        files::check_before(Some(path))?;
        Ok(Self {
            form,
            table: HEADER.to_owned(),
            moments: Vec::new(),
            numbers: BTreeMap::new(),
            episode: 0,
            step: 0,
        })
    }

    /// Adds the numbers of a state, and the reward of the step that led there.
    pub(super) fn visit(&mut self, episode: u64, system: &impl Described, reward: Option<f64>) {
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
        if self.form == Form::Table {
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

    /// Writes the file.
    ///
    /// # Errors
    /// Fails if it cannot be written, or if there is nothing to draw.
    pub(super) fn finish(self, path: &Path, title: String) -> Result<(), Failure> {
        if self.form == Form::Table {
            return files::write_file(path, self.table);
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
            Panel {
                title: name.clone(),
                lines: vec![ChartLine {
                    name,
                    points: points.collect(),
                    is_joined: true,
                }],
            }
        };
        let left_out = self.moments.len().saturating_sub(DRAWN);
        if left_out > 0 {
            anstream::eprintln!(
                "warning: {left_out} numbers are not drawn: write a .csv file for all of them"
            );
        }
        let chart = Chart {
            title,
            axis: "step",
            is_logarithmic: false,
            are_shares: false,
            panels: self.moments.into_iter().take(DRAWN).map(panel).collect(),
        };
        let svg = chart
            .svg()
            .ok_or_else(|| Failure::Request(format!("{}: there is no number to draw", path.display())))?;
        files::write_file(path, svg)
    }
}
