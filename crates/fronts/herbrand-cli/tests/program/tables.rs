//! Commands by tables: the exit status and what is printed; and errors as JSON.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

use serde_json::Value;

use crate::run::{Run, Scratch};

/// A folder with the files of the pages.
fn folder() -> Scratch {
    let scratch = Scratch::new();
    let files = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pages/files");
    scratch.shell(&format!("cp -r {files}/* .")).ends(0, "");
    scratch
}

/// A row: the exit status, the command, and parts of what is printed.
struct Row<'t> {
    status: i32,
    command: String,
    parts: Vec<&'t str>,
}

/// Reads the rows of a table. `tests/tables/ends.txt` describes them.
fn rows(table: &str) -> Vec<Row<'_>> {
    let mut rows = Vec::<Row<'_>>::new();
    for line in table
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with(';'))
    {
        let (head, parts) = line.split_once(" → ").unwrap_or((line, ""));
        let parts = parts.split(" … ").filter(|part| !part.is_empty());
        if let Some(row) = rows.last_mut().filter(|_| head.trim().is_empty()) {
            row.parts.extend(parts);
            continue;
        }
        let (status, words) = head.split_once(' ').expect("a status");
        rows.push(Row {
            status: status.parse().expect("a number"),
            command: words
                .strip_prefix("$ ")
                .map_or_else(|| format!("herbrand {words}"), str::to_owned),
            parts: parts.collect(),
        });
    }
    rows
}

/// Runs the commands of a table in a folder, and returns what they do not do. Both outputs are one, and a pipe ends like its last
/// command that failed.
fn faults(table: &str) -> Vec<String> {
    let scratch = folder();
    let fault = |row: Row<'_>| {
        let run = scratch.shell(&format!("exec 2>&1; set -o pipefail; {}", row.command));
        let mut rest = run.stdout.as_str();
        let missing = row.parts.into_iter().find(|part| {
            let found = rest.split_once(part);
            found.map(|(_, behind)| rest = behind).is_none()
        });
        let is_so = run.status == row.status && missing.is_none();
        let told = format!(
            "{}\nstatus {}, without {missing:?}\n{}",
            row.command, run.status, run.stdout
        );
        (!is_so).then_some(told)
    };
    rows(table).into_iter().filter_map(fault).collect()
}

#[test]
fn commands_do_what_the_tables_say() {
    let tables = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tables")).expect("the tables");
    let tables: Vec<_> = tables.map(|entry| entry.expect("a table").path()).collect();
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(path) = tables.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let faults = faults(&fs::read_to_string(path).expect("a table"));
                    all.lock().expect("nobody panics").extend(faults);
                }
            });
        }
    });
    let all = all.into_inner().expect("nobody panics");
    assert!(all.is_empty(), "{} faults\n{}", all.len(), all.join("\n"));
}

/// The errors of a table as JSON, unless they come with other results.
#[test]
fn errors_of_the_table_are_json() {
    let scratch = folder();
    let mut count = 0;
    for Row { status, command, .. } in rows(include_str!("../tables/ends.txt")) {
        if !command.starts_with("herbrand") {
            scratch.shell(&command).ends(status, "");
        } else if status == 2 {
            let run = scratch.shell(&format!("{command} --format json"));
            if run.stdout.starts_with("{\n  \"error\"") {
                assert_eq!(error(&run)["status"], status, "{command}");
                count += 1;
            }
        }
    }
    assert!(count > 150, "{count}");
}

/// The only value of standard output: the error of a run.
fn error(run: &Run) -> Value {
    assert!(!run.stderr.contains("error"), "{}", run.told());
    let error = run.json()["error"].clone();
    assert_eq!(error["status"], run.status, "{error}");
    assert!(
        error["message"]
            .as_str()
            .is_some_and(|message| !message.is_empty()),
        "{error}"
    );
    error
}

/// Each command with the words for a problem in `PROBLEM`.
const ON_A_PROBLEM: [&str; 11] = [
    "bench domain.pddl PROBLEM",
    "ground domain.pddl PROBLEM",
    "plan domain.pddl PROBLEM",
    "plan domain.pddl PROBLEM --planner uct",
    "record domain.pddl PROBLEM",
    "render domain.pddl PROBLEM --out picture.svg",
    "rollout domain.pddl PROBLEM",
    "show domain.pddl PROBLEM",
    "space domain.pddl PROBLEM",
    "translate domain.pddl PROBLEM",
    "validate domain.pddl PROBLEM short.plan",
];

#[test]
fn every_error_is_json_if_json_is_asked_for() {
    let scratch = folder();
    let broken =
        "sed 's/goal (and (on a)/goal (and (of a)/' p.pddl > broken.pddl && echo '(turn-off b)' > short.plan";
    scratch.shell(&format!("cp lamps/* . && {broken}")).ends(0, "");
    scratch.write("walk.jsonl", "{\"domain\": \"nowhere\", \"problem\": \"01\"}\n");
    for line in ON_A_PROBLEM {
        let run = |problem: &str| {
            error(&scratch.run(&format!("{} --format json", line.replace("PROBLEM", problem))))
        };
        let faulty = run("broken.pddl");
        let fault = &faulty["faults"][0];
        let told = [
            &faulty["kind"],
            &fault["code"],
            &fault["severity"],
            &fault["file"],
        ];
        let expected = ["input", "E0101", "error", "broken.pddl"].map(Value::from);
        assert_eq!(told, expected.each_ref(), "{line}");
        let missing = run("nowhere.pddl");
        assert_eq!(
            (&missing["kind"], &missing["faults"]),
            (&"input".into(), &Value::Array(vec![]))
        );
        assert_eq!(run("p.pddl --nonsense")["kind"], "input", "{line}");
        assert_eq!(run("p.pddl --memory 1kB")["kind"], "limit", "{line}");
    }
    let replayed = scratch.run("replay walk.jsonl --format json");
    assert_eq!((replayed.status, replayed.stderr.as_str()), (2, ""));
    assert_eq!(replayed.json()["errors"][0]["error"]["kind"], "input");
    #[cfg(unix)]
    {
        let ground = "herbrand ground domain.pddl p.pddl --out task.json --format json";
        let full = scratch.shell(&format!("trap '' XFSZ; ulimit -f 0; {ground}"));
        assert_eq!(error(&full)["kind"], "system");
    }
    // Each of several problems has its own limit of CPU time.
    let line = "plan logistics test/10 test/01 --planner astar-blind --cpu-time 1 --format json";
    let several = scratch.run(line).json();
    let outcomes = [&several[0]["outcome"], &several[1]["outcome"]];
    assert_eq!(outcomes, ["out-of-time", "plan"], "{several}");
}
