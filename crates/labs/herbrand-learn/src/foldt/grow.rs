//! Top-down induction of a tree.

use std::collections::BTreeMap;

use herbrand_limits::BudgetExhausted;

use super::bias::{self, Bias};
use crate::answers::Answers;
use crate::language::DomainSignature;
use crate::query::{Count, Path, Role, Sample, Test};

/// Grows trees on the examples of one experience.
pub(crate) struct Grower<'a> {
    pub language: &'a DomainSignature,
    pub answers: Box<dyn Answers + 'a>,
    pub bias: Bias,
}

/// A node of a tree: the path from the root, and the examples that reach it.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub path: Path,
    pub samples: Vec<Sample>,
}

/// The test that separates the classes of a node's examples best.
struct Best {
    test: Test,
    role: Role,
    /// For each example, the number of bindings of the test.
    counts: Vec<Count>,
}

/// The two children of a split node.
pub(crate) struct Split {
    pub succeeds: Leaf,
    pub fails: Leaf,
}

impl Leaf {
    /// Returns the most frequent class, the lowest one on ties, or `None` if there are no examples.
    pub fn majority(&self) -> Option<u32> {
        let counts = classes(&self.samples);
        let best = counts.iter().rev().max_by_key(|&(_, &count)| count);
        best.map(|(&class, _)| class)
    }

    fn is_pure(&self) -> bool {
        classes(&self.samples).len() <= 1
    }

    fn depth(&self) -> usize {
        let splits = self.path.conditions.iter();
        splits.filter(|condition| condition.role != Role::Binds).count()
    }
}

impl Grower<'_> {
    /// Grows a tree that separates the classes of examples, and returns its leaves. Each node uses the test with the
    /// greatest gain ratio. A node is a leaf if its examples have one class, no test is informative, or the maximal depth is
    /// reached.
    pub fn grow(&mut self, root: Leaf) -> Result<Vec<Leaf>, BudgetExhausted> {
        let mut open = vec![root];
        let mut leaves = Vec::new();
        while let Some(node) = open.pop() {
            match self.split(&node)? {
                None => leaves.push(node),
                Some(Split { succeeds, fails }) => {
                    open.push(fails);
                    open.push(succeeds);
                }
            }
        }
        Ok(leaves)
    }

    /// Returns the best split of a node, or `None` if the node is a leaf.
    pub fn split(&mut self, node: &Leaf) -> Result<Option<Split>, BudgetExhausted> {
        if node.is_pure() || node.depth() >= self.bias.depth {
            return Ok(None);
        }
        let node = self.bind(node)?;
        let variables = node.path.variables.as_slice();
        let mut tests = bias::equalities(self.language, variables);
        tests.extend(bias::atoms(self.language, variables, &self.bias));
        let mut best = self.best(&node, &tests)?;
        if best.is_none() && self.bias.atoms > 1 {
            best = self.best(&node, &bias::pairs(self.language, variables, &self.bias))?;
        }
        best.map(|best| self.apart(&node, &best)).transpose()
    }

    /// Returns the number of available tests, and the splits of a node by the `most` most informative ones. The node must
    /// already have its determinate variables.
    pub fn candidates(&mut self, node: &Leaf, most: usize) -> Result<(usize, Vec<Split>), BudgetExhausted> {
        if node.is_pure() || node.depth() >= self.bias.depth {
            return Ok((0, Vec::new()));
        }
        let variables = node.path.variables.as_slice();
        let mut tests = bias::equalities(self.language, variables);
        tests.extend(bias::atoms(self.language, variables, &self.bias));
        let counts = self.answers.counts(&node.samples, &tests)?;
        let gains = counts.iter().map(|counts| gain(&node.samples, counts));
        let mut informative: Vec<(usize, f64)> = gains
            .enumerate()
            .filter_map(|(number, gain)| Some((number, gain?.bits)))
            .collect();
        informative.sort_by(|(one, more), (other, less)| {
            let simpler = || tests[*one].simpler(&tests[*other]).then(one.cmp(other));
            less.total_cmp(more).then_with(simpler)
        });
        let splits = informative.into_iter().take(most).map(|(number, _)| {
            let best = Best {
                role: self.role(node, &tests[number], &counts[number]),
                test: tests[number].clone(),
                counts: counts[number].clone(),
            };
            self.apart(node, &best)
        });
        Ok((tests.len(), splits.collect::<Result<_, _>>()?))
    }

    /// Adds the variables that have exactly one value in each example of the node, regardless of class. These are
    /// determinate literals (Quinlan, "Determinate Literals in Inductive Logic Programming", IJCAI 1991). They separate no
    /// examples, but later tests may read them. A variable that always equals an older one is not added.
    pub fn bind(&mut self, node: &Leaf) -> Result<Leaf, BudgetExhausted> {
        let mut node = node.clone();
        loop {
            let before = node.path.variables.len();
            let tests = bias::atoms(self.language, &node.path.variables, &self.bias);
            let tests: Vec<Test> = tests
                .into_iter()
                .filter(|test| !test.fresh().is_empty())
                .collect();
            let counts = self.answers.counts(&node.samples, &tests)?;
            let determinate = tests.iter().zip(&counts);
            let determinate =
                determinate.filter(|(_, counts)| counts.iter().all(|&count| count == Count::One));
            for (test, _) in determinate {
                let room = self.bias.variables.saturating_sub(node.path.variables.len());
                if test.fresh().len() <= room {
                    self.bind_one(&mut node, test, before)?;
                }
            }
            if node.path.variables.len() == before || node.samples.is_empty() {
                return Ok(node);
            }
        }
    }

    /// Adds the fresh variables of a determinate test that was generated for a node with `before` variables.
    fn bind_one(&mut self, node: &mut Leaf, test: &Test, before: usize) -> Result<(), BudgetExhausted> {
        let test = shifted(test, before, node.path.variables.len());
        let values: Option<Vec<_>> = self.answers.values(&node.samples, &test)?.into_iter().collect();
        let Some(values) = values else {
            return Ok(());
        };
        let known = |place: usize| {
            (0..node.path.variables.len()).any(|old| {
                let mut both = node.samples.iter().zip(&values);
                both.all(|(sample, new)| sample.values[old] == new[place])
            })
        };
        if (0..test.fresh().len()).any(known) {
            return Ok(());
        }
        node.path = node.path.with(&test, true, Role::Binds);
        for (sample, new) in node.samples.iter_mut().zip(values) {
            sample.values.extend(new);
        }
        Ok(())
    }

    /// Returns the test with the greatest gain ratio among those with at least average information gain; the average is over
    /// informative tests. Ties go to the simplest test, then to the first. Returns `None` if no test is informative.
    fn best(&mut self, node: &Leaf, tests: &[Test]) -> Result<Option<Best>, BudgetExhausted> {
        let mut counts = self.answers.counts(&node.samples, tests)?;
        let gains: Vec<Option<Gain>> = counts.iter().map(|counts| gain(&node.samples, counts)).collect();
        let informative = gains.iter().flatten();
        let mean = informative.clone().map(|gain| gain.bits).sum::<f64>() / informative.count().max(1) as f64;
        let mut best: Option<(f64, usize)> = None;
        for (number, found) in gains.iter().enumerate() {
            let Some(found) = found.as_ref().filter(|gain| gain.bits > mean - TOLERANCE) else {
                continue;
            };
            let better = best.is_none_or(|(ratio, simplest)| {
                let same = (ratio - found.ratio).abs() < TOLERANCE;
                if same {
                    tests[number].simpler(&tests[simplest]).is_lt()
                } else {
                    found.ratio > ratio
                }
            });
            if better {
                best = Some((found.ratio, number));
            }
        }
        Ok(best.map(|(_, number)| Best {
            test: tests[number].clone(),
            role: self.role(node, &tests[number], &counts[number]),
            counts: counts.swap_remove(number),
        }))
    }

    /// Returns the role of a splitting test. It binds its variables if no example has several values for them.
    fn role(&self, node: &Leaf, test: &Test, counts: &[Count]) -> Role {
        let fresh = test.fresh().len();
        let fits = node.path.variables.len() + fresh <= self.bias.variables;
        if fresh > 0 && fits && counts.iter().all(|&count| count != Count::Many) {
            Role::SplitsAndBinds
        } else {
            Role::Splits
        }
    }

    /// Splits a node by a test.
    fn apart(&mut self, node: &Leaf, best: &Best) -> Result<Split, BudgetExhausted> {
        let Best { test, role, counts } = best;
        let mut split = Split {
            succeeds: Leaf {
                path: node.path.with(test, true, *role),
                samples: Vec::new(),
            },
            fails: Leaf {
                path: node.path.with(test, false, *role),
                samples: Vec::new(),
            },
        };
        for (sample, count) in node.samples.iter().zip(counts) {
            let side = match count {
                Count::None => &mut split.fails,
                Count::One | Count::Many => &mut split.succeeds,
            };
            side.samples.push(sample.clone());
        }
        if *role == Role::SplitsAndBinds {
            let samples = &mut split.succeeds.samples;
            let values = self.answers.values(samples, test)?;
            for (sample, values) in samples.iter_mut().zip(values) {
                sample.values.extend(values.unwrap_or_default());
            }
        }
        Ok(split)
    }
}

/// Converts a test over `before` variables to one over `now` variables by renumbering its fresh variables.
fn shifted(test: &Test, before: usize, now: usize) -> Test {
    let Test::Exists { fresh, atoms } = test else {
        return test.clone();
    };
    let mut atoms = atoms.clone();
    for argument in atoms.iter_mut().flat_map(|atom| &mut atom.arguments) {
        if let herbrand_pddl::Term::Variable(variable) = argument
            && variable.index() >= before
        {
            *argument = crate::query::term(variable.index() - before + now);
        }
    }
    Test::Exists {
        fresh: fresh.clone(),
        atoms,
    }
}

/// Counts the examples of each class.
pub(crate) fn classes(samples: &[Sample]) -> BTreeMap<u32, usize> {
    let mut counts = BTreeMap::new();
    for sample in samples {
        *counts.entry(sample.class).or_insert(0) += 1;
    }
    counts
}

/// Numbers that differ by less than this are considered equal.
const TOLERANCE: f64 = 1e-9;

/// The information gain of a test.
struct Gain {
    /// The information gain in bits.
    bits: f64,
    /// The gain ratio: the information gain divided by the entropy of the split (Quinlan, "C4.5", 1993).
    ratio: f64,
}

/// Returns the information gain of a test, or `None` if it is 0.
fn gain(samples: &[Sample], counts: &[Count]) -> Option<Gain> {
    let mut sides: [BTreeMap<u32, usize>; 2] = [BTreeMap::new(), BTreeMap::new()];
    for (sample, &count) in samples.iter().zip(counts) {
        *sides[usize::from(count == Count::None)]
            .entry(sample.class)
            .or_insert(0) += 1;
    }
    let sizes = sides.each_ref().map(|side| side.values().sum::<usize>());
    if sizes.contains(&0) {
        return None;
    }
    let total = samples.len() as f64;
    let share = |side: usize| sizes[side] as f64 / total;
    let after: f64 = (0..2)
        .map(|side| share(side) * entropy(sides[side].values().copied()))
        .sum();
    let bits = entropy(classes(samples).values().copied()) - after;
    let ratio = bits / entropy(sizes.into_iter());
    (bits > TOLERANCE).then_some(Gain { bits, ratio })
}

/// Returns the entropy of a distribution, given by counts, in bits.
fn entropy(counts: impl Iterator<Item = usize> + Clone) -> f64 {
    let total: usize = counts.clone().sum();
    let information = |count: usize| {
        let share = count as f64 / total as f64;
        if count == 0 {
            0.0
        } else {
            -share * libm::log2(share)
        }
    };
    counts.map(information).sum()
}
