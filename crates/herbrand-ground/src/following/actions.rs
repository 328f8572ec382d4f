//! Which firings are ground actions.

use fxhash::FxHashMap;
use herbrand_datalog::{Derivations, FiringId, Shift, Symbol};
use herbrand_pddl::SchemaId;

use super::program::LiveProgram;
use crate::normal::NormalDomain;
use crate::program::Meaning;

/// What the firings of a rule stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Ground actions: the first symbols of the binding are the arguments.
    Actions {
        schema: SchemaId,
        arity: usize,
        /// Whether several firings may be one action: by several disjuncts of its precondition, or several witnesses.
        is_shared: bool,
    },
    /// Axioms, or only that something can become true.
    Other,
}

/// A ground action: its schema and its arguments.
pub(super) type Action = (SchemaId, Box<[Symbol]>);

/// The ground actions, counted by firings where there may be several.
#[derive(Clone, Debug, Default)]
pub(super) struct Actions {
    /// By rule.
    roles: Vec<Role>,
    /// Of actions that may have several firings: how many they have, if any.
    firings: FxHashMap<Action, u32>,
    /// Which of these came and went in the last update.
    changed: Vec<(Action, bool)>,
}

impl Actions {
    /// The actions of a program before anything fired; `meanings` are those of the relaxed rules.
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

    /// Counts all firings that there are.
    pub(super) fn count(&mut self, kept: &Derivations) {
        for firing in live_firings(kept) {
            if let Some(action) = self.shared(kept, firing) {
                *self.firings.entry(action).or_insert(0) += 1;
            }
        }
    }

    /// Counts what came and went.
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

    /// Calls `see` with every action that there is.
    pub(super) fn each(&self, kept: &Derivations, mut see: impl FnMut(SchemaId, &[Symbol])) {
        for firing in live_firings(kept) {
            if let Some((schema, arguments)) = self.single(kept, firing) {
                see(schema, arguments);
            }
        }
        let shared = self.firings.keys();
        shared.for_each(|(schema, arguments)| see(*schema, arguments));
    }

    /// Calls `see` with every action that came or went in the last update.
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

    /// The action that a firing is and no other firing is.
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

    /// The action that a firing is and others may be too.
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

    /// The bytes that counts take.
    pub(super) fn bytes(&self) -> u64 {
        let one = |(_, arguments): &Action| size_of::<Action>() + size_of_val(&**arguments) + 16;
        self.firings.keys().map(one).sum::<usize>() as u64
    }
}

/// The firings that fire now.
pub(super) fn live_firings(kept: &Derivations) -> impl Iterator<Item = FiringId> {
    let all = (0..crate::normal::u32_len(kept.firings())).map(FiringId::new);
    all.filter(|firing| kept.fires(*firing))
}
