//! Compatibility of an argument's type with the declared type.

use fxhash::FxHashMap;

use crate::model::{Domain, TypeId, TypeUnion};

/// Whether an argument of one type is allowed where another type is required.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fit {
    /// Every object of the argument's type is of the required type.
    Always,
    /// Some objects are of both types. This is accepted with a warning because real files rely on it.
    Sometimes,
    /// No object can be of both types.
    Never,
}

/// A cache of [`Fit`] results.
pub(super) struct Fits<'d> {
    domain: &'d Domain,
    known: FxHashMap<(TypeId, TypeId), Fit>,
    /// The direct subtypes of each type; `None` if every type has at most one direct supertype. Only with several supertypes
    /// can unrelated types have a common subtype.
    below: Option<Vec<Vec<TypeId>>>,
    /// For each type, the number of the last search that visited it.
    met: Vec<u32>,
    searches: u32,
    /// The number of visits left.
    patience: usize,
}

/// The maximum number of visits to types. Hierarchies in practice need a few hundred visits. Without a limit, a hierarchy of
/// thousands of types could take quadratic time. Once the limit is reached, every type fits.
const PATIENCE: usize = 5_000_000;

impl<'d> Fits<'d> {
    pub(super) fn new(domain: &'d Domain) -> Self {
        let is_lattice = domain.types.iter().any(|t| t.parents.len() > 1);
        Self {
            domain,
            known: FxHashMap::default(),
            below: is_lattice.then(|| types_below(domain)),
            met: vec![0; domain.types.len()],
            searches: 0,
            patience: PATIENCE,
        }
    }

    /// Returns how an argument of the types `have` fits a parameter of the types `want`.
    #[inline]
    pub(super) fn fit(&mut self, have: &TypeUnion, want: &TypeUnion) -> Fit {
        match (have.types(), want.types()) {
            ([have], [want]) if have == want => Fit::Always,
            ([have], [want]) => self.fit_of_one(*have, *want),
            // An unknown type was reported where it is written.
            ([], _) | (_, []) => Fit::Always,
            (have, want) => self.fit_of_several(have, want),
        }
    }

    fn fit_of_several(&mut self, have: &[TypeId], want: &[TypeId]) -> Fit {
        let best: Vec<Fit> = have.iter().map(|&have| self.best_fit(have, want)).collect();
        if best.iter().all(|&fit| fit == Fit::Always) {
            Fit::Always
        } else if best.iter().all(|&fit| fit == Fit::Never) {
            Fit::Never
        } else {
            Fit::Sometimes
        }
    }

    fn best_fit(&mut self, have: TypeId, want: &[TypeId]) -> Fit {
        let mut best = Fit::Never;
        for &want in want {
            match self.fit_of_one(have, want) {
                Fit::Always => return Fit::Always,
                Fit::Sometimes => best = Fit::Sometimes,
                Fit::Never => {}
            }
        }
        best
    }

    fn fit_of_one(&mut self, have: TypeId, want: TypeId) -> Fit {
        if have == want || want == TypeId::OBJECT {
            return Fit::Always;
        }
        if let Some(&known) = self.known.get(&(have, want)) {
            return known;
        }
        // Each cache entry costs a visit, which limits the size of the cache.
        self.patience = self.patience.saturating_sub(1);
        if self.patience == 0 {
            return Fit::Always;
        }
        let fit = if self.is_above(want, have) {
            Fit::Always
        } else if self.is_above(have, want) || self.have_common_subtype(have, want) {
            Fit::Sometimes
        } else {
            Fit::Never
        };
        self.known.insert((have, want), fit);
        fit
    }

    fn is_above(&mut self, ancestor: TypeId, id: TypeId) -> bool {
        if ancestor == TypeId::OBJECT {
            return true;
        }
        let domain = self.domain;
        self.searches += 1;
        let search = self.searches;
        self.visit(
            id,
            search,
            |id| &domain.type_of(id).parents,
            |_, id| id == ancestor,
        )
    }

    fn have_common_subtype(&mut self, a: TypeId, b: TypeId) -> bool {
        let Some(below) = self.below.take() else {
            return false;
        };
        self.searches += 2;
        let (first, second) = (self.searches - 1, self.searches);
        self.visit(a, first, |id| &below[id.index()], |_, _| false);
        let found = self.visit(b, second, |id| &below[id.index()], |met, _| met == first);
        self.below = Some(below);
        found
    }

    /// Visits the types reachable from `start` until one satisfies `is_sought`. Returns whether one does. `is_sought` gets
    /// the number of the last search that visited the type, and the type.
    fn visit<'t>(
        &mut self,
        start: TypeId,
        search: u32,
        next: impl Fn(TypeId) -> &'t [TypeId],
        is_sought: impl Fn(u32, TypeId) -> bool,
    ) -> bool {
        let mut open = vec![start];
        while let Some(id) = open.pop() {
            let met = std::mem::replace(&mut self.met[id.index()], search);
            if is_sought(met, id) {
                return true;
            }
            if met != search {
                self.patience = self.patience.saturating_sub(1 + next(id).len());
                open.extend_from_slice(next(id));
            }
        }
        false
    }
}

fn types_below(domain: &Domain) -> Vec<Vec<TypeId>> {
    let mut below = vec![Vec::new(); domain.types.len()];
    for (index, declared) in domain.types.iter().enumerate() {
        for parent in &declared.parents {
            below[parent.index()].push(TypeId::from_index(index));
        }
    }
    below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_types_fit() {
        let domain = Domain::from_text(
            "(define (domain d) (:types a b c - object d - a e - (either a b) f - e g - d))",
        )
        .expect("a domain");
        let mut fits = Fits::new(&domain);
        let mut fit = |have: &str, want: &str| {
            let types = |names: &str| {
                let id = |name: &str| {
                    domain
                        .types
                        .iter()
                        .position(|t| t.name.as_str() == name)
                        .expect("a type")
                };
                TypeUnion::either(
                    names
                        .split(' ')
                        .map(|name| TypeId::from_index(id(name)))
                        .collect(),
                )
            };
            fits.fit(&types(have), &types(want))
        };
        let rows = [
            ("a", "a", Fit::Always),
            ("g", "a", Fit::Always),
            ("f", "b", Fit::Always),
            ("c", "object", Fit::Always),
            ("a", "g", Fit::Sometimes),
            ("object", "g", Fit::Sometimes),
            ("a", "b", Fit::Sometimes),
            ("b", "a", Fit::Sometimes),
            ("d", "b", Fit::Never),
            ("a", "c", Fit::Never),
            ("a b", "c a", Fit::Sometimes),
            ("d f", "a", Fit::Always),
            ("c d", "b", Fit::Never),
            ("d", "b c", Fit::Never),
            ("f", "c b", Fit::Always),
        ];
        for (have, want, expected) in rows {
            assert_eq!(fit(have, want), expected, "{have} for {want}");
        }
    }
}
