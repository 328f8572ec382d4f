//! E13xx: dependencies between fluents.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::MissingCpf,
        "Each state, interm, derived and observ fluent needs a CPF, which defines its value.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::MisplacedCpf,
        "Non-fluents and action fluents have no CPF: instances set non-fluents, and the agent sets action fluents.",
        "domain lights {\n  pvariables { press : { action-fluent, bool, default = false }; };\n  cpfs { press = true; };\n  reward = press;\n}",
        "domain lights {\n  pvariables { press : { action-fluent, bool, default = false }; };\n  reward = press;\n}",
    ),
    Explanation::new(
        Code::WrongPrime,
        "The CPF of a state fluent defines its next value, so its head has a prime. The heads of other fluents have \
         none.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on = ~on; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = ~on; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::ForbiddenDependency,
        "Every formula may read non-fluents. Derived fluents, invariants and termination conditions may also read \
         state and derived fluents. Preconditions and state-action constraints may read these and action fluents. \
         Interm-fluents may read all of these and other interm-fluents. Observations may read action, derived and \
         interm-fluents, and next values of state fluents (with a prime), but no present ones. Next values of state \
         fluents and the reward may read everything except observations.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; seen : { observ-fluent, bool }; };\n  cpfs { on' = on; seen = on; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; seen : { observ-fluent, bool }; };\n  cpfs { on' = on; seen = on'; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::DependencyCycle,
        "The values of a step are computed in order, each from earlier ones. This value depends on itself.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; hot : { state-fluent, bool, default = false }; };\n  cpfs { on' = hot'; hot' = on'; };\n  reward = 0;\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; hot : { state-fluent, bool, default = false }; };\n  cpfs { on' = hot; hot' = on'; };\n  reward = 0;\n}",
    ),
    Explanation::new(
        Code::MisplacedDraw,
        "Derived fluents, preconditions, constraints, invariants and termination conditions must have the same value \
         whenever they are evaluated, so they cannot draw at random. Draw in an interm-fluent or in the next value of a \
         state fluent, and read that fluent.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n  termination { Bernoulli(0.5); };\n}",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = Bernoulli(0.5); };\n  reward = 0;\n  termination { on; };\n}",
    ),
    Explanation::new(
        Code::MissingReward,
        "A domain must define the reward of a step. Write `reward = 0;` if there is none.",
        "domain lights {\n}",
        "domain lights {\n  reward = 0;\n}",
    ),
];
