//! Files that commands write: whole or not at all, never over an input, and over an existing file only with `--force`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::run::{PROGRAM, Scratch};

/// Commands that write a file or folder, the last word, and the same each time.
const KINDS: &[&str] = &[
    "record sokoban 03 --walks 100 --out out.jsonl",
    "record rddl/elevators 2 --walks 40 --out out.jsonl",
    "rollout blocks 01 --episodes 200 --record out.jsonl",
    "ground logistics --out out.task",
    "ground logistics --out out.json",
    "plan blocks 01 --out out.plan",
    "render hiking --sheet --out out.svg",
    "render sokoban 03 --steps 100 --out out.html",
    "render sokoban 03 --scale 3 --out out.png",
    "render sokoban 03 --steps 8 --out out.webp",
    "render sokoban 03 --steps 8 --out out.gif",
    "learn ferry --learner safe --episodes 2 --plan-time 0.1 --out out.pddl",
    "edit blocks --edits edits.json --out out.pddl",
    "generate blocks --size 30 --count 20 --plans --out out",
    "domains --out out",
    "man --out out",
];

/// Commands that need other files or more time.
const MORE_KINDS: &[&str] = &[
    "exam make --domain blocks --kind plan-valid --count 2 --out out.jsonl",
    "translate blocks 01 --out out.sas",
    "space blocks 01 --out out.npz",
    "plan river 01 --planner value-iteration --out out.csv",
    "learn hanoi --episodes 1 --plan-time 0.1 --csv out.csv",
    "explore --world coin --games 0..1 --transcript out.jsonl",
];

/// The file or folder that a command writes, and whether it is a folder.
fn output(command: &str) -> (&str, bool) {
    let output = command.rsplit(' ').next().expect("a word");
    (output, !output.contains('.'))
}

/// A folder with the inputs of some commands.
fn folder() -> Scratch {
    let scratch = Scratch::new();
    let edits = r#"[{"edit": "rename-object", "object": "a", "to": "base"}]"#;
    scratch.write("edits.json", edits);
    scratch
}

/// The files in a folder and below it, by their paths.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(one) = folders.pop() {
        for entry in fs::read_dir(one).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("it is below").to_string_lossy();
                files.insert(name.into_owned(), fs::read(&path).expect("a file"));
            }
        }
    }
    files
}

/// The fractional parts of the multiples of the golden ratio, which fill any interval evenly.
fn golden(number: u32) -> f64 {
    (f64::from(number) * 0.618_033_988_749_894_9).fract()
}

/// Kills the command of a kind again and again, at all times of its run. After each kill every file must be the old one or the
/// complete new one.
fn kill(command: &str, kills: u32) {
    const OLD: &[u8] = b"old, and not to be lost\n";
    let (scratch, (output, is_folder)) = (folder(), output(command));
    // The first run loads the program into memory, the second says how long one takes.
    let mut whole = Duration::ZERO;
    for _ in 0..2 {
        let begin = Instant::now();
        let run = scratch.run(&format!("{command} --force"));
        assert!(run.status < 2, "{command}: {}", run.stderr);
        whole = begin.elapsed();
    }
    let new = tree(scratch.path());
    assert!(new.keys().any(|file| file.starts_with(output)), "{command}");
    let (mut killed, mut completed, mut tries) = (0, 0, 0);
    while killed < kills {
        tries += 1;
        assert!(
            tries < 40 * kills,
            "{command}: {killed} of {kills} kills came in time"
        );
        if is_folder {
            let _ = fs::remove_dir_all(scratch.path().join(output));
        } else {
            scratch.write(output, OLD);
        }
        let mut child = Command::new(PROGRAM)
            .args(command.split(' '))
            .arg("--force")
            .current_dir(scratch.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        // Every other kill is in the last third, where most of the writing is.
        let part = if tries % 2 == 0 {
            golden(tries)
        } else {
            0.66 + 0.34 * golden(tries)
        };
        thread::sleep(whole.mul_f64(part));
        child.kill().expect("it is a child");
        let status = child.wait().expect("it ends");
        if status.code().is_some() {
            completed += 1;
        } else {
            killed += 1;
        }
        for (file, contents) in tree(scratch.path()) {
            let complete = new.get(&file) == Some(&contents);
            let is_old = file == output && contents == OLD;
            // A file that had not got its name yet, which is the last step.
            if file.contains(".herbrand-") {
                fs::remove_file(scratch.path().join(file)).expect("it goes");
            } else {
                assert!(
                    complete || is_old,
                    "{command}: {file} is partial after kill {killed}"
                );
            }
        }
    }
    println!("{command}: {killed} kills, {completed} runs that ended before");
}

#[cfg(target_os = "linux")]
#[test]
fn a_kill_leaves_no_partial_file() {
    for command in KINDS {
        kill(command, 5);
    }
}

/// The long form: 200 kills of each kind take some ten minutes.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "takes ten minutes; .ci/nightly runs it"]
fn many_kills_leave_no_partial_file() {
    for command in KINDS {
        kill(command, 200);
    }
}

/// A write beyond a file size limit of half a KiB reports the error and keeps the old file.
#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_completed_leaves_the_old_one() {
    for command in KINDS.iter().filter(|command| !output(command).1) {
        let (output, scratch) = (output(command).0, folder());
        scratch.write(output, "old\n");
        // Without the signal the write fails as on a full disk.
        let run = scratch.shell(&format!(
            "trap '' XFSZ; ulimit -f 0; herbrand {command} --force 2>&1"
        ));
        assert_eq!(run.status, 2, "{command}: {}", run.stdout);
        assert!(run.stdout.contains(output), "{}", run.stdout);
        let files: Vec<_> = tree(scratch.path()).into_keys().collect();
        assert_eq!(files, ["edits.json", output], "nothing is left beside it");
        assert_eq!(scratch.read(output), "old\n");
    }
}

#[test]
fn an_existing_file_of_any_kind_is_overwritten_only_by_force() {
    let kinds = KINDS.iter().chain(MORE_KINDS);
    for command in kinds.filter(|command| !output(command).1) {
        let (output, scratch) = (output(command).0, folder());
        let run = |force: &str| scratch.run(&format!("{command} {force}"));
        let first = run("");
        assert!(first.status < 2, "{command}: {}", first.stderr);
        let new = tree(scratch.path());
        for contents in [&new[output], &b"precious"[..]] {
            scratch.write(output, contents);
            run("").ends(
                2,
                &format!("{output} exists: choose another name, or add --force"),
            );
            assert_eq!(tree(scratch.path())[output], contents, "{command}");
        }
        let forced = run("--force");
        assert!(forced.status < 2, "{command}: {}", forced.stderr);
        assert_ne!(tree(scratch.path())[output], b"precious", "{command}");
        assert_eq!(tree(scratch.path()).len(), new.len(), "nothing is left beside it");
    }
}

#[test]
fn the_files_of_a_folder_are_overwritten_only_by_force() {
    for command in KINDS.iter().filter(|command| output(command).1) {
        let scratch = Scratch::new();
        let run = |force: &str| scratch.run(&format!("{command} {force}"));
        assert_eq!(run("").status, 0, "{command}");
        let new = tree(scratch.path());
        assert_eq!(run("").status, 0, "{command}: equal files stay");
        let mut names = new.keys();
        for file in [names.next(), names.next_back()] {
            let file = file.expect("several files");
            scratch.write(file, "precious");
            run("").ends(2, &format!("{file} exists: choose another name, or add --force"));
            assert_eq!(scratch.read(file), "precious");
            assert_eq!(run("--force").status, 0);
            assert_eq!(tree(scratch.path()), new);
        }
    }
}

/// A search for cheaper plans writes each plan when it is found, so that a killed search leaves one behind.
#[test]
fn an_anytime_planner_rewrites_only_its_own_file() {
    let scratch = Scratch::new();
    let line = "plan depot test/05 --planner anytime --out depot.plan";
    let run = scratch.done(line);
    let steps = |line: &str| line.split([' ', ',']).nth(3)?.parse::<usize>().ok();
    let steps: Vec<_> = run.stderr.lines().map_while(steps).collect();
    let [plans @ .., last] = &steps[..] else {
        panic!("{}", run.stderr)
    };
    assert!(
        plans.len() > 1 && plans.is_sorted_by(|one, next| one > next),
        "{}",
        run.stderr
    );
    assert_eq!(plans.last(), Some(last), "{}", run.stderr);
    let first = format!("wrote depot.plan, {0} steps, cost {0} after ", plans[0]);
    assert!(run.stderr.starts_with(&first), "{}", run.stderr);
    assert_eq!(scratch.read("depot.plan").lines().count(), last + 1);
    assert_eq!(scratch.run(line).status, 2, "a later run finds the file");
}
