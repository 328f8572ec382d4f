//! Doors: each room's key lies in a room that can be entered before it.

use crate::vocabulary::{Dice, Draft, Graph, numbered};

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let rooms: Vec<usize> = (0..size).map(|_| dice.between(2, 4)).collect();
    let room_of: Vec<usize> = (0..size).flat_map(|room| vec![room; rooms[room]]).collect();
    let spots_of = |room: usize| {
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
    for room in 1..size {
        let from = dice.below(room);
        floor.join(*dice.pick(&spots_of(from)), *dice.pick(&spots_of(room)));
        let hidden = dice.below(room);
        keys.push((room, *dice.pick(&spots_of(hidden))));
    }
    let (start, goal) = (*dice.pick(&spots_of(0)), *dice.pick(&spots_of(size - 1)));

    let spots = numbered("spot", room_of.len());
    let mut draft = Draft::default();
    draft.note(format!("{size} rooms with {} spots.", spots.len()));
    draft.objects("spot", &spots);
    draft.objects("room", numbered("room", size));
    draft.objects("key", keys.iter().map(|(room, _)| format!("key-{}", room + 1)));
    draft.fact(format!("walker-at {}", spots[start]));
    draft.fact("unlocked room-1");
    for room in 0..size {
        draft.facts(
            spots_of(room)
                .into_iter()
                .map(|spot| format!("in-room {} room-{}", spots[spot], room + 1)),
        );
    }
    for &(room, spot) in &keys {
        let room = room + 1;
        draft.facts([
            format!("opens key-{room} room-{room}"),
            format!("key-at key-{room} {}", spots[spot]),
        ]);
    }
    floor
        .facts("step", &spots)
        .into_iter()
        .for_each(|step| draft.facts(step));
    draft.goal(format!("walker-at {}", spots[goal]));

    let mut at = start;
    let mut walk = |draft: &mut Draft, to: usize, unlocked: usize| {
        for (a, b) in floor
            .route_through(at, to, |spot| room_of[spot] < unlocked)
            .unwrap_or_default()
        {
            draft.step(format!("walk {} {} room-{}", spots[a], spots[b], room_of[b] + 1));
        }
        at = to;
    };
    for (room, spot) in keys {
        walk(&mut draft, spot, room);
        draft.step(format!("take-key key-{0} {1} room-{0}", room + 1, spots[spot]));
    }
    walk(&mut draft, goal, size);
    Some(draft)
}
