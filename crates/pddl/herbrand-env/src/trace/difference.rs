//! Differences between a trace and this engine.

use std::fmt;

/// A difference between a trace and this engine, of one of several kinds. [`Replay`](super::Replay) has the first one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// The true atoms of static predicates differ, or an atom that the header calls static, although actions may change
    /// it here, does not hold in a state.
    Statics(Sets),
    /// The recorded state is not among the possible states. The sets of atoms are compared with the most similar possible
    /// state.
    Atoms {
        /// The number of possible states.
        possible: usize,
        /// The difference from the most similar one.
        sets: Sets,
    },
    /// The sets of valid actions differ. Ambiguous actions count as valid. Actions that name an object twice do not
    /// count if the header omits them
    /// ([`Header::repeated_objects_excluded`](super::Header::repeated_objects_excluded)).
    Actions(Sets),
    /// The goal holds according to only one of the trace and this engine.
    Goal {
        /// Whether the goal holds according to the trace.
        recorded: bool,
    },
    /// The recorded action is unknown, not valid in the replayed state, or has no result there.
    Chosen {
        /// The recorded action.
        action: String,
        /// The reason, as a phrase. The next state is then accepted without comparison.
        reason: String,
    },
}

/// The differences of two sets that should be equal: one from the trace, one from the replay. `Display` writes at most
/// 12 elements of each. A [`Difference`] contains them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sets {
    /// The elements that only the trace has.
    pub only_recorded: Vec<String>,
    /// The elements that only this engine has.
    pub only_here: Vec<String>,
}

impl Sets {
    /// Returns whether there is no difference: the trace and this engine have the same elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.only_recorded.is_empty() && self.only_here.is_empty()
    }

    /// Returns the number of elements that only one of the sets has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.only_recorded.len() + self.only_here.len()
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
        /// The maximum number of elements shown per set.
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
