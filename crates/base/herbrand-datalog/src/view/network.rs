//! The dependencies between relations and rules, with a query for each literal that a fact can match.

use std::collections::BTreeMap;

use crate::eval::query::{Queries, Query};
use crate::program::ids::{RelationId, RuleId, Symbol};
use crate::program::strata::components;
use crate::program::{Atom, Literal, Program, Term};

/// The part that all views of one program share.
#[derive(Debug)]
pub(super) struct Network {
    /// For each relation, the literals that read it, in rules with heads.
    pub(super) readers: Vec<Vec<Reader>>,
    /// For each recursive relation, the rules that derive it.
    pub(super) supports: Vec<Vec<Access>>,
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

/// A query for the body of a rule in which the variables of one atom are given by a fact.
#[derive(Debug)]
pub(super) struct Access {
    pub(super) query: Query,
    terms: Vec<Term>,
}

/// A literal in the body of a rule, and a head that the rule derives.
#[derive(Debug)]
pub(super) struct Reader {
    pub(super) access: Access,
    pub(super) negative: bool,
    /// The head.
    pub(super) head: Atom,
    /// Whether the head belongs to the component of the literal's relation.
    pub(super) within: bool,
    /// The atoms of earlier literals of the rule with the same relation and sign.
    earlier: Vec<Atom>,
}

impl Access {
    /// Writes the symbols of this fact that the query needs into `given`; returns `false` if the fact does not match the
    /// atom.
    #[inline]
    pub(super) fn read(&self, tuple: &[Symbol], given: &mut Vec<Symbol>) -> bool {
        given.clear();
        for (term, symbol) in self.terms.iter().zip(tuple) {
            match term {
                Term::Variable(_) => given.push(*symbol),
                Term::Constant(constant) if constant == symbol => {}
                Term::Constant(_) => return false,
            }
        }
        true
    }
}

impl Reader {
    /// Returns whether an earlier literal matches the same fact under this binding. The binding was then already found
    /// there.
    #[inline]
    pub(super) fn is_repeated(&self, tuple: &[Symbol], binding: &[Symbol]) -> bool {
        let same = |atom: &Atom| {
            atom.terms
                .iter()
                .zip(tuple)
                .all(|(term, s)| value(*term, binding) == *s)
        };
        self.earlier.iter().any(same)
    }

    /// Writes the head's tuple under a binding into `into`.
    #[inline]
    pub(super) fn conclude(&self, binding: &[Symbol], into: &mut Vec<Symbol>) {
        into.clear();
        into.extend(self.head.terms.iter().map(|term| value(*term, binding)));
    }
}

fn value(term: Term, binding: &[Symbol]) -> Symbol {
    match term {
        Term::Variable(variable) => binding[variable.index()],
        Term::Constant(symbol) => symbol,
    }
}

impl Network {
    /// Builds the network of a checked and stratified program, without queries.
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
            readers: (0..relations).map(|_| Vec::new()).collect(),
            supports: (0..relations).map(|_| Vec::new()).collect(),
            component,
            components: groups,
        }
    }

    /// Prepares the queries of all rules. `queries` must be over the same program.
    pub(super) fn prepare(&mut self, program: &Program, queries: &mut Queries) {
        for id in program.rule_ids() {
            self.add_rule(program, queries, id);
        }
    }

    fn add_rule(&mut self, program: &Program, queries: &mut Queries, id: RuleId) {
        let rule = &program.rules()[id.index()];
        for head in &rule.heads {
            let component = self.component[head.relation.index()];
            if component.is_some_and(|component| self.components[component].recursive) {
                self.supports[head.relation.index()].extend(access(queries, id, head));
            }
            let mut seen: BTreeMap<(RelationId, bool), Vec<Atom>> = BTreeMap::new();
            for literal in &rule.body {
                let (atom, negative) = match literal {
                    Literal::Positive(atom) => (atom, false),
                    Literal::Negative(atom) => (atom, true),
                    Literal::Equal(..) | Literal::Distinct(..) => continue,
                };
                if program.is_static(atom.relation) {
                    continue;
                }
                let earlier = seen.entry((atom.relation, negative)).or_default();
                let reader = access(queries, id, atom).map(|access| Reader {
                    access,
                    negative,
                    head: head.clone(),
                    within: self.component[atom.relation.index()] == component,
                    earlier: earlier.clone(),
                });
                earlier.push(atom.clone());
                self.readers[atom.relation.index()].extend(reader);
            }
        }
    }

    /// Returns whether a relation is an input relation, as opposed to a derived one.
    pub(super) fn is_input(&self, relation: RelationId) -> bool {
        self.component.get(relation.index()).is_some_and(Option::is_none)
    }
}

/// Prepares the query of a rule in which the variables of `atom` are given.
fn access(queries: &mut Queries, rule: RuleId, atom: &Atom) -> Option<Access> {
    let given: Vec<_> = atom.variables().collect();
    Some(Access {
        query: queries.prepare(rule, &given)?,
        terms: atom.terms.clone(),
    })
}

/// Returns, for each relation, whether it occurs in a head.
fn derived(program: &Program) -> Vec<bool> {
    let mut derived = vec![false; program.relations().len()];
    let heads = program.rules().iter().flat_map(|rule| &rule.heads);
    heads.for_each(|head| derived[head.relation.index()] = true);
    derived
}
