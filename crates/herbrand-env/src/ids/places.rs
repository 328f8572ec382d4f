//! The places of a suite's objects.

use std::collections::BTreeMap;

use herbrand_ground::Vocabulary;
use herbrand_pddl::{Domain, Name, Object, ObjectId, Problem, TypeId, TypeUnion};

/// The places that objects of a suite's problems have: the domain's constants, then each type's.
///
/// A place is an object of a problem that is as large as all of the suite together, so whatever is numbered over the
/// objects of a problem can be numbered over places.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// The domain, with places for objects.
    vocabulary: Vocabulary,
    constants: usize,
    /// By the types that objects are declared with: the first place of such objects.
    starts: BTreeMap<Vec<TypeId>, usize>,
}

/// Where the objects of one problem are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Placement {
    /// By object: its place.
    places: Vec<ObjectId>,
    /// By place: the object there.
    objects: Vec<Option<ObjectId>>,
}

impl Places {
    /// The places of these problems' objects.
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

    /// The domain, with places for objects.
    pub(super) const fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// What a place is called: a constant's name, or its type and its number there, from 1.
    pub(super) fn name(&self, place: ObjectId) -> &str {
        self.vocabulary.object(place)
    }

    /// Where the objects of a problem are, which must be one of those that the places were made for.
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
    /// The place of an object.
    pub(super) fn place(&self, object: ObjectId) -> ObjectId {
        self.places[object.index()]
    }

    /// The object at a place, if the problem has one there.
    pub(super) fn object(&self, place: ObjectId) -> Option<ObjectId> {
        self.objects.get(place.index()).copied().flatten()
    }

    /// The objects in the order of their places.
    pub(super) fn objects(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.objects.iter().copied().flatten()
    }
}

/// The types that an object is declared with, in one order however they were written.
fn class(object: &Object) -> Vec<TypeId> {
    let mut types = object.types.types().to_vec();
    types.sort_unstable();
    types.dedup();
    types
}
