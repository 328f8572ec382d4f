//! Finite-domain tasks: variables with finite domains, operators with prevail conditions, and axioms in layers.

use std::collections::BTreeSet;

/// A planning task over variables with finite domains, also called a SAS+ task. It has what version 3 of Fast
/// Downward's translator format has: conditional effects, costs, axioms in layers, and mutex groups.
/// [`from_sas`](Self::from_sas) reads one, and [`translate`](crate::translate()) makes one of a ground task. Variables,
/// values and operators are numbered from 0.
///
/// A state is a list with the value of each variable. The values of derived variables follow from the others
/// ([`derive`](Self::derive)).
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FiniteDomainTask {
    /// Whether plans are judged by the costs of operators. If not, every operator costs 1, whatever its cost says.
    pub metric: bool,
    /// The variables. Facts name them by their index.
    pub variables: Vec<Variable>,
    /// Sets of facts that exclude each other in reachable states, besides the facts of one variable.
    pub mutexes: Vec<Vec<Fact>>,
    /// The initial value of each variable. For a derived variable, it is the value that holds unless an axiom says
    /// otherwise.
    pub initial: Vec<u32>,
    /// The facts that must be true in a goal state, ascending, at most one per variable. If
    /// the list is empty, every state is a goal state.
    pub goal: Vec<Fact>,
    /// The operators. Plans name them by their index.
    pub operators: Vec<Operator>,
    /// The axioms, in any order; [`derive`](Self::derive) applies them layer by layer.
    pub axioms: Vec<Axiom>,
}

/// A variable of a [`FiniteDomainTask`] with its values.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Variable {
    /// The name of the variable, such as `var3`.
    pub name: String,
    /// The layer of a derived variable, whose value axioms define; `None` for a variable that operators change.
    pub layer: Option<u32>,
    /// The meaning of each value: `Atom on(a, b)`, `NegatedAtom clear(a)`, or `<none of those>`.
    pub values: Vec<String>,
}

/// A variable with one of its values. Goals, conditions and mutex groups consist of facts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Fact {
    /// The index of the variable in [`FiniteDomainTask::variables`].
    pub variable: u32,
    /// The index of the value in [`Variable::values`].
    pub value: u32,
}

/// An operator: an element of [`FiniteDomainTask::operators`]. It is applicable if its prevail conditions and the old
/// values of its effects hold.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Operator {
    /// The name and the arguments, separated by spaces.
    pub name: String,
    /// The preconditions on variables that the operator does not change, ascending.
    pub prevail: Vec<Fact>,
    /// The effects, ascending by variable. They happen at the same time; of several effects on one variable, the last
    /// one counts.
    pub effects: Vec<Effect>,
    /// The cost of a step, which counts if [`FiniteDomainTask::metric`] is set.
    pub cost: u64,
}

/// An effect of an [`Operator`]: a variable changes from one value to another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Effect {
    /// The index of the variable in [`FiniteDomainTask::variables`].
    pub variable: u32,
    /// The value that the variable must have for the operator to be applicable; `None` for any.
    pub before: Option<u32>,
    /// The new value.
    pub after: u32,
    /// The facts under which the effect happens, ascending. They are no preconditions of the operator.
    pub condition: Vec<Fact>,
}

/// An axiom: if its condition holds, a derived variable gets its other value. [`FiniteDomainTask::axioms`] lists them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Axiom {
    /// The facts that imply the head, ascending.
    pub condition: Vec<Fact>,
    /// The derived variable and the value that it gets.
    pub head: Fact,
}

impl Operator {
    /// Keeps the effects for which `keep` is true. The value that a variable must have stays a precondition if all effects on
    /// the variable go.
    pub(crate) fn retain_effects(&mut self, mut keep: impl FnMut(&Effect) -> bool) {
        if self.effects.iter().all(&mut keep) {
            return;
        }
        let mut freed = Vec::new();
        self.effects.retain(|effect| {
            let kept = keep(effect);
            if let (false, Some(before)) = (kept, effect.before) {
                freed.push(Fact::new(effect.variable, before));
            }
            kept
        });
        freed.retain(|fact| self.effects.iter().all(|effect| effect.variable != fact.variable));
        self.prevail.extend(freed);
        self.prevail.sort_unstable();
        self.prevail.dedup();
    }
}

impl Fact {
    /// Returns the fact that the variable with this index has this value. Whether a task has them is not checked.
    #[must_use]
    pub const fn new(variable: u32, value: u32) -> Self {
        Self { variable, value }
    }

    /// Returns whether the fact is true in a state, a list with the value of each variable.
    ///
    /// # Panics
    /// If the state has no such variable.
    #[must_use]
    #[inline]
    pub fn holds(self, state: &[u32]) -> bool {
        state[self.variable as usize] == self.value
    }
}

/// Returns whether all facts are true in a state.
fn hold(facts: &[Fact], state: &[u32]) -> bool {
    facts.iter().all(|fact| fact.holds(state))
}

impl Operator {
    /// Iterates over all preconditions: the prevail conditions, then the old values of the effects. A variable with several
    /// effects may occur several times.
    pub fn preconditions(&self) -> impl Iterator<Item = Fact> {
        let before = |effect: &Effect| Some(Fact::new(effect.variable, effect.before?));
        self.prevail
            .iter()
            .copied()
            .chain(self.effects.iter().filter_map(before))
    }

    /// Returns whether the operator is applicable in a state with the values of derived variables.
    ///
    /// # Panics
    /// If the state lacks a variable.
    #[must_use]
    pub fn is_applicable(&self, state: &[u32]) -> bool {
        self.preconditions().all(|fact| fact.holds(state))
    }
}

impl FiniteDomainTask {
    /// Returns the number of bits that a state takes if each variable takes the least whole number of bits. Derived
    /// variables take none.
    #[must_use]
    pub fn state_bits(&self) -> u64 {
        let stored = self.variables.iter().filter(|variable| variable.layer.is_none());
        stored
            .map(|variable| u64::from(bits(variable.values.len())))
            .sum()
    }

    /// Returns the initial state, a list with the value of each variable, derived ones included.
    #[must_use]
    pub fn initial_state(&self) -> Vec<u32> {
        let mut state = self.initial.clone();
        self.derive(&mut state);
        state
    }

    /// Sets the values of all derived variables of a state, layer by layer.
    ///
    /// # Panics
    /// If the task has axioms and the state lacks a variable that is derived or read by them. A longer state is
    /// accepted.
    pub fn derive(&self, state: &mut [u32]) {
        if self.axioms.is_empty() {
            return;
        }
        for (index, variable) in self.variables.iter().enumerate() {
            if variable.layer.is_some() {
                state[index] = self.initial[index];
            }
        }
        let layer = |axiom: &Axiom| self.variables[axiom.head.variable as usize].layer;
        let layers: BTreeSet<_> = self.axioms.iter().map(layer).collect();
        for current in layers {
            loop {
                let mut changed = false;
                for axiom in self.axioms.iter().filter(|axiom| layer(axiom) == current) {
                    if !axiom.head.holds(state) && hold(&axiom.condition, state) {
                        state[axiom.head.variable as usize] = axiom.head.value;
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
        }
    }

    /// Returns the state after the operator with this index, with the values of derived variables. The operator should
    /// be applicable.
    ///
    /// # Panics
    /// If the task has no such operator, or if the state lacks a variable that is read or set. A longer state is
    /// accepted.
    #[must_use]
    pub fn successor(&self, state: &[u32], operator: usize) -> Vec<u32> {
        let mut next = state.to_vec();
        for effect in &self.operators[operator].effects {
            if hold(&effect.condition, state) {
                next[effect.variable as usize] = effect.after;
            }
        }
        self.derive(&mut next);
        next
    }

    /// Returns whether a state with the values of derived variables is a goal state.
    ///
    /// # Panics
    /// If the state lacks a variable.
    #[must_use]
    pub fn is_goal(&self, state: &[u32]) -> bool {
        hold(&self.goal, state)
    }

    /// Returns the cost of a step by the operator with this index: 1 if there is no [metric](Self::metric).
    ///
    /// # Panics
    /// If the task has no such operator.
    #[must_use]
    pub fn step_cost(&self, operator: usize) -> u64 {
        let cost = self.operators[operator].cost;
        if self.metric { cost } else { 1 }
    }
}

/// Sorts effects. Of equal effects, removes all but the first, and so those with conditions if one has none.
pub(crate) fn tidy(effects: &mut Vec<Effect>) {
    effects.sort_unstable();
    let same = |one: &Effect, other: &Effect| {
        (one.variable, one.before, one.after) == (other.variable, other.before, other.after)
    };
    effects.dedup_by(|later, first| later == first || same(later, first) && first.condition.is_empty());
}

/// Returns the least number of bits that hold this many values.
pub(crate) const fn bits(values: usize) -> u32 {
    if values <= 1 { 0 } else { (values - 1).ilog2() + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_enough_and_no_more() {
        for (values, expected) in [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4)] {
            assert_eq!(bits(values), expected, "{values}");
        }
    }
}
