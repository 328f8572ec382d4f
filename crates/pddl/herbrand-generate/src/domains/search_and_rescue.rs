//! Search and rescue: a ruined city. Higher levels have more people, walls and rubble.

use crate::vocabulary::{Dice, Direction, Draft, Grid};

/// The parameters of a level.
struct Level {
    number: usize,
    people: usize,
    hospitals: usize,
    walls: bool,
    rubble: bool,
    comes_back: bool,
}

/// For each level: people, hospitals, walls, rubble, whether the robot has to return.
const LEVELS: [(usize, usize, bool, bool, bool); 7] = [
    (1, 1, false, false, false),
    (1, 1, true, false, false),
    (1, 1, false, true, false),
    (2, 1, true, false, false),
    (3, 2, true, true, false),
    (4, 2, true, true, true),
    (6, 3, true, true, true),
];

/// Draws a problem of level `LEVEL`, from 1 to 7, on a grid of `size` × `size` cells. `None` if the walls leave too few
/// cells; then draw again with other dice. Panics for other levels.
pub fn draw<const LEVEL: usize>(size: usize, dice: &mut Dice) -> Option<Draft> {
    let (people, hospitals, walls, rubble, comes_back) = LEVELS[LEVEL - 1];
    let level = Level {
        number: LEVEL,
        people,
        hospitals,
        walls,
        rubble,
        comes_back,
    };
    City::draw(&level, size, dice).map(|city| city.problem(&level))
}

struct City {
    grid: Grid,
    rubble: Vec<bool>,
    robot: usize,
    hospitals: Vec<usize>,
    people: Vec<usize>,
}

impl City {
    /// Draws a city whose cells are all connected. Returns `None` if the walls leave too few cells.
    fn draw(level: &Level, size: usize, dice: &mut Dice) -> Option<Self> {
        let walls = if level.walls { (1, 4) } else { (0, 1) };
        let grid = Grid::with_walls(size, size, walls, dice);
        let cells = grid.cells();
        let special = 1 + level.hospitals;
        if cells.len() <= special || cells.len() * 2 < size * size {
            return None;
        }
        let drawn = dice.sample(&cells, special);
        let mut city = Self {
            rubble: vec![false; size * size],
            robot: drawn[0],
            hospitals: drawn[1..].to_vec(),
            people: (0..level.people).map(|_| *dice.pick(&cells)).collect(),
            grid,
        };
        for &cell in cells.iter().filter(|_| level.rubble) {
            let is_taken = drawn.contains(&cell) || city.people.contains(&cell);
            city.rubble[cell] = !is_taken && dice.chance(1, 4);
        }
        Some(city)
    }

    fn sign(&self, cell: usize) -> char {
        match cell {
            _ if cell == self.robot => 'R',
            _ if self.hospitals.contains(&cell) => 'H',
            _ if self.people.contains(&cell) => 'p',
            _ if self.rubble[cell] => '%',
            _ => '.',
        }
    }

    fn problem(&self, level: &Level) -> Draft {
        let name = |cell: usize| self.grid.name(cell);
        let mut draft = Draft::default();
        draft.note(format!(
            "Level {}, people: {}. (R robot, H hospital, p person, % rubble, # wall)",
            level.number, level.people
        ));
        self.grid
            .drawing(|cell| self.sign(cell))
            .iter()
            .for_each(|line| draft.note(format!("  {line}")));
        draft.objects("cell", self.grid.cell_names());
        draft.objects(
            "person",
            (1..=level.people).map(|person| format!("person-{person}")),
        );
        draft.facts([format!("robot-at {}", name(self.robot)), "hand-free".to_owned()]);
        draft.facts(
            self.hospitals
                .iter()
                .map(|&cell| format!("hospital {}", name(cell))),
        );
        draft.facts(
            (1..)
                .zip(&self.people)
                .map(|(p, &cell)| format!("person-at person-{p} {}", name(cell))),
        );
        let (rubble, open): (Vec<_>, Vec<_>) =
            self.grid.cells().into_iter().partition(|&cell| self.rubble[cell]);
        draft.facts(open.into_iter().map(|cell| format!("open {}", name(cell))));
        draft.facts(rubble.into_iter().map(|cell| format!("rubble {}", name(cell))));
        draft.rows(self.grid.facts("neighbor", Some(Direction::word)));
        (1..=level.people).for_each(|person| draft.goal(format!("rescued person-{person}")));
        if level.comes_back {
            draft.goal(format!("robot-at {}", name(self.robot)));
        }
        self.rescue(level, &mut draft);
        draft
    }

    /// For each person, the robot first walks to a hospital, clears the way from there, and returns on it with the person.
    fn rescue(&self, level: &Level, draft: &mut Draft) {
        let streets = self.grid.graph();
        let mut rubble = self.rubble.clone();
        let mut walk = |draft: &mut Draft, way: &[(usize, usize)]| {
            for &(a, b) in way {
                let step = self.step(a, b);
                if std::mem::take(&mut rubble[b]) {
                    draft.step(format!("clear-rubble {step}"));
                }
                draft.step(format!("move {step}"));
            }
        };
        let mut at = self.robot;
        for (index, &cell) in self.people.iter().enumerate() {
            let hospital = self.hospitals[index % self.hospitals.len()];
            let there = streets.route(hospital, cell);
            let back: Vec<_> = there.iter().rev().map(|&(a, b)| (b, a)).collect();
            walk(draft, &streets.route(at, hospital));
            walk(draft, &there);
            draft.step(format!("pick-up person-{} {}", index + 1, self.grid.name(cell)));
            walk(draft, &back);
            draft.step(format!(
                "deliver person-{} {}",
                index + 1,
                self.grid.name(hospital)
            ));
            at = hospital;
        }
        if level.comes_back {
            walk(draft, &streets.route(at, self.robot));
        }
    }

    /// Returns the arguments of a step between neighbours.
    fn step(&self, from: usize, to: usize) -> String {
        let side = self.grid.around(from).into_iter().find(|&(_, next)| next == to);
        let word = side.map_or("", |(direction, _)| direction.word());
        format!("{} {} {word}", self.grid.name(from), self.grid.name(to))
    }
}
