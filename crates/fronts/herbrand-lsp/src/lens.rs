//! Remarks above actions and problems: how many instances they have, and why.

use std::cell::OnceCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gen_lsp_types::{CodeLens, Command};
use herbrand_ground::{
    ActionId, GroundOptions, GroundTask, Literal, SchemaExplanation, explain, explain_bounds, ground,
    unreachable,
};
use herbrand_limits::{Budget, Limits};
use herbrand_pddl::{Code, Diagnostic, Domain, Problem, ReadOptions, SchemaId};
use herbrand_play::{Reason, Refusal};
use herbrand_text::{NameKind, Role, Span, counted};
use serde_json::{Value, json};

use herbrand_assist::{Language, TextFile, Workspace};

/// The commands above a problem, with their titles.
const COMMANDS: [(&str, &str); 4] = [
    ("Run a plan", "herbrand.plan"),
    ("Check a plan", "herbrand.checkPlan"),
    ("Roll out", "herbrand.rollout"),
    ("Show the state", "herbrand.picture"),
];

/// Returns the remarks of a file. If grounding exceeds the limits, the counts are upper bounds.
pub(crate) fn lenses(
    workspace: &Workspace,
    file: &Arc<TextFile>,
    budget: &Budget,
    limits: Limits,
) -> Vec<CodeLens> {
    let mut found = Vec::new();
    for mention in file.of_kind(NameKind::Problem, Role::Declares) {
        for (title, command) in COMMANDS {
            // Only PDDL has files of plans.
            if file.language == Language::Pddl || command != "herbrand.checkPlan" {
                found.push(lens(file, mention.span, title, command, vec![json!(file.uri())]));
            }
        }
    }
    if file.language == Language::Pddl {
        found.extend(
            budget
                .enclose(|| counts(workspace, file, limits))
                .unwrap_or_default(),
        );
    }
    found
}

fn lens(file: &TextFile, span: Span, title: &str, command: &str, arguments: Vec<Value>) -> CodeLens {
    CodeLens {
        range: file.range(span),
        command: Some(Command {
            title: title.to_owned(),
            tooltip: None,
            command: command.to_owned(),
            arguments: Some(arguments),
        }),
        data: None,
    }
}

/// Returns the remarks that need a problem and its domain; `None` if one of them is missing or faulty.
fn counts(workspace: &Workspace, file: &Arc<TextFile>, limits: Limits) -> Option<Vec<CodeLens>> {
    let domain_file = workspace.domain_of(file)?;
    let has_problem =
        |file: &&Arc<TextFile>| file.of_kind(NameKind::Problem, Role::Declares).next().is_some();
    let family = workspace.family(&domain_file);
    let problem_file = if has_problem(&file) {
        Arc::clone(file)
    } else {
        // Prefer an open problem: the user is working on it.
        let mut problems: Vec<_> = family.iter().filter(has_problem).collect();
        problems.sort_by_key(|other| (other.version.is_none(), other.text().len()));
        Arc::clone(problems.first()?)
    };
    let (domain, problem) = models(&domain_file, &problem_file, limits)?;
    // Half of the time is left for the upper bounds, should grounding need more.
    let half = Limits {
        time: limits.time.map(|time| time / 2),
        ..limits
    };
    let options = GroundOptions {
        limits: half,
        ..GroundOptions::default()
    };
    let start = Instant::now();
    let task = ground(&domain, &problem, &options).ok();
    let took = start.elapsed();
    let mut found = Vec::new();
    if has_problem(&file) {
        let title = task
            .as_ref()
            .map_or_else(|| "too large to ground here".to_owned(), |task| size(task, took));
        let mention = file.of_kind(NameKind::Problem, Role::Declares).next()?;
        found.push(lens(
            file,
            mention.span,
            &title,
            "herbrand.ground",
            vec![json!(file.uri())],
        ));
    }
    if !Arc::ptr_eq(file, &domain_file) {
        return Some(found);
    }
    let explained = if task.is_some() {
        explain(&domain, &problem, &options)
    } else {
        explain_bounds(&domain, &problem, &options)
    };
    let never = OnceCell::new();
    for schema in explained.ok()? {
        let place = domain.schema(schema.schema).place.span();
        let action = file
            .of_kind(NameKind::Action, Role::Declares)
            .find(|one| Some(one.extent) == place);
        if let Some(action) = action {
            let title = title(&domain, &problem, &schema, task.as_ref(), &never, limits);
            let arguments = vec![json!(problem_file.uri()), json!(file.name(action))];
            found.push(lens(file, action.span, &title, "herbrand.why", arguments));
        }
    }
    Some(found)
}

/// Returns the remark above a problem.
fn size(task: &GroundTask, took: Duration) -> String {
    format!(
        "{} · {} · {} · grounded in {:.1} ms",
        counted(task.atom_count(), "atom"),
        counted(task.actions.len(), "action"),
        match task.strata.len() {
            1 => "1 stratum of axioms".to_owned(),
            count => format!("{count} strata of axioms"),
        },
        took.as_secs_f64() * 1000.0,
    )
}

/// Returns the number of ground actions of a schema and the parameter that makes them many, or the reason why the
/// schema has no ground action. `never` keeps the result of the search for the reasons.
fn title(
    domain: &Domain,
    problem: &Problem,
    schema: &SchemaExplanation,
    task: Option<&GroundTask>,
    never: &OnceCell<Vec<Diagnostic>>,
    limits: Limits,
) -> String {
    let name = &problem.name;
    let Some(task) = task else {
        return format!(
            "at most {} ground actions in `{name}`, which is too large to ground here",
            schema.combinations()
        );
    };
    let own = task
        .actions
        .ids()
        .filter(|&id| task.actions.get(id).schema == schema.schema);
    let count = own.count();
    if count == 0 {
        let never = never.get_or_init(|| impossible(domain, problem, limits));
        let reason = never_applicable(never, domain.schema(schema.schema).name.as_str());
        return format!("never applicable in `{name}`: {reason}");
    }
    let most = schema.parameters.iter().max_by_key(|parameter| parameter.taken);
    let reason = most.filter(|most| most.taken > 1).map(|most| {
        let bound = match most.predicates.as_slice() {
            [] => "by its type only".to_owned(),
            names => {
                let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
                format!("by {}", names.join(", "))
            }
        };
        format!(
            " · `?{}` takes {} of {}, bounded {bound}",
            most.name,
            most.taken,
            counted(most.objects, "object")
        )
    });
    format!(
        "{} in `{name}`{}",
        counted(count, "ground action"),
        reason.unwrap_or_default()
    )
}

/// Returns what can never happen in a problem; nothing if grounding exceeds the limits.
fn impossible(domain: &Domain, problem: &Problem, limits: Limits) -> Vec<Diagnostic> {
    unreachable(domain, problem, false, &Budget::new(limits)).unwrap_or_default()
}

/// Returns the reason why an action can never be applied.
fn never_applicable(impossible: &[Diagnostic], name: &str) -> String {
    let head = format!("`{name}` ");
    let mut found = impossible.iter();
    let own = found.find(|one| one.code() == Code::NeverApplicable && one.message().starts_with(&head));
    let reason = own.and_then(|one| Some(one.labels().first()?.text().to_owned()));
    reason.unwrap_or_else(|| "no objects satisfy all of its precondition".to_owned())
}

/// Returns the ground action of a schema that lacks the fewest atoms at the start; `None` if the schema has no ground
/// action. Derived atoms do not count.
fn nearest(task: &GroundTask, schema: SchemaId) -> Option<String> {
    let lacking = |id: &ActionId| {
        let alternatives = task.conditions.conjunctions(task.actions.get(*id).precondition);
        let is_false = |literal: &&Literal| {
            let is_initial = task.initial.binary_search(&literal.atom()).is_ok();
            !task.is_derived(literal.atom()) && is_initial == literal.is_negative()
        };
        let count = |one| task.conditions.get(one).literals.iter().filter(is_false).count();
        alternatives.map(count).min()
    };
    let own = task
        .actions
        .ids()
        .filter(|&id| task.actions.get(id).schema == schema);
    let nearest = own.min_by_key(lacking)?;
    Some(task.display_action(nearest).to_string())
}

/// Returns the ground action of the schema `name` that lacks the fewest atoms at the start of the problem in `file`.
///
/// # Errors
/// Fails if the action can never be applied or cannot be grounded.
pub(crate) fn nearest_at_start(
    workspace: &Workspace,
    file: &Arc<TextFile>,
    name: &str,
    limits: Limits,
) -> Result<String, Refusal> {
    let (domain, problem) = workspace
        .domain_of(file)
        .and_then(|domain| models(&domain, file, limits))
        .ok_or_else(|| Refusal::new(Reason::Texts, "the domain or the problem has errors"))?;
    let unknown = || Refusal::new(Reason::Unknown, format!("the domain has no action `{name}`"));
    let schema = domain.find_schema(name).ok_or_else(unknown)?;
    let options = GroundOptions {
        limits,
        ..GroundOptions::default()
    };
    let task = ground(&domain, &problem, &options).map_err(|error| Refusal::new(Reason::Texts, error))?;
    nearest(&task, schema).ok_or_else(|| {
        let found = impossible(&domain, &problem, limits);
        Refusal::new(Reason::Step, never_applicable(&found, name))
    })
}

/// Reads a domain and a problem; `None` if they have errors.
pub(crate) fn models(domain: &TextFile, problem: &TextFile, limits: Limits) -> Option<(Domain, Problem)> {
    let options = ReadOptions::within(&Budget::new(limits));
    let domain = Domain::parse_with(&domain.source, &options).ok()?.0;
    let problem = Problem::parse_with(&problem.source, &domain, &options).ok()?.0;
    Some((domain, problem))
}
