//! The game: shows states, and carries out the player's lines.

use std::io::Write;
use std::time::Duration;

use herbrand::core::{Choice, GoalConjunct, Group, RolloutPolicy, Streams};
use herbrand::limits::{Budget, Limits};
use herbrand::render::Direction;
use herbrand::tasks::walk::{AnyWalk, EpisodeStatus};
use herbrand::tasks::{AnyProblems, OfferedActions, TaskFailure, Violation};

use super::lines::{Line, PlayerInput};
use super::read::{Meant, Reader};
use super::why::why;
use crate::drawing;
use crate::failure::Failure;
use crate::output::{self, counted};

/// The limits of the planner for a hint.
const LIMITS: Limits = Limits {
    bytes: Some(1 << 30),
    time: Some(Duration::from_secs(10)),
};

/// The number of actions that are listed by default.
const LISTED: usize = 20;

/// The number of missing parts of the goal that are listed by default.
const NAMED: usize = 3;

const BOLD: anstyle::Style = anstyle::Style::new().bold();

/// The help of languages in which a step takes one action.
const SINGLE: &str = "  a number      take the action with this number
  an arrow key  on a grid in a terminal: take the action that leads in this direction
  words         take the only action that contains them, or list all actions that do
  (name a b)    take this action
  why (name a)  tell why an action is not valid, or which objects are missing";

/// The help on actions that are taken together.
const JOINT: &str = "  names         take these actions together: `press___a press___b`, `force=2.5`;
                `(press a)` is `press___a`, and `(order apple 5)` is `order___apple=5`;
                a line is one step, so it has at most one pair of parentheses
  numbers       take the valid actions with these numbers together, a number with its value: `1 3=2.5`;
                a line has numbers or names, not both
  words         take the only valid action that contains them, or list all that do
  nothing       take a step without an action";

/// The help on all other lines.
const COMMANDS: &str = "  sample        take a random action
  undo          undo the last action
  effects       show the effects of the last action
  hint          show the first step of the stored plan, or of a new plan
  goal          show the missing parts of the goal
  state         show the facts of the state
  actions       show all valid actions
  legend        explain the symbols of the drawing
  reset         start again
  quit          leave";

/// A game in progress, played by a person or a script at the command line.
pub struct Game {
    title: String,
    description: String,
    walk: AnyWalk,
    seed: u64,
    streams: Streams,
    /// Whether the problem has rewards at each step and no goal, as in RDDL.
    is_process: bool,
    /// Whether the language shows states in a form of its own.
    has_form: bool,
}

impl Game {
    /// Starts a game on the first problem of a set.
    ///
    /// # Errors
    /// Fails if the problem is invalid.
    pub fn start(problems: AnyProblems, seed: u64) -> Result<Self, Failure> {
        let title = format!("{} {}", problems.title(), problems.full_problem_name(0));
        let description = problems.description().to_owned();
        let walk = AnyWalk::of_player(problems.open().map_err(TaskFailure::from)?);
        let features = walk.problem.look();
        let is_process = features.features().interm_names().is_some();
        let has_form = features
            .features()
            .inquiries()
            .iter()
            .any(|one| one.name == "state");
        drop(features);
        let mut game = Self {
            title,
            description,
            walk,
            seed,
            streams: Streams::new(seed),
            is_process,
            has_form,
        };
        game.reset()?;
        Ok(game)
    }

    /// Returns whether the state is drawn as a grid, so that arrow keys can mean directions.
    pub fn has_grid(&self) -> Result<bool, Failure> {
        let picture = self.walk.problem.picture().map_err(TaskFailure::from)?;
        Ok(!self.is_process && !self.has_form && picture.0.has_text_grid())
    }

    /// Plays the game: reads inputs from `lines` and shows the states, until the lines end or the player quits.
    ///
    /// # Errors
    /// Fails if the input cannot be read or the output cannot be written.
    pub fn play(mut self, mut lines: Box<dyn PlayerInput>) -> Result<(), Failure> {
        if !self.description.is_empty() {
            say(&self.description)?;
        }
        let arrows = if lines.has_arrows() {
            "; the arrow keys move"
        } else {
            ""
        };
        say(&format!("Type `?` for help{arrows}."))?;
        self.legend()?;
        self.show()?;
        loop {
            let completions = self.walk.look().offered().choices;
            match lines.next(&completions)? {
                None => return Ok(()),
                Some(Line::Text(line)) if matches!(line.as_str(), "quit" | "exit" | "q") => return Ok(()),
                Some(Line::Text(line)) => self.answer(&line)?,
                Some(Line::Arrow(direction)) => self.follow(direction)?,
            }
        }
    }

    fn reset(&mut self) -> Result<(), Failure> {
        self.streams = Streams::new(self.seed);
        let start = self.walk.go(self.seed, &[], &Budget::new(Limits::default()));
        start.map_err(Failure::of)
    }

    /// Carries out a line.
    fn answer(&mut self, line: &str) -> Result<(), Failure> {
        let lower = line.to_lowercase();
        let asked = {
            let system = self.walk.look();
            let features = system.features();
            let known = features.inquiries().into_iter().find(|one| one.name == lower);
            known
                .map(|one| (one.answer)())
                .transpose()
                .map_err(TaskFailure::from)?
        };
        if let Some(answer) = asked {
            return say(&answer);
        }
        match lower.as_str() {
            "" => Ok(()),
            "help" | "?" => self.help(),
            "undo" if self.walk.undo().map_err(Failure::of)? => self.show(),
            "undo" => say("nothing to undo"),
            "reset" => {
                self.reset()?;
                self.show()
            }
            "effects" => self.effects(),
            "hint" => self.hint(),
            "goal" => self.goal(),
            "state" | "facts" => self.facts(|_, _| true),
            "actions" => self.actions("", usize::MAX),
            "legend" if self.legend()? => Ok(()),
            "legend" => say("this state has no drawing with symbols"),
            "nothing" if self.is_process => self.take(&[]),
            "sample" => self.sample(),
            "why" if !self.is_process => say(
                "name an action, such as `why (name a b)`: the reason why it is not valid, or the objects it lacks",
            ),
            _ => match lower.strip_prefix("why ") {
                Some(words) if !self.is_process => self.why(words.trim()),
                _ => self.act(line),
            },
        }
    }

    fn help(&self) -> Result<(), Failure> {
        say(if self.is_process { JOINT } else { SINGLE })?;
        for one in self.walk.look().features().inquiries() {
            say(&format!("  {:<13} {}", one.name, one.help))?;
        }
        say(COMMANDS)
    }

    /// Takes the action that a line means, or says why it means none.
    fn act(&mut self, line: &str) -> Result<(), Failure> {
        let system = self.walk.look();
        let offered = self.offered();
        let meant = Reader {
            system: &*system,
            offered: &offered,
            is_numbered: !self.has_form,
        }
        .read(line);
        drop(system);
        match meant {
            Meant::Step(joint) => self.take(&joint),
            Meant::Answer(text) => say(&text),
            Meant::Several => self.actions(line, usize::MAX),
        }
    }

    /// Takes a step, and tells its effects.
    fn take(&mut self, joint: &[Choice]) -> Result<(), Failure> {
        if let Some(over) = self.over() {
            return say(&format!("{over}: undo, reset or quit"));
        }
        let (name, text, violations) = {
            let system = self.walk.look();
            let names: Vec<_> = joint.iter().map(|&choice| system.choice_text(choice)).collect();
            let violations = system.features().violations(joint).unwrap_or_default();
            (names.join(" "), vec![system.joint_text(joint)], violations)
        };
        let draws = self.walk.draws(&text);
        let taken = self.walk.take(&text, true);
        violations.iter().try_for_each(|one| say(&one.sentence()))?;
        if let Err(fault) = taken {
            return if violations.is_empty() {
                say(&fault.to_string())
            } else {
                Ok(())
            };
        }
        let name = if joint.is_empty() {
            "nothing".to_owned()
        } else {
            name
        };
        let name = if violations.iter().any(Violation::is_replaced) {
            format!("nothing, in place of {name}")
        } else {
            name
        };
        match self
            .walk
            .last_reward()
            .filter(|_| self.is_process || self.has_form)
        {
            Some(reward) => say(&format!("{name}: reward {}", output::reward(reward)))?,
            None => say(&name)?,
        }
        draws.iter().try_for_each(|draw| say(draw))?;
        self.show()?;
        self.ending()
    }

    /// Says how the episode ended, if it did.
    fn ending(&self) -> Result<(), Failure> {
        let steps = counted(self.walk.len() as u64, "step");
        let cost = self
            .walk
            .cost()
            .map_or_else(String::new, |cost| format!(", cost {}", output::reward(cost)));
        let reward = output::reward(self.walk.reward());
        let why = match self.walk.status() {
            EpisodeStatus::Running => return Ok(()),
            EpisodeStatus::Goal => return say(&format!("goal reached in {steps}{cost}, reward {reward}")),
            EpisodeStatus::DeadEnd => {
                return say(&format!(
                    "a dead end after {steps}{cost}, reward {reward}: undo, reset or quit"
                ));
            }
            EpisodeStatus::Terminal => "the episode ends",
            EpisodeStatus::Horizon => "the horizon is reached",
            EpisodeStatus::Broken => {
                let broken = self.walk.look().features().broken();
                broken.iter().try_for_each(|one| say(&one.sentence()))?;
                "a broken state invariant ends the episode"
            }
        };
        say(&format!("{why} after {steps}, return {reward}"))
    }

    /// Returns why no action can be taken; `None` if one can.
    fn over(&self) -> Option<&'static str> {
        match self.walk.status() {
            EpisodeStatus::Running => None,
            EpisodeStatus::Goal => Some("the goal is reached"),
            EpisodeStatus::DeadEnd => Some("this is a dead end"),
            _ => Some("the episode is over"),
        }
    }

    /// Shows the current state.
    fn show(&self) -> Result<(), Failure> {
        let steps = self.walk.len();
        let horizon = self.walk.horizon().map(|horizon| format!(" of {horizon}"));
        let mut head = format!(
            "\n{BOLD}{}{BOLD:#}, step {steps}{}",
            self.title,
            horizon.unwrap_or_default()
        );
        if self.is_process || self.has_form {
            head += &format!(", return {}", output::reward(self.walk.reward()));
        }
        say(&head)?;
        if self.has_form {
            return self.form();
        }
        let (picture, moment) = self.walk.problem.picture().map_err(TaskFailure::from)?;
        if drawing::drawn(&mut output::out(), picture, &moment)? {
            self.facts(drawing::is_beside)?;
        } else {
            self.facts(|fact, _| fact.group != Group::Static)?;
        }
        if steps == 0 {
            let broken = self.walk.look().features().broken();
            let mut broken = broken.iter();
            broken.try_for_each(|one| say(&format!("in the initial state, {}", one.sentence())))?;
        }
        if !self.is_process {
            let (all, missing) = self.missing()?;
            let named = missing.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>();
            let more = if missing.len() > NAMED { " …" } else { "" };
            let named = match named.as_slice() {
                [] => String::new(),
                named => format!(", missing {}{more}", named.join(" ")),
            };
            say(&format!("goal: {} of {all}{named}", all - missing.len()))?;
        }
        self.actions("", LISTED)
    }

    /// Shows the state in the form of its language.
    fn form(&self) -> Result<(), Failure> {
        let system = self.walk.look();
        let features = system.features();
        let state = features.inquiries().into_iter().find(|one| one.name == "state");
        let text = state
            .map(|one| (one.answer)())
            .transpose()
            .map_err(TaskFailure::from)?;
        say(&text.unwrap_or_default())
    }

    /// Prints the facts of the state that `shown` selects.
    fn facts(
        &self,
        shown: impl Fn(&herbrand::core::Fact<'_>, &herbrand::render::Picture) -> bool,
    ) -> Result<(), Failure> {
        let (picture, _) = self.walk.problem.picture().map_err(TaskFailure::from)?;
        let mut out = output::out();
        drawing::facts(&mut out, &*self.walk.look(), |fact| shown(fact, picture))?;
        Ok(out.flush()?)
    }

    /// Returns the number of parts of the goal, and the parts that do not hold.
    fn missing(&self) -> Result<(usize, Vec<String>), Failure> {
        let parts = self.walk.look().goal_conjuncts().map_err(TaskFailure::from)?;
        let missing = parts.iter().filter(|part| part.holds != Some(true));
        Ok((parts.len(), missing.map(GoalConjunct::on_one_line).collect()))
    }

    fn goal(&self) -> Result<(), Failure> {
        let (all, missing) = self.missing()?;
        if all == 0 {
            return say("the problem has no goal");
        }
        if self.walk.look().status().goal {
            return say("the goal holds");
        }
        let mut missing = missing.iter();
        missing.try_for_each(|part| say(&format!("  missing: {part}")))
    }

    /// Returns the actions that can be taken.
    fn offered(&self) -> OfferedActions {
        let mut offered = self.walk.look().offered();
        if self.is_process && self.over().is_some() {
            offered.choices.clear();
        }
        offered
    }

    /// Prints the first of the valid actions that contain all words of `filter`, each with its number among all of them.
    fn actions(&self, filter: &str, most: usize) -> Result<(), Failure> {
        let offered = self.offered();
        let over = self.over().filter(|_| self.is_process);
        if filter.is_empty() && self.is_process {
            let summary = over.map(|over| format!("(0): {over}"));
            say(&format!(
                "valid actions {}",
                summary.unwrap_or_else(|| offered.summary())
            ))?;
        } else if offered.choices.is_empty() {
            return say("dead end: no action is valid");
        }
        let fitting: Vec<_> = (1..)
            .zip(&offered.choices)
            .filter(|(_, name)| contains(name, filter))
            .collect();
        for (number, name) in fitting.iter().take(most) {
            say(&format!("  {number:>3} {name}"))?;
        }
        match fitting.len().saturating_sub(most) {
            0 => Ok(()),
            more => say(&format!(
                "  and {more} more: type part of a name, or `actions` for all"
            )),
        }
    }

    fn sample(&mut self) -> Result<(), Failure> {
        let (mut joint, steps) = (Vec::new(), self.walk.len() as u32);
        let random = &mut self.streams.actions;
        if self
            .walk
            .problem
            .choose(&RolloutPolicy::Random, steps, random, &mut joint)
        {
            self.take(&joint)
        } else {
            say("no action is valid")
        }
    }

    /// Says why an action is not valid, or which objects are missing.
    fn why(&self, words: &str) -> Result<(), Failure> {
        let (system, offered) = (self.walk.look(), self.offered());
        if let Ok(number) = words.parse::<usize>() {
            let name = number.checked_sub(1).and_then(|index| offered.choices.get(index));
            return say(&match name {
                Some(name) => format!("{number}, {name}, is valid: all its conditions hold"),
                None => format!(
                    "there is no action {number}: the list has the valid actions only; name another one, such as \
                     `why (name a b)`"
                ),
            });
        }
        let reader = Reader {
            system: &*system,
            offered: &offered,
            is_numbered: true,
        };
        let answer = why(words, &*system, &offered).or_else(|| reader.refused(words));
        say(&answer.unwrap_or_else(|| format!("`{words}` is not the beginning of an action")))
    }

    fn effects(&self) -> Result<(), Failure> {
        let (added, removed) = self.walk.changes();
        if self.walk.is_empty() {
            return say("no action has been taken yet");
        }
        if !self.walk.effects().is_empty() {
            return say(self.walk.effects());
        }
        if added.is_empty() && removed.is_empty() {
            return say("nothing changed");
        }
        added.iter().try_for_each(|fact| say(&format!("  now {fact}")))?;
        removed
            .iter()
            .try_for_each(|fact| say(&format!("  no longer {fact}")))
    }

    /// Shows the first step of a plan from the state.
    fn hint(&self) -> Result<(), Failure> {
        if let Some(over) = self.over() {
            return say(over);
        }
        let plan = self
            .walk
            .look()
            .features()
            .plan(self.walk.len(), self.seed, &LIMITS);
        let plan = plan.map_err(TaskFailure::from)?;
        say(&match plan.steps.first().map(Vec::as_slice) {
            None => plan.text,
            Some([]) => format!("{} It starts with nothing", plan.text),
            Some(step) => format!("{} It starts with {}", plan.text, step.join(" ")),
        })
    }

    /// Prints the symbols of the drawing, and returns whether there are any.
    fn legend(&self) -> Result<bool, Failure> {
        let (picture, moment) = self.walk.problem.picture().map_err(TaskFailure::from)?;
        let mut out = output::out();
        let told = !self.has_form && drawing::legend(&mut out, picture, &moment)?;
        out.flush()?;
        Ok(told)
    }

    /// Takes the action of an arrow key: the only valid action that names the direction, or the cell in that direction.
    fn follow(&mut self, direction: Direction) -> Result<(), Failure> {
        let leading = {
            let (picture, moment) = self.walk.problem.picture().map_err(TaskFailure::from)?;
            let cell = picture.beside(&moment, direction);
            let leads = |name: &String| {
                let mut words_of = name.split(|c: char| c.is_whitespace() || "()".contains(c));
                let is_cell = |word: &str| matches!(cell, Some([name]) if name == word);
                words_of.any(|word| words(direction).contains(&word) || is_cell(word))
            };
            let mut names = self.offered().choices;
            names.retain(leads);
            names
        };
        match leading.as_slice() {
            [name] => self.act(name),
            [] => say(&format!("no valid action leads {}", words(direction)[0])),
            several => say(&format!("several actions lead there: {}", several.join(" "))),
        }
    }
}

/// The words for a direction in action names.
const fn words(direction: Direction) -> [&'static str; 2] {
    match direction {
        Direction::Up => ["up", "north"],
        Direction::Down => ["down", "south"],
        Direction::Left => ["left", "west"],
        Direction::Right => ["right", "east"],
    }
}

/// Returns whether an action's name contains all words of `filter`.
pub fn contains(name: &str, filter: &str) -> bool {
    let name = name.to_lowercase();
    filter
        .split_whitespace()
        .all(|word| name.contains(&word.to_lowercase()))
}

/// Writes a line and flushes it.
fn say(text: &str) -> Result<(), Failure> {
    let mut out = output::out();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}
