//! A task compiled for the bit-sliced engine.

use std::sync::Arc;

use herbrand_limits::Budget;

use crate::grounded::simulator::Simulator;
use crate::sliced::error::SlicedError;
use crate::sliced::list::StepList;
use crate::sliced::program::Program;
use crate::sliced::walker::SlicedWalker;

/// A ground task compiled for the bit-sliced engine, which steps many copies of the task at once. It is immutable and
/// cheap to clone, and any number of threads can share it. [`new`](Self::new) compiles one, and
/// [`walker`](Self::walker) makes a block of copies.
#[derive(Clone, Debug)]
pub struct SlicedTask {
    program: Arc<Program>,
}

impl SlicedTask {
    /// Compiles the task of a simulator, whose options apply. The memory of the compiled task is charged to `budget`;
    /// that of blocks of copies is not.
    ///
    /// # Errors
    /// Fails if the bit-sliced engine cannot step the task, as [`SlicedError`] lists it, or if `budget` is exhausted.
    pub fn new(simulator: &Simulator, budget: &Budget) -> Result<Self, SlicedError> {
        Ok(Self {
            program: Arc::new(Program::new(simulator, budget)?),
        })
    }

    /// Returns the simulator of the task.
    #[must_use]
    pub fn simulator(&self) -> &Simulator {
        &self.program.simulator
    }

    /// Writes the step list as plain data, for engines of other crates. Its memory is charged to `budget`.
    ///
    /// # Errors
    /// [`SlicedError::Rewards`] if a reward depends on too many conditions and draws, and [`SlicedError::Limit`] if `budget` is
    /// exhausted.
    pub fn step_list(&self, budget: &Budget) -> Result<StepList, SlicedError> {
        let mut meter = budget.meter("writing the bit-sliced step list");
        let list = StepList::new(&self.program, &mut meter)?;
        meter.finish()?;
        Ok(list)
    }

    /// Returns the memory of the compiled task in bytes, which all blocks share.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.program.bytes
    }

    /// Returns whether random walks in full blocks are likely to be faster than those of a [`Walker`](crate::Walker). It is an
    /// estimate by the size of the task: a block evaluates every operator and axiom in every step, and a walker only what
    /// changes.
    #[must_use]
    pub fn is_likely_faster(&self) -> bool {
        let program = &self.program;
        let repeated = program.rules.strata.iter().any(|stratum| stratum.recursive);
        let rules = program.rules.heads.len() * if repeated { REPEATED_RULE } else { 1 };
        program.operators() + rules <= MOST_WORK
    }

    /// Creates a block of `64 * N` lanes, all in the initial state as the problem declares it. If the initial state is random,
    /// call [`SlicedWalker::reset`] to draw one for each lane.
    #[must_use]
    pub fn walker<const N: usize>(&self) -> SlicedWalker<N> {
        SlicedWalker::new(Arc::clone(&self.program))
    }
}

/// The most operators and axioms of a task that is likely to be faster in blocks, and how many an axiom counts for if rules are
/// repeated.
const MOST_WORK: usize = 8000;
const REPEATED_RULE: usize = 2;
