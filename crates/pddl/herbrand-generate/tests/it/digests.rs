//! The generated problems are equal on every machine: they are compared with recorded digests.

use std::fmt::Write;

use herbrand_generate::Generator;

/// A name and the digest of problem and plan per line. After an intended change of a generator, replace the file by the text
/// that the test prints, and mention in the changelog that the seeds give other problems.
const RECORDED: &str = include_str!("digests.txt");

/// Returns the 64-bit FNV-1a hash.
fn digest(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

#[test]
fn the_same_numbers_make_the_same_text_everywhere() {
    let mut now = String::new();
    for generator in Generator::all() {
        let sizes = [*generator.sizes().start(), 8];
        let texts = sizes.map(|size| {
            let problem = generator
                .generate(7, size, 3)
                .unwrap_or_else(|error| panic!("{error}"));
            problem.problem.clone() + &problem.plan_text()
        });
        writeln!(now, "{} {:016x}", generator.name(), digest(&texts.concat())).expect("a string takes all");
    }
    assert_eq!(now, RECORDED, "\n{now}");
}
