//! A problem that is played, in any language.

use herbrand_core::{GoalConjunct, Group};
use herbrand_limits::Budget;
use herbrand_render::{Direction, Moment};
use herbrand_tasks::AnyProblems;
use herbrand_tasks::any::{AnyProblem, AnySystem, SuggestedPlan, WalkRecord};
use herbrand_tasks::walk::AnyWalk;

use crate::allowance::RequestLimits;
use crate::catalogue::RDDL;
use crate::refusal::Refusal;
use crate::reply::{GoalPart, PositionView};
use crate::request::{JointTexts, ProblemName, WalkPosition};
use crate::view::view;
use crate::{planning, rddl};
use herbrand_assist::Language;

/// A problem with a walk through it.
pub(crate) struct Game {
    pub(crate) walk: AnyWalk,
    /// The language; `None` if the page has no words and colours of its own for it.
    pub(crate) language: Option<Language>,
    /// Whether views have pictures.
    is_drawn: bool,
}

/// Returns the language of a problem.
pub(crate) fn language(name: &ProblemName) -> Language {
    match name {
        ProblemName::Bundled { domain, .. } if domain.starts_with(RDDL) => Language::Rddl,
        ProblemName::Bundled { .. } => Language::Pddl,
        ProblemName::Texts { texts } => Language::of(&texts.domain),
    }
}

/// Returns the set with the problem only that is bundled or given by texts.
pub(crate) fn find(name: &ProblemName, allowance: &RequestLimits) -> Result<AnyProblems, Refusal> {
    #[cfg(feature = "sessions")]
    if let Some(worlds) = crate::worlds::named(name, allowance) {
        return Ok(AnyProblems::World(worlds?));
    }
    Ok(match language(name) {
        Language::Pddl => AnyProblems::Pddl(planning::suite(name, allowance)?),
        Language::Rddl => AnyProblems::Rddl(rddl::suite(name, allowance)?),
    })
}

/// The directions of [`PositionView::beside`].
const DIRECTIONS: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

impl Game {
    /// Opens the first problem of a set.
    pub(crate) fn of(problems: AnyProblems, allowance: &RequestLimits) -> Result<Self, Refusal> {
        let language = match &problems {
            AnyProblems::Pddl(_) => Some(Language::Pddl),
            AnyProblems::Rddl(_) => Some(Language::Rddl),
            AnyProblems::World(_) => None,
        };
        Self::open(problems.open()?, language, allowance)
    }

    /// Starts to play a problem.
    pub(crate) fn open(
        problem: Box<dyn AnyProblem>,
        language: Option<Language>,
        allowance: &RequestLimits,
    ) -> Result<Self, Refusal> {
        let is_drawn = is_small(&*problem.look(), allowance.drawn);
        if is_drawn {
            problem.picture()?;
        }
        Ok(Self {
            walk: AnyWalk::new(problem),
            language,
            is_drawn,
        })
    }

    /// Returns the same problem, compiled once, at its initial state without a walk.
    #[cfg(feature = "sessions")]
    pub(crate) fn fresh(&self) -> Result<Self, Refusal> {
        Ok(Self {
            walk: AnyWalk::new(self.walk.problem.fresh()?),
            language: self.language,
            is_drawn: false,
        })
    }

    /// Returns the problem at the position.
    pub(crate) fn look(&self) -> Box<dyn AnySystem + '_> {
        self.walk.problem.look()
    }

    /// Moves the walk to a position of this problem.
    pub(crate) fn go(&mut self, position: &WalkPosition, allowance: &RequestLimits) -> Result<(), Refusal> {
        let (seed, walk) = (position.seed, &position.walk);
        if walk.len() > allowance.steps {
            let most = allowance.steps;
            return Err(Refusal::limit(format!(
                "a walk can have at most {most} steps here"
            )));
        }
        Ok(self.walk.go(seed, walk, &Budget::new(allowance.limits))?)
    }

    /// Returns the approximate size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.look().features().bytes()
    }

    /// Returns the view of the position.
    pub(crate) fn view(&self, allowance: &RequestLimits) -> Result<PositionView, Refusal> {
        let (mut goal, mut drawn, mut beside) = (Vec::new(), None, Default::default());
        if self.is_drawn {
            let (picture, moment) = self.walk.problem.picture()?;
            let cell = |direction| picture.beside(&moment, direction).unwrap_or_default();
            beside = DIRECTIONS.map(|direction| cell(direction).to_vec());
            drawn = crate::picture::drawn(&picture.scene(&moment));
            goal = drawn_goal(&moment);
        }
        if goal.is_empty() {
            goal = self.goal_parts();
        }
        goal.truncate(allowance.listed);
        Ok(PositionView {
            language: self.language,
            picture: drawn,
            beside,
            goal,
            ..view(&self.walk, allowance.listed)?
        })
    }

    /// Takes a step from a position, which is moved to first, and describes its effects if `describe` is set. A step that
    /// fails changes nothing.
    #[cfg(feature = "sessions")]
    pub(crate) fn take(
        &mut self,
        position: &WalkPosition,
        joint: &JointTexts,
        describe: bool,
        allowance: &RequestLimits,
    ) -> Result<(), Refusal> {
        self.go(position, allowance)?;
        self.walk.take(joint, describe).map_err(|fault| {
            let refusal = Refusal::from(fault);
            Refusal {
                message: self.never_valid(joint).unwrap_or(refusal.message),
                ..refusal
            }
        })
    }

    /// Returns the parts of the goal, for states whose picture does not show it.
    pub(crate) fn goal_parts(&self) -> Vec<GoalPart> {
        let part = |conjunct: GoalConjunct| GoalPart {
            text: conjunct.on_one_line(),
            satisfied: conjunct.holds == Some(true),
        };
        self.look()
            .goal_conjuncts()
            .unwrap_or_default()
            .into_iter()
            .map(part)
            .collect()
    }

    /// Returns the scene of the position; `None` if its state is too large.
    #[cfg(feature = "sessions")]
    pub(crate) fn scene(&self, allowance: &RequestLimits) -> Result<Option<herbrand_render::Scene>, Refusal> {
        if !is_small(&*self.look(), allowance.drawn) {
            return Ok(None);
        }
        let (picture, moment) = self.walk.problem.picture()?;
        Ok(Some(picture.scene(&moment)))
    }

    /// Explains why actions cannot be taken together; `None` if they can.
    pub(crate) fn why_not(&self, joint: &JointTexts) -> Option<String> {
        let why = self.walk.why_not(joint)?;
        Some(self.never_valid(joint).unwrap_or(why))
    }

    /// Returns why no state allows an action, if that is so.
    fn never_valid(&self, joint: &JointTexts) -> Option<String> {
        match joint.as_slice() {
            [action] => self.look().never_valid(action),
            _ => None,
        }
    }

    /// Searches for a plan from the position.
    pub(crate) fn plan(&self, seed: u64, allowance: &RequestLimits) -> Result<SuggestedPlan, Refusal> {
        let plan = self
            .look()
            .features()
            .plan(self.walk.len(), seed, &allowance.limits);
        Ok(plan?)
    }

    /// Writes a walk as a trace.
    pub(crate) fn record(&self, walk: &WalkRecord<'_>, budget: &Budget) -> Result<Vec<u8>, Refusal> {
        Ok(self.walk.problem.record(walk, budget)?)
    }

    /// Returns the true fluent facts, sorted, as traces list them.
    pub(crate) fn true_fluents(&self) -> Vec<String> {
        let mut facts = Vec::new();
        self.look().facts(&mut |fact| {
            if fact.group == Group::Fluent {
                facts.push(fact.to_string());
            }
        });
        facts.sort();
        facts
    }
}

/// Returns whether a state is small enough to be drawn: at most `objects` objects and 20 times as many facts.
fn is_small(system: &(dyn AnySystem + '_), objects: usize) -> bool {
    let mut facts = 0;
    system.facts(&mut |fact| facts += usize::from(fact.group != Group::Static));
    system.object_count() <= objects && facts <= 20 * objects
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
