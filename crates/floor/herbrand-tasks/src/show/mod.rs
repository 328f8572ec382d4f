//! A state, its valid actions, and whether the goal holds.

mod estimates;
mod facts;

use herbrand_core::{GoalConjunct, Streams};
use herbrand_env::EngineKind;
use herbrand_env::plan::{ParsedPlan, PlanStep};
use herbrand_render::{Moment, Picture};
use serde::{Deserialize, Serialize};

pub use estimates::{Estimates, HeuristicValue};
pub use facts::ShownFacts;

use crate::any::{AnyError, AnyProblem, AnySystem, ErrorKind};
use crate::failure::{FailureKind, TaskFailure};
use crate::finite_domain::SasFile;
use crate::options::{OptionSpec, OptionValues, any_text};
use crate::problems::AnyProblems;
use crate::run::Run;
use crate::step_faults::{BrokenInvariant, Violation};
use crate::task_query::TaskQuery;

/// The state to show, and the parts of the answer. By default it is the initial state, without the additional parts. The seed of
/// random outcomes is that of the run.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ShowQuery {
    /// The steps to take first, each in parentheses or the only one, such as `(move a b) (load a)`.
    pub actions: String,
    /// Whether each step is explained, in PDDL.
    pub explain: bool,
    /// Whether facts that never change are listed.
    #[serde(rename = "static")]
    pub statics: bool,
    /// Whether the heuristics of the planners are computed in the initial state, in PDDL.
    pub estimates: bool,
    /// The engine; it does not change the answer.
    #[serde(skip)]
    pub engine: EngineKind,
    /// Whether the answer has the picture of the state.
    #[serde(skip)]
    pub drawn: bool,
}

impl TaskQuery for ShowQuery {
    const NAME: &'static str = "show";
    const ABOUT: &'static str = "Show a state, its valid actions, and whether the goal holds.";
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::new(
            "actions",
            OptionValues::Text("ACTIONS", any_text),
            "Actions to take first, such as \"(a b) (c d)\"; in RDDL such as \"(order___apple=5 open) ()\", where `(order apple 5)`, \
             `(order apple)=5` and `order(apple)=5` mean `order___apple=5`",
        ),
        OptionSpec::new(
            "explain",
            OptionValues::Flag,
            "Explain the effects of each action (PDDL)",
        ),
        OptionSpec::new(
            "static",
            OptionValues::Flag,
            "Also show the atoms that never change",
        ),
        OptionSpec::new(
            "estimates",
            OptionValues::Flag,
            "Also compute the heuristics of the planners in the initial state (PDDL)",
        ),
    ];
    type Answer = ShowAnswer;

    fn answer(&self, problems: &AnyProblems, run: &mut Run<'_>) -> Result<ShowAnswer, TaskFailure> {
        show(problems, self, run)
    }
}

/// The answer about a state. Each serialises as `herbrand show --format json` prints it.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum ShowAnswer {
    /// The state after all steps.
    State(Box<StateReport>),
    /// A step that cannot be taken.
    Refused {
        /// The step.
        invalid: InvalidStep,
    },
}

/// A step that is not valid in the state before it.
#[derive(Clone, Debug, Serialize)]
pub struct InvalidStep {
    /// Its number, from 1.
    pub step: usize,
    /// Its actions.
    pub action: String,
    /// Why it cannot be taken: a sentence that names the actions.
    pub reason: String,
}

/// A state, its valid actions, and whether the goal holds.
#[derive(Clone, Debug, Serialize)]
pub struct StateReport {
    /// The name of the set of problems.
    pub domain: String,
    /// The name of the problem.
    pub problem: String,
    /// The sum of the rewards of the steps.
    pub reward: f64,
    /// The reward of the last step, in RDDL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_reward: Option<f64>,
    /// The facts.
    #[serde(flatten)]
    pub facts: ShownFacts,
    /// Whether the goal holds; `None` in RDDL, which has no goals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<bool>,
    /// The conjuncts of the goal; `None` in RDDL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal_parts: Option<Vec<ShownConjunct>>,
    /// Whether the system ends here by its own rules.
    pub terminal: bool,
    /// How many joint actions are valid; `None` if there are infinitely many or too many to count.
    pub valid_actions: Option<f64>,
    /// The valid choices; in RDDL a joint action combines them, and numeric action fluents are listed with their bounds.
    pub actions: Vec<String>,
    /// A summary of the valid actions.
    #[serde(skip)]
    pub summary: String,
    /// The picture of the state.
    #[serde(skip)]
    pub drawing: Option<(Picture, Moment)>,
    /// The explanation of each step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explained: Option<Vec<String>>,
    /// The values of the heuristics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimates: Option<Estimates>,
    /// The action preconditions that steps violated, in RDDL.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub violated: Vec<ViolatedAt>,
    /// The state invariants that do not hold in the state, in RDDL.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<BrokenInvariant>,
}

/// A conjunct of the goal.
#[derive(Clone, Debug, Serialize)]
pub struct ShownConjunct {
    /// The conjunct in the syntax of the language.
    pub formula: String,
    /// Whether it holds; `None` where numbers are compared.
    pub holds: Option<bool>,
}

impl From<GoalConjunct> for ShownConjunct {
    fn from(conjunct: GoalConjunct) -> Self {
        Self {
            formula: conjunct.text,
            holds: conjunct.holds,
        }
    }
}

/// An action precondition that a step violated.
#[derive(Clone, Debug, Serialize)]
pub struct ViolatedAt {
    /// The step, from 1.
    pub step: usize,
    /// The precondition.
    #[serde(flatten)]
    pub violation: Violation,
}

/// Shows the initial state of the first of the problems, or the state after some steps.
///
/// ```
/// use herbrand_env::Registry;
/// use herbrand_tasks::show::{ShowAnswer, ShowQuery, show};
/// use herbrand_tasks::{AnyProblems, Run};
///
/// let problems = AnyProblems::Pddl(Registry::get("blocks")?);
/// let query = ShowQuery { actions: "(unstack b a)".to_owned(), ..ShowQuery::default() };
/// let answer = show(&problems, &query, &mut Run::default())?;
/// let ShowAnswer::State(report) = answer else { panic!("the action is valid") };
/// assert_eq!(report.actions, ["(put-down b)", "(stack b a)"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the problem is faulty, a text is no action, an effect is undefined, or the language lacks a part of the answer. The
/// failure lists all texts that are no actions.
pub fn show(problems: &AnyProblems, query: &ShowQuery, run: &mut Run<'_>) -> Result<ShowAnswer, TaskFailure> {
    let actions = query.actions.trim();
    if query.explain && actions.is_empty() {
        return Err(TaskFailure::option("explain", "needs --actions"));
    }
    if query.estimates && (!actions.is_empty() || query.engine != EngineKind::Automatic) {
        let advice = "is about the initial state: leave --actions and --engine out";
        return Err(TaskFailure::option("estimates", advice));
    }
    let problems = problems.first()?;
    let suite = match &problems {
        AnyProblems::Pddl(suite) => Some(suite),
        _ if query.estimates => return Err(problems.unsupported("show --estimates", "PDDL")),
        _ => None,
    };
    let estimates = suite.filter(|_| query.estimates);
    let estimates = estimates
        .map(|suite| Estimates::of(suite, run.limits))
        .transpose()?;
    let mut query = query.clone();
    if let Some(file) = suite
        .map(|suite| SasFile::of_suite(suite, run.limits))
        .transpose()?
        .flatten()
    {
        query.actions = renamed(&file, &query.actions);
    }
    let mut answer = show_problem(&mut *problems.open_on(query.engine)?, &query, run)?;
    if let ShowAnswer::State(report) = &mut answer {
        report.estimates = estimates;
    }
    Ok(answer)
}

/// Replaces the names of operators in a text of steps by those of the ground actions.
fn renamed(file: &SasFile, actions: &str) -> String {
    let step = |action: &str| PlanStep {
        line: 1,
        action: action.to_owned(),
        time: None,
        duration: None,
    };
    let mut plan = ParsedPlan {
        steps: split_steps(actions).into_iter().map(step).collect(),
    };
    file.rename(&mut plan);
    let names: Vec<String> = plan.steps.into_iter().map(|step| step.action).collect();
    names.join(" ")
}

/// Shows a state of a problem of any language, like [`show`].
///
/// # Errors
/// Fails like [`show`].
pub fn show_problem(
    problem: &mut dyn AnyProblem,
    query: &ShowQuery,
    run: &Run<'_>,
) -> Result<ShowAnswer, TaskFailure> {
    let is_process = problem.look().features().interm_names().is_some();
    if is_process && query.explain {
        return Err(TaskFailure::option("explain", "supports only PDDL"));
    }
    let joints = joints(&*problem.look(), &query.actions)?;
    let mut streams = Streams::new(run.seed);
    problem.reset(&mut streams.outcomes)?;
    let (mut rewards, mut violated, mut explained) = (Vec::new(), Vec::new(), Vec::new());
    for (step, joint) in (1..).zip(&joints) {
        let violations = problem.look().features().violations(joint);
        let taken = violations.and_then(|violations| {
            violated.extend(
                violations
                    .into_iter()
                    .map(|violation| ViolatedAt { step, violation }),
            );
            problem.step(joint, &mut streams.outcomes, query.explain)
        });
        match taken {
            Ok((transition, text)) => {
                rewards.push(transition.reward);
                explained.push(text);
            }
            Err(error) if error.is_undefined() || FailureKind::of(&error) != FailureKind::Input => {
                return Err(TaskFailure::File {
                    name: format!("step {step}"),
                    failure: Box::new(error.into()),
                });
            }
            Err(error) => {
                let (action, reason) = (problem.look().joint_text(joint), error.to_string());
                // Errors of PDDL begin with the action.
                let reason = if reason.starts_with(&action) {
                    reason
                } else {
                    format!("{action}: {reason}")
                };
                let invalid = InvalidStep { step, action, reason };
                return Ok(ShowAnswer::Refused { invalid });
            }
        }
    }
    let (domain, name) = problem.names();
    let picture = query.drawn.then(|| problem.picture()).transpose()?;
    let drawing = picture.map(|(picture, moment)| (picture.clone(), moment));
    let system = problem.look();
    let (status, broken) = (system.status(), system.features().broken());
    let conjuncts = system.goal_conjuncts()?.into_iter().map(ShownConjunct::from);
    let mut report = StateReport {
        domain,
        problem: name,
        // The sum of nothing is −0.
        reward: rewards.iter().sum::<f64>() + 0.0,
        last_reward: rewards.last().copied().filter(|_| is_process),
        facts: ShownFacts::of(&*system, query.statics),
        goal: (!is_process).then_some(status.goal),
        goal_parts: (!is_process).then(|| conjuncts.collect()),
        terminal: status.terminal,
        valid_actions: Some(0.0),
        actions: Vec::new(),
        summary: "(0): the episode is over".to_owned(),
        drawing,
        explained: query.explain.then_some(explained),
        estimates: None,
        violated,
        broken,
    };
    if !is_process || !(status.terminal || status.broken) {
        let offered = system.offered();
        report.valid_actions = offered.count.finite();
        report.summary = offered.summary();
        report.actions = offered.choices;
    }
    Ok(ShowAnswer::State(Box::new(report)))
}

/// Reads the steps of a text.
fn joints(system: &dyn AnySystem, actions: &str) -> Result<Vec<Vec<herbrand_core::Choice>>, AnyError> {
    let (mut joints, mut faults) = (Vec::new(), Vec::new());
    for text in split_steps(actions) {
        match system.parse_joint(text) {
            Ok(joint) => joints.push(joint),
            Err(error) => faults.push(system.never_valid(text).unwrap_or_else(|| error.to_string())),
        }
    }
    if faults.is_empty() {
        return Ok(joints);
    }
    Err(AnyError::new(ErrorKind::Name, faults.join("\n")))
}

/// Splits a text into steps: joint actions in parentheses, each perhaps followed by `=` and a value, such as `(a b)` and
/// `(c)=1` in `(a b) (c)=1`. A text that begins otherwise is one step.
fn split_steps(text: &str) -> Vec<&str> {
    let mut rest = text.trim();
    let mut steps = Vec::new();
    while rest.starts_with('(') {
        let mut depth = 0_usize;
        let close = rest.char_indices().find(|&(_, c)| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let mut end = close.map_or(rest.len(), |(at, _)| at + 1);
        let after = &rest[end..];
        if let Some(value) = after.trim_start().strip_prefix('=') {
            let value = value.trim_start();
            let is_end = |c: char| c.is_whitespace() || c == ',' || c == '(';
            let length = value.find(is_end).unwrap_or(value.len());
            end = rest.len() - (value.len() - length);
        }
        steps.push(&rest[..end]);
        rest = rest[end..].trim_start_matches(|c: char| c.is_whitespace() || c == ',');
    }
    if !rest.is_empty() {
        steps.push(rest);
    }
    steps
}
