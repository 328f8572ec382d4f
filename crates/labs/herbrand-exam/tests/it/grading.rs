//! Grading answers.

use herbrand_exam::{Answer, Form, Question, grade, judge};
use proptest::prelude::*;

use crate::{COUNT, questions};

fn right_answers() -> Vec<Answer> {
    let answer = |question: &Question| Answer {
        id: question.id.clone(),
        answer: question.answer.clone(),
    };
    questions().iter().map(answer).collect()
}

fn of_form(form: Form) -> &'static Question {
    let mut all = questions().iter();
    all.find(|question| question.form == form).expect("a question")
}

#[test]
fn right_answers_are_right() {
    let grades = grade(questions(), &right_answers()).expect("all ids are known");
    let wrong: Vec<_> = grades.verdicts.iter().filter(|verdict| !verdict.right).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!((grades.total.answers, grades.total.right), (COUNT, COUNT));
    assert!(grades.table().contains("plan-valid") && grades.html().contains("<td>all</td>"));
    let widths: std::collections::BTreeSet<_> = grades.table().lines().map(str::len).collect();
    assert_eq!(widths.len(), 1, "{}", grades.table());
}

#[test]
fn faults_of_ids_are_told_at_once() {
    let mut answers = right_answers();
    answers.push(answers[0].clone());
    answers.push(Answer {
        id: "nothing".to_owned(),
        answer: String::new(),
    });
    let faults = grade(questions(), &answers).expect_err("faults");
    assert_eq!(
        faults,
        [
            format!("the question `{}` has several answers", answers[0].id),
            "there is no question `nothing`".to_owned(),
        ]
    );
}

/// A question about a probability takes a rounded number, says so, and says why another one is wrong.
#[test]
fn rounded_numbers_are_right_if_no_other_choice_is_near() {
    let mut asked = questions().iter();
    let question = asked.find(|question| question.kind == herbrand_exam::Kind::Probability);
    let mut question = question.expect("a question").clone();
    assert!(
        question
            .question
            .contains("The number may be rounded if no other choice"),
        "{}",
        question.question
    );
    question.choices = ["0.495625", "0.250000", "0.000000", "1.000000"]
        .map(str::to_owned)
        .to_vec();
    question.answer = "A".to_owned();
    for (answer, read, right) in [
        ("A", Some("A"), true),
        ("Answer: 0.496", Some("A"), true),
        ("0.50", Some("A"), true),
        ("50 %", Some("A"), true),
        ("25%", Some("B"), false),
        ("0.5", Some("A"), true),
        ("0.497", None, false),
    ] {
        let verdict = judge(&question, answer);
        assert_eq!(
            (verdict.read.as_deref(), verdict.right),
            (read, right),
            "{answer}: {verdict:?}"
        );
        assert_eq!(verdict.fault.is_some(), !right);
    }
}

/// Questions may be named by their numbers.
#[test]
fn answers_may_have_numbers() {
    let numbered = (1..).zip(questions()).map(|(number, question)| {
        let answer = question.answer.replace('\n', "; ");
        if number % 2 == 0 {
            format!("{number}. {answer}")
        } else {
            format!("{number}){answer}")
        }
    });
    let text = numbered.collect::<Vec<_>>().join("\n");
    let answers = herbrand_exam::read_answers("ann.txt", &text).expect("answers");
    assert_eq!(grade(questions(), &answers).expect("known").total.right, COUNT);
    let json: Vec<Answer> =
        herbrand_exam::read_lines("ann.jsonl", r#"{"id": 3, "answer": "B"}"#).expect("an answer");
    assert_eq!(json[0].id, "3");
}

#[test]
fn blank_answers_are_wrong_and_counted() {
    let mut answers = right_answers();
    answers.remove(0);
    answers[0].answer = " \n".to_owned();
    answers[1].answer = "Answer: ".to_owned();
    let grades = grade(questions(), &answers).expect("blanks are no faults");
    assert_eq!(
        (grades.blank, grades.total.right, grades.total.unread),
        (3, COUNT - 3, 3)
    );
    let blank = &grades.verdicts[0];
    assert_eq!(
        (blank.read.as_deref(), blank.fault.as_deref()),
        (None, Some("no answer"))
    );
    for line in [r#"{"id":"a","answer":null}"#, r#"{"id":"a"}"#] {
        let read: Vec<Answer> = herbrand_exam::read_lines("answers", line).expect("a blank answer");
        assert_eq!(read[0].answer, "");
    }
}

#[test]
fn sheets_of_answers_have_reasons() {
    let sheet = herbrand_exam::answer_sheet(questions(), herbrand_exam::SheetFormat::Markdown);
    assert!(sheet.contains("\n## Question 2\n"), "{sheet}");
    for (kind, part) in [
        (herbrand_exam::Kind::PlanFailure, "cannot be carried out: "),
        (herbrand_exam::Kind::Applicable, "\nNot "),
        (herbrand_exam::Kind::After, "\nNot "),
    ] {
        let question = questions()
            .iter()
            .find(|question| question.kind == kind)
            .expect("a question");
        let (answer, _) = sheet
            .split_once(&format!("`{}`", question.id))
            .expect("its answer");
        let (_, answer) = answer.rsplit_once("```text\n").expect("a block");
        assert!(answer.contains(part), "{kind}: {answer}");
    }
}

#[test]
fn answers_are_read_tolerantly() {
    let read = |question: &Question, text: &str| judge(question, text).read;
    let question = of_form(Form::YesNo);
    for text in [
        "Yes.",
        "I think so.\nAnswer: yes",
        "**Answer:** Yes, it does",
        "answer: TRUE",
    ] {
        assert_eq!(read(question, text).as_deref(), Some("yes"), "{text}");
    }
    assert_eq!(
        judge(question, "yes or no").fault.as_deref(),
        Some("the answer is both yes and no")
    );
    assert_eq!(
        judge(question, "maybe").fault.as_deref(),
        Some("the answer is neither yes nor no")
    );
    let question = of_form(Form::Choice);
    let third = format!("Answer: C. {}", question.choices[2]);
    let texts = [
        "c",
        "(C)",
        "C.",
        "option c",
        "Answer: C",
        third.as_str(),
        question.choices[2].as_str(),
    ];
    for text in texts {
        assert_eq!(read(question, text).as_deref(), Some("C"), "{text}");
    }
    assert_eq!(read(question, "a block is there"), None);
    let question = of_form(Form::Number);
    assert_eq!(read(question, "Answer: step 03").as_deref(), Some("3"));
    assert_eq!(read(question, "3 or 4"), None);
}

#[test]
fn plans_are_carried_out() {
    let question = of_form(Form::Plan);
    let steps: Vec<_> = question.answer.lines().collect();
    let numbered: Vec<_> = (1..)
        .zip(&steps)
        .map(|(number, step)| format!("{number}. {step}"))
        .collect();
    assert!(judge(question, &format!("Answer:\n{}", numbered.join("\n"))).right);
    for between in [" ", ", ", " -> ", ", then "] {
        let line = steps.join(between);
        assert!(judge(question, &line).right, "{line}");
    }
    let short = steps[..steps.len() - 1].join("; ");
    let fault = judge(question, &short).fault.expect("it is too short");
    if short.is_empty() {
        assert_eq!(fault, "no answer");
    } else {
        assert!(
            fault.starts_with("the goal does not hold at the end: "),
            "{fault}"
        );
    }
    let twice = judge(
        question,
        &[&steps[..1], &steps[..1], &steps[..1]].concat().join("; "),
    );
    assert!(!twice.right, "{twice:?}");
    let unknown = judge(question, "(fly away)");
    assert!(unknown.read.is_none() && unknown.fault.is_some(), "{unknown:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn no_text_is_too_strange(text in "\\PC{0,60}|[ -~\n]{0,200}|(Answer: )?[(]?[a-d0-9é-]{0,4}[)]?") {
        for form in [Form::YesNo, Form::Choice, Form::Number, Form::Action, Form::Plan] {
            let verdict = judge(of_form(form), &text);
            prop_assert_eq!(verdict.right, verdict.fault.is_none());
        }
    }
}
