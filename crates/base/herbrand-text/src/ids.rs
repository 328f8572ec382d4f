//! A macro that declares types for the ids of declared elements.

/// Declares id types: newtypes over `u32`, numbered in declaration order, with the methods `new`, `from_index`, `index` and
/// `number`.
///
/// Attributes are passed on, so a crate can derive further traits for its ids.
#[macro_export]
macro_rules! ids {
    ($($(#[$attribute:meta])* $name:ident),* $(,)?) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(u32);

        impl $name {
            /// Creates the id with the given number, from 0 in the order of its elements. Whether there is such an
            /// element is not checked.
            #[must_use]
            pub const fn new(number: u32) -> Self {
                Self(number)
            }

            /// Creates the id of the element at `index` of a list. The inverse of [`index`](Self::index). Whether there
            /// is such an element is not checked.
            ///
            /// # Panics
            /// If `index` does not fit in 32 bits. Lists of a model are shorter, because a source text has at most 4 GiB.
            #[must_use]
            #[inline]
            pub fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("a list of the model has fewer than 2^32 elements"))
            }

            /// Returns the number of the id as an index, from 0, into the list of its elements.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// Returns the number of the id, from 0; the same as [`index`](Self::index).
            #[must_use]
            pub const fn number(self) -> u32 {
                self.0
            }
        }
    )*};
}
