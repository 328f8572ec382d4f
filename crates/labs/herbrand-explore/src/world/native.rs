//! The bundled worlds.

use herbrand_ground::{GroundOptions, NormalDomain};
use herbrand_pddl::{Domain, Problem, Source};
use herbrand_step::compile_normal;

use super::{GameError, House, Observation, Setting, TextWorld};

/// The games of a setting as a [`TextWorld`]: generated problems of a bundled domain, described in text. A step before
/// the first [`begin`](TextWorld::begin) is an error. Another `begin` replaces the game.
///
/// ```
/// use herbrand_explore::{NativeWorld, Setting, TextWorld};
///
/// let mut world = NativeWorld::new(Setting::CookingEasy)?;
/// let seen = world.begin(10)?;
/// assert!(seen.text.starts_with("This is the "));
/// let seen = world.step("inventory")?;
/// assert_eq!(seen.text, "You hold nothing.");
/// # Ok::<(), herbrand_explore::GameError>(())
/// ```
#[derive(Debug)]
pub struct NativeWorld {
    setting: Setting,
    domain: Domain,
    normal: NormalDomain,
    house: Option<House>,
}

impl NativeWorld {
    /// Creates the world of a setting, without a game. [`begin`](TextWorld::begin) generates one.
    ///
    /// # Errors
    /// Fails only if the library was built without the bundled domains.
    pub fn new(setting: Setting) -> Result<Self, GameError> {
        let generator = setting.generator().map_err(GameError::from_error)?;
        let files = generator.files().map_err(GameError::from_error)?;
        let domain = Domain::parse(&files.domain).map_err(GameError::from_error)?;
        Ok(Self {
            setting,
            normal: NormalDomain::of(&domain),
            domain,
            house: None,
        })
    }

    /// Returns the setting of the world's games. [`Task::of`](crate::Task::of) gives the task of an agent in them.
    #[must_use]
    pub const fn setting(&self) -> Setting {
        self.setting
    }

    /// Returns the current game, or `None` if none has begun. [`begin`](TextWorld::begin) begins one.
    #[must_use]
    pub const fn house(&self) -> Option<&House> {
        self.house.as_ref()
    }

    /// Returns the current game for modification, or `None` if none has begun. Its steps are steps of the world.
    pub const fn house_mut(&mut self) -> Option<&mut House> {
        self.house.as_mut()
    }
}

impl TextWorld for NativeWorld {
    fn task(&self) -> String {
        self.setting.task().to_owned()
    }

    fn begin(&mut self, game: u64) -> Result<Observation, GameError> {
        let game = self.setting.game(game).map_err(GameError::from_error)?;
        let source = Source::new(&game.name, &game.problem);
        let problem = Problem::parse(&source, &self.domain).map_err(GameError::from_error)?;
        let simulator = compile_normal(&self.domain, &self.normal, &problem, &GroundOptions::default());
        let house = House::new(&simulator.map_err(GameError::from_error)?)?;
        let house = self.house.insert(house);
        Ok(house.look())
    }

    fn step(&mut self, command: &str) -> Result<Observation, GameError> {
        self.house.as_mut().ok_or_else(not_begun)?.step(command)
    }

    fn commands(&mut self) -> Result<Vec<String>, GameError> {
        let house = self.house.as_ref().ok_or_else(not_begun)?;
        Ok(house.commands().map(str::to_owned).collect())
    }
}

fn not_begun() -> GameError {
    GameError("no game has begun".to_owned())
}
