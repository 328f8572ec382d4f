//! The relations of a program by component.

use crate::program::Program;
use crate::program::ids::RelationId;
use crate::program::strata::components;

/// The part that all views of one program share.
#[derive(Debug)]
pub(super) struct Network {
    /// For each relation, its component; `None` for an input relation.
    pub(super) component: Vec<Option<usize>>,
    /// The strongly connected components of derived relations, each after the components that it depends on.
    pub(super) components: Vec<Component>,
}

#[derive(Debug)]
pub(super) struct Component {
    /// Whether a relation of the component depends on itself.
    pub(super) recursive: bool,
}

impl Network {
    /// Builds the network of a checked and stratified program.
    pub(super) fn new(program: &Program) -> Self {
        let relations = program.relations().len();
        let (mut component, mut groups) = (vec![None; relations], Vec::new());
        let derived: Vec<bool> = derived(program);
        for group in components(program) {
            if !group.relations.iter().any(|relation| derived[relation.index()]) {
                continue;
            }
            for relation in &group.relations {
                component[relation.index()] = Some(groups.len());
            }
            groups.push(Component {
                recursive: group.recursive,
            });
        }
        Self {
            component,
            components: groups,
        }
    }

    /// Returns whether a relation is an input relation, as opposed to a derived one.
    pub(super) fn is_input(&self, relation: RelationId) -> bool {
        self.component.get(relation.index()).is_some_and(Option::is_none)
    }
}

/// Returns, for each relation, whether it occurs in a head.
fn derived(program: &Program) -> Vec<bool> {
    let mut derived = vec![false; program.relations().len()];
    let heads = program.rules().iter().flat_map(|rule| &rule.heads);
    heads.for_each(|head| derived[head.relation.index()] = true);
    derived
}
