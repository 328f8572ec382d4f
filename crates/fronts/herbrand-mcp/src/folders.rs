//! The folders in which tools may read and write files.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use herbrand_play::{Reason, Refusal};

/// The folders in which tools may read and write files. Without folders, none can be read or written. Links are
/// followed before a path is compared with the folders. [`McpOptions::folders`](crate::McpOptions::folders) has them;
/// the default is no folder.
#[derive(Clone, Debug, Default)]
pub struct Folders {
    /// The absolute paths without links.
    roots: Vec<PathBuf>,
}

impl Folders {
    /// Creates the set of these folders, with everything below them. No folders give a set in which nothing is.
    ///
    /// # Errors
    /// Fails if one of them is not a folder that exists.
    pub fn new(folders: impl IntoIterator<Item = impl AsRef<Path>>) -> io::Result<Self> {
        let roots = folders.into_iter().map(|folder| {
            let root = folder.as_ref().canonicalize()?;
            if root.is_dir() {
                Ok(root)
            } else {
                Err(io::Error::from(io::ErrorKind::NotADirectory))
            }
        });
        Ok(Self {
            roots: roots.collect::<io::Result<_>>()?,
        })
    }

    /// Reads a text of at most `most` bytes.
    pub(crate) fn read(&self, path: &str, most: usize) -> Result<String, Refusal> {
        let inside = self
            .inside(&self.absolute(path)?)
            .ok_or_else(|| self.outside(path))?;
        let failed =
            |error: io::Error| Refusal::new(Reason::Request, format!("cannot read {path:?}: {error}"));
        // Devices and pipes may never end.
        if !fs::metadata(&inside).map_err(failed)?.is_file() {
            return Err(Refusal::new(Reason::Request, format!("{path:?} is not a file")));
        }
        let mut bytes = Vec::new();
        let mut file = File::open(&inside).map_err(failed)?.take(most as u64 + 1);
        file.read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() > most {
            return Err(Refusal::new(
                Reason::Limit,
                format!("{path:?} has more than {most} bytes"),
            ));
        }
        String::from_utf8(bytes)
            .map_err(|_| Refusal::new(Reason::Request, format!("{path:?} is not text in UTF-8")))
    }

    /// Writes new files, all of them completely, or none.
    pub(crate) fn write(&self, files: &[(String, Vec<u8>)]) -> Result<(), Refusal> {
        let failed = |path: &str, error: &io::Error| {
            let message = match error.kind() {
                io::ErrorKind::AlreadyExists => format!("{path:?} exists: files are not overwritten"),
                _ => format!("cannot write {path:?}: {error}"),
            };
            Refusal::new(Reason::Request, message)
        };
        let mut made: Vec<(PathBuf, _, _)> = Vec::new();
        for (path, content) in files {
            let absolute = self.absolute(path)?;
            let (Some(parent), Some(name)) = (absolute.parent(), absolute.file_name()) else {
                return Err(self.outside(path));
            };
            let parent = self.inside(parent).ok_or_else(|| self.outside(path))?;
            let target = parent.join(name);
            if made.iter().any(|(other, ..)| *other == target) {
                let message = format!("{path:?} is given twice: name a file for each text");
                return Err(Refusal::new(Reason::Request, message));
            }
            let mut builder = tempfile::Builder::new();
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let file = builder.tempfile_in(&parent).and_then(|mut file| {
                file.write_all(content)?;
                Ok(file)
            });
            made.push((target, file.map_err(|error| failed(path, &error))?, path));
        }
        let mut written = Vec::new();
        for (target, file, path) in made {
            // A new file cannot be a link to somewhere else.
            if let Err(error) = file.persist_noclobber(&target) {
                for own in written {
                    let _ = fs::remove_file(own);
                }
                return Err(failed(path, &error.error));
            }
            written.push(target);
        }
        Ok(())
    }

    /// Returns a path, relative to the first folder if it is relative.
    fn absolute(&self, path: &str) -> Result<PathBuf, Refusal> {
        let first = self.roots.first().ok_or_else(|| {
            Refusal::new(
                Reason::Request,
                "no files can be used: start the server with `--folder FOLDER`",
            )
        })?;
        if path.contains('\0') || path.len() > 4096 {
            return Err(self.outside(path));
        }
        Ok(first.join(path))
    }

    /// Returns an existing path without links if it is in one of the folders.
    fn inside(&self, path: &Path) -> Option<PathBuf> {
        let path = path.canonicalize().ok()?;
        self.roots
            .iter()
            .any(|root| path.starts_with(root))
            .then_some(path)
    }

    /// Does not tell whether a file outside exists.
    fn outside(&self, path: &str) -> Refusal {
        let shown: String = path.chars().take(200).collect();
        Refusal::new(
            Reason::Request,
            format!(
                "there is no {shown:?} in the folders of this server: paths are relative to the first folder of `--folder`"
            ),
        )
    }
}
