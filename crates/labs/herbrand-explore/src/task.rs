//! The task of an agent in a kind of game, and its prior knowledge.

use std::collections::BTreeSet;
use std::sync::Arc;

use herbrand_edit::{Belief, EditRules, Functional, Ground, PlanningModel};
use herbrand_pddl::Domain;

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
}

/// A goal of a task's ladder, with the quality of plan that it needs. [`Task::ladder`] lists them.
#[derive(Clone, Copy, Debug)]
pub struct Rung {
    /// The name of the goal in reports.
    pub name: &'static str,
    /// Returns the goal in PDDL for the current belief, or `None` if the goal does not apply yet. An invalid goal
    /// counts as having no plan.
    pub goal: fn(&Belief) -> Option<String>,
    /// Whether a plan for the goal must be shortest.
    pub aim: PlanQuality,
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
        Ok(Self {
            start: PlanningModel::new(Arc::new(domain), problem),
            rules: EditRules {
                functional: vec![
                    function("agent-at", &[]),
                    function("leads", &[0, 2]),
                    function("in", &[0]),
                ],
                monotone: vec!["visited".to_owned(), "read".to_owned()],
            },
            ladder: match setting {
                Setting::Coin => COIN.to_vec(),
                Setting::CookingEasy | Setting::CookingHard => COOKING.to_vec(),
            },
            steps: setting.steps(),
        })
    }
}

/// Hold the coin; otherwise visit a new room.
const COIN: [Rung; 2] = [
    Rung {
        name: "the coin is held",
        goal: coin,
        aim: PlanQuality::Any,
    },
    Rung {
        name: "somewhere new",
        goal: somewhere_new,
        aim: PlanQuality::Nearest,
    },
];

/// Eat the meal; otherwise read the recipe; otherwise take an ingredient or the knife in this room; otherwise explore.
const COOKING: [Rung; 4] = [
    Rung {
        name: "the meal is eaten",
        goal: meal,
        aim: PlanQuality::Any,
    },
    Rung {
        name: "the recipe is read",
        goal: recipe,
        aim: PlanQuality::Nearest,
    },
    Rung {
        name: "what is needed here is held",
        goal: needed_here,
        aim: PlanQuality::Any,
    },
    Rung {
        name: "somewhere new",
        goal: somewhere_new,
        aim: PlanQuality::Nearest,
    },
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
