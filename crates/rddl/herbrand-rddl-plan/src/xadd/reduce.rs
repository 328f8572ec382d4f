//! Removal of unreachable branches from diagrams.

use std::collections::{BTreeMap, HashMap};

use fxhash::FxBuildHasher;

use super::XaddError;
use super::polynomial::Polynomial;
use super::store::{DiagramNode, Id, Result, Store, Test};

/// The possible values of a polynomial without its constant term: an interval whose ends may be open.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Span {
    low: f64,
    low_open: bool,
    high: f64,
    high_open: bool,
}

const ALL: Span = Span {
    low: f64::NEG_INFINITY,
    low_open: false,
    high: f64::INFINITY,
    high_open: false,
};

impl Span {
    fn and(self, other: Self) -> Self {
        let (low, low_open) = if self.low > other.low {
            (self.low, self.low_open)
        } else if self.low < other.low {
            (other.low, other.low_open)
        } else {
            (self.low, self.low_open || other.low_open)
        };
        let (high, high_open) = if self.high < other.high {
            (self.high, self.high_open)
        } else if self.high > other.high {
            (other.high, other.high_open)
        } else {
            (self.high, self.high_open || other.high_open)
        };
        Self {
            low,
            low_open,
            high,
            high_open,
        }
    }

    /// Returns the same span of whole numbers, whose ends are whole and included.
    fn whole(self) -> Self {
        let next = |end: f64, open: bool, rounded: f64| if open && end == rounded { 1.0 } else { 0.0 };
        let (low, high) = (self.low.ceil(), self.high.floor());
        Self {
            low: low + next(self.low, self.low_open, low),
            low_open: false,
            high: high - next(self.high, self.high_open, high),
            high_open: false,
        }
    }

    /// Returns whether all numbers are greater than `x` (or at least `x`); `None` if only some are.
    fn above(&self, x: f64, or_equal: bool) -> Option<bool> {
        let all = self.low > x || self.low == x && (or_equal || self.low_open);
        let none = self.high < x || self.high == x && (!or_equal || self.high_open);
        match (all, none) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }
}

/// The constraints on the path to a node.
#[derive(Clone, Default)]
struct PathConstraints {
    /// By number of a polynomial without its constant term: its possible values.
    spans: BTreeMap<u32, Span>,
}

/// The number of a polynomial, and its span as bits.
type SpanKey = (u32, [u64; 2], [bool; 2]);

/// The values of a variable: its bounds, whether they are excluded, and whether all values are whole numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) open: bool,
    pub(super) whole: bool,
}

struct Reducer<'s> {
    store: &'s mut Store,
    /// The numbers of polynomials without their constant terms.
    forms: HashMap<Polynomial, u32, FxBuildHasher>,
    ends: &'s dyn Fn(u32) -> Ends,
    done: HashMap<(Id, Vec<SpanKey>), Id, FxBuildHasher>,
    visits: usize,
    most: usize,
}

/// Removes decisions that are implied by earlier decisions on the path, or by the bounds of variables. It compares bounds of
/// the same polynomial with different constants, and bounds of linear polynomials with bounds of their variables. Decisions
/// that only follow from several others together, as in a linear program, stay.
pub(super) fn reduce(store: &mut Store, id: Id, ends: &dyn Fn(u32) -> Ends, most: usize) -> Result<Id> {
    let mut reducer = Reducer {
        store,
        forms: HashMap::default(),
        ends,
        done: HashMap::default(),
        visits: 0,
        most,
    };
    reducer.part(id, &PathConstraints::default())
}

impl Reducer<'_> {
    fn part(&mut self, id: Id, known: &PathConstraints) -> Result<Id> {
        let (test, high, low) = match self.store.parts[id as usize] {
            DiagramNode::Leaf(_) => return Ok(id),
            DiagramNode::Decision(test, high, low) => (test, high, low),
        };
        let bits = |(&form, span): (&u32, &Span)| {
            let ends = [span.low.to_bits(), span.high.to_bits()];
            (form, ends, [span.low_open, span.high_open])
        };
        let key = (id, known.spans.iter().map(bits).collect::<Vec<_>>());
        if let Some(&done) = self.done.get(&key) {
            return Ok(done);
        }
        self.visits += 1;
        if self.visits > self.most {
            return Err(XaddError::TooLarge(self.most));
        }
        let (polynomial, or_equal) = match &self.store.tests[test as usize] {
            Test::Holds(_) => {
                let reduced = self.both(test, high, low, known, known)?;
                self.done.insert(key, reduced);
                return Ok(reduced);
            }
            Test::Above(polynomial) => (polynomial.clone(), false),
            Test::AtLeast(polynomial) => (polynomial.clone(), true),
        };
        let (form, border) = (polynomial.form(), -polynomial.offset());
        let next = self.forms.len() as u32;
        let number = *self.forms.entry(form.clone()).or_insert(next);
        let span = known
            .spans
            .get(&number)
            .copied()
            .unwrap_or(ALL)
            .and(self.span(&form, known));
        let span = if self.is_whole(&form) { span.whole() } else { span };
        let reduced = match span.above(border, or_equal) {
            Some(true) => self.part(high, known)?,
            Some(false) => self.part(low, known)?,
            None => {
                let above = Span {
                    low: border,
                    low_open: !or_equal,
                    ..ALL
                };
                let below = Span {
                    high: border,
                    high_open: or_equal,
                    ..ALL
                };
                let with = |one: Span| {
                    let mut known = known.clone();
                    known.spans.insert(number, span.and(one));
                    known
                };
                self.both(test, high, low, &with(above), &with(below))?
            }
        };
        self.done.insert(key, reduced);
        Ok(reduced)
    }

    fn both(
        &mut self,
        test: u32,
        high: Id,
        low: Id,
        if_so: &PathConstraints,
        if_not: &PathConstraints,
    ) -> Result<Id> {
        let high = self.part(high, if_so)?;
        let low = self.part(low, if_not)?;
        self.store.decision(test, high, low)
    }

    /// Returns whether all values of a polynomial are whole numbers because its variables and coefficients are.
    fn is_whole(&self, form: &Polynomial) -> bool {
        let is_whole =
            |&(variable, coefficient): &(u32, f64)| coefficient.fract() == 0.0 && (self.ends)(variable).whole;
        form.linear().is_some_and(|linear| linear.iter().all(is_whole))
    }

    /// Returns the possible values of a linear polynomial, given the bounds of its variables and the constraints on them.
    fn span(&self, form: &Polynomial, known: &PathConstraints) -> Span {
        let Some(linear) = form.linear() else { return ALL };
        let mut sum = Span {
            low: 0.0,
            high: 0.0,
            ..ALL
        };
        for &(variable, coefficient) in &linear {
            let Ends { low, high, open, .. } = (self.ends)(variable);
            let mut span = Span {
                low,
                high,
                low_open: open,
                high_open: open,
            };
            let alone = self.forms.get(&Polynomial::variable(variable));
            if let Some(found) = alone.and_then(|number| known.spans.get(number)) {
                span = span.and(*found);
            }
            if coefficient < 0.0 {
                span = Span {
                    low: span.high,
                    low_open: span.high_open,
                    high: span.low,
                    high_open: span.low_open,
                };
            }
            sum.low += coefficient * span.low;
            sum.high += coefficient * span.high;
            sum.low_open |= span.low_open;
            sum.high_open |= span.high_open;
        }
        if sum.low.is_nan() || sum.high.is_nan() {
            return ALL;
        }
        if linear.len() > 1 {
            // Sums are rounded, so a tiny slack is added on both sides.
            let slack = 1e-12 * (sum.low.abs().max(sum.high.abs()));
            if slack.is_finite() {
                sum.low -= slack;
                sum.high += slack;
            }
        }
        sum
    }
}
