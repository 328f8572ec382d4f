//! `herbrand exam make`: makes questions with exact answers.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use herbrand::env::ActionMode;
use herbrand::exam::{self, ExamOptions, Kind, OwnDomain, Question, Style};
use herbrand::limits::Budget;
use herbrand::tasks::AnyProblems;
use serde::Serialize;

use crate::failure::{Failure, ValueError, refuse};
use crate::files;
use crate::input;
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};
use crate::problem::sort_words;
use crate::progress::Progress;

/// Make questions about planning problems
///
/// Writes one JSON object a line, with the text of the question, the choices, the answer, the question in PDDL or RDDL,
/// and its difficulty. The same options and seed give the same questions. Every answer is computed by the engine and
/// again by a brute-force interpreter; if they disagree, the command fails.
///
/// Kinds and domains take turns. Each listed answer is right equally often, and right and wrong choices are alike in
/// form.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand exam make --count 500 --seed 1 --out exam.jsonl
  herbrand exam make --domain blocks,logistics --kind plan-valid,gap --length 4..8
  herbrand exam make --pddl --obfuscate --count 50 --out hard.jsonl
  herbrand exam make --domain rddl/traffic,rddl/navigation-mdp --count 20
  herbrand exam make domain.pddl problem.pddl --count 20
  herbrand exam make domain.rddl instance.rddl --count 20

Kinds: plan-valid, plan-failure, why-not, applicable, after, reachable, landmark,
optimal-length, gap, next-action, same-problem, plan; with chance: probability,
expected-reward; in RDDL: rddl-after, rddl-valid, rddl-why-not, rddl-probability, rddl-reward.")]
pub struct Make {
    /// A domain of your own and its problems, or a folder with both; without it, bundled domains
    #[arg(value_name = "FILE|FOLDER", conflicts_with = "domain")]
    own: Vec<String>,

    /// The number of questions
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,

    /// Only these kinds of questions; each gets the same share
    #[arg(long, value_name = "KIND,…", value_delimiter = ',')]
    kind: Vec<Kind>,

    /// Only these bundled domains, with their levels, such as blocks or rddl/traffic
    #[arg(long, value_name = "DOMAIN,…", value_delimiter = ',')]
    domain: Vec<String>,

    /// The random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// The lengths that a shortest plan may have
    #[arg(long, value_name = "N..N", default_value = "1..12", value_parser = range)]
    length: (u64, u64),

    /// The numbers of states that A* may expand to find a shortest plan; leaves chance and RDDL out
    #[arg(long, value_name = "N..N", value_parser = range)]
    effort: Option<(u64, u64)>,

    /// Write problems in PDDL instead of sentences; problems in RDDL are always written in RDDL
    #[arg(long)]
    pddl: bool,

    /// Replace all names by invented ones
    #[arg(long)]
    obfuscate: bool,

    /// Write the questions to this file, and a card that describes them next to it
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    pub(super) limits: LimitArgs,
}

/// The printed result of writing questions to a file.
#[derive(Serialize)]
struct Made<'m> {
    file: &'m PathBuf,
    #[serde(flatten)]
    card: &'m exam::Card,
}

impl Make {
    pub(super) fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let lengths = (small(self.length.0)?, small(self.length.1)?);
        let options = ExamOptions {
            count: self.count as usize,
            kinds: self.kind.clone(),
            domains: self.domain.clone(),
            own: self.own()?,
            seed: self.seed,
            lengths,
            effort: self.effort,
            style: if self.pddl { Style::Pddl } else { Style::Text },
            obfuscated: self.obfuscate,
        };
        files::check_before(self.out.as_deref())?;
        let card_path = self.out.as_ref().map(|path| path.with_extension("card.json"));
        files::check_before(card_path.as_deref())?;
        let progress = Progress::of(self.count.into(), "questions");
        let budget = Budget::new(self.limits.limits());
        let made = exam::make(&options, &budget, &|made| progress.reach(made as u64));
        progress.finish();
        let questions: Vec<Question> = made.map_err(super::request)?;
        if let Some(note) = exam::missing_kinds(&options, &questions) {
            anstream::eprintln!("note: {note}");
        }
        let text = exam::write_lines(&questions).map_err(Failure::of)?;
        let (Some(path), Some(card_path)) = (&self.out, card_path) else {
            if format == Format::Json {
                return Ok(output::json(&questions).map(|()| CommandOutcome::Yes)?);
            }
            let mut out = output::out();
            out.write_all(text.as_bytes())?;
            out.flush()?;
            return Ok(CommandOutcome::Yes);
        };
        let card = exam::card(&options, &questions);
        let written = serde_json::to_string(&card).map_err(Failure::of)?;
        files::write_file(path, &text)?;
        files::write_file(&card_path, written + "\n")?;
        if format == Format::Json {
            output::json(&Made {
                file: path,
                card: &card,
            })?;
        } else {
            files::report_written(path, herbrand::text::counted(questions.len(), "question"));
            files::report_written(&card_path, "the card");
        }
        Ok(CommandOutcome::Yes)
    }
}

impl Make {
    /// Reads the domain and the problems that the words name, with the table of sentences beside the domain.
    fn own(&self) -> Result<Option<OwnDomain>, Failure> {
        if self.own.is_empty() {
            return Ok(None);
        }
        let words = sort_words(None, &[], self.own.iter().cloned())?;
        let opener = input::opener(ActionMode::Operators, self.limits.limits());
        let mut sets = opener.sets(&words, None)?;
        let suite = match (sets.pop(), sets.is_empty()) {
            (Some(AnyProblems::Pddl(suite)), true) => suite,
            (Some(AnyProblems::Rddl(suite)), true) => {
                let files = self.own.iter().map(Path::new);
                let table = files.filter_map(|path| {
                    input::sentences_file(&path.join("domain.rddl")).or_else(|| input::sentences_file(path))
                });
                if let Some(table) = table.into_iter().next() {
                    anstream::eprintln!(
                        "note: questions in RDDL have no sentences: they leave {} out",
                        table.display()
                    );
                }
                return Ok(Some(OwnDomain::of_rddl(&suite)?));
            }
            _ => {
                return refuse(
                    "questions are about one domain: for several domains, use `--domain` with bundled ones",
                );
            }
        };
        let domain = suite.domain_source().map(|source| source.name().to_owned());
        let domain = domain.as_deref().map(Path::new);
        let sentences = domain
            .and_then(input::sentences_file)
            .map(|path| input::read(&path))
            .transpose()?;
        let settings = domain.map(|path| opener.settings(path)).transpose()?.flatten();
        let own = OwnDomain::of_suite(&suite, sentences, settings)?;
        let left_out = own.left_out()?;
        if let Some(settings) = own.settings.as_ref().filter(|_| !left_out.is_empty()) {
            anstream::eprintln!(
                "note: questions are about operators, whole states and plans of any length: they leave {} of {} out",
                left_out.join(", "),
                settings.name()
            );
        }
        Ok(Some(own))
    }
}

fn small(number: u64) -> Result<u32, Failure> {
    u32::try_from(number).map_err(|_| Failure::Request(format!("the length {number} is too large")))
}

/// Reads a range such as `4..12`, or a single number.
fn range(text: &str) -> Result<(u64, u64), ValueError> {
    let number = |part: &str| {
        let number = part.trim().parse();
        number.map_err(|_| ValueError::Range(text.to_owned()))
    };
    let (least, most) = match text.split_once("..") {
        Some((least, most)) => (number(least)?, number(most.trim_start_matches('='))?),
        None => (number(text)?, number(text)?),
    };
    if least > most {
        return Err(ValueError::Empty(least, most));
    }
    Ok((least, most))
}
