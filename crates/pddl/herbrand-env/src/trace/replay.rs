//! Replays traces of this or another engine and compares every state.

use std::collections::BTreeSet;
use std::io::BufRead;

use herbrand_core::System;
use herbrand_core::trace::{FileError, TraceLines, read_header};

use super::follow::{Atoms, Follower};
use super::format::{listed_twice, recorded, spell_alike, twice};
use super::listed::{Place, spelled};
use super::seed::SeedCheck;
use super::{Difference, Header, Sets, TraceError, Visit};
use crate::action::AgentActions;
use crate::engine::EngineKind;
use crate::error::PlanningError;
use crate::planning::{Grounded, Lifted, Planning, SteppingEngine};
use crate::suite::{Engines, Suite};

/// The result of replaying a trace, returned by [`Replayer::replay`].
pub type Replay = herbrand_core::trace::Replay<Difference>;

/// Follows a trace of one problem, written by this or another program. In every state, it checks that this engine
/// computes the same atoms, valid actions and goal as the trace has.
///
/// Call [`read_header`](Self::read_header), [`with_engine`](Self::with_engine) and [`replay`](Self::replay), in this
/// order. Differences are no errors: [`Replay`] counts them and describes the first one.
pub struct Replayer(On);

enum On {
    Grounded(Box<Following<Grounded>>),
    Lifted(Box<Following<Lifted>>),
}

impl Replayer {
    /// Prepares to replay a trace with this header, for the problem at `index`, on the given engine. The trace's
    /// actions are agent actions if the header lists any, and operators otherwise. Then call [`replay`](Self::replay).
    ///
    /// # Errors
    /// Fails if there is no such problem, if it is faulty or too large for the engine, or if the header lists other
    /// agent actions than the problem has.
    pub fn with_engine(
        suite: &Suite,
        index: usize,
        engine: EngineKind,
        header: Header,
    ) -> Result<Self, TraceError> {
        check_actions(&header, suite.agent_actions())?;
        let by_agent = header.agent_actions.is_some();
        Ok(Self(match suite.only(index)?.on(engine)? {
            Engines::Grounded(suite) => {
                let instance = suite.instance(0)?;
                let planning = if by_agent {
                    instance.engine()
                } else {
                    instance.operator_engine()
                };
                On::Grounded(Box::new(Following::new(planning, header)))
            }
            Engines::Lifted(lifted) => {
                On::Lifted(Box::new(Following::new(lifted.planning(0, by_agent)?, header)))
            }
        }))
    }

    /// Reads the header of a trace, its first line. `lines` is then at the first state. Pass the header to
    /// [`with_engine`](Self::with_engine).
    ///
    /// # Errors
    /// Fails if reading fails, the line is no header, or it has another version of the format.
    pub fn read_header(lines: &mut impl BufRead) -> Result<Header, TraceError> {
        Ok(read_header(lines)?)
    }

    /// Replays the remaining lines and compares every state with this engine. Call it after
    /// [`read_header`](Self::read_header), with the same reader. After a difference, it goes on from the recorded
    /// atoms.
    ///
    /// # Errors
    /// Fails if reading fails, or if a line is not a state of a walk, is out of order, or lists an atom twice. Fails
    /// if the last walk lacks its last state. Differences are counted and are not errors.
    pub fn replay(self, lines: impl BufRead) -> Result<Replay, TraceError> {
        match self.0 {
            On::Grounded(following) => following.replay(lines),
            On::Lifted(following) => following.replay(lines),
        }
    }
}

/// Checks that the agent actions of a trace have the same names as those of the problem.
fn check_actions(header: &Header, agent: Option<&AgentActions>) -> Result<(), TraceError> {
    let Some(recorded) = &header.agent_actions else {
        return Ok(());
    };
    let actions = agent.map_or(&[][..], AgentActions::actions);
    let declared: Vec<_> = actions.iter().map(|action| action.name.to_string()).collect();
    let names = |list: &[String]| -> BTreeSet<_> { list.iter().map(|name| name.to_lowercase()).collect() };
    if names(recorded) == names(&declared) {
        return Ok(());
    }
    Err(TraceError::AgentActions {
        recorded: recorded.clone(),
        declared,
    })
}

/// The state of a replay on one engine.
struct Following<W: SteppingEngine> {
    engine: Follower<W>,
    header: Header,
    /// Atoms that the header calls static although they may change here. They must hold in every state.
    claimed: Atoms,
    replay: Replay,
    line: usize,
    seed: SeedCheck<W>,
}

/// The position of a line in the walks.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Placed {
    walk: u64,
    step: u64,
    /// Whether the walk ends there.
    ends: bool,
}

impl Placed {
    const fn of(visit: &Visit) -> Self {
        Self {
            walk: visit.walk,
            step: visit.step,
            ends: false,
        }
    }

    /// Returns the expected position of the next line. Walks and steps are numbered from 0.
    const fn after(previous: Option<Self>) -> Self {
        let (walk, step) = match previous {
            None => (0, 0),
            Some(Self { walk, ends: true, .. }) => (walk.wrapping_add(1), 0),
            Some(Self { walk, step, .. }) => (walk, step.wrapping_add(1)),
        };
        Self {
            walk,
            step,
            ends: false,
        }
    }
}

/// The states that the next line may contain.
enum Possible<S> {
    /// One of these states.
    States(Vec<S>),
    /// Too many states to enumerate.
    TooMany,
    /// Unknown, because the step was not understood.
    Unknown,
}

impl<S> From<Option<Vec<S>>> for Possible<S> {
    fn from(states: Option<Vec<S>>) -> Self {
        states.map_or(Self::TooMany, Self::States)
    }
}

impl<W: SteppingEngine> Following<W> {
    fn new(planning: Planning<W>, header: Header) -> Self {
        Self {
            engine: Follower::new(planning),
            claimed: Atoms::new(),
            replay: Replay::default(),
            line: 1,
            seed: SeedCheck::of(&header),
            header,
        }
    }

    fn replay(mut self, lines: impl BufRead) -> Result<Replay, TraceError> {
        let mut lines = TraceLines::after(&mut self.header, lines);
        self.compare_statics()?;
        let mut possible = self.engine.planning.initial_states().into();
        let mut previous: Option<Placed> = None;
        while let Some(mut visit) = lines.read::<Visit>()? {
            self.line = lines.number();
            spell_alike(&mut visit);
            let place = Placed::of(&visit);
            if place != Placed::after(previous) {
                let Placed { walk, step, .. } = place;
                return Err(self.broken(format!(
                    "step {step} of walk {walk} does not follow the line before"
                )));
            }
            if let Some(twice) = listed_twice(&visit) {
                return Err(self.broken(format!("{twice} is listed twice")));
            }
            if visit.step == 0 {
                possible = self.engine.planning.initial_states().into();
                self.seed.begin_walk(&mut self.engine.planning, visit.walk);
            }
            previous = Some(Placed {
                ends: visit.chosen.is_none(),
                ..place
            });
            let mismatches = self.replay.mismatches;
            self.visit(&visit, &possible)?;
            if !matches!(possible, Possible::States(_)) || self.replay.mismatches > mismatches {
                // The numbers of the recorded state are unknown.
                self.seed.end_walk();
            }
            self.seed.compare_state(&self.engine, &visit, self.line);
            possible = self.successors(&visit);
            self.seed.step(&mut self.engine.planning, &visit, self.line);
        }
        self.replay.warnings.extend(self.seed.warning.take());
        self.replay.warnings.extend(lines.into_warnings());
        self.replay.warnings.sort_by_key(|warning| warning.line);
        match previous {
            Some(Placed {
                walk, ends: false, ..
            }) => Err(self.broken(format!("walk {walk} lacks the state that its last action led to"))),
            _ => Ok(self.replay),
        }
    }

    fn broken(&self, message: String) -> TraceError {
        let line = self.line;
        FileError::Format { line, message }.into()
    }

    fn compare_statics(&mut self) -> Result<(), TraceError> {
        let Some(recorded) = self.header.statics.take() else {
            return Ok(());
        };
        let recorded: Vec<_> = recorded.iter().map(|atom| spelled(atom)).collect();
        if let Some(twice) = twice(&recorded) {
            return Err(self.broken(format!("{twice} is listed twice")));
        }
        let listed = recorded.iter().map(|atom| (Place::Statics, atom.as_str()));
        let recorded = self.engine.read(listed);
        let statics = &self.engine.statics;
        let (known, claimed) = recorded.into_iter().partition(|atom| {
            // An atom of a static predicate must be among the static atoms.
            statics.contains(atom) || !self.engine.names.may_change(atom)
        });
        self.claimed = claimed;
        let sets = differ(&known, &self.engine.statics);
        if !sets.is_empty() {
            self.mismatch(0, 0, Difference::Statics(sets));
        }
        Ok(())
    }

    /// Compares a line and moves the engine to the recorded state.
    fn visit(&mut self, visit: &Visit, possible: &Possible<W::State>) -> Result<(), TraceError> {
        self.replay.states += 1;
        let with_statics = visit.atoms.is_some();
        let recorded = self.engine.read(recorded(visit));
        match possible {
            Possible::TooMany | Possible::Unknown => {
                self.replay.unverified += 1;
                self.replay.not_understood += u64::from(matches!(possible, Possible::Unknown));
                self.engine.go_to_atoms(&recorded)?;
            }
            Possible::States(states) => {
                if let Some(difference) = self.match_states(&recorded, states, with_statics)? {
                    self.mismatch(visit.walk, visit.step, difference);
                    self.engine.go_to_atoms(&recorded)?;
                }
            }
        }
        self.compare_claimed(visit);
        self.compare_actions(visit);
        if self.engine.planning.status().goal != visit.goal {
            let difference = Difference::Goal { recorded: visit.goal };
            self.mismatch(visit.walk, visit.step, difference);
        }
        Ok(())
    }

    /// Moves the engine to the first of `states` that matches the recorded atoms. Returns the difference from the most
    /// similar one if none matches.
    fn match_states(
        &mut self,
        recorded: &Atoms,
        states: &[W::State],
        with_statics: bool,
    ) -> Result<Option<Difference>, PlanningError> {
        let mut nearest: Option<Sets> = None;
        // Several states may have the recorded atoms and other numbers. The seed tells which of them was the recorded one.
        let given = self
            .seed
            .expected()
            .filter(|given| states.contains(given))
            .cloned();
        for state in given.iter().chain(states) {
            self.engine.planning.set_state(state)?;
            let here = self.engine.observe(with_statics);
            let sets = differ(recorded, &here);
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

    /// Checks that the atoms that the header calls static hold in this state.
    fn compare_claimed(&mut self, visit: &Visit) {
        if self.claimed.is_empty() {
            return;
        }
        let here = self.engine.observe(false);
        let only_recorded: Vec<_> = self.claimed.difference(&here).cloned().collect();
        if !only_recorded.is_empty() {
            let sets = Sets {
                only_recorded,
                only_here: Vec::new(),
            };
            self.mismatch(visit.walk, visit.step, Difference::Statics(sets));
        }
    }

    fn compare_actions(&mut self, visit: &Visit) {
        let here = self.engine.fitting_actions();
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

    /// Returns the states that may follow the recorded choice. Several operators may fit one agent action.
    fn successors(&mut self, visit: &Visit) -> Possible<W::State> {
        let Some(chosen) = &visit.chosen else {
            return self.engine.planning.initial_states().into();
        };
        let planning = &mut self.engine.planning;
        let action = planning.walk().find_action(chosen);
        let reason = match action.map(|action| planning.successors(&action)) {
            None => "there is no such action".to_owned(),
            Some(Ok(Some(states))) if states.is_empty() => "it is not valid".to_owned(),
            Some(Ok(states)) => return states.into(),
            Some(Err(error)) => error.to_string(),
        };
        let action = chosen.clone();
        self.mismatch(visit.walk, visit.step, Difference::Chosen { action, reason });
        Possible::Unknown
    }

    fn mismatch(&mut self, walk: u64, step: u64, difference: Difference) {
        self.replay.add(self.line, (walk, step), difference);
    }
}

/// Returns the differences of two sets of atoms.
fn differ(recorded: &Atoms, here: &Atoms) -> Sets {
    Sets {
        only_recorded: recorded.difference(here).cloned().collect(),
        only_here: here.difference(recorded).cloned().collect(),
    }
}

/// Returns whether `(name a b …)` has the same object twice.
fn names_twice(action: &str) -> bool {
    let mut seen = BTreeSet::new();
    let words = action.trim_matches(['(', ')']).split_whitespace();
    words.skip(1).any(|argument| !seen.insert(argument))
}
