//! `generate`: its help. The page `generate.md` has the rest.

use crate::run::{herbrand, listed};

#[test]
fn the_help_lists_every_domain_with_its_sizes() {
    let help = herbrand(&["generate", "--help"]).stdout;
    for row in listed("pddl") {
        let name = row["domain"].as_str().expect("a name");
        assert!(help.contains(&format!("\n  {name} ")), "{name}");
    }
    assert!(!herbrand(&["generate", "-h"]).stdout.contains("slide-tile"));
}
