//! Expansion of a path to the text of a domain's module.

use std::path::{Path, PathBuf};

use herbrand_codegen::Module;
use herbrand_pddl::{Domain, Source, Style};

/// Returns the items of the module for the domain at `path`, relative to the folder of the calling crate. On failure,
/// returns all error messages.
pub(crate) fn items(path: &str) -> Result<String, Vec<String>> {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR")
        .map(PathBuf::from)
        .unwrap_or_default();
    let file = folder.join(path);
    let module = module(path, &file)?;
    // The compiler watches included files, so a change of the domain triggers a new compilation.
    Ok(format!(
        "const _: &[u8] = include_bytes!({file:?});\n{}",
        module.items()
    ))
}

/// Returns the module of the domain in a file. Messages refer to the domain's file as `name`.
fn module(name: &str, file: &Path) -> Result<Module, Vec<String>> {
    let bytes = std::fs::read(file).map_err(|error| vec![format!("{}: {error}", file.display())])?;
    let domain = Domain::parse(&Source::from_bytes(name, bytes)).map_err(|faults| {
        let errors = faults.diagnostics().iter();
        errors
            .map(|diagnostic| diagnostic.render(Style::Plain))
            .collect::<Vec<_>>()
    })?;
    Module::of(&domain).map_err(|error| vec![format!("{name}: {error}")])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<String> {
        let file = std::env::temp_dir().join(format!("herbrand-{}-{}.pddl", std::process::id(), text.len()));
        std::fs::write(&file, text).unwrap();
        let found = module("lamps.pddl", &file).unwrap_err();
        std::fs::remove_file(file).unwrap();
        found
    }

    #[test]
    fn every_fault_of_a_domain_is_a_message_with_its_place() {
        let messages = faults("(define (domain lamps) (:predicates (lit ?x))\n(:action a :effect (lid b)))");
        assert_eq!(messages.len(), 2, "{messages:?}");
        assert!(
            messages[0].starts_with("error[E0101]: unknown predicate `lid`\n --> lamps.pddl:2:21\n"),
            "{}",
            messages[0]
        );
        assert!(
            messages[0].ends_with("= help: did you mean `lit`?"),
            "{}",
            messages[0]
        );
        assert!(
            messages[1].starts_with("error[E0102]: unknown object `b`\n --> lamps.pddl:2:25\n"),
            "{}",
            messages[1]
        );
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let messages = module("away.pddl", Path::new("no-such-folder/away.pddl")).unwrap_err();
        assert_eq!(messages.len(), 1);
        assert!(
            messages[0].starts_with("no-such-folder/away.pddl: "),
            "{}",
            messages[0]
        );
    }

    #[test]
    fn predicates_that_are_too_wide_are_all_named() {
        let parameters: String = (0..13).map(|number| format!(" ?x{number}")).collect();
        let messages = faults(&format!(
            "(define (domain wide) (:predicates (p{parameters}) (q{parameters}) (r ?x)))"
        ));
        let expected =
            "lamps.pddl: `ascent` relations have at most 12 columns; these need more: `p` (13), `q` (13)";
        assert_eq!(messages, [expected]);
    }
}
