//! Parser for the sentences of the bundled worlds and of TextWorldExpress.

use std::sync::LazyLock;

use super::template::{Template, sentences};
use crate::phrase::{CUTS, HEATS, WAYS};

/// The content of a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Said<'t> {
    /// The player is in this room.
    Room(&'t str),
    /// An exit. `to` is the room behind it, if visible.
    Exit {
        way: &'static str,
        to: Option<&'t str>,
        door: Door,
    },
    /// A thing that cannot hold others.
    Thing(&'t str),
    /// A container or surface, with its contents if the text lists them.
    Spot {
        name: &'t str,
        cover: Cover,
        things: Option<Vec<Thing<'t>>>,
    },
    /// A door was opened. It leads to this room.
    Revealed(&'t str),
    /// The door in the direction of the command was closed.
    DoorClosed,
    Shut(&'t str),
    Took(&'t str),
    Put(&'t str, &'t str),
    Dropped(&'t str),
    /// A thing has a new state, such as chopped or fried.
    Became(&'t str, &'static str),
    /// The meal needs this ingredient, in these states.
    Needs(&'t str, Vec<&'static str>),
    /// The ingredient must have this state.
    NeedsState(&'t str, &'static str),
    /// The recipe has been read.
    Recipe,
    Prepared,
    Eaten,
    Held(Vec<Thing<'t>>),
    /// The command was not executed.
    Refused,
    /// The sentence has no information.
    Nothing,
}

/// The door in an exit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Door {
    None,
    Open,
    Closed,
}

/// The lid of a container.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cover {
    /// A surface: things are on it.
    None,
    Open,
    Shut,
}

/// A thing in a list, such as `a fried carrot`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Thing<'t> {
    pub(super) name: &'t str,
    /// Its states, such as `fried`. `raw` is left out.
    pub(super) looks: Vec<&'static str>,
}

/// The meaning of a template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Room,
    ExitTo(Door),
    ExitShut,
    DoorTo,
    Phrase,
    Thing,
    SurfaceWith,
    SurfaceBare,
    OpenWith,
    OpenEmpty,
    OpenUntold,
    ShutSpot,
    Revealed,
    DoorClosed,
    Shut,
    Took,
    Put,
    Dropped,
    Became,
    Did,
    Needs,
    Recipe,
    Prepared,
    Eaten,
    HeldNothing,
    Held,
    Refused,
    Nothing,
}

/// The sentence templates; the first match counts. Those of the bundled worlds come first.
const FORMS: &[(&str, Form)] = &[
    ("This is the {room}", Form::Room),
    ("{way}: a passage to the {room}", Form::ExitTo(Door::None)),
    ("{way}: an open door to the {room}", Form::ExitTo(Door::Open)),
    ("{way}: a closed door", Form::ExitShut),
    ("The {spot} is shut", Form::ShutSpot),
    ("The {spot} is open and empty", Form::OpenEmpty),
    ("The {spot} is bare", Form::SurfaceBare),
    ("In the {spot}, which is open: {things}", Form::OpenWith),
    ("On the {spot}: {things}", Form::SurfaceWith),
    ("The door opens on the {room}", Form::Revealed),
    ("You close the door to the {way}", Form::DoorClosed),
    ("You open the {spot}: it is empty", Form::OpenEmpty),
    ("You open the {spot}: {things}", Form::OpenWith),
    ("You shut the {spot}", Form::Shut),
    ("You now hold the {thing}", Form::Took),
    ("The {thing} is now in its place: {spot}", Form::Put),
    ("The {thing} is now on the floor", Form::Dropped),
    ("The {thing} is now {state}", Form::Became),
    ("The cookbook asks for this", Form::Recipe),
    ("For the meal: {food}, {shape}, {heat}", Form::Needs),
    ("The meal is ready", Form::Prepared),
    ("You eat the meal", Form::Eaten),
    ("You hold nothing", Form::HeldNothing),
    ("You hold: {things}", Form::Held),
    ("The door to the {way} is closed", Form::Refused),
    ("There is no way to the {way}", Form::Refused),
    ("That does not work now", Form::Refused),
    ("That makes no sense here", Form::Refused),
    // TextWorldExpress.
    ("You are in the {room}", Form::Room),
    ("To the {way} you see a closed {door}", Form::ExitShut),
    ("To the {way} you see the {room}", Form::ExitTo(Door::None)),
    (
        "Through an open {door}, to the {way} you see the {room}",
        Form::DoorTo,
    ),
    ("In one part of the room you see {phrase}", Form::Phrase),
    ("In another part of the room you see {phrase}", Form::Phrase),
    ("There is also {phrase}", Form::Phrase),
    ("You also see {phrase}", Form::Phrase),
    ("You open the {door}, revealing the {room}", Form::Revealed),
    ("You open the {spot}", Form::OpenUntold),
    ("It's empty inside", Form::Nothing),
    ("The {spot} contains {things}", Form::OpenWith),
    ("You take the {thing}", Form::Took),
    ("You put the {thing} in the {spot}", Form::Put),
    ("You close the {door} to the {room}", Form::DoorClosed),
    ("You close the {spot}", Form::Shut),
    (
        "Gather all following ingredients and follow the directions to prepare this tasty meal",
        Form::Recipe,
    ),
    ("Adding the meal to your inventory", Form::Prepared),
    ("It is delicious", Form::Nothing),
    ("Inventory{rest}", Form::Nothing),
    ("Your inventory is currently empty", Form::HeldNothing),
    ("You can't move there, the door is closed", Form::Refused),
    ("You are unable to prepare the meal right now", Form::Refused),
    ("That is already open", Form::Refused),
    ("That is already closed", Form::Refused),
    ("That is not a command that I recognize", Form::Refused),
    ("Unknown action: I'm not sure what you mean", Form::Refused),
    ("There is {thing}", Form::Thing),
    ("You {verb} the {thing} with the {tool}", Form::Did),
    ("You {verb} the {thing}", Form::Did),
];

/// The templates with which TextWorldExpress describes a thing in a room.
const PHRASES: &[(&str, Form)] = &[
    ("{thing} that is closed", Form::ShutSpot),
    ("an open {thing}, that is empty", Form::OpenEmpty),
    ("an open {thing}, that contains {things}", Form::OpenWith),
    ("{thing}, that has nothing on it", Form::SurfaceBare),
    ("{thing} that has {things} on it", Form::SurfaceWith),
    ("{thing}", Form::Thing),
];

fn table(rows: &'static [(&'static str, Form)]) -> Vec<(Template, Form)> {
    rows.iter()
        .map(|&(text, form)| (Template::new(text), form))
        .collect()
}

static SENTENCES: LazyLock<Vec<(Template, Form)>> = LazyLock::new(|| table(FORMS));
static PHRASE: LazyLock<Vec<(Template, Form)>> = LazyLock::new(|| table(PHRASES));

/// Parses a text. Returns the contents of its sentences, and the sentences that match no template.
pub(super) fn read(text: &str) -> (Vec<Said<'_>>, Vec<String>) {
    let (mut said, mut unread) = (Vec::new(), Vec::new());
    let mut lines = ListSection::None;
    for sentence in sentences(text) {
        if let Some(news) = lines.line(sentence) {
            said.push(news);
            continue;
        }
        match fitting(&SENTENCES, sentence) {
            Some(Said::Recipe) => {
                lines = ListSection::Recipe;
                said.push(Said::Recipe);
            }
            Some(news) => {
                if sentence.starts_with("Inventory") {
                    lines = ListSection::Inventory;
                }
                said.push(news);
            }
            None => unread.push(sentence.to_owned()),
        }
    }
    let opened = |one: &Said<'_>| matches!(one, Said::Spot { things: Some(_), .. });
    // In TextWorldExpress, "You open the fridge" is followed by a sentence with the contents, unless it is empty.
    if !said.iter().any(opened) {
        for one in &mut said {
            if let Said::Spot {
                cover: Cover::Open,
                things: things @ None,
                ..
            } = one
            {
                *things = Some(Vec::new());
            }
        }
    }
    (said, unread)
}

/// The position in a list of TextWorldExpress: a recipe or an inventory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ListSection {
    None,
    Recipe,
    Ingredients,
    Directions,
    Inventory,
}

impl ListSection {
    fn line<'t>(&mut self, line: &'t str) -> Option<Said<'t>> {
        match (*self, line) {
            (Self::None, _) => None,
            (_, "Ingredients:") => {
                *self = Self::Ingredients;
                Some(Said::Nothing)
            }
            (_, "Directions:") => {
                *self = Self::Directions;
                Some(Said::Nothing)
            }
            (Self::Recipe, _) => None,
            (Self::Inventory, thing_held) if !thing_held.starts_with("Your inventory") => {
                Some(Said::Held(vec![thing(thing_held)]))
            }
            (Self::Inventory, _) => None,
            (Self::Ingredients, food) => Some(Said::Needs(food, Vec::new())),
            (Self::Directions, "prepare meal") => {
                *self = Self::None;
                Some(Said::Nothing)
            }
            (Self::Directions, direction) => {
                let (verb, food) = direction.split_once(" the ")?;
                Some(Said::NeedsState(food, state(verb)?))
            }
        }
    }
}

/// Returns the state that a verb gives to a thing.
fn state(verb: &str) -> Option<&'static str> {
    let mut states = CUTS.iter().chain(HEATS);
    states.find(|(_, known)| *known == verb).map(|(state, _)| *state)
}

/// Returns the state if the word is one.
fn known_state(word: &str) -> Option<&'static str> {
    let mut states = CUTS.iter().chain(HEATS);
    states.find(|(state, _)| *state == word).map(|(state, _)| *state)
}

fn fitting<'t>(table: &[(Template, Form)], sentence: &'t str) -> Option<Said<'t>> {
    table
        .iter()
        .find_map(|(template, form)| said(*form, &template.gaps(sentence)?))
}

/// Returns the content of a sentence with this form and gaps, or `None` if the gaps do not fit the form.
fn said<'t>(form: Form, gaps: &[&'t str]) -> Option<Said<'t>> {
    let gap = |number: usize| gaps.get(number).copied();
    let spot = |cover: Cover, things: Option<Vec<Thing<'t>>>| {
        Some(Said::Spot {
            name: plain(gap(0)?),
            cover,
            things,
        })
    };
    match form {
        Form::Room => Some(Said::Room(gap(0)?)),
        Form::ExitTo(door) => Some(Said::Exit {
            way: way(gap(0)?)?,
            to: gap(1),
            door,
        }),
        Form::DoorTo => Some(Said::Exit {
            way: way(gap(1)?)?,
            to: gap(2),
            door: Door::Open,
        }),
        Form::ExitShut => Some(Said::Exit {
            way: way(gap(0)?)?,
            to: None,
            door: Door::Closed,
        }),
        Form::Phrase => fitting(&PHRASE, gap(0)?).or_else(|| {
            // Some of these phrases start with a capital.
            let rest = gap(0)?.strip_prefix("An ")?;
            let (name, things) = rest.strip_prefix("open ")?.split_once(", that contains ")?;
            Some(Said::Spot {
                name,
                cover: Cover::Open,
                things: Some(list(things)),
            })
        }),
        Form::Thing => Some(Said::Thing(plain(gap(0)?))),
        Form::SurfaceWith => spot(Cover::None, Some(list(gap(1)?))),
        Form::SurfaceBare => spot(Cover::None, Some(Vec::new())),
        Form::OpenWith => spot(Cover::Open, Some(list(gap(1)?))),
        Form::OpenEmpty => spot(Cover::Open, Some(Vec::new())),
        Form::OpenUntold => spot(Cover::Open, None),
        Form::ShutSpot => spot(Cover::Shut, None),
        Form::Revealed => Some(Said::Revealed(gap(gaps.len() - 1)?)),
        Form::DoorClosed => Some(Said::DoorClosed),
        Form::Shut => Some(Said::Shut(gap(0)?)),
        Form::Took => Some(Said::Took(gap(0)?)),
        Form::Put => Some(Said::Put(gap(0)?, gap(1)?)),
        Form::Dropped => Some(Said::Dropped(gap(0)?)),
        Form::Became => Some(Said::Became(gap(0)?, known_state(gap(1)?)?)),
        Form::Did => Some(Said::Became(gap(1)?, state(gap(0)?)?)),
        Form::Needs => {
            let states = [gap(1)?, gap(2)?].into_iter().filter_map(known_state);
            Some(Said::Needs(gap(0)?, states.collect()))
        }
        Form::Recipe => Some(Said::Recipe),
        Form::Prepared => Some(Said::Prepared),
        Form::Eaten => Some(Said::Eaten),
        Form::HeldNothing => Some(Said::Held(Vec::new())),
        Form::Held => Some(Said::Held(list(gap(0)?))),
        Form::Refused => Some(Said::Refused),
        Form::Nothing => Some(Said::Nothing),
    }
}

fn way(word: &str) -> Option<&'static str> {
    WAYS.iter()
        .map(|(way, _)| *way)
        .find(|way| word.eq_ignore_ascii_case(way))
}

/// Removes the article of a phrase.
fn plain(phrase: &str) -> &str {
    let articles = ["a ", "an ", "some ", "the "];
    articles
        .iter()
        .find_map(|article| phrase.strip_prefix(article))
        .unwrap_or(phrase)
}

/// Parses a list of things such as `a knife, and some raw tuna`.
fn list(text: &str) -> Vec<Thing<'_>> {
    text.split(", ")
        .map(|part| thing(part.strip_prefix("and ").unwrap_or(part)))
        .collect()
}

/// Parses a thing: an article, states, and a name.
fn thing(phrase: &str) -> Thing<'_> {
    let mut name = plain(phrase.trim());
    let mut looks = Vec::new();
    while let Some((word, rest)) = name.split_once(' ') {
        match known_state(word) {
            Some(look) => looks.push(look),
            None if word == "raw" => {}
            None => break,
        }
        name = rest;
    }
    Thing { name, looks }
}
