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
    let checked = unchecked.check();
    assert!(checked.value.is_none());
    let declarations = Arc::new(checked.declared.unwrap());
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
    assert!(document.domains().next().unwrap().check().declared.is_none());
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
