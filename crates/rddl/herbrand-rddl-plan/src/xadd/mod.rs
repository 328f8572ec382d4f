//! Extended algebraic decision diagrams (XADDs; Sanner, Delgado and de Barros, "Symbolic dynamic programming for discrete
//! and continuous state MDPs", 2011). A diagram gives the next value of a fluent, or the reward. Its inner nodes are
//! decisions, and its leaves are polynomials. A term that is no polynomial, such as `cos[angle]`, is treated as a variable.
//!
//! ```text
//!              rain ?
//!        yes ╱        ╲ no
//!     level > 5 ?      0.9 level - release
//!    yes ╱   ╲ no
//!      …       …
//! ```
//!
//! A decision tests whether a bool holds, or whether a polynomial of fluents is greater than 0 or at least 0. Equal
//! subdiagrams are shared. Every path performs its tests in the same order, each at most once. Decisions implied by earlier
//! ones are removed.
//!
//! Random draws are variables: `u3` is the uniform number of draw 3, and `z3` is a standard normal number. Building a
//! diagram fails if the output needs an array, or if the diagram is too large. A diagram agrees with real
//! steps unless a fluent is NaN: in a real step, a comparison with NaN and its opposite are both false, but a decision
//! takes one of its two branches.
//!
//! ```
//! use herbrand_limits::Budget;
//! use herbrand_rddl_sim::ground::StepGraph;
//! use herbrand_rddl_sim::suite::RddlSuite;
//! use herbrand_rddl_plan::xadd::{Output, Xadd};
//!
//! let suite = RddlSuite::bundled("rddl/elevators")?;
//! let step = StepGraph::new(&suite.compiled(0)?.instance, &Budget::unlimited())?;
//! // At most 10,000 nodes.
//! let diagram = Xadd::new(&step, Output::Next(0), 10_000)?;
//! assert!(diagram.to_string().contains("if "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compile;
#[cfg(feature = "render")]
mod draw;
mod opaque;
mod polynomial;
mod print;
mod reduce;
mod store;

use std::collections::HashMap;
use std::sync::Arc;

use fxhash::FxBuildHasher;
use herbrand_dataflow::NodeId;
use herbrand_distributions::Family;
use herbrand_limits::deep;
use herbrand_rddl_sim::ground::StepGraph;
use herbrand_rddl_sim::simulate::CompiledInstance;
use thiserror::Error;

use compile::Compiler;
use opaque::{FIRST, Term, Terms};
use polynomial::Polynomial;
use store::{DiagramNode, Test};

pub use print::{XaddData, XaddNode};

/// The reason why a diagram could not be built or drawn. After [`TooLarge`](Self::TooLarge), raise the limit or choose
/// an output that depends on less.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum XaddError {
    /// The output has no diagram, or the step has no such output. Contains the reason.
    #[error("there is no diagram: it has {0}")]
    NotPolynomial(&'static str),
    /// The diagram has more nodes than the limit, which the error contains: that of [`Xadd::new`], or [`Xadd::DRAWN`]
    /// for a picture.
    #[error(
        "a diagram has more than {0} nodes, the limit: use a smaller instance, or raise the limit if it is an option"
    )]
    TooLarge(usize),
}

/// An output of a step: the value that a diagram computes. [`Xadd::new`] fails if an index is out of range.
///
/// A fluent is given by its index in the matching list of ground fluents of the [`CompiledInstance`]: `state`, `interm`
/// or `observ`. [`find`](Self::find) looks it up by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Output {
    /// The ground state fluent with this index, after the step.
    Next(usize),
    /// The ground intermediate or derived fluent with this index. Both kinds are in one list, numbered together.
    Interm(usize),
    /// The ground observ fluent with this index.
    Observ(usize),
    /// The reward of the step.
    Reward,
    /// Whether a termination condition holds after the step. State invariants do not count.
    Terminal,
    /// Whether the action precondition with this index, counted from 0, holds. State-action constraints follow the
    /// preconditions.
    Precondition(usize),
}

/// A variable that a diagram depends on: a fluent or a random draw. [`Xadd::variables`] lists those of a diagram.
/// Fluents are given by their indices in the lists of the [`CompiledInstance`]. A site is the number of a draw in the
/// step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum DiagramVariable {
    /// The ground state fluent with this index, before the step.
    State(usize),
    /// The ground action fluent with this index.
    Action(usize),
    /// The uniform number between 0 and 1 of the draw at this site.
    Uniform(u32),
    /// The draw from the standard normal distribution at this site.
    Normal(u32),
    /// The draw from the exponential distribution with mean 1 at this site.
    Exponential(u32),
    /// The draw at this site from a distribution with constant parameters: the two numbers, of which a distribution
    /// with one parameter ignores the second.
    Draw(u32, Family, f64, f64),
}

/// An extended algebraic decision diagram (XADD) of one output of a step: the value of the output as a function of
/// fluents and random draws. [`new`](Self::new) builds it. Evaluate it by [`value`](Self::value); write it by
/// `Display`, [`data`](Self::data) or, with the feature `render`, `scene`.
#[derive(Clone, Debug)]
pub struct Xadd {
    compiled: Arc<CompiledInstance>,
    output: Output,
    /// The nodes. Successors precede their decisions, and the root is last.
    parts: Vec<DiagramNode>,
    tests: Vec<Test>,
    variables: Vec<DiagramVariable>,
    /// The terms that are not polynomials.
    terms: Terms,
}

/// Returns the name of a ground fluent without its prime: `stock___apple` for `stock___apple'` and for `stock'(apple)`.
pub(crate) fn ground_name(text: &str) -> String {
    let text: String = text.chars().filter(|&c| c != '\'').collect();
    let parts = text
        .split_once('(')
        .and_then(|(name, rest)| Some((name.trim(), rest.trim_end().strip_suffix(')')?)));
    let Some((name, arguments)) = parts else {
        return text;
    };
    let arguments: Vec<&str> = arguments
        .split(',')
        .map(|argument| argument.trim().trim_start_matches('@'))
        .filter(|argument| !argument.is_empty())
        .collect();
    if arguments.is_empty() {
        name.to_owned()
    } else {
        format!("{name}___{}", arguments.join("__"))
    }
}

impl Output {
    fn node(self, step: &StepGraph) -> Option<NodeId> {
        match self {
            Self::Next(at) => step.next().get(at).copied(),
            Self::Interm(at) => step.interm().get(at).copied(),
            Self::Observ(at) => step.observ().get(at).copied(),
            Self::Reward => Some(step.reward()),
            Self::Terminal => Some(step.terminal()),
            Self::Precondition(at) => step.preconditions().get(at).copied(),
        }
    }

    /// Finds an output by name: `fluent___o1'` for a state fluent after the step, the name of any other ground fluent,
    /// `reward`, `terminal` or `precondition 1`. The prime is optional, and `fluent'(o1, o2)` is accepted too. `None`
    /// if there is no such output. Pass it to [`Xadd::new`]. Preconditions are numbered from 1 here, and from 0 in
    /// [`Output::Precondition`].
    #[must_use]
    pub fn find(compiled: &CompiledInstance, name: &str) -> Option<Self> {
        let bare = ground_name(name);
        let in_all = |fluents: &herbrand_rddl_sim::simulate::GroundFluents| {
            (0..fluents.len()).find(|&at| compiled.name(fluents, at) == bare)
        };
        if let Some(at) = in_all(&compiled.state) {
            return Some(Self::Next(at));
        }
        if let Some(at) = in_all(&compiled.interm) {
            return Some(Self::Interm(at));
        }
        if let Some(at) = in_all(&compiled.observ) {
            return Some(Self::Observ(at));
        }
        match name {
            "reward" => Some(Self::Reward),
            "terminal" => Some(Self::Terminal),
            _ => {
                let number: usize = name.strip_prefix("precondition ")?.parse().ok()?;
                (1..=compiled.precondition_count())
                    .contains(&number)
                    .then(|| Self::Precondition(number - 1))
            }
        }
    }

    /// Returns the output name most similar to `name`, which [`find`](Self::find) does not know, as a suggestion; `None` if
    /// no name is similar.
    #[must_use]
    pub fn nearest(compiled: &CompiledInstance, name: &str) -> Option<String> {
        let names: Vec<String> = Self::all(compiled).iter().map(|one| one.name(compiled)).collect();
        let near = herbrand_text::nearest(&ground_name(name), names.iter().map(String::as_str));
        near.map(str::to_owned)
    }

    /// Returns the name of the output, which [`find`](Self::find) accepts. The output must be one of this problem,
    /// which is not checked.
    #[must_use]
    pub fn name(self, compiled: &CompiledInstance) -> String {
        match self {
            Self::Next(at) => format!("{}'", compiled.name(&compiled.state, at)),
            Self::Interm(at) => compiled.name(&compiled.interm, at),
            Self::Observ(at) => compiled.name(&compiled.observ, at),
            Self::Reward => "reward".to_owned(),
            Self::Terminal => "terminal".to_owned(),
            Self::Precondition(at) => format!("precondition {}", at + 1),
        }
    }

    /// Returns all outputs of a problem: intermediate and derived fluents, state fluents, observ fluents, the reward,
    /// the termination, and the preconditions with the state-action constraints.
    #[must_use]
    pub fn all(compiled: &CompiledInstance) -> Vec<Self> {
        let mut all: Vec<Self> = (0..compiled.interm.len()).map(Self::Interm).collect();
        all.extend((0..compiled.state.len()).map(Self::Next));
        all.extend((0..compiled.observ.len()).map(Self::Observ));
        all.push(Self::Reward);
        all.push(Self::Terminal);
        all.extend((0..compiled.precondition_count()).map(Self::Precondition));
        all
    }
}

impl Xadd {
    /// The maximum number of nodes of a diagram that is drawn.
    pub const DRAWN: usize = 400;

    /// Builds the diagram of an output of a step. `limit` is the maximum number of nodes, including those of intermediate
    /// diagrams. It also limits the polynomials that are computed, to 16 terms per node on average.
    ///
    /// # Errors
    /// [`XaddError::NotPolynomial`] if there is no such output or it needs an array;
    /// [`XaddError::TooLarge`] if there are more than `limit` nodes, or more than 4,096 tests.
    pub fn new(step: &StepGraph, output: Output, limit: usize) -> Result<Self, XaddError> {
        let node = output
            .node(step)
            .ok_or(XaddError::NotPolynomial("no such value"))?;
        let mut compiler = Compiler::new(step, limit);
        let root = deep(|| compiler.value(node))?;
        Ok(Self::kept(step, output, &compiler, root))
    }

    /// Copies the nodes reachable from the root.
    fn kept(step: &StepGraph, output: Output, compiler: &Compiler<'_>, root: store::Id) -> Self {
        let (from, tests) = (&compiler.store.parts, &compiler.store.tests);
        let mut needed = vec![false; root as usize + 1];
        needed[root as usize] = true;
        for id in (0..=root as usize).rev().filter(|&id| id < from.len()) {
            if let (true, DiagramNode::Decision(_, high, low)) = (needed[id], &from[id]) {
                (needed[*high as usize], needed[*low as usize]) = (true, true);
            }
        }
        let mut kept = Self {
            compiled: Arc::clone(step.compiled()),
            output,
            parts: Vec::new(),
            tests: Vec::new(),
            variables: Vec::new(),
            terms: Terms::default(),
        };
        let mut renaming = Renaming {
            compiler,
            numbers: HashMap::default(),
        };
        let mut numbers = vec![0; root as usize + 1];
        let mut asked: HashMap<u32, u32, FxBuildHasher> = HashMap::default();
        for id in (0..=root as usize).filter(|&id| needed[id]) {
            let part = match &from[id] {
                DiagramNode::Leaf(one) => DiagramNode::Leaf(renaming.polynomial(&mut kept, one)),
                &DiagramNode::Decision(test, high, low) => {
                    let number = match asked.get(&test) {
                        Some(&number) => number,
                        None => {
                            let renamed = match &tests[test as usize] {
                                Test::Above(one) => Test::Above(renaming.polynomial(&mut kept, one)),
                                Test::AtLeast(one) => Test::AtLeast(renaming.polynomial(&mut kept, one)),
                                Test::Holds(variable) => Test::Holds(renaming.number(&mut kept, *variable)),
                            };
                            kept.tests.push(renamed);
                            let number = kept.tests.len() as u32 - 1;
                            asked.insert(test, number);
                            number
                        }
                    };
                    DiagramNode::Decision(number, numbers[high as usize], numbers[low as usize])
                }
            };
            numbers[id] = kept.parts.len() as u32;
            kept.parts.push(part);
        }
        kept
    }

    /// Returns the number of the diagram's nodes: decisions and polynomials.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.parts.len()
    }

    /// Returns `false`: a diagram has at least one polynomial.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns the variables that the diagram depends on, each once: fluents and random draws. Empty if the value is a
    /// constant. [`value`](Self::value) asks for the values of these.
    #[must_use]
    pub fn variables(&self) -> &[DiagramVariable] {
        &self.variables
    }

    /// Returns the name of a variable of this diagram: the ground fluent's name, or a letter and the site number for a
    /// random draw (`u3`, `z3`, `e3` or `d3`).
    #[must_use]
    pub fn name(&self, variable: DiagramVariable) -> String {
        match variable {
            DiagramVariable::State(at) => self.compiled.name(&self.compiled.state, at),
            DiagramVariable::Action(at) => self.compiled.name(&self.compiled.action, at),
            DiagramVariable::Uniform(site) => format!("u{site}"),
            DiagramVariable::Normal(site) => format!("z{site}"),
            DiagramVariable::Exponential(site) => format!("e{site}"),
            DiagramVariable::Draw(site, ..) => format!("d{site}"),
        }
    }

    /// Returns the distribution of a random variable as text, such as `Normal(0, 1)`; `None` for a fluent.
    #[must_use]
    pub fn distribution(&self, variable: DiagramVariable) -> Option<String> {
        Some(match variable {
            DiagramVariable::State(_) | DiagramVariable::Action(_) => return None,
            DiagramVariable::Uniform(_) => "Uniform(0, 1)".to_owned(),
            DiagramVariable::Normal(_) => "Normal(0, 1)".to_owned(),
            DiagramVariable::Exponential(_) => "Exponential(1)".to_owned(),
            DiagramVariable::Draw(_, family, a, b) if family.arity() == 2 => {
                format!("{}({a}, {b})", family.name())
            }
            DiagramVariable::Draw(_, family, a, _) => format!("{}({a})", family.name()),
        })
    }

    /// Returns the value of the diagram, evaluated with the values that `of` gives to the
    /// [`variables`](Self::variables). Bools are 0 and 1, and items are their positions.
    #[must_use]
    pub fn value(&self, of: impl Fn(DiagramVariable) -> f64) -> f64 {
        let terms = self.terms_of(&of);
        let of = |number: u32| self.of(&of, &terms, number);
        let mut at = self.parts.len() - 1;
        loop {
            match &self.parts[at] {
                DiagramNode::Leaf(polynomial) => return polynomial.value(&of),
                DiagramNode::Decision(test, high, low) => {
                    let holds = match &self.tests[*test as usize] {
                        Test::Holds(variable) => of(*variable) != 0.0,
                        Test::Above(polynomial) => polynomial.value(&of) > 0.0,
                        Test::AtLeast(polynomial) => polynomial.value(&of) >= 0.0,
                    };
                    at = if holds { *high } else { *low } as usize;
                }
            }
        }
    }

    /// Returns whether, for the values that `of` gives to the variables, some polynomial that the diagram compares with
    /// 0 is nearer to 0 than `margin`, a number at least 0, or is NaN, or a function is near a jump, so that rounding
    /// may change the value.
    #[must_use]
    pub fn is_near_edge(&self, of: impl Fn(DiagramVariable) -> f64, margin: f64) -> bool {
        let terms = self.terms_of(&of);
        let of = |number: u32| self.of(&of, &terms, number);
        self.terms.iter().any(|term| term.is_near_edge(&of, margin))
            || self.tests.iter().any(|test| match test {
                Test::Holds(_) => false,
                Test::Above(polynomial) | Test::AtLeast(polynomial) => {
                    let value = polynomial.value(&of);
                    value.is_nan() || value.abs() < margin
                }
            })
    }

    /// Returns the values of all terms, given those of the variables.
    fn terms_of(&self, of: &impl Fn(DiagramVariable) -> f64) -> Vec<f64> {
        let mut values = Vec::new();
        for term in self.terms.iter() {
            let value = term.value(&|number| self.of(of, &values, number));
            values.push(value);
        }
        values
    }

    /// Returns the value of a variable or term, given the values of variables and terms.
    fn of(&self, of: &impl Fn(DiagramVariable) -> f64, terms: &[f64], number: u32) -> f64 {
        match number.checked_sub(FIRST) {
            Some(term) => terms[term as usize],
            None => of(self.variables[number as usize]),
        }
    }
}

/// The new numbers of the variables and terms that a diagram keeps.
struct Renaming<'c, 'g> {
    compiler: &'c Compiler<'g>,
    numbers: HashMap<u32, u32, FxBuildHasher>,
}

impl Renaming<'_, '_> {
    fn polynomial(&mut self, kept: &mut Xadd, one: &Polynomial) -> Polynomial {
        let all: HashMap<u32, u32, FxBuildHasher> = one
            .variables()
            .map(|number| (number, self.number(kept, number)))
            .collect();
        one.renamed(&|number| all[&number])
    }

    fn number(&mut self, kept: &mut Xadd, number: u32) -> u32 {
        if let Some(&known) = self.numbers.get(&number) {
            return known;
        }
        let new = match self.compiler.terms.get(number) {
            Some(Term { function, operands }) => {
                let operands = operands.iter().map(|one| self.polynomial(kept, one)).collect();
                kept.terms.number(Term {
                    function: *function,
                    operands,
                })
            }
            None => {
                kept.variables.push(self.compiler.variables[number as usize]);
                kept.variables.len() as u32 - 1
            }
        };
        self.numbers.insert(number, new);
        new
    }
}
