//! Learning the effects of an action at a leaf of its tree.

use std::collections::{BTreeMap, BTreeSet};

use herbrand_ground::AtomId;
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_pddl::{AtomRef, ObjectId, PredicateId, TypeUnion};

use super::grow::{Grower, Leaf, Split, classes};
use crate::choices::choices;
use crate::experience::{EffectSign, Experience, StateChange, objects_of};
use crate::lift::{Literal, Row, candidates, consistent, cover};
use crate::query::{Path, Sample, atom, term};

/// A conditional effect: if the tests of the path succeed, the literal holds for all bindings of the targets.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    /// The root of the path has the variables of the leaf, followed by the targets.
    pub path: Path,
    /// The number of universally quantified variables.
    pub targets: usize,
    pub literal: Literal,
}

/// A leaf and the effects of its action.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub leaf: Leaf,
    pub rules: Vec<Rule>,
}

/// The maximal number of unchanged atoms per state that become negative examples.
const MOST_OTHERS: usize = 256;

/// Learns effects from the transitions of a leaf.
pub(crate) struct EffectLearner<'g, 'a> {
    pub grower: &'g mut Grower<'a>,
    pub experience: &'a Experience,
    pub budget: &'a Budget,
}

impl<'a> EffectLearner<'_, 'a> {
    /// Splits a leaf into branches and learns their effects. The action must be applied in all examples of the leaf. If one
    /// list of changes over the leaf's variables explains all examples, it is the effect. Otherwise the leaf is split by the
    /// predicates that changed, as long as a test separates them. The remaining changes become conditional effects.
    pub fn branches(&mut self, leaf: &Leaf) -> Result<Vec<Branch>, BudgetExhausted> {
        let mut open = vec![leaf.clone()];
        let mut branches = Vec::new();
        while let Some(leaf) = open.pop() {
            let leaf = self.grower.bind(&leaf)?;
            let rows = rows(self.experience, &leaf.samples);
            let literals = consistent(self.experience, &leaf.path.variables, &rows);
            let (certain, untold) = cover(self.experience, &literals, &rows);
            let mut rules: Vec<Rule> = certain
                .into_iter()
                .map(|literal| unconditional(&leaf, literal))
                .collect();
            if !untold.is_empty() {
                let classified = self.classified(&leaf);
                if classes(&classified.samples).len() > 1
                    && let Some(Split { succeeds, fails }) = self.grower.split(&classified)?
                {
                    open.extend([fails, succeeds]);
                    continue;
                }
                rules.extend(self.conditional(&leaf, &untold)?);
            }
            branches.push(Branch { leaf, rules });
        }
        Ok(branches)
    }

    /// Classifies the examples of a leaf by the predicates whose atoms become true or false.
    fn classified(&self, leaf: &Leaf) -> Leaf {
        let mut leaf = leaf.clone();
        let mut kinds = BTreeMap::new();
        for sample in &mut leaf.samples {
            let scene = self.experience.scene_of(sample.state);
            let change = self.experience.transitions[sample.transition].change();
            let changes = change.into_iter().flat_map(StateChange::iter);
            let mut kind: Vec<_> = changes
                .map(|(sign, id)| (sign, scene.atom(id).predicate))
                .collect();
            kind.sort_unstable();
            kind.dedup();
            let next = kinds.len() as u32;
            sample.class = *kinds.entry(kind).or_insert(next);
        }
        leaf
    }

    /// Learns effects for changes that happen in only some examples of a leaf.
    fn conditional(
        &mut self,
        leaf: &Leaf,
        untold: &[(Row<'_>, StateChange)],
    ) -> Result<Vec<Rule>, BudgetExhausted> {
        let mut rules = Vec::new();
        let mut open: Vec<(Row<'_>, StateChange)> = untold.to_vec();
        let rest: Vec<Row<'_>> = untold
            .iter()
            .map(|(row, change)| Row { change, ..*row })
            .collect();
        let mut literals = candidates(self.experience, &leaf.path.variables, &rest);
        loop {
            open.retain(|(_, change)| !change.is_empty());
            let count = |literal: &Literal| {
                let rest = open.iter().map(|(row, change)| Row { change, ..*row });
                rest.filter(|row| row.changes(self.experience, literal)).count()
            };
            let best = literals
                .iter()
                .map(count)
                .enumerate()
                .rev()
                .max_by_key(|&(_, count)| count);
            let Some((best, _)) = best.filter(|&(_, count)| count > 0) else {
                break;
            };
            let literal = literals.swap_remove(best);
            let learned = self.when(leaf, &literal)?;
            if learned.is_empty() {
                continue;
            }
            for (row, change) in &mut open {
                *change = Row { change, ..*row }.unexplained(self.experience, std::slice::from_ref(&literal));
            }
            rules.extend(learned);
        }
        let mut kinds = BTreeSet::new();
        for (row, change) in &open {
            let scene = self.experience.scene_of(row.state);
            kinds.extend(change.iter().map(|(sign, id)| (sign, scene.atom(id).predicate)));
        }
        for (sign, predicate) in kinds {
            rules.extend(self.for_all(leaf, sign, predicate)?);
        }
        Ok(rules)
    }

    /// Learns when a literal over the leaf's variables is an effect. Examples in which it held before and after the step are
    /// skipped, because they do not show whether the effect took place.
    fn when(&mut self, leaf: &Leaf, literal: &Literal) -> Result<Vec<Rule>, BudgetExhausted> {
        let mut samples = Vec::new();
        for sample in &leaf.samples {
            let Some(row) = row(self.experience, sample) else {
                continue;
            };
            let class = match (
                row.changes(self.experience, literal),
                row.agrees(self.experience, literal),
            ) {
                (true, _) => 1,
                (false, false) => 0,
                (false, true) => continue,
            };
            samples.push(Sample {
                class,
                ..sample.clone()
            });
        }
        let root = Leaf {
            path: Path::root(leaf.path.variables.clone()),
            samples,
        };
        self.rules(root, 0, literal)
    }

    /// Learns which atoms of a predicate change, as a tree over the leaf's variables and the arguments of the atom.
    fn for_all(
        &mut self,
        leaf: &Leaf,
        sign: EffectSign,
        predicate: PredicateId,
    ) -> Result<Vec<Rule>, BudgetExhausted> {
        let language = &self.experience.language;
        let parameters = &language.domain().predicate(predicate).parameters;
        let targets: Vec<TypeUnion> = parameters
            .iter()
            .map(|parameter| parameter.types.clone())
            .collect();
        let mut meter = self.budget.meter("learning effects on all objects");
        let mut samples = Vec::new();
        for sample in &leaf.samples {
            let Some(row) = row(self.experience, sample) else {
                continue;
            };
            for (arguments, changed) in self.atoms(&row, sign, predicate, &targets) {
                let values = [sample.values.as_slice(), &arguments].concat();
                meter.charge(size_of_val(values.as_slice()) as u64);
                let sample = Sample {
                    values,
                    class: u32::from(changed),
                    ..*sample
                };
                meter.push(&mut samples, sample);
            }
            meter.check()?;
        }
        let own = leaf.path.variables.len();
        let root = Leaf {
            path: Path::root([leaf.path.variables.as_slice(), &targets].concat()),
            samples,
        };
        let arguments = (own..own + targets.len()).map(term).collect();
        let literal = Literal {
            sign,
            atom: atom(predicate, arguments),
        };
        self.rules(root, targets.len(), &literal)
    }

    /// Returns the atoms of a predicate that could change in a row, each with whether it did. At most [`MOST_OTHERS`] of the
    /// unchanged atoms are returned, evenly spread.
    fn atoms(
        &self,
        row: &Row<'_>,
        sign: EffectSign,
        predicate: PredicateId,
        types: &[TypeUnion],
    ) -> Vec<(Vec<ObjectId>, bool)> {
        let scene = self.experience.scene_of(row.state);
        let changed = match sign {
            EffectSign::Add => &row.change.added,
            EffectSign::Delete => &row.change.deleted,
        };
        let of_predicate = |id: &AtomId| {
            let fact = scene.atom(*id);
            (fact.predicate == predicate).then(|| fact.arguments.to_vec())
        };
        let hit: Vec<_> = changed.iter().filter_map(of_predicate).collect();
        let others: Vec<Vec<ObjectId>> = match sign {
            EffectSign::Delete => {
                let atoms = self.experience.state(row.state).atoms.iter();
                let others = atoms.filter_map(of_predicate);
                spread(|| others.clone().filter(|arguments| !hit.contains(arguments)))
            }
            EffectSign::Add => {
                let objects = objects_of(&scene.vocabulary, types);
                let is_false = |arguments: &Vec<ObjectId>| {
                    let arguments = arguments.as_slice();
                    !self.experience.holds(row.state, AtomRef { predicate, arguments })
                };
                spread(|| {
                    let others = choices(&objects).filter(is_false);
                    others.filter(|arguments| !hit.contains(arguments))
                })
            }
        };
        let others = others.into_iter().map(|arguments| (arguments, false));
        let hit = hit.into_iter().map(|arguments| (arguments, true));
        hit.chain(others).collect()
    }

    /// Grows a tree and returns a rule for each leaf at which the change happens.
    fn rules(&mut self, root: Leaf, targets: usize, literal: &Literal) -> Result<Vec<Rule>, BudgetExhausted> {
        let leaves = self.grower.grow(root)?;
        let happens = leaves.into_iter().filter(|leaf| leaf.majority() == Some(1));
        Ok(happens
            .map(|leaf| Rule {
                path: leaf.path,
                targets,
                literal: literal.clone(),
            })
            .collect())
    }
}

/// Returns the rows of the examples in which the action was applied.
pub(crate) fn rows<'l>(experience: &'l Experience, samples: &'l [Sample]) -> Vec<Row<'l>> {
    samples
        .iter()
        .filter_map(|sample| row(experience, sample))
        .collect()
}

fn row<'l>(experience: &'l Experience, sample: &'l Sample) -> Option<Row<'l>> {
    Some(Row {
        state: sample.state,
        values: &sample.values,
        change: experience.transitions[sample.transition].change()?,
    })
}

fn unconditional(leaf: &Leaf, literal: Literal) -> Rule {
    Rule {
        path: Path::root(leaf.path.variables.clone()),
        targets: 0,
        literal,
    }
}

/// Returns at most [`MOST_OTHERS`] of the items, evenly spread. Iterates twice, to avoid storing all items.
fn spread<T, I: Iterator<Item = T>>(items: impl Fn() -> I) -> Vec<T> {
    let stride = items().count().div_ceil(MOST_OTHERS).max(1);
    items().step_by(stride).collect()
}
