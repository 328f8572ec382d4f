//! `play`: over a pipe, and in a terminal.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};
use std::{env, process};

use crate::run::{Scratch, coffee, herbrand, lamps};

/// Returns the program's output for some lines, in `folder`.
fn play_in(folder: &Path, arguments: &[&str], lines: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_herbrand"))
        .arg("play")
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(lines.as_bytes()).expect("the program reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(!text.contains('\u{1b}'), "no escape codes: {text}");
    text
}

fn play(arguments: &[&str], lines: &str) -> String {
    play_in(&env::temp_dir(), arguments, lines)
}

#[test]
fn a_script_is_answered_line_by_line() {
    let lines = "right\nleft\nundo\nundo\nundo\nmove\nfly\n7\n(move up)\ngoal\n1\nright\nleft\n";
    let expected = "Push every stone onto a goal cell.
Type `?` for help.
  x goal cell   $ stone   @ player

sokoban train/01, step 0
  @ . $ x
goal: 0 of 1, missing (stored stone-1)
    1 (move right)
> right
(move right)

sokoban train/01, step 1
  . @ $ x
goal: 0 of 1, missing (stored stone-1)
    1 (move left)
    2 (move right)
> left
(move left)

sokoban train/01, step 2
  @ . $ x
goal: 0 of 1, missing (stored stone-1)
    1 (move right)
> undo

sokoban train/01, step 1
  . @ $ x
goal: 0 of 1, missing (stored stone-1)
    1 (move left)
    2 (move right)
> undo

sokoban train/01, step 0
  @ . $ x
goal: 0 of 1, missing (stored stone-1)
    1 (move right)
> undo
nothing to undo
> move
(move right)

sokoban train/01, step 1
  . @ $ x
goal: 0 of 1, missing (stored stone-1)
    1 (move left)
    2 (move right)
> fly
no valid action contains `fly`
> 7
there is no action 7
> (move up)
(move up) is not valid here: no applicable operator carries it out
> goal
  missing: (stored stone-1)
> 1
(move left)

sokoban train/01, step 2
  @ . $ x
goal: 0 of 1, missing (stored stone-1)
    1 (move right)
> right
(move right)

sokoban train/01, step 3
  . @ $ x
goal: 0 of 1, missing (stored stone-1)
    1 (move left)
    2 (move right)
> left
(move left)

sokoban train/01, step 4
  @ . $ x
goal: 0 of 1, missing (stored stone-1)
    1 (move right)
";
    let found = play(&["sokoban", "--problem", "train/01"], lines);
    assert_eq!(found, expected, "{found}");
}

#[test]
fn the_end_tells_the_cost() {
    let scratch = Scratch::new("play-cost");
    scratch.write(
        "road.pddl",
        "(define (domain road) (:requirements :action-costs) (:predicates (there)) (:functions (total-cost))
           (:action go :effect (and (there) (increase (total-cost) 2.5))))
         (define (problem one) (:domain road) (:init (= (total-cost) 0)) (:goal (there))
           (:metric minimize (total-cost)))",
    );
    let said = play_in(scratch.path(), &["road.pddl"], "go\nquit\n");
    assert!(
        said.contains("goal reached in 1 step, cost 2.5, reward 1\n"),
        "{said}"
    );
}

#[test]
fn files_are_played_and_words_list_actions() {
    let scratch = lamps("play");
    let files = ["--domain", "domain.pddl", "--problem", "p.pddl"];
    let said = play_in(
        scratch.path(),
        &files,
        "turn\nON a\nstate\n1\nhint\nreset\nquit\nundo\n",
    );
    for part in [
        "Type `?` for help.\n\n",
        "  on  b\ngoal: 1 of 2, missing (on a)\n    1 (turn-on a)\n    2 (turn-off b)\n",
        "> turn\n    1 (turn-on a)\n    2 (turn-off b)\n",
        "> ON a\n(turn-on a)\n",
        "goal: 2 of 2\n",
        "goal reached in 1 step, reward 1\n",
        "  lamp  a, b\n",
        "> 1\nthe goal is reached: undo, reset or quit\n",
        "> hint\nthe goal is reached\n",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
    assert!(said.ends_with("> quit\n"), "{said}");
}

#[test]
fn why_names_conditions_and_missing_objects() {
    let scratch = Scratch::new("play-why");
    scratch.write(
        "domain.pddl",
        "(define (domain walks) (:predicates (robot ?r) (at ?r ?c) (road ?a ?b))
           (:action go :parameters (?r ?a ?b) :precondition (and (robot ?r) (at ?r ?a) (road ?a ?b))
            :effect (and (at ?r ?b) (not (at ?r ?a)))))",
    );
    scratch.write(
        "p.pddl",
        "(define (problem p) (:domain walks) (:objects bot a b c cup) (:init (robot bot) (at bot a) (at cup c)
           (road a b) (road b c) (road b a)) (:goal (at bot c)))",
    );
    let said = play_in(
        scratch.path(),
        &["domain.pddl", "p.pddl"],
        "why (go bot)\ngo bot b\nwhy go bot b c\nwhy go bot a b\n(go bot a)\nwhy (go cup)\nwhy (go bot c)\nwhy fly\nwhy\n",
    );
    for part in [
        "> why (go bot)\n(go bot …) lacks ?a, ?b\n  ?a: a, b\n  ?b: b, a, c\n  valid here: 1 (go bot a b)\n",
        "> why go bot b c\n(go bot b c) is valid\n",
        "> why go bot a b\n(go bot a b) is not valid: (at bot a) does not hold\n",
        "> (go bot a)\n(go bot a …) lacks ?b\n  ?b: b\n  (go bot a b) is not valid: (at bot a) does not hold\n",
        "> why (go cup)\nno action that can become valid begins with (go cup): ?r can be bot\n",
        "> why (go bot c)\nno action that can become valid begins with (go bot c): ?a can be a, b\n",
        "> why fly\n`fly` is not the beginning of an action\n",
        "> why\nname an action, such as `why (name a b)`",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
}

#[test]
fn a_goal_that_never_holds_is_told_by_its_parts() {
    for (goal, view, told) in [
        (
            "(and (machine office) (at hall))",
            "goal: 0 of 2, missing (machine office) (at hall)",
            "  missing: (machine office)\n  missing: (at hall)\n",
        ),
        (
            "(door kitchen office)",
            "goal: 0 of 1, missing (door kitchen office)",
            "  missing: (door kitchen office)\n",
        ),
        (
            "(and (full mug) (not (full mug)))",
            "goal: 1 of 2, missing (full mug)",
            "  missing: (full mug)\n",
        ),
    ] {
        let scratch = coffee("never", "(handempty)", &format!("(:goal {goal})"));
        let said = play_in(scratch.path(), &["domain.pddl", "p.pddl"], "goal\n");
        assert!(said.contains(&format!("{view}\n")), "{said}");
        assert!(said.ends_with(&format!("> goal\n{told}")), "{said}");
    }
}

#[test]
fn what_is_no_valid_action_is_told_with_a_reason_or_a_name() {
    let scratch = coffee("refused", "(handempty)", "(:goal (full mug))");
    let lines = "(move kitchen office)\nmove kitchen office\n(pick kitchen mug)\n(brew mug kitchen)\npik\nmog\n(pik mug)\nxyzzy\n";
    let said = play_in(scratch.path(), &["domain.pddl", "p.pddl"], lines);
    for part in [
        "> (move kitchen office)\n(move kitchen office) is never valid: (door kitchen office) does not hold, and no action changes it\n",
        "> move kitchen office\n(move kitchen office) is never valid: (door kitchen office)",
        "> (pick kitchen mug)\n(pick kitchen mug) is never valid: kitchen is not of type cup, the type of ?c\n",
        "> (brew mug kitchen)\n(brew mug kitchen) is not valid: (holding mug) does not hold\n",
        "> pik\nno valid action contains `pik`; did you mean `pick`?\n",
        "> mog\nno valid action contains `mog`; did you mean `mug`?\n",
        "> (pik mug)\nthere is no action `pik`; did you mean `pick`?\n",
        "> xyzzy\nno valid action contains `xyzzy`\n",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
}

#[test]
fn hints_lead_to_the_goal() {
    for domain in ["blocks", "search-and-rescue-2", "tireworld"] {
        let mut lines = String::new();
        for _ in 0..40 {
            let said = play(&[domain, "--problem", "train/01"], &format!("{lines}hint\n"));
            if said.contains("goal reached in") {
                break;
            }
            let last = said.lines().last().expect("an answer");
            let action = last.strip_prefix("the stored plan continues with ");
            lines += action.unwrap_or_else(|| panic!("{said}"));
            lines += "\n";
        }
        let said = play(&[domain, "--problem", "train/01"], &lines);
        assert!(said.contains("goal reached in"), "{said}");
    }
}

#[test]
fn hints_are_planned_where_no_stored_plan_goes() {
    let scratch = lamps("hinted");
    let files = ["--domain", "domain.pddl", "--problem", "p.pddl"];
    let said = play_in(scratch.path(), &files, "(turn-off b)\nhint\n");
    assert!(
        said.contains("> hint\na plan of 2 steps starts with (turn-on "),
        "{said}"
    );
}

#[test]
fn the_effects_of_the_last_action_are_told() {
    let said = play(
        &["sokoban", "--problem", "train/01"],
        "effects\nright\neffects\nundo\neffects\n",
    );
    assert!(
        said.contains("> effects\nno action has been taken yet\n"),
        "{said}"
    );
    let told = "> effects
(walk r1c1 r1c2 right)
  add (clear r1c1)
  add (player-at r1c2)
  delete (clear r1c2)
  delete (player-at r1c1)
changed: +(clear r1c1) +(player-at r1c2) -(clear r1c2) -(player-at r1c1)
";
    assert!(said.contains(told), "{said}");
    assert!(said.ends_with("no action has been taken yet\n"), "{said}");
    // Random outcomes are reported.
    let explodes = |seed: u32| {
        let seed = seed.to_string();
        let lines = "pick-up a\nput-down\neffects\n";
        let said = play(
            &["exploding-blocks", "--problem", "train/01", "--seed", &seed],
            lines,
        );
        let (state, told) = said.split_once("> effects\n").expect("an answer");
        let exploded = told.contains("+(table-destroyed)");
        let drawn = |text: &str| told.contains(text);
        assert_eq!(exploded, drawn("with probability 0.4, alternative 1"), "{said}");
        assert_eq!(exploded, !drawn("with probability 0.6, no change"), "{said}");
        assert_eq!(exploded, state.contains("table-destroyed"), "{said}");
        exploded
    };
    let exploded = (0..12).filter(|&seed| explodes(seed)).count();
    assert!((1..12).contains(&exploded), "{exploded} of 12");
}

#[test]
fn grids_are_drawn_wherever_one_is_declared() {
    for (domain, row) in [
        ("slide-tile", "          goal\n  2 #     . 1\n  3 1     2 3\n"),
        ("snake", "  a,s   .   o\n    .   .   O\n  ahead  r2c3 r1c3\n"),
        ("search-and-rescue-3", "  @1  %  %\n   .  .  h\n   .  .  R\n"),
        ("navigation", "    s n*R\n  n,R   n\n"),
        ("maze-reachability", "  l1@   .  *@\n  G1  r1c1 – r1c2\n"),
        ("hiking", "  @e  ^\n   ^ *e\n  rested\n"),
        ("rearrangement", "  p1,R  *p1\n"),
        ("doors", "  room-1   k2@    2\n  room-2    3l 4l*@\n"),
        ("tireworld", "   c  . *c\n   t  t\n   t\n"),
        ("rddl/wildfire-mdp", "    f   t   t\n    t t,g   t\n"),
        (
            "rddl/recon-mdp",
            "     .    .   r2\n     ~    .   r1\n  h,d1    .    .\n",
        ),
    ] {
        let problem = if domain.starts_with("rddl/") {
            "1"
        } else {
            "train/01"
        };
        let said = play(&[domain, "--problem", problem], "");
        assert!(said.contains(row), "{said}");
    }
}

#[test]
fn towers_are_drawn_beside_those_of_the_goal() {
    let said = play(&["blocks", "--problem", "train/01"], "unstack b a\n");
    for drawn in [
        "        goal\n  b     a\n  a     b\n  -     -\n",
        "        a\n  a     b\n  -     -\n  holding  b\n",
    ] {
        assert!(said.contains(drawn), "{drawn}\n{said}");
    }
    let said = play(&["hanoi", "--problem", "train/01"], "disc-1 peg-2\n");
    for drawn in ["   ===     |      |         |", "  =====   ===     |         |"] {
        assert!(said.contains(drawn), "{drawn}\n{said}");
    }
    // Drawings come from the settings: the same domain without settings is shown as atoms.
    let scratch = Scratch::new("play-undrawn");
    let written = scratch.run(&["domains", "--write", "."]);
    assert_eq!(written.status, 0, "{}", written.stderr);
    scratch.write("blocks/env.toml", "horizon = 3\n");
    let said = play_in(scratch.path(), &["./blocks", "--problem", "train/01"], "");
    assert!(said.contains("  on          b a\n"), "{said}");
}

#[test]
fn what_chance_decided_is_told_unasked() {
    let flat = |seed: u32| {
        let seed = seed.to_string();
        let said = play(
            &["tireworld", "--problem", "train/01", "--seed", &seed],
            "l-1-0\n",
        );
        let told = "(move-car l-1-0)\nby chance (probability 0.5): ";
        let (_, after) = said.split_once(told).unwrap_or_else(|| panic!("{said}"));
        let flat = after.starts_with("+(flat-tire)\n");
        assert!(flat || after.starts_with("no change\n"), "{said}");
        assert_eq!(flat, after.contains("    .   .  *c\n  t,C   t\n"), "{said}");
        assert_eq!(!flat, after.contains("    .   .  *c\n  t,c   t\n"), "{said}");
        flat
    };
    let count = (0..12).filter(|&seed| flat(seed)).count();
    assert!((1..12).contains(&count), "{count} of 12");
    // Outcomes that are certain are not reported.
    let said = play(&["sokoban", "--problem", "train/01"], "right\n");
    assert!(!said.contains("by chance"), "{said}");
}

/// A draw that adds what holds already is no change, and a number after `why` is an action of the list.
#[test]
fn a_draw_without_effect_is_no_change() {
    let scratch = Scratch::new("idle-draw");
    scratch.write(
        "domain.pddl",
        "(define (domain rain) (:requirements :probabilistic-effects) (:predicates (wet) (won))
           (:action splash :effect (probabilistic 1/2 (wet) 1/2 (and (wet) (not (won))))) (:action win :effect (won)))",
    );
    scratch.write(
        "p.pddl",
        "(define (problem p) (:domain rain) (:init (wet)) (:goal (won)))",
    );
    let said = play_in(
        scratch.path(),
        &["domain.pddl", "p.pddl"],
        "splash\nwhy 1\nwhy 9\nfacts\n",
    );
    for part in [
        "by chance (probability 0.5): no change: (wet) holds as before",
        "> why 1\n1, (splash), is valid: all its conditions hold\n",
        "> why 9\nthere is no action 9: the list has the valid actions only; ",
        "> facts\n  wet\n",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
    assert!(!said.contains("+(wet)"), "{said}");
}

#[test]
fn dead_ends_are_not_goals() {
    // The first drive of this seed bursts a tire where there is no spare.
    let dead = (0..20).map(|seed: u32| {
        let seed = seed.to_string();
        play(
            &["tireworld", "--problem", "train/01", "--seed", &seed],
            "l-0-1\nl-0-2\n",
        )
    });
    let dead: Vec<_> = dead
        .filter(|said| said.contains("a dead end after 1 step"))
        .collect();
    assert!(!dead.is_empty());
    for said in dead {
        assert!(!said.contains("goal reached"), "{said}");
        assert!(said.contains("no action is valid"), "{said}");
        assert!(
            said.contains("a dead end after 1 step, reward 0: undo, reset or quit\n"),
            "{said}"
        );
    }
}

#[test]
fn help_and_legend_are_given_when_asked_for() {
    let said = play(&["sokoban", "--problem", "train/01"], "?\nlegend\n");
    for part in [
        "  undo          undo the last action\n",
        "  legend        explain the symbols",
    ] {
        assert!(said.contains(part), "{said}");
    }
    assert_eq!(said.matches("@ player").count(), 2, "{said}");
    let said = play(&["ferry"], "legend\n");
    assert!(
        said.ends_with("this state has no drawing with symbols\n"),
        "{said}"
    );
}

#[test]
fn rooms_are_drawn_as_rows() {
    let said = play(&["doors", "--problem", "test/10"], "take key-4\n");
    let [before, after] = [1, 2].map(|time| {
        let drawn = said.split("doors test/10, step ").nth(time).expect("a state");
        drawn.lines().skip(1).take(4).collect::<Vec<_>>().join("\n")
    });
    assert_eq!(
        before,
        "  room-1      k4@ k8,k15      3      4     k6     k3
  room-2       7l     8l     9l    10l    11l    12l
  room-3    k13,l    14l    15l    16l    17l    18l
  room-4      19l    20l    21l    22l    23l    24l",
        "{said}"
    );
    assert!(after.starts_with("  room-1        @ k8,k15 "), "{said}");
    assert!(
        after.ends_with("  room-4       19     20     21     22     23     24"),
        "{said}"
    );
}

#[test]
fn it_is_not_for_programs_that_read_json() {
    let run = herbrand(&["play", "sokoban", "--format", "json"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("herbrand show"), "{}", run.stderr);
}

/// A terminal of its own, in which something runs; ended at the end.
struct Terminal(String);

impl Terminal {
    fn open(command: &str) -> Self {
        static OPENED: AtomicU32 = AtomicU32::new(0);
        let number = OPENED.fetch_add(1, Ordering::Relaxed);
        let terminal = Self(format!("herbrand-play-{}-{number}", process::id()));
        let size = ["-x", "90", "-y", "50"];
        let run = [&["new-session", "-d", "-s", "play"], &size[..], &[command]].concat();
        terminal.tmux(&run);
        terminal
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let output = Command::new("tmux")
            .args(["-L", &self.0, "-f", "/dev/null"])
            .args(arguments)
            .output()
            .expect("tmux starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn type_keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys", "-t", "play"], keys].concat());
    }

    /// Waits for something to be seen.
    fn wait_for(&self, seen: impl Fn(&str) -> bool, what: &str) {
        let end = Instant::now() + Duration::from_secs(20);
        loop {
            let screen = self.tmux(&["capture-pane", "-p", "-t", "play"]);
            if seen(&screen) {
                return;
            }
            assert!(Instant::now() < end, "no {what} in\n{screen}");
            sleep(Duration::from_millis(30));
        }
    }

    fn is_open(&self) -> bool {
        !self.tmux(&["list-sessions"]).is_empty()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

#[test]
fn it_plays_in_a_terminal() {
    if Command::new("tmux").arg("-V").output().is_err() {
        eprintln!("skipped: tmux is not installed");
        return;
    }
    let program = env!("CARGO_BIN_EXE_herbrand");
    let terminal = Terminal::open(&format!("'{program}' play sokoban --problem train/01"));
    let prompt = |screen: &str| screen.trim_end().ends_with('>');
    terminal.wait_for(|screen| screen.contains("@ . $ x") && prompt(screen), "start");
    // Tab completes the only action there is.
    terminal.type_keys(&["mo", "Tab"]);
    terminal.wait_for(
        |screen| screen.trim_end().ends_with("> (move right)"),
        "completion",
    );
    terminal.type_keys(&["Enter"]);
    terminal.wait_for(|screen| screen.contains(". @ $ x") && prompt(screen), "step");
    // Ctrl-P brings the line back; on a grid the arrows move.
    terminal.type_keys(&["C-p"]);
    terminal.wait_for(|screen| screen.trim_end().ends_with("> (move right)"), "history");
    terminal.type_keys(&["C-u", "Up"]);
    terminal.wait_for(
        |screen| screen.contains("no valid action leads up"),
        "an arrow that leads nowhere",
    );
    terminal.type_keys(&["Right"]);
    terminal.wait_for(
        |screen| screen.contains("goal reached in 2 steps, reward 1"),
        "goal",
    );
    terminal.type_keys(&["undo", "Enter"]);
    terminal.wait_for(
        |screen| screen.matches("step 1").count() == 2 && prompt(screen),
        "undo",
    );
    terminal.type_keys(&["quit", "Enter"]);
    let end = Instant::now() + Duration::from_secs(20);
    while terminal.is_open() {
        assert!(Instant::now() < end, "it does not quit");
        sleep(Duration::from_millis(30));
    }
}

#[test]
fn arrows_move_where_actions_name_cells() {
    if Command::new("tmux").arg("-V").output().is_err() {
        eprintln!("skipped: tmux is not installed");
        return;
    }
    let program = env!("CARGO_BIN_EXE_herbrand");
    let terminal = Terminal::open(&format!("'{program}' play hiking --problem train/01"));
    let prompt = |screen: &str| screen.trim_end().ends_with('>');
    terminal.wait_for(
        |screen| screen.contains("the arrow keys move") && prompt(screen),
        "start",
    );
    terminal.type_keys(&["Down"]);
    terminal.wait_for(
        |screen| screen.contains("(climb r2c1)") && prompt(screen),
        "step down",
    );
    terminal.type_keys(&["Left"]);
    terminal.wait_for(|screen| screen.contains("no valid action leads left"), "the edge");
    terminal.type_keys(&["C-d"]);
    // Elsewhere arrows bring back lines.
    let terminal = Terminal::open(&format!("'{program}' play ferry"));
    terminal.wait_for(prompt, "start");
    terminal.type_keys(&["fly", "Enter"]);
    terminal.wait_for(
        |screen| screen.contains("no valid action contains `fly`") && prompt(screen),
        "answer",
    );
    terminal.type_keys(&["Up"]);
    terminal.wait_for(|screen| screen.trim_end().ends_with("> fly"), "history");
}

#[test]
fn a_domain_is_edited_until_it_does_what_another_does() {
    let lines = "0 0 0 2\nundo\ncheck\nplan\nprecondition turn-on (on) negative\nprecondition turn-on (on) negative\n\
                 0 1 0 0\neffect turn-on (lit) positive\neffect turn-on (onn) positive\n1 0 0 0\n1 1 0 2\n1 1 1 2\n1 1 1 1\npddl\n";
    let text = play(&["pddlworld"], lines);
    let start = "Type `?` for help.

pddlworld/light-switch, step 0, return 0.0000
preconditions 1170, effects 1170
             0 (on)   1 (lit)
0 turn-on    · → ·    · → ·
1 turn-off   · → ·    · → ·
";
    assert!(text.starts_with(start), "{text}");
    for part in [
        "(turn-on) where (on) holds: applicable in the model, inapplicable in the target",
        "evening: the model has no plan\nnight: the model has no plan",
        "`precondition turn-on (on) negative` changes nothing: it is so already",
        "`turn-on` has no literal `(onn)`; did you mean `(on)`?",
        "preconditions 1297, effects 612
             0 (on)   1 (lit)
0 turn-on    - → +    · → +
1 turn-off   + → -    · → -
the model agrees with the target in 100.00% of all states and actions",
        "the model agrees with the target in every state, after 6 edits",
        "> 1 1 1 1\nthe model agrees with the target: undo, reset or quit",
        "(:action turn-off\n    :parameters ()\n    :precondition (and (on))",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[test]
fn any_domain_of_literals_is_edited() {
    let text = play(
        &["pddlworld/blocks", "--problem", "02", "--start", "2"],
        "check\ntarget\n",
    );
    assert!(text.contains("pddlworld/blocks, step 0"), "{text}");
    assert!(
        text.contains("3 unstack ?block ?support\n") && text.contains("  0 (on ?block ?support)"),
        "{text}"
    );
    for (arguments, expected) in [
        (&["play", "pddlworld/casino"][..], "can be edited here"),
        (&["play", "pddlworld/blockz"], "did you mean `blocks`?"),
        (
            &["play", "pddlworld", "--start", "full"],
            "`full` is no start: write `empty`, `random`, `target`",
        ),
        (
            &["play", "blocks", "--start", "empty"],
            "--start supports only domains under edit",
        ),
    ] {
        let output = herbrand(arguments);
        assert_eq!(output.status, 2, "{arguments:?}");
        assert!(output.stderr.contains(expected), "{}", output.stderr);
    }
}
