//! The symbols that can occur in each column of each relation, and the possible values of each variable of a rule.

use fixedbitset::FixedBitSet;
use std::collections::VecDeque;

use crate::plan::body::Body;
use crate::program::facts::Facts;
use crate::program::ids::{RelationId, RuleId, Variable};
use crate::program::{Program, Rule, Term};
use crate::store::domain::{DomainId, Domains};

/// For each column of each relation, a superset of the symbols that ever occur there.
///
/// These are the least sets that contain the input's symbols and are closed under every rule, column by column. The set of a
/// variable is the intersection of its body columns. The column of a head includes the set of its term. The sets are sound,
/// because ignoring which symbols occur together only enlarges them. Computing them takes a few passes over the rules.
pub(crate) struct Columns {
    sets: Vec<Vec<FixedBitSet>>,
}

impl Columns {
    /// Returns the bytes of the sets of a program.
    pub(crate) fn bytes(program: &Program) -> u64 {
        let columns: u64 = program
            .relations()
            .iter()
            .map(|relation| u64::from(relation.arity))
            .sum();
        columns * u64::from(program.symbols() / 8 + 48)
    }

    /// Returns the sets of all columns.
    pub(crate) fn sets(&self) -> impl Iterator<Item = &FixedBitSet> {
        self.sets.iter().flatten()
    }

    /// Returns the sets of the input only. The input may consist of several lists.
    pub(crate) fn of_input(program: &Program, facts: &[&Facts]) -> Self {
        let empty = || FixedBitSet::with_capacity(program.symbols() as usize);
        let columns = |arity: u32| (0..arity).map(|_| empty()).collect();
        let mut sets: Vec<Vec<FixedBitSet>> = program.relations().iter().map(|r| columns(r.arity)).collect();
        for (relation, tuple) in facts.iter().flat_map(|facts| facts.iter()) {
            for (set, symbol) in sets[relation.index()].iter_mut().zip(tuple) {
                set.insert(symbol.index());
            }
        }
        Self { sets }
    }

    /// Puts all symbols into every column of each relation that is not static.
    pub(crate) fn open(mut self, program: &Program) -> Self {
        for relation in program
            .relation_ids()
            .filter(|relation| !program.is_static(*relation))
        {
            self.sets[relation.index()]
                .iter_mut()
                .for_each(|set| set.insert_range(..));
        }
        self
    }

    /// Returns the number of symbols in each column of each relation.
    pub(crate) fn sizes(&self) -> Vec<Vec<usize>> {
        let sizes = |columns: &Vec<FixedBitSet>| columns.iter().map(|set| set.count_ones(..)).collect();
        self.sets.iter().map(sizes).collect()
    }

    /// Closes the sets under the rules.
    pub(crate) fn close(mut self, program: &Program, bodies: &[Body]) -> Self {
        let readers = readers(program, bodies);
        let mut queue: VecDeque<RuleId> = program.rule_ids().collect();
        let mut waiting = vec![true; queue.len()];
        while let Some(rule) = queue.pop_front() {
            waiting[rule.index()] = false;
            for relation in self.apply(&program.rules()[rule.index()], &bodies[rule.index()]) {
                for &reader in &readers[relation.index()] {
                    if !std::mem::replace(&mut waiting[reader.index()], true) {
                        queue.push_back(reader);
                    }
                }
            }
        }
        self
    }

    /// Adds the symbols that one rule derives; returns the relations whose sets grew.
    fn apply(&mut self, rule: &Rule, body: &Body) -> Vec<RelationId> {
        let Some(variables) = self.variables(body) else {
            return Vec::new();
        };
        let mut grown = Vec::new();
        for head in &rule.heads {
            for (set, term) in self.sets[head.relation.index()].iter_mut().zip(&head.terms) {
                let before = set.count_ones(..);
                match body.resolve(*term) {
                    Term::Constant(symbol) => set.insert(symbol.index()),
                    Term::Variable(variable) => set.union_with(&variables[variable.index()]),
                }
                if set.count_ones(..) > before {
                    grown.push(head.relation);
                }
            }
        }
        grown
    }

    /// Returns the possible symbols of each variable of a body; `None` if the body cannot hold.
    pub(crate) fn variables(&self, body: &Body) -> Option<Vec<FixedBitSet>> {
        let mut sets: Vec<Option<FixedBitSet>> = vec![None; body.variables()];
        for atom in body.possible.then_some(&body.atoms)? {
            for (column, term) in self.sets[atom.relation.index()].iter().zip(&atom.terms) {
                match *term {
                    Term::Constant(symbol) => column.contains(symbol.index()).then_some(())?,
                    Term::Variable(variable) => match &mut sets[variable.index()] {
                        Some(set) => set.intersect_with(column),
                        place => *place = Some(column.clone()),
                    },
                }
            }
        }
        // A variable that occurs in no atom equals a constant or a variable that occurs in one.
        let known: Vec<FixedBitSet> = sets.into_iter().map(Option::unwrap_or_default).collect();
        let empty = |variable: Variable| known[variable.index()].is_clear();
        let impossible = body.atoms.iter().flat_map(|atom| atom.variables()).any(empty);
        (!impossible).then_some(known)
    }

    /// Returns the domain ids of the variables that represent themselves; `None` if the body cannot hold.
    pub(crate) fn domains(&self, domains: &mut Domains, body: &Body) -> Option<VariableDomains> {
        let sets = self.variables(body)?;
        let mut found = vec![None; sets.len()];
        for variable in body.own_variables() {
            found[variable.index()] = Some(domains.intern(sets[variable.index()].clone()));
        }
        Some(found)
    }

    /// Returns the set of a column.
    pub(crate) fn get(&self, relation: RelationId, column: usize) -> &FixedBitSet {
        &self.sets[relation.index()][column]
    }
}

/// For each variable that represents itself, its domain.
pub(crate) type VariableDomains = Vec<Option<DomainId>>;

/// Returns, for each relation, the rules that read it in a positive literal.
fn readers(program: &Program, bodies: &[Body]) -> Vec<Vec<RuleId>> {
    let mut readers = vec![Vec::new(); program.relations().len()];
    for (rule, body) in program.rule_ids().zip(bodies) {
        body.atoms
            .iter()
            .for_each(|atom| readers[atom.relation.index()].push(rule));
    }
    readers
}
