//! Plans in which one action runs at a time, as plans with times in which actions overlap.

use herbrand_core::{Random, System as _};

use super::Suite;
use crate::error::EnvError;
use crate::planning::{Grounded, Planning, SteppingEngine as _};
use crate::time::TimedPlan;

impl Suite {
    /// Runs actions of the problem at `index`, in PDDL syntax, in sequence. Then starts each as early as possible after the
    /// earlier ones with which it interferes (a simple temporal network over the orders that matter). Actions are in the order of
    /// execution. `None` if one cannot be carried out, or the goal does not hold at the end.
    ///
    /// # Errors
    /// Fails if the problem is faulty or exceeds the limits of grounding.
    pub fn earliest(&self, index: usize, actions: &[String]) -> Result<Option<TimedPlan>, EnvError> {
        let instance = self.instance(index)?;
        let Some((schedule, _)) = instance.time() else {
            return Ok(None);
        };
        let mut system = instance.engine();
        let Some(plan) = self.one_by_one(&mut system, actions) else {
            return Ok(None);
        };
        if schedule.literals() > 0 {
            return Ok(Some(plan));
        }
        Ok(Some(
            schedule
                .earliest(system.walk().vocabulary(), &plan)
                .unwrap_or(plan),
        ))
    }

    /// Takes actions, each after the end of the one before.
    fn one_by_one(&self, system: &mut Planning<Grounded>, actions: &[String]) -> Option<TimedPlan> {
        let mut random = Random::new(0);
        let mut plan = TimedPlan::default();
        system.reset(&mut random).ok()?;
        let waits = ["(time.wait)", "(wait)"];
        let wait = waits.iter().find_map(|text| system.find_action(text))?;
        let mut take = |system: &mut Planning<Grounded>, plan: &mut TimedPlan, action| {
            let joint = [herbrand_core::Choice::from(action)];
            let taken = system.is_valid(&joint) && system.step(&joint, &mut random).is_ok();
            system.add_to(plan, self.domain());
            taken.then_some(())
        };
        for action in actions {
            let id = system.find_action(action)?;
            let end = action
                .split_once([' ', ')'])
                .map_or_else(String::new, |(name, rest)| {
                    let separator = &action[name.len()..=name.len()];
                    format!("{name}.end{separator}{rest}")
                });
            let end = system.find_action(&end);
            take(system, &mut plan, id)?;
            while system
                .walk()
                .agenda()
                .is_some_and(|agenda| !agenda.running.is_empty())
            {
                let may_end = end.filter(|end| system.is_valid(&[(*end).into()]));
                take(system, &mut plan, may_end.unwrap_or(wait))?;
            }
        }
        system.status().goal.then_some(plan)
    }
}
