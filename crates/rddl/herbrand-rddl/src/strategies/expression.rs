//! Random well-typed expressions.

use super::Drawing;
use super::choices::Choices;
use super::sketch::Vocabulary;

/// The type of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Bool,
    Int,
    Real,
    Item(usize),
}

/// A fluent that formulas can read.
#[derive(Clone)]
pub(super) struct Fluent {
    /// The name, with a prime if formulas read the next value.
    pub(super) name: String,
    pub(super) parameters: Vec<usize>,
    pub(super) sort: Sort,
}

/// A writer of random expressions for one formula.
pub(super) struct Author<'a> {
    vocabulary: &'a Vocabulary,
    choices: &'a mut Choices,
    draws: Drawing,
    readable: Vec<Fluent>,
    /// The variables in scope, with their types.
    scope: Vec<(String, usize)>,
    /// The number of variables bound so far.
    variables: usize,
}

impl<'a> Author<'a> {
    pub(super) fn new(vocabulary: &'a Vocabulary, choices: &'a mut Choices, draws: Drawing) -> Self {
        Self {
            vocabulary,
            choices,
            draws,
            readable: Vec::new(),
            scope: Vec::new(),
            variables: 0,
        }
    }

    pub(super) fn may_read(&mut self, fluent: &Fluent, prime: &str) {
        self.readable.push(Fluent {
            name: format!("{}{prime}", fluent.name),
            ..fluent.clone()
        });
    }

    /// Brings a new variable into scope.
    pub(super) fn bind(&mut self, of: usize) -> String {
        let name = format!("?x{}", self.variables);
        self.variables += 1;
        self.scope.push((name.clone(), of));
        name
    }

    /// Writes an expression of a sort with about the given maximum depth.
    pub(super) fn expression(&mut self, sort: Sort, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(sort);
        }
        match self.choices.below(8) {
            0 => self.leaf(sort),
            1 => self.conditional(sort, depth - 1),
            2 => self.switch(sort, depth - 1),
            3 if sort != Sort::Real => {
                let value = self.expression(sort, depth - 1);
                format!("KronDelta({value})")
            }
            _ => match sort {
                Sort::Bool => self.truth(depth - 1),
                Sort::Int => self.int(depth - 1),
                Sort::Real => self.real(depth - 1),
                Sort::Item(of) => self.item(of, depth - 1),
            },
        }
    }

    /// Writes a fluent, a variable or a literal.
    fn leaf(&mut self, sort: Sort) -> String {
        let fluents: Vec<usize> = (0..self.readable.len())
            .filter(|&index| self.readable[index].sort == sort)
            .collect();
        if !fluents.is_empty() && self.choices.below(4) < 3 {
            let index = self.choices.pick(&fluents);
            let fluent = self.readable[index].clone();
            return self.fluent(&fluent);
        }
        match sort {
            Sort::Bool => self.choices.pick(&["true", "false"]).to_owned(),
            Sort::Int => self.choices.pick(&["1", "0", "2", "5"]).to_owned(),
            Sort::Real => self.choices.pick(&["0.5", "1.0", "0.0", "2.75"]).to_owned(),
            Sort::Item(of) => self.simple_item(of),
        }
    }

    /// Writes a variable or a literal, as an argument.
    fn simple_item(&mut self, of: usize) -> String {
        let variables: Vec<String> = self
            .scope
            .iter()
            .filter(|(_, one)| *one == of)
            .map(|(name, _)| name.clone())
            .collect();
        let (size, is_enum) = self.vocabulary.types[of];
        if !variables.is_empty() && (!is_enum || self.choices.below(4) < 3) {
            return variables[self.choices.below(variables.len())].clone();
        }
        if is_enum {
            return format!("@v{of}-{}", self.choices.below(size));
        }
        let variable = self.bind(of);
        let word = self.choices.pick(&["argmax", "argmin"]);
        self.scope.pop();
        format!("({word}_{{{variable} : t{of}}} [1])")
    }

    fn fluent(&mut self, fluent: &Fluent) -> String {
        if fluent.parameters.is_empty() {
            return fluent.name.clone();
        }
        let arguments: Vec<String> = fluent.parameters.iter().map(|&of| self.argument(of)).collect();
        format!("{}({})", fluent.name, arguments.join(", "))
    }

    /// Writes an argument: mostly a variable or a literal, sometimes a fluent without parameters whose value is an item.
    fn argument(&mut self, of: usize) -> String {
        let fluents: Vec<usize> = (0..self.readable.len())
            .filter(|&index| {
                let fluent = &self.readable[index];
                fluent.sort == Sort::Item(of) && fluent.parameters.is_empty()
            })
            .collect();
        if !fluents.is_empty() && self.choices.rarely(3) {
            let index = self.choices.pick(&fluents);
            return self.readable[index].name.clone();
        }
        self.simple_item(of)
    }

    /// Writes `name_{…} [body]` with one or two new variables in the body.
    fn binder(&mut self, name: &str, sort: Sort, depth: usize) -> String {
        let mut typed = Vec::new();
        for _ in 0..=self.choices.below(2) {
            let of = self.choices.below(self.vocabulary.types.len());
            typed.push(format!("{} : t{of}", self.bind(of)));
        }
        let body = self.expression(sort, depth);
        self.scope.truncate(self.scope.len() - typed.len());
        format!("({name}_{{{}}} [{body}])", typed.join(", "))
    }

    fn conditional(&mut self, sort: Sort, depth: usize) -> String {
        let condition = self.expression(Sort::Bool, depth);
        let a = self.expression(sort, depth);
        let b = self.expression(sort, depth);
        format!("(if ({condition}) then {a} else {b})")
    }

    /// Writes a switch over an enum, or an `if` if there is no enum.
    fn switch(&mut self, sort: Sort, depth: usize) -> String {
        let types = &self.vocabulary.types;
        let Some(of) = (0..types.len()).find(|&of| types[of].1) else {
            return self.conditional(sort, depth);
        };
        let size = types[of].0;
        let subject = self.expression(Sort::Item(of), depth);
        let covered = self.choices.below(size + 1);
        let mut cases = Vec::new();
        for item in 0..covered {
            let body = self.expression(sort, depth);
            cases.push(format!("case @v{of}-{item} : {body}"));
        }
        if covered < size {
            let body = self.expression(sort, depth);
            cases.push(format!("default : {body}"));
        }
        format!("(switch ({subject}) {{ {} }})", cases.join(", "))
    }

    fn truth(&mut self, depth: usize) -> String {
        match self.choices.below(9) {
            0 | 1 => {
                let [a, b] = [(); 2].map(|()| self.expression(Sort::Bool, depth));
                let sign = self.choices.pick(&["^", "|", "=>", "<=>", "&"]);
                format!("({a} {sign} {b})")
            }
            2 => format!("~{}", self.expression(Sort::Bool, depth)),
            3 | 4 => {
                let sorts = [Sort::Int, Sort::Real, Sort::Bool];
                let (a, b) = (self.choices.pick(&sorts), self.choices.pick(&sorts));
                let a = self.expression(a, depth);
                let b = self.expression(b, depth);
                let sign = self.choices.pick(&["<", "<=", ">", ">=", "==", "~="]);
                format!("(({a}) {sign} {b})")
            }
            5 => {
                let of = self.choices.below(self.vocabulary.types.len());
                let [a, b] = [(); 2].map(|()| self.expression(Sort::Item(of), depth));
                let sign = self.choices.pick(&["==", "~="]);
                format!("({a} {sign} {b})")
            }
            6 | 7 if self.draws != Drawing::None => {
                let p = self.probability(depth);
                format!("Bernoulli({p})")
            }
            _ => {
                let word = self.choices.pick(&["exists", "forall"]);
                self.binder(word, Sort::Bool, depth)
            }
        }
    }

    /// Writes a number from 0 to 1.
    fn probability(&mut self, depth: usize) -> String {
        match self.choices.below(3) {
            0 => self.choices.pick(&["0.5", "0.25", "1", "0", "0.875"]).to_owned(),
            1 => {
                let condition = self.expression(Sort::Bool, depth);
                format!("(if ({condition}) then 0.75 else 0.125)")
            }
            _ => {
                let x = self.expression(Sort::Real, depth);
                format!("max[0.0, min[1.0, {x}]]")
            }
        }
    }

    fn int(&mut self, depth: usize) -> String {
        match self.choices.below(9) {
            0 | 1 => {
                let [a, b] = [(); 2].map(|()| self.expression(Sort::Int, depth));
                let sign = self.choices.pick(&["+", "-", "*"]);
                format!("({a} {sign} {b})")
            }
            2 => {
                let [a, b] = [(); 2].map(|()| self.expression(Sort::Int, depth));
                let word = self.choices.pick(&["min", "max"]);
                format!("{word}[{a}, {b}]")
            }
            3 => {
                let a = self.expression(Sort::Int, depth);
                let word = self.choices.pick(&["div", "mod", "fmod", "pow"]);
                let b = self.choices.pick(&["2", "3", "1"]);
                format!("{word}[{a}, {b}]")
            }
            4 => {
                let a = self.expression(Sort::Int, depth);
                let word = self.choices.pick(&["abs", "sgn", "round", "floor"]);
                format!("{word}[{a}]")
            }
            5 => {
                let truth = self.expression(Sort::Bool, depth);
                format!("({truth} + 0)")
            }
            6 if self.draws == Drawing::All => {
                let p = self.choices.pick(&["0.5", "0.25"]);
                match self.choices.below(3) {
                    0 => format!("Geometric({p})"),
                    1 => format!("Poisson({p})"),
                    _ => format!("Binomial(3, {p})"),
                }
            }
            7 => format!("-{}", self.expression(Sort::Int, depth)),
            _ => {
                let word = self.choices.pick(&["sum", "prod", "min", "max"]);
                self.binder(word, Sort::Int, depth)
            }
        }
    }

    fn real(&mut self, depth: usize) -> String {
        match self.choices.below(10) {
            0 | 1 => {
                let [a, b] = [(); 2].map(|()| self.expression(Sort::Real, depth));
                let sign = self.choices.pick(&["+", "-", "*", "/"]);
                format!("({a} {sign} {b})")
            }
            2 => {
                let a = self.expression(Sort::Int, depth);
                let b = self.expression(Sort::Real, depth);
                let sign = self.choices.pick(&["+", "*", "-", "/"]);
                format!("({a} {sign} {b})")
            }
            3 => {
                let a = self.expression(Sort::Real, depth);
                let words = [
                    "abs", "sqrt", "exp", "ln", "sin", "cos", "tan", "atan", "tanh", "asin", "acos", "sinh",
                    "cosh",
                ];
                let word = self.choices.pick(&words);
                format!("{word}[{a}]")
            }
            4 => {
                let [a, b] = [(); 2].map(|()| self.expression(Sort::Real, depth));
                let word = self.choices.pick(&["min", "max", "pow", "hypot", "fmod", "log"]);
                format!("{word}[{a}, {b}]")
            }
            5 => format!("-{}", self.expression(Sort::Real, depth)),
            6 if self.draws == Drawing::All => self.continuous(depth),
            7 => {
                let value = self.expression(Sort::Real, depth);
                format!("DiracDelta({value})")
            }
            8 => self.binder("avg", Sort::Real, depth),
            _ => {
                let word = self.choices.pick(&["sum", "prod", "min", "max"]);
                self.binder(word, Sort::Real, depth)
            }
        }
    }

    /// Writes a draw of a real with valid parameters.
    fn continuous(&mut self, depth: usize) -> String {
        let place = self.expression(Sort::Real, depth);
        let scale = self.choices.pick(&["0.5", "1.0", "2.5"]);
        match self.choices.below(9) {
            0 => format!("Normal({place}, {scale})"),
            1 => format!("Uniform(-{scale}, {scale})"),
            2 => format!("Exponential({scale})"),
            3 => format!("Gamma(1.5, {scale})"),
            4 => format!("Laplace({place}, {scale})"),
            5 => format!("Weibull(1.5, {scale})"),
            6 => format!("Beta({scale}, 1.5)"),
            7 => format!("Student({scale})"),
            _ => format!("Gumbel({place}, {scale})"),
        }
    }

    fn item(&mut self, of: usize, depth: usize) -> String {
        let (size, is_enum) = self.vocabulary.types[of];
        match self.choices.below(4) {
            0 if is_enum && self.draws != Drawing::None => {
                let weights: Vec<String> = (0..size)
                    .map(|item| {
                        let weight = self.choices.pick(&["1", "0.5", "3"]);
                        format!("@v{of}-{item} : {weight}")
                    })
                    .collect();
                format!("UnnormDiscrete(t{of}, {})", weights.join(", "))
            }
            1 if self.draws != Drawing::None => {
                let variable = self.bind(of);
                let p = self.probability(depth);
                self.scope.pop();
                format!("(UnnormDiscrete_{{{variable} : t{of}}} [0.5 + {p}])")
            }
            2 => self.leaf(Sort::Item(of)),
            _ => {
                let variable = self.bind(of);
                let word = self.choices.pick(&["argmax", "argmin"]);
                let body = self.expression(Sort::Real, depth);
                self.scope.pop();
                format!("({word}_{{{variable} : t{of}}} [{body}])")
            }
        }
    }
}
