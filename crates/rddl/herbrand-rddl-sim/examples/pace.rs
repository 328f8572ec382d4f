//! Measures how fast an instance steps: `pace SECONDS DOMAIN INSTANCE`. Writes one line of JSON.
//!
//! Joint actions are sampled in advance and taken in turn. Episodes end at the horizon or when the problem ends them. Each
//! rate is the best of five equal parts of the time. All times are processor time of one thread. Batches are 1,024 roll-outs
//! of 100 steps that start together. `batch_computed_per_second` also counts steps of roll-outs that have ended but continue
//! beside others. `together_steps_per_second` is the rate of simulators that step together, as in a vector environment.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ProcessTime;
use herbrand_core::{BatchSystem, Choice, FieldValue, Job, Random, System};
use herbrand_rddl::{Horizon, Instance};
use herbrand_rddl_sim::ground::compile;
use herbrand_rddl_sim::simulate::{CompiledInstance, Preconditions, RandomSource, RddlSimulator, Rollouts};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seconds, domain, instance] = &arguments[..] else {
        return Err("usage: pace SECONDS DOMAIN INSTANCE".into());
    };
    let begin = ProcessTime::now();
    let instance = Arc::new(Instance::from_files([domain, instance])?);
    let read = begin.elapsed();
    let compiled = Arc::new(compile(&instance)?);
    let mut simulator = RddlSimulator::new(Arc::clone(&compiled), Preconditions::Reported);
    let created = begin.elapsed();
    let joints = joints(&mut simulator);
    let part = Duration::from_secs_f64(seconds.parse::<f64>()? / 5.0);
    let rates: Result<Vec<f64>, _> = (0..5)
        .map(|part_number| rate(&mut simulator, &joints, part, part_number))
        .collect();
    let best = rates?.into_iter().fold(0.0, f64::max);
    let mut best_sampled = [0.0; 2];
    for (best, masked) in best_sampled.iter_mut().zip([false, true]) {
        for seed in 0..5 {
            *best = f64::max(*best, sampled_rate(&mut simulator, part, seed, masked)?);
        }
    }
    let [best_sampled, best_masked] = best_sampled;
    let together: Result<Vec<f64>, _> = (0..5)
        .map(|seed| together_rate(&simulator, &joints, part, seed))
        .collect();
    let best_together = together?.into_iter().fold(0.0, f64::max);
    let begin = ProcessTime::now();
    let mut rollouts = Rollouts::new(Arc::clone(&compiled));
    let batch_created = begin.elapsed();
    let plan = plan(&compiled, &joints);
    let batches: Result<Vec<Rates>, _> = (0..5)
        .map(|seed| batch_rate(&mut rollouts, &plan, part, seed))
        .collect();
    let batches = batches?;
    let best_of = |rate: fn(&Rates) -> f64| batches.iter().map(rate).fold(0.0, f64::max);
    let (best_batch, best_computed) = (best_of(|rates| rates.taken), best_of(|rates| rates.computed));
    println!(
        "{{\"steps_per_second\": {best:.1}, \"sampled_steps_per_second\": {best_sampled:.1}, \"masked_steps_per_second\": {best_masked:.1}, \"together_steps_per_second\": {best_together:.1}, \"batch_steps_per_second\": {best_batch:.1}, \
         \"batch_computed_per_second\": {best_computed:.1}, \"read_seconds\": {:.4}, \"create_seconds\": {:.4}, \"batch_create_seconds\": {:.4}, \
         \"instructions\": {}, \"templates\": {}, \"state_fluents\": {}, \"lanes\": {}}}",
        read.as_secs_f64(),
        created.as_secs_f64(),
        batch_created.as_secs_f64(),
        compiled.tape().len(),
        compiled.tape().templates(),
        compiled.state.len(),
        rollouts.width(),
    );
    if std::env::var_os("SHOW").is_some() {
        println!("{}", compiled.tape());
    }
    Ok(())
}

/// Samples 64 joint actions.
fn joints(simulator: &mut RddlSimulator) -> Vec<Vec<Choice>> {
    let mut random = Random::new(1);
    let mut draw = || {
        let mut joint = Vec::new();
        simulator.sample(&mut random, &mut joint);
        joint
    };
    (0..64).map(|_| draw()).collect()
}

/// The rate of steps with a random valid action each.
fn sampled_rate(
    simulator: &mut RddlSimulator,
    time: Duration,
    seed: u64,
    masked: bool,
) -> Result<f64, Box<dyn Error>> {
    let horizon = match simulator.compiled().instance.horizon {
        Horizon::Steps(steps) => steps,
        Horizon::Infinite => u32::MAX,
    };
    let (mut random, mut joint) = (Random::new(seed), Vec::new());
    let (mut steps, mut left) = (0_u64, horizon);
    let mut mask = vec![0; simulator.actions().mask_len()];
    simulator.reset(&mut random)?;
    let begin = ProcessTime::now();
    while steps % 64 != 0 || begin.elapsed() < time {
        if masked {
            simulator.write_mask(&mut mask);
        }
        let goes_on = simulator.sample(&mut random, &mut joint);
        let status = simulator.step(&joint, &mut random)?.status;
        (steps, left) = (steps + 1, left - 1);
        if !goes_on || status.terminal || status.broken || left == 0 {
            simulator.reset(&mut random)?;
            left = horizon;
        }
    }
    Ok(steps as f64 / begin.elapsed().as_secs_f64())
}

fn rate(
    simulator: &mut RddlSimulator,
    joints: &[Vec<Choice>],
    part: Duration,
    seed: u64,
) -> Result<f64, Box<dyn Error>> {
    let horizon = match simulator.compiled().instance.horizon {
        Horizon::Steps(steps) => steps,
        Horizon::Infinite => u32::MAX,
    };
    let mut chance = Random::new(seed);
    let (begin, mut steps, mut elapsed) = (ProcessTime::now(), 0_u64, 0);
    simulator.restart();
    loop {
        for joint in joints {
            // A refused step ends the episode.
            let ended = match simulator.step(joint, &mut chance) {
                Ok(transition) => transition.status.terminal || transition.status.broken,
                Err(_) => true,
            };
            steps += 1;
            elapsed += 1;
            if ended || elapsed >= horizon {
                simulator.restart();
                elapsed = 0;
            }
        }
        let time = begin.elapsed();
        if time >= part {
            return Ok(steps as f64 / time.as_secs_f64());
        }
    }
}

/// Steps as many simulators together as possible, each with other joint actions and random numbers. A simulator whose
/// episode ends starts another one.
fn together_rate(
    simulator: &RddlSimulator,
    joints: &[Vec<Choice>],
    part: Duration,
    seed: u64,
) -> Result<f64, Box<dyn Error>> {
    const COUNT: usize = <RddlSimulator as BatchSystem>::PREFERRED_BATCH;
    let mut simulators = vec![simulator.clone(); COUNT];
    simulators.iter_mut().for_each(RddlSimulator::restart);
    let mut chances: Vec<Random> = (0..COUNT as u64)
        .map(|stream| Random::new(seed).stream(stream))
        .collect();
    let (begin, mut steps) = (ProcessTime::now(), 0);
    loop {
        for shift in 0..joints.len() {
            let joints = joints.iter().cycle().skip(shift);
            let systems = simulators.iter_mut().zip(&mut chances).zip(joints);
            let mut jobs: Vec<_> = systems
                .map(|((system, chance), joint)| Job::new(system, joint, chance))
                .collect();
            BatchSystem::step_batch(&mut jobs);
            for job in jobs {
                let ended = match job.result {
                    Some(Ok(transition)) => transition.status.terminal || transition.status.broken,
                    _ => true,
                };
                if ended {
                    job.system.restart();
                }
            }
            steps += COUNT;
        }
        let time = begin.elapsed();
        if time >= part {
            return Ok(steps as f64 / time.as_secs_f64());
        }
    }
}

/// Returns, by action fluent, the numbers that the joint actions set, or defaults.
fn plan(compiled: &CompiledInstance, joints: &[Vec<Choice>]) -> Vec<Vec<f64>> {
    let number = |value| match value {
        FieldValue::Discrete(value) => f64::from(value),
        FieldValue::Int(value) => value as f64,
        FieldValue::Real(value) => value,
    };
    let field = |(index, default): (u32, Option<FieldValue>)| {
        let of = |joint: &Vec<Choice>| {
            let set = joint.iter().find(|choice| choice.field == index);
            set.map(|choice| choice.value).or(default).map_or(0.0, number)
        };
        // As many numbers as there are lanes, from each start on.
        joints.iter().cycle().take(64 + 1024).map(of).collect()
    };
    let defaults = compiled.actions().fields().iter().map(|field| field.default);
    (0..).zip(defaults).map(field).collect()
}

/// Steps per second.
struct Rates {
    /// Steps of roll-outs that have not ended.
    taken: f64,
    /// All computed steps.
    computed: f64,
}

/// Measures roll-outs whose joint actions differ from each other and from step to step.
fn batch_rate(
    rollouts: &mut Rollouts,
    plan: &[Vec<f64>],
    part: Duration,
    seed: u64,
) -> Result<Rates, Box<dyn Error>> {
    let start = rollouts.compiled().initial().clone();
    let (begin, mut steps, mut computed, mut seed) = (ProcessTime::now(), 0_u64, 0_u64, 100 * seed);
    loop {
        let ends = rollouts.run(
            &start,
            1024,
            100,
            1.0,
            RandomSource::Seed(seed),
            |step, actions| {
                let shift = step as usize + actions.rollouts().start;
                for (fluent, values) in plan.iter().enumerate() {
                    actions.set(fluent, values[shift % 64..].iter().copied());
                }
            },
        )?;
        steps += ends.iter().map(|end| u64::from(end.steps)).sum::<u64>();
        computed += rollouts.computed_steps();
        seed += 1;
        let time = begin.elapsed();
        if time >= part {
            let seconds = time.as_secs_f64();
            return Ok(Rates {
                taken: steps as f64 / seconds,
                computed: computed as f64 / seconds,
            });
        }
    }
}
