//! The earliest starts of the steps of a plan.

use herbrand_ground::Vocabulary;
use herbrand_pddl::{ObjectId, SchemaId, SnapRole};

use super::accesses::Accesses;
use super::schedule::Schedule;
use super::{TimedPlan, TimedPlanStep};

/// A snap action of a step: its time since the start of the step, and the atoms and numbers that it uses.
type Snap = (i64, Accesses);

impl Schedule {
    /// Starts each step of a plan as early as those before allow with which it interferes. The steps are in the order of
    /// execution.
    pub(crate) fn earliest(&self, words: &Vocabulary, plan: &TimedPlan) -> Option<TimedPlan> {
        let steps = plan.steps.iter().map(|step| self.snaps(words, step));
        let steps = steps.collect::<Option<Vec<_>>>()?;
        let mut starts: Vec<i64> = Vec::new();
        for (later, snaps) in steps.iter().enumerate() {
            let mut start = 0;
            for (earlier, before) in steps[..later].iter().enumerate() {
                let from = starts[earlier];
                if plan.steps[earlier].action == plan.steps[later].action {
                    let end = before.last().map_or(0, |(offset, _)| *offset);
                    start = start.max(from + end + self.epsilon);
                }
                for (offset, own) in snaps {
                    for (other_offset, other) in before {
                        let least = from + other_offset - offset + self.epsilon;
                        if least > start && other.interfere(own) {
                            start = least;
                        }
                    }
                }
            }
            starts.push(start);
        }
        let mut plan = plan.clone();
        for (step, start) in plan.steps.iter_mut().zip(starts) {
            step.start = self.time(start);
        }
        Some(plan)
    }

    fn snaps(&self, words: &Vocabulary, step: &TimedPlanStep) -> Option<Vec<Snap>> {
        let (name, arguments) = words.parse_term(&step.action)?;
        let schema = words.find_schema(name.as_str())?;
        let used = |schema: SchemaId, arguments: &[ObjectId]| self.clashes.all_of((schema, arguments));
        let SnapRole::Start(index) = self.stepped.roles[schema.index()] else {
            return Some(vec![(0, used(schema, &arguments))]);
        };
        let action = &self.stepped.actions[index];
        let end = self.ticks(step.duration?);
        let [mut start, mut last] = [action.start, action.end].map(|schema| used(schema, &arguments));
        // Between start and end the invariant is read.
        if let Some(during) = action.during {
            let during = used(during, &arguments);
            start.join(&during);
            last.join(&during);
        }
        Some(vec![(0, start), (end, last)])
    }
}
