//! The assignment of symbols to objects while objects are added and removed.

use fxhash::FxHashMap;
use herbrand_datalog::Symbol;
use herbrand_pddl::{Name, Object, Problem, TypeUnion};

use crate::normal::u32_len;

/// The symbols of a problem's objects. An object keeps its symbol while it exists, whatever its position in the problem.
#[derive(Clone, Debug)]
pub(super) struct Symbols {
    /// The symbol of each object.
    pub(super) of: Vec<Symbol>,
    /// The number of symbols.
    pub(super) capacity: u32,
    /// The object of each symbol.
    places: Vec<Option<usize>>,
    /// The unused symbols; the last one is used next.
    free: Vec<Symbol>,
}

/// There is one spare symbol per this many objects, and there are at least this many spare symbols.
const ROOM: usize = 8;

impl Symbols {
    /// Assigns symbols to the objects of a problem, with spare symbols for new objects.
    pub(super) fn of(problem: &Problem) -> Self {
        let count = problem.objects.len();
        let capacity = u32_len(count + (count / ROOM).max(ROOM));
        Self::new((0..u32_len(count)).map(Symbol::new).collect(), capacity)
    }

    /// Returns the object of a symbol.
    pub(super) fn object(&self, symbol: Symbol) -> Option<usize> {
        self.places[symbol.index()]
    }

    /// Returns the unused symbols.
    pub(super) fn free(&self) -> &[Symbol] {
        &self.free
    }

    /// Returns, for each symbol, its object as a symbol of the relaxed program.
    pub(super) fn objects(&self) -> Vec<Option<Symbol>> {
        let symbol = |place: &Option<usize>| place.map(|object| Symbol::new(u32_len(object)));
        self.places.iter().map(symbol).collect()
    }

    fn new(of: Vec<Symbol>, capacity: u32) -> Self {
        let mut places = vec![None; capacity as usize];
        for (object, symbol) in of.iter().enumerate() {
            places[symbol.index()] = Some(object);
        }
        let free = (0..capacity)
            .rev()
            .filter(|&symbol| places[symbol as usize].is_none());
        Self {
            free: free.map(Symbol::new).collect(),
            of,
            capacity,
            places,
        }
    }

    /// Assigns symbols to the objects of an edited problem; `self` belongs to the problem `before`. An object with the same
    /// name and types keeps its symbol. If all objects keep their positions and types, objects with new names count as
    /// renamed. Returns `None` if there are not enough symbols.
    pub(super) fn follow(&self, before: &Problem, problem: &Problem) -> Option<Self> {
        if same_places(before, problem) {
            return Some(self.clone());
        }
        let key = |object: &Object| -> (Name, TypeUnion) { (object.name.clone(), object.types.clone()) };
        let mut known: FxHashMap<_, _> = before
            .objects
            .iter()
            .map(key)
            .zip(self.of.iter().copied())
            .collect();
        // Symbols that become unused now are not reused in the same edit. So no symbol belongs to different objects before
        // and after it.
        let mut free = self.free.clone();
        let symbol = |object: &Object| known.remove(&key(object)).or_else(|| free.pop());
        let of = problem.objects.iter().map(symbol).collect::<Option<Vec<_>>>()?;
        Some(Self::new(of, self.capacity))
    }
}

/// Returns whether two problems have the same number of objects with the same types at the same positions, and no new name
/// was the name of another object before.
fn same_places(before: &Problem, problem: &Problem) -> bool {
    let pairs = || before.objects.iter().zip(&problem.objects);
    let moved = || {
        let names: fxhash::FxHashSet<_> = before.objects.iter().map(|object| &object.name).collect();
        pairs().any(|(old, new)| old.name != new.name && names.contains(&new.name))
    };
    before.objects.len() == problem.objects.len()
        && pairs().all(|(old, new)| old.types == new.types)
        && (pairs().all(|(old, new)| old.name == new.name) || !moved())
}
