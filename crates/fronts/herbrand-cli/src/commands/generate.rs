//! `herbrand generate`: generates problems of a bundled domain, of a given size.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use herbrand::env::{Split, SuiteFiles};
use herbrand::generate::{GenerateError, Generated, Generator};
use serde::Serialize;

use crate::failure::{Failure, refuse};
use crate::files;
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};
use crate::progress::Progress;

/// Generate problems of a bundled domain
///
/// Every problem is solvable: it is generated together with a plan. The same seed, size and index always give the same
/// problem.
///
/// Without --out, one problem is printed. With --out, problems are written to a folder together with the domain and its
/// settings; other commands accept that folder as a domain. Several runs can add to one folder.
#[derive(Args)]
#[command(
    after_help = "Examples:
  herbrand generate blocks --size 20 --seed 7
  herbrand generate sokoban --size 8 --count 100 --plans --out my-sokoban
  herbrand rollout my-sokoban

Use --help for the list of domains and the meaning of --size in each.",
    after_long_help = catalogue()
)]
pub struct Generate {
    /// A bundled domain; with its level if it has levels
    #[arg(value_name = "DOMAIN")]
    domain: String,

    /// The size of the problems, always needed; its meaning depends on the domain
    #[arg(long = "size", value_name = "N")]
    given_size: Option<u32>,

    /// The size, which is given.
    #[arg(skip)]
    size: u32,

    /// The random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// The number of problems
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,

    /// The index of the first problem
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u64,

    /// Write the problems to this folder; it is created if it does not exist
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Add the problems to the training or the test problems of the folder
    #[arg(long, value_name = "train|test", requires = "out")]
    split: Option<Split>,

    /// Write the plans too: to the folder `plans`, or as comments after the problem
    #[arg(long)]
    plans: bool,

    /// Ground every problem and validate its plan
    #[arg(long)]
    check: bool,

    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Serialize)]
struct GeneratedProblem<'g> {
    domain: &'g str,
    size: u32,
    seed: u64,
    index: u64,
    name: &'g str,
    objects: usize,
    problem: &'g str,
    plan: &'g [String],
}

#[derive(Serialize)]
struct Many<'g> {
    domain: &'g str,
    size: u32,
    seed: u64,
    first: u64,
    folder: &'g Path,
    problems: Vec<Written>,
}

#[derive(Serialize)]
struct Written {
    index: u64,
    file: PathBuf,
    objects: usize,
    plan_steps: usize,
}

impl Generate {
    pub fn run(mut self, format: Format) -> Result<CommandOutcome, Failure> {
        let generator = Generator::get(&self.domain).map_err(|error| match error {
            GenerateError::UnknownDomain { .. } => {
                let names: Vec<_> = Generator::all().iter().map(Generator::name).collect();
                Failure::Request(format!(
                    "{error}; there is one for each of these bundled domains: {}",
                    names.join(", ")
                ))
            }
            error => Failure::of(error),
        })?;
        let Some(size) = self.given_size else {
            let (sizes, meaning) = (generator.sizes(), generator.size_meaning());
            return refuse(format!(
                "--size is missing: for {}, it is the {meaning}, from {} to {}",
                generator.name(),
                sizes.start(),
                sizes.end()
            ));
        };
        self.size = size;
        match &self.out {
            Some(file) if is_problem_file(file) => {
                return refuse(format!(
                    "--out takes a folder, but `{0}` looks like a file: write `… > {0}`",
                    file.display()
                ));
            }
            Some(folder) => self.write(generator, folder, format)?,
            None if self.count == 1 => self.print(&self.generate(generator, self.first)?, format)?,
            None => {
                return refuse(format!("{} problems need a folder: add --out DIR", self.count));
            }
        }
        Ok(CommandOutcome::Yes)
    }

    fn generate(&self, generator: &Generator, index: u64) -> Result<Generated, Failure> {
        let problem = generator
            .generate(self.seed, self.size, index)
            .map_err(|error| match error {
                GenerateError::Exhausted { .. } => Failure::Limit(error.to_string()),
                error => Failure::of(error),
            })?;
        if self.check {
            problem.certify().map_err(Failure::of)?;
        }
        Ok(problem)
    }

    fn print(&self, problem: &Generated, format: Format) -> Result<(), Failure> {
        if format == Format::Json {
            let one = GeneratedProblem {
                domain: problem.domain,
                size: self.size,
                seed: self.seed,
                index: self.first,
                name: &problem.name,
                objects: problem.objects,
                problem: &problem.problem,
                plan: &problem.plan,
            };
            return Ok(output::json(&one)?);
        }
        let mut out = output::out();
        write!(out, "{}", problem.problem)?;
        if self.plans {
            writeln!(out, "; A plan:")?;
            for step in &problem.plan {
                writeln!(out, "; {step}")?;
            }
        }
        Ok(out.flush()?)
    }

    /// Writes the problems into a folder.
    fn write(&self, generator: &Generator, folder: &Path, format: Format) -> Result<(), Failure> {
        let last = self.first.checked_add(self.count);
        let last = last.ok_or_else(|| Failure::Request("the last index is too large".to_owned()))?;
        let files = generator.files().map_err(Failure::of)?;
        let split = self.split.map(|split| split.to_string());
        let problems = folder.join(split.as_deref().unwrap_or("problems"));
        let plans = folder.join("plans").join(split.as_deref().unwrap_or(""));
        let progress = Progress::of(self.count, "problems");
        let mut written = Vec::new();
        for index in self.first..last {
            let problem = self.generate(generator, index)?;
            if written.is_empty() {
                prepare(folder, &files)?;
            }
            let file = problems.join(format!("{}.pddl", problem.name));
            let plan = plans.join(format!("{}.plan", problem.name));
            let plan = self.plans.then(|| (plan, problem.plan_text()));
            let written_now: Vec<_> = [(file.clone(), problem.problem)]
                .into_iter()
                .chain(plan)
                .collect();
            files::write_files(&written_now)?;
            written.push(Written {
                index,
                file,
                objects: problem.objects,
                plan_steps: problem.plan.len(),
            });
            progress.advance(1);
        }
        progress.finish();
        self.report(generator, folder, written, format)
    }

    fn report(
        &self,
        generator: &Generator,
        folder: &Path,
        problems: Vec<Written>,
        format: Format,
    ) -> Result<(), Failure> {
        let domain = generator.name();
        if format == Format::Json {
            return Ok(output::json(&Many {
                domain,
                size: self.size,
                seed: self.seed,
                first: self.first,
                folder,
                problems,
            })?);
        }
        let mut out = output::out();
        let (size, count) = (self.size, problems.len());
        let noun = if count == 1 { "problem" } else { "problems" };
        let checked = if self.check { ", plans executed" } else { "" };
        let folder = folder.display();
        writeln!(out, "{count} {noun} of {domain}, size {size}{checked}: {folder}")?;
        Ok(out.flush()?)
    }
}

/// Returns whether a path names a single problem file rather than a folder of problems.
fn is_problem_file(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pddl") && !path.is_dir()
}

/// Writes the domain and its settings into the folder, unless they are there.
fn prepare(folder: &Path, files: &SuiteFiles) -> Result<(), Failure> {
    let settings = files.config.iter().map(|source| ("env.toml", source));
    let files = settings.chain([("domain.pddl", &files.domain)]);
    let files = files.map(|(name, source)| (folder.join(name), source.text()));
    files::write_files(&files.collect::<Vec<_>>())
}

/// Returns the text after the long help: examples, and the meaning and range of each domain's sizes.
fn catalogue() -> String {
    let mut text = "Examples:
  herbrand generate blocks --size 20 --seed 7
  herbrand generate sokoban --size 8 --count 100 --plans --out my-sokoban
  herbrand rollout my-sokoban

Domains, the meaning of --size, and its range:\n"
        .to_owned();
    for generator in Generator::all() {
        let (sizes, meaning) = (generator.sizes(), generator.size_meaning());
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  {:<22} {meaning:<32} {:>2} to {}",
            generator.name(),
            sizes.start(),
            sizes.end()
        );
    }
    text
}
