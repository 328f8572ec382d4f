//! `bench --report`: the page, made with a fake Python that reports peers' measurements.

use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::run::Scratch;

/// Has three packages; one of them fails. The others report 500 steps per second.
const PYTHON: &str = "#!/bin/sh
cat > script
if [ \"$2\" = --list ]; then
    echo '{\"python\": \"3.99\", \"peers\": {\"pymimir\": \"1<b>&2\", \"pyRDDLGym\": \"2.7\", \"unified-planning\": \"1.3\"}}'
    exit
fi
echo \"$@\" >> arguments
if [ \"$2\" = unified-planning ]; then echo '{\"error\": \"it <fails>\"}'; exit; fi
echo '{\"error\": null, \"steps\": 1000, \"seconds\": 2.0, \"steps_per_s\": 500.0}'
";

fn page(scratch: &Scratch, arguments: &[&str]) -> String {
    let bench = [
        "bench",
        "hanoi",
        "rddl/elevators",
        "--seconds",
        "0.01",
        "--report",
        "page.html",
    ];
    let run = scratch.run(&[&bench[..], arguments].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout.contains("hanoi") && run.stdout.contains("elevators"),
        "{}",
        run.stdout
    );
    assert!(run.stderr.contains("page.html: 2 domains"), "{}", run.stderr);
    scratch.read("page.html")
}

/// The data that are embedded in a page.
fn data(page: &str) -> Value {
    let text = page
        .split("<pre id=\"data\">")
        .nth(1)
        .and_then(|rest| rest.split("</pre>").next());
    let text = text.expect("data").replace("&lt;", "<").replace("&gt;", ">");
    serde_json::from_str(&text.replace("&quot;", "\"").replace("&amp;", "&")).expect("JSON")
}

/// Checks that a page loads nothing else and closes all its tags.
fn stands_alone(page: &str) {
    for outside in [
        "http:", "https:", "src=", "href=", "url(", "@import", "<script", "<link", "<iframe",
    ] {
        assert!(!page.contains(outside), "{outside}");
    }
    for tag in [
        "html", "head", "body", "table", "tr", "td", "th", "svg", "text", "pre", "p", "style", "details",
        "div",
    ] {
        let opened = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
}

#[test]
fn a_page_has_all_figures_beside_those_of_what_is_installed() {
    let scratch = Scratch::new("report");
    scratch.write("python", PYTHON);
    let python = scratch.path().join("python");
    std::fs::set_permissions(&python, PermissionsExt::from_mode(0o755)).expect("a program");
    let page = page(
        &scratch,
        &["--python", python.to_str().expect("text"), "--limit", "7"],
    );
    stands_alone(&page);
    let data = data(&page);
    assert_eq!(data["herbrand"], env!("CARGO_PKG_VERSION"));
    assert_eq!(data["python"]["python"], "3.99");
    assert!(
        data["machine"]["threads"].as_u64() >= Some(1) && data["machine"]["memory_bytes"].as_u64() > Some(0)
    );
    let command = data["command"].as_str().expect("text");
    assert!(
        command.starts_with("herbrand bench hanoi rddl/elevators --seconds 0.01 --steps 10 "),
        "{command}"
    );
    assert_eq!(data["domains"].as_array().map(Vec::len), Some(2));
    let peers = data["peers"].as_array().expect("rows");
    let named: Vec<_> = peers
        .iter()
        .map(|row| (row["domain"].as_str(), row["peer"].as_str()))
        .collect();
    assert_eq!(
        named,
        [
            (Some("hanoi"), Some("pymimir")),
            (Some("hanoi"), Some("unified-planning")),
            (Some("rddl/elevators"), Some("pyRDDLGym")),
        ]
    );
    for row in peers {
        let own = row["steps_per_s"].as_f64().expect("a number");
        let ratio = row["ratio"].as_f64();
        let failed = row["peer"] == "unified-planning";
        assert_eq!(ratio, (!failed).then_some(own / 500.0), "{row}");
        assert_eq!(row["theirs"]["error"].is_null(), !failed);
    }
    // Texts from other packages are escaped.
    assert!(
        page.contains("1&lt;b&gt;&amp;2") && page.contains("it &lt;fails&gt;"),
        "{page}"
    );
    assert_eq!(page.matches("<svg").count(), 2);
    assert!(page.contains("prefers-color-scheme: dark") && page.contains("width=device-width"));
    let asked = scratch.read("arguments");
    let first = asked.lines().next().expect("a line");
    assert!(
        first.starts_with("- pymimir ") && first.ends_with("--steps 10 --seconds 0.01 --limit 7 --seed 0"),
        "{asked}"
    );
    assert!(
        first.contains("domain.pddl") && asked.contains("problem.rddl"),
        "{asked}"
    );
}

#[test]
fn a_page_without_python_has_our_figures() {
    let scratch = Scratch::new("report-alone");
    let page = page(&scratch, &["--python", "no-such-python"]);
    stands_alone(&page);
    let data = data(&page);
    assert!(data["python"].is_null() && data["peers"].as_array().is_some_and(Vec::is_empty));
    assert!(page.contains("This Python has no other package"));
    assert_eq!(page.matches("<svg").count(), 1);
}

#[test]
fn a_page_that_cannot_be_written_is_told() {
    let scratch = Scratch::new("report-nowhere");
    let run = scratch.run(&[
        "bench",
        "hanoi",
        "--seconds",
        "0.01",
        "--report",
        "no/such/page.html",
        "--python",
        "no-such-python",
    ]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("no/such/page.html"), "{}", run.stderr);
}
