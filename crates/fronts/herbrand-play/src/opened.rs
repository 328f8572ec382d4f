//! A compiled problem with its sentences, which sessions share.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use herbrand_limits::{Budget, Limits};
use herbrand_tasks::AnyProblems;
use herbrand_tasks::any::Internals;
use herbrand_text::Source;
use herbrand_verbalize::{Syntax, TextTable, TextVocabulary, Wording};

use crate::allowance::RequestLimits;
use crate::fault::{at_fault, of_wording};
use crate::game::{self, Game};
use crate::refusal::{Reason, Refusal};
use crate::reply::GoalPart;
use crate::request::{ProblemName, WalkPosition};
use herbrand_assist::Language;

/// The name of the text with sentences in messages.
const SENTENCES: &str = "sentences";

/// A compiled problem with its sentences, shared by sessions.
pub(crate) struct Opened {
    /// The text of the table of sentences.
    pub(crate) table: Option<String>,
    pub(crate) problem: ProblemName,
    pub(crate) language: Language,
    pub(crate) bytes: u64,
    pub(crate) wording: Wording,
    /// The sentences of the parts of the goal, by their texts. Made for the first view.
    goal_sentences: OnceLock<HashMap<String, String>>,
    /// The ground problem as text, with as many lines as any session may list. Made when it is asked for.
    inside: OnceLock<Internals>,
    /// The problem at its initial state.
    game: Mutex<Game>,
}

impl Opened {
    /// Compiles a problem and makes its sentences.
    pub(crate) fn new(
        problem: &ProblemName,
        table: Option<&str>,
        allowance: &RequestLimits,
    ) -> Result<Self, Refusal> {
        let texts = match problem {
            ProblemName::Texts { texts } => vec![&texts.domain, &texts.problem, &texts.settings],
            ProblemName::Bundled { .. } => Vec::new(),
        };
        check_lengths(texts.iter().map(|text| text.len()), allowance)?;
        Self::of(problem, table, allowance, || game::find(problem, allowance))
    }

    /// Compiles the first of the problems that `find` returns, and makes its sentences.
    pub(crate) fn of(
        problem: &ProblemName,
        table: Option<&str>,
        allowance: &RequestLimits,
        find: impl FnOnce() -> Result<AnyProblems, Refusal>,
    ) -> Result<Self, Refusal> {
        check_lengths(table.iter().map(|text| text.len()), allowance)?;
        within(allowance, || {
            let parsed = table
                .map(|text| TextTable::parse(&Source::new(SENTENCES, text)))
                .transpose();
            let parsed = parsed.map_err(|faults| at_fault(&faults))?;
            let problems = find()?;
            let wording = worded(&problems, parsed.as_ref());
            // Sessions are drawn on demand.
            let undrawn = RequestLimits {
                drawn: 0,
                ..*allowance
            };
            let mut game = Game::of(problems, &undrawn)?;
            game.go(&start(problem, 0), allowance)?;
            let language = game.language;
            Ok(Self {
                goal_sentences: OnceLock::new(),
                inside: OnceLock::new(),
                language: language.unwrap_or_else(|| game::language(problem)),
                wording: wording?,
                bytes: game.bytes(),
                table: table.map(str::to_owned),
                problem: problem.clone(),
                game: Mutex::new(game),
            })
        })
    }

    /// Returns the parts of the goal as sentences, a line each.
    pub(crate) fn goal_text(&self, goal: &[GoalPart]) -> String {
        let said = |part: &GoalPart| self.wording.goal(&part.text);
        let known = self.goal_sentences.get_or_init(|| {
            let parts = goal.iter().map(|part| (part.text.clone(), said(part)));
            parts.collect()
        });
        let lines = goal.iter().map(|part| match known.get(&part.text) {
            Some(known) => known.clone(),
            None => said(part),
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Returns the ground problem as text, with at most `listed` lines per section; `most` is the limit of all sessions.
    pub(crate) fn grounding(&self, listed: usize, most: usize) -> Internals {
        let whole = self.inside.get_or_init(|| {
            let game = self.game.lock().unwrap_or_else(PoisonError::into_inner);
            game.look().internals(most)
        });
        let mut cut = whole.clone();
        for section in &mut cut.sections {
            section.lines.truncate(listed);
        }
        cut
    }

    /// Returns the same problem, compiled once, at its initial state without a walk.
    pub(crate) fn fresh(&self) -> Result<Game, Refusal> {
        let game = self.game.lock().unwrap_or_else(PoisonError::into_inner);
        game.fresh()
    }
}

/// Returns the sentences of the first problem, with a table if there is one. Domains under edit have none: their facts and
/// actions are written in the syntax of the language.
fn worded(problems: &AnyProblems, table: Option<&TextTable>) -> Result<Wording, Refusal> {
    match problems {
        AnyProblems::Pddl(suite) => Wording::of_planning(suite, 0, table).map_err(of_wording),
        AnyProblems::Rddl(suite) => Wording::of_rddl(suite, 0, table).map_err(of_wording),
        AnyProblems::World(_) if table.is_some() => Err(Refusal::unknown("this language has no sentences")),
        AnyProblems::World(_) => {
            let none = TextVocabulary {
                syntax: Syntax::Pddl,
                facts: Vec::new(),
                actions: Vec::new(),
                objects: Vec::new(),
                types: Vec::new(),
            };
            Ok(Wording::fitting(none, None))
        }
    }
}

/// Refuses texts that are too long.
fn check_lengths(mut lengths: impl Iterator<Item = usize>, allowance: &RequestLimits) -> Result<(), Refusal> {
    match lengths.find(|&length| length > allowance.text) {
        None => Ok(()),
        Some(length) => {
            let most = allowance.text;
            Err(Refusal::limit(format!(
                "a text has {length} bytes; the limit is {most}"
            )))
        }
    }
}

/// Returns the initial position of a problem.
pub(crate) fn start(problem: &ProblemName, seed: u64) -> WalkPosition {
    WalkPosition {
        problem: problem.clone(),
        seed,
        walk: Vec::new(),
    }
}

/// Runs a computation within the time limit.
pub(crate) fn within<T>(
    allowance: &RequestLimits,
    work: impl FnOnce() -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let budget = Budget::new(Limits {
        bytes: None,
        time: allowance.limits.time,
    });
    budget.enclose(work).map_err(|refusal| {
        // An engine may report an exhausted budget as a failed step.
        match budget
            .check("answering", 0)
            .err()
            .filter(|_| refusal.kind != Reason::Limit)
        {
            Some(exhausted) => Refusal::limit(exhausted),
            None => refusal,
        }
    })
}
