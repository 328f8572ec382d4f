//! Valid joint actions: counts, samples and masks agree with trying every joint action.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use herbrand_core::{
    ActionCount, BatchSystem, Choice, EnumeratedSystem, FieldDomain, FieldValue, JointTable, Random, System,
    uniform_below,
};
use herbrand_rddl::{Instance, Source};
use herbrand_rddl_sim::ground::compile;
use herbrand_rddl_sim::simulate::{CompiledInstance, FluentValue, Preconditions, RddlSimulator};
use proptest::prelude::*;

/// Writes random conditions over the fluents of [`model`], chosen by a list of numbers.
struct Writer<'c> {
    choices: std::slice::Iter<'c, u8>,
}

impl Writer<'_> {
    fn next(&mut self, below: u8) -> u8 {
        self.choices.next().map_or(0, |choice| choice % below)
    }

    fn truth(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.next(9) {
                0 => "s".to_owned(),
                1 => "t".to_owned(),
                choice @ 2..=5 => format!("a{}", choice - 2),
                6 => "(e == @x)".to_owned(),
                7 => "(e ~= f)".to_owned(),
                _ => "(n >= 2)".to_owned(),
            };
        }
        let depth = depth - 1;
        match self.next(8) {
            0 => format!("~{}", self.truth(depth)),
            1 => format!("({} ^ {})", self.truth(depth), self.truth(depth)),
            2 => format!("({} | {})", self.truth(depth), self.truth(depth)),
            3 => format!("({} => {})", self.truth(depth), self.truth(depth)),
            4 => format!("({} <=> {})", self.truth(depth), self.truth(depth)),
            5 | 6 => format!("({} <= {})", self.number(depth), self.number(depth)),
            _ => format!("({} == {})", self.number(depth), self.number(depth)),
        }
    }

    fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.next(5) {
                0 => "n".to_owned(),
                1 => "m".to_owned(),
                2 => "(a0 + a1 + a2 + a3)".to_owned(),
                choice => (choice - 2).to_string(),
            };
        }
        let depth = depth - 1;
        match self.next(4) {
            0 => format!("({} + {})", self.number(depth), self.number(depth)),
            1 => format!("({} - {})", self.number(depth), self.number(depth)),
            2 => format!(
                "(if ({}) then {} else {})",
                self.truth(depth),
                self.number(depth),
                self.number(depth)
            ),
            _ => format!("({} + {})", self.truth(depth), self.number(depth)),
        }
    }
}

/// A model with four bool, one enum and one int action fluent.
fn model(conditions: &[Vec<u8>], most: Option<u8>, reals: &str) -> String {
    let preconditions: String = conditions
        .iter()
        .map(|choices| {
            format!(
                "{};\n",
                Writer {
                    choices: choices.iter()
                }
                .truth(3)
            )
        })
        .collect();
    let most = most.map_or("pos-inf".to_owned(), |most| most.to_string());
    format!(
        "domain d {{
            types {{ colour : {{@x, @y, @z}}; }};
            pvariables {{
                s : {{ state-fluent, bool, default = false }};
                t : {{ state-fluent, bool, default = false }};
                m : {{ state-fluent, int, default = 0 }};
                f : {{ state-fluent, colour, default = @x }};
                a0 : {{ action-fluent, bool, default = false }};
                a1 : {{ action-fluent, bool, default = true }};
                a2 : {{ action-fluent, bool, default = false }};
                a3 : {{ action-fluent, bool, default = false }};
                e : {{ action-fluent, colour, default = @y }};
                n : {{ action-fluent, int, default = 1 }};
                {reals}
            }};
            cpfs {{ s' = s; t' = t; m' = m; f' = f; }};
            reward = 0;
            action-preconditions {{ n >= 0; n <= 3; {preconditions} }};
        }}
        instance i {{ domain = d; max-nondef-actions = {most}; horizon = 3; discount = 1.0; }}"
    )
}

fn compiled(text: &str) -> Arc<CompiledInstance> {
    let instance =
        Instance::load(&[Source::new("model", text)]).unwrap_or_else(|faults| panic!("{faults}\n{text}"));
    Arc::new(compile(&Arc::new(instance)).unwrap())
}

/// Writes random conditions over the fluents of [`mixed`].
struct MixedWriter<'c>(Writer<'c>);

impl MixedWriter<'_> {
    fn condition(&mut self) -> String {
        let limit = self.0.next(7);
        match self.0.next(9) {
            0 => format!("f + x <= {limit}"),
            1 => format!("2*f <= x + {limit}"),
            2 => format!("(x > 1) => (f <= {limit})"),
            3 => format!("brake => f <= {limit}"),
            4 => format!("f < x + {limit}.5"),
            5 => format!("~(f > x + {limit})"),
            6 => "f ~= x".to_owned(),
            7 => "go => brake".to_owned(),
            _ => format!("f + g <= x + {limit}"),
        }
    }
}

/// A model whose ints have bounds in a given state only, beside bools and, if `r` is not empty, a real.
fn mixed(conditions: &[Vec<u8>], most: Option<u8>, r: &str) -> String {
    let conditions: String = conditions
        .iter()
        .map(|choices| {
            let choices = choices.iter();
            format!("{};\n", MixedWriter(Writer { choices }).condition())
        })
        .collect();
    let most = most.map_or("pos-inf".to_owned(), |most| most.to_string());
    format!(
        "domain d {{
            pvariables {{
                s : {{ state-fluent, bool, default = false }};
                t : {{ state-fluent, bool, default = false }};
                x : {{ state-fluent, int, default = 0 }};
                y : {{ state-fluent, int, default = 0 }};
                brake : {{ action-fluent, bool, default = false }};
                go : {{ action-fluent, bool, default = false }};
                f : {{ action-fluent, int, default = 0 }};
                g : {{ action-fluent, int, default = 1 }};
                {r}
            }};
            cpfs {{ s' = s; t' = t; x' = x + f; y' = y; }};
            reward = 0;
            action-preconditions {{ f >= 0; g >= 0; f <= x + 6; g <= y + 2; {conditions} }};
        }}
        instance i {{ domain = d; max-nondef-actions = {most}; horizon = 3; discount = 1.0; }}"
    )
}

/// Lists the valid joint actions of [`mixed`], trying all ints up to one that no state of the test allows.
fn mixed_by_trying(simulator: &RddlSimulator) -> BTreeSet<Vec<(u32, i64)>> {
    let most = simulator.actions().most();
    let mut all = BTreeSet::new();
    for (brake, go, f, g) in (0..2).flat_map(|brake| {
        (0..2).flat_map(move |go| (0..13).flat_map(move |f| (0..9).map(move |g| (brake, go, f, g))))
    }) {
        let mut joint = Vec::new();
        for (field, value, default) in [(0, brake, 0), (1, go, 0), (2, f, 0), (3, g, 1)] {
            if value != default {
                let value = if field < 2 {
                    FieldValue::Discrete(value as u32)
                } else {
                    FieldValue::Int(value)
                };
                joint.push(Choice { field, value });
            }
        }
        if joint.len() <= most && simulator.would_violate(&joint).unwrap().is_empty() {
            all.insert(key(&joint));
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Ints that have bounds in a given state only are counted, masked and drawn as all others.
    #[test]
    fn numbers_without_static_bounds_agree_with_trying(
        conditions in prop::collection::vec(prop::collection::vec(any::<u8>(), 3), 0..4),
        most in prop::option::weighted(0.7, 0_u8..5),
        states in prop::array::uniform2((0_i64..6, 0_i64..6)),
        seed in any::<u64>(),
    ) {
        let text = mixed(&conditions, most, "");
        let compiled = compiled(&text);
        for (x, y) in states {
            let simulator = at(&compiled, (false, false, x, y));
            let valid = mixed_by_trying(&simulator);
            prop_assert!(simulator.samples_exactly(), "{} {} {}", x, y, text);
            prop_assert_eq!(simulator.count_valid(), ActionCount::Finite(valid.len() as f64), "{} {} {}", x, y, text);
            let listed: BTreeSet<_> =
                simulator.list_valid(1000).unwrap().iter().map(|joint| key(joint)).collect();
            prop_assert_eq!(&listed, &valid, "{} {} {}", x, y, text);
            let mut mask = vec![2; compiled.actions().mask_len()];
            simulator.write_mask(&mut mask);
            prop_assert_eq!(mask, mask_by_trying(&simulator, &valid), "{} {} {}", x, y, text);
            let counts = frequencies(&simulator, 30, seed);
            prop_assert_eq!(counts.values().sum::<usize>(), if valid.is_empty() { 0 } else { 30 });
            prop_assert!(counts.keys().all(|joint| valid.contains(joint)), "{} {} {}", x, y, text);
        }
    }

    /// Beside a real, every alternative that some valid joint action contains is in the mask, and samples are valid.
    #[test]
    fn numbers_beside_reals_agree_with_trying(
        conditions in prop::collection::vec(prop::collection::vec(any::<u8>(), 3), 0..3),
        most in prop::option::weighted(0.7, 1_u8..5),
        is_coupled in any::<bool>(),
        (x, y) in (0_i64..6, 0_i64..6),
        seed in any::<u64>(),
    ) {
        let real = "r : { action-fluent, real, default = 0.0 };";
        let bounds = if is_coupled { "r >= 0; r <= 1; brake => r <= 0.5;" } else { "r >= 0; r <= x;" };
        let text = mixed(&conditions, most, real).replace("f >= 0;", &format!("f >= 0; {bounds}"));
        let compiled = compiled(&text);
        let simulator = at(&compiled, (false, false, x, y));
        // The real has its default in all of these.
        let valid = mixed_by_trying(&simulator);
        let mut mask = vec![2; compiled.actions().mask_len()];
        simulator.write_mask(&mut mask);
        for (&found, at_least) in mask.iter().zip(mask_by_trying(&simulator, &valid)) {
            prop_assert!(found >= at_least, "{:?} {}", mask, text);
        }
        let (mut random, mut joint) = (Random::new(seed), Vec::new());
        for _ in 0..20 {
            let drawn = simulator.sample(&mut random, &mut joint);
            prop_assert!(drawn || valid.is_empty(), "{}", text);
            prop_assert!(!drawn || simulator.would_violate(&joint).unwrap().is_empty(), "{:?} {}", joint, text);
        }
    }
}

/// All valid joint actions are as likely as each other if `max-nondef-actions` is a limit and an int has bounds in a given
/// state only.
#[test]
fn samples_without_static_bounds_are_uniform() {
    for (condition, x, cells) in [
        ("f <= x + 5", 0, 7),
        ("f + x <= 5", 2, 5),
        ("2*f <= x + 9", 1, 7),
        ("(x > 1) => (f <= 3)", 2, 5),
    ] {
        let text = mixed(&[], Some(1), "")
            .replace("g : { action-fluent, int, default = 1 };", "")
            .replace("go : { action-fluent, bool, default = false };", "")
            .replace("g >= 0; f <= x + 6; g <= y + 2;", &format!("{condition};"));
        let simulator = at(&compiled(&text), (false, false, x, 0));
        assert_eq!(
            simulator.count_valid(),
            ActionCount::Finite(cells as f64),
            "{condition}"
        );
        let draws = 500 * cells;
        let counts = frequencies(&simulator, draws, 9);
        assert_eq!(counts.len(), cells, "{condition}");
        assert!(deviation(&counts, cells, draws) < 5.0, "{condition}: {counts:?}");
        let mut mask = [2; 2];
        simulator.write_mask(&mut mask);
        assert_eq!(mask, [1, 1], "{condition}");
    }
}

/// With a limit, all values of a real other than its default count as one.
#[test]
fn a_real_beside_a_bool_leaves_room_for_it() {
    let real = "r : { action-fluent, real, default = 0.0 };";
    let text = mixed(&[], Some(1), real)
        .replace("f : { action-fluent, int, default = 0 };", "")
        .replace("g : { action-fluent, int, default = 1 };", "")
        .replace("x' = x + f;", "x' = x;")
        .replace("go : { action-fluent, bool, default = false };", "")
        .replace(
            "f >= 0; g >= 0; f <= x + 6; g <= y + 2;",
            "r >= 0; r <= 1; brake => r <= 0.5;",
        );
    let simulator = at(&compiled(&text), (false, false, 0, 0));
    let mut mask = [2; 2];
    simulator.write_mask(&mut mask);
    assert_eq!(mask, [1, 1]);
    let mut drawn = BTreeMap::new();
    for (joint, count) in frequencies(&simulator, 3000, 4) {
        let field = joint.first().map(|&(field, _)| field);
        *drawn.entry(field).or_insert(0) += count;
    }
    assert_eq!(
        drawn.keys().copied().collect::<Vec<_>>(),
        [None, Some(0), Some(1)]
    );
    assert!(
        drawn.values().all(|count| (850..1150).contains(count)),
        "{drawn:?}"
    );
}

/// A simulator in a state with these values.
fn at(compiled: &Arc<CompiledInstance>, (s, t, m, f): (bool, bool, i64, i64)) -> RddlSimulator {
    let mut simulator = RddlSimulator::new(Arc::clone(compiled), Preconditions::Refused);
    let mut state = compiled.initial().clone();
    let section = compiled.state.section();
    let values = [
        FluentValue::Bool(s),
        FluentValue::Bool(t),
        FluentValue::Int(m),
        FluentValue::Int(f),
    ];
    for (fluent, value) in values.into_iter().enumerate() {
        assert!(section.set(&mut state, fluent, value));
    }
    simulator.go_to(&state).unwrap();
    simulator
}

/// Lists all joint actions with at most the allowed number of choices, and keeps the joint actions that violate no
/// precondition.
fn by_trying(simulator: &RddlSimulator) -> BTreeSet<Vec<(u32, i64)>> {
    let layout = simulator.actions();
    let mut all: Vec<Vec<Choice>> = vec![Vec::new()];
    for (field, number) in layout.fields().iter().zip(0..) {
        let values: Vec<FieldValue> = match field.domain {
            FieldDomain::Discrete { count } => (0..count).map(FieldValue::Discrete).collect(),
            FieldDomain::Int { low, high } => (low..=high).map(FieldValue::Int).collect(),
            FieldDomain::Real { .. } => Vec::new(),
        };
        let before = all.clone();
        for value in values.into_iter().filter(|value| field.default != Some(*value)) {
            all.extend(before.iter().map(|joint| {
                let choice = Choice { field: number, value };
                [joint.as_slice(), &[choice]].concat()
            }));
        }
    }
    all.retain(|joint| joint.len() <= layout.most() && simulator.would_violate(joint).unwrap().is_empty());
    all.iter().map(|joint| key(joint)).collect()
}

fn key(joint: &[Choice]) -> Vec<(u32, i64)> {
    let number = |value| match value {
        FieldValue::Discrete(value) => i64::from(value),
        FieldValue::Int(value) => value,
        FieldValue::Real(value) => value.to_bits() as i64,
    };
    joint
        .iter()
        .map(|choice| (choice.field, number(choice.value)))
        .collect()
}

/// Returns the mask that follows from a list of all valid joint actions.
fn mask_by_trying(simulator: &RddlSimulator, valid: &BTreeSet<Vec<(u32, i64)>>) -> Vec<u8> {
    let layout = simulator.actions();
    let mut mask = vec![0; layout.mask_len()];
    for joint in valid {
        for (field, number) in layout.fields().iter().zip(0_u32..) {
            let (FieldDomain::Discrete { .. }, Some(FieldValue::Discrete(default))) =
                (field.domain, field.default)
            else {
                continue;
            };
            let set = joint.iter().find(|(of, _)| *of == number);
            let value = set.map_or(default as usize, |&(_, value)| value as usize);
            mask[layout.mask_offset(number).unwrap() + value] = 1;
        }
    }
    mask
}

/// Draws joint actions and returns how often each occurred.
fn frequencies(simulator: &RddlSimulator, draws: usize, seed: u64) -> BTreeMap<Vec<(u32, i64)>, usize> {
    let (mut random, mut joint) = (Random::new(seed), Vec::new());
    let mut counts = BTreeMap::new();
    for _ in 0..draws {
        if !simulator.sample(&mut random, &mut joint) {
            break;
        }
        *counts.entry(key(&joint)).or_default() += 1;
    }
    counts
}

/// χ² of the counts of `cells` equally likely outcomes, less its mean, in standard deviations.
fn deviation(counts: &BTreeMap<Vec<(u32, i64)>, usize>, cells: usize, draws: usize) -> f64 {
    let expected = draws as f64 / cells as f64;
    let of = |count: f64| (count - expected).powi(2) / expected;
    let seen: f64 = counts.values().map(|&count| of(count as f64)).sum();
    let square = seen + of(0.0) * (cells - counts.len()) as f64;
    let freedom = cells as f64 - 1.0;
    (square - freedom) / (2.0 * freedom).sqrt().max(1.0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn counts_samples_and_masks_agree_with_trying(
        conditions in prop::collection::vec(prop::collection::vec(any::<u8>(), 24), 0..5),
        most in prop::option::weighted(0.7, 0_u8..6),
        state in (any::<bool>(), any::<bool>(), -1_i64..5, 0_i64..3),
        other in (any::<bool>(), any::<bool>(), -1_i64..5, 0_i64..3),
        seed in any::<u64>(),
    ) {
        let text = model(&conditions, most, "");
        let compiled = compiled(&text);
        prop_assert!(compiled.samples_exactly(), "{}", text);
        let mut simulator = at(&compiled, state);
        for state in [state, other] {
            simulator.go_to(at(&compiled, state).values()).unwrap();
            let valid = by_trying(&simulator);
            prop_assert_eq!(simulator.count_valid(), ActionCount::Finite(valid.len() as f64), "{}", text);
            let listed = simulator.list_valid(valid.len()).unwrap();
            prop_assert_eq!(listed.len(), valid.len(), "{}", text);
            prop_assert_eq!(listed.iter().map(|joint| key(joint)).collect::<BTreeSet<_>>(), valid.clone(), "{}", text);
            prop_assert!(valid.is_empty() || simulator.list_valid(valid.len() - 1).is_none());
            let mut mask = vec![2; compiled.actions().mask_len()];
            simulator.write_mask(&mut mask);
            prop_assert_eq!(mask, mask_by_trying(&simulator, &valid), "{}", text);
            let draws = 40;
            let counts = frequencies(&simulator, draws, seed);
            prop_assert_eq!(counts.values().sum::<usize>(), if valid.is_empty() { 0 } else { draws });
            prop_assert!(counts.keys().all(|joint| valid.contains(joint)), "{}", text);
        }
    }
}

/// The first models of a generator with a fixed seed, some in states in which few joint actions are valid.
#[test]
fn samples_are_uniform() {
    let mut random = Random::new(3);
    let (mut tested, mut worst) = (0, 0.0_f64);
    while tested < 150 {
        let conditions: Vec<Vec<u8>> = (0..uniform_below(&mut random, 4) + 1)
            .map(|_| (0..24).map(|_| uniform_below(&mut random, 256) as u8).collect())
            .collect();
        let most = [None, Some(1), Some(2), Some(3)][uniform_below(&mut random, 4) as usize];
        let compiled = compiled(&model(&conditions, most, ""));
        let mut word = |below| i64::from(uniform_below(&mut random, below));
        let state = (word(2) == 1, word(2) == 1, word(5), word(3));
        let simulator = at(&compiled, state);
        let valid = by_trying(&simulator);
        if !(2..=200).contains(&valid.len()) {
            continue;
        }
        let draws = 100 * valid.len();
        let deviation = deviation(&frequencies(&simulator, draws, 7), valid.len(), draws);
        worst = worst.max(deviation);
        tested += 1;
    }
    assert!(worst < 6.0, "{worst} standard deviations");
}

/// Bounds of the state that follow from the transition function keep diagrams small. A state outside them still gets the
/// right answers.
#[test]
fn states_that_no_episode_reaches_are_counted_one_by_one() {
    let text = model(&[], None, "")
        .replace("m' = m;", "m' = min[2, m + 1];")
        .replace("n <= 3;", "n <= 3; a0 + a1 + a2 + a3 + n <= m + 1;");
    let compiled = compiled(&text);
    assert!(compiled.samples_exactly());
    for m in [-9, 0, 1, 2, 3, 5] {
        let simulator = at(&compiled, (false, false, m, 0));
        let valid = by_trying(&simulator);
        assert_eq!(
            simulator.count_valid(),
            ActionCount::Finite(valid.len() as f64),
            "{m}"
        );
        let drawn = frequencies(&simulator, 50, 1);
        assert!(drawn.keys().all(|joint| valid.contains(joint)));
    }
}

/// The preconditions couple reals, so that joint actions are drawn within bounds and checked, or by a Markov chain.
#[test]
fn joint_actions_with_reals_are_valid_and_differ() {
    let real = "r : { action-fluent, real, default = 0.0 }; q : { action-fluent, real, default = 0.0 };";
    let unit = "r >= 0 ^ r <= 1 ^ q >= 0 ^ q <= 1";
    for condition in [
        "r + q <= 1".to_owned(),
        format!("{unit} ^ (r + q >= 1.99 | r + q <= 0.01)"),
    ] {
        let text = model(&[], None, real).replace("n <= 3;", &format!("n <= 3; {condition};"));
        let compiled = compiled(&text);
        assert!(!compiled.samples_exactly());
        let simulator = at(&compiled, (false, true, 0, 0));
        let (mut random, mut joint) = (Random::new(5), Vec::new());
        let mut found = BTreeSet::new();
        for _ in 0..300 {
            assert!(simulator.sample(&mut random, &mut joint));
            assert_eq!(simulator.would_violate(&joint), Ok(Vec::new()), "{condition}");
            found.insert(key(&joint));
        }
        assert!(found.len() > 250, "{condition}: {} joint actions", found.len());
        assert_eq!(simulator.count_valid(), ActionCount::Unknown);
    }
}

/// Components without a diagram, in another order than their fields: every choice of one can be left out.
#[test]
fn unchecked_fields_are_in_ascending_order() {
    let reals = "r : { action-fluent, real, default = 0.0 }; q : { action-fluent, real, default = 0.0 };
                 u : { action-fluent, real, default = 0.0 }; v : { action-fluent, real, default = 0.0 };";
    let pair = |a, b| format!("({a} + {b} == 0 | {a} + {b} >= 1000000)");
    for (first, second) in [(pair("r", "q"), pair("u", "v")), (pair("u", "v"), pair("r", "q"))] {
        let text = model(&[], None, reals).replace("n <= 3;", &format!("n <= 3; {first}; {second};"));
        let simulator = at(&compiled(&text), (false, false, 0, 0));
        let (mut random, mut joint) = (Random::new(2), Vec::new());
        let mut drawn = 0;
        for _ in 0..50 {
            assert!(simulator.sample(&mut random, &mut joint));
            assert_eq!(simulator.would_violate(&joint), Ok(Vec::new()));
            // The other fields keep the values of the last draw.
            drawn += usize::from(!joint.is_empty());
        }
        assert!(drawn > 40, "{drawn}");
    }
}

/// Numbered joint actions keep to the preconditions too, though a step that violates one is only reported.
#[test]
fn numbered_joint_actions_are_valid() {
    let text = model(&[], Some(2), "")
        .replace("n : { action-fluent, int, default = 1 };", "")
        .replace("n >= 0; n <= 3;", "a0 + a2 + a3 <= 1; a0 => s;");
    let compiled = compiled(&text);
    let inner = at(&compiled, (false, false, 0, 0)).with_preconditions(Preconditions::Reported);
    let valid = by_trying(&inner);
    let table = Arc::new(JointTable::of(compiled.actions(), 1000).unwrap());
    let system = EnumeratedSystem::new(inner, Arc::clone(&table));
    assert!(system.is_unrestricted() && !system.offers_all());
    assert_eq!(system.choice_count(), valid.len());
    let mut mask = vec![2; table.len()];
    system.write_mask(&mut mask);
    let (mut random, mut joint) = (Random::new(1), Vec::new());
    for (number, &cell) in mask.iter().enumerate() {
        assert_eq!(cell == 1, valid.contains(&key(table.joint(number))));
        assert!(system.sample(&mut random, &mut joint));
        assert_eq!(mask[joint[0].alternative().unwrap() as usize], 1);
        assert!(system.is_valid(&[Choice::discrete(number as u32)]));
    }
}

#[test]
fn large_sets_of_fields_are_counted_and_drawn() {
    let text = |most: &str, condition: &str| {
        let objects: Vec<String> = (0..2000).map(|number| format!("o{number}")).collect();
        format!(
            "domain d {{
                types {{ thing : object; }};
                pvariables {{
                    on(thing) : {{ state-fluent, bool, default = true }};
                    act(thing) : {{ action-fluent, bool, default = false }};
                }};
                cpfs {{ on'(?t) = on(?t); }};
                reward = 0;
                action-preconditions {{ {condition} }};
            }}
            non-fluents nf {{ domain = d; objects {{ thing : {{{}}}; }}; }}
            instance i {{ domain = d; non-fluents = nf; max-nondef-actions = {most}; horizon = 3; discount = 1.0; }}",
            objects.join(", ")
        )
    };
    let count = |most: &str, condition: &str| {
        let simulator = RddlSimulator::new(compiled(&text(most, condition)), Preconditions::Reported);
        assert!(!frequencies(&simulator, 20, 1).is_empty());
        let listed = simulator.list_valid(5000).map(|list| list.len() as f64);
        assert_eq!(
            listed,
            simulator.count_valid().finite().filter(|&count| count <= 5000.0)
        );
        simulator.count_valid()
    };
    let implied = "forall_{?t : thing} [act(?t) => on(?t)];";
    assert_eq!(count("1", implied), ActionCount::Finite(2001.0));
    assert_eq!(
        count("2", implied),
        ActionCount::Finite(1.0 + 2000.0 + 2000.0 * 1999.0 / 2.0)
    );
    assert_eq!(count("1", ""), ActionCount::Finite(2001.0));
    assert_eq!(count("900", implied), ActionCount::Unknown);
    assert_eq!(count("pos-inf", ""), ActionCount::Unknown);
    let one = "(sum_{?t : thing} [act(?t)]) <= 1;";
    assert_eq!(count("pos-inf", one), ActionCount::Finite(2001.0));
}

/// A sum over many fields is taken apart term by term. The number of joint actions is that of the ways to fill a knapsack.
#[test]
fn long_sums_are_counted_like_knapsacks() {
    let mut random = Random::new(11);
    for (things, capacity, most) in [
        (513, 4_usize, None),
        (700, 2, Some(3_usize)),
        (900, 5, Some(2)),
        (3000, 3, None),
        (600, 0, None),
        // Shorter ones keep an order that is chosen.
        (100, 4, None),
        (40, 3, Some(2)),
        (17, 6, None),
    ] {
        let weights: Vec<usize> = (0..things)
            .map(|_| 1 + uniform_below(&mut random, 3) as usize)
            .collect();
        let is_on: Vec<bool> = (0..things).map(|_| uniform_below(&mut random, 3) > 0).collect();
        let names: Vec<String> = (0..things).map(|number| format!("o{number}")).collect();
        let sizes = names
            .iter()
            .zip(&weights)
            .map(|(name, weight)| format!("SIZE({name}) = {weight};"));
        let on = names
            .iter()
            .zip(&is_on)
            .map(|(name, on)| format!("on({name}) = {on};"));
        let text = format!(
            "domain d {{
                types {{ thing : object; }};
                pvariables {{
                    SIZE(thing) : {{ non-fluent, int, default = 1 }};
                    on(thing) : {{ state-fluent, bool, default = true }};
                    act(thing) : {{ action-fluent, bool, default = false }};
                }};
                cpfs {{ on'(?t) = on(?t); }};
                reward = 0;
                action-preconditions {{
                    (sum_{{?t : thing}} [SIZE(?t) * act(?t)]) <= {capacity};
                    forall_{{?t : thing}} [act(?t) => on(?t)];
                }};
            }}
            non-fluents nf {{ domain = d; objects {{ thing : {{{}}}; }}; non-fluents {{ {} }}; }}
            instance i {{ domain = d; non-fluents = nf; init-state {{ {} }}; max-nondef-actions = {};
                horizon = 3; discount = 1.0; }}",
            names.join(", "),
            sizes.collect::<String>(),
            on.collect::<String>(),
            most.map_or("pos-inf".to_owned(), |most| most.to_string()),
        );
        // By the size of the chosen things and their number: the number of ways.
        let most = most.unwrap_or(capacity);
        let mut ways = vec![vec![0.0; most + 1]; capacity + 1];
        ways[0][0] = 1.0;
        for (&weight, _) in weights.iter().zip(&is_on).filter(|(_, on)| **on) {
            for size in (weight..=capacity).rev() {
                for number in (1..=most).rev() {
                    ways[size][number] += ways[size - weight][number - 1];
                }
            }
        }
        let expected: f64 = ways.iter().flatten().sum();
        let compiled = compiled(&text);
        assert!(compiled.samples_exactly(), "{things}");
        let simulator = RddlSimulator::new(compiled, Preconditions::Refused);
        assert_eq!(simulator.count_valid(), ActionCount::Finite(expected), "{things}");
        let counts = frequencies(&simulator, 30, 1);
        assert_eq!(counts.values().sum::<usize>(), 30);
        for joint in counts.keys() {
            let chosen = joint.iter().map(|&(field, _)| field as usize);
            assert!(chosen.clone().all(|at| is_on[at]) && joint.len() <= most);
            assert!(chosen.map(|at| weights[at]).sum::<usize>() <= capacity);
        }
        if expected <= 100_000.0 {
            assert_eq!(
                simulator.list_valid(100_000).map(|list| list.len() as f64),
                Some(expected)
            );
        }
    }
}

/// One item at most for each of many consumers: the fields of a consumer have a diagram of their own.
#[test]
fn many_sums_are_counted_and_drawn() {
    let names = |letter: &str, count: usize| -> String {
        let names: Vec<String> = (0..count).map(|number| format!("{letter}{number}")).collect();
        names.join(", ")
    };
    for (consumers, items, most, expected) in [
        (100, 90, "pos-inf", ActionCount::Finite(91.0_f64.powi(100))),
        (120, 80, "1", ActionCount::Finite(9601.0)),
        (400, 60, "pos-inf", ActionCount::Unknown),
    ] {
        let text = format!(
            "domain d {{
                types {{ consumer : object; item : object; }};
                pvariables {{
                    s : {{ state-fluent, bool, default = false }};
                    give(consumer, item) : {{ action-fluent, bool, default = false }};
                }};
                cpfs {{ s' = s; }};
                reward = 0;
                action-preconditions {{ forall_{{?c : consumer}} [(sum_{{?i : item}} give(?c, ?i)) <= 1]; }};
            }}
            non-fluents nf {{ domain = d; objects {{ consumer : {{{}}}; item : {{{}}}; }}; }}
            instance i {{ domain = d; non-fluents = nf; max-nondef-actions = {most}; horizon = 3; discount = 1.0; }}",
            names("c", consumers),
            names("i", items)
        );
        let compiled = compiled(&text);
        assert!(compiled.samples_exactly(), "{consumers}");
        let simulator = RddlSimulator::new(compiled, Preconditions::Refused);
        match (simulator.count_valid(), expected) {
            (ActionCount::Finite(found), ActionCount::Finite(expected)) => {
                assert!((found / expected - 1.0).abs() < 1e-9, "{found}, not {expected}");
            }
            (found, expected) => assert_eq!(found, expected),
        }
        let (mut random, mut joint, mut given) = (Random::new(3), Vec::new(), 0);
        for _ in 0..20 {
            assert!(simulator.sample(&mut random, &mut joint));
            assert_eq!(simulator.would_violate(&joint), Ok(Vec::new()));
            given += joint.len();
        }
        // Each consumer gets an item with the same probability, unless one choice is allowed in all.
        let mean = if most == "1" {
            1.0
        } else {
            (consumers * items) as f64 / (items + 1) as f64
        };
        assert!((given as f64 / 20.0 - mean).abs() < 0.05 * mean + 0.1, "{given}");
    }
}

/// The smallest and the largest value of each field in a valid joint action.
#[test]
fn bounds_of_values_follow_from_the_state() {
    let real = "r : { action-fluent, real, default = 0.0 };";
    let text =
        model(&[], None, real).replace("n <= 3;", "n <= 3; n <= m; n + a0 <= 2; r >= 0; r <= 5; r <= m;");
    let compiled = compiled(&text);
    for (m, expected) in [
        (9, (0.0, 2.0)),
        (1, (0.0, 1.0)),
        (0, (0.0, 0.0)),
        (-1, (0.0, 2.0)),
    ] {
        let simulator = at(&compiled, (false, false, m, 0));
        let bounds = simulator.value_bounds();
        let fields = simulator.actions().fields().iter().zip(&bounds);
        let of = |name: &str| {
            fields
                .clone()
                .find(|(field, _)| field.name == name)
                .map(|(_, bounds)| *bounds)
        };
        assert_eq!(of("n"), Some(expected), "{m}");
        // No diagram contains reals.
        assert_eq!(of("r"), Some((0.0, 5.0)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// The bounds of values are those of all valid joint actions.
    #[test]
    fn bounds_of_values_agree_with_trying(
        conditions in prop::collection::vec(prop::collection::vec(any::<u8>(), 24), 0..5),
        most in prop::option::weighted(0.7, 0_u8..6),
        state in (any::<bool>(), any::<bool>(), -1_i64..5, 0_i64..3),
    ) {
        let text = model(&conditions, most, "");
        let simulator = at(&compiled(&text), state);
        let valid = by_trying(&simulator);
        let bounds = simulator.value_bounds();
        for (field, (number, bounds)) in simulator.actions().fields().iter().zip((0_u32..).zip(bounds)) {
            let default = match field.default {
                Some(FieldValue::Discrete(value)) => i64::from(value),
                Some(FieldValue::Int(value)) => value,
                _ => 0,
            };
            let values: BTreeSet<i64> = valid
                .iter()
                .map(|joint| joint.iter().find(|(of, _)| *of == number).map_or(default, |&(_, value)| value))
                .collect();
            if let (Some(first), Some(last)) = (values.first(), values.last()) {
                prop_assert_eq!(bounds, (*first as f64, *last as f64), "{} in {}", field.name, text);
            }
        }
    }
}
