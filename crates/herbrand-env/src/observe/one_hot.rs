//! A dense matrix of objects and predicates.

use std::sync::Arc;

use herbrand_core::{Memory, ObservationField, ObservationLayout, Observer};
use herbrand_pddl::{ObjectId, PredicateKind};

use super::Part;
use crate::{EnvError, Grounded, Planning, Suite};

/// One row per object and one column per predicate: 1 if an atom of the predicate that holds has the object among its
/// arguments. A predicate without arguments that holds is 1 for every object.
///
/// Columns are the domain's predicates in the order of their declaration, without action predicates, so they mean the same
/// in every problem of a suite. Rows are objects in the order of their declaration, or with the ids of a suite
/// ([`SuiteIds`](crate::SuiteIds)) their places there; those that a problem lacks are 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OneHotByObject {
    /// By predicate: its column.
    columns: Arc<[Option<usize>]>,
    /// How many columns there are.
    width: usize,
}

impl OneHotByObject {
    /// The matrices of the problems of `suite`.
    #[must_use]
    pub fn of(suite: &Suite) -> Self {
        let mut width = 0;
        let predicates = suite.domain().predicates.iter();
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
        let mut objects = suite.ids().map_or(0, crate::SuiteIds::place_count);
        for index in (0..suite.len()).filter(|_| suite.ids().is_none()) {
            let task = suite.instance(index)?.simulator().task();
            objects = objects.max(task.vocabulary.objects.len());
        }
        let shape = vec![objects, self.width];
        Ok(ObservationLayout::new(vec![ObservationField::bits(
            "atoms", shape,
        )]))
    }

    fn write(&self, planning: &Planning<Grounded>, _memory: &Memory, into: &mut [u8]) -> usize {
        let atoms = planning.instance().atoms();
        let objects = planning.space().task().vocabulary.objects.len();
        let ids = planning.instance().ids();
        let row = |object: ObjectId| ids.map_or(object.index(), |ids| ids.place(object));
        let rows = ids.map_or(objects, |ids| ids.place_count());
        let used = (rows * self.width).min(into.len());
        let into = &mut into[..used];
        into.fill(0);
        for fact in atoms
            .observe(planning.walker(), Part::All)
            .filter_map(|id| atoms.get(id))
        {
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
