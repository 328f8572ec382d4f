//! A step allocates nothing once the walker's buffers have grown.

#![allow(clippy::unwrap_used, reason = "test code")]

mod support;

use herbrand_step::{Matching, Options, Random, Simulator};
use support::sketch::Sketch;

#[test]
fn steady_steps_allocate_nothing() {
    for (seed, matching) in (0..20).flat_map(|seed| [(seed, Matching::Counting), (seed, Matching::Watching)])
    {
        let sketch = Sketch {
            fluents: 12,
            derived: 6,
            // Numeric effects of random tasks may contradict each other, and errors are told in words.
            numbers: 0,
            actions: 40,
            literals: 2,
            disjunctions: seed % 2 == 0,
            chance: seed % 3 == 0,
            seed,
        };
        let options = Options {
            matching,
            ..Options::default()
        };
        let simulator = Simulator::with_options(sketch.build(), options);
        let start = simulator.initial_state();
        let mut walker = simulator.walker();
        let mut rng = Random::new(seed);
        let mut walk = |steps: u32| {
            for step in 0..steps {
                let action = walker.sample(&mut rng).filter(|_| step % 50 > 0);
                if action.is_none_or(|action| walker.apply(action, &mut rng).is_err()) {
                    walker.set_state(&start).unwrap();
                }
            }
        };
        // Draws that happen seldom come up as well.
        walk(20_000);
        let counted = allocation_counter::measure(|| walk(2000));
        assert_eq!(counted.count_total, 0, "seed {seed}, {matching:?}");
    }
}
