//! Answers requests.

use herbrand_core::Catalogue;
use herbrand_limits::{Budget, Limits};
use herbrand_tasks::any::{self, AnyError, AnyProblem, Playable};

use crate::allowance::RequestLimits;
use crate::game::{self, Game, language};
use crate::library::Library;
use crate::refusal::{Reason, Refusal};
use crate::reply::{DomainEntry, Reply};
use crate::request::{ProblemName, Request, Texts, WalkPosition};
use crate::{assist, catalogue, check, trace};

/// An engine that answers the requests of a page about planning problems, one at a time, with a cache of compiled
/// problems. It keeps the most recently used, at most [`RequestLimits::kept`] (at least one) and, unless it is only
/// one, half the memory limit. [`new`](Self::new) takes the limits of a request, [`with_problems`](Self::with_problems)
/// adds a set of problems, and [`answer`](Self::answer) and [`reply`](Self::reply) answer a request.
pub struct Playground {
    allowance: RequestLimits,
    /// The cached problems, the most recently used last.
    games: Vec<(ProblemName, Game)>,
    /// Further sets of problems, by the name of their domain.
    sets: Vec<OwnSet>,
    library: Library,
}

/// A set of problems that requests name like a bundled domain.
struct OwnSet {
    entry: DomainEntry,
    open: Box<Opener>,
}

/// Opens a problem by its name.
type Opener = dyn Fn(&str) -> Result<Box<dyn AnyProblem>, AnyError> + Send;

impl Playground {
    /// Creates a playground whose requests are subject to the limits `allowance`. Bundled domains are known; add others
    /// by [`with_problems`](Self::with_problems). Then call [`answer`](Self::answer) or [`reply`](Self::reply) per
    /// request.
    #[must_use]
    pub fn new(allowance: RequestLimits) -> Self {
        Self {
            allowance,
            games: Vec::new(),
            sets: Vec::new(),
            library: Library::default(),
        }
    }

    /// Sets the domains of one's own that requests can name like bundled ones, and returns the playground. Their texts may
    /// be of any length.
    #[must_use]
    pub fn with_library(mut self, library: Library) -> Self {
        self.library = library;
        self
    }

    /// Adds a set of problems, in a language of one's own. Requests name it like a bundled domain, by the name of the set; the
    /// name takes precedence over that of a bundled domain. Of several sets with the same name, the first is used.
    /// [`Request::Texts`] does not know the texts of added sets.
    #[must_use]
    pub fn with_problems(mut self, problems: impl Playable + Catalogue) -> Self {
        let names = (0..problems.len()).filter_map(|index| problems.problem_name(index));
        let entry = DomainEntry {
            name: problems.name().to_owned(),
            language: None,
            description: problems.description(),
            problems: names.collect(),
            is_own: false,
        };
        let open = move |problem: &str| any::open(problems.problem(problem).map_err(Into::into)?);
        self.sets.push(OwnSet {
            entry,
            open: Box::new(open),
        });
        self
    }

    /// Answers a request given as JSON with a reply as JSON. Never fails: a malformed request gets a refusal as reply.
    /// The JSON of requests and replies is that of [`Request`] and [`Reply`].
    #[must_use]
    pub fn answer(&mut self, request: &str) -> String {
        let reply = match serde_json::from_str(request) {
            Ok(request) => self.reply(&request),
            Err(error) => {
                let message = format!("invalid request: {error}");
                Reply::Refused(Refusal::new(Reason::Request, message))
            }
        };
        serde_json::to_string(&reply).unwrap_or_else(|error| {
            // Serialising these types cannot fail, because non-finite numbers become null.
            format!(r#"{{"is":"refused","kind":"request","message":"{error}"}}"#)
        })
    }

    /// Answers a request within the limits of the playground. A request that cannot be fulfilled gets
    /// [`Reply::Refused`]. Its time starts now. For a caller's own time limit or cancellation, use
    /// [`reply_within`](Self::reply_within).
    #[must_use]
    pub fn reply(&mut self, request: &Request) -> Reply {
        self.reply_within(request, &Budget::new(self.deadline()))
    }

    /// Answers a request within the time limit and cancellation of `budget`. All computations for the request stop
    /// when the budget is exhausted. The reply is then a refusal or, if the planner of PDDL was searching, a
    /// [`Reply::Plan`] without steps. The memory limit is that of the playground, not that
    /// of `budget`. A cancelled request leaves the playground usable. The running time counts from the start of
    /// `budget`; each computation is also subject to the time limit of the playground.
    #[must_use]
    pub fn reply_within(&mut self, request: &Request, budget: &Budget) -> Reply {
        let own = self.library.request(request);
        let request = own.as_ref().unwrap_or(request);
        let memory = Budget::new(Limits {
            time: None,
            ..self.allowance.limits
        });
        let answer = memory.enclose(|| budget.enclose(|| self.try_reply(request)));
        answer.unwrap_or_else(|refusal| {
            // An engine may report an exhausted budget as a failed step or plan.
            let exhausted = budget.check("answering", 0).err();
            Reply::Refused(match exhausted.filter(|_| refusal.kind != Reason::Limit) {
                Some(exhausted) => Refusal::limit(exhausted),
                None => refusal,
            })
        })
    }

    /// Returns the time limit of a request.
    const fn deadline(&self) -> Limits {
        Limits {
            bytes: None,
            time: self.allowance.limits.time,
        }
    }

    /// Returns whether the compiled form of `problem` is in the cache. If not, the next request about it compiles it
    /// first.
    #[must_use]
    pub fn keeps(&self, problem: &ProblemName) -> bool {
        let own = self.library.problem(problem);
        let problem = own.as_ref().unwrap_or(problem);
        self.games.iter().any(|(name, _)| name == problem)
    }

    /// Removes all compiled problems from the cache. Later requests compile them again; added sets of problems remain.
    pub fn forget(&mut self) {
        self.games.clear();
    }

    fn try_reply(&mut self, request: &Request) -> Result<Reply, Refusal> {
        let allowance = self.allowance;
        match request {
            Request::Catalogue => {
                let is_new = |one: &DomainEntry| self.library.entries().all(|own| own.name != one.name);
                let bundled = catalogue::bundled()?.into_iter().filter(is_new);
                let mut domains: Vec<_> = self.library.entries().cloned().chain(bundled).collect();
                domains.extend(self.sets.iter().map(|set| set.entry.clone()));
                Ok(Reply::Catalogue { domains })
            }
            Request::Texts { problem } => {
                let texts = match problem {
                    ProblemName::Bundled { domain, problem } => catalogue::texts(domain, problem)?,
                    ProblemName::Texts { texts } => texts.clone(),
                };
                Ok(Reply::Texts {
                    language: language(problem),
                    texts,
                })
            }
            Request::Check { texts } => {
                self.is_short(texts)?;
                Ok(check::check(texts, &allowance))
            }
            Request::Assist { texts, text, want } => {
                self.is_short(texts)?;
                assist::assist(texts, *text, *want, allowance.limits)
            }
            Request::Explanation { code } => Ok(Reply::Assist {
                answer: herbrand_assist::explanation(code).into(),
            }),
            Request::Look(position) => {
                let game = self.go(position)?;
                Ok(Reply::View(Box::new(game.view(&allowance)?)))
            }
            Request::Explain { position, action } => {
                let why = self.go(position)?.why_not(action);
                let text = why.unwrap_or_else(|| "this action is valid".to_owned());
                Ok(Reply::Why { text })
            }
            Request::Hint(position) => {
                let mut plan = self.go(position)?.plan(position.seed, &allowance)?;
                plan.steps.truncate(1);
                Ok(Reply::Plan(plan))
            }
            Request::Plan(position) => {
                let plan = self.go(position)?.plan(position.seed, &allowance)?;
                Ok(Reply::Plan(plan))
            }
            Request::Ground { problem } => {
                let game = self.game(problem)?;
                Ok(Reply::Inside(game.look().internals(allowance.listed)))
            }
            Request::Datalog { problem } => {
                if self.set(problem).is_some() {
                    return Err(Refusal::unknown("this language has no Datalog program"));
                }
                if let ProblemName::Texts { texts } = problem {
                    self.is_short(texts)?;
                }
                // The program takes no further compilation.
                let problems = game::find(problem, &allowance)?;
                let program = problems.program(allowance.listed, &allowance.limits)?;
                Ok(Reply::Inside(program))
            }
            #[cfg(not(feature = "tasks"))]
            Request::Task { task, .. } => Err(Refusal::unknown(format!("the task `{task}` needs a server"))),
            #[cfg(feature = "tasks")]
            Request::Task {
                task,
                problem,
                options,
                seed,
            } => {
                if let ProblemName::Texts { texts } = problem {
                    self.is_short(texts)?;
                }
                crate::task::answer(task, problem, options, *seed, &allowance)
            }
            Request::Trace(position) => {
                let game = self.go(position)?;
                trace::record(game, position, &allowance)
            }
            Request::OpenTrace { text, texts } => self.open_trace(text, texts.clone()),
        }
    }

    /// Returns the added set with a problem, and the problem's name in it.
    fn set<'n>(&self, name: &'n ProblemName) -> Option<(&OwnSet, &'n str)> {
        let ProblemName::Bundled { domain, problem } = name else {
            return None;
        };
        let set = self.sets.iter().find(|set| set.entry.name == *domain)?;
        Some((set, problem))
    }

    fn is_short(&self, texts: &Texts) -> Result<(), Refusal> {
        let most = self.allowance.text;
        let all = [&texts.domain, &texts.problem, &texts.settings];
        match all.iter().map(|text| text.len()).find(|&length| length > most) {
            Some(length) if !self.library.has(texts) => Err(Refusal::limit(format!(
                "a text has {length} bytes; the limit is {most}"
            ))),
            _ => Ok(()),
        }
    }

    /// Returns the compiled problem, from the cache if possible.
    fn game(&mut self, name: &ProblemName) -> Result<&mut Game, Refusal> {
        if let ProblemName::Texts { texts } = name {
            self.is_short(texts)?;
        }
        let known = self.games.iter().position(|(known, _)| known == name);
        let game = match known {
            Some(at) => self.games.remove(at).1,
            None => {
                let game = match self.set(name) {
                    Some((set, problem)) => Game::open((set.open)(problem)?, None, &self.allowance)?,
                    None => Game::of(game::find(name, &self.allowance)?, &self.allowance)?,
                };
                self.make_room(game.bytes());
                game
            }
        };
        self.games.push((name.clone(), game));
        match self.games.last_mut() {
            Some((_, game)) => Ok(game),
            None => Err(Refusal::unknown("the problem is no longer loaded")),
        }
    }

    /// Removes the least recently used problems until there is room for another one.
    fn make_room(&mut self, bytes: u64) {
        let most = self.allowance.limits.bytes.unwrap_or(u64::MAX) / 2;
        let kept = self.allowance.kept.max(1);
        let is_full = |games: &[(ProblemName, Game)]| {
            let held: u64 = games.iter().map(|(_, game)| game.bytes()).sum();
            games.len() >= kept || held.saturating_add(bytes) > most
        };
        while !self.games.is_empty() && is_full(&self.games) {
            self.games.remove(0);
        }
    }

    /// Returns the problem with its walk moved to a position.
    fn go(&mut self, position: &WalkPosition) -> Result<&mut Game, Refusal> {
        let allowance = self.allowance;
        let game = self.game(&position.problem)?;
        game.go(position, &allowance)?;
        Ok(game)
    }

    fn open_trace(&mut self, text: &str, texts: Option<Texts>) -> Result<Reply, Refusal> {
        let mut recorded = trace::read(text, texts)?;
        let note = match self.go(&recorded.position) {
            Ok(game) => recorded.note(game),
            Err(Refusal {
                step: Some(step),
                message,
                ..
            }) => {
                recorded.position.walk.truncate(step);
                format!("step {} of the trace is not valid: {message}", step + 1)
            }
            Err(refusal) => return Err(refusal),
        };
        let WalkPosition { problem, seed, walk } = recorded.position;
        Ok(Reply::Walk {
            problem,
            seed,
            walk,
            note,
        })
    }
}
