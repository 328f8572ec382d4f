//! Checks report all faults of a declaration at once, with positions.

use herbrand_render::{Declaration, Sprite};
use herbrand_text::Source;

use crate::worlds::warehouse;

/// Checks a declaration within a file and returns the faults.
fn faults_in(text: &str) -> String {
    #[derive(serde::Deserialize)]
    struct File {
        render: Declaration,
    }
    let file: File = toml::from_str(text).unwrap_or_else(|error| panic!("{error}"));
    check(&file.render, text)
}

/// Checks a declaration and returns the faults.
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
    // In a file with other keys, and as a separate table.
    insta::assert_snapshot!(faults_in(
        "horizon = 3\ngrid-like = \"grid\"\n[render]\nhide = []\n[render.grid]\nsize = 40\n"
    ));
}

/// A report has the same parameters and values as its fact, and both are declared.
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
