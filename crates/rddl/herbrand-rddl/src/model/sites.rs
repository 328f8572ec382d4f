//! Numbering of the ground draws of an instance.

use herbrand_distributions::Site;

use super::{Draw, DrawId, Instance};

/// Numbers the ground draws of an instance, so that every evaluator uses the same random number for the same draw. A
/// number is a [`Site`]. [`new`](Self::new) creates the numbering of an instance, and [`site`](Self::site) returns the
/// number of a ground draw.
///
/// The draws of the domain are numbered in order. A draw with variables ?x, ?y in scope has one ground draw per pair of
/// items, in row order. A ground draw of a vector takes one number per component and one more.
///
/// ```text
///  DrawId 0 (no variable)  DrawId 1 (?x of 3 items)   DrawId 2 (vector of 2, ?x of 2 items)
///  ├────────┤├──────┬──────┬──────┤├──────┬──────┬──────┬──────┬──────┬──────┤
///   0         1      2      3       4 ?x=0 5      6      7 ?x=1 8      9
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sites {
    /// The first site of each draw.
    first: Vec<u32>,
    /// By draw: the sizes of the types in scope, and the number of sites per ground draw.
    shape: Vec<(Vec<u32>, u32)>,
}

impl Sites {
    /// Numbers the ground draws of `instance`. Numbers are 32-bit and wrap around, so a problem with more draws reuses them.
    #[must_use]
    pub fn new(instance: &Instance) -> Self {
        let shape = |draw: &Draw| {
            let sizes: Vec<u32> = draw.types.iter().map(|&of| instance.size(of)).collect();
            let width = draw.components.map_or(1, |of| instance.size(of) + 1);
            (sizes, width)
        };
        let shape: Vec<_> = instance.domain.draws.iter().map(shape).collect();
        let mut next = 0u32;
        let first = shape.iter().map(|(sizes, width)| {
            let count = sizes.iter().fold(*width, |count, &size| count.wrapping_mul(size));
            let first = next;
            next = next.wrapping_add(count);
            first
        });
        Self {
            first: first.collect(),
            shape,
        }
    }

    /// Returns the numbering of the draw `id` as a linear function: the number of the site of its first ground draw,
    /// and for each variable in its scope the stride, by which the number grows from one item to the next. Evaluators
    /// of many ground draws use it in place of [`site`](Self::site). The arithmetic wraps around. Panics if the domain
    /// has no such draw.
    #[must_use]
    pub fn linear(&self, id: DrawId) -> (u32, Vec<u32>) {
        let (sizes, width) = &self.shape[id.index()];
        let mut stride = *width;
        let mut strides: Vec<u32> = sizes
            .iter()
            .rev()
            .map(|&size| {
                let along = stride;
                stride = stride.wrapping_mul(size);
                along
            })
            .collect();
        strides.reverse();
        (self.first[id.index()], strides)
    }

    /// Returns the site of the ground draw of `id` for these items (positions in their types) of the variables in its
    /// scope ([`Draw::scope`]), outermost first. For a vector draw, returns the first of its consecutive sites. The
    /// items are not checked. Panics if the domain has no such draw.
    #[must_use]
    pub fn site(&self, id: DrawId, items: &[u32]) -> Site {
        let (sizes, width) = &self.shape[id.index()];
        let pairs = sizes.iter().zip(items);
        let row = pairs.fold(0u32, |row, (&size, &item)| {
            row.wrapping_mul(size).wrapping_add(item)
        });
        Site(self.first[id.index()].wrapping_add(row.wrapping_mul(*width)))
    }
}
