//! Budgets of grounding on the command line.

use bytesize::ByteSize;
use clap::Args;
use herbrand::ground::GroundOptions;

/// What grounding may use.
#[derive(Args)]
pub struct LimitArgs {
    /// The memory that grounding may take, such as 500MB or 2GiB [default: half of what there is]
    #[arg(long, value_name = "SIZE")]
    memory: Option<ByteSize>,

    /// The time that grounding may take, such as 30s or 5m [default: 10m]
    #[arg(long, value_name = "DURATION")]
    time: Option<humantime::Duration>,
}

impl LimitArgs {
    /// The budgets that were named, and the defaults of the machine for the others.
    #[must_use]
    pub fn options(&self) -> GroundOptions {
        let mut options = GroundOptions::default();
        let limits = &mut options.limits;
        limits.bytes = self.memory.map(|size| size.as_u64()).or(limits.bytes);
        limits.time = self.time.map(Into::into).or(limits.time);
        options
    }
}
