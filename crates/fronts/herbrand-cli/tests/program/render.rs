//! `render`: the bytes of pictures. The page `render.md` has the rest.

use crate::run::Scratch;

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
fn a_state_is_drawn_the_same_each_time() {
    let first = twice("state.svg", &[]);
    assert!(first.starts_with(b"<svg"));
    assert_ne!(twice("later.svg", &["--steps", "5"]), first);
    assert_eq!(twice("lifted.svg", &["--engine", "lifted"]), first);
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
