//! The texts of the corpus that broke limits once.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use crate::commands::{Counts, of, run_all};
use crate::families::{Language, Texts};

/// Returns the problem file that belongs to a domain file.
fn problem_of(domain: &str) -> Option<String> {
    match domain {
        "typechain4000.d.pddl" => Some("typechain.p.pddl".to_owned()),
        _ if domain.ends_with(".d.pddl") => Some(domain.replace(".d.pddl", ".p.pddl")),
        // These files define domains named `d`; `beta.i.rddl` is an instance of `d`.
        _ if domain.ends_with(".rddl") && !domain.ends_with(".i.rddl") => Some("beta.i.rddl".to_owned()),
        _ => None,
    }
}

#[test]
fn texts_of_the_corpus_end_within_their_limits() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/corpus/hostile");
    let Ok(entries) = fs::read_dir(&folder) else {
        eprintln!("skipped: {} is not there", folder.display());
        return;
    };
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    let counts = Mutex::new(Counts::default());
    for name in &names {
        let Some(problem) = problem_of(name) else { continue };
        let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a text");
        let texts = Texts {
            domain: read(name),
            problem: read(&problem),
        };
        let language = if name.ends_with(".rddl") {
            Language::Rddl
        } else {
            Language::Pddl
        };
        let few = if language == Language::Rddl { 6 } else { 9 };
        run_all(name, &texts, &of(language)[..few], &counts);
    }
    counts.into_inner().expect("nobody panics").judge();
}
