//! `space`: the bytes of a file for NumPy. The page `space.md` has the rest.

use crate::run::lamps;

/// The arrays end where the directory says: each is found at its offset.
#[test]
fn a_space_is_written_for_numpy() {
    let scratch = lamps("space-files");
    assert_eq!(scratch.shell("herbrand space p.pddl --out space.npz").status, 0);
    let npz = std::fs::read(scratch.path().join("space.npz")).expect("the file is there");
    assert!(npz.starts_with(b"PK\x03\x04") && npz.windows(11).any(|part| part == b"targets.npy"));
    let end = npz.len() - 22;
    let number = |at: usize| u32::from_le_bytes(npz[at..at + 4].try_into().expect("four bytes")) as usize;
    assert_eq!(number(end + 12) + number(end + 16), end);
}
