//! Mappings from unrestricted parameters to values of action fields.

use herbrand_core::{ActionField, ActionLayout, FieldDomain, FieldValue};

use super::smooth::{logit, sigmoid};

/// The mapping from a parameter to the value of an action field.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Squash {
    /// A bool: the sigmoid of the parameter.
    Bool { default: bool },
    /// A number with two bounds. Parameters are between −1 and 1.
    Between {
        low: f64,
        high: f64,
        whole: bool,
        default: f64,
    },
    /// A number with at most one bound.
    Open {
        low: f64,
        high: f64,
        whole: bool,
        default: f64,
    },
}

impl Squash {
    pub(super) fn all(layout: &ActionLayout) -> Vec<Self> {
        layout.fields().iter().map(Self::of).collect()
    }

    fn of(field: &ActionField) -> Self {
        let default = field.default.map_or(0.0, number);
        let number = |low: f64, high: f64, whole: bool| {
            if low.is_finite() && high.is_finite() {
                Self::Between {
                    low,
                    high,
                    whole,
                    default,
                }
            } else {
                Self::Open {
                    low,
                    high,
                    whole,
                    default,
                }
            }
        };
        match field.domain {
            FieldDomain::Discrete { count: 2 } => Self::Bool {
                default: default != 0.0,
            },
            FieldDomain::Discrete { count } => number(0.0, f64::from(count.saturating_sub(1)), true),
            FieldDomain::Int { low, high } => {
                let end =
                    |end: i64, none: i64, infinity: f64| if end == none { infinity } else { end as f64 };
                number(
                    end(low, i64::MIN, f64::NEG_INFINITY),
                    end(high, i64::MAX, f64::INFINITY),
                    true,
                )
            }
            FieldDomain::Real { low, high } => number(low, high, false),
        }
    }

    pub(super) const fn is_bool(&self) -> bool {
        matches!(self, Self::Bool { .. })
    }

    pub(super) fn default(&self) -> f64 {
        match self {
            Self::Bool { default } => f64::from(u8::from(*default)),
            Self::Between { default, .. } | Self::Open { default, .. } => *default,
        }
    }

    /// Returns the value for a parameter, and the derivative.
    pub(super) fn value(&self, parameter: f64) -> (f64, f64) {
        match *self {
            Self::Bool { .. } => {
                let p = sigmoid(parameter);
                (p, p * (1.0 - p))
            }
            Self::Between { low, high, .. } => {
                let half = 0.5 * high - 0.5 * low;
                let value = 0.5 * high + 0.5 * low + half * parameter;
                (value.clamp(low, high), half)
            }
            Self::Open { low, high, .. } => (parameter.max(low).min(high), 1.0),
        }
    }

    /// Returns the parameter for a value.
    pub(super) fn parameter(&self, value: f64) -> f64 {
        match *self {
            Self::Bool { .. } => logit(value.clamp(0.05, 0.95)),
            Self::Between { low, high, .. } if high > low => {
                ((value - (0.5 * high + 0.5 * low)) / (0.5 * high - 0.5 * low)).clamp(-1.0, 1.0)
            }
            Self::Between { .. } => 0.0,
            Self::Open { low, high, .. } => value.max(low).min(high),
        }
    }

    /// Returns the closest allowed parameter.
    pub(super) fn project(&self, parameter: f64) -> f64 {
        match *self {
            Self::Bool { .. } => parameter.clamp(-10.0, 10.0),
            Self::Between { .. } => parameter.clamp(-1.0, 1.0),
            Self::Open { low, high, .. } => parameter.max(low).min(high),
        }
    }

    /// Rounds a value to a valid value of the field.
    pub(super) fn settled(&self, value: f64) -> f64 {
        match *self {
            Self::Bool { .. } => f64::from(u8::from(value > 0.5)),
            Self::Between { low, high, whole, .. } | Self::Open { low, high, whole, .. } => {
                let value = if whole { value.round_ties_even() } else { value };
                value.max(low).min(high)
            }
        }
    }

    /// Returns the scaled distance of a value from the default. It decides which fields are set if too many would be.
    fn weight(&self, value: f64) -> f64 {
        let scale = match *self {
            Self::Between { low, high, .. } => (high - low).max(f64::MIN_POSITIVE),
            Self::Bool { .. } | Self::Open { .. } => 1.0,
        };
        (value - self.default()).abs() / scale
    }
}

/// Converts a value to a number.
pub(super) fn number(value: FieldValue) -> f64 {
    match value {
        FieldValue::Discrete(value) => f64::from(value),
        FieldValue::Int(value) => value as f64,
        FieldValue::Real(value) => value,
    }
}

/// Rounds values to a valid joint action. If too many fields are set, the values farthest from their defaults are kept.
pub(super) fn settle(squashes: &[Squash], most: usize, values: &mut [f64]) {
    let weights: Vec<f64> = squashes
        .iter()
        .zip(&*values)
        .map(|(one, &value)| one.weight(value))
        .collect();
    for (one, value) in squashes.iter().zip(&mut *values) {
        *value = one.settled(*value);
    }
    let mut set: Vec<usize> = (0..values.len())
        .filter(|&at| values[at] != squashes[at].default())
        .collect();
    if set.len() > most {
        set.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
        for &at in &set[most..] {
            values[at] = squashes[at].default();
        }
    }
}

/// Returns the bools that count towards the limit, if it is a limit: all bools with default false.
fn limited(squashes: &[Squash], most: usize) -> Vec<usize> {
    let is_counted = |at: &usize| matches!(squashes[*at], Squash::Bool { default: false });
    let counted: Vec<usize> = (0..squashes.len()).filter(is_counted).collect();
    if counted.len() > most { counted } else { Vec::new() }
}

/// If the expected number of true bools has reached the limit, removes from the gradient the component that would raise all
/// of them. The rest compares the bools with each other.
pub(super) fn along_limit(squashes: &[Squash], most: usize, parameters: &[f64], gradient: &mut [f64]) {
    let counted = limited(squashes, most);
    let expected: f64 = counted.iter().map(|&at| sigmoid(parameters[at])).sum();
    if counted.is_empty() || expected < most as f64 - 1e-6 {
        return;
    }
    let slope = |at: usize| squashes[at].value(parameters[at]).1;
    let across: f64 = counted.iter().map(|&at| slope(at) * gradient[at]).sum();
    let square: f64 = counted.iter().map(|&at| slope(at).powi(2)).sum();
    if across > 0.0 && square > 0.0 {
        counted
            .iter()
            .for_each(|&at| gradient[at] -= slope(at) * across / square);
    }
}

/// Lowers the parameters of bools by the same amount until at most `most` of them are expected to be true. Bools with
/// default true are not changed.
pub(super) fn limit(squashes: &[Squash], most: usize, parameters: &mut [f64]) {
    let counted = limited(squashes, most);
    let most = most as f64;
    let expected = |parameters: &[f64], less: f64| -> f64 {
        counted.iter().map(|&at| sigmoid(parameters[at] - less)).sum()
    };
    if counted.is_empty() || expected(parameters, 0.0) <= most {
        return;
    }
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if expected(parameters, middle) > most {
            low = middle;
        } else {
            high = middle;
        }
    }
    counted.iter().for_each(|&at| parameters[at] -= high);
}
