//! Environments whose state is a PDDL domain that the agent edits.

use std::sync::Arc;

use herbrand_pddl::Source;
use herbrand_pddlworld::{
    ActionForm, Ends, IntegerError, Rewards, SchemaPart, Sketch, SketchBits, SketchIntegers, Start, Verdict,
    Walks, WorldError, WorldOptions, Worlds,
};
use herbrand_render::Pixels;
use herbrand_tasks::any::{ViewForm, pixel_size, shared};
use herbrand_text::counted;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyTuple};

use crate::choice::{one_of, value_error};
use crate::domain::source;
use crate::errors::{self, IntoException, OrRaise, Reduced, guarded};
use crate::observed::ObservedProblems;

/// A hidden domain, with problems to evaluate models on. A model is a pair of integers, for preconditions and effects.
///
/// `herbrand.pddlworld.target` creates targets.
#[pyclass(frozen, module = "herbrand._herbrand")]
pub struct Target {
    target: Arc<herbrand_pddlworld::Target>,
    domain: Source,
    problems: Vec<Source>,
    walks: Walks,
}

/// A Python integer of any size.
type Integer<'py> = Bound<'py, PyAny>;

/// A pair of Python integers.
type Integers<'py> = (Integer<'py>, Integer<'py>);

/// An operator: its name, its parameters, and the atoms allowed in its clauses.
type OperatorTuple = (String, Vec<String>, Vec<String>);

/// A state in which a model differs from the target: problem, action, the true atoms, and the atoms after the action in the
/// model and in the target. The latter are `None` if the action is not applicable.
type Differs = (
    String,
    String,
    Vec<String>,
    Option<Vec<String>>,
    Option<Vec<String>>,
    String,
);

impl IntoException for WorldError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        let class = match self {
            Self::Episode(fault) => return fault.exception(py),
            Self::Pddl(faults) => return faults.exception(py),
            Self::NotAnEdit(_) => {
                return errors::exception(py, "InvalidActionError", (self.to_string(), PyTuple::empty(py)));
            }
            Self::Unsuitable(_) | Self::Options(_) => "ConfigError",
            Self::UnknownWorld(_) | Self::ForeignState => "UnknownNameError",
            Self::NotADomain(_) => "HerbrandError",
        };
        errors::message(py, class, &self.to_string())
    }
}

impl IntoException for IntegerError {
    fn exception(&self, _: Python<'_>) -> PyErr {
        PyValueError::new_err(self.to_string())
    }
}

/// Returns an integer of any size as little-endian bytes.
fn bytes_of(number: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let bits: usize = number.call_method0("bit_length")?.extract()?;
    number
        .call_method1("to_bytes", (bits.div_ceil(8), "little"))?
        .extract()
}

impl Target {
    /// Returns the world of the target, whose episodes begin with the model that `start` names.
    pub(crate) fn worlds(&self, start: Option<&str>) -> Result<Worlds, WorldError> {
        let worlds = Worlds::new(vec![Arc::clone(&self.target)], WorldOptions::default())?;
        match start {
            Some(start) => worlds.starting(start),
            None => Ok(worlds),
        }
    }

    fn sketch(&self, py: Python<'_>, (preconditions, effects): &Integers<'_>) -> PyResult<Sketch> {
        let numbers = [bytes_of(preconditions)?, bytes_of(effects)?];
        let numbers = numbers.map(|bytes| num_bigint::BigUint::from_bytes_le(&bytes));
        Sketch::from_integers(self.target.vocabulary(), &numbers).or_raise(py)
    }

    fn integers<'py>(&self, py: Python<'py>, sketch: &Sketch) -> PyResult<Integers<'py>> {
        let number = |number: num_bigint::BigUint| {
            let bytes = PyBytes::new(py, &number.to_bytes_le());
            py.get_type::<PyInt>()
                .call_method1("from_bytes", (bytes, "little"))
        };
        let [preconditions, effects] = sketch.integers(self.target.vocabulary());
        Ok((number(preconditions)?, number(effects)?))
    }

    fn start(&self, py: Python<'_>, start: &Bound<'_, PyAny>) -> PyResult<Start> {
        if let Ok(name) = start.extract::<String>() {
            return match name.as_str() {
                "empty" => Ok(Start::Empty),
                "random" => Ok(Start::Random),
                "target" => Ok(Start::Given(self.target.sketch().clone())),
                _ => Err(PyValueError::new_err(format!(
                    "start is \"empty\", \"random\", \"target\", a number of wrong signs, or two integers, not {name:?}"
                ))),
            };
        }
        if let Ok(count) = start.extract::<u32>() {
            return Ok(Start::Corrupted(count));
        }
        Ok(Start::Given(self.sketch(py, &start.extract()?)?))
    }
}

fn rewards(given: &[(String, f64)]) -> PyResult<Rewards> {
    type Field = fn(&mut Rewards) -> &mut f64;
    const FIELDS: &[(&str, Field)] = &[
        ("distance", |rewards| &mut rewards.distance),
        ("agreement", |rewards| &mut rewards.agreement),
        ("equivalent", |rewards| &mut rewards.equivalent),
        ("solved", |rewards| &mut rewards.solved),
        ("likelihood", |rewards| &mut rewards.likelihood),
        ("noise", |rewards| &mut rewards.noise),
        ("step_cost", |rewards| &mut rewards.step_cost),
    ];
    let mut rewards = Rewards::NONE;
    for (name, value) in given {
        *one_of("a reward", name, FIELDS)?(&mut rewards) = *value;
    }
    Ok(rewards)
}

fn ends(given: &[String]) -> PyResult<Ends> {
    let mut ends = [false; 4];
    for name in given {
        let names = [("equal", 0), ("equivalent", 1), ("solved", 2), ("submitted", 3)];
        ends[one_of("an end", name, &names)?] = true;
    }
    let [equal, equivalent, solved, submitted] = ends;
    Ok(Ends {
        equal,
        equivalent,
        solved,
        submitted,
    })
}

#[pymethods]
impl Target {
    /// Creates the target of a domain and problems, each given as a file name and a text. `walks` are the random walks for
    /// evaluation: their number per problem, their length in steps, and their seed.
    #[new]
    fn new(
        py: Python<'_>,
        domain: (String, Bound<'_, PyAny>),
        problems: Vec<(String, Bound<'_, PyAny>)>,
        walks: (u32, u32, u64),
    ) -> PyResult<Self> {
        let domain = source(&domain.1, &domain.0)?;
        let problems = problems.iter().map(|(name, text)| source(text, name));
        let problems = problems.collect::<PyResult<Vec<_>>>()?;
        let (count, steps, seed) = walks;
        let walks = Walks {
            count,
            steps,
            seed,
            scattered: false,
        };
        let made = guarded(py, || {
            herbrand_pddlworld::Target::from_sources(&domain, &problems, walks)
        })?;
        Ok(Self {
            target: Arc::new(made.or_raise(py)?),
            domain,
            problems,
            walks,
        })
    }

    /// Returns the texts of the light switch: name and text of its domain, and of each problem.
    #[staticmethod]
    fn light_switch_texts() -> ((String, String), Vec<(String, String)>) {
        let owned = |(name, text): (&str, &str)| (name.to_owned(), text.to_owned());
        let (domain, problems) = herbrand_pddlworld::Target::light_switch_texts();
        (owned(domain), problems.map(owned).into())
    }

    /// The name of the domain.
    #[getter]
    fn name(&self) -> &str {
        self.target.name()
    }

    /// The names of the problems.
    #[getter]
    fn problem_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.target.problem_names())
    }

    /// The operators: a list of tuples of name, parameters, and the atoms allowed in their clauses.
    #[getter]
    fn operators(&self) -> Vec<OperatorTuple> {
        let operators = self.target.vocabulary().operators().iter();
        let told = operators.map(|operator| {
            let literals = operator.literals.iter().map(ToString::to_string);
            (
                operator.name.clone(),
                operator.parameters.clone(),
                literals.collect(),
            )
        });
        told.collect()
    }

    /// The target as a pair of integers.
    #[getter(integers)]
    fn own_integers<'py>(&self, py: Python<'py>) -> PyResult<Integers<'py>> {
        self.integers(py, self.target.sketch())
    }

    /// The model without any literal.
    #[getter]
    fn empty<'py>(&self, py: Python<'py>) -> PyResult<Integers<'py>> {
        self.integers(py, &Sketch::empty(self.target.vocabulary()))
    }

    /// Returns the model of a PDDL domain with the same operators and predicates.
    fn read<'py>(&self, py: Python<'py>, domain: &str) -> PyResult<Integers<'py>> {
        let domain = herbrand_pddl::Domain::from_text(domain).or_raise(py)?;
        self.integers(py, &self.target.sketch_of(&domain).or_raise(py)?)
    }

    /// Returns a model as a domain in PDDL.
    fn to_pddl(&self, py: Python<'_>, model: Integers<'_>) -> PyResult<String> {
        let sketch = self.sketch(py, &model)?;
        Ok(self.target.model(&sketch, 0).or_raise(py)?.domain_text())
    }

    /// Returns a model as a table of operators and literals, with their signs in precondition and effect.
    fn table(&self, py: Python<'_>, model: Integers<'_>) -> PyResult<String> {
        Ok(self.target.table(&self.sketch(py, &model)?))
    }

    /// Returns the number of signs in which a model differs from the target.
    fn distance(&self, py: Python<'_>, model: Integers<'_>) -> PyResult<u32> {
        Ok(self.sketch(py, &model)?.distance(self.target.sketch()))
    }

    /// Returns the share of pairs of state and ground action in which a model behaves like the target.
    fn agreement(&self, py: Python<'_>, model: Integers<'_>) -> PyResult<f64> {
        Ok(self.target.agreement(&self.sketch(py, &model)?))
    }

    /// Returns a state in which a model differs from the target, or None if there is no such state.
    ///
    /// It is a tuple of problem, action, the true atoms, the atoms after the action in the model and in the target (None if
    /// the action is not applicable), and a sentence.
    fn witness(&self, py: Python<'_>, model: Integers<'_>) -> PyResult<Option<Differs>> {
        let witness = self.target.witness(&self.sketch(py, &model)?);
        Ok(witness.map(|one| {
            let text = one.to_string();
            (one.problem, one.action, one.state, one.model, one.target, text)
        }))
    }

    /// Plans a problem with a model, and returns the outcome: "solved", "inapplicable", "missed", "no-plan", "exhausted" or
    /// "no-goal".
    fn verdict(
        &self,
        py: Python<'_>,
        model: Integers<'_>,
        problem: usize,
        most_states: usize,
    ) -> PyResult<&'static str> {
        let sketch = self.sketch(py, &model)?;
        if problem >= self.target.problems() {
            let text = format!(
                "there is no problem {problem}: there are {}",
                self.target.problems()
            );
            return Err(errors::message(py, "UnknownNameError", &text));
        }
        Ok(
            match guarded(py, || self.target.verdict(&sketch, problem, most_states))? {
                Verdict::Solved { .. } => "solved",
                Verdict::Inapplicable { .. } => "inapplicable",
                Verdict::Missed => "missed",
                Verdict::NoPlan => "no-plan",
                Verdict::Exhausted => "exhausted",
                Verdict::NoGoal => "no-goal",
            },
        )
    }

    /// Returns the numbers of bits observed on random walks that a model predicts correctly, and incorrectly.
    fn predictions(&self, py: Python<'_>, model: Integers<'_>) -> PyResult<(u64, u64)> {
        let predictions = self.target.predictions(&self.sketch(py, &model)?);
        Ok((predictions.right, predictions.wrong))
    }

    /// Returns the edits that lead from one model to another, in the format of `herbrand.edits`, as JSON.
    fn edits(&self, py: Python<'_>, model: Integers<'_>, other: Integers<'_>) -> PyResult<String> {
        let (from, to) = (self.sketch(py, &model)?, self.sketch(py, &other)?);
        let edits = self.target.edits(&from, &to);
        serde_json::to_string(&edits).map_err(value_error)
    }

    /// Returns the signs of a model that are not absent: a list of tuples of "precondition" or "effect", operator, atom, and
    /// "positive" or "negative".
    fn literals(
        &self,
        py: Python<'_>,
        model: Integers<'_>,
    ) -> PyResult<Vec<(&'static str, String, String, &'static str)>> {
        let sketch = self.sketch(py, &model)?;
        let mut literals = Vec::new();
        for (number, operator) in self.target.vocabulary().operators().iter().enumerate() {
            for (part, name) in [
                (SchemaPart::Precondition, "precondition"),
                (SchemaPart::Effect, "effect"),
            ] {
                for (literal, atom) in operator.literals.iter().enumerate() {
                    let sign = sketch.get(part, number, literal);
                    if sign != herbrand_pddlworld::Sign::Absent {
                        literals.push((name, operator.name.clone(), atom.to_string(), sign.name()));
                    }
                }
            }
        }
        Ok(literals)
    }

    /// Creates the environment problems of this target with an observation mode: "bits", "integers", or "pixels" with a size.
    #[expect(clippy::too_many_arguments, reason = "one for each option")]
    fn observed(
        slf: &Bound<'_, Self>,
        observation: &str,
        start: Bound<'_, PyAny>,
        actions: &str,
        queries: bool,
        rewards: Vec<(String, f64)>,
        ends: Vec<String>,
        horizon: Option<u32>,
        most_states: usize,
    ) -> PyResult<ObservedProblems> {
        let (py, this) = (slf.py(), slf.get());
        let forms = [("discrete", ActionForm::Numbered), ("tuple", ActionForm::Tuple)];
        let options = WorldOptions {
            start: this.start(py, &start)?,
            actions: one_of("actions", actions, &forms)?,
            queries,
            rewards: self::rewards(&rewards)?,
            ends: self::ends(&ends)?,
            horizon,
            most_states,
        };
        let problems = Worlds::new(vec![Arc::clone(&this.target)], options).or_raise(py)?;
        let form = ViewForm::Array;
        let observed = if let Some(size) = pixel_size(observation) {
            let pixels = Pixels::of(&problems, size.map_err(value_error)?).or_raise(py)?;
            shared(problems, pixels, form)
        } else {
            let modes = [("bits", true), ("integers", false), ("pixels", false)];
            if one_of("observation", observation, &modes)? {
                shared(problems, SketchBits, form)
            } else {
                shared(problems, SketchIntegers, form)
            }
        };
        let arguments = (
            observation,
            start,
            actions,
            queries,
            rewards,
            ends,
            horizon,
            most_states,
        );
        let origin = (
            slf.getattr("observed")?.unbind(),
            arguments.into_pyobject(py)?.unbind(),
        );
        ObservedProblems::new(py, observed, None, origin)
    }

    fn __repr__(&self) -> String {
        let (name, count) = (self.target.name(), self.target.vocabulary().operators().len());
        format!(
            "<Target {name}: {}, {}>",
            counted(count, "operator"),
            counted(self.target.vocabulary().len(), "literal")
        )
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let this = slf.get();
        let text = |source: &Source| (source.name().to_owned(), source.text().to_owned());
        let problems: Vec<_> = this.problems.iter().map(text).collect();
        let walks = (this.walks.count, this.walks.steps, this.walks.seed);
        let arguments = (text(&this.domain), problems, walks).into_pyobject(slf.py())?;
        Ok((slf.py().get_type::<Self>().into_any(), arguments))
    }
}
