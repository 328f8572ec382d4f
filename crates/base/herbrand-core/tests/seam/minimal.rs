//! The smallest language: a corridor, written with the required items of the traits alone.

use std::fs;

use herbrand_core::{
    ActionField, ActionLayout, Batch, BatchSystem, BufferContents, Choice, Enumerated, Env, EnvOptions,
    EpisodeFault, FieldDomain, JointError, Problems, Random, Status, System, Transition, VecEnv, VecOptions,
    uniform_below,
};

/// A corridor with an exit at its end. A step goes one cell back or forward.
#[derive(Clone, Debug)]
struct Corridor {
    layout: ActionLayout,
    exit: u32,
    cell: u32,
}

/// The reason why a step of a corridor failed.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
enum CorridorError {
    /// The episode refused the call.
    #[error(transparent)]
    Episode(#[from] EpisodeFault),
    /// The joint action does not fit the layout.
    #[error(transparent)]
    Joint(#[from] JointError),
    /// There is no cell before the first one.
    #[error("there is a wall at the start of the corridor")]
    Wall,
}

/// The alternative that goes one cell back. It is invalid in the first cell.
const BACK: u32 = 0;

impl Corridor {
    fn new(exit: u32) -> Self {
        let way = ActionField {
            name: "way".to_owned(),
            domain: FieldDomain::Discrete { count: 2 },
            default: None,
        };
        Self {
            layout: ActionLayout::new(vec![way], 1),
            exit,
            cell: 0,
        }
    }

    /// Returns the valid alternatives.
    fn ways(&self) -> std::ops::Range<u32> {
        u32::from(self.cell == 0)..2
    }
}

impl System for Corridor {
    type State = u32;
    type Error = CorridorError;

    fn reset(&mut self, _chance: &mut Random) -> Result<(), CorridorError> {
        self.cell = 0;
        Ok(())
    }

    fn state(&self) -> &u32 {
        &self.cell
    }

    fn set_state(&mut self, state: &u32) -> Result<(), CorridorError> {
        self.cell = *state;
        Ok(())
    }

    fn actions(&self) -> &ActionLayout {
        &self.layout
    }

    fn choice_count(&self) -> usize {
        self.ways().len()
    }

    fn choices(&self, into: &mut Vec<Choice>) {
        into.clear();
        into.extend(self.ways().map(Choice::discrete));
    }

    fn write_mask(&self, into: &mut [u8]) {
        into.fill(0);
        self.ways().for_each(|way| into[way as usize] = 1);
    }

    fn is_valid(&self, joint: &[Choice]) -> bool {
        self.ways().any(|way| joint == [Choice::discrete(way)])
    }

    fn sample(&self, random: &mut Random, into: &mut Vec<Choice>) -> bool {
        let ways = self.ways();
        into.clear();
        into.push(Choice::discrete(
            ways.start + uniform_below(random, ways.len() as u32),
        ));
        true
    }

    fn step(&mut self, joint: &[Choice], _chance: &mut Random) -> Result<Transition, CorridorError> {
        self.layout.check(joint)?;
        self.cell = if *joint == [Choice::discrete(BACK)] {
            self.cell.checked_sub(1).ok_or(CorridorError::Wall)?
        } else {
            self.cell + 1
        };
        Ok(Transition {
            reward: -1.0,
            status: self.status(),
        })
    }

    fn status(&self) -> Status {
        Status {
            goal: self.cell == self.exit,
            ..Status::default()
        }
    }
}

impl BatchSystem for Corridor {}

/// Corridors with their exits after the given numbers of steps.
#[derive(Clone, Debug)]
struct Corridors(Vec<u32>);

impl Problems for Corridors {
    type System = Corridor;
    type Error = CorridorError;

    fn name(&self) -> &'static str {
        "corridors"
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn problem_name(&self, index: usize) -> Option<String> {
        self.0.get(index).map(|exit| format!("exit-{exit}"))
    }

    fn horizon(&self, _index: usize) -> Option<u32> {
        None
    }

    fn system(&self, index: usize) -> Result<Corridor, CorridorError> {
        match self.0.get(index) {
            Some(&exit) => Ok(Corridor::new(exit)),
            None => Err(CorridorError::from(EpisodeFault::NoProblems {
                problems: self.name().to_owned(),
            })),
        }
    }
}

/// The states of `count` environments after each of `steps` sampled steps, taken one environment at a time.
fn walked<P: Problems<System: System<State = u32>>>(problems: &P, count: u64, steps: usize) -> Vec<Vec<u32>> {
    let walk = |seed| {
        let mut env = Env::new(problems.clone(), EnvOptions::default()).expect("there are problems");
        env.reset(Some(seed)).expect("a reset");
        let mut over = false;
        let steps = (0..steps).map(|_| {
            if over {
                env.reset(None).expect("a reset");
                over = false;
            } else {
                let joint = env.sample().expect("reset before").expect("a way");
                over = env.step(&joint).expect("a valid action").ended();
            }
            *env.state().expect("reset before")
        });
        steps.collect()
    };
    (0..count).map(walk).collect()
}

/// The states of `count` environments after each of `steps` sampled steps of a batch.
fn batched<P: Problems<System: System<State = u32>>>(
    problems: &P,
    count: usize,
    steps: usize,
) -> Vec<Vec<u32>> {
    let options = VecOptions::default();
    let mut envs = VecEnv::new(problems, &herbrand_core::Unobserved, count, options).expect("environments");
    let widths = envs.widths();
    let mut observations = vec![Default::default(); count * widths.observation];
    let (mut masks, mut rewards) = (vec![0; count * widths.mask], vec![0.0; count]);
    let (mut terminated, mut truncated) = (vec![false; count], vec![false; count]);
    let mut batch = Batch {
        observations: &mut observations,
        masks: &mut masks,
        rewards: &mut rewards,
        terminated: &mut terminated,
        truncated: &mut truncated,
        flags: &mut [],
        final_observations: &mut [],
        final_flags: &mut [],
        rows: BufferContents::Fresh,
    };
    envs.reset(Some(0), &mut batch).expect("a reset");
    let mut walks = vec![Vec::new(); count];
    let mut actions = vec![0_u32; count];
    for _ in 0..steps {
        envs.step_sampled(&mut *actions, &mut batch).expect("a step");
        for (index, walk) in walks.iter_mut().enumerate() {
            let env = envs.env(index).expect("an environment");
            walk.push(*env.state().expect("reset before"));
        }
    }
    walks
}

#[test]
fn a_minimal_language_runs_in_environments_and_batches() {
    let problems = Corridors(vec![2, 3, 5]);
    let walks = walked(&problems, 6, 40);
    assert!(walks.iter().flatten().any(|&cell| cell == 5), "no walk gets out");
    assert_eq!(batched(&problems, 6, 40), walks);
    let numbered = Enumerated::new(problems, 4).expect("two ways per corridor");
    assert_eq!(batched(&numbered, 6, 40), walked(&numbered, 6, 40));
    let mut corridor = Corridor::new(2);
    let back = corridor.step_if_valid(&[Choice::discrete(BACK)], &mut Random::new(1));
    assert_eq!(back, Ok(None));
    let back = corridor.step(&[Choice::discrete(BACK)], &mut Random::new(1));
    assert_eq!(back, Err(CorridorError::Wall));
}

/// Returns the names of the items of a trait that have no default, in order of declaration.
fn required(path: &str, name: &str) -> Vec<String> {
    let path = format!("{}/src/{path}", env!("CARGO_MANIFEST_DIR"));
    let source = fs::read_to_string(path).expect("the source of the trait");
    let head = format!("pub trait {name}");
    let body: Vec<_> = source
        .lines()
        .skip_while(|line| !line.starts_with(&head))
        .take_while(|line| *line != "}")
        .collect();
    assert!(!body.is_empty(), "there is no trait {name}");
    let mut required = Vec::new();
    let mut open = None;
    for line in body {
        let starts = ["    fn ", "    type ", "    const "]
            .iter()
            .find_map(|start| line.strip_prefix(start));
        if let Some(rest) = starts {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
            open = Some(rest[..end.unwrap_or(rest.len())].to_owned());
        }
        // A declaration ends with a semicolon if it has no default, and with a brace or a value otherwise.
        if open.is_some() && (line.ends_with(';') || line.ends_with('{')) {
            let item = open.take();
            if line.ends_with(';') && !line.contains(" = ") {
                required.extend(item);
            }
        }
    }
    required
}

#[test]
fn a_minimal_language_writes_few_methods() {
    assert_eq!(
        required("system.rs", "System"),
        [
            "State",
            "Error",
            "reset",
            "state",
            "set_state",
            "actions",
            "choice_count",
            "choices",
            "write_mask",
            "is_valid",
            "sample",
            "step",
            "status"
        ]
    );
    assert_eq!(required("batch_system.rs", "BatchSystem"), [""; 0]);
    assert_eq!(
        required("problems.rs", "Problems"),
        [
            "System",
            "Error",
            "name",
            "len",
            "problem_name",
            "horizon",
            "system"
        ]
    );
}
