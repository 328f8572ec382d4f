//! The input of a picture: the vocabulary of a domain, the objects of a problem, the facts of a state.

use herbrand_core::{Described, Fact, FactValue, Group};

/// The types, predicates and fluents of a domain, to which a declaration refers by name.
/// [`Picture::new`](crate::Picture::new) takes one.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PictureVocabulary {
    /// The names of the types.
    pub types: Vec<String>,
    /// The declarations of the predicates and fluents.
    pub predicates: Vec<DrawnPredicate>,
}

/// The declaration of a predicate or fluent of a domain. It is an entry of [`PictureVocabulary::predicates`].
#[derive(Clone, PartialEq, Debug)]
pub struct DrawnPredicate {
    /// The name of the predicate or fluent.
    pub name: String,
    /// For each parameter, in order, the names of the types that its objects may have.
    pub parameters: Vec<Vec<String>>,
    /// The kind of its facts: whether and how they change.
    pub group: Group,
    /// The type of its values.
    pub range: DrawnRange,
}

/// The type of a fact's values. It is [`DrawnPredicate::range`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawnRange {
    /// True or false.
    Bool,
    /// A number.
    Number,
    /// The name of an object.
    Symbol,
}

impl PictureVocabulary {
    /// Returns the predicate or fluent called `name`; `None` if the vocabulary does not have it.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&DrawnPredicate> {
        self.predicates.iter().find(|predicate| predicate.name == name)
    }
}

/// A problem as a picture needs it: its title, objects and constant facts. [`Picture::new`](crate::Picture::new) takes
/// one.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DrawnProblem {
    /// The title of the problem.
    pub title: String,
    /// The objects in order of declaration.
    pub objects: Vec<DrawnObject>,
    /// The facts that never change.
    pub constants: Vec<NamedFact>,
}

/// An object of a problem. It is an entry of [`DrawnProblem::objects`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnObject {
    /// The name of the object.
    pub name: String,
    /// Its type, which comes first, and all supertypes.
    pub types: Vec<String>,
}

impl DrawnObject {
    /// Returns whether the object has the type called `of`. Its supertypes count too.
    #[must_use]
    pub fn is(&self, of: &str) -> bool {
        self.types.iter().any(|own| own == of)
    }
}

/// A true fact of a state by name, or a fluent with its value. [`of`](Self::of) creates one from a fact of a system.
/// [`Moment::facts`] and [`DrawnProblem::constants`] list them.
#[derive(Clone, PartialEq, Debug)]
pub struct NamedFact {
    /// The name of the predicate or fluent.
    pub name: String,
    /// The names of its arguments.
    pub arguments: Vec<String>,
    /// The value.
    pub value: DrawnValue,
}

/// The value of a fact in a picture. It is [`NamedFact::value`].
#[derive(Clone, PartialEq, Debug)]
pub enum DrawnValue {
    /// True. A false fact is not represented.
    True,
    /// A number.
    Number(f64),
    /// The name of an object.
    Symbol(String),
}

impl DrawnValue {
    /// Returns the value as a number: 1 for true, `None` for the name of an object.
    #[must_use]
    pub const fn number(&self) -> Option<f64> {
        match self {
            Self::True => Some(1.0),
            Self::Number(number) => Some(*number),
            Self::Symbol(_) => None,
        }
    }
}

impl NamedFact {
    /// Iterates over the objects of the fact: its arguments, and its value if that is an object. An object that occurs
    /// several times is repeated.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let value = match &self.value {
            DrawnValue::Symbol(name) => Some(name.as_str()),
            DrawnValue::True | DrawnValue::Number(_) => None,
        };
        self.arguments.iter().map(String::as_str).chain(value)
    }

    /// Converts a fact that [`Described::facts`] lists to a fact of a picture; `None` if its value is `false`.
    #[must_use]
    pub fn of(fact: Fact<'_>) -> Option<Self> {
        let value = match fact.value {
            FactValue::Bool(false) => return None,
            FactValue::Bool(true) => DrawnValue::True,
            FactValue::Int(value) => DrawnValue::Number(value as f64),
            FactValue::Real(value) => DrawnValue::Number(value),
            FactValue::Symbol(name) => DrawnValue::Symbol(name.to_owned()),
        };
        Some(Self {
            name: fact.name.to_owned(),
            arguments: fact.arguments.iter().map(|&name| name.to_owned()).collect(),
            value,
        })
    }
}

/// A state to be drawn, with further information to show: the goal, and captions. [`of`](Self::of) creates one from a
/// system, and [`Picture::scene`](crate::Picture::scene) draws one.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Moment {
    /// The facts that hold in the state. Constant facts may be omitted.
    pub facts: Vec<NamedFact>,
    /// The parts of the goal, each with whether the state satisfies it; empty if there is no goal or it cannot be
    /// listed.
    pub goal: Vec<GoalFact>,
    /// Captions, such as the last action and the outcomes of its random draws.
    pub captions: Vec<String>,
}

/// A part of the goal: a fact that must hold or must not hold. It is an entry of [`Moment::goal`].
#[derive(Clone, PartialEq, Debug)]
pub struct GoalFact {
    /// The predicate; for a part that is not a fact, its text.
    pub name: String,
    /// The names of the arguments.
    pub arguments: Vec<String>,
    /// Whether the goal requires the fact to be false.
    pub negative: bool,
    /// Whether the state satisfies the part.
    pub satisfied: bool,
}

impl Moment {
    /// Returns the current state of a system, without a goal and captions. Static and false facts are left out.
    #[must_use]
    pub fn of<S: Described>(system: &S) -> Self {
        Self::of_facts(|visit| system.facts(visit))
    }

    /// Returns the state whose facts `show` passes to the visitor that it is called with, without a goal and captions.
    /// Static facts and facts whose value is `false` are left out.
    #[must_use]
    pub fn of_facts(show: impl FnOnce(&mut dyn FnMut(Fact<'_>))) -> Self {
        let mut facts = Vec::new();
        show(&mut |fact| {
            if fact.group != Group::Static {
                facts.extend(NamedFact::of(fact));
            }
        });
        Self {
            facts,
            ..Self::default()
        }
    }
}
