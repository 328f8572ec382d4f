//! Sentences from names that collide with the words of sentences.

use std::collections::HashMap;

use herbrand_core::{Fact, FactValue, Group};
use herbrand_verbalize::{Parameter, Syntax, TextObject, TextSymbol, TextTerm, TextVocabulary, Wording};
use proptest::collection::vec;
use proptest::prelude::*;

/// Names of objects, types, predicates and actions are drawn from the same few words.
const WORDS: &[&str] = &[
    "a", "b", "on", "is", "the", "at", "to", "with", "and", "a-b", "block", "is-on", "A", "not", "1",
];

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(WORDS).prop_map(str::to_owned),
        (prop::sample::select(WORDS), prop::sample::select(WORDS))
            .prop_map(|(one, two)| format!("{one}-{two}")),
    ]
}

fn symbol() -> impl Strategy<Value = TextSymbol> {
    (
        name(),
        vec((name(), prop::sample::select(vec!["block", "a", "object"])), 0..4),
        any::<bool>(),
    )
        .prop_map(|(name, parameters, has_value)| TextSymbol {
            name,
            parameters: parameters
                .into_iter()
                .map(|(name, of)| Parameter {
                    name,
                    types: vec![of.to_owned()],
                })
                .collect(),
            has_value,
        })
}

fn vocabulary() -> impl Strategy<Value = TextVocabulary> {
    let object =
        (name(), prop::sample::select(vec!["block", "a", "object"])).prop_map(|(name, of)| TextObject {
            name,
            types: vec![of.to_owned()],
        });
    let syntax = prop::sample::select(vec![Syntax::Pddl, Syntax::Rddl]);
    (
        syntax,
        vec(symbol(), 1..6),
        vec(symbol(), 1..6),
        vec(object, 1..5),
    )
        .prop_map(|(syntax, mut facts, mut actions, mut objects)| {
            for list in [&mut facts, &mut actions] {
                list.sort_by(|one, two| one.name.cmp(&two.name));
                list.dedup_by(|one, two| one.name == two.name);
            }
            objects.sort_by(|one, two| one.name.cmp(&two.name));
            objects.dedup_by(|one, two| one.name == two.name);
            TextVocabulary {
                syntax,
                facts,
                actions,
                objects,
                types: vec!["block".to_owned(), "a".to_owned(), "object".to_owned()],
            }
        })
}

/// Returns all facts or actions over the objects, whatever their types.
fn ground(symbols: &[TextSymbol], objects: &[TextObject]) -> Vec<TextTerm> {
    let mut terms = Vec::new();
    for symbol in symbols {
        let mut lists: Vec<Vec<String>> = vec![Vec::new()];
        for _ in &symbol.parameters {
            let longer = lists.iter().flat_map(|list| {
                objects.iter().map(move |object| {
                    let mut list = list.clone();
                    list.push(object.name.clone());
                    list
                })
            });
            lists = longer.collect();
        }
        for arguments in lists {
            let values = if symbol.has_value {
                vec![Some("1"), Some("a")]
            } else {
                vec![None]
            };
            for value in values {
                terms.push(TextTerm {
                    name: symbol.name.clone(),
                    arguments: arguments.clone(),
                    value: value.map(str::to_owned),
                });
            }
        }
    }
    terms
}

fn said(wording: &Wording, term: &TextTerm) -> String {
    let arguments: Vec<_> = term.arguments.iter().map(String::as_str).collect();
    wording.fact(&Fact {
        group: Group::Fluent,
        name: &term.name,
        arguments: &arguments,
        value: term
            .value
            .as_deref()
            .map_or(FactValue::Bool(true), FactValue::Symbol),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn different_facts_have_different_sentences(vocabulary in vocabulary()) {
        let wording = Wording::new(vocabulary.clone(), None).expect("there is no table");
        let mut known: HashMap<String, TextTerm> = HashMap::new();
        for term in ground(&vocabulary.facts, &vocabulary.objects) {
            let text = said(&wording, &term);
            // In a state, sentences begin with a capital letter.
            let mut letters = text.chars();
            let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
            let text = first + letters.as_str();
            if let Some(other) = known.insert(text.clone(), term.clone()) {
                prop_assert_eq!(other, term, "{}", text);
            }
        }
        // A clone has made no sentence before.
        let fresh = wording.clone();
        for term in ground(&vocabulary.facts, &vocabulary.objects) {
            prop_assert_eq!(said(&wording, &term), said(&fresh, &term));
        }
    }

    #[test]
    fn sentences_of_actions_are_read_back(vocabulary in vocabulary()) {
        let wording = Wording::new(vocabulary.clone(), None).expect("there is no table");
        let objects = &vocabulary.objects;
        let terms = ground(&vocabulary.actions, objects);
        for term in terms {
            let symbol = vocabulary.actions.iter().find(|one| one.name == term.name).expect("it is an action");
            let typed = symbol.parameters.iter().zip(&term.arguments).all(|(parameter, name)| {
                let object = objects.iter().find(|object| object.name == *name).expect("it is an object");
                parameter.types.iter().any(|of| of == "object" || object.types.contains(of))
            });
            if typed {
                let text = term.text(vocabulary.syntax);
                let sentence = wording.action(&text);
                prop_assert_eq!(wording.read(&sentence, &[]), Ok(text), "{}", sentence);
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(vocabulary in vocabulary(), text in "\\PC{0,40}", words in vec(name(), 0..8)) {
        let wording = Wording::new(vocabulary, None).expect("there is no table");
        for text in [text, words.join(" "), format!("({})", words.join(" ")), words.join("___")] {
            let _ = wording.read(&text, &[]).map_err(|fault| fault.to_string());
            let _ = wording.read_joint(&text, &[]);
            let _ = (wording.goal(&text), wording.explanation(&text), wording.action(&text));
            let _ = wording.changes(std::slice::from_ref(&text), std::slice::from_ref(&text));
        }
    }
}
