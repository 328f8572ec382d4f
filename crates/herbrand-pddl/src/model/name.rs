//! Names and places: what a declaration is called and where it stands.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::Span;

/// The name of a declared thing, in lower case. Cheap to clone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Arc<str>);

impl Name {
    /// The name `text`, folded to lower case as PDDL compares names without case.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(text.to_ascii_lowercase().into())
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", &*self.0)
    }
}

/// Where a part of a model stands in its source; nowhere for one that was built.
///
/// Places do not count when models are compared or hashed: all of them are equal. Two models are equal when they
/// say the same thing.
#[derive(Clone, Copy, Default)]
pub struct Place(Option<Span>);

impl Place {
    /// The place of a part that was built, not read.
    pub const NOWHERE: Self = Self(None);

    /// The place at `span`.
    #[must_use]
    pub const fn at(span: Span) -> Self {
        Self(Some(span))
    }

    /// The span, if the part was read from a text.
    #[must_use]
    pub const fn span(self) -> Option<Span> {
        self.0
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(span) => write!(f, "@{}..{}", span.start, span.end),
            None => f.write_str("@nowhere"),
        }
    }
}

impl PartialEq for Place {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Place {}

impl Hash for Place {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
