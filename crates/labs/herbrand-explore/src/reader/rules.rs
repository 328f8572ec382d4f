//! A reader that parses the sentences of the games by rules.

use std::collections::BTreeMap;

use herbrand_edit::{Belief, Ground, Statement};

use super::grammar::{Cover, Door, Said, Thing, read};
use super::{ReadError, ReadRequest, Reader, ReaderAnswer, written};
use crate::phrase::{CUTS, HEATS, Lexicon, WAYS};

/// The way in which each appliance cooks food.
const APPLIANCES: &[(&str, &str)] = &[
    ("stove", "fried"),
    ("oven", "roasted"),
    ("grill", "grilled"),
    ("toaster", "grilled"),
    ("barbeque", "grilled"),
];

/// Reads the texts of the bundled worlds and of TextWorldExpress with a table of sentence templates. The reader is
/// deterministic, so feedback does not change its answers. Sentences that match no template are returned as `unread`.
/// In [`Mode::EndToEnd`](crate::Mode::EndToEnd), it always fails; in the modes with the problem itself, it fails if the text
/// contradicts earlier ones.
///
/// For a room, it states the exits, the furniture with its contents, and which known contents are gone. A room that is not
/// visible behind an exit becomes a placeholder. Each exit is also stated in the reverse direction.
#[derive(Clone, Debug, Default)]
pub struct RuleReader {
    lexicon: Lexicon,
    /// The number of placeholders so far.
    placeholders: usize,
    /// The belief so far, in the modes with the problem itself. It is kept because a PDDL problem does not tell which objects
    /// are placeholders.
    belief: Option<Belief>,
}

impl RuleReader {
    /// Creates a reader that has not read any text. It is the `reader` of an [`Explorer`](crate::Explorer).
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Reader for RuleReader {
    fn read(&mut self, request: &ReadRequest<'_>) -> Result<ReaderAnswer, ReadError> {
        let (said, unread) = read(request.text);
        let belief = written::belief(&mut self.belief, request);
        let mut scribe = Scribe::new(self, &belief, request.command);
        for one in &said {
            scribe.note(one);
        }
        scribe.finish(&said);
        let statements = scribe.statements;
        written::answer(&mut self.belief, belief, request.mode, statements, unread)
    }

    fn begin(&mut self) {
        *self = Self::new();
    }

    fn phrase(&self, object: &str) -> String {
        self.lexicon.phrase(object)
    }

    fn learns(&self) -> bool {
        false
    }
}

/// Turns the content of sentences into statements, using the current belief.
struct Scribe<'a> {
    reader: &'a mut RuleReader,
    belief: &'a Belief,
    command: Option<&'a str>,
    facts: Vec<Ground>,
    here: Option<String>,
    /// For each food of the recipe, the states that it must have.
    recipe: BTreeMap<String, Vec<&'static str>>,
    statements: Vec<Statement>,
}

impl<'a> Scribe<'a> {
    fn new(reader: &'a mut RuleReader, belief: &'a Belief, command: Option<&'a str>) -> Self {
        let facts = belief.model().facts();
        let here = facts.iter().find(|fact| fact.predicate == "agent-at");
        Self {
            reader,
            belief,
            command,
            here: here.map(|fact| fact.arguments[0].clone()),
            facts,
            recipe: BTreeMap::new(),
            statements: Vec::new(),
        }
    }

    /// Returns a name for a room without one, which no object has.
    fn fresh(&mut self) -> String {
        let objects = &self.belief.model().problem().objects;
        loop {
            self.reader.placeholders += 1;
            let name = format!("beyond-{}", self.reader.placeholders);
            if objects.iter().all(|object| object.name.as_str() != name) {
                return name;
            }
        }
    }

    /// Returns whether the domain has a predicate.
    fn has(&self, predicate: &str) -> bool {
        self.belief.model().domain().find_predicate(predicate).is_some()
    }

    fn say(&mut self, holds: bool, predicate: &str, arguments: &[&str]) {
        if self.has(predicate) {
            let fact = Ground::new(predicate, arguments.iter().copied());
            self.statements.push(if holds {
                Statement::Holds { fact }
            } else {
                Statement::Fails { fact }
            });
        }
    }

    fn holds(&mut self, predicate: &str, arguments: &[&str]) {
        self.say(true, predicate, arguments);
    }

    fn fails(&mut self, predicate: &str, arguments: &[&str]) {
        self.say(false, predicate, arguments);
    }

    /// Declares the object of a phrase, with a type, and returns its name.
    fn object(&mut self, phrase: &str, of: &str) -> String {
        let name = self.reader.lexicon.object(phrase);
        self.statements.push(Statement::object(&name, of));
        name
    }

    /// Returns the known facts of a predicate with this object as the argument at `place`.
    fn known(&self, predicate: &str, place: usize, object: &str) -> Vec<Ground> {
        let facts = self.facts.iter();
        let found = facts.filter(|fact| fact.predicate == predicate && fact.arguments[place] == object);
        found.cloned().collect()
    }

    /// Returns the known room behind an exit. It may be a placeholder.
    fn beyond(&self, room: &str, way: &str) -> Option<String> {
        let ways = self.known("leads", 0, room).into_iter();
        ways.filter(|fact| fact.arguments[2] == way)
            .map(|fact| fact.arguments[1].clone())
            .next()
    }

    /// States that a way leads from one room to another, and back.
    fn leads(&mut self, from: &str, to: &str, way: &str) {
        let back = WAYS
            .iter()
            .find(|(name, _)| *name == way)
            .map_or(way, |(_, back)| back);
        self.holds("leads", &[from, to, way]);
        self.holds("leads", &[to, from, back]);
    }

    /// States that there is a door between two rooms, and whether it is closed.
    fn door(&mut self, one: &str, other: &str, closed: bool) {
        for [from, to] in [[one, other], [other, one]] {
            self.holds("door", &[from, to]);
            self.say(closed, "closed", &[from, to]);
        }
    }

    fn note(&mut self, said: &Said<'_>) {
        match said {
            Said::Room(name) => self.room(name),
            Said::Exit { way, to, door } => self.exit(way, *to, *door),
            Said::Thing(name) => self.thing(name),
            Said::Spot { name, cover, things } => self.spot(name, *cover, things.as_deref()),
            Said::Revealed(room) => self.revealed(room),
            Said::DoorClosed => {
                let way = self
                    .command
                    .and_then(|command| command.strip_prefix("close door to "));
                if let (Some(here), Some(way)) = (self.here.clone(), way)
                    && let Some(next) = self.beyond(&here, way)
                {
                    self.door(&here, &next, true);
                }
            }
            Said::Shut(name) => {
                let spot = self.reader.lexicon.object(name);
                self.holds("shut", &[&spot]);
            }
            Said::Took(name) => self.took(name),
            Said::Put(item, spot) => {
                let (item, spot) = (self.reader.lexicon.object(item), self.reader.lexicon.object(spot));
                self.fails("held", &[&item]);
                self.holds("in", &[&item, &spot]);
            }
            Said::Dropped(item) => {
                let item = self.reader.lexicon.object(item);
                self.fails("held", &[&item]);
                if let Some(here) = self.here.clone() {
                    self.holds("in", &[&item, &here]);
                }
            }
            Said::Became(name, state) => {
                let food = self.reader.lexicon.object(name);
                self.look(&food, state);
            }
            Said::Needs(food, states) => {
                let food = self.object(food, "food");
                self.recipe.entry(food).or_default().extend(states);
            }
            Said::NeedsState(food, state) => {
                let food = self.reader.lexicon.object(food);
                self.recipe.entry(food).or_default().push(state);
            }
            Said::Prepared => {
                self.holds("served", &[]);
                let wanted = self.facts.iter().filter(|fact| fact.predicate == "wanted");
                let wanted: Vec<_> = wanted.map(|fact| fact.arguments[0].clone()).collect();
                for food in wanted {
                    self.fails("held", &[&food]);
                }
            }
            Said::Eaten => {
                self.holds("eaten", &[]);
                self.fails("served", &[]);
            }
            Said::Held(things) => {
                for thing in things {
                    if let Some(item) = self.item(thing) {
                        self.holds("held", &[&item]);
                    }
                }
            }
            Said::Recipe | Said::Refused | Said::Nothing => {}
        }
    }

    /// States the recipe, once the whole text is read.
    fn finish(&mut self, said: &[Said<'_>]) {
        if !said.contains(&Said::Recipe) {
            return;
        }
        for (food, states) in std::mem::take(&mut self.recipe) {
            self.holds("wanted", &[&food]);
            let one = |table: &[(&'static str, &str)]| {
                let mut states = states.iter();
                states
                    .find(|state| table.iter().any(|(name, _)| name == *state))
                    .copied()
            };
            match one(CUTS) {
                Some(shape) => self.holds("wants-shape", &[&food, shape]),
                None => self.holds("wants-whole", &[&food]),
            }
            match one(HEATS) {
                Some(heat) => self.holds("wants-heat", &[&food, heat]),
                None => self.holds("wants-raw", &[&food]),
            }
        }
        let book = self.object("cookbook", "book");
        self.holds("read", &[&book]);
    }

    fn room(&mut self, name: &str) {
        let room = self.object(name, "room");
        let way = self.command.and_then(|command| command.strip_prefix("move "));
        if let (Some(from), Some(way)) = (self.here.clone(), way)
            && from != room
        {
            self.leads(&from, &room, way);
        }
        self.holds("agent-at", &[&room]);
        self.holds("visited", &[&room]);
        if name == "kitchen" {
            self.holds("kitchen", &[&room]);
        }
        self.here = Some(room);
    }

    fn exit(&mut self, way: &str, to: Option<&str>, door: Door) {
        let Some(here) = self.here.clone() else { return };
        let next = match (to, self.beyond(&here, way)) {
            (Some(name), _) => self.object(name, "room"),
            (None, Some(known)) => known,
            (None, None) => {
                let name = self.fresh();
                self.statements.push(Statement::placeholder(&name, "room"));
                name
            }
        };
        self.leads(&here, &next, way);
        match door {
            Door::None => {}
            Door::Open => self.door(&here, &next, false),
            Door::Closed => self.door(&here, &next, true),
        }
    }

    fn revealed(&mut self, name: &str) {
        let way = self
            .command
            .and_then(|command| command.strip_prefix("open door to "));
        let (Some(here), Some(way)) = (self.here.clone(), way) else {
            return;
        };
        let room = self.object(name, "room");
        self.leads(&here, &room, way);
        self.door(&here, &room, false);
    }

    /// States a thing that holds no others: an appliance, or the coin on the floor. Other things are ignored.
    fn thing(&mut self, name: &str) {
        let Some(here) = self.here.clone() else { return };
        if let Some((_, heat)) = APPLIANCES.iter().find(|(known, _)| *known == name) {
            if self.has("gives") {
                let appliance = self.object(name, "appliance");
                self.holds("stands", &[&appliance, &here]);
                self.holds("gives", &[&appliance, heat]);
            }
        } else if !self.has("stands") && name == "coin" {
            let item = self.object(name, "item");
            self.holds("in", &[&item, &here]);
        }
    }

    fn spot(&mut self, name: &str, cover: Cover, things: Option<&[Thing<'_>]>) {
        let Some(here) = self.here.clone() else { return };
        if !self.has("stands") {
            return;
        }
        let spot = self.object(name, "spot");
        self.holds("stands", &[&spot, &here]);
        if cover != Cover::None {
            self.holds("lid", &[&spot]);
            self.say(cover == Cover::Shut, "shut", &[&spot]);
        }
        let Some(things) = things else { return };
        let mut there = Vec::new();
        for thing in things {
            if let Some(item) = self.item(thing) {
                self.holds("in", &[&item, &spot]);
                there.push(item);
            }
        }
        for gone in self.known("in", 1, &spot) {
            if !there.contains(&gone.arguments[0]) {
                self.fails("in", &[&gone.arguments[0], &spot]);
            }
        }
    }

    /// Declares the object of a thing that can be held, and states its condition.
    fn item(&mut self, thing: &Thing<'_>) -> Option<String> {
        if !self.has("stands") {
            return (thing.name == "coin").then(|| self.object(thing.name, "item"));
        }
        Some(match thing.name {
            "knife" => self.object("knife", "knife"),
            "cookbook" => self.object("cookbook", "book"),
            "meal" => return None,
            name => {
                let food = self.object(name, "food");
                for (table, plain) in [(HEATS, "raw"), (CUTS, "whole")] {
                    let look = thing
                        .looks
                        .iter()
                        .find(|look| table.iter().any(|(name, _)| name == *look));
                    match look {
                        Some(look) => self.look(&food, look),
                        None => self.holds(plain, &[&food]),
                    }
                }
                food
            }
        })
    }

    /// States that food is cut or cooked.
    fn look(&mut self, food: &str, state: &str) {
        if CUTS.iter().any(|(shape, _)| *shape == state) {
            self.holds("cut", &[food, state]);
            self.fails("whole", &[food]);
        } else {
            self.holds("cooked", &[food, state]);
            self.fails("raw", &[food]);
        }
    }

    fn took(&mut self, name: &str) {
        let item = self.reader.lexicon.object(name);
        self.holds("held", &[&item]);
        for before in self.known("in", 0, &item) {
            self.fails("in", &[&item, &before.arguments[1]]);
        }
    }
}
