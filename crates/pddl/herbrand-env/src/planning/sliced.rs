//! Blocks of copies of a problem on the bit-sliced engine.

use herbrand_core::{Choice, Fingerprinted, Random, RowBit, System, SystemBlock};
use herbrand_ground::ActionId;
use herbrand_step::{Derived, SlicedTask, SlicedWalker, State};

use super::carriers::Carriers;
use super::{Grounded, Planning, SteppingEngine, Symbols};
use crate::action::AgentActionId;
use crate::config::Ambiguity;

/// The smallest number of copies for which [`EngineKind::Automatic`](crate::EngineKind::Automatic) makes a block.
const FEWEST_LANES: usize = 64;

/// Whether and when a problem is stepped in blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Slicing {
    /// Where it is expected to be faster.
    #[default]
    Automatic,
    Never,
    Always,
}

/// Makes a block of at least `lanes` copies of a problem, at most 512. `None` if the task cannot be bit-sliced, or if `slicing`
/// does not ask for it.
pub(super) fn block(
    planning: &Planning<Grounded>,
    slicing: Slicing,
    lanes: usize,
) -> Option<Box<dyn SystemBlock<State = State>>> {
    if slicing == Slicing::Never || planning.instance().time().is_some() {
        return None;
    }
    let observed = planning.walker().simulator().options().derived == Derived::All;
    let task = planning.instance().sliced(observed).ok()?;
    let gains = lanes >= FEWEST_LANES && task.is_likely_faster();
    if slicing == Slicing::Automatic && !gains {
        return None;
    }
    Some(match lanes {
        0..=128 => Box::new(Block::<2>::new(planning, task)),
        129..=256 => Box::new(Block::<4>::new(planning, task)),
        _ => Box::new(Block::<8>::new(planning, task)),
    })
}

/// A block of `64 * N` copies. In most states, at most one valid operator carries out each agent action; then operators are
/// drawn. The other lanes are *crowded*: a system of the grounded engine takes their place.
struct Block<const N: usize> {
    lanes: SlicedWalker<N>,
    /// The system that takes the place of crowded lanes.
    planning: Planning<Grounded>,
    names: Symbols,
    carriers: Carriers<N>,
    /// For each operator, the hash of the action that it carries out; 0 if it was not computed yet.
    action_hashes: Vec<u64>,
    counts: Vec<u32>,
    hashes: Vec<u64>,
    alternatives: Vec<u32>,
    /// The crowded lanes.
    crowded: [u64; N],
    /// Whether the declared initial state is crowded.
    starts_crowded: bool,
    dead_ends: [u64; N],
    /// The lanes that were sampled last and are not crowded.
    sampled: [u64; N],
    /// The actions chosen in crowded lanes.
    chosen: Vec<Crowded>,
    joint: Vec<Choice>,
}

/// The action chosen in a crowded lane, and the number of valid actions there.
struct Crowded {
    lane: usize,
    action: AgentActionId,
    count: u32,
}

impl<const N: usize> Block<N> {
    fn new(planning: &Planning<Grounded>, task: &SlicedTask) -> Self {
        let lanes = task.walker();
        let mut this = Self {
            names: planning.names(),
            carriers: Carriers::new(planning.space()),
            action_hashes: vec![0; task.simulator().task().actions.len()],
            counts: vec![0; SlicedWalker::<N>::LANES],
            hashes: vec![0; SlicedWalker::<N>::LANES],
            alternatives: vec![0; SlicedWalker::<N>::LANES],
            crowded: [0; N],
            starts_crowded: false,
            dead_ends: [0; N],
            sampled: [0; N],
            chosen: Vec::new(),
            joint: Vec::new(),
            planning: planning.clone(),
            lanes,
        };
        this.follow();
        this.starts_crowded = this.crowded[0] & 1 == 1;
        this
    }

    /// Finds the crowded lanes and the dead ends among them.
    fn follow(&mut self) {
        self.crowded = self.planning.space().crowded(&self.lanes);
        self.dead_ends = *self.lanes.dead_ends();
        let crowded = self.crowded;
        each(&crowded, |lane| {
            self.go_to(lane);
            if self.planning.choice_count() == 0 {
                self.dead_ends[lane / 64] |= 1 << (lane % 64);
            }
        });
    }

    /// Moves the system to the state of a lane.
    fn go_to(&mut self, lane: usize) {
        let mut which = [0; N];
        which[lane / 64] = 1 << (lane % 64);
        let planning = &mut self.planning;
        self.lanes.each_state(&which, |_, state| {
            let moved = planning.set_state(state);
            debug_assert!(moved.is_ok(), "the state is one of the same task");
        });
    }

    /// Splits a set of lanes into crowded lanes and others.
    fn split(&self, which: &[u64]) -> ([u64; N], [u64; N]) {
        let (mut crowded, mut plain) = (sized::<N>(which), sized::<N>(which));
        for ((crowded, plain), own) in crowded.iter_mut().zip(&mut plain).zip(&self.crowded) {
            *crowded &= own;
            *plain &= !own;
        }
        (crowded, plain)
    }
}

/// Returns a set of lanes of known length.
fn sized<const N: usize>(which: &[u64]) -> [u64; N] {
    let mut words = [0; N];
    words.iter_mut().zip(which).for_each(|(own, word)| *own = *word);
    words
}

/// Calls `visit` with every lane of a set, ascending.
fn each<const N: usize>(set: &[u64; N], mut visit: impl FnMut(usize)) {
    for (word, &bits) in set.iter().enumerate() {
        let mut rest = bits;
        while rest != 0 {
            visit(word * 64 + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

impl<const N: usize> SystemBlock for Block<N> {
    type State = State;

    fn lanes(&self) -> usize {
        SlicedWalker::<N>::LANES
    }

    fn reset(&mut self, which: &[u64], chance: &mut [Random]) {
        let which = sized(which);
        let drawn = self.lanes.reset(&which, chance);
        debug_assert!(drawn.is_ok(), "a task whose draws may fail is not sliced");
        let is_chosen = |lane: usize| which[lane / 64] >> (lane % 64) & 1 == 1;
        self.chosen.retain(|crowded| !is_chosen(crowded.lane));
        if self.starts_crowded || self.lanes.draws_initial() {
            return self.follow();
        }
        let sets = self.crowded.iter_mut().zip(&mut self.dead_ends);
        for ((crowded, dead), (which, new)) in sets.zip(which.iter().zip(self.lanes.dead_ends())) {
            *crowded &= !which;
            *dead = *dead & !which | new & which;
        }
    }

    fn goals(&self) -> &[u64] {
        self.lanes.goals()
    }

    fn dead_ends(&self) -> &[u64] {
        &self.dead_ends
    }

    fn sample(&mut self, which: &[u64], random: &mut [Random]) {
        let (crowded, plain) = self.split(which);
        self.lanes.forget_choices();
        self.lanes.sample(&plain, random);
        self.sampled = plain;
        self.chosen.clear();
        each(&crowded, |lane| {
            self.go_to(lane);
            self.planning.sample(&mut random[lane], &mut self.joint);
            if let Some(action) = super::single(&self.joint) {
                let count = self.planning.choice_count() as u32;
                self.chosen.push(Crowded { lane, action, count });
            }
        });
    }

    fn choices(&mut self) -> &[u32] {
        let operators = self.lanes.chosen().iter();
        self.planning
            .space()
            .write_actions_of(operators, &mut self.alternatives);
        for crowded in &self.chosen {
            self.alternatives[crowded.lane] = crowded.action.number();
        }
        &self.alternatives
    }

    fn describe_choices(&mut self) {
        self.lanes.write_valid_counts(&self.sampled, &mut self.counts);
        // A lane that was not sampled keeps any hash.
        let mut unknown = false;
        for (hash, &operator) in self.hashes.iter_mut().zip(self.lanes.chosen()) {
            *hash = self
                .action_hashes
                .get(operator as usize)
                .map_or(1, |known| *known);
            unknown |= *hash == 0;
        }
        if unknown {
            for (hash, &operator) in self.hashes.iter_mut().zip(self.lanes.chosen()) {
                if *hash != 0 {
                    continue;
                }
                let known = &mut self.action_hashes[operator as usize];
                if *known == 0 {
                    let action = self.planning.space().action_of(ActionId::new(operator));
                    *known = self.planning.choice_hash(&mut self.names, Choice::from(action));
                }
                *hash = *known;
            }
        }
        for crowded in &self.chosen {
            self.counts[crowded.lane] = crowded.count;
            let choice = Choice::from(crowded.action);
            self.hashes[crowded.lane] = self.planning.choice_hash(&mut self.names, choice);
        }
    }

    fn counts(&self) -> &[u32] {
        &self.counts
    }

    fn choice_hashes(&self) -> &[u64] {
        &self.hashes
    }

    fn choose(&mut self, which: &[u64], alternatives: &[u32], refused: &mut [u64]) {
        let (crowded, plain) = self.split(which);
        self.lanes.forget_choices();
        self.chosen.clear();
        let mut invalid = self.carriers.choose(&mut self.lanes, &plain, alternatives);
        each(&crowded, |lane| {
            self.go_to(lane);
            let action = AgentActionId::new(alternatives[lane]);
            if self.planning.is_valid(&[Choice::from(action)]) {
                let count = self.planning.choice_count() as u32;
                self.chosen.push(Crowded { lane, action, count });
            } else {
                invalid[lane / 64] |= 1 << (lane % 64);
            }
        });
        refused
            .iter_mut()
            .zip(invalid)
            .for_each(|(refused, invalid)| *refused = invalid);
    }

    fn step(&mut self, chance: &mut [Random]) {
        for index in 0..self.chosen.len() {
            let Crowded { lane, action, .. } = self.chosen[index];
            self.go_to(lane);
            let chosen = self.planning.resolve(action, &mut chance[lane]);
            let chosen = chosen.is_ok_and(|operator| self.lanes.choose(lane, operator).is_ok());
            debug_assert!(chosen, "a valid action was chosen");
        }
        self.chosen.clear();
        self.lanes.step(chance);
        self.follow();
    }

    fn rewards(&self) -> &[f64] {
        self.lanes.rewards()
    }

    fn state(&self, lane: usize) -> State {
        self.lanes.state(lane)
    }

    fn write_bits(&mut self, bits: &[RowBit], rows: &mut [u64]) {
        self.lanes.write_bits(bits, rows);
    }

    fn write_masks(&mut self, rows: &mut [u64]) {
        let exclusive = self.planning.walk().ambiguity() == Ambiguity::Error;
        self.carriers.write_masks(&self.lanes, exclusive, rows);
    }

    fn state_hashes(&mut self, which: &[u64], visit: &mut dyn FnMut(usize, u64)) {
        let names = &self.names;
        self.lanes
            .each_state(&sized(which), |lane, state| visit(lane, names.hash(state)));
    }
}
