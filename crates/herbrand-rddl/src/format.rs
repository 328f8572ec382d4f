//! Layout of RDDL texts.

use herbrand_text::{Severity, Source};

use crate::{Faults, ReadOptions, read};

/// The columns of a level of indentation.
const STEP: usize = 4;

/// The most levels by which a line that continues a statement is indented beyond its first line.
const DEEPEST: usize = 4;

/// Lays a text out: every line is indented by the braces around it, and a line that continues a statement by one level more,
/// or by as many as it has, up to four; an empty line is kept, several become one; no line ends in blanks. Within a line
/// nothing changes, so comments, names and the meaning of the text stay as they are.
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
/// When the text is not made of blocks of RDDL. Names and types are not looked at.
pub fn format(source: &Source) -> Result<String, Faults> {
    let document = read(std::slice::from_ref(source), &ReadOptions::default());
    let mut diagnostics = document.diagnostics().iter();
    if diagnostics.any(|fault| fault.severity() == Severity::Error) {
        return Err(Faults::new(document.diagnostics().to_vec()));
    }
    let mut layout = Layout::default();
    source.text().lines().for_each(|line| layout.line(line));
    Ok(layout.out)
}

/// A text under way.
#[derive(Default)]
struct Layout {
    out: String,
    /// The braces that are open.
    braces: usize,
    /// The parentheses and brackets that are open.
    inner: usize,
    /// The last character of the code so far; none at the beginning.
    last: Option<char>,
    /// Whether an empty line came before.
    blank: bool,
}

impl Layout {
    fn line(&mut self, line: &str) {
        let text = line.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        if text.is_empty() {
            self.blank = !self.out.is_empty();
            return;
        }
        let code = text.split("//").next().unwrap_or_default().trim_end();
        if std::mem::take(&mut self.blank) {
            self.out.push('\n');
        }
        let indent = self.indent(line, code);
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.out.push_str(text);
        self.out.push('\n');
        self.follow(code);
    }

    /// The columns that a line is indented by.
    fn indent(&self, line: &str, code: &str) -> usize {
        let closing = code
            .chars()
            .take_while(|c| "})];, ".contains(*c))
            .filter(|c| *c == '}');
        let base = STEP * self.braces.saturating_sub(closing.count());
        let ended = self.last.is_none_or(|last| ";{},".contains(last));
        let continues = (self.inner > 0 || !ended) && !code.starts_with('}');
        if !continues {
            return base;
        }
        let own = line.chars().take_while(|c| c.is_whitespace()).count();
        let levels = own.saturating_sub(base) / STEP;
        base + STEP * levels.clamp(1, DEEPEST)
    }

    /// Counts what a line opens and closes.
    fn follow(&mut self, code: &str) {
        for c in code.chars() {
            match c {
                '{' => self.braces += 1,
                '}' => self.braces = self.braces.saturating_sub(1),
                '(' | '[' => self.inner += 1,
                ')' | ']' => self.inner = self.inner.saturating_sub(1),
                _ => {}
            }
        }
        self.last = code.chars().next_back().or(self.last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid_out(text: &str) -> String {
        format(&Source::new("text", text)).expect("a text without faults of syntax")
    }

    #[cfg(feature = "domains")]
    #[test]
    fn bundled_texts_are_laid_out_so() {
        let mut count = 0;
        for (path, text) in herbrand_domains::rddl().filter(|(path, _)| path.ends_with(".rddl")) {
            assert_eq!(laid_out(text), text, "{path}");
            count += 1;
        }
        assert!(count > 200, "{count}");
    }

    /// What a text says, without its blanks.
    #[cfg(feature = "domains")]
    fn dense(text: &str) -> Vec<String> {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        text.lines().flat_map(words).collect()
    }

    #[cfg(feature = "domains")]
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
    fn what_is_no_text_is_refused() {
        assert!(format(&Source::new("text", "domain d { cpfs { a' = ; }")).is_err());
        assert!(format(&Source::new("text", "(define (domain d))")).is_err());
    }
}
