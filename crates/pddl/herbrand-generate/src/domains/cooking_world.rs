//! Cooking world: a recipe whose ingredients are spread over a house, together with other things.

use crate::vocabulary::{Dice, Draft, House, Walk, numbered};

/// Food that can be cut and cooked.
const SOLID: [&str; 24] = [
    "carrot",
    "potato",
    "onion",
    "leek",
    "pumpkin",
    "turnip",
    "beetroot",
    "mushroom",
    "tomato",
    "pear",
    "apple",
    "aubergine",
    "fennel",
    "parsnip",
    "cheese",
    "ham",
    "trout",
    "plaice",
    "kale",
    "celery",
    "radish",
    "quince",
    "plum",
    "lentil-loaf",
];

/// Food that is used as it is.
const LOOSE: [&str; 8] = [
    "salt", "flour", "sugar", "oil", "vinegar", "thyme", "milk", "honey",
];

const SHAPES: [&str; 3] = ["chopped", "diced", "sliced"];
const HEATS: [&str; 3] = ["fried", "grilled", "roasted"];

/// The furniture of the kitchen, and whether it can be closed.
const KITCHEN: [(&str, bool); 5] = [
    ("fridge", true),
    ("worktop", false),
    ("cupboard", true),
    ("drawer", true),
    ("table", false),
];

/// The furniture of the other rooms, used in turn, and whether it can be closed.
const ELSEWHERE: [(&str, bool); 10] = [
    ("shelf", false),
    ("chest", true),
    ("bench", false),
    ("trunk", true),
    ("stool", false),
    ("locker", true),
    ("ledge", false),
    ("crate", true),
    ("rack", false),
    ("cabinet", true),
];

struct Spot {
    name: String,
    room: usize,
    lid: bool,
}

struct Ingredient {
    name: String,
    spot: usize,
    shape: Option<&'static str>,
    heat: Option<&'static str>,
}

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let house = House::draw(size, dice);
    let spots = spots(size);
    let foods = foods(size, dice);
    let mut items: Vec<Ingredient> = foods
        .into_iter()
        .map(|(name, solid)| Ingredient {
            name,
            spot: dice.below(spots.len()),
            shape: (solid && dice.chance(2, 3)).then(|| *dice.pick(&SHAPES)),
            heat: (solid && dice.chance(2, 3)).then(|| *dice.pick(&HEATS)),
        })
        .collect();
    let unasked = items.split_off(size);
    let knife = dice.below(KITCHEN.len());
    let book = if dice.chance(1, 2) { 1 } else { 4 };
    let start = dice.below(size);
    let meal = Meal {
        house,
        spots,
        items,
        unasked,
        knife,
        book,
        start,
    };
    let mut draft = Draft::default();
    meal.describe(&mut draft);
    meal.cook(&mut draft);
    Some(draft)
}

/// Returns the furniture: five pieces in the kitchen, and two in each other room.
fn spots(rooms: usize) -> Vec<Spot> {
    let spot = |&(name, lid): &(&str, bool), room: usize, turn: usize| Spot {
        name: if turn == 0 {
            name.to_owned()
        } else {
            format!("{name}-{}", turn + 1)
        },
        room,
        lid,
    };
    let mut spots: Vec<Spot> = KITCHEN.iter().map(|one| spot(one, 0, 0)).collect();
    for number in 0..2 * (rooms - 1) {
        let kind = &ELSEWHERE[number % ELSEWHERE.len()];
        spots.push(spot(kind, 1 + number / 2, number / ELSEWHERE.len()));
    }
    spots
}

/// Draws the ingredients, one per room, followed by about half that number of other things. Each comes with whether it is
/// solid.
fn foods(size: usize, dice: &mut Dice) -> Vec<(String, bool)> {
    let count = size + size.div_ceil(2);
    let all = SOLID.iter().map(|&name| (name.to_owned(), true));
    let mut all: Vec<_> = all
        .chain(LOOSE.iter().map(|&name| (name.to_owned(), false)))
        .collect();
    let more = count.saturating_sub(all.len());
    all.extend(numbered("food", more).into_iter().map(|name| (name, true)));
    dice.sample(&all, count)
}

struct Meal {
    house: House,
    spots: Vec<Spot>,
    items: Vec<Ingredient>,
    unasked: Vec<Ingredient>,
    knife: usize,
    book: usize,
    start: usize,
}

impl Meal {
    /// Returns the appliances with their effects and rooms. The grill is in the last room if there are more than two rooms,
    /// otherwise in the kitchen.
    fn appliances(&self) -> [(&'static str, &'static str, usize); 3] {
        let grill = usize::from(self.house.rooms.len() > 2) * (self.house.rooms.len() - 1);
        [
            ("stove", "fried", 0),
            ("oven", "roasted", 0),
            ("grill", "grilled", grill),
        ]
    }

    fn describe(&self, draft: &mut Draft) {
        let (rooms, asked) = (self.house.rooms.len(), self.items.len());
        draft.note(format!("Rooms: {rooms}; ingredients: {asked}."));
        self.house.describe(self.start, draft);
        draft.objects("appliance", self.appliances().map(|(name, ..)| name));
        draft.objects("spot", self.spots.iter().map(|spot| &spot.name));
        let all = || self.items.iter().chain(&self.unasked);
        draft.objects("food", all().map(|food| &food.name));
        draft.objects("knife", ["knife"]);
        draft.objects("book", ["cookbook"]);
        draft.fact("kitchen kitchen");
        for (name, heat, room) in self.appliances() {
            let room = &self.house.rooms[room];
            draft.facts([format!("stands {name} {room}"), format!("gives {name} {heat}")]);
        }
        for spot in &self.spots {
            let mut facts = vec![format!("stands {} {}", spot.name, self.house.rooms[spot.room])];
            if spot.lid {
                facts.extend([format!("lid {}", spot.name), format!("shut {}", spot.name)]);
            }
            draft.facts(facts);
        }
        draft.facts([
            format!("in knife {}", self.spots[self.knife].name),
            format!("in cookbook {}", self.spots[self.book].name),
        ]);
        for food in all() {
            let name = &food.name;
            draft.facts([
                format!("in {name} {}", self.spots[food.spot].name),
                format!("raw {name}"),
                format!("whole {name}"),
            ]);
        }
        for food in &self.items {
            let name = &food.name;
            let shape = food.shape.map_or_else(
                || format!("wants-whole {name}"),
                |it| format!("wants-shape {name} {it}"),
            );
            let heat = food.heat.map_or_else(
                || format!("wants-raw {name}"),
                |it| format!("wants-heat {name} {it}"),
            );
            draft.facts([format!("wanted {name}"), shape, heat]);
        }
        draft.goal("eaten");
    }

    /// Reads the recipe, fetches the knife and the ingredients, cuts and cooks them, and eats the meal in the kitchen.
    fn cook(&self, draft: &mut Draft) {
        let mut walk = Walk::new(&self.house, self.start);
        let mut open: Vec<bool> = self.spots.iter().map(|spot| !spot.lid).collect();
        let mut reach = |draft: &mut Draft, walk: &mut Walk<'_>, number: usize| {
            let spot = &self.spots[number];
            walk.go(spot.room, draft);
            let place = format!("{} {}", spot.name, self.house.rooms[spot.room]);
            if !std::mem::replace(&mut open[number], true) {
                draft.step(format!("open {place}"));
            }
            place
        };
        let place = reach(draft, &mut walk, self.book);
        draft.step(format!("read cookbook {place}"));
        if self.items.iter().any(|food| food.shape.is_some()) {
            let place = reach(draft, &mut walk, self.knife);
            draft.step(format!("take knife {place}"));
        }
        for food in &self.items {
            let place = reach(draft, &mut walk, food.spot);
            draft.step(format!("take {} {place}", food.name));
            if let Some(shape) = food.shape {
                draft.step(format!("cut {} {shape} knife", food.name));
            }
        }
        for (appliance, gives, room) in self.appliances() {
            for food in self.items.iter().filter(|food| food.heat == Some(gives)) {
                walk.go(room, draft);
                draft.step(format!(
                    "cook {} {appliance} {gives} {}",
                    food.name, self.house.rooms[room]
                ));
            }
        }
        walk.go(0, draft);
        draft.step("prepare-meal kitchen cookbook");
        draft.step("eat-meal");
    }
}
