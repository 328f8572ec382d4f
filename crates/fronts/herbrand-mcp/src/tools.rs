//! Calls of tools, without the protocol.

use herbrand_limits::Budget;
use herbrand_play::{
    DomainEntry, Playground, ProblemName, Reason, Refusal, Reply, Request, Session, SessionId, SessionLimits,
    Sessions, Texts,
};
use herbrand_text::{counted, did_you_mean, nearest};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::arguments::{Domains, Draw, Edits, Fork, Listed, OfAction, OfSession, Plan, Problem, Save, Undo};
use crate::folders::Folders;
use crate::listing::TOOLS;

/// The tools with their sessions, for any number of threads. [`call`](Self::call) calls one of them.
pub struct Tools {
    sessions: Sessions,
    folders: Folders,
}

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
        let listing = TOOLS.iter().find(|listing| listing.name == name)?;
        let budget = Budget::new(self.sessions.limits().allowance.limits);
        let answer = budget
            .enclose(|| self.answer(name, arguments))?
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

    fn answer(&self, name: &str, arguments: Map<String, Value>) -> Option<Result<ToolAnswer, Refusal>> {
        Some(match name {
            "domains" => self.run(arguments, Self::domains),
            "check" => self.run(arguments, Self::check),
            "open" => self.run(arguments, Self::open),
            "state" => self.run(arguments, Self::state),
            "actions" => self.run(arguments, Self::actions),
            "step" => self.run(arguments, Self::step),
            "undo" => self.run(arguments, Self::undo),
            "why_not" => self.run(arguments, Self::why_not),
            "plan" => self.run(arguments, Self::plan),
            "validate" => self.run(arguments, Self::validate),
            "ground" => self.run(arguments, Self::ground),
            "edit" => self.run(arguments, Self::edit),
            "fork" => self.run(arguments, Self::fork),
            "draw" => self.run(arguments, Self::draw),
            "texts" => self.run(arguments, Self::texts),
            "save" => self.run(arguments, Self::save),
            "close" => self.run(arguments, Self::close),
            _ => return None,
        })
    }

    fn run<A: DeserializeOwned>(
        &self,
        arguments: Map<String, Value>,
        tool: impl FnOnce(&Self, A) -> Result<ToolAnswer, Refusal>,
    ) -> Result<ToolAnswer, Refusal> {
        let arguments = serde_json::from_value(Value::Object(arguments));
        tool(
            self,
            arguments
                .map_err(|error| Refusal::new(Reason::Request, format!("invalid arguments: {error}")))?,
        )
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

    fn domains(&self, arguments: Domains) -> Result<ToolAnswer, Refusal> {
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
        let meant = did_you_mean(nearest(name, domains.iter().map(|domain| &*domain.name)));
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
            (text, None) => Ok(text),
        }
    }

    /// Returns the problem that arguments name, and its table of sentences.
    fn named(&self, arguments: Problem) -> Result<(ProblemName, Option<String>), Refusal> {
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
            (Some(domain), None) => ProblemName::Bundled {
                problem: match arguments.problem {
                    Some(problem) => problem,
                    None => self.first_problem(&domain)?,
                },
                domain,
            },
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

    fn check(&self, arguments: Problem) -> Result<ToolAnswer, Refusal> {
        let (problem, _) = self.named(arguments)?;
        let texts = match self.ask(&Request::Texts { problem })? {
            Reply::Texts { texts, .. } => texts,
            _ => return Err(Refusal::new(Reason::Unknown, "the problem has no texts")),
        };
        let reply = self.ask(&Request::Check { texts })?;
        let Reply::Check { findings, errors, .. } = &reply else {
            return Err(Refusal::new(Reason::Unknown, "the texts cannot be checked"));
        };
        let findings: Vec<_> = findings.iter().filter(|one| one.severity != "hint").collect();
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

    fn open(&self, mut arguments: Problem) -> Result<ToolAnswer, Refusal> {
        let seed = arguments.seed.take().unwrap_or(0);
        let (problem, sentences) = self.named(arguments)?;
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
        let text = format!(
            "{}\nState after {}:\n{}{goal}",
            view.title,
            counted(view.step, "step"),
            view.text
        );
        Ok(ToolAnswer::new(text, data(&view)))
    }

    fn state(&self, arguments: OfSession) -> Result<ToolAnswer, Refusal> {
        self.view(&arguments.session)
    }

    fn actions(&self, arguments: Listed) -> Result<ToolAnswer, Refusal> {
        let most = arguments.most.unwrap_or(100);
        let actions = self.with(&arguments.session, |session| Ok(session.actions(most)))?;
        let lines: Vec<_> = actions
            .iter()
            .map(|action| format!("{}. {}", action.number, action.text))
            .collect();
        let text = if lines.is_empty() {
            "No action is valid here.".to_owned()
        } else {
            lines.join("\n")
        };
        Ok(ToolAnswer::new(text, json!({"actions": actions})))
    }

    fn step(&self, arguments: OfAction) -> Result<ToolAnswer, Refusal> {
        let step = self.with(&arguments.session, |session| session.step(&arguments.action))?;
        let status = data(&step.status);
        let status = status.as_str().unwrap_or_default();
        let text = format!("{}\nReward {}; status: {status}.", step.text, step.reward);
        Ok(ToolAnswer::new(text, data(&step)))
    }

    fn undo(&self, arguments: Undo) -> Result<ToolAnswer, Refusal> {
        let steps = arguments.steps.unwrap_or(1);
        let undone = self.with(&arguments.session, |session| session.undo(steps))?;
        Ok(ToolAnswer::new(
            format!("Undone steps: {undone}."),
            json!({"undone": undone}),
        ))
    }

    fn why_not(&self, arguments: OfAction) -> Result<ToolAnswer, Refusal> {
        let why = self.with(&arguments.session, |session| session.why_not(&arguments.action))?;
        Ok(ToolAnswer::new(why.as_str(), json!({"text": why})))
    }

    fn plan(&self, arguments: OfSession) -> Result<ToolAnswer, Refusal> {
        let plan = self.with(&arguments.session, |session| session.plan())?;
        let lines = std::iter::once(plan.text.clone()).chain(plan.sentences.iter().cloned());
        Ok(ToolAnswer::new(lines.collect::<Vec<_>>().join("\n"), data(&plan)))
    }

    fn validate(&self, arguments: Plan) -> Result<ToolAnswer, Refusal> {
        let check = self.with(&arguments.session, |session| session.validate(&arguments.plan))?;
        let text = match &check.fault {
            None => format!("The plan is valid: {}.", counted(check.steps, "step")),
            Some(fault) => format!("The plan is not valid: {fault}"),
        };
        Ok(ToolAnswer::new(text, data(&check)))
    }

    fn ground(&self, arguments: Listed) -> Result<ToolAnswer, Refusal> {
        let most = arguments.most.unwrap_or(50);
        let reply = self.with(&arguments.session, |session| Ok(session.grounding(most)))?;
        let Reply::Inside { counts, sections } = &reply else {
            return Err(Refusal::new(Reason::Unknown, "this language is not grounded"));
        };
        let mut lines: Vec<_> = counts
            .iter()
            .map(|(name, count)| format!("{name}: {count}"))
            .collect();
        for section in sections {
            lines.push(format!("{} ({}):", section.title, section.count));
            lines.extend(section.lines.iter().cloned());
        }
        Ok(ToolAnswer::new(
            lines.join("\n"),
            json!({"counts": counts, "sections": sections}),
        ))
    }

    fn edit(&self, arguments: Edits) -> Result<ToolAnswer, Refusal> {
        let texts = self.with(&arguments.session, |session| session.edited(&arguments.edits))?;
        let problem = ProblemName::Texts { texts };
        self.shown(self.sessions.open(&problem, None, arguments.seed.unwrap_or(0))?)
    }

    fn fork(&self, arguments: Fork) -> Result<ToolAnswer, Refusal> {
        self.shown(
            self.sessions
                .fork(arguments.session.parse()?, arguments.seed.unwrap_or(0))?,
        )
    }

    fn draw(&self, arguments: Draw) -> Result<ToolAnswer, Refusal> {
        let drawn = self.with(&arguments.session, |session| session.draw())?;
        let drawn = drawn.ok_or_else(|| Refusal::new(Reason::Limit, "the state is too large to be drawn"))?;
        let size = json!({"width": drawn.width, "height": drawn.height});
        match arguments.file {
            Some(file) => {
                self.folders.write(&file, &drawn.svg)?;
                Ok(ToolAnswer::new(format!("Wrote {file}."), size))
            }
            None => Ok(ToolAnswer::new(drawn.svg, size)),
        }
    }

    fn texts(&self, arguments: OfSession) -> Result<ToolAnswer, Refusal> {
        let texts = self.with(&arguments.session, |session| session.texts())?;
        Ok(ToolAnswer::new(
            format!("{}\n{}", texts.domain, texts.problem),
            data(&texts),
        ))
    }

    fn save(&self, arguments: Save) -> Result<ToolAnswer, Refusal> {
        let texts = self.with(&arguments.session, |session| session.texts())?;
        let files = [
            (arguments.domain_file, texts.domain),
            (arguments.problem_file, texts.problem),
        ];
        let mut written = Vec::new();
        for (file, text) in files {
            if let Some(file) = file {
                self.folders.write(&file, &text)?;
                written.push(file);
            }
        }
        if written.is_empty() {
            return Err(Refusal::new(
                Reason::Request,
                "give `domain_file`, `problem_file` or both",
            ));
        }
        Ok(ToolAnswer::new(
            format!("Wrote {}.", written.join(" and ")),
            json!({"files": written}),
        ))
    }

    fn close(&self, arguments: OfSession) -> Result<ToolAnswer, Refusal> {
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

fn finding_line(finding: &herbrand_play::Finding) -> String {
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
