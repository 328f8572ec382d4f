//! The preconditions of all operators, in the order of a tree of common literals.

use herbrand_ground::{ActionId, GroundTask};
use herbrand_limits::{BudgetExhausted, Meter};

use crate::grounded::propositions::id32;
use crate::sliced::plane::{Plane, is_empty, zip};
use crate::sliced::program::Formulas;

/// The preconditions of all operators. Operators that are neighbours share literals, so a literal that a run of operators has
/// in common is read once, and where it holds in no lane, the whole run is passed over:
///
/// ```text
///   at(a)            operators 0 to 5
///   ├ clear(b)       operators 0 to 2
///   │ ├ light(k)     operator 0
///   …
/// ```
#[derive(Debug, Default)]
pub(crate) struct Preconditions {
    nodes: Vec<Node>,
    /// The atoms of the leaves: first the positive, then the negative ones.
    atoms: Vec<u32>,
    /// The conditions that are not a single conjunction.
    formulas: Formulas,
}

/// A node of the tree, in the order of a walk that visits a node before its children.
#[derive(Clone, Copy, Debug)]
enum Node {
    /// A literal that the operators before `operators` have in common. `nodes` is the index of the first node behind them.
    Run {
        depth: u32,
        literal: u32,
        nodes: u32,
        operators: u32,
    },
    /// An operator: the conjunction of the literals above it and of its own.
    Leaf {
        depth: u32,
        start: u32,
        positive: u32,
        end: u32,
    },
    /// An operator with any other condition.
    Formula(u32),
}

/// The number of literals above an operator, at most.
const DEPTH: usize = 6;

/// The number of literals of an operator that are looked at for a run.
const CANDIDATES: usize = 16;

/// The conjunctions from which nodes are made: the literals of each operator that are not above it; `None` for an operator
/// whose precondition is not a single conjunction.
struct Rest<'a> {
    task: &'a GroundTask,
    literals: Vec<Option<Vec<u32>>>,
}

impl Preconditions {
    /// Compiles the preconditions of a task.
    pub(crate) fn new(task: &GroundTask, meter: &mut Meter) -> Result<Self, BudgetExhausted> {
        let literals = task.actions.ids().map(|id| {
            let mut conjunctions = task.conditions.conjunctions(task.actions.get(id).precondition);
            let (only, None) = (conjunctions.next()?, conjunctions.next()) else {
                return None;
            };
            let literals = task.conditions.get(only).literals.iter();
            let mut literals: Vec<u32> = literals.map(|literal| id32(literal.index())).collect();
            literals.sort_unstable();
            literals.dedup();
            Some(literals)
        });
        let mut rest = Rest {
            literals: literals.collect(),
            task,
        };
        let mut this = Self::default();
        this.add(&mut rest, 0..task.actions.len(), 0, meter)?;
        let nodes = this.nodes.len() * size_of::<Node>() + 4 * this.atoms.len();
        meter.charge(nodes as u64 + this.formulas.bytes());
        Ok(this)
    }

    /// Adds the nodes of some operators below `depth` common literals.
    fn add(
        &mut self,
        rest: &mut Rest<'_>,
        operators: std::ops::Range<usize>,
        depth: usize,
        meter: &mut Meter,
    ) -> Result<(), BudgetExhausted> {
        let mut next = operators.start;
        while next < operators.end {
            if !meter.work(1) {
                meter.check()?;
            }
            let Some(own) = &rest.literals[next] else {
                let action = rest.task.actions.get(ActionId::from_index(next));
                self.nodes.push(Node::Formula(self.formulas.len()));
                self.formulas.condition(rest.task, action.precondition);
                next += 1;
                continue;
            };
            let end = |literal: u32| {
                let mut others = next + 1..operators.end;
                let lacks = |other: &usize| {
                    let literals = rest.literals[*other].as_ref();
                    !literals.is_some_and(|literals| literals.contains(&literal))
                };
                others.find(lacks).unwrap_or(operators.end)
            };
            let candidates = own
                .iter()
                .take(CANDIDATES)
                .map(|&literal| (end(literal), literal));
            let longest = candidates.max_by_key(|&(end, literal)| (end, std::cmp::Reverse(literal)));
            match longest.filter(|&(end, _)| end > next + 1 && depth < DEPTH) {
                Some((end, literal)) => {
                    for own in rest.literals[next..end].iter_mut().flatten() {
                        own.retain(|&other| other != literal);
                    }
                    let index = self.nodes.len();
                    let run = |nodes: usize| Node::Run {
                        depth: id32(depth),
                        literal,
                        nodes: id32(nodes),
                        operators: id32(end),
                    };
                    self.nodes.push(run(0));
                    self.add(rest, next..end, depth + 1, meter)?;
                    self.nodes[index] = run(self.nodes.len());
                    next = end;
                }
                None => {
                    let start = id32(self.atoms.len());
                    let atoms = |negative: bool| {
                        let chosen = own
                            .iter()
                            .filter(move |literal| literal.is_multiple_of(2) != negative);
                        chosen.map(|literal| literal / 2)
                    };
                    self.atoms.extend(atoms(false));
                    let positive = id32(self.atoms.len());
                    self.atoms.extend(atoms(true));
                    self.nodes.push(Node::Leaf {
                        depth: id32(depth),
                        start,
                        positive,
                        end: id32(self.atoms.len()),
                    });
                    next += 1;
                }
            }
        }
        Ok(())
    }

    /// Writes the lanes in which each operator is valid to `valid`. Calls `passed` again and again with
    /// `valid`, the number of operators done, and whether the last of them may be valid, unless it was done before; at the
    /// end with the length of `valid`, whose rest is not written.
    #[inline(always)]
    pub(crate) fn write<const N: usize>(
        &self,
        planes: &[Plane<N>],
        valid: &mut [Plane<N>],
        mut passed: impl FnMut(&[Plane<N>], usize, bool),
    ) {
        let mut above = [[u64::MAX; N]; DEPTH + 1];
        let (mut at, mut operator) = (0, 0);
        // One call of `passed`, so that it is inlined.
        loop {
            let node = self.nodes.get(at);
            at += 1;
            let mut occurs = false;
            match node {
                Some(&Node::Run {
                    depth,
                    literal,
                    nodes,
                    operators,
                }) => {
                    let depth = depth as usize;
                    let negated = u64::from(literal % 2).wrapping_neg();
                    let plane = &planes[literal as usize / 2];
                    let all = zip(&above[depth], plane, |outer, plane| outer & (plane ^ negated));
                    above[depth + 1] = all;
                    if is_empty(&all) {
                        at = nodes as usize;
                        valid[operator..operators as usize].fill([0; N]);
                        operator = operators as usize;
                    }
                }
                Some(&Node::Leaf {
                    depth,
                    start,
                    positive,
                    end,
                }) => {
                    let mut all = above[depth as usize];
                    for &atom in &self.atoms[start as usize..positive as usize] {
                        let plane = &planes[atom as usize];
                        for word in 0..N {
                            all[word] &= plane[word];
                        }
                    }
                    for &atom in &self.atoms[positive as usize..end as usize] {
                        let plane = &planes[atom as usize];
                        for word in 0..N {
                            all[word] &= !plane[word];
                        }
                    }
                    valid[operator] = all;
                    operator += 1;
                    occurs = true;
                }
                Some(&Node::Formula(formula)) => {
                    valid[operator] = self.formulas.holds(formula as usize, planes);
                    operator += 1;
                    occurs = true;
                }
                None => operator = valid.len(),
            }
            passed(valid, operator, occurs);
            if node.is_none() {
                break;
            }
        }
    }
}
