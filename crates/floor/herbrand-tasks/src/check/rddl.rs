//! Checks RDDL texts. Blocks of all texts are checked together, because one can refer to another.

use std::sync::Arc;
use std::time::Duration;

use herbrand_core::{ActionCount, Random, System as _};
use herbrand_limits::{Budget, Limits};
use herbrand_rddl::{Instance, ReadOptions, Source, read};
use herbrand_rddl_sim::EnvSettings;
use herbrand_rddl_sim::ground::compile_within;
use herbrand_rddl_sim::simulate::{Preconditions, RddlSimulator, StepError};
use herbrand_text::Severity;
use herbrand_verbalize::TextVocabulary;

use super::finding::CheckFinding;
use super::pairing::Domains;
use super::{CheckAnswer, CheckQuery, UncheckedText, text_of};
use crate::failure::FailureKind;
use crate::numbers::fixed;
use crate::run::time_budget;
use crate::step_faults::BrokenInvariant;

/// The maximum time for compiling an instance to examine its initial state.
const COMPILED_WITHIN: Duration = Duration::from_secs(2);

/// Takes a step without actions from the initial state. Returns a sentence if it has no result, or no finite reward. This finds
/// non-fluents that are outside the range of a distribution, and divisions by 0.
fn idle_step(simulator: RddlSimulator) -> Option<String> {
    let mut simulator = simulator.with_preconditions(Preconditions::Ignored);
    if simulator.status().is_final() {
        return None;
    }
    match simulator.step(&[], &mut Random::new(0)) {
        Ok(transition) if transition.reward.is_finite() => None,
        Ok(transition) => Some(format!(
            "the reward of a step without actions is {}",
            fixed(transition.reward, 0)
        )),
        Err(error @ StepError::Value { .. }) => {
            Some(format!("a step without actions has no result: {error}"))
        }
        Err(_) => None,
    }
}

impl CheckAnswer {
    /// Checks RDDL texts.
    pub(super) fn rddl(&mut self, query: &CheckQuery, limits: Limits) {
        let texts = &query.rddl;
        let sources: Vec<Source> = texts.iter().map(|text| text.source.clone()).collect();
        let options = ReadOptions {
            strict: query.strict,
            budget: Budget::new(limits),
            ..ReadOptions::default()
        };
        let document = read(&sources, &options);
        self.add(document.diagnostics());
        let mut domains = Domains::new();
        for domain in document.domains() {
            let reading = domain.check();
            self.domains += 1;
            self.add(&reading.diagnostics);
            let checked = reading.value.map(Arc::new);
            if let (Some(checked), Some(text)) = (&checked, text_of(texts, domain.source())) {
                let settings = text.settings.as_ref();
                let faults = settings.map(|settings| EnvSettings::parse(settings, checked));
                if let Some(Err(faults)) = faults {
                    self.add(faults.diagnostics());
                }
                self.sentences(text, || TextVocabulary::of_rddl_domain(checked));
            }
            // Faults in formulas do not concern the instances.
            let checked = checked.or_else(|| reading.declared.map(Arc::new));
            domains.add(domain.name(), domain.source().name(), checked);
        }
        for instance in document.instances() {
            self.problems += 1;
            let instance_file = instance.source().name();
            match domains.of(instance.domain_name(), instance_file) {
                Ok(domain) => {
                    let checked = instance.check(domain);
                    self.add(&checked.diagnostics);
                    let is_sound = self.errors().next().is_none();
                    if let Some(instance) = checked.value.filter(|_| is_sound) {
                        self.initial_state(instance_file, &Arc::new(instance), limits);
                    }
                }
                Err(reason) => self.unchecked.push(UncheckedText {
                    file: instance.source().name().to_owned(),
                    problem: instance.name().to_owned(),
                    reason: reason.to_string(),
                }),
            }
        }
    }

    /// Warns if the initial state of an instance breaks a state invariant, no joint action is valid in it, or a step from it has
    /// no result.
    fn initial_state(&mut self, file: &str, instance: &Arc<Instance>, limits: Limits) {
        let found = time_budget(COMPILED_WITHIN).enclose(|| {
            let compiled = compile_within(instance, &Budget::new(limits)).ok()?;
            let simulator = RddlSimulator::new(Arc::new(compiled), Preconditions::Refused);
            let broken = BrokenInvariant::broken_in(&simulator);
            let mut found: Vec<String> = broken.iter().map(BrokenInvariant::sentence).collect();
            if !simulator.is_valid(&[]) && simulator.count_joint_actions() == ActionCount::Finite(0.0) {
                found.push("no joint action is valid".to_owned());
            }
            found.extend(idle_step(simulator));
            Some(found)
        });
        for sentence in found.unwrap_or_default() {
            let message = format!(
                "{file}: in the initial state of `{}`, {sentence}",
                instance.name.as_str()
            );
            self.diagnostics.push(CheckFinding::plain(
                Severity::Warning,
                FailureKind::Input,
                message,
            ));
        }
    }
}
