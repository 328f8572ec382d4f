//! Formatting of RDDL texts.

use std::ops::Range;

use herbrand_text::{Change, LexemeKind, ReadOptions, Severity, Source, Span, Tree};

use crate::diagnostic::Faults;
use crate::read::read;
use crate::syntax::tree;

/// The width of a level of indentation in columns.
const STEP: usize = 4;

/// The maximum number of indentation levels of a continuation line beyond the first line of its statement.
const DEEPEST: usize = 4;

/// Formats an RDDL text and returns the new text. Every line is indented by one level more than the line of the
/// enclosing brace. A continuation line of a statement is indented by at least one more level; if it was indented
/// further, by up to four levels. Several empty lines become one, and trailing blanks are removed. Nothing changes
/// within a line, so comments, names and the meaning of the text stay the same. All lines end like the first one, with
/// `\n` or `\r\n`.
///
/// ```
/// use herbrand_rddl::{Source, format};
///
/// let text = "domain d {\n pvariables { n : { state-fluent, int, default = 0 }; };  // one\n\n\n  cpfs {\n n' = n\n + 1; };\n reward = n; }";
/// assert_eq!(
///     format(&Source::new("domain.rddl", text))?,
///     "domain d {\n    pvariables { n : { state-fluent, int, default = 0 }; };  // one\n\n    cpfs {\n        n' = n\n            + 1; };\n    reward = n; }\n"
/// );
/// # Ok::<(), herbrand_rddl::Faults>(())
/// ```
///
/// # Errors
/// Fails if the syntax of the text has faults; warnings do not matter. Names and types are not checked.
pub fn format(source: &Source) -> Result<String, Faults> {
    let document = read(std::slice::from_ref(source), &ReadOptions::default());
    let mut diagnostics = document.diagnostics().iter();
    if diagnostics.any(|fault| fault.severity() == Severity::Error) {
        return Err(Faults::new(document.diagnostics().to_vec()));
    }
    let tree = tree(source);
    let mut layout = Layout::new(&tree);
    let mut rest = 0..tree.lexemes().len();
    while let Some(first) = rest.next() {
        let next = rest.clone().find(|&index| tree.line_breaks(index) > 0);
        rest.start = next.unwrap_or(rest.end);
        layout.line(first..rest.start);
    }
    Ok(layout.out)
}

/// Formats the lines of an RDDL text that `range` touches. Returns the changes of the text in order; carried out
/// ([`Change::apply`]), they give these lines the layout that [`format()`] gives them if the lines above have it.
///
/// # Errors
/// Fails if the syntax of the text has faults, wherever they are.
pub fn format_range(source: &Source, range: Span) -> Result<Vec<Change>, Faults> {
    let formatted = Source::new(source.name(), &format(source)?);
    let before = tree(source);
    Ok(before.changes_to(&tree(&formatted), before.lines(range)))
}

/// The state of formatting.
struct Layout<'t> {
    tree: &'t Tree,
    line_break: &'static str,
    out: String,
    /// For each open brace, the indentation in columns of the line that closes it.
    braces: Vec<usize>,
    /// The number of open parentheses and brackets.
    inner: usize,
    /// The last character of the code so far; `None` at the beginning.
    last: Option<char>,
}

impl<'t> Layout<'t> {
    fn new(tree: &'t Tree) -> Self {
        Self {
            tree,
            line_break: tree.line_break(),
            out: String::new(),
            braces: Vec::new(),
            inner: 0,
            last: None,
        }
    }

    /// Writes a line, which is not empty, given by its lexemes.
    fn line(&mut self, line: Range<usize>) {
        let tree = self.tree;
        if !self.out.is_empty() && tree.line_breaks(line.start) > 1 {
            self.out.push_str(self.line_break);
        }
        let indent = self.indent(line.clone());
        self.out.extend(std::iter::repeat_n(' ', indent));
        for index in line.clone() {
            if index > line.start {
                self.out.push_str(tree.blank(index));
            }
            self.out.push_str(tree.word(index).trim_end());
        }
        self.out.push_str(self.line_break);
        self.follow(line, indent);
    }

    /// Returns the indentation of a line in columns.
    fn indent(&self, line: Range<usize>) -> usize {
        let tree = self.tree;
        let words = || line.clone().map(|index| tree.word(index));
        let closing = words()
            .take_while(|word| ["}", ")", "]", ";", ","].contains(word))
            .filter(|word| *word == "}");
        let base = match closing.count() {
            0 => self.braces.last().map_or(0, |column| column + STEP),
            count => {
                let outermost = self.braces.len().saturating_sub(count);
                self.braces.get(outermost).copied().unwrap_or(0)
            }
        };
        let ended = self.last.is_none_or(|last| ";{},".contains(last));
        let continues = (self.inner > 0 || !ended) && words().next() != Some("}");
        if !continues {
            return base;
        }
        let before = tree.blank(line.start).rsplit(['\n', '\r']).next();
        let own = before.unwrap_or_default().chars().filter(|&c| c != '\u{feff}');
        let levels = own.count().saturating_sub(base) / STEP;
        base + STEP * levels.clamp(1, DEEPEST)
    }

    /// Counts the brackets that a line opens and closes. `indent` is the indentation of the line.
    fn follow(&mut self, line: Range<usize>, indent: usize) {
        let before = self.braces.len();
        for index in line {
            match self.tree.word(index) {
                "{" => {
                    let opened = self.braces.len().saturating_sub(before);
                    self.braces.push(indent + STEP * opened);
                }
                "}" => drop(self.braces.pop()),
                "(" | "[" => self.inner += 1,
                ")" | "]" => self.inner = self.inner.saturating_sub(1),
                _ => {}
            }
            if self.tree.lexemes()[index].kind != LexemeKind::Comment {
                self.last = self.tree.word(index).chars().next_back();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid_out(text: &str) -> String {
        format(&Source::new("text", text)).expect("a text without faults of syntax")
    }

    #[test]
    fn bundled_texts_are_laid_out_so() {
        let mut count = 0;
        for (path, text) in herbrand_domains::rddl().filter(|(path, _)| path.ends_with(".rddl")) {
            assert_eq!(laid_out(text), text, "{path}");
            count += 1;
        }
        assert!(count > 200, "{count}");
    }

    /// Returns the words of a text, without its layout.
    fn dense(text: &str) -> Vec<String> {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        text.lines().flat_map(words).collect()
    }

    #[test]
    fn whatever_the_layout_was_it_comes_to_one() {
        for (path, text) in herbrand_domains::rddl().filter(|(path, _)| path.ends_with("domain.rddl")) {
            let flat: String = text
                .lines()
                .map(|line| line.trim().to_owned() + " \r\n")
                .collect();
            let wide: String = text.lines().map(|line| format!("\t   {line}\n\n")).collect();
            for messy in [flat, wide] {
                let once = laid_out(&messy);
                assert_eq!(laid_out(&once), once, "{path}");
                assert_eq!(dense(&once), dense(text), "{path}");
            }
        }
    }

    #[test]
    fn cases_are_indented_below_their_switch() {
        let text = "domain d {
    cpfs {
        hue' =
            if (lit) then @red
            else switch (hue) {
                case @red : @green,
                case @green : switch (other) {
                    case @red : @green,
                    default : @red
                },
                default : @red
            };
        lit' = lit;
    };
    reward = 0;
}
";
        let flat: String = text.lines().map(|line| format!("{}\n", line.trim())).collect();
        assert_eq!(laid_out(text), text);
        assert_eq!(laid_out(&flat), text);
    }

    #[test]
    fn what_is_no_text_is_refused() {
        assert!(format(&Source::new("text", "domain d { cpfs { a' = ; }")).is_err());
        assert!(format(&Source::new("text", "(define (domain d))")).is_err());
    }
}
