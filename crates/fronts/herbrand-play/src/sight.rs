//! The observations of the agent of a session.

use std::collections::HashSet;

use herbrand_core::Memory;

use crate::allowance::RequestLimits;
use crate::game::Game;
use crate::opened::{Opened, start};
use crate::refusal::Refusal;
use crate::request::WalkPosition;

/// The observations of an agent in a problem that is only partly observable.
#[derive(Default)]
pub(crate) struct Sight {
    memory: Memory,
    /// The facts that the agent knows now; `None` if it sees the whole state.
    pub(crate) facts: Option<Vec<String>>,
    /// The facts that it knew before the last step.
    before: Vec<String>,
}

impl Sight {
    /// Looks at a state that the agent has entered.
    pub(crate) fn look(&mut self, game: &Game) -> Result<(), Refusal> {
        let facts = game.look().features().seen(&mut self.memory)?;
        self.before = std::mem::replace(&mut self.facts, facts).unwrap_or_default();
        Ok(())
    }

    /// Repeats the steps to a position and returns what the agent has seen on the way.
    pub(crate) fn along(
        opened: &Opened,
        position: &WalkPosition,
        allowance: &RequestLimits,
    ) -> Result<Self, Refusal> {
        let (mut game, mut sight) = (opened.fresh()?, Self::default());
        let mut so_far = start(&opened.problem, position.seed);
        game.go(&so_far, allowance)?;
        sight.look(&game)?;
        for joint in &position.walk {
            game.take(&so_far, joint, false, allowance)?;
            so_far.walk.push(joint.clone());
            sight.look(&game)?;
        }
        Ok(sight)
    }

    /// Returns the facts that the agent learned in the last step, and the facts that it no longer knows.
    pub(crate) fn changes(&self) -> (Vec<String>, Vec<String>) {
        let now = self.facts.as_deref().unwrap_or_default();
        let new = |now: &[String], old: &[String]| {
            let old: HashSet<_> = old.iter().collect();
            now.iter().filter(|fact| !old.contains(fact)).cloned().collect()
        };
        (new(now, &self.before), new(&self.before, now))
    }

    /// Returns the approximate memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let seen = self.facts.iter().flatten().chain(&self.before);
        let seen: usize = seen.map(|text| text.len() + 24).sum();
        seen + 8 * self.memory.words.len()
    }
}
