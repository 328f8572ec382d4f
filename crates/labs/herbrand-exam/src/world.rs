//! A problem from which questions are drawn, with its states.

use std::collections::BTreeMap;

use herbrand_core::Digest;
use herbrand_ground::{ActionId, AtomId, GroundOptions, NormalDomain};
use herbrand_limits::Budget;
use herbrand_pddl::{AtomList, AtomRef, Domain, Effect, Name, ObjectId, PredicateKind, Problem};
use herbrand_plan::{Admissible, Determinization, PlanRequest, Planner, PlannerKind};
use herbrand_step::{Random, Simulator, SpaceOptions, State, StateSpace, compile_within};

use crate::costs::remove_numbers;
use crate::error::ExamError;
use crate::kind::Kind;
use crate::names;
use crate::origin::Origin;
use crate::question::ProblemSeed;
use crate::unreliable::make_unreliable;

/// The number of states up to which a problem is explored.
pub(crate) const STATES: usize = 20_000;
/// The number of instances of axioms up to which the second route is fast enough.
const AXIOMS: usize = 1_500;

/// A problem and the states that are reachable in it. Its questions start in one of these states.
pub(crate) struct World {
    pub(crate) name: String,
    pub(crate) domain: Domain,
    pub(crate) problem: Problem,
    pub(crate) simulator: Simulator,
    pub(crate) space: StateSpace,
    /// For each state, the length of a shortest plan; empty if not all states are known.
    pub(crate) lengths: Vec<u32>,
    pub(crate) has_chance: bool,
    /// The number of states up to which the second route visits all states.
    visited: usize,
}

impl World {
    /// Makes the world of a problem for questions of some kinds, with unreliable actions on request. Returns `None` if the
    /// problem is too large to be asked about.
    pub(crate) fn new(
        origin: &Origin,
        seed: ProblemSeed,
        obfuscated: bool,
        is_unreliable: bool,
        kinds: &[Kind],
        budget: &Budget,
    ) -> Result<Option<Self>, ExamError> {
        let Some([domain, problem]) = origin.sources(seed)? else {
            return Ok(None);
        };
        let (name, file) = (origin.name(), problem.name().to_owned());
        let broken = |error: &dyn std::fmt::Display| ExamError::Problem {
            problem: file.clone(),
            reason: error.to_string(),
        };
        let mut domain = Domain::parse(&domain).map_err(|error| broken(&error))?;
        let mut problem = Problem::parse(&problem, &domain).map_err(|error| broken(&error))?;
        problem.name = Name::new("task");
        // Plans are counted by their actions.
        problem.metric = None;
        if origin.leaves_numbers_out() {
            remove_numbers(&mut domain, &mut problem);
        }
        let random = Random::new(seed.seed).stream(seed.index ^ u64::from(seed.size) << 48);
        if is_unreliable {
            make_unreliable(&mut domain, random.stream(Digest::of_text(name)));
        }
        if obfuscated {
            names::replace(&mut domain, &mut problem, random);
        }
        let text = problem.to_pddl(&domain);
        let domain = Domain::from_text(&domain.to_pddl()).map_err(|error| broken(&error))?;
        let problem = Problem::from_text(&text, &domain).map_err(|error| broken(&error))?;
        let is_plain = problem.chances.is_empty() && domain.functions.is_empty();
        if !is_plain || axiom_instances(&domain, &problem) > AXIOMS {
            return Ok(None);
        }
        let normal = NormalDomain::of(&domain);
        let simulator = compile_within(&domain, &normal, &problem, &GroundOptions::default(), budget)
            .map_err(|error| ExamError::of(&error, budget, &file))?;
        // Larger spaces give no questions of kinds for which the second route visits all states.
        let visited = origin.visited();
        let is_small = kinds.iter().all(|kind| kind.visits_all());
        let options = SpaceOptions {
            states: if is_small { visited + 1 } else { STATES },
            ..SpaceOptions::default()
        };
        let space = StateSpace::explore(&simulator, &options, budget)
            .map_err(|error| ExamError::of(&error, budget, &file))?;
        budget.check("making questions", 0)?;
        let lengths = if space.graph.is_complete() {
            space.graph.analyse(budget)?.goal_steps
        } else {
            Vec::new()
        };
        Ok(Some(Self {
            has_chance: has_chance(&domain),
            visited,
            name: name.to_owned(),
            domain,
            problem,
            simulator,
            space,
            lengths,
        }))
    }

    pub(crate) fn is_complete(&self) -> bool {
        !self.lengths.is_empty()
    }

    /// Returns whether the second route can visit all states.
    pub(crate) fn can_be_visited(&self) -> bool {
        self.is_complete() && self.space.len() <= self.visited
    }

    /// Draws a start state with a shortest plan of one of the lengths. All lengths are equally likely that states have
    /// with as many facts of each predicate. Returns that state, and all such states by their lengths.
    pub(crate) fn start(
        &self,
        lengths: (u32, u32),
        random: &mut Random,
    ) -> Option<(u32, BTreeMap<u32, Vec<u32>>)> {
        let expanded: Vec<u32> = (0..self.space.graph.expanded).collect();
        if !self.is_complete() {
            return Some((*random.choose(&expanded)?, BTreeMap::new()));
        }
        let fits = |state: &u32| (lengths.0..=lengths.1).contains(&self.lengths[*state as usize]);
        let fitting: Vec<u32> = expanded.into_iter().filter(fits).collect();
        // The number of the shape of each atom.
        let mut shapes = BTreeMap::new();
        let numbers: Vec<usize> = self
            .fluents()
            .map(|atom| {
                let next = shapes.len();
                *shapes.entry(self.atom_shape(atom)).or_insert(next)
            })
            .collect();
        let facts = |state: u32| {
            let mut counts = vec![0_u32; shapes.len()];
            for atom in self.state(state).iter().flat_map(State::fluents) {
                counts[numbers[atom.index()]] += 1;
            }
            counts
        };
        let wanted = facts(*random.choose(&fitting)?);
        let mut by_length = BTreeMap::<u32, Vec<u32>>::new();
        for state in fitting {
            if facts(state) == wanted {
                by_length
                    .entry(self.lengths[state as usize])
                    .or_default()
                    .push(state);
            }
        }
        let known: Vec<u32> = by_length.keys().copied().collect();
        let length = random.choose(&known)?;
        Some((*random.choose(&by_length[length])?, by_length))
    }

    pub(crate) fn state(&self, number: u32) -> Option<State> {
        self.space.state(number as usize)
    }

    /// Returns the length of a shortest plan; `None` if there is none or it is not known.
    pub(crate) fn length(&self, state: u32) -> Option<u32> {
        let length = self.lengths.get(state as usize).copied()?;
        (length != u32::MAX).then_some(length)
    }

    /// Returns the actions that can be carried out in a state, each with one of the states that it leads to.
    pub(crate) fn moves(&self, state: u32) -> Vec<(ActionId, u32)> {
        let graph = &self.space.graph;
        let choices = graph.choices(state);
        let target = |choice: u32| graph.targets[graph.outcomes(choice).start as usize];
        choices
            .map(|choice| (ActionId::new(graph.actions[choice as usize]), target(choice)))
            .collect()
    }

    /// Returns the state that an action leads to; `None` if it cannot be carried out.
    pub(crate) fn after(&self, state: u32, action: ActionId) -> Option<u32> {
        let found = self.moves(state).into_iter().find(|(other, _)| *other == action);
        found.map(|(_, target)| target)
    }

    /// Walks at random. Returns the actions and the states, one more than actions; `None` if the walk ends early.
    pub(crate) fn walk(
        &self,
        start: u32,
        steps: usize,
        random: &mut Random,
    ) -> Option<(Vec<ActionId>, Vec<u32>)> {
        let (mut actions, mut states) = (Vec::new(), vec![start]);
        let mut state = start;
        for _ in 0..steps {
            let &(action, next) = random.choose(&self.moves(state))?;
            actions.push(action);
            states.push(next);
            state = next;
        }
        Some((actions, states))
    }

    /// Returns a shortest plan, drawn at random, with the states on its way.
    pub(crate) fn shortest(&self, start: u32, random: &mut Random) -> Option<(Vec<ActionId>, Vec<u32>)> {
        let (mut actions, mut states) = (Vec::new(), vec![start]);
        let mut state = start;
        while self.length(state)? > 0 {
            let left = self.length(state)?;
            let mut moves = self.moves(state);
            moves.retain(|&(_, next)| self.length(next) == Some(left - 1));
            let &(action, next) = random.choose(&moves)?;
            actions.push(action);
            states.push(next);
            state = next;
        }
        Some((actions, states))
    }

    pub(crate) fn atom(&self, atom: AtomId) -> String {
        self.simulator.task().display_atom(atom).to_string()
    }

    pub(crate) fn action(&self, action: ActionId) -> String {
        self.simulator.task().display_action(action).to_string()
    }

    pub(crate) fn action_texts(&self, actions: &[ActionId]) -> Vec<String> {
        actions.iter().map(|&action| self.action(action)).collect()
    }

    pub(crate) fn fluents(&self) -> impl Iterator<Item = AtomId> + use<> {
        (0..self.simulator.task().fluent_count()).map(AtomId::from_index)
    }

    /// Returns the facts that never change.
    pub(crate) fn constants(&self) -> impl Iterator<Item = AtomRef<'_>> {
        let is_static =
            |fact: &AtomRef<'_>| self.domain.predicate(fact.predicate).kind == PredicateKind::Static;
        self.problem.init.iter().filter(is_static)
    }

    /// Returns the predicate of an atom and which of its arguments are equal.
    pub(crate) fn atom_shape(&self, atom: AtomId) -> Shape {
        let atom = self.simulator.task().atoms.get(atom.index());
        atom.map_or((0, Vec::new()), |atom| {
            (atom.predicate.index(), pattern(atom.arguments))
        })
    }

    /// Returns the schema of an action and which of its arguments are equal.
    pub(crate) fn action_shape(&self, action: ActionId) -> Shape {
        let action = self.simulator.task().actions.get(action);
        (action.schema.index(), pattern(action.arguments))
    }

    /// Returns the problem with a state as its start.
    pub(crate) fn problem_at(&self, number: u32) -> Option<Problem> {
        let state = self.state(number)?;
        let task = self.simulator.task();
        let mut init = AtomList::default();
        for fact in self.constants() {
            init.push(fact.predicate, fact.arguments);
        }
        for atom in state.fluents().filter_map(|atom| task.atoms.get(atom.index())) {
            init.push(atom.predicate, atom.arguments);
        }
        let mut problem = self.problem.clone();
        problem.init = init;
        Some(problem)
    }

    /// Returns the number of states that A* with landmark cuts expands from a state.
    pub(crate) fn effort(&self, start: u32, budget: &Budget) -> u64 {
        let Some(state) = self
            .state(start)
            .filter(|_| self.is_complete() && !self.has_chance)
        else {
            return 0;
        };
        let mut request = PlanRequest {
            budget: budget.clone(),
            seed: 0,
            progress: &mut |_| {},
        };
        let planner = PlannerKind::AStar(Admissible::LandmarkCut);
        let report = planner.solve(&self.simulator, &state, Determinization::default(), &mut request);
        report.map_or(0, |report| report.statistics.expanded)
    }
}

/// A symbol and which of its arguments are equal: texts with the same shape have the same number of words.
pub(crate) type Shape = (usize, Vec<usize>);

/// Returns for each argument the position where the same argument occurs first.
pub(crate) fn pattern(arguments: &[ObjectId]) -> Vec<usize> {
    let first = |argument: &ObjectId| arguments.iter().position(|other| other == argument).unwrap_or(0);
    arguments.iter().map(first).collect()
}

fn has_chance(domain: &Domain) -> bool {
    let mut found = false;
    for schema in &domain.schemas {
        schema
            .effect
            .walk(&mut |part| found |= matches!(part, Effect::Probabilistic(_)));
    }
    found
}

/// Returns the number of ways to bind the variables of the axioms.
fn axiom_instances(domain: &Domain, problem: &Problem) -> usize {
    let fitting = |variable: &herbrand_pddl::Variable| {
        let objects = problem.objects.iter();
        objects
            .filter(|object| domain.is_assignable(&object.types, &variable.types))
            .count()
    };
    let axioms = domain.axioms.iter();
    axioms
        .map(|axiom| axiom.variables.iter().map(fitting).product::<usize>())
        .sum()
}
