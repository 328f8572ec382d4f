//! The checks of a program before evaluation: arities, ranges of ids, and safety.

use crate::program::display::RuleText;
use crate::program::facts::Facts;
use crate::program::ids::{RelationId, RuleId, Symbol, Variable};
use crate::program::strata::NegativeCycle;
use crate::program::{Atom, Literal, Program, Rule, Term};

/// The reason why a program cannot be evaluated: faulty rules, or no stratification.
/// [`Evaluator::new`](crate::Evaluator::new) returns it, and [`QueriesError::Program`](crate::QueriesError::Program)
/// contains it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidProgram {
    /// All rules with a wrong arity, an id out of range, or an unsafe variable.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Rules(Vec<ProgramError>),
    /// A relation depends on its own negation, so the rules cannot be stratified.
    #[error(transparent)]
    Cycle(#[from] NegativeCycle),
}

/// A fault in one rule, with the text of the rule for the message. [`Program::check`] returns a
/// list of them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}\n  in rule `{name}`: {text}")]
pub struct ProgramError {
    /// The faulty rule.
    pub rule: RuleId,
    /// The fault.
    pub fault: ProgramFault,
    name: String,
    text: String,
}

/// A fault of a rule ([`ProgramError`]) or of an input fact ([`FactError`]): a wrong number of terms, an id out of
/// range, or an unsafe variable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramFault {
    /// An atom's relation is not declared in the program.
    #[error("relation number {} is not declared", .0.number())]
    UnknownRelation(RelationId),
    /// An atom has too few or too many terms, or a fact too few or too many symbols.
    #[error("`{relation}` has {arity} columns, not {terms}")]
    Arity {
        /// The name of the relation.
        relation: String,
        /// The number of columns of the relation.
        arity: u32,
        /// The number of terms of the atom, or of symbols of the fact.
        terms: usize,
    },
    /// A constant, or a symbol of a fact, is not a symbol of the program, `0..symbols`.
    #[error("symbol number {symbol} is out of range: the program has {symbols}")]
    UnknownSymbol {
        /// The number of the constant.
        symbol: u32,
        /// The number of symbols of the program.
        symbols: u32,
    },
    /// A variable is outside `0..rule.variables`.
    #[error("variable number {} is out of range: the rule has {variables}", .variable.number())]
    UnknownVariable {
        /// The variable.
        variable: Variable,
        /// The number of variables of the rule.
        variables: u32,
    },
    /// A variable is unsafe: it is bound neither by a positive literal nor by equalities with bound terms.
    #[error("variable `{name}` is not bound by a positive literal")]
    Unsafe {
        /// The variable.
        variable: Variable,
        /// The name of the variable.
        name: String,
    },
}

/// An input fact that does not fit the program, with its fault. [`Program::check_facts`] returns it for the first such
/// fact; evaluations and [`QueriesError::Facts`](crate::QueriesError::Facts) contain it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("input fact number {number} does not fit the program: {fault}")]
pub struct FactError {
    /// The fact's position in the order of insertion, from 0.
    pub number: usize,
    /// The fault.
    pub fault: ProgramFault,
}

impl Program {
    /// Checks every rule: that its atoms have the arity of their relations, its ids are in range, and it is *safe*,
    /// which means that each variable is bound ([`ProgramFault::Unsafe`]). Evaluators check their program themselves,
    /// so call it for early error messages.
    ///
    /// # Errors
    /// All faults of all rules, in the order of the rules. Safety is only checked for rules without other faults.
    pub fn check(&self) -> Result<(), Vec<ProgramError>> {
        let errors: Vec<ProgramError> = self
            .rule_ids()
            .zip(self.rules())
            .flat_map(|(id, rule)| faults(self, rule).into_iter().map(move |fault| (id, rule, fault)))
            .map(|(id, rule, fault)| ProgramError {
                rule: id,
                fault,
                name: rule.name.clone(),
                text: RuleText { program: self, rule }.to_string(),
            })
            .collect();
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Checks that input facts have the arity of their relations, and that their ids are in range. Evaluation does this
    /// too.
    ///
    /// # Errors
    /// The first fault.
    pub fn check_facts(&self, facts: &Facts) -> Result<(), FactError> {
        for (number, (relation, tuple)) in facts.iter().enumerate() {
            self.tuple_fault(relation, tuple)
                .map_or(Ok(()), |fault| Err(FactError { number, fault }))?;
        }
        Ok(())
    }

    fn tuple_fault(&self, relation: RelationId, tuple: &[Symbol]) -> Option<ProgramFault> {
        let unknown = |symbol: &Symbol| symbol.number() >= self.symbols();
        self.arity_fault(relation, tuple.len()).or_else(|| {
            let symbol = tuple.iter().find(|symbol| unknown(symbol))?.number();
            Some(ProgramFault::UnknownSymbol {
                symbol,
                symbols: self.symbols(),
            })
        })
    }

    fn arity_fault(&self, relation: RelationId, terms: usize) -> Option<ProgramFault> {
        match self.relations().get(relation.index()) {
            None => Some(ProgramFault::UnknownRelation(relation)),
            Some(found) if found.arity as usize != terms => Some(ProgramFault::Arity {
                relation: found.name.clone(),
                arity: found.arity,
                terms,
            }),
            Some(_) => None,
        }
    }
}

fn faults(program: &Program, rule: &Rule) -> Vec<ProgramFault> {
    let mut faults = Vec::new();
    let atoms = rule.heads.iter().chain(rule.body.iter().filter_map(literal_atom));
    faults.extend(atoms.filter_map(|atom| program.arity_fault(atom.relation, atom.terms.len())));
    for term in rule_terms(rule) {
        match term {
            Term::Constant(symbol) if symbol.number() >= program.symbols() => {
                faults.push(ProgramFault::UnknownSymbol {
                    symbol: symbol.number(),
                    symbols: program.symbols(),
                });
            }
            Term::Variable(variable) if variable.number() >= rule.variables => {
                faults.push(ProgramFault::UnknownVariable {
                    variable,
                    variables: rule.variables,
                });
            }
            _ => {}
        }
    }
    if faults.is_empty() {
        faults.extend(unbound(rule).into_iter().map(|variable| ProgramFault::Unsafe {
            variable,
            name: rule.variable_text(variable),
        }));
    }
    faults
}

fn literal_atom(literal: &Literal) -> Option<&Atom> {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
        Literal::Equal(..) | Literal::Distinct(..) => None,
    }
}

fn rule_terms(rule: &Rule) -> impl Iterator<Item = Term> {
    let body = rule.body.iter().flat_map(|literal| match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => atom.terms.clone(),
        Literal::Equal(left, right) | Literal::Distinct(left, right) => vec![*left, *right],
    });
    rule.heads.iter().flat_map(|head| head.terms.clone()).chain(body)
}

/// Returns the variables that neither a positive literal nor a chain of equalities binds.
fn unbound(rule: &Rule) -> Vec<Variable> {
    let mut bound = vec![false; rule.variables as usize];
    for variable in rule.positive().flat_map(Atom::variables) {
        bound[variable.index()] = true;
    }
    let is_bound =
        |term: Term, bound: &[bool]| term.variable().is_none_or(|variable| bound[variable.index()]);
    loop {
        let mut changed = false;
        for literal in &rule.body {
            let Literal::Equal(left, right) = *literal else {
                continue;
            };
            for (known, open) in [(left, right), (right, left)] {
                if let (true, Term::Variable(variable)) = (is_bound(known, &bound), open) {
                    changed |= !std::mem::replace(&mut bound[variable.index()], true);
                }
            }
        }
        if !changed {
            break;
        }
    }
    (0..rule.variables)
        .map(Variable::new)
        .filter(|variable| !bound[variable.index()])
        .collect()
}
