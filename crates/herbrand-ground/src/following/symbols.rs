//! Which symbol an object has, while objects come and go.

use fxhash::FxHashMap;
use herbrand_datalog::Symbol;
use herbrand_pddl::{Name, Object, Problem, TypeUnion};

use crate::normal::u32_len;

/// The symbols of a problem's objects. An object keeps its symbol as long as it exists, whatever its place in the problem.
#[derive(Clone, Debug)]
pub(super) struct Symbols {
    /// By object.
    pub(super) of: Vec<Symbol>,
    /// How many symbols there are.
    pub(super) capacity: u32,
    /// By symbol: its object.
    places: Vec<Option<usize>>,
    /// Those of no object, the next one last.
    free: Vec<Symbol>,
}

/// Room for so many objects more, per object.
const ROOM: usize = 8;

impl Symbols {
    /// Symbols for the objects of a problem, with room for an eighth more.
    pub(super) fn of(problem: &Problem) -> Self {
        let count = problem.objects.len();
        let capacity = u32_len(count + (count / ROOM).max(ROOM));
        Self::new((0..u32_len(count)).map(Symbol::new).collect(), capacity)
    }

    /// The object of a symbol.
    pub(super) fn object(&self, symbol: Symbol) -> Option<usize> {
        self.places[symbol.index()]
    }

    /// The symbols of no object.
    pub(super) fn free(&self) -> &[Symbol] {
        &self.free
    }

    /// By symbol: the object as a symbol of the relaxed program.
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

    /// The symbols of a problem that follows `before`, whose symbols these are: an object of the same name and types keeps its own.
    /// Where all objects have kept their places and types, those with other names are the same under a new name. `None` if there are
    /// not enough symbols.
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
        // What is free from now on is not given to others at once: facts of this problem and of the one before share no symbol
        // of different objects.
        let mut free = self.free.clone();
        let symbol = |object: &Object| known.remove(&key(object)).or_else(|| free.pop());
        let of = problem.objects.iter().map(symbol).collect::<Option<Vec<_>>>()?;
        Some(Self::new(of, self.capacity))
    }
}

/// Whether two problems have as many objects with the same types in the same places, so that the names alone differ; and no name is
/// that of another object before.
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
