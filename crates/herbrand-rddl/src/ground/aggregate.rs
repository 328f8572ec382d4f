//! Aggregations: over the tuples that their guard leaves, or over all.

use super::lower::Lowering;
use crate::tape::{Absent, Binary as Op, Kind as Register, Nary, Node as Value};
use crate::{Aggregation, Expression, Extremum, Quantifier, Range, VariableId};

impl Lowering<'_> {
    pub(super) fn aggregate(
        &mut self,
        whole: &Expression,
        op: Aggregation,
        variables: &[VariableId],
        body: &Expression,
    ) -> Value {
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
                let values: Vec<Value> = values
                    .into_iter()
                    .map(|value| self.graph.to_real(value))
                    .collect();
                let sum = self.graph.sum(values);
                let (sum, count) = (self.graph.to_real(sum), self.graph.real(count as f64));
                self.graph.binary(Op::DivReal, sum, count)
            }
            Aggregation::Minimum | Aggregation::Maximum if count == 0 => {
                let kind = if whole.range == Range::Real {
                    Register::Real
                } else {
                    Register::Int
                };
                self.graph.fail(Absent::ExtremeOfNothing, kind)
            }
            Aggregation::Minimum => self.graph.extreme(Op::MinReal, values),
            Aggregation::Maximum => self.graph.extreme(Op::MaxReal, values),
        }
    }

    pub(super) fn quantify(
        &mut self,
        whole: &Expression,
        op: Quantifier,
        variables: &[VariableId],
        body: &Expression,
    ) -> Value {
        let values = self.each_binding(whole, variables, body);
        self.graph.junction(
            if op == Quantifier::Forall {
                Nary::All
            } else {
                Nary::Any
            },
            values,
        )
    }

    pub(super) fn extreme(&mut self, op: Extremum, variable: VariableId, body: &Expression) -> Value {
        let values = self.each_item(variable, body);
        match (values.is_empty(), op) {
            (true, _) => self.graph.fail(Absent::ItemOfNothing, Register::Int),
            (_, Extremum::ArgMax) => self.graph.place(Nary::ArgMax, values),
            (_, Extremum::ArgMin) => self.graph.place(Nary::ArgMin, values),
        }
    }

    /// The body for each binding of the variables that may count, in row order.
    fn each_binding(
        &mut self,
        whole: &Expression,
        variables: &[VariableId],
        body: &Expression,
    ) -> Vec<Value> {
        let sizes: Vec<u32> = variables.iter().map(|&variable| self.size_of(variable)).collect();
        let Some(site) = self.guards.site(whole) else {
            let total = sizes.iter().map(|&size| size as usize).product();
            let mut items = vec![0; variables.len()];
            return (0..total)
                .map(|_| self.at_binding(variables, &mut items, &sizes, body))
                .collect();
        };
        let outer: Vec<u32> = site.outer.iter().map(|&variable| self.item(variable)).collect();
        let mut rows = Vec::new();
        for tuple in site.tuples(&outer).chunks_exact(site.inner.len()) {
            extend_rows(variables, &sizes, &site.inner, tuple, &mut rows);
        }
        rows.sort_unstable();
        rows.into_iter()
            .map(|row| {
                variables
                    .iter()
                    .zip(row)
                    .for_each(|(&variable, item)| self.bind(variable, item));
                self.lower(body)
            })
            .collect()
    }

    /// The body at a binding, which then moves on to the next one in row order.
    fn at_binding(
        &mut self,
        variables: &[VariableId],
        items: &mut [u32],
        sizes: &[u32],
        body: &Expression,
    ) -> Value {
        variables
            .iter()
            .zip(&*items)
            .for_each(|(&variable, &item)| self.bind(variable, item));
        let value = self.lower(body);
        for (item, &size) in items.iter_mut().zip(sizes).rev() {
            *item += 1;
            if *item < size {
                break;
            }
            *item = 0;
        }
        value
    }

    pub(super) fn size_of(&self, variable: VariableId) -> u32 {
        self.sizes[variable.index()]
    }
}

/// Adds all bindings of `variables` in which the `inner` ones have the items of `tuple`.
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
