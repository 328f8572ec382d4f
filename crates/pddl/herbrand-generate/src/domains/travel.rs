//! Travel: regions on islands that are connected by planes only, with few spare tickets.

use crate::vocabulary::{Dice, Draft, Graph, Traveller, numbered};

const COLORS: [&str; 2] = ["red", "blue"];

struct World {
    /// The island of each region, in ascending order.
    island: Vec<usize>,
    borders: Graph,
    /// The flight from each island to the next.
    flights: Vec<Flight>,
    /// The airline colour of each ticket. The first tickets are for the flights.
    tickets: Vec<usize>,
    cars: usize,
    start: usize,
    /// The regions to visit, ordered by island.
    wanted: Vec<usize>,
}

struct Flight {
    from: usize,
    to: usize,
    color: usize,
}

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let world = World::draw(size, dice);
    let regions = numbered("region", size);
    let mut draft = Draft::default();
    world.describe(&regions, &mut draft);
    for (color, name) in COLORS.into_iter().enumerate() {
        let airports = (0..size).filter(|&region| world.lands(region, color) || dice.chance(1, 8));
        draft.facts(airports.map(|region| format!("{name}-airport {}", regions[region])));
    }
    world.visit(&regions, &mut draft);
    Some(draft)
}

impl World {
    fn draw(size: usize, dice: &mut Dice) -> Self {
        let islands = 1 + dice.below(1 + size / 5);
        let more = (islands..size).map(|_| dice.below(islands)).collect::<Vec<_>>();
        let mut island: Vec<usize> = (0..islands).chain(more).collect();
        island.sort_unstable();
        let of = |wanted: usize| {
            (0..size)
                .filter(|&region| island[region] == wanted)
                .collect::<Vec<_>>()
        };
        let mut borders = Graph::new(size);
        for regions in (0..islands).map(of) {
            let part = Graph::connected(regions.len(), regions.len() / 3, dice);
            part.edges()
                .into_iter()
                .for_each(|(a, b)| borders.join(regions[a], regions[b]));
        }
        let flight = |next: usize| Flight {
            from: *dice.pick(&of(next - 1)),
            to: *dice.pick(&of(next)),
            color: dice.below(2),
        };
        let flights: Vec<Flight> = (1..islands).map(flight).collect();
        let start = *dice.pick(&of(0));
        let others: Vec<usize> = (0..size).filter(|&region| region != start).collect();
        let mut wanted = dice.sample(&others, size.div_ceil(2));
        wanted.sort_by_key(|&region| island[region]);
        let mut tickets: Vec<usize> = flights.iter().map(|flight| flight.color).collect();
        tickets.extend((0..dice.between(1, 2)).map(|_| dice.below(2)));
        let cars = dice.between(1, 1 + size / 5);
        Self {
            island,
            borders,
            flights,
            tickets,
            cars,
            start,
            wanted,
        }
    }

    /// Returns whether a flight of the colour starts or lands in the region.
    fn lands(&self, region: usize, color: usize) -> bool {
        let here = |flight: &Flight| flight.from == region || flight.to == region;
        self.flights
            .iter()
            .any(|flight| flight.color == color && here(flight))
    }

    fn describe(&self, regions: &[String], draft: &mut Draft) {
        let tickets = self.tickets.len();
        draft.note(format!(
            "Regions: {}, of which {} to visit; islands: {}; cars: {}; tickets: {tickets}.",
            regions.len(),
            self.wanted.len(),
            self.flights.len() + 1,
            self.cars,
        ));
        draft.objects("region", regions);
        draft.objects("car", numbered("car", self.cars));
        draft.objects("ticket", numbered("ticket", tickets));
        let start = &regions[self.start];
        draft.facts([format!("at {start}"), format!("visited {start}")]);
        draft.facts(numbered("unused-car car", self.cars));
        for (ticket, &color) in (1..).zip(&self.tickets) {
            let unused = format!("unused-ticket ticket-{ticket}");
            draft.facts([unused, format!("{}-ticket ticket-{ticket}", COLORS[color])]);
        }
        draft.rows(self.borders.facts("borders", regions));
        self.wanted
            .iter()
            .for_each(|&region| draft.goal(format!("visited {}", regions[region])));
    }

    /// Visits the wanted regions of each island, then walks to the airport and flies to the next island.
    fn visit(&self, regions: &[String], draft: &mut Draft) {
        let mut walker = Traveller::new("walk", &self.borders, regions, self.start);
        for island in 0..=self.flights.len() {
            for &region in self
                .wanted
                .iter()
                .filter(|&&region| self.island[region] == island)
            {
                walker.go(region, draft);
            }
            if let Some(Flight { from, to, color }) = self.flights.get(island) {
                walker.go(*from, draft);
                let (color, from, ticket) = (COLORS[*color], &regions[*from], island + 1);
                draft.step(format!("fly-{color} {from} {} ticket-{ticket}", regions[*to]));
                walker.appear(*to);
            }
        }
    }
}
