//! `bench`, and the files that `domains` writes.

use crate::run::{Scratch, herbrand};

#[test]
fn domains_are_measured() {
    let arguments = ["bench", "hanoi", "tireworld", "--seconds", "0.01"];
    let run = herbrand(&[&arguments[..], &["--format", "json"]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let report = run.json();
    for (row, name) in report
        .as_array()
        .expect("rows")
        .iter()
        .zip(["hanoi", "tireworld"])
    {
        assert_eq!(row["domain"], name);
        assert!(
            row["steps_per_s"].as_f64() > Some(0.0) && row["problems"].as_u64() >= Some(20),
            "{row}"
        );
        // Under a second and over a microsecond: seconds are meant, and of one problem.
        let first_step = row["first_step_seconds"].as_f64();
        assert!(first_step > Some(1e-6) && first_step < Some(1.0), "{row}");
        assert!(row["peer"].is_null());
        let paper = &row["paper"];
        let [own, theirs, ratio] =
            [&row["steps_per_s"], &paper["steps_per_s"], &paper["ratio"]].map(|value| value.as_f64());
        assert_eq!(theirs, Some(if name == "hanoi" { 4580.0 } else { 6491.0 }));
        assert_eq!(own.zip(theirs).map(|(own, theirs)| own / theirs), ratio, "{row}");
    }
    let markdown = herbrand(&[&arguments[..], &["--markdown"]].concat()).stdout;
    let rows = markdown.lines().filter(|line| line.starts_with("| "));
    let rows = rows.map(|line| line.split(" | ").count()).collect::<Vec<_>>();
    assert_eq!(rows, [10, 10, 10], "{markdown}");
    assert!(
        markdown.contains("| tireworld | ") && markdown.contains("probabilistic-effects"),
        "{markdown}"
    );
    for text in [
        "| steps/s | paper | ratio |",
        "100 episodes of 10 steps",
        "Over 2 domains, Herbrand is ",
    ] {
        assert!(markdown.contains(text), "{text}: {markdown}");
    }
}

#[test]
fn the_paper_is_shown_where_it_has_figures() {
    let bench = ["bench", "hanoi", "gripper", "logistics", "--seconds", "0.01"];
    let text = herbrand(&bench).stdout;
    let row = |name: &str| text.lines().find(|line| line.starts_with(name)).expect("a row");
    assert!(row("gripper").contains("  319  "), "{text}");
    assert!(row("logistics").ends_with('–'), "{text}");
    let longer = [&bench[..], &["--steps", "20", "--format", "json"]].concat();
    let report = herbrand(&longer).json();
    assert!(
        report[0]["paper"].is_null(),
        "the paper has episodes of 10 steps: {report}"
    );
    let without = herbrand(&["bench", "logistics", "--seconds", "0.01"]).stdout;
    assert!(!without.contains("paper"), "{without}");
}

#[test]
fn other_engines_are_measured() {
    let bench = [
        "bench",
        "hanoi",
        "--seconds",
        "0.01",
        "--format",
        "json",
        "--engine",
    ];
    for engine in ["grounded", "lifted", "datalog"] {
        let run = herbrand(&[&bench[..], &[engine]].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(run.json()[0]["steps_per_s"].as_f64() > Some(0.0), "{engine}");
    }
}

/// A fake Python that reports its arguments in the form of PDDLGym's walks.
const PYTHON: &str = "#!/bin/sh
cat > script
echo \"$@\" > arguments
echo '{\"error\": null, \"steps\": 1000, \"seconds\": 2.0, \"steps_per_s\": 500.0}'
";

#[cfg(unix)]
#[test]
fn a_peer_is_set_beside_on_its_own_files() {
    use std::os::unix::fs::PermissionsExt;

    let scratch = Scratch::new("bench");
    assert_eq!(scratch.run(&["domains", "--write", "files"]).status, 0);
    let domain = scratch.read("files/hanoi/domain.pddl");
    scratch.write("corpus/hanoi/domain.pddl", &domain);
    scratch.write(
        "corpus/hanoi/problems/01.pddl",
        &scratch.read("files/hanoi/train/01.pddl"),
    );
    scratch.write("python", PYTHON);
    let python = scratch.path().join("python");
    std::fs::set_permissions(&python, PermissionsExt::from_mode(0o755)).expect("a program");
    let options = [
        "--seconds",
        "0.01",
        "--peer",
        "--corpus",
        "corpus",
        "--format",
        "json",
    ];
    let python = ["--python", python.to_str().expect("text")];
    let run = scratch.run(&[&["bench", "hanoi", "doors"], &options[..], &python].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let report = run.json();
    let beside = &report[0]["peer"];
    let [rate, ratio] = ["steps_per_s", "ratio"].map(|key| beside[key].as_f64().expect("a number"));
    assert!((rate / 500.0 / ratio - 1.0).abs() < 1e-9, "{beside}");
    assert!(report[1]["peer"].is_null());
    let arguments = scratch.read("arguments");
    assert!(
        arguments.starts_with("- corpus/hanoi/domain.pddl corpus/hanoi/problems --steps 10"),
        "{arguments}"
    );
    assert!(scratch.read("script").contains("Random walks by PDDLGym"));
}

/// A Python with PDDLGym in the folder `site`.
const PACKAGED: &str = "#!/bin/sh
if [ \"$1\" = -c ]; then echo site/pddlgym; exit; fi
cat > script
echo \"$@\" >> arguments
echo '{\"error\": null, \"steps\": 1000, \"seconds\": 2.0, \"steps_per_s\": 500.0}'
";

#[cfg(unix)]
#[test]
fn the_files_of_the_peer_are_those_of_its_package() {
    use std::os::unix::fs::PermissionsExt;

    let scratch = Scratch::new("packaged");
    assert_eq!(scratch.run(&["domains", "--write", "files"]).status, 0);
    for (from, problem, to) in [
        ("hanoi", "train/01", "hanoi"),
        ("search-and-rescue-2", "train/01", "searchandrescue_level2"),
    ] {
        let package = format!("site/pddlgym/pddl/{to}");
        scratch.write(
            &format!("{package}.pddl"),
            &scratch.read(&format!("files/{from}/domain.pddl")),
        );
        let problem = scratch.read(&format!("files/{from}/{problem}.pddl"));
        scratch.write(&format!("{package}/problem0.pddl"), &problem);
    }
    scratch.write("python", PACKAGED);
    let python = scratch.path().join("python");
    std::fs::set_permissions(&python, PermissionsExt::from_mode(0o755)).expect("a program");
    let bench = [
        "bench",
        "hanoi",
        "search-and-rescue-2",
        "doors",
        "--seconds",
        "0.01",
        "--peer",
    ];
    let python = ["--python", python.to_str().expect("text"), "--format", "json"];
    let run = scratch.run(&[&bench[..], &python].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let report = run.json();
    assert!(report[0]["peer"]["ratio"].is_number() && report[1]["peer"]["ratio"].is_number());
    assert!(report[2]["peer"].is_null());
    let asked = scratch.read("arguments");
    for name in ["hanoi", "searchandrescue_level2"] {
        let files = format!("- site/pddlgym/pddl/{name}.pddl site/pddlgym/pddl/{name} --steps 10");
        assert!(asked.contains(&files), "{asked}");
    }
    let without = ["bench", "hanoi", "--peer", "--python", "false"];
    let run = scratch.run(&without);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("pip install pddlgym==0.0.7"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_peer_that_is_not_there_is_told() {
    let scratch = Scratch::new("no-peer");
    scratch.write("corpus/hanoi/domain.pddl", "");
    scratch.write("corpus/hanoi/problems/01.pddl", "");
    for (arguments, message) in [
        (&["--corpus", "nowhere"][..], "nowhere is not a folder"),
        (
            &["--corpus", "corpus", "--python", "no-such-python"],
            "no-such-python: ",
        ),
    ] {
        let run = scratch.run(&[&["bench", "hanoi", "--seconds", "0.01", "--peer"], arguments].concat());
        assert_eq!(run.status, 2, "{}", run.stdout);
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

#[test]
fn figures_from_elsewhere_stand_beside_ours() {
    let scratch = Scratch::new("figures");
    scratch.write(
        "some.csv",
        "# from somewhere\ndomain, A paper, 2020\n\nhanoi, 500\nblocks,2e3\n",
    );
    scratch.write("plain.csv", "tireworld,0.5\n");
    let bench = ["bench", "hanoi", "tireworld", "--seconds", "0.01", "--figures"];
    let run = scratch.run(&[&bench[..], &["some.csv", "--format", "json"]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let report = run.json();
    let figure = &report[0]["figure"];
    assert_eq!(figure["source"], "A paper, 2020");
    assert_eq!(figure["steps_per_s"], 500.0);
    let [own, ratio] = [&report[0]["steps_per_s"], &figure["ratio"]].map(|value| value.as_f64());
    assert_eq!(own.map(|own| own / 500.0), ratio);
    assert!(report[1]["figure"].is_null());

    let text = scratch.run(&[&bench[..], &["plain.csv"]].concat()).stdout;
    let head = text.lines().next().expect("a head");
    let head = head.split_whitespace().collect::<Vec<_>>();
    assert!(
        head.ends_with(&["steps/s", "paper", "ratio", "plain", "ratio"]),
        "{text}"
    );
    let row = |name: &str| text.lines().find(|line| line.starts_with(name)).expect("a row");
    assert!(
        row("hanoi")
            .split_whitespace()
            .filter(|&cell| cell == "–")
            .count()
            == 2
            && row("tireworld").contains("  0.50  "),
        "{text}"
    );
    let summary = text.lines().last().expect("a summary");
    assert!(
        summary.starts_with("Over 1 domain, Herbrand is ") && summary.contains("as fast as plain"),
        "{text}"
    );

    let page = scratch
        .run(&[&bench[..], &["some.csv", "--markdown"]].concat())
        .stdout;
    assert!(
        page.contains("| steps/s | paper | ratio | A paper, 2020 | ratio |"),
        "{page}"
    );
    let row = page
        .lines()
        .find(|line| line.starts_with("| hanoi | "))
        .expect("a row");
    assert_eq!(row.split(" | ").nth(10), Some("500"), "{page}");
    assert!(
        page.contains("as fast as A paper, 2020 (geometric mean)"),
        "{page}"
    );
}

#[test]
fn all_faults_of_a_file_of_figures_are_told() {
    let scratch = Scratch::new("figures-faults");
    scratch.write(
        "f.csv",
        "hanoi,5\nsokban,7\ndoors;3\nblocks,-1\nhanoi,6\nferry,many\n",
    );
    let run = scratch.run(&["bench", "hanoi", "--figures", "f.csv"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert_eq!(
        run.stderr,
        "error: f.csv: 5 error(s)
  line 2: there is no domain `sokban`; did you mean `sokoban`?
  line 3: expected `domain,number`
  line 4: `-1` is not a positive number
  line 5: `hanoi` already has a figure in line 1
  line 6: `many` is not a positive number
"
    );
    let run = scratch.run(&["bench", "hanoi", "--figures", "none.csv"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("none.csv: "), "{}", run.stderr);
}
