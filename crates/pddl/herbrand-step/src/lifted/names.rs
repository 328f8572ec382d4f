//! Formatting formulas in PDDL syntax, with objects for bound variables.

use herbrand_ground::{NormalComparison, NormalConjunction, Vocabulary};
use herbrand_pddl::{Atom, Comparison, Expression, Formula, Name, ObjectId, Term, Variable, VariableId};

use crate::semantics::explanation::connected;

/// The names used in a formula.
#[derive(Clone, Copy)]
pub(super) struct FormulaNames<'a> {
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) variables: &'a [Variable],
    /// The object of each variable. Unbound variables are printed by name.
    pub(super) binding: &'a [Option<ObjectId>],
}

impl FormulaNames<'_> {
    pub(super) fn formula(&self, formula: &Formula) -> String {
        match formula {
            Formula::Atom(atom) => self.literal(atom, false),
            Formula::Equal(left, right) => self.equality(*left, *right, false),
            Formula::Compare(comparison, left, right) => self.comparison(*comparison, left, right, false),
            Formula::Not(inner) => negated(self.formula(inner), true),
            Formula::And(parts) => list("and", parts.iter().map(|part| self.formula(part))),
            Formula::Or(parts) => list("or", parts.iter().map(|part| self.formula(part))),
            Formula::Imply(premise, conclusion) => {
                list("imply", [premise, conclusion].map(|part| self.formula(part)))
            }
            Formula::Forall(variables, inner) => self.quantified("forall", variables, inner),
            Formula::Exists(variables, inner) => self.quantified("exists", variables, inner),
        }
    }

    /// Formats a disjunction of conjunctions. Existential quantifiers are omitted.
    pub(super) fn condition(&self, disjuncts: &[NormalConjunction]) -> String {
        connected("or", disjuncts.iter().map(|one| self.conjunction(one)).collect())
    }

    fn conjunction(&self, conjunction: &NormalConjunction) -> String {
        let literals = conjunction.literals.iter();
        let equalities = conjunction.equalities.iter();
        let compare = |c: &NormalComparison| self.comparison(c.comparison, &c.left, &c.right, c.negated);
        let parts = literals
            .map(|(atom, negated)| self.literal(atom, *negated))
            .chain(equalities.map(|&(left, right, negated)| self.equality(left, right, negated)))
            .chain(conjunction.comparisons.iter().map(compare));
        connected("and", parts.collect())
    }

    pub(super) fn literal(&self, atom: &Atom, negative: bool) -> String {
        let name = &self.vocabulary.predicate(atom.predicate).signature.name;
        negated(self.applied(name, &atom.arguments), negative)
    }

    pub(super) fn equality(&self, left: Term, right: Term, negative: bool) -> String {
        negated(list("=", [self.term(left), self.term(right)]), negative)
    }

    pub(super) fn comparison(
        &self,
        comparison: Comparison,
        left: &Expression,
        right: &Expression,
        negative: bool,
    ) -> String {
        let sides = [left, right].map(|side| self.expression(side));
        negated(list(comparison.symbol(), sides), negative)
    }

    fn quantified(&self, word: &str, variables: &[VariableId], inner: &Formula) -> String {
        let names = variables.iter().map(|&id| {
            let types = self.variables[id.index()].types.types().iter();
            let names: Vec<_> = types
                .map(|&id| self.vocabulary.type_of(id).name.as_str())
                .collect();
            let types = match names[..] {
                ["object"] => String::new(),
                [only] => format!(" - {only}"),
                _ => format!(" - (either {})", names.join(" ")),
            };
            format!("{}{types}", self.term(Term::Variable(id)))
        });
        let names: Vec<_> = names.collect();
        list(word, [format!("({})", names.join(" ")), self.formula(inner)])
    }

    fn expression(&self, expression: &Expression) -> String {
        match expression {
            Expression::Number(number) => number.to_string(),
            Expression::Fluent(term) => {
                self.applied(&self.vocabulary.function(term.function).name, &term.arguments)
            }
            Expression::Apply(operator, operands) => list(
                operator.symbol(),
                operands.iter().map(|operand| self.expression(operand)),
            ),
            Expression::Special(special) => special.symbol().to_owned(),
        }
    }

    fn applied(&self, name: &Name, arguments: &[Term]) -> String {
        list(name.as_str(), arguments.iter().map(|&term| self.term(term)))
    }

    fn term(&self, term: Term) -> String {
        match term {
            Term::Object(object) => self.vocabulary.object(object).to_owned(),
            Term::Variable(id) => match self.binding.get(id.index()).copied().flatten() {
                Some(object) => self.vocabulary.object(object).to_owned(),
                None => format!("?{}", self.variables[id.index()].name),
            },
        }
    }
}

fn list(head: &str, parts: impl IntoIterator<Item = String>) -> String {
    let mut text = format!("({head}");
    for part in parts {
        text.push(' ');
        text.push_str(&part);
    }
    text + ")"
}

fn negated(text: String, negative: bool) -> String {
    if negative { list("not", [text]) } else { text }
}
