//! Tables of object tuples.

use std::hash::{Hash, Hasher};

use fxhash::FxHasher;
use hashbrown::HashTable;
use herbrand_datalog::Symbol;
use herbrand_pddl::ObjectId;
use smallvec::SmallVec;

/// A temporary tuple.
pub(super) type Tuple = SmallVec<[ObjectId; 8]>;

/// The Datalog constant of an object.
pub(super) fn symbol(object: ObjectId) -> Symbol {
    Symbol::new(object.number())
}

/// A set of numbered tuples. When a tuple is removed, the last one takes its number.
#[derive(Clone, Debug, Default)]
pub(super) struct TupleTable {
    arity: usize,
    len: usize,
    objects: Vec<ObjectId>,
    numbers: HashTable<u32>,
}

#[inline]
pub(super) fn hash(tuple: &[ObjectId]) -> u64 {
    let mut hasher = FxHasher::default();
    tuple.iter().for_each(|object| object.hash(&mut hasher));
    hasher.finish()
}

impl TupleTable {
    pub(super) fn new(arity: usize) -> Self {
        Self {
            arity,
            ..Self::default()
        }
    }

    pub(super) fn get(&self, number: usize) -> &[ObjectId] {
        &self.objects[number * self.arity..][..self.arity]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[ObjectId]> {
        (0..self.len).map(|number| self.get(number))
    }

    pub(super) fn find(&self, tuple: &[ObjectId]) -> Option<usize> {
        // Most tuples are short: comparing them here is faster than a call.
        let same = |number: &u32| self.get(*number as usize).iter().eq(tuple);
        self.numbers
            .find(hash(tuple), same)
            .map(|number| *number as usize)
    }

    /// Returns the number of a tuple, after adding it if it is new.
    pub(super) fn insert(&mut self, tuple: &[ObjectId]) -> usize {
        if let Some(known) = self.find(tuple) {
            return known;
        }
        let (objects, arity) = (&mut self.objects, self.arity);
        objects.extend_from_slice(tuple);
        let rehash = |number: &u32| hash(&objects[*number as usize * arity..][..arity]);
        self.numbers.insert_unique(hash(tuple), self.len as u32, rehash);
        self.len += 1;
        self.len - 1
    }

    pub(super) fn remove(&mut self, tuple: &[ObjectId]) {
        let Some(number) = self.find(tuple) else { return };
        let last = self.len - 1;
        self.forget(number);
        if number < last {
            self.forget(last);
            let (start, from) = (number * self.arity, last * self.arity);
            self.objects.copy_within(from..from + self.arity, start);
            let (objects, arity) = (&self.objects, self.arity);
            let rehash = |number: &u32| hash(&objects[*number as usize * arity..][..arity]);
            self.numbers
                .insert_unique(hash(self.get(number)), number as u32, rehash);
        }
        self.objects.truncate(last * self.arity);
        self.len = last;
    }

    /// Removes a number from the index.
    fn forget(&mut self, number: usize) {
        let entry = self
            .numbers
            .find_entry(hash(self.get(number)), |other| *other as usize == number);
        if let Ok(entry) = entry {
            entry.remove();
        }
    }
}

/// The bytes that a tuple takes in a table, including its index entry. The factor 3 allows for a growing list, whose old and
/// new allocation exist at the same time.
pub(super) const fn tuple_bytes(arity: usize) -> u64 {
    (3 * (arity * size_of::<ObjectId>() + 2 * size_of::<u32>())) as u64
}

/// The bytes for the number and the name of a tuple.
const NAME: u64 = 3 * 3 * size_of::<u32>() as u64;

/// Tuples of several heads (predicates or functions), numbered in one sequence on first use.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    /// The tuples of each head.
    tuples: Vec<TupleTable>,
    /// For each head, the numbers of the tuples in its table.
    numbers: Vec<Vec<u32>>,
    /// For each number, the head and the index in its table.
    names: Vec<(u32, u32)>,
    bytes: u64,
}

impl Numbering {
    /// Creates an empty numbering for heads with these arities.
    pub(super) fn new(arities: impl IntoIterator<Item = usize>) -> Self {
        let tuples: Vec<_> = arities.into_iter().map(TupleTable::new).collect();
        Self {
            numbers: vec![Vec::new(); tuples.len()],
            tuples,
            names: Vec::new(),
            bytes: 0,
        }
    }

    /// Returns the bytes used by the tuples.
    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns the number of a tuple; a new tuple gets the next number.
    pub(super) fn number(&mut self, head: usize, tuple: &[ObjectId]) -> usize {
        let place = self.tuples[head].insert(tuple);
        let numbers = &mut self.numbers[head];
        if place == numbers.len() {
            self.bytes += tuple_bytes(tuple.len()) + NAME;
            numbers.push(self.names.len() as u32);
            self.names.push((head as u32, place as u32));
        }
        numbers[place] as usize
    }

    /// Returns the number of a tuple; `None` if it has none yet.
    pub(super) fn find(&self, head: usize, tuple: &[ObjectId]) -> Option<usize> {
        let place = self.tuples[head].find(tuple)?;
        Some(self.numbers[head][place] as usize)
    }

    /// Returns the head and the tuple with this number.
    pub(super) fn name(&self, number: usize) -> (usize, &[ObjectId]) {
        let (head, place) = self.names[number];
        (head as usize, self.tuples[head as usize].get(place as usize))
    }
}

/// Returns a number by which pairs of objects are ordered like tuples.
const fn pair(first: ObjectId, second: ObjectId) -> u64 {
    (first.number() as u64) << 32 | second.number() as u64
}

/// A sorted set of tuples.
#[derive(Clone, Debug, Default)]
pub(super) struct SortedTuples {
    arity: usize,
    len: usize,
    objects: Vec<ObjectId>,
}

impl SortedTuples {
    pub(super) fn new(arity: usize) -> Self {
        Self {
            arity,
            ..Self::default()
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn get(&self, index: usize) -> &[ObjectId] {
        &self.objects[index * self.arity..][..self.arity]
    }

    pub(super) fn contains(&self, tuple: &[ObjectId]) -> bool {
        let place = self.place(tuple);
        place < self.len && self.get(place) == tuple
    }

    /// Inserts a tuple if `holds`, otherwise removes it.
    pub(super) fn set(&mut self, tuple: &[ObjectId], holds: bool) {
        let place = self.place(tuple);
        let start = place * self.arity;
        let there = place < self.len && self.get(place) == tuple;
        match (there, holds) {
            (false, true) => {
                let end = self.objects.len();
                self.objects.extend_from_slice(tuple);
                self.objects.copy_within(start..end, start + self.arity);
                self.objects[start..start + self.arity].copy_from_slice(tuple);
                self.len += 1;
            }
            (true, false) => {
                self.objects.copy_within(start + self.arity.., start);
                self.len -= 1;
                self.objects.truncate(self.len * self.arity);
            }
            _ => {}
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[ObjectId]> {
        (0..self.len).map(|index| self.get(index))
    }

    /// Returns the number of smaller tuples.
    fn place(&self, tuple: &[ObjectId]) -> usize {
        match *tuple {
            [only] => self.place_by(only, |tuple| tuple[0]),
            [first, second] => self.place_by(pair(first, second), |tuple| pair(tuple[0], tuple[1])),
            [first, second, third] => self.place_by((pair(first, second), third), |tuple| {
                (pair(tuple[0], tuple[1]), tuple[2])
            }),
            _ => self.place_by(tuple, |tuple| tuple),
        }
    }

    /// Returns the number of tuples whose key is smaller than this one.
    #[inline]
    fn place_by<'s, K: PartialOrd>(&'s self, sought: K, key: impl Fn(&'s [ObjectId]) -> K) -> usize {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = (low + high) / 2;
            if key(self.get(middle)) < sought {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}
