//! Maintaining the valid actions from step to step.

use crate::grounded::counts::Counts;
use crate::grounded::network::{Method, Network};
use crate::grounded::truth::Truth;
use crate::grounded::valid::ValidActions;
use crate::grounded::validity::Validity;
use crate::grounded::watches::Watches;

/// The fulfilled rows of a [`Network`] in the current state, and the actions they make valid.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Matcher {
    fulfilled: Fulfilled,
    validity: Validity,
}

/// The fulfilled rows, maintained by the network's method. Counts have as many bits as the longest row needs.
#[derive(Clone, Debug)]
enum Fulfilled {
    Count2(Counts<2>),
    Count3(Counts<3>),
    Count4(Counts<4>),
    Count8(Counts<8>),
    Watch(Box<Watches>),
}

impl Matcher {
    /// Creates the matcher for the state described by `truth`.
    pub(crate) fn new(network: &Network, truth: &Truth) -> Self {
        let mut validity = Validity::new(network);
        let fulfilled = match &network.method {
            Method::Count(0..=2) => Fulfilled::Count2(Counts::new(network, truth, &mut validity)),
            Method::Count(3) => Fulfilled::Count3(Counts::new(network, truth, &mut validity)),
            Method::Count(4) => Fulfilled::Count4(Counts::new(network, truth, &mut validity)),
            Method::Count(_) => Fulfilled::Count8(Counts::new(network, truth, &mut validity)),
            Method::Watch(rows) => {
                Fulfilled::Watch(Box::new(Watches::new(rows, truth, network, &mut validity)))
            }
        };
        Self { fulfilled, validity }
    }

    /// Reads the beginning of each list that every step reads, to bring it into the cache.
    #[inline]
    pub(crate) fn prefetch(&self) -> u64 {
        let counts = match &self.fulfilled {
            Fulfilled::Count2(counts) => counts.prefetch(),
            Fulfilled::Count3(counts) => counts.prefetch(),
            Fulfilled::Count4(counts) => counts.prefetch(),
            Fulfilled::Count8(counts) => counts.prefetch(),
            Fulfilled::Watch(_) => 0,
        };
        counts ^ self.valid().prefetch()
    }

    /// The valid actions.
    #[inline]
    pub(crate) fn valid(&self) -> &ValidActions {
        &self.validity.valid
    }

    /// Updates the valid actions after a change of state. `gained` contains the literals that became true.
    #[inline]
    pub(crate) fn update(&mut self, network: &Network, truth: &Truth, gained: &[u32]) {
        let Self { fulfilled, validity } = self;
        match fulfilled {
            Fulfilled::Count2(counts) => counts.update(network, gained, validity),
            Fulfilled::Count3(counts) => counts.update(network, gained, validity),
            Fulfilled::Count4(counts) => counts.update(network, gained, validity),
            Fulfilled::Count8(counts) => counts.update(network, gained, validity),
            Fulfilled::Watch(watches) => watches.update(network, truth, gained, validity),
        }
    }
}
