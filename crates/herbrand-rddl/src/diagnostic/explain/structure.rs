//! E13xx: dependencies between fluents.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::MissingCpf,
        "Each state, interm, derived and observ fluent needs a CPF that says how its value is found.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::MisplacedCpf,
        "Non-fluents are set by instances and action fluents by whoever acts, so they have no CPF.",
        "domain lights {\n  pvariables { press : { action-fluent, bool, default = false }; };\n  cpfs { press = true; };\n  reward = press;\n}",
        "domain lights {\n  pvariables { press : { action-fluent, bool, default = false }; };\n  reward = press;\n}",
    ),
    Explanation::new(
        Code::WrongPrime,
        "The CPF of a state fluent gives its next value, written with a prime. No other fluent has one.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on = ~on; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = ~on; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::ForbiddenDependency,
        "Derived fluents read state and derived fluents. Interm-fluents read action, state, derived and \
         interm-fluents. Next values of state fluents read all these, and each other. Observations read \
         actions, derived and interm-fluents and the next state, with a prime. A reward reads all but \
         observations. Preconditions read state, action and derived fluents; invariants and termination \
         conditions read state and derived fluents. All read non-fluents.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; seen : { observ-fluent, bool }; };\n  cpfs { on' = on; seen = on; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; seen : { observ-fluent, bool }; };\n  cpfs { on' = on; seen = on'; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::DependencyCycle,
        "The values of a step are computed one after another, each from those before. Here one is needed to \
         compute itself.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; hot : { state-fluent, bool, default = false }; };\n  cpfs { on' = hot'; hot' = on'; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; hot : { state-fluent, bool, default = false }; };\n  cpfs { on' = hot; hot' = on'; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::MisplacedDraw,
        "A derived fluent, a precondition, a constraint, an invariant and a termination condition are looked \
         at at any time, so they cannot draw. Draw in an interm-fluent or in the next value of a state \
         fluent, and read that.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n  termination { Bernoulli(0.5); };\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = Bernoulli(0.5); };\n  reward = 0;\n  termination { on; };\n}",
    ),
    Explanation::new(
        Code::MissingReward,
        "A domain states the reward of a step. It may be 0.",
        "domain lights {\n}",
        "domain lights {\n  reward = 0;\n}",
    ),
];
