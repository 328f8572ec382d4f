//! The report about a state, for problems of any language.

use std::io::Write;

use herbrand::core::{Catalogue, Choice, Described, Explained, GoalConjunct, Streams, System};
use herbrand::render::Pictured;
use herbrand::tasks::{BrokenInvariant, FailureKind, Violation};
use serde::Serialize;

use super::board::Board;
use super::estimates::Estimates;
use super::facts::Facts;
use crate::choices::ValidActions;
use crate::failure::{Failure, refuse};
use crate::output;

/// Problems whose states are reported by [`WalkTo::report`]. Everything has a default, so a language implements it with
/// `impl Shown for … {}`.
pub trait Shown: Catalogue + Explained + Pictured<Error: Into<Failure>> {
    /// Whether problems have goals; `true` by default. If not, a report says nothing about a goal.
    const HAS_GOALS: bool = true;

    /// Lists the facts of the current state, with static facts if `with_statics`.
    fn facts(system: &Self::System, with_statics: bool) -> Facts {
        Facts::of(system, with_statics)
    }

    /// Returns the preconditions that a joint action would violate, if the language takes such steps; none by default.
    ///
    /// # Errors
    /// Fails if the joint action is malformed, or a condition cannot be computed.
    fn violations(
        _system: &Self::System,
        _joint: &[Choice],
    ) -> Result<Vec<Violation>, <Self::System as System>::Error> {
        Ok(Vec::new())
    }

    /// Returns whether a step failed because a value is undefined, and not because its action is invalid; `false` by
    /// default.
    fn is_undefined(_error: &<Self::System as System>::Error) -> bool {
        false
    }

    /// Adds the parts to a report that only this language has, given the system in the state of the report; does
    /// nothing by default.
    ///
    /// # Errors
    /// Fails if a limit is reached.
    fn complete(_system: Self::System, _report: &mut Report) -> Result<(), Failure> {
        Ok(())
    }
}

/// A walk to a state, and the parts of the report about that state. Fill in the fields, then call
/// [`report`](Self::report). By default no steps, seed 0, and none of the additional parts.
#[derive(Clone, Debug, Default)]
pub struct WalkTo {
    /// The steps of the walk, each in parentheses or the only one, such as `(move a b) (load a)`; empty for the initial
    /// state.
    pub actions: String,
    /// The seed of random outcomes.
    pub seed: u64,
    /// Whether each step is explained.
    pub explain: bool,
    /// Whether facts that never change are listed.
    pub statics: bool,
    /// Whether the state is drawn with characters.
    pub drawn: bool,
}

/// A state, its valid actions, and whether the goal holds. [`WalkTo::report`] returns it; [`print`](Self::print) writes
/// it as text, and `serde` as data.
#[derive(Serialize)]
pub struct Report {
    domain: String,
    problem: String,
    /// The rewards of the actions taken, added up.
    reward: f64,
    /// The reward of the last action, in RDDL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_reward: Option<f64>,
    #[serde(flatten)]
    facts: Facts,
    /// `None` in RDDL, which has no goals.
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<bool>,
    /// The conjuncts of the goal; `None` in RDDL.
    #[serde(skip_serializing_if = "Option::is_none")]
    goal_parts: Option<Vec<GoalPart>>,
    /// Whether the system ends here by its own rules.
    terminal: bool,
    /// How many joint actions are valid; `None` if there are infinitely many or too many to count.
    valid_actions: Option<f64>,
    /// The valid choices; in RDDL a joint action combines them, and numeric action fluents are listed with their bounds.
    actions: Vec<String>,
    #[serde(skip)]
    summary: String,
    /// The drawing of the state, for text.
    #[serde(skip)]
    board: Option<Board>,
    /// The explanation of each action taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    explained: Option<Vec<String>>,
    /// The values of the heuristics, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) estimates: Option<Estimates>,
    /// The action preconditions that steps violated, in RDDL.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    violated: Vec<Violated>,
    /// The state invariants that do not hold in the state, in RDDL.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<BrokenInvariant>,
}

/// A conjunct of the goal.
#[derive(Serialize)]
struct GoalPart {
    formula: String,
    /// Whether it holds; `None` where numbers are compared.
    holds: Option<bool>,
}

impl From<GoalConjunct> for GoalPart {
    fn from(conjunct: GoalConjunct) -> Self {
        Self {
            formula: conjunct.text,
            holds: conjunct.holds,
        }
    }
}

impl GoalPart {
    /// Returns the conjunct as a line, after a word that says whether it holds.
    fn line(&self) -> String {
        let word = match self.holds {
            Some(true) => "holds",
            Some(false) => "missing",
            None => "numbers",
        };
        format!("{word:<7}  {}", self.formula)
    }
}

/// An action precondition that a step violated.
#[derive(Serialize)]
struct Violated {
    /// The step, from 1.
    step: usize,
    #[serde(flatten)]
    violation: Violation,
}

impl WalkTo {
    /// Walks from an initial state of the first problem and reports the state that is reached. Prints a message and returns
    /// `None` if an action is not valid.
    ///
    /// # Errors
    /// Fails if the problem is faulty, a text is no action, or an effect is undefined. The error lists all texts that are no
    /// actions.
    pub fn report<P: Shown>(&self, problems: &P) -> Result<Option<Report>, Failure> {
        let mut system = problems.system(0).map_err(Into::into)?;
        let joints = self.joints(problems, &system)?;
        let mut streams = Streams::new(self.seed);
        system.reset(&mut streams.outcomes).map_err(Failure::of)?;
        let (mut reward, mut violated, mut explained) = (0.0, Vec::new(), Vec::new());
        for (step, joint) in (1..).zip(&joints) {
            let taken = P::violations(&system, joint).and_then(|violations| {
                violated.extend(
                    violations
                        .into_iter()
                        .map(|violation| Violated { step, violation }),
                );
                if self.explain {
                    let (transition, text) = system.step_described(joint, &mut streams.outcomes)?;
                    explained.push(text);
                    Ok(transition)
                } else {
                    system.step(joint, &mut streams.outcomes)
                }
            });
            match taken {
                Ok(transition) => reward += transition.reward,
                Err(error) if P::is_undefined(&error) || FailureKind::of(&error) != FailureKind::Input => {
                    return Err(Failure::told(format!("step {step}"), error));
                }
                Err(error) => {
                    let (names, error) = (system.joint_text(joint), error.to_string());
                    // Errors of PDDL begin with the action.
                    let message = if error.starts_with(&names) {
                        error
                    } else {
                        format!("{names}: {error}")
                    };
                    anstream::eprintln!("{message}");
                    return Ok(None);
                }
            }
        }
        let valid = ValidActions::of(&system);
        let status = system.status();
        let mut report = Report {
            domain: problems.name().to_owned(),
            problem: problems.problem_name(0).unwrap_or_default(),
            reward,
            last_reward: None,
            facts: P::facts(&system, self.statics),
            goal: P::HAS_GOALS.then_some(status.goal),
            goal_parts: None,
            terminal: status.terminal,
            valid_actions: valid.count.finite(),
            summary: valid.summary(),
            board: None,
            actions: valid.choices,
            explained: self.explain.then_some(explained),
            estimates: None,
            violated,
            broken: Vec::new(),
        };
        if P::HAS_GOALS {
            let conjuncts = problems.goal_conjuncts(0, &system).map_err(Into::into)?;
            report.goal_parts = Some(conjuncts.into_iter().map(GoalPart::from).collect());
        }
        if self.drawn {
            let renderer = problems.renderer(0, &system).map_err(Into::into)?;
            report.board = Board::of(renderer.picture(), &renderer.moment(&system))?;
        }
        P::complete(system, &mut report)?;
        Ok(Some(report))
    }

    /// Parses the steps.
    fn joints<P: Shown>(&self, problems: &P, system: &P::System) -> Result<Vec<Vec<Choice>>, Failure> {
        let mut joints = Vec::new();
        let mut faults = Vec::new();
        for text in steps(&self.actions) {
            match system.parse_joint(text) {
                Ok(joint) => joints.push(joint),
                Err(error) => {
                    let never = problems.never_valid(0, text);
                    faults.push(never.unwrap_or_else(|| error.to_string()));
                }
            }
        }
        if faults.is_empty() {
            return Ok(joints);
        }
        refuse(faults.join("\n"))
    }
}

/// Splits a text into steps: joint actions in parentheses, each perhaps followed by `=` and a value, such as `(a b)` and
/// `(c)=1` in `(a b) (c)=1`. A text that begins otherwise is one step.
pub(super) fn steps(text: &str) -> Vec<&str> {
    let mut rest = text.trim();
    let mut steps = Vec::new();
    while rest.starts_with('(') {
        let mut depth = 0_usize;
        let close = rest.char_indices().find(|&(_, c)| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let mut end = close.map_or(rest.len(), |(at, _)| at + 1);
        let after = &rest[end..];
        if let Some(value) = after.trim_start().strip_prefix('=') {
            let value = value.trim_start();
            let is_end = |c: char| c.is_whitespace() || c == ',' || c == '(';
            let length = value.find(is_end).unwrap_or(value.len());
            end = rest.len() - (value.len() - length);
        }
        steps.push(&rest[..end]);
        rest = rest[end..].trim_start_matches(|c: char| c.is_whitespace() || c == ',');
    }
    if !rest.is_empty() {
        steps.push(rest);
    }
    steps
}

impl Report {
    /// Replaces the valid actions, their number and the summary of both.
    pub fn set_valid(&mut self, valid: ValidActions) {
        self.valid_actions = valid.count.finite();
        self.summary = valid.summary();
        self.actions = valid.choices;
    }

    /// Returns whether the system ends here by its own rules.
    #[must_use]
    pub const fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Removes the valid actions, because the episode is over.
    pub fn set_over(&mut self) {
        self.valid_actions = Some(0.0);
        self.summary = "(0): the episode is over".to_owned();
        self.actions.clear();
    }

    /// Prints the report. Unless `all`, long lists of atoms that the drawing shows are folded.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub fn print(&self, out: &mut dyn Write, all: bool) -> Result<(), Failure> {
        let bold = anstyle::Style::new().bold();
        for step in self.explained.iter().flatten() {
            writeln!(out, "{step}\n")?;
        }
        writeln!(out, "{bold}{}{bold:#} ({})", self.problem, self.domain)?;
        if let Some(board) = &self.board {
            writeln!(out, "\n{board}")?;
        }
        for (label, lines) in self.facts.sections() {
            if !lines.is_empty() {
                writeln!(out, "\n{bold}{label}{bold:#}")?;
                let folded = self
                    .board
                    .as_ref()
                    .filter(|_| !all)
                    .map(|board| board.fold(&lines));
                let lines = folded.as_ref().unwrap_or(&lines);
                lines.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
            }
        }
        if let Some(last) = self.last_reward {
            let (last, total) = (output::reward(last), output::reward(self.reward));
            writeln!(out, "\nreward of the last step {last}, return {total}")?;
        }
        if !self.violated.is_empty() {
            writeln!(out, "\n{bold}violated preconditions{bold:#}")?;
        }
        for one in &self.violated {
            writeln!(out, "  step {}: {}", one.step, one.violation.sentence())?;
        }
        if !self.broken.is_empty() {
            writeln!(out)?;
        }
        for invariant in &self.broken {
            writeln!(out, "{}", invariant.sentence())?;
        }
        writeln!(out, "\n{bold}valid actions{bold:#} {}", self.summary)?;
        self.actions
            .iter()
            .try_for_each(|action| writeln!(out, "  {action}"))?;
        if self.terminal {
            writeln!(out, "\nthis is a terminal state")?;
        }
        if let Some(goal) = self.goal {
            self.print_goal(goal, out)?;
        }
        if let Some(estimates) = &self.estimates {
            estimates.print(out)?;
        }
        out.flush()?;
        Ok(())
    }

    fn print_goal(&self, goal: bool, out: &mut dyn Write) -> Result<(), Failure> {
        let bold = anstyle::Style::new().bold();
        let word = if goal { "holds" } else { "does not hold" };
        let parts = self.goal_parts.as_deref().unwrap_or_default();
        let holding = parts.iter().filter(|part| part.holds == Some(true));
        let count = match parts.len() {
            0 => "the problem has no goal".to_owned(),
            all => format!("{word}: {} of {all}", holding.count()),
        };
        writeln!(out, "\n{bold}goal{bold:#} ({count})")?;
        for part in parts {
            writeln!(out, "  {}", part.line())?;
        }
        Ok(())
    }
}
