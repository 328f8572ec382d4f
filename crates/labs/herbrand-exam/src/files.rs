//! Files of questions and answers: JSON, one a line.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::grade::{Answer, GivenAnswers, shown};
use crate::kind::Form;
use crate::options::ExamOptions;
use crate::phrases::Style;
use crate::question::Question;
use crate::report::Grades;

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

/// Reads a file of answers and grades them, like [`grade`](crate::grade). The file has JSON as [`read_lines`] reads it, or a list
/// of [`Answer`]s in JSON, or else a line for each answer with the number of the question before it, such as `3. B`, `**3.** B`,
/// `Answer 3: B` or `3,yes`. An answer continues in the next lines if they are indented, if the first line has only its number,
/// or, with quotes around it, up to the closing quote. A plan also continues in lines without a number, and in those with the
/// numbers of its steps. The first line may have the titles of the columns of a table. Lines that cannot be read are
/// [odd](Grades::odd).
///
/// ```
/// use herbrand_exam::{ExamOptions, Kind, grade_file, make};
///
/// let options = ExamOptions { count: 2, kinds: vec![Kind::PlanValid], ..ExamOptions::default() };
/// let questions = make(&options, &herbrand_limits::Budget::unlimited(), &|_| {})?;
/// let grades = grade_file(&questions, "1. yes\nl. no\n2) no\n").expect("questions with different names");
/// assert_eq!((grades.blank, grades.odd.len(), grades.odd[0].line), (0, 1, 2));
/// # Ok::<(), herbrand_exam::ExamError>(())
/// ```
///
/// # Errors
/// Fails if two questions have the same name, with all such names.
pub fn grade_file(questions: &[Question], text: &str) -> Result<Grades, Vec<String>> {
    let mut given = GivenAnswers::new(questions)?;
    let list = || serde_json::from_str::<Vec<Answer>>(text).ok();
    if text.contains('\0') {
        given.odd(1, "the file is no text");
    } else if text.trim().is_empty() {
        given.odd(1, "the file is empty");
    } else if let Some(answers) = text.trim_start().starts_with('[').then(list).flatten() {
        answers
            .iter()
            .for_each(|answer| given.add(0, &answer.id, &answer.answer));
    } else if is_json(text) {
        for (line, text) in (1..)
            .zip(text.lines())
            .filter(|(_, text)| !text.trim().is_empty())
        {
            match serde_json::from_str::<Answer>(text) {
                Ok(answer) => given.add(line, &answer.id, &answer.answer),
                Err(error) => given.odd(line, &error.to_string()),
            }
        }
    } else {
        read_numbered(text, &mut given);
    }
    Ok(given.grades())
}

/// Returns whether a text begins like an object or a list of objects in JSON, and not like `[x] B`.
fn is_json(text: &str) -> bool {
    let content = text.trim_start().strip_prefix(['{', '[']);
    content.is_some_and(|content| content.trim_start().starts_with(['"', '{', '}', ']']))
}

/// Reads answers with the numbers of their questions.
fn read_numbered(text: &str, given: &mut GivenAnswers<'_>) {
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        let Some((id, rest)) = numbered(line) else {
            if !(line.trim().is_empty() || number == 1 && is_heading(line)) {
                given.odd(
                    number,
                    &format!(
                        "an answer begins with the number of its question, such as `3. B`, and not with `{}`",
                        shown(line.trim())
                    ),
                );
            }
            continue;
        };
        let mut answer = rest.to_owned();
        let mut quoted = lines_to_quote(rest, lines.clone().map(|(_, line)| line));
        let mut plan = Plan::begun(given, id, rest);
        loop {
            let mut ahead = lines.clone();
            let is_part = |(_, line): &(usize, &str)| quoted > 0 || !line.trim().is_empty();
            let Some((last, next)) = ahead.find(is_part) else {
                break;
            };
            let is_added = quoted > 0
                || next.starts_with([' ', '\t'])
                || match numbered(next) {
                    None => rest.is_empty() || plan.is_some(),
                    Some(_) if rest.is_empty() && is_digits(next) && !is_digits(line) => true,
                    Some((step, text)) => plan
                        .as_mut()
                        .is_some_and(|plan| plan.has_step(given, step, text, ahead.map(|(_, line)| line))),
                };
            if !is_added || answer.len() + next.len() > LONGEST {
                break;
            }
            quoted = quoted.saturating_sub(1);
            answer.push('\n');
            answer += next;
            while lines.next().is_some_and(|(at, _)| at < last) {}
        }
        let answer = match answer.strip_prefix('"') {
            // A cell of CSV: quotes in it are doubled.
            Some(cell) => cell.strip_suffix('"').unwrap_or(cell).replace("\"\"", "\""),
            None => answer,
        };
        if let Some(at) = given.place(id).filter(|_| plan.is_none()) {
            let marks = [". ", ") ", ": "].map(|mark| format!(" {}{mark}", at + 2));
            if marks.iter().any(|mark| rest.contains(mark)) {
                given.odd(
                    number,
                    "a line has one answer: write those to other questions below",
                );
            }
        }
        given.add(number, id, &answer);
    }
}

/// Returns whether a line is a number, without the dot that the number of a question has.
fn is_digits(line: &str) -> bool {
    line.trim().bytes().all(|byte| byte.is_ascii_digit())
}

/// A plan whose steps are in lines of their own, and may have numbers that are not those of questions.
struct Plan {
    /// The number of the question.
    question: usize,
    /// The number of the last step; `None` before the first one.
    last: Option<usize>,
}

impl Plan {
    /// Returns the plan that begins with `rest` if the question asks for one.
    fn begun(given: &GivenAnswers<'_>, id: &str, rest: &str) -> Option<Self> {
        let question = given.place(id).filter(|&at| given.form(at) == Form::Plan)? + 1;
        let first = numbered(rest).and_then(|(step, _)| step.parse().ok());
        Some(Self {
            question,
            last: first.filter(|&step: &usize| step < 2),
        })
    }

    /// Returns whether a line with a number has the next step. If it may be the answer to a later question too, it is a step if the
    /// number occurs again below.
    fn has_step<'t>(
        &mut self,
        given: &GivenAnswers<'_>,
        number: &str,
        text: &str,
        mut below: impl Iterator<Item = &'t str>,
    ) -> bool {
        let Ok(step) = number.parse::<usize>() else {
            return false;
        };
        let follows = self.last.map_or(step < 2, |last| step == last + 1);
        let has_words = text.starts_with('(') || text.split_whitespace().nth(1).is_some();
        let is_step = follows
            && !text.is_empty()
            && (step <= self.question && has_words
                || given.place(number).is_none_or(|at| !given.is_read(at, text))
                || below.any(|line| numbered(line).is_some_and(|(other, _)| other == number)));
        if is_step {
            self.last = Some(step);
        }
        is_step
    }
}

/// Returns whether a line has the titles of the columns of a table, such as `question,answer`.
fn is_heading(line: &str) -> bool {
    let cells = line
        .split([',', ';', '\t'])
        .map(|cell| cell.trim_matches(['"', ' ']).to_lowercase());
    cells.skip(1).any(|cell| ["answer", "answers"].contains(&&*cell))
}

/// Returns the number of lines up to the closing quote of an answer that begins with one; 0 if a quote closes in the same line, or
/// none does soon.
fn lines_to_quote<'t>(answer: &str, lines: impl Iterator<Item = &'t str>) -> usize {
    let quotes = |line: &str| line.matches('"').count();
    let mut open = quotes(answer);
    if !answer.starts_with('"') || open % 2 == 0 {
        return 0;
    }
    let closes = |line: &str| {
        open += quotes(line);
        open % 2 == 0
    };
    lines.take(CELL).position(closes).map_or(0, |at| at + 1)
}

/// Splits a line such as `3. B`, `(3) B`, `**3.** B`, `3,B`, `3B`, `Answer to question 3: B` or `"3";"B"` into the number and the answer.
fn numbered(line: &str) -> Option<(&str, &str)> {
    let is_mark = |c: char| c.is_whitespace() || "*_#>\"([-•".contains(c);
    let mut text = line.trim_start_matches(is_mark);
    while text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        let after = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let word = text[..text.len() - after.len()].to_lowercase();
        if !NUMBERED.contains(&&*word) {
            return None;
        }
        text = after.trim_start_matches(['.', ' ', '#']);
    }
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let id = &text[..text.len() - rest.len()];
    let is_end = |c: char| c.is_whitespace() || "\")]*_".contains(c);
    let answer = rest.trim_start_matches(is_end);
    let answer = answer
        .strip_prefix(['.', ':', ',', ';', '=', '|', '→', '–', '—'])
        .unwrap_or(answer);
    let answer = answer.trim_start_matches([')', '*', '_']).trim_start();
    let dash = answer.strip_prefix("->").or_else(|| answer.strip_prefix("- "));
    let answer = dash.unwrap_or(answer).trim().trim_end_matches("**");
    // `0.5` is no answer `5` to a question 0, and `1st` none to a question 1.
    let is_decimal = rest
        .strip_prefix('.')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let is_joined = rest.starts_with(char::is_alphanumeric)
        && !["a", "b", "c", "d", "yes", "no", "y", "n"].contains(&&*rest.trim().to_lowercase());
    (!id.is_empty() && !is_decimal && !is_joined).then_some((id, answer))
}

/// The words before the number of a question.
const NUMBERED: [&str; 11] = [
    "q",
    "question",
    "questions",
    "no",
    "nr",
    "number",
    "answer",
    "to",
    "task",
    "exercise",
    "problem",
];
/// The number of lines of a cell in quotes.
const CELL: usize = 100;
/// The number of bytes of an answer over several lines.
const LONGEST: usize = 1 << 16;

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
