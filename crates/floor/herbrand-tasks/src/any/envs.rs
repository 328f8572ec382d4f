//! Problems of any language with an observation mode.

use herbrand_core::{
    ActionField, ActionLayout, BatchSystem, Element, ElementKind, EnvOptions, FieldDomain, ObservationLayout,
    Observer, System, VecEnv, VecOptions, Widths,
};

use super::batch::AnyBatch;
use super::env::{AnyEnv, Single};
use super::playable::Playable;
use super::view::ViewForm;
use crate::any_error::AnyError;

/// Problems of any language with an observation mode, from which environments are created. [`WithObserver`] makes one.
/// All methods fail if a problem is faulty or the set is empty.
pub trait AnyEnvs: Send + Sync {
    /// Returns names, sizes and layouts. Compiles all problems.
    fn describe(&self) -> Result<Description, AnyError>;

    /// Creates a single environment.
    fn env(&self, options: EnvOptions) -> Result<Box<dyn AnyEnv>, AnyError>;

    /// Creates a batch of `count` environments.
    fn batch(&self, count: usize, options: VecOptions) -> Result<Box<dyn AnyBatch>, AnyError>;
}

/// The facts about problems and their observations before the first episode.
#[derive(Debug)]
pub struct Description {
    /// The name of the set of problems.
    pub name: String,
    /// The names of the problems.
    pub problems: Vec<String>,
    /// The element type of observations.
    pub kind: ElementKind,
    /// The layout of an observation.
    pub layout: ObservationLayout,
    /// The widths of rows.
    pub widths: Widths,
    /// The fields of an action, of the problem with the most fields.
    pub fields: Vec<ActionField>,
    /// Whether an action is the number of an alternative.
    pub single: bool,
    /// Whether the action mask is the same in every state of every problem.
    pub constant_mask: bool,
    /// The names of the invariants that states may break.
    pub invariants: Vec<String>,
    /// The texts of the rules that a step may violate and still be taken.
    pub rules: Vec<String>,
    /// The horizon of each problem.
    pub horizons: Vec<Option<u32>>,
}

impl Description {
    /// Returns the number of elements of an action mask; 0 if no field is discrete.
    #[must_use]
    pub fn mask_len(&self) -> usize {
        let is_discrete = |field: &ActionField| matches!(field.domain, FieldDomain::Discrete { .. });
        if self.fields.iter().any(is_discrete) {
            self.widths.mask
        } else {
            0
        }
    }
}

/// Problems with an observer.
#[derive(Clone, Debug)]
pub struct WithObserver<P, O> {
    /// The problems.
    pub problems: P,
    /// The observer, which defines the observations.
    pub observer: O,
    /// The form of observations in a single environment.
    pub form: ViewForm,
}

impl<P: Playable, O: Observer<P> + 'static> AnyEnvs for WithObserver<P, O> {
    fn describe(&self) -> Result<Description, AnyError> {
        let problems = &self.problems;
        let layout = self.observer.layout(problems).map_err(Into::into)?;
        let fields = problems.action_fields().map_err(Into::into)?;
        let actions = ActionLayout::new(fields.clone(), fields.len());
        let mask = problems.mask_len().map_err(Into::into)?;
        // Stops at the first problem whose mask varies, so that the remaining systems are not created.
        let mut constant_mask = true;
        for index in 0..problems.len() {
            let system = problems.system(index).map_err(Into::into)?;
            constant_mask = system.offers_all() && system.actions().mask_len() == mask;
            if !constant_mask {
                break;
            }
        }
        let all = 0..problems.len();
        Ok(Description {
            name: problems.name().to_owned(),
            problems: all
                .clone()
                .filter_map(|index| problems.problem_name(index))
                .collect(),
            kind: <O::Element as Element>::KIND,
            widths: Widths {
                observation: layout.len().max(1),
                mask: mask.max(1),
                action: fields.len().max(1),
            },
            layout,
            single: actions.as_single().is_some(),
            constant_mask,
            invariants: problems.invariants(),
            rules: problems.rules(),
            horizons: all.map(|index| problems.horizon(index)).collect(),
            fields,
        })
    }

    fn env(&self, options: EnvOptions) -> Result<Box<dyn AnyEnv>, AnyError> {
        let (problems, observer) = (self.problems.clone(), self.observer.clone());
        Ok(Box::new(Single::new(problems, observer, options, self.form)?))
    }

    fn batch(&self, count: usize, options: VecOptions) -> Result<Box<dyn AnyBatch>, AnyError> {
        let envs = VecEnv::new(&self.problems, &self.observer, count, options)?;
        Ok(Box::new(envs))
    }
}
