//! Checks the settings of a domain against the domain.

use herbrand_pddl::{Domain, Source};

use crate::action::AgentActions;
use crate::config::Config;
#[cfg(feature = "render")]
use crate::config::ConfigError;
use crate::error::EnvError;
use crate::visibility::VisibilityRules;
#[cfg(feature = "render")]
use crate::words::vocabulary;

impl Config {
    /// Checks the settings against the domain and returns all faults; none if [`Suite::new`](crate::Suite::new) would
    /// accept them with declared actions. `source` is the text of the settings, for the positions of faults.
    #[must_use]
    pub fn check(&self, domain: &Domain, source: &Source) -> Vec<EnvError> {
        let actions = AgentActions::faults(domain, self).into_iter();
        let mut found: Vec<_> = actions.map(EnvError::from).collect();
        if let Some(observe) = &self.observe {
            found.extend(VisibilityRules::faults(domain, observe, source));
        }
        #[cfg(feature = "render")]
        found.extend(self.check_picture(domain, source).err().map(EnvError::from));
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
