//! Plans found by drawing and by gradient in turns.
//!
//! Some problems have gradients that lead to good plans from afar; others have jumps, plateaus or many hills, on which drawn plans do
//! better. A [`Portfolio`] does not need to know: both searches take turns, the one that finds better plans goes on longer, and each
//! begins again from the other's best plan.
//!
//! ```text
//!   cross-entropy ──▶ best plan ──▶ every second plan of the gradient
//!        ▲                                  │
//!        └── draws around it ◀── best plan ◀┘      both on the same draws
//! ```

use std::sync::Arc;
use std::time::Duration;

use herbrand_core::Choice;
use herbrand_limits::{Budget, Instant};

use crate::gradient::{GradientError, GradientOptions, GradientPlanner, Relaxed};
use crate::plan::{Agent, PlanOptions, Planner, StraightPlan, Until};
use crate::simulate::{Process, StepError, Values};

/// How a [`Portfolio`] works.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PortfolioOptions {
    /// How many steps a plan has; as many as the horizon, but no more than 100, if nothing is said.
    pub lookahead: Option<u32>,
    /// How many turns there are.
    pub turns: u32,
    /// After how much time there are no more. Turns are parts of this time then; otherwise a turn is 10 iterations of cross-entropy,
    /// or 50 steps of ascent.
    pub time: Option<Duration>,
    /// On how many different draws each plan is tried, and gradients are taken.
    pub scenarios: usize,
    /// By how much a step of ascent moves parameters: [`GradientOptions::rate`].
    pub rate: f64,
    /// How near relaxed steps are to real ones.
    pub sharpness: f64,
    /// Whether a plan ends where it violates an action precondition; such plans are the worst of all.
    pub enforced: bool,
    /// What all draws follow from.
    pub seed: u64,
}

impl Default for PortfolioOptions {
    /// Eight turns, four draws for each plan, sharpness 10.
    fn default() -> Self {
        Self {
            lookahead: None,
            turns: 8,
            time: None,
            scenarios: 4,
            rate: 0.1,
            sharpness: 10.0,
            enforced: false,
            seed: 0,
        }
    }
}

/// How long a turn is without a limit of time.
const DRAWN: u32 = 10;
const ASCENTS: u32 = 50;

/// The most turns in a row of a search, even if it still finds better plans.
const IN_A_ROW: u32 = 3;

/// How far around a plan others are drawn, turn by turn, as parts of all there is.
const WIDTHS: [f64; 4] = [0.3, 0.1, 0.03, 0.01];

/// Cross-entropy and the gradient, in turns.
///
/// ```
/// use std::sync::Arc;
/// use herbrand_limits::Budget;
/// use herbrand_rddl::portfolio::{Portfolio, PortfolioOptions};
/// use herbrand_rddl::suite::RddlSuite;
///
/// let suite = RddlSuite::bundled("rddl/mountain-car")?;
/// let process = suite.process(0)?;
/// let options = PortfolioOptions { lookahead: Some(5), turns: 2, ..PortfolioOptions::default() };
/// let mut portfolio = Portfolio::new(process, options, &Budget::unlimited())?;
/// assert_eq!(portfolio.plan(process.initial())?.steps.len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Portfolio {
    drawing: Planner,
    /// None where a problem has no gradients.
    climbing: Option<GradientPlanner>,
    options: PortfolioOptions,
}

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Drawing,
    Climbing,
}

impl Portfolio {
    /// A portfolio that has no plan yet. Where a problem has no gradients all turns are those of cross-entropy.
    ///
    /// # Errors
    /// When the problem is too large for the budget.
    pub fn new(
        process: &Arc<Process>,
        options: PortfolioOptions,
        budget: &Budget,
    ) -> Result<Self, GradientError> {
        let PortfolioOptions {
            lookahead,
            scenarios,
            rate,
            sharpness,
            enforced,
            seed,
            turns: _,
            time: _,
        } = options;
        let climbing = match Relaxed::new(&process.instance, budget) {
            Ok(relaxed) => {
                let options = GradientOptions {
                    lookahead,
                    scenarios,
                    rate,
                    sharpness,
                    enforced,
                    seed,
                    ..GradientOptions::default()
                };
                Some(GradientPlanner::new(Arc::new(relaxed), options))
            }
            Err(GradientError::NoGradient(_)) => None,
            Err(error @ GradientError::Compile(_)) => return Err(error),
        };
        let drawn = PlanOptions {
            lookahead,
            scenarios,
            enforced,
            seed,
            ..PlanOptions::default()
        };
        Ok(Self {
            drawing: Planner::new(Arc::clone(process), drawn),
            climbing,
            options,
        })
    }

    /// A plan for the steps from a state on.
    ///
    /// # Errors
    /// [`StepError::ForeignState`] for a state that is not one of the problem.
    pub fn plan(&mut self, state: &Values) -> Result<StraightPlan, StepError> {
        let begin = Instant::now();
        self.drawing.forget();
        if let Some(climbing) = &mut self.climbing {
            climbing.forget();
        }
        let turns = self.options.turns.max(1);
        let (mut turn, mut in_a_row) = (Turn::Drawing, 0);
        for number in 0..turns {
            let is_late = self.options.time.is_some_and(|time| begin.elapsed() >= time);
            if number > 0 && is_late {
                break;
            }
            // Time that a turn took too long is taken from those after it.
            let part = f64::from(number + 1) / f64::from(turns);
            let end = self.options.time.map(|time| begin + time.mul_f64(part));
            if number > 0 && end.is_some_and(|end| Instant::now() >= end) {
                continue;
            }
            let is_better = self.take(turn, in_a_row == 0, number, state, end)?;
            in_a_row += 1;
            let gives_way = !is_better || number == 0 || in_a_row >= IN_A_ROW;
            if gives_way && self.climbing.is_some() {
                in_a_row = 0;
                turn = match turn {
                    Turn::Drawing => Turn::Climbing,
                    Turn::Climbing => Turn::Drawing,
                };
            }
        }
        let mut plans = self.drawing.finalists();
        if let Some(climbing) = &mut self.climbing {
            plans.extend(climbing.finalists());
            let simulated = climbing.trials().simulated();
            self.drawing.trials().count(simulated);
        }
        self.drawing.choose(state, &plans)
    }

    /// Takes a turn: whether it found a better plan than any before. `is_first` of a search means that the other one has been at it.
    fn take(
        &mut self,
        turn: Turn,
        is_first: bool,
        number: u32,
        state: &Values,
        time: Option<Instant>,
    ) -> Result<bool, StepError> {
        let until = |iterations| Until {
            iterations: if time.is_some() { u32::MAX } else { iterations },
            time,
        };
        let drawn = self.drawing.best().cloned();
        let climbed = self.climbing.as_ref().and_then(|one| one.best().cloned());
        let score = |best: &Option<(f64, Vec<f64>)>| best.as_ref().map_or(f64::NEG_INFINITY, |best| best.0);
        let before = score(&drawn).max(score(&climbed));
        Ok(match (turn, &mut self.climbing) {
            (Turn::Climbing, Some(climbing)) => {
                if let Some((_, plan)) = drawn.filter(|drawn| is_first && drawn.0 > score(&climbed)) {
                    climbing.adopt(&plan);
                }
                climbing.search(state, until(ASCENTS))?;
                climbing.best().is_some_and(|best| best.0 > before)
            }
            _ => {
                let best = if score(&climbed) > score(&drawn) {
                    climbed
                } else {
                    drawn
                };
                if let Some((_, plan)) = best.filter(|_| is_first || self.climbing.is_none()) {
                    let width = WIDTHS[number as usize / 2 % WIDTHS.len()];
                    self.drawing.centre(&plan, width);
                }
                self.drawing.search(state, until(DRAWN))?;
                self.drawing.best().is_some_and(|best| best.0 > before)
            }
        })
    }
}

impl Agent for Portfolio {
    fn process(&self) -> &Arc<Process> {
        self.drawing.process()
    }

    fn begin(&mut self) {
        self.drawing.begin();
        if let Some(climbing) = &mut self.climbing {
            climbing.begin();
        }
    }

    /// The action that a plan from a state on begins with. Both searches keep what they have for the next state, one step on.
    fn act(&mut self, state: &Values) -> Result<Vec<Choice>, StepError> {
        let mut plan = self.plan(state)?;
        self.drawing.go_on();
        if let Some(climbing) = &mut self.climbing {
            climbing.go_on();
        }
        Ok(if plan.steps.is_empty() {
            Vec::new()
        } else {
            plan.steps.swap_remove(0)
        })
    }
}
