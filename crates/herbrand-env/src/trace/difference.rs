//! How a trace and this engine differ.

use std::fmt;

/// A place where the trace and this engine differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The line of the trace, from 1.
    pub line: usize,
    /// The walk.
    pub walk: u64,
    /// The step of the walk.
    pub step: u64,
    /// How they differ.
    pub difference: Difference,
}

/// How a trace and this engine differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// Other atoms of static predicates are true.
    Statics(Sets),
    /// The recorded state is none of the possible ones; the sets are compared with the nearest of them.
    Atoms {
        /// How many states were possible.
        possible: usize,
        /// The difference from the nearest.
        sets: Sets,
    },
    /// Other actions are valid.
    Actions(Sets),
    /// The recorded goal flag is the other one.
    Goal {
        /// Whether the trace says that the goal holds.
        recorded: bool,
    },
    /// The recorded choice has no meaning here.
    Chosen {
        /// The choice.
        action: String,
        /// Why.
        reason: String,
    },
}

/// Two sets that should be equal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sets {
    /// What only the trace has.
    pub only_recorded: Vec<String>,
    /// What only this engine has.
    pub only_here: Vec<String>,
}

impl Sets {
    /// Whether the sets are equal.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.only_recorded.is_empty() && self.only_here.is_empty()
    }

    /// How many elements only one of them has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.only_recorded.len() + self.only_here.len()
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, walk, step, .. } = self;
        write!(f, "line {line} (walk {walk}, step {step}): {}", self.difference)
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Statics(sets) => write!(f, "the static atoms differ{sets}"),
            Self::Atoms { possible: 1, sets } => write!(f, "the atoms differ{sets}"),
            Self::Atoms { possible, sets } => {
                write!(
                    f,
                    "none of {possible} possible states has the recorded atoms{sets}"
                )
            }
            Self::Actions(sets) => write!(f, "the valid actions differ{sets}"),
            Self::Goal { recorded: true } => {
                f.write_str("the trace says that the goal holds; here it does not")
            }
            Self::Goal { recorded: false } => {
                f.write_str("the goal holds here; the trace says that it does not")
            }
            Self::Chosen { action, reason } => write!(f, "the trace takes {action}: {reason}"),
        }
    }
}

impl fmt::Display for Sets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// How many elements are shown of each set.
        const SHOWN: usize = 12;
        for (label, set) in [
            ("only in the trace", &self.only_recorded),
            ("only here", &self.only_here),
        ] {
            if !set.is_empty() {
                let shown = set.iter().take(SHOWN).cloned().collect::<Vec<_>>();
                write!(f, "\n  {label}: {}", shown.join(" "))?;
                if set.len() > SHOWN {
                    write!(f, " … ({} in all)", set.len())?;
                }
            }
        }
        Ok(())
    }
}
