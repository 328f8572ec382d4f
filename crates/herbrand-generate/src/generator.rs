//! Generators and what they make.

use std::ops::RangeInclusive;

use herbrand_env::{EnvError, Registry, SuiteFiles};
use herbrand_text::nearest;

use crate::GenerateError;
use crate::domains::ALL;
use crate::vocabulary::{Dice, Draft};

/// The number of draws before a size is given up.
const ATTEMPTS: u64 = 1_000;

/// Makes the problems of one bundled domain.
#[derive(Clone, Copy, Debug)]
pub struct Generator {
    pub(crate) name: &'static str,
    pub(crate) meaning: &'static str,
    pub(crate) least: u32,
    pub(crate) most: u32,
    /// A problem of the size, or none if the draw makes no good one.
    pub(crate) draw: fn(usize, &mut Dice) -> Option<Draft>,
}

/// A problem with the plan that shows that it can be solved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generated {
    /// The domain, as the registry of bundled domains calls it.
    pub domain: &'static str,
    /// The problem's name: domain, size, seed and index.
    pub name: String,
    /// The problem as PDDL, with a comment at its head that says what it holds.
    pub problem: String,
    /// A plan that leads to the goal, or with chance may lead there: an operator with its arguments for each step.
    pub plan: Vec<String>,
    /// How many objects the problem declares.
    pub objects: usize,
}

impl Generator {
    /// The generators of all bundled domains, in alphabetical order.
    #[must_use]
    pub fn all() -> &'static [Self] {
        ALL
    }

    /// The generator of a bundled domain; one with levels has a generator for each level.
    ///
    /// # Errors
    /// [`GenerateError::UnknownDomain`].
    pub fn get(name: &str) -> Result<&'static Self, GenerateError> {
        let unknown = || GenerateError::UnknownDomain {
            name: name.to_owned(),
            suggestion: nearest(name, ALL.iter().map(|generator| generator.name)).map(str::to_owned),
        };
        ALL.iter()
            .find(|generator| generator.name == name)
            .ok_or_else(unknown)
    }

    /// The domain's name in the registry of bundled domains.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What the size counts, in a few words.
    #[must_use]
    pub fn size_meaning(&self) -> &'static str {
        self.meaning
    }

    /// The sizes that there are problems of.
    #[must_use]
    pub fn sizes(&self) -> RangeInclusive<u32> {
        self.least..=self.most
    }

    /// The files of the domain: its PDDL, its settings, its bundled problems.
    ///
    /// # Errors
    /// None unless the library was built from a broken folder.
    pub fn files(&self) -> Result<SuiteFiles, GenerateError> {
        let suites = Registry::files(self.name)?.into_iter();
        let unknown = || EnvError::UnknownDomain {
            name: self.name.to_owned(),
            suggestion: None,
        };
        Ok(suites
            .into_iter()
            .find(|suite| suite.name == self.name)
            .ok_or_else(unknown)?)
    }

    /// The problem number `index` of a seed and a size: the same whether others are made before it or not.
    ///
    /// # Errors
    /// [`GenerateError::Size`] when there are no problems of this size, [`GenerateError::Exhausted`] when none is found.
    pub fn generate(&self, seed: u64, size: u32, index: u64) -> Result<Generated, GenerateError> {
        if !self.sizes().contains(&size) {
            return Err(GenerateError::Size {
                domain: self.name,
                size,
                least: self.least,
                most: self.most,
                meaning: self.meaning,
            });
        }
        let name = format!("{}-{size}-{seed}-{index}", self.name);
        let drafts = (0..ATTEMPTS).map(|attempt| Dice::new(seed, size, index, attempt));
        let drafts = drafts.filter_map(|mut dice| (self.draw)(size as usize, &mut dice));
        let mut draft = drafts.into_iter().next().ok_or(GenerateError::Exhausted {
            domain: self.name,
            size,
            attempts: ATTEMPTS,
        })?;
        Ok(Generated {
            domain: self.name,
            problem: draft.text(self.domain(), &name),
            plan: draft.take_plan(),
            objects: draft.object_count(),
            name,
        })
    }

    /// The name in the domain's text: levels share one domain.
    fn domain(&self) -> &'static str {
        let level = |name: &'static str| {
            name.rsplit_once('-')
                .filter(|(_, level)| level.parse::<u32>().is_ok())
        };
        level(self.name).map_or(self.name, |(domain, _)| domain)
    }
}

impl Generated {
    /// The text of the plan: a step on each line.
    #[must_use]
    pub fn plan_text(&self) -> String {
        self.plan.iter().map(|step| format!("{step}\n")).collect()
    }
}
