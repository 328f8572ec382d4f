//! The places of a suite's objects.

use std::collections::BTreeMap;

use herbrand_ground::Vocabulary;
use herbrand_pddl::{Domain, Name, Object, ObjectId, Problem, TypeId, TypeUnion};

/// The places of the objects of a suite: the domain's constants, then the places of each type.
///
/// Places form the objects of a hypothetical problem that is as large as all problems of the suite together. Ids over the
/// objects of a problem therefore also work over places.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// The vocabulary of the domain, with the places as objects.
    vocabulary: Vocabulary,
    constants: usize,
    /// For each set of declared types, the first place of its objects.
    starts: BTreeMap<Vec<TypeId>, usize>,
}

/// The assignment of one problem's objects to places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Placement {
    /// For each object, its place.
    places: Vec<ObjectId>,
    /// For each place, the object there; `None` if the problem has none.
    objects: Vec<Option<ObjectId>>,
}

impl Places {
    /// Computes the places for the objects of these problems.
    pub(super) fn of(domain: &Domain, problems: &[Problem]) -> Self {
        let constants = domain.constants.len();
        let mut most = BTreeMap::<_, (usize, &TypeUnion)>::new();
        for problem in problems {
            let mut counts = BTreeMap::<_, usize>::new();
            for object in problem.objects.iter().skip(constants) {
                let class = class(object);
                *counts.entry(class.clone()).or_default() += 1;
                most.entry(class).or_insert((0, &object.types));
            }
            for (class, count) in counts {
                most.entry(class).and_modify(|most| most.0 = most.0.max(count));
            }
        }
        let mut objects = domain.constants.clone();
        let mut starts = BTreeMap::new();
        for (class, (count, types)) in most {
            let name = class.iter().map(|id| domain.types[id.index()].name.as_str());
            let name = name.collect::<Vec<_>>().join("|");
            starts.insert(class, objects.len());
            objects.extend((1..=count).map(|number| Object {
                name: Name::new(&format!("{name}#{number}")),
                types: types.clone(),
                place: herbrand_pddl::Place::default(),
            }));
        }
        Self {
            vocabulary: Vocabulary::of_domain(domain, domain.name.clone(), objects),
            constants,
            starts,
        }
    }

    /// Returns the vocabulary of the domain, with the places as objects.
    pub(super) const fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Returns the name of a place: the name of a constant, or a type and a number counted from 1.
    pub(super) fn name(&self, place: ObjectId) -> &str {
        self.vocabulary.object(place)
    }

    /// Assigns the objects of a problem to places. The places must have been computed for this problem.
    pub(super) fn placement(&self, objects: &[Object]) -> Placement {
        let mut next = self.starts.clone();
        let place = |(index, object): (usize, &Object)| {
            let place = if index < self.constants {
                index
            } else {
                let next = next.entry(class(object)).or_insert(self.vocabulary.objects.len());
                *next += 1;
                *next - 1
            };
            ObjectId::from_index(place)
        };
        let places: Vec<_> = objects.iter().enumerate().map(place).collect();
        let mut at = vec![None; self.vocabulary.objects.len()];
        for (index, place) in places.iter().enumerate() {
            if let Some(object) = at.get_mut(place.index()) {
                *object = Some(ObjectId::from_index(index));
            }
        }
        Placement { places, objects: at }
    }
}

impl Placement {
    /// Returns the place of an object.
    pub(super) fn place(&self, object: ObjectId) -> ObjectId {
        self.places[object.index()]
    }

    /// Returns the object at a place; `None` if the problem has none there.
    pub(super) fn object(&self, place: ObjectId) -> Option<ObjectId> {
        self.objects.get(place.index()).copied().flatten()
    }

    /// Iterates over the objects in the order of their places.
    pub(super) fn objects(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.objects.iter().copied().flatten()
    }
}

/// Returns the declared types of an object in a canonical order.
fn class(object: &Object) -> Vec<TypeId> {
    let mut types = object.types.types().to_vec();
    types.sort_unstable();
    types.dedup();
    types
}
