//! The vocabulary of problems in PDDL.

use herbrand_env::{AgentAction, AgentActions, Argument, EnvError, Suite};
use herbrand_pddl::{Domain, PredicateKind, TypeId, TypeUnion, Variable};
use herbrand_text::Source;

use crate::table::TextTable;
use crate::term::Syntax;
use crate::vocabulary::{Parameter, TextObject, TextSymbol, TextVocabulary};
use crate::wording::Wording;

/// The name of the file with the sentences of a domain, next to the domain.
pub(crate) const FILE: &str = "domain.text.toml";

impl TextVocabulary {
    /// Returns the names of the problem at `index` of a suite, counted from 0. The actions are those of the agent. Pass
    /// them to [`Wording::new`].
    ///
    /// # Errors
    /// Fails if there is no such problem or it is faulty.
    pub fn of_planning(suite: &Suite, index: usize) -> Result<Self, EnvError> {
        let domain = suite.domain();
        let problem = suite.parse_problem(index)?;
        let objects = problem.objects.iter().map(|object| TextObject {
            name: object.name.to_string(),
            types: all_types(domain, &object.types),
        });
        Ok(Self {
            objects: objects.collect(),
            ..Self::of_domain(domain, suite.agent_actions())
        })
    }

    /// Returns the names of a domain, without objects. The actions are those of the agent, by default the operators.
    #[must_use]
    pub fn of_domain(domain: &Domain, agent: Option<&AgentActions>) -> Self {
        let predicates = domain
            .predicates
            .iter()
            .filter(|one| one.kind != PredicateKind::Action);
        let mut facts: Vec<_> = predicates
            .map(|predicate| symbol(domain, predicate.name.as_str(), &predicate.parameters, false))
            .collect();
        for function in &domain.functions {
            if facts.iter().all(|known| known.name != function.name.as_str()) {
                facts.push(symbol(domain, function.name.as_str(), &function.parameters, true));
            }
        }
        let actions = match agent {
            Some(declared) => declared
                .actions()
                .iter()
                .map(|action| of_agent(domain, action))
                .collect(),
            None => {
                let schemas = domain.schemas.iter();
                schemas
                    .map(|schema| symbol(domain, schema.name.as_str(), schema.parameters(), false))
                    .collect()
            }
        };
        Self {
            syntax: Syntax::Pddl,
            facts,
            actions,
            objects: Vec::new(),
            types: domain.types.iter().map(|of| of.name.to_string()).collect(),
        }
    }
}

fn symbol(domain: &Domain, name: &str, parameters: &[Variable], has_value: bool) -> TextSymbol {
    let parameter = |variable: &Variable| Parameter {
        name: variable.name.as_str().trim_start_matches('?').to_owned(),
        types: names(domain, &variable.types),
    };
    TextSymbol {
        name: name.to_owned(),
        parameters: parameters.iter().map(parameter).collect(),
        has_value,
    }
}

/// Returns an agent action. The types of its parameters are those of all operators that carry it out.
fn of_agent(domain: &Domain, action: &AgentAction) -> TextSymbol {
    let parameters = action.parameters.iter().enumerate().map(|(at, name)| {
        let mut types = Vec::new();
        for carrier in &action.carriers {
            let schema = &domain.schemas[carrier.schema.index()];
            match carrier.arguments.get(at) {
                Some(Argument::Parameter(index)) => {
                    let variable = schema.parameters().get(*index as usize);
                    types.extend(
                        variable
                            .map(|variable| names(domain, &variable.types))
                            .unwrap_or_default(),
                    );
                }
                // A constant may have any type.
                _ => types.push("object".to_owned()),
            }
        }
        types.sort();
        types.dedup();
        Parameter {
            name: name.to_string(),
            types,
        }
    });
    TextSymbol {
        name: action.name.to_string(),
        parameters: parameters.collect(),
        has_value: false,
    }
}

fn names(domain: &Domain, types: &TypeUnion) -> Vec<String> {
    types
        .types()
        .iter()
        .map(|&id| domain.type_of(id).name.to_string())
        .collect()
}

/// Returns the declared types of an object, then their supertypes.
fn all_types(domain: &Domain, types: &TypeUnion) -> Vec<String> {
    let all = (0..domain.types.len()).map(TypeId::from_index);
    let above =
        all.filter(|id| !types.types().contains(id) && domain.is_assignable(types, &TypeUnion::single(*id)));
    let own = types.types().iter().copied();
    own.chain(above)
        .map(|id| domain.type_of(id).name.to_string())
        .collect()
}

impl Wording {
    /// Creates the sentences for the problem at `index` of a suite, counted from 0, with a table of sentences. Without
    /// one, a bundled domain has its own table, whose entries that do not fit the suite's actions are ignored; the
    /// sentences of any other domain come from its names.
    ///
    /// # Errors
    /// Fails if there is no such problem, if it is faulty, or if the table does not fit the domain.
    pub fn of_planning(suite: &Suite, index: usize, table: Option<&TextTable>) -> Result<Self, WordingError> {
        let vocabulary = TextVocabulary::of_planning(suite, index)?;
        if let Some(table) = table {
            return Ok(Self::new(vocabulary, Some(table))?);
        }
        let text = suite.domain_source().map(Source::text);
        // The name of a suite of a level ends in the level.
        let level = suite.name().rsplit_once('-').map(|(folder, _)| folder);
        let folders = [Some(suite.name()), level].into_iter().flatten();
        let own = folders.filter(|folder| herbrand_domains::file(&format!("{folder}/domain.pddl")) == text);
        Ok(Self::bundled(vocabulary, own))
    }

    /// Creates the sentences with the table in one of these folders of the bundled domains; without a table if there is
    /// none.
    pub(crate) fn bundled<'f>(
        vocabulary: TextVocabulary,
        mut folders: impl Iterator<Item = &'f str>,
    ) -> Self {
        let table = folders.find_map(|folder| {
            let path = format!("{folder}/{FILE}");
            TextTable::parse(&Source::new(&path, herbrand_domains::file(&path)?)).ok()
        });
        Self::with_faults(vocabulary, table.as_ref()).0
    }
}

/// The reason why a problem has no [`Wording`]. [`Wording::of_planning`] and [`Wording::of_rddl`] return it.
#[derive(Debug, thiserror::Error)]
pub enum WordingError {
    /// The problem is missing or faulty, in PDDL.
    #[error(transparent)]
    Planning(#[from] EnvError),
    /// The problem is missing or faulty, in RDDL.
    #[error(transparent)]
    Rddl(#[from] herbrand_rddl_sim::suite::RddlError),
    /// The table of sentences is faulty, or does not fit the domain.
    #[error(transparent)]
    Table(#[from] herbrand_text::Faults<crate::code::TextCode>),
}
