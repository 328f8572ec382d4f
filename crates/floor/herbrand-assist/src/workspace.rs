//! The files that the server knows: the open ones, and those in the folders of the workspace.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::language::Language;

use crate::documents::TextFile;
use crate::uri;

/// The maximum number of files that are read from the folders of a workspace.
const MOST_FILES: usize = 4000;
/// The maximum length of a file that is read from a folder, in bytes.
const LONGEST: u64 = 8 << 20;
/// The maximum depth of folders below a folder of the workspace.
const DEEPEST: usize = 8;
/// Folders that hold no sources of people.
const SKIPPED: [&str; 3] = ["target", "node_modules", "build"];

/// A set of files, each by its URI. Clones share the files, so a clone is a snapshot. The default is empty;
/// [`set`](Self::set) and [`read_tree`](Self::read_tree) add files, and the functions of [`feature`](crate::feature)
/// and [`check`](crate::check()) take it.
#[derive(Clone, Default, Debug)]
pub struct Workspace {
    files: BTreeMap<String, Arc<TextFile>>,
}

/// Where files are, as seen from another file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rank {
    /// In its folder.
    Beside,
    /// In the folder above.
    Above,
    /// Elsewhere.
    Far,
}

impl Workspace {
    /// Returns the file with this URI, in its normal form ([`normal`](crate::uri::normal)); `None` if it has no such file.
    pub fn file(&self, uri: &str) -> Option<&Arc<TextFile>> {
        self.files.get(uri)
    }

    /// Returns all files, sorted by URI.
    pub fn files(&self) -> impl Iterator<Item = &Arc<TextFile>> {
        self.files.values()
    }

    /// Returns the files that are open in the editor, which have a [`version`](TextFile::version), sorted by URI.
    pub fn open(&self) -> impl Iterator<Item = &Arc<TextFile>> {
        self.files().filter(|file| file.version.is_some())
    }

    /// Adds a version of a file, in place of an earlier one with the same URI, and returns it.
    pub fn set(&mut self, file: TextFile) -> Arc<TextFile> {
        let file = Arc::new(file);
        self.files.insert(file.uri().to_owned(), Arc::clone(&file));
        file
    }

    /// Replaces a file by its text on the disk. Removes it if the disk has no such file, if its name does not end in
    /// `pddl`, `ppddl` or `rddl`, or if it has more than 8 MiB.
    pub fn reload(&mut self, uri: &str) {
        self.files.remove(uri);
        if let Some(path) = uri::path(uri) {
            self.read(&path);
        }
    }

    /// Reads the files of a folder and of the folders in it, up to a limit. Skips files that the workspace has.
    fn read_folder(&mut self, folder: &Path, depth: usize) {
        let Ok(entries) = std::fs::read_dir(folder) else {
            return;
        };
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        for path in paths {
            let name = path
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            if path.is_dir() {
                if depth > 0 && !name.starts_with('.') && !SKIPPED.contains(&name) && !path.is_symlink() {
                    self.read_folder(&path, depth - 1);
                }
            } else if !self.files.contains_key(&uri::of(&path)) {
                self.read(&path);
            }
        }
    }

    /// Reads the files of a folder of the workspace and of the folders below it, up to 8 deep, that end in `pddl`,
    /// `ppddl` or `rddl`. Files that the workspace has are kept as they are. Hidden folders, links to folders, and
    /// files that cannot be read or have more than 8 MiB are skipped; at 4,000 files, reading stops.
    pub fn read_tree(&mut self, folder: &Path) {
        self.read_folder(folder, DEEPEST);
    }

    /// Reads the files beside a file and in the folder above, where its domain may be, like
    /// [`read_tree`](Self::read_tree) but without the folders in them.
    pub fn read_beside(&mut self, path: &Path) {
        for folder in path.ancestors().skip(1).take(2) {
            self.read_folder(folder, 0);
        }
    }

    fn read(&mut self, path: &Path) {
        let is_text = matches!(
            path.extension().and_then(|end| end.to_str()),
            Some("pddl" | "ppddl" | "rddl")
        );
        let is_short = std::fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() <= LONGEST);
        if !is_text || !is_short || self.files.len() >= MOST_FILES {
            return;
        }
        if let Ok(bytes) = std::fs::read(path) {
            let uri = uri::of(path);
            let source = herbrand_text::Source::from_bytes(&uri, bytes);
            self.set(TextFile::new(&uri, source.text(), None));
        }
    }

    /// Returns the file that defines the domain of `file`: the file itself, or the one whose domain it names. Among
    /// several, a domain in the same folder comes first, then one in the folder above. If there are others only, it
    /// must be the only one. `None` if `file` names no domain, or no file defines it.
    pub fn domain_of(&self, file: &Arc<TextFile>) -> Option<Arc<TextFile>> {
        if !file.domains().is_empty() {
            return Some(Arc::clone(file));
        }
        let (rank, definers) = self.definers(file);
        match definers.as_slice() {
            [first, ..] if rank != Rank::Far => Some(Arc::clone(first)),
            [only] => Some(Arc::clone(only)),
            _ => None,
        }
    }

    /// Returns the other files that define the domain that `file` names, sorted by URI, and where they are: those in the same folder; if
    /// there are none, those in the folder above; else all others.
    pub(crate) fn definers(&self, file: &TextFile) -> (Rank, Vec<Arc<TextFile>>) {
        let Some(name) = file.named_domain() else {
            return (Rank::Far, Vec::new());
        };
        let defines = |other: &&Arc<TextFile>| {
            other.language == file.language && other.domains().iter().any(|domain| domain == name)
        };
        let definers: Vec<_> = self.files().filter(defines).cloned().collect();
        let folder_of = |file: &TextFile| file.path.as_deref().and_then(Path::parent).map(Path::to_owned);
        let own = folder_of(file);
        let above = own.as_deref().and_then(Path::parent).map(Path::to_owned);
        for (rank, folder) in [(Rank::Beside, own), (Rank::Above, above)] {
            let is_in = |other: &&Arc<TextFile>| folder.is_some() && folder_of(other) == folder;
            let near: Vec<_> = definers.iter().filter(is_in).cloned().collect();
            if !near.is_empty() {
                return (rank, near);
            }
        }
        (Rank::Far, definers)
    }

    /// Returns the only file with a domain in the folder of `file`; `None` if no file there has a domain, or several do.
    #[must_use]
    pub fn domain_beside(&self, file: &TextFile) -> Option<&Arc<TextFile>> {
        let folder = file.path.as_deref()?.parent();
        let is_beside =
            |other: &&Arc<TextFile>| other.path.as_deref().is_some_and(|path| path.parent() == folder);
        let mut domains = self
            .files()
            .filter(is_beside)
            .filter(|other| !other.domains().is_empty());
        let first = domains.next()?;
        domains.next().is_none().then_some(first)
    }

    /// Returns the files that share the domain of `file`: the file of the domain first, then the files that name it. Only `file`
    /// if no file defines its domain.
    pub fn family(&self, file: &Arc<TextFile>) -> Vec<Arc<TextFile>> {
        let Some(domain) = self.domain_of(file) else {
            return vec![Arc::clone(file)];
        };
        let mut family = vec![Arc::clone(&domain)];
        let shares = |other: &&Arc<TextFile>| {
            !Arc::ptr_eq(other, &domain)
                && other.language == domain.language
                && other
                    .named_domain()
                    .is_some_and(|name| domain.domains().iter().any(|own| own == name))
                && self.domain_of(other).is_some_and(|of| Arc::ptr_eq(&of, &domain))
        };
        family.extend(self.files().filter(shares).cloned());
        family
    }

    /// Returns the files that may declare what `file` names: its domain and itself; in RDDL also the files that declare or
    /// use its blocks of non-fluents.
    pub fn scope(&self, file: &Arc<TextFile>) -> Vec<Arc<TextFile>> {
        let mut scope: Vec<_> = self.domain_of(file).into_iter().collect();
        if !scope.iter().any(|other| Arc::ptr_eq(other, file)) {
            scope.push(Arc::clone(file));
        }
        if file.language == Language::Rddl {
            let family = self.family(file).into_iter();
            let shares =
                |other: &Arc<TextFile>| other.blocks().iter().any(|name| file.blocks().contains(name));
            let known = scope.clone();
            scope.extend(
                family.filter(|other| shares(other) && !known.iter().any(|one| Arc::ptr_eq(one, other))),
            );
        }
        scope
    }
}
