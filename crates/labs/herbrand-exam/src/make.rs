//! Making questions.

use std::collections::{BTreeMap, BTreeSet};

use herbrand_core::Digest;
use herbrand_generate::{GenerateError, Generator};
use herbrand_limits::Budget;
use herbrand_step::Random;
use rayon::prelude::*;

use crate::ask::ask;
use crate::check::Checker;
use crate::draw::{Draft, Draw};
use crate::error::ExamError;
use crate::kind::Kind;
use crate::phrases::{Phrases, Style, wording};
use crate::question::{Difficulty, ProblemSeed, Question, Subject};
use crate::world::World;

/// The number of rounds without a question of a kind after which there are no more.
const IDLE: u32 = 60;
/// The number of sizes from which problems are drawn, beginning with the smallest.
const SIZES: u32 = 5;

/// The options of [`make`]: which questions it makes. By default 100 questions of all kinds about all bundled domains,
/// with shortest plans of 1 to 12 actions, as sentences with the names of the domain, and seed 0.
#[derive(Clone, PartialEq, Debug)]
pub struct ExamOptions {
    /// The number of questions.
    pub count: usize,
    /// The kinds of questions; each gets the same share. Empty for all kinds that the domains allow.
    pub kinds: Vec<Kind>,
    /// The names of bundled domains, with their levels; empty for all.
    pub domains: Vec<String>,
    /// The seed. The same options and seed give the same questions, on any number of threads.
    pub seed: u64,
    /// The least and the greatest length of a shortest plan from the start state, both inclusive.
    pub lengths: (u32, u32),
    /// The least and the greatest number of states that A* with landmark cuts expands to find a plan; `None` if it does
    /// not matter. Problems with chance have no such number, and no questions then.
    pub effort: Option<(u64, u64)>,
    /// How problems are written.
    pub style: Style,
    /// Whether all names are replaced by invented ones.
    pub obfuscated: bool,
}

impl Default for ExamOptions {
    fn default() -> Self {
        Self {
            count: 100,
            kinds: Vec::new(),
            domains: Vec::new(),
            seed: 0,
            lengths: (1, 12),
            effort: None,
            style: Style::default(),
            obfuscated: false,
        }
    }
}

/// Makes questions about generated problems of the bundled domains. Each answer is computed twice: by the engine, and
/// by a [`Checker`] from the texts of the question. `progress` is called with the number of questions made so far.
///
/// Kinds and domains take turns; questions are sorted by kind, then by round and domain. With listed answers, each
/// answer is the right one equally often for every kind and domain.
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
/// Fails if a domain is unknown, if the domains have too few problems, if the budget is exhausted, or if two routes
/// disagree about an answer.
pub fn make(
    options: &ExamOptions,
    budget: &Budget,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Question>, ExamError> {
    let mut lanes = lanes(options)?;
    let mut shelves = shelves(options, &lanes);
    let (mut round, mut held) = (0, 0);
    while shelves.iter().any(Shelf::is_open) {
        let open: Vec<Kind> = shelves
            .iter()
            .filter(|shelf| shelf.is_open())
            .map(|shelf| shelf.kind)
            .collect();
        let made: Vec<_> = lanes
            .par_iter_mut()
            .map(|lane| lane.round(round, &open, options, budget))
            .collect();
        for shelf in &mut shelves {
            shelf.idle += 1;
        }
        for questions in made {
            for question in questions? {
                held += size(&question);
                if let Some(shelf) = shelves.iter_mut().find(|shelf| shelf.kind == question.kind) {
                    shelf.add(question);
                }
            }
        }
        progress(shelves.iter().map(|shelf| shelf.questions.len()).sum());
        budget.check("making questions", held as u64)?;
        if let Some(shelf) = shelves.iter().find(|shelf| shelf.is_open() && shelf.idle > IDLE) {
            return Err(ExamError::Shortage {
                kind: shelf.kind,
                made: shelf.questions.len(),
                wanted: shelf.wanted,
            });
        }
        round += 1;
    }
    Ok(shelves.into_iter().flat_map(|shelf| shelf.questions).collect())
}

/// Returns the bytes of a question, roughly.
fn size(question: &Question) -> usize {
    let texts = [&question.question, &question.domain_pddl, &question.problem_pddl];
    size_of::<Question>() + 2 * texts.map(String::len).iter().sum::<usize>()
}

/// The questions of one kind.
struct Shelf {
    kind: Kind,
    wanted: usize,
    questions: Vec<Question>,
    /// The number of rounds since a question was added.
    idle: u32,
}

impl Shelf {
    fn is_open(&self) -> bool {
        self.questions.len() < self.wanted
    }

    fn add(&mut self, question: Question) {
        if self.is_open() {
            self.questions.push(question);
            self.idle = 0;
        }
    }
}

/// Returns a shelf for each kind, with its share of the questions.
fn shelves(options: &ExamOptions, lanes: &[Lane]) -> Vec<Shelf> {
    let mut kinds = options.kinds.clone();
    if kinds.is_empty() {
        let allowed = |kind: &Kind| lanes.iter().any(|lane| lane.has_chance == kind.has_chance());
        kinds = Kind::ALL.into_iter().filter(allowed).collect();
    }
    kinds.sort();
    kinds.dedup();
    let (each, rest) = (options.count / kinds.len(), options.count % kinds.len());
    let shelf = |(index, kind): (usize, Kind)| Shelf {
        kind,
        wanted: each + usize::from(index < rest),
        questions: Vec::new(),
        idle: 0,
    };
    kinds.into_iter().enumerate().map(shelf).collect()
}

/// One domain. All its questions are made by one thread.
struct Lane {
    generator: &'static Generator,
    has_chance: bool,
    /// The number of questions of each kind.
    counts: BTreeMap<Kind, u32>,
    known: BTreeSet<(Kind, String, Subject)>,
}

fn lanes(options: &ExamOptions) -> Result<Vec<Lane>, ExamError> {
    let mut generators: Vec<&'static Generator> = Vec::new();
    for name in &options.domains {
        let generator = Generator::get(name).map_err(|error| match error {
            GenerateError::UnknownDomain { name, suggestion } => {
                ExamError::UnknownDomain { name, suggestion }
            }
            error => ExamError::Request(error.to_string()),
        })?;
        if generators.iter().all(|known| known.name() != generator.name()) {
            generators.push(generator);
        }
    }
    if options.domains.is_empty() {
        generators.extend(Generator::all());
    }
    let lane = |generator: &'static Generator| {
        let broken = |error: GenerateError| ExamError::Request(error.to_string());
        let text = generator.files().map_err(broken)?.domain;
        Ok(Lane {
            generator,
            has_chance: text.text().contains("(probabilistic"),
            counts: BTreeMap::new(),
            known: BTreeSet::new(),
        })
    };
    generators.into_iter().map(lane).collect()
}

impl Lane {
    /// Makes at most one question of each kind about one problem.
    fn round(
        &mut self,
        round: u32,
        kinds: &[Kind],
        options: &ExamOptions,
        budget: &Budget,
    ) -> Result<Vec<Question>, ExamError> {
        let kinds: Vec<_> = kinds
            .iter()
            .copied()
            .filter(|kind| kind.has_chance() == self.has_chance)
            .collect();
        let least = *self.generator.sizes().start();
        let most = self.generator.sizes().end() - least;
        let seed = ProblemSeed {
            seed: options.seed,
            size: least + round % SIZES.min(most + 1),
            index: u64::from(round),
        };
        if kinds.is_empty() {
            return Ok(Vec::new());
        }
        let Some(world) = World::new(self.generator, seed, options.obfuscated, budget)? else {
            return Ok(Vec::new());
        };
        let mut random = Random::new(seed.seed)
            .stream(seed.index)
            .stream(Digest::of_text(world.name));
        let Some((start, starts)) = world.start(options.lengths, &mut random) else {
            return Ok(Vec::new());
        };
        let expanded = world.effort(start, budget);
        budget.check("making questions", 0)?;
        if options
            .effort
            .is_some_and(|(least, most)| !(least..=most).contains(&expanded))
        {
            return Ok(Vec::new());
        }
        let Some(problem) = world.problem_at(start) else {
            return Ok(Vec::new());
        };
        let (domain_pddl, problem_pddl) = (world.domain.to_pddl(), problem.to_pddl(&world.domain));
        let checker = Checker::new(&domain_pddl, &problem_pddl)?;
        let wording = wording(world.name, options.obfuscated, &world.domain, &problem)?;
        let phrases = Phrases::new(&world.domain, &problem, wording, options.style);
        let mut questions = Vec::new();
        for kind in kinds {
            if kind.needs_space() && !world.is_complete() || kind.visits_all() && !world.can_be_visited() {
                continue;
            }
            let draw = Draw {
                world: &world,
                start,
                starts: &starts,
                target: self.target(kind, options.seed),
                random: random.stream(kind as u64),
            };
            let Some(Draft { subject, solution }) = draw.question(kind) else {
                continue;
            };
            if !self.known.insert((kind, problem_pddl.clone(), subject.clone())) {
                continue;
            }
            let (text, choices) = ask(kind, &subject, &phrases, &world.domain)?;
            let question = Question {
                id: format!(
                    "herbrand-{kind}-{}-{}-{}-{}",
                    world.name, seed.size, seed.seed, seed.index
                ),
                kind,
                form: kind.form(),
                domain: world.name.to_owned(),
                problem: seed,
                obfuscated: options.obfuscated,
                question: text,
                choices,
                answer: solution.answer,
                accepted: solution.accepted,
                difficulty: Difficulty {
                    length: world.length(start).unwrap_or(0),
                    expanded,
                    objects: problem.objects.len() as u32,
                    steps: subject.actions.len() as u32,
                    states: if world.is_complete() {
                        world.space.len() as u32
                    } else {
                        0
                    },
                },
                subject,
                domain_pddl: domain_pddl.clone(),
                problem_pddl: problem_pddl.clone(),
            };
            checker.confirm(&question)?;
            budget.check("making questions", 0)?;
            *self.counts.entry(kind).or_default() += 1;
            questions.push(question);
        }
        Ok(questions)
    }

    /// Returns which answer the next question of a kind is to have. In each run of as many questions as there are
    /// answers, each answer occurs once, in an order drawn by the seed.
    fn target(&self, kind: Kind, seed: u64) -> u32 {
        let answers = kind.form().targets();
        if answers == 0 {
            return 0;
        }
        let count = self.counts.get(&kind).copied().unwrap_or(0);
        let random = Random::new(seed).stream(Digest::of_text(self.generator.name()));
        let mut random = random.stream(kind as u64).stream(u64::from(count / answers));
        let mut order: Vec<u32> = (0..answers).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, random.below(last as u32 + 1) as usize);
        }
        order[(count % answers) as usize]
    }
}
