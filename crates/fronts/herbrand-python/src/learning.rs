//! Learning of action models from observed transitions. The user's classes are in `herbrand.learning`.

use herbrand_learn::{
    ActionChoice, DomainSignature, Exploration, Judge, Judgement, LearnError, Learned, Learner, NamedTerm,
    ObservedProblem, Recording, explore,
};
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_pddl::{AtomRef, Name, ObjectId};
use herbrand_plan::{PlanRequest, PlannerKind};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::choice::{one_of, parsed};
use crate::domain::Domain;
use crate::errors::{self, IntoException, OrRaise, interruptible};
use crate::limits::limits as read_limits;
use crate::problem::Problem;
use crate::suite::Suite;
use crate::task::tuple_text;
use crate::term::{Action, Atom, Term};

/// Observed transitions over problems of one domain.
#[pyclass(frozen, module = "herbrand.learning")]
pub struct ExperienceCore {
    experience: herbrand_learn::Experience,
    domain: Py<Domain>,
    /// Indexed by scene.
    problems: Vec<Py<Problem>>,
}

/// A learned model.
#[pyclass(frozen, module = "herbrand.learning")]
pub struct LearnedCore {
    learned: Learned,
    domain: Py<Domain>,
}

/// The index of a problem, the atoms before the action, the action, and the atoms after it if it was applicable.
type TransitionParts<'py> = (
    usize,
    Bound<'py, PyTuple>,
    Bound<'py, Action>,
    Option<Bound<'py, PyTuple>>,
);

/// A transition given by the user: problem, state, action, next state.
type Given<'py> = (
    Py<Problem>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Option<Bound<'py, PyAny>>,
);

impl ExperienceCore {
    fn new(py: Python<'_>, experience: herbrand_learn::Experience, domain: Py<Domain>) -> PyResult<Self> {
        let problem = |scene: &ObservedProblem| {
            let model = herbrand_pddl::Problem::clone(scene.problem());
            Py::new(py, Problem::new(model, domain.clone_ref(py)))
        };
        Ok(Self {
            problems: experience.scenes.iter().map(problem).collect::<PyResult<_>>()?,
            experience,
            domain,
        })
    }
}

#[pymethods]
impl ExperienceCore {
    /// Runs a random policy on the problems of a suite and records the transitions.
    #[staticmethod]
    #[pyo3(signature = (suite, episodes, horizon, seed, policy, limits = None))]
    fn explore(
        py: Python<'_>,
        suite: &Bound<'_, Suite>,
        episodes: u32,
        horizon: u32,
        seed: u64,
        policy: &str,
        limits: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let options = Exploration {
            episodes,
            horizon,
            seed,
            choice: one_of(
                "policy",
                policy,
                &[
                    ("valid", ActionChoice::Valid),
                    ("any", ActionChoice::Any),
                    ("mixed", ActionChoice::Mixed),
                ],
            )?,
        };
        let domain = suite.getattr("domain")?.extract()?;
        let suite = &suite.get().suite;
        let seen = within(py, limits, |budget| explore(suite, &options, budget))?;
        Self::new(py, seen, domain)
    }

    /// Converts transitions given as tuples of problem, state, action and next state. The actions are the agent's actions of
    /// a suite, or the operators of a domain.
    #[staticmethod]
    #[pyo3(signature = (domain, suite, transitions, limits = None))]
    fn record(
        py: Python<'_>,
        domain: Py<Domain>,
        suite: Option<&Bound<'_, Suite>>,
        transitions: &Bound<'_, PyAny>,
        limits: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let language = match suite {
            Some(suite) => DomainSignature::of(&suite.get().suite),
            None => DomainSignature::of_operators(&domain.get().model),
        };
        let mut recording = Recording::new(language, &Budget::new(read_limits(limits)?));
        let mut scenes: Vec<(Py<Problem>, herbrand_learn::SceneId)> = Vec::new();
        for given in transitions.try_iter()? {
            let (problem, before, action, after): Given<'_> = given?.extract()?;
            let known = scenes.iter().rev().find(|(one, _)| one.is(&problem));
            let scene = match known {
                Some((_, scene)) => *scene,
                None => {
                    let scene = recording.problem(problem.get().model.clone());
                    scenes.push((problem, scene));
                    scene
                }
            };
            let (before, after) = (atoms(&before)?, after.as_ref().map(atoms).transpose()?);
            if !recording.transition(scene, &before, &words(&action)?, after.as_deref()) {
                break;
            }
        }
        Self::new(py, recording.finish().or_raise(py)?, domain)
    }

    /// The domain.
    #[getter]
    fn domain(&self, py: Python<'_>) -> Py<Domain> {
        self.domain.clone_ref(py)
    }

    /// The problems of the transitions.
    #[getter]
    fn problems<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.problems.iter().map(|problem| problem.clone_ref(py)))
    }

    fn __len__(&self) -> usize {
        self.experience.transitions.len()
    }

    /// Returns the transition at an index.
    fn transition<'py>(&self, py: Python<'py>, index: usize) -> PyResult<TransitionParts<'py>> {
        let found = self.experience.transitions.get(index);
        let transition =
            found.ok_or_else(|| pyo3::exceptions::PyIndexError::new_err("no such transition"))?;
        let state = self.experience.state(transition.state);
        let scene = &self.experience.scenes[state.scene.index()];
        let signature = &self.experience.language.signatures()[transition.action];
        let action = term(py, scene, &signature.name, &transition.arguments)?;
        let tuple = |state: &herbrand_learn::Observed| {
            let facts = state.atoms.iter().map(|&id| scene.atom(id));
            let atoms = facts.chain(scene.statics()).map(|fact| atom(py, scene, fact));
            PyTuple::new(py, atoms.collect::<PyResult<Vec<_>>>()?)
        };
        let next = transition.next().map(|next| self.experience.state(next));
        Ok((
            state.scene.index(),
            tuple(state)?,
            Bound::new(py, Action(action))?,
            next.map(tuple).transpose()?,
        ))
    }

    /// Learns a model with a learner.
    #[pyo3(signature = (learner, limits = None))]
    fn learn(
        &self,
        py: Python<'_>,
        learner: &str,
        limits: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<LearnedCore> {
        let seen = &self.experience;
        let learner = one_of("learner", learner, &Learner::ALL.map(|one| (one.as_str(), one)))?;
        let learned = within(py, limits, |budget| learner.learn(seen, budget))?;
        let text = learned.to_pddl().or_raise(py)?;
        let domain = herbrand_pddl::Domain::from_text(&text).or_raise(py)?;
        Ok(LearnedCore {
            learned,
            domain: Py::new(py, Domain::new(domain))?,
        })
    }
}

#[pymethods]
impl LearnedCore {
    /// Wraps a model from another learner.
    #[staticmethod]
    fn from_domain(py: Python<'_>, domain: Py<Domain>, seen: &Bound<'_, ExperienceCore>) -> PyResult<Self> {
        let language = seen.get().experience.language.clone();
        let learned = Learned::from_domain(language, &domain.get().model).or_raise(py)?;
        Ok(Self { learned, domain })
    }

    /// The learned domain.
    #[getter]
    fn domain(&self, py: Python<'_>) -> Py<Domain> {
        self.domain.clone_ref(py)
    }

    /// Maps each operator of the learned domain to the action that it carries out.
    #[getter]
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let actions = PyDict::new(py);
        let schemas = self.learned.domain().schemas.iter();
        for (schema, &action) in schemas.zip(self.learned.action_of()) {
            let signature = &self.learned.language().signatures()[action];
            actions.set_item(schema.name.as_str(), signature.name.as_str())?;
        }
        Ok(actions)
    }

    /// Maps each action without an operator to the reason.
    #[getter]
    fn omitted<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let omitted = PyDict::new(py);
        for omission in self.learned.omitted() {
            omitted.set_item(omission.action.as_str(), omission.reason.to_string())?;
        }
        Ok(omitted)
    }

    /// Evaluates predictions; returns the numbers of transitions, of wrong, unsound and missed ones, and the error.
    #[pyo3(signature = (seen, limits = None))]
    fn predict(
        &self,
        py: Python<'_>,
        seen: &Bound<'_, ExperienceCore>,
        limits: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(usize, usize, usize, usize, f64)> {
        let seen = self.fitting(py, seen)?;
        let found = within(py, limits, |budget| self.learned.predict(seen, budget))?;
        Ok((
            found.transitions,
            found.wrong,
            found.unsound,
            found.missed,
            found.error(),
        ))
    }

    /// Returns the mean total variation distance to the true model.
    #[pyo3(signature = (suite, seen, limits = None))]
    fn distance(
        &self,
        py: Python<'_>,
        suite: &Bound<'_, Suite>,
        seen: &Bound<'_, ExperienceCore>,
        limits: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<f64> {
        let (seen, suite) = (self.fitting(py, seen)?, &suite.get().suite);
        self.fitting_suite(py, suite)?;
        let judge = Judge::new(suite, &self.learned);
        within(py, limits, |budget| judge.distance(seen, budget))
    }

    /// Returns the verdict on each problem of a suite, by name.
    #[pyo3(signature = (suite, planner, seed, limits))]
    fn solve(
        &self,
        py: Python<'_>,
        suite: &Bound<'_, Suite>,
        planner: &str,
        seed: u64,
        limits: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<(String, &'static str)>> {
        let (planner, each) = (parsed::<PlannerKind>(planner)?, read_limits(limits)?);
        let suite = &suite.get().suite;
        self.fitting_suite(py, suite)?;
        let judge = Judge::new(suite, &self.learned);
        within(py, None, |budget| {
            let mut verdicts = Vec::new();
            for problem in 0..suite.len() {
                let mut request = PlanRequest {
                    budget: Budget::new(each),
                    seed,
                    progress: &mut |_| {},
                };
                let verdict = judge.solve(problem, planner, &mut request)?;
                budget.check("planning", 0)?;
                let name = suite.full_problem_name(problem).unwrap_or_default();
                verdicts.push((name, verdict_name(verdict)));
            }
            Ok(verdicts)
        })
    }
}

impl LearnedCore {
    /// Returns the experience if its domain is that of the model.
    fn fitting<'s>(
        &self,
        py: Python<'_>,
        seen: &'s Bound<'_, ExperienceCore>,
    ) -> PyResult<&'s herbrand_learn::Experience> {
        let seen = &seen.get().experience;
        let same = seen.language.is_same(self.learned.language());
        same.then_some(seen)
            .ok_or_else(|| other_domain(py, "the experience"))
    }

    fn fitting_suite(&self, py: Python<'_>, suite: &herbrand_env::Suite) -> PyResult<()> {
        let same = DomainSignature::of(suite).is_same(self.learned.language());
        same.then_some(()).ok_or_else(|| other_domain(py, "the suite"))
    }
}

fn other_domain(py: Python<'_>, what: &str) -> PyErr {
    let text = format!("{what} has another domain or other actions than the model was learned from");
    errors::message(py, "LearningError", &text)
}

const fn verdict_name(verdict: Judgement) -> &'static str {
    match verdict {
        Judgement::Works => "works",
        Judgement::Refused { .. } => "refused",
        Judgement::Misses => "misses",
        Judgement::Unsolvable => "unsolvable",
        Judgement::GaveUp => "gave-up",
    }
}

/// Creates a term from a name and objects of a problem.
fn term(py: Python<'_>, scene: &ObservedProblem, name: &Name, arguments: &[ObjectId]) -> PyResult<Term> {
    let names = arguments
        .iter()
        .map(|&id| scene.vocabulary().object(id).to_owned());
    Term::new(py, name.as_str(), &names.collect::<Vec<_>>(), None)
}

fn atom<'py>(py: Python<'py>, scene: &ObservedProblem, fact: AtomRef<'_>) -> PyResult<Bound<'py, Atom>> {
    let name = &scene.vocabulary().predicate(fact.predicate).signature.name;
    Bound::new(py, Atom(term(py, scene, name, fact.arguments)?))
}

/// Reads the atoms of a state, given as objects, tuples of names, or texts.
fn atoms(state: &Bound<'_, PyAny>) -> PyResult<Vec<NamedTerm>> {
    state.try_iter()?.map(|atom| words(&atom?)).collect()
}

/// Reads an atom or an action, given as an object, a tuple of names, or a text.
fn words(given: &Bound<'_, PyAny>) -> PyResult<NamedTerm> {
    let text = if let Ok(atom) = given.cast::<Atom>() {
        atom.get().0.text().to_owned()
    } else if let Ok(action) = given.cast::<Action>() {
        action.get().0.text().to_owned()
    } else if let Ok(names) = given.cast::<PyTuple>() {
        tuple_text(names)?
    } else {
        given.cast::<PyString>()?.to_str()?.to_owned()
    };
    NamedTerm::parse(&text).ok_or_else(|| {
        let text = format!("`{text}` is not of the form (name argument …)");
        errors::message(given.py(), "UnknownNameError", &text)
    })
}

/// Runs `work` within limits, until Ctrl-C.
fn within<T: Send>(
    py: Python<'_>,
    limits: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Budget) -> Result<T, LearnError> + Send,
) -> PyResult<T> {
    let limits = read_limits(limits)?;
    interruptible(py, || work(&Budget::new(limits)))?.or_raise(py)
}

impl IntoException for LearnError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Env(error) => error.exception(py),
            Self::Model(faults) => faults.exception(py),
            Self::Step(error) => error.exception(py),
            Self::BudgetExhausted(BudgetExhausted::Memory { .. } | BudgetExhausted::Time { .. }) => {
                errors::message(py, "LimitError", &self.to_string())
            }
            _ => errors::message(py, "LearningError", &self.to_string()),
        }
    }
}
