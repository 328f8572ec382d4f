//! UCT: looking ahead by sampling, in whatever can be stepped and taken back.
//!
//! UCT (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006) samples walks from the state that is to be decided in.
//! In a state that was seen before, a walk takes the action with the highest upper confidence bound (UCB1); it ends in the first
//! state that is new, which is judged. What a walk was worth is added to all actions on its path.
//!
//! A [`Lookahead`] is what walks go through, and says which states are the same; a [`SearchTree`] keeps what they were worth.
//! States that are reached in several ways may have one node.
//!
//! ```text
//!   root ──arm──▶ node ──arm──▶ node ──arm──▶ new node: judged
//!     ◀── reward + discount · worth ◀── … ◀── worth
//! ```

use crate::Random;

/// What UCT looks ahead in: something at a current state. Actions are numbers.
pub trait Lookahead {
    /// What can go wrong.
    type Error;

    /// Goes back to the state that is to be decided in.
    ///
    /// # Errors
    /// When it cannot.
    fn return_to_root(&mut self) -> Result<(), Self::Error>;

    /// The number of the current state, `depth` steps after the root, and whether it is seen for the first time. Numbers count
    /// from 0, the root, in the order in which states are first seen.
    ///
    /// # Errors
    /// When the state has no number.
    fn find(&mut self, depth: usize) -> Result<(usize, bool), Self::Error>;

    /// What there is to be done in the current state, which is new.
    ///
    /// # Errors
    /// When it cannot be told.
    fn look(&mut self, chance: &mut Random) -> Result<Outlook, Self::Error>;

    /// Takes an action of the current state, and returns its reward; `None` where the step has no result, which ends the walk.
    ///
    /// # Errors
    /// When there is no going on.
    fn step(&mut self, action: u32, chance: &mut Random) -> Result<Option<f64>, Self::Error>;

    /// What the current state is worth, which is new and where something can be done: `depth` steps after the root. It may go
    /// elsewhere to find out.
    ///
    /// # Errors
    /// When it cannot be told.
    fn judge(&mut self, depth: usize, outlook: f64, chance: &mut Random) -> Result<f64, Self::Error>;
}

/// What there is to be done in a state.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Outlook {
    /// The actions, in the order in which they are tried; none where a walk ends.
    pub actions: Vec<u32>,
    /// What the state is worth if nothing is tried.
    pub worth: f64,
}

/// How a [`SearchTree`] grows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TreeOptions {
    /// The most steps of a walk.
    pub horizon: usize,
    /// How much walks are drawn to actions that were taken rarely: the factor of the bound in UCB1.
    pub exploration: f64,
    /// What a later reward loses with each step, as a factor.
    pub discount: f64,
    /// What the bound is a part of.
    pub scale: Scale,
}

/// What returns are measured by, so that one factor of exploration fits all problems.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scale {
    /// Returns are between 0 and 1.
    Unit,
    /// In each state, by the range of the returns that were seen from there on.
    Seen,
}

/// What walks were worth.
#[derive(Clone, Debug)]
pub struct SearchTree {
    options: TreeOptions,
    nodes: Vec<Node>,
    /// How many arms all nodes have.
    arms: usize,
    /// The steps of a walk.
    path: Vec<Taken>,
}

/// A state that was seen.
#[derive(Clone, Debug)]
struct Node {
    visits: u32,
    /// Empty where walks end.
    arms: Vec<Arm>,
    worth: f64,
    /// The least and the greatest return from here on.
    low: f64,
    high: f64,
}

/// An action of a state, and what came of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Arm {
    /// The action.
    pub action: u32,
    /// How many walks took it.
    pub visits: u32,
    /// How many of these steps had no result.
    pub refused: u32,
    /// The sum of what these walks were worth from here on.
    pub total: f64,
}

/// One step of a walk.
#[derive(Clone, Copy, Debug)]
struct Taken {
    node: usize,
    arm: usize,
    reward: f64,
}

impl Arm {
    /// What walks were worth on average that took this action; 0 if there were none.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.total / f64::from(self.visits.max(1))
    }
}

impl SearchTree {
    /// An empty tree.
    #[must_use]
    pub const fn new(options: TreeOptions) -> Self {
        Self {
            options,
            nodes: Vec::new(),
            arms: 0,
            path: Vec::new(),
        }
    }

    /// Takes one walk from the root.
    ///
    /// # Errors
    /// What the world that is walked through gives.
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
            if is_new && depth > 0 {
                break world.judge(depth, node.worth, chance)?;
            }
            if depth >= self.options.horizon {
                break 0.0;
            }
            let (arm, action) = self.take(at);
            let Some(reward) = world.step(action, chance)? else {
                self.nodes[at].arms[arm].refused += 1;
                break 0.0;
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

    /// Chooses an arm of a node and puts it on the path. It is counted at once: a walk that comes back to this node takes another
    /// action in the end, rather than the same one round and round to the horizon.
    fn take(&mut self, at: usize) -> (usize, u32) {
        let node = &mut self.nodes[at];
        let arm = node.choose(&self.options);
        node.visits += 1;
        node.arms[arm].visits += 1;
        self.path.push(Taken {
            node: at,
            arm,
            reward: 0.0,
        });
        (arm, node.arms[arm].action)
    }

    /// The node of the world's state, and whether it is new.
    fn find<L: Lookahead + ?Sized>(
        &mut self,
        world: &mut L,
        chance: &mut Random,
    ) -> Result<(usize, bool), L::Error> {
        let (number, is_new) = world.find(self.path.len())?;
        if is_new {
            let Outlook { actions, worth } = world.look(chance)?;
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

    /// What there is to be done at the root, in the order in which it is tried; empty before the first walk.
    #[must_use]
    pub fn arms(&self) -> &[Arm] {
        self.nodes.first().map_or(&[], |root| &root.arms)
    }

    /// How many states were seen.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether none was.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How many bytes the tree takes.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.arms * size_of::<Arm>()
    }
}

impl Node {
    /// The first arm that was never taken, or else the one with the highest upper confidence bound.
    fn choose(&self, options: &TreeOptions) -> usize {
        let log = f64::from(self.visits.max(1)).ln();
        let scale = match options.scale {
            Scale::Seen if self.high > self.low => self.high - self.low,
            // Where all returns are the same, any factor makes walks take all actions in turns.
            Scale::Unit | Scale::Seen => 1.0,
        };
        let factor = options.exploration * scale;
        let (mut best, mut highest) = (0, f64::NEG_INFINITY);
        for (index, arm) in self.arms.iter().enumerate() {
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
