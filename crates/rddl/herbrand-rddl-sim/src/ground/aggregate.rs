//! Lowering of aggregations: over the tuples of their guard, or over all bindings.

use herbrand_dataflow::{Absent, BinaryOp, Fold, NaryOp, NodeId, ValueType};
use herbrand_rddl::{Aggregation, Connective, Expression, Extremum, Node, Quantifier, Range, VariableId};

use super::guard::Site;
use super::literal::cannot_fail;
use super::lower::Lowering;

impl Lowering<'_> {
    pub(super) fn aggregate(
        &mut self,
        whole: &Expression,
        op: Aggregation,
        variables: &[VariableId],
        body: &Expression,
    ) -> NodeId {
        if self.is_ahead(whole) {
            return self.ahead(whole);
        }
        if op == Aggregation::Sum
            && self.guards.site(whole).is_none()
            && let Some(split) = Split::of(variables, body)
            && (self.frames.is_empty() || self.all_bindings(variables) > 0)
        {
            if let Some(sum) = self.folded_split(whole, body, &split) {
                return sum;
            }
            if self.frames.is_empty() {
                return self.split_sum(&split);
            }
        }
        if let Some(value) = self.folded(whole, fold(op, body.range), variables, body) {
            return self.finished(op, variables, value);
        }
        let values = self.each_binding(whole, variables, body);
        let count = values.len();
        match op {
            Aggregation::Sum => {
                let sum = self.graph.sum(values);
                self.graph.to_int(sum)
            }
            Aggregation::Product => {
                let product = self.graph.product(values);
                self.graph.to_int(product)
            }
            Aggregation::Average => {
                let values: Vec<NodeId> = values
                    .into_iter()
                    .map(|value| self.graph.to_real(value))
                    .collect();
                let sum = self.graph.sum(values);
                let (sum, count) = (self.graph.to_real(sum), self.graph.real(count as f64));
                self.graph.binary(BinaryOp::DivReal, sum, count)
            }
            Aggregation::Minimum | Aggregation::Maximum if count == 0 => {
                let kind = if whole.range == Range::Real {
                    ValueType::Real
                } else {
                    ValueType::Int
                };
                self.graph.fail(Absent::ExtremeOfNothing, kind)
            }
            Aggregation::Minimum => self.graph.extreme(BinaryOp::MinReal, values),
            Aggregation::Maximum => self.graph.extreme(BinaryOp::MaxReal, values),
        }
    }

    /// Returns the value of an aggregation, given the fold of its body: an average divides the sum by the number of
    /// bindings.
    fn finished(&mut self, op: Aggregation, variables: &[VariableId], fold: NodeId) -> NodeId {
        if op != Aggregation::Average {
            return fold;
        }
        let count = self.all_bindings(variables) as f64;
        let (sum, count) = (self.graph.to_real(fold), self.graph.real(count));
        self.graph.binary(BinaryOp::DivReal, sum, count)
    }

    /// Lowers a split sum: for each binding of the other variables, adds the count over the counted variable if the
    /// independent conjuncts hold. Counts are cached, because they often depend on only some of the other variables.
    fn split_sum(&mut self, split: &Split<'_>) -> NodeId {
        let sizes: Vec<u32> = split
            .others
            .iter()
            .map(|&variable| self.size_of(variable))
            .collect();
        let zero = self.graph.int(0);
        let (total, mut list) = self.bindings(&sizes);
        let mut items = vec![0; sizes.len()];
        let terms = (0..total).map(|_| {
            split
                .others
                .iter()
                .zip(&items)
                .for_each(|(&variable, &item)| self.bind(variable, item));
            let holds: Vec<NodeId> = split.apart.iter().map(|&part| self.lower(part)).collect();
            let holds = self.graph.junction(NaryOp::All, holds);
            let term = if self.graph.as_bool(holds) == Some(false) {
                zero
            } else {
                let count = self.kept_count(split);
                self.graph.select(holds, count, zero)
            };
            next_row(&mut items, &sizes);
            term
        });
        list.extend(terms);
        let sum = self.graph.sum(list);
        self.graph.to_int(sum)
    }

    /// Returns the number of items of the counted variable for which all dependent conjuncts hold. The result is cached.
    fn kept_count(&mut self, split: &Split<'_>) -> NodeId {
        let items = split
            .seen
            .iter()
            .map(|&variable| (variable, self.item(variable)))
            .collect();
        let key = (std::ptr::from_ref(split.inner[0]).addr(), items);
        if let Some(&known) = self.counts.get(&key) {
            return known;
        }
        let size = self.size_of(split.variable);
        let each = |item: u32| {
            self.bind(split.variable, item);
            let parts: Vec<NodeId> = split.inner.iter().map(|&part| self.lower(part)).collect();
            self.graph.junction(NaryOp::All, parts)
        };
        let values: Vec<NodeId> = (0..size).map(each).collect();
        let count = self.graph.sum(values);
        let count = self.graph.to_int(count);
        self.counts.insert(key, count);
        count
    }

    pub(super) fn quantify(
        &mut self,
        whole: &Expression,
        op: Quantifier,
        variables: &[VariableId],
        body: &Expression,
    ) -> NodeId {
        if self.is_ahead(whole) {
            return self.ahead(whole);
        }
        let (fold, junction) = match op {
            Quantifier::Forall => (Fold::All, NaryOp::All),
            Quantifier::Exists => (Fold::Any, NaryOp::Any),
        };
        if let Some(value) = self.folded(whole, (fold, ValueType::Bool), variables, body) {
            return value;
        }
        let values = self.lazily(true, |lowering| lowering.each_binding(whole, variables, body));
        self.graph.junction(junction, values)
    }

    pub(super) fn extreme(
        &mut self,
        whole: &Expression,
        op: Extremum,
        variable: VariableId,
        body: &Expression,
    ) -> NodeId {
        if self.is_ahead(whole) {
            return self.ahead(whole);
        }
        let fold = match op {
            Extremum::ArgMax => Fold::ArgMax,
            Extremum::ArgMin => Fold::ArgMin,
        };
        if let Some(value) = self.folded(whole, (fold, ValueType::Real), &[variable], body) {
            return value;
        }
        let values = self.each_item(variable, body);
        match (values.is_empty(), op) {
            (true, _) => self.graph.fail(Absent::ItemOfNothing, ValueType::Int),
            (_, Extremum::ArgMax) => self.graph.place(NaryOp::ArgMax, values),
            (_, Extremum::ArgMin) => self.graph.place(NaryOp::ArgMin, values),
        }
    }

    /// Lowers the body for each binding that can contribute, in row order.
    fn each_binding(
        &mut self,
        whole: &Expression,
        variables: &[VariableId],
        body: &Expression,
    ) -> Vec<NodeId> {
        let sizes: Vec<u32> = variables.iter().map(|&variable| self.size_of(variable)).collect();
        let Some(site) = self.guards.site(whole) else {
            let (total, mut values) = self.bindings(&sizes);
            let mut items = vec![0; variables.len()];
            values.extend((0..total).map(|_| self.at_binding(variables, &mut items, &sizes, body)));
            return values;
        };
        let outer: Vec<u32> = site.outer.iter().map(|&variable| self.item(variable)).collect();
        let rows = self.guarded_bindings(site, &outer, variables, &sizes);
        rows.unwrap_or_default()
            .into_iter()
            .map(|row| {
                variables
                    .iter()
                    .zip(row)
                    .for_each(|(&variable, item)| self.bind(variable, item));
                self.lower(body)
            })
            .collect()
    }

    /// Returns the bindings of variables that satisfy a guard whose outer variables have these items, in row order; `None` if
    /// the budget or the system has no room for them.
    pub(super) fn guarded_bindings(
        &mut self,
        site: &Site,
        outer: &[u32],
        variables: &[VariableId],
        sizes: &[u32],
    ) -> Option<Vec<Vec<u32>>> {
        let tuples = site.tuples(outer);
        let free = variables
            .iter()
            .zip(sizes)
            .filter(|(variable, _)| !site.inner.contains(variable));
        let per_tuple = free.fold(1_u64, |all, (_, &size)| all.saturating_mul(u64::from(size)));
        let count = per_tuple.saturating_mul((tuples.len() / site.inner.len()) as u64);
        let mut rows = Vec::new();
        let has_room = usize::try_from(count).is_ok_and(|count| self.meter.reserve(&mut rows, count))
            && self.list(count.saturating_mul(variables.len() as u64));
        if !has_room {
            return None;
        }
        for tuple in tuples.chunks_exact(site.inner.len()) {
            extend_rows(variables, sizes, &site.inner, tuple, &mut rows);
        }
        rows.sort_unstable();
        Some(rows)
    }

    /// Returns the number of bindings of variables with these domain sizes, and an empty list with room for as many values;
    /// 0 if the budget or the system has no room.
    fn bindings(&mut self, sizes: &[u32]) -> (u64, Vec<NodeId>) {
        let total = sizes
            .iter()
            .fold(1_u64, |total, &size| total.saturating_mul(u64::from(size)));
        let mut list = Vec::new();
        let fits = usize::try_from(total).is_ok_and(|total| self.meter.reserve(&mut list, total));
        (if fits { total } else { 0 }, list)
    }

    /// Lowers the body at a binding, then advances the binding in row order.
    fn at_binding(
        &mut self,
        variables: &[VariableId],
        items: &mut [u32],
        sizes: &[u32],
        body: &Expression,
    ) -> NodeId {
        variables
            .iter()
            .zip(&*items)
            .for_each(|(&variable, &item)| self.bind(variable, item));
        let value = self.lower(body);
        next_row(items, sizes);
        value
    }

    /// Returns the number of bindings of the variables.
    fn all_bindings(&self, variables: &[VariableId]) -> u64 {
        let sizes = variables
            .iter()
            .map(|&variable| u64::from(self.size_of(variable)));
        sizes.fold(1, u64::saturating_mul)
    }

    pub(super) fn size_of(&self, variable: VariableId) -> u32 {
        self.sizes[variable.index()]
    }
}

/// Returns the fold of an aggregation whose body has this range, and the minimum kind of the folded values.
const fn fold(op: Aggregation, body: Range) -> (Fold, ValueType) {
    match op {
        Aggregation::Sum if matches!(body, Range::Bool) => (Fold::Count, ValueType::Bool),
        Aggregation::Sum => (Fold::Sum, ValueType::Int),
        Aggregation::Average => (Fold::Sum, ValueType::Real),
        Aggregation::Product => (Fold::Product, ValueType::Int),
        Aggregation::Minimum => (Fold::Minimum, ValueType::Int),
        Aggregation::Maximum => (Fold::Maximum, ValueType::Int),
    }
}

/// Advances to the next binding in row order.
pub(super) fn next_row(items: &mut [u32], sizes: &[u32]) {
    for (item, &size) in items.iter_mut().zip(sizes).rev() {
        *item += 1;
        if *item < size {
            break;
        }
        *item = 0;
    }
}

/// A sum of bools split by one variable: `sum_{?c, ?i} [A(?c, ?i) ^ B(?i)]` is `sum_{?i} if (B(?i)) then sum_{?c} A(?c, ?i)
/// else 0`. This is valid because ints may be added in any order, and conjuncts that cannot fail may be evaluated in any
/// order.
pub(super) struct Split<'e> {
    /// The variable that is counted over.
    pub(super) variable: VariableId,
    pub(super) others: Vec<VariableId>,
    /// The conjuncts that depend on the counted variable.
    pub(super) inner: Vec<&'e Expression>,
    /// The conjuncts that do not depend on it.
    pub(super) apart: Vec<&'e Expression>,
    /// The other variables that the dependent conjuncts use.
    seen: Vec<VariableId>,
}

impl<'e> Split<'e> {
    fn of(variables: &[VariableId], body: &'e Expression) -> Option<Self> {
        if variables.len() < 2 || body.range != Range::Bool || !cannot_fail(body) {
            return None;
        }
        let mut parts = Vec::new();
        conjuncts(body, &mut parts);
        let uses = |part: &Expression, variable: VariableId| seen(part).contains(&variable);
        let variable = variables.iter().copied().find(|&variable| {
            let using = parts.iter().filter(|part| uses(part, variable)).count();
            (1..parts.len()).contains(&using)
        })?;
        let (inner, apart): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| uses(part, variable));
        let mut all: Vec<VariableId> = inner.iter().flat_map(|part| seen(part)).collect();
        all.retain(|&one| one != variable);
        all.sort_unstable();
        all.dedup();
        let others = variables.iter().copied().filter(|&one| one != variable).collect();
        Some(Self {
            variable,
            others,
            inner,
            apart,
            seen: all,
        })
    }
}

fn conjuncts<'e>(expression: &'e Expression, into: &mut Vec<&'e Expression>) {
    match &expression.node {
        Node::Connect(Connective::And, parts) => {
            parts.iter().for_each(|part| conjuncts(part, into));
        }
        _ => into.push(expression),
    }
}

/// Returns the variables that occur in an expression, including bound variables.
fn seen(expression: &Expression) -> Vec<VariableId> {
    let mut seen = Vec::new();
    expression.walk(&mut |part| {
        if let Node::Variable(id) = part.node {
            seen.push(id);
        }
    });
    seen
}

/// Appends all bindings of `variables` in which the `inner` variables have the items of `tuple`.
fn extend_rows(
    variables: &[VariableId],
    sizes: &[u32],
    inner: &[VariableId],
    tuple: &[u32],
    rows: &mut Vec<Vec<u32>>,
) {
    let mut made = vec![Vec::with_capacity(variables.len())];
    for (variable, &size) in variables.iter().zip(sizes) {
        match inner.iter().position(|one| one == variable) {
            Some(place) => made.iter_mut().for_each(|row| row.push(tuple[place])),
            None => {
                made = made
                    .iter()
                    .flat_map(|row: &Vec<u32>| {
                        (0..size).map(move |item| row.iter().copied().chain([item]).collect())
                    })
                    .collect();
            }
        }
    }
    rows.append(&mut made);
}
