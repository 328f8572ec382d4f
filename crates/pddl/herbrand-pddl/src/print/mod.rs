//! Printing of models as canonical PDDL. Parsing the printed text gives an equal model.

mod formula;
pub(crate) mod layout;
mod terms;
mod time;

use std::fmt;

use herbrand_limits::deep;
use layout::Layout;
use terms::{Names, filling, type_list, typed_groups, typed_variables, union};

use crate::model::{
    ActionSchema, Axiom, Domain, Effect, Formula, FunctionValue, InitialChance, InitialOutcome, Name,
    Predicate, PredicateKind, Problem, TypeId, Variable,
};
use crate::requirements::Requirements;

impl Domain {
    /// Returns the domain as canonical PDDL: sections in the usual order, names in lower case.
    ///
    /// Parsing the text gives an equal domain. Comments of the original text are lost, except the list of the agent's
    /// actions (PDDLGym's dialect).
    #[must_use]
    pub fn to_pddl(&self) -> String {
        deep(|| {
            let mut sections = Vec::new();
            sections.extend(requirements(self.requirements));
            sections.extend(self.types_section());
            let constants = self.constants.iter();
            let constants = constants.map(|object| (object.name.to_string(), union(&object.types, self)));
            sections.extend(names_section(":constants", constants));
            sections.extend(self.predicates_section());
            sections.extend(self.agent_actions_comment());
            sections.extend(self.functions_section());
            sections.extend(self.axioms.iter().map(|axiom| self.axiom_section(axiom)));
            sections.extend(self.schemas.iter().map(|schema| self.schema_section(schema)));
            let durative = self.durative_actions.iter();
            sections.extend(durative.map(|action| self.durative_section(action)));
            definition(format!("define (domain {})", self.name), sections)
        })
    }

    fn types_section(&self) -> Option<Layout> {
        let declared = self.types.iter().skip(1);
        let named = declared.map(|t| (t.name.to_string(), type_list(&t.parents, self)));
        names_section(":types", named)
    }

    fn predicates_section(&self) -> Option<Layout> {
        let signatures = self
            .predicates
            .iter()
            .map(|p| self.signature(&p.name, &p.parameters, false));
        section(":predicates", signatures.collect())
    }

    fn agent_actions_comment(&self) -> Option<Layout> {
        let is_action = |p: &&Predicate| p.kind == PredicateKind::Action;
        let names: Vec<&str> = self
            .predicates
            .iter()
            .filter(is_action)
            .map(|p| p.name.as_str())
            .collect();
        (!names.is_empty()).then(|| Layout::Comment(format!("; (:actions {})", names.join(" "))))
    }

    fn functions_section(&self) -> Option<Layout> {
        let declared = self.functions.iter().filter(|function| !function.implicit);
        let mut signatures: Vec<Layout> = declared
            .map(|f| self.signature(&f.name, &f.parameters, false))
            .collect();
        if !signatures.is_empty() {
            signatures.push(Layout::word("- number"));
        }
        section(":functions", signatures)
    }

    fn signature(&self, name: &Name, parameters: &[Variable], every_type: bool) -> Layout {
        let parameters = typed_variables(parameters, self, every_type);
        let gap = if parameters.is_empty() { "" } else { " " };
        Layout::word(format!("({name}{gap}{parameters})"))
    }

    fn axiom_section(&self, axiom: &Axiom) -> Layout {
        let predicate = self.predicate(axiom.predicate);
        let names = Names {
            domain: self,
            objects: &self.constants,
            variables: &axiom.variables,
        };
        let head = &axiom.variables[..predicate.parameters.len()];
        // The parser gives a head without types the declared types. If the declaration has types, the head needs explicit
        // ones.
        let every_type = predicate
            .parameters
            .iter()
            .any(|p| p.types.types() != [TypeId::OBJECT]);
        let head = self.signature(&predicate.name, head, every_type);
        Layout::clause(":derived", vec![head, names.formula(&axiom.body)])
    }

    fn schema_section(&self, schema: &ActionSchema) -> Layout {
        let names = Names {
            domain: self,
            objects: &self.constants,
            variables: &schema.variables,
        };
        let parameters = typed_variables(schema.parameters(), self, false);
        let mut parts = vec![Layout::word(format!(":parameters ({parameters})"))];
        if schema.precondition != Formula::TRUE || schema.agent.is_some() {
            let precondition = names.precondition(&schema.precondition, schema.agent.as_ref());
            parts.push(Layout::pair(":precondition", precondition));
        }
        if schema.effect != Effect::NOTHING {
            parts.push(Layout::pair(":effect", names.effect(&schema.effect)));
        }
        Layout::lines(format!(":action {}", schema.name), parts)
    }
}

impl Problem {
    /// Returns the problem as canonical PDDL. `domain` must be the domain that the problem was checked against.
    ///
    /// Parsing the text with the same domain gives an equal problem. Another domain gives wrong names or a panic;
    /// nothing checks it.
    #[must_use]
    pub fn to_pddl(&self, domain: &Domain) -> String {
        deep(|| {
            let names = Names {
                domain,
                objects: &self.objects,
                variables: &self.goal_variables,
            };
            let mut sections = vec![Layout::word(format!("(:domain {})", self.domain_name))];
            sections.extend(requirements(self.requirements));
            let own = self.objects.iter().skip(self.constants as usize);
            let own = own.map(|object| (object.name.to_string(), union(&object.types, domain)));
            sections.extend(names_section(":objects", own));
            let initial = names.outcome(
                self.init.iter().map(|fact| names.fact(fact)),
                &self.values,
                &self.chances,
            );
            let timed = self
                .timed
                .iter()
                .flat_map(|literals| names.timed_literals(literals));
            sections.push(Layout::lines(":init", initial.into_iter().chain(timed).collect()));
            if self.has_goal {
                sections.push(Layout::list(":goal", vec![names.formula(&self.goal)]));
            }
            if let Some(reward) = self.goal_reward {
                sections.push(Layout::word(format!("(:goal-reward {reward})")));
            }
            if let Some(metric) = &self.metric {
                let expression = names.expression(&metric.expression);
                sections.push(Layout::list(
                    format!(":metric {}", metric.direction.word()),
                    vec![expression],
                ));
            }
            definition(format!("define (problem {})", self.name), sections)
        })
    }
}

impl Problem {
    /// Returns `part`, which is the goal or another formula over the goal's variables, as PDDL. `domain` must be the
    /// domain that the problem was checked against. Panics if `part` has ids that are out of range.
    #[must_use]
    pub fn goal_text(&self, domain: &Domain, part: &Formula) -> String {
        self.formula_text(domain, &self.goal_variables, part)
    }

    /// Returns a formula over `variables`, such as a part of an operator's precondition, as PDDL. A
    /// [`VariableId`](crate::VariableId) in the formula is an index into `variables`; objects are those of the problem.
    /// Panics if an id is out of range. `domain` must be the domain that the problem was checked against.
    #[must_use]
    pub fn formula_text(&self, domain: &Domain, variables: &[Variable], formula: &Formula) -> String {
        let names = Names {
            domain,
            objects: &self.objects,
            variables,
        };
        let mut text = String::new();
        deep(|| names.formula(formula).write(0, 0, &mut text));
        text
    }

    /// Returns the metric as PDDL, such as `minimize (total-time)`; `None` if the problem has no metric. `domain` must be the domain that
    /// the problem was checked against.
    #[must_use]
    pub fn metric_text(&self, domain: &Domain) -> Option<String> {
        let metric = self.metric.as_ref()?;
        let names = Names {
            domain,
            objects: &self.objects,
            variables: &[],
        };
        let mut text = format!("{} ", metric.direction.word());
        deep(|| names.expression(&metric.expression).write(0, 0, &mut text));
        Some(text)
    }

    /// Returns a value that formats the problem as canonical PDDL, like [`to_pddl`](Self::to_pddl), but without the
    /// line break at the end. `domain` must be the domain that the problem was checked against.
    pub fn display<'m>(&'m self, domain: &'m Domain) -> impl fmt::Display + 'm {
        fmt::from_fn(|f| f.write_str(self.to_pddl(domain).trim_end()))
    }
}

impl Names<'_> {
    fn outcome(
        &self,
        facts: impl Iterator<Item = Layout>,
        values: &[FunctionValue],
        chances: &[InitialChance],
    ) -> Vec<Layout> {
        let mut elements: Vec<Layout> = facts.collect();
        elements.extend(values.iter().map(|value| self.value(value)));
        elements.extend(chances.iter().map(|chance| self.chance(chance)));
        elements
    }

    /// `(= (f a) 3)`
    pub(super) fn value(&self, value: &FunctionValue) -> Layout {
        let mut term = self.domain.function(value.function).name.to_string();
        for id in &value.arguments {
            term.push(' ');
            term.push_str(self.objects[id.index()].name.as_str());
        }
        Layout::word(format!("(= ({term}) {})", value.value))
    }

    fn chance(&self, chance: &InitialChance) -> Layout {
        let alternatives = chance.alternatives.iter();
        formula::chance(alternatives.map(|(probability, outcome)| (*probability, self.alternative(outcome))))
    }

    fn alternative(&self, outcome: &InitialOutcome) -> Layout {
        let facts = outcome.facts.iter().map(|fact| self.fact(fact));
        let mut elements = self.outcome(facts, &outcome.values, &outcome.chances);
        if elements.len() == 1 {
            elements.remove(0)
        } else {
            Layout::list("and", elements)
        }
    }
}

/// `(define (domain …) …)`
pub(crate) fn definition(head: String, sections: Vec<Layout>) -> String {
    let mut text = String::new();
    Layout::lines(head, sections).write(0, 0, &mut text);
    text.push('\n');
    text
}

fn requirements(requirements: Requirements) -> Option<Layout> {
    let flags: Vec<String> = requirements
        .iter()
        .map(|flag| flag.keyword().to_owned())
        .collect();
    (!flags.is_empty()).then(|| Layout::clause(":requirements", vec![Layout::Fill(flags)]))
}

/// Returns a section with one line per part; `None` if there are no parts.
pub(crate) fn section(keyword: &str, parts: Vec<Layout>) -> Option<Layout> {
    (!parts.is_empty()).then(|| Layout::lines(keyword, parts))
}

/// Returns a section of typed names with one line per group; `None` if there are no names.
fn names_section(keyword: &str, named: impl Iterator<Item = (String, String)>) -> Option<Layout> {
    let groups: Vec<Layout> = typed_groups(named, false)
        .iter()
        .map(|group| filling(group))
        .collect();
    match groups.len() {
        0 => None,
        1 => Some(Layout::list(keyword, groups)),
        _ => Some(Layout::lines(keyword, groups)),
    }
}

impl fmt::Display for Domain {
    /// Writes [`Domain::to_pddl`] without the final line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.to_pddl().trim_end())
    }
}
