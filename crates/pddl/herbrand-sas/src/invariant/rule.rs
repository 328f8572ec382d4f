//! The schemas of a domain as rules: conjunctive preconditions, and additions and deletions with their conditions.

use fixedbitset::FixedBitSet;
use herbrand_ground::{GroundTask, NormalBlock, NormalConjunction, NormalDomain, NormalLeaf, NormalSchema};
use herbrand_pddl::{Atom, ObjectId, PredicateId, Term, TypeUnion, VariableId};

use super::system::Pair;

/// A schema with one disjunct of its precondition.
pub(super) struct Rule {
    /// The objects that each term can be. Terms are variables of the precondition and of the changes, and constants.
    pub(super) terms: Vec<Objects>,
    /// The variables whose values a step chooses: the parameters, and the existential variables of the precondition.
    pub(super) fixed: Vec<usize>,
    /// The literals of the precondition.
    pub(super) literals: Vec<Literal>,
    pub(super) equal: Vec<Pair>,
    /// Terms that never have the same value.
    pub(super) unequal: Vec<Pair>,
    pub(super) additions: Vec<Change>,
    pub(super) deletions: Vec<Change>,
}

/// The objects that a term can be.
pub(super) enum Objects {
    Constant(ObjectId),
    Any(FixedBitSet),
}

/// A literal over terms, which are indices.
#[derive(Clone)]
pub(super) struct Literal {
    pub(super) predicate: PredicateId,
    pub(super) arguments: Vec<usize>,
    pub(super) negated: bool,
}

/// An addition or deletion of an atom under a condition, for all values of its own variables.
pub(super) struct Change {
    pub(super) atom: Literal,
    /// The variables of the effect, and the existential ones of its condition.
    pub(super) own: Vec<usize>,
    pub(super) condition: Vec<Literal>,
    pub(super) equal: Vec<Pair>,
    pub(super) unequal: Vec<Pair>,
    /// Whether the condition compares numbers.
    pub(super) compares: bool,
    /// The draws around the effect, each with the alternative.
    branch: Vec<(usize, usize)>,
    /// The same addition with other own variables, if it has any.
    pub(super) copy: Option<Box<Change>>,
}

impl Change {
    /// Returns whether the two never happen in one step: they are in different alternatives of a draw.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        let conflict = |&(draw, way): &(usize, usize)| {
            other
                .branch
                .iter()
                .any(|&(drawn, taken)| drawn == draw && taken != way)
        };
        self.branch.iter().any(conflict)
    }

    /// Returns whether this happens only in steps whose draws select the alternative of `other`.
    pub(super) fn happens_only_with(&self, other: &Self) -> bool {
        self.branch.starts_with(&other.branch)
    }
}

/// Returns the rules of a domain that add atoms.
pub(super) fn rules(normal: &NormalDomain, task: &GroundTask) -> Vec<Rule> {
    let distinct = distinct_parameters(normal, task);
    let mut rules = Vec::new();
    for (schema, distinct) in normal.schemas.iter().zip(&distinct) {
        for precondition in &schema.precondition {
            let mut writer = Writer::new(schema, task);
            let rule = writer.rule(precondition, distinct);
            if !rule.additions.is_empty() {
                rules.push(rule);
            }
        }
    }
    rules
}

/// For each schema, the pairs of parameters that have different values in every ground action.
fn distinct_parameters(normal: &NormalDomain, task: &GroundTask) -> Vec<Vec<Pair>> {
    let pairs = |schema: &NormalSchema| {
        let arity = schema.arity as usize;
        (0..arity)
            .flat_map(move |one| (one + 1..arity).map(move |other| (one, other)))
            .collect()
    };
    let mut distinct: Vec<Vec<Pair>> = normal.schemas.iter().map(pairs).collect();
    // In a determinized task, the schemas are other ones: nothing is known of the parameters.
    if task.vocabulary.schemas.len() != distinct.len() {
        return vec![Vec::new(); distinct.len()];
    }
    for (_, action) in task.actions.iter() {
        distinct[action.schema.index()]
            .retain(|&(one, other)| action.arguments[one] != action.arguments[other]);
    }
    distinct
}

/// Writes the rule of one schema and disjunct.
struct Writer<'a> {
    schema: &'a NormalSchema,
    task: &'a GroundTask,
    terms: Vec<Objects>,
    /// The term of each variable of the schema's scope that is in use.
    names: Vec<Option<usize>>,
    constants: Vec<(ObjectId, usize)>,
    draws: usize,
}

/// A conjunction over terms.
#[derive(Default)]
struct Conjunction {
    literals: Vec<Literal>,
    equal: Vec<Pair>,
    unequal: Vec<Pair>,
}

impl<'a> Writer<'a> {
    fn new(schema: &'a NormalSchema, task: &'a GroundTask) -> Self {
        Self {
            schema,
            task,
            terms: Vec::new(),
            names: vec![None; schema.scope.len()],
            constants: Vec::new(),
            draws: 0,
        }
    }

    fn rule(&mut self, precondition: &NormalConjunction, distinct: &[Pair]) -> Rule {
        let bound: Vec<_> = self
            .schema
            .parameters()
            .chain(precondition.existentials.iter().copied())
            .collect();
        let fixed = self.bind(&bound);
        let mut held = self.conjunction(precondition);
        // The parameters are the first terms.
        held.unequal.extend(distinct);
        let (mut additions, mut deletions) = (Vec::new(), Vec::new());
        let schema = self.schema;
        self.changes(&schema.effect, &[], &mut additions, &mut deletions);
        Rule {
            terms: std::mem::take(&mut self.terms),
            fixed,
            literals: held.literals,
            equal: held.equal,
            unequal: held.unequal,
            additions,
            deletions,
        }
    }

    /// Makes new terms for variables.
    fn bind(&mut self, variables: &[VariableId]) -> Vec<usize> {
        let first = self.terms.len();
        for &variable in variables {
            let objects = self.objects(&self.schema.scope[variable.index()].types);
            self.names[variable.index()] = Some(self.terms.len());
            self.terms.push(Objects::Any(objects));
        }
        (first..self.terms.len()).collect()
    }

    fn objects(&self, types: &TypeUnion) -> FixedBitSet {
        let vocabulary = &self.task.vocabulary;
        let mut objects = FixedBitSet::with_capacity(vocabulary.objects.len());
        let fits = |&index: &usize| vocabulary.fits(ObjectId::from_index(index), types);
        objects.extend((0..vocabulary.objects.len()).filter(fits));
        objects
    }

    fn term(&mut self, term: Term) -> usize {
        let object = match term {
            Term::Variable(variable) => match self.names[variable.index()] {
                Some(term) => return term,
                // A variable that nothing binds does not occur in normal form.
                None => return self.bind(&[variable])[0],
            },
            Term::Object(object) => object,
        };
        if let Some(&(_, term)) = self.constants.iter().find(|(other, _)| *other == object) {
            return term;
        }
        self.constants.push((object, self.terms.len()));
        self.terms.push(Objects::Constant(object));
        self.terms.len() - 1
    }

    fn literal(&mut self, atom: &Atom, negated: bool) -> Literal {
        Literal {
            predicate: atom.predicate,
            arguments: atom.arguments.iter().map(|&term| self.term(term)).collect(),
            negated,
        }
    }

    fn conjunction(&mut self, conjunction: &NormalConjunction) -> Conjunction {
        let mut found = Conjunction::default();
        for (atom, negated) in &conjunction.literals {
            found.literals.push(self.literal(atom, *negated));
        }
        for &(left, right, differ) in &conjunction.equalities {
            let pair = (self.term(left), self.term(right));
            if differ {
                found.unequal.push(pair);
            } else {
                found.equal.push(pair);
            }
        }
        found
    }

    /// Collects the changes of a block that happens in this branch.
    fn changes(
        &mut self,
        block: &NormalBlock,
        branch: &[(usize, usize)],
        additions: &mut Vec<Change>,
        deletions: &mut Vec<Change>,
    ) {
        for item in block {
            for leaf in &item.leaves {
                match leaf {
                    NormalLeaf::Add(atom) | NormalLeaf::Delete(atom) => {
                        for condition in &item.condition {
                            let mut change = self.change(&item.variables, condition, atom, branch);
                            if matches!(leaf, NormalLeaf::Delete(_)) {
                                deletions.push(change);
                                continue;
                            }
                            if !change.own.is_empty() {
                                let copy = self.change(&item.variables, condition, atom, branch);
                                change.copy = Some(Box::new(copy));
                            }
                            additions.push(change);
                        }
                    }
                    NormalLeaf::Assign(_) => {}
                    NormalLeaf::Draw { alternatives, .. } => {
                        self.draws += 1;
                        let draw = self.draws;
                        for (way, alternative) in alternatives.iter().enumerate() {
                            let mut inner = branch.to_vec();
                            inner.push((draw, way));
                            self.drawn(item, alternative, &inner, additions, deletions);
                        }
                    }
                }
            }
        }
    }

    /// Collects the changes of an alternative of a draw in `item`. The item's own condition is left out: it holds for all
    /// changes of the alternative or for none. If the item happens for all values of variables, the deletions are left out, too,
    /// because the draws for other values do not come with them.
    fn drawn(
        &mut self,
        item: &herbrand_ground::NormalItem,
        alternative: &NormalBlock,
        branch: &[(usize, usize)],
        additions: &mut Vec<Change>,
        deletions: &mut Vec<Change>,
    ) {
        let own = self.bind(&item.variables);
        let (mut added, mut deleted) = (Vec::new(), Vec::new());
        self.changes(alternative, branch, &mut added, &mut deleted);
        if own.is_empty() {
            additions.append(&mut added);
            deletions.append(&mut deleted);
            return;
        }
        // Each binding has a draw of its own: alternatives for different bindings may happen together.
        let other = self.bind(&item.variables);
        let mut copies = Vec::new();
        self.changes(alternative, branch, &mut copies, &mut deleted);
        for (addition, copy) in added.iter_mut().zip(copies) {
            addition.copy = Some(Box::new(Change { copy: None, ..copy }.of_any_branch(&other)));
        }
        additions.extend(added.into_iter().map(|addition| addition.of_any_branch(&own)));
    }

    fn change(
        &mut self,
        variables: &[VariableId],
        condition: &NormalConjunction,
        atom: &Atom,
        branch: &[(usize, usize)],
    ) -> Change {
        let bound: Vec<_> = variables.iter().chain(&condition.existentials).copied().collect();
        let own = self.bind(&bound);
        let held = self.conjunction(condition);
        Change {
            atom: self.literal(atom, false),
            own,
            condition: held.literals,
            equal: held.equal,
            unequal: held.unequal,
            compares: !condition.comparisons.is_empty(),
            branch: branch.to_vec(),
            copy: None,
        }
    }
}

impl Change {
    /// Returns the same change in any alternative of draws, for all values of more variables.
    fn of_any_branch(mut self, own: &[usize]) -> Self {
        self.branch.clear();
        self.own.extend(own);
        self
    }
}
