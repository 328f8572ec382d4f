//! Drafts of problems, and their text.

use std::fmt::{Display, Write};

/// The maximal column of lines with facts.
const WIDTH: usize = 96;

/// A problem under construction, with a plan that solves it.
///
/// Atoms, goals and steps are written in PDDL without the outer parentheses, such as `on a b`. Atoms of one call share a
/// line as far as they fit.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    notes: Vec<String>,
    objects: Vec<String>,
    count: usize,
    facts: Vec<String>,
    goals: Vec<String>,
    plan: Vec<String>,
}

impl Draft {
    /// Adds a comment line at the top of the problem.
    pub fn note(&mut self, line: impl Display) {
        self.notes.push(line.to_string());
    }

    /// Adds objects of the type `kind`, with these names.
    pub fn objects(&mut self, kind: &str, names: impl IntoIterator<Item = impl Display>) {
        let mut words: Vec<String> = names.into_iter().map(|name| name.to_string()).collect();
        if !words.is_empty() {
            self.count += words.len();
            words.push(format!("- {kind}"));
            self.objects.push(filled(&words));
        }
    }

    /// Adds an atom, such as `on a b`, to the initial state.
    pub fn fact(&mut self, atom: impl Display) {
        self.facts([atom]);
    }

    /// Adds atoms, such as `on a b`, to the initial state. They share lines of the text as far as they fit.
    pub fn facts(&mut self, atoms: impl IntoIterator<Item = impl Display>) {
        let words: Vec<String> = atoms.into_iter().map(|atom| format!("({atom})")).collect();
        if !words.is_empty() {
            self.facts.push(filled(&words));
        }
    }

    /// Adds atoms to the initial state, each item of `rows` on a line of its own.
    pub fn rows(&mut self, rows: impl IntoIterator<Item = impl IntoIterator<Item = impl Display>>) {
        rows.into_iter().for_each(|row| self.facts(row));
    }

    /// Adds a condition to the goal, such as `on a b` or `or (on a b) (on b a)`. All conditions must hold.
    pub fn goal(&mut self, formula: impl Display) {
        self.goals.push(format!("({formula})"));
    }

    /// Adds a step, such as `stack a b`, to the plan.
    pub fn step(&mut self, action: impl Display) {
        self.plan.push(format!("({action})"));
    }

    /// Returns the number of objects that calls of [`objects`](Self::objects) have added.
    pub fn object_count(&self) -> usize {
        self.count
    }

    /// Returns whether the plan has any steps so far.
    pub fn has_steps(&self) -> bool {
        !self.plan.is_empty()
    }

    /// Removes the steps of the plan and returns them.
    pub fn take_plan(&mut self) -> Vec<String> {
        std::mem::take(&mut self.plan)
    }

    /// Returns the problem as PDDL text, with these names of domain and problem.
    pub fn text(&self, domain: &str, problem: &str) -> String {
        let mut text = String::new();
        for note in &self.notes {
            text.push_str(format!("; {note}").trim_end());
            text.push('\n');
        }
        // Writing into a string does not fail.
        let _ = writeln!(text, "(define (problem {problem})\n  (:domain {domain})");
        section(&mut text, "(:objects", &self.objects);
        text.push('\n');
        section(&mut text, "(:init", &self.facts);
        text.push('\n');
        match self.goals.as_slice() {
            [goal] => section(&mut text, "(:goal", std::slice::from_ref(goal)),
            goals => {
                text.push_str("  (:goal\n    (and");
                for goal in goals {
                    text.push_str("\n      ");
                    text.push_str(goal);
                }
                text.push_str("))");
            }
        }
        text.push_str(")\n");
        text
    }
}

fn section(text: &mut String, head: &str, lines: &[String]) {
    text.push_str("  ");
    text.push_str(head);
    for line in lines {
        text.push_str("\n    ");
        text.push_str(line);
    }
    text.push(')');
}

/// Breaks words into lines. All lines but the first are indented.
fn filled(words: &[String]) -> String {
    let mut text = String::new();
    let mut column = 4;
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            if column + 1 + word.len() > WIDTH {
                text.push_str("\n    ");
                column = 4;
            } else {
                text.push(' ');
                column += 1;
            }
        }
        text.push_str(word);
        column += word.len();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_laid_out_like_the_bundled_problems() {
        let mut draft = Draft::default();
        draft.note("Two lamps.");
        draft.objects("lamp", ["kitchen", "hall"]);
        draft.objects("cat", [""; 0]);
        draft.fact("on hall");
        draft.goal("on kitchen");
        let head = "; Two lamps.\n(define (problem evening)\n  (:domain switches)\n  (:objects\n    \
                    kitchen hall - lamp)\n  (:init\n    (on hall))\n";
        let one = format!("{head}  (:goal\n    (on kitchen)))\n");
        assert_eq!(draft.text("switches", "evening"), one);
        draft.goal("not (on hall)");
        let two = format!("{head}  (:goal\n    (and\n      (on kitchen)\n      (not (on hall)))))\n");
        assert_eq!(draft.text("switches", "evening"), two);
        assert_eq!(draft.object_count(), 2);
    }

    #[test]
    fn long_lines_are_broken() {
        let words = vec!["word".to_owned(); 60];
        let text = format!("    {}", filled(&words));
        assert!(text.lines().count() > 1);
        assert!(
            text.lines()
                .all(|line| line.starts_with("    ") && line.len() <= WIDTH)
        );
    }
}
