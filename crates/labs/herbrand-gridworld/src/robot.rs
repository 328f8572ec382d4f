//! A robot in a grid world, as a transition system.

use std::sync::Arc;

use herbrand_core::{
    ActionLayout, ActionTextError, ActionValidity, BatchSystem, Choice, Described, Digest, EpisodeFault,
    Fact, FactValue, Fingerprinted, Group, Random, Status, System, Transition, UnknownProblem, scramble,
    uniform_below,
};

use crate::map::{Cell, GridMap};

/// The directions in which the robot moves, by name, with the steps in rows and columns.
const DIRECTIONS: [(&str, isize, isize); 4] =
    [("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1)];

/// A robot in a grid world, with its current cell. An action has one discrete field, the number of a direction: 0 up,
/// 1 down, 2 left, 3 right. It is valid unless a wall is in the way. A state is the row and column of the robot,
/// counted from 0. A step that ends on the goal has reward 1, any other step 0. The goal is no terminal state, but by
/// default it ends an episode. A step onto ice takes one draw: with probability 1/2, the robot slides one cell
/// further.
#[derive(Clone, Debug)]
pub struct Robot {
    map: Arc<GridMap>,
    layout: ActionLayout,
    place: (usize, usize),
}

/// The reason why a grid world or a step of its robot failed. The environments over [`GridWorlds`](crate::GridWorlds)
/// return it. After a failure, the robot is where it was.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum RobotError {
    /// The episode refused the call, such as a step before a reset. Also the error of a malformed action, such as a
    /// direction above 3.
    #[error(transparent)]
    Episode(#[from] EpisodeFault),
    /// There is no such map. The index or name is not one of the set.
    #[error(transparent)]
    Unknown(#[from] UnknownProblem),
    /// A wall, or the edge of the map, is next to the robot in this direction.
    #[error("the robot cannot go {direction}: there is a wall")]
    Wall {
        /// The direction: `up`, `down`, `left` or `right`.
        direction: &'static str,
    },
    /// The state to set is a wall or beyond the map.
    #[error("row {row}, column {column} is no free cell")]
    Place {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
    },
}

impl Robot {
    /// Creates a robot in its start cell on a map, the one drawn as `@`. The problem set
    /// [`GridWorlds`](crate::GridWorlds) creates one per map; a reset returns the robot to its start cell.
    #[must_use]
    pub fn new(map: Arc<GridMap>) -> Self {
        Self {
            layout: ActionLayout::single("move", DIRECTIONS.len()),
            place: map.start,
            map,
        }
    }

    /// Returns the map. It is the one given to [`new`](Self::new).
    #[must_use]
    pub fn map(&self) -> &GridMap {
        &self.map
    }

    /// Returns the cell next to the robot in a direction; `None` if it is a wall.
    fn next(&self, direction: usize) -> Option<(usize, usize)> {
        let &(_, rows, columns) = DIRECTIONS.get(direction)?;
        let (row, column) = self.place;
        let next = (row.checked_add_signed(rows)?, column.checked_add_signed(columns)?);
        (self.map.cell(next) != Cell::Wall).then_some(next)
    }

    /// Returns the direction of a joint action.
    fn direction(joint: &[Choice]) -> Option<usize> {
        match joint {
            [choice] => {
                Some(choice.alternative()? as usize).filter(|&direction| direction < DIRECTIONS.len())
            }
            _ => None,
        }
    }

    fn valid(&self) -> impl Iterator<Item = u32> + '_ {
        (0..DIRECTIONS.len() as u32).filter(|&direction| self.next(direction as usize).is_some())
    }
}

impl System for Robot {
    type State = (usize, usize);
    type Error = RobotError;

    fn reset(&mut self, _chance: &mut Random) -> Result<(), RobotError> {
        self.place = self.map.start;
        Ok(())
    }

    fn state(&self) -> &(usize, usize) {
        &self.place
    }

    fn set_state(&mut self, &place: &(usize, usize)) -> Result<(), RobotError> {
        if self.map.cell(place) == Cell::Wall {
            let (row, column) = (place.0.saturating_add(1), place.1.saturating_add(1));
            return Err(RobotError::Place { row, column });
        }
        self.place = place;
        Ok(())
    }

    fn actions(&self) -> &ActionLayout {
        &self.layout
    }

    fn choice_count(&self) -> usize {
        self.valid().count()
    }

    fn choices(&self, into: &mut Vec<Choice>) {
        into.clear();
        into.extend(self.valid().map(Choice::discrete));
    }

    fn write_mask(&self, into: &mut [u8]) {
        into.fill(0);
        for direction in self.valid() {
            if let Some(byte) = into.get_mut(direction as usize) {
                *byte = 1;
            }
        }
    }

    fn is_valid(&self, joint: &[Choice]) -> bool {
        Self::direction(joint).is_some_and(|direction| self.next(direction).is_some())
    }

    /// Draws a free direction uniformly.
    fn sample(&self, random: &mut Random, into: &mut Vec<Choice>) -> bool {
        self.choices(into);
        if into.is_empty() {
            return false;
        }
        let drawn = into[uniform_below(random, into.len() as u32) as usize];
        into.clear();
        into.push(drawn);
        true
    }

    fn step(&mut self, joint: &[Choice], chance: &mut Random) -> Result<Transition, RobotError> {
        self.layout.check(joint).map_err(EpisodeFault::from)?;
        let direction = Self::direction(joint).unwrap_or_default();
        let wall = || RobotError::Wall {
            direction: DIRECTIONS[direction].0,
        };
        self.place = self.next(direction).ok_or_else(wall)?;
        if self.map.cell(self.place) == Cell::Ice && uniform_below(chance, 2) == 1 {
            self.place = self.next(direction).unwrap_or(self.place);
        }
        let status = self.status();
        Ok(Transition {
            reward: if status.goal { 1.0 } else { 0.0 },
            status,
        })
    }

    fn status(&self) -> Status {
        Status {
            goal: self.place == self.map.goal,
            dead_end: self.choice_count() == 0,
            ..Status::default()
        }
    }
}

/// The defaults are enough.
impl BatchSystem for Robot {}

/// Returns the name of a cell, such as `r2c3` for row 2 and column 3, both counted from 1.
pub(crate) fn name((row, column): (usize, usize)) -> String {
    format!("r{}c{}", row + 1, column + 1)
}

impl Described for Robot {
    fn choice_text(&self, choice: Choice) -> String {
        let direction = Self::direction(&[choice]);
        direction.map_or_else(|| "?".to_owned(), |direction| DIRECTIONS[direction].0.to_owned())
    }

    fn parse_choice(&self, text: &str) -> Result<Choice, ActionTextError> {
        let word = text.trim_matches(|c: char| c.is_whitespace() || c == '(' || c == ')');
        let named = |&(name, _, _): &(&str, isize, isize)| name.eq_ignore_ascii_case(word);
        let direction = DIRECTIONS.iter().position(named);
        let direction = direction.map(|direction| Choice::discrete(direction as u32));
        direction.ok_or_else(|| {
            ActionTextError::new(format!(
                "`{word}` is no direction: expected up, down, left or right"
            ))
        })
    }

    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>)) {
        let mut show = |group, name, place| {
            visit(Fact {
                group,
                name,
                arguments: &[&*crate::robot::name(place)],
                value: FactValue::Bool(true),
            });
        };
        for place in self.map.places() {
            let is_ice = self.map.cell(place) == Cell::Ice;
            show(Group::Static, if is_ice { "ice" } else { "floor" }, place);
        }
        show(Group::Static, "goal-at", self.map.goal);
        show(Group::Fluent, "robot-at", self.place);
    }

    /// Returns the cell to which a direction leads, so that a click on the cell takes the action.
    fn choice_objects(&self, choice: Choice) -> Vec<String> {
        let next = Self::direction(&[choice]).and_then(|direction| self.next(direction));
        next.map(name).into_iter().collect()
    }

    fn explain_action(&self, joint: &[Choice]) -> ActionValidity {
        let action = self.joint_text(joint);
        let valid = self.is_valid(joint);
        let text = if valid {
            format!("{action} is valid here")
        } else {
            format!("{action}: there is a wall next to {}", name(self.place))
        };
        ActionValidity {
            failures: if valid {
                Vec::new()
            } else {
                vec!["a free cell".to_owned()]
            },
            action,
            valid,
            text,
        }
    }
}

impl Fingerprinted for Robot {
    type Names = ();

    fn names(&self) {}

    fn choice_hash(&self, (): &mut (), choice: Choice) -> u64 {
        Digest::of_text(&self.choice_text(choice))
    }

    fn state_hash(&self, (): &()) -> u64 {
        let hash = |(row, column): (usize, usize)| scramble((row as u64) << 32 | column as u64);
        hash(self.place).wrapping_sub(hash(self.map.start))
    }
}
