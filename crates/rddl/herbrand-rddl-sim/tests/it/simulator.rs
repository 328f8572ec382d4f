//! Joint actions, preconditions, seeds and states of simulators; a step does not allocate.

use std::sync::Arc;

use herbrand_core::{ActionCount, Choice, Described as _, FieldValue, Random, System};
use herbrand_distributions::Quantiles;
use herbrand_rddl::{Instance, Source};
use herbrand_rddl_sim::ground::compile;
use herbrand_rddl_sim::simulate::{FluentValue, Preconditions, RddlSimulator};
use herbrand_rddl_sim::suite::RddlSuite;

const DOMAIN: &str = "
    domain mixed {
        types { o : object; e : { @low, @high }; };
        pvariables {
            LINK(o, o) : { non-fluent, bool, default = false };
            COV(o, o)  : { non-fluent, real, default = 0.0 };
            on(o)      : { state-fluent, bool, default = false };
            count(o)   : { state-fluent, int, default = 0 };
            level(o)   : { state-fluent, real, default = 1.0 };
            grade      : { state-fluent, e, default = @low };
            part(o)    : { interm-fluent, real };
            seen(o)    : { observ-fluent, bool };
            press(o)   : { action-fluent, bool, default = false };
            push       : { action-fluent, real, default = 0.0 };
        };
        cpfs {
            part(?i) = Dirichlet[?i](level(_));
            on'(?i) = if (press(?i)) then true
                      else Bernoulli(0.2 + 0.5 * [exists_{?j : o} (LINK(?i, ?j) ^ on(?j))]);
            count'(?i) = count(?i) + Poisson(level(?i)) + Binomial(5, 0.5);
            level'(?i) = min[9.0, 1.0 + abs[MultivariateNormal[?i](part(_), COV(_, _))] + Gamma(level(?i), 2.0)];
            grade' = Discrete(e, @low : 0.4, @high : 0.6);
            seen(?i) = on'(?i) ^ Bernoulli(0.9);
        };
        reward = (sum_{?i : o} on(?i)) + push * level'(argmax_{?i : o} level'(?i));
        action-preconditions { push <= 2.0; push >= -1.0; forall_{?i : o} [press(?i) => ~on(?i)]; };
        termination { forall_{?i : o} [count(?i) > 100000000]; };
    }";

const INSTANCE: &str = "
    instance few {
        domain = mixed;
        objects { o : { a, b, c }; };
        non-fluents { LINK(a, b); LINK(b, c); COV(a, a) = 1.0; COV(b, b) = 2.0; COV(c, c) = 1.5; };
        max-nondef-actions = 2;
        horizon = 20;
        discount = 1.0;
    }";

#[test]
fn a_step_allocates_nothing() {
    let instance = Arc::new(Instance::from_text(DOMAIN, INSTANCE).unwrap());
    let compiled = Arc::new(compile(&instance).unwrap());
    for preconditions in Preconditions::ALL {
        let mut simulator = RddlSimulator::new(Arc::clone(&compiled), preconditions);
        let (mut random, mut joint) = (Random::new(1), Vec::with_capacity(8));
        let mut mask = vec![0; simulator.actions().mask_len()];
        let mut walk = || {
            for _ in 0..500 {
                simulator.write_mask(&mut mask);
                assert!(simulator.sample(&mut random, &mut joint));
                simulator.step(&joint, &mut random).unwrap();
            }
            simulator.restart();
        };
        walk();
        assert_eq!(
            allocation_counter::measure(walk).count_total,
            0,
            "{preconditions:?}"
        );
    }
}

/// A simulator of the problem above.
fn simulator(preconditions: Preconditions) -> RddlSimulator {
    let instance = Arc::new(Instance::from_text(DOMAIN, INSTANCE).unwrap());
    RddlSimulator::new(Arc::new(compile(&instance).unwrap()), preconditions)
}

fn set(field: u32, value: FieldValue) -> Choice {
    Choice { field, value }
}

#[test]
fn preconditions_bound_numbers_and_mask_choices() {
    let mut simulator = simulator(Preconditions::Refused);
    let push = &simulator.actions().fields()[3];
    assert_eq!(
        push.domain,
        herbrand_core::FieldDomain::Real { low: -1.0, high: 2.0 }
    );
    let press = |at: u32| set(at, FieldValue::Discrete(1));
    simulator
        .step(&[press(0), press(1)], &mut Random::new(3))
        .unwrap();
    let mut mask = vec![9; simulator.actions().mask_len() + 1];
    simulator.write_mask(&mut mask);
    let on = |at: usize| u8::from(simulator.fluent(at).number() == 1.0);
    // A lamp that is on cannot be pressed. Doing nothing is always allowed.
    assert_eq!(mask, [1, 1 - on(0), 1, 1 - on(1), 1, 1 - on(2), 0]);
    assert_eq!((on(0), on(1)), (1, 1));
    assert!(!simulator.is_valid(&[press(0)]));
    assert!(!simulator.is_valid(&[set(3, FieldValue::Real(2.5))]));
    assert!(simulator.is_valid(&[set(3, FieldValue::Real(1.5))]));
    let before = simulator.state().clone();
    let refused = simulator.step(&[press(0)], &mut Random::new(3)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "action precondition 3 does not hold for this action in this state: forall_{?i : o} [press(?i) => ~on(?i)]"
    );
    assert_eq!(*simulator.state(), before);
}

#[test]
fn violations_are_told_and_malformed_actions_refused() {
    let mut simulator = simulator(Preconditions::Reported);
    let push = set(3, FieldValue::Real(5.0));
    assert_eq!(simulator.would_violate(&[push]).unwrap(), [0]);
    assert_eq!(simulator.violated().count(), 0);
    simulator.step(&[push], &mut Random::new(3)).unwrap();
    assert_eq!(simulator.violated().collect::<Vec<_>>(), [0]);
    let press = |at: u32| set(at, FieldValue::Discrete(1));
    let mut refusal = |joint: &[Choice]| {
        simulator
            .step(joint, &mut Random::new(3))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refusal(&[press(0), press(1), press(2)]),
        "3 action fluents are set, and at most 2 may be at once"
    );
    assert_eq!(refusal(&[press(0), press(0)]), "`press___a` is set twice");
    assert_eq!(
        refusal(&[press(1), press(0), press(1)]),
        "`press___b` is set twice"
    );
    assert_eq!(
        refusal(&[press(9)]),
        "there is no action field number 9: there are 4"
    );
}

#[test]
fn what_is_observed_comes_with_a_step() {
    let mut simulator = simulator(Preconditions::Reported);
    assert_eq!(simulator.observed(0), None);
    simulator.step(&[], &mut Random::new(3)).unwrap();
    assert!(simulator.observed(0).is_some() && simulator.interm(0).is_some());
    simulator.restart();
    assert_eq!(simulator.observed(0), None);
}

#[test]
fn derived_facts_are_of_the_current_state_and_interm_facts_of_the_last_step() {
    let text = "
        domain shop {
            pvariables {
                stock : { state-fluent, int, default = 2 };
                twice : { derived-fluent, int };
                sold : { interm-fluent, int };
                order : { action-fluent, int, default = 0 };
            };
            cpfs {
                twice = 2 * stock;
                sold = min[twice, stock] + order - order;
                stock' = stock + order;
            };
            reward = sold;
        }
        instance i { domain = shop; max-nondef-actions = 1; horizon = 5; discount = 1.0; }";
    let suite = RddlSuite::from_sources(&[Source::new("text", text)]).unwrap();
    let mut simulator = suite.simulator(0).unwrap();
    let facts = |simulator: &RddlSimulator| {
        let mut facts = Vec::new();
        simulator.facts(&mut |fact| facts.push(fact.to_string()));
        facts.sort();
        facts
    };
    assert_eq!(facts(&simulator), ["(stock) = 2", "(twice) = 4"]);
    simulator
        .step(&[set(0, FieldValue::Int(5))], &mut Random::new(1))
        .unwrap();
    assert_eq!(facts(&simulator), ["(sold) = 2", "(stock) = 7", "(twice) = 14"]);
}

#[test]
fn joint_actions_are_checked_together_when_they_are_parsed() {
    let text = "domain coins {
            types { coin : object; };
            pvariables {
                BIAS(coin) : { non-fluent, real, default = 0.5 };
                heads(coin) : { state-fluent, bool, default = false };
                toss(coin) : { action-fluent, bool, default = false };
                bet : { action-fluent, int, default = 0 };
            };
            cpfs { heads'(?c) = toss(?c) ^ Bernoulli(BIAS(?c)); };
            reward = bet;
            action-preconditions { bet >= 0; bet <= 3; };
        }
        instance i { domain = coins; objects { coin : { a, b }; }; max-nondef-actions = 1; horizon = 5; discount = 1.0; }";
    let suite = RddlSuite::from_sources(&[Source::new("text", text)]).unwrap();
    let mut simulator = suite.simulator(0).unwrap();
    for (text, expected) in [
        ("toss(a)", Ok(1)),
        ("()", Ok(0)),
        ("bet = 2, toss(b) = false, toss(a) = false", Ok(3)),
        ("bet = 9", Ok(1)),
        (
            "toss(a), toss(b)",
            Err("2 action fluents are set, and at most 1 may be at once"),
        ),
        ("bet = 1, bet = 0", Err("`bet` is set twice")),
        (
            "tos(a)",
            Err("`tos` is not an action of this problem; did you mean `toss`?"),
        ),
        (
            "tos___a",
            Err("`tos___a` is not an action of this problem; did you mean `toss___a`?"),
        ),
    ] {
        let read = simulator.parse_joint(text).map_err(|error| error.to_string());
        assert_eq!(
            read.as_ref().map(Vec::len),
            expected.map_err(str::to_owned).as_ref().copied(),
            "{text}"
        );
        // `ActionLayout::check` agrees, except about the ranges of numbers.
        if let Ok(joint) = read
            && text != "bet = 9"
        {
            assert!(joint.is_sorted_by_key(|choice| choice.field), "{text}");
            assert_eq!(simulator.actions().check(&joint), Ok(()), "{text}");
            simulator.step(&joint, &mut Random::new(1)).unwrap();
        }
    }
    let outside = simulator.parse_joint("bet = 9").unwrap();
    assert!(!simulator.explain_action(&outside).valid);
}

#[test]
fn a_seed_fixes_a_trajectory_and_states_are_restored() {
    let (mut one, mut other) = (
        simulator(Preconditions::Reported),
        simulator(Preconditions::Reported),
    );
    let (mut random, mut again) = (Random::new(5), Random::new(5));
    for _ in 0..50 {
        let (a, b) = (
            one.step(&[], &mut random).unwrap(),
            other.step(&[], &mut again).unwrap(),
        );
        assert_eq!(a, b);
        assert_eq!(one.state(), other.state());
    }
    let kept = one.state().clone();
    one.step(&[], &mut random).unwrap();
    one.set_state(&kept).unwrap();
    let (a, b) = (
        one.step(&[], &mut again.clone()).unwrap(),
        other.step(&[], &mut again).unwrap(),
    );
    assert_eq!(a, b);
}

#[test]
fn samples_are_valid_and_set_every_field() {
    let mut simulator = simulator(Preconditions::Refused);
    let (mut random, mut joint) = (Random::new(2), Vec::new());
    let mut seen = [0; 4];
    for _ in 0..400 {
        assert!(simulator.sample(&mut random, &mut joint));
        assert!(simulator.is_valid(&joint), "{joint:?}");
        joint.iter().for_each(|choice| seen[choice.field as usize] += 1);
        simulator.step(&joint, &mut random).unwrap();
    }
    assert!(seen.iter().all(|&times| times > 20), "{seen:?}");
}

#[test]
fn samples_of_many_fields_set_each_once() {
    let text = "
        domain d {
            types { o : object; };
            pvariables { on(o) : { state-fluent, bool, default = false }; press(o) : { action-fluent, bool, default = false }; };
            cpfs { on'(?o) = press(?o); };
            reward = sum_{?o : o} on(?o);
        }";
    let objects: Vec<String> = (0..20_000).map(|number| format!("o{number}")).collect();
    let instance = format!(
        "instance i {{ domain = d; objects {{ o : {{ {} }}; }}; max-nondef-actions = pos-inf; horizon = 3; discount = 1.0; }}",
        objects.join(", ")
    );
    let instance = Arc::new(Instance::from_text(text, &instance).unwrap());
    let mut simulator = RddlSimulator::new(Arc::new(compile(&instance).unwrap()), Preconditions::Reported);
    let (mut random, mut joint) = (Random::new(4), Vec::new());
    for _ in 0..20 {
        assert!(simulator.sample(&mut random, &mut joint));
        let reward = {
            simulator.step(&joint, &mut random).unwrap();
            simulator.step(&[], &mut random).unwrap().reward
        };
        // Each field occurs once, so the reward is the number of choices.
        assert_eq!(reward, joint.len() as f64);
    }
}

/// Returns the number of valid joint actions in the initial state of a problem with these action fluents and preconditions.
fn joint_actions(actions: &str, preconditions: &str, limit: &str) -> ActionCount {
    let text = format!(
        "domain d {{
            types {{ lamp : object; mode : {{ @low, @mid, @high }}; }};
            pvariables {{ stock : {{ state-fluent, int, default = 3 }}; {actions} }};
            cpfs {{ stock' = stock; }};
            reward = 0;
            action-preconditions {{ {preconditions} }};
        }}
        non-fluents f {{ domain = d; objects {{ lamp : {{ a, b, c, e }}; }}; }}
        instance i {{ domain = d; non-fluents = f; {limit} horizon = 9; discount = 1.0; }}"
    );
    let suite = RddlSuite::from_sources(&[Source::new("text", &text)]).unwrap();
    suite.simulator(0).unwrap().count_valid()
}

#[test]
fn joint_actions_are_counted() {
    const PRESS: &str = "press(lamp) : { action-fluent, bool, default = false };";
    const ORDER: &str = "order(lamp) : { action-fluent, int, default = 0 };";
    const LIMITS: &str = "forall_{?l : lamp} [order(?l) >= 0 ^ order(?l) <= 5];";
    let finite = ActionCount::Finite;
    for (actions, preconditions, limit, expected) in [
        (PRESS, "", "max-nondef-actions = 1;", finite(5.0)),
        (PRESS, "", "max-nondef-actions = 2;", finite(11.0)),
        (PRESS, "", "", finite(16.0)),
        (PRESS, "", "max-nondef-actions = 0;", finite(1.0)),
        // Tried one by one in the state.
        (PRESS, "(sum_{?l : lamp} press(?l)) <= 1;", "", finite(5.0)),
        (PRESS, "(sum_{?l : lamp} press(?l)) >= 2;", "", finite(11.0)),
        (PRESS, "(sum_{?l : lamp} press(?l)) <= stock;", "", finite(15.0)),
        (PRESS, "stock == 4;", "", finite(0.0)),
        (
            "set : { action-fluent, mode, default = @mid };",
            "",
            "",
            finite(3.0),
        ),
        (
            &format!("{PRESS} set : {{ action-fluent, mode, default = @mid }};"),
            "",
            "max-nondef-actions = 1;",
            finite(7.0),
        ),
        (
            &format!("{PRESS} set : {{ action-fluent, mode, default = @mid }};"),
            "",
            "",
            finite(48.0),
        ),
        // The preconditions are bounds of single fluents: 6^4, and 1 + 4 * 5.
        (ORDER, LIMITS, "", finite(1296.0)),
        (ORDER, LIMITS, "max-nondef-actions = 1;", finite(21.0)),
        (
            ORDER,
            &format!("{LIMITS} (sum_{{?l : lamp}} order(?l)) <= stock;"),
            "",
            finite(35.0),
        ),
        // 101^4 is too many to try, but can be counted.
        (
            ORDER,
            "forall_{?l : lamp} [order(?l) >= 0 ^ order(?l) <= 100];",
            "",
            finite(104_060_401.0),
        ),
        (
            ORDER,
            "forall_{?l : lamp} [order(?l) >= 0 ^ order(?l) <= 100]; (sum_{?l : lamp} order(?l)) <= stock;",
            "",
            // Four numbers with a sum of at most 3.
            finite(35.0),
        ),
        // The default is out of bounds, so doing nothing is not valid.
        (
            ORDER,
            "forall_{?l : lamp} [order(?l) >= 1 ^ order(?l) <= 2];",
            "",
            finite(16.0),
        ),
        (ORDER, "", "", ActionCount::Infinite),
        (ORDER, "", "max-nondef-actions = 0;", finite(1.0)),
        (
            ORDER,
            "forall_{?l : lamp} [order(?l) <= 100];",
            "",
            ActionCount::Infinite,
        ),
        (
            ORDER,
            "forall_{?l : lamp} [order(?l) >= 0 ^ order(?l) <= stock];",
            "",
            ActionCount::Finite(256.0),
        ),
        (
            "force : { action-fluent, real, default = 0.0 };",
            "force >= -1.0; force <= 1.0;",
            "",
            ActionCount::Infinite,
        ),
    ] {
        assert_eq!(
            joint_actions(actions, preconditions, limit),
            expected,
            "{actions} {preconditions} {limit}"
        );
    }
}

#[test]
fn fmod_of_two_ints_is_an_int() {
    let simulator = |divisor: i64| {
        let instance = Instance::from_text(
            "domain clock {
                pvariables {
                    N : { non-fluent, int, default = 3 };
                    n : { state-fluent, int, default = -7 };
                    x : { state-fluent, real, default = -7.5 };
                    tick : { action-fluent, bool, default = false };
                };
                cpfs { n' = fmod[n, N]; x' = fmod[x, 2]; };
                reward = fmod[tick, 2];
            }",
            &format!(
                "non-fluents some {{ domain = clock; non-fluents {{ N = {divisor}; }}; }}
                 instance one {{
                    domain = clock; non-fluents = some; max-nondef-actions = 1; horizon = 5; discount = 1.0;
                 }}"
            ),
        );
        let compiled = compile(&Arc::new(instance.unwrap())).unwrap();
        RddlSimulator::new(Arc::new(compiled), Preconditions::Reported)
    };
    let mut clock = simulator(3);
    clock.step(&[], &mut Random::new(1)).unwrap();
    assert_eq!(clock.fluent(0), FluentValue::Int(2));
    assert_eq!(clock.fluent(1), FluentValue::Real(0.5));
    assert_eq!(
        simulator(0)
            .step(&[], &mut Random::new(1))
            .unwrap_err()
            .to_string(),
        "n (domain:8): an int is divided by 0"
    );
}

/// A chain of operators is evaluated from left to right, in the range of the operands so far.
#[test]
fn chains_are_evaluated_from_the_left() {
    let most = i64::MAX as f64;
    for (chain, expected) in [
        ("8 - 2 + 1 - 10", -3.0),
        ("9223372036854775807 + 1 + 0.5", -most + 0.5),
        ("0.5 + 9223372036854775807 + 1", most),
        ("7 / 2 * 2 * 3", 21.0),
        ("2 * 3 / 4 / 5 * 10", 3.0),
        ("0.1 + 0.2 + 0.3 - 0.6", 0.1 + 0.2 + 0.3 - 0.6),
        ("1 + 2 * 3 - 4 * 5 / 10 + q", 5.0),
        ("if (b => b => b) then 1 else 0", 0.0),
        ("if (~b => b => b) then 1 else 0", 1.0),
        ("if (b <=> b <=> b) then 1 else 0", 0.0),
        ("if (b | ~b ^ ~b ^ b | ~b) then 1 else 0", 1.0),
        ("if (~b ^ ~b ^ b) then 1 else 0", 0.0),
    ] {
        let text = format!(
            "domain d {{ types {{ t : object; }}; pvariables {{ q : {{ state-fluent, real, default = 0.0 }}; \
             b : {{ state-fluent, bool, default = false }}; }}; cpfs {{ q' = {chain}; b' = b; }}; reward = 0; }}"
        );
        let instance = "instance i { domain = d; objects { t : { o }; }; horizon = 1; discount = 1.0; }";
        let instance =
            Arc::new(Instance::from_text(&text, instance).unwrap_or_else(|faults| panic!("{faults}")));
        let mut simulator =
            RddlSimulator::new(Arc::new(compile(&instance).unwrap()), Preconditions::Reported);
        simulator.advance(&[], &Quantiles::at(0.5)).unwrap();
        let place = (0..2).map(|place| simulator.fluent(place));
        let found: Vec<_> = place
            .filter(|value| matches!(value, FluentValue::Real(_)))
            .collect();
        assert_eq!(found, [FluentValue::Real(expected)], "{chain}");
    }
}
