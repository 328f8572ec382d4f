//! Worked examples for language models.

use herbrand_edit::lines::LineEdits;
use herbrand_edit::{Belief, EditFaults, Statement};
use serde_json::json;

use super::{Mode, ReadRequest, Reader, ReaderAnswer, RuleReader};
use crate::world::{GameError, Setting};

/// A text of a kind of game with a right answer to it in each [`Mode`], which a language model is shown before the real
/// text. [`Task::example`](crate::Task::example) has one.
#[derive(Clone, Debug)]
pub struct WorkedExample {
    /// The agent's belief before the text.
    pub belief: Belief,
    /// The command that led to the text; `None` at the start of a game.
    pub command: Option<String>,
    /// The text.
    pub text: String,
    /// The meaning of the text.
    pub statements: Vec<Statement>,
    /// The commands that do something after the text.
    pub commands: Vec<String>,
    /// A sensible next command, one of [`commands`](Self::commands).
    pub next: String,
}

/// The earlier texts and commands, the text, the commands after it, and the next command.
pub(crate) type Script<'s> = (&'s [(Option<&'s str>, &'s str)], &'s [&'s str], &'s str);

/// Two rooms of a house that no game has.
const COIN: Script<'_> = (
    &[
        (None, "This is the porch.\nEast: a closed door."),
        (Some("open door to east"), "The door opens on the library."),
        (
            Some("move east"),
            "This is the library.\nNorth: a passage to the attic. West: an open door to the porch.",
        ),
    ],
    &[
        "look around",
        "inventory",
        "move north",
        "move west",
        "close door to west",
    ],
    "move north",
);

const COOKING: Script<'_> = (
    &[
        (None, "This is the porch.\nSouth: a passage to the kitchen."),
        (
            Some("move south"),
            "This is the kitchen. There is a stove. The cupboard is shut. On the counter: a cookbook, a raw carrot.\nNorth: \
             a passage to the porch.",
        ),
    ],
    &[
        "look around",
        "inventory",
        "move north",
        "open cupboard",
        "take cookbook",
        "take carrot",
        "read cookbook",
    ],
    "read cookbook",
);

impl WorkedExample {
    /// Returns the example of a setting, read by the rules. `belief` is the agent's knowledge at the start.
    pub(crate) fn of(setting: Setting, belief: Belief) -> Result<Self, GameError> {
        let (seen, commands, next) = match setting {
            Setting::Coin => COIN,
            Setting::CookingEasy | Setting::CookingHard => COOKING,
        };
        Self::read(&mut RuleReader::new(), belief, (seen, commands, next))
    }

    /// Returns the example of the last of some texts, read by a reader.
    pub(crate) fn read(
        reader: &mut dyn Reader,
        mut belief: Belief,
        (seen, commands, next): Script<'_>,
    ) -> Result<Self, GameError> {
        let mut example = None;
        for &(command, text) in seen {
            let request = ReadRequest {
                task: "",
                command,
                text,
                belief: &belief,
                commands: &[],
                feedback: &[],
                mode: Mode::Edits,
                example: None,
            };
            let answer = reader.read(&request).map_err(GameError::from_error)?;
            let ReaderAnswer::Statements { statements, .. } = answer else {
                continue;
            };
            let before = belief.clone();
            belief
                .observe(command.unwrap_or("start"), &statements)
                .map_err(GameError::from_error)?;
            example = Some(Self {
                belief: before,
                command: command.map(str::to_owned),
                text: text.to_owned(),
                statements,
                commands: commands.iter().map(|&one| one.to_owned()).collect(),
                next: next.to_owned(),
            });
        }
        example.ok_or_else(|| GameError("an example has no text".to_owned()))
    }

    /// Returns the right answer in a mode as JSON, in the form of a model's answers: such as `{"statements": …}` for
    /// [`Mode::Edits`].
    ///
    /// # Errors
    /// Fails if the statements do not fit the belief.
    pub fn answer(&self, mode: Mode) -> Result<String, EditFaults> {
        let mut after = self.belief.clone();
        after.observe("example", &self.statements)?;
        Ok(match mode {
            Mode::Edits => json!({"statements": self.statements}).to_string(),
            Mode::Lines => {
                let lines = LineEdits::between(self.belief.model(), after.model());
                serde_json::to_string(&lines).unwrap_or_default()
            }
            Mode::WholeProblem => json!({"problem": after.model().problem_text()}).to_string(),
            Mode::EndToEnd => json!({"command": self.next}).to_string(),
        })
    }
}
