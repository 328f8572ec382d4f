//! The form of questions helps little to guess answers.

use std::collections::BTreeMap;

use herbrand_exam::{ExamOptions, Form, Kind, Question, make};
use herbrand_limits::Budget;

use crate::{options, questions};

/// The number of features of an answer.
const FEATURES: usize = 16;

/// Returns the form of a question and of one of its answers: lengths, numbers of words, positions, numbers of objects.
fn features(question: &Question, answer: usize) -> [f64; FEATURES] {
    let text = &question.question;
    let mut features = [0.0; FEATURES];
    match question.form {
        Form::YesNo => {
            // A yes is scored by the question, and a no is the reference.
            let facts: String = question.subject.options.concat();
            let steps = question.subject.actions.concat();
            let sizes = [
                1.0,
                text.len() as f64 / 1000.0,
                text.split_whitespace().count() as f64 / 200.0,
                question.subject.actions.len() as f64 / 5.0,
                steps.len() as f64 / 100.0,
                facts.len() as f64 / 30.0,
                facts.split_whitespace().count() as f64 / 5.0,
                f64::from(question.difficulty.objects) / 10.0,
                question.domain.len() as f64 / 10.0,
                repeated(&steps),
            ];
            if answer == 0 {
                features[..sizes.len()].copy_from_slice(&sizes);
            }
        }
        _ => {
            let choices = &question.choices;
            let own = &choices[answer];
            let mean = |measure: &dyn Fn(&String) -> f64| {
                choices.iter().map(measure).sum::<f64>() / choices.len() as f64
            };
            let length = |text: &String| text.len() as f64;
            let words = |text: &String| text.split_whitespace().count() as f64;
            let number = |text: &String| text.parse::<f64>().unwrap_or(0.0);
            let rank = choices.iter().filter(|other| number(other) < number(own)).count();
            let size = text.len() as f64 / 1000.0;
            let position = answer.min(3);
            features[position] = 1.0;
            features[4] = (length(own) - mean(&length)) / 10.0;
            features[5] = words(own) - mean(&words);
            features[6] = rank as f64 / 3.0;
            features[7] = (number(own) - mean(&number)) / 5.0;
            features[8] = f64::from(u8::from(rank == 0));
            features[9] = f64::from(u8::from(rank == 3));
            features[10] = size * rank as f64 / 3.0;
            features[11] = question.subject.actions.len() as f64 / 5.0 * rank as f64;
            features[12] = f64::from(question.difficulty.objects) / 10.0 * rank as f64;
            features[13] = repeated(own);
        }
    }
    features
}

/// Returns the share of words that occur before.
fn repeated(text: &str) -> f64 {
    let words: Vec<_> = text.split_whitespace().collect();
    let again = (0..words.len())
        .filter(|&at| words[..at].contains(&words[at]))
        .count();
    again as f64 / words.len().max(1) as f64
}

fn answers(question: &Question) -> usize {
    if question.form == Form::YesNo {
        2
    } else {
        question.choices.len()
    }
}

/// Returns which answer is right.
fn right(question: &Question) -> usize {
    match question.answer.as_str() {
        "yes" | "A" => 0,
        "no" | "B" => 1,
        "C" => 2,
        _ => 3,
    }
}

fn scores(weights: &[f64; FEATURES], question: &Question) -> Vec<f64> {
    let score = |answer: usize| {
        let features = features(question, answer);
        features
            .iter()
            .zip(weights)
            .map(|(one, weight)| one * weight)
            .sum::<f64>()
    };
    (0..answers(question)).map(score).collect()
}

/// Fits a logistic choice among the answers by their features, by gradient descent.
fn fit(questions: &[&Question]) -> [f64; FEATURES] {
    let mut weights = [0.0; FEATURES];
    for round in 0..300 {
        let mut gradient = [0.0; FEATURES];
        for question in questions {
            let scores: Vec<f64> = scores(&weights, question).into_iter().map(f64::exp).collect();
            let sum: f64 = scores.iter().sum();
            for (answer, score) in scores.iter().enumerate() {
                let error = f64::from(u8::from(answer == right(question))) - score / sum;
                for (slope, feature) in gradient.iter_mut().zip(features(question, answer)) {
                    *slope += error * feature / questions.len() as f64;
                }
            }
        }
        let rate = 2.0 / (1.0 + f64::from(round) / 100.0);
        for (weight, slope) in weights.iter_mut().zip(gradient) {
            *weight += rate * (slope - 0.01 * *weight);
        }
    }
    weights
}

/// Fits on one half of the questions and answers the other, both ways, for each kind. Checks that no more are right
/// than four standard deviations above chance.
pub(crate) fn check(questions: &[Question]) {
    let mut kinds = BTreeMap::<Kind, Vec<&Question>>::new();
    for question in questions {
        if matches!(question.form, Form::YesNo | Form::Choice) {
            kinds.entry(question.kind).or_default().push(question);
        }
    }
    let (mut all, mut all_right, mut all_expected, mut all_variance) = (0, 0, 0.0, 0.0);
    for (kind, questions) in kinds {
        let half = |odd: usize| -> Vec<&Question> {
            // Neighbours are about different domains.
            let halves = questions.iter().enumerate().filter(|(at, _)| at / 7 % 2 == odd);
            halves.map(|(_, question)| *question).collect()
        };
        let mut found = 0;
        for odd in [0, 1] {
            let weights = fit(&half(1 - odd));
            found += half(odd)
                .into_iter()
                .filter(|question| {
                    let scores = scores(&weights, question);
                    let best = (0..scores.len()).max_by(|&one, &other| scores[one].total_cmp(&scores[other]));
                    best == Some(right(question))
                })
                .count();
        }
        let count = questions.len() as f64;
        let chance = 1.0 / answers(questions[0]) as f64;
        let (expected, variance) = (count * chance, count * chance * (1.0 - chance));
        println!("{kind}: {found} of {count} by the form, {expected:.0} by chance");
        assert!(
            (found as f64) < expected + 4.0 * variance.sqrt(),
            "{kind}: {found} of {count}"
        );
        all += questions.len();
        all_right += found;
        all_expected += expected;
        all_variance += variance;
    }
    println!("all: {all_right} of {all} by the form, {all_expected:.0} by chance");
    assert!(
        (all_right as f64) < all_expected + 4.0 * f64::sqrt(all_variance),
        "{all_right} of {all}"
    );
}

#[test]
fn the_form_says_nothing() {
    check(questions());
}

#[test]
fn answers_are_balanced() {
    let mut counts = BTreeMap::<_, [i64; 4]>::new();
    for question in questions() {
        if matches!(question.form, Form::YesNo | Form::Choice) {
            counts.entry((question.kind, &question.domain)).or_default()[right(question)] += 1;
        }
    }
    for ((kind, domain), counts) in counts {
        let used = if kind.form() == Form::YesNo {
            &counts[..2]
        } else {
            &counts[..]
        };
        let spread = used.iter().max().unwrap_or(&0) - used.iter().min().unwrap_or(&0);
        assert!(spread <= 1, "{kind} {domain}: {counts:?}");
    }
}

/// The classifier finds what the form gives away.
#[test]
#[should_panic(expected = "plan-valid")]
fn a_telling_form_is_found() {
    let asked = ExamOptions {
        kinds: vec![Kind::PlanValid],
        ..options(60)
    };
    let mut telling = make(&asked, &Budget::unlimited(), &|_| {}).expect("the answers agree");
    for question in &mut telling {
        if question.answer == "yes" {
            question.question += &" This sentence is only in questions with a plan that works.".repeat(60);
        }
    }
    check(&telling);
}
