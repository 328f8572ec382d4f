//! The words of the languages that completion offers.

/// The parts of an action in PDDL.
pub(crate) const ACTION_PARTS: [&str; 3] = [":parameters", ":precondition", ":effect"];

/// The parts of a durative action in PDDL.
pub(crate) const DURATIVE_PARTS: [&str; 4] = [":parameters", ":duration", ":condition", ":effect"];

/// The times of conditions and effects of a durative action in PDDL.
pub(crate) const TIMES: [&str; 3] = ["at start", "over all", "at end"];

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

/// The words of expressions in RDDL.
pub(crate) const RDDL_WORDS: [&str; 24] = [
    "if", "then", "else", "switch", "case", "default", "true", "false", "forall", "exists", "sum", "prod",
    "min", "max", "avg", "argmax", "argmin", "abs", "exp", "ln", "sqrt", "pow", "round", "floor",
];

/// The parts of a definition that an editor writes at once, by their first words, with places to fill in as the protocol
/// marks them. In PDDL, the parenthesis around a part is written already.
pub(crate) const SNIPPETS: [(&str, &str); 14] = [
    (
        "define",
        "define (domain ${1:name})\n  (:requirements :strips)\n  (:predicates (${2:done}))\n\n  (:action ${3:act}\n    :parameters ()\n    \
         :precondition (and)\n    :effect (and (${2:done})))",
    ),
    (":requirements", ":requirements ${1::strips}"),
    (":types", ":types ${1:name} - ${2:object}"),
    (":constants", ":constants ${1:name} - ${2:object}"),
    (":predicates", ":predicates (${1:name} ${2:?x})"),
    (":functions", ":functions (${1:name})"),
    (":derived", ":derived (${1:name} ${2:?x})\n    (and $0)"),
    (
        ":action",
        ":action ${1:name}\n    :parameters (${2:?x - object})\n    :precondition (and $3)\n    :effect (and $0)",
    ),
    (
        ":durative-action",
        ":durative-action ${1:name}\n    :parameters (${2:?x - object})\n    :duration (= ?duration ${3:1})\n    \
         :condition (and (at start $4) (over all $5))\n    :effect (and (at end $0))",
    ),
    (":domain", ":domain ${1:name}"),
    (":objects", ":objects ${1:name} - ${2:object}"),
    (":init", ":init $0"),
    (":goal", ":goal (and $0)"),
    (":metric", ":metric ${1|minimize,maximize|} (${2:total-cost})"),
];

/// The same for the sections and blocks of RDDL.
pub(crate) const RDDL_SNIPPETS: [(&str, &str); 15] = [
    (
        "domain",
        "domain ${1:name} {\n    pvariables {\n        ${2:on} : { state-fluent, bool, default = false };\n        \
         ${3:press} : { action-fluent, bool, default = false };\n    };\n    cpfs {\n        ${2:on}' = ${3:press};\n    };\n    \
         reward = ${2:on};\n}",
    ),
    (
        "instance",
        "instance ${1:name} {\n    domain = ${2:domain};\n    max-nondef-actions = ${3:1};\n    horizon = ${4:40};\n    \
         discount = ${5:1.0};\n}",
    ),
    ("requirements", "requirements { ${1:reward-deterministic} };"),
    ("types", "types {\n    ${1:name} : object;\n};"),
    (
        "pvariables",
        "pvariables {\n    ${1:name} : { ${2|state-fluent,action-fluent,non-fluent,interm-fluent,observ-fluent|}, \
         ${3|bool,int,real|}, default = ${4:false} };\n};",
    ),
    ("cpfs", "cpfs {\n    ${1:name}' = ${2:false};\n};"),
    ("reward", "reward = ${1:0};"),
    ("termination", "termination {\n    ${1:false};\n};"),
    (
        "action-preconditions",
        "action-preconditions {\n    ${1:true};\n};",
    ),
    ("state-invariants", "state-invariants {\n    ${1:true};\n};"),
    ("objects", "objects {\n    ${1:type} : { ${2:name} };\n};"),
    ("init-state", "init-state {\n    ${1:name} = ${2:true};\n};"),
    ("max-nondef-actions", "max-nondef-actions = ${1:1};"),
    ("horizon", "horizon = ${1:40};"),
    ("discount", "discount = ${1:1.0};"),
];
