//! A hand-written blocks world: an array of supports and a list of the valid actions.

use herbrand::step::{Random, uniform_below};

use crate::Walk;

const TABLE: u8 = u8::MAX;
const HAND: u8 = u8::MAX - 1;

/// Blocks with their valid actions, in the order of the engine's actions.
#[derive(Clone)]
pub struct Blocks {
    start: State,
    state: State,
    valid: Vec<Action>,
}

#[derive(Clone)]
struct State {
    /// The support of each block.
    below: Vec<u8>,
    clear: Vec<bool>,
    held: Option<u8>,
}

#[derive(Clone, Copy)]
enum Action {
    PickUp(u8),
    PutDown,
    Stack(u8),
    Unstack(u8),
}

impl Blocks {
    /// Parses a problem of the bundled domain.
    pub fn new(problem: &str) -> Self {
        let between = |start: &str, end: &str| {
            let rest = &problem[problem.find(start).expect("the problem has it") + start.len()..];
            &rest[..rest.find(end).expect("the problem has it")]
        };
        let names: Vec<&str> = between("(:objects", "- block").split_whitespace().collect();
        let number = |name: &str| names.iter().position(|other| *other == name).expect("a block") as u8;
        let mut state = State {
            below: vec![TABLE; names.len()],
            clear: vec![false; names.len()],
            held: None,
        };
        for fact in between("(:init", "(:goal").split(['(', ')']) {
            match fact.split_whitespace().collect::<Vec<_>>()[..] {
                ["on", upper, lower] => state.below[usize::from(number(upper))] = number(lower),
                ["clear", block] => state.clear[usize::from(number(block))] = true,
                _ => {}
            }
        }
        let mut this = Self {
            start: state.clone(),
            state,
            valid: Vec::new(),
        };
        this.list();
        this
    }

    fn list(&mut self) {
        let Self { state, valid, .. } = self;
        valid.clear();
        let clear = || {
            (0_u8..)
                .zip(&state.clear)
                .filter(|(_, clear)| **clear)
                .map(|(block, _)| block)
        };
        if state.held.is_some() {
            valid.push(Action::PutDown);
            valid.extend(clear().map(Action::Stack));
        } else {
            let on_table = |block: &u8| state.below[usize::from(*block)] == TABLE;
            valid.extend(clear().filter(on_table).map(Action::PickUp));
            valid.extend(clear().filter(|block| !on_table(block)).map(Action::Unstack));
        }
    }
}

impl Walk for Blocks {
    fn restart(&mut self) {
        self.state.below.copy_from_slice(&self.start.below);
        self.state.clear.copy_from_slice(&self.start.clear);
        self.state.held = self.start.held;
        self.list();
    }

    #[inline]
    fn step(&mut self, rng: &mut Random) -> Option<u32> {
        let choices = self.valid.len() as u32;
        let action = *self.valid.get(uniform_below(rng, choices) as usize)?;
        let state = &mut self.state;
        match action {
            Action::PickUp(block) | Action::Unstack(block) => {
                let support = std::mem::replace(&mut state.below[usize::from(block)], HAND);
                if support != TABLE {
                    state.clear[usize::from(support)] = true;
                }
                state.clear[usize::from(block)] = false;
                state.held = Some(block);
            }
            Action::PutDown | Action::Stack(_) => {
                let block = usize::from(state.held.take().unwrap_or(0));
                state.clear[block] = true;
                state.below[block] = TABLE;
                if let Action::Stack(target) = action {
                    state.clear[usize::from(target)] = false;
                    state.below[block] = target;
                }
            }
        }
        self.list();
        Some(choices)
    }
}
