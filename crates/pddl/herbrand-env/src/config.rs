//! The settings of a domain that PDDL cannot express, from the file `env.toml` next to the domain.

use std::collections::BTreeMap;

use herbrand_pddl::Source;
#[cfg(feature = "render")]
use herbrand_render::{Declaration, RenderCode};
#[cfg(feature = "render")]
use herbrand_text::Faults;
use herbrand_text::did_you_mean;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

/// The environment settings of a domain, as declared in `env.toml`. [`Config::parse`] reads it, and
/// [`Suite::config`](crate::Suite::config) returns that of a suite.
///
/// Every key is optional. Unknown keys are errors.
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
    /// A description of the domain in one sentence, for lists of domains.
    #[serde(default)]
    pub description: String,
    /// The origin of the domain, such as a competition or a paper, as text.
    #[serde(default)]
    pub source: String,
    /// The number of steps after which an episode is truncated, at least 1. Episodes are unlimited if omitted.
    /// [`EpisodeHorizon::Declared`](crate::EpisodeHorizon::Declared) takes it.
    #[serde(default, deserialize_with = "horizon")]
    pub horizon: Option<u32>,
    /// How a step resolves an agent action that several valid ground operators carry out. [`Ambiguity::Error`] by
    /// default.
    #[serde(default)]
    pub ambiguity: Ambiguity,
    /// The rules of partial observability, for the observer [`VisibleBits`](crate::VisibleBits). If omitted, every atom is
    /// visible.
    pub observe: Option<ObserveConfig>,
    /// The declaration of pictures of states ([`StatePicture`](crate::StatePicture)). If omitted, the picture is
    /// generic.
    #[cfg(feature = "render")]
    #[serde(default, deserialize_with = "Declaration::skip")]
    pub render: Option<Declaration>,
    #[cfg(not(feature = "render"))]
    #[serde(default)]
    render: serde::de::IgnoredAny,
    /// The agent actions by name. Operators that no action lists are actions with all of their parameters.
    #[serde(default)]
    pub actions: BTreeMap<String, ActionConfig>,
}

/// The visibility rules of a domain: the table `[observe]` of `env.toml`. The observer
/// [`VisibleBits`](crate::VisibleBits) uses them. Creating the suite ([`Suite::new`](crate::Suite::new)) reports
/// unknown predicates and faulty conditions; [`Config::parse`] does not.
///
/// ```toml
/// [observe]
/// memory = "kept"
/// [observe.visible]
/// person-at = "(exists (?here - cell) (and (robot-at ?here) (or (= ?here ?cell) (near ?here ?cell))))"
/// ```
///
/// A rule is a condition over the parameters of a predicate, by their declared names. In states where the condition holds,
/// the agent sees whether the atom is true. Atoms of predicates without a rule are always visible.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObserveConfig {
    /// The content of an observation for atoms that were visible before but are not now.
    #[serde(default)]
    pub memory: Remembers,
    /// For each predicate, by its name in lower case, the condition under which its atoms are visible, in PDDL. Atoms
    /// of other predicates are always visible.
    #[serde(default)]
    pub visible: BTreeMap<String, Spanned<String>>,
}

/// The content of an observation for atoms that are not visible: the last value seen, or nothing. Written `kept` or
/// `nothing` in `env.toml`. [`ObserveConfig::memory`] holds it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Remembers {
    /// The last value seen in the episode, even if it has changed since. The default.
    #[default]
    Kept,
    /// Nothing: the atom counts as unknown as soon as it is out of sight.
    Nothing,
}

/// The declaration of an agent action in `env.toml`, the table `[actions.NAME]`.
/// [`AgentActions::of`](crate::AgentActions::of) checks it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActionConfig {
    /// The names of the parameters that the agent chooses, with or without `?`. Case is ignored; none if the key is
    /// missing.
    #[serde(default)]
    pub parameters: Vec<String>,
    /// The operators that carry the action out. Each lists the operator parameters that correspond to
    /// [`parameters`](Self::parameters), in the same order. The state determines the remaining ones. They are keyed by
    /// name. This key is required, and an empty table is a fault.
    pub operators: BTreeMap<String, Vec<String>>,
}

/// How a step resolves an agent action that several valid ground operators carry out in the current state. The key
/// `ambiguity` of `env.toml`, written `error`, `first` or `uniform`. With the latter two, masks include the action.
/// [`Config::ambiguity`] holds it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ambiguity {
    /// The default: the action is invalid, masks exclude it and it is never sampled. A step that takes it fails with
    /// [`PlanningError::Ambiguous`](crate::PlanningError::Ambiguous), unless an environment ignores invalid actions.
    #[default]
    Error,
    /// The first of the operators is applied, in order of declaration and then of objects.
    First,
    /// One of the operators is drawn uniformly, by the same random generator as the outcomes of probabilistic effects.
    /// Nothing is drawn if only one is valid.
    Uniform,
}

/// The reason why the settings in an `env.toml` are rejected, found when the file is parsed ([`Config::parse`]) or when
/// the suite is created ([`Suite::new`](crate::Suite::new)). [`AgentActions::of`](crate::AgentActions::of) and
/// [`Config::check`] find the faults of actions. A `suggestion` is `None` if no name is similar.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ConfigError {
    /// The text is not TOML, or has an unknown key or a value of the wrong type; or the declared picture refers to names that
    /// the domain does not have, or lacks required parts. Contains all such faults.
    #[cfg(feature = "render")]
    #[error(transparent)]
    Faults(#[from] Faults<RenderCode>),
    /// The text is not TOML, or has an unknown key or a value of the wrong type. Contains the first fault.
    #[cfg(not(feature = "render"))]
    #[error("{file}: {message}")]
    Format {
        /// The name of the file.
        file: String,
        /// The reason, with its place.
        message: String,
    },
    /// An action refers to an operator that the domain does not have. `suggestion` is `None` if no operator has a
    /// similar name.
    #[error("action `{action}`: the domain has no operator `{operator}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownOperator {
        /// The agent action.
        action: String,
        /// The unknown operator.
        operator: String,
        /// The operator with the most similar name.
        suggestion: Option<String>,
    },
    /// An action refers to a parameter that its operator does not have. `suggestion` is `None` if no parameter has a
    /// similar name.
    #[error("action `{action}`: operator `{operator}` has no parameter `?{parameter}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownParameter {
        /// The agent action.
        action: String,
        /// The operator.
        operator: String,
        /// The unknown parameter.
        parameter: String,
        /// The parameter with the most similar name.
        suggestion: Option<String>,
    },
    /// An operator's list of parameters has another length than the parameters of its agent action.
    #[error("action `{action}` has {expected} parameter(s), but operator `{operator}` is given {found}")]
    Arity {
        /// The agent action.
        action: String,
        /// The operator.
        operator: String,
        /// The number of parameters of the action.
        expected: usize,
        /// The number of parameters listed for the operator.
        found: usize,
    },
    /// Two actions list the same operator.
    #[error("operator `{operator}` belongs to two actions: `{first}` and `{second}`")]
    SharedOperator {
        /// The operator.
        operator: String,
        /// The first of the two actions.
        first: String,
        /// The second of the two actions.
        second: String,
    },
    /// An action has the name of an operator that it does not list. The unlisted operator would itself be an action of
    /// that name, so the name would be ambiguous.
    #[error(
        "action `{action}` does not list the operator `{action}`; add it, or give the action another name"
    )]
    HiddenOperator {
        /// The common name of the action and the operator.
        action: String,
    },
    /// A visibility rule names a predicate that does not exist, is not in lower case, or is an action predicate.
    /// `suggestion` is `None` if no predicate has a similar name.
    #[error("`observe`: the domain has no predicate `{predicate}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownObserved {
        /// The unknown predicate.
        predicate: String,
        /// The predicate with the most similar name.
        suggestion: Option<String>,
    },
    /// An action lists no operators.
    #[error("action `{action}` names no operator")]
    NoOperator {
        /// The agent action.
        action: String,
    },
}

impl Config {
    /// Parses the text of an `env.toml`. Names are checked against the domain later, when the suite is created. An
    /// empty text gives the defaults. [`check`](Self::check) checks the names.
    ///
    /// # Errors
    /// Fails if the text is not TOML, or has unknown keys, values of the wrong type, or a `horizon` of 0. Contains all
    /// such faults with the feature `render`, else the first.
    pub fn parse(source: &Source) -> Result<Self, ConfigError> {
        #[cfg(feature = "render")]
        {
            let (config, render) = Declaration::with_settings::<Self>(source)?;
            Ok(Self { render, ..config })
        }
        #[cfg(not(feature = "render"))]
        toml::from_str(source.text()).map_err(|error: toml::de::Error| ConfigError::Format {
            file: source.name().to_owned(),
            message: error.to_string().trim_end().to_owned(),
        })
    }
}

/// Deserialises a horizon, which must be at least 1.
fn horizon<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let steps = u32::deserialize(deserializer)?;
    let some = (steps > 0).then_some(Some(steps));
    some.ok_or_else(|| D::Error::custom("`horizon` is a number of steps, 1 or more"))
}
