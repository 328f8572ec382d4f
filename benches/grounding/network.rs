//! A power network whose switches open and close. A recursive derived predicate connects buses to sources.

use herbrand::step::Random;

use crate::text::{ProblemText, below, root};

/// The domain.
pub const DOMAIN: &str = include_str!("network.pddl");

/// Twenty buses per source and three lines per two buses. There is one atom per source and bus, and about three rules that
/// derive it.
pub fn problem(size: usize, rng: &mut Random) -> String {
    let sources = root(size, 20.0, 2.0, 2);
    let buses = 19 * sources;
    let mut text = ProblemText::new("network");
    text.objects("source", sources, "source");
    text.objects("bus", buses, "bus");
    let name = |index: usize| match index.checked_sub(sources) {
        None => format!("source{index}"),
        Some(bus) => format!("bus{bus}"),
    };
    let all = sources + buses;
    let tree = (1..all).map(|to| (below(rng, to), to)).collect::<Vec<_>>();
    let more = (0..all / 2).map(|_| (below(rng, all), below(rng, all)));
    let lines: Vec<_> = tree.iter().copied().chain(more).collect();
    text.objects("line", lines.len(), "line");
    for (line, &(one, other)) in lines.iter().enumerate() {
        for (one, other) in [(one, other), (other, one)] {
            text.fact(format_args!("ends line{line} {} {}", name(one), name(other)));
        }
        match below(rng, 20) {
            0 => text.fact(format_args!("faulty line{line}")),
            1..=5 => text.fact(format_args!("closed line{line}")),
            _ => {}
        }
    }
    for bus in 0..buses {
        text.goal(format_args!("fed bus{bus}"));
    }
    text.finish()
}
