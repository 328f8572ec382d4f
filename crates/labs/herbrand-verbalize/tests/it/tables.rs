//! Tables of sentences: their use and their faults.

use herbrand_core::Described;
use herbrand_env::{Registry, Source};
use herbrand_rddl_sim::suite::RddlSuite;
use herbrand_text::Faults;
use herbrand_verbalize::{TextCode, TextTable, TextVocabulary, Wording};

fn read(text: &str) -> Result<Wording, Faults<TextCode>> {
    let table = TextTable::parse(&Source::new("domain.text.toml", text))?;
    let suite = Registry::get("blocks")
        .and_then(|suite| suite.problem("train/01"))
        .expect("it is bundled");
    Wording::new(
        TextVocabulary::of_planning(&suite, 0).expect("the problem is sound"),
        Some(&table),
    )
}

#[test]
fn a_table_says_how_things_are_written() {
    let wording = read(
        "[types]\nblock = \"a {}\"\n[facts]\non = \"{lower} carries {upper}\"\n[negations]\nclear = \"something lies on {1}\"\n\
         [actions]\nstack = \"lay {block} down on {target}\"",
    )
    .expect("the table is sound");
    assert_eq!(wording.object("a"), "an a");
    assert_eq!(wording.goal("(on a b)"), "a b carries an a");
    assert_eq!(wording.goal("(not (clear b))"), "something lies on a b");
    assert_eq!(wording.action("(stack a b)"), "lay an a down on a b");
    assert_eq!(wording.read("lay A down on B", &[]).as_deref(), Ok("(stack a b)"));
}

#[test]
fn sentences_that_could_mean_two_things_are_not_used() {
    let wording = read("[facts]\non-table = \"{block} is free\"\nclear = \"{block} is free\"")
        .expect("the table is sound");
    assert_eq!(wording.goal("(on a b)"), "block a is on block b");
    let fact = |name| {
        wording.fact(&herbrand_core::Fact {
            group: herbrand_core::Group::Fluent,
            name,
            arguments: &["a"],
            value: herbrand_core::FactValue::Bool(true),
        })
    };
    assert_eq!([fact("clear"), fact("on-table")], ["(clear a)", "(on-table a)"]);
}

#[test]
fn all_faults_of_a_table_have_places() {
    let faults = read(
        "[types]\nblok = \"{}\"\n[facts]\non = \"{uper} is on {lower}\"\nclear = \"{block}{block} is {value}\"\nholding = \"held\"\n\
         [actions]\nstack = \"put {block} (on {target}\"\nput-dwon = \"drop {block}\"",
    )
    .unwrap_err();
    let lines: Vec<_> = faults
        .diagnostics()
        .iter()
        .map(|fault| {
            let place = fault.labels()[0].start();
            (
                place.line,
                place.column,
                fault.code(),
                fault.help().unwrap_or_default().to_owned(),
            )
        })
        .collect();
    let expected = [
        (2, 1, TextCode::UnknownName, "did you mean `block`?"),
        (4, 7, TextCode::Template, "did you mean `{upper}`?"),
        (5, 17, TextCode::Template, ""),
        (5, 28, TextCode::Template, ""),
        (6, 12, TextCode::Template, ""),
        (8, 22, TextCode::Template, ""),
        (9, 1, TextCode::UnknownName, "did you mean `put-down`?"),
    ];
    let expected = expected.map(|(line, column, code, help)| (line, column, code, help.to_owned()));
    assert_eq!(lines, expected, "{faults}");
    assert!(faults.to_string().contains("domain.text.toml:4:7"), "{faults}");

    let faults = read("facts = 3\n[fact]\n[actions]\nstack = 1").unwrap_err();
    let lines: Vec<_> = faults
        .diagnostics()
        .iter()
        .map(|fault| fault.labels()[0].start().line)
        .collect();
    assert_eq!(lines.len(), 3, "{faults}");
    assert!(read("on = ").is_err());
}

/// The folders of the bundled domains with the name of a suite of each.
fn folders() -> Vec<(String, String)> {
    let names = Registry::names().expect("the domains are consistent");
    let mut folders: Vec<(String, String)> = Vec::new();
    for name in names {
        let level = name.rsplit_once('-').map_or("", |(folder, _)| folder);
        let of = |folder: &str| herbrand_domains::file(&format!("{folder}/domain.pddl")).is_some();
        let folder = if of(&name) { name.clone() } else { level.to_owned() };
        if folders.iter().all(|(known, _)| *known != folder) {
            folders.push((folder, name));
        }
    }
    folders
}

#[test]
fn bundled_tables_fit_their_domains() {
    for (folder, name) in folders() {
        let path = format!("{folder}/domain.text.toml");
        let text = herbrand_domains::file(&path).unwrap_or_else(|| panic!("there is no {path}"));
        let table = TextTable::parse(&Source::new(&path, text)).expect("the table is sound");
        let suite = Registry::get(&name).expect("it is bundled");
        let vocabulary = TextVocabulary::of_planning(&suite, 0).expect("the problem is sound");
        let wording = Wording::new(vocabulary.clone(), Some(&table)).expect("the table fits");
        for action in &vocabulary.actions {
            assert!(
                text.contains(&format!("\n{} = ", action.name)),
                "{path} has no sentence for `{}`",
                action.name
            );
        }
        for fact in &vocabulary.facts {
            assert!(
                text.contains(&format!("\n{} = ", fact.name)),
                "{path} has no sentence for `{}`",
                fact.name
            );
        }
        let system = herbrand_core::Problems::system(&suite, 0).expect("the problem compiles");
        for text in [
            wording.state(|visit| system.facts(visit)),
            wording.constants(|visit| system.facts(visit)),
        ] {
            assert!(
                !text.contains('('),
                "a fact of {name} has no sentence of its own:\n{text}"
            );
        }
    }
}

#[test]
fn bundled_tables_fit_their_environments() {
    for name in RddlSuite::bundled_names() {
        let path = format!("{name}/domain.text.toml");
        let text = herbrand_domains::file(&path).unwrap_or_else(|| panic!("there is no {path}"));
        let table = TextTable::parse(&Source::new(&path, text)).expect("the table is sound");
        let suite = RddlSuite::bundled(&name).expect("it is bundled");
        let vocabulary = TextVocabulary::of_rddl(&suite, 0).expect("the instance is sound");
        Wording::new(vocabulary.clone(), Some(&table)).unwrap_or_else(|faults| panic!("{faults}"));
        for symbol in vocabulary.actions.iter().chain(&vocabulary.facts) {
            assert!(
                text.contains(&format!("\n{} = ", symbol.name)),
                "{path} has no sentence for `{}`",
                symbol.name
            );
        }
    }
}

#[test]
fn default_sentences_are_still_read_where_a_table_has_others() {
    let wording = read("[actions]\nstack = \"lay {block} down on {target}\"\nunstack = \"put {1} on {2}\"")
        .expect("the table is sound");
    assert_eq!(wording.action("(pick-up a)"), "pick up block a");
    assert_eq!(
        wording.read("Stack block a on block b.", &[]).as_deref(),
        Ok("(stack a b)")
    );
    assert_eq!(
        wording.read("unstack a from the block b", &[]).as_deref(),
        Ok("(unstack a b)")
    );
    // A sentence of the table has its own meaning, also if another action is called so by default.
    assert_eq!(wording.read("put a on b", &[]).as_deref(), Ok("(unstack a b)"));
    let fault = wording.read("stack block a on block w", &[]).unwrap_err();
    assert_eq!(fault.suggestion.as_deref(), Some("block a"));
}

#[test]
fn forms_of_actions_name_types() {
    let wording = read("[actions]\nstack = \"lay {block} down on {target}\"").expect("the table is sound");
    let forms = wording.action_forms();
    assert!(
        forms.contains(&"lay <block> down on <block>".to_owned()),
        "{forms:?}"
    );
    assert!(forms.contains(&"pick up <block>".to_owned()), "{forms:?}");
}

#[test]
fn listed_facts_are_written_like_states() {
    let suite = Registry::get("blocks")
        .and_then(|suite| suite.problem("train/01"))
        .expect("it is bundled");
    let wording = Wording::of_planning(&suite, 0, None).expect("the problem is sound");
    let system = herbrand_core::Problems::system(&suite, 0).expect("the problem compiles");
    let mut facts = Vec::new();
    system.facts(&mut |fact| {
        if fact.group != herbrand_core::Group::Static {
            facts.push(fact.to_string());
        }
    });
    facts.reverse();
    assert_eq!(wording.lines(&facts), wording.state(|visit| system.facts(visit)));
    assert_eq!(wording.lines(&[]), "Nothing holds.");
    assert_eq!(wording.lines(&["(flies pig)".to_owned()]), "(flies pig).");
}
