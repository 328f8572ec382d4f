//! Published figures for comparison: those of the PDDLGym paper, and those that a file lists.

use std::collections::BTreeMap;
use std::path::Path;

use herbrand::env::Registry;
use herbrand::pddl::Source;
use serde::Serialize;

use super::paper;
use crate::failure::Failure;
use crate::input;

/// Published speeds, in steps per second, by domain.
pub struct Figures {
    /// The title of the column that shows the figures.
    pub name: String,
    by_domain: BTreeMap<String, Entry>,
}

struct Entry {
    /// The line of the file, from 1; 0 if the figure is not from a file.
    line: usize,
    steps_per_s: f64,
}

/// A published speed of one domain, and Herbrand's ratio to it.
#[derive(Serialize)]
pub struct Figure {
    source: String,
    pub steps_per_s: f64,
    /// Herbrand's steps per second divided by the published figure.
    pub ratio: f64,
}

impl Figures {
    /// Returns the figures of the paper on PDDLGym.
    pub fn of_paper() -> Self {
        let entry = |(name, steps_per_s): (&str, f64)| (name.to_owned(), Entry { line: 0, steps_per_s });
        Self {
            name: paper::NAME.to_owned(),
            by_domain: paper::SPEEDS.into_iter().map(entry).collect(),
        }
    }

    /// Reads published figures from a file with lines `domain,steps per second`. Empty lines and lines that start with `#`
    /// are skipped. If the first line has text in place of the number, it is a header, and this text is the title of the
    /// column; otherwise the title is the file name without its extension. Each domain must be bundled or in `others`.
    ///
    /// # Errors
    /// Fails if the file cannot be read or a line is wrong; the error lists all wrong lines.
    pub fn read(path: &Path, others: &[String]) -> Result<Self, Failure> {
        let source = input::read(path)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let (figures, mut faults) = Self::parse(&source, &stem);
        faults.extend(figures.unknown(others)?);
        faults.sort();
        if faults.is_empty() {
            return Ok(figures);
        }
        let lines = faults
            .iter()
            .map(|(line, fault)| format!("\n  line {line}: {fault}"));
        Err(Failure::Request(format!(
            "{}: {} error(s){}",
            source.name(),
            faults.len(),
            lines.collect::<String>()
        )))
    }

    fn parse(source: &Source, name: &str) -> (Self, Vec<Fault>) {
        let mut figures = Self {
            name: name.to_owned(),
            by_domain: BTreeMap::new(),
        };
        let mut faults = Vec::new();
        let lines = source.text().lines().map(str::trim).zip(1..);
        let lines = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
        for (place, (text, line)) in lines.enumerate() {
            let Some((domain, value)) = text.split_once(',') else {
                faults.push((line, "expected `domain,number`".to_owned()));
                continue;
            };
            let (domain, value) = (domain.trim(), value.trim());
            match value.parse::<f64>() {
                Ok(steps_per_s) if steps_per_s.is_finite() && steps_per_s > 0.0 => {
                    let entry = Entry { line, steps_per_s };
                    if let Some(earlier) = figures.by_domain.insert(domain.to_owned(), entry) {
                        let fault = format!("`{domain}` already has a figure in line {}", earlier.line);
                        faults.push((line, fault));
                    }
                }
                Err(_) if place == 0 && !value.is_empty() => value.clone_into(&mut figures.name),
                _ => faults.push((line, format!("`{value}` is not a positive number"))),
            }
        }
        (figures, faults)
    }

    /// Returns an error for each domain that is neither bundled nor in `others`.
    fn unknown(&self, others: &[String]) -> Result<Vec<Fault>, Failure> {
        let bundled = Registry::names()?;
        let is_known = |name: &String| bundled.contains(name) || others.contains(name);
        let unknown = self.by_domain.iter().filter(|(name, _)| !is_known(name));
        let faults = unknown.filter_map(|(name, entry)| {
            let error = Registry::get(name).err()?;
            Some((entry.line, error.to_string()))
        });
        Ok(faults.collect())
    }

    /// Returns the published figure of `domain`, and the ratio to it of `own`, Herbrand's steps per second. `None` if no
    /// figure is published.
    pub fn beside(&self, domain: &str, own: f64) -> Option<Figure> {
        let steps_per_s = self.by_domain.get(domain)?.steps_per_s;
        Some(Figure {
            source: self.name.clone(),
            steps_per_s,
            ratio: own / steps_per_s,
        })
    }
}

/// A line number and the error in that line.
type Fault = (usize, String);
