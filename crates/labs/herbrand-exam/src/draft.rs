//! Questions before they have an answer and words.

use herbrand_step::Random;

use crate::question::{Solution, Subject};

/// A question whose listed answers could all be right. Which one is right is decided last, so that it does not depend on
/// how the question was drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Draft {
    /// The subject for which the answer is yes, and the one of the same form for which it is no.
    YesNo([Subject; 2]),
    /// A right option and three wrong ones, which the subject lacks.
    Choice {
        subject: Subject,
        right: String,
        wrong: Vec<String>,
    },
    /// An answer that is not listed.
    Open(Subject, Solution),
}

impl Draft {
    /// Puts three of the wrong options in random order.
    pub(crate) fn choice(subject: Subject, right: String, wrong: Vec<String>, random: &mut Random) -> Self {
        Self::Choice {
            subject,
            right,
            wrong: several(random, &wrong, 3),
        }
    }

    /// Returns the number of answers among which the right one is drawn; 0 if they are not listed.
    pub(crate) const fn answers(&self) -> u32 {
        match self {
            Self::YesNo(_) => 2,
            Self::Choice { .. } => 4,
            Self::Open(..) => 0,
        }
    }

    /// Returns the question whose answer is number `target`: 0 for yes, or the position of a choice.
    pub(crate) fn with_answer(self, target: u32) -> (Subject, Solution) {
        match self {
            Self::YesNo([yes, no]) => {
                let is_yes = target == 0;
                (if is_yes { yes } else { no }, Solution::yes(is_yes))
            }
            Self::Choice {
                subject,
                right,
                wrong: mut options,
            } => {
                let target = (target as usize).min(options.len());
                options.insert(target, right);
                (Subject { options, ..subject }, Solution::letter(target))
            }
            Self::Open(subject, solution) => (subject, solution),
        }
    }
}

/// Puts items in random order.
pub(crate) fn shuffle<T>(random: &mut Random, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        let other = random.below(last as u32 + 1) as usize;
        items.swap(last, other);
    }
}

/// Returns up to `count` different items, in random order.
pub(crate) fn several<T: Clone>(random: &mut Random, items: &[T], count: usize) -> Vec<T> {
    let mut items = items.to_vec();
    shuffle(random, &mut items);
    items.truncate(count);
    items
}

/// Returns a number with six digits after the point.
pub(crate) fn written(number: f64) -> String {
    // Adding zero removes the sign of a negative zero; a tiny negative number must not keep its sign either.
    let text = format!("{:.6}", number + 0.0);
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|byte| matches!(byte, b'0' | b'.')) => rest.to_owned(),
        _ => text,
    }
}

/// The least difference of two choices. The sixth digit after the point is rounded, so equal numbers may differ in it.
const APART: f64 = 1.5e-6;

/// One of several questions of the same form, with a number as its answer.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) subject: Subject,
    pub(crate) value: String,
}

impl Case {
    /// Asks one of four questions with different values, drawn at random. The four values are the choices. `None` if two
    /// of them are so near that both may be the same number, rounded.
    pub(crate) fn one_of(mut cases: Vec<Self>, random: &mut Random) -> Option<Draft> {
        let mut values: Vec<f64> = cases.iter().filter_map(|case| case.value.parse().ok()).collect();
        values.sort_by(f64::total_cmp);
        if cases.len() != 4 || values.windows(2).any(|pair| pair[1] - pair[0] < APART) {
            return None;
        }
        let Self { subject, value } = cases.swap_remove(random.below(4) as usize);
        let others = cases.into_iter().map(|other| other.value).collect();
        Some(Draft::choice(subject, value, others, random))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0.3796875 is written in two ways, by the order in which the summands are added.
    #[test]
    fn numbers_that_differ_by_rounding_only_are_no_choices() {
        let drafted = |values: [&str; 4]| {
            let case = |value: &str| Case {
                subject: Subject::default(),
                value: value.to_owned(),
            };
            Case::one_of(values.map(case).to_vec(), &mut Random::new(1)).is_some()
        };
        assert!(!drafted(["0.379687", "0.25", "0.379688", "1"]));
        assert!(drafted(["0.379687", "0.25", "0.379689", "1"]));
    }
}
