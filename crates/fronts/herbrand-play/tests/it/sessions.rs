//! Sessions: steps by sentences, undo, plans, edits, limits, and no leaks between sessions.

use std::time::Duration;

use cpu_time::ThreadTime;
use herbrand_play::{
    EpisodeStatus, Language, Playground, ProblemName, Reason, RequestLimits, Session, SessionLimits, Sessions,
};
use proptest::prelude::*;

use super::{LAMPS, bundled, fresh, look, position, texts};

fn open(problem: &ProblemName) -> Session {
    Session::open(problem, None, 7, RequestLimits::default()).expect("the problem opens")
}

#[test]
fn a_problem_is_solved_in_sentences() {
    let mut session = open(&bundled("gripper", "train/01"));
    assert_eq!(session.language(), Language::Pddl);
    let plan = session.plan().expect("the planner runs");
    assert!(!plan.sentences.is_empty(), "{}", plan.text);
    let lines = plan.sentences.join("\n");
    let check = session.validate(&lines).expect("the plan is short");
    assert!(check.valid && check.steps == plan.steps.len(), "{check:?}");
    let cut = plan.sentences[1..].join("\n");
    let check = session.validate(&cut).expect("the plan is short");
    assert!(!check.valid && check.fault.is_some(), "{check:?}");

    for misspelt in ["flyy(gripper)", "drpo ball-1 in kitchen"] {
        let check = session
            .validate(&format!("{lines}\n{misspelt}\nThis works."))
            .expect("short");
        assert!(
            check
                .fault
                .is_some_and(|fault| fault.contains("no action is written")),
            "{misspelt}"
        );
    }

    let before = session.view();
    assert_eq!((before.status, before.step), (EpisodeStatus::Running, 0));
    for sentence in &plan.sentences {
        session.step(sentence).expect("the plan is valid");
    }
    let after = session.view();
    assert_eq!(after.status, EpisodeStatus::Goal);
    assert!(after.goal.iter().all(|part| part.satisfied));
    assert_eq!(session.undo(1000).expect("undone"), plan.steps.len());
    assert_eq!(session.view(), before);
}

#[test]
fn faults_of_actions_leave_the_session_as_it_was() {
    let mut session = open(&bundled("blocks", "train/01"));
    let before = session.view();
    for (text, expected) in [
        (
            "dance",
            "no action is written `dance` (unknown-action); actions are written `pick up <block> from the table`, ",
        ),
        ("(stack a zzz)", "there is no object `zzz` here (unknown-object)"),
        ("99999", "the listed actions have the numbers 1 to"),
        ("put block a down on the table", "is not valid"),
    ] {
        let refusal = session.step(text).expect_err("this is no valid action");
        assert!(
            refusal.kind == Reason::Step && refusal.message.contains(expected),
            "{text}: {refusal}"
        );
        assert_eq!(session.view(), before);
    }
    let why = session
        .why_not("put block a down on the table")
        .expect("it is an action");
    assert_eq!(
        why,
        "“put block a down on the table” is not valid: “the hand holds block a” does not hold"
    );
    let first = session.actions(1)[0].clone();
    let step = session.step("1").expect("the first action is valid");
    assert_eq!(step.action, [first.action]);
}

#[test]
fn an_edit_makes_texts_for_another_session() {
    let session = open(&bundled("blocks", "train/01"));
    let edits = serde_json::from_str::<Vec<herbrand_edit::Edit>>(
        r#"[{"edit": "add-object", "object": "zed", "type": "block"}]"#,
    );
    let edited = session.edited(&edits.expect("an edit")).expect("the edit fits");
    let other = open(&ProblemName::Texts { texts: edited });
    assert!(other.texts().expect("it has texts").problem.contains("zed"));
    let bad =
        serde_json::from_str::<Vec<herbrand_edit::Edit>>(r#"[{"edit": "delete-object", "object": "zed"}]"#);
    assert!(session.edited(&bad.expect("an edit")).is_err());
    assert!(session.draw().expect("it is drawn").is_some());
}

#[test]
fn a_domain_under_edit_is_played_in_the_words_of_its_edits() {
    let mut session = open(&bundled("pddlworld@target", "light-switch"));
    assert_eq!(session.status(), EpisodeStatus::Goal);
    let forms = session.action_forms();
    assert_eq!(
        forms[1],
        "effect turn-on <(on) or (lit)> <positive or absent or negative>"
    );
    let whole = session.text();
    assert!(whole.contains("(effect turn-on (lit)) = positive."), "{whole}");
    let step = session.step("Effect turn-on (lit) absent").expect("an edit");
    assert!(
        step.text
            .contains("(effect turn-on (lit)) = positive no longer holds"),
        "{}",
        step.text
    );
    assert_eq!(session.status(), EpisodeStatus::Running);
    let refusal = session
        .step("effect turn-on (lit) absent")
        .expect_err("nothing changes");
    assert_eq!(refusal.kind, Reason::Step);
    let refusal = session.step("dance").expect_err("no edit");
    assert!(refusal.message.contains("unknown-action"), "{refusal}");
    let first = session.actions(1)[0].action.clone();
    assert_eq!(session.read("1"), Ok(vec![first]));
    assert_eq!(
        session.goal_text(),
        "the model behaves like the target in every state"
    );
    assert_eq!(session.undo(5).expect("undone"), 1);
    assert_eq!(session.text(), whole);
    assert!(session.draw().expect("it is drawn").is_some());
    for (domain, problem) in [
        ("pddlworld/blocks@most", "train/01"),
        ("pddlworld/casino", "train/01"),
        ("pddlworld/blokcs", "train/01"),
        ("pddlworld/blocks", "no/01"),
        ("pddlworldly", "train/01"),
        ("pddlworld", "train/01"),
    ] {
        let opened = Session::open(&bundled(domain, problem), None, 7, RequestLimits::default());
        assert!(opened.is_err(), "{domain} {problem}");
    }
}

/// Each of many ways through a long walk agrees with a fresh session that takes the same steps.
#[test]
fn costs_and_goals_agree_with_a_fresh_session() {
    let domain = "(define (domain toll) (:requirements :typing :action-costs) (:types place)
        (:predicates (at ?p - place) (way ?a ?b - place) (seen ?p - place))
        (:functions (total-cost) - number (price ?a ?b - place) - number)
        (:action go :parameters (?a ?b - place) :precondition (and (at ?a) (way ?a ?b))
          :effect (and (at ?b) (not (at ?a)) (seen ?b) (increase (total-cost) (price ?a ?b)))))";
    let problem = "(define (problem p) (:domain toll) (:objects a b c - place)
        (:init (at a) (way a b) (way b c) (way c a) (way b a) (= (total-cost) 0)
          (= (price a b) 1) (= (price b c) 10) (= (price c a) 100) (= (price b a) 1000))
        (:goal (and (at c) (seen a))) (:metric minimize (total-cost)))";
    let name = texts(domain, problem);
    let mut session = open(&name);
    // A walk longer than the states that are kept for going back.
    for round in 0..150usize {
        let actions = session.actions(9);
        session
            .step(&actions[round % actions.len()].action)
            .expect("it is valid");
        if round % 3 == 0 {
            drop(session.view());
        }
        if round % 47 == 46 {
            session
                .undo(round % 20 + usize::from(round > 100) * 70)
                .expect("undone");
        }
        let mut fresh = session.fork(7).expect("it begins");
        for joint in session.steps().to_vec() {
            fresh.take(joint).expect("it was valid");
        }
        assert_eq!(session.view(), fresh.view(), "round {round}");
        let plan: Vec<_> = session.steps().iter().map(|joint| joint.concat()).collect();
        let (executed, check) = session.execute(&plan.join("\n")).expect("it was valid");
        assert_eq!((executed.view(), check.steps), (session.view(), plan.len()));
        assert_eq!(
            executed.observed_changes(),
            fresh.observed_changes(),
            "round {round}"
        );
    }
    assert!(session.view().cost.is_some_and(|cost| cost > 1000.0));
}

#[test]
fn a_table_of_sentences_comes_with_the_problem() {
    let problem = texts(
        LAMPS,
        "(define (problem p) (:domain lamps) (:objects a b) (:init (on a)) (:goal (on b)))",
    );
    let table = "[facts]\non = \"{x} shines\"";
    let session = Session::open(&problem, Some(table), 0, RequestLimits::default()).expect("the table fits");
    assert_eq!(
        (session.text(), session.goal_text()),
        ("A shines.".to_owned(), "b shines".to_owned())
    );
    let faulty = Session::open(
        &problem,
        Some("[facts]\nonn = \"{x}\""),
        0,
        RequestLimits::default(),
    );
    let refusal = faulty.err().expect("the table is faulty");
    assert_eq!(
        (refusal.findings.len(), refusal.findings[0].code.as_str()),
        (1, "T0002")
    );
}

#[test]
fn sessions_have_limits() {
    let limits = SessionLimits {
        sessions: 2,
        idle: Duration::from_millis(30),
        ..SessionLimits::default()
    };
    let sessions = Sessions::new(limits);
    let blocks = bundled("blocks", "train/01");
    let one = sessions.open(&blocks, None, 0).expect("there is room");
    let two = sessions.fork(one, 0).expect("there is room");
    assert!(one != two && one.to_string().parse() == Ok(one));
    assert_eq!(
        sessions
            .open(&blocks, None, 0)
            .expect_err("there is no room")
            .kind,
        Reason::Limit
    );
    assert!(sessions.close(two) && !sessions.close(two));
    std::thread::sleep(Duration::from_millis(60));
    let refusal = sessions
        .with(one, |session| Ok(session.view()))
        .expect_err("it was idle");
    assert_eq!((refusal.kind, sessions.len()), (Reason::Unknown, 0));

    let small = Sessions::new(SessionLimits {
        bytes: 1 << 20,
        ..SessionLimits::default()
    });
    let opened = (0..1000)
        .take_while(|_| small.open(&blocks, None, 0).is_ok())
        .count();
    assert!((10..200).contains(&opened), "{opened}");
    for text in [
        "",
        "0",
        "../../etc/passwd",
        "00000000000000000000000000000000",
        "+0000000000000000000000000000000",
    ] {
        let known = text.parse().map(|id| small.with(id, |_| Ok(())).is_ok());
        assert!(!known.unwrap_or(false), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    /// Each of two sessions that take turns is in the state of a playground after the session's own steps.
    #[test]
    fn sessions_agree_with_walks_from_the_start(
        domain in prop::sample::select(vec![("blocks", "train/01"), ("tireworld", "train/01"), ("rddl/sysadmin-mdp", "1"), ("pddlworld/blocks@3", "train/01")]),
        calls in prop::collection::vec((0..2usize, 0..8usize, any::<prop::sample::Index>()), 1..14),
    ) {
        let problem = bundled(domain.0, domain.1);
        let sessions = Sessions::new(SessionLimits::default());
        let ids = [1, 2].map(|seed| (seed, sessions.open(&problem, None, seed).expect("it opens")));
        for (which, call, index) in calls {
            let (_, id) = ids[which];
            sessions.with(id, |session| {
                let actions = session.actions(100);
                match call {
                    0 => drop(session.undo(index.index(3))?),
                    1 => drop(session.step("nonsense")),
                    2 => drop(session.validate("nonsense")?),
                    _ if !actions.is_empty() => {
                        let action = &actions[index.index(actions.len())];
                        let text = if call % 2 == 0 { action.text.clone() } else { action.number.to_string() };
                        session.step(&text)?;
                    }
                    _ => {}
                }
                Ok(())
            }).expect("no call fails");
        }
        let mut playground: Playground = fresh();
        for (seed, id) in ids {
            let (view, steps) = sessions.with(id, |session| Ok((session.view(), session.steps().to_vec()))).expect("it is open");
            let alone = look(&mut playground, &position(&problem, seed, &steps));
            prop_assert_eq!(view.facts, alone.facts);
            prop_assert_eq!((view.step, view.reward, view.status), (alone.step, alone.reward, alone.status));
        }
    }
}

/// Prints the CPU time of calls of mid-sized problems, at the start and after a long walk.
#[test]
#[ignore = "a measurement"]
fn latency() {
    let sessions = Sessions::new(SessionLimits::default());
    for (domain, problem) in [
        ("rddl/elevators", "5"),
        ("pddlworld/blocks@3", "train/01"),
        ("depot", "test/10"),
    ] {
        let id = sessions
            .open(&bundled(domain, problem), None, 0)
            .expect("it opens");
        for steps in [0, 300] {
            let walked = sessions.with(id, |session| {
                for number in 0..steps {
                    let actions = session.actions(9);
                    if actions.is_empty() || session.step(&actions[number % actions.len()].action).is_err() {
                        break;
                    }
                }
                let view = session.view();
                Ok((view.step, view.fact_count, view.action_count))
            });
            println!("{domain} {problem}; steps, facts and valid actions: {walked:?}");
            let time = |name: &str, call: &dyn Fn(&mut Session)| {
                let mut times: Vec<_> = (0..1000)
                    .map(|_| {
                        let start = ThreadTime::now();
                        let called = sessions.with(id, |session| {
                            call(session);
                            Ok(())
                        });
                        called.expect("it is open");
                        start.elapsed().as_secs_f64() * 1e6
                    })
                    .collect();
                times.sort_by(f64::total_cmp);
                println!(
                    "  {name}: median {:.0} µs, 99th percentile {:.0} µs",
                    times[500], times[990]
                );
            };
            let plan = sessions.with(id, |session| {
                let steps = session.steps().iter().take(20).map(|joint| joint.join("; "));
                Ok(steps.collect::<Vec<_>>().join("\n"))
            });
            let plan = plan.expect("it is open");
            time("view", &|session| drop(session.view()));
            time("text", &|session| drop(session.text()));
            time("goal", &|session| drop(session.goal_text()));
            time("actions", &|session| drop(session.actions(100)));
            time("why not", &|session| {
                drop(session.why_not("drive truck0 from depot0 to depot0"))
            });
            time("step and undo", &|session| {
                if let Some(action) = session.actions(1).first() {
                    drop(session.step(&action.text).and_then(|_| session.undo(1)));
                }
            });
            time("validate 20 steps", &|session| drop(session.validate(&plan)));
            time("ground", &|session| drop(session.grounding(50)));
            time("draw", &|session| drop(session.draw()));
            time("fork", &|session| drop(session.fork(3)));
        }
    }
}

/// Ten thousand sessions of a mid-sized problem, each with a step, take less than a gibibyte.
#[test]
#[ignore = "takes long"]
fn ten_thousand_sessions_fit_in_a_gibibyte() {
    let limits = SessionLimits {
        sessions: 10_000,
        bytes: 1 << 30,
        ..SessionLimits::default()
    };
    let sessions = Sessions::new(limits);
    let first = sessions
        .open(&bundled("depot", "test/10"), None, 0)
        .expect("it opens");
    let mut ids = vec![first];
    ids.extend((1..10_000).map(|seed| sessions.fork(first, seed).expect("there is room")));
    for &id in &ids {
        let stepped = sessions.with(id, |session| session.step("1"));
        stepped.expect("the first action is valid");
    }
    // All of them live, each in its own state.
    for &id in &ids {
        let view = sessions.with(id, |session| Ok(session.view()));
        assert_eq!(view.expect("it is open").step, 1);
    }
    let memory = memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem);
    println!("{} sessions; the process has {memory} bytes", sessions.len());
    assert!(memory < 1 << 30, "{memory} bytes");
    assert!(sessions.fork(first, 1).is_err(), "the limit is reached");
}
