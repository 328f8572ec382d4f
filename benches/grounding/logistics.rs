//! Parcels are moved by truck within cities and by plane between cities.

use herbrand::step::Random;

use crate::text::{ProblemText, below, root};

/// The domain.
pub const DOMAIN: &str = include_str!("logistics.pddl");

/// The number of places in a city. The first one is an airport.
const PLACES: usize = 5;
const PLANES: usize = 3;

/// Equal numbers of cities and parcels. Each parcel has an atom and two actions per place; the vehicles add some more.
pub fn problem(size: usize, rng: &mut Random) -> String {
    let cities = root(size, (3 * PLACES + 3 * PLANES + 1) as f64, 2.0, 2);
    let parcels = cities;
    let mut text = ProblemText::new("logistics");
    text.objects("city", cities, "city");
    text.objects("truck", cities, "truck");
    text.objects("plane", PLANES, "plane");
    text.objects("parcel", parcels, "parcel");
    text.objects("airport", cities, "airport");
    text.objects("place", cities * (PLACES - 1), "place");
    for city in 0..cities {
        text.fact(format_args!("within airport{city} city{city}"));
        for place in 0..PLACES - 1 {
            text.fact(format_args!(
                "within place{} city{city}",
                city * (PLACES - 1) + place
            ));
        }
        text.fact(format_args!("at truck{city} airport{city}"));
    }
    for plane in 0..PLANES {
        text.fact(format_args!("at plane{plane} airport{}", below(rng, cities)));
    }
    for parcel in 0..parcels {
        let [from, to] = [(); 2].map(|()| below(rng, cities * (PLACES - 1)));
        text.fact(format_args!("at parcel{parcel} place{from}"));
        text.goal(format_args!("at parcel{parcel} place{to}"));
    }
    text.finish()
}
