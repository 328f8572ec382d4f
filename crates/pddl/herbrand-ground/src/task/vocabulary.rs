//! The names to which a task's ids refer: objects, types, predicates, functions and schemas.

use std::fmt;

use herbrand_pddl::{
    Domain, FunctionId, Name, Object, ObjectId, PredicateId, PredicateKind, Problem, SchemaId, Type, TypeId,
    TypeUnion,
};

/// The declarations of a domain and a problem to which the ids of a task refer, and the predicates that the normal form
/// adds. Each list is indexed by the id of its kind. [`GroundTask::vocabulary`](crate::GroundTask::vocabulary) and
/// [`LiftedTask::vocabulary`](crate::LiftedTask::vocabulary) are such vocabularies.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Vocabulary {
    /// The domain's name.
    pub domain: Name,
    /// The problem's name.
    pub problem: Name,
    /// The types; the first is the root, `object` or the type above it.
    pub types: Vec<Type>,
    /// The objects, with the domain's constants first, by [`ObjectId`].
    pub objects: Vec<Object>,
    /// The predicates: first those of the domain, then the auxiliary predicates of the normal form.
    pub predicates: Vec<PredicateDeclaration>,
    /// The functions.
    pub functions: Vec<Signature>,
    /// The action schemas.
    pub schemas: Vec<Signature>,
}

/// The declaration of a predicate, function or action schema: a name with named and typed arguments.
/// [`Vocabulary::functions`] and [`Vocabulary::schemas`] list them.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Signature {
    /// The name.
    pub name: Name,
    /// The names and types of the arguments.
    pub parameters: Vec<(Name, TypeUnion)>,
}

/// The declaration of a predicate of a task. [`Vocabulary::predicates`] lists them.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PredicateDeclaration {
    /// The name and the arguments.
    pub signature: Signature,
    /// Whether its atoms are static, fluent or derived, or name an action of the agent.
    pub kind: PredicateKind,
    /// Whether the normal form added it. Auxiliary predicates are not part of observations.
    pub auxiliary: bool,
}

impl Vocabulary {
    /// Returns the vocabulary that `domain` and `problem` declare, without auxiliary predicates.
    #[must_use]
    pub fn of(domain: &Domain, problem: &Problem) -> Self {
        Self::of_domain(domain, problem.name.clone(), problem.objects.clone())
    }

    /// Returns the vocabulary of `domain` with `problem` as the name of the problem, and with these objects, which must
    /// start with the domain's constants.
    #[must_use]
    pub fn of_domain(domain: &Domain, problem: Name, objects: Vec<Object>) -> Self {
        let signature = |name: &Name, parameters: &[herbrand_pddl::Variable]| Signature {
            name: name.clone(),
            parameters: parameters
                .iter()
                .map(|p| (p.name.clone(), p.types.clone()))
                .collect(),
        };
        let predicates = domain.predicates.iter().map(|p| PredicateDeclaration {
            signature: signature(&p.name, &p.parameters),
            kind: p.kind,
            auxiliary: false,
        });
        Self {
            domain: domain.name.clone(),
            problem,
            types: domain.types.clone(),
            objects,
            predicates: predicates.collect(),
            functions: domain
                .functions
                .iter()
                .map(|f| signature(&f.name, &f.parameters))
                .collect(),
            schemas: domain
                .schemas
                .iter()
                .map(|s| signature(&s.name, s.parameters()))
                .collect(),
        }
    }

    /// Returns the name of an object.
    ///
    /// # Panics
    /// If there is no such object.
    #[must_use]
    pub fn object(&self, id: ObjectId) -> &str {
        self.objects[id.index()].name.as_str()
    }

    /// Returns the declaration of a predicate.
    ///
    /// # Panics
    /// If there is no such predicate.
    #[must_use]
    pub fn predicate(&self, id: PredicateId) -> &PredicateDeclaration {
        &self.predicates[id.index()]
    }

    /// Returns the declaration of an action schema.
    ///
    /// # Panics
    /// If there is no such schema.
    #[must_use]
    pub fn schema(&self, id: SchemaId) -> &Signature {
        &self.schemas[id.index()]
    }

    /// Returns the declaration of a function.
    ///
    /// # Panics
    /// If there is no such function.
    #[must_use]
    pub fn function(&self, id: FunctionId) -> &Signature {
        &self.functions[id.index()]
    }

    /// Returns the declaration of a type.
    ///
    /// # Panics
    /// If there is no such type.
    #[must_use]
    pub fn type_of(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// Returns whether an object can be an argument of type `types`: each type of the object must be a subtype of one
    /// of `types`. Takes time linear in the number of types. Panics if there is no such object, or if it has a type
    /// that is missing.
    #[must_use]
    pub fn fits(&self, object: ObjectId, types: &TypeUnion) -> bool {
        types.accepts(&self.objects[object.index()].types, &self.types)
    }

    /// Returns the object with this name, which must be in lower case; `None` if it is missing. Takes time linear in the
    /// number of objects.
    #[must_use]
    pub fn find_object(&self, name: &str) -> Option<ObjectId> {
        self.objects
            .iter()
            .position(|o| o.name.as_str() == name)
            .map(ObjectId::from_index)
    }

    /// Returns the predicate with this name, which must be in lower case; `None` if it is missing. Takes time linear in the
    /// number of predicates.
    #[must_use]
    pub fn find_predicate(&self, name: &str) -> Option<PredicateId> {
        self.predicates
            .iter()
            .position(|p| p.signature.name.as_str() == name)
            .map(PredicateId::from_index)
    }

    /// Returns the schema with this name, which must be in lower case; `None` if it is missing. Takes time linear in the
    /// number of schemas.
    #[must_use]
    pub fn find_schema(&self, name: &str) -> Option<SchemaId> {
        self.schemas
            .iter()
            .position(|s| s.name.as_str() == name)
            .map(SchemaId::from_index)
    }

    /// Formats `(head argument …)`, the PDDL syntax of atoms and actions. Does not allocate. Formatting panics if an
    /// object is unknown.
    pub fn term<'a>(&'a self, head: &'a Name, arguments: &'a [ObjectId]) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| {
            write!(f, "({head}")?;
            arguments
                .iter()
                .try_for_each(|&argument| write!(f, " {}", self.object(argument)))?;
            f.write_str(")")
        })
    }

    /// Parses the syntax of [`term`](Self::term), with or without parentheses, into the head and the objects. Case and
    /// spaces are ignored. Returns `None` if there is no head or if an object is unknown. The head may be any name. The
    /// number and the types of the objects are not checked.
    #[must_use]
    pub fn parse_term(&self, text: &str) -> Option<(Name, Vec<ObjectId>)> {
        let text = text.trim().to_ascii_lowercase();
        let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let mut words = inner.unwrap_or(&text).split_whitespace();
        let head = Name::new(words.next()?);
        let arguments = words.map(|word| self.find_object(word));
        Some((head, arguments.collect::<Option<_>>()?))
    }
}
