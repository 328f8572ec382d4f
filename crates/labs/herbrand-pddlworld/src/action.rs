//! The actions of an agent: edits, questions, and submitting the model.

use herbrand_core::{ActionField, ActionLayout, ActionTextError, Choice, FieldDomain, FieldValue};
use herbrand_edit::{Ground, SchemaPart};
use herbrand_text::{did_you_mean, nearest};

use crate::options::{ActionForm, WorldOptions};
use crate::sign::{PARTS, Sign, part_number};
use crate::sketch::SignEdit;
use crate::target::Target;
use crate::vocabulary::SketchVocabulary;

/// An action of an agent that edits a domain: an edit, a question, or the submission of the result.
/// [`Target::action_text`] writes it as text. [`Target::parse_action`] reads one.
/// [`World::joint`](crate::World::joint) turns it into the choices of a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WorldAction {
    /// Changes the sign of one literal in the sketch. Setting the present sign is an error in
    /// [`ActionForm::Numbered`] and changes nothing in [`ActionForm::Tuple`].
    Edit(SignEdit),
    /// Asks a question about the model.
    Ask(Question),
    /// Submits the model and ends the episode, also if the model is wrong. Only worlds with
    /// [`Ends::submitted`](crate::Ends::submitted) have it.
    Submit,
}

/// A question of the agent about its model, which is the current sketch as a domain. Only worlds with
/// [`WorldOptions::queries`] have such actions. The answer is in [`WorldState::answer`](crate::WorldState::answer).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Question {
    /// Whether the model is equivalent to the target. If not, the observation contains a counterexample state.
    Equivalent,
    /// Whether the model's plan for the problem with this index, in the order of [`Target::problem_names`], reaches the
    /// goal in the target. A search that exceeds [`WorldOptions::most_states`] counts as no.
    Solves(usize),
}

/// The numbering of a target's actions.
///
/// ```text
///   edits                                          questions              submit
///   | clause 0: literal 0: + · - | literal 1 ... | equivalent | problems |      |
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbering {
    /// The number of literals of all operators.
    literals: u32,
    /// The number of questions.
    pub(crate) questions: u32,
    /// 1 if the model can be submitted, otherwise 0.
    submits: u32,
}

impl Numbering {
    pub(crate) fn of(target: &Target, options: &WorldOptions) -> Self {
        Self {
            literals: target.vocabulary().len() as u32,
            questions: if options.queries {
                1 + target.problems() as u32
            } else {
                0
            },
            submits: u32::from(options.ends.submitted),
        }
    }

    /// Returns the number of edits. It counts three values per sign, including the current one.
    pub(crate) const fn edits(self) -> u32 {
        2 * 3 * self.literals
    }

    /// Returns the number of signs.
    pub(crate) const fn signs(self) -> u32 {
        2 * self.literals
    }

    /// Returns the number of actions.
    pub(crate) const fn len(self) -> u32 {
        self.edits() + self.questions + self.submits
    }

    /// Returns the action with a number, or `None` if the number is too large.
    pub(crate) fn action(self, vocabulary: &SketchVocabulary, number: u32) -> Option<WorldAction> {
        if let Some(place) = number.checked_sub(self.edits()) {
            return match place.checked_sub(self.questions) {
                None if place == 0 => Some(WorldAction::Ask(Question::Equivalent)),
                None => Some(WorldAction::Ask(Question::Solves(place as usize - 1))),
                Some(0) if self.submits == 1 => Some(WorldAction::Submit),
                Some(_) => None,
            };
        }
        let (place, sign) = (number / 3, Sign::from_number(number % 3)?);
        let (operator, literal) = vocabulary.at((place % self.literals) as usize)?;
        let part = PARTS[(place / self.literals) as usize];
        Some(WorldAction::Edit(SignEdit {
            part,
            operator,
            literal,
            sign,
        }))
    }

    /// Returns the number of an action, or `None` if the world has no such action.
    pub(crate) fn number(self, vocabulary: &SketchVocabulary, action: WorldAction) -> Option<u32> {
        let number = match action {
            WorldAction::Edit(change) => {
                let place = vocabulary.place(change.operator, change.literal)? as u32;
                3 * (part_number(change.part) as u32 * self.literals + place) + change.sign.number()
            }
            WorldAction::Ask(Question::Equivalent) if self.questions > 0 => self.edits(),
            WorldAction::Ask(Question::Solves(problem)) if (problem as u32) + 1 < self.questions => {
                self.edits() + 1 + problem as u32
            }
            WorldAction::Submit if self.submits == 1 => self.edits() + self.questions,
            _ => return None,
        };
        Some(number)
    }
}

/// Returns the layout of an action's fields.
pub(crate) fn layout(target: &Target, options: &WorldOptions) -> ActionLayout {
    if options.actions == ActionForm::Numbered {
        return ActionLayout::single("action", Numbering::of(target, options).len() as usize);
    }
    let vocabulary = target.vocabulary();
    let counts = [
        ("clause", 2),
        ("operator", vocabulary.operators().len()),
        ("literal", vocabulary.widest()),
        ("value", 3),
    ];
    let field = |(name, count): (&str, usize)| ActionField {
        name: name.to_owned(),
        domain: FieldDomain::Discrete { count: count as u32 },
        default: None,
    };
    ActionLayout::new(counts.map(field).into(), 4)
}

/// Decodes a change from four numbers. Returns `None` if they do not name a literal and a sign.
pub(crate) fn change_of(
    vocabulary: &SketchVocabulary,
    [clause, operator, literal, value]: [u32; 4],
) -> Option<SignEdit> {
    let (operator, literal) = (operator as usize, literal as usize);
    vocabulary.place(operator, literal)?;
    Some(SignEdit {
        part: *PARTS.get(clause as usize)?,
        operator,
        literal,
        sign: Sign::from_number(value)?,
    })
}

/// Returns the four numbers of a joint action, or `None` if one is missing.
pub(crate) fn tuple_of(joint: &[Choice]) -> Option<[u32; 4]> {
    let mut numbers = [None; 4];
    for choice in joint {
        if let FieldValue::Discrete(value) = choice.value {
            *numbers.get_mut(choice.field as usize)? = Some(value);
        }
    }
    let [clause, operator, literal, value] = numbers;
    Some([clause?, operator?, literal?, value?])
}

impl Target {
    /// Returns an action as text: the part of the operator, the operator, the literal and the new sign, such as
    /// `precondition turn-on (on) negative`, `ask equivalent`, `ask evening` (a problem's name) or `submit`. Panics
    /// if the target has no such operator or literal. A question about a problem that the target does not have gets
    /// an empty name.
    #[must_use]
    pub fn action_text(&self, action: WorldAction) -> String {
        match action {
            WorldAction::Edit(SignEdit {
                part,
                operator,
                literal,
                sign,
            }) => {
                let of = &self.vocabulary().operators()[operator];
                format!("{part} {} {} {}", of.name, of.literals[literal], sign.name())
            }
            WorldAction::Ask(Question::Equivalent) => "ask equivalent".to_owned(),
            WorldAction::Ask(Question::Solves(problem)) => {
                format!("ask {}", self.problem_names().nth(problem).unwrap_or_default())
            }
            WorldAction::Submit => "submit".to_owned(),
        }
    }

    /// Parses an action in the format of [`action_text`](Self::action_text). An edit may also be four numbers, such as
    /// `0 1 0 2`: clause (0 precondition, 1 effect), operator, literal and sign (0 positive, 1 absent, 2 negative). Case
    /// and parentheses do not matter. The world's options may not permit the action, which
    /// [`World::joint`](crate::World::joint) tells, and it need not change anything.
    ///
    /// # Errors
    /// Fails with a message that explains the mistake: the text has none of the forms, or names an operator, a literal,
    /// a sign or a problem that the target does not have.
    pub fn parse_action(&self, text: &str) -> Result<WorldAction, ActionTextError> {
        let text = text.trim().to_ascii_lowercase();
        let separators = |c: char| c.is_whitespace() || "(),".contains(c);
        let words: Vec<_> = text.split(separators).filter(|word| !word.is_empty()).collect();
        let numbers: Result<Vec<u32>, _> = words.iter().map(|word| word.parse()).collect();
        if let Ok(numbers) = numbers
            && !numbers.is_empty()
        {
            return self.parse_tuple(&numbers);
        }
        match words.as_slice() {
            ["submit"] => Ok(WorldAction::Submit),
            ["ask", "equivalent"] => Ok(WorldAction::Ask(Question::Equivalent)),
            ["ask", problem] => {
                let place = self.problem_names().position(|name| name == *problem);
                let meant = || nearest(problem, self.problem_names().chain(["equivalent"]));
                let unknown = || {
                    let meant = did_you_mean(meant());
                    ActionTextError::new(format!("there is no problem `{problem}`{meant}"))
                };
                place
                    .map(|place| WorldAction::Ask(Question::Solves(place)))
                    .ok_or_else(unknown)
            }
            [part, operator, predicate, arguments @ .., sign] => self.parse_edit(
                part,
                operator,
                Ground::new(predicate, arguments.iter().copied()),
                sign,
            ),
            _ => Err(ActionTextError::new(format!(
                "`{text}` is no action: write `precondition OPERATOR (ATOM) negative`, or four numbers"
            ))),
        }
    }

    fn parse_tuple(&self, numbers: &[u32]) -> Result<WorldAction, ActionTextError> {
        let numbers = <[u32; 4]>::try_from(numbers).map_err(|_| {
            ActionTextError::new(format!(
                "an edit is four numbers (clause, operator, literal, value), not {}",
                numbers.len()
            ))
        })?;
        let change = change_of(self.vocabulary(), numbers);
        change
            .map(WorldAction::Edit)
            .ok_or_else(|| ActionTextError::new(self.no_tuple(numbers)))
    }

    /// Returns the error message for four numbers that do not name a literal and a sign.
    pub(crate) fn no_tuple(&self, [clause, operator, literal, value]: [u32; 4]) -> String {
        let vocabulary = self.vocabulary();
        if clause > 1 {
            return format!("clause {clause} is neither 0 (preconditions) nor 1 (effects)");
        }
        if value > 2 {
            return format!("value {value} is not 0 (positive), 1 (absent) or 2 (negative)");
        }
        match vocabulary.operators().get(operator as usize) {
            None => format!(
                "there is no operator {operator}: there are {}",
                vocabulary.operators().len()
            ),
            Some(of) => format!(
                "`{}` has no literal {literal}: it has {}",
                of.name,
                of.literals.len()
            ),
        }
    }

    fn parse_edit(
        &self,
        part: &str,
        operator: &str,
        atom: Ground,
        sign: &str,
    ) -> Result<WorldAction, ActionTextError> {
        let parts = [
            ("precondition", SchemaPart::Precondition),
            ("effect", SchemaPart::Effect),
        ];
        let known = parts.iter().find(|(name, _)| *name == part);
        let unknown = || {
            let meant = did_you_mean(nearest(part, parts.map(|(name, _)| name)));
            ActionTextError::new(format!("`{part}` is neither precondition nor effect{meant}"))
        };
        let part = known.ok_or_else(unknown)?.1;
        let operators = self.vocabulary().operators();
        let number = operators.iter().position(|one| one.name == operator);
        let number = number.ok_or_else(|| {
            let meant = did_you_mean(nearest(operator, operators.iter().map(|one| one.name.as_str())));
            ActionTextError::new(format!("there is no action `{operator}`{meant}"))
        })?;
        let of = &operators[number];
        let literal = of.find(&atom).ok_or_else(|| {
            let names: Vec<_> = of.literals.iter().map(ToString::to_string).collect();
            let meant = did_you_mean(nearest(&atom.to_string(), names.iter().map(String::as_str)));
            ActionTextError::new(format!("`{operator}` has no literal `{atom}`{meant}"))
        })?;
        let signs = Sign::ALL.map(Sign::name);
        let sign = Sign::ALL
            .into_iter()
            .find(|one| one.name() == sign)
            .ok_or_else(|| {
                let (known, meant) = (signs.join(", "), did_you_mean(nearest(sign, signs)));
                ActionTextError::new(format!("`{sign}` is none of {known}{meant}"))
            })?;
        Ok(WorldAction::Edit(SignEdit {
            part,
            operator: number,
            literal,
            sign,
        }))
    }
}
