//! Node constructors that simplify. Every rewrite is exact in IEEE arithmetic, also for NaN and signed zeros.

use super::graph::Graph;
use super::math;
use super::term::{Binary, Kind, Nary, Node, Term, Unary};

/// Applies a unary operation to a real.
pub(crate) fn real_function(op: Unary, x: f64) -> f64 {
    match op {
        Unary::NegReal => -x,
        Unary::AbsReal => x.abs(),
        Unary::Sqrt => x.sqrt(),
        Unary::Exp => libm::exp(x),
        Unary::Ln => libm::log(x),
        Unary::Sin => libm::sin(x),
        Unary::Cos => libm::cos(x),
        Unary::Tan => libm::tan(x),
        Unary::Asin => libm::asin(x),
        Unary::Acos => libm::acos(x),
        Unary::Atan => libm::atan(x),
        Unary::Sinh => libm::sinh(x),
        Unary::Cosh => libm::cosh(x),
        Unary::Tanh => libm::tanh(x),
        Unary::LnGamma => libm::lgamma(x),
        Unary::Gamma => libm::tgamma(x),
        _ => f64::NAN,
    }
}

/// Applies a unary operation that maps a real to an int; `None` if the result is not an int.
#[inline]
pub(super) fn rounding(op: Unary, x: f64) -> Option<i64> {
    match op {
        Unary::Round => math::to_int(x.round_ties_even()),
        Unary::Floor => math::to_int(x.floor()),
        Unary::Ceil => math::to_int(x.ceil()),
        Unary::Truncate => Some(x as i64),
        _ => math::sign(x),
    }
}

/// Applies a unary operation to an int.
pub(super) const fn int_function(op: Unary, x: i64) -> i64 {
    match op {
        Unary::NegInt => x.wrapping_neg(),
        Unary::AbsInt => x.wrapping_abs(),
        _ => x.signum(),
    }
}

/// Applies a binary operation to reals.
pub(super) fn real_operation(op: Binary, a: f64, b: f64) -> f64 {
    match op {
        Binary::AddReal => a + b,
        Binary::SubReal => a - b,
        Binary::MulReal => a * b,
        Binary::DivReal => a / b,
        Binary::MinReal => math::min_real(a, b),
        Binary::MaxReal => math::max_real(a, b),
        Binary::PowReal => math::pow_real(a, b),
        Binary::ModReal => math::mod_real(a, b),
        Binary::Log => math::log(a, b),
        _ => libm::hypot(a, b),
    }
}

/// Applies a binary operation to ints; `None` for a division by 0 or a negative exponent.
pub(super) fn int_operation(op: Binary, a: i64, b: i64) -> Option<i64> {
    Some(match op {
        Binary::AddInt => a.wrapping_add(b),
        Binary::SubInt => a.wrapping_sub(b),
        Binary::MulInt => a.wrapping_mul(b),
        Binary::DivInt => return math::div_int(a, b),
        Binary::ModInt => return math::mod_int(a, b),
        Binary::MinInt => a.min(b),
        Binary::MaxInt => a.max(b),
        _ => return math::pow_int(a, b),
    })
}

impl Graph {
    /// Returns the node of a unary operation. The operand must be of the operation's kind.
    pub fn unary(&mut self, op: Unary, a: Node) -> Node {
        match (op, self.term(a).clone()) {
            (Unary::Not, Term::Bool(x)) => self.bool(!x),
            (Unary::Not, Term::Unary(Unary::Not, inner)) => inner,
            (Unary::Not, _) => self.plain(op, a, Kind::Bool),
            (Unary::BoolToInt, Term::Bool(x)) => self.int(i64::from(x)),
            (Unary::BoolToReal, Term::Bool(x)) => self.real(f64::from(u8::from(x))),
            (Unary::IntToReal, Term::Int(x)) => self.real(x as f64),
            (Unary::IntToReal, Term::Unary(Unary::BoolToInt, inner)) => {
                self.plain(Unary::BoolToReal, inner, Kind::Real)
            }
            (Unary::BoolToInt, _) => self.plain(op, a, Kind::Int),
            (Unary::BoolToReal | Unary::IntToReal, _) => self.plain(op, a, Kind::Real),
            (Unary::NegInt | Unary::AbsInt | Unary::SignInt, Term::Int(x)) => self.int(int_function(op, x)),
            (Unary::NegInt | Unary::AbsInt | Unary::SignInt, _) => self.plain(op, a, Kind::Int),
            (Unary::Round | Unary::Floor | Unary::Ceil | Unary::Truncate | Unary::Sign, term) => {
                let known = match term {
                    Term::Real(bits) => rounding(op, f64::from_bits(bits)),
                    _ => None,
                };
                match known {
                    Some(value) => self.int(value),
                    None => self.plain(op, a, Kind::Int),
                }
            }
            (_, Term::Real(x)) => self.real(real_function(op, f64::from_bits(x))),
            _ => self.plain(op, a, Kind::Real),
        }
    }

    /// Returns the node of a binary operation. The operands must be of the operation's kinds.
    pub fn binary(&mut self, op: Binary, a: Node, b: Node) -> Node {
        match op {
            Binary::And | Binary::Or | Binary::Same => self.logical(op, a, b),
            Binary::EqInt | Binary::LtInt | Binary::LeInt => self.int_comparison(op, a, b),
            Binary::EqReal | Binary::LtReal | Binary::LeReal => self.real_comparison(op, a, b),
            _ if a.kind == Kind::Int => self.on_ints(op, a, b),
            _ => self.on_reals(op, a, b),
        }
    }

    fn logical(&mut self, op: Binary, a: Node, b: Node) -> Node {
        if self.is_fallible(a) || self.is_fallible(b) {
            return self.plain_binary(op, a, b, Kind::Bool);
        }
        let (a, b) = (a.min(b), a.max(b));
        match (op, self.as_bool(a), self.as_bool(b)) {
            (Binary::And, Some(false), _) | (Binary::Or, _, Some(false)) => a,
            (Binary::And, _, Some(false)) | (Binary::Or, Some(false), _) => b,
            (Binary::And, Some(true), _) | (Binary::Or, _, Some(true)) => b,
            (Binary::And, _, Some(true)) | (Binary::Or, Some(true), _) => a,
            (Binary::And | Binary::Or, ..) if a == b => a,
            (Binary::Same, ..) if a == b => self.bool(true),
            (Binary::Same, Some(true), _) => b,
            (Binary::Same, _, Some(true)) => a,
            (Binary::Same, Some(false), _) => self.not(b),
            (Binary::Same, _, Some(false)) => self.not(a),
            _ => self.plain_binary(op, a, b, Kind::Bool),
        }
    }

    fn int_comparison(&mut self, op: Binary, a: Node, b: Node) -> Node {
        let known = match (self.as_int(a), self.as_int(b)) {
            (Some(x), Some(y)) => Some(match op {
                Binary::EqInt => x == y,
                Binary::LtInt => x < y,
                _ => x <= y,
            }),
            _ if a == b && !self.is_fallible(a) => Some(op != Binary::LtInt),
            _ => None,
        };
        match known {
            Some(value) => self.bool(value),
            None => self.plain_binary(op, a, b, Kind::Bool),
        }
    }

    fn real_comparison(&mut self, op: Binary, a: Node, b: Node) -> Node {
        match (self.as_real(a), self.as_real(b)) {
            (Some(x), Some(y)) => self.bool(match op {
                Binary::EqReal => x == y,
                Binary::LtReal => x < y,
                _ => x <= y,
            }),
            _ => self.plain_binary(op, a, b, Kind::Bool),
        }
    }

    fn on_ints(&mut self, op: Binary, a: Node, b: Node) -> Node {
        let (x, y) = (self.as_int(a), self.as_int(b));
        if let (Some(x), Some(y)) = (x, y)
            && let Some(value) = int_operation(op, x, y)
        {
            return self.int(value);
        }
        match (op, x, y) {
            (Binary::AddInt, Some(0), _) | (Binary::MulInt, Some(1), _) => b,
            (Binary::AddInt | Binary::SubInt, _, Some(0)) | (Binary::MulInt, _, Some(1)) => a,
            (Binary::MulInt, Some(0), _) if !self.is_fallible(b) => a,
            (Binary::MulInt, _, Some(0)) if !self.is_fallible(a) => b,
            (Binary::MinInt | Binary::MaxInt, ..) if a == b => a,
            _ => self.plain_binary(op, a, b, Kind::Int),
        }
    }

    fn on_reals(&mut self, op: Binary, a: Node, b: Node) -> Node {
        match (op, self.as_real(a), self.as_real(b)) {
            (_, Some(x), Some(y)) => self.real(real_operation(op, x, y)),
            (Binary::MulReal, Some(1.0), _) => b,
            (Binary::MulReal | Binary::DivReal, _, Some(1.0)) => a,
            (Binary::PowReal, None, Some(2.0)) => self.binary(Binary::MulReal, a, a),
            (Binary::SubReal, _, Some(0.0)) if !self.is_negative_zero(b) => a,
            (_, Some(x), None) => match self.as_truth(b) {
                Some(truth) => self.either(truth, real_operation(op, x, 1.0), real_operation(op, x, 0.0)),
                None => self.plain_binary(op, a, b, Kind::Real),
            },
            (_, None, Some(y)) => match self.as_truth(a) {
                Some(truth) => self.either(truth, real_operation(op, 1.0, y), real_operation(op, 0.0, y)),
                None => self.plain_binary(op, a, b, Kind::Real),
            },
            _ => self.plain_binary(op, a, b, Kind::Real),
        }
    }

    /// Returns the bool from which the real was converted; `None` if the node is not such a conversion.
    fn as_truth(&self, node: Node) -> Option<Node> {
        match *self.term(node) {
            Term::Unary(Unary::BoolToReal, truth) => Some(truth),
            _ => None,
        }
    }

    /// Selects one of two constants.
    fn either(&mut self, truth: Node, then: f64, otherwise: f64) -> Node {
        let (then, otherwise) = (self.real(then), self.real(otherwise));
        self.select(truth, then, otherwise)
    }

    fn is_negative_zero(&self, node: Node) -> bool {
        self.as_real(node)
            .is_some_and(|x| x == 0.0 && x.is_sign_negative())
    }

    /// Returns the conjunction (`And`) or disjunction (`Or`) of two bools. If either operand can fail, `b` is evaluated
    /// only if `a` does not decide the result.
    pub fn decided(&mut self, op: Binary, a: Node, b: Node) -> Node {
        let decisive = op == Binary::Or;
        if let Some(value) = self.as_bool(a) {
            return if value == decisive { a } else { b };
        }
        if !self.is_fallible(b) && !self.is_fallible(a) {
            return self.binary(op, a, b);
        }
        let known = self.bool(decisive);
        if decisive {
            self.select(a, known, b)
        } else {
            self.select(a, b, known)
        }
    }

    /// Returns the conjunction (`All`) or disjunction (`Any`) of a list of bools. If any operand can fail, they are
    /// evaluated in order up to the first that decides the result.
    pub fn junction(&mut self, op: Nary, list: Vec<Node>) -> Node {
        let neutral = op == Nary::All;
        if list.iter().any(|&node| self.is_fallible(node)) {
            let (op, rest) = (if neutral { Binary::And } else { Binary::Or }, self.bool(neutral));
            return list
                .into_iter()
                .rev()
                .fold(rest, |rest, node| self.decided(op, node, rest));
        }
        let mut kept: Vec<Node> = Vec::with_capacity(list.len());
        for node in list {
            match self.as_bool(node) {
                Some(value) if value == neutral => {}
                Some(value) => return self.bool(value),
                None => kept.push(node),
            }
        }
        kept.sort_unstable();
        kept.dedup();
        match *kept {
            [] => self.bool(neutral),
            [only] => only,
            [a, b] => self.binary(if neutral { Binary::And } else { Binary::Or }, a, b),
            _ => self.plain_nary(op, kept, Kind::Bool),
        }
    }

    /// Returns the sum of the operands. It is a real if any operand is a real, else an int.
    pub fn sum(&mut self, list: Vec<Node>) -> Node {
        match list.iter().map(|node| node.kind).max() {
            Some(Kind::Real) => self.real_sum(list),
            Some(Kind::Int) => self.int_sum(list),
            Some(Kind::Bool) => self.count(list),
            None => self.int(0),
        }
    }

    fn real_sum(&mut self, list: Vec<Node>) -> Node {
        let terms: Vec<Node> = list.into_iter().map(|node| self.to_real(node)).collect();
        // The sum starts at +0, so adding a zero of either sign does not change it.
        let terms: Vec<Node> = terms
            .into_iter()
            .filter(|&node| self.as_real(node) != Some(0.0))
            .collect();
        let constant = |node: &Node| self.as_real(*node);
        if let Some(values) = terms.iter().map(constant).collect::<Option<Vec<f64>>>() {
            return self.real(values.into_iter().fold(0.0, |sum, x| sum + x));
        }
        self.plain_nary(Nary::SumReal, terms, Kind::Real)
    }

    fn int_sum(&mut self, list: Vec<Node>) -> Node {
        let mut known = 0_i64;
        let mut terms = Vec::with_capacity(list.len() + 1);
        for node in list {
            let node = self.to_int(node);
            match self.as_int(node) {
                Some(value) => known = known.wrapping_add(value),
                None => terms.push(node),
            }
        }
        if known != 0 || terms.is_empty() {
            terms.push(self.int(known));
        }
        match *terms {
            [only] => only,
            [a, b] => self.binary(Binary::AddInt, a, b),
            _ => self.plain_nary(Nary::SumInt, terms, Kind::Int),
        }
    }

    fn count(&mut self, list: Vec<Node>) -> Node {
        let known = list
            .iter()
            .filter(|&&node| self.as_bool(node) == Some(true))
            .count();
        let open: Vec<Node> = list
            .into_iter()
            .filter(|&node| self.as_bool(node).is_none())
            .collect();
        let known = self.int(known as i64);
        let counted = match *open {
            [] => return known,
            [only] => self.to_int(only),
            _ => self.plain_nary(Nary::Count, open, Kind::Int),
        };
        self.binary(Binary::AddInt, counted, known)
    }

    /// Returns the product of the operands. It is a real if any operand is a real, else an int.
    pub fn product(&mut self, list: Vec<Node>) -> Node {
        if list.iter().any(|node| node.kind == Kind::Real) {
            let factors: Vec<Node> = list.into_iter().map(|node| self.to_real(node)).collect();
            let constant = |node: &Node| self.as_real(*node);
            if let Some(values) = factors.iter().map(constant).collect::<Option<Vec<f64>>>() {
                return self.real(values.into_iter().fold(1.0, |product, x| product * x));
            }
            // The product starts at 1, so a factor of 1 does not change it.
            let factors = factors
                .into_iter()
                .filter(|&node| self.as_real(node) != Some(1.0))
                .collect();
            return self.plain_nary(Nary::ProductReal, factors, Kind::Real);
        }
        let one = self.int(1);
        list.into_iter().fold(one, |product, node| {
            let node = self.to_int(node);
            self.binary(Binary::MulInt, product, node)
        })
    }

    /// Returns the minimum (`MinReal`) or maximum (`MaxReal`) of a list, which must not be empty.
    pub fn extreme(&mut self, op: Binary, list: Vec<Node>) -> Node {
        let kind = list
            .iter()
            .map(|node| node.kind)
            .max()
            .unwrap_or(Kind::Int)
            .max(Kind::Int);
        let op = match (kind, op) {
            (Kind::Real, _) => op,
            (_, Binary::MinReal) => Binary::MinInt,
            _ => Binary::MaxInt,
        };
        let list: Vec<Node> = list.into_iter().map(|node| self.widened(node, kind)).collect();
        let first = list[0];
        list.into_iter()
            .skip(1)
            .fold(first, |extreme, node| self.binary(op, extreme, node))
    }

    /// Returns the position of the first largest (`ArgMax`) or smallest (`ArgMin`) operand of a list, which must not be
    /// empty.
    pub fn place(&mut self, op: Nary, list: Vec<Node>) -> Node {
        let list: Vec<Node> = list.into_iter().map(|node| self.to_real(node)).collect();
        let constant = |node: &Node| self.as_real(*node);
        if let Some(values) = list.iter().map(constant).collect::<Option<Vec<f64>>>() {
            return self.int(first_extreme(op, values.into_iter()) as i64);
        }
        self.plain_nary(op, list, Kind::Int)
    }
}

/// Returns the position of the first largest or smallest value, or of the first NaN if there is one.
pub(super) fn first_extreme(op: Nary, values: impl Iterator<Item = f64>) -> usize {
    let mut best = (0, f64::NAN);
    for (place, value) in values.enumerate() {
        let better = if op == Nary::ArgMax {
            value > best.1
        } else {
            value < best.1
        };
        if place == 0 || better || value.is_nan() && !best.1.is_nan() {
            best = (place, value);
        }
    }
    best.0
}
