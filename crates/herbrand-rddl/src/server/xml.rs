//! XML that is read and written.

use std::fmt::{Display, Write};

use roxmltree::{Document, Node, ParsingOptions};

/// An element under construction.
#[derive(Debug)]
pub struct Element {
    text: String,
    name: &'static str,
}

impl Element {
    pub fn new(name: &'static str) -> Self {
        Self {
            text: format!("<{name}>"),
            name,
        }
    }

    /// Adds an element that holds a value.
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        let _ = write!(self.text, "<{name}>");
        escape(&value.to_string(), &mut self.text);
        let _ = write!(self.text, "</{name}>");
        self
    }

    /// Adds an element.
    pub fn with_element(mut self, element: Self) -> Self {
        self.text += &element.finish();
        self
    }

    pub fn finish(mut self) -> String {
        let _ = write!(self.text, "</{}>", self.name);
        self.text
    }
}

/// Writes text so that it is read as text. What XML cannot hold is left out.
fn escape(text: &str, into: &mut String) {
    for letter in text.chars() {
        match letter {
            '&' => into.push_str("&amp;"),
            '<' => into.push_str("&lt;"),
            '>' => into.push_str("&gt;"),
            '"' => into.push_str("&quot;"),
            '\'' => into.push_str("&apos;"),
            '\t' | '\r' => into.push(letter),
            // Three of them would end the message.
            '\n' => into.push(' '),
            _ if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {}
            _ => into.push(letter),
        }
    }
}

/// Reads a message whose element is called `name`, and gives it to `read`. Declarations of a document type, which could make a
/// short text a long one, are refused, and so are texts of more than a million nodes.
pub fn read<T>(
    message: &[u8],
    name: &str,
    read: impl FnOnce(Node<'_, '_>) -> Result<T, String>,
) -> Result<T, String> {
    let text = std::str::from_utf8(message).map_err(|error| format!("the message is not UTF-8: {error}"))?;
    let options = ParsingOptions {
        allow_dtd: false,
        nodes_limit: 1_000_000,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text.trim(), options)
        .map_err(|error| format!("the message is not XML: {error}"))?;
    let root = document.root_element();
    if root.has_tag_name(name) {
        return read(root);
    }
    Err(format!(
        "`{name}` was expected, not `{}`",
        shortened(root.tag_name().name())
    ))
}

/// The text of the first element of this name, without blanks around it; empty if it has none.
pub fn text<'t>(of: Node<'t, '_>, name: &str) -> Option<&'t str> {
    let found = of.children().find(|child| child.has_tag_name(name))?;
    Some(content(found))
}

/// The text of an element, without blanks around it.
pub fn content<'t>(of: Node<'t, '_>) -> &'t str {
    of.text().unwrap_or("").trim()
}

/// As much of a text as an error repeats.
pub fn shortened(text: &str) -> String {
    const MOST: usize = 80;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
