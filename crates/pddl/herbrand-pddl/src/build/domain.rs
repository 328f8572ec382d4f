//! Builders of domains and action schemas.

use super::{Effect, Formula, Types, signature, typed_names, variables, word};
use crate::print::layout::Layout;
use crate::print::{definition, section};
use crate::{Domain, Faults, Requirement, Source};

/// A builder of a [`Domain`].
#[derive(Clone, Debug)]
#[must_use]
pub struct DomainBuilder {
    name: String,
    requirements: Vec<Requirement>,
    types: Vec<Layout>,
    constants: Vec<Layout>,
    predicates: Vec<Layout>,
    functions: Vec<Layout>,
    agent_actions: Vec<String>,
    rules: Vec<Layout>,
    actions: Vec<Layout>,
}

impl DomainBuilder {
    /// Creates a builder of a domain without declarations.
    pub fn new(name: &str) -> Self {
        Self {
            name: word(name),
            requirements: Vec::new(),
            types: Vec::new(),
            constants: Vec::new(),
            predicates: Vec::new(),
            functions: Vec::new(),
            agent_actions: Vec::new(),
            rules: Vec::new(),
            actions: Vec::new(),
        }
    }

    /// Declares requirement flags.
    pub fn requirements(mut self, flags: impl IntoIterator<Item = Requirement>) -> Self {
        self.requirements.extend(flags);
        self
    }

    /// Declares types as direct subtypes of `object`.
    pub fn types<'n>(self, names: impl IntoIterator<Item = &'n str>) -> Self {
        self.subtypes("object", names)
    }

    /// Declares types as direct subtypes of `parent`. Several parents are written as an array.
    pub fn subtypes<'n>(
        mut self,
        parent: impl Into<Types>,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        self.types.push(typed_names(parent.into(), names));
        self
    }

    /// Declares constants of the given type.
    pub fn constants<'n>(
        mut self,
        types: impl Into<Types>,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        self.constants.push(typed_names(types.into(), names));
        self
    }

    /// Declares a predicate with the names and types of its parameters.
    pub fn predicate<'n, T: Into<Types>>(
        mut self,
        name: &str,
        parameters: impl IntoIterator<Item = (&'n str, T)>,
    ) -> Self {
        self.predicates.push(signature(name, parameters));
        self
    }

    /// Declares a proposition: a predicate without parameters.
    pub fn proposition(self, name: &str) -> Self {
        self.predicate::<Types>(name, [])
    }

    /// Declares a numeric function with the names and types of its parameters.
    pub fn function<'n, T: Into<Types>>(
        mut self,
        name: &str,
        parameters: impl IntoIterator<Item = (&'n str, T)>,
    ) -> Self {
        self.functions.push(signature(name, parameters));
        self
    }

    /// Marks a declared predicate as an action of the agent (PDDLGym's dialect).
    pub fn agent_action(mut self, predicate: &str) -> Self {
        self.agent_actions.push(word(predicate));
        self
    }

    /// Adds a derivation rule: the predicate holds for the parameters if the body does.
    pub fn rule<'n, T: Into<Types>>(
        mut self,
        predicate: &str,
        parameters: impl IntoIterator<Item = (&'n str, T)>,
        body: Formula,
    ) -> Self {
        let head = signature(predicate, parameters);
        self.rules.push(Layout::clause(":derived", vec![head, body.0]));
        self
    }

    /// Adds an action schema.
    pub fn action(mut self, action: ActionBuilder) -> Self {
        self.actions.push(action.layout());
        self
    }

    /// Builds and checks the domain.
    ///
    /// # Errors
    /// All faults of the domain, shown at their places in its PDDL text.
    pub fn build(self) -> Result<Domain, Faults> {
        Domain::parse(&Source::new(&format!("{} (built)", self.name), &self.text()))
    }

    fn text(self) -> String {
        let flags = self.requirements.iter().map(|flag| Layout::word(flag.keyword()));
        let agent_actions = self.agent_actions.into_iter().map(Layout::Word);
        let sections = [
            section(":requirements", flags.collect()),
            section(":types", self.types),
            section(":constants", self.constants),
            section(":predicates", self.predicates),
            section(":functions", self.functions),
            section(":actions", agent_actions.collect()),
        ];
        let sections = sections
            .into_iter()
            .flatten()
            .chain(self.rules)
            .chain(self.actions);
        definition(format!("define (domain {})", self.name), sections.collect())
    }
}

/// A builder of an action schema.
#[derive(Clone, Debug)]
#[must_use]
pub struct ActionBuilder {
    name: String,
    parameters: String,
    precondition: Option<Formula>,
    effect: Option<Effect>,
}

impl ActionBuilder {
    /// Creates a schema without parameters that is always applicable and has no effect.
    pub fn new(name: &str) -> Self {
        Self {
            name: word(name),
            parameters: String::new(),
            precondition: None,
            effect: None,
        }
    }

    /// Sets the names and types of the parameters.
    pub fn parameters<'n, T: Into<Types>>(
        mut self,
        parameters: impl IntoIterator<Item = (&'n str, T)>,
    ) -> Self {
        self.parameters = variables(parameters);
        self
    }

    /// Sets the condition under which the action is applicable.
    pub fn precondition(mut self, precondition: Formula) -> Self {
        self.precondition = Some(precondition);
        self
    }

    /// Sets the effect.
    pub fn effect(mut self, effect: Effect) -> Self {
        self.effect = Some(effect);
        self
    }

    fn layout(self) -> Layout {
        let mut parts = vec![Layout::word(format!(":parameters ({})", self.parameters))];
        parts.extend(
            self.precondition
                .map(|formula| Layout::pair(":precondition", formula.0)),
        );
        parts.extend(self.effect.map(|effect| Layout::pair(":effect", effect.0)));
        Layout::lines(format!(":action {}", self.name), parts)
    }
}
