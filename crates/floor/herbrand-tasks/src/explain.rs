//! The explanations of the codes of diagnostics.

use herbrand_render::RenderCode;
use herbrand_sas::SasCode;
use herbrand_text::{Code, did_you_mean, nearest};
use herbrand_verbalize::TextCode;
use serde::Serialize;

/// The explanation of a code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CodeExplanation {
    /// The code, such as `E0102`.
    pub code: &'static str,
    /// `error` or `warning`.
    pub severity: &'static str,
    /// The fault in a few words.
    pub summary: &'static str,
    /// When it is reported, and what to do.
    pub explanation: &'static str,
    /// A text with the fault, or an empty one.
    pub wrong: &'static str,
    /// The same text without the fault, or an empty one.
    pub right: &'static str,
    /// The name of the code in Rust, split into lower-case words.
    #[serde(skip)]
    name: String,
}

/// The reason why nothing is explained.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnknownExplanation {
    /// There is no such code. Contains the code, and a similar one.
    #[error("there is no diagnostic with the code `{0}`{near}", near = did_you_mean(*.1))]
    Code(String, Option<&'static str>),
    /// No explanation contains the words.
    #[error("no explanation contains `{0}`: `herbrand explain` lists all codes")]
    Words(String),
}

/// Returns the explanations of all codes: those of PDDL, RDDL, pictures, finite-domain tasks and tables of sentences.
#[must_use]
pub fn explanations() -> Vec<CodeExplanation> {
    let pddl = herbrand_pddl::Code::ALL.iter().copied().map(CodeExplanation::of);
    let rddl = herbrand_rddl::Code::ALL.iter().copied().map(CodeExplanation::of);
    let pictures = RenderCode::ALL.iter().copied().map(CodeExplanation::of);
    let finite = SasCode::ALL.iter().copied().map(CodeExplanation::of);
    let sentences = TextCode::ALL.iter().copied().map(CodeExplanation::of);
    let codes = pddl.chain(rddl).chain(pictures).chain(finite);
    codes.chain(sentences).collect()
}

/// Returns the explanation of a code.
///
/// ```
/// use herbrand_tasks::explain::explain;
///
/// assert_eq!(explain("e0102")?.severity, "error");
/// assert!(explain("E0103x").unwrap_err().to_string().contains("did you mean"));
/// # Ok::<(), herbrand_tasks::explain::UnknownExplanation>(())
/// ```
///
/// # Errors
/// Fails if there is no such code.
pub fn explain(code: &str) -> Result<CodeExplanation, UnknownExplanation> {
    let all = explanations();
    let near = nearest(code, all.iter().map(|one| one.code));
    let found = all.into_iter().find(|one| one.code.eq_ignore_ascii_case(code));
    found.ok_or_else(|| UnknownExplanation::Code(code.to_owned(), near))
}

/// Returns the explanations that contain all of these words. Those with all words in the summary or the name of the code come
/// first.
///
/// # Errors
/// Fails if no explanation contains them.
pub fn about(words: &str) -> Result<Vec<CodeExplanation>, UnknownExplanation> {
    let contains = |text: &str| {
        let text = text.to_lowercase();
        let mut words = words.split_whitespace();
        words.all(|word| text.contains(&word.to_lowercase()))
    };
    let head = |one: &CodeExplanation| format!("{} {}", one.name, one.summary);
    let (mut found, others): (Vec<_>, Vec<_>) =
        explanations().into_iter().partition(|one| contains(&head(one)));
    let whole = |one: &CodeExplanation| format!("{} {}", head(one), one.explanation);
    found.extend(others.into_iter().filter(|one| contains(&whole(one))));
    if found.is_empty() {
        return Err(UnknownExplanation::Words(words.to_owned()));
    }
    Ok(found)
}

impl CodeExplanation {
    fn of(code: impl Code) -> Self {
        let explanation = code.explanation();
        Self {
            code: code.as_str(),
            severity: code.severity().as_str(),
            summary: code.summary(),
            explanation: explanation.text,
            wrong: explanation.wrong,
            right: explanation.right,
            name: words_of(&format!("{code:?}")),
        }
    }
}

/// Splits a name in camel case: `ArityMismatch` becomes `arity mismatch`.
fn words_of(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}
