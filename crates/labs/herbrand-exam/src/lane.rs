//! The domains from which questions are drawn.

use std::collections::BTreeSet;

use herbrand_core::{Digest, Random};
use herbrand_generate::{GenerateError, Generator};
use herbrand_limits::Budget;
use herbrand_rddl_sim::suite::{RddlError, RddlSuite};

use crate::draw::Draw;
use crate::error::ExamError;
use crate::kind::{Kind, Topic};
use crate::options::ExamOptions;
use crate::question::{Difficulty, ProblemSeed};
use crate::rddl::{Instances, RddlDraw};
use crate::sheet::{Asked, Sheet, Stated};
use crate::world::World;

/// The number of sizes from which problems are drawn, beginning with the smallest.
const SIZES: u32 = 5;

/// A domain. All its problems are made by one thread.
pub(crate) struct Lane {
    source: Source,
    /// The digests of the questions so far.
    known: BTreeSet<(Kind, u64)>,
}

enum Source {
    Pddl {
        generator: &'static Generator,
        topic: Topic,
        is_unreliable: bool,
    },
    Rddl(Instances),
}

/// Returns the domains of an exam. A domain without chance occurs twice: as it is, and with unreliable actions.
pub(crate) fn lanes(options: &ExamOptions) -> Result<Vec<Lane>, ExamError> {
    let (mut generators, mut environments) = (Vec::<&'static Generator>::new(), Vec::new());
    for name in &options.domains {
        if name.starts_with("rddl/") {
            let suite = RddlSuite::bundled(name).map_err(|error| match error {
                RddlError::UnknownEnvironment { name, suggestion } => {
                    ExamError::UnknownDomain { name, suggestion }
                }
                error => ExamError::Request(error.to_string()),
            })?;
            environments.push(suite.name().to_owned());
            continue;
        }
        let generator = Generator::get(name).map_err(|error| match error {
            GenerateError::UnknownDomain { name, suggestion } => {
                ExamError::UnknownDomain { name, suggestion }
            }
            error => ExamError::Request(error.to_string()),
        })?;
        if generators.iter().all(|known| known.name() != generator.name()) {
            generators.push(generator);
        }
    }
    if options.domains.is_empty() {
        generators.extend(Generator::all());
        environments = RddlSuite::bundled_names();
    }
    environments.sort();
    environments.dedup();
    let mut lanes = Vec::new();
    let mut add = |source: Source| {
        lanes.push(Lane {
            source,
            known: BTreeSet::new(),
        });
    };
    for generator in generators {
        let broken = |error: GenerateError| ExamError::Request(error.to_string());
        let text = generator.files().map_err(broken)?.domain;
        let has_chance = text.text().contains("(probabilistic");
        if !has_chance {
            add(Source::Pddl {
                generator,
                topic: Topic::Plain,
                is_unreliable: false,
            });
        }
        add(Source::Pddl {
            generator,
            topic: Topic::Chance,
            is_unreliable: !has_chance,
        });
    }
    environments
        .into_iter()
        .for_each(|name| add(Source::Rddl(Instances::new(name))));
    Ok(lanes)
}

impl Lane {
    pub(crate) const fn topic(&self) -> Topic {
        match &self.source {
            Source::Pddl { topic, .. } => *topic,
            Source::Rddl(_) => Topic::Rddl,
        }
    }

    /// Draws at most one question of each kind about one problem.
    pub(crate) fn sheet(
        &mut self,
        round: u32,
        kinds: &[Kind],
        options: &ExamOptions,
        budget: &Budget,
    ) -> Result<Option<Sheet>, ExamError> {
        let topic = self.topic();
        let kinds: Vec<_> = kinds
            .iter()
            .copied()
            .filter(|kind| kind.topic() == topic)
            .collect();
        if kinds.is_empty() {
            return Ok(None);
        }
        budget.check("making questions", 0)?;
        let sheet = match &mut self.source {
            Source::Pddl {
                generator,
                topic,
                is_unreliable,
            } => planning_sheet(
                generator,
                (*topic, *is_unreliable),
                round,
                &kinds,
                options,
                budget,
            )?,
            Source::Rddl(instances) => rddl_sheet(instances, round, &kinds, options)?,
        };
        let Some(mut sheet) = sheet else {
            return Ok(None);
        };
        let problem = sheet.digest();
        sheet.asked.retain(|asked| {
            let draft = Digest::of_text(&format!("{problem} {:?}", asked.draft));
            self.known.insert((asked.kind, draft))
        });
        Ok(Some(sheet))
    }
}

fn planning_sheet(
    generator: &Generator,
    (topic, is_unreliable): (Topic, bool),
    round: u32,
    kinds: &[Kind],
    options: &ExamOptions,
    budget: &Budget,
) -> Result<Option<Sheet>, ExamError> {
    let least = *generator.sizes().start();
    let most = generator.sizes().end() - least;
    let seed = ProblemSeed {
        seed: options.seed,
        size: least + round % SIZES.min(most + 1),
        index: u64::from(round),
    };
    let Some(world) = World::new(generator, seed, options.obfuscated, is_unreliable, budget)? else {
        return Ok(None);
    };
    let mut random = Random::new(seed.seed)
        .stream(seed.index)
        .stream(Digest::of_text(world.name));
    let Some((start, starts)) = world.start(options.lengths, &mut random) else {
        return Ok(None);
    };
    let expanded = world.effort(start, budget);
    budget.check("making questions", 0)?;
    let is_fitting = |(least, most): (u64, u64)| topic == Topic::Plain && (least..=most).contains(&expanded);
    if !options.effort.is_none_or(is_fitting) {
        return Ok(None);
    }
    let Some(problem) = world.problem_at(start) else {
        return Ok(None);
    };
    let mut asked = Vec::new();
    for &kind in kinds {
        if kind.needs_space() && !world.is_complete() || kind.visits_all() && !world.can_be_visited() {
            continue;
        }
        let draw = Draw {
            world: &world,
            start,
            starts: &starts,
            random: random.stream(kind as u64),
        };
        asked.extend(draw.question(kind).map(|draft| Asked::new(kind, draft)));
    }
    let states = if world.is_complete() {
        world.space.len() as u32
    } else {
        0
    };
    Ok(Some(Sheet {
        domain: world.name.to_owned(),
        problem: seed,
        difficulty: Difficulty {
            length: world.length(start).unwrap_or(0),
            expanded,
            objects: problem.objects.len() as u32,
            steps: 0,
            states,
        },
        domain_text: world.domain.to_pddl(),
        problem_text: problem.to_pddl(&world.domain),
        stated: Stated::Pddl(Box::new((world.domain, problem))),
        asked,
    }))
}

fn rddl_sheet(
    instances: &mut Instances,
    round: u32,
    kinds: &[Kind],
    options: &ExamOptions,
) -> Result<Option<Sheet>, ExamError> {
    let random = Random::new(options.seed).stream(Digest::of_text(instances.name()));
    let renaming = options.obfuscated.then_some(&random);
    let (index, world) = instances.world(round as usize, renaming)?;
    let mut random = random.stream(u64::from(round));
    if options.effort.is_some() {
        return Ok(None);
    }
    let Some(world) = world else {
        return Ok(None);
    };
    let Some(simulator) = world.start(&mut random) else {
        return Ok(None);
    };
    let mut asked = Vec::new();
    for &kind in kinds {
        let draw = RddlDraw {
            world: &world,
            simulator: simulator.clone(),
            random: random.stream(kind as u64),
        };
        asked.extend(draw.question(kind).map(|draft| Asked::new(kind, draft)));
    }
    Ok(Some(Sheet {
        domain: instances.name().to_owned(),
        problem: ProblemSeed {
            seed: options.seed,
            size: index as u32 + 1,
            index: u64::from(round),
        },
        difficulty: Difficulty {
            objects: world.objects(),
            ..Difficulty::default()
        },
        domain_text: world.domain_text.clone(),
        problem_text: world.text_at(simulator.values()),
        stated: Stated::Rddl,
        asked,
    }))
}
