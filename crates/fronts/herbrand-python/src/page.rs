//! Domains and problems as parts of a page, for notebooks.

use herbrand_core::{Fact, FactValue, Group};
use herbrand_env::StatePicture;
use herbrand_pddl::{Domain, PredicateKind, Problem, Variable};
use herbrand_render::{Moment, Theme};
use herbrand_text::counted;

/// A problem with at most this many facts is drawn in a notebook.
const MOST_DRAWN: usize = 2_000;
/// The most characters of a text that a notebook shows.
const LONGEST_TEXT: usize = 40_000;

/// Returns the notebook view of a domain: its name, its predicates and operators with their parameters, and its text.
pub fn of_domain(domain: &Domain) -> String {
    let signature = |name: &str, parameters: &[Variable]| {
        let mut text = format!("({name}");
        for parameter in parameters {
            let types = parameter.types.types().iter();
            let types: Vec<_> = types.map(|&id| domain.type_of(id).name.as_str()).collect();
            let types = match types.as_slice() {
                ["object"] => String::new(),
                [one] => format!(" - {one}"),
                several => format!(" - (either {})", several.join(" ")),
            };
            text.push_str(&format!(" ?{}{types}", parameter.name));
        }
        escaped(&format!("{text})"))
    };
    let row = |what: &str, text: String| format!("<tr><td>{what}</td><td><code>{text}</code></td></tr>\n");
    let mut rows = String::new();
    for predicate in &domain.predicates {
        let what = match predicate.kind {
            PredicateKind::Static => "static predicate",
            PredicateKind::Fluent => "predicate",
            PredicateKind::Derived => "derived predicate",
            PredicateKind::Action => "action of the agent",
        };
        rows.push_str(&row(
            what,
            signature(predicate.name.as_str(), &predicate.parameters),
        ));
    }
    for function in &domain.functions {
        rows.push_str(&row(
            "function",
            signature(function.name.as_str(), &function.parameters),
        ));
    }
    for schema in &domain.schemas {
        rows.push_str(&row(
            "operator",
            signature(schema.name.as_str(), schema.parameters()),
        ));
    }
    format!(
        "<p><b>{}</b>, {}, {}</p>\n<table>\n{rows}</table>\n{}",
        escaped(domain.name.as_str()),
        counted(domain.predicates.len(), "predicate"),
        counted(domain.schemas.len(), "operator"),
        folded_text(&domain.to_pddl()),
    )
}

/// Returns the notebook view of a problem: its name and domain, a picture of its initial state in the general way, and its text.
pub fn of_problem(domain: &Domain, problem: &Problem) -> String {
    let show = |visit: &mut dyn FnMut(Fact<'_>)| {
        for atom in problem.init.iter() {
            let predicate = domain.predicate(atom.predicate);
            let arguments = atom.arguments.iter().map(|&id| problem.object(id).name.as_str());
            let arguments: Vec<_> = arguments.collect();
            let group = match predicate.kind {
                PredicateKind::Static => Group::Static,
                _ => Group::Fluent,
            };
            visit(Fact {
                group,
                name: predicate.name.as_str(),
                arguments: &arguments,
                value: FactValue::Bool(true),
            });
        }
    };
    let picture = if problem.init.len() <= MOST_DRAWN {
        let title = format!("{} {}", domain.name, problem.name);
        let picture = StatePicture::new(None, domain, problem.clone(), title, &show);
        let moment = picture.with_goal(Moment::of_facts(show), false);
        picture.scene_of(&moment).to_svg(Theme::Auto)
    } else {
        String::new()
    };
    format!(
        "<p><b>{}</b> of {}, {}, {}</p>\n{picture}\n{}",
        escaped(problem.name.as_str()),
        escaped(domain.name.as_str()),
        counted(problem.objects.len(), "object"),
        counted(problem.init.len(), "fact"),
        folded_text(&problem.to_pddl(domain)),
    )
}

/// Returns a text that opens with a click. A long one is cut.
fn folded_text(text: &str) -> String {
    let (shown, rest) = match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => (&text[..end], "\n…"),
        None => (text, ""),
    };
    format!(
        "<details><summary>PDDL</summary><pre>{}{rest}</pre></details>",
        escaped(shown)
    )
}

/// Returns a text as HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
