//! Bindings of variables to objects.

use herbrand_pddl::{ObjectId, Term, VariableId};

/// The current object of each variable of one scope.
pub(super) struct Binding {
    objects: Vec<ObjectId>,
}

impl Binding {
    /// Creates a binding of this many variables.
    pub(super) fn new(variables: usize) -> Self {
        Self {
            objects: vec![ObjectId::new(0); variables],
        }
    }

    /// Sets the first variables.
    pub(super) fn set_first(&mut self, numbers: &[u32]) {
        for (object, &number) in self.objects.iter_mut().zip(numbers) {
            *object = ObjectId::new(number);
        }
    }

    /// Sets one variable.
    pub(super) fn set(&mut self, variable: VariableId, object: ObjectId) {
        self.objects[variable.index()] = object;
    }

    /// Returns the object of a term.
    pub(super) fn object(&self, term: Term) -> ObjectId {
        match term {
            Term::Object(object) => object,
            Term::Variable(variable) => self.objects[variable.index()],
        }
    }
}
