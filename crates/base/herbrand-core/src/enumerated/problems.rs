//! Problem sets whose joint actions are numbered: [`Enumerated`], and observers for it.

use std::sync::Arc;

use super::{EnumeratedSystem, JointTable, TableError};
use crate::catalogue::Catalogue;
use crate::explained::{Explained, GoalConjunct};
use crate::observe::{Memory, ObservationLayout, Observer, Written};
use crate::problems::Problems;
use crate::random::Random;
use crate::snapshot::PackedStates;
use crate::system::System;

/// A set of problems whose joint actions are the alternatives of a single discrete field, for agents that choose one
/// number per step. [`new`](Self::new) numbers the joint actions of every problem. All action fields must be discrete.
/// Pass it to an environment like any other set; names, horizons and discounts stay those of the underlying problems.
/// [`EnumeratedObserver`] writes their observations.
#[derive(Clone, Debug)]
pub struct Enumerated<P> {
    problems: P,
    /// The joint actions of each problem.
    tables: Arc<[Arc<JointTable>]>,
}

/// The reason why [`Enumerated::new`] could not number the joint actions of a problem.
#[derive(Debug, thiserror::Error)]
pub enum EnumerationError<E> {
    /// A problem is faulty or too large to compile.
    #[error("{0}")]
    Problem(E),
    /// The joint actions of a problem cannot be numbered.
    #[error("{problem}: {error}")]
    Table {
        /// The name of the problem.
        problem: String,
        /// The reason.
        error: TableError,
    },
}

impl<P: Problems> Enumerated<P> {
    /// Numbers the joint actions of every problem in `problems`. `limit` is the maximum number of joint actions of one
    /// problem. Compiles all problems. Joint actions then have the numbers from 0 of the problem's [`JointTable`].
    ///
    /// # Errors
    /// Fails for the first problem that is faulty, has an action field with infinitely many values, or has more than
    /// `limit` joint actions. A problem with exactly `limit` joint actions is accepted.
    pub fn new(problems: P, limit: usize) -> Result<Self, EnumerationError<P::Error>> {
        let table = |index| {
            let system = problems.system(index).map_err(EnumerationError::Problem)?;
            let table = JointTable::of(system.actions(), limit);
            let failed = |error| EnumerationError::Table {
                problem: problems.problem_name(index).unwrap_or_default(),
                error,
            };
            table.map(Arc::new).map_err(failed)
        };
        let tables = (0..problems.len()).map(table).collect::<Result<_, _>>()?;
        Ok(Self { problems, tables })
    }

    /// Returns the underlying problems, whose joint actions are numbered. Call it for names, texts or anything else
    /// that numbering does not change.
    pub const fn inner(&self) -> &P {
        &self.problems
    }
}

impl<P: Problems> Problems for Enumerated<P> {
    type System = EnumeratedSystem<P::System>;
    type Error = P::Error;

    fn name(&self) -> &str {
        self.problems.name()
    }

    fn len(&self) -> usize {
        self.problems.len()
    }

    fn problem_name(&self, index: usize) -> Option<String> {
        self.problems.problem_name(index)
    }

    fn horizon(&self, index: usize) -> Option<u32> {
        self.problems.horizon(index)
    }

    fn discount(&self, index: usize) -> f64 {
        self.problems.discount(index)
    }

    fn system(&self, index: usize) -> Result<Self::System, P::Error> {
        let system = self.problems.system(index)?;
        Ok(EnumeratedSystem::new(system, Arc::clone(&self.tables[index])))
    }
}

impl<P: Catalogue> Catalogue for Enumerated<P> {
    fn select(&self, indices: &[usize]) -> Result<Self, P::Error> {
        let problems = self.problems.select(indices)?;
        let tables = indices.iter().map(|&index| Arc::clone(&self.tables[index]));
        Ok(Self {
            problems,
            tables: tables.collect(),
        })
    }

    fn declared_name(&self, index: usize) -> Option<&str> {
        self.problems.declared_name(index)
    }
}

impl<P: Explained> Explained for Enumerated<P> {
    fn goal_conjuncts(&self, index: usize, system: &Self::System) -> Result<Vec<GoalConjunct>, P::Error> {
        self.problems.goal_conjuncts(index, system.inner())
    }

    fn never_valid(&self, index: usize, text: &str) -> Option<String> {
        self.problems.never_valid(index, text)
    }
}

impl<P: PackedStates> PackedStates for Enumerated<P> {
    fn pack(state: &<P::System as System>::State) -> Vec<u8> {
        P::pack(state)
    }

    fn unpack(&self, problem: usize, bytes: &[u8]) -> Option<<P::System as System>::State> {
        self.problems.unpack(problem, bytes)
    }
}

/// An observer for [`Enumerated`] problems that writes the observations of `O` for the underlying problems. Wrap the
/// observer in it and pass it to [`Env::observed`](crate::Env::observed). `O` must observe the underlying problems,
/// which [`Enumerated::inner`] returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EnumeratedObserver<O>(pub O);

impl<P: Problems, O: Observer<P>> Observer<Enumerated<P>> for EnumeratedObserver<O> {
    type Element = O::Element;

    fn layout(&self, problems: &Enumerated<P>) -> Result<ObservationLayout, P::Error> {
        self.0.layout(problems.inner())
    }

    fn check(&self, system: &EnumeratedSystem<P::System>) -> Result<(), P::Error> {
        self.0.check(system.inner())
    }

    fn attend(&self, system: &EnumeratedSystem<P::System>, memory: &mut Memory, random: &mut Random) {
        self.0.attend(system.inner(), memory, random);
    }

    fn write(&self, system: &EnumeratedSystem<P::System>, memory: &Memory, into: &mut [O::Element]) -> usize {
        self.0.write(system.inner(), memory, into)
    }

    fn rewrite(
        &self,
        system: &EnumeratedSystem<P::System>,
        memory: &Memory,
        written: &mut Written,
        into: &mut [O::Element],
    ) -> usize {
        self.0.rewrite(system.inner(), memory, written, into)
    }
}
