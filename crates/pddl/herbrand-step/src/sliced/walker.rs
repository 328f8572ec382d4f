//! The [`SlicedWalker`]: a block of lanes, stepped together in place.

use std::fmt;
use std::sync::Arc;

use herbrand_core::{Random, uniform_below};
use herbrand_ground::{ActionId, AtomId, NumericId};
use herbrand_limits::Budget;
use rand::Rng;

use crate::grounded::bits::words_for;
use crate::grounded::simulator::Simulator;
use crate::grounded::state::{State, Valuation};
use crate::semantics::chance::Sampled;
use crate::semantics::error::StepError;
use crate::semantics::firing::Firing;
use crate::semantics::numbers::{Numbers, reward};
use crate::semantics::options::Chance;
use crate::sliced::choice::{BLOCK, COUNT, Count, add, choose, count};
use crate::sliced::effects::{Mask, Reward};
use crate::sliced::error::SlicedError;
use crate::sliced::plane::{DIGITS, Digits, Plane, each_lane, is_empty, number, transpose, widest, zip};
use crate::sliced::program::Program;

/// A ground task compiled for the bit-sliced engine, which steps many copies of the task at once. It is immutable and cheap to
/// clone, and any number of threads can share it. [`walker`](Self::walker) makes a block of copies.
#[derive(Clone, Debug)]
pub struct SlicedTask {
    program: Arc<Program>,
}

impl SlicedTask {
    /// Compiles the task of a simulator, whose options apply. The memory of the step list is charged to `budget`; blocks of
    /// copies take [`block_bytes`](Self::block_bytes) each.
    ///
    /// # Errors
    /// Fails if the bit-sliced engine cannot step the task, as [`SlicedError`] lists it, or if `budget` is exhausted.
    pub fn new(simulator: &Simulator, budget: &Budget) -> Result<Self, SlicedError> {
        Ok(Self {
            program: Arc::new(Program::new(simulator, budget)?),
        })
    }

    /// Returns the simulator of the task.
    #[must_use]
    pub fn simulator(&self) -> &Simulator {
        &self.program.simulator
    }

    /// Returns the memory of the step list in bytes, which all blocks share.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.program.bytes
    }

    /// Returns the memory of a block of `64 * words` lanes in bytes.
    #[must_use]
    pub fn block_bytes(&self, words: usize) -> u64 {
        let task = self.simulator().task();
        let blocks = task.actions.len().div_ceil(BLOCK);
        let masks = self.program.effects.most_masks;
        let planes = task.atom_count() + task.actions.len() + blocks * (BLOCK + COUNT) + masks + 2 * DIGITS;
        let per_lane = 4 + 8 + 8 * words_for(task.fluent_count());
        (words * (8 * planes + 64 * per_lane)) as u64
    }

    /// Returns whether random walks in full blocks are likely to be faster than those of a [`Walker`](crate::Walker). It is an
    /// estimate by the size of the task: a block evaluates every operator and axiom in every step, and a walker only what
    /// changes.
    #[must_use]
    pub fn is_likely_faster(&self) -> bool {
        let program = &self.program;
        let repeated = program.strata.iter().any(|stratum| stratum.recursive);
        let rules = program.heads.len() * if repeated { REPEATED_RULE } else { 1 };
        program.operators() + rules <= MOST_WORK
    }

    /// Creates a block of `64 * N` lanes, all in the initial state as the problem declares it. If the initial state is random,
    /// call [`SlicedWalker::reset`] to draw one for each lane.
    #[must_use]
    pub fn walker<const N: usize>(&self) -> SlicedWalker<N> {
        SlicedWalker::new(Arc::clone(&self.program))
    }
}

/// The most operators and axioms of a task that is likely to be faster in blocks, and how many an axiom counts for if rules are
/// repeated.
const MOST_WORK: usize = 8000;
const REPEATED_RULE: usize = 2;

/// A block of `64 * N` copies of one ground task, its *lanes*, stepped together in place. [`SlicedTask::walker`] creates one.
///
/// Sets of lanes are given as `N` words: lane `i` is bit `i % 64` of word `i / 64`. Each lane has a generator of its own, in a
/// list by lane, and makes the draws of a [`Walker`](crate::Walker) in the same state: [`sample`](Self::sample) those of
/// [`Walker::sample`](crate::Walker::sample), [`step`](Self::step) those of [`Walker::apply`](crate::Walker::apply).
///
/// ```
/// use herbrand_limits::Budget;
/// use herbrand_step::{Random, Simulator, SlicedError, SlicedTask, SlicedWalker};
///
/// fn goals(simulator: &Simulator, steps: usize) -> Result<u32, SlicedError> {
///     let mut lanes: SlicedWalker<8> = SlicedTask::new(simulator, &Budget::unlimited())?.walker();
///     let mut actions: Vec<_> = (0..512).map(Random::new).collect();
///     let mut outcomes = actions.clone();
///     for _ in 0..steps {
///         lanes.sample(&[u64::MAX; 8], &mut actions);
///         lanes.step(&mut outcomes);
///     }
///     Ok(lanes.goals().iter().map(|word| word.count_ones()).sum())
/// }
/// ```
#[derive(Clone)]
pub struct SlicedWalker<const N: usize> {
    program: Arc<Program>,
    /// By atom, the lanes in which it is true.
    atoms: Vec<Plane<N>>,
    /// By operator, the lanes in which it is valid; whole blocks.
    valid: Vec<Plane<N>>,
    /// By block of operators, the number of valid ones.
    counts: Vec<Count<N>>,
    /// By block of operators, whether any of its operators may be valid in any lane.
    occupied: Vec<bool>,
    /// The number of valid operators, in the form of numbers.
    totals: Digits<N>,
    goals: Plane<N>,
    dead_ends: Plane<N>,
    /// The operator that the next step of each lane carries out.
    chosen: Vec<u32>,
    /// The rewards of the last step.
    rewards: Vec<f64>,
    /// The truth of atoms, the validity of operators, and all else in the declared initial state.
    start: Start,
    scratch: Scratch<N>,
}

/// The atoms of the declared initial state.
#[derive(Clone, Debug, Default)]
struct Start {
    atoms: Vec<bool>,
    valid: Vec<bool>,
    counts: Vec<[bool; COUNT]>,
    total: u16,
    goal: bool,
}

/// Buffers.
#[derive(Clone, Debug)]
struct Scratch<const N: usize> {
    /// By operator, the lanes that carry it out; empty between steps.
    carried: Vec<Plane<N>>,
    /// The operators that some lane carries out, as bits; empty between steps.
    touched: Vec<u64>,
    masks: Vec<Plane<N>>,
    queue: Vec<u32>,
    next: Vec<u32>,
    /// By axiom, whether it is in the next queue.
    queued: Vec<bool>,
    firing: Firing,
    numbers: Numbers,
    gained: Vec<u32>,
    rows: Vec<u64>,
}

/// The atoms of one lane.
struct Lane<'a, const N: usize> {
    atoms: &'a [Plane<N>],
    lane: usize,
}

impl<const N: usize> Valuation for Lane<'_, N> {
    fn holds(&self, atom: AtomId) -> bool {
        bit(&self.atoms[atom.index()], self.lane)
    }

    fn value(&self, _id: NumericId) -> Option<f64> {
        None
    }
}

/// Returns whether a lane is in a plane.
#[inline(always)]
fn bit<const N: usize>(plane: &Plane<N>, lane: usize) -> bool {
    plane[lane / 64] >> (lane % 64) & 1 == 1
}

impl<const N: usize> SlicedWalker<N> {
    /// The number of lanes.
    pub const LANES: usize = 64 * N;

    /// The entry of [`chosen`](Self::chosen) for a lane that takes no step.
    pub const NONE: u32 = u32::MAX;

    fn new(program: Arc<Program>) -> Self {
        let task = program.simulator.task();
        let operators = task.actions.len();
        let initial = program.simulator.initial();
        let full = |holds: bool| if holds { [u64::MAX; N] } else { [0; N] };
        let atoms = (0..task.atom_count()).map(|index| full(initial.holds(AtomId::from_index(index))));
        let mut this = Self {
            atoms: atoms.collect(),
            valid: vec![[0; N]; operators.next_multiple_of(BLOCK)],
            counts: vec![[[0; N]; COUNT]; operators.div_ceil(BLOCK)],
            occupied: vec![false; operators.div_ceil(BLOCK)],
            totals: [[0; N]; DIGITS],
            goals: [0; N],
            dead_ends: [0; N],
            chosen: vec![Self::NONE; Self::LANES],
            rewards: vec![0.0; Self::LANES],
            start: Start::default(),
            scratch: Scratch {
                carried: vec![[0; N]; operators],
                touched: vec![0; words_for(operators)],
                masks: Vec::with_capacity(program.effects.most_masks),
                queue: Vec::with_capacity(program.heads.len()),
                next: Vec::with_capacity(program.heads.len()),
                queued: vec![false; program.heads.len()],
                firing: Firing::default(),
                numbers: Numbers::default(),
                gained: Vec::new(),
                rows: Vec::new(),
            },
            program,
        };
        this.follow();
        this.start = Start {
            atoms: this.atoms.iter().map(|plane| bit(plane, 0)).collect(),
            valid: this.valid.iter().map(|plane| bit(plane, 0)).collect(),
            counts: this
                .counts
                .iter()
                .map(|count| count.map(|plane| bit(&plane, 0)))
                .collect(),
            total: number(&this.totals, 0),
            goal: bit(&this.goals, 0),
        };
        this
    }

    /// Returns the simulator of the task.
    #[must_use]
    pub fn simulator(&self) -> &Simulator {
        &self.program.simulator
    }

    /// Moves the lanes `which` to an initial state, drawn from the generator of the lane in `random` if it is random, as
    /// [`Walker::reset`](crate::Walker::reset) does. Their choices are forgotten.
    ///
    /// # Errors
    /// None occurs: a task whose draws may fail has no [`SlicedTask`].
    ///
    /// # Panics
    /// If `random` has fewer than [`LANES`](Self::LANES) generators and a state is drawn.
    pub fn reset(&mut self, which: &[u64; N], random: &mut [Random]) -> Result<(), StepError> {
        self.restart(which);
        each_lane(which, |lane| self.chosen[lane] = Self::NONE);
        if !self.program.draws_initial {
            return Ok(());
        }
        let simulator = self.program.simulator.clone();
        let mut drawn = Ok(());
        each_lane(which, |lane| match simulator.sample_initial(&mut random[lane]) {
            Ok(state) => self.write(lane, &state),
            Err(error) => drawn = Err(error),
        });
        self.follow();
        drawn
    }

    /// Moves the lanes `which` to the declared initial state, with all that follows from it.
    fn restart(&mut self, which: &Plane<N>) {
        let Self {
            atoms,
            valid,
            counts,
            occupied,
            totals,
            goals,
            dead_ends,
            start,
            ..
        } = self;
        widest(
            #[inline(always)]
            || {
                for (plane, &holds) in atoms.iter_mut().zip(&start.atoms) {
                    put(plane, which, holds);
                }
                for (plane, &holds) in valid.iter_mut().zip(&start.valid) {
                    put(plane, which, holds);
                }
                for ((count, bits), occupied) in counts.iter_mut().zip(&start.counts).zip(occupied) {
                    *occupied |= bits.contains(&true);
                    for (plane, &holds) in count.iter_mut().zip(bits) {
                        put(plane, which, holds);
                    }
                }
            },
        );
        put(goals, which, start.goal);
        put(dead_ends, which, start.total == 0);
        each_lane(which, |lane| {
            let shift = lane / DIGITS % 4 * DIGITS;
            let word = &mut totals[lane % DIGITS][lane / 64];
            *word = *word & !(u64::from(u16::MAX) << shift) | u64::from(start.total) << shift;
        });
    }

    /// Moves one lane to a state. Its choice is forgotten.
    ///
    /// # Errors
    /// [`StepError::ForeignState`] if the state has another shape than the states of this task.
    ///
    /// # Panics
    /// If there is no such lane.
    pub fn set_state(&mut self, lane: usize, state: &State) -> Result<(), StepError> {
        if !state.fits(self.simulator().task()) {
            return Err(StepError::ForeignState);
        }
        self.write(lane, state);
        self.chosen[lane] = Self::NONE;
        self.follow();
        Ok(())
    }

    /// Writes the fluent atoms of a lane.
    fn write(&mut self, lane: usize, state: &State) {
        for (index, plane) in self.atoms[..self.program.simulator.task().fluent_count()]
            .iter_mut()
            .enumerate()
        {
            let holds = u64::from(state.holds(AtomId::from_index(index)));
            let word = &mut plane[lane / 64];
            *word = *word & !(1 << (lane % 64)) | holds << (lane % 64);
        }
    }

    /// Calls `visit` with the number and the state of every lane of `which`, ascending.
    pub fn each_state(&mut self, which: &[u64; N], mut visit: impl FnMut(usize, &State)) {
        let task = self.program.simulator.task();
        let words = words_for(task.fluent_count());
        let mut state = State::empty(task);
        let fluents = &self.atoms[..task.fluent_count()];
        let count: u32 = which.iter().map(|word| word.count_ones()).sum();
        if count < FEW_STATES {
            each_lane(which, |lane| {
                let bits = fluents.chunks(64).map(|group| {
                    let bits = group.iter().map(|plane| plane[lane / 64] >> (lane % 64) & 1);
                    bits.zip(0..).fold(0, |word, (bit, place)| word | bit << place)
                });
                state.set_bits(bits);
                visit(lane, &state);
            });
            return;
        }
        let rows = &mut self.scratch.rows;
        rows.clear();
        rows.resize(words * Self::LANES, 0);
        widest(
            #[inline(always)]
            || {
                for (group, planes) in fluents.chunks(DIGITS).enumerate() {
                    let mut digits = [[0; N]; DIGITS];
                    digits[..planes.len()].copy_from_slice(planes);
                    transpose(&mut digits);
                    let (word, shift) = (group / 4, group % 4 * DIGITS);
                    for (lane, row) in rows.chunks_mut(words).enumerate() {
                        row[word] |= u64::from(number(&digits, lane)) << shift;
                    }
                }
            },
        );
        each_lane(which, |lane| {
            state.set_bits(rows[lane * words..(lane + 1) * words].iter().copied());
            visit(lane, &state);
        });
    }

    /// Returns the lanes in which the goal holds.
    #[must_use]
    pub const fn goals(&self) -> &[u64; N] {
        &self.goals
    }

    /// Returns the lanes in which no action is valid.
    #[must_use]
    pub const fn dead_ends(&self) -> &[u64; N] {
        &self.dead_ends
    }

    /// Returns the lanes in which an action is valid; `None` for an unknown action.
    #[must_use]
    pub fn valid(&self, action: ActionId) -> Option<&[u64; N]> {
        let known = action.index() < self.program.operators();
        self.valid.get(action.index()).filter(|_| known)
    }

    /// Returns the number of valid actions in a lane.
    ///
    /// # Panics
    /// If there is no such lane.
    #[inline]
    #[must_use]
    pub fn valid_count(&self, lane: usize) -> u32 {
        u32::from(number(&self.totals, lane))
    }

    /// Writes the number of valid actions of each lane of `which` to `into`, and 0 for the others. If `into` is too short, the
    /// last lanes are left out.
    pub fn write_valid_counts(&self, which: &[u64; N], into: &mut [u32]) {
        for (lane, count) in into.iter_mut().take(Self::LANES).enumerate() {
            let chosen = (which[lane / 64] >> (lane % 64) & 1) as u32;
            *count = u32::from(number(&self.totals, lane)) * chosen;
        }
    }

    /// Returns whether initial states are drawn.
    #[must_use]
    pub fn draws_initial(&self) -> bool {
        self.program.draws_initial
    }

    /// Returns the lanes in which two or more of the fluent atoms with ids in a range are true. Other ids are ignored.
    #[must_use]
    pub fn several_true(&self, atoms: std::ops::Range<u32>) -> [u64; N] {
        let fluents = self.program.simulator.task().fluent_count();
        let (start, end) = (atoms.start as usize, (atoms.end as usize).min(fluents));
        let planes = self.atoms.get(start..end).unwrap_or_default();
        widest(
            #[inline(always)]
            || several(planes.iter()),
        )
    }

    /// Returns the lanes in which two or more of these actions are valid. Unknown actions are ignored.
    #[must_use]
    pub fn several_valid(&self, actions: &[ActionId]) -> [u64; N] {
        let planes = actions.iter().filter_map(|action| self.valid.get(action.index()));
        widest(
            #[inline(always)]
            || several(planes),
        )
    }

    /// Draws an action uniformly from the valid ones for each lane of `which`, and chooses it for the next
    /// [`step`](Self::step). In a dead end, nothing is drawn or chosen. The choices of other lanes do not change.
    ///
    /// # Panics
    /// If `random` has fewer than [`LANES`](Self::LANES) generators.
    pub fn sample(&mut self, which: &[u64; N], random: &mut [Random]) {
        let Self {
            valid,
            counts,
            occupied,
            totals,
            dead_ends,
            chosen,
            program,
            ..
        } = self;
        let lanes = zip(which, dead_ends, |which, dead| which & !dead);
        let width = program.width();
        let random = &mut random[..Self::LANES];
        widest(
            #[inline(always)]
            || {
                let mut ranks: Digits<N> = [[0; N]; DIGITS];
                for word in 0..N {
                    for place in 0..DIGITS {
                        let (all, mut packed) = (totals[place][word], 0);
                        for quarter in 0..4 {
                            let (lane, shift) = (quarter * DIGITS + place, quarter * DIGITS);
                            if lanes[word] >> lane & 1 == 1 {
                                let count = u32::from((all >> shift) as u16);
                                packed |=
                                    u64::from(uniform_below(&mut random[word * 64 + lane], count)) << shift;
                            }
                        }
                        ranks[place][word] = packed;
                    }
                }
                transpose(&mut ranks);
                let mut numbers = choose(valid, counts, occupied, width, ranks, lanes);
                transpose(&mut numbers);
                for (lane, chosen) in chosen.iter_mut().enumerate() {
                    let word = lane / 64;
                    if which[word] >> (lane % 64) & 1 == 1 {
                        let lives = lanes[word] >> (lane % 64) & 1 == 1;
                        let operator = u32::from(number(&numbers, lane));
                        *chosen = if lives { operator } else { Self::NONE };
                    }
                }
            },
        );
    }

    /// Chooses a valid action for the next [`step`](Self::step) of a lane.
    ///
    /// # Errors
    /// [`StepError::UnknownAction`] for an unknown action, and [`StepError::Invalid`] for one that is not valid in the lane. The
    /// choice does not change.
    ///
    /// # Panics
    /// If there is no such lane.
    pub fn choose(&mut self, lane: usize, action: ActionId) -> Result<(), StepError> {
        if self.valid(action).is_some_and(|plane| bit(plane, lane)) {
            self.chosen[lane] = action.number();
            return Ok(());
        }
        let simulator = self.simulator();
        simulator.known(action)?;
        let atoms = &self.atoms;
        Err(StepError::Invalid(
            simulator.explain_in(&Lane { atoms, lane }, action),
        ))
    }

    /// Returns the number of the action that the next step of each lane carries out; [`NONE`](Self::NONE) for a lane that takes
    /// no step.
    #[must_use]
    pub fn chosen(&self) -> &[u32] {
        &self.chosen
    }

    /// Carries out the chosen action in each lane that has one, with draws from the generator of the lane in `random`. Then no
    /// action is chosen.
    ///
    /// # Panics
    /// If `random` has fewer than [`LANES`](Self::LANES) generators and an outcome is drawn.
    pub fn step(&mut self, random: &mut [Random]) {
        if self.program.effects.free {
            self.rewards.fill(0.0);
            let Scratch { carried, touched, .. } = &mut self.scratch;
            for (lane, chosen) in self.chosen.iter_mut().enumerate() {
                let operator = std::mem::replace(chosen, Self::NONE) as usize;
                if let Some(lanes) = carried.get_mut(operator) {
                    lanes[lane / 64] |= 1 << (lane % 64);
                    touched[operator / 64] |= 1 << (operator % 64);
                }
            }
        } else {
            for lane in 0..Self::LANES {
                let operator = std::mem::replace(&mut self.chosen[lane], Self::NONE) as usize;
                self.rewards[lane] = match self.program.effects.rewards.get(operator) {
                    None => 0.0,
                    Some(Reward::Decided) => self.decide(lane, ActionId::from_index(operator), random),
                    Some(&Reward::Constant(change)) => {
                        self.scratch.carried[operator][lane / 64] |= 1 << (lane % 64);
                        self.scratch.touched[operator / 64] |= 1 << (operator % 64);
                        change
                    }
                };
            }
        }
        self.carry_out(random);
        let before = self.goals;
        self.follow();
        let entered = zip(&self.goals, &before, |goal, before| goal & !before);
        let task = self.program.simulator.task();
        if task.reward.is_some() || task.goal_reward.is_some() {
            for (lane, change) in self.rewards.iter_mut().enumerate() {
                *change = reward(task.reward, task.goal_reward, *change, bit(&entered, lane));
            }
        } else {
            each_lane(&entered, |lane| self.rewards[lane] = 1.0);
        }
    }

    /// Carries out the operators of the lanes that [`Scratch::carried`] names, one after the other.
    fn carry_out(&mut self, random: &mut [Random]) {
        let Self {
            program,
            atoms,
            scratch,
            ..
        } = self;
        let Scratch {
            carried,
            touched,
            masks,
            ..
        } = scratch;
        let effects = &program.effects;
        widest(
            #[inline(always)]
            || {
                for (word, bits) in touched.iter_mut().enumerate() {
                    let mut rest = std::mem::take(bits);
                    while rest != 0 {
                        let operator = word * 64 + rest.trailing_zeros() as usize;
                        rest &= rest - 1;
                        let lanes = std::mem::replace(&mut carried[operator], [0; N]);
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
                        decide(program, atoms, further, masks, random);
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

    /// Carries out an action in one lane, and returns by how much the reward fluent changes.
    fn decide(&mut self, lane: usize, action: ActionId, random: &mut [Random]) -> f64 {
        let Scratch {
            firing,
            numbers,
            gained,
            ..
        } = &mut self.scratch;
        let simulator = &self.program.simulator;
        let task = simulator.task();
        let world = Lane {
            atoms: &self.atoms,
            lane,
        };
        firing.clear();
        let mut decide = Sampled {
            holds: |id| simulator.holds(&world, id),
            chance: simulator.options().chance,
            rng: &mut random[lane],
            probability: 1.0,
        };
        firing.collect(&task.effects, task.actions.get(action).effect, &mut decide);
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
            assign(&mut self.atoms, literal, lane);
        }
        change
    }

    /// Returns the reward of the last step in each lane; 0 for a lane that took none.
    #[must_use]
    pub fn rewards(&self) -> &[f64] {
        &self.rewards
    }

    /// Updates all that follows from the fluent atoms: derived atoms, goal, valid operators.
    fn follow(&mut self) {
        let Self {
            program,
            atoms,
            valid,
            counts,
            occupied,
            totals,
            goals,
            dead_ends,
            scratch,
            ..
        } = self;
        let width = program.width();
        widest(
            #[inline(always)]
            || {
                derive(program, atoms, scratch);
                *goals = program.goal.holds(0, atoms);
                let mut total: Digits<N> = [[0; N]; DIGITS];
                let (mut done, mut some) = (0, false);
                program.preconditions.write(
                    atoms,
                    valid,
                    #[inline(always)]
                    |valid, operators, occurs| {
                        some |= occurs;
                        while done * BLOCK + BLOCK <= operators {
                            occupied[done] = some;
                            if some {
                                counts[done] = count(&valid[done * BLOCK..][..BLOCK]);
                                add(&mut total, width, &counts[done]);
                            } else {
                                counts[done] = [[0; N]; COUNT];
                            }
                            some = false;
                            done += 1;
                        }
                    },
                );
                let some = total
                    .iter()
                    .fold([0; N], |all, plane| zip(&all, plane, |all, plane| all | plane));
                *dead_ends = some.map(|word| !word);
                transpose(&mut total);
                *totals = total;
            },
        );
    }
}

/// With fewer lanes than this, states are read lane by lane.
const FEW_STATES: u32 = 5;

/// Returns the lanes that are in two or more planes.
#[inline(always)]
fn several<'a, const N: usize>(planes: impl Iterator<Item = &'a Plane<N>>) -> Plane<N> {
    let (mut one, mut two) = ([0; N], [0; N]);
    for plane in planes {
        for word in 0..N {
            two[word] |= one[word] & plane[word];
            one[word] |= plane[word];
        }
    }
    two
}

/// Puts the lanes `which` into a plane, or takes them out.
#[inline(always)]
fn put<const N: usize>(plane: &mut Plane<N>, which: &Plane<N>, holds: bool) {
    let all = u64::from(holds).wrapping_neg();
    *plane = zip(plane, which, |plane, which| (plane & !which) | (which & all));
}

/// Makes a literal true in one lane.
#[inline(always)]
fn assign<const N: usize>(atoms: &mut [Plane<N>], literal: u32, lane: usize) {
    let word = &mut atoms[literal as usize / 2][lane / 64];
    let holds = u64::from(literal.is_multiple_of(2));
    *word = *word & !(1 << (lane % 64)) | holds << (lane % 64);
}

/// Appends the masks of an operator after mask 0: conditions read `atoms`, and lanes draw in the order of the masks.
#[inline(always)]
fn decide<const N: usize>(
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

/// Computes the derived atoms in all lanes, group by group. In a group that depends on itself, the rules that read an atom
/// are repeated whenever it became true in some lane.
#[inline(always)]
fn derive<const N: usize>(program: &Program, atoms: &mut [Plane<N>], scratch: &mut Scratch<N>) {
    let Scratch {
        queue, next, queued, ..
    } = scratch;
    let fluents = program.simulator.task().fluent_count();
    let mut start = 0;
    for stratum in &program.strata {
        let rules = start..stratum.end;
        start = stratum.end;
        for rule in rules.clone() {
            atoms[program.heads[rule] as usize] = [0; N];
        }
        for rule in rules.clone() {
            let changed = apply(program, atoms, rule);
            if changed && stratum.recursive {
                enqueue(program, fluents, rule, queued, next);
            }
        }
        while !next.is_empty() {
            std::mem::swap(queue, next);
            for &rule in &*queue {
                queued[rule as usize] = false;
                if apply(program, atoms, rule as usize) {
                    enqueue(program, fluents, rule as usize, queued, next);
                }
            }
            queue.clear();
        }
    }
}

/// Applies an axiom; returns whether its head became true in some lane.
#[inline(always)]
fn apply<const N: usize>(program: &Program, atoms: &mut [Plane<N>], rule: usize) -> bool {
    let body = program.bodies.holds(rule, atoms);
    let head = &mut atoms[program.heads[rule] as usize];
    let gained = zip(&body, head, |body, head| body & !head);
    *head = zip(&body, head, |body, head| body | head);
    !is_empty(&gained)
}

/// Adds the axioms of the same group that read the head of an axiom to a queue, unless they are in it.
#[inline(always)]
fn enqueue(program: &Program, fluents: usize, rule: usize, queued: &mut [bool], next: &mut Vec<u32>) {
    for &reader in program.readers.get(program.heads[rule] as usize - fluents) {
        if !std::mem::replace(&mut queued[reader as usize], true) {
            next.push(reader);
        }
    }
}

impl<const N: usize> fmt::Debug for SlicedWalker<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SlicedWalker")
            .field("lanes", &Self::LANES)
            .finish_non_exhaustive()
    }
}
