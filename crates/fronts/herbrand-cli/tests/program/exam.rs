//! `exam`: answers with odd lines and bytes. The page `exam.md` has the rest.

use std::fs;

use crate::run::Scratch;

/// The files of a folder are graded although some have odd lines, which are reported with their places.
#[test]
fn a_class_is_graded_despite_odd_lines() {
    let folder = Scratch::new("odd-class");
    let make = "herbrand exam make --domain blocks,ferry --count 12 --kind plan-valid,after --out exam.jsonl";
    assert_eq!(folder.shell(make).status, 0);
    for path in ["class", "late"] {
        fs::create_dir(folder.path().join(path)).expect("a folder");
    }
    folder.write("class/ann.txt", "1. yes\nB\n99. C\n1. no\n");
    folder.write("class/bob.csv", "");
    fs::write(folder.path().join("class/cem.txt"), b"\x7fELF\0\xff\0").expect("a file");
    folder.write("class/dora.txt", &format!("1. no\n{}", "oh\n".repeat(1000)));
    fs::write(
        folder.path().join("class/eve.txt"),
        "\u{feff}1. no"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<_>>(),
    )
    .expect("a file");
    folder.write("class/.hidden", "");
    for path in ["class/Fay Lee", "class/gil", "class/empty"] {
        fs::create_dir(folder.path().join(path)).expect("a folder");
    }
    folder.write("class/Fay Lee/answers.txt", "sorry\n**1.** no");
    folder.write("class/gil/one.txt", "1. no");
    folder.write("class/gil/two.txt", "2. B");
    folder.write("late/ann.txt", "1. no");
    let run =
        folder.shell("herbrand exam grade exam.jsonl class late/ann.txt class/bob.csv --out class.html");
    assert_eq!(run.status, 0, "{}", run.stderr);
    for part in [
        "not graded: class/ann.txt:2: an answer begins with the number",
        "not graded: class/ann.txt:3: there is no question `99`: the questions are 1 to 12\n",
        "not graded: class/ann.txt:4: the question `1` has several answers; the last one counts\n",
        "not graded: class/bob.csv:1: the file is empty\n",
        "not graded: class/cem.txt:1: the file is no text\n",
        "not graded: class/dora.txt: 980 lines more that cannot be graded\n",
        "not graded: class/Fay Lee/answers.txt:1: an answer begins with the number of its question, such as `3. B`, and not with \
         `sorry`\n",
        "not graded: class/empty: this folder has no files\n",
        "note: class/bob.csv is named twice, and graded once\n",
    ] {
        assert!(run.stderr.contains(part), "{part} in {}", run.stderr);
    }
    assert!(run.stderr.matches('\n').count() < 40, "{}", run.stderr);
    let students: Vec<_> = run
        .stdout
        .lines()
        .filter_map(|line| line.split("  ").next())
        .skip(1)
        .take(9)
        .collect();
    assert_eq!(
        students,
        [
            "Fay Lee",
            "class/ann.txt",
            "bob",
            "cem",
            "dora",
            "eve",
            "gil/one",
            "gil/two",
            "late/ann.txt"
        ],
        "{}",
        run.stdout
    );
    assert!(folder.read("class.html").contains("<li>line 2: an answer begins"));
    let run = folder.run(&["exam", "grade", "exam.jsonl", "class", "--out", "class.pdf"]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(
        run.stderr.contains("end it in .html for a page, or in .csv"),
        "{}",
        run.stderr
    );
    // Nothing can be graded: a wrong file.
    folder.write("class/odd.txt", "99. C\nyes\n");
    let run = folder.run(&["exam", "grade", "exam.jsonl", "class/odd.txt", "class/bob.csv"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("class/odd.txt:2: "), "{}", run.stderr);
    let run = folder.run(&["exam", "grade", "exam.jsonl", "late/none.txt"]);
    assert_eq!(run.status, 2);
}
