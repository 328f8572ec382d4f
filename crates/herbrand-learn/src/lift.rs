//! From ground changes to effects over variables.

use std::collections::BTreeMap;

use herbrand_pddl::{Atom, Fact, ObjectId, Place, Term, TypeUnion, VariableId};

use crate::Language;
use crate::choices::choices;
use crate::experience::{Change, Experience, Sign, StateId, ground};

/// A change over variables: an atom that becomes true or false.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Literal {
    pub sign: Sign,
    pub atom: Atom,
}

/// A transition by an action that was carried out, with the objects that variables stand for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'e> {
    pub state: StateId,
    pub values: &'e [ObjectId],
    pub change: &'e Change,
}

impl Row<'_> {
    /// Whether the literal's atom is, after the step, as the literal says.
    pub fn agrees(&self, experience: &Experience, literal: &Literal) -> bool {
        let arguments = ground(&literal.atom, self.values);
        let fact = Fact {
            predicate: literal.atom.predicate,
            arguments: &arguments,
        };
        let scene = experience.scene_of(self.state);
        let Some(id) = scene.find(fact) else {
            return experience.holds(self.state, fact) == (literal.sign == Sign::Add);
        };
        match literal.sign {
            Sign::Add => {
                self.change.added.binary_search(&id).is_ok()
                    || experience.holds(self.state, fact) && self.change.deleted.binary_search(&id).is_err()
            }
            Sign::Delete => {
                self.change.deleted.binary_search(&id).is_ok()
                    || !experience.holds(self.state, fact) && self.change.added.binary_search(&id).is_err()
            }
        }
    }

    /// Whether the literal tells of a change of this step.
    pub fn changes(&self, experience: &Experience, literal: &Literal) -> bool {
        let arguments = ground(&literal.atom, self.values);
        let scene = experience.scene_of(self.state);
        let id = scene.find(Fact {
            predicate: literal.atom.predicate,
            arguments: &arguments,
        });
        let among = match literal.sign {
            Sign::Add => &self.change.added,
            Sign::Delete => &self.change.deleted,
        };
        id.is_some_and(|id| among.binary_search(&id).is_ok())
    }

    /// The changes that none of these literals tells of.
    pub fn unexplained(&self, experience: &Experience, literals: &[Literal]) -> Change {
        let scene = experience.scene_of(self.state);
        let told = |sign: Sign, fact: Fact<'_>| {
            literals.iter().any(|literal| {
                literal.sign == sign
                    && literal.atom.predicate == fact.predicate
                    && ground(&literal.atom, self.values) == fact.arguments
            })
        };
        let mut rest = self.change.clone();
        rest.added.retain(|&id| !told(Sign::Add, scene.atom(id)));
        rest.deleted.retain(|&id| !told(Sign::Delete, scene.atom(id)));
        rest
    }
}

/// All ways to write an atom over variables of these types and values and over constants; earlier variables come first,
/// constants last.
pub(crate) fn liftings(
    language: &Language,
    variables: &[TypeUnion],
    values: &[ObjectId],
    fact: Fact<'_>,
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

/// The literals that tell of a change in some row, and contradict none. Deletes go before adds: where two variables stand
/// for one object, an atom that is deleted may be added again.
pub(crate) fn consistent(experience: &Experience, variables: &[TypeUnion], rows: &[Row<'_>]) -> Vec<Literal> {
    let candidates = candidates(experience, variables, rows);
    let (deletes, mut adds): (Vec<_>, Vec<_>) = candidates
        .into_iter()
        .partition(|literal| literal.sign == Sign::Delete);
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

/// The literals that tell of a change in some row, in an order that depends on the literals alone.
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

/// Of these literals, as few as it takes to tell of all changes that they tell of together, as far as greed finds them:
/// always the one that tells of most, the first on ties. The second list has the rows with a change that is still untold.
pub(crate) fn cover<'e>(
    experience: &Experience,
    literals: &[Literal],
    rows: &[Row<'e>],
) -> (Vec<Literal>, Vec<(Row<'e>, Change)>) {
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
