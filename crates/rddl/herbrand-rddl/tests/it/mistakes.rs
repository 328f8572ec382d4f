//! One mistake in a whole model: it is reported once, and all independent ones together.

use std::sync::Arc;

use herbrand_rddl::{Diagnostic, LexemeKind, ReadOptions, Source, lexemes, read};

/// A domain with an enum, an interm-fluent and a constraint.
const FARM: &str = "
domain farm {
    types { field : object; crop : { @wheat, @rye }; };
    pvariables {
        YIELD(field) : { non-fluent, real, default = 0.5 };
        SEASON : { non-fluent, int, default = 3 };
        planted(field) : { state-fluent, crop, default = @rye };
        age(field) : { state-fluent, int, default = 0 };
        ripe(field) : { interm-fluent, bool };
        sow(field) : { action-fluent, bool, default = false };
    };
    cpfs {
        ripe(?f) = Bernoulli(YIELD(?f)) ^ age(?f) >= SEASON;
        planted'(?f) = if (sow(?f)) then @wheat else planted(?f);
        age'(?f) = if (sow(?f) | ripe(?f)) then 0 else age(?f) + 1;
    };
    reward = (sum_{?f : field} [ripe(?f) ^ planted(?f) == @wheat]) - (sum_{?f : field} [sow(?f)]);
    action-preconditions { forall_{?f : field} [sow(?f) => age(?f) == 0]; };
    state-invariants { forall_{?f : field} [0 <= age(?f) ^ age(?f) <= SEASON + 40]; };
}";

const HILL: &str = "
instance hill {
    domain = farm;
    objects { field : { upper, lower }; };
    non-fluents { YIELD(upper) = 0.25; };
    init-state { planted(lower) = @wheat; };
    max-nondef-actions = 1;
    horizon = 20;
    discount = 1.0;
}";

/// Returns the diagnostics of a domain and an instance.
fn diagnostics(texts: &[String; 2]) -> Vec<Diagnostic> {
    let sources = [
        Source::new("farm", texts[0].as_str()),
        Source::new("hill", texts[1].as_str()),
    ];
    let document = read(&sources, &ReadOptions::default());
    let mut found = document.diagnostics().to_vec();
    for one in document.domains() {
        let checked = one.check();
        found.extend(checked.diagnostics);
        let domain = checked.value.or(checked.declared);
        if let Some(domain) = domain.map(Arc::new) {
            let instances = document.instances();
            found.extend(instances.flat_map(|one| one.check(&domain).diagnostics));
        }
    }
    found
}

/// Returns the farm with replacements in its domain or instance.
#[track_caller]
fn changed(changes: &[(&str, &str)]) -> [String; 2] {
    let mut texts = [FARM.to_owned(), HILL.to_owned()];
    for (from, to) in changes {
        let count: usize = texts.iter().map(|text| text.matches(from).count()).sum();
        assert_eq!(count, 1, "{from}");
        texts = texts.map(|text| text.replace(from, to));
    }
    texts
}

fn rendered(found: &[Diagnostic]) -> String {
    let text: Vec<String> = found
        .iter()
        .map(|one| one.render(herbrand_text::Style::Plain))
        .collect();
    text.join("\n")
}

/// Returns the codes of the diagnostics of the farm after replacements in its domain or instance, and their text.
#[track_caller]
fn farm(changes: &[(&str, &str)]) -> (Vec<&'static str>, String) {
    let found = diagnostics(&changed(changes));
    let codes = found.iter().map(|one| one.code().as_str()).collect();
    (codes, rendered(&found))
}

/// Checks that a change makes one diagnostic, and that the text is right once its suggestion is written.
#[track_caller]
fn cured(from: &str, to: &str) {
    let mut texts = changed(&[(from, to)]);
    let found = diagnostics(&texts);
    let [one] = found.as_slice() else {
        panic!("{to}\n{}", rendered(&found));
    };
    let Some(suggestion) = one.suggestion() else {
        panic!("{to}\n{}", rendered(&found));
    };
    let label = &one.labels()[0];
    let text = &mut texts[usize::from(label.source().name() == "hill")];
    text.replace_range(label.span().range(), suggestion);
    let rest = diagnostics(&texts);
    assert!(rest.is_empty(), "{suggestion}\n{}", rendered(&rest));
}

#[track_caller]
fn one_mistake(changes: &[(&str, &str)], code: &str, parts: &[&str]) {
    let (codes, text) = farm(changes);
    assert_eq!(codes, [code], "{changes:?}\n{text}");
    for part in parts {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

#[test]
fn the_farm_is_right() {
    let (codes, text) = farm(&[]);
    assert!(codes.is_empty(), "{text}");
}

#[test]
fn a_misspelt_type_is_one_fault() {
    for (from, to, meant) in [
        ("YIELD(field) :", "YIELD(feild) :", "field"),
        ("age(field) :", "age(feild) :", "field"),
        ("sow(field) :", "sow(feild) :", "field"),
        ("{ state-fluent, crop,", "{ state-fluent, corp,", "crop"),
        ("forall_{?f : field} [sow", "forall_{?f : feild} [sow", "field"),
        ("(sum_{?f : field} [ripe", "(sum_{?f : feild} [ripe", "field"),
        ("objects { field :", "objects { feild :", "field"),
        ("objects { field :", "objects { meadows :", "field"),
    ] {
        one_mistake(&[(from, to)], "E1102", &[&format!("did you mean `{meant}`?")]);
    }
    one_mistake(
        &[("field : object", "feild : object")],
        "E1102",
        &[
            "unknown type `field`",
            "is `feild` misspelt in its declaration?",
            "it is used in 5 more places",
        ],
    );
    one_mistake(
        &[("field : object", "things : object")],
        "E1102",
        &["unknown type `field`", "and here", "it is used in 5 more places"],
    );
    // Faults below a quantifier over an unknown type are found too.
    let (codes, text) = farm(&[
        ("forall_{?f : field} [sow", "forall_{?f : feild} [sow"),
        ("=> age(?f) == 0", "=> agee(?f) == 0"),
    ]);
    assert_eq!(codes, ["E1102", "E1101"], "{text}");
}

#[test]
fn a_misspelt_declaration_is_one_fault() {
    for (from, to, name) in [
        ("ripe(field) :", "rype(field) :", "ripe"),
        ("SEASON :", "SAESON :", "SEASON"),
        ("sow(field) :", "sew(field) :", "sow"),
    ] {
        let unknown = if name == "ripe" {
            "unknown fluent"
        } else {
            "unknown pvariable"
        };
        one_mistake(
            &[(from, to)],
            "E1101",
            &[&format!("{unknown} `{name}`"), "declared here, and used nowhere"],
        );
    }
    // Misspelt uses of a declared name are several faults.
    let (codes, text) = farm(&[
        ("^ age(?f) >= SEASON", "^ ag(?f) >= SEASON"),
        ("<= SEASON + 40", "<= SEASN + 40"),
    ]);
    assert_eq!(codes, ["E1101", "E1101"], "{text}");
}

#[test]
fn a_fault_in_a_declaration_is_one_fault() {
    for (from, to, part) in [
        (
            "SEASON : { non-fluent, int, default = 3 };",
            "SEASON : { non-fluent, int default = 3 };",
            "expected `,` or `}`",
        ),
        (
            "SEASON : { non-fluent, int, default = 3 };",
            "SEASON : { non-fluent int, default = 3 };",
            "expected `,`",
        ),
        (
            "SEASON : { non-fluent, int, default = 3 };",
            "SEASON : { non-fluent, int, default = };",
            "expected a constant",
        ),
        (
            "SEASON : { non-fluent, int, default = 3 };",
            "SEASON : { non-fluent, int, defualt = 3 };",
            "did you mean `default`?",
        ),
        (
            "SEASON : { non-fluent, int, default = 3 };",
            "SEASON : { non-fluent, int, default 3 };",
            "expected `=`",
        ),
        (
            "SEASON : { non-fluent, int, default = 3 };",
            "SEASON : { non-fluent, int, default = 3 ;",
            "expected `,` or `}`",
        ),
        (
            "SEASON : { non-fluent, int, default = 3 };",
            "SEASON : non-fluent, int, default = 3 };",
            "expected `{`",
        ),
        (
            "SEASON : { non-fluent, int, default = 3 };",
            "SEASON { non-fluent, int, default = 3 };",
            "expected `:`",
        ),
        (
            "SEASON : { non-fluent, int, default = 3 };",
            "SEASON : { non-fluent, int, default = 3 }",
            "expected `;`",
        ),
        (
            "SEASON : { non-fluent, int, default = 3 };",
            "SEASON : { nonfluent, int, default = 3 };",
            "did you mean `non-fluent`?",
        ),
        (
            "SEASON : { non-fluent, int, default = 3 };",
            "SEASON : { constant, int, default = 3 };",
            "a kind such as",
        ),
        ("age(field) :", "age field :", "expected `:`"),
        ("age(field) :", "age(field :", "expected `,` or `)`"),
        ("age(field) :", "age[field] :", "expected `:`"),
        ("field : object;", "field : obejct;", "expected `object` or"),
        ("field : object;", "field object;", "expected `:`"),
        (
            "crop : { @wheat, @rye };",
            "crop : { @wheat @rye };",
            "expected `,` or `}`",
        ),
        (
            "crop : { @wheat, @rye };",
            "crop : { wheat, @rye };",
            "a value such as `@red`",
        ),
    ] {
        one_mistake(&[(from, to)], "E1004", &[part]);
    }
    // Other faults are found all the same.
    let (codes, text) = farm(&[
        (
            "{ non-fluent, int, default = 3 };",
            "{ non-fluent, int default = };",
        ),
        ("^ age(?f) >= SEASON", "^ ag(?f) >= SEASON"),
    ]);
    assert_eq!(codes, ["E1004", "E1004", "E1101"], "{text}");
}

#[test]
fn the_body_of_a_faulty_head_is_checked() {
    let (codes, text) = farm(&[("age'(?f) = if (sow(?f)", "agee'(?f) = if (sew(?f)")]);
    assert_eq!(codes, ["E1301", "E1101", "E1101"], "{text}");
}

#[test]
fn suggested_values_of_enums_have_their_sign() {
    for (from, to) in [
        ("then @wheat else", "then @whaet else"),
        ("then @wheat else", "then whaet else"),
        ("planted(lower) = @wheat", "planted(lower) = @whaet"),
        ("planted(lower) = @wheat", "planted(lower) = whaet"),
    ] {
        let (codes, text) = farm(&[(from, to)]);
        assert_eq!(codes.len(), 1, "{text}");
        assert!(text.contains("did you mean `@wheat`?"), "{to}\n{text}");
    }
    one_mistake(
        &[("default = @rye", "default = @rey")],
        "E1104",
        &["did you mean `@rye`?"],
    );
    one_mistake(
        &[("planted(lower)", "planted(lowr)")],
        "E1104",
        &["no object `lowr`", "did you mean `lower`?"],
    );
    one_mistake(
        &[("planted(lower)", "planted(@lowr)")],
        "E1104",
        &["did you mean `@lower`?"],
    );
}

#[test]
fn a_cycle_has_a_cure_that_fits_its_fluents() {
    let ripe = "ripe(?f) = Bernoulli(YIELD(?f)) ^ age(?f) >= SEASON;";
    one_mistake(
        &[(
            ripe,
            "ripe(?f) = ripe(?f) | Bernoulli(YIELD(?f)) ^ age(?f) >= SEASON;",
        )],
        "E1305",
        &["leave this read out, or declare a state-fluent"],
    );
    one_mistake(
        &[
            (
                ripe,
                "ripe(?f) = dry(?f) ^ Bernoulli(YIELD(?f)) ^ age(?f) >= SEASON; dry(?f) = ~ripe(?f);",
            ),
            (
                "ripe(field) :",
                "dry(field) : { interm-fluent, bool }; ripe(field) :",
            ),
        ],
        "E1305",
        &["`ripe` → `dry` → `ripe`", "leave one of these reads out"],
    );
    one_mistake(
        &[("then 0 else age(?f) + 1", "then 0 else age'(?f) + 1")],
        "E1305",
        &["read `age`, the value before the step, in place of `age'`"],
    );
}

#[test]
fn signs_of_other_languages_are_named_once() {
    one_mistake(&[("sow(?f) => age", "sow(?f) -> age")], "E1008", &["write `=>`"]);
    for without in [
        "forall {?f : field} [sow",
        "forall{?f : field} [sow",
        "forall_(?f : field) [sow",
    ] {
        one_mistake(
            &[("forall_{?f : field} [sow", without)],
            "E1004",
            &["write `forall_{?x : t} …`"],
        );
    }
    one_mistake(
        &[("(sum_{?f : field} [ripe", "(sum{?f : field} [ripe")],
        "E1004",
        &["write `sum_{?x : t} …`"],
    );
}

#[test]
fn what_is_read_otherwise_than_meant_is_warned_about() {
    one_mistake(
        &[(
            "0 <= age(?f) ^ age(?f) <= SEASON + 40",
            "0 <= age(?f) <= SEASON + 40",
        )],
        "W1113",
        &["write `a <= b ^ b <= c`"],
    );
    one_mistake(
        &[("age(?f) == 0]", "age(?f) == 0 == true]")],
        "W1113",
        &["`==` gives a bool"],
    );
    let (codes, text) = farm(&[(
        "0 <= age(?f) ^ age(?f) <= SEASON + 40",
        "(0 <= age(?f)) <= SEASON",
    )]);
    assert!(codes.is_empty(), "{text}");
    one_mistake(&[("default = 0.5", "default = true")], "W1114", &["write `1.0`"]);
    one_mistake(
        &[("int, default = 3", "int, default = false")],
        "W1114",
        &["write `0`"],
    );
    one_mistake(
        &[("YIELD(upper) = 0.25", "YIELD(upper) = true")],
        "W1114",
        &["write `1.0`"],
    );
    one_mistake(
        &[("max-nondef-actions = 1", "max-nondef-actions = 0")],
        "W1115",
        &["write `pos-inf`"],
    );
    one_mistake(
        &[(
            "Bernoulli(YIELD(?f))",
            "Bernoulli(YIELD(?f)) ^ Bernoulli(1.0 + 0.5 * 2)",
        )],
        "W1112",
        &["not 2.0"],
    );
}

#[test]
fn a_misspelt_beginning_says_how_it_goes_on() {
    for (from, to, part) in [
        (
            "sow(field) : { action-fluent,",
            "sow(field) : { action,",
            "did you mean `action-fluent`?",
        ),
        (
            "ripe(field) : { interm-fluent,",
            "ripe(field) : { intermediate-fluent,",
            "did you mean `interm-fluent`?",
        ),
        (
            "if (sow(?f)) then @wheat",
            "if sow(?f) then @wheat",
            "write `if (condition) then a else b`",
        ),
        (
            "(sum_{?f : field} [sow",
            "(sum_{?f} [sow",
            "write `?f : t` for a type `t`",
        ),
    ] {
        one_mistake(&[(from, to)], "E1004", &[part]);
    }
    for (range, ours) in [
        ("integer", "int"),
        ("boolean", "bool"),
        ("float", "real"),
        ("inte", "int"),
    ] {
        let range = format!("non-fluent, {range}, default = 3");
        one_mistake(
            &[("non-fluent, int, default = 3", &range)],
            "E1102",
            &[&format!("did you mean `{ours}`?")],
        );
    }
    // Each value without its sign is a fault, and nothing follows from it.
    let (codes, text) = farm(&[("crop : { @wheat, @rye };", "crop : { wheat, rye };")]);
    assert_eq!(codes, ["E1004", "E1004"], "{text}");
    let draw = "if (sow(?f)) then Discrete(crop, @wheat : 0.5, @rye : 0.5)";
    one_mistake(
        &[("if (sow(?f)) then @wheat", &draw.replace("(crop", "(corp"))],
        "E1102",
        &["did you mean `crop`?"],
    );
    one_mistake(
        &[("SEASON : { non-fluent, int, default = 3 };", "")],
        "E1101",
        &["and here", "declare it in `pvariables`"],
    );
}

#[test]
fn words_and_signs_of_other_languages_have_a_cure() {
    let both = "Bernoulli(YIELD(?f)) ^ age(?f) >= SEASON";
    for operator in ["and", "&&"] {
        cured(
            both,
            &format!("Bernoulli(YIELD(?f)) {operator} age(?f) >= SEASON"),
        );
    }
    for operator in ["or", "||", "xor", "!=", "<>", "implies", "->", "iff"] {
        cured("sow(?f) | ripe(?f)", &format!("sow(?f) {operator} ripe(?f)"));
    }
    for denied in [
        "!ripe(?f)",
        "not ripe(?f)",
        "not(ripe(?f))",
        "not (ripe(?f) | sow(?f))",
        "not [ripe(?f)]",
        "not ~ripe(?f)",
        "not forall_{?g : field} ripe(?g)",
    ] {
        cured("sow(?f) | ripe(?f)", &format!("sow(?f) | {denied}"));
    }
    for number in [
        "age(?f) % 7",
        "age(?f) ** 2",
        "age(?f) mod 7",
        "age(?f) div SEASON",
        "age(?f) * 2 % 3",
    ] {
        cured("age(?f) + 1", number);
    }
    for equal in ["=", "is"] {
        cured("== @wheat]", &format!("{equal} @wheat]"));
    }
    cured("0 <= age(?f)", "0 =< age(?f)");
    let whole = "if (sow(?f) | ripe(?f)) then 0 else age(?f) + 1";
    for instead in [
        "sow(?f) | ripe(?f) ? 0 : age(?f) + 1",
        "(sow(?f) | ripe(?f)) ? 0 : age(?f) + 1",
        "if (sow(?f)) then 0 elif (ripe(?f)) then 0 else age(?f) + 1",
        "if (sow(?f)) then 0 elseif (ripe(?f)) then 0 else age(?f) + 1",
        "if (sow(?f) | ripe(?f)) the 0 else age(?f) + 1",
        "if (sow(?f) | ripe(?f)) then 0 elze age(?f) + 1",
        "if (sow(?f) | ripe(?f)) THEN 0 else age(?f) + 1",
    ] {
        cured(whole, instead);
    }
    for truth in ["True", "TRUE", "False"] {
        cured("ripe(?f) ^ planted", &format!("({truth} | ripe(?f)) ^ planted"));
        cured("bool, default = false", &format!("bool, default = {truth}"));
    }
    cured("bool, default = false", "bool, default = 0");
    cured("default = 0.5", "default = 1.");
    cured("Bernoulli(YIELD(?f))", "Bernoulli(YIELD(?f) * 1.)");
    cured("default = 3", "default := 3");
    cured("default = 3", "default = 3.0");
    cured("age'(?f) = if", "age'(?f) == if");
    cured("domain = farm", "domain == farm");
    cured("horizon = 20", "horizon = 2e1");
    cured("horizon = 20", "horizon = 20.0");
    cured("max-nondef-actions = 1", "max-nondef-actions = 1.0");
    // Without their operands, they are no operators.
    one_mistake(
        &[("age(?f) + 1", "age(?f) %")],
        "E1004",
        &["expected an expression"],
    );
    one_mistake(
        &[("age(?f) + 1", "-age(?f) ** 2")],
        "E1008",
        &["write `pow[…, 2]`"],
    );
    // They may be names.
    let names = [
        (
            "sow(field) :",
            "not(field) : { state-fluent, bool, default = false }; and : { non-fluent, bool, default = true }; sow(field) :",
        ),
        ("age'(?f) = if", "not'(?f) = not(?f) ^ and; age'(?f) = if"),
    ];
    assert_eq!(farm(&names).0, <[&str; 0]>::default());
}

/// A domain and its instance with the sections that the farm lacks.
const LAMP: &str = "
domain lamp {
    requirements = { reward-deterministic };
    pvariables {
        COST : { non-fluent, real, default = 0.5 };
        on : { state-fluent, bool, default = false };
        seen : { observ-fluent, bool };
        push : { action-fluent, bool, default = false };
    };
    cpfs {
        on' = if (push) then true else false;
        seen = on';
    };
    reward = on - COST * push;
    termination { on; };
    state-action-constraints { push => ~on; };
}";

const HALL: &str = "
non-fluents hall { domain = lamp; non-fluents { COST = 0.25; }; }
instance evening {
    domain = lamp;
    non-fluents = hall;
    max-nondef-actions = pos-inf;
    horizon = 20;
    discount = 1.0;
}";

#[test]
fn a_word_of_the_language_without_a_letter_is_one_fault() {
    for texts in [[FARM, HILL], [LAMP, HALL]] {
        let texts = texts.map(str::to_owned);
        assert!(
            diagnostics(&texts).is_empty(),
            "{}",
            rendered(&diagnostics(&texts))
        );
        for (number, text) in texts.iter().enumerate() {
            let words = lexemes(text).into_iter();
            let words = words.filter(|one| one.kind == LexemeKind::Keyword && one.span.range().len() > 3);
            for span in words.map(|one| one.span.range()) {
                for at in span.clone() {
                    let mut texts = texts.clone();
                    texts[number].remove(at);
                    let found = diagnostics(&texts);
                    let is_error = |one: &&Diagnostic| one.severity() == herbrand_text::Severity::Error;
                    assert_eq!(
                        found.iter().filter(is_error).count(),
                        1,
                        "{} without letter {}:\n{}",
                        &text[span.clone()],
                        at - span.start,
                        rendered(&found)
                    );
                }
            }
        }
    }
}
