//! The internals of a problem.

use herbrand_play::{Internals, Playground, ProblemName, Reply, Request, RequestLimits, Section};

use crate::{DARK, LAMPS, bundled, fresh, texts};

fn inside(request: &Request) -> (Vec<(String, u64)>, Vec<Section>) {
    match fresh().reply(request) {
        Reply::Inside(Internals { counts, sections }) => (counts, sections),
        other => panic!("{other:?}"),
    }
}

fn ground(problem: ProblemName) -> Request {
    Request::Ground { problem }
}

#[test]
fn a_ground_task_is_listed() {
    let (counts, sections) = inside(&ground(texts(LAMPS, DARK)));
    let count = |name: &str| {
        counts
            .iter()
            .find(|(own, _)| own == name)
            .map(|&(_, count)| count)
    };
    assert_eq!((count("atoms"), count("actions")), (Some(2), Some(3)));
    let section = |title: &str| {
        sections
            .iter()
            .find(|section| section.title == title)
            .expect("it is there")
    };
    assert_eq!(section("actions").lines, ["(light a)", "(light b)", "(swap a b)"]);
    assert!(
        section("in full")
            .lines
            .iter()
            .any(|line| line.contains("goal (on a) (on b)"))
    );
}

#[test]
fn axioms_are_rules() {
    let (_, sections) = inside(&ground(bundled("blocks-derived", "train/01")));
    let axioms = sections
        .iter()
        .find(|section| section.title == "axioms")
        .expect("there are axioms");
    assert!(
        axioms.lines.iter().all(|line| line.contains(" <-")),
        "{:?}",
        axioms.lines
    );
}

#[test]
fn a_datalog_program_is_listed() {
    let (_, sections) = inside(&Request::Datalog {
        problem: texts(LAMPS, DARK),
    });
    assert!(
        sections[0]
            .lines
            .iter()
            .any(|rule| rule.contains("swap") && rule.contains("near")),
        "{sections:?}"
    );
    let (counts, _) = inside(&Request::Datalog {
        problem: bundled("rddl/sysadmin-mdp", "1"),
    });
    assert!(
        counts.iter().any(|(name, count)| name == "rules" && *count > 0),
        "{counts:?}"
    );
}

#[test]
fn fluents_of_rddl_are_listed() {
    let (counts, sections) = inside(&ground(bundled("rddl/elevators", "1")));
    assert!(
        counts
            .iter()
            .any(|(name, count)| name == "state fluents" && *count > 0)
    );
    assert!(
        sections
            .iter()
            .all(|section| section.lines.len() == section.count)
    );
}

#[test]
fn no_more_is_listed_than_allowed() {
    let allowance = RequestLimits {
        listed: 2,
        ..RequestLimits::default()
    };
    let reply = Playground::new(allowance).reply(&ground(texts(LAMPS, DARK)));
    let Reply::Inside(Internals { sections, .. }) = reply else {
        panic!("{reply:?}");
    };
    let actions = sections
        .iter()
        .find(|section| section.title == "actions")
        .expect("it is there");
    assert_eq!((actions.lines.len(), actions.count), (2, 3));
}
