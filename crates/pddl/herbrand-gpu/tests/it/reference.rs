//! Episodes of many environments, one walker each: the slow twin of the kernel.

use herbrand_core::{Autoreset, DeadEnd, EpisodeRules, Streams};
use herbrand_gpu::{BatchMemory, KernelTables, Planes};
use herbrand_ground::{ActionId, AtomId};
use herbrand_step::{Derived, Random, Simulator, Walker};

/// The results of a step in one environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Row {
    pub reward: u64,
    pub goal: bool,
    pub dead_end: bool,
    pub applied: bool,
    pub terminated: bool,
    pub truncated: bool,
    pub reached: bool,
}

struct Lane {
    walker: Walker,
    outcomes: Random,
    actions: Random,
    elapsed: u32,
    over: bool,
    row: Row,
}

/// Environments of one task.
pub struct Reference {
    lanes: Vec<Lane>,
    rules: EpisodeRules,
    autoreset: Autoreset,
    /// The operators of the last step.
    pub actions: Vec<u32>,
    /// The number of operators carried out so far.
    pub applied: usize,
}

impl Reference {
    pub fn new(
        simulator: &Simulator,
        count: u32,
        seed: u64,
        rules: EpisodeRules,
        autoreset: Autoreset,
    ) -> Self {
        let lanes = (0..u64::from(count)).map(|index| {
            let Streams {
                outcomes, actions, ..
            } = Streams::new(seed.wrapping_add(index));
            Lane {
                walker: simulator.walker(),
                outcomes,
                actions,
                elapsed: 0,
                over: true,
                row: Row::default(),
            }
        });
        Self {
            lanes: lanes.collect(),
            rules,
            autoreset,
            actions: vec![0; count as usize],
            applied: 0,
        }
    }

    /// Begins episodes in the environments for which `which` is true.
    pub fn begin(&mut self, which: impl Fn(usize) -> bool) {
        for (index, lane) in self.lanes.iter_mut().enumerate() {
            if which(index) {
                lane.row = Row::default();
                lane.begin();
            }
        }
    }

    /// Takes a step in every environment: by the operators of [`actions`](Self::actions), or by sampled ones.
    pub fn step(&mut self, sampled: bool) {
        for (lane, number) in self.lanes.iter_mut().zip(&mut self.actions) {
            let given = *number;
            if sampled {
                *number = 0;
            }
            if lane.over {
                lane.row = Row {
                    goal: lane.row.goal,
                    dead_end: lane.row.dead_end,
                    ..Row::default()
                };
                if self.autoreset == Autoreset::NextStep {
                    lane.begin();
                }
                continue;
            }
            // The goal of an initial state.
            let rests = self.rules.goal_ends && lane.walker.is_goal();
            let action = if sampled {
                lane.walker.sample(&mut lane.actions)
            } else {
                Some(ActionId::new(given)).filter(|action| lane.walker.valid().contains(*action))
            };
            let mut row = Row::default();
            if let Some(action) = action {
                if sampled {
                    *number = action.number();
                }
                if !rests {
                    let taken = lane
                        .walker
                        .apply(action, &mut lane.outcomes)
                        .expect("a valid action");
                    row.reward = taken.reward.to_bits();
                    row.applied = true;
                    self.applied += 1;
                }
            }
            lane.elapsed += 1;
            row.goal = lane.walker.is_goal();
            row.dead_end = lane.walker.valid().is_empty();
            row.reached = row.goal && self.rules.goal_ends;
            row.terminated = row.reached || (row.dead_end && self.rules.dead_end == DeadEnd::Ends);
            let horizon = self.rules.horizon.is_some_and(|horizon| lane.elapsed >= horizon);
            row.truncated = !row.terminated && horizon;
            lane.row = row;
            lane.over = row.terminated || row.truncated;
            if lane.over && self.autoreset == Autoreset::SameStep {
                lane.row.applied = false;
                lane.begin();
            }
        }
    }

    /// Returns a valid operator of an environment; `None` in a dead end.
    pub fn any_valid(&self, index: usize, random: &mut Random) -> Option<u32> {
        self.lanes[index].walker.sample(random).map(ActionId::number)
    }

    /// Compares everything with the memory of the kernel.
    pub fn check(&self, tables: &KernelTables, memory: &BatchMemory, place: &str) {
        let words = self.lanes.len().div_ceil(32);
        for (index, lane) in self.lanes.iter().enumerate() {
            let holds = |planes| memory.holds(tables, planes, 0, index);
            let row = Row {
                reward: memory.rewards[index].to_bits(),
                goal: holds(Planes::Goal),
                dead_end: holds(Planes::DeadEnd),
                applied: holds(Planes::Applied),
                terminated: holds(Planes::Terminated),
                truncated: holds(Planes::Truncated),
                reached: holds(Planes::Reached),
            };
            assert_eq!(row, lane.row, "environment {index} {place}");
            assert_eq!(holds(Planes::Over), lane.over, "environment {index} {place}");
            assert_eq!(memory.elapsed(index), lane.elapsed, "environment {index} {place}");
            let streams = memory.streams(index as u32).expect("a seed");
            assert_eq!(
                streams,
                [lane.outcomes.clone(), lane.actions.clone()],
                "environment {index} {place}"
            );
        }
        assert_eq!(memory.actions, self.actions, "{place}");
        let simulator = self.lanes[0].walker.simulator();
        let all = simulator.options().derived == Derived::All;
        let task = simulator.task();
        let atoms = if all {
            task.atom_count()
        } else {
            task.fluent_count()
        };
        let mut expected = vec![0; atoms * words];
        let mut valid = vec![0; task.actions.len() * words];
        for (index, Lane { walker, .. }) in self.lanes.iter().enumerate() {
            let (word, bit) = (index / 32, 1_u32 << (index % 32));
            for atom in (0..atoms).filter(|&atom| walker.holds(AtomId::from_index(atom))) {
                expected[atom * words + word] |= bit;
            }
            for action in walker.valid().iter() {
                valid[action.index() * words + word] |= bit;
            }
        }
        let used = |word: usize| match self.lanes.len() - word * 32 {
            left @ 0..32 => (1_u32 << left) - 1,
            _ => u32::MAX,
        };
        for (planes, expected) in [(Planes::Atoms, expected), (Planes::Valid, valid)] {
            let found = &memory.planes[tables.planes(planes).0 * words..];
            for (item, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let found = found & used(item % words);
                assert_eq!(found, *expected, "{planes:?} {} {place}", item / words);
            }
        }
    }
}

impl Lane {
    fn begin(&mut self) {
        self.walker.reset(&mut self.outcomes).expect("an initial state");
        (self.elapsed, self.over) = (0, false);
        self.row.goal = self.walker.is_goal();
        self.row.dead_end = self.walker.valid().is_empty();
    }
}
