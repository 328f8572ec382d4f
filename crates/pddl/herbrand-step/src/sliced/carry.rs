//! Carrying out operators: their effects, conditions and draws in the lanes that take them.

use herbrand_core::Random;
use herbrand_ground::ActionId;
use rand::Rng;

use crate::grounded::bits::words_for;
use crate::semantics::chance::Sampled;
use crate::semantics::firing::Firing;
use crate::semantics::numbers::Numbers;
use crate::semantics::options::Chance;
use crate::sliced::effects::Mask;
use crate::sliced::lane::{Lane, assign};
use crate::sliced::plane::{Plane, each_lane, widest, zip};
use crate::sliced::program::Program;

/// The operators that lanes carry out together; empty between steps.
#[derive(Clone, Debug)]
pub(crate) struct Carried<const N: usize> {
    /// By operator, the lanes that carry it out.
    lanes: Vec<Plane<N>>,
    /// The operators that some lane carries out, as bits.
    touched: Vec<u64>,
    masks: Vec<Plane<N>>,
}

impl<const N: usize> Carried<N> {
    pub(crate) fn new(program: &Program) -> Self {
        let operators = program.operators();
        Self {
            lanes: vec![[0; N]; operators],
            touched: vec![0; words_for(operators)],
            masks: Vec::with_capacity(program.effects.most_masks),
        }
    }

    /// Adds a lane to the lanes of an operator. Nothing happens if the operator does not exist.
    #[inline(always)]
    pub(crate) fn add(&mut self, lane: usize, operator: usize) {
        if let Some(lanes) = self.lanes.get_mut(operator) {
            lanes[lane / 64] |= 1 << (lane % 64);
            self.touched[operator / 64] |= 1 << (operator % 64);
        }
    }

    /// Carries out each operator in its lanes, in ascending order of operators.
    pub(crate) fn carry_out(&mut self, program: &Program, atoms: &mut [Plane<N>], random: &mut [Random]) {
        let Self {
            lanes,
            touched,
            masks,
        } = self;
        let effects = &program.effects;
        widest(
            #[inline(always)]
            || {
                for (word, bits) in touched.iter_mut().enumerate() {
                    let mut rest = std::mem::take(bits);
                    while rest != 0 {
                        let operator = word * 64 + rest.trailing_zeros() as usize;
                        rest &= rest - 1;
                        let lanes = std::mem::replace(&mut lanes[operator], [0; N]);
                        let further = effects.masks.get(operator);
                        if further.is_empty() {
                            for change in effects.deletes.get(operator) {
                                let plane = &mut atoms[change.atom as usize];
                                *plane = zip(plane, &lanes, |atom, lanes| atom & !lanes);
                            }
                            for change in effects.adds.get(operator) {
                                let plane = &mut atoms[change.atom as usize];
                                *plane = zip(plane, &lanes, |atom, lanes| atom | lanes);
                            }
                            continue;
                        }
                        masks.clear();
                        masks.push(lanes);
                        divide(program, atoms, further, masks, random);
                        for change in effects.deletes.get(operator) {
                            let plane = &mut atoms[change.atom as usize];
                            *plane = zip(plane, &masks[change.mask as usize], |atom, lanes| atom & !lanes);
                        }
                        for change in effects.adds.get(operator) {
                            let plane = &mut atoms[change.atom as usize];
                            *plane = zip(plane, &masks[change.mask as usize], |atom, lanes| atom | lanes);
                        }
                    }
                }
            },
        );
    }
}

/// Appends the masks of an operator after mask 0: conditions read `atoms`, and lanes draw in the order of the masks.
#[inline(always)]
fn divide<const N: usize>(
    program: &Program,
    atoms: &[Plane<N>],
    further: &[Mask],
    masks: &mut Vec<Plane<N>>,
    random: &mut [Random],
) {
    let task = program.simulator.task();
    for mask in further {
        match *mask {
            Mask::When { outer, condition } => {
                let holds = program.effects.conditions.holds(condition as usize, atoms);
                masks.push(zip(&holds, &masks[outer as usize], |holds, lanes| holds & lanes));
            }
            Mask::Drawn { outer, draw } => {
                let draw = task.effects.draw(draw);
                let (lanes, first) = (masks[outer as usize], masks.len());
                masks.resize(first + draw.blocks.len(), [0; N]);
                if program.simulator.options().chance == Chance::MostLikely {
                    if let Some(alternative) = draw.distribution.most_likely() {
                        masks[first + alternative] = lanes;
                    }
                    continue;
                }
                each_lane(&lanes, |lane| {
                    if let Some(alternative) = draw.distribution.draw(random[lane].next_u64()) {
                        masks[first + alternative][lane / 64] |= 1 << (lane % 64);
                    }
                });
            }
        }
    }
}

/// The buffers of operators that are carried out lane by lane, because conditions or draws decide their reward.
#[derive(Clone, Debug, Default)]
pub(crate) struct Alone {
    firing: Firing,
    numbers: Numbers,
    gained: Vec<u32>,
}

impl Alone {
    /// Carries out an operator in one lane, and returns by how much the reward fluent changes.
    pub(crate) fn carry_out<const N: usize>(
        &mut self,
        program: &Program,
        atoms: &mut [Plane<N>],
        lane: usize,
        operator: usize,
        random: &mut Random,
    ) -> f64 {
        let Self {
            firing,
            numbers,
            gained,
        } = self;
        let simulator = &program.simulator;
        let task = simulator.task();
        let world = Lane { atoms: &*atoms, lane };
        firing.clear();
        let mut decide = Sampled {
            holds: |id| simulator.holds(&world, id),
            chance: simulator.options().chance,
            rng: random,
            probability: 1.0,
        };
        let action = task.actions.get(ActionId::from_index(operator));
        firing.collect(&task.effects, action.effect, &mut decide);
        let rewarded = task.reward.filter(|_| !firing.assignments.is_empty());
        let change = rewarded.map_or(0.0, |id| {
            numbers.clear();
            // A task whose effects may have no result is not compiled.
            let computed = numbers.compute(task, simulator.arithmetic(), &world, &firing.assignments);
            computed.map_or(f64::NAN, |()| numbers.change(id))
        });
        gained.clear();
        firing.net(gained);
        for &literal in &*gained {
            assign(atoms, literal, lane);
        }
        change
    }
}
