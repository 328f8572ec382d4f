//! The [`SlicedWalker`]: a block of lanes, stepped together in place.

use std::fmt;
use std::sync::Arc;

use herbrand_core::Random;
use herbrand_ground::AtomId;

use crate::grounded::simulator::Simulator;
use crate::grounded::state::State;
use crate::semantics::error::StepError;
use crate::semantics::numbers::reward;
use crate::sliced::carry::{Alone, Carried, MOST_DECODED};
use crate::sliced::choice::{BLOCK, COUNT, Count, add};
use crate::sliced::derive::{Queues, derive};
use crate::sliced::effects::Reward;
use crate::sliced::plane::{
    DIGITS, Digits, Numbers, Plane, bit, each_lane, put, put_all, transpose, unpack, widest, zip,
};
use crate::sliced::program::Program;

/// A block of `64 * N` copies of one ground task, its *lanes*, stepped together in place. [`SlicedTask::walker`](crate::SlicedTask::walker) creates one.
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
    pub(super) program: Arc<Program>,
    /// By atom, the lanes in which it is true; then the other planes that [preconditions](Program::preconditions) read.
    pub(super) atoms: Vec<Plane<N>>,
    /// By operator, the lanes in which it is valid; whole blocks.
    pub(super) valid: Vec<Plane<N>>,
    /// By block of operators, the number of valid ones.
    pub(super) counts: Vec<Count<N>>,
    /// By block of operators, the eights of operators that may have a valid one in some lane, as bits.
    pub(super) occupied: Vec<u8>,
    /// The number of valid operators.
    pub(super) totals: Numbers<N>,
    pub(super) goals: Plane<N>,
    pub(super) dead_ends: Plane<N>,
    /// The operator that the next step of each lane carries out.
    pub(super) chosen: Vec<u32>,
    /// The rewards of the last step.
    rewards: Vec<f64>,
    /// The truth of atoms, the validity of operators, and all else in the declared initial state.
    start: Start,
    pub(super) scratch: Scratch<N>,
}

/// The declared initial state. Lists have a literal for each plane: twice its index, plus 1 if it has no lane.
#[derive(Clone, Debug, Default)]
struct Start {
    atoms: Vec<u32>,
    valid: Vec<u32>,
    counts: Vec<u32>,
    occupied: Vec<u8>,
    total: u16,
    goal: bool,
}

/// Buffers.
#[derive(Clone, Debug)]
pub(super) struct Scratch<const N: usize> {
    carried: Carried<N>,
    alone: Alone,
    queues: Queues,
    pub(super) rows: Vec<u64>,
    pub(super) state: Option<State>,
}

/// Returns the literals of the first lane of planes.
fn first_lane<const N: usize>(planes: &[Plane<N>]) -> Vec<u32> {
    let literals = (0..).zip(planes);
    literals
        .map(|(index, plane)| 2 * index + u32::from(!bit(plane, 0)))
        .collect()
}

impl<const N: usize> SlicedWalker<N> {
    /// The number of lanes.
    pub const LANES: usize = 64 * N;

    /// The entry of [`chosen`](Self::chosen) for a lane that takes no step.
    pub const NONE: u32 = u32::MAX;

    pub(super) fn new(program: Arc<Program>) -> Self {
        let task = program.simulator.task();
        let operators = task.actions.len();
        let initial = program.simulator.initial();
        let full = |holds: bool| if holds { [u64::MAX; N] } else { [0; N] };
        let atoms =
            (0..task.atom_count()).map(|index| full(initial.holds(AtomId::from_index(index)) == Some(true)));
        let mut atoms: Vec<_> = atoms.collect();
        program.preconditions.append_planes(&mut atoms);
        let mut this = Self {
            atoms,
            valid: vec![[0; N]; operators.next_multiple_of(BLOCK)],
            counts: vec![[[0; N]; COUNT]; operators.div_ceil(BLOCK)],
            occupied: vec![0; operators.div_ceil(BLOCK)],
            totals: [[0; 64]; N],
            goals: [0; N],
            dead_ends: [0; N],
            chosen: vec![Self::NONE; Self::LANES],
            rewards: vec![0.0; Self::LANES],
            start: Start::default(),
            scratch: Scratch {
                carried: Carried::new(&program),
                alone: Alone::default(),
                queues: Queues::new(&program),
                rows: Vec::new(),
                state: None,
            },
            program,
        };
        this.follow();
        this.start = Start {
            atoms: first_lane(&this.atoms[..this.program.simulator.task().atom_count()]),
            valid: first_lane(&this.valid),
            counts: first_lane(this.counts.as_flattened()),
            occupied: this.occupied.clone(),
            total: this.totals[0][0],
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
    /// None occurs: a task whose draws may fail has no [`SlicedTask`](crate::SlicedTask).
    ///
    /// # Panics
    /// If `random` has no generator for a lane whose state is drawn.
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
                put_all(atoms, &start.atoms, which);
                put_all(valid, &start.valid, which);
                put_all(counts.as_flattened_mut(), &start.counts, which);
                for (occupied, own) in occupied.iter_mut().zip(&start.occupied) {
                    *occupied |= own;
                }
            },
        );
        put(goals, which, start.goal);
        put(dead_ends, which, start.total == 0);
        each_lane(which, |lane| totals[lane / 64][lane % 64] = start.total);
    }

    /// Moves one lane to a state. Its choice is forgotten. [`set_states`](Self::set_states) moves many lanes at once.
    ///
    /// # Errors
    /// [`StepError::ForeignState`] if the state has another shape than the states of this task.
    ///
    /// # Panics
    /// If there is no such lane.
    pub fn set_state(&mut self, lane: usize, state: &State) -> Result<(), StepError> {
        let mut which = [0; N];
        which[lane / 64] = 1 << (lane % 64);
        self.set_states(&which, state)
    }

    /// Moves all lanes of `which` to one state, so that many walks can start there. Their choices are forgotten.
    ///
    /// # Errors
    /// [`StepError::ForeignState`] if the state has another shape than the states of this task.
    pub fn set_states(&mut self, which: &[u64; N], state: &State) -> Result<(), StepError> {
        let task = self.program.simulator.task();
        if !state.fits(task) {
            return Err(StepError::ForeignState);
        }
        let fluents = task.fluent_count();
        for (index, plane) in self.atoms[..fluents].iter_mut().enumerate() {
            put(plane, which, state.holds(AtomId::from_index(index)) == Some(true));
        }
        each_lane(which, |lane| self.chosen[lane] = Self::NONE);
        self.follow();
        Ok(())
    }

    /// Writes the fluent atoms of a lane.
    fn write(&mut self, lane: usize, state: &State) {
        for (index, plane) in self.atoms[..self.program.simulator.task().fluent_count()]
            .iter_mut()
            .enumerate()
        {
            let holds = u64::from(state.holds(AtomId::from_index(index)) == Some(true));
            let word = &mut plane[lane / 64];
            *word = *word & !(1 << (lane % 64)) | holds << (lane % 64);
        }
    }

    /// Carries out the chosen action in each lane that has one, with draws from the generator of the lane in `random`.
    /// Then no action is chosen. The other lanes do not change. Call [`sample`](Self::sample) or
    /// [`choose`](Self::choose) before it.
    ///
    /// # Panics
    /// If `random` has no generator for a lane whose outcome is drawn.
    pub fn step(&mut self, random: &mut [Random]) {
        let Self {
            program,
            atoms,
            chosen,
            rewards,
            scratch,
            ..
        } = self;
        let Scratch { carried, alone, .. } = scratch;
        let effects = &program.effects;
        if effects.decided || program.operators() > MOST_DECODED {
            for (lane, (chosen, change)) in chosen.iter().zip(&mut *rewards).enumerate() {
                let operator = *chosen as usize;
                *change = match effects.rewards.get(operator) {
                    None => 0.0,
                    Some(Reward::Decided) => {
                        alone.carry_out(program, atoms, lane, operator, &mut random[lane])
                    }
                    Some(&Reward::Constant(change)) => {
                        carried.add(lane, operator);
                        change
                    }
                };
            }
            carried.carry_out(program, atoms, random);
        } else {
            if effects.free {
                rewards.fill(0.0);
            } else {
                for (chosen, change) in chosen.iter().zip(&mut *rewards) {
                    *change = match effects.rewards.get(*chosen as usize) {
                        Some(&Reward::Constant(change)) => change,
                        _ => 0.0,
                    };
                }
            }
            carried.carry_out_all(program, atoms, chosen, random);
        }
        chosen.fill(Self::NONE);
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

    /// Returns the reward of the last step in each lane, by lane; 0 for a lane that took none.
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
                derive(program, atoms, &mut scratch.queues);
                *goals = program.goal.holds(0, atoms);
                let mut total: Digits<N> = [[0; N]; DIGITS];
                program.preconditions.write(
                    atoms,
                    valid,
                    #[inline(always)]
                    |block, eights, count| {
                        occupied[block] = eights;
                        counts[block] = count;
                        if eights != 0 {
                            add(&mut total, width, &count);
                        }
                    },
                );
                let some = total
                    .iter()
                    .fold([0; N], |all, plane| zip(&all, plane, |all, plane| all | plane));
                *dead_ends = some.map(|word| !word);
                transpose(&mut total);
                *totals = unpack(&total);
            },
        );
    }
}

impl<const N: usize> fmt::Debug for SlicedWalker<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SlicedWalker")
            .field("lanes", &Self::LANES)
            .finish_non_exhaustive()
    }
}
