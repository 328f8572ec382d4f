//! Answers and plans in the replies of people and language models.
//!
//! A reply is read in three stages, each linear in its length:
//!
//! 1. Thinking (`<think>…</think>`) is removed. Thinking that never ends leaves no answer.
//! 2. The answer is the part that is marked most clearly: by a tag such as `<answer>` or `<plan>`, or else by `\boxed{}`, or
//!    else by a label such as `Answer:`, or else, for a plan, by a code block. Of several such marks the last one counts. The
//!    marks inside it are read by the same rule. A reply without a mark is an answer as a whole.
//! 3. Lines become steps: numbers, bullets, times, durations and comments are removed, and so are the lines before the first
//!    step and after the last one, which are prose. A line with a number, or that is written like a call, such as `flyy(b)`, is
//!    a step, also if it is no action.

use std::borrow::Cow;

use crate::answer::{AnswerError, AnswerFault};
use crate::term::Syntax;

/// The tags around thoughts.
const THINKING: [&str; 4] = ["think", "thinking", "thought", "reasoning"];
/// How many marks around each other are read.
const DEEPEST: usize = 4;
/// The characters that decorate an answer.
const DECORATION: &[char] = &['*', '`', '"', '\'', '“', '”', '$'];

/// A reader of replies that knows the actions of a problem. [`action`](Self::action) and [`plan`](Self::plan) read one.
/// Without a problem, [`TEXT`](Self::TEXT) reads by form alone.
#[derive(Clone, Copy)]
pub struct ReplyReader<'r> {
    /// The syntax of the actions. In PDDL, semicolons separate the steps of a plan. Otherwise they separate actions that
    /// are taken together.
    pub syntax: Option<Syntax>,
    /// Returns whether a text is an action. For [`plan`](Self::plan) also whether it is meant as one
    /// ([`Wording::is_meant`](crate::Wording::is_meant)): such a line is no prose.
    pub reads: &'r dyn Fn(&str) -> bool,
}

/// A step of a plan as somebody wrote it. [`ReplyReader::plan`] returns it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenStep {
    /// The line of the reply, from 1.
    pub line: usize,
    /// The action, without number, comment and decoration.
    pub text: String,
}

/// A line that may state steps.
struct Line<'t> {
    number: usize,
    /// The time before the step, as in the files of temporal planners.
    time: Option<f64>,
    form: LineForm,
    text: &'t str,
}

/// How clearly a line has the form of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineForm {
    Words,
    Bullet,
    /// A number comes first, or the line is an action in parentheses.
    Step,
}

/// The part of a reply that is the answer.
struct Marked<'t> {
    text: &'t str,
    is_marked: bool,
}

/// The content that a reply should have, which decides about the marks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Value,
    Action,
    Plan,
}

/// Returns the answer of a reply to a question about a value, such as a letter, a number or yes or no: the marked part, or else
/// the whole reply.
///
/// ```
/// use herbrand_verbalize::final_value;
///
/// assert_eq!(final_value("<think>Answer: no?</think> It works.\n**Answer:** yes"), "yes");
/// assert_eq!(final_value(r"So it is $\boxed{\text{B}}$."), "B");
/// ```
#[must_use]
pub fn final_value(reply: &str) -> String {
    let reply = without_thinking(reply);
    let value = marked(&reply, Wanted::Value).text;
    value
        .trim_matches(|c: char| c.is_whitespace() || DECORATION.contains(&c))
        .to_owned()
}

impl ReplyReader<'static> {
    /// The reader that knows no actions.
    pub const TEXT: Self = Self {
        syntax: None,
        reads: &|_| false,
    };
}

impl ReplyReader<'_> {
    /// Returns the action in a reply. Of several lines, only lines that are actions count; if there are others between them,
    /// the last action counts. Empty if the reply is.
    ///
    /// ```
    /// use herbrand_verbalize::ReplyReader;
    ///
    /// let action = ReplyReader::TEXT.action("Block b is free.\nAction: 2. pick up block b");
    /// assert_eq!(action.as_deref(), Ok("pick up block b"));
    /// ```
    ///
    /// # Errors
    /// Fails if the answer consists of several actions.
    pub fn action(&self, reply: &str) -> Result<String, AnswerError> {
        let reply = without_thinking(reply);
        let Marked { text, is_marked } = marked(&reply, Wanted::Action);
        let mut steps = self.steps(text, 0);
        if self.syntax == Some(Syntax::Rddl) && is_marked {
            let parts: Vec<_> = steps.into_iter().map(|step| step.text).collect();
            return Ok(parts.join("; "));
        }
        let is_read: Vec<bool> = steps.iter().map(|step| (self.reads)(&step.text)).collect();
        if steps.len() > 1 && is_read.iter().all(|&is_read| is_read) {
            let message = format!("the answer has {} actions instead of one", steps.len());
            return Err(AnswerError::new(AnswerFault::Ambiguous, message));
        }
        let last = is_read.iter().rposition(|&is_read| is_read);
        let at = last.unwrap_or(if is_marked {
            0
        } else {
            steps.len().saturating_sub(1)
        });
        Ok(if at < steps.len() {
            steps.swap_remove(at).text
        } else {
            String::new()
        })
    }

    /// Returns the steps of the plan in a reply, in their order, or in the order of their times if all have one.
    ///
    /// ```
    /// use herbrand_verbalize::ReplyReader;
    ///
    /// let reply = "Here it is:\n<plan>\n1. (pick-up b) ; b is clear\n2. (stack b a)\n</plan>";
    /// let steps = ReplyReader::TEXT.plan(reply);
    /// assert_eq!((steps[1].line, steps[1].text.as_str()), (4, "(stack b a)"));
    /// ```
    #[must_use]
    pub fn plan(&self, reply: &str) -> Vec<WrittenStep> {
        let reply = without_thinking(reply);
        let text = marked(&reply, Wanted::Plan).text;
        let before = text.as_ptr().addr() - reply.as_ptr().addr();
        self.steps(text, reply[..before].matches('\n').count())
    }

    /// Returns the steps of a text that begins after `above` lines.
    fn steps(&self, text: &str, above: usize) -> Vec<WrittenStep> {
        let lines: Vec<_> = lines(text, above + 1).collect();
        let has_forms = lines.iter().any(|line| line.form == LineForm::Step);
        let is_step = |line: &Line<'_>| {
            line.form == LineForm::Step
                || line.form == LineForm::Bullet && !has_forms
                || self
                    .actions(line.text)
                    .into_iter()
                    .any(|text| is_call(text) || (self.reads)(text))
        };
        let first = lines.iter().position(is_step);
        let range = match first {
            Some(first) => first..1 + lines.iter().rposition(is_step).unwrap_or(first),
            None => 0..lines.len(),
        };
        let mut steps = Vec::new();
        for line in &lines[range] {
            let actions = self.actions(line.text).into_iter();
            steps.extend(actions.map(|text| (line.time, line.number, text.to_owned())));
        }
        if steps.iter().all(|(time, ..)| time.is_some()) {
            steps.sort_by(|(one, ..), (other, ..)| {
                one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal)
            });
        }
        let step = |(_, line, text)| WrittenStep { line, text };
        steps.into_iter().map(step).collect()
    }

    /// Returns the actions of a line: those in parentheses, with punctuation, "then" or "and" between them; or else the parts
    /// between semicolons. Text after actions in parentheses is a comment or a duration.
    fn actions<'t>(&self, line: &'t str) -> Vec<&'t str> {
        let is_between = |text: &str| {
            let mut words = text.split(|c: char| !c.is_alphanumeric());
            words.all(|word| word.is_empty() || ["then", "and"].contains(&word))
        };
        if self.syntax == Some(Syntax::Rddl) {
            return vec![line];
        }
        let mut actions = Vec::new();
        let mut rest = line;
        while let Some((before, after)) = rest.split_once('(').filter(|(before, _)| is_between(before)) {
            let end = after.find(')').map_or(after.len(), |end| end + 1);
            actions.push(&rest[before.len()..before.len() + 1 + end]);
            rest = &after[end..];
        }
        if actions.is_empty() && self.syntax == Some(Syntax::Pddl) {
            let parts = line.split(';').map(undecorated);
            actions.extend(parts.filter(|part| !part.is_empty()));
        } else if actions.is_empty() {
            actions.push(line);
        }
        actions
    }
}

/// Returns whether a text is a name with parentheses, such as `flyy(b)` or `throttle(a1): 0.5`.
fn is_call(text: &str) -> bool {
    let Some((name, rest)) = text.split_once('(').filter(|_| !text.ends_with(':')) else {
        return false;
    };
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let after = rest.rsplit_once(')').map_or(rest, |(_, after)| after);
    !name.is_empty() && name.chars().all(is_name) && !after.contains(char::is_alphabetic)
}

/// Iterates over the lines of a text that are not empty, comments or the ends of code blocks, numbered from `first`.
fn lines(text: &str, first: usize) -> impl Iterator<Item = Line<'_>> {
    let parts = (first..).zip(text.lines()).flat_map(|(number, line)| {
        // Each action of a plan may have a tag.
        let parts = line.split("<action>").flat_map(|part| part.split("</action>"));
        parts.map(move |part| (number, part.trim()))
    });
    let is_text = |line: &str| line.contains(|c: char| c.is_alphanumeric() || c == '(');
    let parts = parts.filter(move |(_, line)| is_text(line) && !line.starts_with(';') && !is_fence(line));
    parts.filter_map(|(number, line)| {
        let (mut form, mut time, mut text) = (LineForm::Words, None, undecorated(line));
        for _ in 0..DEEPEST {
            if let Some((stamp, rest)) = numbered(text) {
                (form, time, text) = (LineForm::Step, stamp, undecorated(rest));
            } else if let Some(rest) = bulleted(text) {
                form = if form == LineForm::Step {
                    form
                } else {
                    LineForm::Bullet
                };
                text = undecorated(rest);
            }
        }
        // A list of actions may be in parentheses or brackets of its own.
        let list = text.trim_start_matches(['(', '[']);
        let open = text.len() - list.len();
        if open > 0 && text[..open].ends_with('(') {
            form = LineForm::Step;
            text = &text[open - 1..];
        }
        (text.len() > 1 || list.len() == text.len()).then_some(Line {
            number,
            time,
            form,
            text,
        })
    })
}

/// Removes the number of a step, such as `1.`, `2)`, `(3)`, `Step 4:` or the time `0.000:`. Returns the time of a step that
/// has one, and the rest.
fn numbered(line: &str) -> Option<(Option<f64>, &str)> {
    let word = line.get(..4).filter(|word| word.eq_ignore_ascii_case("step"));
    let text = word.map_or(line, |_| line[4..].trim_start());
    let is_enclosed = text.starts_with('(');
    let text = text.strip_prefix('(').unwrap_or(text);
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &text[..text.len() - rest.len()];
    if digits.is_empty() {
        return None;
    }
    let decimals = rest.strip_prefix('.').unwrap_or_default();
    let after = decimals.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_decimal = after.len() < decimals.len() && after.starts_with(':');
    let (stamp, rest) = if is_decimal {
        (&text[..text.len() - after.len()], after)
    } else {
        (digits, rest)
    };
    let content = if is_enclosed {
        rest.strip_prefix(')')?
    } else {
        match rest.strip_prefix(['.', ')', ':']) {
            Some(content) => content,
            None => Some(rest).filter(|rest| rest.trim_start().starts_with('('))?,
        }
    };
    // A number alone, or before another number, is an answer itself.
    if content.trim().is_empty() || content.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let time = rest.starts_with(':') && content.trim_start().starts_with('(');
    Some((time.then(|| stamp.parse().ok()).flatten(), content))
}

/// Returns whether a line begins or ends a block of code.
fn is_fence(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("~~~") || line.starts_with("```") && !line[3..].contains("```")
}

/// Removes the bullet of a list.
fn bulleted(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(['-', '–', '*', '•', '+'])?;
    rest.starts_with([' ', '\t', '(']).then_some(rest)
}

/// Removes blanks and decoration around a text.
fn undecorated(text: &str) -> &str {
    let text = text.trim();
    // A star before a blank is the bullet of a list.
    let start = text
        .strip_prefix("* ")
        .map_or_else(|| text.trim_start_matches(DECORATION), |_| text);
    start
        .trim_end_matches(|c: char| c.is_whitespace() || DECORATION.contains(&c))
        .trim_start()
}

/// Returns a reply without its thoughts. Only the ends of their lines are kept. A thought that only ends began in the prompt
/// of the model.
fn without_thinking(reply: &str) -> Cow<'_, str> {
    let ends_of_lines = |text: &str| text.bytes().filter(|&byte| byte == b'\n').count();
    let (mut above, mut kept) = (0, String::new());
    let (mut from, mut is_thinking) = (0, false);
    for (at, _) in reply.match_indices('<') {
        let Some((is_end, length)) = thinking_tag(&reply[at..]) else {
            continue;
        };
        let before = &reply[from..at];
        if is_thinking {
            kept += &"\n".repeat(ends_of_lines(before));
        } else if is_end {
            above += ends_of_lines(&kept) + ends_of_lines(before);
            kept.clear();
        } else {
            kept += before;
        }
        (from, is_thinking) = (at + length, !is_end);
    }
    if from == 0 {
        return Cow::Borrowed(reply);
    }
    if !is_thinking {
        kept += &reply[from..];
    }
    Cow::Owned("\n".repeat(above) + &kept)
}

/// Returns whether the tag with which a text begins ends a thought, and its length; `None` if it is another tag.
fn thinking_tag(text: &str) -> Option<(bool, usize)> {
    let name = text.strip_prefix("</").or_else(|| text.strip_prefix('<'))?;
    let before = text.len() - name.len();
    let found = THINKING.iter().find(|tag| {
        let end = name.as_bytes().get(tag.len());
        end == Some(&b'>') && name.as_bytes()[..tag.len()].eq_ignore_ascii_case(tag.as_bytes())
    })?;
    Some((before == 2, before + found.len() + 1))
}

/// Returns the part of a text that is marked as the answer.
fn marked(text: &str, wanted: Wanted) -> Marked<'_> {
    let (mut part, mut is_marked, mut is_labelled) = (text, false, false);
    for _ in 0..DEEPEST {
        let found = match wanted {
            Wanted::Value => tagged(part, &["answer"]),
            Wanted::Action => tagged(part, &["answer", "action"]).or_else(|| tagged(part, &["plan"])),
            Wanted::Plan => tagged(part, &["answer", "plan"]),
        };
        let found = found
            .or_else(|| boxed(part))
            .or_else(|| {
                let label = (!is_labelled).then(|| labelled(part, wanted)).flatten();
                is_labelled |= label.is_some();
                label
            })
            .or_else(|| (wanted == Wanted::Plan).then(|| fenced(part)).flatten());
        let Some(found) = found else {
            break;
        };
        (part, is_marked) = (found, true);
    }
    Marked {
        text: part,
        is_marked,
    }
}

/// Returns the content of the last tag with one of these names. A tag that is not closed reaches to the end of the text if no
/// other tag is closed.
fn tagged<'t>(text: &'t str, names: &[&str]) -> Option<&'t str> {
    let small = text.to_ascii_lowercase();
    let closing: Vec<_> = names
        .iter()
        .map(|name| {
            let tag = format!("</{name}>");
            let last = small.rfind(&tag);
            (tag, last)
        })
        .collect();
    let (mut closed, mut open, mut end) = (None, None, 0);
    for (at, _) in small.match_indices('<') {
        let is_open = |name: &&str| {
            let rest = small[at + 1..].strip_prefix(*name);
            rest.is_some_and(|rest| rest.starts_with('>'))
        };
        let Some(of) = names.iter().position(is_open).filter(|_| at >= end) else {
            continue;
        };
        let start = at + names[of].len() + 2;
        let (tag, last) = &closing[of];
        match last
            .filter(|&last| last >= start)
            .and_then(|_| small[start..].find(tag))
        {
            Some(length) => {
                end = start + length;
                closed = Some(&text[start..end]);
            }
            None => open = Some(&text[start..]),
        }
    }
    closed.or(open)
}

/// Returns the content of the last `\boxed{}`, with the content of commands such as `\text{}` in place of the command. Without
/// a closing brace it reaches to the end of the text.
fn boxed(text: &str) -> Option<&str> {
    let (mut found, mut end) = (None, 0);
    for (at, _) in text.match_indices("boxed") {
        let Some(content) = text[at + 5..]
            .trim_start()
            .strip_prefix('{')
            .filter(|_| at >= end)
        else {
            continue;
        };
        let content = braced(content);
        end = content.as_ptr().addr() - text.as_ptr().addr() + content.len();
        found = Some(content);
    }
    let found = found?.trim();
    let command = found.strip_prefix('\\').and_then(|rest| rest.split_once('{'));
    let name = command.filter(|(name, _)| name.starts_with("text") || name.starts_with("math"));
    Some(name.map_or(found, |(_, rest)| braced(rest)))
}

/// Returns the text up to the brace that closes an open one.
fn braced(text: &str) -> &str {
    let mut depth = 1usize;
    let end = text.char_indices().find(|&(_, c)| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    end.map_or(text, |(end, _)| &text[..end])
}

/// Returns the text after the last label, such as `Answer:`, or else after `answer is`.
fn labelled(text: &str, wanted: Wanted) -> Option<&str> {
    let is_word = |c: char| c.is_alphanumeric();
    let is_mark = |c: char| c.is_whitespace() || "*_`".contains(c);
    // The last label is the one with the shortest rest.
    let last = |word: &str, end: fn(&str) -> Option<&str>| {
        let bytes = text.as_bytes();
        let places = (0..text.len()).rev().filter(|&at| {
            let found = bytes.get(at..at + word.len());
            found.is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes()))
        });
        places
            .filter(|&at| !text[..at].ends_with(is_word))
            .find_map(|at| end(text[at + word.len()..].trim_start_matches(is_mark)))
    };
    let colon: fn(&str) -> Option<&str> = |rest| rest.strip_prefix([':', '：']);
    let is: fn(&str) -> Option<&str> = |rest| {
        let rest = rest
            .strip_prefix("is")
            .filter(|rest| !rest.starts_with(char::is_alphanumeric))?;
        Some(rest.strip_prefix(':').unwrap_or(rest))
    };
    let other = match wanted {
        Wanted::Value => None,
        Wanted::Action => last("action", colon),
        Wanted::Plan => last("plan", colon).filter(|rest| {
            let before = text[..text.len() - rest.len()].trim_end_matches([':', '：']);
            let word = before.trim_end_matches(is_mark);
            let line = word[..word.len() - 4].rsplit('\n').next().unwrap_or_default();
            !line.contains(is_word) || line.trim().eq_ignore_ascii_case("final")
        }),
    };
    let labels = last("answer", colon).into_iter().chain(other);
    labels
        .min_by_key(|rest| rest.len())
        .or_else(|| last("answer", is))
}

/// Returns the content of the last block of code that has any.
fn fenced(text: &str) -> Option<&str> {
    let (mut found, mut open) = (None, None);
    for line in text.split_inclusive('\n') {
        let at = line.as_ptr().addr() - text.as_ptr().addr();
        if is_fence(line) {
            found = match open.take() {
                Some(start) => Some(&text[start..at])
                    .filter(|block| !block.trim().is_empty())
                    .or(found),
                None => {
                    open = Some(at + line.len());
                    found
                }
            };
        }
    }
    found.or_else(|| open.map(|start| &text[start..]))
}
