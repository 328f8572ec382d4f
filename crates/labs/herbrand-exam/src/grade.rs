//! Grading answers.

use std::collections::{BTreeMap, BTreeSet};

use herbrand_pddl::{Domain, Problem};
use herbrand_step::compile;
use serde::{Deserialize, Serialize};

use crate::kind::Form;
use crate::numeric;
use crate::question::{Question, letter};
use crate::reason::{Fault, carry_out, models, question_wording, reason};
use crate::report::{Grades, Verdict};

/// The number of bytes of an answer that are read.
const LONGEST: usize = 1 << 16;

/// An answer to a question: one line of a file of answers, which [`read_lines`](crate::read_lines) reads. Other fields
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
/// which is wrong, and [counted](Grades::blank). Without questions, the grades count no answers.
///
/// # Errors
/// Fails with all faults at once: unknown and repeated ids, in sentences.
pub fn grade(questions: &[Question], answers: &[Answer]) -> Result<Grades, Vec<String>> {
    let mut known = BTreeMap::new();
    let mut faults = Vec::new();
    for question in questions {
        if known.insert(question.id.as_str(), question).is_some() {
            faults.push(format!("the question `{}` occurs twice", question.id));
        }
    }
    let mut given = BTreeMap::new();
    for answer in answers {
        let number = answer
            .id
            .parse()
            .ok()
            .and_then(|number: usize| number.checked_sub(1));
        let numbered = || number.and_then(|index| questions.get(index));
        let Some(question) = known.get(answer.id.as_str()).copied().or_else(numbered) else {
            faults.push(format!("there is no question `{}`", shown(&answer.id)));
            continue;
        };
        if given
            .insert(question.id.as_str(), answer.answer.as_str())
            .is_some()
        {
            faults.push(format!("the question `{}` has several answers", answer.id));
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let verdicts = questions.iter().map(|question| {
        judge(
            question,
            given.get(question.id.as_str()).copied().unwrap_or_default(),
        )
    });
    let verdicts: Vec<_> = verdicts.collect();
    let is_blank = |verdict: &&Verdict| verdict.fault.as_deref() == Some(BLANK);
    let blank = verdicts.iter().filter(is_blank).count();
    Ok(Grades::new(questions, verdicts, blank))
}

/// Grades one answer. The answer begins after the last `Answer:` of the text, or else is the whole text. It is read
/// tolerantly: case, articles and punctuation do not matter, and a number may be rounded, be a fraction or in percent if only one
/// of the choices is near it. An answer that cannot be read is wrong, and its
/// [`Verdict::read`] is `None`.
#[must_use]
pub fn judge(question: &Question, text: &str) -> Verdict {
    let text = last_answer(text);
    let judged = match question.form {
        _ if text.is_empty() => Err(Fault::unread(BLANK)),
        Form::YesNo => yes_or_no(text).map(|read| (read.to_owned(), read == question.answer)),
        Form::Choice => choice(question, text).map(|read| {
            let is_right = read == question.answer;
            (read, is_right)
        }),
        Form::Number => number(text).map(|read| {
            let is_right = read == question.answer;
            (read, is_right)
        }),
        Form::Action => action(question, text),
        Form::Plan => plan(question, text),
    };
    let (read, fault) = match judged {
        Ok((read, true)) => (Some(read), None),
        Ok((read, false)) => {
            let mut fault = match question.form {
                Form::Action => format!("{read} does not make the plan work"),
                _ => format!("the right answer is {}", question.answer),
            };
            if let Some(reason) = reason(question, &read) {
                fault = format!("{fault}: {reason}");
            }
            (Some(read), Some(fault))
        }
        Err(Fault { read, reason }) => (read, Some(reason)),
    };
    Verdict {
        id: question.id.clone(),
        right: fault.is_none(),
        read,
        fault,
    }
}

/// Returns what follows the last `Answer:`, or the whole text.
fn last_answer(text: &str) -> &str {
    let text = match text.char_indices().nth(LONGEST) {
        Some((at, _)) => &text[..at],
        None => text,
    };
    const MARK: &str = "answer:";
    let found = (0..text.len()).rev().find(|&at| {
        let mark = text.as_bytes().get(at..at + MARK.len());
        mark.is_some_and(|mark| mark.eq_ignore_ascii_case(MARK.as_bytes()))
    });
    let rest = found.map_or(text, |at| &text[at + MARK.len()..]);
    rest.trim_matches(|c: char| c.is_whitespace() || "*`\"'".contains(c))
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

/// Reads the only whole number of a text.
fn number(text: &str) -> Result<String, Fault> {
    let digits = text.split(|c: char| !c.is_ascii_digit());
    let found: BTreeSet<_> = digits
        .filter(|digits| !digits.is_empty())
        .map(|digits| digits.trim_start_matches('0').to_owned())
        .collect();
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

fn read_actions(
    question: &Question,
    domain: &Domain,
    problem: &Problem,
    text: &str,
) -> Result<Vec<String>, Fault> {
    let faulty = |error: &dyn std::fmt::Display| Fault::unread(error.to_string());
    let wording = question_wording(question, domain, problem).map_err(|error| faulty(&error))?;
    // Lines of plans are often numbered.
    let lines = text.split(['\n', ';']).map(|line| {
        let line = line.trim();
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        match rest.strip_prefix(['.', ')', ':']) {
            Some(rest) if rest.len() < line.len() => rest.trim(),
            _ => line.trim_start_matches(['-', '*', '•']).trim(),
        }
    });
    let lines = lines.filter(|line| !line.is_empty());
    let mut actions = Vec::new();
    for text in lines.flat_map(actions_of) {
        actions.push(wording.read(text, &[]).map_err(|error| faulty(&error))?);
    }
    Ok(actions)
}

/// Returns the actions in parentheses of a line if it consists of them, perhaps with punctuation, "then" or "and" between
/// them; else the line.
fn actions_of(line: &str) -> Vec<&str> {
    let is_between = |text: &str| {
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        words.all(|word| word.is_empty() || ["then", "and"].contains(&word))
    };
    let (mut actions, mut rest) = (Vec::new(), line);
    while let Some((before, after)) = rest.split_once('(') {
        let Some(end) = after.find(')').filter(|_| is_between(before)) else {
            return vec![line];
        };
        let start = rest.len() - after.len() - 1;
        actions.push(&rest[start..start + end + 2]);
        rest = &after[end + 1..];
    }
    if actions.len() > 1 && is_between(rest) {
        actions
    } else {
        vec![line]
    }
}

fn action(question: &Question, text: &str) -> Result<(String, bool), Fault> {
    let (domain, problem) = models(question)?;
    let actions = read_actions(question, &domain, &problem, text)?;
    match actions.as_slice() {
        [only] => Ok((only.clone(), question.accepted.contains(only))),
        several => Err(Fault::unread(format!(
            "the answer has {} actions instead of one",
            several.len()
        ))),
    }
}

/// Reads a plan and carries it out.
fn plan(question: &Question, text: &str) -> Result<(String, bool), Fault> {
    let (domain, problem) = models(question)?;
    let actions = read_actions(question, &domain, &problem, text)?;
    let read = actions.join("\n");
    let wrong = |reason: String| Fault {
        read: Some(read.clone()),
        reason,
    };
    let simulator = compile(&domain, &problem).map_err(|error| wrong(error.to_string()))?;
    carry_out(&simulator, &actions).map_err(wrong)?;
    Ok((read, true))
}

/// Returns the beginning of a text.
fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}
