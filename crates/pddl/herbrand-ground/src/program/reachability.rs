//! The delete-relaxed program, whose model contains all atoms that some sequence of actions could make true.

use herbrand_datalog::{Facts, Program, RelationId};
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_pddl::{Atom, Domain, InitialOutcome, PredicateId, Problem, VariableId};

use super::rule::{Exactness, RuleWriter, axiom_rule, symbol};
use super::signature::{Signature, TruthSource, for_each_outcome};
use crate::normal::{
    NormalAxiom, NormalBlock, NormalDomain, NormalGoal, NormalItem, NormalLeaf, NormalSchema, u32_len,
};

/// The meaning of a rule's firings. The indexes refer to the lists of the normal form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RuleMeaning {
    /// A ground action, by this disjunct of its schema's precondition. The binding consists of the parameters, then the
    /// disjunct's existential variables. The conclusions begin with the schema's unconditional adds.
    Action { schema: usize, disjunct: usize },
    /// An instance of an axiom whose head can change. The binding consists of the head's variables, then the other variables
    /// of the body.
    Axiom { axiom: usize },
    /// The reachability of the heads only.
    Support,
}

/// The relaxed program of a problem, with its facts and the meaning of each rule.
pub(crate) struct ReachabilityProgram<'a> {
    pub(crate) program: Program,
    pub(crate) facts: Facts,
    pub(crate) signature: Signature<'a>,
    /// The meaning of each rule.
    pub(crate) meanings: Vec<RuleMeaning>,
    /// For each relation, the predicate whose atoms it contains; `None` for relations of types and applicability.
    pub(crate) predicates: Vec<Option<PredicateId>>,
}

impl<'a> ReachabilityProgram<'a> {
    /// Writes the program of `problem`.
    ///
    /// It is sound, because it derives at least all atoms that can become true. Deletes and negated literals over changing
    /// predicates are left out, and all alternatives of draws and all outcomes of initial chance count as happening (the
    /// delete relaxation, Bonet & Geffner 2001; as Datalog, Helmert 2009). Consequences of static atoms are exact, even with
    /// negation, because their rules belong to lower strata.
    pub(crate) fn of(
        domain: &'a Domain,
        problem: &'a Problem,
        normal: &NormalDomain,
        goal: &NormalGoal,
        budget: &Budget,
    ) -> Result<Self, BudgetExhausted> {
        let mut program = Program::new();
        for object in &problem.objects {
            program.symbol(object.name.as_str());
        }
        let signature = Signature::declare(domain, problem, normal, goal, &mut program, budget);
        let facts = Facts::new();
        let mut this = Self {
            program,
            facts,
            signature,
            meanings: Vec::new(),
            predicates: Vec::new(),
        };
        normal
            .schemas
            .iter()
            .enumerate()
            .for_each(|(index, schema)| this.add_schema(index, schema));
        let axioms = normal.axioms.iter().chain(&goal.axioms).enumerate();
        axioms.for_each(|(index, axiom)| this.add_axiom(index, axiom));
        this.add_facts();
        this.predicates = vec![None; this.program.relations().len()];
        for (index, relation) in this.signature.relations.iter().enumerate() {
            this.predicates[relation.index()] = Some(PredicateId::from_index(index));
        }
        this.signature.meter.check()?;
        Ok(this)
    }

    /// Adds one rule per disjunct of the precondition, and rules for the conditional items that add atoms. The latter rules
    /// start from an atom for the applicability of the action; the relation of that atom only exists if it is needed.
    fn add_schema(&mut self, index: usize, schema: &NormalSchema) {
        if self.signature.meter.is_spent() {
            return;
        }
        let name = self.signature.domain.schema(schema.schema).name.clone();
        let applicable = adds_conditionally(&schema.effect)
            .then(|| self.program.relation(format!("applicable:{name}"), schema.arity));
        for (disjunct, conjunction) in schema.precondition.iter().enumerate() {
            let (signature, program) = (&mut self.signature, &mut self.program);
            let mut rule = RuleWriter::new(signature, program, &schema.scope, schema.parameters());
            let mut heads: Vec<_> = applicable
                .map(|relation| rule.atom_of_all(relation))
                .into_iter()
                .collect();
            rule.require(conjunction, Exactness::Relaxed);
            rule.require_types(0, &[conjunction]);
            let mut adds = Vec::new();
            unconditional_adds(&schema.effect, &mut |atom| adds.push(rule.atom(atom)));
            adds.append(&mut heads);
            let rule = rule.finish(name.as_str(), adds);
            self.program.add_rule(rule);
            self.meanings.push(RuleMeaning::Action {
                schema: index,
                disjunct,
            });
        }
        if let Some(applicable) = applicable {
            let around = OuterCondition {
                relation: applicable,
                variables: schema.parameters().collect(),
            };
            self.add_conditionals(name.as_str(), schema, &schema.effect, &around);
        }
    }

    /// Adds rules for the conditional items of a block, at any depth of draws.
    fn add_conditionals(
        &mut self,
        name: &str,
        schema: &NormalSchema,
        block: &NormalBlock,
        around: &OuterCondition,
    ) {
        for item in block {
            let inside = if item.is_unconditional() {
                None
            } else {
                self.add_conditional(name, schema, item, around)
            };
            for inner in item.leaves.iter().flat_map(NormalLeaf::alternatives) {
                self.add_conditionals(name, schema, inner, inside.as_ref().unwrap_or(around));
            }
        }
    }

    /// Adds one rule per disjunct of a conditional item's condition. If the item contains further conditional items, their
    /// rules start from an atom for the outer item. So the number of rules is at most the number of disjuncts, at any
    /// nesting depth.
    fn add_conditional(
        &mut self,
        name: &str,
        schema: &NormalSchema,
        item: &NormalItem,
        around: &OuterCondition,
    ) -> Option<OuterCondition> {
        let variables = [&around.variables[..], &item.variables].concat();
        let mut inner = item.leaves.iter().flat_map(NormalLeaf::alternatives);
        let inside = inner.any(adds_conditionally).then(|| {
            let number = self.program.relations().len();
            let relation = self
                .program
                .relation(format!("happens:{name}:{number}"), u32_len(variables.len()));
            OuterCondition { relation, variables }
        });
        let mut adds = false;
        leaf_adds(item, &mut |_| adds = true);
        if !adds && inside.is_none() {
            return None;
        }
        for disjunct in &item.condition {
            let (signature, program) = (&mut self.signature, &mut self.program);
            let known = around.variables.iter().copied();
            let mut rule = RuleWriter::new(signature, program, &schema.scope, known);
            rule.require_atom(around.relation);
            rule.bind(item.variables.iter().copied());
            let happens = inside.as_ref().map(|inside| rule.atom_of_all(inside.relation));
            rule.require(disjunct, Exactness::Relaxed);
            rule.require_types(around.variables.len(), &[disjunct]);
            let mut heads: Vec<_> = happens.into_iter().collect();
            leaf_adds(item, &mut |atom| heads.push(rule.atom(atom)));
            let rule = rule.finish(&format!("{name} (effect)"), heads);
            self.program.add_rule(rule);
            self.meanings.push(RuleMeaning::Support);
        }
        inside
    }

    fn add_axiom(&mut self, index: usize, axiom: &NormalAxiom) {
        if self.signature.meter.is_spent() {
            return;
        }
        let rule = axiom_rule(
            &mut self.signature,
            &mut self.program,
            axiom,
            Exactness::Relaxed,
            &[],
        );
        let changes = self.signature.truth_source(axiom.predicate) == TruthSource::Derived;
        self.program.add_rule(rule);
        self.meanings.push(if changes {
            RuleMeaning::Axiom { axiom: index }
        } else {
            RuleMeaning::Support
        });
    }

    /// Adds the atoms of the initial state, the atoms that chance may add, and the objects of each type that a rule uses.
    pub(crate) fn add_facts(&mut self) {
        let Self { facts, signature, .. } = self;
        let mut tuple = Vec::new();
        let mut add = |facts: &mut Facts, all: &herbrand_pddl::AtomList| {
            for fact in all.iter() {
                tuple.clear();
                tuple.extend(fact.arguments.iter().copied().map(symbol));
                facts.add(signature.relations[fact.predicate.index()], &tuple);
            }
        };
        add(facts, &signature.problem.init);
        for_each_outcome(&signature.problem.chances, &mut |outcome: &InitialOutcome| {
            add(facts, &outcome.facts)
        });
        for (types, relation) in signature.type_relations() {
            signature
                .objects_of(types)
                .for_each(|object| facts.add(*relation, &[symbol(object)]));
        }
        signature.for_each_value(&mut |relation, tuple| facts.add(relation, tuple));
    }
}

/// Calls `see` with the atoms that a block adds unconditionally, or may add by a draw without further conditions.
fn unconditional_adds(block: &NormalBlock, see: &mut dyn FnMut(&Atom)) {
    block
        .iter()
        .filter(|item| item.is_unconditional())
        .for_each(|item| leaf_adds(item, see));
}

/// Calls `see` with the atoms that the leaves of one item add, or may add by a draw without further conditions.
fn leaf_adds(item: &NormalItem, see: &mut dyn FnMut(&Atom)) {
    for leaf in &item.leaves {
        match leaf {
            NormalLeaf::Add(atom) => see(atom),
            NormalLeaf::Draw { alternatives, .. } => {
                alternatives
                    .iter()
                    .for_each(|block| unconditional_adds(block, see));
            }
            NormalLeaf::Delete(_) | NormalLeaf::Assign(_) => {}
        }
    }
}

/// The context of a conditional item: an atom of this relation over these variables must hold.
struct OuterCondition {
    relation: RelationId,
    variables: Vec<VariableId>,
}

/// Returns whether an item with a condition or quantifier, at any depth of draws, adds an atom.
fn adds_conditionally(block: &NormalBlock) -> bool {
    block.iter().any(|item| {
        let mut adds = false;
        if !item.is_unconditional() {
            leaf_adds(item, &mut |_| adds = true);
        }
        adds || item
            .leaves
            .iter()
            .flat_map(NormalLeaf::alternatives)
            .any(adds_conditionally)
    })
}
