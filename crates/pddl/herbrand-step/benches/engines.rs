//! Compares the engines on the bundled domains: `cargo bench -p herbrand-step --bench engines -- [--seconds S] [DOMAIN …]`.
//!
//! Each engine takes the same random walk through the last training problem of a domain, from the start again after 100
//! steps, and knows all valid actions of every state. The table has steps per second of CPU time, and their ratio. A star
//! marks domains with derived predicates. Both engines must find equally many valid actions.

use std::error::Error;
use std::time::Duration;

use cpu_time::ProcessTime;
use herbrand_pddl::{Domain, ObjectId, Problem};
use herbrand_step::{LiftedSimulator, LiftedWalker, Random, Walker, compile};

/// The number of steps between restarts.
const STEPS: u32 = 100;

/// The number of steps whose valid actions are counted and compared.
const COMPARED: u32 = 300;

/// The number of turns that each engine gets.
const TURNS: u32 = 3;

/// An engine on a random walk.
trait Walk {
    /// Returns to the initial state.
    fn restart(&mut self, random: &mut Random);
    /// Takes a random valid action and returns the number of valid actions; `None` in a dead end.
    fn step(&mut self, random: &mut Random) -> Option<usize>;
}

struct Grounded(Walker);

impl Walk for Grounded {
    fn restart(&mut self, random: &mut Random) {
        self.0.reset(random).expect("a bundled problem");
    }

    fn step(&mut self, random: &mut Random) -> Option<usize> {
        let action = self.0.sample(random)?;
        let valid = self.0.valid().len();
        self.0.apply(action, random).expect("a valid action");
        Some(valid)
    }
}

/// A lifted walker, and the arguments of its action.
struct Lifted(LiftedWalker, Vec<ObjectId>);

impl Walk for Lifted {
    fn restart(&mut self, random: &mut Random) {
        self.0.reset(random).expect("a bundled problem");
    }

    fn step(&mut self, random: &mut Random) -> Option<usize> {
        let action = self.0.sample(random)?;
        let schema = action.schema;
        self.1.clear();
        self.1.extend_from_slice(action.arguments);
        let valid = self.0.valid().len();
        self.0.apply(schema, &self.1, random).expect("a valid action");
        Some(valid)
    }
}

/// Takes walks of 100 steps until `done`; returns the numbers of steps and of valid actions.
fn walk(engine: &mut dyn Walk, mut done: impl FnMut(u32) -> bool) -> (u32, usize) {
    let (mut random, mut steps, mut valid) = (Random::new(0), 0, 0);
    while !done(steps) {
        engine.restart(&mut random);
        for _ in 0..STEPS {
            let Some(choices) = engine.step(&mut random) else {
                break;
            };
            steps += 1;
            valid += choices;
        }
    }
    (steps, valid)
}

/// Returns the steps per second of CPU time.
fn rate(engine: &mut dyn Walk, time: Duration) -> f64 {
    let start = ProcessTime::now();
    let (steps, _) = walk(engine, |_| start.elapsed() >= time);
    f64::from(steps) / start.elapsed().as_secs_f64()
}

/// Returns the fastest of several turns of each engine: grounded, lifted.
fn rates(domain: &Domain, problem: &Problem, time: Duration) -> Result<[f64; 2], Box<dyn Error>> {
    let mut grounded = Grounded(compile(domain, problem)?.walker());
    let mut lifted = Lifted(LiftedSimulator::compile(domain, problem)?.walker()?, Vec::new());
    let mut engines: [&mut dyn Walk; 2] = [&mut grounded, &mut lifted];
    let counts = engines
        .each_mut()
        .map(|engine| walk(&mut **engine, |steps| steps >= COMPARED));
    assert_eq!(counts[0], counts[1], "both engines walk alike");
    let mut best = [0.0_f64; 2];
    for _ in 0..TURNS {
        for (engine, best) in engines.iter_mut().zip(&mut best) {
            *best = best.max(rate(&mut **engine, time / TURNS));
        }
    }
    Ok(best)
}

/// Returns the text of the last training problem of a domain.
fn problem(name: &str) -> Option<&'static str> {
    let folder = format!("{name}/");
    let problems = herbrand_domains::pddl().filter(|(path, _)| {
        let is_problem = path.ends_with(".pddl") && !path.ends_with("/domain.pddl");
        path.starts_with(&folder) && is_problem && !path.contains("/test/")
    });
    problems.max_by_key(|(path, _)| *path).map(|(_, text)| text)
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value.ln(), count + 1));
    (sum / f64::from(count)).exp()
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut seconds, mut wanted) = (0.3, Vec::new());
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seconds" => seconds = arguments.next().ok_or("--seconds needs a number")?.parse()?,
            _ => wanted.push(argument),
        }
    }
    let time = Duration::try_from_secs_f64(seconds)?;
    println!("| domain | grounded | lifted | grounded / lifted |");
    println!("|---|---:|---:|---:|");
    let mut rows: Vec<(bool, f64)> = Vec::new();
    for (path, text) in herbrand_domains::pddl() {
        let Some(name) = path.strip_suffix("/domain.pddl") else {
            continue;
        };
        let chosen = wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
        let Some(problem) = problem(name).filter(|_| chosen) else {
            continue;
        };
        let domain = Domain::from_text(text)?;
        let problem = Problem::from_text(problem, &domain)?;
        let [grounded, lifted] = rates(&domain, &problem, time)?;
        let derives = text.contains("(:derived");
        let (ratio, star) = (grounded / lifted, if derives { "*" } else { "" });
        println!("| {name}{star} | {grounded:.0} | {lifted:.0} | {ratio:.1} |");
        rows.push((derives, ratio));
    }
    for star in ["", "*"] {
        let chosen = rows.iter().filter(|(derives, _)| star.is_empty() || *derives);
        let ratio = mean(chosen.map(|(_, ratio)| *ratio));
        println!("| geometric mean{star} | | | {ratio:.1} |");
    }
    Ok(())
}
