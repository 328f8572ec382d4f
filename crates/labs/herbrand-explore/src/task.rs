//! The task of an agent in a kind of game, and its prior knowledge.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use herbrand_edit::{Belief, EditRules, Functional, Ground, PlanningModel};
use herbrand_pddl::Domain;

use crate::phrase::{command, filled};
use crate::reader::WorkedExample;
use crate::solver::PlanQuality;
use crate::world::{GameError, Setting};

/// The task of an agent in one kind of game: a domain, integrity rules, and a ladder of goals. The ladder lists goals
/// from most to least wanted, because the final goal often has no plan in the part of the problem that is known.
/// [`of`](Self::of) creates one. [`Explorer`](crate::Explorer) plays it.
#[derive(Clone, Debug)]
pub struct Task {
    /// The initial known problem, with the domain but without objects or facts.
    pub start: PlanningModel,
    /// The rules of the known problem: functional relations, and predicates whose facts stay true.
    pub rules: EditRules,
    /// The goals, most wanted first. The agent plans for the first goal that has a plan.
    pub ladder: Vec<Rung>,
    /// The maximum number of commands in a game.
    pub steps: usize,
    /// The commands of action schemas by the name of the schema, such as `move {2}`. A number in braces is the index of an
    /// argument. Schemas without one have the command of [`command`].
    pub commands: BTreeMap<String, String>,
    /// An example of a text and the answers to it, for language models; `None` if there is no such example.
    pub example: Option<WorkedExample>,
}

/// A goal of a task's ladder, with the quality of plan that it needs. [`Task::ladder`] lists them.
#[derive(Clone, Debug)]
pub struct Rung {
    /// The name of the goal in reports.
    pub name: String,
    /// The goal.
    pub goal: RungGoal,
    /// Whether a plan for the goal must be shortest.
    pub aim: PlanQuality,
}

/// The goal of a [`Rung`] in PDDL. A goal that is invalid in the known problem, for example because it names an unknown
/// object, counts as having no plan.
#[derive(Clone, Debug)]
pub enum RungGoal {
    /// The same goal in every problem, such as `(held coin)`.
    Fixed(String),
    /// Returns the goal for the current belief, or `None` if the goal does not apply yet.
    Of(fn(&Belief) -> Option<String>),
}

impl RungGoal {
    /// Returns the goal for a belief, or `None` if it does not apply yet. The explorer plans for it.
    #[must_use]
    pub fn text(&self, belief: &Belief) -> Option<String> {
        match self {
            Self::Fixed(goal) => Some(goal.clone()),
            Self::Of(goal) => goal(belief),
        }
    }
}

impl Task {
    /// Creates the task of a setting of the bundled games, for [`Explorer`](crate::Explorer) and
    /// [`Transcript::play`](crate::Transcript::play).
    ///
    /// # Errors
    /// Fails only if the library was built without the bundled domains.
    pub fn of(setting: Setting) -> Result<Self, GameError> {
        let files = setting.generator().and_then(|generator| generator.files());
        let files = files.map_err(GameError::from_error)?;
        let domain = Domain::parse(&files.domain).map_err(GameError::from_error)?;
        let text = format!("(define (problem known) (:domain {}) (:init))", domain.name);
        let problem = herbrand_pddl::Problem::from_text(&text, &domain).map_err(GameError::from_error)?;
        let function = |predicate: &str, keys: &[usize]| Functional {
            predicate: predicate.to_owned(),
            keys: keys.to_vec(),
        };
        let start = PlanningModel::new(Arc::new(domain), problem);
        let rules = EditRules {
            functional: vec![
                function("agent-at", &[]),
                function("leads", &[0, 2]),
                function("in", &[0]),
            ],
            monotone: vec!["visited".to_owned(), "read".to_owned()],
        };
        let example = WorkedExample::of(setting, Belief::new(start.clone(), rules.clone()))?;
        let ladder: &[RungOf] = match setting {
            Setting::Coin => &COIN,
            Setting::CookingEasy | Setting::CookingHard => &COOKING,
        };
        let rung = |&(name, goal, aim): &RungOf| Rung {
            name: name.to_owned(),
            goal: RungGoal::Of(goal),
            aim,
        };
        Ok(Self {
            start,
            rules,
            ladder: ladder.iter().map(rung).collect(),
            steps: setting.steps(),
            commands: BTreeMap::new(),
            example: Some(example),
        })
    }

    /// Returns the text command for a ground action, from [`commands`](Self::commands) or by
    /// [`command`](crate::command()). `word` returns the phrase for an object. `None` if there is no command, or arguments
    /// are missing.
    pub fn command(&self, action: &Ground, word: impl Fn(&str) -> String) -> Option<String> {
        match self.commands.get(&action.predicate) {
            Some(pattern) => filled(pattern, action, word),
            None => command(action, word),
        }
    }
}

/// A rung of a bundled setting: its name, the goal that a belief gives, and the plan to search for.
type RungOf = (&'static str, fn(&Belief) -> Option<String>, PlanQuality);

/// Hold the coin; otherwise visit a new room.
const COIN: [RungOf; 2] = [
    ("the coin is held", coin, PlanQuality::Any),
    ("somewhere new", somewhere_new, PlanQuality::Nearest),
];

/// Eat the meal; otherwise read the recipe; otherwise take an ingredient or the knife in this room; otherwise explore.
const COOKING: [RungOf; 4] = [
    ("the meal is eaten", meal, PlanQuality::Any),
    ("the recipe is read", recipe, PlanQuality::Nearest),
    ("what is needed here is held", needed_here, PlanQuality::Any),
    ("somewhere new", somewhere_new, PlanQuality::Nearest),
];

/// Returns the argument lists of a predicate's facts.
fn facts<'f>(facts: &'f [Ground], predicate: &str) -> Vec<&'f [String]> {
    let all = facts.iter().filter(|fact| fact.predicate == predicate);
    all.map(|fact| fact.arguments.as_slice()).collect()
}

/// Returns the objects that are the first argument of a fact of the predicate.
fn objects<'f>(known: &'f [Ground], predicate: &str) -> BTreeSet<&'f str> {
    facts(known, predicate)
        .into_iter()
        .filter_map(|arguments| arguments.first().map(String::as_str))
        .collect()
}

fn coin(belief: &Belief) -> Option<String> {
    let known = belief.model().facts();
    objects(&known, "in")
        .contains("coin")
        .then(|| "(held coin)".to_owned())
}

/// Returns the goal if the recipe has been read and every ingredient has been located, or if the meal is served.
fn meal(belief: &Belief) -> Option<String> {
    let known = belief.model().facts();
    let (there, held) = (objects(&known, "in"), objects(&known, "held"));
    let served = known.iter().any(|fact| fact.predicate == "served");
    let wanted = objects(&known, "wanted");
    let found = wanted
        .iter()
        .all(|food| there.contains(food) || held.contains(food));
    (served || (!objects(&known, "read").is_empty() && found)).then(|| "(eaten)".to_owned())
}

fn recipe(belief: &Belief) -> Option<String> {
    let known = belief.model().facts();
    let unread = objects(&known, "read").is_empty() && objects(&known, "in").contains("cookbook");
    unread.then(|| "(read cookbook)".to_owned())
}

/// Returns a goal to take the ingredients that are in this room, and the knife if the recipe requires cutting.
fn needed_here(belief: &Belief) -> Option<String> {
    let known = belief.model().facts();
    let here = facts(&known, "agent-at").first()?.first()?;
    let spots: BTreeSet<&str> = facts(&known, "stands")
        .into_iter()
        .filter(|arguments| arguments[1] == *here)
        .map(|arguments| arguments[0].as_str())
        .collect();
    let cut = !facts(&known, "wants-shape").is_empty();
    let wanted = objects(&known, "wanted");
    let needed = |item: &str| wanted.contains(item) || (cut && item == "knife");
    let there = facts(&known, "in")
        .into_iter()
        .filter(|arguments| spots.contains(arguments[1].as_str()));
    let goals: Vec<_> = there
        .filter(|arguments| needed(&arguments[0]))
        .map(|arguments| format!("(held {})", arguments[0]))
        .collect();
    (!goals.is_empty()).then(|| format!("(and {})", goals.join(" ")))
}

/// Returns a goal to visit an unvisited room or to open closed furniture.
fn somewhere_new(belief: &Belief) -> Option<String> {
    let known = belief.model().facts();
    let visited = objects(&known, "visited");
    let rooms: BTreeSet<&str> = facts(&known, "leads")
        .into_iter()
        .map(|arguments| arguments[1].as_str())
        .collect();
    let rooms = rooms
        .into_iter()
        .filter(|room| !visited.contains(room))
        .map(|room| format!("(visited {room})"));
    let spots = objects(&known, "shut")
        .into_iter()
        .map(|spot| format!("(not (shut {spot}))"));
    let goals: Vec<_> = rooms.chain(spots).collect();
    (!goals.is_empty()).then(|| format!("(or {})", goals.join(" ")))
}
