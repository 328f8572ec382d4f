//! Copied cells look like drawn cells in every state.

use herbrand_core::Group;
use herbrand_render::{
    Camera, Declaration, DrawnProblem, GoalFact, Moment, Mosaic, NamedFact, Picture, PictureVocabulary,
    PixelSize, Theme,
};
use proptest::prelude::*;

use crate::worlds::{fact, objects, predicate, wanted};

/// Things whose appearance depends on badges and conditions, that are carried, or that are drawn where a fact does not hold.
const DECLARATION: &str = r#"
grid = { cells = "r{row}c{column}" }
layer = [
    { fact = "lit", absent = true, unless = ["day"], fill = "tint", colour = "grey" },
    { fact = "box-at", unless = ["hidden"], shape = "crate", colour = "brown" },
    { fact = "robot-at", when = ["awake"], shape = "robot", colour = "blue" },
    { fact = "robot-at", unless = ["awake"], shape = "robot", colour = "grey" },
    { fact = "holding", with = "robot-at", shape = "crate", colour = "red" },
    { fact = "in", shape = "dot", colour = "green" },
]
badge = [
    { fact = "heavy", fill = "orange" },
    { fact = "broken", shape = "cross", colour = "red" },
]
"#;

const FACTS: [&str; 20] = [
    "lit r1c1",
    "lit r2c2",
    "day",
    "box-at box-1 r1c1",
    "box-at box-1 r2c1",
    "box-at box-2 r2c1",
    "box-at box-2 r2c2",
    "hidden box-1",
    "hidden box-2",
    "robot-at robot-1 r1c2",
    "robot-at robot-1 r2c2",
    "robot-at robot-2 r1c1",
    "awake robot-1",
    "awake robot-2",
    "holding box-2",
    "in coin box-1",
    "heavy box-1",
    "heavy coin",
    "broken robot-1",
    "broken box-2",
];

fn room() -> (PictureVocabulary, DrawnProblem) {
    let fluent = |name: &str, parameters: &[&str]| predicate(name, parameters, Group::Fluent);
    let vocabulary = PictureVocabulary {
        types: ["cell", "box", "robot", "thing"].map(str::to_owned).to_vec(),
        predicates: vec![
            fluent("lit", &["cell"]),
            fluent("day", &[]),
            fluent("box-at", &["box", "cell"]),
            fluent("hidden", &["box"]),
            fluent("robot-at", &["robot", "cell"]),
            fluent("awake", &["robot"]),
            fluent("holding", &["box"]),
            fluent("in", &["thing", "box"]),
            fluent("heavy", &["box"]),
            fluent("broken", &["robot"]),
        ],
    };
    let all = [
        objects("cell", &["r1c1", "r1c2", "r2c1", "r2c2"]),
        objects("box", &["box-1", "box-2"]),
        objects("robot", &["robot-1", "robot-2"]),
        objects("thing", &["coin"]),
    ];
    let world = DrawnProblem {
        title: "a room".to_owned(),
        objects: all.concat(),
        constants: Vec::new(),
    };
    (vocabulary, world)
}

/// The state in which these facts are true, with a goal.
fn moment(truth: &[bool]) -> Moment {
    let facts = FACTS.iter().zip(truth).filter(|(_, holds)| **holds);
    let goal = wanted("box-at box-1 r2c1");
    Moment {
        facts: facts.map(|(text, _)| fact(text)).collect(),
        goal: vec![GoalFact {
            satisfied: truth[4],
            ..goal
        }],
        captions: Vec::new(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn copied_cells_are_drawn_ones(
        states in prop::collection::vec(prop::collection::vec(any::<bool>(), FACTS.len()), 1..60),
    ) {
        let declaration: Declaration = toml::from_str(DECLARATION).expect("a declaration");
        let (vocabulary, world) = room();
        let first = moment(&states[0]);
        let picture = Picture::new(Some(&declaration), vocabulary, world, &first);
        let size = PixelSize { width: 50, height: 40 };
        let camera = Camera::new(picture, size, Theme::Light).expect("a small picture");
        let atoms: Vec<Option<NamedFact>> = FACTS.iter().map(|text| Some(fact(text))).collect();
        let mosaic = Mosaic::new(camera, &atoms, &first).expect("a small picture");
        let mut kept = (Vec::new(), vec![0; size.bytes()]);
        for truth in &states {
            let held = || (0u32..).zip(truth).filter(|(_, holds)| **holds).map(|(number, _)| number);
            let holds = |number: u32| truth[number as usize];
            let drawn = mosaic.camera().draw(&moment(truth)).expect("a small picture");
            let mut fresh = vec![0; size.bytes()];
            mosaic.write(held, holds, || moment(truth), None, &mut fresh);
            prop_assert_eq!(&fresh, drawn.pixels());
            mosaic.write(held, holds, || moment(truth), Some(&mut kept.0), &mut kept.1);
            prop_assert_eq!(&kept.1, drawn.pixels());
        }
    }
}
