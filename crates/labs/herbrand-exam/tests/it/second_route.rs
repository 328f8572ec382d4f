//! Wrong answers are found by the second route.

use std::collections::BTreeSet;

use herbrand_exam::{Checker, ExamError, ExamOptions, Form, Kind, Question, make};
use herbrand_limits::Budget;
use herbrand_pddl::{Domain, Effect};

use crate::{options, questions};

/// Returns the question with every other answer that its form allows.
fn wrong_answers(question: &Question) -> Vec<Question> {
    let with = |answer: &str| Question {
        answer: answer.to_owned(),
        ..question.clone()
    };
    let others: Vec<Question> = match question.form {
        Form::YesNo => ["yes", "no"].into_iter().map(with).collect(),
        Form::Choice => ["A", "B", "C", "D"].into_iter().map(with).collect(),
        Form::Number => (1..9).map(|number| with(&number.to_string())).collect(),
        Form::Action => {
            let mut fewer = question.clone();
            fewer.accepted.pop();
            let mut more = question.clone();
            more.accepted.extend(question.subject.actions.first().cloned());
            vec![fewer, more]
        }
        Form::Plan => {
            let mut shorter = question.clone();
            shorter.subject.actions.pop();
            vec![shorter]
        }
    };
    others.into_iter().filter(|other| other != question).collect()
}

#[test]
fn wrong_answers_are_found() {
    for kind in Kind::ALL {
        for question in questions()
            .iter()
            .filter(|question| question.kind == kind)
            .take(6)
        {
            let checker = Checker::new(&question.domain_pddl, &question.problem_pddl).expect("texts");
            checker.confirm(question).expect("the answer is right");
            for wrong in wrong_answers(question) {
                let found = checker.confirm(&wrong).expect_err("the answer is wrong");
                let is_found = matches!(found, ExamError::Disagreement { .. } | ExamError::NoAnswer { .. });
                assert!(is_found, "{found}");
            }
        }
    }
}

/// An engine that forgets deletes gives other answers.
#[test]
fn forgotten_deletes_are_found() {
    let asked = ExamOptions {
        domains: vec!["blocks".to_owned()],
        kinds: vec![Kind::Applicable, Kind::After, Kind::Gap, Kind::PlanFailure],
        ..options(40)
    };
    let made = make(&asked, &Budget::unlimited(), &|_| {}).expect("the answers agree");
    let mut found = BTreeSet::new();
    for question in &made {
        let mut domain = Domain::from_text(&question.domain_pddl).expect("a domain");
        for schema in &mut domain.schemas {
            if let Effect::And(parts) = &mut schema.effect {
                parts.retain(|part| !matches!(part, Effect::Delete(_)));
            }
        }
        let checker = Checker::new(&domain.to_pddl(), &question.problem_pddl).expect("texts");
        if checker.confirm(question).is_err() {
            found.insert(question.kind);
        }
    }
    assert!(found.len() > 1, "{found:?}");
}
