//! Small worlds to draw.

use herbrand_core::Group;
use herbrand_render::{
    Declaration, DrawnObject, DrawnPredicate, DrawnProblem, DrawnRange, DrawnValue, GoalFact, Moment,
    NamedFact, Picture, PictureVocabulary, Scene,
};

/// Creates a predicate with parameters of these types.
pub fn predicate(name: &str, parameters: &[&str], group: Group) -> DrawnPredicate {
    DrawnPredicate {
        name: name.to_owned(),
        parameters: parameters.iter().map(|&name| vec![name.to_owned()]).collect(),
        group,
        range: DrawnRange::Bool,
    }
}

/// Parses a true fact from `name argument argument`.
pub fn fact(text: &str) -> NamedFact {
    let mut words = text.split(' ').map(str::to_owned);
    NamedFact {
        name: words.next().unwrap_or_default(),
        arguments: words.collect(),
        value: DrawnValue::True,
    }
}

/// Creates an unsatisfied goal part.
pub fn wanted(text: &str) -> GoalFact {
    let atom = fact(text);
    GoalFact {
        name: atom.name,
        arguments: atom.arguments,
        negative: false,
        satisfied: false,
    }
}

pub fn objects(of: &str, names: &[&str]) -> Vec<DrawnObject> {
    let object = |name: &&str| DrawnObject {
        name: (*name).to_owned(),
        types: vec![of.to_owned()],
    };
    names.iter().map(object).collect()
}

/// A warehouse: cells in rows, with a robot and boxes.
pub fn warehouse(height: usize, width: usize) -> (PictureVocabulary, DrawnProblem) {
    let cells: Vec<String> = (0..height * width)
        .map(|at| format!("r{}c{}", at / width + 1, at % width + 1))
        .collect();
    let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
    let vocabulary = PictureVocabulary {
        types: vec!["cell".to_owned(), "box".to_owned()],
        predicates: vec![
            predicate("robot-at", &["cell"], Group::Fluent),
            predicate("box-at", &["box", "cell"], Group::Fluent),
            predicate("holding", &["box"], Group::Fluent),
        ],
    };
    let objects = [objects("cell", &cells), objects("box", &["box-1", "box-2"])].concat();
    let world = DrawnProblem {
        title: "a warehouse".to_owned(),
        objects,
        constants: Vec::new(),
    };
    (vocabulary, world)
}

/// The declaration of a warehouse.
pub const WAREHOUSE: &str = r#"
grid = { cells = "r{row}c{column}" }
layer = [
    { fact = "robot-at", shape = "robot", colour = "blue", means = "robot" },
    { fact = "box-at", shape = "crate", colour = "brown", label = "name", means = "box" },
    { fact = "holding", with = "robot-at", shape = "crate", colour = "brown", label = "short" },
]
"#;

/// Draws a world by a declaration, or by an inferred one if it is `None`.
pub fn draw(
    declaration: Option<&str>,
    (vocabulary, world): (PictureVocabulary, DrawnProblem),
    facts: &[&str],
    goal: &[&str],
) -> Scene {
    let declaration: Option<Declaration> =
        declaration.map(|text| toml::from_str(text).unwrap_or_else(|error| panic!("{error}")));
    let moment = Moment {
        facts: facts.iter().map(|text| fact(text)).collect(),
        goal: goal.iter().map(|text| wanted(text)).collect(),
        captions: Vec::new(),
    };
    Picture::new(declaration.as_ref(), vocabulary, world, &moment).scene(&moment)
}

/// Blocks on a table.
pub fn blocks(names: &[&str]) -> (PictureVocabulary, DrawnProblem) {
    let vocabulary = PictureVocabulary {
        types: vec!["block".to_owned()],
        predicates: vec![
            predicate("on", &["block", "block"], Group::Fluent),
            predicate("on-table", &["block"], Group::Fluent),
            predicate("holding", &["block"], Group::Fluent),
        ],
    };
    let world = DrawnProblem {
        title: "blocks".to_owned(),
        objects: objects("block", names),
        constants: Vec::new(),
    };
    (vocabulary, world)
}

/// Towns with roads.
pub fn towns(count: usize, roads: &[(usize, usize)]) -> (PictureVocabulary, DrawnProblem) {
    let names: Vec<String> = (0..count).map(|at| format!("town-{at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let vocabulary = PictureVocabulary {
        types: vec!["town".to_owned()],
        predicates: vec![
            predicate("road", &["town", "town"], Group::Static),
            predicate("at", &["town"], Group::Fluent),
        ],
    };
    let road = |&(one, other): &(usize, usize)| fact(&format!("road town-{one} town-{other}"));
    let world = DrawnProblem {
        title: "towns".to_owned(),
        objects: objects("town", &names),
        constants: roads.iter().map(road).collect(),
    };
    (vocabulary, world)
}

/// Tanks with levels, and the values of an enum that no fact is about.
pub fn tanks(names: &[&str]) -> (PictureVocabulary, DrawnProblem) {
    let level = DrawnPredicate {
        range: DrawnRange::Number,
        ..predicate("level", &["tank"], Group::Fluent)
    };
    let season = DrawnPredicate {
        range: DrawnRange::Symbol,
        ..predicate("now", &[], Group::Fluent)
    };
    let vocabulary = PictureVocabulary {
        types: vec!["tank".to_owned(), "season".to_owned()],
        predicates: vec![predicate("pipe", &["tank", "tank"], Group::Fluent), level, season],
    };
    let world = DrawnProblem {
        title: "tanks".to_owned(),
        objects: [objects("tank", names), objects("season", &["spring", "autumn"])].concat(),
        constants: Vec::new(),
    };
    (vocabulary, world)
}
