//! The thread that runs problems: remarks above the text, plans, pictures and explanations.

use std::sync::Arc;

use herbrand_limits::{Budget, Limits};
use herbrand_play::{
    EpisodeStatus, JointTexts, Playground, ProblemName, Reason, Refusal, Reply, Request, RequestLimits,
    SuggestedPlan, Texts, WalkPosition,
};
use herbrand_text::{NameKind, Role};
use lsp_server::{ErrorCode, RequestId, Response};
use serde::Serialize;
use serde_json::{Value, json};

use crate::lens::{lenses, nearest_at_start};
use crate::texts::{goal_first, plan_beside};
use crate::worker::{Job, Worker};
use herbrand_assist::{Language, TextFile, Workspace};

/// The commands that the server executes. Their first argument is the URI of a problem. `herbrand.checkPlan` takes the text of
/// a plan as a second one, and otherwise reads the plan beside the problem; `herbrand.why` takes an action.
pub const COMMANDS: [&str; 6] = [
    "herbrand.plan",
    "herbrand.checkPlan",
    "herbrand.rollout",
    "herbrand.picture",
    "herbrand.ground",
    "herbrand.why",
];

/// The number of steps of a rollout.
const ROLLOUT: usize = 50;

/// A request that takes time.
pub(crate) enum Task {
    /// The remarks above a file.
    Lenses(Arc<TextFile>),
    /// A command, with its arguments.
    Command(String, Vec<Value>),
    /// A request to the engine of the page, without its problem, about the problem of a file.
    Ask(Arc<TextFile>, Value),
}

/// Answers requests on a thread of its own, in order.
pub(crate) struct Engine(Worker<Asked>);

/// A request, and the files at that time.
struct Asked {
    id: RequestId,
    workspace: Workspace,
    task: Task,
}

impl Job for Asked {
    type Key = RequestId;

    fn key(&self) -> RequestId {
        self.id.clone()
    }
}

/// The answer to a request, and a message for people who see no other form of it.
pub(crate) struct Answer {
    pub(crate) response: Response,
    pub(crate) message: Option<String>,
}

impl Engine {
    /// Starts the thread. `answer` gets the answers.
    pub(crate) fn start(limits: Limits, answer: impl Fn(Answer) + Send + 'static) -> Self {
        let allowance = RequestLimits {
            limits,
            text: 8 << 20,
            ..RequestLimits::default()
        };
        let mut playground = Playground::new(allowance);
        let run = move |job: &Asked, budget: &Budget| {
            let mut run = Run {
                playground: &mut playground,
                workspace: &job.workspace,
                budget,
                limits,
            };
            run.run(&job.task)
        };
        let done = move |job: Asked, result: Option<Result<Answered, Refusal>>| {
            let failed = |code: ErrorCode, reason| Response::new_err(job.id.clone(), code as i32, reason);
            let (response, message) = match result {
                Some(Ok((value, message))) => (Response::new_ok(job.id, value), message),
                Some(Err(Refusal { message, .. })) => {
                    (failed(ErrorCode::RequestFailed, message.clone()), Some(message))
                }
                None => {
                    let reason = "the engine failed on this request".to_owned();
                    (failed(ErrorCode::InternalError, reason), None)
                }
            };
            let message = message.filter(|_| matches!(job.task, Task::Command(..)));
            answer(Answer { response, message });
        };
        // The playground and the grounder count the memory.
        let time = Limits {
            bytes: None,
            ..limits
        };
        Self(Worker::start(time, run, done))
    }

    /// Answers a request after those before it.
    pub(crate) fn request(&self, id: RequestId, workspace: &Workspace, task: Task) {
        let workspace = workspace.clone();
        self.0
            .change(|state| state.queue.push_back(Asked { id, workspace, task }));
    }

    /// Cancels a request. Returns the response if the request was waiting. If it is running, its thread responds.
    pub(crate) fn cancel(&self, id: &RequestId) -> Option<Response> {
        self.0.change(|state| {
            if let Some((running, budget)) = &state.running
                && running == id
            {
                budget.cancel();
                return None;
            }
            let waiting = state.queue.iter().position(|job| job.id == *id)?;
            state.queue.remove(waiting)?;
            let reason = "the request was cancelled".to_owned();
            Some(Response::new_err(
                id.clone(),
                ErrorCode::RequestCanceled as i32,
                reason,
            ))
        })
    }
}

struct Run<'r> {
    playground: &'r mut Playground,
    workspace: &'r Workspace,
    budget: &'r Budget,
    limits: Limits,
}

type Answered = (Value, Option<String>);

impl Run<'_> {
    fn run(&mut self, task: &Task) -> Result<Answered, Refusal> {
        match task {
            Task::Lenses(file) => {
                let found = lenses(self.workspace, file, self.budget, self.limits);
                Ok((value(found)?, None))
            }
            Task::Command(command, arguments) => self.command(command, arguments),
            Task::Ask(file, request) => {
                let request = self.request(file, request)?;
                let reply = self.playground.reply_within(&request, self.budget);
                Ok((value(reply)?, None))
            }
        }
    }

    /// Returns a request of the page about the problem of a file, or about the problem that begins with its goal.
    fn request(&self, file: &Arc<TextFile>, request: &Value) -> Result<Request, Refusal> {
        let mut request = request.clone();
        let fields = request
            .as_object_mut()
            .ok_or_else(|| refused("a request is an object"))?;
        fields.remove("uri");
        let of = fields.remove("of");
        let mut problem = self.problem(file)?;
        if of == Some(json!("goal"))
            && let ProblemName::Texts { texts } = &mut problem
        {
            texts.problem = goal_first(texts)?;
        }
        fields.insert("problem".to_owned(), value(problem)?);
        serde_json::from_value(request).map_err(refused)
    }

    /// Returns the texts of a problem: those of its file, its domain and the settings beside the domain.
    fn problem(&self, file: &Arc<TextFile>) -> Result<ProblemName, Refusal> {
        let domain = self
            .workspace
            .domain_of(file)
            .ok_or_else(|| refused("no file of the workspace defines the domain of this file"))?;
        let is_problem = |file: &TextFile| file.of_kind(NameKind::Problem, Role::Declares).next().is_some();
        if !is_problem(file) {
            return Err(refused("this file defines no problem"));
        }
        let mut texts = Texts {
            domain: domain.text().to_owned(),
            problem: String::new(),
            settings: String::new(),
        };
        if !Arc::ptr_eq(&domain, file) || file.language == Language::Pddl {
            texts.problem = file.text().to_owned();
        }
        if file.language == Language::Rddl {
            let scope = self.workspace.scope(file);
            let blocks = scope.iter().filter(|other| {
                let is_used = !Arc::ptr_eq(other, file) && !Arc::ptr_eq(other, &domain);
                is_used && !is_problem(other)
            });
            for other in blocks {
                texts.problem.push('\n');
                texts.problem.push_str(other.text());
            }
        }
        let folder = domain.path.as_deref().and_then(std::path::Path::parent);
        if let Some(settings) =
            folder.and_then(|folder| std::fs::read_to_string(folder.join("env.toml")).ok())
        {
            texts.settings = settings;
        }
        Ok(ProblemName::Texts { texts })
    }

    fn command(&mut self, command: &str, arguments: &[Value]) -> Result<Answered, Refusal> {
        let uri = arguments
            .first()
            .and_then(Value::as_str)
            .ok_or_else(|| refused("the first argument is the URI of a problem"))?;
        let file = self
            .workspace
            .file(&herbrand_assist::uri::normal(uri))
            .ok_or_else(|| refused(format!("{uri} is not open")))?;
        let second = arguments.get(1).and_then(Value::as_str);
        let problem = self.problem(file)?;
        match command {
            "herbrand.plan" => self.plan(problem),
            "herbrand.checkPlan" => self.check_plan(file, problem, second),
            "herbrand.rollout" => self.rollout(problem),
            "herbrand.picture" => {
                let reply = self.ask(&Request::Look(at(problem, Vec::new())))?;
                let text = match &reply {
                    Reply::View(view) => format!("{}: {}", view.title, view.facts.join(" ")),
                    _ => String::new(),
                };
                answered(&reply, text)
            }
            "herbrand.ground" => {
                let reply = self.ask(&Request::Ground { problem })?;
                let text = match &reply {
                    Reply::Inside(inside) => {
                        let counts = inside
                            .counts
                            .iter()
                            .map(|(name, count)| format!("{count} {name}"));
                        counts.collect::<Vec<_>>().join(", ")
                    }
                    _ => String::new(),
                };
                answered(&reply, text)
            }
            "herbrand.why" => {
                let action = second.ok_or_else(|| refused("the second argument is an action"))?;
                self.why(file, problem, action)
            }
            _ => Err(refused(format!("there is no command `{command}`"))),
        }
    }

    /// Asks the engine; a refusal is an error.
    fn ask(&mut self, request: &Request) -> Result<Reply, Refusal> {
        match self.playground.reply_within(request, self.budget) {
            Reply::Refused(refusal) => Err(refusal),
            reply => Ok(reply),
        }
    }

    fn plan(&mut self, problem: ProblemName) -> Result<Answered, Refusal> {
        let reply = self.ask(&Request::Plan(at(problem, Vec::new())))?;
        let text = match &reply {
            Reply::Plan(SuggestedPlan { steps, text }) => {
                let steps = steps
                    .iter()
                    .map(|step| step.join(" "))
                    .collect::<Vec<_>>()
                    .join("\n");
                [text.as_str(), &steps].join("\n").trim().to_owned()
            }
            _ => String::new(),
        };
        answered(&reply, text)
    }

    /// Executes the plan in a text, or in the file beside the problem.
    fn check_plan(
        &mut self,
        file: &TextFile,
        problem: ProblemName,
        text: Option<&str>,
    ) -> Result<Answered, Refusal> {
        let text = match text {
            Some(text) => text.to_owned(),
            None => plan_beside(file)?,
        };
        let lines = text
            .lines()
            .map(|line| line.split(';').next().unwrap_or_default().trim());
        let steps = lines.filter(|line| !line.is_empty()).map(|line| {
            // Planners write `0.00: (move a b) [1]`.
            let start = line.find('(').unwrap_or_default();
            let end = line.rfind(')').map_or(line.len(), |at| at + 1);
            vec![line.get(start..end).unwrap_or(line).to_ascii_lowercase()]
        });
        let walk: Vec<JointTexts> = steps.collect();
        let count = walk.len();
        let reply = self
            .playground
            .reply_within(&Request::Look(at(problem.clone(), walk.clone())), self.budget);
        match reply {
            Reply::View(view) => {
                let text = match view.status {
                    EpisodeStatus::Goal => format!("the plan reaches the goal in {count} steps"),
                    _ => {
                        let open = view
                            .goal
                            .iter()
                            .filter(|part| !part.satisfied)
                            .map(|part| part.text.as_str());
                        format!(
                            "the plan does not reach the goal: {}",
                            open.collect::<Vec<_>>().join(" ")
                        )
                    }
                };
                answered(&Reply::View(view), text)
            }
            Reply::Refused(refusal) => {
                let Some(step) = refusal.step.filter(|&step| step < count) else {
                    return Err(refusal);
                };
                let explain = Request::Explain {
                    position: at(problem, walk[..step].to_vec()),
                    action: walk[step].clone(),
                };
                let why = match self.ask(&explain) {
                    Ok(Reply::Why { text }) => text,
                    _ => refusal.message.clone(),
                };
                let text = format!(
                    "step {} of the plan, {}, cannot be taken: {why}",
                    step + 1,
                    walk[step].join(" ")
                );
                answered(&Reply::Refused(refusal), text)
            }
            _ => Err(refused("the engine has no answer")),
        }
    }

    /// Takes random valid actions from the initial state.
    fn rollout(&mut self, problem: ProblemName) -> Result<Answered, Refusal> {
        let mut walk: Vec<JointTexts> = Vec::new();
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        loop {
            let reply = self.ask(&Request::Look(at(problem.clone(), walk.clone())))?;
            let Reply::View(view) = reply else {
                return Err(refused("the engine has no answer"));
            };
            let in_time = self.budget.check("walking", 0);
            in_time.map_err(|exhausted| Refusal::new(Reason::Limit, exhausted))?;
            let ended =
                view.status != EpisodeStatus::Running || walk.len() == ROLLOUT || view.actions.is_empty();
            if ended {
                let steps = walk.iter().map(|step| step.join(" ")).collect::<Vec<_>>();
                let text = format!(
                    "{:?} after {} random steps\n{}",
                    view.status,
                    walk.len(),
                    steps.join("\n")
                );
                let value = json!({ "walk": walk, "view": view });
                return Ok((value, Some(text.trim().to_owned())));
            }
            // The generator of Knuth's MMIX: a rollout is an example, and the same each time.
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let chosen = (random >> 33) as usize % view.actions.len();
            walk.push(vec![view.actions[chosen].text.clone()]);
        }
    }

    /// Explains why an action is not valid in the initial state. For a name without arguments, counts the valid ground actions. If
    /// none is valid, explains the ground action that lacks the fewest atoms.
    fn why(&mut self, file: &Arc<TextFile>, problem: ProblemName, action: &str) -> Result<Answered, Refusal> {
        if action.contains('(') {
            let request = Request::Explain {
                position: at(problem, Vec::new()),
                action: vec![action.to_owned()],
            };
            let reply = self.ask(&request)?;
            let text = match &reply {
                Reply::Why { text } => text.clone(),
                _ => String::new(),
            };
            return answered(&reply, text);
        }
        let reply = self.ask(&Request::Look(at(problem.clone(), Vec::new())))?;
        let Reply::View(view) = reply else {
            return Err(refused("the engine has no answer"));
        };
        let head = format!("({action}");
        let is_own = |text: &str| {
            text.strip_prefix(&head)
                .is_some_and(|rest| rest.starts_with([' ', ')']))
        };
        let valid: Vec<&str> = view
            .actions
            .iter()
            .map(|one| one.text.as_str())
            .filter(|text| is_own(text))
            .collect();
        let text = match valid.first() {
            Some(first) => format!(
                "{} of `{action}` are valid at the start, such as {first}",
                valid.len()
            ),
            None => {
                let (budget, limits) = (self.budget, self.limits);
                let why = budget.enclose(|| nearest_at_start(self.workspace, file, action, limits));
                let why = match why {
                    Err(refusal) => refusal.message,
                    Ok(nearest) => {
                        let request = Request::Explain {
                            position: at(problem, Vec::new()),
                            action: vec![nearest.clone()],
                        };
                        match self.ask(&request)? {
                            Reply::Why { text } => format!("{nearest}: {text}"),
                            _ => nearest,
                        }
                    }
                };
                format!("no instance of `{action}` is valid at the start\n{why}")
            }
        };
        Ok((json!({ "valid": valid }), Some(text)))
    }
}

const fn at(problem: ProblemName, walk: Vec<JointTexts>) -> WalkPosition {
    WalkPosition {
        problem,
        seed: 0,
        walk,
    }
}

fn answered(reply: &Reply, text: String) -> Result<Answered, Refusal> {
    Ok((value(reply)?, Some(text)))
}

fn value(of: impl Serialize) -> Result<Value, Refusal> {
    serde_json::to_value(of).map_err(refused)
}

/// Refuses a request because of its form.
fn refused(message: impl ToString) -> Refusal {
    Refusal::new(Reason::Request, message)
}
