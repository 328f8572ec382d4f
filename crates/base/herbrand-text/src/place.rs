//! The places of models and their parts in the source texts.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::source::{Source, Span};

/// The place of a part of a model, such as an action, in its source text, for messages about it;
/// [`NOWHERE`](Self::NOWHERE) if the part does not come from a text. [`at`](Self::at) makes one from the span of the
/// part.
///
/// All places are equal and have the same hash, so models with the same content are equal wherever they come from.
#[derive(Clone, Copy, Default)]
pub struct Place(Option<Span>);

impl Place {
    /// The place of a part that does not come from a text.
    pub const NOWHERE: Self = Self(None);

    /// Creates the place of a part at `span` in its source.
    #[must_use]
    pub const fn at(span: Span) -> Self {
        Self(Some(span))
    }

    /// Returns the place as a span; `None` if the part does not come from a text. The span is one of the text that the
    /// model's [`Origin`] has.
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

/// The source text of a model, to which the [`Place`]s of its parts refer; [`NONE`](Self::NONE) if the model does not
/// come from a text. [`new`](Self::new) makes one from the source.
///
/// Like [`Place`]s, all origins are equal and have the same hash.
#[derive(Clone, Default, Debug)]
pub struct Origin(Option<Source>);

impl Origin {
    /// The origin of a model that does not come from a text.
    pub const NONE: Self = Self(None);

    /// Creates the origin of a model that comes from `source`.
    #[must_use]
    pub const fn new(source: Source) -> Self {
        Self(Some(source))
    }

    /// Returns the source text; `None` if the model does not come from a text. Use [`Source::position`] to turn the
    /// start of a place into a line and a column.
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
