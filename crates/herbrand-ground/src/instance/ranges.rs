//! What quantified variables range over.

use fxhash::FxHashMap;
use herbrand_pddl::{ObjectId, TypeUnion, Variable, VariableId};

use super::binding::Binding;
use crate::program::Signature;

/// The objects of each type that some variable has, in declaration order.
pub(super) struct Ranges {
    objects: FxHashMap<TypeUnion, Vec<ObjectId>>,
}

impl Ranges {
    /// The ranges of all variables of `scopes`.
    pub(super) fn of<'s>(signature: &Signature<'_>, scopes: impl Iterator<Item = &'s [Variable]>) -> Self {
        let mut objects = FxHashMap::default();
        for variable in scopes.flatten() {
            if !objects.contains_key(&variable.types) {
                objects.insert(
                    variable.types.clone(),
                    signature.objects_of(&variable.types).collect(),
                );
            }
        }
        Self { objects }
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
            return visit(binding);
        };
        for &object in &self.objects[&scope[first.index()].types] {
            binding.set(first, object);
            self.for_each(rest, scope, binding, visit);
        }
    }
}
