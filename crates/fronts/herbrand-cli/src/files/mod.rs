//! Writes output files completely or not at all, and never over a file that another program wrote.
//!
//! Each file is written beside its target and renamed when it is complete, so a full disk or a kill leaves the old file as
//! it was. On Linux the file has no name until it is complete, so a kill leaves nothing behind either. An output that is one
//! of the command's inputs is refused. An existing file that this program did not write, that was changed since, or that is
//! of another kind is kept, unless `--force` is given.

mod mark;

use std::cell::RefCell;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

pub use self::mark::{Kept, Mark};
use crate::failure::{Failure, file_error};

/// The state of one run of the program.
#[derive(Default)]
struct Run {
    /// Whether files of other programs may be overwritten.
    force: bool,
    /// The files that were read.
    inputs: Vec<PathBuf>,
}

thread_local! {
    /// The run of this thread: commands read and write their files on the thread that runs them.
    static RUN: RefCell<Run> = RefCell::default();
}

/// Begins a run of the program, with no inputs noted yet. With `force`, files of other programs may be overwritten.
pub fn begin(force: bool) {
    let inputs = Vec::new();
    RUN.set(Run { force, inputs });
}

/// Records that the command reads a file, so that it is not overwritten later.
pub fn note_input(path: &Path) {
    RUN.with_borrow_mut(|run| run.inputs.push(path.to_owned()));
}

/// Checks that `path` may be written. Fails if it is an input of the command, also through links, or a file that this
/// program did not write. `contents` are the bytes to write, if they are known.
///
/// # Errors
/// Fails if the file is refused, or an existing file cannot be read.
pub fn check(path: &Path, contents: Option<&[u8]>, mark: Mark) -> Result<(), Failure> {
    let is_input = |input: &PathBuf| same_file::is_same_file(input, path).unwrap_or(false);
    if let Some(input) = RUN.with_borrow(|run| run.inputs.iter().find(|input| is_input(input)).cloned()) {
        let input = if input == path {
            "an input of this command".to_owned()
        } else {
            format!("the input {}", input.display())
        };
        return Err(Failure::Request(format!(
            "{} is {input}: choose another output file",
            path.display()
        )));
    }
    let kept = if path.is_file() {
        may_replace(path, contents, mark)?
    } else {
        Ok(())
    };
    kept.map_err(|reason| {
        Failure::Request(format!(
            "{} {reason}: choose another name, or add --force",
            path.display()
        ))
    })
}

/// Returns whether the file at `path` may be replaced by a file with these contents, or why it is kept.
///
/// # Errors
/// Fails if the existing file cannot be read.
pub fn may_replace(path: &Path, contents: Option<&[u8]>, mark: Mark) -> Result<Result<(), Kept>, Failure> {
    if RUN.with_borrow(|run| run.force) {
        return Ok(Ok(()));
    }
    mark.may_replace(path, contents)
        .map_err(|error| file_error(path, error))
}

/// Checks before the work starts that `path` may be written, like [`check`], and that a file can be created there.
///
/// # Errors
/// Fails if the output is refused, or its folder cannot be written.
pub fn check_before(path: Option<&Path>, mark: Mark) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    if mark != Mark::HeaderLine {
        check(path, None, mark)?;
    }
    let is_special = fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir());
    if !is_special {
        NewFile::create(path).map_err(|error| file_error(path, error))?;
    }
    Ok(())
}

/// A file that is being written; dropped before [`finish`](Self::finish), it leaves no trace.
struct NewFile {
    /// The target: a regular file that may not exist yet. Symbolic links are resolved, so that they stay links.
    path: PathBuf,
    out: Out,
}

enum Out {
    /// A file without a name, in the folder of the target.
    Unnamed(BufWriter<File>),
    /// A file beside the target.
    Beside(BufWriter<NamedTempFile>),
    /// The target itself, which is a pipe or a device.
    Direct(BufWriter<File>),
}

/// The prefix of the names of temporary files beside their targets.
const PREFIX: &str = ".herbrand-";

impl NewFile {
    /// Starts to write the file `path`.
    ///
    /// # Errors
    /// Fails if its folder does not exist or cannot be written to, or `path` is a folder.
    fn create(path: &Path) -> io::Result<Self> {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let about = fs::metadata(&target).ok();
        if about.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::Error::new(
                io::ErrorKind::IsADirectory,
                "this is a folder, not a file",
            ));
        }
        let out = if about.as_ref().is_none_or(fs::Metadata::is_file) {
            let permissions = about.map(|about| about.permissions());
            if permissions.as_ref().is_some_and(Permissions::readonly) {
                return Err(io::Error::new(
                    io::ErrorKind::PermissionDenied,
                    "the file is read-only",
                ));
            }
            let folder = folder_of(&target);
            if !folder.is_dir() {
                return Err(io::Error::new(
                    io::ErrorKind::NotFound,
                    format!("the folder {} does not exist", folder.display()),
                ));
            }
            // The error of a temporary file names that file.
            let regular = Self::regular(folder, permissions);
            regular.map_err(|error| io::Error::from(error.kind()))?
        } else {
            Out::Direct(BufWriter::new(File::create(&target)?))
        };
        Ok(Self { path: target, out })
    }

    fn regular(folder: &Path, permissions: Option<Permissions>) -> io::Result<Out> {
        if let Some(file) = unnamed(folder) {
            if let Some(permissions) = permissions {
                file.set_permissions(permissions)?;
            }
            return Ok(Out::Unnamed(BufWriter::new(file)));
        }
        let mut beside = tempfile::Builder::new();
        if let Some(permissions) = permissions.or_else(new_permissions) {
            beside.permissions(permissions);
        }
        let file = beside.prefix(PREFIX).tempfile_in(folder)?;
        Ok(Out::Beside(BufWriter::new(file)))
    }

    /// Moves the complete file to its target.
    ///
    /// # Errors
    /// Fails if the last bytes cannot be written, or the file cannot be renamed.
    fn finish(self) -> io::Result<()> {
        match self.out {
            Out::Unnamed(out) => {
                let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.sync_all()?;
                name(&file, &self.path)
            }
            Out::Beside(out) => {
                let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.as_file().sync_all()?;
                file.persist(&self.path).map_err(|error| error.error)?;
                Ok(())
            }
            Out::Direct(mut out) => out.flush(),
        }
    }
}

fn folder_of(file: &Path) -> &Path {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// A file without a name in `folder`, which vanishes with this process; `None` if the file system has no such files.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(folder, flags, Mode::from_raw_mode(0o666)).ok()?);
    // Without /proc the file cannot be given a name later.
    path_of(&file).exists().then_some(file)
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_: &Path) -> Option<File> {
    None
}

/// The path of an open file, whether or not it has a name.
#[cfg(target_os = "linux")]
fn path_of(file: &File) -> PathBuf {
    use std::os::fd::AsRawFd as _;
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

/// Links an unnamed file to `path`, replacing a file there.
#[cfg(target_os = "linux")]
fn name(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD};
    let open = path_of(file);
    let link = |name: &Path| {
        Ok(rustix::fs::linkat(
            CWD,
            &open,
            CWD,
            name,
            AtFlags::SYMLINK_FOLLOW,
        )?)
    };
    match link(path) {
        // Another name first: only renaming replaces a file.
        Err(error) if io::Error::kind(&error) == io::ErrorKind::AlreadyExists => {
            let beside = tempfile::Builder::new()
                .prefix(PREFIX)
                .make_in(folder_of(path), link)?;
            beside.persist(path).map_err(|error| error.error)?;
            Ok(())
        }
        named => named,
    }
}

#[cfg(not(target_os = "linux"))]
fn name(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The permissions of a new file, before the system applies the user's mask.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have no such number")]
fn new_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt as _;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn new_permissions() -> Option<Permissions> {
    None
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.out {
            Out::Unnamed(out) | Out::Direct(out) => out.write(bytes),
            Out::Beside(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.out {
            Out::Unnamed(out) | Out::Direct(out) => out.flush(),
            Out::Beside(out) => out.flush(),
        }
    }
}

/// Writes a file with its mark. It may replace a file that this program wrote.
///
/// # Errors
/// Fails if the file is refused ([`check`]) or cannot be written; the error names the file.
pub fn write_file(path: &Path, contents: impl AsRef<[u8]>, mark: Mark) -> Result<(), Failure> {
    let contents = mark.on(contents.as_ref());
    check(path, Some(&contents), mark)?;
    replace(path, &contents)
}

/// Replaces a file that was read, for commands that change files in place. The file needs no mark.
///
/// # Errors
/// Fails if the file cannot be written; the error names it.
pub fn rewrite_file(path: &Path, contents: &str) -> Result<(), Failure> {
    replace(path, contents.as_bytes())
}

fn replace(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    let write = || {
        let mut file = NewFile::create(path)?;
        file.write_all(contents)?;
        file.finish()
    };
    write().map_err(|error| file_error(path, error))
}

/// Like [`write_file`], and makes the file's folder if necessary.
///
/// # Errors
/// Fails if the file or its folder cannot be written; the error names it.
pub fn write_file_in_folder(path: &Path, contents: impl AsRef<[u8]>, mark: Mark) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| file_error(folder, error))?;
    }
    write_file(path, contents, mark)
}

/// Writes a file whose first line serves as its mark, by the function `write`. `failed` turns its error into a failure.
///
/// # Errors
/// Fails if the file is refused or cannot be written, or its contents cannot be made.
pub fn write_with<T, E: From<io::Error>>(
    path: &Path,
    failed: impl FnOnce(&Path, E) -> Failure,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, Failure> {
    check(path, None, Mark::Beginning)?;
    let mut file = NewFile::create(path).map_err(|error| file_error(path, error))?;
    let result = write(&mut file).map_err(|error| failed(path, error))?;
    // The file may have been created meanwhile.
    check(path, None, Mark::Beginning)?;
    file.finish().map_err(|error| file_error(path, error))?;
    Ok(result)
}

/// Starts a log, which grows line by line while the command runs and keeps its lines when the command is killed. A
/// log is never written over another file, not even over another log, unless `--force` is given.
///
/// # Errors
/// Fails if the file exists and is not empty, or cannot be written.
pub fn start_log(path: &Path) -> Result<File, Failure> {
    let exists = fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() > 0);
    check(path, None, Mark::Beginning)?;
    if exists && !RUN.with_borrow(|run| run.force) {
        return Err(Failure::Request(format!(
            "{} exists, and a log does not replace another: choose another name, or add --force",
            path.display()
        )));
    }
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(path);
    file.map_err(|error| file_error(path, error))
}

/// Opens a log to write on after its first `length` bytes. Later bytes are cut off. The log is created if it does not
/// exist.
///
/// # Errors
/// Fails if the file is none of this program's logs, or cannot be written.
pub fn go_on_with_log(path: &Path, length: u64) -> Result<File, Failure> {
    check(path, None, Mark::Beginning)?;
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
    open().map_err(|error| file_error(path, error))
}

/// Reports a written file and its contents on standard error.
pub fn report_written(path: &Path, contents: impl std::fmt::Display) {
    anstream::eprintln!("wrote {}, {contents}", path.display());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_file_leaves_the_old_one() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("plan.txt");
        fs::write(&path, "old")?;
        let mut file = NewFile::create(&path)?;
        file.write_all(b"half of the new")?;
        drop(file);
        assert_eq!(fs::read_to_string(&path)?, "old");
        let mut file = NewFile::create(&path)?;
        file.write_all(b"new")?;
        assert_eq!(fs::read_to_string(&path)?, "old");
        file.finish()?;
        assert_eq!(fs::read_to_string(&path)?, "new");
        assert_eq!(
            fs::read_dir(folder.path())?.count(),
            1,
            "nothing is left beside it"
        );
        Ok(())
    }

    #[test]
    fn files_of_others_are_kept_unless_forced() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("plan.txt");
        fs::write(&path, "precious")?;
        begin(false);
        let refused = write_file(&path, "(wait)\n", Mark::Plan).expect_err("it is somebody else's");
        let message = refused.to_string();
        assert!(
            message.ends_with(
                "plan.txt exists and was not written by Herbrand: choose another name, or add --force"
            ),
            "{message}"
        );
        assert_eq!(fs::read_to_string(&path)?, "precious");
        begin(true);
        write_file(&path, "(wait)\n", Mark::Plan).expect("forced");
        begin(false);
        write_file(&path, "(go)\n", Mark::Plan).expect("its own");
        assert!(fs::read_to_string(&path)?.starts_with("(go)\n; written by Herbrand, checksum "));
        fs::write(&path, "precious")?;
        assert!(
            write_file(&path, "(go)\n", Mark::Plan).is_err(),
            "an earlier run was forced"
        );
        Ok(())
    }

    #[test]
    fn a_failed_writer_leaves_the_old_file_and_a_new_one_by_others_is_kept() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let at = |name: &str| folder.path().join(name);
        fs::write(at("trace"), "{\"oracle\":\"herbrand 0\"}\n")?;
        begin(false);
        let failed = write_with(&at("trace"), file_error, |out| {
            out.write_all(b"half of the new")?;
            Err::<(), _>(io::Error::other("no more"))
        });
        assert!(
            failed
                .expect_err("the writer fails")
                .to_string()
                .ends_with("no more")
        );
        assert_eq!(fs::read_to_string(at("trace"))?, "{\"oracle\":\"herbrand 0\"}\n");
        let refused = write_with(&at("other"), file_error, |out| {
            out.write_all(b"new")?;
            fs::write(at("other"), "precious")
        });
        let message = refused.expect_err("somebody made the file meanwhile").to_string();
        assert!(message.contains("was not written by Herbrand"), "{message}");
        assert_eq!(fs::read_to_string(at("other"))?, "precious");
        assert_eq!(
            fs::read_dir(folder.path())?.count(),
            2,
            "nothing is left beside them"
        );
        Ok(())
    }

    #[test]
    fn inputs_are_not_written_even_if_forced() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let at = |name: &str| folder.path().join(name);
        let input = "(define (domain d))\n";
        write_file(&at("input"), input, Mark::Pddl).expect("a new file");
        fs::hard_link(at("input"), at("hard"))?;
        let mut names = vec!["input", "hard"];
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("input"), at("soft"))?;
            names.push("soft");
        }
        begin(true);
        note_input(&at("input"));
        for name in names {
            let refused = write_file(&at(name), "new", Mark::Pddl).expect_err("it is an input");
            assert!(refused.to_string().contains("input"), "{refused}");
            assert!(fs::read_to_string(at(name))?.starts_with(input), "{name}");
        }
        write_file(&at("other"), "new", Mark::Pddl).expect("it is another file");
        begin(false);
        write_file(&at("input"), "new", Mark::Pddl).expect("another run has other inputs");
        Ok(())
    }

    #[test]
    fn a_log_replaces_no_other() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("log.jsonl");
        begin(false);
        writeln!(
            start_log(&path).expect("a new log"),
            "{{\"game\":{{\"world\":\"coin\"}}}}"
        )?;
        let refused = start_log(&path).expect_err("there is one");
        assert!(
            refused.to_string().contains("a log does not replace another"),
            "{refused}"
        );
        begin(true);
        start_log(&path).expect("forced");
        assert_eq!(fs::read_to_string(&path)?, "");
        begin(false);
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() -> io::Result<()> {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir()?;
        let (path, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&path, "old")?;
        fs::set_permissions(&path, Permissions::from_mode(0o640))?;
        symlink(&path, &link)?;
        let mut file = NewFile::create(&link)?;
        file.write_all(b"new")?;
        file.finish()?;
        assert!(fs::symlink_metadata(&link)?.is_symlink());
        assert_eq!(fs::read_to_string(&path)?, "new");
        assert_eq!(fs::metadata(&path)?.permissions().mode() & 0o777, 0o640);
        Ok(())
    }
}
