//! The states that a search has found.

use herbrand_ground::ActionId;
use herbrand_step::StateStore;

/// States by number, each with the best way to it that was found.
pub(super) struct States {
    store: StateStore,
    /// By state.
    nodes: Vec<Node>,
}

/// How a state was reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// What the way to it costs.
    pub(crate) cost: u64,
    parent: u32,
    action: u32,
}

/// A state that a step has led to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reached {
    pub(crate) state: u32,
    pub(crate) news: News,
}

/// What a step has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum News {
    /// A new state.
    State,
    /// A cheaper way to a state that was known.
    Way,
    /// Nothing.
    Nothing,
}

const NO_PARENT: u32 = u32::MAX;

impl States {
    /// Only the state to start from, which has number 0.
    pub(super) fn new(start: &[u64]) -> Self {
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

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub(super) fn words(&self, state: u32) -> &[u64] {
        self.store.get(state as usize)
    }

    #[inline]
    pub(super) fn node(&self, state: u32) -> Node {
        self.nodes[state as usize]
    }

    /// The state from which a state was reached, and by which action; none for the first one.
    pub(super) fn way_to(&self, state: u32) -> Option<(u32, ActionId)> {
        let node = self.node(state);
        (node.parent != NO_PARENT).then(|| (node.parent, ActionId::new(node.action)))
    }

    /// Notes a way to a state of these words.
    #[inline]
    pub(super) fn note(&mut self, parent: u32, action: ActionId, cost: u64, words: &[u64]) -> Reached {
        let node = Node {
            cost,
            parent,
            action: action.number(),
        };
        let (number, is_new) = self.store.find_or_insert(words);
        let news = match self.nodes.get_mut(number) {
            None => {
                self.nodes.push(node);
                News::State
            }
            Some(known) if cost < known.cost => {
                *known = node;
                News::Way
            }
            Some(_) => News::Nothing,
        };
        debug_assert_eq!(is_new, news == News::State);
        Reached {
            state: number as u32,
            news,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.store.bytes() + self.nodes.capacity() * size_of::<Node>()
    }
}
