//! Maze reachability: the exit is the room that needs the most lever pulls.

use crate::vocabulary::{Dice, Draft, Graph, Grid, explore};

/// The maximal number of gates. More gates would give too many states to enumerate.
const MOST_GATES: usize = 8;

/// The number of mazes drawn. The one with the most lever pulls to the exit is used.
const DRAWS: usize = 8;

/// The explorer's area, and a bit mask of the open gates.
type State = (usize, u32);

struct Maze {
    grid: Grid,
    passages: Graph,
    /// The area of each room. An area is a set of rooms joined by passages.
    area: Vec<usize>,
    gates: Vec<(usize, usize)>,
    /// The room of each lever, and the gates that it is wired to.
    levers: Vec<(usize, Vec<usize>)>,
    start: usize,
    /// A bit mask of the gates that are initially open.
    open: u32,
}

/// The levers to pull, the exit, and whether the way back is closed afterwards.
struct Way {
    levers: Vec<usize>,
    exit: usize,
    shut_behind: bool,
}

/// Draws a maze of `size` × `size` rooms. `None` if no maze was drawn in which a room needs a lever pull.
pub fn draw(size: usize, dice: &mut Dice) -> Option<Draft> {
    let mut best: Option<(Maze, Way)> = None;
    for _ in 0..DRAWS {
        let maze = Maze::draw(size, dice);
        let way = maze.way_out(dice);
        let longest = best.as_ref().map_or(0, |(_, way)| way.levers.len());
        best = way
            .filter(|way| way.levers.len() > longest)
            .map(|way| (maze, way))
            .or(best);
    }
    let (maze, way) = best?;
    let name = |room: usize| maze.grid.name(room);
    let mut draft = maze.describe();
    draft.goal(format!("explorer-in {}", name(way.exit)));
    if way.shut_behind && dice.chance(1, 2) {
        draft.goal(format!("not (reachable {} {})", name(way.exit), name(maze.start)));
    }
    let mut at = maze.start;
    for lever in way.levers {
        let room = maze.levers[lever].0;
        go(&mut draft, &maze, &mut at, room);
        draft.step(format!("pull lever-{} {}", lever + 1, name(room)));
    }
    go(&mut draft, &maze, &mut at, way.exit);
    Some(draft)
}

fn go(draft: &mut Draft, maze: &Maze, at: &mut usize, to: usize) {
    if *at != to {
        draft.step(format!("go {} {}", maze.grid.name(*at), maze.grid.name(to)));
    }
    *at = to;
}

impl Maze {
    /// Draws a random tree over the rooms, in which some edges are gates.
    fn draw(size: usize, dice: &mut Dice) -> Self {
        let grid = Grid::new(size, size);
        let mut area: Vec<usize> = (0..size * size).collect();
        let mut edges = grid.graph().edges();
        dice.shuffle(&mut edges);
        edges.retain(|&(a, b)| {
            let (here, there) = (area[a], area[b]);
            area.iter_mut()
                .filter(|area| **area == there)
                .for_each(|area| *area = here);
            here != there
        });
        let gates: Vec<_> = edges.drain(..size.min(MOST_GATES).min(edges.len())).collect();
        let mut passages = Graph::new(size * size);
        edges.into_iter().for_each(|(a, b)| passages.join(a, b));
        for room in 0..size * size {
            passages
                .area(room)
                .into_iter()
                .for_each(|other| area[other] = room);
        }
        let lever = |gate| {
            let mut wired = vec![gate];
            let other = dice.below(gates.len());
            if other != gate && dice.chance(1, 2) {
                wired.push(other);
            }
            (dice.below(size * size), wired)
        };
        let levers = (0..gates.len()).map(lever).collect();
        let open = (0..gates.len()).fold(0, |mask, gate| mask | u32::from(dice.chance(1, 4)) << gate);
        let start = dice.below(size * size);
        Self {
            grid,
            passages,
            area,
            gates,
            levers,
            start,
            open,
        }
    }

    /// Returns the way to the room that needs the most pulls, or `None` if every room can be reached without a pull.
    fn way_out(&self, dice: &mut Dice) -> Option<Way> {
        let start = (self.area[self.start], self.open);
        let (found, _) = explore(start, usize::MAX, |_| false, |state| self.pulls(state));
        // States are ordered by the number of pulls, so the exit is in the area that is reached last.
        let mut first = vec![None; self.area.len()];
        for (index, state) in found.states.iter().enumerate() {
            for area in self.reached(*state) {
                first[area].get_or_insert(index);
            }
        }
        let exit = dice
            .permutation(self.area.len())
            .into_iter()
            .max_by_key(|&room| first[self.area[room]])?;
        let last = first[self.area[exit]].filter(|&index| index > 0)?;
        let back = self.reached((self.area[exit], found.states[last].1));
        Some(Way {
            levers: found.way(last),
            exit,
            shut_behind: !back.contains(&start.0),
        })
    }

    /// Returns the areas that can be reached through open gates.
    fn reached(&self, (area, open): State) -> Vec<usize> {
        let moves = |&area: &usize| {
            let gates = self
                .gates
                .iter()
                .enumerate()
                .filter(|(gate, _)| open >> gate & 1 == 1);
            let ends = gates.map(|(_, &(a, b))| (self.area[a], self.area[b]));
            let through = ends.filter(|&(a, b)| a == area || b == area);
            through
                .map(|(a, b)| ((), if a == area { b } else { a }))
                .collect::<Vec<_>>()
        };
        explore(area, usize::MAX, |_| false, moves).0.states
    }

    /// Returns the levers that can be pulled, each with the state after the pull.
    fn pulls(&self, &(area, open): &State) -> Vec<(usize, State)> {
        let reached = self.reached((area, open));
        let levers = self.levers.iter().enumerate();
        let levers = levers.filter(|(_, (room, _))| reached.contains(&self.area[*room]));
        let pull = |(lever, (room, wired)): (usize, &(usize, Vec<usize>))| {
            let after = wired.iter().fold(open, |open, gate| open ^ 1 << gate);
            (lever, (self.area[*room], after))
        };
        levers.map(pull).collect()
    }

    fn describe(&self) -> Draft {
        let names = self.grid.names();
        let mut draft = Draft::default();
        draft.note(format!(
            "{} by {} rooms; gates: {}; levers: {}.",
            self.grid.rows,
            self.grid.columns,
            self.gates.len(),
            self.levers.len()
        ));
        draft.objects("room", &names);
        draft.objects("gate", (1..=self.gates.len()).map(|gate| format!("gate-{gate}")));
        draft.objects(
            "lever",
            (1..=self.levers.len()).map(|lever| format!("lever-{lever}")),
        );
        draft.fact(format!("explorer-in {}", names[self.start]));
        for (lever, (room, wired)) in (1..).zip(&self.levers) {
            let place = format!("lever-in lever-{lever} {}", names[*room]);
            let wires = wired
                .iter()
                .map(|gate| format!("wired lever-{lever} gate-{}", gate + 1));
            draft.facts([place].into_iter().chain(wires));
        }
        for (index, &(a, b)) in self.gates.iter().enumerate() {
            let gateway = format!("gateway gate-{} {} {}", index + 1, names[a], names[b]);
            let opened = (self.open >> index & 1 == 1).then(|| format!("open gate-{}", index + 1));
            draft.facts([gateway].into_iter().chain(opened));
        }
        let passage = |(a, b): (usize, usize)| format!("passage {} {}", names[a], names[b]);
        draft.facts(self.passages.edges().into_iter().map(passage));
        draft
    }
}
