//! Observation layouts: the named parts of an observation row, with their shapes and bounds.

use std::ops::Range;

/// A named part of an observation: a contiguous range of its row, read as an array of this shape.
/// [`ObservationLayout::range`] returns the range. [`ObservationLayout::new`] takes a list of them.
#[derive(Clone, PartialEq, Debug)]
pub struct ObservationField {
    /// The name of the part.
    pub name: String,
    /// The shape in row-major order; empty for a single number.
    pub shape: Vec<usize>,
    /// The smallest value of an element, infinite if unbounded.
    pub low: f64,
    /// The largest value of an element, infinite if unbounded. Bounds are for information; nothing clips or checks
    /// elements by them.
    pub high: f64,
}

impl ObservationField {
    /// Creates a part whose elements are 0 or 1, such as one element per proposition.
    #[must_use]
    pub fn bits(name: &str, shape: Vec<usize>) -> Self {
        Self {
            name: name.to_owned(),
            shape,
            low: 0.0,
            high: 1.0,
        }
    }

    /// Returns the number of elements of the part, the product of its shape. A part without dimensions is a single
    /// number and has length 1.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Returns whether the part has no elements, because a dimension of its shape is 0.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The parts of an observation, in the order in which they are concatenated in a row.
/// [`Observer::layout`](crate::Observer::layout) returns one.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ObservationLayout {
    fields: Vec<ObservationField>,
}

impl ObservationLayout {
    /// Creates a layout from its parts, in the order in which a row has them. Names are not checked for duplicates.
    #[must_use]
    pub const fn new(fields: Vec<ObservationField>) -> Self {
        Self { fields }
    }

    /// Returns the parts in order.
    #[must_use]
    pub fn fields(&self) -> &[ObservationField] {
        &self.fields
    }

    /// Returns the number of elements of a row, the sum over its parts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.fields.iter().map(ObservationField::len).sum()
    }

    /// Returns whether a row has no elements. True if it has no parts or if all of them are empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the range of a row that the named part occupies; `None` if there is no such part. Of several parts with
    /// the same name, it is the first. Index a row of elements with the range.
    #[must_use]
    pub fn range(&self, name: &str) -> Option<Range<usize>> {
        let index = self.fields.iter().position(|field| field.name == name)?;
        let start = self.fields[..index].iter().map(ObservationField::len).sum();
        Some(start..start + self.fields[index].len())
    }
}
