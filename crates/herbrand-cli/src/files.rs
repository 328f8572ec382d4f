//! Files that the program writes: whole or not at all.
//!
//! Each file is written beside its target and renamed when it is complete, so a full disk or a kill leaves the old file as
//! it was.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::Failure;
use crate::input::file_error;

/// A file that is being written; dropped before [`finish`](Self::finish), it leaves no trace.
pub struct NewFile {
    /// The target: a regular file, or none yet. Links are followed, so that they stay links.
    path: PathBuf,
    out: Out,
}

enum Out {
    /// A file beside the target.
    Beside(BufWriter<NamedTempFile>),
    /// The target itself, which is a pipe or a device.
    Direct(BufWriter<File>),
}

impl NewFile {
    /// Starts to write the file `path`.
    ///
    /// # Errors
    /// If its folder does not exist or cannot be written to, or `path` is a folder.
    pub fn create(path: &Path) -> io::Result<Self> {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let about = fs::metadata(&target).ok();
        if about.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::Error::new(
                io::ErrorKind::IsADirectory,
                "this is a folder, not a file",
            ));
        }
        let out = if about.as_ref().is_none_or(fs::Metadata::is_file) {
            let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
            let permissions = about.map(|about| about.permissions());
            if permissions.as_ref().is_some_and(Permissions::readonly) {
                return Err(io::Error::new(
                    io::ErrorKind::PermissionDenied,
                    "the file is read-only",
                ));
            }
            let mut beside = tempfile::Builder::new();
            let permissions = permissions.or_else(new_permissions);
            if let Some(permissions) = permissions {
                beside.permissions(permissions);
            }
            let folder = folder.unwrap_or(Path::new("."));
            Out::Beside(BufWriter::new(beside.prefix(".herbrand-").tempfile_in(folder)?))
        } else {
            Out::Direct(BufWriter::new(File::create(&target)?))
        };
        Ok(Self { path: target, out })
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// If the last bytes cannot be written, or the file cannot be renamed.
    pub fn finish(self) -> io::Result<()> {
        match self.out {
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

/// The permissions of a new file, of which the system takes what the user's mask forbids.
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

/// Writes a file, in place of one that exists.
///
/// # Errors
/// If it cannot be written; the error names it.
pub fn write_file(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
    let write = || {
        let mut file = NewFile::create(path)?;
        file.write_all(contents.as_ref())?;
        file.finish()
    };
    write().map_err(|error| file_error(path, error))
}

/// Like [`write_file`], and makes the file's folder if there is none.
///
/// # Errors
/// If one of them cannot be written; the error names it.
pub fn write_file_in_folder(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| file_error(folder, error))?;
    }
    write_file(path, contents)
}

/// Writes a file by a function that may fail for reasons of its own; `failed` turns its error into a failure.
///
/// # Errors
/// If the file cannot be written, or its contents cannot be made.
pub fn write_with<T, E: From<io::Error>>(
    path: &Path,
    failed: impl FnOnce(&Path, E) -> Failure,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, Failure> {
    let mut file = NewFile::create(path).map_err(|error| file_error(path, error))?;
    let result = write(&mut file).map_err(|error| failed(path, error))?;
    file.finish().map_err(|error| file_error(path, error))?;
    Ok(result)
}

/// Says on standard error that a file was written, and what is in it.
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
