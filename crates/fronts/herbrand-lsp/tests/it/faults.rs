//! Diagnostics and the edits that mend them.

use serde_json::{Value, json};

use crate::client::{Client, uri};
use crate::places::{DELIVERY, DOMAIN, EVENING, EVENING_TEXT, LIGHTS, LIGHTS_TEXT, MORNING, PROBLEM};

fn codes(found: &[Value]) -> Vec<&str> {
    found
        .iter()
        .map(|one| one["code"].as_str().unwrap_or("-"))
        .collect()
}

fn actions(client: &mut Client, uri: &str, one: &Value) -> Vec<Value> {
    let context = json!({ "diagnostics": [] });
    let params = json!({ "textDocument": { "uri": uri }, "range": one["range"], "context": context });
    client
        .ask("textDocument/codeAction", params)
        .as_array()
        .expect("a list")
        .clone()
}

fn titled(actions: &[Value], title: &str) -> Value {
    let found = actions.iter().find(|action| action["title"] == title);
    found
        .unwrap_or_else(|| panic!("{title} is in {actions:#?}"))
        .clone()
}

#[test]
fn sound_texts_have_no_faults() {
    let mut client = Client::start(None);
    for (uri, text) in [
        (DOMAIN, DELIVERY),
        (PROBLEM, MORNING),
        (LIGHTS, LIGHTS_TEXT),
        (EVENING, EVENING_TEXT),
    ] {
        client.open(uri, text);
        assert_eq!(client.diagnostics(uri), Vec::<Value>::new(), "{uri}");
    }
}

#[test]
fn a_fault_has_a_code_a_place_and_an_explanation() {
    let mut client = Client::start(None);
    client.open(DOMAIN, &DELIVERY.replacen("(at ?t ?from)", "(ta ?t ?from)", 1));
    let found = client.diagnostics(DOMAIN);
    assert_eq!(codes(&found), ["E0101"]);
    assert_eq!(client.text_at(DOMAIN, &found[0]["range"]), "ta");
    let address = found[0]["codeDescription"]["href"]
        .as_str()
        .expect("an address")
        .to_owned();
    let page = client.ask("workspace/textDocumentContent", json!({ "uri": address }));
    assert!(
        page["text"]
            .as_str()
            .is_some_and(|text| text.starts_with("# E0101: a predicate is not declared"))
    );
}

#[test]
fn a_change_of_the_domain_checks_its_problems() {
    let mut client = Client::start(None);
    client.open(DOMAIN, DELIVERY);
    client.open(PROBLEM, MORNING);
    assert_eq!(client.diagnostics(PROBLEM), Vec::<Value>::new());
    client.forget(PROBLEM);
    let start = DELIVERY.find("depot - place").expect("a constant");
    client.edit(DOMAIN, start..start + 5, "office");
    let found = client.diagnostics(PROBLEM);
    assert_eq!(codes(&found), ["E0102"; 4], "{found:#?}");
    client.forget(PROBLEM);
    client.edit(DOMAIN, start..start + 6, "depot");
    assert_eq!(client.diagnostics(PROBLEM), Vec::<Value>::new());
    client.forget(EVENING);
    client.open(LIGHTS, LIGHTS_TEXT);
    client.open(EVENING, EVENING_TEXT);
    assert_eq!(client.diagnostics(EVENING), Vec::<Value>::new());
    client.forget(EVENING);
    let start = LIGHTS_TEXT.find("FADE").expect("a fluent");
    client.edit(LIGHTS, start..start + 4, "DIM");
    assert!(codes(&client.diagnostics(EVENING)).contains(&"E1101"));
}

#[test]
fn the_domain_of_a_problem_is_found_on_the_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let below = folder.path().join("p");
    std::fs::create_dir(&below).expect("a folder");
    std::fs::write(folder.path().join("domain.pddl"), DELIVERY).expect("a file");
    let problem = uri(&below.join("p01.pddl"));
    for start in [None, Some(folder.path())] {
        let mut client = Client::start(start);
        client.open(&problem, &MORNING.replace("(at letter town)", "(at letter city)"));
        assert_eq!(codes(&client.diagnostics(&problem)), ["E0102"]);
        // The file changes on the disk, and the editor says so.
        let changed = DELIVERY.replace("depot - place", "depot city - place");
        std::fs::write(folder.path().join("domain.pddl"), changed).expect("a file");
        client.forget(&problem);
        let change = json!({ "uri": uri(&folder.path().join("domain.pddl")), "type": 2 });
        client.tell("workspace/didChangeWatchedFiles", json!({ "changes": [change] }));
        assert_eq!(client.diagnostics(&problem), Vec::<Value>::new());
        std::fs::write(folder.path().join("domain.pddl"), DELIVERY).expect("a file");
    }
    let mut client = Client::start(None);
    client.open(PROBLEM, MORNING);
    let found = client.diagnostics(PROBLEM);
    assert_eq!(found.len(), 1);
    assert_eq!(client.text_at(PROBLEM, &found[0]["range"]), "delivery");
}

#[test]
fn several_domains_of_one_name_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, text).expect("a file");
        uri(&path)
    };
    write("one/domain.pddl", DELIVERY);
    write("two/domain.pddl", &DELIVERY.replace("road", "street"));
    let own = write("two/p/p01.pddl", MORNING);
    let far = write("three/p/p01.pddl", MORNING);
    let mut client = Client::start(Some(folder.path()));
    // The domain in the folder above is meant, and has no `road`.
    client.open(&own, MORNING);
    assert_eq!(codes(&client.diagnostics(&own)), ["E0101"; 2]);
    client.open(&far, MORNING);
    let found = client.diagnostics(&far);
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0]["message"],
        "several files define the domain `delivery`, and none of them is beside this file or in the folder above: \
         `one/domain.pddl`, `two/domain.pddl`"
    );
    // Of two files in one folder, the first by name is taken, and the problem says so.
    write("two/p/b.pddl", &DELIVERY.replace("road", "way"));
    write("two/p/a.pddl", DELIVERY);
    let mut client = Client::start(Some(folder.path()));
    client.open(&own, MORNING);
    let found = client.diagnostics(&own);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0]["severity"], 3);
    assert_eq!(client.text_at(&own, &found[0]["range"]), "delivery");
    assert_eq!(
        found[0]["message"],
        "several files here define the domain `delivery`: `p/a.pddl`, `p/b.pddl`; `p/a.pddl` is taken"
    );
}

#[test]
fn each_suggestion_is_an_edit() {
    let rows = [
        (
            "(inside ?x ?t) (at ?t ?p)",
            "(insidee ?x ?t) (at ?t ?p)",
            "Write `inside`",
        ),
        (
            ":precondition (and (at ?t",
            ":precondtion (and (at ?t",
            "Write `:precondition`",
        ),
        ("?t - truck ?from ?to", "?t - trukc ?from ?to", "Write `truck`"),
        (":typing", ":typng", "Write `:typing`"),
        ("(at ?t ?from) (road", "(at ?t ?fromm) (road", "Write `?from`"),
        ("(:constants", "(:constans", "Write `:constants`"),
        (" :typing", "", "Add `:typing` to `(:requirements …)`"),
        (
            ":typing",
            ":typing :derived-predicates",
            "Remove `:derived-predicates`",
        ),
        (
            "          thing place - object)",
            "          place)",
            "Declare `thing` in `(:types …)`",
        ),
        ("(at ?x ?p))))\n", "(at ?x ?p))))\n)", "Remove `)`"),
        ("(at ?x ?p))))\n", "(at ?x ?p)))\n", "Add `)`"),
        ("  (:action unload", ")  (:action unload", "Remove `)`"),
        (
            "(?x - package ?t - truck ?p - place)\n    :precondition (and (at ?x",
            "(?t - truck ?p - place)\n    :precondition (and (at ?x",
            "Add `?x - thing` to the parameters of `load`",
        ),
    ];
    for (right, wrong, title) in rows {
        let mut client = Client::start(None);
        client.open(DOMAIN, &DELIVERY.replacen(right, wrong, 1));
        let found = client.diagnostics(DOMAIN);
        assert!(!found.is_empty(), "{wrong}");
        let all: Vec<Value> = found
            .iter()
            .flat_map(|one| actions(&mut client, DOMAIN, one))
            .collect();
        client.apply(&titled(&all, title)["edit"]);
        // A parameter gets the type of its first use.
        let is_new = |one: &Value| one["code"].is_string() && one["code"] != "W0201";
        let errors: Vec<_> = client.diagnostics(DOMAIN).into_iter().filter(is_new).collect();
        assert!(errors.is_empty(), "{title}: {errors:#?}\n{}", client.text(DOMAIN));
    }
}

#[test]
fn unknown_names_are_declared_all_at_once() {
    let mut client = Client::start(None);
    let text = DELIVERY.replace(
        "(road ?from ?to)",
        "(open ?from) (road ?from ?to) (heavy ?t depot)",
    );
    client.open(DOMAIN, &text.replace("- truck ?from", "- lorry ?from"));
    let found = client.diagnostics(DOMAIN);
    let offered: Vec<Value> = found
        .iter()
        .flat_map(|one| actions(&mut client, DOMAIN, one))
        .collect();
    titled(&offered, "Declare `(open ?from - place)` in `(:predicates …)`");
    titled(&offered, "Declare `lorry` in `(:types …)`");
    client.apply(&titled(&offered, "Declare all unknown names")["edit"]);
    let text = client.text(DOMAIN);
    assert!(
        text.contains("(open ?from - place)") && text.contains("(heavy ?t - lorry ?x - place)"),
        "{text}"
    );
    let left = client.diagnostics(DOMAIN);
    assert!(
        !codes(&left).iter().any(|code| ["E0101", "E0104"].contains(code)),
        "{left:#?}\n{}",
        client.text(DOMAIN)
    );
}

#[test]
fn objects_are_declared_with_the_type_of_their_parameter() {
    let mut client = Client::start(None);
    client.open(DOMAIN, DELIVERY);
    client.open(
        PROBLEM,
        &MORNING.replace("(:init", "(:init (inside parcel lorry)"),
    );
    let found = client.diagnostics(PROBLEM);
    assert_eq!(codes(&found), ["E0102"]);
    let offered = actions(&mut client, PROBLEM, &found[0]);
    client.apply(&titled(&offered, "Declare `parcel - package` in `(:objects …)`")["edit"]);
    assert_eq!(client.diagnostics(PROBLEM), Vec::<Value>::new());
    // A type is not added to names that have none.
    client.open(
        PROBLEM,
        &MORNING
            .replace("town - place)", "town - place any)")
            .replace("(:init", "(:init (inside parcel lorry)"),
    );
    let found = client.diagnostics(PROBLEM);
    let offered = actions(&mut client, PROBLEM, &found[0]);
    client.apply(&titled(&offered, "Declare `parcel - package` in `(:objects …)`")["edit"]);
    assert!(
        client.text(PROBLEM).contains("(:objects parcel - package lorry"),
        "{}",
        client.text(PROBLEM)
    );
    assert_eq!(client.diagnostics(PROBLEM), Vec::<Value>::new());
    // A problem without sections gets them.
    client.open(
        "file:///models/p02.pddl",
        "(define (problem p02) (:domain delivery))",
    );
    for _ in 0..2 {
        let found = client.diagnostics("file:///models/p02.pddl");
        let offered = actions(&mut client, "file:///models/p02.pddl", &found[0]);
        client.apply(&offered[0]["edit"]);
    }
    // The new goal is still to be written.
    let found = client.diagnostics("file:///models/p02.pddl");
    assert_eq!(
        codes(&found),
        ["W0311"],
        "{}",
        client.text("file:///models/p02.pddl")
    );
}

#[test]
fn faults_of_rddl_have_edits_too() {
    let rows = [
        ("on(?l) ^", "onn(?l) ^", "Write `on`"),
        ("then @green", "then @gren", "Write `@green`"),
        ("on(?l) ^", "on(?l) &&", "Write `^`"),
        ("exists_{?l : lamp}", "exists_{?l : lamb}", "Write `lamp`"),
    ];
    for (right, wrong, title) in rows {
        let mut client = Client::start(None);
        client.open(LIGHTS, &LIGHTS_TEXT.replacen(right, wrong, 1));
        let found = client.diagnostics(LIGHTS);
        let all: Vec<Value> = found
            .iter()
            .flat_map(|one| actions(&mut client, LIGHTS, one))
            .collect();
        client.apply(&titled(&all, title)["edit"]);
        assert_eq!(client.text(LIGHTS), LIGHTS_TEXT);
        assert_eq!(client.diagnostics(LIGHTS), Vec::<Value>::new());
    }
}

#[test]
fn what_nothing_reads_is_told() {
    let mut client = Client::start(None);
    let rule = "  (:derived (linked ?a ?b - place) (road ?a ?b))\n  (:action load";
    let text = DELIVERY.replace("  (:action load", rule).replace(
        "(road ?from ?to - place)",
        "(road ?from ?to - place) (linked ?a ?b - place)",
    );
    client.open(DOMAIN, &text.replace(":typing", ":typing :derived-predicates"));
    let found = client.diagnostics(DOMAIN);
    assert_eq!(codes(&found), ["W0108"], "{found:#?}");
    let told = |client: &Client, found: &[Value]| {
        assert_eq!(found[0]["tags"], json!([1]));
        (
            client.text_at(DOMAIN, &found[0]["range"]),
            found[0]["severity"].clone(),
        )
    };
    assert_eq!(told(&client, &found), ("linked".to_owned(), json!(4)));
    // Without a problem, a goal may read it. With one, it is a warning.
    client.forget(DOMAIN);
    client.open(PROBLEM, MORNING);
    let found = client.diagnostics(DOMAIN);
    assert_eq!(codes(&found), ["W0308"], "{found:#?}");
    assert_eq!(told(&client, &found), ("linked".to_owned(), json!(2)));
    // A problem that reads it ends the warning.
    client.forget(DOMAIN);
    let text = MORNING.replace("(:goal (at letter depot))", "(:goal (linked town depot))");
    client.edit(PROBLEM, 0..MORNING.len(), &text);
    assert_eq!(client.diagnostics(DOMAIN), Vec::<Value>::new());
}

#[test]
fn what_only_unread_rules_read_is_told() {
    let rules = "  (:derived (linked ?a ?b - place)
    (or (road ?a ?b) (exists (?c - place) (and (road ?a ?c) (linked ?c ?b)))))
  (:derived (round ?a - place) (linked ?a ?a))
  (:action load";
    let text = DELIVERY
        .replace("  (:action load", rules)
        .replace(
            "(road ?from ?to - place)",
            "(road ?from ?to - place) (linked ?a ?b - place) (round ?a - place)",
        )
        .replace(":strips :typing", ":adl :derived-predicates");
    let mut client = Client::start(None);
    client.open(DOMAIN, &text);
    client.open(PROBLEM, MORNING);
    let messages = |found: &[Value]| {
        let text = |one: &Value| one["message"].as_str().unwrap_or_default().to_owned();
        found.iter().map(text).collect::<Vec<_>>()
    };
    // The first diagnostics may precede the reading of the problem.
    let found = client.until(DOMAIN, |found| codes(found) == ["W0308", "W0308"]);
    assert_eq!(
        messages(&found),
        [
            "rules derive `linked`, but no condition or goal needs it",
            "rules derive `round`, but no condition, rule or goal reads it"
        ]
    );
    client.forget(DOMAIN);
    let goal = MORNING.replace("(:goal (at letter depot))", "(:goal (round depot))");
    client.edit(PROBLEM, 0..MORNING.len(), &goal);
    assert_eq!(messages(&client.diagnostics(DOMAIN)), [""; 0]);
}

#[test]
fn a_goal_that_cannot_hold_is_told_with_the_reason() {
    let mut client = Client::start(None);
    client.open(DOMAIN, DELIVERY);
    client.open(
        PROBLEM,
        &MORNING.replace("(:goal (at letter depot))", "(:goal (road town town))"),
    );
    let found = client.diagnostics(PROBLEM);
    assert_eq!(codes(&found), ["W0304"], "{found:#?}");
}

#[test]
fn settings_are_checked_with_the_domain_beside_them() {
    let mut client = Client::start(None);
    let settings = "file:///models/env.toml";
    client.open(settings, "horizn = 7\n");
    let found = client.diagnostics(settings);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0]["range"]["start"], json!({ "line": 0, "character": 0 }));
    let says =
        |found: &[Value], text: &str| found.iter().any(|one| one["message"].to_string().contains(text));
    assert!(says(&found, "horizon"), "{found:#?}");
    // Once the domain is open, what the settings name has to be in it.
    client.edit(settings, 0..11, "[actions.move]\noperators = { fly = [] }\n");
    let before = client.diagnostics(settings).len();
    client.forget(settings);
    client.open(DOMAIN, DELIVERY);
    let found = client.diagnostics(settings);
    assert!(found.len() > before && says(&found, "fly"), "{found:#?}");
    client.edit(settings, 0..client.text(settings).len(), "horizon = 7\n");
    assert_eq!(client.diagnostics(settings), [] as [Value; 0]);
    let place = json!({ "textDocument": { "uri": settings }, "position": { "line": 0, "character": 2 } });
    assert_eq!(client.ask("textDocument/hover", place.clone()), Value::Null);
    assert_eq!(client.ask("textDocument/completion", place), json!([]));
}
