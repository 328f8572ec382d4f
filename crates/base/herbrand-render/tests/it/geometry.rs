//! Elements are within bounds and labels do not overlap.

use herbrand_core::Group;
use herbrand_render::scene::SceneElement;
use herbrand_render::{Declaration, DrawnProblem, Moment, Picture, PictureVocabulary, Scene, Theme};
use proptest::prelude::*;

use crate::worlds::{WAREHOUSE, blocks, draw, fact, objects, predicate, towns, warehouse};

fn assert_sound(scene: &Scene) {
    assert!(scene.faults().is_empty(), "{:#?}", scene.faults());
}

/// Returns whether no two nodes of a road map, which are the squares of the scene, overlap.
fn nodes_are_apart(scene: &Scene) -> bool {
    let squares = scene.elements.iter().filter_map(|element| match element {
        SceneElement::Box { frame, .. } if frame.width == frame.height => Some(frame),
        _ => None,
    });
    let squares: Vec<_> = squares.collect();
    let pairs = squares
        .iter()
        .enumerate()
        .flat_map(|(at, one)| squares[at + 1..].iter().map(move |other| (one, other)));
    pairs.into_iter().all(|(one, other)| !one.overlaps(other))
}

#[test]
fn what_is_out_of_bounds_or_overlaps_is_found() {
    let mut scene = draw(Some(WAREHOUSE), warehouse(1, 2), &["robot-at r1c1"], &[]);
    assert_sound(&scene);
    let label = scene
        .elements
        .iter()
        .find(|element| matches!(element, SceneElement::Label { .. }));
    let label = label.expect("a title").clone();
    scene.elements.push(label.clone());
    assert_eq!(scene.faults().len(), 1, "the same label twice");
    scene.elements.pop();
    scene.elements.push(label.moved((0.0, 1e4)));
    assert_eq!(scene.faults().len(), 1, "a label below the picture");
}

#[test]
fn what_changes_is_seen() {
    let svg = |facts: &[&str]| {
        draw(Some(WAREHOUSE), warehouse(2, 2), facts, &[]).to_svg(herbrand_render::Theme::Light)
    };
    let carried = svg(&["robot-at r1c1", "holding box-1"]);
    let lying = svg(&["robot-at r1c1", "box-at box-1 r1c1"]);
    let elsewhere = svg(&["robot-at r1c2", "holding box-1"]);
    assert!(carried != lying && carried != elsewhere && lying != elsewhere);
}

#[test]
fn a_fact_that_nothing_draws_is_written() {
    let declaration = "grid = { cells = \"r{row}c{column}\" }";
    let scene = draw(Some(declaration), warehouse(1, 2), &["robot-at r1c2"], &[]);
    assert!(scene.labels().any(|(text, _)| text == "robot-at r1c2"));
}

#[test]
fn the_goal_is_marked_and_listed() {
    let declared = draw(
        Some(WAREHOUSE),
        warehouse(1, 2),
        &["box-at box-1 r1c1"],
        &["box-at box-1 r1c2"],
    );
    assert!(declared.labels().any(|(text, _)| text == "box-at box-1 r1c2"));
    assert_eq!(
        declared
            .to_svg(herbrand_render::Theme::Light)
            .matches("opacity=\".35\"")
            .count(),
        1
    );
}

#[test]
fn a_circle_of_things_on_each_other_is_no_tower_without_end() {
    let facts = ["on a b", "on b a", "on-table a"];
    assert_sound(&draw(
        Some("stacks = { on = \"on\", base = \"on-table\" }"),
        blocks(&["a", "b"]),
        &facts,
        &[],
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn road_maps_are_sound(count in 1usize..14, roads in prop::collection::vec((0usize..14, 0usize..14), 0..90), at in 0usize..14) {
        let roads: Vec<_> = roads.into_iter().map(|(one, other)| (one % count, other % count)).collect();
        let at = format!("at town-{}", at % count);
        for layout in ["force", "circle", "layers", "line"] {
            let declaration = format!(
                "graph = {{ nodes = [\"town\"], layout = \"{layout}\" }}\nedge = [{{ fact = \"road\", arrow = true }}]\n\
                 layer = [{{ fact = \"at\", shape = \"car\" }}]"
            );
            let scene = draw(Some(&declaration), towns(count, &roads), &[&at], &[]);
            prop_assert!(nodes_are_apart(&scene), "{layout}: nodes overlap");
            prop_assert!(scene.faults().is_empty(), "{layout}: {:#?}", scene.faults());
        }
        let scene = draw(None, towns(count, &roads), &[&at], &[]);
        prop_assert!(scene.faults().is_empty(), "{:#?}", scene.faults());
    }

    #[test]
    fn crowded_cells_are_sound(robots in prop::collection::vec((1usize..4, 1usize..4), 0..20)) {
        let facts: Vec<String> = robots.iter().map(|(row, column)| format!("box-at box-1 r{row}c{column}")).collect();
        let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
        let scene = draw(Some(WAREHOUSE), warehouse(3, 3), &facts, &["box-at box-2 r1c1"]);
        prop_assert!(scene.faults().is_empty(), "{:#?}", scene.faults());
    }
}

/// The agent is in the centre, positions outside of the grid are walls, and distant places are not visible.
#[test]
fn what_is_around_the_agent_moves_with_it() {
    let declaration: Declaration = toml::from_str(&format!(
        "eye = {{ fact = \"robot-at\", radius = 1 }}\n{WAREHOUSE}"
    ))
    .expect("a declaration");
    let (vocabulary, world) = warehouse(4, 5);
    let near = |facts: &[&str]| {
        let moment = Moment {
            facts: facts.iter().map(|text| fact(text)).collect(),
            ..Moment::default()
        };
        let picture = Picture::new(Some(&declaration), vocabulary.clone(), world.clone(), &moment);
        picture.egocentric(&moment)
    };
    let scene = near(&["robot-at r2c2", "box-at box-1 r2c3"]).expect("the robot is somewhere");
    assert_sound(&scene);
    let places = scene.elements.iter().filter(|element| match element {
        SceneElement::Box { frame, .. } => frame.width < scene.width,
        _ => false,
    });
    assert_eq!(places.count(), 9);
    let middle = scene.elements.iter().any(|element| match element {
        SceneElement::Sprite { frame, .. } => {
            let (x, y) = frame.centre();
            (x - scene.width / 2.0).abs() < 1.0 && (y - scene.height / 2.0).abs() < 1.0
        }
        _ => false,
    });
    assert!(middle, "the robot is in the middle");
    assert_eq!(
        near(&["robot-at r3c3", "box-at box-1 r3c4"]).map(|scene| scene.elements),
        Some(scene.elements),
        "the same surroundings look the same elsewhere"
    );
    let corner = near(&["robot-at r1c1", "box-at box-1 r4c4"]).expect("the robot is somewhere");
    let boxes = corner
        .elements
        .iter()
        .filter(|element| matches!(element, SceneElement::Box { .. }));
    assert_eq!(boxes.count(), 1 + 4, "the wall, and four cells");
    assert_eq!(near(&["box-at box-1 r1c1"]), None, "no robot");
}

/// As in VisitAll from the planning competitions, which PDDLGym draws as a grid.
#[test]
fn cells_that_are_called_by_their_places_are_a_grid_without_a_declaration() {
    let names = ["loc-x0-y0", "loc-x1-y0", "loc-x0-y1", "loc-x1-y1"];
    let vocabulary = PictureVocabulary {
        types: vec!["place".to_owned()],
        predicates: vec![
            predicate("connected", &["place", "place"], Group::Static),
            predicate("at-robot", &["place"], Group::Fluent),
            predicate("visited", &["place"], Group::Fluent),
        ],
    };
    let world = DrawnProblem {
        title: "visit all".to_owned(),
        objects: objects("place", &names),
        constants: vec![fact("connected loc-x0-y0 loc-x1-y0")],
    };
    let declaration = Declaration::infer(&vocabulary, &world);
    let cells = declaration.grid.and_then(|grid| grid.cells);
    assert_eq!(cells.as_deref(), Some("loc-x{column}-y{row}"));
    let about = || (vocabulary.clone(), world.clone());
    let before = draw(None, about(), &["at-robot loc-x0-y0"], &[]);
    let after = draw(None, about(), &["at-robot loc-x1-y0", "visited loc-x1-y0"], &[]);
    assert_sound(&before);
    assert_sound(&after);
    assert_ne!(before.to_svg(Theme::Light), after.to_svg(Theme::Light));
}

/// Without types, every object could be a cell: the facts place things in cells. A cell whose name has no row and column, and
/// the things there, are listed beside the grid.
#[test]
fn things_without_a_place_are_listed_beside_the_grid() {
    let names = ["r1c1", "r1c2", "r2c1", "r2c2", "kitchen", "robot", "cup"];
    let vocabulary = PictureVocabulary {
        types: vec!["object".to_owned()],
        predicates: vec![
            predicate("door", &["object", "object"], Group::Static),
            predicate("at", &["object", "object"], Group::Fluent),
        ],
    };
    let world = DrawnProblem {
        title: "flat".to_owned(),
        objects: objects("object", &names),
        constants: vec![fact("door r1c1 r1c2"), fact("door r1c2 kitchen")],
    };
    let about = || (vocabulary.clone(), world.clone());
    let scene = draw(None, about(), &["at robot r1c1", "at cup r2c2"], &[]);
    assert_sound(&scene);
    let labels = |scene: &Scene| {
        scene
            .labels()
            .map(|(text, _)| text.to_owned())
            .collect::<Vec<_>>()
    };
    let seen = labels(&scene);
    for name in ["robot", "cup", "not in the grid", "kitchen"] {
        assert!(seen.iter().any(|text| text == name), "{name}: {seen:?}");
    }
    assert!(!seen.iter().any(|text| text.starts_with("at ")), "{seen:?}");
    let scene = draw(None, about(), &["at robot r1c1", "at cup kitchen"], &[]);
    assert_sound(&scene);
    assert!(
        labels(&scene).iter().any(|text| text == "at cup kitchen"),
        "{:?}",
        labels(&scene)
    );
}

/// In a picture that is not declared, an edge has an arrowhead where no fact leads back.
#[test]
fn edges_that_lead_one_way_have_arrowheads() {
    let scene = draw(None, towns(3, &[(0, 1), (1, 0), (1, 2)]), &["at town-0"], &[]);
    let heads = scene.elements.iter().filter_map(|element| match element {
        SceneElement::Line { arrow, .. } => Some(*arrow),
        _ => None,
    });
    // The road to and fro is one line.
    assert_eq!(heads.filter(|&arrow| arrow).count(), 1);
    let both = draw(
        None,
        towns(3, &[(0, 1), (1, 0), (1, 2), (2, 1)]),
        &["at town-0"],
        &[],
    );
    let any = both
        .elements
        .iter()
        .any(|element| matches!(element, SceneElement::Line { arrow: true, .. }));
    assert!(!any);
}

/// Three towns in a row: the road between the outer ones goes around the one in the middle, and a road from a town to
/// itself is a loop. Both are within the picture.
#[test]
fn no_road_hides_behind_a_town() {
    for (layout, arrow) in [("line", true), ("line", false), ("force", true), ("circle", true)] {
        let declaration = format!(
            "graph = {{ nodes = [\"town\"], layout = \"{layout}\" }}\nedge = [{{ fact = \"road\", arrow = {arrow} }}]"
        );
        let scene = draw(
            Some(&declaration),
            towns(3, &[(0, 1), (1, 2), (0, 2), (1, 1)]),
            &["at town-0"],
            &[],
        );
        assert_sound(&scene);
        let lines: Vec<_> = scene
            .elements
            .iter()
            .filter_map(|element| match element {
                SceneElement::Line { points, .. } if points.len() != 2 || points[0] != points[1] => {
                    Some(points)
                }
                _ => None,
            })
            .collect();
        let bent = lines.iter().filter(|points| points.len() > 2).count();
        // A loop, and in a line a detour.
        assert_eq!(bent, if layout == "line" { 2 } else { 1 }, "{layout}: {lines:?}");
        assert_eq!(
            lines.iter().filter(|points| points.len() == 5).count(),
            1,
            "{layout}"
        );
    }
}

#[test]
fn objects_that_are_at_no_place_are_drawn_without_a_declaration() {
    let (mut vocabulary, mut world) = towns(3, &[(0, 1), (1, 2)]);
    vocabulary.types.extend(["crew", "breaker"].map(str::to_owned));
    vocabulary.predicates.extend([
        predicate("stays", &["crew", "town"], Group::Fluent),
        predicate("tired", &["crew"], Group::Fluent),
        predicate("closed", &["breaker"], Group::Fluent),
    ]);
    world.objects.extend(objects("crew", &["anna"]));
    world.objects.extend(objects("breaker", &["k1", "k2"]));
    let declaration = Declaration::infer(&vocabulary, &world);
    let badges: Vec<_> = declaration
        .badge
        .iter()
        .map(|badge| badge.fact.get_ref().as_str())
        .collect();
    assert_eq!(badges, ["tired"]);
    let facts = ["stays anna town-0", "tired anna", "closed k2"];
    let scene = draw(None, (vocabulary, world), &facts, &[]);
    assert_sound(&scene);
    let labels: Vec<_> = scene.labels().map(|(text, _)| text).collect();
    for name in ["anna", "k1", "k2", "closed"] {
        assert!(labels.contains(&name), "{name}: {labels:?}");
    }
}
