//! Houses: rooms on a grid with ways between them, some with doors.

use super::{Dice, Direction, Draft, Graph, named};

/// The names of rooms. The kitchen comes first.
const ROOMS: [&str; 16] = [
    "kitchen", "hall", "pantry", "garden", "bedroom", "parlour", "bathroom", "cellar", "attic", "study",
    "porch", "nursery", "library", "workshop", "orchard", "balcony",
];

/// A house: rooms on a grid, connected by ways. Every room can be reached, and every way can be used in both directions.
#[derive(Clone, Debug)]
pub struct House {
    /// The names of the rooms.
    pub rooms: Vec<String>,
    /// The ways: two rooms, the direction from the first to the second, and whether there is a door. Doors are initially
    /// closed.
    pub ways: Vec<(usize, usize, Direction, bool)>,
}

impl House {
    /// Draws a house with `count` rooms. Each new room is next to an older one and gets a way to it, and with probability
    /// 1/3 to each of its other neighbours. Half of the ways have a door.
    pub fn draw(count: usize, dice: &mut Dice) -> Self {
        let mut cells = vec![(0_i64, 0_i64)];
        let mut ways = Vec::new();
        while cells.len() < count {
            let near = dice.below(cells.len());
            let direction = *dice.pick(&Direction::ALL);
            let cell = beside(cells[near], direction);
            if cells.contains(&cell) {
                continue;
            }
            let room = cells.len();
            for towards in Direction::ALL {
                let neighbour = cells.iter().position(|&other| other == beside(cell, towards));
                let Some(neighbour) = neighbour else { continue };
                if neighbour == near || dice.chance(1, 3) {
                    ways.push((neighbour, room, towards.opposite(), dice.chance(1, 2)));
                }
            }
            cells.push(cell);
        }
        let mut rooms = named(&ROOMS, "room", count);
        ROOMS[0].clone_into(&mut rooms[0]);
        Self { rooms, ways }
    }

    /// Writes the objects and facts of the rooms, ways and doors to `draft`. The agent is initially in the room with
    /// index `at` in [`rooms`](Self::rooms).
    pub fn describe(&self, at: usize, draft: &mut Draft) {
        draft.objects("room", &self.rooms);
        draft.facts([
            format!("agent-at {}", self.rooms[at]),
            format!("visited {}", self.rooms[at]),
        ]);
        for &(a, b, direction, door) in &self.ways {
            let (from, to) = (&self.rooms[a], &self.rooms[b]);
            let back = direction.opposite();
            draft.facts([
                format!("leads {from} {to} {}", direction.compass()),
                format!("leads {to} {from} {}", back.compass()),
            ]);
            if door {
                let both = |word: &str| [format!("{word} {from} {to}"), format!("{word} {to} {from}")];
                draft.facts(both("door").into_iter().chain(both("closed")));
            }
        }
    }
}

/// Returns the neighbour of a cell.
fn beside((x, y): (i64, i64), direction: Direction) -> (i64, i64) {
    match direction {
        Direction::Up => (x, y + 1),
        Direction::Down => (x, y - 1),
        Direction::Left => (x - 1, y),
        Direction::Right => (x + 1, y),
    }
}

/// A person in a house, who walks between rooms and opens closed doors on the way. The steps are written to a plan.
#[derive(Clone, Debug)]
pub struct Walk<'h> {
    house: &'h House,
    graph: Graph,
    opened: Vec<bool>,
    at: usize,
}

impl<'h> Walk<'h> {
    /// Creates a walker in the room `at`.
    pub fn new(house: &'h House, at: usize) -> Self {
        let mut graph = Graph::new(house.rooms.len());
        for &(a, b, ..) in &house.ways {
            graph.join(a, b);
        }
        Self {
            house,
            graph,
            opened: vec![false; house.ways.len()],
            at,
        }
    }

    /// Walks to the room `to` along a shortest path and adds the steps to the plan of `draft`.
    pub fn go(&mut self, to: usize, draft: &mut Draft) {
        for (from, next) in self.graph.route(self.at, to) {
            let joins = |&(a, b, ..): &(usize, usize, Direction, bool)| {
                (a, b) == (from, next) || (b, a) == (from, next)
            };
            let Some(number) = self.house.ways.iter().position(joins) else {
                continue;
            };
            let (a, _, direction, door) = self.house.ways[number];
            let direction = if a == from {
                direction
            } else {
                direction.opposite()
            };
            let arguments = format!(
                "{} {} {}",
                self.house.rooms[from],
                self.house.rooms[next],
                direction.compass()
            );
            if door && !std::mem::replace(&mut self.opened[number], true) {
                draft.step(format!("open-door {arguments}"));
            }
            draft.step(format!("go {arguments}"));
        }
        self.at = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rooms_can_be_reached_and_no_way_leads_to_two() {
        let mut dice = Dice::new(4, 0, 0, 0);
        for count in 1..20 {
            let house = House::draw(count, &mut dice);
            let walk = Walk::new(&house, 0);
            assert_eq!(walk.graph.area(0).len(), count);
            let mut exits: Vec<_> = house
                .ways
                .iter()
                .flat_map(|&(a, b, direction, _)| {
                    [(a, direction.compass()), (b, direction.opposite().compass())]
                })
                .collect();
            let ways = exits.len();
            exits.sort_unstable();
            exits.dedup();
            assert_eq!(exits.len(), ways, "{house:?}");
        }
    }
}
