//! The words of the languages that completion offers.

use herbrand_distributions::Family;

/// Returns the names of the distributions of RDDL.
pub(crate) fn distributions() -> impl Iterator<Item = &'static str> {
    let others = [
        "Bernoulli",
        "DiracDelta",
        "KronDelta",
        "Discrete",
        "UnnormDiscrete",
    ];
    Family::ALL.iter().map(|family| family.name()).chain(others)
}

/// The sections of a domain in PDDL.
pub(crate) const DOMAIN_SECTIONS: [&str; 7] = [
    ":requirements",
    ":types",
    ":constants",
    ":predicates",
    ":functions",
    ":derived",
    ":action",
];

/// The sections of a problem in PDDL.
pub(crate) const PROBLEM_SECTIONS: [&str; 6] = [
    ":domain",
    ":requirements",
    ":objects",
    ":init",
    ":goal",
    ":metric",
];

/// The parts of an action in PDDL.
pub(crate) const ACTION_PARTS: [&str; 3] = [":parameters", ":precondition", ":effect"];

/// The connectives of conditions in PDDL.
pub(crate) const CONDITIONS: [&str; 11] = [
    "and", "or", "not", "imply", "forall", "exists", "=", "<", "<=", ">", ">=",
];

/// The connectives of effects in PDDL.
pub(crate) const EFFECTS: [&str; 10] = [
    "and",
    "not",
    "forall",
    "when",
    "probabilistic",
    "assign",
    "increase",
    "decrease",
    "scale-up",
    "scale-down",
];

/// The sections of a domain in RDDL.
pub(crate) const RDDL_DOMAIN_SECTIONS: [&str; 9] = [
    "requirements",
    "types",
    "pvariables",
    "cpfs",
    "reward",
    "termination",
    "action-preconditions",
    "state-invariants",
    "state-action-constraints",
];

/// The sections of an instance or a block of non-fluents in RDDL.
pub(crate) const RDDL_INSTANCE_SECTIONS: [&str; 7] = [
    "domain",
    "objects",
    "non-fluents",
    "init-state",
    "max-nondef-actions",
    "horizon",
    "discount",
];

/// The words of expressions in RDDL.
pub(crate) const RDDL_WORDS: [&str; 24] = [
    "if", "then", "else", "switch", "case", "default", "true", "false", "forall", "exists", "sum", "prod",
    "min", "max", "avg", "argmax", "argmin", "abs", "exp", "ln", "sqrt", "pow", "round", "floor",
];
