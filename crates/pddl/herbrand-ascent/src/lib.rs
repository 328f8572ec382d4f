//! Ahead-of-time compilation of planning domains: a macro turns a PDDL domain into typed [`ascent`](https://docs.rs/ascent)
//! programs when the crate is compiled.
//!
//! The crate that calls [`domain!`] must also depend on `ascent`, without its default features.
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
//! The contents of a module, and its treatment of numbers, negation and probabilities, are documented in `herbrand-codegen`,
//! which generates it.

mod expand;

use proc_macro::TokenStream;
use syn::{LitStr, parse_macro_input};

/// Expands to the items of a domain's module: `herbrand_ascent::domain!("domains/sokoban/domain.pddl")`.
///
/// The path is relative to the folder of the calling crate's `Cargo.toml`. The items are those printed by `herbrand datalog
/// DOMAIN --rust`; call the macro inside a separate module. The crate is recompiled when the file changes.
///
/// Each fault of the domain becomes a compiler error with its code, source lines and help. A file that cannot be read,
/// and a domain that cannot be translated (`CodegenError` of `herbrand-codegen`), are compiler errors too.
///
/// ```compile_fail
/// mod sokoban {
///     herbrand_ascent::domain!("../../../domains/sokoban/env.toml");
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
#[doc = include_str!("../../../../docs/how-to/compiled.md")]
struct Page;
