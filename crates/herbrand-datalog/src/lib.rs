//! (crate docs follow)
