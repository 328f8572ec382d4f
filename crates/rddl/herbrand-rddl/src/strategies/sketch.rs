//! Random declarations.

use std::fmt::Write as _;

use super::Shape;
use super::choices::Choices;
use super::expression::{Author, Fluent, Sort};

/// The declarations of a domain.
pub(super) struct Vocabulary {
    /// By type: its size, and whether it is an enum.
    pub(super) types: Vec<(usize, bool)>,
    pub(super) fluents: Vec<Declared>,
}

/// A declared pvariable.
pub(super) struct Declared {
    pub(super) kind: &'static str,
    pub(super) fluent: Fluent,
}

/// Writes the texts of a domain and an instance.
pub(super) fn texts(shape: &Shape, numbers: Vec<u32>) -> (String, String) {
    let mut choices = Choices::new(numbers);
    let vocabulary = vocabulary(shape, &mut choices);
    let domain = domain(shape, &vocabulary, &mut choices);
    let instance = instance(&vocabulary, &mut choices);
    (domain, instance)
}

const KINDS: [(&str, &str); 6] = [
    ("state-fluent", "s"),
    ("action-fluent", "a"),
    ("non-fluent", "N"),
    ("interm-fluent", "i"),
    ("derived-fluent", "d"),
    ("observ-fluent", "o"),
];

fn vocabulary(shape: &Shape, choices: &mut Choices) -> Vocabulary {
    // The first type is an object type.
    let count = 1 + choices.below(3);
    let types: Vec<(usize, bool)> = (0..count)
        .map(|index| {
            let is_enum = index > 0 && choices.below(2) == 1;
            (1 + choices.below(shape.objects.max(1)), is_enum)
        })
        .collect();
    let mut fluents = Vec::new();
    for (kind, letter) in KINDS {
        // At least one state fluent and one action fluent.
        let least = usize::from(matches!(letter, "s" | "a"));
        let count = least + choices.below(shape.pvariables.max(1));
        for number in 0..count {
            let parameters = (0..choices.below(3))
                .map(|_| choices.below(types.len()))
                .collect();
            let sort = match choices.below(6) {
                0 | 1 => Sort::Bool,
                2 => Sort::Int,
                3 | 4 => Sort::Real,
                _ => Sort::Item(choices.below(types.len())),
            };
            let fluent = Fluent {
                name: format!("{letter}{number}"),
                parameters,
                sort,
            };
            fluents.push(Declared { kind, fluent });
        }
    }
    Vocabulary { types, fluents }
}

fn domain(shape: &Shape, vocabulary: &Vocabulary, choices: &mut Choices) -> String {
    let mut text = String::from("domain random {\n  types {\n");
    for (index, &(size, is_enum)) in vocabulary.types.iter().enumerate() {
        if is_enum {
            let values: Vec<String> = (0..size).map(|value| format!("@v{index}-{value}")).collect();
            let _ = writeln!(text, "    t{index} : {{ {} }};", values.join(", "));
        } else {
            let _ = writeln!(text, "    t{index} : object;");
        }
    }
    text.push_str("  };\n  pvariables {\n");
    for declared in &vocabulary.fluents {
        text += &declaration(declared, vocabulary, choices);
    }
    text.push_str("  };\n  cpfs {\n");
    let written = vocabulary.fluents.iter().filter(|one| !is_input(one.kind));
    for declared in written {
        text += &cpf(shape, declared, vocabulary, choices);
    }
    text.push_str("  };\n");
    let reward = author(shape, "reward", None, vocabulary, choices).expression(Sort::Real, shape.depth);
    let _ = writeln!(text, "  reward = {reward};");
    for (section, rule) in [
        ("action-preconditions", "precondition"),
        ("state-invariants", "invariant"),
        ("termination", "invariant"),
    ] {
        let count = choices.below(3);
        if count > 0 {
            let _ = writeln!(text, "  {section} {{");
            for _ in 0..count {
                let condition =
                    author(shape, rule, None, vocabulary, choices).expression(Sort::Bool, shape.depth);
                let _ = writeln!(text, "    {condition};");
            }
            text.push_str("  };\n");
        }
    }
    text + "}\n"
}

fn is_input(kind: &str) -> bool {
    matches!(kind, "non-fluent" | "action-fluent")
}

fn declaration(declared: &Declared, vocabulary: &Vocabulary, choices: &mut Choices) -> String {
    let fluent = &declared.fluent;
    let types: Vec<String> = fluent.parameters.iter().map(|of| format!("t{of}")).collect();
    let parameters = if types.is_empty() {
        String::new()
    } else {
        format!("({})", types.join(", "))
    };
    let range = match fluent.sort {
        Sort::Bool => "bool".to_owned(),
        Sort::Int => "int".to_owned(),
        Sort::Real => "real".to_owned(),
        Sort::Item(of) => format!("t{of}"),
    };
    let has_default = matches!(declared.kind, "state-fluent" | "action-fluent" | "non-fluent");
    let default = match fluent.sort {
        Sort::Item(of) if !vocabulary.types[of].1 => None,
        sort => Some(constant(sort, vocabulary, choices)),
    };
    let default = match default.filter(|_| has_default) {
        Some(value) => format!(", default = {value}"),
        None => String::new(),
    };
    format!(
        "    {}{parameters} : {{ {}, {range}{default} }};\n",
        fluent.name, declared.kind
    )
}

/// Writes a constant of a sort.
fn constant(sort: Sort, vocabulary: &Vocabulary, choices: &mut Choices) -> String {
    match sort {
        Sort::Bool => choices.pick(&["false", "true"]).to_owned(),
        Sort::Int => choices.pick(&["0", "1", "2", "-1", "7"]).to_owned(),
        Sort::Real => choices.pick(&["0.0", "1.0", "0.5", "-2.25", "3"]).to_owned(),
        Sort::Item(of) => {
            let (size, is_enum) = vocabulary.types[of];
            let item = choices.below(size);
            if is_enum {
                format!("@v{of}-{item}")
            } else {
                format!("x{of}-{item}")
            }
        }
    }
}

/// Creates an author of formulas for `rule`, with the fluents that such a formula may read. A computed fluent reads only
/// computed fluents before it, so that there are no cycles.
fn author<'a>(
    shape: &Shape,
    rule: &str,
    before: Option<&str>,
    vocabulary: &'a Vocabulary,
    choices: &'a mut Choices,
) -> Author<'a> {
    let may_draw = matches!(
        rule,
        "state-fluent" | "interm-fluent" | "observ-fluent" | "reward"
    );
    let mut author = Author::new(
        vocabulary,
        choices,
        if may_draw {
            shape.draws
        } else {
            super::Drawing::None
        },
    );
    for declared in &vocabulary.fluents {
        let fluent = &declared.fluent;
        let is_before = before.is_none_or(|name| fluent.name.as_str() < name);
        let is_own_kind_before = declared.kind != rule || is_before;
        let readable = match (rule, declared.kind) {
            (_, "non-fluent") => true,
            ("observ-fluent", "state-fluent") => false,
            (_, "state-fluent") => true,
            ("derived-fluent" | "invariant", "action-fluent") => false,
            (_, "action-fluent") => true,
            (_, "derived-fluent") => is_own_kind_before,
            ("derived-fluent" | "invariant" | "precondition", "interm-fluent") => false,
            (_, "interm-fluent") => is_own_kind_before,
            _ => false,
        };
        if readable {
            author.may_read(fluent, "");
        }
        let next = match rule {
            "state-fluent" => is_before,
            "observ-fluent" | "reward" => true,
            _ => false,
        };
        if declared.kind == "state-fluent" && next {
            author.may_read(fluent, "'");
        }
    }
    author
}

fn cpf(shape: &Shape, declared: &Declared, vocabulary: &Vocabulary, choices: &mut Choices) -> String {
    let fluent = &declared.fluent;
    let mut author = author(shape, declared.kind, Some(&fluent.name), vocabulary, choices);
    let parameters: Vec<String> = fluent.parameters.iter().map(|&of| author.bind(of)).collect();
    let body = author.expression(fluent.sort, shape.depth);
    let prime = match declared.kind {
        "state-fluent" => "'",
        _ => "",
    };
    let head = if parameters.is_empty() {
        format!("{}{prime}", fluent.name)
    } else {
        format!("{}{prime}({})", fluent.name, parameters.join(", "))
    };
    format!("    {head} = {body};\n")
}

fn instance(vocabulary: &Vocabulary, choices: &mut Choices) -> String {
    let mut text = String::from("instance evening {\n  domain = random;\n  objects {\n");
    for (index, &(size, is_enum)) in vocabulary.types.iter().enumerate() {
        if !is_enum {
            let names: Vec<String> = (0..size).map(|item| format!("x{index}-{item}")).collect();
            let _ = writeln!(text, "    t{index} : {{ {} }};", names.join(", "));
        }
    }
    text.push_str("  };\n");
    for (section, kind) in [("non-fluents", "non-fluent"), ("init-state", "state-fluent")] {
        let mut settings = String::new();
        for declared in vocabulary.fluents.iter().filter(|one| one.kind == kind) {
            for arguments in tuples(&declared.fluent.parameters, vocabulary) {
                if choices.rarely(2) {
                    let value = constant(declared.fluent.sort, vocabulary, choices);
                    let arguments = if arguments.is_empty() {
                        String::new()
                    } else {
                        format!("({})", arguments.join(", "))
                    };
                    let _ = writeln!(settings, "    {}{arguments} = {value};", declared.fluent.name);
                }
            }
        }
        if !settings.is_empty() {
            let _ = write!(text, "  {section} {{\n{settings}  }};\n");
        }
    }
    let limit = choices.pick(&["pos-inf", "1", "2", "3"]);
    let horizon = 1 + choices.below(12);
    let discount = choices.pick(&["1.0", "0.9"]);
    text + &format!("  max-nondef-actions = {limit};\n  horizon = {horizon};\n  discount = {discount};\n}}\n")
}

/// Returns all lists of items for some parameters.
fn tuples(parameters: &[usize], vocabulary: &Vocabulary) -> Vec<Vec<String>> {
    let mut tuples = vec![Vec::new()];
    for &of in parameters {
        let (size, is_enum) = vocabulary.types[of];
        let sign = if is_enum { "@v" } else { "x" };
        tuples = tuples
            .into_iter()
            .flat_map(|tuple: Vec<String>| {
                (0..size).map(move |item| {
                    let mut longer = tuple.clone();
                    longer.push(format!("{sign}{of}-{item}"));
                    longer
                })
            })
            .collect();
    }
    tuples
}
