//! Executing the plans of generated problems.

use std::collections::BTreeMap;

use herbrand_env::plan::{self, Plan};
use herbrand_pddl::{Domain, Problem, Requirement, Source};
use herbrand_step::{Simulator, State, compile};

use crate::{GenerateError, Generated, Generator};

/// The most states that are followed through a plan with chance: the likeliest ones.
const MOST_STATES: usize = 1_000;

impl Generated {
    /// Compiles the problem and executes its plan: the probability of the ways that were followed to the goal, 1 for a
    /// domain without chance. With chance, only the likeliest ways are followed where there are many.
    ///
    /// # Errors
    /// When the text is at fault, the goal holds initially, or the plan does not lead to the goal.
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

    /// Without chance there is one way.
    fn execute(&self, simulator: &Simulator) -> Result<f64, GenerateError> {
        let source = Source::new(&self.name, &self.plan_text());
        let plan = Plan::parse(&source).map_err(|_| self.unsolved(None))?;
        let validation = plan::validate(simulator, &plan)?;
        if validation.is_valid() {
            Ok(validation.goal)
        } else {
            Err(self.unsolved(validation.failure))
        }
    }

    /// The likeliest ways in which the plan can go. Where a step is not valid, that way ends.
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
                return Err(self.unsolved(failure(format!("{step} is not valid in any way the plan can go"))));
            }
        }
        let goals = ways.iter().filter(|(state, _)| simulator.is_goal(state));
        Ok(goals.map(|(_, share)| share).sum())
    }
}
