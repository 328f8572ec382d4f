//! Landmarks of many states, in bounded memory.

/// Lists of words, one per state. When they take too much memory, the older half is forgotten.
#[derive(Debug)]
pub(super) struct Archive {
    /// The position of the first word that is not forgotten, counted from the first word ever added.
    start: u64,
    /// The words, each list after its length: `old`, then `young`.
    old: Vec<u32>,
    young: Vec<u32>,
    /// The maximum number of words in `young`.
    most: usize,
    /// For each state, 1 plus the position of its list; 0 if it has none.
    places: Vec<u64>,
}

impl Default for Archive {
    fn default() -> Self {
        Self {
            start: 0,
            old: Vec::new(),
            young: Vec::new(),
            most: MOST,
            places: Vec::new(),
        }
    }
}

/// The maximum number of words in each half.
const MOST: usize = 1 << 25;

/// The share of the memory for each half: one part in this many.
const PART: u64 = 16;

impl Archive {
    /// Sets the size that fits a limit of memory in bytes. `None` means that there is no such limit.
    pub(super) fn limit(&mut self, bytes: Option<u64>) {
        let words = bytes.map_or(MOST, |bytes| {
            usize::try_from(bytes / PART / size_of::<u32>() as u64).unwrap_or(MOST)
        });
        self.most = words.min(MOST);
    }

    /// Stores the list of a state.
    pub(super) fn put(&mut self, state: u32, words: &[u32]) {
        if self.young.len() + words.len() >= self.most {
            self.start += self.old.len() as u64;
            std::mem::swap(&mut self.old, &mut self.young);
            self.young.clear();
        }
        if self.places.len() <= state as usize {
            self.places.resize(state as usize + 1, 0);
        }
        self.places[state as usize] = self.start + (self.old.len() + self.young.len() + 1) as u64;
        self.young.push(words.len() as u32);
        self.young.extend_from_slice(words);
    }

    /// Returns the list of a state; `None` if it was not stored or is forgotten.
    pub(super) fn get(&self, state: u32) -> Option<&[u32]> {
        let position = self.places.get(state as usize)?.checked_sub(1)?;
        let place = usize::try_from(position.checked_sub(self.start)?).ok()?;
        let list = match place.checked_sub(self.old.len()) {
            None => self.old.get(place..)?,
            Some(place) => self.young.get(place..)?,
        };
        let (&len, words) = list.split_first()?;
        words.get(..len as usize)
    }

    pub(super) fn bytes(&self) -> usize {
        let words = self.old.capacity() + self.young.capacity();
        words * size_of::<u32>() + self.places.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_lists_are_kept() {
        let mut archive = Archive::default();
        archive.limit(Some(10 * 4 * PART));
        for state in 0..40 {
            archive.put(state * 2, &vec![state; state as usize % 4]);
            assert_eq!(archive.get(state * 2 + 1), None);
            let kept: Vec<u32> = (0..=state).filter(|&at| archive.get(at * 2).is_some()).collect();
            assert!(kept.contains(&state) && kept.is_sorted());
            assert_eq!(kept.len() as u32, state + 1 - kept[0]);
            for at in kept {
                assert_eq!(archive.get(at * 2), Some(&*vec![at; at as usize % 4]));
            }
        }
        assert_eq!(archive.get(0), None);
        assert!(archive.old.len() <= 10 && archive.young.len() <= 10);
    }

    #[test]
    fn a_list_replaces_that_of_the_same_state() {
        let mut archive = Archive::default();
        archive.put(0, &[1, 2]);
        archive.put(0, &[]);
        assert_eq!(archive.get(0), Some(&[][..]));
    }
}
