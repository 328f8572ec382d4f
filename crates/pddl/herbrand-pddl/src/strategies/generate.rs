//! The `proptest` strategies for sketches.

use std::ops::RangeInclusive;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::any;
use proptest::strategy::{BoxedStrategy, Just, Strategy, Union};

use super::Shape;
use super::shape::WIDEST;
use super::sketch::{
    AtomSketch, AxiomSketch, ChanceSketch, DomainSketch, DurativeSketch, EffectSketch, ExpressionSketch,
    FormulaSketch, InitialSketch, Pick, PredicateSketch, ProblemSketch, SchemaSketch, VariablesSketch,
};
use crate::model::{ArithmeticOperator, AssignOperator, Comparison};
use crate::requirements::Requirement;

/// Generates sketches of domains.
pub(super) fn domain(shape: &Shape) -> impl Strategy<Value = DomainSketch> + use<> {
    let typing = shape.allows(Requirement::Typing);
    let (numeric, axioms) = (
        shape.allows(Requirement::NumericFluents),
        shape.allows(Requirement::DerivedPredicates),
    );
    let predicate = (variables(0..=shape.arity), any::<bool>());
    let predicate = predicate.prop_map(|(parameters, raised)| PredicateSketch { parameters, raised });
    let head = (pick(), vec(pick(), shape.arity));
    let axiom = (head, formula(shape, shape.depth)).prop_map(|((head, narrowed), body)| AxiomSketch {
        head,
        narrowed,
        body,
    });
    let declared = (
        vec(pick(), 0..=if typing { shape.types } else { 0 }),
        variables(0..=shape.constants),
        vec(predicate, shape.predicates.clone()),
        wide_predicates(shape),
        vec(variables(0..=shape.arity.min(2)), 0..=if numeric { 2 } else { 0 }),
        sometimes(shape.allows(Requirement::ActionCosts), Just(())),
        sometimes(shape.allows(Requirement::Rewards), Just(())),
    );
    let recursion = shape.recursion;
    let rules = (
        vec(axiom, 0..=if axioms { shape.axioms } else { 0 }),
        vec(schema(shape), shape.schemas.clone()),
        vec(
            durative_action(shape),
            0..=2 * usize::from(shape.allows(Requirement::DurativeActions)),
        ),
    );
    (declared, rules).prop_map(move |(declared, (axioms, schemas, durative_actions))| {
        let (types, constants, predicates, wide, functions, total_cost, rewards) = declared;
        DomainSketch {
            types,
            constants,
            predicates,
            wide,
            functions,
            total_cost: total_cost.is_some(),
            rewards: rewards.is_some(),
            recursion,
            axioms,
            schemas,
            durative_actions,
        }
    })
}

/// The parameters of at most one predicate of four arguments or more.
fn wide_predicates(shape: &Shape) -> impl Strategy<Value = Vec<VariablesSketch>> + use<> {
    let wide = variables(4..=shape.wide.max(4));
    vec(wide, 0..=usize::from(shape.wide >= 4))
}
/// Generates sketches of problems.
pub(super) fn problem(shape: &Shape) -> impl Strategy<Value = ProblemSketch> + use<> {
    let chances = if shape.allows(Requirement::ProbabilisticEffects) {
        2
    } else {
        0
    };
    let timed = 3 * usize::from(shape.allows(Requirement::TimedInitialLiterals));
    let rewards = shape.allows(Requirement::Rewards);
    let number = || -4..=4_i8;
    let metric = (any::<bool>(), expression());
    (
        variables(shape.objects.clone()),
        vec(atom(), 0..=shape.facts),
        vec(option::weighted(0.9, number()), 1..=6),
        vec(chance(initial()), 0..=chances),
        vec((0..=12_u8, any::<bool>(), atom()), 0..=timed),
        option::weighted(0.9, conjunction(shape, 1..=4)),
        sometimes(rewards, number()),
        sometimes(rewards, metric),
    )
        .prop_map(
            |(objects, facts, values, chances, timed, goal, goal_reward, metric)| ProblemSketch {
                objects,
                facts,
                values,
                chances,
                timed,
                goal,
                goal_reward,
                metric,
            },
        )
}

fn schema(shape: &Shape) -> impl Strategy<Value = SchemaSketch> + use<> {
    (
        variables(0..=shape.parameters),
        conjunction(shape, 0..=3),
        vec(effect(shape, shape.depth.saturating_sub(1)), 1..=4).prop_map(EffectSketch::And),
        sometimes(shape.agent_actions, vec(pick(), 0..=2)),
    )
        .prop_map(|(parameters, precondition, effect, agent)| SchemaSketch {
            parameters,
            precondition,
            effect,
            agent,
        })
}

fn durative_action(shape: &Shape) -> impl Strategy<Value = DurativeSketch> + use<> {
    let condition = || conjunction(shape, 0..=2);
    let effects = || vec(effect(shape, shape.depth.saturating_sub(1)), 0..=2).prop_map(EffectSketch::And);
    let longer = sometimes(shape.allows(Requirement::DurationInequalities), 1..=6_u8);
    (
        variables(0..=shape.parameters.min(2)),
        (0..=8_u8, longer),
        [condition(), condition(), condition()],
        [effects(), effects()],
    )
        .prop_map(|(parameters, duration, conditions, effects)| DurativeSketch {
            parameters,
            duration,
            conditions,
            effects,
        })
}

fn pick() -> impl Strategy<Value = Pick> {
    any::<u8>().prop_map(Pick)
}

/// Generates `Some` in half of the cases if `possible`, else always `None`.
fn sometimes<S: Strategy>(possible: bool, something: S) -> impl Strategy<Value = Option<S::Value>> {
    (any::<bool>(), something).prop_map(move |(chosen, something)| (possible && chosen).then_some(something))
}

fn variables(count: RangeInclusive<usize>) -> impl Strategy<Value = VariablesSketch> {
    let single = vec(pick(), 1).boxed();
    let types = Union::new_weighted(vec![(5, single), (1, vec(pick(), 2).boxed())]);
    vec(types, count)
}

fn atom() -> impl Strategy<Value = AtomSketch> {
    (pick(), vec(pick(), WIDEST)).prop_map(|(head, arguments)| AtomSketch { head, arguments })
}

/// Generates formulas that are conjunctions at the top level, like most preconditions and goals.
fn conjunction(shape: &Shape, parts: RangeInclusive<usize>) -> impl Strategy<Value = FormulaSketch> + use<> {
    vec(formula(shape, shape.depth.saturating_sub(1)), parts).prop_map(FormulaSketch::And)
}

fn formula(shape: &Shape, depth: u32) -> BoxedStrategy<FormulaSketch> {
    let mut leaves = vec![(6, atom().prop_map(FormulaSketch::Atom).boxed())];
    if shape.allows(Requirement::Equality) {
        leaves.push((
            1,
            (pick(), pick())
                .prop_map(|(left, right)| FormulaSketch::Equal(left, right))
                .boxed(),
        ));
    }
    if shape.allows(Requirement::NumericFluents) {
        let compare = (comparison(), expression(), expression());
        leaves.push((
            1,
            compare
                .prop_map(|(how, left, right)| FormulaSketch::Compare(how, left, right))
                .boxed(),
        ));
    }
    let shape = shape.clone();
    let nested = Union::new_weighted(leaves).prop_recursive(depth, 10, 3, move |inner| {
        let one = || inner.clone().prop_map(Box::new);
        let several = || vec(inner.clone(), 0..=3);
        let bound = || (variables(1..=2), one());
        let mut kinds = vec![(3, several().prop_map(FormulaSketch::And).boxed())];
        let mut allow = |flag, weight, kind| {
            if shape.allows(flag) {
                kinds.push((weight, kind));
            }
        };
        let imply =
            (one(), one()).prop_map(|(premise, conclusion)| FormulaSketch::Imply(premise, conclusion));
        let forall = bound().prop_map(|(variables, inner)| FormulaSketch::Forall(variables, inner));
        let exists = bound().prop_map(|(variables, inner)| FormulaSketch::Exists(variables, inner));
        allow(
            Requirement::NegativePreconditions,
            3,
            one().prop_map(FormulaSketch::Not).boxed(),
        );
        allow(
            Requirement::DisjunctivePreconditions,
            2,
            several().prop_map(FormulaSketch::Or).boxed(),
        );
        allow(Requirement::DisjunctivePreconditions, 1, imply.boxed());
        allow(Requirement::UniversalPreconditions, 2, forall.boxed());
        allow(Requirement::ExistentialPreconditions, 2, exists.boxed());
        Union::new_weighted(kinds)
    });
    nested.boxed()
}

fn comparison() -> impl Strategy<Value = Comparison> {
    use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual};
    Union::new([LessOrEqual, Less, Equal, GreaterOrEqual, Greater].map(Just))
}

fn expression() -> impl Strategy<Value = ExpressionSketch> {
    let number = (-4..=4_i8).prop_map(ExpressionSketch::Number).boxed();
    let leaf = Union::new_weighted(vec![
        (2, number),
        (3, atom().prop_map(ExpressionSketch::Fluent).boxed()),
    ]);
    leaf.prop_recursive(2, 4, 3, |inner| {
        use ArithmeticOperator::{Add, Divide, Multiply, Negate, Subtract};
        let of = |operators: &[ArithmeticOperator], count| {
            let operator = Union::new(operators.iter().copied().map(Just));
            (operator, vec(inner.clone(), count))
                .prop_map(|(operator, operands)| ExpressionSketch::Apply(operator, operands))
                .boxed()
        };
        Union::new([
            of(&[Add, Multiply], 2..=3),
            of(&[Subtract, Divide], 2..=2),
            of(&[Negate], 1..=1),
        ])
    })
}

fn effect(shape: &Shape, depth: u32) -> BoxedStrategy<EffectSketch> {
    let mut leaves = vec![
        (4, atom().prop_map(EffectSketch::Add).boxed()),
        (3, atom().prop_map(EffectSketch::Delete).boxed()),
    ];
    if shape.allows(Requirement::NumericFluents) || shape.allows(Requirement::Rewards) {
        use AssignOperator::{Assign, Decrease, Increase, ScaleDown, ScaleUp};
        let operator = Union::new([Increase, Increase, Decrease, Assign, ScaleUp, ScaleDown].map(Just));
        let assign = (operator, atom(), expression());
        leaves.push((
            2,
            assign
                .prop_map(|(how, target, value)| EffectSketch::Assign(how, target, value))
                .boxed(),
        ));
    }
    let shape = shape.clone();
    let nested = Union::new_weighted(leaves).prop_recursive(depth, 8, 3, move |inner| {
        let one = || inner.clone().prop_map(Box::new);
        let mut kinds = vec![(3, vec(inner.clone(), 0..=3).prop_map(EffectSketch::And).boxed())];
        if shape.allows(Requirement::ConditionalEffects) {
            let when = (formula(&shape, 2), one());
            let forall = (variables(1..=2), one());
            kinds.push((
                3,
                when.prop_map(|(condition, inner)| EffectSketch::When(condition, inner))
                    .boxed(),
            ));
            kinds.push((
                2,
                forall
                    .prop_map(|(bound, inner)| EffectSketch::Forall(bound, inner))
                    .boxed(),
            ));
        }
        if shape.allows(Requirement::ProbabilisticEffects) {
            kinds.push((
                3,
                chance(inner.clone())
                    .prop_map(EffectSketch::Probabilistic)
                    .boxed(),
            ));
        }
        Union::new_weighted(kinds)
    });
    nested.boxed()
}

fn chance<T: std::fmt::Debug + Clone>(
    alternative: impl Strategy<Value = T>,
) -> impl Strategy<Value = ChanceSketch<T>> {
    let weighted = (0..=4_u8, alternative);
    (vec(weighted, 1..=3), 0..=2_u8).prop_map(|(alternatives, rest)| ChanceSketch { alternatives, rest })
}

fn initial() -> impl Strategy<Value = InitialSketch> {
    let certain = || (vec(atom(), 0..=2), option::weighted(0.2, (atom(), -4..=4_i8)));
    let leaf = certain().prop_map(|(facts, value)| InitialSketch {
        facts,
        value,
        chances: Vec::new(),
    });
    leaf.prop_recursive(1, 4, 2, move |inner| {
        (certain(), vec(chance(inner), 0..=1)).prop_map(|((facts, value), chances)| InitialSketch {
            facts,
            value,
            chances,
        })
    })
}
