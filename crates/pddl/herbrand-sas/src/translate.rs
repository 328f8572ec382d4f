//! Translates ground tasks to finite-domain tasks, and states and plans both ways.

use std::io::{self, Write};

use herbrand_ground::{ActionId, AtomId, BlockId, GroundActions, GroundTask};
use herbrand_limits::{Budget, BudgetExhausted};

use crate::causal::CausalGraph;
use crate::cover::cover;
use crate::draft::Draft;
use crate::encode::{Draws, Obstacle, encode};
use crate::groups::MutexGroups;
use crate::pairs;
use crate::prune::Renumbering;
use crate::task::{Fact, FiniteDomainTask, Variable};

/// The options of [`translate`]. The default refuses draws, does not look for pairs, leaves out irrelevant
/// variables, and names operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TranslateOptions {
    /// The treatment of draws.
    pub draws: Draws,
    /// Whether pairs of facts are found that are never true together (h², forwards and backwards). They remove operators
    /// that are never applicable or never part of a plan, and extend the mutex groups. Takes time quadratic in the number
    /// of facts, for each operator.
    pub pairs: bool,
    /// Whether variables that no plan depends on, and operators that change no other variable, are left out.
    pub only_relevant: bool,
    /// Whether operators have names. Without them, [`Translation::write_sas`] takes less time and memory.
    pub operator_names: bool,
}

impl Default for TranslateOptions {
    fn default() -> Self {
        Self {
            draws: Draws::Refuse,
            pairs: false,
            only_relevant: true,
            operator_names: true,
        }
    }
}

/// The reason why a ground task cannot be translated. [`translate`] returns it; [`refusal`](crate::refusal()) finds its
/// places in the texts.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TranslateError {
    /// An action is random and draws are refused.
    #[error("a finite-domain task cannot have random outcomes")]
    Draws,
    /// The initial state is random.
    #[error("a finite-domain task cannot have a random initial state")]
    RandomStart,
    /// A condition compares numbers that change.
    #[error("a finite-domain task cannot have conditions on numbers")]
    Comparisons,
    /// There is not one cost for each action.
    #[error("there are {given} costs for {actions} actions")]
    Costs {
        /// The number of costs.
        given: usize,
        /// The number of actions.
        actions: usize,
    },
    /// The conditional effects of an action on one atom have too many combinations to be written down. Contains the
    /// action in PDDL syntax.
    #[error(
        "the conditional effects of `{0}` add and delete an atom under too many combinations of conditions"
    )]
    TooManyConditions(String),
    /// A limit of time or memory is reached.
    #[error("translation stopped: {0}")]
    BudgetExhausted(#[from] BudgetExhausted),
}

/// A ground task as a finite-domain task, with the meaning of its variables and operators. [`translate`] returns it.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The finite-domain task.
    pub task: FiniteDomainTask,
    /// The action of the ground task for each operator, by the index of the operator, ascending. An action may have
    /// several operators, one for each way to fulfil its precondition, or none if it is never applicable or changes
    /// nothing that matters.
    pub actions: Vec<ActionId>,
    /// The atom that is true if a variable has a value, by the indices of variable and value; `None` for a value
    /// without an atom.
    pub values: Vec<Vec<Option<AtomId>>>,
    /// The number of actions that pairs of facts ([`TranslateOptions::pairs`]) show to be in no plan, among the actions
    /// that are possible if nothing is deleted.
    pub removed_actions: usize,
    /// Whether the translation shows that no plan exists: a fact of the goal is never true.
    pub is_unsolvable: bool,
    /// The place of each atom.
    places: Vec<Place>,
}

/// The place of an atom of the ground task in the finite-domain task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Fact(Fact),
    /// The atom is true in every reachable state.
    Always,
    /// The atom is false in every reachable state.
    Never,
    /// The atom may change, but no plan depends on it.
    LeftOut,
}

impl Translation {
    /// Returns the fact for an atom of the ground task; `None` if the atom never changes, or if no plan depends on it.
    ///
    /// # Panics
    /// If the ground task has no such atom.
    #[must_use]
    pub fn fact(&self, atom: AtomId) -> Option<Fact> {
        match self.places[atom.index()] {
            Place::Fact(fact) => Some(fact),
            Place::Always | Place::Never | Place::LeftOut => None,
        }
    }

    /// Returns the atoms, fluent and derived, that are true in a state of the finite-domain task, ascending. Atoms that no
    /// plan depends on are missing.
    ///
    /// # Panics
    /// If the state has fewer variables than the task.
    #[must_use]
    pub fn atoms(&self, state: &[u32]) -> Vec<AtomId> {
        let holds = |place: &Place| match *place {
            Place::Fact(fact) => fact.holds(state),
            Place::Always => true,
            Place::Never | Place::LeftOut => false,
        };
        let places = self.places.iter().enumerate();
        let held = places.filter(|(_, place)| holds(place));
        held.map(|(index, _)| AtomId::from_index(index)).collect()
    }

    /// Returns the state of the finite-domain task in which exactly these fluent atoms are true, with the values of derived
    /// variables; derived atoms are ignored. `None` if the task has no such state, because two of the atoms exclude each
    /// other, or because an atom always has another truth value in reachable states.
    ///
    /// # Panics
    /// If the ground task has no such atom.
    #[must_use]
    pub fn state(&self, atoms: &[AtomId]) -> Option<Vec<u32>> {
        let variables = &self.task.variables;
        let mut values: Vec<Option<u32>> = vec![None; variables.len()];
        let mut always = self
            .places
            .iter()
            .filter(|place| **place == Place::Always)
            .count();
        for atom in atoms {
            match self.places[atom.index()] {
                Place::Fact(fact) if variables[fact.variable as usize].layer.is_none() => {
                    let value = values[fact.variable as usize].replace(fact.value);
                    if value.is_some_and(|value| value != fact.value) {
                        return None;
                    }
                }
                Place::Always => always = always.checked_sub(1)?,
                Place::Never => return None,
                Place::Fact(_) | Place::LeftOut => {}
            }
        }
        let none = |variable: usize| {
            self.values[variable]
                .iter()
                .rposition(Option::is_none)
                .map(|value| value as u32)
        };
        let filled = values
            .into_iter()
            .enumerate()
            .map(|(variable, value)| match value {
                None if variables[variable].layer.is_some() => Some(self.task.initial[variable]),
                value => value.or_else(|| none(variable)),
            });
        let mut state = filled.collect::<Option<Vec<_>>>()?;
        self.task.derive(&mut state);
        (always == 0).then_some(state)
    }

    /// Writes the text of [`FiniteDomainTask::to_sas`], piece by piece, with the names of the operators, also if the task was
    /// translated without them. `task` is the ground task that was translated.
    ///
    /// # Errors
    /// If `out` fails.
    ///
    /// # Panics
    /// If the ground task lacks an action that has an operator.
    pub fn write_sas(&self, task: &GroundTask, out: &mut dyn Write) -> io::Result<()> {
        self.task.write_named(out, |operator, text| {
            let write = |part: &str| text.extend_from_slice(part.as_bytes());
            action_name(task, self.actions[operator], write);
        })
    }

    /// Returns the ground task with only those actions that have an operator, in the same order. Its plans are plans of
    /// `task`, the ground task that was translated, and its cheapest plans cost the same.
    ///
    /// # Panics
    /// If the task lacks an action that has an operator.
    #[must_use]
    pub fn pruned(&self, task: &GroundTask) -> GroundTask {
        let mut actions = GroundActions::default();
        // Operators are in the order of their actions.
        let mut kept = self.actions.clone();
        kept.dedup();
        for action in kept {
            actions.push(task.actions.get(action));
        }
        GroundTask {
            actions,
            ..task.clone()
        }
    }

    /// Returns the plan of the ground task for a plan of the finite-domain task, which is a list of indices of
    /// operators. The actions are those of the translated ground task.
    ///
    /// # Panics
    /// If the task has no such operator.
    #[must_use]
    pub fn plan(&self, operators: &[usize]) -> Vec<ActionId> {
        operators.iter().map(|&operator| self.actions[operator]).collect()
    }

    /// Returns the plan of the finite-domain task, indices of operators, for a plan of the ground task. `None` if a step has
    /// no operator that is applicable: the action is not applicable, or it changes nothing that a plan depends on.
    #[must_use]
    pub fn operators(&self, plan: &[ActionId]) -> Option<Vec<usize>> {
        let mut state = self.task.initial_state();
        let mut operators = Vec::with_capacity(plan.len());
        for &action in plan {
            // Operators are in the order of their actions.
            let start = self.actions.partition_point(|&other| other < action);
            let own = self.actions[start..].iter().take_while(|&&other| other == action);
            let mut own = start..start + own.count();
            let operator = own.find(|&index| self.task.operators[index].is_applicable(&state))?;
            state = self.task.successor(&state, operator);
            operators.push(operator);
        }
        Some(operators)
    }
}

/// Translates a ground task to a finite-domain task. `costs` has the cost of each action, by [`ActionId`]. The
/// variables are parts of `groups`, chosen greedily, and single atoms; the groups must be mutex groups of the task,
/// such as [`lifted_groups`](crate::lifted_groups) returns. Values that no reachable state has are left out, ignoring
/// deletes.
///
/// # Errors
/// If the task has draws and they are refused, a random initial state, conditions on numbers, or too many combinations
/// of conditions; if the number of costs is wrong; or if the budget is exhausted.
pub fn translate(
    task: &GroundTask,
    costs: &[u64],
    groups: MutexGroups,
    options: &TranslateOptions,
    budget: &Budget,
) -> Result<Translation, TranslateError> {
    if costs.len() != task.actions.len() {
        let (given, actions) = (costs.len(), task.actions.len());
        return Err(TranslateError::Costs { given, actions });
    }
    // A determinized task still stores the draws that it no longer uses.
    let mut actions = task.actions.ids();
    let is_refused = options.draws == Draws::Refuse
        && task.effects.chances() > 0
        && actions.any(|id| is_random(task, task.actions.get(id).effect));
    if is_refused {
        return Err(TranslateError::Draws);
    }
    if is_random(task, task.initial_chance) {
        return Err(TranslateError::RandomStart);
    }
    if task.conditions.has_comparisons() {
        return Err(TranslateError::Comparisons);
    }
    let mut initial = vec![false; task.atom_count()];
    let added = task.effects.get(task.initial_chance).adds;
    task.initial
        .iter()
        .chain(added)
        .for_each(|atom| initial[atom.index()] = true);
    let mut groups = groups.retain(|group| group.iter().filter(|atom| initial[atom.index()]).count() <= 1);
    let mut draft = draft(task, costs, &groups, options, budget)?;
    let mut reached = draft.remove_unreachable();
    let actions = |draft: &Draft| {
        // Operators are in the order of their actions.
        let mut actions = draft.actions.clone();
        actions.dedup();
        actions.len()
    };
    let mut removed_actions = 0;
    if options.pairs {
        let possible = actions(&draft);
        let found = pairs::mutex_pairs(&mut draft, budget)?;
        groups = found.extend(&groups, &draft, task);
        draft = self::draft(task, costs, &groups, options, budget)?;
        draft.remove_unreachable();
        pairs::mutex_pairs(&mut draft, budget)?;
        reached = draft.remove_unreachable();
        // With other variables, the search for reachable facts may find more than before.
        removed_actions = possible.saturating_sub(actions(&draft));
    }
    Ok(Translation {
        removed_actions,
        ..finish(task, draft, &reached, &groups, options)
    })
}

/// Returns whether a block of effects has a draw, also in its conditional effects.
fn is_random(task: &GroundTask, block: BlockId) -> bool {
    let block = task.effects.get(block);
    let mut inner = block.whens.iter();
    !block.draws.is_empty() || inner.any(|&(_, inner)| is_random(task, inner))
}

/// Encodes a task; atoms whose negations would be split into too many conjunctions get variables of their own.
fn draft(
    task: &GroundTask,
    costs: &[u64],
    groups: &MutexGroups,
    options: &TranslateOptions,
    budget: &Budget,
) -> Result<Draft, TranslateError> {
    let mut apart = vec![false; task.atom_count()];
    loop {
        let sets = cover(task, groups, &apart);
        let mut meter = budget.meter("writing the operators over variables");
        match encode(task, costs, &sets, groups, options.draws, &mut meter) {
            Ok(draft) => {
                meter.finish()?;
                return Ok(draft);
            }
            Err(Obstacle::Spread(atoms)) => atoms.iter().for_each(|atom| apart[atom.index()] = true),
            Err(Obstacle::TooManyConditions(id)) => {
                return Err(TranslateError::TooManyConditions(
                    task.display_action(id).to_string(),
                ));
            }
            Err(Obstacle::Spent) => return Err(meter.exceeded_memory().into()),
        }
    }
}

/// Leaves out what does not matter, renumbers, and writes the names.
fn finish(
    task: &GroundTask,
    mut draft: Draft,
    reached: &[Vec<bool>],
    groups: &MutexGroups,
    options: &TranslateOptions,
) -> Translation {
    let only_relevant = options.only_relevant;
    let is_reached = |fact: &Fact| reached[fact.variable as usize][fact.value as usize];
    let unsolvable = draft.goal.iter().find(|fact| !is_reached(fact)).copied();
    let mut kept: Vec<bool> = reached
        .iter()
        .map(|values| values.iter().filter(|&&reached| reached).count() > 1)
        .collect();
    let mut reached = reached.to_vec();
    draft.remove_dominated_axioms(&reached);
    let graph = CausalGraph::of(&draft);
    if only_relevant {
        kept.iter_mut()
            .zip(graph.relevant())
            .for_each(|(kept, relevant)| *kept &= relevant);
    }
    if let Some(goal) = unsolvable {
        // One variable that nothing changes says that there is no plan.
        if only_relevant {
            kept.fill(false);
        }
        kept[goal.variable as usize] = true;
        reached[goal.variable as usize].fill(true);
    }
    let mut order = graph.order();
    order.retain(|&variable| kept[variable as usize]);
    let numbers = Renumbering::new(order, &reached);
    let lone = |&variable: &u32| draft.atoms[variable as usize].len() == 1;
    let lone: Vec<bool> = numbers.order.iter().map(lone).collect();
    let values: Vec<Vec<Option<AtomId>>> = numbers
        .order
        .iter()
        .map(|&variable| {
            let atoms = &draft.atoms[variable as usize];
            let values = reached[variable as usize].iter().enumerate();
            values
                .filter(|(_, reached)| **reached)
                .map(|(value, _)| atoms.get(value).copied())
                .collect()
        })
        .collect();
    let places = places(task, &draft, &reached, &numbers);
    draft.renumber(&numbers);
    let mutexes = mutexes(groups, &places);
    let metric = draft.operators.iter().any(|operator| operator.cost != 1);
    let mut finished = FiniteDomainTask {
        metric,
        variables: Vec::with_capacity(values.len()),
        mutexes,
        initial: draft.initial,
        goal: draft.goal,
        operators: draft.operators,
        axioms: draft.axioms,
    };
    for (index, (atoms, layer)) in values.iter().zip(draft.layers).enumerate() {
        let first = atoms.iter().flatten().next().copied();
        let name = |atom: &Option<AtomId>| match (atom, first) {
            (Some(atom), _) => atom_name(task, "Atom", *atom),
            (None, Some(only)) if lone[index] => atom_name(task, "NegatedAtom", only),
            (None, Some(_)) => "<none of those>".to_owned(),
            (None, None) => String::new(),
        };
        let mut values: Vec<_> = atoms.iter().map(name).collect();
        if first.is_none() {
            values = vec!["Atom goal@0()".to_owned(), "NegatedAtom goal@0()".to_owned()];
        }
        finished.variables.push(Variable {
            name: ["var", &index.to_string()].concat(),
            layer,
            values,
        });
    }
    if options.operator_names {
        for (operator, &id) in finished.operators.iter_mut().zip(&draft.actions) {
            let mut length = 0;
            action_name(task, id, |part| length += part.len());
            operator.name = String::with_capacity(length);
            action_name(task, id, |part| operator.name.push_str(part));
        }
    }
    Translation {
        task: finished,
        actions: draft.actions,
        values,
        removed_actions: 0,
        is_unsolvable: unsolvable.is_some(),
        places,
    }
}

/// Passes on the parts of the name of an operator: the schema and the arguments, separated by spaces.
fn action_name(task: &GroundTask, id: ActionId, mut write: impl FnMut(&str)) {
    let action = task.actions.get(id);
    write(task.vocabulary.schema(action.schema).name.as_str());
    for &argument in action.arguments {
        write(" ");
        write(task.vocabulary.object(argument));
    }
}

/// Writes an atom in the format's syntax: `Atom on(a, b)`.
fn atom_name(task: &GroundTask, sign: &str, id: AtomId) -> String {
    let Some(atom) = task.atoms.get(id.index()) else {
        return String::new();
    };
    let vocabulary = &task.vocabulary;
    let predicate = vocabulary.predicate(atom.predicate).signature.name.as_str();
    let arguments = || atom.arguments.iter().map(|&argument| vocabulary.object(argument));
    let length = arguments().map(|argument| 2 + argument.len()).sum::<usize>();
    let mut name = String::with_capacity(sign.len() + predicate.len() + length + 3);
    name.push_str(sign);
    name.push(' ');
    name.push_str(predicate);
    name.push('(');
    for (index, argument) in arguments().enumerate() {
        name.push_str(if index == 0 { "" } else { ", " });
        name.push_str(argument);
    }
    name.push(')');
    name
}

fn places(task: &GroundTask, draft: &Draft, reached: &[Vec<bool>], numbers: &Renumbering) -> Vec<Place> {
    let mut places = vec![Place::LeftOut; task.atom_count()];
    for (variable, atoms) in (0..).zip(&draft.atoms) {
        let values = &reached[variable as usize];
        let only = values.iter().filter(|&&reached| reached).count() == 1;
        for (value, atom) in (0..).zip(atoms) {
            places[atom.index()] = match numbers.fact(Fact::new(variable, value)) {
                _ if !values[value as usize] => Place::Never,
                Some(fact) => Place::Fact(fact),
                None if only => Place::Always,
                None => Place::LeftOut,
            };
        }
    }
    places
}

/// Returns the facts of each mutex group that has facts of several variables.
fn mutexes(groups: &MutexGroups, places: &[Place]) -> Vec<Vec<Fact>> {
    let fact = |atom: &AtomId| match places[atom.index()] {
        Place::Fact(fact) => Some(fact),
        Place::Always | Place::Never | Place::LeftOut => None,
    };
    let facts = |group: &Vec<AtomId>| {
        let mut facts: Vec<_> = group.iter().filter_map(fact).collect();
        facts.sort_unstable();
        facts
    };
    let several =
        |facts: &Vec<Fact>| facts.first().map(|fact| fact.variable) != facts.last().map(|fact| fact.variable);
    let mut mutexes: Vec<_> = groups.groups().iter().map(facts).filter(several).collect();
    mutexes.sort_unstable();
    mutexes.dedup();
    mutexes
}
