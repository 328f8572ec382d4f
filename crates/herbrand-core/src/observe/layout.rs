//! What a row of an observation consists of.

use std::ops::Range;

/// One named part of an observation.
#[derive(Clone, PartialEq, Debug)]
pub struct ObservationField {
    /// What the part is called.
    pub name: String,
    /// Its shape, in row-major order; empty for a single number.
    pub shape: Vec<usize>,
    /// The least value that an element can have; infinite if there is no bound.
    pub low: f64,
    /// The greatest value.
    pub high: f64,
}

impl ObservationField {
    /// A part whose elements are 0 or 1.
    #[must_use]
    pub fn bits(name: &str, shape: Vec<usize>) -> Self {
        Self {
            name: name.to_owned(),
            shape,
            low: 0.0,
            high: 1.0,
        }
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether it has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The parts of an observation, one after the other in a row.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ObservationLayout {
    fields: Vec<ObservationField>,
}

impl ObservationLayout {
    /// The layout of these parts.
    #[must_use]
    pub const fn new(fields: Vec<ObservationField>) -> Self {
        Self { fields }
    }

    /// The parts, in order.
    #[must_use]
    pub fn fields(&self) -> &[ObservationField] {
        &self.fields
    }

    /// The number of elements of a row.
    #[must_use]
    pub fn len(&self) -> usize {
        self.fields.iter().map(ObservationField::len).sum()
    }

    /// Whether a row has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements of a row that the part of this name has.
    #[must_use]
    pub fn range(&self, name: &str) -> Option<Range<usize>> {
        let index = self.fields.iter().position(|field| field.name == name)?;
        let start = self.fields[..index].iter().map(ObservationField::len).sum();
        Some(start..start + self.fields[index].len())
    }
}
