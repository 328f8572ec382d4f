//! Writes the operators and axioms of a ground task over sets of mutually exclusive atoms.

mod plain;

use herbrand_ground::{ActionId, AtomId, BlockId, ConjunctionId, GroundAction, GroundTask, Literal, Rows};
use herbrand_limits::Meter;

use plain::{Lists, Plain};

use crate::draft::Draft;
use crate::groups::MutexGroups;
use crate::task::{Axiom, Effect, Fact, Operator, tidy};

/// The treatment of random draws by [`translate`](crate::translate()), because a finite-domain task cannot have any. It
/// is [`TranslateOptions::draws`](crate::TranslateOptions::draws).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Draws {
    /// The default: a task with draws is an error.
    #[default]
    Refuse,
    /// Each draw has its most likely alternative: the first of equally likely ones, or no change if that is likelier. A
    /// random initial state is an error all the same.
    MostLikely,
}

/// The largest number of conjunctions into which a condition is split because it negates atoms of variables with several
/// values. With more, these atoms get variables of their own.
const MOST_CONJUNCTIONS: usize = 100;

/// The reason why a task cannot be encoded with these sets.
pub(crate) enum Obstacle {
    /// Negations of these atoms would be split into too many conjunctions.
    Spread(Vec<AtomId>),
    /// The conditional effects of an action delete an atom under too many conditions.
    TooManyConditions(ActionId),
    /// The budget is exhausted.
    Spent,
}

/// Encodes a task over sets of atoms. `costs` has the cost of each action. The result has neither names nor mutex groups.
pub(crate) fn encode(
    task: &GroundTask,
    costs: &[u64],
    sets: &[Vec<AtomId>],
    groups: &MutexGroups,
    draws: Draws,
    meter: &mut Meter,
) -> Result<Draft, Obstacle> {
    let mut encoder = Encoder::new(task, sets, groups, draws);
    let mut draft = Draft {
        sizes: Vec::new(),
        layers: Vec::new(),
        initial: encoder.initial(),
        goal: Vec::new(),
        operators: Vec::with_capacity(task.actions.len()),
        actions: Vec::with_capacity(task.actions.len()),
        axioms: Vec::new(),
        atoms: sets.to_vec(),
    };
    encoder.axioms(&mut draft)?;
    encoder.goal(&mut draft)?;
    for ((id, action), &cost) in task.actions.iter().zip(costs) {
        encoder.action(id, action, cost, &mut draft)?;
        let size = draft.operators.last().map_or(0, bytes) as u64;
        if !meter.charge(size) {
            return Err(Obstacle::Spent);
        }
    }
    draft.sizes = encoder.sizes;
    Ok(draft)
}

/// Returns the approximate memory of an operator.
fn bytes(operator: &Operator) -> usize {
    let facts = operator.prevail.len()
        + operator
            .effects
            .iter()
            .map(|effect| effect.condition.len())
            .sum::<usize>();
    size_of::<Operator>() + facts * size_of::<Fact>() + operator.effects.len() * size_of::<Effect>()
}

/// Appends the operator of an action, unless it has no effects.
fn push(draft: &mut Draft, id: ActionId, cost: u64, prevail: Vec<Fact>, effects: Vec<Effect>) {
    if effects.is_empty() {
        return;
    }
    draft.actions.push(id);
    draft.operators.push(Operator {
        name: String::new(),
        prevail,
        effects,
        cost,
    });
}

/// Keeps the preconditions on variables that an operator does not change; the others are in its effects, too. These must
/// be in ascending order.
fn retain_prevail(known: &mut Vec<Fact>, effects: &[Effect]) {
    known.retain(|fact| {
        effects
            .binary_search_by_key(&fact.variable, |effect| effect.variable)
            .is_err()
    });
}

struct Encoder<'a> {
    task: &'a GroundTask,
    draws: Draws,
    /// The fact of each atom.
    facts: Vec<Fact>,
    /// The number of values of each variable.
    sizes: Vec<u32>,
    sets: &'a [Vec<AtomId>],
    /// The mutex groups of each atom.
    memberships: Rows<u32>,
    /// For each mutex group, the last round in which an atom of it was found true, and that atom.
    marks: Vec<(u32, AtomId)>,
    round: u32,
    lists: Lists,
}

/// The changes of an action, each with the index of its condition.
#[derive(Default)]
struct Changes {
    adds: Vec<(Fact, usize)>,
    deletes: Vec<(Fact, usize)>,
    /// Disjunctions of conjunctions of facts that are not known.
    conditions: Vec<Vec<Vec<Fact>>>,
}

impl<'a> Encoder<'a> {
    fn new(task: &'a GroundTask, sets: &'a [Vec<AtomId>], groups: &MutexGroups, draws: Draws) -> Self {
        let mut facts = vec![Fact::new(0, 0); task.atom_count()];
        let mut sizes = Vec::with_capacity(sets.len());
        for (variable, set) in (0..).zip(sets) {
            for (value, atom) in (0..).zip(set) {
                facts[atom.index()] = Fact::new(variable, value);
            }
            sizes.push(set.len() as u32 + 1);
        }
        for fact in &mut facts[task.fluent_count()..] {
            *fact = Fact::new(sizes.len() as u32, 0);
            sizes.push(2);
        }
        Self {
            task,
            draws,
            facts,
            sizes,
            sets,
            memberships: groups.memberships(task.atom_count()),
            marks: vec![(0, AtomId::new(0)); groups.groups().len()],
            round: 0,
            lists: Lists::default(),
        }
    }

    /// The initial values; derived variables have their default.
    fn initial(&self) -> Vec<u32> {
        let mut initial: Vec<u32> = self.sizes.iter().map(|size| size - 1).collect();
        let added = self.task.effects.get(self.task.initial_chance).adds;
        for atom in self.task.initial.iter().chain(added) {
            let fact = self.facts[atom.index()];
            initial[fact.variable as usize] = fact.value;
        }
        initial
    }

    /// The atom of a fact; `None` for the value that means none of the atoms.
    fn atom(&self, fact: Fact) -> Option<AtomId> {
        let set = self.sets.get(fact.variable as usize)?;
        set.get(fact.value as usize).copied()
    }

    /// Notes that an atom is true. Returns whether the atoms noted in this round can be true together.
    fn note(&mut self, atom: AtomId) -> bool {
        for &group in self.memberships.row(atom.index()) {
            let mark = &mut self.marks[group as usize];
            if mark.0 == self.round && mark.1 != atom {
                return false;
            }
            *mark = (self.round, atom);
        }
        true
    }

    /// Returns whether an atom is false because another one is noted as true.
    fn is_excluded(&self, atom: AtomId) -> bool {
        let noted = |&group: &u32| {
            let mark = self.marks[group as usize];
            mark.0 == self.round && mark.1 != atom
        };
        self.memberships.row(atom.index()).iter().any(noted)
    }

    /// Begins a round in which these facts are known. Returns whether they can be true together.
    fn begin(&mut self, known: &[Fact]) -> bool {
        self.round += 1;
        let known = known
            .iter()
            .filter_map(|&fact| self.atom(fact))
            .collect::<Vec<_>>();
        known.into_iter().all(|atom| self.note(atom))
    }

    /// Returns a conjunction of literals as a disjunction of conjunctions of facts, without the known facts.
    fn expand(
        &mut self,
        literals: impl Iterator<Item = Literal> + Clone,
        known: &[Fact],
    ) -> Result<Vec<Vec<Fact>>, Obstacle> {
        if !self.begin(known) {
            return Ok(Vec::new());
        }
        let mut facts = Vec::new();
        for literal in literals.clone().filter(|literal| !literal.is_negative()) {
            let fact = self.facts[literal.atom().index()];
            if !self.note(literal.atom()) {
                return Ok(Vec::new());
            }
            match value(known, fact.variable) {
                Some(value) if value != fact.value => return Ok(Vec::new()),
                Some(_) => {}
                None => facts.push(fact),
            }
        }
        facts.sort_unstable();
        facts.dedup();
        if facts.windows(2).any(|pair| pair[0].variable == pair[1].variable) {
            return Ok(Vec::new());
        }
        let mut banned = Vec::new();
        for literal in literals.filter(|literal| literal.is_negative()) {
            let fact = self.facts[literal.atom().index()];
            match value(known, fact.variable).or_else(|| value(&facts, fact.variable)) {
                Some(value) if value == fact.value => return Ok(Vec::new()),
                Some(_) => {}
                None if self.is_excluded(literal.atom()) => {}
                None => banned.push(fact),
            }
        }
        banned.sort_unstable();
        banned.dedup();
        let mut all = vec![facts];
        for values in banned.chunk_by(|one, other| one.variable == other.variable) {
            let allowed = || {
                (0..self.sizes[values[0].variable as usize])
                    .filter(|&value| values.iter().all(|fact| fact.value != value))
            };
            if all.len() * allowed().count() > MOST_CONJUNCTIONS {
                return Err(Obstacle::Spread(self.spread(&banned)));
            }
            let with = |facts: &Vec<Fact>, value| {
                let mut facts = facts.clone();
                facts.push(Fact::new(values[0].variable, value));
                facts
            };
            all = all
                .iter()
                .flat_map(|facts| allowed().map(move |value| with(facts, value)))
                .collect();
        }
        for facts in &mut all {
            facts.sort_unstable();
        }
        Ok(all)
    }

    /// The atoms of facts whose variables have more than two values.
    fn spread(&self, facts: &[Fact]) -> Vec<AtomId> {
        let wide = facts.iter().filter(|fact| self.sizes[fact.variable as usize] > 2);
        wide.filter_map(|&fact| self.atom(fact)).collect()
    }

    fn literals(&self, id: ConjunctionId) -> &'a [Literal] {
        self.task.conditions.get(id).literals
    }

    /// Writes the axioms, and the layers of all variables so far.
    fn axioms(&mut self, draft: &mut Draft) -> Result<(), Obstacle> {
        draft.layers = vec![None; self.sets.len()];
        draft.layers.resize(self.sizes.len(), Some(0));
        for (layer, stratum) in (0..).zip(self.task.strata()) {
            for axiom in stratum {
                let head = self.facts[axiom.head.index()];
                draft.layers[head.variable as usize] = Some(layer);
                for condition in self.expand(self.literals(axiom.body).iter().copied(), &[])? {
                    if !condition.contains(&head) {
                        draft.axioms.push(Axiom { condition, head });
                    }
                }
            }
        }
        for atom in self.task.fluent_count()..self.task.atom_count() {
            draft.atoms.push(vec![AtomId::from_index(atom)]);
        }
        Ok(())
    }

    /// Writes the goal. A goal of several conjunctions becomes a derived variable. A goal that is never true becomes a
    /// variable that nothing changes.
    fn goal(&mut self, draft: &mut Draft) -> Result<(), Obstacle> {
        let conjunctions = self.task.conditions.conjunctions(self.task.goal);
        let mut ways = Vec::new();
        let only = conjunctions.len() == 1;
        for id in conjunctions {
            let expanded = self.expand(self.literals(id).iter().copied(), &[])?;
            if only && expanded.len() > 1 {
                let negated = self.literals(id).iter().filter(|literal| literal.is_negative());
                let facts: Vec<_> = negated
                    .map(|literal| self.facts[literal.atom().index()])
                    .collect();
                return Err(Obstacle::Spread(self.spread(&facts)));
            }
            ways.extend(expanded);
        }
        if let [way] = ways.as_mut_slice() {
            draft.goal = std::mem::take(way);
            return Ok(());
        }
        let head = Fact::new(self.sizes.len() as u32, 0);
        self.sizes.push(2);
        draft.initial.push(1);
        draft.atoms.push(Vec::new());
        draft
            .layers
            .push((!ways.is_empty()).then_some(self.task.strata.len() as u32));
        draft.goal = vec![head];
        draft
            .axioms
            .extend(ways.into_iter().map(|condition| Axiom { condition, head }));
        Ok(())
    }

    /// Writes the operators of an action: one for each conjunction of its precondition.
    fn action(
        &mut self,
        id: ActionId,
        action: GroundAction<'_>,
        cost: u64,
        draft: &mut Draft,
    ) -> Result<(), Obstacle> {
        for conjunction in self.task.conditions.conjunctions(action.precondition) {
            let literals = self.literals(conjunction);
            match self.plain(literals, self.task.effects.get(action.effect)) {
                Plain::Operator(known, effects) => push(draft, id, cost, known, effects),
                Plain::Never => {}
                Plain::Unknown => {
                    for mut known in self.expand(literals.iter().copied(), &[])? {
                        let mut changes = Changes::default();
                        self.collect(action.effect, &mut Vec::new(), &known, &mut changes)?;
                        let effects = self.effects(id, &known, changes)?;
                        retain_prevail(&mut known, &effects);
                        push(draft, id, cost, known, effects);
                    }
                }
            }
        }
        Ok(())
    }

    /// Collects the changes of a block that happens under `literals`.
    fn collect(
        &mut self,
        id: BlockId,
        literals: &mut Vec<Literal>,
        known: &[Fact],
        changes: &mut Changes,
    ) -> Result<(), Obstacle> {
        let block = self.task.effects.get(id);
        if !(block.adds.is_empty() && block.deletes.is_empty()) {
            let condition = self.expand(literals.iter().copied(), known)?;
            if !condition.is_empty() {
                let index = changes.conditions.len();
                let change = |atom: &AtomId| (self.facts[atom.index()], index);
                changes.conditions.push(condition);
                changes.adds.extend(block.adds.iter().map(change));
                changes.deletes.extend(block.deletes.iter().map(change));
            }
        }
        for &(condition, inner) in block.whens {
            for conjunction in self.task.conditions.conjunctions(condition) {
                let outer = literals.len();
                literals.extend_from_slice(self.literals(conjunction));
                self.collect(inner, literals, known, changes)?;
                literals.truncate(outer);
            }
        }
        for &draw in block.draws {
            let draw = self.task.effects.draw(draw);
            if let (Draws::MostLikely, Some(way)) = (self.draws, draw.distribution.most_likely()) {
                self.collect(draw.blocks[way], literals, known, changes)?;
            }
        }
        Ok(())
    }

    /// Returns the effects of an operator with these preconditions.
    fn effects(
        &mut self,
        id: ActionId,
        known: &[Fact],
        mut changes: Changes,
    ) -> Result<Vec<Effect>, Obstacle> {
        changes.adds.sort_unstable();
        changes.deletes.sort_unstable();
        self.begin(known);
        let mut effects = Vec::new();
        for &(fact, index) in &changes.adds {
            let before = value(known, fact.variable);
            if before == Some(fact.value) {
                continue;
            }
            for condition in &changes.conditions[index] {
                // With the new value among its conditions, an effect changes nothing.
                if condition.binary_search(&fact).is_err() {
                    effects.push(Effect {
                        variable: fact.variable,
                        before,
                        after: fact.value,
                        condition: condition.clone(),
                    });
                }
            }
        }
        for deletes in changes
            .deletes
            .chunk_by(|one, other| one.0.variable == other.0.variable)
        {
            let variable = deletes[0].0.variable;
            let start = changes.adds.partition_point(|add| add.0.variable < variable);
            let length = changes.adds[start..].partition_point(|add| add.0.variable == variable);
            let adds = &changes.adds[start..start + length];
            self.deletions(id, known, &changes.conditions, deletes, adds, &mut effects)?;
        }
        tidy(&mut effects);
        Ok(effects)
    }

    /// Appends the effects by which a variable gets the value that means none of its atoms.
    fn deletions(
        &self,
        id: ActionId,
        known: &[Fact],
        conditions: &[Vec<Vec<Fact>>],
        deletes: &[(Fact, usize)],
        adds: &[(Fact, usize)],
        effects: &mut Vec<Effect>,
    ) -> Result<(), Obstacle> {
        let always = |index: usize| conditions[index].iter().any(Vec::is_empty);
        let variable = deletes[0].0.variable;
        let before = value(known, variable);
        let size = self.sizes[variable as usize];
        let effect = |condition| Effect {
            variable,
            before,
            after: size - 1,
            condition,
        };
        let never = |value| {
            self.atom(Fact::new(variable, value))
                .is_some_and(|atom| self.is_excluded(atom))
        };
        let deleted = |value| {
            deletes
                .iter()
                .any(|&(fact, index)| fact.value == value && always(index))
        };
        if before.is_none() && adds.is_empty() && (0..size - 1).all(|value| deleted(value) || never(value)) {
            effects.push(effect(Vec::new()));
            return Ok(());
        }
        let alternatives: Vec<_> = adds.iter().flat_map(|&(_, index)| &conditions[index]).collect();
        for &(fact, index) in deletes {
            if before.is_some_and(|before| before != fact.value) || before.is_none() && never(fact.value) {
                continue;
            }
            for condition in &conditions[index] {
                let mut condition = condition.clone();
                match value(&condition, variable) {
                    Some(value) if value != fact.value => continue,
                    // If the variable has its other value of two, the effect changes nothing.
                    None if before.is_none() && !(size == 2 && adds.is_empty()) => {
                        condition.push(fact);
                        condition.sort_unstable();
                    }
                    _ => {}
                }
                let conditions = self.unless(condition, &alternatives).map_err(|facts| {
                    let atoms = self.spread(&facts);
                    if atoms.is_empty() {
                        Obstacle::TooManyConditions(id)
                    } else {
                        Obstacle::Spread(atoms)
                    }
                })?;
                effects.extend(conditions.into_iter().map(effect));
            }
        }
        Ok(())
    }

    /// Returns a disjunction of conjunctions that holds if `condition` does and none of the alternatives. If it would be
    /// too long, returns the facts that would be negated.
    fn unless(&self, condition: Vec<Fact>, alternatives: &[&Vec<Fact>]) -> Result<Vec<Vec<Fact>>, Vec<Fact>> {
        let mut all = vec![condition];
        for alternative in alternatives {
            let mut next = Vec::new();
            for condition in all {
                if contradict(&condition, alternative) {
                    next.push(condition);
                    continue;
                }
                for &fact in alternative
                    .iter()
                    .filter(|fact| condition.binary_search(fact).is_err())
                {
                    for value in (0..self.sizes[fact.variable as usize]).filter(|&value| value != fact.value)
                    {
                        let mut condition = condition.clone();
                        condition.push(Fact::new(fact.variable, value));
                        condition.sort_unstable();
                        next.push(condition);
                    }
                }
            }
            next.sort_unstable();
            next.dedup();
            if next.len() > 10 * MOST_CONJUNCTIONS {
                return Err(alternatives
                    .iter()
                    .flat_map(|facts| facts.iter().copied())
                    .collect());
            }
            all = next;
        }
        Ok(all)
    }
}

/// Returns the value of a variable in sorted facts.
fn value(facts: &[Fact], variable: u32) -> Option<u32> {
    let index = facts.binary_search_by_key(&variable, |fact| fact.variable).ok()?;
    Some(facts[index].value)
}

/// Returns whether two sorted conjunctions give a variable different values.
fn contradict(one: &[Fact], other: &[Fact]) -> bool {
    other
        .iter()
        .any(|fact| value(one, fact.variable).is_some_and(|value| value != fact.value))
}
