//! A portfolio of two planners that take turns: cross-entropy and gradient ascent.
//!
//! In some problems, gradients lead to good plans from afar. In others, with jumps, plateaus or many local optima,
//! sampling does better. A [`Portfolio`] does not need to know which: the planners take turns, the more successful
//! planner gets more turns, and each continues from the other's best plan.
//!
//! ```text
//!   cross-entropy ──▶ best plan ──▶ every second plan of the gradient
//!        ▲                                  │
//!        └─ samples around it ◀─ best plan ◀┘      same random numbers for both
//! ```

use std::sync::Arc;

use herbrand_core::Choice;
use herbrand_limits::{Budget, BudgetExhausted, Instant};
use herbrand_rddl_sim::ground::CompileError;
use herbrand_rddl_sim::simulate::{CompiledInstance, RddlSimulator, StepError, Values};

use crate::gradient::{GradientError, GradientPlanner, Relaxation, Relaxed};
use crate::plan::{EpisodeSteps, PauseCondition, PlanOptions, SamplingPlanner, StraightPlan, replans};

/// The lengths of turns without a time limit.
const DRAWN: u32 = 10;
const ASCENTS: u32 = 50;

/// The maximum number of consecutive turns of one planner, even if it still finds better plans.
const IN_A_ROW: u32 = 3;

/// The spread of sampling around a plan, turn by turn, as a fraction of the initial spread.
const WIDTHS: [f64; 4] = [0.3, 0.1, 0.03, 0.01];

/// A planner that alternates cross-entropy and gradient ascent. It is an [`Agent`](crate::plan::Agent) that replans in each state.
///
/// ```
/// use std::sync::Arc;
/// use herbrand_limits::Budget;
/// use herbrand_rddl_plan::plan::PlanOptions;
/// use herbrand_rddl_plan::portfolio::Portfolio;
/// use herbrand_rddl_sim::suite::RddlSuite;
///
/// let suite = RddlSuite::bundled("rddl/mountain-car")?;
/// let compiled = suite.compiled(0)?;
/// let options = PlanOptions { lookahead: Some(5), iterations: Some(2), ..PlanOptions::default() };
/// let mut portfolio = Portfolio::new(compiled, options, &Budget::unlimited())?;
/// assert_eq!(portfolio.plan(compiled.initial())?.steps.len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Portfolio {
    drawing: SamplingPlanner,
    /// `None` if the problem has no gradients.
    climbing: Option<GradientPlanner>,
    options: PlanOptions,
    episode: EpisodeSteps,
}

/// The planner whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NextPlanner {
    Drawing,
    Climbing,
}

impl Portfolio {
    /// Creates a portfolio for a problem. If the problem has no gradients, or the budget has no time to compile them,
    /// all turns go to cross-entropy. Then call [`plan`](Self::plan).
    ///
    /// # Errors
    /// Fails if the problem is too large, or if the budget or an enclosing one is out of memory or cancelled, or ends
    /// while guards of aggregations are evaluated.
    pub fn new(
        compiled: &Arc<CompiledInstance>,
        options: PlanOptions,
        budget: &Budget,
    ) -> Result<Self, GradientError> {
        let each = PlanOptions {
            candidates: None,
            ..options
        };
        let climbing = match Relaxed::with(&compiled.instance, &Relaxation::new(options.norm), budget) {
            Ok(relaxed) => Some(GradientPlanner::new(Arc::new(relaxed), each)),
            Err(
                GradientError::NoGradient { .. }
                | GradientError::Compile(CompileError::BudgetExhausted(BudgetExhausted::Time { .. })),
            ) => None,
            Err(error @ GradientError::Compile(_)) => return Err(error),
        };
        Ok(Self {
            drawing: SamplingPlanner::new(Arc::clone(compiled), each),
            climbing,
            options,
            episode: EpisodeSteps::new(&compiled.instance),
        })
    }

    /// Searches for a plan from `state` and returns the best plan found by either planner, or the plan that does
    /// nothing if that is better. Both start as the last call left them; [`begin`](crate::plan::Agent::begin) resets them. At least
    /// one turn is taken, even if there are 0 turns or there is no time.
    ///
    /// # Errors
    /// [`StepError::ForeignState`] if the state belongs to another problem. [`StepError::BudgetExhausted`] if an
    /// enclosing budget is cancelled; if its time is over, the best plan so far is returned.
    pub fn plan(&mut self, state: &Values) -> Result<StraightPlan, StepError> {
        let begin = Instant::now();
        if let Some(plan) = StraightPlan::after_end(self.drawing.trials().compiled(), state)? {
            return Ok(plan);
        }
        if self
            .climbing
            .as_mut()
            .is_some_and(|climbing| climbing.prepare().is_err())
        {
            self.climbing = None;
        }
        self.drawing.forget();
        if let Some(climbing) = &mut self.climbing {
            climbing.forget();
        }
        let turns = self.options.iterations.unwrap_or(8).max(1);
        let (mut turn, mut in_a_row) = (NextPlanner::Drawing, 0);
        for number in 0..turns {
            let is_late = self.options.time.is_some_and(|time| begin.elapsed() >= time);
            if number > 0 && is_late {
                break;
            }
            // If a turn took too long, the following turns get less time.
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
                    NextPlanner::Drawing => NextPlanner::Climbing,
                    NextPlanner::Climbing => NextPlanner::Drawing,
                };
            }
        }
        let score = |best: Option<&(f64, Vec<f64>)>| best.map_or(f64::NEG_INFINITY, |best| best.0);
        let drawn = score(self.drawing.best());
        let mut plans = self.drawing.finalists();
        if let Some(climbing) = &mut self.climbing {
            let is_better = score(climbing.best()) > drawn;
            let climbed = climbing.finalists();
            // The best plan comes first.
            let at = if is_better { 0 } else { plans.len() };
            plans.splice(at..at, climbed);
            let simulated = climbing.trials().simulated();
            self.drawing.trials().count(simulated);
        }
        self.drawing.choose(state, &plans)
    }

    /// Takes a turn. Returns whether it found a better plan than before. `is_first` means that the other planner had the
    /// previous turn.
    fn take(
        &mut self,
        turn: NextPlanner,
        is_first: bool,
        number: u32,
        state: &Values,
        time: Option<Instant>,
    ) -> Result<bool, StepError> {
        let until = |iterations| PauseCondition {
            iterations: if time.is_some() { u32::MAX } else { iterations },
            time,
        };
        let drawn = self.drawing.best().cloned();
        let climbed = self.climbing.as_ref().and_then(|one| one.best().cloned());
        let score = |best: &Option<(f64, Vec<f64>)>| best.as_ref().map_or(f64::NEG_INFINITY, |best| best.0);
        let before = score(&drawn).max(score(&climbed));
        Ok(match (turn, &mut self.climbing) {
            (NextPlanner::Climbing, Some(climbing)) => {
                if let Some((_, plan)) = drawn.filter(|drawn| is_first && drawn.0 > score(&climbed)) {
                    climbing.adopt(&plan)?;
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

    /// Resets both planners.
    fn reset(&mut self) {
        self.drawing.reset();
        if let Some(climbing) = &mut self.climbing {
            climbing.reset();
        }
    }

    /// Ends the plans of both planners after `steps` steps at the latest.
    fn end_after(&mut self, steps: usize) {
        self.drawing.end_after(steps);
        if let Some(climbing) = &mut self.climbing {
            climbing.end_after(steps);
        }
    }

    /// Shifts the results of both planners by one step, for the next state.
    fn go_on(&mut self) {
        self.drawing.go_on();
        if let Some(climbing) = &mut self.climbing {
            climbing.go_on();
        }
    }
}

replans!(Portfolio);
