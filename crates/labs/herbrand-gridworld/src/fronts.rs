//! Grid worlds in pictures, in Python, on the playing page, and in the tasks of the floor.

use herbrand_render::Pictured;
use herbrand_tasks::any::{AnyError, ErrorKind, Playable};

use crate::robot::RobotError;
use crate::worlds::GridWorlds;

/// The default draws a grid, because the objects are named by rows and columns.
impl Pictured for GridWorlds {}

impl Playable for GridWorlds {
    fn description(&self) -> String {
        "A robot walks to a goal.".to_owned()
    }
}

impl From<RobotError> for AnyError {
    fn from(error: RobotError) -> Self {
        match error {
            RobotError::Wall { .. } => Self::new(ErrorKind::Action, error),
            RobotError::Unknown(_) | RobotError::Place { .. } => Self::new(ErrorKind::Name, error),
            RobotError::Episode(fault) => fault.into(),
        }
    }
}
