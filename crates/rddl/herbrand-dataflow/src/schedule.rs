//! Scheduling: assigns each node to the innermost branch that contains all its uses. A node that can fail is evaluated only
//! where it is needed, in several branches if necessary.

use fxhash::FxHashMap;
use herbrand_limits::{BudgetExhausted, Meter};

use crate::graph::Graph;
use crate::operation::{BinaryOp, NaryOp, NodeId, Operation, UnaryOp};

/// One side of an `if`, or the whole program (the root).
#[derive(Clone, Debug)]
struct Branch {
    parent: u32,
    depth: u32,
    /// The nodes evaluated in this branch, operands first.
    nodes: Vec<NodeId>,
}

/// The tree of branches of a graph, and the nodes evaluated in each. This is late scheduling as in Click, "Global code
/// motion, global value numbering" (PLDI 1995), restricted to a tree of branches.
///
/// Operands have lower numbers than their users, and the nodes in a branch have lower numbers than its `if`. Hence
/// evaluating each branch in ascending order finds every operand ready.
#[derive(Debug)]
pub(super) struct Schedule {
    branches: Vec<Branch>,
    /// By home and node: the then and otherwise branches of an `if`. Absent if both sides are evaluated beforehand and the
    /// `if` is a plain selection.
    arms: FxHashMap<(u32, NodeId), (u32, u32)>,
    homes: Homes,
    /// By node: whether it is a product computed within the only sum that uses it.
    fused: Vec<bool>,
}

/// The branches in which each node is evaluated, its homes. No home contains another, and no node has both branches of one
/// `if`.
#[derive(Debug)]
struct Homes {
    /// By node: its only home, [`UNUSED`] or [`SEVERAL`].
    only: Vec<u32>,
    several: FxHashMap<u32, Vec<u32>>,
}

/// The node is not used.
const UNUSED: u32 = u32::MAX;

/// The node has several homes.
const SEVERAL: u32 = u32::MAX - 1;

/// The maximum number of branches per node. Beyond it, a node that can fail gets a single home, the innermost branch that
/// contains all its uses.
const BRANCHES_PER_VALUE: usize = 8;

/// The policy that decides which branches are evaluated unconditionally instead of being jumped over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Inlining {
    /// For a single evaluation: evaluates both sides if together they hold only a few cheap nodes.
    One,
    /// For many lanes per pass: evaluates each side that cannot fail and costs little. At least one lane nearly always needs
    /// the side, so the jump would seldom be taken. A side behind an equality of reals keeps its jump, because it is seldom
    /// needed.
    Many,
}

/// With [`Inlining::One`]: the maximum number of nodes, in both sides together, that are evaluated unconditionally.
const INLINE_FOR_ONE: usize = 4;

/// With [`Inlining::Many`]: the maximum cost of a side that is evaluated unconditionally.
const INLINE_FOR_MANY: usize = 12;

/// The cost of a jump with its mask, in nodes. Also the maximum cost of a seldom needed side that is evaluated
/// unconditionally.
const JUMP: usize = 2;

/// The bytes charged per node of the graph: its home, its use count and its fusion flag.
const PER_VALUE: usize = 2 * size_of::<u32>() + size_of::<bool>();

/// The bytes charged per `if` of a branch: two branches and their map entry.
const PER_IF: usize = 2 * (size_of::<Branch>() + size_of::<((u32, NodeId), (u32, u32))>());

/// The bytes charged per node that a branch evaluates, in a list that grows by doubling.
const PER_NODE: usize = 2 * size_of::<NodeId>();

impl Schedule {
    /// Schedules `roots` and their transitive operands.
    ///
    /// # Errors
    /// Fails if the budget of `meter` is exhausted.
    pub(super) fn of(
        graph: &Graph,
        roots: &[NodeId],
        inlining: Inlining,
        meter: &mut Meter,
    ) -> Result<Self, BudgetExhausted> {
        meter.charge((graph.len() * PER_VALUE) as u64);
        meter.check()?;
        let root = Branch {
            parent: 0,
            depth: 0,
            nodes: Vec::new(),
        };
        let mut schedule = Self {
            branches: vec![root],
            arms: FxHashMap::default(),
            homes: Homes {
                only: vec![UNUSED; graph.len()],
                several: FxHashMap::default(),
            },
            fused: vec![false; graph.len()],
        };
        for node in roots {
            schedule.homes.only[node.id as usize] = 0;
        }
        for node in graph.nodes().rev() {
            if meter.is_spent() {
                break;
            }
            match schedule.homes.only[node.id as usize] {
                UNUSED => {}
                SEVERAL => {
                    let homes = schedule.homes.several[&node.id].clone();
                    homes
                        .into_iter()
                        .for_each(|home| schedule.settle(graph, node, home, meter));
                }
                home => schedule.settle(graph, node, home, meter),
            }
        }
        meter.check()?;
        schedule.inline_small_branches(graph, inlining);
        for branch in &mut schedule.branches {
            branch.nodes.sort_unstable();
            branch.nodes.dedup();
        }
        schedule.fuse_products(graph, roots);
        Ok(schedule)
    }

    /// Fuses products into sums, because a sum of products is one instruction. A sum qualifies if at least half of its terms
    /// are products without other uses.
    fn fuse_products(&mut self, graph: &Graph, roots: &[NodeId]) {
        let mut uses = vec![0_u32; graph.len()];
        let mut sums = Vec::new();
        let scheduled = graph
            .nodes()
            .filter(|node| self.homes.only[node.id as usize] != UNUSED);
        for node in scheduled {
            let operation = graph.operation(node);
            operation.operands(|operand| uses[operand.id as usize] += 1);
            if let Operation::Nary(NaryOp::SumReal, terms) = operation {
                sums.push(terms);
            }
        }
        for root in roots {
            uses[root.id as usize] += 1;
        }
        let alone = |&term: &NodeId| {
            let product = matches!(graph.operation(term), Operation::Binary(BinaryOp::MulReal, ..));
            product && uses[term.id as usize] == 1
        };
        for terms in sums {
            let products = terms.iter().copied().filter(alone);
            if 2 * products.clone().count() >= terms.len() {
                products.for_each(|product| self.fused[product.id as usize] = true);
            }
        }
    }

    /// Assigns a node to `home` and records the uses of its operands.
    fn settle(&mut self, graph: &Graph, node: NodeId, home: u32, meter: &mut Meter) {
        meter.charge(PER_NODE as u64);
        self.branches[home as usize].nodes.push(node);
        if let &Operation::If(condition, then, otherwise) = graph.operation(node) {
            meter.charge(PER_IF as u64);
            let arms = (self.add(home), self.add(home));
            self.arms.insert((home, node), arms);
            for (operand, branch) in [(condition, home), (then, arms.0), (otherwise, arms.1)] {
                self.use_in(graph, operand, branch);
            }
            return;
        }
        graph
            .operation(node)
            .operands(|operand| self.use_in(graph, operand, home));
    }

    /// Records a use of a node in `branch`.
    fn use_in(&mut self, graph: &Graph, node: NodeId, branch: u32) {
        let at = node.id as usize;
        let several = self.branches.len() <= BRANCHES_PER_VALUE * graph.len();
        match self.homes.only[at] {
            UNUSED => self.homes.only[at] = branch,
            SEVERAL if several => {
                let mut homes = self.homes.several.remove(&node.id).unwrap_or_default();
                self.add_home(&mut homes, branch);
                self.set_homes(node, homes);
            }
            SEVERAL => {
                let homes = self.homes.several.remove(&node.id).unwrap_or_default();
                let home = homes.into_iter().fold(branch, |a, b| self.shared(a, b));
                self.homes.only[at] = home;
            }
            home if graph.is_fallible(node) && several => {
                let mut homes = vec![home];
                self.add_home(&mut homes, branch);
                self.set_homes(node, homes);
            }
            home => self.homes.only[at] = self.shared(home, branch),
        }
    }

    fn set_homes(&mut self, node: NodeId, homes: Vec<u32>) {
        if let [only] = homes[..] {
            self.homes.only[node.id as usize] = only;
        } else {
            self.homes.only[node.id as usize] = SEVERAL;
            self.homes.several.insert(node.id, homes);
        }
    }

    /// Adds a branch to the homes of a node. If both branches of an `if` are homes, their parent replaces them.
    fn add_home(&self, homes: &mut Vec<u32>, mut branch: u32) {
        while !homes.iter().any(|&home| self.shared(home, branch) == home) {
            homes.retain(|&home| self.shared(home, branch) != branch);
            let Some(other) = homes.iter().position(|&home| home == sibling(branch)) else {
                return homes.push(branch);
            };
            homes.swap_remove(other);
            branch = self.branches[branch as usize].parent;
        }
    }

    fn add(&mut self, parent: u32) -> u32 {
        let depth = self.branches[parent as usize].depth + 1;
        self.branches.push(Branch {
            parent,
            depth,
            nodes: Vec::new(),
        });
        (self.branches.len() - 1) as u32
    }

    /// Returns the innermost branch that contains both.
    fn shared(&self, mut a: u32, mut b: u32) -> u32 {
        while a != b {
            let (x, y) = (&self.branches[a as usize], &self.branches[b as usize]);
            if x.depth >= y.depth {
                a = x.parent;
            }
            if y.depth >= x.depth {
                b = y.parent;
            }
        }
        a
    }

    /// Moves the nodes of cheap branches in front of their `if`, which then needs no jump. Inner branches have higher
    /// numbers, so they come first.
    fn inline_small_branches(&mut self, graph: &Graph, inlining: Inlining) {
        let mut ifs: Vec<_> = self.arms.iter().map(|(&place, &arms)| (place, arms)).collect();
        ifs.sort_unstable_by_key(|&((_, node), arms)| (node, arms));
        let mut total = vec![false; self.branches.len()];
        for (place, (then, otherwise)) in ifs {
            let costs = [then, otherwise].map(|branch| self.cost(graph, branch, inlining, &total));
            (total[then as usize], total[otherwise as usize]) = (costs[0].is_some(), costs[1].is_some());
            let most = match inlining {
                Inlining::One => {
                    let both = costs[0].zip(costs[1]).map(|(one, other)| one + other);
                    [both.filter(|&both| both <= INLINE_FOR_ONE)
                        .map_or(0, |_| INLINE_FOR_ONE); 2]
                }
                Inlining::Many if seldom(graph, place.1) => [JUMP, INLINE_FOR_MANY],
                Inlining::Many => [INLINE_FOR_MANY; 2],
            };
            for ((branch, cost), most) in [then, otherwise].into_iter().zip(costs).zip(most) {
                if cost.is_some_and(|cost| cost <= most) {
                    self.inline(branch, place.0);
                }
            }
            if self.branches[then as usize].nodes.is_empty()
                && self.branches[otherwise as usize].nodes.is_empty()
            {
                self.arms.remove(&place);
            }
        }
    }

    /// Returns the cost of a branch in nodes; `None` if it can fail or is too expensive to be evaluated unconditionally.
    /// `total` tells for each inner branch whether it can be evaluated unconditionally.
    fn cost(&self, graph: &Graph, branch: u32, inlining: Inlining, total: &[bool]) -> Option<usize> {
        let many = inlining == Inlining::Many;
        let mut cost = 0;
        for &node in &self.branches[branch as usize].nodes {
            cost += match (graph.operation(node), self.arms(branch, node)) {
                (Operation::If(..), None) => 1,
                (Operation::If(..), Some((then, otherwise)))
                    if many && total[then as usize] && total[otherwise as usize] =>
                {
                    1 + JUMP
                }
                (Operation::Nary(op, list), _) if many && op.is_fold() => list.len(),
                (operation, None) if operation.is_given() => 0,
                (operation, None) if operation.is_cheap() => 1,
                _ => return None,
            };
        }
        Some(cost)
    }

    /// Moves the nodes of a branch to its parent.
    fn inline(&mut self, branch: u32, around: u32) {
        let mut moved = std::mem::take(&mut self.branches[branch as usize].nodes);
        for &node in &moved {
            if let Some(arms) = self.arms.remove(&(branch, node)) {
                self.arms.insert((around, node), arms);
            }
        }
        self.branches[around as usize].nodes.append(&mut moved);
    }

    /// Returns whether the node is a product computed within the only sum that uses it.
    pub(super) fn is_fused(&self, node: NodeId) -> bool {
        self.fused[node.id as usize]
    }

    /// Returns whether the node is needed by a root.
    pub(super) fn is_used(&self, node: NodeId) -> bool {
        self.homes.only[node.id as usize] != UNUSED
    }

    /// Returns whether the node is evaluated in exactly one branch.
    pub(super) fn has_one_home(&self, node: NodeId) -> bool {
        self.homes.only[node.id as usize] != SEVERAL
    }

    /// Returns the nodes of a branch, operands first.
    pub(super) fn nodes(&self, branch: u32) -> &[NodeId] {
        &self.branches[branch as usize].nodes
    }

    /// Returns the then and otherwise branches of an `if` in `home`; `None` if both sides are evaluated beforehand.
    pub(super) fn arms(&self, home: u32, node: NodeId) -> Option<(u32, u32)> {
        self.arms.get(&(home, node)).copied()
    }
}

/// Returns the other branch of the same `if`. The two have consecutive numbers, after the root's.
const fn sibling(branch: u32) -> u32 {
    if branch % 2 == 1 {
        branch + 1
    } else {
        branch.wrapping_sub(1)
    }
}

/// Returns whether the condition of an `if` seldom holds: an equality of reals, or a sign equal to 0.
fn seldom(graph: &Graph, choice: NodeId) -> bool {
    let &Operation::If(condition, ..) = graph.operation(choice) else {
        return false;
    };
    match *graph.operation(condition) {
        Operation::Binary(BinaryOp::EqReal, ..) => true,
        Operation::Binary(BinaryOp::EqInt, a, b) => [(a, b), (b, a)].into_iter().any(|(sign, zero)| {
            matches!(graph.operation(sign), Operation::Unary(UnaryOp::Sign, _))
                && graph.as_int(zero) == Some(0)
        }),
        _ => false,
    }
}
