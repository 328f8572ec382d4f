//! PDDL problems by name or by their texts.

use herbrand_env::{ActionMode, ProblemFile, Registry, Source, Suite, SuiteFiles};

use crate::allowance::RequestLimits;
use crate::refusal::Refusal;
use crate::request::{DOMAIN, PROBLEM, ProblemName, SETTINGS, Texts};

/// Returns a suite with the selected problem only.
pub(crate) fn suite(name: &ProblemName, allowance: &RequestLimits) -> Result<Suite, Refusal> {
    match name {
        ProblemName::Bundled { domain, problem } => {
            let suite = Registry::get(domain).and_then(|suite| suite.problem(problem));
            Ok(suite.map_err(Refusal::unknown)?.with_limits(allowance.limits))
        }
        ProblemName::Texts { texts } => {
            let suite = Suite::within(files(texts), ActionMode::Declared, allowance.limits);
            suite.map_err(Refusal::from)
        }
    }
}

/// Converts texts to the files of a domain with one problem, which have the names that the texts define.
pub(crate) fn files(texts: &Texts) -> SuiteFiles {
    let settings = (!texts.settings.trim().is_empty()).then(|| Source::new(SETTINGS, &texts.settings));
    SuiteFiles {
        name: defined(&texts.domain, "domain").unwrap_or_else(|| "your".to_owned()),
        domain: Source::new(DOMAIN, &texts.domain),
        config: settings,
        problems: vec![ProblemFile {
            split: None,
            name: defined(&texts.problem, "problem").unwrap_or_else(|| "problem".to_owned()),
            source: Source::new(PROBLEM, &texts.problem),
        }],
    }
}

/// Returns the name of the first definition of a kind (`domain` or `problem`) in a PDDL text.
fn defined(text: &str, kind: &str) -> Option<String> {
    let code = text.lines().filter_map(|line| line.split(';').next());
    let words = code.flat_map(|line| line.split(|c: char| c.is_whitespace() || "()".contains(c)));
    let mut words = words.filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        if word.eq_ignore_ascii_case("define") && words.next()?.eq_ignore_ascii_case(kind) {
            return words.next().map(str::to_ascii_lowercase);
        }
    }
    None
}
