//! Environments in any language.

use std::any::Any;

use herbrand_core::{
    Choice, Described, Elements, Env, EnvOptions, EpisodeEnd, EpisodeFault, FieldValue, Observer,
    ProblemChoice, Reset, Snapshot, Step, System,
};
use herbrand_env::ActionArrays;
use herbrand_render::{Scene, StateRenderer};

use super::batch::{add_actions, elements};
use super::playable::Playable;
use super::system::{AnySystem, Posed, check_numbers};
use super::view::{StateView, TrueAtoms, ViewForm};
use crate::any_error::{AnyError, ErrorKind};
use crate::step_faults::BrokenInvariant;

/// An environment over problems of any language: an [`Env`]. A method fails before the first reset if it needs a current
/// problem, and otherwise for the reasons of the environment's method.
pub trait AnyEnv: Send {
    /// Starts an episode.
    fn reset(&mut self, seed: Option<u64>, choice: ProblemChoice) -> Result<Reset, AnyError>;

    /// Takes an action.
    fn step(&mut self, action: ActionInput<'_>) -> Result<TakenStep, AnyError>;

    /// Draws a valid action. In a dead end it is 0, or all defaults.
    fn sample(&mut self, into: ActionOutput<'_>) -> Result<(), AnyError>;

    /// Writes the action mask (unless `mask` is empty) and the observation if it is an array. Returns the observation if it
    /// is not an array. Without `observation`, only writes the mask. The result is boxed to keep it small, since most
    /// environments return `None` in every step.
    fn see(
        &self,
        mask: &mut [u8],
        observation: Option<Elements<'_>>,
    ) -> Result<Option<Box<StateView>>, AnyError>;

    /// Returns the current problem in its current state, to look at.
    fn look(&self) -> Result<Box<dyn AnySystem + '_>, AnyError>;

    /// Returns the index of the current problem.
    fn problem(&self) -> Option<usize>;

    /// Returns the number of steps of the episode.
    fn elapsed(&self) -> Result<u32, AnyError>;

    /// Returns the current state.
    fn state(&self) -> Result<Box<dyn Any + Send>, AnyError>;

    /// Moves to a state of the current problem.
    fn set_state(&mut self, state: &dyn Any) -> Result<Reset, AnyError>;

    /// Returns everything that determines the future, except the actions, as bytes.
    fn save(&self) -> Result<Vec<u8>, AnyError>;

    /// Restores the result of `save`.
    fn restore(&mut self, saved: &[u8]) -> Result<(), AnyError>;

    /// Returns an independent copy.
    fn copy(&self) -> Box<dyn AnyEnv>;

    /// Returns the text of an action in its language: of the choices that are not defaults, if there are several fields.
    fn action_text(&mut self, action: ActionInput<'_>) -> Result<String, AnyError>;

    /// Returns the indices of the rules that the last step violated.
    fn violated(&self) -> Vec<usize>;

    /// Returns the valid actions of the current state.
    fn action_arrays(&self) -> Result<ActionArrays, AnyError>;

    /// Returns the picture of the current state.
    fn scene(&mut self) -> Result<Scene, AnyError>;
}

/// The result of a step.
#[derive(Clone, PartialEq, Debug)]
pub struct TakenStep {
    /// The step.
    pub step: Step,
    /// Why the step ended the episode; `None` if it did not.
    pub end: Option<EpisodeEnd>,
    /// The index of the problem.
    pub problem: usize,
    /// The indices of the rules that the step violated.
    pub violated: Vec<usize>,
    /// The index of the invariant that the new state breaks.
    pub broken: Option<usize>,
}

/// An action to take.
#[derive(Clone, Copy, Debug)]
pub enum ActionInput<'a> {
    /// The number of an alternative.
    Alternative(u32),
    /// Numbers for some fields in ascending order of the fields; the others have their defaults. Those of fields that the
    /// current problem does not have are ignored.
    Numbers(&'a [(u32, FieldValue)]),
}

/// The destination of a drawn action.
#[derive(Debug)]
pub enum ActionOutput<'a> {
    /// The number of an alternative.
    Alternative(&'a mut u32),
    /// One number per field.
    Row(&'a mut [f64]),
    /// One exact cell per field.
    Cells(&'a mut [i64]),
}

/// An environment with the form of its observations.
pub(super) struct Single<P: Playable, O: Observer<P>> {
    env: Env<P, O>,
    joint: Vec<Choice>,
    /// The indices of the rules that the last step violated.
    violated: Vec<usize>,
    form: ViewForm,
    /// The index of the last problem that was drawn, with its renderer.
    picture: Option<(usize, StateRenderer<P::System>)>,
}

impl<P: Playable, O: Observer<P>> Single<P, O> {
    /// Creates an environment. It must be reset before the first step.
    pub(super) fn new(
        problems: P,
        observer: O,
        options: EnvOptions,
        form: ViewForm,
    ) -> Result<Self, AnyError> {
        Ok(Self {
            env: Env::observed(problems, observer, options).map_err(Into::into)?,
            joint: Vec::new(),
            violated: Vec::new(),
            form,
            picture: None,
        })
    }

    fn system(&self) -> Result<&P::System, AnyError> {
        self.env.system().map_err(Into::into)
    }

    fn posed(&self) -> Result<Posed<'_, P>, AnyError> {
        Ok(Posed {
            problems: self.env.problems(),
            index: self.env.problem().unwrap_or_default(),
            system: self.system()?,
        })
    }

    /// Reads an action into `joint`.
    fn read(&mut self, action: ActionInput<'_>) -> Result<(), AnyError> {
        self.joint.clear();
        match action {
            ActionInput::Alternative(number) => self.joint.push(Choice::discrete(number)),
            ActionInput::Numbers(numbers) => {
                let layout = self.env.system().map_err(Into::into)?.actions();
                let known = numbers.partition_point(|&(field, _)| (field as usize) < layout.fields().len());
                let read = layout.read_numbers(&numbers[..known], &mut self.joint);
                read.map_err(|error| P::Error::from(EpisodeFault::from(error)).into())?;
            }
        }
        Ok(())
    }
}

impl<P: Playable, O: Observer<P> + 'static> AnyEnv for Single<P, O> {
    fn reset(&mut self, seed: Option<u64>, choice: ProblemChoice) -> Result<Reset, AnyError> {
        self.violated.clear();
        self.env.reset_to(seed, choice).map_err(Into::into)
    }

    fn step(&mut self, action: ActionInput<'_>) -> Result<TakenStep, AnyError> {
        self.read(action)?;
        let step = self.env.step(&self.joint).map_err(Into::into)?;
        let (episode, violated) = (self.env.episode().map_err(Into::into)?, &mut self.violated);
        violated.clear();
        if step.applied {
            episode.system().each_violated(&mut |rule| violated.push(rule));
        }
        let (end, violated) = (episode.end(&step), violated.clone());
        let broken = if episode.status().broken {
            self.posed()?
                .features()
                .broken()
                .first()
                .map(BrokenInvariant::index)
        } else {
            None
        };
        Ok(TakenStep {
            step,
            end,
            problem: self.env.problem().unwrap_or_default(),
            violated,
            broken,
        })
    }

    fn sample(&mut self, into: ActionOutput<'_>) -> Result<(), AnyError> {
        let joint = &mut self.joint;
        if !self.env.sample_into(joint).map_err(Into::into)? {
            joint.clear();
        }
        let layout = self.env.system().map_err(Into::into)?.actions();
        match into {
            ActionOutput::Alternative(number) => {
                *number = joint.first().and_then(|one| one.alternative()).unwrap_or(0);
            }
            ActionOutput::Row(row) => {
                row.fill(0.0);
                layout.write_row(joint, row);
            }
            ActionOutput::Cells(cells) => {
                cells.fill(0);
                layout.write_cells(joint, cells);
            }
        }
        Ok(())
    }

    fn see(
        &self,
        mask: &mut [u8],
        observation: Option<Elements<'_>>,
    ) -> Result<Option<Box<StateView>>, AnyError> {
        let system = self.system()?;
        if !mask.is_empty() {
            system.write_mask(mask);
        }
        let Some(observation) = observation else {
            return Ok(None);
        };
        match self.form {
            ViewForm::Array => {
                let written = self.env.write_observation(elements(observation)?);
                written.map(|()| None).map_err(Into::into)
            }
            ViewForm::Graph { part, is_numeric } => {
                let graph = self.posed()?.features().graph(part);
                Ok(graph.map(|graph| Box::new(StateView::Graph { graph, is_numeric })))
            }
            ViewForm::Atoms(part) => {
                let held = self.posed()?.features().held(part);
                Ok(Some(Box::new(StateView::Atoms {
                    problem: self.env.problem().unwrap_or_default(),
                    held: held.unwrap_or_else(|| TrueAtoms::of_facts(system)),
                })))
            }
        }
    }

    fn look(&self) -> Result<Box<dyn AnySystem + '_>, AnyError> {
        Ok(Box::new(self.posed()?))
    }

    fn problem(&self) -> Option<usize> {
        self.env.problem()
    }

    fn elapsed(&self) -> Result<u32, AnyError> {
        Ok(self.env.episode().map_err(Into::into)?.elapsed())
    }

    fn state(&self) -> Result<Box<dyn Any + Send>, AnyError> {
        Ok(Box::new(self.system()?.state().clone()))
    }

    fn set_state(&mut self, state: &dyn Any) -> Result<Reset, AnyError> {
        self.violated.clear();
        let foreign = || AnyError::new(ErrorKind::Form, "the state is one of another engine");
        let state = state.downcast_ref().ok_or_else(foreign)?;
        self.env.set_state(state).map_err(Into::into)?;
        Ok(Reset {
            status: self.system()?.status(),
            problem: self.env.problem().unwrap_or_default(),
        })
    }

    fn save(&self) -> Result<Vec<u8>, AnyError> {
        Ok(self.env.save().map_err(Into::into)?.pack::<P>())
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), AnyError> {
        self.violated.clear();
        let text = "these bytes are not a snapshot of an environment over these problems";
        let foreign = || AnyError::new(ErrorKind::Lacking, text);
        let saved = Snapshot::unpack(self.env.problems(), saved).ok_or_else(foreign)?;
        self.env.restore(&saved).map_err(Into::into)
    }

    fn copy(&self) -> Box<dyn AnyEnv> {
        Box::new(Self {
            env: self.env.clone(),
            joint: Vec::new(),
            violated: self.violated.clone(),
            form: self.form,
            picture: self.picture.clone(),
        })
    }

    fn action_text(&mut self, action: ActionInput<'_>) -> Result<String, AnyError> {
        self.read(action)?;
        check_numbers(self.system()?, &self.joint)?;
        Ok(self.system()?.joint_text(&self.joint))
    }

    fn violated(&self) -> Vec<usize> {
        self.violated.clone()
    }

    fn action_arrays(&self) -> Result<ActionArrays, AnyError> {
        let mut arrays = ActionArrays::default();
        add_actions(&*self.posed()?.features(), &mut arrays)?;
        Ok(arrays)
    }

    fn scene(&mut self) -> Result<Scene, AnyError> {
        let system = self.env.system().map_err(Into::into)?;
        let index = self.env.problem().unwrap_or_default();
        let known = self.picture.take().filter(|(drawn, _)| *drawn == index);
        let (_, renderer) = match known {
            Some(known) => self.picture.insert(known),
            None => {
                let renderer = self.env.problems().renderer(index, system).map_err(Into::into)?;
                self.picture.insert((index, renderer))
            }
        };
        Ok(renderer.scene(system))
    }
}
