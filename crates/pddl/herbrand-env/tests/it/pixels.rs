//! Pixel observations: copied cells equal plain drawing.

use herbrand_core::{Memory, Observer as _, Random, System, Written};
use herbrand_env::{
    Env, EnvError, EnvOptions, EpisodeHorizon, Grounded, Planning, Registry, Split, Suite, VecOptions,
};
use herbrand_render::{ImageError, PixelSize, Pixels};
use proptest::prelude::*;

use crate::batch::{self, Walk};

const SIZES: [PixelSize; 4] = [
    PixelSize {
        width: 64,
        height: 64,
    },
    PixelSize {
        width: 130,
        height: 40,
    },
    PixelSize {
        width: 9,
        height: 120,
    },
    PixelSize {
        width: 210,
        height: 210,
    },
];

/// Checks that copied cells equal plain drawing.
fn agree(
    pixels: &Pixels<Suite>,
    planning: &Planning<Grounded>,
    kept: &mut (Written, Vec<u8>),
) -> Result<(), String> {
    let plain = pixels.draw(planning, &Memory::default());
    let plain = plain.map_err(|error| error.to_string())?;
    let plain = plain.pixels();
    let mut fresh = vec![1; plain.len() + 2];
    let written = pixels.write(planning, &Memory::default(), &mut fresh);
    if written != plain.len() || fresh[..written] != *plain || fresh[written..] != [1, 1] {
        return Err("written anew".to_owned());
    }
    let (note, buffer) = kept;
    buffer.resize(plain.len(), 1);
    pixels.rewrite(planning, &Memory::default(), note, buffer);
    if buffer != plain {
        return Err("written over what was there".to_owned());
    }
    Ok(())
}

/// Takes a random walk and checks at every state that cells equal plain drawing.
fn walk(suite: &Suite, index: usize, size: PixelSize, seed: u64, steps: usize) -> Result<(), String> {
    let suite = suite.only(index).map_err(|error| error.to_string())?;
    let pixels = Pixels::of(&suite, size).map_err(|error| error.to_string())?;
    let instance = suite.instance(0).map_err(|error| error.to_string())?;
    let mut planning = instance.observed_engine();
    let (mut actions, mut chance) = (Random::new(seed), Random::new(seed + 1));
    let mut kept = (Written::default(), Vec::new());
    for step in 0..steps {
        if step % 16 == 0 {
            planning.reset(&mut chance).map_err(|error| error.to_string())?;
        }
        let what = |error| format!("{} {index}, step {step}: {error}", suite.name());
        agree(&pixels, &planning, &mut kept).map_err(what)?;
        let mut joint = Vec::new();
        if !planning.sample(&mut actions, &mut joint) {
            break;
        }
        planning
            .step(&joint, &mut chance)
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

#[test]
fn cells_of_every_domain_are_what_plain_drawing_gives() {
    for name in Registry::names().expect("bundled domains") {
        let suite = Registry::get(&name).expect("a bundled domain");
        walk(&suite, 1.min(suite.len() - 1), SIZES[0], 7, 24).unwrap_or_else(|error| panic!("{error}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// In the domains whose pictures are grids, at any size, on long walks.
    #[test]
    fn cells_are_what_plain_drawing_gives(
        domain in 0usize..6,
        index in 0usize..4,
        size in 0usize..SIZES.len(),
        seed in 0u64..1000,
    ) {
        let name = ["doors", "navigation", "rearrangement", "search-and-rescue-4", "slide-tile", "sokoban"][domain];
        let suite = Registry::get(name).expect("a bundled domain");
        prop_assert_eq!(walk(&suite, index.min(suite.len() - 1), SIZES[size], seed, 96), Ok(()));
    }
}

/// Two threads that update kept rows write the same pixels as one thread that writes whole rows.
#[test]
fn kept_rows_of_a_batch_are_fresh_ones() {
    let suite = Registry::get("sokoban")
        .expect("a bundled domain")
        .split(Split::Test);
    let pixels = Pixels::of(&suite, PixelSize::default()).expect("sound problems");
    let run = |rows, threads| {
        let options = VecOptions {
            threads,
            env: EnvOptions {
                horizon: EpisodeHorizon::Steps(9),
                ..EnvOptions::default()
            },
            ..VecOptions::default()
        };
        let how = Walk {
            count: 6,
            steps: 40,
            seed: 5,
            rows,
        };
        batch::walk(&suite, &pixels, options, how, |_, _| ())
    };
    let kept = run(batch::KEPT, 2);
    assert!(
        kept.windows(2)
            .any(|pair| pair[0].observations != pair[1].observations)
    );
    assert_eq!(kept, run(batch::FRESH, 1));
}

/// A suite that was loaded a second time has other compiled problems: its states are refused, not left blank.
#[test]
fn states_of_another_suite_are_refused() {
    let suite = || Registry::get("sokoban").expect("a bundled domain");
    let (one, other) = (suite().only(0).expect("a problem"), suite());
    let pixels = Pixels::of(&one, PixelSize::default()).expect("sound problems");
    let drawn = pixels.draw(&other.engine(0).expect("a problem"), &Memory::default());
    assert!(matches!(drawn, Err(ImageError::ForeignProblem)));
    let mut env = Env::observed(other, pixels.clone(), EnvOptions::default()).expect("problems");
    let refused = env.reset(Some(1));
    assert!(matches!(
        refused,
        Err(EnvError::Image(ImageError::ForeignProblem))
    ));
    let mut env = Env::observed(one, pixels, EnvOptions::default()).expect("problems");
    env.reset(Some(1)).expect("the problem that was prepared");
}
