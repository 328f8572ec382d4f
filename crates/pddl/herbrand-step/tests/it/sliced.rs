//! Tests that every lane of the bit-sliced engine does what a walker does.

use herbrand_core::RowBit;
use herbrand_ground::strategies::{Builder, EffectKinds, TaskSketch, sketches};
use herbrand_ground::{ActionId, AtomId, Block};
use herbrand_limits::{Budget, BudgetExhausted, Limits};
use herbrand_pddl::{AssignOperator, Comparison, Domain, Problem};
use herbrand_step::{
    Chance, Derived, Options, Random, Simulator, SlicedError, SlicedTask, SlicedWalker, StepError, Walker,
    compile, uniform_below,
};
use proptest::prelude::*;

/// A block of lanes with a walker and two pairs of generators for each.
struct Twins<const N: usize> {
    lanes: SlicedWalker<N>,
    walkers: Vec<Walker>,
    /// The generators of actions and of outcomes.
    own: [Vec<Random>; 2],
    twins: [Vec<Random>; 2],
    rng: Random,
}

impl<const N: usize> Twins<N> {
    fn new(simulator: &Simulator, seed: u64) -> Result<Self, SlicedError> {
        let lanes = SlicedTask::new(simulator, &Budget::unlimited())?.walker::<N>();
        let generators = |stream| -> Vec<Random> {
            (0..64 * N as u64)
                .map(|lane| Random::new(seed ^ lane).stream(stream))
                .collect()
        };
        let own = [generators(0), generators(1)];
        Ok(Self {
            lanes,
            walkers: vec![simulator.walker(); 64 * N],
            twins: own.clone(),
            own,
            rng: Random::new(seed),
        })
    }

    /// Returns some lanes: all, a few or none.
    fn some(&mut self) -> [u64; N] {
        let kind = uniform_below(&mut self.rng, 4);
        std::array::from_fn(|_| match kind {
            0 | 1 => u64::MAX,
            2 => (0..7).fold(u64::MAX, |word, _| word & rand::Rng::next_u64(&mut self.rng)),
            _ => rand::Rng::next_u64(&mut self.rng),
        })
    }

    fn check(&mut self) {
        let some = self.some();
        let Self { lanes, walkers, .. } = self;
        let mut counts = vec![7; walkers.len()];
        lanes.write_valid_counts(&some, &mut counts);
        for (lane, (count, walker)) in counts.iter().zip(&*walkers).enumerate() {
            let wanted = some[lane / 64] >> (lane % 64) & 1 == 1;
            let expected = if wanted { walker.valid().len() } else { 0 };
            assert_eq!(*count as usize, expected, "lane {lane}");
        }
        for (lane, walker) in walkers.iter().enumerate() {
            let holds = |plane: &[u64; N]| plane[lane / 64] >> (lane % 64) & 1 == 1;
            assert_eq!(
                lanes.valid_count(lane) as usize,
                walker.valid().len(),
                "lane {lane}"
            );
            assert_eq!(holds(lanes.goals()), walker.is_goal(), "lane {lane}");
            assert_eq!(holds(lanes.dead_ends()), walker.valid().is_empty(), "lane {lane}");
        }
        let few = std::array::from_fn(|word| if word == 0 { 0b1001 } else { 0 });
        for which in [[u64::MAX; N], few] {
            let mut seen = 0;
            lanes.each_state(&which, |lane, state| {
                assert_eq!(state, walkers[lane].state(), "lane {lane}");
                seen += 1;
            });
            assert_eq!(seen, which.iter().map(|word| word.count_ones()).sum::<u32>());
        }
    }

    /// Compares the valid actions of some lanes one by one.
    fn check_valid(&self) {
        let actions = self.lanes.simulator().task().actions.len();
        for action in (0..actions).map(ActionId::from_index) {
            let plane = self.lanes.valid(action).expect("an action");
            for lane in (0..64 * N).step_by(37) {
                let holds = plane[lane / 64] >> (lane % 64) & 1 == 1;
                assert_eq!(holds, self.walkers[lane].valid().contains(action), "lane {lane}");
            }
        }
        assert_eq!(self.lanes.valid(ActionId::from_index(actions)), None);
    }

    /// Compares rows of all atoms, and rows of the valid actions by pairs, with the walkers.
    fn check_rows(&self) {
        let task = self.lanes.simulator().task();
        let (atoms, actions) = (task.atom_count(), task.actions.len());
        let mut bits = vec![RowBit::One, RowBit::Zero, RowBit::State(atoms as u32)];
        bits.extend((0..atoms as u32).map(RowBit::State));
        let words = bits.len().div_ceil(64);
        let mut rows = vec![7; words * 64 * N];
        self.lanes.write_bits(&bits, &mut rows);
        let holds = |row: &[u64], place: usize| row[place / 64] >> (place % 64) & 1 == 1;
        for (row, walker) in rows.chunks(words).zip(&self.walkers) {
            assert!(holds(row, 0) && !holds(row, 1) && !holds(row, 2));
            for atom in 0..task.fluent_count() {
                assert_eq!(
                    holds(row, 3 + atom),
                    walker.holds(AtomId::from_index(atom)),
                    "atom {atom}"
                );
            }
        }
        let ids: Vec<_> = (0..actions).map(ActionId::from_index).collect();
        let pairs: Vec<_> = ids.chunks(2).collect();
        let words = pairs.len().div_ceil(64);
        let mut rows = vec![7; words * 64 * N];
        for exclusive in [false, true] {
            self.lanes
                .write_valid(pairs.len(), |pair| pairs[pair], exclusive, &mut rows);
            for (row, walker) in rows.chunks(words.max(1)).zip(&self.walkers) {
                for (place, pair) in pairs.iter().enumerate() {
                    let valid = pair.iter().filter(|id| walker.valid().contains(**id)).count();
                    assert_eq!(
                        holds(row, place),
                        valid == 1 || valid > 1 && !exclusive,
                        "pair {place}"
                    );
                }
            }
        }
    }

    /// Starts some lanes again.
    fn reset(&mut self) {
        let which = self.some();
        self.lanes
            .reset(&which, &mut self.own[1])
            .expect("an initial state");
        for (lane, walker) in self.walkers.iter_mut().enumerate() {
            if which[lane / 64] >> (lane % 64) & 1 == 1 {
                walker.reset(&mut self.twins[1][lane]).expect("an initial state");
            }
        }
    }

    /// Moves some lanes to the state of one of them.
    fn set_states(&mut self) {
        let which = self.some();
        let from = uniform_below(&mut self.rng, 64 * N as u32) as usize;
        let state = self.walkers[from].state().clone();
        self.lanes
            .set_states(&which, &state)
            .expect("a state of the task");
        for (lane, walker) in self.walkers.iter_mut().enumerate() {
            if which[lane / 64] >> (lane % 64) & 1 == 1 {
                walker.set_state(&state).expect("a state of the task");
            }
        }
    }

    /// Samples an action in some lanes, chooses one in some others, and takes a step.
    fn step(&mut self) {
        let which = self.some();
        self.lanes.sample(&which, &mut self.own[0]);
        let mut rewards = Vec::new();
        for (lane, walker) in self.walkers.iter_mut().enumerate() {
            let mut action = None;
            if which[lane / 64] >> (lane % 64) & 1 == 1 {
                action = walker.sample(&mut self.twins[0][lane]);
            } else if lane % 3 == 0 && !walker.valid().is_empty() {
                let rank = uniform_below(&mut self.rng, walker.valid().len() as u32);
                action = walker.valid().nth(rank as usize);
                self.lanes
                    .choose(lane, action.expect("a valid action"))
                    .expect("it is valid");
            }
            let number = action.map_or(SlicedWalker::<N>::NONE, ActionId::number);
            assert_eq!(self.lanes.chosen()[lane], number, "lane {lane}");
            let taken = action.map(|action| {
                walker
                    .apply(action, &mut self.twins[1][lane])
                    .expect("a valid action")
            });
            rewards.push(taken.map_or(0.0, |taken| taken.reward).to_bits());
        }
        self.lanes.step(&mut self.own[1]);
        let found: Vec<_> = self
            .lanes
            .rewards()
            .iter()
            .map(|reward| reward.to_bits())
            .collect();
        assert_eq!(found, rewards);
        assert_eq!(self.own, self.twins, "the same draws");
        assert!(
            self.lanes
                .chosen()
                .iter()
                .all(|&action| action == SlicedWalker::<N>::NONE)
        );
    }

    /// Takes steps; before some of them, lanes start again or move to other states.
    fn walk(&mut self, steps: usize) {
        for _ in 0..steps {
            match uniform_below(&mut self.rng, 6) {
                0 => self.reset(),
                1 => {
                    let lane = uniform_below(&mut self.rng, 64 * N as u32) as usize;
                    let state = self.walkers[0].state().clone();
                    self.lanes.set_state(lane, &state).expect("a state of the task");
                    self.walkers[lane].set_state(&state).expect("a state of the task");
                }
                2 => self.set_states(),
                _ => {}
            }
            self.check();
            self.step();
            self.check();
        }
        self.check_valid();
        self.check_rows();
    }
}

/// Compares lanes with walkers on a random task. Returns whether the task can be bit-sliced.
fn agree<const N: usize>(sketch: &TaskSketch, seed: u64, steps: usize) -> bool {
    let options = Options {
        derived: if seed.is_multiple_of(2) {
            Derived::Needed
        } else {
            Derived::All
        },
        chance: if seed.is_multiple_of(5) {
            Chance::MostLikely
        } else {
            Chance::Drawn
        },
        ..Options::default()
    };
    let sketch = TaskSketch {
        numbers: 0,
        ..sketch.clone()
    };
    let simulator = Simulator::with_options(sketch.build(), options);
    match Twins::<N>::new(&simulator, seed) {
        Ok(mut twins) => {
            twins.walk(steps);
            true
        }
        Err(error) => {
            assert!(matches!(error, SlicedError::Undefined { .. }), "{error}");
            false
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn every_lane_agrees_with_a_walker(sketch in sketches(), seed: u64) {
        agree::<2>(&sketch, seed, 12);
    }
}

/// Takes 100 steps on 512 lanes for each of many tasks. `PROPTEST_CASES` is the number of tasks.
#[test]
#[ignore = "takes many minutes"]
fn every_lane_of_wide_blocks_agrees_with_a_walker() {
    let config = ProptestConfig {
        max_global_rejects: u32::MAX,
        ..ProptestConfig::default()
    };
    proptest!(config, |(sketch in sketches(), seed: u64)| {
        prop_assume!(agree::<8>(&TaskSketch { actions: sketch.actions.min(150), ..sketch }, seed, 100));
    });
}

#[test]
fn lanes_of_a_problem_agree_with_walkers() {
    let domain = "(define (domain grid) (:requirements :adl :derived-predicates)
        (:predicates (at ?x) (next ?x ?y) (open ?x) (reach ?x) (goal-reached))
        (:derived (reach ?x) (or (at ?x) (exists (?y) (and (reach ?y) (next ?y ?x) (open ?x)))))
        (:action jump :parameters (?x ?y) :precondition (and (at ?x) (reach ?y) (not (at ?y)))
            :effect (and (not (at ?x)) (at ?y) (when (open ?x) (not (open ?x))) (when (not (open ?x)) (open ?x))))
        (:action toggle :parameters (?x) :precondition (not (at ?x)) :effect (and (when (open ?x) (not (open ?x)))
            (when (not (open ?x)) (open ?x)))))";
    let places = 0..9;
    let names: String = places.clone().map(|n| format!("p{n} ")).collect();
    let next: String = places
        .flat_map(|n| [(n, (n + 1) % 9), (n, (n + 4) % 9)])
        .map(|(n, to)| format!("(next p{n} p{to})"))
        .collect();
    let problem = format!(
        "(define (problem one) (:domain grid) (:objects {names}) (:init (at p0) (open p1) {next}) (:goal (at p7)))"
    );
    let domain = Domain::from_text(domain).unwrap();
    let problem = Problem::from_text(&problem, &domain).unwrap();
    let simulator = compile(&domain, &problem).unwrap();
    assert!(simulator.task().atom_count() > simulator.task().fluent_count());
    let mut twins = Twins::<4>::new(&simulator, 3).unwrap();
    twins.walk(60);
}

#[test]
fn atoms_that_derive_each_other_agree_with_walkers() {
    let domain = "(define (domain rooms) (:requirements :adl :derived-predicates)
        (:predicates (in ?x) (way ?x ?y) (gate ?x ?y) (open ?x ?y) (reach ?x ?y) (linked ?x ?y))
        (:derived (reach ?x ?y) (or (way ?x ?y) (and (gate ?x ?y) (open ?x ?y)) (exists (?z) (and (way ?x ?z) (reach ?z ?y)))
            (exists (?z) (and (gate ?x ?z) (open ?x ?z) (reach ?z ?y)))))
        (:derived (linked ?x ?y) (or (and (gate ?x ?y) (open ?x ?y)) (exists (?z) (and (linked ?z ?y) (linked ?x ?z)))))
        (:action leap :parameters (?x ?y) :precondition (and (in ?x) (linked ?x ?y) (not (in ?y)))
            :effect (and (not (in ?x)) (in ?y)))
        (:action go :parameters (?x ?y) :precondition (and (in ?x) (reach ?x ?y) (not (in ?y)))
            :effect (and (not (in ?x)) (in ?y)))
        (:action pull :parameters (?x ?y) :precondition (and (gate ?x ?y) (in ?x))
            :effect (and (when (open ?x ?y) (not (open ?x ?y))) (when (not (open ?x ?y)) (open ?x ?y)))))";
    // Two islands of rooms with ways in both directions, a room with a way out only, and gates between them.
    let problem = "(define (problem one) (:domain rooms) (:objects a b c d e f)
        (:init (in a) (way a b) (way b a) (way b c) (way c a) (way d e) (way e d) (way f a)
            (gate c d) (gate d c) (gate e f) (gate f a) (gate a f) (gate a c) (gate d e) (open c d)) (:goal (in e)))";
    let domain = Domain::from_text(domain).unwrap();
    let problem = Problem::from_text(problem, &domain).unwrap();
    let simulator = compile(&domain, &problem).unwrap();
    // Rooms of an island reach the same rooms: one rule derives this for all of them.
    let list = SlicedTask::new(&simulator, &Budget::unlimited()).unwrap();
    let list = list.step_list(&Budget::unlimited()).unwrap();
    let (repeated, once): (Vec<_>, Vec<_>) = list.strata.iter().partition(|stratum| stratum.recursive);
    let count: usize = repeated.iter().map(|stratum| stratum.rules.len()).sum();
    assert!(count > 0 && count < simulator.task().axioms.len(), "{count}");
    let bodies = once.iter().flat_map(|stratum| &stratum.rules);
    let mut lengths: Vec<usize> = bodies.map(|(_, body)| body[0].positive.len()).collect();
    lengths.sort_unstable();
    lengths.dedup();
    assert_eq!(lengths, [0, 1], "facts and copies");
    let mut twins = Twins::<2>::new(&simulator, 5).unwrap();
    twins.walk(60);
}

#[test]
fn choices_that_are_not_valid_are_refused() {
    let mut builder = Builder::new(2, 0, 0, 0);
    let (first, set) = (builder.condition(&[0]), builder.change(&[1], &[0]));
    builder.action(first, set);
    let simulator = Simulator::new(builder.build());
    let task = SlicedTask::new(&simulator, &Budget::unlimited()).unwrap();
    let mut lanes = task.walker::<2>();
    let action = ActionId::new(0);
    let refused = lanes.choose(5, action).expect_err("its precondition fails");
    assert!(
        matches!(&refused, StepError::Invalid(explanation) if !explanation.valid),
        "{refused}"
    );
    assert!(matches!(
        lanes.choose(5, ActionId::new(1)),
        Err(StepError::UnknownAction { .. })
    ));
    let state = simulator.state_from_atoms([AtomId::new(0)]).unwrap();
    lanes.set_state(5, &state).unwrap();
    lanes.choose(5, action).unwrap();
    lanes.step(&mut []);
    let mut seen = Vec::new();
    lanes.each_state(&[1 << 5 | 1, 0], |lane, state| {
        seen.push((lane, state.fluents().collect::<Vec<_>>()))
    });
    assert_eq!(seen, [(0, vec![]), (5, vec![AtomId::new(1)])]);
    let other = Simulator::new(Builder::new(100, 0, 0, 0).build()).initial_state();
    assert_eq!(lanes.set_state(0, &other), Err(StepError::ForeignState));
    assert_eq!(lanes.set_states(&[0; 2], &other), Err(StepError::ForeignState));
}

#[test]
fn a_reset_leaves_a_dead_end() {
    let mut builder = Builder::new(2, 0, 0, 0);
    let (second, set, unset) = (
        builder.condition(&[!1]),
        builder.change(&[0, 1], &[]),
        builder.change(&[1], &[0]),
    );
    builder.action(second, set);
    builder.action(second, unset);
    let simulator = Simulator::new(builder.build());
    let mut lanes = SlicedTask::new(&simulator, &Budget::unlimited())
        .unwrap()
        .walker::<2>();
    let mut random: Vec<_> = (0..128).map(Random::new).collect();
    lanes.sample(&[u64::MAX; 2], &mut random);
    lanes.step(&mut []);
    assert_eq!(*lanes.dead_ends(), [u64::MAX; 2]);
    lanes.reset(&[5, 1 << 63], &mut []).unwrap();
    assert_eq!(*lanes.dead_ends(), [!5, !(1 << 63)]);
    assert_eq!([0, 1, 127].map(|lane| lanes.valid_count(lane)), [2, 0, 2]);
}

#[test]
fn the_first_valid_action_is_chosen() {
    let mut builder = Builder::new(2, 0, 0, 0);
    let nothing = builder.change(&[], &[]);
    for literals in [&[0][..], &[1], &[]] {
        let condition = builder.condition(literals);
        builder.action(condition, nothing);
    }
    let simulator = Simulator::new(builder.build());
    let mut lanes = SlicedTask::new(&simulator, &Budget::unlimited())
        .unwrap()
        .walker::<2>();
    let ids = [0, 1, 2, 3].map(ActionId::new);
    for (lane, atom) in [(3, 0), (70, 1)] {
        let state = simulator.state_from_atoms([AtomId::new(atom)]).unwrap();
        lanes.set_state(lane, &state).unwrap();
    }
    let none = SlicedWalker::<2>::NONE;
    assert_eq!(lanes.choose_first(&[0b1001, 1 << 6], &ids[..2]), [1, 0]);
    assert_eq!([0, 3, 70].map(|lane| lanes.chosen()[lane]), [none, 0, 1]);
    assert_eq!(
        lanes.choose_first(&[0b1001, 1 << 6], &[ids[3], ids[2], ids[0]]),
        [0, 0]
    );
    assert_eq!([0, 3, 70, 4].map(|lane| lanes.chosen()[lane]), [2, 2, 2, none]);
    lanes.forget_choices();
    assert!(lanes.chosen().iter().all(|&chosen| chosen == none));
    assert!(!lanes.choose_valid(0, &ids[..2]) && lanes.choose_valid(70, &ids[..2]));
    assert_eq!([0, 70].map(|lane| lanes.chosen()[lane]), [none, 1]);
    assert!(lanes.choose_valid(0, &ids));
    lanes
        .set_states(&[0, 1 << 6], &simulator.initial_state())
        .unwrap();
    assert_eq!([0, 70].map(|lane| lanes.chosen()[lane]), [2, none]);
    assert!(!lanes.choose_valid(70, &ids[..2]));
}

/// Returns the error of slicing a task with one action.
fn refusal(build: impl FnOnce(&mut Builder), numbers: u32) -> String {
    let mut builder = Builder::new(1, 0, numbers, 1);
    build(&mut builder);
    let simulator = Simulator::new(builder.build());
    SlicedTask::new(&simulator, &Budget::unlimited())
        .expect_err("it is refused")
        .to_string()
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let plain = |builder: &mut Builder| {
        let (always, nothing) = (builder.condition(&[]), builder.change(&[], &[]));
        builder.action(always, nothing);
    };
    assert_eq!(
        refusal(plain, 1),
        "its states contain numbers, such as `(n0)`, and the bit-sliced engine has atoms only"
    );
    let compares = |builder: &mut Builder| {
        let comparison = builder.comparison(0, Comparison::Less, 2.0);
        builder.conjunction(&[], &[comparison]);
        let (small, nothing) = (builder.finish(), builder.change(&[], &[]));
        builder.action(small, nothing);
    };
    assert_eq!(
        refusal(compares, 0),
        "its conditions compare numbers, and the bit-sliced engine reads atoms only"
    );
    for (operator, value) in [
        (AssignOperator::Assign, 1.0),
        (AssignOperator::Increase, f64::INFINITY),
        (AssignOperator::Decrease, f64::MAX),
    ] {
        let earns = |builder: &mut Builder| {
            let assignments = [
                builder.assignment(operator, 0, value),
                builder.assignment(operator, 0, value),
            ];
            let inner = builder.block(Block {
                assignments: &assignments,
                ..Block::default()
            });
            let (always, when) = (builder.condition(&[]), builder.condition(&[0]));
            let outer = builder.block(Block {
                whens: &[(when, inner)],
                ..Block::default()
            });
            builder.action(always, outer);
        };
        assert_eq!(
            refusal(earns, 0),
            "an effect of (a0) on `(n0)` may have no result, and the bit-sliced engine takes no such step"
        );
    }
    let mut builder = Builder::new(1, 0, 0, 0);
    let (always, nothing) = (builder.condition(&[]), builder.change(&[], &[]));
    (0..65_536).for_each(|_| builder.action(always, nothing));
    let simulator = Simulator::new(builder.build());
    let budget = Budget::unlimited();
    assert_eq!(
        SlicedTask::new(&simulator, &budget).unwrap_err().to_string(),
        "it has 65536 ground operators, more than the 65535 that the bit-sliced engine numbers"
    );
}

#[test]
fn the_budget_holds() {
    let mut builder = Builder::new(4, 0, 0, 0);
    let (always, all) = (builder.condition(&[0, 1, !2]), builder.change(&[1, 2], &[3]));
    (0..5000).for_each(|_| builder.action(always, all));
    let simulator = Simulator::new(builder.build());
    let bytes = SlicedTask::new(&simulator, &Budget::unlimited()).unwrap().bytes();
    assert!(bytes > 5000 * 20, "{bytes}");
    for (limit, fits) in [(bytes, true), (bytes - 1, false)] {
        let limits = Limits {
            bytes: Some(limit),
            time: None,
        };
        let sliced = SlicedTask::new(&simulator, &Budget::new(limits));
        assert_eq!(sliced.is_ok(), fits);
        if let Err(error) = sliced {
            assert!(matches!(
                error,
                SlicedError::Limit(BudgetExhausted::Memory { .. })
            ));
        }
    }
    let budget = Budget::unlimited();
    budget.cancel();
    assert!(matches!(
        SlicedTask::new(&simulator, &budget),
        Err(SlicedError::Limit(BudgetExhausted::Cancelled { .. }))
    ));
}

#[test]
fn a_step_allocates_nothing() {
    let sketch = TaskSketch {
        fluents: 12,
        derived: 4,
        numbers: 0,
        actions: 100,
        literals: 2,
        disjunctions: false,
        effects: EffectKinds::Plain,
        seed: 1,
    };
    let simulator = Simulator::new(sketch.build());
    let task = SlicedTask::new(&simulator, &Budget::unlimited()).unwrap();
    let mut lanes = task.walker::<4>();
    let mut random: Vec<_> = (0..256).map(Random::new).collect();
    let mut go = || {
        lanes.sample(&[u64::MAX; 4], &mut random);
        lanes.step(&mut []);
        let ended = *lanes.dead_ends();
        lanes.reset(&ended, &mut []).unwrap();
    };
    go();
    let allocated = allocation_counter::measure(|| (0..100).for_each(|_| go()));
    assert_eq!(allocated.count_total, 0);
}
