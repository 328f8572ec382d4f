//! The games of an experiment that are still to be played.

use std::ops::Range;

use super::Trial;
use crate::explore::{ExploreOptions, Explorer};
use crate::game::Ending;
use crate::reader::{Mode, Reader};
use crate::solver::Solver;
use crate::task::Task;
use crate::usage::Usage;
use crate::world::{GameError, NativeWorld, Setting};

/// The games of one player in an experiment.
#[derive(Clone, PartialEq, Debug)]
pub struct TrialPlan {
    /// The name of the player.
    pub player: String,
    /// The forms of the player's answers.
    pub methods: Vec<Mode>,
    /// The worlds.
    pub worlds: Vec<Setting>,
    /// The numbers of the games.
    pub games: Range<u64>,
    /// How often each game is played.
    pub trials: u32,
    /// The sampling temperature; `None` for players without one.
    pub temperature: Option<f64>,
    /// The options of the games. The mode is that of each trial.
    pub options: ExploreOptions,
}

/// The reason why games cannot be added to earlier ones: the same player had other options in them.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("games of `{player}` with {earlier}, not {now}")]
pub struct OtherOptions {
    /// The name of the player.
    pub player: String,
    /// The options of the earlier games.
    pub earlier: String,
    /// The options that are asked for.
    pub now: String,
}

impl TrialPlan {
    /// Returns the games that are not among the known ones, without results.
    ///
    /// # Errors
    /// Fails if the player has played with other options.
    pub fn missing(&self, known: &[Trial]) -> Result<Vec<Trial>, OtherOptions> {
        let own = (
            self.temperature,
            self.options.retries,
            self.options.counts_invalid,
        );
        let of = |one: &Trial| (one.temperature, one.retries, one.counts_invalid);
        let mut of_player = known.iter().filter(|one| one.player == self.player);
        if let Some(other) = of_player.find(|one| of(one) != own) {
            return Err(OtherOptions {
                player: self.player.clone(),
                earlier: words(of(other)),
                now: words(own),
            });
        }
        let mut missing = Vec::new();
        for &method in &self.methods {
            for &world in &self.worlds {
                for game in self.games.clone() {
                    let trials = (0..self.trials).map(|trial| self.trial(method, world, game, trial));
                    missing.extend(trials.filter(|one| !known.iter().any(|other| other.is_same(one))));
                }
            }
        }
        Ok(missing)
    }

    fn trial(&self, method: Mode, world: Setting, game: u64, trial: u32) -> Trial {
        Trial {
            player: self.player.clone(),
            method,
            world: world.name().to_owned(),
            game,
            trial,
            temperature: self.temperature,
            retries: self.options.retries,
            counts_invalid: self.options.counts_invalid,
            ending: Ending::NotPlayed,
            steps: 0,
            score: 0.0,
            usage: Usage::default(),
        }
    }

    /// Plays a game in its bundled world. Returns it with its results; `None` if `watch` stopped it.
    ///
    /// # Errors
    /// Fails if there is no such world, or it fails.
    pub fn play(
        &self,
        trial: &Trial,
        reader: &mut dyn Reader,
        solver: &mut dyn Solver,
        watch: &dyn Fn() -> bool,
    ) -> Result<Option<Trial>, GameError> {
        let setting: Setting = trial.world.parse().map_err(GameError::from_error)?;
        let (task, mut world) = (Task::of(setting)?, NativeWorld::new(setting)?);
        let mut explorer = Explorer {
            task: &task,
            reader: &mut *reader,
            solver,
            options: ExploreOptions {
                mode: trial.method,
                ..self.options
            },
        };
        let game = explorer.play(&mut world, trial.game, &mut |_| watch())?;
        let is_whole = game.ending != Ending::Stopped && watch();
        Ok(is_whole.then(|| Trial {
            ending: game.ending,
            steps: game.steps,
            score: game.score,
            usage: reader.usage(),
            ..trial.clone()
        }))
    }
}

fn words((temperature, retries, counts_invalid): (Option<f64>, usize, bool)) -> String {
    let temperature = temperature
        .map(|one| format!("--temperature {one} "))
        .unwrap_or_default();
    let invalid = if counts_invalid { " --count-invalid" } else { "" };
    format!("{temperature}--retries {retries}{invalid}")
}

impl Trial {
    /// Returns the seed of a player who draws at random, so that a trial does not depend on earlier ones. `seed` is that of the
    /// experiment.
    #[must_use]
    pub fn seed(&self, seed: u64) -> u64 {
        let world = Setting::ALL.iter().position(|world| world.name() == self.world);
        let parts = [seed, world.unwrap_or(0) as u64, self.game, u64::from(self.trial)];
        // The mixing step of SplitMix64.
        parts.into_iter().fold(0, |sum: u64, part| {
            let mut mixed = (sum ^ part).wrapping_add(0x9e37_79b9_7f4a_7c15);
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ (mixed >> 31)
        })
    }
}
