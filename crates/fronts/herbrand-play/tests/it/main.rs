//! Requests and their replies.

mod agents;
mod assist;
mod hostile;
mod inside;
mod playthrough;
mod sessions;
mod texts;
mod traces;
mod walks;

use herbrand_play::{
    JointTexts, Playground, PositionView, ProblemName, Reply, Request, RequestLimits, Texts, WalkPosition,
};

/// A bundled problem.
fn bundled(domain: &str, problem: &str) -> ProblemName {
    ProblemName::Bundled {
        domain: domain.to_owned(),
        problem: problem.to_owned(),
    }
}

/// A problem given by its texts.
fn texts(domain: &str, problem: &str) -> ProblemName {
    ProblemName::Texts {
        texts: Texts {
            domain: domain.to_owned(),
            problem: problem.to_owned(),
            settings: String::new(),
        },
    }
}

fn position(problem: &ProblemName, seed: u64, walk: &[JointTexts]) -> WalkPosition {
    WalkPosition {
        problem: problem.clone(),
        seed,
        walk: walk.to_vec(),
    }
}

/// A playground with an empty cache.
fn fresh() -> Playground {
    Playground::new(RequestLimits::default())
}

fn look(playground: &mut Playground, position: &WalkPosition) -> PositionView {
    match playground.reply(&Request::Look(position.clone())) {
        Reply::View(view) => *view,
        other => panic!("{position:?}: {other:?}"),
    }
}

/// Returns the kind and the message of a refusal.
fn refusal(reply: Reply) -> String {
    match reply {
        Reply::Refused(refusal) => format!("{:?}: {}", refusal.kind, refusal.message),
        other => panic!("this was not refused: {other:?}"),
    }
}

const LAMPS: &str = "(define (domain lamps) (:requirements :strips :negative-preconditions) (:predicates (on ?x) (near ?x ?y))
  (:action light :parameters (?x) :precondition (not (on ?x)) :effect (on ?x))
  (:action swap :parameters (?x ?y) :precondition (and (on ?x) (not (on ?y)) (near ?x ?y))
    :effect (and (on ?y) (not (on ?x)))))";

const DARK: &str =
    "(define (problem dark) (:domain lamps) (:objects a b) (:init (near a b)) (:goal (and (on a) (on b))))";
