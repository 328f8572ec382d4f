//! Draws states as pixels fast, by caching the pixels of cells.

mod camera;
mod relevance;
mod tiles;

use std::cell::RefCell;
use std::str::FromStr;
use std::sync::{PoisonError, RwLock};

pub use camera::Camera;

use crate::problem::{DrawnRange, Moment, NamedFact, PictureVocabulary};
use crate::raster::{Image, ImageError};
use relevance::Relevance;
use tiles::{Node, Tiles, UNKNOWN};

/// The size of an image in pixels; 64 × 64 by default. Neither side may be 0, and the number of pixels has the limit
/// [`Image::MOST`]; [`Camera::new`] checks this. It is parsed from `HEIGHTxWIDTH`, with the height first.
/// [`Camera::new`] and [`Pixels::of`](crate::Pixels::of) take one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PixelSize {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
}

impl PixelSize {
    /// Returns the number of bytes of an image of this size, with red, green and blue per pixel. It is 0 if the width
    /// or the height is.
    #[must_use]
    pub const fn bytes(self) -> usize {
        3 * self.width as usize * self.height as usize
    }
}

/// Parses `HEIGHTxWIDTH`, such as `64x96`.
impl FromStr for PixelSize {
    type Err = ImageError;

    fn from_str(text: &str) -> Result<Self, ImageError> {
        let parse = |(height, width): (&str, &str)| {
            Some(Self {
                height: height.parse().ok()?,
                width: width.parse().ok()?,
            })
        };
        let size = text.split_once('x').and_then(parse);
        size.ok_or_else(|| ImageError::SizeText(text.to_owned()))
    }
}

impl Default for PixelSize {
    /// Returns 64 × 64 pixels.
    fn default() -> Self {
        Self {
            width: 64,
            height: 64,
        }
    }
}

/// A renderer of the same images as a [`Camera`], byte for byte, from cached cells. It is faster if many states of one
/// problem are drawn. [`Pixels`](crate::Pixels) holds one per problem; [`write`](Self::write) draws a state.
///
/// Facts have ids here. The ids that affect each cell are computed once. Those of them that hold in a state are the
/// cell's signature, and the pixels of each signature are cached (up to 32 MiB per problem). A picture that is not a
/// grid is a single cell. If numbers may change, nothing is cached.
#[derive(Debug)]
pub struct Mosaic {
    camera: Camera,
    ground: Image,
    /// `None` if nothing is cached.
    relevance: Option<Relevance>,
    /// The ids of the facts that affect images, in ascending order.
    concerned: Vec<u32>,
    /// For each cell, its first byte in a picture.
    corners: Vec<usize>,
    /// The number of pixel rows of a cell, and the number of bytes of a row in a cell and in a picture.
    rows: usize,
    row: usize,
    stride: usize,
    tiles: RwLock<Tiles>,
}

thread_local! {
    static NODES: RefCell<Vec<Node>> = const { RefCell::new(Vec::new()) };
}

/// The number of attempts to draw from the cache before drawing directly: other threads may clear the cache meanwhile.
const TRIES: usize = 3;

impl Mosaic {
    /// Creates a mosaic that draws the same images as `camera`. `atoms` are the facts that may change, indexed by id;
    /// `None` for ids without a fact. `first` is any state of the problem and provides the goal. Then call
    /// [`write`](Self::write) for each state.
    ///
    /// # Errors
    /// Fails if the size has no pixels or too many, which [`Camera::new`] has already checked.
    pub fn new(camera: Camera, atoms: &[Option<NamedFact>], first: &Moment) -> Result<Self, ImageError> {
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

    /// Returns the camera whose images the mosaic draws.
    #[must_use]
    pub const fn camera(&self) -> &Camera {
        &self.camera
    }

    /// Returns the ids, from `first` on, of the facts that affect images, in ascending order. Ids are positions in the
    /// `atoms` given to [`new`](Self::new).
    pub fn concerned_from(&self, first: u32) -> impl Iterator<Item = u32> {
        let start = self.concerned.partition_point(|&fact| fact < first);
        self.concerned[start..].iter().copied()
    }

    /// Writes a state as pixels to the front of `into`: red, green and blue of each pixel, one byte each, row by row
    /// from the top ([`PixelSize::bytes`]). Returns the number of bytes, also if only changed cells are written. If
    /// `into` is too short, it writes nothing and returns 0. The functions may be called several times.
    ///
    /// - `held` returns the ids of the facts that hold, in ascending order. It may omit facts that do not
    ///   [affect](Self::concerned_from) images.
    /// - `holds` returns whether the fact with an id holds.
    /// - `moment` returns the state. It is called only if a cell is not cached.
    /// - `note` is the record of the last write of the same mosaic into this buffer, or empty. With a non-empty record, only
    ///   changed cells are written. It is overwritten by the record of this write. With `None`, all cells are written.
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

    /// Draws a state directly.
    fn draw(&self, moment: &Moment, into: &mut [u8]) -> usize {
        match self.camera.draw(moment) {
            Ok(image) => {
                into.copy_from_slice(image.pixels());
                into.len()
            }
            // The camera has checked the size.
            Err(_) => 0,
        }
    }

    /// Copies the cells that changed, if all of them are cached.
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

    /// Copies the pixels of a cell into the picture.
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

    /// Draws all cells of a state and caches them.
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

/// Returns whether a number may change that is not hidden.
fn has_numbers(vocabulary: &PictureVocabulary, declaration: &crate::declare::Declaration) -> bool {
    let is_hidden = |name: &String| declaration.hide.iter().any(|hidden| hidden.get_ref() == name);
    vocabulary.predicates.iter().any(|predicate| {
        predicate.group != herbrand_core::Group::Static
            && predicate.range != DrawnRange::Bool
            && !is_hidden(&predicate.name)
    })
}
