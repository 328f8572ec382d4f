//! Problems in RDDL: the commands, by what they are for. The problems that several tests use are here.

mod bundled;
mod plans;
mod policies;

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

/// One real fluent that this formula changes when `go` is set, and pays.
fn growth(name: &str, formula: &str) -> Scratch {
    let scratch = Scratch::new(name);
    let text = include_str!("../../pages/files/growth.rddl");
    scratch.write("growth.rddl", &text.replace("s + 1.0", formula));
    scratch
}

/// Burning is allowed in the first two steps. The fifth step breaks the invariant.
fn tank(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("domain.rddl", TANK);
    scratch.write("first.rddl", FULL);
    scratch
}
