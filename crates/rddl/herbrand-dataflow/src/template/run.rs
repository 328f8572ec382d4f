//! Execution of a template, a block of rows at a time.

use herbrand_distributions::{Draws, Site};
use herbrand_limits::check_enclosing;

use super::super::fault::{PASS, ValueError};
use super::super::instruction::Register;
use super::super::lanes::RunContext;
use super::super::operation::ValueType;
use super::super::registers::Registers;
use super::fold::Total;
use super::stage::Source;
use super::{Groups, Template, Workspace};

/// The position of the value that could not be computed, and the reason.
pub(crate) type Missing = (u32, ValueError);

/// The number of blocks between two checks of the enclosing budgets.
const BLOCKS: usize = 64;
/// The context of a block of rows: tables, draw sites and random numbers.
struct BlockContext<'a, D> {
    template: &'a Template,
    bools: &'a [bool],
    ints: &'a [i64],
    reals: &'a [f64],
    operands: &'a [Register],
    starts: &'a [u32],
    draws: &'a D,
}

impl<D: Draws> BlockContext<'_, D> {
    /// Returns the register of a table element. A position beyond the table reads its last element.
    fn place(&self, table: u32, lane: usize, place: i64) -> usize {
        let lookup = &self.template.lookups[table as usize];
        let row = self.template.sites.len() + table as usize;
        let start = self.starts[row * self.template.program.width() + lane];
        let last = lookup.len.saturating_sub(1);
        let place = u32::try_from(place).map_or(last, |place| start.saturating_add(place).min(last));
        (self.operands[lookup.operand as usize] + place) as usize
    }
}

impl<D: Draws> RunContext for BlockContext<'_, D> {
    fn draws(&self, _lane: usize) -> &impl Draws {
        self.draws
    }

    fn site(&self, number: u32, lane: usize) -> Site {
        Site(self.starts[number as usize * self.template.program.width() + lane])
    }

    fn bool(&self, table: u32, lane: usize, place: i64) -> bool {
        self.bools[self.place(table, lane, place)]
    }

    fn int(&self, table: u32, lane: usize, place: i64) -> i64 {
        self.ints[self.place(table, lane, place)]
    }

    fn real(&self, table: u32, lane: usize, place: i64) -> f64 {
        self.reals[self.place(table, lane, place)]
    }
}

impl Template {
    /// Computes all values and writes them to consecutive registers from `to` on. `operands` are the first registers of
    /// arrays.
    ///
    /// # Errors
    /// Returns the first value found that could not be computed.
    pub(crate) fn run(
        &self,
        operands: &[Register],
        to: Register,
        registers: &mut Registers,
        draws: &impl Draws,
    ) -> Result<(), Missing> {
        self.program.begin(&mut registers.work.block);
        self.gather(operands, registers);
        let mut progress = Progress::default();
        for (block, row) in (0..self.rows).step_by(self.program.width()).enumerate() {
            if block % BLOCKS == BLOCKS - 1 {
                check_enclosing(PASS).map_err(|exhausted| (self.value_of(row), exhausted.into()))?;
            }
            let n = self.program.width().min((self.rows - row) as usize);
            self.fill(operands, row, n, registers);
            let Registers {
                bools,
                ints,
                reals,
                work,
                ..
            } = registers;
            let around = BlockContext {
                template: self,
                bools,
                ints,
                reals,
                operands,
                starts: &work.starts,
                draws,
            };
            self.program
                .run(&mut work.block, n, &around)
                .map_err(|(lane, error)| (self.value_of(row + lane as u32), error))?;
            self.store(row, n, to, registers, &mut progress);
        }
        self.store(self.rows, 0, to, registers, &mut progress);
        Ok(())
    }

    /// Gathers the scattered values that several rows read.
    fn gather(&self, operands: &[Register], registers: &mut Registers) {
        let Registers {
            bools,
            ints,
            reals,
            work,
            ..
        } = registers;
        for stage in &self.stages {
            let from = operands[stage.operand as usize] as usize;
            let to = stage.start as usize..(stage.start + stage.count) as usize;
            match stage.kind {
                ValueType::Bool => stage.index.copy(&bools[from..], 0, &mut work.bools[to]),
                ValueType::Int => stage.index.copy(&ints[from..], 0, &mut work.ints[to]),
                ValueType::Real => stage.index.copy(&reals[from..], 0, &mut work.reals[to]),
            }
        }
    }

    /// Fills the inputs of a block of `n` rows.
    fn fill(&self, operands: &[Register], row: u32, n: usize, registers: &mut Registers) {
        let width = self.program.width();
        let Registers {
            bools,
            ints,
            reals,
            work,
            ..
        } = registers;
        let (block, starts) = (&mut work.block, &mut work.starts);
        let tables = self.lookups.iter().map(|lookup| &lookup.index);
        for (number, index) in self.sites.iter().chain(tables).enumerate() {
            index.write(row, &mut starts[number * width..][..n]);
        }
        for (kind, register, source) in &self.inputs {
            let from = *register as usize * width;
            match (kind, source) {
                (_, Source::Item(index)) => index.write_ints(row, &mut block.ints[from..][..n]),
                (ValueType::Bool, Source::Operand(operand, index)) => {
                    let array = &bools[operands[*operand as usize] as usize..];
                    index.copy(array, row, &mut block.bools[from..][..n]);
                }
                (ValueType::Int, Source::Operand(operand, index)) => {
                    let array = &ints[operands[*operand as usize] as usize..];
                    index.copy(array, row, &mut block.ints[from..][..n]);
                }
                (ValueType::Real, Source::Operand(operand, index)) => {
                    let array = &reals[operands[*operand as usize] as usize..];
                    index.copy(array, row, &mut block.reals[from..][..n]);
                }
                (ValueType::Bool, Source::Gathered(index)) => {
                    index.copy(&work.bools, row, &mut block.bools[from..][..n]);
                }
                (ValueType::Int, Source::Gathered(index)) => {
                    index.copy(&work.ints, row, &mut block.ints[from..][..n]);
                }
                (ValueType::Real, Source::Gathered(index)) => {
                    index.copy(&work.reals, row, &mut block.reals[from..][..n]);
                }
            }
        }
    }

    /// Stores the values of a block of rows, or of the groups that end in it.
    fn store(&self, row: u32, n: usize, to: Register, registers: &mut Registers, progress: &mut Progress) {
        let Registers {
            bools,
            ints,
            reals,
            work: Workspace { block, .. },
            ..
        } = registers;
        let (kind, result) = self.program.results()[0];
        let lanes = result as usize * self.program.width()..result as usize * self.program.width() + n;
        let (Groups::Even(fold, _) | Groups::Upto(fold, _)) = &self.groups else {
            let to = (to + row) as usize..(to + row) as usize + n;
            return match kind {
                ValueType::Bool => bools[to].copy_from_slice(&block.bools[lanes]),
                ValueType::Int => ints[to].copy_from_slice(&block.ints[lanes]),
                ValueType::Real => reals[to].copy_from_slice(&block.reals[lanes]),
            };
        };
        let mut lane = lanes.start;
        while let Some(end) = self.end_of(progress.group) {
            let part = lane..lanes.end.min(lane + (end - progress.row) as usize);
            progress.row += part.len() as u32;
            lane = part.end;
            match kind {
                ValueType::Bool => progress.total.add_bools(*fold, &block.bools[part]),
                ValueType::Int => progress.total.add_ints(*fold, &block.ints[part]),
                ValueType::Real => progress.total.add_reals(*fold, &block.reals[part]),
            }
            if progress.row < end {
                return;
            }
            let to = (to + progress.group) as usize;
            let total = std::mem::take(&mut progress.total);
            match fold.kind(kind) {
                ValueType::Bool => bools[to] = total.bool(*fold),
                ValueType::Int => ints[to] = total.int(*fold),
                ValueType::Real => reals[to] = total.real(*fold),
            }
            progress.group += 1;
        }
    }

    /// Returns the position of the value that a row contributes to.
    fn value_of(&self, row: u32) -> u32 {
        match &self.groups {
            Groups::Single => row,
            Groups::Even(_, width) => row / width,
            Groups::Upto(_, ends) => ends.partition_point(|&end| end <= row) as u32,
        }
    }

    /// Returns the end of a group of rows; `None` after the last group.
    fn end_of(&self, group: u32) -> Option<u32> {
        match &self.groups {
            Groups::Single => None,
            Groups::Even(_, width) => (group < self.len()).then(|| (group + 1) * width),
            Groups::Upto(_, ends) => ends.get(group as usize).copied(),
        }
    }
}

/// The position of a run in the groups.
#[derive(Default)]
struct Progress {
    /// The next row.
    row: u32,
    /// The current group.
    group: u32,
    /// The fold of the group's rows so far.
    total: Total,
}
