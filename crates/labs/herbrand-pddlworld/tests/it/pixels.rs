//! Sketches as pixels.

use std::collections::HashMap;
use std::sync::Arc;

use herbrand_core::{Env, EnvOptions, Memory, Observer, Problems, Random, System};
use herbrand_env::{Registry, Suite};
use herbrand_pddlworld::{Sketch, Start, Target, Walks, WorldError, WorldOptions, Worlds};
use herbrand_render::{PixelSize, Pixels};

fn blocks() -> Worlds {
    let suite: Suite = Registry::get("blocks")
        .expect("a bundled domain")
        .only(0)
        .expect("a problem");
    let problem = suite.parse_problem(0).expect("a sound problem");
    let target = Target::new(suite.domain(), &[problem], Walks::default()).expect("it can be edited");
    let options = WorldOptions {
        start: Start::Random,
        ..WorldOptions::default()
    };
    Worlds::new(vec![Arc::new(target)], options).expect("sound options")
}

#[test]
fn different_sketches_have_different_pixels() {
    let light = WorldOptions {
        start: Start::Random,
        ..WorldOptions::default()
    };
    for worlds in [Worlds::light_switch(light).expect("sound options"), blocks()] {
        let size = PixelSize {
            width: 48,
            height: 40,
        };
        let pixels = Pixels::of(&worlds, size).expect("it is drawn");
        let mut world = worlds.system(0).expect("it is there");
        let mut frames: HashMap<Vec<u8>, Sketch> = HashMap::new();
        let (mut random, memory) = (Random::new(5), Memory::default());
        let (mut joint, mut frame) = (Vec::new(), vec![0; size.bytes()]);
        for step in 0..300 {
            if step % 50 == 0 {
                world.reset(&mut random).expect("it begins");
            }
            assert_eq!(pixels.write(&world, &memory, &mut frame), size.bytes());
            let drawn = pixels.draw(&world, &memory).expect("it is drawn");
            assert!(drawn.pixels() == frame, "step {step}");
            if let Some(other) = frames.insert(frame.clone(), world.sketch().clone()) {
                assert_eq!(other, *world.sketch(), "step {step}");
            }
            assert!(world.sample(&mut random, &mut joint));
            world.step(&joint, &mut random).expect("a valid edit");
        }
        assert!(frames.len() > 20);
    }
}

#[test]
fn environments_observe_pixels_but_no_answers() {
    let worlds = blocks();
    let pixels = Pixels::of(&worlds, PixelSize::default()).expect("it is drawn");
    let mut env = Env::observed(worlds.clone(), pixels, EnvOptions::default()).expect("it fits");
    env.reset(Some(3)).expect("it begins");
    let mut frame = vec![0; PixelSize::default().bytes()];
    env.write_observation(&mut frame).expect("it is observed");
    assert!(frame.iter().any(|&byte| byte != frame[0]));
    let asking = WorldOptions {
        queries: true,
        ..WorldOptions::default()
    };
    let asking = worlds.with_options(asking).expect("sound options");
    let refused = Pixels::of(&asking, PixelSize::default());
    assert!(matches!(refused, Err(WorldError::Options(message)) if message.contains("answers")));
    let nothing = Pixels::of(&worlds, PixelSize { width: 0, height: 5 });
    assert!(matches!(nothing, Err(WorldError::Options(_))));
}

#[test]
fn a_word_names_the_start() {
    let worlds = blocks();
    for (word, distance) in [
        ("target", Some(0)),
        ("3", Some(3)),
        ("empty", None),
        ("random", None),
    ] {
        let started = worlds.starting(word).expect("it is a start");
        assert_eq!(started.name(), format!("pddlworld/blocks@{word}"));
        let mut world = started.system(0).expect("it is there");
        world.reset(&mut Random::new(1)).expect("it begins");
        if let Some(distance) = distance {
            assert_eq!(world.distance(), distance, "{word}");
        }
        let empty = *world.sketch() == Sketch::empty(world.target().vocabulary());
        assert_eq!(empty, word == "empty");
    }
    for word in ["", "-1", "nothing", "4294967296"] {
        let refused = worlds.starting(word);
        assert!(matches!(refused, Err(WorldError::Options(_))), "{word}");
    }
}
