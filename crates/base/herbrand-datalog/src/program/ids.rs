//! The ids of the public interface: newtypes over `u32`.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(transparent)]
        pub struct $name(u32);

        impl $name {
            /// Creates the id with this number, from 0. Whether a program or model has such an element is not checked.
            #[inline]
            pub const fn new(number: u32) -> Self {
                Self(number)
            }

            /// Returns the number as an index, from 0, into the list of its elements.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// Returns the number of the id; the same as [`index`](Self::index).
            #[inline]
            pub const fn number(self) -> u32 {
                self.0
            }
        }
    };
}

id! {
    /// The id of a relation of a program, returned by [`Program::relation`](crate::Program::relation). Relations are
    /// numbered in order of declaration.
    RelationId
}
id! {
    /// The id of a rule of a program, returned by [`RuleBuilder::add`](crate::RuleBuilder::add). Rules are numbered in
    /// the order in which they were added.
    RuleId
}
id! {
    /// A variable of one rule, numbered from 0. Create it by [`Variable::new`]; it is an argument of atoms and
    /// literals.
    Variable
}
id! {
    /// A constant: one of the program's symbols, numbered from 0. [`Program::symbol`](crate::Program::symbol) adds one.
    Symbol
}
id! {
    /// The id of a fact of a model, as [`Model::ids`](crate::Model::ids) lists them. Facts are numbered in order of
    /// discovery.
    FactId
}
