//! What a step did, in words: which effects happened, and what came of them.

use std::collections::BTreeSet;
use std::fmt;

use herbrand_ground::{ActionId, AtomId, BlockId, ConditionId, GroundAssignment};
use herbrand_pddl::AssignOperator;
use rand::Rng;

use crate::arithmetic::Fault;
use crate::explanation::{conjunction_text, connected};
use crate::firing::{Decide, remainder};
use crate::simulator::Sampled;
use crate::tape::Tape;
use crate::{StepError, Transition, Valuation, Walker};

/// What a step did: the effects of its action, with what of them happened, and what changed. All names are as PDDL
/// writes them, and the same whatever engine took the step.
#[derive(Clone, PartialEq, Debug)]
pub struct Fired {
    /// The action.
    pub action: String,
    /// Its effects: first those without a condition (atoms in alphabetical order, numbers in that of the text), then
    /// conditional ones, then draws.
    pub effects: Vec<FiredEffect>,
    /// The fluent atoms that became true.
    pub added: Vec<String>,
    /// The fluent atoms that became false.
    pub deleted: Vec<String>,
    /// The derived atoms that became true (`true`) or false.
    pub derived: Vec<(String, bool)>,
    /// The numbers of the state that got another value.
    pub numbers: Vec<NumberFired>,
    /// The amounts by which accumulators, such as the total cost, changed.
    pub deltas: Vec<(String, f64)>,
}

/// An effect of an action for one binding of its variables.
#[derive(Clone, PartialEq, Debug)]
pub enum FiredEffect {
    /// An atom was to become true, whether or not it was true before.
    Add(String),
    /// An atom was to become false, unless something else in the action added it.
    Delete(String),
    /// A number was to change: `(increase (fuel) 3)`, with the value of the right-hand side.
    Assign(String),
    /// Effects under a condition.
    When {
        /// The condition.
        condition: String,
        /// Whether it held before the action.
        held: bool,
        /// What happened under it; nothing when it did not hold.
        effects: Vec<Self>,
    },
    /// A draw.
    Draw {
        /// The alternative that was drawn, counted from 0 among those that are possible; `None` for no change.
        drawn: Option<usize>,
        /// The probability of what was drawn.
        probability: f64,
        /// What happened in it.
        effects: Vec<Self>,
    },
}

/// A number that got another value.
#[derive(Clone, PartialEq, Debug)]
pub struct NumberFired {
    /// The numeric fluent.
    pub number: String,
    /// Its value before; `None` when it was undefined.
    pub before: Option<f64>,
    /// Its value now.
    pub after: Option<f64>,
}

impl Walker {
    /// Takes an action as [`apply`](Self::apply) does, with the same draws, and says what it did: which effects
    /// happened, and what changed. Takes several times as long as a plain step.
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
    /// As [`apply`](Self::apply).
    pub fn apply_explained(
        &mut self,
        action: ActionId,
        rng: &mut (impl Rng + ?Sized),
    ) -> Result<(Transition, Fired), StepError> {
        if !self.valid().contains(action) {
            return Err(self.refuse(action));
        }
        let mut tape = Tape::new(rng);
        let effects = self.tell(action, &mut tape);
        let transition = self.apply(action, &mut tape.play())?;
        let task = self.simulator().task();
        let (changes, name) = (self.changes(), |atom| task.display_atom(atom).to_string());
        let derived = self.derived_changes().into_iter();
        let numbers = changes.numbers.iter().map(|change| NumberFired {
            number: task.display_numeric(change.id).to_string(),
            before: change.before,
            after: change.after,
        });
        let deltas = changes.deltas.iter();
        let fired = Fired {
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

    /// The derived atoms that the last [`apply`](Self::apply) changed, ascending, each with whether it holds now; none
    /// after going to a state in another way. Atoms that the normal form added are not among them.
    ///
    /// Those that the walker keeps are on record. If there are others ([`Derived::Needed`](crate::Derived)), all derived
    /// atoms are computed for the state before and the state now.
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

    /// The effects of an action in the current state; draws are made as they will be.
    fn tell(&self, action: ActionId, rng: &mut impl Rng) -> Vec<FiredEffect> {
        let world = self.view();
        let decide = Sampled {
            holds: |condition| self.simulator().holds(&world, condition),
            chance: self.simulator().options().chance,
            rng,
            probability: 1.0,
        };
        let mut teller = Teller {
            walker: self,
            world: &world,
            decide,
        };
        teller.block(self.simulator().task().actions.get(action).effect)
    }
}

/// Goes through effects in the order in which they are decided.
struct Teller<'a, V, D> {
    walker: &'a Walker,
    world: &'a V,
    decide: D,
}

impl<V: Valuation, D: Decide> Teller<'_, V, D> {
    fn block(&mut self, id: BlockId) -> Vec<FiredEffect> {
        let task = self.walker.simulator().task();
        let block = task.effects.get(id);
        let name = |&atom: &AtomId| task.display_atom(atom).to_string();
        let (adds, deletes) = (block.adds.iter().map(name), block.deletes.iter().map(name));
        let mut effects = FiredEffect::certain(adds.collect(), deletes.collect());
        let assignments = block.assignments.iter();
        effects.extend(assignments.map(|assignment| self.assignment(assignment)));
        for &(condition, inner) in block.whens {
            let held = self.decide.holds(condition);
            let mut inner = if held { self.block(inner) } else { Vec::new() };
            match self.condition(condition) {
                // What always holds only keeps a draw in its place.
                always if always == "(and)" => effects.append(&mut inner),
                condition => effects.push(FiredEffect::When {
                    condition,
                    held,
                    effects: inner,
                }),
            }
        }
        for &draw in block.draws {
            let alternatives = task.effects.alternatives(draw);
            let drawn = self.decide.draw(alternatives);
            effects.push(FiredEffect::draw(alternatives, drawn, |inner| self.block(inner)));
        }
        effects
    }

    fn assignment(&self, assignment: &GroundAssignment) -> FiredEffect {
        let simulator = self.walker.simulator();
        let value = simulator.arithmetic().value(assignment.value, self.world);
        let target = simulator.task().display_numeric(assignment.target);
        FiredEffect::assign(assignment.operator, &target, value)
    }

    fn condition(&self, id: ConditionId) -> String {
        let task = self.walker.simulator().task();
        let conjunctions = task.conditions.conjunctions(id);
        let texts = conjunctions.map(|id| conjunction_text(task, task.conditions.get(id)));
        connected("or", texts.collect())
    }
}

impl FiredEffect {
    /// What is added and deleted without a condition, in alphabetical order. A delete of what is added has no effect.
    pub(crate) fn certain(adds: BTreeSet<String>, deletes: BTreeSet<String>) -> Vec<Self> {
        let lost = deletes.difference(&adds).cloned().map(Self::Delete);
        let lost: Vec<_> = lost.collect();
        adds.into_iter().map(Self::Add).chain(lost).collect()
    }

    /// A draw that fell out so; `tell` is asked for the effects of the block that was drawn.
    pub(crate) fn draw(
        alternatives: &[(f64, BlockId)],
        drawn: Option<BlockId>,
        tell: impl FnOnce(BlockId) -> Vec<Self>,
    ) -> Self {
        let place = drawn.and_then(|block| alternatives.iter().position(|&(_, other)| other == block));
        Self::Draw {
            drawn: place,
            probability: place.map_or_else(|| remainder(alternatives), |place| alternatives[place].0),
            effects: drawn.map(tell).unwrap_or_default(),
        }
    }

    pub(crate) fn assign(
        operator: AssignOperator,
        target: &impl fmt::Display,
        value: Result<f64, Fault>,
    ) -> Self {
        let word = match operator {
            AssignOperator::Assign => "assign",
            AssignOperator::Increase => "increase",
            AssignOperator::Decrease => "decrease",
            AssignOperator::ScaleUp => "scale-up",
            AssignOperator::ScaleDown => "scale-down",
        };
        Self::Assign(match value {
            // Adding zero turns −0 into 0.
            Ok(value) => format!("({word} {target} {})", value + 0.0),
            Err(_) => format!("({word} {target} undefined)"),
        })
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let indent = 2 * depth;
        match self {
            Self::Add(atom) => write!(f, "\n{:indent$}add {atom}", ""),
            Self::Delete(atom) => write!(f, "\n{:indent$}delete {atom}", ""),
            Self::Assign(text) => write!(f, "\n{:indent$}{text}", ""),
            Self::When {
                condition,
                held,
                effects,
            } => {
                let held = if *held { "held" } else { "did not hold" };
                write!(f, "\n{:indent$}when {condition}, which {held}", "")?;
                write_all(effects, f, depth + 1)
            }
            Self::Draw {
                drawn,
                probability,
                effects,
            } => {
                write!(f, "\n{:indent$}with probability {probability}", "")?;
                match drawn {
                    Some(alternative) => write!(f, ", alternative {}", alternative + 1)?,
                    None => f.write_str(", no change")?,
                }
                write_all(effects, f, depth + 1)
            }
        }
    }
}

fn write_all(effects: &[FiredEffect], f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
    effects.iter().try_for_each(|effect| effect.write(f, depth))
}

impl Fired {
    /// With all lists of changes in alphabetical order: engines number what they name in ways of their own.
    pub(crate) fn sorted(mut self) -> Self {
        self.added.sort_unstable();
        self.deleted.sort_unstable();
        self.derived.sort_unstable();
        self.numbers.sort_by(|one, other| one.number.cmp(&other.number));
        self.deltas.sort_by(|one, other| one.0.cmp(&other.0));
        self
    }
}

/// The action, its effects one a line, and what changed.
impl fmt::Display for Fired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.action)?;
        write_all(&self.effects, f, 1)?;
        f.write_str("\nchanged:")?;
        let start = |holds| if holds { '+' } else { '-' };
        for (atom, holds) in self
            .added
            .iter()
            .map(|atom| (atom, true))
            .chain(self.deleted.iter().map(|atom| (atom, false)))
            .chain(self.derived.iter().map(|(atom, holds)| (atom, *holds)))
        {
            write!(f, " {}{atom}", start(holds))?;
        }
        for number in &self.numbers {
            write!(f, " {} ", number.number)?;
            write_value(f, number.before)?;
            f.write_str("→")?;
            write_value(f, number.after)?;
        }
        self.deltas
            .iter()
            .try_for_each(|(number, delta)| write!(f, " {number} {delta:+}"))?;
        let changed = [&self.added, &self.deleted].iter().any(|atoms| !atoms.is_empty())
            || !self.derived.is_empty()
            || !self.numbers.is_empty()
            || !self.deltas.is_empty();
        if changed { Ok(()) } else { f.write_str(" nothing") }
    }
}

fn write_value(f: &mut fmt::Formatter<'_>, value: Option<f64>) -> fmt::Result {
    match value {
        Some(value) => write!(f, "{value}"),
        None => f.write_str("undefined"),
    }
}
