//! Blocks of copies of a problem on the bit-sliced engine.

use herbrand_core::{Choice, Fingerprinted, Random, System, SystemBlock};
use herbrand_ground::ActionId;
use herbrand_step::{SlicedTask, SlicedWalker};

use super::{Grounded, Planning, Symbols};
use crate::action::AgentActionId;

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
) -> Option<Box<dyn SystemBlock>> {
    if slicing == Slicing::Never {
        return None;
    }
    let task = planning.instance().sliced().ok()?;
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
    /// For each operator, the hash of the action that it carries out; 0 if it was not computed yet.
    action_hashes: Vec<u64>,
    counts: Vec<u32>,
    hashes: Vec<u64>,
    /// The crowded lanes.
    crowded: [u64; N],
    /// Whether the declared initial state is crowded.
    starts_crowded: bool,
    dead_ends: [u64; N],
    /// The actions drawn in crowded lanes.
    drawn: Vec<(usize, AgentActionId)>,
    joint: Vec<Choice>,
}

impl<const N: usize> Block<N> {
    fn new(planning: &Planning<Grounded>, task: &SlicedTask) -> Self {
        let lanes = task.walker();
        let mut this = Self {
            names: planning.names(),
            action_hashes: vec![0; task.simulator().task().actions.len()],
            counts: vec![0; SlicedWalker::<N>::LANES],
            hashes: vec![0; SlicedWalker::<N>::LANES],
            crowded: [0; N],
            starts_crowded: false,
            dead_ends: [0; N],
            drawn: Vec::new(),
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
        for lane in members(&self.crowded) {
            self.go_to(lane);
            if self.planning.choice_count() == 0 {
                self.dead_ends[lane / 64] |= 1 << (lane % 64);
            }
        }
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

    fn choice_hash(&mut self, action: AgentActionId) -> u64 {
        self.planning.choice_hash(&mut self.names, Choice::from(action))
    }
}

/// Returns a set of lanes of known length.
fn sized<const N: usize>(which: &[u64]) -> [u64; N] {
    let mut words = [0; N];
    words.iter_mut().zip(which).for_each(|(own, word)| *own = *word);
    words
}

/// Returns the lanes of a set, ascending.
fn members<const N: usize>(set: &[u64; N]) -> Vec<usize> {
    let holds = |&lane: &usize| set[lane / 64] >> (lane % 64) & 1 == 1;
    if set.iter().all(|word| *word == 0) {
        return Vec::new();
    }
    (0..64 * N).filter(holds).collect()
}

impl<const N: usize> SystemBlock for Block<N> {
    fn lanes(&self) -> usize {
        SlicedWalker::<N>::LANES
    }

    fn reset(&mut self, which: &[u64], chance: &mut [Random]) {
        let which = sized(which);
        let drawn = self.lanes.reset(&which, chance);
        debug_assert!(drawn.is_ok(), "a task whose draws may fail is not sliced");
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
        let which = sized::<N>(which);
        let mut plain = which;
        for (plain, crowded) in plain.iter_mut().zip(&self.crowded) {
            *plain &= !crowded;
        }
        self.lanes.sample(&plain, random);
        self.lanes.write_valid_counts(&plain, &mut self.counts);
        for (hash, &operator) in self.hashes.iter_mut().zip(self.lanes.chosen()) {
            // A lane that was not sampled keeps any hash.
            let Some(known) = self.action_hashes.get_mut(operator as usize) else {
                continue;
            };
            if *known == 0 {
                let action = self.planning.space().action_of(ActionId::new(operator));
                *known = self.planning.choice_hash(&mut self.names, Choice::from(action));
            }
            *hash = *known;
        }
        self.drawn.clear();
        let mut crowded = which;
        for (crowded, of_all) in crowded.iter_mut().zip(&self.crowded) {
            *crowded &= of_all;
        }
        for lane in members(&crowded) {
            self.go_to(lane);
            self.counts[lane] = self.planning.choice_count() as u32;
            self.planning.sample(&mut random[lane], &mut self.joint);
            if let Some(action) = super::single(&self.joint) {
                self.hashes[lane] = self.choice_hash(action);
                self.drawn.push((lane, action));
            }
        }
    }

    fn counts(&self) -> &[u32] {
        &self.counts
    }

    fn choice_hashes(&self) -> &[u64] {
        &self.hashes
    }

    fn step(&mut self, chance: &mut [Random]) {
        for (lane, action) in std::mem::take(&mut self.drawn) {
            self.go_to(lane);
            let chosen = self.planning.resolve(action, &mut chance[lane]);
            let chosen = chosen.is_ok_and(|operator| self.lanes.choose(lane, operator).is_ok());
            debug_assert!(chosen, "a valid action was drawn");
        }
        self.lanes.step(chance);
        self.follow();
    }

    fn rewards(&self) -> &[f64] {
        self.lanes.rewards()
    }

    fn state_hashes(&mut self, which: &[u64], visit: &mut dyn FnMut(usize, u64)) {
        let names = &self.names;
        self.lanes
            .each_state(&sized(which), |lane, state| visit(lane, names.hash(state)));
    }
}
