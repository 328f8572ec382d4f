//! The names, descriptions and schemas of the tools.

use herbrand_play::{Reason, Refusal};
use herbrand_tasks::{TASKS, TaskSpec};
use herbrand_text::{did_you_mean, nearest};
use serde_json::{Map, Value, json};

use crate::arguments::Arguments;

/// A tool, as clients see it.
#[derive(Clone, Copy)]
pub struct Listing {
    pub name: &'static str,
    pub description: &'static str,
    /// Whether the tool changes neither a session nor a file.
    pub is_read_only: bool,
    parameters: &'static [Parameter],
}

pub struct Parameter {
    pub name: &'static str,
    kind: &'static str,
    description: &'static str,
    is_required: bool,
}

const fn required(name: &'static str, kind: &'static str, description: &'static str) -> Parameter {
    Parameter {
        name,
        kind,
        description,
        is_required: true,
    }
}

const fn optional(name: &'static str, kind: &'static str, description: &'static str) -> Parameter {
    Parameter {
        name,
        kind,
        description,
        is_required: false,
    }
}

pub const SESSION: Parameter = required(
    "session",
    "string",
    "the name of the session, as `open` returned it",
);
const ACTION: Parameter = required(
    "action",
    "string",
    "a sentence, the syntax of the language such as (stack a b), or a number of the list of `actions`; in RDDL, semicolons separate actions taken together",
);
const SEED: Parameter = optional("seed", "integer", "the seed of random draws; 0 by default");
pub const PROBLEM: &[Parameter] = &[
    optional(
        "domain",
        "string",
        "the name of a bundled domain, such as blocks or rddl/elevators; pddlworld/blocks is the game in which the agent edits \
         a domain until it behaves like blocks, and pddlworld/blocks@3 begins with three wrong literals",
    ),
    optional(
        "problem",
        "string",
        "the name of a problem of the bundled domain, such as train/01; the first by default",
    ),
    optional(
        "domain_text",
        "string",
        "the text of a domain in PDDL or RDDL, instead of a bundled one",
    ),
    optional("problem_text", "string", "the text of the problem or instance"),
    optional("settings_text", "string", "the text of the settings (env.toml)"),
    optional(
        "sentences_text",
        "string",
        "the text of the table of sentences (domain.text.toml)",
    ),
    optional(
        "domain_file",
        "string",
        "a file with the domain, in a folder of the server",
    ),
    optional("problem_file", "string", "a file with the problem"),
    optional("settings_file", "string", "a file with the settings"),
    optional("sentences_file", "string", "a file with the table of sentences"),
    SEED,
];

const EDITS: &str = "the edits, applied in order. One of each kind:
{\"edit\": \"add-fact\", \"fact\": \"(on a b)\"}
{\"edit\": \"delete-fact\", \"fact\": \"(on a b)\"}
{\"edit\": \"replace-fact\", \"fact\": \"(on a b)\", \"with\": \"(on b a)\"}
{\"edit\": \"add-object\", \"object\": \"c\", \"type\": \"block\"}
{\"edit\": \"rename-object\", \"object\": \"a\", \"to\": \"d\"}
{\"edit\": \"merge-object\", \"object\": \"a\", \"into\": \"b\"}
{\"edit\": \"delete-object\", \"object\": \"a\", \"cascade\": true}
{\"edit\": \"set-goal\", \"goal\": \"(and (on a b) (clear a))\"}
{\"edit\": \"add-literal\", \"schema\": \"stack\", \"part\": \"precondition\", \"literal\": \"(not (on ?x b))\"}
{\"edit\": \"delete-literal\", \"schema\": \"stack\", \"part\": \"effect\", \"literal\": \"(clear ?x)\"}";

const fn tool(
    name: &'static str,
    is_read_only: bool,
    description: &'static str,
    parameters: &'static [Parameter],
) -> Listing {
    Listing {
        name,
        description,
        is_read_only,
        parameters,
    }
}

/// The tools but those of tasks, in the order in which they are listed.
const TOOLS: &[Listing] = &[
    tool(
        "domains",
        true,
        "List the bundled planning domains, or the problems of one of them",
        &[optional(
            "domain",
            "string",
            "the name of a domain whose problems are listed",
        )],
    ),
    tool(
        "check",
        true,
        "Check the texts of a domain, alone or with a problem, and return all faults with their places",
        PROBLEM,
    ),
    tool(
        "open",
        false,
        "Open a problem as a session, and return the session's name with the initial state",
        PROBLEM,
    ),
    tool(
        "state",
        true,
        "Show the state of a session: sentences, facts, goal, rewards",
        &[SESSION],
    ),
    tool(
        "actions",
        true,
        "List the valid actions of the state, with numbers, sentences and syntax",
        &[
            SESSION,
            optional("most", "integer", "the maximum number of actions; 100 by default"),
        ],
    ),
    tool(
        "step",
        false,
        "Take a step, and return what changed",
        &[SESSION, ACTION],
    ),
    tool(
        "undo",
        false,
        "Undo the last steps",
        &[
            SESSION,
            optional("steps", "integer", "the number of steps; 1 by default"),
        ],
    ),
    tool(
        "why_not",
        true,
        "Explain why an action is not valid in the state",
        &[SESSION, ACTION],
    ),
    tool(
        "plan",
        true,
        "Find a plan from the state of a session to the goal; or, with `domain` in place of `session`, find a plan or a policy by \
         any planner",
        &[SESSION],
    ),
    tool(
        "validate",
        true,
        "Execute a plan from the initial state of a session, or of a problem with `domain` in place of `session`, and say whether it \
         reaches the goal or where it fails",
        &[
            SESSION,
            required(
                "plan",
                "string",
                "the plan: a step per line, each written as `step` accepts it",
            ),
        ],
    ),
    tool(
        "ground",
        true,
        "Explain the grounding of the problem: counts, actions, atoms that can change",
        &[
            SESSION,
            optional(
                "most",
                "integer",
                "the maximum number of lines per section; 50 by default",
            ),
        ],
    ),
    tool(
        "edit",
        false,
        "Apply typed edits to domain and problem in PDDL, and open the result as another session",
        &[SESSION, required("edits", "array", EDITS), SEED],
    ),
    tool(
        "fork",
        false,
        "Open another session of the same problem at its initial state",
        &[SESSION, SEED],
    ),
    tool(
        "draw",
        false,
        "Draw the state, as SVG or into a file",
        &[
            SESSION,
            optional(
                "file",
                "string",
                "a new file for the picture that ends in .svg or .png, in a folder of the server",
            ),
        ],
    ),
    tool(
        "texts",
        true,
        "Return the texts of the domain and the problem of a session",
        &[SESSION],
    ),
    tool(
        "save",
        false,
        "Write the texts of the domain and the problem of a session to new files, in a folder of the server",
        &[
            SESSION,
            optional("domain_file", "string", "a new file for the domain"),
            optional("problem_file", "string", "a new file for the problem"),
        ],
    ),
    tool("close", false, "Close a session", &[SESSION]),
];

impl Listing {
    /// Returns all tools, in the order in which they are listed: those of tasks without one here at the end.
    pub fn all() -> impl Iterator<Item = Self> {
        let is_new = |task: &&TaskSpec| TOOLS.iter().all(|tool| tool.name != task.name);
        let of_task = |task: &TaskSpec| tool(task.name, true, task.about, &[]);
        let tasks = TASKS.iter().filter(is_new).map(of_task);
        TOOLS.iter().copied().chain(tasks)
    }

    /// Returns a tool that takes a problem.
    pub const fn of_problem(name: &'static str) -> Self {
        tool(name, true, "", PROBLEM)
    }

    /// Returns the task that the tool answers for a problem that is not opened as a session.
    pub fn task(&self) -> Option<&'static TaskSpec> {
        let takes_session = self.parameters.first().is_none_or(|one| one.name == SESSION.name);
        TASKS.iter().find(|task| takes_session && task.name == self.name)
    }

    /// Reads the arguments of a call. The number of an action may be given as a number.
    pub fn read(&self, mut given: Map<String, Value>) -> Result<Arguments, Refusal> {
        let tool = self.name;
        let refuse = |message: String| Err(Refusal::new(Reason::Request, message));
        let names = || self.parameters.iter().map(|one| one.name);
        if let Some(other) = given.keys().find(|given| names().all(|name| name != *given)) {
            let shown: String = other.chars().take(80).collect();
            let meant = did_you_mean(nearest(&shown, names()));
            let known = names()
                .map(|name| format!("`{name}`"))
                .collect::<Vec<_>>()
                .join(", ");
            return refuse(format!("`{tool}` takes {known}, not `{shown}`{meant}"));
        }
        given.retain(|_, value| !value.is_null());
        for Parameter {
            name,
            kind,
            description,
            is_required,
        } in self.parameters
        {
            let Some(value) = given.get_mut(*name) else {
                if *is_required {
                    return refuse(format!("`{tool}` needs `{name}`: {description}"));
                }
                continue;
            };
            if *name == ACTION.name && value.is_u64() {
                *value = Value::String(value.to_string());
            }
            let (fits, expected) = match *kind {
                "integer" => (value.is_u64(), "a whole number"),
                "array" => (value.is_array(), "a list"),
                _ => (value.is_string(), "a text"),
            };
            if !fits {
                let shown: String = value.to_string().chars().take(80).collect();
                return refuse(format!(
                    "`{name}` of `{tool}` must be {expected}, not {shown}: {description}"
                ));
            }
        }
        serde_json::from_value(Value::Object(given))
            .map_err(|error| Refusal::new(Reason::Request, format!("invalid arguments: {error}")))
    }

    /// Returns the JSON schema of the arguments. With a task, they are those of a session, or a problem and options.
    pub fn schema(&self) -> Map<String, Value> {
        let mut properties: Map<_, _> = self.parameters.iter().map(Parameter::schema).collect();
        let mut required: Vec<_> = self.parameters.iter().filter(|one| one.is_required).collect();
        if let Some(task) = self.task() {
            let options = task.options.iter().filter(|option| option.is_harmless());
            properties.extend(PROBLEM.iter().map(Parameter::schema));
            properties.extend(options.map(|option| (option.keyword(), option.schema())));
            required.clear();
        }
        let required: Vec<_> = required.iter().map(|one| one.name).collect();
        let mut schema = Map::new();
        schema.insert("type".to_owned(), json!("object"));
        schema.insert("properties".to_owned(), Value::Object(properties));
        schema.insert("required".to_owned(), json!(required));
        schema.insert("additionalProperties".to_owned(), json!(false));
        schema
    }
}

impl Parameter {
    /// Returns the name with the JSON schema.
    fn schema(&self) -> (String, Value) {
        let mut schema = json!({"type": self.kind, "description": self.description});
        match self.kind {
            "integer" => schema["minimum"] = json!(0),
            "array" => schema["items"] = json!({"type": "object"}),
            _ => {}
        }
        (self.name.to_owned(), schema)
    }
}
