//! The options of reading a text, and the faults that texts of every language can have.

use herbrand_limits::Budget;

use crate::code::Code;
use crate::report::Diagnostics;
use crate::source::{Source, Span};

/// Options for reading a text of any language. By default, reading is neither strict nor lenient and has no limits.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// Whether warnings, such as a missing requirement flag, are errors.
    pub strict: bool,
    /// Whether faults with one obvious repair are warnings: a missing or surplus parenthesis, a word or list outside of any
    /// section, an argument of the wrong type, an object declared again with another type. Each warning has a note with
    /// the repair. If `strict` is set too, they are errors. RDDL has no such faults.
    pub lenient: bool,
    /// The maximum length of each text, in bytes. A longer text is rejected with the code `TextTooLong`. The default is
    /// 4 GiB (`u32::MAX`).
    pub max_bytes: u32,
    /// The time and memory for reading. If they do not suffice, the text is rejected with the code `LimitReached`. The
    /// default is [`Budget::unlimited`].
    pub budget: Budget,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            strict: false,
            lenient: false,
            max_bytes: u32::MAX,
            budget: Budget::unlimited(),
        }
    }
}

impl ReadOptions {
    /// Returns the default options with the given budget, which is shared: reading uses up its time.
    #[must_use]
    pub fn within(budget: &Budget) -> Self {
        Self {
            budget: budget.clone(),
            ..Self::default()
        }
    }

    /// Returns whether the collector's text is longer than [`max_bytes`](Self::max_bytes). If so, it is a fault with this code.
    pub fn is_too_long<C: Code>(&self, code: C, faults: &mut Diagnostics<C>) -> bool {
        let (length, most) = (faults.source().text().len(), self.max_bytes);
        let is_long = length > most as usize;
        if is_long {
            faults.report(code, format!("the text has {length} bytes"), |d| {
                d.primary(START, format!("a text may have at most {most} bytes"))
            });
        }
        is_long
    }
}

/// The place of a fault that concerns no particular part of a text.
const START: Span = Span { start: 0, end: 0 };

impl<C: Code> Diagnostics<C> {
    /// Reports that a text does not have exactly one definition of a kind, such as `domain`. `names` are the places of the
    /// names of all definitions of that kind; without any, the diagnostic says `how` one is written.
    pub fn report_count(&mut self, code: C, kind: &str, how: &str, names: &[(&Source, Span)]) {
        let message = match names.len() {
            0 => format!("the text defines no {kind}"),
            n => format!("the text defines {n} {kind}s, not one"),
        };
        self.report(code, message, |d| match names {
            [] => d.primary(START, how),
            [(_, first), rest @ ..] => {
                let d = d.primary(*first, format!("one {kind}"));
                rest.iter().take(7).fold(d, |d, (source, span)| {
                    d.label_in(source, *span, format!("another {kind}"))
                })
            }
        });
    }
}
