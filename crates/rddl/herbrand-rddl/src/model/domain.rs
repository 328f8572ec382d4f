//! Checked domains.

use herbrand_text::{Origin, Place};

use super::{Condition, CpfId, DrawId, Formula, Name, PvariableId, Range, TypeId, Value, VariableId};

/// A checked and resolved domain. [`Domain::parse`] makes one from texts. Its instances share it by an
/// [`Arc`](std::sync::Arc).
#[derive(Clone, PartialEq, Debug)]
pub struct Domain {
    /// The name of the domain.
    pub name: Name,
    /// The requirements, as declared.
    pub requirements: Vec<Name>,
    /// The types, in declaration order.
    pub types: Vec<Type>,
    /// The parameterised variables, in declaration order.
    pub pvariables: Vec<Pvariable>,
    /// The conditional probability functions in source order: one per state, interm, derived and observ fluent.
    pub cpfs: Vec<Cpf>,
    /// The CPFs grouped by evaluation level, for evaluators: evaluate the levels in order. Each CPF reads only CPFs of lower
    /// levels, and state, action and non-fluents. Within a level they are ordered by name.
    pub levels: Vec<Vec<CpfId>>,
    /// The formula of the reward of a step.
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
    /// The source text to which the places in this domain refer.
    pub origin: Origin,
}

/// A declared type: its items are the objects of an instance, or the values of an enum. [`Domain::types`] lists them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Type {
    /// The name of the type.
    pub name: Name,
    /// The kind of the type's items.
    pub kind: TypeKind,
    /// The place of its declaration.
    pub place: Place,
}

/// The kind of items that a type has: objects or enum values. [`Type::kind`] has it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// Objects, which an instance lists.
    Objects,
    /// Enum values without `@`, in declaration order.
    Enum(Vec<Name>),
}

herbrand_text::named! {
    /// The role of a parameterised variable (pvariable). [`Pvariable::kind`] has it.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum PvariableKind {
        /// A constant that each instance sets.
        NonFluent = "non-fluent",
        /// A part of the state, which a CPF updates.
        State = "state-fluent",
        /// A part of the action, which the agent sets.
        Action = "action-fluent",
        /// An intermediate value, computed within a step from state and action.
        Interm = "interm-fluent",
        /// A value computed from the state.
        Derived = "derived-fluent",
        /// An observation, computed from the next state.
        Observ = "observ-fluent",
    }
    /// Returns the RDDL spelling of the kind, such as `state-fluent`.
    pub fn as_str
}

/// A parameterised variable (pvariable), declared in a domain. An instance has a ground variable for each binding of
/// its parameters. [`Domain::pvariables`] lists them.
#[derive(Clone, PartialEq, Debug)]
pub struct Pvariable {
    /// The name of the pvariable.
    pub name: Name,
    /// The role of the pvariable.
    pub kind: PvariableKind,
    /// The types of its parameters.
    pub parameters: Vec<TypeId>,
    /// The range of its values.
    pub range: Range,
    /// The declared default value, converted to the range; `None` if none is declared.
    pub default: Option<Value>,
    /// The place of its declaration.
    pub place: Place,
}

/// A conditional probability function (CPF): computes the value of a fluent. The CPF of a state fluent computes its
/// next value. [`Domain::cpfs`] lists them.
#[derive(Clone, PartialEq, Debug)]
pub struct Cpf {
    /// The fluent whose value it computes.
    pub head: PvariableId,
    /// The value for each binding of the parameters. Its range converts to the fluent's range.
    pub formula: Formula,
    /// The place of its definition.
    pub place: Place,
}

/// A random draw in a domain. [`Domain::draws`] lists them, and [`Expression::draw`](super::Expression::draw) returns
/// the id of the draw that an expression makes.
///
/// It is one occurrence of a distribution in a formula. A ground draw is a `Draw` with an item for each variable in scope.
/// [`Sites`](super::Sites) numbers ground draws.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Draw {
    /// The variables of its formula that are bound around it, outermost first. The component of a vector draw is not
    /// included.
    pub scope: Vec<VariableId>,
    /// The types of these variables.
    pub types: Vec<TypeId>,
    /// For a vector draw: the type whose items are the components; `None` for a draw of one value.
    pub components: Option<TypeId>,
}

impl PvariableKind {
    /// Returns the keyword with its article, for messages, such as `an action-fluent`.
    pub(crate) fn with_article(self) -> String {
        let article = match self {
            Self::NonFluent | Self::State | Self::Derived => "a",
            Self::Action | Self::Interm | Self::Observ => "an",
        };
        format!("{article} {}", self.as_str())
    }

    /// Returns `true` if a CPF computes the value of pvariables of this kind.
    #[must_use]
    pub const fn has_cpf(self) -> bool {
        !matches!(self, Self::NonFluent | Self::Action)
    }
}

impl Type {
    /// Returns the values of an enum type; `None` for an object type.
    #[must_use]
    pub fn values(&self) -> Option<&[Name]> {
        match &self.kind {
            TypeKind::Enum(values) => Some(values),
            TypeKind::Objects => None,
        }
    }
}

impl Pvariable {
    /// Returns the value of ground variables that an instance does not set: the declared default, or else `false`, 0 or the
    /// first item of the type.
    #[must_use]
    pub fn default_value(&self) -> Value {
        self.default.unwrap_or(self.range.zero())
    }
}

impl Domain {
    /// Returns the type with this id. Panics if there is no such type.
    #[must_use]
    pub fn type_of(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// Returns the pvariable with this id. Panics if there is no such pvariable.
    #[must_use]
    pub fn pvariable(&self, id: PvariableId) -> &Pvariable {
        &self.pvariables[id.index()]
    }

    /// Returns the CPF with this id. Panics if there is no such CPF.
    #[must_use]
    pub fn cpf(&self, id: CpfId) -> &Cpf {
        &self.cpfs[id.index()]
    }

    /// Returns the random draw with this id. Panics if there is no such draw.
    #[must_use]
    pub fn draw(&self, id: DrawId) -> &Draw {
        &self.draws[id.index()]
    }

    /// Finds a type by its name; `None` if there is no such type. The name is case-sensitive.
    #[must_use]
    pub fn find_type(&self, name: &str) -> Option<TypeId> {
        let position = self.types.iter().position(|one| one.name.as_str() == name);
        position.map(TypeId::from_index)
    }

    /// Finds a pvariable by its name; `None` if there is no such pvariable. The name is case-sensitive and has no
    /// prime.
    #[must_use]
    pub fn find_pvariable(&self, name: &str) -> Option<PvariableId> {
        let position = self.pvariables.iter().position(|one| one.name.as_str() == name);
        position.map(PvariableId::from_index)
    }

    /// Returns the pvariables of a kind, in declaration order.
    pub fn of_kind(&self, kind: PvariableKind) -> impl Iterator<Item = PvariableId> {
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

    /// Returns the RDDL spelling of a range, such as `bool` or the name of a type. Panics if the domain has no such
    /// type.
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
