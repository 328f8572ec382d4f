//! Observations that are not arrays: graphs, and sets of atoms.

use herbrand_core::{Described, FactValue};
use herbrand_env::{InstanceLearningGraph, ObservedAtoms};

/// The form of the observations of a single environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ViewForm {
    /// The array that the observer writes.
    Array,
    /// A graph of the atoms of a part, with values of its nodes if it is numeric.
    Graph {
        /// The atoms that have nodes.
        part: ObservedAtoms,
        /// Whether nodes have values.
        is_numeric: bool,
    },
    /// The set of the true atoms.
    Atoms(ObservedAtoms),
}

/// An observation that is no array.
pub enum StateView {
    /// A graph.
    Graph {
        /// The graph.
        graph: InstanceLearningGraph,
        /// Whether its nodes have values.
        is_numeric: bool,
    },
    /// The true atoms.
    Atoms {
        /// The index of the problem.
        problem: usize,
        /// The atoms.
        held: TrueAtoms,
    },
}

/// The true atoms of a state.
pub enum TrueAtoms {
    /// By name: each a name with its arguments.
    Names(Vec<Vec<String>>),
    /// By number.
    Numbers {
        /// The number of atoms of the problem.
        count: usize,
        /// The numbers of the true atoms.
        held: Vec<u32>,
        /// Returns the name and the arguments of an atom.
        name: Box<dyn Fn(u32) -> Vec<String> + Send>,
    },
}

impl TrueAtoms {
    /// Returns the facts that are true as their names and arguments. Other values are appended to the fact.
    pub(super) fn of_facts(system: &impl Described) -> Self {
        let mut names = Vec::new();
        system.facts(&mut |fact| {
            let words = std::iter::once(fact.name).chain(fact.arguments.iter().copied());
            let mut words: Vec<_> = words.map(str::to_owned).collect();
            match fact.value {
                FactValue::Bool(false) => return,
                FactValue::Bool(true) => {}
                value => words.push(value.to_string()),
            }
            names.push(words);
        });
        Self::Names(names)
    }
}
