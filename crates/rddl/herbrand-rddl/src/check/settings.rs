//! Checks values of non-fluents and of the initial state.

use std::collections::HashMap;
use std::sync::Arc;

use herbrand_text::{Span, counted, nearest};

use super::declare::note_values;
use super::instance::InstanceBlock;
use super::{constant, lint};
use crate::diagnostic::{Code, Diagnostics};
use crate::model::{
    Domain, Instance, Name, PvariableId, PvariableKind, Range, Settings, TypeId, TypeKind, Value,
};
use crate::syntax::ast::{ConstantKind, Setting, Word};

/// Items by type and name.
struct Items<'i> {
    objects: Vec<HashMap<&'i str, u32>>,
}

impl<'i> Items<'i> {
    fn new(instance: &'i Instance) -> Self {
        let named = |names: &mut dyn Iterator<Item = &'i Name>| {
            names
                .zip(0u32..)
                .map(|(name, item)| (name.as_str(), item))
                .collect()
        };
        let of_type = |(index, one): (usize, &'i crate::model::Type)| match &one.kind {
            TypeKind::Enum(values) => named(&mut values.iter()),
            TypeKind::Objects => named(&mut instance.objects[index].iter().map(|object| &object.name)),
        };
        Self {
            objects: instance.domain.types.iter().enumerate().map(of_type).collect(),
        }
    }

    /// Finds an item by name. Reports an unknown item.
    fn find(&self, word: Word<'_>, of: TypeId, domain: &Domain, faults: &mut Diagnostics) -> Option<u32> {
        let bare = word.text.strip_prefix('@').unwrap_or(word.text);
        let known = &self.objects[of.index()];
        if let Some(&item) = known.get(bare) {
            let is_enum = matches!(domain.type_of(of).kind, TypeKind::Enum(_));
            if is_enum && bare.len() == word.text.len() {
                lint::bare_value(word, faults);
            }
            return Some(item);
        }
        // The empty type, or the fault in its list of objects, has been reported already.
        if known.is_empty() {
            return None;
        }
        let meant = if faults.is_full() {
            None
        } else {
            let mut names: Vec<(&u32, &str)> = known.iter().map(|(&name, item)| (item, name)).collect();
            names.sort_unstable();
            nearest(bare, names.into_iter().map(|(_, name)| name))
        };
        let one = domain.type_of(of);
        let (sign, what, label) = match one.kind {
            TypeKind::Enum(_) => ("@", "value", "no such value"),
            TypeKind::Objects if bare.len() < word.text.len() => ("@", "object", "no such object"),
            TypeKind::Objects => ("", "object", "no such object"),
        };
        let meant = meant.map(|meant| format!("{sign}{meant}"));
        let message = format!("`{}` has no {what} `{sign}{bare}`", one.name);
        faults.report(Code::UnknownItem, message, |d| {
            let d = d.primary(word.span, label);
            let d = match &one.kind {
                TypeKind::Enum(values) => note_values(d, values),
                TypeKind::Objects => d,
            };
            d.suggest(meant.as_deref())
        });
        None
    }
}

/// The bytes charged per value: its entries in the list of settings and in the map of values found so far.
const SETTING: usize = 3 * (size_of::<(u64, Value)>() + size_of::<((PvariableId, u64), (Value, Span))>());

/// The values found so far, with their places.
type FoundValues<'s> = HashMap<(PvariableId, u64), (Value, Span)>;

/// Checks all values that the blocks set.
pub(super) fn check(parts: &mut [InstanceBlock<'_>], instance: &mut Instance) {
    let domain = Arc::clone(&instance.domain);
    let pvariables: HashMap<&str, PvariableId> = domain
        .pvariables
        .iter()
        .enumerate()
        .map(|(index, one)| (one.name.as_str(), PvariableId::from_index(index)))
        .collect();
    let mut found = FoundValues::new();
    let mut values = vec![Settings::new(); domain.pvariables.len()];
    let items = Items::new(instance);
    for part in parts.iter_mut() {
        let lists = [
            (PvariableKind::NonFluent, &part.syntax.non_fluents),
            (PvariableKind::State, &part.syntax.init_state),
        ];
        for (kind, settings) in lists {
            for setting in settings {
                if !part.faults.charge(SETTING) {
                    return;
                }
                let Some(id) = pvariable(setting, kind, &domain, &pvariables, &mut part.faults) else {
                    continue;
                };
                let Some((number, value)) = one(setting, id, &domain, instance, &items, &mut part.faults)
                else {
                    continue;
                };
                match found.get(&(id, number)) {
                    None => {
                        found.insert((id, number), (value, setting.span));
                        values[id.index()].push((number, value));
                    }
                    Some(&(earlier, span)) => repeated(setting, earlier == value, span, &mut part.faults),
                }
            }
        }
    }
    for (index, mut list) in values.into_iter().enumerate() {
        list.sort_unstable_by_key(|&(number, _)| number);
        match domain.pvariables[index].kind {
            PvariableKind::NonFluent => instance.non_fluents[index] = list,
            _ => instance.init_state[index] = list,
        }
    }
}

fn repeated(setting: &Setting<'_>, is_same: bool, earlier: Span, faults: &mut Diagnostics) {
    let (code, message) = if is_same {
        (
            Code::RepeatedSetting,
            format!("`{}` is given the same value twice", setting.name.text),
        )
    } else {
        (
            Code::ConflictingValues,
            format!("`{}` is given two values", setting.name.text),
        )
    };
    faults.report(code, message, |d| {
        d.primary(setting.span, "given again")
            .label(earlier, "given here already")
    });
}

/// Returns the pvariable of a setting. Reports an unknown pvariable, or one of the wrong kind.
fn pvariable(
    setting: &Setting<'_>,
    kind: PvariableKind,
    domain: &Domain,
    pvariables: &HashMap<&str, PvariableId>,
    faults: &mut Diagnostics,
) -> Option<PvariableId> {
    let name = setting.name.text;
    let Some(&id) = pvariables.get(name) else {
        let known = domain.pvariables.iter().filter(|one| one.kind == kind);
        let meant = nearest(name, known.map(|one| one.name.as_str()));
        faults.report(
            Code::UnknownPvariable,
            format!("unknown {} `{name}`", kind.as_str()),
            |d| {
                d.primary(setting.name.span, "not declared in the domain")
                    .suggest(meant)
            },
        );
        return None;
    };
    let pvariable = domain.pvariable(id);
    if pvariable.kind != kind {
        faults.report(
            Code::WrongKind,
            format!(
                "`{name}` is {}, not {}",
                pvariable.kind.with_article(),
                kind.with_article()
            ),
            |d| {
                d.primary(
                    setting.name.span,
                    match kind {
                        PvariableKind::NonFluent => "`non-fluents` sets only constants",
                        _ => "`init-state` sets only state fluents",
                    },
                )
            },
        );
        return None;
    }
    Some(id)
}

/// Returns the number of a setting's ground variable, and its value.
fn one(
    setting: &Setting<'_>,
    id: PvariableId,
    domain: &Domain,
    instance: &Instance,
    items: &Items<'_>,
    faults: &mut Diagnostics,
) -> Option<(u64, Value)> {
    let pvariable = domain.pvariable(id);
    if pvariable.parameters.len() != setting.arguments.len() {
        let wanted = counted(pvariable.parameters.len(), "parameter");
        faults.report(
            Code::ArityMismatch,
            format!(
                "`{}` has {wanted}, not {}",
                pvariable.name,
                setting.arguments.len()
            ),
            |d| d.primary(setting.span, "the number of arguments is wrong"),
        );
        return None;
    }
    let arguments: Vec<Option<u32>> = setting
        .arguments
        .iter()
        .zip(&pvariable.parameters)
        .map(|(&word, &of)| items.find(word, of, domain, faults))
        .collect();
    let value = value(setting, pvariable.range, domain, items, faults);
    let arguments: Option<Vec<u32>> = arguments.into_iter().collect();
    Some((instance.ground_number(id, &arguments?), value?))
}

fn value(
    setting: &Setting<'_>,
    range: Range,
    domain: &Domain,
    items: &Items<'_>,
    faults: &mut Diagnostics,
) -> Option<Value> {
    let is_bare = setting.value.word.span == setting.name.span;
    if is_bare && range != Range::Bool && matches!(setting.value.kind, ConstantKind::Bool(_)) {
        let name = domain.range_name(range);
        faults.report(
            Code::TypeMismatch,
            format!("`{}` is not a bool", setting.name.text),
            |d| {
                d.primary(setting.span, "given without a value")
                    .help(format!("write `… = v;` with a value of `{name}`"))
            },
        );
        return None;
    }
    constant::value(setting.value, range, domain, faults, |word, faults| match range {
        Range::Item(of) => items.find(word, of, domain, faults),
        _ => None,
    })
}
