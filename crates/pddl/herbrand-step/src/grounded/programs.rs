//! Numeric expressions, compiled once per task to postfix programs.

use herbrand_ground::{
    ConjunctionId, ExpressionId, GroundComparison, GroundExpression, GroundTask, NumericId, Rows,
};
use herbrand_pddl::ArithmeticOperator;

use crate::grounded::state::Valuation;
use crate::semantics::arithmetic::{Fault, apply, compare};

/// The programs of all expressions in conditions and effects.
///
/// A program is a list of instructions for a stack machine. Evaluation is not recursive, so expressions may be nested
/// arbitrarily deep.
#[derive(Debug)]
pub(crate) struct Arithmetic {
    /// The program of each expression that a comparison or effect uses directly; `None` for subexpressions.
    programs: Vec<Option<u32>>,
    code: Rows<Instruction>,
    /// The largest stack size that a program needs.
    stack: usize,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Instruction {
    Number(f64),
    Fluent(NumericId),
    Undefined,
    Apply(ArithmeticOperator),
}

impl Arithmetic {
    /// Compiles every expression that a comparison or a numeric effect of `task` uses.
    pub(crate) fn new(task: &GroundTask) -> Self {
        let mut this = Self {
            programs: vec![None; task.expressions.len()],
            code: Rows::default(),
            stack: 0,
        };
        if task.expressions.is_empty() {
            return this;
        }
        for id in (0..task.conditions.len()).map(ConjunctionId::from_index) {
            for comparison in task.conditions.get(id).comparisons {
                this.compile(task, comparison.left);
                this.compile(task, comparison.right);
            }
        }
        for id in (0..task.effects.len()).map(herbrand_ground::BlockId::from_index) {
            for assignment in task.effects.get(id).assignments {
                this.compile(task, assignment.value);
            }
        }
        this
    }

    fn compile(&mut self, task: &GroundTask, root: ExpressionId) {
        if self.programs[root.index()].is_some() {
            return;
        }
        // Nodes are written parent first, right operand before left, and the program is reversed at the end.
        let mut pending = vec![root];
        let mut program = Vec::new();
        while let Some(id) = pending.pop() {
            program.push(match task.expressions[id.index()] {
                GroundExpression::Number(value) => Instruction::Number(value),
                GroundExpression::Fluent(fluent) => Instruction::Fluent(fluent),
                // Metric quantities such as the total time have no value inside an episode.
                GroundExpression::Undefined | GroundExpression::Special(_) => Instruction::Undefined,
                GroundExpression::Apply(operator, left, right) => {
                    pending.extend([left, right]);
                    Instruction::Apply(operator)
                }
            });
        }
        program.reverse();
        self.stack = self.stack.max(stack_needed(&program));
        let index = self.code.push(program);
        self.programs[root.index()] = u32::try_from(index).ok();
    }

    /// Returns the value of an expression. A comparison or effect of the task must use it directly, not as a subexpression.
    pub(crate) fn value(&self, id: ExpressionId, world: &impl Valuation) -> Result<f64, Fault> {
        let Some(program) = self.programs[id.index()] else {
            return Err(Fault::Undefined);
        };
        let program = self.code.row(program as usize);
        if let [only] = program {
            return only.operand(world);
        }
        let mut small = [0.0; 8];
        if self.stack <= small.len() {
            run(program, world, &mut small)
        } else {
            run(program, world, &mut vec![0.0; self.stack])
        }
    }

    /// Returns whether a comparison holds. If either side is undefined, the comparison is false before negation.
    pub(crate) fn holds(&self, comparison: GroundComparison, world: &impl Valuation) -> bool {
        let sides = self.value(comparison.left, world).and_then(|left| {
            let right = self.value(comparison.right, world)?;
            Ok(compare(comparison.comparison, left, right))
        });
        sides.unwrap_or(false) != comparison.negated
    }
}

impl Instruction {
    fn operand(self, world: &impl Valuation) -> Result<f64, Fault> {
        match self {
            Self::Number(value) => Ok(value),
            Self::Fluent(fluent) => world.value(fluent).ok_or(Fault::Undefined),
            Self::Undefined | Self::Apply(_) => Err(Fault::Undefined),
        }
    }
}

fn stack_needed(program: &[Instruction]) -> usize {
    let mut height = 0_usize;
    let mut needed = 0;
    for instruction in program {
        match instruction {
            Instruction::Apply(_) => height -= 1,
            _ => height += 1,
        }
        needed = needed.max(height);
    }
    needed
}

fn run(program: &[Instruction], world: &impl Valuation, stack: &mut [f64]) -> Result<f64, Fault> {
    let mut height = 0;
    for &instruction in program {
        if let Instruction::Apply(operator) = instruction {
            height -= 1;
            stack[height - 1] = apply(operator, stack[height - 1], stack[height])?;
        } else {
            stack[height] = instruction.operand(world)?;
            height += 1;
        }
    }
    Ok(stack[0])
}
