//! Benchmarks of parsing and printing a problem with 72,000 facts and 300 objects.
#![allow(missing_docs, reason = "criterion's macro makes a public function")]

#[path = "../examples/throughput/task.rs"]
mod task;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use herbrand_pddl::{Domain, Problem, Source};

fn parse(criterion: &mut Criterion) {
    let domain = Domain::from_text(task::DOMAIN).expect("the domain is right");
    let source = Source::new("problem.pddl", &task::problem());
    let mut group = criterion.benchmark_group("pddl");
    group.throughput(Throughput::Bytes(source.text().len() as u64));
    group.bench_function("parse and check 72,000 facts", |bencher| {
        bencher.iter(|| Problem::parse(black_box(&source), &domain));
    });
    let problem = Problem::parse(&source, &domain).expect("the problem is right");
    group.bench_function("print 72,000 facts", |bencher| {
        bencher.iter(|| black_box(&problem).to_pddl(&domain));
    });
    group.finish();
}

criterion_group!(benches, parse);
criterion_main!(benches);
