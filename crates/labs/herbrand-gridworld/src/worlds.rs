//! Sets of grid worlds, and the observations of agents.

use std::sync::Arc;

use herbrand_core::{
    Catalogue, Explained, GoalConjunct, Memory, ObservationField, ObservationLayout, Observer, PackedStates,
    Problems, System, UnknownProblem,
};

use crate::map::{GridMap, MapFaults};
use crate::robot::{Robot, RobotError, name};

/// A set of grid worlds, one problem per map, in the order of the text. [`parse`](Self::parse) reads one; pass it to
/// `Env::new` or `Env::observed`. Episodes have a horizon of 100 steps. Cheap to clone.
#[derive(Clone, Debug)]
pub struct GridWorlds {
    name: Arc<str>,
    maps: Vec<Arc<GridMap>>,
}

impl GridWorlds {
    /// Reads a set of maps: each is a line with its name and the lines of its drawing; empty lines separate them.
    /// `name` becomes the name of the set. [`GridMap::parse_all`] describes the drawings.
    ///
    /// # Errors
    /// Fails with all faults of the text, like [`GridMap::parse_all`]. A text without maps is a fault.
    pub fn parse(name: &str, text: &str) -> Result<Self, MapFaults> {
        let maps = GridMap::parse_all(text)?;
        Ok(Self {
            name: name.into(),
            maps: maps.into_iter().map(Arc::new).collect(),
        })
    }

    fn map(&self, index: usize) -> Result<&Arc<GridMap>, UnknownProblem> {
        let map = self.maps.get(index);
        map.ok_or_else(|| UnknownProblem::at(self, index))
    }
}

impl Problems for GridWorlds {
    type System = Robot;
    type Error = RobotError;

    fn name(&self) -> &str {
        &self.name
    }

    fn len(&self) -> usize {
        self.maps.len()
    }

    fn problem_name(&self, index: usize) -> Option<String> {
        Some(self.maps.get(index)?.name.clone())
    }

    fn horizon(&self, _index: usize) -> Option<u32> {
        Some(100)
    }

    fn system(&self, index: usize) -> Result<Robot, RobotError> {
        Ok(Robot::new(Arc::clone(self.map(index)?)))
    }
}

impl Catalogue for GridWorlds {
    fn select(&self, indices: &[usize]) -> Result<Self, RobotError> {
        let maps = indices.iter().map(|&index| self.map(index).cloned());
        Ok(Self {
            name: Arc::clone(&self.name),
            maps: maps.collect::<Result<_, _>>()?,
        })
    }
}

impl Explained for GridWorlds {
    fn goal_conjuncts(&self, _index: usize, robot: &Robot) -> Result<Vec<GoalConjunct>, RobotError> {
        Ok(vec![GoalConjunct {
            text: format!("(robot-at {})", name(robot.map().goal)),
            holds: Some(robot.status().goal),
        }])
    }
}

impl PackedStates for GridWorlds {
    fn pack(&(row, column): &(usize, usize)) -> Vec<u8> {
        [row as u64, column as u64].map(u64::to_le_bytes).concat()
    }

    fn unpack(&self, problem: usize, bytes: &[u8]) -> Option<(usize, usize)> {
        let (row, column) = bytes.split_first_chunk::<8>()?;
        let column = u64::from_le_bytes(column.try_into().ok()?);
        let place = (u64::from_le_bytes(*row).try_into().ok()?, column.try_into().ok()?);
        let mut robot = self.system(problem).ok()?;
        robot.set_state(&place).ok()?;
        Some(place)
    }
}

/// An observer that writes two numbers: the row and the column of the robot, counted from 0 at the top left. Pass it
/// to `Env::observed`. The layout has the scalar fields `row` and `column`. If the buffer is too short, the last
/// numbers are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RobotPosition;

impl Observer<GridWorlds> for RobotPosition {
    type Element = f32;

    fn layout(&self, worlds: &GridWorlds) -> Result<ObservationLayout, RobotError> {
        let rows = worlds.maps.iter().map(|map| map.rows.len());
        let columns = worlds.maps.iter().map(|map| map.rows.first().map_or(0, Vec::len));
        let field = |name: &str, most: Option<usize>| ObservationField {
            name: name.to_owned(),
            shape: Vec::new(),
            low: 0.0,
            high: most.unwrap_or(0) as f64,
        };
        Ok(ObservationLayout::new(vec![
            field("row", rows.max()),
            field("column", columns.max()),
        ]))
    }

    fn write(&self, robot: &Robot, _memory: &Memory, into: &mut [f32]) -> usize {
        let &(row, column) = robot.state();
        let numbers = [row as f32, column as f32];
        into.iter_mut()
            .zip(numbers)
            .map(|(cell, number)| *cell = number)
            .count()
    }
}
