//! The code that calls CUDA and gives pointers away: all unsafe code of the crate.

pub(crate) mod cuda;
pub(crate) mod dlpack;
