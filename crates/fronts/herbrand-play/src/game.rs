//! A problem that is played, in any language.

use std::sync::{Arc, OnceLock};

use herbrand_core::Group;
use herbrand_core::trace::true_facts;
use herbrand_limits::Budget;
use herbrand_render::{Direction, Moment, StateRenderer};

use crate::allowance::RequestLimits;
use crate::catalogue::RDDL;
use crate::played::{Played, is_small};
use crate::refusal::Refusal;
use crate::reply::{GoalPart, PositionView, Reply};
use crate::request::{JointTexts, ProblemName, WalkPosition};
use crate::walk::{Walk, Walked};
use crate::{planning, rddl};
use herbrand_assist::Language;

/// A problem with a walk through it, in any language.
pub(crate) trait AnyGame: Send {
    /// Moves the walk to a position of this problem.
    fn go(&mut self, position: &WalkPosition, allowance: &RequestLimits) -> Result<(), Refusal>;

    /// Returns the approximate size in bytes.
    fn bytes(&self) -> u64;

    /// Returns the view of the position.
    fn view(&self, allowance: &RequestLimits) -> Result<PositionView, Refusal>;

    /// Returns the same problem, compiled once, at its initial state without a walk.
    #[cfg(feature = "sessions")]
    fn fresh(&self) -> Result<Box<dyn AnyGame>, Refusal>;

    /// Takes a step from a position, which is moved to first, and describes its effects if `describe` is set. A step that
    /// fails changes nothing.
    #[cfg(feature = "sessions")]
    fn take(
        &mut self,
        position: &WalkPosition,
        joint: &JointTexts,
        describe: bool,
        allowance: &RequestLimits,
    ) -> Result<(), Refusal>;

    /// Describes the effects of the last step, if it was taken without that.
    #[cfg(feature = "sessions")]
    fn describe_last(&mut self) -> Result<(), Refusal>;

    /// Returns the walk to the position.
    #[cfg(feature = "sessions")]
    fn walk(&self) -> &dyn Walked;

    /// Returns the language of the problem.
    #[cfg(feature = "sessions")]
    fn language(&self) -> Option<Language>;

    /// Returns the title of the problem.
    #[cfg(feature = "sessions")]
    fn title(&self) -> String;

    /// Returns the parts of the goal, for states whose picture does not show it.
    #[cfg(feature = "sessions")]
    fn goal_parts(&self) -> Vec<GoalPart>;

    /// Returns the scene of the position; `None` if its state is too large.
    #[cfg(feature = "sessions")]
    fn scene(&self, allowance: &RequestLimits) -> Result<Option<herbrand_render::Scene>, Refusal>;

    /// Returns the sentences of the problem, with a table if there is one.
    #[cfg(feature = "sessions")]
    fn wording(
        &self,
        table: Option<&herbrand_verbalize::TextTable>,
    ) -> Result<herbrand_verbalize::Wording, Refusal>;

    /// Returns how each action is written, for a language without sentences.
    #[cfg(feature = "sessions")]
    fn action_forms(&self) -> Vec<String>;

    /// Writes the state, or the facts that never change, as sentences.
    #[cfg(feature = "sessions")]
    fn sentences(&self, wording: &herbrand_verbalize::Wording, constants: bool) -> String;

    /// Looks at the state, and returns the facts that the agent then knows; `None` if it sees the whole state.
    #[cfg(feature = "sessions")]
    fn seen(&self, memory: &mut herbrand_core::Memory) -> Result<Option<Vec<String>>, Refusal>;

    /// Returns the number of steps of a shortest plan.
    #[cfg(feature = "sessions")]
    fn distance(&self, allowance: &RequestLimits) -> Result<crate::session_reply::GoalDistance, Refusal>;

    /// Explains why actions cannot be taken together; `None` if they can.
    fn why_not(&self, joint: &JointTexts) -> Option<String>;

    /// Searches for a plan from the position.
    fn plan(&self, seed: u64, allowance: &RequestLimits) -> Result<Reply, Refusal>;

    /// Returns the compiled problem as text.
    fn internals(&self, listed: usize) -> Reply;

    /// Returns the Datalog program of the problem as text.
    fn program(&self, allowance: &RequestLimits) -> Result<Reply, Refusal>;

    /// Writes the walk to a position as a trace.
    fn record(&self, position: &WalkPosition, budget: &Budget) -> Result<Vec<u8>, Refusal>;

    /// Returns the true fluent facts, sorted, as traces list them.
    fn true_fluents(&self) -> Vec<String>;
}

/// The first of a set of problems, with a walk through it.
pub(crate) struct Game<P: Played> {
    problems: Arc<P>,
    walk: Walk<P::System>,
    /// Whether views have pictures.
    is_drawn: bool,
    /// Made for the first picture; games of the same problem share it.
    renderer: Arc<OnceLock<StateRenderer<P::System>>>,
}

/// Returns the language of a problem.
pub(crate) fn language(name: &ProblemName) -> Language {
    match name {
        ProblemName::Bundled { domain, .. } if domain.starts_with(RDDL) => Language::Rddl,
        ProblemName::Bundled { .. } => Language::Pddl,
        ProblemName::Texts { texts } => Language::of(&texts.domain),
    }
}

/// Opens a problem that is bundled or given by texts.
pub(crate) fn open(name: &ProblemName, allowance: &RequestLimits) -> Result<Box<dyn AnyGame>, Refusal> {
    #[cfg(feature = "sessions")]
    if let Some(worlds) = crate::worlds::named(name, allowance) {
        return Ok(Box::new(Game::open(worlds?, allowance)?));
    }
    Ok(match language(name) {
        Language::Pddl => Box::new(Game::open(planning::suite(name, allowance)?, allowance)?),
        Language::Rddl => Box::new(Game::open(rddl::suite(name, allowance)?, allowance)?),
    })
}

/// Returns the Datalog program of a problem that is bundled or given by texts, without compiling the problem further.
pub(crate) fn program(name: &ProblemName, allowance: &RequestLimits) -> Result<Reply, Refusal> {
    match language(name) {
        Language::Pddl => planning::suite(name, allowance)?.program(allowance),
        Language::Rddl => rddl::suite(name, allowance)?.program(allowance),
    }
}

/// The directions of [`PositionView::beside`].
const DIRECTIONS: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

impl<P: Played> Game<P> {
    /// Opens the first of `problems`.
    pub(crate) fn open(problems: P, allowance: &RequestLimits) -> Result<Self, Refusal> {
        let system = problems.system(0).map_err(Into::into)?;
        let is_drawn = is_small::<P>(&system, allowance.drawn);
        let costs = P::cost(&system);
        let game = Self {
            walk: Walk::new(system, problems.horizon(0), costs),
            problems: Arc::new(problems),
            is_drawn,
            renderer: Arc::default(),
        };
        if is_drawn {
            game.renderer()?;
        }
        Ok(game)
    }

    /// Returns what draws the states, which is made in the first call.
    fn renderer(&self) -> Result<&StateRenderer<P::System>, Refusal> {
        if let Some(renderer) = self.renderer.get() {
            return Ok(renderer);
        }
        let renderer = self
            .problems
            .renderer(0, self.walk.system())
            .map_err(Into::into)?;
        Ok(self.renderer.get_or_init(|| renderer))
    }

    /// Returns the title of the problem.
    fn titled(&self) -> String {
        let name = self.problems.problem_name(0).unwrap_or_default();
        format!("{} {name}", self.problems.name())
    }

    /// Returns why no state allows an action, if that is so.
    fn never_valid(&self, joint: &JointTexts) -> Option<String> {
        match joint.as_slice() {
            [action] => self.problems.never_valid(0, action),
            _ => None,
        }
    }

    /// Returns the conjuncts of the goal, for states whose picture does not show it.
    fn goal(&self) -> Vec<GoalPart> {
        let conjuncts = self.problems.goal_conjuncts(0, self.walk.system());
        let conjuncts = conjuncts.unwrap_or_default().into_iter();
        let part = |conjunct: herbrand_core::GoalConjunct| GoalPart {
            text: conjunct.on_one_line(),
            satisfied: conjunct.holds == Some(true),
        };
        conjuncts.map(part).collect()
    }
}

impl<P: Played> AnyGame for Game<P> {
    fn go(&mut self, position: &WalkPosition, allowance: &RequestLimits) -> Result<(), Refusal> {
        let (seed, walk) = (position.seed, &position.walk);
        if walk.len() > allowance.steps {
            let most = allowance.steps;
            return Err(Refusal::limit(format!(
                "a walk can have at most {most} steps here"
            )));
        }
        self.walk.go(seed, walk, &Budget::new(allowance.limits))
    }

    fn bytes(&self) -> u64 {
        P::bytes(self.walk.system())
    }

    fn view(&self, allowance: &RequestLimits) -> Result<PositionView, Refusal> {
        let (mut goal, mut picture, mut beside) = (Vec::new(), None, Default::default());
        if let Some(renderer) = self.renderer.get().filter(|_| self.is_drawn) {
            let moment = renderer.moment(self.walk.system());
            let cell = |direction| renderer.picture().beside(&moment, direction).unwrap_or_default();
            beside = DIRECTIONS.map(|direction| cell(direction).to_vec());
            picture = crate::picture::drawn(&renderer.scene_of(&moment));
            goal = drawn_goal(&moment);
        }
        if goal.is_empty() {
            goal = self.goal();
        }
        goal.truncate(allowance.listed);
        Ok(PositionView {
            language: self.problems.language(),
            title: self.titled(),
            picture,
            beside,
            goal,
            ..self.walk.view(allowance.listed)?
        })
    }

    #[cfg(feature = "sessions")]
    fn fresh(&self) -> Result<Box<dyn AnyGame>, Refusal> {
        let system = self.problems.system(0).map_err(Into::into)?;
        let costs = P::cost(&system);
        Ok(Box::new(Self {
            walk: Walk::new(system, self.problems.horizon(0), costs),
            problems: Arc::clone(&self.problems),
            is_drawn: false,
            renderer: Arc::clone(&self.renderer),
        }))
    }

    #[cfg(feature = "sessions")]
    fn take(
        &mut self,
        position: &WalkPosition,
        joint: &JointTexts,
        describe: bool,
        allowance: &RequestLimits,
    ) -> Result<(), Refusal> {
        self.go(position, allowance)?;
        self.walk.take(joint, describe).map_err(|refusal| Refusal {
            message: self.never_valid(joint).unwrap_or(refusal.message),
            ..refusal
        })
    }

    #[cfg(feature = "sessions")]
    fn describe_last(&mut self) -> Result<(), Refusal> {
        self.walk.describe_last()
    }

    #[cfg(feature = "sessions")]
    fn walk(&self) -> &dyn Walked {
        &self.walk
    }

    #[cfg(feature = "sessions")]
    fn language(&self) -> Option<Language> {
        self.problems.language()
    }

    #[cfg(feature = "sessions")]
    fn title(&self) -> String {
        self.titled()
    }

    #[cfg(feature = "sessions")]
    fn goal_parts(&self) -> Vec<GoalPart> {
        self.goal()
    }

    #[cfg(feature = "sessions")]
    fn scene(&self, allowance: &RequestLimits) -> Result<Option<herbrand_render::Scene>, Refusal> {
        let system = self.walk.system();
        if !is_small::<P>(system, allowance.drawn) {
            return Ok(None);
        }
        let renderer = self.renderer()?;
        Ok(Some(renderer.scene_of(&renderer.moment(system))))
    }

    #[cfg(feature = "sessions")]
    fn wording(
        &self,
        table: Option<&herbrand_verbalize::TextTable>,
    ) -> Result<herbrand_verbalize::Wording, Refusal> {
        self.problems.wording(table)
    }

    #[cfg(feature = "sessions")]
    fn action_forms(&self) -> Vec<String> {
        self.problems.action_forms()
    }

    #[cfg(feature = "sessions")]
    fn sentences(&self, wording: &herbrand_verbalize::Wording, constants: bool) -> String {
        let system = self.walk.system();
        if constants {
            wording.constants(system)
        } else {
            wording.state(system)
        }
    }

    #[cfg(feature = "sessions")]
    fn seen(&self, memory: &mut herbrand_core::Memory) -> Result<Option<Vec<String>>, Refusal> {
        self.problems.seen(self.walk.system(), memory)
    }

    #[cfg(feature = "sessions")]
    fn distance(&self, allowance: &RequestLimits) -> Result<crate::session_reply::GoalDistance, Refusal> {
        self.problems.distance(self.walk.system(), allowance)
    }

    fn why_not(&self, joint: &JointTexts) -> Option<String> {
        let why = self.walk.why_not(joint)?;
        Some(self.never_valid(joint).unwrap_or(why))
    }

    fn plan(&self, seed: u64, allowance: &RequestLimits) -> Result<Reply, Refusal> {
        let (system, taken) = (self.walk.system(), Walked::len(&self.walk));
        self.problems.plan(system, taken, seed, allowance)
    }

    fn internals(&self, listed: usize) -> Reply {
        P::internals(self.walk.system(), listed)
    }

    fn program(&self, allowance: &RequestLimits) -> Result<Reply, Refusal> {
        self.problems.program(allowance)
    }

    fn record(&self, position: &WalkPosition, budget: &Budget) -> Result<Vec<u8>, Refusal> {
        self.problems.record(position, budget)
    }

    fn true_fluents(&self) -> Vec<String> {
        true_facts(self.walk.system(), Group::Fluent)
    }
}

/// Returns the parts of the goal that a picture shows.
fn drawn_goal(moment: &Moment) -> Vec<GoalPart> {
    let wanted = moment.goal.iter().map(|wanted| {
        let text = if wanted.name.starts_with('(') {
            wanted.name.clone()
        } else {
            let words = std::iter::once(&wanted.name).chain(&wanted.arguments);
            format!("({})", words.map(String::as_str).collect::<Vec<_>>().join(" "))
        };
        GoalPart {
            text: if wanted.negative {
                format!("(not {text})")
            } else {
                text
            },
            satisfied: wanted.satisfied,
        }
    });
    wanted.collect()
}
