//! The thread that checks files. A change of a file cancels the check that runs, and the newest version is checked.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gen_lsp_types::{PublishDiagnosticsParams, Uri};
use herbrand_assist::{Finding, TextFile, Workspace, check};
use herbrand_limits::{Budget, Limits};

use crate::settings;
use crate::worker::{Job, Worker};

/// Checks files on a thread of its own, and publishes the findings.
pub(crate) struct Checker {
    worker: Worker<Check>,
    found: Arc<Mutex<Newest>>,
}

/// The newest findings of each open file, with the version that they are of.
type Newest = BTreeMap<String, (Arc<TextFile>, Arc<Vec<Finding>>)>;

/// A file that has to be checked, and the files at that time.
struct Check {
    uri: String,
    workspace: Arc<Workspace>,
}

impl Job for Check {
    type Key = String;

    fn key(&self) -> String {
        self.uri.clone()
    }
}

impl Checker {
    /// Starts the thread. `publish` gets the findings of each check that is not cancelled.
    pub(crate) fn start(limits: Limits, publish: impl Fn(PublishDiagnosticsParams) + Send + 'static) -> Self {
        let found: Arc<Mutex<Newest>> = Arc::default();
        let own = Arc::clone(&found);
        let done = move |job: Check, findings: Option<Option<(Arc<TextFile>, Vec<Finding>)>>| {
            // After a bug of a check, the file keeps its earlier findings.
            let Some((file, findings)) = findings.flatten() else {
                return;
            };
            let findings = Arc::new(findings);
            let diagnostics = findings.iter().map(|one| one.diagnostic.clone()).collect();
            let version = file.version;
            locked(&own).insert(job.uri.clone(), (file, findings));
            publish(PublishDiagnosticsParams {
                uri: Uri(job.uri),
                version,
                diagnostics,
            });
        };
        Self {
            worker: Worker::start(limits, move |job, budget| checked(job, limits, budget), done),
            found,
        }
    }

    /// Checks these files of a workspace soon, in place of those of an earlier one.
    pub(crate) fn request(&self, workspace: &Workspace, uris: impl IntoIterator<Item = String>) {
        let workspace = Arc::new(workspace.clone());
        self.worker.change(|state| {
            let mut pending: BTreeSet<String> = state.queue.drain(..).map(|job| job.uri).collect();
            pending.extend(uris);
            if let Some((uri, budget)) = &state.running {
                budget.cancel();
                pending.insert(uri.clone());
            }
            let job = |uri| Check {
                uri,
                workspace: Arc::clone(&workspace),
            };
            state.queue.extend(pending.into_iter().map(job));
        });
    }

    /// Forgets a file that was closed.
    pub(crate) fn forget(&self, uri: &str) {
        self.worker.change(|state| {
            state.queue.retain(|job| job.uri != uri);
            if let Some((running, budget)) = &state.running
                && running == uri
            {
                budget.cancel();
            }
        });
        locked(&self.found).remove(uri);
    }

    /// Returns the findings of a file; `None` if they are of another version of it.
    pub(crate) fn findings(&self, file: &Arc<TextFile>) -> Option<Arc<Vec<Finding>>> {
        let newest = locked(&self.found);
        let (of, found) = newest.get(file.uri())?;
        Arc::ptr_eq(of, file).then(|| Arc::clone(found))
    }
}

fn locked(found: &Mutex<Newest>) -> MutexGuard<'_, Newest> {
    found.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Checks a file; `None` if it is not open, or the check is cancelled or takes too long.
fn checked(job: &Check, limits: Limits, budget: &Budget) -> Option<(Arc<TextFile>, Vec<Finding>)> {
    let file = job
        .workspace
        .file(&job.uri)
        .filter(|file| file.version.is_some())?;
    let found = if file.is_settings() {
        settings::check(&job.workspace, file, limits, budget)
    } else {
        check(&job.workspace, file, budget)
    };
    Some((Arc::clone(file), found.ok()?))
}
