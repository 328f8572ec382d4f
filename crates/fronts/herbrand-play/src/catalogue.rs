//! The bundled domains.

use std::sync::OnceLock;

use herbrand_env::{Config, Registry, SuiteFiles};
use herbrand_rddl_sim::EnvSettings;
use herbrand_text::{did_you_mean, nearest};

use crate::refusal::Refusal;
use crate::reply::DomainEntry;
use crate::request::Texts;
use herbrand_assist::Language;

/// The prefix of the names of bundled RDDL domains.
pub(crate) const RDDL: &str = "rddl/";

/// Returns all bundled domains: PDDL domains, then RDDL domains, each in alphabetical order. They are read once.
pub(crate) fn bundled() -> Result<Vec<DomainEntry>, Refusal> {
    static DOMAINS: OnceLock<Vec<DomainEntry>> = OnceLock::new();
    let domains = match DOMAINS.get() {
        Some(domains) => domains.clone(),
        None => {
            let domains = read()?;
            DOMAINS.get_or_init(|| domains).clone()
        }
    };
    Ok(domains)
}

fn read() -> Result<Vec<DomainEntry>, Refusal> {
    let mut domains = Vec::new();
    for name in Registry::names().map_err(Refusal::unknown)? {
        let files = files(&name)?;
        let config = files
            .config
            .as_ref()
            .and_then(|config| Config::parse(config).ok());
        domains.push(DomainEntry {
            name,
            language: Some(Language::Pddl),
            description: config.map(|config| config.description).unwrap_or_default(),
            problems: files.problems.iter().map(full_name).collect(),
            is_own: false,
        });
    }
    for environment in herbrand_domains::environments() {
        let settings: EnvSettings = toml::from_str(environment.config).unwrap_or_default();
        domains.push(DomainEntry {
            name: format!("{RDDL}{}", environment.name),
            language: Some(Language::Rddl),
            description: settings.description,
            problems: environment
                .instances
                .iter()
                .map(|(name, _)| (*name).to_owned())
                .collect(),
            is_own: false,
        });
    }
    Ok(domains)
}

/// Returns the files of a bundled PDDL domain.
fn files(name: &str) -> Result<SuiteFiles, Refusal> {
    let files = Registry::files(name).map_err(Refusal::unknown)?;
    let found = files.into_iter().find(|files| files.name == name);
    found.ok_or_else(|| Refusal::unknown(format!("`{name}` has levels: choose one, such as `{name}-1`")))
}

fn full_name(file: &herbrand_env::ProblemFile) -> String {
    match file.split {
        Some(split) => format!("{split}/{}", file.name),
        None => file.name.clone(),
    }
}

/// Returns the texts of a bundled problem.
pub(crate) fn texts(domain: &str, problem: &str) -> Result<Texts, Refusal> {
    let no_problem = |names: &[&str]| {
        let meant = did_you_mean(nearest(problem, names.iter().copied()));
        Refusal::unknown(format!("{domain} has no problem `{problem}`{meant}"))
    };
    if let Some(name) = domain.strip_prefix(RDDL) {
        let environments = herbrand_domains::environments();
        let found = environments.iter().find(|one| one.name == name);
        let environment = found.ok_or_else(|| {
            let meant = did_you_mean(nearest(name, environments.iter().map(|one| one.name)));
            Refusal::unknown(format!("there is no bundled environment `{domain}`{meant}"))
        })?;
        let instances = &environment.instances;
        let names: Vec<_> = instances.iter().map(|(name, _)| *name).collect();
        let found = names.iter().position(|name| *name == problem);
        let (_, text) = instances[found.ok_or_else(|| no_problem(&names))?];
        return Ok(Texts {
            domain: environment.domain.to_owned(),
            problem: text.to_owned(),
            settings: environment.config.to_owned(),
        });
    }
    let files = files(domain)?;
    let mut problems = files.problems.iter();
    let file = problems
        .find(|file| full_name(file) == problem || file.name == problem)
        .ok_or_else(|| no_problem(&files.problems.iter().map(|file| &*file.name).collect::<Vec<_>>()))?;
    Ok(Texts {
        domain: files.domain.text().to_owned(),
        problem: file.source.text().to_owned(),
        settings: files
            .config
            .map(|config| config.text().to_owned())
            .unwrap_or_default(),
    })
}

/// Returns the table of sentences of a bundled domain. Its levels, whose names end in their numbers, share it.
#[cfg(feature = "sessions")]
pub(crate) fn sentences(domain: &str) -> Option<&'static str> {
    let level = domain.rsplit_once('-').map(|(folder, _)| folder);
    let mut folders = [Some(domain), level].into_iter().flatten();
    folders.find_map(|folder| herbrand_domains::file(&format!("{folder}/domain.text.toml")))
}
