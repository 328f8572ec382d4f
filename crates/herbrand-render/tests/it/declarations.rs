//! Faults in declarations are found all at once, with their places.

use herbrand_render::{Declaration, Sprite};
use herbrand_text::Source;

use crate::worlds::warehouse;

/// What checking a declaration within a file says.
fn faults_in(text: &str) -> String {
    #[derive(serde::Deserialize)]
    struct File {
        render: Declaration,
    }
    let file: File = toml::from_str(text).unwrap_or_else(|error| panic!("{error}"));
    check(&file.render, text)
}

/// What checking a declaration says.
fn faults(text: &str) -> String {
    let declaration: Declaration = toml::from_str(text).unwrap_or_else(|error| panic!("{error}"));
    check(&declaration, text)
}

fn check(declaration: &Declaration, text: &str) -> String {
    let (vocabulary, _) = warehouse(1, 1);
    match declaration.check(&vocabulary, &Source::new("env.toml", text)) {
        Ok(()) => String::new(),
        Err(faults) => faults.to_string(),
    }
}

#[test]
fn unknown_names_are_found_all_at_once() {
    insta::assert_snapshot!(faults(
        r#"
grid = { numbered = "cel", beside = "next-to" }

[[layer]]
fact = "robt-at"
when = ["holdin"]

[[marker]]
x = "box-att"
"#
    ));
}

#[test]
fn parts_that_lack_something_are_found() {
    insta::assert_snapshot!(faults(
        r#"
[[layer]]
fact = "holding"
with = "robot-at"
"#
    ));
    insta::assert_snapshot!(faults(
        r#"
grid = { cells = "c{row}" }
graph = { nodes = ["cell"] }
"#
    ));
    insta::assert_snapshot!(faults("grid = { size = 40 }"));
    // In a file with more than the table, and with a table of its own.
    insta::assert_snapshot!(faults_in(
        "horizon = 3\ngrid-like = \"grid\"\n[render]\nhide = []\n[render.grid]\nsize = 40\n"
    ));
}

/// A report is of the same objects and values as what it tells of, and both are declared.
#[test]
fn reports_fit_their_facts() {
    insta::assert_snapshot!(faults(
        r#"
seen = [
    { fact = "robot-at", by = "robot-at" },
    { fact = "robot-at", by = "box-at" },
    { fact = "robt-at", by = "box-at" },
]
"#
    ));
}

#[test]
fn figures_are_called_by_their_names() {
    for sprite in Sprite::ALL {
        let text = format!("fact = \"robot-at\"\nshape = \"{}\"", sprite.name());
        let layer: herbrand_render::declare::Layer =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(layer.shape, Some(*sprite));
        let mut names = Sprite::ALL.iter().filter(|other| other.name() == sprite.name());
        assert_eq!(names.by_ref().count(), 1, "{} twice", sprite.name());
    }
}
