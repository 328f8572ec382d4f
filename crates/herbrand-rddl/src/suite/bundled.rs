//! The environments that come with the library.

use herbrand_domains::{Environment, environments};
use herbrand_limits::Limits;
use herbrand_text::{Source, nearest};

use super::{RddlError, RddlSuite};

/// What the names of bundled environments in RDDL begin with.
const PREFIX: &str = "rddl/";

impl RddlSuite {
    /// The bundled environment called `name`, such as `rddl/cartpole-continuous`; the prefix may be left out. Nothing is
    /// read from disk.
    ///
    /// # Errors
    /// [`RddlError::UnknownEnvironment`].
    pub fn bundled(name: &str) -> Result<Self, RddlError> {
        let all = environments();
        let wanted = name.strip_prefix(PREFIX).unwrap_or(name);
        match all.iter().find(|environment| environment.name == wanted) {
            Some(environment) => {
                let sources = sources(environment);
                let suite =
                    Self::from_named_files(Some(&format!("{PREFIX}{wanted}")), &sources, Limits::default())?;
                suite.with_settings(&Source::new(
                    &format!("{PREFIX}{wanted}/env.toml"),
                    environment.config,
                ))
            }
            None => {
                let names = all.iter().map(|environment| environment.name);
                Err(RddlError::UnknownEnvironment {
                    name: name.to_owned(),
                    suggestion: nearest(wanted, names).map(|near| format!("{PREFIX}{near}")),
                })
            }
        }
    }

    /// The names of all bundled environments in RDDL, in alphabetical order, with their prefix.
    #[must_use]
    pub fn bundled_names() -> Vec<String> {
        let all = environments().into_iter();
        all.map(|environment| format!("{PREFIX}{}", environment.name))
            .collect()
    }
}

fn sources(environment: &Environment) -> Vec<Source> {
    let named =
        |file: &str, text: &str| Source::new(&format!("{PREFIX}{}/{file}.rddl", environment.name), text);
    let instances = environment.instances.iter();
    std::iter::once(named("domain", environment.domain))
        .chain(instances.map(|(name, text)| named(name, text)))
        .collect()
}
