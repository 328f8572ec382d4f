//! Landmarks: facts that every plan makes true.

mod count;
mod find;

pub(crate) use count::LandmarkCount;
pub(crate) use find::{Landmarks, find};
