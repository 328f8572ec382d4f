//! Grid worlds drawn as text: a small language, and an example of how to add one to Herbrand.
//!
//! A map is drawn with characters. A robot moves up, down, left or right, one cell per step, until it reaches the goal. On
//! ice it slides one cell further with probability 1/2.
//!
//! ```text
//!   #######     #  wall        @  the robot's start
//!   #@.~.G#     .  floor       G  the goal
//!   #######     ~  ice
//! ```
//!
//! The crate implements the traits of the other crates and nothing else. With them, grid worlds run in every environment and
//! front end:
//!
//! | file | traits | brings |
//! |---|---|---|
//! | `map.rs` | – | reads maps |
//! | `robot.rs` | `System`, `BatchSystem`, `Described`, `Fingerprinted` | steps, names, rollouts |
//! | `worlds.rs` | `Problems`, `Catalogue`, `PackedStates`, `Explained`, `Observer` | environments, batches, snapshots, traces |
//! | `fronts.rs` | `Pictured`, `Playable`, `Shown` | pictures, Python, the playing page, `herbrand show` |
//!
//! ```
//! use herbrand_core::{Env, EnvOptions};
//! use herbrand_gridworld::{GridWorlds, RobotPosition};
//!
//! let worlds = GridWorlds::parse("rooms", "corridor\n#####\n#@.G#\n#####")?;
//! let mut env = Env::observed(worlds, RobotPosition, EnvOptions::default())?;
//! env.reset(Some(7))?;
//! while let Some(joint) = env.sample()? {
//!     if env.step(&*joint)?.ended() {
//!         break;
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod fronts;
mod map;
mod robot;
mod worlds;

pub use map::{GridMap, MapFault, MapFaults};
pub use robot::{Robot, RobotError};
pub use worlds::{GridWorlds, RobotPosition};
