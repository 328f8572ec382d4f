//! Coin collector: find a coin in another room of a house with closed doors.

use crate::vocabulary::{Dice, Draft, House, Walk};

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let house = House::draw(size, dice);
    let start = dice.below(size);
    let coin = dice.other(size, start);
    let mut draft = Draft::default();
    draft.note(format!("Rooms: {size}; ways: {}.", house.ways.len()));
    house.describe(start, &mut draft);
    draft.objects("item", ["coin"]);
    draft.fact(format!("in coin {}", house.rooms[coin]));
    draft.goal("held coin");
    Walk::new(&house, start).go(coin, &mut draft);
    draft.step(format!("take coin {}", house.rooms[coin]));
    Some(draft)
}
