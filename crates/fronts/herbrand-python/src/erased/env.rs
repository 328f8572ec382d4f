//! Type-erased single environments.

use std::any::Any;

use herbrand_core::{
    ActionTextError, ActionValidity, Choice, Described, Element, Elements, Env, EnvOptions, EpisodeEnd,
    EpisodeFault, Fact, FieldValue, Observer, ProblemChoice, Reset, Snapshot, Step, System,
};
use herbrand_render::{Scene, StateRenderer};

use super::{ErasedResult, Language, Refused, Seeing, View, refuse};

/// A single environment over problems of any language.
pub trait AnyEnv: Send {
    /// Starts an episode.
    fn reset(&mut self, seed: Option<u64>, choice: ProblemChoice) -> ErasedResult<Reset>;

    /// Takes an action.
    fn step(&mut self, action: ActionInput<'_>) -> ErasedResult<StepResult>;

    /// Draws a valid action. In a dead end it is 0, or all defaults.
    fn sample(&mut self, into: ActionOutput<'_>) -> ErasedResult<()>;

    /// Returns the valid alternatives of the first field in ascending order.
    fn valid(&self) -> ErasedResult<Vec<i64>>;

    /// Writes the action mask.
    fn write_mask(&self, into: &mut [u8]) -> ErasedResult<()>;

    /// Writes the action mask (unless `mask` is empty) and the observation if it is an array. Returns the observation if it
    /// is not an array. The result is boxed to keep it small, since most environments return `None` in every step.
    fn see(&self, mask: &mut [u8], observation: Elements<'_>) -> ErasedResult<Option<Box<View>>>;

    /// Returns the status of the current state.
    fn status(&self) -> ErasedResult<Reset>;

    /// Returns the index of the current problem.
    fn problem(&self) -> Option<usize>;

    /// Returns the number of steps of the episode.
    fn elapsed(&self) -> ErasedResult<u32>;

    /// Returns the current state.
    fn state(&self) -> ErasedResult<Box<dyn Any + Send>>;

    /// Moves to a state of the current problem.
    fn set_state(&mut self, state: &dyn Any) -> ErasedResult<()>;

    /// Returns everything that determines the future, except the actions, as bytes.
    fn save(&self) -> ErasedResult<Vec<u8>>;

    /// Restores the result of `save`.
    fn restore(&mut self, saved: &[u8]) -> ErasedResult<()>;

    /// Returns an independent copy.
    fn copy(&self) -> Box<dyn AnyEnv>;

    /// Returns the text of an action in its language: of the choices that are not defaults, if there are several fields.
    fn action_text(&mut self, action: ActionInput<'_>) -> ErasedResult<String>;

    /// Returns the text of the action of the last step.
    fn last_action(&self) -> ErasedResult<String>;

    /// Parses a choice. The error says why an action is never valid, if the language can tell.
    fn parse_choice(&self, text: &str) -> ErasedResult<Choice>;

    /// Explains why no reachable state of the current problem allows an action; `None` if a state may allow it or if the
    /// language cannot tell.
    fn never_valid(&self, text: &str) -> Option<String>;

    /// Returns the text of the current problem's atom with this number.
    fn atom_text(&self, number: usize) -> ErasedResult<String>;

    /// Visits the facts of the current state.
    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>)) -> ErasedResult<()>;

    /// Returns the picture of the current state.
    fn scene(&mut self) -> ErasedResult<Scene>;

    /// Explains why an action is or is not valid in the current state.
    fn explain(&self, choice: Choice) -> ErasedResult<ActionValidity>;

    /// Returns the operator that carried out the last step.
    fn last_operator(&self) -> ErasedResult<Option<String>>;

    /// Returns the indices of the action preconditions that the last step violated.
    fn violated(&self) -> Vec<usize>;

    /// Returns the unmet literals of the goal.
    fn missing(&self) -> ErasedResult<Vec<String>>;
}

/// The result of a step.
pub struct StepResult {
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

/// An action given by Python.
pub enum ActionInput<'a> {
    /// The number of an alternative.
    Alternative(u32),
    /// Numbers for some fields in ascending order of the fields; the others have their defaults. Those of fields that the
    /// current problem does not have are ignored.
    Numbers(&'a [(u32, FieldValue)]),
}

/// The destination of a drawn action.
pub enum ActionOutput<'a> {
    /// The number of an alternative.
    Alternative(&'a mut u32),
    /// One number per field.
    Row(&'a mut [f64]),
    /// One exact cell per field.
    Cells(&'a mut [i64]),
}

/// An environment with the conversion of its observations.
pub struct Single<P: Language, O: Observer<P>> {
    env: Env<P, O>,
    joint: Vec<Choice>,
    /// The indices of the rules that the last step violated.
    violated: Vec<usize>,
    seeing: Seeing,
    problems: P,
    /// The index of the last problem that was drawn, with its renderer.
    picture: Option<(usize, StateRenderer<P::System>)>,
}

impl<P: Language, O: Observer<P>> Single<P, O> {
    /// Creates an environment. It must be reset before the first step.
    pub fn new(problems: P, observer: O, options: EnvOptions, seeing: Seeing) -> Result<Self, P::Error> {
        Ok(Self {
            env: Env::observed(problems.clone(), observer, options)?,
            joint: Vec::new(),
            violated: Vec::new(),
            seeing,
            problems,
            picture: None,
        })
    }

    fn system(&self) -> ErasedResult<&P::System> {
        self.env.system().map_err(refuse)
    }

    /// Reads an action into `joint`.
    fn read(&mut self, action: ActionInput<'_>) -> ErasedResult<()> {
        self.joint.clear();
        match action {
            ActionInput::Alternative(number) => self.joint.push(Choice::discrete(number)),
            ActionInput::Numbers(numbers) => {
                let layout = self.env.system().map_err(refuse)?.actions();
                let known = numbers.partition_point(|&(field, _)| (field as usize) < layout.fields().len());
                let read = layout.read_numbers(&numbers[..known], &mut self.joint);
                read.map_err(|error| refuse(P::Error::from(EpisodeFault::from(error))))?;
            }
        }
        Ok(())
    }
}

impl<P: Language, O: Observer<P> + 'static> AnyEnv for Single<P, O> {
    fn reset(&mut self, seed: Option<u64>, choice: ProblemChoice) -> ErasedResult<Reset> {
        self.violated.clear();
        self.env.reset_to(seed, choice).map_err(refuse)
    }

    fn step(&mut self, action: ActionInput<'_>) -> ErasedResult<StepResult> {
        self.read(action)?;
        let step = self.env.step(&self.joint).map_err(refuse)?;
        let (episode, violated) = (self.env.episode().map_err(refuse)?, &mut self.violated);
        violated.clear();
        if step.applied {
            episode.system().each_violated(&mut |rule| violated.push(rule));
        }
        Ok(StepResult {
            step,
            end: episode.end(&step),
            problem: self.env.problem().unwrap_or_default(),
            violated: violated.clone(),
            broken: P::broken_invariant(episode.system()),
        })
    }

    fn sample(&mut self, into: ActionOutput<'_>) -> ErasedResult<()> {
        let joint = &mut self.joint;
        if !self.env.sample_into(joint).map_err(refuse)? {
            joint.clear();
        }
        match into {
            ActionOutput::Alternative(number) => {
                *number = joint.first().and_then(|one| one.alternative()).unwrap_or(0);
            }
            ActionOutput::Row(row) => {
                row.fill(0.0);
                self.env.system().map_err(refuse)?.actions().write_row(joint, row);
            }
            ActionOutput::Cells(cells) => {
                cells.fill(0);
                self.env
                    .system()
                    .map_err(refuse)?
                    .actions()
                    .write_cells(joint, cells);
            }
        }
        Ok(())
    }

    fn valid(&self) -> ErasedResult<Vec<i64>> {
        let choices = self.env.choices().map_err(refuse)?;
        let alternatives = choices.into_iter().filter_map(Choice::alternative);
        Ok(alternatives.map(i64::from).collect())
    }

    fn write_mask(&self, into: &mut [u8]) -> ErasedResult<()> {
        self.env.write_mask(into).map_err(refuse)
    }

    fn see(&self, mask: &mut [u8], observation: Elements<'_>) -> ErasedResult<Option<Box<View>>> {
        let system = self.system()?;
        if !mask.is_empty() {
            system.write_mask(mask);
        }
        match self.seeing {
            Seeing::Array => match O::Element::of(observation) {
                Some(into) => self.env.write_observation(into).map(|()| None).map_err(refuse),
                None => Err(refuse(Refused {
                    class: "ValueError",
                    text: "the array is of another type than the observation".to_owned(),
                })),
            },
            Seeing::Graph(part) => Ok(P::graph(system, part).map(|graph| Box::new(View::Graph(graph)))),
            Seeing::Atoms(part) => Ok(Some(Box::new(View::Atoms {
                problem: self.env.problem().unwrap_or_default(),
                held: P::held(system, part),
            }))),
        }
    }

    fn status(&self) -> ErasedResult<Reset> {
        Ok(Reset {
            status: self.system()?.status(),
            problem: self.env.problem().unwrap_or_default(),
        })
    }

    fn problem(&self) -> Option<usize> {
        self.env.problem()
    }

    fn elapsed(&self) -> ErasedResult<u32> {
        Ok(self.env.episode().map_err(refuse)?.elapsed())
    }

    fn state(&self) -> ErasedResult<Box<dyn Any + Send>> {
        Ok(Box::new(self.env.state().map_err(refuse)?.clone()))
    }

    fn set_state(&mut self, state: &dyn Any) -> ErasedResult<()> {
        self.violated.clear();
        match state.downcast_ref() {
            Some(state) => self.env.set_state(state).map_err(refuse),
            None => Err(refuse(Refused {
                class: "ValueError",
                text: "the state is one of another engine".to_owned(),
            })),
        }
    }

    fn save(&self) -> ErasedResult<Vec<u8>> {
        Ok(self.env.save().map_err(refuse)?.pack::<P>())
    }

    fn restore(&mut self, saved: &[u8]) -> ErasedResult<()> {
        self.violated.clear();
        match Snapshot::unpack(self.env.problems(), saved) {
            Some(saved) => self.env.restore(&saved).map_err(refuse),
            None => Err(refuse(Refused {
                class: "HerbrandError",
                text: "these bytes are not a snapshot of an environment over these problems".to_owned(),
            })),
        }
    }

    fn copy(&self) -> Box<dyn AnyEnv> {
        Box::new(Self {
            env: self.env.clone(),
            joint: Vec::new(),
            violated: self.violated.clone(),
            seeing: self.seeing,
            problems: self.problems.clone(),
            picture: self.picture.clone(),
        })
    }

    fn action_text(&mut self, action: ActionInput<'_>) -> ErasedResult<String> {
        if let ActionInput::Alternative(number) = action {
            check_number(self.system()?, Choice::discrete(number))?;
        }
        self.read(action)?;
        self.last_action()
    }

    fn last_action(&self) -> ErasedResult<String> {
        Ok(self.system()?.joint_text(&self.joint))
    }

    fn parse_choice(&self, text: &str) -> ErasedResult<Choice> {
        let refused = |error: ActionTextError| {
            let class = "UnknownNameError";
            let text = self.never_valid(text).unwrap_or_else(|| error.to_string());
            refuse(Refused { class, text })
        };
        self.system()?.parse_choice(text).map_err(refused)
    }

    fn never_valid(&self, text: &str) -> Option<String> {
        self.problems.never_valid(self.env.problem()?, text)
    }

    fn atom_text(&self, number: usize) -> ErasedResult<String> {
        P::atom_text(self.system()?, number).ok_or_else(|| {
            refuse(Refused {
                class: "UnknownNameError",
                text: format!("the current problem has no atom number {number}"),
            })
        })
    }

    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>)) -> ErasedResult<()> {
        self.system()?.facts(visit);
        Ok(())
    }

    fn scene(&mut self) -> ErasedResult<Scene> {
        let system = self.env.system().map_err(refuse)?;
        let index = self.env.problem().unwrap_or_default();
        let known = self.picture.as_ref().filter(|(drawn, _)| *drawn == index);
        let renderer = match known {
            Some((_, renderer)) => renderer.clone(),
            None => {
                let renderer = self.problems.drawing(index, system)?;
                self.picture = Some((index, renderer.clone()));
                renderer
            }
        };
        Ok(renderer.scene(system))
    }

    fn explain(&self, choice: Choice) -> ErasedResult<ActionValidity> {
        let system = self.system()?;
        check_number(system, choice)?;
        Ok(system.explain_action(&[choice]))
    }

    fn last_operator(&self) -> ErasedResult<Option<String>> {
        Ok(P::last_operator(self.system()?))
    }

    fn violated(&self) -> Vec<usize> {
        self.violated.clone()
    }

    fn missing(&self) -> ErasedResult<Vec<String>> {
        P::missing(self.system()?)
    }
}

/// Checks that a choice of the only field is one of its alternatives.
fn check_number(system: &impl System, choice: Choice) -> ErasedResult<()> {
    match (choice.alternative(), system.actions().as_single()) {
        (Some(number), Some(count)) if number as usize >= count => Err(refuse(Refused {
            class: "UnknownNameError",
            text: format!("there is no action number {number}: the problem has {count}"),
        })),
        _ => Ok(()),
    }
}
