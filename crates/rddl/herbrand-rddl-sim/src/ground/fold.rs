//! Lowering of aggregations to templates: a loop over all bindings, folded per group.

use herbrand_dataflow::{Fold, Groups, NaryOp, NodeId, ValueType};
use herbrand_rddl::{Expression, Node, Range, VariableId};

use super::aggregate::{Split, next_row};
use super::frame::{Rows, Space};
use super::lower::{Lowering, register};

impl Lowering<'_> {
    /// Returns whether an aggregation depends on no row of the current template, so that it can be computed before it.
    pub(super) fn is_ahead(&self, whole: &Expression) -> bool {
        !self.frames.is_empty() && self.rows_of(&[whole]).is_empty()
    }

    /// Returns whether the current template, if any, has too many `bindings` here to write them out.
    pub(super) fn is_wide(&self, bindings: u32) -> bool {
        !self.frames.is_empty() && u64::from(bindings) > self.templates.written_out()
    }

    /// Returns the row variables that the expressions depend on, in the order of the axes.
    fn rows_of(&self, expressions: &[&Expression]) -> Vec<VariableId> {
        let mut used = Vec::new();
        for expression in expressions {
            expression.walk(&mut |part| {
                if let Node::Variable(id) = part.node {
                    used.push(id);
                }
                if let Some(draw) = part.draw() {
                    used.extend_from_slice(&self.instance.domain.draw(draw).scope);
                }
            });
        }
        let axes = self.frames.last().map_or(&[][..], |frame| frame.axes());
        axes.iter().copied().filter(|axis| used.contains(axis)).collect()
    }

    /// Lowers an aggregation to a template; `None` if it must be written out. `kind` is the minimum kind of the folded
    /// values.
    pub(super) fn folded(
        &mut self,
        whole: &Expression,
        (fold, kind): (Fold, ValueType),
        variables: &[VariableId],
        body: &Expression,
    ) -> Option<NodeId> {
        let bindings = self.bindings_of(whole, variables);
        if !self.is_loop(bindings, body) {
            return None;
        }
        let outer = self.rows_of(&[whole]);
        let rows = match self.guards.site(whole) {
            Some(_) => self.guarded_rows(whole, fold, &outer, variables),
            None => self.all_rows(fold, &outer, variables),
        };
        let axes: Vec<VariableId> = outer.iter().chain(variables).copied().collect();
        let array = rows.and_then(|rows| {
            self.expand(&axes, rows, |lowering| {
                // Evaluation stops at the first deciding value, and later values may fail.
                let ends_early = matches!(fold, Fold::All | Fold::Any);
                let value = lowering.lazily(ends_early, |lowering| lowering.lower(body));
                lowering.refused |= ends_early && lowering.graph.is_fallible(value);
                lowering.graph.widened(value, kind)
            })
        });
        self.of_group(whole.range, array, &outer)
    }

    /// Returns whether an aggregation with this many bindings becomes a loop.
    fn is_loop(&self, bindings: u64, body: &Expression) -> bool {
        if self.frames.is_empty() {
            self.is_worthwhile(bindings, body)
        } else {
            bindings > self.templates.written_out()
        }
    }

    /// Returns the approximate number of bindings of an aggregation that satisfy its guard, if it has one.
    fn bindings_of(&self, whole: &Expression, variables: &[VariableId]) -> u64 {
        let all = |variables: &mut dyn Iterator<Item = &VariableId>| {
            variables.fold(1_u64, |all, &variable| {
                all.saturating_mul(u64::from(self.size_of(variable)))
            })
        };
        match self.guards.site(whole) {
            None => all(&mut variables.iter()),
            // The tuples differ by row.
            Some(_) if !self.frames.is_empty() => u64::MAX,
            Some(site) => {
                let outer: Vec<u32> = site.outer.iter().map(|&variable| self.item(variable)).collect();
                let tuples = site.tuples(&outer).len() / site.inner.len();
                let mut free = variables.iter().filter(|variable| !site.inner.contains(variable));
                all(&mut free).saturating_mul(tuples as u64)
            }
        }
    }

    /// Returns rows for all bindings of the outer variables, each with a group of all bindings of the inner variables.
    fn all_rows(&self, fold: Fold, outer: &[VariableId], inner: &[VariableId]) -> Option<Rows> {
        let sizes: Vec<u32> = outer
            .iter()
            .chain(inner)
            .map(|&variable| self.size_of(variable))
            .collect();
        let width = sizes[outer.len()..]
            .iter()
            .try_fold(1_u32, |width, &size| width.checked_mul(size))?;
        Rows::new(Space::Grid(sizes), Groups::Even(fold, width))
    }

    /// Returns, for each binding of the outer variables, a group of the bindings of the inner variables that satisfy the
    /// guard.
    fn guarded_rows(
        &mut self,
        whole: &Expression,
        fold: Fold,
        outer: &[VariableId],
        inner: &[VariableId],
    ) -> Option<Rows> {
        let guards = self.guards;
        let site = guards.site(whole)?;
        let sizes = |variables: &[VariableId]| -> Vec<u32> {
            variables.iter().map(|&variable| self.size_of(variable)).collect()
        };
        let (outer_sizes, inner_sizes) = (sizes(outer), sizes(inner));
        let groups = outer_sizes
            .iter()
            .fold(1_u64, |all, &size| all.saturating_mul(u64::from(size)));
        let mut columns = vec![Vec::new(); outer.len() + inner.len()];
        let (mut ends, mut items) = (Vec::new(), vec![0; outer.len()]);
        for _ in 0..groups {
            let item = |variable: &VariableId| match outer.iter().position(|one| one == variable) {
                Some(axis) => items[axis],
                None => self.item(*variable),
            };
            let guarded: Vec<u32> = site.outer.iter().map(item).collect();
            let rows = self.guarded_bindings(site, &guarded, inner, &inner_sizes)?;
            if !self.list((rows.len() * columns.len() + 1) as u64) {
                return None;
            }
            for row in rows {
                let all = items.iter().copied().chain(row);
                columns
                    .iter_mut()
                    .zip(all)
                    .for_each(|(column, item)| column.push(item));
            }
            ends.push(u32::try_from(columns.first()?.len()).ok()?);
            next_row(&mut items, &outer_sizes);
        }
        Rows::new(Space::Listed(columns), Groups::Upto(fold, ends.into()))
    }

    /// Returns the value of the group that belongs to the row, or of the only group. Without an array, refuses the current
    /// template, if there is one.
    fn of_group(&mut self, range: Range, array: Option<NodeId>, outer: &[VariableId]) -> Option<NodeId> {
        match (array, self.frames.is_empty()) {
            (Some(array), true) => Some(self.graph.element(array, 0)),
            (Some(array), false) => Some(self.by_row(array, outer)),
            (None, true) => {
                self.refused = false;
                None
            }
            (None, false) => {
                self.refused = true;
                Some(self.graph.zero(register(range)))
            }
        }
    }

    /// Lowers a split sum to two templates: the counts, and the sum over the other variables. `None` if it must be written
    /// out.
    pub(super) fn folded_split(
        &mut self,
        whole: &Expression,
        body: &Expression,
        split: &Split<'_>,
    ) -> Option<NodeId> {
        let variables: Vec<VariableId> = split.others.iter().copied().chain([split.variable]).collect();
        if !self.is_loop(self.bindings_of(whole, &variables), body) {
            return None;
        }
        let outer = self.rows_of(&[whole]);
        let axes: Vec<VariableId> = outer.iter().chain(&split.others).copied().collect();
        let array = self.all_rows(Fold::Sum, &outer, &split.others).and_then(|rows| {
            self.expand(&axes, rows, |lowering| {
                let parts: Vec<NodeId> = split.apart.iter().map(|&part| lowering.lower(part)).collect();
                let holds = lowering.graph.junction(NaryOp::All, parts);
                let count = lowering.count_by_row(split);
                let zero = lowering.graph.int(0);
                lowering.graph.select(holds, count, zero)
            })
        });
        self.of_group(whole.range, array, &outer)
    }

    /// Returns the number of items of the counted variable for which all dependent conjuncts hold, by row.
    fn count_by_row(&mut self, split: &Split<'_>) -> NodeId {
        let outer = self.rows_of(&split.inner);
        let axes: Vec<VariableId> = outer.iter().copied().chain([split.variable]).collect();
        let array = self
            .all_rows(Fold::Count, &outer, &[split.variable])
            .and_then(|rows| {
                self.expand(&axes, rows, |lowering| {
                    let parts: Vec<NodeId> = split.inner.iter().map(|&part| lowering.lower(part)).collect();
                    lowering.graph.junction(NaryOp::All, parts)
                })
            });
        match array {
            Some(array) => self.by_row(array, &outer),
            None => {
                self.refused = true;
                self.graph.zero(ValueType::Int)
            }
        }
    }
}
