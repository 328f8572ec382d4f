//! The ground task as readable text.

use std::fmt;

use super::{
    ActionId, BlockId, ConditionId, ConjunctionId, ExpressionId, GroundAxiom, GroundExpression, GroundTask,
    Literal,
};

/// Formats all actions with preconditions and effects, all axioms, the initial state and the goal, one item per line.
impl fmt::Display for GroundTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for id in self.actions.ids() {
            writeln!(f, "action {}", self.display_action(id))?;
            write!(f, "{}", self.display_definition(id))?;
        }
        for axiom in &self.axioms {
            writeln!(f, "axiom {}", self.display_axiom(*axiom))?;
        }
        f.write_str("initial")?;
        self.initial
            .iter()
            .try_for_each(|&atom| write!(f, " {}", self.display_atom(atom)))?;
        writeln!(f)?;
        self.write_block(f, self.initial_chance, 1)?;
        for (index, numeric) in self.numerics.iter().enumerate() {
            let id = super::NumericId::from_index(index);
            match numeric.initial {
                Some(value) => writeln!(f, "number {} = {value}", self.display_numeric(id))?,
                None => writeln!(f, "number {} undefined", self.display_numeric(id))?,
            }
        }
        self.write_condition(f, "goal", self.goal)
    }
}

impl GroundTask {
    /// Writes one line per conjunction: the first one after `word`, the others after `or`.
    fn write_condition(&self, f: &mut fmt::Formatter<'_>, word: &str, id: ConditionId) -> fmt::Result {
        let conjunctions = self.conditions.conjunctions(id);
        if conjunctions.len() == 0 {
            return writeln!(f, "  {word} never");
        }
        for (index, conjunction) in conjunctions.enumerate() {
            write!(f, "  {}", if index == 0 { word } else { "or" })?;
            self.write_conjunction(f, conjunction)?;
            writeln!(f)?;
        }
        Ok(())
    }

    fn write_conjunction(&self, f: &mut fmt::Formatter<'_>, id: ConjunctionId) -> fmt::Result {
        let conjunction = self.conditions.get(id);
        conjunction
            .literals
            .iter()
            .try_for_each(|&literal| write!(f, " {}", self.display_literal(literal)))?;
        for one in conjunction.comparisons {
            let (left, right) = (
                self.display_expression(one.left),
                self.display_expression(one.right),
            );
            let sign = one.comparison;
            if one.negated {
                write!(f, " (not ({sign} {left} {right}))")?
            } else {
                write!(f, " ({sign} {left} {right})")?
            }
        }
        Ok(())
    }

    fn write_block(&self, f: &mut fmt::Formatter<'_>, id: BlockId, depth: usize) -> fmt::Result {
        let (block, indent) = (self.effects.get(id), 2 * depth);
        for atom in block.deletes {
            writeln!(f, "{:indent$}delete {}", "", self.display_atom(*atom))?;
        }
        for atom in block.adds {
            writeln!(f, "{:indent$}add {}", "", self.display_atom(*atom))?;
        }
        for one in block.assignments {
            let word = one.operator;
            let (target, value) = (
                self.display_numeric(one.target),
                self.display_expression(one.value),
            );
            writeln!(f, "{:indent$}{word} {target} {value}", "")?;
        }
        for &(condition, inner) in block.whens {
            write!(f, "{:indent$}", "")?;
            self.write_condition(f, "if", condition)?;
            self.write_block(f, inner, depth + 2)?;
        }
        for &draw in block.draws {
            writeln!(f, "{:indent$}draw", "")?;
            let draw = self.effects.draw(draw);
            for (alternative, &inner) in draw.blocks.iter().enumerate() {
                writeln!(f, "{:indent$}  {}", "", draw.distribution.share(alternative))?;
                self.write_block(f, inner, depth + 2)?;
            }
        }
        Ok(())
    }

    /// Formats the precondition and the effects of an action, one per line, for people. Panics if the task has no such
    /// action.
    pub fn display_definition(&self, id: ActionId) -> impl fmt::Display + '_ {
        let action = self.actions.get(id);
        fmt::from_fn(move |f| {
            self.write_condition(f, "when", action.precondition)?;
            self.write_block(f, action.effect, 1)
        })
    }

    /// Formats an axiom of the task as a rule, for people: `(above a c) <- (on a b) (above b c)`. Formatting panics if
    /// it is not of this task.
    pub fn display_axiom(&self, axiom: GroundAxiom) -> impl fmt::Display + '_ {
        fmt::from_fn(move |f| {
            write!(f, "{} <-", self.display_atom(axiom.head))?;
            self.write_conjunction(f, axiom.body)
        })
    }

    /// Formats a literal of the task in PDDL syntax. Does not allocate. Formatting panics if the task has no such atom.
    pub fn display_literal(&self, literal: Literal) -> impl fmt::Display + '_ {
        fmt::from_fn(move |f| {
            if literal.is_negative() {
                write!(f, "(not {})", self.display_atom(literal.atom()))
            } else {
                write!(f, "{}", self.display_atom(literal.atom()))
            }
        })
    }

    /// Formats an expression of the task in PDDL syntax. It does not recurse, so deep expressions do not overflow the
    /// stack. Formatting panics if the task has no such expression.
    pub fn display_expression(&self, id: ExpressionId) -> impl fmt::Display + '_ {
        enum Piece {
            Expression(ExpressionId),
            Text(&'static str),
        }
        fmt::from_fn(move |f| {
            let mut pending = vec![Piece::Expression(id)];
            while let Some(piece) = pending.pop() {
                let id = match piece {
                    Piece::Text(text) => {
                        f.write_str(text)?;
                        continue;
                    }
                    Piece::Expression(id) => id,
                };
                match self.expressions[id.index()] {
                    GroundExpression::Number(value) => write!(f, "{value}")?,
                    GroundExpression::Fluent(numeric) => write!(f, "{}", self.display_numeric(numeric))?,
                    GroundExpression::Undefined => f.write_str("undefined")?,
                    GroundExpression::Special(special) => f.write_str(special.symbol())?,
                    GroundExpression::Apply(operator, left, right) => {
                        write!(f, "({operator} ")?;
                        let (left, right) = (Piece::Expression(left), Piece::Expression(right));
                        pending.extend([Piece::Text(")"), right, Piece::Text(" "), left]);
                    }
                }
            }
            Ok(())
        })
    }
}
