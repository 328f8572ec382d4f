//! Snapshots of a few pictures.

use herbrand_core::Group;
use herbrand_render::colour::{Colour, Tone};
use herbrand_render::scene::{Fill, SceneElement};
use herbrand_render::{
    Declaration, DrawnPredicate, DrawnProblem, DrawnRange, DrawnValue, Moment, NamedFact, Picture,
    PictureVocabulary, ReplayState, Sprite, Theme, replay_page, sheet,
};

use crate::worlds::{WAREHOUSE, blocks, draw, fact, objects, predicate, tanks, towns, warehouse};

#[test]
fn a_grid() {
    let facts = ["robot-at r1c2", "box-at box-1 r2c1", "holding box-2"];
    let scene = draw(Some(WAREHOUSE), warehouse(2, 3), &facts, &["box-at box-1 r2c3"]);
    insta::assert_snapshot!(scene.to_svg(Theme::Auto));
}

/// Classes within a `use` element have no effect in browsers.
#[test]
fn figures_have_colours_without_classes() {
    let facts = ["robot-at r1c2", "box-at box-1 r2c1"];
    let svg = draw(Some(WAREHOUSE), warehouse(2, 3), &facts, &[]).to_svg(Theme::Auto);
    let start = svg.find("<defs>").expect("figures");
    let end = svg.find("</defs>").expect("an end");
    let figures = &svg[start..end];
    assert!(figures.contains("fill-opacity"), "inner parts: {figures}");
    assert!(!figures.contains("class="), "{figures}");
}

#[test]
fn towers() {
    let declaration =
        "stacks = { on = \"on\", base = \"on-table\" }\nlist = [{ title = \"hand\", facts = [\"holding\"] }]";
    let facts = ["on-table a", "on b a", "holding c"];
    let scene = draw(Some(declaration), blocks(&["a", "b", "c"]), &facts, &["on c b"]);
    insta::assert_snapshot!(scene.to_svg(Theme::Light));
}

#[test]
fn a_road_map_in_a_general_way() {
    let scene = draw(
        None,
        towns(4, &[(0, 1), (1, 2), (2, 3), (3, 0)]),
        &["at town-2"],
        &["at town-0"],
    );
    insta::assert_snapshot!(scene.to_svg(Theme::Dark));
}

#[test]
fn a_sheet_has_all_pictures() {
    let picture = || draw(Some(WAREHOUSE), warehouse(1, 2), &["robot-at r1c1"], &[]);
    let all = sheet("three", vec![picture(), picture(), picture()], 700.0);
    assert_eq!(
        all.to_svg(Theme::Light).matches("#hb-robot").count(),
        6,
        "three robots, and three legends"
    );
    assert!(all.faults().is_empty(), "{:#?}", all.faults());
}

#[test]
fn a_page_says_what_changed() {
    let still = |at: &str| ReplayState {
        scene: draw(Some(WAREHOUSE), warehouse(1, 2), &[at], &[]),
        action: Some("</script>".to_owned()),
        facts: vec![at.to_owned()],
        ..ReplayState::default()
    };
    let page = replay_page("walk", &[still("robot-at r1c1"), still("robot-at r1c2")]);
    assert!(page.contains("\"added\":[\"robot-at r1c2\"],\"removed\":[\"robot-at r1c1\"]"));
    assert_eq!(page.matches("</script>").count(), 1, "no text ends the script");
    assert!(
        !page.contains("http://")
            || page.matches("http://").count() == page.matches("http://www.w3.org/2000/svg").count()
    );
}

#[test]
fn numbers_without_a_value_are_left_blank() {
    let vocabulary = PictureVocabulary {
        types: vec!["place".to_owned()],
        predicates: vec![
            DrawnPredicate {
                range: DrawnRange::Number,
                ..predicate("distance", &["place", "place"], Group::Fluent)
            },
            DrawnPredicate {
                range: DrawnRange::Number,
                ..predicate("height", &["place"], Group::Fluent)
            },
        ],
    };
    let number = |text: &str, value: f64| NamedFact {
        value: DrawnValue::Number(value),
        ..fact(text)
    };
    let world = DrawnProblem {
        title: "hills".to_owned(),
        objects: objects("place", &["k", "m"]),
        constants: vec![number("distance k m", 3.0), number("height m", 7.0)],
    };
    let picture = Picture::new(None, vocabulary, world, &Moment::default());
    let svg = picture.scene(&Moment::default()).to_svg(Theme::Light);
    let shown = |text: &str| svg.matches(&format!(">{text}<")).count();
    assert_eq!([shown("3"), shown("7"), shown("0")], [1, 1, 0], "{svg}");
}

#[test]
fn the_legend_shows_a_coloured_thing_as_it_is_drawn() {
    let text =
        format!("{WAREHOUSE}\nbadge = [{{ fact = \"sealed\", fill = \"green\", means = \"sealed box\" }}]\n");
    let (mut vocabulary, world) = warehouse(1, 1);
    vocabulary
        .predicates
        .push(predicate("sealed", &["box"], Group::Fluent));
    let declaration: Declaration = toml::from_str(&text).unwrap();
    let picture = Picture::new(Some(&declaration), vocabulary, world, &Moment::default());
    let scene = picture.scene(&Moment::default());
    let crates = scene.elements.iter().filter(|element| {
        matches!(
            element,
            SceneElement::Sprite {
                sprite: Sprite::Crate,
                colour: Colour::Green,
                ..
            }
        )
    });
    assert_eq!(crates.count(), 1);
}

/// Draws two tanks with these levels.
fn levels(one: f64, other: f64) -> herbrand_render::Scene {
    let (vocabulary, world) = tanks(&["north", "south"]);
    let level = |tank: &str, level| NamedFact {
        name: "level".to_owned(),
        arguments: vec![tank.to_owned()],
        value: DrawnValue::Number(level),
    };
    let moment = Moment {
        facts: vec![level("north", one), level("south", other)],
        ..Moment::default()
    };
    Picture::new(None, vocabulary, world, &moment).scene(&moment)
}

#[test]
fn numbers_beyond_the_scale_are_written_without_bars() {
    let bars = |scene: &herbrand_render::Scene| {
        let is_bar = |element: &&SceneElement| match element {
            SceneElement::Box { fill, .. } => *fill == Fill::Plain(Colour::Blue, Tone::Strong),
            _ => false,
        };
        scene.elements.iter().filter(is_bar).count()
    };
    assert_eq!(bars(&levels(0.5, 1.0)), 2);
    let beyond = levels(0.5, 6.0);
    assert_eq!(bars(&beyond), 0);
    let svg = beyond.to_svg(Theme::Light);
    assert!(svg.contains(">0.5<") && svg.contains(">6<"), "{svg}");
}

#[test]
fn values_of_an_enum_are_no_places() {
    let svg = levels(0.5, 6.0).to_svg(Theme::Light);
    assert!(svg.contains("north") && !svg.contains("spring"), "{svg}");
}

#[test]
fn tables_of_several_facts_across_name_each_fact() {
    let world = || {
        let (mut vocabulary, world) = tanks(&["north", "south"]);
        for name in ["stock", "transit"] {
            vocabulary.predicates.push(DrawnPredicate {
                range: DrawnRange::Number,
                ..predicate(name, &["tank", "season"], Group::Fluent)
            });
        }
        (vocabulary, world)
    };
    let column = |fact: &str| format!("{{ fact = \"{fact}\", across = true }}");
    let table = |columns: &[String]| {
        let columns = columns.join(", ");
        let text = format!("table = [{{ rows = \"tank\", column = [{columns}] }}]");
        draw(Some(&text), world(), &[], &[]).to_svg(Theme::Light)
    };
    let svg = table(&[column("stock"), column("transit")]);
    for text in [">stock<", ">transit<"] {
        assert_eq!(svg.matches(text).count(), 1, "{text} in {svg}");
    }
    assert_eq!(svg.matches(">spring<").count(), 2, "{svg}");
    assert!(!table(&[column("stock")]).contains(">stock<"));
}
