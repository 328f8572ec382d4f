//! Worlds by name and in pictures.

use std::sync::Arc;

use herbrand_core::{Catalogue, Choice, Explained, Problems, Random, System};
use herbrand_pddlworld::{Ends, Start, Target, WorldError, WorldOptions, Worlds};
use herbrand_render::Pictured;

fn worlds() -> Worlds {
    let target = Arc::new(Target::light_switch());
    let named = ["a/one", "a/two", "a/three"].map(|name| (name.to_owned(), Arc::clone(&target)));
    Worlds::named("pddlworld/mine", named.to_vec(), WorldOptions::default()).expect("sound options")
}

#[test]
fn worlds_are_selected_by_name() {
    let worlds = worlds();
    assert_eq!((worlds.name(), worlds.len()), ("pddlworld/mine", 3));
    let chosen = worlds.select(&[2, 0, 2]).expect("they are there");
    let names: Vec<_> = (0..3).filter_map(|index| chosen.problem_name(index)).collect();
    assert_eq!(names, ["a/three", "a/one", "a/three"]);
    assert_eq!(chosen.targets().len(), 3);
    assert_eq!(
        chosen.mask_len().expect("it is known"),
        worlds.mask_len().expect("it is known")
    );
    assert_eq!(
        worlds
            .problem("two")
            .expect("it is there")
            .problem_name(0)
            .as_deref(),
        Some("a/two")
    );
    assert!(matches!(worlds.problem("four"), Err(WorldError::UnknownWorld(_))));
    assert!(matches!(worlds.select(&[3]), Err(WorldError::UnknownWorld(_))));
    assert!(matches!(worlds.system(3), Err(WorldError::UnknownWorld(_))));
}

#[test]
fn goals_are_the_conditions_that_end_an_episode() {
    let target = Target::light_switch();
    let at_target = WorldOptions {
        start: Start::Given(target.sketch().clone()),
        ends: Ends {
            equal: true,
            equivalent: true,
            solved: true,
            submitted: false,
        },
        ..WorldOptions::default()
    };
    let at_start = WorldOptions {
        start: Start::Empty,
        ..at_target
    };
    for (options, holds) in [(at_target, true), (at_start, false)] {
        let worlds = worlds().with_options(options).expect("sound options");
        assert_eq!(worlds.problem_name(1).as_deref(), Some("a/two"));
        let mut world = worlds.system(0).expect("it is there");
        world.reset(&mut Random::new(1)).expect("it begins");
        let goals = worlds.goal_conjuncts(0, &world).expect("it is there");
        let held: Vec<_> = goals.iter().map(|goal| goal.holds).collect();
        assert_eq!(held, [Some(holds); 3]);
        assert_eq!(world.status().goal, holds);
    }
}

#[test]
fn a_picture_shows_the_table_of_the_model() {
    let worlds = worlds();
    let mut world = worlds.system(0).expect("it is there");
    world.reset(&mut Random::new(1)).expect("it begins");
    let renderer = worlds.renderer(0, &world).expect("it is there");
    let shown = |world: &_| {
        let scene = renderer.scene(world);
        scene
            .labels()
            .map(|(text, _)| text.to_owned())
            .collect::<Vec<_>>()
            .join("\n")
    };
    let before = shown(&world);
    assert!(before.contains("turn-on") && before.contains("1170"), "{before}");
    world
        .step(&[Choice::discrete(0)], &mut Random::new(1))
        .expect("a valid edit");
    assert_ne!(shown(&world), before);
}
