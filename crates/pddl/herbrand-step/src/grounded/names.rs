//! Parsing the names of atoms and actions into ids of a ground task.

use herbrand_ground::{ActionId, AtomId};

use crate::grounded::simulator::Simulator;
use crate::semantics::error::{NameError, WrongType};
use crate::semantics::names::{parse_operator, parse_term, resolve, unknown, unreachable};

impl Simulator {
    /// Parses the name of a fluent or derived atom, such as `(on a b)`. Case does not matter, and the parentheses may
    /// be missing. [`Walker::holds`](crate::Walker::holds) and [`State::holds`](crate::State::holds) take the id.
    ///
    /// # Errors
    /// Fails if the text is malformed, names an unknown predicate or object, has the wrong number of arguments, or
    /// names an atom that the task does not have ([`NameError::Unreachable`]): static or unreachable atoms have no id.
    pub fn parse_atom(&self, text: &str) -> Result<AtomId, NameError> {
        let vocabulary = &self.task().vocabulary;
        let (head, arguments) = parse_term(text)?;
        let id = vocabulary.find_predicate(head.as_str()).ok_or_else(|| {
            let declared = vocabulary.predicates.iter().filter(|one| !one.auxiliary);
            let names = declared.map(|one| one.signature.name.as_str());
            unknown("predicate", &head, names)
        })?;
        let expected = vocabulary.predicate(id).signature.parameters.len();
        let objects = resolve(vocabulary, &head, expected, &arguments)?;
        self.task()
            .find_atom(id, &objects)
            .ok_or_else(|| unreachable("atom", text))
    }

    /// Parses the name of an action, such as `(stack a b)`, for [`Walker::apply`](crate::Walker::apply). Case does not
    /// matter, and the parentheses may be missing. The action need not be valid in any particular state.
    ///
    /// # Errors
    /// Fails if the text is malformed, names an unknown schema or object, has the wrong number or types of arguments,
    /// or names an action that the task does not have ([`NameError::Unreachable`]) because it is never valid.
    pub fn parse_action(&self, text: &str) -> Result<ActionId, NameError> {
        let (id, objects) = parse_operator(&self.task().vocabulary, text)?;
        self.task().find_action(id, &objects).ok_or_else(|| {
            let vocabulary = &self.task().vocabulary;
            match WrongType::find(vocabulary, vocabulary.schema(id), &objects) {
                Some(wrong) => NameError::WrongType(Box::new(wrong)),
                None => unreachable("action", text),
            }
        })
    }
}
