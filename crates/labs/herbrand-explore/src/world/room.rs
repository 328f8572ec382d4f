//! Rooms as sentences, from which the description of each state is assembled.

use std::fmt::Write as _;

use herbrand_ground::AtomId;
use herbrand_step::Walker;

/// A fact whose truth depends on the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fact {
    /// The fact holds in every state, or in none.
    Fixed(bool),
    /// The fact holds if this atom is true.
    Atom(AtomId),
}

impl Fact {
    pub(super) fn holds(self, walker: &Walker) -> bool {
        match self {
            Self::Fixed(truth) => truth,
            Self::Atom(atom) => walker.holds(atom),
        }
    }

    /// Returns whether the fact holds in some state.
    pub(super) const fn may_hold(self) -> bool {
        !matches!(self, Self::Fixed(false))
    }
}

/// A thing that can be held.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) name: String,
    pub(super) held: Fact,
    /// The words for its states, each used if its fact holds.
    pub(super) looks: Vec<(Fact, &'static str)>,
}

impl Item {
    /// Writes the item with an article, such as `a fried carrot`.
    pub(super) fn describe(&self, walker: &Walker, into: &mut String) {
        let mut looks = self
            .looks
            .iter()
            .filter(|(fact, _)| fact.holds(walker))
            .map(|&(_, look)| look);
        let first = looks.next();
        into.push_str(article(first.unwrap_or(&self.name)));
        for look in first.into_iter().chain(looks) {
            into.push_str(look);
            into.push(' ');
        }
        into.push_str(&self.name);
    }
}

/// Returns `a ` or `an `.
pub(super) fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an "
    } else {
        "a "
    }
}

/// A piece of furniture or an appliance.
#[derive(Clone, Debug)]
pub(super) struct Fixture {
    /// The complete sentence for a fixture that holds nothing, such as `There is a stove.`.
    pub(super) plain: Option<String>,
    pub(super) name: String,
    pub(super) lid: bool,
    pub(super) shut: Fact,
    /// The items that may be on or in it. Each fact says whether the item with this index is.
    pub(super) contents: Vec<(Fact, usize)>,
}

impl Fixture {
    fn describe(&self, walker: &Walker, items: &[Item], into: &mut String) {
        if let Some(sentence) = &self.plain {
            into.push_str(sentence);
            return;
        }
        if self.shut.holds(walker) {
            write_all(into, &["The ", &self.name, " is shut. "]);
            return;
        }
        let start = into.len();
        if self.lid {
            write_all(into, &["In the ", &self.name, ", which is open: "]);
        } else {
            write_all(into, &["On the ", &self.name, ": "]);
        }
        if list(&self.contents, walker, items, into) {
            into.push_str(". ");
        } else {
            into.truncate(start);
            write_all(
                into,
                &[
                    "The ",
                    &self.name,
                    if self.lid {
                        " is open and empty. "
                    } else {
                        " is bare. "
                    },
                ],
            );
        }
    }
}

/// An exit of a room.
#[derive(Clone, Debug)]
pub(super) struct Exit {
    pub(super) closed: Fact,
    /// The sentences for a closed door (`shut`) and for an open door or a passage (`open`).
    pub(super) shut: String,
    pub(super) open: String,
}

#[derive(Clone, Debug)]
pub(super) struct Room {
    pub(super) name: String,
    pub(super) here: Fact,
    pub(super) fixtures: Vec<Fixture>,
    /// The items that may be on the floor, by index.
    pub(super) floor: Vec<(Fact, usize)>,
    pub(super) exits: Vec<Exit>,
}

impl Room {
    /// Writes the description of the room. The exits are on a line of their own.
    pub(super) fn describe(&self, walker: &Walker, items: &[Item], into: &mut String) {
        write_all(into, &["This is the ", &self.name, ". "]);
        for fixture in &self.fixtures {
            fixture.describe(walker, items, into);
        }
        for &(fact, item) in &self.floor {
            if fact.holds(walker) {
                into.push_str("There is ");
                items[item].describe(walker, into);
                into.push_str(". ");
            }
        }
        into.pop();
        into.push('\n');
        for exit in &self.exits {
            into.push_str(if exit.closed.holds(walker) {
                &exit.shut
            } else {
                &exit.open
            });
        }
        into.pop();
    }
}

/// Writes the items whose facts hold, separated by commas. Returns whether there are any.
pub(super) fn list(things: &[(Fact, usize)], walker: &Walker, items: &[Item], into: &mut String) -> bool {
    let mut any = false;
    for &(fact, item) in things {
        if fact.holds(walker) {
            if any {
                into.push_str(", ");
            }
            items[item].describe(walker, into);
            any = true;
        }
    }
    any
}

/// Appends several texts.
pub(super) fn write_all(into: &mut String, parts: &[&str]) {
    for part in parts {
        // Writing into a string does not fail.
        let _ = into.write_str(part);
    }
}
