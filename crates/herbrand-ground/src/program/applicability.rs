//! The exact program: evaluated over one state, it derives which actions are applicable there.

use herbrand_datalog::{Facts, Program, RelationId, RuleId};
use herbrand_pddl::{Domain, Problem, SchemaId};

use super::rule::{Exactness, RuleWriter, axiom_rule, symbol};
use super::signature::{Change, Signature};
use crate::normal::{NormalComparison, NormalConjunction, NormalDomain, NormalGoal, NormalSchema};

/// A program whose input is a state (the atoms of its fluents, beside the static facts) and whose model holds the
/// derived atoms of that state; its rules without heads fire once for each way in which an action is applicable or the
/// goal holds.
#[derive(Clone, Debug)]
pub struct ApplicabilityProgram {
    /// The program.
    pub program: Program,
    /// The facts that hold in every state: static atoms and the objects of each type.
    pub statics: Facts,
    /// The relation of each predicate's atoms, by [`PredicateId`](herbrand_pddl::PredicateId).
    pub relations: Vec<RelationId>,
    /// How each predicate's atoms change.
    pub changes: Vec<Change>,
    /// The rules that stand for actions.
    pub actions: Vec<ApplicabilityRule>,
    /// The rules that stand for the goal.
    pub goal: Vec<RuleId>,
}

/// A rule that fires for each way in which the actions of a schema are applicable by one disjunct of its precondition.
#[derive(Clone, Debug)]
pub struct ApplicabilityRule {
    /// The rule. Its first variables are the schema's parameters.
    pub rule: RuleId,
    /// The schema.
    pub schema: SchemaId,
    /// How many of the rule's variables are parameters.
    pub arity: u32,
    /// What Datalog has no words for and the caller must still check.
    pub comparisons: Vec<NormalComparison>,
}

impl ApplicabilityProgram {
    /// The program of a problem. `None` when an axiom or the goal compares numbers, which Datalog cannot.
    #[must_use]
    pub fn of(domain: &Domain, problem: &Problem, normal: &NormalDomain, goal: &NormalGoal) -> Option<Self> {
        let mut program = Program::new();
        for object in &problem.objects {
            program.symbol(object.name.as_str());
        }
        let mut signature = Signature::declare(domain, problem, normal, goal, &mut program);
        let axioms = || normal.axioms.iter().chain(&goal.axioms);
        let bodies = axioms().map(|axiom| &axiom.body).chain(&goal.condition);
        if bodies.into_iter().any(|body| !body.comparisons.is_empty()) {
            return None;
        }
        for axiom in axioms() {
            let rule = axiom_rule(&mut signature, &mut program, axiom, Exactness::Exact);
            program.add_rule(rule);
        }
        let mut actions = Vec::new();
        for schema in &normal.schemas {
            for disjunct in &schema.precondition {
                actions.push(add_disjunct(&mut signature, &mut program, schema, disjunct));
            }
        }
        let goal = goal.condition.iter().map(|disjunct| {
            let mut rule = RuleWriter::new(&mut signature, &mut program, &goal.scope, []);
            rule.require(disjunct, Exactness::Exact);
            rule.require_types(0, &[disjunct]);
            let rule = rule.finish("goal", Vec::new());
            program.add_rule(rule)
        });
        let goal = goal.collect();
        let statics = statics(&signature);
        let Signature {
            relations, changes, ..
        } = signature;
        Some(Self {
            program,
            statics,
            relations,
            changes,
            actions,
            goal,
        })
    }
}

fn add_disjunct(
    signature: &mut Signature<'_>,
    program: &mut Program,
    schema: &NormalSchema,
    disjunct: &NormalConjunction,
) -> ApplicabilityRule {
    let name = signature.domain.schema(schema.schema).name.clone();
    let mut rule = RuleWriter::new(signature, program, &schema.scope, schema.parameters());
    rule.require(disjunct, Exactness::Exact);
    rule.require_types(0, &[disjunct]);
    let rule = rule.finish(name.as_str(), Vec::new());
    let comparisons = disjunct.comparisons.clone();
    ApplicabilityRule {
        rule: program.add_rule(rule),
        schema: schema.schema,
        arity: schema.arity,
        comparisons,
    }
}

/// The facts that hold in every state.
fn statics(signature: &Signature<'_>) -> Facts {
    let mut facts = Facts::new();
    let mut tuple = Vec::new();
    for fact in signature.problem.init.iter() {
        if signature.change(fact.predicate) == Change::Static {
            tuple.clear();
            tuple.extend(fact.arguments.iter().copied().map(symbol));
            facts.add(signature.relations[fact.predicate.index()], &tuple);
        }
    }
    for (types, relation) in signature.type_relations() {
        signature
            .objects_of(types)
            .for_each(|object| facts.add(*relation, &[symbol(object)]));
    }
    facts
}
