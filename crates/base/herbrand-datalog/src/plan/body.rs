//! Rule bodies in the form that the planner needs: equalities are solved, and each class of equal variables has one
//! representative.

use crate::program::ids::{Symbol, Variable};
use crate::program::{Atom, Literal, Program, Rule, Term};

/// The body of a rule in which each variable is replaced by the constant, or the first variable, that it must equal.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    /// The atoms of the positive literals, in order.
    pub atoms: Vec<Atom>,
    /// The position of each atom among the premises of a firing; `None` for a static atom.
    pub premises: Vec<Option<u32>>,
    /// The atoms of the negative literals.
    pub absent: Vec<Atom>,
    /// Pairs of terms that must differ; at least one term of each pair is a variable.
    pub distinct: Vec<(Term, Term)>,
    /// Whether the equalities and inequalities are satisfiable.
    pub possible: bool,
    /// The representative of each variable.
    terms: Vec<Term>,
}

impl Body {
    /// Solves the equalities of a checked rule.
    pub(crate) fn new(program: &Program, rule: &Rule) -> Self {
        let mut body = Self {
            atoms: Vec::new(),
            premises: Vec::new(),
            absent: Vec::new(),
            distinct: Vec::new(),
            possible: true,
            terms: (0..rule.variables)
                .map(|variable| Term::Variable(Variable::new(variable)))
                .collect(),
        };
        for literal in &rule.body {
            if let Literal::Equal(left, right) = *literal {
                body.equate(left, right);
            }
        }
        let mut premises = 0..;
        for literal in &rule.body {
            match literal {
                Literal::Positive(atom) => {
                    body.atoms.push(body.resolve_atom(atom));
                    let counts = !program.is_static(atom.relation);
                    body.premises.push(if counts { premises.next() } else { None });
                }
                Literal::Negative(atom) => body.absent.push(body.resolve_atom(atom)),
                Literal::Distinct(left, right) => body.differ(*left, *right),
                Literal::Equal(..) => {}
            }
        }
        body
    }

    fn equate(&mut self, left: Term, right: Term) {
        let (from, to) = match (self.resolve(left), self.resolve(right)) {
            (Term::Constant(left), Term::Constant(right)) => {
                self.possible &= left == right;
                return;
            }
            (Term::Variable(variable), Term::Constant(symbol))
            | (Term::Constant(symbol), Term::Variable(variable)) => (variable, Term::Constant(symbol)),
            (Term::Variable(left), Term::Variable(right)) => {
                (left.max(right), Term::Variable(left.min(right)))
            }
        };
        self.terms
            .iter_mut()
            .filter(|term| **term == Term::Variable(from))
            .for_each(|term| *term = to);
    }

    fn differ(&mut self, left: Term, right: Term) {
        match (self.resolve(left), self.resolve(right)) {
            (left, right) if left == right => self.possible = false,
            (Term::Constant(_), Term::Constant(_)) => {}
            pair => self.distinct.push(pair),
        }
    }

    /// Returns the representative of a term.
    pub(crate) fn resolve(&self, term: Term) -> Term {
        match term {
            Term::Variable(variable) => self.terms[variable.index()],
            Term::Constant(_) => term,
        }
    }

    pub(crate) fn resolve_atom(&self, atom: &Atom) -> Atom {
        Atom::new(atom.relation, atom.terms.iter().map(|term| self.resolve(*term)))
    }

    /// Returns the number of variables of the rule.
    pub(crate) fn variables(&self) -> usize {
        self.terms.len()
    }

    /// Iterates over the variables that represent themselves.
    pub(crate) fn own_variables(&self) -> impl Iterator<Item = Variable> + '_ {
        let all = (0..self.terms.len() as u32).map(Variable::new);
        all.filter(|variable| self.terms[variable.index()] == Term::Variable(*variable))
    }

    /// Iterates over the other variables, each with its representative.
    pub(crate) fn replaced(&self) -> impl Iterator<Item = (Variable, Term)> + '_ {
        let all = (0..self.terms.len() as u32)
            .map(Variable::new)
            .zip(self.terms.iter().copied());
        all.filter(|(variable, term)| *term != Term::Variable(*variable))
    }

    /// Returns the number of premises of a firing.
    pub(crate) fn premise_count(&self) -> usize {
        self.premises.iter().flatten().count()
    }
}

/// Fills in the variables that are represented by another variable or a constant.
#[inline]
pub(crate) fn replace(replaced: &[(Variable, Term)], binding: &mut [Symbol]) {
    for (variable, term) in replaced {
        binding[variable.index()] = match *term {
            Term::Variable(other) => binding[other.index()],
            Term::Constant(symbol) => symbol,
        };
    }
}
