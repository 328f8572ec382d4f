//! Property tests of edits on random models.

use herbrand_edit::{Edit, EditRules, Ground, History, PlanningModel, difference};
use herbrand_pddl::strategies::{Shape, tasks};
use herbrand_pddl::{PredicateKind, Problem};
use proptest::prelude::*;
use proptest::sample::Index;

/// Generates a random model and random choices for edits of it.
fn models() -> impl Strategy<Value = (PlanningModel, Vec<Choices>)> {
    let choices = proptest::collection::vec(any::<Choices>(), 1..6);
    (tasks(&Shape::timed()), choices)
        .prop_map(|((domain, problem), choices)| (PlanningModel::new(domain, problem), choices))
}

type Choices = (u8, Index, Index, Vec<Index>);

/// Returns a name that no object has.
fn fresh(problem: &Problem, number: usize) -> String {
    (number..)
        .map(|number| format!("thing-{number}"))
        .find(|name| problem.objects.iter().all(|object| object.name.as_str() != name))
        .expect("numbers do not end")
}

/// Returns edits that may be faulty.
fn edits(model: &PlanningModel, choices: &[Choices]) -> Vec<Edit> {
    let (domain, problem) = (model.domain(), model.problem());
    let object = |index: &Index| match problem.objects.as_slice() {
        [] => "nobody".to_owned(),
        objects => index.get(objects).name.to_string(),
    };
    let fact = |which: &Index, arguments: &[Index]| {
        let predicates: Vec<_> = domain
            .predicates
            .iter()
            .filter(|one| one.kind != PredicateKind::Derived)
            .collect();
        let Some(predicate) = (!predicates.is_empty()).then(|| which.get(&predicates)) else {
            return Ground::new("nothing", []);
        };
        let names =
            (0..predicate.parameters.len()).map(|place| object(arguments.get(place).unwrap_or(which)));
        let names: Vec<_> = names.collect();
        Ground::new(predicate.name.as_str(), names.iter().map(String::as_str))
    };
    let existing = |which: &Index| match problem.init.len() {
        0 => None,
        count => problem.init.get(which.index(count)).map(|fact| {
            let names = fact.arguments.iter().map(|&id| problem.object(id).name.as_str());
            Ground::new(domain.predicate(fact.predicate).name.as_str(), names)
        }),
    };
    let one = |(number, (kind, first, second, arguments)): (usize, &Choices)| match kind % 7 {
        0 => Edit::AddFact {
            fact: fact(first, arguments),
        },
        1 => Edit::DeleteFact {
            fact: existing(first).unwrap_or_else(|| fact(second, arguments)),
        },
        2 => Edit::ReplaceFact {
            fact: existing(first).unwrap_or_else(|| fact(second, arguments)),
            with: fact(second, arguments),
        },
        3 => Edit::AddObject {
            object: fresh(problem, number),
            of: Some(first.get(&domain.types).name.to_string()),
        },
        4 => Edit::RenameObject {
            object: object(first),
            to: fresh(problem, 100 + number),
        },
        5 => Edit::MergeObject {
            object: object(first),
            into: object(second),
        },
        _ => Edit::DeleteObject {
            object: object(first),
            cascade: true,
        },
    };
    choices.iter().enumerate().map(one).collect()
}

proptest! {
    /// A batch gives the same model as its edits one at a time, and that model is unchanged after printing and parsing.
    #[test]
    fn a_batch_does_what_its_edits_do_one_by_one((model, choices) in models()) {
        let edits = edits(&model, &choices);
        let together = model.apply(&edits, &EditRules::default());
        let one_by_one = edits.iter().try_fold(model, |model, edit| {
            model.apply(std::slice::from_ref(edit), &EditRules::default())
        });
        if let Ok(together) = together {
            let read = Problem::from_text(&together.problem_text(), together.domain());
            prop_assert_eq!(&read.expect("a sound problem"), &**together.problem());
            prop_assert_eq!(one_by_one.expect("each is sound"), together);
        }
    }

    /// Applying the difference of two models to the first gives the second.
    #[test]
    fn the_difference_leads_there((model, choices) in models()) {
        let sound: Vec<_> = edits(&model, &choices)
            .into_iter()
            .scan(model.clone(), |now, edit| {
                let next = now.apply(std::slice::from_ref(&edit), &EditRules::default());
                if let Ok(next) = next {
                    *now = next;
                }
                Some(now.clone())
            })
            .collect();
        for other in &sound {
            let Some(edits) = difference(&model, other) else {
                // Merging, deleting and renaming may change function values and timed literals, which edits cannot set.
                prop_assert!(!model.problem().values.is_empty() || !model.problem().chances.is_empty()
                    || !model.problem().timed.is_empty() || model.problem().metric.is_some() || other.problem().objects.iter().any(|one| one.types.types().len() > 1));
                continue;
            };
            let reached = model.apply(&edits, &EditRules::default());
            prop_assert_eq!(reached.map(|model| model.sorted()), Ok(other.sorted()));
        }
        prop_assert_eq!(difference(&model, &model), Some(Vec::new()));
    }

    /// Renaming an object and renaming it back restores the model. No other name changes.
    #[test]
    fn renaming_is_token_safe((model, choices) in models()) {
        let own = &model.problem().objects[model.problem().constants as usize..];
        prop_assume!(!own.is_empty());
        let old = choices[0].1.get(own).name.to_string();
        // The new name begins with the old one, so a textual renaming would confuse them.
        let new = format!("{old}0-other");
        let rename = |object: &str, to: &str| Edit::RenameObject { object: object.to_owned(), to: to.to_owned() };
        let renamed = model.apply(&[rename(&old, &new)], &EditRules::default()).expect("a new name");
        for (before, after) in model.problem().objects.iter().zip(&renamed.problem().objects) {
            let expected = if before.name.as_str() == old { new.as_str() } else { before.name.as_str() };
            prop_assert_eq!(after.name.as_str(), expected);
        }
        prop_assert_eq!(&renamed.problem().init, &model.problem().init);
        let back = renamed.apply(&[rename(&new, &old)], &EditRules::default());
        prop_assert_eq!(back, Ok(model));
    }

    /// Undo restores each earlier model, and redo each later one.
    #[test]
    fn undo_restores((model, choices) in models()) {
        let mut history = History::new(model.clone());
        let mut seen = vec![model.clone()];
        for edit in edits(&model, &choices) {
            if history.apply(&[edit], &EditRules::default()).is_ok() {
                seen.push(history.model().clone());
            }
        }
        for before in seen.iter().rev().skip(1) {
            prop_assert!(history.undo());
            prop_assert_eq!(history.model(), before);
        }
        prop_assert!(!history.undo());
        for after in &seen[1..] {
            prop_assert!(history.redo());
            prop_assert_eq!(history.model(), after);
        }
        prop_assert!(!history.redo());
    }
}
