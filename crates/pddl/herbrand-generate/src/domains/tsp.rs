//! TSP: a hidden round trip and additional roads.

use crate::vocabulary::{Dice, Draft, Graph, numbered};

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let tour = dice.permutation(size);
    let mut roads = Graph::new(size);
    (0..size).for_each(|index| roads.join(tour[index], tour[(index + 1) % size]));
    roads.add(size, dice);
    let cities = numbered("city", size);
    let home = &cities[tour[0]];
    let mut draft = Draft::default();
    draft.note(format!("Cities: {size}; roads: {}.", roads.edges().len()));
    draft.objects("city", &cities);
    draft.facts([
        format!("home {home}"),
        format!("in {home}"),
        format!("visited {home}"),
    ]);
    draft.facts(
        cities
            .iter()
            .filter(|city| *city != home)
            .map(|city| format!("unvisited {city}")),
    );
    draft.rows(roads.facts("road", &cities));
    for city in cities.iter().filter(|city| *city != home) {
        draft.goal(format!("visited {city}"));
    }
    draft.goal("complete");
    draft.goal(format!("in {home}"));
    for pair in tour.windows(2) {
        draft.step(format!("travel {} {}", cities[pair[0]], cities[pair[1]]));
    }
    draft.step(format!("return {} {home}", cities[tour[size - 1]]));
    Some(draft)
}
