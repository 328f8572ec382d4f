//! The exact program: evaluated on one state, it derives the atoms, actions and goal of that state.

use herbrand_datalog::{Facts, Program, RelationId};
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_pddl::{Domain, Expression, Formula, Problem, Term, VariableId};

use super::effect::EffectCompiler;
use super::{ComparisonInput, DisjunctRule, LiftedAction};
use crate::normal::{
    NormalAxiom, NormalComparison, NormalConjunction, NormalDomain, NormalGoal, NormalSchema, Scope, u32_len,
    whole_precondition,
};
use crate::program::{Exactness, RuleWriter, Signature, TruthSource, axiom_rule, symbol};

/// The program of a problem, with the meaning of its relations and rules.
pub(super) struct Compiled {
    pub(super) program: Program,
    pub(super) statics: Facts,
    pub(super) relations: Vec<RelationId>,
    pub(super) truth_sources: Vec<TruthSource>,
    pub(super) actions: Vec<LiftedAction>,
    pub(super) goal: Vec<DisjunctRule>,
    pub(super) tests: Vec<ComparisonInput>,
}

pub(super) fn compile(
    domain: &Domain,
    problem: &Problem,
    normal: &NormalDomain,
    goal: &NormalGoal,
    budget: &Budget,
) -> Result<Compiled, BudgetExhausted> {
    let mut program = Program::new();
    for object in &problem.objects {
        program.symbol(object.name.as_str());
    }
    let mut signature = Signature::declare(domain, problem, normal, goal, &mut program, budget);
    let mut tests = Vec::new();
    for axiom in normal.axioms.iter().chain(&goal.axioms) {
        add_axiom(&mut signature, &mut program, axiom, &mut tests);
    }
    let ways = normal
        .schemas
        .iter()
        .map(|schema| schema_ways(&mut signature, &mut program, schema));
    let ways: Vec<_> = ways.collect();
    let goal_ways = Writer {
        signature: &mut signature,
        program: &mut program,
        name: "goal",
        scope: &goal.scope,
        parameters: Vec::new(),
    }
    .ways(&goal.condition);
    let actions = normal.schemas.iter().zip(ways).map(|(schema, ways)| {
        let name = domain.schema(schema.schema).name.clone();
        let mut compiler = EffectCompiler {
            signature: &mut signature,
            program: &mut program,
            schema,
            name: name.as_str(),
        };
        let parameters: Vec<_> = schema.parameters().collect();
        LiftedAction {
            schema: schema.schema,
            arity: schema.arity,
            scope: schema.scope.clone(),
            precondition: Formula::And(whole_precondition(domain, domain.schema(schema.schema))),
            ways,
            effect: compiler.block(&schema.effect, &parameters),
        }
    });
    let actions = actions.collect();
    signature.meter.check()?;
    let statics = statics(&signature);
    let Signature {
        relations,
        truth_sources,
        ..
    } = signature;
    Ok(Compiled {
        program,
        statics,
        relations,
        truth_sources,
        actions,
        goal: goal_ways,
        tests,
    })
}

fn schema_ways(
    signature: &mut Signature<'_>,
    program: &mut Program,
    schema: &NormalSchema,
) -> Vec<DisjunctRule> {
    let name = signature.domain.schema(schema.schema).name.clone();
    let writer = Writer {
        signature,
        program,
        name: name.as_str(),
        scope: &schema.scope,
        parameters: schema.parameters().collect(),
    };
    writer.ways(&schema.precondition)
}

/// Writes one rule per disjunct of a condition.
struct Writer<'w, 'a> {
    signature: &'w mut Signature<'a>,
    program: &'w mut Program,
    name: &'w str,
    scope: &'w Scope,
    parameters: Vec<VariableId>,
}

impl Writer<'_, '_> {
    fn ways(mut self, disjuncts: &[NormalConjunction]) -> Vec<DisjunctRule> {
        let mut shared = None;
        disjuncts
            .iter()
            .map(|disjunct| self.way(disjunct, &mut shared))
            .collect()
    }

    /// Writes the rule of one disjunct. All disjuncts without comparisons share a relation.
    fn way(&mut self, disjunct: &NormalConjunction, shared: &mut Option<RelationId>) -> DisjunctRule {
        let parameters = self.parameters.iter().copied();
        let mut rule = RuleWriter::new(self.signature, self.program, self.scope, parameters);
        rule.require(disjunct, Exactness::Exact);
        rule.require_types(0, &[disjunct]);
        let comparisons = rule.signature.unsettled(disjunct);
        let variables = if comparisons.is_empty() {
            self.parameters.clone()
        } else {
            rule.variables().to_vec()
        };
        let mut declare = || {
            rule.program
                .relation(format!("applicable:{}", self.name), u32_len(variables.len()))
        };
        let relation = if comparisons.is_empty() {
            *shared.get_or_insert_with(declare)
        } else {
            declare()
        };
        let head = rule.atom_of(relation, &variables);
        let rule = rule.finish(self.name, vec![head]);
        DisjunctRule {
            relation,
            rule: self.program.add_rule(rule),
            variables,
            comparisons,
        }
    }
}

/// Adds the rule of an axiom, with a relation for each of its comparisons.
fn add_axiom(
    signature: &mut Signature<'_>,
    program: &mut Program,
    axiom: &NormalAxiom,
    tests: &mut Vec<ComparisonInput>,
) {
    let mut atoms = Vec::new();
    for comparison in signature.unsettled(&axiom.body) {
        let variables = variables_of(&comparison);
        let relation = program.fluent(format!("test:{}", tests.len()), u32_len(variables.len()));
        let types = variables
            .iter()
            .map(|variable| &axiom.scope[variable.index()].types);
        let bindings = signature.tuples(types);
        atoms.push((relation, variables.clone()));
        tests.push(ComparisonInput {
            relation,
            comparison,
            variables,
            bindings,
        });
    }
    let rule = axiom_rule(signature, program, axiom, Exactness::Exact, &atoms);
    program.add_rule(rule);
}

/// Returns the variables of a comparison, ascending and without repetition.
fn variables_of(comparison: &NormalComparison) -> Vec<VariableId> {
    let mut variables = Vec::new();
    for side in [&comparison.left, &comparison.right] {
        side.walk(&mut |part| {
            if let Expression::Fluent(term) = part {
                variables.extend(term.arguments.iter().filter_map(|term| match *term {
                    Term::Variable(variable) => Some(variable),
                    Term::Object(_) => None,
                }));
            }
        });
    }
    variables.sort_unstable();
    variables.dedup();
    variables
}

/// Returns the facts that hold in every state.
fn statics(signature: &Signature<'_>) -> Facts {
    let mut facts = Facts::new();
    let mut tuple = Vec::new();
    for fact in signature.problem.init.iter() {
        if signature.truth_source(fact.predicate) == TruthSource::Static {
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
    signature.for_each_value(&mut |relation, tuple| facts.add(relation, tuple));
    facts
}
