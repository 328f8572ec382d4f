//! Numbers for choices of objects.

use std::collections::BTreeSet;

use herbrand_ground::Vocabulary;
use herbrand_pddl::{Name, ObjectId, TypeUnion};
use smallvec::SmallVec;

use super::{AgentAction, AgentActionId, AgentActions, Argument, TooManyActions};

/// A number for every action of the agent with every choice of objects of fitting types: in order of the actions, then of
/// the objects.
///
/// ```text
///   actions      move(?d: 2 choices)   drop()   put(?x: 3 choices, ?y: 2 choices)
///   starts       0                     2        3                                  9
///   number 6     put, 1·2 + 1: second choice of ?x, second choice of ?y
/// ```
#[derive(Clone, Debug)]
pub(crate) struct ActionNumbers {
    /// By action and parameter: the objects to choose from, ascending.
    choices: Vec<Vec<Vec<ObjectId>>>,
    /// By action: its first number; then the number of all.
    starts: Vec<u32>,
}

/// The objects that an action is about.
pub(crate) type Arguments = SmallVec<[ObjectId; 8]>;

/// The most actions that are numbered: a table of 64 MiB.
const LIMIT: u32 = 1 << 24;

impl ActionNumbers {
    /// Numbers for actions of these names, whose parameters may be these objects.
    ///
    /// # Errors
    /// When there are more than 2^24 of them.
    pub(crate) fn new<'a>(
        names: impl Iterator<Item = &'a Name>,
        choices: Vec<Vec<Vec<ObjectId>>>,
    ) -> Result<Self, TooManyActions> {
        let mut starts = vec![0];
        let mut count = 0_u32;
        for (name, choices) in names.zip(&choices) {
            let mut lengths = choices.iter().map(|list| u32::try_from(list.len()).ok());
            let product = lengths.try_fold(1_u32, |product, length| product.checked_mul(length?));
            let sum = product.and_then(|product| count.checked_add(product));
            let sum = sum.filter(|&count| count <= LIMIT);
            count = sum.ok_or_else(|| TooManyActions {
                action: name.to_string(),
                limit: LIMIT,
            })?;
            starts.push(count);
        }
        Ok(Self { choices, starts })
    }

    /// Numbers for the operators as actions.
    ///
    /// # Errors
    /// When there are more than 2^24 of them.
    pub(crate) fn of_schemas(vocabulary: &Vocabulary) -> Result<Self, TooManyActions> {
        let schemas = &vocabulary.schemas;
        let choices = schemas.iter().map(|schema| {
            let types = schema.parameters.iter().map(|(_, types)| types);
            types.map(|types| fitting(vocabulary, types).collect()).collect()
        });
        Self::new(schemas.iter().map(|schema| &schema.name), choices.collect())
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.last().map_or(0, |&count| count as usize)
    }

    /// The number of an action with these arguments; `None` if one of them does not fit.
    pub(crate) fn number(&self, action: usize, arguments: &[ObjectId]) -> Option<AgentActionId> {
        let choices = self.choices.get(action)?;
        if choices.len() != arguments.len() {
            return None;
        }
        let mut offset = 0;
        for (list, argument) in choices.iter().zip(arguments) {
            offset = offset * list.len() + list.binary_search(argument).ok()?;
        }
        Some(AgentActionId::new(
            self.starts[action] + u32::try_from(offset).ok()?,
        ))
    }

    /// The action of this number, with its arguments.
    pub(crate) fn get(&self, id: AgentActionId) -> Option<(usize, Arguments)> {
        if id.index() >= self.len() {
            return None;
        }
        let action = self.starts.partition_point(|&start| start <= id.number()) - 1;
        let mut rest = (id.number() - self.starts[action]) as usize;
        let mut arguments = Arguments::new();
        for choices in self.choices[action].iter().rev() {
            arguments.push(choices[rest % choices.len()]);
            rest /= choices.len();
        }
        arguments.reverse();
        Some((action, arguments))
    }
}

impl AgentActions {
    /// Numbers for these actions in a problem of this vocabulary.
    ///
    /// # Errors
    /// When there are more than 2^24 of them.
    pub(crate) fn numbers(&self, vocabulary: &Vocabulary) -> Result<ActionNumbers, TooManyActions> {
        let actions = self.actions();
        let choices = actions.iter().map(|action| choices(vocabulary, action));
        ActionNumbers::new(actions.iter().map(|action| &action.name), choices.collect())
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

/// The objects that may stand where `types` are asked for, ascending.
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
        let numbers = ActionNumbers::new(names.iter(), choices).expect("nine actions");
        assert_eq!(numbers.len(), 9);
        let all = (0..9).map(|number| numbers.get(AgentActionId::new(number)).expect("an action"));
        let all = all.collect::<Vec<_>>();
        assert!(all.is_sorted());
        assert_eq!(all[6], (2, Arguments::from_vec(objects(&[4, 2]))));
        for (number, (action, arguments)) in (0..).zip(&all) {
            assert_eq!(
                numbers.number(*action, arguments),
                Some(AgentActionId::new(number))
            );
        }
        assert_eq!(numbers.get(AgentActionId::new(9)), None);
        assert_eq!(numbers.number(0, &objects(&[4])), None);
        assert_eq!(numbers.number(0, &objects(&[3, 3])), None);
    }

    #[test]
    fn too_many_are_refused_by_name() {
        let names = ["wait", "assign"].map(Name::new);
        let all = (0..300).map(ObjectId::new).collect::<Vec<_>>();
        let choices = vec![vec![], vec![all.clone(), all.clone(), all]];
        let refused = ActionNumbers::new(names.iter(), choices).expect_err("27 million");
        assert_eq!(refused.action, "assign");
    }
}
