//! Line-based edits of a problem's text, compatible with PDDLEGO.
//!
//! PDDLEGO ("PDDLEGO: Iterative Planning in Textual Environments", Zhang et al. 2024) asks a language model for a JSON
//! object with lines to add, to replace and to delete, and applies it to the text without parsing the text. [`apply`] does
//! the same, byte for byte, including the weaknesses: a key that matches no line is ignored, and renaming `loc1` also
//! renames `loc10`. [`LineEdits::typed`] converts the object to typed edits, which detect such faults.
//!
//! ```
//! use herbrand_edit::lines::{LineEdits, Renaming, apply};
//!
//! let text = "(define (problem p)\n  (:domain d)\n  (:objects\n    loc1 - room\n    loc10 - room\n  )\n  (:init\n    (at loc10)\n  )\n)";
//! let edits: LineEdits = serde_json::from_str(
//!     r#"{"objects": {"add": [], "replace": {"loc1 - room": "pantry - room"}, "delete": []},
//!         "init": {"add": ["(at loc1)"], "replace": {}, "delete": []}}"#,
//! )?;
//! let edited = apply(text, &edits, Renaming::Textual)?;
//! assert!(edited.contains("    (at pantry0)\n    (at pantry)\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::edit::Edit;
use crate::literal::{Ground, LiteralError};
use crate::model::PlanningModel;

/// Edits of the two lists in the text of a problem: objects and initial facts. [`apply`] edits a text, and
/// [`typed`](Self::typed) makes a batch of edits. A language model writes it as JSON with both keys; unknown keys are
/// errors.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineEdits {
    /// Edits of the objects. Each line is like `kitchen - location`.
    pub objects: ListEdits,
    /// Edits of the initial facts. Each line is like `(at kitchen)`.
    pub init: ListEdits,
}

/// Edits of one list in the text of a problem, such as its objects, line by line. A field of [`LineEdits`]. [`apply`]
/// compares the lines of the text without the spaces around them, so lines of the edits must have none to match. All
/// three keys are required in JSON.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListEdits {
    /// The lines to append, at the end of the list.
    pub add: Vec<String>,
    /// The lines to replace with their replacements, in the order written. Every occurrence is replaced; if a line is
    /// listed twice, the first pair counts. In JSON, an object of lines; a repeated key takes its last value.
    #[serde(deserialize_with = "pairs", serialize_with = "as_map")]
    pub replace: Vec<(String, String)>,
    /// The lines to delete, at every occurrence. A line that is also replaced is not deleted.
    pub delete: Vec<String>,
}

/// The effect on facts when the line of an object is replaced: an argument of [`apply`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Renaming {
    /// The facts are unchanged, so they may name objects that no longer exist.
    None,
    /// The old name is replaced by the new one, after the edits of the facts, wherever it occurs as a substring of a
    /// fact, even inside other names.
    Textual,
}

/// The reason why lines could not be edited. [`apply`] gives `NoSection` only, and [`LineEdits::typed`] gives the
/// others.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineError {
    /// The text has no such list (`:objects` or `:init`, contained here) in the expected form: the head on one line,
    /// and the closing parenthesis on a later line.
    #[error("the problem has no line `({0}` with a line `)` after it")]
    NoSection(&'static str),
    /// A line of the objects does not have the form `name` or `name - type`. Contains the line.
    #[error("`{0}` does not declare an object: write `name - type`")]
    NotAnObject(String),
    /// The replacement of a line would change the type of an object. Contains the replacement and the name of the
    /// object.
    #[error("`{0}` would change the type of `{1}`")]
    Retyped(String, String),
    /// A line of the facts is not an atom.
    #[error(transparent)]
    Literal(#[from] LiteralError),
}

/// Applies line-based edits to the PDDL text of a problem and returns the new text. `renaming` selects what replacing
/// an object does to facts. A line to replace or to delete that does not occur is ignored. The new text is not parsed.
/// Items of the two lists are indented by four spaces.
///
/// # Errors
/// Fails if the text does not have the lists of objects and facts with one item per line. Each list needs a line
/// `(:objects` or `(:init`, and a line `)` after it and before the other list. The lists may come in either order.
pub fn apply(problem: &str, edits: &LineEdits, renaming: Renaming) -> Result<String, LineError> {
    let lines: Vec<&str> = problem.split('\n').collect();
    let objects = section(&lines, ":objects")?;
    let init = section(&lines, ":init")?;
    let edited_objects = edits.objects.apply(&lines[objects.clone()]);
    let mut edited_init = edits.init.apply(&lines[init.clone()]);
    if renaming == Renaming::Textual {
        let names = edits
            .objects
            .replace
            .iter()
            .map(|(old, new)| (object_name(old), object_name(new)));
        for (old, new) in names {
            edited_init
                .iter_mut()
                .for_each(|line| *line = line.replace(old, new));
        }
    }
    let mut text = String::with_capacity(problem.len() * 2);
    let mut put = |line: &dyn fmt::Display| {
        text.push_str(&line.to_string());
        text.push('\n');
    };
    let mut lists = [
        (":objects", objects, edited_objects),
        (":init", init, edited_init),
    ];
    lists.sort_by_key(|(_, place, _)| place.start);
    let [(name, first, _), (_, second, _)] = &lists;
    if first.end > second.start {
        // The first list has no closing parenthesis of its own.
        return Err(LineError::NoSection(name));
    }
    let mut written = 0;
    for (_, place, list) in lists {
        lines[written..place.start].iter().for_each(|line| put(line));
        list.iter().for_each(|line| put(&format_args!("    {line}")));
        written = place.end;
    }
    lines[written..].iter().for_each(|line| put(line));
    text.pop();
    Ok(text)
}

/// Returns the objects and the facts of a problem as PDDL with one item per line, the form that [`apply`] edits. The
/// text has no goal, no values of functions and no metric.
#[must_use]
pub fn listed(model: &PlanningModel) -> String {
    let (name, domain) = (&model.problem().name, &model.domain().name);
    let mut text = format!("(define (problem {name})\n  (:domain {domain})\n");
    let facts = model.facts().into_iter().map(|fact| fact.to_string());
    for (list, items) in [(":objects", object_lines(model)), (":init", facts.collect())] {
        text.push_str(&format!("  ({list}\n"));
        items
            .iter()
            .for_each(|item| text.push_str(&format!("    {item}\n")));
        text.push_str("  )\n");
    }
    text.push_str(")\n");
    text
}

/// Returns the lines that declare the problem's own objects. An object of several types has the form
/// `name - (either a b)`.
fn object_lines(model: &PlanningModel) -> Vec<String> {
    let (domain, problem) = (model.domain(), model.problem());
    let own = problem.objects.iter().skip(problem.constants as usize);
    let line = own.map(|object| {
        let types = object.types.types().iter();
        let types: Vec<_> = types.map(|&id| domain.type_of(id).name.as_str()).collect();
        match types.as_slice() {
            [] => object.name.to_string(),
            [one] => format!("{} - {one}", object.name),
            several => format!("{} - (either {})", object.name, several.join(" ")),
        }
    });
    line.collect()
}

/// Returns the range of lines with the items of a list.
fn section(lines: &[&str], name: &'static str) -> Result<std::ops::Range<usize>, LineError> {
    let is_head = |line: &&str| line.trim().strip_prefix('(') == Some(name);
    let head = lines.iter().position(is_head).ok_or(LineError::NoSection(name))?;
    let length = lines[head + 1..].iter().position(|line| line.trim() == ")");
    let length = length.ok_or(LineError::NoSection(name))?;
    Ok(head + 1..head + 1 + length)
}

/// Returns the name in a line such as `kitchen - location`.
fn object_name(line: &str) -> &str {
    line.split(" - ").next().unwrap_or(line)
}

impl ListEdits {
    /// Returns the additions and deletions that turn one list into another. A repeated item counts once.
    fn between<T: fmt::Display + Eq + std::hash::Hash>(from: &[T], to: &[T]) -> Self {
        let [old, new] = [from, to].map(|list| list.iter().collect::<fxhash::FxHashSet<_>>());
        let missing = |list: &[T], other: &fxhash::FxHashSet<&T>| {
            let mut seen = fxhash::FxHashSet::default();
            let new = list.iter().filter(|item| !other.contains(item));
            let once: Vec<_> = new.filter(|item| seen.insert(item.to_string())).collect();
            once.iter().map(ToString::to_string).collect()
        };
        Self {
            add: missing(to, &old),
            replace: Vec::new(),
            delete: missing(from, &new),
        }
    }

    fn apply(&self, lines: &[&str]) -> Vec<String> {
        let kept = lines.iter().map(|line| line.trim()).filter_map(|line| {
            let replaced = self.replace.iter().find(|(old, _)| old == line);
            match replaced {
                Some((_, new)) => Some(new.clone()),
                None => (!self.delete.iter().any(|gone| gone == line)).then(|| line.to_owned()),
            }
        });
        kept.chain(self.add.iter().cloned()).collect()
    }
}

impl LineEdits {
    /// Returns the edits that turn the objects and facts of the problem of `from` into those of `to`. Goals and
    /// function values are not compared. Of each predicate with one deleted and one added fact, the fact is replaced;
    /// all other changes are additions and deletions. No object is renamed.
    ///
    /// ```
    /// use herbrand_edit::lines::LineEdits;
    /// use herbrand_edit::{EditRules, PlanningModel};
    ///
    /// let domain = "(define (domain d) (:predicates (at ?r) (lit ?r)) (:action go :parameters (?r) :effect (at ?r)))";
    /// let [old, new] = ["(:objects hall) (:init (at hall))", "(:objects hall attic) (:init (at attic) (lit attic))"]
    ///     .map(|rest| PlanningModel::from_text(domain, &format!("(define (problem p) (:domain d) {rest})")));
    /// let (old, new) = (old?, new?);
    /// let edits = LineEdits::between(&old, &new);
    /// assert_eq!(edits.init.replace, [("(at hall)".to_owned(), "(at attic)".to_owned())]);
    /// assert_eq!(old.apply(&edits.typed()?, &EditRules::default())?.sorted(), new.sorted());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn between(from: &PlanningModel, to: &PlanningModel) -> Self {
        let facts = |model: &PlanningModel| model.facts();
        let mut init = ListEdits::between(&facts(from), &facts(to));
        let predicate = |line: &str| line.split([' ', ')']).next().unwrap_or_default().to_owned();
        let only = |lines: &[String], name: &str| {
            let mut found = lines.iter().filter(|line| predicate(line) == name);
            found.next().cloned().filter(|_| found.next().is_none())
        };
        for old in init.delete.clone() {
            let name = predicate(&old);
            if let (Some(_), Some(new)) = (only(&init.delete, &name), only(&init.add, &name)) {
                init.delete.retain(|line| *line != old);
                init.add.retain(|line| *line != new);
                init.replace.push((old, new));
            }
        }
        let objects = ListEdits::between(&object_lines(from), &object_lines(to));
        Self { objects, init }
    }

    /// Converts the line-based edits to typed edits. Replacing the line of an object renames the object; facts may
    /// refer to it by the old or the new name. The order is: new objects, renamings, replaced facts, deleted facts,
    /// deleted objects (without `cascade`), new facts. The result is a batch for
    /// [`PlanningModel::apply`](crate::PlanningModel::apply). The lines are not compared with a problem; applying the
    /// batch finds missing objects and facts.
    ///
    /// # Errors
    /// Fails with the first fault: a line is not an object or atom, or a replacement would change the type of an
    /// object.
    pub fn typed(&self) -> Result<Vec<Edit>, LineError> {
        let mut edits = Vec::new();
        let mut renamed = Vec::new();
        for line in &self.objects.add {
            let (object, of) = declared(line)?;
            edits.push(Edit::AddObject {
                object: object.to_owned(),
                of,
            });
        }
        for (old, new) in &self.objects.replace {
            let ((object, of), (to, new_of)) = (declared(old)?, declared(new)?);
            if of != new_of {
                return Err(LineError::Retyped(new.clone(), object.to_owned()));
            }
            if object != to {
                renamed.push((object.to_owned(), to.to_owned()));
                edits.push(Edit::RenameObject {
                    object: object.to_owned(),
                    to: to.to_owned(),
                });
            }
        }
        let fact = |line: &String| -> Result<Ground, LineError> {
            let mut fact: Ground = line.parse()?;
            for name in &mut fact.arguments {
                if let Some((_, new)) = renamed.iter().find(|(old, _)| old.eq_ignore_ascii_case(name)) {
                    *name = new.to_ascii_lowercase();
                }
            }
            Ok(fact)
        };
        for (old, new) in &self.init.replace {
            let (fact, with) = (fact(old)?, fact(new)?);
            edits.push(Edit::ReplaceFact { fact, with });
        }
        for line in &self.init.delete {
            edits.push(Edit::DeleteFact { fact: fact(line)? });
        }
        for line in &self.objects.delete {
            edits.push(Edit::DeleteObject {
                object: declared(line)?.0.to_owned(),
                cascade: false,
            });
        }
        for line in &self.init.add {
            edits.push(Edit::AddFact { fact: fact(line)? });
        }
        Ok(edits)
    }
}

/// Returns the name and the type in a line such as `kitchen - location`.
fn declared(line: &str) -> Result<(&str, Option<String>), LineError> {
    let mut words = line.split_whitespace();
    let parts = (words.next(), words.next(), words.next(), words.next());
    match parts {
        (Some(name), Some("-"), Some(of), None) => Ok((name, Some(of.to_owned()))),
        (Some(name), None, None, None) => Ok((name, None)),
        _ => Err(LineError::NotAnObject(line.to_owned())),
    }
}

/// Deserialises a JSON object as pairs in the order written. A repeated key keeps its first position and takes its last
/// value.
fn pairs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, String)>, D::Error> {
    struct Pairs;

    impl<'de> Visitor<'de> for Pairs {
        type Value = Vec<(String, String)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of lines by the lines that they replace")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut pairs: Self::Value = Vec::new();
            while let Some((key, value)) = map.next_entry::<String, String>()? {
                match pairs.iter_mut().find(|(old, _)| *old == key) {
                    Some(pair) => pair.1 = value,
                    None => pairs.push((key, value)),
                }
            }
            Ok(pairs)
        }
    }

    deserializer.deserialize_map(Pairs)
}

fn as_map<S: Serializer>(pairs: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(old, new)| (old, new)))
}
