//! The results of rollouts, as data and as a table.

use std::io::Write;

use herbrand::core::{ActionCount, ActionField, EndCounts, FieldDomain, Rollout};
use herbrand::rddl::simulate::Preconditions;
use herbrand::tasks::AnyProblems;
use herbrand::tasks::FaultTotals;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{self, NonFiniteReturns, fixed, grouped, non_finite_as_text, short};

/// One set of problems.
#[derive(Serialize)]
pub(super) struct Row {
    domain: String,
    /// The name of the problem if it is the only one.
    problem: Option<String>,
    problems: usize,
    episodes: u64,
    steps: u64,
    seconds: f64,
    steps_per_s: f64,
    /// The mean number of valid joint actions; `None` if it is infinite or too large to count.
    mean_valid_actions: Option<f64>,
    #[serde(skip)]
    valid_actions: ActionCount,
    /// Whether an action takes a real number.
    #[serde(skip)]
    has_reals: bool,
    /// `None` if the problems have no goals.
    goals: Option<u64>,
    dead_ends: u64,
    /// The steps that violated an action precondition, in RDDL.
    violating_steps: Option<u64>,
    /// The steps among them that took no action instead; `None` if such steps are not replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    replaced_steps: Option<u64>,
    /// The effect of a violated action precondition.
    #[serde(skip)]
    effect: Preconditions,
    #[serde(with = "Ends")]
    ends: EndCounts,
    /// The episodes that the means cover.
    counted: u64,
    /// Whether random actions are exactly uniform over the valid ones; `None` for another policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uniform: Option<bool>,
    /// Whether the means cover episodes that a broken state invariant ended.
    #[serde(skip)]
    pub(super) counts_broken: bool,
    #[serde(serialize_with = "non_finite_as_text")]
    mean_return: f64,
    /// The standard deviation of the returns.
    #[serde(serialize_with = "non_finite_as_text")]
    return_deviation: f64,
    #[serde(serialize_with = "non_finite_as_text")]
    mean_discounted_return: f64,
    /// The episodes whose return is infinite or NaN; `None` if every return is finite.
    non_finite: Option<NonFiniteReturns>,
    /// Whether the domain declares rewards; if not, entering the goal pays 1.
    rewards: bool,
    digest: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    observed: Option<Observed>,
    /// Where and why the plan that was to be followed stops.
    #[serde(skip_serializing_if = "Option::is_none")]
    plan_stops: Option<String>,
}

/// The number of episodes by the reason of their end, as JSON shows it.
#[derive(Serialize)]
#[serde(remote = "EndCounts")]
struct Ends {
    goal: u64,
    terminal: u64,
    dead_end: u64,
    invariant: u64,
    horizon: u64,
    stopped: u64,
}

/// The same rollout with an observation of every state.
#[derive(Serialize)]
pub(super) struct Observed {
    mode: String,
    /// The length of an observation.
    elements: usize,
    steps_per_s: f64,
    /// The additional nanoseconds per step.
    nanoseconds: f64,
}

impl Observed {
    pub(super) fn new(mode: &str, elements: usize, plain: &Rollout, observed: &Rollout) -> Self {
        let each = |rollout: &Rollout| rollout.seconds * 1e9 / rollout.steps.max(1) as f64;
        Self {
            mode: mode.to_owned(),
            elements,
            steps_per_s: observed.steps_per_second(),
            nanoseconds: (each(observed) - each(plain)).max(0.0),
        }
    }
}

/// Whether a domain declares rewards.
fn declares_rewards(problems: &AnyProblems) -> bool {
    match problems {
        AnyProblems::Pddl(suite) => {
            let mut flags = suite.domain().requirements.iter();
            flags.any(|flag| matches!(flag.keyword(), ":rewards" | ":mdp"))
        }
        AnyProblems::Rddl(_) | AnyProblems::World(_) => true,
    }
}

/// Whether an action of the first problem takes a real number.
fn has_reals(problems: &AnyProblems) -> bool {
    let AnyProblems::Rddl(suite) = problems else {
        return false;
    };
    let is_real = |field: &ActionField| matches!(field.domain, FieldDomain::Real { .. });
    suite
        .compiled(0)
        .is_ok_and(|compiled| compiled.actions().fields().iter().any(is_real))
}

impl Row {
    pub(super) fn of(
        problems: &AnyProblems,
        result: &Rollout,
        observed: Option<Observed>,
        plan_stops: Option<String>,
    ) -> Self {
        let is_rddl = matches!(problems, AnyProblems::Rddl(_));
        let effect = match problems {
            AnyProblems::Rddl(suite) => suite.preconditions(),
            AnyProblems::Pddl(_) | AnyProblems::World(_) => Preconditions::default(),
        };
        Self {
            domain: problems.name().to_owned(),
            problem: (result.problems == 1).then(|| problems.problem_name(0)),
            problems: result.problems,
            episodes: result.episodes,
            steps: result.steps,
            seconds: result.seconds,
            steps_per_s: result.steps_per_second(),
            mean_valid_actions: result.mean_valid_actions.finite(),
            valid_actions: result.mean_valid_actions,
            has_reals: has_reals(problems),
            goals: (!is_rddl).then_some(result.goals),
            dead_ends: result.dead_ends,
            violating_steps: is_rddl.then_some(result.violating_steps),
            replaced_steps: (effect == Preconditions::Replaced).then_some(result.violating_steps),
            effect,
            ends: result.ends,
            counted: result.counted,
            uniform: None,
            counts_broken: false,
            mean_return: result.mean_return,
            return_deviation: result.return_deviation,
            mean_discounted_return: result.mean_discounted_return,
            non_finite: (result.non_finite.as_ref())
                .map(|some| NonFiniteReturns::of(problems.problem_name(some.first.problem), some)),
            rewards: declares_rewards(problems),
            digest: format!("{:016x}", result.digest),
            observed,
            plan_stops,
        }
    }

    /// A cell for each column.
    fn cells(&self, columns: &[Column]) -> Vec<String> {
        let paid = |value: f64| {
            if self.counted > 0 && (self.rewards || self.non_finite.is_some()) {
                fixed(value, 3)
            } else {
                NONE.to_owned()
            }
        };
        let observed =
            |text: fn(&Observed) -> String| self.observed.as_ref().map_or_else(|| NONE.to_owned(), text);
        let cell = |column: &Column| match column {
            Column::Domain => match &self.problem {
                Some(problem) => format!("{} {problem}", self.domain),
                None => self.domain.clone(),
            },
            Column::Problems => self.problems.to_string(),
            Column::Episodes => grouped(self.episodes),
            Column::Steps => grouped(self.steps),
            Column::Rate => short(self.steps_per_s),
            Column::Observation => observed(|observed| grouped(observed.elements as u64)),
            Column::ObservedRate => observed(|observed| short(observed.steps_per_s)),
            Column::Cost => observed(|observed| short(observed.nanoseconds)),
            Column::Valid => format!("{:.2}", self.valid_actions),
            Column::Goals => self.goals.map_or_else(|| NONE.to_owned(), grouped),
            Column::DeadEnds => grouped(self.dead_ends),
            Column::Terminal => grouped(self.ends.terminal),
            Column::Invariant => grouped(self.ends.invariant),
            Column::Horizon => grouped(self.ends.horizon),
            Column::Stopped => grouped(self.ends.stopped),
            Column::Return => paid(self.mean_return),
            Column::Deviation => paid(self.return_deviation),
            Column::Discounted => paid(self.mean_discounted_return),
        };
        columns.iter().map(cell).collect()
    }
}

/// The text of a cell without a value.
const NONE: &str = "–";

/// A column of the table.
#[derive(Clone, Copy)]
enum Column {
    Domain,
    Problems,
    Episodes,
    Steps,
    Rate,
    Observation,
    ObservedRate,
    Cost,
    Valid,
    Goals,
    DeadEnds,
    Terminal,
    Invariant,
    Horizon,
    Stopped,
    Return,
    Deviation,
    Discounted,
}

impl Column {
    /// The columns that some rows need.
    fn of(rows: &[Row]) -> Vec<Self> {
        let mut columns = vec![
            Self::Domain,
            Self::Problems,
            Self::Episodes,
            Self::Steps,
            Self::Rate,
        ];
        if rows.iter().any(|row| row.observed.is_some()) {
            columns.extend([Self::Observation, Self::ObservedRate, Self::Cost]);
        }
        columns.push(Self::Valid);
        if rows.is_empty() || rows.iter().any(|row| row.goals.is_some()) {
            columns.extend([Self::Goals, Self::DeadEnds]);
        }
        let any = |count: fn(&EndCounts) -> u64| rows.iter().any(|row| count(&row.ends) > 0);
        let ends = [
            (Self::Terminal, any(|ends| ends.terminal)),
            (Self::Invariant, any(|ends| ends.invariant)),
            (Self::Horizon, any(|ends| ends.horizon)),
            (Self::Stopped, any(|ends| ends.stopped)),
        ];
        columns.extend(
            ends.into_iter()
                .filter(|(_, occurs)| *occurs)
                .map(|(column, _)| column),
        );
        if rows.iter().any(|row| row.rewards || row.non_finite.is_some()) {
            columns.extend([Self::Return, Self::Deviation, Self::Discounted]);
        }
        columns
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Domain => "domain",
            Self::Problems => "problems",
            Self::Episodes => "episodes",
            Self::Steps => "steps",
            Self::Rate => "steps/s",
            Self::Observation => "observation",
            Self::ObservedRate => "observed steps/s",
            Self::Cost => "ns/observation",
            Self::Valid => "valid actions",
            Self::Goals => "goals",
            Self::DeadEnds => "dead ends",
            Self::Terminal => "terminal",
            Self::Invariant => "invariant",
            Self::Horizon => "at horizon",
            Self::Stopped => "stopped",
            Self::Return => "return",
            Self::Deviation => "±",
            Self::Discounted => "discounted",
        }
    }

    /// The footer text that explains the column, if its title does not.
    const fn meaning(self) -> Option<&'static str> {
        Some(match self {
            Self::Observation => "observation: the length of an observation",
            Self::ObservedRate => "observed steps/s: steps per second with an observation of every state",
            Self::Cost => "ns/observation: the extra time per step",
            Self::Valid => "valid actions: mean number per state",
            Self::Goals => "goals: steps that reached the goal",
            Self::DeadEnds => "dead ends: episodes that ended in a state without a valid action",
            Self::Terminal => "terminal: episodes that ended by a termination condition",
            Self::Invariant => "invariant: episodes that a broken state invariant ended",
            Self::Horizon => "at horizon: episodes that ended after the maximum number of steps",
            Self::Stopped => {
                "stopped: episodes that ended with the plan, with the time of the rollout, or at a refused action"
            }
            Self::Return => "return: mean return per episode",
            Self::Deviation => "±: standard deviation of the returns",
            Self::Discounted => "discounted: mean discounted return",
            _ => return None,
        })
    }
}

/// One line per row: its digest and its name.
pub(super) fn print_digests(rows: &[Row]) -> Result<(), Failure> {
    let mut out = output::out();
    for row in rows {
        writeln!(out, "{} {}", row.digest, row.domain)?;
    }
    Ok(out.flush()?)
}

/// Prints the table and the meaning of its columns.
pub(super) fn print(rows: &[Row]) -> Result<(), Failure> {
    let columns = Column::of(rows);
    let titles: Vec<_> = columns
        .iter()
        .map(|&column| (column.title(), !matches!(column, Column::Domain)))
        .collect();
    output::table(&titles, rows.iter().map(|row| row.cells(&columns)))?;
    let meanings = columns.iter().filter_map(|column| column.meaning());
    let counts = [
        (ActionCount::Infinite, None, "∞: infinitely many"),
        (ActionCount::Unknown, Some(false), "–: too many to count"),
        (ActionCount::Unknown, Some(true), "–: uncountable"),
    ];
    let is_told = |count, real: Option<bool>| {
        let mut rows = rows.iter().filter(|row| row.valid_actions == count);
        rows.any(|row| real.is_none_or(|real| real == row.has_reals))
    };
    let meanings = meanings.chain(
        counts
            .into_iter()
            .filter_map(|(count, real, text)| is_told(count, real).then_some(text)),
    );
    let mut out = output::out();
    writeln!(out)?;
    for line in output::filled(meanings, "; ") {
        writeln!(out, "{line}")?;
    }
    for row in rows {
        if let Some(stop) = &row.plan_stops {
            writeln!(out, "{}: {stop}", row.domain)?;
        }
        if let Some(non_finite) = &row.non_finite {
            writeln!(out, "{}: {}", row.domain, non_finite.sentence(row.episodes))?;
        }
        let totals = FaultTotals {
            violating: row.violating_steps.unwrap_or(0),
            steps: row.steps,
            effect: row.effect,
            broken: row.ends.invariant,
            episodes: row.episodes,
        };
        if let Some(sentence) = totals.sentence("episode") {
            let leaves_out = totals.broken > 0 && !row.counts_broken;
            let left_out = if leaves_out {
                ", which the means leave out"
            } else {
                ""
            };
            writeln!(out, "{}: {sentence}{left_out}", row.domain)?;
        }
        if row.uniform == Some(false) {
            writeln!(
                out,
                "{}: random actions are valid but not exactly uniform, because some preconditions restrict reals or are too large",
                row.domain
            )?;
        }
    }
    Ok(out.flush()?)
}
