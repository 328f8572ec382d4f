//! Hiking: visit sights that a walker can reach in sequence.

use crate::vocabulary::{Dice, Draft, Grid, shortest};

#[derive(Clone, Copy, PartialEq)]
enum Terrain {
    Plain,
    Hill,
    Water,
    Hut,
}

use Terrain::{Hill, Hut, Plain, Water};

/// The position of the walker, and whether the walker is rested.
type State = (usize, bool);

struct Country {
    grid: Grid,
    terrain: Vec<Terrain>,
    start: usize,
}

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let kinds = [Plain, Hill, Water, Hut];
    let mut terrain: Vec<Terrain> = (0..size * size)
        .map(|_| kinds[dice.weighted(&[12, 6, 3, 2])])
        .collect();
    let start = dice.below(size * size);
    terrain[start] = Hut;
    let country = Country {
        grid: Grid::new(size, size),
        terrain,
        start,
    };
    let mut draft = Draft::default();
    let most = size.div_ceil(2);
    let sights = country.hike(most, dice, &mut draft);
    country.describe(&sights, &mut draft);
    (2 * sights.len() >= most).then_some(draft)
}

impl Country {
    /// Walks to at most `most` random sights and returns them.
    fn hike(&self, most: usize, dice: &mut Dice, draft: &mut Draft) -> Vec<usize> {
        let mut state = (self.start, true);
        let mut sights: Vec<usize> = Vec::new();
        for _ in 0..4 * most {
            let sight = dice.below(self.terrain.len());
            let fresh = sight != self.start && !sights.contains(&sight) && sights.len() < most;
            let way = if fresh {
                self.way(state, |&(at, _)| at == sight)
            } else {
                None
            };
            // The walker must be able to rest afterwards, otherwise the hike could not continue.
            let way = way.filter(|(_, end)| self.way(*end, |&(_, rested)| rested).is_some());
            if let Some((steps, end)) = way {
                steps.iter().for_each(|step| draft.step(step));
                sights.push(sight);
                state = end;
            }
        }
        sights
    }

    fn way(&self, from: State, goal: impl Fn(&State) -> bool) -> Option<(Vec<String>, State)> {
        shortest(from, usize::MAX, goal, |state| self.moves(state))
    }

    fn moves(&self, &(at, rested): &State) -> Vec<(String, State)> {
        let here = self.grid.name(at);
        let step = |next: usize| match self.terrain[next] {
            Water => None,
            Hill if !rested => None,
            Hill => Some((format!("climb {here} {}", self.grid.name(next)), (next, false))),
            Plain | Hut => Some((format!("walk {here} {}", self.grid.name(next)), (next, rested))),
        };
        let steps = self
            .grid
            .around(at)
            .into_iter()
            .filter_map(|(_, next)| step(next));
        let rest = self.terrain[at] == Hut && !rested;
        steps
            .chain(rest.then(|| (format!("rest {here}"), (at, true))))
            .collect()
    }

    fn sign(&self, cell: usize) -> char {
        match self.terrain[cell] {
            _ if cell == self.start => '@',
            Plain => '.',
            Hill => '^',
            Water => '~',
            Hut => 'h',
        }
    }

    fn describe(&self, sights: &[usize], draft: &mut Draft) {
        let name = |cell: usize| self.grid.name(cell);
        draft.note(format!(
            "Sights: {}. (@ start, ^ hill, ~ water, h hut)",
            sights.len()
        ));
        self.grid
            .drawing(|cell| self.sign(cell))
            .iter()
            .for_each(|line| draft.note(format!("  {line}")));
        draft.objects("place", self.grid.cell_names());
        let start = name(self.start);
        draft.facts([
            format!("at {start}"),
            format!("seen {start}"),
            "rested".to_owned(),
        ]);
        for (kind, word) in [(Hill, "hill"), (Water, "water"), (Hut, "hut")] {
            let cells = self
                .grid
                .cells()
                .into_iter()
                .filter(|&cell| self.terrain[cell] == kind);
            draft.facts(cells.map(|cell| format!("{word} {}", name(cell))));
        }
        draft.rows(self.grid.facts("adjacent", None));
        sights
            .iter()
            .for_each(|&sight| draft.goal(format!("seen {}", name(sight))));
    }
}
