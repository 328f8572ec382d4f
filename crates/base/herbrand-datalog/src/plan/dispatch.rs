//! Dispatch: the plans that a fact can trigger, looked up by the symbol in one of its columns.

use fxhash::FxHashMap;

use crate::plan::{Plan, Trigger};
use crate::program::Program;
use crate::program::ids::Symbol;
use crate::store::domain::{DomainId, Domains};

/// The plans that the facts of one relation may trigger.
///
/// Some plans require a constant or a narrow domain in a column. Dispatch on that column spares a fact from being tested
/// against every plan of its relation: thousands of rules may read one relation, each with its own constant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dispatch {
    column: usize,
    /// For each symbol, the number of its list of plans; empty if one list serves all symbols.
    lists_of: Vec<u32>,
    lists: Vec<Vec<usize>>,
}

/// The symbols that a plan accepts in a column of its trigger.
enum Wants {
    Anything,
    Domain(DomainId),
    Constant(Symbol),
}

impl Dispatch {
    /// Builds the dispatch of each relation's facts to the plans that satisfy `wanted`.
    pub(crate) fn of_relations(
        program: &Program,
        plans: &[Plan],
        domains: &Domains,
        wanted: impl Fn(&Plan) -> bool,
    ) -> Vec<Self> {
        let mut triggers: Vec<Vec<(usize, &Trigger)>> = vec![Vec::new(); program.relations().len()];
        for (number, plan) in plans.iter().enumerate().filter(|(_, plan)| wanted(plan)) {
            if let Some(trigger) = &plan.trigger {
                triggers[trigger.relation.index()].push((number, trigger));
            }
        }
        let arities = program.relations().iter().map(|relation| relation.arity);
        let dispatch =
            |(triggers, arity): (&Vec<_>, u32)| Self::new(triggers, arity, program.symbols(), domains);
        triggers.iter().zip(arities).map(dispatch).collect()
    }

    /// Builds the dispatch by the column that leaves the fewest plans per fact.
    fn new(triggers: &[(usize, &Trigger)], arity: u32, symbols: u32, domains: &Domains) -> Self {
        let meetings = |column: u32| -> u64 {
            let size = |trigger: &Trigger| match wants(trigger, column) {
                Wants::Anything => symbols,
                Wants::Domain(domain) => domains.size(domain),
                Wants::Constant(_) => 1,
            };
            triggers.iter().map(|(_, trigger)| u64::from(size(trigger))).sum()
        };
        let all = u64::from(symbols) * triggers.len() as u64;
        let best = (0..arity).map(|column| (meetings(column), column)).min();
        // Testing two plans is faster than a lookup.
        match best.filter(|(meetings, _)| triggers.len() > 2 && *meetings < all) {
            Some((_, column)) => Self::by_column(triggers, column, symbols, domains),
            None => Self {
                lists: vec![triggers.iter().map(|(number, _)| *number).collect()],
                ..Self::default()
            },
        }
    }

    fn by_column(triggers: &[(usize, &Trigger)], column: u32, symbols: u32, domains: &Domains) -> Self {
        let mut of_all = Vec::new();
        let mut of_symbol: Vec<Vec<usize>> = vec![Vec::new(); symbols as usize];
        for (number, trigger) in triggers {
            match wants(trigger, column) {
                Wants::Anything => of_all.push(*number),
                Wants::Domain(domain) => {
                    domains
                        .symbols(domain)
                        .for_each(|symbol| of_symbol[symbol.index()].push(*number));
                }
                Wants::Constant(symbol) => of_symbol[symbol.index()].push(*number),
            }
        }
        let mut dispatch = Self {
            column: column as usize,
            ..Self::default()
        };
        let mut known: FxHashMap<Vec<usize>, u32> = FxHashMap::default();
        for list in of_symbol {
            let next = dispatch.lists.len() as u32;
            let number = *known.entry(list).or_insert_with_key(|list| {
                let mut merged = [&of_all[..], list].concat();
                merged.sort_unstable();
                dispatch.lists.push(merged);
                next
            });
            dispatch.lists_of.push(number);
        }
        dispatch
    }

    /// Returns the plans that a fact may trigger, in order.
    #[inline]
    pub(crate) fn plans(&self, tuple: &[Symbol]) -> &[usize] {
        let list = if self.lists_of.is_empty() {
            0
        } else {
            self.lists_of[tuple[self.column].index()]
        };
        self.lists.get(list as usize).map_or(&[], Vec::as_slice)
    }
}

fn wants(trigger: &Trigger, column: u32) -> Wants {
    let constant = trigger.constants.iter().find(|(place, _)| *place == column);
    let filter = trigger.filters.iter().find(|(place, _)| *place == column);
    match (constant, filter) {
        (Some((_, symbol)), _) => Wants::Constant(*symbol),
        (None, Some((_, domain))) => Wants::Domain(*domain),
        (None, None) => Wants::Anything,
    }
}
