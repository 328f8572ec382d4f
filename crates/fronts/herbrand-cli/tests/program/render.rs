//! `render`.

use crate::run::{Scratch, herbrand, lamps};

#[test]
fn a_state_is_drawn_the_same_each_time() {
    let scratch = Scratch::new("render-state");
    let draw = |file: &str, more: &[&str]| {
        let run = scratch.run(&[&["render", "sokoban", "--problem", "03", "--out", file], more].concat());
        assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
        scratch.read(file)
    };
    let first = draw("one.svg", &[]);
    assert!(first.starts_with("<svg") && first.contains("<title>sokoban train/03</title>"));
    assert_eq!(draw("other.svg", &[]), first);
    assert_ne!(draw("later.svg", &["--steps", "5"]), first);
    assert_eq!(draw("lifted.svg", &["--engine", "lifted"]), first);
    assert!(!draw("dark.svg", &["--theme", "dark"]).contains("prefers-color-scheme"));
}

#[test]
fn a_plan_with_a_step_that_is_not_valid_is_drawn_up_to_it() {
    let scratch = lamps("render-broken-plan");
    scratch.write("d.rddl", PRESS);
    let rddl = ["d.rddl", "--preconditions", "refused"];
    for (problem, plan, reason) in [
        (
            &["domain.pddl", "p.pddl"][..],
            "(turn-off b)\n(turn-off b)\n(turn-on a)\n",
            "step 2 of the plan, (turn-off b), is not valid",
        ),
        (
            &["domain.pddl", "p.pddl"],
            "(turn-off b)\n(turn-of b)\n(turn-on a)\n",
            "line 2 of the plan: (turn-of b) is not an action",
        ),
        (
            &rddl,
            "1: press\n2: press\n3: ()\n",
            "step 2 of the plan, press, is not valid",
        ),
        (&rddl, "1: press\n2: pres\n3: ()\n", "broken.plan: line 2"),
    ] {
        scratch.write("broken.plan", plan);
        for file in ["plan.html", "plan.svg", "plan.gif"] {
            let run = scratch.run(
                &[
                    &["render"],
                    problem,
                    &["--plan", "broken.plan", "--out", file, "--force"],
                ]
                .concat(),
            );
            assert_eq!(run.status, 1, "{}", run.stderr);
            assert!(
                run.stderr.contains(reason) && run.stderr.contains("the pictures end before it"),
                "{}",
                run.stderr
            );
        }
        assert_eq!(
            scratch.read("plan.html").matches("\"svg\":").count(),
            2,
            "two states"
        );
    }
    // Other commands read such a plan not at all.
    scratch.write("broken.plan", "(turn-of b)\n");
    assert_eq!(
        scratch
            .run(&["rollout", "domain.pddl", "p.pddl", "--plan", "broken.plan"])
            .status,
        2
    );
}

/// A button that can be pressed once.
const PRESS: &str = "domain button {
  pvariables {
    pressed : { state-fluent, bool, default = false };
    press : { action-fluent, bool, default = false };
  };
  cpfs { pressed' = pressed | press; };
  reward = pressed;
  action-preconditions { press => ~pressed; };
}
instance one { domain = button; max-nondef-actions = 1; horizon = 5; discount = 1.0; }
";

/// The numbers of the domain overflow at the third step.
const GROWING: &str =
    "(define (domain growing) (:requirements :numeric-fluents) (:predicates (done)) (:functions (n))
    (:action grow :effect (scale-up (n) GREAT)) (:action finish :effect (done)))";

#[test]
fn a_walk_whose_step_has_no_result_is_drawn_up_to_it() {
    let scratch = Scratch::new("render-overflow");
    scratch.write(
        "d.pddl",
        &GROWING.replace("GREAT", &format!("1{}", "0".repeat(150))),
    );
    scratch.write(
        "p.pddl",
        "(define (problem p) (:domain growing) (:init (= (n) 1)) (:goal (done)))",
    );
    scratch.write("long.plan", "(grow)\n(grow)\n(grow)\n(finish)\n");
    for file in ["plan.html", "plan.svg", "plan.gif"] {
        let run = scratch.run(&["render", "d.pddl", "p.pddl", "--plan", "long.plan", "--out", file]);
        assert_eq!(run.status, 1, "{}", run.stderr);
        assert!(
            run.stderr.contains("step 3, (grow), has no result: ")
                && run.stderr.ends_with("; the pictures end before it\n"),
            "{}",
            run.stderr
        );
    }
    assert!(scratch.read("plan.svg").contains("step 2, return"));
    assert!(scratch.read("plan.html").contains("step 2, return"));
}

#[test]
fn a_trace_with_a_faulty_line_is_drawn_up_to_it() {
    let scratch = Scratch::new("render-faulty-trace");
    let run = scratch.run(&[
        "record",
        "sokoban",
        "03",
        "--steps",
        "6",
        "--walks",
        "1",
        "--out",
        "walk.jsonl",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let lines: Vec<String> = scratch.read("walk.jsonl").lines().map(str::to_owned).collect();
    scratch.write(
        "cut.jsonl",
        &format!("{}\n{}", lines[..4].join("\n"), &lines[4][..30]),
    );
    let run = scratch.run(&["render", "cut.jsonl", "--out", "cut.html"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("cut.jsonl: line 5: ")
            && run.stderr.ends_with("the pictures end before this line\n"),
        "{}",
        run.stderr
    );
    assert!(scratch.read("cut.html").contains("walk 0, step 2"));
    // Without a state before the fault there is nothing to draw.
    scratch.write("bare.jsonl", &format!("{}\n{{", lines[0]));
    let run = scratch.run(&["render", "bare.jsonl", "--out", "bare.html"]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(!scratch.path().join("bare.html").exists());
}

#[test]
fn a_trace_of_any_name_is_drawn() {
    let scratch = Scratch::new("render-csv");
    assert_eq!(
        scratch
            .run(&[
                "record", "hanoi", "--walks", "1", "--steps", "3", "--out", "walk.csv"
            ])
            .status,
        0
    );
    let run = scratch.run(&["render", "walk.csv", "--out", "walk.html"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(scratch.read("walk.html").matches("\"svg\":").count(), 4);
}

#[test]
fn a_walk_becomes_a_page() {
    let scratch = Scratch::new("render-walk");
    let render = [
        "render",
        "rddl/sysadmin-mdp",
        "--problem",
        "2",
        "--steps",
        "3",
        "--out",
        "walk.html",
    ];
    let run = scratch.run(&render);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let page = scratch.read("walk.html");
    assert_eq!(
        page.matches("\"svg\":").count(),
        4,
        "the initial state and one after each step"
    );
}

#[test]
fn a_trace_becomes_a_page() {
    let scratch = Scratch::new("render-trace");
    for domain in ["blocks", "rddl/sysadmin-mdp"] {
        let record = [
            "record",
            domain,
            "--walks",
            "2",
            "--steps",
            "2",
            "--out",
            "walk.jsonl",
            "--force",
        ];
        assert_eq!(scratch.run(&record).status, 0);
        let run = scratch.run(&[
            "render",
            "walk.jsonl",
            "--walk",
            "1",
            "--out",
            "walk.html",
            "--force",
        ]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(scratch.read("walk.html").contains("walk 1, step 2"));
        let run = scratch.run(&[
            "render",
            "walk.jsonl",
            "--walk",
            "7",
            "--out",
            "walk.html",
            "--force",
        ]);
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains("has no walk number 7"), "{}", run.stderr);
    }
}

#[test]
fn a_set_without_problems_is_not_drawn_or_planned() {
    let scratch = lamps("render-none");
    std::fs::create_dir_all(scratch.path().join("train")).expect("a folder");
    std::fs::rename(scratch.path().join("p.pddl"), scratch.path().join("train/p.pddl")).expect("a file");
    for command in [
        &["render", ".", "--sheet", "--split", "test", "--out", "x.svg"][..],
        &["plan", ".", "--all", "--split", "test"],
    ] {
        let run = scratch.run(command);
        assert_eq!(run.status, 2, "{command:?}");
        assert!(run.stderr.contains("has no problem"), "{}", run.stderr);
    }
    assert!(!scratch.path().join("x.svg").exists());
}

/// Costs are counted outside of states, so that a picture has no value to show.
#[test]
fn functions_that_only_count_are_not_drawn() {
    let scratch = Scratch::new("render-costs");
    let domain = |guard: &str| {
        format!(
            "(define (domain road) (:requirements :numeric-fluents :negative-preconditions) (:predicates (there))
               (:functions (total-cost) (fuel))
               (:action go :precondition (and (not (there)) {guard})
                 :effect (and (there) (decrease (fuel) 1) (increase (total-cost) 2))))"
        )
    };
    let problem = "(define (problem p) (:domain road) (:init (= (fuel) 3)) (:goal (there)) (:metric minimize (total-cost)))";
    scratch.write("p.pddl", problem);
    for (guard, is_drawn) in [("(> (fuel) 0)", false), ("(< (total-cost) 9) (> (fuel) 0)", true)] {
        scratch.write("domain.pddl", &domain(guard));
        let run = scratch.run(&["render", "domain.pddl", "p.pddl", "--out", "road.svg", "--force"]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let svg = scratch.read("road.svg");
        assert_eq!(svg.contains(">total-cost<"), is_drawn, "{guard}");
        assert!(svg.contains(">fuel<"), "{guard}");
    }
}

#[test]
fn a_sheet_has_every_problem() {
    let scratch = Scratch::new("render-sheet");
    let run = scratch.run(&["render", "hanoi", "--sheet", "--out", "all.svg"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let sheet = scratch.read("all.svg");
    assert!(sheet.contains("hanoi train/01") && sheet.contains("hanoi test/01"));
}

#[test]
fn what_is_around_the_agent_is_drawn_where_that_is_declared() {
    let scratch = Scratch::new("render-egocentric");
    let near = [
        "render",
        "sokoban",
        "--problem",
        "03",
        "--egocentric",
        "--out",
        "near.svg",
    ];
    let run = scratch.run(&near);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(scratch.read("near.svg").contains("#hb-person"));
    let run = scratch.run(&["render", "blocks", "--egocentric", "--out", "near.svg"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("needs `eye`"), "{}", run.stderr);
}

#[test]
fn a_file_of_another_kind_is_refused() {
    for file in ["state.bmp", "state"] {
        let run = herbrand(&["render", "blocks", "--out", file]);
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains(".svg"), "{}", run.stderr);
    }
}

#[test]
fn faults_of_a_declaration_are_shown_all_at_once() {
    let scratch = Scratch::new("render-faults");
    scratch.write(
        "lamp/domain.pddl",
        "(define (domain lamp) (:predicates (on)) (:action toggle :effect (on)))",
    );
    scratch.write(
        "lamp/p1.pddl",
        "(define (problem p1) (:domain lamp) (:init) (:goal (on)))",
    );
    scratch.write("lamp/env.toml", "[render]\nhide = [\"of\", \"onn\"]\n");
    let run = scratch.run(&["render", "lamp", "--out", "lamp.svg"]);
    assert_eq!(run.status, 2);
    assert_eq!(run.stderr.matches("error[V0002]").count(), 2, "{}", run.stderr);
    assert!(run.stderr.contains("did you mean `on`?"), "{}", run.stderr);
    assert_eq!(herbrand(&["explain", "V0002"]).status, 0);
}

/// The bytes of a picture that the program writes twice, the same both times.
fn twice(file: &str, more: &[&str]) -> Vec<u8> {
    let scratch = Scratch::new(&format!("render-{file}"));
    let draw = |name: &str| {
        let out = format!("{name}-{file}");
        let run = scratch.run(&[&["render", "sokoban", "--problem", "03", "--out", &out], more].concat());
        assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
        std::fs::read(scratch.path().join(&out)).expect("a file")
    };
    let first = draw("one");
    assert_eq!(first, draw("other"));
    first
}

#[test]
fn pixels_are_the_same_each_time() {
    let png = twice("state.png", &[]);
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert!(twice("state.webp", &["--theme", "dark"]).starts_with(b"RIFF"));
    let large = twice("large.png", &["--scale", "4"]);
    let width = |png: &[u8]| u32::from_be_bytes(png[16..20].try_into().expect("four bytes"));
    assert_eq!(width(&large), 2 * width(&png));
}

#[test]
fn a_walk_becomes_an_animation() {
    let film = twice("walk.gif", &["--steps", "5", "--seed", "7"]);
    assert!(film.starts_with(b"GIF89a"));
    let frames = film
        .windows(3)
        .filter(|bytes| *bytes == [0x21, 0xf9, 0x04])
        .count();
    assert_eq!(frames, 6, "the initial state and one after each step");
    let film = twice("walk.webp", &["--steps", "5", "--seed", "7"]);
    assert!(film.starts_with(b"RIFF") && film[8..].starts_with(b"WEBPVP8X"));
    let frames = film.windows(4).filter(|bytes| bytes == b"ANMF").count();
    assert_eq!(frames, 6, "the initial state and one after each step");
}

#[test]
fn a_picture_that_is_too_large_is_refused() {
    let scratch = Scratch::new("render-large");
    for scale in ["1e9", "0", "NaN"] {
        let run = scratch.run(&["render", "blocks", "--out", "x.png", "--scale", scale]);
        assert_eq!(run.status, 2, "{scale}");
        assert!(run.stderr.contains("pixels cannot be drawn"), "{}", run.stderr);
    }
}

/// A picture has the name of its domain, not that of the folder.
#[test]
fn a_title_has_the_name_of_the_domain() {
    let scratch = lamps("week-1-title");
    for out in ["a.svg", "a.html"] {
        let run = scratch.run(&["render", "domain.pddl", "p.pddl", "--out", out]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let text = scratch.read(out);
        assert!(text.contains("lamps p"), "{text}");
        assert!(!text.contains("week-1-title"), "{text}");
    }
}
