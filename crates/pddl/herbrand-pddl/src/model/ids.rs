//! Ids of types, predicates, functions, schemas, axioms, objects and variables: numbers from 0 in declaration order.

herbrand_text::ids! {
    /// A type of a domain. [`TypeId::OBJECT`] is the root of the hierarchy: `object`, or the type above it if `object` is a
    /// subtype.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    TypeId,
    /// A predicate of a domain, including the action predicates of the PDDLGym dialect.
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
    /// A variable of one schema, axiom or goal. The parameters come first, then the quantified variables in the order in
    /// which the text binds them.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    VariableId,
}

impl TypeId {
    /// The root of every type hierarchy, the first of [`Domain::types`](super::Domain::types).
    pub const OBJECT: Self = Self::new(0);
}
