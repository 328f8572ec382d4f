//! Actions and facts from their texts.

use herbrand_oracle::{GroundAction, GroundAtom};
use herbrand_pddl::{Domain, ObjectId, Problem};

use super::Unsolved;

pub(super) struct Names<'c> {
    pub(super) domain: &'c Domain,
    pub(super) problem: &'c Problem,
}

impl Names<'_> {
    /// Reads an action such as `(stack a b)`.
    pub(super) fn action(&self, text: &str) -> Result<GroundAction, Unsolved> {
        let (head, arguments) = self.term(text)?;
        let schema = self.domain.find_schema(head).ok_or_else(|| unknown(text))?;
        Ok(GroundAction { schema, arguments })
    }

    /// Reads a fact such as `(on a b)`.
    pub(super) fn atom(&self, text: &str) -> Result<GroundAtom, Unsolved> {
        let (head, arguments) = self.term(text)?;
        let predicate = self.domain.find_predicate(head).ok_or_else(|| unknown(text))?;
        Ok(GroundAtom { predicate, arguments })
    }

    fn term<'t>(&self, text: &'t str) -> Result<(&'t str, Vec<ObjectId>), Unsolved> {
        let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let mut words = inner.unwrap_or_default().split_whitespace();
        let head = words.next().ok_or_else(|| unknown(text))?;
        let object = |word: &str| {
            let mut objects = self.problem.objects.iter();
            let at = objects.position(|object| object.name.as_str() == word);
            at.map(ObjectId::from_index).ok_or_else(|| unknown(word))
        };
        Ok((head, words.map(object).collect::<Result<_, _>>()?))
    }
}

fn unknown(text: &str) -> Unsolved {
    Unsolved::Unknown(text.to_owned())
}
