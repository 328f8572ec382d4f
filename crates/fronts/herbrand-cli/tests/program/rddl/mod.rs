//! Problems in RDDL: the commands, by what they are for. The problems that several tests use are here.

mod bundled;
mod plans;

use crate::run::Scratch;

const DOMAIN: &str = include_str!("../../pages/files/lights/domain.txt");
const EVENING: &str = include_str!("../../pages/files/lights/evening.txt");
const SHOP: &str = include_str!("../../pages/files/shop.rddl");
const TANK: &str = include_str!("../../pages/files/tank/domain.rddl");
const FULL: &str = include_str!("../../pages/files/tank/first.rddl");

/// A folder with a domain and two instances; the names of the files do not tell the language.
fn lights(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("domain.txt", DOMAIN);
    scratch.write("evening.txt", EVENING);
    scratch
}

fn shop(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("shop.rddl", SHOP);
    scratch
}

/// Burning is allowed in the first two steps. The fifth step breaks the invariant.
fn tank(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("domain.rddl", TANK);
    scratch.write("first.rddl", FULL);
    scratch
}
