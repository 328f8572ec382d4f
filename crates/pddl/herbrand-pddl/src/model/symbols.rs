//! The PDDL spelling of comparisons and operators.

use std::fmt;

use super::{ArithmeticOperator, AssignOperator, Comparison, MetricDirection, Special};

impl Comparison {
    /// Returns the PDDL spelling, such as `<=`. The parser reads it back.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Equal => "=",
            Self::GreaterOrEqual => ">=",
            Self::Greater => ">",
        }
    }
}

impl ArithmeticOperator {
    /// Returns the PDDL spelling, such as `+`. Subtraction and negation are both `-`.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract | Self::Negate => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
        }
    }
}

impl AssignOperator {
    /// Returns the PDDL spelling, such as `scale-up`.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Assign => "assign",
            Self::Increase => "increase",
            Self::Decrease => "decrease",
            Self::ScaleUp => "scale-up",
            Self::ScaleDown => "scale-down",
        }
    }
}

impl MetricDirection {
    /// Returns the word of PDDL: `minimize` or `maximize`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Minimize => "minimize",
            Self::Maximize => "maximize",
        }
    }
}

impl Special {
    /// Returns the PDDL spelling, such as `(total-time)`.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::TotalTime => "(total-time)",
            Self::Duration => "?duration",
            Self::GoalAchieved => "(goal-achieved)",
            Self::GoalProbability => "(goal-probability)",
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.symbol())
    }
}

impl fmt::Display for ArithmeticOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.symbol())
    }
}

impl fmt::Display for AssignOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.symbol())
    }
}
