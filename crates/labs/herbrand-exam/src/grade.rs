//! Grading answers.

use std::collections::{BTreeSet, HashMap};

use herbrand_pddl::{Domain, Problem};
use herbrand_step::compile;
use herbrand_verbalize::{ReplyReader, Syntax, Wording, final_value};
use serde::{Deserialize, Serialize};

use crate::kind::Form;
use crate::numeric;
use crate::question::{Question, letter};
use crate::reason::{
    Fault, carry_out, in_sentences, in_words, models, question_wording, reason, right_answer,
};
use crate::report::{Grades, OddLine, Verdict};

/// The number of bytes of an answer that are read.
const LONGEST: usize = 1 << 16;

/// An answer to a question: one line of a file of answers, which [`grade_file`](crate::grade_file) reads. Other fields
/// of the line are ignored. [`grade`] takes answers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The name of the question, or its number in the file of questions, from 1; in JSON also a number.
    #[serde(deserialize_with = "name_or_number")]
    pub id: String,
    /// The text that was answered; empty for a question that was left blank, in JSON also `null` or no such field.
    #[serde(default, deserialize_with = "text_or_null")]
    pub answer: String,
}

fn text_or_null<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

fn name_or_number<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "`id` is the name or the number of a question")]
    enum Id {
        Name(String),
        Number(u64),
    }
    Ok(match Id::deserialize(deserializer)? {
        Id::Name(name) => name,
        Id::Number(number) => number.to_string(),
    })
}

/// The fault of a blank answer.
const BLANK: &str = "no answer";

/// Grades answers to questions, by [`judge`]. The answers may be in any order. A question without an answer was left blank,
/// which is wrong, and [counted](Grades::blank). Answers to unknown questions are [odd](Grades::odd), and so are all but the last
/// of several answers to a question. Without questions, the grades count no answers.
///
/// # Errors
/// Fails if two questions have the same name, with all such names.
pub fn grade(questions: &[Question], answers: &[Answer]) -> Result<Grades, Vec<String>> {
    let mut given = GivenAnswers::new(questions)?;
    answers
        .iter()
        .for_each(|answer| given.add(0, &answer.id, &answer.answer));
    Ok(given.grades())
}

/// The answers of somebody to questions. [`grades`](Self::grades) grades them.
pub(crate) struct GivenAnswers<'q> {
    questions: &'q [Question],
    /// The index of each question by its name.
    known: HashMap<&'q str, usize>,
    given: Vec<Option<String>>,
    odd: Vec<OddLine>,
    odd_lines: usize,
}

/// The number of odd lines that are listed.
const LISTED: usize = 20;

impl<'q> GivenAnswers<'q> {
    /// Fails with the names that several questions have.
    pub(crate) fn new(questions: &'q [Question]) -> Result<Self, Vec<String>> {
        let mut known = HashMap::with_capacity(questions.len());
        let mut faults = Vec::new();
        for (at, question) in questions.iter().enumerate() {
            if known.insert(question.id.as_str(), at).is_some() {
                faults.push(format!("the question `{}` occurs twice", question.id));
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(Self {
            questions,
            known,
            given: vec![None; questions.len()],
            odd: Vec::new(),
            odd_lines: 0,
        })
    }

    /// Returns the index of the question with a name or a number.
    pub(crate) fn place(&self, id: &str) -> Option<usize> {
        let number = || id.parse().ok().and_then(|number: usize| number.checked_sub(1));
        let numbered = || number().filter(|&at| at < self.questions.len());
        self.known.get(id).copied().or_else(numbered)
    }

    /// Returns how a question is answered.
    pub(crate) const fn form(&self, at: usize) -> Form {
        self.questions[at].form
    }

    /// Returns whether a text can be read as an answer to a question.
    pub(crate) fn is_read(&self, at: usize, text: &str) -> bool {
        judge(&self.questions[at], text).read.is_some()
    }

    /// Adds the answer in a line, counted from 1, to the question with a name or a number.
    pub(crate) fn add(&mut self, line: usize, id: &str, answer: &str) {
        let Some(at) = self.place(id) else {
            let mut message = format!("there is no question `{}`", shown(id));
            if id.parse::<usize>().is_ok_and(|number| number > 0) {
                message += &format!(": the questions are 1 to {}", self.questions.len());
            }
            return self.odd(line, &message);
        };
        if self.given[at].replace(answer.to_owned()).is_some() {
            self.odd(
                line,
                &format!(
                    "the question `{}` has several answers; the last one counts",
                    shown(id)
                ),
            );
        }
    }

    /// Notes a line that cannot be used.
    pub(crate) fn odd(&mut self, line: usize, reason: &str) {
        self.odd_lines += 1;
        if self.odd.len() < LISTED {
            self.odd.push(OddLine {
                line,
                reason: reason.to_owned(),
            });
        }
    }

    pub(crate) fn grades(self) -> Grades {
        let pairs = self.questions.iter().zip(&self.given);
        let verdicts = pairs.map(|(question, given)| judge(question, given.as_deref().unwrap_or_default()));
        let verdicts: Vec<_> = verdicts.collect();
        let is_blank = |verdict: &&Verdict| verdict.fault.as_deref() == Some(BLANK);
        let blank = verdicts.iter().filter(is_blank).count();
        Grades {
            odd: self.odd,
            odd_lines: self.odd_lines,
            ..Grades::new(self.questions, verdicts, blank)
        }
    }
}

/// Grades one answer. [`ReplyReader`] finds it in the text: in the last `<answer>`, or else in the last `\boxed{}`, after the last
/// `Answer:`, or else it is the whole text. It is read
/// tolerantly: case, articles and punctuation do not matter, and a number may be rounded, be a fraction or in percent if only one
/// of the choices is near it. An answer that cannot be read is wrong, and its
/// [`Verdict::read`] is `None`.
#[must_use]
pub fn judge(question: &Question, text: &str) -> Verdict {
    let value = |read: &dyn Fn(&str) -> Result<String, Fault>| {
        let answer = read_value(text, read)?;
        let is_right = answer == question.answer;
        Ok((answer, is_right))
    };
    let judged = match question.form {
        Form::YesNo => value(&|text| yes_or_no(text).map(str::to_owned)),
        Form::Choice => value(&|text| choice(question, text)),
        Form::Number => value(&number),
        Form::Action => action(question, text),
        Form::Plan => plan(question, text),
    };
    let (read, fault) = match judged {
        Ok((read, true)) => (Some(read), None),
        Ok((read, false)) => {
            let mut fault = match question.form {
                Form::Action => format!(
                    "{} does not make the plan work, but this does: {}",
                    in_words(question, &read),
                    right_answer(question)
                ),
                _ => format!("the right answer is {}", right_answer(question)),
            };
            if let Some(reason) = reason(question, &read) {
                fault = format!("{fault}: {reason}");
            }
            (Some(read), Some(fault))
        }
        Err(Fault { read, reason }) => (read, Some(in_sentences(question, reason))),
    };
    Verdict {
        id: question.id.clone(),
        right: fault.is_none(),
        read,
        fault,
    }
}

/// Reads the value in a reply: the answer beside the only ticked box, or else the whole reply. If the whole is no value, the
/// first line may be one, or else the last line, or else the part before a comma if no other part may be one.
fn read_value(reply: &str, read: &dyn Fn(&str) -> Result<String, Fault>) -> Result<String, Fault> {
    let value = final_value(reply);
    let text = match value.char_indices().nth(LONGEST) {
        Some((end, _)) => &value[..end],
        None => &value,
    };
    let mut lines = text.lines().filter(|line| line.contains(char::is_alphanumeric));
    match (lines.next(), lines.next_back()) {
        (None, _) if text.is_empty() => Err(Fault::unread(BLANK)),
        (first, last) => {
            let whole = ticked(text).map_or_else(|| Err(Fault::unread("")), read);
            let whole = whole.or_else(|_| read(text));
            let lines = [first, last].into_iter().flatten();
            let mut shorter = lines.map(read).chain([first_part(text, read)]);
            whole.or_else(|fault| shorter.find_map(Result::ok).ok_or(fault))
        }
    }
}

/// Returns what is ticked in a list of boxes, such as `[ ] A [x] B` or `☐ yes ☒ no`. `None` if several boxes are, or none is.
fn ticked(text: &str) -> Option<&str> {
    const TICKS: [&str; 6] = ["[x]", "[X]", "☒", "☑", "✓", "✔"];
    const EMPTY: [&str; 3] = ["[ ]", "[]", "☐"];
    let begins = |text: &str, mark: &&&str| text.trim_start().starts_with(**mark);
    TICKS.iter().chain(&EMPTY).find(|mark| begins(text, mark))?;
    let mut after = TICKS.iter().flat_map(|tick| text.split(tick).skip(1));
    let only = after.next().filter(|_| after.next().is_none())?;
    let end = EMPTY
        .iter()
        .chain(&["\n"])
        .filter_map(|mark| only.find(mark))
        .min();
    Some(only[..end.unwrap_or(only.len())].trim())
}

/// Reads the part of a text before its first comma, semicolon or tab, such as a cell of a table, if no other part may be an answer.
fn first_part(text: &str, read: &dyn Fn(&str) -> Result<String, Fault>) -> Result<String, Fault> {
    let mut parts = text.split([',', ';', '\t']).map(str::trim);
    let first = read(parts.next().unwrap_or_default());
    let may_be = |part: &str| part.contains(|c: char| c.is_ascii_digit()) || read(part).is_ok();
    if parts.any(may_be) {
        return Err(Fault::unread("there are several answers"));
    }
    first
}

/// Returns the words of a text in lower case, without punctuation around them.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Reads a yes or no: the first such word of a text that has no other.
fn yes_or_no(text: &str) -> Result<&'static str, Fault> {
    let mut found = BTreeSet::new();
    for word in words(text) {
        match word.as_str() {
            "yes" | "true" => found.insert("yes"),
            "no" | "false" => found.insert("no"),
            _ => false,
        };
    }
    if found.is_empty() {
        found.extend(match text.trim_matches(|c: char| !c.is_alphanumeric()) {
            "y" | "Y" => Some("yes"),
            "n" | "N" => Some("no"),
            _ => None,
        });
    }
    let mut found = found.into_iter();
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(Fault::unread("the answer is neither yes nor no")),
        _ => Err(Fault::unread("the answer is both yes and no")),
    }
}

/// Reads a letter, or the text of one of the choices. A number is the only choice that is rounded to it.
fn choice(question: &Question, text: &str) -> Result<String, Fault> {
    let letters: Vec<String> = (0..question.choices.len())
        .map(|index| letter(index).to_string())
        .collect();
    let normal = |text: &str| words(text).collect::<Vec<_>>();
    let own = normal(text);
    let same: Vec<_> = (0..letters.len())
        .filter(|&index| normal(&question.choices[index]) == own)
        .collect();
    if let [only] = same.as_slice() {
        return Ok(letters[*only].clone());
    }
    if let Some(found) = numeric::choice(&question.choices, text) {
        return found.map(|index| letters[index].clone());
    }
    // A single letter, or a letter followed by its choice. The word `a` in a sentence is no letter.
    let first = text.trim_start_matches(['(', '[']).chars().next();
    let letter = first.map(|first| first.to_ascii_uppercase().to_string());
    let after = text.trim_start_matches(['(', '[']).chars().nth(1);
    let stands_alone = after.is_none_or(|after| ".):]".contains(after) || own.len() == 1);
    let letter = letter.filter(|letter| letters.contains(letter) && stands_alone);
    let named = || match own.as_slice() {
        [noun, letter] if matches!(noun.as_str(), "choice" | "option" | "answer") => {
            Some(letter.to_uppercase())
        }
        _ => None,
    };
    let named = letter.or_else(|| named().filter(|letter| letters.contains(letter)));
    named.ok_or_else(|| {
        let (first, last) = (letters.first(), letters.last());
        Fault::unread(format!(
            "the answer `{}` is no letter from {} to {}",
            shown(text),
            first.map_or("A", String::as_str),
            last.map_or("D", String::as_str)
        ))
    })
}

/// Reads the only whole number of a text, in digits, or else in a word.
fn number(text: &str) -> Result<String, Fault> {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    let digits = text.split(|c: char| !c.is_ascii_digit());
    let mut found: BTreeSet<_> = digits
        .filter(|digits| !digits.is_empty())
        .map(|digits| digits.trim_start_matches('0').to_owned())
        .collect();
    if found.is_empty() {
        let named = words(text).filter_map(|word| WORDS.iter().position(|name| *name == word));
        found.extend(named.map(|number| number.to_string()));
    }
    let mut found = found.into_iter();
    match (found.next(), found.next()) {
        (Some(only), None) if only.is_empty() => Ok("0".to_owned()),
        (Some(only), None) => Ok(only),
        (None, _) => Err(Fault::unread(format!(
            "the answer `{}` has no number",
            shown(text)
        ))),
        _ => Err(Fault::unread(format!(
            "the answer `{}` has several numbers",
            shown(text)
        ))),
    }
}

/// Calls `read` with the reader of replies about the problem of a question and its sentences.
fn with_reader<T>(
    question: &Question,
    domain: &Domain,
    problem: &Problem,
    read: impl FnOnce(ReplyReader<'_>, &Wording) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let wording = question_wording(question, domain, problem).map_err(|error| faulty(&error))?;
    let is_plan = question.form == Form::Plan;
    let reads = |text: &str| wording.read(text, &[]).is_ok() || is_plan && wording.is_meant(text);
    let reader = ReplyReader {
        syntax: Some(Syntax::Pddl),
        reads: &reads,
    };
    read(reader, &wording)
}

fn faulty(error: &dyn std::fmt::Display) -> Fault {
    Fault::unread(error.to_string())
}

fn action(question: &Question, text: &str) -> Result<(String, bool), Fault> {
    let (domain, problem) = models(question)?;
    let read = with_reader(question, &domain, &problem, |reader, wording| {
        let action = reader.action(text).map_err(|error| faulty(&error))?;
        if action.is_empty() {
            return Err(Fault::unread(BLANK));
        }
        wording.read(&action, &[]).map_err(|error| faulty(&error))
    })?;
    let is_right = question.accepted.contains(&read);
    Ok((read, is_right))
}

/// Reads a plan and carries it out.
fn plan(question: &Question, text: &str) -> Result<(String, bool), Fault> {
    let (domain, problem) = models(question)?;
    let actions = with_reader(question, &domain, &problem, |reader, wording| {
        let read = |text: &str| wording.read(text, &[]).map_err(|error| faulty(&error));
        let mut actions = Vec::new();
        for step in reader.plan(text) {
            let fault = match read(&step.text) {
                Ok(action) => {
                    actions.push(action);
                    continue;
                }
                Err(fault) => fault,
            };
            // Commas may separate the steps.
            let parts = step.text.split(',').map(str::trim);
            let mut parts = parts.map(|part| read(part.strip_prefix("then ").unwrap_or(part)));
            match parts.next() {
                Some(Ok(first)) => actions.push(first),
                _ => return Err(fault),
            }
            for part in parts {
                actions.push(part?);
            }
        }
        Ok(actions)
    })?;
    if actions.is_empty() {
        return Err(Fault::unread(BLANK));
    }
    let read = actions.join("\n");
    let wrong = |reason: String| Fault {
        read: Some(read.clone()),
        reason,
    };
    let simulator = compile(&domain, &problem).map_err(|error| wrong(error.to_string()))?;
    carry_out(&simulator, &actions).map_err(|fault| wrong(fault.reason))?;
    Ok((read, true))
}

/// Returns the beginning of a text.
pub(crate) fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}
