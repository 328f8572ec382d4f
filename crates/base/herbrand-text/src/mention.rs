//! The names in a text, with their places and roles, for editors.

use crate::source::Span;

/// A name at one place of a text: a declaration or a use. The methods `Document::mentions` of `herbrand_pddl` and
/// `herbrand_rddl` list the mentions of a text, also of a faulty one; editors find declarations, uses and scopes with
/// them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mention {
    /// The kind of thing that is named.
    pub kind: NameKind,
    /// The role of the name here, such as a declaration.
    pub role: Role,
    /// The place of the name, with its sign: `?x`, `@red`, `:typing`. A prime is not part of it.
    pub span: Span,
    /// The clause around the name. For a declaration, the whole declaration; only the name for domains, problems,
    /// instances, blocks of non-fluents, and for objects and values of RDDL. For a variable, its scope, the same at all its
    /// places; only [`span`](Self::span) if the variable is not bound. For any other use, the atom or term.
    pub extent: Span,
    /// The types that are written for the name: from the first to the last of several. `None` if none is written here. A use
    /// of a variable has the types of its binding.
    pub types: Option<Span>,
}

/// The kind of thing that a [`Mention`] names. It is [`Mention::kind`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NameKind {
    /// A domain.
    Domain,
    /// A problem of PDDL or an instance of RDDL.
    Problem,
    /// A block of non-fluents of RDDL.
    NonFluents,
    /// A type.
    Type,
    /// A constant or an object.
    Object,
    /// A value of an enum of RDDL, such as `@red`.
    Value,
    /// A predicate.
    Predicate,
    /// A numeric function of PDDL.
    Function,
    /// A parameterised variable of RDDL: a fluent or a non-fluent.
    Fluent,
    /// An action schema.
    Action,
    /// A variable, such as `?x`.
    Variable,
    /// A requirement flag.
    Requirement,
}

/// The role of a name at a [`Mention`]. It is [`Mention::role`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// Declares it.
    Declares,
    /// Defines it by a formula: the head of a derivation rule or of a CPF.
    Defines,
    /// Changes it: an effect of an action.
    Changes,
    /// Gives it a value in an initial state or in a block of non-fluents.
    Sets,
    /// Reads it or refers to it.
    Reads,
}
