//! Files that commands write: whole or not at all, never over an input, and over an existing file only with `--force`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::run::{Scratch, lamps};

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

/// A separate folder for a command, with the inputs of some commands.
fn folder(test: &str, command: &str) -> Scratch {
    let name: String = command
        .chars()
        .filter(|letter| letter.is_ascii_alphanumeric())
        .collect();
    let scratch = Scratch::new(&format!("{test}-{name}"));
    scratch.write(
        "edits.json",
        r#"[{"edit": "rename-object", "object": "a", "to": "base"}]"#,
    );
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
                let name = path
                    .strip_prefix(folder)
                    .expect("it is below")
                    .to_string_lossy()
                    .into_owned();
                files.insert(name, fs::read(&path).expect("a file"));
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
    let scratch = folder("kill", command);
    let (output, is_folder) = output(command);
    // The first run loads the program into memory, the second says how long one takes.
    let mut whole = Duration::ZERO;
    for _ in 0..2 {
        let begin = Instant::now();
        let run = scratch.shell(&format!("herbrand {command} --force"));
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
            fs::write(scratch.path().join(output), OLD).expect("the old file");
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_herbrand"))
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
        let (output, scratch) = (output(command).0, folder("limit", command));
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

/// A file system in memory, unmounted at the end.
#[cfg(target_os = "linux")]
struct SmallDisk(Scratch);

#[cfg(target_os = "linux")]
impl SmallDisk {
    /// Mounts a file system of 64 KiB; fails with the reason.
    fn new(name: &str) -> Result<Self, String> {
        let scratch = Scratch::new(name);
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
            .arg(scratch.path())
            .output()
            .map_err(|error| error.to_string())?;
        if mount.status.success() {
            Ok(Self(scratch))
        } else {
            Err(String::from_utf8_lossy(&mount.stderr).into_owned())
        }
    }
}

#[cfg(target_os = "linux")]
impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_old_file() {
    let disk = match SmallDisk::new("disk") {
        Ok(disk) => disk,
        Err(error) => {
            eprintln!("skipped: a small disk cannot be mounted here: {error}");
            return;
        }
    };
    let scratch = &disk.0;
    let record = |more: &str| {
        scratch.shell(&format!(
            "herbrand record sokoban 03 --out walk.jsonl --walks {more}"
        ))
    };
    assert_eq!(record("1").status, 0);
    let old = scratch.read("walk.jsonl");
    let domains = scratch.shell("herbrand domains --out all");
    for (run, file) in [(record("200 --force"), "walk.jsonl: "), (domains, "")] {
        assert_eq!(run.status, 2, "{}", run.stderr);
        let message = format!("{file}No space left on device");
        assert!(run.stderr.contains(&message), "{}", run.stderr);
    }
    assert_eq!(scratch.read("walk.jsonl"), old);
    let _ = fs::remove_dir_all(scratch.path().join("all"));
    assert_eq!(
        tree(scratch.path()).into_keys().collect::<Vec<_>>(),
        ["walk.jsonl"]
    );
}

#[test]
fn an_existing_file_of_any_kind_is_overwritten_only_by_force() {
    for command in KINDS
        .iter()
        .chain(MORE_KINDS)
        .filter(|command| !output(command).1)
    {
        let (output, scratch) = (output(command).0, folder("own", command));
        let run = |force: &str| scratch.shell(&format!("herbrand {command} {force}"));
        let first = run("");
        assert!(first.status < 2, "{command}: {}", first.stderr);
        let new = tree(scratch.path());
        for contents in [&new[output], &b"precious"[..]] {
            fs::write(scratch.path().join(output), contents).expect("a file");
            let again = run("");
            assert_eq!(again.status, 2, "{command}");
            let message = format!("{output} exists: choose another name, or add --force");
            assert!(again.stderr.contains(&message), "{command}: {}", again.stderr);
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
        let scratch = folder("folder", command);
        fs::remove_file(scratch.path().join("edits.json")).expect("a file");
        let run = |force: &str| scratch.shell(&format!("herbrand {command} {force}"));
        assert_eq!(run("").status, 0, "{command}");
        let new = tree(scratch.path());
        assert_eq!(run("").status, 0, "{command}: equal files stay");
        let mut names = new.keys();
        for file in [names.next(), names.next_back()] {
            let file = file.expect("several files");
            scratch.write(file, "precious");
            let again = run("");
            assert_eq!(again.status, 2, "{command}");
            let message = format!("{file} exists: choose another name, or add --force");
            assert!(again.stderr.contains(&message), "{}", again.stderr);
            assert_eq!(scratch.read(file), "precious");
            assert_eq!(run("--force").status, 0);
            assert_eq!(tree(scratch.path()), new);
        }
    }
}

/// A search that finds better and better plans writes each to the same file, which must not exist before.
#[test]
fn an_anytime_planner_rewrites_only_its_own_file() {
    let scratch = Scratch::new("anytime");
    let plan = "herbrand plan blocks 05 --planner anytime --time 5 --out out.plan";
    let run = scratch.shell(plan);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.matches("wrote out.plan").count() > 1, "{}", run.stderr);
    assert_eq!(scratch.shell(plan).status, 2);
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_and_two_outputs_of_one_name_are_refused() {
    let scratch = folder("links", "");
    std::os::unix::fs::symlink("nothing", scratch.path().join("out.plan")).expect("a link");
    for force in ["", "--force"] {
        let run = scratch.shell(&format!("herbrand plan blocks 01 --out out.plan {force}"));
        assert_eq!(run.status, 2, "{}", run.stderr);
        let message = "out.plan is a link to a file that does not exist";
        assert!(run.stderr.contains(message), "{}", run.stderr);
        assert!(scratch.path().join("out.plan").is_symlink());
        assert!(!scratch.path().join("nothing").exists());
    }
    let outputs = "--out one.pddl --out-domain ./one.pddl";
    for force in ["", "--force"] {
        let run = scratch.shell(&format!(
            "herbrand edit blocks --edits edits.json {outputs} {force}"
        ));
        assert_eq!(run.status, 2, "{}", run.stderr);
        let message = "one.pddl is another output of this command";
        assert!(run.stderr.contains(message), "{}", run.stderr);
        assert!(scratch.read("one.pddl").contains("problem"));
    }
}

#[test]
fn an_input_is_not_an_output() {
    let scratch = lamps("input");
    scratch.write("edits.json", r#"[{"edit": "add-fact", "fact": "(on a)"}]"#);
    let at = |name: &str| scratch.path().join(name);
    fs::hard_link(at("p.pddl"), at("hard.pddl")).expect("a link");
    let mut names = vec!["p.pddl", "./p.pddl", "domain.pddl", "hard.pddl", "edits.json"];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("p.pddl", at("soft.pddl")).expect("a link");
        names.push("soft.pddl");
    }
    let before = tree(scratch.path());
    for name in names {
        for force in ["", "--force"] {
            let run = scratch.shell(&format!(
                "herbrand edit domain.pddl p.pddl edits.json --out {name} {force}"
            ));
            assert_eq!(run.status, 2, "{name}: {}", run.stderr);
            assert!(
                run.stderr.contains("choose another output file"),
                "{}",
                run.stderr
            );
        }
        let plan = format!("herbrand plan domain.pddl p.pddl --out {name}");
        assert_eq!(scratch.shell(&plan).status, 2, "{name}");
    }
    assert_eq!(tree(scratch.path()), before);
    // A trace is an input of the picture, and files of a folder are inputs too.
    let record = "herbrand record domain.pddl p.pddl --out walk.svg.jsonl && ln walk.svg.jsonl walk.svg";
    assert_eq!(scratch.shell(record).status, 0);
    for (line, message) in [
        (
            "render walk.svg.jsonl --out walk.svg --force",
            "walk.svg is the input walk.svg.jsonl",
        ),
        ("ground . p --out hard.pddl --force", "hard.pddl is "),
    ] {
        let _ = fs::remove_file(at("edits.json"));
        let run = scratch.shell(&format!("herbrand {line}"));
        assert_eq!(run.status, 2, "{}", run.stderr);
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}
