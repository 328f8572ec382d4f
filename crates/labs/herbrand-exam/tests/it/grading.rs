//! Grading answers.

use herbrand_exam::{Answer, Form, Question, grade, grade_file, judge};
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
    assert!(grades.table().contains("plan-valid") && grades.html(questions()).contains("<td>all</td>"));
    let widths: std::collections::BTreeSet<_> = grades.table().lines().map(str::len).collect();
    assert_eq!(widths.len(), 1, "{}", grades.table());
}

#[test]
fn answers_to_unknown_questions_are_odd_and_the_last_of_several_counts() {
    let mut answers = right_answers();
    let wrong = Answer {
        answer: "none of them".to_owned(),
        ..answers[0].clone()
    };
    answers.insert(0, wrong);
    for id in ["nothing", "0", "999999"] {
        answers.push(Answer {
            id: id.to_owned(),
            answer: String::new(),
        });
    }
    let grades = grade(questions(), &answers).expect("the questions differ");
    assert_eq!(grades.total.right, COUNT);
    let odd: Vec<_> = grades.odd.iter().map(|odd| odd.reason.clone()).collect();
    assert_eq!(
        odd,
        [
            format!(
                "the question `{}` has several answers; the last one counts",
                answers[0].id
            ),
            "there is no question `nothing`".to_owned(),
            "there is no question `0`".to_owned(),
            format!("there is no question `999999`: the questions are 1 to {COUNT}"),
        ]
    );
    let twice = [questions()[0].clone(), questions()[0].clone()];
    let faults = grade(&twice, &[]).expect_err("a fault");
    assert_eq!(faults, [format!("the question `{}` occurs twice", twice[0].id)]);
}

/// Each way to write a file with answers 1 to 3.
#[test]
fn files_of_answers_are_read_in_any_form() {
    let three = &questions()[..3];
    let answers: Vec<_> = three
        .iter()
        .map(|question| question.answer.replace('\n', "; "))
        .collect();
    let [one, two, three_] = [&answers[0], &answers[1], &answers[2]];
    for (text, odd) in [
        (format!("1. {one}\n2) {two}\n3: {three_}"), &[][..]),
        (
            format!("Ann, 28 November\n\n(1) {one}\r\nQuestion 2: {two}\r\nQ3. {three_}\r\n"),
            &[1],
        ),
        (
            format!("**1.** {one}\n## Answer 2: {two}\n[3] → **{three_}**"),
            &[],
        ),
        (
            format!("1.) {one}\n- **2. {two}**\nAnswer to question 3 – {three_}, a guess"),
            &[],
        ),
        (
            format!("a) yes\n1.\n\n{one}\n\n2.\n\n{two}\n3.\n[ ] A [x] {three_}"),
            &[1],
        ),
        (format!("[x] yes\n1. {one}\n2. {two}\n3. {three_}"), &[1]),
        (format!("{{sorry}}\n1. {one}\n2. {two}\n3. {three_}"), &[1]),
        (format!("1. {one} 2. x\n2. {two}\n3. {three_}"), &[1]),
        (format!("sorry\n1. {one}\n2. {two}\n3. {three_}"), &[1]),
        (
            format!("question,answer,remark\n1,{one},sure\n\"2\",\"{two}\"\n3;{three_};guess"),
            &[],
        ),
        (format!("1\t{one}\n2 - {two}\n#3 = {three_}"), &[]),
        (format!("1.\n{one}\n2.\n\t{two}\n3. {three_}\n"), &[]),
        (
            format!("1,\"I think:\nAnswer: {one}\"\n2,\"Answer:\n{two}\"\n3,{three_}"),
            &[],
        ),
        (format!("3. {three_}\n1. x\n2. {two}\n1. {one}"), &[4]),
        (
            format!("1. {one}\nl. {one}\n2. {two}\n3. \"{three_}\n7. A\n0.5\n1st: x\n1III. x"),
            &[2, 5, 6, 7, 8],
        ),
        (
            format!(
                r#"[{{"id": 1, "answer": "{one}"}}, {{"id": "2", "answer": "{two}"}}, {{"id": 3, "answer": "{three_}"}}]"#
            ),
            &[],
        ),
        (
            format!(
                "{{\"id\": 1, \"answer\": \"{one}\"}}\n{{no}}\n{{\"id\": 2, \"answer\": \"{two}\"}}\n3. {three_}\n{{\"id\": 3, \"answer\": \"{three_}\"}}"
            ),
            &[2, 4],
        ),
    ] {
        let grades = grade_file(three, &text).expect("the questions differ");
        assert_eq!(grades.total.right, 3, "{text}\n{:?}", grades.verdicts);
        let lines: Vec<_> = grades.odd.iter().map(|odd| odd.line).collect();
        assert_eq!(lines, odd, "{text}\n{:?}", grades.odd);
    }
    for (text, reason) in [
        ("", "the file is empty"),
        (" \n", "the file is empty"),
        ("\u{7f}ELF\0\0", "the file is no text"),
    ] {
        let grades = grade_file(three, text).expect("the questions differ");
        assert_eq!((grades.blank, grades.odd[0].reason.as_str()), (3, reason));
    }
    let long =
        grade_file(three, &format!("1. {one}\n{}", "oh\n".repeat(1_000_000))).expect("the questions differ");
    assert_eq!(
        (long.total.right, long.odd.len(), long.odd_lines),
        (1, 20, 1_000_000)
    );
}

/// A closing parenthesis at the end of an answer belongs to it.
#[test]
fn actions_in_one_line_keep_their_parentheses() {
    let question = of_form(Form::Plan);
    let line = question.answer.replace('\n', " ");
    for text in [
        format!("1. {line}"),
        format!("1) {line}"),
        format!("1,\"{line}\""),
    ] {
        let grades = grade_file(std::slice::from_ref(question), &text).expect("one question");
        assert_eq!(grades.total.right, 1, "{text}: {:?}", grades.verdicts);
    }
}

/// Steps with numbers below the number of a plan are no answers to the questions with these numbers, and answers below are no steps.
#[test]
fn steps_of_plans_are_no_answers() {
    let plan = of_form(Form::Plan);
    let steps: Vec<_> = plan.answer.lines().collect();
    let other = of_form(Form::YesNo);
    for (before, separator) in [
        (0, ". "),
        (1, ": "),
        (3, ". "),
        (steps.len() - 1, ") "),
        (steps.len(), ". "),
    ] {
        let numbered: String = (1..)
            .zip(&steps)
            .map(|(step, action)| format!("{step}{separator}{action}\n"))
            .collect();
        let same = |at: usize| Question {
            id: at.to_string(),
            ..other.clone()
        };
        // Questions with yes or no before and after the plan.
        let mut exam: Vec<_> = (101..101 + before).map(same).collect();
        exam.push(plan.clone());
        exam.extend((201..203).map(same));
        let answers = |from: usize, to: usize| -> String {
            (from..=to)
                .map(|number| format!("{number}. {}\n", other.answer))
                .collect()
        };
        let (first, last) = (answers(1, before), answers(before + 2, before + 3));
        for blank in ["", "\n"] {
            let text = format!("{first}{}.\n{blank}{numbered}{blank}{last}", before + 1);
            let grades = grade_file(&exam, &text).expect("the names differ");
            assert_eq!(
                (grades.total.right, grades.odd.len()),
                (exam.len(), 0),
                "{text}{grades:?}"
            );
        }
    }
}

/// The same forms of replies as in `herbrand.text` and in sessions.
#[test]
fn replies_are_read_in_any_form() {
    let marks: [fn(&str) -> String; 9] = [
        |answer| answer.to_owned(),
        |answer| format!("Let me see.\n\nAnswer: {answer}\n"),
        |answer| format!("<answer>\n{answer}\n</answer> That is all."),
        |answer| format!("So \\boxed{{{answer}}}"),
        |answer| format!("Answer:\n```\n{answer}\n```"),
        |answer| format!("<think>Answer: no, 99, D, (fly)\n<answer>no</answer></think>\n{answer}"),
        |answer| format!("{answer}<think>Answer: no, 99, D, (fly)"),
        |answer| format!("**Answer:** {}", answer.to_uppercase()),
        |answer| format!("<answer>{answer}"),
    ];
    for form in [Form::YesNo, Form::Choice, Form::Number, Form::Action, Form::Plan] {
        let question = of_form(form);
        for (number, mark) in marks.iter().enumerate() {
            let reply = mark(&question.answer);
            let verdict = judge(question, &reply);
            assert!(verdict.right, "{form:?}, mark {number}: {reply}\n{verdict:?}");
        }
        let unanswered = judge(question, &format!("<think>Answer: {}", question.answer));
        assert_eq!(unanswered.fault.as_deref(), Some("no answer"));
    }
    let question = of_form(Form::Number);
    assert!(
        judge(
            question,
            &format!("It is not 99.\nAnswer: {}\nNot 98.", question.answer)
        )
        .right
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
    assert_eq!(
        grade_file(questions(), &text)
            .expect("the questions differ")
            .total
            .right,
        COUNT
    );
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
        "y",
        "[ ] no [x] yes",
        "☐ no ☒ yes",
        "yes, I guess",
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
        "[x] C",
        "[ ] A\n[x] C\n[ ] D",
        "C, a guess",
        third.as_str(),
        question.choices[2].as_str(),
    ];
    for text in texts {
        assert_eq!(read(question, text).as_deref(), Some("C"), "{text}");
    }
    for text in ["a block is there", "C, B", "[x] C [x] B", "A [x] C [ ]"] {
        assert_eq!(read(question, text), None, "{text}");
    }
    let question = of_form(Form::Number);
    assert_eq!(read(question, "Answer: step 03").as_deref(), Some("3"));
    assert_eq!(read(question, "the third is wrong: three").as_deref(), Some("3"));
    for text in ["3 or 4", "3, 4", "three or four"] {
        assert_eq!(read(question, text), None, "{text}");
    }
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
    let bare = steps.join(", then ").replace(['(', ')'], "");
    assert!(judge(question, &bare).right, "{bare}");
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
    // A misspelt step is no prose, before the plan as little as after it.
    let misspelt = steps[0].trim_matches(['(', ')']).replacen(' ', "x ", 1);
    let among = judge(
        question,
        &[&misspelt, &question.answer].map(|text| text.as_str()).join("\n"),
    );
    assert!(among.read.is_none() && among.fault.is_some(), "{among:?}");
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
