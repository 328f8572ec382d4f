//! The numbers that observations consist of.

use std::fmt::Debug;

/// The type of the numbers of an observation, as data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ElementKind {
    /// `u8`: bits, one per byte, and pixels.
    U8,
    /// `i64`.
    I64,
    /// `f32`.
    F32,
    /// `f64`.
    F64,
}

/// A type of number that observations consist of: `u8`, `i64`, `f32` or `f64`.
pub trait Element: Copy + Default + PartialEq + Debug + Send + Sync + 'static {
    /// The type, as data.
    const KIND: ElementKind;

    /// The elements of a buffer of any type, if it is of this one.
    fn of<'a>(elements: Elements<'a>) -> Option<&'a mut [Self]>;
}

/// A buffer of elements whose type is known only when the program runs.
#[derive(Debug)]
pub enum Elements<'a> {
    /// Bytes.
    U8(&'a mut [u8]),
    /// Integers.
    I64(&'a mut [i64]),
    /// Single-precision numbers.
    F32(&'a mut [f32]),
    /// Double-precision numbers.
    F64(&'a mut [f64]),
}

impl Elements<'_> {
    /// The type of the elements.
    #[must_use]
    pub const fn kind(&self) -> ElementKind {
        match self {
            Self::U8(_) => ElementKind::U8,
            Self::I64(_) => ElementKind::I64,
            Self::F32(_) => ElementKind::F32,
            Self::F64(_) => ElementKind::F64,
        }
    }
}

macro_rules! elements {
    ($($type:ty: $kind:ident),*) => {$(
        impl Element for $type {
            const KIND: ElementKind = ElementKind::$kind;

            fn of<'a>(elements: Elements<'a>) -> Option<&'a mut [Self]> {
                match elements {
                    Elements::$kind(elements) => Some(elements),
                    _ => None,
                }
            }
        }
    )*};
}

elements!(u8: U8, i64: I64, f32: F32, f64: F64);
