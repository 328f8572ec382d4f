//! The states that a search has found, with paths to them.

use herbrand_ground::ActionId;
use herbrand_step::StateStore;

/// Numbered states, each with the cheapest path found to it.
pub(crate) struct States {
    store: StateStore,
    /// The node of each state.
    nodes: Vec<Node>,
}

/// The last step of the path to a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The cost of the path.
    pub(crate) cost: u64,
    parent: u32,
    action: u32,
}

/// The result of a step: a state, and whether it is news.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reached {
    pub(crate) state: u32,
    pub(crate) news: Discovery,
}

/// Whether a step found something new.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Discovery {
    /// A new state.
    State,
    /// A cheaper path to a known state.
    Way,
    /// A known state, by a path that is not cheaper.
    Nothing,
}

const NO_PARENT: u32 = u32::MAX;

impl States {
    /// Creates a set with the start state only, which has number 0.
    pub(crate) fn new(start: &[u64]) -> Self {
        let mut store = StateStore::new(start.len());
        store.find_or_insert(start);
        let first = Node {
            cost: 0,
            parent: NO_PARENT,
            action: 0,
        };
        Self {
            store,
            nodes: vec![first],
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub(crate) fn words(&self, state: u32) -> &[u64] {
        self.store.get(state as usize)
    }

    #[inline]
    pub(crate) fn node(&self, state: u32) -> Node {
        self.nodes[state as usize]
    }

    /// Returns the parent of a state and the action that leads from it; `None` for the start state.
    pub(crate) fn way_to(&self, state: u32) -> Option<(u32, ActionId)> {
        let node = self.node(state);
        (node.parent != NO_PARENT).then(|| (node.parent, ActionId::new(node.action)))
    }

    /// Records a path to the state with these words.
    #[inline]
    pub(crate) fn note(&mut self, parent: u32, action: ActionId, cost: u64, words: &[u64]) -> Reached {
        let node = Node {
            cost,
            parent,
            action: action.number(),
        };
        let (number, is_new) = self.store.find_or_insert(words);
        let news = match self.nodes.get_mut(number) {
            None => {
                self.nodes.push(node);
                Discovery::State
            }
            Some(known) if cost < known.cost => {
                *known = node;
                Discovery::Way
            }
            Some(_) => Discovery::Nothing,
        };
        debug_assert_eq!(is_new, news == Discovery::State);
        Reached {
            state: number as u32,
            news,
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.store.bytes() + self.nodes.capacity() * size_of::<Node>()
    }
}
