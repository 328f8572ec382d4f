//! The data of a problem that a clock needs.

use std::collections::BTreeSet;

use herbrand_ground::{GroundAction, GroundTask};
use herbrand_pddl::{
    AtomList, Domain, EPSILON, Effect, Expression, Formula, Metric, MetricDirection, Number, PredicateId,
    Problem, SchemaId, SnapRole, Special, SteppedDomain, TimedLiterals,
};

use super::accesses::{Accesses, Clashes};

/// The part of a problem that concerns its clock. Times are whole numbers of ticks.
#[derive(Debug)]
pub(crate) struct Schedule {
    pub(super) stepped: SteppedDomain,
    pub(super) clashes: Clashes,
    /// The ticks of a unit of time.
    scale: f64,
    /// The ticks by which snap actions that interfere are apart.
    pub(super) epsilon: i64,
    pub(super) literals: Vec<Literals>,
    /// Whether timed literals may change whether the goal holds.
    pub(super) moves_goal: bool,
    pub(super) reward: Reward,
    /// The metric, if the reward is its change.
    pub(super) metric: Option<Expression>,
    /// For each schema, whether it may break the invariant of an action that runs.
    pub(super) may_break: Vec<bool>,
    pub(super) ever_breaks: bool,
    /// For each schema, whether its applicable operators may be no choices even if nothing else runs.
    pub(super) suspects: Vec<bool>,
    pub(super) is_ever_suspect: bool,
    /// For each schema, whether its effect has draws.
    pub(super) is_random: Vec<bool>,
}

/// The changes of the world at one time.
#[derive(Debug)]
pub(super) struct Literals {
    pub(super) time: i64,
    pub(super) changes: TimedLiterals,
    pub(super) accesses: Accesses,
}

/// The reward of a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Reward {
    /// The change of the function `reward`.
    Stated,
    /// The time that passed, times this.
    Time(f64),
    /// The change of the metric, times this.
    Metric(f64),
}

/// The longest time that is counted, in ticks: larger numbers are not exact.
const LONGEST: f64 = 9e15;

/// The most digits after the point that are exact.
const DIGITS: usize = 6;

impl Schedule {
    /// `problem` is a problem of the domain with time.
    pub(crate) fn new(domain: &Domain, stepped: SteppedDomain, problem: &Problem) -> Self {
        let digits = digits(domain, problem);
        let scale = 10_f64.powi(digits as i32);
        let clashes = Clashes::new(&stepped, domain, problem);
        let ids = || (0..stepped.roles.len()).map(SchemaId::from_index);
        let may_break: Vec<_> = ids().map(|id| clashes.may_break_any(id)).collect();
        let suspects = ids().map(|id| match stepped.roles[id.index()] {
            SnapRole::Start(index) => stepped.actions[index].may_break_itself,
            SnapRole::End(_) => true,
            SnapRole::Brief(_) => clashes.may_be_torn(id),
            SnapRole::Instant | SnapRole::During(_) | SnapRole::Wait => false,
        });
        let suspects: Vec<_> = suspects.collect();
        let is_random = stepped.domain.schemas.iter().map(|schema| {
            let mut draws = false;
            schema
                .effect
                .walk(&mut |part| draws |= matches!(part, Effect::Probabilistic(_)));
            draws
        });
        let mut this = Self {
            ever_breaks: may_break.contains(&true),
            may_break,
            is_ever_suspect: suspects[..stepped.choices].contains(&true),
            suspects,
            is_random: is_random.collect(),
            metric: problem.metric.as_ref().map(|metric| metric.expression.clone()),
            clashes,
            stepped,
            scale,
            epsilon: 0,
            literals: Vec::new(),
            moves_goal: false,
            reward: reward(domain, problem),
        };
        this.epsilon = this.ticks(EPSILON);
        let literals = problem.timed.iter().map(|literals| {
            let mut changes = literals.clone();
            // An atom that is deleted and added at one time holds from then on.
            let mut seen = BTreeSet::new();
            let mut once = |atoms: &AtomList| {
                let mut list = AtomList::default();
                for atom in atoms
                    .iter()
                    .filter(|atom| seen.insert((atom.predicate, atom.arguments.to_vec())))
                {
                    list.push(atom.predicate, atom.arguments);
                }
                list
            };
            (changes.adds, changes.deletes) = (once(&literals.adds), once(&literals.deletes));
            Literals {
                time: this.ticks(literals.time.value()),
                accesses: Accesses::of(&changes),
                changes,
            }
        });
        this.literals = literals.collect();
        this.literals.sort_by_key(|literals| literals.time);
        let mut mentioned: Vec<PredicateId> = Vec::new();
        let mut has_more = false;
        problem.goal.walk(&mut |part, _| match part {
            Formula::Atom(atom) => {
                mentioned.push(atom.predicate);
                has_more |= domain.axioms.iter().any(|rule| rule.predicate == atom.predicate);
            }
            Formula::Compare(..) => has_more = true,
            _ => {}
        });
        let concerns = |literals: &Literals| mentioned.iter().any(|id| literals.accesses.changes(*id));
        this.moves_goal = !this.literals.is_empty() && (has_more || this.literals.iter().any(concerns));
        this
    }

    /// Returns the number of ground actions that an agent may choose; they are the first ones of the task.
    pub(crate) fn choices(&self, task: &GroundTask) -> usize {
        let mut actions = task.actions.iter();
        let hidden = |(_, action): (_, GroundAction<'_>)| action.schema.index() >= self.stepped.choices;
        actions.position(hidden).unwrap_or(task.actions.len())
    }

    pub(crate) fn metric(&self) -> Option<&Expression> {
        self.metric.as_ref()
    }

    pub(crate) const fn stepped(&self) -> &SteppedDomain {
        &self.stepped
    }

    /// Returns the timed literals at an index.
    pub(crate) fn changes(&self, literals: usize) -> &TimedLiterals {
        &self.literals[literals].changes
    }

    /// Returns the number of times at which the world changes something.
    pub(crate) const fn literals(&self) -> usize {
        self.literals.len()
    }

    /// Returns whether some effect has draws.
    pub(crate) fn draws(&self) -> bool {
        self.is_random.contains(&true)
    }

    /// Returns a time in ticks.
    pub(super) fn ticks(&self, time: f64) -> i64 {
        (time * self.scale).round().clamp(-LONGEST, LONGEST) as i64
    }

    /// Returns whether a time is too long to be counted exactly.
    pub(super) fn is_too_long(&self, time: f64) -> bool {
        !(time * self.scale).is_finite() || time * self.scale >= LONGEST
    }

    /// Returns a number of ticks as a time.
    pub(super) fn time(&self, ticks: i64) -> f64 {
        ticks as f64 / self.scale
    }
}

/// Returns the digits after the point that the times of a problem have.
fn digits(domain: &Domain, problem: &Problem) -> usize {
    let of = |number: Number| {
        let text = number.value().to_string();
        text.split_once('.').map_or(0, |(_, digits)| digits.len())
    };
    let mut most = 3;
    for bound in domain.durative_actions.iter().flat_map(|action| &action.duration) {
        bound.value.walk(&mut |part| {
            if let Expression::Number(number) = part {
                most = most.max(of(*number));
            }
        });
    }
    let stated = problem.values.iter().map(|value| of(value.value));
    let timed = problem.timed.iter().map(|literals| of(literals.time));
    stated.chain(timed).fold(most, usize::max).min(DIGITS)
}

fn reward(domain: &Domain, problem: &Problem) -> Reward {
    if problem.has_rewards(domain) {
        return Reward::Stated;
    }
    match &problem.metric {
        None => Reward::Time(-1.0),
        Some(Metric {
            direction,
            expression,
        }) => {
            let sign = match direction {
                MetricDirection::Minimize => -1.0,
                MetricDirection::Maximize => 1.0,
            };
            match expression {
                Expression::Special(Special::TotalTime) => Reward::Time(sign),
                _ => Reward::Metric(sign),
            }
        }
    }
}
