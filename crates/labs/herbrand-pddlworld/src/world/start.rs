//! Initial sketches of episodes.

use herbrand_core::{Random, uniform_below};

use super::World;
use crate::action::WorldAction;
use crate::options::Start;
use crate::sign::Sign;
use crate::sketch::{SignEdit, Sketch};

impl World {
    /// Returns the initial sketch of an episode.
    pub(super) fn begin(&self, chance: &mut Random) -> Sketch {
        let vocabulary = self.target.vocabulary();
        match &self.options.start {
            Start::Empty => Sketch::empty(vocabulary),
            Start::Given(sketch) => sketch.clone(),
            Start::Random => {
                Sketch::from_signs(vocabulary, |_, _, _| Sign::ALL[uniform_below(chance, 3) as usize])
            }
            Start::Corrupted(count) => self.corrupted(*count, chance),
        }
    }

    /// Returns the target with `count` signs changed.
    fn corrupted(&self, count: u32, chance: &mut Random) -> Sketch {
        let mut sketch = self.target.sketch().clone();
        let mut places: Vec<u32> = (0..self.numbering.signs()).collect();
        for at in 0..count.min(self.numbering.signs()) {
            // The first places are drawn without repetition (Fisher and Yates).
            let other = at + uniform_below(chance, self.numbering.signs() - at);
            places.swap(at as usize, other as usize);
            let turn = 1 + uniform_below(chance, 2);
            if let Some(WorldAction::Edit(change)) = self
                .numbering
                .action(self.target.vocabulary(), 3 * places[at as usize])
            {
                let old = sketch.get(change.part, change.operator, change.literal);
                let sign = Sign::ALL[((old.number() + turn) % 3) as usize];
                sketch.set(SignEdit { sign, ..change });
            }
        }
        sketch
    }
}
