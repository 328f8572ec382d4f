//! Values in traces.

use std::fmt;

use herbrand_rddl::{Instance, Range};
use serde::{Deserialize, Serialize};

use crate::simulate::{CompiledInstance, FluentValue};

/// A value in a trace: `true`, `3`, `0.5`, or a text: the name of an item, or `inf`, `-inf` or `nan`. A
/// [`TraceLine`](super::TraceLine) consists of them; [`of`](Self::of) makes one and [`value`](Self::value) reads it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// A bool.
    Bool(bool),
    /// An int.
    Int(i64),
    /// A finite real.
    Real(f64),
    /// An item, or a real that JSON cannot represent as a number.
    Text(String),
}

impl Cell {
    /// Creates the cell of a real, as text if JSON cannot represent it.
    #[must_use]
    pub fn real(value: f64) -> Self {
        if value.is_finite() {
            Self::Real(value)
        } else if value.is_nan() {
            Self::Text("nan".to_owned())
        } else {
            Self::Text(if value > 0.0 { "inf" } else { "-inf" }.to_owned())
        }
    }

    /// Returns the value of a number, `inf`, `-inf` or `nan` as a real; `None` for bools and items.
    #[must_use]
    pub fn as_real(&self) -> Option<f64> {
        match self {
            Self::Bool(_) => None,
            Self::Int(value) => Some(*value as f64),
            Self::Real(value) => Some(*value),
            Self::Text(text) => match text.as_str() {
                "inf" => Some(f64::INFINITY),
                "-inf" => Some(f64::NEG_INFINITY),
                "nan" => Some(f64::NAN),
                _ => None,
            },
        }
    }

    /// Creates the cell of the value of a fluent with this range. An item becomes its name, or an int if the range has no
    /// such item.
    #[must_use]
    pub fn of(instance: &Instance, range: Range, value: FluentValue) -> Self {
        match (range, value) {
            (_, FluentValue::Bool(value)) => Self::Bool(value),
            (Range::Item(of), FluentValue::Int(place))
                if place >= 0 && place < i64::from(instance.size(of)) =>
            {
                Self::Text(instance.item_name(of, place as u32).to_string())
            }
            (_, FluentValue::Int(value)) => Self::Int(value),
            (_, FluentValue::Real(value)) => Self::real(value),
        }
    }

    /// Converts the cell to a value of `range`; `None` if it is not a value of that range. A real without a fraction is
    /// accepted as an int, and an int as a real. `@` before the name of an item is ignored.
    #[must_use]
    pub fn value(&self, instance: &Instance, range: Range) -> Option<FluentValue> {
        match (range, self) {
            (Range::Bool, Self::Bool(value)) => Some(FluentValue::Bool(*value)),
            (Range::Int, Self::Int(value)) => Some(FluentValue::Int(*value)),
            (Range::Int, Self::Real(value)) if value.fract() == 0.0 && value.abs() < 9.2e18 => {
                Some(FluentValue::Int(*value as i64))
            }
            (Range::Real, cell) => cell.as_real().map(FluentValue::Real),
            (Range::Item(of), Self::Text(name)) => {
                let place = instance.find_item(of, name.trim_start_matches('@'))?;
                Some(FluentValue::Int(i64::from(place)))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value:?}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// Returns the name of a range in a header.
pub(super) fn range_name(compiled: &CompiledInstance, range: Range) -> String {
    match range {
        Range::Bool => "bool".to_owned(),
        Range::Int => "int".to_owned(),
        Range::Real => "real".to_owned(),
        Range::Item(of) => compiled.instance.domain.type_of(of).name.to_string(),
    }
}
