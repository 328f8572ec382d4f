//! The domains from which questions are drawn.

use std::collections::BTreeSet;
use std::sync::Arc;

use herbrand_core::{Digest, Random};
use herbrand_generate::{GenerateError, Generator};
use herbrand_limits::Budget;
use herbrand_rddl_sim::simulate::RddlSimulator;
use herbrand_rddl_sim::suite::{RddlError, RddlSuite};

use crate::draw::Draw;
use crate::error::ExamError;
use crate::kind::{Kind, Topic};
use crate::options::ExamOptions;
use crate::origin::{self, Origin};
use crate::question::{Difficulty, ProblemSeed};
use crate::rddl::{Instances, RddlDraw};
use crate::sheet::{Asked, Sheet, Stated};
use crate::shortage::Misses;
use crate::world::World;

/// A domain. All its problems are made by one thread.
pub(crate) struct Lane {
    source: Source,
    /// The digests of the questions so far.
    known: BTreeSet<(Kind, u64)>,
    /// The digests of the problems so far, with their start states.
    problems: BTreeSet<u64>,
    pub(crate) misses: Misses,
}

enum Source {
    Pddl {
        origin: Origin,
        topic: Topic,
        is_unreliable: bool,
    },
    Rddl(Instances),
}

/// Returns the domains of an exam. A domain without chance occurs twice: as it is, and with unreliable actions.
pub(crate) fn lanes(options: &ExamOptions, budget: &Budget) -> Result<Vec<Lane>, ExamError> {
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
    if options.domains.is_empty() && options.own.is_none() {
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
            problems: BTreeSet::new(),
            misses: Misses::default(),
        });
    };
    let mut origins: Vec<Origin> = generators.into_iter().map(Origin::Generated).collect();
    match &options.own {
        Some(own) if own.is_rddl() => {
            let instances = origin::instances(own)?;
            add(Source::Rddl(Instances::own(&own.name, instances)?));
        }
        Some(own) => {
            origin::check(own, budget)?;
            origins.push(Origin::Own(Arc::new(own.clone())));
        }
        None => {}
    }
    for origin in origins {
        let has_chance = origin.has_chance()?;
        if !has_chance {
            add(Source::Pddl {
                origin: origin.clone(),
                topic: Topic::Plain,
                is_unreliable: false,
            });
        }
        add(Source::Pddl {
            origin,
            topic: Topic::Chance,
            is_unreliable: !has_chance,
        });
    }
    environments
        .into_iter()
        .for_each(|name| add(Source::Rddl(Instances::bundled(name))));
    Ok(lanes)
}

impl Lane {
    pub(crate) const fn topic(&self) -> Topic {
        match &self.source {
            Source::Pddl { topic, .. } => *topic,
            Source::Rddl(_) => Topic::Rddl,
        }
    }

    /// Draws at most one question of each kind about one problem, on a sheet for each of its start states. Each question of a kind in
    /// `single` is about a start state of its own, and of the kind that is rarest so far.
    pub(crate) fn sheets(
        &mut self,
        round: u32,
        kinds: &[Kind],
        single: &[Kind],
        options: &ExamOptions,
        budget: &Budget,
    ) -> Result<Vec<Sheet>, ExamError> {
        let topic = self.topic();
        let kinds: Vec<_> = kinds
            .iter()
            .copied()
            .filter(|kind| kind.topic() == topic)
            .collect();
        if kinds.is_empty() {
            return Ok(Vec::new());
        }
        budget.check("making questions", 0)?;
        let mut sheets = match &mut self.source {
            Source::Pddl {
                origin,
                topic,
                is_unreliable,
            } => {
                let world = (*topic, *is_unreliable);
                let misses = &mut self.misses;
                let sheet = planning_sheet(origin, world, round, &kinds, options, misses, budget)?;
                sheet.into_iter().collect()
            }
            Source::Rddl(instances) => rddl_sheets(instances, round, &kinds, options)?,
        };
        for sheet in &mut sheets {
            let problem = sheet.digest();
            let is_new = self.problems.insert(problem);
            let is_single = |kind: &Kind| single.contains(kind);
            let asked = sheet.asked.iter().map(|asked| asked.kind).filter(is_single);
            let kept = asked.filter(|_| is_new).min_by_key(|kind| {
                let made = self.known.iter().filter(|(known, _)| known == kind);
                (made.count(), Digest::of_text(&format!("{problem} {kind}")))
            });
            sheet
                .asked
                .retain(|asked| !is_single(&asked.kind) || Some(asked.kind) == kept);
            sheet.asked.retain(|asked| {
                let draft = Digest::of_text(&format!("{problem} {:?}", asked.draft));
                self.known.insert((asked.kind, draft))
            });
        }
        Ok(sheets)
    }
}

fn planning_sheet(
    origin: &Origin,
    (topic, is_unreliable): (Topic, bool),
    round: u32,
    kinds: &[Kind],
    options: &ExamOptions,
    misses: &mut Misses,
    budget: &Budget,
) -> Result<Option<Sheet>, ExamError> {
    let seed = origin.seed(options.seed, round);
    let Some(world) = World::new(origin, seed, options.obfuscated, is_unreliable, kinds, budget)? else {
        misses.worlds += 1;
        return Ok(None);
    };
    let mut random = Random::new(seed.seed)
        .stream(seed.index)
        .stream(Digest::of_text(&world.name));
    let Some((start, starts)) = world.start(options.lengths, &mut random) else {
        misses.lengths += 1;
        return Ok(None);
    };
    let Some(problem) = world.problem_at(start) else {
        return Ok(None);
    };
    let mut asked = Vec::new();
    for &kind in kinds {
        if kind.needs_space() && !world.is_complete() || kind.visits_all() && !world.can_be_visited() {
            *misses.spaces.entry(kind).or_default() += 1;
            continue;
        }
        let draw = Draw {
            world: &world,
            start,
            starts: &starts,
            random: random.stream(kind as u64),
        };
        match draw.question(kind) {
            Some(draft) => asked.push(Asked::new(kind, draft)),
            None => *misses.drafts.entry(kind).or_default() += 1,
        }
    }
    if asked.is_empty() {
        return Ok(None);
    }
    let expanded = world.effort(start, budget);
    budget.check("making questions", 0)?;
    let is_fitting = |(least, most): (u64, u64)| topic == Topic::Plain && (least..=most).contains(&expanded);
    if !options.effort.is_none_or(is_fitting) {
        misses.efforts += 1;
        return Ok(None);
    }
    let states = if world.is_complete() {
        world.space.len() as u32
    } else {
        0
    };
    Ok(Some(Sheet {
        domain: world.name.clone(),
        tables: origin.tables(),
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

fn rddl_sheets(
    instances: &mut Instances,
    round: u32,
    kinds: &[Kind],
    options: &ExamOptions,
) -> Result<Vec<Sheet>, ExamError> {
    let random = Random::new(options.seed).stream(Digest::of_text(instances.name()));
    let renaming = options.obfuscated.then_some(&random);
    let (index, world) = instances.world(round as usize, renaming)?;
    let mut random = random.stream(u64::from(round));
    if options.effort.is_some() {
        return Ok(Vec::new());
    }
    let Some(world) = world else {
        return Ok(Vec::new());
    };
    let Some(simulator) = world.start(&mut random) else {
        return Ok(Vec::new());
    };
    let sheet = |simulator: &RddlSimulator, asked: Vec<Asked>| Sheet {
        domain: instances.name().to_owned(),
        tables: Default::default(),
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
    };
    let (mut sheets, mut asked) = (Vec::new(), Vec::new());
    for &kind in kinds {
        let draw = RddlDraw {
            world: &world,
            simulator: simulator.clone(),
            random: random.stream(kind as u64),
        };
        if matches!(kind, Kind::RddlValid | Kind::RddlWhyNot) {
            let drawn = draw.about_validity(kind);
            sheets.extend(drawn.map(|(start, draft)| sheet(&start, vec![Asked::new(kind, draft)])));
        } else {
            asked.extend(draw.question(kind).map(|draft| Asked::new(kind, draft)));
        }
    }
    sheets.push(sheet(&simulator, asked));
    Ok(sheets)
}
