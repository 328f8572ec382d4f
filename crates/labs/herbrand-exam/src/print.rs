//! Questions and their answers on sheets of paper.

use std::fmt::Write as _;

use crate::kind::{Form, Kind};
use crate::question::{Question, letter};
use crate::reason::reason;
use crate::report::escaped;

/// The format of a printable sheet. [`question_sheet`] and [`answer_sheet`] write it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SheetFormat {
    /// A page of HTML, complete with its own style. No question is split between two pages of paper if it fits on one.
    Html,
    /// Markdown, with the text of each question in a code block.
    Markdown,
}

/// Returns numbered questions, with their problems, without their answers.
#[must_use]
pub fn question_sheet(questions: &[Question], format: SheetFormat) -> String {
    let text = |question: &Question| question.question.clone();
    sheet("Questions", questions, format, text)
}

/// Returns the right answers of the questions with the same numbers as on the [`question_sheet`], and the reasons if they can
/// be stated in a sentence: why a plan fails, and why each wrong choice is wrong.
#[must_use]
pub fn answer_sheet(questions: &[Question], format: SheetFormat) -> String {
    sheet("Answers", questions, format, answer)
}

fn sheet(
    title: &str,
    questions: &[Question],
    format: SheetFormat,
    text: impl Fn(&Question) -> String,
) -> String {
    let mut sheet = match format {
        SheetFormat::Html => format!(
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\n<style>body {{ font-family: \
             sans-serif; margin: 2em; max-width: 50em; }} section {{ break-inside: avoid; }} pre {{ white-space: pre-wrap; \
             font: inherit; }} small {{ color: #666; }}</style>\n<h1>{title}</h1>\n"
        ),
        SheetFormat::Markdown => format!("# {title}\n"),
    };
    for (number, question) in (1..).zip(questions) {
        let (id, text) = (&question.id, text(question));
        // Writing to a string cannot fail.
        let _ = match format {
            SheetFormat::Html => writeln!(
                sheet,
                "<section><h2>Question {number}</h2>\n<pre>{}</pre>\n<small>{}</small></section>",
                escaped(&text),
                escaped(id)
            ),
            SheetFormat::Markdown => {
                writeln!(sheet, "\n## Question {number}\n\n```text\n{text}\n```\n\n`{id}`")
            }
        };
    }
    sheet
}

/// Returns the right answer with the text of its choice and the reasons; for an action, all right ones.
fn answer(question: &Question) -> String {
    let answer = answer_alone(question);
    let reasons = reasons(question);
    if reasons.is_empty() {
        return answer;
    }
    format!("{answer}\n\n{}", reasons.join("\n"))
}

/// Returns sentences that say why the answer is right, or why the other choices are wrong.
fn reasons(question: &Question) -> Vec<String> {
    match question.kind {
        Kind::PlanValid | Kind::PlanFailure => reason(question, &question.answer).into_iter().collect(),
        _ => {
            let letters = (0..question.choices.len()).map(|at| letter(at).to_string());
            let wrong = letters.filter(|letter| *letter != question.answer);
            wrong
                .filter_map(|letter| Some(format!("Not {letter}: {}", reason(question, &letter)?)))
                .collect()
        }
    }
}

fn answer_alone(question: &Question) -> String {
    match question.form {
        Form::Choice => {
            let letters = (0..question.choices.len()).map(|at| letter(at).to_string());
            let mut choices = letters.zip(&question.choices);
            let right = choices.find(|(letter, _)| *letter == question.answer);
            right.map_or_else(
                || question.answer.clone(),
                |(letter, text)| format!("{letter}. {text}"),
            )
        }
        Form::Action => question.accepted.join("\nor "),
        _ => question.answer.clone(),
    }
}
