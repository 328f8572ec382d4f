//! Action layouts: the fields of a joint action, their domains and the offsets of their alternatives in action masks.

use std::fmt;
use std::sync::Arc;

use super::{Choice, FieldValue};

/// The set of values that an action field accepts. It is the [`domain`](ActionField::domain) of a field. With `count`
/// 0, or with `low` above `high`, it is empty. A bound that is NaN makes it empty too. An infinite bound of `Real` also
/// accepts that infinity.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FieldDomain {
    /// The alternatives `0..count`, such as the ground actions of a PDDL problem or the two values of a boolean action
    /// fluent.
    Discrete {
        /// The number of alternatives.
        count: u32,
    },
    /// The integers from `low` to `high`, inclusive. `i64::MIN` and `i64::MAX` mean unbounded.
    Int {
        /// The smallest value.
        low: i64,
        /// The largest value.
        high: i64,
    },
    /// The real numbers from `low` to `high`, inclusive; an infinite bound means unbounded.
    Real {
        /// The smallest value.
        low: f64,
        /// The largest value.
        high: f64,
    },
}

impl FieldDomain {
    /// Returns the smallest and the largest value as numbers. Alternatives count from 0. `i64::MIN` and `i64::MAX`, which
    /// mean unbounded, are rounded to ±2⁶³.
    #[must_use]
    pub fn bounds(self) -> (f64, f64) {
        match self {
            Self::Discrete { count } => (0.0, f64::from(count.max(1) - 1)),
            Self::Int { low, high } => (low as f64, high as f64),
            Self::Real { low, high } => (low, high),
        }
    }

    /// Returns whether `value` has the type of this domain and lies within its bounds. NaN lies within no bounds.
    #[must_use]
    pub fn contains(&self, value: FieldValue) -> bool {
        match (*self, value) {
            (Self::Discrete { count }, FieldValue::Discrete(alternative)) => alternative < count,
            (Self::Int { low, high }, FieldValue::Int(value)) => (low..=high).contains(&value),
            (Self::Real { low, high }, FieldValue::Real(value)) => (low..=high).contains(&value),
            _ => false,
        }
    }

    /// Converts a number to a value of this domain. Discrete and integer domains accept whole numbers only. Integers
    /// must be below 9.2e18 in magnitude. So a number beyond that is refused even where the domain is unbounded. A real
    /// domain accepts every number within its bounds.
    ///
    /// A number that differs from a bound by rounding gives the bound: by at most four units in the last place of the
    /// largest number between the bounds, in the number's type. That is `f32` for numbers that `f32` can represent, and
    /// `f64` for others.
    ///
    /// Returns `None` if the number is NaN, is out of bounds, or is not whole where it must be.
    #[must_use]
    #[inline]
    pub fn value_of(&self, number: f64) -> Option<FieldValue> {
        // Casts from floats saturate, so a fractional or too large number differs from its cast.
        let value = match *self {
            Self::Discrete { .. } if f64::from(number as u32) == number => {
                FieldValue::Discrete(number as u32)
            }
            Self::Int { .. } if (number as i64) as f64 == number && number.abs() < 9.2e18 => {
                FieldValue::Int(number as i64)
            }
            Self::Real { .. } => FieldValue::Real(number),
            _ => return self.bound_near(number),
        };
        if self.contains(value) {
            Some(value)
        } else {
            self.bound_near(number)
        }
    }

    /// Returns the bound of a numeric domain from which a number differs only by rounding.
    #[cold]
    fn bound_near(self, number: f64) -> Option<FieldValue> {
        const UNITS: f64 = 4.0;
        let bounds = match self {
            Self::Discrete { .. } => return None,
            Self::Int { low, high } => [FieldValue::Int(low), FieldValue::Int(high)],
            Self::Real { low, high } => [FieldValue::Real(low), FieldValue::Real(high)],
        };
        let (low, high) = match self {
            Self::Int { low, high } => (
                if low == i64::MIN {
                    f64::NEG_INFINITY
                } else {
                    low as f64
                },
                if high == i64::MAX {
                    f64::INFINITY
                } else {
                    high as f64
                },
            ),
            domain => domain.bounds(),
        };
        if low > high {
            return None;
        }
        let unit = if f64::from(number as f32) == number {
            f64::from(f32::EPSILON)
        } else {
            f64::EPSILON
        };
        let largest = [low, high]
            .map(f64::abs)
            .into_iter()
            .filter(|bound| bound.is_finite());
        let most = UNITS * unit * largest.fold(0.0, f64::max);
        let near = |bound: f64| bound.is_finite() && (number - bound).abs() <= most;
        match (near(low), near(high)) {
            (true, _) => Some(bounds[0]),
            (_, true) => Some(bounds[1]),
            _ => None,
        }
    }

    /// Converts a number to a value of this domain, like [`value_of`](Self::value_of), but an integer exactly: integers may
    /// be arbitrarily large.
    #[must_use]
    #[inline]
    pub fn value_of_exact(&self, number: FieldValue) -> Option<FieldValue> {
        let number = match number {
            FieldValue::Real(number) => return self.value_of(number),
            FieldValue::Int(number) => number,
            FieldValue::Discrete(number) => i64::from(number),
        };
        let value = match self {
            Self::Discrete { .. } => FieldValue::Discrete(u32::try_from(number).ok()?),
            Self::Int { .. } => FieldValue::Int(number),
            Self::Real { .. } => return self.value_of(number as f64),
        };
        self.contains(value).then_some(value)
    }

    /// Reads a number from a cell: the number itself in a discrete and an integer domain, and its bits in a real one. The
    /// inverse of [`FieldValue::to_cell`].
    #[must_use]
    pub const fn number_in(&self, cell: i64) -> FieldValue {
        match self {
            Self::Real { .. } => FieldValue::Real(f64::from_bits(cell as u64)),
            _ => FieldValue::Int(cell),
        }
    }
}

/// Writes the domain as part of a sentence, such as "an int from 0 to 10".
impl fmt::Display for FieldDomain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bounds = match *self {
            Self::Discrete { count: 2 } => return f.write_str("0 or 1"),
            Self::Discrete { count } => {
                return write!(f, "an int from 0 to {}", count.saturating_sub(1));
            }
            Self::Int { low, high } => {
                f.write_str("an int")?;
                let bound = |bound: i64, none: i64| (bound != none).then(|| bound.to_string());
                [bound(low, i64::MIN), bound(high, i64::MAX)]
            }
            Self::Real { low, high } => {
                f.write_str("a number")?;
                [low, high].map(|bound| bound.is_finite().then(|| format!("{bound:?}")))
            }
        };
        match bounds {
            [Some(low), Some(high)] => write!(f, " from {low} to {high}"),
            [Some(low), None] => write!(f, " of at least {low}"),
            [None, Some(high)] => write!(f, " of at most {high}"),
            [None, None] => Ok(()),
        }
    }
}

/// A component of a joint action, such as one ground action fluent of RDDL: its name, its domain and its default.
/// [`ActionLayout::new`] takes a list of them, and does not check that a default lies in its domain.
#[derive(Clone, PartialEq, Debug)]
pub struct ActionField {
    /// The name of the field.
    pub name: String,
    /// The values that the field accepts.
    pub domain: FieldDomain,
    /// The value if the joint action does not set the field; `None` if every joint action must set it.
    pub default: Option<FieldValue>,
}

/// The fields of a joint action of a problem, and the maximum number of fields that may differ from their defaults at
/// once. [`System::actions`](crate::System::actions) returns that of a problem.
///
/// A PDDL problem has a single discrete field whose alternatives are the ground actions. An RDDL problem has one field per
/// ground action fluent.
///
/// An action mask has one byte per alternative of each discrete field:
///
/// ```text
///   field      move: Discrete(3)   speed: Real    door: Discrete(2)
///   mask       | 0 | 1 | 2 |       (none)         | 0 | 1 |
///   offset       0                                  3
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct ActionLayout {
    mask_len: usize,
    most: usize,
    /// Behind an `Arc`, so that clones are cheap.
    lists: Arc<Lists>,
}

/// The fields of a layout and the tables derived from them.
#[derive(PartialEq, Debug)]
struct Lists {
    fields: Vec<ActionField>,
    /// For each field, the offset of its alternatives in a mask.
    offsets: Vec<u32>,
    /// The fields without a default.
    required: Vec<u32>,
}

/// The reason why a list of choices is not a valid joint action of a layout. [`ActionLayout::check`] and the functions
/// that read rows return it. A [`VecEnv`](crate::VecEnv) reports it for a row as
/// [`EpisodeFault::Joint`](crate::EpisodeFault::Joint). Systems report it by their own error; some, such as PDDL
/// problems, have other errors for the same faults.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum JointError {
    /// A choice names a field that does not exist. [`ActionLayout::read_row`] also returns it for a row of the wrong
    /// length, with that length as `field`.
    #[error("there is no action field number {field}: there are {fields}")]
    UnknownField {
        /// The index of the field.
        field: u32,
        /// The number of fields.
        fields: usize,
    },
    /// A value is outside the domain of its field.
    #[error("`{field}` takes {domain}, not {value}")]
    OutOfDomain {
        /// The name of the field.
        field: String,
        /// The rejected value. A number that was read from a row or a pair is a `Real`, whatever the domain.
        value: FieldValue,
        /// The domain of the field.
        domain: FieldDomain,
    },
    /// A field is set more than once.
    #[error("`{field}` is set twice")]
    SetTwice {
        /// The name of the field.
        field: String,
    },
    /// A field without a default is not set.
    #[error("`{field}` must be set")]
    NotSet {
        /// The name of the field.
        field: String,
    },
    /// More fields differ from their defaults than the layout allows ([`ActionLayout::most`]).
    #[error("{found} action fluents are set, and at most {most} may be at once")]
    TooMany {
        /// The number of choices that differ from the defaults of their fields, choices of fields without a default
        /// included.
        found: usize,
        /// The maximum that the layout allows.
        most: usize,
    },
}

impl ActionLayout {
    /// Creates a layout from its fields; at most `most` of them may differ from their defaults at once. The position of
    /// a field in `fields` is its index in a [`Choice`]. Every joint action must also set each field without a default.
    /// If `most` is 0, only joint actions of default values are well formed, or none if a field has no default. A field
    /// without a default counts among these `most` whatever its value. The discrete fields must have fewer than 2^32
    /// alternatives in all. With more, mask offsets overflow, which panics in debug builds.
    #[must_use]
    pub fn new(fields: Vec<ActionField>, most: usize) -> Self {
        let mut mask_len = 0_u32;
        let offsets = fields.iter().map(|field| {
            let offset = mask_len;
            if let FieldDomain::Discrete { count } = field.domain {
                mask_len += count;
            }
            offset
        });
        let offsets = offsets.collect();
        let required = (0..).zip(&fields).filter(|(_, field)| field.default.is_none());
        let lists = Lists {
            required: required.map(|(index, _)| index).collect(),
            fields,
            offsets,
        };
        Self {
            mask_len: mask_len as usize,
            most,
            lists: Arc::new(lists),
        }
    }

    /// Creates a layout with a single discrete field of `count` alternatives, named `name`, that every joint action
    /// must set. If `count` is 0, no joint action is well formed. A `count` above `u32::MAX` counts as `u32::MAX`.
    #[must_use]
    pub fn single(name: &str, count: usize) -> Self {
        let field = ActionField {
            name: name.to_owned(),
            domain: FieldDomain::Discrete {
                count: u32::try_from(count).unwrap_or(u32::MAX),
            },
            default: None,
        };
        Self::new(vec![field], 1)
    }

    /// Returns the fields in order; a [`Choice`] names a field by its index here. Fields are counted from 0.
    #[must_use]
    pub fn fields(&self) -> &[ActionField] {
        &self.lists.fields
    }

    /// Returns how many fields may differ from their defaults at once. Fields without a default count too. It may be
    /// larger than the number of fields.
    #[must_use]
    pub const fn most(&self) -> usize {
        self.most
    }

    /// Returns the number of alternatives if the layout consists of one discrete field without a default, and `None`
    /// otherwise. Then a joint action is one number, and [`Choice::discrete`] makes it.
    #[must_use]
    pub fn as_single(&self) -> Option<usize> {
        match &*self.lists.fields {
            [
                ActionField {
                    domain: FieldDomain::Discrete { count },
                    default: None,
                    ..
                },
            ] => Some(*count as usize),
            _ => None,
        }
    }

    /// Returns the length of an action mask in bytes: the sum of the numbers of alternatives of the discrete fields.
    /// Numeric fields have no bytes in a mask, so it is 0 for a layout of numeric fields.
    #[must_use]
    pub const fn mask_len(&self) -> usize {
        self.mask_len
    }

    /// Returns the offset of the first alternative of a field in an action mask. For a numeric field, which has no bytes in
    /// a mask, it is the number of mask bytes before it. `None` if there is no field with this index.
    #[must_use]
    pub fn mask_offset(&self, field: u32) -> Option<usize> {
        self.lists
            .offsets
            .get(field as usize)
            .map(|&offset| offset as usize)
    }

    /// Checks that `joint` is well formed: each value is in the domain of its field, no field is set twice, every
    /// field without a default is set, and at most `most` fields differ from their defaults. Takes time quadratic in
    /// the number of choices. It does not look at any state; [`System::is_valid`](crate::System::is_valid) does.
    ///
    /// # Errors
    /// Returns the first fault: of the choices in order, first an unknown field, then a value outside the domain, then
    /// a field set twice; after all choices, too many set fields; last, a field that is not set.
    pub fn check(&self, joint: &[Choice]) -> Result<(), JointError> {
        let mut set = 0;
        for (index, choice) in joint.iter().enumerate() {
            let Some(field) = self.lists.fields.get(choice.field as usize) else {
                return Err(JointError::UnknownField {
                    field: choice.field,
                    fields: self.lists.fields.len(),
                });
            };
            if !field.domain.contains(choice.value) {
                return Err(JointError::OutOfDomain {
                    field: field.name.clone(),
                    value: choice.value,
                    domain: field.domain,
                });
            }
            if joint[..index].iter().any(|other| other.field == choice.field) {
                return Err(JointError::SetTwice {
                    field: field.name.clone(),
                });
            }
            set += usize::from(field.default != Some(choice.value));
        }
        if set > self.most {
            return Err(JointError::TooMany {
                found: set,
                most: self.most,
            });
        }
        let is_set = |&&index: &&u32| joint.iter().any(|choice| choice.field == index);
        match self.lists.required.iter().find(|index| !is_set(index)) {
            None => Ok(()),
            Some(&index) => Err(JointError::NotSet {
                field: self.lists.fields[index as usize].name.clone(),
            }),
        }
    }

    /// Reads a joint action from a row with one number per field. Replaces the content of `into` by the choices that
    /// differ from the defaults. Takes time linear in the number of fields. It does not check how many fields are set;
    /// [`check`](Self::check) does.
    ///
    /// # Errors
    /// [`JointError::OutOfDomain`] if a number is outside the domain of its field, [`JointError::UnknownField`] if the
    /// row does not have one number per field, with the length of the row as `field`. In both cases `into` is then
    /// unusable: it is empty or has only the choices before the fault.
    pub fn read_row(&self, row: &[f64], into: &mut Vec<Choice>) -> Result<(), JointError> {
        into.clear();
        if row.len() != self.lists.fields.len() {
            return Err(JointError::UnknownField {
                field: u32::try_from(row.len()).unwrap_or(u32::MAX),
                fields: self.lists.fields.len(),
            });
        }
        for (index, &number) in (0..).zip(row) {
            into.extend(self.choice(index, FieldValue::Real(number))?);
        }
        Ok(())
    }

    /// Like [`read_row`](Self::read_row), but reads exact cells ([`FieldDomain::number_in`]).
    ///
    /// # Errors
    /// Like [`read_row`](Self::read_row).
    pub fn read_cells(&self, cells: &[i64], into: &mut Vec<Choice>) -> Result<(), JointError> {
        into.clear();
        for ((index, field), &cell) in (0..).zip(&self.lists.fields).zip(cells) {
            into.extend(self.choice(index, field.domain.number_in(cell))?);
        }
        Ok(())
    }

    /// Like [`read_row`](Self::read_row), but reads `(field, number)` pairs, whose numbers are reals or exact integers; fields that are not listed take their
    /// defaults. Takes time linear in the number of pairs, independent of the number of fields. Pairs are read in
    /// order, and those with the default value are left out. `into` is replaced, as there.
    ///
    /// # Errors
    /// [`JointError::OutOfDomain`] if a number is outside the domain of its field, [`JointError::UnknownField`] if
    /// there is no such field. Fields that are listed twice or required fields that are missing are not faults here;
    /// [`check`](Self::check) finds them. After an error, `into` has only the choices before the fault.
    pub fn read_numbers(
        &self,
        numbers: &[(u32, FieldValue)],
        into: &mut Vec<Choice>,
    ) -> Result<(), JointError> {
        into.clear();
        for &(index, number) in numbers {
            into.extend(self.choice(index, number)?);
        }
        Ok(())
    }

    /// Converts a number to a choice for a field; `None` if the value is the field's default.
    #[inline]
    fn choice(&self, index: u32, number: FieldValue) -> Result<Option<Choice>, JointError> {
        let Some(field) = self.lists.fields.get(index as usize) else {
            return Err(JointError::UnknownField {
                field: index,
                fields: self.lists.fields.len(),
            });
        };
        match field.domain.value_of_exact(number) {
            Some(value) => Ok((field.default != Some(value)).then_some(Choice { field: index, value })),
            None => Err(JointError::OutOfDomain {
                field: field.name.clone(),
                value: number,
                domain: field.domain,
            }),
        }
    }

    /// Writes a joint action as a row with one number per field, the inverse of [`read_row`](Self::read_row). The cell
    /// of a field that `joint` does not set is overwritten by the field's default, or by 0 if it has none. Cells
    /// beyond the number of fields are unchanged; if `row` is shorter than the number of fields, the last fields are
    /// left out. Choices for fields that do not exist are ignored. An integer beyond 2^53 is rounded. Of several
    /// choices for a field, the last is written.
    pub fn write_row(&self, joint: &[Choice], row: &mut [f64]) {
        self.write(joint, row, FieldValue::number);
    }

    /// Like [`write_row`](Self::write_row), but writes exact cells ([`FieldValue::to_cell`]).
    pub fn write_cells(&self, joint: &[Choice], cells: &mut [i64]) {
        self.write(joint, cells, FieldValue::to_cell);
    }

    fn write<C: Default>(&self, joint: &[Choice], row: &mut [C], cell_of: impl Fn(FieldValue) -> C) {
        for (cell, field) in row.iter_mut().zip(&self.lists.fields) {
            *cell = field.default.map_or_else(C::default, &cell_of);
        }
        for choice in joint {
            if let Some(cell) = row.get_mut(choice.field as usize) {
                *cell = cell_of(choice.value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout() -> ActionLayout {
        let field = |name: &str, domain, default| ActionField {
            name: name.to_owned(),
            domain,
            default,
        };
        ActionLayout::new(
            vec![
                field("move", FieldDomain::Discrete { count: 3 }, None),
                field(
                    "speed",
                    FieldDomain::Real { low: -1.0, high: 1.0 },
                    Some(FieldValue::Real(0.0)),
                ),
                field(
                    "door",
                    FieldDomain::Discrete { count: 2 },
                    Some(FieldValue::Discrete(0)),
                ),
                field(
                    "load",
                    FieldDomain::Int { low: 0, high: 9 },
                    Some(FieldValue::Int(0)),
                ),
            ],
            2,
        )
    }

    fn choice(field: u32, value: FieldValue) -> Choice {
        Choice { field, value }
    }

    #[test]
    fn masks_have_a_byte_per_alternative() {
        let layout = layout();
        assert_eq!(layout.mask_len(), 5);
        assert_eq!(layout.mask_offset(2), Some(3));
        assert_eq!(layout.mask_offset(4), None);
        assert_eq!(layout.as_single(), None);
        assert_eq!(ActionLayout::single("action", 7).as_single(), Some(7));
    }

    #[test]
    fn faults_are_told_apart() {
        let go = choice(0, FieldValue::Discrete(1));
        let rows: [(&[Choice], &str); 8] = [
            (&[go], ""),
            (&[go, choice(1, FieldValue::Real(0.5))], ""),
            (
                &[
                    go,
                    choice(1, FieldValue::Real(0.0)),
                    choice(2, FieldValue::Discrete(0)),
                ],
                "",
            ),
            (&[], "`move` must be set"),
            (&[go, go], "`move` is set twice"),
            (
                &[go, choice(9, FieldValue::Int(1))],
                "there is no action field number 9: there are 4",
            ),
            (
                &[go, choice(1, FieldValue::Real(f64::NAN))],
                "`speed` takes a number from -1.0 to 1.0, not NaN",
            ),
            (
                &[
                    go,
                    choice(2, FieldValue::Discrete(1)),
                    choice(3, FieldValue::Int(4)),
                ],
                "3 action fluents are set, and at most 2 may be at once",
            ),
        ];
        for (joint, expected) in rows {
            let found = layout().check(joint).err().map(|error| error.to_string());
            assert_eq!(found.unwrap_or_default(), expected, "{joint:?}");
        }
    }

    #[test]
    fn domains_are_told_in_words() {
        let (none, below) = (f64::INFINITY, f64::NEG_INFINITY);
        for (domain, expected) in [
            (FieldDomain::Discrete { count: 2 }, "0 or 1"),
            (FieldDomain::Discrete { count: 5 }, "an int from 0 to 4"),
            (FieldDomain::Int { low: 0, high: 10 }, "an int from 0 to 10"),
            (
                FieldDomain::Int {
                    low: -3,
                    high: i64::MAX,
                },
                "an int of at least -3",
            ),
            (
                FieldDomain::Int {
                    low: i64::MIN,
                    high: i64::MAX,
                },
                "an int",
            ),
            (
                FieldDomain::Real {
                    low: below,
                    high: 2.5,
                },
                "a number of at most 2.5",
            ),
            (
                FieldDomain::Real {
                    low: below,
                    high: none,
                },
                "a number",
            ),
        ] {
            assert_eq!(domain.to_string(), expected);
        }
    }

    #[test]
    fn rows_are_read_as_they_are_written() {
        let (layout, mut row, mut read) = (layout(), [9.0; 4], Vec::new());
        let joint = [choice(0, FieldValue::Discrete(2)), choice(3, FieldValue::Int(7))];
        layout.write_row(&joint, &mut row);
        assert_eq!(row, [2.0, 0.0, 0.0, 7.0]);
        layout.read_row(&row, &mut read).expect("a row");
        assert_eq!(read, joint);
        for bad in [
            [0.5, 0.0, 0.0, 0.0],
            [0.0, 2.0, 0.0, 0.0],
            [0.0, 0.0, -1.0, 0.0],
            [0.0, 0.0, 0.0, f64::NAN],
        ] {
            assert!(layout.read_row(&bad, &mut read).is_err(), "{bad:?}");
        }
        assert!(layout.read_row(&[0.0], &mut read).is_err());
    }

    /// Reference implementation of [`FieldDomain::value_of`] by tests on the number instead of casts.
    fn stands_for(domain: FieldDomain, number: f64) -> Option<FieldValue> {
        let whole = number.fract() == 0.0;
        let value = match domain {
            FieldDomain::Discrete { .. } if whole && (0.0..=f64::from(u32::MAX)).contains(&number) => {
                FieldValue::Discrete(number as u32)
            }
            FieldDomain::Int { .. } if whole && number.abs() < 9.2e18 => FieldValue::Int(number as i64),
            FieldDomain::Real { .. } => FieldValue::Real(number),
            _ => return None,
        };
        domain.contains(value).then_some(value)
    }

    #[test]
    fn numbers_stand_for_what_they_are_equal_to() {
        let domains = [
            FieldDomain::Discrete { count: 3 },
            FieldDomain::Discrete { count: u32::MAX },
            FieldDomain::Int { low: -2, high: 5 },
            FieldDomain::Int {
                low: i64::MIN,
                high: i64::MAX,
            },
            FieldDomain::Real { low: -1.5, high: 2.0 },
        ];
        let mut numbers = vec![
            0.0, 0.5, 1.0, 2.0, 2.5, 3.0, 5.0, 6.0, 1e-300, 9.2e18, 9.1e18, 9.3e18, 1e300,
        ];
        numbers.extend([4294967294.0, 4294967295.0, 4294967296.0, f64::INFINITY, f64::NAN]);
        let signed = numbers.clone().into_iter().map(|number: f64| -number);
        for number in numbers.into_iter().chain(signed) {
            for domain in domains {
                assert_eq!(
                    domain.value_of(number),
                    stands_for(domain, number),
                    "{domain:?} {number}"
                );
            }
        }
    }

    #[test]
    fn cells_are_exact_where_numbers_are_rounded() {
        let field = |domain| ActionField {
            name: "field".to_owned(),
            domain,
            default: None,
        };
        let (low, high) = (i64::MIN, i64::MAX);
        let real = FieldDomain::Real {
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
        };
        let domains = [
            FieldDomain::Int { low, high },
            real,
            FieldDomain::Discrete { count: 3 },
        ];
        let layout = ActionLayout::new(domains.map(field).to_vec(), 3);
        let (mut cells, mut read) = ([7; 4], Vec::new());
        let odd = (1 << 53) + 1;
        for whole in [odd, -odd, i64::MAX, i64::MIN, 0] {
            let joint = [
                choice(0, FieldValue::Int(whole)),
                choice(1, FieldValue::Real(-0.1)),
                choice(2, FieldValue::Discrete(2)),
            ];
            layout.write_cells(&joint, &mut cells);
            assert_eq!((cells[0], cells[2], cells[3]), (whole, 2, 7));
            layout
                .read_cells(&cells[..3], &mut read)
                .expect("they were written");
            assert_eq!(read, joint);
            let numbers = [
                (0, FieldValue::Int(whole)),
                (1, FieldValue::Int(4)),
                (2, FieldValue::Real(1.0)),
            ];
            layout.read_numbers(&numbers, &mut read).expect("numbers");
            assert_eq!(read[0], joint[0]);
            assert_eq!(
                read[1..],
                [
                    choice(1, FieldValue::Real(4.0)),
                    choice(2, FieldValue::Discrete(1))
                ]
            );
        }
        assert!(layout.read_cells(&[0, 0, 3], &mut read).is_err());
        assert!(layout.read_cells(&[0, 0, -1], &mut read).is_err());
    }

    #[test]
    fn numbers_of_some_fields_are_read_like_rows() {
        let (layout, mut read, mut of_row) = (layout(), Vec::new(), Vec::new());
        // The first field has no default, so every joint action sets it.
        let real = FieldValue::Real;
        let rows = [
            (vec![(0, real(0.0))], [0.0, 0.0, 0.0, 0.0]),
            (vec![(0, real(2.0)), (3, real(7.0))], [2.0, 0.0, 0.0, 7.0]),
            (
                vec![(0, real(1.0)), (1, real(-0.25)), (2, real(0.0))],
                [1.0, -0.25, 0.0, 0.0],
            ),
            (vec![(0, real(1.0)), (2, real(1.5))], [1.0, 0.0, 1.5, 0.0]),
        ];
        for (numbers, row) in rows {
            let one = layout.read_numbers(&numbers, &mut read);
            let other = layout.read_row(&row, &mut of_row);
            assert_eq!((one, &read), (other, &of_row), "{numbers:?}");
        }
        let unknown = layout.read_numbers(&[(4, real(0.0))], &mut read);
        assert_eq!(unknown, Err(JointError::UnknownField { field: 4, fields: 4 }));
    }
}
