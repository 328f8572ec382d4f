//! Texts while they are edited.

use herbrand_play::{EpisodeStatus, Finding, Language, Reply, Request, Texts};

use crate::{DARK, LAMPS, bundled, fresh, look, position, refusal, texts};

fn check(domain: &str, problem: &str, settings: &str) -> (Vec<Finding>, usize) {
    let texts = Texts {
        domain: domain.to_owned(),
        problem: problem.to_owned(),
        settings: settings.to_owned(),
    };
    match fresh().reply(&Request::Check { texts }) {
        Reply::Check { findings, errors, .. } => (findings, errors),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_texts_of_bundled_problems_have_no_faults() {
    for (domain, problem, language) in [
        ("sokoban", "train/01", Language::Pddl),
        ("slide-tile", "test/03", Language::Pddl),
        ("rddl/elevators", "2", Language::Rddl),
        ("rddl/cartpole-continuous", "1", Language::Rddl),
    ] {
        let mut playground = fresh();
        let problem = bundled(domain, problem);
        let Reply::Texts {
            texts,
            language: found,
        } = playground.reply(&Request::Texts {
            problem: problem.clone(),
        })
        else {
            panic!("{domain}");
        };
        assert_eq!(found, language);
        let (mut findings, errors) = check(&texts.domain, &texts.problem, &texts.settings);
        findings.retain(|one| one.severity != "hint");
        assert_eq!((findings, errors), (Vec::new(), 0), "{domain}");
        // A problem played by its texts equals the bundled problem except for the title.
        let own = herbrand_play::ProblemName::Texts { texts };
        let (mine, theirs) = (
            look(&mut playground, &position(&own, 0, &[])),
            look(&mut playground, &position(&problem, 0, &[])),
        );
        assert_eq!(
            (mine.actions, mine.facts, mine.goal),
            (theirs.actions, theirs.facts, theirs.goal)
        );
    }
}

#[test]
fn faults_have_places_in_their_texts() {
    let (findings, errors) = check(
        &LAMPS.replace("(near ?x ?y))\n    :eff", "(neer ?x ?y))\n    :eff"),
        DARK,
        "",
    );
    assert_eq!(errors, 1);
    let fault = &findings[0];
    assert_eq!(
        (fault.text.as_str(), fault.severity.as_str()),
        ("domain", "error")
    );
    assert_eq!(fault.place[0], 3);
    assert!(fault.help.contains("near"), "{fault:?}");

    let (findings, errors) = check(LAMPS, &DARK.replace("(on b)", "(on c)"), "");
    assert_eq!(
        (errors, findings[0].text.as_str(), findings[0].place[0]),
        (1, "problem", 1)
    );

    // A text that is not a domain, and an empty problem.
    let (findings, errors) = check("hello", "", "");
    assert!(
        errors >= 1 && findings.iter().all(|finding| !finding.message.is_empty()),
        "{findings:?}"
    );
    let (findings, errors) = check(LAMPS, "", "");
    assert!(
        errors >= 1 && findings.iter().any(|finding| finding.text == "problem"),
        "{findings:?}"
    );
}

#[test]
fn names_that_nothing_reads_are_hints() {
    let domain = LAMPS.replace("(:predicates", "(:predicates (odd ?x) (even ?x)");
    let found = |domain: &str, problem: &str| {
        let (findings, errors) = check(domain, problem, "");
        assert_eq!(errors, 0, "{findings:?}");
        let shown = findings
            .iter()
            .map(|one| (one.code.clone(), one.severity.clone(), one.message.clone()));
        shown.collect::<Vec<_>>()
    };
    let hint = |name: &str| {
        let message = format!("no condition, rule or goal reads the predicate `{name}`");
        ("W0108".to_owned(), "hint".to_owned(), message)
    };
    assert_eq!(found(LAMPS, DARK), []);
    assert_eq!(found(&domain, DARK), [hint("odd"), hint("even")]);
    // A goal reads the predicates that it names. For a derived predicate, the hint is a warning.
    let read = DARK.replace("(on b))", "(on b) (odd a))");
    assert!(!found(&domain, &read).contains(&hint("odd")));
    let rule = domain.replacen("(:action", "(:derived (odd ?x) (even ?x))\n  (:action", 1);
    let told = found(&rule, DARK);
    assert!(
        told.iter()
            .any(|(code, severity, _)| (code.as_str(), severity.as_str()) == ("W0308", "warning")),
        "{told:?}"
    );
}

#[test]
fn faults_of_settings_have_places_too() {
    let (findings, errors) = check(LAMPS, DARK, "description = \"lamps\"\nhorizont = 3\n");
    assert_eq!(
        (errors, findings[0].text.as_str(), findings[0].place[0]),
        (1, "settings", 2),
        "{findings:?}"
    );
    let (findings, errors) = check(
        LAMPS,
        DARK,
        "[render]\n[[render.layer]]\nfact = \"om\"\nshape = \"star\"\n",
    );
    assert!(errors >= 1, "{findings:?}");
    assert!(
        findings
            .iter()
            .all(|finding| finding.text == "settings" && finding.code.starts_with('V'))
    );
    let (_, errors) = check(LAMPS, DARK, "[actions.go]\noperators = { lift = [] }\n");
    assert_eq!(errors, 1);
}

#[test]
fn faults_of_rddl_have_places() {
    let domain = "domain counter {\n  pvariables { n : { state-fluent, int, default = 0 }; };\n  cpfs { n' = m + 1; };\n  reward = n;\n}";
    let instance = "instance short { domain = counter; horizon = 5; discount = 1.0; }";
    let (findings, errors) = check(domain, instance, "");
    assert_eq!(
        (errors, findings[0].text.as_str(), findings[0].place[0]),
        (1, "domain", 3),
        "{findings:?}"
    );
    let sound = domain.replace("m + 1", "n + 1");
    assert_eq!(check(&sound, instance, ""), (Vec::new(), 0));
    let view = look(
        &mut fresh(),
        &position(&texts(&sound, instance), 0, &vec![vec![]; 5]),
    );
    assert_eq!((view.status, view.reward), (EpisodeStatus::Horizon, 10.0));
    let request = Request::Look(position(&texts(&sound, instance), 0, &vec![vec![]; 6]));
    assert_eq!(
        refusal(fresh().reply(&request)),
        "Step: the episode has reached its horizon"
    );
}

#[test]
fn one_text_of_rddl_may_have_all_blocks() {
    let domain = "domain counter {\n  pvariables { n : { state-fluent, int, default = 0 }; };\n  cpfs { n' = n + 1; };\n  reward = n;\n}\n";
    let both = format!("{domain}instance short {{ domain = counter; horizon = 5; discount = 1.0; }}");
    for problem in ["", " \n"] {
        assert_eq!(check(&both, problem, ""), (Vec::new(), 0));
        let view = look(
            &mut fresh(),
            &position(&texts(&both, problem), 0, &vec![vec![]; 5]),
        );
        assert_eq!((view.status, view.reward), (EpisodeStatus::Horizon, 10.0));
        let (findings, errors) = check(domain, problem, "");
        assert!(
            errors == 1 && findings[0].message.contains("instance"),
            "{findings:?}"
        );
    }
}

#[test]
fn own_texts_are_played() {
    let problem = texts(LAMPS, DARK);
    let mut playground = fresh();
    let walk = ["(light a)", "(light b)"].map(|action| vec![action.to_owned()]);
    let view = look(&mut playground, &position(&problem, 0, &walk));
    assert_eq!((view.status, view.reward), (EpisodeStatus::Goal, 1.0));
    assert_eq!(view.added, ["(on b)"]);
    let said = refusal(playground.reply(&Request::Look(position(
        &problem,
        0,
        &[walk[0].clone(), walk[0].clone()],
    ))));
    assert!(
        said.contains("(light a)") && said.contains("(not (on a))"),
        "{said}"
    );
}

#[test]
fn texts_with_faults_are_not_played() {
    let request = Request::Look(position(
        &texts(&LAMPS.replace("(near ?x ?y))\n", "(nears ?x ?y))\n"), DARK),
        0,
        &[],
    ));
    let Reply::Refused(refusal) = fresh().reply(&request) else {
        panic!("there is a fault");
    };
    assert_eq!(refusal.message, "the texts have 1 error");
    assert_eq!(refusal.findings.len(), 1);
}

#[test]
fn what_is_no_request_is_refused() {
    let mut playground = fresh();
    for text in [
        "",
        "{}",
        "[]",
        "null",
        r#"{"ask": "sing"}"#,
        r#"{"ask": "look"}"#,
        r#"{"ask": "look", "problem": {"domain": "blocks"}}"#,
        r#"{"ask": "look", "problem": {"domain": "blocks", "problem": "train/01"}, "seed": -1}"#,
        r#"{"ask": "look", "problem": {"domain": "blocks", "problem": "train/01"}, "walk": [1]}"#,
        "\u{0}",
    ] {
        let reply: serde_json::Value =
            serde_json::from_str(&playground.answer(text)).expect("answers are JSON");
        assert_eq!(
            (&reply["is"], &reply["kind"]),
            (&"refused".into(), &"request".into()),
            "{text}"
        );
    }
}
