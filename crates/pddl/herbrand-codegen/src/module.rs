//! The generated module of a domain.

use std::fmt;

use herbrand_datalog::NegativeCycle;
use herbrand_ground::NormalDomain;
use herbrand_pddl::Domain;

use crate::programs::Programs;
use crate::text::Text;
use crate::vocabulary::Vocabulary;

/// The maximal arity of relations. The standard library implements comparison and hashing of tuples up to this length only.
const MOST_COLUMNS: usize = 12;

/// The generated Rust module of a domain, returned by [`Module::of`].
///
/// `Display` writes a complete file with documentation. [`items`](Self::items) is for use inside an existing module.
/// The file needs the crate `ascent`. The documentation of this crate lists the methods of the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    documentation: String,
    items: String,
}

/// The reason why a domain cannot be translated to a module. Problems of such a domain can still be run by the engines
/// of Herbrand. [`Module::of`] returns it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CodegenError {
    /// A predicate, an action schema or an auxiliary relation has too many arguments. Lists all of them by their Rust
    /// names in the module, with their numbers of columns. At most 12 are possible; for a function that a condition
    /// reads, its value counts as one more.
    #[error("`ascent` relations have at most 12 columns; these need more: {}", list(.0))]
    TooManyColumns(Vec<(String, usize)>),
    /// A derived predicate depends on its own negation. Checked domains have no such predicates. It is reported before
    /// too many columns.
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

impl Module {
    /// Translates a domain to a Rust module. The module works for all problems of the domain. Write the module to a
    /// file by its `Display`.
    ///
    /// # Errors
    /// [`CodegenError::TooManyColumns`] if a predicate, a schema, an auxiliary relation, or a function with its value
    /// has more than twelve arguments. [`CodegenError::NegativeCycle`] if a derived predicate depends on its own
    /// negation.
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

    /// Returns the documentation of the module, in Markdown. Its lines have no `//!`; the `Display` of the module adds
    /// them.
    #[must_use]
    pub fn documentation(&self) -> &str {
        &self.documentation
    }

    /// Returns the Rust items of the module as source text, without its documentation, to be pasted into an existing
    /// module. Each call returns the same text.
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
