//! The settings of a domain: the file `env.toml` beside it.

use herbrand_rddl::Domain;
#[cfg(feature = "render")]
use herbrand_render::{Declaration, RenderCode};
#[cfg(feature = "render")]
use herbrand_text::Faults;
use herbrand_text::Source;
use serde::Deserialize;

#[cfg(feature = "render")]
use crate::vocabulary::vocabulary;

/// Settings that RDDL cannot express: the file `env.toml` in the folder of a domain.
/// [`RddlSuite::settings`](crate::suite::RddlSuite::settings) returns those of a suite.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvSettings {
    /// A one-sentence description of the domain.
    #[serde(default)]
    pub description: String,
    /// The origin of the domain.
    #[serde(default)]
    pub source: String,
    /// The declaration of how states are drawn; `None` for a generic picture.
    #[cfg(feature = "render")]
    #[serde(default, deserialize_with = "Declaration::skip")]
    pub render: Option<Declaration>,
    #[cfg(not(feature = "render"))]
    #[serde(default)]
    render: serde::de::IgnoredAny,
}

/// The faults of an `env.toml`, with their places: [`EnvSettings::parse`] returns all of them.
#[cfg(feature = "render")]
pub type SettingsError = Faults<RenderCode>;

/// The first fault of an `env.toml`: it is not TOML, or has an unknown key or a value of the wrong type.
#[cfg(not(feature = "render"))]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}: {message}")]
pub struct SettingsError {
    /// The name of the file.
    pub file: String,
    /// The reason, with its place.
    pub message: String,
}

impl EnvSettings {
    /// Parses an `env.toml` and checks the picture that it declares against a domain.
    ///
    /// # Errors
    /// Fails if its format is invalid, or its picture does not fit the domain. Unknown keys are faults. Contains all such
    /// faults with the feature `render`. Without it, contains the first, and the declared picture is not read.
    #[cfg_attr(
        not(feature = "render"),
        expect(unused_variables, reason = "the domain is that of the picture")
    )]
    pub fn parse(source: &Source, domain: &Domain) -> Result<Self, SettingsError> {
        #[cfg(feature = "render")]
        {
            let (settings, render) = Declaration::with_settings::<Self>(source)?;
            if let Some(render) = &render {
                render.check(&vocabulary(domain), source)?;
            }
            Ok(Self { render, ..settings })
        }
        #[cfg(not(feature = "render"))]
        toml::from_str(source.text()).map_err(|error: toml::de::Error| SettingsError {
            file: source.name().to_owned(),
            message: error.to_string().trim_end().to_owned(),
        })
    }
}
