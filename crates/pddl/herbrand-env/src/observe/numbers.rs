//! States as bits, followed by the values of numeric fluents.

use herbrand_core::{Memory, ObservationField, ObservationLayout, Observer};
use herbrand_pddl::{FunctionId, ObjectId};

use crate::atoms::{FluentPlaces, changed_functions, grounded_numbers, lifted_numbers};
use crate::error::EnvError;
use crate::observed::{ObservedAtoms, ObservedId};
use crate::planning::{Grounded, Lifted, Planning};
use crate::suite::{LiftedSuite, Suite};

/// An observer with one `f32` per observable atom, 1 for true, like [`Bits`](crate::Bits), and one `f32` per numeric fluent
/// of the state, its value in the units of the domain; 0 if it has none. [`Env::observed`](herbrand_core::Env::observed) takes it.
///
/// The numbers are those of the functions that operators change, with all type-correct arguments: ordered by function and then
/// by objects, on both engines. `total-cost` and `reward` are 0 if only the metric reads them. With the ids of a suite, they
/// are ordered by places, and a number means the same in all problems.
///
/// ```text
///   state     [ at(t,a) at(t,b) … | 0 0 ]     padded to the widest problem of the suite
///   numbers   [ fuel(t) load(t) … | 0 0 ]     likewise
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BitsAndNumbers {
    part: ObservedAtoms,
    functions: Vec<FunctionId>,
    /// The maximum numbers of atoms and of numeric fluents.
    atoms: usize,
    numbers: usize,
}

impl BitsAndNumbers {
    /// Creates an observer for the problems of `suite`. Compiles all of them. Use it for this suite only, or for a
    /// selection of it. `part` selects all observable atoms or only the changeable ones.
    ///
    /// # Errors
    /// Fails if a problem is faulty, is too large to be grounded, or has more than 2^20 type-correct numeric fluents.
    pub fn of(suite: &Suite, part: ObservedAtoms) -> Result<Self, EnvError> {
        let functions = changed_functions(suite.stepped_domain());
        let sizes = (0..suite.len()).map(|index| {
            let instance = suite.instance(index)?;
            Ok((
                instance.atoms().len(part),
                instance.fluent_places(&functions)?.len(),
            ))
        });
        Self::within(part, functions.clone(), sizes)
    }

    /// Like [`of`](Self::of), for problems that are stepped without grounding.
    ///
    /// # Errors
    /// Fails if a problem is faulty, exceeds the limits of the lifted engine, or has too many type-correct atoms or numeric
    /// fluents to be numbered.
    pub fn of_lifted(suite: &LiftedSuite, part: ObservedAtoms) -> Result<Self, EnvError> {
        let functions = changed_functions(suite.suite().stepped_domain());
        let sizes = (0..suite.suite().len()).map(|index| {
            let planning = suite.planning(index, true)?;
            let atoms = planning.walk().atoms();
            Ok((atoms.len(part)?, atoms.fluent_places(&functions)?.len()))
        });
        Self::within(part, functions.clone(), sizes)
    }

    /// Returns the functions that have numbers, in order.
    #[must_use]
    pub fn functions(&self) -> &[FunctionId] {
        &self.functions
    }

    fn within(
        part: ObservedAtoms,
        functions: Vec<FunctionId>,
        sizes: impl Iterator<Item = Result<(usize, usize), EnvError>>,
    ) -> Result<Self, EnvError> {
        let mut observer = Self {
            part,
            functions,
            atoms: 0,
            numbers: 0,
        };
        for size in sizes {
            let (atoms, numbers) = size?;
            (observer.atoms, observer.numbers) = (observer.atoms.max(atoms), observer.numbers.max(numbers));
        }
        Ok(observer)
    }

    fn fields(&self) -> ObservationLayout {
        ObservationLayout::new(vec![
            ObservationField::bits("state", vec![self.atoms]),
            ObservationField {
                name: "numbers".to_owned(),
                shape: vec![self.numbers],
                low: f64::NEG_INFINITY,
                high: f64::INFINITY,
            },
        ])
    }

    /// Writes a row of atoms that hold and of numbers, and returns its length.
    fn write_row<'n>(
        &self,
        held: impl Iterator<Item = usize>,
        values: impl Iterator<Item = (FunctionId, &'n [ObjectId], f64)>,
        places: Option<&FluentPlaces>,
        into: &mut [f32],
    ) -> usize {
        let length = into.len().min(self.atoms + self.numbers);
        into[..length].fill(0.0);
        let (state, numbers) = into[..length].split_at_mut(length.min(self.atoms));
        for atom in held {
            if let Some(element) = state.get_mut(atom) {
                *element = 1.0;
            }
        }
        for (function, arguments, value) in values {
            let place = places.and_then(|places| places.place(function, arguments));
            if let Some(element) = place.and_then(|place| numbers.get_mut(place)) {
                *element = value as f32;
            }
        }
        length
    }
}

impl Observer<Suite> for BitsAndNumbers {
    type Element = f32;

    fn layout(&self, _suite: &Suite) -> Result<ObservationLayout, EnvError> {
        Ok(self.fields())
    }

    fn write(&self, planning: &Planning<Grounded>, _memory: &Memory, into: &mut [f32]) -> usize {
        let instance = planning.instance();
        let held = instance.atoms().observe(planning.walker(), self.part);
        let places = instance.fluent_places(&self.functions).ok();
        let values = grounded_numbers(planning.walker());
        self.write_row(held.map(ObservedId::index), values, places, into)
    }
}

impl Observer<LiftedSuite> for BitsAndNumbers {
    type Element = f32;

    fn layout(&self, _suite: &LiftedSuite) -> Result<ObservationLayout, EnvError> {
        Ok(self.fields())
    }

    fn write(&self, planning: &Planning<Lifted>, _memory: &Memory, into: &mut [f32]) -> usize {
        let atoms = planning.walk().atoms();
        let held = atoms.observe(planning.walker(), self.part);
        let places = atoms.fluent_places(&self.functions).ok();
        let values = lifted_numbers(planning.walker());
        self.write_row(held.filter_map(|fact| atoms.number(fact)), values, places, into)
    }
}
