//! Newspapers: some of the houses read, each one title.

use crate::vocabulary::{Dice, Draft, Graph, named, numbered};

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let houses = size + dice.between(0, size.div_ceil(2));
    let mut places = vec!["press-house".to_owned()];
    places.extend(numbered("house", houses));
    let titles = named(
        &["herald", "courier", "gazette", "tribune", "echo"],
        "title",
        1 + size / 5,
    );
    let streets = Graph::connected(places.len(), houses / 2, dice);
    let mut readers = dice.permutation(houses);
    readers.truncate(size);
    let read: Vec<usize> = readers.iter().map(|_| dice.below(titles.len())).collect();
    let mut papers = read.clone();
    papers.extend((0..dice.between(0, size / 3)).map(|_| dice.below(titles.len())));
    let start = dice.below(places.len());

    let mut draft = Draft::default();
    draft.note(format!(
        "Places: {}; readers: {size}; titles: {}; papers: {}.",
        places.len(),
        titles.len(),
        papers.len()
    ));
    draft.objects("place", &places);
    draft.objects("paper", numbered("paper", papers.len()));
    draft.objects("title", &titles);
    draft.fact(format!("at {}", places[start]));
    draft.fact("press press-house");
    for (paper, &title) in (1..).zip(&papers) {
        draft.facts([
            format!("stacked paper-{paper}"),
            format!("issue paper-{paper} {}", titles[title]),
        ]);
    }
    let mut at = start;
    let mut walk = |draft: &mut Draft, to: usize| {
        for (a, b) in streets.route(at, to) {
            draft.step(format!("move {} {}", places[a], places[b]));
        }
        at = to;
    };
    walk(&mut draft, 0);
    (1..=size).for_each(|paper| draft.step(format!("pick-up paper-{paper} press-house")));
    for (paper, (reader, title)) in (1..).zip(readers.into_iter().zip(read)) {
        let (house, title) = (reader + 1, &titles[title]);
        draft.facts([
            format!("waiting {}", places[house]),
            format!("reads {} {title}", places[house]),
        ]);
        draft.goal(format!("satisfied {}", places[house]));
        walk(&mut draft, house);
        draft.step(format!("deliver paper-{paper} {title} {}", places[house]));
    }
    streets
        .facts("street", &places)
        .into_iter()
        .for_each(|street| draft.facts(street));
    Some(draft)
}
