//! The steps of an episode, as planners that act count them.

use herbrand_rddl::{Horizon, Instance};

/// A counter of the steps of an episode up to the horizon of a problem.
#[derive(Clone, Debug)]
pub(crate) struct EpisodeSteps {
    /// `None` if it is infinite.
    horizon: Option<u32>,
    elapsed: u32,
}

impl EpisodeSteps {
    /// Creates a counter at the start of an episode.
    pub(crate) const fn new(instance: &Instance) -> Self {
        Self {
            horizon: match instance.horizon {
                Horizon::Steps(horizon) => Some(horizon),
                Horizon::Infinite => None,
            },
            elapsed: 0,
        }
    }

    /// Begins another episode.
    pub(crate) const fn restart(&mut self) {
        self.elapsed = 0;
    }

    /// Counts a step. A step behind the horizon is the first of another episode.
    pub(crate) fn count(&mut self) -> EpisodeStep {
        let is_over = self.horizon.is_some_and(|horizon| self.elapsed >= horizon);
        if is_over {
            self.restart();
        }
        let left = self.horizon.map_or(u32::MAX, |horizon| horizon - self.elapsed);
        self.elapsed = self.elapsed.saturating_add(1);
        EpisodeStep {
            left,
            begins: is_over,
        }
    }
}

/// A step of an episode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EpisodeStep {
    /// The number of steps up to the horizon, with this one; `u32::MAX` if it is infinite.
    pub(crate) left: u32,
    /// Whether the step begins an episode, because the last one reached the horizon.
    pub(crate) begins: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_episode_begins_again_behind_the_horizon() {
        let of = |horizon| {
            let domain = "domain d { reward = 0; }";
            let instance = format!("instance i {{ domain = d; horizon = {horizon}; discount = 1.0; }}");
            EpisodeSteps::new(&Instance::from_text(domain, &instance).expect("a model"))
        };
        let mut steps = of("2");
        let counted = |steps: &mut EpisodeSteps| {
            let step = steps.count();
            (step.left, step.begins)
        };
        let first: Vec<_> = (0..5).map(|_| counted(&mut steps)).collect();
        assert_eq!(first, [(2, false), (1, false), (2, true), (1, false), (2, true)]);
        steps.restart();
        assert_eq!(counted(&mut steps), (2, false));
        let mut steps = of("pos-inf");
        assert!((0..5).all(|_| counted(&mut steps) == (u32::MAX, false)));
    }
}
