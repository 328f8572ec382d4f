//! Travel: islands of regions; between islands there are only planes, and just tickets enough.

use crate::vocabulary::{Dice, Draft, Graph, numbered};

const COLORS: [&str; 2] = ["red", "blue"];

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let islands = 1 + dice.below(1 + size / 5);
    let mut home: Vec<usize> = (0..size)
        .map(|region| {
            if region < islands {
                region
            } else {
                dice.below(islands)
            }
        })
        .collect();
    home.sort_unstable();
    let of = |island: usize| {
        (0..size)
            .filter(|&region| home[region] == island)
            .collect::<Vec<_>>()
    };
    let mut land = Graph::new(size);
    for island in 0..islands {
        let regions = of(island);
        let part = Graph::connected(regions.len(), regions.len() / 3, dice);
        part.edges()
            .into_iter()
            .for_each(|(a, b)| land.join(regions[a], regions[b]));
    }
    // From each island to the next: the airports and the airline.
    let hops: Vec<_> = (1..islands)
        .map(|island| {
            (
                *dice.pick(&of(island - 1)),
                *dice.pick(&of(island)),
                dice.below(2),
            )
        })
        .collect();
    let start = *dice.pick(&of(0));
    let mut wanted: Vec<usize> = (0..size).filter(|&region| region != start).collect();
    wanted = dice.sample(&wanted, size.div_ceil(2));
    wanted.sort_unstable_by_key(|&region| home[region]);
    let mut tickets: Vec<usize> = hops.iter().map(|&(_, _, color)| color).collect();
    tickets.extend((0..dice.between(1, 2)).map(|_| dice.below(2)));
    let cars = dice.between(1, 1 + size / 5);

    let mut draft = Draft::default();
    draft.note(format!(
        "Regions: {size}, of which {} to visit; islands: {islands}; cars: {cars}; tickets: {}.",
        wanted.len(),
        tickets.len()
    ));
    let regions = numbered("region", size);
    draft.objects("region", &regions);
    draft.objects("car", numbered("car", cars));
    draft.objects("ticket", numbered("ticket", tickets.len()));
    draft.facts([
        format!("at {}", regions[start]),
        format!("visited {}", regions[start]),
    ]);
    draft.facts(numbered("unused-car car", cars));
    for (ticket, &color) in (1..).zip(&tickets) {
        draft.facts([
            format!("unused-ticket ticket-{ticket}"),
            format!("{}-ticket ticket-{ticket}", COLORS[color]),
        ]);
    }
    for (index, color) in COLORS.into_iter().enumerate() {
        let needed = |region: usize| {
            hops.iter()
                .any(|&(from, to, c)| c == index && (from == region || to == region))
        };
        let airports: Vec<usize> = (0..size)
            .filter(|&region| needed(region) || dice.chance(1, 8))
            .collect();
        draft.facts(
            airports
                .into_iter()
                .map(|region| format!("{color}-airport {}", regions[region])),
        );
    }
    land.facts("borders", &regions)
        .into_iter()
        .for_each(|pair| draft.facts(pair));
    wanted
        .iter()
        .for_each(|&region| draft.goal(format!("visited {}", regions[region])));

    let mut at = start;
    let walk = |draft: &mut Draft, from: usize, to: usize| {
        for (a, b) in land.route(from, to) {
            draft.step(format!("walk {} {}", regions[a], regions[b]));
        }
        to
    };
    for island in 0..islands {
        let here = wanted.iter().filter(|&&region| home[region] == island);
        here.for_each(|&region| at = walk(&mut draft, at, region));
        if let Some(&(from, to, color)) = hops.get(island) {
            walk(&mut draft, at, from);
            draft.step(format!(
                "fly-{} {} {} ticket-{}",
                COLORS[color],
                regions[from],
                regions[to],
                island + 1
            ));
            at = to;
        }
    }
    Some(draft)
}
