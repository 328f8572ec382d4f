//! The thread that checks files. A change of a file cancels the check that runs, and the newest version is checked.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use gen_lsp_types::{PublishDiagnosticsParams, Uri};
use herbrand_limits::{Budget, Limits};

use crate::check::{Finding, check};
use crate::documents::TextFile;
use crate::workspace::Workspace;

/// Checks files on a thread of its own, and publishes the findings.
pub(crate) struct Checker {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    workspace: Workspace,
    /// The files that have to be checked.
    pending: BTreeSet<String>,
    /// The file that is being checked, and the budget that cancels the check.
    running: Option<(String, Budget)>,
    /// The newest findings of each open file, with the file that they are of.
    found: BTreeMap<String, (Arc<TextFile>, Arc<Vec<Finding>>)>,
    stopped: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Checker {
    /// Starts the thread. `publish` gets the findings of each check that is not cancelled.
    pub(crate) fn start(limits: Limits, publish: impl Fn(PublishDiagnosticsParams) + Send + 'static) -> Self {
        let shared = Arc::new(Shared::default());
        let own = Arc::clone(&shared);
        let thread = std::thread::spawn(move || work(&own, limits, &publish));
        Self {
            shared,
            thread: Some(thread),
        }
    }

    /// Checks these files of a workspace soon, in place of those of an earlier one.
    pub(crate) fn request(&self, workspace: &Workspace, uris: impl IntoIterator<Item = String>) {
        let mut state = self.shared.lock();
        state.workspace = workspace.clone();
        state.pending.extend(uris);
        if let Some((uri, budget)) = state.running.take() {
            budget.cancel();
            state.pending.insert(uri);
        }
        self.shared.changed.notify_one();
    }

    /// Forgets a file that was closed.
    pub(crate) fn forget(&self, workspace: &Workspace, uri: &str) {
        let mut state = self.shared.lock();
        state.workspace = workspace.clone();
        state.pending.remove(uri);
        state.found.remove(uri);
    }

    /// Returns the findings of a file; `None` if they are of another version of it.
    pub(crate) fn findings(&self, file: &Arc<TextFile>) -> Option<Arc<Vec<Finding>>> {
        let state = self.shared.lock();
        let (of, found) = state.found.get(file.uri())?;
        Arc::ptr_eq(of, file).then(|| Arc::clone(found))
    }
}

impl Drop for Checker {
    fn drop(&mut self) {
        {
            let mut state = self.shared.lock();
            state.stopped = true;
            if let Some((_, budget)) = &state.running {
                budget.cancel();
            }
        }
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been reported by the thread.
            let _ = thread.join();
        }
    }
}

fn work(shared: &Shared, limits: Limits, publish: &impl Fn(PublishDiagnosticsParams)) {
    let mut state = shared.lock();
    loop {
        if state.stopped {
            return;
        }
        let Some(uri) = state.pending.pop_first() else {
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        let workspace = state.workspace.clone();
        let Some(file) = workspace
            .file(&uri)
            .filter(|file| file.version.is_some())
            .cloned()
        else {
            continue;
        };
        let budget = Budget::new(limits);
        state.running = Some((uri.clone(), budget.clone()));
        drop(state);
        // A bug of a checker must not end the server: the file then keeps its earlier findings.
        let found = catch_unwind(AssertUnwindSafe(|| check(&workspace, &file, &budget)));
        state = shared.lock();
        let was_cancelled = state.running.take().is_none_or(|(running, _)| running != uri);
        if was_cancelled {
            continue;
        }
        if let Ok(Ok(found)) = found {
            let found = Arc::new(found);
            state
                .found
                .insert(uri.clone(), (Arc::clone(&file), Arc::clone(&found)));
            drop(state);
            publish(PublishDiagnosticsParams {
                uri: Uri(uri),
                version: file.version,
                diagnostics: found.iter().map(|one| one.diagnostic.clone()).collect(),
            });
            state = shared.lock();
        }
    }
}
