//! The novelty of states.

use fxhash::{FxHashMap, FxHashSet};
use herbrand_ground::{AtomId, NumericId};
use herbrand_step::Walker;

/// The features and pairs of features that states of each class have had so far. A feature is any number, such as that of an atom
/// that is true.
///
/// The novelty of a state is the size of the smallest set of its features that no earlier state of its class had (Lipovetzky
/// and Geffner 2012, "Width and serialization of classical planning problems"). All sizes above 2 count as 3.
#[derive(Debug, Default)]
pub struct NoveltyTable {
    /// Pairs of a class and a feature.
    single: FxHashSet<(u32, u32)>,
    /// Triples of a class and two features.
    pairs: FxHashSet<(u32, u32, u32)>,
}

impl NoveltyTable {
    /// Returns the novelty of a state with these `features` in a class, from 1 to 3, and adds the features to the class. Only the
    /// features in `fresh`, and pairs with one of them, can be new.
    ///
    /// ```
    /// use herbrand_plan::NoveltyTable;
    ///
    /// let mut table = NoveltyTable::default();
    /// let states = [[1, 2], [3, 4], [1, 4], [3, 4]];
    /// assert_eq!(states.map(|state| table.measure(0, &state, &state)), [1, 1, 2, 3]);
    /// ```
    pub fn measure(&mut self, class: u32, fresh: &[u32], features: &[u32]) -> u8 {
        let mut novelty = 3;
        for &feature in fresh {
            if self.single.insert((class, feature)) {
                novelty = 1;
            }
        }
        for &feature in fresh {
            for &other in features.iter().filter(|&&other| other != feature) {
                let pair = (class, feature.min(other), feature.max(other));
                if self.pairs.insert(pair) {
                    novelty = novelty.min(2);
                }
            }
        }
        novelty
    }

    /// Returns the size of the table in memory, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.single.capacity() * 9 + self.pairs.capacity() * 13
    }
}

/// The novelty of the states of a walker. A feature is a true fluent atom or a number with its value.
#[derive(Debug, Default)]
pub(super) struct Novelty {
    atoms: u32,
    numbers: FxHashMap<(u32, u64), u32>,
    table: NoveltyTable,
    features: Vec<u32>,
}

impl Novelty {
    pub(super) fn new(atoms: usize) -> Self {
        Self {
            atoms: atoms as u32,
            ..Self::default()
        }
    }

    /// Returns the novelty of the walker's state in a class, and adds its features to the class. If `changes_only`, the
    /// state's parent must be in the class too; then only features that the last step made true can be new.
    pub(super) fn of(&mut self, walker: &Walker, class: u32, changes_only: bool) -> u8 {
        let mut features = std::mem::take(&mut self.features);
        self.collect(walker, &mut features);
        let fresh: Vec<u32> = if changes_only {
            self.changed(walker)
        } else {
            features.clone()
        };
        let novelty = self.table.measure(class, &fresh, &features);
        self.features = features;
        novelty
    }

    fn collect(&mut self, walker: &Walker, features: &mut Vec<u32>) {
        features.clear();
        features.extend(walker.state().fluents().map(AtomId::number));
        for id in (0..walker.simulator().task().state_numerics).map(NumericId::new) {
            if let Some(value) = walker.numeric(id) {
                features.push(self.number(id, value));
            }
        }
    }

    fn changed(&mut self, walker: &Walker) -> Vec<u32> {
        let changes = walker.changes();
        let mut fresh: Vec<u32> = changes.added().map(AtomId::number).collect();
        for change in changes.numbers {
            if let Some(value) = change.after {
                fresh.push(self.number(change.id, value));
            }
        }
        fresh
    }

    /// Returns the feature that a number has this value.
    fn number(&mut self, id: NumericId, value: f64) -> u32 {
        let next = self.atoms + self.numbers.len() as u32;
        *self.numbers.entry((id.number(), value.to_bits())).or_insert(next)
    }

    pub(super) fn bytes(&self) -> usize {
        self.table.bytes() + self.numbers.capacity() * 24
    }
}
