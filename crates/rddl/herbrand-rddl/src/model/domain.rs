//! Checked domains.

use herbrand_text::{Origin, Place};

use super::{Condition, CpfId, DrawId, Formula, Name, PvariableId, Range, TypeId, Value, VariableId};

/// A checked and resolved domain. All instances of a problem share it.
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
    /// The conditional probability functions in source order: one per state, interm, derived and observ fluent.
    pub cpfs: Vec<Cpf>,
    /// The CPFs by level. Each reads only CPFs of lower levels, and state, action and non-fluents. Within a level they are
    /// ordered by name.
    pub levels: Vec<Vec<CpfId>>,
    /// The reward of a step.
    pub reward: Formula,
    /// `action-preconditions`: conditions on the state and the action before a step.
    pub preconditions: Vec<Condition>,
    /// `state-action-constraints`: the older form of preconditions.
    pub constraints: Vec<Condition>,
    /// `state-invariants`: conditions on every state.
    pub invariants: Vec<Condition>,
    /// `termination`: conditions that end the episode if one of them holds in the next state.
    pub terminations: Vec<Condition>,
    /// The random draws in numbering order: draws of the CPFs in their order, of the reward, then of the conditions.
    pub draws: Vec<Draw>,
    /// The source text to which the places refer.
    pub origin: Origin,
}

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Type {
    /// The name.
    pub name: Name,
    /// The kind of its items.
    pub kind: TypeKind,
    /// The place of its declaration.
    pub place: Place,
}

/// The kind of items of a type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// Objects, which an instance lists.
    Objects,
    /// Enum values without `@`, in declaration order.
    Enum(Vec<Name>),
}

/// The role of a pvariable.
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
    /// An observation of the next state.
    Observ,
}

/// A parameterised variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Pvariable {
    /// The name.
    pub name: Name,
    /// Its role.
    pub kind: Kind,
    /// The types of its parameters.
    pub parameters: Vec<TypeId>,
    /// The range of its values.
    pub range: Range,
    /// The default converted to the range; `None` if none is stated.
    pub default: Option<Value>,
    /// The place of its declaration.
    pub place: Place,
}

/// A conditional probability function (CPF): computes the value of a fluent. The CPF of a state fluent computes its next
/// value.
#[derive(Clone, PartialEq, Debug)]
pub struct Cpf {
    /// The fluent.
    pub head: PvariableId,
    /// The value for each binding of the parameters. Its range converts to the fluent's range.
    pub formula: Formula,
    /// The place of its definition.
    pub place: Place,
}

/// A random draw in a domain.
///
/// A ground draw is a `Draw` with an item for each variable in scope. [`Sites`](super::Sites) numbers ground draws.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Draw {
    /// The variables of its formula that are bound around it, outermost first. The component of a vector draw is not
    /// included.
    pub scope: Vec<VariableId>,
    /// The types of these variables.
    pub types: Vec<TypeId>,
    /// For a vector draw: the type whose items are the components.
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

    /// Returns the RDDL spelling, such as `state-fluent`.
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

    /// Returns `true` if a CPF computes its value.
    #[must_use]
    pub const fn has_cpf(self) -> bool {
        !matches!(self, Self::NonFluent | Self::Action)
    }
}

impl Type {
    /// Returns the values of an enum; `None` for an object type.
    #[must_use]
    pub fn values(&self) -> Option<&[Name]> {
        match &self.kind {
            TypeKind::Enum(values) => Some(values),
            TypeKind::Objects => None,
        }
    }
}

impl Pvariable {
    /// Returns the stated default, or else `false`, 0 or the first item.
    #[must_use]
    pub fn default_value(&self) -> Value {
        self.default.unwrap_or(self.range.zero())
    }
}

impl Domain {
    /// Returns the type `id`.
    #[must_use]
    pub fn type_of(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// Returns the pvariable `id`.
    #[must_use]
    pub fn pvariable(&self, id: PvariableId) -> &Pvariable {
        &self.pvariables[id.index()]
    }

    /// Returns the CPF `id`.
    #[must_use]
    pub fn cpf(&self, id: CpfId) -> &Cpf {
        &self.cpfs[id.index()]
    }

    /// Returns the draw `id`.
    #[must_use]
    pub fn draw(&self, id: DrawId) -> &Draw {
        &self.draws[id.index()]
    }

    /// Finds a type by name.
    #[must_use]
    pub fn find_type(&self, name: &str) -> Option<TypeId> {
        let position = self.types.iter().position(|one| one.name.as_str() == name);
        position.map(TypeId::from_index)
    }

    /// Finds a pvariable by name.
    #[must_use]
    pub fn find_pvariable(&self, name: &str) -> Option<PvariableId> {
        let position = self.pvariables.iter().position(|one| one.name.as_str() == name);
        position.map(PvariableId::from_index)
    }

    /// Returns the pvariables of a kind, in declaration order.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = PvariableId> {
        let of_kind = move |(_, one): &(usize, &Pvariable)| one.kind == kind;
        let all = self.pvariables.iter().enumerate().filter(of_kind);
        all.map(|(index, _)| PvariableId::from_index(index))
    }

    /// Returns all formulas in the order in which their draws are numbered: CPFs, reward, preconditions, constraints,
    /// invariants, terminations.
    pub fn formulas(&self) -> impl Iterator<Item = &Formula> {
        let functions = self.cpfs.iter().map(|cpf| &cpf.formula);
        functions
            .chain([&self.reward])
            .chain(&self.preconditions)
            .chain(&self.constraints)
            .chain(&self.invariants)
            .chain(&self.terminations)
    }

    /// Returns the RDDL spelling of a range.
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
