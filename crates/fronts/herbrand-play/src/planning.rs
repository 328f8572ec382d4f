//! PDDL problems that are played.

use herbrand_core::{Choice, Described, Group, Random, System, Transition};
use herbrand_env::{
    ActionMode, AgentActionId, Grounded, Planning, PlanningError, ProblemFile, Registry, Source,
    StatePicture, SteppingEngine as _, Suite, SuiteFiles,
};
use herbrand_limits::Budget;
use herbrand_render::{Direction, Moment, Scene};

use crate::RequestLimits;
use crate::goal::goal_parts;
use crate::hints::{Hints, Planned, planned};
use crate::refusal::Refusal;
use crate::reply::{GoalPart, PositionView, Reply};
use crate::request::{JointTexts, ProblemName, Texts};
use crate::walk::{Playable, Walk};

/// The name of the domain text in messages.
pub(crate) const DOMAIN: &str = "domain";
/// The name of the problem text in messages.
pub(crate) const PROBLEM: &str = "problem";
/// The name of the settings text in messages.
pub(crate) const SETTINGS: &str = "settings";

impl Playable for Planning<Grounded> {
    fn tell(&mut self, joint: &[Choice], chance: &mut Random) -> Result<(Transition, String), PlanningError> {
        let Some(action) = action(joint) else {
            return Ok((self.step(joint, chance)?, String::new()));
        };
        let (transition, fired) = self.step_explained(action, chance)?;
        Ok((transition, fired.to_string()))
    }

    fn why_not(&self, joint: &[Choice]) -> String {
        let Some(action) = action(joint) else {
            return "take one action at a time".to_owned();
        };
        match self.explain(action) {
            Ok(explanation) => explanation.to_string(),
            Err(error) => error.to_string(),
        }
    }

    fn names(&self, choice: Choice) -> Vec<String> {
        let mut names = Vec::new();
        let mut add = |text: &str| {
            let words = text.trim_matches(['(', ')']).split_whitespace().skip(1);
            for word in words {
                if names.iter().all(|name| name != word) {
                    names.push(word.to_owned());
                }
            }
        };
        add(&self.choice_text(choice));
        if let Some(action) = AgentActionId::of(choice) {
            for operator in self.fitting(&action) {
                add(&self.walk().operator_text(&operator));
            }
        }
        names
    }

    /// Parses an agent action. As in plans, the text may also be an operator that carries out the action.
    fn parse(&self, text: &str) -> Result<Choice, String> {
        self.find_action(text)
            .map_or_else(|| self.parse_choice(text), |action| Ok(action.into()))
    }
}

fn action(joint: &[Choice]) -> Option<AgentActionId> {
    match joint {
        &[choice] => AgentActionId::of(choice),
        _ => None,
    }
}

/// Returns a suite with the selected problem only.
pub(crate) fn suite(name: &ProblemName, allowance: &RequestLimits) -> Result<Suite, Refusal> {
    match name {
        ProblemName::Bundled { domain, problem } => {
            let suite = Registry::get(domain).and_then(|suite| suite.problem(problem));
            Ok(suite.map_err(Refusal::unknown)?.with_limits(allowance.limits))
        }
        ProblemName::Texts { texts } => {
            let suite = Suite::within(files(texts), ActionMode::Declared, allowance.limits);
            suite.map_err(Refusal::from)
        }
    }
}

/// The directions of [`PositionView::beside`].
const DIRECTIONS: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

/// Converts texts to the files of a domain with one problem, which have the names that the texts define.
pub(crate) fn files(texts: &Texts) -> SuiteFiles {
    let settings = (!texts.settings.trim().is_empty()).then(|| Source::new(SETTINGS, &texts.settings));
    SuiteFiles {
        name: defined(&texts.domain, "domain").unwrap_or_else(|| "your".to_owned()),
        domain: Source::new(DOMAIN, &texts.domain),
        config: settings,
        problems: vec![ProblemFile {
            split: None,
            name: defined(&texts.problem, "problem").unwrap_or_else(|| "problem".to_owned()),
            source: Source::new(PROBLEM, &texts.problem),
        }],
    }
}

/// Returns the name of the first definition of a kind (`domain` or `problem`) in a PDDL text.
fn defined(text: &str, kind: &str) -> Option<String> {
    let code = text.lines().filter_map(|line| line.split(';').next());
    let words = code.flat_map(|line| line.split(|c: char| c.is_whitespace() || "()".contains(c)));
    let mut words = words.filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        if word.eq_ignore_ascii_case("define") && words.next()?.eq_ignore_ascii_case(kind) {
            return words.next().map(str::to_ascii_lowercase);
        }
    }
    None
}

/// A PDDL problem that is played.
pub(crate) struct PlanningGame {
    pub(crate) suite: Suite,
    pub(crate) walk: Walk<Planning<Grounded>>,
    picture: Option<StatePicture>,
    hints: Option<Hints>,
}

impl PlanningGame {
    pub(crate) fn open(name: &ProblemName, allowance: &RequestLimits) -> Result<Self, Refusal> {
        let suite = suite(name, allowance)?;
        let planning = suite.engine(0)?;
        let hints = Hints::of(&suite).ok().flatten();
        let picture = is_small(&planning, allowance.drawn)
            .then(|| StatePicture::of(&suite, 0, &planning))
            .transpose()?;
        Ok(Self {
            walk: Walk::new(planning, suite.config().horizon),
            suite,
            picture,
            hints,
        })
    }

    pub(crate) fn bytes(&self) -> u64 {
        // The tables of a walker are about as large as the task.
        2 * self.walk.system().space().task().bytes() as u64
    }

    pub(crate) fn view(&self, allowance: &RequestLimits) -> PositionView {
        let planning = self.walk.system();
        let (scene, mut goal, beside) = match &self.picture {
            Some(picture) => {
                let moment = picture.moment(planning);
                let cell = |direction| picture.picture().beside(&moment, direction).unwrap_or_default();
                let beside = DIRECTIONS.map(|direction| cell(direction).to_vec());
                (Some(picture.scene_of(&moment)), goal(&moment), beside)
            }
            None => (None, self.missing(), Default::default()),
        };
        goal.truncate(allowance.listed);
        PositionView {
            title: self.title(),
            picture: scene.and_then(|scene: Scene| crate::picture::drawn(&scene)),
            beside,
            goal,
            ..self.walk.view(allowance.listed)
        }
    }

    /// Explains why an action cannot be taken; `None` if it can.
    pub(crate) fn why_not(&self, joint: &JointTexts) -> Option<String> {
        let why = self.walk.why_not(joint)?;
        let never = match joint.as_slice() {
            [operator] => self.suite.why_never(0, operator).ok().flatten(),
            _ => None,
        };
        Some(never.unwrap_or(why))
    }

    /// Returns the unsatisfied parts of the goal.
    fn missing(&self) -> Vec<GoalPart> {
        let planning = self.walk.system();
        let task = planning.space().task();
        let missing = planning.goal_progress().missing;
        // If the goal never holds, the ground task has no literals of it.
        if missing.is_empty()
            && !planning.status().goal
            && let Ok(problem) = self.suite.parse_problem(0)
        {
            let mut atoms = Vec::new();
            planning.facts(&mut |fact| atoms.push(fact.to_string()));
            let atoms = atoms.iter().map(String::as_str).collect();
            let parts = goal_parts(self.suite.domain(), &problem, &atoms);
            return parts
                .iter()
                .map(|part| GoalPart {
                    text: part.text(),
                    satisfied: part.holds() == Some(true),
                })
                .collect();
        }
        let missing = missing.into_iter();
        missing
            .map(|literal| GoalPart {
                text: task.display_literal(literal).to_string(),
                satisfied: false,
            })
            .collect()
    }

    fn title(&self) -> String {
        let name = self.suite.full_problem_name(0).unwrap_or_default();
        format!("{} {name}", self.suite.name())
    }

    /// Returns a plan from the current state of the walk: the rest of the stored plan, or one found by a planner.
    pub(crate) fn plan(&self, allowance: &RequestLimits) -> Result<Reply, Refusal> {
        let planning = self.walk.system();
        let state = planning.state();
        if let Some(hints) = &self.hints
            && let Some(rest) = hints.rest(state)
        {
            let steps: Vec<JointTexts> = rest.iter().map(|&action| self.joint(action)).collect();
            let text = format!("Stored plan: {}.", counted(steps.len()));
            return Ok(Reply::Plan { steps, text });
        }
        let found = planned(planning.instance(), state, Budget::new(allowance.limits));
        Ok(match found? {
            Planned::Steps(steps) => {
                let steps: Vec<JointTexts> = steps.into_iter().map(|action| self.joint(action)).collect();
                let text = format!("The planner found a plan: {}.", counted(steps.len()));
                Reply::Plan { steps, text }
            }
            Planned::None(text) => Reply::Plan {
                steps: Vec::new(),
                text: text.to_owned(),
            },
        })
    }

    fn joint(&self, action: AgentActionId) -> JointTexts {
        vec![self.walk.system().space().display(action).to_string()]
    }
}

pub(crate) fn counted(steps: usize) -> String {
    let plural = if steps == 1 { "" } else { "s" };
    format!("{steps} step{plural}")
}

/// Returns whether a state is small enough to be drawn: at most `objects` objects and 20 times as many facts.
fn is_small(planning: &Planning<Grounded>, objects: usize) -> bool {
    let mut facts = 0;
    planning.facts(&mut |_| facts += 1);
    let found = planning.space().task().vocabulary.objects.len();
    found <= objects && facts <= 20 * objects
}

/// Returns the parts of the goal.
fn goal(moment: &Moment) -> Vec<GoalPart> {
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

/// Returns the true fluent facts in the format of traces.
pub(crate) fn true_fluents(planning: &Planning<Grounded>) -> Vec<String> {
    let mut facts = Vec::new();
    planning.facts(&mut |fact| {
        if fact.group == Group::Fluent && fact.value == herbrand_core::FactValue::Bool(true) {
            facts.push(fact.to_string());
        }
    });
    facts.sort();
    facts.dedup();
    facts
}
