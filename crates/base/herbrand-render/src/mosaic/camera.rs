//! Draws states as pixels of a fixed size, without caching.

use super::PixelSize;
use crate::colour::{Colour, Theme, Tone};
use crate::declare::EVERYWHERE;
use crate::picture::Picture;
use crate::problem::{DrawnPredicate, Moment};
use crate::raster::{Image, ImageError, paper};
use crate::scene::Scene;
use crate::view::Cells;

/// A renderer of states as images of a fixed size in pixels, as observations for agents: without a title, a legend or
/// text that does not depend on the state. An [`Image`] has red, green and blue per pixel.
///
/// If the picture consists of a grid only, it is drawn as square cells of a whole number of pixels, as large as
/// possible, each cell separately. Any other picture, or a grid whose cells would be smaller than a pixel, is drawn
/// as a whole, as large as possible. [`Mosaic`](crate::Mosaic) draws the same images faster.
///
/// ```text
///   ┌────────────────┐
///   │   ┌──┬──┬──┐   │  64 × 64 pixels, three columns of cells of
///   │   │  │☺ │▣ │   │  21 × 21 pixels, with paper around them
///   │   └──┴──┴──┘   │
///   └────────────────┘
/// ```
#[derive(Clone, Debug)]
pub struct Camera {
    picture: Picture,
    size: PixelSize,
    theme: Theme,
    /// The position and size of the cells, if the picture is a grid.
    grid: Option<Squares>,
}

/// The position and size of the cells of a grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Squares {
    /// The width and height of a cell in pixels.
    pub(super) side: u32,
    left: u32,
    top: u32,
}

impl Squares {
    fn new(cells: &Cells, size: PixelSize) -> Option<Self> {
        let (columns, rows) = (
            u32::try_from(cells.columns).ok()?,
            u32::try_from(cells.rows).ok()?,
        );
        let side = size
            .width
            .checked_div(columns)?
            .min(size.height.checked_div(rows)?);
        (side > 0).then(|| Self {
            side,
            left: (size.width - side * columns) / 2,
            top: (size.height - side * rows) / 2,
        })
    }

    /// Returns the upper left pixel of a cell.
    pub(super) const fn corner(self, (column, row): (usize, usize)) -> (u32, u32) {
        (
            self.left + self.side * column as u32,
            self.top + self.side * row as u32,
        )
    }
}

impl Camera {
    /// Creates a camera that draws the states of the problem of `picture`, at this size and in this theme. Then call
    /// [`draw`](Self::draw) for each state.
    ///
    /// # Errors
    /// [`ImageError::Size`] if the width or the height is 0, or if there are more than [`Image::MOST`] pixels.
    pub fn new(picture: Picture, size: PixelSize, theme: Theme) -> Result<Self, ImageError> {
        Image::new(size.width, size.height, paper(theme))?;
        let alone = picture.grid().filter(|_| !draws_between(&picture));
        let grid = alone.and_then(|(_, cells)| Squares::new(cells, size));
        Ok(Self {
            picture,
            size,
            theme,
            grid,
        })
    }

    /// Returns the picture definition, with the declaration and the problem.
    #[must_use]
    pub const fn picture(&self) -> &Picture {
        &self.picture
    }

    /// Returns the size of the images that the camera draws.
    #[must_use]
    pub const fn size(&self) -> PixelSize {
        self.size
    }

    /// Draws a state as an image of the camera's size. `moment` must be a state of the problem of the picture.
    ///
    /// # Errors
    /// Fails if the size has no pixels or too many. [`new`](Self::new) has already checked this.
    pub fn draw(&self, moment: &Moment) -> Result<Image, ImageError> {
        let Some((squares, cells)) = self.squares() else {
            let scene = self.picture.bare(moment);
            return scene.to_image_within(self.theme, self.size.width, self.size.height);
        };
        let mut image = self.ground()?;
        let drawn = self.picture.cells(moment);
        for (scene, &place) in drawn.iter().zip(&cells.spots) {
            image.paste(&self.cell(scene, squares)?, squares.corner(place));
        }
        Ok(image)
    }

    /// Returns the grid if the picture is one.
    pub(super) fn squares(&self) -> Option<(Squares, &Cells)> {
        let (_, cells) = self.picture.grid()?;
        Some((self.grid?, cells))
    }

    /// Draws the background of a grid: paper and walls.
    pub(super) fn ground(&self) -> Result<Image, ImageError> {
        let mut image = Image::new(self.size.width, self.size.height, paper(self.theme))?;
        if let Some((squares, cells)) = self.squares() {
            let grey = match self.theme {
                Theme::Dark => Colour::Grey.dark(Tone::Strong),
                Theme::Light | Theme::Auto => Colour::Grey.light(Tone::Strong),
            };
            let wall = Image::new(squares.side, squares.side, grey)?;
            for &place in &cells.walls {
                image.paste(&wall, squares.corner(place));
            }
        }
        Ok(image)
    }

    /// Draws a cell.
    pub(super) fn cell(&self, scene: &Scene, squares: Squares) -> Result<Image, ImageError> {
        scene.to_image_within(self.theme, squares.side, squares.side)
    }
}

/// Returns whether a layer may draw something between two places, judging by the types of its fact's arguments.
fn draws_between(picture: &Picture) -> bool {
    let Some((board, _)) = picture.grid() else {
        return false;
    };
    let (vocabulary, world) = picture.about();
    let spots = &board.spots().spots;
    if spots.iter().any(|spot| spot.names.len() > 1) {
        return false;
    }
    let is_spot = |name: &str| board.spots().find(&[name]).is_some();
    let types: std::collections::BTreeSet<&str> = world
        .objects
        .iter()
        .filter(|object| is_spot(&object.name))
        .flat_map(|object| object.types.first().map(String::as_str))
        .collect();
    let may_be_place = |wanted: &&Vec<String>| {
        world.objects.iter().any(|object| {
            let own = object.types.first().map(String::as_str);
            own.is_some_and(|own| types.contains(own)) && wanted.iter().any(|of| object.is(of))
        })
    };
    let layers = &picture.declaration().layer;
    let mut layers = layers
        .iter()
        .filter(|layer| !layer.absent && layer.fact.get_ref() != EVERYWHERE);
    layers.any(|layer| {
        let predicate = vocabulary.find(layer.fact.get_ref());
        let places = |predicate: &DrawnPredicate| predicate.parameters.iter().filter(may_be_place).count();
        predicate.is_some_and(|predicate| places(predicate) > 1)
    })
}
