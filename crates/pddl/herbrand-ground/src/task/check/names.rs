//! The checks of names, atoms and actions.

use herbrand_pddl::{AtomRef, ObjectId, TypeUnion};
use petgraph::algo::toposort;
use petgraph::graph::DiGraph;

use super::{InvalidTask, ensure, ensure_below, is_ascending};
use crate::task::{GroundTask, Signature, Vocabulary};

pub(super) fn check(task: &GroundTask) -> Result<(), InvalidTask> {
    let names = &*task.vocabulary;
    vocabulary(names)?;
    for fact in task.atoms.iter().chain(task.statics.iter()) {
        atom(names, fact)?;
    }
    // A literal has 32 bits: the atom's number and a sign.
    let few = i32::try_from(task.atom_count()).is_ok();
    ensure(few, || "more than 2^31 atoms".to_owned())?;
    ensure(task.fluent_count() <= task.atom_count(), || {
        format!("{} fluents among {} atoms", task.fluents, task.atom_count())
    })?;
    let ascending = |skip, count| is_ascending(task.atoms.iter().skip(skip).take(count));
    let ordered = ascending(0, task.fluent_count()) && ascending(task.fluent_count(), usize::MAX);
    ensure(ordered, || "atoms out of order".to_owned())?;
    for numeric in &task.numerics {
        ensure_below("function", numeric.function.index(), names.functions.len())?;
        arguments(names, names.function(numeric.function), &numeric.arguments)?;
    }
    actions(task)
}

fn vocabulary(names: &Vocabulary) -> Result<(), InvalidTask> {
    let mut hierarchy = DiGraph::<(), ()>::new();
    names.types.iter().for_each(|_| _ = hierarchy.add_node(()));
    for (index, one) in (0..).zip(&names.types) {
        for parent in &one.parents {
            ensure_below("type", parent.index(), names.types.len())?;
            hierarchy.add_edge(index.into(), parent.number().into(), ());
        }
    }
    let acyclic = toposort(&hierarchy, None).is_ok();
    ensure(acyclic, || "a type is above itself".to_owned())?;
    let union = |union: &TypeUnion| {
        let mut types = union.types().iter();
        types.try_for_each(|one| ensure_below("type", one.index(), names.types.len()))
    };
    names.objects.iter().try_for_each(|object| union(&object.types))?;
    let predicates = names.predicates.iter().map(|predicate| &predicate.signature);
    let signatures = predicates.chain(&names.functions).chain(&names.schemas);
    let mut parameters = signatures.flat_map(|signature| &signature.parameters);
    parameters.try_for_each(|(_, types)| union(types))
}

fn atom(names: &Vocabulary, fact: AtomRef<'_>) -> Result<(), InvalidTask> {
    ensure_below("predicate", fact.predicate.index(), names.predicates.len())?;
    arguments(names, &names.predicate(fact.predicate).signature, fact.arguments)
}

fn arguments(names: &Vocabulary, signature: &Signature, arguments: &[ObjectId]) -> Result<(), InvalidTask> {
    let expected = signature.parameters.len();
    ensure(arguments.len() == expected, || {
        let found = arguments.len();
        format!("`{}` takes {expected} arguments, not {found}", signature.name)
    })?;
    let mut objects = arguments.iter();
    objects.try_for_each(|object| ensure_below("object", object.index(), names.objects.len()))
}

fn actions(task: &GroundTask) -> Result<(), InvalidTask> {
    let names = &*task.vocabulary;
    for action in task.actions.ids().map(|id| task.actions.get(id)) {
        ensure_below("schema", action.schema.index(), names.schemas.len())?;
        arguments(names, names.schema(action.schema), action.arguments)?;
        ensure_below(
            "condition",
            action.precondition.index(),
            task.conditions.ids().len(),
        )?;
        ensure_below("block", action.effect.index(), task.effects.len())?;
    }
    let keys = task.actions.ids().map(|id| task.actions.get(id));
    let ordered = is_ascending(keys.map(|action| (action.schema, action.arguments)));
    ensure(ordered, || "actions out of order".to_owned())
}
