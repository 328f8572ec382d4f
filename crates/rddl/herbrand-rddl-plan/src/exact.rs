//! Optimal policies of small problems, by dynamic programming over all states.

use std::sync::Arc;

use herbrand_core::{Agent, Choice, SpaceLimit};
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_rddl::Instance;
use herbrand_rddl_sim::simulate::{CompiledInstance, Preconditions, RddlSimulator, StepError, Values};
use thiserror::Error;

use crate::plan::steps;
use crate::space::{RddlSpaceError, RddlSpaceOptions, RddlStateSpace};

/// Differences of probabilities below this are rounding errors.
const SAME: f64 = 1e-9;

/// The number of states between checks of the budget.
const CHECKED: usize = 1 << 12;

/// An optimal policy for a number of steps from the initial state: for each step and state, the joint action with the
/// greatest expected discounted return, by backward induction (Bellman, "Dynamic Programming", 1957).
///
/// Joint actions satisfy the preconditions. Of those, the policy takes one with the smallest probability that a state
/// invariant breaks in the remaining steps; equal probabilities are decided by the return. It reads the state, also of problems
/// with partial observations. As an [`Agent`], it gives up in states that it does not know and after the last step.
///
/// ```
/// use std::sync::Arc;
///
/// use herbrand_limits::Budget;
/// use herbrand_rddl::Instance;
/// use herbrand_rddl_plan::exact::ExactPolicy;
///
/// let domain = "domain lamp {
///     pvariables {
///         lit : { state-fluent, bool, default = false };
///         press : { action-fluent, bool, default = false };
///     };
///     cpfs { lit' = if (press) then Bernoulli(0.75) else lit; };
///     reward = lit;
/// }";
/// let instance = Instance::from_text(domain, "instance i { domain = lamp; horizon = 3; discount = 1.0; }")?;
/// let policy = ExactPolicy::solve(&Arc::new(instance), None, &Budget::unlimited())?;
/// // Press until the lamp is lit: 0.75 after the first step, and 0.9375 after the second.
/// assert_eq!(policy.value(), 0.75 + 0.9375);
/// assert_eq!(policy.joint(0, policy.compiled().initial()).map(<[_]>::len), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ExactPolicy {
    space: RddlStateSpace,
    /// By step and expanded state: the number of the joint action; [`NONE`] in a state without valid ones.
    joints: Vec<u32>,
    steps: u32,
    value: f64,
    broken: f64,
    /// The number of steps taken in the current episode.
    elapsed: u32,
}

/// The number of no joint action.
const NONE: u32 = u32::MAX;

/// The reason why [`ExactPolicy::solve`] found no policy.
#[derive(Debug, Error)]
pub enum ExactPolicyError {
    /// The states cannot be enumerated.
    #[error(transparent)]
    Space(#[from] RddlSpaceError),
    /// There are too many states for a limit.
    #[error("not all states are enumerated: {limit} after {states} states")]
    TooManyStates {
        /// The limit that was reached.
        limit: SpaceLimit,
        /// The number of states found.
        states: usize,
    },
    /// The budget is exhausted.
    #[error("{0}")]
    BudgetExhausted(#[from] BudgetExhausted),
}

/// The probability that an invariant breaks in the steps to go, and the expected return of these steps.
#[derive(Clone, Copy, Debug)]
struct Outlook {
    broken: f64,
    value: f64,
}

impl Outlook {
    fn is_better(&self, other: &Self) -> bool {
        if (self.broken - other.broken).abs() < SAME {
            self.value > other.value
        } else {
            self.broken < other.broken
        }
    }
}

impl ExactPolicy {
    /// Computes the policy for `lookahead` steps; `None` means the horizon, or 100 if that is infinite.
    ///
    /// # Errors
    /// Fails like [`RddlStateSpace::explore`]; if there are too many states within these steps; and if the budget, which holds
    /// the states and the policy, is exhausted.
    pub fn solve(
        instance: &Arc<Instance>,
        lookahead: Option<u32>,
        budget: &Budget,
    ) -> Result<Self, ExactPolicyError> {
        let horizon = steps(instance, lookahead);
        let options = RddlSpaceOptions {
            steps: Some(horizon),
            ..RddlSpaceOptions::default()
        };
        let space = RddlStateSpace::explore(instance, &options, budget)?;
        if let Some(limit) = space
            .graph
            .limit
            .filter(|limit| !matches!(limit, SpaceLimit::Steps(_)))
        {
            return Err(ExactPolicyError::TooManyStates {
                limit,
                states: space.len(),
            });
        }
        let expanded = space.graph.expanded as usize;
        let mut meter = budget.meter("computing the optimal policy");
        let numbers = expanded * horizon as usize;
        meter.hold(
            (space.bytes() + numbers * size_of::<u32>() + 2 * space.len() * size_of::<Outlook>()) as u64,
        );
        meter.check()?;
        let mut outlooks = ends(&space)?;
        let mut joints = vec![NONE; numbers];
        let mut before = outlooks.clone();
        for step in (0..horizon as usize).rev() {
            for state in 0..expanded {
                if state % CHECKED == 0 {
                    meter.check()?;
                }
                let choices = space.graph.choices(state as u32);
                let mut best: Option<(Outlook, u32)> = None;
                for choice in choices {
                    let outlook = expected(&space, choice, &outlooks);
                    if best.as_ref().is_none_or(|(other, _)| outlook.is_better(other)) {
                        best = Some((outlook, space.graph.actions[choice as usize]));
                    }
                }
                if let Some((outlook, joint)) = best {
                    before[state] = outlook;
                    joints[step * expanded + state] = joint;
                }
            }
            std::mem::swap(&mut outlooks, &mut before);
        }
        let start = space.number(space.compiled().initial()).unwrap_or_default();
        let Outlook { broken, value } = outlooks[start];
        Ok(Self {
            space,
            joints,
            steps: horizon,
            value,
            broken,
            elapsed: 0,
        })
    }

    /// Returns the expected discounted return of the policy from the initial state. No policy has a greater one, unless it
    /// breaks state invariants with a greater probability or violates preconditions.
    #[must_use]
    pub const fn value(&self) -> f64 {
        self.value
    }

    /// Returns the probability that a state invariant breaks in an episode of the policy.
    #[must_use]
    pub const fn broken(&self) -> f64 {
        self.broken
    }

    /// Returns the number of states within the steps of the policy.
    #[must_use]
    pub fn states(&self) -> usize {
        self.space.len()
    }

    /// Returns a state by number, below [`states`](Self::states); `None` beyond.
    pub(crate) fn state(&self, number: usize) -> Option<Values> {
        self.space.state(number)
    }

    /// Returns the number of steps of the policy.
    #[must_use]
    pub const fn steps(&self) -> u32 {
        self.steps
    }

    /// Returns the compiled problem, to which the states belong.
    #[must_use]
    pub const fn compiled(&self) -> &Arc<CompiledInstance> {
        self.space.compiled()
    }

    /// Returns the joint action after `step` steps in a state: its choices that differ from the defaults. `None` if the state
    /// is not reached then, the episode ends in it, or no joint action is valid.
    #[must_use]
    pub fn joint(&self, step: u32, state: &Values) -> Option<&[Choice]> {
        let state = self.space.number(state)?;
        let expanded = self.space.graph.expanded as usize;
        if step >= self.steps || state >= expanded {
            return None;
        }
        match self.joints[step as usize * expanded + state] {
            NONE => None,
            number => Some(self.space.joints.joint(number as usize)),
        }
    }
}

impl Agent<RddlSimulator> for ExactPolicy {
    fn begin(&mut self) {
        self.elapsed = 0;
    }

    fn act(&mut self, state: &Values) -> Result<Option<Vec<Choice>>, StepError> {
        let joint = self.joint(self.elapsed, state).map(<[Choice]>::to_vec);
        self.elapsed += 1;
        Ok(joint)
    }
}

/// Returns the outlook of each state after the last step.
fn ends(space: &RddlStateSpace) -> Result<Vec<Outlook>, RddlSpaceError> {
    let mut simulator = RddlSimulator::new(Arc::clone(space.compiled()), Preconditions::Refused);
    let mut outlooks = Vec::with_capacity(space.len());
    for state in (0..space.len()).filter_map(|number| space.state(number)) {
        simulator.go_to(&state)?;
        let broken = f64::from(u8::from(simulator.current_status().broken));
        outlooks.push(Outlook { broken, value: 0.0 });
    }
    Ok(outlooks)
}

/// Returns the outlook of a choice, given those of its successors.
fn expected(space: &RddlStateSpace, choice: u32, outlooks: &[Outlook]) -> Outlook {
    let (graph, discount) = (&space.graph, space.compiled().instance.discount);
    let mut sum = Outlook {
        broken: 0.0,
        value: 0.0,
    };
    for outcome in graph.outcomes(choice) {
        let probability = graph.probability(outcome);
        let after = outlooks[graph.targets[outcome as usize] as usize];
        sum.broken += probability * after.broken;
        sum.value += probability * (discount * after.value - graph.cost(outcome));
    }
    sum
}
