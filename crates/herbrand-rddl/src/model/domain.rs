//! A checked domain.

use herbrand_text::{Origin, Place};

use super::{Condition, CpfId, DrawId, Formula, Name, PvariableId, Range, TypeId, Value, VariableId};

/// A domain: what all instances of a problem share, checked and resolved.
#[derive(Clone, PartialEq, Debug)]
pub struct Domain {
    /// The name.
    pub name: Name,
    /// The requirements, as declared.
    pub requirements: Vec<Name>,
    /// The types, in declaration order.
    pub types: Vec<Type>,
    /// The parameterised variables, in declaration order.
    pub pvariables: Vec<Pvariable>,
    /// The conditional probability functions, in the order written: one for each state, interm, derived and observ fluent.
    pub cpfs: Vec<Cpf>,
    /// The functions by level: each reads those of lower levels alone, and state, action and non-fluents. Within a level they
    /// are in the order of their names.
    pub levels: Vec<Vec<CpfId>>,
    /// The reward of a step.
    pub reward: Formula,
    /// `action-preconditions`: what must hold of the state and the action before a step.
    pub preconditions: Vec<Condition>,
    /// `state-action-constraints`: constraints on state and action, in the older form of the language.
    pub constraints: Vec<Condition>,
    /// `state-invariants`: what must hold in every state.
    pub invariants: Vec<Condition>,
    /// `termination`: each ends the episode when it holds in the next state.
    pub terminations: Vec<Condition>,
    /// The places where random draws are made, in the order of the text: the functions' in their order, the reward's, then
    /// the conditions'.
    pub draws: Vec<Draw>,
    /// What it was read from: the text that its places refer to.
    pub origin: Origin,
}

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Type {
    /// The name.
    pub name: Name,
    /// What it has for items.
    pub kind: TypeKind,
    /// Where it is declared.
    pub place: Place,
}

/// What a type has for items.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// The objects that an instance lists.
    Objects,
    /// The values of an enum, without `@`, in declaration order.
    Enum(Vec<Name>),
}

/// What a pvariable is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A constant of an instance.
    NonFluent,
    /// A part of the state.
    State,
    /// A part of the action.
    Action,
    /// Computed within a step, from state and action.
    Interm,
    /// Computed from the state.
    Derived,
    /// What is seen of the next state.
    Observ,
}

/// A parameterised variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Pvariable {
    /// The name.
    pub name: Name,
    /// What it is.
    pub kind: Kind,
    /// The types of its parameters.
    pub parameters: Vec<TypeId>,
    /// The range of its values.
    pub range: Range,
    /// The default, if one is stated, widened to the range.
    pub default: Option<Value>,
    /// Where it is declared.
    pub place: Place,
}

/// A conditional probability function: how the value of a fluent is found. That of a state fluent gives its next value.
#[derive(Clone, PartialEq, Debug)]
pub struct Cpf {
    /// The fluent.
    pub head: PvariableId,
    /// The value, for each binding of the parameters; its range widens to that of the fluent.
    pub formula: Formula,
    /// Where it is written.
    pub place: Place,
}

/// A place where a random draw is made.
///
/// A ground draw is one of these with an item for each variable in scope; [`Sites`](super::Sites) numbers them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Draw {
    /// The variables of its formula that are bound around it, outermost first. Of the draw of a vector, the component is not
    /// among them.
    pub scope: Vec<VariableId>,
    /// Their types.
    pub types: Vec<TypeId>,
    /// The type whose items are the components of a vector.
    pub components: Option<TypeId>,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 6] = [
        Self::NonFluent,
        Self::State,
        Self::Action,
        Self::Interm,
        Self::Derived,
        Self::Observ,
    ];

    /// As it is written: `state-fluent`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NonFluent => "non-fluent",
            Self::State => "state-fluent",
            Self::Action => "action-fluent",
            Self::Interm => "interm-fluent",
            Self::Derived => "derived-fluent",
            Self::Observ => "observ-fluent",
        }
    }

    /// Whether a CPF gives its value.
    #[must_use]
    pub const fn has_cpf(self) -> bool {
        !matches!(self, Self::NonFluent | Self::Action)
    }
}

impl Type {
    /// The values, if it is an enum.
    #[must_use]
    pub fn values(&self) -> Option<&[Name]> {
        match &self.kind {
            TypeKind::Enum(values) => Some(values),
            TypeKind::Objects => None,
        }
    }
}

impl Pvariable {
    /// The default: as stated, or else false, 0 or the first item.
    #[must_use]
    pub fn default_value(&self) -> Value {
        self.default.unwrap_or(self.range.zero())
    }
}

impl Domain {
    /// The type `id`.
    #[must_use]
    pub fn type_of(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// The pvariable `id`.
    #[must_use]
    pub fn pvariable(&self, id: PvariableId) -> &Pvariable {
        &self.pvariables[id.index()]
    }

    /// The CPF `id`.
    #[must_use]
    pub fn cpf(&self, id: CpfId) -> &Cpf {
        &self.cpfs[id.index()]
    }

    /// The draw `id`.
    #[must_use]
    pub fn draw(&self, id: DrawId) -> &Draw {
        &self.draws[id.index()]
    }

    /// The type called `name`.
    #[must_use]
    pub fn find_type(&self, name: &str) -> Option<TypeId> {
        let position = self.types.iter().position(|one| one.name.as_str() == name);
        position.map(TypeId::from_index)
    }

    /// The pvariable called `name`.
    #[must_use]
    pub fn find_pvariable(&self, name: &str) -> Option<PvariableId> {
        let position = self.pvariables.iter().position(|one| one.name.as_str() == name);
        position.map(PvariableId::from_index)
    }

    /// The pvariables of a kind, in declaration order.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = PvariableId> {
        let of_kind = move |(_, one): &(usize, &Pvariable)| one.kind == kind;
        let all = self.pvariables.iter().enumerate().filter(of_kind);
        all.map(|(index, _)| PvariableId::from_index(index))
    }

    /// All formulas, in the order in which their draws are numbered: of the functions, the reward, preconditions, constraints,
    /// invariants and terminations.
    pub fn formulas(&self) -> impl Iterator<Item = &Formula> {
        let functions = self.cpfs.iter().map(|cpf| &cpf.formula);
        functions
            .chain([&self.reward])
            .chain(&self.preconditions)
            .chain(&self.constraints)
            .chain(&self.invariants)
            .chain(&self.terminations)
    }

    /// A range as it is written.
    #[must_use]
    pub fn range_name(&self, range: Range) -> &str {
        match range {
            Range::Bool => "bool",
            Range::Int => "int",
            Range::Real => "real",
            Range::Item(id) => self.type_of(id).name.as_str(),
        }
    }
}
