//! Which rules look at which relations, with a query for each way in which a fact can matter to one.

use std::collections::BTreeMap;

use crate::program::strata::components;
use crate::{Atom, Literal, Program, Queries, Query, RelationId, RuleId, Symbol, Term};

/// What views of one program share.
#[derive(Debug)]
pub(super) struct Network {
    /// By relation: the literals that read it, of rules with heads.
    pub(super) readers: Vec<Vec<Reader>>,
    /// By relation, of those that depend on themselves: the rules that derive it.
    pub(super) supports: Vec<Vec<Access>>,
    /// By relation: the component that derives it; none for input.
    pub(super) component: Vec<Option<usize>>,
    /// The derived relations in groups that depend on each other, each after what it depends on.
    pub(super) components: Vec<Component>,
}

#[derive(Debug)]
pub(super) struct Component {
    /// Whether a relation of it depends on itself.
    pub(super) recursive: bool,
}

/// A rule that is asked with the fact of one of its atoms given.
#[derive(Debug)]
pub(super) struct Access {
    pub(super) query: Query,
    terms: Vec<Term>,
}

/// A literal in the body of a rule, as seen from the relation that it reads.
#[derive(Debug)]
pub(super) struct Reader {
    pub(super) access: Access,
    pub(super) negative: bool,
    /// A head of the rule.
    pub(super) head: Atom,
    /// Whether the head is of the component of the relation that is read.
    pub(super) within: bool,
    /// The atoms of the earlier literals of the rule that read the same relation alike.
    earlier: Vec<Atom>,
}

impl Access {
    /// Puts the symbols that the query must be given for this fact into `given`; false when the fact does not fit.
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
    /// Whether an earlier literal reads this very fact: then the binding has been seen there.
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

    /// Puts what the head says under a binding into `into`.
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
    /// The network of a checked, stratified program; `queries` must be over it.
    pub(super) fn new(program: &Program, queries: &mut Queries) -> Self {
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
        let mut network = Self {
            readers: (0..relations).map(|_| Vec::new()).collect(),
            supports: (0..relations).map(|_| Vec::new()).collect(),
            component,
            components: groups,
        };
        for id in program.rule_ids() {
            network.add_rule(program, queries, id);
        }
        network
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

    /// Whether a relation's facts are given, and not derived.
    pub(super) fn is_input(&self, relation: RelationId) -> bool {
        self.component.get(relation.index()).is_some_and(Option::is_none)
    }
}

/// The rule, to be asked with the fact of `atom` given.
fn access(queries: &mut Queries, rule: RuleId, atom: &Atom) -> Option<Access> {
    let given: Vec<_> = atom.variables().collect();
    Some(Access {
        query: queries.prepare(rule, &given)?,
        terms: atom.terms.clone(),
    })
}

/// Which relations occur in a head.
fn derived(program: &Program) -> Vec<bool> {
    let mut derived = vec![false; program.relations().len()];
    let heads = program.rules().iter().flat_map(|rule| &rule.heads);
    heads.for_each(|head| derived[head.relation.index()] = true);
    derived
}
