//! A problem with a state of its own, for agents that talk.

use std::sync::{Arc, Mutex, PoisonError};

use herbrand_edit::{Edit, EditRules, PlanningModel};
use herbrand_limits::{Budget, Limits};
use herbrand_text::Source;
use herbrand_verbalize::{AnswerError, TextTable, Wording};
use serde::{Deserialize, Serialize};

use crate::allowance::RequestLimits;
use crate::catalogue;
use crate::fault::at_fault;
use crate::game::{self, AnyGame, language};
use crate::refusal::{Reason, Refusal};
use crate::reply::{Drawn, EpisodeStatus, GoalPart, PositionView, Reply};
use crate::request::{JointTexts, ProblemName, Texts, WalkPosition};
use herbrand_assist::Language;

/// The name of the text with sentences in messages.
const SENTENCES: &str = "sentences";
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
}

/// A compiled problem with its sentences, shared by sessions.
pub(crate) struct Opened {
    /// The text of the table of sentences.
    pub(crate) table: Option<String>,
    pub(crate) problem: ProblemName,
    pub(crate) bytes: u64,
    wording: Wording,
    /// The problem at its initial state.
    game: Mutex<Box<dyn AnyGame>>,
}

/// The state of a session, without its picture and its actions. [`Session::view`] returns it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SessionView {
    /// The title of the problem.
    pub title: String,
    /// The language of the problem; `None` if it is one of the caller's.
    pub language: Option<Language>,
    /// The number of steps taken.
    pub step: usize,
    /// The sum of the rewards of these steps.
    pub reward: f64,
    /// The cost of these steps, by the metric of the problem; `None` if it has none or the cost is unknown.
    pub cost: Option<f64>,
    /// Whether further steps can be taken, and if not, why.
    pub status: EpisodeStatus,
    /// The state as sentences, a line per fact.
    pub text: String,
    /// The goal as sentences, a line per part; empty if the problem has no goal.
    pub goal_text: String,
    /// The facts of the state in the syntax of its language, up to a limit.
    pub facts: Vec<String>,
    /// The number of facts, which may exceed the number listed.
    pub fact_count: usize,
    /// The parts of the goal in the syntax of its language, and whether each is satisfied.
    pub goal: Vec<GoalPart>,
    /// The number of valid actions.
    pub action_count: usize,
}

/// A valid action of a session. [`Session::actions`] lists them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ListedAction {
    /// The number of the action in the list, from 1, by which a step may name it in this state.
    pub number: usize,
    /// The action in the syntax of its language.
    pub action: String,
    /// The action as a sentence.
    pub text: String,
}

/// The effect of a step. [`Session::step`] returns it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SessionStep {
    /// The actions that were taken, in the syntax of their language; exactly one in PDDL.
    pub action: JointTexts,
    /// The number of steps taken so far, with this one.
    pub step: usize,
    /// The reward of the step.
    pub reward: f64,
    /// Whether further steps can be taken, and if not, why.
    pub status: EpisodeStatus,
    /// The changes as sentences, a line each.
    pub text: String,
    /// The facts that became true or have a new value.
    pub added: Vec<String>,
    /// The facts that became false, and old values.
    pub removed: Vec<String>,
}

/// A plan. [`Session::plan`] returns it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SessionPlan {
    /// The steps in the syntax of their language, each a joint action. Empty if there is no plan or the goal holds.
    pub steps: Vec<JointTexts>,
    /// The steps as sentences.
    pub sentences: Vec<String>,
    /// A comment on the plan, or the reason why there are no steps.
    pub text: String,
}

/// The result of executing a plan from the initial state. [`Session::validate`] returns it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlanCheck {
    /// Whether all steps can be taken and lead to the goal. In problems without a goal, whether all can be taken.
    pub valid: bool,
    /// The number of steps that can be taken.
    pub steps: usize,
    /// The cost by the metric of the problem, or the number of steps, if the plan can be executed.
    pub cost: Option<f64>,
    /// The sum of the rewards.
    pub reward: f64,
    /// The first fault: the step that cannot be taken and why, or the parts of the goal that do not hold.
    pub fault: Option<String>,
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
        let mut lengths = texts.iter().map(|text| text.len()).chain(table.map(str::len));
        if let Some(length) = lengths.find(|&length| length > allowance.text) {
            let most = allowance.text;
            return Err(Refusal::limit(format!(
                "a text has {length} bytes; the limit is {most}"
            )));
        }
        within(allowance, || {
            let parsed = table
                .map(|text| TextTable::parse(&Source::new(SENTENCES, text)))
                .transpose();
            let parsed = parsed.map_err(|faults| at_fault(&faults))?;
            // Sessions are drawn on demand.
            let undrawn = RequestLimits {
                drawn: 0,
                ..*allowance
            };
            let mut game = game::open(problem, &undrawn)?;
            game.go(&start(problem, 0), allowance)?;
            Ok(Self {
                wording: game.wording(parsed.as_ref())?,
                bytes: game.bytes(),
                table: table.map(str::to_owned),
                problem: problem.clone(),
                game: Mutex::new(game),
            })
        })
    }
}

/// Returns the initial position of a problem.
fn start(problem: &ProblemName, seed: u64) -> WalkPosition {
    WalkPosition {
        problem: problem.clone(),
        seed,
        walk: Vec::new(),
    }
}

/// Runs a computation within the time limit.
fn within<T>(allowance: &RequestLimits, work: impl FnOnce() -> Result<T, Refusal>) -> Result<T, Refusal> {
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

impl Session {
    /// Opens a problem at its initial state. `table` is the text of a `domain.text.toml`; without it, sentences come from
    /// the table of a bundled domain, or from names. `seed` is that of all random draws.
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

    /// Starts a session of a compiled problem.
    pub(crate) fn of(opened: Arc<Opened>, seed: u64, allowance: RequestLimits) -> Result<Self, Refusal> {
        within(&allowance, || {
            let fresh = {
                let game = opened.game.lock().unwrap_or_else(PoisonError::into_inner);
                game.fresh()?
            };
            let mut session = Self {
                position: start(&opened.problem, seed),
                game: fresh,
                opened,
                allowance,
            };
            session.game.go(&session.position, &session.allowance)?;
            Ok(session)
        })
    }

    /// Starts another session of the same problem at its initial state.
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
        language(&self.position.problem)
    }

    /// Returns the sentences of the problem.
    #[must_use]
    pub fn wording(&self) -> &Wording {
        &self.opened.wording
    }

    pub(crate) fn opened(&self) -> &Arc<Opened> {
        &self.opened
    }

    /// Returns the steps taken so far, each a joint action.
    #[must_use]
    pub fn steps(&self) -> &[JointTexts] {
        &self.position.walk
    }

    /// Returns the state as sentences, a line per fact that may change.
    #[must_use]
    pub fn text(&self) -> String {
        self.game.sentences(self.wording(), false)
    }

    /// Returns the facts that never change as sentences.
    #[must_use]
    pub fn constants_text(&self) -> String {
        self.game.sentences(self.wording(), true)
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

    /// Returns the state.
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

    /// Returns the valid actions, at most `most`. In RDDL, each is valid without any other; actions with a numeric
    /// value are not listed.
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
    /// semicolons separate actions that are taken together.
    fn read(&self, text: &str) -> Result<JointTexts, Refusal> {
        let refused = |error: AnswerError| {
            let message = format!("{} ({})", error, error.fault.as_str());
            Refusal::new(Reason::Step, message)
        };
        let is_number = text.trim().starts_with(|c: char| c == '#' || c.is_ascii_digit());
        let listed = if is_number {
            self.actions(usize::MAX)
        } else {
            Vec::new()
        };
        let listed: Vec<_> = listed.into_iter().map(|action| action.action).collect();
        match self.language() {
            Language::Rddl => self.wording().read_joint(text, &listed).map_err(refused),
            Language::Pddl => Ok(vec![self.wording().read(text, &listed).map_err(refused)?]),
        }
    }

    /// Takes a step. The action may be written as [`Wording::read`] accepts it, also as a number of
    /// [`actions`](Self::actions).
    ///
    /// # Errors
    /// Fails if the text is no action, if the action is not valid, or if the session has as many steps as it may have.
    pub fn step(&mut self, text: &str) -> Result<SessionStep, Refusal> {
        let joint = self.read(text)?;
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
        Ok(undone.len())
    }

    /// Explains why an action is not valid here, or says that it is.
    ///
    /// # Errors
    /// Fails if the text is no action, or a limit is reached.
    pub fn why_not(&self, text: &str) -> Result<String, Refusal> {
        let joint = self.read(text)?;
        let why = within(&self.allowance, || Ok(self.game.why_not(&joint)))?;
        Ok(match why {
            Some(why) => self.wording().explanation(&why),
            None => format!("\u{201c}{}\u{201d} is valid", self.wording().joint(&joint)),
        })
    }

    /// Searches for a plan from the current state.
    ///
    /// # Errors
    /// Fails if the planner fails or reaches a limit.
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

    /// Executes a plan from the initial state: a step per line, each as [`step`](Self::step) accepts it, but for numbers.
    /// Lines that begin with `;` are comments. The session does not change.
    ///
    /// # Errors
    /// Fails if the plan is too long, or a limit is reached.
    pub fn validate(&self, plan: &str) -> Result<PlanCheck, Refusal> {
        if plan.len() > LONGEST_PLAN {
            return Err(Refusal::limit(format!("a plan has at most {LONGEST_PLAN} bytes")));
        }
        within(&self.allowance, || {
            let mut trial = self.fork(self.position.seed)?;
            let mut fault = None;
            let lines = plan.lines().map(str::trim).enumerate();
            for (line, text) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with(';')) {
                match trial.step(text) {
                    Ok(_) => {}
                    Err(refusal) if refusal.kind == Reason::Limit => return Err(refusal),
                    Err(refusal) => {
                        fault = Some(format!("line {}: {}", line + 1, refusal.message));
                        break;
                    }
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
            Ok(PlanCheck {
                valid: fault.is_none(),
                steps: view.step,
                cost: view.cost.or(Some(view.step as f64)).filter(|_| fault.is_none()),
                reward: view.reward,
                fault,
            })
        })
    }

    /// Returns the ground problem as text, a [`Reply::Inside`] with at most `listed` lines per section.
    #[must_use]
    pub fn grounding(&self, listed: usize) -> Reply {
        self.game.internals(listed.min(self.allowance.listed))
    }

    /// Draws the state; `None` if it is too large.
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
        BASE_BYTES + steps as u64 + self.opened.bytes / 16
    }
}

/// The memory of a session without steps.
const BASE_BYTES: u64 = 8 << 10;
