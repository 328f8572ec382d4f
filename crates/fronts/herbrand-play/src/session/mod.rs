//! A problem with a state of its own, for agents that talk.

mod execute;

use std::sync::Arc;

use herbrand_edit::{Edit, EditRules, PlanningModel};
use herbrand_render::Scene;
#[cfg(feature = "png")]
use herbrand_render::Theme;
use herbrand_tasks::AnyProblems;
use herbrand_tasks::any::{GoalDistance, Internals, SuggestedPlan};
use herbrand_tasks::walk::EpisodeStatus;
use herbrand_verbalize::{AnswerError, AnswerFault, ReplyReader, Wording};

use crate::allowance::RequestLimits;
use crate::catalogue;
use crate::fault::at_fault;
use crate::game::Game;
use crate::opened::{Opened, start, within};
use crate::refusal::{Reason, Refusal};
use crate::reply::{Drawn, NumberAction};
use crate::request::{JointTexts, ProblemName, Texts, WalkPosition};
use crate::session_reply::{ListedAction, SessionPlan, SessionStep, SessionView};
use crate::sight::Sight;
use crate::view;
use herbrand_assist::Language;

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
    game: Game,
    position: WalkPosition,
    allowance: RequestLimits,
    sight: Sight,
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
    pub fn of_problems(
        problems: AnyProblems,
        name: &ProblemName,
        table: Option<&str>,
        seed: u64,
        allowance: RequestLimits,
    ) -> Result<Self, Refusal> {
        let opened = Opened::of(name, table, &allowance, || Ok(problems))?;
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
            session.sight.look(&session.game)?;
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

    /// Returns the title of the problem.
    #[must_use]
    pub fn title(&self) -> String {
        self.game.walk.title()
    }

    /// Returns whether further steps can be taken, and if not, why.
    #[must_use]
    pub fn status(&self) -> EpisodeStatus {
        self.game.walk.status()
    }

    /// Returns the state as sentences, a line per fact that may change; without such facts,
    /// `Nothing holds.`
    #[must_use]
    pub fn text(&self) -> String {
        self.wording().state(|visit| self.game.look().facts(visit))
    }

    /// Returns the facts that never change as sentences, a line per fact; without such facts,
    /// `Nothing holds.`
    #[must_use]
    pub fn constants_text(&self) -> String {
        self.wording().constants(|visit| self.game.look().facts(visit))
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
                let (added, removed) = self.changes();
                self.wording().changes(added, removed)
            }
            Some(_) => {
                let (added, removed) = self.sight.changes();
                self.wording().changes(&added, &removed)
            }
        }
    }

    /// Returns the goal as sentences, a line per part; empty if the problem has no goal.
    #[must_use]
    pub fn goal_text(&self) -> String {
        self.opened.goal_text(&self.game.goal_parts())
    }

    /// Returns the facts that became true in the last step, and the facts that became false, up to a limit each.
    fn changes(&self) -> (&[String], &[String]) {
        let (added, removed) = self.game.walk.changes();
        let first = |list: &'_ [String]| list.len().min(self.allowance.listed);
        (&added[..first(added)], &removed[..first(removed)])
    }

    /// Returns the state. At most [`RequestLimits::listed`] facts and parts of the goal are listed.
    #[must_use]
    pub fn view(&self) -> SessionView {
        let walk = &self.game.walk;
        let mut goal = self.game.goal_parts();
        goal.truncate(self.allowance.listed);
        let (facts, fact_count) = view::facts(walk, self.allowance.listed);
        SessionView {
            text: self.text(),
            goal_text: self.opened.goal_text(&goal),
            title: self.game.walk.title(),
            language: self.game.language,
            step: walk.len(),
            horizon: walk.horizon(),
            together: walk.together(),
            reward: walk.reward(),
            cost: walk.cost(),
            status: walk.status(),
            facts,
            fact_count,
            goal,
            action_count: self.action_count(),
        }
    }

    /// Returns the valid actions, numbered from 1: at most `most`, and at most [`RequestLimits::listed`]. In RDDL, each
    /// is valid without any other; actions with a numeric value are not listed. After the end of the episode, there are
    /// none.
    #[must_use]
    pub fn actions(&self, most: usize) -> Vec<ListedAction> {
        let numbered = (1..).zip(self.action_texts(most));
        numbered
            .map(|(number, action)| ListedAction {
                number,
                text: self.wording().action(&action),
                action,
            })
            .collect()
    }

    /// Returns the actions that take a number, as sentences with the range of the number, such as `set speed to a number
    /// from 0 to 0.5`: at most `most`, and at most [`RequestLimits::listed`].
    #[must_use]
    pub fn number_actions(&self, most: usize) -> Vec<String> {
        let numbers = view::number_actions(&self.game.walk, most.min(self.allowance.listed));
        let sentence = |one: &NumberAction| self.wording().action_with(&one.name, &one.range());
        numbers.iter().map(sentence).collect()
    }

    /// Returns the number of valid actions. Actions that take a number do not count.
    #[must_use]
    pub fn action_count(&self) -> usize {
        let (_, count) = view::action_texts(&self.game.walk, 0);
        count
    }

    /// Returns whether actions in the syntax of their language can be taken together here; none of them is to do nothing in
    /// RDDL.
    #[must_use]
    pub fn is_valid(&self, joint: &JointTexts) -> bool {
        self.game.why_not(joint).is_none()
    }

    /// Returns the valid actions in the syntax of their language.
    fn action_texts(&self, most: usize) -> Vec<String> {
        let (texts, _) = view::action_texts(&self.game.walk, most.min(self.allowance.listed));
        texts
    }

    /// Returns how each action is written, with the types of its parameters in place of objects.
    #[must_use]
    pub fn action_forms(&self) -> Vec<String> {
        let mut forms = self.wording().action_forms();
        if forms.is_empty() {
            forms = self.game.look().features().action_forms();
        }
        forms
    }

    /// Parses the action in a reply, as [`ReplyReader::action`] finds it: a sentence, the syntax of the language, or a number of
    /// [`actions`](Self::actions). In RDDL, semicolons separate actions that are taken together. Whether the action is valid
    /// here is for [`take`](Self::take) to say.
    ///
    /// # Errors
    /// Fails if the answer is no action, or several.
    pub fn read(&self, reply: &str) -> Result<JointTexts, AnswerError> {
        let reads = |text: &str| self.read_action(text).is_ok();
        self.replies(&reads)
            .action(reply)
            .and_then(|text| self.read_action(&text))
    }

    /// Returns the reader of replies about this problem that calls `reads`.
    fn replies<'r>(&self, reads: &'r dyn Fn(&str) -> bool) -> ReplyReader<'r> {
        let syntax = self.game.language.map(|_| self.wording().vocabulary().syntax);
        ReplyReader { syntax, reads }
    }

    /// Parses an action that is written alone.
    fn read_action(&self, text: &str) -> Result<JointTexts, AnswerError> {
        let text = text.trim();
        let is_number = text.starts_with(|c: char| c == '#' || c.is_ascii_digit());
        let listed = if is_number {
            self.action_texts(usize::MAX)
        } else {
            Vec::new()
        };
        let read = match self.language() {
            Language::Rddl => self.wording().read_joint(text, &listed),
            Language::Pddl => self.wording().read(text, &listed).map(|action| vec![action]),
        };
        // A language without sentences knows its own actions.
        let has_sentences = self.game.language.is_some();
        read.or_else(|error| {
            if !has_sentences && self.game.look().parse_joint(text).is_ok() {
                Ok(vec![text.to_owned()])
            } else {
                Err(error)
            }
        })
    }

    /// Converts the reason why a text is no action. Without a suggestion, it says how actions are written.
    fn unread(&self, error: AnswerError) -> Refusal {
        /// The number of forms that are shown.
        const MOST: usize = 8;
        let is_strange = error.fault == AnswerFault::UnknownAction && error.suggestion.is_none();
        let forms = if is_strange {
            self.action_forms()
        } else {
            Vec::new()
        };
        let mut refusal = unreadable(error);
        for (at, form) in forms.iter().take(MOST).enumerate() {
            let before = if at == 0 { "; actions are written" } else { "," };
            refusal.message += &format!("{before} `{form}`");
        }
        if forms.len() > MOST {
            refusal.message += ", …";
        }
        refusal
    }

    /// Takes a step by an action that [`read`](Self::read) finds in a reply.
    ///
    /// # Errors
    /// Fails if the text is no action, if the action is not valid, or if the session has as many steps as it may have.
    pub fn step(&mut self, text: &str) -> Result<SessionStep, Refusal> {
        let joint = self.read(text).map_err(|error| self.unread(error))?;
        self.take(joint)
    }

    /// Takes a step by actions in the syntax of their language, which [`read`](Self::read) returns.
    ///
    /// # Errors
    /// Fails if the actions are not valid here, or if the session has as many steps as it may have.
    pub fn take(&mut self, joint: JointTexts) -> Result<SessionStep, Refusal> {
        self.advance(joint.clone(), true)?;
        let walk = &self.game.walk;
        let (added, removed) = self.changes();
        Ok(SessionStep {
            action: joint,
            step: walk.len(),
            reward: walk.last_reward().unwrap_or_default(),
            status: walk.status(),
            text: self.wording().changes(added, removed),
            added: added.to_vec(),
            removed: removed.to_vec(),
        })
    }

    /// Takes a step like [`take`](Self::take). The facts that it changed are known only if `describe` is set.
    fn advance(&mut self, joint: JointTexts, describe: bool) -> Result<(), Refusal> {
        if self.position.walk.len() >= self.allowance.steps {
            let most = self.allowance.steps;
            return Err(Refusal::limit(format!("a session can have at most {most} steps")));
        }
        let allowance = self.allowance;
        let taken = within(&allowance, || {
            self.game.take(&self.position, &joint, describe, &allowance)
        });
        taken.map_err(|refusal| match refusal.kind {
            Reason::Step => Refusal {
                message: self.wording().explanation(&refusal.message),
                ..refusal
            },
            _ => refusal,
        })?;
        self.position.walk.push(joint);
        self.sight.look(&self.game)
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
            self.sight = within(&allowance, || {
                Sight::along(&self.opened, &self.position, &allowance)
            })?;
        }
        Ok(undone.len())
    }

    /// Explains why an action is not valid here, or says that it is.
    ///
    /// # Errors
    /// Fails if the text is no action, or a limit is reached.
    pub fn why_not(&self, text: &str) -> Result<String, Refusal> {
        let joint = self.read(text).map_err(|error| self.unread(error))?;
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
        let SuggestedPlan { steps, text } = within(&self.allowance, || {
            self.game.plan(self.position.seed, &self.allowance)
        })?;
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
        Ok(self.game.look().features().distance(&self.allowance.limits)?)
    }

    /// Returns the ground problem as text, with at most `listed` lines per section; for a language without
    /// one, the facts of an initial state. It is made in the first call, for all sessions of the problem.
    #[must_use]
    pub fn grounding(&self, listed: usize) -> Internals {
        self.opened
            .grounding(listed.min(self.allowance.listed), self.allowance.listed)
    }

    /// Draws the state; `None` if it has more objects than [`RequestLimits::drawn`], or too many facts.
    ///
    /// # Errors
    /// Fails if the picture cannot be made, or a limit is reached.
    pub fn draw(&self) -> Result<Option<Drawn>, Refusal> {
        self.drawn(|scene| Ok(crate::picture::drawn(scene)))
    }

    /// Draws the state as a PNG file with two pixels per unit, like [`draw`](Self::draw).
    ///
    /// # Errors
    /// Fails like [`draw`](Self::draw), and if the picture would have too many pixels.
    #[cfg(feature = "png")]
    pub fn draw_png(&self) -> Result<Option<Vec<u8>>, Refusal> {
        self.drawn(|scene| {
            let image = scene.to_image(Theme::Light, 2.0);
            image
                .and_then(|image| image.to_png())
                .map(Some)
                .map_err(Refusal::limit)
        })
    }

    fn drawn<T>(
        &self,
        draw: impl FnOnce(&Scene) -> Result<Option<T>, Refusal>,
    ) -> Result<Option<T>, Refusal> {
        within(&self.allowance, || match self.game.scene(&self.allowance)? {
            Some(scene) => draw(&scene),
            None => Ok(None),
        })
    }

    /// Returns the text of the table of sentences: the one given, or that of the bundled domain. `None` if the sentences come
    /// from names.
    #[must_use]
    pub fn table(&self) -> Option<&str> {
        let given = self.opened.table.as_deref();
        given.or_else(|| match self.problem() {
            ProblemName::Bundled { domain, .. } => catalogue::sentences(domain),
            ProblemName::Texts { .. } => None,
        })
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
        BASE_BYTES + (steps + self.sight.bytes()) as u64 + self.opened.bytes / 16
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
