//! The type `Problem` and its methods.

use std::fmt::Write;

use herbrand_datalog::RelationId;
use herbrand_ground::TruthSource;
use herbrand_pddl::{PredicateId, PredicateKind, TypeUnion};

use super::{Text, support};
use crate::program::Program;
use crate::rule::{Relation, Role};

/// The expression that reads rows from given facts, and the statement that defines these facts for a state.
const GIVEN: &str = "rows(&given";
const GIVEN_STATE: &str = "        let given = [&self.statics, state];\n";

impl Text<'_> {
    /// Returns the type `Problem` and its methods.
    pub(super) fn problem(&self) -> String {
        let mut methods = [self.reachable(), self.derived_method(), self.applicable()].join("\n");
        methods += &self.axioms();
        let mut text = "\
/// A problem of the domain: its objects, static facts and initial state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// The objects.
    pub objects: Objects,
    /// The facts of every state: atoms of static predicates, and values of functions that never change.
    pub statics: Facts,
    /// The other facts of the initial state. Static atoms that are drawn at random are here and in
    /// [`possible`](Self::possible), if their predicate has no other atoms.
    pub initial: Facts,
    /// Facts that may be added to the initial state at random.
    pub possible: Facts,
}

#[allow(clippy::field_reassign_with_default)]
impl Problem {
"
        .to_owned();
        text += methods.trim_end();
        text += "\n}\n";
        let helpers = [
            ("rows(", support::ROWS),
            ("sorted(", support::SORTED),
            ("positions(", support::POSITIONS),
        ];
        for (_, function) in helpers.iter().filter(|(call, _)| methods.contains(call)) {
            text += "\n";
            text += function;
        }
        text
    }

    fn reachable(&self) -> String {
        let mut text =
            "    /// Returns a superset of the atoms and actions that are reachable from the initial state: \
            it ignores deletes,
    /// comparisons and negated literals of changing predicates, and applies all probabilistic effects.
    #[must_use]
    pub fn reachable(&self) -> Reachable {
"
            .to_owned();
        let programs = &self.programs.reachable;
        let start = text.len();
        for (number, program) in programs.iter().enumerate() {
            text += &self.run(program, &programs[..number]);
        }
        text += "        Reachable {\n            facts: Facts {\n";
        for (id, relation) in self.relations(|role| matches!(role, Role::Given(_))) {
            let rows = match source(programs, id) {
                Some(program) => format!("{}.{}", variable(program), relation.name),
                None => given(&relation.name),
            };
            let _ = writeln!(text, "                {}: sorted({rows}),", relation.name);
        }
        if !self
            .with_role(|role| matches!(role, Role::Function(_)))
            .is_empty()
        {
            text += "                ..Facts::default()\n";
        }
        text += "            },\n            derived: Derived {\n";
        text += &self.results(
            programs,
            |role| matches!(role, Role::Derived(_)),
            "                ",
        );
        text += "            },\n            actions: Actions {\n";
        text += &self.results(
            programs,
            |role| matches!(role, Role::Action(_)),
            "                ",
        );
        if text.contains(GIVEN) {
            text.insert_str(
                start,
                "        let given = [&self.statics, &self.initial, &self.possible];\n",
            );
        }
        text + "            },\n        }\n    }\n"
    }

    fn derived_method(&self) -> String {
        let programs = &self.programs.derived;
        let state = if programs.is_empty() { "_state" } else { "state" };
        let mut text = format!(
            "    /// Returns the derived atoms of a state; `state` holds its facts without the static ones.\n    #[must_use]\n    pub fn derived(&self, {state}: &Facts) -> Derived {{\n"
        );
        text += &self.call_axioms();
        text += "        Derived {\n";
        text += &self.results(programs, |role| matches!(role, Role::Derived(_)), "            ");
        text + "        }\n    }\n"
    }

    fn applicable(&self) -> String {
        let program = &self.programs.applicable;
        let run = self.run(program, &self.programs.derived);
        let reads_axioms = program
            .relations
            .iter()
            .any(|&id| source(&self.programs.derived, id).is_some());
        let axioms = if reads_axioms {
            self.call_axioms()
        } else {
            String::new()
        };
        let reads_state = run.contains(GIVEN);
        let state = if reads_state || reads_axioms {
            "state"
        } else {
            "_state"
        };
        let mut text = format!(
            "    /// Returns the actions that are applicable in a state; `state` holds its facts without the static \
             ones.\n    #[must_use]\n    pub fn applicable(&self, {state}: &Facts) -> Actions {{\n"
        );
        text += &axioms;
        if reads_state {
            text += GIVEN_STATE;
        }
        text += &run;
        text += "        Actions {\n";
        let programs = std::slice::from_ref(program);
        text += &self.results(programs, |role| matches!(role, Role::Action(_)), "            ");
        text + "        }\n    }\n"
    }

    /// Returns the method that runs the programs of the axioms, or nothing if there are no axioms.
    fn axioms(&self) -> String {
        let programs = &self.programs.derived;
        if programs.is_empty() {
            return String::new();
        }
        let types: Vec<_> = programs
            .iter()
            .map(|program| format!("programs::{}", program.name))
            .collect();
        let mut text = format!(
            "\n    /// The programs of the axioms, run for a state.\n    fn axioms(&self, state: &Facts) -> {} {{\n",
            pattern(&types)
        );
        let runs = programs
            .iter()
            .enumerate()
            .map(|(number, program)| self.run(program, &programs[..number]));
        let runs: String = runs.collect();
        let reads_state = runs.contains(GIVEN);
        if reads_state {
            text += GIVEN_STATE;
        }
        text += &runs;
        let variables: Vec<_> = programs.iter().map(variable).collect();
        let _ = writeln!(text, "        {}\n    }}", pattern(&variables));
        if reads_state {
            text
        } else {
            text.replace("state: &Facts", "_state: &Facts")
        }
    }

    fn call_axioms(&self) -> String {
        let variables: Vec<_> = self.programs.derived.iter().map(variable).collect();
        match &variables[..] {
            [] => String::new(),
            variables => format!("        let {} = self.axioms(state);\n", pattern(variables)),
        }
    }

    /// Returns the statements that fill a program with its input and run it.
    fn run(&self, program: &Program, before: &[Program]) -> String {
        let variable = variable(program);
        let mut text = format!(
            "        let mut {variable} = programs::{}::default();\n",
            program.name
        );
        for &id in &program.relations {
            if let Some(rows) = self.rows(id, program, before) {
                let _ = writeln!(text, "        {variable}.{} = {rows};", self.get(id).name);
            }
        }
        text + &format!("        {variable}.run();\n")
    }

    /// Returns the input facts of a relation in a program, or `None` if it has none.
    fn rows(&self, id: RelationId, program: &Program, before: &[Program]) -> Option<String> {
        let relation = self.get(id);
        let derived = |id| {
            let source = source(before, id)?;
            Some(format!("{}.{}.clone()", variable(source), self.get(id).name))
        };
        match &relation.role {
            Role::Type(types) => Some(self.objects_of(types)),
            Role::Order(types) => Some(format!("positions(&{})", self.objects_of(types))),
            Role::Size(types) => Some(format!("vec![({}.len() as u32,)]", self.objects_of(types))),
            Role::Function(_) => Some(given(&relation.name)),
            Role::Given(_) => derived(id).or_else(|| Some(given(&relation.name))),
            Role::Known(predicate) => self.known(*predicate, derived),
            Role::Derived(_) | Role::Auxiliary | Role::Action(_) if program.derived.contains(&id) => None,
            Role::Derived(_) | Role::Auxiliary | Role::Action(_) => derived(id),
        }
    }

    /// Returns the expression for the objects of some types, without duplicates.
    fn objects_of(&self, types: &TypeUnion) -> String {
        let below = self
            .vocabulary
            .relations
            .iter()
            .filter_map(|relation| match &relation.role {
                Role::Type(inner) if self.vocabulary.includes(types, inner) => {
                    Some(format!("&self.objects.{}[..]", relation.name))
                }
                _ => None,
            });
        format!("sorted([{}].concat())", below.collect::<Vec<_>>().join(", "))
    }

    /// Returns the expression for the atoms of a predicate that hold in every state. At run time the list is empty if the
    /// initial state is probabilistic in a predicate that this one depends on. Returns `None` if no program derives the
    /// predicate.
    fn known(
        &self,
        predicate: PredicateId,
        derived: impl Fn(RelationId) -> Option<String>,
    ) -> Option<String> {
        let relation = self.vocabulary.predicates[predicate.index()];
        if self.vocabulary.changes[predicate.index()] == TruthSource::Static {
            return Some(format!("self.statics.{}.clone()", self.get(relation).name));
        }
        let rows = derived(relation)?;
        let supports = self.vocabulary.static_supports(predicate);
        let certain = supports.iter().flat_map(|&support| {
            let name = &self.get(self.vocabulary.predicates[support.index()]).name;
            ["initial", "possible"].map(|facts| format!("self.{facts}.{name}.is_empty()"))
        });
        let certain: Vec<_> = certain.collect();
        Some(match &certain[..] {
            [] => rows,
            certain => format!("if {} {{ {rows} }} else {{ Vec::new() }}", certain.join(" && ")),
        })
    }

    /// Returns a field for each relation with the given role, initialized with the derived rows.
    fn results(&self, programs: &[Program], role: impl Fn(&Role) -> bool, indent: &str) -> String {
        let field = |(id, relation): (RelationId, &Relation)| match source(programs, id) {
            Some(program) => {
                format!(
                    "{indent}{}: sorted({}.{}),\n",
                    relation.name,
                    variable(program),
                    relation.name
                )
            }
            None => format!("{indent}{}: Vec::new(),\n", relation.name),
        };
        self.relations(role).into_iter().map(field).collect()
    }

    /// Returns the relations with the given role and their ids, without the predicates of agent actions.
    fn relations(&self, such: impl Fn(&Role) -> bool) -> Vec<(RelationId, &Relation)> {
        let domain = self.vocabulary.domain;
        let all = self.vocabulary.ids().map(|id| (id, self.get(id)));
        let kept = all.filter(|(_, relation)| match relation.role {
            Role::Given(id) => domain.predicate(id).kind != PredicateKind::Action && such(&relation.role),
            _ => such(&relation.role),
        });
        kept.collect()
    }
}

/// Returns the program that derives a relation, if any.
fn source(programs: &[Program], relation: RelationId) -> Option<&Program> {
    programs
        .iter()
        .find(|program| program.derived.contains(&relation))
}

/// Returns the name of the variable that holds a program.
fn variable(program: &Program) -> String {
    program.name.to_ascii_lowercase()
}

/// Returns a single part as it is, and several parts as a tuple.
fn pattern(parts: &[String]) -> String {
    match parts {
        [one] => one.clone(),
        parts => format!("({})", parts.join(", ")),
    }
}

/// Returns the expression for the given facts of a relation.
fn given(name: &str) -> String {
    format!("rows(&given, |facts| &facts.{name})")
}
