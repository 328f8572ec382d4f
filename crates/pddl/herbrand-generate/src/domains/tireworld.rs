//! Tireworld: a triangle of places. The route over the top has spares everywhere; other places have some.

use crate::vocabulary::{Dice, Draft};

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let name = |(row, column): (usize, usize)| format!("l-{row}-{column}");
    let places: Vec<_> = (0..=size)
        .flat_map(|row| (0..=size - row).map(move |column| (row, column)))
        .collect();
    let share = dice.below(3);
    let has_spare = |&(row, column): &(usize, usize), dice: &mut Dice| {
        let on_the_safe_way = row > 0 && (column == 0 || row + column == size);
        on_the_safe_way || row > 0 && dice.chance(share, 6)
    };
    let mut draft = Draft::default();
    draft.note(format!(
        "A triangle of side {size}: start and goal are the lower corners,"
    ));
    draft.note("and every place on the way over the top has a spare.");
    draft.objects("location", places.iter().map(|&place| name(place)));
    draft.fact("vehicle-at l-0-0");
    for row in 1..=size {
        let here: Vec<_> = places
            .iter()
            .filter(|place| place.0 == row && has_spare(place, dice))
            .collect();
        draft.facts(here.into_iter().map(|&place| format!("spare-in {}", name(place))));
    }
    for &(row, column) in &places {
        let along = (row + column < size).then_some((row, column + 1));
        let up = (row + column < size).then_some((row + 1, column));
        let down = row.checked_sub(1).map(|below| (below, column + 1));
        let next = [along, up, down].into_iter().flatten();
        draft.facts(next.map(|to| format!("road {} {}", name((row, column)), name(to))));
    }
    draft.goal(format!("vehicle-at {}", name((0, size))));
    (0..size).for_each(|column| {
        draft.step(format!(
            "move-car {} {}",
            name((0, column)),
            name((0, column + 1))
        ));
    });
    Some(draft)
}
