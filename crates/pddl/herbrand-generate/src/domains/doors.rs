//! Doors: the key of each room is in a room that can be entered earlier.

use crate::vocabulary::{Dice, Draft, Graph, numbered};

struct House {
    rooms: usize,
    /// The room of each spot, in ascending order.
    room_of: Vec<usize>,
    floor: Graph,
    /// The spot of each room's key; the first room has no key.
    keys: Vec<usize>,
    start: usize,
    goal: usize,
}

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let house = House::draw(size, dice);
    let spots = numbered("spot", house.room_of.len());
    let mut draft = Draft::default();
    house.describe(&spots, &mut draft);
    house.walk(&spots, &mut draft);
    Some(draft)
}

impl House {
    fn draw(rooms: usize, dice: &mut Dice) -> Self {
        let spots: Vec<usize> = (0..rooms).map(|_| dice.between(2, 4)).collect();
        let room_of: Vec<usize> = (0..rooms).flat_map(|room| vec![room; spots[room]]).collect();
        let of = |room: usize| {
            (0..room_of.len())
                .filter(|&spot| room_of[spot] == room)
                .collect::<Vec<_>>()
        };
        let mut floor = Graph::new(room_of.len());
        for spot in 1..room_of.len() {
            if room_of[spot] == room_of[spot - 1] {
                floor.join(spot - 1, spot);
            }
        }
        let mut keys = Vec::new();
        for room in 1..rooms {
            let from = dice.below(room);
            floor.join(*dice.pick(&of(from)), *dice.pick(&of(room)));
            let hidden = dice.below(room);
            keys.push(*dice.pick(&of(hidden)));
        }
        let (start, goal) = (*dice.pick(&of(0)), *dice.pick(&of(rooms - 1)));
        Self {
            rooms,
            room_of,
            floor,
            keys,
            start,
            goal,
        }
    }

    fn describe(&self, spots: &[String], draft: &mut Draft) {
        draft.note(format!("Rooms: {}; spots: {}.", self.rooms, spots.len()));
        draft.objects("spot", spots);
        draft.objects("room", numbered("room", self.rooms));
        draft.objects("key", (2..=self.rooms).map(|room| format!("key-{room}")));
        draft.fact(format!("walker-at {}", spots[self.start]));
        draft.fact("unlocked room-1");
        for room in 0..self.rooms {
            let inside = (0..spots.len()).filter(|&spot| self.room_of[spot] == room);
            draft.facts(inside.map(|spot| format!("in-room {} room-{}", spots[spot], room + 1)));
        }
        for (room, &spot) in (2..).zip(&self.keys) {
            let place = format!("key-at key-{room} {}", spots[spot]);
            draft.facts([format!("opens key-{room} room-{room}"), place]);
        }
        draft.rows(self.floor.facts("step", spots));
        draft.goal(format!("walker-at {}", spots[self.goal]));
    }

    /// Fetches the keys in the order of the rooms, then walks to the goal.
    fn walk(&self, spots: &[String], draft: &mut Draft) {
        let mut at = self.start;
        let mut go = |draft: &mut Draft, to: usize, unlocked: usize| {
            let way = self
                .floor
                .route_through(at, to, |spot| self.room_of[spot] < unlocked);
            for (a, b) in way.unwrap_or_default() {
                draft.step(format!(
                    "walk {} {} room-{}",
                    spots[a],
                    spots[b],
                    self.room_of[b] + 1
                ));
            }
            at = to;
        };
        for (room, &spot) in (1..).zip(&self.keys) {
            go(draft, spot, room);
            draft.step(format!("take-key key-{0} {1} room-{0}", room + 1, spots[spot]));
        }
        go(draft, self.goal, self.rooms);
    }
}
