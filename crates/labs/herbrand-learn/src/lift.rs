//! Lifting ground changes to effects over variables.

use std::collections::BTreeMap;

use herbrand_pddl::{Atom, AtomRef, ObjectId, Place, Term, TypeUnion, VariableId};

use crate::choices::choices;
use crate::experience::{EffectSign, Experience, StateChange, StateId, ground};
use crate::language::DomainSignature;

/// A lifted change: an atom over variables that becomes true or false.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Literal {
    pub sign: EffectSign,
    pub atom: Atom,
}

/// A transition in which the action was applied, with the objects bound to the variables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'e> {
    pub state: StateId,
    pub values: &'e [ObjectId],
    pub change: &'e StateChange,
}

impl Row<'_> {
    /// Returns whether the literal's atom has, after the step, the truth value that the literal gives it.
    pub fn agrees(&self, experience: &Experience, literal: &Literal) -> bool {
        let arguments = ground(&literal.atom, self.values);
        let fact = AtomRef {
            predicate: literal.atom.predicate,
            arguments: &arguments,
        };
        let scene = experience.scene_of(self.state);
        let Some(id) = scene.find(fact) else {
            return experience.holds(self.state, fact) == (literal.sign == EffectSign::Add);
        };
        match literal.sign {
            EffectSign::Add => {
                self.change.added.binary_search(&id).is_ok()
                    || experience.holds(self.state, fact) && self.change.deleted.binary_search(&id).is_err()
            }
            EffectSign::Delete => {
                self.change.deleted.binary_search(&id).is_ok()
                    || !experience.holds(self.state, fact) && self.change.added.binary_search(&id).is_err()
            }
        }
    }

    /// Returns whether the literal describes a change of this step.
    pub fn changes(&self, experience: &Experience, literal: &Literal) -> bool {
        let arguments = ground(&literal.atom, self.values);
        let scene = experience.scene_of(self.state);
        let id = scene.find(AtomRef {
            predicate: literal.atom.predicate,
            arguments: &arguments,
        });
        let among = match literal.sign {
            EffectSign::Add => &self.change.added,
            EffectSign::Delete => &self.change.deleted,
        };
        id.is_some_and(|id| among.binary_search(&id).is_ok())
    }

    /// Returns the changes that none of the literals describes.
    pub fn unexplained(&self, experience: &Experience, literals: &[Literal]) -> StateChange {
        let scene = experience.scene_of(self.state);
        let told = |sign: EffectSign, fact: AtomRef<'_>| {
            literals.iter().any(|literal| {
                literal.sign == sign
                    && literal.atom.predicate == fact.predicate
                    && ground(&literal.atom, self.values) == fact.arguments
            })
        };
        let mut rest = self.change.clone();
        rest.added.retain(|&id| !told(EffectSign::Add, scene.atom(id)));
        rest.deleted
            .retain(|&id| !told(EffectSign::Delete, scene.atom(id)));
        rest
    }
}

/// Returns every way to write a ground atom over the given variables and the constants. `values` are the objects bound to
/// the variables. Earlier variables come first, constants last.
pub(crate) fn liftings(
    language: &DomainSignature,
    variables: &[TypeUnion],
    values: &[ObjectId],
    fact: AtomRef<'_>,
) -> Vec<Atom> {
    let ways = |(place, &object): (usize, &ObjectId)| {
        let expected = language.expected(fact.predicate, place);
        let same = (0..values.len()).filter(|&index| values[index] == object);
        let terms = same.map(|index| Term::Variable(VariableId::from_index(index)));
        let terms = terms.chain(
            language
                .constants()
                .filter(|&constant| constant == object)
                .map(Term::Object),
        );
        let fits = |term: &Term| {
            language
                .domain()
                .is_assignable(language.types_of(variables, *term), expected)
        };
        terms.filter(fits).collect()
    };
    let ways: Vec<Vec<Term>> = fact.arguments.iter().enumerate().map(ways).collect();
    let atom = |arguments| Atom {
        predicate: fact.predicate,
        arguments,
        place: Place::default(),
    };
    choices(&ways).map(atom).collect()
}

/// Returns the literals that describe a change in at least one row and contradict no row. Deletes precede adds. If two
/// variables are bound to the same object, an add may restore an atom that a delete removes.
pub(crate) fn consistent(experience: &Experience, variables: &[TypeUnion], rows: &[Row<'_>]) -> Vec<Literal> {
    let candidates = candidates(experience, variables, rows);
    let (deletes, mut adds): (Vec<_>, Vec<_>) = candidates
        .into_iter()
        .partition(|literal| literal.sign == EffectSign::Delete);
    adds.retain(|literal| rows.iter().all(|row| row.agrees(experience, literal)));
    let added_again = |row: &Row<'_>, literal: &Literal| {
        let same = |add: &&Literal| add.atom.predicate == literal.atom.predicate;
        let atom = ground(&literal.atom, row.values);
        adds.iter()
            .filter(same)
            .any(|add| ground(&add.atom, row.values) == atom)
    };
    let fits =
        |row: &Row<'_>, literal: &Literal| row.agrees(experience, literal) || added_again(row, literal);
    let deletes = deletes
        .into_iter()
        .filter(|literal| rows.iter().all(|row| fits(row, literal)));
    let mut all: Vec<Literal> = deletes.collect();
    all.extend(adds);
    all
}

/// Returns the literals that describe a change in at least one row, sorted by sign, predicate and arguments.
pub(crate) fn candidates(experience: &Experience, variables: &[TypeUnion], rows: &[Row<'_>]) -> Vec<Literal> {
    let mut found = BTreeMap::new();
    for row in rows {
        let scene = experience.scene_of(row.state);
        for (sign, id) in row.change.iter() {
            for atom in liftings(&experience.language, variables, row.values, scene.atom(id)) {
                found.insert((sign, atom.predicate, atom.arguments.clone()), atom);
            }
        }
    }
    let literal = |((sign, _, _), atom)| Literal { sign, atom };
    found.into_iter().map(literal).collect()
}

/// Greedily selects literals until all changes that the literals can describe are described. Each round takes the literal
/// that describes a change in the most rows, the first one on ties. The second list contains the rows with undescribed
/// changes.
pub(crate) fn cover<'e>(
    experience: &Experience,
    literals: &[Literal],
    rows: &[Row<'e>],
) -> (Vec<Literal>, Vec<(Row<'e>, StateChange)>) {
    let mut chosen: Vec<Literal> = Vec::new();
    let mut open: Vec<_> = rows.iter().map(|&row| (row, row.change.clone())).collect();
    loop {
        open.retain(|(_, change)| !change.is_empty());
        let tells = |literal: &Literal| {
            let rest = open.iter().map(|(row, change)| Row { change, ..*row });
            rest.filter(|row| row.changes(experience, literal)).count()
        };
        let counts = literals.iter().map(tells);
        let best = counts.enumerate().rev().max_by_key(|&(_, count)| count);
        let Some((best, _)) = best.filter(|&(_, count)| count > 0) else {
            return (chosen, open);
        };
        chosen.push(literals[best].clone());
        for (row, change) in &mut open {
            *change = Row { change, ..*row }.unexplained(experience, &chosen[chosen.len() - 1..]);
        }
    }
}
