//! Programs: the rules of one stratum, evaluated by one `ascent!` invocation.

use std::collections::BTreeSet;

use herbrand_datalog::{self as datalog, Literal, NegativeCycle, RelationId, Stratification};

use crate::rule::{Role, Rule};
use crate::vocabulary::Vocabulary;

/// The rules of one stratum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Program {
    /// The name of the program's type.
    pub(crate) name: String,
    /// A description of the derived facts.
    pub(crate) sentence: String,
    pub(crate) rules: Vec<Rule>,
    /// The relations that the rules read or derive.
    pub(crate) relations: BTreeSet<RelationId>,
    /// The relations that the rules derive.
    pub(crate) derived: BTreeSet<RelationId>,
}

impl Program {
    pub(crate) fn new(name: String, sentence: String, rules: Vec<Rule>) -> Self {
        let derived: BTreeSet<_> = rules.iter().map(|rule| rule.head.relation).collect();
        let read = rules.iter().flat_map(Rule::reads).map(|(relation, _)| relation);
        let relations = read.chain(derived.iter().copied()).collect();
        Self {
            name,
            sentence,
            rules,
            relations,
            derived,
        }
    }
}

/// Selects the rules that the relations in `asked` depend on.
///
/// This is sound, because a fact depends only on the rules of its relation and, transitively, on those of the relations they
/// read.
pub(crate) fn needed(rules: Vec<Rule>, mut asked: BTreeSet<RelationId>) -> Vec<Rule> {
    loop {
        let known = asked.len();
        for rule in &rules {
            if asked.contains(&rule.head.relation) {
                asked.extend(rule.reads().map(|(relation, _)| relation));
            }
        }
        if asked.len() == known {
            return rules
                .into_iter()
                .filter(|rule| asked.contains(&rule.head.relation))
                .collect();
        }
    }
}

/// Returns one program per stratum, lowest stratum first.
///
/// # Errors
/// Fails if a relation depends on its own negation, which does not happen in checked domains.
pub(crate) fn stratify(
    vocabulary: &Vocabulary<'_>,
    name: &str,
    sentence: &str,
    rules: Vec<Rule>,
) -> Result<Vec<Program>, NegativeCycle> {
    let stratification = Stratification::of(&as_datalog(vocabulary, &rules))?;
    let mut strata: Vec<Vec<Rule>> = vec![Vec::new(); stratification.strata().len()];
    for rule in rules {
        strata[stratification.stratum(rule.head.relation)].push(rule);
    }
    strata.retain(|rules| !rules.is_empty());
    let several = strata.len() > 1;
    let program = |(index, rules): (usize, Vec<Rule>)| {
        let (number, of) = (
            index + 1,
            if several {
                format!(", stratum {}", index + 1)
            } else {
                String::new()
            },
        );
        Program::new(format!("{name}{number}"), format!("{sentence}{of}"), rules)
    };
    Ok(strata.into_iter().enumerate().map(program).collect())
}

/// Returns the dependencies between relations as rules without terms. A [`Role::Known`] relation is evaluated after its
/// predicate.
fn as_datalog(vocabulary: &Vocabulary<'_>, rules: &[Rule]) -> datalog::Program {
    let mut program = datalog::Program::new();
    for relation in &vocabulary.relations {
        program.relation(relation.name.clone(), 0);
    }
    let atom = |relation| datalog::Atom {
        relation,
        terms: Vec::new(),
    };
    for rule in rules {
        let literal = |(relation, negative): (RelationId, bool)| match vocabulary.get(relation).role {
            Role::Known(predicate) => Literal::Negative(atom(vocabulary.predicates[predicate.index()])),
            _ if negative => Literal::Negative(atom(relation)),
            _ => Literal::Positive(atom(relation)),
        };
        program.add_rule(datalog::Rule {
            name: vocabulary.get(rule.head.relation).name.clone(),
            heads: vec![atom(rule.head.relation)],
            body: rule.reads().map(literal).collect(),
            variables: 0,
            variable_names: Vec::new(),
        });
    }
    program
}

/// Returns the relations in results: actions, and the atoms of all declared predicates.
pub(crate) fn outputs(vocabulary: &Vocabulary<'_>) -> BTreeSet<RelationId> {
    let asked = |id: &RelationId| {
        matches!(
            vocabulary.get(*id).role,
            Role::Given(_) | Role::Derived(_) | Role::Action(_)
        )
    };
    vocabulary.ids().filter(asked).collect()
}
