//! Reading and writing of XML messages.

use std::fmt::{Display, Write};
use std::str::Utf8Error;

use herbrand_core::ActionTextError;
use roxmltree::{Document, Node, ParsingOptions};

use crate::simulate::StepError;
use crate::suite::RddlError;

/// An element under construction.
#[derive(Debug)]
pub struct Element {
    text: String,
    name: &'static str,
}

impl Element {
    /// Creates an element without content.
    pub fn new(name: &'static str) -> Self {
        Self {
            text: format!("<{name}>"),
            name,
        }
    }

    /// Adds a child element with a value.
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        let _ = write!(self.text, "<{name}>");
        escape(&value.to_string(), &mut self.text);
        let _ = write!(self.text, "</{name}>");
        self
    }

    /// Adds a child element.
    pub fn with_element(mut self, element: Self) -> Self {
        self.text += &element.finish();
        self
    }

    /// Returns the element as XML text.
    pub fn finish(mut self) -> String {
        let _ = write!(self.text, "</{}>", self.name);
        self.text
    }
}

/// Appends escaped text. Characters that XML cannot represent are dropped.
fn escape(text: &str, into: &mut String) {
    for letter in text.chars() {
        match letter {
            '&' => into.push_str("&amp;"),
            '<' => into.push_str("&lt;"),
            '>' => into.push_str("&gt;"),
            '"' => into.push_str("&quot;"),
            '\'' => into.push_str("&apos;"),
            '\t' | '\r' => into.push(letter),
            // Three line feeds would end the message.
            '\n' => into.push(' '),
            _ if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {}
            _ => into.push(letter),
        }
    }
}

/// The maximum nesting depth of a message, and the maximum number of attributes per element. Messages of the protocol have
/// three levels and no attributes.
const DEEPEST: usize = 16;
const ATTRIBUTES: usize = 8;

/// Why a message is refused.
#[derive(Debug, thiserror::Error)]
pub enum MessageError {
    #[error("the message is not UTF-8: {0}")]
    Utf8(#[from] Utf8Error),
    #[error("the message is not XML: {}", shortened(&.0.to_string()))]
    Xml(#[from] roxmltree::Error),
    #[error("`{expected}` was expected, not `{found}`")]
    Root { expected: &'static str, found: String },
    #[error("a message has no document type")]
    DocumentType,
    #[error("a message has no namespaces")]
    Namespace,
    #[error("a message has at most {DEEPEST} levels of elements")]
    Depth,
    #[error("an element has at most {ATTRIBUTES} attributes")]
    Attributes,
    #[error("`{0}` is missing")]
    Missing(&'static str),
    #[error("the input language is rddl, not `{0}`")]
    Language(String),
    #[error("policies are executed: `yes`, not `{0}`")]
    Policy(String),
    #[error("`{0}` is not finite")]
    NotFinite(String),
    #[error("there are more actions than the {0} of the problem")]
    Actions(usize),
    #[error(transparent)]
    Action(#[from] ActionTextError),
    #[error(transparent)]
    Problem(#[from] RddlError),
    #[error(transparent)]
    Step(#[from] StepError),
}

/// Parses a message whose root element is called `name`, and passes the root to `read`.
pub fn read<T>(
    message: &[u8],
    name: &'static str,
    read: impl FnOnce(Node<'_, '_>) -> Result<T, MessageError>,
) -> Result<T, MessageError> {
    let text = std::str::from_utf8(message)?.trim();
    check_markup(text)?;
    let options = ParsingOptions {
        allow_dtd: false,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options)?;
    let root = document.root_element();
    if root.has_tag_name(name) {
        return read(root);
    }
    Err(MessageError::Root {
        expected: name,
        found: shortened(root.tag_name().name()),
    })
}

/// Rejects markup that the protocol does not use and that may take a parser more than linear time or memory: document types,
/// namespaces, deep nesting and many attributes. Scans the text once and leaves all other faults to the parser.
fn check_markup(text: &str) -> Result<(), MessageError> {
    let (mut rest, mut depth) = (text, 0_usize);
    while let Some(at) = rest.find('<') {
        let markup = &rest[at..];
        let section = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("</", ">")];
        let section = section.into_iter().find(|(begin, _)| markup.starts_with(begin));
        let length = match section {
            Some((begin, end)) => {
                if begin == "</" {
                    depth = depth.saturating_sub(1);
                }
                markup[begin.len()..]
                    .find(end)
                    .map(|at| begin.len() + at + end.len())
            }
            None if markup.starts_with("<!") => return Err(MessageError::DocumentType),
            None => {
                let length = check_tag(markup)?;
                let is_open = length.is_some_and(|length| !markup[..length].ends_with("/>"));
                depth += usize::from(is_open);
                length
            }
        };
        if depth > DEEPEST {
            return Err(MessageError::Depth);
        }
        let Some(length) = length else { break };
        rest = &markup[length..];
    }
    Ok(())
}

/// Checks the attributes of the tag at the start of a text. Returns its length; `None` if it does not end.
fn check_tag(text: &str) -> Result<Option<usize>, MessageError> {
    let (mut quote, mut attributes) = (None, 0);
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(end), _) if byte == end => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'>') => return Ok(Some(at + 1)),
            (None, b'=') => {
                let before = text[..at].trim_end();
                let name = before.rsplit(|letter: char| letter.is_whitespace() || "\"'<=".contains(letter));
                let name = name.into_iter().next().unwrap_or_default();
                if name == "xmlns" || name.starts_with("xmlns:") {
                    return Err(MessageError::Namespace);
                }
                attributes += 1;
                if attributes > ATTRIBUTES {
                    return Err(MessageError::Attributes);
                }
            }
            _ => {}
        }
    }
    Ok(None)
}

/// Returns the trimmed text of the first child element of this name; `None` if there is no such element.
pub fn text<'t>(of: Node<'t, '_>, name: &str) -> Option<&'t str> {
    let found = of.children().find(|child| child.has_tag_name(name))?;
    Some(content(found))
}

/// Returns the trimmed text of an element.
pub fn content<'t>(of: Node<'t, '_>) -> &'t str {
    of.text().unwrap_or("").trim()
}

/// Truncates a text for use in an error message.
pub fn shortened(text: &str) -> String {
    const MOST: usize = 80;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(text: &str) -> String {
        read(text.as_bytes(), "a", |_| Ok(())).map_or_else(|error| error.to_string(), |()| String::new())
    }

    #[test]
    fn plain_elements_are_read() {
        for text in [
            "<a/>",
            "<?xml version='1.0' encoding=\"UTF-8\"?><!-- <b xmlns='c'> --><a><b>1</b><![CDATA[<b xmlns='c'>]]></a>",
            "<a b='>' c = \"xmlns='d'\" xmlnsx='1' d='/>'></a>",
            "<a b=\"' xmlns='c'\" d='\" xmlns=\"'/>",
            &format!("{}{}", "<a>".repeat(DEEPEST), "</a>".repeat(DEEPEST)),
            &format!("<a>{}</a>", "<b/>".repeat(10_000)),
            &format!("<a>{}</a>", "<b>1</b>".repeat(10_000)),
            &format!(
                "<a {}/>",
                (0..ATTRIBUTES).map(|n| format!("b{n}='' ")).collect::<String>()
            ),
        ] {
            assert_eq!(reason(text), "", "{text}");
        }
    }

    #[test]
    fn costly_markup_is_refused() {
        for (text, expected) in [
            ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "no document type"),
            ("<a xmlns='b'/>", "no namespaces"),
            ("<a><b\txmlns:c\n=\n'd'/></a>", "no namespaces"),
            ("<a b=''xmlns='c'/>", "no namespaces"),
            ("<a b=\"'\" xmlns='c'/>", "no namespaces"),
            (&"<a>".repeat(DEEPEST + 1), "at most 16 levels"),
            (
                &format!(
                    "<a {}/>",
                    (0..=ATTRIBUTES).map(|n| format!("b{n}='' ")).collect::<String>()
                ),
                "at most 8 attributes",
            ),
            ("<a", "not XML"),
            ("<a b='", "not XML"),
            ("<!-- a", "not XML"),
            ("<a><![CDATA[</a>", "not XML"),
            ("</a>", "not XML"),
        ] {
            let reason = reason(text);
            assert!(reason.contains(expected), "{text}: {reason}");
        }
        // A long name is truncated.
        assert!(reason(&format!("<{0}></{0}x>", "b".repeat(100_000))).len() < 200);
    }
}
