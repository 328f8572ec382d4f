//! Node constructors that simplify. Every rewrite is exact in IEEE arithmetic, also for NaN and signed zeros.

use crate::graph::Graph;
use crate::math::{first_extreme, int_function, int_operation, real_function, real_operation, rounding};
use crate::operation::{BinaryOp, NaryOp, NodeId, Operation, UnaryOp, ValueType};

impl Graph {
    /// Returns the node of a unary operation on `a`, which must be of the operation's kind; this is not checked.
    /// Constants are folded, unless the operation has no value for them: then a run fails.
    pub fn unary(&mut self, op: UnaryOp, a: NodeId) -> NodeId {
        match (op, self.operation(a).clone()) {
            (UnaryOp::Not, Operation::Bool(x)) => self.bool(!x),
            (UnaryOp::Not, Operation::Unary(UnaryOp::Not, inner)) => inner,
            (UnaryOp::Not, _) => self.plain(op, a, ValueType::Bool),
            (UnaryOp::BoolToInt, Operation::Bool(x)) => self.int(i64::from(x)),
            (UnaryOp::BoolToReal, Operation::Bool(x)) => self.real(f64::from(u8::from(x))),
            (UnaryOp::IntToReal, Operation::Int(x)) => self.real(x as f64),
            (UnaryOp::IntToReal, Operation::Unary(UnaryOp::BoolToInt, inner)) => {
                self.plain(UnaryOp::BoolToReal, inner, ValueType::Real)
            }
            (UnaryOp::BoolToInt, _) => self.plain(op, a, ValueType::Int),
            (UnaryOp::BoolToReal | UnaryOp::IntToReal, _) => self.plain(op, a, ValueType::Real),
            (UnaryOp::NegInt | UnaryOp::AbsInt | UnaryOp::SignInt, Operation::Int(x)) => {
                self.int(int_function(op, x))
            }
            (UnaryOp::NegInt | UnaryOp::AbsInt | UnaryOp::SignInt, _) => self.plain(op, a, ValueType::Int),
            (
                UnaryOp::Round | UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Truncate | UnaryOp::Sign,
                operation,
            ) => {
                let known = match operation {
                    Operation::Real(bits) => rounding(op, f64::from_bits(bits)),
                    _ => None,
                };
                match known {
                    Some(value) => self.int(value),
                    None => self.plain(op, a, ValueType::Int),
                }
            }
            (_, Operation::Real(x)) => self.real(real_function(op, f64::from_bits(x))),
            _ => self.plain(op, a, ValueType::Real),
        }
    }

    /// Returns the node of a binary operation on `a` and `b`, which must be of the operation's kinds; this is not
    /// checked. Constants are folded, unless the operation has no value for them: then a run fails. Both operands are
    /// always evaluated; [`decided`](Self::decided) may skip one.
    pub fn binary(&mut self, op: BinaryOp, a: NodeId, b: NodeId) -> NodeId {
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Same => self.logical(op, a, b),
            BinaryOp::EqInt | BinaryOp::LtInt | BinaryOp::LeInt => self.int_comparison(op, a, b),
            BinaryOp::EqReal | BinaryOp::LtReal | BinaryOp::LeReal => self.real_comparison(op, a, b),
            _ if a.kind == ValueType::Int => self.on_ints(op, a, b),
            _ => self.on_reals(op, a, b),
        }
    }

    fn logical(&mut self, op: BinaryOp, a: NodeId, b: NodeId) -> NodeId {
        if self.is_fallible(a) || self.is_fallible(b) {
            return self.plain_binary(op, a, b, ValueType::Bool);
        }
        let (a, b) = (a.min(b), a.max(b));
        match (op, self.as_bool(a), self.as_bool(b)) {
            (BinaryOp::And, Some(false), _) | (BinaryOp::Or, _, Some(false)) => a,
            (BinaryOp::And, _, Some(false)) | (BinaryOp::Or, Some(false), _) => b,
            (BinaryOp::And, Some(true), _) | (BinaryOp::Or, _, Some(true)) => b,
            (BinaryOp::And, _, Some(true)) | (BinaryOp::Or, Some(true), _) => a,
            (BinaryOp::And | BinaryOp::Or, ..) if a == b => a,
            (BinaryOp::Same, ..) if a == b => self.bool(true),
            (BinaryOp::Same, Some(true), _) => b,
            (BinaryOp::Same, _, Some(true)) => a,
            (BinaryOp::Same, Some(false), _) => self.not(b),
            (BinaryOp::Same, _, Some(false)) => self.not(a),
            _ => self.plain_binary(op, a, b, ValueType::Bool),
        }
    }

    fn int_comparison(&mut self, op: BinaryOp, a: NodeId, b: NodeId) -> NodeId {
        let known = match (self.as_int(a), self.as_int(b)) {
            (Some(x), Some(y)) => Some(match op {
                BinaryOp::EqInt => x == y,
                BinaryOp::LtInt => x < y,
                _ => x <= y,
            }),
            _ if a == b && !self.is_fallible(a) => Some(op != BinaryOp::LtInt),
            _ => None,
        };
        match known {
            Some(value) => self.bool(value),
            None => self.plain_binary(op, a, b, ValueType::Bool),
        }
    }

    fn real_comparison(&mut self, op: BinaryOp, a: NodeId, b: NodeId) -> NodeId {
        match (self.as_real(a), self.as_real(b)) {
            (Some(x), Some(y)) => self.bool(match op {
                BinaryOp::EqReal => x == y,
                BinaryOp::LtReal => x < y,
                _ => x <= y,
            }),
            _ => self.plain_binary(op, a, b, ValueType::Bool),
        }
    }

    fn on_ints(&mut self, op: BinaryOp, a: NodeId, b: NodeId) -> NodeId {
        let (x, y) = (self.as_int(a), self.as_int(b));
        if let (Some(x), Some(y)) = (x, y)
            && let Some(value) = int_operation(op, x, y)
        {
            return self.int(value);
        }
        match (op, x, y) {
            (BinaryOp::AddInt, Some(0), _) | (BinaryOp::MulInt, Some(1), _) => b,
            (BinaryOp::AddInt | BinaryOp::SubInt, _, Some(0)) | (BinaryOp::MulInt, _, Some(1)) => a,
            (BinaryOp::MulInt, Some(0), _) if !self.is_fallible(b) => a,
            (BinaryOp::MulInt, _, Some(0)) if !self.is_fallible(a) => b,
            (BinaryOp::MinInt | BinaryOp::MaxInt, ..) if a == b => a,
            (BinaryOp::AddInt, Some(x), None) => match self.without_addend(b) {
                Some((y, rest)) => {
                    let sum = self.int(x.wrapping_add(y));
                    self.binary(op, sum, rest)
                }
                None => self.plain_binary(op, a, b, ValueType::Int),
            },
            (BinaryOp::AddInt, None, Some(y)) => match self.without_addend(a) {
                Some((x, rest)) => {
                    let sum = self.int(x.wrapping_add(y));
                    self.binary(op, rest, sum)
                }
                None => self.plain_binary(op, a, b, ValueType::Int),
            },
            _ => self.plain_binary(op, a, b, ValueType::Int),
        }
    }

    /// Splits a sum of a constant and another int; `None` for any other node.
    fn without_addend(&self, node: NodeId) -> Option<(i64, NodeId)> {
        let Operation::Binary(BinaryOp::AddInt, a, b) = *self.operation(node) else {
            return None;
        };
        match (self.as_int(a), self.as_int(b)) {
            (Some(addend), _) => Some((addend, b)),
            (_, Some(addend)) => Some((addend, a)),
            _ => None,
        }
    }

    fn on_reals(&mut self, op: BinaryOp, a: NodeId, b: NodeId) -> NodeId {
        match (op, self.as_real(a), self.as_real(b)) {
            (_, Some(x), Some(y)) => self.real(real_operation(op, x, y)),
            (BinaryOp::MulReal, Some(1.0), _) => b,
            (BinaryOp::MulReal | BinaryOp::DivReal, _, Some(1.0)) => a,
            (BinaryOp::PowReal, None, Some(2.0)) => self.binary(BinaryOp::MulReal, a, a),
            (BinaryOp::SubReal, _, Some(0.0)) if !self.is_negative_zero(b) => a,
            (_, Some(x), None) => match self.as_truth(b) {
                Some(truth) => self.either(truth, real_operation(op, x, 1.0), real_operation(op, x, 0.0)),
                None => self.plain_binary(op, a, b, ValueType::Real),
            },
            (_, None, Some(y)) => match self.as_truth(a) {
                Some(truth) => self.either(truth, real_operation(op, 1.0, y), real_operation(op, 0.0, y)),
                None => self.plain_binary(op, a, b, ValueType::Real),
            },
            _ => self.plain_binary(op, a, b, ValueType::Real),
        }
    }

    /// Returns the bool from which the real was converted; `None` if the node is not such a conversion.
    fn as_truth(&self, node: NodeId) -> Option<NodeId> {
        match *self.operation(node) {
            Operation::Unary(UnaryOp::BoolToReal, truth) => Some(truth),
            _ => None,
        }
    }

    /// Selects one of two constants.
    fn either(&mut self, truth: NodeId, then: f64, otherwise: f64) -> NodeId {
        let (then, otherwise) = (self.real(then), self.real(otherwise));
        self.select(truth, then, otherwise)
    }

    fn is_negative_zero(&self, node: NodeId) -> bool {
        self.as_real(node)
            .is_some_and(|x| x == 0.0 && x.is_sign_negative())
    }

    /// Returns the conjunction (`And`) or disjunction (`Or`) of two bools. If either operand can fail, `b` is evaluated
    /// only if `a` does not decide the result. `op` must be one of the two, and the nodes must be bools, which is not
    /// checked.
    pub fn decided(&mut self, op: BinaryOp, a: NodeId, b: NodeId) -> NodeId {
        let decisive = op == BinaryOp::Or;
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
    /// evaluated in order up to the first that decides the result. An empty conjunction is true, an empty disjunction
    /// false. `op` must be one of the two, and the nodes must be bools, which is not checked.
    pub fn junction(&mut self, op: NaryOp, list: Vec<NodeId>) -> NodeId {
        let neutral = op == NaryOp::All;
        if list.iter().any(|&node| self.is_fallible(node)) {
            let (op, rest) = (
                if neutral { BinaryOp::And } else { BinaryOp::Or },
                self.bool(neutral),
            );
            return list
                .into_iter()
                .rev()
                .fold(rest, |rest, node| self.decided(op, node, rest));
        }
        let mut kept: Vec<NodeId> = Vec::with_capacity(list.len());
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
            [a, b] => self.binary(if neutral { BinaryOp::And } else { BinaryOp::Or }, a, b),
            _ => self.plain_nary(op, kept, ValueType::Bool),
        }
    }

    /// Returns the sum of the operands: a real if any operand is a real, else an int, which wraps around. Bools count
    /// as 0 or 1. An empty sum is the int 0.
    pub fn sum(&mut self, list: Vec<NodeId>) -> NodeId {
        match list.iter().map(|node| node.kind).max() {
            Some(ValueType::Real) => self.real_sum(list),
            Some(ValueType::Int) => self.int_sum(list),
            Some(ValueType::Bool) => self.count(list),
            None => self.int(0),
        }
    }

    fn real_sum(&mut self, list: Vec<NodeId>) -> NodeId {
        let terms: Vec<NodeId> = list.into_iter().map(|node| self.to_real(node)).collect();
        // The sum starts at +0, so adding a zero of either sign does not change it.
        let terms: Vec<NodeId> = terms
            .into_iter()
            .filter(|&node| self.as_real(node) != Some(0.0))
            .collect();
        let constant = |node: &NodeId| self.as_real(*node);
        if let Some(values) = terms.iter().map(constant).collect::<Option<Vec<f64>>>() {
            return self.real(values.into_iter().fold(0.0, |sum, x| sum + x));
        }
        self.plain_nary(NaryOp::SumReal, terms, ValueType::Real)
    }

    fn int_sum(&mut self, list: Vec<NodeId>) -> NodeId {
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
            [a, b] => self.binary(BinaryOp::AddInt, a, b),
            _ => self.plain_nary(NaryOp::SumInt, terms, ValueType::Int),
        }
    }

    fn count(&mut self, list: Vec<NodeId>) -> NodeId {
        let known = list
            .iter()
            .filter(|&&node| self.as_bool(node) == Some(true))
            .count();
        let open: Vec<NodeId> = list
            .into_iter()
            .filter(|&node| self.as_bool(node).is_none())
            .collect();
        let known = self.int(known as i64);
        let counted = match *open {
            [] => return known,
            [only] => self.to_int(only),
            _ => self.plain_nary(NaryOp::Count, open, ValueType::Int),
        };
        self.binary(BinaryOp::AddInt, counted, known)
    }

    /// Returns the product of the operands: a real if any operand is a real, else an int, which wraps around. Bools
    /// count as 0 or 1. An empty product is the int 1.
    pub fn product(&mut self, list: Vec<NodeId>) -> NodeId {
        if list.iter().any(|node| node.kind == ValueType::Real) {
            let factors: Vec<NodeId> = list.into_iter().map(|node| self.to_real(node)).collect();
            let constant = |node: &NodeId| self.as_real(*node);
            if let Some(values) = factors.iter().map(constant).collect::<Option<Vec<f64>>>() {
                return self.real(values.into_iter().fold(1.0, |product, x| product * x));
            }
            // The product starts at 1, so a factor of 1 does not change it.
            let factors = factors
                .into_iter()
                .filter(|&node| self.as_real(node) != Some(1.0))
                .collect();
            return self.plain_nary(NaryOp::ProductReal, factors, ValueType::Real);
        }
        let one = self.int(1);
        list.into_iter().fold(one, |product, node| {
            let node = self.to_int(node);
            self.binary(BinaryOp::MulInt, product, node)
        })
    }

    /// Returns the minimum (`MinReal`) or maximum (`MaxReal`) of a list, which must not be empty: a real if any operand
    /// is a real, else an int. Bools count as 0 or 1; a NaN makes the result NaN. Panics if the list is empty;
    /// [`fail`](Self::fail) makes a node for that case.
    pub fn extreme(&mut self, op: BinaryOp, list: Vec<NodeId>) -> NodeId {
        let kind = list
            .iter()
            .map(|node| node.kind)
            .max()
            .unwrap_or(ValueType::Int)
            .max(ValueType::Int);
        let op = match (kind, op) {
            (ValueType::Real, _) => op,
            (_, BinaryOp::MinReal) => BinaryOp::MinInt,
            _ => BinaryOp::MaxInt,
        };
        let list: Vec<NodeId> = list.into_iter().map(|node| self.widened(node, kind)).collect();
        let first = list[0];
        list.into_iter()
            .skip(1)
            .fold(first, |extreme, node| self.binary(op, extreme, node))
    }

    /// Returns the position, as an int, of the first largest (`ArgMax`) or smallest (`ArgMin`) operand of a list of
    /// numbers, which must not be empty. Positions count from 0; ints and bools are converted to reals. The first NaN
    /// counts as the extreme. An empty list gives the constant 0. `op` must be one of the two, which is not checked.
    pub fn place(&mut self, op: NaryOp, list: Vec<NodeId>) -> NodeId {
        let list: Vec<NodeId> = list.into_iter().map(|node| self.to_real(node)).collect();
        let constant = |node: &NodeId| self.as_real(*node);
        if let Some(values) = list.iter().map(constant).collect::<Option<Vec<f64>>>() {
            return self.int(first_extreme(op, values.into_iter()) as i64);
        }
        self.plain_nary(op, list, ValueType::Int)
    }
}
