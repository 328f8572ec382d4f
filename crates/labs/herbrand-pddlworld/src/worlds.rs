//! Worlds as a set of problems, one per target.

use std::sync::Arc;

use herbrand_core::{
    ActionLayout, Catalogue, Explained, GoalConjunct, PackedStates, Problems, UnknownProblem,
};

use crate::action::{Numbering, Question, layout};
use crate::error::WorldError;
use crate::options::{Start, WorldOptions};
use crate::sketch::Sketch;
use crate::target::Target;
use crate::world::{World, WorldState};

/// A set of worlds as problems for environments: one world per target, all with the same options.
///
/// ```
/// use herbrand_core::{Env, EnvOptions, System};
/// use herbrand_pddlworld::{SketchBits, WorldOptions, Worlds};
///
/// let worlds = Worlds::light_switch(WorldOptions::default())?;
/// let mut env = Env::observed(worlds, SketchBits, EnvOptions::default())?;
/// env.reset(Some(7))?;
/// for edit in [
///     "precondition turn-on (on) negative", "effect turn-on (on) positive", "effect turn-on (lit) positive",
///     "precondition turn-off (on) positive", "effect turn-off (on) negative",
/// ] {
///     let action = env.system()?.target().parse_action(edit)?;
///     let joint = env.system()?.joint(action).expect("an edit is an action");
///     assert!(!env.step(&joint)?.ended());
/// }
/// // The last edit in the form of gym-pddlworld: effects, operator 1, literal 1, negative.
/// let action = env.system()?.target().parse_action("1 1 1 2")?;
/// let joint = env.system()?.joint(action).expect("an edit is an action");
/// let step = env.step(&joint)?;
/// assert!(step.goal && step.terminated);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Worlds {
    name: Arc<str>,
    /// The name of each world.
    names: Arc<[String]>,
    targets: Arc<[Arc<Target>]>,
    layouts: Arc<[Arc<ActionLayout>]>,
    options: Arc<WorldOptions>,
    /// The greatest numbers of literals and questions of a target.
    widest: (usize, usize),
}

impl Worlds {
    /// Creates a set of worlds with one world per target, which has the target's name. Create an environment over them by
    /// [`Env`](herbrand_core::Env).
    ///
    /// # Errors
    /// [`WorldError::Options`] if there is no target, options contradict each other or are out of range, or a given
    /// initial sketch does not fit a target.
    pub fn new(targets: Vec<Arc<Target>>, options: WorldOptions) -> Result<Self, WorldError> {
        let first = targets.first().map_or("", |target| target.name());
        let name = format!("pddlworld/{first}");
        let named = targets
            .iter()
            .map(|target| (target.name().to_owned(), Arc::clone(target)));
        Self::named(&name, named.collect(), options)
    }

    /// Like [`new`](Self::new), with a name for the set and for each world, such as that of the problem on which models are
    /// judged.
    ///
    /// # Errors
    /// Fails like [`new`](Self::new).
    pub fn named(
        name: &str,
        targets: Vec<(String, Arc<Target>)>,
        options: WorldOptions,
    ) -> Result<Self, WorldError> {
        let (names, targets): (Vec<_>, Vec<_>) = targets.into_iter().unzip();
        if let Some(fault) = options.fault() {
            return Err(WorldError::Options(fault));
        }
        if targets.is_empty() {
            return Err(WorldError::Options("there is no target".to_owned()));
        }
        if let Start::Given(sketch) = &options.start
            && let Some(target) = targets.iter().find(|target| !sketch.fits(target.vocabulary()))
        {
            return Err(WorldError::Options(format!(
                "the given start is no sketch of `{}`",
                target.name()
            )));
        }
        let literals = targets.iter().map(|target| target.vocabulary().len()).max();
        let questions = targets
            .iter()
            .map(|target| Numbering::of(target, &options).questions as usize)
            .max();
        let layouts = targets.iter().map(|target| Arc::new(layout(target, &options)));
        Ok(Self {
            name: name.into(),
            names: names.into(),
            widest: (literals.unwrap_or(0), questions.unwrap_or(0)),
            layouts: layouts.collect(),
            targets: targets.into(),
            options: options.into(),
        })
    }

    /// Creates a set with only the world of the light switch domain, [`Target::light_switch`].
    ///
    /// # Errors
    /// Fails like [`new`](Self::new), if the options are faulty or do not fit this world.
    pub fn light_switch(options: WorldOptions) -> Result<Self, WorldError> {
        Self::new(vec![Arc::new(Target::light_switch())], options)
    }

    /// Returns the same worlds with other options.
    ///
    /// # Errors
    /// Fails like [`new`](Self::new), if the options are faulty or do not fit a target.
    pub fn with_options(&self, options: WorldOptions) -> Result<Self, WorldError> {
        let targets = self.names.iter().cloned().zip(self.targets.iter().cloned());
        Self::named(&self.name, targets.collect(), options)
    }

    /// Returns the same worlds with the start that a word names: `empty`, `random`, `target`, or the number of wrong signs
    /// ([`Start`]). The word becomes the end of the set's name, as in `pddlworld/blocks@3`.
    ///
    /// # Errors
    /// [`WorldError::Options`] if the word names no start.
    pub fn starting(&self, word: &str) -> Result<Self, WorldError> {
        let start = match word {
            "empty" => Start::Empty,
            "random" => Start::Random,
            "target" => Start::Given(self.targets[0].sketch().clone()),
            word => {
                let unknown = || {
                    WorldError::Options(format!(
                        "`{word}` is no start: write `empty`, `random`, `target` or a number of wrong literals"
                    ))
                };
                Start::Corrupted(word.parse().map_err(|_| unknown())?)
            }
        };
        self.starting_at(start, word)
    }

    /// Returns the same worlds with a start, whose name becomes the end of the set's name.
    ///
    /// # Errors
    /// [`WorldError::Options`] if the start is a sketch that does not fit a target.
    pub fn starting_at(&self, start: Start, name: &str) -> Result<Self, WorldError> {
        let started = self.with_options(WorldOptions {
            start,
            ..self.options().clone()
        })?;
        Ok(Self {
            name: format!("{}@{name}", self.name).into(),
            ..started
        })
    }

    /// Returns the targets by index of the world, in the order given to [`new`](Self::new).
    #[must_use]
    pub fn targets(&self) -> &[Arc<Target>] {
        &self.targets
    }

    /// Returns the options that all worlds share.
    #[must_use]
    pub fn options(&self) -> &WorldOptions {
        &self.options
    }

    pub(crate) const fn widest(&self) -> (usize, usize) {
        self.widest
    }
}

impl Problems for Worlds {
    type System = World;
    type Error = WorldError;

    fn name(&self) -> &str {
        &self.name
    }

    fn len(&self) -> usize {
        self.targets.len()
    }

    fn problem_name(&self, index: usize) -> Option<String> {
        self.names.get(index).cloned()
    }

    fn horizon(&self, index: usize) -> Option<u32> {
        let signs = self.targets.get(index)?.vocabulary().len() * 2;
        self.options
            .horizon
            .or_else(|| u32::try_from(2 * signs.max(1)).ok())
    }

    fn system(&self, index: usize) -> Result<World, WorldError> {
        let (target, layout) = self
            .targets
            .get(index)
            .zip(self.layouts.get(index))
            .ok_or_else(|| UnknownProblem::at(self, index))?;
        let (target, options) = (Arc::clone(target), Arc::clone(&self.options));
        Ok(World::new(target, options, Arc::clone(layout), self.widest))
    }
}

impl Catalogue for Worlds {
    fn select(&self, indices: &[usize]) -> Result<Self, WorldError> {
        let unknown = indices.iter().find(|&&index| index >= self.len());
        if let Some(&index) = unknown {
            return Err(UnknownProblem::at(self, index).into());
        }
        // All indices are known, and the worlds keep the widths of the whole set.
        Ok(Self {
            names: indices.iter().map(|&index| self.names[index].clone()).collect(),
            targets: indices
                .iter()
                .map(|&index| Arc::clone(&self.targets[index]))
                .collect(),
            layouts: indices
                .iter()
                .map(|&index| Arc::clone(&self.layouts[index]))
                .collect(),
            ..self.clone()
        })
    }
}

/// The conjuncts are the conditions that end an episode. Any of them suffices.
impl Explained for Worlds {
    fn goal_conjuncts(&self, _index: usize, world: &World) -> Result<Vec<GoalConjunct>, WorldError> {
        let (target, ends, sketch) = (world.target(), self.options.ends, world.sketch());
        let solved = || target.solved(sketch, self.options.most_states) == target.problems();
        let all = [
            (
                ends.equal,
                "the model equals the target",
                sketch == target.sketch(),
            ),
            (
                ends.equivalent || ends.submitted,
                "the model behaves like the target in every state",
                world.is_equivalent(),
            ),
            (
                ends.solved,
                "plans of the model solve all problems",
                ends.solved && solved(),
            ),
        ];
        let conjuncts = all.into_iter().filter(|(counts, ..)| *counts);
        Ok(conjuncts
            .map(|(_, text, holds)| GoalConjunct {
                text: text.to_owned(),
                holds: Some(holds),
            })
            .collect())
    }
}

impl PackedStates for Worlds {
    fn pack(state: &WorldState) -> Vec<u8> {
        let answer = match state.answer {
            None => 0_u32,
            Some((Question::Equivalent, yes)) => 1 + u32::from(yes),
            Some((Question::Solves(problem), yes)) => 3 + 2 * problem as u32 + u32::from(yes),
        };
        let mut bytes = answer.to_le_bytes().to_vec();
        bytes.push(u8::from(state.submitted));
        bytes.extend(state.sketch.bytes());
        bytes
    }

    fn unpack(&self, problem: usize, bytes: &[u8]) -> Option<WorldState> {
        let target = self.targets.get(problem)?;
        let (answer, rest) = bytes.split_first_chunk::<4>()?;
        let (submitted, sketch) = rest.split_first()?;
        let answer = match u32::from_le_bytes(*answer) {
            0 => None,
            number @ 1..=2 => Some((Question::Equivalent, number == 2)),
            number => Some((Question::Solves((number as usize - 3) / 2), (number - 3) % 2 == 1)),
        };
        let known = |question| !matches!(question, Question::Solves(problem) if problem >= target.problems());
        (answer.is_none_or(|(question, _)| known(question)) && *submitted <= 1).then_some(())?;
        Some(WorldState {
            sketch: Sketch::from_bytes(target.vocabulary(), sketch)?,
            answer,
            submitted: *submitted == 1,
        })
    }
}
