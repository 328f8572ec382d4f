//! Texts made for the engine: a problem that begins with its goal, and the plan beside a problem.

use herbrand_assist::{Language, TextFile};
use herbrand_pddl::{AtomList, AtomRef, Domain, Faults, Formula, ObjectId, PredicateKind, Problem, Term};
use herbrand_play::{Reason, Refusal, Texts};

/// Returns the text of a problem whose initial state has the atoms of the goal in place of all atoms that can change.
pub(crate) fn goal_first(texts: &Texts) -> Result<String, Refusal> {
    if Language::of(&texts.domain) == Language::Rddl {
        return Err(Refusal::new(Reason::Unknown, "RDDL has no goals"));
    }
    let faulty = |faults: Faults| Refusal::new(Reason::Texts, faults);
    let domain = Domain::from_text(&texts.domain).map_err(faulty)?;
    let mut problem = Problem::from_text(&texts.problem, &domain).map_err(faulty)?;
    let mut state = AtomList::default();
    let is_static = |atom: &AtomRef<'_>| domain.predicate(atom.predicate).kind == PredicateKind::Static;
    for atom in problem.init.iter().filter(is_static) {
        state.push(atom.predicate, atom.arguments);
    }
    let parts = match &problem.goal {
        Formula::And(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    for part in parts {
        let Formula::Atom(atom) = part else {
            let message = "the goal is not a list of atoms, so it is not one state";
            return Err(Refusal::new(Reason::Unknown, message));
        };
        let arguments: Option<Vec<ObjectId>> = atom
            .arguments
            .iter()
            .map(|term| match term {
                Term::Object(id) => Some(*id),
                Term::Variable(_) => None,
            })
            .collect();
        let kind = domain.predicate(atom.predicate).kind;
        if let (Some(arguments), PredicateKind::Fluent) = (arguments, kind) {
            state.push(atom.predicate, &arguments);
        }
    }
    problem.init = state;
    problem.chances.clear();
    Ok(problem.to_pddl(&domain))
}

/// Returns the text of the plan beside a problem: `p01.plan` or `p01.pddl.plan` beside `p01.pddl`, or `plan.txt`.
pub(crate) fn plan_beside(file: &TextFile) -> Result<String, Refusal> {
    let path = file.path.as_deref().ok_or_else(|| {
        let message = "save the problem first: the plan is a file beside it";
        Refusal::new(Reason::Request, message)
    })?;
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let candidates = [
        path.with_extension("plan"),
        path.with_file_name(format!("{name}.plan")),
        path.with_file_name("plan.txt"),
    ];
    candidates
        .iter()
        .find_map(|path| std::fs::read_to_string(path).ok())
        .ok_or_else(|| {
            let names: Vec<_> = candidates.iter().map(|path| path.display().to_string()).collect();
            let names = names.join(", ");
            let message = format!("there is no plan beside the problem: none of {names}");
            Refusal::new(Reason::Unknown, message)
        })
}
