//! Rovers take samples and images and send them to a lander. Rule bodies have five atoms, including static ones.

use herbrand::step::Random;

use crate::text::{ProblemText, below, root, shuffled};

/// The domain.
pub const DOMAIN: &str = include_str!("rovers.pddl");

const ROVERS: usize = 4;
const MODES: usize = 3;

/// Four rovers. The lander is visible from a fifth of the waypoints, half of the waypoints have samples, and there is one
/// objective per ten waypoints.
pub fn problem(size: usize, rng: &mut Random) -> String {
    let waypoints = root(
        size,
        ROVERS as f64 * 0.2 * (0.5 + 0.1 * MODES as f64 * 0.8),
        2.0,
        10,
    );
    let objectives = waypoints.div_ceil(10);
    let mut text = ProblemText::new("rovers");
    text.objects("rover", ROVERS, "rover");
    text.objects("waypoint", waypoints, "waypoint");
    text.objects("camera", 2 * ROVERS, "camera");
    text.objects("mode", MODES, "mode");
    text.objects("objective", objectives, "objective");
    paths(&mut text, waypoints, rng);
    for waypoint in shuffled(rng, waypoints).into_iter().take(waypoints.div_ceil(2)) {
        text.fact(format_args!("sample waypoint{waypoint}"));
        text.goal(format_args!("known-sample waypoint{waypoint}"));
    }
    for objective in 0..objectives {
        for waypoint in shuffled(rng, waypoints).into_iter().take(3) {
            text.fact(format_args!(
                "visible-from objective{objective} waypoint{waypoint}"
            ));
        }
    }
    for rover in 0..ROVERS {
        text.fact(format_args!("at rover{rover} waypoint{}", below(rng, waypoints)));
        text.fact(format_args!("empty rover{rover}"));
    }
    for camera in 0..2 * ROVERS {
        text.fact(format_args!("mounted camera{camera} rover{}", camera / 2));
        text.fact(format_args!(
            "target camera{camera} objective{}",
            below(rng, objectives)
        ));
        for mode in [camera % MODES, (camera + 1 + below(rng, MODES - 1)) % MODES] {
            text.fact(format_args!("supports camera{camera} mode{mode}"));
        }
    }
    text.finish()
}

/// Generates a random tree of waypoints that all rovers can traverse in both directions, and the waypoints that see the
/// lander.
fn paths(text: &mut ProblemText, waypoints: usize, rng: &mut Random) {
    text.fact("lander waypoint0");
    let mut visible = vec![false; waypoints];
    for to in 1..waypoints {
        let from = below(rng, to);
        for (from, to) in [(from, to), (to, from)] {
            visible[from] |= to == 0;
            text.fact(format_args!("visible waypoint{from} waypoint{to}"));
            for rover in 0..ROVERS {
                text.fact(format_args!(
                    "traversable rover{rover} waypoint{from} waypoint{to}"
                ));
            }
        }
    }
    let others = shuffled(rng, waypoints)
        .into_iter()
        .filter(|&from| !visible[from]);
    for from in others.take(waypoints.div_ceil(5)) {
        text.fact(format_args!("visible waypoint{from} waypoint0"));
    }
}
