//! Type-erased problems with an observation mode.

use herbrand_core::{
    ActionField, BatchSystem, ElementKind, EnvOptions, FieldDomain, ObservationLayout, Observer, System,
    VecEnv, VecOptions, Widths,
};

use super::env::Single;
use super::{AnyBatch, AnyEnv, ErasedResult, Language, Seeing, refuse};

/// Problems with an observation mode, from which environments are created.
pub trait AnyProblems: Send + Sync {
    /// Returns names, sizes and layouts. Compiles all problems.
    fn describe(&self) -> ErasedResult<Description>;

    /// Creates a single environment.
    fn env(&self, options: EnvOptions) -> ErasedResult<Box<dyn AnyEnv>>;

    /// Creates a vector environment of `count` environments.
    fn batch(&self, count: usize, options: VecOptions) -> ErasedResult<Box<dyn AnyBatch>>;
}

/// Properties of problems and their observations that are known before the first episode.
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
pub struct Observed<P, O> {
    /// The problems.
    pub problems: P,
    /// The observer, which defines the observations.
    pub observer: O,
    /// The form of observations in a single environment.
    pub seeing: Seeing,
}

impl<P: Language, O: Observer<P> + 'static> AnyProblems for Observed<P, O> {
    fn describe(&self) -> ErasedResult<Description> {
        let layout = self.observer.layout(&self.problems).map_err(refuse)?;
        let fields = self.problems.action_fields().map_err(refuse)?;
        let actions = herbrand_core::ActionLayout::new(fields.clone(), fields.len());
        let mask = self.problems.mask_len().map_err(refuse)?;
        // Stops at the first problem whose mask varies, so that the remaining systems are not created.
        let mut constant_mask = true;
        for index in 0..self.problems.len() {
            let system = self.problems.system(index).map_err(refuse)?;
            constant_mask = system.offers_all() && system.actions().mask_len() == mask;
            if !constant_mask {
                break;
            }
        }
        let names = (0..self.problems.len()).filter_map(|index| self.problems.problem_name(index));
        Ok(Description {
            name: self.problems.name().to_owned(),
            problems: names.collect(),
            kind: <O::Element as herbrand_core::Element>::KIND,
            widths: Widths {
                observation: layout.len().max(1),
                mask: mask.max(1),
                action: fields.len().max(1),
            },
            layout,
            single: actions.as_single().is_some(),
            constant_mask,
            invariants: self.problems.invariants(),
            rules: self.problems.rules(),
            horizons: (0..self.problems.len())
                .map(|index| self.problems.horizon(index))
                .collect(),
            fields,
        })
    }

    fn env(&self, options: EnvOptions) -> ErasedResult<Box<dyn AnyEnv>> {
        let env = Single::new(self.problems.clone(), self.observer.clone(), options, self.seeing);
        Ok(Box::new(env.map_err(refuse)?))
    }

    fn batch(&self, count: usize, options: VecOptions) -> ErasedResult<Box<dyn AnyBatch>> {
        let envs = VecEnv::new(&self.problems, &self.observer, count, options);
        Ok(Box::new(envs.map_err(refuse)?))
    }
}
