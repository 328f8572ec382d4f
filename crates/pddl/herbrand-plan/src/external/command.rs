//! The command line of an external planner.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::process::Files;

/// The command line of an external planner: a program with its arguments. The placeholders `{domain}` and `{problem}`
/// are replaced by the input files, and `{plan}` by the file to write the plan to. Without `{plan}`, the program must
/// print its plan to standard output, with nothing else but comments. Created by [`new`](Self::new), or parsed from one
/// text, which is split into words like a shell does. Pass it to [`External::new`](crate::External::new).
///
/// ```
/// use herbrand_plan::{CommandError, ExternalCommand};
///
/// assert!("planner --out={plan} {domain} {problem}".parse::<ExternalCommand>().is_ok());
/// assert_eq!("planner {domain}".parse::<ExternalCommand>(), Err(CommandError::Missing("{problem}")));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalCommand {
    program: PathBuf,
    arguments: Vec<String>,
}

/// The reason why a text is not a valid command line of an external planner. [`ExternalCommand::new`] and its `FromStr`
/// return it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// The text, or the name of the program, is empty.
    #[error("the command names no program")]
    Empty,
    /// A quotation mark is not closed, or a backslash ends the text. Only `FromStr` returns it.
    #[error("a quotation mark is not closed")]
    Quotes,
    /// The arguments lack this placeholder, `{domain}` or `{problem}`, which passes an input file to the program. The
    /// first of the two that is missing.
    #[error(
        "the command lacks {0}: write {{domain}} and {{problem}} in it, and {{plan}} unless the program prints its plan"
    )]
    Missing(&'static str),
}

impl ExternalCommand {
    /// Creates a command from a program and its arguments. A relative path with a folder is resolved against the
    /// current folder; a name without a folder is looked up in the search path. Whether the program exists is not
    /// checked here: a planner that cannot start it reports [`PlannerError::Start`](crate::PlannerError::Start).
    ///
    /// # Errors
    /// Fails if the program is empty, or if `{domain}` or `{problem}` does not occur in the arguments.
    pub fn new(
        program: impl Into<PathBuf>,
        arguments: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<Self, CommandError> {
        let program: PathBuf = program.into();
        if program.as_os_str().is_empty() {
            return Err(CommandError::Empty);
        }
        // The program runs in another folder, so a relative path must be made absolute.
        let has_path = program.components().nth(1).is_some();
        let program = match std::path::absolute(&program) {
            Ok(absolute) if has_path => absolute,
            _ => program,
        };
        let arguments: Vec<String> = arguments.into_iter().map(Into::into).collect();
        let has = |place: &str| arguments.iter().any(|word| word.contains(place));
        match ["{domain}", "{problem}"].into_iter().find(|place| !has(place)) {
            Some(missing) => Err(CommandError::Missing(missing)),
            None => Ok(Self { program, arguments }),
        }
    }

    /// The file name of the program, without its folder.
    pub(super) fn program_name(&self) -> &str {
        let name = self.program.file_name().and_then(|name| name.to_str());
        name.unwrap_or("the planner")
    }

    /// Returns whether the program prints its plan.
    pub(super) fn prints(&self) -> bool {
        !self.arguments.iter().any(|word| word.contains("{plan}"))
    }

    /// Returns the program and its arguments with the placeholders replaced.
    pub(super) fn words(&self, files: &Files) -> Vec<OsString> {
        let places = [
            ("{domain}", &files.domain),
            ("{problem}", &files.problem),
            ("{plan}", &files.plan),
        ];
        let arguments = self.arguments.iter().map(|word| filled(word, &places));
        std::iter::once(self.program.clone().into())
            .chain(arguments)
            .collect()
    }
}

/// Replaces the placeholders in a word. Placeholders in the inserted file names are not replaced.
fn filled(word: &str, places: &[(&str, &PathBuf)]) -> OsString {
    let mut text = OsString::new();
    let mut rest = word;
    let next = |rest: &str| {
        let found = places
            .iter()
            .filter_map(|(place, file)| Some((rest.find(place)?, *place, file)));
        found
            .min_by_key(|(at, ..)| *at)
            .map(|(at, place, file)| (at, place.len(), Path::new(file)))
    };
    while let Some((at, length, file)) = next(rest) {
        text.push(&rest[..at]);
        text.push(file);
        rest = &rest[at + length..];
    }
    text.push(rest);
    text
}

impl FromStr for ExternalCommand {
    type Err = CommandError;

    /// Splits a text into words like a shell, with quotation marks and backslashes, without starting a shell.
    fn from_str(text: &str) -> Result<Self, CommandError> {
        let words = shlex::split(text).ok_or(CommandError::Quotes)?;
        let mut words = words.into_iter();
        let program = words.next().ok_or(CommandError::Empty)?;
        Self::new(program, words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_does_and_files_stand_in_their_places() {
        let command: ExternalCommand = "plan 'a b' --io={domain}:{problem} \"astar(lmcut())\" {plan}"
            .parse()
            .expect("a command");
        let files = Files::of(Path::new("/x/{plan}"));
        let expected = [
            "plan",
            "a b",
            "--io=/x/{plan}/domain.pddl:/x/{plan}/problem.pddl",
            "astar(lmcut())",
            "/x/{plan}/plan",
        ];
        assert_eq!(command.words(&files), expected);
        assert!(!command.prints());
    }

    #[test]
    fn commands_that_cannot_work_are_refused() {
        for (text, error) in [
            ("", CommandError::Empty),
            ("'' {domain} {problem}", CommandError::Empty),
            ("plan {problem}", CommandError::Missing("{domain}")),
            ("{domain} {problem}", CommandError::Missing("{domain}")),
            ("plan '{domain} {problem}", CommandError::Quotes),
        ] {
            assert_eq!(text.parse::<ExternalCommand>(), Err(error), "{text}");
        }
    }

    #[test]
    fn a_relative_program_is_looked_for_from_here() {
        let program = |text: &str| text.parse::<ExternalCommand>().expect("a command").program;
        let here = std::env::current_dir().expect("a folder");
        assert_eq!(program("bin/plan {domain} {problem}"), here.join("bin/plan"));
        assert_eq!(program("./plan {domain} {problem}"), here.join("plan"));
        assert_eq!(program("plan {domain} {problem}"), PathBuf::from("plan"));
    }
}
