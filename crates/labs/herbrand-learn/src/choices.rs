//! Cartesian products of lists.

use itertools::Itertools;

/// Returns the Cartesian product of the lists, lazily. Each item takes one element per list, in the order of the lists; the
/// last list varies fastest. Without lists the product is one empty choice.
pub(crate) fn choices<T: Copy>(lists: &[Vec<T>]) -> impl Iterator<Item = Vec<T>> {
    lists
        .iter()
        .map(|list| list.iter().copied())
        .multi_cartesian_product()
}

#[cfg(test)]
mod tests {
    use super::choices;

    #[test]
    fn the_last_list_varies_fastest() {
        let check = |lists: &[Vec<u8>], expected: &[&[u8]]| {
            assert_eq!(choices(lists).collect::<Vec<_>>(), expected, "{lists:?}");
        };
        check(&[], &[&[]]);
        check(&[vec![1, 2], vec![]], &[]);
        check(
            &[vec![1, 2], vec![3], vec![4, 5]],
            &[&[1, 3, 4], &[1, 3, 5], &[2, 3, 4], &[2, 3, 5]],
        );
    }
}
