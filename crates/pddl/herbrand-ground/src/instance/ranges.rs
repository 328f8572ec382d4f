//! The ranges of quantified variables.

use std::cell::RefCell;

use fxhash::FxHashMap;
use herbrand_limits::{BudgetExhausted, Meter};
use herbrand_pddl::{ObjectId, TypeUnion, Variable, VariableId};

use super::binding::Binding;
use crate::program::Signature;

/// The objects of each type of a variable, in order of declaration.
pub(super) struct Ranges {
    objects: FxHashMap<TypeUnion, Vec<ObjectId>>,
    /// The meter for bindings. Once it is exhausted, iteration stops.
    meter: RefCell<Meter>,
}

impl Ranges {
    /// Computes the ranges of all variables of `scopes`.
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

    /// Sets the number of bytes of the task so far.
    pub(super) fn hold(&self, bytes: usize) {
        self.meter.borrow_mut().hold(bytes as u64);
    }

    /// Checks the budget.
    ///
    /// # Errors
    /// If it is exhausted.
    pub(super) fn check(&self) -> Result<(), BudgetExhausted> {
        self.meter.borrow_mut().check()
    }

    /// Calls `visit` with every binding of `variables` to objects of their types, the last variable varying fastest.
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
