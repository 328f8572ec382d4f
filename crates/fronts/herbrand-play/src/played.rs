//! The interface between a language and the playground.

use std::collections::BTreeSet;

use herbrand_core::trace::{Header, Recorder, Seeded};
use herbrand_core::{Catalogue, Described, Explained, Group};
use herbrand_limits::Budget;
use herbrand_render::Pictured;

use crate::allowance::RequestLimits;
use crate::costs::Costs;
use crate::header::{names, own_texts};
use crate::refusal::{Reason, Refusal};
use crate::reply::{Reply, Section};
use crate::request::WalkPosition;
#[cfg(feature = "sessions")]
use crate::session_reply::GoalDistance;
use crate::walk::follow;
use herbrand_assist::Language;

/// Problems that a [`Playground`](crate::Playground) plays. All methods have defaults: a language whose problems are
/// [`Catalogue`], [`Explained`] and [`Pictured`] is played with `impl Played for …  {}`. Pass a set of them to
/// [`Playground::with_problems`](crate::Playground::with_problems).
pub trait Played:
    Catalogue + Explained + Pictured<System: Described + Send + 'static, Error: Into<Refusal>> + Send + 'static
{
    /// Returns the language, if the page has its own words and colours for it; `None` by default.
    fn language(&self) -> Option<Language> {
        None
    }

    /// Returns a description of the domain in one sentence, for the list of domains; empty by default.
    fn description(&self) -> String {
        String::new()
    }

    /// Returns the approximate size in bytes of a compiled problem with its system, for the cache; 1 MiB by default.
    fn bytes(_system: &Self::System) -> u64 {
        1 << 20
    }

    /// Returns the number of objects of a problem. By default, counts the objects in the facts of the current state.
    fn object_count(system: &Self::System) -> usize {
        let mut objects = BTreeSet::new();
        system.facts(&mut |fact| objects.extend(fact.arguments.iter().map(|&name| name.to_owned())));
        objects.len()
    }

    /// Starts to follow the cost of a walk from the initial state, by the metric of the problem; `None` if there is no
    /// metric, as by default.
    fn cost(_system: &Self::System) -> Option<Box<dyn Costs>> {
        None
    }

    /// Searches for a plan of the first problem from the current state of `system`, after `taken` steps, within the
    /// limits. Returns a [`Reply::Plan`], by default without steps.
    ///
    /// # Errors
    /// Fails if the planner fails or reaches a limit.
    fn plan(
        &self,
        _system: &Self::System,
        _taken: usize,
        _seed: u64,
        _allowance: &RequestLimits,
    ) -> Result<Reply, Refusal> {
        Ok(Reply::Plan {
            steps: Vec::new(),
            text: "there is no planner for this language".to_owned(),
        })
    }

    /// Returns a compiled problem as text, a [`Reply::Inside`] with at most `listed` lines per section. By default the
    /// facts of the state.
    fn internals(system: &Self::System, listed: usize) -> Reply {
        let mut lines = Vec::new();
        let mut count = 0;
        system.facts(&mut |fact| {
            count += 1;
            if lines.len() < listed {
                lines.push(fact.to_string());
            }
        });
        Reply::Inside {
            counts: vec![("facts".to_owned(), count as u64)],
            sections: vec![Section {
                title: "facts".to_owned(),
                lines,
                count,
            }],
        }
    }

    /// Returns the Datalog program of the first problem as text, a [`Reply::Inside`].
    ///
    /// # Errors
    /// Fails if the language does not compile to Datalog, as by default, or if a limit is reached.
    fn program(&self, _allowance: &RequestLimits) -> Result<Reply, Refusal> {
        Err(Refusal::unknown("this language has no Datalog program"))
    }

    /// Returns the sentences of the first problem, with a table of sentences if there is one, for a
    /// [`Session`](crate::Session). By default there are no sentences: facts and actions are written in the syntax of the
    /// language.
    ///
    /// # Errors
    /// Fails if the table is faulty, or given to a language without sentences.
    #[cfg(feature = "sessions")]
    fn wording(
        &self,
        table: Option<&herbrand_verbalize::TextTable>,
    ) -> Result<herbrand_verbalize::Wording, Refusal> {
        if table.is_some() {
            return Err(Refusal::unknown("this language has no sentences"));
        }
        let none = herbrand_verbalize::TextVocabulary {
            syntax: herbrand_verbalize::Syntax::Pddl,
            facts: Vec::new(),
            actions: Vec::new(),
            objects: Vec::new(),
            types: Vec::new(),
        };
        Ok(herbrand_verbalize::Wording::fitting(none, None))
    }

    /// Returns how each action of the first problem is written, for a language without sentences; empty by default.
    #[cfg(feature = "sessions")]
    fn action_forms(&self) -> Vec<String> {
        Vec::new()
    }

    /// Looks at the current state of `system`, updates the memory of the agent, and returns the facts that it then knows, in
    /// the syntax of their language, with facts that never change. `None` if the agent sees the whole state, as by default.
    ///
    /// # Errors
    /// Fails if the rules of partial observation cannot be evaluated.
    #[cfg(feature = "sessions")]
    fn seen(
        &self,
        _system: &Self::System,
        _memory: &mut herbrand_core::Memory,
    ) -> Result<Option<Vec<String>>, Refusal> {
        Ok(None)
    }

    /// Returns the number of steps of a shortest plan of the first problem from the current state of `system`, within the
    /// limits; unknown by default.
    ///
    /// # Errors
    /// Fails if the planner fails.
    #[cfg(feature = "sessions")]
    fn distance(&self, _system: &Self::System, _allowance: &RequestLimits) -> Result<GoalDistance, Refusal> {
        Ok(GoalDistance::Unknown)
    }

    /// Returns the header of a trace of the first problem, whose names of domain and problem are given.
    fn trace_header(&self, system: &Self::System, names: (&str, &str), seed: u64) -> Header {
        Header::of(system, names, seed)
    }

    /// Writes the walk to a valid position of the first problem as a trace. By default each line is a
    /// [`Visit`](herbrand_core::trace::Visit).
    ///
    /// # Errors
    /// Fails if a step cannot be taken or the budget is exhausted.
    fn record(&self, position: &WalkPosition, budget: &Budget) -> Result<Vec<u8>, Refusal> {
        let failed = |error: std::io::Error| Refusal::new(Reason::Step, error);
        let mut system = self.system(0).map_err(Into::into)?;
        let (domain, problem) = names(&position.problem, "pddl");
        let header = Header {
            seeded: Some(Seeded::Outcomes),
            texts: own_texts(&position.problem),
            ..self.trace_header(&system, (&domain, &problem), position.seed)
        };
        let mut recorder = Recorder::new(&header, Vec::new()).map_err(failed)?;
        let mut steps = 0..;
        follow(&mut system, position, budget, |system, joint| {
            recorder.visit(0, steps.next().unwrap_or_default(), system, joint)
        })?;
        recorder.finish().map_err(failed)
    }
}

/// Returns whether a state is small enough to be drawn: at most `objects` objects and 20 times as many facts.
pub(crate) fn is_small<P: Played>(system: &P::System, objects: usize) -> bool {
    let mut facts = 0;
    system.facts(&mut |fact| facts += usize::from(fact.group != Group::Static));
    P::object_count(system) <= objects && facts <= 20 * objects
}
