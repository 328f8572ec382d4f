//! Generation of the documentation page on the codes of a language.

use std::fmt::Write as _;

use crate::code::Code;
use crate::diagnostic::Diagnostic;

/// Returns the reference page of all codes of a language, in Markdown: `head`, a table of all codes, and a section for
/// each code with its explanation and examples. `language` is the language tag of the example blocks. `found` returns
/// the diagnostics of an example text, which are printed below it. Only the first of them with the code of the section
/// is printed. A code without a wrong example has no examples.
#[must_use]
pub fn reference<C: Code>(head: &str, language: &str, found: impl Fn(&str) -> Vec<Diagnostic<C>>) -> String {
    let mut text = format!("{head}\n| Code | Fault |\n|---|---|\n");
    for &code in C::ALL {
        let _ = writeln!(text, "| [{code}](#{}) | {} |", anchor(code), code.summary());
    }
    for &code in C::ALL {
        text.push_str(&section(code, language, &found));
    }
    text
}

/// Returns the anchor that Markdown gives to the heading of a code.
fn anchor(code: impl Code) -> String {
    let heading = format!("{code}-{}", code.summary()).to_ascii_lowercase();
    let signs = heading.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_ascii_alphanumeric() || c == '-' => Some(c),
        _ => None,
    });
    signs.collect()
}

fn section<C: Code>(code: C, language: &str, found: &impl Fn(&str) -> Vec<Diagnostic<C>>) -> String {
    let explanation = code.explanation();
    let mut text = format!("\n## {code}: {}\n\n{}\n", code.summary(), explanation.text);
    if !explanation.wrong.is_empty() {
        let all = found(explanation.wrong);
        let shown = all.iter().find(|d| d.code() == code).map(ToString::to_string);
        let _ = write!(
            text,
            "\n```{language}\n{}\n```\n\n```text\n{}\n```\n\nWithout the fault:\n\n```{language}\n{}\n```\n",
            explanation.wrong,
            shown.unwrap_or_default(),
            explanation.right
        );
    }
    text
}
