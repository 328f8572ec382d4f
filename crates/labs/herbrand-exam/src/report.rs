//! Tables of grades.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use herbrand_core::share_interval;
use serde::{Deserialize, Serialize};

use crate::kind::{Form, Kind};
use crate::question::Question;
use crate::reason::in_words;

/// The grade of one answer. [`judge`](crate::judge) returns it, and [`Grades::verdicts`] lists them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// The name of the question.
    pub id: String,
    /// Whether the answer is right.
    pub right: bool,
    /// The answer as it was read; `None` if it could not be read.
    pub read: Option<String>,
    /// The fault of the answer; `None` if it is right.
    pub fault: Option<String>,
}

/// The grades of all answers, with tables. [`grade`](crate::grade) makes them.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Grades {
    /// All answers together.
    pub total: Score,
    /// For each kind of question.
    pub kinds: BTreeMap<Kind, Score>,
    /// For each domain.
    pub domains: BTreeMap<String, Score>,
    /// The number of questions that were left blank, which count as wrong.
    pub blank: usize,
    /// The grade of each answer, in the order of the questions.
    pub verdicts: Vec<Verdict>,
    /// The first lines of the answers that were not graded.
    pub odd: Vec<OddLine>,
    /// The number of all such lines.
    pub odd_lines: usize,
}

/// A line of a file of answers that is not graded. [`Grades::odd`] lists them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OddLine {
    /// The line, from 1; 0 for an answer that is in no line.
    pub line: usize,
    /// The fault.
    pub reason: String,
}

/// How many of some answers are right, with shares from 0 to 1. [`Grades`] has one for all answers, for each kind and
/// for each domain.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Score {
    /// The number of answers.
    pub answers: usize,
    /// The number of right answers.
    pub right: usize,
    /// The number of answers that could not be read.
    pub unread: usize,
    /// The share of right answers; an answer that could not be read is not right.
    pub mean: f64,
    /// The ends of its confidence interval of 95 % (Wilson).
    pub interval: [f64; 2],
    /// The share that guesses have: a half of yes and no, a quarter of the choices, one of the numbers of the steps,
    /// and none of actions and plans.
    pub chance: f64,
}

impl Grades {
    pub(crate) fn new(questions: &[Question], verdicts: Vec<Verdict>, blank: usize) -> Self {
        let mut total = Score::default();
        let mut kinds = BTreeMap::<Kind, Score>::new();
        let mut domains = BTreeMap::<String, Score>::new();
        for (question, verdict) in questions.iter().zip(&verdicts) {
            let scores = [
                &mut total,
                kinds.entry(question.kind).or_default(),
                domains.entry(question.domain.clone()).or_default(),
            ];
            for score in scores {
                score.add(question, verdict);
            }
        }
        [&mut total]
            .into_iter()
            .chain(kinds.values_mut())
            .chain(domains.values_mut())
            .for_each(Score::finish);
        Self {
            total,
            kinds,
            domains,
            blank,
            verdicts,
            odd: Vec::new(),
            odd_lines: 0,
        }
    }

    /// Returns the rows of the tables: a title with its score, for each kind, for each domain and for all answers.
    #[must_use]
    pub fn rows(&self) -> Vec<(String, Score)> {
        let kinds = self.kinds.iter().map(|(kind, score)| (kind.to_string(), *score));
        let domains = self
            .domains
            .iter()
            .map(|(domain, score)| (domain.clone(), *score));
        kinds
            .chain(domains)
            .chain([("all".to_owned(), self.total)])
            .collect()
    }

    /// Returns the tables as text: a line for each kind, for each domain and for all answers together.
    #[must_use]
    pub fn table(&self) -> String {
        let rows = self.rows();
        let width = rows.iter().map(|(title, _)| title.len()).max().unwrap_or(0);
        let mut text = format!(
            "{:<width$} {:>7} {:>7} {:>6} {:>15} {:>6} {:>6}\n",
            "", "answers", "right", "mean", "95 %", "chance", "unread"
        );
        for (title, score) in rows {
            let [low, high] = score.interval;
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{title:<width$} {:>7} {:>7} {:>6.3} {:>15} {:>6.3} {:>6}",
                score.answers,
                score.right,
                score.mean,
                format!("{low:.3} to {high:.3}"),
                score.chance,
                score.unread
            );
        }
        text
    }

    /// Returns the tables and the wrong answers to these questions as an HTML page, complete with its own style.
    #[must_use]
    pub fn html(&self, questions: &[Question]) -> String {
        let mut text =
            "<table><tr><th></th><th>answers</th><th>right</th><th>mean</th><th>95 %</th><th>chance</th>\
                        <th>unread</th></tr>\n"
                .to_owned();
        for (title, score) in self.rows() {
            let [low, high] = score.interval;
            let _ = writeln!(
                text,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.3}</td><td>{low:.3} to {high:.3}</td><td>{:.3}</td>\
                 <td>{}</td></tr>",
                escaped(&title),
                score.answers,
                score.right,
                score.mean,
                score.chance,
                score.unread
            );
        }
        text.push_str("</table>\n");
        text += &self.wrong_answers(questions);
        page(&text)
    }

    /// Returns the wrong answers as a table in HTML, for the person who gave them, and the lines that were not graded.
    pub(crate) fn wrong_answers(&self, questions: &[Question]) -> String {
        let mut text = String::new();
        let pairs = (1..).zip(questions.iter().zip(&self.verdicts));
        let wrong: Vec<_> = pairs.filter(|(_, (_, verdict))| !verdict.right).collect();
        if !wrong.is_empty() {
            text.push_str(
                "<h3>Wrong answers</h3>\n<table class=\"words\"><tr><th>number</th><th>question</th><th>your answer</th>\
                 <th>remark</th></tr>\n",
            );
        }
        for (number, (question, verdict)) in wrong {
            let read = verdict
                .read
                .as_ref()
                .map_or_else(String::new, |read| in_words(question, read));
            let _ = writeln!(
                text,
                "<tr><td>{number}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                question.kind.title(),
                escaped(&read).replace('\n', "<br>"),
                escaped(verdict.fault.as_deref().unwrap_or(""))
            );
        }
        if !text.is_empty() {
            text.push_str("</table>\n");
        }
        if self.odd_lines > 0 {
            text.push_str("<h3>Lines that were not graded</h3>\n<ul>\n");
            for OddLine { line, reason } in &self.odd {
                let _ = writeln!(text, "<li>line {line}: {}</li>", escaped(reason));
            }
            let more = self.odd_lines - self.odd.len();
            if more > 0 {
                let _ = writeln!(text, "<li>and {more} more</li>");
            }
            text.push_str("</ul>\n");
        }
        text
    }
}

/// Returns a page about an exam, complete with its own style.
pub(crate) fn page(body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Exam</title>\n<style>body {{ font-family: \
         sans-serif; margin: 2em; }} table {{ border-collapse: collapse; }} td, th {{ padding: 0.2em 0.8em; text-align: \
         right; border-bottom: 1px solid #ccc; }} td:first-child, .words td, .words th {{ text-align: left; vertical-align: \
         top; }} .class {{ font-size: 8pt; }} .class td, .class th {{ padding: 0.2em 0.4em; }} section {{ break-before: page; }}</style>\n<h1>Exam</h1>\n\
         {body}</html>\n"
    )
}

impl Score {
    fn add(&mut self, question: &Question, verdict: &Verdict) {
        self.answers += 1;
        self.right += usize::from(verdict.right);
        self.unread += usize::from(verdict.read.is_none());
        // The sum; `finish` divides it.
        self.chance += match question.form {
            Form::YesNo => 0.5,
            Form::Choice => 1.0 / question.choices.len().max(1) as f64,
            Form::Number => 1.0 / f64::from(question.difficulty.steps.max(1)),
            Form::Action | Form::Plan => 0.0,
        };
    }

    fn finish(&mut self) {
        let count = self.answers.max(1) as f64;
        self.chance /= count;
        self.mean = self.right as f64 / count;
        self.interval = share_interval(self.right, self.answers);
    }
}

/// Replaces the characters that have a meaning in HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
