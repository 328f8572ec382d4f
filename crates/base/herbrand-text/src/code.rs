//! Diagnostic codes. The front end of each language declares its own with [`codes!`](crate::codes).

use std::fmt::{Debug, Display};
use std::hash::Hash;

/// The severity of a diagnostic: whether the text is accepted in spite of it. [`Code::severity`] and
/// [`Diagnostic::severity`](crate::Diagnostic::severity) return it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The text is accepted, unless warnings are treated as errors.
    Warning,
    /// The text is rejected.
    Error,
}

impl Severity {
    /// Returns the name of the severity in diagnostics, `warning` or `error`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// Returns the severity of the code written as `code`: a warning if it begins with `W`, an error otherwise. Any
    /// text is accepted, also one that is no code.
    #[must_use]
    pub const fn of(code: &str) -> Self {
        match code.as_bytes() {
            [b'W', ..] => Self::Warning,
            _ => Self::Error,
        }
    }
}

/// An explanation of a code for users. [`Code::explanation`] returns it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// Why it is a fault, and how to fix it.
    pub text: &'static str,
    /// An example that has the fault; empty if it would be too long.
    pub wrong: &'static str,
    /// The corrected example; empty if there is no wrong one.
    pub right: &'static str,
}

/// The kind of fault that a diagnostic reports: an enum with one variant per code of a language. Codes are stable and
/// unique among all languages. The macro [`codes!`](crate::codes) declares the codes of a language and implements this
/// trait. A code whose text begins with `W` is a warning, any other an error.
pub trait Code: Copy + Ord + Hash + Debug + Display + 'static {
    /// All codes of the language, in order.
    const ALL: &'static [Self];

    /// The code of the diagnostic that reports how many further faults are not shown.
    const TOO_MANY: Self;

    /// The code of the error that parsing exceeded its limit on time or memory.
    const LIMIT: Self;

    /// Returns the code as written, such as `E0102`.
    #[must_use]
    fn as_str(self) -> &'static str;

    /// Returns a summary of the fault in a few words.
    #[must_use]
    fn summary(self) -> &'static str;

    /// Returns the explanation of the code, with examples.
    #[must_use]
    fn explanation(self) -> Explanation;

    /// Returns the severity of a diagnostic with this code. In strict mode, the collector turns warnings into errors.
    #[must_use]
    fn severity(self) -> Severity {
        Severity::of(self.as_str())
    }
}

/// The error that a text is not a diagnostic code. Parsing a code of [`codes!`](crate::codes) from text returns it.
/// [`new`](Self::new) makes one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no diagnostic with the code `{0}`")]
pub struct UnknownCode(String);

impl UnknownCode {
    /// Creates the error that `text` is not the code of any diagnostic.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// Declares the codes of a language: an enum that implements [`Code`](trait@crate::Code), has the same methods itself, and
/// parses from text in any case. The head names the code for omitted faults and the code for an exhausted budget. A code has
/// its text, a summary and an explanation, and then, unless they would be too long, an example that has the fault and the
/// corrected example.
///
/// The crate's documentation has an example.
#[macro_export]
macro_rules! codes {
    (
        $(#[$attribute:meta])*
        pub enum $Code:ident: too many is $too_many:ident, limit is $limit:ident;
        $($name:ident = $code:literal, $summary:literal, $text:literal $(, $wrong:literal, $right:literal)?;)*
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $Code {
            $(#[doc = concat!($code, ": ", $summary, ".")] $name,)*
        }

        impl $Code {
            /// All codes of the language, in the order of declaration.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Returns the code as written, such as `E0102`. `str::parse` reads it, in any case.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code),* }
            }

            /// Returns a summary of the fault in a few words. [`explanation`](Self::explanation) says more.
            #[must_use]
            pub const fn summary(self) -> &'static str {
                match self { $(Self::$name => $summary),* }
            }

            /// Returns the severity of a diagnostic with this code. In strict mode, the collector turns warnings into
            /// errors.
            #[must_use]
            pub const fn severity(self) -> $crate::Severity {
                $crate::Severity::of(self.as_str())
            }

            /// Returns the explanation of the code, with examples.
            #[must_use]
            pub const fn explanation(self) -> $crate::Explanation {
                let (text, wrong, right) = match self {
                    $(Self::$name => ($text, concat!($($wrong)?), concat!($($right)?))),*
                };
                $crate::Explanation { text, wrong, right }
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

            fn explanation(self) -> $crate::Explanation {
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

            /// Parses a code, in any case.
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
