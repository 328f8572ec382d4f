//! Sets of problems, over which environments run.

use std::error::Error;
use std::fmt::Debug;

use crate::batch_system::BatchSystem;
use crate::error::EpisodeFault;
use crate::system::System;

/// An ordered set of problems of one kind, with a way to create a system for each. Cloning is cheap: clones share the
/// compiled problems. [`Env::new`](crate::Env::new), [`VecEnv::new`](crate::VecEnv::new) and
/// [`roll_out`](crate::roll_out()) run over one.
pub trait Problems: Clone + Debug + Send + Sync {
    /// The transition system of a problem. An empty implementation of [`BatchSystem`] is enough.
    type System: BatchSystem + Debug + Send;
    /// The error if a system cannot be created or refuses a step.
    type Error: From<<Self::System as System>::Error> + From<EpisodeFault> + Error + Send + Sync + 'static;

    /// Returns the name of the set.
    fn name(&self) -> &str;

    /// Returns the number of problems. Indices of problems are counted from 0.
    fn len(&self) -> usize;

    /// Returns whether the set is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the name of the problem at `index`; `None` if there is no such problem.
    fn problem_name(&self, index: usize) -> Option<String>;

    /// Returns the number of steps after which an episode of the problem at `index` is truncated by default; `None` for
    /// no limit. For an index without a problem, the result has no meaning.
    fn horizon(&self, index: usize) -> Option<u32>;

    /// Returns the discount factor per step that applies to reported returns; 1 by default. For an index without a
    /// problem, the result has no meaning.
    fn discount(&self, _index: usize) -> f64 {
        1.0
    }

    /// Creates a system for the problem at `index`, at an initial state; if that is random, [`System::reset`] draws
    /// one. Compiles the problem on first use.
    ///
    /// # Errors
    /// Fails if there is no such problem or it is faulty. It also fails if compiling exceeds a limit of the set or of a
    /// budget that encloses the call.
    fn system(&self, index: usize) -> Result<Self::System, Self::Error>;

    /// Returns the length of the longest action mask of all problems. Compiles all of them. It is 0 for an empty set,
    /// and if no field is discrete.
    ///
    /// # Errors
    /// Fails if a problem is faulty or has no mask, for example because its actions are too many to be numbered.
    fn mask_len(&self) -> Result<usize, Self::Error> {
        let mut indexes = 0..self.len();
        indexes.try_fold(0, |longest, index| {
            let length = self.system(index)?.actions().mask_len();
            Ok(longest.max(length))
        })
    }
}
