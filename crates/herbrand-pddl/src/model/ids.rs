//! Ids of declared things, numbered in declaration order.

herbrand_text::ids! {
    /// A type of a domain; the root, which is `object` in all but odd domains, is always [`TypeId::OBJECT`].
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    TypeId,
    /// A predicate of a domain, an action predicate of the PDDLGym dialect included.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    PredicateId,
    /// A numeric function (fluent) of a domain.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    FunctionId,
    /// An action schema (operator) of a domain.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    SchemaId,
    /// A derivation rule of a domain.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    AxiomId,
    /// An object of a problem. The domain's constants come first, then the problem's own objects.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    ObjectId,
    /// A variable of one schema, axiom or goal: its parameters first, then quantified variables in the order
    /// in which they are bound in the text.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    VariableId,
}

impl TypeId {
    /// The root of every type hierarchy.
    pub const OBJECT: Self = Self::new(0);
}
