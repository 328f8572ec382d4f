//! The speeds that the PDDLGym paper reports.

/// The title of the column of the paper's figures.
pub const NAME: &str = "paper";

/// The number of steps per episode in the paper. The figures are shown only if --steps has this value.
pub const STEPS: u32 = 10;

/// The source and the protocol of the paper's figures, in one line.
pub const PROTOCOL: &str = "paper: steps per second of PDDLGym in Silver and Chitnis, \"PDDLGym: Gym Environments from PDDL \
                            Problems\" (2020): a random policy, 100 episodes of 10 steps, on a laptop of that time. The \
                            ratio is between two machines.";

/// The speeds in steps per second by Herbrand's domain names. The paper does not say which level of search and rescue it
/// measured; its figure is shown at the first level.
pub const SPEEDS: [(&str, f64); 20] = [
    ("baking", 5897.0),
    ("blocks", 7064.0),
    ("casino", 7747.0),
    ("crafting", 4568.0),
    ("depot", 97.0),
    ("doors", 917.0),
    ("elevator", 3501.0),
    ("exploding-blocks", 6260.0),
    ("ferry", 1679.0),
    ("gripper", 319.0),
    ("hanoi", 4580.0),
    ("meet-pass", 7380.0),
    ("rearrangement", 3808.0),
    ("river", 18632.0),
    ("search-and-rescue-1", 3223.0),
    ("slide-tile", 3401.0),
    ("sokoban", 155.0),
    ("tireworld", 6491.0),
    ("travel", 1251.0),
    ("tsp", 1688.0),
];

#[cfg(test)]
mod tests {
    use herbrand::env::Registry;

    use super::*;

    #[test]
    fn every_figure_is_of_a_bundled_domain() {
        let names = Registry::names().expect("the bundled domains");
        for (name, _) in SPEEDS {
            assert!(names.iter().any(|bundled| bundled == name), "{name}");
        }
    }
}
