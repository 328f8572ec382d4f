//! The relations of a domain's programs.

use herbrand_datalog::RelationId;
use herbrand_ground::{
    NormalAxiom, NormalConjunction, NormalDomain, NormalItem, NormalLeaf, Scope, TruthSource,
};
use herbrand_pddl::{
    Domain, Expression, FunctionId, PredicateId, PredicateKind, SchemaId, Term, TypeId, TypeUnion,
};

use crate::comparison::Comparison;
use crate::name::Identifiers;
use crate::rule::{Column, Relation, Role};

/// The relations of a domain: its predicates, functions, types and schemas.
#[derive(Debug)]
pub(crate) struct Vocabulary<'a> {
    pub(crate) domain: &'a Domain,
    pub(crate) normal: &'a NormalDomain,
    pub(crate) relations: Vec<Relation>,
    /// How each predicate changes, including auxiliary predicates.
    pub(crate) changes: Vec<TruthSource>,
    /// The relation of each predicate's atoms, including auxiliary predicates.
    pub(crate) predicates: Vec<RelationId>,
    /// The relation of each schema's instances.
    pub(crate) schemas: Vec<RelationId>,
    /// The relation of each function, if a condition reads it.
    pub(crate) functions: Vec<Option<RelationId>>,
    /// The relations of the named types, in order of declaration.
    pub(crate) types: Vec<RelationId>,
    /// The comparisons that rules use.
    pub(crate) comparisons: Vec<Comparison>,
    /// Relations that are created on first use, by role.
    demanded: Vec<(Role, RelationId)>,
    /// For each predicate and argument, whether every atom has an object of the declared type there.
    vouched: Vec<Vec<bool>>,
    names: Identifiers,
}

impl<'a> Vocabulary<'a> {
    pub(crate) fn of(domain: &'a Domain, normal: &'a NormalDomain) -> Self {
        let mut this = Self {
            domain,
            normal,
            relations: Vec::new(),
            changes: changes(domain, normal),
            predicates: Vec::new(),
            schemas: Vec::new(),
            functions: Vec::new(),
            types: Vec::new(),
            comparisons: Vec::new(),
            demanded: Vec::new(),
            vouched: Vec::new(),
            names: Identifiers::default(),
        };
        this.vouched = this.vouch();
        this.declare();
        this
    }

    fn declare(&mut self) {
        let (domain, normal) = (self.domain, self.normal);
        for (index, predicate) in domain.predicates.iter().enumerate() {
            let id = PredicateId::from_index(index);
            let role = match predicate.kind {
                PredicateKind::Derived => Role::Derived(id),
                PredicateKind::Static | PredicateKind::Fluent | PredicateKind::Action => Role::Given(id),
            };
            let typed = self.typed(predicate.name.as_str(), &predicate.parameters);
            let names: Vec<_> = predicate.parameters.iter().map(|one| one.name.as_str()).collect();
            let relation = self.relation(
                predicate.name.as_str(),
                "",
                &names,
                role,
                &format!("`{typed}` is true"),
            );
            self.predicates.push(relation);
        }
        for (index, schema) in domain.schemas.iter().enumerate() {
            let role = Role::Action(SchemaId::from_index(index));
            let typed = self.typed(schema.name.as_str(), schema.parameters());
            let names: Vec<_> = schema.parameters().iter().map(|one| one.name.as_str()).collect();
            let sentence = format!("the action `{typed}` is applicable");
            let relation = self.relation(schema.name.as_str(), "_action", &names, role, &sentence);
            self.schemas.push(relation);
        }
        for index in 0..domain.types.len() {
            let union = TypeUnion::single(TypeId::from_index(index));
            let relation = self.type_relation(&union);
            self.types.push(relation);
        }
        let read = functions_read(normal);
        for (index, function) in domain.functions.iter().enumerate() {
            let id = FunctionId::from_index(index);
            let relation = read[index].then(|| {
                let typed = self.typed(function.name.as_str(), &function.parameters);
                let mut names: Vec<_> = function.parameters.iter().map(|one| one.name.as_str()).collect();
                names.push("value");
                let sentence = format!("`{typed}` is `value`");
                self.relation(
                    function.name.as_str(),
                    "_value",
                    &names,
                    Role::Function(id),
                    &sentence,
                )
            });
            self.functions.push(relation);
        }
        for auxiliary in &normal.auxiliaries {
            let names: Vec<_> = auxiliary
                .parameters
                .iter()
                .map(|(name, _)| name.as_str())
                .collect();
            let place = auxiliary.name.as_str().split(':').next().unwrap_or_default();
            let sentence = format!("a part of the conditions of `{place}` is true, by the rules below");
            let relation = self.relation(auxiliary.name.as_str(), "", &names, Role::Auxiliary, &sentence);
            self.predicates.push(relation);
        }
    }

    /// Adds a relation over objects; the last column is a number for functions. `parameters` are the names of the arguments.
    /// `ending` is appended to the name if it is taken.
    fn relation(
        &mut self,
        name: &str,
        ending: &str,
        parameters: &[&str],
        role: Role,
        sentence: &str,
    ) -> RelationId {
        let mut columns = vec![Column::Object; parameters.len()];
        match (&role, columns.last_mut()) {
            (Role::Function(_), Some(last)) => *last = Column::Number,
            (Role::Size(_), Some(last)) => *last = Column::Count,
            (Role::Order(_), _) => columns[0] = Column::Count,
            _ => {}
        }
        self.add(name, ending, parameters, columns, role, sentence)
    }

    fn add(
        &mut self,
        name: &str,
        ending: &str,
        parameters: &[&str],
        columns: Vec<Column>,
        role: Role,
        sentence: &str,
    ) -> RelationId {
        let mut arguments = Identifiers::default();
        let arguments: Vec<_> = parameters
            .iter()
            .map(|parameter| arguments.add(parameter))
            .collect();
        let name = self.names.add_or(name, ending);
        let sentence = format!("`{name}({})`: {sentence}.", arguments.join(", "));
        let id = RelationId::new(self.relations.len() as u32);
        self.relations.push(Relation {
            name,
            columns,
            role,
            sentence,
        });
        id
    }

    /// Adds an auxiliary relation over `variables`, with a further count column if `counts` is set.
    pub(crate) fn auxiliary(
        &mut self,
        name: &str,
        variables: &[&str],
        counts: bool,
        sentence: &str,
    ) -> RelationId {
        let mut parameters = variables.to_vec();
        let mut columns = vec![Column::Object; variables.len()];
        if counts {
            parameters.push("count");
            columns.push(Column::Count);
        }
        self.add(name, "", &parameters, columns, Role::Auxiliary, sentence)
    }

    /// Returns the relation with this role. Creates it on first use.
    fn demand(&mut self, role: Role, make: impl FnOnce(&mut Self, Role) -> RelationId) -> RelationId {
        let known = self.demanded.iter().find(|(known, _)| *known == role);
        if let Some(&(_, relation)) = known {
            return relation;
        }
        let relation = make(self, role.clone());
        self.demanded.push((role, relation));
        relation
    }

    /// Returns the unary relation of the objects of `types`.
    pub(crate) fn type_relation(&mut self, types: &TypeUnion) -> RelationId {
        self.demand(Role::Type(types.clone()), |this, role| {
            let (name, text) = (this.type_names(types, "_or_"), this.type_names(types, "` or `"));
            this.relation(
                &name,
                "_type",
                &["x"],
                role,
                &format!("`x` is an object of type `{text}`"),
            )
        })
    }

    /// Returns the relation of the objects of `types` with their indices.
    pub(crate) fn order_relation(&mut self, types: &TypeUnion) -> RelationId {
        self.demand(Role::Order(types.clone()), |this, role| {
            let (name, text) = (this.type_names(types, "_or_"), this.type_names(types, "` or `"));
            let sentence = format!("`x` comes after `position` others among the objects of type `{text}`");
            this.relation(&format!("{name}_at"), "", &["position", "x"], role, &sentence)
        })
    }

    /// Returns the relation with the number of objects of `types`.
    pub(crate) fn size_relation(&mut self, types: &TypeUnion) -> RelationId {
        self.demand(Role::Size(types.clone()), |this, role| {
            let (name, text) = (this.type_names(types, "_or_"), this.type_names(types, "` or `"));
            let sentence = format!("there are `count` objects of type `{text}`");
            this.relation(&format!("{name}_count"), "", &["count"], role, &sentence)
        })
    }

    /// Returns the relation of the atoms of a static or static derived predicate that hold in every state.
    pub(crate) fn known_relation(&mut self, predicate: PredicateId) -> RelationId {
        self.demand(Role::Known(predicate), |this, role| {
            let relation = this.predicates[predicate.index()];
            let Relation { name, columns, .. } = this.relations[relation.index()].clone();
            let parameters: Vec<_> = (1..=columns.len()).map(|number| format!("x{number}")).collect();
            let parameters: Vec<_> = parameters.iter().map(String::as_str).collect();
            let sentence = format!("`{name}({})` in every state", parameters.join(", "));
            this.relation(&format!("{name}_known"), "", &parameters, role, &sentence)
        })
    }

    fn type_names(&self, types: &TypeUnion, between: &str) -> String {
        let names = types
            .types()
            .iter()
            .map(|&one| self.domain.type_of(one).name.as_str());
        names.collect::<Vec<_>>().join(between)
    }

    /// Returns a predicate or schema with typed parameters, such as `(name ?x - type)`.
    fn typed(&self, name: &str, parameters: &[herbrand_pddl::Variable]) -> String {
        let mut text = format!("({name}");
        for parameter in parameters {
            text += &format!(" ?{}", parameter.name);
            match parameter.types.types() {
                [TypeId::OBJECT] => {}
                [_] => text += &format!(" - {}", self.type_names(&parameter.types, "")),
                _ => text += &format!(" - (either {})", self.type_names(&parameter.types, " ")),
            }
        }
        text + ")"
    }

    /// Returns whether every object of `inner` is an object of `outer`.
    pub(crate) fn includes(&self, outer: &TypeUnion, inner: &TypeUnion) -> bool {
        self.domain.is_assignable(inner, outer)
    }

    /// Returns all relations in order of creation.
    pub(crate) fn ids(&self) -> impl Iterator<Item = RelationId> + use<> {
        (0..self.relations.len() as u32).map(RelationId::new)
    }

    /// Returns the relation with this id.
    pub(crate) fn get(&self, relation: RelationId) -> &Relation {
        &self.relations[relation.index()]
    }

    /// Returns whether every atom of the predicate has an object of `types` at this argument.
    pub(crate) fn vouches(&self, predicate: PredicateId, argument: usize, types: &TypeUnion) -> bool {
        self.vouched[predicate.index()][argument]
            && self.includes(types, &self.parameter_types(predicate)[argument])
    }

    fn parameter_types(&self, predicate: PredicateId) -> Vec<TypeUnion> {
        let declared = self.domain.predicates.get(predicate.index());
        match declared {
            Some(declared) => declared.parameters.iter().map(|one| one.types.clone()).collect(),
            None => {
                let auxiliary = &self.normal.auxiliaries[predicate.index() - self.domain.predicates.len()];
                auxiliary
                    .parameters
                    .iter()
                    .map(|(_, types)| types.clone())
                    .collect()
            }
        }
    }

    /// Returns, for each argument of each predicate, whether all added and derived atoms have an object of the declared type
    /// there. Facts from the caller have the declared types by contract.
    fn vouch(&self) -> Vec<Vec<bool>> {
        let predicates = self.domain.predicates.len() + self.normal.auxiliaries.len();
        let declared: Vec<_> = (0..predicates)
            .map(|index| self.parameter_types(PredicateId::from_index(index)))
            .collect();
        let mut vouched: Vec<Vec<bool>> = declared.iter().map(|types| vec![true; types.len()]).collect();
        let mut see = |predicate: PredicateId, terms: &[Term], scope: &Scope| {
            for (argument, term) in terms.iter().enumerate() {
                let types = match *term {
                    Term::Variable(variable) => &scope[variable.index()].types,
                    Term::Object(object) => &self.domain.constants[object.index()].types,
                };
                vouched[predicate.index()][argument] &=
                    self.includes(&declared[predicate.index()][argument], types);
            }
        };
        for schema in &self.normal.schemas {
            for_each_add(&schema.effect, &mut |atom| {
                see(atom.predicate, &atom.arguments, &schema.scope)
            });
        }
        for axiom in &self.normal.axioms {
            let head: Vec<_> = axiom.head.iter().copied().map(Term::Variable).collect();
            see(axiom.predicate, &head, &axiom.scope);
        }
        vouched
    }
}

/// Calls `see` with every atom that a block of effects may add.
fn for_each_add(block: &[NormalItem], see: &mut dyn FnMut(&herbrand_pddl::Atom)) {
    for leaf in block.iter().flat_map(|item| &item.leaves) {
        match leaf {
            NormalLeaf::Add(atom) => see(atom),
            NormalLeaf::Draw { alternatives, .. } => {
                alternatives.iter().for_each(|block| for_each_add(block, see));
            }
            NormalLeaf::Delete(_) | NormalLeaf::Assign(_) => {}
        }
    }
}

/// Returns how each predicate changes. A derived predicate is static if no predicate that it depends on changes.
fn changes(domain: &Domain, normal: &NormalDomain) -> Vec<TruthSource> {
    let declared = domain.predicates.iter().map(|predicate| match predicate.kind {
        PredicateKind::Static | PredicateKind::Action => TruthSource::Static,
        PredicateKind::Fluent => TruthSource::Fluent,
        PredicateKind::Derived => TruthSource::StaticDerived,
    });
    let auxiliaries = normal.auxiliaries.iter().map(|_| TruthSource::StaticDerived);
    let mut changes: Vec<_> = declared.chain(auxiliaries).collect();
    let moves = |changes: &[TruthSource], body: &NormalConjunction| {
        let moving = |predicate: PredicateId| {
            matches!(
                changes[predicate.index()],
                TruthSource::Fluent | TruthSource::Derived
            )
        };
        !body.comparisons.is_empty() || atoms(body).any(|atom| moving(atom.predicate))
    };
    loop {
        let still = |axiom: &&NormalAxiom| changes[axiom.predicate.index()] == TruthSource::StaticDerived;
        let next = normal
            .axioms
            .iter()
            .filter(still)
            .find(|axiom| moves(&changes, &axiom.body));
        match next {
            Some(axiom) => changes[axiom.predicate.index()] = TruthSource::Derived,
            None => return changes,
        }
    }
}

/// Returns, for each function, whether a precondition or an axiom reads it.
fn functions_read(normal: &NormalDomain) -> Vec<bool> {
    let mut read = vec![false; normal.functions.len()];
    let preconditions = normal.schemas.iter().flat_map(|schema| &schema.precondition);
    let bodies = normal.axioms.iter().map(|axiom| &axiom.body);
    for comparison in preconditions.chain(bodies).flat_map(|body| &body.comparisons) {
        for side in [&comparison.left, &comparison.right] {
            side.walk(&mut |inner| {
                if let Expression::Fluent(term) = inner {
                    read[term.function.index()] = true;
                }
            });
        }
    }
    read
}

impl Vocabulary<'_> {
    /// Returns the static predicates that a predicate depends on, including itself.
    pub(crate) fn static_supports(&self, predicate: PredicateId) -> Vec<PredicateId> {
        let mut found = vec![predicate];
        let mut next = 0;
        while let Some(&reader) = found.get(next) {
            next += 1;
            for axiom in self
                .normal
                .axioms
                .iter()
                .filter(|axiom| axiom.predicate == reader)
            {
                for atom in atoms(&axiom.body) {
                    if !found.contains(&atom.predicate) {
                        found.push(atom.predicate);
                    }
                }
            }
        }
        found.retain(|read| self.changes[read.index()] == TruthSource::Static);
        found.sort_unstable();
        found
    }
}

fn atoms(body: &NormalConjunction) -> impl Iterator<Item = &herbrand_pddl::Atom> {
    let literals = body.literals.iter().map(|(atom, _)| atom);
    literals.chain(body.universals.iter().map(|universal| &universal.atom))
}
