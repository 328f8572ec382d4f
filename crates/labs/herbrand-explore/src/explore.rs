//! The game loop: observe, read, plan, act.

use std::collections::VecDeque;

use herbrand_edit::lines::LineError;
use herbrand_edit::{Belief, Edit, EditRules, PlanningModel, Truth};
use serde::{Deserialize, Serialize};

use crate::feedback::Feedback;
use crate::game::{Ending, Event, Game, PredictedEffects, ReplanReason, literals};
use crate::reader::{Mode, ReadError, ReadRequest, Reader, ReaderAnswer};
use crate::solver::{PredictedStep, Solver, SolverOutcome};
use crate::task::Task;
use crate::world::{GameError, GameStatus, Observation, TextWorld};

/// The points at which the agent of an [`Explorer`] drops its plan and plans again. It is
/// [`ExploreOptions::execution`]; the default is [`UntilSurprise`](Self::UntilSurprise).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Execution {
    /// The agent plans again at the end of a plan, or if the world refuses a command.
    WholePlan,
    /// As with `WholePlan`, and also if a step has other effects than predicted or the observation contains new
    /// information.
    #[default]
    UntilSurprise,
    /// The agent plans again after every step. A surprise drops the old plan, as with `UntilSurprise`. Without one, a
    /// new plan replaces the rest of the old one only if it is shorter or has a different goal, so that a satisficing
    /// planner does not alternate between two plans forever.
    EveryStep,
}

/// The options of an [`Explorer`]'s games. They are its field [`options`](Explorer::options). By default
/// [`Mode::Edits`], [`Execution::UntilSurprise`] and five retries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExploreOptions {
    /// When the agent plans again. Without effect in [`Mode::EndToEnd`].
    pub execution: Execution,
    /// The kind of answer that the reader has to give.
    pub mode: Mode,
    /// The maximum number of further attempts per text if the reader's answer is rejected, or leaves no goal with a
    /// plan. Each attempt gets the [`Feedback`] to the earlier ones. 0 means a single attempt. Without effect if
    /// [`Reader::learns`] is `false`, and after an error whose [`ReadError::again`] is `false`.
    pub retries: usize,
    /// Whether a command of the reader that the world does not offer counts as a step, as in PDDLEGO, although it is not
    /// given. Without effect unless the mode is [`Mode::EndToEnd`].
    pub counts_invalid: bool,
}

impl Default for ExploreOptions {
    /// [`Mode::Edits`], [`Execution::UntilSurprise`] and five retries, as in PDDLEGO. Invalid commands are no steps.
    fn default() -> Self {
        Self {
            execution: Execution::default(),
            mode: Mode::default(),
            retries: 5,
            counts_invalid: false,
        }
    }
}

/// An agent that plays text games: a task, a reader that turns texts into statements, a planner and options. Fill in
/// the fields, then call [`play`](Self::play), once per game.
pub struct Explorer<'a> {
    /// The task of the game, with the domain and the goals.
    pub task: &'a Task,
    /// The reader of the world's texts.
    pub reader: &'a mut dyn Reader,
    /// The planner for the known problem.
    pub solver: &'a mut dyn Solver,
    /// The options of the game.
    pub options: ExploreOptions,
}

impl Explorer<'_> {
    /// Plays the game number `game` of `world` to its end, and returns its record. `watch` is called for each event,
    /// and its return value says whether to continue. `false` ends the game with [`Ending::Stopped`] at the next
    /// observation at the latest: one more command may be given, and it may still win or lose. The game also ends when
    /// the task's maximum number of commands is given, or no goal has a plan ([`Ending::Stuck`]).
    ///
    /// # Errors
    /// Fails if the world fails; there is no record then. A failure of the reader, after all retries, ends the game
    /// with [`Ending::Unread`] but is not an error.
    ///
    /// ```
    /// use herbrand_explore::{ExploreOptions, Explorer, Ending, NativeWorld, PlannerSolver, RuleReader, Setting, Task};
    ///
    /// let mut world = NativeWorld::new(Setting::Coin)?;
    /// let mut explorer = Explorer {
    ///     task: &Task::of(Setting::Coin)?,
    ///     reader: &mut RuleReader::new(),
    ///     solver: &mut PlannerSolver::default(),
    ///     options: ExploreOptions::default(),
    /// };
    /// let game = explorer.play(&mut world, 10, &mut |_| true)?;
    /// assert_eq!(game.ending, Ending::Won);
    /// assert!(game.steps <= 50);
    /// # Ok::<(), herbrand_explore::GameError>(())
    /// ```
    pub fn play(
        &mut self,
        world: &mut dyn TextWorld,
        game: u64,
        watch: &mut dyn FnMut(&Event) -> bool,
    ) -> Result<Game, GameError> {
        self.reader.begin();
        let mut play = Play {
            belief: Belief::new(self.task.start.clone(), self.task.rules.clone()),
            explorer: self,
            watch,
            stopped: false,
            events: Vec::new(),
            pending: None,
            plan: Plan::default(),
            steps: 0,
        };
        let (ending, score) = play.run(world, game)?;
        Ok(Game {
            game,
            ending,
            steps: play.steps,
            score,
            events: play.events,
        })
    }
}

/// The state of a running game.
struct Play<'p, 'e> {
    explorer: &'p mut Explorer<'e>,
    watch: &'p mut dyn FnMut(&Event) -> bool,
    stopped: bool,
    belief: Belief,
    events: Vec<Event>,
    /// The last step taken. Its predictions are compared with the next observation.
    pending: Option<PredictedStep>,
    /// The rest of the plan.
    plan: Plan,
    steps: usize,
}

/// A plan and its goal.
#[derive(Clone, Default)]
struct Plan {
    goal: String,
    steps: VecDeque<PredictedStep>,
}

/// The result of choosing the next command.
enum Next {
    Command(String),
    End(Ending),
}

impl Play<'_, '_> {
    fn tell(&mut self, event: Event) {
        self.stopped |= !(self.watch)(&event);
        self.events.push(event);
    }

    fn run(&mut self, world: &mut dyn TextWorld, game: u64) -> Result<(Ending, f64), GameError> {
        let mut seen = world.begin(game)?;
        let mut command: Option<String> = None;
        loop {
            self.tell(Event::Seen {
                step: self.steps,
                command: command.clone(),
                text: seen.text.clone(),
                status: seen.status,
            });
            let over = match seen.status {
                GameStatus::Won => Some(Ending::Won),
                GameStatus::Lost => Some(Ending::Lost),
                GameStatus::Running if self.stopped => Some(Ending::Stopped),
                GameStatus::Running if self.is_out_of_steps() => Some(Ending::OutOfSteps),
                GameStatus::Running => None,
            };
            if let Some(ending) = over {
                // The final observation is read too, so that the last step is compared with its prediction.
                if self.explorer.options.mode == Mode::Edits && seen.status == GameStatus::Won {
                    self.absorb(world, &seen, command.as_deref(), &mut Vec::new())?;
                }
                return Ok((ending, seen.score));
            }
            match self.next(world, &seen, command.as_deref())? {
                Next::End(ending) => return Ok((ending, seen.score)),
                Next::Command(next) => {
                    seen = world.step(&next)?;
                    self.steps += 1;
                    command = Some(next);
                }
            }
        }
    }

    /// Reads an observation and chooses the next command. If the answer is unusable or leaves no goal with a plan, the
    /// reader is asked again, up to the maximal number of retries.
    fn next(
        &mut self,
        world: &mut dyn TextWorld,
        seen: &Observation,
        command: Option<&str>,
    ) -> Result<Next, GameError> {
        let mut feedback = Vec::new();
        let before = self.belief.clone();
        let (plan, pending) = (self.plan.clone(), self.pending.clone());
        loop {
            let answer = self.absorb(world, seen, command, &mut feedback)?;
            let failed = match answer {
                ReadOutcome::Command(command) => return Ok(Next::Command(command)),
                ReadOutcome::Nothing if self.explorer.reader.is_gone() => Ending::NotPlayed,
                ReadOutcome::Nothing if self.is_out_of_steps() => Ending::OutOfSteps,
                ReadOutcome::Nothing => Ending::Unread,
                ReadOutcome::Taken => match self.choose() {
                    Ok(command) => return Ok(Next::Command(command)),
                    Err(outcomes) => {
                        self.refuse(&mut feedback, Feedback::NoPlan { outcomes });
                        Ending::Stuck
                    }
                },
            };
            let again = self.explorer.reader.learns() && feedback.len() <= self.explorer.options.retries;
            if self.stopped {
                return Ok(Next::End(Ending::Stopped));
            }
            if !again || matches!(failed, Ending::Unread | Ending::NotPlayed | Ending::OutOfSteps) {
                return Ok(Next::End(failed));
            }
            self.belief = before.clone();
            self.plan = plan.clone();
            self.pending = pending.clone();
        }
    }

    const fn is_out_of_steps(&self) -> bool {
        self.steps >= self.explorer.task.steps
    }

    fn refuse(&mut self, feedback: &mut Vec<Feedback>, why: Feedback) {
        if self.explorer.options.counts_invalid && matches!(why, Feedback::Command { .. }) {
            self.steps += 1;
        }
        feedback.push(why.clone());
        self.tell(Event::Refused {
            attempt: feedback.len(),
            feedback: why,
        });
    }

    /// Asks the reader until an answer is accepted or no attempt is left.
    fn absorb(
        &mut self,
        world: &mut dyn TextWorld,
        seen: &Observation,
        command: Option<&str>,
        feedback: &mut Vec<Feedback>,
    ) -> Result<ReadOutcome, GameError> {
        let mode = self.explorer.options.mode;
        let commands = match mode {
            Mode::EndToEnd => world.commands()?,
            _ => Vec::new(),
        };
        let task = world.task();
        let ExploreOptions {
            retries,
            counts_invalid,
            ..
        } = self.explorer.options;
        // Commands that count as steps are limited by the number of steps.
        let may_ask = |feedback: &[Feedback]| match feedback.last() {
            Some(Feedback::Command { .. }) if counts_invalid => true,
            _ => feedback.len() <= retries,
        };
        while may_ask(feedback) && !self.stopped && (feedback.is_empty() || !self.is_out_of_steps()) {
            let request = ReadRequest {
                task: &task,
                command,
                text: &seen.text,
                belief: &self.belief,
                commands: &commands,
                feedback,
                mode,
                example: self.explorer.task.example.as_ref(),
            };
            let reading = self.explorer.reader.read(&request);
            match self.take_in(reading, seen, command, &commands) {
                Ok(absorbed) => return Ok(absorbed),
                Err((why, again)) => {
                    self.refuse(feedback, why);
                    if !again || !self.explorer.reader.learns() {
                        break;
                    }
                }
            }
        }
        Ok(ReadOutcome::Nothing)
    }

    fn take_in(
        &mut self,
        reading: Result<ReaderAnswer, ReadError>,
        seen: &Observation,
        command: Option<&str>,
        commands: &[String],
    ) -> Result<ReadOutcome, (Feedback, bool)> {
        let mode = self.explorer.options.mode;
        let reading = reading.map_err(|error| {
            (
                Feedback::Malformed {
                    message: error.message,
                },
                error.again,
            )
        })?;
        let edits = match (mode, reading) {
            (Mode::Edits, ReaderAnswer::Statements { statements, unread }) => {
                let name = command.unwrap_or("start");
                let edits = self
                    .belief
                    .observe(name, &statements)
                    .map_err(|faults| (faults.into(), true))?;
                self.tell(Event::Read {
                    edits: edits.clone(),
                    unread,
                });
                edits
            }
            (Mode::Lines, ReaderAnswer::Lines(lines)) => {
                let malformed = |error: LineError| Feedback::Malformed {
                    message: error.to_string(),
                };
                let edits = lines.typed().map_err(|error| (malformed(error), true))?;
                let edited = self.belief.model().apply(&edits, &self.explorer.task.rules);
                let model = edited.map_err(|faults| (faults.into(), true))?;
                self.replace(model, edits)
            }
            (Mode::WholeProblem, ReaderAnswer::Problem(text)) => {
                let domain = self.belief.model().domain();
                let problem = herbrand_pddl::Problem::from_text(&text, domain).map_err(|faults| {
                    (
                        Feedback::Problem {
                            message: faults.to_string(),
                        },
                        true,
                    )
                })?;
                let model = PlanningModel::new(std::sync::Arc::clone(domain), problem);
                let edits = herbrand_edit::difference(self.belief.model(), &model).unwrap_or_default();
                self.replace(model, edits)
            }
            (Mode::EndToEnd, ReaderAnswer::Command(command)) => {
                return if commands.contains(&command) {
                    Ok(ReadOutcome::Command(command))
                } else {
                    Err((Feedback::Command { command }, true))
                };
            }
            _ => {
                let message = "this is not the kind of answer that was asked for".to_owned();
                return Err((Feedback::Malformed { message }, true));
            }
        };
        self.explorer.reader.believed(self.steps, self.belief.model());
        self.compare(&edits, seen);
        Ok(ReadOutcome::Taken)
    }

    /// Replaces the belief by a problem. `edits` are the difference, which is reported and returned.
    fn replace(&mut self, model: PlanningModel, edits: Vec<Edit>) -> Vec<Edit> {
        self.belief = Belief::new(model, self.explorer.task.rules.clone());
        self.tell(Event::Read {
            edits: edits.clone(),
            unread: Vec::new(),
        });
        edits
    }

    /// Compares the predicted effects of the last step with the belief. Drops the rest of the plan if the execution
    /// option requires it.
    fn compare(&mut self, edits: &[Edit], seen: &Observation) {
        for edit in edits {
            if let Edit::MergeObject { object, into } | Edit::RenameObject { object, to: into } = edit {
                self.plan
                    .steps
                    .iter_mut()
                    .chain(&mut self.pending)
                    .for_each(|step| step.rename(object, into));
            }
        }
        let Some(step) = self.pending.take() else { return };
        let mut effects = PredictedEffects::default();
        for (fact, holds) in literals(&step) {
            let told = if holds {
                fact.to_string()
            } else {
                format!("(not {fact})")
            };
            match (self.belief.truth(fact), holds) {
                (Truth::True, true) | (Truth::False, false) => effects.confirmed.push(told),
                (Truth::True, false) | (Truth::False, true) => effects.contradicted.push(told),
                (Truth::Unknown, _) => effects.unconfirmed.push(told),
            }
        }
        let as_predicted = effects.contradicted.is_empty() && effects.unconfirmed.is_empty();
        self.tell(Event::Effects(effects));
        let news = edits.iter().any(|edit| !is_predicted(edit, &step));
        let reason = match self.explorer.options.execution {
            _ if !seen.done => Some(ReplanReason::Refused),
            Execution::WholePlan => None,
            _ if !as_predicted => Some(ReplanReason::Prediction),
            _ if news => Some(ReplanReason::News),
            _ => None,
        };
        if let Some(reason) = reason {
            self.give_up(reason);
        }
    }

    fn give_up(&mut self, reason: ReplanReason) {
        if !self.plan.steps.is_empty() {
            self.plan.steps.clear();
            self.tell(Event::GivenUp { reason });
        }
    }

    /// Returns the command of the next step; makes a new plan if none is left. If there is no plan, returns the
    /// outcome for each goal.
    fn choose(&mut self) -> Result<String, Vec<(String, String)>> {
        if self.plan.steps.is_empty() {
            self.plan = self.find()?;
        } else if self.explorer.options.execution == Execution::EveryStep {
            self.replan();
        }
        let Some(step) = self.plan.steps.pop_front() else {
            return Err(Vec::new());
        };
        let reader = &self.explorer.reader;
        let said = self
            .explorer
            .task
            .command(&step.action, |object| reader.phrase(object));
        let action = step.action.to_string();
        self.pending = Some(step);
        said.ok_or_else(|| vec![(action, "no command".to_owned())])
    }

    /// Replaces the rest of the current plan if a new plan is better.
    fn replan(&mut self) {
        match self.find() {
            Ok(plan) if plan.goal != self.plan.goal || plan.steps.len() < self.plan.steps.len() => {
                self.give_up(ReplanReason::BetterPlan);
                self.plan = plan;
            }
            _ => self.tell(Event::Kept),
        }
    }

    /// Finds a plan for the first goal of the ladder that has one. On failure, returns the name and the outcome of each
    /// goal.
    fn find(&mut self) -> Result<Plan, Vec<(String, String)>> {
        let mut outcomes = Vec::new();
        for rung in self.explorer.task.ladder.clone() {
            let Some(goal) = rung.goal.text(&self.belief) else {
                outcomes.push((rung.name.clone(), "nothing to aim at".to_owned()));
                continue;
            };
            let edit = Edit::SetGoal { goal: goal.clone() };
            let solution = match self.belief.model().apply(&[edit], &EditRules::default()) {
                Ok(model) => self.explorer.solver.solve(&model, rung.aim),
                Err(_) => SolverOutcome::ProvenUnreachable,
            };
            let outcome = solution.name().to_owned();
            let plan = match solution {
                SolverOutcome::Plan(plan) => plan,
                _ => Vec::new(),
            };
            self.tell(Event::Planned {
                rung: rung.name.clone(),
                goal: goal.clone(),
                outcome: outcome.clone(),
                plan: plan.iter().map(|step| step.action.clone()).collect(),
            });
            if !plan.is_empty() {
                let steps = plan.into();
                return Ok(Plan { goal, steps });
            }
            outcomes.push((rung.name.clone(), outcome));
        }
        Err(outcomes)
    }
}

/// The result of processing a reader's answer.
enum ReadOutcome {
    /// The belief was updated.
    Taken,
    /// The reader chose this command.
    Command(String),
    /// No usable answer was given.
    Nothing,
}

/// Returns whether an edit is one of the predicted effects of a step.
fn is_predicted(edit: &Edit, step: &PredictedStep) -> bool {
    match edit {
        Edit::AddFact { fact } => step.adds.contains(fact),
        Edit::DeleteFact { fact } => step.deletes.contains(fact),
        _ => false,
    }
}
