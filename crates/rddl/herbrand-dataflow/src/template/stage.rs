//! Gathering: copies scattered values that several rows read into contiguous memory.

use super::super::instruction::Register;
use super::super::operation::ValueType;
use super::{Index, Input};

/// Scattered elements of an array that several rows read. A run gathers them once, so that blocks of rows copy contiguous
/// memory.
///
/// ```text
///   array; rows read every third element           | a | . | . | b | . | . | c |
///   gathered                                       | a | b | c |
///   read by rows                                     a b c a b c …
/// ```
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Stage {
    pub(super) kind: ValueType,
    pub(super) operand: u32,
    /// The positions of the elements in the array.
    pub(super) index: Index,
    /// The position of the gathered elements among all gathered values of their kind.
    pub(super) start: u32,
    pub(super) count: u32,
}

/// The source of an input register.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Source {
    /// The numbers that an index gives for the rows.
    Item(Index),
    /// Elements of an operand.
    Operand(u32, Index),
    /// Gathered elements.
    Gathered(Index),
}

impl Source {
    pub(super) const fn index(&self) -> &Index {
        match self {
            Self::Item(index) | Self::Operand(_, index) | Self::Gathered(index) => index,
        }
    }
}

/// Returns the sources of the inputs and the gathering stages that they need.
pub(super) fn sources(
    inputs: Vec<(ValueType, Register, Input)>,
    rows: u32,
) -> (Vec<(ValueType, Register, Source)>, Vec<Stage>) {
    let mut stages: Vec<Stage> = Vec::new();
    let source = |(kind, register, input)| {
        let source = match input {
            Input::Item(index) => Source::Item(index),
            Input::Value { operand, index } => match apart(&index, rows) {
                Some(Apart { start, count, axes }) => {
                    let of_kind = stages.iter().filter(|stage| stage.kind == kind);
                    let to = of_kind.map(|stage| stage.count).sum();
                    let read = axes.iter().filter(|axis| axis.1 != 0).copied();
                    stages.push(Stage {
                        kind,
                        operand,
                        index: Index::strided(start, read),
                        start: to,
                        count,
                    });
                    Source::Gathered(Index::strided(to, gathered(axes)))
                }
                None => Source::Operand(operand, index),
            },
        };
        (kind, register, source)
    };
    (inputs.into_iter().map(source).collect(), stages)
}

/// Scattered elements: the first position, their number and the axes along which rows read them.
struct Apart<'i> {
    start: u32,
    count: u32,
    axes: &'i [(u32, u32)],
}

/// Returns the scattered elements of an index; `None` if they are contiguous or rows read each less than twice on average.
fn apart(index: &Index, rows: u32) -> Option<Apart<'_>> {
    let Index::Strided { start, axes } = index else {
        return None;
    };
    let read = axes.iter().filter(|axis| axis.1 != 0);
    let count: u32 = read.map(|axis| axis.0).product();
    let neighbours = axes.last().is_none_or(|axis| axis.1 <= 1);
    (!neighbours && count <= rows / 2).then_some(Apart {
        start: *start,
        count,
        axes,
    })
}

/// Returns the axes of an index into elements gathered in row order.
fn gathered(axes: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut stride = 1;
    let along = axes.iter().rev().map(|&(size, before)| {
        if before == 0 {
            return (size, 0);
        }
        let along = stride;
        stride *= size;
        (size, along)
    });
    let mut axes: Vec<(u32, u32)> = along.collect();
    axes.reverse();
    axes
}
