//! The thread that checks files. A change of a file cancels the check that runs, and the newest version is checked.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gen_lsp_types::{Diagnostic, PublishDiagnosticsParams, Uri};
use herbrand_assist::{Finding, TextFile, Workspace, check};
use herbrand_limits::{Budget, Limits};
use herbrand_pddl::Code;

use crate::reach::Reached;
use crate::settings;
use crate::worker::{Job, Worker};

/// Checks files on a thread of its own, and publishes the findings.
pub(crate) struct Checker {
    worker: Worker<Check>,
    found: Arc<Mutex<Newest>>,
    publish: Arc<Publish>,
}

type Publish = dyn Fn(PublishDiagnosticsParams) + Send + Sync;

/// The findings of each file, by its URI.
type Newest = BTreeMap<String, Found>;

/// The newest findings of a file, and of a problem that was grounded, each with the version that they are of.
#[derive(Default)]
struct Found {
    checked: Option<(Arc<TextFile>, Arc<Vec<Finding>>)>,
    reached: Option<(Arc<TextFile>, Vec<Finding>)>,
}

impl Found {
    /// Publishes all findings of the version that was checked. A goal that both searches find is shown once.
    fn publish(&self, publish: &Publish) {
        let Some((file, checked)) = &self.checked else {
            return;
        };
        let mut diagnostics: Vec<_> = checked.iter().map(|one| one.diagnostic.clone()).collect();
        if let Some((_, reached)) = self.reached.as_ref().filter(|(of, _)| Arc::ptr_eq(of, file)) {
            let is_new = |one: &&Finding| {
                let one = &one.diagnostic;
                let is_same = |other: &Diagnostic| other.code == one.code && other.range == one.range;
                // Warnings about a domain that is not open share the place of the problem's name.
                one.code != Some(Code::NeverTrue.as_str().to_owned().into())
                    || !diagnostics.iter().any(is_same)
            };
            let new: Vec<_> = reached
                .iter()
                .filter(is_new)
                .map(|one| one.diagnostic.clone())
                .collect();
            diagnostics.extend(new);
        }
        publish(PublishDiagnosticsParams {
            uri: Uri(file.uri().to_owned()),
            version: file.version,
            diagnostics,
        });
    }
}

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
    pub(crate) fn start(
        limits: Limits,
        publish: impl Fn(PublishDiagnosticsParams) + Send + Sync + 'static,
    ) -> Self {
        let found: Arc<Mutex<Newest>> = Arc::default();
        let publish: Arc<Publish> = Arc::new(publish);
        let (own, told) = (Arc::clone(&found), Arc::clone(&publish));
        let done = move |job: Check, findings: Option<Option<(Arc<TextFile>, Vec<Finding>)>>| {
            // After a bug of a check, the file keeps its earlier findings.
            let Some((file, findings)) = findings.flatten() else {
                return;
            };
            // While the list is locked, so that the newest message has the newest findings.
            let mut all = locked(&own);
            let of_file = all.entry(job.uri).or_default();
            of_file.checked = Some((file, Arc::new(findings)));
            of_file.publish(&*told);
        };
        Self {
            worker: Worker::start(limits, move |job, budget| checked(job, limits, budget), done),
            found,
            publish,
        }
    }

    /// Returns what takes the warnings of grounding, and publishes them where they differ from the earlier ones.
    pub(crate) fn add_reached(&self) -> impl Fn(Reached) + Send + 'static {
        let (found, publish) = (Arc::clone(&self.found), Arc::clone(&self.publish));
        move |reached| {
            let mut all = locked(&found);
            for (file, findings) in reached {
                let of_file = all.entry(file.uri().to_owned()).or_default();
                let is_same = match &of_file.reached {
                    Some((of, before)) => Arc::ptr_eq(of, &file) && *before == findings,
                    None => findings.is_empty(),
                };
                let is_newest = of_file
                    .checked
                    .as_ref()
                    .is_none_or(|(of, _)| of.version <= file.version);
                if is_newest && !is_same {
                    let was_shown = of_file
                        .reached
                        .take()
                        .is_some_and(|(of, list)| Arc::ptr_eq(&of, &file) && !list.is_empty());
                    let matters = was_shown || !findings.is_empty();
                    of_file.reached = Some((file, findings));
                    if matters {
                        of_file.publish(&*publish);
                    }
                }
            }
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
        let (of, found) = newest.get(file.uri())?.checked.as_ref()?;
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
