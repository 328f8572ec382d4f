//! The builder of problems.

use super::{Chance, Expression, Formula, Types, applied, chance, typed_names, word};
use crate::print::layout::Layout;
use crate::print::{definition, section};
use crate::{Domain, Faults, Problem, Requirement, Source};

/// A builder of a [`Problem`].
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

/// An element of an initial state.
#[derive(Clone, Debug)]
#[must_use]
pub struct Initial(Layout);

impl Initial {
    /// Returns an initially true atom.
    pub fn fact<'t>(predicate: &str, objects: impl IntoIterator<Item = &'t str>) -> Self {
        Self(applied(predicate, objects))
    }

    /// Returns an initial value of a function.
    pub fn value<'t>(function: &str, objects: impl IntoIterator<Item = &'t str>, value: f64) -> Self {
        Self(Layout::list(
            "=",
            vec![applied(function, objects), Layout::word(value.to_string())],
        ))
    }

    /// Returns all of the elements as one, for an alternative of [`chance`](Self::chance).
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        Self(Layout::list(
            "and",
            parts.into_iter().map(|part| part.0).collect(),
        ))
    }

    /// Returns a draw: at most one of the alternatives, with its probability. If the probabilities sum to less than 1,
    /// nothing is added with the remaining probability.
    pub fn chance<C: Into<Chance>>(alternatives: impl IntoIterator<Item = (C, Self)>) -> Self {
        Self(chance(
            alternatives.into_iter().map(|(p, initial)| (p, initial.0)),
        ))
    }
}

impl<'d> ProblemBuilder<'d> {
    /// Creates a builder of a problem of `domain`, whose only objects are the domain's constants and whose initial state is
    /// empty.
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

    /// Declares objects of the given type.
    pub fn objects<'n>(mut self, types: impl Into<Types>, names: impl IntoIterator<Item = &'n str>) -> Self {
        self.objects.push(typed_names(types.into(), names));
        self
    }

    /// Makes an atom initially true.
    pub fn fact<'t>(self, predicate: &str, objects: impl IntoIterator<Item = &'t str>) -> Self {
        self.initially([Initial::fact(predicate, objects)])
    }

    /// Sets the initial value of a function.
    pub fn value<'t>(self, function: &str, objects: impl IntoIterator<Item = &'t str>, value: f64) -> Self {
        self.initially([Initial::value(function, objects, value)])
    }

    /// Adds elements to the initial state.
    pub fn initially(mut self, parts: impl IntoIterator<Item = Initial>) -> Self {
        self.initial.extend(parts.into_iter().map(|part| part.0));
        self
    }

    /// Sets the goal.
    pub fn goal(mut self, goal: Formula) -> Self {
        self.goal = Some(goal);
        self
    }

    /// Sets the reward for reaching the goal.
    pub fn goal_reward(mut self, reward: f64) -> Self {
        self.goal_reward = Some(reward);
        self
    }

    /// Sets a metric to minimize.
    pub fn minimize(mut self, quantity: Expression) -> Self {
        self.metric = Some(Layout::list(":metric minimize", vec![quantity.0]));
        self
    }

    /// Sets a metric to maximize.
    pub fn maximize(mut self, quantity: Expression) -> Self {
        self.metric = Some(Layout::list(":metric maximize", vec![quantity.0]));
        self
    }

    /// Builds the problem and checks it against the domain.
    ///
    /// # Errors
    /// All faults of the problem, shown at their places in its PDDL text.
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
