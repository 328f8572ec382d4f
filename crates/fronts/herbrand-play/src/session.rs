//! A problem with a state of its own, for agents that talk.

use std::sync::Arc;

use herbrand_core::Memory;
use herbrand_edit::{Edit, EditRules, PlanningModel};
use herbrand_verbalize::{AnswerError, Wording};

use crate::allowance::RequestLimits;
use crate::catalogue;
use crate::fault::at_fault;
use crate::game::{AnyGame, Game};
use crate::opened::{Opened, start, within};
use crate::played::Played;
use crate::refusal::{Reason, Refusal};
use crate::reply::{Drawn, EpisodeStatus, GoalPart, PositionView, Reply};
use crate::request::{JointTexts, ProblemName, Texts, WalkPosition};
use crate::session_reply::{GoalDistance, ListedAction, PlanCheck, SessionPlan, SessionStep, SessionView};
use herbrand_assist::Language;

/// The maximum length of a plan to validate, in bytes.
const LONGEST_PLAN: usize = 1 << 20;

/// A problem with the steps taken so far. It shows its state as data and as sentences, reads actions as text, steps and
/// undoes steps, explains, plans, validates plans, draws, and makes an edited problem.
///
/// The compiled problem is shared: [`fork`](Self::fork) makes another session of the same problem in little time and
/// memory. All computations are within the [`RequestLimits`] of [`open`](Self::open). A refused call leaves the session
/// as it was. The crate `herbrand-mcp` serves sessions to language models.
///
/// ```
/// use herbrand_play::{ProblemName, RequestLimits, Session};
///
/// let problem = ProblemName::Bundled { domain: "blocks".to_owned(), problem: "train/01".to_owned() };
/// let mut session = Session::open(&problem, None, 0, RequestLimits::default())?;
/// println!("{}\n{}", session.text(), session.goal_text());
/// let action = session.actions(10)[0].text.clone();
/// let step = session.step(&action)?;
/// assert_eq!((step.step, session.undo(1)?), (1, 1));
/// # Ok::<(), herbrand_play::Refusal>(())
/// ```
pub struct Session {
    opened: Arc<Opened>,
    game: Box<dyn AnyGame>,
    position: WalkPosition,
    allowance: RequestLimits,
    sight: Sight,
}

/// The observations of an agent in a problem that is only partly observable.
#[derive(Default)]
struct Sight {
    memory: Memory,
    /// The facts that the agent knows now; `None` if it sees the whole state.
    facts: Option<Vec<String>>,
    /// The facts that it knew before the last step.
    before: Vec<String>,
}

impl Sight {
    /// Looks at a state that the agent has entered.
    fn look(&mut self, game: &dyn AnyGame) -> Result<(), Refusal> {
        let facts = game.seen(&mut self.memory)?;
        self.before = std::mem::replace(&mut self.facts, facts).unwrap_or_default();
        Ok(())
    }
}

impl Session {
    /// Opens a problem at its initial state. `table` is the text of a `domain.text.toml`; without it, sentences come
    /// from the table of a bundled domain, or from names. `seed` is that of all random draws, and `allowance` limits
    /// this call and all later ones.
    ///
    /// # Errors
    /// Fails if the problem is unknown, its texts or the table are faulty, or a limit is reached.
    pub fn open(
        problem: &ProblemName,
        table: Option<&str>,
        seed: u64,
        allowance: RequestLimits,
    ) -> Result<Self, Refusal> {
        Self::of(
            Arc::new(Opened::new(problem, table, &allowance)?),
            seed,
            allowance,
        )
    }

    /// Opens the first problem of a set, such as a suite with limits of its own, like [`open`](Self::open). `name` is what
    /// [`problem`](Self::problem) returns. In RDDL, the suite must refuse actions whose preconditions do not hold, so that
    /// steps explain why.
    ///
    /// # Errors
    /// Fails like [`open`](Self::open).
    pub fn of_problems<P: Played>(
        problems: P,
        name: &ProblemName,
        table: Option<&str>,
        seed: u64,
        allowance: RequestLimits,
    ) -> Result<Self, Refusal> {
        let undrawn = RequestLimits {
            drawn: 0,
            ..allowance
        };
        let open = || Ok(Box::new(Game::open(problems, &undrawn)?) as Box<dyn AnyGame>);
        let opened = Opened::of(name, table, &allowance, open)?;
        Self::of(Arc::new(opened), seed, allowance)
    }

    /// Starts a session of a compiled problem.
    pub(crate) fn of(opened: Arc<Opened>, seed: u64, allowance: RequestLimits) -> Result<Self, Refusal> {
        within(&allowance, || {
            let mut session = Self {
                position: start(&opened.problem, seed),
                game: opened.fresh()?,
                opened,
                allowance,
                sight: Sight::default(),
            };
            session.game.go(&session.position, &session.allowance)?;
            session.sight.look(session.game.as_ref())?;
            Ok(session)
        })
    }

    /// Starts another session of the same problem at its initial state, with a seed of its own. The steps of this
    /// session are not taken.
    ///
    /// # Errors
    /// Fails if the initial state cannot be drawn.
    pub fn fork(&self, seed: u64) -> Result<Self, Refusal> {
        Self::of(Arc::clone(&self.opened), seed, self.allowance)
    }

    /// Returns the problem.
    #[must_use]
    pub fn problem(&self) -> &ProblemName {
        &self.position.problem
    }

    /// Returns the language of the problem.
    #[must_use]
    pub fn language(&self) -> Language {
        self.opened.language
    }

    /// Returns the sentences of the problem.
    #[must_use]
    pub fn wording(&self) -> &Wording {
        &self.opened.wording
    }

    pub(crate) fn opened(&self) -> &Arc<Opened> {
        &self.opened
    }

    /// Returns the steps taken so far, each a joint action in the syntax of its language; empty at the initial state.
    #[must_use]
    pub fn steps(&self) -> &[JointTexts] {
        &self.position.walk
    }

    /// Returns the state as sentences, a line per fact that may change; without such facts,
    /// `Nothing holds.`
    #[must_use]
    pub fn text(&self) -> String {
        self.game.sentences(self.wording(), false)
    }

    /// Returns the facts that never change as sentences, a line per fact; without such facts,
    /// `Nothing holds.`
    #[must_use]
    pub fn constants_text(&self) -> String {
        self.game.sentences(self.wording(), true)
    }

    /// Returns the facts that the agent knows as sentences, a line per fact. In a problem that is only partly
    /// observable, it knows the facts that it sees or remembers by the rules, and facts that never change; if it knows
    /// none, the text is `Nothing is known.` For any other problem, the text is [`text`](Self::text).
    #[must_use]
    pub fn observation(&self) -> String {
        match &self.sight.facts {
            None => self.text(),
            Some(facts) if facts.is_empty() => NOTHING_SEEN.to_owned(),
            Some(facts) => self.wording().lines(facts),
        }
    }

    /// Returns whether the problem is only partly observable, so that [`observation`](Self::observation) may differ from
    /// [`text`](Self::text).
    #[must_use]
    pub const fn is_partly_observable(&self) -> bool {
        self.sight.facts.is_some()
    }

    /// Returns what changed for the agent in the last step, like [`SessionStep::text`], but only facts that it knows.
    #[must_use]
    pub fn observed_changes(&self) -> String {
        match &self.sight.facts {
            None => {
                let view = self.game.plain_view(self.allowance.listed);
                self.wording().changes(&view.added, &view.removed)
            }
            Some(facts) => {
                let new = |now: &[String], old: &[String]| -> Vec<String> {
                    now.iter().filter(|fact| !old.contains(fact)).cloned().collect()
                };
                let before = &self.sight.before;
                self.wording().changes(&new(facts, before), &new(before, facts))
            }
        }
    }

    /// Returns the goal as sentences, a line per part; empty if the problem has no goal.
    #[must_use]
    pub fn goal_text(&self) -> String {
        self.goal_sentences(&self.game.goal_parts())
    }

    fn goal_sentences(&self, goal: &[GoalPart]) -> String {
        let lines: Vec<_> = goal.iter().map(|part| self.wording().goal(&part.text)).collect();
        lines.join("\n")
    }

    fn position_view(&self) -> PositionView {
        let mut goal = self.game.goal_parts();
        goal.truncate(self.allowance.listed);
        PositionView {
            goal,
            ..self.game.plain_view(self.allowance.listed)
        }
    }

    /// Returns the state. At most [`RequestLimits::listed`] facts and parts of the goal are listed.
    #[must_use]
    pub fn view(&self) -> SessionView {
        let view = self.position_view();
        SessionView {
            text: self.text(),
            goal_text: self.goal_sentences(&view.goal),
            title: view.title,
            language: view.language,
            step: view.step,
            reward: view.reward,
            cost: view.cost,
            status: view.status,
            facts: view.facts,
            fact_count: view.fact_count,
            goal: view.goal,
            action_count: view.action_count,
        }
    }

    /// Returns the valid actions, numbered from 1: at most `most`, and at most [`RequestLimits::listed`]. In RDDL, each
    /// is valid without any other; actions with a numeric value are not listed. After the end of the episode, there are
    /// none.
    #[must_use]
    pub fn actions(&self, most: usize) -> Vec<ListedAction> {
        let view = self.game.plain_view(most.min(self.allowance.listed));
        let actions = (1..).zip(view.actions);
        actions
            .map(|(number, action)| ListedAction {
                number,
                text: self.wording().action(&action.text),
                action: action.text,
            })
            .collect()
    }

    /// Parses an action: a sentence, the syntax of the language, or a number of [`actions`](Self::actions). In RDDL,
    /// semicolons separate actions that are taken together. Whether the action is valid here is for
    /// [`take`](Self::take) to say.
    ///
    /// # Errors
    /// Fails if the text is no action.
    pub fn read(&self, text: &str) -> Result<JointTexts, AnswerError> {
        let is_number = text.trim().starts_with(|c: char| c == '#' || c.is_ascii_digit());
        let listed = if is_number {
            self.actions(usize::MAX)
        } else {
            Vec::new()
        };
        let listed: Vec<_> = listed.into_iter().map(|action| action.action).collect();
        match self.language() {
            Language::Rddl => self.wording().read_joint(text, &listed),
            Language::Pddl => Ok(vec![self.wording().read(text, &listed)?]),
        }
    }

    /// Takes a step. The action may be written as [`Wording::read`] accepts it, also as a number of
    /// [`actions`](Self::actions).
    ///
    /// # Errors
    /// Fails if the text is no action, if the action is not valid, or if the session has as many steps as it may have.
    pub fn step(&mut self, text: &str) -> Result<SessionStep, Refusal> {
        let joint = self.read(text).map_err(unreadable)?;
        self.take(joint)
    }

    /// Takes a step by actions in the syntax of their language, which [`read`](Self::read) returns.
    ///
    /// # Errors
    /// Fails if the actions are not valid here, or if the session has as many steps as it may have.
    pub fn take(&mut self, joint: JointTexts) -> Result<SessionStep, Refusal> {
        if self.position.walk.len() >= self.allowance.steps {
            let most = self.allowance.steps;
            return Err(Refusal::limit(format!("a session can have at most {most} steps")));
        }
        let allowance = self.allowance;
        if let Some(why) = within(&allowance, || Ok(self.game.why_not(&joint)))? {
            return Err(Refusal::step(
                self.position.walk.len(),
                self.wording().explanation(&why),
            ));
        }
        self.position.walk.push(joint.clone());
        if let Err(refusal) = within(&allowance, || self.game.go(&self.position, &allowance)) {
            self.position.walk.pop();
            self.game.go(&self.position, &allowance)?;
            return Err(refusal);
        }
        self.sight.look(self.game.as_ref())?;
        let view = self.game.plain_view(allowance.listed);
        Ok(SessionStep {
            action: joint,
            step: view.step,
            reward: view.last_reward.unwrap_or_default(),
            status: view.status,
            text: self.wording().changes(&view.added, &view.removed),
            added: view.added,
            removed: view.removed,
        })
    }

    /// Undoes the last `count` steps, or all if there are fewer, and returns how many.
    ///
    /// # Errors
    /// Fails if repeating the steps before exceeds the time limit. The session does not change then.
    pub fn undo(&mut self, count: usize) -> Result<usize, Refusal> {
        let kept = self.position.walk.len().saturating_sub(count);
        let undone = self.position.walk.split_off(kept);
        let allowance = self.allowance;
        if let Err(refusal) = within(&allowance, || self.game.go(&self.position, &allowance)) {
            self.position.walk.extend(undone);
            return Err(refusal);
        }
        if self.is_partly_observable() {
            self.sight = within(&allowance, || self.seen_so_far())?;
        }
        Ok(undone.len())
    }

    /// Repeats the steps and returns what the agent has seen on the way.
    fn seen_so_far(&self) -> Result<Sight, Refusal> {
        let (mut game, mut sight) = (self.opened.fresh()?, Sight::default());
        let mut position = start(&self.opened.problem, self.position.seed);
        let steps = self.position.walk.iter();
        for next in std::iter::once(None).chain(steps.map(Some)) {
            position.walk.extend(next.cloned());
            game.go(&position, &self.allowance)?;
            sight.look(game.as_ref())?;
        }
        Ok(sight)
    }

    /// Explains why an action is not valid here, or says that it is.
    ///
    /// # Errors
    /// Fails if the text is no action, or a limit is reached.
    pub fn why_not(&self, text: &str) -> Result<String, Refusal> {
        let joint = self.read(text).map_err(unreadable)?;
        let why = within(&self.allowance, || Ok(self.game.why_not(&joint)))?;
        Ok(match why {
            Some(why) => self.wording().explanation(&why),
            None => format!("\u{201c}{}\u{201d} is valid", self.wording().joint(&joint)),
        })
    }

    /// Searches for a plan from the current state, within the limits of the session. In PDDL, a plan stored with a
    /// bundled problem is used where it fits, and if no plan is found within the limits, the plan has no steps and a
    /// text that says so.
    ///
    /// # Errors
    /// Fails if the planner fails, and in RDDL if it reaches a limit.
    pub fn plan(&self) -> Result<SessionPlan, Refusal> {
        let reply = within(&self.allowance, || {
            self.game.plan(self.position.seed, &self.allowance)
        })?;
        let Reply::Plan { steps, text } = reply else {
            return Err(Refusal::unknown("there is no planner for this language"));
        };
        Ok(SessionPlan {
            sentences: steps.iter().map(|joint| self.wording().joint(joint)).collect(),
            steps,
            text,
        })
    }

    /// Returns the number of steps of a shortest plan from the current state, by A* with landmark cuts. In RDDL, where
    /// problems have no goal, it is unknown.
    ///
    /// # Errors
    /// Fails if an action has too many outcomes for planning. A limit that is reached is no error: the distance is
    /// unknown then.
    pub fn distance(&self) -> Result<GoalDistance, Refusal> {
        self.game.distance(&self.allowance)
    }

    /// Executes a plan from the initial state: a step per line, each as [`step`](Self::step) accepts it, but for numbers.
    /// Lines that begin with `;` are comments. The session does not change.
    ///
    /// # Errors
    /// Fails if the plan is too long, or a limit is reached.
    pub fn validate(&self, plan: &str) -> Result<PlanCheck, Refusal> {
        self.execute(plan).map(|(_, check)| check)
    }

    /// Executes a plan like [`validate`](Self::validate), and also returns a session after the steps that can be taken.
    ///
    /// # Errors
    /// Fails if the plan is too long, or a limit is reached.
    pub fn execute(&self, plan: &str) -> Result<(Self, PlanCheck), Refusal> {
        if plan.len() > LONGEST_PLAN {
            return Err(Refusal::limit(format!("a plan has at most {LONGEST_PLAN} bytes")));
        }
        within(&self.allowance, || {
            let mut trial = self.fork(self.position.seed)?;
            let (mut fault, mut all, mut readable) = (None, 0, 0);
            let lines = plan.lines().map(str::trim).enumerate();
            for (line, text) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with(';')) {
                all += 1;
                let read = trial.read(text).map_err(unreadable);
                readable += usize::from(read.is_ok());
                if fault.is_some() {
                    continue;
                }
                match read.and_then(|joint| trial.take(joint)) {
                    Ok(_) => {}
                    Err(refusal) if refusal.kind == Reason::Limit => return Err(refusal),
                    Err(refusal) => fault = Some(format!("line {}: {}", line + 1, refusal.message)),
                }
            }
            let view = trial.position_view();
            if fault.is_none() && view.status != EpisodeStatus::Goal {
                let missing = view.goal.iter().filter(|part| !part.satisfied);
                let missing: Vec<_> = missing.map(|part| self.wording().goal(&part.text)).collect();
                if !missing.is_empty() {
                    fault = Some(format!("the goal does not hold: {}", missing.join("; ")));
                }
            }
            let check = PlanCheck {
                valid: fault.is_none(),
                steps: view.step,
                lines: all,
                readable,
                cost: view.cost.or(Some(view.step as f64)).filter(|_| fault.is_none()),
                reward: view.reward,
                fault,
            };
            Ok((trial, check))
        })
    }

    /// Returns the ground problem as text, a [`Reply::Inside`] with at most `listed` lines per section.
    #[must_use]
    pub fn grounding(&self, listed: usize) -> Reply {
        self.game.internals(listed.min(self.allowance.listed))
    }

    /// Draws the state; `None` if it has more objects than [`RequestLimits::drawn`], or too many facts.
    ///
    /// # Errors
    /// Fails if the picture cannot be made, or a limit is reached.
    pub fn draw(&self) -> Result<Option<Drawn>, Refusal> {
        within(&self.allowance, || self.game.draw(&self.allowance))
    }

    /// Returns the texts of the problem.
    ///
    /// # Errors
    /// Fails if the problem is not one of texts or bundled domains.
    pub fn texts(&self) -> Result<Texts, Refusal> {
        match &self.position.problem {
            ProblemName::Texts { texts } => Ok(texts.clone()),
            ProblemName::Bundled { domain, problem } => catalogue::texts(domain, problem),
        }
    }

    /// Applies typed edits to the domain and problem, which must be in PDDL, and returns the edited texts. The session does
    /// not change; open a new one with the texts.
    ///
    /// # Errors
    /// Fails with all faults of the edits, or if the problem is in RDDL.
    pub fn edited(&self, edits: &[Edit]) -> Result<Texts, Refusal> {
        if self.language() != Language::Pddl {
            return Err(Refusal::unknown("only problems in PDDL can be edited"));
        }
        within(&self.allowance, || {
            let texts = self.texts()?;
            let model = PlanningModel::from_text(&texts.domain, &texts.problem)
                .map_err(|faults| at_fault(&faults))?;
            let edited = model.apply(edits, &EditRules::default());
            let edited = edited.map_err(|faults| Refusal::new(Reason::Request, faults))?;
            Ok(Texts {
                domain: edited.domain_text(),
                problem: edited.problem_text(),
                settings: texts.settings,
            })
        })
    }

    /// Returns the approximate memory of the session itself in bytes, without the compiled problem.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let steps = self.position.walk.iter().flatten();
        // Each step is stored twice: here and in the walk, with its list.
        let steps: usize = steps.map(|text| 2 * (text.len() + 96)).sum();
        let seen = self.sight.facts.iter().flatten().chain(&self.sight.before);
        let seen: usize = seen.map(|text| text.len() + 24).sum();
        let seen = seen + 8 * self.sight.memory.words.len();
        BASE_BYTES + (steps + seen) as u64 + self.opened.bytes / 16
    }
}

/// Converts the reason why a text is no action.
fn unreadable(error: AnswerError) -> Refusal {
    Refusal::new(Reason::Step, format!("{} ({})", error, error.fault.as_str()))
}

/// The text of an observation without facts.
const NOTHING_SEEN: &str = "Nothing is known.";
/// The memory of a session without steps.
const BASE_BYTES: u64 = 8 << 10;
