//! The interface of planning.domains: problems, domains and collections by number.
//!
//! An answer is a JSON object with `error`, and with `result` or `message`. A problem has `domain_url`, `problem_url` and its
//! name `problem`; a domain has `domain_id` and `domain_name`; a collection has `collection_name`.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::client::Client;
use super::error::FetchError;
use super::names::{plain, unused};
use super::{Files, checked_text};

/// The beginning of identifiers.
pub const PREFIX: &str = "planning-domains:";

#[derive(Deserialize)]
struct Problem {
    problem: String,
    #[serde(default)]
    domain: String,
    domain_url: String,
    problem_url: String,
}

#[derive(Deserialize)]
struct Domain {
    domain_id: u64,
    domain_name: String,
}

#[derive(Deserialize)]
struct Collection {
    collection_name: String,
}

/// Returns the files of an identifier, such as `planning-domains:domain/12`. A number alone is a problem's.
pub fn files(identifier: &str, interface: &str, client: &mut Client) -> Result<Files, FetchError> {
    let malformed = || FetchError::Identifier(identifier.to_owned());
    let rest = identifier.strip_prefix(PREFIX).ok_or_else(malformed)?;
    let (kind, id) = rest.split_once('/').unwrap_or(("problem", rest));
    let id: u64 = id.parse().map_err(|_| malformed())?;
    let mut source = Interface {
        base: interface.trim_end_matches('/'),
        client,
    };
    let mut files = Files::default();
    match kind {
        "problem" => {
            let problem: Problem = source.ask("problem", id)?;
            files.name = format!("{}-{}", problem.domain, stem(&problem.problem));
            source.add("", &[problem], &mut files)?;
        }
        "domain" => {
            let domain: Domain = source.ask("domain", id)?;
            files.name = domain.domain_name;
            let problems: Vec<Problem> = source.ask("problems", id)?;
            source.add("", &problems, &mut files)?;
        }
        "collection" => {
            let collection: Collection = source.ask("collection", id)?;
            files.name = collection.collection_name;
            let domains: Vec<Domain> = source.ask("domains", id)?;
            let mut names: Vec<String> = Vec::new();
            for domain in domains {
                let mut name = plain(&domain.domain_name);
                if names.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
                    name = format!("{name}-{}", domain.domain_id);
                }
                let problems: Vec<Problem> = source.ask("problems", domain.domain_id)?;
                source.add(&format!("{name}/"), &problems, &mut files)?;
                names.push(name);
            }
        }
        _ => return Err(malformed()),
    }
    if files.contents.is_empty() {
        return Err(FetchError::Answer {
            url: source.base.to_owned(),
            reason: "names no problems".to_owned(),
        });
    }
    Ok(files)
}

/// Returns a name without the ending of problem files.
fn stem(name: &str) -> &str {
    name.strip_suffix(".pddl").unwrap_or(name)
}

struct Interface<'c> {
    base: &'c str,
    client: &'c mut Client,
}

impl Interface<'_> {
    /// Asks for an object or a list by its kind and number.
    fn ask<T: DeserializeOwned>(&mut self, kind: &str, id: u64) -> Result<T, FetchError> {
        let url = format!("{}/{kind}/{id}", self.base);
        let bytes = self.client.get(&url)?;
        let failed = |reason: String| FetchError::Answer {
            url: url.clone(),
            reason,
        };
        let answer: Value =
            serde_json::from_slice(&bytes).map_err(|error| failed(format!("is no JSON: {error}")))?;
        let is_error = !matches!(answer["error"], Value::Null | Value::Bool(false));
        if is_error || answer["result"].is_null() {
            let message = answer["message"].as_str().unwrap_or("there is no result");
            let message: String = message.chars().filter(|c| !c.is_control()).take(200).collect();
            return Err(failed(format!("is an error: {message}")));
        }
        serde_json::from_value(answer["result"].clone())
            .map_err(|error| failed(format!("is not of the known form: {error}")))
    }

    /// Fetches the domains and problems into a folder. The domain's file is `domain.pddl` if all problems have the same, or
    /// else has the name of the problem after `domain-`.
    fn add(&mut self, folder: &str, problems: &[Problem], files: &mut Files) -> Result<(), FetchError> {
        let one_domain = problems
            .windows(2)
            .all(|pair| pair[0].domain_url == pair[1].domain_url);
        for (index, problem) in problems.iter().enumerate() {
            let name = format!("{folder}{}.pddl", plain(stem(&problem.problem)));
            let name = unused(&files.contents, &name);
            let file = name.strip_prefix(folder).unwrap_or(&name);
            let domain = if one_domain {
                "domain.pddl".to_owned()
            } else {
                format!("domain-{file}")
            };
            if index == 0 || !one_domain {
                self.get(&problem.domain_url, format!("{folder}{domain}"), files)?;
            }
            let name = unused(&files.contents, &name);
            self.get(&problem.problem_url, name, files)?;
        }
        Ok(())
    }

    fn get(&mut self, url: &str, path: String, files: &mut Files) -> Result<(), FetchError> {
        let bytes = self.client.get_from(url, Some(self.base))?;
        let text = checked_text(url, bytes)?;
        files.contents.insert(path, text.into_bytes());
        Ok(())
    }
}
