//! Families of hostile texts: each is deep, wide, long or full of extreme numbers, and as large as is asked for.

mod axioms;
mod chance;
mod depth;
mod draws;
mod expressions;
mod fluents;
mod formulas;
mod numbers;
mod planning;
mod process;
mod raw;
mod sizes;
mod things;

use planning::{Planning, action, counting, effect, objects, precondition, variables};
use process::{Process, bound, draw, expression};

/// The language of a family, which decides what commands it goes through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    Pddl,
    Rddl,
}

/// The texts of a domain and a problem.
pub struct Texts {
    pub domain: String,
    pub problem: String,
}

/// Texts of one kind.
pub struct Family {
    pub name: &'static str,
    /// The size in the gate; the long form takes an eighth of it and eight times as much too.
    pub size: usize,
    pub texts: fn(usize) -> Texts,
}

/// All families, each with its language.
pub fn all() -> impl Iterator<Item = (Language, &'static Family)> {
    let of = |language, families: &[&'static [Family]]| {
        let all: Vec<_> = families.iter().flat_map(|families| families.iter()).collect();
        all.into_iter().map(move |family| (language, family))
    };
    let pddl = [
        things::THINGS,
        axioms::AXIOMS,
        formulas::FORMULAS,
        numbers::NUMBERS,
        chance::CHANCE,
        raw::RAW,
        sizes::PDDL_SIZES,
        depth::PDDL_DEPTH,
    ];
    let rddl = [
        fluents::FLUENTS,
        expressions::EXPRESSIONS,
        draws::DRAWS,
        sizes::RDDL_SIZES,
        depth::RDDL_DEPTH,
    ];
    of(Language::Pddl, &pddl).chain(of(Language::Rddl, &rddl))
}

/// Concatenates the texts for the numbers below `count`.
fn each(count: usize, write: impl Fn(usize) -> String) -> String {
    (0..count).map(write).collect()
}

/// `inner`, wrapped `depth` times.
fn nest(depth: usize, inner: &str, open: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}
