//! The module of a domain.

use std::fmt;

use herbrand_datalog::NegativeCycle;
use herbrand_ground::NormalDomain;
use herbrand_pddl::Domain;

use crate::body::{Exactness, Rules};
use crate::program::{Program, needed, outputs, stratify};
use crate::text::Text;
use crate::vocabulary::Vocabulary;
use crate::{exact, relaxed};

/// Rust tuples with more elements than this cannot be compared or hashed, so `ascent` has no relations of them.
const MOST_COLUMNS: usize = 12;

/// The Rust module of a domain.
///
/// Its `Display` is a file of its own, documentation included; [`items`](Self::items) goes into a module that exists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    documentation: String,
    items: String,
}

/// Why a domain has no Rust module.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CodegenError {
    /// A predicate, an action schema, or a part of a condition has too many arguments.
    #[error("`ascent` has relations of up to 12 columns, and these need more: {}", list(.0))]
    TooManyColumns(Vec<(String, usize)>),
    /// A derived predicate depends on its own negation; the checker refuses such domains.
    #[error(transparent)]
    NegativeCycle(#[from] NegativeCycle),
}

fn list(relations: &[(String, usize)]) -> String {
    let texts: Vec<_> = relations
        .iter()
        .map(|(name, columns)| format!("`{name}` ({columns})"))
        .collect();
    texts.join(", ")
}

/// The programs of a domain.
#[derive(Debug)]
pub(crate) struct Programs {
    /// What some state could make true.
    pub(crate) reachable: Vec<Program>,
    /// What follows in a state.
    pub(crate) derived: Vec<Program>,
    /// Which actions are applicable in it.
    pub(crate) applicable: Program,
}

impl Module {
    /// The module of a domain.
    ///
    /// # Errors
    /// When a predicate, schema or part of a condition has more than twelve arguments; all of them are named.
    pub fn of(domain: &Domain) -> Result<Self, CodegenError> {
        let normal = NormalDomain::of(domain);
        let mut vocabulary = Vocabulary::of(domain, &normal);
        let programs = Programs::of(&mut vocabulary)?;
        let wide = vocabulary
            .relations
            .iter()
            .filter(|relation| relation.columns.len() > MOST_COLUMNS);
        let wide: Vec<_> = wide
            .map(|relation| (relation.name.clone(), relation.columns.len()))
            .collect();
        if !wide.is_empty() {
            return Err(CodegenError::TooManyColumns(wide));
        }
        let text = Text {
            vocabulary: &vocabulary,
            programs: &programs,
        };
        Ok(Self {
            documentation: text.documentation(),
            items: text.items(),
        })
    }

    /// What the module is, as Markdown.
    #[must_use]
    pub fn documentation(&self) -> &str {
        &self.documentation
    }

    /// The items of the module.
    #[must_use]
    pub fn items(&self) -> &str {
        &self.items
    }
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.documentation.lines() {
            writeln!(f, "{}", format!("//! {line}").trim_end())?;
        }
        write!(f, "\n{}", self.items)
    }
}

impl Programs {
    fn of(vocabulary: &mut Vocabulary<'_>) -> Result<Self, NegativeCycle> {
        let reachable = relaxed::rules(vocabulary);
        let axioms = exact::axiom_rules(vocabulary);
        let mut actions = Rules::new(vocabulary, Exactness::Exact);
        exact::add_actions(&mut actions);
        let schemas = actions.vocabulary.schemas.clone();
        let (actions, parts): (Vec<_>, Vec<_>) = actions
            .rules
            .into_iter()
            .partition(|rule| schemas.contains(&rule.head.relation));
        let outputs = outputs(vocabulary);
        let reachable = needed(reachable, outputs.clone());
        let read = actions
            .iter()
            .flat_map(|rule| rule.reads().map(|(relation, _)| relation));
        let axioms = needed(
            [axioms, parts].concat(),
            outputs.into_iter().chain(read).collect(),
        );
        Ok(Self {
            reachable: stratify(
                vocabulary,
                "Reachable",
                "What some state could make true",
                reachable,
            )?,
            derived: stratify(vocabulary, "Derived", "What follows in a state", axioms)?,
            applicable: Program::new(
                "Applicable".to_owned(),
                "Which actions are applicable in a state".to_owned(),
                actions,
            ),
        })
    }
}
