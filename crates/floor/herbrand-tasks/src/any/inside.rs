//! Compiled problems as text: ground tasks and Datalog programs.

use herbrand_datalog::Program;
use herbrand_ground::{AtomId, GroundTask};

use serde::{Deserialize, Serialize};

/// A compiled problem, or its Datalog program, as text.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Internals {
    /// The name and the number of each kind of component, such as actions or rules.
    pub counts: Vec<(String, u64)>,
    /// The sections of the text.
    pub sections: Vec<Section>,
}

/// A titled section of the text about a problem's internals. [`Internals`] lists them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Section {
    /// The title of the section.
    pub title: String,
    /// The lines of the section, up to a limit.
    pub lines: Vec<String>,
    /// The total number of lines, which may exceed the number listed.
    pub count: usize,
}

/// The maximum size in bytes of a ground task whose full text is included.
const IN_FULL: usize = 4 << 20;

/// Returns a ground task as text.
pub(crate) fn of_task(task: &GroundTask, listed: usize) -> Internals {
    let counts = [
        ("atoms", task.atom_count()),
        ("actions", task.actions.len()),
        ("axioms", task.axioms.len()),
        ("strata of axioms", task.strata.len()),
        ("atoms that never change", task.statics.len()),
    ];
    let atoms = (0..task.atom_count()).map(AtomId::from_index);
    let atoms = atoms.map(|id| task.display_atom(id).to_string());
    // The full text of a small task contains preconditions, effects, axioms, the initial state, and the goal.
    let text = if task.bytes() <= IN_FULL {
        task.to_string()
    } else {
        String::new()
    };
    let in_full = section(
        "in full",
        text.lines().map(str::to_owned),
        text.lines().count(),
        listed,
    );
    let actions = task.actions.ids().map(|id| task.display_action(id).to_string());
    let axioms = task.axioms.iter();
    let axioms = axioms.map(|&axiom| task.display_axiom(axiom).to_string());
    let mut sections = vec![
        in_full,
        section("actions", actions, task.actions.len(), listed),
        section("atoms that can change", atoms, task.atom_count(), listed),
        section("axioms", axioms, task.axioms.len(), listed),
    ];
    sections.retain(|section| section.count > 0);
    Internals {
        counts: counts.map(|(name, count)| (name.to_owned(), count as u64)).into(),
        sections,
    }
}

pub(crate) fn section(
    title: &str,
    lines: impl Iterator<Item = String>,
    count: usize,
    listed: usize,
) -> Section {
    Section {
        title: title.to_owned(),
        lines: lines.take(listed).collect(),
        count,
    }
}

/// Returns a Datalog program as text, with further counts.
pub(crate) fn of_program(program: &Program, more: &[(&str, u64)], listed: usize) -> Internals {
    let rules = program
        .rule_ids()
        .map(|rule| program.display_rule(rule).to_string());
    let relations = program.relation_ids().zip(program.relations());
    let relations = relations.map(|(id, relation)| {
        let kind = if program.is_static(id) {
            "static"
        } else {
            "changes"
        };
        format!("{}/{}  {kind}", relation.name, relation.arity)
    });
    let counts = [
        ("rules", program.rules().len() as u64),
        ("relations", program.relations().len() as u64),
    ];
    let counts = counts.iter().chain(more);
    Internals {
        counts: counts.map(|&(name, count)| (name.to_owned(), count)).collect(),
        sections: vec![
            section("rules", rules, program.rules().len(), listed),
            section("relations", relations, program.relations().len(), listed),
        ],
    }
}
