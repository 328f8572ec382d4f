//! The generators, one file per domain, and their list.

mod baking;
mod blocks;
mod blocks_derived;
mod casino;
mod coin_collector;
mod cooking_world;
mod crafting;
mod depot;
mod doors;
mod elevator;
mod elevator_adl;
mod exploding_blocks;
mod ferry;
mod fridge;
mod gripper;
mod hanoi;
mod hiking;
mod logistics;
mod maze_reachability;
mod meet_pass;
mod navigation;
mod newspapers;
mod philosophers;
mod quantified_blocks;
mod rearrangement;
mod river;
mod schedule;
mod search_and_rescue;
mod slide_tile;
mod snake;
mod sokoban;
mod spanner;
mod supply;
mod tireworld;
mod travel;
mod tsp;

use herbrand_text::nearest;

use crate::error::GenerateError;
use crate::generator::Generator;
use crate::vocabulary::{Dice, Draft};

/// The generators of all bundled domains, in alphabetical order. Each entry has the name, the meaning of the size, the
/// least and the greatest size, and the function that draws a problem.
///
/// The greatest size is limited by the generation time (about a second) or by the length of the plan.
static ALL: &[Generator] = &[
    entry("baking", "dishes to bake", 1, 300, baking::draw),
    entry("blocks", "blocks", 2, 2000, blocks::draw),
    entry("blocks-derived", "blocks", 3, 100, blocks_derived::draw),
    entry("casino", "places in town", 2, 100, casino::draw),
    entry("coin-collector", "rooms", 2, 200, coin_collector::draw),
    entry(
        "cooking-world",
        "rooms, and ingredients of the meal",
        2,
        40,
        cooking_world::draw,
    ),
    entry("crafting", "things to make", 1, 100, crafting::draw),
    entry("depot", "crates", 1, 200, depot::draw),
    entry("doors", "rooms", 2, 200, doors::draw),
    entry("elevator", "passengers", 1, 500, elevator::draw),
    entry("elevator-adl", "passengers", 1, 200, elevator_adl::draw),
    entry("exploding-blocks", "blocks", 2, 500, exploding_blocks::draw),
    entry("ferry", "cars", 1, 500, ferry::draw),
    entry("fridge", "fridges", 1, 100, fridge::draw),
    entry("gripper", "balls", 1, 1000, gripper::draw),
    entry("hanoi", "discs", 2, 16, hanoi::draw),
    entry("hiking", "rows and columns of the country", 3, 60, hiking::draw),
    entry("logistics", "packages", 1, 500, logistics::draw),
    entry(
        "maze-reachability",
        "rows and columns of rooms",
        2,
        20,
        maze_reachability::draw,
    ),
    entry("meet-pass", "trains", 1, 60, meet_pass::draw),
    entry("navigation", "columns of the grid", 2, 60, navigation::draw),
    entry("newspapers", "readers", 1, 500, newspapers::draw),
    entry("philosophers", "philosophers", 2, 60, philosophers::draw),
    entry("quantified-blocks", "blocks", 3, 100, quantified_blocks::draw),
    entry("rearrangement", "toys", 1, 200, rearrangement::draw),
    entry("river", "columns of islands", 1, 40, river::draw),
    entry("schedule", "pieces of metal", 1, 300, schedule::draw),
    entry(
        "search-and-rescue-1",
        "rows and columns of the city",
        2,
        40,
        search_and_rescue::draw::<1>,
    ),
    entry(
        "search-and-rescue-2",
        "rows and columns of the city",
        2,
        40,
        search_and_rescue::draw::<2>,
    ),
    entry(
        "search-and-rescue-3",
        "rows and columns of the city",
        2,
        40,
        search_and_rescue::draw::<3>,
    ),
    entry(
        "search-and-rescue-4",
        "rows and columns of the city",
        3,
        40,
        search_and_rescue::draw::<4>,
    ),
    entry(
        "search-and-rescue-5",
        "rows and columns of the city",
        3,
        40,
        search_and_rescue::draw::<5>,
    ),
    entry(
        "search-and-rescue-6",
        "rows and columns of the city",
        3,
        40,
        search_and_rescue::draw::<6>,
    ),
    entry(
        "search-and-rescue-7",
        "rows and columns of the city",
        3,
        40,
        search_and_rescue::draw::<7>,
    ),
    entry(
        "slide-tile",
        "rows and columns of the board",
        2,
        20,
        slide_tile::draw,
    ),
    entry("snake", "rows and columns of the field", 3, 40, snake::draw),
    entry("sokoban", "rows and columns of the room", 4, 30, sokoban::draw),
    entry("spanner", "nuts", 1, 500, spanner::draw),
    entry("supply", "lines", 2, 60, supply::draw),
    entry("tireworld", "side of the triangle", 1, 60, tireworld::draw),
    entry("travel", "regions", 2, 300, travel::draw),
    entry("tsp", "cities", 3, 500, tsp::draw),
];

impl Generator {
    /// Returns the generators of all bundled domains, in alphabetical order.
    #[must_use]
    pub fn all() -> &'static [Self] {
        ALL
    }

    /// Returns the generator of a bundled domain. A domain with levels (folders in its folder `levels`) has one generator
    /// per level, such as `search-and-rescue-1`, and none without a level.
    ///
    /// # Errors
    /// [`GenerateError::UnknownDomain`] if there is no generator with exactly this name, in lower case.
    pub fn get(name: &str) -> Result<&'static Self, GenerateError> {
        let unknown = || GenerateError::UnknownDomain {
            name: name.to_owned(),
            suggestion: nearest(name, ALL.iter().map(|generator| generator.name)).map(str::to_owned),
        };
        ALL.iter()
            .find(|generator| generator.name == name)
            .ok_or_else(unknown)
    }
}

const fn entry(
    name: &'static str,
    meaning: &'static str,
    least: u32,
    most: u32,
    draw: fn(usize, &mut Dice) -> Option<Draft>,
) -> Generator {
    Generator {
        name,
        meaning,
        least,
        most,
        draw,
    }
}
