//! `herbrand exam grade`: grades answers.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use herbrand::exam::{self, ClassGrades, Grades, Question, StudentGrades};
use serde::de::DeserializeOwned;

use crate::failure::{Failure, file_error, refuse};
use crate::files;
use crate::input::{self, stem};
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format, counted};

/// Grade answers to questions
///
/// Prints the share of right answers with its confidence interval for each kind of question and each domain, next to
/// the share that guesses have. Thinking (`<think>…</think>`) is left out. The answer is in the last `<answer>`, or else in the
/// last `\boxed{}`, or else after the last `Answer:`, or else it is the whole text. Case, articles
/// and punctuation do not matter, and a number may be rounded if no other choice is rounded to it. Plans are carried out: any
/// plan that reaches the goal is right. The page of --out and the JSON say why an answer is wrong, such as the step of a plan
/// that cannot be carried out.
///
/// Each line of the file of answers is a JSON object with `id` (the name or the number of a question) and `answer`, or a number
/// with an answer, such as `3. B`. The lines of a longer answer, such as the steps of a plan, are indented. A question without an
/// answer is wrong. Lines that cannot be used are reported, and the others are graded; if no line can be used, the exit status is 2.
/// The column `unread` has the number of answers that are none, such as `E` for a letter from A to D; blank ones are among them.
///
/// For several files of answers, or a folder of them, such as those of a class, a table has a row for each, called by the file's
/// name, with the right answers for each kind. A file alone in a folder below is called by the name of its folder. --out ending in
/// .csv writes this as a table with a column for each kind and question, and --out ending in .html a page to print, with a sheet
/// for each student.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand exam grade exam.jsonl answers.jsonl
  herbrand exam grade exam.jsonl answers.jsonl --out report.html
  herbrand exam grade exam.jsonl ann.txt bob.txt cem.txt --out class.csv
  herbrand exam grade exam.jsonl class3b --out class3b.html
  herbrand exam grade exam.jsonl answers.jsonl --format json")]
pub struct Grade {
    /// The questions, as `herbrand exam make` writes them
    #[arg(value_name = "QUESTIONS")]
    questions: PathBuf,

    /// The answers, or a file for each student, or a folder of such files or of a folder for each student
    #[arg(value_name = "FILE|FOLDER", required = true)]
    answers: Vec<PathBuf>,

    /// Write a page with the tables and the wrong answers to this file (.html), or a table of the class (.csv)
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    pub(super) limits: LimitArgs,
}

/// The number of questions that are listed as the hardest.
const HARDEST: usize = 3;

impl Grade {
    pub(super) fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let ending = |path: &PathBuf| path.extension().unwrap_or_default().to_ascii_lowercase();
        let is_csv = match self.out.as_ref().map(|path| (path, ending(path))) {
            Some((path, ending)) if !["csv", "html", "htm"].iter().any(|known| ending == *known) => {
                return refuse(format!(
                    "`{}` does not say which format it has: end it in .html for a page, or in .csv for a table of the class",
                    path.display()
                ));
            }
            out => out.is_some_and(|(_, ending)| ending == "csv"),
        };
        files::check_before(self.out.as_deref())?;
        let questions: Vec<Question> = read(&self.questions)?;
        let students = self.students(&questions)?;
        let written = match <[_; 1]>::try_from(students) {
            Ok([StudentGrades { grades, .. }]) if !is_csv => {
                report(&questions, &grades, format)?;
                grades.html(&questions)
            }
            students => {
                let students = students.map_or_else(|students| students, Vec::from);
                let class = ClassGrades::new(&questions, students);
                match format {
                    Format::Json => output::json(&class)?,
                    Format::Text => print(&class)?,
                }
                if is_csv {
                    class.csv()
                } else {
                    class.html(&questions)
                }
            }
        };
        if let Some(path) = &self.out {
            files::write_file(path, written)?;
            files::report_written(path, if is_csv { "the points" } else { "the report" });
        }
        Ok(CommandOutcome::Yes)
    }

    /// Returns the files of answers with the names of their students. Files of a folder are sorted by name. The only file of a folder
    /// below has the name of its folder. Hidden files are left out, and links to folders. A file that is named twice is read once.
    fn files(&self) -> Result<Vec<(PathBuf, String)>, Failure> {
        let mut files: Vec<(PathBuf, String)> = Vec::new();
        for path in &self.answers {
            if !path.is_dir() {
                files.push((path.clone(), stem(path)));
                continue;
            }
            let mut found = Vec::new();
            collect(path, None, &mut found)?;
            if found.is_empty() {
                return refuse(format!("{}: this folder has no files", path.display()));
            }
            files.extend(found);
        }
        let mut known = BTreeSet::new();
        files.retain(|(path, _)| {
            // A file that cannot be found is an error when it is read.
            let is_new = path.canonicalize().map_or(true, |place| known.insert(place));
            if !is_new {
                anstream::eprintln!("note: {} is named twice, and graded once", path.display());
            }
            is_new
        });
        Ok(files)
    }

    /// Returns the grades of each file of answers with the name of its student. Reports the lines that cannot be graded.
    ///
    /// # Errors
    /// Fails if no line of any file can be graded.
    fn students(&self, questions: &[Question]) -> Result<Vec<StudentGrades>, Failure> {
        let files = self.files()?;
        let (mut students, mut odd) = (Vec::new(), Vec::new());
        for (path, name) in &files {
            let text = input::read_within(path, self.limits.limits())?;
            let grades = exam::grade_file(questions, text.text()).map_err(|faults| {
                Failure::Request(format!("{}: {}", self.questions.display(), faults.join("\n")))
            })?;
            let file = path.display().to_string();
            odd.extend(
                grades
                    .odd
                    .iter()
                    .map(|one| format!("{file}:{}: {}", one.line, one.reason)),
            );
            let more = grades.odd_lines - grades.odd.len();
            if more > 0 {
                odd.push(format!(
                    "{file}: {} more that cannot be graded",
                    counted(more as u64, "line")
                ));
            }
            let is_only = files.iter().filter(|(_, other)| other == name).count() == 1;
            students.push(StudentGrades {
                student: if is_only { name.clone() } else { file },
                grades,
            });
        }
        let is_blank = |one: &StudentGrades| one.grades.blank == questions.len();
        if !odd.is_empty() && students.iter().all(is_blank) {
            return refuse(odd.join("\n"));
        }
        for fault in odd {
            anstream::eprintln!("not graded: {fault}");
        }
        Ok(students)
    }
}

/// Collects the files in a folder and in those below, by their names. `student` is the name of the folder if it is below another.
fn collect(folder: &Path, student: Option<&str>, files: &mut Vec<(PathBuf, String)>) -> Result<(), Failure> {
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut entries = entries.map_err(|error| file_error(folder, error))?;
    entries.retain(|entry| !entry.file_name().to_string_lossy().starts_with('.'));
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in &entries {
        let (path, name) = (entry.path(), entry.file_name());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let before = files.len();
            collect(&path, Some(&name.to_string_lossy()), files)?;
            if files.len() == before {
                anstream::eprintln!("not graded: {}: this folder has no files", path.display());
            }
        } else if path.is_file() {
            let name = match student {
                Some(student) if entries.len() == 1 => student.to_owned(),
                Some(student) => format!("{student}/{}", stem(&path)),
                None => stem(&path),
            };
            files.push((path, name));
        } else {
            anstream::eprintln!("not graded: {}: this is no file", path.display());
        }
    }
    Ok(())
}

/// Reports the grades of a single file of answers.
fn report(questions: &[Question], grades: &Grades, format: Format) -> Result<(), Failure> {
    if format == Format::Json {
        return Ok(output::json(grades)?);
    }
    let columns = [
        ("", false),
        ("answers", true),
        ("right", true),
        ("mean", true),
        ("95 %", true),
        ("chance", true),
        ("unread", true),
    ];
    let rows = grades.rows().into_iter().map(|(title, score)| {
        let [low, high] = score.interval;
        vec![
            title,
            score.answers.to_string(),
            score.right.to_string(),
            format!("{:.3}", score.mean),
            format!("{low:.3} to {high:.3}"),
            format!("{:.3}", score.chance),
            score.unread.to_string(),
        ]
    });
    output::table(&columns, rows)?;
    let mut out = output::out();
    if grades.blank > 0 {
        let questions = counted(questions.len() as u64, "question");
        writeln!(out, "{} of {questions} left blank, and so wrong", grades.blank)?;
    }
    Ok(out.flush()?)
}

/// Prints a row for each student, and the questions that fewest of them answered right.
fn print(class: &ClassGrades) -> Result<(), Failure> {
    let columns = [
        ("student", false),
        ("right", true),
        ("mean", true),
        ("blank", true),
        ("by kind", false),
    ];
    let kinds = class.kinds();
    let rows = class.students.iter().map(|StudentGrades { student, grades }| {
        let kinds = kinds
            .iter()
            .filter_map(|kind| Some((kind, grades.kinds.get(kind)?)));
        let kinds: Vec<_> = kinds
            .map(|(kind, score)| format!("{kind}:{}/{}", score.right, score.answers))
            .collect();
        vec![
            student.clone(),
            format!("{}/{}", grades.total.right, grades.total.answers),
            format!("{:.3}", grades.total.mean),
            grades.blank.to_string(),
            kinds.join(" "),
        ]
    });
    output::table(&columns, rows)?;
    let mut out = output::out();
    let students = class.students.len();
    let means = class.students.iter().map(|one| one.grades.total.mean);
    let mean = means.sum::<f64>() / students.max(1) as f64;
    writeln!(out, "\n{}, mean {mean:.3}", counted(students as u64, "student"))?;
    for number in class.hardest(HARDEST) {
        let exam::QuestionPoints { kind, right, .. } = &class.questions[number - 1];
        writeln!(
            out,
            "question {number} ({kind}) was answered right by {right} of {students}"
        )?;
    }
    Ok(out.flush()?)
}

pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Failure> {
    files::note_input(path);
    let text = std::fs::read_to_string(path).map_err(|error| file_error(path, error))?;
    exam::read_lines(&path.display().to_string(), &text).map_err(|faults| Failure::Request(faults.join("\n")))
}
