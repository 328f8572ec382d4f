//! The settings of the bundled games.

use herbrand_generate::{GenerateError, Generated, Generator};

herbrand_text::named! {
    /// A kind of bundled game with its size and its maximum number of commands. The settings are taken from "PDDLEGO:
    /// Iterative Planning in Textual Environments" (Zhang et al. 2024). [`Task::of`](crate::Task::of) and
    /// [`NativeWorld::new`](crate::NativeWorld::new) take one. Parse a name with `str::parse`.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Setting {
        /// Find a coin in a house of 11 rooms; 50 commands.
        Coin = "coin",
        /// Cook a meal of 2 ingredients in a house of 2 rooms; 20 commands.
        CookingEasy = "cooking-easy",
        /// Cook a meal of 5 ingredients in a house of 5 rooms; 50 commands.
        CookingHard = "cooking-hard",
    }
    /// Returns the name of the setting: `coin`, `cooking-easy` or `cooking-hard`. `str::parse` reads it.
    pub fn name; parses, or UnknownSetting: UnknownSetting
}

impl Setting {
    /// Returns the name of the bundled domain of the games: `coin-collector` or `cooking-world`.
    #[must_use]
    pub const fn domain(self) -> &'static str {
        match self {
            Self::Coin => "coin-collector",
            Self::CookingEasy | Self::CookingHard => "cooking-world",
        }
    }

    /// Returns the number of rooms in a game, which is also the number of ingredients in cooking games.
    #[must_use]
    pub const fn size(self) -> u32 {
        match self {
            Self::Coin => 11,
            Self::CookingEasy => 2,
            Self::CookingHard => 5,
        }
    }

    /// Returns the maximum number of commands in a game, which [`Task::steps`](crate::Task::steps) contains. The world
    /// itself accepts more.
    #[must_use]
    pub const fn steps(self) -> usize {
        match self {
            Self::Coin | Self::CookingHard => 50,
            Self::CookingEasy => 20,
        }
    }

    /// Returns the description of the player's task, for the player to read.
    #[must_use]
    pub const fn task(self) -> &'static str {
        match self {
            Self::Coin => "Somewhere in this house is a coin. Find it and take it.",
            Self::CookingEasy | Self::CookingHard => {
                "A cookbook in the kitchen has a recipe. Gather what it asks for, cut and cook each ingredient as it \
                 says, prepare the meal in the kitchen and eat it."
            }
        }
    }

    /// Returns the generator of the games' PDDL problems.
    ///
    /// # Errors
    /// Fails only if the library was built without the bundled domains.
    pub fn generator(self) -> Result<&'static Generator, GenerateError> {
        Generator::get(self.domain())
    }

    /// Generates the PDDL problem of the game with this number, which is the seed. Equal numbers give equal problems.
    /// [`NativeWorld`](crate::NativeWorld) begins the same game.
    ///
    /// # Errors
    /// Fails if the generator finds no problem for the number, or the library was built without the bundled domains.
    pub fn game(self, number: u64) -> Result<Generated, GenerateError> {
        self.generator()?.generate(number, self.size(), 0)
    }
}

/// The error that a text is not the name of a [`Setting`], returned when one is parsed. Contains the text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no setting `{0}`: take coin, cooking-easy or cooking-hard")]
pub struct UnknownSetting(pub String);
