//! The state at the end of a walk does not depend on earlier requests.

use herbrand_play::{EpisodeStatus, JointTexts, Playground, Reply, Request, SuggestedPlan};
use proptest::prelude::*;

use crate::{bundled, fresh, look, position, refusal, texts};

/// A move of a player.
#[derive(Clone, Copy, Debug)]
enum Move {
    /// Takes one of the offered actions.
    Take(usize),
    /// Goes back several steps.
    Back(usize),
    /// Restarts with another seed.
    Seed(u64),
    /// Requests an action that does not exist.
    Wrong,
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        6 => (0..1000_usize).prop_map(Move::Take),
        2 => (1..9_usize).prop_map(Move::Back),
        1 => (0..3_u64).prop_map(Move::Seed),
        1 => Just(Move::Wrong),
    ];
    prop::collection::vec(one, 1..40)
}

/// Plays the moves and compares every reply with that of a playground with an empty cache.
fn play(domain: &str, problem: &str, moves: &[Move]) {
    let problem = bundled(domain, problem);
    let mut kept = fresh();
    let (mut seed, mut walk) = (0, Vec::<JointTexts>::new());
    for &step in moves {
        let view = look(&mut kept, &position(&problem, seed, &walk));
        match step {
            Move::Take(which) => {
                if let Some(action) = view.actions.get(which % view.actions.len().max(1)) {
                    walk.push(vec![action.text.clone()]);
                }
            }
            Move::Back(steps) => walk.truncate(walk.len().saturating_sub(steps)),
            Move::Seed(other) => (seed, walk) = (other, Vec::new()),
            Move::Wrong => {
                let mut wrong = walk.clone();
                wrong.push(vec!["(no-such-action)".to_owned()]);
                let request = Request::Look(position(&problem, seed, &wrong));
                let reply = kept.reply(&request);
                assert_eq!(reply, fresh().reply(&request));
                assert!(matches!(&reply, Reply::Refused(refusal) if refusal.step == Some(walk.len())));
            }
        }
        let request = Request::Look(position(&problem, seed, &walk));
        assert_eq!(kept.reply(&request), fresh().reply(&request), "{walk:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn an_answer_is_that_of_a_fresh_playground(moves in moves()) {
        play("sokoban", "train/01", &moves);
        // Problems with random outcomes.
        play("river", "train/01", &moves);
        play("rddl/elevators", "1", &moves);
    }
}

#[test]
fn going_back_further_than_is_kept_begins_anew() {
    let problem = bundled("hanoi", "train/02");
    let mut playground = fresh();
    let mut walk = Vec::<JointTexts>::new();
    for step in 0..150 {
        let view = look(&mut playground, &position(&problem, 0, &walk));
        walk.push(vec![view.actions[step % view.actions.len()].text.clone()]);
    }
    for steps in [150, 149, 70, 3, 0, 120] {
        let there = position(&problem, 0, &walk[..steps]);
        assert_eq!(
            look(&mut playground, &there),
            look(&mut fresh(), &there),
            "{steps}"
        );
    }
}

#[test]
fn what_is_shown_is_what_a_step_did() {
    let problem = bundled("blocks", "train/01");
    let mut playground = fresh();
    let start = look(&mut playground, &position(&problem, 0, &[]));
    assert_eq!(
        (start.step, start.status, start.last_reward),
        (0, EpisodeStatus::Running, None)
    );
    assert!(start.effects.is_empty() && start.added.is_empty());
    let action = start.actions[0].text.clone();
    let next = look(&mut playground, &position(&problem, 0, &[vec![action.clone()]]));
    assert!(
        next.effects.starts_with(&action) || next.effects.starts_with('('),
        "{}",
        next.effects
    );
    assert!(!next.added.is_empty() && !next.removed.is_empty());
    let changed = |fact: &String| next.facts.contains(fact) && !start.facts.contains(fact);
    assert!(next.added.iter().all(changed), "{:?}", next.added);
}

#[test]
fn every_action_names_the_objects_that_are_clicked() {
    // The action contains a direction, and the operator that carries it out contains the cells.
    let view = look(&mut fresh(), &position(&bundled("sokoban", "train/03"), 0, &[]));
    let picture = view.picture.expect("sokoban is drawn");
    let shown = |name: &String| picture.zones.iter().any(|zone| zone.names.contains(name));
    for action in &view.actions {
        let clickable = action.names.iter().filter(|name| shown(name)).count();
        assert!(clickable >= 2, "{action:?}");
    }
}

/// Returns the first problem of every domain.
fn all() -> Vec<(String, String)> {
    let Reply::Catalogue { domains } = fresh().reply(&Request::Catalogue) else {
        panic!("there is a catalogue");
    };
    assert!(domains.len() > 60 && domains.iter().all(|domain| !domain.description.is_empty()));
    let first = |domain: herbrand_play::DomainEntry| (domain.name, domain.problems[0].clone());
    domains.into_iter().map(first).collect()
}

#[test]
fn every_bundled_domain_is_played() {
    let mut playground: Playground = fresh();
    for (domain, problem) in all() {
        let problem = bundled(&domain, &problem);
        let view = look(&mut playground, &position(&problem, 0, &[]));
        let drawn = view.picture.expect("the first problem is small");
        assert!(
            !drawn.zones.is_empty() || domain.starts_with("rddl/"),
            "{domain} shows no object"
        );
        for zone in &drawn.zones {
            let [x, y, width, height] = zone.frame;
            let within =
                x >= -0.1 && y >= -0.1 && x + width <= drawn.width + 0.2 && y + height <= drawn.height + 0.2;
            assert!(
                within,
                "{domain}: {zone:?} is outside of {} x {}",
                drawn.width, drawn.height
            );
        }
        // One step, which is empty if there are no alternatives.
        let joint: JointTexts = view
            .actions
            .first()
            .map(|action| action.text.clone())
            .into_iter()
            .collect();
        let next = look(&mut playground, &position(&problem, 0, &[joint]));
        assert_eq!(next.step, 1, "{domain}");
    }
}

#[test]
fn clicks_find_what_can_be_done() {
    // In most domains, some valid action has an object that the picture shows.
    let mut without = Vec::new();
    let mut playground = fresh();
    for (domain, problem) in all()
        .into_iter()
        .filter(|(domain, _)| !domain.starts_with("rddl/"))
    {
        let view = look(&mut playground, &position(&bundled(&domain, &problem), 0, &[]));
        let drawn = view.picture.expect("the first problem is small");
        let shown = |name: &String| drawn.zones.iter().any(|zone| zone.names.contains(name));
        if !view.actions.iter().any(|action| action.names.iter().any(shown)) {
            without.push(domain);
        }
    }
    assert_eq!(without, Vec::<String>::new());
}

#[test]
fn a_reason_is_given_for_what_cannot_be_done() {
    let mut playground = fresh();
    let mut why = |domain: &str, problem: &str, action: &str| {
        let request = Request::Explain {
            position: position(&bundled(domain, problem), 0, &[]),
            action: vec![action.to_owned()],
        };
        match playground.reply(&request) {
            Reply::Why { text } => text,
            other => panic!("{other:?}"),
        }
    };
    assert!(why("ferry", "train/01", "(board nothing)").contains("nothing"));
    assert!(why("blocks", "train/01", "(no-such-action)").contains("no-such-action"));
    assert!(why("rddl/elevators", "1", "no-such-action").contains("is not an action"));
    let text = why("sokoban", "train/01", "(move left)");
    assert!(
        text.contains("(move left)") || text.contains("lacks") || text.contains("not"),
        "{text}"
    );
}

#[test]
fn what_is_not_there_is_refused() {
    let mut playground = fresh();
    for (domain, problem, expected) in [
        (
            "blocs",
            "train/01",
            "Unknown: there is no domain `blocs`; did you mean `blocks`?",
        ),
        ("blocks", "train/99", "Unknown: blocks has no problem `train/99`"),
        (
            "rddl/elevator",
            "1",
            "Unknown: there is no bundled environment `rddl/elevator`",
        ),
        ("../../etc", "passwd", "Unknown: there is no domain"),
    ] {
        let request = Request::Look(position(&bundled(domain, problem), 0, &[]));
        let said = refusal(playground.reply(&request));
        assert!(said.starts_with(expected), "{said}");
    }
    let said = refusal(playground.reply(&Request::Look(position(
        &bundled("blocks", "train/01"),
        0,
        &vec![vec!["(noop)".to_owned()]; 2001],
    ))));
    assert_eq!(said, "Limit: a walk can have at most 2000 steps here");
}

#[test]
fn plans_lead_to_the_goal() {
    for (domain, problem) in [
        ("sokoban", "train/03"),
        ("blocks", "test/02"),
        ("gripper", "train/02"),
    ] {
        let problem = bundled(domain, problem);
        let mut playground = fresh();
        let Reply::Plan(SuggestedPlan { steps, text }) =
            playground.reply(&Request::Plan(position(&problem, 0, &[])))
        else {
            panic!("{domain}");
        };
        assert!(text.contains("steps"), "{text}");
        let view = look(&mut playground, &position(&problem, 0, &steps));
        assert_eq!(view.status, EpisodeStatus::Goal, "{domain}");
        assert!(view.goal.iter().all(|part| part.satisfied));
        // A hint is the first of these steps.
        let Reply::Plan(SuggestedPlan { steps: hint, .. }) =
            playground.reply(&Request::Hint(position(&problem, 0, &[])))
        else {
            panic!("{domain}");
        };
        assert_eq!(hint, steps[..1]);
    }
}

#[test]
fn a_walk_has_the_cost_of_its_metric() {
    let road =
        "(define (domain road) (:requirements :action-costs) (:predicates (there)) (:functions (total-cost))
        (:action go :effect (and (there) (increase (total-cost) 2.5))))";
    let problem = |metric: &str| {
        let text = format!(
            "(define (problem one) (:domain road) (:init (= (total-cost) 0)) (:goal (there)) {metric})"
        );
        texts(road, &text)
    };
    let cost = |metric: &str, steps: usize| {
        let walk = vec![vec!["(go)".to_owned()]; steps];
        look(&mut fresh(), &position(&problem(metric), 0, &walk)).cost
    };
    let metric = "(:metric minimize (total-cost))";
    assert_eq!(
        [0, 1, 2].map(|steps| cost(metric, steps)),
        [Some(0.0), Some(2.5), Some(5.0)]
    );
    assert_eq!(cost("", 1), None);
    assert_eq!(cost("(:metric maximize (total-cost))", 1), None);
}

#[test]
fn off_the_stored_plan_a_planner_looks() {
    let problem = bundled("blocks", "test/02");
    let mut playground = fresh();
    let mut walk = Vec::<JointTexts>::new();
    let mut planned = false;
    // A random walk eventually leaves the states of the stored plan.
    for step in 0..10 {
        let view = look(&mut playground, &position(&problem, 0, &walk));
        let action = &view.actions[(7 * step + 3) % view.actions.len()];
        walk.push(vec![action.text.clone()]);
        let Reply::Plan(SuggestedPlan { steps, text }) =
            playground.reply(&Request::Plan(position(&problem, 0, &walk)))
        else {
            panic!("{walk:?}");
        };
        planned |= text.starts_with("The planner");
        let whole = [walk.clone(), steps].concat();
        assert_eq!(
            look(&mut playground, &position(&problem, 0, &whole)).status,
            EpisodeStatus::Goal
        );
    }
    assert!(planned);
}

#[test]
fn plans_of_rddl_are_steps_that_can_be_taken() {
    let problem = bundled("rddl/mountain-car", "1");
    let mut playground = fresh();
    let Reply::Plan(SuggestedPlan { steps, text }) =
        playground.reply(&Request::Hint(position(&problem, 3, &[])))
    else {
        panic!("there is a plan");
    };
    assert!(text.starts_with("Roll-outs found"), "{text}");
    assert_eq!(look(&mut playground, &position(&problem, 3, &steps)).step, 1);
}

#[test]
fn an_action_to_explain_may_be_a_text_alone() {
    let mut playground = fresh();
    let mut ask = |action: &str| {
        let problem = r#"{"domain": "blocks", "problem": "train/01"}"#;
        playground.answer(&format!(
            r#"{{"ask": "explain", "problem": {problem}, "action": {action}}}"#
        ))
    };
    let answer = ask(r#"["(put-down)"]"#);
    assert!(answer.contains(r#""is":"why""#), "{answer}");
    assert_eq!(ask(r#""(put-down)""#), answer);
    let refused = ask("3");
    assert!(refused.contains("an action is a text such as"), "{refused}");
}

#[test]
fn an_action_that_is_never_valid_is_explained() {
    let domain = "(define (domain d) (:predicates (at ?x) (door ?x ?y))
        (:action move :parameters (?x ?y) :precondition (and (at ?x) (door ?x ?y)) :effect (and (at ?y) (not (at ?x)))))";
    let problem =
        "(define (problem p) (:domain d) (:objects hall attic) (:init (at hall)) (:goal (door hall attic)))";
    let ask = Request::Explain {
        position: position(&texts(domain, problem), 0, &[]),
        action: vec!["(move hall attic)".to_owned()],
    };
    let Reply::Why { text } = fresh().reply(&ask) else {
        panic!("no explanation");
    };
    assert_eq!(
        text,
        "(move hall attic) is never valid: (door hall attic) does not hold, and no action changes it"
    );
}

#[test]
fn a_plan_whose_steps_cannot_be_computed_is_none() {
    let domain = "domain d { types { o : object; };
        pvariables { x(o) : { state-fluent, real, default = 0.5 }; m(o) : { non-fluent, real, default = 0.0 };
            c(o, o) : { non-fluent, real, default = 1.0 }; act : { action-fluent, bool, default = false }; };
        cpfs { x'(?o) = MultivariateNormal[?o](m(_), c(_, _)); }; reward = 0; }";
    let instance = "non-fluents n { domain = d; objects { o : {a, b}; }; }
        instance i { domain = d; non-fluents = n; max-nondef-actions = 1; horizon = 4; discount = 1.0; }";
    let problem = texts(domain, instance);
    let Reply::Plan(SuggestedPlan { steps, text }) =
        fresh().reply(&Request::Plan(position(&problem, 0, &[])))
    else {
        panic!("no plan");
    };
    assert!(
        steps.is_empty() && text.contains("no steps that can all be computed"),
        "{text}"
    );
}
