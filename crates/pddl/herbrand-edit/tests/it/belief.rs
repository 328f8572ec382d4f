//! Tests of beliefs in partially observable worlds.

use std::collections::{BTreeMap, BTreeSet};

use herbrand_edit::{Belief, EditCode, EditRules, Functional, Ground, PlanningModel, Statement, Truth};
use proptest::prelude::*;

const DOMAIN: &str = "
(define (domain maze)
  (:requirements :typing)
  (:types room way)
  (:predicates (at ?r - room) (visited ?r - room) (leads ?a ?b - room ?w - way) (shut ?a ?b - room))
  (:action go :parameters (?a ?b - room ?w - way)
    :precondition (and (at ?a) (leads ?a ?b ?w))
    :effect (and (at ?b) (not (at ?a)) (visited ?b) (not (shut ?a ?b)))))";

fn belief() -> Belief {
    let problem = "(define (problem p) (:domain maze) (:objects north east south west - way) (:init) (:goal (visited x)))";
    let problem = problem.replace(" (:goal (visited x))", "");
    let model = PlanningModel::from_text(DOMAIN, &problem).unwrap_or_else(|faults| panic!("{faults}"));
    let function = |predicate: &str, keys: &[usize]| Functional {
        predicate: predicate.to_owned(),
        keys: keys.to_vec(),
    };
    let rules = EditRules {
        functional: vec![function("at", &[]), function("leads", &[0, 2])],
        monotone: vec!["visited".to_owned()],
    };
    Belief::new(model, rules)
}

fn holds(text: &str) -> Statement {
    Statement::holds(text).expect("an atom")
}

fn fails(text: &str) -> Statement {
    Statement::fails(text).expect("an atom")
}

fn truth(belief: &Belief, text: &str) -> Truth {
    belief.truth(&text.parse().expect("an atom"))
}

#[test]
fn what_is_seen_last_holds() {
    let mut belief = belief();
    let rooms = [Statement::object("a", "room"), Statement::object("b", "room")];
    belief.observe("rooms", &rooms).unwrap();
    belief
        .observe("first", &[holds("(at a)"), holds("(shut a b)")])
        .unwrap();
    assert_eq!(truth(&belief, "(at b)"), Truth::False);
    assert_eq!(truth(&belief, "(shut b a)"), Truth::Unknown);
    let edits = belief
        .observe("second", &[holds("(at b)"), fails("(shut a b)")])
        .unwrap();
    let edits: Vec<_> = edits.iter().map(ToString::to_string).collect();
    assert_eq!(edits, ["add (at b)", "delete (shut a b)", "delete (at a)"]);
    assert_eq!(truth(&belief, "(at a)"), Truth::False);
    assert_eq!(belief.source(&"(shut a b)".parse().unwrap()), Some("second"));
    assert!(belief.observe("again", &[holds("(at b)")]).unwrap().is_empty());
}

#[test]
fn what_contradicts_is_refused_whole() {
    let mut belief = belief();
    let rooms = ["a", "b", "c"].map(|name| Statement::object(name, "room"));
    belief.observe("rooms", &rooms).unwrap();
    belief
        .observe(
            "look",
            &[
                holds("(leads a b north)"),
                holds("(visited a)"),
                fails("(leads b c east)"),
            ],
        )
        .unwrap();
    let before = belief.model().clone();
    for (statements, code, number) in [
        // Both rooms are known and not placeholders, so they cannot be merged.
        (
            vec![holds("(at c)"), holds("(leads a c north)")],
            EditCode::Functional,
            1,
        ),
        (vec![fails("(visited a)")], EditCode::Monotone, 0),
        (vec![fails("(leads a b north)")], EditCode::Monotone, 0),
        (vec![holds("(leads b c east)")], EditCode::Contradiction, 0),
        (vec![holds("(at a)"), holds("(at b)")], EditCode::Functional, 1),
        (vec![holds("(at d)")], EditCode::UndeclaredObject, 0),
    ] {
        let faults = belief.observe("more", &statements).expect_err("a contradiction");
        assert_eq!((faults.0[0].code, faults.0[0].edit), (code, number), "{faults}");
        assert_eq!(*belief.model(), before);
        assert_eq!(truth(&belief, "(at c)"), Truth::Unknown);
    }
}

#[test]
fn one_merge_leads_to_the_next() {
    let mut belief = belief();
    let names = ["p", "q", "r"].map(|name| Statement::placeholder(name, "room"));
    let known = [
        Statement::object("a", "room"),
        Statement::object("b", "room"),
        Statement::object("c", "room"),
    ];
    belief.observe("names", &[&names[..], &known].concat()).unwrap();
    let chain = [
        holds("(leads a p north)"),
        holds("(leads p q north)"),
        holds("(leads q r east)"),
    ];
    belief.observe("chain", &chain).unwrap();
    // Merging `p` into `b` leads to merging `q` into `c`, so the facts about `q` become facts about `c`.
    belief
        .observe("seen", &[holds("(leads b c north)"), holds("(leads a b north)")])
        .unwrap();
    assert_eq!(belief.placeholders().collect::<Vec<_>>(), ["r"]);
    assert_eq!(truth(&belief, "(leads c r east)"), Truth::True);
    // `r` is still a placeholder and may turn out to be any room.
    assert_eq!(truth(&belief, "(leads c a east)"), Truth::Unknown);
}

#[test]
fn what_was_said_last_holds_of_objects_that_turn_out_to_be_one() {
    let rooms = [
        Statement::object("a", "room"),
        Statement::object("b", "room"),
        Statement::placeholder("p", "room"),
    ];
    for (first, second, expected) in [
        (holds("(shut a p)"), fails("(shut a b)"), Truth::False),
        (fails("(shut a p)"), holds("(shut a b)"), Truth::True),
        (fails("(shut a b)"), holds("(shut a p)"), Truth::True),
    ] {
        let mut belief = belief();
        belief.observe("rooms", &rooms).unwrap();
        belief.observe("way", &[holds("(leads a p north)")]).unwrap();
        belief.observe("first", &[first]).unwrap();
        belief.observe("second", std::slice::from_ref(&second)).unwrap();
        let edits = belief.observe("third", &[holds("(leads a b north)")]).unwrap();
        assert_eq!(truth(&belief, "(shut a b)"), expected, "{edits:?}");
        let known = belief.model().facts();
        assert_eq!(
            known.iter().any(|fact| fact.predicate == "shut"),
            expected == Truth::True
        );
    }
    // Repeating a known fact makes it the latest statement.
    let mut belief = belief();
    belief.observe("rooms", &rooms).unwrap();
    for said in [holds("(shut a p)"), fails("(shut a b)"), holds("(shut a p)")] {
        belief.observe("look", &[said]).unwrap();
    }
    belief
        .observe("ways", &[holds("(leads a p north)"), holds("(leads a b north)")])
        .unwrap();
    assert_eq!(truth(&belief, "(shut a b)"), Truth::True);
    // Contradictory statements about a static fact are a fault.
    belief
        .observe(
            "more",
            &[Statement::placeholder("q", "room"), fails("(leads b q east)")],
        )
        .unwrap();
    let both = [
        holds("(leads b a east)"),
        holds("(leads a q south)"),
        holds("(leads a a south)"),
    ];
    let faults = belief.observe("both", &both).expect_err("a contradiction");
    assert_eq!(faults.0[0].code, EditCode::Contradiction, "{faults}");
}

/// A maze on a grid, given by its open walls.
#[derive(Clone, Debug)]
struct Maze {
    width: usize,
    rooms: usize,
    open: Vec<bool>,
}

const WAYS: [&str; 4] = ["north", "east", "south", "west"];

impl Maze {
    fn next(&self, room: usize, way: usize) -> Option<usize> {
        let (x, y) = (room % self.width, room / self.width);
        let height = self.rooms / self.width;
        let (x, y) = match way {
            0 => (x, y.checked_sub(1)?),
            1 => (x + 1, y),
            2 => (x, y + 1),
            _ => (x.checked_sub(1)?, y),
        };
        let next = y * self.width + x;
        // The wall between two rooms is the same from both sides.
        let wall = room.min(next) * 2 + way % 2;
        (x < self.width && y < height && self.open[wall % self.open.len()]).then_some(next)
    }
}

fn mazes() -> impl Strategy<Value = Maze> {
    (
        1..5_usize,
        1..5_usize,
        proptest::collection::vec(proptest::bool::weighted(0.7), 8..40),
    )
        .prop_map(|(width, height, open)| Maze {
            width,
            rooms: width * height,
            open,
        })
}

/// Returns the observation in a room. `names` counts the placeholders.
fn look(maze: &Maze, belief: &Belief, room: usize, names: &mut usize) -> Vec<Statement> {
    let mut statements = vec![
        Statement::object(&format!("room{room}"), "room"),
        holds(&format!("(at room{room})")),
        holds(&format!("(visited room{room})")),
    ];
    let known: BTreeSet<_> = belief
        .model()
        .facts()
        .into_iter()
        .filter(|fact| fact.predicate == "leads" && fact.arguments[0] == format!("room{room}"))
        .map(|fact| fact.arguments[2].clone())
        .collect();
    for (way, name) in WAYS.iter().enumerate() {
        if maze.next(room, way).is_some() && !known.contains(*name) {
            *names += 1;
            statements.push(Statement::placeholder(&format!("loc{names}"), "room"));
            statements.push(holds(&format!("(leads room{room} loc{names} {name})")));
        }
    }
    statements
}

proptest! {
    /// After every way has been walked, the belief contains exactly these ways, without placeholders.
    #[test]
    fn exploring_all_ways_gives_the_map(maze in mazes()) {
        let (mut belief, mut names) = (belief(), 0);
        let mut walked: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let seen = look(&maze, &belief, 0, &mut names);
        belief.observe("start", &seen).expect("sound");
        let (mut trail, mut room) = (vec![], 0);
        loop {
            let way = (0..4).find(|&way| maze.next(room, way).is_some() && !walked.contains_key(&(room, way)));
            let Some((next, way, back)) = way
                .map(|way| (maze.next(room, way).expect("a way"), way, false))
                .or_else(|| trail.pop().map(|(before, way)| (before, (way + 2) % 4, true)))
            else {
                break;
            };
            walked.insert((room, way), next);
            if !back {
                trail.push((room, way));
            }
            let mut statements = vec![
                Statement::object(&format!("room{next}"), "room"),
                holds(&format!("(leads room{room} room{next} {})", WAYS[way])),
                holds(&format!("(leads room{next} room{room} {})", WAYS[(way + 2) % 4])),
            ];
            statements.extend(look(&maze, &belief, next, &mut names).into_iter().filter(|said| {
                // The way back is already known.
                let back = format!("(leads room{next} loc");
                !matches!(said, Statement::Holds { fact } if fact.to_string().starts_with(&back)
                    && fact.arguments[2] == WAYS[(way + 2) % 4])
            }));
            belief.observe("step", &statements).expect("sound");
            room = next;
            let here: Ground = format!("(at room{room})").parse().expect("an atom");
            prop_assert_eq!(belief.truth(&here), Truth::True);
            prop_assert_eq!(belief.model().facts().iter().filter(|fact| fact.predicate == "at").count(), 1);
        }
        let found: BTreeSet<_> = belief.model().facts().into_iter().filter(|fact| fact.predicate == "leads").collect();
        let expected: BTreeSet<Ground> = walked
            .iter()
            .map(|((room, way), next)| format!("(leads room{room} room{next} {})", WAYS[*way]).parse().expect("an atom"))
            .collect();
        prop_assert_eq!(found, expected);
    }
}
