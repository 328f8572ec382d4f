//! River: columns of islands between two banks. At least one row can be waded across.

use crate::vocabulary::{Dice, Draft, shortest};

const LINKS: [&str; 3] = ["path", "shallow", "deep"];

struct River {
    columns: usize,
    rows: usize,
    /// The link between each spot and its eastern neighbour.
    across: Vec<Option<&'static str>>,
    /// Whether a path leads from each spot to the one below.
    along: Vec<bool>,
    campfire: Vec<bool>,
}

/// Draws a river with `size` columns of islands. `None` if there is no way across.
pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let river = River::draw(size, dice);
    let (start, goal) = (dice.below(river.rows), dice.below(river.rows));
    let (start, goal) = (river.spot(0, start), river.spot(size + 1, goal));
    let reached = |&(at, _): &(usize, bool)| at == goal;
    let (way, _) = shortest((start, false), usize::MAX, reached, |state| river.moves(state))?;
    let mut draft = river.describe();
    draft.fact(format!("hiker-at {}", river.name(start)));
    draft.goal(format!("hiker-at {}", river.name(goal)));
    way.iter().for_each(|step| draft.step(step));
    Some(draft)
}

impl River {
    fn draw(columns: usize, dice: &mut Dice) -> Self {
        let rows = dice.between(2.max(columns / 2), columns + 2);
        let ford = dice.below(rows);
        let count = rows * (columns + 2);
        let link = |spot: usize, dice: &mut Dice| {
            let kind = dice.weighted(&[1, 6, 8, 1]);
            if spot / (columns + 2) == ford {
                Some("shallow")
            } else {
                LINKS.get(kind).copied()
            }
        };
        Self {
            columns,
            rows,
            across: (0..count).map(|spot| link(spot, dice)).collect(),
            along: (0..count)
                .map(|spot| [0, columns + 1].contains(&(spot % (columns + 2))) || dice.chance(1, 5))
                .collect(),
            campfire: (0..count).map(|_| dice.chance(1, 4)).collect(),
        }
    }

    fn spot(&self, column: usize, row: usize) -> usize {
        row * (self.columns + 2) + column
    }

    fn name(&self, spot: usize) -> String {
        let (row, column) = (spot / (self.columns + 2) + 1, spot % (self.columns + 2));
        match column {
            _ if row > self.rows => "falls".to_owned(),
            0 => format!("west-{row}"),
            _ if column > self.columns => format!("east-{row}"),
            _ => format!("isle-{column}-{row}"),
        }
    }

    /// Returns the spot downstream.
    fn below(&self, spot: usize) -> usize {
        spot + self.columns + 2
    }

    /// Returns all links: kind, from, to.
    fn links(&self) -> Vec<(&'static str, usize, usize)> {
        let east = |spot: usize| spot % (self.columns + 2) <= self.columns;
        let spots = 0..self.across.len();
        let across = spots.clone().filter(|&spot| east(spot));
        let across = across.filter_map(|spot| self.across[spot].map(|kind| (kind, spot, spot + 1)));
        let along = spots.filter(|&spot| self.along[spot] && self.below(spot) < self.across.len());
        across
            .chain(along.map(|spot| ("path", spot, self.below(spot))))
            .collect()
    }

    /// Returns the moves at a spot, whether or not the walker shivers, with the state after success.
    fn moves(&self, &(at, shivering): &(usize, bool)) -> Vec<(String, (usize, bool))> {
        let name = |spot| self.name(spot);
        let mut moves = Vec::new();
        for (kind, a, b) in self.links() {
            let to = if at == a { b } else { a };
            match kind {
                _ if at != a && at != b => {}
                "path" => moves.push((format!("walk {} {}", name(at), name(to)), (to, shivering))),
                "shallow" => moves.push((
                    format!("wade {} {} {}", name(at), name(to), name(self.below(to))),
                    (to, shivering),
                )),
                _ if shivering => {}
                _ => moves.push((
                    format!("swim {} {} {}", name(at), name(to), name(self.below(to))),
                    (to, true),
                )),
            }
        }
        if shivering && self.campfire[at] {
            moves.push((format!("warm-up {}", name(at)), (at, false)));
        }
        moves
    }

    fn describe(&self) -> Draft {
        let spots = 0..self.across.len();
        let mut draft = Draft::default();
        draft.note(format!(
            "Columns of islands: {}; rows down to the falls: {}.",
            self.columns, self.rows
        ));
        let all = spots.clone().map(|spot| self.name(spot));
        draft.objects("spot", all.chain(["falls".to_owned()]));
        let fires = spots.clone().filter(|&spot| self.campfire[spot]);
        draft.facts(fires.map(|spot| format!("campfire {}", self.name(spot))));
        for (kind, a, b) in self.links() {
            let (a, b) = (self.name(a), self.name(b));
            draft.facts([format!("{kind} {a} {b}"), format!("{kind} {b} {a}")]);
        }
        draft.facts(
            spots.map(|spot| format!("downstream {} {}", self.name(spot), self.name(self.below(spot)))),
        );
        draft
    }
}
