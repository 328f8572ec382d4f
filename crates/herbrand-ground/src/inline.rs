//! Writes auxiliary atoms out where their definition is a conjunction.

use herbrand_limits::{Budget, Meter, Spent};

use crate::task::renumber::Renumbering;
use crate::{Conditions, Conjunction, GroundTask, Literal};

/// A definition longer than this stays an auxiliary atom: it may occur in many conditions.
const LONGEST: usize = 32;

/// The task without the auxiliary atoms that its conditions can do without.
///
/// Sound: an auxiliary atom is true exactly when the body of one of its axioms is. With one axiom it is equivalent to
/// that body; when all bodies are single literals, its negation is equivalent to the conjunction of their negations
/// (De Morgan): a `forall` over a literal becomes the conjunction that it abbreviates. No auxiliary atom depends on
/// itself but through declared derived atoms, which are never written out, so the rewriting ends.
///
/// # Errors
/// When the budget is spent: a condition may become [`LONGEST`] times as long.
pub(crate) fn inline_auxiliaries(task: GroundTask, budget: &Budget) -> Result<GroundTask, Spent> {
    let is_auxiliary = |index: &usize| {
        let atom = task
            .atoms
            .get(*index)
            .expect("an index below the number of atoms");
        task.vocabulary.predicate(atom.predicate).auxiliary
    };
    // Auxiliary predicates are numbered last, so their atoms are.
    let first = (task.fluent_count()..task.atom_count())
        .find(is_auxiliary)
        .unwrap_or(task.atom_count());
    if first == task.atom_count() {
        return Ok(task);
    }
    let mut meter = budget.meter("writing out auxiliary atoms");
    // The definitions are a copy of conditions.
    meter.charge((task.bytes() + task.conditions.bytes()) as u64);
    meter.check()?;
    let mut inliner = Inliner::new(&task, first, meter);
    let kept = inliner.kept_atoms();
    let renumbered = Renumbering::new(first, &kept);
    rewrite(task, &mut inliner, &renumbered)
}

/// What a literal of an auxiliary atom is equivalent to.
#[derive(Clone)]
enum Expansion {
    /// Nothing simpler.
    Itself,
    /// False.
    Never,
    /// All of these.
    All(Vec<Literal>),
}

struct Inliner {
    first: usize,
    /// For each auxiliary atom, its axioms.
    definitions: Vec<Definition>,
    /// For each literal of an auxiliary atom, its expansion once it is known.
    expansions: Vec<Option<Expansion>>,
    /// The literals of all conditions, but for the bodies of auxiliary axioms.
    roots: Vec<Literal>,
    meter: Meter,
}

/// The axioms of one auxiliary atom.
#[derive(Clone, Default)]
struct Definition {
    /// The literals of each body.
    bodies: Vec<Vec<Literal>>,
    /// Whether some body compares numbers too.
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

    /// What a literal is equivalent to.
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

    /// The conjunction that a literal of an auxiliary atom stands for, if it does.
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

    /// Expands what an expansion mentions; nothing simpler when that is too long.
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

    /// Which auxiliary atoms some condition still needs.
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

/// Whether sorted literals hold both an atom and its negation.
fn is_contradictory(literals: &[Literal]) -> bool {
    literals.windows(2).any(|pair| pair[0].negated() == pair[1])
}

/// The task with all literals expanded and renumbered, and without the axioms of atoms that are gone.
fn rewrite(task: GroundTask, inliner: &mut Inliner, renumbering: &Renumbering) -> Result<GroundTask, Spent> {
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
                // The list of all grows, with its old place beside its new one for a moment.
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

/// The literals of a conjunction, written out; `None` when they contradict each other.
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
