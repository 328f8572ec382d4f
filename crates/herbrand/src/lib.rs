//! Herbrand.
