//! A readable record of a step: the effects that happened and the resulting changes.

use std::collections::BTreeSet;
use std::fmt;

use herbrand_ground::Distribution;
use herbrand_pddl::AssignOperator;

use crate::semantics::arithmetic::Fault;

/// A record of one step for display: the effects of its action, which of them happened, and the resulting changes. All
/// names are in PDDL syntax. The ground and the lifted engine give the same record, except that the lifted engine
/// leaves out conditional effects whose condition did not hold.
/// [`Walker::apply_explained`](crate::Walker::apply_explained) and
/// [`LiftedWalker::apply_explained`](crate::LiftedWalker::apply_explained) return it. The lists of changes are in
/// alphabetical order.
#[derive(Clone, PartialEq, Debug)]
pub struct StepRecord {
    /// The action in PDDL syntax.
    pub action: String,
    /// The effects of the action: first unconditional ones (atoms in alphabetical order, then numbers in the order of the
    /// text), then conditional effects, then draws.
    pub effects: Vec<EffectRecord>,
    /// The fluent atoms that became true.
    pub added: Vec<String>,
    /// The fluent atoms that became false.
    pub deleted: Vec<String>,
    /// The derived atoms that changed, each with its new truth value.
    pub derived: Vec<(String, bool)>,
    /// The numeric fluents of the state that changed.
    pub numbers: Vec<NumberRecord>,
    /// The amounts by which accumulators changed. Accumulators are numeric fluents outside the state, such as the total
    /// cost.
    pub deltas: Vec<(String, f64)>,
}

/// One effect of an action with its variables bound, in PDDL syntax. [`StepRecord::effects`] lists them.
#[derive(Clone, PartialEq, Debug)]
pub enum EffectRecord {
    /// An atom to be made true, whether or not it was true before.
    Add(String),
    /// An atom to be made false, whether or not it was true before. It stays true if another effect of the action adds
    /// it.
    Delete(String),
    /// A change of a numeric fluent with the value of the right-hand side, such as `(increase (fuel) 3)`. The value is
    /// `undefined` if it has none.
    Assign(String),
    /// Effects under a condition (`when`).
    When {
        /// The condition in PDDL syntax.
        condition: String,
        /// Whether it held before the action.
        held: bool,
        /// The effects that happened under it; empty if it did not hold.
        effects: Vec<Self>,
    },
    /// A draw from a probabilistic effect, also one with a single possible alternative.
    Draw {
        /// The index of the alternative drawn among the possible alternatives, counted from 0; `None` if the draw has no
        /// effect.
        drawn: Option<usize>,
        /// The probability of that alternative, or of no effect.
        probability: f64,
        /// The effects of that alternative; empty if the draw has no effect.
        effects: Vec<Self>,
    },
}

/// A numeric fluent that changed, with its old and its new value. [`StepRecord::numbers`] lists them.
#[derive(Clone, PartialEq, Debug)]
pub struct NumberRecord {
    /// The numeric fluent in PDDL syntax.
    pub number: String,
    /// Its value before the step; `None` if it was undefined.
    pub before: Option<f64>,
    /// Its value after the step; `None` if it is undefined.
    pub after: Option<f64>,
}

impl EffectRecord {
    /// The adds and deletes of an unconditional effect, each in alphabetical order. A delete of an added atom has no effect
    /// and is left out.
    pub(crate) fn certain(adds: BTreeSet<String>, deletes: BTreeSet<String>) -> Vec<Self> {
        let lost = deletes.difference(&adds).cloned().map(Self::Delete);
        let lost: Vec<_> = lost.collect();
        adds.into_iter().map(Self::Add).chain(lost).collect()
    }

    /// The record of a draw. `explain` is called with the alternative drawn and returns its effects.
    pub(crate) fn draw(
        distribution: &Distribution,
        drawn: Option<usize>,
        explain: impl FnOnce(usize) -> Vec<Self>,
    ) -> Self {
        Self::Draw {
            drawn,
            probability: distribution.probability(drawn),
            effects: drawn.map(explain).unwrap_or_default(),
        }
    }

    pub(crate) fn assign(
        operator: AssignOperator,
        target: &impl fmt::Display,
        value: Result<f64, Fault>,
    ) -> Self {
        Self::Assign(match value {
            // Adding zero turns −0 into 0.
            Ok(value) => format!("({operator} {target} {})", value + 0.0),
            Err(_) => format!("({operator} {target} undefined)"),
        })
    }

    /// Appends a line for each draw, with the changes it caused in the step of `record`.
    fn tell_draws(&self, record: &StepRecord, lines: &mut Vec<String>) {
        match self {
            Self::Add(_) | Self::Delete(_) | Self::Assign(_) => {}
            Self::When { effects, .. } => effects.iter().for_each(|effect| effect.tell_draws(record, lines)),
            Self::Draw {
                probability, effects, ..
            } => {
                if *probability < 1.0 {
                    let (mut changes, mut idle) = (Vec::new(), Vec::new());
                    effects
                        .iter()
                        .for_each(|effect| effect.tell_changes(record, &mut changes, &mut idle));
                    let changes = match (changes.as_slice(), idle.as_slice()) {
                        ([], []) => "no change".to_owned(),
                        ([], idle) => format!("no change: {}", idle.join(", ")),
                        (changes, _) => changes.join(" "),
                    };
                    lines.push(format!("by chance (probability {probability}): {changes}"));
                }
                effects.iter().for_each(|effect| effect.tell_draws(record, lines));
            }
        }
    }

    /// Appends the changes of this effect, except those of nested draws, and clauses about the atoms that it left as they
    /// were.
    fn tell_changes(&self, record: &StepRecord, changes: &mut Vec<String>, idle: &mut Vec<String>) {
        match self {
            Self::Add(atom) if record.added.contains(atom) => changes.push(format!("+{atom}")),
            Self::Add(atom) => idle.push(format!("{atom} holds as before")),
            Self::Delete(atom) if record.deleted.contains(atom) => changes.push(format!("-{atom}")),
            Self::Delete(atom) if record.added.contains(atom) => {}
            Self::Delete(atom) => idle.push(format!("no {atom} as before")),
            Self::Assign(text) => changes.push(text.clone()),
            Self::When { effects, .. } => effects
                .iter()
                .for_each(|effect| effect.tell_changes(record, changes, idle)),
            Self::Draw { .. } => {}
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let indent = 2 * depth;
        match self {
            Self::Add(atom) => write!(f, "\n{:indent$}add {atom}", ""),
            Self::Delete(atom) => write!(f, "\n{:indent$}delete {atom}", ""),
            Self::Assign(text) => write!(f, "\n{:indent$}{text}", ""),
            Self::When {
                condition,
                held,
                effects,
            } => {
                let held = if *held { "held" } else { "did not hold" };
                write!(f, "\n{:indent$}when {condition}, which {held}", "")?;
                write_all(effects, f, depth + 1)
            }
            Self::Draw {
                drawn,
                probability,
                effects,
            } => {
                write!(f, "\n{:indent$}with probability {probability}", "")?;
                match drawn {
                    Some(alternative) => write!(f, ", alternative {}", alternative + 1)?,
                    None => f.write_str(", no change")?,
                }
                write_all(effects, f, depth + 1)
            }
        }
    }
}

fn write_all(effects: &[EffectRecord], f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
    effects.iter().try_for_each(|effect| effect.write(f, depth))
}

impl StepRecord {
    /// Returns the outcome of chance as text: a line for each draw with its probability and the changes it caused, in
    /// the order of the draws, such as `by chance (probability 0.5): +(up)`. An effect that left its atom as it was is no
    /// change. Draws with a single possible alternative are left out, so the list is empty if nothing was left to chance.
    #[must_use]
    pub fn draws(&self) -> Vec<String> {
        let mut lines = Vec::new();
        self.effects
            .iter()
            .for_each(|effect| effect.tell_draws(self, &mut lines));
        lines
    }

    /// Sorts all lists of changes alphabetically, because engines number atoms and numbers in different orders.
    pub(crate) fn sorted(mut self) -> Self {
        self.added.sort_unstable();
        self.deleted.sort_unstable();
        self.derived.sort_unstable();
        self.numbers.sort_by(|one, other| one.number.cmp(&other.number));
        self.deltas.sort_by(|one, other| one.0.cmp(&other.0));
        self
    }
}

/// Writes the action, one effect per line, and the changes.
impl fmt::Display for StepRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.action)?;
        write_all(&self.effects, f, 1)?;
        f.write_str("\nchanged:")?;
        let start = |holds| if holds { '+' } else { '-' };
        for (atom, holds) in self
            .added
            .iter()
            .map(|atom| (atom, true))
            .chain(self.deleted.iter().map(|atom| (atom, false)))
            .chain(self.derived.iter().map(|(atom, holds)| (atom, *holds)))
        {
            write!(f, " {}{atom}", start(holds))?;
        }
        for number in &self.numbers {
            write!(f, " {} ", number.number)?;
            write_value(f, number.before)?;
            f.write_str("→")?;
            write_value(f, number.after)?;
        }
        self.deltas
            .iter()
            .try_for_each(|(number, delta)| write!(f, " {number} {delta:+}"))?;
        let changed = [&self.added, &self.deleted].iter().any(|atoms| !atoms.is_empty())
            || !self.derived.is_empty()
            || !self.numbers.is_empty()
            || !self.deltas.is_empty();
        if changed { Ok(()) } else { f.write_str(" nothing") }
    }
}

fn write_value(f: &mut fmt::Formatter<'_>, value: Option<f64>) -> fmt::Result {
    match value {
        Some(value) => write!(f, "{value}"),
        None => f.write_str("undefined"),
    }
}
