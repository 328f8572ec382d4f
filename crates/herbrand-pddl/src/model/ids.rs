//! Ids of declared things: newtypes over `u32`, numbered in declaration order.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name(u32);

        impl $name {
            /// The id with this number.
            #[must_use]
            pub const fn new(number: u32) -> Self {
                Self(number)
            }

            /// The id of the element at `index` of a list.
            ///
            /// # Panics
            /// When `index` does not fit in 32 bits, which no list of the model reaches: a source text is at
            /// most 4 GiB long.
            #[must_use]
            pub fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("a list of the model has fewer than 2^32 elements"))
            }

            /// The number as an index into a list.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The bare number.
            #[must_use]
            pub const fn number(self) -> u32 {
                self.0
            }
        }
    )*};
}

ids! {
    /// A type of a domain; `object` is always [`TypeId::OBJECT`].
    TypeId,
    /// A predicate of a domain, an action predicate of the PDDLGym dialect included.
    PredicateId,
    /// A numeric function (fluent) of a domain.
    FunctionId,
    /// An action schema (operator) of a domain.
    SchemaId,
    /// A derivation rule of a domain.
    AxiomId,
    /// An object of a problem. The domain's constants come first, then the problem's own objects.
    ObjectId,
    /// A variable of one schema, axiom or goal: its parameters first, then quantified variables in the order
    /// in which they are bound in the text.
    VariableId,
}

impl TypeId {
    /// The root of every type hierarchy.
    pub const OBJECT: Self = Self::new(0);
}
