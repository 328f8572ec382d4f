//! Generators and generated problems.

use std::ops::RangeInclusive;

use herbrand_env::{EnvError, Registry, SuiteFiles};

use crate::error::GenerateError;
use crate::vocabulary::{Dice, Draft};

/// The maximal number of attempts to draw a problem.
const ATTEMPTS: u64 = 1_000;

/// A generator of problems for one bundled domain. [`Generator::get`] and [`Generator::all`] return it; then call
/// [`generate`](Self::generate).
#[derive(Clone, Copy, Debug)]
pub struct Generator {
    pub(crate) name: &'static str,
    pub(crate) meaning: &'static str,
    pub(crate) least: u32,
    pub(crate) most: u32,
    /// Draws a problem of the given size. Returns `None` if what was drawn is not a useful problem; then draw again.
    pub(crate) draw: fn(usize, &mut Dice) -> Option<Draft>,
}

/// A generated problem with a plan that solves it, returned by [`Generator::generate`]. [`certify`](Self::certify)
/// executes the plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generated {
    /// The name of the domain in the registry of bundled domains, with its level, such as `blocks`. `Registry::get`
    /// and [`Generator::get`] take it.
    pub domain: &'static str,
    /// The name of the problem: domain, size, seed and index, joined by hyphens, such as `blocks-20-7-0`.
    pub name: String,
    /// The problem in PDDL, for the domain of [`Generator::files`]; `Problem::parse` of `herbrand-pddl` reads it. A
    /// comment at the top summarizes it.
    pub problem: String,
    /// A plan that reaches the goal, in a probabilistic domain with positive probability. Each step is an operator
    /// with its arguments. It is written in PDDL, such as `(stack a b)`.
    pub plan: Vec<String>,
    /// The number of objects that the problem declares, without the constants of the domain.
    pub objects: usize,
}

impl Generator {
    /// Returns the name of the domain in the registry of bundled domains, with its level. [`get`](Self::get) takes it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the meaning of the size in a few words, such as `dishes to bake`. It is a phrase for people, to print
    /// next to the number.
    #[must_use]
    pub fn size_meaning(&self) -> &'static str {
        self.meaning
    }

    /// Returns the range of sizes for which problems can be generated. Both ends are included; other sizes make
    /// [`generate`](Self::generate) fail. [`size_meaning`](Self::size_meaning) says what they count.
    #[must_use]
    pub fn sizes(&self) -> RangeInclusive<u32> {
        self.least..=self.most
    }

    /// Returns the files of the domain: its PDDL, its settings and its bundled problems. Generated problems are not
    /// among them. Pass them to `Suite::new`.
    ///
    /// # Errors
    /// Fails only if the library was built from damaged files.
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

    /// Generates a problem. `size` has the meaning that [`size_meaning`](Self::size_meaning) states; `index` numbers
    /// the problems of one seed and size, from 0; any number is allowed. The result depends on these three numbers
    /// only, not on other calls.
    ///
    /// # Errors
    /// [`GenerateError::Size`] if the size is not in [`sizes`](Self::sizes), and [`GenerateError::Exhausted`] if none
    /// of 1,000 attempts draws a useful problem.
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

    /// Returns the name of the domain in PDDL. The levels of a domain share one name.
    fn domain(&self) -> &'static str {
        let level = |name: &'static str| {
            name.rsplit_once('-')
                .filter(|(_, level)| level.parse::<u32>().is_ok())
        };
        level(self.name).map_or(self.name, |(domain, _)| domain)
    }
}

impl Generated {
    /// Returns the text of the plan, one step per line, as [`Generated::plan`] lists them. Every line ends with a line
    /// break; an empty plan gives an empty text. `ParsedPlan::parse` of `herbrand-env` reads it.
    #[must_use]
    pub fn plan_text(&self) -> String {
        self.plan.iter().map(|step| format!("{step}\n")).collect()
    }
}
