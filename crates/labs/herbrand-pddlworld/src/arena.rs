//! Grounded problems of the target: their atoms, and the positions of the operators' literals among them.
//!
//! The ground actions depend on types, objects and equalities only, not on the edited literals. Grounding is therefore done
//! once per target; a sketch selects the literals that count.

use fxhash::FxHashMap;
use herbrand_edit::Ground;
use herbrand_pddl::{Atom, Domain, ObjectId, PredicateId, Problem, Term, TypeUnion};
use herbrand_text::Place;

use crate::error::{TargetFault, UnsuitableTarget};
use crate::pattern::Pattern;
use crate::read;
use crate::sketch::Sketch;
use crate::vocabulary::{Operator, SketchVocabulary, each_combination};

/// The maximal number of literals in all ground actions of a problem.
const MOST_LITERALS: u64 = 1 << 24;

/// The set of true atoms as a bit set with 64 atoms per word.
pub(crate) type State = Box<[u64]>;

/// A grounded problem of the target.
#[derive(Clone, Debug)]
pub(crate) struct GroundedProblem {
    /// The name of the problem.
    pub(crate) name: String,
    /// The atoms, by index.
    pub(crate) atoms: Vec<Ground>,
    pub(crate) actions: Vec<Grounding>,
    /// The atoms of the literals of all actions, concatenated.
    slots: Vec<u32>,
    pub(crate) initial: State,
    pub(crate) goal: Option<Goal>,
}

/// A ground action.
#[derive(Clone, Debug)]
pub(crate) struct Grounding {
    pub(crate) operator: u32,
    /// The index of its pattern in the patterns of the operator.
    pub(crate) pattern: u32,
    /// The index of its first literal in [`GroundedProblem::slots`].
    first: u32,
    arguments: Box<[String]>,
}

/// The literals of a goal.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    positive: State,
    negative: State,
}

/// The patterns of an operator, in order of discovery, and the number of groundings of each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patterns {
    pub(crate) list: Vec<PatternEntry>,
    numbers: FxHashMap<Pattern, u32>,
}

/// A pattern, the number of ground actions with it in all problems, and the first of these actions (problem and action).
#[derive(Clone, Debug)]
pub(crate) struct PatternEntry {
    pub(crate) pattern: Pattern,
    pub(crate) groundings: u64,
    pub(crate) example: (u32, u32),
}

impl Patterns {
    fn note(&mut self, pattern: Pattern, example: (u32, u32)) -> u32 {
        let next = self.list.len() as u32;
        let number = *self.numbers.entry(pattern.clone()).or_insert(next);
        if number == next {
            self.list.push(PatternEntry {
                pattern,
                groundings: 0,
                example,
            });
        }
        self.list[number as usize].groundings += 1;
        number
    }
}

/// Assigns numbers to atoms in order of occurrence.
struct Numbering<'p> {
    domain: &'p Domain,
    problem: &'p Problem,
    numbers: FxHashMap<(PredicateId, Box<[ObjectId]>), u32>,
    names: Vec<Ground>,
}

impl Numbering<'_> {
    fn number(&mut self, predicate: PredicateId, arguments: &[ObjectId]) -> u32 {
        let next = self.names.len() as u32;
        let (domain, problem) = (self.domain, self.problem);
        *self
            .numbers
            .entry((predicate, arguments.into()))
            .or_insert_with(|| {
                let arguments = arguments.iter().map(|&id| problem.object(id).name.as_str());
                self.names
                    .push(Ground::new(domain.predicate(predicate).name.as_str(), arguments));
                next
            })
    }

    fn of(&mut self, atom: &Atom, binding: &[ObjectId]) -> u32 {
        let arguments: Vec<_> = atom.arguments.iter().map(|&term| object(term, binding)).collect();
        self.number(atom.predicate, &arguments)
    }
}

/// Returns the object of a term under a binding of the parameters.
fn object(term: Term, binding: &[ObjectId]) -> ObjectId {
    match term {
        Term::Variable(id) => binding[id.index()],
        Term::Object(id) => id,
    }
}

impl GroundedProblem {
    /// Grounds a problem. `number` is its index among the target's problems.
    pub(crate) fn of(
        domain: &Domain,
        problem: &Problem,
        vocabulary: &SketchVocabulary,
        number: usize,
        patterns: &mut [Patterns],
    ) -> Result<Self, UnsuitableTarget> {
        let goal = read::goal(domain, problem)?;
        let mut numbering = Numbering {
            domain,
            problem,
            numbers: FxHashMap::default(),
            names: Vec::new(),
        };
        check_size(domain, problem, vocabulary)?;
        let (mut actions, mut slots) = (Vec::new(), Vec::new());
        for (operator, of) in vocabulary.operators().iter().enumerate() {
            let choices: Vec<_> = of
                .types
                .iter()
                .map(|types| objects(domain, problem, types))
                .collect();
            each_combination(&choices, &mut |binding| {
                if !passes(of, binding) {
                    return;
                }
                let first = slots.len();
                slots.extend(of.atoms.iter().map(|atom| numbering.of(atom, binding)));
                let example = (number as u32, actions.len() as u32);
                actions.push(Grounding {
                    operator: operator as u32,
                    pattern: patterns[operator].note(Pattern::of(&slots[first..]), example),
                    first: first as u32,
                    arguments: binding
                        .iter()
                        .map(|&id| problem.object(id).name.to_string())
                        .collect(),
                });
            });
        }
        let initial: Vec<_> = problem
            .init
            .iter()
            .map(|fact| numbering.number(fact.predicate, fact.arguments))
            .collect();
        let goal = goal.map(|literals| {
            let numbers = literals
                .iter()
                .map(|(atom, negated)| (numbering.of(atom, &[]), *negated));
            numbers.collect::<Vec<_>>()
        });
        let words = numbering.names.len().div_ceil(64).max(1);
        let set = |numbers: &mut dyn Iterator<Item = u32>| state_of(words, numbers);
        Ok(Self {
            name: problem.name.to_string(),
            initial: set(&mut initial.into_iter()),
            goal: goal.map(|literals| {
                let half = |negated| {
                    literals
                        .iter()
                        .filter(move |one| one.1 == negated)
                        .map(|one| one.0)
                };
                Goal {
                    positive: set(&mut half(false)),
                    negative: set(&mut half(true)),
                }
            }),
            atoms: numbering.names,
            actions,
            slots,
        })
    }

    /// Returns the number of words of a state.
    pub(crate) fn words(&self) -> usize {
        self.initial.len()
    }

    /// Returns the atoms of a ground action's literals.
    pub(crate) fn literals(&self, action: usize, vocabulary: &SketchVocabulary) -> &[u32] {
        let grounding = &self.actions[action];
        let count = vocabulary.operators()[grounding.operator as usize].literals.len();
        &self.slots[grounding.first as usize..][..count]
    }

    /// Projects a state onto the literals of an action: bit `i` is the truth of literal `i`.
    pub(crate) fn local(&self, action: usize, vocabulary: &SketchVocabulary, state: &[u64]) -> u128 {
        let atoms = self.literals(action, vocabulary).iter().enumerate();
        atoms.fold(0, |mask, (literal, &atom)| {
            mask | u128::from(holds(state, atom)) << literal
        })
    }

    /// Returns the ground action in PDDL syntax.
    pub(crate) fn action_name(&self, action: usize, vocabulary: &SketchVocabulary) -> String {
        let grounding = &self.actions[action];
        let name = vocabulary.operators()[grounding.operator as usize].name.as_str();
        Ground::new(name, grounding.arguments.iter().map(String::as_str)).to_string()
    }

    /// Compiles a sketch to masks over the atoms of this problem.
    pub(crate) fn machine(&self, vocabulary: &SketchVocabulary, sketch: &Sketch) -> Machine {
        let words = self.words();
        let mut masks = vec![0_u64; 4 * words * self.actions.len()];
        for (action, grounding) in self.actions.iter().enumerate() {
            let [precondition, effect] = sketch.operator(grounding.operator as usize);
            let rows = &mut masks[4 * words * action..][..4 * words];
            for (literal, &atom) in self.literals(action, vocabulary).iter().enumerate() {
                let bit = 1_u64 << (atom % 64);
                let sets = [
                    precondition.positive,
                    precondition.negative,
                    effect.positive,
                    effect.negative,
                ];
                for (row, set) in sets.into_iter().enumerate() {
                    if set >> literal & 1 != 0 {
                        rows[row * words + atom as usize / 64] |= bit;
                    }
                }
            }
        }
        Machine {
            words,
            masks,
            goal: self.goal.clone(),
        }
    }
}

/// Returns whether an atom is true in a state.
pub(crate) fn holds(state: &[u64], atom: u32) -> bool {
    state[atom as usize / 64] >> (atom % 64) & 1 != 0
}

fn state_of(words: usize, atoms: &mut dyn Iterator<Item = u32>) -> State {
    let mut state = vec![0; words];
    atoms.for_each(|atom| state[atom as usize / 64] |= 1 << (atom % 64));
    state.into()
}

fn objects(domain: &Domain, problem: &Problem, types: &TypeUnion) -> Vec<ObjectId> {
    let ids = (0..problem.objects.len()).map(ObjectId::from_index);
    ids.filter(|&id| domain.is_assignable(&problem.object(id).types, types))
        .collect()
}

/// Returns whether a binding satisfies the equalities and inequalities of an operator.
fn passes(operator: &Operator, binding: &[ObjectId]) -> bool {
    let passes =
        |test: &crate::read::Test| (object(test.left, binding) == object(test.right, binding)) == test.equal;
    operator.tests.iter().all(passes)
}

/// Fails if the ground actions of a problem would have more than [`MOST_LITERALS`] literals.
fn check_size(
    domain: &Domain,
    problem: &Problem,
    vocabulary: &SketchVocabulary,
) -> Result<(), UnsuitableTarget> {
    let size = |operator: &Operator| {
        let choices = operator
            .types
            .iter()
            .map(|types| objects(domain, problem, types).len() as u64);
        choices.fold(operator.atoms.len().max(1) as u64, u64::saturating_mul)
    };
    let found = vocabulary
        .operators()
        .iter()
        .map(size)
        .fold(0, u64::saturating_add);
    if found <= MOST_LITERALS {
        return Ok(());
    }
    let message = format!(
        "`{}` has ground actions with {found} literals to choose from; {MOST_LITERALS} are the most",
        problem.name
    );
    UnsuitableTarget::unless_none(vec![TargetFault::at(&problem.origin, Place::NOWHERE, message)])
}

/// The preconditions and effects of a problem's ground actions as masks over its atoms.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    words: usize,
    /// For each action, four masks: positive preconditions, negative preconditions, add effects and delete effects.
    masks: Vec<u64>,
    goal: Option<Goal>,
}

impl Machine {
    /// Returns the number of ground actions.
    pub(crate) fn len(&self) -> usize {
        self.masks.len() / (4 * self.words)
    }

    fn rows(&self, action: usize) -> impl Iterator<Item = [u64; 4]> {
        let rows = &self.masks[4 * self.words * action..][..4 * self.words];
        (0..self.words).map(move |word| [0, 1, 2, 3].map(|row| rows[row * self.words + word]))
    }

    /// Returns whether an action is applicable in a state.
    pub(crate) fn applies(&self, action: usize, state: &[u64]) -> bool {
        let fits = |([positive, negative, ..], word): ([u64; 4], &u64)| {
            word & positive == positive && word & negative == 0
        };
        self.rows(action).zip(state).all(fits)
    }

    /// Returns the successor of a state. An atom that is both deleted and added becomes true.
    pub(crate) fn after(&self, action: usize, state: &[u64]) -> State {
        let word = |([.., add, delete], word): ([u64; 4], &u64)| word & !delete | add;
        self.rows(action).zip(state).map(word).collect()
    }

    /// Returns whether the goal holds in a state; always `false` if the problem has no goal.
    pub(crate) fn is_goal(&self, state: &[u64]) -> bool {
        self.goal.as_ref().is_some_and(|goal| {
            let pairs = goal.positive.iter().zip(&goal.negative).zip(state);
            pairs
                .into_iter()
                .all(|((positive, negative), word)| word & positive == *positive && word & negative == 0)
        })
    }
}
