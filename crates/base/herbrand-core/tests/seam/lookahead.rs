//! UCT against exact values, on random transition tables.

use herbrand_core::uct::{Expansion, Lookahead, Scale, SearchTree, TreeOptions};
use herbrand_core::{Random, uniform_below, uniform_unit};
use proptest::prelude::*;

/// The outcomes of an action: successor states with weights and rewards.
type Outcomes = Vec<(usize, u32, f64)>;

/// A transition table, indexed by state and action. A state without actions ends the walk.
#[derive(Clone, Debug)]
struct Table {
    states: Vec<Vec<Outcomes>>,
    horizon: usize,
    discount: f64,
}

fn tables() -> impl Strategy<Value = Table> {
    (2..5_usize).prop_flat_map(|count| {
        let outcome = (0..count, 1..4_u32, -10..10_i32);
        let outcome = outcome.prop_map(|(to, weight, reward)| (to, weight, f64::from(reward)));
        let action = proptest::collection::vec(outcome, 1..4);
        let state = proptest::collection::vec(action, 0..4);
        let states = proptest::collection::vec(state, count);
        (states, 1..5_usize, prop_oneof![Just(1.0), Just(0.8)]).prop_map(|(states, horizon, discount)| {
            Table {
                states,
                horizon,
                discount,
            }
        })
    })
}

impl Table {
    /// The exact value of an action with `left` steps to go.
    fn of_action(&self, outcomes: &Outcomes, left: usize) -> f64 {
        let sum: u32 = outcomes.iter().map(|&(_, weight, _)| weight).sum();
        let worth = |&(to, weight, reward): &(usize, u32, f64)| {
            f64::from(weight) / f64::from(sum) * (reward + self.discount * self.of_state(to, left - 1))
        };
        outcomes.iter().map(worth).sum()
    }

    fn of_state(&self, state: usize, left: usize) -> f64 {
        if left == 0 || self.states[state].is_empty() {
            return 0.0;
        }
        let actions = self.states[state].iter();
        actions
            .map(|outcomes| self.of_action(outcomes, left))
            .fold(f64::NEG_INFINITY, f64::max)
    }

    /// An upper bound on the difference between two returns.
    fn range(&self) -> f64 {
        let outcomes = self.states.iter().flatten().flatten();
        let rewards = || outcomes.clone().map(|&(_, _, reward)| reward);
        let span = rewards().fold(0.0, f64::max) - rewards().fold(0.0, f64::min);
        span * self.horizon as f64
    }
}

/// A walk through a table. Search states are pairs of a table state and a depth.
struct Walk<'t> {
    table: &'t Table,
    state: usize,
    depth: usize,
    seen: Vec<(usize, usize)>,
}

impl<'t> Walk<'t> {
    const fn new(table: &'t Table) -> Self {
        Self {
            table,
            state: 0,
            depth: 0,
            seen: Vec::new(),
        }
    }

    fn advance(&mut self, action: usize, chance: &mut Random) -> f64 {
        let outcomes = &self.table.states[self.state][action];
        let sum: u32 = outcomes.iter().map(|&(_, weight, _)| weight).sum();
        let mut drawn = uniform_below(chance, sum);
        for &(to, weight, reward) in outcomes {
            if drawn < weight {
                self.state = to;
                return reward;
            }
            drawn -= weight;
        }
        unreachable!("the weights sum up to more than what was drawn")
    }
}

impl Lookahead for Walk<'_> {
    type Error = std::convert::Infallible;

    fn return_to_root(&mut self) -> Result<(), Self::Error> {
        self.state = 0;
        Ok(())
    }

    fn find(&mut self, depth: usize) -> Result<(usize, bool), Self::Error> {
        self.depth = depth;
        let known = self.seen.iter().position(|&one| one == (depth, self.state));
        if known.is_none() {
            self.seen.push((depth, self.state));
        }
        Ok((known.unwrap_or(self.seen.len() - 1), known.is_none()))
    }

    fn look(&mut self, _chance: &mut Random) -> Result<Expansion, Self::Error> {
        let count = if self.depth < self.table.horizon {
            self.table.states[self.state].len()
        } else {
            0
        };
        Ok(Expansion {
            actions: (0..count as u32).collect(),
            worth: 0.0,
        })
    }

    fn step(&mut self, action: u32, chance: &mut Random) -> Result<Option<f64>, Self::Error> {
        Ok(Some(self.advance(action as usize, chance)))
    }

    fn judge(&mut self, depth: usize, _outlook: f64, chance: &mut Random) -> Result<f64, Self::Error> {
        let (mut total, mut weight) = (0.0, 1.0);
        for _ in depth..self.table.horizon {
            let count = self.table.states[self.state].len() as u32;
            if count == 0 {
                break;
            }
            let action = uniform_below(chance, count) as usize;
            total += weight * self.advance(action, chance);
            weight *= self.table.discount;
        }
        Ok(total)
    }
}

fn grown(table: &Table, walks: usize, seed: u64) -> SearchTree {
    let mut tree = SearchTree::new(TreeOptions {
        horizon: table.horizon,
        exploration: 0.7,
        discount: table.discount,
        scale: Scale::Seen,
    });
    let (mut world, mut chance) = (Walk::new(table), Random::new(seed));
    for _ in 0..walks {
        let Ok(()) = tree.walk(&mut world, &mut chance);
    }
    tree
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    /// The action with the highest mean is nearly optimal, and its mean is close to its exact value.
    #[test]
    fn many_walks_come_near_to_exact_values(table in tables(), seed: u64) {
        let tree = grown(&table, 20_000, seed);
        prop_assert_eq!(tree.arms().len(), table.states[0].len());
        let best = tree.arms().iter().max_by(|one, other| one.mean().total_cmp(&other.mean()));
        let Some(best) = best else { return Ok(()) };
        let exact = table.of_state(0, table.horizon);
        let chosen = table.of_action(&table.states[0][best.action as usize], table.horizon);
        let tolerance = 0.05 * table.range() + 1e-9;
        prop_assert!(exact - chosen <= tolerance, "{} chosen, {} possible", chosen, exact);
        prop_assert!((best.mean() - exact).abs() <= tolerance, "{} for {}", best.mean(), exact);
        let visits: u32 = tree.arms().iter().map(|arm| arm.visits).sum();
        prop_assert_eq!(visits, 20_000);
        prop_assert!(tree.len() <= table.states.len() * (table.horizon + 1));
    }

    #[test]
    fn the_same_seed_grows_the_same_tree(table in tables(), seed: u64) {
        let [one, other] = [0, 1].map(|_| grown(&table, 50, seed));
        prop_assert_eq!(one.arms(), other.arms());
    }
}

/// A walk that ends in a step without a result does not count, and later walks take another action.
#[test]
fn steps_without_a_result_are_avoided() {
    /// A system whose action 0 always has a result and whose action 1 has one half of the time. Every step ends the walk.
    struct Half {
        seen: usize,
    }
    impl Lookahead for Half {
        type Error = std::convert::Infallible;
        fn return_to_root(&mut self) -> Result<(), Self::Error> {
            Ok(())
        }
        fn find(&mut self, depth: usize) -> Result<(usize, bool), Self::Error> {
            let is_new = depth == self.seen;
            self.seen += usize::from(is_new);
            Ok((depth, is_new))
        }
        fn look(&mut self, _chance: &mut Random) -> Result<Expansion, Self::Error> {
            let actions = if self.seen == 1 { vec![0, 1] } else { Vec::new() };
            Ok(Expansion { actions, worth: 0.0 })
        }
        fn step(&mut self, action: u32, chance: &mut Random) -> Result<Option<f64>, Self::Error> {
            Ok((action == 0 || uniform_unit(chance) < 0.5).then_some(1.0))
        }
        fn judge(&mut self, _depth: usize, _outlook: f64, _chance: &mut Random) -> Result<f64, Self::Error> {
            unreachable!("where nothing can be done there is nothing to judge")
        }
    }
    let mut tree = SearchTree::new(TreeOptions {
        horizon: 3,
        exploration: 0.5,
        discount: 1.0,
        scale: Scale::Unit,
    });
    let (mut world, mut chance) = (Half { seen: 0 }, Random::new(1));
    for _ in 0..200 {
        let Ok(()) = tree.walk(&mut world, &mut chance);
    }
    let [sure, risky] = tree.arms() else {
        panic!("{:?}", tree.arms())
    };
    assert_eq!((sure.refused, sure.mean()), (0, 1.0));
    assert_eq!(
        (risky.refused, risky.total),
        (1, f64::from(risky.visits)),
        "{risky:?}"
    );
    assert_eq!(sure.visits + risky.visits, 199);
}

/// A state whose actions all end without a result is avoided like such a step, by the action that leads to it.
#[test]
fn states_from_which_every_step_fails_are_avoided() {
    /// Action 0 of state 0 leads to state 1, where both steps fail; action 1 ends the walk with less.
    struct Trap {
        at: usize,
        known: Vec<usize>,
    }
    impl Lookahead for Trap {
        type Error = std::convert::Infallible;
        fn return_to_root(&mut self) -> Result<(), Self::Error> {
            self.at = 0;
            Ok(())
        }
        fn find(&mut self, _depth: usize) -> Result<(usize, bool), Self::Error> {
            let known = self.known.iter().position(|&state| state == self.at);
            Ok(known.map_or_else(
                || {
                    self.known.push(self.at);
                    (self.known.len() - 1, true)
                },
                |number| (number, false),
            ))
        }
        fn look(&mut self, _chance: &mut Random) -> Result<Expansion, Self::Error> {
            let actions = if self.at < 2 { vec![0, 1] } else { Vec::new() };
            Ok(Expansion { actions, worth: 0.0 })
        }
        fn step(&mut self, action: u32, _chance: &mut Random) -> Result<Option<f64>, Self::Error> {
            if self.at == 1 {
                return Ok(None);
            }
            self.at = 1 + action as usize;
            Ok(Some(if action == 0 { 9.0 } else { -9.0 }))
        }
        fn judge(&mut self, _depth: usize, _outlook: f64, _chance: &mut Random) -> Result<f64, Self::Error> {
            Ok(5.0)
        }
    }
    let mut tree = SearchTree::new(TreeOptions {
        horizon: 3,
        exploration: 0.5,
        discount: 1.0,
        scale: Scale::Seen,
    });
    let mut world = Trap {
        at: 0,
        known: Vec::new(),
    };
    let mut chance = Random::new(1);
    for _ in 0..50 {
        let Ok(()) = tree.walk(&mut world, &mut chance);
    }
    let [trap, way] = tree.arms() else {
        panic!("{:?}", tree.arms())
    };
    // The first walk judges the new state; the next ones find that nothing can be done there.
    assert!(trap.refused == 1 && trap.visits < 3, "{trap:?}");
    assert!(way.refused == 0 && way.visits > 40, "{way:?}");
}
