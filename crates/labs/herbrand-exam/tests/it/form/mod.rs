//! The form of questions says nothing about their answers.
//!
//! Two learners see only the form: a logistic choice by all features, and the best single feature. They learn from one
//! exam and answer another one, made from another seed.

mod features;

use std::collections::BTreeMap;

use herbrand_exam::{Form, Kind, Question};

use crate::{other_questions, questions};
use features::{FEATURES, Row, right, rows};

/// The number of passes over the questions that are learned from.
const PASSES: u32 = 12;
/// The size of the steps of learning.
const RATE: f64 = 0.15;
/// The weight of small weights.
const SMALL: f64 = 0.02;
/// The number of standard deviations above chance from which on a share is more than luck. With two learners and
/// nineteen kinds, all are below in 99 of 100 exams without any information in the form.
const DEVIATIONS: f64 = 3.5;

/// A question as a learner sees it: the features of its answers, and the right one.
struct Example {
    rows: Vec<Row>,
    right: usize,
}

impl Example {
    fn of(question: &Question) -> Self {
        Self {
            rows: rows(question),
            right: right(question),
        }
    }

    /// Returns the answer with the highest score; the first of several.
    fn best(&self, score: impl Fn(&Row) -> f64) -> usize {
        let scores: Vec<f64> = self.rows.iter().map(score).collect();
        (1..scores.len()).fold(0, |best, at| if scores[at] > scores[best] { at } else { best })
    }
}

fn score(weights: &[f64], row: &Row) -> f64 {
    row.iter().map(|&(feature, value)| weights[feature] * value).sum()
}

/// Fits a logistic choice among the answers, by gradient descent with a step per feature (AdaGrad).
fn fit(examples: &[Example]) -> Vec<f64> {
    let (mut weights, mut squares) = (vec![0.0; FEATURES], vec![1e-6; FEATURES]);
    for _ in 0..PASSES {
        for example in examples {
            let scores: Vec<f64> = example
                .rows
                .iter()
                .map(|row| score(&weights, row).exp())
                .collect();
            let sum: f64 = scores.iter().sum();
            for (answer, row) in example.rows.iter().enumerate() {
                let error = f64::from(u8::from(answer == example.right)) - scores[answer] / sum;
                for &(feature, value) in row {
                    let slope: f64 = error * value - SMALL * weights[feature];
                    squares[feature] += slope * slope;
                    weights[feature] += RATE * slope / squares[feature].sqrt();
                }
            }
        }
    }
    weights
}

/// Returns the number of questions that weights answer right.
fn count(examples: &[Example], weights: &[f64]) -> usize {
    let is_right = |example: &&Example| example.best(|row| score(weights, row)) == example.right;
    examples.iter().filter(is_right).count()
}

/// Returns the weights with only one feature, as large or as small as possible, that answer most questions right.
fn best_single(examples: &[Example]) -> Vec<f64> {
    let mut scores = vec![[0_usize; 2]; FEATURES];
    for example in examples {
        // Features that no answer has say nothing.
        let mut seen: Vec<usize> = example
            .rows
            .iter()
            .flatten()
            .map(|&(feature, _)| feature)
            .collect();
        seen.sort_unstable();
        seen.dedup();
        for feature in seen {
            for (at, sign) in [1.0, -1.0].into_iter().enumerate() {
                let value = |row: &Row| {
                    let found = row.iter().filter(|(other, _)| *other == feature);
                    found.map(|(_, value)| value * sign).sum::<f64>()
                };
                scores[feature][at] += usize::from(example.best(value) == example.right);
            }
        }
    }
    let mut weights = vec![0.0; FEATURES];
    let all = scores.iter().enumerate().flat_map(|(feature, signs)| {
        signs
            .iter()
            .enumerate()
            .map(move |(at, &right)| (right, feature, at))
    });
    if let Some((_, feature, at)) = all.max() {
        weights[feature] = if at == 0 { 1.0 } else { -1.0 };
    }
    weights
}

/// Returns the ends of Wilson's confidence interval of 95 % for a share.
fn interval(right: usize, count: usize) -> [f64; 2] {
    let (z, count) = (1.96_f64, count as f64);
    let share = right as f64 / count;
    let spread = (share * (1.0 - share) / count + z * z / (4.0 * count * count)).sqrt() * z;
    [-spread, spread].map(|spread| (share + z * z / (2.0 * count) + spread) / (1.0 + z * z / count))
}

/// Learns from the form of some questions and answers others by it. Checks that no learner has more right answers than
/// chance, for each kind and for all kinds together.
pub(crate) fn check(learned: &[Question], asked: &[Question]) {
    let mut all = [(0, 0, 0.0, 0.0); 2];
    let mut telling = Vec::new();
    for kind in Kind::ALL {
        let examples = |questions: &[Question]| -> Vec<Example> {
            let own = questions.iter().filter(|question| question.kind == kind);
            own.map(Example::of)
                .filter(|example| !example.rows.is_empty())
                .collect()
        };
        let (learned, asked) = (examples(learned), examples(asked));
        if asked.is_empty() {
            continue;
        }
        let (mut expected, mut variance) = (0.0, 0.0);
        for example in &asked {
            let chance = 1.0 / example.rows.len() as f64;
            expected += chance;
            variance += chance * (1.0 - chance);
        }
        for (learner, weights) in [fit(&learned), best_single(&learned)].iter().enumerate() {
            let found = count(&asked, weights);
            let name = ["all features", "one feature"][learner];
            let [low, high] = interval(found, asked.len());
            println!(
                "{kind}, {name}: {found} of {} right, {:.3} ({low:.3} to {high:.3}), by chance {:.3}",
                asked.len(),
                found as f64 / asked.len() as f64,
                expected / asked.len() as f64
            );
            if found as f64 > expected + DEVIATIONS * f64::sqrt(variance) {
                telling.push(format!("{kind} {name}: {found} of {}", asked.len()));
            }
            let sum = &mut all[learner];
            *sum = (
                sum.0 + found,
                sum.1 + asked.len(),
                sum.2 + expected,
                sum.3 + variance,
            );
        }
    }
    for (found, count, expected, variance) in all {
        let [low, high] = interval(found, count);
        println!("all: {found} of {count} right ({low:.3} to {high:.3}), {expected:.0} by chance");
        if found as f64 > expected + DEVIATIONS * f64::sqrt(variance) {
            telling.push(format!("all kinds: {found} of {count}"));
        }
    }
    assert!(telling.is_empty(), "{telling:?}");
}

#[test]
fn the_form_says_nothing() {
    check(other_questions(), questions());
}

#[test]
fn answers_are_balanced() {
    let mut counts = BTreeMap::<_, [i64; 4]>::new();
    let mut domains = BTreeMap::<_, [i64; 4]>::new();
    for question in questions() {
        let answers = match question.answer.as_str() {
            "yes" | "no" => 2,
            "A" | "B" | "C" | "D" => 4,
            _ => continue,
        };
        counts.entry((question.kind, answers)).or_default()[right(question)] += 1;
        domains
            .entry((question.kind, &question.domain, answers))
            .or_default()[right(question)] += 1;
    }
    let spread = |counts: &[i64; 4], answers: usize| {
        let used = &counts[..answers];
        used.iter().max().unwrap_or(&0) - used.iter().min().unwrap_or(&0)
    };
    for ((kind, answers), counts) in counts {
        assert!(spread(&counts, answers) <= 1, "{kind}: {counts:?}");
    }
    for ((kind, domain, answers), counts) in domains {
        assert!(spread(&counts, answers) <= 3, "{kind} {domain}: {counts:?}");
    }
}

/// Returns the questions of a form, with a change of each, several times. All of them count as one kind.
fn changed(questions: &[Question], form: Form, change: impl Fn(&mut Question)) -> Vec<Question> {
    let own = questions.iter().filter(|question| question.form == form);
    let mut own: Vec<Question> = own.cloned().collect();
    for question in &mut own {
        question.kind = Kind::PlanValid;
        change(question);
    }
    // Few questions could be luck.
    (0..4).flat_map(|_| own.clone()).collect()
}

/// Returns whether the learners find what a change of the form gives away.
fn is_found(form: Form, change: impl Fn(&mut Question) + Copy) -> bool {
    let (learned, asked) = (
        changed(other_questions(), form, change),
        changed(questions(), form, change),
    );
    std::panic::catch_unwind(|| check(&learned, &asked)).is_err()
}

#[test]
fn telling_forms_are_found() {
    assert!(is_found(Form::YesNo, |question| {
        if question.answer == "yes" {
            question.question.insert_str(0, &"Yes. ".repeat(2_000));
        }
    }));
    assert!(is_found(Form::Choice, |question| {
        let at = right(question);
        question.choices[at] += " and more";
    }));
    assert!(is_found(Form::Choice, |question| {
        // The right one of numbers is the greatest.
        question.choices = ["1", "2", "3"].map(str::to_owned).to_vec();
        question.choices.insert(right(question), "4".to_owned());
    }));
    assert!(is_found(Form::Number, |question| {
        question.answer = "2".to_owned()
    }));
}
