//! Writes problems as text.

use std::fmt::{Display, Write};

use herbrand::step::{Random, uniform_below};

/// A problem under construction.
pub struct ProblemText {
    domain: &'static str,
    objects: String,
    init: String,
    goal: String,
}

impl ProblemText {
    /// Creates an empty problem of `domain`.
    pub fn new(domain: &'static str) -> Self {
        let (objects, init, goal) = Default::default();
        Self {
            domain,
            objects,
            init,
            goal,
        }
    }

    /// Declares the objects `prefix0`, `prefix1`, … of a type.
    pub fn objects(&mut self, prefix: &str, count: usize, kind: &str) {
        for index in 0..count {
            push(&mut self.objects, format_args!(" {prefix}{index}"));
        }
        push(&mut self.objects, format_args!(" - {kind}\n   "));
    }

    /// Adds an atom to the initial state.
    pub fn fact(&mut self, atom: impl Display) {
        push(&mut self.init, format_args!("\n    ({atom})"));
    }

    /// Adds an atom to the goal.
    pub fn goal(&mut self, atom: impl Display) {
        push(&mut self.goal, format_args!(" ({atom})"));
    }

    /// Returns the problem in PDDL.
    pub fn finish(self) -> String {
        let Self {
            domain,
            objects,
            init,
            goal,
        } = self;
        format!(
            "(define (problem {domain}-generated)\n  (:domain {domain})\n  (:objects{objects})\n  (:init{init})\n  \
             (:goal (and{goal})))\n"
        )
    }
}

fn push(text: &mut String, piece: std::fmt::Arguments<'_>) {
    text.write_fmt(piece).expect("a string takes all that is written");
}

/// Draws a number below `bound`.
pub fn below(rng: &mut Random, bound: usize) -> usize {
    uniform_below(rng, u32::try_from(bound).expect("a small number")) as usize
}

/// Returns the numbers below `count` in random order.
pub fn shuffled(rng: &mut Random, count: usize) -> Vec<usize> {
    let mut numbers: Vec<_> = (0..count).collect();
    for last in (1..count).rev() {
        numbers.swap(last, below(rng, last + 1));
    }
    numbers
}

/// Returns the number whose `power`-th power times `factor` is closest to `size`, but at least `least`.
pub fn root(size: usize, factor: f64, power: f64, least: usize) -> usize {
    ((size as f64 / factor).powf(1.0 / power).round() as usize).max(least)
}
