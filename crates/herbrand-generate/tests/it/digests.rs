//! What is generated is the same on every machine: digests recorded once.

use std::fmt::Write;

use herbrand_generate::Generator;

/// Name and digest of problem and plan on each line. When a change of a generator is meant, the new text is what the
/// test prints; then the same seed makes other problems than before, which the changelog has to say.
const RECORDED: &str = include_str!("digests.txt");

/// FNV-1a with 64 bits.
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
