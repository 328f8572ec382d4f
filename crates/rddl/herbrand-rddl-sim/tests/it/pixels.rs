//! Pixel observations equal plain drawing, and show the picture of the visible facts.

use herbrand_core::{
    Batch, BufferContents, EnvOptions, EpisodeHorizon, Memory, Observer as _, Random, System, VecOptions,
    Written,
};
use herbrand_rddl::Source;
use herbrand_rddl_sim::simulate::RddlSimulator;
use herbrand_rddl_sim::suite::{RddlEnv, RddlError, RddlSuite, RddlVecEnv};
use herbrand_render::{Camera, ImageError, Moment, Pictured as _, PixelSize, Pixels, Theme};
use proptest::prelude::*;

const SIZES: [PixelSize; 3] = [
    PixelSize {
        width: 64,
        height: 64,
    },
    PixelSize {
        width: 90,
        height: 30,
    },
    PixelSize { width: 9, height: 70 },
];

/// A walk through an instance, with its observations.
struct Walk {
    pixels: Pixels<RddlSuite>,
    system: RddlSimulator,
    memory: Memory,
    random: Random,
}

impl Walk {
    /// Starts a walk in the only instance of a suite.
    fn new(suite: &RddlSuite, size: PixelSize, seed: u64) -> Self {
        let mut walk = Self {
            pixels: Pixels::of(suite, size).unwrap(),
            system: suite.simulator(0).unwrap(),
            memory: Memory::default(),
            random: Random::new(seed),
        };
        walk.attend();
        walk
    }

    fn attend(&mut self) {
        self.pixels
            .attend(&self.system, &mut self.memory, &mut self.random);
    }

    /// Takes a sampled action, or restarts after a terminal state.
    fn step(&mut self) {
        let mut joint = Vec::new();
        let status = self.system.status();
        let acts = !status.terminal && !status.broken && self.system.sample(&mut self.random, &mut joint);
        if !acts || self.system.step(&joint, &mut self.random).is_err() {
            self.system.restart();
            self.memory = Memory::default();
        }
        self.attend();
    }

    fn plain(&self) -> Vec<u8> {
        let image = self.pixels.draw(&self.system, &self.memory);
        image.expect("an instance of the suite").into_pixels()
    }
}

/// Returns the first instance of a bundled environment.
fn first(name: &str) -> RddlSuite {
    RddlSuite::bundled(name).unwrap().select(&[0]).unwrap()
}

/// Compares writing, and overwriting, with plain drawing in every state of a walk.
fn written_is_drawn(suite: &RddlSuite, size: PixelSize, seed: u64, steps: usize) -> Result<(), String> {
    let mut walk = Walk::new(suite, size, seed);
    let (mut note, mut kept) = (Written::default(), vec![1; size.bytes()]);
    for step in 0..steps {
        let plain = walk.plain();
        let mut fresh = vec![1; plain.len() + 2];
        let count = walk.pixels.write(&walk.system, &walk.memory, &mut fresh);
        if count != plain.len() || fresh[..count] != plain || fresh[count..] != [1, 1] {
            return Err(format!("{}, step {step}: written anew", suite.name()));
        }
        walk.pixels
            .rewrite(&walk.system, &walk.memory, &mut note, &mut kept);
        if kept != plain {
            return Err(format!(
                "{}, step {step}: written over what was there",
                suite.name()
            ));
        }
        walk.step();
    }
    Ok(())
}

#[test]
fn pixels_of_every_environment_are_what_plain_drawing_gives() {
    for name in RddlSuite::bundled_names() {
        written_is_drawn(&first(&name), SIZES[0], 7, 8).unwrap_or_else(|error| panic!("{error}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// All fluents are bools, so pictures are copied: at any size, on long walks.
    #[test]
    fn copied_pixels_are_what_plain_drawing_gives(
        environment in 0usize..6,
        size in 0usize..SIZES.len(),
        seed in 0u64..1000,
    ) {
        let name = [
            "rddl/wildfire-mdp", "rddl/game-of-life-mdp", "rddl/navigation-mdp",
            "rddl/crossing-traffic-pomdp", "rddl/recon-mdp", "rddl/sysadmin-pomdp",
        ][environment];
        prop_assert_eq!(written_is_drawn(&first(name), SIZES[size], seed, 40), Ok(()));
    }
}

/// Draws the picture that users see of these facts, without title and legend.
fn shown(suite: &RddlSuite, system: &RddlSimulator, moment: &Moment, size: PixelSize) -> Vec<u8> {
    let picture = suite.renderer(0, system).unwrap();
    let camera = Camera::new(picture.picture().clone(), size, Theme::Light).unwrap();
    camera.draw(moment).unwrap().into_pixels()
}

/// If agents see the state, pixels show the picture of the state. If they see observ fluents, pixels show these in place of
/// the facts that they report, and nothing else.
#[test]
fn pixels_are_the_picture_of_what_is_seen() {
    for name in RddlSuite::bundled_names() {
        let suite = first(&name);
        let mut walk = Walk::new(&suite, SIZES[0], 3);
        let settings = suite.settings().render.clone().expect("declared");
        for step in 0..6 {
            let all = Moment::of(&walk.system);
            let moment = if walk.system.compiled().is_partially_observed() {
                let compiled = walk.system.compiled();
                let observed: Vec<&str> = (0..compiled.observ.len())
                    .map(|fluent| compiled.observ.at(fluent).0)
                    .map(|id| compiled.instance.domain.pvariable(id).name.as_str())
                    .collect();
                let mut facts = all.facts;
                facts.retain(|atom| observed.contains(&atom.name.as_str()));
                for atom in &mut facts {
                    let told = settings
                        .seen
                        .iter()
                        .find(|report| *report.by.get_ref() == atom.name);
                    atom.name
                        .clone_from(told.expect("every report tells of a fact").fact.get_ref());
                }
                Moment {
                    facts,
                    ..Moment::default()
                }
            } else {
                all
            };
            let expected = shown(&suite, &walk.system, &moment, SIZES[0]);
            assert!(walk.plain() == expected, "{name}, step {step}");
            walk.step();
        }
    }
}

/// Pixels depend only on the state, or not at all on it if agents see observ fluents. The state is replaced here, the memory
/// is not.
#[test]
fn hidden_states_are_not_shown() {
    for name in RddlSuite::bundled_names() {
        let suite = first(&name);
        let mut walk = Walk::new(&suite, SIZES[0], 5);
        let mut pictures = std::collections::BTreeSet::new();
        for step in 0..200 {
            if step >= 6 && pictures.len() > 1 {
                break;
            }
            walk.step();
            pictures.insert(walk.plain());
            if walk.system.compiled().is_partially_observed() {
                let before = walk.plain();
                let mut elsewhere = walk.system.clone();
                elsewhere.restart();
                let other = walk.pixels.draw(&elsewhere, &walk.memory).unwrap();
                assert!(before == other.pixels(), "{name}");
            }
        }
        assert!(pictures.len() > 1, "{name}: what changes is seen");
    }
}

/// Without a declaration, observ fluents are drawn generically, as bars, lamps or marks.
#[test]
fn observations_without_a_declaration_are_seen() {
    let domain = "
        domain bell {
            types { house : object; };
            pvariables {
                rings(house) : { state-fluent,  bool, default = false };
                level        : { state-fluent,  real, default = 0.0 };
                heard(house) : { observ-fluent, bool };
                loud         : { observ-fluent, real };
                ring(house)  : { action-fluent, bool, default = false };
            };
            cpfs {
                rings'(?h) = ring(?h);
                level' = 0.5;
                heard(?h) = rings'(?h);
                loud = level';
            };
            reward = 0.0;
        }
        instance village {
            domain = bell;
            objects { house : {mill, inn}; };
            max-nondef-actions = 1; horizon = 9; discount = 1.0;
        }";
    let suite = RddlSuite::from_sources(&[Source::new("bell", domain)]).unwrap();
    let mut walk = Walk::new(&suite, SIZES[0], 0);
    let before = walk.plain();
    let ring = herbrand_core::Described::parse_choice(&walk.system, "ring___inn").unwrap();
    walk.system.step(&[ring], &mut walk.random).unwrap();
    walk.attend();
    let rung = walk.plain();
    walk.system.step(&[], &mut walk.random).unwrap();
    walk.attend();
    assert!(before != rung, "both are told of");
    assert!(rung != walk.plain(), "the bell is not heard any more");
    written_is_drawn(&suite, SIZES[0], 1, 9).unwrap();
}

/// Two threads that update the rows of the last call write the observations of single environments.
#[test]
fn batches_see_what_single_environments_see() {
    for name in ["rddl/wildfire-pomdp", "rddl/fire-fighting"] {
        let suite = first(name);
        let size = PixelSize {
            width: 40,
            height: 32,
        };
        let pixels = Pixels::of(&suite, size).unwrap();
        let env = EnvOptions {
            horizon: EpisodeHorizon::Steps(5),
            ..EnvOptions::default()
        };
        let options = VecOptions {
            env,
            threads: 2,
            ..VecOptions::default()
        };
        let count = 3;
        let mut envs = RddlVecEnv::new(&suite, &pixels, count, options).unwrap();
        let widths = envs.widths();
        assert_eq!(widths.observation, size.bytes());
        let mut singles: Vec<_> = (0..count)
            .map(|_| {
                (
                    RddlEnv::observed(suite.clone(), pixels.clone(), env).unwrap(),
                    true,
                )
            })
            .collect();
        let mut observations = vec![0; count * widths.observation];
        let mut masks = vec![0; count * widths.mask];
        let mut rewards = vec![0.0; count];
        let (mut terminated, mut truncated) = (vec![false; count], vec![false; count]);
        for step in 0..12 {
            let mut batch = Batch {
                observations: &mut observations,
                masks: &mut masks,
                rewards: &mut rewards,
                terminated: &mut terminated,
                truncated: &mut truncated,
                flags: &mut [],
                final_observations: &mut [],
                final_flags: &mut [],
                rows: BufferContents::Kept,
            };
            let mut actions = vec![0.0; count * widths.action];
            if step == 0 {
                envs.reset(Some(11), &mut batch).unwrap();
            } else {
                envs.step_sampled(&mut actions[..], &mut batch).unwrap();
            }
            for (index, (single, over)) in singles.iter_mut().enumerate() {
                if *over {
                    let seed = (step == 0).then_some(11 + index as u64);
                    single.reset(seed).unwrap();
                    *over = false;
                } else {
                    let joint = single.sample().unwrap().unwrap();
                    let end = single.step(&joint).unwrap();
                    *over = end.terminated || end.truncated;
                }
                let mut row = vec![0; widths.observation];
                single.write_observation(&mut row).unwrap();
                let start = index * widths.observation;
                let kept = &observations[start..start + widths.observation];
                assert!(kept == row, "{name}, step {step}, environment {index}");
            }
        }
    }
}

/// A suite that was loaded a second time has other compiled instances: its states are refused, not left blank.
#[test]
fn states_of_another_suite_are_refused() {
    let (one, other) = (first("rddl/wildfire-mdp"), first("rddl/wildfire-mdp"));
    let pixels = Pixels::of(&one, SIZES[0]).unwrap();
    let drawn = pixels.draw(&other.simulator(0).unwrap(), &Memory::default());
    assert!(matches!(drawn, Err(ImageError::ForeignProblem)));
    let mut env = RddlEnv::observed(other, pixels, EnvOptions::default()).unwrap();
    let refused = env.reset(Some(1));
    assert!(matches!(
        refused,
        Err(RddlError::Image(ImageError::ForeignProblem))
    ));
}
