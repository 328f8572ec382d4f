//! Construction of models without a text: [`DomainBuilder`] and [`ProblemBuilder`].
//!
//! Elements refer to each other by name, as in PDDL. A term that begins with `?` is a variable; any other term is an object.
//! The builders print PDDL and parse it, so a built model passes the same checks as a parsed one, and faults are shown in
//! the printed text.
//!
//! ```
//! use herbrand_pddl::build::{ActionBuilder, DomainBuilder, Effect, Formula, ProblemBuilder};
//!
//! let press = ActionBuilder::new("press")
//!     .parameters([("lamp", "lamp")])
//!     .precondition(!Formula::atom("on", ["?lamp"]))
//!     .effect(Effect::chance([(0.9, Effect::add("on", ["?lamp"]))]));
//! let domain = DomainBuilder::new("switches")
//!     .types(["lamp"])
//!     .predicate("on", [("lamp", "lamp")])
//!     .action(press)
//!     .build()?;
//! let problem = ProblemBuilder::new("evening", &domain)
//!     .objects("lamp", ["kitchen", "hall"])
//!     .fact("on", ["hall"])
//!     .goal(Formula::forall([("lamp", "lamp")], Formula::atom("on", ["?lamp"])))
//!     .build()?;
//! assert_eq!(problem.objects.len(), 2);
//!
//! let wrong = ProblemBuilder::new("morning", &domain).fact("on", ["attic"]).build();
//! assert!(wrong.unwrap_err().to_string().contains("unknown object `attic`"));
//! # Ok::<(), herbrand_pddl::Faults>(())
//! ```

mod domain;
mod effect;
mod expression;
mod formula;
mod problem;

use crate::Probability;
use crate::print::layout::Layout;

pub use domain::{ActionBuilder, DomainBuilder};
pub use effect::Effect;
pub use expression::Expression;
pub use formula::Formula;
pub use problem::{Initial, ProblemBuilder};

/// A type, or a union of types (`either`).
#[derive(Clone, Debug)]
pub struct Types(String);

impl From<&str> for Types {
    fn from(name: &str) -> Self {
        Self(word(name))
    }
}

impl<const N: usize> From<[&str; N]> for Types {
    fn from(names: [&str; N]) -> Self {
        Self(format!("(either {})", names.map(word).join(" ")))
    }
}

/// A probability, as the text that is printed for it.
#[derive(Clone, Debug)]
pub struct Chance(String);

impl From<f64> for Chance {
    /// Takes the shortest decimal that rounds to the number: `0.1` is exactly a tenth.
    fn from(probability: f64) -> Self {
        Self(probability.to_string())
    }
}

impl From<(u64, u64)> for Chance {
    /// Takes numerator and denominator.
    fn from((numerator, denominator): (u64, u64)) -> Self {
        Self(format!("{numerator}/{denominator}"))
    }
}

impl From<Probability> for Chance {
    fn from(probability: Probability) -> Self {
        Self::from((probability.numerator(), probability.denominator()))
    }
}

/// Returns a name as a word of PDDL. Characters that would end the word are replaced by U+FFFD, which no name may contain,
/// so the parser reports the name instead of misreading it.
fn word(name: &str) -> String {
    const STRAY: char = '\u{fffd}';
    let is_harmless = |c: char| c.is_alphanumeric() || "_-.@#$%&!'`^~|[]".contains(c);
    let begins_well = name.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let stray = if begins_well { None } else { Some(STRAY) };
    let signs = name.chars().map(|c| if is_harmless(c) { c } else { STRAY });
    stray.into_iter().chain(signs).collect()
}

/// Returns a term as a word of PDDL. It is a variable if it begins with `?`.
fn term(name: &str) -> String {
    match name.strip_prefix('?') {
        Some(name) => format!("?{}", word(name)),
        None => word(name),
    }
}

/// `(name term…)`
fn applied<'t>(name: &str, terms: impl IntoIterator<Item = &'t str>) -> Layout {
    Layout::list(
        word(name),
        terms.into_iter().map(|name| Layout::word(term(name))).collect(),
    )
}

/// `?x - t ?y - u …`
fn variables<'n, T: Into<Types>>(variables: impl IntoIterator<Item = (&'n str, T)>) -> String {
    let typed = |(name, types): (&str, T)| format!("?{} - {}", word(name), types.into().0);
    variables.into_iter().map(typed).collect::<Vec<_>>().join(" ")
}

/// `(name ?x - t …)`
fn signature<'n, T: Into<Types>>(name: &str, parameters: impl IntoIterator<Item = (&'n str, T)>) -> Layout {
    Layout::word(format!("({} {})", word(name), variables(parameters)))
}

/// `(probabilistic p alternative …)`
fn chance<C: Into<Chance>>(alternatives: impl IntoIterator<Item = (C, Layout)>) -> Layout {
    let pair = |(chance, layout): (C, Layout)| Layout::pair(chance.into().0, layout);
    Layout::list("probabilistic", alternatives.into_iter().map(pair).collect())
}

/// `name a b - t`
fn typed_names<'n>(types: Types, names: impl IntoIterator<Item = &'n str>) -> Layout {
    let mut words: Vec<String> = names.into_iter().map(word).collect();
    words.push(format!("- {}", types.0));
    Layout::Fill(words)
}
