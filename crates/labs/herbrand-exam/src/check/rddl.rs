//! The second route to answers about problems in RDDL: the brute-force interpreter on the texts of a question.

use herbrand_oracle::rddl::{RddlOracle, Tables};
use herbrand_rddl::{Instance, PvariableId, PvariableKind as Role, Range, Value};

use super::{Unsolved, number_choice, only};
use crate::kind::Kind;
use crate::question::{Solution, Subject};

/// The number of combinations of draws beyond which there is no answer.
const COMBINATIONS: usize = 4_096;
/// How far from 0 or 1 the probability of something certain may be: it is a sum of products.
const CERTAIN: f64 = 1e-9;

/// The states that may follow, each with its probability, and the expected total reward.
type Distribution = (Vec<(Tables, f64)>, f64);

pub(super) struct RddlRoute {
    oracle: RddlOracle,
}

impl RddlRoute {
    pub(super) fn new(domain: &str, instance: &str) -> Result<Self, Unsolved> {
        Ok(Self {
            oracle: RddlOracle::new(Instance::from_text(domain, instance)?),
        })
    }

    pub(super) fn solve(&self, kind: Kind, subject: &Subject) -> Result<Solution, Unsolved> {
        let joints = subject.actions.iter().map(|text| self.joint(text));
        let joints = joints.collect::<Result<Vec<_>, _>>()?;
        let start = self.oracle.initial();
        match kind {
            Kind::RddlAfter if subject.about.is_empty() => {
                let (states, _) = self.distribution(&joints)?;
                only(subject, |option| {
                    let (id, row) = self.fluent(option)?;
                    let is_true = |tables: &Tables| tables[id.index()][row] == Value::Bool(true);
                    let holding = states.iter().filter(|(state, _)| is_true(state));
                    let share: f64 = holding.map(|(_, share)| share).sum();
                    if share > CERTAIN && share < 1.0 - CERTAIN {
                        return Err(Unsolved::Chance(option.to_owned()));
                    }
                    Ok(share > 0.5)
                })
            }
            Kind::RddlAfter => {
                let (states, _) = self.distribution(&joints)?;
                let (id, row) = self.fluent(&subject.about)?;
                only(subject, |option| {
                    let wanted = self.value(id, option)?;
                    Ok(states.iter().all(|(state, _)| state[id.index()][row] == wanted))
                })
            }
            Kind::RddlValid => only(subject, |option| self.is_valid(&start, &self.joint(option)?)),
            Kind::RddlWhyNot => {
                let joint = self.joint(&subject.about)?;
                if self.is_valid(&start, &joint)? {
                    return Err(Unsolved::Accepted(subject.about.clone()));
                }
                only(subject, |option| {
                    if subject.step == 1 {
                        let mut kept: Vec<&str> = subject.about.split("; ").collect();
                        kept.retain(|choice| *choice != option);
                        return self.is_valid(&start, &self.joint(&kept.join("; "))?);
                    }
                    let (fluent, value) = option.split_once(" = ").ok_or(Unsolved::Missing("value"))?;
                    let (id, row) = self.fluent(fluent)?;
                    let mut changed = start.clone();
                    changed[id.index()][row] = self.value(id, value)?;
                    self.is_valid(&changed, &joint)
                })
            }
            Kind::RddlProbability => {
                let (id, row) = self.fluent(&subject.about)?;
                let [joint] = joints.as_slice() else {
                    return Err(Unsolved::Missing("single joint action"));
                };
                self.expect_valid(&start, joint)?;
                let chances = self.oracle.chances(&start, joint)?;
                number_choice(subject, chances[id.index()][row])
            }
            Kind::RddlReward => number_choice(subject, self.distribution(&joints)?.1),
            _ => Err(Unsolved::Kind(kind)),
        }
    }

    fn is_valid(&self, state: &Tables, action: &Tables) -> Result<bool, Unsolved> {
        let violated = self.oracle.violated_preconditions(state, action)?;
        let constraints = self.oracle.violated_constraints(state, action)?;
        Ok(violated.is_empty() && constraints.is_empty())
    }

    /// Fails if a joint action is not valid, or if the episode has ended.
    fn expect_valid(&self, state: &Tables, action: &Tables) -> Result<(), Unsolved> {
        if self.is_valid(state, action)? && self.oracle.terminations(state)?.is_empty() {
            return Ok(());
        }
        Err(Unsolved::Refused)
    }

    /// Returns the states after joint actions with their probabilities, and the expected total reward.
    fn distribution(&self, joints: &[Tables]) -> Result<Distribution, Unsolved> {
        let mut states = vec![(self.oracle.initial(), 1.0)];
        let mut total = 0.0;
        for joint in joints {
            let mut next: Vec<(Tables, f64)> = Vec::new();
            for (state, share) in states {
                self.expect_valid(&state, joint)?;
                let steps = self.oracle.outcomes(&state, joint, COMBINATIONS)?;
                for (step, probability) in steps.ok_or(Unsolved::Many(COMBINATIONS))? {
                    total += share * probability * step.reward;
                    match next.iter_mut().find(|(known, _)| *known == step.next) {
                        Some((_, sum)) => *sum += share * probability,
                        None => next.push((step.next, share * probability)),
                    }
                }
            }
            states = next;
        }
        Ok((states, total))
    }

    /// Reads a joint action such as `go-up(e1); order(w1) = 3`, or `noop`.
    fn joint(&self, text: &str) -> Result<Tables, Unsolved> {
        let mut action = self.oracle.no_action();
        for choice in text.split("; ").filter(|choice| *choice != "noop") {
            let (name, value) = choice.split_once(" = ").unwrap_or((choice, "true"));
            let (id, row) = self.fluent(name)?;
            if self.oracle.instance().domain.pvariable(id).kind != Role::Action {
                return Err(Unsolved::Unknown(name.to_owned()));
            }
            action[id.index()][row] = self.value(id, value)?;
        }
        Ok(action)
    }

    /// Reads the name of a ground fluent such as `at(e1, f2)`.
    fn fluent(&self, text: &str) -> Result<(PvariableId, usize), Unsolved> {
        let instance = self.oracle.instance();
        let unknown = || Unsolved::Unknown(text.to_owned());
        let (name, items) = text.split_once('(').unwrap_or((text, ""));
        let mut pvariables = instance.domain.pvariables.iter();
        let at = pvariables
            .position(|one| one.name.as_str() == name)
            .ok_or_else(unknown)?;
        let id = PvariableId::from_index(at);
        let items = items
            .trim_end_matches(')')
            .split(", ")
            .filter(|item| !item.is_empty());
        let parameters = &instance.domain.pvariable(id).parameters;
        let arguments: Option<Vec<u32>> = parameters
            .iter()
            .zip(items.clone())
            .map(|(&of, item)| instance.find_item(of, item))
            .collect();
        let arguments = arguments
            .filter(|arguments| arguments.len() == parameters.len() && items.count() == parameters.len());
        let number = instance.ground_number(id, &arguments.ok_or_else(unknown)?);
        Ok((id, number as usize))
    }

    fn value(&self, id: PvariableId, text: &str) -> Result<Value, Unsolved> {
        let instance = self.oracle.instance();
        let value = match instance.domain.pvariable(id).range {
            Range::Bool => text.parse().ok().map(Value::Bool),
            Range::Int => text.parse().ok().map(Value::Int),
            Range::Real => text.parse().ok().map(Value::Real),
            Range::Item(of) => instance.find_item(of, text).map(Value::Item),
        };
        value.ok_or_else(|| Unsolved::Value(text.to_owned()))
    }
}
