//! Consecutive environments of a batch, which one thread steps at a time.

use std::sync::Arc;

use super::deck::{Deck, Shape, each, resting};
use crate::action::{Choice, Joint};
use crate::batch_system::BatchSystem;
use crate::env::{EnvOptions, EpisodeStart, ProblemChoice};
use crate::episode::InvalidAction;
use crate::error::EpisodeFault;
use crate::idle::IdleSystems;
use crate::observe::Element;
use crate::problems::Problems;
use crate::random::{Random, uniform_below};
use crate::snapshot::Snapshot;
use crate::streams::Streams;
use crate::system::System;
use crate::vector::Autoreset;
use crate::vector::batch::{ActionRows, Actions, Lanes, Widths};

/// The data that all sections of a batch share.
#[derive(Debug)]
pub(super) struct Common<P: Problems> {
    pub(super) problems: P,
    pub(super) options: EnvOptions,
    pub(super) autoreset: Autoreset,
    pub(super) widths: Widths,
    pub(super) packed_masks: bool,
    pub(super) shapes: Vec<Shape>,
    /// The number of environments for which a block is made.
    pub(super) lanes: usize,
    pub(super) idle: Arc<IdleSystems<P>>,
}

/// The state of a system.
type State<P> = <<P as Problems>::System as System>::State;

/// Consecutive environments, each on a lane of a deck of its problem. Lists are by environment.
pub(super) struct Section<P: Problems> {
    decks: Vec<Deck<State<P>>>,
    /// The deck and the lane of each environment; `None` before its first episode.
    places: Vec<Option<(u32, u32)>>,
    /// The streams that draw problems and observations.
    problems: Vec<Random>,
    observations: Vec<Random>,
    /// The environments that change to another deck.
    moves: Vec<Move>,
    /// The failed environment with the smallest index.
    failure: Option<(usize, P::Error)>,
    joint: Vec<Choice>,
    words: Vec<u64>,
}

/// An environment that needs a lane.
struct Move {
    env: usize,
    problem: usize,
    actions: Random,
    outcomes: Random,
}

impl<P: Problems> Section<P> {
    pub(super) fn new(count: usize) -> Self {
        let Streams {
            problems,
            observations,
            ..
        } = Streams::new(0);
        Self {
            decks: Vec::new(),
            places: vec![None; count],
            problems: vec![problems; count],
            observations: vec![observations; count],
            moves: Vec::new(),
            failure: None,
            joint: Vec::new(),
            words: Vec::new(),
        }
    }

    /// Returns the problem of an environment; `None` before its first episode.
    pub(super) fn problem(&self, env: usize) -> Option<usize> {
        let (deck, _) = (*self.places.get(env)?)?;
        Some(self.decks[deck as usize].problem)
    }

    /// Returns what an environment would save; `None` before its first episode.
    pub(super) fn snapshot(&self, env: usize) -> Option<Snapshot<State<P>>> {
        let (deck, lane) = self.places[env]?;
        let (deck, lane) = (&self.decks[deck as usize], lane as usize);
        Some(Snapshot {
            problem: deck.problem,
            state: deck.block.state(lane),
            elapsed: deck.elapsed[lane],
            running: deck.over[lane / 64] >> (lane % 64) & 1 == 0,
            streams: Streams {
                problems: self.problems[env].clone(),
                outcomes: deck.outcomes[lane].clone(),
                actions: deck.actions[lane].clone(),
                observations: self.observations[env].clone(),
            },
            memory: Default::default(),
        })
    }

    /// Starts episodes in the environments for which `start` returns how. `first` is the index of the first environment.
    pub(super) fn reset<E: Element>(
        &mut self,
        common: &Common<P>,
        first: usize,
        start: impl Fn(usize) -> Option<EpisodeStart>,
        rows: &mut Lanes<'_, E>,
    ) -> Result<(), (usize, P::Error)> {
        self.start_call();
        self.decks.iter_mut().for_each(|deck| deck.turn.begins.fill(0));
        for env in 0..self.places.len() {
            let Some(EpisodeStart { seed, problem }) = start(env) else {
                continue;
            };
            let mut own = None;
            if let Some(seed) = seed {
                let Streams {
                    problems,
                    outcomes,
                    actions,
                    observations,
                } = Streams::new(seed);
                (self.problems[env], self.observations[env]) = (problems, observations);
                own = Some((actions, outcomes));
            }
            let problem = match problem {
                ProblemChoice::Uniform => draw(common, &mut self.problems[env]),
                ProblemChoice::Index(index) => index,
            };
            match self.places[env] {
                None => {
                    let (actions, outcomes) = own.unwrap_or_else(|| {
                        let Streams {
                            actions, outcomes, ..
                        } = Streams::new(0);
                        (actions, outcomes)
                    });
                    self.moves.push(Move {
                        env,
                        problem,
                        actions,
                        outcomes,
                    });
                }
                Some((deck, lane)) => {
                    let (deck, lane) = (&mut self.decks[deck as usize], lane as usize);
                    if let Some((actions, outcomes)) = own {
                        (deck.actions[lane], deck.outcomes[lane]) = (actions, outcomes);
                    }
                    self.moves.extend(deck.start(env, lane, problem));
                }
            }
        }
        self.settle(common);
        for deck in &mut self.decks {
            deck.begin(rows, |env| env, true);
        }
        self.write_rows(common, |deck, word| deck.turn.begins[word], rows, |env| env);
        self.end_call(first)
    }

    /// Draws an action in every environment, and writes the actions.
    pub(super) fn sample(
        &mut self,
        common: &Common<P>,
        first: usize,
        actions: &mut ActionRows<'_>,
    ) -> Result<(), (usize, P::Error)> {
        self.start_call();
        self.refuse_unbegun();
        for deck in &mut self.decks {
            deck.sample(&common.shapes[deck.problem], actions, |env| env);
        }
        self.end_call(first)
    }

    /// Takes `steps` sampled steps in every environment; there are as many rows per environment.
    pub(super) fn step_sampled<E: Element>(
        &mut self,
        common: &Common<P>,
        first: usize,
        steps: usize,
        (actions, rows): (&mut ActionRows<'_>, &mut Lanes<'_, E>),
        check: impl Fn() -> Result<(), P::Error>,
    ) -> Result<(), (usize, P::Error)> {
        self.start_call();
        self.refuse_unbegun();
        for step in 0..steps {
            if let Err(error) = check() {
                return Err((first, error));
            }
            let place = |env| env * steps + step;
            for index in 0..self.decks.len() {
                let deck = &mut self.decks[index];
                deck.sample(&common.shapes[deck.problem], actions, place);
                self.refuse_over(common, index);
            }
            self.finish(common, rows, place);
        }
        self.end_call(first)
    }

    /// Takes the actions of the caller.
    pub(super) fn step_given<E: Element>(
        &mut self,
        common: &Common<P>,
        first: usize,
        actions: &Actions<'_>,
        rows: &mut Lanes<'_, E>,
    ) -> Result<(), (usize, P::Error)> {
        self.start_call();
        self.refuse_unbegun();
        for index in 0..self.decks.len() {
            self.read(common, index, first, actions);
            self.refuse_over(common, index);
            let deck = &mut self.decks[index];
            let turn = &mut deck.turn;
            deck.block.choose(&turn.stepping, &deck.given, &mut turn.refused);
            for (stepping, refused) in turn.stepping.iter_mut().zip(&turn.refused) {
                *stepping &= !refused;
            }
            if common.options.invalid == InvalidAction::Error {
                self.explain_refused(common, index, first, actions);
            }
        }
        self.finish(common, rows, |env| env);
        self.end_call(first)
    }

    /// Reads the actions of a deck's lanes. The lanes that would choose one become the acting ones; those of them that are no
    /// dead ends become the stepping ones.
    fn read(&mut self, common: &Common<P>, index: usize, first: usize, actions: &Actions<'_>) {
        let Self {
            decks,
            joint,
            failure,
            ..
        } = self;
        let Deck {
            block,
            problem,
            used,
            over,
            failed,
            envs,
            given,
            turn,
            ..
        } = &mut decks[index];
        let Shape { layout, rules, .. } = &common.shapes[*problem];
        for word in 0..used.len() {
            let begins = common.begins(over[word]);
            turn.acting[word] = used[word] & !begins;
        }
        each(&turn.acting, |lane| {
            let env = envs[lane] as usize;
            let read = match actions {
                Actions::Alternatives(actions) => Ok(Some(actions[first + env])),
                Actions::Rows(_) | Actions::Cells(_) => actions
                    .read(first + env, common.widths, layout, joint)
                    .map(|joint| one(&joint)),
            };
            match read {
                // An alternative that no problem has is refused.
                Ok(alternative) => given[lane] = alternative.unwrap_or(u32::MAX),
                Err(error) => {
                    failed[lane / 64] |= 1 << (lane % 64);
                    keep_first(failure, env, EpisodeFault::from(error).into());
                }
            }
        });
        for word in 0..used.len() {
            turn.acting[word] &= !failed[word] & !over[word];
            turn.stepping[word] = turn.acting[word] & !resting(&**block, rules, word);
        }
    }

    /// Fails the lanes whose action is refused, with the error of a system in their state.
    #[cold]
    fn explain_refused(&mut self, common: &Common<P>, index: usize, first: usize, actions: &Actions<'_>) {
        let Self {
            decks,
            joint,
            failure,
            ..
        } = self;
        let deck = &mut decks[index];
        let layout = &common.shapes[deck.problem].layout;
        let mut spare = None;
        for word in 0..deck.used.len() {
            deck.failed[word] |= deck.turn.refused[word];
            deck.turn.acting[word] &= !deck.turn.refused[word];
        }
        let Deck {
            block,
            problem,
            envs,
            outcomes,
            turn,
            ..
        } = deck;
        each(&turn.refused, |lane| {
            let env = envs[lane] as usize;
            // Only the first error is returned.
            if failure.as_ref().is_some_and(|(before, _)| *before < env) {
                return;
            }
            if spare.is_none() {
                spare = common.idle.take(&common.problems, *problem).ok();
            }
            let read = actions.read(first + env, common.widths, layout, joint);
            let error = match (&mut spare, read) {
                (Some(system), Ok(joint)) => explain(system, &block.state(lane), &joint, &outcomes[lane]),
                (None, _) | (_, Err(_)) => None,
            };
            // A system that makes blocks is made again and refuses what its block refuses.
            let error = error.map_or_else(|| EpisodeFault::NotReset.into(), P::Error::from);
            keep_first(failure, env, error);
        });
        if let Some(system) = spare {
            common.idle.give_back(*problem, system);
        }
    }

    /// Takes the step that the turns of all decks describe, begins episodes, and writes all results.
    fn finish<E: Element>(
        &mut self,
        common: &Common<P>,
        rows: &mut Lanes<'_, E>,
        place: impl Fn(usize) -> usize + Copy,
    ) {
        let Self {
            decks,
            problems,
            moves,
            words,
            ..
        } = self;
        let is_same_step = common.autoreset == Autoreset::SameStep;
        for deck in decks.iter_mut() {
            let shape = &common.shapes[deck.problem];
            deck.step(&shape.rules, rows, place);
            for word in 0..deck.used.len() {
                deck.turn.begins[word] = if is_same_step {
                    deck.turn.ended[word]
                } else {
                    common.begins(deck.over[word]) & !deck.failed[word]
                };
                deck.over[word] |= if is_same_step { 0 } else { deck.turn.ended[word] };
            }
            if is_same_step {
                deck.write_last(shape, rows, place, words);
            }
            if common.shapes.len() == 1 {
                each(&deck.turn.begins, |lane| {
                    draw(common, &mut problems[deck.envs[lane] as usize]);
                });
                continue;
            }
            for lane in 0..deck.envs.len() {
                if deck.turn.begins[lane / 64] >> (lane % 64) & 1 == 1 {
                    let env = deck.envs[lane] as usize;
                    let problem = draw(common, &mut problems[env]);
                    moves.extend(deck.start(env, lane, problem));
                }
            }
        }
        self.settle(common);
        for deck in &mut self.decks {
            deck.begin(rows, place, !is_same_step);
        }
        self.write_rows(
            common,
            |deck, word| deck.used[word] & !deck.failed[word],
            rows,
            place,
        );
    }

    fn write_rows<E: Element>(
        &mut self,
        common: &Common<P>,
        wanted: impl Fn(&Deck<State<P>>, usize) -> u64 + Copy,
        rows: &mut Lanes<'_, E>,
        place: impl Fn(usize) -> usize + Copy,
    ) {
        let Self { decks, words, .. } = self;
        for deck in decks {
            let shape = &common.shapes[deck.problem];
            deck.write_rows(shape, wanted, rows, place, common.packed_masks, words);
        }
    }

    /// Gives a lane to each environment that needs one, where its episode begins.
    fn settle(&mut self, common: &Common<P>) {
        let mut moves = std::mem::take(&mut self.moves);
        for moved in moves.drain(..) {
            let Move {
                env,
                problem,
                actions,
                outcomes,
            } = moved;
            self.places[env] = None;
            let lane_of = |deck: &Deck<_>| (deck.problem == problem).then(|| deck.free_lane()).flatten();
            let found = (0..)
                .zip(&self.decks)
                .find_map(|(index, deck)| Some((index, lane_of(deck)?)));
            let (index, lane) = match found {
                Some(found) => found,
                None => match common.block(problem) {
                    Ok(deck) => {
                        self.decks.push(deck);
                        (self.decks.len() - 1, 0)
                    }
                    Err(error) => {
                        keep_first(&mut self.failure, env, error);
                        continue;
                    }
                },
            };
            let deck = &mut self.decks[index];
            deck.used[lane / 64] |= 1 << (lane % 64);
            deck.turn.begins[lane / 64] |= 1 << (lane % 64);
            deck.envs[lane] = env as u32;
            (deck.actions[lane], deck.outcomes[lane]) = (actions, outcomes);
            self.places[env] = Some((index as u32, lane as u32));
        }
        self.moves = moves;
    }

    fn start_call(&mut self) {
        self.failure = None;
        self.decks.iter_mut().for_each(|deck| deck.failed.fill(0));
    }

    /// Returns the failure of the call.
    fn end_call(&mut self, first: usize) -> Result<(), (usize, P::Error)> {
        match self.failure.take() {
            None => Ok(()),
            Some((env, error)) => Err((first + env, error)),
        }
    }

    /// Fails the environments that were never reset.
    fn refuse_unbegun(&mut self) {
        if let Some(env) = self.places.iter().position(Option::is_none) {
            keep_first(&mut self.failure, env, EpisodeFault::NotReset.into());
        }
    }

    /// Fails the lanes of a deck whose episode is over, unless the next step begins another one.
    fn refuse_over(&mut self, common: &Common<P>, index: usize) {
        if common.autoreset != Autoreset::Disabled {
            return;
        }
        let Self { decks, failure, .. } = self;
        let deck = &mut decks[index];
        for (failed, over) in deck.failed.iter_mut().zip(&deck.over) {
            *failed |= over;
        }
        each(&deck.over, |lane| {
            keep_first(failure, deck.envs[lane] as usize, EpisodeFault::Ended.into())
        });
    }
}

impl<T> Deck<T> {
    /// Starts an episode of a problem in an environment: on its lane if it is of the deck's problem. Otherwise the lane
    /// becomes free.
    fn start(&mut self, env: usize, lane: usize, problem: usize) -> Option<Move> {
        let (word, bit) = (lane / 64, 1 << (lane % 64));
        if problem == self.problem {
            self.turn.begins[word] |= bit;
            return None;
        }
        self.turn.begins[word] &= !bit;
        self.used[word] &= !bit;
        self.over[word] &= !bit;
        Some(Move {
            env,
            problem,
            actions: self.actions[lane].clone(),
            outcomes: self.outcomes[lane].clone(),
        })
    }
}

impl<P: Problems> Common<P> {
    /// Returns those of the lanes whose episode is over that begin another one in the next step.
    fn begins(&self, over: u64) -> u64 {
        if self.autoreset == Autoreset::NextStep {
            over
        } else {
            0
        }
    }

    /// Makes a deck for a problem.
    fn block(&self, problem: usize) -> Result<Deck<State<P>>, P::Error> {
        let system = self.idle.take(&self.problems, problem)?;
        let block = system.block(self.lanes);
        self.idle.give_back(problem, system);
        // A system that made a block makes others.
        let block = block.ok_or(EpisodeFault::NotReset)?;
        Ok(Deck::new(block, problem))
    }
}

/// Draws the problem of an episode, as an environment does.
fn draw<P: Problems>(common: &Common<P>, random: &mut Random) -> usize {
    let count = u32::try_from(common.problems.len()).unwrap_or(u32::MAX);
    uniform_below(random, count) as usize
}

/// Returns the alternative of a joint action that is a single choice of the first field.
fn one(joint: &Joint<'_>) -> Option<u32> {
    match joint.choices() {
        [choice] if choice.field == 0 => choice.alternative(),
        _ => None,
    }
}

/// Returns the error of a step; `None` if the system takes it.
fn explain<S: System>(
    system: &mut S,
    state: &S::State,
    joint: &Joint<'_>,
    chance: &Random,
) -> Option<S::Error> {
    if let Err(error) = system.set_state(state) {
        return Some(error);
    }
    system.step(joint.choices(), &mut chance.clone()).err()
}

fn keep_first<E>(failure: &mut Option<(usize, E)>, env: usize, error: E) {
    if failure.as_ref().is_none_or(|(first, _)| env < *first) {
        *failure = Some((env, error));
    }
}
