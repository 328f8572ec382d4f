//! Ids of declared things, numbered in declaration order.

herbrand_text::ids! {
    /// A type of a domain: an object type or an enum.
    TypeId,
    /// A parameterised variable (pvariable) of a domain.
    PvariableId,
    /// A conditional probability function of a domain.
    CpfId,
    /// A variable of one formula: its parameters first, then bound variables in the order in which they are bound in the
    /// text.
    VariableId,
    /// A place in a domain where a random draw is made.
    DrawId,
}
