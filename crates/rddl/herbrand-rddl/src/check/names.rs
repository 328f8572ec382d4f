//! Checks that ground variables have different names.
//!
//! The name of `p(a, b)` is `p___a__b`. Names can coincide if an item has `__` in its name, or begins with `_` as an enum
//! value may, or a pvariable has `___`: `q(a, b__c)` and `q(a__b, c)` are both `q___a__b__c`.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use super::instance::InstanceBlock;
use crate::diagnostic::Code;
use crate::model::{Instance, PvariableId, PvariableKind, TypeId};

/// A ground variable: its pvariable, and its number in row order.
type Ground = (PvariableId, u64);

/// The maximum number of ground variables whose names are compared.
const MOST_NAMES: u64 = 1 << 24;

/// Reports the first two ground variables, other than non-fluents, that have the same name.
pub(super) fn differ(own: &mut InstanceBlock<'_>, instance: &Instance) {
    let domain = &instance.domain;
    let fluents: Vec<PvariableId> = (0..domain.pvariables.len())
        .map(PvariableId::from_index)
        .filter(|&id| domain.pvariable(id).kind != PvariableKind::NonFluent)
        .collect();
    let total = fluents
        .iter()
        .map(|&id| instance.count(id))
        .fold(0, u64::saturating_add);
    let is_ambiguous = fluents.iter().any(|&id| is_ambiguous(instance, id));
    let bytes = total as usize * size_of::<(u64, Ground)>();
    if !is_ambiguous || total > MOST_NAMES || !own.faults.charge(bytes) {
        return;
    }
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    let mut grounds: Vec<(u64, Ground)> = Vec::with_capacity(total as usize);
    for id in fluents {
        let hash = |number| hasher.hash_one(instance.ground_name(id, number));
        grounds.extend((0..instance.count(id)).map(|number| (hash(number), (id, number))));
    }
    grounds.sort_unstable();
    let name = |(id, number): Ground| instance.ground_name(id, number);
    let alike = grounds.windows(2).filter_map(|pair| {
        let [(hash, one), (other_hash, other)] = [pair[0], pair[1]];
        (hash == other_hash && name(one) == name(other)).then_some((one, other))
    });
    if let Some((one, other)) = alike.min() {
        let (one_text, other_text) = (text(instance, one), text(instance, other));
        let span = own.syntax.name.span;
        own.faults.report(
            Code::DuplicateDeclaration,
            format!(
                "`{one_text}` and `{other_text}` have the same ground name, `{}`",
                name(one)
            ),
            |d| {
                d.primary(span, "in this instance").help(
                    "rename one of them: `___` and `__` separate a fluent and its objects in ground names",
                )
            },
        );
    }
}

/// Returns whether the name of some ground variable of a pvariable can be read as that of another.
fn is_ambiguous(instance: &Instance, id: PvariableId) -> bool {
    let pvariable = instance.domain.pvariable(id);
    let is_odd = |of: &TypeId, item: u32| {
        let name = instance.item_name(*of, item).as_str();
        name.contains("__") || name.starts_with('_')
    };
    let has_odd = |of: &TypeId| (0..instance.size(*of)).any(|item| is_odd(of, item));
    instance.count(id) > 0
        && (pvariable.name.as_str().contains("___") || pvariable.parameters.iter().any(has_odd))
}

/// Returns a ground variable as in RDDL: `q(a, b)`.
fn text(instance: &Instance, (id, number): Ground) -> String {
    let pvariable = instance.domain.pvariable(id);
    let items = pvariable.parameters.iter().zip(instance.arguments(id, number));
    let items: Vec<&str> = items
        .map(|(&of, item)| instance.item_name(of, item).as_str())
        .collect();
    if items.is_empty() {
        return pvariable.name.to_string();
    }
    format!("{}({})", pvariable.name, items.join(", "))
}
