//! Remarks above actions and problems: how many instances they have, and why.

use std::sync::Arc;
use std::time::Instant;

use gen_lsp_types::{CodeLens, Command};
use herbrand_ground::{GroundOptions, GroundTask, SchemaExplanation, explain, explain_bounds, ground};
use herbrand_limits::{Budget, Limits};
use herbrand_pddl::{Domain, Problem, ReadOptions};
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
    let options = ReadOptions::within(&Budget::new(limits));
    let domain = Domain::parse_with(&domain_file.source, &options).ok()?.0;
    let problem = Problem::parse_with(&problem_file.source, &domain, &options)
        .ok()?
        .0;
    let options = GroundOptions {
        limits,
        ..GroundOptions::default()
    };
    let start = Instant::now();
    let task = ground(&domain, &problem, &options).ok();
    let took = start.elapsed();
    let mut found = Vec::new();
    if let (true, Some(task)) = (has_problem(&file), &task) {
        let title = format!(
            "{} · {} · {} · grounded in {:.1} ms",
            counted(task.atom_count(), "atom"),
            counted(task.actions.len(), "action"),
            match task.strata.len() {
                1 => "1 stratum of axioms".to_owned(),
                count => format!("{count} strata of axioms"),
            },
            took.as_secs_f64() * 1000.0,
        );
        let mention = file.of_kind(NameKind::Problem, Role::Declares).next()?;
        found.push(lens(
            file,
            mention.span,
            &title,
            "herbrand.ground",
            vec![json!(file.uri())],
        ));
    }
    let explained = if task.is_some() {
        explain(&domain, &problem, &options)
    } else {
        explain_bounds(&domain, &problem, &options)
    };
    for schema in explained.ok()? {
        let place = domain.schema(schema.schema).place.span();
        let action = file
            .of_kind(NameKind::Action, Role::Declares)
            .find(|one| Some(one.extent) == place);
        // In a file with the problem only, there is no action to write above.
        if let Some(action) = action.filter(|_| Arc::ptr_eq(file, &domain_file)) {
            let title = title(&domain, &problem, &schema, task.as_ref());
            let arguments = vec![json!(problem_file.uri()), json!(file.name(action))];
            found.push(lens(file, action.span, &title, "herbrand.why", arguments));
        }
    }
    Some(found)
}

/// Returns the number of ground actions of a schema, and the parameter that makes them many.
fn title(
    domain: &Domain,
    problem: &Problem,
    schema: &SchemaExplanation,
    task: Option<&GroundTask>,
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
        return format!(
            "never applicable in `{name}`{}",
            lacking(domain, problem, schema, task)
        );
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

/// Returns why a schema has no ground action, if one of its predicates or parameters shows it.
fn lacking(domain: &Domain, problem: &Problem, schema: &SchemaExplanation, task: &GroundTask) -> String {
    if let Some(empty) = schema.parameters.iter().find(|parameter| parameter.objects == 0) {
        return format!(": there is no object for `?{}`", empty.name);
    }
    let may_hold = |name: &str| {
        let Some(id) = domain.find_predicate(name) else {
            return true;
        };
        let lists = [&task.atoms, &task.statics, &problem.init];
        lists
            .iter()
            .any(|list| list.iter().any(|atom| atom.predicate == id))
    };
    let mut predicates = schema
        .parameters
        .iter()
        .flat_map(|parameter| &parameter.predicates);
    match predicates.find(|name| !may_hold(name.as_str())) {
        Some(name) => format!(": no `{name}` can ever hold"),
        None => ": no objects satisfy all of its precondition".to_owned(),
    }
}
