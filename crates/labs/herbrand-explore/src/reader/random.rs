//! A player that gives random commands.

use herbrand_step::{Random, uniform_below};

use super::{ReadError, ReadRequest, Reader, ReaderAnswer};
use crate::reader::Mode;

/// A [`Reader`] for [`Mode::EndToEnd`] that reads nothing: it draws each command uniformly from the commands that do something. It
/// is the baseline of a random player. In the other modes it fails.
#[derive(Clone, Debug)]
pub struct RandomReader {
    random: Random,
}

impl RandomReader {
    /// Creates a player whose commands depend on `seed`. A new game goes on with the same stream of numbers.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
        }
    }
}

impl Reader for RandomReader {
    fn read(&mut self, request: &ReadRequest<'_>) -> Result<ReaderAnswer, ReadError> {
        if request.mode != Mode::EndToEnd {
            return Err(ReadError::last("a random player only chooses commands"));
        }
        let count = u32::try_from(request.commands.len()).unwrap_or(u32::MAX);
        let drawn = (count > 0).then(|| uniform_below(&mut self.random, count) as usize);
        let command = drawn.and_then(|drawn| request.commands.get(drawn));
        let command = command.ok_or_else(|| ReadError::last("no command does anything"))?;
        Ok(ReaderAnswer::Command(command.clone()))
    }

    fn learns(&self) -> bool {
        false
    }
}
