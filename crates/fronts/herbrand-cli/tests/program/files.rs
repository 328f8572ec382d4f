//! Files that commands write: whole or not at all, never over an input, and over an existing file only with `--force`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::run::{Scratch, lamps};

/// A kind of write: the command, and the file or folder that it writes.
struct Kind {
    name: &'static str,
    arguments: &'static [&'static str],
    output: &'static str,
}

/// The kinds whose output is the same each time.
const KINDS: &[Kind] = &[
    Kind {
        name: "record",
        arguments: &["record", "sokoban", "03", "--walks", "100", "--out", "out.jsonl"],
        output: "out.jsonl",
    },
    Kind {
        name: "record-rddl",
        arguments: &[
            "record",
            "rddl/elevators",
            "2",
            "--walks",
            "40",
            "--out",
            "out.jsonl",
        ],
        output: "out.jsonl",
    },
    Kind {
        name: "rollout",
        arguments: &[
            "rollout",
            "blocks",
            "01",
            "--episodes",
            "200",
            "--record",
            "out.jsonl",
        ],
        output: "out.jsonl",
    },
    Kind {
        name: "ground",
        arguments: &["ground", "logistics", "--out", "out.task"],
        output: "out.task",
    },
    Kind {
        name: "ground-json",
        arguments: &["ground", "logistics", "--out", "out.json"],
        output: "out.json",
    },
    Kind {
        name: "plan",
        arguments: &["plan", "blocks", "01", "--out", "out.plan"],
        output: "out.plan",
    },
    Kind {
        name: "render-svg",
        arguments: &["render", "hiking", "--sheet", "--out", "out.svg"],
        output: "out.svg",
    },
    Kind {
        name: "render-html",
        arguments: &["render", "sokoban", "03", "--steps", "100", "--out", "out.html"],
        output: "out.html",
    },
    Kind {
        name: "render-png",
        arguments: &["render", "sokoban", "03", "--scale", "3", "--out", "out.png"],
        output: "out.png",
    },
    Kind {
        name: "render-webp",
        arguments: &["render", "sokoban", "03", "--steps", "8", "--out", "out.webp"],
        output: "out.webp",
    },
    Kind {
        name: "render-gif",
        arguments: &["render", "sokoban", "03", "--steps", "8", "--out", "out.gif"],
        output: "out.gif",
    },
    Kind {
        name: "learn",
        arguments: &[
            "learn",
            "ferry",
            "--learner",
            "safe",
            "--episodes",
            "2",
            "--plan-time",
            "0.1",
            "--out",
            "out.pddl",
        ],
        output: "out.pddl",
    },
    Kind {
        name: "edit",
        arguments: &["edit", "blocks", "--edits", "edits.json", "--out", "out.pddl"],
        output: "out.pddl",
    },
    Kind {
        name: "generate",
        arguments: &[
            "generate", "blocks", "--size", "30", "--count", "20", "--plans", "--out", "out",
        ],
        output: "out",
    },
    Kind {
        name: "domains",
        arguments: &["domains", "--out", "out"],
        output: "out",
    },
    Kind {
        name: "man",
        arguments: &["man", "--out", "out"],
        output: "out",
    },
];

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
fn kill(kind: &Kind, kills: u32) {
    const OLD: &[u8] = b"old, and not to be lost\n";
    let scratch = Scratch::new(&format!("kill-{}", kind.name));
    scratch.write(
        "edits.json",
        r#"[{"edit": "rename-object", "object": "a", "to": "base"}]"#,
    );
    let is_folder = !kind.output.contains('.');
    // The first run loads the program into memory, the second says how long one takes.
    let mut whole = Duration::ZERO;
    for _ in 0..2 {
        let begin = Instant::now();
        let run = scratch.run(&[kind.arguments, &["--force"]].concat());
        assert!(run.status < 2, "{}: {}", kind.name, run.stderr);
        whole = begin.elapsed();
    }
    let new = tree(scratch.path());
    assert!(
        new.keys().any(|file| file.starts_with(kind.output)),
        "{}",
        kind.name
    );
    let (mut killed, mut completed, mut tries) = (0, 0, 0);
    while killed < kills {
        tries += 1;
        assert!(
            tries < 40 * kills,
            "{}: {killed} of {kills} kills came in time",
            kind.name
        );
        if is_folder {
            let _ = fs::remove_dir_all(scratch.path().join(kind.output));
        } else {
            fs::write(scratch.path().join(kind.output), OLD).expect("the old file");
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_herbrand"))
            .args(kind.arguments)
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
            let is_old = file == kind.output && contents == OLD;
            // A file that had not got its name yet, which is the last step.
            if file.contains(".herbrand-") {
                fs::remove_file(scratch.path().join(file)).expect("it goes");
            } else {
                assert!(
                    complete || is_old,
                    "{}: {file} is partial after kill {killed}",
                    kind.name
                );
            }
        }
    }
    println!(
        "{}: {killed} kills, {completed} runs that ended before",
        kind.name
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_kill_leaves_no_partial_file() {
    for kind in KINDS {
        kill(kind, 5);
    }
}

/// The long form: 200 kills of each kind take some ten minutes.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "takes ten minutes; .ci/nightly runs it"]
fn many_kills_leave_no_partial_file() {
    for kind in KINDS {
        kill(kind, 200);
    }
}

/// A write beyond a file size limit of half a KiB reports the error and keeps the old file.
#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_completed_leaves_the_old_one() {
    for kind in KINDS.iter().filter(|kind| kind.output.contains('.')) {
        let scratch = Scratch::new(&format!("limit-{}", kind.name));
        scratch.write(
            "edits.json",
            r#"[{"edit": "rename-object", "object": "a", "to": "base"}]"#,
        );
        scratch.write(kind.output, "old\n");
        let words = kind.arguments.join(" ");
        // Without the signal the write fails as on a full disk.
        let run = scratch.shell(&format!(
            "trap '' XFSZ; ulimit -f 0; herbrand {words} --force 2>&1"
        ));
        assert_eq!(run.status, 2, "{}: {}", kind.name, run.stdout);
        assert!(run.stdout.contains(kind.output), "{}", run.stdout);
        let files: Vec<_> = tree(scratch.path()).into_keys().collect();
        assert_eq!(files, ["edits.json", kind.output], "nothing is left beside it");
        assert_eq!(scratch.read(kind.output), "old\n");
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
    let record = ["record", "sokoban", "03", "--out", "walk.jsonl", "--walks"];
    let run = scratch.run(&[&record[..], &["1"]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let old = scratch.read("walk.jsonl");
    let run = scratch.run(&[&record[..], &["200", "--force"]].concat());
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(
        run.stderr.contains("walk.jsonl: No space left on device"),
        "{}",
        run.stderr
    );
    let run = scratch.run(&["domains", "--out", "all"]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(run.stderr.contains("No space left on device"), "{}", run.stderr);
    assert_eq!(scratch.read("walk.jsonl"), old);
    let _ = fs::remove_dir_all(scratch.path().join("all"));
    assert_eq!(
        tree(scratch.path()).into_keys().collect::<Vec<_>>(),
        ["walk.jsonl"]
    );
}

/// The kinds of files that need other files or more time.
const MORE_KINDS: &[Kind] = &[
    Kind {
        name: "exam",
        arguments: &[
            "exam",
            "make",
            "--domain",
            "blocks",
            "--kind",
            "plan-valid",
            "--count",
            "2",
            "--out",
            "out.jsonl",
        ],
        output: "out.jsonl",
    },
    Kind {
        name: "translate",
        arguments: &["translate", "blocks", "01", "--out", "out.sas"],
        output: "out.sas",
    },
    Kind {
        name: "space",
        arguments: &["space", "blocks", "01", "--out", "out.npz"],
        output: "out.npz",
    },
    Kind {
        name: "policy",
        arguments: &[
            "plan",
            "river",
            "01",
            "--planner",
            "value-iteration",
            "--out",
            "out.csv",
        ],
        output: "out.csv",
    },
    Kind {
        name: "learn-csv",
        arguments: &[
            "learn",
            "hanoi",
            "--episodes",
            "1",
            "--plan-time",
            "0.1",
            "--csv",
            "out.csv",
        ],
        output: "out.csv",
    },
    Kind {
        name: "transcript",
        arguments: &[
            "explore",
            "--world",
            "coin",
            "--games",
            "0..1",
            "--transcript",
            "out.jsonl",
        ],
        output: "out.jsonl",
    },
];

#[test]
fn an_existing_file_of_any_kind_is_overwritten_only_by_force() {
    for kind in KINDS
        .iter()
        .chain(MORE_KINDS)
        .filter(|kind| kind.output.contains('.'))
    {
        let scratch = Scratch::new(&format!("own-{}", kind.name));
        scratch.write(
            "edits.json",
            r#"[{"edit": "rename-object", "object": "a", "to": "base"}]"#,
        );
        let run = scratch.run(kind.arguments);
        assert!(run.status < 2, "{}: {}", kind.name, run.stderr);
        let new = tree(scratch.path());
        for contents in [&new[kind.output], &b"precious"[..]] {
            fs::write(scratch.path().join(kind.output), contents).expect("a file");
            let run = scratch.run(kind.arguments);
            assert_eq!(run.status, 2, "{}", kind.name);
            let message = format!("{} exists: choose another name, or add --force", kind.output);
            assert!(run.stderr.contains(&message), "{}: {}", kind.name, run.stderr);
            assert_eq!(tree(scratch.path())[kind.output], contents, "{}", kind.name);
        }
        let run = scratch.run(&[kind.arguments, &["--force"]].concat());
        assert!(run.status < 2, "{}: {}", kind.name, run.stderr);
        assert_ne!(tree(scratch.path())[kind.output], b"precious", "{}", kind.name);
        assert_eq!(tree(scratch.path()).len(), new.len(), "nothing is left beside it");
    }
}

#[test]
fn the_files_of_a_folder_are_overwritten_only_by_force() {
    for kind in KINDS.iter().filter(|kind| !kind.output.contains('.')) {
        let scratch = Scratch::new(&format!("folder-{}", kind.name));
        assert_eq!(scratch.run(kind.arguments).status, 0, "{}", kind.name);
        let new = tree(scratch.path());
        assert_eq!(
            scratch.run(kind.arguments).status,
            0,
            "{}: equal files stay",
            kind.name
        );
        let (first, last) = (
            new.keys().next().expect("a file"),
            new.keys().last().expect("a file"),
        );
        for file in [first, last] {
            scratch.write(file, "precious");
            let run = scratch.run(kind.arguments);
            assert_eq!(run.status, 2, "{}", kind.name);
            let message = format!("{file} exists: choose another name, or add --force");
            assert!(run.stderr.contains(&message), "{}", run.stderr);
            assert_eq!(scratch.read(file), "precious");
            assert_eq!(scratch.run(&[kind.arguments, &["--force"]].concat()).status, 0);
            assert_eq!(tree(scratch.path()), new);
        }
    }
}

/// A search that finds better and better plans writes each to the same file, which must not exist before.
#[test]
fn an_anytime_planner_rewrites_only_its_own_file() {
    let scratch = Scratch::new("anytime");
    let plan = [
        "plan",
        "blocks",
        "05",
        "--planner",
        "anytime",
        "--time",
        "5",
        "--out",
        "out.plan",
    ];
    let run = scratch.run(&plan);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.matches("wrote out.plan").count() > 1, "{}", run.stderr);
    assert_eq!(scratch.run(&plan).status, 2);
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_and_two_outputs_of_one_name_are_refused() {
    let scratch = Scratch::new("links");
    std::os::unix::fs::symlink("nothing", scratch.path().join("out.plan")).expect("a link");
    let plan = ["plan", "blocks", "01", "--out", "out.plan"];
    for force in [&[][..], &["--force"]] {
        let run = scratch.run(&[&plan[..], force].concat());
        assert_eq!(run.status, 2, "{}", run.stderr);
        assert!(
            run.stderr
                .contains("out.plan is a link to a file that does not exist"),
            "{}",
            run.stderr
        );
        assert!(scratch.path().join("out.plan").is_symlink());
        assert!(!scratch.path().join("nothing").exists());
    }
    scratch.write(
        "edits.json",
        r#"[{"edit": "rename-object", "object": "a", "to": "base"}]"#,
    );
    let edit = [
        "edit",
        "blocks",
        "--edits",
        "edits.json",
        "--out",
        "one.pddl",
        "--out-domain",
        "./one.pddl",
    ];
    for force in [&[][..], &["--force"]] {
        let run = scratch.run(&[&edit[..], force].concat());
        assert_eq!(run.status, 2, "{}", run.stderr);
        assert!(
            run.stderr.contains("one.pddl is another output of this command"),
            "{}",
            run.stderr
        );
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
        for force in [&[][..], &["--force"]] {
            let edit = ["edit", "domain.pddl", "p.pddl", "edits.json", "--out", name];
            let run = scratch.run(&[&edit[..], force].concat());
            assert_eq!(run.status, 2, "{name}: {}", run.stderr);
            assert!(
                run.stderr.contains("choose another output file"),
                "{}",
                run.stderr
            );
        }
        let plan = ["plan", "domain.pddl", "p.pddl", "--out", name];
        assert_eq!(scratch.run(&plan).status, 2, "{name}");
    }
    assert_eq!(tree(scratch.path()), before);
    // A trace is an input of the picture, and files of a folder are inputs too.
    assert_eq!(
        scratch
            .run(&["record", "domain.pddl", "p.pddl", "--out", "walk.jsonl"])
            .status,
        0
    );
    fs::rename(at("walk.jsonl"), at("walk.svg.jsonl")).expect("a name");
    fs::hard_link(at("walk.svg.jsonl"), at("walk.svg")).expect("a link");
    let run = scratch.run(&["render", "walk.svg.jsonl", "--out", "walk.svg", "--force"]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(
        run.stderr.contains("walk.svg is the input walk.svg.jsonl"),
        "{}",
        run.stderr
    );
    fs::remove_file(at("edits.json")).expect("a file");
    let run = scratch.run(&["ground", ".", "p", "--out", "hard.pddl", "--force"]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(run.stderr.contains("hard.pddl is "), "{}", run.stderr);
}
