//! The ground actions of an incremental grounding, counted by firings.

use fxhash::FxHashMap;
use herbrand_datalog::{Derivations, FiringId, Shift, Symbol};
use herbrand_pddl::SchemaId;

use super::program::LiveProgram;
use crate::normal::NormalDomain;
use crate::program::Meaning;

/// The meaning of a rule's firings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Ground actions. The first symbols of the binding are the arguments.
    Actions {
        schema: SchemaId,
        arity: usize,
        /// Whether several firings may be the same action, because of several disjuncts or of existential variables.
        is_shared: bool,
    },
    /// Axioms, or reachability of atoms.
    Other,
}

/// A ground action: its schema and its arguments.
pub(super) type Action = (SchemaId, Box<[Symbol]>);

/// The ground actions. Actions that may have several firings are counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Actions {
    /// The role of each rule.
    roles: Vec<Role>,
    /// For each action that may have several firings and has at least one: the number of its firings.
    firings: FxHashMap<Action, u32>,
    /// The changes of these actions in the last update: `true` if the action was added.
    changed: Vec<(Action, bool)>,
}

impl Actions {
    /// Creates the set for a program without firings. `meanings` are the meanings of the relaxed rules.
    pub(super) fn of(live: &LiveProgram, meanings: &[Meaning], normal: &NormalDomain) -> Self {
        let role = |(origin, rule): (&herbrand_datalog::RuleId, &herbrand_datalog::Rule)| {
            let Meaning::Action { schema, .. } = meanings[origin.index()] else {
                return Role::Other;
            };
            let of = &normal.schemas[schema];
            Role::Actions {
                schema: of.schema,
                arity: of.arity as usize,
                is_shared: of.precondition.len() > 1 || rule.variables > of.arity,
            }
        };
        Self {
            roles: live.origins.iter().zip(live.program.rules()).map(role).collect(),
            ..Self::default()
        }
    }

    /// Counts all firings that hold.
    pub(super) fn count(&mut self, kept: &Derivations) {
        for firing in live_firings(kept) {
            if let Some(action) = self.shared(kept, firing) {
                *self.firings.entry(action).or_insert(0) += 1;
            }
        }
    }

    /// Updates the counts by the firings that began and ended.
    pub(super) fn follow(&mut self, kept: &Derivations, shift: &Shift) {
        self.changed.clear();
        let mut before: FxHashMap<Action, u32> = FxHashMap::default();
        let mut order = Vec::new();
        let fired = shift.fired.iter().map(|firing| (*firing, true));
        for (firing, fires) in shift.ceased.iter().map(|firing| (*firing, false)).chain(fired) {
            let Some(action) = self.shared(kept, firing) else {
                continue;
            };
            let count = self.firings.entry(action.clone()).or_insert(0);
            if let std::collections::hash_map::Entry::Vacant(first) = before.entry(action.clone()) {
                first.insert(*count);
                order.push(action);
            }
            *count = if fires {
                *count + 1
            } else {
                count.saturating_sub(1)
            };
        }
        for action in order {
            let now = self.firings.get(&action).copied().unwrap_or(0);
            if now == 0 {
                self.firings.remove(&action);
            }
            if (before[&action] == 0) != (now == 0) {
                self.changed.push((action, now > 0));
            }
        }
    }

    /// Calls `see` with every action.
    pub(super) fn each(&self, kept: &Derivations, mut see: impl FnMut(SchemaId, &[Symbol])) {
        for firing in live_firings(kept) {
            if let Some((schema, arguments)) = self.single(kept, firing) {
                see(schema, arguments);
            }
        }
        let shared = self.firings.keys();
        shared.for_each(|(schema, arguments)| see(*schema, arguments));
    }

    /// Calls `see` with every action that the last update added (`true`) or removed (`false`).
    pub(super) fn each_change(&self, kept: &Derivations, mut see: impl FnMut(SchemaId, &[Symbol], bool)) {
        let Shift { fired, ceased, .. } = kept.shift();
        let fired = fired.iter().map(|firing| (*firing, true));
        for (firing, fires) in ceased.iter().map(|firing| (*firing, false)).chain(fired) {
            if let Some((schema, arguments)) = self.single(kept, firing) {
                see(schema, arguments, fires);
            }
        }
        for ((schema, arguments), came) in &self.changed {
            see(*schema, arguments, *came);
        }
    }

    /// Returns the action of a firing if no other firing can be the same action.
    fn single<'k>(&self, kept: &'k Derivations, firing: FiringId) -> Option<(SchemaId, &'k [Symbol])> {
        match self.roles[kept.rule(firing).index()] {
            Role::Actions {
                schema,
                is_shared: false,
                ..
            } => Some((schema, kept.binding(firing))),
            _ => None,
        }
    }

    /// Returns the action of a firing if other firings can be the same action.
    fn shared(&self, kept: &Derivations, firing: FiringId) -> Option<Action> {
        match self.roles[kept.rule(firing).index()] {
            Role::Actions {
                schema,
                arity,
                is_shared: true,
            } => Some((schema, kept.binding(firing)[..arity].into())),
            _ => None,
        }
    }

    /// Returns the bytes of the counts.
    pub(super) fn bytes(&self) -> u64 {
        let one = |(_, arguments): &Action| size_of::<Action>() + size_of_val(&**arguments) + 16;
        self.firings.keys().map(one).sum::<usize>() as u64
    }
}

/// Iterates over the firings that hold now.
pub(super) fn live_firings(kept: &Derivations) -> impl Iterator<Item = FiringId> {
    let all = (0..crate::normal::u32_len(kept.firings())).map(FiringId::new);
    all.filter(|firing| kept.fires(*firing))
}
