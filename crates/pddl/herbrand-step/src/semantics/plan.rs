//! Parsing plans as planners print them, to replay or validate them.

use std::cmp::Ordering;

use herbrand_pddl::Source;

/// A sequence of operators, parsed from a planner's output. The names are not checked against a domain.
/// [`parse`](Self::parse) makes one; `herbrand_env::plan::validate` executes it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ParsedPlan {
    /// The steps, in the order of execution.
    pub steps: Vec<PlanStep>,
}

/// One step of a plan: an operator with its arguments, and its line in the file. [`ParsedPlan::steps`] lists them.
#[derive(Clone, PartialEq, Debug)]
pub struct PlanStep {
    /// The line of the file that states it, counted from 1.
    pub line: usize,
    /// The operator with its arguments, `(name a b)`, in lower case, separated by single blanks.
    /// [`Simulator::parse_action`](crate::Simulator::parse_action) and its lifted counterpart take it.
    pub action: String,
    /// The time before the operator; `None` if there is none. Steps with the same time must be independent, which
    /// [`SimultaneousSteps`](crate::SimultaneousSteps) checks.
    pub time: Option<f64>,
    /// The duration behind the operator; `None` if the line has no duration. Only durative actions have one.
    pub duration: Option<f64>,
}

/// The error for the lines of a plan that have the syntax of no known plan format. [`ParsedPlan::parse`] returns it. Its
/// message has a line for each of the first few of them, with the correction where it is likely.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", self.message())]
pub struct PlanFormatError {
    /// The name of the file.
    pub file: String,
    /// The number of the first such line, counted from 1.
    pub line: usize,
    /// The text of that line with its comment, without blanks around it.
    pub text: String,
    /// The numbers and texts of all further such lines.
    pub others: Vec<(usize, String)>,
}

/// The most lines that the message of a [`PlanFormatError`] lists.
const LISTED: usize = 10;

impl PlanFormatError {
    fn message(&self) -> String {
        let others = self.others.iter().map(|(line, text)| (*line, text));
        let lines = std::iter::once((self.line, &self.text)).chain(others);
        let mut listed: Vec<String> = lines
            .take(LISTED)
            .map(|(line, text)| self.describe(line, text))
            .collect();
        if let Some(more) = (self.others.len() + 1)
            .checked_sub(LISTED)
            .filter(|&more| more > 0)
        {
            let what = if more == 1 { "line" } else { "lines" };
            listed.push(format!("{more} more {what} of {} like these", self.file));
        }
        listed.join("\n")
    }

    fn describe(&self, line: usize, text: &str) -> String {
        let message = format!(
            "{}:{line}: `{text}` is not of the form (operator argument …)",
            self.file
        );
        let code = text.split(';').next().unwrap_or_default();
        let words = written(code);
        let fits = !words.is_empty() && words.iter().all(|word| is_name(word));
        if fits {
            format!("{message}: write ({})", words.join(" "))
        } else {
            message
        }
    }
}

impl ParsedPlan {
    /// Parses a plan in Fast Downward's format, `(operator argument …)` on each line, or with times: in VAL's format, `3.000:
    /// (operator argument …) [1.000]`, which POPF writes too, in that of LPG, with `[D:1.000; C:0.100]`, or in that of Unified
    /// Planning, `3.0: operator(argument, …) [1.0]`. With times, the steps are sorted by the time before the operator; steps of
    /// the same time keep their order, which may not matter ([`SimultaneousSteps`](crate::SimultaneousSteps)), and a step without a time follows the one in the line before. Lines of all
    /// formats may be mixed; a line has at most one operator. A semicolon outside of brackets starts a comment. A text without steps gives the empty plan.
    ///
    /// # Errors
    /// Fails with all lines that have neither format.
    pub fn parse(source: &Source) -> Result<Self, PlanFormatError> {
        let mut steps: Vec<(f64, PlanStep)> = Vec::new();
        let mut wrong: Option<PlanFormatError> = None;
        for (line, text) in (1..).zip(source.text().lines()) {
            let code = without_comment(text).trim();
            if code.is_empty() {
                continue;
            }
            let Some((time, action, duration)) = step(code) else {
                let text = text.trim().to_owned();
                match &mut wrong {
                    Some(error) => error.others.push((line, text)),
                    None => {
                        wrong = Some(PlanFormatError {
                            file: source.name().to_owned(),
                            line,
                            text,
                            others: Vec::new(),
                        });
                    }
                }
                continue;
            };
            let before = steps.last().map_or(f64::NEG_INFINITY, |(time, _)| *time);
            let step = PlanStep {
                line,
                action,
                time,
                duration,
            };
            steps.push((time.unwrap_or(before), step));
        }
        if let Some(error) = wrong {
            return Err(error);
        }
        // Times are numbers, so any two of them compare.
        steps.sort_by(|(one, _), (other, _)| one.partial_cmp(other).unwrap_or(Ordering::Equal));
        Ok(Self {
            steps: steps.into_iter().map(|(_, step)| step).collect(),
        })
    }
}

/// Returns the words of an operator and its arguments in other notations: without parentheses, behind a number such as `1.`,
/// or as `operator(argument, …)`.
fn written(code: &str) -> Vec<&str> {
    let code = code.trim();
    let unnumbered = code.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = unnumbered.len() < code.len();
    let code = match unnumbered.strip_prefix(['.', ')', ':']) {
        Some(rest) if is_number => rest.trim(),
        _ if is_number && unnumbered.trim_start().starts_with('(') => unnumbered.trim(),
        _ => code,
    };
    let (name, arguments) = match code.split_once('(') {
        Some((name, arguments)) => (name, arguments.strip_suffix(')').unwrap_or(code)),
        None => ("", code),
    };
    let arguments = arguments.split(|c: char| c.is_whitespace() || c == ',');
    let words = name.split_whitespace().chain(arguments);
    words.filter(|word| !word.is_empty()).collect()
}

/// Returns whether a word can be the name of an action or object.
fn is_name(word: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-.@#$%&!".contains(c);
    word.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') && word.chars().all(is_part)
}

/// Returns a line without its comment. Brackets may contain a semicolon.
fn without_comment(text: &str) -> &str {
    let comment = text.match_indices(';').map(|(at, _)| at);
    let is_outside = |at: &usize| text[..*at].matches('[').count() <= text[..*at].matches(']').count();
    text.split_at(comment.into_iter().find(is_outside).unwrap_or(text.len()))
        .0
}

/// The time, the operator and the duration of one line from which the comment was removed.
fn step(code: &str) -> Option<(Option<f64>, String, Option<f64>)> {
    let (before, rest) = code.split_once('(')?;
    let (inner, after) = rest.split_once(')')?;
    let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    let (stamp, name) = match before.trim() {
        "" => (None, ""),
        timed => {
            let (stamp, name) = timed.split_once(':')?;
            (Some(number(stamp)?), name.trim())
        }
    };
    let duration = match after.trim() {
        "" => None,
        bracket => {
            let inside = bracket.strip_prefix('[')?.strip_suffix(']')?;
            let first = inside.split(';').next()?.trim();
            Some(number(first.strip_prefix("D:").unwrap_or(first))?)
        }
    };
    let arguments = inner.split(|c: char| c.is_whitespace() || (!name.is_empty() && c == ','));
    let words = std::iter::once(name)
        .chain(arguments)
        .filter(|word| !word.is_empty());
    let words = words.collect::<Vec<_>>();
    let fine = (name.is_empty() || is_name(name)) && !words.is_empty() && !inner.contains('(');
    fine.then(|| (stamp, format!("({})", words.join(" ").to_lowercase()), duration))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formats_are_read() {
        let text = "; cost = 2\n(pick-up A)\n\n0.000: (STACK a  b) [1.000]\n 2: (wait) ; at last\n";
        let plan = ParsedPlan::parse(&Source::new("plan", text)).expect("a plan");
        let steps = plan.steps.iter().map(|step| (step.line, step.action.as_str()));
        assert_eq!(
            steps.collect::<Vec<_>>(),
            [(2, "(pick-up a)"), (4, "(stack a b)"), (5, "(wait)")]
        );
    }

    #[test]
    fn durations_are_read_in_each_format() {
        let text = "0.5: (go A b) [2.5]\n1: (go a b) [D:3.00; C:0.10]\n2.0: go(a, b) [4]\n3: wait()\n";
        let plan = ParsedPlan::parse(&Source::new("plan", text)).expect("a plan");
        let steps = plan
            .steps
            .iter()
            .map(|step| (step.time, step.action.as_str(), step.duration));
        assert_eq!(
            steps.collect::<Vec<_>>(),
            [
                (Some(0.5), "(go a b)", Some(2.5)),
                (Some(1.0), "(go a b)", Some(3.0)),
                (Some(2.0), "(go a b)", Some(4.0)),
                (Some(3.0), "(wait)", None)
            ]
        );
    }

    #[test]
    fn steps_are_in_the_order_of_their_times() {
        let text = "2: (c)\n(d)\n10: (f)\n0.5: (a)\n2.0: (e)\n0.5: (b)\n";
        let plan = ParsedPlan::parse(&Source::new("plan", text)).expect("a plan");
        let steps = plan.steps.iter().map(|step| (step.line, step.action.as_str()));
        assert_eq!(
            steps.collect::<Vec<_>>(),
            [
                (4, "(a)"),
                (6, "(b)"),
                (1, "(c)"),
                (2, "(d)"),
                (5, "(e)"),
                (3, "(f)")
            ]
        );
    }

    #[test]
    fn all_lines_that_are_no_steps_are_told() {
        let text = "take-oil  cellar ; first\n(go a b)\n(go b\nwait\n";
        let error = ParsedPlan::parse(&Source::new("plan", text)).expect_err("two lines are wrong");
        assert_eq!(
            error.to_string(),
            "plan:1: `take-oil  cellar ; first` is not of the form (operator argument …): write (take-oil cellar)\n\
             plan:3: `(go b` is not of the form (operator argument …)\n\
             plan:4: `wait` is not of the form (operator argument …): write (wait)"
        );
        let text =
            "1. (go a b)\n2) go a b\n3 (go a b)\nGo(a, b)\nwait()\n4: go(a b\n(a) (b)\n1:2: (a)\ngo(a\n";
        let error = ParsedPlan::parse(&Source::new("plan", text)).expect_err("all lines are wrong");
        let form = "is not of the form (operator argument …)";
        assert_eq!(
            error.to_string(),
            format!(
                "plan:1: `1. (go a b)` {form}: write (go a b)\nplan:2: `2) go a b` {form}: write (go a b)\n\
                 plan:3: `3 (go a b)` {form}: write (go a b)\nplan:4: `Go(a, b)` {form}: write (Go a b)\n\
                 plan:5: `wait()` {form}: write (wait)\nplan:6: `4: go(a b` {form}\n\
                 plan:7: `(a) (b)` {form}\nplan:8: `1:2: (a)` {form}\nplan:9: `go(a` {form}"
            )
        );
        let message = |count: usize| {
            let error = ParsedPlan::parse(&Source::new("plan", &"wait\n".repeat(count))).expect_err("wrong");
            error.to_string()
        };
        assert_eq!(message(10).lines().count(), 10);
        assert!(message(11).ends_with("\n1 more line of plan like these"));
        assert!(message(30).ends_with("\n20 more lines of plan like these"));
        assert_eq!(message(30).lines().count(), 11);
    }

    #[test]
    fn what_is_no_step_is_told_with_its_line() {
        for text in [
            "pick-up a",
            "(pick-up a",
            "()",
            "now: (a)",
            "nan: (a)",
            "1 (a)",
            "1:2: (a)",
            "(a) [soon]",
            "(a) (b)",
            "((a))",
        ] {
            let error = ParsedPlan::parse(&Source::new("plan", &format!("(a)\n{text}"))).expect_err(text);
            assert_eq!((error.line, error.text.as_str()), (2, text));
        }
    }
}
