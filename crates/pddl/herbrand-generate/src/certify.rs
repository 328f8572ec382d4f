//! Executing the plans of generated problems.

use std::collections::BTreeMap;

use herbrand_env::plan::{self, ParsedPlan};
use herbrand_pddl::{Domain, Problem, Requirement, Source};
use herbrand_step::{Simulator, State, compile};

use crate::error::GenerateError;
use crate::generator::{Generated, Generator};

/// The maximal number of states that are followed through a probabilistic plan. The most likely ones are kept.
const MOST_STATES: usize = 1_000;

impl Generated {
    /// Compiles the problem, executes its plan and returns the probability of reaching the goal, which is 1 in a
    /// deterministic domain. In a probabilistic domain, at most the 1,000 most likely states are followed after each
    /// step, so the result may be a lower bound.
    ///
    /// # Errors
    /// Fails if the text of the problem is invalid or cannot be compiled, if [`domain`](Self::domain) is no bundled
    /// domain, or if the goal holds initially ([`GenerateError::Trivial`]). [`GenerateError::Unsolved`] if the plan
    /// does not reach the goal, in a probabilistic domain with positive probability.
    pub fn certify(&self) -> Result<f64, GenerateError> {
        let files = Generator::get(self.domain)?.files()?;
        let domain = Domain::parse(&files.domain)?;
        let problem = Problem::parse(&Source::new(&self.name, &self.problem), &domain)?;
        let simulator = compile(&domain, &problem)?;
        if simulator.is_goal(&simulator.initial_state()) {
            return Err(GenerateError::Trivial {
                problem: self.name.clone(),
            });
        }
        let has_chance = domain
            .requirements
            .iter()
            .any(|flag| flag == Requirement::ProbabilisticEffects);
        let goal = if has_chance {
            self.follow(&simulator)?
        } else {
            self.execute(&simulator)?
        };
        if goal > 0.0 {
            Ok(goal)
        } else {
            Err(self.unsolved(None))
        }
    }

    fn unsolved(&self, failure: Option<plan::PlanFailure>) -> GenerateError {
        GenerateError::Unsolved {
            problem: self.name.clone(),
            failure,
        }
    }

    /// Executes the plan in a deterministic domain.
    fn execute(&self, simulator: &Simulator) -> Result<f64, GenerateError> {
        let source = Source::new(&self.name, &self.plan_text());
        let plan = ParsedPlan::parse(&source).map_err(|_| self.unsolved(None))?;
        let validation = plan::validate(simulator, &plan)?;
        if validation.is_valid() {
            Ok(validation.goal)
        } else {
            Err(self.unsolved(validation.failure))
        }
    }

    /// Executes the plan in a probabilistic domain and returns the probability of the goal. A state in which the next step
    /// is not applicable is dropped.
    fn follow(&self, simulator: &Simulator) -> Result<f64, GenerateError> {
        let mut ways = vec![(simulator.initial_state(), 1.0)];
        for (number, step) in (1..).zip(&self.plan) {
            let failure = |reason: String| {
                Some(plan::PlanFailure {
                    step: number,
                    line: number,
                    action: step.clone(),
                    reason,
                })
            };
            let action = simulator
                .parse_action(step)
                .map_err(|error| self.unsolved(failure(error.to_string())))?;
            let mut next: BTreeMap<State, f64> = BTreeMap::new();
            for (state, share) in &ways {
                if simulator.is_valid(state, action) {
                    for outcome in simulator.outcomes(state, action)? {
                        *next.entry(outcome.state).or_default() += share * outcome.probability;
                    }
                }
            }
            ways = next.into_iter().collect();
            ways.sort_unstable_by(|(a, p), (b, q)| q.total_cmp(p).then_with(|| a.cmp(b)));
            ways.truncate(MOST_STATES);
            if ways.is_empty() {
                return Err(self.unsolved(failure(format!("{step} is not valid in any outcome of the plan"))));
            }
        }
        let goals = ways.iter().filter(|(state, _)| simulator.is_goal(state));
        Ok(goals.map(|(_, share)| share).sum())
    }
}
