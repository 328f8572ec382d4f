//! Following a trace and comparing every state.

use std::collections::BTreeSet;
use std::io::BufRead;
use std::sync::Arc;

use herbrand_step::{State, StepError};

use super::observer::{Observer, Seen};
use super::{Difference, Header, Mismatch, Sets, TraceError, Visit};
use crate::{ActionSpace, AgentActionId, Engine, Instance, ObservedId, Planning, PlanningError};

/// What replaying a trace found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Replay {
    /// The number of states that were compared.
    pub states: u64,
    /// The number of differences.
    pub mismatches: u64,
    /// The first difference.
    pub first: Option<Mismatch>,
    /// Steps with more outcomes than are enumerated: the successor was taken over without a comparison.
    pub unverified: u64,
}

/// Follows traces of one problem.
pub struct Replayer {
    engine: Planning,
    observer: Observer,
    header: Header,
    replay: Replay,
    line: usize,
}

/// The states that the next line may show.
enum Possible {
    /// One of these.
    States(Vec<State>),
    /// Too many to enumerate, or what led there was not understood.
    Unknown,
}

impl Replayer {
    /// Follows a trace with this header. Its actions are the agent's where the header says so and the problem has
    /// any; else they are the operators.
    #[must_use]
    pub fn new(instance: &Instance, header: Header) -> Self {
        let simulator = instance.simulator();
        let space = if header.agent_actions.is_some() {
            Arc::clone(instance.space())
        } else {
            Arc::new(ActionSpace::operators(simulator.clone()))
        };
        Self {
            engine: Planning::new(simulator.walker(), space),
            observer: Observer::new(instance.atoms()),
            header,
            replay: Replay::default(),
            line: 1,
        }
    }

    /// Reads the header of a trace, and leaves `lines` at the first state.
    ///
    /// # Errors
    /// When reading fails or the line is no header.
    pub fn read_header(lines: &mut impl BufRead) -> Result<Header, TraceError> {
        let mut first = String::new();
        if lines.read_line(&mut first)? == 0 {
            return Err(TraceError::Empty);
        }
        parse(&first, 1)
    }

    /// Follows the lines after the header to the end.
    ///
    /// # Errors
    /// When reading fails or a line is not a state of a walk. Differences are no errors: they are counted.
    pub fn replay(mut self, lines: impl BufRead) -> Result<Replay, TraceError> {
        self.compare_statics();
        let mut possible = self.initial();
        let mut previous: Option<(u64, u64)> = None;
        for line in lines.lines() {
            self.line += 1;
            let line = line?;
            if line.trim().is_empty() {
                continue;
            }
            let mut visit: Visit = parse(&line, self.line)?;
            visit.spell_alike();
            match previous {
                Some((walk, step)) if walk == visit.walk && step + 1 == visit.step => {}
                _ if visit.step == 0 => possible = self.initial(),
                _ => {
                    return Err(TraceError::Format {
                        line: self.line,
                        message: format!(
                            "step {} of walk {} does not follow the line before",
                            visit.step, visit.walk
                        ),
                    });
                }
            }
            previous = Some((visit.walk, visit.step));
            self.visit(&visit, &possible)?;
            possible = self.successors(&visit)?;
        }
        Ok(self.replay)
    }

    fn initial(&self) -> Possible {
        match self.engine.walker().simulator().initial_outcomes() {
            Ok(outcomes) => Possible::States(outcomes.into_iter().map(|outcome| outcome.state).collect()),
            Err(_) => Possible::Unknown,
        }
    }

    fn compare_statics(&mut self) {
        let Some(recorded) = self.header.statics.take() else {
            return;
        };
        let recorded = self.observer.read(recorded.iter().map(String::as_str), true);
        // What others hold to be static although it is not is compared in the states.
        let statics = self.observer.statics();
        let recorded = Seen {
            known: recorded
                .known
                .into_iter()
                .filter(|id| statics.binary_search(id).is_ok())
                .collect(),
            unknown: recorded.unknown,
        };
        let sets = self.differ(&recorded, statics);
        if !sets.is_empty() {
            self.mismatch(0, 0, Difference::Statics(sets));
        }
    }

    /// Compares one line, and leaves the engine in the recorded state.
    fn visit(&mut self, visit: &Visit, possible: &Possible) -> Result<(), TraceError> {
        self.replay.states += 1;
        let (atoms, with_statics) = visit.recorded();
        let recorded = self.observer.read(atoms, with_statics);
        match possible {
            Possible::Unknown => {
                self.replay.unverified += 1;
                self.go_to(&recorded)?;
            }
            Possible::States(states) => {
                if let Some(difference) = self.match_states(&recorded, states, with_statics)? {
                    self.mismatch(visit.walk, visit.step, difference);
                    self.go_to(&recorded)?;
                }
            }
        }
        self.compare_actions(visit);
        if self.engine.is_goal() != visit.goal {
            let difference = Difference::Goal { recorded: visit.goal };
            self.mismatch(visit.walk, visit.step, difference);
        }
        Ok(())
    }

    /// Puts the engine into the first of `states` that looks as recorded; says what is different if none does.
    fn match_states(
        &mut self,
        recorded: &Seen,
        states: &[State],
        with_statics: bool,
    ) -> Result<Option<Difference>, PlanningError> {
        let mut nearest: Option<Sets> = None;
        for state in states {
            self.engine.set_state(state)?;
            let here = self.observer.observe(self.engine.walker(), with_statics);
            let sets = self.differ(recorded, &here);
            if sets.is_empty() {
                return Ok(None);
            }
            if nearest.as_ref().is_none_or(|nearest| sets.len() < nearest.len()) {
                nearest = Some(sets);
            }
        }
        Ok(Some(Difference::Atoms {
            possible: states.len(),
            sets: nearest.unwrap_or_default(),
        }))
    }

    /// Puts the engine into the recorded state, as far as its atoms are known; numbers are those of the start.
    fn go_to(&mut self, recorded: &Seen) -> Result<(), PlanningError> {
        let atoms = self.observer.atoms(&recorded.known);
        let state = self.engine.walker().simulator().state_from_atoms(atoms)?;
        self.engine.set_state(&state)
    }

    fn compare_actions(&mut self, visit: &Visit) {
        let mut valid = Vec::new();
        self.engine.valid_actions(&mut valid);
        let space = self.engine.space();
        let here = valid
            .into_iter()
            .map(|action| space.display(action).to_string())
            .collect::<BTreeSet<_>>();
        let recorded = visit.actions.iter().cloned().collect::<BTreeSet<_>>();
        let counts = |action: &&String| !self.header.repeated_objects_excluded || !names_twice(action);
        let missing = |from: &BTreeSet<String>, other: &BTreeSet<String>| {
            from.difference(other).filter(counts).cloned().collect()
        };
        let sets = Sets {
            only_recorded: missing(&recorded, &here),
            only_here: missing(&here, &recorded),
        };
        if !sets.is_empty() {
            self.mismatch(visit.walk, visit.step, Difference::Actions(sets));
        }
    }

    /// The states that may follow the recorded choice. Several operators may fit one choice of the agent.
    fn successors(&mut self, visit: &Visit) -> Result<Possible, TraceError> {
        let Some(chosen) = &visit.chosen else {
            return Ok(self.initial());
        };
        let Some(action) = self.engine.space().parse(chosen) else {
            self.not_understood(visit, "there is no such action");
            return Ok(Possible::Unknown);
        };
        match self.outcomes(action) {
            Ok(states) if states.is_empty() => {
                self.not_understood(visit, "it is not valid");
                Ok(Possible::Unknown)
            }
            Ok(states) => Ok(Possible::States(states)),
            Err(StepError::TooManyOutcomes { .. }) => Ok(Possible::Unknown),
            Err(error) => {
                self.not_understood(visit, &error.to_string());
                Ok(Possible::Unknown)
            }
        }
    }

    fn outcomes(&self, action: AgentActionId) -> Result<Vec<State>, StepError> {
        let walker = self.engine.walker();
        let mut states = Vec::new();
        for operator in self.engine.fitting(action) {
            let outcomes = walker.simulator().outcomes(walker.state(), operator)?;
            states.extend(outcomes.into_iter().map(|outcome| outcome.state));
        }
        Ok(states)
    }

    fn not_understood(&mut self, visit: &Visit, reason: &str) {
        let difference = Difference::Chosen {
            action: visit.chosen.clone().unwrap_or_default(),
            reason: reason.to_owned(),
        };
        self.mismatch(visit.walk, visit.step, difference);
    }

    fn mismatch(&mut self, walk: u64, step: u64, difference: Difference) {
        self.replay.mismatches += 1;
        let line = self.line;
        self.replay.first.get_or_insert(Mismatch {
            line,
            walk,
            step,
            difference,
        });
    }

    fn differ(&self, recorded: &Seen, here: &[ObservedId]) -> Sets {
        let only = |from: &[ObservedId], other: &[ObservedId]| {
            let missing = from.iter().filter(|id| other.binary_search(id).is_err());
            self.observer.names(missing)
        };
        let mut only_recorded = only(&recorded.known, here);
        only_recorded.extend(recorded.unknown.iter().cloned());
        Sets {
            only_recorded,
            only_here: only(here, &recorded.known),
        }
    }
}

fn parse<T: serde::de::DeserializeOwned>(text: &str, line: usize) -> Result<T, TraceError> {
    serde_json::from_str(text).map_err(|error| TraceError::Format {
        line,
        message: error.to_string(),
    })
}

/// Whether `(name a b …)` names one object twice.
fn names_twice(action: &str) -> bool {
    let mut seen = BTreeSet::new();
    let words = action.trim_matches(['(', ')']).split_whitespace();
    words.skip(1).any(|argument| !seen.insert(argument))
}
