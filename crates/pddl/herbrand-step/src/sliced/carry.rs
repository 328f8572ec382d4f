//! Carrying out operators: their effects, conditions and draws in the lanes that take them.

use herbrand_core::Random;
use herbrand_ground::ActionId;
use rand::Rng;

use crate::grounded::bits::words_for;
use crate::semantics::chance::Sampled;
use crate::semantics::firing::Firing;
use crate::semantics::numbers::Numbers;
use crate::semantics::options::Chance;
use crate::sliced::choice::{BLOCK, EIGHT, PLACE};
use crate::sliced::effects::Mask;
use crate::sliced::lane::{Lane, assign};
use crate::sliced::plane::{
    DIGITS, Digits, Plane, each_lane, is_empty, pack, put_all, transpose, widest, zip,
};
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
        widest(
            #[inline(always)]
            || {
                for (word, bits) in touched.iter_mut().enumerate() {
                    let mut rest = std::mem::take(bits);
                    while rest != 0 {
                        let operator = word * 64 + rest.trailing_zeros() as usize;
                        rest &= rest - 1;
                        let lanes = std::mem::replace(&mut lanes[operator], [0; N]);
                        change(program, atoms, operator, &lanes, masks, random);
                    }
                }
            },
        );
    }

    /// Carries out the operator `chosen` of each lane, in ascending order of operators. Operators are less than `1 << 15`; lanes
    /// with [`u32::MAX`] carry out none. It computes the lanes of every operator from the digits of the numbers, so it
    /// suits tasks with few operators ([`MOST_DECODED`]).
    pub(crate) fn carry_out_all(
        &mut self,
        program: &Program,
        atoms: &mut [Plane<N>],
        chosen: &[u32],
        random: &mut [Random],
    ) {
        let masks = &mut self.masks;
        let (operators, width) = (program.operators(), program.width().max(PLACE));
        widest(
            #[inline(always)]
            || {
                let mut digits: Digits<N> = [[0; N]; DIGITS];
                for (word, chosen) in chosen.as_chunks::<64>().0.iter().enumerate() {
                    let mut numbers = [0; 64];
                    for (number, chosen) in numbers.iter_mut().zip(chosen) {
                        *number = u64::from(chosen & u32::from(u16::MAX));
                    }
                    pack(&numbers, &mut digits, word);
                }
                transpose(&mut digits);
                let within = combinations(&digits[0], &digits[1], &digits[2]);
                let quarters = combinations(&digits[3], &digits[4], &[0; N]);
                // The last digit is 1 in the number for no operator only.
                let some = digits[DIGITS - 1].map(|word| !word);
                for block in 0..operators.div_ceil(BLOCK) {
                    let (mut outer, mut rest) = (some, (1_usize << width) - (1 << PLACE));
                    // Loops over bits: loops over planes would be turned into gathers of single words.
                    while rest != 0 {
                        let digit = rest.trailing_zeros() as usize % DIGITS;
                        rest &= rest - 1;
                        let zero = (block as u64 >> (digit - PLACE) & 1).wrapping_sub(1);
                        outer = zip(&outer, &digits[digit], |outer, digit| outer & (digit ^ zero));
                    }
                    if is_empty(&outer) {
                        continue;
                    }
                    for (quarter, plane) in quarters[..4].iter().enumerate() {
                        let outer = zip(&outer, plane, |outer, quarter| outer & quarter);
                        let [a, b, c, d, e, f, g, h] = &within;
                        let occurs = |within: &Plane<N>, place: u32| {
                            let lanes = zip(&outer, within, |outer, within| outer & within);
                            u32::from(!is_empty(&lanes)) << place
                        };
                        let mut rest = occurs(a, 0) | occurs(b, 1) | occurs(c, 2) | occurs(d, 3);
                        rest |= occurs(e, 4) | occurs(f, 5) | occurs(g, 6) | occurs(h, 7);
                        while rest != 0 {
                            let place = rest.trailing_zeros() as usize % EIGHT;
                            rest &= rest - 1;
                            let lanes = zip(&outer, &within[place], |outer, within| outer & within);
                            let operator = block * BLOCK + quarter * EIGHT + place;
                            change(program, atoms, operator, &lanes, masks, random);
                        }
                    }
                }
            },
        );
    }
}

/// Returns by number the lanes in which three digits make that number, the first digit being the lowest.
#[inline(always)]
fn combinations<const N: usize>(one: &Plane<N>, two: &Plane<N>, four: &Plane<N>) -> [Plane<N>; EIGHT] {
    let select = |number: u64| {
        let [a, b, c] = [0, 1, 2].map(|place| (number >> place & 1).wrapping_sub(1));
        let mut lanes = [0; N];
        for word in 0..N {
            lanes[word] = (one[word] ^ a) & (two[word] ^ b) & (four[word] ^ c);
        }
        lanes
    };
    [
        select(0),
        select(1),
        select(2),
        select(3),
        select(4),
        select(5),
        select(6),
        select(7),
    ]
}

/// The largest number of operators for which [`Carried::carry_out_all`] takes less time than [`Carried::add`] for every lane.
pub(crate) const MOST_DECODED: usize = 512;

/// Carries out an operator in some lanes.
#[inline(always)]
fn change<const N: usize>(
    program: &Program,
    atoms: &mut [Plane<N>],
    operator: usize,
    lanes: &Plane<N>,
    masks: &mut Vec<Plane<N>>,
    random: &mut [Random],
) {
    let effects = &program.effects;
    let plain = effects.plain.get(operator);
    if !plain.is_empty() {
        return put_all(atoms, plain, lanes);
    }
    masks.clear();
    masks.push(*lanes);
    divide(program, atoms, effects.masks.get(operator), masks, random);
    for change in effects.deletes.get(operator) {
        let plane = &mut atoms[change.atom as usize];
        *plane = zip(plane, &masks[change.mask as usize], |atom, lanes| atom & !lanes);
    }
    for change in effects.adds.get(operator) {
        let plane = &mut atoms[change.atom as usize];
        *plane = zip(plane, &masks[change.mask as usize], |atom, lanes| atom | lanes);
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
