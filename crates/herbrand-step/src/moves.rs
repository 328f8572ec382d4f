//! The effects of actions without conditions, chance and numbers, laid out for quick stepping.

use herbrand_ground::{ActionId, GroundTask, Rows};

/// For each action whose effect is the same in every state, the literals that it makes true.
#[derive(Debug)]
pub(crate) struct Moves {
    literals: Rows<u32>,
    plain: Vec<bool>,
}

impl Moves {
    pub(crate) fn new(task: &GroundTask) -> Self {
        let mut this = Self {
            literals: Rows::default(),
            plain: Vec::with_capacity(task.actions.len()),
        };
        for id in task.actions.ids() {
            let block = task.effects.get(task.actions.get(id).effect);
            let plain = block.assignments.is_empty() && block.whens.is_empty() && block.draws.is_empty();
            let adds = block.adds.iter().map(|atom| atom.number() * 2);
            // What is added stays, whether it is deleted or not.
            let deletes = block
                .deletes
                .iter()
                .filter(|atom| block.adds.binary_search(atom).is_err());
            let literals = adds.chain(deletes.map(|atom| atom.number() * 2 + 1));
            this.literals.push(literals.filter(|_| plain));
            this.plain.push(plain);
        }
        this
    }

    /// What an action makes true; `None` when that depends on the state or on chance, or numbers change.
    #[inline]
    pub(crate) fn of(&self, action: ActionId) -> Option<&[u32]> {
        self.plain[action.index()].then(|| self.literals.row(action.index()))
    }
}
