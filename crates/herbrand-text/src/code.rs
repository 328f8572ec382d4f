//! The codes of diagnostics, as the front end of each language declares them.

use std::fmt::{Debug, Display};
use std::hash::Hash;

use crate::Explanation;

/// How severe a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The text is accepted.
    Warning,
    /// The text is not accepted.
    Error,
}

impl Severity {
    /// `warning` or `error`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The severity that a code written `code` has: codes of warnings begin with `W`.
    #[must_use]
    pub const fn of(code: &str) -> Self {
        match code.as_bytes() {
            [b'W', ..] => Self::Warning,
            _ => Self::Error,
        }
    }
}

/// Which fault a diagnostic reports. Codes are stable, and no two languages share one. [`codes!`](crate::codes) declares a
/// language's.
pub trait Code: Copy + Ord + Hash + Debug + Display + 'static {
    /// All codes, in order.
    const ALL: &'static [Self];

    /// The code of the remark that further faults are not shown.
    const TOO_MANY: Self;

    /// The code of the error that a text takes more time or memory than it may.
    const LIMIT: Self;

    /// The code as it is written, such as `E0102`.
    #[must_use]
    fn as_str(self) -> &'static str;

    /// The fault in a few words.
    #[must_use]
    fn summary(self) -> &'static str;

    /// What the code means, at length.
    #[must_use]
    fn explanation(self) -> Explanation<Self>;

    /// What severity a diagnostic with this code has, if not made stricter.
    #[must_use]
    fn severity(self) -> Severity {
        Severity::of(self.as_str())
    }
}

/// There is no such code.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no diagnostic with the code `{0}`")]
pub struct UnknownCode(String);

impl UnknownCode {
    /// The error that `text` is no code.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// Declares the codes of a language: an enum that is a [`Code`](trait@crate::Code), with the same methods as its own, and read
/// from text in any case. The head names the codes that tell of faults that are not shown and of a spent budget, and lists of explanations.
///
/// The crate's documentation has an example.
#[macro_export]
macro_rules! codes {
    (
        $(#[$attribute:meta])*
        pub enum $Code:ident: too many is $too_many:ident, limit is $limit:ident, explained by [$($explanations:expr),* $(,)?];
        $($name:ident = $code:literal, $summary:literal;)*
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $Code {
            $(#[doc = concat!($code, ": ", $summary, ".")] $name,)*
        }

        impl $Code {
            /// All codes, in order.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The explanations of all codes, group by group.
            const EXPLANATIONS: &[&[$crate::Explanation<Self>]] = &[$($explanations),*];

            /// The code as it is written, such as `E0102`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code),* }
            }

            /// The fault in a few words.
            #[must_use]
            pub const fn summary(self) -> &'static str {
                match self { $(Self::$name => $summary),* }
            }

            /// What severity a diagnostic with this code has, if not made stricter.
            #[must_use]
            pub const fn severity(self) -> $crate::Severity {
                $crate::Severity::of(self.as_str())
            }

            /// What the code means, at length.
            #[must_use]
            pub fn explanation(self) -> $crate::Explanation<Self> {
                $crate::explanation(self, Self::EXPLANATIONS)
            }
        }

        impl $crate::Code for $Code {
            const ALL: &'static [Self] = Self::ALL;
            const TOO_MANY: Self = Self::$too_many;
            const LIMIT: Self = Self::$limit;

            fn as_str(self) -> &'static str {
                self.as_str()
            }

            fn summary(self) -> &'static str {
                self.summary()
            }

            fn explanation(self) -> $crate::Explanation<Self> {
                self.explanation()
            }
        }

        impl ::std::fmt::Display for $Code {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl ::std::str::FromStr for $Code {
            type Err = $crate::UnknownCode;

            /// The code written `text`, in any case.
            fn from_str(text: &str) -> Result<Self, $crate::UnknownCode> {
                Self::ALL
                    .iter()
                    .copied()
                    .find(|code| code.as_str().eq_ignore_ascii_case(text))
                    .ok_or_else(|| $crate::UnknownCode::new(text))
            }
        }
    };
}
