//! A game of the bundled worlds: a problem and its current state, described in text.

use std::fmt;

use fxhash::FxHashMap;
use herbrand_edit::Ground;
use herbrand_ground::{ActionId, AtomId, GroundTask};
use herbrand_step::{Random, Simulator, Walker};

use super::room::{Exit, Fact, Fixture, Item, Room, article, list};
use super::{GameError, GameStatus, Observation};
use crate::phrase::{self, WAYS};

/// A game of the bundled worlds: a house with a player who sees the room that they are in. It is a ground problem of
/// `coin-collector` or `cooking-world` with a current state. The score is 1 if the game is won, otherwise 0. It
/// accepts commands also after it is won or lost. [`NativeWorld::house`](crate::NativeWorld::house) returns the game
/// that a world has begun.
pub struct House {
    walker: Walker,
    /// Required by [`Walker::apply`]. The domains are deterministic.
    chance: Random,
    rooms: Vec<Room>,
    items: Vec<Item>,
    recipe: String,
    /// All commands. `by_text` maps a text to an index in this list.
    commands: Vec<Command>,
    by_text: FxHashMap<String, u32>,
    /// The index of each action's command.
    command_of: Vec<u32>,
    /// The answer to each action.
    answers: Vec<ActionReply>,
    /// Whether each action spoils the meal.
    spoils: Vec<bool>,
    lost: bool,
}

/// A command and its actions, at most one of which is valid in any state.
#[derive(Clone, Debug)]
struct Command {
    text: String,
    actions: Vec<ActionId>,
}

/// The answer to an action.
#[derive(Clone, Debug)]
enum ActionReply {
    Text(String),
    /// The description of the room that the player is in.
    Room,
    /// The text, followed by the contents of a fixture, given as items by index.
    Contents(String, Vec<(Fact, usize)>),
    Recipe,
}

/// The atoms of a task by name.
struct Atoms<'t> {
    task: &'t GroundTask,
    known: FxHashMap<Ground, Fact>,
}

impl<'t> Atoms<'t> {
    fn of(task: &'t GroundTask) -> Self {
        let vocabulary = &task.vocabulary;
        let name = |atom: herbrand_pddl::AtomRef<'_>| {
            let predicate = vocabulary.predicate(atom.predicate).signature.name.as_str();
            Ground::new(
                predicate,
                atom.arguments.iter().map(|&object| vocabulary.object(object)),
            )
        };
        let statics = (0..task.statics.len()).filter_map(|index| task.statics.get(index));
        let statics = statics.map(|atom| (name(atom), Fact::Fixed(true)));
        let atoms = (0..task.atom_count()).filter_map(|index| Some((index, task.atoms.get(index)?)));
        let atoms = atoms.map(|(index, atom)| (name(atom), Fact::Atom(AtomId::from_index(index))));
        Self {
            task,
            known: statics.chain(atoms).collect(),
        }
    }

    fn fact(&self, predicate: &str, arguments: &[&str]) -> Fact {
        let atom = Ground::new(predicate, arguments.iter().copied());
        self.known.get(&atom).copied().unwrap_or(Fact::Fixed(false))
    }

    fn is_true(&self, predicate: &str, arguments: &[&str]) -> bool {
        self.fact(predicate, arguments) == Fact::Fixed(true)
    }

    /// Returns the objects of a type and its subtypes, in order of declaration.
    fn objects(&self, of: &str) -> Vec<&'t str> {
        let vocabulary = &self.task.vocabulary;
        let is = |id: herbrand_pddl::TypeId| {
            let mut above = vec![id];
            while let Some(id) = above.pop() {
                let one = vocabulary.type_of(id);
                if one.name.as_str() == of {
                    return true;
                }
                above.extend(&one.parents);
            }
            false
        };
        let objects = vocabulary.objects.iter();
        let of_type = objects.filter(|object| object.types.types().iter().any(|&id| is(id)));
        of_type.map(|object| object.name.as_str()).collect()
    }
}

/// Returns the phrase for an object.
fn word(object: &str) -> String {
    object.replace('-', " ")
}

impl House {
    /// Creates a game from the simulator of a generated problem, in its initial state.
    /// [`Setting::game`](crate::Setting::game) generates such a problem; [`NativeWorld`](crate::NativeWorld) does all
    /// of this.
    ///
    /// # Errors
    /// Fails if the problem is not from a bundled text game.
    pub fn new(simulator: &Simulator) -> Result<Self, GameError> {
        let task = simulator.task();
        let atoms = Atoms::of(task);
        let names = atoms.objects("item");
        let items: Vec<_> = names.iter().map(|name| item(&atoms, name)).collect();
        let rooms = atoms.objects("room");
        let rooms: Vec<_> = rooms
            .iter()
            .map(|room| self::room(&atoms, room, &names))
            .collect();
        if rooms.is_empty() || task.effects.chances() > 0 {
            return Err(GameError(format!("`{}` is no house", task.vocabulary.problem)));
        }
        let senses = ["look around", "inventory"].map(|text| Command {
            text: text.to_owned(),
            actions: Vec::new(),
        });
        let mut house = Self {
            walker: simulator.walker(),
            chance: Random::new(0),
            recipe: recipe(&atoms),
            by_text: (0..)
                .zip(&senses)
                .map(|(number, one)| (one.text.clone(), number))
                .collect(),
            commands: senses.into(),
            command_of: Vec::new(),
            answers: Vec::new(),
            spoils: Vec::new(),
            lost: false,
            rooms,
            items,
        };
        for id in task.actions.ids() {
            house.understand(&atoms, &names, id)?;
        }
        Ok(house)
    }

    /// Registers an action: its command, its answer, and whether it spoils the meal.
    fn understand(&mut self, atoms: &Atoms<'_>, items: &[&str], id: ActionId) -> Result<(), GameError> {
        let action: Ground = atoms
            .task
            .display_action(id)
            .to_string()
            .parse()
            .map_err(GameError::from_error)?;
        let text = phrase::command(&action, word)
            .ok_or_else(|| GameError(format!("the games have no action `{}`", action.predicate)))?;
        let number = *self.by_text.entry(text.clone()).or_insert_with(|| {
            self.commands.push(Command {
                text,
                actions: Vec::new(),
            });
            u32::try_from(self.commands.len() - 1).unwrap_or(u32::MAX)
        });
        self.commands[number as usize].actions.push(id);
        self.command_of.push(number);
        self.answers.push(answer(atoms, items, &action));
        self.spoils.push(spoils(atoms, &action));
        Ok(())
    }

    /// Returns the walker: the simulator's view of the current state, with its valid actions, for [`act`](Self::act).
    #[must_use]
    pub const fn walker(&self) -> &Walker {
        &self.walker
    }

    /// Returns the description of the current room, as the command `look around` does. Changes nothing.
    #[must_use]
    pub fn look(&self) -> Observation {
        let mut text = String::with_capacity(512);
        self.describe(&mut text);
        self.seen(text, true)
    }

    fn describe(&self, into: &mut String) {
        if let Some(room) = self.rooms.iter().find(|room| room.here.holds(&self.walker)) {
            room.describe(&self.walker, &self.items, into);
        }
    }

    /// Returns the texts of the commands that are valid in the current state. `look around` and `inventory` come first
    /// and are always valid. If several valid actions have one text, it occurs once for each. Pass one of them to
    /// [`step`](Self::step).
    pub fn commands(&self) -> impl Iterator<Item = &str> {
        self.command_numbers()
            .map(|number| self.commands[number as usize].text.as_str())
    }

    /// Returns the commands that are valid in the current state, like [`commands`](Self::commands), but as indices into
    /// [`all_commands`](Self::all_commands).
    pub fn command_numbers(&self) -> impl Iterator<Item = u32> + '_ {
        let valid = self.walker.valid().iter();
        let numbers = valid.map(|action| self.command_of[action.index()]);
        [0, 1].into_iter().chain(numbers)
    }

    /// Returns the texts of all commands of the game, valid or not. Their indices are those of
    /// [`command_numbers`](Self::command_numbers); `look around` and `inventory` are 0 and 1.
    pub fn all_commands(&self) -> impl ExactSizeIterator<Item = &str> {
        self.commands.iter().map(|command| command.text.as_str())
    }

    /// Executes a command given as text, and returns the observation after it. A command that is unknown or not valid
    /// now changes nothing; the observation says so, and its `done` is `false`. `look` is short for `look around`. The
    /// text must equal one of [`all_commands`](Self::all_commands), also in case and spaces. Of several valid actions
    /// with one text, the first is executed.
    ///
    /// # Errors
    /// Fails if a step fails, which does not happen in the bundled domains.
    pub fn step(&mut self, command: &str) -> Result<Observation, GameError> {
        match command {
            "look around" | "look" => return Ok(self.look()),
            "inventory" => return Ok(self.seen(self.inventory(), true)),
            _ => {}
        }
        let Some(&number) = self.by_text.get(command) else {
            let refusal = self.refusal(command);
            return Ok(self.seen(refusal, false));
        };
        let valid = self.walker.valid();
        let actions = &self.commands[number as usize].actions;
        match actions.iter().copied().find(|&action| valid.contains(action)) {
            Some(action) => self.act(action),
            None => Ok(self.seen(self.refusal(command), false)),
        }
    }

    /// Executes an action of the ground problem that is valid in the current state, and returns the observation after
    /// it. Take it from [`walker`](Self::walker).
    ///
    /// # Errors
    /// Fails if the action is not valid.
    pub fn act(&mut self, action: ActionId) -> Result<Observation, GameError> {
        let done = self.walker.apply(action, &mut self.chance);
        done.map_err(GameError::from_error)?;
        self.lost |= self.spoils[action.index()];
        let mut text = String::with_capacity(512);
        match &self.answers[action.index()] {
            ActionReply::Text(answer) => text.push_str(answer),
            ActionReply::Room => self.describe(&mut text),
            ActionReply::Recipe => text.push_str(&self.recipe),
            ActionReply::Contents(answer, contents) => {
                text.push_str(answer);
                if !list(contents, &self.walker, &self.items, &mut text) {
                    text.push_str("it is empty");
                }
                text.push('.');
            }
        }
        Ok(self.seen(text, true))
    }

    fn inventory(&self) -> String {
        let held: Vec<_> = self
            .items
            .iter()
            .enumerate()
            .map(|(number, item)| (item.held, number))
            .collect();
        let mut text = "You hold: ".to_owned();
        if list(&held, &self.walker, &self.items, &mut text) {
            text.push('.');
            return text;
        }
        "You hold nothing.".to_owned()
    }

    /// Returns the reason why a command is not executed.
    fn refusal(&self, command: &str) -> String {
        let way = command
            .strip_prefix("move ")
            .filter(|way| WAYS.iter().any(|(name, _)| name == way));
        if let Some(way) = way {
            let opens = format!("open door to {way}");
            return if self.commands().any(|text| text == opens) {
                format!("The door to the {way} is closed.")
            } else {
                format!("There is no way to the {way}.")
            };
        }
        if self.by_text.contains_key(command) {
            "That does not work now.".to_owned()
        } else {
            "That makes no sense here.".to_owned()
        }
    }

    fn seen(&self, text: String, done: bool) -> Observation {
        let status = match (self.walker.is_goal(), self.lost) {
            (true, _) => GameStatus::Won,
            (false, true) => GameStatus::Lost,
            (false, false) => GameStatus::Running,
        };
        Observation {
            text,
            score: f64::from(u8::from(status == GameStatus::Won)),
            status,
            done,
        }
    }
}

impl fmt::Debug for House {
    /// Writes the true atoms of the current state.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}",
            self.walker.state().display(self.walker.simulator().task())
        )
    }
}

fn item(atoms: &Atoms<'_>, name: &str) -> Item {
    let shapes = ["fried", "grilled", "roasted"].map(|heat| (atoms.fact("cooked", &[name, heat]), heat));
    let heats = ["chopped", "diced", "sliced"].map(|shape| (atoms.fact("cut", &[name, shape]), shape));
    let looks = shapes
        .into_iter()
        .chain(heats)
        .filter(|(fact, _)| fact.may_hold());
    Item {
        name: word(name),
        held: atoms.fact("held", &[name]),
        looks: looks.collect(),
    }
}

fn contents(atoms: &Atoms<'_>, items: &[&str], place: &str) -> Vec<(Fact, usize)> {
    let facts = items
        .iter()
        .enumerate()
        .map(|(number, item)| (atoms.fact("in", &[item, place]), number));
    facts.filter(|(fact, _)| fact.may_hold()).collect()
}

fn room(atoms: &Atoms<'_>, room: &str, items: &[&str]) -> Room {
    let fixtures = atoms.objects("fixture").into_iter();
    let fixtures = fixtures
        .filter(|fixture| atoms.is_true("stands", &[fixture, room]))
        .map(|fixture| {
            let plain = atoms.objects("appliance").contains(&fixture);
            let name = word(fixture);
            Fixture {
                plain: plain.then(|| format!("There is {}{name}. ", article(&name))),
                name,
                lid: atoms.is_true("lid", &[fixture]),
                shut: atoms.fact("shut", &[fixture]),
                contents: contents(atoms, items, fixture),
            }
        });
    let mut exits = Vec::new();
    for (way, _) in WAYS {
        for next in atoms.objects("room") {
            if atoms.is_true("leads", &[room, next, way]) {
                let passage = if atoms.is_true("door", &[room, next]) {
                    "an open door"
                } else {
                    "a passage"
                };
                let capital = format!("{}{}", way[..1].to_ascii_uppercase(), &way[1..]);
                exits.push(Exit {
                    closed: atoms.fact("closed", &[room, next]),
                    shut: format!("{capital}: a closed door. "),
                    open: format!("{capital}: {passage} to the {}. ", word(next)),
                });
            }
        }
    }
    Room {
        name: word(room),
        here: atoms.fact("agent-at", &[room]),
        fixtures: fixtures.collect(),
        floor: contents(atoms, items, room),
        exits,
    }
}

/// Returns the text of the recipe, with a sentence for each ingredient.
fn recipe(atoms: &Atoms<'_>) -> String {
    let mut text = "The cookbook asks for this.".to_owned();
    for food in atoms
        .objects("food")
        .into_iter()
        .filter(|food| atoms.is_true("wanted", &[food]))
    {
        let one = |predicate, words: [&'static str; 3], plain| {
            let found = words
                .into_iter()
                .find(|word| atoms.is_true(predicate, &[food, word]));
            found.unwrap_or(plain)
        };
        let shape = one("wants-shape", ["chopped", "diced", "sliced"], "whole");
        let heat = one("wants-heat", ["fried", "grilled", "roasted"], "raw");
        text.push_str(&format!("\nFor the meal: {}, {shape}, {heat}.", word(food)));
    }
    text
}

fn answer(atoms: &Atoms<'_>, items: &[&str], action: &Ground) -> ActionReply {
    let names: Vec<String> = action.arguments.iter().map(|object| word(object)).collect();
    let name = |number: usize| names.get(number).map_or("", String::as_str);
    ActionReply::Text(match action.predicate.as_str() {
        "go" => return ActionReply::Room,
        "read" => return ActionReply::Recipe,
        "open" => {
            let spot = action.arguments.first().map_or("", String::as_str);
            return ActionReply::Contents(
                format!("You open the {}: ", name(0)),
                contents(atoms, items, spot),
            );
        }
        "open-door" => format!("The door opens on the {}.", name(1)),
        "close-door" => format!("You close the door to the {}.", name(2)),
        "close" => format!("You shut the {}.", name(0)),
        "take" => format!("You now hold the {}.", name(0)),
        "drop" => format!("The {} is now on the floor.", name(0)),
        "put" => format!("The {} is now in its place: {}.", name(0), name(1)),
        "cook" => format!("The {} is now {}.", name(0), name(2)),
        "cut" => format!("The {} is now {}.", name(0), name(1)),
        "prepare-meal" => "The meal is ready.".to_owned(),
        "eat-meal" => "You eat the meal.".to_owned(),
        other => format!("You {other}."),
    })
}

/// Returns whether an action cuts or cooks an ingredient in a way that the recipe does not ask for.
fn spoils(atoms: &Atoms<'_>, action: &Ground) -> bool {
    let argument = |number: usize| action.arguments.get(number).map_or("", String::as_str);
    let wish = match action.predicate.as_str() {
        "cook" => atoms.is_true("wants-heat", &[argument(0), argument(2)]),
        "cut" => atoms.is_true("wants-shape", &[argument(0), argument(1)]),
        _ => return false,
    };
    atoms.is_true("wanted", &[argument(0)]) && !wish
}
