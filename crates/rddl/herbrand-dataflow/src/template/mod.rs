//! Templates: one expression evaluated for many bindings of its variables, as a loop over a table of rows.
//!
//! A row binds the variables. Each operand has an [`Index`] that gives, for every row, the position of its value in an
//! array. The expression is compiled once and runs over a block of rows at a time.
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

use crate::instruction::Register;
use crate::lanes::Lanes;
use crate::layout::Layout;
use crate::operation::ValueType;
use crate::registers::Workspace;
use crate::scratch::grow;
use stage::{Source, Stage, sources};

pub use fold::Fold;
pub use index::Index;

/// An expression compiled for many bindings of its variables. Each binding is a row; the values of groups of rows may be
/// folded into one. Returned by [`Body::finish`] and applied by [`Graph::expand`](super::Graph::expand).
#[derive(Clone, PartialEq, Debug)]
pub struct Template {
    /// The number of rows.
    rows: u32,
    groups: Groups,
    /// The inputs of the program and the sources that fill them.
    inputs: Vec<(ValueType, Register, Source)>,
    stages: Vec<Stage>,
    /// By site number in the program: the draw sites of the rows.
    sites: Vec<Index>,
    /// By table number in the program: the table, and the offset of each row.
    lookups: Vec<Lookup>,
    program: Lanes,
    fallible: bool,
}

/// How the rows of a template are grouped into values: an argument of [`Body::finish`], which does not check it. Groups of
/// a minimum, a maximum or a position must not be empty.
#[derive(Clone, PartialEq, Debug)]
pub enum Groups {
    /// One value per row.
    Single,
    /// The fold of each group of this many consecutive rows to one value. The number must be at least 1. Rows after the
    /// last full group are not used.
    Even(Fold, u32),
    /// The fold of each group of consecutive rows to one value. Each number is the end of a group (exclusive), which starts
    /// where the previous one ends. The numbers ascend, at most up to the number of rows; rows after the last end are
    /// not used.
    Upto(Fold, Box<[u32]>),
}

/// The source of an input of a template's body, added by [`Body::input`]. It gives the input a value in each row.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Input {
    /// The number that the index gives for each row, as an int: the item bound to a variable.
    Item(Index),
    /// An element of an array operand.
    Value {
        /// The position of the array among the template's operands.
        operand: u32,
        /// For each row, the position of the element in the array.
        index: Index,
    },
}

/// A table that the expression reads at a computed position. [`Body::table`] adds it, and
/// [`Graph::lookup`](super::Graph::lookup) is the node that reads it. Each row reads from its own place in the table
/// on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Lookup {
    /// The position of the table among the template's operands.
    pub operand: u32,
    /// The number of elements of the table. A position outside the table reads its last element.
    pub len: u32,
    /// For each row, the position in the table that is added to the computed position.
    pub index: Index,
}

/// The inputs, draw sites and tables of a template under construction. The expression itself is in a separate
/// [`Graph`](super::Graph), whose input registers, draw sites and table numbers are those that the methods return.
/// [`finish`](Self::finish) compiles it. Start from the default, which is empty.
#[derive(Clone, Debug, Default)]
pub struct Body {
    inputs: Vec<(ValueType, Input)>,
    sites: Vec<Index>,
    lookups: Vec<Lookup>,
}

impl Body {
    /// Adds an input of the given kind and returns its register, for [`Graph::input`](super::Graph::input). An
    /// [`Input::Item`] needs the kind int. Equal inputs of one kind share a register.
    pub fn input(&mut self, kind: ValueType, input: Input) -> u32 {
        let of_kind = self.inputs.iter().filter(|(of, _)| *of == kind);
        let known = of_kind.clone().position(|(_, known)| *known == input);
        let register = known.unwrap_or_else(|| of_kind.count());
        if known.is_none() {
            self.inputs.push((kind, input));
        }
        register as u32
    }

    /// Adds a random draw whose site depends on the row by `index`, and returns the number to use as the site in the graph.
    pub fn site(&mut self, index: Index) -> u32 {
        place_of(&mut self.sites, index)
    }

    /// Adds a table, and returns the number by which [`Graph::lookup`](super::Graph::lookup) refers to it.
    pub fn table(&mut self, lookup: Lookup) -> u32 {
        place_of(&mut self.lookups, lookup)
    }

    /// Returns the number of input registers.
    pub(super) fn layout(&self) -> Layout {
        let mut layout = Layout::default();
        for &(kind, _) in &self.inputs {
            layout.take(kind, 1);
        }
        layout
    }

    /// Returns the template of a compiled program.
    pub(super) fn with_program(self, program: Lanes, rows: u32, groups: Groups, fallible: bool) -> Template {
        let mut layout = Layout::default();
        let place = |(kind, input)| (kind, layout.take(kind, 1), input);
        let (inputs, stages) = sources(self.inputs.into_iter().map(place).collect(), rows);
        Template {
            rows,
            groups,
            inputs,
            stages,
            sites: self.sites,
            lookups: self.lookups,
            program,
            fallible,
        }
    }
}

fn place_of<T: PartialEq>(list: &mut Vec<T>, item: T) -> u32 {
    let found = list.iter().position(|known| *known == item);
    found.unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    }) as u32
}

impl Template {
    /// Returns the number of values that the template computes: the number of groups of rows.
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
    /// Returns `true` if the template computes no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the kind of the values that the template computes.
    #[must_use]
    pub fn kind(&self) -> ValueType {
        let of_row = self.program.results()[0].0;
        match &self.groups {
            Groups::Single => of_row,
            Groups::Even(fold, _) | Groups::Upto(fold, _) => fold.kind(of_row),
        }
    }

    /// Returns `true` if computing a value of the template can fail.
    #[must_use]
    pub const fn is_fallible(&self) -> bool {
        self.fallible
    }

    /// Returns the approximate memory use of the template in bytes.
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

    /// Grows the workspace to the size that a run needs.
    pub(super) fn fit(&self, work: &mut Workspace) {
        work.block.fit(&self.program);
        let starts = (self.sites.len() + self.lookups.len()) * self.program.width();
        grow(&mut work.starts, starts, 0);
        let gathered = |kind| {
            let of_kind = self.stages.iter().filter(|stage| stage.kind == kind);
            of_kind.map(|stage| stage.count as usize).sum()
        };
        grow(&mut work.bools, gathered(ValueType::Bool), false);
        grow(&mut work.ints, gathered(ValueType::Int), 0);
        grow(&mut work.reals, gathered(ValueType::Real), 0.0);
    }
}
