//! Planning domains compiled ahead of time: a domain in PDDL becomes typed [`ascent`](https://docs.rs/ascent) programs when
//! Rust compiles.
//!
//! The crate that calls [`domain!`] needs `ascent` (without its default features) beside this one.
//!
//! ```
//! mod lamps {
//!     herbrand_ascent::domain!("tests/compiled/fixtures/lamps.pddl");
//! }
//!
//! let mut problem = lamps::Problem::default();
//! problem.statics.lamp = vec![(0,), (1,)];
//! problem.objects.object = vec![(0,), (1,)];
//! let mut state = lamps::Facts::default();
//! state.on = vec![(1,)];
//! assert_eq!(problem.applicable(&state).turn_on, [(0,)]);
//! ```
//!
//! What a module holds, and what it says of numbers, negation and chance, is in the documentation of `herbrand-codegen`, which
//! writes it.

mod expand;

use proc_macro::TokenStream;
use syn::{LitStr, parse_macro_input};

/// The items of the module of a domain: `herbrand_ascent::domain!("domains/sokoban/domain.pddl")`.
///
/// The path starts from the folder of the calling crate's `Cargo.toml`. What is expanded is what `herbrand datalog
/// DOMAIN --rust` prints, and belongs into a module of its own. When the file changes, the crate is compiled again.
///
/// Each fault of the domain is an error of the compiler, with its code, its lines and its help.
///
/// ```compile_fail
/// mod sokoban {
///     herbrand_ascent::domain!("../../domains/sokoban/env.toml");
/// }
/// ```
#[proc_macro]
pub fn domain(input: TokenStream) -> TokenStream {
    let path = parse_macro_input!(input as LitStr);
    let expanded = expand::items(&path.value()).and_then(|text| {
        let tokens = text.parse::<TokenStream>();
        tokens.map_err(|error| vec![format!("the module of the domain is no Rust: {error}")])
    });
    expanded.unwrap_or_else(|messages| {
        let error = |message| TokenStream::from(syn::Error::new(path.span(), message).to_compile_error());
        messages.into_iter().map(error).collect()
    })
}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/how-to/compiled.md")]
struct Page;
