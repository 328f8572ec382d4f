//! Names that are used but not declared.
//!
//! Each use is a fault, but all uses of a name can have one cause: its declaration is missing, misspelt or faulty. So they
//! are collected, and reported when all formulas have been checked.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use herbrand_text::Span;

use super::declare::Names;
use crate::diagnostic::{Code, Diagnostics};
use crate::model::{PvariableId, TypeId};

/// The maximum number of uses that are collected: more than the faults that are shown. Later ones are dropped.
const MOST: usize = 1000;

/// The maximum number of further uses that one fault points at.
const SHOWN: usize = 3;

/// The uses of undeclared names.
#[derive(Default)]
pub(super) struct Undeclared {
    /// By code and name, in the order of the checks.
    uses: RefCell<BTreeMap<(&'static str, String), Vec<UndeclaredUse>>>,
    count: RefCell<usize>,
    /// The types that are used.
    types: RefCell<BTreeSet<TypeId>>,
}

/// A use of an undeclared name.
pub(super) struct UndeclaredUse {
    pub(super) code: Code,
    pub(super) message: String,
    pub(super) label: &'static str,
    pub(super) span: Span,
    pub(super) help: Help,
}

/// The help for a use of an undeclared name.
pub(super) enum Help {
    None,
    Text(String),
    /// The name that was probably meant.
    Suggestion(String),
}

impl Help {
    /// Returns the help that suggests a name, if there is one.
    pub(super) fn suggesting(meant: Option<&str>) -> Self {
        meant.map_or(Self::None, |meant| Self::Suggestion(meant.to_owned()))
    }
}

impl UndeclaredUse {
    fn report(&self, faults: &mut Diagnostics, others: &[Self], declared: Option<Span>) {
        faults.report(self.code, self.message.as_str(), |d| {
            let mut d = d.primary(self.span, self.label);
            for other in others.iter().take(SHOWN) {
                d = d.label(other.span, "and here");
            }
            match others.len().checked_sub(SHOWN) {
                None | Some(0) => {}
                Some(1) => d = d.note("it is used in 1 more place"),
                Some(more) => d = d.note(format!("it is used in {more} more places")),
            }
            match (&self.help, declared) {
                (Help::None, _) => match self.code {
                    Code::UnknownType => d.help("declare it in `types`"),
                    _ => d.help("declare it in `pvariables`"),
                },
                (Help::Text(text), _) => d.help(text.as_str()),
                (Help::Suggestion(name), None) => d.suggest(Some(name)),
                (Help::Suggestion(name), Some(declared)) => {
                    let d = d.label(declared, "declared here, and used nowhere");
                    match others {
                        [] => d.suggest(Some(name)),
                        _ => d.help(format!("is `{name}` misspelt in its declaration?")),
                    }
                }
            }
        });
    }
}

impl Undeclared {
    /// Notes that a type is used.
    pub(super) fn type_is_used(&self, id: TypeId) {
        self.types.borrow_mut().insert(id);
    }

    /// Adds a use of `name`, which is not declared.
    pub(super) fn add(&self, name: &str, one: UndeclaredUse, faults: &mut Diagnostics) {
        let bytes = 3 * size_of::<UndeclaredUse>() + one.message.len() + 2 * name.len();
        if !faults.charge(bytes) || *self.count.borrow() >= MOST {
            return;
        }
        *self.count.borrow_mut() += 1;
        let key = (one.code.as_str(), name.to_owned());
        self.uses.borrow_mut().entry(key).or_default().push(one);
    }

    /// Reports all uses. Those of a name among `skipped`, the words of faulty declarations, have been reported. Uses with
    /// one cause are one fault. Returns the pvariables that are probably declared with misspelt names; `is_used` tells
    /// whether a formula names a pvariable.
    pub(super) fn report(
        &self,
        names: &Names<'_>,
        skipped: &BTreeSet<&str>,
        is_used: impl Fn(PvariableId) -> bool,
        faults: &mut Diagnostics,
    ) -> Vec<PvariableId> {
        let mut misspelt = Vec::new();
        for ((_, name), uses) in self.uses.take() {
            let Some((first, others)) = uses.split_first() else {
                continue;
            };
            if skipped.contains(name.trim_start_matches('@')) {
                continue;
            }
            let suggestion = match &first.help {
                Help::Suggestion(meant) => Some(meant.as_str()),
                _ => None,
            };
            let of_type = suggestion.and_then(|meant| names.types.get(meant));
            let of_type = of_type.filter(|_| first.code == Code::UnknownType);
            let of_type = of_type.filter(|(id, _)| !self.types.borrow().contains(id));
            let pvariable = suggestion.and_then(|meant| names.pvariables.get(meant));
            let pvariable =
                pvariable.filter(|&&(id, _)| first.code == Code::UnknownPvariable && !is_used(id));
            misspelt.extend(pvariable.map(|&(id, _)| id));
            let declared = of_type
                .map(|&(_, span)| span)
                .or_else(|| pvariable.map(|&(_, span)| span));
            match (declared, &first.help) {
                (Some(span), _) => first.report(faults, others, Some(span)),
                (None, Help::None) => first.report(faults, others, None),
                _ => uses.iter().for_each(|one| one.report(faults, &[], None)),
            }
        }
        misspelt
    }
}
