//! Where each value is evaluated: in the innermost branch of `if`s that all its uses share.

use super::graph::Graph;
use super::term::{Binary, Nary, Node, Term};

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
    /// By node: the branches of an `if`, then and otherwise; 0 where it is a plain choice between two ready values.
    arms: Vec<(u32, u32)>,
    /// By node: whether it is a product that is computed within the one sum which uses it.
    fused: Vec<bool>,
}

/// Not used by anything.
const UNUSED: u32 = u32::MAX;

/// A choice with at most this many cheap values behind it evaluates both sides.
const INLINE: usize = 4;

impl Schedule {
    /// The schedule of the values that `roots` need.
    pub(super) fn of(graph: &Graph, roots: &[Node]) -> Self {
        let root = Branch {
            parent: 0,
            depth: 0,
            nodes: Vec::new(),
        };
        let mut schedule = Self {
            branches: vec![root],
            arms: vec![(0, 0); graph.len()],
            fused: vec![false; graph.len()],
        };
        let mut homes = vec![UNUSED; graph.len()];
        for node in roots {
            homes[node.id as usize] = 0;
        }
        for node in graph.nodes().rev() {
            let home = homes[node.id as usize];
            if home == UNUSED {
                continue;
            }
            schedule.branches[home as usize].nodes.push(node);
            schedule.pass_on(graph, node, home, &mut homes);
        }
        schedule.inline_small_branches(graph);
        for branch in &mut schedule.branches {
            branch.nodes.sort_unstable();
        }
        schedule.fuse_products(graph, roots);
        schedule
    }

    /// Finds the sums of which at least half of the terms are products that nothing else uses: a sum of products is one
    /// instruction.
    fn fuse_products(&mut self, graph: &Graph, roots: &[Node]) {
        let mut uses = vec![0_u32; graph.len()];
        let mut sums = Vec::new();
        let scheduled = self.branches.iter().flat_map(|branch| &branch.nodes);
        for &node in scheduled {
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

    /// Tells the operands of a node where they are used.
    fn pass_on(&mut self, graph: &Graph, node: Node, home: u32, homes: &mut [u32]) {
        if let &Term::If(condition, then, otherwise) = graph.term(node) {
            let arms = (self.add(home), self.add(home));
            self.arms[node.id as usize] = arms;
            for (operand, branch) in [(condition, home), (then, arms.0), (otherwise, arms.1)] {
                let at = &mut homes[operand.id as usize];
                *at = self.shared(*at, branch);
            }
            return;
        }
        graph.term(node).operands(|operand| {
            let at = &mut homes[operand.id as usize];
            *at = self.shared(*at, home);
        });
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
        if a == UNUSED {
            return b;
        }
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

    /// Moves what two small branches hold in front of their `if`, which then needs no jump. Inner branches have higher
    /// numbers, so they come first.
    fn inline_small_branches(&mut self, graph: &Graph) {
        for node in graph.nodes() {
            let (then, otherwise) = self.arms[node.id as usize];
            if then == 0 {
                continue;
            }
            let nodes = |branch: u32| &self.branches[branch as usize].nodes;
            let work = |branch: u32| {
                nodes(branch)
                    .iter()
                    .filter(|node| !graph.term(**node).is_given())
                    .count()
            };
            let inlined = |node: &Node| {
                graph.term(*node).is_cheap() || (self.is_plain(*node) && self.is_choice(graph, *node))
            };
            let cheap = nodes(then).iter().chain(nodes(otherwise)).all(inlined);
            if cheap && work(then) + work(otherwise) <= INLINE {
                self.inline(node, then, otherwise);
            }
        }
    }

    fn inline(&mut self, node: Node, then: u32, otherwise: u32) {
        let parent = self.branches[then as usize].parent;
        let mut moved = std::mem::take(&mut self.branches[then as usize].nodes);
        moved.append(&mut self.branches[otherwise as usize].nodes);
        let home = &mut self.branches[parent as usize].nodes;
        home.append(&mut moved);
        self.arms[node.id as usize] = (0, 0);
    }

    /// Whether a node is a product that is computed within the sum which uses it.
    pub(super) fn is_fused(&self, node: Node) -> bool {
        self.fused[node.id as usize]
    }

    fn is_choice(&self, graph: &Graph, node: Node) -> bool {
        matches!(graph.term(node), Term::If(..))
    }

    /// Whether both sides of an `if` are ready where it stands.
    fn is_plain(&self, node: Node) -> bool {
        self.arms[node.id as usize].0 == 0
    }

    /// The values of a branch, operands first.
    pub(super) fn nodes(&self, branch: u32) -> &[Node] {
        &self.branches[branch as usize].nodes
    }

    /// The two branches of an `if`, unless both sides are ready where it stands.
    pub(super) fn arms(&self, node: Node) -> Option<(u32, u32)> {
        Some(self.arms[node.id as usize]).filter(|&(then, _)| then != 0)
    }
}
