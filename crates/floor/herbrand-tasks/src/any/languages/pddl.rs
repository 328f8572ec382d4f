//! PDDL, with both engines.

use std::sync::Arc;

use herbrand_core::{ActionField, ActionLayout, Choice, Memory, Observer, Problems, Random, System};
use herbrand_env::plan::WalkCost;
use herbrand_env::{
    ActionArrays, AgentActionId, EnvError, Grounded, InstanceLearningGraph, Lifted, LiftedSuite,
    ObservedAtoms, ObservedId, Planning, SteppingEngine as _, Suite, VisibleBits,
};
use herbrand_limits::{Budget, Limits};
use herbrand_plan::{
    Admissible, Determinization, PlanRequest, Planner, PlannerKind, SearchOutcome, SearchTask, TaskError,
};
use herbrand_text::counted;

use crate::any::hints::{Hints, Planned, planned};
use crate::any::inside::{self, Internals};
use crate::any::playable::{GoalDistance, LanguageFeatures, Playable, SuggestedPlan};
use crate::any::record::{WalkRecord, visits};
use crate::any::view::TrueAtoms;
use crate::any_error::{AnyError, ErrorKind};

/// Returns the single action field of PDDL problems.
fn single_field(problems: &impl Problems<Error = EnvError>) -> Result<Vec<ActionField>, EnvError> {
    let layout = ActionLayout::single("action", problems.mask_len()?);
    Ok(layout.fields().to_vec())
}

impl Playable for Suite {
    fn action_fields(&self) -> Result<Vec<ActionField>, EnvError> {
        single_field(self)
    }

    fn record(&self, index: usize, walk: &WalkRecord<'_>, budget: &Budget) -> Result<Vec<u8>, AnyError> {
        visits(self.system(index)?, walk, budget, |planning, names| {
            herbrand_env::trace::header(planning, self.agent_actions(), names, walk.seed)
        })
    }

    fn features<'a>(
        &'a self,
        _index: usize,
        planning: &'a Planning<Grounded>,
    ) -> Box<dyn LanguageFeatures + 'a> {
        Box::new(PddlFeatures {
            suite: self,
            planning,
        })
    }
}

/// Returns the Datalog program of the first problem as text.
pub(crate) fn program(suite: &Suite, listed: usize) -> Result<Internals, AnyError> {
    let simulator = suite.lifted_simulator(0)?;
    let task = simulator.task();
    let facts = ("facts that always hold", task.statics.len() as u64);
    Ok(inside::of_program(&task.program, &[facts], listed))
}

/// A PDDL problem in a state of the grounded engine.
struct PddlFeatures<'a> {
    suite: &'a Suite,
    planning: &'a Planning<Grounded>,
}

impl LanguageFeatures for PddlFeatures<'_> {
    fn held(&self, part: ObservedAtoms) -> Option<TrueAtoms> {
        let instance = Arc::clone(self.planning.instance());
        let atoms = instance.atoms();
        let held = atoms.observe(self.planning.walker(), part);
        Some(TrueAtoms::Numbers {
            held: held.map(ObservedId::number).collect(),
            count: atoms.len(ObservedAtoms::All),
            name: Box::new(move |id| instance.atoms().words(ObservedId::new(id))),
        })
    }

    fn atom_text(&self, number: usize) -> Option<String> {
        let atoms = self.planning.instance().atoms();
        let known = number < atoms.len(ObservedAtoms::All);
        known.then(|| atoms.display(ObservedId::new(number as u32)).to_string())
    }

    fn graph(&self, part: ObservedAtoms) -> Option<InstanceLearningGraph> {
        let mut graph = InstanceLearningGraph::default();
        let atoms = self.planning.instance().atoms();
        atoms.graph(self.planning.walker(), part, &mut graph);
        Some(graph)
    }

    fn write_actions(&self, into: &mut ActionArrays) -> bool {
        self.planning.write_actions(into);
        true
    }

    fn last_operator(&self) -> Option<String> {
        let operator = *self.planning.last_operator()?;
        Some(self.planning.space().task().display_action(operator).to_string())
    }

    fn action_forms(&self) -> Vec<String> {
        let form = |name: &str, parameters: &mut dyn Iterator<Item = &str>| {
            let parameters: String = parameters.map(|name| format!(" ?{name}")).collect();
            format!("({name}{parameters})")
        };
        match self.planning.space().agent_actions() {
            Some(actions) => {
                let actions = actions.actions().iter();
                let forms = actions.map(|action| {
                    form(
                        action.name.as_str(),
                        &mut action.parameters.iter().map(|name| name.as_str()),
                    )
                });
                forms.collect()
            }
            None => {
                let schemas = self.planning.space().task().vocabulary.schemas.iter();
                let forms = schemas.map(|schema| {
                    form(
                        schema.name.as_str(),
                        &mut schema.parameters.iter().map(|(name, _)| name.as_str()),
                    )
                });
                forms.collect()
            }
        }
    }

    fn draws(&self, joint: &[Choice], mut chance: Random) -> Vec<String> {
        let mut planning = self.planning.clone();
        let action = joint.first().copied().and_then(AgentActionId::of);
        let taken = action.and_then(|action| planning.step_explained(action, &mut chance).ok());
        taken.map_or_else(Vec::new, |(_, record)| record.draws())
    }

    fn missing(&self) -> Option<Vec<String>> {
        let task = self.planning.space().task();
        let missing = self.planning.goal_progress().missing.into_iter();
        Some(
            missing
                .map(|literal| task.display_literal(literal).to_string())
                .collect(),
        )
    }

    fn bytes(&self) -> u64 {
        // The tables of a walker are about as large as the task.
        2 * self.planning.space().task().bytes() as u64
    }

    fn object_count(&self) -> Option<usize> {
        Some(self.planning.space().task().vocabulary.objects.len())
    }

    /// Agent actions other than operators have no cost.
    fn cost(&self) -> Option<WalkCost> {
        if self.planning.walk().agenda().is_some() {
            return None;
        }
        WalkCost::of(self.planning.instance().simulator()).ok().flatten()
    }

    /// Returns the rest of the stored plan, or a plan that a planner finds.
    fn plan(&self, _taken: usize, _seed: u64, limits: &Limits) -> Result<SuggestedPlan, AnyError> {
        let state = self.planning.state();
        let of = |steps: Vec<AgentActionId>, how: &str| {
            let joint = |action| vec![self.planning.space().display(action).to_string()];
            SuggestedPlan {
                text: format!("{how}: {}.", counted(steps.len(), "step")),
                steps: steps.into_iter().map(joint).collect(),
            }
        };
        let hints = Hints::of(self.suite).ok().flatten();
        if let Some(rest) = hints.and_then(|hints| hints.rest(state)) {
            return Ok(of(rest, "Stored plan"));
        }
        self.suite
            .check_timeless("the planner of hints")
            .map_err(AnyError::from)?;
        let found = planned(self.planning.instance(), state, *limits)?;
        Ok(match found {
            Planned::Steps(steps) => of(steps, "The planner found a plan"),
            Planned::None(text) => SuggestedPlan::none(text),
        })
    }

    fn distance(&self, limits: &Limits) -> Result<GoalDistance, AnyError> {
        if self.planning.walk().agenda().is_some() {
            return Ok(GoalDistance::Unknown);
        }
        let budget = Budget::new(*limits);
        let (simulator, state) = (self.planning.instance().simulator(), self.planning.state());
        let task = match SearchTask::new(simulator, state, Determinization::AllOutcomes, &budget) {
            Ok(task) => task.by_length(),
            Err(TaskError::BudgetExhausted(_)) => return Ok(GoalDistance::Unknown),
            Err(error) => return Err(AnyError::new(ErrorKind::Action, error)),
        };
        let mut request = PlanRequest {
            budget,
            seed: 0,
            progress: &mut |_| {},
        };
        let planner = PlannerKind::AStar(Admissible::LandmarkCut);
        Ok(match planner.plan(&task, &mut request).outcome {
            SearchOutcome::GoalAlreadyTrue => GoalDistance::Steps(0),
            SearchOutcome::Plan(plan) if plan.proven_optimal => GoalDistance::Steps(plan.steps.len()),
            SearchOutcome::ProvenUnsolvable => GoalDistance::Unreachable,
            _ => GoalDistance::Unknown,
        })
    }

    fn internals(&self, listed: usize) -> Option<Internals> {
        Some(inside::of_task(self.planning.space().task(), listed))
    }

    fn seen(&self, memory: &mut Memory) -> Result<Option<Vec<String>>, AnyError> {
        if self.suite.config().observe.is_none() {
            return Ok(None);
        }
        let observer = VisibleBits::of(self.suite, ObservedAtoms::All)?;
        observer.attend(self.planning, memory, &mut Random::new(0));
        let layout = observer.layout(self.suite)?;
        let mut row = vec![0; layout.len()];
        observer.write(self.planning, memory, &mut row);
        let atoms = self.planning.instance().atoms();
        // The row begins with the truth of each atom when it was last seen.
        let held = (0..).zip(&row[..layout.len() / 3]).filter(|(_, bit)| **bit == 1);
        let facts = held.map(|(number, _)| atoms.display(ObservedId::new(number)).to_string());
        Ok(Some(facts.collect()))
    }
}

impl Playable for LiftedSuite {
    fn action_fields(&self) -> Result<Vec<ActionField>, EnvError> {
        single_field(self)
    }

    fn features<'a>(
        &'a self,
        _index: usize,
        planning: &'a Planning<Lifted>,
    ) -> Box<dyn LanguageFeatures + 'a> {
        Box::new(LiftedFeatures(planning))
    }
}

/// A PDDL problem in a state of the lifted engine.
struct LiftedFeatures<'a>(&'a Planning<Lifted>);

impl LanguageFeatures for LiftedFeatures<'_> {
    fn held(&self, part: ObservedAtoms) -> Option<TrueAtoms> {
        let vocabulary = self.0.walker().simulator().vocabulary();
        let held = self.0.walk().atoms().observe(self.0.walker(), part);
        let names = held.map(|fact| {
            let head = vocabulary.predicate(fact.predicate).signature.name.as_str();
            let arguments = fact.arguments.iter().map(|&id| vocabulary.object(id));
            std::iter::once(head)
                .chain(arguments)
                .map(str::to_owned)
                .collect()
        });
        Some(TrueAtoms::Names(names.collect()))
    }

    fn atom_text(&self, number: usize) -> Option<String> {
        self.0.walk().atoms().display(number)
    }

    fn graph(&self, part: ObservedAtoms) -> Option<InstanceLearningGraph> {
        let mut graph = InstanceLearningGraph::default();
        let atoms = self.0.walk().atoms();
        atoms.graph(self.0.walker(), part, &mut graph);
        Some(graph)
    }

    fn write_actions(&self, into: &mut ActionArrays) -> bool {
        self.0.write_actions(into);
        true
    }

    fn last_operator(&self) -> Option<String> {
        self.0.last_operator_text()
    }

    fn missing(&self) -> Option<Vec<String>> {
        Some(self.0.walk().atoms().missing(self.0.walker()))
    }
}
