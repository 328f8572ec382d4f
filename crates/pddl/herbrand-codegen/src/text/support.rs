//! Source text that is common to all modules.

/// The types for objects, named facts and errors.
pub(super) const PRELUDE: &str = "\
/// An object, by its number.
pub type Object = u32;

/// A predicate or action schema by its name in PDDL, with arguments.
pub type Named = (&'static str, Vec<Object>);

/// No predicate, function or type of the domain has this name and this number of arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The name.
    pub name: String,
    /// The number of arguments.
    pub arity: usize,
}

impl std::fmt::Display for Unknown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, \"the domain has no `{}` of {} arguments\", self.name, self.arity)
    }
}

impl std::error::Error for Unknown {}
";

/// The type for values of functions.
pub(super) const NUMBER: &str = "\
/// The value of a function: a finite 64-bit floating-point number. Equal ones have equal bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number(u64);

impl Number {
    /// The number `value`, which is finite.
    #[must_use]
    pub fn new(value: f64) -> Self {
        // Adding zero turns -0 into 0.
        Self((value + 0.0).to_bits())
    }

    /// The value.
    #[must_use]
    pub fn value(self) -> f64 {
        f64::from_bits(self.0)
    }
}
";

/// Arithmetic in comparisons.
pub(super) const FINITE: &str = "    fn finite(value: f64) -> Option<f64> {
        value.is_finite().then_some(value)
    }
";

/// Division in comparisons.
pub(super) const QUOTIENT: &str = "    fn quotient(dividend: f64, divisor: f64) -> Option<f64> {
        if divisor == 0.0 { None } else { finite(dividend / divisor) }
    }
";

/// A function that collects the rows of a relation from several `Facts`.
pub(super) const ROWS: &str = "\
/// Returns the rows of a relation in all of these facts.
fn rows<T: Copy>(given: &[&Facts], relation: impl Fn(&Facts) -> &Vec<T>) -> Vec<T> {
    given.iter().flat_map(|facts| relation(facts)).copied().collect()
}
";

/// A function that sorts rows and removes duplicates.
pub(super) const SORTED: &str = "\
/// Returns the rows in ascending order, without duplicates.
fn sorted<T: Ord>(mut rows: Vec<T>) -> Vec<T> {
    rows.sort_unstable();
    rows.dedup();
    rows
}
";

/// A function that numbers objects.
pub(super) const POSITIONS: &str = "\
/// The objects with their positions.
fn positions(objects: &[(Object,)]) -> Vec<(u32, Object)> {
    (0..).zip(objects).map(|(position, &(object,))| (position, object)).collect()
}
";
