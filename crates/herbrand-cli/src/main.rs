//! The herbrand program.

fn main() {}
