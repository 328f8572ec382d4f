//! The step list of a ground task: the computations of a step, as formulas over planes.

use herbrand_ground::{BlockId, ConditionId, ConjunctionId, GroundTask};
use herbrand_limits::{Budget, Meter};
use herbrand_pddl::AssignOperator;

use crate::grounded::axioms::Axioms;
use crate::grounded::lists::Lists;
use crate::grounded::simulator::Simulator;
use crate::grounded::state::ClosedState;
use crate::sliced::effects::Effects;
use crate::sliced::error::SlicedError;
use crate::sliced::plane::{DIGITS, Plane};
use crate::sliced::preconditions::Preconditions;

/// The largest number of ground operators: the number of an operator has at most [`DIGITS`] digits, and one number is left
/// over for no operator.
pub(crate) const MOST_OPERATORS: usize = (1 << DIGITS) - 1;

/// The step list of a task.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) simulator: Simulator,
    pub(crate) preconditions: Preconditions,
    /// The goal, as the only formula.
    pub(crate) goal: Formulas,
    /// The bodies of the axioms of maintained derived atoms, in groups whose atoms depend on themselves and earlier groups.
    pub(crate) bodies: Formulas,
    /// The atom that each body derives.
    pub(crate) heads: Vec<u32>,
    pub(crate) strata: Vec<Stratum>,
    /// For each derived atom, counted from the first, the rules of its own group that read it.
    pub(crate) readers: Lists<u32>,
    pub(crate) effects: Effects,
    /// Whether a reset draws the initial state.
    pub(crate) draws_initial: bool,
    /// The memory of the program in bytes.
    pub(crate) bytes: u64,
}

/// A group of axioms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stratum {
    /// The end of its rules; they begin at the end of the group before.
    pub(crate) end: usize,
    /// Whether its atoms depend on themselves, so that its rules are repeated until nothing changes.
    pub(crate) recursive: bool,
}

/// Conditions in disjunctive normal form over atoms.
#[derive(Debug, Default)]
pub(crate) struct Formulas {
    /// The end of the conjunctions of each formula.
    ends: Vec<u32>,
    /// For each conjunction, the number of its positive literals, which come first.
    positive: Vec<u32>,
    /// The atoms of each conjunction.
    atoms: Lists<u32>,
}

impl Formulas {
    fn push(&mut self, task: &GroundTask, conjunctions: impl Iterator<Item = ConjunctionId>) {
        for id in conjunctions {
            let literals = task.conditions.get(id).literals.iter();
            let atoms = |negative: bool| {
                let chosen = literals
                    .clone()
                    .filter(move |literal| literal.is_negative() == negative);
                let mut atoms: Vec<u32> = chosen.map(|literal| literal.atom().number()).collect();
                atoms.sort_unstable();
                atoms.dedup();
                atoms
            };
            let (positive, negative) = (atoms(false), atoms(true));
            self.positive.push(positive.len() as u32);
            self.atoms.push(positive.into_iter().chain(negative));
        }
        self.ends.push(self.atoms.len() as u32);
    }

    pub(crate) fn condition(&mut self, task: &GroundTask, id: ConditionId) {
        self.push(task, task.conditions.conjunctions(id));
    }

    /// Returns the number of formulas.
    pub(crate) fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    pub(crate) fn bytes(&self) -> u64 {
        4 * (self.ends.len() + 2 * self.positive.len() + self.atoms.items_len()) as u64
    }

    /// Returns the conjunctions of a formula: the positive and the negative atoms of each.
    pub(crate) fn conjunctions(&self, index: usize) -> impl Iterator<Item = (&[u32], &[u32])> {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        (start..self.ends[index]).map(|conjunction| {
            let positive = self.positive[conjunction as usize];
            self.atoms.get(conjunction as usize).split_at(positive as usize)
        })
    }

    /// Returns the lanes in which a formula holds.
    #[inline(always)]
    pub(crate) fn holds<const N: usize>(&self, index: usize, planes: &[Plane<N>]) -> Plane<N> {
        let start = if index == 0 {
            0
        } else {
            self.ends[index - 1] as usize
        };
        let end = self.ends[index] as usize;
        let mut any = [0; N];
        for conjunction in start..end {
            let (positive, negative) = self
                .atoms
                .get(conjunction)
                .split_at(self.positive[conjunction] as usize);
            let mut all = [u64::MAX; N];
            for &atom in positive {
                let plane = &planes[atom as usize];
                for word in 0..N {
                    all[word] &= plane[word];
                }
            }
            for &atom in negative {
                let plane = &planes[atom as usize];
                for word in 0..N {
                    all[word] &= !plane[word];
                }
            }
            if end - start == 1 {
                return all;
            }
            for word in 0..N {
                any[word] |= all[word];
            }
        }
        any
    }
}

impl Program {
    /// Compiles the step list of the task of `simulator`, within `budget`.
    pub(crate) fn new(simulator: &Simulator, budget: &Budget) -> Result<Self, SlicedError> {
        let task = simulator.task();
        let mut meter = budget.meter("compiling the bit-sliced step list");
        let closed = simulator.close(simulator.initial());
        check(simulator, &closed, &mut meter)?;
        let preconditions = Preconditions::new(task, &mut meter)?;
        let effects = Effects::new(simulator, &closed, &mut meter)?;
        let mut goal = Formulas::default();
        goal.condition(task, task.goal);
        let (heads, bodies, strata, readers) = rules(task, &simulator.tables().axioms);
        let mut this = Self {
            simulator: simulator.clone(),
            preconditions,
            goal,
            bodies,
            heads,
            strata,
            readers,
            effects,
            draws_initial: !simulator.starts_certainly(),
            bytes: 0,
        };
        meter.charge(this.bodies.bytes() + this.goal.bytes());
        this.bytes = meter.finish()?;
        Ok(this)
    }
}

impl Program {
    /// Returns the number of operators.
    #[inline(always)]
    pub(crate) fn operators(&self) -> usize {
        self.effects.rewards.len()
    }

    /// Returns the number of digits of the number of valid operators.
    #[inline(always)]
    pub(crate) fn width(&self) -> usize {
        (usize::BITS - self.operators().leading_zeros()) as usize
    }
}

/// Returns the heads and bodies of the maintained axioms by groups, the groups, and for each derived atom the rules of its
/// own group that read it.
fn rules(task: &GroundTask, axioms: &Axioms) -> (Vec<u32>, Formulas, Vec<Stratum>, Lists<u32>) {
    let mut order: Vec<usize> = (0..axioms.heads.len()).collect();
    let group = |rule: usize| axioms.component[axioms.heads[rule] as usize];
    order.sort_by_key(|&rule| group(rule));
    let (mut heads, mut bodies, mut strata) = (Vec::new(), Formulas::default(), Vec::<Stratum>::new());
    // The maintained axioms are those of the task whose heads are needed, in the same order.
    let kept = task.axioms.iter().filter(|axiom| {
        let head = axiom.head.number() - axioms.fluents;
        axioms.needed.get(head as usize)
    });
    let kept: Vec<_> = kept.collect();
    for same in order.chunk_by(|&one, &other| group(one) == group(other)) {
        for &rule in same {
            heads.push(kept[rule].head.number());
            bodies.push(task, std::iter::once(kept[rule].body));
        }
        strata.push(Stratum {
            end: heads.len(),
            recursive: axioms.recursive[group(same[0]) as usize],
        });
    }
    let mut places = vec![0; order.len()];
    (0..).zip(&order).for_each(|(place, &rule)| places[rule] = place);
    let readers = axioms.inner.iter();
    let readers = readers.map(|rules| {
        rules
            .iter()
            .map(|&rule| places[rule as usize])
            .collect::<Vec<u32>>()
    });
    (heads, bodies, strata, readers.collect())
}

/// Checks that lanes can have the states of the task and that no step fails.
fn check(simulator: &Simulator, closed: &ClosedState<'_>, meter: &mut Meter) -> Result<(), SlicedError> {
    let task = simulator.task();
    if task.state_numerics > 0 {
        let fluent = task
            .display_numeric(herbrand_ground::NumericId::new(0))
            .to_string();
        return Err(SlicedError::Numbers { fluent });
    }
    if task.conditions.has_comparisons() {
        return Err(SlicedError::Comparisons);
    }
    let actions = task.actions.len();
    if actions > MOST_OPERATORS {
        let limit = MOST_OPERATORS;
        return Err(SlicedError::Actions { actions, limit });
    }
    let blocks = task
        .actions
        .ids()
        .map(|id| (Some(id), task.actions.get(id).effect));
    for (action, block) in blocks.chain([(None, task.initial_chance)]) {
        let (mut pending, mut sum) = (vec![block], 0.0);
        while let Some(id) = pending.pop() {
            let block = task.effects.get(id);
            for assignment in block.assignments {
                let shifts = matches!(
                    assignment.operator,
                    AssignOperator::Increase | AssignOperator::Decrease
                );
                let value = simulator.arithmetic().value(assignment.value, closed);
                sum += value.map_or(f64::NAN, f64::abs);
                if !(shifts && f64::is_finite(sum)) {
                    return Err(SlicedError::Undefined {
                        action: simulator.action_name(action),
                        fluent: task.display_numeric(assignment.target).to_string(),
                    });
                }
            }
            pending.extend(inner(task, id));
            if !meter.work(1) {
                meter.check()?;
            }
        }
    }
    Ok(())
}

/// Returns the blocks inside a block.
fn inner(task: &GroundTask, id: BlockId) -> impl Iterator<Item = BlockId> + '_ {
    let block = task.effects.get(id);
    let conditional = block.whens.iter().map(|&(_, inner)| inner);
    let drawn = block
        .draws
        .iter()
        .flat_map(|&draw| task.effects.draw(draw).blocks);
    conditional.chain(drawn.copied())
}
