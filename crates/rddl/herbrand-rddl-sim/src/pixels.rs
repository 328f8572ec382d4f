//! Pixel observations of states and observ fluents.

use std::sync::Arc;

use fxhash::FxHashMap;
use herbrand_core::{Group, Memory, ObservationField, ObservationLayout, Observer, Random, Written};
use herbrand_dataflow::ValueType;
use herbrand_render::{
    Camera, Declaration, Image, Moment, Mosaic, NamedFact, PictureVocabulary, PixelSize, Theme,
};

use crate::picture;
use crate::settings::vocabulary;
use crate::simulate::{
    CompiledInstance, FluentRegisters, FluentValue, GroundFluents, RddlSimulator, show_fluents,
};
use crate::suite::{RddlError, RddlSuite};

/// An observer that writes pictures as pixels: the red, green and blue bytes of each pixel, row by row from the top. The
/// picture is declared by `[render]` in `env.toml`, or generic.
///
/// ```text
///   shape   [height, width, 3]
///   byte    3 * (row * width + column) + channel
/// ```
///
/// If agents see the state, the picture shows the state and the intermediate fluents of the last step that the declaration
/// draws. In a partially observed problem, only the observ fluents are shown. The key `seen` of `[render]` maps an observ
/// fluent to the state fluent that it reports, and it is drawn like that fluent. Other observ fluents are drawn as
/// themselves.
///
/// Facts that are the same in all states are left out ([`Camera`]). Pictures of bools are drawn once and copied
/// ([`Mosaic`]). If numbers change, every state is drawn from scratch.
///
/// ```
/// use herbrand_core::EnvOptions;
/// use herbrand_render::PixelSize;
/// use herbrand_rddl_sim::Pixels;
/// use herbrand_rddl_sim::suite::{RddlEnv, RddlSuite};
///
/// let suite = RddlSuite::bundled("rddl/wildfire-mdp")?.problem("1")?;
/// let pixels = Pixels::of(&suite, PixelSize::default())?;
/// let mut env = RddlEnv::observed(suite, pixels, EnvOptions::default())?;
/// env.reset(Some(7))?;
/// let mut frame = vec![0; 64 * 64 * 3];
/// env.write_observation(&mut frame)?;
/// assert!(frame.iter().any(|&byte| byte != frame[0]));
/// # Ok::<(), herbrand_rddl_sim::suite::RddlError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pixels {
    size: PixelSize,
    /// The drawing of each problem, by the address of the compiled instance, which `Drawn` keeps alive.
    problems: Arc<FxHashMap<usize, Drawn>>,
}

/// The drawing of one problem.
#[derive(Debug)]
struct Drawn {
    compiled: Arc<CompiledInstance>,
    mosaic: Mosaic,
    sight: VisibleFluents,
}

/// The visible fluents of one problem. The mosaic numbers the visible state fluents from 0, then the reported fluents.
#[derive(Debug)]
struct VisibleFluents {
    /// Whether only observ fluents are visible.
    partial: bool,
    /// The number of visible state fluents: all or none.
    state: usize,
    /// The fluents reported by the last step, ascending: all observ fluents, or the intermediate fluents that are drawn. An
    /// agent's memory has one word per reported fluent, the bits of its value as a number, and no words before the first
    /// step.
    told: Vec<usize>,
    /// By name of an observ fluent: the state fluent that it reports.
    tells_of: FxHashMap<String, String>,
}

impl Pixels {
    /// Prepares pixel observations of this `size` for the problems of `suite`. Compiles all of them. Then create an
    /// environment over `suite`, a clone or a subset of it, with the result as observer.
    ///
    /// # Errors
    /// Fails if a problem is too large to be compiled or exceeds the suite's limits, or if a picture would have no
    /// pixels or too many.
    pub fn of(suite: &RddlSuite, size: PixelSize) -> Result<Self, RddlError> {
        let mut problems = FxHashMap::default();
        for index in 0..suite.len() {
            let drawn = Drawn::new(suite, index, size)?;
            problems.insert(address(&drawn.compiled), drawn);
        }
        Ok(Self {
            size,
            problems: Arc::new(problems),
        })
    }

    /// Draws an observation without the cache of [`write`](Observer::write). The bytes are the same. The observation is
    /// of the current state of `system`, and `memory` is the memory of its episode. Returns `None` if the simulator's
    /// problem belongs to another suite, or if the picture cannot be drawn.
    #[must_use]
    pub fn draw_plainly(&self, system: &RddlSimulator, memory: &Memory) -> Option<Image> {
        let drawn = self.drawn(system)?;
        drawn.mosaic.camera().draw(&drawn.moment(system, memory)).ok()
    }

    fn drawn(&self, system: &RddlSimulator) -> Option<&Drawn> {
        self.problems.get(&address(system.compiled()))
    }

    /// Writes an observation, with a note of the observation written last. Writes nothing for a problem of another suite.
    fn draw(
        &self,
        system: &RddlSimulator,
        memory: &Memory,
        note: Option<&mut Vec<u64>>,
        into: &mut [u8],
    ) -> usize {
        let Some(drawn) = self.drawn(system) else {
            return 0;
        };
        let holds = |fact: u32| drawn.holds(system, memory, fact as usize);
        let facts = (drawn.sight.state + drawn.sight.told.len()) as u32;
        drawn.mosaic.write(
            || (0..facts).filter(|&fact| holds(fact)),
            holds,
            || drawn.moment(system, memory),
            note,
            into,
        )
    }
}

/// Returns the address that identifies the problem of a simulator.
fn address(compiled: &Arc<CompiledInstance>) -> usize {
    Arc::as_ptr(compiled).addr()
}

/// Returns the fluents whose values a step reports.
fn told_by(compiled: &CompiledInstance) -> (&GroundFluents, Group) {
    if compiled.is_partially_observed() {
        (&compiled.observ, Group::Observed)
    } else {
        (&compiled.interm, Group::Derived)
    }
}

impl Drawn {
    fn new(suite: &RddlSuite, index: usize, size: PixelSize) -> Result<Self, RddlError> {
        let system = suite.simulator(index)?;
        let compiled = Arc::clone(system.compiled());
        let declaration = suite.settings().render.as_ref();
        let sight = VisibleFluents::new(&compiled, declaration);
        let vocabulary = sight.vocabulary(vocabulary(&compiled.instance.domain), declaration);
        let atoms = sight.atoms(&compiled);
        let first = sight.moment(&system, &Memory::default());
        let picture = picture::of_instance(suite, index, vocabulary, &first)?;
        let camera = Camera::new(picture, size, Theme::Light)?;
        Ok(Self {
            mosaic: Mosaic::new(camera, &atoms, &first)?,
            compiled,
            sight,
        })
    }

    fn moment(&self, system: &RddlSimulator, memory: &Memory) -> Moment {
        self.sight.moment(system, memory)
    }

    /// Returns whether the fact with this number is a true bool.
    fn holds(&self, system: &RddlSimulator, memory: &Memory, fact: usize) -> bool {
        let is_bool = |section: &FluentRegisters, fluent| section.kind(fluent) == ValueType::Bool;
        if fact < self.sight.state {
            return system.fluent(fact) == FluentValue::Bool(true);
        }
        let place = fact - self.sight.state;
        let Some(&fluent) = self.sight.told.get(place) else {
            return false;
        };
        let word = memory.words.get(place).copied();
        is_bool(told_by(&self.compiled).0.section(), fluent)
            && word.is_some_and(|word| f64::from_bits(word) != 0.0)
    }
}

impl VisibleFluents {
    fn new(compiled: &CompiledInstance, declaration: Option<&Declaration>) -> Self {
        let (fluents, _) = told_by(compiled);
        let domain = &compiled.instance.domain;
        let is_drawn = |&fluent: &usize| {
            let name = domain.pvariable(fluents.at(fluent).0).name.as_str();
            compiled.is_partially_observed() || declaration.is_some_and(|one| one.mentions(name))
        };
        let reports = declaration.into_iter().flat_map(|declaration| &declaration.seen);
        let reports = reports.map(|report| (report.by.get_ref().clone(), report.fact.get_ref().clone()));
        let partial = compiled.is_partially_observed();
        Self {
            partial,
            state: if partial { 0 } else { compiled.state.len() },
            told: (0..fluents.len()).filter(is_drawn).collect(),
            tells_of: reports.filter(|_| partial).collect(),
        }
    }

    /// Restricts the vocabulary `all` to visible names. A report takes the name of its state fluent. Every other observ
    /// fluent counts as changing, so that it is always drawn.
    fn vocabulary(&self, all: PictureVocabulary, declaration: Option<&Declaration>) -> PictureVocabulary {
        let seen = all.predicates.into_iter().filter_map(|mut predicate| {
            match predicate.group {
                Group::Static => {}
                Group::Fluent | Group::Derived if self.partial => return None,
                Group::Fluent => {}
                Group::Derived if declaration.is_some_and(|one| one.mentions(&predicate.name)) => {}
                Group::Derived => return None,
                Group::Observed => {
                    predicate.group = Group::Fluent;
                    if let Some(fact) = self.tells_of.get(&predicate.name) {
                        predicate.name.clone_from(fact);
                    }
                }
            }
            Some(predicate)
        });
        PictureVocabulary {
            predicates: seen.collect(),
            types: all.types,
        }
    }

    /// Returns the numbered facts as if all bools were true; `None` for numbers and items.
    fn atoms(&self, compiled: &CompiledInstance) -> Vec<Option<NamedFact>> {
        let state = (&compiled.state, (0..self.state).collect::<Vec<_>>());
        let (told, _) = told_by(compiled);
        let mut atoms = Vec::with_capacity(self.state + self.told.len());
        for (fluents, which) in [state, (told, self.told.clone())] {
            for fluent in which {
                let mut atom = None;
                let is_bool = fluents.section().kind(fluent) == ValueType::Bool;
                let value = |at| (at == fluent && is_bool).then_some(FluentValue::Bool(true));
                show_fluents(
                    compiled,
                    fluents,
                    fluent..fluent + 1,
                    Group::Fluent,
                    &value,
                    &mut |fact| {
                        atom = NamedFact::of(fact);
                    },
                );
                atoms.push(atom.map(|atom| self.as_told(atom)));
            }
        }
        atoms
    }

    /// Returns the observation as facts.
    fn moment(&self, system: &RddlSimulator, memory: &Memory) -> Moment {
        let compiled = system.compiled();
        let (fluents, group) = told_by(compiled);
        let told = |fluent: usize| {
            let place = self.told.binary_search(&fluent).ok()?;
            let number = f64::from_bits(*memory.words.get(place)?);
            Some(match fluents.section().kind(fluent) {
                ValueType::Bool => FluentValue::Bool(number != 0.0),
                ValueType::Int => FluentValue::Int(number as i64),
                ValueType::Real => FluentValue::Real(number),
            })
        };
        let mut moment = Moment::of_facts(|visit| {
            let state = |fluent| Some(system.fluent(fluent));
            show_fluents(
                compiled,
                &compiled.state,
                0..self.state,
                Group::Fluent,
                &state,
                visit,
            );
            show_fluents(compiled, fluents, 0..fluents.len(), group, &told, visit);
        });
        moment.facts = moment.facts.into_iter().map(|atom| self.as_told(atom)).collect();
        moment
    }

    /// Renames a report to the state fluent that it reports.
    fn as_told(&self, mut atom: NamedFact) -> NamedFact {
        if let Some(fact) = self.tells_of.get(&atom.name) {
            atom.name.clone_from(fact);
        }
        atom
    }
}

impl Observer<RddlSuite> for Pixels {
    type Element = u8;

    fn layout(&self, _suite: &RddlSuite) -> Result<ObservationLayout, RddlError> {
        let PixelSize { width, height } = self.size;
        Ok(ObservationLayout::new(vec![ObservationField {
            name: "pixels".to_owned(),
            shape: vec![height as usize, width as usize, 3],
            low: 0.0,
            high: 255.0,
        }]))
    }

    /// Stores the values reported by the last step.
    fn attend(&self, system: &RddlSimulator, memory: &mut Memory, _random: &mut Random) {
        memory.words.clear();
        let Some(drawn) = self.drawn(system) else { return };
        let told = drawn.sight.told.iter();
        let values = told.filter_map(|&fluent| {
            if drawn.sight.partial {
                system.observed(fluent)
            } else {
                system.interm(fluent)
            }
        });
        memory.words.extend(values.map(|value| value.number().to_bits()));
    }

    fn write(&self, system: &RddlSimulator, memory: &Memory, into: &mut [u8]) -> usize {
        self.draw(system, memory, None, into)
    }

    fn rewrite(
        &self,
        system: &RddlSimulator,
        memory: &Memory,
        written: &mut Written,
        into: &mut [u8],
    ) -> usize {
        self.draw(system, memory, Some(&mut written.words), into)
    }
}
