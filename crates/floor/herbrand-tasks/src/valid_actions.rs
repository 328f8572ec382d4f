//! The valid actions of a state, as text for people.

use herbrand_core::{ActionCount, Choice, Described, FieldDomain, FieldValue};
use herbrand_rddl_sim::simulate::{Preconditions, RddlSimulator};

/// The valid actions of a state, for printing.
#[derive(Clone, Debug)]
pub struct OfferedActions {
    /// The number of valid joint actions in the state.
    pub count: ActionCount,
    /// The choices other than defaults that some valid joint action contains, and each numeric action fluent with its bounds,
    /// such as `order___apple=0…10`.
    pub choices: Vec<String>,
    /// The names of the numeric action fluents among the choices, which come last.
    pub numeric: Vec<String>,
    /// The maximum number of choices per joint action; `None` in languages where a joint action is a single choice.
    pub together: Option<usize>,
    /// Whether the empty joint action is valid.
    none: bool,
    /// Whether preconditions may exclude more than the list shows.
    is_partial: bool,
}

impl OfferedActions {
    /// Lists the valid actions of a state.
    pub fn of<S: Described>(system: &S) -> Self {
        let bounds = system.actions().fields().iter();
        Self::within(system, bounds.map(|field| field.domain.bounds()))
    }

    /// Lists the valid actions of a state, given for each action field an interval of its valid values.
    fn within<S: Described>(system: &S, intervals: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let layout = system.actions();
        let fields = layout.fields();
        let valid = possible(system);
        // Choosing a default value means doing nothing.
        let does = valid
            .into_iter()
            .filter(|choice| fields[choice.field as usize].default != Some(choice.value));
        let mut choices: Vec<_> = does.map(|choice| system.choice_text(choice)).collect();
        let numbers = fields.iter().zip(intervals).filter(|(field, (low, high))| {
            let default = match (field.domain, field.default) {
                (FieldDomain::Discrete { .. }, _) => return false,
                (_, Some(FieldValue::Int(default))) => Some(default as f64),
                (_, Some(FieldValue::Real(default))) => Some(default),
                _ => None,
            };
            low < high || default != Some(*low)
        });
        let mut numeric = Vec::new();
        for (field, (low, high)) in numbers {
            choices.push(format!("{}={}", field.name, bounds(low, high)));
            numeric.push(field.name.clone());
        }
        Self {
            count: system.count_joint_actions(),
            choices,
            numeric,
            none: system.is_valid(&[]),
            together: (!S::SINGLE_CHOICE).then(|| layout.most().min(fields.len())),
            is_partial: false,
        }
    }

    /// Returns the actions of a problem in RDDL that violate no precondition; all actions if preconditions are ignored.
    pub(crate) fn of_rddl(simulator: RddlSimulator) -> Self {
        let simulator = match simulator.preconditions() {
            Preconditions::Ignored => simulator,
            _ => simulator.with_preconditions(Preconditions::Refused),
        };
        Self {
            is_partial: !simulator.samples_exactly(),
            ..Self::within(&simulator, simulator.value_bounds())
        }
    }

    /// Returns a summary of the valid actions: their number, and how many choices a joint action may combine, such as
    /// `(5): one of these, or none`.
    #[must_use]
    pub fn summary(&self) -> String {
        let count = self.count;
        let none = if self.none { ", or none" } else { "" };
        let partial = if self.is_partial {
            "; preconditions may exclude more"
        } else {
            ""
        };
        match (self.together, self.choices.len()) {
            (None, _) => format!("({count})"),
            _ if count == ActionCount::Finite(0.0) => format!("({count}): no joint action is valid"),
            (Some(0), _) | (_, 0) => format!("({count}): no action fluent can be set"),
            (Some(1), _) => format!("({count}): one of these{none}{partial}"),
            (Some(most), all) if most < all => format!("({count}): up to {most} of these{none}{partial}"),
            _ => format!("({count}): any of these{none}{partial}"),
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
