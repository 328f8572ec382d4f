//! What PDDL has no words for: the file `env.toml` beside a domain.

use std::collections::BTreeMap;

use herbrand_pddl::{Domain, Source};
use herbrand_render::{Declaration, RenderCode};
use herbrand_text::{Faults, did_you_mean, nearest};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::ObserveConfig;
use crate::draw::CellNames;
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
    /// How states are drawn, for domains whose objects are the cells of a grid ([`Drawing`](crate::Drawing)).
    #[serde(default)]
    pub grid: Vec<GridSymbol>,
    /// A static predicate of cells and the rows that they are drawn in, where cells are not called by their places.
    pub grid_rows: Option<String>,
    /// What the agent sees of a state, for observations of what it has seen ([`Seen`](crate::Seen)). All of it when left out.
    pub observe: Option<ObserveConfig>,
    /// How cells are called by their places, such as `l-{row}-{column}`; `r{row}c{column}` when left out.
    #[serde(default, deserialize_with = "cells")]
    pub grid_cells: Option<CellNames>,
    /// What is drawn where there is no cell; `#` when left out.
    pub grid_outside: Option<String>,
    /// The predicate that holds of the agent's cell, where actions name the cell that the agent goes to.
    pub grid_agent: Option<String>,
    /// How states are drawn, for domains that put items on each other.
    pub towers: Option<TowerConfig>,
    /// How states are drawn as pictures ([`StatePicture`](crate::StatePicture)); in a general way when left out.
    pub render: Option<Declaration>,
    /// The agent's actions by name. Operators that none of them names are actions with all their parameters.
    #[serde(default)]
    pub actions: BTreeMap<String, ActionConfig>,
}

/// A symbol of a drawn grid.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GridSymbol {
    /// What is drawn.
    pub symbol: String,
    /// The predicates that must hold of a cell for it.
    #[serde(default)]
    pub atoms: Vec<String>,
    /// The predicates that the goal must ask of the cell, and that must not hold of it yet.
    #[serde(default)]
    pub goal: Vec<String>,
    /// What the symbol means, for the legend; its predicates when left out.
    #[serde(default)]
    pub means: String,
}

/// Which predicates put items on each other, for domains that are drawn as towers.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TowerConfig {
    /// The predicate of an item and what it is on.
    pub on: String,
    /// What towers begin with: a predicate of items that are on the ground, or the type of what items are put on (pegs).
    pub base: String,
    /// Predicates whose atoms are written below the towers, such as what a hand holds.
    #[serde(default)]
    pub beside: Vec<String>,
    /// Whether items are drawn as bars, as wide as the numbers at the ends of their names say.
    #[serde(default)]
    pub bars: bool,
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
    #[error("operator `{operator}` is named by two actions: `{first}` and `{second}`")]
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
        "action `{action}` does not list the operator `{action}`, which would be an action of the same name"
    )]
    HiddenOperator {
        /// The name of both.
        action: String,
    },
    /// A drawing names a predicate that the domain lacks.
    #[error("{place}: the domain has no predicate `{predicate}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownPredicate {
        /// What names it: a symbol of the grid, or a key.
        place: String,
        /// The name that is not a predicate.
        predicate: String,
        /// The predicate of the nearest name.
        suggestion: Option<String>,
    },
    /// The rows of the grid are said by a predicate that the domain lacks, or that is not of a cell and a row.
    #[error("grid rows: the domain has no predicate `{predicate}` of two arguments{}", did_you_mean(.suggestion.as_deref()))]
    UnknownRows {
        /// The name that is not such a predicate.
        predicate: String,
        /// The one of the nearest name.
        suggestion: Option<String>,
    },
    /// A rule of what is seen is for a predicate that the domain lacks, or that is no part of a state.
    #[error("observe: the domain has no predicate `{predicate}`{}", did_you_mean(.suggestion.as_deref()))]
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
        toml::from_str(source.text()).map_err(|error| ConfigError::Format {
            file: source.name().to_owned(),
            message: error.to_string().trim_end().to_owned(),
        })
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

    /// Whether the domain has the predicates that its states are drawn by.
    pub(crate) fn check_drawing(&self, domain: &Domain) -> Result<(), ConfigError> {
        self.grid.iter().try_for_each(|symbol| symbol.check(domain))?;
        if let Some(agent) = &self.grid_agent {
            drawn(domain, agent, "grid_agent", &[])?;
        }
        if let Some(towers) = &self.towers {
            let types: Vec<_> = domain
                .types
                .iter()
                .map(|declared| declared.name.as_str())
                .collect();
            drawn(domain, &towers.on, "towers", &[])?;
            drawn(domain, &towers.base, "towers", &types)?;
            let mut beside = towers.beside.iter();
            beside.try_for_each(|predicate| drawn(domain, predicate, "towers", &[]))?;
        }
        let Some(rows) = &self.grid_rows else {
            return Ok(());
        };
        let binary = domain
            .predicates
            .iter()
            .filter(|predicate| predicate.parameters.len() == 2);
        let names = binary
            .map(|predicate| predicate.name.as_str())
            .collect::<Vec<_>>();
        if names.contains(&rows.as_str()) {
            return Ok(());
        }
        Err(ConfigError::UnknownRows {
            predicate: rows.clone(),
            suggestion: nearest(rows, names).map(str::to_owned),
        })
    }
}

impl GridSymbol {
    /// Whether the domain has the predicates.
    fn check(&self, domain: &Domain) -> Result<(), ConfigError> {
        let place = format!("grid symbol `{}`", self.symbol);
        let mut predicates = self.atoms.iter().chain(&self.goal);
        predicates.try_for_each(|predicate| drawn(domain, predicate, &place, &[]))
    }

    /// What the symbol means: as the settings say, or else its predicates.
    #[must_use]
    pub fn meaning(&self) -> String {
        if !self.means.is_empty() {
            return self.means.clone();
        }
        let goal = self.goal.iter().map(|predicate| format!("goal: {predicate}"));
        let parts: Vec<_> = self.atoms.iter().cloned().chain(goal).collect();
        match parts.as_slice() {
            [] => "anything else".to_owned(),
            parts => parts.join(", "),
        }
    }
}

/// Whether `place` names a predicate of the domain, or one of some other names.
fn drawn(domain: &Domain, name: &str, place: &str, others: &[&str]) -> Result<(), ConfigError> {
    let predicates = domain.predicates.iter().map(|predicate| predicate.name.as_str());
    let names: Vec<_> = predicates.chain(others.iter().copied()).collect();
    if names.contains(&name) {
        return Ok(());
    }
    Err(ConfigError::UnknownPredicate {
        place: place.to_owned(),
        predicate: name.to_owned(),
        suggestion: nearest(name, names).map(str::to_owned),
    })
}

/// A horizon: an episode of no steps is none.
fn horizon<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let steps = u32::deserialize(deserializer)?;
    let some = (steps > 0).then_some(Some(steps));
    some.ok_or_else(|| D::Error::custom("`horizon` is a number of steps, 1 or more"))
}

/// The names of cells: a pattern has both places in it.
fn cells<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<CellNames>, D::Error> {
    let pattern = String::deserialize(deserializer)?;
    let parsed = CellNames::parse(&pattern);
    let wrong =
        || D::Error::custom("`grid_cells` has `{row}` and `{column}` in it, with something between them");
    parsed.map(Some).ok_or_else(wrong)
}
