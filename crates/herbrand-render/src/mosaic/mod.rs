//! States as pixels, fast: what a cell looks like is drawn once and copied from then on.

mod camera;
mod relevance;
mod tiles;

use std::cell::RefCell;
use std::str::FromStr;
use std::sync::{PoisonError, RwLock};

pub use camera::Camera;

use crate::raster::{Image, ImageError};
use crate::world::{Atom, Moment, Range, Vocabulary};
use relevance::Relevance;
use tiles::{Node, Tiles, UNKNOWN};

/// How many pixels wide and high pictures are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PixelSize {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
}

impl PixelSize {
    /// The number of bytes of a picture: red, green and blue of each pixel.
    #[must_use]
    pub const fn bytes(self) -> usize {
        3 * self.width as usize * self.height as usize
    }
}

/// As `64x96`: the height, then the width.
impl FromStr for PixelSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parse = |(height, width): (&str, &str)| {
            Some(Self {
                height: height.parse().ok()?,
                width: width.parse().ok()?,
            })
        };
        let size = text.split_once('x').and_then(parse);
        size.ok_or_else(|| format!("a size is written as HEIGHTxWIDTH, such as 64x64, not `{text}`"))
    }
}

impl Default for PixelSize {
    /// 64 × 64 pixels.
    fn default() -> Self {
        Self {
            width: 64,
            height: 64,
        }
    }
}

/// Draws what a [`Camera`] draws, byte for byte, from cells that were drawn before.
///
/// Facts have numbers here. Which of them decide what a cell looks like is worked out once; those of them that hold in a state are
/// the cell's signature, and the pixels of a signature are kept (at most 32 MiB for a problem). A picture that is no grid is
/// one cell. Where numbers may change, every state is drawn anew.
#[derive(Debug)]
pub struct Mosaic {
    camera: Camera,
    ground: Image,
    /// `None` where every state is drawn anew.
    relevance: Option<Relevance>,
    concerned: Vec<bool>,
    /// By cell: its first byte in a picture.
    corners: Vec<usize>,
    /// How many rows of pixels a cell has, and how many bytes a row has in a cell and in a picture.
    rows: usize,
    row: usize,
    stride: usize,
    tiles: RwLock<Tiles>,
}

thread_local! {
    static NODES: RefCell<Vec<Node>> = const { RefCell::new(Vec::new()) };
}

/// How often a picture is drawn anew before it is given up: other threads may make everything be forgotten.
const TRIES: usize = 3;

impl Mosaic {
    /// Draws the states of a problem as `camera` does. `atoms` are the facts that may change, by number; `None` for numbers
    /// without a fact. The first is any state of the problem, for what the goal asks for.
    ///
    /// # Errors
    /// When the size has no pixels, or too many.
    pub fn new(camera: Camera, atoms: &[Option<Atom>], first: &Moment) -> Result<Self, ImageError> {
        let size = camera.size();
        let (vocabulary, _) = camera.picture().about();
        let of_grid = || Relevance::of_grid(camera.picture(), atoms, &first.goal);
        let gridded = camera.squares().and_then(|(squares, cells)| {
            let relevance = of_grid()?;
            let byte = |(x, y): (u32, u32)| 3 * (y as usize * size.width as usize + x as usize);
            let corners = cells.spots.iter().map(|&place| byte(squares.corner(place)));
            Some((relevance, corners.collect(), squares.side))
        });
        let (relevance, corners, width, rows) = match gridded {
            Some((relevance, corners, side)) => (relevance, corners, side, side),
            None => (
                Relevance::of_one_cell(atoms.len()),
                vec![0],
                size.width,
                size.height,
            ),
        };
        let row = 3 * width as usize;
        let rows = rows as usize;
        Ok(Self {
            ground: camera.ground()?,
            concerned: relevance.concerns(),
            relevance: (!has_numbers(vocabulary, camera.picture().declaration())).then_some(relevance),
            tiles: RwLock::new(Tiles::new(corners.len(), row * rows)),
            corners,
            rows,
            row,
            stride: 3 * size.width as usize,
            camera,
        })
    }

    /// What it draws like.
    #[must_use]
    pub const fn camera(&self) -> &Camera {
        &self.camera
    }

    /// Whether a fact has a say in any picture.
    #[must_use]
    pub fn concerns(&self, fact: u32) -> bool {
        self.concerned.get(fact as usize).copied().unwrap_or(false)
    }

    /// Writes a state as pixels, row by row from the top, to the front of `into`, and returns how many bytes that took. `held`
    /// gives the numbers of the facts that hold, ascending; those that do not [concern](Self::concerns) pictures may be left out.
    /// `moment` is the state itself, which is asked for where a cell was not drawn before. `note` is what was noted when the same
    /// mosaic wrote into this buffer last, or empty: only cells that changed are written then. Without a note all are. If `into` is
    /// too short, nothing is written.
    pub fn write<H: Iterator<Item = u32>>(
        &self,
        held: impl Fn() -> H,
        holds: impl Fn(u32) -> bool,
        moment: impl Fn() -> Moment,
        mut note: Option<&mut Vec<u64>>,
        into: &mut [u8],
    ) -> usize {
        let bytes = self.camera.size().bytes();
        let Some(into) = into.get_mut(..bytes) else {
            return 0;
        };
        let Some(relevance) = &self.relevance else {
            return self.draw(&moment(), into);
        };
        for _ in 0..TRIES {
            let copied = NODES.with_borrow_mut(|nodes| {
                self.copy(relevance, held(), &holds, nodes, note.as_deref_mut(), into)
            });
            if copied {
                return bytes;
            }
            if self.learn(relevance, held(), &holds, &moment()).is_err() {
                break;
            }
        }
        if let Some(note) = note {
            note.clear();
        }
        self.draw(&moment(), into)
    }

    /// Draws a state plainly.
    fn draw(&self, moment: &Moment, into: &mut [u8]) -> usize {
        match self.camera.draw(moment) {
            Ok(image) => {
                into.copy_from_slice(image.pixels());
                into.len()
            }
            // The size was checked when the camera was made.
            Err(_) => 0,
        }
    }

    /// Copies all cells that changed, if all of them were drawn before.
    fn copy(
        &self,
        relevance: &Relevance,
        held: impl Iterator<Item = u32>,
        holds: impl Fn(u32) -> bool,
        nodes: &mut Vec<Node>,
        note: Option<&mut Vec<u64>>,
        into: &mut [u8],
    ) -> bool {
        let tiles = self.tiles.read().unwrap_or_else(PoisonError::into_inner);
        let cells = self.corners.len();
        nodes.clear();
        nodes.extend(0..cells as Node);
        relevance.signatures(held, holds, |cell, fact| {
            let node = &mut nodes[cell as usize];
            if *node != UNKNOWN {
                *node = tiles.step(*node, fact);
            }
        });
        if nodes.iter().any(|&node| tiles.tile(node).is_none()) {
            return false;
        }
        let changed = nodes.iter().zip(&self.corners);
        let Some(note) = note else {
            into.copy_from_slice(self.ground.pixels());
            for (&node, &corner) in changed {
                self.put(tiles.tile(node), corner, into);
            }
            return true;
        };
        let age = tiles.age() + 1;
        if note.len() != cells + 1 || note[0] != age {
            into.copy_from_slice(self.ground.pixels());
            note.clear();
            note.push(age);
            note.resize(cells + 1, u64::from(UNKNOWN));
        }
        for ((&node, &corner), noted) in changed.zip(&mut note[1..]) {
            if *noted != u64::from(node) {
                *noted = u64::from(node);
                self.put(tiles.tile(node), corner, into);
            }
        }
        true
    }

    /// Copies the pixels of a cell to where it is.
    #[inline]
    fn put(&self, tile: Option<&[u8]>, corner: usize, into: &mut [u8]) {
        let tile = tile.unwrap_or_default();
        if self.row == self.stride {
            into[corner..corner + tile.len()].copy_from_slice(tile);
            return;
        }
        for (down, row) in tile.chunks_exact(self.row).enumerate() {
            let start = corner + down * self.stride;
            into[start..start + self.row].copy_from_slice(row);
        }
    }

    /// Draws all cells of a state and keeps them.
    fn learn(
        &self,
        relevance: &Relevance,
        held: impl Iterator<Item = u32>,
        holds: impl Fn(u32) -> bool,
        moment: &Moment,
    ) -> Result<(), ImageError> {
        let image = self.camera.draw(moment)?;
        let mut signatures = vec![Vec::new(); self.corners.len()];
        relevance.signatures(held, holds, |cell, fact| signatures[cell as usize].push(fact));
        let mut tiles = self.tiles.write().unwrap_or_else(PoisonError::into_inner);
        tiles.prune();
        let mut pixels = Vec::with_capacity(self.row * self.rows);
        for (cell, (signature, &corner)) in signatures.iter().zip(&self.corners).enumerate() {
            pixels.clear();
            for down in 0..self.rows {
                let start = corner + down * self.stride;
                pixels.extend_from_slice(&image.pixels()[start..start + self.row]);
            }
            tiles.keep(cell, signature, &pixels);
        }
        Ok(())
    }
}

/// Whether a number may change that is not hidden.
fn has_numbers(vocabulary: &Vocabulary, declaration: &crate::Declaration) -> bool {
    let is_hidden = |name: &String| declaration.hide.iter().any(|hidden| hidden.get_ref() == name);
    vocabulary.predicates.iter().any(|predicate| {
        predicate.group != herbrand_core::Group::Static
            && predicate.range != Range::Bool
            && !is_hidden(&predicate.name)
    })
}
