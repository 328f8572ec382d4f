//! Bounds of the values of a problem in RDDL, step by step.

use herbrand_limits::Budget;
use herbrand_rddl::Horizon;
use herbrand_rddl_plan::interval::{DrawCoverage, HorizonBounds, Interval, LostBound};
use herbrand_rddl_sim::simulate::GroundFluents;
use herbrand_rddl_sim::suite::RddlError;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::failure::TaskFailure;
use crate::options::{OptionError, OptionSpec, OptionValues, at_least};
use crate::problems::AnyProblems;
use crate::run::Run;
use crate::task_query::TaskQuery;

/// How far to look ahead.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct BoundsQuery {
    /// The number of steps; by default the horizon, or 100.
    pub steps: Option<u32>,
    /// Two quantiles between which random draws are restricted, the lower one first.
    #[serde(deserialize_with = "quantiles")]
    pub between: Option<[f64; 2]>,
}

/// Reads two numbers, separated by a comma.
fn quantiles<'de, D: Deserializer<'de>>(read: D) -> Result<Option<[f64; 2]>, D::Error> {
    let text = Option::<String>::deserialize(read)?;
    text.map(|text| two_numbers(&text).map_err(D::Error::custom))
        .transpose()
}

fn two_numbers(text: &str) -> Result<[f64; 2], OptionError> {
    let ends = text.split_once(',');
    let ends = ends.and_then(|(low, high)| Some([low.trim().parse().ok()?, high.trim().parse().ok()?]));
    ends.ok_or_else(|| OptionError::of("expected two numbers between 0 and 1, separated by a comma"))
}

impl TaskQuery for BoundsQuery {
    const NAME: &'static str = "bounds";
    const ABOUT: &'static str =
        "Compute bounds of all values of a problem in RDDL and of its return, step by step.";
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::new(
            "steps",
            at_least("N", 0),
            "The number of steps to look ahead [default: the horizon, or 100]",
        ),
        OptionSpec::new(
            "between",
            OptionValues::Text("LOW,HIGH", |text| two_numbers(text).map(|_| ())),
            "Restrict random draws to the range between these two quantiles",
        ),
    ];
    type Answer = BoundsAnswer;

    fn answer(&self, problems: &AnyProblems, run: &mut Run<'_>) -> Result<BoundsAnswer, TaskFailure> {
        bounds(problems, self, run)
    }
}

/// The ends of an interval; `None` where it has no bound. Larger ends count as none, because RDDL ints have 64 bits.
pub type BoundEnds = [Option<f64>; 2];

/// The bounds of all values and of the return. Serialises as `herbrand rddl bounds --format json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct BoundsAnswer {
    /// The name of the problem.
    pub problem: String,
    /// The bounds of the action fluents.
    pub actions: Vec<(String, BoundEnds)>,
    /// The bounds of the discounted return.
    pub total: BoundEnds,
    /// The bounds in each step.
    pub steps: Vec<NamedBounds>,
    /// The bounds of the state fluents after the last step.
    pub last: Vec<(String, BoundEnds)>,
    /// The values that lose a bound: the first step at which it is missing, and the cause.
    pub lost: Vec<LostBound>,
    /// The values that may be NaN, which no bound contains: the first step at which they may be.
    pub nan: Vec<LostBound>,
    /// The bounds without names.
    #[serde(skip)]
    pub found: HorizonBounds,
}

/// The bounds of all values of one step, with their names.
#[derive(Clone, Debug, Serialize)]
pub struct NamedBounds {
    /// The state fluents before the step.
    pub state: Vec<(String, BoundEnds)>,
    /// The intermediate fluents.
    pub interm: Vec<(String, BoundEnds)>,
    /// The observed fluents.
    pub observ: Vec<(String, BoundEnds)>,
    /// The reward.
    pub reward: BoundEnds,
}

/// Computes bounds of all values of the first of the problems and of its return, for all actions that satisfy the preconditions.
///
/// ```
/// use herbrand_rddl_sim::suite::RddlSuite;
/// use herbrand_tasks::bounds::{BoundsQuery, bounds};
/// use herbrand_tasks::{AnyProblems, Run};
///
/// let problems = AnyProblems::Rddl(RddlSuite::bundled("mountain-car")?);
/// let query = BoundsQuery { steps: Some(5), ..BoundsQuery::default() };
/// let answer = bounds(&problems, &query, &mut Run::default())?;
/// assert!(answer.total.iter().all(Option::is_some));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the problem is faulty, too large for the limits or not in RDDL, or the quantiles are out of order.
pub fn bounds(
    problems: &AnyProblems,
    query: &BoundsQuery,
    run: &mut Run<'_>,
) -> Result<BoundsAnswer, TaskFailure> {
    let AnyProblems::Rddl(suite) = problems.first()? else {
        return Err(problems.unsupported("bounds", "RDDL"));
    };
    let instance = suite.instance(0)?;
    let steps = query.steps.unwrap_or(match instance.horizon {
        Horizon::Steps(steps) => steps,
        Horizon::Infinite => 100,
    });
    let coverage = match query.between {
        Some([low, high]) if 0.0 < low && low <= high && high < 1.0 => DrawCoverage::Between(low, high),
        Some([low, high]) => {
            let advice = format!("needs LOW at most HIGH, not {low} and {high}");
            return Err(TaskFailure::option("between", &advice));
        }
        None => DrawCoverage::Support,
    };
    let found = HorizonBounds::new(instance, steps, coverage, &Budget::new(run.limits));
    let found = found.map_err(RddlError::from)?;
    let compiled = &found.compiled;
    let named = |fluents: &GroundFluents, intervals: &[Interval]| -> Vec<(String, BoundEnds)> {
        let names = (0..fluents.len()).map(|at| compiled.name(fluents, at));
        names.zip(intervals.iter().map(ends)).collect()
    };
    let steps = found.steps.iter().map(|step| NamedBounds {
        state: named(&compiled.state, &step.state),
        interm: named(&compiled.interm, &step.interm),
        observ: named(&compiled.observ, &step.observ),
        reward: ends(&step.reward),
    });
    Ok(BoundsAnswer {
        problem: compiled.instance.name.to_string(),
        actions: named(&compiled.action, &found.actions),
        total: ends(&found.total),
        steps: steps.collect(),
        last: named(&compiled.state, &found.last),
        lost: found.lost.clone(),
        nan: found.nan.clone(),
        found,
    })
}

fn ends(interval: &Interval) -> BoundEnds {
    [interval.low, interval.high].map(|end| (end.abs() < i64::MAX as f64).then_some(end))
}
