//! Fault messages: each mistake is reported once, with the likely intention.

use std::sync::Arc;

use herbrand_rddl::{Code, Domain, Instance, ReadOptions, Source, read};

const DOMAIN: &str = "
domain shop {
    types { product : object; };
    pvariables {
        PRICE(product) : { non-fluent, int, default = 2 };
        stock(product) : { state-fluent, int, default = 5 };
        open           : { state-fluent, bool, default = true };
        order(product) : { action-fluent, int, default = 0 };
    };
    cpfs {
        stock'(?p) = stock(?p) + order(?p) - Poisson(1.5);
        open' = open;
    };
    reward = sum_{?p : product} [PRICE(?p) * stock(?p)];
    action-preconditions { forall_{?p : product} [order(?p) >= 0]; };
}";

const INSTANCE: &str = "
non-fluents corner {
    domain = shop;
    objects {
        product : { apple, pear };
    };
    non-fluents { PRICE(apple) = 3; };
}
instance one {
    domain = shop;
    non-fluents = corner;
    init-state { stock(pear) = 7; };
    max-nondef-actions = 2;
    horizon = 10;
    discount = 1.0;
}";

/// Replaces `from` by `to` in one of the texts and returns the codes and the text of the errors.
fn faults(from: &str, to: &str) -> (Vec<Code>, String) {
    let count = DOMAIN.matches(from).count() + INSTANCE.matches(from).count();
    assert_eq!(count, 1, "{from}");
    let faults = Instance::from_text(&DOMAIN.replace(from, to), &INSTANCE.replace(from, to)).unwrap_err();
    let errors = faults
        .diagnostics()
        .iter()
        .filter(|one| one.severity() == herbrand_text::Severity::Error);
    (
        errors.map(herbrand_rddl::Diagnostic::code).collect(),
        faults.to_string(),
    )
}

#[track_caller]
fn one_fault(from: &str, to: &str, code: Code, parts: &[&str]) {
    let (codes, text) = faults(from, to);
    assert_eq!(codes, [code], "{text}");
    for part in parts {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

#[test]
fn the_texts_are_right() {
    Instance::from_text(DOMAIN, INSTANCE).unwrap();
}

#[test]
fn misspelt_distributions_are_recognised() {
    one_fault(
        "Poisson(1.5)",
        "Gaussian(1.5, 2.0)",
        Code::UnknownPvariable,
        &["did you mean `Normal`?"],
    );
    for name in ["Poison", "poisson"] {
        let help = "did you mean `Poisson`?";
        one_fault(
            "Poisson(1.5)",
            &format!("{name}(1.5)"),
            Code::UnknownPvariable,
            &[help],
        );
    }
    one_fault(
        "Poisson(1.5)",
        "Poisson[1.5]",
        Code::UnknownFunction,
        &["the parameters of `Poisson` go into ( )"],
    );
    one_fault(
        "open' = open;",
        "open' = Bernouli[0.5];",
        Code::UnknownFunction,
        &["did you mean `Bernoulli`?"],
    );
    // A fluent without parameters is not a distribution.
    let (_, text) = faults("open' = open;", "open' = Poison;");
    assert!(!text.contains("did you mean"), "{text}");
}

#[test]
fn a_value_listed_twice_is_found_in_every_enum() {
    let types = |fit: &str| format!("product : object; size : {{ @small, @large }}; fit : {{ {fit} }};");
    // Two enums may share values.
    let shared = DOMAIN.replace("product : object;", &types("@large, @small"));
    Instance::from_text(&shared, INSTANCE).unwrap();
    for fit in ["@large, @small, @large", "@large, @large", "@slim, @slim"] {
        let name = fit.split(", ").next().unwrap();
        one_fault(
            "product : object;",
            &types(fit),
            Code::DuplicateDeclaration,
            &[&format!("the value `{name}` is listed twice")],
        );
    }
}

#[test]
fn an_arrow_between_numbers_is_a_comparison() {
    let help = "`=>` is implies; did you mean `>=`?";
    one_fault("order(?p) >= 0", "order(?p) => 0", Code::TypeMismatch, &[help]);
    one_fault(
        "order(?p) >= 0",
        "order(?p) => stock(?p)",
        Code::TypeMismatch,
        &[help],
    );
    // The first operand is a bool, so an implication may be intended.
    let (codes, text) = faults("order(?p) >= 0", "open => stock(?p)");
    assert_eq!(codes, [Code::TypeMismatch]);
    assert!(!text.contains("did you mean") && text.contains("~= 0"), "{text}");
}

#[test]
fn a_comparison_inside_an_aggregation_has_one_cure() {
    let (codes, text) = faults("order(?p) >= 0", "(sum_{?q : product} order(?q) <= 1)");
    assert_eq!(codes, [Code::TypeMismatch], "{text}");
    assert!(text.contains("put brackets") && !text.contains("~= 0"), "{text}");
    let (codes, text) = faults("order(?p) >= 0", "(sum_{?q : product} (order(?q)))");
    assert_eq!(codes, [Code::TypeMismatch]);
    assert!(text.contains("~= 0"), "{text}");
}

#[test]
fn misspelt_non_fluents_are_one_fault() {
    let used = "non-fluents = corner;";
    let help = "did you mean `corner`?";
    one_fault(used, "non-fluents = cornr;", Code::MissingBlock, &[help]);
    one_fault(
        used,
        "non-fluents = elsewhere;",
        Code::MissingBlock,
        &["add a block `non-fluents elsewhere { … }`"],
    );
    // Unrelated faults are still found.
    let (codes, text) = {
        let instance = INSTANCE
            .replace(used, "non-fluents = cornr;")
            .replace("stock(pear)", "stock(peer)");
        let faults = Instance::from_text(DOMAIN, &instance).unwrap_err();
        let codes: Vec<Code> = faults
            .diagnostics()
            .iter()
            .map(herbrand_rddl::Diagnostic::code)
            .collect();
        (codes, faults.to_string())
    };
    assert_eq!(codes, [Code::MissingBlock, Code::UnknownItem], "{text}");
}

#[test]
fn an_open_brace_of_objects_is_one_fault() {
    let list = "        product : { apple, pear };\n    };\n";
    for without in [
        "        product : { apple, pear ;\n    };\n",
        "        product : { apple, pear\n    };\n",
        "        product : { apple, pear };\n",
    ] {
        let parts = ["a `}` is missing after this", "opened here"];
        one_fault(list, without, Code::UnclosedBrace, &parts);
    }
    let (codes, text) = faults(list, "        product : { apple, pear;\n");
    assert_eq!(codes, [Code::UnclosedBrace, Code::UnclosedBrace], "{text}");
    // At the end of the text, it is reported once.
    let instance = INSTANCE.replace("discount = 1.0;\n}", "init-state { open;");
    let faults = Instance::from_text(DOMAIN, &instance).unwrap_err();
    let unclosed = faults
        .diagnostics()
        .iter()
        .filter(|one| one.code() == Code::UnclosedBrace);
    assert_eq!(unclosed.count(), 1, "{faults}");
}

#[test]
fn a_missing_brace_is_one_fault_wherever_it_is() {
    let whole = format!("{DOMAIN}{INSTANCE}");
    for (at, _) in whole.match_indices('}') {
        let text = format!("{}{}", &whole[..at], &whole[at + 1..]);
        let sources = [Source::new("shop.rddl", text.as_str())];
        let document = read(&sources, &ReadOptions::default());
        let errors: Vec<_> = document
            .diagnostics()
            .iter()
            .filter(|one| one.severity() == herbrand_text::Severity::Error)
            .map(herbrand_rddl::Diagnostic::code)
            .collect();
        assert_eq!(
            errors.len(),
            1,
            "{errors:?} without the brace after\n{}",
            &whole[..at]
        );
    }
}

#[test]
fn one_parameter_is_singular() {
    one_fault(
        "[PRICE(?p) * stock(?p)]",
        "[PRICE(?p, ?p) * stock(?p)]",
        Code::ArityMismatch,
        &["`PRICE` has 1 parameter, not 2"],
    );
    one_fault(
        "stock(pear) = 7",
        "stock = 7",
        Code::ArityMismatch,
        &["`stock` has 1 parameter, not 0"],
    );
    one_fault(
        "open' = open;",
        "open'(?x) = open;",
        Code::ArityMismatch,
        &["`open` has 0 parameters, not 1"],
    );
    one_fault(
        "Poisson(1.5)",
        "Poisson(1.5, 2)",
        Code::ArityMismatch,
        &["`Poisson` takes 1 argument, not 2"],
    );
}

#[test]
fn constant_probabilities_are_added_up() {
    let weather = |weights: &str| {
        format!(
            "domain d {{
                types {{ sky : {{ @sun, @rain }}; }};
                pvariables {{ now : {{ state-fluent, sky, default = @sun }}; P : {{ non-fluent, real, default = 0.2 }}; }};
                cpfs {{ now' = {weights}; }};
                reward = 0;
            }}"
        )
    };
    let code = |weights: &str| match Domain::from_text(&weather(weights)) {
        Ok(_) => None,
        Err(faults) => Some(faults.to_string()),
    };
    let text = code("Discrete(sky, @sun : 0.8, @rain : 0.3)").unwrap();
    assert!(text.contains("E1203"), "{text}");
    assert!(
        text.contains("1 in sum, not 1.1") && text.contains("`otherwise`"),
        "{text}"
    );
    for wrong in [
        "Discrete(sky, @sun : 1.2, @rain : -0.2)",
        "UnnormDiscrete(sky, @sun : 0, @rain : 0)",
    ] {
        assert!(code(wrong).is_some(), "{wrong}");
    }
    for right in [
        "Discrete(sky, @sun : 0.7, @rain : 0.3)",
        "Discrete(sky, @sun : P, @rain : 0.3)",
        "Discrete(sky, @sun : 0.7, @rain : otherwise)",
        "UnnormDiscrete(sky, @sun : 2, @rain : 3)",
    ] {
        assert!(code(right).is_none(), "{right}");
    }
}

#[test]
fn fluents_have_their_articles_and_parameters_in_messages() {
    one_fault(
        "open' = open;",
        "open' = order';",
        Code::WrongPrime,
        &["it is an action-fluent"],
    );
    one_fault(
        "stock'(?p) = stock(?p) + order(?p) - Poisson(1.5);",
        "",
        Code::MissingCpf,
        &["add `stock'(?p) = …;` to `cpfs`"],
    );
    one_fault(
        "stock'(?p) =",
        "stock'(_) =",
        Code::VectorIndex,
        &["`rain(?f) = MultivariateNormal[?f](MU(_), COV(_, _));`"],
    );
}

#[test]
fn numbers_outside_the_range_of_a_distribution_are_warned_about() {
    for (expression, message) in [
        (
            "Bernoulli(1.5)",
            Some("probability of Bernoulli must be between 0 and 1, not 1.5"),
        ),
        (
            "Bernoulli(-0.1) ^ open",
            Some("probability of Bernoulli must be between 0 and 1, not -0.1"),
        ),
        (
            "Normal(0, -1) > 0",
            Some("variance of Normal must be at least 0, not -1.0"),
        ),
        (
            "Normal(stock(apple), -1) > 0",
            Some("variance of Normal must be at least 0, not -1.0"),
        ),
        (
            "Binomial(-1, .5) > 0",
            Some("trials of Binomial must be an integer of at least 0, not -1.0"),
        ),
        (
            "Binomial(3, 2) > 0",
            Some("probability of Binomial must be between 0 and 1, not 2.0"),
        ),
        (
            "Uniform(2, 1) > 0",
            Some("high of Uniform must be at least the lower bound, not 1.0"),
        ),
        (
            "Geometric(0) > 1",
            Some("probability of Geometric must be greater than 0 and at most 1, not 0.0"),
        ),
        ("Uniform(2, stock(apple)) > 0", None),
        ("Bernoulli(1) ^ Normal(-3, 0) < 2 ^ Poisson(0) == 0", None),
    ] {
        let expression = expression.replace("stock(apple)", "(sum_{?q : product} [stock(?q)])");
        let domain = DOMAIN.replace("open' = open", &format!("open' = {expression}"));
        let found = warnings(&domain, INSTANCE);
        let found: Vec<_> = found
            .iter()
            .filter(|one| one.code() == Code::ParameterOutOfRange)
            .collect();
        let messages: Vec<_> = found.iter().map(|one| one.message()).collect();
        assert_eq!(messages, message.as_slice(), "{expression}");
        assert!(
            found
                .iter()
                .all(|one| one.severity() == herbrand_text::Severity::Warning)
        );
    }
}

/// Returns the messages of the warnings about missing defaults.
fn missing_defaults(domain: &str, instance: &str) -> Vec<String> {
    let found = warnings(domain, instance);
    let missing = found.iter().filter(|one| one.code() == Code::MissingDefault);
    missing.map(|one| one.message().to_owned()).collect()
}

/// Returns the diagnostics of a domain and an instance that have no errors.
fn warnings(domain: &str, instance: &str) -> Vec<herbrand_rddl::Diagnostic> {
    let sources = [Source::new("domain", domain), Source::new("instance", instance)];
    let document = read(&sources, &ReadOptions::default());
    let mut found = Vec::new();
    for one in document.domains() {
        let domain = one.check();
        found.extend(domain.diagnostics);
        let domain = Arc::new(domain.value.unwrap());
        found.extend(
            document
                .instances()
                .flat_map(|one| one.check(&domain).diagnostics),
        );
    }
    found
}

#[test]
fn values_that_are_nowhere_given_are_warned_about() {
    assert!(missing_defaults(DOMAIN, INSTANCE).is_empty());
    let without = DOMAIN.replace("int, default = 2 }", "int }");
    assert_eq!(
        missing_defaults(&without, INSTANCE),
        ["the non-fluent `PRICE` has no default, and no value for 1 of its 2 arguments"]
    );
    let given = INSTANCE.replace("PRICE(apple) = 3;", "PRICE(apple) = 3; PRICE(pear) = 1;");
    assert!(missing_defaults(&without, &given).is_empty());
    let none = INSTANCE.replace("PRICE(apple) = 3;", "");
    assert_eq!(
        missing_defaults(&without, &none),
        ["the non-fluent `PRICE` has no default and no values"]
    );
    // A domain cannot name an object as the default of an action.
    let send = DOMAIN.replace("open           :", "send : { action-fluent, product }; open :");
    assert!(missing_defaults(&send, INSTANCE).is_empty());
    let amount = DOMAIN.replace("int, default = 0 }", "int }");
    assert_eq!(
        missing_defaults(&amount, INSTANCE),
        ["the action fluent `order` has no default"]
    );
}

#[test]
fn declarations_are_enough_to_check_an_instance() {
    let domain = DOMAIN.replace("open' = open;", "open' = oven;");
    let instance = INSTANCE.replace("stock(pear)", "stock(peer)");
    let sources = [Source::new("domain", &domain), Source::new("instance", &instance)];
    let document = read(&sources, &ReadOptions::default());
    let unchecked = document.domains().next().unwrap();
    assert!(unchecked.check().value.is_none());
    let declarations = Arc::new(unchecked.declarations().unwrap());
    let found = document
        .instances()
        .next()
        .unwrap()
        .check(&declarations)
        .diagnostics;
    assert_eq!(
        found
            .iter()
            .map(herbrand_rddl::Diagnostic::code)
            .collect::<Vec<_>>(),
        [Code::UnknownItem]
    );
    let sources = [Source::new(
        "domain",
        &DOMAIN.replace(", int, default = 5", ", itn, default = 5"),
    )];
    let document = read(&sources, &ReadOptions::default());
    assert!(document.domains().next().unwrap().declarations().is_none());
}

#[test]
fn a_branch_of_another_range_is_named() {
    one_fault(
        "open' = open;",
        "open' = if (open) then KronDelta(true) else if (open) then DiracDelta(1.0) else open;",
        Code::TypeMismatch,
        &[
            "^^^^^^^^^^^^^^^ this is of `real`",
            "`DiracDelta` is for reals; `KronDelta` is for bools, ints and items",
        ],
    );
    one_fault(
        "open' = open;",
        "open' = if (open) then 2 else open;",
        Code::TypeMismatch,
        &["  ^ this is of `int`", "compare it"],
    );
}

#[test]
fn a_dollar_before_an_object_is_one_fault() {
    let help = "leave out the `$`";
    one_fault("stock(pear)", "stock($pear)", Code::Unexpected, &[help]);
    one_fault(
        "default = true };",
        "default = $true };",
        Code::Unexpected,
        &[help],
    );
}

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

/// Returns the codes of the diagnostics of the farm after a replacement in its domain or instance, and their text.
fn farm(changes: &[(&str, &str)]) -> (Vec<&'static str>, String) {
    let mut texts = [FARM.to_owned(), HILL.to_owned()];
    for (from, to) in changes {
        let count: usize = texts.iter().map(|text| text.matches(from).count()).sum();
        assert_eq!(count, 1, "{from}");
        texts = texts.map(|text| text.replace(from, to));
    }
    let sources = [
        Source::new("farm", texts[0].as_str()),
        Source::new("hill", texts[1].as_str()),
    ];
    let document = read(&sources, &ReadOptions::default());
    let mut found = document.diagnostics().to_vec();
    for one in document.domains() {
        let checked = one.check();
        found.extend(checked.diagnostics);
        let domain = checked.value.or_else(|| one.declarations());
        if let Some(domain) = domain.map(Arc::new) {
            let instances = document.instances();
            found.extend(instances.flat_map(|one| one.check(&domain).diagnostics));
        }
    }
    let codes = found.iter().map(|one| one.code().as_str()).collect();
    let text: Vec<String> = found
        .iter()
        .map(|one| one.render(herbrand_text::Style::Plain))
        .collect();
    (codes, text.join("\n"))
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
fn text_outside_of_the_blocks_is_an_error() {
    let domain = Arc::new(Domain::from_text(DOMAIN).unwrap());
    for stray in ["trailing", "(foo)", "domin d2 { }", "}", "42;"] {
        for text in [format!("{DOMAIN}\n{stray}"), format!("{stray}\n{DOMAIN}")] {
            assert!(Domain::from_text(&text).is_err(), "{text}");
            assert!(Instance::from_text(&text, INSTANCE).is_err(), "{text}");
        }
        for text in [format!("{INSTANCE}\n{stray}"), format!("{stray}\n{INSTANCE}")] {
            let sources = [Source::new("instance", &text)];
            assert!(Instance::parse(&sources, &domain).is_err(), "{text}");
        }
    }
    // A syntax fault and the other faults of an instance are reported together.
    let faulty = INSTANCE.replace("stock(pear)", "stok(pear)");
    let faults = Instance::from_text(DOMAIN, &format!("{faulty} trailing")).unwrap_err();
    assert_eq!(faults.diagnostics().len(), 2, "{faults}");
}
