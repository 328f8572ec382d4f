//! The fast paths of transition systems.

use crate::action::Choice;
use crate::random::Random;
use crate::system::{System, Transition};
use crate::system_block::SystemBlock;

/// A transition system with optional fast paths for environments and batches. The systems of all problem sets
/// ([`Problems::System`](crate::Problems::System)) implement it.
///
/// Every method has a default that is correct for every system, so `impl BatchSystem for MySystem {}` is enough. Override a
/// method only if measurements show a gain.
#[diagnostic::on_unimplemented(
    note = "`impl BatchSystem for {Self} {{}}` is enough: every method has a default"
)]
pub trait BatchSystem: System {
    /// Loads the start of each memory block that the next step reads, so that it is in the processor's cache by then.
    /// Batches call it before they step a system. The return value is meaningless; it keeps the loads from being optimised
    /// away.
    #[inline]
    fn prefetch(&self) -> u64 {
        0
    }

    /// Returns whether every joint action that fits the layout is valid in every state. Callers may then skip validity
    /// checks. The default is `false`.
    fn is_unrestricted(&self) -> bool {
        false
    }

    /// Returns whether masks and samples can contain this joint action in the current state. A system that accepts more
    /// joint actions than it offers, to report a violated rule, has an implementation of its own. The default is
    /// [`is_valid`](System::is_valid).
    fn offers(&self, joint: &[Choice]) -> bool {
        self.is_valid(joint)
    }

    /// Returns whether every joint action that fits the layout is offered in every state, so that masks are constant. The
    /// default is [`is_unrestricted`](Self::is_unrestricted).
    fn offers_all(&self) -> bool {
        self.is_unrestricted()
    }

    /// Carries out a joint action if it is valid; otherwise returns `None` and changes nothing. Equivalent to
    /// [`is_valid`](System::is_valid) followed by [`step`](System::step); a system may have a faster implementation.
    ///
    /// # Errors
    /// Fails if the effect of a valid action is undefined. The state does not change then.
    #[inline]
    fn step_if_valid(
        &mut self,
        joint: &[Choice],
        chance: &mut Random,
    ) -> Result<Option<Transition>, Self::Error> {
        if self.is_valid(joint) {
            self.step(joint, chance).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Offers a row with one number per field, in the format of [`read_row`](crate::ActionLayout::read_row), as the
    /// joint action of the next [`step_batch`](Self::step_batch). Returns `true` if the system stored it and
    /// [`step`](System::step) would carry it out, so that no choices need to be built. Otherwise returns `false`, which
    /// does not imply that the action is invalid: the system may not support rows, as by default. After `true`, set
    /// [`Job::by_row`].
    fn accept_row(&mut self, row: &[f64]) -> bool {
        let _ = row;
        false
    }

    /// The preferred number of systems per call of [`step_batch`](Self::step_batch); 1 if there is no gain from stepping
    /// several at once.
    const PREFERRED_BATCH: usize = 1;

    /// Steps several systems at once and stores each result in its job. Bit for bit equivalent to one call of
    /// [`step`](System::step) per job; systems may share work between jobs of the same problem. The jobs are
    /// independent: one that fails stores its error, and the others step.
    fn step_batch(jobs: &mut [Job<'_, Self>])
    where
        Self: Sized,
    {
        jobs.iter_mut().for_each(Job::step_alone);
    }

    /// Makes a block of copies of this system, for a caller who has about `lanes` episodes of its problem to run.
    /// `None` if the system has no blocks, as by default, or expects no gain; it then makes no block for this number of
    /// lanes later, so a caller need not ask again. The copies begin in any state; reset them first.
    fn block(&self, lanes: usize) -> Option<Box<dyn SystemBlock<State = Self::State>>> {
        let _ = lanes;
        None
    }
}

/// One step in a call of [`BatchSystem::step_batch`]: a system, its action, and room for the result.
/// [`new`](Self::new) makes one. After the call, read its [`result`](Self::result).
#[derive(Debug)]
pub struct Job<'a, S: System> {
    /// The system to step.
    pub system: &'a mut S,
    /// The joint action to carry out.
    pub joint: &'a [Choice],
    /// Whether the joint action is the row that [`BatchSystem::accept_row`] accepted; `joint` is unused then.
    pub by_row: bool,
    /// The generator for the outcomes. Its draws are those of [`System::step`].
    pub chance: &'a mut Random,
    /// The result of [`System::step`]; `None` until the step is taken. The error is boxed because it is rare and may be
    /// large, and a job should fit into a cache line.
    pub result: Option<Result<Transition, Box<S::Error>>>,
}

impl<'a, S: System> Job<'a, S> {
    /// Creates the job of a step by the choices of `joint`, without a result yet. [`step_alone`](Self::step_alone) or
    /// [`BatchSystem::step_batch`] stores the result.
    pub const fn new(system: &'a mut S, joint: &'a [Choice], chance: &'a mut Random) -> Self {
        Self {
            system,
            joint,
            by_row: false,
            chance,
            result: None,
        }
    }

    /// Takes the step by a call of [`System::step`] for this job only, and stores the result. It ignores
    /// [`by_row`](Self::by_row). A refused step stores its error there; this method does not fail.
    pub fn step_alone(&mut self) {
        self.result = Some(self.system.step(self.joint, self.chance).map_err(Box::new));
    }
}
