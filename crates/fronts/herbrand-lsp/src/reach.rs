//! The thread that grounds the open problems once the user pauses, for warnings of goals and actions that are impossible.

use std::sync::Arc;
use std::time::{Duration, Instant};

use herbrand_assist::{Finding, Language, TextFile, Workspace, shown};
use herbrand_ground::unreachable;
use herbrand_limits::{Budget, Limits};
use herbrand_pddl::{Code, Diagnostic};
use herbrand_text::{NameKind, Role, Span};

use crate::lens::models;
use crate::worker::{Job, Worker};

/// The longest time between two looks at whether another edit has cancelled the wait.
const NAP: Duration = Duration::from_millis(10);

/// Grounds the open problems on a thread of its own, for warnings that need it.
pub(crate) struct Reach(Worker<Open>);

/// The warnings about the open files, each with the version that they are of.
pub(crate) type Reached = Vec<(Arc<TextFile>, Vec<Finding>)>;

/// The files at the time of an edit.
struct Open(Workspace);

impl Job for Open {
    type Key = ();

    fn key(&self) {}
}

/// The warnings of one problem, with the texts that they are of.
struct Known {
    domain: Arc<TextFile>,
    problem: Arc<TextFile>,
    found: Vec<Diagnostic>,
}

impl Reach {
    /// Starts the thread. It waits for `pause` after an edit, and grounds each problem within the limits. `done` gets the warnings.
    pub(crate) fn start(limits: Limits, pause: Duration, done: impl Fn(Reached) + Send + 'static) -> Self {
        let mut known: Vec<Known> = Vec::new();
        let run = move |open: &Open, budget: &Budget| {
            rests(pause, budget).then(|| budget.enclose(|| reached(&open.0, limits, budget, &mut known)))?
        };
        let told = move |_, found: Option<Option<Reached>>| found.flatten().into_iter().for_each(&done);
        Self(Worker::start(Limits::default(), run, told))
    }

    /// Looks at the open problems after the pause, in place of an earlier look.
    pub(crate) fn request(&self, workspace: &Workspace) {
        let open = Open(workspace.clone());
        self.0.change(|state| {
            if let Some((_, budget)) = &state.running {
                budget.cancel();
            }
            state.queue.clear();
            state.queue.push_back(open);
        });
    }
}

/// Waits for a time. Returns `false` if the budget is cancelled.
fn rests(pause: Duration, budget: &Budget) -> bool {
    let start = Instant::now();
    while let Some(rest) = pause.checked_sub(start.elapsed()).filter(|rest| !rest.is_zero()) {
        if budget.check("waiting", 0).is_err() {
            return false;
        }
        std::thread::sleep(rest.min(NAP));
    }
    budget.check("waiting", 0).is_ok()
}

/// Returns the warnings about all open files in PDDL; `None` if the budget is cancelled. A domain has the warnings that all its
/// open problems share.
fn reached(
    workspace: &Workspace,
    limits: Limits,
    budget: &Budget,
    known: &mut Vec<Known>,
) -> Option<Reached> {
    let mut now: Vec<Known> = Vec::new();
    for problem in workspace.open().filter(|file| has_problem(file)) {
        let Some(domain) = workspace.domain_of(problem) else {
            continue;
        };
        let is_same = |one: &Known| Arc::ptr_eq(&one.domain, &domain) && Arc::ptr_eq(&one.problem, problem);
        let before = known.iter().position(is_same).map(|at| known.swap_remove(at));
        let one = before.unwrap_or_else(|| Known {
            found: of_problem(&domain, problem, limits),
            domain,
            problem: Arc::clone(problem),
        });
        if budget.check("grounding", 0).is_err() {
            // The last search may have been cut off.
            known.append(&mut now);
            return None;
        }
        now.push(one);
    }
    *known = now;
    let pddl = workspace.open().filter(|file| file.language == Language::Pddl);
    let found = pddl.map(|file| {
        let own = of_file(workspace, file, known);
        (Arc::clone(file), shown(workspace, file, &own))
    });
    Some(found.collect())
}

fn has_problem(file: &TextFile) -> bool {
    file.language == Language::Pddl && file.of_kind(NameKind::Problem, Role::Declares).next().is_some()
}

/// Returns the warnings of a problem; none if its texts have errors, or the limits are reached.
fn of_problem(domain: &TextFile, problem: &TextFile, limits: Limits) -> Vec<Diagnostic> {
    let found = models(domain, problem, limits)
        .and_then(|(domain, problem)| unreachable(&domain, &problem, false, &Budget::new(limits)).ok());
    found.unwrap_or_default()
}

/// Returns the warnings to show in a file. A domain shows the warnings that all its problems share. A problem shows the warnings of its
/// goal, and also those about its domain if that is not open.
fn of_file(workspace: &Workspace, file: &Arc<TextFile>, known: &[Known]) -> Vec<Diagnostic> {
    let place = |one: &Diagnostic| -> Option<(Code, Span)> {
        let label = one.labels().first()?;
        Some((one.code(), label.span()))
    };
    let is_of =
        |one: &Diagnostic, file: &TextFile| one.source().is_some_and(|source| source.name() == file.uri());
    let mut own = Vec::new();
    for one in known.iter().filter(|one| Arc::ptr_eq(&one.problem, file)) {
        let is_open = workspace
            .file(one.domain.uri())
            .is_some_and(|file| file.version.is_some());
        let here = |warning: &&Diagnostic| !is_open || !is_of(warning, &one.domain) || is_of(warning, file);
        own.extend(one.found.iter().filter(here).cloned());
    }
    let mut problems = known.iter().filter(|one| Arc::ptr_eq(&one.domain, file));
    if let Some(first) = problems.next() {
        let others: Vec<&Known> = problems.collect();
        let in_all = |warning: &&Diagnostic| {
            let has = |one: &&Known| one.found.iter().any(|other| place(other) == place(warning));
            is_of(warning, file) && others.iter().all(has)
        };
        own.extend(first.found.iter().filter(in_all).cloned());
    }
    own.dedup();
    own
}
