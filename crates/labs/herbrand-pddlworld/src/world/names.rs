//! Worlds by name: actions as text, facts, and hashes of both.

use herbrand_core::{
    ActionTextError, Choice, Described, Digest, Fact, FactValue, FieldValue, Fingerprinted, Group,
};

use super::World;
use crate::action::WorldAction;
use crate::options::ActionForm;
use crate::sign::{PARTS, Sign};

impl Described for World {
    fn choice_text(&self, choice: Choice) -> String {
        let FieldValue::Discrete(number) = choice.value else {
            return "?".to_owned();
        };
        match self.numbered(number) {
            Some(action) => self.target.action_text(action),
            None => {
                let field = self.layout.fields().get(choice.field as usize);
                format!("{}={number}", field.map_or("?", |field| &field.name))
            }
        }
    }

    /// Parses an action, or a part of one if actions are tuples.
    fn parse_choice(&self, text: &str) -> Result<Choice, ActionTextError> {
        if self.options.actions == ActionForm::Tuple {
            let written = text.split_once('=');
            let (name, number) =
                written.ok_or_else(|| ActionTextError::new("a part of an action is `clause=0`"))?;
            let (name, number) = (name.trim(), number.trim());
            let fields = self.layout.fields();
            let field = fields.iter().position(|field| field.name == name);
            let field = field.ok_or_else(|| ActionTextError::new(format!("an action has no `{name}`")))?;
            let value = number.parse().ok().map(FieldValue::Discrete);
            let value = value.filter(|value| fields[field].domain.contains(*value));
            let unfit = || ActionTextError::new(format!("`{name}` cannot be {number}"));
            return Ok(Choice {
                field: field as u32,
                value: value.ok_or_else(unfit)?,
            });
        }
        let action = self.target.parse_action(text)?;
        let number = self.numbering.number(self.target.vocabulary(), action);
        number.map(Choice::discrete).ok_or_else(|| {
            let action = self.target.action_text(action);
            ActionTextError::new(format!("`{action}` is no action of this world"))
        })
    }

    /// Visits the literals that occur, and the answer to the last question.
    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>)) {
        for (operator, of) in self.target.vocabulary().operators().iter().enumerate() {
            for part in PARTS {
                for (literal, atom) in of.literals.iter().enumerate() {
                    let sign = self.state.sketch.get(part, operator, literal);
                    if sign != Sign::Absent {
                        visit(Fact {
                            group: Group::Fluent,
                            name: &part.to_string(),
                            arguments: &[&of.name, &atom.to_string()],
                            value: FactValue::Symbol(sign.name()),
                        });
                    }
                }
            }
        }
        if let Some((question, yes)) = self.state.answer {
            let text = self.target.action_text(WorldAction::Ask(question));
            visit(Fact {
                group: Group::Observed,
                name: "answer",
                arguments: &[text.trim_start_matches("ask ")],
                value: FactValue::Bool(yes),
            });
        }
    }
}

impl Fingerprinted for World {
    /// The hash of each numbered action's text.
    type Names = Vec<u64>;

    fn names(&self) -> Vec<u64> {
        let hash = |number| {
            let action = self.numbering.action(self.target.vocabulary(), number);
            action.map_or(0, |action| Digest::of_text(&self.target.action_text(action)))
        };
        (0..self.numbering.len()).map(hash).collect()
    }

    fn choice_hash(&self, names: &mut Vec<u64>, choice: Choice) -> u64 {
        let FieldValue::Discrete(number) = choice.value else {
            return 0;
        };
        match self.options.actions {
            ActionForm::Numbered => names.get(number as usize).copied().unwrap_or_default(),
            ActionForm::Tuple => herbrand_core::scramble(u64::from(choice.field) << 32 | u64::from(number)),
        }
    }

    /// Sums the hashes of the signs that are not absent, so the empty sketch has hash 0.
    fn state_hash(&self, names: &Vec<u64>) -> u64 {
        let mut sum = u64::from(self.state.submitted);
        for number in (0..self.numbering.edits()).filter(|number| number % 3 != Sign::Absent.number()) {
            if let Some(WorldAction::Edit(change)) = self.numbering.action(self.target.vocabulary(), number)
                && self.sign(change) == change.sign
            {
                sum = sum.wrapping_add(names[number as usize]);
            }
        }
        sum
    }
}
