//! Observations of a domain under edit.

use herbrand_core::{Memory, ObservationField, ObservationLayout, Observer, System};

use crate::action::Question;
use crate::error::WorldError;
use crate::sign::{PARTS, Sign};
use crate::world::World;
use crate::worlds::Worlds;

/// An observer that writes the sketch as bits. Each sign has three bits (positive, absent, negative); exactly one is
/// set. All preconditions come before all effects, ordered by operator. Pass it to
/// [`Env::observed`](herbrand_core::Env::observed). The sizes are those of the largest target of the [`Worlds`]; a
/// smaller one leaves the rest of each part 0.
///
/// With [`WorldOptions::queries`](crate::WorldOptions::queries), further bits follow. Each question has two bits (no, yes);
/// if it was the last action, its answer is set. [`Question::Equivalent`] comes first, then the problems in order. If the
/// answer to [`Question::Equivalent`] is no, the rest describes a counterexample state. It has two bits (false, true) for
/// each literal of all operators, in the order of the signs; they are set for the literals of the operator that the
/// counterexample is about. Two final bits tell whether the action is applicable in the model and in the target.
///
/// ```text
///   signs (6 per literal)        answers (2 per question)   witness (2 per literal)   applicable (2)
///   + · - | + · - | ...          no yes | no yes | ...      0 1 | 0 1 | ...           model, target
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SketchBits;

/// An observer that writes the sketch as the two integers of gym-pddlworld: preconditions and effects. An integer with
/// more than 60 bits is split into numbers of 60 bits, lowest first. The count is that of the largest target of the
/// [`Worlds`]. Not for worlds with [`WorldOptions::queries`](crate::WorldOptions::queries), which give
/// [`WorldError::Options`]. Pass it to [`Env::observed`](herbrand_core::Env::observed).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SketchIntegers;

/// The number of signs per element of [`SketchIntegers`].
const SIGNS: usize = 20;

impl Observer<Worlds> for SketchBits {
    type Element = u8;

    fn layout(&self, worlds: &Worlds) -> Result<ObservationLayout, WorldError> {
        let (literals, questions) = worlds.widest();
        let mut fields = vec![ObservationField::bits("signs", vec![6 * literals])];
        if questions > 0 {
            fields.push(ObservationField::bits("answers", vec![2 * questions]));
            fields.push(ObservationField::bits("witness", vec![2 * literals]));
            fields.push(ObservationField::bits("applicable", vec![2]));
        }
        Ok(ObservationLayout::new(fields))
    }

    fn write(&self, world: &World, _memory: &Memory, into: &mut [u8]) -> usize {
        let (literals, questions) = world.widest;
        let wanted = 6 * literals
            + if questions > 0 {
                2 * questions + 2 * literals + 2
            } else {
                0
            };
        let length = wanted.min(into.len());
        into[..length].fill(0);
        let mut set = |place: usize| {
            if let Some(cell) = into[..length].get_mut(place) {
                *cell = 1;
            }
        };
        let vocabulary = world.target().vocabulary();
        for (clause, part) in PARTS.into_iter().enumerate() {
            for place in 0..vocabulary.len() {
                if let Some((operator, literal)) = vocabulary.at(place) {
                    let sign = world.sketch().get(part, operator, literal);
                    set(3 * (clause * literals + place) + sign.number() as usize);
                }
            }
        }
        if let Some((question, yes)) = world.state().answer {
            let number = match question {
                Question::Equivalent => 0,
                Question::Solves(problem) => 1 + problem,
            };
            let answers = 6 * literals;
            set(answers + 2 * number + usize::from(yes));
            let asked = question == Question::Equivalent && !yes;
            if let Some(witness) = asked.then(|| world.target().witness(world.sketch())).flatten() {
                let start = answers + 2 * questions;
                for (literal, &held) in witness.literals.iter().enumerate() {
                    if let Some(place) = vocabulary.place(witness.operator, literal) {
                        set(start + 2 * place + usize::from(held));
                    }
                }
                for (number, applicable) in [witness.model.is_some(), witness.target.is_some()]
                    .into_iter()
                    .enumerate()
                {
                    if applicable {
                        set(start + 2 * literals + number);
                    }
                }
            }
        }
        length
    }
}

impl Observer<Worlds> for SketchIntegers {
    type Element = i64;

    fn layout(&self, worlds: &Worlds) -> Result<ObservationLayout, WorldError> {
        let (literals, questions) = worlds.widest();
        if questions > 0 {
            let message = "two integers have no room for answers: observe bits where there are queries";
            return Err(WorldError::Options(message.to_owned()));
        }
        let words = literals.div_ceil(SIGNS).max(1);
        let field = |name: &str| ObservationField {
            name: name.to_owned(),
            shape: if words == 1 { Vec::new() } else { vec![words] },
            low: 0.0,
            high: f64::exp2(3.0 * literals.min(SIGNS) as f64) - 1.0,
        };
        Ok(ObservationLayout::new(vec![
            field("preconditions"),
            field("effects"),
        ]))
    }

    fn write(&self, world: &World, _memory: &Memory, into: &mut [i64]) -> usize {
        let words = world.widest.0.div_ceil(SIGNS).max(1);
        let vocabulary = world.target().vocabulary();
        let length = (2 * words).min(into.len());
        into[..length].fill(0);
        for (clause, part) in PARTS.into_iter().enumerate() {
            for place in 0..vocabulary.len() {
                let cell = into[..length].get_mut(clause * words + place / SIGNS);
                if let Some((cell, (operator, literal))) = cell.zip(vocabulary.at(place)) {
                    let sign: Sign = world.sketch().get(part, operator, literal);
                    *cell |= i64::from(sign.triplet()) << (3 * (place % SIGNS));
                }
            }
        }
        length
    }
}
