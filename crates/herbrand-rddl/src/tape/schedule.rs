//! Where each value is evaluated: in the innermost branch of `if`s that all its uses share. A value that may be missing is
//! evaluated only where it is needed, if need be in several branches.

use fxhash::FxHashMap;
use herbrand_limits::{Meter, Spent};

use super::graph::Graph;
use super::term::{Binary, Nary, Node, Term, Unary};

/// One branch of an `if`, or the whole step.
#[derive(Clone, Debug)]
struct Branch {
    parent: u32,
    depth: u32,
    /// The values that are evaluated in it, operands first.
    nodes: Vec<Node>,
}

/// The branches of a graph and what is evaluated in each. Late scheduling as in Click, "Global code motion, global value
/// numbering" (PLDI 1995), on a tree of branches.
///
/// Operands have lower numbers than the nodes that use them, and a node in a branch lower numbers than its `if`; so each
/// branch in ascending order has every operand ready.
#[derive(Debug)]
pub(super) struct Schedule {
    branches: Vec<Branch>,
    /// By home and node: the branches of an `if`, then and otherwise; none where it is a plain choice between two ready
    /// values.
    arms: FxHashMap<(u32, Node), (u32, u32)>,
    homes: Homes,
    /// By node: whether it is a product that is computed within the one sum which uses it.
    fused: Vec<bool>,
}

/// The branches in which each value is evaluated: none in another one's reach, and never both of one `if`.
#[derive(Debug)]
struct Homes {
    /// By node: its only home, [`UNUSED`], or [`SEVERAL`].
    only: Vec<u32>,
    several: FxHashMap<u32, Vec<u32>>,
}

/// Not used by anything.
const UNUSED: u32 = u32::MAX;

/// There are several homes.
const SEVERAL: u32 = u32::MAX - 1;

/// A graph has at most this many branches for each of its values. Where a value that may be missing would take more, it is
/// evaluated ahead of the branches that share it.
const BRANCHES_PER_VALUE: usize = 8;

/// Which sides of choices are evaluated whether or not they are needed, instead of being jumped over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Inlining {
    /// For one environment: both sides, if all that they hold is a few cheap values.
    One,
    /// For many environments in one pass: each side that has a value everywhere and costs little. Some environment nearly always
    /// needs it, so that a jump is seldom taken. A side behind an equality of reals is seldom needed at all: it keeps its jump.
    Many,
}

/// For one environment, a choice with at most this many cheap values behind it evaluates both sides.
const INLINE_FOR_ONE: usize = 4;

/// For many environments, a side of at most this many values is evaluated.
const INLINE_FOR_MANY: usize = 12;

/// How many values a jump with its mask costs as much as, and so the most in a side that is seldom needed.
const JUMP: usize = 2;

/// The bytes that are counted for each value of a graph: its home, its uses, and whether it is fused.
const PER_VALUE: usize = 2 * size_of::<u32>() + size_of::<bool>();

/// The bytes that are counted for each `if` of a branch: two branches, and the entry that finds them.
const PER_IF: usize = 2 * (size_of::<Branch>() + size_of::<((u32, Node), (u32, u32))>());

/// The bytes that are counted for each value that a branch evaluates, in a list that grows by doubling.
const PER_NODE: usize = 2 * size_of::<Node>();

impl Schedule {
    /// The schedule of the values that `roots` need.
    ///
    /// # Errors
    /// When the budget of `meter` is spent.
    pub(super) fn of(
        graph: &Graph,
        roots: &[Node],
        inlining: Inlining,
        meter: &mut Meter,
    ) -> Result<Self, Spent> {
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

    /// Finds the sums of which at least half of the terms are products that nothing else uses: a sum of products is one
    /// instruction.
    fn fuse_products(&mut self, graph: &Graph, roots: &[Node]) {
        let mut uses = vec![0_u32; graph.len()];
        let mut sums = Vec::new();
        let scheduled = graph
            .nodes()
            .filter(|node| self.homes.only[node.id as usize] != UNUSED);
        for node in scheduled {
            let term = graph.term(node);
            term.operands(|operand| uses[operand.id as usize] += 1);
            if let Term::Nary(Nary::SumReal, terms) = term {
                sums.push(terms);
            }
        }
        for root in roots {
            uses[root.id as usize] += 1;
        }
        let alone = |&term: &Node| {
            let product = matches!(graph.term(term), Term::Binary(Binary::MulReal, ..));
            product && uses[term.id as usize] == 1
        };
        for terms in sums {
            let products = terms.iter().copied().filter(alone);
            if 2 * products.clone().count() >= terms.len() {
                products.for_each(|product| self.fused[product.id as usize] = true);
            }
        }
    }

    /// Evaluates a node in `home`, and tells its operands where they are used.
    fn settle(&mut self, graph: &Graph, node: Node, home: u32, meter: &mut Meter) {
        meter.charge(PER_NODE as u64);
        self.branches[home as usize].nodes.push(node);
        if let &Term::If(condition, then, otherwise) = graph.term(node) {
            meter.charge(PER_IF as u64);
            let arms = (self.add(home), self.add(home));
            self.arms.insert((home, node), arms);
            for (operand, branch) in [(condition, home), (then, arms.0), (otherwise, arms.1)] {
                self.use_in(graph, operand, branch);
            }
            return;
        }
        graph
            .term(node)
            .operands(|operand| self.use_in(graph, operand, home));
    }

    /// A node is used in `branch`.
    fn use_in(&mut self, graph: &Graph, node: Node, branch: u32) {
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

    fn set_homes(&mut self, node: Node, homes: Vec<u32>) {
        if let [only] = homes[..] {
            self.homes.only[node.id as usize] = only;
        } else {
            self.homes.only[node.id as usize] = SEVERAL;
            self.homes.several.insert(node.id, homes);
        }
    }

    /// Adds a branch to homes. What both branches of an `if` need, the `if` needs in any case.
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

    /// The innermost branch that contains both.
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

    /// Moves what small branches hold in front of their `if`, which then needs no jump. Inner branches have higher numbers, so
    /// they come first.
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

    /// How many values a branch computes; none if it may not be evaluated where it is not needed, or costs too much for that.
    /// `total` says this of the branches within it.
    fn cost(&self, graph: &Graph, branch: u32, inlining: Inlining, total: &[bool]) -> Option<usize> {
        let many = inlining == Inlining::Many;
        let mut cost = 0;
        for &node in &self.branches[branch as usize].nodes {
            cost += match (graph.term(node), self.arms(branch, node)) {
                (Term::If(..), None) => 1,
                (Term::If(..), Some((then, otherwise)))
                    if many && total[then as usize] && total[otherwise as usize] =>
                {
                    1 + JUMP
                }
                (Term::Nary(op, list), _) if many && op.is_fold() => list.len(),
                (term, None) if term.is_given() => 0,
                (term, None) if term.is_cheap() => 1,
                _ => return None,
            };
        }
        Some(cost)
    }

    /// Moves what a branch holds to the branch around it.
    fn inline(&mut self, branch: u32, around: u32) {
        let mut moved = std::mem::take(&mut self.branches[branch as usize].nodes);
        for &node in &moved {
            if let Some(arms) = self.arms.remove(&(branch, node)) {
                self.arms.insert((around, node), arms);
            }
        }
        self.branches[around as usize].nodes.append(&mut moved);
    }

    /// Whether a node is a product that is computed within the sum which uses it.
    pub(super) fn is_fused(&self, node: Node) -> bool {
        self.fused[node.id as usize]
    }

    /// Whether anything needs a node.
    pub(super) fn is_used(&self, node: Node) -> bool {
        self.homes.only[node.id as usize] != UNUSED
    }

    /// Whether a node is evaluated in one branch alone.
    pub(super) fn has_one_home(&self, node: Node) -> bool {
        self.homes.only[node.id as usize] != SEVERAL
    }

    /// The values of a branch, operands first.
    pub(super) fn nodes(&self, branch: u32) -> &[Node] {
        &self.branches[branch as usize].nodes
    }

    /// The two branches of an `if` in `home`, unless both sides are ready there.
    pub(super) fn arms(&self, home: u32, node: Node) -> Option<(u32, u32)> {
        self.arms.get(&(home, node)).copied()
    }
}

/// The other branch of the same `if`: the two are made together, after the root.
const fn sibling(branch: u32) -> u32 {
    if branch % 2 == 1 {
        branch + 1
    } else {
        branch.wrapping_sub(1)
    }
}

/// Whether the condition of a choice seldom holds: it asks for the equality of reals, or of signs.
fn seldom(graph: &Graph, choice: Node) -> bool {
    let &Term::If(condition, ..) = graph.term(choice) else {
        return false;
    };
    match *graph.term(condition) {
        Term::Binary(Binary::EqReal, ..) => true,
        Term::Binary(Binary::EqInt, a, b) => [(a, b), (b, a)].into_iter().any(|(sign, zero)| {
            matches!(graph.term(sign), Term::Unary(Unary::Sign, _)) && graph.as_int(zero) == Some(0)
        }),
        _ => false,
    }
}
