//! Pixel observations of states and observ fluents.

use std::sync::Arc;

use fxhash::FxHashMap;
use herbrand_core::{Group, Memory};
use herbrand_dataflow::ValueType;
use herbrand_render::{Declaration, Moment, Mosaic, NamedFact, Picture, PictureVocabulary, Pixelated};

use crate::picture;
use crate::simulate::{CompiledInstance, FluentValue, GroundFluents, RddlSimulator, show_fluents};
use crate::suite::{RddlError, RddlSuite};
use crate::vocabulary::vocabulary;

/// The visible fluents of one problem. The mosaic numbers the visible state fluents from 0, then the reported fluents.
#[derive(Debug)]
pub struct VisibleFluents {
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

/// If agents see the state, the picture shows the state and the intermediate fluents of the last step that the declaration
/// draws. In a partially observed problem, only the observ fluents are shown. The key `seen` of `[render]` maps an observ
/// fluent to the state fluent that it reports, and it is drawn like that fluent. Other observ fluents are drawn as
/// themselves.
///
/// ```
/// use herbrand_core::EnvOptions;
/// use herbrand_render::{PixelSize, Pixels};
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
impl Pixelated for RddlSuite {
    type Problem = CompiledInstance;
    type View = VisibleFluents;

    fn problem_of(system: &RddlSimulator) -> &Arc<CompiledInstance> {
        system.compiled()
    }

    fn view(&self, index: usize, system: &RddlSimulator) -> Result<(VisibleFluents, Picture), RddlError> {
        let compiled = system.compiled();
        let declaration = self.settings().render.as_ref();
        let view = VisibleFluents::new(compiled, declaration);
        let vocabulary = view.vocabulary(vocabulary(&compiled.instance.domain), declaration);
        let first = view.moment(system, &Memory::default());
        let picture = picture::of_instance(self, index, vocabulary, &first)?;
        Ok((view, picture))
    }

    fn facts(view: &VisibleFluents, system: &RddlSimulator) -> Vec<Option<NamedFact>> {
        view.atoms(system.compiled())
    }

    /// Stores the values reported by the last step.
    fn attend(view: &VisibleFluents, system: &RddlSimulator, memory: &mut Memory) {
        memory.words.clear();
        let values = view.told.iter().filter_map(|&fluent| {
            if view.partial {
                system.observed(fluent)
            } else {
                system.interm(fluent)
            }
        });
        memory.words.extend(values.map(|value| value.number().to_bits()));
    }

    fn moment(view: &VisibleFluents, system: &RddlSimulator, memory: &Memory) -> Moment {
        view.moment(system, memory)
    }

    fn write(
        view: &VisibleFluents,
        system: &RddlSimulator,
        memory: &Memory,
        mosaic: &Mosaic,
        note: Option<&mut Vec<u64>>,
        into: &mut [u8],
    ) -> usize {
        let holds = |fact: u32| view.holds(system, memory, fact as usize);
        mosaic.write(
            || mosaic.concerned_from(0).filter(|&fact| holds(fact)),
            holds,
            || view.moment(system, memory),
            note,
            into,
        )
    }
}

/// Returns the fluents whose values a step reports.
fn told_by(compiled: &CompiledInstance) -> (&GroundFluents, Group) {
    if compiled.is_partially_observed() {
        (&compiled.observ, Group::Observed)
    } else {
        (&compiled.interm, Group::Derived)
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

    /// Returns whether the fact with this number is a true bool.
    fn holds(&self, system: &RddlSimulator, memory: &Memory, fact: usize) -> bool {
        if fact < self.state {
            return system.fluent(fact) == FluentValue::Bool(true);
        }
        let place = fact - self.state;
        let Some(&fluent) = self.told.get(place) else {
            return false;
        };
        let word = memory.words.get(place).copied();
        told_by(system.compiled()).0.section().kind(fluent) == ValueType::Bool
            && word.is_some_and(|word| f64::from_bits(word) != 0.0)
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
