//! Calls of tools, without the protocol.

use herbrand_edit::Edit;
use herbrand_limits::Budget;
use herbrand_play::{
    DomainEntry, Finding, Internals, Language, Playground, ProblemName, Reason, Refusal, Reply, Request,
    Session, SessionId, SessionLimits, Sessions, Texts,
};
use herbrand_tasks::TaskSpec;
use herbrand_text::{counted, did_you_mean, nearest};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::arguments::Arguments;
use crate::folders::Folders;
use crate::listing::{Listing, PROBLEM, SESSION};

/// The tools with their sessions, for any number of threads. [`call`](Self::call) calls one of them.
pub struct Tools {
    sessions: Sessions,
    folders: Folders,
}

/// The function of a tool.
type Run = fn(&Tools, Arguments) -> Result<ToolAnswer, Refusal>;

/// The answer of a tool. [`Tools::call`] returns it.
#[derive(Clone, PartialEq, Debug)]
pub struct ToolAnswer {
    /// The answer for people and language models.
    pub text: String,
    /// The same as data: an object.
    pub data: Value,
    /// Whether the call was refused. `data` then has the keys of a [`Refusal`].
    pub is_refused: bool,
}

impl ToolAnswer {
    fn new(text: impl Into<String>, data: Value) -> Self {
        Self {
            text: text.into(),
            data,
            is_refused: false,
        }
    }
}

/// Converts a value to JSON. The values of answers have no maps with keys other than texts, so it does not fail.
fn data(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

impl Tools {
    /// Creates the tools without sessions. `limits` are those of sessions and of each call, and `folders` are the
    /// folders in which tools may read and write files.
    #[must_use]
    pub fn new(limits: SessionLimits, folders: Folders) -> Self {
        Self {
            sessions: Sessions::new(limits),
            folders,
        }
    }

    /// Returns the sessions that calls have opened, by their names.
    #[must_use]
    pub const fn sessions(&self) -> &Sessions {
        &self.sessions
    }

    /// Calls a tool, such as `open` or `step`, with its arguments as a JSON object. Never fails: a call that cannot be
    /// fulfilled, or whose arguments are malformed, has an answer that says why, with
    /// [`is_refused`](ToolAnswer::is_refused). `None` if no tool has this name. The work ends soon after the time limit of
    /// a call.
    #[must_use]
    pub fn call(&self, name: &str, arguments: Map<String, Value>) -> Option<ToolAnswer> {
        let listing = Listing::all().find(|listing| listing.name == name)?;
        let run = Self::named(name);
        let budget = Budget::new(self.sessions.limits().allowance.limits);
        let has_session = arguments.contains_key(SESSION.name);
        let answer = budget
            .enclose(|| match (listing.task(), run) {
                (Some(task), None) => self.task(task, arguments),
                (Some(task), _) if !has_session => self.task(task, arguments),
                (_, Some(run)) => run(self, listing.read(arguments)?),
                (None, None) => Err(Refusal::new(Reason::Unknown, "the tool has no function")),
            })
            .and_then(|answer| {
                // A list that was made after the limit may be incomplete. A change has been made and is reported.
                let in_time = if listing.is_read_only {
                    budget.check("answering", 0)
                } else {
                    Ok(())
                };
                in_time.map_err(|exhausted| Refusal::new(Reason::Limit, exhausted))?;
                Ok(answer)
            });
        Some(answer.unwrap_or_else(|refusal| refused(&refusal)))
    }

    /// Returns the function of a tool.
    fn named(name: &str) -> Option<Run> {
        Some(match name {
            "domains" => Self::domains,
            "check" => Self::check,
            "open" => Self::open,
            "state" => Self::state,
            "actions" => Self::actions,
            "step" => Self::step,
            "undo" => Self::undo,
            "why_not" => Self::why_not,
            "plan" => Self::plan,
            "validate" => Self::validate,
            "ground" => Self::ground,
            "edit" => Self::edit,
            "fork" => Self::fork,
            "draw" => Self::draw,
            "texts" => Self::texts,
            "save" => Self::save,
            "close" => Self::close,
            _ => return None,
        })
    }

    fn with<T>(
        &self,
        session: &str,
        work: impl FnOnce(&mut Session) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        self.sessions.with(session.parse()?, work)
    }

    fn ask(&self, request: &Request) -> Result<Reply, Refusal> {
        match Playground::new(self.sessions.limits().allowance).reply(request) {
            Reply::Refused(refusal) => Err(refusal),
            reply => Ok(reply),
        }
    }

    /// Answers a task for a problem.
    fn task(&self, task: &TaskSpec, given: Map<String, Value>) -> Result<ToolAnswer, Refusal> {
        let is_of_problem = |name: &str| PROBLEM.iter().any(|one| one.name == name);
        let (problem, options) = given.into_iter().partition(|(name, _)| is_of_problem(name));
        let arguments = Listing::of_problem(task.name).read(problem)?;
        let seed = arguments.seed;
        let (problem, _) = self.problem(arguments)?;
        let task = task.name.to_owned();
        let request = Request::Task {
            task,
            problem,
            options,
            seed,
        };
        match self.ask(&request)? {
            Reply::Task { answer } => Ok(ToolAnswer::new(format!("{answer:#}"), answer)),
            _ => Err(Refusal::new(Reason::Unknown, "the task has no answer")),
        }
    }

    fn domains(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        if let Some(wanted) = arguments.domain {
            let domain = self.bundled_domain(&wanted)?;
            let text = format!("{}\nProblems: {}", domain.description, domain.problems.join(", "));
            return Ok(ToolAnswer::new(text, json!({"domains": [data(&domain)]})));
        }
        let domains = self.bundled()?;
        let lines = domains
            .iter()
            .map(|domain| format!("{}: {}", domain.name, domain.description));
        let list = domains.iter().map(|domain| {
            json!({"name": domain.name, "language": domain.language, "description": domain.description, "problems": domain.problems.len()})
        });
        Ok(ToolAnswer::new(
            lines.collect::<Vec<_>>().join("\n"),
            json!({"domains": list.collect::<Vec<_>>()}),
        ))
    }

    fn bundled(&self) -> Result<Vec<DomainEntry>, Refusal> {
        match self.ask(&Request::Catalogue)? {
            Reply::Catalogue { domains } => Ok(domains),
            _ => Err(Refusal::new(Reason::Unknown, "there are no bundled domains")),
        }
    }

    fn bundled_domain(&self, name: &str) -> Result<DomainEntry, Refusal> {
        let mut domains = self.bundled()?;
        if let Some(index) = domains.iter().position(|domain| domain.name == name) {
            return Ok(domains.swap_remove(index));
        }
        let names = || domains.iter().map(|domain| &*domain.name);
        let meant = did_you_mean(nearest(name, names()).or_else(|| begins_alike(name, names())));
        let message = format!("there is no bundled domain {name:?}: the tool `domains` lists them{meant}");
        Err(Refusal::new(Reason::Unknown, message))
    }

    /// Returns a text that is given or in a file.
    fn text(
        &self,
        text: Option<String>,
        file: Option<String>,
        name: &str,
    ) -> Result<Option<String>, Refusal> {
        match (text, file) {
            (Some(_), Some(_)) => {
                let message = format!("`{name}_text` and `{name}_file` are both given: give one of them");
                Err(Refusal::new(Reason::Request, message))
            }
            (None, Some(file)) => Ok(Some(
                self.folders.read(&file, self.sessions.limits().allowance.text)?,
            )),
            (text, None) => Ok(text.map(unfenced)),
        }
    }

    /// Returns the problem that arguments name, and its table of sentences.
    fn problem(&self, arguments: Arguments) -> Result<(ProblemName, Option<String>), Refusal> {
        let domain_text = self.text(arguments.domain_text, arguments.domain_file, "domain")?;
        let problem_text = self.text(arguments.problem_text, arguments.problem_file, "problem")?;
        let settings = self.text(arguments.settings_text, arguments.settings_file, "settings")?;
        let sentences = self.text(arguments.sentences_text, arguments.sentences_file, "sentences")?;
        for (key, given) in [("domain", &arguments.domain), ("problem", &arguments.problem)] {
            is_name(key, given.as_deref().unwrap_or_default())?;
        }
        let name = match (arguments.domain, domain_text) {
            (Some(_), Some(_)) => {
                let message =
                    "a bundled `domain` and a text or file of a domain are both given: give one of them";
                return Err(Refusal::new(Reason::Request, message));
            }
            (None, None) => {
                let message = "give a bundled `domain`, or `domain_text` and `problem_text`, or `domain_file` and `problem_file`";
                return Err(Refusal::new(Reason::Request, message));
            }
            (None, Some(domain)) => ProblemName::Texts {
                texts: Texts {
                    domain,
                    problem: problem_text.unwrap_or_default(),
                    settings: settings.unwrap_or_default(),
                },
            },
            (Some(_), None) if problem_text.is_some() || settings.is_some() => {
                let message = "a bundled domain has its own problems and settings: name one with `problem`";
                return Err(Refusal::new(Reason::Request, message));
            }
            (Some(domain), None) => {
                let first = self.first_problem(&domain)?;
                ProblemName::Bundled {
                    problem: arguments.problem.unwrap_or(first),
                    domain,
                }
            }
        };
        Ok((name, sentences))
    }

    /// Returns the name of a domain's first problem. A domain under edit has those of the domain that is edited.
    fn first_problem(&self, domain: &str) -> Result<String, Refusal> {
        let name = domain.split('@').next().unwrap_or(domain);
        if ["pddlworld", "pddlworld/light-switch"].contains(&name) {
            return Ok("light-switch".to_owned());
        }
        let domain = name.strip_prefix("pddlworld/").unwrap_or(domain);
        let mut problems = self.bundled_domain(domain)?.problems.into_iter();
        problems
            .next()
            .ok_or_else(|| Refusal::new(Reason::Unknown, format!("{domain:?} has no problems")))
    }

    fn check(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        let (problem, _) = self.problem(arguments)?;
        let texts = match self.ask(&Request::Texts { problem })? {
            Reply::Texts { texts, .. } => texts,
            _ => return Err(Refusal::new(Reason::Unknown, "the problem has no texts")),
        };
        let is_alone = texts.problem.trim().is_empty();
        let reply = self.ask(&Request::Check { texts })?;
        let Reply::Check {
            findings, mut errors, ..
        } = reply
        else {
            return Err(Refusal::new(Reason::Unknown, "the texts cannot be checked"));
        };
        // A domain alone lacks a problem; that is no fault.
        let lacks_problem = |one: &Finding| {
            is_alone && (one.text == "problem" || one.code == "E1009" && one.message.contains("instance"))
        };
        let is_none = |one: &&Finding| one.severity == "error" && lacks_problem(one);
        errors -= findings.iter().filter(is_none).count();
        let findings: Vec<_> = findings
            .iter()
            .filter(|one| one.severity != "hint" && !lacks_problem(one))
            .collect();
        let lines: Vec<_> = findings.iter().map(|one| finding_line(one)).collect();
        let text = if lines.is_empty() {
            "The texts have no faults.".to_owned()
        } else {
            lines.join("\n")
        };
        Ok(ToolAnswer::new(
            text,
            json!({"errors": errors, "findings": findings}),
        ))
    }

    fn open(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        let seed = arguments.seed;
        let (problem, sentences) = self.problem(arguments)?;
        if let ProblemName::Texts { texts } = &problem
            && texts.problem.trim().is_empty()
            && !(Language::of(&texts.domain) == Language::Rddl && texts.domain.contains("instance"))
        {
            let message =
                "give the problem too, as `problem_text` or `problem_file`; `check` checks a domain alone";
            return Err(Refusal::new(Reason::Request, message));
        }
        self.shown(self.sessions.open(&problem, sentences.as_deref(), seed)?)
    }

    /// Shows a session that was just opened.
    fn shown(&self, id: SessionId) -> Result<ToolAnswer, Refusal> {
        let name = id.to_string();
        let mut answer = self.view(&name)?;
        answer.text = format!("Session {name}\n{}", answer.text);
        answer.data["session"] = Value::String(name);
        Ok(answer)
    }

    fn view(&self, session: &str) -> Result<ToolAnswer, Refusal> {
        let view = self.with(session, |session| Ok(session.view()))?;
        let goal = if view.goal_text.is_empty() {
            String::new()
        } else {
            format!("\nGoal:\n{}", view.goal_text)
        };
        let horizon = view
            .horizon
            .map(|most| format!(" of at most {most}"))
            .unwrap_or_default();
        let mut text = format!(
            "{}\nState after {}{horizon}:\n{}{goal}",
            view.title,
            counted(view.step, "step"),
            view.text
        );
        if view.language == Some(Language::Rddl) {
            text += &format!(
                "\nReward so far: {}. At most {} can be taken together. `texts` has the formula of the reward.",
                view.reward,
                counted(view.together, "action")
            );
        }
        Ok(ToolAnswer::new(text, data(&view)))
    }

    fn state(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        self.view(&arguments.session)
    }

    fn actions(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        let most = arguments.most.unwrap_or(100);
        let (actions, numbers, count, is_idle, status) = self.with(&arguments.session, |session| {
            let is_idle = session.language() == Language::Rddl && session.is_valid(&Vec::new());
            let (count, numbers) = (session.action_count(), session.number_actions(usize::MAX));
            Ok((session.actions(most), numbers, count, is_idle, session.status()))
        })?;
        let mut lines: Vec<_> = actions
            .iter()
            .map(|action| format!("{}. {}", action.number, action.text))
            .collect();
        lines.extend(numbers.iter().take(most).map(|one| format!("- {one}")));
        let listed = lines.len();
        lines.extend(is_idle.then(|| "- do nothing".to_owned()));
        let all = count + numbers.len();
        if listed < all {
            lines.push(format!("{} of {} listed", listed, counted(all, "action")));
        }
        if let Some(end) = status.end() {
            lines.push(format!("No action can be taken: {end}."));
        } else if lines.is_empty() {
            lines.push("No action is valid here.".to_owned());
        }
        Ok(ToolAnswer::new(
            lines.join("\n"),
            json!({"actions": actions, "numbers": numbers.iter().take(most).collect::<Vec<_>>(), "count": all, "status": status}),
        ))
    }

    fn step(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        let step = self.with(&arguments.session, |session| session.step(&arguments.action))?;
        let status = data(&step.status);
        let status = status.as_str().unwrap_or_default();
        let text = format!("{}\nReward {}; status: {status}.", step.text, step.reward);
        Ok(ToolAnswer::new(text, data(&step)))
    }

    fn undo(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        let steps = arguments.steps.unwrap_or(1);
        let undone = self.with(&arguments.session, |session| session.undo(steps))?;
        Ok(ToolAnswer::new(
            format!("Undone steps: {undone}."),
            json!({"undone": undone}),
        ))
    }

    fn why_not(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        let why = self.with(&arguments.session, |session| session.why_not(&arguments.action))?;
        Ok(ToolAnswer::new(why.as_str(), json!({"text": why})))
    }

    fn plan(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        let plan = self.with(&arguments.session, |session| session.plan())?;
        let lines = std::iter::once(plan.text.clone()).chain(plan.sentences.iter().cloned());
        Ok(ToolAnswer::new(lines.collect::<Vec<_>>().join("\n"), data(&plan)))
    }

    fn validate(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        let check = self.with(&arguments.session, |session| session.validate(&arguments.plan))?;
        let text = match &check.fault {
            None => format!("The plan is valid: {}.", counted(check.steps, "step")),
            Some(fault) => format!("The plan is not valid: {fault}"),
        };
        Ok(ToolAnswer::new(text, data(&check)))
    }

    fn ground(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        let most = arguments.most.unwrap_or(50);
        let Internals { counts, sections } =
            self.with(&arguments.session, |session| Ok(session.grounding(most)))?;
        let mut lines: Vec<_> = counts
            .iter()
            .map(|(name, count)| format!("{name}: {count}"))
            .collect();
        for section in &sections {
            lines.push(format!("{} ({}):", section.title, section.count));
            lines.extend(section.lines.iter().cloned());
        }
        Ok(ToolAnswer::new(
            lines.join("\n"),
            json!({"counts": counts, "sections": sections}),
        ))
    }

    fn edit(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        let edits = (0..).zip(arguments.edits).map(|(at, edit)| {
            let edit = serde_json::from_value(edit);
            edit.map_err(|error| Refusal::new(Reason::Request, format!("`edits[{at}]`: {error}")))
        });
        let edits: Vec<Edit> = edits.collect::<Result<_, _>>()?;
        let (texts, table, title) = self.with(&arguments.session, |session| {
            let table = session.table().map(str::to_owned);
            Ok((session.edited(&edits)?, table, session.title()))
        })?;
        let (problem, seed) = (ProblemName::Texts { texts }, arguments.seed);
        // A bundled table may have sentences that another level of the domain lacks.
        let opened = self.sessions.open(&problem, table.as_deref(), seed);
        let mut answer = self.shown(opened.or_else(|_| self.sessions.open(&problem, None, seed))?)?;
        answer.text += &format!("\nThis is {title}, edited.");
        Ok(answer)
    }

    fn fork(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        self.shown(self.sessions.fork(arguments.session.parse()?, arguments.seed)?)
    }

    fn draw(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        let ending = arguments.file.as_deref().map(|file| {
            let (_, ending) = file.rsplit_once('.').unwrap_or_default();
            ending.to_ascii_lowercase()
        });
        if ending
            .as_deref()
            .is_some_and(|ending| !["png", "svg"].contains(&ending))
        {
            let message = "`file` is no picture: name a file that ends in .svg or .png";
            return Err(Refusal::new(Reason::Request, message));
        }
        let (drawn, pixels) = self.with(&arguments.session, |session| {
            let is_png = ending.as_deref() == Some("png");
            let pixels = if is_png { session.draw_png()? } else { None };
            Ok((session.draw()?, pixels))
        })?;
        let drawn = drawn.ok_or_else(|| Refusal::new(Reason::Limit, "the state is too large to be drawn"))?;
        let size = json!({"width": drawn.width, "height": drawn.height});
        let Some(file) = arguments.file else {
            return Ok(ToolAnswer::new(drawn.svg, size));
        };
        let text = format!("Wrote {file}.");
        self.folders
            .write(&[(file, pixels.unwrap_or_else(|| drawn.svg.into_bytes()))])?;
        Ok(ToolAnswer::new(text, size))
    }

    fn texts(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        let texts = self.with(&arguments.session, |session| session.texts())?;
        Ok(ToolAnswer::new(
            format!("{}\n{}", texts.domain, texts.problem),
            data(&texts),
        ))
    }

    fn save(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        let texts = self.with(&arguments.session, |session| session.texts())?;
        let files = [
            (arguments.domain_file, texts.domain),
            (arguments.problem_file, texts.problem),
        ];
        let files = files
            .into_iter()
            .filter_map(|(file, text)| Some((file?, text.into_bytes())));
        let files: Vec<_> = files.collect();
        if files.is_empty() {
            let message = "give `domain_file`, `problem_file` or both";
            return Err(Refusal::new(Reason::Request, message));
        }
        self.folders.write(&files)?;
        let written: Vec<_> = files.into_iter().map(|(file, _)| file).collect();
        Ok(ToolAnswer::new(
            format!("Wrote {}.", written.join(" and ")),
            json!({"files": written}),
        ))
    }

    fn close(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        let closed = self.sessions.close(arguments.session.parse()?);
        let text = if closed {
            "The session is closed."
        } else {
            "There was no such session."
        };
        Ok(ToolAnswer::new(text, json!({"closed": closed})))
    }
}

/// Fails if the name of a bundled domain or problem is a text or a file.
fn is_name(key: &str, given: &str) -> Result<(), Refusal> {
    let what = if given.contains(['(', '{', '\n']) {
        "text"
    } else if [".pddl", ".ppddl", ".rddl"]
        .iter()
        .any(|ending| given.ends_with(ending))
    {
        "file"
    } else {
        return Ok(());
    };
    let message =
        format!("`{key}` is the name of a bundled {key}, and this is a {what}: give it as `{key}_{what}`");
    Err(Refusal::new(Reason::Request, message))
}

/// Returns the name that has the longest beginning in common with `name`, after `rddl/`: at least three letters and half of
/// `name`.
fn begins_alike<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let own = |name: &str| name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    let given = own(name);
    let common = |other: &str| {
        let pairs = given.bytes().zip(own(other).into_bytes());
        pairs.take_while(|(one, other)| one == other).count()
    };
    let alike = names.map(|other| (common(other), other));
    let alike = alike.filter(|(count, _)| *count >= 3.max(given.len().div_ceil(2)));
    // The first of the longest.
    alike
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, name)| name)
}

/// Removes the fence of a block of code around a text. Its lines keep their numbers.
fn unfenced(text: String) -> String {
    let Some((before, after)) = text
        .split_once("```")
        .filter(|(before, _)| before.trim().is_empty())
    else {
        return text;
    };
    let body = after.split_once('\n').map_or("", |(_, body)| body).trim_end();
    format!("{before}\n{}", body.strip_suffix("```").unwrap_or(body))
}

fn finding_line(finding: &Finding) -> String {
    let [line, column, ..] = finding.place;
    let help = if finding.help.is_empty() {
        String::new()
    } else {
        format!(" ({})", finding.help)
    };
    let (text, severity, code, message) = (&finding.text, &finding.severity, &finding.code, &finding.message);
    format!("{text}:{line}:{column}: {severity}[{code}]: {message}{help}")
}

fn refused(refusal: &Refusal) -> ToolAnswer {
    let lines = std::iter::once(refusal.message.clone()).chain(refusal.findings.iter().map(finding_line));
    ToolAnswer {
        text: lines.collect::<Vec<_>>().join("\n"),
        data: data(refusal),
        is_refused: true,
    }
}
