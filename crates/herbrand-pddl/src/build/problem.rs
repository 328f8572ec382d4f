//! Problems.

use super::{Chance, Expression, Formula, Types, applied, chance, typed_names, word};
use crate::print::layout::Layout;
use crate::print::{definition, section};
use crate::{Domain, Faults, Problem, Requirement, Source};

/// A problem in the making.
#[derive(Clone, Debug)]
#[must_use]
pub struct ProblemBuilder<'d> {
    domain: &'d Domain,
    name: String,
    requirements: Vec<Requirement>,
    objects: Vec<Layout>,
    initial: Vec<Layout>,
    goal: Option<Formula>,
    goal_reward: Option<f64>,
    metric: Option<Layout>,
}

/// Something that holds initially.
#[derive(Clone, Debug)]
#[must_use]
pub struct Initial(Layout);

impl Initial {
    /// The atom is true.
    pub fn fact<'t>(predicate: &str, objects: impl IntoIterator<Item = &'t str>) -> Self {
        Self(applied(predicate, objects))
    }

    /// The function has a value.
    pub fn value<'t>(function: &str, objects: impl IntoIterator<Item = &'t str>, value: f64) -> Self {
        Self(Layout::list(
            "=",
            vec![applied(function, objects), Layout::word(value.to_string())],
        ))
    }

    /// All of these.
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        Self(Layout::list(
            "and",
            parts.into_iter().map(|part| part.0).collect(),
        ))
    }

    /// One of the alternatives; nothing with what is left of 1.
    pub fn chance<C: Into<Chance>>(alternatives: impl IntoIterator<Item = (C, Self)>) -> Self {
        Self(chance(
            alternatives.into_iter().map(|(p, initial)| (p, initial.0)),
        ))
    }
}

impl<'d> ProblemBuilder<'d> {
    /// A problem of `domain` with no objects but the constants, and nothing initially true.
    pub fn new(name: &str, domain: &'d Domain) -> Self {
        Self {
            domain,
            name: word(name),
            requirements: Vec::new(),
            objects: Vec::new(),
            initial: Vec::new(),
            goal: None,
            goal_reward: None,
            metric: None,
        }
    }

    /// Declares requirement flags.
    pub fn requirements(mut self, flags: impl IntoIterator<Item = Requirement>) -> Self {
        self.requirements.extend(flags);
        self
    }

    /// Declares objects of a type.
    pub fn objects<'n>(mut self, types: impl Into<Types>, names: impl IntoIterator<Item = &'n str>) -> Self {
        self.objects.push(typed_names(types.into(), names));
        self
    }

    /// The atom is initially true.
    pub fn fact<'t>(self, predicate: &str, objects: impl IntoIterator<Item = &'t str>) -> Self {
        self.initially([Initial::fact(predicate, objects)])
    }

    /// The function initially has a value.
    pub fn value<'t>(self, function: &str, objects: impl IntoIterator<Item = &'t str>, value: f64) -> Self {
        self.initially([Initial::value(function, objects, value)])
    }

    /// All of these hold initially.
    pub fn initially(mut self, parts: impl IntoIterator<Item = Initial>) -> Self {
        self.initial.extend(parts.into_iter().map(|part| part.0));
        self
    }

    /// What is to be reached.
    pub fn goal(mut self, goal: Formula) -> Self {
        self.goal = Some(goal);
        self
    }

    /// The reward for reaching the goal.
    pub fn goal_reward(mut self, reward: f64) -> Self {
        self.goal_reward = Some(reward);
        self
    }

    /// Less of this is better.
    pub fn minimize(mut self, quantity: Expression) -> Self {
        self.metric = Some(Layout::list(":metric minimize", vec![quantity.0]));
        self
    }

    /// More of this is better.
    pub fn maximize(mut self, quantity: Expression) -> Self {
        self.metric = Some(Layout::list(":metric maximize", vec![quantity.0]));
        self
    }

    /// The problem.
    ///
    /// # Errors
    /// All faults of what was put together.
    pub fn build(self) -> Result<Problem, Faults> {
        let (domain, name) = (self.domain, format!("{} (built)", self.name));
        Problem::parse(&Source::new(&name, &self.text()), domain)
    }

    fn text(self) -> String {
        let flags = self.requirements.iter().map(|flag| Layout::word(flag.keyword()));
        let sections = [
            Some(Layout::word(format!("(:domain {})", self.domain.name))),
            section(":requirements", flags.collect()),
            section(":objects", self.objects),
            section(":init", self.initial),
            self.goal.map(|goal| Layout::list(":goal", vec![goal.0])),
            self.goal_reward
                .map(|reward| Layout::word(format!("(:goal-reward {reward})"))),
            self.metric,
        ];
        definition(
            format!("define (problem {})", self.name),
            sections.into_iter().flatten().collect(),
        )
    }
}
