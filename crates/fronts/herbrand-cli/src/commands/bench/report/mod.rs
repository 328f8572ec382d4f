//! `herbrand bench --report`: an HTML page with all measurements, including those of the installed Python packages.

mod machine;
mod page;
mod peers;
mod plot;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::table::Table;
use super::{Bench, Row, peer::Walks};
use crate::failure::Failure;
use crate::files::{Mark, check_before, write_file};
use crate::interrupt::Interrupt;
use crate::problems::Problems;
use crate::python::python;

use machine::Machine;
use peers::{Files, PDDLGYM, Protocol, Versions};

/// The data for the HTML page of `--report`, collected domain by domain.
pub struct Report {
    file: PathBuf,
    python: PathBuf,
    /// The package versions of the Python; `None` if that Python does not run.
    versions: Option<Versions>,
    machine: Machine,
    compared: Vec<Compared>,
}

/// The speeds of Herbrand and another package on the same problem.
#[derive(Serialize)]
pub struct Compared {
    pub domain: String,
    pub problem: String,
    pub peer: String,
    /// Herbrand's steps per second on the problem.
    pub steps_per_s: f64,
    pub theirs: Walks,
    /// Herbrand's speed divided by the peer's; `None` if the peer failed.
    pub ratio: Option<f64>,
}

/// The data of the page, embedded in it as JSON.
#[derive(Serialize)]
struct Data<'a> {
    herbrand: &'static str,
    command: &'a str,
    machine: &'a Machine,
    python: &'a Option<Versions>,
    domains: &'a [Row],
    peers: &'a [Compared],
}

impl Report {
    /// Starts a report for this machine and its installed peers.
    ///
    /// # Errors
    /// Fails if the file cannot be written; the check comes before any measurement.
    pub fn begin(file: &Path, bench: &Bench) -> Result<Self, Failure> {
        check_before(Some(file), Mark::Markup)?;
        let python = python(bench.python.as_deref());
        Ok(Self {
            file: file.to_owned(),
            versions: Versions::of(&python),
            python,
            machine: Machine::now(),
            compared: Vec::new(),
        })
    }

    /// Returns whether PDDLGym is among the installed peers.
    pub fn has_pddlgym(&self) -> bool {
        self.peers().contains_key(PDDLGYM)
    }

    fn peers(&self) -> BTreeMap<String, String> {
        self.versions
            .as_ref()
            .map_or_else(BTreeMap::new, |found| found.peers.clone())
    }

    /// Measures Herbrand and each installed package on the middle problem of a domain. PDDLGym's result comes from `row`.
    ///
    /// # Errors
    /// Fails if the problem is invalid, or if its files cannot be written.
    pub fn compare(
        &mut self,
        bench: &Bench,
        problems: &Problems,
        row: &Row,
        interrupt: Interrupt,
    ) -> Result<(), Failure> {
        if let Some(beside) = &row.peer {
            self.compared.push(Compared {
                domain: row.domain.clone(),
                problem: "PDDLGym's".to_owned(),
                peer: PDDLGYM.to_owned(),
                steps_per_s: beside.steps_per_s,
                theirs: beside.pddlgym.clone(),
                ratio: beside.ratio,
            });
        }
        let middle = problems.len() / 2;
        let peers = self.peers();
        let Some(files) =
            Files::of(problems, middle)?.filter(|files| peers.keys().any(|peer| files.are_for(peer)))
        else {
            return Ok(());
        };
        let protocol = Protocol {
            steps: bench.steps,
            seconds: bench.seconds,
            limit: bench.limit,
            seed: bench.seed,
        };
        let steps_per_s = bench.measure(&problems.only(middle)?, interrupt)?;
        for peer in peers.keys().filter(|peer| files.are_for(peer)) {
            if interrupt.is_pressed() {
                break;
            }
            let theirs = files.walk(&self.python, peer, &protocol);
            self.compared.push(Compared {
                domain: row.domain.clone(),
                problem: files.problem.clone(),
                peer: peer.clone(),
                steps_per_s,
                ratio: theirs.steps_per_s.map(|rate| steps_per_s / rate),
                theirs,
            });
        }
        Ok(())
    }

    /// Writes the HTML page to the file given to [`begin`](Self::begin).
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn finish(self, bench: &Bench, table: &Table<'_>) -> Result<(), Failure> {
        let command = bench.command_line(&self.file);
        let data = Data {
            herbrand: env!("CARGO_PKG_VERSION"),
            command: &command,
            machine: &self.machine,
            python: &self.versions,
            domains: table.rows,
            peers: &self.compared,
        };
        write_file(&self.file, page::page(&data, table), Mark::Markup)?;
        let count = self.compared.iter().filter(|one| one.ratio.is_some()).count();
        anstream::eprintln!(
            "{}: {} domains, {count} comparisons",
            self.file.display(),
            table.rows.len()
        );
        Ok(())
    }
}

impl Bench {
    /// Returns the command line that repeats the measurement.
    fn command_line(&self, file: &Path) -> String {
        let mut words = vec!["herbrand bench".to_owned()];
        words.extend(self.domains.iter().cloned());
        let engine = clap::ValueEnum::to_possible_value(&self.engine);
        words.extend([
            format!("--seconds {}", self.seconds),
            format!("--steps {}", self.steps),
            format!("--seed {}", self.seed),
            format!("--limit {}", self.limit),
            format!(
                "--engine {}",
                engine.map_or_else(String::new, |value| value.get_name().to_owned())
            ),
        ]);
        for (option, path) in [
            ("--python", &self.python),
            ("--corpus", &self.corpus),
            ("--figures", &self.figures),
        ] {
            words.extend(path.iter().map(|path| format!("{option} {}", path.display())));
        }
        words.push(format!("--report {}", file.display()));
        words.join(" ")
    }
}
