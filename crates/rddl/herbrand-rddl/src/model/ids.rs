//! Ids of declared things, numbered in declaration order.

herbrand_text::ids! {
    /// A type of a domain: an object type or an enum.
    TypeId,
    /// A parameterised variable (pvariable) of a domain.
    PvariableId,
    /// A conditional probability function of a domain.
    CpfId,
    /// A variable of one formula. Parameters come first, then bound variables in the order in which the text binds them.
    VariableId,
    /// A random draw of a domain.
    DrawId,
}
