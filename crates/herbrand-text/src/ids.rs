//! Ids of declared things: newtypes over `u32`.

/// Declares ids: newtypes over `u32` that are numbered in declaration order, with `new`, `from_index`, `index` and `number`.
///
/// Attributes are passed on, so that a crate can derive more for its ids.
#[macro_export]
macro_rules! ids {
    ($($(#[$attribute:meta])* $name:ident),* $(,)?) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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
            /// When `index` does not fit in 32 bits, which no list of a model reaches: a source text is at
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
