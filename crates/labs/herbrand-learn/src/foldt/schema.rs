//! Writing the leaves of a tree as action schemas.
//!
//! A test that succeeds becomes a condition, and a failed test a negated condition. Fresh variables of a test are quantified
//! existentially. A variable that a test binds to one value becomes an additional parameter of the schema if an effect or
//! another test reads it. For example, a tree over `move(dir)` whose leaves read the player's position gives a schema like
//! that of the true domain.

use std::collections::BTreeSet;

use herbrand_pddl::{
    ActionSchema, Atom, Effect, Formula, Name, Place, Term, TypeUnion, Variable, VariableId,
};

use super::effects::{Branch, Rule};
use crate::language::{ActionSignature, DomainSignature};
use crate::lift::Literal;
use crate::model::{conjunction, effects, literal_effect, negate_unless, variable};
use crate::outcomes::{Outcome, chance_effect};
use crate::query::{Condition, Path, Role, Test};

/// Returns the schema of a branch.
pub(crate) fn of_branch(
    language: &DomainSignature,
    signature: &ActionSignature,
    branch: &Branch,
) -> ActionSchema {
    let path = &branch.leaf.path;
    let read = branch
        .rules
        .iter()
        .flat_map(|rule| reads(rule, path.variables.len()));
    let mut writer = Writer::new(language, signature, path, read.collect());
    let precondition = writer.precondition(path);
    let parts = branch
        .rules
        .iter()
        .map(|rule| writer.rule(path.variables.len(), rule))
        .collect();
    writer.schema(signature, precondition, effects(parts))
}

/// Returns the schema of a leaf with probabilistic outcomes.
pub(crate) fn of_outcomes(
    language: &DomainSignature,
    signature: &ActionSignature,
    path: &Path,
    outcomes: &[Outcome],
) -> ActionSchema {
    let literals = outcomes.iter().flat_map(|outcome| &outcome.literals);
    let read = literals
        .flat_map(|literal| atom_variables(&literal.atom))
        .collect();
    let mut writer = Writer::new(language, signature, path, read);
    let precondition = writer.precondition(path);
    let outcomes: Vec<Outcome> = outcomes
        .iter()
        .map(|outcome| Outcome {
            literals: outcome
                .literals
                .iter()
                .map(|literal| writer.literal(literal))
                .collect(),
            weight: outcome.weight,
        })
        .collect();
    writer.schema(signature, precondition, chance_effect(&outcomes))
}

/// Returns the variables of a leaf that a rule reads.
fn reads(rule: &Rule, leaf: usize) -> Vec<usize> {
    let conditions = rule.path.conditions.iter();
    let tests = conditions.flat_map(|condition| condition.test.variables());
    tests
        .chain(atom_variables(&rule.literal.atom))
        .filter(|&index| index < leaf)
        .collect()
}

fn atom_variables(atom: &Atom) -> impl Iterator<Item = usize> + '_ {
    atom.arguments.iter().filter_map(|term| match term {
        Term::Variable(variable) => Some(variable.index()),
        Term::Object(_) => None,
    })
}

/// The conditions of a path to write, each with the index of its first fresh variable, and the variables that they bind.
struct Plan<'p> {
    conditions: Vec<(&'p Condition, usize)>,
    bound: BTreeSet<usize>,
}

/// Selects the conditions of a path to write if the variables in `needed` are read: all splitting tests, and the bindings
/// that the tests or the reader use. The root of the path has `first` variables.
fn plan(path: &Path, first: usize, mut needed: BTreeSet<usize>) -> Plan<'_> {
    let mut next = first;
    let mut starts = Vec::new();
    for condition in &path.conditions {
        starts.push(next);
        if condition.role != Role::Splits {
            next += condition.test.fresh().len();
        }
    }
    let mut conditions = Vec::new();
    for (condition, start) in path.conditions.iter().zip(starts).rev() {
        let own = start..start + condition.test.fresh().len();
        let binds = condition.role != Role::Splits && own.clone().any(|index| needed.contains(&index));
        if condition.role == Role::Binds && !binds {
            continue;
        }
        if binds {
            needed.extend(own.clone());
        }
        needed.extend(condition.test.variables().filter(|index| *index < start));
        conditions.push((condition, start));
    }
    conditions.reverse();
    let bound = needed
        .into_iter()
        .filter(|&index| (first..next).contains(&index))
        .collect();
    Plan { conditions, bound }
}

struct Writer<'l> {
    language: &'l DomainSignature,
    /// The variables of the schema.
    variables: Vec<Variable>,
    arity: usize,
    /// For each variable of the leaf, the variable of the schema.
    meaning: Vec<Option<VariableId>>,
    root: usize,
    needed: BTreeSet<usize>,
}

impl<'l> Writer<'l> {
    /// Creates a writer for a leaf. `read` contains the variables that its effects read.
    fn new(
        language: &'l DomainSignature,
        signature: &ActionSignature,
        path: &Path,
        read: BTreeSet<usize>,
    ) -> Self {
        let root = signature.parameters.len();
        let mut writer = Self {
            language,
            variables: signature
                .parameters
                .iter()
                .map(|(name, types)| variable(name, types))
                .collect(),
            arity: root,
            meaning: vec![None; path.variables.len()],
            root,
            needed: read,
        };
        for index in 0..root {
            writer.meaning[index] = Some(VariableId::from_index(index));
        }
        for index in plan(path, root, writer.needed.clone()).bound {
            writer.meaning[index] = Some(writer.declare(&path.variables[index]));
        }
        writer.arity = writer.variables.len();
        writer
    }

    /// Adds a variable to the schema.
    fn declare(&mut self, types: &TypeUnion) -> VariableId {
        let kind = types
            .types()
            .first()
            .map_or("object", |&id| self.language.domain().type_of(id).name.as_str());
        let fresh = (1..)
            .map(|number| Name::new(&format!("{kind}{number}")))
            .find(|name| self.variables.iter().all(|variable| variable.name != *name));
        let name = fresh.unwrap_or_else(|| Name::new(kind));
        self.variables.push(variable(&name, types));
        VariableId::from_index(self.variables.len() - 1)
    }

    fn precondition(&mut self, path: &Path) -> Formula {
        let plan = plan(path, self.root, self.needed.clone());
        let meaning = self.meaning.clone();
        conjunction(self.conditions(&plan, &meaning))
    }

    /// Returns the conditions of a plan as formulas. `meaning` maps its variables to those of the schema.
    fn conditions(&mut self, plan: &Plan<'_>, meaning: &[Option<VariableId>]) -> Vec<Formula> {
        let mut formulas: Vec<Formula> = Vec::new();
        for &(condition, start) in &plan.conditions {
            formulas.extend(self.condition(condition, start, plan, meaning));
        }
        formulas
    }

    fn condition(
        &mut self,
        condition: &Condition,
        start: usize,
        plan: &Plan<'_>,
        meaning: &[Option<VariableId>],
    ) -> Vec<Formula> {
        let (fresh, atoms) = match &condition.test {
            Test::Equal(one, other) => {
                let equal = Formula::Equal(rename(*one, meaning), rename(*other, meaning));
                return vec![negate_unless(equal, condition.holds)];
            }
            Test::Exists { fresh, atoms } => (fresh, atoms),
        };
        let bound =
            condition.role != Role::Splits && (start..start + fresh.len()).any(|v| plan.bound.contains(&v));
        if bound {
            return atoms
                .iter()
                .map(|atom| Formula::Atom(rename_atom(atom, meaning)))
                .collect();
        }
        let mut wider = meaning[..start].to_vec();
        let own: Vec<VariableId> = fresh.iter().map(|types| self.declare(types)).collect();
        wider.extend(own.iter().copied().map(Some));
        let body = atoms
            .iter()
            .map(|atom| Formula::Atom(rename_atom(atom, &wider)))
            .collect();
        let body = conjunction(body);
        let formula = if own.is_empty() {
            body
        } else {
            Formula::Exists(own, Box::new(body))
        };
        vec![negate_unless(formula, condition.holds)]
    }

    /// Returns a rule as an effect.
    fn rule(&mut self, leaf: usize, rule: &Rule) -> Effect {
        let root = leaf + rule.targets;
        let plan = plan(&rule.path, root, BTreeSet::new());
        let mut meaning = self.meaning.clone();
        let targets: Vec<VariableId> = (leaf..root)
            .map(|index| self.declare(&rule.path.variables[index]))
            .collect();
        meaning.extend(targets.iter().copied().map(Some));
        meaning.resize(rule.path.variables.len(), None);
        let mut exists = Vec::new();
        for &index in &plan.bound {
            let own = self.declare(&rule.path.variables[index]);
            meaning[index] = Some(own);
            exists.push(own);
        }
        let mut condition = conjunction(self.conditions(&plan, &meaning));
        if !exists.is_empty() {
            condition = Formula::Exists(exists, Box::new(condition));
        }
        let mut effect = literal_effect(&Literal {
            sign: rule.literal.sign,
            atom: rename_atom(&rule.literal.atom, &meaning),
        });
        if condition != Formula::TRUE {
            effect = Effect::When(condition, Box::new(effect));
        }
        if targets.is_empty() {
            effect
        } else {
            Effect::Forall(targets, Box::new(effect))
        }
    }

    fn literal(&self, literal: &Literal) -> Literal {
        Literal {
            sign: literal.sign,
            atom: rename_atom(&literal.atom, &self.meaning),
        }
    }

    fn schema(self, signature: &ActionSignature, precondition: Formula, effect: Effect) -> ActionSchema {
        ActionSchema {
            name: signature.name.clone(),
            arity: self.arity as u32,
            variables: self.variables,
            precondition,
            effect,
            agent: None,
            place: Place::default(),
        }
    }
}

/// Replaces a variable by that of the schema. Every variable that a written condition or effect reads has one.
fn rename(term: Term, meaning: &[Option<VariableId>]) -> Term {
    match term {
        Term::Variable(variable) => Term::Variable(meaning[variable.index()].unwrap_or(variable)),
        Term::Object(constant) => Term::Object(constant),
    }
}

fn rename_atom(atom: &Atom, meaning: &[Option<VariableId>]) -> Atom {
    Atom {
        predicate: atom.predicate,
        arguments: atom.arguments.iter().map(|&term| rename(term, meaning)).collect(),
        place: Place::default(),
    }
}
