//! The types of a module's input and output.

use std::fmt::Write;

use herbrand_pddl::{PredicateKind, TypeId, TypeUnion};

use super::{Text, support, tuple, tuple_type, variables};
use crate::rule::{Relation, Role};

impl Text<'_> {
    /// Returns the constants of the domain.
    pub(super) fn constants(&self) -> String {
        let constants = &self.vocabulary.domain.constants;
        if constants.is_empty() {
            return String::new();
        }
        let mut text =
            "/// The constants of the domain: the first objects of every problem.\npub mod constant {\n"
                .to_owned();
        for (number, object) in constants.iter().enumerate() {
            let name = self.constant(herbrand_pddl::ObjectId::from_index(number));
            text += &format!(
                "    /// `{}`\n    pub const {name}: super::Object = {number};\n",
                object.name
            );
        }
        text + "}\n"
    }

    /// Returns the type for values of functions, or nothing if no condition reads a function.
    pub(super) fn number(&self) -> String {
        let functions = self.with_role(|role| matches!(role, Role::Function(_)));
        if functions.is_empty() {
            String::new()
        } else {
            support::NUMBER.to_owned()
        }
    }

    /// Returns the type `Objects`.
    pub(super) fn objects(&self) -> String {
        let types = self.with_role(|role| matches!(role, Role::Type(_)));
        let mut text = "\
/// The objects of a problem, by type.
///
/// Insert an object for its declared types only, not for their supertypes. The constants of the domain are present
/// from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objects {
"
        .to_owned();
        text += &fields(&types);
        text += "}\n\nimpl Default for Objects {\n    fn default() -> Self {\n        Self {\n";
        for relation in &types {
            let Role::Type(union) = &relation.role else {
                continue;
            };
            let constants = self.vocabulary.domain.constants.iter().enumerate();
            let belongs = constants.filter(|(_, object)| self.vocabulary.includes(union, &object.types));
            let numbers: Vec<_> = belongs.map(|(number, _)| format!("({number},)")).collect();
            text += &format!("            {}: vec![{}],\n", relation.name, numbers.join(", "));
        }
        text += "        }\n    }\n}\n\n";
        text += &self.insert_object(&types);
        text
    }

    /// Returns the method `Objects::insert`.
    fn insert_object(&self, types: &[&Relation]) -> String {
        let domain = self.vocabulary.domain;
        let mut text = "\
impl Objects {
    /// Adds an object with its declared types: one type, or all types of an `either`.
    ///
    /// # Errors
    /// If a type is not declared.
    pub fn insert(&mut self, object: Object, types: &[&str]) -> Result<(), Unknown> {
        let names = ["
            .to_owned();
        let names: Vec<_> = domain
            .types
            .iter()
            .map(|one| format!("\"{}\"", one.name))
            .collect();
        text += &names.join(", ");
        text += "];
        if let Some(name) = types.iter().find(|name| !names.contains(name)) {
            return Err(Unknown { name: (*name).to_owned(), arity: 1 });
        }
        let relations: [(&mut Vec<(Object,)>, &[&str]); ";
        let _ = writeln!(text, "{}] = [", types.len());
        for relation in types {
            let Role::Type(union) = &relation.role else {
                continue;
            };
            let ids = (0..domain.types.len()).map(TypeId::from_index);
            let below = ids.filter(|&id| self.vocabulary.includes(union, &TypeUnion::single(id)));
            let below: Vec<_> = below
                .map(|id| format!("\"{}\"", domain.type_of(id).name))
                .collect();
            let _ = writeln!(
                text,
                "            (&mut self.{}, &[{}]),",
                relation.name,
                below.join(", ")
            );
        }
        text + "        ];
        for (relation, below) in relations {
            if types.iter().all(|name| below.contains(name)) {
                relation.push((object,));
            }
        }
        Ok(())
    }
}
"
    }

    /// Returns the type `Facts`.
    pub(super) fn facts(&self) -> String {
        let given = self.given();
        let functions = self.with_role(|role| matches!(role, Role::Function(_)));
        let mut text = "\
/// Facts: atoms of the predicates that no rule derives, and values of the functions that a condition reads.
///
/// Each argument is an object of the declared type, and each function has at most one value for the same arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
"
        .to_owned();
        text += &fields(&given);
        text += &fields(&functions);
        text += "}\n\nimpl Facts {\n";
        text += "    /// Adds the atom of a predicate, by its name in PDDL.
    ///
    /// # Errors
    /// If the predicate does not exist or is derived by rules.
    pub fn insert(&mut self, predicate: &str, arguments: &[Object]) -> Result<(), Unknown> {
";
        let mut arms = String::new();
        for relation in &given {
            let names = variables("x", relation.columns.len());
            let (slice, row) = (names.join(", "), tuple(names));
            let _ = write!(
                arms,
                "            (\"{}\", &[{slice}]) => {{\n                self.{}.push({row});\n                Ok(())\n            }}\n",
                self.pddl_name(relation),
                relation.name
            );
        }
        text += &match_or_unknown("predicate", &arms);
        text += &self.set_function(&functions);
        text += &self.atoms("The atoms, by predicate.", "atoms", &given);
        text + "}\n"
    }

    /// Returns the method `Facts::set`.
    fn set_function(&self, functions: &[&Relation]) -> String {
        let mut text =
            "    /// Sets the value of a function, which must be finite. Functions that no condition reads \
            have no relation: they are ignored.
    ///
    /// # Errors
    /// If the function does not exist.
    pub fn set(&mut self, function: &str, arguments: &[Object], value: f64) -> Result<(), Unknown> {
"
            .to_owned();
        let mut arms = String::new();
        for relation in functions {
            let names = variables("x", relation.columns.len() - 1);
            let slice = names.join(", ");
            let (name, pddl) = (&relation.name, self.pddl_name(relation));
            let row = tuple([&names[..], &["Number::new(value)".to_owned()]].concat());
            let known = tuple([&variables("y", names.len())[..], &["_".to_owned()]].concat());
            let (new, old) = (tuple(names.clone()), tuple(variables("y", names.len())));
            let _ = write!(
                arms,
                "            (\"{pddl}\", &[{slice}]) => {{\n                self.{name}.retain(|&{known}| {old} != {new});\n                self.{name}.push({row});\n                Ok(())\n            }}\n",
            );
        }
        for (index, function) in self.vocabulary.domain.functions.iter().enumerate() {
            if self.vocabulary.functions[index].is_none() {
                let slice = vec!["_"; function.parameters.len()].join(", ");
                let _ = writeln!(arms, "            (\"{}\", &[{slice}]) => Ok(()),", function.name);
            }
        }
        text += &match_or_unknown("function", &arms);
        if functions.is_empty() {
            text.replace("value: f64", "_value: f64")
        } else {
            text
        }
    }

    /// Returns the type `Derived`.
    pub(super) fn derived(&self) -> String {
        let derived = self.with_role(|role| matches!(role, Role::Derived(_)));
        let mut text = "\
/// Atoms of the derived predicates, each list in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Derived {
"
        .to_owned();
        text += &fields(&derived);
        text += "}\n\nimpl Derived {\n";
        text += &self.atoms("The atoms, by predicate.", "atoms", &derived);
        text + "}\n"
    }

    /// Returns the types `Actions` and `Reachable`.
    pub(super) fn actions(&self) -> String {
        let actions = self.with_role(|role| matches!(role, Role::Action(_)));
        let mut text = "\
/// Actions: the arguments of each one by action schema, each list in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Actions {
"
        .to_owned();
        text += &fields(&actions);
        text += "}\n\nimpl Actions {\n";
        text += &self.atoms("The actions, by schema.", "actions", &actions);
        text + "}

/// The atoms and actions that are reachable in the delete relaxation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reachable {
    /// The atoms, static ones included. There are no values of functions.
    pub facts: Facts,
    /// The derived atoms.
    pub derived: Derived,
    /// The actions.
    pub actions: Actions,
}
"
    }

    /// Returns a method that lists all rows of some relations with their PDDL names.
    fn atoms(&self, sentence: &str, method: &str, relations: &[&Relation]) -> String {
        let mut text = format!(
            "    /// {sentence}\n    #[must_use]\n    pub fn {method}(&self) -> Vec<Named> {{\n        let relations: [Vec<Named>; {}] = [",
            relations.len()
        );
        for relation in relations {
            let names = variables("x", relation.columns.len());
            let list = names.join(", ");
            let _ = write!(
                text,
                "\n            self.{}.iter().map(|&{}| (\"{}\", vec![{list}])).collect(),",
                relation.name,
                tuple(names),
                self.pddl_name(relation)
            );
        }
        let counts: Vec<_> = relations
            .iter()
            .map(|relation| format!("self.{}.len()", relation.name))
            .collect();
        let count = if counts.is_empty() {
            "0".to_owned()
        } else {
            counts.join(" + ")
        };
        let end = if relations.is_empty() { "" } else { "\n        " };
        text + end
            + "];\n        relations.concat()\n    }\n\n    /// Returns their number.\n    #[must_use]\n    pub fn count(&self) -> usize {\n        "
            + &count
            + "\n    }\n"
    }

    /// Returns the relations of the predicates that are neither derived nor agent actions.
    fn given(&self) -> Vec<&Relation> {
        let predicates = &self.vocabulary.domain.predicates;
        self.with_role(|role| match role {
            Role::Given(id) => predicates[id.index()].kind != PredicateKind::Action,
            _ => false,
        })
    }

    /// Returns the PDDL name of a predicate, function or schema.
    fn pddl_name<'r>(&'r self, relation: &'r Relation) -> &'r str {
        let domain = self.vocabulary.domain;
        match relation.role {
            Role::Given(id) | Role::Derived(id) => domain.predicate(id).name.as_str(),
            Role::Function(id) => domain.function(id).name.as_str(),
            Role::Action(id) => domain.schema(id).name.as_str(),
            _ => &relation.name,
        }
    }
}

/// Returns the end of a method: a match on a name and its arguments, with an error for unknown names.
fn match_or_unknown(name: &str, arms: &str) -> String {
    let unknown = format!("Err(Unknown {{ name: {name}.to_owned(), arity: arguments.len() }})");
    if arms.is_empty() {
        return format!("        {unknown}\n    }}\n\n");
    }
    format!("        match ({name}, arguments) {{\n{arms}            _ => {unknown},\n        }}\n    }}\n\n")
}

/// Returns a field for each relation.
fn fields(relations: &[&Relation]) -> String {
    let field = |relation: &&Relation| {
        format!(
            "    /// {}\n    pub {}: Vec<{}>,\n",
            relation.sentence,
            relation.name,
            tuple_type(relation)
        )
    };
    relations.iter().map(field).collect()
}
