//! States as a dense matrix of objects and predicates.

use std::sync::Arc;

use herbrand_core::{Memory, ObservationField, ObservationLayout, Observer};
use herbrand_pddl::{AtomRef, ObjectId, PredicateKind};

use crate::action::ids::Placed;
use crate::error::EnvError;
use crate::observed::ObservedAtoms;
use crate::planning::{Grounded, Lifted, Planning, SteppingEngine};
use crate::suite::{LiftedSuite, Suite};

/// An observer that writes a matrix with one row per object and one column per predicate. An element is 1 if a true
/// atom of the predicate has the object among its arguments. A true atom without arguments sets its column for every
/// object. Elements are bytes, row by row.
///
/// The columns are the domain's predicates in order of declaration, without action predicates, so they mean the same
/// in every problem of a suite. The rows are the objects in order of declaration or, with the ids of a suite
/// ([`SuiteIds`](crate::SuiteIds)), the places of objects. Rows of missing objects are 0. There are as many rows as
/// the problem with the most objects has, or [`SuiteIds::place_count`](crate::SuiteIds::place_count).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OneHotByObject {
    /// For each predicate, its column; `None` if it has none.
    columns: Arc<[Option<usize>]>,
    /// The number of columns.
    width: usize,
}

impl OneHotByObject {
    /// Creates an observer for the problems of `suite`, grounded or lifted. Nothing is compiled yet.
    /// [`Env::observed`](herbrand_core::Env::observed) takes it.
    #[must_use]
    pub fn of(suite: &Suite) -> Self {
        let mut width = 0;
        let predicates = suite.stepped_domain().predicates.iter();
        let columns = predicates.map(|predicate| {
            let shown = predicate.kind != PredicateKind::Action;
            shown.then(|| {
                width += 1;
                width - 1
            })
        });
        Self {
            columns: columns.collect(),
            width,
        }
    }
}

impl Observer<Suite> for OneHotByObject {
    type Element = u8;

    fn layout(&self, suite: &Suite) -> Result<ObservationLayout, EnvError> {
        let mut objects = suite.ids().map_or(0, crate::action::ids::SuiteIds::place_count);
        for index in (0..suite.len()).filter(|_| suite.ids().is_none()) {
            let task = suite.instance(index)?.simulator().task();
            objects = objects.max(task.vocabulary.objects.len());
        }
        Ok(self.rows(objects))
    }

    fn write(&self, planning: &Planning<Grounded>, _memory: &Memory, into: &mut [u8]) -> usize {
        let (instance, atoms) = (planning.instance(), planning.instance().atoms());
        let objects = planning.space().task().vocabulary.objects.len();
        let held = atoms.observe(planning.walker(), ObservedAtoms::All);
        self.mark(objects, instance.ids(), held.filter_map(|id| atoms.get(id)), into)
    }
}

impl Observer<LiftedSuite> for OneHotByObject {
    type Element = u8;

    fn layout(&self, suite: &LiftedSuite) -> Result<ObservationLayout, EnvError> {
        let of = suite.suite();
        let mut objects = of.ids().map_or(0, crate::action::ids::SuiteIds::place_count);
        for index in (0..of.len()).filter(|_| of.ids().is_none()) {
            objects = objects.max(suite.planning(index, true)?.walk().vocabulary().objects.len());
        }
        Ok(self.rows(objects))
    }

    fn write(&self, planning: &Planning<Lifted>, _memory: &Memory, into: &mut [u8]) -> usize {
        let (walk, atoms) = (planning.walk(), planning.walk().atoms());
        let held = atoms.observe(planning.walker(), ObservedAtoms::All);
        let objects = walk.vocabulary().objects.len();
        self.mark(objects, atoms.places(), held, into)
    }
}

impl OneHotByObject {
    /// Returns the layout of a matrix for a number of objects.
    fn rows(&self, objects: usize) -> ObservationLayout {
        let shape = vec![objects, self.width];
        ObservationLayout::new(vec![ObservationField::bits("atoms", shape)])
    }

    /// Writes the matrix of the true atoms `held` of a problem with `objects` objects, or as many places.
    fn mark<'a>(
        &self,
        objects: usize,
        places: Option<&Placed>,
        held: impl Iterator<Item = AtomRef<'a>>,
        into: &mut [u8],
    ) -> usize {
        let row = |object: ObjectId| places.map_or(object.index(), |places| places.place(object));
        let rows = places.map_or(objects, Placed::place_count);
        let used = (rows * self.width).min(into.len());
        let into = &mut into[..used];
        into.fill(0);
        for fact in held {
            let Some(column) = self.columns.get(fact.predicate.index()).copied().flatten() else {
                continue;
            };
            let mut set = |row: usize| {
                if let Some(cell) = into.get_mut(row * self.width + column) {
                    *cell = 1;
                }
            };
            match fact.arguments {
                [] => (0..objects)
                    .map(ObjectId::from_index)
                    .for_each(|object| set(row(object))),
                some => some.iter().for_each(|&object| set(row(object))),
            }
        }
        used
    }
}
