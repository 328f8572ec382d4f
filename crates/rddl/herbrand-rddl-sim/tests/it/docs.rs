//! `docs/reference/env-toml.md` names the keys that settings take.

use std::collections::BTreeSet;
use std::fs;

use herbrand_rddl::{Domain, Source};
use herbrand_rddl_sim::EnvSettings;

#[test]
fn the_page_of_keys_is_up_to_date() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/reference/env-toml.md");
    let domain = Domain::parse(&[Source::new("domain.rddl", "domain d { reward = 0; }")]).unwrap();
    let unheard_of = Source::new("env.toml", "unheard-of = 1");
    let fault = EnvSettings::parse(&unheard_of, &domain).unwrap_err().to_string();
    let (_, expected) = fault
        .split_once("expected")
        .expect("the fault says what is known");
    let known: BTreeSet<_> = expected.split('`').skip(1).step_by(2).collect();
    let text = fs::read_to_string(page).unwrap();
    let lines = text.lines().skip_while(|line| !line.starts_with("| RDDL key |"));
    let rows = lines.skip(2).take_while(|line| line.starts_with('|'));
    let listed: BTreeSet<_> = rows.map(|row| row.split('`').nth(1).expect("a key")).collect();
    assert_eq!(listed, known);
}
