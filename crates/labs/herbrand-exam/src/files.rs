//! Files of questions and answers: JSON, one a line.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::grade::{Answer, GivenAnswers};
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
/// of [`Answer`]s in JSON, or else a line for each answer with the number of the question before it, such as `3. B` or `3,yes`. An
/// answer continues in the next lines if they are indented, if the first line has only its number, or, with quotes
/// around it, up to the closing quote. A first line without a number is a heading. Lines that cannot be read are
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
    } else if text.trim_start().starts_with(['{', '[']) {
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

/// Reads answers with the numbers of their questions.
fn read_numbered(text: &str, given: &mut GivenAnswers<'_>) {
    let mut lines = (1..).zip(text.lines()).peekable();
    while let Some((number, line)) = lines.next() {
        let Some((id, rest)) = numbered(line) else {
            if !line.trim().is_empty() && number > 1 {
                given.odd(
                    number,
                    "an answer begins with the number of its question, such as `3. B`",
                );
            }
            continue;
        };
        let mut answer = rest.to_owned();
        let mut quoted = lines_to_quote(rest, lines.clone().map(|(_, line)| line));
        while let Some((_, next)) = lines.peek() {
            let is_indented = next.starts_with([' ', '\t']) && !next.trim().is_empty();
            let is_alone = rest.is_empty() && numbered(next).is_none() && !next.trim().is_empty();
            if !(is_indented || is_alone || quoted > 0) || answer.len() + next.len() > LONGEST {
                break;
            }
            quoted = quoted.saturating_sub(1);
            answer.push('\n');
            answer += next;
            lines.next();
        }
        let answer = match answer.strip_prefix('"') {
            // A cell of CSV: quotes in it are doubled.
            Some(cell) => cell.strip_suffix('"').unwrap_or(cell).replace("\"\"", "\""),
            None => answer,
        };
        given.add(number, id, &answer);
    }
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

/// Splits a line such as `3. B`, `(3) B`, `3,B`, `3B`, `Question 3: B` or `"3";"B"` into the number and the answer.
fn numbered(line: &str) -> Option<(&str, &str)> {
    let word = line.trim().trim_start_matches(['"', '(', '#']);
    let name = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let is_word = ["", "q", "question", "no", "nr", "number"]
        .contains(&&*word[..word.len() - name.len()].to_lowercase());
    let text = name.trim_start_matches(['.', ' ', '#']);
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let id = &text[..text.len() - rest.len()];
    let is_space = |c: char| c.is_whitespace() || c == '"' || c == ')';
    let answer = rest.trim_start_matches(is_space);
    let answer = answer
        .strip_prefix(['.', ':', ',', ';', '=', '|'])
        .unwrap_or(answer);
    let answer = answer.strip_prefix("- ").unwrap_or(answer).trim();
    // `0.5` is no answer `5` to a question 0, and `1st` none to a question 1.
    let is_decimal = rest
        .strip_prefix('.')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let is_joined = rest.starts_with(char::is_alphanumeric)
        && !["a", "b", "c", "d", "yes", "no"].contains(&&*rest.trim().to_lowercase());
    (is_word && !id.is_empty() && !is_decimal && !is_joined).then_some((id, answer))
}

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
