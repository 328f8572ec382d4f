//! Logistics: deliver packages within a city and between cities.

use crate::vocabulary::{Dice, Draft, numbered};

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let cities = 1 + size.div_ceil(3);
    let offices = dice.between(1, 3);
    let planes = 1 + size / 10;
    let name = |(city, place): Place| match place {
        0 => format!("airport-{}", city + 1),
        _ => format!("office-{}-{place}", city + 1),
    };
    let random_place = |dice: &mut Dice| (dice.below(cities), dice.below(offices + 1));
    let all = (0..cities).flat_map(|city| (0..=offices).map(move |place| (city, place)));
    let mut draft = Draft::default();
    draft.note(format!(
        "Cities: {cities}; places in each: {}; planes: {planes}; packages: {size}.",
        offices + 1
    ));
    draft.objects("city", numbered("city", cities));
    draft.objects("airport", numbered("airport", cities));
    draft.objects("place", all.clone().filter(|&(_, place)| place > 0).map(name));
    draft.objects("truck", numbered("truck", cities));
    draft.objects("plane", numbered("plane", planes));
    draft.objects("package", numbered("package", size));
    for city in 0..cities {
        let mine = all.clone().filter(|&(other, _)| other == city);
        draft.facts(mine.map(|place| format!("in-city {} city-{}", name(place), city + 1)));
    }
    let mut fleet = Fleet {
        trucks: (0..cities).map(|_| dice.below(offices + 1)).collect(),
        plane: dice.below(cities),
        name: &name,
    };
    draft
        .facts((0..cities).map(|city| format!("at truck-{} {}", city + 1, name((city, fleet.trucks[city])))));
    draft.fact(format!("at plane-1 {}", name((fleet.plane, 0))));
    draft.facts((2..=planes).map(|plane| format!("at plane-{plane} airport-{}", dice.below(cities) + 1)));
    for package in 1..=size {
        let from = random_place(dice);
        let to = random_place(dice);
        draft.fact(format!("at package-{package} {}", name(from)));
        draft.goal(format!("at package-{package} {}", name(to)));
        fleet.carry(&mut draft, package, from, to);
    }
    draft.has_steps().then_some(draft)
}

/// A city and a place in it; place 0 is the airport.
type Place = (usize, usize);

/// The positions of the trucks and of the first plane.
struct Fleet<'n> {
    trucks: Vec<usize>,
    plane: usize,
    name: &'n dyn Fn(Place) -> String,
}

impl Fleet<'_> {
    fn carry(&mut self, draft: &mut Draft, package: usize, from: Place, to: Place) {
        if from.0 == to.0 {
            return self.drive(draft, package, from, to);
        }
        self.drive(draft, package, from, (from.0, 0));
        self.fly(draft, package, from.0, to.0);
        self.drive(draft, package, (to.0, 0), to);
    }

    fn drive(&mut self, draft: &mut Draft, package: usize, from: Place, to: Place) {
        if from == to {
            return;
        }
        let (city, truck) = (from.0 + 1, from.0 + 1);
        let (start, end) = ((self.name)(from), (self.name)(to));
        if self.trucks[from.0] != from.1 {
            let parked = (self.name)((from.0, self.trucks[from.0]));
            draft.step(format!("drive truck-{truck} {parked} {start} city-{city}"));
        }
        draft.step(format!("load-truck package-{package} truck-{truck} {start}"));
        draft.step(format!("drive truck-{truck} {start} {end} city-{city}"));
        draft.step(format!("unload-truck package-{package} truck-{truck} {end}"));
        self.trucks[from.0] = to.1;
    }

    fn fly(&mut self, draft: &mut Draft, package: usize, from: usize, to: usize) {
        let (start, end) = ((self.name)((from, 0)), (self.name)((to, 0)));
        if self.plane != from {
            draft.step(format!("fly plane-1 {} {start}", (self.name)((self.plane, 0))));
        }
        draft.step(format!("load-plane package-{package} plane-1 {start}"));
        draft.step(format!("fly plane-1 {start} {end}"));
        draft.step(format!("unload-plane package-{package} plane-1 {end}"));
        self.plane = to;
    }
}
