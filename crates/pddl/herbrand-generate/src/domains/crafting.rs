//! Crafting: make the wanted things, and on the way their parts, the tools and the stations.

use crate::vocabulary::{Dice, Draft, Graph, named};

const PLACES: [&str; 15] = [
    "camp", "wood", "quarry", "lake", "meadow", "cave", "hill", "ruin", "marsh", "ford", "glade", "cliff",
    "mine", "farm", "mill",
];

/// The kinds of things that can be wanted.
const WANTED: [&str; 9] = [
    "plank",
    "stick",
    "workbench",
    "wooden-pick",
    "chest",
    "stone-pick",
    "bed",
    "hearth",
    "sword",
];

/// The recipe of a thing: made from parts, perhaps at a station; or found, perhaps with a tool.
enum Recipe {
    Made(&'static [&'static str], Option<&'static str>),
    Found(Option<&'static str>),
}

fn recipe(item: &str) -> Recipe {
    use Recipe::{Found, Made};
    match item {
        "plank" | "stick" => Made(&["log"], None),
        "workbench" => Made(&["plank", "plank"], None),
        "wooden-pick" => Made(&["plank", "stick"], Some("workbench")),
        "stone-pick" => Made(&["stone", "stick"], Some("workbench")),
        "chest" => Made(&["plank", "plank"], Some("workbench")),
        "furnace" => Made(&["stone", "stone", "clay"], None),
        "iron" => Made(&["ore", "log"], Some("furnace")),
        "brick" => Made(&["clay", "log"], Some("furnace")),
        "shears" => Made(&["iron"], Some("workbench")),
        "bed" => Made(&["plank", "wool"], Some("workbench")),
        "hearth" => Made(&["brick", "brick", "stone"], Some("workbench")),
        "sword" => Made(&["iron", "stick"], Some("workbench")),
        "stone" => Found(Some("wooden-pick")),
        "ore" => Found(Some("stone-pick")),
        "wool" => Found(Some("shears")),
        _ => Found(None),
    }
}

/// The crafter's world. Places and items are added while the plan is written.
struct World<'d> {
    dice: &'d mut Dice,
    draft: Draft,
    places: Vec<String>,
    paths: Graph,
    at: usize,
    /// The place of the stations.
    home: usize,
    items: Vec<String>,
    /// The kind and name of each tool and station that exists already.
    owned: Vec<(&'static str, String)>,
}

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let places = named(&PLACES, "place", 2 + size);
    let paths = Graph::connected(places.len(), size / 3, dice);
    let (at, home) = (dice.below(places.len()), dice.below(places.len()));
    let wanted: Vec<_> = (0..size).map(|_| *dice.pick(&WANTED)).collect();
    let mut world = World {
        dice,
        draft: Draft::default(),
        places,
        paths,
        at,
        home,
        items: Vec::new(),
        owned: Vec::new(),
    };
    world.draft.note(format!(
        "{} places; wanted: {}.",
        world.places.len(),
        listed(&wanted)
    ));
    world.draft.fact(format!("agent-at {}", world.places[at]));
    for item in wanted {
        let name = world.obtain(item);
        world.draft.goal(format!("carried {name}"));
    }
    let World {
        mut draft,
        places,
        paths,
        items,
        ..
    } = world;
    draft.rows(paths.facts("path", &places));
    draft.objects("place", places);
    draft.objects("item", items);
    Some(draft)
}

impl World<'_> {
    /// Makes or gathers a new item of the kind and returns its name.
    fn obtain(&mut self, kind: &'static str) -> String {
        match recipe(kind) {
            Recipe::Found(tool) => self.gather(kind, tool),
            Recipe::Made(parts, station) => self.craft(kind, parts, station),
        }
    }

    fn gather(&mut self, kind: &'static str, tool: Option<&'static str>) -> String {
        let tool = tool.map(|tool| self.own(tool));
        let name = self.name(kind);
        let place = self.dice.below(self.places.len());
        self.draft.fact(format!("found-at {name} {}", self.places[place]));
        if let Some(tool) = tool {
            self.draft.fact(format!("needs-tool {name} {tool}"));
        }
        self.go(place);
        self.draft.step(format!("gather {name} {}", self.places[place]));
        name
    }

    fn craft(&mut self, kind: &'static str, parts: &[&'static str], station: Option<&'static str>) -> String {
        let station = station.map(|station| self.own(station));
        let parts: Vec<String> = parts.iter().map(|part| self.obtain(part)).collect();
        let name = self.name(kind);
        self.draft
            .facts([format!("craftable {name}"), format!("unmade {name}")]);
        self.draft
            .facts(parts.iter().map(|part| format!("part-of {part} {name}")));
        if let Some(station) = station {
            self.draft.fact(format!("needs-station {name} {station}"));
            self.go(self.home);
        }
        if is_station(kind) {
            self.draft.fact(format!("station {name}"));
        }
        self.draft.step(format!("craft {name} {}", self.places[self.at]));
        name
    }

    /// Returns the tool or station of the kind. It is made on first use; stations are set up at home.
    fn own(&mut self, kind: &'static str) -> String {
        if let Some((_, name)) = self.owned.iter().find(|(owned, _)| *owned == kind) {
            return name.clone();
        }
        let name = self.obtain(kind);
        if is_station(kind) {
            self.go(self.home);
            self.draft
                .step(format!("set-up {name} {}", self.places[self.home]));
        }
        self.owned.push((kind, name.clone()));
        name
    }

    fn go(&mut self, to: usize) {
        for (a, b) in self.paths.route(self.at, to) {
            self.draft
                .step(format!("go {} {}", self.places[a], self.places[b]));
        }
        self.at = to;
    }

    fn name(&mut self, kind: &str) -> String {
        let others = |name: &&String| name.rsplit_once('-').is_some_and(|(word, _)| word == kind);
        let name = format!("{kind}-{}", self.items.iter().filter(others).count() + 1);
        self.items.push(name.clone());
        name
    }
}

/// Lists the kinds with their numbers, such as `2 chest, 1 sword`.
fn listed(wanted: &[&str]) -> String {
    let count = |kind: &str| wanted.iter().filter(|other| **other == kind).count();
    let kinds = WANTED.iter().filter(|kind| count(kind) > 0);
    let kinds: Vec<_> = kinds.map(|kind| format!("{} {kind}", count(kind))).collect();
    kinds.join(", ")
}

fn is_station(kind: &str) -> bool {
    ["workbench", "furnace"].contains(&kind)
}
