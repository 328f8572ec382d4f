//! A hand-written sokoban: a grid of cells and a list of the valid moves.

use herbrand::step::{Random, uniform_below};

use crate::Walk;

/// The value for no cell or no stone.
const NONE: u8 = u8::MAX;

/// Sokoban with its valid moves, in the order of the engine's actions.
#[derive(Clone)]
pub struct Sokoban {
    /// The neighbour of each cell in each direction, [`NONE`] at walls.
    neighbors: Vec<[u8; 4]>,
    goals: Vec<bool>,
    start: State,
    state: State,
    valid: Vec<Move>,
}

#[derive(Clone)]
struct State {
    player: u8,
    /// The stone on each cell, or [`NONE`].
    stones: Vec<u8>,
}

/// A step in a direction. The first number sorts moves in the order of the engine's actions: walks by destination cell, then
/// pushes onto goals by stone, then other pushes by stone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Move(u16, u8);

impl Sokoban {
    /// Parses a problem of the bundled domain.
    pub fn new(problem: &str) -> Self {
        let words: Vec<&str> = problem.split(['(', ')']).collect();
        let objects = words
            .iter()
            .find_map(|text| text.trim().strip_prefix(":objects"))
            .expect("objects");
        let (cells, stones) = objects.split_once("- cell").expect("cells come first");
        let number = |list: &str, name: &str| {
            list.split_whitespace()
                .position(|other| other == name)
                .expect("an object") as u8
        };
        let cell = |name: &str| number(cells, name);
        let count = cells.split_whitespace().count();
        let mut this = Self {
            neighbors: vec![[NONE; 4]; count],
            goals: vec![false; count],
            start: State {
                player: 0,
                stones: vec![NONE; count],
            },
            state: State {
                player: 0,
                stones: vec![NONE; count],
            },
            valid: Vec::new(),
        };
        let directions = ["up", "down", "left", "right"];
        for fact in words {
            match fact.split_whitespace().collect::<Vec<_>>()[..] {
                ["player-at", at] => this.start.player = cell(at),
                ["stone-at", stone, at] => this.start.stones[usize::from(cell(at))] = number(stones, stone),
                ["goal-cell", at] => this.goals[usize::from(cell(at))] = true,
                ["neighbor", from, to, direction] => {
                    let direction = directions
                        .iter()
                        .position(|other| *other == direction)
                        .expect("a direction");
                    this.neighbors[usize::from(cell(from))][direction] = cell(to);
                }
                _ => {}
            }
        }
        this.restart();
        this
    }

    fn list(&mut self) {
        let State { player, stones } = &self.state;
        self.valid.clear();
        for direction in 0..4 {
            let to = self.neighbors[usize::from(*player)][usize::from(direction)];
            if to == NONE {
                continue;
            }
            let stone = stones[usize::from(to)];
            if stone == NONE {
                self.valid.push(Move(u16::from(to), direction));
                continue;
            }
            let beyond = self.neighbors[usize::from(to)][usize::from(direction)];
            if beyond != NONE && stones[usize::from(beyond)] == NONE {
                let kind = if self.goals[usize::from(beyond)] { 256 } else { 512 };
                self.valid.push(Move(kind + u16::from(stone), direction));
            }
        }
        self.valid.sort_unstable();
    }
}

impl Walk for Sokoban {
    fn restart(&mut self) {
        self.state.player = self.start.player;
        self.state.stones.copy_from_slice(&self.start.stones);
        self.list();
    }

    #[inline]
    fn step(&mut self, rng: &mut Random) -> Option<u32> {
        let choices = self.valid.len() as u32;
        let &Move(_, direction) = self.valid.get(uniform_below(rng, choices) as usize)?;
        let to = usize::from(self.neighbors[usize::from(self.state.player)][usize::from(direction)]);
        let stone = std::mem::replace(&mut self.state.stones[to], NONE);
        if stone != NONE {
            let beyond = self.neighbors[to][usize::from(direction)];
            self.state.stones[usize::from(beyond)] = stone;
        }
        self.state.player = to as u8;
        self.list();
        Some(choices)
    }
}
