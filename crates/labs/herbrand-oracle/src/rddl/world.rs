//! The environment in which the expressions of a step are evaluated.

use std::cell::RefCell;

use herbrand_rddl::{Formula, Instance, PvariableId, PvariableKind, Sites, Time, Value};

use super::chance::Chance;
use super::error::RddlEvaluationError;
use super::oracle::{RddlOracle, Tables};

/// The environment of a step. State and action are given; all other fluents are computed when they are read.
pub(super) struct StepEnvironment<'w, C> {
    pub(super) instance: &'w Instance,
    pub(super) sites: &'w Sites,
    constants: &'w Tables,
    state: &'w Tables,
    action: &'w Tables,
    /// The cached values of fluents with a CPF, by pvariable and row.
    computed: RefCell<Vec<Vec<Option<Value>>>>,
    pub(super) chance: &'w C,
}

impl<'w, C: Chance> StepEnvironment<'w, C> {
    pub(super) fn new(oracle: &'w RddlOracle, state: &'w Tables, action: &'w Tables, chance: &'w C) -> Self {
        Self {
            instance: &oracle.instance,
            sites: &oracle.sites,
            constants: &oracle.constants,
            state,
            action,
            computed: RefCell::new(vec![Vec::new(); oracle.instance.domain.pvariables.len()]),
            chance,
        }
    }

    /// Returns the value of a ground fluent.
    pub(super) fn value(
        &self,
        id: PvariableId,
        time: Time,
        number: u64,
    ) -> Result<Value, RddlEvaluationError> {
        let row = number as usize;
        match (self.instance.domain.pvariable(id).kind, time) {
            (PvariableKind::NonFluent, _) => Ok(self.constants[id.index()][row]),
            (PvariableKind::Action, _) => Ok(self.action[id.index()][row]),
            (PvariableKind::State, Time::Now) => Ok(self.state[id.index()][row]),
            _ => self.computed(id, number),
        }
    }

    /// Returns the value of a ground fluent by its CPF.
    pub(super) fn computed(&self, id: PvariableId, number: u64) -> Result<Value, RddlEvaluationError> {
        let row = number as usize;
        {
            let mut tables = self.computed.borrow_mut();
            let table = &mut tables[id.index()];
            if table.is_empty() {
                table.resize(self.instance.count(id) as usize, None);
            }
            if let Some(value) = table[row] {
                return Ok(value);
            }
        }
        let domain = &self.instance.domain;
        let range = domain.pvariable(id).range;
        let cpf = domain.cpfs.iter().find(|cpf| cpf.head == id);
        let value = match cpf {
            Some(cpf) => self.formula(&cpf.formula, &self.instance.arguments(id, number))?,
            None => range.zero(),
        };
        let value = value.widened(range);
        self.computed.borrow_mut()[id.index()][row] = Some(value);
        Ok(value)
    }

    /// Returns the values of all ground fluents of a pvariable with a CPF, in row order.
    pub(super) fn table(&self, id: PvariableId) -> Result<Vec<Value>, RddlEvaluationError> {
        (0..self.instance.count(id))
            .map(|number| self.computed(id, number))
            .collect()
    }

    /// Returns the value of a formula. `arguments` are the items of its parameters.
    pub(super) fn formula(&self, formula: &Formula, arguments: &[u32]) -> Result<Value, RddlEvaluationError> {
        let mut items = arguments.to_vec();
        items.resize(formula.variables.len(), 0);
        self.evaluate(formula, &formula.body, &mut items)
    }

    /// Returns whether a condition holds.
    pub(super) fn holds(&self, condition: &Formula) -> Result<bool, RddlEvaluationError> {
        Ok(self.formula(condition, &[])? == Value::Bool(true))
    }
}
