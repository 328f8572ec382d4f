//! UCT: Monte Carlo tree search for problems whose joint actions can be listed.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use fxhash::FxBuildHasher;
use herbrand_core::uct::{Arm, Expansion, Lookahead, Scale, SearchTree, TreeOptions};
use herbrand_core::{Agent, Choice, Digest, Random, System as _, TableError, uniform_below};
use herbrand_limits::{Budget, Limits};
use herbrand_rddl_sim::simulate::{CompiledInstance, Preconditions, RddlSimulator, StepError, Values};

use super::agent::StraightLinePlanner;
use super::episode::EpisodeSteps;
use super::joints::Joints;
use super::risk::Risk;
use super::trial::{BYTES, HELD, Trials, check_bytes, steps, times};
use super::{PlanOptions, StraightPlan};

/// How UCT estimates the value of a state that is new in its tree: by one walk from there to the search depth. An
/// option in [`PlanOptions::leaf`]. The default is [`Random`](Self::Random).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Leaf {
    /// The walk takes random joint actions, as [`RddlSimulator`] samples them.
    #[default]
    Random,
    /// The walk does nothing in every step.
    Idle,
}

/// A planner by UCT: it simulates walks from a state, builds a tree of them ([`SearchTree`]), and takes the joint action
/// with the best mean return.
///
/// Equal states after the same number of steps share a node. From its first new state on, a walk continues as [`Leaf`]
/// says. Every decision starts from an empty tree and derives its random numbers from the state and the seed. Without a
/// time limit, the planner therefore always takes the same action in the same state.
///
/// ```
/// use std::sync::Arc;
/// use herbrand_rddl_plan::plan::{Agent, PlanOptions, UctPlanner};
/// use herbrand_rddl_sim::suite::RddlSuite;
///
/// let suite = RddlSuite::bundled("rddl/cartpole-discrete")?;
/// let compiled = Arc::clone(suite.compiled(0)?);
/// let options = PlanOptions { lookahead: Some(20), iterations: Some(100), ..PlanOptions::default() };
/// let mut planner = UctPlanner::new(Arc::clone(&compiled), options)?;
/// let joint = planner.act(compiled.initial())?.unwrap_or_default();
/// assert!(joint.len() <= 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct UctPlanner {
    options: PlanOptions,
    steps: u32,
    episode: EpisodeSteps,
    trials: Trials,
    world: WalkModel,
}

/// The decision of [`UctPlanner::decide`] for one state, with its statistics. Pass the joint action to a step.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    /// The joint action decided on: the one with the highest mean return. Joint actions after which a walk met a step
    /// without a result, and no other way, come last. Empty if no action is allowed, the episode is over, or doing nothing is best. Of equal means, the
    /// first in the order of joint actions.
    pub joint: Vec<Choice>,
    /// For each joint action tried in the state, in random order: its choices, the number of walks that took it, and
    /// their mean discounted return from here on. A walk that ends at a step without a result does not count.
    pub tried: Vec<(Vec<Choice>, u32, f64)>,
}

impl UctPlanner {
    /// Creates a planner for a problem. It enumerates all joint actions. If there are more than
    /// [`PlanOptions::most_actions`], or an action fluent takes infinitely many ints, the planner lists the valid joint
    /// actions of each state that it visits instead ([`RddlSimulator::list_valid`]). Where they cannot be listed, it
    /// draws up to 64 random ones. Then call [`plan`](Self::plan), or [`decide`](Self::decide) in each state.
    ///
    /// # Errors
    /// [`TableError::Number`] if an action fluent takes reals, and [`TableError::TooMany`] if there are too many joint
    /// actions, both in all and among the valid ones of the initial state.
    pub fn new(compiled: Arc<CompiledInstance>, options: PlanOptions) -> Result<Self, TableError> {
        let preconditions = if options.enforced {
            Preconditions::Refused
        } else {
            Preconditions::Reported
        };
        let simulator = RddlSimulator::new(Arc::clone(&compiled), preconditions);
        let joints = Joints::of(&simulator, options.most_actions)?;
        Ok(Self {
            steps: steps(&compiled.instance, options.lookahead),
            episode: EpisodeSteps::new(&compiled.instance),
            trials: Trials::new(
                Arc::clone(&compiled),
                options.enforced,
                Risk::Neutral,
                options.seed,
            ),
            world: WalkModel {
                root: compiled.initial().clone(),
                simulator,
                joints,
                leaf: options.leaf,
                horizon: 0,
                depth: 0,
                seen: HashMap::default(),
                key_bytes: 0,
                sampled: Vec::new(),
                simulated: 0,
                lowest: 0.0,
            },
            options,
        })
    }

    /// Searches from `state`, up to `steps` steps deep. Returns the best joint action, with statistics of all joint
    /// actions that were tried. The search ends at the limits in the planner's options. The joint action is empty if no
    /// action was tried.
    ///
    /// # Errors
    /// [`StepError::ForeignState`] if the state belongs to another problem. Also fails if an enclosing budget is
    /// exhausted.
    pub fn decide(&mut self, state: &Values, steps: u32) -> Result<Decision, StepError> {
        self.decide_within(state, steps, self.options.time)
    }

    fn decide_within(
        &mut self,
        state: &Values,
        steps: u32,
        time: Option<Duration>,
    ) -> Result<Decision, StepError> {
        let world = &mut self.world;
        world.begin(state, steps)?;
        let mut chance = Random::new(self.options.seed).stream(fingerprint(state, steps));
        let mut tree = SearchTree::new(TreeOptions {
            horizon: steps as usize,
            exploration: self.options.exploration,
            discount: world.simulator.compiled().instance.discount,
            scale: Scale::Seen,
        });
        let budget = Budget::new(Limits {
            bytes: Some(self.options.bytes),
            time,
        });
        for walk in 0..self.options.iterations.unwrap_or(1000).max(1) {
            let bytes = (tree.bytes() + world.bytes()) as u64;
            if walk > 0 && budget.check("looking ahead", bytes).is_err() {
                break;
            }
            tree.walk(world, &mut chance)?;
        }
        let joint = |arm: &Arm| world.joints.joint(arm.action).to_vec();
        let tried = tree.arms().iter().filter(|arm| arm.visits > 0);
        Ok(Decision {
            joint: best(tree.arms()).map(joint).unwrap_or_default(),
            tried: tried.map(|arm| (joint(arm), arm.visits, arm.mean())).collect(),
        })
    }

    /// Plans from a state: takes one decision after another along one sampled future, then evaluates the plan on random
    /// numbers that were not used to select it. In a stochastic problem, [`act`](Agent::act) in each state gives better
    /// returns than a plan. If doing nothing is better than this plan, the plan is to do nothing. A plan always has as
    /// many steps as the lookahead; after the end of the sampled future it does nothing.
    ///
    /// # Errors
    /// [`StepError::ForeignState`] if the state belongs to another problem. Also fails if an enclosing budget is
    /// exhausted.
    pub fn plan(&mut self, state: &Values) -> Result<StraightPlan, StepError> {
        let begin = herbrand_limits::Instant::now();
        if let Some(plan) = StraightPlan::after_end(self.trials.compiled(), state)? {
            return Ok(plan);
        }
        let fields = self.trials.compiled().actions().fields().len();
        // The limit of the options is for the tree, which may have none.
        let of_step = fields.saturating_add(1).saturating_mul(size_of::<f64>());
        check_bytes(
            self.options.bytes.max(BYTES),
            times(&[self.steps as usize, of_step, HELD]),
        )?;
        self.trials.forget();
        self.world.simulated = 0;
        let mut chance = Random::new(self.options.seed).stream(u64::MAX);
        let mut simulator = self.world.simulator.clone();
        simulator.go_to(state)?;
        let mut joints = Vec::new();
        for step in 0..self.steps {
            let status = simulator.current_status();
            if status.terminal || status.broken {
                break;
            }
            let left = self.steps - step;
            let share = self
                .options
                .time
                .map(|time| time.saturating_sub(begin.elapsed()) / left);
            let decision = self.decide_within(simulator.values(), left, share)?;
            let taken = simulator.step(&decision.joint, &mut chance);
            joints.push(decision.joint);
            if taken.is_err() {
                break;
            }
        }
        self.trials.count(self.world.simulated);
        let steps = self.steps as usize;
        let plans = [joints, Vec::new()].map(|joints| self.trials.as_numbers(&joints, steps));
        self.trials.choose(state, &plans, steps)
    }
}

impl Agent<RddlSimulator> for UctPlanner {
    fn begin(&mut self) {
        self.episode.restart();
    }

    /// Returns the decision for a state. The search is as deep as the lookahead, but not beyond the horizon, counted from the
    /// start of the episode.
    fn act(&mut self, state: &Values) -> Result<Option<Vec<Choice>>, StepError> {
        let steps = self.episode.count().left.min(self.steps);
        Ok(Some(self.decide(state, steps)?.joint))
    }
}

/// Returns the arm with the highest mean, preferring arms without refused steps. Ties go to the first in the order of
/// joint actions.
fn best(arms: &[Arm]) -> Option<&Arm> {
    arms.iter().filter(|arm| arm.visits > 0).max_by(|one, other| {
        let sound = |arm: &Arm| arm.refused == 0;
        let by_mean = sound(one)
            .cmp(&sound(other))
            .then(one.mean().total_cmp(&other.mean()));
        by_mean.then(other.action.cmp(&one.action))
    })
}

/// Returns a hash of the state and the number of steps, the same on every platform.
fn fingerprint(state: &Values, steps: u32) -> u64 {
    let mut digest = Digest::new(u64::from(steps));
    for bytes in state.pack().chunks(8) {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        digest.add(u64::from_le_bytes(word));
    }
    digest.finish()
}

/// The model that walks go through: a simulator with numbered joint actions.
#[derive(Clone, Debug)]
struct WalkModel {
    simulator: RddlSimulator,
    joints: Joints,
    leaf: Leaf,
    root: Values,
    /// The maximum depth. Later steps do not count.
    horizon: u32,
    /// The number of steps from the root to the current state.
    depth: usize,
    /// By number of steps and state: the number of the node.
    seen: HashMap<Vec<u8>, usize, FxBuildHasher>,
    key_bytes: usize,
    /// A sampled joint action.
    sampled: Vec<Choice>,
    simulated: u64,
    /// The lowest reward of a step of the search, at most 0.
    lowest: f64,
}

impl WalkModel {
    fn begin(&mut self, state: &Values, steps: u32) -> Result<(), StepError> {
        self.simulator.go_to(state)?;
        self.root.clone_from(state);
        self.horizon = steps;
        self.seen.clear();
        self.key_bytes = 0;
        self.lowest = 0.0;
        self.joints.clear();
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.key_bytes + self.seen.capacity() * size_of::<(Vec<u8>, usize)>() + self.joints.bytes()
    }

    fn is_over(&self) -> bool {
        let status = self.simulator.current_status();
        status.terminal || status.broken || self.depth >= self.horizon as usize
    }
}

/// Takes a step; `None` if it is refused or has no value, and if its reward is no finite number.
///
/// # Errors
/// Fails if an enclosing budget is exhausted.
fn reward(
    simulator: &mut RddlSimulator,
    joint: &[Choice],
    chance: &mut Random,
) -> Result<Option<f64>, StepError> {
    match simulator.step(joint, chance) {
        Ok(transition) => Ok(Some(transition.reward).filter(|reward| reward.is_finite())),
        Err(error @ StepError::BudgetExhausted(_)) => Err(error),
        Err(_) => Ok(None),
    }
}

impl Lookahead for WalkModel {
    type Error = StepError;

    fn return_to_root(&mut self) -> Result<(), StepError> {
        self.simulator.go_to(&self.root)
    }

    fn find(&mut self, depth: usize) -> Result<(usize, bool), StepError> {
        self.depth = depth;
        let mut key = self.simulator.values().pack();
        key.extend_from_slice(&(depth as u64).to_le_bytes());
        let next = self.seen.len();
        let bytes = key.capacity();
        let number = *self.seen.entry(key).or_insert(next);
        if number == next {
            self.key_bytes += bytes;
        }
        Ok((number, number == next))
    }

    /// In random order, so that no action benefits from being tried first.
    fn look(&mut self, chance: &mut Random) -> Result<Expansion, StepError> {
        if self.is_over() {
            return Ok(Expansion::default());
        }
        let mut actions = self.joints.valid(&self.simulator, chance);
        for last in (1..actions.len()).rev() {
            let other = uniform_below(chance, last as u32 + 1) as usize;
            actions.swap(last, other);
        }
        Ok(Expansion { actions, worth: 0.0 })
    }

    fn step(&mut self, action: u32, chance: &mut Random) -> Result<Option<f64>, StepError> {
        self.simulated += 1;
        let reward = reward(&mut self.simulator, self.joints.joint(action), chance)?;
        self.lowest = reward.map_or(self.lowest, |reward| self.lowest.min(reward));
        Ok(reward)
    }

    fn judge(&mut self, _depth: usize, _outlook: f64, chance: &mut Random) -> Result<f64, StepError> {
        let discount = self.simulator.compiled().instance.discount;
        let (mut total, mut weight) = (0.0, 1.0);
        let mut joint = std::mem::take(&mut self.sampled);
        while !self.is_over() {
            joint.clear();
            if self.leaf == Leaf::Random && !self.simulator.sample(chance, &mut joint) {
                break;
            }
            self.simulated += 1;
            let Some(reward) = reward(&mut self.simulator, &joint, chance)? else {
                // The steps that are left are worth no more than the worst one.
                for _ in self.depth..self.horizon as usize {
                    total += weight * self.lowest;
                    weight *= discount;
                }
                break;
            };
            self.lowest = self.lowest.min(reward);
            self.depth += 1;
            total += weight * reward;
            weight *= discount;
        }
        self.sampled = joint;
        Ok(total)
    }
}

impl StraightLinePlanner for UctPlanner {
    fn plan(&mut self, state: &Values) -> Result<StraightPlan, StepError> {
        Self::plan(self, state)
    }
}
