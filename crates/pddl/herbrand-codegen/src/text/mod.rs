//! The text of the generated module.

mod answers;
mod programs;
mod support;
mod values;

use herbrand_datalog::RelationId;
use herbrand_pddl::ObjectId;

use crate::name::Identifiers;
use crate::programs::Programs;
use crate::rule::{Column, Relation, Role};
use crate::vocabulary::Vocabulary;

/// The input of the text: the relations and the programs.
pub(crate) struct Text<'t> {
    pub(crate) vocabulary: &'t Vocabulary<'t>,
    pub(crate) programs: &'t Programs,
}

impl Text<'_> {
    /// Returns the documentation of the module, in Markdown.
    pub(crate) fn documentation(&self) -> String {
        let name = &self.vocabulary.domain.name;
        format!(
            "The planning domain `{name}` as `ascent` programs.\n\
             \n\
             A [`Problem`] holds objects, static facts and the initial state. [`Problem::reachable`] returns the atoms \
             and actions\n\
             of the delete relaxation, [`Problem::applicable`] the applicable actions of a state, and \
             [`Problem::derived`] its\n\
             derived atoms. Objects are numbers: they count from 0 in the order of the problem file, after the\n\
             constants of the domain.\n\
             \n\
             `herbrand datalog --rust` wrote this module; it depends only on `ascent` (without default features).\n"
        )
    }

    /// Returns the items of the module.
    pub(crate) fn items(&self) -> String {
        [
            support::PRELUDE.to_owned(),
            self.constants(),
            self.number(),
            self.objects(),
            self.facts(),
            self.derived(),
            self.actions(),
            self.problem(),
            self.comparisons(),
            self.ascent(),
        ]
        .iter()
        .map(|item| item.trim_end())
        .filter(|item| !item.is_empty())
        .collect::<Vec<_>>()
        .join("\n\n")
            + "\n"
    }

    fn get(&self, relation: RelationId) -> &Relation {
        self.vocabulary.get(relation)
    }

    /// Returns the relations whose role satisfies `such`, in order.
    fn with_role(&self, such: impl Fn(&Role) -> bool) -> Vec<&Relation> {
        self.vocabulary
            .relations
            .iter()
            .filter(|relation| such(&relation.role))
            .collect()
    }

    /// Returns the identifier of a constant of the domain.
    fn constant(&self, object: ObjectId) -> String {
        let mut names = Identifiers::default();
        let constants = &self.vocabulary.domain.constants[..=object.index()];
        let names = constants.iter().map(|constant| names.add(constant.name.as_str()));
        names.last().unwrap_or_default().to_ascii_uppercase()
    }
}

/// Returns the tuple type of a relation's facts, such as `(Object, Number)`.
fn tuple_type(relation: &Relation) -> String {
    tuple(
        relation
            .columns
            .iter()
            .map(|&column| column_type(column).to_owned())
            .collect(),
    )
}

fn column_type(column: Column) -> &'static str {
    match column {
        Column::Object => "Object",
        Column::Number => "Number",
        Column::Count => "u32",
    }
}

/// Returns the tuple of some parts: `()`, `(a,)`, `(a, b)`.
fn tuple(parts: Vec<String>) -> String {
    match &parts[..] {
        [one] => format!("({one},)"),
        parts => format!("({})", parts.join(", ")),
    }
}

/// Returns names for the elements of a tuple, such as `x1`, `x2`.
fn variables(letter: &str, count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("{letter}{number}")).collect()
}
