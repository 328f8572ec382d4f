//! E14xx: instances.

use super::{Code, Explanation};

pub(in crate::diagnostic) const EXPLANATIONS: &[Explanation] = &[
    Explanation::new(
        Code::MissingBlock,
        "The instance names a block of non-fluents that no given text defines. Pass the file that contains it, or \
         correct the name.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; non-fluents = lamps; horizon = 10; discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\nnon-fluents lamps { domain = lights; }\ninstance evening { domain = lights; non-fluents = lamps; horizon = 10; discount = 1.0; }",
    ),
    Explanation::new(
        Code::WrongKind,
        "`non-fluents` sets the values of non-fluents; `init-state` sets the values of state fluents. No other fluents \
         can be set: actions are chosen by the agent, and the rest is computed.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; non-fluents { on; }; horizon = 10; discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; init-state { on; }; horizon = 10; discount = 1.0; }",
    ),
    Explanation::new(
        Code::ConflictingValues,
        "The same ground fluent gets two different values. Remove one of them.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; init-state { on; ~on; }; horizon = 10; discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; init-state { on; }; horizon = 10; discount = 1.0; }",
    ),
    Explanation::new(
        Code::MissingObjects,
        "An instance must list at least one object for every object type. A minimum or maximum over no objects would \
         be undefined.",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = 0;\n}\ninstance evening { domain = lights; horizon = 10; discount = 1.0; }",
        "domain lights {\n  types { lamp : object; };\n  pvariables { lit(lamp) : { state-fluent, bool, default = false }; };\n  cpfs { lit'(?l) = lit(?l); };\n  reward = 0;\n}\ninstance evening { domain = lights; objects { lamp : { l1 }; }; horizon = 10; discount = 1.0; }",
    ),
    Explanation::new(
        Code::TooManyGround,
        "A fluent has one ground variable for each combination of objects. This fluent has more than 2^32. Use fewer \
         objects or fewer parameters.",
        "",
        "",
    ),
    Explanation::new(
        Code::MissingSetting,
        "An instance must give its domain, a horizon and a discount. `max-nondef-actions` is optional; without it, the \
         number of actions per step is unlimited.",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; discount = 1.0; }",
        "domain lights {\n  pvariables { on : { state-fluent, bool, default = false }; };\n  cpfs { on' = on; };\n  reward = 0;\n}\ninstance evening { domain = lights; horizon = 10; discount = 1.0; }",
    ),
];
