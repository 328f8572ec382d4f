//! The numbers of gym-pddlworld's README.

use std::collections::{HashMap, VecDeque};

use herbrand_core::{Described, Problems, Random, System};
use herbrand_env::{ActionMode, Suite};
use herbrand_pddlworld::{SchemaPart, Sign, Sketch, Target, Verdict};

use crate::engine_successors;

/// Returns all models of two operators and two propositions.
fn all_models(target: &Target) -> impl Iterator<Item = Sketch> {
    (0..3_u32.pow(8)).map(|number| {
        let mut rest = number;
        Sketch::from_signs(target.vocabulary(), |_, _, _| {
            let sign = Sign::from_number(rest % 3).expect("below three");
            rest /= 3;
            sign
        })
    })
}

#[test]
fn the_light_switch_is_that_of_the_readme() {
    let target = Target::light_switch();
    let vocabulary = target.vocabulary();
    let empty = Sketch::empty(vocabulary);
    let numbers = |sketch: &Sketch| sketch.integers(vocabulary).map(|number| number.to_string());
    assert_eq!(numbers(&empty), ["1170", "1170"]);
    assert_eq!(numbers(target.sketch()), ["1297", "612"]);
    assert_eq!(empty.changes_to(target.sketch(), vocabulary).len(), 6);
    assert!(vocabulary.is_propositional());
    assert_eq!(
        target.table(target.sketch()),
        "preconditions 1297, effects 612
             0 (on)   1 (lit)
0 turn-on    - → +    · → +
1 turn-off   + → -    · → -
"
    );
}

#[test]
fn one_of_all_models_is_equivalent_and_144_plan_and_validate() {
    let target = Target::light_switch();
    let (mut count, mut equivalent, mut solving) = (0, Vec::new(), 0);
    for sketch in all_models(&target) {
        count += 1;
        solving += usize::from(target.solved(&sketch, 1000) == 2);
        if target.is_equivalent(&sketch) {
            equivalent.push(sketch);
        }
    }
    assert_eq!((count, solving), (6561, 144));
    assert_eq!(equivalent, [target.sketch().clone()]);
}

/// The engine confirms the counts on every 13th model: the transitions in all four states, and plans by breadth-first
/// search.
#[test]
fn the_engine_counts_the_same() {
    let target = Target::light_switch();
    let states = [vec![], vec!["(on)"], vec!["(lit)"], vec!["(lit)", "(on)"]];
    let states = states.map(|state| state.into_iter().map(str::to_owned).collect::<Vec<_>>());
    let aims = states
        .clone()
        .map(|state| engine_successors(&target.model(target.sketch(), 0).expect("a model"), &state));
    for sketch in all_models(&target).step_by(13) {
        let model = target.model(&sketch, 0).expect("a model");
        let same = (0..4).all(|state| engine_successors(&model, &states[state]) == aims[state]);
        assert_eq!(target.is_equivalent(&sketch), same, "{sketch:?}");
        for problem in 0..2 {
            let solved = engine_solves(&target, &sketch, problem);
            assert_eq!(
                target.verdict(&sketch, problem, 1000).is_solved(),
                solved,
                "{sketch:?}"
            );
        }
    }
}

/// Returns whether the first shortest plan of a model reaches the goal in the target, according to the engine.
fn engine_solves(target: &Target, sketch: &Sketch, problem: usize) -> bool {
    let system = |sketch: &Sketch| {
        let model = target.model(sketch, problem).expect("a model");
        let suite = Suite::from_problems(
            (**model.domain()).clone(),
            [(**model.problem()).clone()],
            ActionMode::Operators,
        );
        suite.expect("a suite").system(0).expect("a problem")
    };
    let (mut model, mut aim) = (system(sketch), system(target.sketch()));
    let (mut open, mut plans) = (VecDeque::from([model.state().clone()]), HashMap::new());
    plans.insert(format!("{:?}", model.state()), Vec::<String>::new());
    let mut found = None;
    while found.is_none()
        && let Some(state) = open.pop_front()
    {
        model.set_state(&state).expect("its state");
        let plan = plans[&format!("{state:?}")].clone();
        if model.status().goal {
            found = Some(plan);
            break;
        }
        // In the order of the operators.
        let mut choices = Vec::new();
        model.choices(&mut choices);
        choices.sort_by_key(|&choice| model.choice_text(choice) != "(turn-on)");
        for choice in choices {
            let name = model.choice_text(choice);
            model
                .step(&[choice], &mut Random::new(0))
                .expect("a valid action");
            plans.entry(format!("{:?}", model.state())).or_insert_with(|| {
                open.push_back(model.state().clone());
                plan.iter().cloned().chain([name]).collect()
            });
            model.set_state(&state).expect("its state");
        }
    }
    let Some(plan) = found else {
        return false;
    };
    for name in plan {
        let Ok(choice) = aim.parse_choice(&name) else {
            return false;
        };
        if !aim.is_valid(&[choice]) {
            return false;
        }
        aim.step(&[choice], &mut Random::new(0)).expect("a valid action");
    }
    aim.status().goal
}

#[test]
fn verdicts_say_what_became_of_the_plan() {
    let target = Target::light_switch();
    let edited = |edits: &[(SchemaPart, usize, usize, Sign)]| {
        let mut sketch = target.sketch().clone();
        for &(part, operator, literal, sign) in edits {
            sketch.set(herbrand_pddlworld::SignEdit {
                part,
                operator,
                literal,
                sign,
            });
        }
        target.verdict(&sketch, 0, 1000)
    };
    assert_eq!(edited(&[]), Verdict::Solved { steps: 1 });
    // In this model, turning off lights the lamp and is always applicable.
    let off = [
        (SchemaPart::Precondition, 1, 0, Sign::Absent),
        (SchemaPart::Effect, 1, 1, Sign::Positive),
    ];
    assert_eq!(
        edited(&[off[0], off[1], (SchemaPart::Effect, 0, 1, Sign::Absent)]),
        Verdict::Inapplicable { step: 0 }
    );
    assert_eq!(
        edited(&[(SchemaPart::Effect, 0, 1, Sign::Absent)]),
        Verdict::NoPlan
    );
    assert_eq!(
        edited(&[(SchemaPart::Effect, 0, 1, Sign::Absent), off[1]]),
        Verdict::Missed
    );
    assert_eq!(
        target.verdict(&Sketch::empty(target.vocabulary()), 0, 1),
        Verdict::NoPlan
    );
}
