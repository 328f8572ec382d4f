//! Tests the analysis of state spaces against definitions on matrices.

use herbrand_core::{GraphBuilder, SpaceAnalysis, SpaceLimit, SpaceOutcome, StateGraph};
use herbrand_limits::Budget;
use proptest::prelude::*;

/// The choices of a state: lists of outcomes, each a weight, a cost and a state.
type Sketch = Vec<Vec<Vec<(u32, u32, usize)>>>;

fn sketch() -> impl Strategy<Value = (Sketch, Vec<bool>, usize)> {
    let outcome = (1..4_u32, 0..4_u32, 0..9_usize);
    let choice = proptest::collection::vec(outcome, 0..3);
    let state = proptest::collection::vec(choice, 0..4);
    (
        proptest::collection::vec(state, 1..9),
        proptest::collection::vec(proptest::bool::weighted(0.2), 9),
        0..9_usize,
    )
}

fn graph(sketch: &Sketch, goals: &[bool], expanded: usize) -> StateGraph {
    let mut builder = GraphBuilder::default();
    builder.start(1.0, 0);
    for state in &sketch[..expanded] {
        for (action, choice) in (0..).zip(state) {
            let total: u32 = choice.iter().map(|one| one.0).sum();
            let outcome = |&(weight, cost, state): &(u32, u32, usize)| SpaceOutcome {
                probability: f64::from(weight) / f64::from(total),
                cost: f64::from(cost),
                state: (state % sketch.len()) as u32,
            };
            builder.choice(action, &mut choice.iter().map(outcome).collect());
        }
        builder.close_state();
    }
    let limit = (expanded < sketch.len()).then_some(SpaceLimit::States(expanded));
    builder.finish(goals[..sketch.len()].to_vec(), limit)
}

proptest! {
    #[test]
    fn analyses_follow_the_definitions((sketch, goals, expanded) in sketch()) {
        let (len, expanded) = (sketch.len(), expanded.min(sketch.len()));
        let graph = graph(&sketch, &goals, expanded);
        // The least numbers of steps and costs between all states, by Floyd and Warshall's algorithm.
        let mut steps = vec![vec![f64::INFINITY; len]; len];
        let mut costs = steps.clone();
        for (from, state) in sketch[..expanded].iter().enumerate() {
            for choice in state {
                let to = |one: &(u32, u32, usize)| one.2 % len;
                for one in choice {
                    let target = to(one);
                    // Outcomes with the same target have their mean cost.
                    let alike = choice.iter().filter(|other| to(other) == target);
                    let (weights, spent) = alike.fold((0.0, 0.0), |(weights, spent), &(weight, cost, _)| {
                        (weights + f64::from(weight), spent + f64::from(weight * cost))
                    });
                    steps[from][target] = 1.0;
                    costs[from][target] = f64::min(costs[from][target], spent / weights);
                }
            }
        }
        for matrix in [&mut steps, &mut costs] {
            (0..len).for_each(|state| matrix[state][state] = 0.0);
            for through in 0..len {
                for from in 0..len {
                    for to in 0..len {
                        matrix[from][to] = matrix[from][to].min(matrix[from][through] + matrix[through][to]);
                    }
                }
            }
        }
        let analysis = graph.analyse(&Budget::unlimited()).unwrap();
        let number = |steps: u32| if steps == SpaceAnalysis::UNREACHED { f64::INFINITY } else { f64::from(steps) };
        for state in 0..len {
            prop_assert_eq!(number(analysis.start_steps[state]), steps[0][state]);
            let least = |matrix: &[Vec<f64>]| {
                let ends = (0..len).filter(|&end| goals[end]);
                ends.map(|end| matrix[state][end]).fold(f64::INFINITY, f64::min)
            };
            prop_assert_eq!(number(analysis.goal_steps[state]), least(&steps));
            let (cost, least_cost) = (analysis.goal_costs[state], least(&costs));
            prop_assert!(cost == least_cost || (cost - least_cost).abs() < 1e-9, "{} {}", cost, least_cost);
            let is_open = (expanded..len).any(|end| steps[state][end].is_finite());
            prop_assert_eq!(analysis.dead_ends[state], least(&steps).is_infinite() && !is_open);
            for (other, from_other) in steps.iter().enumerate() {
                let together = steps[state][other].is_finite() && from_other[state].is_finite();
                prop_assert_eq!(analysis.components[state] == analysis.components[other], together);
                if steps[state][other].is_finite() {
                    prop_assert!(analysis.components[other] <= analysis.components[state]);
                }
            }
        }
        prop_assert_eq!(analysis.component_sizes.iter().sum::<u32>() as usize, len);
        let rows = analysis.by_distance(&graph);
        prop_assert_eq!(rows.iter().map(|row| row.to_goal).sum::<usize>(), analysis.goal_steps.iter().filter(|&&d| d != u32::MAX).count());
        prop_assert_eq!(rows.iter().map(|row| row.from_start).sum::<usize>(), analysis.start_steps.iter().filter(|&&d| d != u32::MAX).count());
        for (distance, row) in (0_u32..).zip(&rows) {
            let of_row = (0..len as u32).filter(|&state| analysis.goal_steps[state as usize] == distance);
            let mut counts = [0; 3];
            for target in of_row.flat_map(|state| graph.successors(state)) {
                let farther = analysis.goal_steps[*target as usize];
                counts[if farther < distance { 0 } else if farther == distance { 1 } else { 2 }] += 1;
            }
            prop_assert_eq!([row.nearer, row.level, row.farther], counts);
        }
    }
}

#[test]
fn negative_costs_have_no_least_sum() {
    let mut builder = GraphBuilder::default();
    builder.start(1.0, 0);
    let outcome = SpaceOutcome {
        probability: 1.0,
        cost: -1.0,
        state: 1,
    };
    builder.choice(0, &mut vec![outcome]);
    builder.close_state();
    builder.close_state();
    let graph = builder.finish(vec![false, true], None);
    assert_eq!((graph.cost(0), graph.has_chance()), (-1.0, false));
    let analysis = graph.analyse(&Budget::unlimited()).unwrap();
    assert_eq!((analysis.goal_costs, analysis.goal_steps), (vec![], vec![1, 0]));
}

/// A path of a million states overflows no stack.
#[test]
fn long_paths_are_analysed() {
    let mut builder = GraphBuilder::default();
    builder.start(1.0, 0);
    let len = 1_000_000;
    for state in 1..len {
        builder.certain_choice(0, 1.0);
        builder.add_targets(&mut vec![state]);
        builder.close_state();
    }
    builder.close_state();
    let mut goals = vec![false; len as usize];
    goals[len as usize - 1] = true;
    let graph = builder.finish(goals, None);
    assert!(graph.first_outcomes.is_empty() && graph.costs.is_empty() && graph.probabilities.is_empty());
    let analysis = graph.analyse(&Budget::unlimited()).unwrap();
    assert_eq!(
        (analysis.depth(), analysis.goal_costs[0]),
        (Some(len - 1), 999_999.0)
    );
    assert_eq!(analysis.component_sizes.len(), len as usize);
}
