//! Numbered joint actions.

use crate::action::{ActionField, ActionLayout, Choice, FieldDomain, FieldValue};

/// The numbered joint actions of a layout of discrete fields and ints with two bounds. They are sorted by the number of
/// fields they set, starting with the empty joint action, then lexicographically by field and value. Made by
/// [`of`](Self::of). [`EnumeratedSystem::new`](crate::EnumeratedSystem::new) takes one.
/// [`EnumeratedSystem::table`](crate::EnumeratedSystem::table) returns that of a system. Whether a joint action is
/// valid depends on the state and is not part of the table.
///
/// ```text
///   fields           lamp: Discrete(2), default 0     door: Discrete(3), default 0     at most 1
///   joint actions    0: -      1: lamp=1      2: door=1      3: door=2
/// ```
///
/// A field without a default is set in every joint action and counts as set.
#[derive(Clone, PartialEq, Debug)]
pub struct JointTable {
    layout: ActionLayout,
    /// The choices of all joint actions, concatenated.
    choices: Vec<Choice>,
    /// The start of each joint action in `choices`, followed by the total length.
    starts: Vec<u32>,
}

/// The reason why [`JointTable::of`] could not number the joint actions of a layout. If both apply, it is
/// [`Number`](Self::Number), of the first such field.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableError {
    /// A field takes reals, or ints without two bounds, so its values cannot be listed.
    #[error("`{field}` takes infinitely many values, so joint actions cannot be numbered")]
    Number {
        /// The name of the field.
        field: String,
    },
    /// There are too many joint actions.
    #[error("there are more than {limit} joint actions")]
    TooMany {
        /// The maximum number of joint actions.
        limit: usize,
    },
}

impl JointTable {
    /// Enumerates all joint actions of a layout. `limit` is the number above which the enumeration fails.
    ///
    /// ```
    /// use herbrand_core::{ActionField, ActionLayout, FieldDomain, FieldValue, JointTable};
    ///
    /// let lamp = |name: &str| ActionField {
    ///     name: name.to_owned(),
    ///     domain: FieldDomain::Discrete { count: 2 },
    ///     default: Some(FieldValue::Discrete(0)),
    /// };
    /// let layout = ActionLayout::new(vec![lamp("hall"), lamp("attic")], 1);
    /// let table = JointTable::of(&layout, 100)?;
    /// assert_eq!(table.len(), 3);
    /// assert!(table.joint(0).is_empty());
    /// # Ok::<(), herbrand_core::TableError>(())
    /// ```
    ///
    /// # Errors
    /// Fails if a field takes infinitely many values, or if there are more than `limit` joint actions. Exactly `limit`
    /// are accepted.
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

    /// Adds the joint actions that extend `chosen` by values for exactly `left` fields, taken from field `first` on.
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
        // At least `left` fields must remain from `index` on.
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
            // A field without a default cannot be skipped.
            if field.default.is_none() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Adds the joint action `chosen`, unless one of the remaining fields `rest` must be set.
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

    /// Returns the number of joint actions in the table.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns whether the table has no joint action: a field without a default has no alternative, or more fields must be
    /// set than may be.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the choices of a joint action, ascending by field; empty if `number` is out of range. Number 0 is the
    /// empty joint action if every field has a default, so compare `number` with [`len`](Self::len) to tell it from an
    /// unknown number.
    #[must_use]
    pub fn joint(&self, number: usize) -> &[Choice] {
        match (self.starts.get(number), self.starts.get(number + 1)) {
            (Some(&start), Some(&end)) => &self.choices[start as usize..end as usize],
            _ => &[],
        }
    }

    /// Returns the number of a joint action. Its choices must be in ascending order of fields and differ from the
    /// defaults. `None` if there is no such joint action, also if its choices are in another order or include a
    /// default. Takes time linear in the size of the table. So the empty list gives 0 if every field has a default.
    #[must_use]
    pub fn number(&self, joint: &[Choice]) -> Option<usize> {
        (0..self.len()).find(|&number| self.joint(number) == joint)
    }

    /// Returns a layout of one discrete field with one alternative per joint action. Alternative `i` is joint action
    /// number `i`. The field is named `action` and has no default.
    #[must_use]
    pub const fn layout(&self) -> &ActionLayout {
        &self.layout
    }
}

/// Iterates over the values of a field except its default; `None` if it takes reals, or ints without two bounds.
fn alternatives(field: &ActionField) -> Option<impl Iterator<Item = FieldValue>> {
    let (low, high, as_value): (i64, i64, fn(i64) -> FieldValue) = match field.domain {
        FieldDomain::Discrete { count } => (0, i64::from(count) - 1, |value| {
            FieldValue::Discrete(value as u32)
        }),
        FieldDomain::Int { low, high } if low > i64::MIN && high < i64::MAX => (low, high, FieldValue::Int),
        FieldDomain::Int { .. } | FieldDomain::Real { .. } => return None,
    };
    let default = field.default;
    Some(
        (low..=high)
            .map(as_value)
            .filter(move |&value| default != Some(value)),
    )
}
