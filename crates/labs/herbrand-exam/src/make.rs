//! Making questions.

use std::collections::BTreeMap;

use herbrand_core::Random;
use herbrand_limits::Budget;
use rayon::prelude::*;

use crate::error::ExamError;
use crate::kind::{Kind, Topic};
use crate::lane::{Lane, lanes};
use crate::options::ExamOptions;
use crate::question::Question;
use crate::sheet::Sheet;
use crate::shortage::{Misses, refusal};

/// The number of rounds without a question of a kind after which there are no more.
const IDLE: u32 = 60;
/// The number of questions up to which each one is about a start state of its own: on a sheet that somebody reads as a whole, the
/// plan of one question would answer another about the same start.
const PAPER: usize = 100;
/// The number of rounds without a question of a kind after which it may share start states with others.
const SINGLE: u32 = 40;
/// The greatest number of listed answers of a question.
const ANSWERS: usize = 4;

/// Makes questions about generated problems of the bundled domains, or about a [domain of one's own](ExamOptions::own). Each answer is computed twice: by the engine, and
/// by a [`Checker`](crate::Checker) from the texts of the question. `progress` is called with the number of questions made so far.
///
/// Kinds and domains take turns, also in the order of the questions: the first of them have all kinds. With listed answers, each
/// answer is the right one equally often for every kind, and as far as possible for every domain of a kind. Without
/// [kinds](ExamOptions::kinds) in the options, other kinds take the share of those that the domains cannot give.
///
/// ```
/// use herbrand_exam::{ExamOptions, Kind, make};
/// use herbrand_limits::Budget;
///
/// let options = ExamOptions {
///     count: 2,
///     kinds: vec![Kind::PlanValid],
///     domains: vec!["blocks".to_owned()],
///     ..ExamOptions::default()
/// };
/// let questions = make(&options, &Budget::unlimited(), &|_| {})?;
/// let mut answers: Vec<_> = questions.iter().map(|question| question.answer.as_str()).collect();
/// answers.sort();
/// assert_eq!(answers, ["no", "yes"]);
/// # Ok::<(), herbrand_exam::ExamError>(())
/// ```
///
/// # Errors
/// Fails if a domain is unknown, if the domains have too few problems for a kind of the options, if the budget is exhausted, or if two routes
/// disagree about an answer.
pub fn make(
    options: &ExamOptions,
    budget: &Budget,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Question>, ExamError> {
    let mut lanes = lanes(options, budget)?;
    let mut shelves = shelves(options, &lanes);
    let topics: Vec<Topic> = lanes.iter().map(Lane::topic).collect();
    for shelf in &shelves {
        if let Some(reason) = refusal(shelf.kind, &topics, options) {
            return Err(shelf.shortage(reason));
        }
    }
    let (mut round, mut held) = (0, 0);
    while shelves.iter().any(Shelf::is_open) {
        let open: Vec<Kind> = shelves
            .iter()
            .filter(|shelf| shelf.is_open())
            .map(|shelf| shelf.kind)
            .collect();
        let is_single = |shelf: &&Shelf| options.count <= PAPER && shelf.idle < SINGLE;
        let single: Vec<Kind> = shelves.iter().filter(is_single).map(|shelf| shelf.kind).collect();
        let drawn: Vec<_> = lanes
            .par_iter_mut()
            .map(|lane| lane.sheets(round, &open, &single, options, budget))
            .collect();
        let mut sheets = Vec::new();
        for sheet in drawn {
            sheets.extend(sheet?);
        }
        for shelf in &mut shelves {
            shelf.idle += 1;
            shelf.choose_answers(&mut sheets, options.seed);
        }
        let made: Vec<_> = sheets
            .into_par_iter()
            .map(|sheet| sheet.finish(options, budget))
            .collect();
        for questions in made {
            for question in questions? {
                held += size(&question);
                if let Some(shelf) = shelves.iter_mut().find(|shelf| shelf.kind == question.kind) {
                    shelf.questions.push(question);
                }
            }
        }
        progress(shelves.iter().map(|shelf| shelf.questions.len()).sum());
        budget.check("making questions", held as u64)?;
        let bare = (0..shelves.len()).filter(|&at| shelves[at].is_bare());
        for at in bare.collect::<Vec<_>>() {
            if !(options.kinds.is_empty() && share_out(&mut shelves, at)) {
                let shelf = &shelves[at];
                let mut misses = Misses::default();
                let lanes = lanes.iter().filter(|lane| lane.topic() == shelf.kind.topic());
                lanes.for_each(|lane| misses.add(&lane.misses));
                let reason = misses.reason(shelf.kind, shelf.questions.len(), options);
                return Err(shelf.shortage(reason));
            }
        }
        round += 1;
    }
    Ok(in_turns(
        shelves.into_iter().map(|shelf| shelf.questions).collect(),
    ))
}

/// Takes an item of each list in turns, until all lists are empty.
fn in_turns<T>(lists: Vec<Vec<T>>) -> Vec<T> {
    let mut lists: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let mut items = Vec::new();
    loop {
        let before = items.len();
        items.extend(lists.iter_mut().filter_map(Iterator::next));
        if items.len() == before {
            return items;
        }
    }
}

/// Gives the missing questions of a shelf to the shelves of other kinds that are not short of questions themselves, in
/// turns. Returns `false` if there are none.
fn share_out(shelves: &mut [Shelf], bare: usize) -> bool {
    let missing = shelves[bare].wanted - shelves[bare].questions.len();
    let able: Vec<usize> = (0..shelves.len())
        .filter(|&at| at != bare && !shelves[at].questions.is_empty() && !shelves[at].is_bare())
        .collect();
    if able.is_empty() {
        return false;
    }
    shelves[bare].wanted -= missing;
    for &at in able.iter().cycle().take(missing) {
        shelves[at].wanted += 1;
        shelves[at].idle = 0;
    }
    true
}

/// Returns the bytes of a question, roughly.
fn size(question: &Question) -> usize {
    let texts = [&question.question, &question.domain_text, &question.problem_text];
    size_of::<Question>() + 2 * texts.map(String::len).iter().sum::<usize>()
}

/// The questions of one kind.
struct Shelf {
    kind: Kind,
    wanted: usize,
    questions: Vec<Question>,
    /// The number of questions whose answers are chosen.
    chosen: usize,
    /// How often each listed answer is the right one.
    counts: [u32; ANSWERS],
    /// The same for each domain.
    domains: BTreeMap<String, [u32; ANSWERS]>,
    /// The number of rounds since a question was added.
    idle: u32,
}

impl Shelf {
    /// Returns the error that there are too few questions.
    const fn shortage(&self, reason: String) -> ExamError {
        ExamError::Shortage {
            kind: self.kind,
            made: self.questions.len(),
            wanted: self.wanted,
            reason,
        }
    }

    const fn is_open(&self) -> bool {
        self.questions.len() < self.wanted
    }

    /// Returns whether questions are missing that cannot be made.
    const fn is_bare(&self) -> bool {
        self.is_open() && self.idle > IDLE
    }

    /// Chooses the right answers of the questions of this kind, as many as are wanted, and removes the others. The next
    /// answer has been right least often in this kind; of several, it has been right least often in the domain.
    fn choose_answers(&mut self, sheets: &mut [Sheet], seed: u64) {
        let streams = Random::new(seed).stream(self.kind as u64);
        for Sheet { domain, asked, .. } in sheets {
            asked.retain_mut(|asked| {
                if asked.kind != self.kind {
                    return true;
                }
                if self.chosen == self.wanted {
                    return false;
                }
                let mut random = streams.stream(self.chosen as u64);
                self.chosen += 1;
                self.idle = 0;
                let own = self.domains.entry(domain.clone()).or_default();
                let count = |answer: &u32| (self.counts[*answer as usize], own[*answer as usize]);
                let answers: Vec<u32> = (0..asked.draft.answers()).collect();
                let least = answers.iter().map(count).min();
                let rarest: Vec<u32> = answers
                    .into_iter()
                    .filter(|answer| Some(count(answer)) == least)
                    .collect();
                if let Some(&target) = random.choose(&rarest) {
                    self.counts[target as usize] += 1;
                    own[target as usize] += 1;
                    asked.target = target;
                }
                true
            });
        }
    }
}

/// Returns a shelf for each kind, with its share of the questions.
fn shelves(options: &ExamOptions, lanes: &[Lane]) -> Vec<Shelf> {
    let mut kinds = options.kinds.clone();
    if kinds.is_empty() {
        let allowed = |kind: &Kind| {
            lanes.iter().any(|lane| lane.topic() == kind.topic())
                && (options.effort.is_none() || kind.topic() == Topic::Plain)
        };
        kinds = Kind::ALL.into_iter().filter(allowed).collect();
    }
    kinds.sort();
    kinds.dedup();
    let (each, rest) = (
        options.count / kinds.len().max(1),
        options.count % kinds.len().max(1),
    );
    let shelf = |(index, kind): (usize, Kind)| Shelf {
        kind,
        wanted: each + usize::from(index < rest),
        questions: Vec::new(),
        chosen: 0,
        counts: [0; ANSWERS],
        domains: BTreeMap::new(),
        idle: 0,
    };
    kinds.into_iter().enumerate().map(shelf).collect()
}
