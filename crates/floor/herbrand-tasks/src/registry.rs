//! The tasks that every front offers.

use herbrand_limits::Budget;
use herbrand_text::{did_you_mean, nearest};
use serde_json::{Map, Value};

use crate::bounds::BoundsQuery;
use crate::datalog::DatalogQuery;
use crate::dead_ends::DeadEndsQuery;
use crate::failure::TaskFailure;
use crate::ground::GroundQuery;
use crate::options::OptionSpec;
use crate::plan::PlanQuery;
use crate::problems::AnyProblems;
use crate::rollout::RolloutQuery;
use crate::run::Run;
use crate::show::ShowQuery;
use crate::space::SpaceQuery;
use crate::task_query::TaskQuery;
use crate::translate::TranslateQuery;
use crate::validate::ValidateQuery;

/// A task that every front offers: the program, Python, the page and the tools for agents.
pub struct TaskSpec {
    /// The name of the task.
    pub name: &'static str,
    /// A description of the task: a sentence.
    pub about: &'static str,
    /// Its options.
    pub options: &'static [OptionSpec],
    answer: fn(Value, &AnyProblems, &mut Run<'_>) -> Result<Value, TaskFailure>,
}

/// The tasks, by name.
pub const TASKS: &[TaskSpec] = &[
    TaskSpec::of::<BoundsQuery>(),
    TaskSpec::of::<DatalogQuery>(),
    TaskSpec::of::<DeadEndsQuery>(),
    TaskSpec::of::<GroundQuery>(),
    TaskSpec::of::<PlanQuery>(),
    TaskSpec::of::<RolloutQuery>(),
    TaskSpec::of::<SpaceQuery>(),
    TaskSpec::of::<TranslateQuery>(),
    TaskSpec::of::<ShowQuery>(),
    TaskSpec::of::<ValidateQuery>(),
];

impl TaskSpec {
    const fn of<Q: TaskQuery>() -> Self {
        Self {
            name: Q::NAME,
            about: Q::ABOUT,
            options: Q::OPTIONS,
            answer: answer::<Q>,
        }
    }

    /// Answers a task within the limits of a run. `options` are values by the names of options, in which `_` may be in place
    /// of `-`; null means that an option is not given.
    ///
    /// ```
    /// use herbrand_env::Registry;
    /// use herbrand_tasks::{AnyProblems, Run, TASKS};
    ///
    /// let plan = TASKS.iter().find(|task| task.name == "plan").expect("a task");
    /// let problems = AnyProblems::Pddl(Registry::get("blocks")?);
    /// let options = [("optimal".to_owned(), true.into())].into_iter().collect();
    /// let answer = plan.answer(options, &problems, &mut Run::default())?;
    /// assert_eq!(answer["proven_optimal"], true);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails if an option is unknown or has a wrong value, or like the task.
    pub fn answer(
        &self,
        options: Map<String, Value>,
        problems: &AnyProblems,
        run: &mut Run<'_>,
    ) -> Result<Value, TaskFailure> {
        let mut query = Map::new();
        for (name, value) in options.into_iter().filter(|(_, value)| !value.is_null()) {
            let spec = self.option(&name)?;
            let value = (spec.values.check(&value)).map_err(|error| TaskFailure::Option {
                option: spec.name,
                advice: error.to_string(),
            })?;
            query.insert(spec.name.to_owned(), value);
        }
        let answer = self.answer;
        Budget::new(run.limits).enclose(|| answer(Value::Object(query), problems, run))
    }

    /// Finds an option by its name in some front.
    fn option(&self, name: &str) -> Result<&'static OptionSpec, TaskFailure> {
        let name = name.replace('_', "-");
        let found = self.options.iter().find(|spec| spec.name == name);
        found.ok_or_else(|| TaskFailure::UnknownOption {
            task: self.name,
            advice: did_you_mean(nearest(&name, self.options.iter().map(|spec| spec.name))),
            name,
        })
    }
}

fn answer<Q: TaskQuery>(
    query: Value,
    problems: &AnyProblems,
    run: &mut Run<'_>,
) -> Result<Value, TaskFailure> {
    let query: Q = serde_json::from_value(query)?;
    Ok(serde_json::to_value(query.answer(problems, run)?)?)
}
