//! Tests that the pictures of the documentation agree with the code.

use std::fmt::Write as _;
use std::path::Path;

use herbrand_core::{Random, System};
use herbrand_env::Registry;
use herbrand_rddl_sim::suite::RddlSuite;
use herbrand_render::{Pictured as _, Scene, Theme};
use snapbox::data::DataFormat;
use snapbox::{Data, assert_data_eq};

/// The level of search and rescue to show; all levels look alike.
const LEVEL: &str = "search-and-rescue-4";

#[test]
fn the_gallery_is_up_to_date() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs");
    let mut page = String::from(
        "# Gallery\n\nFind a domain by its picture: a state of each bundled domain after four random actions, and of each RDDL environment after eight.\n\
         [Pictures](../how-to/pictures.md) shows how a domain declares its picture.\n",
    );
    let pddl = Registry::names().expect("bundled domains").into_iter();
    let pddl = pddl.filter(|name| !name.starts_with("search-and-rescue") || name == LEVEL);
    page.push_str("\n## Planning domains\n");
    for name in pddl {
        add(&docs, &mut page, &name, &planning(&name));
    }
    page.push_str("\n## Environments in RDDL\n");
    for name in RddlSuite::bundled_names() {
        add(&docs, &mut page, &name, &process(&name));
    }
    compare(&docs.join("reference/gallery.md"), &page);
}

/// Adds a picture to the page.
fn add(docs: &Path, page: &mut String, name: &str, scene: &Scene) {
    let file = format!("pictures/{}.svg", name.replace('/', "-"));
    write!(page, "\n### {name}\n\n![{}](../{file})\n", scene.title).expect("a string can be written to");
    compare(&docs.join(file), &scene.to_svg(Theme::Auto));
}

/// Checks that a file has this text.
fn compare(path: &Path, text: &str) {
    let tracked = Data::read_from(path, Some(DataFormat::Text));
    assert_data_eq!(text, tracked.raw());
}

/// Draws the sixth problem of a PDDL domain after a few random actions.
fn planning(name: &str) -> Scene {
    let suite = Registry::get(name).expect("a bundled domain");
    let suite = suite.only(5.min(suite.len() - 1)).expect("a problem");
    let mut planning = suite.engine(0).expect("a problem that can be compiled");
    walk(&mut planning, 4);
    herbrand_env::StatePicture::of(&suite, 0, &planning)
        .expect("a picture")
        .scene(&planning)
}

/// Draws the second instance of an RDDL environment after a few random actions.
fn process(name: &str) -> Scene {
    let suite = RddlSuite::bundled(name)
        .and_then(|suite| suite.only(1))
        .expect("an instance");
    let mut simulator = suite.simulator(0).expect("an instance that can be compiled");
    walk(&mut simulator, 8);
    suite
        .renderer(0, &simulator)
        .expect("a picture")
        .scene(&simulator)
}

/// Takes a random walk until the episode ends.
fn walk<S: System>(system: &mut S, steps: u32) {
    let (mut actions, mut chance) = (Random::new(1), Random::new(2));
    system.reset(&mut chance).expect("an initial state");
    let mut joint = Vec::new();
    for _ in 0..steps {
        let status = system.status();
        if status.goal || status.terminal || !system.sample(&mut actions, &mut joint) {
            break;
        }
        system.step(&joint, &mut chance).expect("a valid step");
    }
}
