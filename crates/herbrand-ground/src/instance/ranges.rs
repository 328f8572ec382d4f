//! What quantified variables range over.

use std::cell::RefCell;

use fxhash::FxHashMap;
use herbrand_limits::{Meter, Spent};
use herbrand_pddl::{ObjectId, TypeUnion, Variable, VariableId};

use super::binding::Binding;
use crate::program::Signature;

/// The objects of each type that some variable has, in declaration order.
pub(super) struct Ranges {
    objects: FxHashMap<TypeUnion, Vec<ObjectId>>,
    /// Bindings are charged here, and nothing is visited any more once it is spent.
    meter: RefCell<Meter>,
}

impl Ranges {
    /// The ranges of all variables of `scopes`.
    pub(super) fn of<'s>(
        signature: &Signature<'_>,
        scopes: impl Iterator<Item = &'s [Variable]>,
        meter: Meter,
    ) -> Self {
        let mut objects = FxHashMap::default();
        for variable in scopes.flatten() {
            if !objects.contains_key(&variable.types) {
                objects.insert(
                    variable.types.clone(),
                    signature.objects_of(&variable.types).collect(),
                );
            }
        }
        Self {
            objects,
            meter: RefCell::new(meter),
        }
    }

    /// Says how many bytes of the task have been written.
    pub(super) fn hold(&self, bytes: usize) {
        self.meter.borrow_mut().hold(bytes as u64);
    }

    /// Looks at the budget.
    ///
    /// # Errors
    /// When it is spent.
    pub(super) fn check(&self) -> Result<(), Spent> {
        self.meter.borrow_mut().check()
    }

    /// Calls `visit` with every binding of `variables` to objects of their types; the last variable moves fastest.
    pub(super) fn for_each(
        &self,
        variables: &[VariableId],
        scope: &[Variable],
        binding: &mut Binding,
        visit: &mut dyn FnMut(&mut Binding),
    ) {
        let Some((&first, rest)) = variables.split_first() else {
            let goes_on = self.meter.borrow_mut().charge(0);
            if goes_on {
                visit(binding);
            }
            return;
        };
        for &object in &self.objects[&scope[first.index()].types] {
            if self.meter.borrow().is_spent() {
                return;
            }
            binding.set(first, object);
            self.for_each(rest, scope, binding, visit);
        }
    }
}
