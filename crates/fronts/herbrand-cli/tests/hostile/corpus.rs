//! The texts of the corpus that broke limits once.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use crate::commands::{Counts, of, run_all};
use crate::families::{Language, Texts};

/// Returns the problem file that belongs to a domain file, and the language.
fn problem_of(domain: &str) -> Option<(String, Language)> {
    let problem = match domain {
        "typechain4000.d.pddl" => "typechain.p.pddl".to_owned(),
        _ if domain.ends_with(".d.pddl") => domain.replace(".d.pddl", ".p.pddl"),
        // These files define domains named `d`; `beta.i.rddl` is an instance of `d`.
        _ if domain.ends_with(".rddl") && !domain.ends_with(".i.rddl") => {
            return Some(("beta.i.rddl".to_owned(), Language::Rddl));
        }
        _ => return None,
    };
    Some((problem, Language::Pddl))
}

#[test]
fn texts_of_the_corpus_end_within_their_limits() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/corpus/hostile");
    let Ok(entries) = fs::read_dir(&folder) else {
        return eprintln!("skipped: {} is not there", folder.display());
    };
    let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
    let mut names: Vec<_> = names.collect();
    names.sort();
    let counts = Mutex::new(Counts::default());
    for name in &names {
        let Some((problem, language)) = problem_of(name) else {
            continue;
        };
        let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a text");
        let texts = Texts {
            domain: read(name),
            problem: read(&problem),
        };
        let few = if language == Language::Rddl { 6 } else { 9 };
        run_all(name, &texts, &of(language)[..few], &counts);
    }
    counts.into_inner().expect("nobody panics").judge();
}
