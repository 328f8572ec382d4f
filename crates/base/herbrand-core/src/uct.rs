//! UCT: search by sampling walks through any system that can be stepped and reset to a root state.
//!
//! UCT (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006) samples walks from the root state. In a known
//! state, a walk takes the action with the highest upper confidence bound (UCB1). The walk ends at the first new state,
//! whose value is estimated. The return of the walk is added to every action on its path.
//!
//! A [`Lookahead`] is the environment of the walks and identifies equal states. A [`SearchTree`] stores the statistics. A
//! state that is reached on several paths may share one node.
//!
//! ```text
//!   root ──arm──▶ node ──arm──▶ node ──arm──▶ new node: judged
//!     ◀── reward + discount · worth ◀── … ◀── worth
//! ```

use crate::random::Random;

/// The system in which [`SearchTree::walk`] samples walks: a root state, and a current state that steps change. A planner
/// implements it. Actions are numbers of the implementor's choice.
pub trait Lookahead {
    /// The error of any of these operations.
    type Error;

    /// Returns to the root state.
    ///
    /// # Errors
    /// Fails if the root cannot be restored.
    fn return_to_root(&mut self) -> Result<(), Self::Error>;

    /// Returns the number of the current state, `depth` steps after the root, and whether the state is new. States are
    /// numbered from 0, the root, in the order of discovery; with other numbers, [`SearchTree::walk`] may panic.
    ///
    /// # Errors
    /// Fails if the state cannot be numbered.
    fn find(&mut self, depth: usize) -> Result<(usize, bool), Self::Error>;

    /// Returns the actions of the current state, which is new, and its default value. Called once per state, after
    /// [`find`](Self::find).
    ///
    /// # Errors
    /// Fails if they cannot be determined.
    fn look(&mut self, chance: &mut Random) -> Result<Expansion, Self::Error>;

    /// Takes an action of the current state and returns its reward. `None` if the step has no result. Then the walk does
    /// not count, and later walks avoid the action in this state.
    ///
    /// # Errors
    /// Fails if the search cannot continue.
    fn step(&mut self, action: u32, chance: &mut Random) -> Result<Option<f64>, Self::Error>;

    /// Estimates the value of the current state, which is new, has actions, and is `depth` steps after the root. The
    /// root itself is never judged. `outlook` is the default value that [`look`](Self::look) returned for it. May
    /// change the current state to do so, for example by a random walk.
    ///
    /// # Errors
    /// Fails if the value cannot be determined.
    fn judge(&mut self, depth: usize, outlook: f64, chance: &mut Random) -> Result<f64, Self::Error>;
}

/// The actions of a state and its default value, returned by [`Lookahead::look`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Expansion {
    /// The actions in the order in which they are tried; empty if a walk ends here.
    pub actions: Vec<u32>,
    /// The default value of the state: its value if no walk continues from it, such as 1 in a goal state.
    pub worth: f64,
}

/// The options of a [`SearchTree`]. Pass them to [`SearchTree::new`]. With a horizon of 0, walks take no step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TreeOptions {
    /// The maximum number of steps of a walk. A walk that ends there in a known state with actions counts 0 from there
    /// on.
    pub horizon: usize,
    /// The exploration factor of UCB1. Larger values favour actions that were taken rarely. With 0, walks take the
    /// action with the largest mean, once each was tried.
    pub exploration: f64,
    /// The factor by which returns are multiplied per step, such as 0.99; with 1, later rewards count like earlier
    /// ones.
    pub discount: f64,
    /// The scale by which the exploration factor is multiplied.
    pub scale: Scale,
}

/// The scale of returns, by which the [exploration factor](TreeOptions::exploration) is multiplied in each state. It
/// makes one factor suitable for problems with small and with large returns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scale {
    /// The constant 1, for problems whose returns are between 0 and 1.
    Unit,
    /// For each state, the difference between the largest and the smallest return observed from there; 1 if all returns
    /// are equal.
    Seen,
}

/// The search tree of UCT, a Monte-Carlo tree search: the statistics of sampled walks from a root state, with the visits
/// and returns of each action of each known state. Call [`walk`](Self::walk) as often as time allows, then choose among
/// [`arms`](Self::arms).
#[derive(Clone, Debug)]
pub struct SearchTree {
    options: TreeOptions,
    nodes: Vec<Node>,
    /// The total number of arms of all nodes.
    arms: usize,
    /// The steps of the current walk.
    path: Vec<WalkStep>,
}

/// The statistics of a known state.
#[derive(Clone, Debug)]
struct Node {
    visits: u32,
    /// Empty if walks end here.
    arms: Vec<Arm>,
    worth: f64,
    /// The smallest and the largest observed return from here on.
    low: f64,
    high: f64,
}

/// An action of a state with the statistics of the walks that took it. The name is that of multi-armed bandits.
/// [`SearchTree::arms`] returns those of the root. Walks that end in a step without a result are not counted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Arm {
    /// The action.
    pub action: u32,
    /// The number of times that walks took the action. A walk that returns to the root counts each time.
    pub visits: u32,
    /// The number of walks that ended because this step had no result ([`Lookahead::step`] returned `None`), or because
    /// no action of the state after it has one. Walks take an action with such walks only if the state has no other.
    pub refused: u32,
    /// The sum of the returns of these walks, counted from this step on and discounted.
    pub total: f64,
}

/// One step of a walk.
#[derive(Clone, Copy, Debug)]
struct WalkStep {
    node: usize,
    arm: usize,
    reward: f64,
}

impl Arm {
    /// Returns the mean return of the walks that took this action; 0 if there were none. Returns are discounted, and
    /// counted from this action on.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.total / f64::from(self.visits.max(1))
    }
}

impl SearchTree {
    /// Creates an empty tree, without walks. Call [`walk`](Self::walk) next.
    #[must_use]
    pub const fn new(options: TreeOptions) -> Self {
        Self {
            options,
            nodes: Vec::new(),
            arms: 0,
            path: Vec::new(),
        }
    }

    /// Samples one walk from the root of `world` and updates the statistics along its path. `chance` draws the outcomes of
    /// steps and the estimates of new states. Every call must get the same `world`, because the tree stores the numbers of
    /// its states and actions.
    ///
    /// # Errors
    /// Returns the error of `world`. The statistics of earlier walks remain; the visits of the failed walk are counted.
    pub fn walk<L: Lookahead + ?Sized>(
        &mut self,
        world: &mut L,
        chance: &mut Random,
    ) -> Result<(), L::Error> {
        world.return_to_root()?;
        self.path.clear();
        let (mut at, mut is_new) = self.find(world, chance)?;
        let mut worth = loop {
            let depth = self.path.len();
            let node = &self.nodes[at];
            if node.arms.is_empty() {
                break node.worth;
            }
            if node.is_stuck() {
                self.refuse();
                return Ok(());
            }
            if is_new && depth > 0 {
                break world.judge(depth, node.worth, chance)?;
            }
            if depth >= self.options.horizon {
                break 0.0;
            }
            let action = self.take(at);
            let Some(reward) = world.step(action, chance)? else {
                self.refuse();
                return Ok(());
            };
            self.path[depth].reward = reward;
            (at, is_new) = self.find(world, chance)?;
        };
        for taken in self.path.iter().rev() {
            worth = taken.reward + self.options.discount * worth;
            let node = &mut self.nodes[taken.node];
            node.arms[taken.arm].total += worth;
            node.low = node.low.min(worth);
            node.high = node.high.max(worth);
        }
        Ok(())
    }

    /// Chooses an arm of a node and appends it to the path. The visit is counted immediately, so that a walk that returns to
    /// this node eventually takes another action instead of cycling until the horizon.
    fn take(&mut self, at: usize) -> u32 {
        let node = &mut self.nodes[at];
        let arm = node.choose(&self.options);
        node.visits += 1;
        node.arms[arm].visits += 1;
        self.path.push(WalkStep {
            node: at,
            arm,
            reward: 0.0,
        });
        node.arms[arm].action
    }

    /// Marks the last action of the path as one without a result, and so on backwards while a state has no other action.
    /// Takes back the visits of the walk.
    fn refuse(&mut self) {
        let mut is_refused = true;
        for taken in self.path.iter().rev() {
            let node = &mut self.nodes[taken.node];
            node.visits -= 1;
            let arm = &mut node.arms[taken.arm];
            arm.visits -= 1;
            arm.refused += u32::from(is_refused);
            is_refused = is_refused && node.is_stuck();
        }
    }

    /// Returns the node of the current state, and whether it is new.
    fn find<L: Lookahead + ?Sized>(
        &mut self,
        world: &mut L,
        chance: &mut Random,
    ) -> Result<(usize, bool), L::Error> {
        let (number, is_new) = world.find(self.path.len())?;
        if is_new {
            let Expansion { actions, worth } = world.look(chance)?;
            let arms = actions.into_iter().map(|action| Arm {
                action,
                visits: 0,
                refused: 0,
                total: 0.0,
            });
            let arms: Vec<Arm> = arms.collect();
            self.arms += arms.len();
            self.nodes.push(Node {
                visits: 0,
                arms,
                worth,
                low: f64::INFINITY,
                high: f64::NEG_INFINITY,
            });
        }
        Ok((number, is_new))
    }

    /// Returns the actions of the root state with their statistics, in the order of [`Expansion::actions`]; empty
    /// before the first walk. Also empty if the root state has no action. Choose the action to take by its visits or
    /// its mean.
    #[must_use]
    pub fn arms(&self) -> &[Arm] {
        self.nodes.first().map_or(&[], |root| &root.arms)
    }

    /// Returns the number of known states, the root included, which each have a node.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether no state is known, as before the first walk.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the size of the nodes and actions of the tree in memory, in bytes.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.arms * size_of::<Arm>()
    }
}

impl Node {
    /// Returns whether every action led to a step without a result.
    fn is_stuck(&self) -> bool {
        !self.arms.is_empty() && self.arms.iter().all(|arm| arm.refused > 0)
    }

    /// Among the arms that always had a result, returns the first arm without visits, or otherwise the arm with the
    /// highest upper confidence bound.
    fn choose(&self, options: &TreeOptions) -> usize {
        let log = f64::from(self.visits.max(1)).ln();
        let scale = match options.scale {
            Scale::Seen if self.high > self.low => self.high - self.low,
            // If all returns are equal, any positive factor makes walks take the actions in turn.
            Scale::Unit | Scale::Seen => 1.0,
        };
        let factor = options.exploration * scale;
        let (mut best, mut highest) = (0, f64::NEG_INFINITY);
        let sound = self.arms.iter().enumerate().filter(|(_, arm)| arm.refused == 0);
        for (index, arm) in sound {
            if arm.visits == 0 {
                return index;
            }
            let bound = arm.mean() + factor * (log / f64::from(arm.visits)).sqrt();
            if bound > highest {
                (best, highest) = (index, bound);
            }
        }
        best
    }
}
