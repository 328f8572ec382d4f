//! Writes output files completely or not at all, and never over an existing file without `--force`.
//!
//! Each file is written beside its target and renamed when it is complete, so a full disk or a kill leaves the old file as
//! it was. An output that is an input or another output of the same command is refused, even with `--force`.

use std::cell::RefCell;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::{Failure, file_error, refuse};
use crate::output::counted;

/// The state of one run of the program.
#[derive(Default)]
struct Run {
    /// Whether existing files may be overwritten.
    force: bool,
    /// The files that were read.
    inputs: Vec<PathBuf>,
    /// The files that were written, except those of a folder that the command fills.
    outputs: Vec<PathBuf>,
}

thread_local! {
    /// The run of this thread: commands read and write their files on the thread that runs them.
    static RUN: RefCell<Run> = RefCell::default();
}

/// Begins a run of the program, with no inputs noted yet. With `force`, existing files may be overwritten.
pub fn begin(force: bool) {
    RUN.set(Run {
        force,
        ..Run::default()
    });
}

/// Returns whether existing files may be overwritten.
pub fn is_forced() -> bool {
    RUN.with_borrow(|run| run.force)
}

/// Records that the command reads a file, so that it is not overwritten later.
pub fn note_input(path: &Path) {
    RUN.with_borrow_mut(|run| run.inputs.push(path.to_owned()));
}

/// The reason why an existing file is not overwritten.
const EXISTS: &str = "exists: choose another name, or add --force to overwrite it";

/// Checks that `path` may be written. Fails if it is an input or another output of the command, also through links, if it
/// is a link that leads nowhere, or if it exists and `--force` is not given.
fn check(path: &Path) -> Result<(), Failure> {
    let refuse = |why: &str| refuse(format!("{} {why}", path.display()));
    if !path.exists() {
        return if path.is_symlink() {
            refuse("is a link to a file that does not exist: choose another name")
        } else {
            Ok(())
        };
    }
    let find = |files: &[PathBuf]| {
        let is_same = |file: &&PathBuf| same_file::is_same_file(file, path).unwrap_or(false);
        files.iter().find(is_same).cloned()
    };
    let (input, output) = RUN.with_borrow(|run| (find(&run.inputs), find(&run.outputs)));
    match input {
        Some(input) if input == path => refuse("is an input of this command: choose another output file"),
        Some(input) => refuse(&format!(
            "is the input {}: choose another output file",
            input.display()
        )),
        None if !path.is_file() => Ok(()),
        None if output.is_some() => refuse("is another output of this command: choose another output file"),
        None if !is_forced() => refuse(EXISTS),
        None => Ok(()),
    }
}

/// Checks before the work starts that `path` may be written, and that a file can be created there.
///
/// # Errors
/// Fails if the output is refused, or its folder cannot be written.
pub fn check_before(path: Option<&Path>) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    check(path)?;
    let is_special = fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir());
    if !is_special {
        NewFile::create(path, true)?;
    }
    Ok(())
}

/// A file that is being written; dropped before [`finish`](Self::finish), it leaves no trace.
struct NewFile {
    /// The path as the user gave it.
    path: PathBuf,
    /// The target: a regular file that may not exist yet. Symbolic links are resolved, so that they stay links.
    target: PathBuf,
    /// Whether a file at the target may be replaced.
    replaces: bool,
    out: Out,
}

enum Out {
    /// A file beside the target.
    Beside(BufWriter<NamedTempFile>),
    /// The target itself, which is a pipe or a device.
    Direct(BufWriter<File>),
}

impl NewFile {
    /// Starts to write the file `path`. With `replaces`, it takes the place of an existing file.
    ///
    /// # Errors
    /// Fails if its folder does not exist or cannot be written to, or `path` is a folder.
    fn create(path: &Path, replaces: bool) -> Result<Self, Failure> {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let out = Out::create(&target).map_err(|error| file_error(path, error))?;
        Ok(Self {
            path: path.to_owned(),
            target,
            replaces,
            out,
        })
    }

    /// Moves the complete file to its target.
    ///
    /// # Errors
    /// Fails if the last bytes cannot be written, the file cannot be renamed, or the target was created meanwhile and must
    /// not be replaced.
    fn finish(self) -> Result<(), Failure> {
        let Self {
            path,
            target,
            replaces,
            out,
        } = self;
        out.finish(&target, replaces).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Failure::Request(format!("{} {EXISTS}", path.display())),
            _ => file_error(&path, error),
        })
    }
}

impl Out {
    fn create(target: &Path) -> io::Result<Self> {
        let about = fs::metadata(target).ok();
        if about.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::Error::new(
                io::ErrorKind::IsADirectory,
                "this is a folder, not a file",
            ));
        }
        if about.as_ref().is_some_and(|about| !about.is_file()) {
            return Ok(Self::Direct(BufWriter::new(File::create(target)?)));
        }
        let permissions = about.map(|about| about.permissions());
        if permissions.as_ref().is_some_and(Permissions::readonly) {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "the file is read-only",
            ));
        }
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        if !folder.is_dir() {
            return Err(io::Error::new(
                io::ErrorKind::NotFound,
                format!("the folder {} does not exist", folder.display()),
            ));
        }
        // The error of a temporary file names that file.
        let beside = Self::beside(folder, permissions);
        beside.map_err(|error| io::Error::from(error.kind()))
    }

    /// Creates a file in `folder`, with the permissions of the file that it replaces.
    fn beside(folder: &Path, permissions: Option<Permissions>) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // The system applies the user's mask.
            builder.permissions(Permissions::from_mode(0o666));
        }
        let file = builder.prefix(".herbrand-").tempfile_in(folder)?;
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions)?;
        }
        Ok(Self::Beside(BufWriter::new(file)))
    }

    fn finish(self, target: &Path, replaces: bool) -> io::Result<()> {
        let file = match self {
            Self::Beside(out) => out.into_inner().map_err(io::IntoInnerError::into_error)?,
            Self::Direct(mut out) => return out.flush(),
        };
        file.as_file().sync_all()?;
        let moved = if replaces {
            file.persist(target)
        } else {
            file.persist_noclobber(target)
        };
        moved.map(drop).map_err(|error| error.error)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.out {
            Out::Beside(out) => out.write(bytes),
            Out::Direct(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.out {
            Out::Beside(out) => out.flush(),
            Out::Direct(out) => out.flush(),
        }
    }
}

/// Writes a file.
///
/// # Errors
/// Fails if the file exists or is refused for another reason, or cannot be written; the error names the file.
pub fn write_file(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
    write_with(path, file_error, |out| out.write_all(contents.as_ref()))
}

/// Writes a file that this command may have written before: a better plan takes the place of the last one.
///
/// # Errors
/// Fails like [`write_file`], unless this command wrote the file.
pub fn write_newer_file(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
    if RUN.with_borrow(|run| run.outputs.iter().any(|output| output == path)) {
        return rewrite_file(path, contents);
    }
    write_file(path, contents)
}

/// Replaces a file that was read, for commands that change files in place.
///
/// # Errors
/// Fails if the file cannot be written; the error names it.
pub fn rewrite_file(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
    replace(path, contents.as_ref(), true)
}

fn replace(path: &Path, contents: &[u8], replaces: bool) -> Result<(), Failure> {
    let mut file = NewFile::create(path, replaces)?;
    file.write_all(contents)
        .map_err(|error| file_error(path, error))?;
    file.finish()
}

/// Writes the files of a folder, and makes the folders that they are in. A file that exists with the same contents stays as
/// it is. If another one exists and `--force` is not given, nothing is written.
///
/// # Errors
/// Fails if a file exists or is refused for another reason, or if a file or its folder cannot be written; the error names
/// it.
pub fn write_files<T: AsRef<[u8]>>(files: &[(PathBuf, T)]) -> Result<(), Failure> {
    let differs = |(path, contents): &&(PathBuf, T)| {
        let contents = contents.as_ref();
        let has_length = fs::metadata(path).is_ok_and(|about| about.len() == contents.len() as u64);
        !has_length || fs::read(path).ok().as_deref() != Some(contents)
    };
    let changed: Vec<_> = files.iter().filter(differs).collect();
    let existing: Vec<_> = changed.iter().filter(|(path, _)| path.is_file()).collect();
    if let ([(first, _), more @ ..], false) = (&existing[..], is_forced() || existing.len() < 2) {
        return refuse(format!(
            "{} and {} exist, and nothing was written: choose another folder, or add --force to overwrite them",
            first.display(),
            counted(more.len() as u64, "other file"),
        ));
    }
    changed.iter().try_for_each(|(path, _)| check(path))?;
    for (path, contents) in changed {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| file_error(folder, error))?;
        }
        replace(path, contents.as_ref(), is_forced())?;
    }
    Ok(())
}

/// Writes a file by the function `write`. `failed` turns its error into a failure.
///
/// # Errors
/// Fails if the file exists or is refused for another reason, or cannot be written, or its contents cannot be made.
pub fn write_with<T, E: From<io::Error>>(
    path: &Path,
    failed: impl FnOnce(&Path, E) -> Failure,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, Failure> {
    check(path)?;
    let mut file = NewFile::create(path, is_forced())?;
    let result = write(&mut file).map_err(|error| failed(path, error))?;
    file.finish()?;
    RUN.with_borrow_mut(|run| run.outputs.push(path.to_owned()));
    Ok(result)
}

/// Starts a log, which grows line by line while the command runs and keeps its lines when the command is killed.
///
/// # Errors
/// Fails if the file exists or is refused for another reason, or cannot be written.
pub fn start_log(path: &Path) -> Result<File, Failure> {
    check(path)?;
    let is_new = !path.exists();
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).create_new(is_new);
    let file = options.open(path).map_err(|error| file_error(path, error))?;
    RUN.with_borrow_mut(|run| run.outputs.push(path.to_owned()));
    Ok(file)
}

/// Opens a log to write on after its first `length` bytes. Later bytes are cut off. The log is created if it does not
/// exist.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn go_on_with_log(path: &Path, length: u64) -> Result<File, Failure> {
    let open = || {
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        file.set_len(length)?;
        file.seek(SeekFrom::End(0))?;
        Ok(file)
    };
    let file = open().map_err(|error| file_error(path, error))?;
    RUN.with_borrow_mut(|run| run.outputs.push(path.to_owned()));
    Ok(file)
}

/// Reports a written file and its contents on standard error.
pub fn report_written(path: &Path, contents: impl std::fmt::Display) {
    anstream::eprintln!("wrote {}, {contents}", path.display());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the message of a refusal.
    fn refused(result: Result<(), Failure>) -> String {
        result.expect_err("it is refused").to_string()
    }

    #[test]
    fn an_existing_file_is_kept_unless_forced() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("plan.txt");
        begin(false);
        write_file(&path, "(wait)\n").expect("a new file");
        begin(false);
        let message = refused(write_file(&path, "(go)\n"));
        assert!(
            message.ends_with("plan.txt exists: choose another name, or add --force to overwrite it"),
            "{message}"
        );
        assert_eq!(refused(check_before(Some(&path))), message);
        assert_eq!(fs::read_to_string(&path)?, "(wait)\n");
        begin(true);
        check_before(Some(&path)).expect("forced");
        write_file(&path, "(go)\n").expect("forced");
        assert_eq!(fs::read_to_string(&path)?, "(go)\n");
        assert_eq!(fs::read_dir(folder.path())?.count(), 1);
        Ok(())
    }

    #[test]
    fn a_failed_writer_leaves_the_old_file_and_a_new_one_by_others_is_kept() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let at = |name: &str| folder.path().join(name);
        fs::write(at("trace"), "old")?;
        begin(true);
        let failed = write_with(&at("trace"), file_error, |out| {
            out.write_all(b"half of the new")?;
            Err::<(), _>(io::Error::other("no more"))
        });
        assert!(refused(failed).ends_with("no more"));
        assert_eq!(fs::read_to_string(at("trace"))?, "old");
        begin(false);
        let meanwhile = write_with(&at("other"), file_error, |out| {
            out.write_all(b"new")?;
            fs::write(at("other"), "precious")
        });
        assert!(refused(meanwhile).contains("other exists: "));
        assert_eq!(fs::read_to_string(at("other"))?, "precious");
        assert_eq!(
            fs::read_dir(folder.path())?.count(),
            2,
            "nothing is left beside them"
        );
        Ok(())
    }

    #[test]
    fn inputs_and_other_outputs_are_not_written_even_if_forced() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let at = |name: &str| folder.path().join(name);
        for name in ["input", "output"] {
            fs::write(at(name), name)?;
        }
        fs::hard_link(at("input"), at("hard"))?;
        let mut names = vec!["input", "hard", "output"];
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("input"), at("soft"))?;
            names.push("soft");
        }
        begin(true);
        note_input(&at("input"));
        write_file(&at("output"), "output").expect("it is forced");
        for name in names {
            let before = fs::read(at(name))?;
            let message = refused(write_file(&at(name), "new"));
            assert!(
                message.contains("put of this command") || message.contains("is the input "),
                "{message}"
            );
            assert_eq!(fs::read(at(name))?, before, "{name}");
        }
        write_newer_file(&at("output"), "better").expect("the same output of the same command");
        assert_eq!(fs::read_to_string(at("output"))?, "better");
        begin(true);
        write_file(&at("input"), "new").expect("another run has other inputs");
        Ok(())
    }

    #[test]
    fn a_better_file_replaces_only_one_of_the_same_command() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("plan.txt");
        begin(false);
        for text in ["three steps", "two steps"] {
            write_newer_file(&path, text).expect("its own file");
            assert_eq!(fs::read_to_string(&path)?, text);
        }
        begin(false);
        assert!(refused(write_newer_file(&path, "one step")).contains("exists"));
        assert_eq!(fs::read_to_string(&path)?, "two steps");
        Ok(())
    }

    #[test]
    fn a_folder_is_filled_as_a_whole_or_not_at_all() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let at = |name: &str| folder.path().join(name);
        let files = |names: &[&'static str]| names.iter().map(|&name| (at(name), name)).collect::<Vec<_>>();
        begin(false);
        write_files(&files(&["a", "in/b"])).expect("new files");
        write_files(&files(&["a", "in/b", "c"])).expect("equal files stay");
        fs::write(at("a"), "precious")?;
        let message = refused(write_files(&files(&["d", "a"])));
        assert!(
            message.ends_with("a exists: choose another name, or add --force to overwrite it"),
            "{message}"
        );
        fs::write(at("c"), "precious")?;
        let message = refused(write_files(&files(&["d", "a", "c"])));
        assert!(
            message.contains("a and 1 other file exist, and nothing was written"),
            "{message}"
        );
        assert!(!at("d").exists(), "the check is before the first file");
        begin(true);
        write_files(&files(&["d", "a", "c"])).expect("forced");
        assert_eq!(fs::read_to_string(at("a"))?, "a");
        Ok(())
    }

    #[test]
    fn a_log_replaces_no_other() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("log.jsonl");
        begin(false);
        writeln!(start_log(&path).expect("a new log"), "{{}}")?;
        begin(false);
        assert!(refused(start_log(&path).map(drop)).contains("exists"));
        assert_eq!(fs::read_to_string(&path)?, "{}\n");
        begin(true);
        start_log(&path).expect("forced");
        assert_eq!(fs::read_to_string(&path)?, "");
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay_and_links_to_nothing_are_refused() -> io::Result<()> {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir()?;
        let at = |name: &str| folder.path().join(name);
        fs::write(at("real"), "old")?;
        fs::set_permissions(at("real"), Permissions::from_mode(0o640))?;
        symlink(at("real"), at("link"))?;
        symlink(at("nothing"), at("dangling"))?;
        symlink(at("circle"), at("circle"))?;
        begin(true);
        write_file(&at("link"), "new").expect("forced");
        assert!(at("link").is_symlink());
        assert_eq!(fs::read_to_string(at("real"))?, "new");
        assert_eq!(fs::metadata(at("real"))?.permissions().mode() & 0o777, 0o640);
        for force in [false, true] {
            begin(force);
            for name in ["dangling", "circle"] {
                let message = refused(write_file(&at(name), "new"));
                assert!(
                    message.contains("is a link to a file that does not exist"),
                    "{message}"
                );
                assert!(at(name).is_symlink() && !at("nothing").exists());
            }
        }
        Ok(())
    }
}
