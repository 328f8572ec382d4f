//! Wrappers: environments composed of environments.
//!
//! An [`Environment`] is an [`Env`] or a wrapper around another environment. [`Shaped`] adds the difference of a
//! [`Potential`] to the reward. The crates of the planning languages add wrappers that inspect states. A horizon needs no
//! wrapper because it is one of the [`EnvOptions`](crate::EnvOptions).
//!
//! ```
//! use herbrand_core::balloon::{Altimeter, BalloonError, BalloonProblems};
//! use herbrand_core::wrap::{Environment, Shaped};
//! use herbrand_core::{Env, EnvOptions, ProblemChoice};
//!
//! let env = Env::observed(BalloonProblems::new(3), Altimeter, EnvOptions::default())?;
//! let height = |env: &Env<BalloonProblems, Altimeter>| env.state().map_or(0.0, |state| state.height);
//! let mut env = Shaped::new(env, height);
//! env.reset_to(Some(7), ProblemChoice::Uniform)?;
//! let joint = env.env_mut().sample()?.expect("a balloon can always do something");
//! let step = env.step(&*joint)?;
//! println!("a reward of {}, the height gained included", step.reward);
//! # Ok::<(), BalloonError>(())
//! ```

use crate::action::Joint;
use crate::env::{Env, ProblemChoice, Reset};
use crate::episode::Step;
use crate::observe::Observer;
use crate::problems::Problems;

/// The error of an environment.
type Error<W> = <<W as Environment>::Problems as Problems>::Error;

/// An environment or a wrapper around one, such as [`Shaped`]. Wrappers implement it and take any implementor, so they can
/// be nested.
pub trait Environment {
    /// The problems of the innermost environment.
    type Problems: Problems;
    /// The observer of the innermost environment.
    type Observer: Observer<Self::Problems>;

    /// Starts an episode ([`Env::reset_to`]).
    ///
    /// # Errors
    /// Fails if there is no such problem, if it is faulty or too large to compile, or if a wrapper fails.
    fn reset_to(&mut self, seed: Option<u64>, choice: ProblemChoice) -> Result<Reset, Error<Self>>;

    /// Carries out a joint action ([`Env::step`]). Wrappers may change the result.
    ///
    /// # Errors
    /// Fails if there is no running episode, if the action is invalid and
    /// [`InvalidAction::Ignore`](crate::InvalidAction::Ignore) is not set, if its effect is undefined, or if a wrapper
    /// fails.
    fn step<'a>(&mut self, joint: impl Into<Joint<'a>>) -> Result<Step, Error<Self>>;

    /// Returns the innermost environment. Query it for observations, masks and the current state.
    fn env(&self) -> &Env<Self::Problems, Self::Observer>;

    /// Returns the innermost environment, to sample actions or to set its state. Resets and steps through this reference
    /// bypass the wrappers.
    fn env_mut(&mut self) -> &mut Env<Self::Problems, Self::Observer>;
}

impl<P: Problems, O: Observer<P>> Environment for Env<P, O> {
    type Problems = P;
    type Observer = O;

    fn reset_to(&mut self, seed: Option<u64>, choice: ProblemChoice) -> Result<Reset, P::Error> {
        Self::reset_to(self, seed, choice)
    }

    fn step<'a>(&mut self, joint: impl Into<Joint<'a>>) -> Result<Step, P::Error> {
        Self::step(self, joint)
    }

    fn env(&self) -> &Self {
        self
    }

    fn env_mut(&mut self) -> &mut Self {
        self
    }
}

/// A potential function over states, for [`Shaped`] rewards. Implemented for closures that take an [`Env`]. [`Shaped`]
/// asks it before and after each step, but not in a state that terminated the episode. [`Shaped::new`] takes it.
pub trait Potential<P: Problems, O: Observer<P>> {
    /// Returns the potential of the current state.
    ///
    /// # Errors
    /// An implementor may fail, such as before the first reset; [`Shaped`] then fails too, even if the step was taken.
    /// Closures never fail.
    fn of(&self, env: &Env<P, O>) -> Result<f64, P::Error>;
}

/// A closure over the environment is a potential that never fails.
impl<P: Problems, O: Observer<P>, F: Fn(&Env<P, O>) -> f64> Potential<P, O> for F {
    fn of(&self, env: &Env<P, O>) -> Result<f64, P::Error> {
        Ok(self(env))
    }
}

/// An environment whose rewards are shaped by a [`Potential`] `Φ`: each step from `s` to `s'` adds `discount · Φ(s') −
/// Φ(s)`. A state in which the episode is only truncated keeps its potential. [`Shaped::new`] makes one.
///
/// This preserves the optimal policies (Ng, Harada and Russell, "Policy invariance under reward transformations", ICML
/// 1999). So that it holds for episodes, states that terminate an episode have potential 0.
#[derive(Clone, Debug)]
pub struct Shaped<W, F> {
    inner: W,
    potential: F,
    discount: f64,
}

impl<W: Environment, F: Potential<W::Problems, W::Observer>> Shaped<W, F> {
    /// Shapes the rewards of `inner` by `potential`, with discount 1. Use [`with_discount`](Self::with_discount) for
    /// another discount.
    pub fn new(inner: W, potential: F) -> Self {
        Self {
            inner,
            potential,
            discount: 1.0,
        }
    }

    /// Sets the discount factor per step, which should be that of the learner. It is not checked.
    #[must_use]
    pub fn with_discount(self, discount: f64) -> Self {
        Self { discount, ..self }
    }

    /// Returns the environment whose rewards were shaped. Its episode continues, with the rewards of the problem.
    pub fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: Environment, F: Potential<W::Problems, W::Observer>> Environment for Shaped<W, F> {
    type Problems = W::Problems;
    type Observer = W::Observer;

    fn reset_to(&mut self, seed: Option<u64>, choice: ProblemChoice) -> Result<Reset, Error<W>> {
        self.inner.reset_to(seed, choice)
    }

    fn step<'a>(&mut self, joint: impl Into<Joint<'a>>) -> Result<Step, Error<W>> {
        let before = self.potential.of(self.inner.env())?;
        let step = self.inner.step(joint)?;
        let after = if step.terminated {
            0.0
        } else {
            self.potential.of(self.inner.env())?
        };
        Ok(Step {
            reward: step.reward + self.discount * after - before,
            ..step
        })
    }

    fn env(&self) -> &Env<W::Problems, W::Observer> {
        self.inner.env()
    }

    fn env_mut(&mut self) -> &mut Env<W::Problems, W::Observer> {
        self.inner.env_mut()
    }
}
