//! Files of questions and answers: JSON, one a line.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::grade::Answer;
use crate::options::ExamOptions;
use crate::phrases::Style;
use crate::question::Question;

/// The number of faults that are listed.
const FAULTS: usize = 20;

/// Reads the text of a file with a JSON object on each line, such as [`Question`]s or [`Answer`](crate::Answer)s. Blank
/// lines are ignored, and an empty text gives an empty list. `name` is the name of the file for messages.
///
/// # Errors
/// Fails with the faults of all lines, up to twenty, each as a text that begins with `name` and the number of the line,
/// counted from 1.
pub fn read_lines<T: DeserializeOwned>(name: &str, text: &str) -> Result<Vec<T>, Vec<String>> {
    let (mut read, mut faults) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str(line) {
            Ok(one) => read.push(one),
            Err(error) if faults.len() < FAULTS => faults.push(format!("{name}:{number}: {error}")),
            Err(_) => {}
        }
    }
    if faults.is_empty() { Ok(read) } else { Err(faults) }
}

/// Reads the text of a file of answers: JSON as [`read_lines`], or else a line for each answer with the number of the question
/// before it, such as `3. B` or `3,yes`. A first line without a number is a heading. `name` is the name of the file for
/// messages.
///
/// ```
/// let answers = herbrand_exam::read_answers("ann.txt", "1. B\n2) yes\n3,pick up block a\n").unwrap();
/// assert_eq!((answers[2].id.as_str(), answers[2].answer.as_str()), ("3", "pick up block a"));
/// ```
///
/// # Errors
/// Fails with the faults of all lines, up to twenty, as [`read_lines`] does.
pub fn read_answers(name: &str, text: &str) -> Result<Vec<Answer>, Vec<String>> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with(['{', '[']) || text.trim().is_empty() {
        return read_lines(name, text);
    }
    let (mut read, mut faults) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        let rest = line
            .trim_start_matches('"')
            .trim_start_matches(|c: char| c.is_ascii_digit());
        let id = line[..line.len() - rest.len()].trim_start_matches('"');
        if line.is_empty() || (id.is_empty() && number == 1) {
            continue;
        }
        let is_end = |c: char| c.is_whitespace() || ".):,;\"".contains(c);
        if id.is_empty() || !(rest.is_empty() || rest.starts_with(is_end)) {
            if faults.len() < FAULTS {
                faults.push(format!(
                    "{name}:{number}: an answer begins with the number of its question, such as `3. B`"
                ));
            }
            continue;
        }
        read.push(Answer {
            id: id.to_owned(),
            answer: rest.trim_matches(is_end).to_owned(),
        });
    }
    if faults.is_empty() { Ok(read) } else { Err(faults) }
}

/// Returns questions as the text of a file, one a line. [`read_lines`] reads it.
///
/// # Errors
/// Never fails in fact; the type of the serialiser has an error.
pub fn write_lines(questions: &[Question]) -> Result<String, serde_json::Error> {
    let mut text = String::new();
    for question in questions {
        text += &serde_json::to_string(question)?;
        text.push('\n');
    }
    Ok(text)
}

/// The content of a file of questions in numbers, for people and tools that find the file. [`card`] makes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Card {
    /// The program and its version.
    pub made_by: String,
    /// The seed.
    pub seed: u64,
    /// `text` or `pddl`.
    pub style: &'static str,
    /// Whether names are invented.
    pub obfuscated: bool,
    /// The least and the greatest length of a shortest plan.
    pub lengths: (u32, u32),
    /// The number of questions.
    pub questions: usize,
    /// The number of questions of each kind.
    pub kinds: BTreeMap<&'static str, usize>,
    /// The number of questions about each domain.
    pub domains: BTreeMap<String, usize>,
}

/// Returns the card of questions: their number by kind and domain, and the options with which [`make`](crate::make)
/// made them. Write it as JSON beside the file of questions.
#[must_use]
pub fn card(options: &ExamOptions, questions: &[Question]) -> Card {
    let (mut kinds, mut domains) = (BTreeMap::new(), BTreeMap::new());
    for question in questions {
        *kinds.entry(question.kind.as_str()).or_default() += 1;
        *domains.entry(question.domain.clone()).or_default() += 1;
    }
    Card {
        made_by: format!("herbrand {}", env!("CARGO_PKG_VERSION")),
        seed: options.seed,
        style: match options.style {
            Style::Text => "text",
            Style::Pddl => "pddl",
        },
        obfuscated: options.obfuscated,
        lengths: options.lengths,
        questions: questions.len(),
        kinds,
        domains,
    }
}
