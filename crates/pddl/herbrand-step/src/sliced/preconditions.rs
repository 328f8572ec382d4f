//! The preconditions of all operators, each as the conjunction of two planes.

use fxhash::FxHashMap;
use herbrand_ground::GroundTask;
use herbrand_limits::{BudgetExhausted, Meter};

use crate::grounded::propositions::id32;
use crate::sliced::choice::{BLOCK, COUNT, Count, EIGHT, count_eight};
use crate::sliced::plane::{Plane, is_empty, zip};
use crate::sliced::program::Formulas;

/// The preconditions of all operators. Besides the atoms there are planes that several operators read: of negated atoms, of
/// conditions that are not a single conjunction, and of pairs of planes that hold together. Every operator is the conjunction of
/// two planes, so all take the same instructions without a branch:
///
/// ```text
///   pair 0       clear(b) and empty(hand)
///   pair 1       at(b, k) and pair 0
///   operator 0   on(a, b) and pair 0
///   operator 1   light(k) and pair 1
/// ```
#[derive(Debug, Default)]
pub(crate) struct Preconditions {
    /// The number of atoms. The planes after them are: one of all lanes, one of none, one per item of `negated`, one per formula
    /// and one per pair.
    atoms: usize,
    /// The atoms that operators negate.
    negated: Vec<u32>,
    /// The conditions that are not a single conjunction.
    formulas: Formulas,
    /// Pairs of planes that operators or later pairs read.
    pairs: Vec<[u32; 2]>,
    /// The two planes of each operator; of no lanes beyond the last operator, up to whole blocks.
    operators: Vec<[u32; 2]>,
}

/// The number of planes of an operator that are looked at for pairs.
const CANDIDATES: usize = 8;

/// The number of eights of operators per block.
const EIGHTS: usize = BLOCK / EIGHT;

impl Preconditions {
    /// Compiles the preconditions of a task.
    pub(crate) fn new(task: &GroundTask, meter: &mut Meter) -> Result<Self, BudgetExhausted> {
        let atoms = task.atom_count();
        let (all, none) = (id32(atoms), id32(atoms + 1));
        let mut this = Self {
            atoms,
            ..Self::default()
        };
        // By operator, the literals of a conjunction, or the number of its formula.
        let mut operators: Vec<Result<Vec<u32>, u32>> = Vec::new();
        for id in task.actions.ids() {
            let precondition = task.actions.get(id).precondition;
            let mut conjunctions = task.conditions.conjunctions(precondition);
            operators.push(match (conjunctions.next(), conjunctions.next()) {
                (Some(only), None) => {
                    let literals = task.conditions.get(only).literals.iter();
                    Ok(literals.map(|literal| id32(literal.index())).collect())
                }
                _ => {
                    this.formulas.condition(task, precondition);
                    Err(this.formulas.len() - 1)
                }
            });
        }
        let literals = operators.iter().flatten().flatten();
        this.negated = literals
            .filter(|literal| *literal % 2 == 1)
            .map(|literal| literal / 2)
            .collect();
        this.negated.sort_unstable();
        this.negated.dedup();
        let formulas = none + 1 + id32(this.negated.len());
        let plane = |literal: u32| {
            let place = || this.negated.partition_point(|&atom| atom < literal / 2);
            if literal.is_multiple_of(2) {
                literal / 2
            } else {
                none + 1 + id32(place())
            }
        };
        let planes = operators.into_iter().map(|operator| match operator {
            Ok(literals) => {
                let mut planes: Vec<u32> = literals.into_iter().map(plane).collect();
                planes.sort_unstable();
                planes.dedup();
                planes
            }
            Err(formula) => vec![formulas + formula],
        });
        let mut planes: Vec<Vec<u32>> = planes.collect();
        this.pair(&mut planes, meter)?;
        let pairs = planes.iter().map(|planes| match **planes {
            [] => [all, all],
            [one] => [one, all],
            [one, other, ..] => [one, other],
        });
        this.operators = pairs.collect();
        let whole = planes.len().next_multiple_of(BLOCK);
        this.operators.resize(whole, [none; 2]);
        let numbers = this.negated.len() + 2 * this.pairs.len() + 2 * this.operators.len();
        meter.charge(4 * numbers as u64 + this.formulas.bytes());
        Ok(this)
    }

    /// Replaces pairs of planes of operators that have more than two by one plane, until all have two at most. The pairs that
    /// most operators have are replaced first.
    fn pair(&mut self, operators: &mut [Vec<u32>], meter: &mut Meter) -> Result<(), BudgetExhausted> {
        let first = self.first_pair();
        let mut numbers = FxHashMap::default();
        // The operators that may change.
        let mut open: Vec<&mut Vec<u32>> = operators.iter_mut().collect();
        loop {
            open.retain(|planes| planes.len() > 2);
            let mut frequency: FxHashMap<[u32; 2], u32> = FxHashMap::default();
            for planes in &open {
                each_pair(planes, |pair| *frequency.entry(pair).or_default() += 1);
                if !meter.work(1) {
                    meter.check()?;
                }
            }
            if open.is_empty() {
                return Ok(());
            }
            for planes in &mut open {
                let mut best = (0, std::cmp::Reverse([0; 2]));
                each_pair(planes, |pair| {
                    best = best.max((frequency[&pair], std::cmp::Reverse(pair)))
                });
                let std::cmp::Reverse(pair) = best.1;
                let number = *numbers.entry(pair).or_insert_with(|| {
                    self.pairs.push(pair);
                    id32(first + self.pairs.len() - 1)
                });
                planes.retain(|plane| !pair.contains(plane));
                // The new plane is looked at first.
                planes.insert(0, number);
            }
        }
    }

    /// Returns the number of the first plane of a pair.
    fn first_pair(&self) -> usize {
        self.atoms + 2 + self.negated.len() + self.formulas.len() as usize
    }

    /// Appends the planes of this list to those of the atoms.
    pub(crate) fn append_planes<const N: usize>(&self, planes: &mut Vec<Plane<N>>) {
        planes.push([u64::MAX; N]);
        planes.resize(self.first_pair() + self.pairs.len(), [0; N]);
    }

    /// Writes the lanes in which each operator is valid to `valid`, whole blocks. Calls `counted` with each block of operators:
    /// its number, the eights of its operators that have a valid one in some lane, as bits, and the number of valid ones in each
    /// lane.
    #[inline(always)]
    pub(crate) fn write<const N: usize>(
        &self,
        planes: &mut [Plane<N>],
        valid: &mut [Plane<N>],
        mut counted: impl FnMut(usize, u8, Count<N>),
    ) {
        let mut next = self.atoms + 2;
        for &atom in &self.negated {
            planes[next] = planes[atom as usize].map(|word| !word);
            next += 1;
        }
        for formula in 0..self.formulas.len() as usize {
            planes[next] = self.formulas.holds(formula, planes);
            next += 1;
        }
        for &pair in &self.pairs {
            planes[next] = both(planes, pair);
            next += 1;
        }
        let planes = &*planes;
        let operators = self.operators.as_chunks::<EIGHT>().0.as_chunks::<EIGHTS>().0;
        let valid = valid.as_chunks_mut::<EIGHT>().0.as_chunks_mut::<EIGHTS>().0;
        for (number, (operators, valid)) in operators.iter().zip(valid).enumerate() {
            let (mut count, mut occupied) = ([[0; N]; COUNT], 0);
            for (eight, (operators, valid)) in operators.iter().zip(valid).enumerate() {
                let &[a, b, c, d, e, f, g, h] = operators;
                *valid = [
                    both(planes, a),
                    both(planes, b),
                    both(planes, c),
                    both(planes, d),
                    both(planes, e),
                    both(planes, f),
                    both(planes, g),
                    both(planes, h),
                ];
                occupied |= u8::from(!is_empty(&count_eight(&mut count, valid))) << eight;
            }
            counted(number, occupied, count);
        }
    }
}

/// Calls `visit` with pairs of the first planes of a list.
fn each_pair(planes: &[u32], mut visit: impl FnMut([u32; 2])) {
    let candidates = &planes[..planes.len().min(CANDIDATES)];
    for (place, &one) in candidates.iter().enumerate() {
        for &other in &candidates[place + 1..] {
            visit([one.min(other), one.max(other)]);
        }
    }
}

/// Returns the lanes that are in both planes of a pair.
#[inline(always)]
fn both<const N: usize>(planes: &[Plane<N>], [one, other]: [u32; 2]) -> Plane<N> {
    zip(&planes[one as usize], &planes[other as usize], |one, other| {
        one & other
    })
}
