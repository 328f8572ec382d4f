//! Access to the problems and recordings of the corpus.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use herbrand_oracle::rddl::{RddlOracle, Tables};
use herbrand_rddl::{Instance, PvariableId, PvariableKind, Range, Value};
use serde_json::Value as Json;

/// Returns the folder of the corpus, which is next to the checkout; `None` if it is missing.
pub fn corpus() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/corpus/rddl");
    if !folder.is_dir() {
        eprintln!("skipped: no corpus at {}", folder.display());
        return None;
    }
    Some(folder)
}

/// Returns all files whose names end with `end`, sorted. The environment variable `ONLY` restricts them to paths that
/// contain it.
pub fn files(end: &str) -> Vec<PathBuf> {
    let Some(corpus) = corpus() else { return Vec::new() };
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut found = Vec::new();
    for folder in fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()) {
        if folder.is_dir() {
            let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            let wanted = |path: &PathBuf| {
                let path = path.to_string_lossy();
                path.ends_with(end) && path.contains(&only)
            };
            found.extend(files.filter(wanted));
        }
    }
    found.sort();
    found
}

/// Parses the lines of a recording.
pub fn lines(path: &Path) -> Vec<Json> {
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Returns the interpreter of the problem named in the header of a recording.
pub fn oracle(path: &Path, header: &Json) -> RddlOracle {
    let folder = path.parent().unwrap();
    let file = |key: &str| folder.join(header[key].as_str().unwrap());
    RddlOracle::new(Instance::from_files([file("domain"), file("instance")]).unwrap())
}

/// The positions of ground fluents by name.
pub struct Ground {
    places: HashMap<String, (PvariableId, usize)>,
}

impl Ground {
    pub fn new(instance: &Instance) -> Self {
        let mut places = HashMap::new();
        for index in 0..instance.domain.pvariables.len() {
            let id = PvariableId::from_index(index);
            if instance.domain.pvariable(id).kind != PvariableKind::NonFluent {
                for number in 0..instance.count(id) {
                    places.insert(instance.ground_name(id, number), (id, number as usize));
                }
            }
        }
        Self { places }
    }

    pub fn find(&self, name: &str) -> (PvariableId, usize) {
        *self
            .places
            .get(name)
            .unwrap_or_else(|| panic!("no ground variable {name}"))
    }

    /// Returns the positions of the names in a list.
    pub fn places(&self, names: &Json) -> Vec<(PvariableId, usize)> {
        let names = names.as_array().map(Vec::as_slice).unwrap_or_default();
        names
            .iter()
            .map(|name| self.find(name.as_str().unwrap()))
            .collect()
    }

    /// Sets the fluents at the given positions.
    pub fn set(
        &self,
        instance: &Instance,
        tables: &mut Tables,
        places: &[(PvariableId, usize)],
        values: &Json,
    ) {
        let values = values.as_array().unwrap();
        assert_eq!(values.len(), places.len());
        for (&(id, row), json) in places.iter().zip(values) {
            tables[id.index()][row] = value(instance, instance.domain.pvariable(id).range, json);
        }
    }
}

/// Converts a recorded value.
pub fn value(instance: &Instance, range: Range, json: &Json) -> Value {
    let real = || match json.as_str() {
        Some("inf") => f64::INFINITY,
        Some("-inf") => f64::NEG_INFINITY,
        Some(_) => f64::NAN,
        None => json.as_f64().unwrap(),
    };
    match range {
        Range::Bool => Value::Bool(json.as_bool().unwrap_or_else(|| json.as_f64() == Some(1.0))),
        Range::Int => Value::Int(json.as_i64().unwrap_or_else(|| real() as i64)),
        Range::Real => Value::Real(real()),
        Range::Item(of) => Value::Item(instance.find_item(of, json.as_str().unwrap()).unwrap()),
    }
}

/// Returns whether two numbers agree within a tolerance, which is relative for numbers above 1.
pub fn close(a: f64, b: f64, tolerance: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= tolerance * a.abs().max(b.abs()).max(1.0)
}

/// Returns whether two values agree: reals within 1e-9, other values exactly.
pub fn agree(found: Value, recorded: Value) -> bool {
    match (found, recorded) {
        (Value::Real(a), Value::Real(b)) => close(a, b, 1e-9),
        _ => found == recorded,
    }
}
