//! Heuristics and policies that are functions of Python.

use std::num::NonZeroU32;
use std::sync::Arc;

use herbrand_env::{ActionArrays, AtomSpace, InstanceLearningGraph, ObservedAtoms, ObservedId};
use herbrand_ground::ActionId;
use herbrand_learn::{LinearHeuristic, Weights};
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_plan::{
    Admissible, Heuristic, HeuristicKind, HeuristicPlanner, HeuristicSearch, SearchTask, StateBatch,
};
use herbrand_tasks::any::{StateView, TrueAtoms};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::choice::{one_of, value_error};
use crate::colours::LinearEstimate;
use crate::errors::Raised;
use crate::view::{self, Tuples};

/// The heuristics of the engine by name.
const NAMED: &[(&str, HeuristicKind)] = &[
    ("ff", HeuristicKind::Ff),
    ("additive", HeuristicKind::Additive),
    ("landmarks", HeuristicKind::Landmarks),
    ("lmcut", HeuristicKind::Admissible(Admissible::LandmarkCut)),
    ("max", HeuristicKind::Admissible(Admissible::Maximum)),
    ("blind", HeuristicKind::Admissible(Admissible::Blind)),
];

/// The form in which a function sees states.
#[derive(Clone, Copy)]
enum Seen {
    Bits,
    BitsAndGoal,
    Graph,
    Atoms,
}

const SEEN: &[(&str, Seen)] = &[
    ("bits", Seen::Bits),
    ("bits-and-goal", Seen::BitsAndGoal),
    ("graph", Seen::Graph),
    ("atoms", Seen::Atoms),
];

/// A heuristic that the caller chose.
enum Chosen {
    Named(HeuristicKind),
    Linear(Arc<Weights>),
    Function(Py<PyAny>),
}

/// A search with heuristics and a policy of the caller.
pub struct OwnSearch {
    heuristics: Vec<Chosen>,
    policy: Option<Py<PyAny>>,
    search: HeuristicSearch,
    batch: usize,
    beam: NonZeroU32,
    seen: Seen,
}

/// The keyword arguments of a search with heuristics of the caller.
pub struct OwnArguments<'a, 'py> {
    pub heuristic: Option<&'a Bound<'py, PyAny>>,
    pub policy: Option<Py<PyAny>>,
    pub search: &'a str,
    pub batch: usize,
    pub beam: u32,
    pub observation: &'a str,
}

impl OwnSearch {
    /// Reads the arguments; `None` if they name neither a heuristic nor a policy.
    pub fn read(arguments: OwnArguments<'_, '_>) -> PyResult<Option<Self>> {
        let search = one_of(
            "search",
            arguments.search,
            &HeuristicSearch::ALL.map(|one| (one.as_str(), one)),
        )?;
        let seen = one_of("observation", arguments.observation, SEEN)?;
        let heuristics = match arguments.heuristic {
            None => Vec::new(),
            Some(given) => match given.cast::<PyList>() {
                Ok(several) => several
                    .iter()
                    .map(|one| Chosen::read(&one))
                    .collect::<PyResult<_>>()?,
                Err(_) => vec![Chosen::read(given)?],
            },
        };
        if heuristics.is_empty() && arguments.policy.is_none() {
            return Ok(None);
        }
        let beam = NonZeroU32::new(arguments.beam).filter(|_| arguments.batch > 0);
        let beam = beam.ok_or_else(|| value_error("batch and beam are numbers of states, at least 1"))?;
        let ignores = matches!(search, HeuristicSearch::AStar | HeuristicSearch::Width);
        if ignores && arguments.policy.is_some() {
            let text = format!(
                "a policy guides the searches \"greedy\" and \"beam\", not {:?}",
                search.as_str()
            );
            return Err(value_error(text));
        }
        Ok(Some(Self {
            heuristics,
            policy: arguments.policy,
            search,
            batch: arguments.batch,
            beam,
            seen,
        }))
    }

    /// Returns the planner. Exceptions of the functions go to `raised`.
    pub fn planner<'a>(&'a self, raised: &'a Arc<Raised>) -> HeuristicPlanner<'a> {
        HeuristicPlanner::new(self.search, |task, budget| self.evaluators(task, budget, raised))
            .in_batches(self.batch)
            .with_beam(self.beam)
    }

    /// Makes the heuristics and the policy for a task.
    fn evaluators<'t>(
        &self,
        task: &'t SearchTask,
        budget: &Budget,
        raised: &Arc<Raised>,
    ) -> Result<Vec<Box<dyn Heuristic + 't>>, BudgetExhausted> {
        let atoms = Arc::new(AtomSpace::new(task.simulator().clone()));
        let function = |function: &Py<PyAny>, is_policy: bool| Function {
            task,
            function: Python::attach(|py| function.clone_ref(py)),
            is_policy,
            has_heuristics: !self.heuristics.is_empty(),
            seen: self.seen,
            atoms: Arc::clone(&atoms),
            tuples: Tuples::new(1),
            budget: budget.clone(),
            raised: Arc::clone(raised),
        };
        let mut all = Vec::new();
        for chosen in &self.heuristics {
            all.push(match chosen {
                Chosen::Named(kind) => kind.heuristic(task, budget)?,
                Chosen::Linear(weights) => Box::new(LinearHeuristic::new(task, Arc::clone(weights))),
                Chosen::Function(one) => Box::new(function(one, false)),
            });
        }
        if let Some(policy) = &self.policy {
            all.push(Box::new(function(policy, true)));
        }
        Ok(all)
    }
}

impl Chosen {
    fn read(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(name) = given.cast::<PyString>() {
            return one_of("heuristic", name.to_str()?, NAMED).map(Self::Named);
        }
        if let Ok(linear) = given.cast::<LinearEstimate>() {
            return Ok(Self::Linear(Arc::clone(&linear.get().0)));
        }
        if given.is_callable() {
            return Ok(Self::Function(given.clone().unbind()));
        }
        let text = format!("a heuristic is a function, a name or a list of these, not {given:?}");
        Err(PyTypeError::new_err(text))
    }
}

/// A heuristic or a policy that is a function.
struct Function<'t> {
    task: &'t SearchTask,
    function: Py<PyAny>,
    is_policy: bool,
    /// Whether the search has heuristics besides a policy.
    has_heuristics: bool,
    seen: Seen,
    /// The atoms of the searched task, with the numbers of the caller's task.
    atoms: Arc<AtomSpace>,
    tuples: Tuples,
    /// Ends the search.
    budget: Budget,
    raised: Arc<Raised>,
}

/// The observations of a batch, before they are objects of Python.
enum Observed {
    /// Rows of bits in one list, with the number of rows and their length.
    Bits(Vec<u8>, [usize; 2]),
    Graphs(Vec<InstanceLearningGraph>),
    /// For each state, the numbers of its atoms.
    Atoms(Vec<Vec<u32>>),
}

/// The valid actions of a batch.
#[derive(Default)]
struct Valid {
    /// The actions of the caller's task, which the function sees.
    arrays: ActionArrays,
    /// The actions of the searched task.
    searched: Vec<ActionId>,
}

impl Heuristic for Function<'_> {
    fn estimate(&mut self, batch: &mut StateBatch<'_>, estimates: &mut Vec<f64>) {
        let mut valid = Valid::default();
        let observed = self.observe(batch, &mut valid);
        let answered = Python::attach(|py| {
            let states = self.to_python(py, observed)?;
            if self.is_policy {
                let Valid { arrays, searched } = valid;
                let rows = arrays.rows.clone();
                let actions = view::write_actions(py, arrays)?;
                let answer = self.function.bind(py).call1((states, actions))?;
                return self.take_ratings(&answer, &rows, &searched, batch);
            }
            let answer = self.function.bind(py).call1((states,))?;
            let count = batch.places().len();
            estimates.extend(numbers(&answer, count, "heuristic", "states")?.1);
            Ok(())
        });
        if let Err(error) = answered {
            self.raised.note(error);
            self.budget.cancel();
            // No estimate: the search ends.
            *estimates = vec![f64::NAN];
        }
    }

    fn is_policy(&self) -> bool {
        self.is_policy
    }
}

impl Function<'_> {
    /// Observes the states of a batch, and lists their valid actions for a policy.
    fn observe(&self, batch: &mut StateBatch<'_>, valid: &mut Valid) -> Observed {
        let part = ObservedAtoms::All;
        let width = self.atoms.len(part);
        let goal = match self.seen {
            Seen::BitsAndGoal => self.atoms.goal_bits(),
            Seen::Bits | Seen::Graph | Seen::Atoms => &[],
        };
        let row = width + goal.len();
        let mut observed = match self.seen {
            Seen::Bits | Seen::BitsAndGoal => {
                Observed::Bits(vec![0; row * batch.places().len()], [batch.places().len(), row])
            }
            Seen::Graph => Observed::Graphs(Vec::with_capacity(batch.places().len())),
            Seen::Atoms => Observed::Atoms(Vec::with_capacity(batch.places().len())),
        };
        for place in batch.places() {
            let walker = batch.walker(place);
            match &mut observed {
                Observed::Bits(bits, _) => {
                    let (state, aim) = bits[place * row..][..row].split_at_mut(width);
                    self.atoms.write_bits(walker, part, state);
                    aim.copy_from_slice(goal);
                }
                Observed::Graphs(graphs) => {
                    let mut graph = InstanceLearningGraph::default();
                    self.atoms.graph(walker, part, &mut graph);
                    graphs.push(graph);
                }
                Observed::Atoms(all) => {
                    all.push(self.atoms.observe(walker, part).map(ObservedId::number).collect());
                }
            }
            if self.is_policy {
                for action in walker.valid().iter() {
                    valid.searched.push(action);
                    let origin = self.task.origin(action);
                    let ground = walker.simulator().task().actions.get(action);
                    let nodes = ground.arguments.iter().map(|object| object.number());
                    valid.arrays.add(origin.number(), ground.schema.index(), nodes);
                }
                valid.arrays.end_row();
            }
        }
        observed
    }

    fn to_python<'py>(&self, py: Python<'py>, observed: Observed) -> PyResult<Bound<'py, PyAny>> {
        match observed {
            Observed::Bits(bits, shape) => {
                let bits = bits.into_iter().map(|bit| bit as i8).collect();
                Ok(PyArray1::<i8>::from_vec(py, bits).reshape(shape)?.into_any())
            }
            Observed::Graphs(graphs) => view::write_graphs(py, &graphs),
            Observed::Atoms(all) => {
                let states = all.into_iter().map(|held| {
                    let atoms = Arc::clone(&self.atoms);
                    let held = TrueAtoms::Numbers {
                        count: atoms.len(ObservedAtoms::All),
                        held,
                        name: Box::new(move |id| atoms.words(ObservedId::new(id))),
                    };
                    view::write(py, StateView::Atoms { problem: 0, held }, &self.tuples)
                });
                Ok(PyList::new(py, states.collect::<PyResult<Vec<_>>>()?)?.into_any())
            }
        }
    }

    /// Passes the answer of a policy on: preferred actions if it is an array of bools, otherwise probabilities.
    fn take_ratings(
        &self,
        answer: &Bound<'_, PyAny>,
        rows: &[i64],
        searched: &[ActionId],
        batch: &mut StateBatch<'_>,
    ) -> PyResult<()> {
        let (is_bool, ratings) = numbers(answer, searched.len(), "policy", "valid actions")?;
        if is_bool && !self.has_heuristics {
            return Err(value_error(
                "a policy that returns bools only marks preferred actions: add a heuristic, or return probabilities",
            ));
        }
        for place in batch.places() {
            let range = rows[place] as usize..rows[place + 1] as usize;
            for (&action, &rating) in searched[range.clone()].iter().zip(&ratings[range]) {
                if !is_bool {
                    batch.rate(place, action, rating);
                } else if rating != 0.0 {
                    batch.prefer(place, action);
                }
            }
        }
        Ok(())
    }
}

/// Reads what a function returned for this many things as numbers, and says whether they are bools.
fn numbers(answer: &Bound<'_, PyAny>, count: usize, what: &str, of: &str) -> PyResult<(bool, Vec<f64>)> {
    // The usual arrays need no conversion.
    if let Ok(array) = answer.cast::<PyArray1<f64>>()
        && array.len()? == count
    {
        return Ok((false, array.to_vec()?));
    }
    if let Ok(array) = answer.cast::<PyArray1<f32>>()
        && array.len()? == count
    {
        return Ok((false, array.to_vec()?.into_iter().map(f64::from).collect()));
    }
    let numpy = answer.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (answer,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    let size: usize = array.getattr("size")?.extract()?;
    if size != count {
        let shape = array.getattr("shape")?;
        let text = format!(
            "the {what} returned an array of shape {shape} for {count} {of}: return one number for each"
        );
        return Err(value_error(text));
    }
    let flat = array
        .call_method1("reshape", (-1,))?
        .call_method1("astype", ("float64",))?;
    Ok((kind == "b", flat.cast::<PyArray1<f64>>()?.to_vec()?))
}
