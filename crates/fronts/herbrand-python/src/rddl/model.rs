//! The model of a task as Python data: types, pvariables, CPFs, conditions, and their dependencies.

use herbrand_distributions::WeightKind;
use herbrand_rddl::{
    Case, CpfId, Domain, Expression, Formula, Instance, Lambda, Node, PvariableKind, Range, Time, TypeKind,
    Value, VariableId,
};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Returns the model as a dict of plain values. `herbrand.rddl.model` converts it to dataclasses.
pub fn model<'py>(py: Python<'py>, instance: &Instance) -> PyResult<Bound<'py, PyDict>> {
    let domain = &*instance.domain;
    let dict = PyDict::new(py);
    dict.set_item("types", types(instance))?;
    dict.set_item("pvariables", pvariables(py, instance)?)?;
    dict.set_item("cpfs", cpfs(py, domain)?)?;
    let formula = |one: &Formula| Ok((domain.formula_text(one), tree(py, domain, one, &one.body)?));
    dict.set_item("reward", formula(&domain.reward)?)?;
    for (name, list) in [
        ("preconditions", &domain.preconditions),
        ("constraints", &domain.constraints),
        ("invariants", &domain.invariants),
        ("terminations", &domain.terminations),
    ] {
        let texts = list.iter().map(formula).collect::<PyResult<Vec<_>>>()?;
        dict.set_item(name, texts)?;
    }
    Ok(dict)
}

/// Returns for each type its name, whether it is an enum, and its items.
fn types(instance: &Instance) -> Vec<(String, bool, Vec<String>)> {
    let one = |(index, of): (usize, &herbrand_rddl::Type)| {
        let id = herbrand_rddl::TypeId::from_index(index);
        let items = (0..instance.size(id)).map(|item| instance.item_name(id, item).to_string());
        let is_enum = matches!(of.kind, TypeKind::Enum(_));
        (of.name.to_string(), is_enum, items.collect())
    };
    instance.domain.types.iter().enumerate().map(one).collect()
}

fn value<'py>(
    py: Python<'py>,
    instance: &Instance,
    range: Range,
    value: Value,
) -> PyResult<Bound<'py, PyAny>> {
    match (range, value) {
        (Range::Item(of), Value::Item(item)) => instance.item_name(of, item).as_str().into_bound_py_any(py),
        (_, Value::Bool(value)) => value.into_bound_py_any(py),
        (_, Value::Int(value)) => value.into_bound_py_any(py),
        (_, Value::Real(value)) => value.into_bound_py_any(py),
        (_, Value::Item(item)) => item.into_bound_py_any(py),
    }
}

/// Returns for each pvariable its name, kind, parameter types, range, and default (None if it is computed).
fn pvariables<'py>(py: Python<'py>, instance: &Instance) -> PyResult<Vec<Bound<'py, PyTuple>>> {
    let domain = &*instance.domain;
    let one = |pvariable: &herbrand_rddl::Pvariable| {
        let parameters = pvariable
            .parameters
            .iter()
            .map(|&of| domain.type_of(of).name.as_str());
        let default = match pvariable.kind {
            PvariableKind::NonFluent | PvariableKind::State | PvariableKind::Action => {
                value(py, instance, pvariable.range, pvariable.default_value())?
            }
            _ => py.None().into_bound(py),
        };
        let range = domain.range_name(pvariable.range);
        let parts = (
            pvariable.name.as_str(),
            pvariable.kind.as_str(),
            PyTuple::new(py, parameters)?,
            range,
            default,
        );
        parts.into_pyobject(py)
    };
    domain.pvariables.iter().map(one).collect()
}

/// Returns the values of all ground variables of a pvariable in row-major order: the values of a non-fluent, the initial
/// values of a state fluent, or the defaults of an action fluent. None for other kinds.
pub fn values<'py>(
    py: Python<'py>,
    instance: &Instance,
    name: &str,
) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
    let domain = &*instance.domain;
    let Some(id) = domain.find_pvariable(name) else {
        return Ok(None);
    };
    let pvariable = domain.pvariable(id);
    if !matches!(
        pvariable.kind,
        PvariableKind::NonFluent | PvariableKind::State | PvariableKind::Action
    ) {
        return Ok(None);
    }
    let values = instance.values(id).into_iter();
    let values = values.map(|one| value(py, instance, pvariable.range, one));
    values.collect::<PyResult<_>>().map(Some)
}

/// Returns for each CPF its head, parameters with `?`, text, tree, level from 0, and dependencies: pairs of a pvariable and
/// whether its next value is read.
fn cpfs<'py>(py: Python<'py>, domain: &Domain) -> PyResult<Vec<Bound<'py, PyTuple>>> {
    let level = |id: CpfId| domain.levels.iter().position(|level| level.contains(&id));
    let one = |(index, cpf): (usize, &herbrand_rddl::Cpf)| {
        let parameters = cpf
            .formula
            .parameters()
            .iter()
            .map(|one| format!("?{}", one.name));
        let parts = (
            domain.pvariable(cpf.head).name.as_str(),
            PyTuple::new(py, parameters)?,
            domain.formula_text(&cpf.formula),
            tree(py, domain, &cpf.formula, &cpf.formula.body)?,
            level(CpfId::from_index(index)),
        );
        parts.into_pyobject(py)
    };
    domain.cpfs.iter().enumerate().map(one).collect()
}

/// Converts an expression to a tuple of its kind and its parts.
fn tree<'py>(
    py: Python<'py>,
    domain: &Domain,
    formula: &Formula,
    expression: &Expression,
) -> PyResult<Bound<'py, PyAny>> {
    Tree { py, domain, formula }.of(expression)
}

struct Tree<'a, 'py> {
    py: Python<'py>,
    domain: &'a Domain,
    formula: &'a Formula,
}

type Part<'py> = Bound<'py, PyAny>;

impl<'py> Tree<'_, 'py> {
    /// Returns the tuple `(head, part, …)`.
    fn node(&self, head: &str, parts: Vec<Part<'py>>) -> PyResult<Part<'py>> {
        let head = head.into_bound_py_any(self.py)?;
        let parts = std::iter::once(head).chain(parts);
        Ok(PyTuple::new(self.py, parts.collect::<Vec<_>>())?.into_any())
    }

    fn all<'e>(&self, list: impl IntoIterator<Item = &'e Expression>) -> PyResult<Vec<Part<'py>>> {
        list.into_iter().map(|one| self.of(one)).collect()
    }

    fn text(&self, text: impl AsRef<str>) -> PyResult<Part<'py>> {
        text.as_ref().into_bound_py_any(self.py)
    }

    fn variable(&self, id: VariableId) -> PyResult<Part<'py>> {
        self.text(format!("?{}", self.formula.variable(id).name))
    }

    /// Returns pairs of variable and type.
    fn bound(&self, variables: &[VariableId]) -> PyResult<Part<'py>> {
        let pair = |&id: &VariableId| {
            let of = self.formula.variable(id).of;
            let pair = (self.variable(id)?, self.domain.type_of(of).name.as_str());
            pair.into_bound_py_any(self.py)
        };
        let pairs = variables.iter().map(pair).collect::<PyResult<Vec<_>>>()?;
        Ok(PyTuple::new(self.py, pairs)?.into_any())
    }

    fn over(&self, head: &str, variables: &[VariableId], body: &Expression) -> PyResult<Part<'py>> {
        self.node(head, vec![self.bound(variables)?, self.of(body)?])
    }

    /// Returns pairs of item and body.
    fn cases(&self, of: Range, cases: &[Case]) -> PyResult<Part<'py>> {
        let case = |case: &Case| (self.item(of, case.item)?, self.of(&case.body)?).into_bound_py_any(self.py);
        let cases = cases.iter().map(case).collect::<PyResult<Vec<_>>>()?;
        Ok(PyTuple::new(self.py, cases)?.into_any())
    }

    /// Returns an enum value by name.
    fn item(&self, of: Range, item: u32) -> PyResult<Part<'py>> {
        let names = match of {
            Range::Item(id) => self.domain.type_of(id).values(),
            _ => None,
        };
        match names.and_then(|names| names.get(item as usize)) {
            Some(name) => self.text(format!("@{name}")),
            None => item.into_bound_py_any(self.py),
        }
    }

    fn lambda(&self, lambda: &Lambda) -> PyResult<Part<'py>> {
        self.over("lambda", &lambda.variables, &lambda.body)
    }

    fn literal(&self, range: Range, value: Value) -> PyResult<Part<'py>> {
        match value {
            Value::Bool(value) => value.into_bound_py_any(self.py),
            Value::Int(value) => value.into_bound_py_any(self.py),
            Value::Real(value) => value.into_bound_py_any(self.py),
            Value::Item(item) => self.item(range, item),
        }
    }

    fn of(&self, expression: &Expression) -> PyResult<Part<'py>> {
        match &expression.node {
            Node::Literal(value) => self.node("literal", vec![self.literal(expression.range, *value)?]),
            Node::Variable(id) => self.node("variable", vec![self.variable(*id)?]),
            Node::Fluent(id, time, arguments) => {
                let prime = if *time == Time::Next { "'" } else { "" };
                let name = format!("{}{prime}", self.domain.pvariable(*id).name);
                let mut parts = vec![self.text(name)?];
                parts.extend(self.all(arguments)?);
                self.node("fluent", parts)
            }
            Node::Unary(op, one) => self.node(op.as_str(), vec![self.of(one)?]),
            Node::Binary(first, rest) => rest.iter().try_fold(self.of(first)?, |joined, (op, operand)| {
                self.node(op.as_str(), vec![joined, self.of(operand)?])
            }),
            Node::Compare(op, two) => self.node(op.as_str(), self.all(two.iter())?),
            Node::Connect(op, operands) => {
                let (first, rest) = operands.split_at(1);
                rest.iter().try_fold(self.of(&first[0])?, |joined, operand| {
                    self.node(op.as_str(), vec![joined, self.of(operand)?])
                })
            }
            Node::If(three) => self.node("if", self.all(three.iter())?),
            Node::Switch {
                subject,
                cases,
                default,
            } => {
                let mut parts = vec![self.of(subject)?, self.cases(subject.range, cases)?];
                parts.extend(self.all(default.as_deref())?);
                self.node("switch", parts)
            }
            Node::Aggregate(op, variables, body) => self.over(op.as_str(), variables, body),
            Node::Quantify(op, variables, body) => self.over(op.as_str(), variables, body),
            Node::Extreme(op, variable, body) => self.over(op.as_str(), &[*variable], body),
            Node::Determinant(variables, body) => self.over("det", variables, body),
            Node::Matrix(op, place, lambda) => {
                let place = place
                    .iter()
                    .map(|&id| self.variable(id))
                    .collect::<PyResult<Vec<_>>>()?;
                let place = PyTuple::new(self.py, place)?.into_any();
                self.node(op.as_str(), vec![place, self.lambda(lambda)?])
            }
            Node::KronDelta(one) => self.node("KronDelta", vec![self.of(one)?]),
            Node::DiracDelta(one) => self.node("DiracDelta", vec![self.of(one)?]),
            Node::Bernoulli(_, one) => self.node("Bernoulli", vec![self.of(one)?]),
            Node::Draw(_, family, parameters) => self.node(family.name(), self.all(parameters)?),
            Node::Discrete {
                choice,
                of,
                cases,
                otherwise,
                ..
            } => {
                let range = Range::Item(*of);
                let mut parts = vec![
                    self.text(self.domain.type_of(*of).name.as_str())?,
                    self.cases(range, cases)?,
                ];
                if let Some(item) = otherwise {
                    parts.push(self.item(range, *item)?);
                }
                self.node(choice_name(*choice), parts)
            }
            Node::DiscreteOver(_, choice, variable, body) => {
                self.over(choice_name(*choice), &[*variable], body)
            }
            Node::Vector(_, op, index, lambdas) => {
                let mut parts = vec![self.variable(*index)?];
                for lambda in lambdas {
                    parts.push(self.lambda(lambda)?);
                }
                self.node(op.as_str(), parts)
            }
        }
    }
}

const fn choice_name(choice: WeightKind) -> &'static str {
    match choice {
        WeightKind::Probabilities => "Discrete",
        WeightKind::Weights => "UnnormDiscrete",
    }
}
