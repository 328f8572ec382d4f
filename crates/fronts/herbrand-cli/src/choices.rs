//! The valid actions of a state, as text for people.

use herbrand::core::{ActionCount, Choice, Described, FieldDomain, FieldValue};
use herbrand::rddl::simulate::{Preconditions, RddlSimulator};

/// The valid actions of a state, for printing.
pub struct ValidActions {
    /// The number of valid joint actions in the state.
    pub count: ActionCount,
    /// The choices other than defaults that some valid joint action contains, and each numeric action fluent with its bounds,
    /// such as `order___apple=0…10`.
    pub choices: Vec<String>,
    /// The maximum number of choices per joint action; `None` in languages where a joint action is a single choice.
    together: Option<usize>,
    /// Whether the empty joint action is valid.
    none: bool,
}

impl ValidActions {
    pub fn of<S: Described>(system: &S) -> Self {
        let layout = system.actions();
        let fields = layout.fields();
        let valid = possible(system);
        // Choosing a default value means doing nothing.
        let does = valid
            .into_iter()
            .filter(|choice| fields[choice.field as usize].default != Some(choice.value));
        let mut choices: Vec<_> = does.map(|choice| system.choice_text(choice)).collect();
        choices.extend(fields.iter().filter_map(|field| {
            let (low, high) = match field.domain {
                FieldDomain::Discrete { .. } => return None,
                FieldDomain::Int { low, high } => (low as f64, high as f64),
                FieldDomain::Real { low, high } => (low, high),
            };
            Some(format!("{}={}", field.name, bounds(low, high)))
        }));
        Self {
            count: system.count_joint_actions(),
            choices,
            none: system.is_valid(&[]),
            together: (!S::SINGLE_CHOICE).then(|| layout.most().min(fields.len())),
        }
    }

    /// Returns the actions of a problem in RDDL that violate no precondition; all actions if preconditions are ignored.
    pub fn of_rddl(simulator: RddlSimulator) -> Self {
        match simulator.preconditions() {
            Preconditions::Ignored => Self::of(&simulator),
            _ => Self::of(&simulator.with_preconditions(Preconditions::Refused)),
        }
    }

    /// Returns a summary of the valid actions: their number, and how many choices a joint action may combine, such as
    /// `(5): one of these, or none`.
    pub fn summary(&self) -> String {
        let count = self.count;
        let none = if self.none { ", or none" } else { "" };
        match (self.together, self.choices.len()) {
            (None, _) => format!("({count})"),
            _ if count == ActionCount::Finite(0.0) => format!("({count}): no joint action is valid"),
            (Some(0), _) | (_, 0) => format!("({count}): no action fluent can be set"),
            (Some(1), _) => format!("({count}): one of these{none}"),
            (Some(most), all) if most < all => format!("({count}): up to {most} of these{none}"),
            _ => format!("({count}): any of these{none}"),
        }
    }
}

/// Returns the discrete choices that some valid joint action contains.
fn possible<S: Described>(system: &S) -> Vec<Choice> {
    let mut choices = Vec::new();
    if S::SINGLE_CHOICE {
        system.choices(&mut choices);
        return choices;
    }
    let layout = system.actions();
    let mut mask = vec![0; layout.mask_len()];
    system.write_mask(&mut mask);
    for (field, number) in layout.fields().iter().zip(0..) {
        if let FieldDomain::Discrete { count } = field.domain {
            choices.extend((0..count).map(|value| Choice {
                field: number,
                value: FieldValue::Discrete(value),
            }));
        }
    }
    let mut is_possible = mask.iter().map(|&byte| byte != 0);
    choices.retain(|_| is_possible.next().unwrap_or(false));
    choices
}

/// Formats bounds for people: `0…10`, `0 or more`, `a number`.
fn bounds(low: f64, high: f64) -> String {
    match (low.is_finite() && low > -1e18, high.is_finite() && high < 1e18) {
        (true, true) => format!("{low}…{high}"),
        (true, false) => format!("{low} or more"),
        (false, true) => format!("{high} or less"),
        (false, false) => "a number".to_owned(),
    }
}
