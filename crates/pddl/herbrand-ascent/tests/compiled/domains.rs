//! The compiled domains.

/// Defines a test for each domain, which compares its results with the engine's for problems in the domain's folder.
macro_rules! compiled {
    ($($domain:ident: $path:literal, [$($problem:literal),+];)*) => {
        mod subjects {
            $(crate::subject::subject!($domain: $path);)*
        }

        $(#[test]
        fn $domain() {
            // Paths are relative to the folder of this crate.
            let file = |path: &std::path::Path| {
                std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("the file is there")
            };
            let path = std::path::Path::new($path);
            let problems = [$($problem),+].map(|problem| file(&path.with_file_name(problem)));
            crate::agreement::check::<subjects::$domain::Problem>(&file(path), &problems);
        })*
    };
}

compiled! {
    blocks_derived: "../../../domains/blocks-derived/domain.pddl", ["train/01.pddl", "train/05.pddl", "test/01.pddl"];
    crafting: "../../../domains/crafting/domain.pddl", ["train/01.pddl", "train/05.pddl", "test/01.pddl"];
    elevator_adl: "../../../domains/elevator-adl/domain.pddl", ["train/01.pddl", "train/05.pddl", "test/01.pddl"];
    fridge: "../../../domains/fridge/domain.pddl", ["train/01.pddl", "train/05.pddl", "test/01.pddl"];
    logistics: "../../../domains/logistics/domain.pddl", ["train/01.pddl", "train/05.pddl", "test/01.pddl"];
    maze_reachability: "../../../domains/maze-reachability/domain.pddl", ["train/01.pddl", "train/05.pddl", "test/01.pddl"];
    philosophers: "../../../domains/philosophers/domain.pddl", ["train/01.pddl", "train/05.pddl", "test/01.pddl"];
    quantified_blocks: "../../../domains/quantified-blocks/domain.pddl", ["train/01.pddl", "train/05.pddl", "test/01.pddl"];
    river: "../../../domains/river/domain.pddl", ["train/01.pddl", "train/05.pddl", "test/01.pddl"];
    schedule: "../../../domains/schedule/domain.pddl", ["train/01.pddl", "train/05.pddl", "test/01.pddl"];
    sokoban: "../../../domains/sokoban/domain.pddl", ["train/01.pddl", "train/05.pddl", "test/01.pddl"];
    supply: "../../../domains/supply/domain.pddl", ["train/01.pddl", "train/05.pddl", "test/01.pddl"];

    courier: "tests/compiled/fixtures/courier.pddl", ["courier-1.pddl", "courier-2.pddl", "courier-3.pddl"];
    game: "tests/compiled/fixtures/game.pddl", ["game-1.pddl", "game-2.pddl"];
}
