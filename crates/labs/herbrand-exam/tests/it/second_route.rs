//! Wrong answers are found by the second route.

use std::collections::BTreeSet;

use herbrand_exam::{Checker, ExamError, ExamOptions, Form, Kind, Language, Question, make};
use herbrand_limits::Budget;
use herbrand_pddl::{Domain, Effect};
use herbrand_rddl::{Domain as RddlDomain, Expression, Range, Value};

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
            let checker = Checker::new(question.language, &question.domain_text, &question.problem_text)
                .expect("texts");
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
        domains: ["blocks", "ferry", "gripper"].map(str::to_owned).to_vec(),
        kinds: vec![Kind::Applicable, Kind::After, Kind::Gap, Kind::PlanFailure],
        ..options(40)
    };
    let made = make(&asked, &Budget::unlimited(), &|_| {}).expect("the answers agree");
    let mut found = BTreeSet::new();
    for question in &made {
        let mut domain = Domain::from_text(&question.domain_text).expect("a domain");
        for schema in &mut domain.schemas {
            if let Effect::And(parts) = &mut schema.effect {
                parts.retain(|part| !matches!(part, Effect::Delete(_)));
            }
        }
        let checker = Checker::new(Language::Pddl, &domain.to_pddl(), &question.problem_text).expect("texts");
        if checker.confirm(question).is_err() {
            found.insert(question.kind);
        }
    }
    assert!(found.len() > 1, "{found:?}");
}

/// Preconditions, rewards and transitions of another model give other answers.
#[test]
fn changed_models_in_rddl_are_found() {
    let own = || {
        questions()
            .iter()
            .filter(|question| question.language == Language::Rddl)
    };
    let fails = |question: &Question, change: &dyn Fn(&mut RddlDomain)| {
        let mut domain = RddlDomain::from_text(&question.domain_text).expect("a domain");
        change(&mut domain);
        let checker = Checker::new(Language::Rddl, &domain.to_rddl(), &question.problem_text);
        checker.is_ok_and(|checker| checker.confirm(question).is_err())
    };
    let mut found = BTreeSet::new();
    for question in own() {
        let is_found = match question.kind {
            Kind::RddlValid | Kind::RddlWhyNot => fails(question, &|domain| domain.preconditions.clear()),
            Kind::RddlReward => fails(question, &|domain| {
                domain.reward.body = Expression::literal(Value::Real(0.25), Range::Real);
            }),
            // Everything becomes false.
            _ => fails(question, &|domain| {
                for cpf in &mut domain.cpfs {
                    if domain.pvariables[cpf.head.index()].range == Range::Bool {
                        cpf.formula.body = Expression::literal(Value::Bool(false), Range::Bool);
                    }
                }
            }),
        };
        if is_found {
            found.insert(question.kind);
        }
    }
    assert_eq!(
        found.len(),
        own().map(|question| question.kind).collect::<BTreeSet<_>>().len(),
        "{found:?}"
    );
}
