//! Use counts of registers.

use super::super::instruction::{Register, Use};
use super::super::operation::ValueType;
use super::Step;

/// The number of reads and writes of each register of one kind.
pub(super) struct Uses {
    reads: Vec<u32>,
    writes: Vec<u32>,
}

impl Uses {
    /// Counts the uses of the first `registers` of a kind. Each result counts as one more read, at the end of the program.
    pub(super) fn count(
        kind: ValueType,
        steps: &mut [Step],
        operands: &mut [Register],
        results: &[(ValueType, Register)],
        registers: u32,
    ) -> Self {
        let mut uses = Self {
            reads: vec![0; registers as usize],
            writes: vec![0; registers as usize],
        };
        for step in steps {
            step.registers(operands, |of, register, used| {
                if of == kind {
                    let counted = match used {
                        Use::Read => &mut uses.reads,
                        Use::Write => &mut uses.writes,
                    };
                    counted[*register as usize] += 1;
                }
            });
        }
        for &(_, register) in results.iter().filter(|(of, _)| *of == kind) {
            uses.reads[register as usize] += 1;
        }
        uses
    }

    /// Returns the number of reads of a register.
    pub(super) fn reads(&self, register: Register) -> u32 {
        self.reads[register as usize]
    }

    /// Returns the number of writes of a register.
    pub(super) fn writes(&self, register: Register) -> u32 {
        self.writes[register as usize]
    }
}
