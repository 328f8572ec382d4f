//! The names of a problem.

use crate::term::Syntax;

/// The names of a problem from which sentences are made: its predicates and functions, its actions and its objects.
/// [`of_planning`](Self::of_planning) and [`of_rddl`](Self::of_rddl) return those of a suite's problem. Pass it to
/// [`Wording::new`](crate::Wording::new).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextVocabulary {
    /// The syntax in which actions and facts are written.
    pub syntax: Syntax,
    /// The predicates, functions and fluents whose facts a state has, without duplicate names.
    pub facts: Vec<TextSymbol>,
    /// The actions of the agent, without duplicate names.
    pub actions: Vec<TextSymbol>,
    /// The objects, without duplicate names.
    pub objects: Vec<TextObject>,
    /// The names of all types, for checking a table.
    pub types: Vec<String>,
}

/// A predicate, function, fluent or action: a name with parameters. [`TextVocabulary`] lists them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextSymbol {
    /// The name.
    pub name: String,
    /// The parameters, in order.
    pub parameters: Vec<Parameter>,
    /// Whether it has a value other than true and false, such as a number.
    pub has_value: bool,
}

/// A parameter of a [`TextSymbol`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// The name, without a question mark.
    pub name: String,
    /// The names of the types of its arguments; an argument has one of them. Empty if any object fits.
    pub types: Vec<String>,
}

/// An object of a problem. [`TextVocabulary::objects`] lists them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextObject {
    /// The name.
    pub name: String,
    /// The names of its types: the declared one first, then its supertypes.
    pub types: Vec<String>,
}

impl Parameter {
    /// Returns whether an object can be an argument.
    pub(crate) fn takes(&self, object: &TextObject) -> bool {
        self.types.is_empty()
            || self
                .types
                .iter()
                .any(|of| of == "object" || object.types.contains(of))
    }
}
