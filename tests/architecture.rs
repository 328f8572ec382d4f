//! Checks the dependencies between crates, and the crates that may use certain libraries.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, MetadataCommand, Package};

/// The crates in each folder of `crates`.
const WINGS: &[(&str, &str)] = &[
    ("base", "core datalog limits render text"),
    ("floor", "assist collections tasks"),
    ("fronts", "cli lsp mcp play python serve wasm"),
    ("labs", "exam explore gridworld learn oracle pddlworld verbalize"),
    (
        "pddl",
        "ascent codegen edit env generate gpu ground pddl plan sas step",
    ),
    ("rddl", "dataflow distributions rddl rddl-plan rddl-sim"),
];

/// The crates in dependency order: each may depend on earlier ones only.
const ORDER: &[&str] = &[
    "herbrand-limits",
    "herbrand-domains",
    "herbrand-text",
    "herbrand-core",
    "herbrand-render",
    "herbrand-pddl",
    "herbrand-edit",
    "herbrand-pddlworld",
    "herbrand-datalog",
    "herbrand-distributions",
    "herbrand-dataflow",
    "herbrand-rddl",
    "herbrand-rddl-sim",
    "herbrand-rddl-plan",
    "herbrand-ground",
    "herbrand-codegen",
    "herbrand-ascent",
    "herbrand-step",
    "herbrand-gpu",
    "herbrand-sas",
    "herbrand-plan",
    "herbrand-env",
    "herbrand-collections",
    "herbrand-generate",
    "herbrand-explore",
    "herbrand-learn",
    "herbrand-verbalize",
    "herbrand-assist",
    "herbrand-oracle",
    "herbrand-tasks",
    "herbrand-exam",
    "herbrand-play",
    "herbrand-mcp",
    "herbrand-serve",
    "herbrand-lsp",
    "herbrand-wasm",
    "herbrand",
    "herbrand-cli",
    "herbrand-gridworld",
    "herbrand-python",
];

fn workspace() -> Vec<Package> {
    let metadata = MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo knows the workspace");
    metadata.packages
}

fn dependencies(package: &Package) -> impl Iterator<Item = &str> {
    package
        .dependencies
        .iter()
        .filter(|d| d.kind == DependencyKind::Normal)
        .map(|d| d.name.as_str())
}

#[test]
fn dependencies_run_one_way() {
    let packages = workspace();
    for package in &packages {
        let Some(level) = ORDER.iter().position(|name| *name == package.name.as_str()) else {
            continue;
        };
        for dependency in dependencies(package).filter(|name| name.starts_with("herbrand")) {
            let below = ORDER.iter().position(|name| *name == dependency);
            assert!(
                below.is_some_and(|below| below < level),
                "{} depends on {dependency}",
                package.name
            );
        }
    }
    for &name in ORDER {
        assert!(
            packages.iter().any(|package| package.name.as_str() == name),
            "{name} is in the workspace"
        );
    }
}

#[test]
fn crates_lie_in_their_wings() {
    for package in workspace() {
        let folder = package.manifest_path.parent().expect("a manifest has a folder");
        let wing = folder.parent().and_then(|wing| wing.file_name());
        let name = package.name.strip_prefix("herbrand-").unwrap_or_default();
        let expected = WINGS
            .iter()
            .find(|(_, names)| names.split(' ').any(|other| other == name))
            .map(|(wing, _)| *wing);
        if let Some(expected) = expected {
            assert_eq!(wing, Some(expected), "the folder of {}", package.name);
            assert_eq!(folder.file_name(), Some(package.name.as_str()));
        } else {
            assert!(matches!(name, "" | "domains"), "{} is in no wing", package.name);
        }
    }
}

#[test]
fn special_libraries_stay_where_they_belong() {
    let homes: [(&str, &[&str]); 8] = [
        ("ascent", &["herbrand-datalog"]),
        ("logos", &["herbrand-pddl", "herbrand-rddl"]),
        ("clap", &["herbrand-cli"]),
        ("cudarc", &["herbrand-gpu"]),
        ("pyo3", &["herbrand-python"]),
        ("syn", &["herbrand-ascent"]),
        ("tokio", &["herbrand-mcp", "herbrand-serve"]),
        ("ureq", &["herbrand-collections", "herbrand-explore"]),
    ];
    for (library, homes) in homes {
        let users: Vec<_> = workspace()
            .into_iter()
            .filter(|package| dependencies(package).any(|name| name == library))
            .map(|package| package.name.to_string())
            .collect();
        assert_eq!(users, homes, "users of {library}");
    }
}

#[test]
fn the_ascent_program_is_shown_as_it_is() {
    let read = |path: &str| {
        let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("the file is there")
    };
    let code = read("crates/base/herbrand-datalog/src/eval/ascent/mod.rs");
    let after = code.split_once("ascent_run! {\n").expect("the program begins").1;
    let (program, _) = after.split_once("\n        };\n").expect("the program ends");
    let program: Vec<_> = program
        .lines()
        .map(|line| line.strip_prefix("            ").unwrap_or(line))
        .collect();
    let page = read("docs/notes/design-datalog.md");
    assert!(
        page.contains(&format!("```rust\n{}\n```", program.join("\n"))),
        "design-datalog.md shows another program"
    );
}

#[test]
fn the_facade_names_every_part_once() {
    let read = |path: &str| {
        let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("the file is there")
    };
    let facade = read("crates/fronts/herbrand/src/lib.rs");
    let rddl = read("crates/fronts/herbrand/src/rddl.rs");
    let parts = |text: &str| -> Vec<(String, String)> {
        text.lines()
            .filter_map(|line| line.strip_prefix("pub use herbrand_")?.strip_suffix(';'))
            .filter_map(|line| line.split_once(" as ").or_else(|| line.split_once("::*")))
            .map(|(library, module)| (library.replace('_', "-"), module.to_owned()))
            .collect()
    };
    let packages = workspace();
    let check = |library: &str, path: &str| {
        let name = format!("herbrand-{library}");
        let package = packages.iter().find(|package| package.name.as_str() == name);
        let manifest = &package.expect("the crate is in the workspace").manifest_path;
        let page = std::fs::read_to_string(manifest.with_file_name("src/lib.rs")).expect("the file is there");
        let line = page
            .lines()
            .find(|line| line.starts_with("//! The crate `herbrand` re-exports"));
        assert!(
            line.is_some_and(|line| line.contains(&format!("`herbrand::{path}`"))),
            "the crate docs of herbrand-{library} do not say what it is called in herbrand"
        );
    };
    for (library, module) in parts(&facade) {
        check(&library, &module);
    }
    for (library, module) in parts(&rddl) {
        let path = if module.is_empty() {
            String::from("rddl")
        } else {
            format!("rddl::{module}")
        };
        check(&library, &path);
    }
    let mut modules: Vec<_> = parts(&facade).into_iter().map(|(_, module)| module).collect();
    modules.extend(
        facade
            .lines()
            .filter_map(|line| Some(line.strip_prefix("pub mod ")?.strip_suffix(';')?.to_owned())),
    );
    let mut listed: Vec<_> = facade
        .lines()
        .filter_map(|line| line.strip_prefix("//! - [`")?.split('`').next())
        .collect();
    // The list of parts names the feature that a part needs.
    let lines: Vec<_> = facade.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        let feature = line
            .strip_prefix("#[cfg(feature = \"")
            .and_then(|rest| rest.strip_suffix("\")]"));
        let item = lines[index + 1..].iter().find(|line| line.starts_with("pub "));
        let Some((feature, item)) = feature.zip(item) else {
            continue;
        };
        let Some(module) = item.strip_prefix("pub mod ").or_else(|| {
            item.strip_prefix("pub use herbrand_")?
                .split_once(" as ")
                .map(|(_, module)| module)
        }) else {
            continue;
        };
        let listed_as = format!("//! - [`{}`]", module.trim_end_matches(';'));
        assert!(
            lines
                .iter()
                .any(|line| line.starts_with(&listed_as) && line.contains(&format!("(feature `{feature}`)"))),
            "the list of parts does not say that `{listed_as}` needs the feature `{feature}`"
        );
    }
    modules.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, modules, "parts in the docs and re-exports");
}

#[test]
fn examples_on_pages_need_no_other_crate_of_the_project() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = 0;
    for file in ["lib.rs", "rddl.rs"] {
        let file = root.join("crates/fronts/herbrand/src").join(file);
        let text = std::fs::read_to_string(file).expect("the file is there");
        for page in text.split("include_str!(\"../../../../").skip(1) {
            let page = page.split('"').next().unwrap_or_default();
            let text = std::fs::read_to_string(root.join(page)).expect("the page is there");
            // Every second part is an example.
            for example in text.split("```").skip(1).step_by(2) {
                let foreign = example.starts_with("rust") && example.contains("herbrand_");
                assert!(!foreign, "{page}: use the modules of `herbrand` in\n{example}");
            }
            pages += 1;
        }
    }
    assert!(pages > 5);
}

/// The features of the crate `herbrand` are the same in its manifest, on its page and in the table of the interfaces.
#[test]
fn every_feature_is_listed() {
    let metadata = MetadataCommand::new().no_deps().exec().expect("metadata");
    let mut packages = metadata.packages.iter();
    let features = &packages
        .find(|one| one.name == "herbrand")
        .expect("the crate")
        .features;
    let defaults: BTreeSet<&str> = features["default"].iter().map(String::as_str).collect();
    let all: BTreeSet<&str> = features
        .keys()
        .map(String::as_str)
        .filter(|&one| one != "default")
        .collect();

    let page = include_str!("../crates/fronts/herbrand/src/lib.rs");
    let (_, parts) = page
        .split_once("//! With features of the default:")
        .expect("a list");
    let (of_default, others) = parts.split_once("//! With additional features:").expect("a list");
    let of_parts = |list: &'static str| between(list, "(feature `", "`)").collect::<BTreeSet<_>>();
    assert_eq!(of_parts(of_default), defaults);
    let (parts, extending) = others.split_once("features extend parts:").expect("a list");
    let listed = defaults.iter().copied().chain(of_parts(parts));
    let listed: BTreeSet<_> = listed.chain(between(extending, "//! - `", "` adds ")).collect();
    assert_eq!(listed, all);

    let table = include_str!("../docs/reference/api.md");
    let rows: Vec<&str> = between(table, "\n| `", "` |").collect();
    assert_eq!(rows.iter().copied().collect::<BTreeSet<_>>(), all);
    assert_eq!(
        rows[..defaults.len()].iter().copied().collect::<BTreeSet<_>>(),
        defaults
    );
}

/// Returns whether code fails with a text: in a `Result`, or in a trait with a type for its error.
fn fails_with_text(code: &str) -> bool {
    let code: String = code.split_whitespace().collect();
    let code = code.replace("->", "").replace(",>", ">");
    let has_text = |arguments: &str| {
        let (mut depth, mut last) = (0, 0);
        for (at, sign) in arguments.char_indices() {
            match sign {
                '>' if depth == 0 => {
                    return last > 0 && arguments[last..at].rsplit("::").next() == Some("String");
                }
                '<' | '(' | '[' => depth += 1,
                '>' | ')' | ']' => depth -= 1,
                ',' if depth == 0 => last = at + 1,
                _ => {}
            }
        }
        false
    };
    let is_trait = ["typeErr=String;", "typeError=String;"]
        .iter()
        .any(|line| code.contains(line));
    is_trait || code.split("Result<").skip(1).any(has_text)
}

/// Returns the sources below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let below = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    paths.flat_map(below).collect()
}

/// A caller can tell errors apart only if they are no texts.
#[test]
fn no_function_fails_with_a_text() {
    for code in [
        "fn a(b: &str) -> Result<(u8, Vec<u8>), String> {",
        "x: Option<Result<u8, std::string::String>>,",
        "Result<\n    fn(u8) -> u8,\n    String,\n>",
        "type Err = String;",
    ] {
        assert!(fails_with_text(code), "{code}");
    }
    for code in [
        "Result<String, Fault>",
        "Result<(u8, String), Fault>",
        "io::Result<String>",
    ] {
        assert!(!fails_with_text(code), "{code}");
    }
    let folders = workspace()
        .into_iter()
        .map(|one| PathBuf::from(one.manifest_path).with_file_name("src"));
    let files = folders
        .filter(|folder| folder.is_dir())
        .flat_map(|folder| sources(&folder));
    let failing = files.filter(|file| fails_with_text(&fs::read_to_string(file).expect("a text")));
    assert_eq!(failing.collect::<Vec<_>>(), Vec::<PathBuf>::new());
}

/// Returns the texts between `before` and `after`.
fn between<'t>(text: &'t str, before: &'t str, after: &'t str) -> impl Iterator<Item = &'t str> {
    text.split(before)
        .skip(1)
        .filter_map(move |rest| Some(rest.split_once(after)?.0))
}
