//! Sessions of problems for agents that talk, for `herbrand.text`.

use std::sync::{Mutex, PoisonError};
use std::thread;

use herbrand_limits::carry_over;
use herbrand_play::{EpisodeStatus, GoalDistance, Language, ProblemName, Reason, Refusal};
use herbrand_play::{PlanCheck, RequestLimits, Session};
use herbrand_rddl_sim::simulate::Preconditions;
use herbrand_tasks::AnyProblems;
use herbrand_text::Source;
use herbrand_verbalize::{ReplyReader, TextCode, TextTable, Wording};
use pyo3::prelude::*;

use crate::errors::{self, guarded, interruptible};
use crate::limits::limits;
use crate::tasks::problems_of;

/// A session of the engine: a problem with the steps taken so far.
#[pyclass(frozen, module = "herbrand._herbrand")]
pub struct SessionCore {
    session: Mutex<Session>,
}

/// A step: the reward, the status, the changes, and the changes that the agent sees.
type Taken = (f64, &'static str, String, String);
/// A graded plan: whether it is valid, the number of its steps that can be taken, of its lines, and of its lines that are actions, its cost, the sum of
/// its rewards, its fault, and the distance to the goal after its steps.
type Graded = (
    bool,
    usize,
    usize,
    usize,
    Option<f64>,
    f64,
    Option<String>,
    Option<i64>,
);

/// Returns the action in a reply, or each step of the plan in it, by their form alone.
#[pyfunction]
pub fn read_reply(reply: &str, is_plan: bool) -> Vec<String> {
    if is_plan {
        let steps = ReplyReader::TEXT.plan(reply).into_iter();
        return steps.map(|step| step.text).collect();
    }
    // Without a problem, no text is known to be several actions.
    vec![ReplyReader::TEXT.action(reply).unwrap_or_default()]
}

/// Returns the exception for a refusal.
fn refused(py: Python<'_>, refusal: &Refusal) -> PyErr {
    let class = match refusal.kind {
        Reason::Limit => "LimitError",
        Reason::Step => "StepError",
        Reason::Unknown | Reason::Request => "UnknownNameError",
        Reason::Texts => "ConfigError",
    };
    let findings = refusal.findings.iter();
    let lines = findings.map(|one| {
        let [line, column, ..] = one.place;
        format!(
            "{}:{line}:{column}: {}[{}]: {}",
            one.text, one.severity, one.code, one.message
        )
    });
    let lines: Vec<_> = std::iter::once(refusal.message.clone()).chain(lines).collect();
    errors::message(py, class, &lines.join("\n"))
}

fn status(status: EpisodeStatus) -> &'static str {
    match status {
        EpisodeStatus::Running => "running",
        EpisodeStatus::Goal => "goal",
        EpisodeStatus::DeadEnd => "dead-end",
        EpisodeStatus::Terminal => "terminal",
        EpisodeStatus::Horizon => "horizon",
        EpisodeStatus::Broken => "broken",
    }
}

/// Returns a distance as a number: -1 without a plan, and `None` if it is unknown.
fn number(distance: GoalDistance) -> Option<i64> {
    match distance {
        GoalDistance::Steps(steps) => Some(steps as i64),
        GoalDistance::Unreachable => Some(-1),
        GoalDistance::Unknown => None,
    }
}

/// Opens the only problem of a suite, with a table of sentences. A faulty table is an exception with its faults.
fn open(
    py: Python<'_>,
    problems: &AnyProblems,
    name: &str,
    table: Option<&(String, String)>,
    seed: u64,
    allowance: RequestLimits,
) -> PyResult<Session> {
    let named = ProblemName::Bundled {
        domain: problems.name().to_owned(),
        problem: name.to_owned(),
    };
    let open = |table: Option<&str>| {
        interruptible(py, || {
            Session::of_problems(problems.clone(), &named, table, seed, allowance)
        })
    };
    let opened = open(table.map(|(_, text)| text.as_str()))?;
    let refusal = match opened {
        Ok(session) => return Ok(session),
        Err(refusal) => refusal,
    };
    if let (Some((file, text)), Reason::Texts) = (table, refusal.kind) {
        let parsed = TextTable::parse(&Source::new(file, text));
        let parsed = parsed.map_err(|faults| errors::faults(py, &faults, TextCode::Limit))?;
        if let Ok(session) = open(None)? {
            let vocabulary = session.wording().vocabulary().clone();
            let fitted = Wording::new(vocabulary, Some(&parsed));
            fitted.map_err(|faults| errors::faults(py, &faults, TextCode::Limit))?;
        }
    }
    Err(refused(py, &refusal))
}

#[pymethods]
impl SessionCore {
    /// Opens the problem at `index` of a `Suite` or `RddlSuite`, or the world of a `Target`, whose episodes begin with the model
    /// that `start` names. `table` is the name and the text of a table of sentences.
    #[new]
    #[pyo3(signature = (suite, index, table, seed, limits_of_call, steps, listed, start = None))]
    #[expect(clippy::too_many_arguments, reason = "one for each option")]
    fn new(
        suite: &Bound<'_, PyAny>,
        index: usize,
        table: Option<(String, String)>,
        seed: u64,
        limits_of_call: Option<&Bound<'_, PyAny>>,
        steps: usize,
        listed: usize,
        start: Option<&str>,
    ) -> PyResult<Self> {
        let py = suite.py();
        let allowance = RequestLimits {
            limits: limits(limits_of_call)?,
            text: 1 << 20,
            steps,
            listed,
            ..RequestLimits::default()
        };
        let only = problems_of(suite, start)?.only(index);
        let only = only.map_err(|error| errors::message(py, "UnknownNameError", &error.to_string()))?;
        let name = only.full_problem_name(0);
        let problems = match only {
            AnyProblems::Pddl(suite) => AnyProblems::Pddl(suite.with_limits(allowance.limits)),
            AnyProblems::Rddl(suite) => {
                let suite = suite.with_limits(allowance.limits);
                AnyProblems::Rddl(suite.with_preconditions(Preconditions::Refused))
            }
            worlds @ AnyProblems::World(_) => worlds,
        };
        let session = open(py, &problems, &name, table.as_ref(), seed, allowance)?;
        Ok(Self {
            session: Mutex::new(session),
        })
    }

    /// Starts again at the initial state, with the seed of all draws.
    fn reset(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        self.with(py, |session| {
            *session = session.fork(seed)?;
            Ok(())
        })
    }

    /// The title of the problem.
    #[getter]
    fn title(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |session| Ok(session.title()))
    }

    /// The language of the problem: "pddl" or "rddl".
    #[getter]
    fn language(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.with(py, |session| {
            Ok(match session.language() {
                Language::Pddl => "pddl",
                Language::Rddl => "rddl",
            })
        })
    }

    /// Whether the problem is only partly observable.
    #[getter]
    fn is_partly_observable(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |session| Ok(session.is_partly_observable()))
    }

    /// Whether further steps can be taken: "running", "goal", "dead-end", "terminal", "horizon" or "broken".
    #[getter]
    fn status(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.with(py, |session| Ok(status(session.status())))
    }

    /// The steps taken so far, each a list of actions.
    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<Vec<Vec<String>>> {
        self.with(py, |session| Ok(session.steps().to_vec()))
    }

    /// Returns the whole state as sentences.
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |session| Ok(session.text()))
    }

    /// Returns the facts that never change as sentences.
    fn constants(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |session| Ok(session.constants_text()))
    }

    /// Returns what the agent knows of the state as sentences.
    fn observation(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |session| Ok(session.observation()))
    }

    /// Returns the texts of the domain and the problem of a bundled domain.
    fn texts(&self, py: Python<'_>) -> PyResult<(String, String)> {
        self.with(py, |session| {
            session.texts().map(|texts| (texts.domain, texts.problem))
        })
    }

    /// Returns the goal as sentences; empty if there is none.
    fn goal(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |session| Ok(session.goal_text()))
    }

    /// Returns how each action is written.
    fn forms(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with(py, |session| Ok(session.action_forms()))
    }

    /// Returns the valid actions as pairs (action, sentence).
    fn actions(&self, py: Python<'_>, most: usize) -> PyResult<Vec<(String, String)>> {
        self.with(py, |session| {
            let actions = session.actions(most).into_iter();
            Ok(actions.map(|one| (one.action, one.text)).collect())
        })
    }

    /// Returns the actions that take a number, as sentences with the range of the number.
    fn number_actions(&self, py: Python<'_>, most: usize) -> PyResult<Vec<String>> {
        self.with(py, |session| Ok(session.number_actions(most)))
    }

    /// Parses an answer: returns the actions, or the kind of its fault and a message.
    #[allow(clippy::type_complexity, reason = "Python takes the pair apart at once")]
    fn read(
        &self,
        py: Python<'_>,
        text: &str,
    ) -> PyResult<(Option<Vec<String>>, Option<(&'static str, String)>)> {
        self.with(py, |session| {
            Ok(match session.read(text) {
                Ok(joint) => (Some(joint), None),
                Err(error) => (None, Some((error.fault.as_str(), error.to_string()))),
            })
        })
    }

    /// Takes a step: returns a tuple (reward, status, changes, changes that the agent sees), or the reason why the actions are
    /// not valid.
    fn take(&self, py: Python<'_>, joint: Vec<String>) -> PyResult<(Option<Taken>, Option<String>)> {
        self.with(py, |session| match session.take(joint) {
            Ok(step) => {
                let seen = session.observed_changes();
                Ok((Some((step.reward, status(step.status), step.text, seen)), None))
            }
            Err(refusal) if refusal.step.is_some() => Ok((None, Some(refusal.message))),
            Err(refusal) => Err(refusal),
        })
    }

    /// Returns the number of steps of a shortest plan: -1 if there is none, None if it is unknown.
    fn distance(&self, py: Python<'_>) -> PyResult<Option<i64>> {
        self.long(py, |session| session.distance().map(number))
    }

    /// Returns the steps of a plan from the current state as sentences, and a comment.
    fn plan(&self, py: Python<'_>) -> PyResult<(Vec<String>, String)> {
        self.long(py, |session| {
            session.plan().map(|plan| (plan.sentences, plan.text))
        })
    }

    /// Executes plans from the initial state, on `threads` threads, and returns the grade of each.
    fn grade(
        &self,
        py: Python<'_>,
        plans: Vec<String>,
        distances: bool,
        seed: u64,
        threads: usize,
    ) -> PyResult<Vec<Graded>> {
        self.long(py, |session| {
            let threads = threads.clamp(1, plans.len().max(1));
            let forks = (0..threads).map(|_| session.fork(seed));
            let forks = forks.collect::<Result<Vec<_>, _>>()?;
            let chunk = plans.len().div_ceil(threads).max(1);
            let graded = thread::scope(|scope| {
                let workers: Vec<_> = forks
                    .into_iter()
                    .zip(plans.chunks(chunk))
                    .map(|(fork, plans)| {
                        scope.spawn(carry_over(move || {
                            plans
                                .iter()
                                .map(|plan| graded(&fork, plan, distances))
                                .collect::<Vec<_>>()
                        }))
                    })
                    .collect();
                let results = workers.into_iter().map(|worker| {
                    worker
                        .join()
                        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                });
                results.collect::<Vec<_>>()
            });
            graded.into_iter().flatten().collect()
        })
    }
}

/// Executes a plan and returns its grade.
fn graded(session: &Session, plan: &str, distances: bool) -> Result<Graded, Refusal> {
    let (after, check) = session.execute(plan)?;
    let distance = if distances {
        number(after.distance()?)
    } else {
        None
    };
    let PlanCheck {
        valid,
        steps,
        lines,
        readable,
        cost,
        reward,
        fault,
    } = check;
    Ok((valid, steps, lines, readable, cost, reward, fault, distance))
}

impl SessionCore {
    /// Calls `work` with the session, which it may not keep for long.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Session) -> Result<T, Refusal> + Send,
    ) -> PyResult<T> {
        let done = guarded(py, || {
            work(&mut self.session.lock().unwrap_or_else(PoisonError::into_inner))
        })?;
        done.map_err(|refusal| refused(py, &refusal))
    }

    /// Calls `work` with the session. Ctrl-C ends the call.
    fn long<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Session) -> Result<T, Refusal> + Send,
    ) -> PyResult<T> {
        let done = interruptible(py, || {
            work(&mut self.session.lock().unwrap_or_else(PoisonError::into_inner))
        })?;
        done.map_err(|refusal| refused(py, &refusal))
    }
}
