//! Problems, facts and actions as a question words them.

use std::fmt::Write as _;

use herbrand_env::{ActionMode, AgentActions, Config, ConfigError, Suite};
use herbrand_pddl::{
    ActionSchema, Atom, Domain, Effect, Formula, Place, Problem, Source, Term, Variable, VariableId,
};
use herbrand_verbalize::{TextTable, TextVocabulary, Wording};

use crate::error::ExamError;

/// How problems, facts and actions are written. An option of [`ExamOptions`](crate::ExamOptions); the default is
/// [`Text`](Self::Text).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// As sentences.
    #[default]
    Text,
    /// In PDDL.
    Pddl,
}

/// The words for one problem and its domain.
pub(crate) struct Phrases<'p> {
    domain: &'p Domain,
    problem: &'p Problem,
    wording: Wording,
    style: Style,
}

/// Returns the file `name` of a bundled domain, or of the domain of its levels, whose names end in the level.
pub(crate) fn bundled_file(domain: &str, name: &str) -> Option<Source> {
    let level = domain.rsplit_once('-').map(|(folder, _)| folder);
    let mut folders = [Some(domain), level].into_iter().flatten();
    folders.find_map(|folder| {
        let path = format!("{folder}/{name}");
        herbrand_domains::file(&path).map(|text| Source::new(&path, text))
    })
}

/// Returns the sentences of a problem, by the table `sentences`, or else by that of the bundled domain. A domain with
/// invented names has no sentences of its own. Entries of the table for other actions are ignored: the agent's.
pub(crate) fn wording(
    name: &str,
    sentences: &str,
    is_obfuscated: bool,
    domain: &Domain,
    problem: &Problem,
) -> Result<Wording, ExamError> {
    let faulty = |error: &dyn std::fmt::Display| ExamError::Problem {
        problem: name.to_owned(),
        reason: error.to_string(),
    };
    let suite = Suite::from_problems(domain.clone(), [problem.clone()], ActionMode::Operators)
        .map_err(|error| faulty(&error))?;
    let vocabulary = TextVocabulary::of_planning(&suite, 0).map_err(|error| faulty(&error))?;
    let source = match sentences {
        _ if is_obfuscated => None,
        "" => bundled_file(name, SENTENCES),
        text => Some(Source::new(SENTENCES, text)),
    };
    let table = source.map(|source| TextTable::parse(&source)).transpose()?;
    Ok(Wording::fitting(vocabulary, table.as_ref()))
}

/// Checks that a table of sentences fits a domain, whose actions are those of its settings or its operators.
pub(crate) fn check_sentences(
    domain: &Domain,
    table: &Source,
    settings: Option<&Source>,
) -> Result<(), ExamError> {
    let table = TextTable::parse(table)?;
    let faulty = |error: ConfigError| ExamError::Request(error.to_string());
    let config = settings.map(Config::parse).transpose().map_err(faulty)?;
    let agent = config
        .map(|config| AgentActions::of(domain, &config))
        .transpose()
        .map_err(faulty)?
        .flatten();
    Wording::new(TextVocabulary::of_domain(domain, agent.as_ref()), Some(&table))?;
    Ok(())
}

/// The name of the table of sentences beside a domain.
const SENTENCES: &str = "domain.text.toml";

impl<'p> Phrases<'p> {
    pub(crate) fn new(domain: &'p Domain, problem: &'p Problem, wording: Wording, style: Style) -> Self {
        Self {
            domain,
            problem,
            wording,
            style,
        }
    }

    /// Returns the words for a fact or another condition in PDDL.
    pub(crate) fn fact(&self, pddl: &str) -> String {
        match self.style {
            Style::Text => self.wording.goal(pddl),
            Style::Pddl => pddl.to_owned(),
        }
    }

    /// Returns the words for an action in PDDL.
    pub(crate) fn action(&self, pddl: &str) -> String {
        match self.style {
            Style::Text => self.wording.action(pddl),
            Style::Pddl => pddl.to_owned(),
        }
    }

    /// Returns numbered actions, one a line.
    pub(crate) fn steps(&self, actions: &[String]) -> String {
        let lines = (1..)
            .zip(actions)
            .map(|(number, action)| format!("{number}. {}", self.action(action)));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Returns the domain and the problem.
    pub(crate) fn context(&self) -> String {
        match self.style {
            Style::Text => format!("{}\n{}", self.rules(), self.situation()),
            Style::Pddl => {
                let (domain, problem) = (self.domain.to_pddl(), self.problem.to_pddl(self.domain));
                format!("{}\n\n{}", domain.trim_end(), problem.trim_end())
            }
        }
    }

    /// Returns the facts and the goal of another problem of the domain, for a choice among problems.
    pub(crate) fn facts_of(&self, other: &Problem) -> String {
        let facts = self.facts(other);
        let goal = self.fact(&other.goal_text(self.domain, &other.goal));
        format!("{}; the goal: {goal}", facts.join("; "))
    }

    /// Returns the facts of the start state, in order.
    fn facts(&self, problem: &Problem) -> Vec<String> {
        let object = |id: &herbrand_pddl::ObjectId| format!(" {}", problem.object(*id).name);
        let facts = problem.init.iter().map(|fact| {
            let arguments: String = fact.arguments.iter().map(object).collect();
            format!("({}{arguments})", self.domain.predicate(fact.predicate).name)
        });
        facts.map(|fact| self.fact(&fact)).collect()
    }

    /// Returns the actions and axioms of the domain as text.
    pub(crate) fn rules(&self) -> String {
        let mut text = "These are the actions, with their conditions and all their effects:\n".to_owned();
        for schema in &self.domain.schemas {
            self.tell_action(schema, &mut text);
        }
        if !self.domain.axioms.is_empty() {
            text.push_str("\nThese facts follow from others:\n");
        }
        for axiom in &self.domain.axioms {
            let arity = self.domain.predicate(axiom.predicate).parameters.len();
            let head = Formula::Atom(Atom {
                predicate: axiom.predicate,
                arguments: (0..arity as u32)
                    .map(|index| Term::Variable(VariableId::new(index)))
                    .collect(),
                place: Place::NOWHERE,
            });
            let (head, body) = (
                self.formula(&axiom.variables, &head),
                self.formula(&axiom.variables, &axiom.body),
            );
            line(&mut text, &format!("- {head} if {body}"));
        }
        text
    }

    /// Returns the objects, the start and the goal of the problem as text.
    pub(crate) fn situation(&self) -> String {
        let mut text = "These are the objects:\n".to_owned();
        for object in &self.problem.objects {
            let types = object
                .types
                .types()
                .iter()
                .map(|&id| self.domain.type_of(id).name.as_str());
            let types = types.collect::<Vec<_>>().join(" or ");
            line(&mut text, &format!("- {} ({types})", object.name));
        }
        text.push_str("\nAt the start, exactly these facts hold:\n");
        for fact in self.facts(self.problem) {
            line(&mut text, &format!("- {fact}"));
        }
        text.push_str("\nThis is the goal:");
        for part in conjuncts(&self.problem.goal) {
            text += &format!("\n- {}", self.fact(&self.problem.goal_text(self.domain, part)));
        }
        text
    }

    fn tell_action(&self, schema: &ActionSchema, text: &mut String) {
        let name = schema.name.as_str();
        let pattern = self
            .wording
            .action_pattern(name)
            .unwrap_or_else(|| name.to_owned());
        let parameters = schema.parameters().iter().filter_map(|one| {
            let types = one
                .types
                .types()
                .iter()
                .map(|&id| self.domain.type_of(id).name.as_str());
            let (name, types) = (variable(one), types.collect::<Vec<_>>().join(" or "));
            // A name that is its type says it already.
            (name != types.to_uppercase()).then(|| format!("{name}: {types}"))
        });
        let parameters = match parameters.collect::<Vec<_>>().as_slice() {
            [] => String::new(),
            parameters => format!(" [{}]", parameters.join("; ")),
        };
        line(text, &format!("- {pattern}{parameters}"));
        let needs = conjuncts(&schema.precondition);
        let needs: Vec<_> = needs
            .iter()
            .map(|part| self.formula(&schema.variables, part))
            .collect();
        if !needs.is_empty() {
            line(text, &format!("  needs: {}", needs.join("; ")));
        }
        let mut changes = self.effect(&schema.variables, &schema.effect);
        if changes.is_empty() {
            changes.push("nothing changes".to_owned());
        }
        line(text, &format!("  then: {}", changes.join("; ")));
    }

    /// Returns the words for a formula, with its variables in capital letters.
    fn formula(&self, variables: &[Variable], formula: &Formula) -> String {
        let text = self.problem.formula_text(self.domain, variables, formula);
        let mut is_variable = false;
        let capital = |c: char| {
            is_variable = c == '?' || is_variable && !c.is_whitespace() && c != ')';
            if is_variable { c.to_ascii_uppercase() } else { c }
        };
        self.wording.goal(&text.chars().map(capital).collect::<String>())
    }

    fn effect(&self, variables: &[Variable], effect: &Effect) -> Vec<String> {
        let joined = |inner: &Effect| self.effect(variables, inner).join(" and ");
        match effect {
            Effect::And(parts) => parts
                .iter()
                .flat_map(|part| self.effect(variables, part))
                .collect(),
            Effect::Add(atom) => vec![self.formula(variables, &Formula::Atom(atom.clone()))],
            Effect::Delete(atom) => {
                let atom = Formula::Atom(atom.clone());
                vec![self.formula(variables, &Formula::Not(Box::new(atom)))]
            }
            Effect::Assign(_) => vec!["a number changes".to_owned()],
            Effect::Forall(bound, inner) => {
                let bound = bound.iter().map(|id| {
                    let one = &variables[id.index()];
                    let types = one.types.types().iter();
                    let types = types.map(|&id| self.domain.type_of(id).name.as_str());
                    format!("{} {}", types.collect::<Vec<_>>().join(" or "), variable(one))
                });
                let bound = bound.collect::<Vec<_>>().join(" and ");
                vec![format!("for every {bound}: {}", joined(inner))]
            }
            Effect::When(condition, inner) => {
                vec![format!(
                    "if {}, then {}",
                    self.formula(variables, condition),
                    joined(inner)
                )]
            }
            Effect::Probabilistic(alternatives) => alternatives
                .iter()
                .map(|(probability, inner)| {
                    let (part, whole) = (probability.numerator(), probability.denominator());
                    format!("with probability {part}/{whole}: {}", joined(inner))
                })
                .collect(),
        }
    }
}

/// Returns the name of a variable as it is written in texts.
fn variable(variable: &Variable) -> String {
    variable.name.as_str().to_uppercase()
}

fn line(text: &mut String, line: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{line}");
}

fn conjuncts(formula: &Formula) -> Vec<&Formula> {
    match formula {
        Formula::And(parts) => parts.iter().flat_map(conjuncts).collect(),
        other => vec![other],
    }
}
