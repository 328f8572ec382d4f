//! Snapshots of environments, as values and as bytes, to branch an episode or to continue it in another process.

use crate::observe::Memory;
use crate::problems::Problems;
use crate::random::Random;
use crate::streams::Streams;
use crate::system::System;

/// A saved environment, made by [`Env::save`](crate::Env::save) and read by [`Env::restore`](crate::Env::restore). It
/// determines all later results, given the actions.
#[derive(Clone, PartialEq, Debug)]
pub struct Snapshot<T> {
    /// The index of the current problem. It counts from 0, in the set of the environment.
    pub problem: usize,
    /// The current state.
    pub state: T,
    /// The number of steps taken in the episode.
    pub elapsed: u32,
    /// Whether the episode is running, so that a step may be taken.
    pub running: bool,
    /// The random streams, at the point they had reached.
    pub streams: Streams,
    /// The observer's memory of the episode.
    pub memory: Memory,
}

/// Problems whose states can be serialised and read in another process. [`Snapshot::pack`] and [`Snapshot::unpack`] use
/// it.
pub trait PackedStates: Problems {
    /// Serialises a state. The bytes do not name the problem, so [`unpack`](Self::unpack) takes its index too.
    fn pack(state: &<Self::System as System>::State) -> Vec<u8>;

    /// Reads a state of the problem at index `problem` from the bytes of [`pack`](Self::pack); `None` if there is no
    /// such problem, it cannot be compiled, or the bytes are no such state.
    fn unpack(&self, problem: usize, bytes: &[u8]) -> Option<<Self::System as System>::State>;
}

/// The number of words before the memory: problem, steps taken, whether the episode is running, length of the memory.
const WORDS: usize = 4;

/// The length of the serialised streams in bytes.
const STREAMS: usize = 64;

impl<T> Snapshot<T> {
    /// Serialises the snapshot to bytes. [`unpack`](Self::unpack) reads them for the same problems, in another process
    /// too. The size depends on the state. It does not contain the problems. Name the type of the set:
    /// `snapshot.pack::<P>()`.
    pub fn pack<P>(&self) -> Vec<u8>
    where
        P: PackedStates<System: System<State = T>>,
    {
        let words = [
            self.problem as u64,
            u64::from(self.elapsed),
            u64::from(self.running),
            self.memory.words.len() as u64,
        ];
        let words = words.iter().chain(&self.memory.words);
        let mut bytes: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
        let Streams {
            problems: choices,
            outcomes,
            actions,
            observations,
        } = &self.streams;
        for stream in [choices, outcomes, actions, observations] {
            bytes.extend(stream.to_bytes());
        }
        bytes.extend(P::pack(&self.state));
        bytes
    }

    /// Reads a snapshot from the bytes of [`pack`](Self::pack); `None` if `problems` has no problem with the index
    /// that the bytes name, or the bytes are cut short or hold no state of that problem. That they are of another set
    /// is not always noticed. Pass the result to [`Env::restore`](crate::Env::restore).
    pub fn unpack<P>(problems: &P, bytes: &[u8]) -> Option<Self>
    where
        P: PackedStates<System: System<State = T>>,
    {
        let (words, rest) = bytes.split_first_chunk::<{ 8 * WORDS }>()?;
        let mut words = words.chunks_exact(8).filter_map(word);
        let problem = usize::try_from(words.next()?).ok()?;
        let elapsed = u32::try_from(words.next()?).ok()?;
        let running = words.next()? != 0;
        let length = usize::try_from(words.next()?).ok()?;
        let (memory, rest) = rest.split_at_checked(length.checked_mul(8)?)?;
        let (streams, state) = rest.split_first_chunk::<STREAMS>()?;
        let mut streams = streams.chunks_exact(16).map(stream);
        Some(Self {
            problem,
            state: problems.unpack(problem, state)?,
            elapsed,
            running,
            streams: Streams {
                problems: streams.next()??,
                outcomes: streams.next()??,
                actions: streams.next()??,
                observations: streams.next()??,
            },
            memory: Memory {
                words: memory.chunks_exact(8).filter_map(word).collect(),
            },
        })
    }
}

fn word(bytes: &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

fn stream(bytes: &[u8]) -> Option<Random> {
    Random::from_bytes(bytes.try_into().ok()?)
}
