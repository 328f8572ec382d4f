//! Replaces auxiliary atoms by their definitions.

use herbrand_limits::{Budget, BudgetExhausted, Meter};

use crate::task::renumber::Renumbering;
use crate::task::{Conditions, Conjunction, GroundTask, Literal};

/// A longer definition is not inlined, because it may occur in many conditions.
const LONGEST: usize = 32;

/// Replaces literals of auxiliary atoms by equivalent conjunctions, and removes the atoms that no condition needs any more.
///
/// This is sound, because an auxiliary atom is true exactly if the body of one of its axioms is. With one axiom, the atom is
/// equivalent to that body. If all bodies are single literals, the negated atom is equivalent to the conjunction of the
/// negated literals (De Morgan): a `forall` over a literal becomes the conjunction that it abbreviates. The rewriting
/// terminates, because auxiliary atoms only depend on themselves through declared derived atoms, which are not replaced.
///
/// # Errors
/// If the budget is exhausted: a condition may grow by a factor of [`LONGEST`].
pub(crate) fn inline_auxiliaries(task: GroundTask, budget: &Budget) -> Result<GroundTask, BudgetExhausted> {
    let is_auxiliary = |index: &usize| {
        let atom = task
            .atoms
            .get(*index)
            .expect("an index below the number of atoms");
        task.vocabulary.predicate(atom.predicate).auxiliary
    };
    // Auxiliary predicates have the last numbers, so their atoms have too.
    let first = (task.fluent_count()..task.atom_count())
        .find(is_auxiliary)
        .unwrap_or(task.atom_count());
    if first == task.atom_count() {
        return Ok(task);
    }
    let mut meter = budget.meter("writing out auxiliary atoms");
    // The definitions are copies of conditions.
    meter.charge((task.bytes() + task.conditions.bytes()) as u64);
    meter.check()?;
    let mut inliner = Inliner::new(&task, first, meter);
    let kept = inliner.kept_atoms();
    let renumbered = Renumbering::new(first, &kept);
    rewrite(task, &mut inliner, &renumbered)
}

/// The expansion of a literal of an auxiliary atom.
#[derive(Clone)]
enum Expansion {
    /// The literal is not replaced.
    Itself,
    /// The literal is false.
    Never,
    /// The literal is equivalent to this conjunction.
    All(Vec<Literal>),
}

struct Inliner {
    first: usize,
    /// The axioms of each auxiliary atom.
    definitions: Vec<Definition>,
    /// The expansion of each literal of an auxiliary atom, once it is computed.
    expansions: Vec<Option<Expansion>>,
    /// The auxiliary literals of all conditions except the bodies of auxiliary axioms.
    roots: Vec<Literal>,
    meter: Meter,
}

/// The axioms of one auxiliary atom.
#[derive(Clone, Default)]
struct Definition {
    /// The literals of each body.
    bodies: Vec<Vec<Literal>>,
    /// Whether some body has comparisons.
    compares: bool,
}

impl Inliner {
    fn new(task: &GroundTask, first: usize, meter: Meter) -> Self {
        let count = task.atom_count() - first;
        let mut definitions = vec![Definition::default(); count];
        let mut of_auxiliary = vec![false; task.conditions.len()];
        for axiom in task.axioms.iter().filter(|axiom| axiom.head.index() >= first) {
            of_auxiliary[axiom.body.index()] = true;
            let body = task.conditions.get(axiom.body);
            let definition = &mut definitions[axiom.head.index() - first];
            definition.bodies.push(body.literals.to_vec());
            definition.compares |= !body.comparisons.is_empty();
        }
        let conjunctions = task
            .conditions
            .iter()
            .zip(&of_auxiliary)
            .filter(|(_, auxiliary)| !**auxiliary);
        let literals = conjunctions.flat_map(|(conjunction, _)| conjunction.literals.iter().copied());
        let roots = literals
            .filter(|literal| literal.atom().index() >= first)
            .collect();
        Self {
            first,
            definitions,
            expansions: vec![None; 2 * count],
            roots,
            meter,
        }
    }

    /// Returns the expansion of a literal.
    fn expand(&mut self, literal: Literal) -> Expansion {
        let Some(slot) = literal.index().checked_sub(2 * self.first) else {
            return Expansion::Itself;
        };
        if let Some(known) = &self.expansions[slot] {
            return known.clone();
        }
        let expansion = self
            .definition(literal)
            .map_or(Expansion::Itself, |all| self.flatten(all));
        if let Expansion::All(literals) = &expansion {
            self.meter.charge(size_of_val(literals.as_slice()) as u64);
        }
        self.expansions[slot] = Some(expansion.clone());
        expansion
    }

    /// Returns the conjunction to which a literal of an auxiliary atom is equivalent; `None` if there is no such
    /// conjunction.
    fn definition(&self, literal: Literal) -> Option<Expansion> {
        let Definition { bodies, compares } = &self.definitions[literal.atom().index() - self.first];
        if *compares {
            return None;
        }
        if !literal.is_negative() {
            return match &bodies[..] {
                [only] => Some(Expansion::All(only.clone())),
                _ => None,
            };
        }
        if bodies.iter().any(Vec::is_empty) {
            return Some(Expansion::Never);
        }
        let negated = bodies.iter().map(|body| match &body[..] {
            [only] => Some(only.negated()),
            _ => None,
        });
        negated.collect::<Option<Vec<_>>>().map(Expansion::All)
    }

    /// Expands the literals of an expansion. The result is `Itself` if it would be too long.
    fn flatten(&mut self, expansion: Expansion) -> Expansion {
        let Expansion::All(literals) = expansion else {
            return expansion;
        };
        let mut all = Vec::new();
        for literal in literals {
            match self.expand(literal) {
                Expansion::Itself => all.push(literal),
                Expansion::Never => return Expansion::Never,
                Expansion::All(inner) => all.extend(inner),
            }
        }
        all.sort_unstable();
        all.dedup();
        match all {
            all if is_contradictory(&all) => Expansion::Never,
            all if all.len() > LONGEST => Expansion::Itself,
            all => Expansion::All(all),
        }
    }

    /// Returns, for each auxiliary atom, whether some condition still needs it.
    fn kept_atoms(&mut self) -> Vec<bool> {
        let mut kept = vec![false; self.definitions.len()];
        let mut open = self.roots.clone();
        let mut seen = vec![false; self.expansions.len()];
        while !self.meter.is_spent()
            && let Some(literal) = open.pop()
        {
            let Some(slot) = literal.index().checked_sub(2 * self.first) else {
                continue;
            };
            if std::mem::replace(&mut seen[slot], true) {
                continue;
            }
            match self.expand(literal) {
                Expansion::Never => {}
                Expansion::All(literals) => open.extend(literals),
                Expansion::Itself => {
                    let index = literal.atom().index() - self.first;
                    kept[index] = true;
                    open.extend(self.definitions[index].bodies.iter().flatten());
                }
            }
        }
        kept
    }
}

/// Returns whether sorted literals contain an atom and its negation.
fn is_contradictory(literals: &[Literal]) -> bool {
    literals.windows(2).any(|pair| pair[0].negated() == pair[1])
}

/// Expands and renumbers all literals, and removes the axioms of atoms that are not needed any more.
fn rewrite(
    task: GroundTask,
    inliner: &mut Inliner,
    renumbering: &Renumbering,
) -> Result<GroundTask, BudgetExhausted> {
    inliner.meter.check()?;
    let mut dropped = vec![false; task.conditions.len()];
    for axiom in task
        .axioms
        .iter()
        .filter(|axiom| renumbering.atom(axiom.head).is_none())
    {
        dropped[axiom.body.index()] = true;
    }
    let mut conditions = Conditions::default();
    let mut places = vec![None; task.conditions.len()];
    for id in task.conditions.ids() {
        for place in task
            .conditions
            .conjunctions(id)
            .filter(|place| !dropped[place.index()])
        {
            let conjunction = task.conditions.get(place);
            if let Some(literals) = expanded(conjunction, inliner, renumbering) {
                // A growing list exists twice for a moment.
                if !inliner.meter.charge(3 * size_of_val(literals.as_slice()) as u64) {
                    inliner.meter.check()?;
                }
                let comparisons = conjunction.comparisons.iter().copied();
                places[place.index()] = Some(conditions.conjunction(literals, comparisons));
            }
        }
        conditions.finish();
    }
    let (axioms, strata) = renumbering.axioms(&task, &places);
    let (atoms, _) = renumbering.atoms(&task);
    Ok(GroundTask {
        atoms,
        conditions,
        axioms,
        strata,
        ..task
    })
}

/// Returns the expanded and renumbered literals of a conjunction; `None` if they contradict each other.
fn expanded(
    conjunction: Conjunction<'_>,
    inliner: &mut Inliner,
    renumbering: &Renumbering,
) -> Option<Vec<Literal>> {
    let mut all = Vec::with_capacity(conjunction.literals.len());
    let mut grown = false;
    for &literal in conjunction.literals {
        match inliner.expand(literal) {
            Expansion::Itself => all.push(literal),
            Expansion::Never => return None,
            Expansion::All(literals) => {
                grown = true;
                all.extend(literals);
            }
        }
    }
    if grown {
        all.sort_unstable();
        all.dedup();
        if is_contradictory(&all) {
            return None;
        }
    }
    all.into_iter()
        .map(|literal| renumbering.literal(literal))
        .collect()
}
