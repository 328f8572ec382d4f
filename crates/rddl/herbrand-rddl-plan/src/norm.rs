//! T-norms: conjunctions of degrees of truth.

use herbrand_text::UnknownName;

herbrand_text::named! {
    /// A t-norm: a conjunction of truth degrees between 0 and 1. The disjunction is its dual, by De Morgan's law. On 0 and
    /// 1, all of them are the logical operators. [`Relaxation::new`](crate::gradient::Relaxation::new) takes one; the default is [`Product`](Self::Product).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub enum TNorm {
        /// `a ∧ b = a b`. Every operand has a gradient.
        #[default]
        Product = "product",
        /// Gödel's: `a ∧ b = min(a, b)`. Only the least operand has a gradient.
        Godel = "godel",
        /// Łukasiewicz's: `a ∧ b = max(0, a + b − 1)`. No operand has a gradient if the sum of the falsities exceeds 1.
        Lukasiewicz = "lukasiewicz",
    }
    /// Returns the name: `product`, `godel` or `lukasiewicz`.
    pub fn as_str; parses, or UnknownName: |name| UnknownName::new(name, "t-norm", &TNorm::ALL.map(TNorm::as_str))
}

impl TNorm {
    /// Returns the conjunction of two truth degrees and its derivatives.
    pub(crate) fn both(self, a: f64, b: f64) -> (f64, f64, f64) {
        match self {
            Self::Product => (a * b, b, a),
            Self::Godel if a == b => (a, 0.5, 0.5),
            Self::Godel if a < b => (a, 1.0, 0.0),
            Self::Godel => (b, 0.0, 1.0),
            Self::Lukasiewicz if a + b > 1.0 => (a + b - 1.0, 1.0, 1.0),
            Self::Lukasiewicz => (0.0, 0.0, 0.0),
        }
    }

    /// Returns the disjunction of two truth degrees and its derivatives.
    pub(crate) fn either(self, a: f64, b: f64) -> (f64, f64, f64) {
        let (neither, by_a, by_b) = self.both(1.0 - a, 1.0 - b);
        (1.0 - neither, by_a, by_b)
    }

    /// Returns the equivalence of two truth degrees and its derivatives.
    pub(crate) fn same(self, a: f64, b: f64) -> (f64, f64, f64) {
        if self == Self::Product {
            return (a * b + (1.0 - a) * (1.0 - b), 2.0 * b - 1.0, 2.0 * a - 1.0);
        }
        // Each implies the other.
        let (forth, forth_by_not_a, forth_by_b) = self.either(1.0 - a, b);
        let (back, back_by_not_b, back_by_a) = self.either(1.0 - b, a);
        let (value, by_forth, by_back) = self.both(forth, back);
        (
            value,
            by_back * back_by_a - by_forth * forth_by_not_a,
            by_forth * forth_by_b - by_back * back_by_not_b,
        )
    }
}
