//! An index of a type hierarchy for fast subtype tests.

use super::{Domain, TypeId};

/// An index of a domain's types, for callers that test many pairs of types with [`is_subtype`](Self::is_subtype).
/// [`Hierarchy::new`] makes one.
///
/// Construction takes time linear in the number of types and parents. A test takes constant time, unless the tested type or
/// a type above it has several parents. Then it takes time linear in the number of types above it, like
/// [`Domain::is_subtype`].
#[derive(Clone, Debug)]
pub struct Hierarchy<'d> {
    domain: &'d Domain,
    /// For each type: its preorder number in the tree of first parents, and the end of its subtree's range of numbers.
    ranges: Vec<(u32, u32)>,
    /// For each type: whether the type or one above it on the path of first parents has several parents.
    branches: Vec<bool>,
}

impl<'d> Hierarchy<'d> {
    /// The number of bytes per type that the construction of the index needs, for callers that limit memory.
    pub const TYPE_BYTES: usize = 32;

    /// Creates the index of the types of `domain`.
    #[must_use]
    pub fn new(domain: &'d Domain) -> Self {
        let count = domain.types.len();
        let first_parent = |index: usize| domain.types[index].parents.first().map(|parent| parent.index());
        let mut below = vec![Vec::new(); count];
        for index in 0..count {
            if let Some(parent) = first_parent(index) {
                below[parent].push(index);
            }
        }
        let mut order = Vec::with_capacity(count);
        let mut branches = vec![false; count];
        let mut open: Vec<usize> = (0..count)
            .rev()
            .filter(|&index| first_parent(index).is_none())
            .collect();
        while let Some(index) = open.pop() {
            order.push(index);
            branches[index] = domain.types[index].parents.len() > 1
                || first_parent(index).is_some_and(|parent| branches[parent]);
            open.append(&mut below[index]);
        }
        let mut ranges = vec![(u32::MAX, 0); count];
        for (number, &index) in (0..).zip(&order) {
            ranges[index] = (number, number + 1);
        }
        for &index in order.iter().rev() {
            if let Some(parent) = first_parent(index) {
                ranges[parent].1 = ranges[parent].1.max(ranges[index].1);
            }
        }
        Self {
            domain,
            ranges,
            branches,
        }
    }

    /// Returns whether `id` is `ancestor` or one of its subtypes, like [`Domain::is_subtype`]. Panics if one of the two
    /// is not a type of the domain.
    #[must_use]
    pub fn is_subtype(&self, id: TypeId, ancestor: TypeId) -> bool {
        let (number, _) = self.ranges[id.index()];
        let (first, end) = self.ranges[ancestor.index()];
        ancestor == TypeId::OBJECT
            || (first..end).contains(&number)
            || (self.branches[id.index()] && self.domain.is_subtype(id, ancestor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Trees, chains and lattices, with types declared before and after their parents.
    #[test]
    fn the_index_agrees_with_the_domain() {
        for types in [
            "a b - c c d - e e f",
            "a - b b - c c - d d - f g - b h - b i - g",
            "a - (either b c) b c - d e - a f - e g - (either f h) h - d i - h",
            "x y z - w w - (either u v) u v - object t - z",
            "",
        ] {
            let text = format!("(define (domain d) (:requirements :typing) (:types {types}))");
            let domain = Domain::from_text(&text).expect("a domain");
            let hierarchy = Hierarchy::new(&domain);
            let ids = || (0..domain.types.len()).map(TypeId::from_index);
            for (id, ancestor) in ids().flat_map(|id| ids().map(move |ancestor| (id, ancestor))) {
                let expected = domain.is_subtype(id, ancestor);
                assert_eq!(
                    hierarchy.is_subtype(id, ancestor),
                    expected,
                    "{types}: {id:?} {ancestor:?}"
                );
            }
        }
    }
}
