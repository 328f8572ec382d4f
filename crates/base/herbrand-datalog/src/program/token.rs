//! The tokenizer of Datalog text.

use crate::program::text::TextError;

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token<'t> {
    Variable(&'t str),
    Name(&'t str),
    Sign(&'static str),
}

/// A sign comes after all longer signs that begin with it.
const SIGNS: [&str; 9] = [":-", "!=", "(", ")", ",", ".", "=", "/", "#"];

/// The tokens of a text.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'t> {
    rest: &'t str,
    /// The line on which the rest begins, from 1.
    line: usize,
}

impl<'t> Tokens<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { rest: text, line: 1 }
    }

    /// Returns the next token with its line; `None` at the end of the text.
    pub(crate) fn next(&mut self) -> Result<Option<(usize, Token<'t>)>, TextError> {
        self.skip_space();
        if self.rest.is_empty() {
            return Ok(None);
        }
        let Some((token, length)) = token(self.rest) else {
            return Err(TextError {
                line: self.line,
                message: format!("unexpected `{}`", self.rest.chars().next().unwrap_or(' ')),
            });
        };
        self.rest = &self.rest[length..];
        Ok(Some((self.line, token)))
    }

    /// Skips white space and comments.
    fn skip_space(&mut self) {
        loop {
            match self.rest.bytes().next() {
                Some(b'\n') => {
                    self.line += 1;
                    self.rest = &self.rest[1..];
                }
                Some(b'%') => {
                    let end = self.rest.find('\n').unwrap_or(self.rest.len());
                    self.rest = &self.rest[end..];
                }
                Some(b' ') => self.rest = &self.rest[1..],
                Some(byte) if byte.is_ascii_graphic() => break,
                _ => {
                    let Some(space) = self.rest.chars().next().filter(|char| char.is_whitespace()) else {
                        break;
                    };
                    self.rest = &self.rest[space.len_utf8()..];
                }
            }
        }
    }
}

/// Returns the first token of a text and its length in bytes. No token extends past the end of a line.
fn token(rest: &str) -> Option<(Token<'_>, usize)> {
    let first = rest.chars().next()?;
    if first.is_alphanumeric() || first == '_' || first == '-' {
        let word = &rest[..word_length(rest)];
        let make = if first.is_uppercase() || first == '_' {
            Token::Variable
        } else {
            Token::Name
        };
        return Some((make(word), word.len()));
    }
    if let Some(quoted) = rest.strip_prefix('"') {
        let end = quoted
            .find(['"', '\n'])
            .filter(|&end| quoted[end..].starts_with('"'))?;
        return Some((Token::Name(&quoted[..end]), end + 2));
    }
    let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign))?;
    Some((Token::Sign(sign), sign.len()))
}

/// Returns the length in bytes of the word at the beginning of a text.
fn word_length(text: &str) -> usize {
    let within = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let ascii = text.bytes().position(|byte| !within(&byte)).unwrap_or(text.len());
    if text[ascii..].bytes().next().is_none_or(|byte| byte.is_ascii()) {
        return ascii;
    }
    let within = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.find(|c| !within(c)).unwrap_or(text.len())
}
