//! A cache of drawn cells by signature.

use fxhash::FxHashMap;

/// A signature as a node of a trie, in which each step appends a fact. The first nodes are the empty signatures of the
/// cells, so equal signatures of two cells are different nodes.
///
/// ```text
///   cell 0 ─ stone-at(s1,c0) ─ stored(s1)     node 7, tile 3
///          └ player-at(c0)                    node 5, tile 0
///   cell 1                                    node 1, tile 1
/// ```
pub(super) type Node = u32;

/// The cached cells.
#[derive(Debug, Default)]
pub(super) struct Tiles {
    /// For each node and fact, the next node.
    steps: FxHashMap<(Node, u32), Node>,
    /// For each node, its tile.
    tiles: Vec<Option<u32>>,
    /// The tiles, concatenated.
    pixels: Vec<u8>,
    /// The number of bytes of a tile.
    length: usize,
    /// The number of times the cache was cleared. Nodes of different ages must not be mixed.
    age: u64,
    cells: usize,
}

/// The node of signatures that are not cached.
pub(super) const UNKNOWN: Node = u32::MAX;

/// The maximum size of the cache in bytes. The cache is cleared when it exceeds this size.
const MOST: usize = 32 << 20;

impl Tiles {
    pub(super) fn new(cells: usize, length: usize) -> Self {
        Self {
            tiles: vec![None; cells],
            length,
            cells,
            ..Self::default()
        }
    }

    pub(super) const fn age(&self) -> u64 {
        self.age
    }

    /// Appends a fact to a signature.
    #[inline]
    pub(super) fn step(&self, node: Node, fact: u32) -> Node {
        self.steps.get(&(node, fact)).copied().unwrap_or(UNKNOWN)
    }

    /// Returns the pixels of a signature if they are cached.
    #[inline]
    pub(super) fn tile(&self, node: Node) -> Option<&[u8]> {
        let tile = *self.tiles.get(node as usize)?;
        let start = tile? as usize * self.length;
        self.pixels.get(start..start + self.length)
    }

    /// Caches the pixels of a cell with a signature.
    pub(super) fn keep(&mut self, cell: usize, signature: &[u32], pixels: &[u8]) {
        let mut node = cell as Node;
        for &fact in signature {
            let next = self.tiles.len() as Node;
            node = *self.steps.entry((node, fact)).or_insert(next);
            if node == next {
                self.tiles.push(None);
            }
        }
        if self.tiles[node as usize].is_none() {
            let count = self.pixels.len() / self.length.max(1);
            self.tiles[node as usize] = Some(count as u32);
            self.pixels.extend_from_slice(pixels);
        }
    }

    /// Clears the cache if it is too large.
    pub(super) fn prune(&mut self) {
        if self.pixels.len() + 24 * self.tiles.len() > MOST {
            *self = Self {
                age: self.age + 1,
                ..Self::new(self.cells, self.length)
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_found_by_cell_and_signature() {
        let mut tiles = Tiles::new(2, 3);
        tiles.keep(0, &[4, 7], b"abc");
        tiles.keep(1, &[4, 7], b"def");
        tiles.keep(1, &[], b"ghi");
        let find = |cell: Node, signature: &[u32]| {
            let node = signature.iter().fold(cell, |node, &fact| tiles.step(node, fact));
            tiles.tile(node)
        };
        assert_eq!(find(0, &[4, 7]), Some(&b"abc"[..]));
        assert_eq!(find(1, &[4, 7]), Some(&b"def"[..]));
        assert_eq!(find(1, &[]), Some(&b"ghi"[..]));
        for (cell, signature) in [(0, &[][..]), (0, &[4]), (0, &[7, 4]), (1, &[4, 7, 9])] {
            assert_eq!(find(cell, signature), None, "{cell} {signature:?}");
        }
    }

    #[test]
    fn what_is_too_much_is_forgotten() {
        let mut tiles = Tiles::new(1, MOST / 4);
        let pixels = vec![7; MOST / 4];
        for fact in 0..4 {
            tiles.keep(0, &[fact], &pixels);
            tiles.prune();
        }
        assert_eq!((tiles.age(), tiles.tile(tiles.step(0, 2))), (1, None));
    }
}
