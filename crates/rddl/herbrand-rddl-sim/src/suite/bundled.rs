//! Bundled environments.

use herbrand_domains::{BundledEnvironment, environments};
use herbrand_limits::Limits;
use herbrand_text::{Source, nearest};

use super::{RddlError, RddlSuite};

/// The prefix of the names of bundled RDDL environments.
const PREFIX: &str = "rddl/";

impl RddlSuite {
    /// Loads the bundled environment called `name`, such as `rddl/cartpole-continuous`. The prefix is optional. Nothing
    /// is read from disk. [`bundled_names`](Self::bundled_names) lists the names. Problems are compiled on first use.
    ///
    /// # Errors
    /// [`RddlError::UnknownEnvironment`] if there is no environment of this name.
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

    /// Returns the horizon of the bundled environment called `name`, without reading more of its instances; `None` if they
    /// have different horizons or none, and if there is no such environment.
    #[must_use]
    pub fn bundled_horizon(name: &str) -> Option<u32> {
        let found = find(name)?;
        let mut horizons = found.instances.iter().map(|(_, text)| horizon_in(text));
        let first = horizons.next()??;
        horizons.all(|other| other == Some(first)).then_some(first)
    }

    /// Returns the names of all bundled RDDL environments with their prefix, in alphabetical order.
    #[must_use]
    pub fn bundled_names() -> Vec<String> {
        let all = environments().into_iter();
        all.map(|environment| format!("{PREFIX}{}", environment.name))
            .collect()
    }
}

fn find(name: &str) -> Option<BundledEnvironment> {
    let wanted = name.strip_prefix(PREFIX).unwrap_or(name);
    let mut all = environments().into_iter();
    all.find(|environment| environment.name == wanted)
}

/// Returns the horizon that the text of a bundled instance sets.
fn horizon_in(text: &str) -> Option<u32> {
    let after = text.rsplit_once("horizon")?.1.trim_start().strip_prefix('=')?;
    after.split_once(';')?.0.trim().parse().ok()
}

fn sources(environment: &BundledEnvironment) -> Vec<Source> {
    let named =
        |file: &str, text: &str| Source::new(&format!("{PREFIX}{}/{file}.rddl", environment.name), text);
    let instances = environment.instances.iter();
    std::iter::once(named("domain", environment.domain))
        .chain(instances.map(|(name, text)| named(name, text)))
        .collect()
}
