//! Experiments: many games by several players, with their statistics.
//!
//! A [`TrialPlan`] says which games a player plays. A [`Trial`] is one game of one player, and one line of JSON in a file of trials. [`parse`] reads such a file, also after
//! the program that wrote it was killed. [`rows`] is the table of an experiment, like Table 1 of PDDLEGO: how many games each
//! player wins in each world, in how many steps, at what cost. [`points`] are the steps per example over several trials, like
//! its Figure 3.
//!
//! ```
//! use herbrand_explore::experiment::{Trial, parse, rows};
//!
//! let line = r#"{"player":"random","method":"end-to-end","world":"coin","game":10,"trial":0,"retries":5,
//!     "ending":"won","steps":12,"score":1.0}"#.replace('\n', "");
//! let (trials, bytes) = parse(&format!("{line}\n{{\"player\": \"ran"))?;
//! assert_eq!(trials.len(), 1);
//! // The broken line at the end is not counted: write on from here.
//! assert_eq!(bytes, line.len() + 1);
//! let [row] = &rows(&trials)[..] else { panic!("one player in one world") };
//! assert_eq!((row.won, row.steps), (1, Some(12.0)));
//! # Ok::<(), herbrand_explore::TranscriptError>(())
//! ```

mod play;

pub use play::{OtherOptions, TrialPlan};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::game::Ending;
use crate::reader::Mode;
use crate::transcript::TranscriptError;
use crate::usage::Usage;

/// A game of a player: one line of a file of trials. Fill it in from the [`Game`](crate::Game) that was played, and
/// write it as JSON with `serde_json`. [`parse`] reads the file, and [`rows`] and [`points`] take the trials.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// The name of the player: of a language model or of another reader.
    pub player: String,
    /// The form of the player's answers.
    pub method: Mode,
    /// The name of the world.
    pub world: String,
    /// The number of the game in its world: the example.
    pub game: u64,
    /// The number of the trial of this game, from 0.
    pub trial: u32,
    /// The sampling temperature; `None` for players without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The maximum number of further attempts per text.
    pub retries: usize,
    /// Whether invalid commands counted as steps ([`ExploreOptions::counts_invalid`](crate::ExploreOptions::counts_invalid)).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub counts_invalid: bool,
    /// The reason why the game ended.
    pub ending: Ending,
    /// The number of commands.
    pub steps: usize,
    /// The final score, from 0 to 1.
    pub score: f64,
    /// The cost of the answers.
    #[serde(flatten, default)]
    pub usage: Usage,
}

impl Trial {
    /// Returns whether both are the same game of the same player: the same trial of the same example.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let key = |one: &Self| (one.method, one.game, one.trial);
        key(self) == key(other) && self.player == other.player && self.world == other.world
    }
}

/// Parses a file of trials. Returns the trials, and the length in bytes of the complete lines: an unfinished line at the end,
/// as a killed program leaves it, is not read. Write further trials from there.
///
/// # Errors
/// [`TranscriptError::Line`] for the first complete line that is not a trial.
pub fn parse(text: &str) -> Result<(Vec<Trial>, usize), TranscriptError> {
    let end = text.rfind('\n').map_or(0, |at| at + 1);
    let lines = (1..).zip(text[..end].lines());
    let read = |(line, text): (usize, &str)| {
        serde_json::from_str(text).map_err(|error| TranscriptError::Line {
            line,
            message: error.to_string(),
        })
    };
    let trials = lines.filter(|(_, text)| !text.trim().is_empty()).map(read);
    Ok((trials.collect::<Result<_, _>>()?, end))
}

/// A row of the table of an experiment: one player with one method in one world. [`rows`] returns them.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// The name of the player.
    pub player: String,
    /// The form of the player's answers.
    pub method: Mode,
    /// The name of the world.
    pub world: String,
    /// The number of examples: games with different numbers.
    pub examples: usize,
    /// The number of games: one per example and trial.
    pub games: usize,
    /// The number of games won.
    pub won: usize,
    /// The standard deviation of the percentage of games won between trials (with one less than their count as the
    /// divisor); `None` for a single trial.
    pub won_deviation: Option<f64>,
    /// The mean number of commands per won game; `None` if none was won.
    pub steps: Option<f64>,
    /// The standard deviation of the number of commands between the won trials of an example, in the mean over the examples
    /// with at least two of them; `None` if there are none.
    pub steps_deviation: Option<f64>,
    /// The cost of the answers.
    pub usage: Usage,
}

impl Row {
    /// Returns the percentage of games won, from 0 to 100; 0 without games.
    #[must_use]
    pub fn percent(&self) -> f64 {
        percent(self.won, self.games)
    }
}

/// The number of commands of one player for one example. [`points`] returns them.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExamplePoint {
    /// The name of the player.
    pub player: String,
    /// The form of the player's answers.
    pub method: Mode,
    /// The name of the world.
    pub world: String,
    /// The number of the game.
    pub game: u64,
    /// The number of trials.
    pub trials: usize,
    /// The number of trials won.
    pub won: usize,
    /// The mean number of commands of the won trials; `None` if none was won.
    pub mean: Option<f64>,
    /// The standard deviation of these numbers (with one less than their count as the divisor); `None` for fewer than two.
    pub deviation: Option<f64>,
}

/// Returns a row for each player, method and world, in the order in which they first occur. No trials give no rows.
#[must_use]
pub fn rows(trials: &[Trial]) -> Vec<Row> {
    let rows = groups(trials).into_iter().map(|group| {
        let won = |trial: &&&Trial| trial.ending == Ending::Won;
        let steps: Vec<f64> = group.iter().filter(won).map(|trial| trial.steps as f64).collect();
        let mut by_trial: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
        for trial in &group {
            let (won, all) = by_trial.entry(trial.trial).or_default();
            *won += usize::from(trial.ending == Ending::Won);
            *all += 1;
        }
        let shares: Vec<f64> = by_trial.values().map(|&(won, all)| percent(won, all)).collect();
        let examples = examples(&group);
        let deviations: Vec<f64> = examples.iter().filter_map(|point| point.deviation).collect();
        Row {
            player: group[0].player.clone(),
            method: group[0].method,
            world: group[0].world.clone(),
            examples: examples.len(),
            games: group.len(),
            won: steps.len(),
            won_deviation: deviation(&shares),
            steps: mean(&steps),
            steps_deviation: mean(&deviations),
            usage: group
                .iter()
                .fold(Usage::default(), |sum, trial| sum.plus(trial.usage)),
        }
    });
    rows.collect()
}

/// Returns a point for each player, method, world and example: the players in the order in which they first occur, and the
/// examples in the order of their numbers.
#[must_use]
pub fn points(trials: &[Trial]) -> Vec<ExamplePoint> {
    groups(trials).iter().flat_map(|group| examples(group)).collect()
}

/// Groups trials by player, method and world.
fn groups(trials: &[Trial]) -> Vec<Vec<&Trial>> {
    let mut groups: Vec<Vec<&Trial>> = Vec::new();
    for trial in trials {
        let key = |one: &Trial| (one.player.clone(), one.method, one.world.clone());
        match groups.iter_mut().find(|group| key(group[0]) == key(trial)) {
            Some(group) => group.push(trial),
            None => groups.push(vec![trial]),
        }
    }
    groups
}

/// Returns the points of the trials of one player, method and world.
fn examples(group: &[&Trial]) -> Vec<ExamplePoint> {
    let mut by_game: BTreeMap<u64, Vec<&Trial>> = BTreeMap::new();
    for trial in group {
        by_game.entry(trial.game).or_default().push(trial);
    }
    let points = by_game.into_iter().map(|(game, trials)| {
        let won = trials.iter().filter(|trial| trial.ending == Ending::Won);
        let steps: Vec<f64> = won.map(|trial| trial.steps as f64).collect();
        ExamplePoint {
            player: trials[0].player.clone(),
            method: trials[0].method,
            world: trials[0].world.clone(),
            game,
            trials: trials.len(),
            won: steps.len(),
            mean: mean(&steps),
            deviation: deviation(&steps),
        }
    });
    points.collect()
}

fn percent(part: usize, all: usize) -> f64 {
    100.0 * part as f64 / all.max(1) as f64
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Returns the standard deviation of a sample; `None` for fewer than two values.
fn deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values).filter(|_| values.len() > 1)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some((squares / (values.len() - 1) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(game: u64, trial: u32, steps: usize, ending: Ending) -> Trial {
        Trial {
            player: "m".to_owned(),
            method: Mode::Lines,
            world: "coin".to_owned(),
            game,
            trial,
            temperature: Some(1.0),
            retries: 5,
            counts_invalid: false,
            ending,
            steps,
            score: 0.0,
            usage: Usage {
                requests: 2,
                asked: 30,
                answered: 4,
            },
        }
    }

    #[test]
    fn a_row_has_means_and_deviations() {
        let trials = [
            trial(1, 0, 4, Ending::Won),
            trial(1, 1, 8, Ending::Won),
            trial(2, 0, 6, Ending::Won),
            trial(2, 1, 50, Ending::OutOfSteps),
        ];
        let [row] = &rows(&trials)[..] else {
            panic!("one row");
        };
        assert_eq!((row.examples, row.games, row.won), (2, 4, 3));
        assert_eq!((row.percent(), row.steps), (75.0, Some(6.0)));
        // The first trial wins all, the second half.
        assert!((row.won_deviation.unwrap_or(0.0) - 1250_f64.sqrt()).abs() < 1e-9);
        // Only the first example has two won trials.
        assert!((row.steps_deviation.unwrap_or(0.0) - 8_f64.sqrt()).abs() < 1e-9);
        assert_eq!(row.usage.asked, 120);
        let points = points(&trials);
        let shown: Vec<_> = points
            .iter()
            .map(|point| (point.game, point.won, point.mean))
            .collect();
        assert_eq!(shown, [(1, 2, Some(6.0)), (2, 1, Some(6.0))]);
        assert_eq!(points[1].deviation, None);
    }

    #[test]
    fn a_line_is_a_trial_and_a_torn_one_is_left_out() {
        let one = trial(1, 0, 4, Ending::Won);
        let line = serde_json::to_string(&one).expect("a line");
        let text = format!("{line}\n\n{line}\n{}", &line[..20]);
        let (trials, end) = parse(&text).expect("trials");
        assert_eq!((trials.len(), end), (2, 2 * line.len() + 3));
        assert!(trials[0] == one && trials[0].is_same(&one));
        assert!(!one.is_same(&trial(1, 1, 4, Ending::Won)) && !one.is_same(&trial(2, 0, 4, Ending::Won)));
        let error = parse(&format!("{line}\nnonsense\n")).expect_err("nonsense");
        assert!(error.to_string().starts_with("line 2"), "{error}");
    }
}
