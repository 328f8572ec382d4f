//! The choice of expressions that are compiled once for all bindings of their variables.

use herbrand_dataflow::{Groups, NodeId};
use herbrand_rddl::{Expression, Formula, Node, PvariableId, Range, VariableId};

use super::frame::{Rows, Space};
use super::lower::{Lowering, register};

/// The choice of the expressions that become templates, an option of [`compile_with`](super::compile_with). A template is
/// compiled once and evaluated in a loop over the bindings of its variables. All other expressions are compiled for each
/// binding, which is faster if there are few. The default is `From(10_000)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Templates {
    /// Expressions with at least this many bindings, or whose bindings together compute at least [`WORK`](Self::WORK)
    /// times as many values. With 0, all expressions with variables. An expression with a part that cannot be a
    /// template is compiled for each binding anyway.
    From(u64),
    /// No expressions become templates.
    Never,
}

impl Default for Templates {
    /// Templates from 10,000 bindings on.
    fn default() -> Self {
        Self::From(10_000)
    }
}

impl Templates {
    /// The number of computed values that count as much as one binding.
    pub const WORK: u64 = 10;

    /// Returns the maximum number of bindings of an aggregation that is written out within a template.
    pub(super) fn written_out(self) -> u64 {
        match self {
            Self::From(least) => least.min(16),
            Self::Never => 16,
        }
    }

    /// Returns whether an expression with this many bindings, and values per binding, becomes a template.
    fn take(self, bindings: u64, values: u64) -> bool {
        match self {
            Self::From(least) => {
                bindings >= least || bindings.saturating_mul(values) >= least.saturating_mul(Self::WORK)
            }
            Self::Never => false,
        }
    }
}

impl Lowering<'_> {
    /// Returns whether an expression with this many bindings becomes a template.
    pub(super) fn is_worthwhile(&self, bindings: u64, body: &Expression) -> bool {
        self.templates != Templates::Never && bindings > 0 && self.templates.take(bindings, self.work(body))
    }

    /// Returns the approximate number of values that an expression computes for one binding.
    fn work(&self, expression: &Expression) -> u64 {
        let own = expression
            .children()
            .into_iter()
            .fold(1_u64, |sum, part| sum.saturating_add(self.work(part)));
        let sizes = |variables: &[VariableId]| {
            let sizes = variables
                .iter()
                .map(|&variable| u64::from(self.size_of(variable)));
            sizes.fold(1, u64::saturating_mul)
        };
        let bindings = match &expression.node {
            Node::Aggregate(_, variables, _) | Node::Quantify(_, variables, _) => {
                match self.guards.site(expression) {
                    Some(site) => {
                        let free: Vec<VariableId> = variables
                            .iter()
                            .copied()
                            .filter(|variable| !site.inner.contains(variable))
                            .collect();
                        (site.len() / sizes(&site.outer).max(1))
                            .max(1)
                            .saturating_mul(sizes(&free))
                    }
                    None => sizes(variables),
                }
            }
            Node::Extreme(_, variable, _) | Node::DiscreteOver(_, _, variable, _) => sizes(&[*variable]),
            _ => 1,
        };
        own.saturating_mul(bindings)
    }

    /// Lowers a CPF to a template; `None` if it is not worthwhile, or if some part has to be compiled for each binding.
    pub(super) fn template(&mut self, head: PvariableId, formula: &Formula, range: Range) -> Option<NodeId> {
        let count = self.instance.count(head);
        if !self.is_worthwhile(count, &formula.body) {
            return None;
        }
        self.items.clear();
        self.items
            .resize(formula.variables.len(), super::frame::Bound::Item(0));
        let axes: Vec<VariableId> = (0..formula.parameters as usize)
            .map(VariableId::from_index)
            .collect();
        let sizes = axes.iter().map(|&axis| self.size_of(axis)).collect();
        let rows = Rows::new(Space::Grid(sizes), Groups::Single)?;
        let made = self.expand(&axes, rows, |lowering| {
            let value = lowering.lower(&formula.body);
            lowering.graph.widened(value, register(range))
        });
        self.refused = false;
        made
    }

    /// Gives up the template under construction.
    pub(super) fn refuse(&mut self, expression: &Expression) -> NodeId {
        self.refused = true;
        self.graph.zero(register(expression.range))
    }
}
