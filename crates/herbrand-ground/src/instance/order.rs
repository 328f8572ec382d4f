//! Sorting by tuples of object numbers.

/// Sorts items by the tuples of `arity` numbers below `symbols` that `cell` reads, stably.
///
/// Tuples that fit are packed into one word each before they are compared.
pub(super) fn sort_by_tuple<T: Copy>(
    items: &mut [T],
    symbols: usize,
    arity: usize,
    cell: impl Fn(T, usize) -> u32,
) {
    let bits = usize::BITS - symbols.leading_zeros();
    if arity as u64 * u64::from(bits) > u64::from(u64::BITS) {
        items.sort_by(|&a, &b| (0..arity).map(|i| cell(a, i)).cmp((0..arity).map(|i| cell(b, i))));
        return;
    }
    let pack = |item: T| (0..arity).fold(0u64, |key, i| (key << bits) | u64::from(cell(item, i)));
    let mut keyed: Vec<(u64, T)> = items.iter().map(|&item| (pack(item), item)).collect();
    keyed.sort_by_key(|&(key, _)| key);
    items
        .iter_mut()
        .zip(keyed)
        .for_each(|(item, (_, sorted))| *item = sorted);
}
