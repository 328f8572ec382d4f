//! A macro that declares enums whose variants have names.

/// A text that is not the name of a variant. The message lists the names.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{name}` is no {kind}: choose one of {names}")]
pub struct UnknownName {
    name: String,
    kind: &'static str,
    names: String,
}

impl UnknownName {
    /// Creates the error for a text; `kind` is the noun for the variants, and `names` are their names.
    #[must_use]
    pub fn new(name: String, kind: &'static str, names: &[&str]) -> Self {
        let names = names.join(", ");
        Self { name, kind, names }
    }
}

/// Declares an enum whose variants have names: the constant `ALL`, the method that returns the name, and `Display`, which
/// writes it. After `parses, or`, a function that makes the error from an unknown name: then `FromStr` reads the names.
///
/// ```
/// #[derive(PartialEq, Debug)]
/// pub struct UnknownSide(String);
///
/// herbrand_text::named! {
///     /// A side of a road.
///     #[derive(Clone, Copy, PartialEq, Eq, Debug)]
///     pub enum Side {
///         /// The left side.
///         Left = "left",
///         /// The right side.
///         Right = "right",
///     }
///     /// Returns the name of the side.
///     pub fn name; parses, or UnknownSide: UnknownSide
/// }
///
/// assert_eq!(Side::ALL.map(Side::name), ["left", "right"]);
/// assert_eq!("right".parse(), Ok(Side::Right));
/// assert_eq!("up".parse::<Side>(), Err(UnknownSide("up".to_owned())));
/// ```
#[macro_export]
macro_rules! named {
    (
        $(#[$attribute:meta])*
        $vis:vis enum $Enum:ident {
            $($(#[$of_variant:meta])* $Variant:ident = $name:literal,)*
        }
        $(#[$of_method:meta])*
        $fn_vis:vis fn $method:ident $(; parses, or $Error:ty: $unknown:expr)?
    ) => {
        $(#[$attribute])*
        $vis enum $Enum {
            $($(#[$of_variant])* $Variant,)*
        }

        impl $Enum {
            /// All variants, in the order of declaration.
            $fn_vis const ALL: [Self; [$($name),*].len()] = [$(Self::$Variant),*];

            $(#[$of_method])*
            #[must_use]
            $fn_vis const fn $method(self) -> &'static str {
                match self { $(Self::$Variant => $name),* }
            }
        }

        impl ::std::fmt::Display for $Enum {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.$method())
            }
        }

        $(impl ::std::str::FromStr for $Enum {
            type Err = $Error;

            fn from_str(name: &str) -> ::std::result::Result<Self, $Error> {
                let unknown: fn(String) -> $Error = $unknown;
                let found = Self::ALL.into_iter().find(|one| one.$method() == name);
                found.ok_or_else(|| unknown(name.to_owned()))
            }
        })?
    };
}
