//! One expression for many ground variables: a loop over a table of rows.
//!
//! A row binds the variables of the expression. What the expression reads is found by the row: each operand has an
//! [`Index`], which says for every row where in an array its value is. The expression itself is compiled once, and
//! runs over a block of rows at a time.
//!
//! ```text
//!   distance(?c, ?i) = sum_{?f} …  over ?c: 2, ?i: 3        rows      c  i   taste[2c + f]   feature[2i + f]
//!                                                              0      0  0       0 + f             0 + f
//!   group of rows: one value of the result,                    1      0  1       0 + f             2 + f
//!   or one sum of them by a fold                               2      0  2       0 + f             4 + f
//!                                                              3      1  0       2 + f             0 + f
//! ```

mod fold;
mod index;
mod run;
mod stage;

use herbrand_limits::{Meter, Spent};

use super::compiled::Layout;
use super::graph::Graph;
use super::instruction::Register;
use super::lanes::{Block, Caches, Lanes, grow};
use super::term::{Kind, Node};
use stage::{Source, Stage, sources};

pub use fold::Fold;
pub use index::Index;

/// An expression for many bindings of its variables.
#[derive(Clone, PartialEq, Debug)]
pub struct Template {
    /// The number of rows.
    rows: u32,
    groups: Groups,
    /// What fills the inputs of the program.
    inputs: Vec<(Kind, Register, Source)>,
    stages: Vec<Stage>,
    /// By number in the program: the sites of draws.
    sites: Vec<Index>,
    /// By number in the program: the tables, and where in them a row begins.
    lookups: Vec<Lookup>,
    program: Lanes,
    fallible: bool,
}

/// Which rows make one value of the result.
#[derive(Clone, PartialEq, Debug)]
pub enum Groups {
    /// Each row.
    Single,
    /// As many rows each time.
    Even(Fold, u32),
    /// The rows up to each of these numbers, from the one before.
    Upto(Fold, Box<[u32]>),
}

/// What an input of a template is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Input {
    /// The index itself, as an int: the item of a variable.
    Item(Index),
    /// A value of an array, which is the operand of this number.
    Value {
        /// The operand.
        operand: u32,
        /// Where in it.
        index: Index,
    },
}

/// A table in which a place is computed: the place that a row begins with, and how far apart the computed places are.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Lookup {
    /// The operand.
    pub operand: u32,
    /// The number of values in it.
    pub len: u32,
    /// Where the row begins.
    pub index: Index,
}

/// What a template under construction reads: the inputs, sites and tables of an expression in a graph of its own.
#[derive(Clone, Debug, Default)]
pub struct Body {
    inputs: Vec<(Kind, Input)>,
    sites: Vec<Index>,
    lookups: Vec<Lookup>,
}

impl Body {
    /// The input register of its kind that holds this.
    pub fn input(&mut self, kind: Kind, input: Input) -> u32 {
        let of_kind = self.inputs.iter().filter(|(of, _)| *of == kind);
        let known = of_kind.clone().position(|(_, known)| *known == input);
        let register = known.unwrap_or_else(|| of_kind.count());
        if known.is_none() {
            self.inputs.push((kind, input));
        }
        register as u32
    }

    /// The number that stands for a draw's sites in the graph.
    pub fn site(&mut self, index: Index) -> u32 {
        place_of(&mut self.sites, index)
    }

    /// The number that stands for a table in the graph.
    pub fn table(&mut self, lookup: Lookup) -> u32 {
        place_of(&mut self.lookups, lookup)
    }

    /// The template of one of the expression's values.
    ///
    /// # Errors
    /// When the budget is spent.
    pub fn finish(
        self,
        graph: &Graph,
        value: Node,
        rows: u32,
        groups: Groups,
        meter: &mut Meter,
    ) -> Result<Template, Spent> {
        let mut layout = Layout::default();
        let place = |(kind, input)| (kind, layout.take(kind, 1), input);
        let (inputs, stages) = sources(self.inputs.into_iter().map(place).collect(), rows);
        let program = Lanes::compile(graph, layout, [&[value], &[]], CACHES, meter)?;
        Ok(Template {
            rows,
            groups,
            inputs,
            stages,
            sites: self.sites,
            lookups: self.lookups,
            program,
            fallible: graph.is_fallible(value),
        })
    }
}

/// The registers of a template's program fit in a first-level cache.
const CACHES: Caches = Caches {
    first: 40 << 10,
    few: 1,
    second: 40 << 10,
    most: 256,
};

fn place_of<T: PartialEq>(list: &mut Vec<T>, item: T) -> u32 {
    let found = list.iter().position(|known| *known == item);
    found.unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    }) as u32
}

impl Template {
    /// The number of values.
    #[must_use]
    pub fn len(&self) -> u32 {
        match &self.groups {
            Groups::Single => self.rows,
            Groups::Even(_, width) => self.rows / (*width).max(1),
            Groups::Upto(_, ends) => ends.len() as u32,
        }
    }

    /// The number of rows that a run computes.
    pub(super) fn rows(&self) -> u64 {
        u64::from(self.rows)
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The kind of its values.
    #[must_use]
    pub fn kind(&self) -> Kind {
        let of_row = self.program.results()[0].0;
        match &self.groups {
            Groups::Single => of_row,
            Groups::Even(fold, _) | Groups::Upto(fold, _) => fold.kind(of_row),
        }
    }

    /// Whether a value may be missing.
    #[must_use]
    pub const fn is_fallible(&self) -> bool {
        self.fallible
    }

    /// How much memory it takes, about.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let groups = match &self.groups {
            Groups::Upto(_, ends) => size_of_val(&**ends) as u64,
            _ => 0,
        };
        let inputs = self.inputs.iter().map(|(_, _, source)| source.index().bytes());
        let others = self
            .sites
            .iter()
            .chain(self.lookups.iter().map(|lookup| &lookup.index));
        let indices: u64 = inputs.chain(others.map(Index::bytes)).sum();
        size_of::<Self>() as u64 + groups + indices + self.program.bytes()
    }

    /// Makes room for the work of a run.
    pub(super) fn fit(&self, work: &mut Workspace) {
        work.block.fit(&self.program);
        let starts = (self.sites.len() + self.lookups.len()) * self.program.width();
        grow(&mut work.starts, starts, 0);
        let gathered = |kind| {
            let of_kind = self.stages.iter().filter(|stage| stage.kind == kind);
            of_kind.map(|stage| stage.count as usize).sum()
        };
        grow(&mut work.bools, gathered(Kind::Bool), false);
        grow(&mut work.ints, gathered(Kind::Int), 0);
        grow(&mut work.reals, gathered(Kind::Real), 0.0);
    }
}

/// What a run of a template works on.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Workspace {
    block: Block,
    /// Sites and places in tables: one row after the other.
    starts: Vec<u32>,
    /// Values that are gathered.
    bools: Vec<bool>,
    ints: Vec<i64>,
    reals: Vec<f64>,
}

impl Workspace {
    /// How much memory it takes.
    pub(super) const fn bytes(&self) -> u64 {
        let words = self.ints.capacity() + self.reals.capacity();
        let gathered = self.bools.capacity() + 8 * words;
        self.block.bytes() + (4 * self.starts.capacity() + gathered) as u64
    }
}
