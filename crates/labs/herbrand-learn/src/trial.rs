//! One trial of a learner: a model is learned and judged, as a row of a table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use herbrand_env::{ActionMode, Split, Suite};
use herbrand_limits::{Budget, Clock};
use herbrand_pddl::Requirement;
use herbrand_plan::{PlanRequest, PlannerKind};
use herbrand_text::UnknownName;
use serde::Serialize;

use crate::error::LearnError;
use crate::experience::Experience;
use crate::explore::{Exploration, explore};
use crate::foldt::{FoldtOptions, learn_foldt};
use crate::judge::{Judge, Judgement};
use crate::model::Learned;
use crate::safe::learn_safe;

herbrand_text::named! {
    /// A learner of action models.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Learner {
        /// [`learn_foldt`]: first-order logical decision trees for the agent's actions.
        #[default]
        Foldt = "foldt",
        /// [`learn_safe`]: for operators, the preconditions that always held and the effects that were observed.
        Safe = "safe",
    }
    /// Returns the name of the learner, which `FromStr` reads back.
    pub fn as_str; parses, or UnknownName: |name| UnknownName::new(name, "learner", &Learner::ALL.map(Learner::as_str))
}

impl Learner {
    /// Returns the kind of actions that the learner works on.
    #[must_use]
    pub const fn mode(self) -> ActionMode {
        match self {
            Self::Foldt => ActionMode::Declared,
            Self::Safe => ActionMode::Operators,
        }
    }

    /// Learns a model, with the default options.
    ///
    /// # Errors
    /// Fails like [`learn_foldt`] or [`learn_safe`].
    pub fn learn(self, seen: &Experience, budget: &Budget) -> Result<Learned, LearnError> {
        match self {
            Self::Foldt => learn_foldt(seen, &FoldtOptions::default(), budget),
            Self::Safe => learn_safe(seen, budget),
        }
    }
}

/// How a model is learned and judged.
pub struct TrialSetting<'s> {
    /// The learner.
    pub learner: Learner,
    /// The exploration of the training problems.
    pub exploration: Exploration,
    /// The planner for the problems of the learned model.
    pub planner: PlannerKind,
    /// Returns the budget for exploring and learning.
    pub learning: &'s dyn Fn() -> Budget,
    /// Returns the budget for planning one problem.
    pub planning: &'s dyn Fn() -> Budget,
    /// The clock of the seconds of learning.
    pub clock: Clock,
    /// Returns whether the trial is cancelled.
    pub is_cancelled: &'s dyn Fn() -> bool,
}

/// A cache of the judgements of one domain's test problems, by model: equal models lead to equal plans. Valid only for a fixed
/// planner and planning time.
#[derive(Default)]
pub struct KnownJudgements {
    by_model: BTreeMap<String, Vec<Judgement>>,
}

/// A learned model and its evaluation.
pub struct ModelTrial {
    /// The evaluation.
    pub row: ModelRow,
    /// The learned model; `None` if learning was not finished.
    pub learned: Option<Learned>,
}

/// The evaluation of a learned model.
#[derive(Clone, Debug, Serialize)]
pub struct ModelRow {
    /// The name of the domain.
    pub domain: String,
    /// The learner.
    pub learner: Learner,
    /// The seed of the exploration.
    pub seed: u64,
    /// The number of episodes.
    pub episodes: u32,
    /// The number of actions that the policy took, including refused ones.
    pub transitions: usize,
    /// The seconds of learning, without exploration.
    pub seconds: f64,
    /// The word `learned`, or the reason why there is no model.
    pub outcome: String,
    /// The number of schemas of the model.
    pub schemas: usize,
    /// The mean probability that the model gives to successors that were not observed; `None` if there is no model.
    pub error: Option<f64>,
    /// In probabilistic domains, the mean total variation distance between the predicted and the true distribution of
    /// successors.
    pub distance: Option<f64>,
    /// The number of test problems.
    pub problems: usize,
    /// The number of problems for which a plan of the model works; `None` if there is no model.
    pub solved: Option<usize>,
    /// The number of problems for which the planner gave up.
    pub gave_up: usize,
}

/// The number of episodes on test problems that supply the unseen states for the prediction error.
const UNSEEN: u32 = 20;

impl ModelTrial {
    /// Explores the training problems, learns a model, and evaluates it on the test problems. Both are the whole suite if it
    /// has no split. A learner that cannot learn from the experience, or reaches its budget, gives a row without a model.
    ///
    /// # Errors
    /// Fails if a problem is invalid.
    pub fn run(
        suite: &Suite,
        setting: &TrialSetting<'_>,
        known: &mut KnownJudgements,
    ) -> Result<Self, LearnError> {
        let part = |split| Some(suite.split(split)).filter(|part| !part.is_empty());
        let train = part(Split::Train).unwrap_or_else(|| suite.clone());
        let test = part(Split::Test).unwrap_or_else(|| suite.clone());
        let budget = (setting.learning)();
        let seen = explore(&train, &setting.exploration, &budget)?;
        let began = (setting.clock)();
        let learned = setting.learner.learn(&seen, &budget);
        let mut row = ModelRow {
            domain: suite.name().to_owned(),
            learner: setting.learner,
            seed: setting.exploration.seed,
            episodes: setting.exploration.episodes,
            transitions: seen.transitions.len(),
            seconds: (setting.clock)().saturating_sub(began).as_secs_f64(),
            outcome: "learned".to_owned(),
            schemas: 0,
            error: None,
            distance: None,
            problems: test.len(),
            solved: None,
            gave_up: 0,
        };
        let learned = match learned {
            Err(
                error @ (LearnError::Hidden { .. }
                | LearnError::Conditional { .. }
                | LearnError::BudgetExhausted(_)),
            ) => {
                row.outcome = error.to_string();
                return Ok(Self { row, learned: None });
            }
            learned => learned?,
        };
        row.schemas = learned.domain().schemas.len();
        row.judge(&test, &learned, setting, known)?;
        Ok(Self {
            row,
            learned: Some(learned),
        })
    }
}

impl ModelRow {
    fn judge(
        &mut self,
        test: &Suite,
        learned: &Learned,
        setting: &TrialSetting<'_>,
        known: &mut KnownJudgements,
    ) -> Result<(), LearnError> {
        let judge = Judge::new(test, learned);
        let budget = Budget::unlimited();
        let exploration = Exploration {
            episodes: UNSEEN,
            seed: !setting.exploration.seed,
            ..setting.exploration
        };
        let unseen = explore(test, &exploration, &budget)?;
        self.error = Some(learned.predict(&unseen, &budget)?.error());
        let requirements = &test.domain().requirements;
        if requirements.contains(Requirement::ProbabilisticEffects) {
            self.distance = Some(judge.distance(&unseen, &budget)?);
        }
        let text = learned.to_pddl()?;
        if !known.by_model.contains_key(&text) {
            let mut judgements = Vec::new();
            for problem in 0..test.len() {
                judgements.push(setting.solve(&judge, problem)?);
                if (setting.is_cancelled)() {
                    return Ok(());
                }
            }
            known.by_model.insert(text.clone(), judgements);
        }
        let judgements = known.by_model.get(&text).map_or(&[][..], Vec::as_slice);
        let count = |wanted| {
            judgements
                .iter()
                .filter(|&&judgement| judgement == wanted)
                .count()
        };
        self.solved = Some(count(Judgement::Works));
        self.gave_up = count(Judgement::GaveUp);
        Ok(())
    }
}

impl TrialSetting<'_> {
    fn solve(&self, judge: &Judge<'_>, problem: usize) -> Result<Judgement, LearnError> {
        let budget = (self.planning)();
        let watched = budget.clone();
        let mut request = PlanRequest {
            budget,
            seed: 0,
            progress: &mut |_| {
                if (self.is_cancelled)() {
                    watched.cancel();
                }
            },
        };
        judge.solve(problem, self.planner, &mut request)
    }
}

/// Returns the mean of a value for each number of episodes. Rows without a value are skipped.
#[must_use]
pub fn mean_by_episodes(rows: &[ModelRow], value: impl Fn(&ModelRow) -> Option<f64>) -> Vec<(u32, f64)> {
    let mut sums: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    for (episodes, value) in rows.iter().filter_map(|row| Some((row.episodes, value(row)?))) {
        let (sum, count) = sums.entry(episodes).or_default();
        *sum += value;
        *count += 1.0;
    }
    let means = sums.into_iter();
    means
        .map(|(episodes, (sum, count))| (episodes, sum / count))
        .collect()
}

/// Formats rows as CSV.
#[must_use]
pub fn csv(rows: &[ModelRow]) -> String {
    let mut text =
        "domain,learner,seed,episodes,transitions,seconds,schemas,error,distance,problems,solved,gave_up,outcome\n"
            .to_owned();
    for row in rows {
        let number = |value: Option<f64>| value.map(|value| format!("{value:.6}")).unwrap_or_default();
        let (error, distance) = (number(row.error), number(row.distance));
        let solved = row.solved.map(|solved| solved.to_string()).unwrap_or_default();
        let outcome = row.outcome.replace('"', "\"\"");
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{},{},{},{},{:.6},{},{error},{distance},{},{solved},{},\"{outcome}\"",
            row.domain,
            row.learner,
            row.seed,
            row.episodes,
            row.transitions,
            row.seconds,
            row.schemas,
            row.problems,
            row.gave_up,
        );
    }
    text
}
