//! Tasks from files: a domain, goals, commands and sentences of the user's own.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use herbrand_edit::{Belief, EditRules, PlanningModel};
use herbrand_pddl::{Domain, Problem, Source};
use serde::Deserialize;
use toml::Spanned;

use crate::reader::table::{NEW, Pattern, Row, Saying};
use crate::reader::template::Template;
use crate::reader::{ReadError, SentenceReader, WorkedExample};
use crate::solver::PlanQuality;
use crate::task::{Rung, RungGoal, Task};

/// A task and a reader from files: a TOML file that names a PDDL domain and has the goals, the commands and, if wanted, the
/// sentences of the texts. [`parse`](Self::parse) reads it. So a domain of one's own can be tried on a game without code.
///
/// ```toml
/// domain = "domain.pddl"                       # beside this file
/// steps = 50                                   # the maximum number of commands
/// functional = [{ predicate = "at" }, { predicate = "connected", keys = [0, 2] }]
/// monotone = ["visited"]
///
/// [[goal]]                                     # the most wanted goal comes first
/// name = "the coin is taken"
/// goal = "(taken coin)"
///
/// [[goal]]
/// name = "somewhere new"
/// goal = "(exists (?r - room) (and (at ?r) (not (visited ?r))))"
/// plan = "nearest"                             # a shortest plan; "any" is the default
///
/// [commands]
/// move = "move {2}"                            # the action's argument 2, counted from 0
///
/// [[sentence]]
/// text = "This is the {room}"
/// says = ["{room} - room", "(at {room})", "(visited {room})"]
///
/// [[sentence]]
/// text = "{way}: a closed door"
/// known = ["(at {here})"]                      # facts that must be known, which bind gaps
/// says = ["{new} - room ?", "(connected {here} {new} {way})"]
/// ```
///
/// `{new}` is an object without a name yet, and a `?` behind a type declares such a placeholder. A gap such as `{thing*}` is a
/// list, whose items are said one by one. A row with `command = "move {way}"` fits only after such a command.
#[derive(Clone, Debug)]
pub struct TaskFile {
    /// The task.
    pub task: Task,
    /// The reader of the file's sentences; `None` if it has none.
    pub sentences: Option<SentenceReader>,
}

/// All faults that [`TaskFile::parse`] finds in a file, each with the number of its line where it has one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct TaskFileError(pub Vec<String>);

impl fmt::Display for TaskFileError {
    /// Writes one fault per line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    domain: Spanned<String>,
    #[serde(default)]
    problem: Option<Spanned<String>>,
    #[serde(default)]
    steps: Option<usize>,
    #[serde(default)]
    functional: Vec<herbrand_edit::Functional>,
    #[serde(default)]
    monotone: Vec<String>,
    goal: Vec<Goal>,
    #[serde(default)]
    commands: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    sentence: Vec<Sentence>,
    #[serde(default)]
    example: Option<Spanned<Example>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Goal {
    name: String,
    goal: Spanned<String>,
    #[serde(default = "any")]
    plan: PlanQuality,
}

const fn any() -> PlanQuality {
    PlanQuality::Any
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sentence {
    text: Spanned<String>,
    #[serde(default)]
    command: Option<String>,
    #[serde(default)]
    known: Vec<Spanned<String>>,
    #[serde(default)]
    says: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    /// The texts from the start of a game. The last one is the example.
    seen: Vec<SeenText>,
    commands: Vec<String>,
    next: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeenText {
    #[serde(default)]
    command: Option<String>,
    text: String,
}

impl TaskFile {
    /// Parses the text of a task file. `steps` is the maximum number of commands if the file does not have one, and `read`
    /// returns the text of a file that it names, or the reason why it cannot be read.
    ///
    /// # Errors
    /// Fails with all faults of the file, or those of the domain and the problem that it names.
    pub fn parse<E: fmt::Display>(
        text: &str,
        steps: usize,
        mut read: impl FnMut(&str) -> Result<String, E>,
    ) -> Result<Self, TaskFileError> {
        let one = |fault: String| TaskFileError(vec![fault]);
        let contents: Contents = toml::from_str(text).map_err(|error| one(error.to_string()))?;
        let line = |at: usize| 1 + text[..at].matches('\n').count();
        let mut named = |file: &Spanned<String>| {
            read(file.get_ref()).map_err(|error| one(format!("line {}: {error}", line(file.span().start))))
        };
        let source = Source::new(contents.domain.get_ref(), &named(&contents.domain)?);
        let domain = Domain::parse(&source).map_err(|faults| one(faults.to_string()))?;
        let problem = match &contents.problem {
            Some(file) => named(file)?,
            None => format!("(define (problem known) (:domain {}) (:init))", domain.name),
        };
        let problem = Problem::from_text(&problem, &domain).map_err(|faults| one(faults.to_string()))?;
        let mut check = Check {
            text,
            domain: &domain,
            faults: Vec::new(),
        };
        let mut ladder = Vec::with_capacity(contents.goal.len());
        for Goal { name, goal, plan } in contents.goal {
            check.goal(&goal);
            let goal = RungGoal::Fixed(goal.into_inner());
            ladder.push(Rung {
                name,
                goal,
                aim: plan,
            });
        }
        let rules = EditRules {
            functional: contents.functional,
            monotone: contents.monotone,
        };
        check.rules(&rules);
        check.commands(&contents.commands);
        let rows: Vec<Row> = contents.sentence.iter().map(|one| check.sentence(one)).collect();
        let mut faults = check.faults;
        let start = PlanningModel::new(Arc::new(domain), problem);
        let sentences = (!rows.is_empty()).then(|| SentenceReader::new(rows, rules.functional.clone()));
        let mut example = None;
        if let (Some(wanted), true) = (&contents.example, faults.is_empty()) {
            let belief = Belief::new(start.clone(), rules.clone());
            match worked(wanted.get_ref(), sentences.clone(), belief) {
                Ok(worked) => example = Some(worked),
                Err(why) => faults.push(format!("line {}: the example: {why}", line(wanted.span().start))),
            }
        }
        if !faults.is_empty() {
            return Err(TaskFileError(faults));
        }
        let commands = contents.commands.into_iter();
        Ok(Self {
            task: Task {
                start,
                rules,
                ladder,
                steps: contents.steps.unwrap_or(steps),
                commands: commands
                    .map(|(schema, command)| (schema.to_ascii_lowercase(), command.into_inner()))
                    .collect(),
                example,
            },
            sentences,
        })
    }
}

/// Returns the example, read by the file's own sentences.
fn worked(
    example: &Example,
    sentences: Option<SentenceReader>,
    belief: Belief,
) -> Result<WorkedExample, ReadError> {
    let mut reader = sentences.ok_or_else(|| ReadError::last("there are no sentences to read it"))?;
    if !example.commands.contains(&example.next) {
        let message = format!("`{}` is none of its commands", example.next);
        return Err(ReadError::last(message));
    }
    let seen = example.seen.iter();
    let seen: Vec<_> = seen
        .map(|one| (one.command.as_deref(), one.text.as_str()))
        .collect();
    let commands: Vec<_> = example.commands.iter().map(String::as_str).collect();
    WorkedExample::read(&mut reader, belief, (&seen, &commands, &example.next))
        .map_err(|error| ReadError::last(error.to_string()))
}

/// The check of a file's names against the domain.
struct Check<'a> {
    text: &'a str,
    domain: &'a Domain,
    faults: Vec<String>,
}

impl Check<'_> {
    fn fault(&mut self, of: &Spanned<String>, message: &str) {
        let line = 1 + self.text[..of.span().start].matches('\n').count();
        self.faults
            .push(format!("line {line}: `{}`: {message}", of.get_ref()));
    }

    /// Returns the fault of an unknown name, with the most similar known one.
    fn unknown<'n>(what: &str, name: &str, known: impl Iterator<Item = &'n str>) -> String {
        let near = herbrand_text::nearest(name, known);
        let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        format!("the domain has no {what} `{name}`{near}")
    }

    fn predicate_names(&self) -> Vec<&str> {
        let predicates = self.domain.predicates.iter();
        predicates.map(|predicate| predicate.name.as_str()).collect()
    }

    /// Checks the predicates of a goal. Its objects may be unknown now, so the goal itself is checked when it is planned for.
    fn goal(&mut self, goal: &Spanned<String>) {
        const WORDS: [&str; 9] = [
            "and", "or", "not", "imply", "exists", "forall", "=", "either", "when",
        ];
        let text = goal.get_ref().to_ascii_lowercase();
        if text.matches('(').count() != text.matches(')').count() || !text.trim_start().starts_with('(') {
            self.fault(goal, "a goal is a condition in PDDL, such as `(held coin)`");
            return;
        }
        let names = self.predicate_names();
        let heads = text.split('(').skip(1).filter_map(|rest| {
            let end = rest.find(|c: char| c.is_whitespace() || c == ')');
            Some(&rest[..end.unwrap_or(rest.len())]).filter(|head| !head.is_empty() && !head.starts_with('?'))
        });
        let unknown: Vec<_> = heads
            .filter(|head| !WORDS.contains(head) && !names.contains(head))
            .map(|head| Self::unknown("predicate", head, names.iter().copied()))
            .collect();
        unknown.iter().for_each(|message| self.fault(goal, message));
    }

    fn rules(&mut self, rules: &EditRules) {
        let names = self.predicate_names();
        let functional = rules.functional.iter().map(|rule| &rule.predicate);
        let unknown: Vec<_> = functional
            .chain(&rules.monotone)
            .filter(|name| !names.contains(&name.to_ascii_lowercase().as_str()))
            .map(|name| Self::unknown("predicate", name, names.iter().copied()))
            .collect();
        self.faults.extend(unknown);
    }

    fn commands(&mut self, commands: &BTreeMap<String, Spanned<String>>) {
        for (name, command) in commands {
            let schemas = || self.domain.schemas.iter();
            let Some(schema) = schemas().find(|schema| schema.name.as_str() == name.to_ascii_lowercase())
            else {
                let message = Self::unknown("action", name, schemas().map(|schema| schema.name.as_str()));
                self.fault(command, &message);
                continue;
            };
            let count = schema.parameters().len();
            for gap in Template::new(command.get_ref()).names() {
                if gap.parse::<usize>().is_ok_and(|number| number < count) {
                    continue;
                }
                let message =
                    format!("`{{{gap}}}` is not the number of one of {count} arguments, counted from 0");
                self.fault(command, &message);
            }
        }
    }

    /// Checks an atom with gaps.
    fn pattern(&mut self, of: &Spanned<String>, pattern: &Pattern) {
        let Some(id) = self.domain.find_predicate(&pattern.predicate) else {
            let names = self.predicate_names();
            let message = Self::unknown("predicate", &pattern.predicate, names.into_iter());
            self.fault(of, &message);
            return;
        };
        let (needed, given) = (
            self.domain.predicate(id).parameters.len(),
            pattern.arguments.len(),
        );
        if needed != given {
            let message = format!("`{}` has {needed} arguments, not {given}", pattern.predicate);
            self.fault(of, &message);
        }
    }

    fn sentence(&mut self, sentence: &Sentence) -> Row {
        let text = Template::new(sentence.text.get_ref());
        let command = sentence.command.as_deref().map(Template::new);
        let mut gaps: BTreeSet<String> = BTreeSet::from([NEW.to_owned()]);
        let bare = |name: &str| name.strip_suffix('*').unwrap_or(name).to_owned();
        gaps.extend(text.names().map(bare));
        gaps.extend(command.iter().flat_map(Template::names).map(bare));
        let (mut known, mut says) = (Vec::new(), Vec::new());
        for one in &sentence.known {
            let Some(pattern) = Pattern::new(one.get_ref()) else {
                self.fault(one, "a known fact is an atom such as `(at {here})`");
                continue;
            };
            self.pattern(one, &pattern);
            let fact = Saying::Fact { pattern, holds: true };
            gaps.extend(fact.gaps().map(str::to_owned));
            if let Saying::Fact { pattern, .. } = fact {
                known.push(pattern);
            }
        }
        for one in &sentence.says {
            let Some(saying) = Saying::new(one.get_ref()) else {
                let expected = "write an object (`{room} - room`), a placeholder (`{new} - room ?`) or a fact, which may be \
                                in `(not …)`";
                self.fault(one, expected);
                continue;
            };
            match &saying {
                Saying::Fact { pattern, .. } => self.pattern(one, pattern),
                Saying::Object { of, .. } => {
                    let types = || self.domain.types.iter().map(|one| one.name.as_str());
                    if types().all(|name| name != of) {
                        let message = Self::unknown("type", of, types());
                        self.fault(one, &message);
                    }
                }
            }
            let missing: Vec<_> = saying.gaps().filter(|gap| !gaps.contains(*gap)).collect();
            for gap in missing {
                let message =
                    format!("`{{{gap}}}` is a gap neither of the sentence nor of its command or known facts");
                self.fault(one, &message);
            }
            says.push(saying);
        }
        Row {
            text,
            command,
            known,
            says,
        }
    }
}
