//! Tasks of the floor, for callers that are not trusted.

use herbrand_limits::Limits;
use herbrand_rddl_sim::simulate::Preconditions;
use herbrand_tasks::any::AnyError;
use herbrand_tasks::{AnyProblems, Run, TASKS};
use serde_json::{Map, Value};

use crate::allowance::RequestLimits;
use crate::game;
use crate::refusal::{Reason, Refusal};
use crate::reply::Reply;
use crate::request::ProblemName;

/// The fraction of the time limit that a task may take. The answer has the rest.
const WORKED: f64 = 0.9;

/// The greatest number that an option may have. A caller that is not trusted needs no more.
const MOST: u64 = 1_000_000;

/// Answers the task of this name.
pub(crate) fn answer(
    task: &str,
    problem: &ProblemName,
    options: &Map<String, Value>,
    seed: u64,
    allowance: &RequestLimits,
) -> Result<Reply, Refusal> {
    let spec = TASKS.iter().find(|spec| spec.name == task);
    let spec = spec.ok_or_else(|| Refusal::unknown(format!("there is no task `{task}`")))?;
    let mut harmful = spec.options.iter().filter(|option| !option.is_harmless());
    if let Some(option) = harmful.find(|option| options.contains_key(option.name)) {
        let message = format!("`{}` cannot be given here", option.name);
        return Err(Refusal::new(Reason::Request, message));
    }
    let number = |value: &Value| value.as_u64().or_else(|| value.as_str()?.parse().ok());
    let is_large = |value: &Value| number(value).is_some_and(|number: u64| number > MOST);
    if let Some((option, _)) = options.iter().find(|(_, value)| is_large(value)) {
        let message = format!("`{option}` can be at most {MOST} here");
        return Err(Refusal::new(Reason::Request, message));
    }
    let problems = match game::find(problem, allowance)? {
        AnyProblems::Rddl(suite) => AnyProblems::Rddl(suite.with_preconditions(Preconditions::default())),
        problems => problems,
    };
    let mut run = Run {
        limits: Limits {
            time: allowance.limits.time.map(|time| time.mul_f64(WORKED)),
            ..allowance.limits
        },
        seed,
        ..Run::default()
    };
    let answer = spec.answer(options.clone(), &problems, &mut run);
    Ok(Reply::Task {
        answer: answer.map_err(AnyError::from)?,
    })
}
