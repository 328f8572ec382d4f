//! Returns that are infinite or NaN: how many episodes have one, and where the first of them begins.

use std::sync::atomic::AtomicBool;

use herbrand_core::{
    ActionLayout, Agent, BatchSystem, Choice, EpisodeFault, EvaluateOptions, Fingerprinted, NonFinite,
    NonFiniteValue, Problems, Random, RolloutOptions, RolloutPolicy, Status, Streams, System, Transition,
    evaluate, roll_out, uniform_below,
};

/// The part of a step that becomes infinite or NaN when the fuse blows.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Blows {
    /// A variable of the state, which the reward then shows.
    State,
    /// The reward.
    Reward,
    /// The sum of large rewards.
    Return,
    /// The sum of large rewards that cancel out, if later ones count for more.
    Discounted,
}

const PROBLEMS: [Blows; 4] = [Blows::State, Blows::Reward, Blows::Return, Blows::Discounted];

/// One step in sixteen blows the fuse.
#[derive(Clone, Debug)]
struct Fuse {
    layout: ActionLayout,
    blows: Blows,
    state: Wire,
}

#[derive(Clone, Copy, PartialEq, Default, Debug)]
struct Wire {
    heat: f64,
    /// How often it blew.
    blown: u32,
}

impl System for Fuse {
    type State = Wire;
    type Error = EpisodeFault;

    fn reset(&mut self, _chance: &mut Random) -> Result<(), EpisodeFault> {
        self.state = Wire::default();
        Ok(())
    }

    fn state(&self) -> &Wire {
        &self.state
    }

    fn set_state(&mut self, state: &Wire) -> Result<(), EpisodeFault> {
        self.state = *state;
        Ok(())
    }

    fn actions(&self) -> &ActionLayout {
        &self.layout
    }

    fn choice_count(&self) -> usize {
        0
    }

    fn choices(&self, into: &mut Vec<Choice>) {
        into.clear();
    }

    fn write_mask(&self, into: &mut [u8]) {
        into.fill(0);
    }

    fn is_valid(&self, _joint: &[Choice]) -> bool {
        true
    }

    fn sample(&self, _random: &mut Random, into: &mut Vec<Choice>) -> bool {
        into.clear();
        true
    }

    fn step(&mut self, _joint: &[Choice], chance: &mut Random) -> Result<Transition, EpisodeFault> {
        let blows = uniform_below(chance, 16) == 0;
        self.state.blown += u32::from(blows);
        let reward = match (blows, self.blows) {
            (false, _) => 1.0,
            (true, Blows::State) => {
                self.state.heat = f64::NAN;
                self.state.heat
            }
            (true, Blows::Reward) => f64::NEG_INFINITY,
            (true, Blows::Return) => f64::MAX,
            (true, Blows::Discounted) if self.state.blown % 2 == 1 => 1e300,
            (true, Blows::Discounted) => -1e300,
        };
        Ok(Transition {
            reward,
            status: Status::default(),
        })
    }

    fn status(&self) -> Status {
        Status::default()
    }

    fn non_finite(&self) -> Option<(String, f64)> {
        (!self.state.heat.is_finite()).then(|| ("heat".to_owned(), self.state.heat))
    }
}

impl BatchSystem for Fuse {}

impl Fingerprinted for Fuse {
    type Names = ();

    fn names(&self) {}

    fn choice_hash(&self, (): &mut (), _choice: Choice) -> u64 {
        0
    }

    fn state_hash(&self, (): &()) -> u64 {
        u64::from(self.state.blown)
    }
}

#[derive(Clone, Debug)]
struct Fuses;

impl Problems for Fuses {
    type System = Fuse;
    type Error = EpisodeFault;

    fn name(&self) -> &'static str {
        "fuses"
    }

    fn len(&self) -> usize {
        PROBLEMS.len()
    }

    fn problem_name(&self, index: usize) -> Option<String> {
        PROBLEMS.get(index).map(|blows| format!("{blows:?}"))
    }

    fn horizon(&self, _index: usize) -> Option<u32> {
        None
    }

    fn discount(&self, index: usize) -> f64 {
        if PROBLEMS[index] == Blows::Discounted {
            1e20
        } else {
            1.0
        }
    }

    fn system(&self, index: usize) -> Result<Fuse, EpisodeFault> {
        Ok(Fuse {
            layout: ActionLayout::new(Vec::new(), 0),
            blows: PROBLEMS[index],
            state: Wire::default(),
        })
    }
}

const STEPS: u32 = 12;

/// The first value of an episode that is not finite, step by step.
fn first_of(seed: u64, episode: u64) -> Option<NonFiniteValue> {
    let problem = episode as usize % PROBLEMS.len();
    let mut system = Fuses.system(problem).expect("a problem");
    let mut streams = Streams::new(seed + episode);
    let (mut sum, mut discounted, mut weight) = (0.0_f64, 0.0_f64, 1.0);
    for step in 1..=STEPS {
        let reward = system.step(&[], &mut streams.outcomes).expect("a step").reward;
        sum += reward;
        discounted += weight * reward;
        weight *= Fuses.discount(problem);
        let values = [
            ("heat", system.state.heat),
            ("reward", reward),
            ("return", sum),
            ("discounted return", discounted),
        ];
        if let Some((name, value)) = values.into_iter().find(|(_, value)| !value.is_finite()) {
            return Some(NonFiniteValue {
                episode,
                problem,
                step,
                name: name.to_owned(),
                value,
            });
        }
    }
    None
}

#[test]
fn the_first_value_of_the_first_episode_is_reported() {
    let mut names = Vec::new();
    for seed in 0..40 {
        for threads in [1, 4] {
            let options = RolloutOptions {
                episodes: 60,
                steps: STEPS,
                seed,
                threads,
                ..RolloutOptions::default()
            };
            let run = |options| {
                let stop = AtomicBool::new(false);
                roll_out(&Fuses, &RolloutPolicy::Random, &options, &|_| (), &stop)
            };
            let found: Vec<_> = (0..options.episodes)
                .filter_map(|episode| first_of(seed, episode))
                .collect();
            let expected = found.first().map(|first| NonFinite {
                episodes: found.len() as u64,
                first: first.clone(),
            });
            let rollout = run(options).expect("a rollout");
            // A NaN is not equal to itself.
            assert_eq!(
                format!("{:?}", rollout.non_finite),
                format!("{expected:?}"),
                "seed {seed}"
            );
            let required = run(RolloutOptions {
                require_finite: true,
                ..options
            });
            match (required, found.first()) {
                (Err(EpisodeFault::NonFinite(value)), Some(first)) => {
                    assert_eq!(format!("{value:?}"), format!("{first:?}"), "seed {seed}");
                }
                (Ok(_), None) => {}
                (other, first) => panic!("{other:?}, {first:?}"),
            }
            names.extend(found.into_iter().map(|value| value.name));
        }
    }
    names.sort();
    names.dedup();
    assert_eq!(names, ["discounted return", "heat", "return", "reward"]);
}

struct Idle;

impl Agent<Fuse> for Idle {
    fn act(&mut self, _: &Wire) -> Result<Option<Vec<Choice>>, EpisodeFault> {
        Ok(Some(Vec::new()))
    }
}

#[test]
fn evaluations_find_the_same_values() {
    let mut found = 0;
    for (seed, episode) in (0..200).map(|seed| (seed, seed % 4)) {
        let mut fuse = Fuses.system(episode as usize).expect("a problem");
        let options = EvaluateOptions {
            steps: STEPS,
            episodes: 1,
            seed: seed + episode,
        };
        let discount = Fuses.discount(episode as usize);
        let paid = evaluate(&mut fuse, &mut Idle, &options, discount, |_| true).expect("an episode");
        let first = first_of(seed, episode).map(|value| NonFiniteValue {
            episode: 0,
            problem: 0,
            name: value.name.replace("discounted ", ""),
            ..value
        });
        let expected = first.map(|first| NonFinite { episodes: 1, first });
        assert_eq!(
            format!("{:?}", paid.non_finite),
            format!("{expected:?}"),
            "seed {seed}"
        );
        found += u64::from(expected.is_some());
    }
    assert!((50..150).contains(&found), "{found}");
}

#[test]
fn a_value_is_shown_with_its_step() {
    let value = NonFiniteValue {
        episode: 4,
        problem: 0,
        step: 3,
        name: "heat".to_owned(),
        value: f64::NEG_INFINITY,
    };
    assert_eq!(value.to_string(), "step 3 of episode 4 makes `heat` -∞");
    let initial = NonFiniteValue {
        step: 0,
        value: f64::NAN,
        ..value
    };
    assert_eq!(
        initial.to_string(),
        "`heat` is NaN in the initial state of episode 4"
    );
}
