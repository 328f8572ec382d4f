//! Checks the engine and the brute-force interpreter against hand-computed outcome tables of the official PPDDL simulator's
//! examples. The examples are not part of the project; without them, the test prints a message and passes.

mod example;

use example::{names, table, with};

#[test]
fn coffee() {
    with("coffee", |example| {
        let atoms = [
            "in-office",
            "raining",
            "has-umbrella",
            "is-wet",
            "has-coffee",
            "user-has-coffee",
        ];
        let subsets = (0..64).map(|bits| {
            atoms
                .iter()
                .enumerate()
                .filter(move |(bit, _)| bits >> bit & 1 == 1)
        });
        let subsets = subsets.map(|subset| subset.map(|(_, atom)| format!("({atom})")).collect());
        example.check_initial(&table(subsets.map(|subset| (1.0 / 64.0, 0.0, subset))));
        example.check(
            "in-office, raining",
            "move",
            &[
                (0.81, 0.0, "raining, is-wet"),
                (0.09, 0.2, "raining"),
                (0.09, 0.0, "in-office, raining, is-wet"),
                (0.01, 0.2, "in-office, raining"),
            ],
        );
        example.check(
            "raining, has-umbrella, user-has-coffee",
            "move",
            &[
                (0.9, 1.0, "in-office, raining, has-umbrella, user-has-coffee"),
                (0.1, 1.0, "raining, has-umbrella, user-has-coffee"),
            ],
        );
        example.check(
            "in-office, has-coffee",
            "deliver-coffee",
            &[
                (0.8, 1.0, "in-office, user-has-coffee"),
                (0.1, 0.2, "in-office"),
                (0.1, 0.2, "in-office, has-coffee"),
            ],
        );
        example.check(
            "has-coffee, user-has-coffee, is-wet",
            "deliver-coffee",
            &[
                (0.8, 0.8, "user-has-coffee, is-wet"),
                (0.2, 0.8, "has-coffee, user-has-coffee, is-wet"),
            ],
        );
        example.check("", "buy-coffee", &[(0.8, 0.2, "has-coffee"), (0.2, 0.2, "")]);
        example.check(
            "in-office, is-wet",
            "get-umbrella",
            &[
                (0.9, 0.0, "in-office, is-wet, has-umbrella"),
                (0.1, 0.0, "in-office, is-wet"),
            ],
        );
    });
}

#[test]
fn john() {
    with("john", |example| {
        example.check(
            "john-is-dirty, shower-is-on, has-soap",
            "clean-john",
            &[
                (0.48, 0.0, "shower-is-on, has-soap"),
                (0.32, 0.0, "shower-is-on"),
                (0.12, 0.0, "john-is-dirty, shower-is-on, has-soap"),
                (0.08, 0.0, "john-is-dirty, shower-is-on"),
            ],
        );
        example.check(
            "has-soccer-ball",
            "play-soccer",
            &[
                (0.56, 1.0, "has-soccer-ball, john-is-dirty"),
                (0.24, -1.0, "john-is-dirty"),
                (0.14, 1.0, "has-soccer-ball"),
                (0.06, -1.0, ""),
            ],
        );
        example.check(
            "has-soccer-ball, john-is-dirty",
            "play-soccer",
            &[
                (0.3, 1.0, "has-soccer-ball, john-is-dirty"),
                (0.7, -1.0, "john-is-dirty"),
            ],
        );
        example.check(
            "has-soccer-ball, shower-is-on",
            "play-soccer",
            &[(1.0, 0.0, "has-soccer-ball, shower-is-on")],
        );
        example.check("shower-is-on", "turn-on-shower", &[(1.0, 0.0, "shower-is-on")]);
        example.check(
            "shower-is-on",
            "turn-off-shower",
            &[(0.8, 0.0, ""), (0.2, 0.0, "shower-is-on")],
        );
    });
}

#[test]
fn nested_draws() {
    with("test3", |example| {
        example.check(
            "",
            "a1",
            &[
                (0.5, 0.0, "a"),
                (0.3, 0.0, "b"),
                (0.02, 0.0, "c, d"),
                (0.02, 0.0, "c, e"),
                (0.04, 0.0, "c, f"),
                (0.04, 0.0, "c, g"),
                (0.08, 0.0, "c, h"),
            ],
        );
        example.check(
            "c, h",
            "a1",
            &[
                (0.5, 0.0, "a, c, h"),
                (0.3, 0.0, "b, c, h"),
                (0.02, 0.0, "c, d, h"),
                (0.02, 0.0, "c, e, h"),
                (0.04, 0.0, "c, f, h"),
                (0.04, 0.0, "c, g, h"),
                (0.08, 0.0, "c, h"),
            ],
        );
    });
    with("test4", |example| {
        example.check("", "a1", &[(0.5, 0.0, "a"), (0.3, 0.0, "b"), (0.2, 0.0, "c")]);
        example.check("b", "a2", &[(0.9, 0.0, "a, b"), (0.1, 0.0, "b")]);
    });
}

#[test]
fn goal_rewards() {
    with("test2", |example| {
        example.check_initial(&table([(0.5, 0.0, names("a")), (0.5, 0.0, names("b"))]));
        example.check("a", "a1", &[(1.0, 99.0, "a, b")]);
    });
    with("simple", |example| {
        example.check("", "a1", &[(0.5, 1.0, ""), (0.5, 0.0, "")])
    });
}

#[test]
fn tigers() {
    with("tiger", |example| {
        example.check_initial(&table([
            (0.5, 0.0, names("tiger-on-left")),
            (0.5, 0.0, names("")),
        ]));
        example.check("", "open-left-door", &[(1.0, 100.0, "")]);
        example.check(
            "tiger-on-left",
            "open-left-door",
            &[(1.0, -100.0, "tiger-on-left")],
        );
        let heard = "tiger-on-left, hear-tiger-on-left";
        example.check(
            heard,
            "listen",
            &[(0.85, 0.0, heard), (0.15, 0.0, "tiger-on-left")],
        );
        example.check(
            "",
            "listen",
            &[(0.85, 0.0, ""), (0.15, 0.0, "hear-tiger-on-left")],
        );
    });
    with("get_eaten", |example| {
        example.check(
            "tiger-on-left",
            "open-left-door",
            &[(1.0, 0.0, "tiger-on-left, eaten")],
        );
        example.check("tiger-on-left", "open-right-door", &[(1.0, 0.0, "tiger-on-left")]);
    });
}

#[test]
fn bomb_and_toilet() {
    with("bomb-toilet", |example| {
        let [first, second] = ["bomb-in-package package1", "bomb-in-package package2"];
        example.check_initial(&table([(0.5, 0.0, names(first)), (0.5, 0.0, names(second))]));
        example.check(
            first,
            "dunk-package package1",
            &[
                (0.95, 1.0, "bomb-in-package package1, bomb-defused"),
                (
                    0.05,
                    0.0,
                    "bomb-in-package package1, bomb-defused, toilet-clogged",
                ),
            ],
        );
        example.check(
            second,
            "dunk-package package1",
            &[
                (0.95, 0.0, second),
                (0.05, 0.0, "bomb-in-package package2, toilet-clogged"),
            ],
        );
    });
}

#[test]
fn slippery_grippers() {
    with("slippery-gripper", |example| {
        example.check_initial(&table([(0.7, 0.0, names("gripper-dry")), (0.3, 0.0, names(""))]));
        example.check(
            "gripper-dry",
            "pickup",
            &[
                (0.95, 1.0, "gripper-dry, holding-block"),
                (0.05, 0.0, "gripper-dry"),
            ],
        );
        example.check("", "pickup", &[(0.5, 1.0, "holding-block"), (0.5, 0.0, "")]);
    });
    with("ext-slippery-gripper", |example| {
        let both = [
            (0.7, 0.0, names("gripper-clean, gripper-dry")),
            (0.3, 0.0, names("gripper-clean")),
        ];
        example.check_initial(&table(both));
        example.check(
            "gripper-clean",
            "paint",
            &[
                (0.9, 0.0, "gripper-clean, block-painted"),
                (0.1, 0.0, "block-painted"),
            ],
        );
        example.check(
            "gripper-clean, holding-block",
            "paint",
            &[(1.0, 0.0, "holding-block, block-painted")],
        );
    });
}
