//! The documentation agrees with the program.

use std::fs;

use herbrand_generate::Generator;

#[test]
fn every_generator_has_its_row_in_the_documentation() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../docs/reference/generators.md"
    );
    let text = fs::read_to_string(path).expect("the page");
    let rows: Vec<_> = text.lines().filter(|line| line.starts_with("| `")).collect();
    let heads: Vec<_> = Generator::all()
        .iter()
        .map(|g| {
            format!(
                "| `{}` | {} | {}–{} | ",
                g.name(),
                g.size_meaning(),
                g.sizes().start(),
                g.sizes().end()
            )
        })
        .collect();
    assert_eq!(rows.len(), heads.len());
    for (row, head) in rows.iter().zip(&heads) {
        assert!(
            row.starts_with(head) && row.len() > head.len() + 20,
            "{row}\nis to begin with\n{head}"
        );
    }
}
