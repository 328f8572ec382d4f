//! Invented names for everything that a problem names.

use std::collections::{HashMap, HashSet};

use herbrand_pddl::{Domain, Name, Problem, Variable};
use herbrand_step::Random;

const CONSONANTS: [&str; 16] = [
    "b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "br", "kl",
];
const VOWELS: [&str; 5] = ["a", "e", "i", "o", "u"];

/// Draws words that mean nothing.
pub(crate) struct Words {
    random: Random,
    used: HashSet<String>,
}

impl Words {
    pub(crate) fn new(random: Random) -> Self {
        Self {
            random,
            used: HashSet::new(),
        }
    }

    /// Returns a new word of two syllables and a final consonant.
    pub(crate) fn word(&mut self) -> String {
        loop {
            let mut word = String::new();
            for _ in 0..2 {
                word += self.random.choose(&CONSONANTS).copied().unwrap_or("b");
                word += self.random.choose(&VOWELS).copied().unwrap_or("a");
            }
            word += self.random.choose(&CONSONANTS[..14]).copied().unwrap_or("b");
            if self.used.insert(word.clone()) {
                return word;
            }
        }
    }

    fn next(&mut self) -> Name {
        Name::new(&self.word())
    }
}

/// Replaces the names of the domain, its types, predicates, functions, actions, variables and objects. The names that
/// the language predefines stay.
pub(crate) fn replace(domain: &mut Domain, problem: &mut Problem, random: Random) {
    let mut words = Words::new(random);
    domain.name = words.next();
    problem.domain_name = domain.name.clone();
    for of in &mut domain.types {
        if !matches!(of.name.as_str(), "object" | "number") {
            of.name = words.next();
        }
    }
    for predicate in &mut domain.predicates {
        predicate.name = words.next();
        rename_all(&mut predicate.parameters);
    }
    for function in &mut domain.functions {
        if !matches!(function.name.as_str(), "total-cost" | "reward") {
            function.name = words.next();
        }
        rename_all(&mut function.parameters);
    }
    for axiom in &mut domain.axioms {
        rename_all(&mut axiom.variables);
    }
    for schema in &mut domain.schemas {
        schema.name = words.next();
        rename_all(&mut schema.variables);
    }
    rename_all(&mut problem.goal_variables);
    let mut objects = HashMap::new();
    for object in problem.objects.iter_mut().chain(&mut domain.constants) {
        let name = objects.entry(object.name.clone()).or_insert_with(|| words.next());
        object.name = name.clone();
    }
}

fn rename_all(variables: &mut [Variable]) {
    for (number, variable) in (1..).zip(variables) {
        variable.name = Name::new(&format!("x{number}"));
    }
}
