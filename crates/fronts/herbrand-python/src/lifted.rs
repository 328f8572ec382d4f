//! Conversion of the checked model to the dataclasses of `herbrand.model`.

use herbrand_pddl::{
    Atom, AtomList, Domain, Effect, Expression, Formula, FunctionId, FunctionTerm, FunctionValue,
    InitialChance, InitialOutcome, Metric, Object, ObjectId, PredicateKind, Term, TypeUnion, Variable,
    VariableId,
};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyString, PyTuple};

use crate::term;

/// Converts parts of a domain, or of a problem with the given objects, to Python objects.
pub struct Lifted<'py, 'm> {
    py: Python<'py>,
    classes: Bound<'py, PyModule>,
    domain: &'m Domain,
    objects: &'m [Object],
}

type Made<'py> = PyResult<Bound<'py, PyAny>>;
type MadeTuple<'py> = PyResult<Bound<'py, PyTuple>>;

impl<'py, 'm> Lifted<'py, 'm> {
    /// Creates a converter for the parts of a domain.
    pub fn of(py: Python<'py>, domain: &'m Domain) -> PyResult<Self> {
        Self::with_objects(py, domain, &domain.constants)
    }

    /// Creates a converter for the parts of a problem with these objects.
    pub fn with_objects(py: Python<'py>, domain: &'m Domain, objects: &'m [Object]) -> PyResult<Self> {
        Ok(Self {
            py,
            classes: py.import("herbrand.model")?,
            domain,
            objects,
        })
    }

    fn make<A>(&self, class: &str, arguments: A) -> Made<'py>
    where
        A: pyo3::call::PyCallArgs<'py>,
    {
        self.classes.getattr(class)?.call1(arguments)
    }

    fn text(&self, text: &str) -> Bound<'py, PyString> {
        PyString::intern(self.py, text)
    }

    fn tuple<T>(&self, items: impl IntoIterator<Item = T>, write: impl Fn(T) -> Made<'py>) -> MadeTuple<'py> {
        let items: Vec<_> = items.into_iter().map(write).collect::<PyResult<_>>()?;
        PyTuple::new(self.py, items)
    }

    fn type_names(&self, types: &TypeUnion) -> MadeTuple<'py> {
        let name = |id: &_| Ok(self.text(self.domain.type_of(*id).name.as_str()).into_any());
        self.tuple(types.types(), name)
    }

    fn object(&self, id: ObjectId) -> Bound<'py, PyString> {
        self.text(self.objects[id.index()].name.as_str())
    }

    /// Converts all types.
    pub fn types(&self) -> MadeTuple<'py> {
        self.tuple(&self.domain.types, |one| {
            let parents = self.tuple(&one.parents, |id| {
                Ok(self.text(self.domain.type_of(*id).name.as_str()).into_any())
            })?;
            self.make("Type", (one.name.as_str(), parents))
        })
    }

    /// Converts objects or constants.
    pub fn objects(&self, objects: &[Object]) -> MadeTuple<'py> {
        self.tuple(objects, |object| {
            self.make("Object", (object.name.as_str(), self.type_names(&object.types)?))
        })
    }

    fn parameters(&self, variables: &[Variable]) -> MadeTuple<'py> {
        self.tuple(variables, |variable| self.parameter(variable))
    }

    fn parameter(&self, variable: &Variable) -> Made<'py> {
        self.make(
            "Parameter",
            (variable.name.as_str(), self.type_names(&variable.types)?),
        )
    }

    /// Converts all predicates.
    pub fn predicates(&self) -> MadeTuple<'py> {
        self.tuple(&self.domain.predicates, |predicate| {
            let kind = match predicate.kind {
                PredicateKind::Static => "static",
                PredicateKind::Fluent => "fluent",
                PredicateKind::Derived => "derived",
                PredicateKind::Action => "action",
            };
            let parameters = self.parameters(&predicate.parameters)?;
            self.make("Predicate", (predicate.name.as_str(), parameters, kind))
        })
    }

    /// Converts all numeric functions.
    pub fn functions(&self) -> MadeTuple<'py> {
        self.tuple(&self.domain.functions, |function| {
            let parameters = self.parameters(&function.parameters)?;
            self.make(
                "Function",
                (function.name.as_str(), parameters, function.implicit),
            )
        })
    }

    /// Converts all axioms.
    pub fn axioms(&self) -> MadeTuple<'py> {
        self.tuple(&self.domain.axioms, |axiom| {
            let predicate = self.domain.predicate(axiom.predicate);
            let parameters = self.parameters(&axiom.variables[..predicate.parameters.len()])?;
            let body = self.formula(&axiom.body, &axiom.variables)?;
            self.make("Axiom", (predicate.name.as_str(), parameters, body))
        })
    }

    /// Converts all operators.
    pub fn operators(&self) -> MadeTuple<'py> {
        self.tuple(&self.domain.schemas, |schema| {
            let variables = &schema.variables;
            let agent = schema.agent.as_ref();
            let agent = agent
                .map(|atom| self.holds("Holds", atom, variables))
                .transpose()?;
            let fields = (
                schema.name.as_str(),
                self.parameters(schema.parameters())?,
                self.formula(&schema.precondition, variables)?,
                self.effect(&schema.effect, variables)?,
                agent,
            );
            self.make("Operator", fields)
        })
    }

    fn term(&self, term: Term, variables: &[Variable]) -> Made<'py> {
        match term {
            Term::Variable(id) => self.make("Variable", (variables[id.index()].name.as_str(),)),
            Term::Object(id) => Ok(self.object(id).into_any()),
        }
    }

    fn terms(&self, terms: &[Term], variables: &[Variable]) -> MadeTuple<'py> {
        self.tuple(terms, |&term| self.term(term, variables))
    }

    fn holds(&self, class: &str, atom: &Atom, variables: &[Variable]) -> Made<'py> {
        let name = self.domain.predicate(atom.predicate).name.as_str();
        self.make(class, (name, self.terms(&atom.arguments, variables)?))
    }

    fn bound(&self, ids: &[VariableId], variables: &[Variable]) -> MadeTuple<'py> {
        self.tuple(ids, |id| self.parameter(&variables[id.index()]))
    }

    /// Converts a formula over these variables.
    pub fn formula(&self, formula: &Formula, variables: &[Variable]) -> Made<'py> {
        let inner = |formula| self.formula(formula, variables);
        match formula {
            Formula::Atom(atom) => self.holds("Holds", atom, variables),
            Formula::Equal(left, right) => {
                let sides = (self.term(*left, variables)?, self.term(*right, variables)?);
                self.make("Equal", sides)
            }
            Formula::Compare(comparison, left, right) => {
                let (left, right) = (
                    self.expression(left, variables)?,
                    self.expression(right, variables)?,
                );
                self.make("Compare", (comparison.symbol(), left, right))
            }
            Formula::Not(operand) => self.make("Not", (inner(operand)?,)),
            Formula::And(operands) => self.make("And", (self.tuple(operands, inner)?,)),
            Formula::Or(operands) => self.make("Or", (self.tuple(operands, inner)?,)),
            Formula::Imply(left, right) => self.make("Imply", (inner(left)?, inner(right)?)),
            Formula::Forall(ids, body) => self.make("Forall", (self.bound(ids, variables)?, inner(body)?)),
            Formula::Exists(ids, body) => self.make("Exists", (self.bound(ids, variables)?, inner(body)?)),
        }
    }

    fn effect(&self, effect: &Effect, variables: &[Variable]) -> Made<'py> {
        let inner = |effect| self.effect(effect, variables);
        match effect {
            Effect::And(operands) => self.make("And", (self.tuple(operands, inner)?,)),
            Effect::Add(atom) => self.holds("Add", atom, variables),
            Effect::Delete(atom) => self.holds("Delete", atom, variables),
            Effect::Assign(assignment) => {
                let word = assignment.operator.symbol();
                let target = self.function_term(&assignment.target, variables)?;
                let value = self.expression(&assignment.value, variables)?;
                self.make("Assign", (word, target, value))
            }
            Effect::Forall(ids, body) => self.make("Forall", (self.bound(ids, variables)?, inner(body)?)),
            Effect::When(condition, effect) => {
                self.make("When", (self.formula(condition, variables)?, inner(effect)?))
            }
            Effect::Probabilistic(alternatives) => {
                let alternatives = self.tuple(alternatives, |(probability, effect)| {
                    let share = self.share(probability.numerator(), probability.denominator())?;
                    Ok((share, inner(effect)?).into_pyobject(self.py)?.into_any())
                })?;
                self.make("Probabilistic", (alternatives,))
            }
        }
    }

    fn share(&self, numerator: u64, denominator: u64) -> Made<'py> {
        self.make("Fraction", (numerator, denominator))
    }

    fn function_term(&self, term: &FunctionTerm, variables: &[Variable]) -> Made<'py> {
        let name = self.domain.function(term.function).name.as_str();
        self.make("FunctionTerm", (name, self.terms(&term.arguments, variables)?))
    }

    fn expression(&self, expression: &Expression, variables: &[Variable]) -> Made<'py> {
        match expression {
            Expression::Number(number) => Ok(PyFloat::new(self.py, number.value()).into_any()),
            Expression::Fluent(term) => self.function_term(term, variables),
            Expression::Apply(operator, operands) => {
                let sign = operator.symbol();
                let operands = self.tuple(operands, |operand| self.expression(operand, variables))?;
                self.make("Arithmetic", (sign, operands))
            }
            Expression::Special(special) => {
                let word = special.symbol().trim_matches(['(', ')']);
                self.make("Special", (word,))
            }
        }
    }

    /// Converts ground atoms.
    pub fn facts(&self, facts: &AtomList) -> MadeTuple<'py> {
        self.tuple(facts.iter(), |fact| {
            let name = self.domain.predicate(fact.predicate).name.as_str();
            let objects = fact
                .arguments
                .iter()
                .map(|id| self.objects[id.index()].name.to_string());
            let atom = term::Term::new(self.py, name, &objects.collect::<Vec<_>>(), None)?;
            Ok(Bound::new(self.py, term::Atom(atom))?.into_any())
        })
    }

    /// Converts initial values of functions.
    pub fn values(&self, values: &[FunctionValue]) -> MadeTuple<'py> {
        self.tuple(values, |one| {
            let term = self.ground_function(one.function, &one.arguments)?;
            Ok((term, one.value.value()).into_pyobject(self.py)?.into_any())
        })
    }

    fn ground_function(&self, function: FunctionId, arguments: &[ObjectId]) -> Made<'py> {
        let arguments = self.tuple(arguments, |&id| Ok(self.object(id).into_any()))?;
        self.make(
            "FunctionTerm",
            (self.domain.function(function).name.as_str(), arguments),
        )
    }

    /// Converts the probabilistic parts of an initial state.
    pub fn chances(&self, chances: &[InitialChance]) -> MadeTuple<'py> {
        self.tuple(chances, |chance| {
            let alternatives = self.tuple(&chance.alternatives, |(probability, outcome)| {
                let share = self.share(probability.numerator(), probability.denominator())?;
                Ok((share, self.initial_outcome(outcome)?)
                    .into_pyobject(self.py)?
                    .into_any())
            })?;
            self.make("InitialChance", (alternatives,))
        })
    }

    fn initial_outcome(&self, outcome: &InitialOutcome) -> Made<'py> {
        let fields = (
            self.facts(&outcome.facts)?,
            self.values(&outcome.values)?,
            self.chances(&outcome.chances)?,
        );
        self.make("InitialOutcome", fields)
    }

    /// Converts a metric.
    pub fn metric(&self, metric: &Metric) -> Made<'py> {
        self.make(
            "Metric",
            (metric.direction.word(), self.expression(&metric.expression, &[])?),
        )
    }
}
