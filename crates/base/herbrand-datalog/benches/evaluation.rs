//! Benchmarks of evaluation and queries on typical programs.

use std::hint::black_box;
use std::ops::ControlFlow;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use herbrand_datalog::{Evaluator, Facts, Program, Queries, RelationId, Symbol};

/// A program with its input.
struct Case {
    name: &'static str,
    program: Program,
    facts: Facts,
}

/// Parses a program, and adds facts over numbered symbols to relations by name.
fn case(name: &'static str, rules: &str, input: &[(&str, Vec<Vec<u32>>)]) -> Case {
    let (mut program, mut facts) = Program::parse(rules).unwrap_or_default();
    for (relation, tuples) in input {
        let named = |id: &RelationId| program.relations()[id.index()].name == *relation;
        let Some(id) = program.relation_ids().find(named) else {
            continue;
        };
        for tuple in tuples {
            let tuple: Vec<Symbol> = tuple.iter().map(|symbol| Symbol::new(*symbol)).collect();
            program.reserve_symbols(tuple.iter().map(|symbol| symbol.number() + 1).max().unwrap_or(0));
            facts.add(id, &tuple);
        }
    }
    Case { name, program, facts }
}

/// Returns a generator of deterministic pseudo-random numbers less than `below`.
fn numbers(seed: u64, below: u32) -> impl FnMut() -> u32 {
    let mut state = seed;
    move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(below)) as u32
    }
}

/// Returns pairs of pseudo-random numbers less than `below`.
fn pairs(count: u32, below: u32) -> Vec<Vec<u32>> {
    let mut next = numbers(7, below);
    (0..count).map(|_| vec![next(), next()]).collect()
}

fn cases() -> Vec<Case> {
    let paths = "path(X, Y) :- edge(X, Y). path(X, Z) :- edge(X, Y), path(Y, Z).";
    let generation = "same(X, X) :- person(X).
        same(X, Y) :- parent(X, V), same(V, W), parent(Y, W).";
    // Packages 0..200 are loaded into trucks 200..260, which drive between places 260..420.
    let logistics = "in(O, T) :- package(O), truck(T), at(O, L), at(T, L).
        at(O, L) :- package(O), truck(T), in(O, T), at(T, L).
        at(T, M) :- truck(T), at(T, L), road(L, M).";
    let place = |number: u32| 260 + number % 160;
    let roads: Vec<Vec<u32>> = pairs(800, 160)
        .iter()
        .map(|pair| vec![place(pair[0]), place(pair[1])])
        .collect();
    let unary = |range: std::ops::Range<u32>| range.map(|symbol| vec![symbol]).collect::<Vec<_>>();
    // Satellites 0..20 turn between directions 20..320.
    let satellite = "points(S, To) :- points(S, From), direction(To).
        image(D, I) :- points(S, D), aboard(I, S), warm(I).
        warm(I) :- aboard(I, S), points(S, D), target(I, D).";
    vec![
        case("paths", paths, &[("edge", pairs(700, 600))]),
        case(
            "generations",
            generation,
            &[("parent", pairs(900, 800)), ("person", unary(0..800))],
        ),
        case(
            "logistics",
            logistics,
            &[
                ("package", unary(0..200)),
                ("truck", unary(200..260)),
                ("road", roads),
                (
                    "at",
                    (0..260).map(|thing| vec![thing, place(thing * 13)]).collect(),
                ),
            ],
        ),
        case(
            "satellite",
            satellite,
            &[
                ("direction", unary(20..320)),
                (
                    "points",
                    (0..20).map(|satellite| vec![satellite, 20 + satellite]).collect(),
                ),
                (
                    "aboard",
                    (0..40)
                        .map(|instrument| vec![320 + instrument, instrument % 20])
                        .collect(),
                ),
                (
                    "target",
                    (0..40)
                        .map(|instrument| vec![320 + instrument, 30 + instrument])
                        .collect(),
                ),
            ],
        ),
    ]
}

fn evaluation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("evaluation");
    for Case { name, program, facts } in cases() {
        let Ok(evaluator) = Evaluator::new(&program) else {
            continue;
        };
        let mut firings = 0;
        let mut sink = |_: &herbrand_datalog::Firing<'_>| {
            firings += 1;
            ControlFlow::Continue(())
        };
        let _ = evaluator.run(&facts, &mut sink);
        group.throughput(Throughput::Elements(firings));
        group.bench_function(name, |bencher| {
            bencher.iter(|| black_box(evaluator.run(&facts, &mut ()).map(|model| model.len())));
        });
    }
    group.finish();
}

fn queries(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("queries");
    for Case { name, program, facts } in cases() {
        let Ok(mut queries) = Queries::new(&program, &facts) else {
            continue;
        };
        let prepared: Vec<_> = program
            .rule_ids()
            .filter_map(|rule| queries.prepare(rule, &[]))
            .collect();
        let mut database = queries.database();
        facts.iter().for_each(|(relation, tuple)| {
            database.insert(relation, tuple);
        });
        let all = |database: &herbrand_datalog::Database| {
            let mut found = 0;
            for query in &prepared {
                let _ = query.for_each(database, &[], |_| {
                    found += 1;
                    ControlFlow::<()>::Continue(())
                });
            }
            found
        };
        group.throughput(Throughput::Elements(all(&database).max(1)));
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
            bencher.iter(|| black_box(all(&database)));
        });
    }
    group.finish();
}

criterion_group!(benches, evaluation, queries);
criterion_main!(benches);
