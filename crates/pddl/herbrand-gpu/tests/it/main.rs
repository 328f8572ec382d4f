//! Tests that run the text of the kernel on a CPU, and tests of a machine without a GPU.

mod device;
mod engines;
mod missing;
mod reference;
mod twin;
mod walkers;
