//! Checks the settings of a domain against the domain.

use herbrand_pddl::{Domain, Source};
#[cfg(feature = "render")]
use herbrand_render::{Declaration, RenderCode};
#[cfg(feature = "render")]
use herbrand_text::{Diagnostics, Faults, Span};
#[cfg(feature = "render")]
use toml::Spanned;
#[cfg(feature = "render")]
use toml::de::{DeTable, DeValue};

use crate::action::AgentActions;
use crate::config::Config;
#[cfg(feature = "render")]
use crate::config::ConfigError;
use crate::error::EnvError;
use crate::visibility::VisibilityRules;
#[cfg(feature = "render")]
use crate::words::vocabulary;

impl Config {
    /// Returns all faults of the text of an `env.toml`: those that [`parse`](Self::parse) finds, and those of
    /// [`check`](Self::check), after faults of the form only of the actions and rules without such faults.
    #[must_use]
    pub fn faults(domain: &Domain, source: &Source) -> Vec<EnvError> {
        #[cfg(feature = "render")]
        return match Declaration::recover_settings::<Self>(source) {
            Ok((config, render)) => Self { render, ..config }.check(domain, source),
            Err((faults, config)) => {
                let mut found = vec![ConfigError::Faults(faults).into()];
                let names = config.map(|config| config.check_names(domain, source));
                // An operator may be missing because its entry is faulty.
                found.extend(names.into_iter().flatten().filter(|fault| {
                    !matches!(
                        fault,
                        EnvError::Config(ConfigError::NoOperator { .. } | ConfigError::HiddenOperator { .. })
                    )
                }));
                found.into_iter().map(|fault| placed(fault, source)).collect()
            }
        };
        #[cfg(not(feature = "render"))]
        match Self::parse(source) {
            Ok(config) => config.check(domain, source),
            Err(fault) => vec![fault.into()],
        }
    }

    /// Checks the settings against the domain and returns all faults; none if [`Suite::new`](crate::Suite::new) would
    /// accept them with declared actions. `source` is the text of the settings, for the positions of faults. With the
    /// feature `render`, faults of actions are [`ConfigError::Faults`], which have positions.
    #[must_use]
    pub fn check(&self, domain: &Domain, source: &Source) -> Vec<EnvError> {
        let found = self.check_names(domain, source);
        #[cfg(feature = "render")]
        {
            let mut found: Vec<_> = found.into_iter().map(|fault| placed(fault, source)).collect();
            found.extend(self.check_picture(domain, source).err().map(EnvError::from));
            found
        }
        #[cfg(not(feature = "render"))]
        found
    }

    /// Checks the actions and the rules of visibility.
    fn check_names(&self, domain: &Domain, source: &Source) -> Vec<EnvError> {
        let actions = AgentActions::faults(domain, self).into_iter();
        let mut found: Vec<_> = actions.map(EnvError::from).collect();
        if let Some(observe) = &self.observe {
            found.extend(VisibilityRules::faults(domain, observe, source));
        }
        found
    }

    /// Checks the declared picture against the domain. Settings without a picture have no faults. `source` is the text
    /// of the settings, for the positions of faults.
    ///
    /// # Errors
    /// Fails if the declaration refers to names that the domain does not have, or lacks required parts. Reports all faults.
    #[cfg(feature = "render")]
    pub fn check_picture(&self, domain: &Domain, source: &Source) -> Result<(), ConfigError> {
        let Some(render) = &self.render else {
            return Ok(());
        };
        Ok(render.check(&vocabulary(domain), source)?)
    }
}

/// Returns a fault of the settings with its position, if the text has it.
#[cfg(feature = "render")]
fn placed(fault: EnvError, source: &Source) -> EnvError {
    let place = match &fault {
        EnvError::Config(fault) => place(fault, source),
        _ => None,
    };
    let Some(place) = place else {
        return fault;
    };
    let mut found = Diagnostics::new(source.clone(), false);
    found.report(RenderCode::Format, fault.to_string(), |draft| {
        draft.primary(place, "")
    });
    ConfigError::Faults(Faults::new(found.into_list())).into()
}

/// Returns the key or the value that a fault of the settings is about.
#[cfg(feature = "render")]
fn place(fault: &ConfigError, source: &Source) -> Option<Span> {
    let path = match fault {
        ConfigError::UnknownOperator { action, operator, .. }
        | ConfigError::UnknownParameter { action, operator, .. }
        | ConfigError::Arity { action, operator, .. }
        | ConfigError::SharedOperator {
            second: action,
            operator,
            ..
        } => vec!["actions", action, "operators", operator],
        ConfigError::HiddenOperator { action } | ConfigError::NoOperator { action } => {
            vec!["actions", action]
        }
        ConfigError::UnknownObserved { predicate, .. } => vec!["observe", "visible", predicate],
        ConfigError::Faults(_) => return None,
    };
    let file = DeTable::parse(source.text()).ok()?;
    let mut table = file.get_ref();
    let (last, above) = path.split_last()?;
    for key in above {
        let DeValue::Table(inner) = entry(table, key)?.1.get_ref() else {
            return None;
        };
        table = inner;
    }
    let (key, value) = entry(table, last)?;
    let wrong = |item: &&Spanned<DeValue<'_>>| match (fault, item.get_ref()) {
        (ConfigError::UnknownParameter { parameter, .. }, DeValue::String(own)) => own
            .strip_prefix('?')
            .unwrap_or(own)
            .eq_ignore_ascii_case(parameter),
        _ => false,
    };
    let item = match value.get_ref() {
        DeValue::Array(items) => items.iter().find(wrong).map(Spanned::span),
        _ => None,
    };
    Some(item.unwrap_or_else(|| key.span()).into())
}

/// Finds an entry by its key. Case does not matter, as in PDDL.
#[cfg(feature = "render")]
fn entry<'t, 's>(
    table: &'t DeTable<'s>,
    key: &str,
) -> Option<(&'t Spanned<std::borrow::Cow<'s, str>>, &'t Spanned<DeValue<'s>>)> {
    let mut entries = table.iter();
    entries.find(|(own, _)| own.get_ref().eq_ignore_ascii_case(key))
}
