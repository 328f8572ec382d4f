//! Random generators for making the same draws twice.

use std::collections::VecDeque;
use std::convert::Infallible;

use rand::{Rng, TryRng};

/// A generator that records the words it returns.
pub(crate) struct Tape<'a, R: ?Sized> {
    rng: &'a mut R,
    words: VecDeque<u64>,
}

/// A generator that returns the words recorded by a [`Tape`], then zeros.
pub(crate) struct Playback(VecDeque<u64>);

impl<'a, R: Rng + ?Sized> Tape<'a, R> {
    pub(crate) fn new(rng: &'a mut R) -> Self {
        Self {
            rng,
            words: VecDeque::new(),
        }
    }

    /// Returns a generator that repeats the recorded draws.
    pub(crate) fn play(self) -> Playback {
        Playback(self.words)
    }
}

impl<R: Rng + ?Sized> TryRng for Tape<'_, R> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let word = self.rng.next_u32();
        self.words.push_back(u64::from(word));
        Ok(word)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let word = self.rng.next_u64();
        self.words.push_back(word);
        Ok(word)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.rng.fill_bytes(bytes);
        self.words.extend(bytes.iter().map(|&byte| u64::from(byte)));
        Ok(())
    }
}

impl TryRng for Playback {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        // `Tape` records a 32-bit word as a 64-bit one.
        Ok(self.0.pop_front().unwrap_or(0) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.pop_front().unwrap_or(0))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes
            .iter_mut()
            .for_each(|byte| *byte = self.0.pop_front().unwrap_or(0) as u8);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use herbrand_core::Random;

    use super::*;

    #[test]
    fn playback_gives_what_the_tape_gave() {
        let (mut plain, mut taped) = (Random::new(1), Random::new(1));
        let draw = |rng: &mut dyn Rng| {
            let mut bytes = [0; 5];
            let words = (rng.next_u32(), rng.next_u64());
            rng.fill_bytes(&mut bytes);
            (words, bytes, rng.next_u32())
        };
        let expected = draw(&mut plain);
        let mut tape = Tape::new(&mut taped);
        assert_eq!(draw(&mut tape), expected);
        assert_eq!(draw(&mut tape.play()), expected);
        assert_eq!(plain, taped, "nothing more is drawn");
    }
}
