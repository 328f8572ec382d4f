//! Loading of the reference data.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use herbrand_core::{Choice, FieldValue};
use herbrand_rddl::{Instance, Range};
use herbrand_rddl_sim::ground::compile;
use herbrand_rddl_sim::simulate::{CompiledInstance, FluentValue, GroundFluents};
use serde_json::Value;

/// Returns the folder of the reference data.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/corpus/rddl")
}

/// Returns the folders of all problems; `None`, with a message, if the data is missing.
pub fn folders() -> Option<Vec<PathBuf>> {
    let Ok(entries) = std::fs::read_dir(root()) else {
        eprintln!("skipped: the corpus is not at ../shared/corpus");
        return None;
    };
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    Some(folders)
}

/// Returns the files of a folder whose names have this ending.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    files.sort();
    files
}

/// Returns whether two numbers agree, with a relative tolerance above 1 and an absolute tolerance below.
pub fn close(found: f64, expected: f64, tolerance: f64) -> bool {
    found == expected
        || found.is_nan() && expected.is_nan()
        || expected.is_finite() && (found - expected).abs() <= tolerance * expected.abs().max(1.0)
}

/// Parses a number, or one of the words for numbers that JSON cannot represent.
pub fn real(value: &Value) -> f64 {
    match value.as_str() {
        Some("inf") => f64::INFINITY,
        Some("-inf") => f64::NEG_INFINITY,
        Some("nan") => f64::NAN,
        _ => value.as_f64().unwrap(),
    }
}

/// A compiled problem.
pub struct Problem {
    pub compiled: Arc<CompiledInstance>,
}

impl Problem {
    pub fn load(folder: &Path, instance: &str) -> Self {
        let paths = [folder.join("domain.rddl"), folder.join(instance)];
        let instance = Instance::from_files(&paths).or_else(|_| {
            // One instance names a domain other than the one next to it.
            let texts = paths.map(|path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned());
            Instance::from_text(
                &texts[0],
                &texts[1].replace("reservoir_control_dis;", "reservoir_control_cont;"),
            )
        });
        let instance = instance.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        Self {
            compiled: Arc::new(compile(&Arc::new(instance)).unwrap()),
        }
    }

    /// Parses a recorded value of a fluent.
    pub fn value(&self, fluents: &GroundFluents, at: usize, value: &Value) -> FluentValue {
        match self.compiled.range(fluents, at) {
            Range::Bool => FluentValue::Bool(value.as_bool().unwrap()),
            Range::Int => FluentValue::Int(value.as_i64().unwrap_or_else(|| value.as_f64().unwrap() as i64)),
            Range::Real => FluentValue::Real(real(value)),
            Range::Item(of) => {
                let item = self.compiled.instance.find_item(of, value.as_str().unwrap());
                FluentValue::Int(i64::from(item.unwrap()))
            }
        }
    }

    /// Parses a recorded joint action.
    pub fn joint(&self, action: &Value) -> Vec<Choice> {
        let fields = self.compiled.actions().fields();
        let choice = |(name, value): (&String, &Value)| {
            let field = fields.iter().position(|field| field.name == *name).unwrap();
            let discrete = matches!(
                self.compiled.range(&self.compiled.action, field),
                Range::Bool | Range::Item(_)
            );
            let value = match self.value(&self.compiled.action, field, value) {
                FluentValue::Bool(value) => FieldValue::Discrete(u32::from(value)),
                FluentValue::Int(value) if discrete => FieldValue::Discrete(value as u32),
                FluentValue::Int(value) => FieldValue::Int(value),
                FluentValue::Real(value) => FieldValue::Real(value),
            };
            Choice {
                field: field as u32,
                value,
            }
        };
        action.as_object().unwrap().iter().map(choice).collect()
    }
}
