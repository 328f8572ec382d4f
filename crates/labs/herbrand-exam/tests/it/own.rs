//! Exams about a domain of one's own, their printed sheets, and the reasons that grades give.

use std::sync::OnceLock;

use herbrand_exam::{
    ExamError, ExamOptions, Form, Kind, OwnDomain, Question, SheetFormat, answer_sheet, judge, make,
    question_sheet,
};
use herbrand_limits::Budget;

use crate::questions;

const DOMAIN: &str = "(define (domain post) (:requirements :strips :typing)
    (:types house letter - object)
    (:predicates (road ?a ?b - house) (carrier-at ?h - house) (lies ?l - letter ?h - house) (has ?l - letter))
    (:action walk :parameters (?a ?b - house)
     :precondition (and (carrier-at ?a) (road ?a ?b)) :effect (and (carrier-at ?b) (not (carrier-at ?a))))
    (:action take :parameters (?l - letter ?h - house)
     :precondition (and (carrier-at ?h) (lies ?l ?h)) :effect (and (has ?l) (not (lies ?l ?h))))
    (:action leave :parameters (?l - letter ?h - house)
     :precondition (and (carrier-at ?h) (has ?l)) :effect (and (lies ?l ?h) (not (has ?l)))))";

const PROBLEM: &str = "(define (problem round) (:domain post)
    (:objects h1 h2 h3 h4 - house l1 l2 l3 - letter)
    (:init (road h1 h2) (road h2 h1) (road h2 h3) (road h3 h2) (road h3 h4) (road h4 h3) (road h4 h1) (road h1 h4)
           (carrier-at h1) (lies l1 h1) (lies l2 h2) (lies l3 h3))
    (:goal (and (lies l1 h3) (lies l2 h4) (lies l3 h2))))";

const SENTENCES: &str = "[actions]\nwalk = \"stroll from {a} over to {b}\"\n";

fn own(domain: &str, problems: &[&str]) -> ExamOptions {
    ExamOptions {
        count: 24,
        own: Some(OwnDomain {
            name: "my/post".to_owned(),
            domain: domain.to_owned(),
            problems: problems.iter().map(|&text| text.to_owned()).collect(),
            sentences: SENTENCES.to_owned(),
        }),
        ..ExamOptions::default()
    }
}

/// Returns questions about the domain above.
fn post() -> &'static [Question] {
    static QUESTIONS: OnceLock<Vec<Question>> = OnceLock::new();
    let made = || make(&own(DOMAIN, &[PROBLEM]), &Budget::unlimited(), &|_| {});
    QUESTIONS.get_or_init(|| made().expect("the answers agree"))
}

#[test]
fn questions_are_about_the_domain_alone() {
    assert_eq!(post().len(), 24);
    let kinds: std::collections::BTreeSet<_> = post().iter().map(|question| question.kind).collect();
    assert!(kinds.len() > 6 && kinds.contains(&Kind::Probability), "{kinds:?}");
    for question in post() {
        assert_eq!(question.domain, "my/post");
        assert!(
            question.question.contains("stroll from "),
            "{}",
            question.question
        );
        assert!(!question.id.contains('/'), "{}", question.id);
    }
    let plan = post()
        .iter()
        .find(|question| question.form == Form::Plan)
        .expect("a plan");
    let sentences = plan
        .answer
        .replace("(walk ", "(stroll from ")
        .replace(['(', ')'], "");
    let words: Vec<String> = sentences
        .lines()
        .map(|line| {
            match line
                .strip_prefix("stroll from ")
                .and_then(|rest| rest.split_once(' '))
            {
                Some((from, to)) => format!("stroll from house {from} over to house {to}"),
                None => format!("({line})"),
            }
        })
        .collect();
    let verdict = judge(plan, &words.join("\n"));
    assert!(verdict.right, "{verdict:?}");
}

#[test]
fn faults_are_told_at_once() {
    let numbers = DOMAIN.replace("(:action walk", "(:functions (weight ?l - letter)) (:action walk");
    let unknown = PROBLEM
        .replace("(has ?", "(haz ?")
        .replace("(carrier-at h1)", "(carrier-in h1)");
    let error = make(
        &own(&numbers, &[&unknown, PROBLEM, "("]),
        &Budget::unlimited(),
        &|_| {},
    );
    let text = match error.expect_err("faults") {
        ExamError::Problem { problem, reason } => format!("{problem}: {reason}"),
        other => other.to_string(),
    };
    for part in ["my/post: ", "with numbers", "problem 1: ", "problem 3: "] {
        assert!(text.contains(part), "{text}");
    }
}

/// The post has 500 states.
#[test]
fn a_shortage_says_what_the_questions_need() {
    for (kind, need) in [
        (
            Kind::Landmark,
            "these questions need problems with at most 400 reachable states",
        ),
        (Kind::RddlAfter, "these questions are about domains in RDDL"),
    ] {
        let options = ExamOptions {
            kinds: vec![kind],
            ..own(DOMAIN, &[PROBLEM])
        };
        let error = make(&options, &Budget::unlimited(), &|_| {})
            .expect_err("a shortage")
            .to_string();
        assert!(
            error.contains("only 0 of 24 questions") && error.contains(need),
            "{error}"
        );
    }
}

/// A wrong answer has a reason, and the reason names what is wrong.
#[test]
fn wrong_answers_have_reasons() {
    let mut told = 0;
    for question in questions().iter().chain(post()) {
        let other = match question.form {
            Form::YesNo => if question.answer == "yes" { "no" } else { "yes" }.to_owned(),
            Form::Choice => if question.answer == "A" { "B" } else { "A" }.to_owned(),
            Form::Number => "99".to_owned(),
            Form::Action | Form::Plan => continue,
        };
        let fault = judge(question, &other).fault.expect("the answer is wrong");
        let expected = format!("the right answer is {}", question.answer);
        let reason = fault.strip_prefix(&expected).expect("the right answer");
        let part = match question.kind {
            Kind::PlanValid if question.answer == "yes" => ": the goal holds at the end",
            Kind::PlanValid | Kind::PlanFailure => " cannot be carried out: ",
            Kind::WhyNot => ": even then, ",
            Kind::Applicable => "not valid: ",
            Kind::After => "that",
            _ => {
                assert_eq!(reason, "", "{}", question.kind);
                continue;
            }
        };
        assert!(
            reason.contains(part) || reason.contains("does not hold at the end"),
            "{fault}"
        );
        told += 1;
    }
    assert!(told > 30, "{told}");
}

#[test]
fn sheets_have_all_questions_and_answers_apart() {
    for format in [SheetFormat::Html, SheetFormat::Markdown] {
        let [asked, answered] = [question_sheet(post(), format), answer_sheet(post(), format)];
        for question in post() {
            assert!(asked.contains(&question.id) && answered.contains(&question.id));
        }
        let choice = post()
            .iter()
            .find(|question| question.form == Form::Choice)
            .expect("a choice");
        let asked_for = choice.question.lines().next().expect("a line");
        assert!(asked.contains(asked_for) && !answered.contains(asked_for));
        let right = format!("\n{}. ", choice.answer);
        assert!(answered.replace("<pre>", "\n").contains(&right), "{answered}");
    }
}
