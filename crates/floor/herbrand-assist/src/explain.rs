//! The explanations of diagnostic codes, as documents of a scheme of their own.

use herbrand_text::Code;

/// The start of the address of an explanation; the code follows. `workspace/textDocumentContent` answers with its text.
pub const SCHEME: &str = "herbrand-explain:";

/// Returns the explanation of a code of PDDL or RDDL, such as `E0102`, in Markdown; `None` if there is no such code.
pub fn explanation(code: &str) -> Option<String> {
    let pddl = code.parse::<herbrand_pddl::Code>();
    let rddl = code.parse::<herbrand_rddl::Code>();
    match (pddl, rddl) {
        (Ok(code), _) => Some(page(code, "pddl")),
        (_, Ok(code)) => Some(page(code, "rddl")),
        _ => None,
    }
}

fn page(code: impl Code, language: &str) -> String {
    let explanation = code.explanation();
    let mut text = format!("# {code}: {}\n\n{}\n", code.summary(), explanation.text);
    if !explanation.wrong.is_empty() {
        for (title, example) in [("Wrong", explanation.wrong), ("Right", explanation.right)] {
            text.push_str(&format!("\n{title}:\n\n```{language}\n{example}\n```\n"));
        }
    }
    text
}
