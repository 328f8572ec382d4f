//! The bytes of what is written and read: pictures, ground tasks, arrays, texts in other encodings.

use herbrand::{ActionId, GroundTask};

use crate::run::{LAMPS, Scratch, lamps};

/// The bytes of a picture that the program writes twice, the same both times.
fn twice(file: &str, more: &str) -> Vec<u8> {
    let scratch = Scratch::new();
    let [first, second] = ["one", "other"].map(|name| {
        let run = scratch.done(&format!("render sokoban --problem 03 --out {name}-{file} {more}"));
        assert_eq!(run.stdout, "");
        scratch.bytes(&format!("{name}-{file}"))
    });
    assert_eq!(first, second);
    first
}

#[test]
fn pictures_are_the_same_each_time() {
    let first = twice("state.svg", "");
    assert!(first.starts_with(b"<svg"));
    assert_ne!(twice("later.svg", "--steps 5"), first);
    let png = twice("state.png", "");
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert!(twice("state.webp", "--theme dark").starts_with(b"RIFF"));
    let width = |png: &[u8]| u32::from_be_bytes(png[16..20].try_into().expect("four bytes"));
    assert_eq!(width(&twice("large.png", "--scale 4")), 2 * width(&png));
    // The initial state and one after each step.
    let frames = |film: &[u8], mark: &[u8]| film.windows(mark.len()).filter(|part| *part == mark).count();
    let film = twice("walk.gif", "--steps 5 --seed 7");
    assert!(film.starts_with(b"GIF89a") && frames(&film, &[0x21, 0xf9, 0x04]) == 6);
    let film = twice("walk.webp", "--steps 5 --seed 7");
    assert!(film[8..].starts_with(b"WEBPVP8X") && frames(&film, b"ANMF") == 6);
}

#[test]
fn a_ground_task_and_a_space_are_written() {
    let scratch = lamps();
    for file in ["lamps.json", "lamps.task"] {
        let report = scratch
            .done(&format!("ground p.pddl --format json --out {file}"))
            .json();
        let bytes = scratch.bytes(file);
        assert_eq!(report["file_bytes"], bytes.len(), "{file}");
        let task: GroundTask = if file == "lamps.json" {
            serde_json::from_slice(&bytes).expect("a task")
        } else {
            postcard::from_bytes(&bytes).expect("a task")
        };
        assert_eq!(task.display_action(ActionId::new(3)).to_string(), "(turn-off b)");
    }
    // The arrays of NumPy end where the directory says: each is found at its offset.
    scratch.done("space p.pddl --out space.npz");
    let npz = scratch.bytes("space.npz");
    assert!(npz.starts_with(b"PK\x03\x04") && npz.windows(11).any(|part| part == b"targets.npy"));
    let end = npz.len() - 22;
    let number = |at: usize| u32::from_le_bytes(npz[at..at + 4].try_into().expect("four bytes")) as usize;
    assert_eq!(number(end + 12) + number(end + 16), end);
}

#[test]
fn texts_of_other_systems_are_read_and_kept() {
    let scratch = lamps();
    let wide = |text: &str| {
        text.encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>()
    };
    let plan = "\u{feff}(turn-on a)\n";
    scratch.write("utf-8", plan);
    scratch.write("utf-16", wide(plan));
    scratch.write("wide.pddl", wide(&format!("\u{feff}{LAMPS}")));
    for words in [
        "domain.pddl p.pddl utf-8",
        "domain.pddl p.pddl utf-16",
        "wide.pddl p.pddl utf-8",
    ] {
        assert_eq!(scratch.done(&format!("validate {words}")).stderr, "", "{words}");
    }
    // Formatting keeps the ends of lines, and a mark of the byte order only if nothing else changes.
    let tidy = scratch.done("fmt domain.pddl").stdout;
    let tidy = format!("; für 漢字\n\n{tidy}; the end\n").replace('\n', "\r\n");
    let untidy = format!("; für 漢字 \n\n\n\n{}\n; the end", LAMPS.trim_end()).replace('\n', "\r\n");
    scratch.write("domain.pddl", format!("\u{feff}{untidy}"));
    assert_eq!(scratch.run("fmt --check domain.pddl").status, 1);
    scratch.done("fmt --write domain.pddl");
    assert_eq!(scratch.read("domain.pddl"), tidy);
    let marked = format!("\u{feff}{tidy}");
    scratch.write("domain.pddl", &marked);
    assert_eq!(scratch.done("fmt --write domain.pddl").stdout, "");
    assert_eq!(scratch.read("domain.pddl"), marked);
}
