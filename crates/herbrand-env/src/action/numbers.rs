//! Numbers for choices of objects.

use std::collections::BTreeSet;

use herbrand_ground::{Signature, Vocabulary};
use herbrand_pddl::{Name, ObjectId, TypeUnion};
use smallvec::SmallVec;

use super::{AgentAction, AgentActions, Argument, TooManyActions};

/// A number for every term, a head with a choice of objects of fitting types: in order of the heads, then of the objects.
/// Heads are actions of the agent, or predicates.
///
/// ```text
///   heads        move(?d: 2 choices)   drop()   put(?x: 3 choices, ?y: 2 choices)
///   starts       0                     2        3                                  9
///   number 6     put, 1·2 + 1: second choice of ?x, second choice of ?y
/// ```
#[derive(Clone, Debug)]
pub(crate) struct TermNumbers {
    /// By head and parameter: the objects to choose from, ascending.
    choices: Vec<Vec<Vec<ObjectId>>>,
    /// By head: its first number; then the number of all.
    starts: Vec<u32>,
}

/// The objects that an action is about.
pub(crate) type Arguments = SmallVec<[ObjectId; 8]>;

/// The most actions that are numbered: a table of 64 MiB.
const LIMIT: u32 = 1 << 24;

/// The name of the head at which there are too many terms to be numbered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Overflow(pub(crate) String);

impl Overflow {
    fn of_actions(self) -> TooManyActions {
        TooManyActions {
            action: self.0,
            limit: LIMIT,
        }
    }
}

impl TermNumbers {
    /// Numbers for terms of heads of these names, whose parameters may be these objects.
    ///
    /// # Errors
    /// When there are more than `limit` of them.
    pub(crate) fn new<'a>(
        names: impl Iterator<Item = &'a Name>,
        choices: Vec<Vec<Vec<ObjectId>>>,
        limit: u32,
    ) -> Result<Self, Overflow> {
        let mut starts = vec![0];
        let mut count = 0_u32;
        for (name, choices) in names.zip(&choices) {
            let mut lengths = choices.iter().map(|list| u32::try_from(list.len()).ok());
            let product = lengths.try_fold(1_u32, |product, length| product.checked_mul(length?));
            let sum = product.and_then(|product| count.checked_add(product));
            let sum = sum.filter(|&count| count <= limit);
            count = sum.ok_or_else(|| Overflow(name.to_string()))?;
            starts.push(count);
        }
        Ok(Self { choices, starts })
    }

    /// Numbers for the operators as actions.
    ///
    /// # Errors
    /// When there are more than 2^24 of them.
    pub(crate) fn of_schemas(vocabulary: &Vocabulary) -> Result<Self, TooManyActions> {
        Self::of_signatures(vocabulary, vocabulary.schemas.iter(), LIMIT).map_err(Overflow::of_actions)
    }

    /// Numbers for terms of these signatures.
    ///
    /// # Errors
    /// When there are more than `limit` of them.
    pub(crate) fn of_signatures<'a>(
        vocabulary: &Vocabulary,
        signatures: impl Iterator<Item = &'a Signature> + Clone,
        limit: u32,
    ) -> Result<Self, Overflow> {
        let choices = signatures.clone().map(|signature| {
            let types = signature.parameters.iter().map(|(_, types)| types);
            types.map(|types| fitting(vocabulary, types).collect()).collect()
        });
        let choices = choices.collect();
        Self::new(signatures.map(|signature| &signature.name), choices, limit)
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.last().map_or(0, |&count| count as usize)
    }

    /// The first number of a head; the number of all for the head behind the last one.
    pub(crate) fn start(&self, head: usize) -> usize {
        self.starts[head] as usize
    }

    /// The number of a head with these arguments; `None` if one of them does not fit.
    pub(crate) fn number(&self, head: usize, arguments: &[ObjectId]) -> Option<u32> {
        let choices = self.choices.get(head)?;
        if choices.len() != arguments.len() {
            return None;
        }
        let mut offset = 0;
        for (list, argument) in choices.iter().zip(arguments) {
            offset = offset * list.len() + list.binary_search(argument).ok()?;
        }
        Some(self.starts[head] + u32::try_from(offset).ok()?)
    }

    /// The head of this number, with its arguments.
    pub(crate) fn get(&self, number: u32) -> Option<(usize, Arguments)> {
        if number as usize >= self.len() {
            return None;
        }
        let head = self.starts.partition_point(|&start| start <= number) - 1;
        let mut rest = (number - self.starts[head]) as usize;
        let mut arguments = Arguments::new();
        for choices in self.choices[head].iter().rev() {
            arguments.push(choices[rest % choices.len()]);
            rest /= choices.len();
        }
        arguments.reverse();
        Some((head, arguments))
    }
}

impl AgentActions {
    /// Numbers for these actions in a problem of this vocabulary.
    ///
    /// # Errors
    /// When there are more than 2^24 of them.
    pub(crate) fn numbers(&self, vocabulary: &Vocabulary) -> Result<TermNumbers, TooManyActions> {
        self.numbers_within(vocabulary, LIMIT)
            .map_err(Overflow::of_actions)
    }

    /// Numbers for these actions, if there are at most `limit`.
    pub(crate) fn numbers_within(
        &self,
        vocabulary: &Vocabulary,
        limit: u32,
    ) -> Result<TermNumbers, Overflow> {
        let actions = self.actions();
        let choices = actions.iter().map(|action| choices(vocabulary, action));
        let names = actions.iter().map(|action| &action.name);
        TermNumbers::new(names, choices.collect(), limit)
    }
}

/// The objects that each parameter of `action` may be, ascending: those whose types fit one of its operators.
fn choices(vocabulary: &Vocabulary, action: &AgentAction) -> Vec<Vec<ObjectId>> {
    let mut choices = vec![BTreeSet::new(); action.parameters.len()];
    for carrier in &action.carriers {
        for (choices, argument) in choices.iter_mut().zip(&carrier.arguments) {
            match *argument {
                Argument::Parameter(index) => {
                    let (_, types) = &vocabulary.schema(carrier.schema).parameters[index as usize];
                    choices.extend(fitting(vocabulary, types));
                }
                Argument::Constant(constant) => {
                    choices.insert(constant);
                }
            }
        }
    }
    choices
        .into_iter()
        .map(|choices| choices.into_iter().collect())
        .collect()
}

/// The objects that may be used where `types` are asked for, ascending.
fn fitting(vocabulary: &Vocabulary, types: &TypeUnion) -> impl Iterator<Item = ObjectId> {
    let objects = (0..vocabulary.objects.len()).map(ObjectId::from_index);
    objects.filter(move |&object| vocabulary.fits(object, types))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_run_through_all_choices_in_order() {
        let names = ["move", "drop", "put"].map(Name::new);
        let objects = |numbers: &[u32]| numbers.iter().copied().map(ObjectId::new).collect::<Vec<_>>();
        let choices = vec![
            vec![objects(&[3, 9])],
            vec![],
            vec![objects(&[0, 4, 5]), objects(&[1, 2])],
        ];
        let numbers = TermNumbers::new(names.iter(), choices, LIMIT).expect("nine actions");
        assert_eq!(numbers.len(), 9);
        let all = (0..9).map(|number| numbers.get(number).expect("an action"));
        let all = all.collect::<Vec<_>>();
        assert!(all.is_sorted());
        assert_eq!(all[6], (2, Arguments::from_vec(objects(&[4, 2]))));
        for (number, (action, arguments)) in (0..).zip(&all) {
            assert_eq!(numbers.number(*action, arguments), Some(number));
        }
        assert_eq!(numbers.get(9), None);
        assert_eq!(numbers.number(0, &objects(&[4])), None);
        assert_eq!(numbers.number(0, &objects(&[3, 3])), None);
    }

    #[test]
    fn too_many_are_refused_by_name() {
        let names = ["wait", "assign"].map(Name::new);
        let all = (0..300).map(ObjectId::new).collect::<Vec<_>>();
        let choices = vec![vec![], vec![all.clone(), all.clone(), all]];
        let refused = TermNumbers::new(names.iter(), choices, LIMIT).expect_err("27 million");
        assert_eq!(refused, Overflow("assign".to_owned()));
    }
}
