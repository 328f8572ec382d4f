//! Hiking: sights lie where a walker gets to one after another.

use crate::vocabulary::{Dice, Draft, Grid, shortest};

#[derive(Clone, Copy, PartialEq)]
enum Terrain {
    Plain,
    Hill,
    Water,
    Hut,
}

/// Where the walker is, and whether rested.
type State = (usize, bool);

pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    use Terrain::{Hill, Hut, Plain, Water};
    let grid = Grid::new(size, size);
    let mut terrain: Vec<Terrain> = (0..size * size)
        .map(|_| [Plain, Hill, Water, Hut][dice.weighted(&[12, 6, 3, 2])])
        .collect();
    let start = dice.below(size * size);
    terrain[start] = Hut;
    let moves = |&(at, rested): &State| {
        let step = |next: usize| match terrain[next] {
            Water => None,
            Hill if !rested => None,
            Hill => Some((
                format!("climb {} {}", grid.name(at), grid.name(next)),
                (next, false),
            )),
            Plain | Hut => Some((
                format!("walk {} {}", grid.name(at), grid.name(next)),
                (next, rested),
            )),
        };
        let steps = grid.around(at).into_iter().filter_map(|(_, next)| step(next));
        let rest = (terrain[at] == Hut && !rested).then(|| (format!("rest {}", grid.name(at)), (at, true)));
        steps.chain(rest).collect::<Vec<_>>()
    };
    let mut draft = Draft::default();
    let mut state = (start, true);
    let mut sights: Vec<usize> = Vec::new();
    for _ in 0..2 * size {
        let sight = dice.below(size * size);
        let fresh = sight != start && !sights.contains(&sight) && sights.len() < size.div_ceil(2);
        let way = fresh
            .then(|| shortest(state, usize::MAX, |&(at, _)| at == sight, moves))
            .flatten();
        // From where it leads the walker must get to a rest, or there would be no way on.
        let rests =
            |(_, end): &(Vec<String>, State)| shortest(*end, usize::MAX, |state| state.1, moves).is_some();
        if let Some((steps, end)) = way.filter(rests) {
            steps.iter().for_each(|step| draft.step(step));
            sights.push(sight);
            state = end;
        }
    }
    if sights.is_empty() {
        return None;
    }
    draft.note(format!(
        "Sights: {}. (@ start, ^ hill, ~ water, h hut)",
        sights.len()
    ));
    let sign = |cell: usize| match terrain[cell] {
        _ if cell == start => '@',
        Plain => '.',
        Hill => '^',
        Water => '~',
        Hut => 'h',
    };
    grid.drawing(sign)
        .iter()
        .for_each(|line| draft.note(format!("  {line}")));
    draft.objects("place", grid.cell_names());
    let name = grid.name(start);
    draft.facts([format!("at {name}"), format!("seen {name}"), "rested".to_owned()]);
    for (kind, word) in [(Hill, "hill"), (Water, "water"), (Hut, "hut")] {
        let cells = grid.cells().into_iter().filter(|&cell| terrain[cell] == kind);
        draft.facts(cells.map(|cell| format!("{word} {}", grid.name(cell))));
    }
    grid.facts("adjacent", None)
        .into_iter()
        .for_each(|row| draft.facts(row));
    sights
        .iter()
        .for_each(|&sight| draft.goal(format!("seen {}", grid.name(sight))));
    Some(draft)
}
