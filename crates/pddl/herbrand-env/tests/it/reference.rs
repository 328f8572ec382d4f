//! `docs/reference/env-toml.md` names the keys that settings take, and no others.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use herbrand_env::{Config, Source};
use herbrand_render::Sprite;

/// Returns the known keys from the error message for an unknown one.
fn known(text: &str) -> BTreeSet<String> {
    let fault = Config::parse(&Source::new("env.toml", text)).expect_err("there is no such key");
    let fault = fault.to_string();
    let (_, expected) = fault
        .split_once("expected")
        .expect("the fault says what is known");
    let names = expected.split('`').skip(1).step_by(2);
    names.map(str::to_owned).collect()
}

/// Returns the text of a page below `docs`.
fn page(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../docs")
        .join(name);
    fs::read_to_string(path).expect("the page")
}

/// Returns the first column of the page's table with this heading.
fn listed(heading: &str) -> BTreeSet<String> {
    let page = page("reference/env-toml.md");
    let lines = page
        .lines()
        .skip_while(|line| !line.starts_with(&format!("| {heading} |")));
    let rows = lines.skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|row| row.split('`').nth(1).expect("a key").to_owned())
        .collect()
}

#[test]
fn the_page_of_keys_is_up_to_date() {
    assert_eq!(listed("key"), known("unheard-of = 1"));
    assert_eq!(
        listed("action key"),
        known("[actions.move]\noperators = {}\nunheard-of = 1")
    );
    assert_eq!(listed("observe key"), known("[observe]\nunheard-of = 1"));
}

#[test]
fn the_names_of_pictures_are_up_to_date() {
    let page = page("how-to/pictures.md");
    let names = |key: &str| -> BTreeSet<String> {
        let head = format!("| `{key}` | ");
        let mut rows = page.lines().skip_while(|line| *line != "### Names");
        let row = rows.find_map(|line| line.strip_prefix(&head)).expect("a row");
        row.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let render = |text: &str| known(&format!("[render]\n{text}"));
    assert_eq!(names("grid"), render("grid = { unheard-of = 1 }"));
    assert_eq!(names("outside"), render("grid = { outside = \"unheard-of\" }"));
    assert_eq!(
        names("layout"),
        render("graph = { nodes = [], layout = \"unheard-of\" }")
    );
    assert_eq!(
        names("node"),
        render("graph = { nodes = [], node = \"unheard-of\" }")
    );
    assert_eq!(
        names("flow"),
        render("boxes = { of = [], flow = \"unheard-of\" }")
    );
    assert_eq!(
        names("line"),
        render("edge = [{ fact = \"on\", line = \"unheard-of\" }]")
    );
    assert_eq!(
        names("colour"),
        render("layer = [{ fact = \"on\", colour = \"unheard-of\" }]")
    );
    let shapes = Sprite::ALL.iter().map(|sprite| sprite.name().to_owned());
    assert_eq!(names("shape"), shapes.collect());
}
