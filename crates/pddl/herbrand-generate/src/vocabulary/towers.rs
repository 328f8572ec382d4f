//! Towers of blocks, and their reconstruction by one hand.

use super::Dice;

/// An arrangement of the blocks 0, 1, … in towers, each listed from bottom to top.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Towers(pub Vec<Vec<usize>>);

/// A move of a hand that holds at most one block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hand {
    /// Takes a block from the table.
    PickUp(usize),
    /// Puts a block on the table.
    PutDown(usize),
    /// Puts a block on another one.
    Stack(usize, usize),
    /// Takes a block from another one.
    Unstack(usize, usize),
}

impl Hand {
    /// Returns the move as a step of a plan in the blocks domains, with these names of the blocks.
    pub fn operator(self, names: &[String]) -> String {
        match self {
            Self::PickUp(block) => format!("pick-up {}", names[block]),
            Self::PutDown(block) => format!("put-down {}", names[block]),
            Self::Stack(block, target) => format!("stack {} {}", names[block], names[target]),
            Self::Unstack(block, support) => format!("unstack {} {}", names[block], names[support]),
        }
    }
}

impl Towers {
    /// Returns the names of `count` blocks: letters, or numbered names if there are more than 26 blocks.
    pub fn names(count: usize) -> Vec<String> {
        let letters = || ('a'..='z').map(String::from).take(count);
        if count <= 26 {
            letters().collect()
        } else {
            (1..=count).map(|number| format!("b{number}")).collect()
        }
    }

    /// Draws an arrangement of `count` blocks. The blocks, in random order, start a new tower or go on an existing one, if
    /// `allowed` permits it for the tower and the block.
    pub fn random(count: usize, dice: &mut Dice, allowed: impl Fn(&[usize], usize) -> bool) -> Self {
        let mut towers: Vec<Vec<usize>> = Vec::new();
        for block in dice.permutation(count) {
            let place = dice.below(towers.len() + 1);
            match towers.get_mut(place) {
                Some(tower) if allowed(tower, block) => tower.push(block),
                _ => towers.push(vec![block]),
            }
        }
        Self(towers)
    }

    /// Returns, for each block, the block below it; `None` if it is on the table.
    pub fn supports(&self) -> Vec<Option<usize>> {
        let mut supports = vec![None; self.0.iter().map(Vec::len).sum()];
        for (upper, lower) in self.pairs() {
            supports[upper] = Some(lower);
        }
        supports
    }

    /// Returns all pairs of a block and the block below it, ordered by the upper block.
    pub fn pairs(&self) -> Vec<(usize, usize)> {
        let of = |tower: &Vec<usize>| {
            tower
                .windows(2)
                .map(|pair| (pair[1], pair[0]))
                .collect::<Vec<_>>()
        };
        let mut pairs: Vec<_> = self.0.iter().flat_map(of).collect();
        pairs.sort_unstable();
        pairs
    }

    /// Returns the atoms of each tower in PDDL. With `clear`, they include the atom of that name for the top block.
    pub fn facts(&self, names: &[String], clear: bool) -> Vec<Vec<String>> {
        let row = |tower: &Vec<usize>| {
            let on = tower
                .windows(2)
                .map(|pair| format!("on {} {}", names[pair[1]], names[pair[0]]));
            let bottom = tower.first().map(|&block| format!("on-table {}", names[block]));
            let top = tower
                .last()
                .filter(|_| clear)
                .map(|&block| format!("clear {}", names[block]));
            bottom.into_iter().chain(on).chain(top).collect()
        };
        self.0.iter().map(row).collect()
    }

    /// Returns moves that turn these towers into `goal`. Blocks that are not yet in place are put on the table from the top
    /// down, then the towers are built from the bottom up. The plan is at most twice as long as the shortest one.
    pub fn rebuild(&self, goal: &Self) -> Vec<Hand> {
        let (now, then) = (self.supports(), goal.supports());
        let mut stays = vec![false; now.len()];
        for tower in &self.0 {
            for (height, &block) in tower.iter().enumerate() {
                let base = height == 0 || stays[tower[height - 1]];
                stays[block] = base && now[block] == then[block];
            }
        }
        let mut moves = Vec::new();
        for tower in &self.0 {
            for pair in tower.windows(2).rev().filter(|pair| !stays[pair[1]]) {
                moves.extend([Hand::Unstack(pair[1], pair[0]), Hand::PutDown(pair[1])]);
            }
        }
        for tower in &goal.0 {
            for pair in tower.windows(2).filter(|pair| !stays[pair[1]]) {
                moves.extend([Hand::PickUp(pair[1]), Hand::Stack(pair[1], pair[0])]);
            }
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_well_stays() {
        let from = Towers(vec![vec![0, 1, 2], vec![3]]);
        let goal = Towers(vec![vec![0, 1], vec![2, 3]]);
        let moves = from.rebuild(&goal);
        assert_eq!(
            moves,
            [
                Hand::Unstack(2, 1),
                Hand::PutDown(2),
                Hand::PickUp(3),
                Hand::Stack(3, 2)
            ]
        );
        assert!(from.rebuild(&from).is_empty());
    }

    #[test]
    fn every_block_stands_somewhere_once() {
        let mut dice = Dice::new(3, 0, 0, 0);
        for count in 1..40 {
            let towers = Towers::random(count, &mut dice, |_, _| true);
            let mut blocks = towers.0.concat();
            blocks.sort_unstable();
            assert_eq!(blocks, (0..count).collect::<Vec<_>>());
        }
    }
}
