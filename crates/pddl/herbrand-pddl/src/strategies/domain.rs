//! Resolution of sketches to domains.

use super::needs::Needs;
use super::scope::{Scope, Standing, in_states, parameters, types};
use super::shape::Recursion;
use super::sketch::{AxiomSketch, DomainSketch, DurativeSketch, SchemaSketch};
use herbrand_text::{Origin, Place};

use crate::model::{
    ActionSchema, Atom, Axiom, Comparison, Domain, DurationBound, DurativeAction, Effect, Expression,
    Function, Name, Number, Object, Predicate, PredicateId, PredicateKind, Term, Type, TypeId, TypeUnion,
    Variable, VariableId,
};
use crate::requirements::{Requirement, Requirements};

impl DomainSketch {
    /// Returns the domain described by the sketch.
    pub(super) fn resolve(&self) -> Domain {
        let mut domain = Domain {
            name: Name::new("sketch"),
            requirements: Requirements::default(),
            types: self.types(),
            constants: Vec::new(),
            predicates: Vec::new(),
            functions: Vec::new(),
            axioms: Vec::new(),
            schemas: Vec::new(),
            durative_actions: Vec::new(),
            origin: Origin::NONE,
        };
        domain.constants = self
            .constants
            .iter()
            .enumerate()
            .map(|(index, sketch)| Object {
                name: Name::new(&format!("c{index}")),
                types: types(sketch, &domain),
                place: Place::NOWHERE,
            })
            .collect();
        self.declare_predicates(&mut domain);
        self.declare_functions(&mut domain);
        self.resolve_axioms(&mut domain);
        for (index, sketch) in self.schemas.iter().enumerate() {
            let schema = sketch.resolve(index, &mut domain);
            domain.schemas.push(schema);
        }
        for (index, sketch) in self.durative_actions.iter().enumerate() {
            let action = sketch.resolve(index, &domain);
            domain.durative_actions.push(action);
        }
        let effects = domain.schemas.iter().map(|schema| &schema.effect);
        let durative = domain.durative_actions.iter();
        let effects = effects.chain(durative.flat_map(|action| [&action.start_effect, &action.end_effect]));
        for effect in effects.cloned().collect::<Vec<_>>() {
            for_each_target(&effect, &mut |id| {
                domain.predicates[id.index()].kind = PredicateKind::Fluent
            });
        }
        domain.requirements = Needs::of_domain(&domain);
        if self.rewards {
            domain.requirements.insert(Requirement::Rewards);
        }
        domain
    }

    fn types(&self) -> Vec<Type> {
        let named = |name: &str, parents| Type {
            name: Name::new(name),
            parents,
            place: Place::NOWHERE,
        };
        let mut types = vec![named("object", Vec::new())];
        for (index, pick) in self.types.iter().enumerate() {
            let above: Vec<_> = (0..types.len()).map(TypeId::from_index).collect();
            let parents = pick.of(&above).copied().into_iter().collect();
            types.push(named(&format!("t{index}"), parents));
        }
        types
    }

    fn declare_predicates(&self, domain: &mut Domain) {
        let declared = self.predicates.iter().map(|sketch| &sketch.parameters);
        for (index, sketch) in declared.chain(&self.wide).enumerate() {
            let parameters = parameters(sketch, domain);
            domain.predicates.push(Predicate {
                name: Name::new(&format!("p{index}")),
                parameters,
                kind: PredicateKind::Static,
                place: Place::NOWHERE,
            });
        }
        for axiom in &self.axioms {
            if let Some(head) = self.head(axiom) {
                domain.predicates[head.index()].kind = PredicateKind::Derived;
            }
        }
    }

    /// Returns the predicate that an axiom derives. The first predicate is never derived. `None` if there is only one
    /// predicate.
    fn head(&self, axiom: &AxiomSketch) -> Option<PredicateId> {
        let ids: Vec<_> = (1..self.predicates.len()).map(PredicateId::from_index).collect();
        axiom.head.of(&ids).copied()
    }

    fn declare_functions(&self, domain: &mut Domain) {
        let function = |name: &str, parameters, implicit| Function {
            name: Name::new(name),
            parameters,
            implicit,
            place: Place::NOWHERE,
        };
        for (index, sketch) in self.functions.iter().enumerate() {
            let parameters = parameters(sketch, domain);
            domain
                .functions
                .push(function(&format!("f{index}"), parameters, false));
        }
        if self.total_cost {
            domain.functions.push(function("total-cost", Vec::new(), false));
        }
        if self.rewards {
            domain.functions.push(function("reward", Vec::new(), true));
        }
    }

    /// Adds the axioms. Strata follow the order of declaration. A derived predicate may depend on predicates of its own or a
    /// lower stratum; under a negation, only of a lower one.
    fn resolve_axioms(&self, domain: &mut Domain) {
        let raised = self
            .predicates
            .iter()
            .map(|predicate| predicate.raised || self.recursion == Recursion::Never);
        let strata = raised.scan(0_usize, |level, raised| {
            *level += usize::from(raised);
            Some(*level)
        });
        // Wide predicates are not derived.
        let strata: Vec<_> = strata.chain(self.wide.iter().map(|_| 0)).collect();
        for sketch in &self.axioms {
            let Some(head) = self.head(sketch) else { continue };
            let own = strata[head.index()];
            let readable = |id: PredicateId, place: Standing| {
                let below = match self.recursion {
                    Recursion::Anywhere => place.negated,
                    Recursion::OutsideForall => place.negated || place.universal,
                    Recursion::Never => true,
                };
                let level = strata[id.index()];
                domain.predicate(id).kind != PredicateKind::Derived || level < own || level == own && !below
            };
            let mut scope = Scope::new(domain, &domain.constants, &readable);
            for (parameter, pick) in domain.predicate(head).parameters.iter().zip(&sketch.narrowed) {
                let narrower = narrower(domain, parameter);
                scope.bind(pick.of(&narrower).unwrap_or(&parameter.types).clone());
            }
            let body = scope.formula(&sketch.body, Standing::default());
            let variables = scope.variables;
            domain.axioms.push(Axiom {
                predicate: head,
                variables,
                body,
                place: Place::NOWHERE,
            });
        }
    }
}

/// Returns the possible types of a parameter in a rule's head: the declared ones, or one of their subtypes.
fn narrower(domain: &Domain, parameter: &Variable) -> Vec<TypeUnion> {
    let below = (0..domain.types.len()).map(|index| TypeUnion::single(TypeId::from_index(index)));
    let below = below.filter(|types| domain.is_assignable(types, &parameter.types));
    std::iter::once(parameter.types.clone()).chain(below).collect()
}

impl SchemaSketch {
    /// Returns the schema described by the sketch. If it carries out an action of the agent, adds that action's predicate to
    /// the domain.
    fn resolve(&self, index: usize, domain: &mut Domain) -> ActionSchema {
        let readable = |id: PredicateId, _| domain.predicate(id).kind != PredicateKind::Action;
        let mut scope = Scope::new(domain, &domain.constants, &readable);
        for sketch in &self.parameters {
            scope.bind(types(sketch, domain));
        }
        let precondition = scope.formula(&self.precondition, Standing::default());
        let effect = scope.effect(&self.effect, &|id| in_states(domain, id));
        let variables = scope.variables;
        let arity = self.parameters.len();
        let agent = self.agent.as_ref().map(|picks| {
            let parameters: Vec<_> = (0..arity).map(VariableId::from_index).collect();
            let own: Vec<_> = picks
                .iter()
                .filter_map(|pick| pick.of(&parameters).copied())
                .collect();
            let predicate = PredicateId::from_index(domain.predicates.len());
            domain.predicates.push(Predicate {
                name: Name::new(&format!("do{index}")),
                parameters: own
                    .iter()
                    .enumerate()
                    .map(|(position, id)| Variable {
                        name: Name::new(&format!("x{position}")),
                        ..variables[id.index()].clone()
                    })
                    .collect(),
                kind: PredicateKind::Action,
                place: Place::NOWHERE,
            });
            Atom {
                predicate,
                arguments: own.into_iter().map(Term::Variable).collect(),
                place: Place::NOWHERE,
            }
        });
        ActionSchema {
            name: Name::new(&format!("a{index}")),
            arity: VariableId::from_index(arity).number(),
            variables,
            precondition,
            effect,
            agent,
            place: Place::NOWHERE,
        }
    }
}

impl DurativeSketch {
    /// Returns the durative action described by the sketch.
    fn resolve(&self, index: usize, domain: &Domain) -> DurativeAction {
        let readable = |id: PredicateId, _| domain.predicate(id).kind != PredicateKind::Action;
        let mut scope = Scope::new(domain, &domain.constants, &readable);
        for sketch in &self.parameters {
            scope.bind(types(sketch, domain));
        }
        let conditions = self.conditions.each_ref();
        let [start_condition, invariant, end_condition] =
            conditions.map(|part| scope.formula(part, Standing::default()));
        let effects = self.effects.each_ref();
        let [start_effect, end_effect] = effects.map(|part| scope.effect(part, &|id| in_states(domain, id)));
        let variables = scope.variables;
        let bound = |comparison, halves: u8| DurationBound {
            comparison,
            at_end: false,
            value: Expression::Number(Number::new(f64::from(halves) / 2.0).unwrap_or(Number::ZERO)),
        };
        let duration = match self.duration {
            (least, None) => vec![bound(Comparison::Equal, least)],
            (least, Some(more)) => vec![
                bound(Comparison::GreaterOrEqual, least),
                bound(Comparison::LessOrEqual, least + more),
            ],
        };
        DurativeAction {
            name: Name::new(&format!("d{index}")),
            arity: VariableId::from_index(self.parameters.len()).number(),
            variables,
            duration,
            start_condition,
            invariant,
            end_condition,
            start_effect,
            end_effect,
            place: Place::NOWHERE,
        }
    }
}

/// Calls `see` with the predicate of each atom that an effect adds or deletes.
fn for_each_target(effect: &Effect, see: &mut dyn FnMut(PredicateId)) {
    match effect {
        Effect::Add(atom) | Effect::Delete(atom) => see(atom.predicate),
        Effect::Assign(_) => {}
        Effect::And(parts) => parts.iter().for_each(|part| for_each_target(part, see)),
        Effect::Forall(_, inner) | Effect::When(_, inner) => for_each_target(inner, see),
        Effect::Probabilistic(alternatives) => {
            alternatives
                .iter()
                .for_each(|(_, inner)| for_each_target(inner, see));
        }
    }
}
