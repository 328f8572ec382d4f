//! Gathering experience with a random policy.

use std::sync::Arc;

use herbrand_core::{Choice, Random, System, uniform_below};
use herbrand_env::{EnvError, Grounded, Planning, Suite};
use herbrand_ground::{AtomId, GroundTask, Vocabulary};
use herbrand_limits::Budget;
use herbrand_pddl::{AtomRef, ObjectId};
use herbrand_text::UnknownName;

use crate::error::LearnError;
use crate::experience::{
    Experience, Observed, ObservedOutcome, ObservedProblem, ObservedTransition, SceneId, StateId,
};
use crate::language::DomainSignature;

/// The options of [`explore`]: the length of the random exploration, and its policy. By default 100 episodes of at most
/// 25 actions, seed 0 and [`ActionChoice::Mixed`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exploration {
    /// The number of episodes. Each one plays a problem drawn uniformly.
    pub episodes: u32,
    /// The maximum number of actions per episode, including refused ones.
    pub horizon: u32,
    /// The seed of the random numbers: of problems, initial states, actions and outcomes. A run with more episodes
    /// starts with the episodes of a shorter run of the same seed.
    pub seed: u64,
    /// The distribution of the random actions.
    pub choice: ActionChoice,
}

impl Default for Exploration {
    /// 100 episodes of 25 actions, as in "PDDLGym: Gym Environments from PDDL Problems" (Silver and Chitnis 2020).
    fn default() -> Self {
        Self {
            episodes: 100,
            horizon: 25,
            seed: 0,
            choice: ActionChoice::default(),
        }
    }
}

herbrand_text::named! {
    /// The distribution from which the random policy of [`explore`] draws actions. It is [`Exploration::choice`]; the
    /// default is [`Mixed`](Self::Mixed).
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum ActionChoice {
        /// Uniform over the applicable agent actions.
        Valid = "valid",
        /// An agent action drawn uniformly among those with a fitting object for each parameter, then arguments drawn
        /// uniformly among the fitting objects. The action may be inapplicable.
        Any = "any",
        /// One of the two others, drawn with equal probability for each action.
        #[default]
        Mixed = "mixed",
    }
    /// Returns the name of the distribution, which `FromStr` reads back.
    pub fn as_str; parses, or UnknownName: |name| UnknownName::new(name, "policy", &ActionChoice::ALL.map(ActionChoice::as_str))
}

/// Plays random episodes on the problems of a suite and returns the observed transitions. An episode ends in a state
/// without applicable actions, or after [`Exploration::horizon`] actions. It does not end at a goal. Pass the result to
/// a learner, such as [`learn_safe`](crate::learn_safe). Refused actions are transitions too. Without episodes, the
/// experience is empty. Outcomes and random initial states are drawn.
///
/// # Errors
/// Fails if a problem is invalid or too large to be grounded, if states have numeric fluents ([`LearnError::Numbers`]),
/// if a numeric effect has no result, if the suite is empty, or if the budget is exhausted.
pub fn explore(suite: &Suite, options: &Exploration, budget: &Budget) -> Result<Experience, LearnError> {
    let language = Arc::new(DomainSignature::of(suite));
    let mut explorer = Explorer {
        experience: Experience {
            language,
            scenes: Vec::new(),
            states: Vec::new(),
            transitions: Vec::new(),
        },
        scenes: vec![None; suite.len()],
        held: 0,
    };
    let random = Random::new(options.seed);
    for episode in 0..u64::from(options.episodes) {
        let mut random = random.stream(episode);
        let problem = uniform_below(&mut random, suite.len() as u32) as usize;
        explorer.play(suite, problem, options, &mut random, budget)?;
    }
    Ok(explorer.experience)
}

struct Explorer {
    experience: Experience,
    /// The scene of each problem; `None` if it has not been played yet.
    scenes: Vec<Option<SceneId>>,
    /// The memory of the stored experience, in bytes.
    held: u64,
}

impl Explorer {
    fn play(
        &mut self,
        suite: &Suite,
        problem: usize,
        options: &Exploration,
        random: &mut Random,
        budget: &Budget,
    ) -> Result<(), LearnError> {
        let mut system = suite.engine(problem)?;
        let scene = self.scene(suite, problem, &system)?;
        system.reset(random).map_err(EnvError::from)?;
        let mut state = self.observe(scene, &system);
        for _ in 0..options.horizon {
            budget.check("exploring", self.held)?;
            let Some((action, arguments)) = self.draw(&system, options.choice, random) else {
                break;
            };
            let name = &self.experience.language.signatures()[action].name;
            let id = system.space().find(name.as_str(), &arguments);
            let valid = id.filter(|&id| system.is_valid(&[Choice::from(id)]));
            let (next, outcome) = match valid {
                None => (state, ObservedOutcome::Refused),
                Some(id) => {
                    system.step(&[Choice::from(id)], random).map_err(EnvError::from)?;
                    let next = self.observe(scene, &system);
                    let [before, after] = [state, next].map(|id| &self.experience.state(id).atoms);
                    let change = self.experience.scenes[scene.index()].change(before, after);
                    (next, ObservedOutcome::Done { next, change })
                }
            };
            self.experience.transitions.push(ObservedTransition {
                state,
                action,
                arguments,
                outcome,
            });
            state = next;
        }
        Ok(())
    }

    fn scene(
        &mut self,
        suite: &Suite,
        problem: usize,
        system: &Planning<Grounded>,
    ) -> Result<SceneId, LearnError> {
        if let Some(known) = self.scenes[problem] {
            return Ok(known);
        }
        let task = system.walker().simulator().shared_task();
        if task.state_numerics > 0 {
            let problem = suite.full_problem_name(problem).unwrap_or_default();
            return Err(LearnError::Numbers { problem });
        }
        let id = SceneId::from_index(self.experience.scenes.len());
        let scene = scene_of(suite, problem, &task)?;
        self.held += (scene.fluents.bytes() + scene.derived.bytes() + scene.statics.bytes()) as u64;
        self.experience.scenes.push(scene);
        self.scenes[problem] = Some(id);
        Ok(id)
    }

    fn observe(&mut self, scene: SceneId, system: &Planning<Grounded>) -> StateId {
        let simulator = system.walker().simulator();
        let task = simulator.task();
        let shown = |atom: &AtomId| {
            let fact = task.atoms.get(atom.index());
            fact.is_some_and(|fact| is_shown(task, fact))
        };
        let atoms: Vec<AtomId> = simulator.atoms(system.state()).filter(shown).collect();
        self.held += (atoms.len() * size_of::<AtomId>()) as u64;
        let states = &mut self.experience.states;
        states.push(Observed { scene, atoms });
        StateId::from_index(states.len() - 1)
    }

    /// Draws an action and its arguments. Returns `None` in a state without applicable actions.
    fn draw(
        &self,
        system: &Planning<Grounded>,
        choice: ActionChoice,
        random: &mut Random,
    ) -> Option<(usize, Vec<ObjectId>)> {
        let valid = match choice {
            ActionChoice::Valid => true,
            ActionChoice::Any => false,
            ActionChoice::Mixed => uniform_below(random, 2) == 0,
        };
        if system.choice_count() == 0 {
            return None;
        }
        if valid {
            self.draw_valid(system, random)
        } else {
            self.draw_any(&system.space().task().vocabulary, random)
        }
    }

    fn draw_valid(&self, system: &Planning<Grounded>, random: &mut Random) -> Option<(usize, Vec<ObjectId>)> {
        let mut joint = Vec::new();
        system.sample(random, &mut joint);
        let id = herbrand_env::AgentActionId::of(*joint.first()?)?;
        let (name, arguments) = system.space().get(id)?;
        let mut signatures = self.experience.language.signatures().iter();
        let action = signatures.position(|signature| signature.name == *name)?;
        Some((action, arguments))
    }

    /// Draws an action among those with an object for every parameter, then its arguments.
    fn draw_any(&self, vocabulary: &Vocabulary, random: &mut Random) -> Option<(usize, Vec<ObjectId>)> {
        let mut possible = Vec::new();
        for (action, signature) in self.experience.language.signatures().iter().enumerate() {
            let choices = signature.parameters.iter().map(|(_, types)| {
                let objects = (0..vocabulary.objects.len()).map(ObjectId::from_index);
                objects
                    .filter(|&object| vocabulary.fits(object, types))
                    .collect::<Vec<_>>()
            });
            let choices: Vec<_> = choices.collect();
            if choices.iter().all(|objects| !objects.is_empty()) {
                possible.push((action, choices));
            }
        }
        let (action, choices) = possible.get(uniform_below(random, possible.len() as u32) as usize)?;
        let draw = |objects: &Vec<ObjectId>| objects[uniform_below(random, objects.len() as u32) as usize];
        Some((*action, choices.iter().map(draw).collect()))
    }
}

/// Builds the scene of a problem. Its atom ids are those of the ground task, whose atoms are sorted too.
fn scene_of(suite: &Suite, problem: usize, task: &GroundTask) -> Result<ObservedProblem, LearnError> {
    let fluents = task.fluent_count();
    Ok(ObservedProblem {
        problem: Arc::new(suite.parse_problem(problem)?),
        vocabulary: task.vocabulary.clone(),
        fluents: task.atoms.iter().take(fluents).collect(),
        derived: task.atoms.iter().skip(fluents).collect(),
        statics: task.statics.iter().filter(|&fact| is_shown(task, fact)).collect(),
    })
}

/// Returns whether the domain declares the atom's predicate. Normalization adds auxiliary predicates.
fn is_shown(task: &GroundTask, fact: AtomRef<'_>) -> bool {
    !task.vocabulary.predicate(fact.predicate).auxiliary
}
