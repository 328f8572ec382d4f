//! Where models and their parts come from.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::{Source, Span};

/// Where a part of a model is in its source; nowhere for one that was built.
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

/// The source that a model was read from; none for one that was built.
///
/// Like a [`Place`], an origin does not count when models are compared or hashed.
#[derive(Clone, Default, Debug)]
pub struct Origin(Option<Source>);

impl Origin {
    /// The origin of a model that was built, not read.
    pub const NONE: Self = Self(None);

    /// The origin of a model that was read from `source`.
    #[must_use]
    pub const fn new(source: Source) -> Self {
        Self(Some(source))
    }

    /// The source, if the model was read from one.
    #[must_use]
    pub const fn source(&self) -> Option<&Source> {
        self.0.as_ref()
    }
}

impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Origin {}

impl Hash for Origin {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
