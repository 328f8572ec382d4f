//! What a picture is made from: the words of a domain, the objects of a problem, the facts of a state.

use herbrand_core::{Described, Fact, FactValue, Group};

/// The types and predicates (or fluents) of a domain.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Vocabulary {
    /// The names of the types.
    pub types: Vec<String>,
    /// The predicates and fluents.
    pub predicates: Vec<Predicate>,
}

/// A predicate or fluent.
#[derive(Clone, PartialEq, Debug)]
pub struct Predicate {
    /// The name.
    pub name: String,
    /// By parameter: the types that its objects may have.
    pub parameters: Vec<Vec<String>>,
    /// What may change it.
    pub group: Group,
    /// What values it has.
    pub range: Range,
}

/// What values a fact has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Range {
    /// True or false.
    Bool,
    /// A number.
    Number,
    /// The name of an object.
    Symbol,
}

impl Vocabulary {
    /// The predicate called `name`.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Predicate> {
        self.predicates.iter().find(|predicate| predicate.name == name)
    }
}

/// A problem: its objects, and what is true in all of its states.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct World {
    /// What the problem is called, for the title.
    pub title: String,
    /// The objects, in the order in which they are declared.
    pub objects: Vec<Object>,
    /// Facts that never change.
    pub constants: Vec<Atom>,
}

/// An object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// The name.
    pub name: String,
    /// Its type and all types above it.
    pub types: Vec<String>,
}

impl Object {
    /// Whether it is of a type.
    #[must_use]
    pub fn is(&self, of: &str) -> bool {
        self.types.iter().any(|own| own == of)
    }
}

/// A fact by name, with its value.
#[derive(Clone, PartialEq, Debug)]
pub struct Atom {
    /// The predicate or fluent.
    pub name: String,
    /// The names of the objects that it is about.
    pub arguments: Vec<String>,
    /// The value.
    pub value: Value,
}

/// The value of a fact.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// True. What is false is no fact.
    True,
    /// A number.
    Number(f64),
    /// The name of an object.
    Symbol(String),
}

impl Value {
    /// The value as a number: 1 for what is true, nothing for a name.
    #[must_use]
    pub const fn number(&self) -> Option<f64> {
        match self {
            Self::True => Some(1.0),
            Self::Number(number) => Some(*number),
            Self::Symbol(_) => None,
        }
    }
}

impl Atom {
    /// The objects that it is about: its arguments, and its value if that is one.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let value = match &self.value {
            Value::Symbol(name) => Some(name.as_str()),
            Value::True | Value::Number(_) => None,
        };
        self.arguments.iter().map(String::as_str).chain(value)
    }

    /// The fact that `fact` shows; `None` if it is false.
    #[must_use]
    pub fn of(fact: Fact<'_>) -> Option<Self> {
        let value = match fact.value {
            FactValue::Bool(false) => return None,
            FactValue::Bool(true) => Value::True,
            FactValue::Int(value) => Value::Number(value as f64),
            FactValue::Real(value) => Value::Number(value),
            FactValue::Symbol(name) => Value::Symbol(name.to_owned()),
        };
        Some(Self {
            name: fact.name.to_owned(),
            arguments: fact.arguments.iter().map(|&name| name.to_owned()).collect(),
            value,
        })
    }
}

/// One state, and what is said about it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Moment {
    /// The facts, those that never change may be left out.
    pub facts: Vec<Atom>,
    /// What the goal asks for; empty where there is none, or where it is no list of facts.
    pub goal: Vec<Wanted>,
    /// Lines about the moment, such as the last action and what chance had to do with it.
    pub captions: Vec<String>,
}

/// A fact that the goal asks for.
#[derive(Clone, PartialEq, Debug)]
pub struct Wanted {
    /// The predicate; for a condition that is no fact, its text.
    pub name: String,
    /// The names of the objects that it is about.
    pub arguments: Vec<String>,
    /// Whether the goal asks for it to be false.
    pub negative: bool,
    /// Whether the state satisfies this.
    pub satisfied: bool,
}

impl Moment {
    /// The current state of a system, without a goal.
    #[must_use]
    pub fn of<S: Described>(system: &S) -> Self {
        Self::of_facts(|visit| system.facts(visit))
    }

    /// The state whose facts are shown to a visitor, without a goal.
    #[must_use]
    pub fn of_facts(show: impl FnOnce(&mut dyn FnMut(Fact<'_>))) -> Self {
        let mut facts = Vec::new();
        show(&mut |fact| {
            if fact.group != Group::Static {
                facts.extend(Atom::of(fact));
            }
        });
        Self {
            facts,
            ..Self::default()
        }
    }
}
