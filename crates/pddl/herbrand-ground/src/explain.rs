//! Statistics that explain why each schema has many or few ground actions, for authors of domains.

use std::ops::ControlFlow;

use fxhash::FxHashSet;
use herbrand_datalog::{Evaluator, Firing, RuleId, Sink};
use herbrand_limits::Budget;
use herbrand_pddl::{Domain, Name, Problem, SchemaId, Term, VariableId};

use crate::error::GroundError;
use crate::normal::{NormalDomain, NormalSchema};
use crate::options::GroundOptions;
use crate::program::RelaxedProgram;

/// An explanation of why one schema has many ground actions or is slow to ground: the number of parameter bindings that
/// grounding finds, and the joins that find them. [`explain`] returns one per schema. Look at the schema with the
/// largest `bindings` or `candidates` first, and at its parameters with the most objects.
#[derive(Clone, PartialEq, Debug)]
pub struct SchemaExplanation {
    /// The action schema.
    pub schema: SchemaId,
    /// The number of bindings that satisfy the precondition under delete relaxation. There may be fewer ground actions:
    /// several bindings of existential variables, and several disjuncts, make one action.
    pub bindings: u64,
    /// The number of facts that the joins looked at, over all rules of the schema. If it is much larger than
    /// `bindings`, the joins are expensive.
    pub candidates: u64,
    /// The parameters, in order.
    pub parameters: Vec<ParameterExplanation>,
    /// The join plans as text. A plan starts from new facts of one atom of the precondition, its trigger: there is a
    /// line with the trigger, then one for each further step with the expected number of matches. Empty if the types
    /// and static atoms already make the schema inapplicable.
    pub plans: Vec<String>,
}

/// Statistics on the objects to which a parameter of a schema is bound. [`SchemaExplanation::parameters`] lists them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterExplanation {
    /// The parameter's name.
    pub name: Name,
    /// The number of objects of its type.
    pub objects: usize,
    /// The number of these objects to which some binding of the schema binds the parameter.
    pub taken: usize,
    /// The predicates of the positive literals of the precondition in which the parameter occurs, by name, without
    /// repetition. If empty, no positive literal restricts the parameter beyond its type.
    pub predicates: Vec<Name>,
}

impl SchemaExplanation {
    /// Returns the number of parameter bindings that satisfy the type constraints; infinite if it exceeds the range of
    /// `f64`. The precondition is ignored. It is 1 for a schema without parameters, and 0 if a parameter has no object
    /// of its type.
    #[must_use]
    pub fn combinations(&self) -> f64 {
        self.parameters
            .iter()
            .map(|parameter| parameter.objects as f64)
            .product()
    }
}

/// Returns the statistics that explain the number of ground actions of each schema, one element per schema in the order
/// of the domain. Like grounding, this evaluates the delete-relaxed program. Of the options, `atoms` is ignored.
/// [`explain_bounds`] does less, for a problem that exceeds the limits.
///
/// # Errors
/// Like [`ground`](crate::ground), so raise the limits to explain a problem that exceeded them.
pub fn explain(
    domain: &Domain,
    problem: &Problem,
    options: &GroundOptions,
) -> Result<Vec<SchemaExplanation>, GroundError> {
    GroundError::check_domain(domain, problem)?;
    let budget = Budget::new(options.limits);
    let normal = NormalDomain::within(domain, &budget)?;
    let relaxed = RelaxedProgram::of(domain, &normal, problem, &budget)?;
    let mut seen = BoundObjects::new(&relaxed);
    let evaluator = Evaluator::new(&relaxed.program)?
        .with_limits(budget.rest(0))
        // Folding would hide the plans of folded rules.
        .with_folding(usize::MAX);
    let model = evaluator.run(&relaxed.facts, &mut seen)?;
    let explanation = |schema: &NormalSchema| {
        let id = Some(schema.schema);
        let rules: Vec<_> = relaxed
            .program
            .rule_ids()
            .filter(|rule| relaxed.schemas[rule.index()] == id)
            .collect();
        let statistics = rules.iter().map(|&rule| model.statistics(rule));
        let plans = model.plans().iter().filter(|plan| rules.contains(&plan.rule));
        let taken = |parameter: usize| {
            let takes = |object: &usize| rules.iter().any(|&rule| seen.has(rule, parameter, *object));
            (0..problem.objects.len()).filter(takes).count()
        };
        SchemaExplanation {
            schema: schema.schema,
            bindings: statistics.clone().map(|rule| rule.firings).sum(),
            candidates: statistics.map(|rule| rule.candidates).sum(),
            parameters: (0..schema.arity as usize)
                .map(|index| parameter(domain, problem, &normal, schema, index, taken(index)))
                .collect(),
            plans: plans
                .map(|plan| plan.display(&relaxed.program).to_string())
                .collect(),
        }
    };
    Ok(normal.schemas.iter().map(explanation).collect())
}

/// Like [`explain`], but without evaluating the delete-relaxed program, so that it explains a problem that exceeds the
/// limits: `bindings`, `candidates` and `taken` are 0, and `plans` are empty. Of the options, only the limits count.
///
/// # Errors
/// Fails if the problem belongs to another domain, or the limits are reached even so.
pub fn explain_bounds(
    domain: &Domain,
    problem: &Problem,
    options: &GroundOptions,
) -> Result<Vec<SchemaExplanation>, GroundError> {
    GroundError::check_domain(domain, problem)?;
    let normal = NormalDomain::within(domain, &Budget::new(options.limits))?;
    let explanation = |schema: &NormalSchema| SchemaExplanation {
        schema: schema.schema,
        bindings: 0,
        candidates: 0,
        parameters: (0..schema.arity as usize)
            .map(|index| parameter(domain, problem, &normal, schema, index, 0))
            .collect(),
        plans: Vec::new(),
    };
    Ok(normal.schemas.iter().map(explanation).collect())
}

fn parameter(
    domain: &Domain,
    problem: &Problem,
    normal: &NormalDomain,
    schema: &NormalSchema,
    index: usize,
    taken: usize,
) -> ParameterExplanation {
    let variable = &schema.scope[index];
    let term = Term::Variable(VariableId::from_index(index));
    let literals = schema.precondition.iter().flat_map(|disjunct| &disjunct.literals);
    let mut predicates: Vec<Name> = literals
        .filter(|(atom, negated)| !negated && atom.arguments.contains(&term))
        .map(
            |(atom, _)| match atom.predicate.index().checked_sub(domain.predicates.len()) {
                None => domain.predicate(atom.predicate).name.clone(),
                Some(auxiliary) => normal.auxiliaries[auxiliary].name.clone(),
            },
        )
        .collect();
    predicates.sort_unstable();
    predicates.dedup();
    let fits = |object: &&herbrand_pddl::Object| domain.is_assignable(&object.types, &variable.types);
    ParameterExplanation {
        name: variable.name.clone(),
        objects: problem.objects.iter().filter(fits).count(),
        taken,
        predicates,
    }
}

/// The objects to which the firings of rules bind variables, as far as they are those of action rules.
struct BoundObjects {
    is_action: Vec<bool>,
    /// The rule, the variable and the object of each binding.
    taken: FxHashSet<(u32, u32, u32)>,
}

impl BoundObjects {
    fn new(relaxed: &RelaxedProgram) -> Self {
        Self {
            is_action: relaxed.schemas.iter().map(Option::is_some).collect(),
            taken: FxHashSet::default(),
        }
    }

    fn has(&self, rule: RuleId, variable: usize, object: usize) -> bool {
        self.taken
            .contains(&(rule.number(), variable as u32, object as u32))
    }
}

impl Sink for BoundObjects {
    fn fired(&mut self, firing: &Firing<'_>) -> ControlFlow<()> {
        if self.is_action[firing.rule.index()] {
            let bound = (0..).zip(firing.binding);
            let rule = firing.rule.number();
            self.taken
                .extend(bound.map(|(variable, symbol)| (rule, variable, symbol.number())));
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_that_its_type_alone_bounds_is_told() -> Result<(), Box<dyn std::error::Error>> {
        let domain = Domain::from_text(
            "(define (domain telescope) (:requirements :typing) (:types direction) (:constants north south - direction)
               (:predicates (pointing ?d - direction))
               (:action turn :parameters (?from ?to - direction) :precondition (pointing ?from)
                 :effect (and (not (pointing ?from)) (pointing ?to))))",
        )?;
        let problem = Problem::from_text(
            "(define (problem p) (:domain telescope) (:objects east - direction other - object)
               (:init (pointing east)) (:goal (pointing north)))",
            &domain,
        )?;
        let explained = explain(&domain, &problem, &GroundOptions::default())?;
        let [turn] = &explained[..] else {
            return Err(format!("{explained:?}").into());
        };
        assert_eq!((turn.bindings, turn.combinations()), (9, 9.0));
        let counts = turn
            .parameters
            .iter()
            .map(|p| (p.name.as_str(), p.objects, p.taken, p.predicates.len()));
        assert_eq!(counts.collect::<Vec<_>>(), [("from", 3, 3, 1), ("to", 3, 3, 0)]);
        assert_eq!(turn.plans.len(), 1);
        assert!(
            turn.plans[0].starts_with("rule `turn` from pointing("),
            "{}",
            turn.plans[0]
        );
        Ok(())
    }
}
