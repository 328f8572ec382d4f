//! Recording the effects and changes of a step of a ground task.

use herbrand_ground::{ActionId, AtomId, BlockDraw, BlockId, ConditionId, GroundAssignment};
use rand::Rng;

use crate::grounded::explain::conjunction_text;
use crate::grounded::state::Valuation;
use crate::grounded::walker::Walker;
use crate::semantics::chance::{Decide, Sampled};
use crate::semantics::error::StepError;
use crate::semantics::explanation::connected;
use crate::semantics::fired::{EffectRecord, NumberRecord, StepRecord};
use crate::semantics::tape::Tape;
use crate::semantics::transition::StepResult;

impl Walker {
    /// Takes an action like [`apply`](Self::apply), with the same draws, and also returns a record of the step for display:
    /// the effects, which of them happened, and the changes. It takes several times as long as a plain step.
    ///
    /// ```
    /// use herbrand_pddl::{Domain, Problem};
    ///
    /// let domain = Domain::from_text("(define (domain lamp) (:predicates (on) (broken))
    ///     (:action press :effect (and (on) (when (on) (broken)))))")?;
    /// let problem = Problem::from_text("(define (problem one) (:domain lamp) (:goal (broken)))", &domain)?;
    /// let simulator = herbrand_step::compile(&domain, &problem)?;
    /// let mut walker = simulator.walker();
    /// let press = simulator.parse_action("(press)")?;
    /// let (_, fired) = walker.apply_explained(press, &mut herbrand_step::Random::new(0))?;
    /// assert_eq!(fired.to_string(), "\
    /// (press)
    ///   add (on)
    ///   when (on), which did not hold
    /// changed: +(on)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The same as for [`apply`](Self::apply). No record is returned then, and the state is unchanged.
    pub fn apply_explained(
        &mut self,
        action: ActionId,
        rng: &mut (impl Rng + ?Sized),
    ) -> Result<(StepResult, StepRecord), StepError> {
        if !self.valid().contains(action) {
            return Err(self.refuse(action));
        }
        let mut tape = Tape::new(rng);
        let effects = self.tell(action, &mut tape);
        let transition = self.apply(action, &mut tape.play())?;
        let task = self.simulator().task();
        let (changes, name) = (self.changes(), |atom| task.display_atom(atom).to_string());
        let derived = self.derived_changes().into_iter();
        let numbers = changes.numbers.iter().map(|change| NumberRecord {
            number: task.display_numeric(change.id).to_string(),
            before: change.before,
            after: change.after,
        });
        let deltas = changes.deltas.iter();
        let fired = StepRecord {
            action: task.display_action(action).to_string(),
            effects,
            added: changes.added().map(name).collect(),
            deleted: changes.deleted().map(name).collect(),
            derived: derived.map(|(atom, holds)| (name(atom), holds)).collect(),
            numbers: numbers.collect(),
            deltas: deltas
                .map(|&(id, delta)| (task.display_numeric(id).to_string(), delta))
                .collect(),
        };
        Ok((transition, fired.sorted()))
    }

    /// Returns the derived atoms changed by the last [`apply`](Self::apply), ascending, each with its new truth value.
    /// Empty if the current state was reached in another way, also by [`undo`](Self::undo). Auxiliary atoms, which the
    /// normal form added, are left out.
    ///
    /// The walker records the changes of the atoms it maintains. If there are other derived atoms (see
    /// [`Derived::Needed`](crate::Derived)), all derived atoms are computed for both the previous and the current state.
    #[must_use]
    pub fn derived_changes(&self) -> Vec<(AtomId, bool)> {
        let simulator = self.simulator();
        let task = simulator.task();
        let kept = self.gained_derived().iter().map(|&literal| {
            let holds = literal.is_multiple_of(2);
            (AtomId::new(literal / 2), holds)
        });
        let mut changed: Vec<_> = kept
            .filter(|(atom, _)| atom.index() < task.atom_count())
            .collect();
        let changes = self.changes();
        if simulator.has_unneeded_atoms() {
            let mut before = self.state().clone();
            changes.added().for_each(|atom| before.set(atom, false));
            changes.deleted().for_each(|atom| before.set(atom, true));
            for change in changes.numbers {
                before.set_numeric(change.id, change.before);
            }
            let (before, now) = (simulator.close(&before), simulator.close(self.state()));
            let needed = &simulator.tables().axioms.needed;
            let unneeded = (0..task.atom_count() - task.fluent_count()).filter(|&index| !needed.get(index));
            let atoms = unneeded.map(|index| AtomId::from_index(task.fluent_count() + index));
            let differ = atoms.filter(|&atom| before.holds(atom) != now.holds(atom));
            changed.extend(differ.map(|atom| (atom, now.holds(atom))));
        }
        changed.retain(|(atom, _)| {
            let fact = task.atoms.get(atom.index());
            fact.is_some_and(|fact| !task.vocabulary.predicate(fact.predicate).auxiliary)
        });
        changed.sort_unstable();
        changed
    }

    /// Records the effects of an action in the current state. Draws take the same words from `rng` as the step will.
    fn tell(&self, action: ActionId, rng: &mut impl Rng) -> Vec<EffectRecord> {
        let world = self.view();
        let decide = Sampled {
            holds: |condition| self.simulator().holds(&world, condition),
            chance: self.simulator().options().chance,
            rng,
            probability: 1.0,
        };
        let mut explainer = Explainer {
            walker: self,
            world: &world,
            decide,
        };
        explainer.block(self.simulator().task().actions.get(action).effect)
    }
}

/// Visits effects in the order in which a step decides them.
struct Explainer<'a, V, D> {
    walker: &'a Walker,
    world: &'a V,
    decide: D,
}

impl<V: Valuation, D: Decide> Explainer<'_, V, D> {
    fn block(&mut self, id: BlockId) -> Vec<EffectRecord> {
        let task = self.walker.simulator().task();
        let block = task.effects.get(id);
        let name = |&atom: &AtomId| task.display_atom(atom).to_string();
        let (adds, deletes) = (block.adds.iter().map(name), block.deletes.iter().map(name));
        let mut effects = EffectRecord::certain(adds.collect(), deletes.collect());
        let assignments = block.assignments.iter();
        effects.extend(assignments.map(|assignment| self.assignment(assignment)));
        for &(condition, inner) in block.whens {
            let held = self.decide.holds(condition);
            let mut inner = if held { self.block(inner) } else { Vec::new() };
            match self.condition(condition) {
                // A condition that always holds serves only to keep a draw in its place.
                always if always == "(and)" => effects.append(&mut inner),
                condition => effects.push(EffectRecord::When {
                    condition,
                    held,
                    effects: inner,
                }),
            }
        }
        for &draw in block.draws {
            let BlockDraw { distribution, blocks } = task.effects.draw(draw);
            let drawn = self.decide.draw(distribution);
            let explain = |alternative: usize| self.block(blocks[alternative]);
            effects.push(EffectRecord::draw(distribution, drawn, explain));
        }
        effects
    }

    fn assignment(&self, assignment: &GroundAssignment) -> EffectRecord {
        let simulator = self.walker.simulator();
        let value = simulator.arithmetic().value(assignment.value, self.world);
        let target = simulator.task().display_numeric(assignment.target);
        EffectRecord::assign(assignment.operator, &target, value)
    }

    fn condition(&self, id: ConditionId) -> String {
        let task = self.walker.simulator().task();
        let conjunctions = task.conditions.conjunctions(id);
        let texts = conjunctions.map(|id| conjunction_text(task, task.conditions.get(id)));
        connected("or", texts.collect())
    }
}
