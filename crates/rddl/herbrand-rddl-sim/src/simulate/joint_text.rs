//! Parses joint actions as users write them.
//!
//! ```text
//!  joint   = { choice | "(" joint ")" [ "=" value ] | "," }
//!  choice  = action [ "=" ] [ value ]
//!  action  = order___apple | order(apple) | order apple
//! ```
//!
//! At most one pair of parentheses without a value is outermost, because several pairs are several steps.

use herbrand_core::{ActionTextError, Choice, FieldValue, JointError};
use herbrand_rddl::{PvariableKind, Range};
use herbrand_text::{counted, did_you_mean, nearest};

use super::compiled::CompiledInstance;

/// An action with its value, if one is written.
struct Written<'t> {
    field: usize,
    value: Option<&'t str>,
}

/// The maximum nesting depth of parentheses.
const DEEPEST: usize = 8;

/// Parses a joint action and returns its choices in ascending order of fields. Values outside of the range of their fields
/// are accepted: the preconditions refuse them.
///
/// # Errors
/// Fails with a message about the first part that cannot be parsed, if an action is set twice, or if more actions are set
/// than the instance allows.
pub(super) fn parse_joint(compiled: &CompiledInstance, text: &str) -> Result<Vec<Choice>, ActionTextError> {
    let mut joint = parse_choices(compiled, text)?;
    joint.sort_by_key(|choice| choice.field);
    let layout = compiled.actions();
    let field = |choice: &Choice| &layout.fields()[choice.field as usize];
    if let Some(pair) = joint.windows(2).find(|pair| pair[0].field == pair[1].field) {
        let field = field(&pair[0]).name.clone();
        return Err(JointError::SetTwice { field }.into());
    }
    let is_set = |choice: &&Choice| field(choice).default != Some(choice.value);
    let (found, most) = (joint.iter().filter(is_set).count(), layout.most());
    if found > most {
        return Err(JointError::TooMany { found, most }.into());
    }
    Ok(joint)
}

/// Parses any number of choices, in the order written, without checking them together.
///
/// # Errors
/// Fails with a message about the first part that cannot be parsed.
pub(super) fn parse_choices(compiled: &CompiledInstance, text: &str) -> Result<Vec<Choice>, ActionTextError> {
    let mut reader = Reader {
        compiled,
        tokens: tokens(text),
        position: 0,
    };
    let mut written = Vec::new();
    reader.list(&mut written, 0)?;
    let choices = written.into_iter().map(|one| {
        Ok(Choice {
            field: one.field as u32,
            value: parse_value(compiled, one.field, one.value)?,
        })
    });
    choices.collect()
}

/// Splits a text into words and the signs `(`, `)`, `,` and `=`.
fn tokens(text: &str) -> Vec<&str> {
    let is_sign = |c: char| matches!(c, '(' | ')' | ',' | '=');
    let mut tokens = Vec::new();
    for word in text.split_whitespace() {
        let mut rest = word;
        while let Some(first) = rest.chars().next() {
            let end = if is_sign(first) {
                first.len_utf8()
            } else {
                rest.find(is_sign).unwrap_or(rest.len())
            };
            let (token, after) = rest.split_at(end);
            tokens.push(token);
            rest = after;
        }
    }
    tokens
}

struct Reader<'p, 't> {
    compiled: &'p CompiledInstance,
    tokens: Vec<&'t str>,
    position: usize,
}

impl<'t> Reader<'_, 't> {
    fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.position).copied()
    }

    fn accept(&mut self, sign: &str) -> bool {
        let found = self.peek() == Some(sign);
        self.position += usize::from(found);
        found
    }

    /// Consumes the next token if it is a word.
    fn word(&mut self) -> Option<&'t str> {
        let word = self
            .peek()
            .filter(|token| !matches!(*token, "(" | ")" | "," | "="))?;
        self.position += 1;
        Some(word)
    }

    /// Parses choices up to the end of the text, or up to the `)` that closes the current one of `depth` parentheses.
    fn list(&mut self, into: &mut Vec<Written<'t>>, depth: usize) -> Result<(), ActionTextError> {
        let mut groups = 0;
        loop {
            if self.accept(",") {
                continue;
            }
            if self.accept("(") {
                if depth == DEEPEST {
                    return Err(ActionTextError::new("the parentheses are nested too deep"));
                }
                let first = into.len();
                self.list(into, depth + 1)?;
                if self.accept("=") {
                    let value = self.value()?;
                    match &mut into[first..] {
                        [one] if one.value.is_none() => one.value = Some(value),
                        _ => {
                            let reason = format!("`= {value}` does not follow one action");
                            return Err(ActionTextError::new(reason));
                        }
                    }
                } else {
                    groups += 1;
                }
                if depth == 0 && groups > 1 {
                    return Err(ActionTextError::new(
                        "each pair of parentheses is a step: write the actions of one step in one pair, as in `(a b)`",
                    ));
                }
                continue;
            }
            if let Some(word) = self.word() {
                let one = self.choice(word)?;
                into.push(one);
                continue;
            }
            return match (self.peek(), depth) {
                (None, 0) => Ok(()),
                (None, _) => Err(ActionTextError::new("a `)` is missing")),
                (Some(")"), 1..) => {
                    self.position += 1;
                    Ok(())
                }
                (Some(sign), _) => Err(ActionTextError::new(format!("`{sign}` is not expected here"))),
            };
        }
    }

    /// Parses the value after `=`.
    fn value(&mut self) -> Result<&'t str, ActionTextError> {
        self.word()
            .ok_or_else(|| ActionTextError::new("a value is missing after `=`"))
    }

    /// Parses the choice that begins with `word`.
    fn choice(&mut self, word: &'t str) -> Result<Written<'t>, ActionTextError> {
        let field = self.field(word)?;
        if self.accept("=") {
            let value = Some(self.value()?);
            return Ok(Written { field, value });
        }
        // Without `=`, the value is the next word.
        let is_value = match self.compiled.range(&self.compiled.action, field) {
            Range::Bool => matches!(self.peek(), Some("true" | "false" | "1" | "0")),
            _ => true,
        };
        let value = if is_value { self.word() } else { None };
        Ok(Written { field, value })
    }

    /// Parses the action whose name begins with `word`: a ground name, or the name of an action fluent followed by its
    /// objects.
    fn field(&mut self, word: &'t str) -> Result<usize, ActionTextError> {
        if let Some(field) = self.find(word) {
            return Ok(field);
        }
        let domain = &self.compiled.instance.domain;
        let mut fluents = domain
            .pvariables
            .iter()
            .filter(|one| one.kind == PvariableKind::Action);
        let Some(fluent) = fluents.find(|one| one.name.as_str().eq_ignore_ascii_case(word)) else {
            return Err(self.unknown(word));
        };
        let count = fluent.parameters.len();
        let parenthesised = self.accept("(");
        let mut arguments = Vec::with_capacity(count);
        while parenthesised || arguments.len() < count {
            if parenthesised && self.accept(",") {
                continue;
            }
            match self.word() {
                Some(argument) => arguments.push(argument.trim_start_matches('@')),
                None => break,
            }
        }
        if parenthesised && !self.accept(")") {
            return Err(ActionTextError::new(format!("a `)` is missing after `{word}(`")));
        }
        if arguments.len() != count {
            let (count, found) = (counted(count, "object"), arguments.len());
            return Err(ActionTextError::new(format!(
                "`{word}` takes {count}, not {found}"
            )));
        }
        let name = format!("{word}___{}", arguments.join("__"));
        self.find(&name).ok_or_else(|| self.unknown(&name))
    }

    fn find(&self, name: &str) -> Option<usize> {
        let fields = self.compiled.actions().fields();
        fields
            .iter()
            .position(|field| field.name.eq_ignore_ascii_case(name))
    }

    fn unknown(&self, name: &str) -> ActionTextError {
        let fields = self.compiled.actions().fields().iter();
        let names = fields.map(|field| field.name.as_str());
        let pvariables = self.compiled.instance.domain.pvariables.iter();
        let fluents = pvariables.filter(|one| one.kind == PvariableKind::Action);
        let meant = nearest(name, fluents.map(|one| one.name.as_str()).chain(names));
        let meant = did_you_mean(meant);
        ActionTextError::new(format!("`{name}` is not an action of this problem{meant}"))
    }
}

fn parse_value(
    compiled: &CompiledInstance,
    field: usize,
    text: Option<&str>,
) -> Result<FieldValue, ActionTextError> {
    let name = &compiled.actions().fields()[field].name;
    let fault = |expected: &str| {
        Err(ActionTextError::new(match text {
            Some(text) => format!("`{name}` takes {expected}, not `{text}`"),
            None => format!("`{name}` takes {expected}: write `{name}=VALUE`"),
        }))
    };
    match compiled.range(&compiled.action, field) {
        Range::Bool => match text {
            None | Some("true" | "1") => Ok(FieldValue::Discrete(1)),
            Some("false" | "0") => Ok(FieldValue::Discrete(0)),
            Some(_) => fault("true or false"),
        },
        Range::Item(of) => {
            let found = text.and_then(|text| compiled.instance.find_item(of, text.trim_start_matches('@')));
            match found {
                Some(place) => Ok(FieldValue::Discrete(place)),
                None => {
                    let type_name = &compiled.instance.domain.type_of(of).name;
                    fault(&format!("one of the items of `{type_name}`"))
                }
            }
        }
        Range::Int => match text.and_then(|text| text.parse().ok()) {
            Some(value) => Ok(FieldValue::Int(value)),
            None => fault("an int"),
        },
        Range::Real => match text.and_then(|text| text.parse().ok()) {
            Some(value) => Ok(FieldValue::Real(value)),
            None => fault("a number"),
        },
    }
}
