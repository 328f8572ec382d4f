//! The arrays of a state space: by name, as JSON, and for NumPy (`.npz`).

use herbrand_core::{PackedRows, SpaceAnalysis, StateGraph};
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use super::archive::Archive;
use super::explored::ExploredSpace;
use crate::failure::TaskFailure;

/// The first member of an archive and the first key of JSON, which tell the form of the file.
const FORM: &str = "herbrand-space-1";

/// An array of a state space.
#[derive(Clone, PartialEq, Debug)]
pub struct SpaceArray {
    /// The name, such as `goals`.
    pub name: &'static str,
    /// The lengths of its dimensions; empty for a single number.
    pub shape: Vec<usize>,
    /// The numbers, row after row.
    pub numbers: ArrayNumbers,
}

/// The numbers of an array.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "the types name the kinds")]
pub enum ArrayNumbers {
    Words(Vec<u64>),
    Doubles(Vec<f64>),
    /// Integers of 31 bits, and `u32::MAX` for −1.
    Integers(Vec<u32>),
    Flags(Vec<bool>),
}

impl ArrayNumbers {
    const fn len(&self) -> usize {
        match self {
            Self::Words(list) => list.len(),
            Self::Doubles(list) => list.len(),
            Self::Integers(list) => list.len(),
            Self::Flags(list) => list.len(),
        }
    }
}

/// Returns the arrays of a space, which take over the memory of its lists.
#[must_use]
pub fn space_arrays(graph: StateGraph, analysis: SpaceAnalysis, rows: PackedRows) -> Vec<SpaceArray> {
    use ArrayNumbers::{Doubles, Flags, Integers, Words};
    let (len, choices, outcomes) = (graph.len(), graph.actions.len(), graph.targets.len());
    let (start_probabilities, starts): (Vec<f64>, Vec<u32>) = graph.starts.into_iter().unzip();
    let first_outcomes = if graph.first_outcomes.is_empty() {
        (0..=choices as u32).collect()
    } else {
        graph.first_outcomes
    };
    // A list is empty if all its numbers are 1.
    let filled = |list: Vec<f64>| {
        Doubles(if list.is_empty() {
            vec![1.0; outcomes]
        } else {
            list
        })
    };
    let table = |name, columns, numbers| SpaceArray {
        name,
        shape: vec![len, columns],
        numbers,
    };
    let list = |name, numbers: ArrayNumbers| SpaceArray {
        name,
        shape: vec![numbers.len()],
        numbers,
    };
    let expanded = SpaceArray {
        name: "expanded",
        shape: Vec::new(),
        numbers: Integers(vec![graph.expanded]),
    };
    vec![
        table("states", rows.words, Words(rows.bits)),
        table("numbers", rows.columns, Doubles(rows.numbers)),
        list("goals", Flags(graph.goals)),
        list("starts", Integers(starts)),
        list("start_probabilities", Doubles(start_probabilities)),
        expanded,
        list("first_choices", Integers(graph.first_choices)),
        list("actions", Integers(graph.actions)),
        list("first_outcomes", Integers(first_outcomes)),
        list("targets", Integers(graph.targets)),
        list("probabilities", filled(graph.probabilities)),
        list("costs", filled(graph.costs)),
        list("start_steps", Integers(analysis.start_steps)),
        list("goal_steps", Integers(analysis.goal_steps)),
        list("goal_costs", Doubles(analysis.goal_costs)),
        list("dead_ends", Flags(analysis.dead_ends)),
        list("components", Integers(analysis.components)),
    ]
}

impl ExploredSpace {
    /// Returns an archive of NumPy arrays, which `numpy.load` reads.
    ///
    /// # Errors
    /// Fails if the archive cannot be written.
    pub fn npz(self) -> Result<Vec<u8>, TaskFailure> {
        let is_complete = self.graph.is_complete();
        let mut archive = Archive::default();
        archive.text(FORM, &[FORM.to_owned()])?;
        archive.text("domain", &[self.domain])?;
        archive.text("problem", &[self.problem])?;
        archive.text("bit_names", &self.bits)?;
        archive.text("number_names", &self.numbers)?;
        archive.text("action_names", &self.actions)?;
        archive.array("complete", "|b1", &[], &[u8::from(is_complete)])?;
        for SpaceArray { name, shape, numbers } in space_arrays(self.graph, self.analysis, self.rows) {
            let (kind, bytes) = match numbers {
                ArrayNumbers::Words(list) => ("<u8", list.into_iter().flat_map(u64::to_le_bytes).collect()),
                ArrayNumbers::Doubles(list) => ("<f8", list.into_iter().flat_map(f64::to_le_bytes).collect()),
                ArrayNumbers::Integers(list) => {
                    ("<i4", list.into_iter().flat_map(u32::to_le_bytes).collect())
                }
                ArrayNumbers::Flags(list) => ("|b1", list.into_iter().map(u8::from).collect::<Vec<u8>>()),
            };
            archive.array(name, kind, &shape, &bytes)?;
        }
        Ok(archive.finish()?)
    }
}

/// The names of a space and its arrays, as JSON: `states` lists the set bits of each state, and `numbers` the numbers of each;
/// a cost is `null` where there is no way.
impl Serialize for ExploredSpace {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let graph = &self.graph;
        let mut file = serializer.serialize_map(None)?;
        file.serialize_entry("form", FORM)?;
        file.serialize_entry("domain", &self.domain)?;
        file.serialize_entry("problem", &self.problem)?;
        file.serialize_entry("complete", &graph.is_complete())?;
        file.serialize_entry("limit", &graph.limit.map(|limit| limit.to_string()))?;
        file.serialize_entry("rounding", &self.rounding)?;
        file.serialize_entry("bit_names", &self.bits)?;
        file.serialize_entry("number_names", &self.numbers)?;
        file.serialize_entry("action_names", &self.actions)?;
        let arrays = space_arrays(graph.clone(), self.analysis.clone(), self.rows.clone());
        for SpaceArray { name, shape, numbers } in arrays {
            match numbers {
                ArrayNumbers::Words(_) => {
                    let bits = (0..graph.len()).map(|state| self.set_bits(state).collect());
                    file.serialize_entry(name, &bits.collect::<Vec<Vec<usize>>>())?;
                }
                ArrayNumbers::Doubles(list) => match shape[..] {
                    [_, 0] => file.serialize_entry(name, &vec![[0.0; 0]; graph.len()])?,
                    [_, columns] => file.serialize_entry(name, &list.chunks(columns).collect::<Vec<_>>())?,
                    _ => file.serialize_entry(name, &list)?,
                },
                ArrayNumbers::Integers(list) => match shape[..] {
                    [] => file.serialize_entry(name, &list[0])?,
                    _ => {
                        let signed = list.into_iter().map(u32::cast_signed);
                        file.serialize_entry(name, &signed.collect::<Vec<i32>>())?;
                    }
                },
                ArrayNumbers::Flags(list) => file.serialize_entry(name, &list)?,
            }
        }
        file.end()
    }
}
