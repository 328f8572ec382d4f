//! The agent actions of a domain, declared in `env.toml` or by PDDLGym's action predicates.

use std::collections::BTreeMap;

use herbrand_pddl::{ActionSchema, Domain, Name, ObjectId, SchemaId, Term};
use herbrand_text::nearest;

use super::Arguments;
use crate::config::{ActionConfig, Ambiguity, Config, ConfigError};

/// The declared agent actions of a domain: the actions that an agent chooses from, each carried out by one or more
/// operators (the domain's `:action` schemas). They are in the order of the first operator that carries each of them
/// out. [`AgentActions::of`] reads the declarations. Operators that no declaration lists are actions of their own.
/// [`Suite::agent_actions`](crate::Suite::agent_actions) returns those of a suite.
/// [`ActionSpace::declared`](crate::ActionSpace::declared) and [`CompiledProblem::compile`](crate::CompiledProblem::compile) take
/// them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentActions {
    actions: Vec<AgentAction>,
    /// For each schema, the index of the agent action that it carries out and the arguments of that action.
    carried: Vec<(usize, Vec<Argument>)>,
    /// The choice among several valid ground operators that carry out the same action.
    ambiguity: Ambiguity,
}

/// A declared action that an agent can choose. It has a name and some of the parameters of the operators that carry it
/// out; the state determines the operators' other parameters. [`AgentActions::actions`] lists them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentAction {
    /// The name of the action, in lower case.
    pub name: Name,
    /// The names of the parameters that the agent chooses, without question marks, in the order of the arguments.
    pub parameters: Vec<Name>,
    /// The operator schemas that carry the action out, in order of declaration. A step applies a ground operator of one of
    /// them.
    pub carriers: Vec<Implementation>,
}

/// An operator schema that carries out an agent action, and how their parameters correspond. [`AgentAction::carriers`]
/// lists them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Implementation {
    /// The schema of the operator: its index in the domain.
    pub schema: SchemaId,
    /// For each parameter of the action, in order, its counterpart in the operator.
    pub arguments: Vec<Argument>,
}

/// The counterpart of an action parameter in an operator. [`Implementation::arguments`] has one per parameter of the
/// action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// The operator's parameter at this index, counted from 0.
    Parameter(u32),
    /// A constant: the operator carries the action out for this object only. Only action predicates of PDDLGym give
    /// constants.
    Constant(ObjectId),
}

impl AgentActions {
    /// Returns the agent actions that `config` declares. If it declares none, returns the actions that the domain
    /// declares by action predicates, as domains of PDDLGym do. `None` if neither declares any; then every operator is
    /// an action.
    ///
    /// # Errors
    /// Fails with the first fault: an action without operators, an unknown operator or parameter, a wrong number of
    /// parameters, an operator of two actions, or an action with the name of an operator that it does not list.
    /// [`Config::check`] returns all faults.
    pub fn of(domain: &Domain, config: &Config) -> Result<Option<Self>, ConfigError> {
        let mut faults = Vec::new();
        let actions = read(domain, config, &mut faults);
        if let Some(first) = faults.into_iter().next() {
            return Err(first);
        }
        let Some(actions) = actions else {
            return Ok(None);
        };
        let mut carried = vec![(0, Vec::new()); domain.schemas.len()];
        for (index, action) in actions.iter().enumerate() {
            for carrier in &action.carriers {
                carried[carrier.schema.index()] = (index, carrier.arguments.clone());
            }
        }
        Ok(Some(Self {
            actions,
            carried,
            ambiguity: config.ambiguity,
        }))
    }

    /// Returns all faults of the actions that `config` declares.
    pub(crate) fn faults(domain: &Domain, config: &Config) -> Vec<ConfigError> {
        let mut faults = Vec::new();
        read(domain, config, &mut faults);
        faults
    }

    /// Returns the agent actions, in the order of their first operators. They include the operators that no
    /// declaration lists.
    #[must_use]
    pub fn actions(&self) -> &[AgentAction] {
        &self.actions
    }

    /// Returns the index of the action named `name` in [`actions`](Self::actions).
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.actions
            .iter()
            .position(|action| action.name.as_str() == name)
    }

    /// Returns the agent action that a ground operator, given by its schema and its arguments `objects`, carries out:
    /// the action's index in [`actions`](Self::actions), and its arguments, which are some of the objects or constants.
    /// Panics if the domain has no such schema, or there are too few objects.
    #[must_use]
    pub fn carried_out(&self, schema: SchemaId, objects: &[ObjectId]) -> (usize, Arguments) {
        let (action, arguments) = &self.carried[schema.index()];
        let chosen = arguments.iter().map(|argument| match *argument {
            Argument::Parameter(index) => objects[index as usize],
            Argument::Constant(constant) => constant,
        });
        (*action, chosen.collect())
    }

    /// Returns the setting for agent actions that several valid ground operators carry out: refuse the action, or pick
    /// one. It is [`Config::ambiguity`], also for action predicates.
    #[must_use]
    pub const fn ambiguity(&self) -> Ambiguity {
        self.ambiguity
    }
}

/// Reads the actions in the order of their first operators; `None` if every operator is an action. Collects the faults.
fn read(domain: &Domain, config: &Config, faults: &mut Vec<ConfigError>) -> Option<Vec<AgentAction>> {
    let declared = if config.actions.is_empty() {
        from_predicates(domain)
    } else {
        from_config(domain, config, faults)
    };
    if declared.is_empty() {
        return None;
    }
    Some(with_plain_operators(domain, declared, faults))
}

/// Reads the actions of the settings. Operators with faults are left out.
fn from_config(domain: &Domain, config: &Config, faults: &mut Vec<ConfigError>) -> Vec<AgentAction> {
    let mut actions = Vec::new();
    for (name, declared) in &config.actions {
        if declared.operators.is_empty() {
            faults.push(ConfigError::NoOperator { action: name.clone() });
        }
        let mut carriers = Vec::new();
        for (operator, chosen) in &declared.operators {
            match implementation(domain, name, declared, operator, chosen) {
                Ok(carrier) => carriers.push(carrier),
                Err(found) => faults.extend(found),
            }
        }
        carriers.sort_by_key(|carrier| carrier.schema);
        actions.push(AgentAction {
            name: Name::new(name),
            parameters: declared.parameters.iter().map(|p| bare(p)).collect(),
            carriers,
        });
    }
    actions
}

/// Finds an operator of an action and its parameters.
fn implementation(
    domain: &Domain,
    action: &str,
    declared: &ActionConfig,
    operator: &str,
    chosen: &[String],
) -> Result<Implementation, Vec<ConfigError>> {
    let schema = find_operator(domain, action, operator).map_err(|fault| vec![fault])?;
    if chosen.len() != declared.parameters.len() {
        return Err(vec![ConfigError::Arity {
            action: action.to_owned(),
            operator: operator.to_owned(),
            expected: declared.parameters.len(),
            found: chosen.len(),
        }]);
    }
    let (mut arguments, mut faults) = (Vec::new(), Vec::new());
    for parameter in chosen {
        match find_parameter(domain.schema(schema), action, parameter) {
            Ok(argument) => arguments.push(argument),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() {
        Ok(Implementation { schema, arguments })
    } else {
        Err(faults)
    }
}

fn find_operator(domain: &Domain, action: &str, operator: &str) -> Result<SchemaId, ConfigError> {
    domain
        .find_schema(Name::new(operator).as_str())
        .ok_or_else(|| ConfigError::UnknownOperator {
            action: action.to_owned(),
            operator: operator.to_owned(),
            suggestion: nearest(operator, domain.schemas.iter().map(|schema| schema.name.as_str()))
                .map(str::to_owned),
        })
}

fn find_parameter(schema: &ActionSchema, action: &str, parameter: &str) -> Result<Argument, ConfigError> {
    let name = bare(parameter);
    let names = || schema.parameters().iter().map(|variable| variable.name.as_str());
    match names().position(|candidate| candidate == name.as_str()) {
        Some(index) => Ok(Argument::Parameter(index as u32)),
        None => Err(ConfigError::UnknownParameter {
            action: action.to_owned(),
            operator: schema.name.as_str().to_owned(),
            parameter: name.as_str().to_owned(),
            suggestion: nearest(name.as_str(), names()).map(|name| format!("?{name}")),
        }),
    }
}

/// Returns the name of a parameter without its question mark.
fn bare(parameter: &str) -> Name {
    Name::new(parameter.strip_prefix('?').unwrap_or(parameter))
}

/// Reads the actions of PDDLGym's dialect, in which the precondition of each schema has an atom that names the agent action.
fn from_predicates(domain: &Domain) -> Vec<AgentAction> {
    let mut carriers = BTreeMap::<_, Vec<Implementation>>::new();
    for (index, schema) in domain.schemas.iter().enumerate() {
        let Some(atom) = &schema.agent else { continue };
        let arguments = atom.arguments.iter().map(|term| match *term {
            Term::Variable(variable) => Argument::Parameter(variable.number()),
            Term::Object(object) => Argument::Constant(object),
        });
        carriers.entry(atom.predicate).or_default().push(Implementation {
            schema: SchemaId::from_index(index),
            arguments: arguments.collect(),
        });
    }
    carriers
        .into_iter()
        .map(|(predicate, carriers)| {
            let predicate = domain.predicate(predicate);
            AgentAction {
                name: predicate.name.clone(),
                parameters: predicate.parameters.iter().map(|p| p.name.clone()).collect(),
                carriers,
            }
        })
        .collect()
}

/// Adds an action for every operator that carries out no declared one, and sorts all actions by their first operator.
fn with_plain_operators(
    domain: &Domain,
    mut actions: Vec<AgentAction>,
    faults: &mut Vec<ConfigError>,
) -> Vec<AgentAction> {
    let mut action_of = BTreeMap::new();
    for action in &actions {
        for carrier in &action.carriers {
            if let Some(first) = action_of.insert(carrier.schema, &action.name) {
                faults.push(ConfigError::SharedOperator {
                    operator: domain.schema(carrier.schema).name.to_string(),
                    first: first.to_string(),
                    second: action.name.to_string(),
                });
            }
        }
    }
    let plain = (0..domain.schemas.len())
        .map(SchemaId::from_index)
        .filter(|schema| !action_of.contains_key(schema))
        .map(|schema| plain_action(domain, schema))
        .collect::<Vec<_>>();
    // An operator may be hidden only because it is misspelt in the list of its action.
    if faults.is_empty() {
        let hidden = plain
            .iter()
            .filter(|operator| actions.iter().any(|action| action.name == operator.name));
        faults.extend(hidden.map(|operator| ConfigError::HiddenOperator {
            action: operator.name.to_string(),
        }));
    }
    actions.extend(plain);
    actions.sort_by_key(|action| action.carriers.first().map(|carrier| carrier.schema));
    actions
}

/// Makes operator `id` an agent action with all of its parameters.
fn plain_action(domain: &Domain, id: SchemaId) -> AgentAction {
    let schema = domain.schema(id);
    AgentAction {
        name: schema.name.clone(),
        parameters: schema.parameters().iter().map(|p| p.name.clone()).collect(),
        carriers: vec![Implementation {
            schema: id,
            arguments: (0..schema.arity).map(Argument::Parameter).collect(),
        }],
    }
}
