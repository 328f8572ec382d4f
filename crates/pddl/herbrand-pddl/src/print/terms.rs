//! Printing of names, types, terms and numbers.

use super::layout::Layout;
use crate::model::{AtomRef, Domain, Name, Object, Probability, Term, TypeId, TypeUnion, Variable};

/// The symbol tables for the ids in a formula.
#[derive(Clone, Copy)]
pub(super) struct Names<'m> {
    pub(super) domain: &'m Domain,
    pub(super) objects: &'m [Object],
    pub(super) variables: &'m [Variable],
}

impl Names<'_> {
    pub(super) fn term(&self, term: Term) -> String {
        match term {
            Term::Variable(id) => format!("?{}", self.variables[id.index()].name),
            Term::Object(id) => self.objects[id.index()].name.to_string(),
        }
    }

    /// `(name argument…)`
    pub(super) fn applied(&self, name: &Name, arguments: &[Term]) -> Layout {
        let arguments = arguments.iter().map(|&term| Layout::word(self.term(term)));
        Layout::list(name.as_str(), arguments.collect())
    }

    /// `(name object…)`
    pub(super) fn fact(&self, fact: AtomRef<'_>) -> Layout {
        let mut text = format!("({}", self.domain.predicate(fact.predicate).name);
        for id in fact.arguments {
            text.push(' ');
            text.push_str(self.objects[id.index()].name.as_str());
        }
        text.push(')');
        Layout::Word(text)
    }
}

/// `t`, or `(either t u)`.
pub(super) fn union(types: &TypeUnion, domain: &Domain) -> String {
    type_list(types.types(), domain)
}

pub(super) fn type_list(types: &[TypeId], domain: &Domain) -> String {
    match types {
        [id] => domain.type_of(*id).name.to_string(),
        ids => {
            let names: Vec<&str> = ids.iter().map(|&id| domain.type_of(id).name.as_str()).collect();
            format!("(either {})", names.join(" "))
        }
    }
}

/// Prints a list of variables with their types: `?x ?y - t …`.
///
/// The last variables have no type if they range over all objects and `every_type` is unset.
pub(super) fn typed_variables(variables: &[Variable], domain: &Domain, every_type: bool) -> String {
    let typed = variables
        .iter()
        .map(|v| (format!("?{}", v.name), union(&v.types, domain)));
    typed_groups(typed, every_type).join(" ")
}

/// Returns the groups of a typed list: runs of names with the same type, each followed by the type.
pub(super) fn typed_groups(named: impl Iterator<Item = (String, String)>, every_type: bool) -> Vec<String> {
    let mut groups: Vec<(Vec<String>, String)> = Vec::new();
    for (name, types) in named {
        match groups.last_mut() {
            Some((names, of)) if *of == types => names.push(name),
            _ => groups.push((vec![name], types)),
        }
    }
    let last = groups.len().saturating_sub(1);
    let text = |(index, (mut names, types)): (usize, (Vec<String>, String))| {
        if every_type || index < last || types != "object" {
            names.push(format!("- {types}"));
        }
        names.join(" ")
    };
    groups.into_iter().enumerate().map(text).collect()
}

/// Returns a group of a typed list as words to be wrapped.
pub(super) fn filling(group: &str) -> Layout {
    Layout::Fill(group.split(' ').map(str::to_owned).collect())
}

/// Returns a decimal if at most six digits are exact, else a fraction.
pub(super) fn probability(probability: Probability) -> String {
    let (numerator, denominator) = (probability.numerator(), probability.denominator());
    let mut scale = 1;
    for digits in 0..=6 {
        if scale % denominator == 0 {
            let value = u128::from(numerator) * u128::from(scale / denominator);
            let (whole, rest) = (value / u128::from(scale), value % u128::from(scale));
            return match digits {
                0 => whole.to_string(),
                _ => format!("{whole}.{rest:0digits$}"),
            };
        }
        scale *= 10;
    }
    format!("{numerator}/{denominator}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities() {
        let rows = [
            (1, 1, "1"),
            (0, 1, "0"),
            (1, 2, "0.5"),
            (1, 4, "0.25"),
            (1, 20, "0.05"),
            (1, 3, "1/3"),
            (1, 64, "0.015625"),
            (1, 128, "1/128"),
            (999_999, 1_000_000, "0.999999"),
        ];
        for (numerator, denominator, expected) in rows {
            let value = Probability::new(numerator, denominator).expect("a probability");
            assert_eq!(probability(value), expected);
        }
    }
}
