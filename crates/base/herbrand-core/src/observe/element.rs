//! The number types of observations.

use std::fmt::Debug;

/// The number type of an observation as a run-time value, for callers that do not know it at compile time.
/// [`Elements::kind`] and [`Element::KIND`] return it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ElementKind {
    /// `u8`: one bit per byte, or pixels.
    U8,
    /// `i64`.
    I64,
    /// `f32`.
    F32,
    /// `f64`.
    F64,
}

/// A number type of observations: `u8`, `i64`, `f32` or `f64`. It is the type
/// [`Observer::Element`](crate::Observer::Element) of an observer.
pub trait Element: Copy + Default + PartialEq + Debug + Send + Sync + 'static {
    /// The type as a run-time value.
    const KIND: ElementKind;

    /// Returns the buffer as a slice of this type; `None` if its elements have another type. Compare [`Elements::kind`]
    /// with [`KIND`](Self::KIND) to ask before.
    fn of<'a>(elements: Elements<'a>) -> Option<&'a mut [Self]>;

    /// Returns a slice as a buffer whose type is known at run time; the inverse of [`of`](Self::of).
    fn erased(elements: &mut [Self]) -> Elements<'_>;
}

/// A mutable buffer of observation elements whose type is only known at run time. [`Element::of`] converts it to a
/// slice. The caller makes it from its buffer, of the kind [`Element::KIND`] of the observer.
#[derive(Debug)]
pub enum Elements<'a> {
    /// `u8` elements.
    U8(&'a mut [u8]),
    /// `i64` elements.
    I64(&'a mut [i64]),
    /// `f32` elements.
    F32(&'a mut [f32]),
    /// `f64` elements.
    F64(&'a mut [f64]),
}

impl Elements<'_> {
    /// Returns the type of the elements.
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

            fn erased(elements: &mut [Self]) -> Elements<'_> {
                Elements::$kind(elements)
            }
        }
    )*};
}

elements!(u8: U8, i64: I64, f32: F32, f64: F64);
