//! What the evaluators share of a rule.

use crate::eval::join::Cursor;
use crate::plan::body::Body;
use crate::store::model::Model;
use crate::store::rows::Head;
use crate::{FactId, Program, Rule, Symbol, Term, Variable};

/// What all plans of a rule share.
#[derive(Clone, Debug)]
pub(crate) struct RuleCode {
    pub variables: usize,
    pub premises: usize,
    pub heads: Vec<Head>,
    /// Variables that follow from others, or are constant.
    pub replaced: Vec<(Variable, Term)>,
}

impl RuleCode {
    /// The code of every rule of a program.
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

/// What joins write to, lent to one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Frame<W> {
    pub binding: Vec<Symbol>,
    pub premises: Vec<FactId>,
    pub cursors: Vec<Cursor<W>>,
    pub conclusions: Vec<FactId>,
}

impl<W: Copy + Default> Frame<W> {
    /// Room for the largest rule.
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
