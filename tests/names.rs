//! Checks that no two public types of the libraries have one name, except where each of two languages has its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use cargo_metadata::MetadataCommand;

/// The names that several crates share, each list with the reason.
const SHARED: &[(&str, &str)] = &[
    (
        "both PDDL and RDDL have them, by the words of their grammars",
        "Domain Expression Formula Name Object Type Variable",
    ),
    (
        "reading, compiling, stepping and replaying have one form, for each of the two languages",
        "CompileError Difference Document Replayer Shape StepError TraceError UncheckedDomain",
    ),
    (
        "each language lists its own codes, and the trait is of them all",
        "Code",
    ),
    (
        "a Datalog program has its own, which stand for no object of a problem",
        "Atom Literal Term Variable",
    ),
    (
        "crates beside each other, of which nobody imports two",
        "Draws Finding GroundAction Grounded Language Operator Question Style Verdict Zone",
    ),
    (
        "the literature on finite-domain tasks (SAS+) has these words, and so does the file format",
        "Axiom Effect Fact Variable",
    ),
];

/// The crates whose types nobody imports: programs, bindings named as in Python, and re-exports.
const WITHOUT_TYPES: [&str; 4] = ["herbrand", "herbrand-cli", "herbrand-python", "herbrand-wasm"];

/// The public types of one crate.
#[derive(Default)]
struct Types {
    /// The types that are declared, each with whether all modules around it are public.
    declared: Vec<(String, bool)>,
    /// All words of the re-exports in public modules.
    exported: BTreeSet<String>,
}

impl Types {
    /// Reads the module in a file whose submodules lie in `folder`.
    fn read(&mut self, file: &Path, folder: &Path, is_public: bool) {
        let text = fs::read_to_string(file).expect("the module has a file");
        let mut is_export = false;
        for line in text.lines() {
            let code = line.trim_start();
            if is_export || code.starts_with("pub use ") {
                let exported = words(code).filter(|_| is_public);
                self.exported.extend(exported.map(str::to_owned));
                is_export = !code.contains(';');
            } else if let Some((module, public)) = module(code) {
                let inner = folder.join(module);
                let files = [folder.join(format!("{module}.rs")), inner.join("mod.rs")];
                if let Some(file) = files.iter().find(|file| file.exists()) {
                    let public = public || text.contains(&format!("\npub use {module}::*;"));
                    self.read(file, &inner, is_public && public);
                }
            } else if let Some(name) = declared(code) {
                self.declared.push((name.to_owned(), is_public));
            }
        }
    }

    fn public(self) -> BTreeSet<String> {
        let Self { declared, exported } = self;
        let public = |(name, public): (String, bool)| (public || exported.contains(&name)).then_some(name);
        declared.into_iter().filter_map(public).collect()
    }
}

/// Returns the name of a module that a line declares without a body, and whether it is public.
fn module(code: &str) -> Option<(&str, bool)> {
    let (visibility, name) = code.strip_suffix(';')?.split_once("mod ")?;
    let is_known = ["", "pub ", "pub(crate) ", "pub(super) "].contains(&visibility);
    is_known.then_some((name, visibility == "pub "))
}

/// Returns the name of the public type or trait that a line declares.
fn declared(code: &str) -> Option<&str> {
    let rest = code.strip_prefix("pub ")?;
    let kinds = ["struct ", "enum ", "union ", "trait "];
    let rest = kinds.iter().find_map(|kind| rest.strip_prefix(kind))?;
    words(rest).next().filter(|name| !name.is_empty())
}

/// Splits a line at all signs that no name has.
fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|sign: char| !(sign.is_alphanumeric() || sign == '_'))
}

#[test]
fn no_two_public_types_have_one_name() {
    let metadata = MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo knows the workspace");
    let mut homes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in metadata.packages {
        let folder = package.manifest_path.with_file_name("src");
        let root = folder.join("lib.rs");
        if WITHOUT_TYPES.contains(&package.name.as_str()) || !root.exists() {
            continue;
        }
        let mut types = Types::default();
        types.read(root.as_std_path(), folder.as_std_path(), true);
        for name in types.public() {
            homes.entry(name).or_default().push(package.name.to_string());
        }
    }
    assert_eq!(homes["System"], ["herbrand-core"]);
    assert!(homes.len() > 700, "only {} types are found", homes.len());
    let shared: BTreeSet<_> = SHARED.iter().flat_map(|(_, names)| names.split(' ')).collect();
    homes.retain(|_, crates| crates.len() > 1);
    let needless: Vec<_> = shared.iter().filter(|name| !homes.contains_key(**name)).collect();
    homes.retain(|name, _| !shared.contains(name.as_str()));
    assert!(homes.is_empty(), "several types have one name: {homes:#?}");
    assert!(
        needless.is_empty(),
        "only one crate has {needless:?}: no exception is needed"
    );
}
