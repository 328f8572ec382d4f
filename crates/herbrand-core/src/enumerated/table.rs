//! Joint actions by number.

use crate::{ActionField, ActionLayout, Choice, Domain, Value};

/// All joint actions of a layout of discrete fields, numbered: first the one that sets nothing, then those that set one
/// field, then two, and so on, each group in lexicographic order of fields and values.
///
/// ```text
///   fields           lamp: Discrete(2), default 0     door: Discrete(3), default 0     at most 1
///   joint actions    0: -      1: lamp=1      2: door=1      3: door=2
/// ```
///
/// Fields without a default are set in every joint action, and count as set.
#[derive(Clone, PartialEq, Debug)]
pub struct JointTable {
    layout: ActionLayout,
    /// The choices of all joint actions, one after the other.
    choices: Vec<Choice>,
    /// By joint action: where its choices begin; one more for the end.
    starts: Vec<u32>,
}

/// Why joint actions cannot be numbered.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableError {
    /// A field takes numbers.
    #[error("`{field}` is a number, so joint actions cannot be numbered")]
    Number {
        /// The name of the field.
        field: String,
    },
    /// There are too many joint actions.
    #[error("there are more than {limit} joint actions")]
    TooMany {
        /// The most that were allowed.
        limit: usize,
    },
}

impl JointTable {
    /// The joint actions of a layout, at most `limit`.
    ///
    /// ```
    /// use herbrand_core::{ActionField, ActionLayout, Domain, JointTable, Value};
    ///
    /// let lamp = |name: &str| ActionField {
    ///     name: name.to_owned(),
    ///     domain: Domain::Discrete { count: 2 },
    ///     default: Some(Value::Discrete(0)),
    /// };
    /// let layout = ActionLayout::new(vec![lamp("hall"), lamp("attic")], 1);
    /// let table = JointTable::of(&layout, 100)?;
    /// assert_eq!(table.len(), 3);
    /// assert!(table.joint(0).is_empty());
    /// # Ok::<(), herbrand_core::TableError>(())
    /// ```
    ///
    /// # Errors
    /// When a field takes numbers, or there are more joint actions than `limit`.
    pub fn of(layout: &ActionLayout, limit: usize) -> Result<Self, TableError> {
        let fields = layout.fields();
        if let Some(field) = fields.iter().find(|field| alternatives(field).is_none()) {
            return Err(TableError::Number {
                field: field.name.clone(),
            });
        }
        let mut table = Self {
            layout: ActionLayout::single("action", 0),
            choices: Vec::new(),
            starts: vec![0],
        };
        let most = layout.most().min(fields.len());
        for size in 0..=most {
            table.extend(fields, 0, size, &mut Vec::new(), limit)?;
        }
        table.layout = ActionLayout::single("action", table.len());
        Ok(table)
    }

    /// Adds the joint actions that set `left` of the fields from `first` on, after what is `chosen`.
    fn extend(
        &mut self,
        fields: &[ActionField],
        first: usize,
        left: usize,
        chosen: &mut Vec<Choice>,
        limit: usize,
    ) -> Result<(), TableError> {
        if left == 0 {
            return self.push(&fields[first..], chosen, limit);
        }
        // Fewer fields than are to be set cannot be left over.
        for index in first..(fields.len() + 1).saturating_sub(left) {
            let field = &fields[index];
            for value in alternatives(field).into_iter().flatten() {
                chosen.push(Choice {
                    field: index as u32,
                    value,
                });
                let done = self.extend(fields, index + 1, left - 1, chosen, limit);
                chosen.pop();
                done?;
            }
            // What must be set cannot be passed over.
            if field.default.is_none() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Adds a joint action, unless one of the fields that it leaves out must be set.
    fn push(&mut self, rest: &[ActionField], chosen: &[Choice], limit: usize) -> Result<(), TableError> {
        if rest.iter().any(|field| field.default.is_none()) {
            return Ok(());
        }
        if self.len() == limit {
            return Err(TableError::TooMany { limit });
        }
        self.choices.extend_from_slice(chosen);
        self.starts.push(self.choices.len() as u32);
        Ok(())
    }

    /// The number of joint actions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The choices of a joint action, ascending by field; empty if there is none of this number.
    #[must_use]
    pub fn joint(&self, number: usize) -> &[Choice] {
        match (self.starts.get(number), self.starts.get(number + 1)) {
            (Some(&start), Some(&end)) => &self.choices[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The number of the joint action with these choices, ascending by field, none of them its field's default.
    #[must_use]
    pub fn number(&self, joint: &[Choice]) -> Option<usize> {
        (0..self.len()).find(|&number| self.joint(number) == joint)
    }

    /// One discrete field with an alternative for each joint action.
    #[must_use]
    pub const fn layout(&self) -> &ActionLayout {
        &self.layout
    }
}

/// The values of a discrete field but its default; `None` for a field of numbers.
fn alternatives(field: &ActionField) -> Option<impl Iterator<Item = Value>> {
    let Domain::Discrete { count } = field.domain else {
        return None;
    };
    let default = field.default;
    Some(
        (0..count)
            .map(Value::Discrete)
            .filter(move |&value| default != Some(value)),
    )
}
