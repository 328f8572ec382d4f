//! What PDDL has no words for: the file `env.toml` beside a domain.

use std::collections::BTreeMap;

use herbrand_pddl::{Domain, Source};
use herbrand_render::{Declaration, RenderCode};
use herbrand_text::{Faults, did_you_mean};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::ObserveConfig;
use crate::picture::vocabulary;

/// A domain's environment settings, as `env.toml` states them.
///
/// Every key may be left out; a key that is not one of these is an error.
///
/// ```
/// use herbrand_env::{Config, Source};
/// let config = Config::parse(&Source::new(
///     "env.toml",
///     r#"
///     description = "Walk and push."
///     horizon = 100
///     [actions.move]
///     parameters = ["dir"]
///     operators = { walk = ["?dir"], push = ["?d"] }
///     "#,
/// ))?;
/// assert_eq!(config.horizon, Some(100));
/// # Ok::<(), herbrand_env::ConfigError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// What the domain is about, in one sentence.
    #[serde(default)]
    pub description: String,
    /// Where the idea comes from.
    #[serde(default)]
    pub source: String,
    /// After how many steps an episode is cut off, one or more; never when left out.
    #[serde(default, deserialize_with = "horizon")]
    pub horizon: Option<u32>,
    /// What happens when several operators fit the agent's action in a state.
    #[serde(default)]
    pub ambiguity: Ambiguity,
    /// What the agent sees of a state, for observations of what it has seen ([`Seen`](crate::Seen)). All of it when left out.
    pub observe: Option<ObserveConfig>,
    /// How states are drawn as pictures ([`StatePicture`](crate::StatePicture)); in a general way when left out.
    #[serde(default, deserialize_with = "Declaration::skip")]
    pub render: Option<Declaration>,
    /// The agent's actions by name. Operators that none of them names are actions with all their parameters.
    #[serde(default)]
    pub actions: BTreeMap<String, ActionConfig>,
}

/// One action of the agent.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActionConfig {
    /// The names of what the agent chooses.
    #[serde(default)]
    pub parameters: Vec<String>,
    /// The operators that carry the action out, each with those of its parameters that the agent chooses, in the
    /// order of [`parameters`](Self::parameters). The state binds the others.
    pub operators: BTreeMap<String, Vec<String>>,
}

/// What happens when several ground operators fit the agent's action in a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ambiguity {
    /// The action is not valid: it is in no mask and never sampled. A step that takes it is an error that names the
    /// operators.
    #[default]
    Error,
    /// The first one is applied, in order of declaration, then of objects.
    First,
    /// One of them is drawn uniformly, from the stream of outcomes.
    Uniform,
}

/// A fault in an `env.toml`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ConfigError {
    /// Not TOML, an unknown key, or a value of the wrong kind.
    #[error("{file}: {message}")]
    Format {
        /// The file.
        file: String,
        /// What is wrong, with its place.
        message: String,
    },
    /// An action names an operator that the domain lacks.
    #[error("action `{action}`: the domain has no operator `{operator}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownOperator {
        /// The agent's action.
        action: String,
        /// The name that is not an operator.
        operator: String,
        /// The operator of the nearest name.
        suggestion: Option<String>,
    },
    /// An action names a parameter that its operator lacks.
    #[error("action `{action}`: operator `{operator}` has no parameter `?{parameter}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownParameter {
        /// The agent's action.
        action: String,
        /// The operator.
        operator: String,
        /// The name that is not a parameter of it.
        parameter: String,
        /// The parameter of the nearest name.
        suggestion: Option<String>,
    },
    /// An operator is given more or fewer parameters than its action has.
    #[error("action `{action}` has {expected} parameter(s), but operator `{operator}` is given {found}")]
    Arity {
        /// The agent's action.
        action: String,
        /// The operator.
        operator: String,
        /// The number of the action's parameters.
        expected: usize,
        /// The number of the operator's parameters that are listed.
        found: usize,
    },
    /// An operator carries out two actions.
    #[error("operator `{operator}` belongs to two actions: `{first}` and `{second}`")]
    SharedOperator {
        /// The operator.
        operator: String,
        /// One of the agent's actions.
        first: String,
        /// The other one.
        second: String,
    },
    /// An action has the name of an operator that it does not name, which is an action by itself.
    #[error(
        "action `{action}` does not list the operator `{action}`; add it, or give the action another name"
    )]
    HiddenOperator {
        /// The name of both.
        action: String,
    },
    /// A rule of what is seen is for a predicate that the domain lacks, or that is no part of a state.
    #[error("`observe`: the domain has no predicate `{predicate}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownObserved {
        /// The name that is not a predicate.
        predicate: String,
        /// The predicate of the nearest name.
        suggestion: Option<String>,
    },
    /// The picture is declared with words that the domain lacks, or parts that lack something: all faults at once.
    #[error(transparent)]
    Render(#[from] Faults<RenderCode>),
    /// An action names no operator.
    #[error("action `{action}` names no operator")]
    NoOperator {
        /// The agent's action.
        action: String,
    },
}

impl Config {
    /// Reads an `env.toml`.
    ///
    /// # Errors
    /// [`ConfigError::Format`], which shows the line.
    pub fn parse(source: &Source) -> Result<Self, ConfigError> {
        let format = |error: toml::de::Error| ConfigError::Format {
            file: source.name().to_owned(),
            message: error.to_string().trim_end().to_owned(),
        };
        let mut config: Self = toml::from_str(source.text()).map_err(format)?;
        config.render = Declaration::from_settings(source.text()).map_err(format)?;
        Ok(config)
    }

    /// Whether the declared picture fits the domain; places are those in `source`, the text of the settings.
    ///
    /// # Errors
    /// When it has names that the domain lacks, or parts that lack something: all faults at once.
    pub fn check_picture(&self, domain: &Domain, source: &Source) -> Result<(), ConfigError> {
        let Some(render) = &self.render else {
            return Ok(());
        };
        Ok(render.check(&vocabulary(domain), source)?)
    }
}

/// A horizon: an episode of no steps is none.
fn horizon<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let steps = u32::deserialize(deserializer)?;
    let some = (steps > 0).then_some(Some(steps));
    some.ok_or_else(|| D::Error::custom("`horizon` is a number of steps, 1 or more"))
}
