//! The second route to every answer: the brute-force interpreter on the texts of a question.

mod isomorphism;
mod names;
mod rddl;
mod space;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use herbrand_oracle::rddl::RddlEvaluationError;
use herbrand_oracle::{GroundAction, GroundAtom, Oracle, OracleError, OracleState};
use herbrand_pddl::{Domain, Problem};

use crate::error::ExamError;
use crate::kind::Kind;
use crate::question::{Language, Question, Solution, Subject};
use names::Names;
use rddl::RddlRoute;
use space::Space;

/// The difference up to which two numbers count as equal: they are sums of the same products in other orders.
const CLOSE: f64 = 1e-9;

/// Answers questions about one problem from its texts, without the engine that made them: states, actions and
/// their outcomes are those of [`herbrand_oracle`], and searches are plain breadth-first searches. It is slow.
/// [`new`](Self::new) reads the texts; then call [`confirm`](Self::confirm) for each question about them.
pub struct Checker(Texts);

/// The models of a question, for the interpreter of their language.
enum Texts {
    Pddl(Box<Pddl>),
    Rddl(Box<RddlRoute>),
}

/// Why the interpreter has no answer, or several.
#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum Unsolved {
    #[error(transparent)]
    Oracle(#[from] OracleError),
    #[error(transparent)]
    RddlOracle(#[from] RddlEvaluationError),
    #[error(transparent)]
    Pddl(#[from] herbrand_pddl::Faults),
    #[error(transparent)]
    Rddl(#[from] herbrand_rddl::Faults),
    #[error("the kind {0} is about the other language")]
    Kind(Kind),
    #[error("`{0}` is unknown")]
    Unknown(String),
    #[error("`{0}` is no value")]
    Value(String),
    #[error("{0} depends on chance")]
    Chance(String),
    #[error("an action cannot be carried out")]
    Refused,
    #[error("`{0}` can be carried out")]
    Accepted(String),
    #[error("the fact holds")]
    Holds,
    #[error("the plan does not work")]
    Plan,
    #[error("there is no {0}")]
    Missing(&'static str),
    #[error("{0} of the choices are right")]
    Right(usize),
    #[error("there are more than {0} states, renamings or outcomes")]
    Many(usize),
}

/// A problem in PDDL, with its states as soon as they are asked for.
pub(super) struct Pddl {
    domain: Domain,
    problem: Problem,
    space: OnceLock<Result<Space, Unsolved>>,
}

impl Checker {
    /// Reads a domain and a problem, or an instance in RDDL, given as the texts that a question has.
    ///
    /// # Errors
    /// [`ExamError::Problem`] if a text is faulty.
    pub fn new(language: Language, domain: &str, problem: &str) -> Result<Self, ExamError> {
        let faulty = |what: &str, error: &dyn std::fmt::Display| ExamError::Problem {
            problem: format!("the {what} of a question"),
            reason: error.to_string(),
        };
        Ok(Self(match language {
            Language::Rddl => {
                let route = RddlRoute::new(domain, problem);
                Texts::Rddl(Box::new(route.map_err(|error| faulty("instance", &error))?))
            }
            Language::Pddl => {
                let domain = Domain::from_text(domain).map_err(|error| faulty("domain", &error))?;
                let problem =
                    Problem::from_text(problem, &domain).map_err(|error| faulty("problem", &error))?;
                Texts::Pddl(Box::new(Pddl {
                    domain,
                    problem,
                    space: OnceLock::new(),
                }))
            }
        }))
    }

    /// Checks that the answer of a question about this problem is right, and that [`Question::accepted`] lists all
    /// right actions.
    ///
    /// # Errors
    /// [`ExamError::Disagreement`] if it is not, and [`ExamError::NoAnswer`] if the question is faulty.
    pub fn confirm(&self, question: &Question) -> Result<(), ExamError> {
        let found = self.solve(question.kind, &question.subject)?;
        let stated = Solution {
            answer: question.answer.clone(),
            accepted: question.accepted.clone(),
        };
        if found == stated {
            return Ok(());
        }
        let shown = |solution: &Solution| format!("{} {}", solution.answer, solution.accepted.join(" "));
        let subject = serde_json::to_string(&question.subject).unwrap_or_default();
        Err(ExamError::Disagreement {
            kind: question.kind,
            first: shown(&stated),
            second: shown(&found),
            question: format!("{subject}\n{}\n{}", question.domain_text, question.problem_text),
        })
    }

    /// Answers a question of a kind, whose [`Question::subject`] is `subject`.
    ///
    /// # Errors
    /// [`ExamError::NoAnswer`] if the subject names unknown things, or if none or several of the choices are right.
    pub fn solve(&self, kind: Kind, subject: &Subject) -> Result<Solution, ExamError> {
        let solved = match &self.0 {
            Texts::Pddl(texts) => Route::new(texts).and_then(|route| route.solve(kind, subject)),
            Texts::Rddl(route) => route.solve(kind, subject),
        };
        solved.map_err(|why| ExamError::NoAnswer {
            kind,
            reason: why.to_string(),
        })
    }
}

/// The interpreter of the problem with its start state.
pub(super) struct Route<'c> {
    texts: &'c Pddl,
    oracle: Oracle<'c>,
    names: Names<'c>,
    start: OracleState,
}

impl<'c> Route<'c> {
    fn new(texts: &'c Pddl) -> Result<Self, Unsolved> {
        let oracle = Oracle::new(&texts.domain, &texts.problem)?;
        let mut states = oracle.initial_states()?;
        let start = match states.pop() {
            Some((_, state)) if states.is_empty() => state,
            _ => return Err(Unsolved::Chance("the start state".to_owned())),
        };
        Ok(Self {
            oracle,
            names: Names {
                domain: &texts.domain,
                problem: &texts.problem,
            },
            start,
            texts,
        })
    }

    fn solve(&self, kind: Kind, subject: &Subject) -> Result<Solution, Unsolved> {
        let actions = subject.actions.iter().map(|text| self.names.action(text));
        let actions = actions.collect::<Result<Vec<_>, _>>()?;
        match kind {
            Kind::PlanValid => Ok(Solution::yes(self.is_plan(&self.start, &actions)?)),
            Kind::Plan => {
                if !self.is_plan(&self.start, &actions)? {
                    return Err(Unsolved::Plan);
                }
                Ok(Solution::only(subject.actions.join("\n")))
            }
            Kind::PlanFailure => {
                let mut state = self.start.clone();
                for (number, action) in (1..).zip(&actions) {
                    match self.step(&state, action)? {
                        Some(next) => state = next,
                        None => return Ok(Solution::only(number.to_string())),
                    }
                }
                Err(Unsolved::Accepted(subject.actions.join(" ")))
            }
            Kind::WhyNot => {
                let state = self.run(&actions)?;
                let fact = self.names.atom(&subject.about)?;
                let before = self.oracle.valid_actions(&state);
                let mut changed = state;
                if !changed.atoms.insert(fact) {
                    return Err(Unsolved::Holds);
                }
                let after = self.oracle.valid_actions(&changed);
                only(subject, |option| {
                    let action = self.names.action(option)?;
                    if before.contains(&action) {
                        return Err(Unsolved::Accepted(option.to_owned()));
                    }
                    Ok(after.contains(&action))
                })
            }
            Kind::Applicable => {
                let state = self.run(&actions)?;
                let valid = self.oracle.valid_actions(&state);
                only(subject, |option| Ok(valid.contains(&self.names.action(option)?)))
            }
            Kind::After => {
                let state = self.run(&actions)?;
                let world = self.oracle.world(&state);
                only(subject, |option| Ok(world.contains(&self.names.atom(option)?)))
            }
            Kind::Gap => self.gap(&actions, subject.step as usize),
            Kind::Reachable | Kind::Landmark | Kind::OptimalLength | Kind::NextAction => {
                self.by_space(kind, subject)
            }
            Kind::SameProblem => isomorphism::same(&self.texts.domain, &self.texts.problem, subject),
            Kind::Probability => {
                let fact = self.names.atom(&subject.about)?;
                let (states, _) = self.distribution(&actions)?;
                let holding = states
                    .iter()
                    .filter(|(state, _)| self.oracle.world(state).contains(&fact));
                number_choice(subject, holding.map(|(_, share)| share).sum())
            }
            Kind::ExpectedReward => number_choice(subject, self.distribution(&actions)?.1),
            Kind::RddlAfter
            | Kind::RddlValid
            | Kind::RddlWhyNot
            | Kind::RddlProbability
            | Kind::RddlReward => Err(Unsolved::Kind(kind)),
        }
    }

    /// Answers a question by visiting all states.
    fn by_space(&self, kind: Kind, subject: &Subject) -> Result<Solution, Unsolved> {
        let space = self
            .texts
            .space
            .get_or_init(|| Space::of(&self.oracle, &self.start));
        let space = space.as_ref().map_err(Clone::clone)?;
        let facts = || {
            let facts = subject.options.iter().map(|text| self.names.atom(text));
            facts.collect::<Result<Vec<GroundAtom>, _>>()
        };
        match kind {
            Kind::Reachable => {
                let facts = facts()?;
                let all = |state: &OracleState| facts.iter().all(|fact| state.atoms.contains(fact));
                Ok(Solution::yes(space.states.iter().any(all)))
            }
            Kind::Landmark => {
                let facts = facts()?;
                let lacks = |state: &OracleState| !facts.iter().all(|fact| state.atoms.contains(fact));
                Ok(Solution::yes(!space.reaches_goal(lacks)))
            }
            Kind::OptimalLength => {
                let length = space.distances()[0].ok_or(Unsolved::Missing("plan"))?;
                only(subject, |option| Ok(option.parse() == Ok(length)))
            }
            _ => {
                let distances = space.distances();
                let length = distances[0].ok_or(Unsolved::Missing("plan"))?;
                only(subject, |option| {
                    let action = self.names.action(option)?;
                    let target = space.edges[0].iter().find(|(other, _)| *other == action);
                    let left = target.and_then(|&(_, target)| distances[target]);
                    Ok(left.is_some_and(|left| left + 1 == length))
                })
            }
        }
    }

    /// Returns the state after an action without chance; `None` if it cannot be carried out.
    fn step(&self, state: &OracleState, action: &GroundAction) -> Result<Option<OracleState>, Unsolved> {
        if !self.oracle.valid_actions(state).contains(action) {
            return Ok(None);
        }
        let mut outcomes = self.oracle.outcomes(state, action)?;
        match (outcomes.pop(), outcomes.is_empty()) {
            (Some(outcome), true) => Ok(Some(outcome.state)),
            _ => Err(Unsolved::Chance(self.oracle.action_text(action))),
        }
    }

    fn run(&self, actions: &[GroundAction]) -> Result<OracleState, Unsolved> {
        let mut state = self.start.clone();
        for action in actions {
            state = self.step(&state, action)?.ok_or(Unsolved::Refused)?;
        }
        Ok(state)
    }

    fn is_plan(&self, start: &OracleState, actions: &[GroundAction]) -> Result<bool, Unsolved> {
        let mut state = start.clone();
        for action in actions {
            match self.step(&state, action)? {
                Some(next) => state = next,
                None => return Ok(false),
            }
        }
        Ok(self.oracle.is_goal(&state))
    }

    fn gap(&self, actions: &[GroundAction], step: usize) -> Result<Solution, Unsolved> {
        let (before, after) = actions
            .split_at_checked(step)
            .ok_or(Unsolved::Missing("such step"))?;
        let state = self.run(before)?;
        let mut accepted = Vec::new();
        for action in self.oracle.valid_actions(&state) {
            if let Some(next) = self.step(&state, &action)?
                && self.is_plan(&next, after)?
            {
                accepted.push(self.oracle.action_text(&action));
            }
        }
        accepted.sort();
        let answer = accepted
            .first()
            .cloned()
            .ok_or(Unsolved::Missing("action that fits"))?;
        Ok(Solution { answer, accepted })
    }

    /// Returns the distribution of the state after actions, and the expected total reward. An action that cannot be
    /// carried out is left out.
    fn distribution(&self, actions: &[GroundAction]) -> Result<(Vec<(OracleState, f64)>, f64), Unsolved> {
        let mut states = vec![(self.start.clone(), 1.0)];
        let mut total = 0.0;
        for action in actions {
            let mut next = BTreeMap::<OracleState, f64>::new();
            for (state, share) in states {
                if !self.oracle.valid_actions(&state).contains(action) {
                    *next.entry(state).or_default() += share;
                    continue;
                }
                for outcome in self.oracle.outcomes(&state, action)? {
                    total += share * outcome.probability * outcome.reward;
                    *next.entry(outcome.state).or_default() += share * outcome.probability;
                }
            }
            states = next.into_iter().collect();
        }
        Ok((states, total))
    }
}

/// Returns the letter of the only option for which `is_right` holds.
fn only(subject: &Subject, is_right: impl Fn(&str) -> Result<bool, Unsolved>) -> Result<Solution, Unsolved> {
    let mut right = Vec::new();
    for (index, option) in subject.options.iter().enumerate() {
        if is_right(option)? {
            right.push(index);
        }
    }
    match right.as_slice() {
        [only] => Ok(Solution::letter(*only)),
        several => Err(Unsolved::Right(several.len())),
    }
}

/// Returns the letter of the option nearest to a number. It must be the only option that is written like the number.
fn number_choice(subject: &Subject, number: f64) -> Result<Solution, Unsolved> {
    let numbers = subject.options.iter().map(|option| {
        let number = option.parse::<f64>();
        number.map_err(|_| Unsolved::Value(option.clone()))
    });
    let numbers = numbers.collect::<Result<Vec<_>, _>>()?;
    // Options have six digits after the point.
    let close = |other: f64| (other - number).abs() <= 5e-7 + CLOSE;
    let right: Vec<_> = (0..numbers.len())
        .filter(|&index| close(numbers[index]))
        .collect();
    match right.as_slice() {
        [only] => Ok(Solution::letter(*only)),
        several => Err(Unsolved::Right(several.len())),
    }
}
