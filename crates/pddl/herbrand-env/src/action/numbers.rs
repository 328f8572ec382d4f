//! Consecutive ids for terms: an action or predicate with its arguments.

use std::collections::BTreeSet;

use herbrand_ground::{Signature, Vocabulary};
use herbrand_pddl::{Name, ObjectId, TypeUnion};
use smallvec::SmallVec;

use super::{AgentAction, AgentActions, Argument, TooManyActions};

/// Consecutive ids for all type-correct terms, ordered by head and then by arguments. The heads are agent actions or
/// predicates.
///
/// ```text
///   heads        move(?d: 2 choices)   drop()   put(?x: 3 choices, ?y: 2 choices)
///   starts       0                     2        3                                  9
///   number 6     put, 1·2 + 1: second choice of ?x, second choice of ?y
/// ```
#[derive(Clone, Debug)]
pub(crate) struct TermNumbers {
    /// For each head and parameter, the objects of fitting type in ascending order.
    choices: Vec<Vec<Vec<ObjectId>>>,
    /// For each head, its first id; followed by the total number of ids.
    starts: Vec<u32>,
}

/// The arguments of a term.
pub(crate) type Arguments = SmallVec<[ObjectId; 8]>;

/// The maximum number of action ids. At this size, a table takes 64 MiB.
const LIMIT: u32 = 1 << 24;

/// The error of too many terms: the name of the head at which the limit is exceeded.
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
    /// Creates ids for terms with these heads; `choices` lists the objects for each head and parameter.
    ///
    /// # Errors
    /// Fails if there are more than `limit` terms.
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

    /// Creates ids for all type-correct ground operators.
    ///
    /// # Errors
    /// Fails if there are more than 2^24.
    pub(crate) fn of_schemas(vocabulary: &Vocabulary) -> Result<Self, TooManyActions> {
        Self::of_signatures(vocabulary, vocabulary.schemas.iter(), LIMIT).map_err(Overflow::of_actions)
    }

    /// Creates ids for all type-correct terms of these signatures.
    ///
    /// # Errors
    /// Fails if there are more than `limit`.
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

    /// Returns the number of ids.
    pub(crate) fn len(&self) -> usize {
        self.starts.last().map_or(0, |&count| count as usize)
    }

    /// Returns the first id of a head; for the head after the last one, the total number of ids.
    pub(crate) fn start(&self, head: usize) -> usize {
        self.starts[head] as usize
    }

    /// Returns the id of a term; `None` if an argument has the wrong type.
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

    /// Returns the head and the arguments of the term with this id.
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
    /// Creates ids for the agent actions of a problem.
    ///
    /// # Errors
    /// Fails if there are more than 2^24.
    pub(crate) fn numbers(&self, vocabulary: &Vocabulary) -> Result<TermNumbers, TooManyActions> {
        self.numbers_within(vocabulary, LIMIT)
            .map_err(Overflow::of_actions)
    }

    /// Creates ids for the agent actions of a problem; fails if there are more than `limit`.
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

/// Returns for each parameter of `action` the objects that fit its type in at least one of the operators, in ascending
/// order.
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

/// Iterates over the objects of type `types` in ascending order.
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
