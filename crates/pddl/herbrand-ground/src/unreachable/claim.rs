//! Conjunctions that no objects satisfy, and the parts that show it.

use std::collections::BTreeSet;

use herbrand_datalog::{Facts, Literal, Model, Queries, QueriesError, Query, RuleId, Symbol, Variable};
use herbrand_limits::Budget;
use herbrand_pddl::{ObjectId, VariableId};

use crate::error::GroundError;
use crate::normal::{NormalConjunction, Scope, u32_len};
use crate::program::{Exactness, ReachabilityProgram, RuleWriter, symbol};

/// A claim with at most this many parts is also searched for pairs of parts that contradict each other.
const MOST_PAIRED: usize = 24;

/// The claim that some objects satisfy a conjunction. The objects of some variables are given.
pub(super) struct Claim {
    /// All variables that the conjunction may name.
    pub(super) scope: Scope,
    /// The variables for which objects must exist.
    pub(super) variables: Vec<VariableId>,
    /// The conditions. Its existential variables are among `variables`.
    pub(super) conjunction: NormalConjunction,
    /// The given objects, with their variables.
    pub(super) given: Vec<(VariableId, ObjectId)>,
}

/// A part of a claim: an index into one of the lists of its conjunction, or a variable that needs an object of its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Variable(VariableId),
    Literal(usize),
    Universal(usize),
    Equality(usize),
    Comparison(usize),
}

impl Claim {
    /// Creates a claim without given objects about the variables of a conjunction and some others.
    pub(super) fn new(
        scope: &Scope,
        variables: impl IntoIterator<Item = VariableId>,
        mut conjunction: NormalConjunction,
    ) -> Self {
        let mut all: Vec<_> = variables.into_iter().collect();
        for variable in std::mem::take(&mut conjunction.existentials) {
            if !all.contains(&variable) {
                all.push(variable);
            }
        }
        Self {
            scope: scope.clone(),
            variables: all,
            conjunction,
            given: Vec::new(),
        }
    }

    /// Returns the given object of a variable; `None` if the claim leaves it open.
    pub(super) fn given(&self, variable: VariableId) -> Option<ObjectId> {
        let mut given = self.given.iter();
        given.find(|(one, _)| *one == variable).map(|&(_, object)| object)
    }

    fn parts(&self) -> Vec<Part> {
        let Self {
            variables,
            conjunction,
            ..
        } = self;
        let variables = variables.iter().copied().map(Part::Variable);
        variables
            .chain((0..conjunction.literals.len()).map(Part::Literal))
            .chain((0..conjunction.equalities.len()).map(Part::Equality))
            .chain((0..conjunction.universals.len()).map(Part::Universal))
            .chain((0..conjunction.comparisons.len()).map(Part::Comparison))
            .collect()
    }

    /// Returns the conjunction of some parts, with the variables that they name.
    fn restricted(&self, parts: &[Part]) -> (Vec<VariableId>, NormalConjunction) {
        let all = &self.conjunction;
        let mut some = NormalConjunction::default();
        let mut variables = Vec::new();
        for part in parts {
            match *part {
                Part::Variable(variable) => variables.push(variable),
                Part::Literal(index) => some.literals.push(all.literals[index].clone()),
                Part::Universal(index) => some.universals.push(all.universals[index].clone()),
                Part::Equality(index) => some.equalities.push(all.equalities[index]),
                Part::Comparison(index) => some.comparisons.push(all.comparisons[index].clone()),
            }
        }
        for variable in some.free_variables() {
            if !variables.contains(&variable) {
                variables.push(variable);
            }
        }
        (variables, some)
    }
}

/// Some parts of a claim, with the query for objects that satisfy them and the objects given to it.
type Trial = (Vec<Part>, Query, Vec<Symbol>);

/// For each claim, returns parts that no objects satisfy together in any state that can be reached: a single part or a pair, if
/// there is one. `None` if some objects may satisfy the claim. The model has the first `evaluated` relations of the program; the facts
/// of the others are in the input.
pub(super) fn refute(
    claims: &[&Claim],
    evaluated: usize,
    reachability: &mut ReachabilityProgram<'_>,
    model: &Model,
    budget: &Budget,
) -> Result<Vec<Option<Vec<Part>>>, GroundError> {
    let rules: Vec<Vec<_>> = claims
        .iter()
        .map(|claim| {
            let sets = sets(&claim.parts()).into_iter();
            sets.map(|set| write(claim, set, reachability)).collect()
        })
        .collect();
    reachability.signature.meter.check()?;
    reachability.facts = Facts::new();
    reachability.add_facts();
    let program = &reachability.program;
    let mut queries = Queries::new(program, &reachability.facts).map_err(|error| match error {
        QueriesError::Program(error) => GroundError::Program(error),
        QueriesError::Facts(_) => unreachable!("the facts were written for the program"),
    })?;
    let mut needed = BTreeSet::new();
    let mut trials: Vec<Vec<Trial>> = Vec::new();
    for (claim, rules) in claims.iter().zip(rules) {
        let mut sets = Vec::new();
        for (set, variables, rule) in rules {
            let body = &program.rules()[rule.index()].body;
            needed.extend(body.iter().filter_map(|literal| match literal {
                Literal::Positive(atom) | Literal::Negative(atom) => Some(atom.relation),
                Literal::Equal(..) | Literal::Distinct(..) => None,
            }));
            let given = variables.iter().enumerate().filter_map(|(position, &variable)| {
                Some((Variable::new(u32_len(position)), symbol(claim.given(variable)?)))
            });
            let (given, symbols): (Vec<_>, Vec<_>) = given.unzip();
            let query = queries
                .prepare(rule, &given)
                .expect("the rule has these variables");
            sets.push((set, query, symbols));
        }
        trials.push(sets);
    }
    let mut meter = budget.meter("explaining what cannot happen");
    let mut database = queries.database();
    for relation in needed.into_iter().filter(|relation| relation.index() < evaluated) {
        for tuple in model.tuples(relation) {
            let before = database.bytes();
            database.insert(relation, tuple);
            if !meter.charge(database.bytes() - before) {
                break;
            }
        }
    }
    meter.check()?;
    let mut refuted = Vec::new();
    for sets in trials {
        let mut fails = |(_, query, symbols): &&Trial| !query.holds_within(&database, symbols, &mut meter);
        let whole = sets.first().filter(&mut fails);
        let smaller = whole.and_then(|whole| sets[1..].iter().find(&mut fails).or(Some(whole)));
        refuted.push(smaller.map(|(set, ..)| set.clone()));
        // A search that the budget ends finds nothing, which proves nothing.
        meter.check()?;
    }
    Ok(refuted)
}

/// Returns all parts, then each part, each pair, and each beginning of the list.
fn sets(parts: &[Part]) -> Vec<Vec<Part>> {
    let mut sets = vec![parts.to_vec()];
    sets.extend(parts.iter().map(|&part| vec![part]));
    let conditions: Vec<Part> = parts
        .iter()
        .copied()
        .filter(|part| !matches!(part, Part::Variable(_)))
        .collect();
    if conditions.len() <= MOST_PAIRED {
        for (index, &second) in conditions.iter().enumerate() {
            sets.extend(conditions[..index].iter().map(|&first| vec![first, second]));
        }
        sets.extend((3..conditions.len()).map(|length| conditions[..length].to_vec()));
    }
    sets
}

/// Writes the conjunction of some parts as a rule without a head. Returns also its variables, in the order of the rule.
fn write(
    claim: &Claim,
    set: Vec<Part>,
    reachability: &mut ReachabilityProgram<'_>,
) -> (Vec<Part>, Vec<VariableId>, RuleId) {
    let (variables, conjunction) = claim.restricted(&set);
    let ReachabilityProgram {
        program, signature, ..
    } = reachability;
    let mut rule = RuleWriter::new(signature, program, &claim.scope, variables.iter().copied());
    rule.require(&conjunction, Exactness::Relaxed);
    rule.require_types(0, &[&conjunction]);
    let rule = rule.finish("", Vec::new());
    let id = program.add_rule(rule);
    (set, variables, id)
}
