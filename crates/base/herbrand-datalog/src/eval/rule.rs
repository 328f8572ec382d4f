//! Compiled rules and join buffers, used by the evaluator, queries and views.

use crate::eval::join::Cursor;
use crate::eval::model::Model;
use crate::plan::body::Body;
use crate::program::ids::{FactId, Symbol, Variable};
use crate::program::{Program, Rule, Term};
use crate::store::rows::Head;

/// The part of a compiled rule that all its plans share.
#[derive(Clone, Debug)]
pub(crate) struct RuleCode {
    pub variables: usize,
    pub premises: usize,
    pub heads: Vec<Head>,
    /// The variables that are represented by another variable or a constant.
    pub replaced: Vec<(Variable, Term)>,
}

impl RuleCode {
    /// Compiles every rule of a program.
    pub(crate) fn of_program(program: &Program, bodies: &[Body], model: &Model) -> Vec<Self> {
        let code = |(rule, body)| Self::new(model, rule, body);
        program.rules().iter().zip(bodies).map(code).collect()
    }

    fn new(model: &Model, rule: &Rule, body: &Body) -> Self {
        Self {
            variables: body.variables(),
            premises: body.premise_count(),
            heads: rule
                .heads
                .iter()
                .map(|head| model.head(body.resolve_atom(head)))
                .collect(),
            replaced: body.replaced().collect(),
        }
    }
}

/// The buffers of a join, reused by all joins.
#[derive(Clone, Debug)]
pub(crate) struct Frame<W> {
    pub binding: Vec<Symbol>,
    pub premises: Vec<FactId>,
    pub cursors: Vec<Cursor<W>>,
    pub conclusions: Vec<FactId>,
}

impl<W: Copy + Default> Frame<W> {
    /// Creates buffers that are large enough for every rule.
    pub(crate) fn new(program: &Program, codes: &[RuleCode]) -> Self {
        let most = |of: fn(&RuleCode) -> usize| codes.iter().map(of).max().unwrap_or(0);
        let steps = program
            .rules()
            .iter()
            .map(|rule| rule.body.len())
            .max()
            .unwrap_or(0);
        Self {
            binding: vec![Symbol::new(0); most(|code| code.variables)],
            premises: vec![FactId::new(0); most(|code| code.premises)],
            cursors: vec![Cursor::default(); steps],
            conclusions: vec![FactId::new(0); most(|code| code.heads.len())],
        }
    }
}
