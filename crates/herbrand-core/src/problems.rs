//! Sets of problems.

use std::fmt::Debug;

use crate::{EpisodeFault, System};

/// An ordered set of problems of one kind, and how to make the system of one. Cheap to clone: clones share what has been
/// compiled.
pub trait Problems: Clone + Debug + Send + Sync {
    /// What steps a problem.
    type System: System + Debug + Send;
    /// Why there is no system for a problem, or why it refused a step.
    type Error: From<<Self::System as System>::Error> + From<EpisodeFault> + Debug + Send;

    /// What the set is called.
    fn name(&self) -> &str;

    /// The number of problems.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the problem at `index` is called; `None` if there is none.
    fn problem_name(&self, index: usize) -> Option<String>;

    /// After how many steps an episode of the problem at `index` is cut off unless the options say otherwise; `None` for
    /// never.
    fn horizon(&self, index: usize) -> Option<u32>;

    /// By how much the reward of a later step counts for less, per step, in reports of returns. 1 unless stated.
    fn discount(&self, _index: usize) -> f64 {
        1.0
    }

    /// A system for the problem at `index`, at an initial state. Compiles the problem if nobody has yet.
    ///
    /// # Errors
    /// When there is no such problem, or it is at fault.
    fn system(&self, index: usize) -> Result<Self::System, Self::Error>;

    /// The length of the longest action mask of all problems. Compiles all of them.
    ///
    /// # Errors
    /// When a problem is at fault.
    fn mask_len(&self) -> Result<usize, Self::Error> {
        let mut indexes = 0..self.len();
        indexes.try_fold(0, |longest, index| {
            let length = self.system(index)?.actions().mask_len();
            Ok(longest.max(length))
        })
    }
}
