//! Satellites turn to directions and take images. There are many actions per atom.

use herbrand::step::Random;

use crate::text::{ProblemText, below, root};

/// The domain.
pub const DOMAIN: &str = include_str!("satellite.pddl");

const SATELLITES: usize = 5;
const INSTRUMENTS: usize = 3;
const MODES: usize = 6;

/// Five satellites with three instruments each. There is one action per satellite and pair of directions.
pub fn problem(size: usize, rng: &mut Random) -> String {
    let directions = root(size, SATELLITES as f64, 2.0, 5);
    let mut text = ProblemText::new("satellite");
    text.objects("satellite", SATELLITES, "satellite");
    text.objects("instrument", SATELLITES * INSTRUMENTS, "instrument");
    text.objects("mode", MODES, "mode");
    text.objects("direction", directions, "direction");
    for satellite in 0..SATELLITES {
        text.fact(format_args!("power-free satellite{satellite}"));
        let direction = below(rng, directions);
        text.fact(format_args!("pointing satellite{satellite} direction{direction}"));
    }
    for instrument in 0..SATELLITES * INSTRUMENTS {
        let satellite = instrument / INSTRUMENTS;
        text.fact(format_args!("aboard instrument{instrument} satellite{satellite}"));
        let direction = below(rng, directions);
        text.fact(format_args!(
            "reference instrument{instrument} direction{direction}"
        ));
        // Some instrument supports every mode; each supports another random one.
        let (first, other) = (instrument % MODES, below(rng, MODES));
        text.fact(format_args!("supports instrument{instrument} mode{first}"));
        if other != first {
            text.fact(format_args!("supports instrument{instrument} mode{other}"));
        }
    }
    for direction in 0..directions {
        text.goal(format_args!(
            "image direction{direction} mode{}",
            below(rng, MODES)
        ));
    }
    text.finish()
}
